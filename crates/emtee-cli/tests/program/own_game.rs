//! A user's own game through the library: `program().game::<G>(name)` adds it to every command, and `check` tests whether it
//! obeys the laws.

use std::fmt;
use std::hash::Hash;
use std::process::{Command, ExitCode};
use std::str::FromStr;
use std::sync::LazyLock;

use emtee::{Game, Moves, Outcome, Side, key_of};

use crate::{Run, column, words};

/// Nim: take one, two or three matches; the side that takes the last one wins.
#[derive(Clone, Hash)]
struct Nim {
    matches: u8,
    turn: Side,
}

const KEY_WITHOUT_SIDE: &str = "key";
const TEXT_WITHOUT_SIDE: &str = "text";
const DUPLICATE_MOVE: &str = "moves";
const SCORE_TOO_LARGE: &str = "value";

/// Whether the game has this fault in this process. One game type with a fault in the environment compiles faster than five
/// types.
fn has(fault: &str) -> bool {
    static FAULT: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(FAULT_OF_GAME).ok());
    FAULT.as_deref() == Some(fault)
}

impl Game for Nim {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, moves: &mut Moves<u8>) {
        for n in 1..=self.matches.min(3) {
            moves.push(n);
        }
        if has(DUPLICATE_MOVE) {
            moves.push(1);
        }
    }

    fn play(&self, n: u8) -> Self {
        Nim { matches: self.matches - n, turn: !self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.matches == 0).then_some(Outcome::Lost)
    }

    fn evaluate(&self) -> i32 {
        if has(SCORE_TOO_LARGE) { 40_000 } else { 0 }
    }

    fn key(&self) -> u64 {
        if has(KEY_WITHOUT_SIDE) { key_of(&self.matches) } else { key_of(self) }
    }
}

impl Default for Nim {
    fn default() -> Self {
        Nim { matches: 10, turn: Side::First }
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.turn == Side::First || has(TEXT_WITHOUT_SIDE) { 'a' } else { 'b' };
        write!(f, "{}{side}", self.matches)
    }
}

impl FromStr for Nim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (count, turn) = match (text.strip_suffix('a'), text.strip_suffix('b')) {
            (Some(count), _) => (count, Side::First),
            (_, Some(count)) => (count, Side::Second),
            _ => return Err(String::from("the side is missing: end with a or b")),
        };
        let matches = count.parse().map_err(|_| format!("'{count}' is not a number of matches"))?;
        Ok(Nim { matches, turn })
    }
}

const ARGUMENTS: &str = "EMTEE_TEST_ARGUMENTS";
const FAULT_OF_GAME: &str = "EMTEE_TEST_FAULT";

/// Not a test: the program that [`own`] runs in a separate process, so that its output can be captured.
#[test]
fn program_under_test() {
    let Ok(line) = std::env::var(ARGUMENTS) else { return };
    let program = emtee_cli::program().game::<Nim>("own").game::<Nim>("kalah");
    println!();
    let code = program.run_with(std::iter::once(String::from("some/folder/matches")).chain(words(&line)));
    let code = (0..3u8).find(|&n| code == ExitCode::from(n)).map_or(99, i32::from);
    std::process::exit(code);
}

fn own(line: &str) -> Run {
    faulty("", line)
}

/// Runs the program with a fault in the game.
fn faulty(fault: &str, line: &str) -> Run {
    let this = std::env::current_exe().unwrap();
    let mut command = Command::new(this);
    command
        .args(["--exact", "own_game::program_under_test", "--nocapture", "--quiet"])
        .envs([(ARGUMENTS, line), (FAULT_OF_GAME, fault)]);
    let mut run = Run::of(command.output().unwrap());
    // The output begins with that of the test harness.
    let (_, output) = run.stdout.split_once("\n\n").unwrap_or_else(|| panic!("{run:?}"));
    run.stdout = output.to_owned();
    run
}

#[test]
fn every_command_works() {
    let rows = own("search own --depth 10 --json").rows();
    let last = rows.last().unwrap();
    assert_eq!((&last["game"], &last["best_move"], &last["win_in"]), (&"own".into(), &"2".into(), &5.into()));
    assert_eq!(own("search own --position 8a --depth 8 --json").row()["loss_in"], 4);
    assert_eq!(own("search own --moves 2,1 --depth 8 --json").row()["best_move"], "3");
    assert!(own("search own --depth 10").text().contains("best move 2, value win in 5"));

    let rows = own("compare own --depth 7 --algorithms all --json").rows();
    assert!(column(&rows, "algorithm").contains(&&"stockman-sss".into()));
    assert!(own("compare own --depth 7").text().ends_with("all values agree\n"));

    #[cfg(feature = "lab")]
    experiments_work();

    assert_eq!(own("perft own --depth 3 --json").row()["nodes"], 27);
    assert_eq!(own("bench own --json").rows().len(), 2);
    assert!(own("check own").text().starts_with("own obeys the laws: "));
    let summary = own("match own mtd-f,level=3 alpha-beta,depth=1 --games 4 --depth 6 --json").row();
    assert_eq!((&summary["games"], &summary["forfeits"]), (&4.into(), &serde_json::json!([0, 0])));
    let played = own("play own --side none --level 2 --seed 1");
    let note = "note: own has no evaluation, so the engine uses mcts; choose another with --algorithm mtd-f\n";
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), note));
    assert!(played.stdout.contains(" wins"), "{}", played.stdout);
    assert!(own("play own --side none --level 2 --seed 1 --algorithm mtd-f").text().contains(" wins"));
    assert!(own("search --help").text().contains("own        10a"));
}

#[test]
fn an_opening_book_is_built_and_used() {
    let folder = crate::Folder::new("own-book");
    let games = folder.file("games.txt", String::from("1 1 2\n1 2 3\n3 2 1\n"));
    let book = folder.path("nim.book");
    let row = own(&format!("book own --games {games} --positions 8 --nodes 100 --out {book} --json")).row();
    assert_eq!((&row["games"], &row["unread_games"], &row["complete"]), (&3.into(), &0.into(), &true.into()), "{row}");
    let line = format!("match own mtd-f,book={book},nodes=50 mtd-f,nodes=50 --games 2 --seed 1 --json");
    assert_eq!(own(&line).row()["forfeits"], serde_json::json!([0, 0]));
    let run = own("datagen own --out unused");
    let message = "error: there is no training data for own; choose chess or othello or checkers\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
}

#[cfg(feature = "lab")]
fn experiments_work() {
    let folder = crate::Folder::new("own-experiment");
    let game = "[[game]]\nname = \"own\"\ndepth = 6\npositions = { random = 3, plies = 1 }\n";
    let file = folder.file("own.toml", format!("title = \"Nim\"\nfigures = [9, 11, 12, \"passes\"]\n{game}"));
    let text = own(&format!("experiment {file} --out {}", folder.path("out")));
    assert!(text.text().contains("4 figures and the full report: "), "{text:?}");
    assert!(!text.text().contains("claim"), "the claims of the paper are about other games: {text:?}");
}

#[test]
fn help_and_hints_name_the_users_program() {
    for line in ["--help", "search --help", "compare --help", "check --help"] {
        let help = own(line);
        assert!(help.text().contains("Usage: matches"), "{}", help.text());
        assert!(help.text().contains("Examples:\n  matches "), "{}", help.text());
        assert!(!help.text().contains("emtee "), "{}", help.text());
    }
    let version = concat!("matches (emtee ", env!("CARGO_PKG_VERSION"), ")\n");
    assert_eq!(own("--version").text(), version);
    for (line, hint) in [
        ("", "error: no command was given; try 'matches --help'\n"),
        ("search", "error: <GAME> is missing; try 'matches search --help'\n"),
        ("serch own", "error: there is no command 'serch'; did you mean 'search'? Or try 'matches --help'\n"),
    ] {
        assert_eq!(own(line).stderr, hint);
    }
}

#[test]
fn errors_are_those_of_other_games() {
    let run = own("search owm");
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), "error: there is no game 'owm'; did you mean 'own'?\n"));
    let run = own("search own --position 8c");
    let message = "error: '8c' is not a position of own: the side is missing: end with a or b\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
    // A game with an existing name replaces the other game.
    assert_eq!(own("perft kalah --depth 1 --json").row()["position"], "10a");
}

#[test]
fn check_names_the_broken_law() {
    for (fault, law) in [
        (KEY_WITHOUT_SIDE, "different positions have different keys"),
        (TEXT_WITHOUT_SIDE, "a written position can be read again"),
        (DUPLICATE_MOVE, "no move is listed twice"),
        (SCORE_TOO_LARGE, "scores lie within ±31000: one is 40000"),
    ] {
        let run = faulty(fault, "check own");
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
        assert!(run.stderr.starts_with(&format!("error: {law}")), "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1);
    }
    let run = faulty(SCORE_TOO_LARGE, "search own --depth 3");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("40000 is outside ±31000"), "{run:?}");
}

//! `emtee learn`: an evaluation from self-play.

mod curve;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use clap::Args as ClapArgs;
use cpu_time::ProcessTime;
use emtee_engine::{Entry, Generation, Learning, Registry, Task, work_of};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::commands::args::integer;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, counted, seconds, thousands};

/// Learn an evaluation of a game by self-play, for --evaluator learned:FILE
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee learn connect4 --minutes 10\n  emtee learn kalah --work 1000000000 --seed 2 --out kalah-2.learned\n  emtee search connect4 --evaluator learned:connect4.learned --time 1s\n\nThe minutes are CPU time of one core. A short test of speed converts them to an amount of work. The same game, seed and\n--work give the same file. Each generation plays games against itself, fits an evaluation to their positions, and plays\na match against the version before. The folder has the games, the file so far and the learning curve; Ctrl-C stops,\nand the same command continues."
)]
pub(crate) struct LearnArgs {
    /// Game
    pub(crate) game: String,

    /// CPU time to learn, in minutes
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "work", value_parser = integer(1, 100_000u64))]
    pub(crate) minutes: u64,

    /// Amount of work, instead of minutes: one unit is 3 to 10 nanoseconds
    #[arg(long, value_name = "N", value_parser = integer(1_000, u64::MAX))]
    pub(crate) work: Option<u64>,

    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, u64::MAX))]
    pub(crate) seed: u64,

    /// File of the evaluation [default: GAME.learned]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Folder of the run [default: GAME.learn]
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// What a folder belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Settings {
    game: String,
    seed: u64,
    /// The minutes from which the work was computed.
    minutes: Option<u64>,
    work: u64,
}

pub(crate) fn run(registry: &Registry, args: &LearnArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    let with = |ending: &str| PathBuf::from(format!("{}.{ending}", game.name()));
    let out = args.out.clone().unwrap_or_else(|| with("learned"));
    // Known before the work: the folder of the file must exist.
    if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.is_dir()) {
        return Err(Failure::bad(format!("--out: there is no folder {}", parent.display())));
    }
    let folder = Folder(args.folder.clone().unwrap_or_else(|| with("learn")));
    let settings = folder.settings(game, args, output)?;
    let task = Task { game: settings.game, seed: settings.seed, work: settings.work };
    let mut learning = game.learning(task)?;
    folder.resume(learning.as_mut())?;
    if !output.json() {
        output.line(format!(
            "{HEADING}generation    games  positions   error      Elo gain over the version before     total{HEADING:#}"
        ))?;
    }
    for row in learning.generations().to_vec() {
        show(&row, output)?;
    }
    let stop = interrupt::flag();
    let stopped = || stop.load(Relaxed);
    let bar = output.progress(1_000, game.name());
    while !learning.is_done() {
        let row = learning.generation(&stopped)?;
        let Some(row) = row else {
            bar.finish_and_clear();
            let done = counted(learning.generations().len() as u64, "generation", "generations");
            return Err(Failure::Interrupted(format!("stopped after {done}; the same command continues from here")));
        };
        bar.set_position((row.done * 1_000.0) as u64);
        bar.suspend(|| show(&row, output))?;
        folder.save(learning.as_ref())?;
    }
    bar.finish_and_clear();
    let model = learning.model().ok_or_else(|| Failure::Failed("nothing was learned".into()))?;
    write(&out, &model)?;
    let games = learning.generations().last().map_or(0, |row| row.games);
    if output.json() {
        output.object(&json!({
            "summary": true, "game": game.name(), "file": out, "bytes": model.len(), "games": games, "seed": settings.seed,
            "work": settings.work, "folder": folder.0,
        }))
    } else {
        let (file, folder) = (out.display(), folder.0.display());
        let bytes = thousands(model.len() as u64);
        output.line(format!("{MARK}{file}{MARK:#}: {bytes} bytes, {}", counted(games, "game", "games")))?;
        output
            .line(format!("{FAINT}use it with --evaluator learned:{file}; the learning curve is in {folder}{FAINT:#}"))
    }
}

fn show(row: &Generation, output: &mut Output) -> Result<(), Failure> {
    if output.json() {
        return output.object(&json!({
            "generation": row.number, "games": row.games, "positions": row.positions, "error": row.error,
            "elo": row.elo.map(|[_, elo, _]| elo), "elo_low": row.elo.map(|[low, _, _]| low),
            "elo_high": row.elo.map(|[_, _, high]| high), "match_games": row.match_games, "accepted": row.accepted,
            "total_elo": row.total_elo, "done": row.done, "patterns": row.patterns,
        }));
    }
    let gain = match row.elo {
        Some([low, elo, high]) => {
            let accepted =
                if row.accepted { format!("{GOOD}better{GOOD:#}") } else { format!("{FAINT}refused{FAINT:#}") };
            format!("{elo:>+6.0}  {:<14} {:>4} games  {accepted}", format!("[{low:+.0}, {high:+.0}]"), row.match_games)
        }
        None => String::from("     –  random games"),
    };
    output.line(format!(
        "{:>10} {:>8} {:>10}  {:.4}    {gain:<36} {:>+6.0}",
        row.number,
        thousands(row.games),
        thousands(row.positions),
        row.error,
        row.total_elo
    ))
}

/// The folder of a run.
struct Folder(PathBuf);

const SETTINGS: &str = "learn.json";
const STATE: &str = "state";

impl Folder {
    /// The settings of the run that the folder has, or those of a new one.
    fn settings(&self, game: &dyn Entry, args: &LearnArgs, output: &mut Output) -> Result<Settings, Failure> {
        let file = self.0.join(SETTINGS);
        let minutes = args.work.is_none().then_some(args.minutes);
        if let Ok(text) = fs::read_to_string(&file) {
            let other = |why: String| {
                Failure::bad(format!("{} holds another run ({why}); choose another --folder", self.0.display()))
            };
            let found: Settings = serde_json::from_str(&text).map_err(|error| other(error.to_string()))?;
            let same = (found.game.as_str(), found.seed, found.minutes) == (game.name(), args.seed, minutes);
            if !same || args.work.is_some_and(|work| work != found.work) {
                return Err(other(format!("{}, seed {}, {}", found.game, found.seed, found.length())));
            }
            return Ok(found);
        }
        let work = match args.work {
            Some(work) => work,
            None => calibrated(game, args.minutes, output)?,
        };
        let settings = Settings { game: game.name().to_owned(), seed: args.seed, minutes, work };
        fs::create_dir_all(&self.0).map_err(|error| Failure::bad(format!("{}: {error}", self.0.display())))?;
        write(&file, serde_json::to_string(&settings).unwrap_or_default().as_bytes())?;
        Ok(settings)
    }

    /// Continues with the state in the folder, if there is one.
    fn resume(&self, learning: &mut dyn Learning) -> Result<(), Failure> {
        let file = self.0.join(STATE);
        let Ok(bytes) = fs::read(&file) else { return Ok(()) };
        if learning.resume(&bytes)? {
            return Ok(());
        }
        Err(Failure::bad(format!("{} belongs to another run; choose another --folder", file.display())))
    }

    fn save(&self, learning: &dyn Learning) -> Result<(), Failure> {
        write(&self.0.join(STATE), &learning.to_bytes())?;
        if let Some(model) = learning.model() {
            write(&self.0.join("best.learned"), &model)?;
        }
        write(&self.0.join("learning-curve.svg"), curve::svg(learning.generations()).as_bytes())
    }
}

impl Settings {
    fn length(&self) -> String {
        match self.minutes {
            Some(minutes) => format!("--minutes {minutes}"),
            None => format!("--work {}", self.work),
        }
    }
}

/// Writes a file under another name first, so that it is never incomplete.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let failed = |error: std::io::Error| Failure::bad(format!("{}: {error}", path.display()));
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).map_err(failed)
}

/// The work of a number of minutes on this machine.
fn calibrated(game: &dyn Entry, minutes: u64, output: &mut Output) -> Result<u64, Failure> {
    let begin = &mut |work| game.learning(Task { game: game.name().to_owned(), seed: 0, work });
    let stop = interrupt::flag();
    let found = work_of(minutes as f64, &|| ProcessTime::now().as_duration(), begin, &|| stop.load(Relaxed))?;
    let total = found.ok_or_else(|| Failure::Interrupted("stopped before the first generation".into()))?;
    if !output.json() {
        let text = format!("{} of learning are --work {total}", seconds(60.0 * minutes as f64));
        output.line(format!("{FAINT}{text}{FAINT:#}"))?;
    }
    Ok(total)
}

//! Compares MTD-f with Aspiration NegaScout to a fixed depth, in the exact search and in selective search: with each switch of
//! [`Selective`] alone, and with all switches that the game uses.
//!
//! ```text
//! cargo xtask measure drivers chess positions.txt 8 60
//! ```
//!
//! Prints the nodes and leaves of MTD-f relative to the window `WINDOW:double`, with 95 % bootstrap intervals over
//! positions. Nodes include those of quiescence search.

use std::process::ExitCode;
use std::str::FromStr;

use emtee::research::Counts;
use emtee::{Algorithm, Budget, Game, Grain, OwnEvaluation, Selective, mix, player};
use emtee_games::{checkers, chess, othello};

const USAGE: &str = "usage: cargo xtask measure drivers chess|othello|checkers FILE [DEPTH] [POSITIONS] [WINDOW]";

const SWITCHES: [&str; 11] = [
    "null-move",
    "reverse-futility",
    "futility",
    "late-move-reductions",
    "late-move-pruning",
    "see-pruning",
    "forced-extensions",
    "singular-extensions",
    "internal-iterative-reduction",
    "delta-pruning",
    "probcut",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["chess", file, ref rest @ ..] => measure::<chess::Board>(file, rest, [8, 60, 8]),
        ["othello", file, ref rest @ ..] => measure::<othello::Board>(file, rest, [9, 60, 2]),
        ["checkers", file, ref rest @ ..] => measure::<checkers::Board>(file, rest, [13, 60, 8]),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn measure<G: Game + FromStr>(file: &str, rest: &[&str], defaults: [usize; 3]) -> Result<(), String> {
    if rest.len() > defaults.len() {
        return Err(USAGE.into());
    }
    let mut settings = defaults;
    for (setting, word) in settings.iter_mut().zip(rest) {
        *setting = word.parse().map_err(|_| format!("'{word}' is not a number; {USAGE}"))?;
    }
    let [depth, positions, window] = settings;
    let depth = u8::try_from(depth).ok().filter(|depth| *depth > 0).ok_or("the depth is 1 to 250")?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.split('#').next()).map(str::trim).filter(|line| !line.is_empty()).collect();
    let step = (lines.len() / positions.clamp(1, lines.len().max(1))).max(1);
    let read = |line: &&str| line.parse::<G>().map_err(|_| format!("'{line}' is not a position"));
    let boards = lines.iter().step_by(step).take(positions).map(read).collect::<Result<Vec<G>, String>>()?;
    if boards.is_empty() {
        return Err(format!("{file} has no positions"));
    }
    println!("{} positions, depth {depth}, Aspiration NegaScout with ±{window}, doubled\n", boards.len());
    println!("{:<30} {:>9}  {:>22}  {:>22}", "selective search", "nodes", "MTD-f nodes, %", "MTD-f leaves, %");
    let own = G::TUNING.selective;
    let mut rows = vec![("none".to_owned(), none(own))];
    for switch in SWITCHES {
        let one: Selective = switch.parse().map_err(|error: emtee::Error| error.to_string())?;
        rows.push((
            switch.into(),
            Selective { probcut_threshold: own.probcut_threshold, margin_unit: own.margin_unit, ..one },
        ));
    }
    rows.push(("all of the game's player".into(), own));
    for (name, selective) in rows {
        let mut ratios = Vec::new();
        let mut total = 0;
        for board in &boards {
            let mtd_f = counts(board, depth, Algorithm::MtdF, selective)?;
            let baseline: Algorithm = format!("aspiration-negascout:{window}:double")
                .parse()
                .map_err(|error: emtee::Error| error.to_string())?;
            let baseline = counts(board, depth, baseline, selective)?;
            let nodes = |counts: &Counts| (counts.nodes() + counts.quiet_nodes) as f64;
            total += baseline.nodes() + baseline.quiet_nodes;
            ratios.push([(nodes(&mtd_f) / nodes(&baseline)).ln(), (mtd_f.nbp as f64 / baseline.nbp as f64).ln()]);
        }
        println!("{name:<30} {total:>9}  {:>22}  {:>22}", percent(&ratios, 0), percent(&ratios, 1));
    }
    Ok(())
}

/// No switch, with the margins of a game.
fn none(own: Selective) -> Selective {
    Selective { probcut_threshold: own.probcut_threshold, margin_unit: own.margin_unit, ..Selective::NONE }
}

/// The counts of a search to a depth, with a table of its own.
fn counts<G: Game>(board: &G, depth: u8, algorithm: Algorithm, selective: Selective) -> Result<Counts, String> {
    let evaluator = Grain { grain: G::TUNING.grain, evaluator: OwnEvaluation };
    let builder = player(evaluator).algorithm(algorithm).selective(selective).principal_variation(false);
    let mut search = builder.build().map_err(|error| error.to_string())?;
    let found = search.think(board, Budget::depth(depth)).map_err(|error| error.to_string())?;
    Ok(found.counts)
}

/// The geometric mean of ratios with its 95 % bootstrap interval, in percent.
fn percent(ratios: &[[f64; 2]], which: usize) -> String {
    let n = ratios.len();
    let mean =
        |sample: &mut dyn Iterator<Item = usize>| sample.map(|index| ratios[index][which]).sum::<f64>() / n as f64;
    let mut seed = 0;
    let mut means: Vec<f64> = (0..2_000)
        .map(|_| {
            mean(&mut (0..n).map(|_| {
                seed += 1;
                (mix(seed) % n as u64) as usize
            }))
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let [low, high] = [means[50], means[1_949]].map(|mean| 100.0 * mean.exp());
    format!("{:.1} ({low:.1}–{high:.1})", 100.0 * mean(&mut (0..n)).exp())
}

//! Measures how well shallow searches of Othello predict deep ones: the table of ProbCut.
//!
//! ```text
//! cargo xtask measure probcut [--games DIR] [--positions N] [--depth N] [--seed N]
//! ```
//!
//! Takes N positions for each stage of the game, from a folder of WTHOR files or from self-play games. Searches each to
//! every depth up to `--depth`, and fits *deep* = slope · *shallow* + offset by least squares. Prints the rows of
//! `othello/probcut.rs`, and the standard errors of all pairs of depths.

use emtee::{Budget, Game, mix, player};
use emtee_games::othello::probcut::{BANDS, band, shallow};
use emtee_games::othello::{Board, Move, wthor};

mod options;
use options::{only, option};

/// Positions of each band, one per game.
fn positions(folder: &str, count: usize, seed: u64) -> Result<Vec<Vec<Board>>, Box<dyn std::error::Error>> {
    let mut records = Vec::new();
    if !folder.is_empty() {
        let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        files.sort_by_key(std::fs::DirEntry::path);
        for file in files.iter().filter(|file| file.path().extension().is_some_and(|ending| ending == "wtb")) {
            records.extend(wthor::read(&std::fs::read(file.path())?)?);
        }
        if records.is_empty() {
            return Err(format!("there are no games in {folder}").into());
        }
    }
    let mut taken = vec![Vec::new(); BANDS];
    let mut number = seed;
    while taken.iter().any(|band| band.len() < count) {
        number += 1;
        let boards = match records.len() {
            0 => self_play_game(number),
            games => match records[(mix(number) % games as u64) as usize].replay() {
                Ok(line) => line.into_iter().map(|(board, _)| board).collect(),
                Err(_) => continue,
            },
        };
        let board = boards[(mix(number ^ 0x5eed) % boards.len() as u64) as usize];
        let band = &mut taken[band(board.empties())];
        if band.len() < count && emtee::legal_moves(&board).len() > 1 && board.empties() > 10 {
            band.push(board);
        }
    }
    Ok(taken)
}

/// A self-play game: eight random moves, then shallow searches.
fn self_play_game(number: u64) -> Vec<Board> {
    let mut search =
        player(Board::evaluate).principal_variation(false).hash("1MB").build().expect("the options fit together");
    let mut boards = vec![Board::default()];
    while let Some(board) = boards.last().copied().filter(|board| !board.is_over()) {
        let moves = emtee::legal_moves(&board);
        let random = moves[(mix(number * 64 + boards.len() as u64) % moves.len() as u64) as usize];
        let m = if boards.len() <= 8 {
            random
        } else {
            let found = search.think(&board, Budget::depth(3)).expect("evaluations are in range");
            found.best_move.unwrap_or(Move::PASS)
        };
        boards.push(board.play(m));
    }
    boards
}

/// Linear regression: slope, offset and the standard deviation of the residuals.
fn fit(pairs: &[(f64, f64)]) -> [f64; 3] {
    let n = pairs.len() as f64;
    let (mx, my) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let sxx: f64 = pairs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let sxy: f64 = pairs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let slope = sxy / sxx.max(1e-9);
    let offset = my - slope * mx;
    let residuals: f64 = pairs.iter().map(|p| (p.1 - slope * p.0 - offset).powi(2)).sum();
    [slope, offset, (residuals / (n - 2.0).max(1.0)).sqrt()]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    only(&["--games", "--positions", "--depth", "--seed"]);
    let (count, depth, seed): (usize, u8, u64) =
        (option("--positions", 100), option("--depth", 8), option("--seed", 1));
    let folder: String = option("--games", String::new());
    // The value of each position at depths 1, 2, …
    let mut values: Vec<Vec<Vec<f64>>> = Vec::new();
    for (band, boards) in positions(&folder, count, seed)?.iter().enumerate() {
        eprintln!("band {band}: {} positions", boards.len());
        let mut search = player(Board::evaluate).principal_variation(false).hash("64MB").build()?;
        let mut rows = Vec::new();
        for board in boards {
            let found = search.think(board, Budget::depth(depth))?;
            rows.push(found.iterations.iter().filter_map(|i| i.value).map(|v| f64::from(v.get())).collect());
        }
        values.push(rows);
    }
    let pairs = |rows: &[Vec<f64>], shallow: usize, deep: usize| -> Vec<(f64, f64)> {
        // Exclude games that are almost decided.
        let undecided = rows.iter().filter(|row| row.len() >= deep && row[shallow - 1].abs() < 50.0);
        undecided.map(|row| (row[shallow - 1], row[deep - 1])).collect()
    };
    println!("// slope in thousandths, offset and sigma in hundredths of a disc, by stage");
    for deep in 3..=depth {
        let from = shallow(deep);
        let cells: Vec<String> = values
            .iter()
            .map(|rows| {
                let [slope, offset, sigma] = fit(&pairs(rows, from.into(), deep.into()));
                format!("({:.0}, {:.0}, {:.0})", slope * 1000.0, offset * 100.0, sigma * 100.0)
            })
            .collect();
        println!("    [{}], // {deep} from {from}", cells.join(", "));
    }
    println!("// standard errors of deep (down) from shallow (across), all stages");
    let all: Vec<Vec<f64>> = values.concat();
    for deep in 2..=usize::from(depth) {
        let errors: Vec<String> =
            (1..deep).map(|shallow| format!("{:5.2}", fit(&pairs(&all, shallow, deep))[2])).collect();
        println!("// {deep:>2}: {}", errors.join(" "));
    }
    Ok(())
}

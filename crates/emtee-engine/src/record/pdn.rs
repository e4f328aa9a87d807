//! PDN, for checkers.

use emtee::{Game, Side};
use emtee_games::checkers::{Board, PdnGame, PdnResult, read_pdn};

use super::{GameResult, Record, custom_start, first_moves};

pub(super) fn write(record: &Record) -> Option<String> {
    let start: Board = record.start()?;
    let mut board = start;
    let mut moves = Vec::new();
    for text in &record.moves {
        let m = board.parse_move(text).ok()?;
        board = board.play(m);
        moves.push(m);
    }
    let result = match record.result {
        GameResult::Unfinished => PdnResult::Unknown,
        GameResult::Drawn => PdnResult::Drawn,
        GameResult::Won(Side::First, _) => PdnResult::OneZero,
        GameResult::Won(Side::Second, _) => PdnResult::ZeroOne,
    };
    let mut tags = record.all_tags("Black", "White");
    tags.push(("GameType".into(), "21".into()));
    Some(format!("{}\n", PdnGame { tags, start, moves, comments: Vec::new(), result }))
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let games = read_pdn(text).map_err(|error| error.to_string())?;
    let game = games.into_iter().next().ok_or("it contains no game")?;
    let result = match game.result {
        PdnResult::Unknown => GameResult::Unfinished,
        PdnResult::Drawn => GameResult::Drawn,
        PdnResult::OneZero => GameResult::Won(Side::First, None),
        PdnResult::ZeroOne => GameResult::Won(Side::Second, None),
    };
    let moves = game.moves.iter().map(ToString::to_string).collect();
    let record = Record { position: custom_start(&game.start), moves, result, ..Record::default() };
    Ok(record.with_tags(game.tags, "Black", "White"))
}

pub(super) fn each_line(bytes: &[u8], most: usize, shown: &mut dyn FnMut(Vec<String>)) -> Result<usize, String> {
    let games = read_pdn(&String::from_utf8_lossy(bytes)).map_err(|error| error.to_string())?;
    for game in games.into_iter().filter(|game| custom_start(&game.start).is_none()) {
        shown(first_moves(game.moves, most));
    }
    Ok(0)
}

//! PGN, for chess.

use emtee::{Game, Side};
use emtee_games::chess::Board;
use emtee_games::chess::pgn::{self, PgnGame};

use super::{GameResult, Record, custom_start, first_moves};

pub(super) fn write(record: &Record) -> Option<String> {
    let start: Board = record.start()?;
    let mut board = start.clone();
    let mut moves = Vec::new();
    for text in &record.moves {
        let m = board.read_move(text).ok()?;
        board = board.play(m);
        moves.push(m);
    }
    let result = match record.result {
        GameResult::Unfinished => pgn::Result::Unknown,
        GameResult::Drawn => pgn::Result::Drawn,
        GameResult::Won(Side::First, _) => pgn::Result::WhiteWon,
        GameResult::Won(Side::Second, _) => pgn::Result::BlackWon,
    };
    let tags = record.all_tags("White", "Black");
    Some(format!("{}\n", PgnGame { tags, start, moves, result }))
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let game = pgn::games(text).next().ok_or("it contains no game")?.map_err(|error| error.to_string())?;
    let result = match game.result {
        pgn::Result::Unknown => GameResult::Unfinished,
        pgn::Result::Drawn => GameResult::Drawn,
        pgn::Result::WhiteWon => GameResult::Won(Side::First, None),
        pgn::Result::BlackWon => GameResult::Won(Side::Second, None),
    };
    let moves = game.moves.iter().map(ToString::to_string).collect();
    let record = Record { position: custom_start(&game.start), moves, result, ..Record::default() };
    Ok(record.with_tags(game.tags, "White", "Black"))
}

pub(super) fn each_line(bytes: &[u8], most: usize, shown: &mut dyn FnMut(Vec<String>)) -> Result<usize, String> {
    let mut unread = 0;
    for game in pgn::games(&String::from_utf8_lossy(bytes)) {
        match game {
            Ok(game) if custom_start(&game.start).is_none() => shown(first_moves(game.moves, most)),
            Ok(_) => {}
            Err(_) => unread += 1,
        }
    }
    Ok(unread)
}

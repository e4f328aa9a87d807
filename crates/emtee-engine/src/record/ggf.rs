//! GGF, for Othello.

use emtee::Side;
use emtee_games::othello::{Board, Ggf, GgfMove, Move, notation, wthor};

use super::{GameResult, Record, custom_start, first_moves};

pub(super) fn write(record: &Record) -> Option<String> {
    let start: Board = record.start()?;
    let mut board = start;
    let mut moves = Vec::new();
    for text in &record.moves {
        let m: Move = text.parse().ok()?;
        board = board.play_legal(m)?;
        moves.push(GgfMove { m, notes: String::new() });
    }
    let result = match record.result {
        GameResult::Unfinished => String::from("?"),
        GameResult::Drawn => String::from("0.00"),
        GameResult::Won(_, Some(points)) => format!("{points:+}.00"),
        // Resigned, or not decided on the board.
        GameResult::Won(Side::First, None) => String::from("+64.00:r"),
        GameResult::Won(Side::Second, None) => String::from("-64.00:r"),
    };
    let [black, white] = record.names.clone();
    let place = record.tags.iter().find(|(name, _)| name == "Event");
    let others = place.map(|(_, text)| ("PC".to_owned(), text.clone())).into_iter().collect();
    Some(format!("{}\n\n", Ggf { black, white, result, others, start, moves }))
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let game: Ggf = text.parse().map_err(|error: notation::Error| error.to_string())?;
    let moves = game.moves.iter().map(|played| played.m.to_string()).collect();
    let points = game.result.split(':').next().and_then(|points| points.trim().parse::<f64>().ok());
    let result = match points {
        None => GameResult::Unfinished,
        Some(0.0) => GameResult::Drawn,
        Some(points) => {
            let side = if points > 0.0 { Side::First } else { Side::Second };
            GameResult::Won(side, (!game.result.contains(':')).then_some(points as i32))
        }
    };
    let names = [game.black, game.white];
    Ok(Record { names, position: custom_start(&game.start), moves, result, tags: Vec::new() })
}

/// Reads a collection in GGF, or a WTHOR file.
pub(super) fn each_line(bytes: &[u8], most: usize, shown: &mut dyn FnMut(Vec<String>)) -> Result<usize, String> {
    let mut unread = 0;
    if !bytes.trim_ascii_start().starts_with(b"(;") {
        for game in wthor::read(bytes).map_err(|error| error.to_string())? {
            match game.replay() {
                Ok(line) => shown(first_moves(line.into_iter().filter_map(|(_, m)| m), most)),
                Err(_) => unread += 1,
            }
        }
        return Ok(unread);
    }
    for game in String::from_utf8_lossy(bytes).split("(;").skip(1) {
        match format!("(;{game}").parse::<Ggf>() {
            Ok(game) if custom_start(&game.start).is_none() => {
                shown(first_moves(game.moves.into_iter().map(|played| played.m), most));
            }
            Ok(_) => {}
            Err(_) => unread += 1,
        }
    }
    Ok(unread)
}

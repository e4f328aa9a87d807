//! A Hub 2 client for checkers programs.

use std::time::Instant;

use emtee::{Game, Side, Value, legal_moves};
use emtee_games::checkers::{Board, Move, Square};

use super::Client;
use super::process::Process;
use crate::arena::{GameSoFar, Limits, PlayerError, Reply};

#[derive(Default)]
pub(crate) struct Hub;

impl Client for Hub {
    fn handshake(
        &mut self,
        engine: &mut Process,
        options: &[(String, String)],
        until: Instant,
    ) -> Result<(), PlayerError> {
        engine.send("hub")?;
        let mut known = Vec::new();
        engine.wait(until, |line| {
            if line.split_whitespace().next() == Some("param") {
                known.extend(value_of(line, "name").map(|name| (name, line.to_owned())));
            }
            (line == "wait").then_some(())
        })?;
        // Programs for several draughts variants need to know the variant.
        if known.iter().any(|(name, line)| name == "variant" && line.contains("english")) {
            engine.send("set-param name=variant value=english")?;
        }
        for (name, value) in options {
            if !known.iter().any(|(known, _)| known == name) {
                let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
                return Err(PlayerError::no_option(name, &names));
            }
            engine.send(&format!("set-param name={name} value={}", quoted(value)))?;
        }
        engine.send("init")?;
        engine.wait(until, |line| (line == "ready").then_some(()))
    }

    fn new_game(&mut self, engine: &mut Process, _: Instant) -> Result<(), PlayerError> {
        engine.send("new-game")
    }

    fn choose(
        &mut self,
        engine: &mut Process,
        game: &GameSoFar<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, PlayerError> {
        let mut board = read_board(&game.start.text())?;
        let mut text = format!("pos pos={}", position(&board));
        let mut written = Vec::new();
        for m in game.moves {
            let m = board.parse_move(m).map_err(|error| PlayerError::Failed(error.to_string()))?;
            written.push(hub_move(&board, m));
            board = board.play(m);
        }
        if !written.is_empty() {
            text += &format!(" moves=\"{}\"", written.join(" "));
        }
        engine.send(&text)?;
        engine.send(&level(limits, board.turn()))?;
        engine.send("go think")?;
        let mut reply = Reply::default();
        let m = engine.wait(until, |line| match line.split_whitespace().next() {
            Some("info") => {
                reply.depth = value_of(line, "depth").and_then(|n| n.parse().ok()).or(reply.depth);
                reply.nodes = value_of(line, "nodes").and_then(|n| n.parse().ok()).or(reply.nodes);
                reply.value = value_of(line, "score").and_then(|n| n.parse().ok()).map(hundredths).or(reply.value);
                None
            }
            Some("done") => Some(value_of(line, "move").unwrap_or_default()),
            _ => None,
        })?;
        // The answer may be in Hub's notation or in the usual one.
        let legal = legal_moves(&board);
        let same = |a: &str, b: &str| squares(a) == squares(b);
        let found = legal.iter().find(|&&legal| same(&hub_move(&board, legal), &m));
        Ok(Reply { m: found.map_or(m, |found| found.to_string()), ..reply })
    }
}

/// Translates a score in men into hundredths of a man.
fn hundredths(men: f64) -> i32 {
    let most = f64::from(Value::MAX_SCORE);
    (men * 100.0).clamp(-most, most) as i32
}

fn read_board(text: &str) -> Result<Board, PlayerError> {
    text.parse().map_err(|error| PlayerError::Failed(format!("Hub is for checkers: {error}")))
}

/// The side to move, then one letter per square.
fn position(board: &Board) -> String {
    let letter = |side: Side, king: bool| match (side, king) {
        (Side::First, false) => 'b',
        (Side::First, true) => 'B',
        (Side::Second, false) => 'w',
        (Side::Second, true) => 'W',
    };
    let squares = all_squares().map(|square| board.piece(square).map_or('e', |piece| letter(piece.side, piece.king)));
    std::iter::once(letter(board.turn(), true)).chain(squares).collect()
}

fn all_squares() -> impl Iterator<Item = Square> {
    (1..=32).filter_map(Square::new)
}

/// From, to, and every captured square.
fn hub_move(board: &Board, m: Move) -> String {
    let mark = if m.is_jump() { 'x' } else { '-' };
    let after = board.play(m);
    let taken = all_squares().filter(|&square| {
        board.piece(square).is_some_and(|piece| piece.side != board.turn()) && after.piece(square).is_none()
    });
    taken.fold(format!("{}{mark}{}", m.from(), m.to()), |text, square| format!("{text}x{square}"))
}

/// From, to, and the captured squares in ascending order.
fn squares(m: &str) -> Vec<u8> {
    let mut squares: Vec<u8> = m.split(['-', 'x']).filter_map(|square| square.parse().ok()).collect();
    if let Some(captured) = squares.get_mut(2..) {
        captured.sort_unstable();
    }
    squares
}

fn level(limits: &Limits, turn: Side) -> String {
    let mut text = String::from("level");
    if let Some(clocks) = &limits.clocks {
        let left = clocks.left[turn.index()].as_secs_f64();
        text += &format!(" time={left:.3} inc={:.3}", clocks.increment.as_secs_f64());
    }
    if let Some(time) = limits.move_time {
        text += &format!(" move-time={:.3}", time.as_secs_f64());
    }
    if let Some(depth) = limits.depth {
        text += &format!(" depth={depth}");
    }
    if let Some(nodes) = limits.nodes {
        text += &format!(" nodes={nodes}");
    }
    if text == "level" { String::from("level infinite") } else { text }
}

/// The value of a key in `command key=value key="some words"`.
fn value_of(line: &str, key: &str) -> Option<String> {
    let start = line.find(&format!(" {key}="))? + key.len() + 2;
    let rest = &line[start..];
    match rest.strip_prefix('"') {
        Some(rest) => rest.split('"').next().map(str::to_owned),
        None => rest.split_whitespace().next().map(str::to_owned),
    }
}

fn quoted(value: &str) -> String {
    if value.is_empty() || value.contains(' ') { format!("\"{value}\"") } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn positions_and_moves_use_hub_notation() {
        let start = Board::default();
        assert_eq!(position(&start), format!("B{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12)));
        assert_eq!(hub_move(&start, start.parse_move("11-15").unwrap()), "11-15");
        // Two jumps: over 18 and over 26.
        let board: Board = "B:W18,26:B14".parse().unwrap();
        let jump = legal_moves(&board)[0];
        assert_eq!(hub_move(&board, jump), "14x30x18x26");
        assert_eq!(squares("14x30x26x18"), squares("14x30x18x26"));
    }

    #[test]
    fn lines_are_read() {
        let line = "info depth=12 score=-0.53 pv=\"11-15 22-18\" nodes=100";
        assert_eq!(value_of(line, "depth").as_deref(), Some("12"));
        assert_eq!(value_of(line, "pv").as_deref(), Some("11-15 22-18"));
        assert_eq!(value_of(line, "time"), None);
        assert_eq!(hundredths(-0.53), -53);
    }

    #[test]
    fn limits_are_sent_in_seconds() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), depth: Some(9), ..Limits::default() };
        assert_eq!(level(&limits, Side::First), "level move-time=0.100 depth=9");
        assert_eq!(level(&Limits::default(), Side::First), "level infinite");
    }
}

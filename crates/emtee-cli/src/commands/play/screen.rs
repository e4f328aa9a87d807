//! The display of a game: the board, an evaluation bar, clocks.

use std::time::Duration;

use emtee::Value;
use emtee::research::Kind;
use emtee_engine::Position;
use emtee_games::drawing::Drawing;

use crate::output::{FAINT, Output, counted};
use crate::paint;

/// The board as several lines of text.
pub(super) fn board(position: &dyn Position, flipped: bool, output: &Output) -> String {
    let text = match position.drawing() {
        Some(drawing) if output.colours() => paint::paint(&if flipped { rotated(drawing) } else { drawing }),
        // Plain boards come from the game, in its usual orientation.
        _ => position.plain_drawing(),
    };
    let text = text.trim_end();
    // After the end no side is to move.
    let is_over = || position.ending().is_some();
    match text.rsplit_once('\n') {
        Some((board, caption)) if caption.contains("to move") && is_over() => board.trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

/// The board rotated by 180 degrees, as the other side sees it.
fn rotated(mut drawing: Drawing) -> Drawing {
    drawing.rows.reverse();
    for row in &mut drawing.rows {
        row.cells.reverse();
        row.names.reverse();
    }
    drawing.columns.reverse();
    drawing.columns.iter_mut().for_each(|names| names.reverse());
    drawing
}

/// The length of the bar.
const WIDTH: usize = 24;

/// An evaluation bar. `value` is from the first side's view; a clear lead fills half of the half beyond the middle.
pub(super) fn bar(value: i32, clear_lead: i32, names: &[String; 2]) -> String {
    let share = match Value::from_integer(value).map(Value::kind) {
        Some(Kind::Win { .. }) => 1.0,
        Some(Kind::Loss { .. }) => 0.0,
        _ => {
            let lead = f64::from(value) / (f64::from(value.abs()) + f64::from(clear_lead.max(1)));
            0.5 + lead / 2.0
        }
    };
    let filled = (share * WIDTH as f64).round() as usize;
    let (full, empty) = ("█".repeat(filled), "░".repeat(WIDTH - filled));
    format!("{FAINT}{}{FAINT:#} {full}{empty} {FAINT}{}{FAINT:#}", names[0], names[1])
}

/// A value from the first side's view in words: which side is ahead and by how much, or which side wins in how many plies.
pub(super) fn value_text(value: i32, names: &[String; 2]) -> String {
    let [first, second] = names;
    match Value::from_integer(value).map(Value::kind) {
        Some(Kind::Win { plies }) => format!("{first} wins in {}", counted(plies.into(), "ply", "plies")),
        Some(Kind::Loss { plies }) => format!("{second} wins in {}", counted(plies.into(), "ply", "plies")),
        _ if value == 0 => String::from("even"),
        _ => format!("+{} for {}", value.abs(), if value > 0 { first } else { second }),
    }
}

/// The value after the best move has been played: a win or a loss is one ply nearer.
pub(super) fn one_ply_later(value: i32) -> i32 {
    match Value::from_integer(value).map(Value::kind) {
        Some(Kind::Win { plies }) => Value::win_in(plies.saturating_sub(1)).get(),
        Some(Kind::Loss { plies }) => Value::loss_in(plies.saturating_sub(1)).get(),
        _ => value,
    }
}

/// The time left as 4:05, or 9.3 s below 20 seconds.
pub(super) fn clock(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 20.. => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{:.1} s", left.as_secs_f64()),
    }
}

/// The names of the sides, from the captions of the board if it has them.
pub(super) fn side_names(start: &dyn Position) -> [String; 2] {
    let mut names = [String::from("First"), String::from("Second")];
    let mut read = |position: &dyn Position| {
        if let Some(drawing) = position.drawing() {
            let name = drawing.caption.split(" to move").next().unwrap_or_default();
            let name = name.split(" (").next().unwrap_or_default().trim();
            if !name.is_empty() && name.chars().count() <= 12 {
                names[position.turn().index()] = name.to_owned();
            }
        }
    };
    read(start);
    let after = start.moves().iter().filter_map(|m| start.after(m).ok()).find(|after| after.turn() != start.turn());
    if let Some(after) = after {
        read(after.as_ref());
    }
    names
}

#[cfg(test)]
mod tests {
    use emtee_engine::Registry;

    use super::*;

    #[test]
    fn sides_are_named_as_on_the_board() {
        let registry = Registry::standard();
        let names = |game: &str| side_names(registry.get(game).unwrap().start().as_ref()).join(" ");
        assert_eq!(
            ["chess", "checkers", "othello", "connect4", "kalah"].map(names),
            ["White Black", "Black White", "Black White", "X O", "South North"]
        );
    }

    #[test]
    fn the_bar_is_full_when_the_game_is_won() {
        let plain = |value| anstream::adapter::strip_str(&bar(value, 100, &["A".into(), "B".into()])).to_string();
        assert_eq!(plain(Value::win_in(5).get()), format!("A {} B", "█".repeat(24)));
        assert_eq!(plain(Value::loss_in(2).get()), format!("A {} B", "░".repeat(24)));
        assert_eq!(plain(0), format!("A {}{} B", "█".repeat(12), "░".repeat(12)));
        assert_eq!(plain(100), format!("A {}{} B", "█".repeat(18), "░".repeat(6)));
    }

    #[test]
    fn rotating_twice_restores_the_board() {
        let registry = Registry::standard();
        for game in registry.iter() {
            let drawing = game.start().drawing().unwrap();
            assert_eq!(rotated(rotated(drawing.clone())), drawing);
        }
        let chess = rotated(registry.get("chess").unwrap().start().drawing().unwrap());
        assert_eq!((chess.rows[0].names[0].as_str(), chess.columns[0][0].as_str()), ("1", "h"));
    }

    #[test]
    fn values_name_the_side_ahead() {
        let names = ["White".into(), "Black".into()];
        let text = |value: i32| value_text(value, &names);
        assert_eq!([35, -35, 0].map(text), ["+35 for White", "+35 for Black", "even"]);
        assert_eq!(text(Value::win_in(5).get()), "White wins in 5 plies");
        assert_eq!(text(Value::loss_in(2).get()), "Black wins in 2 plies");
        assert_eq!(text(one_ply_later(Value::win_in(2).get())), "White wins in 1 ply");
        assert_eq!((one_ply_later(Value::loss_in(3).get()), one_ply_later(-7)), (Value::loss_in(2).get(), -7));
    }

    #[test]
    fn clocks_are_formatted() {
        assert_eq!(clock(Duration::from_secs(245)), "4:05");
        assert_eq!(clock(Duration::from_millis(9_310)), "9.3 s");
    }
}

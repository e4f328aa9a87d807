//! Aspiration: a window around a guess, and a wider one if the guess was wrong.

use crate::error::named;
use crate::limits::Answer;
use crate::value::{Bounds, Value, Window};

/// What follows a window that the value lies outside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Widen {
    /// All that is left on that side.
    #[default]
    Open,
    /// As much again, then twice that, and so on.
    Double,
}

named!(Widen, "re-search rule", "open or double", Open: "open", Double: "double");

/// Searches the window (guess − width, guess + width), and if the value lies outside, what is left on that side, all at once or
/// in growing steps. `f` is what is known already.
pub(crate) fn aspiration(
    guess: Value,
    width: i32,
    widen: Widen,
    mut f: Bounds,
    mut search: impl FnMut(Window) -> Answer,
) -> Answer {
    let guess = guess.clamp(f.lower, f.upper);
    let mut window = Window::new((guess - width).max(f.lower - 1), (guess + width).min(f.upper + 1));
    let mut reach = if widen == Widen::Open { i32::MAX / 2 } else { width };
    loop {
        let g = search(window)?;
        if g < window.low && window.alpha() >= f.lower {
            f.upper = g;
            window = Window::new((g - reach).max(f.lower - 1), g + 1);
        } else if g > window.high && window.beta() <= f.upper {
            f.lower = g;
            window = Window::new(g - 1, (g + reach).min(f.upper + 1));
        } else {
            return Ok(g);
        }
        reach = reach.saturating_mul(2);
    }
}

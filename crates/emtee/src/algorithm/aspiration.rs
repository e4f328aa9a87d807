//! Aspiration: a window around a guess, and a wider one if the guess was wrong.

use crate::limits::Answer;
use crate::value::{Bounds, Value, Window};

/// Searches the window (guess − width, guess + width), and if the value lies outside, what is left on that side. `f` is
/// what is known already.
pub(crate) fn aspiration(guess: Value, width: i32, mut f: Bounds, mut search: impl FnMut(Window) -> Answer) -> Answer {
    let guess = guess.clamp(f.lower, f.upper);
    let mut window = Window::new((guess - width).max(f.lower - 1), (guess + width).min(f.upper + 1));
    loop {
        let g = search(window)?;
        if g < window.low && window.alpha() >= f.lower {
            f.upper = g;
            window = Window::new(f.lower - 1, g + 1);
        } else if g > window.high && window.beta() <= f.upper {
            f.lower = g;
            window = Window::new(g - 1, f.upper + 1);
        } else {
            return Ok(g);
        }
    }
}

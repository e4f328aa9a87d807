//! The aspiration window: a window around a guess, and a re-search with a wider one if the value lies outside.

use crate::error::named;
use crate::limits::Answer;
use crate::value::{Bounds, Value, Window};

/// How far the window is widened for the re-search after it fails high or low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Widen {
    /// To the end of the range on that side.
    #[default]
    Open,
    /// By the width of the window, then by twice that, and so on.
    Double,
    /// By the width of the window, then by a third more each time, as in current chess programs: after a fail low β moves to
    /// the middle of the window, and after a fail high α stays.
    Grow,
}

named!(Widen, "re-search rule", "open, double or grow", Open: "open", Double: "double", Grow: "grow");

/// Searches the window (guess − width, guess + width). If the value lies outside, re-searches that side as `widen` says, until
/// the value lies inside. `f` holds the bounds known before.
///
/// [`Widen::Grow`] does not use the bounds that the failures prove, since programs that search selectively cannot.
pub(crate) fn aspiration(
    guess: Value,
    width: i32,
    widen: Widen,
    mut f: Bounds,
    mut search: impl FnMut(Window) -> Answer,
) -> Answer {
    let guess = guess.clamp(f.lower, f.upper);
    let mut window = Window::new((guess - width).max(f.lower - 1), (guess + width).min(f.upper + 1));
    let mut step = if widen == Widen::Open { i32::MAX / 2 } else { width };
    loop {
        let g = search(window)?;
        let (alpha, beta) = (window.alpha(), window.beta());
        let (low, high) = (g < window.low && alpha >= f.lower, g > window.high && beta <= f.upper);
        window = match widen {
            _ if !low && !high => return Ok(g),
            Widen::Grow if low => {
                let middle = alpha + ((beta.get() - alpha.get()) / 2).max(1);
                Window::new((g - step).max(f.lower - 1), middle)
            }
            Widen::Grow => Window::new(alpha, (g + step).min(f.upper + 1)),
            _ if low => {
                f.upper = g;
                Window::new((g - step).max(f.lower - 1), g + 1)
            }
            _ => {
                f.lower = g;
                Window::new(g - 1, (g + step).min(f.upper + 1))
            }
        };
        step = match widen {
            Widen::Grow => step + (step / 3).max(1),
            _ => step.saturating_mul(2),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The windows searched until `value` is found, by a search that fails by one point.
    fn windows(guess: i32, width: i32, widen: Widen, f: (i32, i32), value: i32) -> Vec<(i32, i32)> {
        let score = |points| Value::score(points).unwrap();
        let mut searched = Vec::new();
        let f = Bounds { lower: score(f.0), upper: score(f.1) };
        let found = aspiration(score(guess), width, widen, f, |window| {
            searched.push((window.alpha().get(), window.beta().get()));
            Ok(score(value).clamp(window.alpha(), window.beta()))
        });
        assert_eq!(found, Ok(score(value)));
        searched
    }

    #[test]
    fn a_window_opens_or_doubles_and_stays_within_the_known_bounds() {
        let known = (-100, 100);
        assert_eq!(windows(5, 4, Widen::Open, known, 7), [(1, 9)]);
        assert_eq!(windows(5, 4, Widen::Open, known, 60), [(1, 9), (8, 101)]);
        assert_eq!(windows(5, 4, Widen::Open, known, -60), [(1, 9), (-101, 2)]);
        assert_eq!(windows(5, 4, Widen::Double, known, 60), [(1, 9), (8, 13), (12, 21), (20, 37), (36, 69)]);
        assert_eq!(windows(5, 4, Widen::Double, known, -20), [(1, 9), (-3, 2), (-11, -2), (-27, -10)]);
        assert_eq!(windows(5, 200, Widen::Open, (0, 10), 10), [(-1, 11)]);
        assert_eq!(windows(50, 4, Widen::Double, (0, 10), 0), [(6, 11), (2, 7), (-1, 3)]);
    }

    #[test]
    fn a_growing_window_grows_by_a_third() {
        let known = (-100, 100);
        assert_eq!(windows(5, 4, Widen::Grow, known, 7), [(1, 9)]);
        // A fail high keeps α: 9 + 4, 13 + 5, 18 + 6, 24 + 8.
        assert_eq!(windows(5, 4, Widen::Grow, known, 30), [(1, 9), (1, 13), (1, 18), (1, 24), (1, 32)]);
        // A fail low moves β to the middle.
        assert_eq!(windows(5, 4, Widen::Grow, known, -10), [(1, 9), (-3, 5), (-8, 1), (-14, -4)]);
        assert_eq!(windows(5, 1, Widen::Grow, (0, 10), 0), [(4, 6), (3, 5), (1, 4), (-1, 2)]);
        assert_eq!(windows(5, 200, Widen::Grow, (0, 10), 10), [(-1, 11)]);
    }

    /// Whatever the guess and the width, every rule ends with the value.
    #[test]
    fn every_rule_finds_every_value() {
        for widen in [Widen::Open, Widen::Double, Widen::Grow] {
            for (guess, width) in [(-30, 1), (0, 1), (0, 5), (12, 3), (40, 64)] {
                for value in -40..=40 {
                    assert!(
                        windows(guess, width, widen, (-40, 40), value).len() <= 20,
                        "{widen} {guess} {width} {value}"
                    );
                }
            }
        }
    }
}

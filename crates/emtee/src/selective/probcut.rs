//! ProbCut: a shallow search predicts the result of a deep one (M. Buro, 1995).

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::node::{Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::Sharing;
use crate::value::{Gamma, Value, Window};

/// A prediction of a deep search's value from a shallow one's: *deep* = slope · *shallow* + offset, with an error of standard
/// deviation sigma. A game gives the numbers that were measured with its evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProbCut {
    /// The depth of the shallow search.
    pub depth: u8,
    /// The slope, in thousandths.
    pub slope: i32,
    /// The offset, in hundredths of a point.
    pub offset: i32,
    /// The standard deviation of the error, in hundredths of a point.
    pub sigma: i32,
}

impl ProbCut {
    /// The least value of the shallow search that predicts a deep value above γ by `threshold` hundredths of sigma.
    fn high(&self, gamma: Gamma, threshold: i32) -> i32 {
        let needed = 100 * i64::from(gamma.bound().get()) + self.error(threshold) - i64::from(self.offset);
        saturated(-(-10 * needed).div_euclid(self.divisor()))
    }

    /// The greatest value of the shallow search that predicts a deep value below γ, by the same margin.
    fn low(&self, gamma: Gamma, threshold: i32) -> i32 {
        let needed = 100 * (i64::from(gamma.bound().get()) - 1) - self.error(threshold) - i64::from(self.offset);
        saturated((10 * needed).div_euclid(self.divisor()))
    }

    fn error(&self, threshold: i32) -> i64 {
        i64::from(threshold) * i64::from(self.sigma) / 100
    }

    fn divisor(&self) -> i64 {
        i64::from(self.slope.max(1))
    }
}

/// A game may give any numbers; a value outside `i32` is never a score.
fn saturated(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// ProbCut: cuts off if a shallow search predicts on which side of γ the value lies. Only the side of the static
    /// evaluation is tested.
    #[inline]
    pub(super) fn probcut<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        static_value: Value,
    ) -> Result<Option<Value>, Stopped> {
        let gamma = node.window.low;
        let Some(by) = n.position.probcut(node.depth).filter(|by| by.depth < node.depth) else { return Ok(None) };
        let threshold = self.setup.selective.probcut_threshold;
        let expected_high = static_value > gamma;
        let bound = if expected_high { by.high(gamma, threshold) } else { by.low(gamma, threshold) };
        let Some(bound) = Value::score(bound) else { return Ok(None) };
        let shallow_gamma = if expected_high { Gamma::below(bound) } else { Gamma::above(bound) };
        let shallow = self.search_selectively::<S>(n, by.depth, node.ply, Window::null(shallow_gamma))?;
        if (shallow > shallow_gamma) != expected_high {
            return Ok(None);
        }
        node.by_path = self.take_by_path();
        self.own.estimated = true;
        let g = if expected_high { gamma.bound() } else { gamma.bound() - 1 };
        Ok(Some(self.finish_selectively(n, *node, g, End::Evaluated)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_clear_of_gamma() {
        let gamma = Gamma::below(Value::score(10).unwrap_or_default());
        let plain = ProbCut { depth: 1, slope: 1000, offset: 0, sigma: 200 };
        assert_eq!((plain.high(gamma, 0), plain.low(gamma, 0)), (10, 9));
        assert_eq!((plain.high(gamma, 150), plain.low(gamma, 150)), (13, 6));
        assert_eq!((plain.high(-gamma, 150), plain.low(-gamma, 150)), (-6, -13));
        let steep = ProbCut { slope: 2000, offset: 100, ..plain };
        assert_eq!((steep.high(gamma, 100), steep.low(gamma, 100)), (6, 3));
        let extreme = ProbCut { depth: 1, slope: i32::MIN, offset: i32::MIN, sigma: i32::MAX };
        assert_eq!((extreme.high(gamma, i32::MAX), extreme.low(gamma, i32::MAX)), (i32::MAX, i32::MIN));
    }
}

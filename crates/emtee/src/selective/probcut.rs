//! ProbCut: what a shallow search predicts is not searched deeply (M. Buro, 1995).

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::node::{Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::Sharing;
use crate::value::{Gamma, Value, Window};

/// How the value of a deep search follows from that of a shallow one: *deep* = slope · *shallow* + offset, but for an error
/// with this standard deviation. Measured, by a game that knows its own evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    /// The depth of the shallow search.
    pub depth: u8,
    /// In thousandths.
    pub slope: i32,
    /// In hundredths of a point.
    pub offset: i32,
    /// In hundredths of a point.
    pub sigma: i32,
}

impl ProbCut {
    /// The least value of the shallow search from which the deep one is expected above γ, `confidence` hundredths of sigma
    /// clear.
    fn high(&self, gamma: Gamma, confidence: i32) -> i32 {
        let needed = 100 * i64::from(gamma.bound().get()) + self.error(confidence) - i64::from(self.offset);
        saturated(-(-10 * needed).div_euclid(self.divisor()))
    }

    /// The greatest value of the shallow search from which the deep one is expected below γ.
    fn low(&self, gamma: Gamma, confidence: i32) -> i32 {
        let needed = 100 * (i64::from(gamma.bound().get()) - 1) - self.error(confidence) - i64::from(self.offset);
        saturated((10 * needed).div_euclid(self.divisor()))
    }

    fn error(&self, confidence: i32) -> i64 {
        i64::from(confidence) * i64::from(self.sigma) / 100
    }

    fn divisor(&self) -> i64 {
        i64::from(self.slope.max(1))
    }
}

/// A game's numbers may be any; a value outside `i32` is no score either way.
fn saturated(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// ProbCut: the answer to γ, if a shallow search predicts it. It is asked on the side of γ that the evaluation is on.
    #[inline]
    pub(super) fn probcut<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        estimate: Value,
    ) -> Result<Option<Value>, Stopped> {
        let gamma = node.window.low;
        let Some(by) = n.position.probcut(node.depth).filter(|by| by.depth < node.depth) else { return Ok(None) };
        let confidence = self.setup.selective.probcut_threshold;
        let expected_high = estimate > gamma;
        let bound = if expected_high { by.high(gamma, confidence) } else { by.low(gamma, confidence) };
        let Some(bound) = Value::score(bound) else { return Ok(None) };
        let question = if expected_high { Gamma::below(bound) } else { Gamma::above(bound) };
        let shallow = self.search_selectively::<S>(n, by.depth, node.ply, Window::null(question))?;
        if (shallow > question) != expected_high {
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

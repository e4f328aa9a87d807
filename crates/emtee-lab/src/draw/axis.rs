//! Axes: scales, ranges and tick labels.

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Linear,
    Log,
    /// Logarithmic on both sides of 0, and linear between −1 and 1.
    SymmetricLog,
}

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) label: String,
    scale: Scale,
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis from the smallest to the largest value, with a margin of 6 %.
    pub(crate) fn linear(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = range(values);
        let margin = (high - low).max(1e-9) * 0.06;
        let mut axis =
            Axis { label: label.into(), scale: Scale::Linear, low: low - margin, high: high + margin, ticks: vec![] };
        let step = nice_step(axis.high - axis.low, 6.0);
        let digits = usize::from(step < 0.999) + usize::from(step < 0.099);
        let first = (axis.low / step).ceil() as i64;
        let last = (axis.high / step).floor() as i64;
        axis.ticks = (first..=last).map(|n| n as f64 * step).map(|at| (at, format!("{at:.digits$}"))).collect();
        axis
    }

    /// A linear axis with ticks at whole numbers: every value, or at most nine of them.
    pub(crate) fn whole(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let mut all: Vec<f64> = values.into_iter().collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let (low, high) = range(all.iter().copied());
        let every = all.len().div_ceil(9).max(1);
        let ticks = all.iter().rev().step_by(every).map(|at| (*at, format!("{at}"))).collect();
        let margin = (high - low).max(1.0) * 0.03;
        Axis { label: label.into(), scale: Scale::Linear, low: low - margin, high: high + margin, ticks }
    }

    /// A percentage axis that includes 100 %; logarithmic if the range is wide.
    pub(crate) fn percent(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let values: Vec<f64> = values.into_iter().chain([100.0]).collect();
        let (low, high) = range(values.iter().copied());
        if high / low.max(1e-9) < 2.2 {
            return Axis::linear(label, values);
        }
        let nice = [10.0, 20.0, 30.0, 50.0, 70.0, 80.0, 90.0, 100.0, 120.0, 150.0, 200.0, 300.0, 500.0, 700.0];
        let nice = nice.into_iter().chain((1..6).flat_map(|n| [1.0, 2.0, 5.0].map(|m| m * 100.0 * 10f64.powi(n))));
        Axis::log(label, values, nice.map(|at| (at, format!("{at}"))).collect())
    }

    /// A logarithmic axis with ticks at powers of ten.
    pub(crate) fn tens(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let values: Vec<f64> = values.into_iter().collect();
        let (low, high) = range(values.iter().copied());
        let fine = high / low.max(1e-9) < 60.0;
        let within: &[f64] = if fine { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let ticks = (-3..9)
            .flat_map(|n| within.iter().map(move |m| m * 10f64.powi(n)))
            .map(|at| (at, tick_label(at)))
            .collect();
        Axis::log(label, values, ticks)
    }

    /// A logarithmic axis with ticks at powers of two.
    pub(crate) fn twos(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let values: Vec<f64> = values.into_iter().collect();
        let bits = |value: f64| value.log2().round() as i32;
        let (low, high) = range(values.iter().copied());
        let every = ((bits(high) - bits(low)) / 5).max(1) as usize;
        let ticks = (bits(low)..=bits(high)).step_by(every).map(|n| (2f64.powi(n), format!("2^{n}"))).collect();
        Axis::log(label, values, ticks)
    }

    fn log(label: &str, values: Vec<f64>, ticks: Vec<(f64, String)>) -> Axis {
        let (low, high) = range(values.into_iter().map(|value| value.max(1e-9)));
        let margin = (high / low).powf(0.05).max(1.01);
        Axis { label: label.into(), scale: Scale::Log, low: low / margin, high: high * margin, ticks }
            .with_ticks_in_range()
    }

    /// An axis that is logarithmic on both sides of 0.
    pub(crate) fn both_sides(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = range(values);
        let ticks = [1.0, 10.0, 100.0, 1_000.0, 10_000.0];
        let below = ticks.iter().rev().map(|at| (-at, format!("−{}", tick_label(*at))));
        let ticks =
            below.chain([(0.0, String::from("0"))]).chain(ticks.iter().map(|at| (*at, tick_label(*at)))).collect();
        let (low, high) = (low.min(-1.0) * 1.15, high.max(1.0) * 1.15);
        Axis { label: label.into(), scale: Scale::SymmetricLog, low, high, ticks }.with_ticks_in_range()
    }

    /// The right half of such an axis: linear from 0 to 1, then logarithmic.
    pub(crate) fn from_zero(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (_, high) = range(values);
        let ticks = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 10_000.0];
        let ticks = ticks.iter().map(|at| (*at, tick_label(*at))).collect();
        let high = high.max(1.0) * 1.15;
        Axis { label: label.into(), scale: Scale::SymmetricLog, low: -0.05, high, ticks }.with_ticks_in_range()
    }

    fn with_ticks_in_range(mut self) -> Axis {
        let (low, high) = (self.low, self.high);
        self.ticks.retain(|(at, _)| (low..=high).contains(at));
        self
    }

    /// The position of a value on the axis, from 0 to 1.
    pub(crate) fn position(&self, value: f64) -> f64 {
        let scaled = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Log => value.max(1e-9).ln(),
            Scale::SymmetricLog => {
                value.signum() * if value.abs() < 1.0 { value.abs() } else { 1.0 + value.abs().ln() }
            }
        };
        let (low, high) = (scaled(self.low), scaled(self.high));
        ((scaled(value) - low) / (high - low).max(1e-12)).clamp(-0.02, 1.02)
    }

    /// The ticks that fit, given the length of the axis and the minimum distance between ticks.
    pub(crate) fn fitting_ticks(&self, length: f64, spacing: f64) -> Vec<(f64, String)> {
        // Round numbers have priority: 100, 0, then numbers with few digits.
        let mut order: Vec<usize> = (0..self.ticks.len()).collect();
        let rank = |at: f64| if at == 100.0 || at == 0.0 { 0 } else { format!("{at}").trim_end_matches('0').len() };
        if self.scale != Scale::Linear {
            order.sort_by_key(|&n| rank(self.ticks[n].0));
        }
        let mut kept: Vec<usize> = Vec::new();
        for n in order {
            let far = |&other: &usize| {
                (self.position(self.ticks[n].0) - self.position(self.ticks[other].0)).abs() * length >= spacing
            };
            if kept.iter().all(far) {
                kept.push(n);
            }
        }
        kept.sort_unstable();
        kept.into_iter().map(|n| self.ticks[n].clone()).collect()
    }
}

/// A tick label with the suffix k or M for large numbers.
fn tick_label(at: f64) -> String {
    match at {
        at if at >= 1e6 => format!("{} M", at / 1e6),
        at if at >= 1e4 => format!("{} k", at / 1e3),
        at => format!("{at}"),
    }
}

fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high { (0.0, 1.0) } else { (low, high) }
}

/// A step of 1, 2 or 5 times a power of ten that divides the span into about `count` parts.
fn nice_step(span: f64, count: f64) -> f64 {
    let raw = (span / count).max(1e-9);
    let power = 10f64.powf(raw.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= raw * 0.999).unwrap_or(10.0);
    times * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |axis: &Axis| axis.ticks.iter().map(|tick| tick.1.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(&Axis::linear("", [0.0, 10.0])), "0 2 4 6 8 10");
        assert_eq!(labels(&Axis::percent("", [92.0, 108.0])), "95 100 105");
        assert_eq!(labels(&Axis::percent("", [90.0, 400.0])), "90 100 120 150 200 300");
        assert_eq!(labels(&Axis::twos("", [1024.0, 4096.0])), "2^10 2^11 2^12");
        assert_eq!(labels(&Axis::whole("", [1.0, 3.0, 5.0])), "5 3 1");
        assert_eq!(labels(&Axis::both_sides("", [-100.0, 100.0])), "−100 −10 −1 0 1 10 100");
    }

    #[test]
    fn positions_increase_with_values() {
        for axis in [
            Axis::linear("", [3.0, 7.0]),
            Axis::percent("", [50.0, 900.0]),
            Axis::both_sides("", [-1000.0, 20.0]),
            Axis::tens("", [1.0, 1e6]),
            Axis::linear("", [5.0]),
            Axis::linear("", []),
        ] {
            let positions: Vec<f64> = (-20..20).map(|n| axis.position(f64::from(n))).collect();
            assert!(
                positions.windows(2).all(|pair| pair[0] <= pair[1])
                    && positions.iter().all(|position| position.is_finite())
            );
        }
    }
}

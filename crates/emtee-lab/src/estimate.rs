//! Means over positions with bootstrap confidence intervals.

use emtee::mix;
use emtee_engine::geometric_mean;

/// A mean over positions, with a 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Number of positions.
    pub positions: usize,
    /// For a ratio: the number of positions in which it is below 1.
    pub less: usize,
    /// For a ratio: the number of positions in which it is above 1.
    pub more: usize,
}

/// Number of bootstrap samples.
const RESAMPLES: u64 = 2_000;

/// Margin of equivalence: two algorithms are equal if the whole interval of their ratio lies within this distance of 1.
pub(crate) const EQUAL: f64 = 0.01;

/// The verdict on a ratio, by its interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Comparison {
    /// The interval lies below 1.
    Better,
    /// The interval lies within 1 % of 1.
    Equal,
    /// The interval lies above 1.
    Worse,
    /// The interval includes 1 and extends beyond the 1 % margin.
    Undecided,
}

impl Comparison {
    /// The verdict in words.
    pub const fn name(self) -> &'static str {
        match self {
            Comparison::Better => "better",
            Comparison::Equal => "equal within 1 %",
            Comparison::Worse => "worse",
            Comparison::Undecided => "undecided",
        }
    }
}

impl Estimate {
    /// The geometric mean of the positive finite ratios; `None` if there are none. The seed determines the bootstrap samples.
    pub fn ratio(ratios: &[f64], seed: u64) -> Option<Estimate> {
        let valid = || ratios.iter().copied().filter(|ratio| *ratio > 0.0 && ratio.is_finite());
        let logs: Vec<(f64, f64)> = valid().map(|ratio| (ratio.ln(), 1.0)).collect();
        let count = |side: fn(&f64) -> bool| valid().filter(side).count();
        let estimate = Estimate::share(&logs, seed)?;
        let [low, high] = [estimate.low, estimate.high].map(f64::exp);
        let mean = geometric_mean(valid())?;
        Some(Estimate {
            mean,
            low,
            high,
            less: count(|ratio| *ratio < 1.0),
            more: count(|ratio| *ratio > 1.0),
            ..estimate
        })
    }

    /// The sum of the parts over the sum of the wholes of all positions; `None` if the sum of the wholes is 0.
    pub fn share(parts: &[(f64, f64)], seed: u64) -> Option<Estimate> {
        let count = parts.len() as u64;
        let quotient = |sum: (f64, f64)| sum.0 / sum.1;
        let add = |sum: (f64, f64), part: (f64, f64)| (sum.0 + part.0, sum.1 + part.1);
        let all = parts.iter().copied().fold((0.0, 0.0), add);
        if all.1 <= 0.0 {
            return None;
        }
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|sample| {
                let draw = |n| parts[(mix(seed ^ mix(sample << 20 | n)) % count) as usize];
                quotient((0..count).map(draw).fold((0.0, 0.0), add))
            })
            .filter(|mean| mean.is_finite())
            .collect();
        means.sort_by(f64::total_cmp);
        let quantile = |share: f64| means[((means.len() - 1) as f64 * share).round() as usize];
        let (mean, positions) = (quotient(all), parts.len());
        Some(Estimate { mean, low: quantile(0.025), high: quantile(0.975), positions, less: 0, more: 0 })
    }

    /// Whether the interval lies below a limit; `None` if it includes the limit.
    pub fn is_below(&self, limit: f64) -> Option<bool> {
        if self.high < limit {
            Some(true)
        } else if self.low >= limit {
            Some(false)
        } else {
            None
        }
    }

    /// Compares a ratio with 1, with the margin of equivalence.
    pub fn comparison(&self) -> Comparison {
        match self.is_below(1.0) {
            _ if self.low > 1.0 - EQUAL && self.high < 1.0 + EQUAL => Comparison::Equal,
            Some(true) => Comparison::Better,
            Some(false) => Comparison::Worse,
            None => Comparison::Undecided,
        }
    }

    /// The two-sided p-value of the sign test on `less` and `more`.
    pub fn sign_test(&self) -> f64 {
        let (n, few) = (self.less + self.more, self.less.min(self.more));
        // The log of the binomial probability of k of n, updated from one k to the next.
        let mut term = -(n as f64) * std::f64::consts::LN_2;
        let mut tail = 0.0;
        for k in 0..=few {
            tail += term.exp();
            term += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
        }
        (2.0 * tail).min(1.0)
    }

    /// The smallest difference from 1 that a test on as many positions with this spread detects with a power of 80 %.
    pub fn detectable(&self) -> f64 {
        // The half-width of the interval is 1.96 standard errors; a power of 80 % needs 1.96 + 0.84 = 2.8 of them.
        (self.high / self.low).ln() / 2.0 / 1.96 * 2.8
    }

    /// The estimate in percent, with its interval: `95.1 % (93.0–97.2)`.
    pub fn percent(&self) -> String {
        let [mean, low, high] = [self.mean, self.low, self.high].map(|ratio| 100.0 * ratio);
        let digits = usize::from(mean < 1_000.0);
        match self.positions {
            1 => format!("{mean:.digits$} %"),
            _ => format!("{mean:.digits$} % ({low:.digits$}–{high:.digits$})"),
        }
    }

    /// The estimate as a number, with its interval.
    pub fn number(&self, digits: usize) -> String {
        let Estimate { mean, low, high, .. } = *self;
        match self.positions {
            1 => format!("{mean:.digits$}"),
            _ => format!("{mean:.digits$} ({low:.digits$}–{high:.digits$})"),
        }
    }
}

/// Number of random sign assignments of [`sign_flip_test`].
const FLIPS: u64 = 9_999;

/// The two-sided p-value of the hypothesis that ratios and their inverses are equally likely: the share of random signs of the
/// logarithms whose sum is at least as far from 0 as the measured one.
pub(crate) fn sign_flip_test(ratios: &[f64], seed: u64) -> f64 {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let measured = logs.iter().sum::<f64>().abs() - 1e-12;
    let sum = |flip: u64| {
        let mut bits = 0;
        let signed = logs.iter().enumerate().map(|(index, log)| {
            if index % 64 == 0 {
                bits = mix(seed ^ mix(flip << 20 | index as u64));
            }
            let positive = bits >> (index % 64) & 1 == 1;
            if positive { *log } else { -*log }
        });
        signed.sum::<f64>()
    };
    let extreme = (0..FLIPS).filter(|&flip| sum(flip).abs() >= measured).count();
    (1 + extreme) as f64 / (1 + FLIPS) as f64
}

/// Holm's correction for several tests: the smallest p-value times the number of tests, the next one times one less, and so
/// on, never below the one before.
pub(crate) fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut corrected, mut least) = (vec![0.0; p.len()], 0.0f64);
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max((p[index] * (p.len() - rank) as f64).min(1.0));
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_geometric_and_inside_its_interval() {
        let ratio = Estimate::ratio(&[0.5, 2.0, 1.0], 1).unwrap();
        assert!((ratio.mean - 1.0).abs() < 1e-12);
        assert!((0.5..1.0).contains(&ratio.low) && ratio.high > 1.0 && ratio.high <= 2.0, "{ratio:?}");
        assert_eq!((ratio.less, ratio.more, ratio.positions), (1, 1, 3));
        assert_eq!(Estimate::ratio(&[0.5, 2.0, 1.0], 1), Some(ratio), "the same seed");
        let many: Vec<f64> = (1..30).map(|n| 1.0 + f64::from(n * n % 31) / 40.0).collect();
        assert_ne!(Estimate::ratio(&many, 1), Estimate::ratio(&many, 2), "another seed draws other samples");
        let same = Estimate::ratio(&[0.9; 20], 7).unwrap();
        assert!((same.low - 0.9).abs() < 1e-12 && (same.high - 0.9).abs() < 1e-12);
        assert_eq!(Estimate::ratio(&[], 1), None);
        assert_eq!(Estimate::ratio(&[0.0, f64::NAN], 1), None);
    }

    #[test]
    fn a_share_weights_positions_by_their_wholes() {
        let share = Estimate::share(&[(1.0, 2.0), (9.0, 10.0)], 1).unwrap();
        assert!((share.mean - 10.0 / 12.0).abs() < 1e-12);
        assert!((share.low - 0.5).abs() < 1e-12 && (share.high - 0.9).abs() < 1e-12);
        assert_eq!(Estimate::share(&[(0.0, 0.0)], 1), None);
    }

    #[test]
    fn verdicts_follow_from_intervals() {
        let of = |low, high| Estimate { mean: 1.0, low, high, positions: 9, less: 0, more: 0 };
        for (low, high, expected) in [
            (0.90, 0.99, Comparison::Better),
            (0.992, 0.999, Comparison::Equal),
            (0.995, 1.005, Comparison::Equal),
            (0.97, 1.001, Comparison::Undecided),
            (1.001, 1.05, Comparison::Worse),
        ] {
            assert_eq!(of(low, high).comparison(), expected, "{low} {high}");
        }
        assert_eq!([0.95, 0.85, 0.92].map(|limit| of(0.9, 0.94).is_below(limit)), [Some(true), Some(false), None]);
    }

    #[test]
    fn the_sign_test_is_that_of_a_fair_coin() {
        let of = |less, more| Estimate { mean: 1.0, low: 1.0, high: 1.0, positions: 9, less, more }.sign_test();
        // 2 (1 + 5) / 2^5, and 2 (1 + 10 + 45) / 2^10.
        assert!((of(4, 1) - 0.375).abs() < 1e-12);
        assert!((of(2, 8) - 112.0 / 1024.0).abs() < 1e-12);
        assert_eq!([of(0, 0), of(5, 5)], [1.0, 1.0]);
        assert!(of(160, 80) < 1e-6);
    }

    #[test]
    fn sign_flips_detect_a_shift_and_nothing_else() {
        let ratios: Vec<f64> = (0..100).map(|n| 1.0 + f64::from(n % 10) / 100.0 - 0.02).collect();
        assert!(sign_flip_test(&ratios, 1) < 0.001);
        assert!(sign_flip_test(&[0.9, 1.0 / 0.9, 0.9, 1.0 / 0.9], 1) > 0.9);
        // With four positions, 2 of the 16 assignments are as extreme.
        assert!((sign_flip_test(&[0.9; 4], 1) - 0.125).abs() < 0.02);
        assert_eq!(sign_flip_test(&ratios, 1), sign_flip_test(&ratios, 1));
    }

    #[test]
    fn holm_multiplies_by_the_tests_that_are_left() {
        let corrected = holm(&[0.01, 0.04, 0.03]);
        let expected = [0.03, 0.06, 0.06];
        assert!(corrected.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{corrected:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    #[test]
    fn intervals_cover_the_true_mean_about_95_percent_of_the_time() {
        // 400 samples of ratios around 1 with a known spread.
        let covered = (0..400u64)
            .filter(|&trial| {
                let noise =
                    |n: u64| (0..12).map(|k| mix(trial << 32 | n << 8 | k) as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
                let ratios: Vec<f64> = (0..20).map(|n| (0.2 * noise(n)).exp()).collect();
                Estimate::ratio(&ratios, trial).is_some_and(|ratio| ratio.low <= 1.0 && ratio.high >= 1.0)
            })
            .count();
        assert!((350..=395).contains(&covered), "{covered} of 400");
    }
}

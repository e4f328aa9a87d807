//! Ratios with an honest width: geometric means over positions, and how far they might be off.

use emtee::mix;

/// A geometric mean of ratios, with a 95 % bootstrap interval over the positions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ratio {
    /// The geometric mean.
    pub mean: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Over how many positions.
    pub positions: usize,
}

/// How often the positions are drawn anew.
const RESAMPLES: u64 = 2_000;

impl Ratio {
    /// The mean of these ratios; nothing if there is none. The same seed draws the same samples.
    pub fn of(ratios: &[f64], seed: u64) -> Option<Ratio> {
        let logs: Vec<f64> =
            ratios.iter().filter(|ratio| **ratio > 0.0 && ratio.is_finite()).map(|ratio| ratio.ln()).collect();
        if logs.is_empty() {
            return None;
        }
        let count = logs.len() as u64;
        let mean = |sum: f64| (sum / count as f64).exp();
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|sample| {
                let draw = |n| logs[(mix(seed ^ mix(sample << 20 | n)) % count) as usize];
                mean((0..count).map(draw).sum())
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
        Some(Ratio { mean: mean(logs.iter().sum()), low: at(0.025), high: at(0.975), positions: logs.len() })
    }

    /// In percent, with its interval: `95.1 % (93.0–97.2)`.
    pub fn percent(&self) -> String {
        let Ratio { mean, low, high, positions } = *self;
        let [mean, low, high] = [mean, low, high].map(|ratio| 100.0 * ratio);
        let digits = usize::from(mean < 1_000.0);
        match positions {
            1 => format!("{mean:.digits$} %"),
            _ => format!("{mean:.digits$} % ({low:.digits$}–{high:.digits$})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_geometric_and_inside_its_interval() {
        let ratio = Ratio::of(&[0.5, 2.0, 1.0], 1).unwrap();
        assert!((ratio.mean - 1.0).abs() < 1e-12);
        assert!((0.5..1.0).contains(&ratio.low) && ratio.high > 1.0 && ratio.high <= 2.0, "{ratio:?}");
        assert_eq!(Ratio::of(&[0.5, 2.0, 1.0], 1), Some(ratio), "the same seed");
        let many: Vec<f64> = (1..30).map(|n| 1.0 + f64::from(n * n % 31) / 40.0).collect();
        assert_ne!(Ratio::of(&many, 1), Ratio::of(&many, 2), "another seed draws other samples");
        let same = Ratio::of(&[0.9; 20], 7).unwrap();
        assert!((same.low - 0.9).abs() < 1e-12 && (same.high - 0.9).abs() < 1e-12);
        assert_eq!(Ratio::of(&[], 1), None);
        assert_eq!(Ratio::of(&[0.0, f64::NAN], 1), None);
    }

    #[test]
    fn an_interval_covers_the_truth_about_as_often_as_it_says() {
        // Ratios around 1 with known spread, many times over.
        let covered = (0..400u64)
            .filter(|&trial| {
                let noise =
                    |n: u64| (0..12).map(|k| mix(trial << 32 | n << 8 | k) as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
                let ratios: Vec<f64> = (0..20).map(|n| (0.2 * noise(n)).exp()).collect();
                Ratio::of(&ratios, trial).is_some_and(|ratio| ratio.low <= 1.0 && ratio.high >= 1.0)
            })
            .count();
        assert!((350..=395).contains(&covered), "{covered} of 400");
    }
}

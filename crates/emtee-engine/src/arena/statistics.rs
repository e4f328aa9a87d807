//! Match statistics: Elo with its error, the likelihood of superiority, and a sequential test.
//!
//! Games are played in pairs, one opening with colours swapped. The two games of a pair are correlated through their
//! opening, so pairs are counted: a pair yields 0, ½, 1, 1½ or 2 points (the pentanomial model). The variance is lower
//! than for two independent games.

use std::fmt;
use std::str::FromStr;

/// The results of a match from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Finished pairs by half points, 0 to 4.
    pub pairs: [u64; 5],
}

/// The result of a game in half points: 0, 1 or 2.
pub type HalfPoints = u8;

impl Score {
    /// Adds a game.
    pub fn add_game(&mut self, half_points: HalfPoints) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a pair of games that have already been added.
    pub fn add_pair(&mut self, games: [HalfPoints; 2]) {
        self.pairs[usize::from(games[0] + games[1]).min(4)] += 1;
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points. `None` before the first game.
    pub fn share(&self) -> Option<f64> {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// Elo and its error, from the finished pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let sample = Sample::of(self.pairs, 0.0)?;
        let error = (sample.variance / sample.count).sqrt();
        let (low, high) = (sample.mean - Z_95 * error, sample.mean + Z_95 * error);
        let superiority = match sample.mean - 0.5 {
            lead if error > 0.0 => normal(lead / error),
            0.0 => 0.5,
            lead => f64::from(u8::from(lead > 0.0)),
        };
        let elo = |share: f64| (0.0 < share && share < 1.0).then(|| elo_of(share));
        // If all pairs are equal, the variance is not known.
        let end = |share: f64| elo(share).filter(|_| error > 0.0);
        Some(Estimate { elo: elo(sample.mean), lower: end(low), upper: end(high), superiority })
    }
}

/// The estimated difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The difference in Elo. `None` if one side took all points.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval. `None` if it is −∞ or not known.
    pub lower: Option<f64>,
    /// The upper end of the 95 % interval. `None` if it is +∞ or not known.
    pub upper: Option<f64>,
    /// LOS: the likelihood that the first player is the stronger one, from 0 to 1.
    pub superiority: f64,
}

/// 95 % of a normal distribution lie within this many standard deviations.
const Z_95: f64 = 1.959_963_985;

/// The difference in Elo at which this share of the points is expected.
pub fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The expected share of the points at a difference in Elo.
pub fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution of shares over pairs.
struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
    weights: [f64; 5],
}

impl Sample {
    /// `None` if there are no pairs. Outcomes that did not occur count as `least` pairs.
    fn of(pairs: [u64; 5], least: f64) -> Option<Sample> {
        if pairs.iter().all(|&n| n == 0) {
            return None;
        }
        let counts = pairs.map(|n| (n as f64).max(least));
        let count: f64 = counts.iter().sum();
        let weights = counts.map(|n| n / count);
        let mean: f64 = weights.iter().enumerate().map(|(outcome, weight)| weight * share_at(outcome)).sum();
        let variance =
            weights.iter().enumerate().map(|(outcome, weight)| weight * (share_at(outcome) - mean).powi(2)).sum();
        Some(Sample { count, mean, variance, weights })
    }

    /// The most likely distribution with the mean `mean`: each weight is divided by 1 + x·(share − mean), with x chosen
    /// to give this mean.
    fn shifted_to(&self, mean: f64) -> [f64; 5] {
        let moment = |x: f64| -> f64 {
            (0..5)
                .map(|outcome| {
                    self.weights[outcome] * (share_at(outcome) - mean) / (1.0 + x * (share_at(outcome) - mean))
                })
                .sum()
        };
        // The moment falls from +∞ to −∞ between the two poles.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if moment(middle) > 0.0 { low = middle } else { high = middle }
        }
        let x = (low + high) / 2.0;
        std::array::from_fn(|outcome| self.weights[outcome] / (1.0 + x * (share_at(outcome) - mean)))
    }
}

/// The share of the points for a pair with this many half points.
fn share_at(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// The share of a normal distribution that lies below `z` standard deviations.
pub fn normal(z: f64) -> f64 {
    // Abramowitz and Stegun 7.1.26, accurate to seven digits.
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = series.iter().rev().fold(0.0, |sum, a| (sum + a) * t);
    let error = 1.0 - sum * (-x * x).exp();
    if z < 0.0 { (1.0 - error) / 2.0 } else { (1.0 + error) / 2.0 }
}

/// A sequential probability ratio test: is the difference nearer to `elo0` or to `elo1`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting `elo1` wrongly.
    pub alpha: f64,
    /// The probability of accepting `elo0` wrongly.
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Undecided,
    /// `elo0` is accepted.
    Rejected,
    /// `elo1` is accepted.
    Accepted,
}

impl Sprt {
    /// The log-likelihood ratio of `elo1` to `elo0`.
    pub fn log_ratio(&self, score: &Score) -> f64 {
        // Outcomes without a pair count as a thousandth of a pair, so that the logarithms are finite.
        let Some(sample) = Sample::of(score.pairs, 1e-3) else { return 0.0 };
        let (zero, one) = (sample.shifted_to(share_of(self.elo0)), sample.shifted_to(share_of(self.elo1)));
        let each = (0..5).map(|outcome| sample.weights[outcome] * (one[outcome] / zero[outcome]).ln());
        sample.count * each.sum::<f64>()
    }

    /// The test is decided when the log-likelihood ratio leaves this range.
    pub fn range(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The current state of the test.
    pub fn verdict(&self, score: &Score) -> Verdict {
        let (ratio, (low, high)) = (self.log_ratio(score), self.range());
        match ratio {
            ratio if ratio >= high => Verdict::Accepted,
            ratio if ratio <= low => Verdict::Rejected,
            _ => Verdict::Undecided,
        }
    }
}

/// `0,5` or `0,5,0.05,0.05`.
impl FromStr for Sprt {
    type Err = String;
    fn from_str(text: &str) -> Result<Sprt, String> {
        let bad = || format!("'{text}' is not a test: write it like 0,5 or 0,5,0.05,0.05 (elo0,elo1,alpha,beta)");
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let sprt = match numbers.map_err(|_| bad())?[..] {
            [elo0, elo1] => Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 },
            [elo0, elo1, alpha, beta] => Sprt { elo0, elo1, alpha, beta },
            _ => return Err(bad()),
        };
        let risk = |p: f64| 0.0 < p && p < 0.5;
        match sprt {
            Sprt { elo0, elo1, .. } if !(elo0 < elo1 && elo0.abs() <= 1e3 && elo1.abs() <= 1e3) => {
                Err(format!("'{text}': elo0 must be less than elo1, and both within ±1000"))
            }
            Sprt { alpha, beta, .. } if !(risk(alpha) && risk(beta)) => {
                Err(format!("'{text}': alpha and beta are risks between 0 and 0.5"))
            }
            sprt => Ok(sprt),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn elo_has_its_known_values() {
        for (share, elo) in [(0.5, 0.0), (0.75, 190.848_502), (0.64, 99.950_982), (0.1, -381.697_004)] {
            near(elo_of(share), elo, 1e-5);
            near(share_of(elo), share, 1e-8);
        }
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (z, p) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.0, 0.158_655_254), (1.959_963_985, 0.975), (3.0, 0.998_650_102)]
        {
            near(normal(z), p, 2e-7);
        }
    }

    /// 100 pairs, calculated by hand: mean 0.575, variance 0.063125, error 0.025125.
    #[test]
    fn pairs_give_elo_and_its_error() {
        let score = Score { pairs: [5, 15, 35, 35, 10], ..Score::default() };
        let estimate = score.estimate().unwrap();
        let error = (0.063_125f64 / 100.0).sqrt();
        near(estimate.elo.unwrap(), elo_of(0.575), 1e-9);
        near(estimate.lower.unwrap(), elo_of(0.575 - 1.959_963_985 * error), 1e-9);
        near(estimate.upper.unwrap(), elo_of(0.575 + 1.959_963_985 * error), 1e-9);
        near(estimate.superiority, normal(0.075 / error), 1e-12);
    }

    #[test]
    fn what_is_infinite_is_not_a_number() {
        assert_eq!(Score::default().estimate(), None);
        let swept = Score { pairs: [0, 0, 0, 0, 7], ..Score::default() }.estimate().unwrap();
        assert_eq!((swept.elo, swept.superiority), (None, 1.0));
        let drawn = Score { pairs: [0, 0, 7, 0, 0], ..Score::default() }.estimate().unwrap();
        assert_eq!((drawn.elo, drawn.lower, drawn.superiority), (Some(0.0), None, 0.5));
    }

    /// With only 2:0 and 0:2 pairs, the ratio is that of coin tosses.
    #[test]
    fn the_ratio_is_exact_where_it_can_be_worked_out() {
        let test = Sprt { elo0: -30.0, elo1: 40.0, alpha: 0.05, beta: 0.05 };
        let (zero, one) = (share_of(-30.0), share_of(40.0));
        for (won, lost) in [(60, 40), (40, 60), (500, 450)] {
            let score = Score { pairs: [lost, 0, 0, 0, won], ..Score::default() };
            let tosses = won as f64 * (one / zero).ln() + lost as f64 * ((1.0 - one) / (1.0 - zero)).ln();
            near(test.log_ratio(&score), tosses, 0.01);
        }
    }

    /// For small differences, the ratio is N (s1 − s0)(2 mean − s0 − s1) / 2 variance.
    #[test]
    fn the_ratio_is_near_its_normal_approximation() {
        let test: Sprt = "0,5".parse().unwrap();
        let score = Score { pairs: [20, 180, 420, 220, 30], ..Score::default() };
        let sample = Sample::of(score.pairs, 0.0).unwrap();
        let (s0, s1) = (share_of(0.0), share_of(5.0));
        let approximation = sample.count * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / (2.0 * sample.variance);
        near(test.log_ratio(&score), approximation, 0.05);
    }

    #[test]
    fn a_test_ends_at_walds_bounds() {
        let test: Sprt = "0,5".parse().unwrap();
        near(test.range().0, -2.944_438_979, 1e-8);
        near(test.range().1, 2.944_438_979, 1e-8);
        assert_eq!(test.verdict(&Score::default()), Verdict::Undecided);
        assert_eq!(test.verdict(&Score { pairs: [10, 100, 300, 300, 90], ..Score::default() }), Verdict::Accepted);
        assert_eq!(test.verdict(&Score { pairs: [90, 300, 300, 100, 10], ..Score::default() }), Verdict::Rejected);
    }

    #[test]
    fn tests_are_read_and_bad_ones_refused() {
        assert_eq!("-3, 1,0.1,0.2".parse(), Ok(Sprt { elo0: -3.0, elo1: 1.0, alpha: 0.1, beta: 0.2 }));
        for bad in ["", "5", "5,0", "0,5,0.05", "0,5,0,0", "0,5,0.05,0.7", "nan,5", "0,inf", "0,1e9"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}

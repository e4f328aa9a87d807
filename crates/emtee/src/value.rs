//! Values, bounds on them, γ between two values, and windows.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, Neg, Sub};

/// The minimax value of a position, seen from the side to move.
///
/// A value is one of three kinds:
///
/// * a **score** within ±[`Value::MAX_SCORE`], from an evaluation or from a game that ends with points;
/// * a proven **win** or **loss** with its distance in plies;
/// * **infinity**, which no position has: a bound that is not known.
///
/// ```
/// use emtee::Value;
/// assert!(Value::win_in(3) > Value::win_in(5));
/// assert!(Value::loss_in(8) > Value::loss_in(2));
/// assert!(Value::win_in(900) > Value::score(31_000).unwrap());
/// assert_eq!(Value::win_in(3).to_string(), "win in 3");
/// assert_eq!(-Value::win_in(3), Value::loss_in(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i32);

impl Value {
    /// Greater than every value a position can have.
    pub const INFINITY: Value = Value(32_767);
    /// Less than every value a position can have.
    pub const NEG_INFINITY: Value = Value(-32_767);
    /// The largest static evaluation or final score.
    pub const MAX_SCORE: i32 = 31_000;
    /// The greatest distance of a win or a loss, in plies. Greater distances are cut to this one.
    pub const MAX_DISTANCE: u32 = 999;
    /// The value of a game that is already won.
    const WON: i32 = 32_000;
    /// The most distant win.
    const LAST_WIN: i32 = Self::WON - Self::MAX_DISTANCE as i32;

    /// A score, or `None` if it lies outside ±[`Value::MAX_SCORE`].
    pub const fn score(score: i32) -> Option<Value> {
        if score.unsigned_abs() <= Self::MAX_SCORE as u32 { Some(Value(score)) } else { None }
    }

    /// The value of winning in `plies`.
    pub const fn win_in(plies: u32) -> Value {
        let plies = if plies > Self::MAX_DISTANCE { Self::MAX_DISTANCE } else { plies };
        Value(Self::WON - plies as i32)
    }

    /// The value of losing in `plies`.
    pub const fn loss_in(plies: u32) -> Value {
        Value(-Self::win_in(plies).0)
    }

    /// The value as an integer, as in tables and JSON.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The inverse of [`get`](Value::get), or `None` if no position can have the value.
    pub const fn from_integer(integer: i32) -> Option<Value> {
        if integer.unsigned_abs() <= Self::WON as u32 { Some(Value(integer)) } else { None }
    }

    /// The value from the 16 bits of a table entry.
    pub(crate) const fn from_bits(bits: u16) -> Value {
        Value(bits as i16 as i32)
    }

    /// The value as 16 bits for a table entry.
    pub(crate) const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// The kind of the value.
    pub const fn kind(self) -> Kind {
        let distance = Self::WON - self.0.abs();
        match self.0 {
            v if distance < 0 => Kind::Infinite { positive: v > 0 },
            v if v >= Self::LAST_WIN => Kind::Win { plies: distance as u32 },
            v if v <= -Self::LAST_WIN => Kind::Loss { plies: distance as u32 },
            v => Kind::Score(v),
        }
    }

    /// The plies to a proven win, if this is one.
    pub const fn wins_in(self) -> Option<u32> {
        if let Kind::Win { plies } = self.kind() { Some(plies) } else { None }
    }

    /// The plies to a proven loss, if this is one.
    pub const fn loses_in(self) -> Option<u32> {
        if let Kind::Loss { plies } = self.kind() { Some(plies) } else { None }
    }

    /// Whether this is a proven win or loss.
    pub const fn is_proven(self) -> bool {
        matches!(self.kind(), Kind::Win { .. } | Kind::Loss { .. })
    }

    /// The value one ply further from the end of the game: a win or a loss gets one ply longer, other values do not change.
    ///
    /// With `f` the value of a position and `c` its children, `f = max(-age(f(c)))`, or `+age(f(c))` for a child in which
    /// the same side moves again.
    #[inline(always)]
    pub const fn age(self) -> Value {
        // Most values are scores: one comparison tests that they lie between the last loss and the last win.
        if self.0.wrapping_add(Self::LAST_WIN) as u32 <= 2 * Self::LAST_WIN as u32 { self } else { self.one_further() }
    }

    #[cold]
    const fn one_further(self) -> Value {
        if self.0.unsigned_abs() > Self::WON as u32 { self } else { Value(self.0 - self.0.signum()) }
    }
}

/// What a [`Value`] means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An evaluation, or the points a game ended with.
    Score(i32),
    /// The side to move wins.
    Win {
        /// How many plies away.
        plies: u32,
    },
    /// The side to move loses.
    Loss {
        /// How many plies away.
        plies: u32,
    },
    /// No value of a position: not known.
    Infinite {
        /// Whether it is +∞ and not −∞.
        positive: bool,
    },
}

impl Neg for Value {
    type Output = Value;
    #[inline(always)]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// Saturates at ±∞.
impl Add<i32> for Value {
    type Output = Value;
    fn add(self, points: i32) -> Value {
        Value(self.0.saturating_add(points).clamp(Self::NEG_INFINITY.0, Self::INFINITY.0))
    }
}

/// Saturates at ±∞.
impl Sub<i32> for Value {
    type Output = Value;
    fn sub(self, points: i32) -> Value {
        Value(self.0.saturating_sub(points).clamp(Self::NEG_INFINITY.0, Self::INFINITY.0))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Score(score) => fmt::Display::fmt(&score, f),
            Kind::Win { plies } => write!(f, "win in {plies}"),
            Kind::Loss { plies } => write!(f, "loss in {plies}"),
            Kind::Infinite { positive } => f.pad(if positive { "+∞" } else { "-∞" }),
        }
    }
}

/// `Debug` prints the same text as `Display`, for readable tests and logs.
macro_rules! debug_as_displayed {
    ($($type:ty),+) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }
    )+};
}
debug_as_displayed!(Value, Gamma, Bounds);

/// γ, the paper's `bound − ε`: a number between two integers.
///
/// No value equals a γ, so a value is either greater or less. That is why the body of
/// [`mt`](crate::research::Research::mt) has no `≥`.
///
/// ```
/// use emtee::research::Gamma;
/// use emtee::Value;
/// let gamma = Gamma::below(Value::score(41).unwrap()); // 40.5
/// assert!(Value::score(41).unwrap() > gamma);
/// assert!(Value::score(40).unwrap() < gamma);
/// assert_eq!(gamma.to_string(), "40.5");
/// assert_eq!((-gamma).to_string(), "-40.5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gamma {
    /// The least integer above γ.
    bound: i32,
}

impl Gamma {
    /// `bound − ε`: values of at least `bound` are greater.
    #[inline(always)]
    pub const fn below(bound: Value) -> Gamma {
        Gamma { bound: bound.0 }
    }

    /// `value + ε`: only values greater than `value` are greater.
    #[inline(always)]
    pub const fn above(value: Value) -> Gamma {
        Gamma { bound: value.0 + 1 }
    }

    /// The γ with this bound, or `None` if it lies beyond all windows.
    #[cfg(feature = "serde")]
    pub(crate) fn with_bound(bound: i32) -> Option<Gamma> {
        (Value::NEG_INFINITY.0..=Value::INFINITY.0 + 1).contains(&bound).then_some(Gamma { bound })
    }

    /// The least value that is greater than γ.
    pub const fn bound(self) -> Value {
        Value(self.bound)
    }

    /// γ as a number, such as 40.5.
    pub fn as_f64(self) -> f64 {
        f64::from(self.bound) - 0.5
    }

    /// The inverse of [`Value::age`]: `age(v) > γ` exactly when `v > unage(γ)`. A γ beyond all values does not change, so that
    /// it never exceeds ±∞.
    #[inline(always)]
    pub(crate) const fn unage(self) -> Gamma {
        const NEGATIVE: i32 = -Value::LAST_WIN;
        match self.bound {
            bound if NEGATIVE < bound && bound <= Value::LAST_WIN => self,
            bound if 0 < bound && bound <= Value::WON => Gamma { bound: bound + 1 },
            bound if -Value::WON < bound && bound < 0 => Gamma { bound: bound - 1 },
            _ => self,
        }
    }
}

impl Neg for Gamma {
    type Output = Gamma;
    #[inline(always)]
    fn neg(self) -> Gamma {
        Gamma { bound: 1 - self.bound }
    }
}

impl PartialEq<Gamma> for Value {
    /// Always false: no value equals a γ.
    fn eq(&self, _: &Gamma) -> bool {
        false
    }
}

impl PartialOrd<Gamma> for Value {
    #[inline(always)]
    fn partial_cmp(&self, gamma: &Gamma) -> Option<Ordering> {
        Some(if *self > *gamma { Ordering::Greater } else { Ordering::Less })
    }
    #[inline(always)]
    fn lt(&self, gamma: &Gamma) -> bool {
        self.0 < gamma.bound
    }
    #[inline(always)]
    fn gt(&self, gamma: &Gamma) -> bool {
        self.0 >= gamma.bound
    }
}

impl fmt::Display for Gamma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let twice = 2 * i64::from(self.bound) - 1;
        write!(f, "{}{}.5", if twice < 0 { "-" } else { "" }, twice.unsigned_abs() / 2)
    }
}

/// Bounds on a value f: f⁻ ≤ f ≤ f⁺.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// f⁻
    pub lower: Value,
    /// f⁺
    pub upper: Value,
}

impl Bounds {
    /// No bounds are known: (−∞, +∞).
    pub const UNKNOWN: Bounds = Bounds { lower: Value::NEG_INFINITY, upper: Value::INFINITY };

    /// Both bounds equal to a known value.
    pub const fn exactly(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if the two bounds are equal.
    pub fn exact(self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether `value` lies between the bounds.
    pub fn contains(self, value: Value) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// The intersection of these bounds with newer ones. If they contradict each other, the result is the newer bounds alone.
    /// Contradictions are caused only by values that depend on the path and by equal keys of different positions.
    #[inline(always)]
    pub(crate) fn narrowed(self, new: Bounds) -> Bounds {
        let f = Bounds { lower: new.lower.max(self.lower), upper: new.upper.min(self.upper) };
        if f.crossed() { new } else { f }
    }

    /// Whether f⁻ > f⁺, which can happen if values depend on the path.
    pub fn crossed(self) -> bool {
        self.lower > self.upper
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "[{}, {}]", self.lower, self.upper),
        }
    }
}

/// A search window: the open interval (α, β), as the γ at each end. A value greater than `low` improves α, a value greater
/// than `high` reaches β. In a null window `low == high`, which is the γ of [`mt`](crate::research::Research::mt).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Window {
    /// α + ε
    pub low: Gamma,
    /// β − ε
    pub high: Gamma,
}

impl Window {
    /// (−∞, +∞)
    pub const FULL: Window = Window { low: Gamma::above(Value::NEG_INFINITY), high: Gamma::below(Value::INFINITY) };

    /// The window (α, β).
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { low: Gamma::above(alpha), high: Gamma::below(beta) }
    }

    /// The null window of a γ.
    #[inline(always)]
    pub const fn null(gamma: Gamma) -> Window {
        Window { low: gamma, high: gamma }
    }

    /// Whether this is a null window.
    pub fn is_null(self) -> bool {
        self.low == self.high
    }

    /// α
    pub const fn alpha(self) -> Value {
        Value(self.low.bound - 1)
    }

    /// β
    pub const fn beta(self) -> Value {
        self.high.bound()
    }

    /// This window, narrowed by known bounds.
    #[inline(always)]
    pub(crate) fn within(self, f: Bounds) -> Window {
        Window { low: self.low.max(Gamma::above(f.lower)), high: self.high.min(Gamma::below(f.upper)) }
    }

    /// This window, with α raised to `g`, the value of a move.
    #[inline(always)]
    pub(crate) fn above(self, g: Value) -> Window {
        Window { low: self.low.max(Gamma::above(g)), high: self.high }
    }

    /// The result of a search of this window, if known bounds determine it.
    #[inline(always)]
    pub(crate) fn answer(self, f: Bounds) -> Option<Value> {
        if f.lower > self.high || f.exact().is_some() {
            return Some(f.lower);
        }
        (f.upper < self.low).then_some(f.upper)
    }

    /// The bounds that a fail-soft search of this window has proved when it returns `g`.
    pub(crate) fn proves(self, g: Value) -> Bounds {
        Bounds {
            lower: if g > self.low { g } else { Value::NEG_INFINITY },
            upper: if g < self.high { g } else { Value::INFINITY },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn unage_is_the_inverse_of_age() {
        for v in -Value::WON..=Value::WON {
            let v = Value(v);
            for near in [v.0, 0, Value::LAST_WIN, -Value::LAST_WIN, Value::WON, -Value::WON] {
                for bound in near - 3..=near + 3 {
                    let gamma = Gamma { bound };
                    assert!(Value::INFINITY > gamma.unage() && Value::NEG_INFINITY < gamma.unage());
                    assert_eq!(v.age() > gamma, v > gamma.unage(), "{v:?} {gamma}");
                    assert_eq!(-v.age() > gamma, -v > gamma.unage(), "mirror of {v:?} {gamma}");
                }
            }
        }
    }

    #[test]
    fn age_is_monotone_and_leaves_scores_alone() {
        for v in -Value::WON..Value::WON {
            assert!(Value(v).age() <= Value(v + 1).age());
        }
        assert_eq!(Value(31_000).age(), Value(31_000));
        assert_eq!(Value::win_in(4).age(), Value::win_in(5));
        assert_eq!(Value::loss_in(4).age(), Value::loss_in(5));
        assert_eq!(Value::win_in(999).age(), Value::win_in(999));
        assert_eq!(Value::INFINITY.age(), Value::INFINITY);
    }

    #[test]
    fn gamma_is_between_integers() {
        for bound in -3..=3 {
            let gamma = Gamma { bound };
            assert_eq!(-(-gamma), gamma);
            for v in -5..=5 {
                let v = Value(v);
                assert!((v > gamma) != (v < gamma));
                assert_eq!(v > gamma, -v < -gamma);
            }
        }
    }

    #[test]
    fn values_are_displayed() {
        for (value, text) in [
            (Value(0), "0"),
            (Value(-17), "-17"),
            (Value(31_000), "31000"),
            (Value::win_in(1), "win in 1"),
            (Value::loss_in(4), "loss in 4"),
            (Value::INFINITY, "+∞"),
        ] {
            assert_eq!(value.to_string(), text);
        }
        assert_eq!(Gamma::below(Value(0)).to_string(), "-0.5");
        assert_eq!(Gamma::below(Value(1000)).to_string(), "999.5");
    }

    #[test]
    fn bits_round_trip() {
        for v in -32_767..=32_767 {
            assert_eq!(Value::from_bits(Value(v).to_bits()), Value(v));
        }
    }

    #[test]
    fn a_value_is_less_or_greater_than_a_gamma() {
        use core::cmp::Ordering::{Greater, Less};
        let gamma = Gamma::below(Value(5));
        for (value, side) in [(4, Less), (5, Greater), (6, Greater)].map(|(value, side)| (Value(value), side)) {
            assert_eq!(value.partial_cmp(&gamma), Some(side));
            let less = side == Less;
            assert_eq!([value < gamma, value <= gamma, value > gamma, value >= gamma], [less, less, !less, !less]);
        }
    }

    #[test]
    fn bounds_contain_the_values_between_them() {
        let f = Bounds { lower: Value(2), upper: Value(5) };
        assert_eq!([1, 2, 5, 6].map(|value| f.contains(Value(value))), [false, true, true, false]);
        let window = Window::new(Value(2), Value(6));
        let proved = [2, 3, 5, 6].map(|g| window.proves(Value(g)));
        let (low, high) = (Value::NEG_INFINITY, Value::INFINITY);
        assert_eq!(proved[0], Bounds { lower: low, upper: Value(2) });
        assert_eq!(proved[1], Bounds::exactly(Value(3)));
        assert_eq!(proved[2], Bounds::exactly(Value(5)));
        assert_eq!(proved[3], Bounds { lower: Value(6), upper: high });
    }
}

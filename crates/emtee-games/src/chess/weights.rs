//! x
use super::features::COUNT;
pub(super) const TUNED: [(i16, i16); COUNT] = [(0, 0); COUNT];

//! Static evaluations of a thread, so that selective search evaluates no position twice in a row.

use alloc::boxed::Box;
use alloc::vec;

use super::table::spread;
use crate::value::Value;

/// How many are remembered.
const PLACES: usize = 1 << 16;

/// Static evaluations: 48 bits of a key, 16 of the score.
pub(crate) struct EvalCache(Box<[u64]>);

impl EvalCache {
    /// Room for them where they are `wanted`.
    pub(crate) fn new(wanted: bool) -> EvalCache {
        EvalCache(vec![0; if wanted { PLACES } else { 0 }].into())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The static evaluation of the position with this key, if it is remembered.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Value> {
        let key = spread(key);
        let word = self.0[(key & 0xffff) as usize];
        (word >> 16 == key >> 16 && word != 0).then(|| Value::from_bits(word as u16))
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, key: u64, estimate: Value) {
        let key = spread(key);
        self.0[(key & 0xffff) as usize] = key & !0xffff | u64::from(estimate.to_bits());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_remembered_by_key() {
        let mut estimates = EvalCache::new(true);
        let value = Value::score(-321).unwrap();
        assert_eq!(estimates.get(12_345 << 20), None);
        estimates.insert(12_345 << 20, value);
        assert_eq!(estimates.get(12_345 << 20), Some(value));
        assert_eq!(estimates.get(12_346 << 20), None);
        estimates.clear();
        assert_eq!(estimates.get(12_345 << 20), None);
    }
}

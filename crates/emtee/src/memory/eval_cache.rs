//! The eval cache of a thread: static evaluations by key, so that selective search evaluates no position twice in a row.

use alloc::boxed::Box;
use alloc::vec;

use super::table::spread;
use crate::value::Value;

/// The number of entries.
const ENTRIES: usize = 1 << 16;

/// Static evaluations. An entry is 48 bits of the key and 16 bits of the value.
pub(crate) struct EvalCache(Box<[u64]>);

impl EvalCache {
    /// An empty cache; without memory if it is not `enabled`.
    pub(crate) fn new(enabled: bool) -> EvalCache {
        EvalCache(vec![0; if enabled { ENTRIES } else { 0 }].into())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The static evaluation of the position with this key, if it is in the cache.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Value> {
        let key = spread(key);
        let word = self.0[(key & 0xffff) as usize];
        (word >> 16 == key >> 16 && word != 0).then(|| Value::from_bits(word as u16))
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, key: u64, static_value: Value) {
        let key = spread(key);
        self.0[(key & 0xffff) as usize] = key & !0xffff | u64::from(static_value.to_bits());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_key() {
        let mut cache = EvalCache::new(true);
        let value = Value::score(-321).unwrap();
        assert_eq!(cache.get(12_345 << 20), None);
        cache.insert(12_345 << 20, value);
        assert_eq!(cache.get(12_345 << 20), Some(value));
        assert_eq!(cache.get(12_346 << 20), None);
        cache.clear();
        assert_eq!(cache.get(12_345 << 20), None);
    }
}

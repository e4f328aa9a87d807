//! Keys of positions from plain Python values: the same on every run, independent of Python's own randomized hashes.

use emtee::{key_of, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyFrozenSet, PyInt, PyList, PyString, PyTuple};

use crate::calls::{Integer, as_integer};

/// The type of a value, which is hashed too, so that `1`, `"1"` and `(1,)` differ.
#[derive(Clone, Copy)]
enum Kind {
    None = 1,
    Integer,
    LongInteger,
    Text,
    Bytes,
    Float,
    Sequence,
    Set,
}

fn join(seed: u64, kind: Kind, value: u64) -> u64 {
    mix(seed.rotate_left(17) ^ mix(value ^ (kind as u64) << 56))
}

/// The deepest nesting of a key: one that is nested more deeply is assumed to contain itself.
const MAX_NESTING: u32 = 100;

/// The key of a value that the game returned as its key, combined with `seed`.
pub(crate) fn key_of_game(seed: u64, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if value.is_none() {
        return Err(PyTypeError::new_err(format!("key() returned None; {KEYS}, or leave key() out")));
    }
    key(seed, value)
}

const KEYS: &str = "return an int, a str, bytes, or a tuple, list or frozenset of these";

/// The key of a value, combined with `seed`.
pub(crate) fn key(seed: u64, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    nested_key(seed, value, MAX_NESTING)
}

fn nested_key(seed: u64, value: &Bound<'_, PyAny>, levels: u32) -> PyResult<u64> {
    if value.is_instance_of::<PyInt>() {
        return integer(seed, value);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(join(seed, Kind::Text, key_of(text.to_cow()?.as_bytes())));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(join(seed, Kind::Bytes, key_of(bytes.as_bytes())));
    }
    let inner = |seed: u64, item: &Bound<'_, PyAny>| match levels.checked_sub(1) {
        Some(levels) => nested_key(seed, item, levels),
        None => Err(PyValueError::new_err(format!(
            "key() returned a value that contains itself, or is nested more than {MAX_NESTING} levels deep"
        ))),
    };
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return tuple.iter().try_fold(join(seed, Kind::Sequence, tuple.len() as u64), |seed, item| inner(seed, &item));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().try_fold(join(seed, Kind::Sequence, list.len() as u64), |seed, item| inner(seed, &item));
    }
    if value.is_none() {
        return Ok(join(seed, Kind::None, 0));
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        // 0.0 and -0.0 are equal.
        return Ok(join(seed, Kind::Float, (float.value() + 0.0).to_bits()));
    }
    if let Ok(set) = value.cast::<PyFrozenSet>() {
        // The iteration order of a set is not fixed.
        let mut members = set.iter().map(|item| inner(0, &item)).collect::<PyResult<Vec<u64>>>()?;
        members.sort_unstable();
        return Ok(join(seed, Kind::Set, key_of(&members)));
    }
    if value.hasattr("__index__")? {
        return integer(seed, &value.call_method0("__index__")?);
    }
    let name = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("key() returned a {name}; {KEYS}")))
}

/// An int of any size, 64 bits at a time; the last part is signed.
fn integer(seed: u64, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let (mut seed, mut rest) = (seed, value.clone());
    loop {
        match as_integer(&rest)? {
            Integer::Small(small) => return Ok(join(seed, Kind::Integer, small as u64)),
            Integer::Large { last_bits } => {
                seed = join(seed, Kind::LongInteger, last_bits);
                rest = rest.rshift(64)?;
            }
        }
    }
}

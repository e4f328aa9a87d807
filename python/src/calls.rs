//! Calls of the user's methods: the only module with `unsafe`.
//!
//! The time of a search of a game in Python is mostly the time of its method calls. In a library built for the stable ABI of
//! Python 3.10 and later, the safe way to call a method with an argument first creates a bound method and a tuple, and each
//! call checks whether this thread is attached to the interpreter. Neither is needed here: together they took a fifth of the
//! time of a search.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Borrowed, ffi};

use crate::interrupt::is_interrupt;

/// Calls the user's code. If Ctrl-C interrupts the call, the interrupt is recorded for later and the call is made again.
#[inline(always)]
pub(crate) fn retry_interrupted<T>(py: Python<'_>, call: impl Fn() -> PyResult<T>) -> PyResult<T> {
    match call() {
        Err(error) => retry(py, error, call),
        result => result,
    }
}

#[cold]
fn retry<T>(py: Python<'_>, error: PyErr, call: impl Fn() -> PyResult<T>) -> PyResult<T> {
    if is_interrupt(py, &error) { call() } else { Err(error) }
}

/// Calls a method of the user's object.
#[inline]
pub(crate) fn call<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    retry_interrupted(object.py(), || call_once(object, name, None))
}

/// Calls a method of the user's object with a move.
#[inline]
pub(crate) fn call_with<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    m: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    retry_interrupted(object.py(), || call_once(object, name, Some(m)))
}

/// Calls a method once, with or without an argument.
#[inline(always)]
pub(crate) fn call_once<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    argument: Option<Borrowed<'_, 'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let none = null_mut::<ffi::PyObject>();
    let argument = argument.map_or(none, |argument| argument.as_ptr());
    // SAFETY: all are live objects, the list of arguments ends with a null, and the result is a new reference, or null with an
    // exception set.
    unsafe {
        let result = ffi::PyObject_CallMethodObjArgs(object.as_ptr(), name.as_ptr(), argument, none);
        Bound::from_owned_ptr_or_err(object.py(), result)
    }
}

/// Calls a function with a position and, if it takes one, a move, without a tuple of arguments.
#[inline(always)]
pub(crate) fn call_function<'py>(
    function: &Py<PyAny>,
    object: &Bound<'py, PyAny>,
    argument: Option<Borrowed<'_, 'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let none = null_mut::<ffi::PyObject>();
    let argument = argument.map_or(none, |argument| argument.as_ptr());
    retry_interrupted(object.py(), || {
        // SAFETY: as above.
        unsafe {
            let result = ffi::PyObject_CallFunctionObjArgs(function.as_ptr(), object.as_ptr(), argument, none);
            Bound::from_owned_ptr_or_err(object.py(), result)
        }
    })
}

/// The interpreter, without a check that this thread is attached to it. Tests, which have debug assertions, check it.
///
/// # Safety
///
/// This thread must be attached to the interpreter.
#[inline(always)]
pub(crate) unsafe fn interpreter() -> Python<'static> {
    // The dict of the current thread state is null if this thread is not attached.
    // SAFETY: it may be called with or without a thread state.
    debug_assert!(!unsafe { ffi::PyThreadState_GetDict() }.is_null(), "this thread is not attached to the interpreter");
    // SAFETY: the caller guarantees it.
    unsafe { Python::assume_attached() }
}

/// Sets a field of an object, bypassing any `__setattr__` of its class.
pub(crate) fn set_field(object: &Bound<'_, PyAny>, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: all are live objects. If the call fails, an exception is set.
    match unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(object.py())),
    }
}

/// Whether this is the only reference to the list, so that no other code can change it.
pub(crate) fn is_unshared(list: &Bound<'_, PyList>) -> bool {
    // SAFETY: it is a live object.
    unsafe { ffi::Py_REFCNT(list.as_ptr()) == 1 }
}

/// A Python int.
pub(crate) enum Integer {
    Small(i64),
    /// An int that does not fit into 64 bits, and its last 64 bits.
    Large {
        last_bits: u64,
    },
}

/// Reads an int. A large one is not an exception.
#[inline]
pub(crate) fn as_integer(value: &Bound<'_, PyAny>) -> PyResult<Integer> {
    let mut overflow = 0;
    // SAFETY: it is a live object. If it is not an int, an exception is set.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &mut overflow) };
    if overflow != 0 {
        // SAFETY: it is an int: only an int sets `overflow` in the call above.
        let last_bits = unsafe { ffi::PyLong_AsUnsignedLongLongMask(value.as_ptr()) };
        return Ok(Integer::Large { last_bits });
    }
    if small == -1
        && let Some(error) = PyErr::take(value.py())
    {
        return Err(error);
    }
    Ok(Integer::Small(small))
}

//! Calls of the user's methods: the one place with `unsafe`.
//!
//! A search of a game in Python is as fast as its calls. The safe way to call a method with an argument makes a bound method
//! and a tuple first, in a library that serves every Python from 3.10 on; and every question looks up whether this thread
//! holds the interpreter. Neither is needed here: together they were a fifth of the time of a search.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Borrowed, ffi};

use crate::interrupt::is_interrupt;

/// Asks the user's code. Ctrl-C is noted for later, and the question asked again.
#[inline(always)]
pub(crate) fn asked<T>(py: Python<'_>, ask: impl Fn() -> PyResult<T>) -> PyResult<T> {
    match ask() {
        Err(error) => again(py, error, ask),
        answer => answer,
    }
}

#[cold]
fn again<T>(py: Python<'_>, error: PyErr, ask: impl Fn() -> PyResult<T>) -> PyResult<T> {
    if is_interrupt(py, &error) { ask() } else { Err(error) }
}

/// Calls a method of the user's.
#[inline]
pub(crate) fn call<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    asked(object.py(), || call_once(object, name, None))
}

/// The same with a move.
#[inline]
pub(crate) fn call_with<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    m: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    asked(object.py(), || call_once(object, name, Some(m)))
}

/// Calls a method once, with an argument or without.
#[inline(always)]
pub(crate) fn call_once<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    argument: Option<Borrowed<'_, 'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let none = null_mut::<ffi::PyObject>();
    let argument = argument.map_or(none, |argument| argument.as_ptr());
    // SAFETY: all are live objects, the list of arguments ends with a null, and what comes back is a new reference, or null with an
    // exception set.
    unsafe {
        let answer = ffi::PyObject_CallMethodObjArgs(object.as_ptr(), name.as_ptr(), argument, none);
        Bound::from_owned_ptr_or_err(object.py(), answer)
    }
}

/// Calls a function with a position, and a move where it takes one, without a tuple of arguments.
#[inline(always)]
pub(crate) fn call_function<'py>(
    function: &Py<PyAny>,
    object: &Bound<'py, PyAny>,
    argument: Option<Borrowed<'_, 'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let none = null_mut::<ffi::PyObject>();
    let argument = argument.map_or(none, |argument| argument.as_ptr());
    asked(object.py(), || {
        // SAFETY: as above.
        unsafe {
            let answer = ffi::PyObject_CallFunctionObjArgs(function.as_ptr(), object.as_ptr(), argument, none);
            Bound::from_owned_ptr_or_err(object.py(), answer)
        }
    })
}

/// The interpreter, in a search of a game in Python: such a search never lets go of it.
#[inline(always)]
pub(crate) fn interpreter() -> Python<'static> {
    debug_assert!(Python::try_attach(|_| ()).is_some());
    // SAFETY: games in Python are searched by `Player::work`, which keeps the interpreter for them, and on that one thread.
    unsafe { Python::assume_attached() }
}

/// Sets a field of an object, whatever its class says about setting fields.
pub(crate) fn set_field(object: &Bound<'_, PyAny>, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: all are live objects; where it fails an exception is set.
    match unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(object.py())),
    }
}

/// Whether nobody else has this list, so that nobody can change it.
pub(crate) fn is_ours_alone(list: &Bound<'_, PyList>) -> bool {
    // SAFETY: it is a live object.
    unsafe { ffi::Py_REFCNT(list.as_ptr()) == 1 }
}

/// An int of Python's.
pub(crate) enum Integer {
    Small(i64),
    /// One that does not fit, and its last 64 bits.
    Large {
        last_bits: u64,
    },
}

/// Reads an int, without an exception for one that is large.
#[inline]
pub(crate) fn as_integer(value: &Bound<'_, PyAny>) -> PyResult<Integer> {
    let mut overflow = 0;
    // SAFETY: it is a live object, and what is no int sets an exception.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &mut overflow) };
    if overflow != 0 {
        // SAFETY: it is an int, or the call above would not have found it large.
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

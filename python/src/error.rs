//! Errors as Python exceptions, and the propagation of the user's exceptions through a search.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    emtee,
    Error,
    PyValueError,
    "An argument that emtee rejects, with a message that says what to do instead: a name, a size or a position that cannot be read, options that exclude each other, a limit out of range."
);

/// An `emtee.Error` with this message.
pub(crate) fn emtee_error(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// An exception of the user's code, as the payload of an unwind.
struct UserException(PyErr);

/// Unwinds the search with the user's exception. Unfinished nodes store nothing, so the table stays correct.
pub(crate) fn raise(error: PyErr) -> ! {
    // `resume_unwind` does not call the panic hook, so nothing is printed.
    resume_unwind(Box::new(UserException(error)))
}

/// Runs a closure that may call the user's code, and returns an exception that [`raise`] was called with.
pub(crate) fn catch_exception<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<UserException>() {
        Ok(raised) => raised.0,
        Err(other) => resume_unwind(other),
    })
}

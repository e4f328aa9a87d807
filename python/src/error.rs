//! What goes wrong, as exceptions; and exceptions of the user's, carried through a search.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    emtee,
    Error,
    PyValueError,
    "What emtee cannot do, in a sentence that says what to do instead: a name, a size or a position that cannot be read, options that do not go together, a limit that no search has."
);

/// One of ours, with its own message.
pub(crate) fn refused(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// An exception of the user's code on its way out of a search.
struct Raised(PyErr);

/// Leaves the search at once, with the user's exception. Nodes under way store nothing, so the table stays true.
pub(crate) fn raise(error: PyErr) -> ! {
    // No hook is called and nothing is printed: this is no panic of ours.
    resume_unwind(Box::new(Raised(error)))
}

/// Runs something that may call the user's code, and hands on what that raises.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(other) => resume_unwind(other),
    })
}

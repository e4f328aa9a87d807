//! Games that change in place: deep copies like those of `copy.deepcopy`, several times as fast for the types that games consist
//! of, and keys of the state of a game.

use emtee::mix;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PySet, PyString, PyTuple, PyType};

use crate::calls::set_field;

/// The objects copied so far and their copies: an object that occurs twice is copied once.
type Memo<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// A deep copy of an object. Lists, dicts, sets, tuples, NumPy arrays and plain objects are copied here, everything else by
/// `copy.deepcopy`. Objects of the classes in `shared` are not copied.
#[pyfunction]
#[pyo3(signature = (object, shared=None))]
pub(crate) fn copy_game<'py>(
    object: &Bound<'py, PyAny>,
    shared: Option<&Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyAny>> {
    deep_copy(object, shared, &mut Memo::new())
}

fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyBytes>()
}

fn deep_copy<'py>(
    value: &Bound<'py, PyAny>,
    shared: Option<&Bound<'py, PyTuple>>,
    memo: &mut Memo<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    if is_plain(value) {
        return Ok(value.clone());
    }
    if let Some((_, copy)) = memo.iter().find(|(seen, _)| seen.is(value)) {
        return Ok(copy.clone());
    }
    let py = value.py();
    if let Ok(list) = value.cast_exact::<PyList>() {
        if list.iter().all(|item| is_plain(&item)) {
            let copy = list.get_slice(0, list.len()).into_any();
            memo.push((value.clone(), copy.clone()));
            return Ok(copy);
        }
        let copy = PyList::empty(py);
        memo.push((value.clone(), copy.clone().into_any()));
        for item in list.iter() {
            copy.append(deep_copy(&item, shared, memo)?)?;
        }
        return Ok(copy.into_any());
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        if tuple.iter().all(|item| is_plain(&item)) {
            return Ok(value.clone());
        }
        let items = tuple.iter().map(|item| deep_copy(&item, shared, memo)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(py, items)?.into_any());
    }
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        let copy = PyDict::new(py);
        memo.push((value.clone(), copy.clone().into_any()));
        for (key, item) in dict.iter() {
            copy.set_item(deep_copy(&key, shared, memo)?, deep_copy(&item, shared, memo)?)?;
        }
        return Ok(copy.into_any());
    }
    if let Ok(set) = value.cast_exact::<PySet>()
        && set.iter().all(|item| is_plain(&item))
    {
        let copy = set.call_method0(intern!(py, "copy"))?;
        memo.push((value.clone(), copy.clone()));
        return Ok(copy);
    }
    if let Some(shared) = shared
        && value.is_instance(shared)?
    {
        return Ok(value.clone());
    }
    let class = value.get_type();
    match class_kind(&class)? {
        ClassKind::Array => {
            let copy = value.call_method0(intern!(py, "copy"))?;
            memo.push((value.clone(), copy.clone()));
            Ok(copy)
        }
        ClassKind::Plain => {
            static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let new = NEW.get_or_try_init(py, || py.get_type::<PyAny>().getattr("__new__").map(Bound::unbind))?;
            let copy = new.bind(py).call1((class,))?;
            memo.push((value.clone(), copy.clone()));
            // Fields are set one by one: attribute access is slower once `__dict__` of an object has been read.
            for (name, item) in value.getattr(intern!(py, "__dict__"))?.cast::<PyDict>()?.iter() {
                let item = deep_copy(&item, shared, memo)?;
                if set_field(&copy, &name, &item).is_err() {
                    copy.getattr(intern!(py, "__dict__"))?.cast::<PyDict>()?.set_item(name, item)?;
                }
            }
            Ok(copy)
        }
        ClassKind::Other => {
            let copy = py.import("copy")?.call_method1("deepcopy", (value,))?;
            memo.push((value.clone(), copy.clone()));
            Ok(copy)
        }
    }
}

/// How the objects of a class are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassKind {
    /// A `numpy.ndarray`: copied by its method `copy`.
    Array,
    /// An object whose state is its `__dict__`: its class does not customize copying or pickling and has no slots.
    Plain,
    Other,
}

fn class_kind<'py>(class: &Bound<'py, PyType>) -> PyResult<ClassKind> {
    static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = class.py();
    let known = KNOWN.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(kind) = known.get_item(class)? {
        return Ok(match kind.extract::<u8>()? {
            0 => ClassKind::Array,
            1 => ClassKind::Plain,
            _ => ClassKind::Other,
        });
    }
    let kind = if class.name()? == "ndarray" && class.module()? == "numpy" && class.hasattr(intern!(py, "dtype"))? {
        ClassKind::Array
    } else if py.import("emtee._copying")?.call_method1("is_plain_class", (class,))?.is_truthy()? {
        ClassKind::Plain
    } else {
        ClassKind::Other
    };
    known.set_item(class, kind as u8)?;
    Ok(kind)
}

/// A hash of the state of an object: the same on every run, and the same for a copy. Objects of the classes in `shared` are left
/// out. An object whose state cannot be read is a TypeError.
#[pyfunction]
#[pyo3(signature = (object, shared=None))]
pub(crate) fn state_key(object: &Bound<'_, PyAny>, shared: Option<&Bound<'_, PyTuple>>) -> PyResult<u64> {
    hash_state(object, shared, 0)
}

/// The deepest nesting that is read: an object nested more deeply is assumed to contain itself.
const MAX_NESTING: u64 = 32;

fn hash_state<'py>(value: &Bound<'py, PyAny>, shared: Option<&Bound<'py, PyTuple>>, depth: u64) -> PyResult<u64> {
    if is_plain(value) {
        return crate::key::key(depth, value);
    }
    if depth > MAX_NESTING {
        return Err(PyTypeError::new_err("the object contains itself"));
    }
    let py = value.py();
    let each = |seed: u64, items: &mut dyn Iterator<Item = Bound<'py, PyAny>>| {
        let mut joined = seed;
        for item in items {
            joined = mix(joined.rotate_left(7) ^ hash_state(&item, shared, depth + 1)?);
        }
        Ok(joined)
    };
    // The order of insertion does not matter.
    let fields = |dict: &Bound<'py, PyDict>| {
        dict.iter().try_fold(mix(3), |sum, (name, item)| {
            let name = hash_state(&name, shared, depth + 1)?;
            Ok(sum.wrapping_add(mix(name ^ mix(hash_state(&item, shared, depth + 1)?))))
        })
    };
    if let Ok(list) = value.cast_exact::<PyList>() {
        return each(mix(1), &mut list.iter());
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        return each(mix(2), &mut tuple.iter());
    }
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        return fields(dict);
    }
    if let Ok(set) = value.cast_exact::<PySet>() {
        return set
            .iter()
            .try_fold(mix(4), |sum, item| Ok(sum.wrapping_add(mix(hash_state(&item, shared, depth + 1)?))));
    }
    if let Some(shared) = shared
        && value.is_instance(shared)?
    {
        return Ok(mix(5));
    }
    let class = value.get_type();
    let kind = class_kind(&class)?;
    if kind == ClassKind::Array {
        let (shape, numbers) = (value.getattr(intern!(py, "shape"))?, value.getattr(intern!(py, "dtype"))?);
        if !numbers.getattr(intern!(py, "hasobject"))?.is_truthy()? {
            let bytes = value.call_method0(intern!(py, "tobytes"))?;
            return Ok(mix(hash_state(&shape, None, depth + 1)? ^ mix(crate::key::key(6, &bytes)?)));
        }
    }
    if kind == ClassKind::Plain {
        return fields(value.getattr(intern!(py, "__dict__"))?.cast::<PyDict>()?);
    }
    Err(PyTypeError::new_err(format!("the state of a {} cannot be read", class.name()?)))
}

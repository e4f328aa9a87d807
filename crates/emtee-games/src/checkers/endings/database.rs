//! A database that can be probed while a larger one is still being read.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Endings;

/// An endings database, and a larger one as soon as it is read.
///
/// A search probes the same database from start to end. [`EndingsEvaluator`](super::EndingsEvaluator) switches to the
/// larger one between two searches.
///
/// ```
/// use std::sync::Arc;
/// use emtee_games::checkers::endings::{Database, Endings};
///
/// let database = Database::from(Arc::new(Endings::build(2)));
/// let reader = database.clone();
/// std::thread::spawn(move || reader.complete(Arc::new(Endings::build(3)))).join().unwrap();
/// assert_eq!(database.endings().pieces(), 3);
/// ```
#[derive(Clone)]
pub struct Database {
    initial: Arc<Endings>,
    larger: Arc<OnceLock<Arc<Endings>>>,
}

impl Database {
    /// The largest database that is ready.
    pub fn endings(&self) -> &Arc<Endings> {
        self.larger.get().unwrap_or(&self.initial)
    }

    /// Sets the larger database. Only the first call has an effect.
    pub fn complete(&self, larger: Arc<Endings>) {
        _ = self.larger.set(larger);
    }
}

/// A database that is read completely.
impl From<Arc<Endings>> for Database {
    fn from(endings: Arc<Endings>) -> Database {
        Database { initial: endings, larger: Arc::new(OnceLock::new()) }
    }
}

/// Equal if the same positions can be probed now.
impl PartialEq for Database {
    fn eq(&self, other: &Database) -> bool {
        self.endings() == other.endings()
    }
}

impl Eq for Database {}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.endings().fmt(f)
    }
}

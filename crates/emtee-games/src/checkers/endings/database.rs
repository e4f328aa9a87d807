//! A database that is asked while the rest of it is still being read.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Endings;

/// What a player asks: a database, and a larger one as soon as that is there.
///
/// A search asks the same one from its beginning to its end; [`Judge`](super::Judge) takes up the larger one between two
/// searches.
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
    first: Arc<Endings>,
    whole: Arc<OnceLock<Arc<Endings>>>,
}

impl Database {
    /// What can be asked by now.
    pub fn endings(&self) -> &Arc<Endings> {
        self.whole.get().unwrap_or(&self.first)
    }

    /// The larger database has arrived. Whoever comes second is late: nothing changes.
    pub fn complete(&self, whole: Arc<Endings>) {
        // Either way there is one.
        _ = self.whole.set(whole);
    }
}

/// One that is whole.
impl From<Arc<Endings>> for Database {
    fn from(endings: Arc<Endings>) -> Database {
        Database { first: endings, whole: Arc::new(OnceLock::new()) }
    }
}

/// As much can be asked of both.
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

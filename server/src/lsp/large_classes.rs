//! The resources of classes that take long to compile. They are counted in the background; until they are counted
//! again after an edit, the last numbers stay.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use analysis::catalog::ResourceCount;
use analysis::{Analysis, FileId};

/// A class, by its file and its name.
type Class = (FileId, String);

/// The large classes of the open documents whose numbers a client has requested.
#[derive(Debug, Default)]
pub(super) struct LargeClasses {
    /// The numbers; `None` for classes that have not been counted yet.
    counts: Mutex<HashMap<Class, Option<Vec<ResourceCount>>>>,
}

impl LargeClasses {
    /// Returns the last numbers of a class, and requests that it is counted with the others.
    pub(super) fn request(&self, file: FileId, name: &str) -> Option<Vec<ResourceCount>> {
        let mut counts = self.lock();
        counts.entry((file, name.to_owned())).or_default().clone()
    }

    /// Counts the requested classes in open documents, and forgets the others. Returns whether any number is new.
    pub(super) fn count(&self, analysis: &Analysis, open: &[FileId]) -> bool {
        let requested: Vec<Class> = {
            let mut counts = self.lock();
            counts.retain(|it, _| open.contains(&it.0));
            counts.keys().cloned().collect()
        };
        let mut has_new = false;
        for class in requested {
            let counted = Some(analysis.count_large_class(class.0, &class.1));
            let mut counts = self.lock();
            let known = counts.entry(class).or_default();
            has_new |= *known != counted;
            *known = counted;
        }
        has_new
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Class, Option<Vec<ResourceCount>>>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

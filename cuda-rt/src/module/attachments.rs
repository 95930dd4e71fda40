//! Values that other parts of this crate attach to a module. They are dropped after the module is unloaded.

use super::Module;
use crate::map::SortedMap;
use core::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// A kind of names in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Namespace {
    Textures,
    Surfaces,
}

type Values = SortedMap<(Namespace, Box<str>), Arc<dyn Any + Send + Sync>>;

/// Attached values by name. Clones share the values.
#[derive(Clone, Default)]
pub(super) struct Attachments(Arc<Mutex<Values>>);

impl Attachments {
    pub(super) fn are_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Module {
    /// Returns the value that is attached to a name. Attaches a new value if there is none.
    pub(crate) fn attachment<T: Default + Send + Sync + 'static>(
        &self,
        namespace: Namespace,
        name: &str,
    ) -> Arc<T> {
        let mut values = self.0.attachments.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.get_or_insert_with((namespace, name.into()), || Arc::<T>::default());
        // Each namespace has values of one type.
        Arc::clone(value).downcast().unwrap_or_default()
    }
}

//! Modules of a library, one for each context.

use super::Library;
use crate::context::Context;
use crate::context::ContextId;
use crate::handle::{Owned, is_forked_child};
use crate::map::SortedMap;
use crate::module::attachments::Attachments;
use crate::module::{Inner, Module};
use cuda_sys::CUmodule;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Modules in use. The list does not keep them alive: otherwise no context would end before the library.
#[derive(Default)]
pub(super) struct Contexts(Mutex<SortedMap<ContextId, Used>>);

/// A context that uses or used the library.
struct Used {
    module: Weak<Owned<Inner>>,
    /// The owner of the attachments of the driver's own module. That module and its attachments stay loaded when no value holds
    /// the module.
    attachments: Attachments,
}

impl Contexts {
    fn lock(&self) -> MutexGuard<'_, SortedMap<ContextId, Used>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the module of a context, if it is in use.
    pub(super) fn find(&self, context: &Context) -> Option<Module> {
        // Another thread may have held the lock when the process was forked. The driver refuses the following calls there.
        if is_forked_child() {
            return None;
        }
        self.lock().get(&context.context_id())?.module.upgrade().map(Module)
    }

    /// Returns the one value for a module that the driver keeps for its library.
    pub(super) fn of_library(&self, raw: CUmodule, context: &Context, library: &Library) -> Module {
        let mut used = self.lock();
        let known = used.get(&context.context_id());
        if let Some(module) = known.and_then(|known| known.module.upgrade()) {
            return Module(module);
        }
        let attachments = known.map(|known| known.attachments.clone()).unwrap_or_default();
        let inner = Inner {
            raw,
            log: library.jit_log().clone(),
            context: context.clone(),
            attachments: attachments.clone(),
            signatures: Arc::clone(&library.0.signatures),
            library: Some(library.clone()),
        };
        let module = Arc::new(Owned::new(inner));
        used.retain(|_, other| other.module.strong_count() > 0 || !other.attachments.are_empty());
        used.insert(context.context_id(), Used { module: Arc::downgrade(&module), attachments });
        Module(module)
    }

    /// Returns the one module for a context, if several threads loaded it at the same time.
    pub(super) fn loaded(&self, module: Module) -> Module {
        let key = module.context().context_id();
        let mut used = self.lock();
        if let Some(first) = used.get(&key).and_then(|known| known.module.upgrade()) {
            // Unloading may wait, and reports failures to the hook.
            drop(used);
            drop(module);
            return Module(first);
        }
        used.retain(|_, other| other.module.strong_count() > 0);
        used.insert(key, Used { module: Arc::downgrade(&module.0), attachments: Attachments::default() });
        module
    }
}

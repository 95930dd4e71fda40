//! The live objects with the calls that created them.

use crate::driver::State;
use crate::driver::graphs::graph::Owner;
use crate::driver::handles::{Handle, Handles};
use crate::driver::memory::heap::Kind;
use crate::reports::LiveObject;

/// Adds the objects of one kind for which `is_own` returns that they belong to the program.
fn add<T>(
    to: &mut Vec<LiveObject>,
    kind: &'static str,
    objects: &Handles<T>,
    is_own: impl Fn(Handle, &T) -> bool,
) {
    let own = objects.iter().filter(|(handle, object)| is_own(*handle, object));
    to.extend(own.map(|(handle, _)| LiveObject {
        kind,
        memory: None,
        made_by: objects.maker(handle).call(),
    }));
}

/// Returns the kind of an allocation, as [`LiveHandles`](crate::LiveHandles) names it, or `None` if the driver itself
/// allocated it.
fn allocation_kind(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Plain => "device allocation",
        Kind::Pool(_) => "pool allocation",
        Kind::Graph => "graph allocation",
        Kind::Host { .. } => "page-locked allocation",
        Kind::Managed { is_variable: false } => "managed allocation",
        Kind::Opened => "opened allocation",
        Kind::Registered { .. } => "registered range",
        Kind::Mapped { .. } => "mapping",
        Kind::External { is_array: false } => "buffer of external memory",
        Kind::Variable
        | Kind::Managed { is_variable: true }
        | Kind::Array
        | Kind::MallocHeap
        | Kind::External { is_array: true } => {
            return None;
        }
    })
}

impl State {
    /// Lists the objects that have a handle or an address of their own.
    pub(crate) fn live_objects(&self) -> Vec<LiveObject> {
        let mut all = Vec::new();
        add(&mut all, "context", &self.contexts, |_, context| !context.is_primary);
        add(&mut all, "primary context", &self.contexts, |_, context| context.is_primary);
        add(&mut all, "green context", &self.green_contexts, |_, _| true);
        add(&mut all, "stream", &self.streams, |_, _| true);
        add(&mut all, "event", &self.events, |_, _| true);
        let of_libraries = |module| self.libraries.iter().any(|(_, library)| library.has(module));
        add(&mut all, "module", &self.modules, |module, _| !of_libraries(module));
        add(&mut all, "library", &self.libraries, |_, _| true);
        add(&mut all, "linker", &self.linkers, |_, _| true);
        let images = &self.images;
        add(&mut all, "array", &images.arrays, |_, array| !array.part);
        add(&mut all, "mipmapped array", &images.mipmapped, |array, _| !self.is_of_graphics(array));
        add(&mut all, "texture reference", &images.textures, |_, reference| reference.owner.is_none());
        add(&mut all, "graphics resource", &self.graphics.resources, |_, _| true);
        for found in self.heap.named() {
            let Some(kind) = allocation_kind(found.kind) else { continue };
            let memory = Some((found.base, found.size));
            all.push(LiveObject { kind, memory, made_by: found.made_by.call() });
        }
        add(&mut all, "graph", &self.graphs, |_, graph| !matches!(graph.owner, Owner::Node(_)));
        add(&mut all, "executable graph", &self.executables, |_, _| true);
        add(&mut all, "user object", &self.user_objects, |_, _| true);
        add(&mut all, "memory handle", &self.memories, |_, memory| memory.references > 0);
        add(&mut all, "external memory", &self.external_memories, |_, _| true);
        add(&mut all, "external semaphore", &self.semaphores.imported, |_, _| true);
        add(&mut all, "memory pool", &self.pools, |handle, pool| {
            !self.is_default_pool(handle) && pool.is_owned() && !self.may_stay(handle)
        });
        all
    }
}

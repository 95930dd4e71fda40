//! Stand-in for OpenGL: contexts that are current on threads, buffers, and images.

use crate::collections::IdMap;
use crate::driver::operations::OpId;
use core::cell::Cell;
use cuda_sys::{CUDA_ARRAY3D_DESCRIPTOR, CUdevice};

thread_local! {
    /// Number of the context that is current on this thread, or 0.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// Makes a context current on this thread, or none.
pub(crate) fn make_current(context: Option<u64>) {
    // A thread whose thread-locals are destroyed has no context.
    let _ = CURRENT.try_with(|current| current.set(context.unwrap_or(0)));
}

/// Buffer, or image without its smaller levels.
pub(crate) struct GlObject {
    pub(crate) context: u64,
    pub(crate) kind: GlKind,
    pub(crate) bytes: Vec<u8>,
    /// Maps and unmaps that use the bytes.
    pub(crate) ops: Vec<OpId>,
    /// Number of mappings.
    pub(crate) mappings: usize,
    /// True if the name was deleted. Registrations can still use the object, which lives as long as
    /// the machine.
    pub(crate) is_deleted: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum GlKind {
    Buffer,
    Image { descriptor: CUDA_ARRAY3D_DESCRIPTOR, levels: u32 },
}

/// Objects of one machine.
#[derive(Default)]
pub(crate) struct Gl {
    contexts: IdMap<u64, CUdevice>,
    objects: IdMap<u32, GlObject>,
    last_name: u32,
}

impl Gl {
    pub(crate) fn add_context(&mut self, id: u64, device: CUdevice) {
        self.contexts.insert(id, device);
    }

    pub(crate) fn remove_context(&mut self, id: u64) {
        self.contexts.remove(id);
    }

    /// Returns the context that is current on this thread, and its device.
    pub(crate) fn current(&self) -> Option<(u64, CUdevice)> {
        let id = CURRENT.try_with(Cell::get).ok()?;
        self.contexts.get(id).map(|device| (id, *device))
    }

    /// Adds an object. Returns its name.
    pub(crate) fn add_object(&mut self, context: u64, kind: GlKind, bytes: Vec<u8>) -> u32 {
        self.last_name += 1;
        let object = GlObject { context, kind, bytes, ops: Vec::new(), mappings: 0, is_deleted: false };
        self.objects.insert(self.last_name, object);
        self.last_name
    }

    /// Returns the object of a context with this name.
    pub(crate) fn named(&mut self, context: u64, name: u32) -> Option<&mut GlObject> {
        self.objects.get_mut(name).filter(|object| object.context == context && !object.is_deleted)
    }

    /// Returns an object, even if its name was deleted.
    pub(crate) fn object_mut(&mut self, name: u32) -> Option<&mut GlObject> {
        self.objects.get_mut(name)
    }

    pub(crate) fn object(&self, name: u32) -> Option<&GlObject> {
        self.objects.get(name)
    }
}

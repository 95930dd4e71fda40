//! Types that have memory and name its origins.

use super::{MemoryKind, MemoryOrigin, MemoryOwner, OriginKeep};
use crate::handle::KeepSlot;
use crate::memory::{
    AlignedBuf, DeviceBuf, DeviceSlice, DeviceSliceMut, HostMemory, ManagedBuf, PinnedBuf, PitchedBuf,
    Provenance, RegisteredBuf, VirtualMemory,
};
use crate::module::{Global, LibraryManaged};
use crate::surface::SurfObject;
use crate::texture::TexObject;

/// A value that has memory, in one or several pieces, and names the origin of each.
///
/// The trait is implemented for this crate's buffers, [`DeviceSlice`], [`DeviceSliceMut`], virtual
/// memory, variables, texture objects and surface objects. It is also implemented for types of the host (slices, arrays, [`Vec`], [`Box`]), and for tuples of such
/// types. [`Parts`] and [`ForeignMemory`](super::ForeignMemory) implement it, too. An empty value has no memory.
///
/// A view of device memory names its address and the context of its stream, but no memory kind. If access depends on
/// the kind, the driver is queried for it. Implement the trait for memory of your own allocator: see [`MemoryOrigin`].
///
/// For several pieces, the worst access holds.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::access::{Access, access};
/// use cuda_rt::DeviceBuf;
///
/// let values = DeviceBuf::<f32>::zeroed(&stream, 8)?;
/// let indices = vec![3_u32, 1, 2];
/// assert_eq!(access(&context, &values.slice(2..)?)?, Access::Accessible);
/// // An indexed array has both.
/// assert_eq!(access(&context, &(&values, &indices))?, Access::Inaccessible);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// An element type or a device has no memory:
///
/// ```compile_fail,E0277
/// # let context: cuda_rt::Context = unreachable!();
/// let _ = cuda_rt::access::can_access(&context, &cuda_rt::Device::get(0)?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no memory that could be accessed",
    note = "pass memory of other libraries as `ForeignMemory`, or implement `access::Memory`"
)]
pub trait Memory {
    /// Calls `visit` with each piece's origin, in any order.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::access::Memory;
    ///
    /// let mut pieces = 0;
    /// (vec![1, 2], [0_u8; 0], [1.0]).visit_origins(&mut |_| pieces += 1);
    /// assert_eq!(pieces, 2);
    /// ```
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>));
}

/// Several pieces of memory as one: the data and all indices of an indexed array, the fields of a structure, the elements of a
/// list.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::access::{Memory, Parts, can_access};
/// use cuda_rt::DeviceBuf;
///
/// let rows = [DeviceBuf::<f32>::zeroed(&stream, 8)?, DeviceBuf::zeroed(&stream, 8)?];
/// let parts: Vec<&dyn Memory> = rows.iter().map(|row| row as _).collect();
/// assert!(can_access(&context, &Parts(&parts))?);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Parts<'a>(pub &'a [&'a dyn Memory]);

impl core::fmt::Debug for Parts<'_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Parts").field("len", &self.0.len()).finish_non_exhaustive()
    }
}

impl Memory for Parts<'_> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        self.0.iter().for_each(|part| part.visit_origins(visit));
    }
}

impl<M: Memory + ?Sized> Memory for &M {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        (**self).visit_origins(visit);
    }
}

impl<M: Memory + ?Sized> Memory for &mut M {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        (**self).visit_origins(visit);
    }
}

impl<M: Memory + ?Sized> Memory for Box<M> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        (**self).visit_origins(visit);
    }
}

impl<M: Memory + ?Sized> Memory for std::sync::Arc<M> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        (**self).visit_origins(visit);
    }
}

impl<M: Memory> Memory for Option<M> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        self.iter().for_each(|memory| memory.visit_origins(visit));
    }
}

/// Memory of the host that is not page-locked, as far as this crate knows.
impl<T> Memory for [T] {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        if size_of_val(self) > 0 {
            visit(&MemoryOrigin::host(MemoryKind::Pageable));
        }
    }
}

macro_rules! host {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Memory for $type {
            fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
                self[..].visit_origins(visit);
            }
        }
    )*};
}
host! {
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] AlignedBuf<T>;
}

impl<T> Memory for PinnedBuf<T> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        // No reference to the elements: work may write them.
        if self.size_bytes() > 0 {
            visit(&MemoryOrigin::host(MemoryKind::Pinned));
        }
    }
}

impl<C: HostMemory> Memory for RegisteredBuf<C> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        if self.size_bytes() > 0 {
            visit(&MemoryOrigin::host(MemoryKind::Registered));
        }
    }
}

fn origin<T>(buffer: &DeviceBuf<T>) -> MemoryOrigin<'_> {
    let owner = MemoryOwner::Context(buffer.stream().context());
    let known = |kind| MemoryOrigin::kept(kind, owner, buffer.ptr());
    match buffer.provenance() {
        Provenance::SomePool => known(MemoryKind::Pool),
        Provenance::Pool(pool) => known(MemoryKind::Pool).in_pool(pool),
        Provenance::Plain => known(MemoryKind::Device),
        Provenance::Unknown => MemoryOrigin::by_address(owner, buffer.ptr().as_raw()),
    }
}

impl<T> Memory for DeviceBuf<T> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        if !self.ptr().is_null() {
            let keep = OriginKeep::Slot(self.keep_slot(), Some(self.stream()));
            visit(&origin(self).kept_by(Some(keep)));
        }
    }
}

macro_rules! device {
    ($([$($generics:tt)*] $type:ty, $kind:expr, $keep:expr;)*) => {$(
        impl<$($generics)*> Memory for $type {
            fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
                if self.size_bytes() > 0 {
                    let owner = MemoryOwner::Context(self.stream().context());
                    let keep = $keep(self).map(|slot| OriginKeep::Slot(slot, Some(self.stream())));
                    visit(&$kind(owner, self.ptr()).of_size(self.size_bytes()).kept_by(keep));
                }
            }
        }
    )*};
}

/// Names memory of a view, whose allocator is unknown. If access depends on the memory
/// kind, the driver is queried.
fn by_address<T>(owner: MemoryOwner<'_>, pointer: crate::memory::DevicePtr<T>) -> MemoryOrigin<'_> {
    MemoryOrigin::by_address(owner, pointer.as_raw())
}

/// Returns no slot: a graph cannot keep managed memory, because no check keeps the host from using
/// it during a launch of the graph.
fn not_kept<T>(_: &ManagedBuf<T>) -> Option<&KeepSlot> {
    None
}

fn managed<T>(owner: MemoryOwner<'_>, pointer: crate::memory::DevicePtr<T>) -> MemoryOrigin<'_> {
    MemoryOrigin::kept(MemoryKind::Managed, owner, pointer)
}

device! {
    [T] DeviceSlice<'_, T>, by_address, DeviceSlice::keep_slot;
    [T] DeviceSliceMut<'_, T>, by_address, DeviceSliceMut::keep_slot;
    [T] ManagedBuf<T>, managed, not_kept;
}

impl<T> Memory for PitchedBuf<T> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        if !self.ptr().is_null() {
            let owner = MemoryOwner::Context(self.stream().context());
            let keep = OriginKeep::Slot(self.keep_slot(), Some(self.stream()));
            visit(&MemoryOrigin::kept(MemoryKind::Device, owner, self.ptr()).kept_by(Some(keep)));
        }
    }
}

/// Each mapping has its own access. If there is no mapping, access is unverified. Otherwise, addresses without memory
/// do not count.
impl Memory for VirtualMemory {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        let owner = MemoryOwner::Device(self.stream().context().device());
        let mut visit = |start, bytes| {
            let keep = OriginKeep::Slot(self.keep_slot(), Some(self.stream()));
            visit(&MemoryOrigin::kept(MemoryKind::Mapped, owner, start).of_size(bytes).kept_by(Some(keep)));
        };
        let mut mappings = self.mappings().peekable();
        if mappings.peek().is_none() {
            visit(self.ptr(), 1);
        }
        mappings.for_each(|(range, _)| visit(self.ptr().add(range.start), range.len()));
    }
}

impl<T> Memory for Global<T> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        if self.size_bytes() > 0 {
            let keep = OriginKeep::Shared(self.code());
            visit(&MemoryOrigin::variable(self.context(), self.ptr().as_raw()).kept_by(Some(keep)));
        }
    }
}

/// A managed variable belongs to no context.
impl<T> Memory for LibraryManaged<T> {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        visit(&MemoryOrigin::by_address(MemoryOwner::Unknown, self.ptr().as_raw()));
    }
}

/// Only kernels of its own context can use it, wherever its texels are.
impl Memory for TexObject {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        let keep = OriginKeep::Slot(self.keep_slot(), self.resource().home());
        visit(&MemoryOrigin::of_context(MemoryKind::Texture, self.context()).kept_by(Some(keep)));
    }
}

/// Only kernels of its own context can use it.
impl Memory for SurfObject {
    fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
        let keep = OriginKeep::Slot(self.keep_slot(), Some(self.array().stream()));
        visit(&MemoryOrigin::of_context(MemoryKind::Texture, self.context()).kept_by(Some(keep)));
    }
}

macro_rules! tuples {
    ($(($($type:ident $memory:ident)*))*) => {$(
        impl<$($type: Memory),*> Memory for ($($type,)*) {
            #[allow(unused_variables)] // there may be nothing
            fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
                let ($($memory,)*) = self;
                $($memory.visit_origins(visit);)*
            }
        }
    )*};
}
for_tuples!(tuples);

//! Shares of objects, by which graphs keep them alive.

use super::cell_state::AnyCell;
use super::host_cell::HostCell;
use crate::access::OriginKeep;
use crate::array::{Array, MipmappedArray};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::external::ExternalSemaphore;
use crate::handle::KeepSlot;
use crate::list::CollectVec;
use crate::map::Numbers;
use crate::memory::{
    DeviceBuf, DeviceSlice, DeviceSliceMut, PageLocked, PitchedBuf, SideOwner, VirtualMemory,
};
use crate::module::{Function, Module};
use crate::peer::{CopyTicket, revocations};
use crate::stream::Stream;
use crate::surface::SurfObject;
use crate::texture::TexObject;
use core::any::Any;
use core::fmt;
use std::sync::Arc;

/// An object that a graph can keep alive. Its handle may be dropped then: the last graph or executable graph that keeps the
/// object alive releases it.
///
/// | type | kept object | order of launches |
/// |---|---|---|
/// | [`DeviceBuf`], [`PitchedBuf`], [`VirtualMemory`], [`DeviceSlice`], [`DeviceSliceMut`] | the memory | with the home stream |
/// | [`Array`], [`MipmappedArray`], [`TexObject`], [`SurfObject`] | the object, and its resource | with the home stream of an array |
/// | [`Module`], [`Function`], [`Event`], [`ExternalSemaphore`] | the object | – |
/// | [`HostCell`] | the host memory | with the host and the other graphs that keep it |
/// | `Arc<T>` | the value | – |
///
/// An object is dropped with the last graph or executable graph that keeps it alive. If a launch is still running then, a thread
/// of this crate drops the object after the launch. A destructor that never returns stops all later drops of that thread.
///
/// [`GraphExec::launch`](super::GraphExec::launch) describes the order. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "no graph keeps a `{Self}`",
    note = "device memory is kept by its buffer, host memory by a `graph::HostCell`, other values as an `Arc`"
)]
pub trait Keep: sealed::Keep {}

pub(super) mod sealed {
    use super::{Kept, Result};

    pub trait Keep {
        #[doc(hidden)]
        fn kept(&self) -> Result<Kept>;
    }
}

/// A share of an object.
#[derive(Clone)]
pub struct Kept {
    object: Object,
    /// The same for all shares of an object.
    key: (&'static str, usize),
    /// The home stream of memory.
    home: Option<KeptHome>,
}

/// The home stream of kept memory.
#[derive(Debug, Clone)]
pub(super) struct KeptHome {
    pub(super) stream: Stream,
    /// The number of [`revocations`] when the memory was first kept.
    pub(super) since: u64,
}

impl KeptHome {
    fn new(stream: &Stream) -> KeptHome {
        KeptHome { stream: stream.clone(), since: revocations() }
    }
}

#[derive(Clone)]
enum Object {
    Shared(#[expect(dead_code, reason = "kept alive")] Arc<dyn Any + Send + Sync>),
    Cell(Arc<dyn AnyCell>),
}

impl Kept {
    /// Returns a share of an object with a slot.
    pub(crate) fn slot(slot: &KeepSlot, home: Option<&Stream>) -> Kept {
        let share = slot.hold();
        let key = ("slot", Arc::as_ptr(&share).addr());
        Kept { object: Object::Shared(share), key, home: home.map(KeptHome::new) }
    }

    /// Returns a clone of a handle as a share. `key` names the object within its kind.
    fn clone_of<T: Any + Send + Sync>(
        handle: T,
        kind: &'static str,
        key: usize,
        home: Option<&Stream>,
    ) -> Kept {
        Kept { object: Object::Shared(Arc::new(handle)), key: (kind, key), home: home.map(KeptHome::new) }
    }

    /// Returns a share of the memory of one side of a copy of a block.
    pub(super) fn side(owner: SideOwner<'_>, home: Option<&Stream>) -> Result<Kept> {
        match owner {
            SideOwner::Slot(slot) => Ok(Kept::slot(slot, home)),
            SideOwner::Array(array) => {
                let key = ("array", array.as_raw().addr());
                let home = Some(KeptHome::new(array.stream()));
                Ok(Kept { object: Object::Shared(array.share()), key, home })
            }
            SideOwner::Graph(owner) => match owner.share().downcast::<Arc<dyn AnyCell>>() {
                Ok(cell) => Ok(Kept::cell(*cell)),
                Err(_) => Err(cannot_be_kept("memory of another kind")),
            },
            SideOwner::Unknown => Err(cannot_be_kept(
                "host memory of a slice, managed memory, or memory whose owner is not known",
            )),
        }
    }

    /// Returns the number of its home: see [`KeptHome::since`].
    fn since(&self) -> u64 {
        self.home.as_ref().map_or(0, |home| home.since)
    }

    pub(super) fn semaphore(semaphore: &ExternalSemaphore) -> Kept {
        Kept::clone_of(semaphore.clone(), "semaphore", semaphore.as_raw().addr(), None)
    }

    pub(super) fn module(module: &Module) -> Kept {
        Kept::clone_of(module.clone(), "module", module.as_raw().addr(), None)
    }

    pub(super) fn cell(cell: Arc<dyn AnyCell>) -> Kept {
        let key = ("cell", Arc::as_ptr(&cell).addr());
        Kept { object: Object::Cell(cell), key, home: None }
    }

    /// Returns a share of a value.
    pub(super) fn value(value: Arc<dyn Any + Send + Sync>) -> Kept {
        let key = ("value", Arc::as_ptr(&value).addr());
        Kept { object: Object::Shared(value), key, home: None }
    }

    /// Returns a share of the object that an argument of a kernel names.
    pub(super) fn origin(keep: OriginKeep<'_>) -> Kept {
        match keep {
            OriginKeep::Slot(slot, home) => Kept::slot(slot, home),
            OriginKeep::Shared(owner) => {
                Kept::clone_of(Arc::clone(owner), "owner", Arc::as_ptr(owner).addr(), None)
            }
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Kept")
            .field("key", &self.key)
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}

/// Shares of a graph: for its nodes, and for no node in particular.
#[derive(Clone, Default)]
pub(super) struct KeepSet {
    /// By the index of the node, if it is known.
    entries: Vec<(Option<u32>, Kept)>,
    /// The keys of objects that are kept for no node in particular.
    loose: Numbers<(&'static str, usize)>,
    /// The number of the home of each of these.
    loose_since: Vec<u64>,
}

impl KeepSet {
    /// Keeps an object for no node in particular.
    pub(super) fn add(&mut self, kept: Kept) {
        let since = kept.since();
        let number = self.loose.number_of(kept.key);
        match self.loose_since.get_mut(number) {
            None => {
                self.loose_since.push(since);
                self.entries.push((None, kept));
            }
            // Nodes that are older than the first share may have another way: see `revocations`.
            Some(known) if since < *known => {
                *known = since;
                let same = |(node, other): &&mut (Option<u32>, Kept)| node.is_none() && other.key == kept.key;
                if let Some((_, other)) = self.entries.iter_mut().find(same) {
                    *other = kept;
                }
            }
            Some(_) => {}
        }
    }

    /// Keeps objects for a node.
    pub(super) fn add_for_node(&mut self, node: u32, kept: impl IntoIterator<Item = Kept>) {
        self.entries.extend(kept.into_iter().map(|kept| (Some(node), kept)));
    }

    /// Returns whether objects are kept for a node.
    pub(super) fn has_for_node(&self, node: u32) -> bool {
        self.entries.iter().any(|(of, _)| *of == Some(node))
    }

    /// Takes out the objects that are kept for a node.
    pub(super) fn take_node(&mut self, node: u32) -> Vec<Kept> {
        let (taken, rest) =
            core::mem::take(&mut self.entries).into_iter().partition(|(of, _)| *of == Some(node));
        self.entries = rest;
        let taken: Vec<(Option<u32>, Kept)> = taken;
        taken.into_iter().map(|(_, kept)| kept).collect_vec()
    }

    /// Returns the kept objects, each with the index of its node.
    pub(super) fn entries(&self) -> &[(Option<u32>, Kept)] {
        &self.entries
    }

    /// Returns all kept objects, once each.
    pub(super) fn all(&self) -> Vec<Kept> {
        let mut all = KeepSet::default();
        all.extend(self);
        all.entries.into_iter().map(|(_, kept)| kept).collect_vec()
    }

    /// Returns the cells that are kept for nodes: the node, and the address of the cell.
    pub(super) fn cells_of_nodes(&self) -> impl Iterator<Item = (u32, usize)> {
        self.entries.iter().filter_map(|(node, kept)| match (node, &kept.object) {
            (Some(node), Object::Cell(cell)) => Some((*node, Arc::as_ptr(cell).addr())),
            _ => None,
        })
    }

    /// Keeps the objects of another set, for no node in particular.
    pub(super) fn extend(&mut self, other: &KeepSet) {
        other.entries.iter().for_each(|(_, kept)| self.add(kept.clone()));
    }

    /// Keeps the objects of another set, for the same nodes.
    pub(super) fn append(&mut self, other: KeepSet) {
        for (node, kept) in other.entries {
            match node {
                None => self.add(kept),
                Some(_) => self.entries.push((node, kept)),
            }
        }
    }

    /// Returns the home streams of the memory, once each.
    pub(super) fn homes(&self) -> Vec<KeptHome> {
        let mut homes: Vec<KeptHome> = Vec::new();
        for home in self.entries.iter().filter_map(|(_, kept)| kept.home.as_ref()) {
            match homes.iter_mut().find(|known| known.stream == home.stream) {
                Some(known) => known.since = known.since.min(home.since),
                None => homes.push(home.clone()),
            }
        }
        homes
    }

    /// Makes the ticket for work between the devices of the memory, and of a context.
    pub(super) fn ticket(&self, context: &Context) -> CopyTicket {
        CopyTicket::among(&distinct(context, self.homes().iter().map(|home| home.stream.context())))
    }

    /// Returns the cells, once each, in the order in which launches lock them.
    pub(super) fn cells(&self) -> Vec<Arc<dyn AnyCell>> {
        let cell = |kept: &Kept| match &kept.object {
            Object::Cell(cell) => Some(Arc::clone(cell)),
            Object::Shared(_) => None,
        };
        let address = |cell: &Arc<dyn AnyCell>| Arc::as_ptr(cell).addr();
        let mut cells = Vec::new();
        for cell in self.entries.iter().filter_map(|(_, kept)| cell(kept)) {
            if let Err(place) = cells.binary_search_by_key(&address(&cell), address) {
                cells.insert(place, cell);
            }
        }
        cells
    }
}

impl fmt::Debug for KeepSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("KeepSet").field("len", &self.entries.len()).finish_non_exhaustive()
    }
}

/// Returns several contexts, once each.
pub(super) fn distinct<'contexts>(
    own: &'contexts Context,
    others: impl Iterator<Item = &'contexts Context>,
) -> Vec<&'contexts Context> {
    let mut contexts = vec![own];
    for other in others {
        if !contexts.contains(&other) {
            contexts.push(other);
        }
    }
    contexts
}

/// Returns the error of memory that no graph can keep.
#[cold]
pub(super) fn cannot_be_kept(memory: &str) -> Error {
    Error::invalid(
        "graph",
        format_args!(
            "{memory} cannot be kept alive; use device memory by its buffer, and host memory by a `HostCell`"
        ),
    )
}

macro_rules! keeps {
    ($([$($generics:tt)*] $type:ty: $this:ident => $kept:expr;)*) => {$(
        impl<$($generics)*> sealed::Keep for $type {
            fn kept(&self) -> Result<Kept> {
                let $this = self;
                $kept
            }
        }
        impl<$($generics)*> Keep for $type {}
    )*};
}
keeps! {
    [T] DeviceBuf<T>: buffer => Ok(Kept::slot(buffer.keep_slot(), Some(buffer.stream())));
    [T] PitchedBuf<T>: buffer => Ok(Kept::slot(buffer.keep_slot(), Some(buffer.stream())));
    [] VirtualMemory: memory => Ok(Kept::slot(memory.keep_slot(), Some(memory.stream())));
    [T] DeviceSlice<'_, T>: slice => of_slice(slice.keep_slot(), slice.stream());
    [T] DeviceSliceMut<'_, T>: slice => of_slice(slice.keep_slot(), slice.stream());
    [] Array: array => {
        Ok(Kept::clone_of(array.clone(), "array", array.as_raw().addr(), Some(array.stream())))
    };
    [] MipmappedArray: array => {
        Ok(Kept::clone_of(array.clone(), "mipmapped array", array.as_raw().addr(), Some(array.stream())))
    };
    [] TexObject: object => Ok(Kept::slot(object.keep_slot(), object.resource().home()));
    [] SurfObject: object => Ok(Kept::slot(object.keep_slot(), Some(object.array().stream())));
    [] Module: module => Ok(Kept::module(module));
    [] Function: function => Ok(Kept::module(function.module()));
    [] Event: event => Ok(Kept::slot(event.keep_slot(), None));
    [] ExternalSemaphore: semaphore => Ok(Kept::semaphore(semaphore));
    [B: PageLocked + Send + 'static] HostCell<B>: cell => Ok(Kept::cell(cell.share()));
    [T: Send + Sync + 'static] Arc<T>: value => Ok(Kept::value(Arc::clone(value) as _));
}

/// Returns a share of the memory of a slice, if its owner lets graphs keep it.
pub(super) fn of_slice(slot: Option<&KeepSlot>, home: &Stream) -> Result<Kept> {
    match slot {
        Some(slot) => Ok(Kept::slot(slot, Some(home))),
        None => Err(cannot_be_kept("memory of a slice without a known owner, or managed memory")),
    }
}

//! Physical memory behind sparse arrays, and behind arrays with deferred mapping.

#![allow(unsafe_code)]

use super::mapping_limits::ArrayLimits;
use super::{Array, ArrayDescriptor, ArrayFlags, MipmappedArray, Part};
use crate::context::{Context, ContextRequirement, release_in, wait_for_all};
use crate::device::Device;
use crate::error::{Code, Error, ErrorKind, OrDetail, Result};
use crate::handle::{DeferredErrors, report};
use crate::list::CollectVec;
use crate::memory::PhysicalMemory;
use crate::stream::Stream;
use core::ffi::c_uint;
use core::fmt;
use core::sync::atomic::Ordering;
use cuda_sys::{
    CUarrayMapInfo, CUarrayMapInfo_st__bindgen_ty_1 as Resource,
    CUarrayMapInfo_st__bindgen_ty_2 as Subresource, CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_1 as Level,
    CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_2 as Tail, CUarrayMapInfo_st__bindgen_ty_3 as Handle,
    CUarraySparseSubresourceType_enum as Kind, CUmemOperationType_enum as Operation,
    CUresourcetype_enum as ResourceType, Symbol,
};
use std::sync::{Mutex, PoisonError};

/// Part of a sparse array, to which memory can be mapped.
///
/// For tiles, each coordinate of `at` must be a multiple of the same component of
/// [`SparseProperties::tile_size`](super::SparseProperties::tile_size). Each size must be such a multiple, too, unless the part
/// reaches the end of the level. For the mip tail, offset and size must be multiples of 64 KiB.
///
/// ```
/// use cuda_rt::array::SparsePart;
///
/// let part = SparsePart::tiles([128, 0, 0], [256, 128, 1]).on_level(1);
/// assert_eq!(part, SparsePart::Tiles { level: 1, layer: 0, at: [128, 0, 0], size: [256, 128, 1] });
/// ```
#[doc(alias("CUarraySparseSubresourceType", "CUarrayMapInfo"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SparsePart {
    /// Tiles of a level and layer.
    #[doc(alias = "CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL")]
    Tiles {
        /// Level; 0 for arrays without levels.
        level: u32,
        /// Layer; 0 for arrays without layers.
        layer: u32,
        /// First element: x, y, z.
        at: [u32; 3],
        /// Width, height and depth in elements. The depth is 1 in two dimensions.
        size: [u32; 3],
    },
    /// Part of the mip tail, which contains all levels from [`first_tail_level`](super::SparseProperties::first_tail_level) on.
    #[doc(alias = "CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL")]
    Tail {
        /// Layer; 0 if all layers share [one tail](super::SparseFlags::SINGLE_MIPTAIL).
        layer: u32,
        /// First byte in the tail: a multiple of 64 KiB.
        offset: u64,
        /// Number of bytes: a multiple of 64 KiB.
        bytes: u64,
    },
}

impl SparsePart {
    /// Returns tiles of the first level and layer.
    pub const fn tiles(at: [u32; 3], size: [u32; 3]) -> Self {
        SparsePart::Tiles { level: 0, layer: 0, at, size }
    }

    /// Returns a part of the mip tail of the first layer.
    pub const fn tail(offset: u64, bytes: u64) -> Self {
        SparsePart::Tail { layer: 0, offset, bytes }
    }

    /// Returns the same part of another level. A mip tail belongs to no level, and stays the same.
    #[must_use]
    pub const fn on_level(self, level: u32) -> Self {
        match self {
            SparsePart::Tiles { layer, at, size, .. } => SparsePart::Tiles { level, layer, at, size },
            tail @ SparsePart::Tail { .. } => tail,
        }
    }

    /// Returns the same part of another layer.
    #[must_use]
    pub const fn on_layer(self, layer: u32) -> Self {
        match self {
            SparsePart::Tiles { level, at, size, .. } => SparsePart::Tiles { level, layer, at, size },
            SparsePart::Tail { offset, bytes, .. } => SparsePart::Tail { layer, offset, bytes },
        }
    }

    fn as_raw(self) -> (Kind, Subresource) {
        match self {
            SparsePart::Tiles { level, layer, at: [x, y, z], size: [width, height, depth] } => {
                let tiles = Level {
                    level,
                    layer,
                    offsetX: x,
                    offsetY: y,
                    offsetZ: z,
                    extentWidth: width,
                    extentHeight: height,
                    extentDepth: depth,
                };
                (Kind::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL, Subresource { sparseLevel: tiles })
            }
            SparsePart::Tail { layer, offset, bytes } => {
                let tail = Tail { layer, offset, size: bytes };
                (Kind::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL, Subresource { miptail: tail })
            }
        }
    }
}

/// Reference to the array to which memory is mapped: an [`Array`] or a [`MipmappedArray`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum MappedArray<'array> {
    /// An array without levels.
    Array(&'array Array),
    /// An array with levels.
    Mipmapped(&'array MipmappedArray),
}

impl<'array> From<&'array Array> for MappedArray<'array> {
    fn from(array: &'array Array) -> Self {
        MappedArray::Array(array)
    }
}

impl<'array> From<&'array MipmappedArray> for MappedArray<'array> {
    fn from(array: &'array MipmappedArray) -> Self {
        MappedArray::Mipmapped(array)
    }
}

impl<'array> MappedArray<'array> {
    fn stream(self) -> &'array Stream {
        match self {
            MappedArray::Array(array) => array.stream(),
            MappedArray::Mipmapped(array) => array.stream(),
        }
    }

    pub(super) fn descriptor(self) -> ArrayDescriptor {
        match self {
            MappedArray::Array(array) => array.descriptor(),
            MappedArray::Mipmapped(array) => array.descriptor(),
        }
    }

    fn memory(self) -> &'array MappedMemory {
        match self {
            MappedArray::Array(array) => &array.0.memory,
            MappedArray::Mipmapped(array) => &array.0.memory,
        }
    }

    fn is_same(self, other: MappedArray<'_>) -> bool {
        match (self, other) {
            (MappedArray::Array(one), MappedArray::Array(other)) => one == other,
            (MappedArray::Mipmapped(one), MappedArray::Mipmapped(other)) => one == other,
            _ => false,
        }
    }

    /// Allows copies and bindings to use the array.
    fn set_mapped(self) {
        match self {
            MappedArray::Array(array) => array.0.mapped.store(true, Ordering::Relaxed),
            MappedArray::Mipmapped(array) => array.0.mapped.store(true, Ordering::Relaxed),
        }
    }

    fn as_raw(self) -> (ResourceType, Resource) {
        match self {
            MappedArray::Array(array) => {
                (ResourceType::CU_RESOURCE_TYPE_ARRAY, Resource { array: array.as_raw() })
            }
            MappedArray::Mipmapped(array) => {
                (ResourceType::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, Resource { mipmap: array.as_raw() })
            }
        }
    }

    /// Refuses arrays that were made without a flag, and parts of other arrays.
    fn ensure_made_with(self, flag: ArrayFlags) -> Result<()> {
        if let MappedArray::Array(array) = self
            && matches!(array.0.part, Part::Level(_) | Part::Plane(_))
        {
            let text = "it is a level or a plane of another array; map the memory to that one";
            return Err(Error::invalid("array", format_args!("{text}")));
        }
        let descriptor = self.descriptor();
        if descriptor.flags.contains(flag) {
            return Ok(());
        }
        Err(Error::invalid("array", format_args!("{}", descriptor.lacks(flag))))
    }
}

/// Physical memory that was mapped to an array.
/// The array keeps the memory alive as long as the array lives.
///
/// The driver crashes if the handle is released before the mapping is carried out (fact V1014).
#[derive(Default)]
pub(super) struct MappedMemory(Mutex<Vec<PhysicalMemory>>);

impl MappedMemory {
    fn keep(&self, memory: &PhysicalMemory) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.contains(memory) {
            kept.push(memory.clone());
        }
    }

    /// Leaks the memory: the array lives on outside this crate, or its mappings may not be carried out yet.
    pub(super) fn leak(self) {
        let _forever = core::mem::ManuallyDrop::new(self);
    }

    /// Waits for the mappings if the array could not be released. Leaks the memory if that fails, too.
    pub(super) fn after_release(&mut self, released: &Result<()>, context: &Context) {
        let is_empty = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty();
        if is_empty || released.is_ok() {
            return;
        }
        let wait = &mut |errors: &mut DeferredErrors| wait_for_all(context, errors);
        match release_in(context, ContextRequirement::Current, Symbol::cuCtxSynchronize, wait) {
            Ok(()) => {}
            // No work runs in a context that was destroyed.
            Err(error) if error.kind() == ErrorKind::ContextLost => {}
            Err(error) => {
                report(Err(error));
                core::mem::take(self).leak();
            }
        }
    }
}

/// A batch of mappings: physical memory to map to parts of arrays, and parts to unmap.
///
/// The arrays must be made with [`ArrayFlags::SPARSE`] or [`ArrayFlags::DEFERRED_MAPPING`], and the memory as a [tile
/// pool](crate::memory::PhysicalMemoryOptions::tile_pool). Parts of sparse arrays without memory read as zeros, and writes to
/// them are lost. The memory is not initialised by mapping. It may be mapped to several parts, which then share their contents.
///
/// An array keeps all memory alive that was ever mapped to it, until the array is destroyed.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings, SparsePart};
/// use cuda_rt::device::DeviceAttribute;
/// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
///
/// let device = context.device();
/// if device.attribute(DeviceAttribute::SPARSE_CUDA_ARRAY_SUPPORTED)? == 0 {
///     return Ok(());
/// }
/// let image = ArrayDescriptor::plane(1024, 1024, ArrayFormat::FLOAT, 1).with_flags(ArrayFlags::SPARSE);
/// let image = Array::new(&stream, image)?;
/// let [width, height, _] = image.sparse_properties()?.tile_size;
///
/// let options = PhysicalMemoryOptions::new().tile_pool(true);
/// let pool = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
/// let mut mappings = ArrayMappings::new();
/// mappings.map(&image, SparsePart::tiles([width, 0, 0], [2 * width, height, 1]), &pool, 0)?;
/// mappings.submit(&stream)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[must_use = "nothing is mapped before `submit` is called"]
#[derive(Default)]
#[doc(alias("cuMemMapArrayAsync", "CUarrayMapInfo"))]
pub struct ArrayMappings<'array> {
    operations: Vec<Mapping<'array>>,
}

/// A part to map, or to unmap if there is no memory.
struct Mapping<'array> {
    array: MappedArray<'array>,
    /// `None` stands for the whole array.
    part: Option<SparsePart>,
    /// The memory, and the offset of the part in it.
    memory: Option<(PhysicalMemory, u64)>,
}

impl<'array> ArrayMappings<'array> {
    /// Makes an empty batch.
    pub fn new() -> Self {
        ArrayMappings::default()
    }

    /// Adds memory to map to a part of a sparse array, in place of its present memory.
    ///
    /// The part uses the bytes of `memory` from `offset` on. `offset` must be a multiple of 64 KiB.
    /// A tile takes 64 KiB, also where the level ends inside the tile. Tiles are ordered along x,
    /// then y, then z.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument):
    ///
    /// - The array was not made with [`ArrayFlags::SPARSE`], or is a level or plane of another array.
    /// - The memory is not a tile pool of the array's device.
    pub fn map(
        &mut self,
        array: impl Into<MappedArray<'array>>,
        part: SparsePart,
        memory: &PhysicalMemory,
        offset: u64,
    ) -> Result<&mut Self> {
        self.add(array.into(), ArrayFlags::SPARSE, Some(part), Some((memory, offset)))
    }

    /// Adds a part of a sparse array to unmap.
    ///
    /// # Errors
    ///
    /// Same as [`map`](Self::map), for the array.
    pub fn unmap(&mut self, array: impl Into<MappedArray<'array>>, part: SparsePart) -> Result<&mut Self> {
        self.add(array.into(), ArrayFlags::SPARSE, Some(part), None)
    }

    /// Adds memory to map to the whole of an array that was made with [`ArrayFlags::DEFERRED_MAPPING`].
    ///
    /// After the mappings are submitted, copies and bindings may use the array. [`Array::memory_requirements`] returns the number
    /// of bytes and the alignment of `offset`. Memory can replace other memory. It cannot be unmapped, because a use of such an
    /// array without memory causes a [sticky](Code::is_sticky) error in its context.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the array was not made with that flag, or is a level or
    ///   plane of another array.
    /// - The same kind: the memory is not a tile pool of the array's device.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings};
    /// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
    ///
    /// let device = context.device();
    /// let image = ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1).with_flags(ArrayFlags::DEFERRED_MAPPING);
    /// let Ok(image) = Array::new(&stream, image) else { return Ok(()) };
    /// let options = PhysicalMemoryOptions::new().tile_pool(true);
    /// let unit = PhysicalMemory::granularity(device, options)?;
    /// let bytes = image.memory_requirements(device)?.bytes.next_multiple_of(unit);
    /// let memory = PhysicalMemory::new(device, bytes, options)?;
    /// let mut mappings = ArrayMappings::new();
    /// mappings.map_whole(&image, &memory, 0)?;
    /// mappings.submit(&stream)?;
    /// image.copy_all_from_host(&[0.5_f32; 64 * 64])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn map_whole(
        &mut self,
        array: impl Into<MappedArray<'array>>,
        memory: &PhysicalMemory,
        offset: u64,
    ) -> Result<&mut Self> {
        self.add(array.into(), ArrayFlags::DEFERRED_MAPPING, None, Some((memory, offset)))
    }

    fn add(
        &mut self,
        array: MappedArray<'array>,
        flag: ArrayFlags,
        part: Option<SparsePart>,
        memory: Option<(&PhysicalMemory, u64)>,
    ) -> Result<&mut Self> {
        array.ensure_made_with(flag)?;
        let device = array.stream().context().device();
        if let Some((memory, _)) = memory
            && memory.tile_pool_device() != Some(device)
        {
            return Err(Error::invalid(
                "physical memory",
                format_args!(
                    "it is not a tile pool of device {}; make it with `PhysicalMemoryOptions::tile_pool`",
                    device.as_raw()
                ),
            ));
        }
        let memory = memory.map(|(memory, offset)| (memory.clone(), offset));
        self.operations.push(Mapping { array, part, memory });
        Ok(self)
    }

    /// Queues all operations on the stream, which must be the home stream of all arrays. Does not wait.
    ///
    /// The operations are carried out in the order of the stream. Wraps `cuMemMapArrayAsync`, which is called once for each run
    /// of operations of one kind: on tiles, on mip tails, or on whole arrays, and with or without levels. If the driver refuses
    /// an operation, no operation of its run or of later runs is carried out. Before the first call,
    /// `cuArrayGetSparseProperties` and similar functions query the sizes of the arrays.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the home stream of an array is another stream. Nothing is
    ///   queued.
    /// - The same kind: a part is empty, is not inside its array, or does not consist of whole tiles. In the mip tail,
    ///   offset and bytes are not multiples of 64 KiB. Nothing is queued.
    /// - The same kind: tiles are on a level that belongs to the mip tail. Nothing is queued.
    /// - The same kind: the offset of a part is not a multiple of 64 KiB. Nothing is queued.
    /// - The same kind: the offset of a whole array is not a multiple of its
    ///   [alignment](super::MemoryRequirements::alignment). Nothing is queued.
    /// - The same kind: a part or a whole array does not fit into the rest of the memory. Nothing is queued.
    /// - [`Code::InvalidValue`]: the driver refuses an operation.
    /// - [`Code::NotSupported`]: the driver cannot map memory to arrays.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - An earlier failure.
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn submit(self, stream: &Stream) -> Result<()> {
        const CALL: Symbol = Symbol::cuMemMapArrayAsync;
        if let Some(index) = self.operations.iter().position(|mapping| mapping.array.stream() != stream) {
            return Err(Error::invalid_for(
                CALL,
                format_args!("operation {index}: its array is on another stream; submit it there"),
            ));
        }
        if self.operations.is_empty() {
            return Ok(());
        }
        stream.refuse_capture(CALL)?;
        let device = stream.context().device();
        self.ensure_inside(device)?;
        // The mask has one bit for each device. The driver has no devices with ordinals above 31.
        let mask =
            u32::try_from(device.as_raw()).ok().and_then(|device| 1_u32.checked_shl(device)).unwrap_or(0);
        for mapping in &self.operations {
            if let Some((memory, _)) = &mapping.memory {
                mapping.array.memory().keep(memory);
            }
        }
        let _bound = stream.context().bind(CALL)?;
        // The driver loses some operations of a list with several kinds (fact V1016).
        for run in self.operations.chunk_by(|one, next| one.kind() == next.kind()) {
            let mut raw: Vec<CUarrayMapInfo> = run.iter().map(|mapping| mapping.as_raw(mask)).collect_vec();
            let count = c_uint::try_from(raw.len()).map_err(|_| {
                Error::invalid_for(CALL, format_args!("more than {} operations", c_uint::MAX))
            })?;
            let list = raw.as_mut_ptr();
            // SAFETY: there are `count` operations, on live arrays. All parts are inside their arrays and their memory, which the
            // arrays keep alive. The context is current.
            unsafe { check!(cuMemMapArrayAsync(list, count, stream.raw())) }
                .or_detail(&[Code::InvalidValue], &|| described(run))?;
            for mapping in run.iter().filter(|mapping| mapping.part.is_none()) {
                mapping.array.set_mapped();
            }
        }
        Ok(())
    }

    /// Refuses parts that are not inside their array or their memory.
    fn ensure_inside(&self, device: Device) -> Result<()> {
        let mut known: Option<(MappedArray<'_>, ArrayLimits)> = None;
        for (index, mapping) in self.operations.iter().enumerate() {
            let limits = match known.take() {
                Some((array, limits)) if array.is_same(mapping.array) => limits,
                _ => ArrayLimits::of(mapping.array, device)?,
            };
            let memory = mapping.memory.as_ref();
            let memory = memory.map(|(memory, offset)| (*offset, memory.size_bytes() as u64));
            limits.check(index, mapping.part, memory)?;
            known = Some((mapping.array, limits));
        }
        Ok(())
    }
}

/// Describes a run of operations for errors: the driver does not say which operation it refuses.
fn described(run: &[Mapping<'_>]) -> String {
    let first = run.first();
    let first = first.map(|mapping| (mapping.part, mapping.memory.as_ref().map(|(_, offset)| offset)));
    let first = match first {
        Some((Some(part), Some(offset))) => format!("{part:?} at offset {offset}"),
        Some((Some(part), None)) => format!("{part:?}, unmapped"),
        Some((None, offset)) => format!("the array at offset {}", offset.unwrap_or(&0)),
        None => String::new(),
    };
    match run.len() {
        1 => first,
        count => format!("{count} operations, the first on {first}"),
    }
}

impl Mapping<'_> {
    /// Returns the kind of the array, and of the part.
    fn kind(&self) -> (ResourceType, Option<Kind>) {
        (self.array.as_raw().0, self.part.map(|part| part.as_raw().0))
    }

    fn as_raw(&self, device_mask: u32) -> CUarrayMapInfo {
        let (resource_type, resource) = self.array.as_raw();
        // The driver ignores the parts of arrays that are mapped as a whole.
        let (kind, subresource) = self.part.unwrap_or(SparsePart::tiles([0; 3], [0; 3])).as_raw();
        let (operation, handle, offset) = match &self.memory {
            Some((memory, offset)) => (Operation::CU_MEM_OPERATION_TYPE_MAP, memory.as_raw(), *offset),
            None => (Operation::CU_MEM_OPERATION_TYPE_UNMAP, 0, 0),
        };
        CUarrayMapInfo {
            resourceType: resource_type,
            resource,
            subresourceType: kind,
            subresource,
            memOperationType: operation,
            memHandle: Handle { memHandle: handle },
            offset,
            deviceBitMask: device_mask,
            ..CUarrayMapInfo::default()
        }
    }
}

impl fmt::Debug for ArrayMappings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.operations.iter().map(|mapping| mapping.part).collect_vec();
        formatter.debug_struct("ArrayMappings").field("parts", &parts).finish_non_exhaustive()
    }
}

//! Descriptors of arrays.

use super::format::ArrayFormat;
use crate::error::Error;
use crate::memory::Shape;
use cuda_sys::{CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUarray_format};

flags! {
    /// Flags of an array. Flags that this crate does not know are passed on.
    ///
    /// There is no flag for access by other devices: their access depends on the [peer access](crate::peer) of the contexts.
    ///
    /// ```
    /// use cuda_rt::array::ArrayFlags;
    ///
    /// let flags = ArrayFlags::LAYERED | ArrayFlags::SURFACE_LDST;
    /// assert_eq!(flags.bits(), 3);
    /// ```
    #[doc(alias = "CUDA_ARRAY3D")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ArrayFlags {
        /// Layers: the depth is a number of layers, and textures do not filter between layers.
        #[doc(alias("CUDA_ARRAY3D_LAYERED", "CUDA_ARRAY3D_2DARRAY"))]
        const LAYERED = cuda_sys::CUDA_ARRAY3D_LAYERED;
        /// Surfaces: the array can be bound to surfaces.
        #[doc(alias = "CUDA_ARRAY3D_SURFACE_LDST")]
        const SURFACE_LDST = cuda_sys::CUDA_ARRAY3D_SURFACE_LDST;
        /// Cube: six square layers are the faces of a cube.
        #[doc(alias = "CUDA_ARRAY3D_CUBEMAP")]
        const CUBEMAP = cuda_sys::CUDA_ARRAY3D_CUBEMAP;
        /// Gathering: textures can gather from the array.
        #[doc(alias = "CUDA_ARRAY3D_TEXTURE_GATHER")]
        const TEXTURE_GATHER = cuda_sys::CUDA_ARRAY3D_TEXTURE_GATHER;
        /// Depth texture of graphics. An H200 refuses the flag in an array that is not of a graphics API.
        #[doc(alias = "CUDA_ARRAY3D_DEPTH_TEXTURE")]
        const DEPTH_TEXTURE = cuda_sys::CUDA_ARRAY3D_DEPTH_TEXTURE;
        /// Color attachment of graphics. An H200 refuses the flag in an array that is not of a graphics API.
        #[doc(alias = "CUDA_ARRAY3D_COLOR_ATTACHMENT")]
        const COLOR_ATTACHMENT = cuda_sys::CUDA_ARRAY3D_COLOR_ATTACHMENT;
        /// Sparse array: memory can be mapped to its [tiles](super::SparseProperties). Where there is no memory, reads return
        /// zeros, and writes are lost.
        #[doc(alias = "CUDA_ARRAY3D_SPARSE")]
        const SPARSE = cuda_sys::CUDA_ARRAY3D_SPARSE;
        /// Deferred mapping: the array has no memory until memory is mapped to [all of it](super::MemoryRequirements). See
        /// [`Array::assume_mapped`](super::Array::assume_mapped).
        #[doc(alias = "CUDA_ARRAY3D_DEFERRED_MAPPING")]
        const DEFERRED_MAPPING = cuda_sys::CUDA_ARRAY3D_DEFERRED_MAPPING;
        /// Video: hardware that encodes and decodes video can use the array. Needed for formats of video.
        #[doc(alias = "CUDA_ARRAY3D_VIDEO_ENCODE_DECODE")]
        const VIDEO_ENCODE_DECODE = cuda_sys::CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
        const _ = !0;
    }
}

/// Description of an array. Sizes are in elements. If the height is 0, there is one dimension; if the depth is 0, there are two.
///
/// ```
/// use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat};
///
/// let image = ArrayDescriptor::plane(640, 480, ArrayFormat::UNSIGNED_INT8, 4).surface();
/// assert_eq!(image.element_bytes(), Some(4));
/// assert_eq!(image.copy_size(), Some([2560, 480, 1]));
/// assert_eq!(image.flags, ArrayFlags::SURFACE_LDST);
/// ```
#[doc(alias("CUDA_ARRAY_DESCRIPTOR", "CUDA_ARRAY3D_DESCRIPTOR"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayDescriptor {
    /// Number of elements of a row.
    pub width: usize,
    /// Number of rows, or 0.
    pub height: usize,
    /// Number of slices, layers, or faces of cubes, or 0.
    pub depth: usize,
    /// Format of a channel.
    pub format: ArrayFormat,
    /// Number of channels of an element: 1, 2 or 4, or the number of the [format](ArrayFormat::channels).
    pub channels: u32,
    /// Flags of the array.
    pub flags: ArrayFlags,
}

impl ArrayDescriptor {
    /// Describes an array of one dimension.
    pub fn line(width: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { width, height: 0, depth: 0, format, channels, flags: ArrayFlags::default() }
    }

    /// Describes an array of two dimensions.
    pub fn plane(width: usize, height: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { height, ..Self::line(width, format, channels) }
    }

    /// Describes an array of three dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
    ///
    /// let volume = ArrayDescriptor::volume(32, 16, 8, ArrayFormat::FLOAT, 1);
    /// assert_eq!((volume.width, volume.height, volume.depth), (32, 16, 8));
    /// ```
    pub fn volume(width: usize, height: usize, depth: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { height, depth, ..Self::line(width, format, channels) }
    }

    /// Describes an array of `layers` lines.
    pub fn layered_line(width: usize, layers: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { depth: layers, ..Self::line(width, format, channels) }
            .with_flags(ArrayFlags::LAYERED)
    }

    /// Describes an array of `layers` planes.
    pub fn layered_plane(
        width: usize,
        height: usize,
        layers: usize,
        format: ArrayFormat,
        channels: u32,
    ) -> Self {
        Self::volume(width, height, layers, format, channels).with_flags(ArrayFlags::LAYERED)
    }

    /// Describes the six faces of a cube, each `size` elements wide and high: towards +x, -x, +y, -y, +z and -z. Copies and
    /// surfaces treat the faces as slices and layers.
    pub fn cubemap(size: usize, format: ArrayFormat, channels: u32) -> Self {
        Self::volume(size, size, 6, format, channels).with_flags(ArrayFlags::CUBEMAP)
    }

    /// Describes an array of `cubes` cubes. Their faces, one cube after the other, are 6 times as many layers, each `size`
    /// elements wide and high.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat};
    ///
    /// let lines = ArrayDescriptor::layered_line(64, 3, ArrayFormat::FLOAT, 1);
    /// assert_eq!((lines.width, lines.height, lines.depth), (64, 0, 3));
    /// let planes = ArrayDescriptor::layered_plane(64, 32, 3, ArrayFormat::FLOAT, 1);
    /// assert_eq!((planes.width, planes.height, planes.depth), (64, 32, 3));
    /// let cube = ArrayDescriptor::cubemap(64, ArrayFormat::FLOAT, 1);
    /// assert_eq!((cube.width, cube.height, cube.depth), (64, 64, 6));
    /// let cubes = ArrayDescriptor::layered_cubemap(64, 2, ArrayFormat::FLOAT, 1);
    /// assert_eq!((cubes.depth, cubes.flags), (12, ArrayFlags::CUBEMAP | ArrayFlags::LAYERED));
    /// ```
    pub fn layered_cubemap(size: usize, cubes: usize, format: ArrayFormat, channels: u32) -> Self {
        // A number that does not fit exceeds every device, and the driver refuses it.
        let faces = cubes.saturating_mul(6);
        Self::volume(size, size, faces, format, channels)
            .with_flags(ArrayFlags::CUBEMAP | ArrayFlags::LAYERED)
    }

    /// Adds flags.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat};
    ///
    /// let image = ArrayDescriptor::plane(640, 480, ArrayFormat::FLOAT, 1);
    /// let image = image.with_flags(ArrayFlags::SPARSE).gather();
    /// assert_eq!(image.flags, ArrayFlags::SPARSE | ArrayFlags::TEXTURE_GATHER);
    /// ```
    #[must_use]
    pub fn with_flags(self, flags: ArrayFlags) -> Self {
        ArrayDescriptor { flags: self.flags | flags, ..self }
    }

    /// Enables surfaces: adds [`ArrayFlags::SURFACE_LDST`].
    #[must_use]
    pub fn surface(self) -> Self {
        self.with_flags(ArrayFlags::SURFACE_LDST)
    }

    /// Enables gathering textures: adds [`ArrayFlags::TEXTURE_GATHER`].
    #[must_use]
    pub fn gather(self) -> Self {
        self.with_flags(ArrayFlags::TEXTURE_GATHER)
    }

    /// Returns the driver's two-dimensional descriptor, if it can express the description.
    pub(super) fn flat(&self) -> Option<CUDA_ARRAY_DESCRIPTOR> {
        (self.depth == 0 && self.flags.is_empty()).then_some(CUDA_ARRAY_DESCRIPTOR {
            Width: self.width,
            Height: self.height,
            Format: CUarray_format(self.format.0),
            NumChannels: self.channels,
        })
    }

    /// Returns the driver's three-dimensional descriptor.
    pub(crate) fn full(&self) -> CUDA_ARRAY3D_DESCRIPTOR {
        CUDA_ARRAY3D_DESCRIPTOR {
            Width: self.width,
            Height: self.height,
            Depth: self.depth,
            Format: CUarray_format(self.format.0),
            NumChannels: self.channels,
            Flags: self.flags.bits(),
        }
    }

    /// Returns the description for a three-dimensional descriptor of the driver.
    pub(super) fn of(full: &CUDA_ARRAY3D_DESCRIPTOR) -> Self {
        ArrayDescriptor {
            width: full.Width,
            height: full.Height,
            depth: full.Depth,
            format: ArrayFormat(full.Format.0),
            channels: full.NumChannels,
            flags: ArrayFlags::from_bits_retain(full.Flags),
        }
    }

    /// Returns the description for a two-dimensional descriptor of the driver.
    pub(super) fn of_flat(flat: &CUDA_ARRAY_DESCRIPTOR) -> Self {
        Self::plane(flat.Width, flat.Height, ArrayFormat(flat.Format.0), flat.NumChannels)
    }

    /// Returns the largest number of levels of an array of this size.
    pub(super) fn most_levels(&self) -> u32 {
        // The number of layers is not halved.
        let layered = self.flags.intersects(ArrayFlags::LAYERED | ArrayFlags::CUBEMAP);
        let depth = if layered { 0 } else { self.depth };
        1 + self.width.max(self.height).max(depth).max(1).ilog2()
    }

    /// Describes the array for errors. Sizes that do not fit become the largest number.
    pub(crate) fn detail(&self) -> String {
        let ArrayDescriptor { width, height, depth, format, channels, flags } = self;
        let flags = flags.bits();
        format!(
            "{width} x {height} x {depth} elements of {channels} channels, format {format}, flags {flags:#x}"
        )
    }

    /// Returns the error of an array that was made without the flag for surfaces.
    #[cold]
    pub(crate) fn not_for_surfaces(&self) -> Error {
        let (flags, needed) = (self.flags.bits(), ArrayFlags::SURFACE_LDST.bits());
        Error::invalid(
            "array",
            format_args!("flags {flags:#x} do not contain SURFACE_LDST, {needed:#x}; make the array with it"),
        )
    }

    /// Describes a missing flag for errors.
    #[cold]
    pub(super) fn lacks(&self, needed: ArrayFlags) -> String {
        let (needed, flags) = (needed.bits(), self.flags.bits());
        format!("the array must be made with flags {needed:#x}, and has {flags:#x}")
    }

    /// Returns the bytes of an element, if each element has its own bytes and the format is [known](ArrayFormat::element_bytes).
    pub fn element_bytes(&self) -> Option<usize> {
        self.format.element_bytes(self.channels)
    }

    /// Returns the size of the whole array in units of copies: bytes of a row, rows, slices. For a block-compressed format these
    /// are rows of blocks. `None` if the size is unknown to this crate, or overflows.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
    ///
    /// let volume = ArrayDescriptor::volume(4, 3, 2, ArrayFormat::UNSIGNED_INT16, 1);
    /// let [width, height, depth] = volume.copy_size().unwrap();
    /// assert_eq!([width, height, depth], [8, 3, 2]);
    /// // From the middle of a larger volume, of 10 times 10 times 10 elements.
    /// let larger = DeviceBuf::<u16>::zeroed(&stream, 1000)?;
    /// let from = CopySource::device(larger.as_slice()).pitch(20).height(10).at(6, 3, 4);
    /// let array = Array::new(&stream, volume)?;
    /// Memcpy3D::new(CopyDestination::array(&array), from, width, height, depth).copy()?;
    ///
    /// let compressed = ArrayDescriptor::plane(10, 10, ArrayFormat::BC1_UNORM, 4);
    /// assert_eq!(compressed.copy_size(), Some([24, 3, 1])); // 3 times 3 blocks
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn copy_size(&self) -> Option<[usize; 3]> {
        let Shape { width, rows, slices, unit_bytes } = self.shape();
        Some([width.checked_mul(unit_bytes?)?, rows, slices])
    }

    /// Returns the bytes of all elements, without padding. 0 if the size is unknown to this crate.
    pub(super) fn total_bytes(&self) -> usize {
        self.copy_size().map_or(0, |size| size.into_iter().fold(1, usize::saturating_mul))
    }

    /// Refuses an array that safe functions must not use.
    pub(crate) fn usable(&self, is_mapped: bool) -> crate::Result<()> {
        let (flags, format) = (self.flags.bits(), self.format);
        if format.is_packed_video() {
            // Driver 580 mixes up the memory of such arrays with the memory of others, even of other arrays (measured).
            return Err(Error::invalid(
                "array",
                format_args!(
                    "format {format} is not allowed in safe functions: drivers mix up the memory of such arrays; use the raw API"
                ),
            ));
        }
        if is_mapped {
            return Ok(());
        }
        Err(Error::invalid(
            "array",
            format_args!(
                "flags {flags:#x} contain DEFERRED_MAPPING, and no memory is known to be mapped; call `assume_mapped` after mapping"
            ),
        ))
    }

    /// Returns the size in units of copies. A block that the size cuts counts as a whole one.
    pub(crate) fn shape(&self) -> Shape {
        let (rows, slices) = (self.height.max(1), self.depth.max(1));
        match self.format.block_bytes() {
            Some(bytes) => Shape {
                width: self.width.div_ceil(4),
                rows: rows.div_ceil(4),
                slices,
                unit_bytes: Some(bytes),
            },
            None => Shape { width: self.width, rows, slices, unit_bytes: self.element_bytes() },
        }
    }
}

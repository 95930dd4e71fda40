//! What an array is like.

use super::format::ArrayFormat;
use crate::error::Detail;
use cuda_sys::{CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUarray_format};

bitflags::bitflags! {
    /// How an array is made. Flags that this crate does not know are handed on.
    #[doc(alias = "CUDA_ARRAY3D")]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ArrayFlags: u32 {
        /// The depth is a number of layers, which are not filtered between.
        #[doc(alias("CUDA_ARRAY3D_LAYERED", "CUDA_ARRAY3D_2DARRAY"))]
        const LAYERED = cuda_sys::CUDA_ARRAY3D_LAYERED;
        /// Surfaces can be bound to it.
        #[doc(alias = "CUDA_ARRAY3D_SURFACE_LDST")]
        const SURFACE_LDST = cuda_sys::CUDA_ARRAY3D_SURFACE_LDST;
        /// Six square layers are the faces of a cube.
        #[doc(alias = "CUDA_ARRAY3D_CUBEMAP")]
        const CUBEMAP = cuda_sys::CUDA_ARRAY3D_CUBEMAP;
        /// Textures gather from it.
        #[doc(alias = "CUDA_ARRAY3D_TEXTURE_GATHER")]
        const TEXTURE_GATHER = cuda_sys::CUDA_ARRAY3D_TEXTURE_GATHER;
        const _ = !0;
    }
}

/// What an array is like. Sizes are in elements; a height of 0 means one dimension, a depth of 0 means two.
///
/// ```
/// use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
///
/// let image = ArrayDescriptor::plane(640, 480, ArrayFormat::UNSIGNED_INT8, 4);
/// assert_eq!(image.element_bytes(), Some(4));
/// ```
#[doc(alias("CUDA_ARRAY_DESCRIPTOR", "CUDA_ARRAY3D_DESCRIPTOR"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayDescriptor {
    /// Elements in a row.
    pub width: usize,
    /// Rows, or 0.
    pub height: usize,
    /// Slices or layers, or 0.
    pub depth: usize,
    /// What a channel holds.
    pub format: ArrayFormat,
    /// Channels of an element: 1, 2 or 4.
    pub channels: u32,
    /// How it is made.
    pub flags: ArrayFlags,
}

impl ArrayDescriptor {
    /// One dimension.
    ///
    /// # Examples
    ///
    /// See [`Array`].
    pub fn line(width: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { width, height: 0, depth: 0, format, channels, flags: ArrayFlags::default() }
    }

    /// Two dimensions.
    ///
    /// # Examples
    ///
    /// See [`ArrayDescriptor`].
    pub fn plane(width: usize, height: usize, format: ArrayFormat, channels: u32) -> Self {
        ArrayDescriptor { height, ..Self::line(width, format, channels) }
    }

    /// Three dimensions.
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

    /// As the driver has it for two dimensions at most, if that says it all.
    pub(super) fn flat(&self) -> Option<CUDA_ARRAY_DESCRIPTOR> {
        (self.depth == 0 && self.flags.is_empty()).then_some(CUDA_ARRAY_DESCRIPTOR {
            Width: self.width,
            Height: self.height,
            Format: CUarray_format(self.format.0),
            NumChannels: self.channels,
        })
    }

    /// As the driver has it.
    pub(super) fn full(&self) -> CUDA_ARRAY3D_DESCRIPTOR {
        CUDA_ARRAY3D_DESCRIPTOR {
            Width: self.width,
            Height: self.height,
            Depth: self.depth,
            Format: CUarray_format(self.format.0),
            NumChannels: self.channels,
            Flags: self.flags.bits(),
        }
    }

    /// As this crate has it.
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

    /// How many levels an array of this size can have.
    pub(super) fn most_levels(&self) -> u32 {
        // Layers are not halved.
        let layered = self.flags.intersects(ArrayFlags::LAYERED | ArrayFlags::CUBEMAP);
        let depth = if layered { 0 } else { self.depth };
        1 + self.width.max(self.height).max(depth).max(1).ilog2()
    }

    /// For errors. Sizes that do not fit are the largest that do.
    pub(super) fn detail(&self) -> Detail {
        let narrow = |size| u32::try_from(size).unwrap_or(u32::MAX);
        Detail::Array {
            size: [narrow(self.width), narrow(self.height), narrow(self.depth)],
            format: self.format,
            channels: self.channels,
            flags: self.flags.bits(),
        }
    }

    /// Bytes of an element, if this crate knows the format.
    ///
    /// # Examples
    ///
    /// See [`ArrayDescriptor`].
    pub fn element_bytes(&self) -> Option<usize> {
        self.format.channel_bytes()?.checked_mul(usize::try_from(self.channels).ok()?)
    }
}

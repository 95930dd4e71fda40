//! Plain memory of textures.

#![allow(unsafe_code)]

use crate::context::Context;
use crate::error::{Error, Limit, Result};
use crate::memory::{DeviceBuf, DevicePtr, ManagedBuf, PitchedBuf};
use core::any::Any;
use core::fmt;
use cuda_sys::CUdeviceptr;
use std::sync::Arc;

/// Value that keeps memory alive.
pub(crate) type Owner = Arc<dyn Any + Send + Sync>;

/// Device memory that a texture reads as a line of texels, with a value that keeps it alive. Made of a shared buffer:
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::texture::LinearMemory;
/// use std::sync::Arc;
///
/// let samples = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?);
/// let memory = LinearMemory::from(samples.clone());
/// assert_eq!(memory.size_bytes(), 12);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// While the texture lives, the buffer is shared: only kernels can change it. Kernels that sample the buffer use it like any
/// other buffer, so the rules of [launching](crate::Kernel::launch) hold for it.
#[derive(Clone)]
pub struct LinearMemory {
    pub(crate) address: CUdeviceptr,
    bytes: usize,
    pub(crate) context: Context,
    pub(crate) owner: Owner,
}

impl LinearMemory {
    /// Wraps memory of any origin, with a value that keeps it alive.
    ///
    /// # Safety
    ///
    /// `bytes` at `address` are memory that kernels of the texture's context can read, as long as `owner` is not dropped.
    /// `context` is the context of the memory. If kernels of another context sample the memory, the texture waits for those kernels
    /// before it drops `owner`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::texture::LinearMemory;
    /// use std::sync::Arc;
    ///
    /// let buffer = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?;
    /// let (address, bytes) = (buffer.ptr(), buffer.size_bytes());
    /// // SAFETY: the owner is the buffer.
    /// let memory = unsafe { LinearMemory::from_raw(address, bytes, &context, Arc::new(buffer)) };
    /// assert_eq!(memory.size_bytes(), 12);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw<T>(
        address: DevicePtr<T>,
        bytes: usize,
        context: &Context,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        LinearMemory { address: address.as_raw(), bytes, context: context.clone(), owner }
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the context that the memory belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns a part of the memory, by bytes.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::texture::LinearMemory;
    /// use std::sync::Arc;
    ///
    /// let samples = LinearMemory::from(Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32; 256])?));
    /// assert_eq!(samples.clone().slice(512..1024)?.size_bytes(), 512);
    /// assert!(samples.slice(512..1025).is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn slice(mut self, bytes: core::ops::Range<usize>) -> Result<Self> {
        let core::ops::Range { start, end } = bytes;
        if start > end || end > self.bytes {
            return Err(Error::out_of_bounds("texture memory", start, end, self.bytes));
        }
        // It is inside existing memory.
        self.address = self.address.wrapping_add(start as u64);
        self.bytes = end - start;
        Ok(self)
    }

    /// Converts the memory to rows of `row_bytes` bytes. Each row begins `pitch` bytes after the previous row.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): rows overlap or reach beyond the memory.
    pub fn rows(self, row_bytes: usize, height: usize, pitch: usize) -> Result<PitchedMemory> {
        let refused = |name, value, limit| Err(Error::beyond("texture", name, value, limit));
        if pitch < row_bytes {
            return refused("pitch", pitch, Limit::AtLeast(row_bytes));
        }
        let before = height.saturating_sub(1).checked_mul(pitch);
        let end = if height == 0 { Some(0) } else { before.and_then(|start| start.checked_add(row_bytes)) };
        match end {
            Some(end) if end <= self.bytes => {}
            end => return refused("end", end.unwrap_or(usize::MAX), Limit::AtMost(self.bytes)),
        }
        let LinearMemory { address, context, owner, .. } = self;
        Ok(PitchedMemory { address, row_bytes, height, pitch, context, owner })
    }
}

impl fmt::Debug for LinearMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LinearMemory")
            .field("address", &format_args!("{:#x}", self.address))
            .field("bytes", &self.bytes)
            .field("context", &self.context)
            .finish()
    }
}

impl<T: Send + Sync + 'static> From<Arc<DeviceBuf<T>>> for LinearMemory {
    fn from(buffer: Arc<DeviceBuf<T>>) -> Self {
        let (address, bytes) = (buffer.ptr().as_raw(), buffer.size_bytes());
        let context = buffer.stream().context().clone();
        LinearMemory { address, bytes, context, owner: buffer }
    }
}

impl<T: Send + Sync + 'static> From<Arc<ManagedBuf<T>>> for LinearMemory {
    fn from(buffer: Arc<ManagedBuf<T>>) -> Self {
        let (address, bytes) = (buffer.ptr().as_raw(), buffer.size_bytes());
        let context = buffer.stream().context().clone();
        LinearMemory { address, bytes, context, owner: buffer }
    }
}

/// Device memory that a texture reads as rows of texels, with a value that keeps it alive. Made of a shared [`PitchedBuf`], whose
/// slices follow each other, or of [rows](LinearMemory::rows) in other memory.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::texture::{LinearMemory, PitchedMemory};
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{AccessSize, PitchedBuf};
/// use std::sync::Arc;
///
/// let image = Arc::new(PitchedBuf::<f32>::uninit(&stream, 100, 50, AccessSize::Four)?);
/// let memory = PitchedMemory::from(image.clone());
/// assert_eq!((memory.row_bytes(), memory.height(), memory.pitch()), (400, 50, image.pitch()));
///
/// let buffer = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 256)?);
/// let memory = LinearMemory::from(buffer).rows(256, 2, 512)?;
/// assert_eq!((memory.row_bytes(), memory.context()), (256, &context));
/// let buffer = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 256)?);
/// let error = LinearMemory::from(buffer).rows(256, 3, 512).unwrap_err();
/// assert_eq!(error.to_string(), "texture end: 1280 is more than 1024");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone)]
pub struct PitchedMemory {
    pub(crate) address: CUdeviceptr,
    row_bytes: usize,
    height: usize,
    pitch: usize,
    pub(crate) context: Context,
    pub(crate) owner: Owner,
}

impl PitchedMemory {
    /// Returns the bytes of a row that are texels.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the bytes from one row to the next.
    pub fn pitch(&self) -> usize {
        self.pitch
    }

    /// Returns the context that the memory belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl fmt::Debug for PitchedMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PitchedMemory")
            .field("address", &format_args!("{:#x}", self.address))
            .field("row_bytes", &self.row_bytes)
            .field("height", &self.height)
            .field("pitch", &self.pitch)
            .field("context", &self.context)
            .finish()
    }
}

impl<T: Send + Sync + 'static> From<Arc<PitchedBuf<T>>> for PitchedMemory {
    fn from(buffer: Arc<PitchedBuf<T>>) -> Self {
        let [width, rows, slices] = buffer.size();
        PitchedMemory {
            address: buffer.ptr().as_raw(),
            // They were allocated, so there is no overflow.
            row_bytes: width.wrapping_mul(size_of::<T>()),
            height: rows.wrapping_mul(slices),
            pitch: buffer.pitch(),
            context: buffer.stream().context().clone(),
            owner: buffer,
        }
    }
}

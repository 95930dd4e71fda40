//! Managed memory as a slice on the host.

#![allow(unsafe_code)]

use super::{ManagedBuf, MemAttach};
use crate::context::RelaxedCaptureMode;
use crate::error::{Error, ErrorKind, Result};
use bytemuck::{AnyBitPattern, NoUninit};
use cuda_sys::Symbol;

impl<T> ManagedBuf<T> {
    /// Returns the elements, to read on the host.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done.
    ///
    /// # Errors
    ///
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied): a device lacks
    ///   [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS), and the memory is not attached
    ///   to the host.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the home stream is being captured.
    /// - The failure of queued work.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Host)?;
    /// assert_eq!(managed.host()?.iter().sum::<i32>(), 6);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn host(&self) -> Result<&[T]>
    where
        T: AnyBitPattern,
    {
        self.let_host_in()?;
        // SAFETY: the host may access the memory; queued work is done, and while the memory is borrowed, no work that writes to
        // it is queued. Every value that was written is a `T`.
        Ok(unsafe { self.host_unchecked() })
    }

    /// Returns the elements, to write on the host.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done.
    ///
    /// # Errors
    ///
    /// Same as [`ManagedBuf::host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let mut managed = ManagedBuf::<u8>::zeroed(&stream, 4, MemAttach::Host)?;
    /// managed.host_mut()?.copy_from_slice(b"data");
    /// assert_eq!(managed.host()?, b"data");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// The compiler rejects elements with padding: the memory can be copied as bytes, and each byte must be initialised.
    ///
    /// ```compile_fail,E0277
    /// # use cuda_rt::{ManagedBuf, bytemuck};
    /// #[derive(Clone, Copy)]
    /// #[repr(C)]
    /// struct Padded {
    ///     byte: u8,
    ///     word: u32,
    /// }
    /// // SAFETY: every bit pattern is valid.
    /// unsafe impl bytemuck::Zeroable for Padded {}
    /// // SAFETY: as above.
    /// unsafe impl bytemuck::AnyBitPattern for Padded {}
    ///
    /// fn write(managed: &mut ManagedBuf<Padded>) {
    ///     managed.host_mut().unwrap()[0] = Padded { byte: 1, word: 2 };
    /// }
    /// ```
    #[doc(alias = "cuStreamSynchronize")]
    pub fn host_mut(&mut self) -> Result<&mut [T]>
    where
        T: AnyBitPattern + NoUninit,
    {
        self.let_host_in()?;
        // SAFETY: the host may access it; what was queued is done, and while it is borrowed, nothing else is queued.
        Ok(unsafe { self.host_unchecked_mut() })
    }

    /// Returns the elements, to read on the host, without waiting and without checks.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, also after all copies and kernels that wrote to them.
    /// - No queued work writes to the memory while the slice exists.
    /// - The host may access the memory as long as the slice exists. One of these holds all the time:
    ///   - Every device has [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    ///   - The memory is attached to the host.
    ///   - The memory is attached to a stream on which no work is queued or runs.
    ///   - No device runs any work. Safe calls of other threads may start work; then the host must not access the
    ///     memory.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Host)?;
    /// // SAFETY: it is attached to the host, and nothing was queued.
    /// assert_eq!(unsafe { managed.host_unchecked() }, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn host_unchecked(&self) -> &[T] {
        // SAFETY: every constructor has initialised as many elements, at an address that host and device share. The caller
        // promises that they may be accessed.
        unsafe { core::slice::from_raw_parts(self.start().as_ptr(), self.len) }
    }

    /// Returns the elements, to write on the host, without waiting and without checks.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, also after all copies and kernels that wrote to them.
    /// - When the slice ends, every byte of the elements is initialised, including padding: device memory can be copied as bytes.
    /// - No queued work reads the memory, or writes to it, while the slice exists.
    /// - The host may access the memory: see [`ManagedBuf::host_unchecked`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::ManagedBuf;
    /// # use cuda_rt::memory::MemAttach;
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Host)?;
    /// // SAFETY: it is attached to the host, and nothing was queued.
    /// let host = unsafe { managed.host_unchecked_mut() };
    /// host[0] = 10;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn host_unchecked_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.start().as_ptr(), self.len) }
    }

    /// Waits until the host may access the memory.
    fn let_host_in(&self) -> Result<()> {
        if self.address == 0 {
            return Ok(());
        }
        if !self.is_concurrent && self.attached != Some(MemAttach::Host) {
            let text = "a device has no concurrent managed access, so the host must not touch the memory; attach it to the host \
                        first";
            return Err(Error::about(
                ErrorKind::AccessDenied,
                format_args!("managed memory"),
                format_args!("{text}"),
            ));
        }
        // Waiting would invalidate the capture.
        self.stream().refuse_capture(Symbol::cuStreamSynchronize)?;
        // Otherwise a capture that this or another thread makes elsewhere would forbid waiting.
        let _relaxed = RelaxedCaptureMode::new();
        // Work on other streams is ordered with the home stream by the code that queued it.
        self.stream().synchronize()
    }
}

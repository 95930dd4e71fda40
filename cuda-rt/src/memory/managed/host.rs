//! Managed memory as a slice of the host.

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
    /// Until everything queued on the home stream is done.
    ///
    /// # Errors
    ///
    /// [`AccessDenied`](crate::error::ErrorKind::AccessDenied) if a device lacks
    /// [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS) and the memory is not attached to the
    /// host; [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing) while the home stream is being captured; or the failure
    /// of something that was queued.
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
        // SAFETY: the host may access it; what was queued is done, and while it is borrowed, nothing that writes is queued.
        // Whatever was written is a `T`.
        Ok(unsafe { self.host_unchecked() })
    }

    /// Returns the elements, to write on the host.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the home stream is done.
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
    /// Elements with padding are refused: the memory can be copied as bytes, which must be initialised.
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

    /// Returns the elements, to read on the host, without waiting or asking.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, whatever was copied to them.
    /// - Nothing that was queued writes to the memory while the slice is there.
    /// - The host may access the memory as long as the slice exists. One of these holds all the time:
    ///   - Every device has [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
    ///   - The memory is attached to the host.
    ///   - The memory is attached to a stream on which no work is queued or runs.
    ///   - No device runs any work. Safe calls of other threads may start some, and then the host must not access the memory.
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
        // SAFETY: every constructor has initialised as many elements, which are there for the host as for the device; that
        // they may be looked at is the caller's promise.
        unsafe { core::slice::from_raw_parts(self.start().as_ptr(), self.len) }
    }

    /// Returns the elements, to write on the host, without waiting or asking.
    ///
    /// # Safety
    ///
    /// - The elements are valid `T`s, whatever was copied to them.
    /// - When the slice ends, every byte of the elements is initialised, padding included: device memory can be copied as
    ///   bytes.
    /// - Nothing that was queued reads the memory, or writes to it, while the slice is there.
    /// - The host may access it: see [`ManagedBuf::host_unchecked`].
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

    /// Waits until the host may have the memory.
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
        // Waiting would end the capture.
        self.stream().refuse_capture(Symbol::cuStreamSynchronize)?;
        // Else a capture that this or another thread makes elsewhere would forbid waiting.
        let _relaxed = RelaxedCaptureMode::new();
        // Work on other streams is ordered with this one, by whatever has queued it.
        self.stream().synchronize()
    }
}

//! Device memory as a dma-buf of Linux, which drivers of other devices can import.

#![allow(unsafe_code)]

use super::attribute::PointerAttribute;
use super::caching::is_of_caching_pool;
use super::view::DeviceSlice;
use crate::error::{Code, Error, OrDetail, Result};
use core::ffi::c_int;
use cuda_sys::{CUmemRangeFlags_enum as Flags, CUmemRangeHandleType_enum as Type, Symbol};
use std::os::fd::{FromRawFd, OwnedFd};

/// Path by which other devices access memory of a dma-buf.
///
/// ```
/// use cuda_rt::memory::DmaBufMapping;
///
/// assert_eq!(DmaBufMapping::default(), DmaBufMapping::Any);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DmaBufMapping {
    /// The path that the driver prefers.
    #[default]
    Any,
    /// The window of the device on the `PCIe` bus (BAR1).
    #[doc(alias = "CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE")]
    Pcie,
}

impl<T> DeviceSlice<'_, T> {
    /// Returns a file descriptor of the memory as a dma-buf of Linux.
    ///
    /// Drivers of other devices, for example of network adapters, import the descriptor to read and write the memory. The code
    /// that imports the descriptor must order its accesses with those of this process. The descriptor alone gives no access.
    ///
    /// Plain memory stays allocated until the descriptor is closed, even if the buffer is dropped before. Memory that another
    /// buffer may get while the descriptor is open is refused: memory of pools, and allocations of less than 2 MiB, which share
    /// pages. Wraps `cuMemGetHandleForAddressRange`.
    ///
    /// The device must have [`DMA_BUF_SUPPORTED`](crate::device::DeviceAttribute::DMA_BUF_SUPPORTED). The address and the size
    /// must be multiples of the page size of the host. Other memory on the same pages is not part of the dma-buf.
    ///
    /// # Driver notes
    ///
    /// Driver 580 keeps plain memory until the descriptor is closed (fact V1010). The lifetime of
    /// [mapped](super::VirtualMemory) memory, and of memory of other processes and other APIs, is not measured: keep such
    /// memory until the descriptor is closed.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the slice is empty.
    /// - The same kind: the memory is of a [`MemPool`](super::MemPool), of a pool of other code, or of a
    ///   [`CachingPool`](super::CachingPool), or the allocation has less than 2 MiB.
    /// - [`Code::InvalidValue`]: the address or the size is no multiple of a page.
    /// - The same code: the memory is not on the device alone, such as managed memory.
    /// - [`Code::NotSupported`]: the device or the system has no dma-bufs, or none with that mapping.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.7.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 7) { return Ok(()); }
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::device::DeviceAttribute;
    /// use cuda_rt::memory::{DmaBufMapping, MemorySource};
    ///
    /// if context.device().attribute(DeviceAttribute::DMA_BUF_SUPPORTED)? != 0 {
    ///     let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, MemorySource::Plain)?;
    ///     let _to_be_imported = buffer.as_slice().dma_buf(DmaBufMapping::Any)?;
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemGetHandleForAddressRange", "CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD"))]
    pub fn dma_buf(&self, mapping: DmaBufMapping) -> Result<OwnedFd> {
        const CALL: Symbol = Symbol::cuMemGetHandleForAddressRange;
        let (address, bytes) = (self.ptr().as_raw(), self.size_bytes());
        if bytes == 0 {
            return Err(Error::empty("range of device memory"));
        }
        let flags = match mapping {
            DmaBufMapping::Any => 0,
            DmaBufMapping::Pcie => u64::from(Flags::CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE.0),
        };
        let mut file: c_int = -1;
        let to = (&raw mut file).cast();
        let kind = Type::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
        let context = self.stream().context();
        let _bound = context.bind(CALL)?;
        if cuda_sys::driver()?.has(CALL) {
            refuse_shared_pages(*self)?;
        }
        // SAFETY: a handle of this type is an `int`, and `to` is valid for a write of one; the memory is allocated; the
        // context is current.
        unsafe { check!(cuMemGetHandleForAddressRange(to, address, bytes, kind, flags)) }
            .or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
                format!("{bytes} bytes at {address:#x}, mapping {mapping:?}")
            })?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedFd::from_raw_fd(file) })
    }
}

/// Plain memory of this size and more shares no page with other memory (fact V1060). Its pages stay until the descriptor is closed
/// (fact V1010), although its address is used again (fact V1183). The page of smaller memory goes to other buffers.
const PAGE: u64 = 2 << 20;

/// Refuses memory that another buffer may get while a descriptor of it is open.
fn refuse_shared_pages<T>(memory: DeviceSlice<'_, T>) -> Result<()> {
    let text =
        "would give the memory to another buffer while the descriptor is open; use `MemorySource::Plain`";
    let address = memory.ptr().as_raw();
    if is_of_caching_pool(address) {
        return Err(Error::invalid(
            "device memory",
            format_args!("{address:#x} is in a block of a caching pool, which {text}"),
        ));
    }
    // Both are 0 for addresses that the driver does not know. The driver decides about such memory.
    let found = memory.attributes_of(&[PointerAttribute::MEMPOOL_HANDLE, PointerAttribute::RANGE_SIZE])?;
    let [pool, bytes] = found[..] else { return Ok(()) };
    if pool != 0 {
        return Err(Error::invalid(
            "device memory",
            format_args!("{address:#x} is in memory pool {pool:#x}, which {text}"),
        ));
    }
    if bytes != 0 && bytes < PAGE {
        return Err(Error::invalid(
            "device memory",
            format_args!(
                "{address:#x} is in an allocation of {bytes} bytes, which shares a page of {PAGE} bytes with other buffers; \
                 allocate at least a page"
            ),
        ));
    }
    Ok(())
}

//! Access of devices and of other processes to memory.

use cuda_sys::CUmemAllocationHandleType_enum as H;

/// Access of a device to memory of a pool or of a mapping: any number that some driver knows.
///
/// ```
/// use cuda_rt::memory::AccessFlags;
///
/// assert_eq!(AccessFlags::READ_WRITE.to_string(), "READ_WRITE");
/// assert_eq!(AccessFlags(9).to_string(), "AccessFlags(9)");
/// ```
#[doc(alias = "CUmemAccess_flags")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessFlags(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/access_flags.rs");

flags! {
    /// In which forms memory can be handed to other processes. To be said when it is made.
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::device::DeviceAttribute;
    /// use cuda_rt::memory::ShareableHandleTypes;
    ///
    /// let device = Device::get(0)?;
    /// let has_files =
    ///     device.attribute(DeviceAttribute::HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED)? != 0;
    /// let types =
    ///     if has_files { ShareableHandleTypes::POSIX_FILE_DESCRIPTOR } else { ShareableHandleTypes::NONE };
    /// # let _ = types;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CUmemAllocationHandleType")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ShareableHandleTypes {
        /// In none.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_NONE")]
        const NONE = H::CU_MEM_HANDLE_TYPE_NONE.0;
        /// As a file descriptor, which a Unix socket carries to the other process.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR")]
        const POSIX_FILE_DESCRIPTOR = H::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0;
        /// As a handle of Windows.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_WIN32")]
        const WIN32 = H::CU_MEM_HANDLE_TYPE_WIN32.0;
        /// As a kernel-mode handle of Windows.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_WIN32_KMT")]
        const WIN32_KMT = H::CU_MEM_HANDLE_TYPE_WIN32_KMT.0;
        /// As a handle of the fabric, which is good on other machines, too.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_FABRIC")]
        const FABRIC = H::CU_MEM_HANDLE_TYPE_FABRIC.0;
        /// Newer drivers may know others.
        const _ = !0;
    }
}

//! Access of devices and of other processes to memory.

use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::CUmemAllocationHandleType_enum as H;

/// Access flags of a device for memory of a pool or of a mapping: any number that some driver knows.
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
    /// Forms in which memory can be shared with other processes. They must be named when the memory is made.
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
        /// No form.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_NONE")]
        const NONE = H::CU_MEM_HANDLE_TYPE_NONE.0;
        /// A file descriptor, which a Unix socket can carry to the other process.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR")]
        const POSIX_FILE_DESCRIPTOR = H::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.0;
        /// An NT handle of Windows. The memory gets the default security of the process: its user may use the handle.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_WIN32")]
        const WIN32 = H::CU_MEM_HANDLE_TYPE_WIN32.0;
        /// A [kernel-mode handle](KmtHandle) of Windows.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_WIN32_KMT")]
        const WIN32_KMT = H::CU_MEM_HANDLE_TYPE_WIN32_KMT.0;
        /// A handle of the fabric, which is valid on other machines, too.
        #[doc(alias = "CU_MEM_HANDLE_TYPE_FABRIC")]
        const FABRIC = H::CU_MEM_HANDLE_TYPE_FABRIC.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// `OBJECT_ATTRIBUTES` of Windows. `usize` stands for pointers.
#[repr(C)]
struct ObjectAttributes {
    length: u32,
    root: usize,
    name: usize,
    attributes: u32,
    security_descriptor: usize,
    quality_of_service: usize,
}

/// `SECURITY_ATTRIBUTES` of Windows.
#[repr(C)]
struct SecurityAttributes {
    length: u32,
    security_descriptor: usize,
    inherit: i32,
}

/// Objects without a name, which have the default security of the process.
static OBJECT: ObjectAttributes = ObjectAttributes {
    length: size_of::<ObjectAttributes>() as u32,
    root: 0,
    name: 0,
    attributes: 0,
    security_descriptor: 0,
    quality_of_service: 0,
};
static SECURITY: SecurityAttributes =
    SecurityAttributes { length: size_of::<SecurityAttributes>() as u32, security_descriptor: 0, inherit: 0 };

impl ShareableHandleTypes {
    /// Returns the attributes that drivers for Windows require for NT handles of physical memory.
    pub(super) fn object_attributes(self) -> *mut c_void {
        self.attributes_for_windows(&OBJECT)
    }

    /// Returns the attributes that drivers for Windows require for NT handles of pools.
    pub(super) fn security_attributes(self) -> *mut c_void {
        self.attributes_for_windows(&SECURITY)
    }

    fn attributes_for_windows<T>(self, attributes: &'static T) -> *mut c_void {
        if cfg!(windows) && self.contains(Self::WIN32) {
            core::ptr::from_ref(attributes).cast_mut().cast()
        } else {
            null_mut()
        }
    }
}

/// A kernel-mode handle of Windows: a `D3DKMT_HANDLE`.
///
/// It is global, so its number is the same in all processes. It keeps nothing alive, and is not closed.
///
/// ```
/// use cuda_rt::memory::KmtHandle;
///
/// let received: u32 = 0x4000_1182; // from another process
/// let handle = KmtHandle(received as usize);
/// assert_eq!(handle, KmtHandle(0x4000_1182));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KmtHandle(pub usize);

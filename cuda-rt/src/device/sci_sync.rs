//! Attributes of the synchronisation objects of the library `NvSciSync`.

#![allow(unsafe_code)]

use super::Device;
use crate::error::{Code, OrDetail, Result};
use core::ffi::{c_int, c_void};
use cuda_sys::{CUDA_NVSCISYNC_ATTR_SIGNAL, CUDA_NVSCISYNC_ATTR_WAIT};

flags! {
    /// The ways in which a program uses an object of `NvSciSync`.
    ///
    /// ```
    /// use cuda_rt::device::NvSciSyncUse;
    ///
    /// assert_eq!((NvSciSyncUse::SIGNAL | NvSciSyncUse::WAIT).bits(), 3);
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct NvSciSyncUse {
        /// The device signals the object.
        #[doc(alias = "CUDA_NVSCISYNC_ATTR_SIGNAL")]
        const SIGNAL = CUDA_NVSCISYNC_ATTR_SIGNAL;
        /// The device waits for the object.
        #[doc(alias = "CUDA_NVSCISYNC_ATTR_WAIT")]
        const WAIT = CUDA_NVSCISYNC_ATTR_WAIT;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

impl Device {
    /// Writes the attributes that this device supports to a list of the library `NvSciSync`. Wraps `cuDeviceGetNvSciSyncAttributes`.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the device does not work with the library, for example under Linux on x86.
    /// - [`Code::InvalidValue`]: `uses` is empty, or contains a use that the driver does not know.
    /// - [`Code::InvalidHandle`]: `list` is null.
    ///
    /// # Safety
    ///
    /// `list` is an `NvSciSyncAttrList` of the library or null, and no other code uses it during the call.
    #[doc(alias = "cuDeviceGetNvSciSyncAttributes")]
    pub unsafe fn write_nv_sci_sync_attributes(self, list: *mut c_void, uses: NvSciSyncUse) -> Result<()> {
        // The driver refuses flags that do not fit.
        let flags = c_int::try_from(uses.bits()).unwrap_or(c_int::MAX);
        // SAFETY: the caller's promise.
        unsafe { check!(cuDeviceGetNvSciSyncAttributes(list, self.as_raw(), flags)) }
            .or_detail(&[Code::InvalidValue], &|| format!("uses {uses:?}"))
    }
}

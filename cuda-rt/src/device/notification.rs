//! Notifications of the driver about a device.

#![allow(unsafe_code)]

use super::Device;
use crate::driver::ensure_init;
use crate::error::Result;
use crate::handle::{Callback, Callbacks, DriverHandle, Owned, Releasing, made};
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{
    CUasyncCallbackHandle, CUasyncNotificationInfo, CUasyncNotificationType_enum as Type, Symbol,
};
use std::sync::Arc;

/// A message of the driver about a device.
#[doc(alias = "CUasyncNotificationInfo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notification {
    /// The process has more device memory than its budget.
    #[doc(alias = "CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET")]
    OverBudget {
        /// The bytes of memory above the budget.
        bytes: u64,
    },
    /// Another type of message, by its number.
    Other(u32),
}

/// The registration of a function that receives notifications. Returned by [`Device::on_notification`].
#[must_use = "dropping it ends the notifications"]
#[doc(alias = "CUasyncCallbackHandle")]
#[derive(Debug)]
pub struct NotificationGuard {
    registration: Owned<Registration>,
}

#[derive(Debug)]
struct Registration {
    device: Device,
    raw: CUasyncCallbackHandle,
    _function: Callback<Function>,
}

// SAFETY: the handle names a registration, which is not bound to a thread.
unsafe impl Send for Registration {}
// SAFETY: nothing is changed through `&Registration`.
unsafe impl Sync for Registration {}

impl DriverHandle for Registration {
    fn release_call(&self) -> Symbol {
        Symbol::cuDeviceUnregisterAsyncNotification
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        // SAFETY: the owner ends its registration, once.
        unsafe { check!(cuDeviceUnregisterAsyncNotification(self.device.as_raw(), self.raw)) }
    }
}

impl Device {
    /// Registers a function that the driver calls when it has a message about this device. Wraps
    /// `cuDeviceRegisterAsyncNotification`. Since CUDA 12.4.
    ///
    /// A thread of the driver calls the function. Several calls may run at the same time. The function must return soon, and
    /// cannot call the driver: see [host functions](crate::stream#host-functions). A panic goes to the [drop
    /// hook](crate::handle::set_drop_hook). Dropping the guard ends the notifications. A call that runs at that time goes on.
    ///
    /// # Driver notes
    ///
    /// Driver 580 under Linux accepts functions. It was not seen to call one.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - The driver refuses the function.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    ///
    /// let guard = Device::get(0)?.on_notification(|notification| println!("{notification:?}"))?;
    /// guard.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceRegisterAsyncNotification")]
    pub fn on_notification(
        self,
        function: impl Fn(Notification) + Send + Sync + 'static,
    ) -> Result<NotificationGuard> {
        ensure_init()?;
        let function = FUNCTIONS.add(Arc::new(function));
        let (mut raw, data) = (null_mut(), function.data());
        // SAFETY: `raw` is valid for a write. `notify` may be called at any time, on any thread, with any data.
        let registered = unsafe {
            check!(cuDeviceRegisterAsyncNotification(self.as_raw(), Some(notify), data, &raw mut raw))
        };
        let is_made = !raw.is_null();
        let registration = Registration { device: self, raw, _function: function };
        let registration = made(registered, is_made, || Owned::new(registration))?;
        Ok(NotificationGuard { registration })
    }
}

impl NotificationGuard {
    /// Returns the raw handle. The caller must not deregister the function with it.
    pub fn as_raw(&self) -> CUasyncCallbackHandle {
        self.registration.raw
    }

    /// Deregisters the function, and returns the driver's answer. Wraps `cuDeviceUnregisterAsyncNotification`.
    ///
    /// # Errors
    ///
    /// - The driver refuses to deregister the function. The function is not called any more nevertheless.
    /// - The call is inside a notification or a host function. In this case, another thread deregisters the function.
    #[doc(alias = "cuDeviceUnregisterAsyncNotification")]
    pub fn close(self) -> Result<()> {
        self.registration.close()
    }
}

type Function = dyn Fn(Notification) + Send + Sync;

static FUNCTIONS: Callbacks<Function> = Callbacks::new("notification");

/// Called by the driver.
unsafe extern "C" fn notify(info: *mut CUasyncNotificationInfo, data: *mut c_void, _: CUasyncCallbackHandle) {
    if info.is_null() {
        return;
    }
    // SAFETY: the driver gives its message, which is valid during the call.
    let CUasyncNotificationInfo { type_, info } = unsafe { *info };
    let notification = if type_ == Type::CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET {
        // SAFETY: messages of this type have this member.
        Notification::OverBudget { bytes: unsafe { info.overBudget }.bytesOverBudget }
    } else {
        Notification::Other(type_.0)
    };
    FUNCTIONS.call(data, |function| function(notification));
}

#[cfg(test)]
mod tests {
    use super::{Arc, CUasyncNotificationInfo, FUNCTIONS, Notification, Type, notify, null_mut};
    use cuda_sys::{
        CUasyncNotificationInfo_st__bindgen_ty_1, CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1,
    };
    use std::sync::Mutex;

    #[test]
    fn messages_are_told_by_their_type() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let function = FUNCTIONS.add(Arc::new(move |notification| {
            to.lock().map(|mut heard| heard.push(notification)).unwrap_or_default();
        }));
        for type_ in [1, 9] {
            let over_budget = CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1 { bytesOverBudget: 70 };
            let info = CUasyncNotificationInfo_st__bindgen_ty_1 { overBudget: over_budget };
            let mut message = CUasyncNotificationInfo { type_: Type(type_), info };
            // SAFETY: the message is valid.
            unsafe { notify(&raw mut message, function.data(), null_mut()) };
        }
        let heard = heard.lock().map(|heard| heard.clone()).unwrap_or_default();
        assert_eq!(heard, [Notification::OverBudget { bytes: 70 }, Notification::Other(9)]);
    }
}

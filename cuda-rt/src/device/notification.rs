//! Notifications of the driver about a device.

#![allow(unsafe_code)]

use super::Device;
use crate::error::{Error, Result};
use crate::handle::{DriverHandle, Inside, Owned, Releasing, is_forked_child, made, report};
use crate::map::SortedMap;
use core::ffi::c_void;
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::{
    CUasyncCallbackHandle, CUasyncNotificationInfo, CUasyncNotificationType_enum as Type, Symbol,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A message of the driver about a device.
#[doc(alias = "CUasyncNotificationInfo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notification {
    /// The process has more device memory than its budget.
    #[doc(alias = "CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET")]
    OverBudget {
        /// Bytes of memory above the budget.
        bytes: u64,
    },
    /// A type of message that this crate does not know, by its number.
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
    _function: Kept,
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
    /// Has the driver call a function when it has a message about this device. Wraps `cuDeviceRegisterAsyncNotification`. Since CUDA 12.4.
    ///
    /// A thread of the driver calls the function, perhaps several at a time. The function must return soon, and cannot call the driver: see
    /// [host functions](crate::stream#host-functions). A panic goes to the [drop hook](crate::handle::set_drop_hook). When the guard is
    /// dropped, the notifications end. A call that runs at that time goes on.
    ///
    /// # Driver notes
    ///
    /// Driver 580 under Linux takes functions, and was not seen to call one.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) before CUDA 12.4, or the driver's refusal.
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
        let kept = Kept::new(Arc::new(function));
        let (mut raw, data) = (null_mut(), without_provenance_mut(kept.number));
        // SAFETY: `raw` is valid for a write. `notify` may be called at any time, on any thread, with any data.
        let registered = unsafe {
            check!(cuDeviceRegisterAsyncNotification(self.as_raw(), Some(notify), data, &raw mut raw))
        };
        let is_made = !raw.is_null();
        let registration = Registration { device: self, raw, _function: kept };
        let registration = made(registered, is_made, || Owned::new(registration))?;
        Ok(NotificationGuard { registration })
    }
}

impl NotificationGuard {
    /// Returns the handle of the driver. The registration stays this value's: it must not be ended.
    pub fn as_raw(&self) -> CUasyncCallbackHandle {
        self.registration.raw
    }

    /// Ends the notifications, and returns the driver's answer. Wraps `cuDeviceUnregisterAsyncNotification`.
    ///
    /// # Errors
    ///
    /// The driver's refusal. The function is not called any more all the same.
    #[doc(alias = "cuDeviceUnregisterAsyncNotification")]
    pub fn close(self) -> Result<()> {
        self.registration.close()
    }
}

type Function = Arc<dyn Fn(Notification) + Send + Sync>;

/// The functions that the driver may call. The driver gets numbers in place of pointers. So a function that is gone is not called, whatever the
/// driver does.
struct Functions {
    functions: SortedMap<usize, Function>,
    last: usize,
}

static FUNCTIONS: Mutex<Functions> = Mutex::new(Functions { functions: SortedMap::new(), last: 0 });

fn functions() -> MutexGuard<'static, Functions> {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A function that the driver may call.
#[derive(Debug)]
struct Kept {
    number: usize,
}

impl Kept {
    fn new(function: Function) -> Kept {
        // Another thread may have held the lock when the process was forked. The driver refuses what follows there.
        if is_forked_child() {
            return Kept { number: 0 };
        }
        let mut functions = functions();
        // 64 bits do not come round.
        functions.last = functions.last.wrapping_add(1);
        let number = functions.last;
        functions.functions.insert(number, function);
        Kept { number }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if is_forked_child() {
            return;
        }
        // Not dropped while the functions are locked.
        let function = functions().functions.remove(&self.number);
        drop(function);
    }
}

/// Called by the driver.
unsafe extern "C" fn notify(info: *mut CUasyncNotificationInfo, data: *mut c_void, _: CUasyncCallbackHandle) {
    if is_forked_child() || info.is_null() {
        return;
    }
    let Some(function) = functions().functions.get(&data.addr()).map(Arc::clone) else { return };
    // SAFETY: the driver gives its message, which is valid during the call.
    let CUasyncNotificationInfo { type_, info } = unsafe { *info };
    let notification = if type_ == Type::CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET {
        // SAFETY: messages of this type have this member.
        Notification::OverBudget { bytes: unsafe { info.overBudget }.bytesOverBudget }
    } else {
        Notification::Other(type_.0)
    };
    let _inside = Inside::new();
    // Nothing may unwind into the driver. The captures of the function may be dropped in here, too.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(move || function(notification))) {
        report(Err(Error::panicked("notification", payload)));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Arc, CUasyncNotificationInfo, Kept, Notification, Type, notify, null_mut, without_provenance_mut,
    };
    use cuda_sys::{
        CUasyncNotificationInfo_st__bindgen_ty_1, CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1,
    };
    use std::sync::Mutex;

    fn tell(number: usize, type_: u32, bytes: u64) {
        let over_budget = CUasyncNotificationInfo_st__bindgen_ty_1__bindgen_ty_1 { bytesOverBudget: bytes };
        let info = CUasyncNotificationInfo_st__bindgen_ty_1 { overBudget: over_budget };
        let mut message = CUasyncNotificationInfo { type_: Type(type_), info };
        // SAFETY: the message is valid.
        unsafe { notify(&raw mut message, without_provenance_mut(number), null_mut()) };
    }

    #[test]
    fn messages_reach_their_function_until_it_is_gone() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let kept = Kept::new(Arc::new(move |notification| {
            let inside = crate::handle::is_inside();
            to.lock().map(|mut heard| heard.push((notification, inside))).unwrap_or_default();
            assert!(notification != Notification::Other(9), "a panic does not reach the driver");
        }));
        let number = kept.number;
        tell(number, 1, 70);
        tell(number, 9, 0);
        tell(number + 1, 1, 80);
        drop(kept);
        tell(number, 1, 90);
        let heard = heard.lock().map(|heard| heard.clone()).unwrap_or_default();
        assert_eq!(heard, [(Notification::OverBudget { bytes: 70 }, true), (Notification::Other(9), true)]);
        assert!(!crate::handle::is_inside());
    }
}

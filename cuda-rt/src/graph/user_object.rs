//! User objects: values of the program that graphs keep alive.

#![allow(unsafe_code)]

use crate::context::release_alone;
use crate::error::{Error, Result};
use crate::handle::{DriverHandle, Owned, Releasing, defer_drop, ensure_not_forked, is_forked_child, made};
use crate::map::SortedMap;
use core::ffi::{c_uint, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::{null_mut, without_provenance_mut};
use core::sync::atomic::{AtomicU32, Ordering};
use cuda_sys::{CUuserObject, CUuserObject_flags_enum as Flags, Symbol};
use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value that graphs of the driver keep alive. From CUDA 11.3 on.
///
/// The driver counts references to the object. This handle owns one, and [`try_clone`](UserObject::try_clone) makes a handle with
/// another. Graphs that [retain](crate::graph::Graph::retain_user_object) the object own more, and so do the clones of such a
/// graph, its executable graphs and their pending launches. An executable graph that is
/// [updated](crate::graph::GraphExec::update) gets references to the objects of the new graph, in place of its old
/// references.
///
/// The value is dropped after the last reference has ended. A thread of this crate drops the value, so its destructor may call
/// the driver. The destructor runs some time after the last reference has ended, and nothing waits for it. If the process ends
/// before, the value is not dropped.
///
/// Graphs of this crate keep their objects alive by themselves. User objects are for raw graphs.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::error::ErrorKind;
/// use cuda_rt::graph::UserObject;
///
/// match UserObject::new(vec![1, 2, 3]) {
///     Err(error) if error.kind() == ErrorKind::FunctionMissing => println!("{error}"), // before CUDA 11.3
///     object => drop(object?), // which ends the only reference
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUuserObject")]
pub struct UserObject<T: Send + 'static> {
    object: Owned<Reference>,
    // The table `VALUES` owns the value, and this handle cannot access it.
    _value: PhantomData<fn(T)>,
}

/// One reference of the program.
struct Reference {
    raw: CUuserObject,
    /// Number of references that were taken so far, by all handles. The driver counts in 32 bits, and destroys the object when the number
    /// wraps around (fact V1193).
    taken: Arc<AtomicU32>,
}

/// Limit of the references that are taken.
const MOST_REFERENCES: u32 = 1 << 31;

// SAFETY: a `CUuserObject` names an object whose count the driver changes atomically; it is not bound to a thread.
unsafe impl Send for Reference {}
// SAFETY: only the driver's count changes through `&Reference`.
unsafe impl Sync for Reference {}

impl DriverHandle for Reference {
    fn release_call(&self) -> Symbol {
        Symbol::cuUserObjectRelease
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_alone(&mut || {
            // SAFETY: the owner ends its own reference, once.
            unsafe { check!(cuUserObjectRelease(self.raw, ONE)) }
        })
    }
}

const ONE: c_uint = 1;

impl<T: Send + 'static> UserObject<T> {
    /// Moves a value into a new object. This handle has the only reference to it. Wraps `cuUserObjectCreate`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.3.
    /// - An earlier failure.
    ///
    /// If the call fails, the value is dropped.
    #[doc(alias = "cuUserObjectCreate")]
    pub fn new(value: T) -> Result<UserObject<T>> {
        // Another thread may have held the lock of the values when the process was forked.
        ensure_not_forked(Symbol::cuUserObjectCreate)?;
        let kept = KeptValue::new(Box::new(value));
        let mut raw = null_mut();
        let data = without_provenance_mut(kept.number);
        let flags = Flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC.0;
        // SAFETY: `raw` is valid for a write. `destroy` may be called at any time, on any thread, with any pointer.
        let created = unsafe { check!(cuUserObjectCreate(&raw mut raw, data, Some(destroy), ONE, flags)) };
        let object =
            made(created, !raw.is_null(), || Owned::first(Reference { raw, taken: Arc::default() }))?;
        kept.leave();
        Ok(UserObject { object, _value: PhantomData })
    }

    /// Makes a handle to the same object, with another reference. Wraps `cuUserObjectRetain`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::graph::UserObject;
    ///
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 3) { return Ok(()); }
    /// let object = UserObject::new("value".to_owned())?;
    /// let other = object.try_clone()?;
    /// object.close()?; // the value stays alive
    /// drop(other);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuUserObjectRetain")]
    pub fn try_clone(&self) -> Result<UserObject<T>> {
        self.count_reference(Symbol::cuUserObjectRetain)?;
        // SAFETY: this handle has a reference, so that the object is live.
        unsafe { check!(cuUserObjectRetain(self.object.raw, ONE)) }?;
        let reference = Reference { raw: self.object.raw, taken: Arc::clone(&self.object.taken) };
        Ok(UserObject { object: Owned::new(reference), _value: PhantomData })
    }

    /// Counts a reference that `call` is about to take.
    pub(super) fn count_reference(&self, call: Symbol) -> Result<()> {
        let taken = &self.object.taken;
        if taken.fetch_add(1, Ordering::Relaxed) < MOST_REFERENCES {
            return Ok(());
        }
        taken.fetch_sub(1, Ordering::Relaxed);
        Err(Error::invalid_for(
            call,
            format_args!(
                "{MOST_REFERENCES} references of the object were taken, the limit; make another object"
            ),
        ))
    }

    /// Returns the raw handle. The caller must not release this value's reference.
    pub fn as_raw(&self) -> CUuserObject {
        self.object.raw
    }

    /// Releases the reference of this handle, and returns the driver's answer. Wraps `cuUserObjectRelease`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias = "cuUserObjectRelease")]
    pub fn close(self) -> Result<()> {
        self.object.close()
    }
}

impl<T: Send + 'static> fmt::Debug for UserObject<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("UserObject").field("raw", &self.object.raw).finish()
    }
}

type Value = Box<dyn Any + Send>;

/// The values of all objects of the driver. The driver gets numbers in place of pointers: so a value is dropped once, whatever
/// the driver does.
struct Values {
    values: SortedMap<usize, Value>,
    last: usize,
}

static VALUES: Mutex<Values> = Mutex::new(Values { values: SortedMap::new(), last: 0 });

fn values() -> MutexGuard<'static, Values> {
    VALUES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A value that is about to be passed to the driver. It is dropped if the driver does not get it.
struct KeptValue {
    number: usize,
}

impl KeptValue {
    fn new(value: Value) -> KeptValue {
        let mut values = values();
        // 64 bits do not wrap around.
        values.last = values.last.wrapping_add(1);
        let number = values.last;
        values.values.insert(number, value);
        KeptValue { number }
    }

    /// Leaves the value to the driver.
    fn leave(self) {
        let _ = core::mem::ManuallyDrop::new(self);
    }
}

impl Drop for KeptValue {
    fn drop(&mut self) {
        // Not dropped while the values are locked.
        let value = take(self.number);
        drop(value);
    }
}

fn take(number: usize) -> Option<Value> {
    values().values.remove(&number)
}

/// Called by the driver on a thread that must not call the driver and must not wait: the function only queues the value.
unsafe extern "C" fn destroy(data: *mut c_void) {
    if is_forked_child() {
        return;
    }
    if let Some(value) = take(data.addr()) {
        defer_drop(value);
    }
}

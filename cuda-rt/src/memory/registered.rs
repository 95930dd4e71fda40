//! Registered host memory: the program's own memory, page-locked.

#![allow(unsafe_code)]

use super::handover::HandoverError;
use super::host::{BorrowedHostMemory, HostMemory, HostMemoryMut, OwnedHostMemory};
use super::host_transfer::{end_process, is_exiting, is_page_locked, may_be_page_locked, wait_for_exit};
use super::loan;
use super::pinned::{device_ptr_of, flags_of};
use super::pointer::DevicePtr;
use crate::context::{Context, ContextRequirement, RelaxedCaptureMode, release_in};
use crate::error::{Code, Error, ErrorKind, OrDetail, Result};
use crate::handle::{
    Quiet, defer_drop_erased, ensure_not_in_host_function, is_forked_child, is_inside, report,
};
use crate::stream::Stream;
use core::ffi::c_void;
use core::fmt;
use core::mem::{MaybeUninit, needs_drop, replace};
use core::ops::{Deref, DerefMut};
use core::ptr::{NonNull, null_mut};
use cuda_sys::Symbol;

flags! {
    /// The way in which host memory is registered.
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::memory::{RegisterFlags, register_shared_scoped};
    ///
    /// // memory that is read-only for the program must be read-only for the device, too
    /// static PRIMES: [u32; 4] = [2, 3, 5, 7];
    /// # if cuda_rt::Device::get(0)?.attribute(cuda_rt::device::DeviceAttribute::READ_ONLY_HOST_REGISTER_SUPPORTED)? == 0 { return Ok(()); }
    /// register_shared_scoped(&context, &PRIMES, RegisterFlags::READ_ONLY, |_| ())?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct RegisterFlags {
        /// Page-locked for all contexts, not only for the context of the registration. This is always so where host and device
        /// share one address space, as on all 64-bit systems.
        #[doc(alias = "CU_MEMHOSTREGISTER_PORTABLE")]
        const PORTABLE = cuda_sys::CU_MEMHOSTREGISTER_PORTABLE;
        /// Accessible to kernels, at the address of [`RegisteredBuf::device_ptr`]. This is always so with one address space.
        #[doc(alias = "CU_MEMHOSTREGISTER_DEVICEMAP")]
        const DEVICEMAP = cuda_sys::CU_MEMHOSTREGISTER_DEVICEMAP;
        /// Memory of another device, not of the host. No function checks this, so only [`RegisteredBuf::borrowed`] accepts the
        /// flag.
        #[doc(alias = "CU_MEMHOSTREGISTER_IOMEMORY")]
        const IOMEMORY = cuda_sys::CU_MEMHOSTREGISTER_IOMEMORY;
        /// Read-only for the device. Copies to the memory are refused, and a kernel that writes to it faults. Needs
        /// [`READ_ONLY_HOST_REGISTER_SUPPORTED`](crate::device::DeviceAttribute::READ_ONLY_HOST_REGISTER_SUPPORTED).
        #[doc(alias = "CU_MEMHOSTREGISTER_READ_ONLY")]
        const READ_ONLY = cuda_sys::CU_MEMHOSTREGISTER_READ_ONLY;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// The program's own memory, page-locked until this value is dropped. Copies work as with a [`PinnedBuf`](crate::PinnedBuf), but
/// the data need not be copied into one first.
///
/// There are three ways to register memory:
///
/// | function | the memory | safety |
/// |---|---|---|
/// | [`RegisteredBuf::new`] | is moved, and returned by [`unregister`](RegisteredBuf::unregister) | safe |
/// | [`register_scoped`](crate::memory::register_scoped), [`register_shared_scoped`](crate::memory::register_shared_scoped) | is borrowed for a closure | safe |
/// | [`RegisteredBuf::borrowed`] | is borrowed | `unsafe`: the value can be forgotten |
///
/// The driver locks whole pages. A kernel that writes outside the memory can therefore reach other data on the first and the last
/// page. An [`AlignedBuf`](crate::memory::AlignedBuf) of whole pages shares its pages with no other data.
///
/// # Failed unregistration
///
/// Memory that the driver considers page-locked must not get a new owner: copies with the memory of the new owner would go to the
/// old pages. So if unregistering fails twice, owned memory is never freed. For borrowed memory the process is aborted, with a
/// line on the standard error. After a failure with which the driver stops all copies, such as a
/// [sticky](crate::error#after-a-sticky-error) failure, the process is not aborted. While the process exits, the thread waits for
/// the exit instead of aborting.
///
/// If owned memory is dropped inside a [host function](crate::stream#host-functions), it is unregistered afterwards; if its
/// elements have destructors, it is never freed. Borrowed memory can neither be unregistered inside a host function nor wait, so
/// the process is aborted as above. Drop it elsewhere.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
///
/// let samples = vec![1.0_f32, 2.0, 3.0];
/// let samples = RegisteredBuf::new(&context, samples, RegisterFlags::empty())?;
/// let mut device = DeviceBuf::zeroed(&stream, 3)?;
/// let samples = device.copy_from_pinned(samples)?.wait()?;
/// let samples: Vec<f32> = samples.unregister()?;
/// assert_eq!(device.to_vec()?, samples);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct RegisteredBuf<C: HostMemory> {
    /// The initialised memory; `None` if it was taken out, or left to the driver. Not a plain value, since the device uses the
    /// elements while this value is moved. A box in its place would claim to be the only access to its elements.
    memory: Option<MaybeUninit<C>>,
    /// The first of `len` elements, inside `memory`.
    start: NonNull<C::Element>,
    len: usize,
    /// The registered address, or null.
    base: *mut c_void,
    /// The number of the registration in the table of host memory.
    registration: u64,
    context: Context,
}

// SAFETY: registering is not bound to a thread; the memory owns the elements, and `C` is `Send`.
unsafe impl<C: HostMemory + Send> Send for RegisteredBuf<C> {}
// SAFETY: `&RegisteredBuf<C>` gives `&[C::Element]`, as `&C` does, and calls of the driver, which locks by itself.
unsafe impl<C: HostMemory + Sync> Sync for RegisteredBuf<C> {}

/// The outcome of unregistering memory.
enum Ended {
    /// The memory is not registered any more. Other code may have unregistered it.
    Free(Result<()>),
    /// The memory may still be page-locked.
    Kept(Error),
}

impl<C: OwnedHostMemory> RegisteredBuf<C> {
    /// Registers memory, and owns it. Wraps `cuMemHostRegister`.
    ///
    /// Memory without bytes is not registered.
    ///
    /// # Errors
    ///
    /// - [`Code::HostMemoryAlreadyRegistered`]: part of the memory is registered already, by any code.
    /// - [`Code::InvalidValue`]: the driver allocated the memory, the memory is read-only and
    ///   [`READ_ONLY`](RegisterFlags::READ_ONLY) is missing, or a flag is unknown.
    /// - [`Code::OutOfMemory`].
    /// - [`Code::NotSupported`]: the device does not support the flags.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the flags need guarantees about the memory.
    /// - An earlier failure.
    ///
    /// The error holds the memory, unless the failed call has registered the memory and it cannot be unregistered.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    ///
    /// let mut words = RegisteredBuf::new(&context, vec![0_u32; 1000], RegisterFlags::PORTABLE)?;
    /// words[0] = 1;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostRegister")]
    pub fn new(context: &Context, memory: C, flags: RegisterFlags) -> Result<Self, HandoverError<C>> {
        if let Err(error) = only_safe(flags) {
            return Err(HandoverError::new(error, Some(memory)));
        }
        let mut registered = RegisteredBuf::over(context, memory);
        match registered.register(flags) {
            Ok(()) => Ok(registered),
            Err(error) => {
                let mut streams = Vec::new();
                if let Ended::Kept(kept) = registered.end(&mut streams) {
                    registered.memory = None;
                    report(Err(kept));
                }
                Err(HandoverError::new(error, registered.take()))
            }
        }
    }

    /// Unregisters the memory, and returns it. Wraps `cuMemHostUnregister`.
    ///
    /// # Blocking
    ///
    /// Until all work queued in the context of the registration is done. If safe functions of this crate are copying the memory
    /// in other contexts, also until the streams of these copies are done. The call does not wait for kernels of other contexts,
    /// or for their copies by raw calls or by `unsafe` functions of this crate.
    ///
    /// # Errors
    ///
    /// - [`Code::HostMemoryNotRegistered`]: other code has unregistered the memory. The error holds the memory.
    /// - An earlier failure. The memory is [never freed](RegisteredBuf#failed-unregistration).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    ///
    /// let registered = RegisteredBuf::new(&context, vec![1, 2, 3], RegisterFlags::empty())?;
    /// let mut memory = registered.unregister()?;
    /// memory.push(4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostUnregister")]
    pub fn unregister(mut self) -> Result<C, HandoverError<C>> {
        if let Err(error) = ensure_not_in_host_function(Symbol::cuMemHostUnregister) {
            return Err(HandoverError::new(error, None));
        }
        let mut streams = Vec::new();
        let error = match self.end(&mut streams) {
            Ended::Free(Ok(())) => match self.take() {
                Some(memory) => return Ok(memory),
                None => Error::context_lost(),
            },
            Ended::Free(Err(error)) => error,
            Ended::Kept(error) => {
                self.memory = None;
                error
            }
        };
        Err(HandoverError::new(error, self.take()))
    }
}

impl<C: BorrowedHostMemory> RegisteredBuf<C> {
    /// Registers borrowed memory. Wraps `cuMemHostRegister`.
    ///
    /// # Blocking
    ///
    /// While another thread is registering or unregistering part of the memory.
    ///
    /// # Errors
    ///
    /// Same as [`RegisteredBuf::new`], but for flags: all are passed on.
    ///
    /// # Safety
    ///
    /// - The value is dropped, or [closed](RegisteredBuf::close), before the borrow ends. It is not forgotten.
    /// - Before that, kernels and raw copies of other contexts that use the memory are done: unregistering waits only for its own
    ///   context, and for copies of this crate.
    /// - With [`RegisterFlags::IOMEMORY`], the memory belongs to another device, not to the host. Unknown flags do no harm.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    ///
    /// let mut samples = [0.0_f32; 100];
    /// // SAFETY: it is closed below, and dropped if something fails.
    /// let registered = unsafe { RegisteredBuf::borrowed(&context, &mut samples[..], RegisterFlags::empty()) }?;
    /// println!("{:?}", registered.device_ptr()?);
    /// registered.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostRegister")]
    pub unsafe fn borrowed(context: &Context, memory: C, flags: RegisterFlags) -> Result<Self> {
        let mut registered = RegisteredBuf::over(context, memory);
        registered.register(flags)?;
        Ok(registered)
    }

    /// Unregisters the memory, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuMemHostUnregister`.
    ///
    /// # Blocking
    ///
    /// Until all work queued in the context of the registration is done. If safe functions of this crate are copying the memory
    /// in other contexts, also until the streams of these copies are done. The call does not wait for kernels of other contexts,
    /// or for their copies by raw calls or by `unsafe` functions of this crate.
    ///
    /// # Errors
    ///
    /// - [`Code::HostMemoryNotRegistered`]: other code has unregistered the memory.
    /// - An earlier failure.
    ///
    /// A second failure [aborts](RegisteredBuf#failed-unregistration) the process.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    /// let mut samples = [0.0_f32; 100];
    /// // SAFETY: it is closed at once.
    /// unsafe { RegisteredBuf::borrowed(&context, &mut samples[..], RegisterFlags::empty()) }?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostUnregister")]
    pub fn close(mut self) -> Result<()> {
        self.give_back()
    }
}

impl<C: HostMemory> RegisteredBuf<C> {
    fn over(context: &Context, memory: C) -> Self {
        let mut memory = MaybeUninit::new(memory);
        // SAFETY: initialised just now.
        let (start, len) = unsafe { memory.assume_init_mut() }.place();
        RegisteredBuf {
            memory: Some(memory),
            start,
            len,
            base: null_mut(),
            registration: 0,
            context: context.clone(),
        }
    }

    fn register(&mut self, flags: RegisterFlags) -> Result<()> {
        let (base, bytes) = (self.start.as_ptr().cast::<c_void>(), self.size_bytes());
        if bytes == 0 {
            return Ok(());
        }
        let what = || describe_host_memory(base.addr(), bytes);
        let bound = self.context.bind(Symbol::cuMemHostRegister_v2)?;
        // Otherwise the call would invalidate a capture of this or another thread.
        let relaxed = RelaxedCaptureMode::new();
        let begun = loan::begin_registration(loan::host_range(base, bytes));
        self.registration = begun.number;
        // If this crate has registered some of it, the answer does not matter.
        let was_locked = if begun.is_first { is_page_locked(base.addr()) } else { Ok(true) };
        let registered = match was_locked {
            Err(error) => Err(error.before(Symbol::cuMemHostRegister_v2)),
            Ok(was_locked) => {
                // SAFETY: the memory has this size and stays until it is unregistered. Owned memory is not dropped before;
                // borrowed memory is borrowed by a closure's caller, or the caller promises. The context is current.
                let registered = unsafe { check!(cuMemHostRegister_v2(base, bytes, flags.bits())) };
                let may_be_done = match &registered {
                    Ok(()) => true,
                    Err(error) if error.code() == Some(Code::HostMemoryAlreadyRegistered) => false,
                    // A call that has done its own work may report a failure of something else.
                    Err(_) => begun.is_first && !was_locked && may_be_page_locked(base.addr()),
                };
                if may_be_done {
                    self.base = base;
                }
                registered
            }
        };
        if self.base.is_null() {
            loan::end_registration(begun.number);
        } else {
            loan::keep_registration(begun.number);
        }
        drop(relaxed);
        drop(bound);
        registered
            .or_detail(&[Code::HostMemoryAlreadyRegistered, Code::InvalidValue, Code::OutOfMemory], &what)
    }

    /// Unregisters the memory, on the first call only. `streams` gets the streams whose ends were waited for. They may be the
    /// last handles, whose owners may panic: they are dropped after the work that [`Ended`] requires.
    fn end(&mut self, streams: &mut Vec<Stream>) -> Ended {
        let base = replace(&mut self.base, null_mut());
        if base.is_null() {
            return Ended::Free(Ok(()));
        }
        let bytes = self.size_bytes();
        let registration = self.registration;
        let _quiet = Quiet::new();
        // The driver waits for this context only. Copies of other contexts would lose their memory.
        let ended =
            release_in(&self.context, ContextRequirement::None, Symbol::cuMemHostUnregister, &mut |_| {
                loan::wait_for_copies(registration, streams)?;
                unregister(base)
            });
        match ended {
            Err(error) if is_not_registered(&error) => {
                loan::end_registration(registration);
                let what = || describe_host_memory(base.addr(), bytes);
                Ended::Free(Err(error).or_detail(&[Code::HostMemoryNotRegistered], &what))
            }
            Err(error) => {
                loan::keep_registration(registration);
                Ended::Kept(error)
            }
            Ok(()) => {
                loan::end_registration(registration);
                Ended::Free(Ok(()))
            }
        }
    }

    /// Takes the memory out, if this value still has it and it is not registered.
    fn take(&mut self) -> Option<C> {
        // SAFETY: the value is initialised if it exists, and is taken once.
        self.memory.take().map(|memory| unsafe { memory.assume_init() })
    }

    /// Unregisters the memory, and drops it if this is allowed.
    fn give_back(&mut self) -> Result<()> {
        let mut streams = Vec::new();
        match self.end(&mut streams) {
            Ended::Free(outcome) => {
                drop(self.take());
                outcome
            }
            Ended::Kept(error) => {
                // Not dropped.
                self.memory = None;
                if C::IS_BORROWED && is_inside() {
                    end_process(format_args!(
                        "registered memory that is borrowed was dropped inside a function that the driver calls, where it \
                         cannot be unregistered ({error}); the driver would take the next memory at its place for it"
                    ));
                }
                if C::IS_BORROWED && is_exiting(&error) {
                    wait_for_exit();
                }
                if C::IS_BORROWED && may_copy_after(&error) {
                    end_process(format_args!(
                        "unregistering borrowed host memory failed twice ({error}); the driver would take the next memory at \
                         its place for it"
                    ));
                }
                if C::IS_BORROWED {
                    // The driver copies nothing after such a failure: other memory at this address needs no entry.
                    loan::end_registration(self.registration);
                }
                Err(error)
            }
        }
    }

    /// Inside a callback, leaves the unregistration to another thread, and returns true. Borrowed memory cannot wait for the
    /// other thread.
    fn leave_to_reaper(&mut self) -> bool {
        if self.base.is_null() || C::IS_BORROWED || !is_inside() || is_forked_child() {
            return false;
        }
        let base = replace(&mut self.base, null_mut());
        // Destructors of elements may access data that does not live so long. In this case the memory is left to the driver, and
        // never freed.
        let memory = self.memory.take().filter(|_| !needs_drop::<C::Element>());
        let same = RegisteredBuf { memory, base, context: self.context.clone(), ..*self };
        // SAFETY: unregistering and freeing memory is not bound to a thread; owned memory whose elements have no destructors is
        // freed without access to the elements.
        unsafe { defer_drop_erased(same) };
        true
    }

    /// Returns the context that the memory is registered in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the address of the first element for kernels of this context. Null if there are no bytes. Wraps
    /// `cuMemHostGetDevicePointer`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    /// let registered = RegisteredBuf::new(&context, vec![1, 2, 3], RegisterFlags::DEVICEMAP)?;
    /// assert!(!registered.device_ptr()?.is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostGetDevicePointer")]
    pub fn device_ptr(&self) -> Result<DevicePtr<C::Element>> {
        if self.base.is_null() {
            return Ok(DevicePtr::null());
        }
        device_ptr_of(self.start.cast(), &self.context).map(DevicePtr::from_raw)
    }

    /// Returns the flags as the driver reports them: always [`DEVICEMAP`](RegisterFlags::DEVICEMAP), and
    /// [`PORTABLE`](RegisterFlags::PORTABLE) if it was given. No flags if there are no bytes. Wraps `cuMemHostGetFlags`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
    /// let registered = RegisteredBuf::new(&context, vec![1, 2, 3], RegisterFlags::PORTABLE)?;
    /// assert_eq!(registered.flags()?, RegisterFlags::PORTABLE | RegisterFlags::DEVICEMAP);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemHostGetFlags")]
    pub fn flags(&self) -> Result<RegisterFlags> {
        if self.base.is_null() {
            return Ok(RegisterFlags::empty());
        }
        flags_of(self.start.cast(), &self.context).map(RegisterFlags::from_bits_retain)
    }

    /// Returns the size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<C::Element>()
    }
}

/// Refuses flags that a safe function must not accept.
pub(super) fn only_safe(flags: RegisterFlags) -> Result<()> {
    let others = flags - (RegisterFlags::PORTABLE | RegisterFlags::DEVICEMAP | RegisterFlags::READ_ONLY);
    if others.is_empty() {
        return Ok(());
    }
    let flags = others.bits();
    Err(Error::invalid_for(
        Symbol::cuMemHostRegister_v2,
        format_args!("flags {flags:#x} require guarantees about the memory; use the unsafe variant"),
    ))
}

#[cold]
fn describe_host_memory(address: usize, bytes: usize) -> String {
    format!("{bytes} bytes of host memory at {address:#x}")
}

/// Unregisters the memory. Retries after a failure, since a later call cannot repair it.
fn unregister(base: *mut c_void) -> Result<()> {
    // SAFETY: the memory is page-locked by its owner, who releases it; an unknown address is refused.
    let attempt = || unsafe { check!(cuMemHostUnregister(base)) };
    match attempt() {
        Err(first) if !is_not_registered(&first) => match attempt() {
            // A call that has done its own work may report a failure of something else. The second failure shows what the driver
            // does now.
            Err(second) if !is_not_registered(&second) => Err(second),
            _ => Ok(()),
        },
        outcome => outcome,
    }
}

fn is_not_registered(error: &Error) -> bool {
    error.code() == Some(Code::HostMemoryNotRegistered)
}

/// Returns whether the driver may go on copying after a failure of unregistering.
fn may_copy_after(error: &Error) -> bool {
    !(error.is_sticky()
        || error.code() == Some(Code::NotInitialized)
        || error.kind() == ErrorKind::ContextLost)
}

impl<C: HostMemory> Deref for RegisteredBuf<C> {
    type Target = [C::Element];

    fn deref(&self) -> &[C::Element] {
        // SAFETY: the elements are those of `memory`, which this value owns. Memory that the device may write to while it is lent
        // belongs to a `PendingCopy`, or is borrowed by a scope.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<C: HostMemoryMut> DerefMut for RegisteredBuf<C> {
    fn deref_mut(&mut self) -> &mut [C::Element] {
        // SAFETY: as above, and borrowed mutably; `C` may be written to.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<C: HostMemory> Drop for RegisteredBuf<C> {
    fn drop(&mut self) {
        if !self.leave_to_reaper() {
            report(self.give_back());
        }
    }
}

impl<C: HostMemory> fmt::Debug for RegisteredBuf<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RegisteredBuf")
            .field("start", &self.start)
            .field("len", &self.len)
            .field("context", &self.context)
            .finish()
    }
}

//! Host functions: functions of the program that a stream calls.

#![allow(unsafe_code)]

mod mode;

pub use mode::HostTaskSyncMode;

use super::{AsStream, Handle, PerThreadStream, Stream, StreamRef, captures};
use crate::context::queued_functions::{self, Function, Kind, Place, Waiting};
use crate::error::{Error, ErrorKind, Result, from_call};
use crate::handle::{Inside, report};
use core::ffi::c_void;
use core::ptr::without_provenance_mut;
use cuda_sys::{CUresult, CUstream, Symbol};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Stream {
    /// Queues a function, which the driver calls after the work that is queued on the stream now. Later work of the stream waits
    /// until the function returns. Wraps `cuLaunchHostFunc`.
    ///
    /// After a failure the function is not called: use [`add_callback`](Stream::add_callback) for that case. The function cannot
    /// call the driver; see [host functions](crate::stream#host-functions).
    ///
    /// # Blocking
    ///
    /// Does not wait, not even for a function that takes long.
    ///
    /// # Driver notes
    ///
    /// On an H200 with driver 580, 20000 calls of this function did not wait behind a function that did not return. Other calls
    /// may wait: see [host functions](crate::stream#host-functions).
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - An earlier failure.
    ///
    /// If the call fails, the function is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Stream;
    /// use std::sync::mpsc;
    ///
    /// let stream = Stream::new(&context)?;
    /// let (sender, receiver) = mpsc::channel();
    /// stream.launch_host_function(move || sender.send("done so far").unwrap())?;
    /// assert_eq!(receiver.recv().unwrap(), "done so far");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// The call does not wait for the function, so the function cannot borrow local variables:
    ///
    /// ```compile_fail,E0597
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
    /// # let stream = cuda_rt::Stream::new(&context).unwrap();
    /// let count = std::sync::atomic::AtomicU32::new(0);
    /// let borrowed = &count;
    /// stream.launch_host_function(move || drop(borrowed)).unwrap();
    /// ```
    ///
    /// The function is called on another thread, so it cannot capture a value that is not [`Send`]:
    ///
    /// ```compile_fail,E0277
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
    /// # let stream = cuda_rt::Stream::new(&context).unwrap();
    /// let count = std::rc::Rc::new(1);
    /// stream.launch_host_function(move || drop(count)).unwrap();
    /// ```
    #[doc(alias = "cuLaunchHostFunc")]
    pub fn launch_host_function(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        launch(self, None, function)
    }

    /// Queues a function like [`launch_host_function`](Stream::launch_host_function). The mode says how the driver's thread waits
    /// for the turn of the function. Wraps `cuLaunchHostFunc_v2`.
    ///
    /// # Blocking
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    /// - Same as [`Stream::launch_host_function`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::error::ErrorKind;
    /// use cuda_rt::stream::HostTaskSyncMode;
    ///
    /// match stream.launch_host_function_with_mode(HostTaskSyncMode::SpinWait, || println!("done")) {
    ///     Err(error) if error.kind() == ErrorKind::FunctionMissing => println!("{error}"), // an older driver
    ///     launched => launched?,
    /// }
    /// # stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchHostFunc_v2")]
    pub fn launch_host_function_with_mode(
        &self,
        mode: HostTaskSyncMode,
        function: impl FnOnce() + Send + 'static,
    ) -> Result<()> {
        launch(self, Some(mode), function)
    }

    /// Queues a function, which the driver calls after the work that is queued on the stream now, even if that work fails. The
    /// function receives the outcome. Later work of the stream waits until the function returns. Wraps `cuStreamAddCallback`.
    ///
    /// Use a callback to wake another thread: the thread also learns of a failure. The function cannot call the driver; see [host
    /// functions](crate::stream#host-functions).
    ///
    /// # Blocking
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Errors
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Stream;
    /// use std::sync::mpsc;
    ///
    /// let stream = Stream::new(&context)?;
    /// let (sender, receiver) = mpsc::channel();
    /// stream.add_callback(move |outcome| sender.send(outcome).unwrap())?;
    /// receiver.recv().unwrap()?; // the queued work has succeeded
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamAddCallback")]
    pub fn add_callback(&self, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        add_callback(self, function)
    }
}

impl PerThreadStream {
    /// Queues a function, which the driver calls after the work that is queued on the stream now. Wraps `cuLaunchHostFunc`.
    ///
    /// # Blocking
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Errors
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let stream = cuda_rt::stream::PerThreadStream::new(&context);
    /// stream.launch_host_function(|| println!("done so far"))?;
    /// stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchHostFunc")]
    pub fn launch_host_function(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        launch(self, None, function)
    }

    /// Queues a function. The mode says how the driver's thread waits for the turn of the function: see
    /// [`Stream::launch_host_function_with_mode`]. Wraps `cuLaunchHostFunc_v2`.
    ///
    /// # Blocking
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Errors
    ///
    /// Same as [`Stream::launch_host_function_with_mode`].
    #[doc(alias = "cuLaunchHostFunc_v2")]
    pub fn launch_host_function_with_mode(
        &self,
        mode: HostTaskSyncMode,
        function: impl FnOnce() + Send + 'static,
    ) -> Result<()> {
        launch(self, Some(mode), function)
    }

    /// Queues a function like [`Stream::add_callback`]: the driver calls the function even if the earlier work fails, with the
    /// outcome. Wraps `cuStreamAddCallback`.
    ///
    /// # Blocking
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Errors
    ///
    /// Same as [`Stream::launch_host_function`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let stream = cuda_rt::stream::PerThreadStream::new(&context);
    /// stream.add_callback(|outcome| println!("{outcome:?}"))?;
    /// stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamAddCallback")]
    pub fn add_callback(&self, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        add_callback(self, function)
    }
}

impl StreamRef<'_> {
    /// Queues a host function like [`Stream::launch_host_function`].
    pub(crate) fn launch_host_function(self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        launch(&self, None, function)
    }
}

fn launch(
    stream: &impl AsStream,
    mode: Option<HostTaskSyncMode>,
    function: impl FnOnce() + Send + 'static,
) -> Result<()> {
    let name = match mode {
        None => Symbol::cuLaunchHostFunc,
        Some(_) => Symbol::cuLaunchHostFunc_v2,
    };
    queue(stream, Kind::HostFunction, name, Box::new(|_| function()), |raw, data| match mode {
        // SAFETY: the stream is live, and its context current. `call` may be called at any time, on any thread, with any
        // pointer.
        None => unsafe { check!(cuLaunchHostFunc(raw, Some(call), data)) },
        // SAFETY: as above; the driver refuses modes that it does not know.
        Some(mode) => unsafe { check!(cuLaunchHostFunc_v2(raw, Some(call), data, mode.to_raw())) },
    })
}

fn add_callback(stream: &impl AsStream, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    queue(stream, Kind::Callback, Symbol::cuStreamAddCallback, Box::new(function), |raw, data| {
        // SAFETY: the stream is live, and its context current. `call_back` may be called at any time, on any thread, with
        // any arguments.
        unsafe { check!(cuStreamAddCallback(raw, Some(call_back), data, NO_FLAGS)) }
    })
}

/// Runs `queue`, which passes a function to the driver under a number, by `call`.
fn queue(
    stream: &impl AsStream,
    kind: Kind,
    call: Symbol,
    function: Function,
    queue: impl FnOnce(CUstream, *mut c_void) -> Result<()>,
) -> Result<()> {
    let raw = stream.raw();
    let bound = stream.context().bind(call)?;
    // Each launch of a graph would call the function, or none. If a capture begins between this check and the next call, the
    // function is called once, and not again.
    if captures(stream).map_err(|error| error.before(call))? {
        let text = "the stream is being captured, and each launch of the graph would call the function again, or never; end the \
                    capture first";
        return Err(Error::refused(ErrorKind::StreamCapturing, call.name(), format_args!("{text}")));
    }
    let place = Place { context: stream.context().context_id(), stream: raw.addr(), kind };
    let waiting = Waiting::new(place, function);
    let queued = queue(raw, without_provenance_mut(waiting.number()));
    drop(bound);
    if queued.is_ok() {
        waiting.leave();
    }
    queued
}

extern "C" fn call(data: *mut c_void) {
    run(data, || Ok(()));
}

extern "C" fn call_back(_: CUstream, status: CUresult, data: *mut c_void) {
    run(data, || from_call(Symbol::cuStreamAddCallback, status));
}

/// Calls the function with a number, unless it was called: a second call of the driver does nothing.
fn run(data: *mut c_void, outcome: impl FnOnce() -> Result<()>) {
    let Some(function) = queued_functions::take(data.addr()) else { return };
    let _inside = Inside::new();
    // No panic may unwind into the driver. The captured values of the function are dropped here, too.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| function(outcome()))) {
        report(Err(Error::panicked("host function", payload)));
    }
}

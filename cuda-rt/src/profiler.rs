//! The part of a program that a profiler records.
//!
//! | item | does |
//! |---|---|
//! | [`start`], [`stop`] | start and stop recording |
//! | [`ProfilerGuard`] | records until it is dropped |
//!
//! A profiler that waits for these calls (`nsys profile --capture-range=cudaProfilerApi`, `ncu --profile-from-start off`) records
//! between [`start`] and [`stop`]. Without such a profiler, the calls do nothing.
//!
//! Starts do not nest: the first stop ends the recording of any number of starts. The drop of an inner [`ProfilerGuard`]
//! therefore ends the recording of an outer one, too.
//!
//! With the software driver, `cuda_sim::Machine::take_launch_counts` returns how many instructions kernels have
//! executed since its last call. `count_instructions` starts the counting. `Machine::take_calls` contains
//! `cuProfilerStart` and `cuProfilerStop` after `record_calls`.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#profiler) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

use crate::context::{Context, ContextRequirement, RelaxedCaptureMode, release_in};
use crate::error::Result;
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::text::c_string;
use cuda_sys::{CUoutput_mode_enum, Symbol};

/// Makes a profiler record from now on. Wraps `cuProfilerStart`.
///
/// # Errors
///
/// An earlier failure.
///
/// # Examples
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::profiler;
///
/// profiler::start(&context)?;
/// // the work to record
/// profiler::stop(&context)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "cuProfilerStart")]
pub fn start(context: &Context) -> Result<()> {
    let _bound = context.bind(Symbol::cuProfilerStart)?;
    // Else a capture that is going on would be lost (measured).
    let _relaxed = RelaxedCaptureMode::new();
    // SAFETY: it takes nothing; the context is current.
    unsafe { check!(cuProfilerStart()) }
}

/// Makes a profiler stop recording. Wraps `cuProfilerStop`.
///
/// # Errors
///
/// An earlier failure.
#[doc(alias = "cuProfilerStop")]
pub fn stop(context: &Context) -> Result<()> {
    let _bound = context.bind(Symbol::cuProfilerStop)?;
    // Else a capture that is going on would be lost (measured).
    let _relaxed = RelaxedCaptureMode::new();
    // SAFETY: it takes nothing; the context is current.
    unsafe { check!(cuProfilerStop()) }
}

/// A recording of a profiler. Dropping it ends the recording.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::profiler::ProfilerGuard;
///
/// {
///     let _recording = ProfilerGuard::new(&context)?;
///     // the work to record
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "recording stops when this is dropped"]
pub struct ProfilerGuard(Owned<Recording>);

#[derive(Debug)]
struct Recording(Context);

impl ProfilerGuard {
    /// Makes a profiler record until the guard is dropped. Wraps `cuProfilerStart`.
    ///
    /// # Errors
    ///
    /// An earlier failure. In this case, the profiler does not record.
    #[doc(alias = "cuProfilerStart")]
    pub fn new(context: &Context) -> Result<ProfilerGuard> {
        // Without the call, a guard would stop a recording that other code has started.
        let bound = context.bind(Symbol::cuProfilerStart)?;
        let relaxed = RelaxedCaptureMode::new();
        // SAFETY: it takes nothing; the context is current.
        let started = unsafe { check!(cuProfilerStart()) };
        drop(relaxed);
        drop(bound);
        made(started, true, || ProfilerGuard(Owned::new(Recording(context.clone()))))
    }

    /// Ends the recording, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuProfilerStop`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::profiler::ProfilerGuard;
    /// let recording = ProfilerGuard::new(&context)?;
    /// recording.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuProfilerStop")]
    pub fn close(self) -> Result<()> {
        self.0.close()
    }
}

impl DriverHandle for Recording {
    fn release_call(&self) -> Symbol {
        Symbol::cuProfilerStop
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.0, ContextRequirement::Current, Symbol::cuProfilerStop, &mut |_| {
            // SAFETY: it takes nothing; the context is current.
            unsafe { check!(cuProfilerStop()) }
        })
    }
}

/// The output format of the profiler of old drivers.
#[doc(alias("CUoutput_mode", "profiler_output_mode"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputMode {
    /// A name and a value on each line.
    #[doc(alias = "CU_OUT_KEY_VALUE_PAIR")]
    KeyValuePair,
    /// Values with commas between them.
    #[doc(alias = "CU_OUT_CSV")]
    Csv,
}

/// Configures the profiler inside drivers before CUDA 12.0, for devices of compute capability below 7.5. Wraps
/// `cuProfilerInitialize`.
///
/// # Errors
///
/// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a path contains a NUL.
/// - [`Code::NotSupported`](crate::error::Code::NotSupported): the driver is CUDA 12.0 or newer.
/// - [`Code::ProfilerDisabled`](crate::error::Code::ProfilerDisabled): another profiler is running.
///
/// # Examples
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::profiler;
/// use cuda_rt::error::Code;
///
/// # #[allow(deprecated)]
/// let error = profiler::initialize(&context, "profile.conf", "profile.log", profiler::OutputMode::Csv).unwrap_err();
/// assert_eq!(error.code(), Some(Code::NotSupported));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[deprecated = "drivers since CUDA 12.0 refuse it; profilers are programs of their own now"]
#[doc(alias = "cuProfilerInitialize")]
pub fn initialize(
    context: &Context,
    config_file: &str,
    output_file: &str,
    output_mode: OutputMode,
) -> Result<()> {
    let (config, output) = (c_string(config_file)?, c_string(output_file)?);
    let mode = match output_mode {
        OutputMode::KeyValuePair => CUoutput_mode_enum::CU_OUT_KEY_VALUE_PAIR,
        OutputMode::Csv => CUoutput_mode_enum::CU_OUT_CSV,
    };
    let _bound = context.bind(Symbol::cuProfilerInitialize)?;
    // SAFETY: both names are C strings; the context is current.
    unsafe { check!(cuProfilerInitialize(config.as_ptr(), output.as_ptr(), mode)) }
}

//! Kinds of errors.

/// The kind of an [`Error`](crate::Error), for programs to branch on.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Module;
/// use cuda_rt::error::ErrorKind;
///
/// let module = Module::from_ptx(&context, ".version 6.4 .target sm_50 .address_size 64")?;
/// match module.function("scale") {
///     Ok(kernel) => println!("{kernel:?}"),
///     Err(error) if error.kind() == ErrorKind::NotFound => println!("{error}"), // compute on the host
///     Err(error) => return Err(error),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A failed call of the driver or of NVRTC. Branch on the [code](crate::Error::code), which only the driver's failures have.
    /// If it is [sticky](crate::Error::is_sticky),
    /// see [what a program can do](crate::error#after-a-sticky-error).
    Driver,
    /// A failed check before a call, which [was not made](crate::Error::prevented_call). The [code](crate::Error::code) is that
    /// of the check. In most cases the check reports an earlier failure.
    NotCalled,
    /// A driver that could not be loaded. Compute on the host, or show the text to the user: it lists the libraries that
    /// were tried.
    DriverUnavailable,
    /// An NVRTC that could not be loaded. Load code that was compiled before, or show the text to the user.
    CompilerUnavailable,
    /// A function that the loaded driver, or NVRTC, does not have. The library is too old, or the function exists only on another
    /// system. Do without the function, or ask the user for a newer version.
    FunctionMissing,
    /// An argument or a result that this crate refused. Correct the program: the text names value and limit.
    InvalidArgument,
    /// A driver call inside a [host function](crate::stream#host-functions). Make it after the function has returned.
    InsideHostFunction,
    /// A call that a stream under capture does not allow, or a use of a graph that a capture records
    /// into. Repeat the call after the capture has ended.
    StreamCapturing,
    /// A change of an object that a graph holds and relies on. Drop the graphs and executable graphs that
    /// hold it, wait for their launches, and repeat the change. Or make a new object.
    HeldByGraph,
    /// Host memory of a graph that the program has locked. Drop the guard, and repeat the call.
    HostCellLocked,
    /// A graph, an executable graph, or host memory of a graph, whose state is unknown after a failure. Drop it, and create a new
    /// one. Also a launched graph whose copies between devices may still run: access between the devices cannot be disabled.
    Poisoned,
    /// A context that other code has reset or destroyed. Drop the objects of the context, and create new
    /// ones. The drop does not pass their handles to the driver.
    ContextLost,
    /// Too little host memory for the result. Ask for less at a time.
    OutOfHostMemory,
    /// A file that could not be read, or whose content was refused. [`FileError`](super::FileError) has its path.
    File,
    /// A kernel, variable, reference or input file of this name that does not exist. For a kernel, the text may propose similar names
    /// if the module has any and the driver lists kernels: CUDA 12.4 and newer.
    NotFound,
    /// A kernel or a variable that has other types than the program gave. Correct the types.
    TypeMismatch,
    /// Memory that the kernels of a refused launch, or the host, cannot access. Enable access, attach the memory, or copy it: the
    /// text says which.
    AccessDenied,
    /// Code that could not be compiled, linked or loaded. The text ends with the compiler's log, if there is one.
    Compilation,
    /// A panic of a host function, of another function that the driver calls, of a waker or of a destructor. Only the
    /// [hook](crate::handle::set_drop_hook) receives it.
    Panicked,
}

//! Classes of codes: by the reaction of a program, and by the exceptions of PyCUDA.

use super::{Code, Error, ErrorKind, FileError, Result, from_call};
use cuda_sys::{CUresult, Symbol};

impl Code {
    /// Returns whether memory ran out. Freeing memory may help.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(cuda_rt::error::Code::OutOfMemory.is_out_of_memory());
    /// ```
    pub const fn is_out_of_memory(self) -> bool {
        matches!(self, Code::OutOfMemory)
    }

    /// Returns whether the code means "not done yet", which is no failure.
    ///
    /// [`Stream::is_done`](crate::Stream::is_done) and [`Event::is_done`](crate::Event::is_done) turn it into `false`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(cuda_rt::error::Code::NotReady.is_not_ready());
    /// ```
    pub const fn is_not_ready(self) -> bool {
        matches!(self, Code::NotReady)
    }

    /// Returns whether the code means that there is no usable context: none is current, or the context is invalid or destroyed.
    ///
    /// The documentation knows only [`InvalidContext`](Code::InvalidContext) for most of these; drivers answer
    /// [`ContextIsDestroyed`](Code::ContextIsDestroyed) for a context that was destroyed.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::error::Code;
    ///
    /// assert!(Code::InvalidContext.is_invalid_context());
    /// assert!(Code::ContextIsDestroyed.is_invalid_context());
    /// ```
    pub const fn is_invalid_context(self) -> bool {
        matches!(self, Code::InvalidContext | Code::ContextIsDestroyed)
    }

    /// Returns the exception that PyCUDA raises for the code.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::error::{Code, PyCudaClass};
    ///
    /// assert_eq!(Code::OutOfMemory.pycuda_class(), PyCudaClass::MemoryError);
    /// assert_eq!(Code::IllegalAddress.pycuda_class(), PyCudaClass::LogicError); // not LaunchError
    /// ```
    pub const fn pycuda_class(self) -> PyCudaClass {
        match self {
            Code::LaunchFailed
            | Code::LaunchOutOfResources
            | Code::LaunchTimeout
            | Code::LaunchIncompatibleTexturing => PyCudaClass::LaunchError,
            Code::OutOfMemory => PyCudaClass::MemoryError,
            Code::NoDevice
            | Code::NoBinaryForGpu
            | Code::FileNotFound
            | Code::NotReady
            | Code::EccUncorrectable => PyCudaClass::RuntimeError,
            Code::UnknownError => PyCudaClass::Error,
            _ => PyCudaClass::LogicError,
        }
    }
}

/// The exceptions of PyCUDA, for programs that are ported from it.
///
/// The table follows PyCUDA's source, surprises included:
///
/// | class | codes |
/// |---|---|
/// | [`LaunchError`](PyCudaClass::LaunchError) | [`LaunchFailed`](Code::LaunchFailed), [`LaunchOutOfResources`](Code::LaunchOutOfResources), [`LaunchTimeout`](Code::LaunchTimeout), [`LaunchIncompatibleTexturing`](Code::LaunchIncompatibleTexturing) |
/// | [`MemoryError`](PyCudaClass::MemoryError) | [`OutOfMemory`](Code::OutOfMemory) |
/// | [`RuntimeError`](PyCudaClass::RuntimeError) | [`NoDevice`](Code::NoDevice), [`NoBinaryForGpu`](Code::NoBinaryForGpu), [`FileNotFound`](Code::FileNotFound), [`NotReady`](Code::NotReady), [`EccUncorrectable`](Code::EccUncorrectable) |
/// | [`Error`](PyCudaClass::Error) itself | [`UnknownError`](Code::UnknownError) |
/// | [`LogicError`](PyCudaClass::LogicError) | all others, [unknown](Code::Unknown) ones too: [`IllegalAddress`](Code::IllegalAddress), [`Assert`](Code::Assert), [`NotSupported`](Code::NotSupported), those of peer access |
/// | [`CompileError`](PyCudaClass::CompileError) | none: a program does not compile, see [`Error::pycuda_class`] |
///
/// ```
/// use cuda_rt::error::{Code, PyCudaClass};
///
/// let logic = Code::ALL.iter().filter(|code| code.pycuda_class() == PyCudaClass::LogicError);
/// assert_eq!(logic.count(), 94);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PyCudaClass {
    /// `pycuda.driver.Error`, the base of the others.
    Error,
    /// `pycuda.driver.CompileError`.
    CompileError,
    /// `pycuda.driver.MemoryError`.
    MemoryError,
    /// `pycuda.driver.LogicError`.
    LogicError,
    /// `pycuda.driver.LaunchError`.
    LaunchError,
    /// `pycuda.driver.RuntimeError`.
    RuntimeError,
}

impl Error {
    /// Returns whether memory of the device or of the host ran out.
    pub fn is_out_of_memory(&self) -> bool {
        self.kind() == ErrorKind::OutOfHostMemory || self.code().is_some_and(Code::is_out_of_memory)
    }

    /// Returns whether the error means "not done yet", which is no failure. See [`Code::is_not_ready`].
    pub fn is_not_ready(&self) -> bool {
        self.code().is_some_and(Code::is_not_ready)
    }

    /// Returns whether there is no usable context. See [`Code::is_invalid_context`].
    pub fn is_invalid_context(&self) -> bool {
        self.kind() == ErrorKind::ContextLost || self.code().is_some_and(Code::is_invalid_context)
    }

    /// Returns the exception that PyCUDA would raise.
    ///
    /// - By the [code](Code::pycuda_class) if there is one.
    /// - [`CompileError`](PyCudaClass::CompileError) for CUDA C++ that does not compile. Here NVRTC compiles, in PyCUDA `nvcc`.
    /// - [`RuntimeError`](PyCudaClass::RuntimeError) for a file that cannot be read.
    /// - [`MemoryError`](PyCudaClass::MemoryError) for too little memory of the host.
    /// - [`Error`](PyCudaClass::Error) for a driver that could not be loaded.
    /// - [`LogicError`](PyCudaClass::LogicError) for any other refusal of this crate.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::{Device, Module};
    /// use cuda_rt::error::PyCudaClass;
    ///
    /// assert_eq!(Device::get(99).unwrap_err().pycuda_class(), PyCudaClass::LogicError);
    /// // SAFETY: there is no such file.
    /// let error = unsafe { Module::from_file(&context, "nowhere.cubin") }.unwrap_err();
    /// assert_eq!(error.pycuda_class(), PyCudaClass::RuntimeError);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn pycuda_class(&self) -> PyCudaClass {
        if let Some(code) = self.code() {
            return code.pycuda_class();
        }
        match self.kind() {
            // With the driver's compiler there is a code.
            ErrorKind::Compilation => PyCudaClass::CompileError,
            // There the driver reads it, and answers FILE_NOT_FOUND.
            ErrorKind::File if !self.is_wrong_content() => PyCudaClass::RuntimeError,
            ErrorKind::OutOfHostMemory => PyCudaClass::MemoryError,
            // Without a driver PyCUDA cannot even be imported.
            ErrorKind::DriverUnavailable => PyCudaClass::Error,
            _ => PyCudaClass::LogicError,
        }
    }
}

impl Error {
    /// Returns whether a file was read and its content was refused.
    fn is_wrong_content(&self) -> bool {
        self.context::<FileError>().is_some_and(|file| file.kind == std::io::ErrorKind::InvalidData)
    }
}

/// Converts the result of a raw function to a `Result`. The error names the function.
///
/// # Errors
///
/// - [`ErrorKind::Driver`]: the driver returned a code other than success.
/// - [`ErrorKind::FunctionMissing`]: the driver does not have the function.
/// - [`ErrorKind::DriverUnavailable`]: there is no driver.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::error::check;
/// use cuda_rt::sys::{Symbol, cuDeviceGetCount};
///
/// cuda_rt::init()?;
/// let mut count = 0;
/// // SAFETY: `count` is valid for a write.
/// check(Symbol::cuDeviceGetCount, unsafe { cuDeviceGetCount(&mut count) })?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn check(function: Symbol, result: CUresult) -> Result<()> {
    from_call(function, result)
}

//! The driver's error codes as an enumeration.

use core::fmt;
use cuda_sys::CUresult;

macro_rules! codes {
    ($($variant:ident = $constant:ident, $name:literal;)*) => {
        /// Driver code: the reason why the driver refused a call or reported a failure.
        ///
        /// There is one variant for each of the 105 error codes of CUDA 13.5, named after the C constant. A number that a newer
        /// driver returns becomes [`Code::Unknown`] and keeps its value. 999, the driver's own "unknown error", is
        /// [`Code::UnknownError`]. The texts are compiled in: printing a code never calls the driver.
        ///
        /// ```
        /// use cuda_rt::error::Code;
        ///
        /// let code = Code::OutOfMemory;
        /// assert_eq!(code.to_string(), "CUDA_ERROR_OUT_OF_MEMORY (2: out of memory)");
        /// assert_eq!(code.number(), 2);
        /// ```
        #[doc(alias = "CUresult")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!("`", stringify!($constant), "`")]
                #[doc(alias = $name)]
                $variant,
            )*
            /// A number that CUDA 13.5 does not name.
            Unknown(UnknownCode),
        }

        impl Code {
            /// All named codes, in the order of CUDA's header.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// Returns the code of a driver function's result; `None` for success.
            ///
            /// ```
            /// use cuda_rt::error::Code;
            /// use cuda_rt::sys::CUresult;
            ///
            /// assert_eq!(Code::new(CUresult::CUDA_SUCCESS), None);
            /// assert_eq!(Code::new(CUresult::CUDA_ERROR_NOT_READY), Some(Code::NotReady));
            /// ```
            pub const fn new(result: CUresult) -> Option<Code> {
                match result {
                    CUresult::CUDA_SUCCESS => None,
                    $(CUresult::$constant => Some(Code::$variant),)*
                    cuda_sys::cudaError_enum(number) => Some(Code::Unknown(UnknownCode(number))),
                }
            }

            /// Returns the code of this number; `None` for 0, which is success.
            ///
            /// # Examples
            ///
            /// ```
            /// use cuda_rt::error::Code;
            ///
            /// assert_eq!(Code::from_number(704), Some(Code::PeerAccessAlreadyEnabled));
            /// ```
            pub const fn from_number(number: u32) -> Option<Code> {
                Code::new(cuda_sys::cudaError_enum(number))
            }

            /// Returns the code as a type of the raw API.
            ///
            /// # Examples
            ///
            /// ```
            /// use cuda_rt::error::Code;
            /// use cuda_rt::sys::CUresult;
            ///
            /// assert_eq!(Code::NotReady.as_raw(), CUresult::CUDA_ERROR_NOT_READY);
            /// ```
            pub const fn as_raw(self) -> CUresult {
                match self {
                    $(Code::$variant => CUresult::$constant,)*
                    Code::Unknown(UnknownCode(number)) => cuda_sys::cudaError_enum(number),
                }
            }
        }
    };
}
codes! {
    InvalidValue = CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE";
    OutOfMemory = CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY";
    NotInitialized = CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED";
    Deinitialized = CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED";
    ProfilerDisabled = CUDA_ERROR_PROFILER_DISABLED, "CUDA_ERROR_PROFILER_DISABLED";
    ProfilerNotInitialized = CUDA_ERROR_PROFILER_NOT_INITIALIZED, "CUDA_ERROR_PROFILER_NOT_INITIALIZED";
    ProfilerAlreadyStarted = CUDA_ERROR_PROFILER_ALREADY_STARTED, "CUDA_ERROR_PROFILER_ALREADY_STARTED";
    ProfilerAlreadyStopped = CUDA_ERROR_PROFILER_ALREADY_STOPPED, "CUDA_ERROR_PROFILER_ALREADY_STOPPED";
    StubLibrary = CUDA_ERROR_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY";
    CallRequiresNewerDriver = CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER";
    DeviceUnavailable = CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE";
    MulticastResourceFull = CUDA_ERROR_MULTICAST_RESOURCE_FULL, "CUDA_ERROR_MULTICAST_RESOURCE_FULL";
    NoDevice = CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE";
    InvalidDevice = CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE";
    DeviceNotLicensed = CUDA_ERROR_DEVICE_NOT_LICENSED, "CUDA_ERROR_DEVICE_NOT_LICENSED";
    InvalidImage = CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE";
    InvalidContext = CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT";
    ContextAlreadyCurrent = CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT";
    MapFailed = CUDA_ERROR_MAP_FAILED, "CUDA_ERROR_MAP_FAILED";
    UnmapFailed = CUDA_ERROR_UNMAP_FAILED, "CUDA_ERROR_UNMAP_FAILED";
    ArrayIsMapped = CUDA_ERROR_ARRAY_IS_MAPPED, "CUDA_ERROR_ARRAY_IS_MAPPED";
    AlreadyMapped = CUDA_ERROR_ALREADY_MAPPED, "CUDA_ERROR_ALREADY_MAPPED";
    NoBinaryForGpu = CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU";
    AlreadyAcquired = CUDA_ERROR_ALREADY_ACQUIRED, "CUDA_ERROR_ALREADY_ACQUIRED";
    NotMapped = CUDA_ERROR_NOT_MAPPED, "CUDA_ERROR_NOT_MAPPED";
    NotMappedAsArray = CUDA_ERROR_NOT_MAPPED_AS_ARRAY, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY";
    NotMappedAsPointer = CUDA_ERROR_NOT_MAPPED_AS_POINTER, "CUDA_ERROR_NOT_MAPPED_AS_POINTER";
    EccUncorrectable = CUDA_ERROR_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE";
    UnsupportedLimit = CUDA_ERROR_UNSUPPORTED_LIMIT, "CUDA_ERROR_UNSUPPORTED_LIMIT";
    ContextAlreadyInUse = CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE";
    PeerAccessUnsupported = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED";
    InvalidPtx = CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX";
    InvalidGraphicsContext = CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT";
    NvlinkUncorrectable = CUDA_ERROR_NVLINK_UNCORRECTABLE, "CUDA_ERROR_NVLINK_UNCORRECTABLE";
    JitCompilerNotFound = CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND";
    UnsupportedPtxVersion = CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    JitCompilationDisabled = CUDA_ERROR_JIT_COMPILATION_DISABLED, "CUDA_ERROR_JIT_COMPILATION_DISABLED";
    UnsupportedExecAffinity = CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY";
    UnsupportedDevsideSync = CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC";
    Contained = CUDA_ERROR_CONTAINED, "CUDA_ERROR_CONTAINED";
    InsufficientLoaderVersion = CUDA_ERROR_INSUFFICIENT_LOADER_VERSION, "CUDA_ERROR_INSUFFICIENT_LOADER_VERSION";
    InvalidSource = CUDA_ERROR_INVALID_SOURCE, "CUDA_ERROR_INVALID_SOURCE";
    FileNotFound = CUDA_ERROR_FILE_NOT_FOUND, "CUDA_ERROR_FILE_NOT_FOUND";
    SharedObjectSymbolNotFound = CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND";
    SharedObjectInitFailed = CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED";
    OperatingSystem = CUDA_ERROR_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM";
    InvalidHandle = CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE";
    IllegalState = CUDA_ERROR_ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE";
    LossyQuery = CUDA_ERROR_LOSSY_QUERY, "CUDA_ERROR_LOSSY_QUERY";
    NotFound = CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND";
    NotReady = CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY";
    IllegalAddress = CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS";
    LaunchOutOfResources = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    LaunchTimeout = CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT";
    LaunchIncompatibleTexturing = CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING";
    PeerAccessAlreadyEnabled = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED";
    PeerAccessNotEnabled = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED";
    PrimaryContextActive = CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE";
    ContextIsDestroyed = CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED";
    Assert = CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT";
    TooManyPeers = CUDA_ERROR_TOO_MANY_PEERS, "CUDA_ERROR_TOO_MANY_PEERS";
    HostMemoryAlreadyRegistered = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED";
    HostMemoryNotRegistered = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED";
    HardwareStackError = CUDA_ERROR_HARDWARE_STACK_ERROR, "CUDA_ERROR_HARDWARE_STACK_ERROR";
    IllegalInstruction = CUDA_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION";
    MisalignedAddress = CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS";
    InvalidAddressSpace = CUDA_ERROR_INVALID_ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE";
    InvalidPc = CUDA_ERROR_INVALID_PC, "CUDA_ERROR_INVALID_PC";
    LaunchFailed = CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED";
    CooperativeLaunchTooLarge = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE";
    TensorMemoryLeak = CUDA_ERROR_TENSOR_MEMORY_LEAK, "CUDA_ERROR_TENSOR_MEMORY_LEAK";
    NotPermitted = CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED";
    NotSupported = CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED";
    SystemNotReady = CUDA_ERROR_SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY";
    SystemDriverMismatch = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
    CompatNotSupportedOnDevice = CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE";
    MpsConnectionFailed = CUDA_ERROR_MPS_CONNECTION_FAILED, "CUDA_ERROR_MPS_CONNECTION_FAILED";
    MpsRpcFailure = CUDA_ERROR_MPS_RPC_FAILURE, "CUDA_ERROR_MPS_RPC_FAILURE";
    MpsServerNotReady = CUDA_ERROR_MPS_SERVER_NOT_READY, "CUDA_ERROR_MPS_SERVER_NOT_READY";
    MpsMaxClientsReached = CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED";
    MpsMaxConnectionsReached = CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED";
    MpsClientTerminated = CUDA_ERROR_MPS_CLIENT_TERMINATED, "CUDA_ERROR_MPS_CLIENT_TERMINATED";
    CdpNotSupported = CUDA_ERROR_CDP_NOT_SUPPORTED, "CUDA_ERROR_CDP_NOT_SUPPORTED";
    CdpVersionMismatch = CUDA_ERROR_CDP_VERSION_MISMATCH, "CUDA_ERROR_CDP_VERSION_MISMATCH";
    StreamCaptureUnsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
    StreamCaptureInvalidated = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
    StreamCaptureMerge = CUDA_ERROR_STREAM_CAPTURE_MERGE, "CUDA_ERROR_STREAM_CAPTURE_MERGE";
    StreamCaptureUnmatched = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED";
    StreamCaptureUnjoined = CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED";
    StreamCaptureIsolation = CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION";
    StreamCaptureImplicit = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT";
    CapturedEvent = CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT";
    StreamCaptureWrongThread = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD";
    Timeout = CUDA_ERROR_TIMEOUT, "CUDA_ERROR_TIMEOUT";
    GraphExecUpdateFailure = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE";
    ExternalDevice = CUDA_ERROR_EXTERNAL_DEVICE, "CUDA_ERROR_EXTERNAL_DEVICE";
    InvalidClusterSize = CUDA_ERROR_INVALID_CLUSTER_SIZE, "CUDA_ERROR_INVALID_CLUSTER_SIZE";
    FunctionNotLoaded = CUDA_ERROR_FUNCTION_NOT_LOADED, "CUDA_ERROR_FUNCTION_NOT_LOADED";
    InvalidResourceType = CUDA_ERROR_INVALID_RESOURCE_TYPE, "CUDA_ERROR_INVALID_RESOURCE_TYPE";
    InvalidResourceConfiguration = CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION";
    KeyRotation = CUDA_ERROR_KEY_ROTATION, "CUDA_ERROR_KEY_ROTATION";
    StreamDetached = CUDA_ERROR_STREAM_DETACHED, "CUDA_ERROR_STREAM_DETACHED";
    GraphRecaptureFailure = CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, "CUDA_ERROR_GRAPH_RECAPTURE_FAILURE";
    FabricNotReady = CUDA_ERROR_FABRIC_NOT_READY, "CUDA_ERROR_FABRIC_NOT_READY";
    UnknownError = CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN";
}

/// The number of an error code that CUDA 13.5 does not name.
///
/// A program can read the number and pass it on, but cannot make one. So it never holds the number of a named code.
///
/// ```
/// use cuda_rt::error::Code;
/// use cuda_rt::sys::CUresult;
///
/// assert!(matches!(Code::new(CUresult(5000)), Some(Code::Unknown(_))));
/// assert_eq!(Code::new(CUresult(999)), Some(Code::UnknownError)); // CUDA's own "unknown error"
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownCode(pub(super) u32);

impl UnknownCode {
    /// Returns the number.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::error::Code;
    /// use cuda_rt::sys::CUresult;
    ///
    /// match Code::new(CUresult(5000)) {
    ///     Some(Code::Unknown(code)) => assert_eq!(code.number(), 5000),
    ///     other => panic!("{other:?}"),
    /// }
    /// ```
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl From<Code> for CUresult {
    fn from(code: Code) -> Self {
        code.as_raw()
    }
}

/// Extent of a failure: which objects it makes unusable.
///
/// ```
/// use cuda_rt::error::{Code, Extent};
///
/// let code = Code::IllegalAddress;
/// assert!(code.extent() > Extent::Context); // a new context would fail too
/// assert!(Code::OutOfMemory.extent() < Extent::Context); // the next call may succeed
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// Only the call failed.
    Call,
    /// The context is lost: every further call in it fails.
    Context,
    /// The process cannot use CUDA any more: contexts made later fail too.
    Process,
}

impl Code {
    /// Returns the number of the code in C.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::error::Code::NotReady.number(), 600);
    /// ```
    pub const fn number(self) -> u32 {
        self.as_raw().0
    }

    /// Returns the name of the C constant; `"CUDA_ERROR_UNKNOWN_CODE"` for an [unknown](Code::Unknown) code.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::error::Code::NotReady.name(), "CUDA_ERROR_NOT_READY");
    /// ```
    pub fn name(self) -> &'static str {
        self.as_raw().name().unwrap_or("CUDA_ERROR_UNKNOWN_CODE")
    }

    /// Returns the meaning of the code, in the driver's words.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::error::Code::NotReady.description(), "device not ready");
    /// ```
    #[doc(alias = "cuGetErrorString")]
    pub fn description(self) -> &'static str {
        self.as_raw().description().unwrap_or("a code that CUDA 13.5 does not name")
    }

    /// Returns how much is lost when a driver reports the code.
    ///
    /// The extents follow CUDA's documentation of the codes, with the exceptions of the *Driver notes*.
    ///
    /// # Driver notes
    ///
    /// - Two H200s: after [`IllegalAddress`](Code::IllegalAddress) every context of the process fails, also contexts of the other
    ///   GPU, and new contexts cannot be made. After [`Assert`](Code::Assert), which is documented to end only its context, other
    ///   contexts fail as well.
    /// - Not measured: [`EccUncorrectable`](Code::EccUncorrectable) has the extent [`Process`](Extent::Process), although the
    ///   documentation of the code does not say so. NVIDIA's *GPU Memory Error Management* does: the application that met a
    ///   contained error is terminated. If the error is not contained, all work on the GPU may be affected.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::error::{Code, Extent};
    ///
    /// assert_eq!(Code::InvalidValue.extent(), Extent::Call);
    /// assert_eq!(Code::LaunchFailed.extent(), Extent::Process);
    /// ```
    pub const fn extent(self) -> Extent {
        match self {
            // The second by NVIDIA's "GPU Memory Error Management", in "Response to Uncorrectable Contained ECC Errors".
            Code::Contained
            | Code::EccUncorrectable
            | Code::IllegalAddress
            | Code::LaunchTimeout
            | Code::HardwareStackError
            | Code::IllegalInstruction
            | Code::MisalignedAddress
            | Code::InvalidAddressSpace
            | Code::InvalidPc
            | Code::LaunchFailed
            | Code::TensorMemoryLeak
            | Code::MpsClientTerminated
            | Code::ExternalDevice
            | Code::Assert => Extent::Process,
            Code::ContextIsDestroyed => Extent::Context,
            _ => Extent::Call,
        }
    }

    /// Returns whether later calls fail too: the failure made at least the context unusable.
    ///
    /// A call that did not cause the failure may report such a code.
    ///
    /// ```
    /// use cuda_rt::error::Code;
    ///
    /// assert!(Code::IllegalAddress.is_sticky());
    /// assert!(!Code::OutOfMemory.is_sticky());
    /// ```
    pub const fn is_sticky(self) -> bool {
        !matches!(self.extent(), Extent::Call)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}: {})", self.name(), self.number(), self.description())
    }
}

//! Faults in kernels that a test injects.

use crate::sticky::is_sticky;
use cuda_sim_engine::{FaultPlace, InjectedCode, InjectedFault};
use cuda_sys::CUresult;

/// Fault to inject into a kernel. Pass it to [`Machine::inject_kernel_fault`](crate::Machine::inject_kernel_fault), or
/// set it in [`Config::kernel_faults`](crate::Config::kernel_faults) for a machine from its start.
///
/// The kernel fails as after a fault of its own. The launch succeeds. The call that waits for the kernel returns the
/// code, as does every later call that reports sticky failures. A [report](crate::Report) of the kind
/// [`InjectedFault`](crate::ReportKind::InjectedFault) names the kernel, the line and the thread. Earlier effects of
/// the kernel remain.
///
/// A launch with an injected fault runs on one host thread, so that the same thread of the kernel faults every time.
/// Under a random [schedule](crate::Schedule), the thread of the kernel that faults depends on the seed.
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, KernelFault, Machine};
/// use cuda_sys::*;
/// use std::ptr::null_mut;
///
/// cuda_sim::install_once().unwrap();
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// let code = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
/// machine.inject_kernel_fault(KernelFault::new("nothing", code).ok_or("no such fault")?);
///
/// let ptx = c".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// let (mut context, mut module, mut function) = (null_mut(), null_mut(), null_mut());
/// // SAFETY: no flags, as the API demands.
/// unsafe { cuInit(0) };
/// // SAFETY: `context` is valid for a write.
/// unsafe { cuCtxCreate_v2(&mut context, 0, 0) };
/// // SAFETY: `module` is valid for a write, and the text ends with a NUL.
/// unsafe { cuModuleLoadData(&mut module, ptx.as_ptr().cast()) };
/// // SAFETY: `function` is valid for a write, and the name a C string.
/// unsafe { cuModuleGetFunction(&mut function, module, c"nothing".as_ptr()) };
/// // SAFETY: the kernel has no parameters.
/// let launched = unsafe { cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, null_mut(), null_mut(), null_mut()) };
/// assert_eq!(launched, CUresult::CUDA_SUCCESS);
/// // SAFETY: it has no arguments.
/// assert_eq!(unsafe { cuCtxSynchronize() }, code);
/// # drop(entered);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelFault {
    pub(super) kernel: String,
    pub(super) code: CUresult,
    pub(super) place: FaultPlace,
    pub(super) skip: u32,
    pub(super) times: u32,
    /// True if a launch had it.
    pub(super) is_used: bool,
}

impl KernelFault {
    /// Creates a fault with `code` at the first instruction of every launch of kernels with this name, in all modules.
    ///
    /// The name is that in PTX, which compilers of C++ mangle. Returns `None` if kernels cannot fail with the code.
    /// They can fail with `CUDA_ERROR_ECC_UNCORRECTABLE` (214), `CUDA_ERROR_ILLEGAL_ADDRESS` (700),
    /// `CUDA_ERROR_LAUNCH_TIMEOUT` (702), `CUDA_ERROR_ASSERT` (710), `CUDA_ERROR_HARDWARE_STACK_ERROR` (714),
    /// `CUDA_ERROR_ILLEGAL_INSTRUCTION` (715), `CUDA_ERROR_MISALIGNED_ADDRESS` (716),
    /// `CUDA_ERROR_INVALID_ADDRESS_SPACE` (717), `CUDA_ERROR_INVALID_PC` (718), `CUDA_ERROR_LAUNCH_FAILED` (719),
    /// `CUDA_ERROR_TENSOR_MEMORY_LEAK` (721) and `CUDA_ERROR_CONTAINED` (226).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::KernelFault;
    /// use cuda_sys::CUresult;
    ///
    /// assert!(KernelFault::new("add", CUresult::CUDA_ERROR_LAUNCH_FAILED).is_some());
    /// assert!(KernelFault::new("add", CUresult::CUDA_ERROR_OUT_OF_MEMORY).is_none());
    /// ```
    #[must_use]
    pub fn new(kernel: &str, code: CUresult) -> Option<KernelFault> {
        is_sticky(code).then(|| KernelFault {
            kernel: kernel.to_owned(),
            code,
            place: FaultPlace::Step(1),
            skip: 0,
            times: u32::MAX,
            is_used: false,
        })
    }

    /// Moves the fault to the first execution of an instruction in this line of the PTX text, before the instruction
    /// has an effect. Lines count from 1. An instruction whose predicate is false does not fault. Lines of functions
    /// that the kernel calls count too, if they are in the same text. If the line has no instruction, the standard
    /// error says so at the launch, and the kernel runs as usual.
    ///
    /// This replaces [`at_instruction`](KernelFault::at_instruction).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::KernelFault;
    /// use cuda_sys::CUresult;
    ///
    /// let fault = KernelFault::new("add", CUresult::CUDA_ERROR_LAUNCH_FAILED).map(|fault| fault.at_line(12));
    /// # assert!(fault.is_some());
    /// ```
    #[must_use]
    pub fn at_line(self, line: u32) -> KernelFault {
        KernelFault { place: FaultPlace::Line(line), ..self }
    }

    /// Moves the fault to the `n`-th step of the launch, before the step is done. Steps count from 1, and the number 0
    /// means the first step, too. If the kernel ends before, there is no fault.
    ///
    /// A step is one operation of the engine, for all threads of a warp at the same position. It counts even if its
    /// predicate is false in all of them. An instruction of PTX is one or a few steps. Steps of all warps and blocks
    /// are counted in the order in which they are done.
    ///
    /// This replaces [`at_line`](KernelFault::at_line).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::KernelFault;
    /// use cuda_sys::CUresult;
    ///
    /// let fault = KernelFault::new("add", CUresult::CUDA_ERROR_LAUNCH_FAILED).map(|fault| fault.at_instruction(1000));
    /// # assert!(fault.is_some());
    /// ```
    #[must_use]
    pub fn at_instruction(self, n: u64) -> KernelFault {
        KernelFault { place: FaultPlace::Step(n.max(1)), ..self }
    }

    /// Exempts the first `launches` launches of the kernel. Refused launches do not count.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::KernelFault;
    /// use cuda_sys::CUresult;
    ///
    /// // The third launch.
    /// let fault = KernelFault::new("add", CUresult::CUDA_ERROR_LAUNCH_FAILED).map(|fault| fault.skip(2));
    /// # assert!(fault.is_some());
    /// ```
    #[must_use]
    pub fn skip(self, launches: u32) -> KernelFault {
        KernelFault { skip: launches, ..self }
    }

    /// Limits the fault to `launches` launches of the kernel, whether or not they reach its place.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::KernelFault;
    /// use cuda_sys::CUresult;
    ///
    /// let fault = KernelFault::new("add", CUresult::CUDA_ERROR_LAUNCH_FAILED).map(|fault| fault.at_line(12).times(1));
    /// # assert!(fault.is_some());
    /// ```
    #[must_use]
    pub fn times(self, launches: u32) -> KernelFault {
        KernelFault { times: launches, ..self }
    }

    pub(super) fn injected(&self) -> InjectedFault {
        let code = InjectedCode { number: self.code.0, name: self.code.name().unwrap_or_default() };
        InjectedFault { code, place: self.place }
    }
}

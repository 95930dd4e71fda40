//! Faults of kernels that a test injects.

use crate::sticky::is_sticky;
use cuda_sim_engine::{FaultPlace, InjectedCode, InjectedFault};
use cuda_sys::CUresult;

/// A fault to inject into a kernel. Given to [`Machine::inject_kernel_fault`](crate::Machine::inject_kernel_fault), or
/// to a machine from its start by [`Config::kernel_faults`](crate::Config::kernel_faults).
///
/// It is reported as a fault of the kernel's own: the launch succeeds, what waits for the kernel answers the code, and so
/// does every call after that. The standard error names the kernel, the line and the thread. What the kernel did before
/// stays done.
///
/// Launches in which a fault is injected run on one thread of the host, so that the same thread of the kernel meets it
/// every time, unless the [schedule](crate::Schedule) leaves that to chance.
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
}

impl KernelFault {
    /// In every launch of the kernels of this name, of whatever module, the first instruction is met with `code`.
    ///
    /// The name is that in PTX, which compilers of C++ mangle. `None` if no kernel ends in such a code: those that do are
    /// `CUDA_ERROR_ECC_UNCORRECTABLE` (214), `CUDA_ERROR_ILLEGAL_ADDRESS` (700), `CUDA_ERROR_LAUNCH_TIMEOUT` (702),
    /// `CUDA_ERROR_ASSERT` (710), `CUDA_ERROR_HARDWARE_STACK_ERROR` (714), `CUDA_ERROR_ILLEGAL_INSTRUCTION` (715),
    /// `CUDA_ERROR_MISALIGNED_ADDRESS` (716), `CUDA_ERROR_INVALID_ADDRESS_SPACE` (717), `CUDA_ERROR_INVALID_PC` (718),
    /// `CUDA_ERROR_LAUNCH_FAILED` (719), `CUDA_ERROR_TENSOR_MEMORY_LEAK` and `CUDA_ERROR_CONTAINED`.
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
        })
    }

    /// The fault is met where a thread first executes an instruction of this line of the PTX text, before the instruction
    /// does anything. Lines count from 1. An instruction that its predicate keeps from being executed meets no fault.
    /// Lines of functions that the kernel calls count too, if they are in the same text. If nothing in the line can be
    /// executed, the standard error says so at the launch, and the kernel runs as ever.
    ///
    /// This takes the place of [`at_instruction`](KernelFault::at_instruction).
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

    /// The fault is met at the `n`-th step of the launch, before that is done. The first step has the number 1, and so has
    /// 0. If the kernel ends before, there is no fault.
    ///
    /// A step is what the engine does at once: an operation for all threads of a warp that are at the same place, whether
    /// its predicate holds for any of them or not. An instruction of PTX is one step or a few. Steps of all warps and
    /// blocks are counted in the order in which they are done.
    ///
    /// This takes the place of [`at_line`](KernelFault::at_line).
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

    /// The first `launches` launches of the kernel go well. Launches that are refused do not count.
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

    /// The fault is injected in no more than `launches` launches of the kernel, whether they come to the place or not.
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

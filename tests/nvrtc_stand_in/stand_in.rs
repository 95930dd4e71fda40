//! The compiler of these tests: the software driver's stand-in for NVRTC, on a machine of the thread's own, so that tests in
//! other threads do not meet.

use cuda_sim::nvrtc::{NvrtcFault, Output, Source};
use cuda_sim::{Config, Machine, MachineGuard};
use cuda_sys::nvrtc::{Symbol, nvrtcResult};
use std::cell::{Cell, RefCell};

thread_local! {
    static MACHINE: (Machine, MachineGuard) = machine();
    static MEANWHILE: RefCell<Option<Box<dyn FnOnce()>>> = RefCell::default();
    /// The number of programs at [`begin`].
    static PROGRAMS: Cell<usize> = const { Cell::new(0) };
    /// The number of compilations since then.
    static COMPILATIONS: Cell<usize> = const { Cell::new(0) };
}

fn machine() -> (Machine, MachineGuard) {
    let machine = Machine::new(Config::default());
    machine.compile_with(compile);
    let entered = machine.enter();
    (machine, entered)
}

/// Compiles to empty kernels. A text with `nonsense` does not compile. An option with
/// `no-such-option` is unknown. A text with `no machine code` gets an empty cubin.
fn compile(source: &Source) -> Output {
    COMPILATIONS.set(COMPILATIONS.get() + 1);
    if let Some(work) = MEANWHILE.take() {
        work();
    }
    if let Some(option) = source.options.iter().find(|option| option.contains("no-such-option")) {
        let log = format!("nvrtc: error: unrecognized option {option} found\n");
        return Output::failure(nvrtcResult::NVRTC_ERROR_INVALID_OPTION, log);
    }
    if source.text.contains("nonsense") {
        let log = "program.cu(1): error: nonsense\n\n";
        return Output::failure(nvrtcResult::NVRTC_ERROR_COMPILATION, log);
    }
    let output = Output::empty_kernels(source).log("program.cu(1): warning: a stand-in compiled this\n");
    if source.text.contains("no machine code") { output.cubin([]) } else { output }
}

/// Does something while the next program is compiled.
pub(crate) fn meanwhile(work: impl FnOnce() + 'static) {
    MEANWHILE.set(Some(Box::new(work)));
}

/// Puts the stand-in in the place of NVRTC for the process, and this thread on a machine of its own.
pub(crate) fn install() -> Machine {
    let machine = MACHINE.with(|(machine, _)| machine.clone());
    if std::env::var_os("STAND_IN_IS_SILENT").is_some() {
        let code = nvrtcResult::NVRTC_ERROR_INVALID_INPUT;
        machine.inject_nvrtc(NvrtcFault::new(Symbol::nvrtcVersion, code));
    }
    cuda_sim::nvrtc::install_once().unwrap();
    machine
}

/// Clears the recorded calls and the counts, and injects `fault` into a later call.
pub(crate) fn begin(fault: Option<NvrtcFault>) {
    let machine = install();
    COMPILATIONS.set(0);
    PROGRAMS.set(machine.live().nvrtc_programs);
    machine.record_calls();
    if let Some(fault) = fault {
        machine.inject_nvrtc(fault);
    }
}

/// Returns a fault for one call: the call after the first `nth` calls.
pub(crate) fn nth(nth: usize, code: nvrtcResult) -> Option<NvrtcFault> {
    Some(NvrtcFault::any(code).skip(u32::try_from(nth).unwrap()).times(1))
}

/// Returns the calls since [`begin`], and how many programs are left.
pub(crate) fn end() -> (Vec<&'static str>, usize) {
    let machine = install();
    let calls = machine.nvrtc_calls().iter().map(|call| call.function.name()).collect();
    machine.clear_faults();
    (calls, machine.live().nvrtc_programs - PROGRAMS.get())
}

/// The number of compilations since [`begin`].
pub(crate) fn compilations() -> usize {
    COMPILATIONS.get()
}

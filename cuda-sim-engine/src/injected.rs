//! Faults that a test injects to observe the reaction of a program.
//!
//! Launches without an injected fault have no overhead. For a fault at a line, the engine makes a separate program. For
//! a fault at a step, the loop counts in the same place where it checks a limit of steps.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fault::InjectedCode;
use crate::op::{ColdOp, Op};
use crate::program::{Kernel, Program};

/// Place of an injected fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultPlace {
    /// Step of the launch with this number, counted from 1.
    Step(u64),
    /// Every step of this line of the source.
    Line(u32),
}

/// Fault to inject into a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    /// Code that the launch reports.
    pub code: InjectedCode,
    /// Where.
    pub place: FaultPlace,
}

/// Counter of the steps before a fault.
#[derive(Debug)]
pub(super) struct Countdown {
    left: AtomicU64,
    code: InjectedCode,
}

impl Countdown {
    pub(super) fn new(steps: u64, code: InjectedCode) -> Self {
        Self { left: AtomicU64::new(steps.max(1)), code }
    }

    /// Counts a step. Returns the code if it is the last.
    pub(super) fn count(&self) -> Option<InjectedCode> {
        (self.left.fetch_sub(1, Ordering::Relaxed) == 1).then_some(self.code)
    }
}

impl Program {
    /// Returns whether a kernel, or a function that it may call, has a step in this line.
    pub fn has_steps_at(&self, kernel: &Kernel, line: u32) -> bool {
        let functions = kernel.functions.iter().filter_map(|index| self.functions.get(*index));
        functions.flat_map(|function| &function.steps).any(|step| step.line == line)
    }

    /// Returns a copy of the program with a fault in place of each of these steps. The conditions stay, so that only
    /// threads that would execute an instruction fault.
    pub(super) fn with_fault_at(&self, kernel: usize, line: u32, code: InjectedCode) -> Self {
        let mut program = self.clone();
        let functions = program.kernels.get(kernel).map(|kernel| kernel.functions.clone());
        for index in functions.unwrap_or_default() {
            let Some(function) = program.functions.get_mut(index) else { continue };
            for step in function.steps.iter_mut().filter(|step| step.line == line) {
                step.op = Op::Cold(Box::new(ColdOp::Fault(code)));
            }
            function.count_runs();
        }
        program
    }
}

//! Faults that a test injects, to see how a program takes them.
//!
//! Launches without one pay nothing for this: a fault at a line is part of a program of its own, and one at a step is
//! looked for where a launch with a limit of steps looks at that.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fault::InjectedCode;
use crate::op::{ColdOp, Op};
use crate::program::{Kernel, Program};

/// Where a fault is injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultPlace {
    /// At the step of this number of the launch, from 1 on.
    Step(u64),
    /// At every step of this line of the source.
    Line(u32),
}

/// A fault to inject into a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    /// The code that the launch reports.
    pub code: InjectedCode,
    /// Where.
    pub place: FaultPlace,
}

/// Counts the steps up to a fault.
#[derive(Debug)]
pub(super) struct Countdown {
    left: AtomicU64,
    code: InjectedCode,
}

impl Countdown {
    pub(super) fn new(steps: u64, code: InjectedCode) -> Self {
        Self { left: AtomicU64::new(steps.max(1)), code }
    }

    /// Counts a step; the code, if it is the last.
    pub(super) fn count(&self) -> Option<InjectedCode> {
        (self.left.fetch_sub(1, Ordering::Relaxed) == 1).then_some(self.code)
    }
}

impl Program {
    /// Whether a kernel, or what it may call, has a step in this line.
    pub fn has_steps_at(&self, kernel: &Kernel, line: u32) -> bool {
        let functions = kernel.functions.iter().filter_map(|index| self.functions.get(*index));
        functions.flat_map(|function| &function.steps).any(|step| step.line == line)
    }

    /// The same program with a fault in the place of each of these steps. Conditions stay, so that only threads that would
    /// have executed an instruction meet it.
    pub(super) fn with_fault_at(&self, kernel: usize, line: u32, code: InjectedCode) -> Self {
        let mut program = self.clone();
        let functions = program.kernels.get(kernel).map(|kernel| kernel.functions.clone());
        for index in functions.unwrap_or_default() {
            let steps = program.functions.get_mut(index).map(|function| &mut function.steps);
            for step in steps.into_iter().flatten().filter(|step| step.line == line) {
                step.op = Op::Cold(Box::new(ColdOp::Fault(code)));
            }
        }
        program
    }
}

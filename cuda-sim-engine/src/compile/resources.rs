//! Resources that `ptxas` and the linker report about a program: layouts of variables, barriers, and functions in use
//! (conformance facts V1094 and V1095).

use std::collections::BTreeSet;

use cuda_ptx::ast::{self, Item};

use super::ReadModule;
use super::kernels::{closure, shared_layout};
use super::scope::Symbol;
use super::unit::{Stage, Unit};
use crate::function::{Constant, Function};
use crate::op::{BarrierAction, Op, Place};
use crate::program::{Global, GlobalSpace, Kernel, Linkage, PartFunction, Program, Target};

/// Barriers of a block.
const BARRIERS: u32 = 16;
/// Alignment of the local memory of a kernel.
const FRAME: u64 = 8;

impl Program {
    /// Returns the number of barriers of a block that a kernel, and the functions that it may call, use: the greatest
    /// number of a barrier plus one. It is 16 if the number of a barrier is in a register.
    pub fn barriers(&self, kernel: usize) -> u32 {
        let used = self.used(kernel).into_iter().filter_map(|index| self.functions.get(index));
        used.map(barriers).max().unwrap_or(0)
    }

    /// Returns the names of the functions that a kernel may call, or whose addresses it uses, in alphabetical order.
    /// Functions of the driver have no body, and are left out.
    pub fn called(&self, kernel: usize) -> Vec<&str> {
        let mut used = self.used(kernel);
        for kernel in &self.kernels {
            used.remove(&kernel.function);
        }
        let functions = used.into_iter().filter_map(|index| self.functions.get(index));
        let mut names: Vec<&str> =
            functions.filter(|function| function.defined).map(|function| function.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn used(&self, kernel: usize) -> BTreeSet<usize> {
        let Some(kernel) = self.kernels.get(kernel) else { return BTreeSet::new() };
        closure(kernel.function, |index| {
            let function = self.functions.get(index).into_iter();
            function.flat_map(|function| {
                function.calls.iter().chain(&function.pointed).chain(addresses(function))
            })
        })
    }
}

/// Returns the functions whose addresses a function uses.
fn addresses(function: &Function) -> impl Iterator<Item = &usize> {
    function.constants.iter().filter_map(|(_, constant)| match constant {
        Constant::Function(index) => Some(index),
        _ => None,
    })
}

/// Returns the number of barriers of a block that a function uses itself.
fn barriers(function: &Function) -> u32 {
    let barriers = function.steps.iter().filter_map(|step| match &step.op {
        Op::Barrier(barrier) => Some(barrier),
        _ => None,
    });
    let used = barriers.map(|barrier| match barrier.action {
        BarrierAction::ArriveCluster | BarrierAction::StartProduct | BarrierAction::WaitProducts { .. } => 0,
        BarrierAction::WaitCluster => 1,
        _ => number(function, barrier.number).map_or(BARRIERS, |number| number.saturating_add(1)),
    });
    used.max().unwrap_or(0).min(BARRIERS)
}

/// Returns the number in a slot, if it is a constant.
fn number(function: &Function, slot: u32) -> Option<u32> {
    function.constants.iter().find_map(|(place, constant)| match constant {
        Constant::Bits(bits) if *place == Place::Word(slot) => u32::try_from(*bits).ok(),
        _ => None,
    })
}

/// Returns the next multiple of an alignment.
pub(super) fn aligned(end: u64, align: u64) -> u64 {
    end.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

/// Returns the size of variables with these alignments and sizes, in the order of ptxas: larger alignments first, and
/// for one alignment the smaller variables first.
pub(super) fn packed(variables: &[(u64, u64)]) -> u64 {
    let mut variables = variables.to_vec();
    variables.sort_unstable_by_key(|(align, size)| (core::cmp::Reverse(*align), *size));
    in_order(&variables)
}

fn in_order(variables: &[(u64, u64)]) -> u64 {
    variables.iter().fold(0, |end: u64, &(align, size)| aligned(end, align).saturating_add(size))
}

/// Returns the greatest alignment of variables.
pub(super) fn alignment(variables: &[(u64, u64)]) -> u64 {
    variables.iter().map(|(align, _)| *align).max().unwrap_or(1)
}

/// Returns the local memory of a kernel for variables of a size.
pub(super) fn frame(bytes: u64) -> u32 {
    u32::try_from(aligned(bytes, FRAME)).unwrap_or(u32::MAX)
}

/// Returns the variables of one text.
fn of_text(globals: &[Global], text: usize, wanted: impl Fn(&Global) -> bool) -> Vec<(u64, u64)> {
    let found = globals.iter().filter(|global| global.text == text && wanted(global));
    found.map(|global| (global.align, global.size)).collect()
}

/// Returns whether another text may define a variable. While a single text is linked, such variables have no place.
fn is_open(global: &Global, stage: Stage) -> bool {
    stage == Stage::Part && matches!(global.linkage, Linkage::Extern | Linkage::Common)
}

fn texts(globals: &[Global]) -> core::ops::RangeInclusive<usize> {
    0..=globals.iter().map(|global| global.text).max().unwrap_or(0)
}

/// Returns the size in bytes of the variables in global memory. Variables with initial values are in a section of their
/// own. The linker appends the sections of the texts to each other. Common variables come first.
pub(super) fn global_bytes(globals: &[Global], stage: Stage) -> u64 {
    let is_common = |global: &Global| stage == Stage::Together && global.linkage == Linkage::Common;
    let section = |initialised: bool| {
        let wanted = |global: &Global| {
            global.space == GlobalSpace::Global
                && global.initial.is_empty() != initialised
                && !is_open(global, stage)
        };
        let commons: Vec<(u64, u64)> = texts(globals)
            .flat_map(|text| of_text(globals, text, |global| wanted(global) && is_common(global)))
            .collect();
        let sections = texts(globals).map(|text| {
            let variables = of_text(globals, text, |global| wanted(global) && !is_common(global));
            (alignment(&variables), packed(&variables))
        });
        let all: Vec<(u64, u64)> =
            core::iter::once((alignment(&commons), packed(&commons))).chain(sections).collect();
        in_order(&all)
    };
    section(true).saturating_add(section(false))
}

/// Returns the size in bytes of the variables in constant memory. They keep their order.
pub(super) fn constant_bytes(globals: &[Global], stage: Stage) -> u64 {
    let sections: Vec<(u64, u64)> = texts(globals)
        .map(|text| {
            let wanted = |global: &Global| global.space == GlobalSpace::Constant && !is_open(global, stage);
            let variables = of_text(globals, text, wanted);
            (alignment(&variables), in_order(&variables))
        })
        .collect();
    in_order(&sections)
}

/// Returns the functions with bodies of texts that are to be linked, in the order in which `ptxas -c` compiles them.
/// Each function is after the functions that it calls. Functions that other texts cannot see are first, and the last of
/// them begins.
pub(super) fn parts(
    unit: &Unit<'_>,
    texts: &[ReadModule<'_, '_>],
    kernels: &[Kernel],
    device: &Target,
) -> Vec<PartFunction> {
    let mut roots = Vec::new();
    let mut of_module = BTreeSet::new();
    for text in texts {
        of_module.extend(text.symbols.values().filter_map(|symbol| match symbol {
            Symbol::Shared(index) => Some(*index),
            _ => None,
        }));
        roots.extend(text.module.items.iter().filter_map(|item| match item {
            Item::Function(tree) if tree.body.is_some() => match text.symbols.get(tree.name) {
                Some(&Symbol::Function(index)) => {
                    let is_private = !tree.entry && tree.linkage == ast::Linkage::Internal;
                    Some((!is_private, index))
                }
                _ => None,
            },
            _ => None,
        }));
    }
    roots.reverse();
    roots.sort_by_key(|(shared, _)| *shared);
    let mut found = Vec::new();
    let mut begun = BTreeSet::new();
    for (_, root) in roots {
        // An explicit stack, because a chain of calls may be as long as the source.
        let mut pending = vec![(root, false)];
        while let Some((index, finished)) = pending.pop() {
            let Some(function) = unit.functions.get(index).filter(|function| function.defined) else {
                continue;
            };
            if finished {
                let own = function.shared.difference(&of_module).copied().collect();
                let shared = shared_layout(&unit.shared, &own, device);
                let of_function = |kernel: &Kernel| kernel.function == index;
                found.push(PartFunction {
                    name: function.name.clone(),
                    kernel: kernels.iter().position(of_function),
                    local_bytes: frame(packed(&function.locals)),
                    barriers: barriers(function),
                    static_shared: u32::try_from(shared.end - shared.reserved).unwrap_or(u32::MAX),
                });
            } else if begun.insert(index) {
                pending.push((index, true));
                // The last call is on top of the stack, and its function comes first.
                let calls = function.steps.iter().filter_map(|step| match &step.op {
                    Op::Call(call) => Some((call.function, false)),
                    _ => None,
                });
                pending.extend(calls);
            }
        }
    }
    found
}

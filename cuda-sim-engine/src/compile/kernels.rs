//! Kernels of a module and their resource needs, as the driver model uses them.

use std::collections::BTreeSet;

use cuda_ptx::ast::{self, Item};
use cuda_ptx::diagnostic::Severity;
use cuda_ptx::types::Scalar;

use super::scope::Symbol;
use super::unit::{Signature, Stage, Unit};
use super::{ReadModule, pragma, resources};
use crate::function::{Function, SharedVariable};
use crate::program::Target;
use crate::program::{Global, GlobalSpace, Kernel, Param, Program, SharedName};

/// Returns the size in bytes of the variables in constant memory.
pub(super) fn constant_bytes(globals: &[Global]) -> u64 {
    globals
        .iter()
        .filter(|global| global.space == GlobalSpace::Constant)
        .fold(0u64, |end, global| end.next_multiple_of(global.align.max(1)).saturating_add(global.size))
}

/// Completes a program from texts without errors.
pub(super) fn program(unit: Unit<'_>, texts: &[ReadModule<'_, '_>], device: &Target) -> Program {
    let const_bytes = u32::try_from(constant_bytes(&unit.globals)).unwrap_or(u32::MAX);
    let mut kernels: Vec<Kernel> = Vec::new();
    for (tree, index, number, text) in numbered_entries(&unit, texts) {
        if tree.body.is_none() {
            continue;
        }
        let mut kernel = kernel(&unit, device, tree, index);
        kernel.const_bytes = const_bytes;
        kernel.ptx_version = text.module.version;
        kernel.target = text.number;
        kernel.text = number;
        // Two texts may each have a private kernel of one name. On hardware, launching such a kernel fails (conformance
        // fact V332).
        if let Some(other) = kernels.iter_mut().find(|known| known.name == kernel.name) {
            other.unsupported.get_or_insert_with(|| "two kernels of one name are not supported".into());
            continue;
        }
        kernels.push(kernel);
    }
    let parts =
        if unit.stage == Stage::Part { resources::parts(&unit, texts, &kernels, device) } else { Vec::new() };
    Program {
        kernels,
        parts,
        global_bytes: resources::global_bytes(&unit.globals, unit.stage),
        constant_bytes: resources::constant_bytes(&unit.globals, unit.stage),
        globals: unit.globals,
        references: unit.references,
        info: unit.log.warnings(),
        functions: unit.functions,
    }
}

/// Returns the kernels of the texts, without those that a kernel of another text replaces.
pub(super) fn entries<'m, 's>(
    unit: &Unit<'_>,
    texts: &'m [ReadModule<'m, 's>],
) -> impl Iterator<Item = (&'m ast::Function<'s>, usize, &'m ReadModule<'m, 's>)> {
    numbered_entries(unit, texts).map(|(tree, index, _, text)| (tree, index, text))
}

/// Returns the same, with the number of each text.
fn numbered_entries<'m, 's>(
    unit: &Unit<'_>,
    texts: &'m [ReadModule<'m, 's>],
) -> impl Iterator<Item = (&'m ast::Function<'s>, usize, usize, &'m ReadModule<'m, 's>)> {
    let links = &unit.links;
    texts.iter().enumerate().flat_map(move |(number, text)| {
        text.module.items.iter().filter_map(move |item| match item {
            Item::Function(tree) if tree.entry && links.defines(number, tree.name) => {
                match text.symbols.get(tree.name) {
                    Some(&Symbol::Function(index)) => Some((tree, index, number, text)),
                    _ => None,
                }
            }
            _ => None,
        })
    })
}

/// Refuses predicates as parameters and results of functions that kernels call. A function with several results is
/// compiled without the calling convention and may have them (measured).
pub(super) fn check_predicates(unit: &mut Unit<'_>, texts: &[ReadModule<'_, '_>]) {
    let predicate = |signature: &Signature| signature.shape.scalar == Scalar::Pred;
    for prototype in reached(unit, texts).into_iter().filter_map(|index| unit.prototypes.get(index)) {
        if prototype.returns.len() > 1 {
            continue;
        }
        let what = if prototype.params.iter().any(predicate) {
            "passing predicate, 8-bit and 16-bit parameters to"
        } else if prototype.returns.iter().any(predicate) {
            "returning predicate, 8-bit and 16-bit values from"
        } else {
            continue;
        };
        let text = format!("In ABI compilation, {what} device functions is not supported");
        return unit.log.push_global(Severity::Fatal, text);
    }
}

/// Refuses values of pragmas. Parts of a link keep the functions that no kernel calls; other texts lose these first.
pub(super) fn check_pragmas(unit: &mut Unit<'_>, texts: &[ReadModule<'_, '_>]) {
    if unit.functions.iter().all(|function| function.refused.is_empty()) {
        return;
    }
    if unit.stage == Stage::Part {
        pragma::check_values(unit, 0..unit.functions.len());
    } else {
        let reached = reached(unit, texts);
        pragma::check_values(unit, reached.into_iter());
    }
}

/// Refuses kernels whose shared variables are larger than the target permits. ptxas does not check the parts of a link.
pub(super) fn check_shared(unit: &mut Unit<'_>, texts: &[ReadModule<'_, '_>], device: &Target) {
    let limit = u64::from(device.shared_bytes);
    let places = unit.shared.iter().map(|variable| variable.size.saturating_add(variable.align));
    if unit.stage != Stage::Alone || places.fold(0, u64::saturating_add) <= limit {
        return;
    }
    let mut refused = Vec::new();
    for (tree, index, _) in entries(unit, texts) {
        let used = shared_of(&unit.functions, &possible(&unit.functions, index));
        let layout = shared_layout(&unit.shared, &used, device);
        let size = layout.end.saturating_sub(layout.reserved);
        if size > limit {
            let name = tree.name;
            refused.push(format!(
                "Entry function '{name}' uses too much shared data ({size:#x} bytes, {limit:#x} max)"
            ));
        }
    }
    // ptxas begins with the last kernel.
    for text in refused.into_iter().rev() {
        unit.log.push_global(Severity::Error, text);
    }
}

/// Returns all functions that kernels reach through direct calls, and the kernels.
fn reached(unit: &Unit<'_>, texts: &[ReadModule<'_, '_>]) -> BTreeSet<usize> {
    let entries = entries(unit, texts).map(|(_, index, _)| index);
    entries.flat_map(|index| reachable(&unit.functions, index)).collect()
}

/// Returns all functions that `start` reaches through direct calls, including `start`.
fn reachable(functions: &[Function], start: usize) -> BTreeSet<usize> {
    closure(start, |index| functions.get(index).into_iter().flat_map(|function| function.calls.iter()))
}

/// Returns all functions that `start` reaches through direct calls and calls through registers.
fn possible(functions: &[Function], start: usize) -> BTreeSet<usize> {
    closure(start, |index| {
        functions.get(index).into_iter().flat_map(|function| function.calls.iter().chain(&function.pointed))
    })
}

pub(super) fn closure<'f, I: Iterator<Item = &'f usize>>(
    start: usize,
    next: impl Fn(usize) -> I,
) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([start]);
    let mut pending = vec![start];
    while let Some(index) = pending.pop() {
        for &callee in next(index) {
            if found.insert(callee) {
                pending.push(callee);
            }
        }
    }
    found
}

/// Layout of the shared variables of a kernel.
pub(super) struct SharedLayout {
    offsets: Vec<(usize, u32)>,
    /// Bytes before the first variable, reserved for the system.
    pub(super) reserved: u64,
    /// Offset of dynamic shared memory.
    pub(super) end: u64,
}

/// Returns the shared variables of the functions.
fn shared_of(functions: &[Function], reached: &BTreeSet<usize>) -> BTreeSet<usize> {
    let reached = reached.iter().filter_map(|&index| functions.get(index));
    reached.flat_map(|function| function.shared.iter().copied()).collect()
}

/// Lays out shared variables. The system reserves the first KiB. Dynamic shared memory begins at a multiple of 16 or of
/// its alignment. If the module declares no dynamic shared memory, no padding follows the static variables (measured,
/// compute capability 9.0).
pub(super) fn shared_layout(
    variables: &[SharedVariable],
    used: &BTreeSet<usize>,
    device: &Target,
) -> SharedLayout {
    let reserved: u64 = if device.compute_capability >= (8, 0) { 1024 } else { 0 };
    let mut offsets = Vec::new();
    let mut end = reserved;
    let mut align = if variables.iter().any(|variable| variable.dynamic) { 16 } else { 1 };
    for &index in used {
        let Some(variable) = variables.get(index) else { continue };
        if variable.dynamic {
            align = align.max(variable.align);
            continue;
        }
        let offset = end.next_multiple_of(variable.align);
        offsets.push((index, offset.min(u64::from(u32::MAX)) as u32));
        end = offset.saturating_add(variable.size);
    }
    end = end.next_multiple_of(align);
    for &index in used {
        if variables.get(index).is_some_and(|variable| variable.dynamic) {
            offsets.push((index, end.min(u64::from(u32::MAX)) as u32));
        }
    }
    SharedLayout { offsets, reserved, end }
}

/// Returns the bytes of local memory along the longest chain of calls, in the layout of ptxas. Recursive calls add
/// nothing.
fn local_bytes(functions: &[Function], start: usize) -> u32 {
    // Alignment and size of the memory of each function and of those that it calls.
    let mut known: Vec<Option<(u64, u64)>> = vec![None; functions.len()];
    let mut begun = BTreeSet::new();
    // An explicit stack, because a chain of calls may be as long as the source.
    let mut pending = vec![(start, false)];
    while let Some((index, finished)) = pending.pop() {
        let Some(function) = functions.get(index) else { continue };
        if finished {
            let own = resources::packed(&function.locals);
            let mut all = (resources::alignment(&function.locals), own);
            for (align, size) in function.calls.iter().filter_map(|&callee| *known.get(callee)?) {
                let end = resources::aligned(own, align).saturating_add(size);
                all = (all.0.max(align), all.1.max(end));
            }
            known[index] = Some(all);
        } else if begun.insert(index) {
            pending.push((index, true));
            pending.extend(function.calls.iter().map(|&callee| (callee, false)));
        }
    }
    resources::frame(known.get(start).copied().flatten().map_or(0, |(_, size)| size))
}

/// Registers in each partition of a multiprocessor. The warps of a block are distributed among the partitions.
const REGISTERS: u32 = 1 << 14;
/// Number of partitions of a multiprocessor.
const PARTS: u32 = 4;
/// Registers of a thread at which a block can have 1024 threads.
const REGISTERS_OF_MANY: u32 = 64;

/// Estimates the registers of a kernel from the number of values that are live at once.
///
/// Compilers stay within the limits in the text. They also save some registers where this permits the full number of
/// threads in a block. An estimate up to half above [`REGISTERS_OF_MANY`] therefore counts as that number. Otherwise
/// launches that hardware accepts would be refused.
fn registers_within(wanted: u32, tree: &ast::Function<'_>) -> u32 {
    let limits = &tree.limits;
    let threads = [limits.max_threads, limits.required_threads].into_iter().flatten();
    let threads = threads.map(|[x, y, z]| x.saturating_mul(y).saturating_mul(z).max(1)).min();
    let of_part = |threads: u32| threads.div_ceil(32).div_ceil(PARTS) * 32;
    let for_threads = threads.map(|threads| (REGISTERS / of_part(threads)) & !7);
    let most = [limits.max_registers, for_threads].into_iter().flatten().min();
    let usual = if wanted <= REGISTERS_OF_MANY * 3 / 2 { wanted.min(REGISTERS_OF_MANY) } else { wanted };
    usual.clamp(8, most.unwrap_or(255).clamp(8, 255))
}

fn kernel(unit: &Unit<'_>, device: &Target, tree: &ast::Function<'_>, index: usize) -> Kernel {
    let functions = &unit.functions;
    let reached = possible(functions, index);
    let shared = shared_layout(&unit.shared, &shared_of(functions, &reached), device);
    let mut params = Vec::new();
    let mut end = 0u32;
    for signature in unit.prototypes.get(index).map(|prototype| &prototype.params).into_iter().flatten() {
        let offset = super::parameter::place(end, signature.shape.align);
        params.push(Param { offset, size: signature.shape.size, align: signature.shape.align });
        end = offset.saturating_add(signature.shape.size);
    }
    let own = functions.get(index).and_then(|function| function.unsupported.clone());
    // Functions called only through registers are checked at the call, because the target is not known here.
    let named = reachable(functions, index);
    let called = || {
        named.iter().find_map(|&index| {
            let function = functions.get(index)?;
            let reason = function.unsupported.as_ref()?;
            Some(format!("{reason} (in function '{}')", function.name))
        })
    };
    let mut unsupported = own.or_else(called);
    if shared.end > u64::from(u32::MAX / 2) && unsupported.is_none() {
        unsupported = Some("shared memory of this size is not supported".into());
    }
    let registers = reached
        .iter()
        .filter_map(|&index| functions.get(index))
        .map(|function| function.pressure)
        .max()
        .unwrap_or(0);
    let named = |(index, offset): &(usize, u32)| {
        let variable = unit.shared.get(*index)?;
        let size = (!variable.dynamic).then_some(variable.size);
        Some(SharedName { name: variable.name.clone(), offset: u64::from(*offset), size })
    };
    let shared_names = shared.offsets.iter().filter_map(named).collect();
    Kernel {
        name: tree.name.to_owned(),
        params,
        param_bytes: end,
        static_shared: u32::try_from(shared.end - shared.reserved).unwrap_or(u32::MAX),
        local_bytes: local_bytes(functions, index),
        const_bytes: 0,
        max_threads: tree.limits.max_threads,
        required_cluster: tree.limits.cluster,
        blocks_are_clusters: tree.limits.blocks_are_clusters,
        explicit_cluster: tree.limits.explicit_cluster,
        max_cluster_rank: tree.limits.max_cluster_rank,
        required_threads: tree.limits.required_threads,
        launches: reached.iter().any(|&index| functions.get(index).is_some_and(|found| found.launches)),
        uses_heap: reached.iter().any(|&index| functions.get(index).is_some_and(|found| found.uses_heap)),
        registers: registers_within(registers, tree),
        ptx_version: (0, 0),
        target: 0,
        text: 0,
        function: index,
        functions: reached.into_iter().collect(),
        shared_offsets: shared.offsets,
        shared_names,
        shared_end: u32::try_from(shared.end).unwrap_or(u32::MAX),
        unsupported,
    }
}

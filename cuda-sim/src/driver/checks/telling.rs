//! Turns the findings of checks into reports.

use super::launch_check::{Finding, LaunchCheck, Mistake, ThreadAccess, ThreadPlace};
use super::nearest::{Nearest, bytes, inside_of, past};
use crate::console::say_plainly;
use crate::driver::State;
use crate::driver::call_site::CallSite;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::stream_order::CheckedKernel;
use crate::reports::{Report, ReportKind, ReportedPlace};
use cuda_sim_engine::{AccessKind, Fault, FaultAccess, FaultKind, ObservedSpace, Program, Site};
use cuda_sys::CUdevice;
use std::sync::Arc;

/// Launch that is checked.
pub(crate) struct Launched {
    pub(crate) check: Arc<LaunchCheck>,
    pub(crate) program: Arc<Program>,
    pub(crate) kernel: String,
    pub(crate) block: [u32; 3],
    pub(crate) device: CUdevice,
}

/// Describes an access without its place: `store of 4 bytes at 0x1000`.
fn access_text(kind: AccessKind, size: u64, address: u64) -> String {
    let unit = if size == 1 { "byte" } else { "bytes" };
    let preposition = if kind == AccessKind::Atomic { "on" } else { "of" };
    format!("{kind} {preposition} {size} {unit} at {address:#x}")
}

impl ThreadAccess {
    fn text(&self) -> String {
        access_text(self.kind, self.size, self.address)
    }
}

fn threads(count: u32) -> String {
    if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") }
}

impl Launched {
    /// Returns a kernel whose launch may have ended.
    pub(super) fn of_kernel(kernel: &CheckedKernel) -> Launched {
        Launched {
            check: Arc::default(),
            program: Arc::clone(&kernel.program),
            kernel: kernel.name.clone(),
            block: kernel.block,
            device: 0,
        }
    }

    /// Returns the index of a thread in its block, from its number.
    fn thread(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.block.map(|size| size.max(1));
        [number % x, number / x % y, number / x / y]
    }

    pub(super) fn place(&self, at: &ThreadPlace) -> ReportedPlace {
        let (ptx_line, source) = self.program.lines(at.site);
        let function = self.program.function_name(at.site);
        ReportedPlace {
            kernel: self.kernel.clone(),
            function: (function != self.kernel).then(|| function.to_owned()),
            ptx_line,
            source: source.map(|source| (source.file, source.line)),
            block: at.block,
            thread: self.thread(at.thread),
        }
    }

    pub(super) fn line(&self, site: Site) -> String {
        match self.program.lines(site) {
            (line, Some(source)) => format!("{source} (PTX line {line})"),
            (line, None) => format!("PTX line {line}"),
        }
    }

    /// Returns the line, the block and the thread of a place.
    fn thread_place(&self, at: &ThreadPlace) -> String {
        let ([a, b, c], [x, y, z]) = (at.block, self.thread(at.thread));
        format!("{}, block ({a}, {b}, {c}), thread ({x}, {y}, {z})", self.line(at.site))
    }

    /// Returns the report of an access to shared memory.
    fn of_shared(&self, kind: ReportKind, access: &ThreadAccess) -> Report {
        let mut report = Report::new(kind, format!("{}: {} of shared memory", kind.title(), access.text()));
        (report.address, report.size) = (Some(access.address), Some(access.size));
        report
    }

    /// Describes the place of an access in the variables of shared memory.
    fn shared_place(&self, access: &ThreadAccess) -> Option<String> {
        let mut kernels = self.program.kernels().iter();
        let kernel = kernels.find(|kernel| kernel.name == self.kernel)?;
        let variable = kernel.shared_variable(access.address)?;
        let (name, inside) = (&variable.name, access.address - variable.offset);
        let place = match variable.size {
            Some(size) if inside >= size => past(inside - size),
            _ => inside_of(inside),
        };
        Some(format!("{place} variable `{name}`"))
    }

    fn out_of_shared(&self, access: &ThreadAccess) -> Report {
        let mut report = self.of_shared(ReportKind::OutOfBounds, access);
        report.notes.extend(self.shared_place(access));
        report.notes.push("the block has no shared memory there".to_owned());
        report
    }

    fn shared_race(&self, access: &ThreadAccess, with: String) -> Report {
        let mut report = self.of_shared(ReportKind::Race, access);
        report.notes = vec![with, "no barrier is between the two".to_owned()];
        report.notes.extend(self.shared_place(access));
        report
    }

    /// Returns the report of a barrier that threads reach at several instructions.
    fn apart(&self, others: &[(Site, u32)]) -> Report {
        let summary = "barrier: threads of the block wait at different barrier instructions".to_owned();
        let mut report = Report::new(ReportKind::Barrier, summary);
        let line = |(site, count): &(Site, u32)| format!("{} at {}", threads(*count), self.line(*site));
        report.notes = others.iter().map(line).collect();
        report.notes.push("CUDA C++ leaves this undefined: move the barrier out of the branch".to_owned());
        report
    }

    /// Returns the report of a thread that waits for lanes of its warp and is not among them.
    fn outside_mask(members: u32) -> Report {
        let summary = format!("barrier: a thread is not in the mask {members:#010x} that it names");
        let mut report = Report::new(ReportKind::Barrier, summary);
        report.notes.push("PTX leaves this undefined: each thread must be in its own mask".to_owned());
        report
    }

    /// Returns the report of a barrier that ended threads have not reached.
    fn missed(&self, waited: u32, ended: &ThreadPlace, count: u32) -> Report {
        let missing = if count == 1 { "1 has ended".to_owned() } else { format!("{count} have ended") };
        let summary = format!("barrier: {} of the block wait, and {missing} before it", threads(waited));
        let mut report = Report::new(ReportKind::Barrier, summary);
        let [x, y, z] = self.thread(ended.thread);
        report.notes.push(format!("thread ({x}, {y}, {z}) ended at {}", self.line(ended.site)));
        report.notes.push(
            "CUDA C++ leaves this undefined: threads without work must skip the work, and not the barrier"
                .to_owned(),
        );
        report
    }
}

impl State {
    pub(super) fn tell(&mut self, report: Report) {
        let report = self.with_backtraces(report);
        self.reports.add(report);
    }

    /// Adds the backtraces of the calls of a report, if they were stored.
    pub(crate) fn with_backtraces(&self, mut report: Report) -> Report {
        let trace = |call| {
            let frames = self.present.backtrace(call)?;
            Some((call, frames.lines().map(str::to_owned).collect()))
        };
        report.backtraces = report.calls().filter_map(trace).collect();
        report
    }

    /// Reports the findings of the check of a launch.
    pub(crate) fn report_findings(&mut self, launched: &Launched) {
        for Finding { at, mistake, times } in launched.check.take() {
            let mut report = match &mistake {
                Mistake::OutOfBounds(ObservedSpace::Shared, access) => launched.out_of_shared(access),
                Mistake::OutOfBounds(ObservedSpace::Global, access) => {
                    self.out_of_bounds(access, launched.device)
                }
                Mistake::Unwritten(access, missing) => self.unwritten(access, *missing),
                Mistake::Apart(others) => launched.apart(others),
                Mistake::Missed(waited, ended, count) => launched.missed(*waited, ended, *count),
                Mistake::OutsideMask(members) => Launched::outside_mask(*members),
                Mistake::Race { space, access, other, other_kind } => {
                    let with = format!("with the {other_kind} at {}", launched.thread_place(other));
                    match space {
                        ObservedSpace::Shared => launched.shared_race(access, with),
                        ObservedSpace::Global => self.global_race(access, with),
                    }
                }
            };
            report.place = Some(launched.place(&at));
            if !matches!(mistake, Mistake::Apart(_) | Mistake::Missed(..)) {
                report.threads = times;
            }
            self.tell(report);
        }
    }

    fn with_memory(mut report: Report, access: &ThreadAccess, nearest: Nearest) -> Report {
        (report.address, report.size) = (Some(access.address), Some(access.size));
        report.memory = nearest.memory;
        report.notes.extend(nearest.notes);
        report
    }

    fn out_of_bounds(&self, access: &ThreadAccess, device: CUdevice) -> Report {
        let nearest = self.nearest(access.address, access.size, device);
        let report = Report::new(nearest.kind, format!("{}: {}", nearest.kind.title(), access.text()));
        Self::with_memory(report, access, nearest)
    }

    /// Adds the allocation that contains the address of an access.
    pub(super) fn with_location(&self, mut report: Report, access: &ThreadAccess) -> Report {
        (report.address, report.size) = (Some(access.address), Some(access.size));
        if let Some((note, memory)) = self.location_in_memory(access.address) {
            report.notes.push(note);
            report.memory = Some(memory);
        }
        report
    }

    fn unwritten(&self, access: &ThreadAccess, missing: u64) -> Report {
        let kind = ReportKind::Uninitialized;
        let mut report = Report::new(kind, format!("{}: {}", kind.title(), access.text()));
        if missing < access.size {
            report.notes.push(format!("{missing} of {} bytes were never written", access.size));
        }
        self.with_location(report, access)
    }

    fn global_race(&self, access: &ThreadAccess, with: String) -> Report {
        let kind = ReportKind::Race;
        let mut report = Report::new(kind, format!("{}: {}", kind.title(), access.text()));
        report.notes = vec![with, "neither a barrier nor an atomic operation orders the two".to_owned()];
        self.with_location(report, access)
    }

    /// Reports a copy to the host from memory that was never written. Takes the address and the size of each row.
    pub(crate) fn check_copied_to_host(
        &mut self,
        rows: impl Iterator<Item = (u64, u64)> + Clone,
        site: CallSite,
    ) {
        let Some(written) = &self.heap.written else { return };
        let unwritten = rows.clone().filter_map(|(address, len)| written.unwritten(address, len));
        let (missing, first) =
            unwritten.fold((0, None), |(count, first), (missing, at)| (count + missing, first.or(Some(at))));
        let (Some(first), Some((address, _))) = (first, rows.clone().next()) else { return };
        let len: u64 = rows.map(|(_, len)| len).sum();
        let kind = ReportKind::Uninitialized;
        let summary = format!("{}: copy of {len} bytes at {address:#x} to the host", kind.title());
        let mut report = Report::new(kind, summary);
        report.call = site.call();
        if let Some(call) = report.call {
            report.notes.push(format!("by {call}"));
        }
        report.notes.push(format!("{missing} of {len} bytes were never written, the first at {first:#x}"));
        let access = ThreadAccess { kind: AccessKind::Load, address, size: len };
        let report = self.with_location(report, &access);
        self.tell(report);
    }

    /// Reports a free of memory that was freed already, if accesses are checked.
    pub(crate) fn check_freed_twice(&mut self, address: u64) {
        let freed = self.heap.freed(address).or_else(|| self.heap.freed_at(address));
        let Some(freed) = freed.filter(|freed| self.config.memcheck && freed.base == address) else { return };
        let (base, kind) = (freed.base, ReportKind::DoubleFree);
        let mut report = Report::new(kind, format!("{}: address {base:#x}", kind.title()));
        report.call = self.present.get().call();
        if let Some(call) = report.call {
            report.notes.push(format!("by {call}"));
        }
        let access = ThreadAccess { kind: AccessKind::Store, address, size: 0 };
        let report = self.with_location(report, &access);
        self.tell(report);
    }

    /// Reports the destruction of a pool with memory in use, or with frees that are not done, if accesses are checked.
    pub(crate) fn check_destroyed_pool(&mut self, pool: Handle) {
        let Some(first) =
            self.heap.of_pool(pool).filter(|_| self.config.memcheck).min_by_key(|found| found.id)
        else {
            return;
        };
        let sizes = [("in use", false), ("being freed", true)].map(|(what, is_freed)| {
            let found = self.heap.of_pool(pool).filter(|found| found.is_freed == is_freed);
            (found.map(|found| found.size).sum::<u64>(), what)
        });
        let sizes = sizes.into_iter().filter(|(size, _)| *size != 0);
        let sizes: Vec<String> = sizes.map(|(size, what)| format!("{} {what}", bytes(size))).collect();
        let kind = ReportKind::PoolInUse;
        let summary =
            format!("{}: destruction of pool {:#x} with {}", kind.title(), pool.0, sizes.join(" and "));
        let mut report = Report::new(kind, summary);
        report.call = self.present.get().call();
        if let Some(call) = report.call {
            report.notes.push(format!("by {call}"));
        }
        if let Some((_, memory)) = self.location_in_memory(first.base) {
            report.notes.push(format!("its first allocation is {memory}"));
            report.memory = Some(memory);
        }
        report.notes.push(
            "hardware may crash in a later synchronization: destroy the pool after a wait for its frees"
                .to_owned(),
        );
        self.tell(report);
    }

    /// Reports a launch whose buffer of arguments is shorter than the parameters, if accesses are checked.
    pub(crate) fn check_arguments(&mut self, program: &Program, kernel: usize, given: Option<usize>) {
        let (true, Some(given), Some(kernel)) = (self.config.memcheck, given, program.kernels().get(kernel))
        else {
            return;
        };
        let wanted = kernel.params.last().map_or(0, |last| last.offset as usize + last.size as usize);
        if given >= wanted {
            return;
        }
        let kernel = &kernel.name;
        let kind = ReportKind::Arguments;
        let summary =
            format!("{}: {given} bytes for {wanted} bytes of parameters of kernel `{kernel}`", kind.title());
        let mut report = Report::new(kind, summary);
        report.call = self.present.get().call();
        if let Some(call) = report.call {
            report.notes.push(format!("by {call}"));
        }
        report.notes.push("the missing bytes are zero".to_owned());
        self.tell(report);
    }

    /// Reports a failure that no call has returned, at the end of the process.
    pub(crate) fn report_unseen_failure(&mut self) {
        let Some(code) = self.unseen_failure() else { return };
        let kind = ReportKind::UnseenFailure;
        let mut report = Report::new(kind, format!("{}: {code:?}", kind.title()));
        report.notes.push("no call of the program has returned it".to_owned());
        self.tell(report);
    }

    /// Reports a fault of a kernel.
    pub(crate) fn report_fault(&mut self, fault: &Fault, device: CUdevice) {
        let made = fault.instruction.as_ref().and_then(|instruction| instruction.access);
        let is_global = made.is_some_and(|access| access.is_global);
        let access = fault.address.zip(made);
        let access = access.map(|(address, FaultAccess { kind, size, .. })| {
            let size = size.into();
            ThreadAccess { kind, address, size }
        });
        let mut report = match (fault.kind, access) {
            (FaultKind::IllegalAddress, Some(access)) => {
                let mut report = self.out_of_bounds(&access, device);
                report.summary = format!("illegal address, {}", report.summary);
                report
            }
            (FaultKind::OutOfWindow, Some(access)) => {
                let kind = ReportKind::OutOfBounds;
                let summary = format!("illegal instruction, {}: {}", kind.title(), access.text());
                let mut report = Report::new(kind, format!("{summary} of shared or local memory"));
                (report.address, report.size) = (Some(access.address), Some(access.size));
                let note = "neither memory of the block has this address";
                report.notes.push(if fault.detail.is_empty() { note } else { &fault.detail }.to_owned());
                report
            }
            (FaultKind::OutOfCluster, Some(access)) => {
                let kind = ReportKind::OutOfBounds;
                let summary = format!("launch failed, {}: {}", kind.title(), access.text());
                let mut report = Report::new(kind, format!("{summary} of shared memory of the cluster"));
                (report.address, report.size) = (Some(access.address), Some(access.size));
                report.notes.push("no block of the cluster has shared memory there".to_owned());
                report
            }
            (FaultKind::MisalignedAddress, Some(access)) => {
                let kind = ReportKind::Misaligned;
                let mut report = Report::new(kind, format!("{}: {}", kind.title(), access.text()));
                report.notes.push(format!("the address is not a multiple of {}", access.size));
                if is_global {
                    let nearest = self.nearest(access.address, access.size, device);
                    report = Self::with_memory(report, &access, nearest);
                } else {
                    (report.address, report.size) = (Some(access.address), Some(access.size));
                }
                report
            }
            (FaultKind::Deadlock, _) => {
                let summary = "deadlock: no thread of the block can go on; hardware hangs".to_owned();
                let mut report = Report::new(ReportKind::Barrier, summary);
                let threads = fault.detail.split("; ").filter(|threads| !threads.is_empty());
                report.notes = threads.map(str::to_owned).collect();
                report
            }
            (kind, _) => {
                let is_injected = matches!(kind, FaultKind::Injected(_));
                let kind = if is_injected { ReportKind::InjectedFault } else { ReportKind::Fault };
                let mut report = Report::new(kind, fault.summary());
                report.address = fault.address;
                report
            }
        };
        if let Some(instruction) = &fault.instruction {
            report.place = Some(ReportedPlace {
                kernel: fault.kernel.clone(),
                function: instruction.function.clone(),
                ptx_line: fault.line,
                source: instruction.source.as_ref().map(|source| (source.file.clone(), source.line)),
                block: fault.block,
                thread: fault.thread,
            });
        } else {
            report.notes.push(format!("in kernel `{}`", fault.kernel));
        }
        if let Some(assertion) = &fault.assertion {
            report.threads = assertion.threads.len() as u64;
            report.notes.push(format!("in {}", assertion.place));
            // The line of a driver on hardware takes the place of the report.
            say_plainly(&fault.to_string());
            self.reports.add_silently(report);
        } else {
            self.tell(report);
        }
    }

    /// Reports a write of a kernel to memory that kernels may only read.
    pub(crate) fn report_refused_write(&mut self) {
        let kind = ReportKind::NoAccess;
        self.tell(Report::new(kind, format!("{}: a kernel wrote to read-only memory", kind.title())));
    }

    /// Returns the name of a kind of memory in reports.
    pub(super) fn memory_name(&self, kind: Kind, base: u64) -> String {
        let name = match kind {
            Kind::Variable | Kind::Managed { is_variable: true } => {
                let modules = self.modules.iter().map(|(_, module)| module);
                let mut variables =
                    modules.flat_map(|module| module.globals.iter().zip(module.program.globals()));
                let found = variables.find(|(address, _)| **address == base);
                return found
                    .map_or("a variable".to_owned(), |(_, global)| format!("variable `{}`", global.name));
            }
            Kind::Plain => "device memory",
            Kind::MallocHeap => "memory of malloc in a kernel",
            Kind::Pool(_) => "pool memory",
            Kind::Array | Kind::External { is_array: true } => "an array",
            Kind::Host { .. } => "page-locked memory",
            Kind::Registered { .. } => "registered memory",
            Kind::Managed { is_variable: false } => "managed memory",
            Kind::Opened => "memory of another process",
            Kind::External { is_array: false } => "external memory",
            Kind::Graph => "graph memory",
            Kind::Mapped { on_host: false } => "mapped memory",
            Kind::Mapped { on_host: true } => "mapped memory of the host",
        };
        name.to_owned()
    }
}

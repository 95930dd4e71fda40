//! Data races between operations of several streams, and their reports.

use super::launch_check::{ThreadAccess, ThreadPlace};
use super::telling::Launched;
use crate::driver::State;
use crate::driver::operations::StreamId;
use crate::driver::stream_order::{CheckedKernel, Operation, StreamOrder, StreamRace, Use, UseKind, UsedAt};
use crate::reports::{Report, ReportKind};
use cuda_sim_engine::{AccessKind, ObservedAccess, ObservedSpace};

/// Receiver of the accesses of a kernel.
#[derive(Debug)]
pub(super) struct StreamCheck {
    pub(super) order: StreamOrder,
    /// Distance between the device addresses and the host addresses of page-locked memory.
    pub(super) host_offset: u64,
}

impl StreamCheck {
    pub(super) fn access(&self, access: &ObservedAccess<'_>) {
        if access.space == ObservedSpace::Global {
            self.order.note_access(access, self.host_offset);
        }
    }
}

/// Returns the name of a stream for reports.
fn stream_name(stream: Option<StreamId>) -> String {
    match stream {
        Some(StreamId::Made(handle, _)) => format!("on stream {:#x}", handle.pointer::<u8>().addr()),
        Some(StreamId::Legacy(_)) => "on the legacy stream".to_owned(),
        Some(StreamId::PerThread(..)) => "on the default stream of a thread".to_owned(),
        Some(StreamId::Whole(_) | StreamId::Gate(_)) => "of a context".to_owned(),
        None => "by the host".to_owned(),
    }
}

/// Names the use of memory in one word.
fn use_name(used: &Use) -> &'static str {
    match used.kind {
        UseKind::Read if used.at.is_some() => "load",
        UseKind::Read => "read",
        UseKind::Write if used.at.is_some() => "store",
        UseKind::Write => "write",
        UseKind::Atomic => "atomic",
        UseKind::Allocate => "allocation",
        UseKind::Free => "free",
    }
}

fn place_of(at: &UsedAt) -> ThreadPlace {
    ThreadPlace { site: at.site, block: at.block, thread: at.thread }
}

/// Describes one side of a race: the call and the stream.
fn operation_name(operation: &Operation) -> String {
    let stream = stream_name(operation.stream);
    match operation.call.call() {
        Some(call) => format!("by {call} {stream}"),
        None => stream,
    }
}

impl State {
    /// Records in the order of operations which kernel continues.
    pub(crate) fn note_kernel(&self, launched: &Launched) {
        if let Some(order) = &self.order {
            order.set_kernel(CheckedKernel {
                program: launched.program.clone(),
                name: launched.kernel.clone(),
                block: launched.block,
            });
        }
    }

    /// Reports the races of completed operations.
    pub(crate) fn report_stream_races(&mut self) {
        let races = self.order.as_ref().map(StreamOrder::take_races).unwrap_or_default();
        for race in races {
            let report = self.stream_race(race);
            self.tell(report);
        }
    }

    fn stream_race(&self, race: StreamRace) -> Report {
        let (address, bytes) = race.extent();
        let [first, second] = race.uses;
        // The report names the place in a kernel. If both operations are kernels, the later call is used, because the
        // order of their work is arbitrary.
        let is_swapped = match (first.1.kernel.is_some(), second.1.kernel.is_some()) {
            (true, false) => true,
            (false, true) => false,
            _ => first.1.call.call().map(|call| call.number) > second.1.call.call().map(|call| call.number),
        };
        let ((other, other_operation), (own, operation)) =
            if is_swapped { (second, first) } else { (first, second) };
        let kind = ReportKind::StreamRace;
        let unit = if bytes == 1 { "byte" } else { "bytes" };
        let summary = format!("{}: {} of {bytes} {unit} at {address:#x}", kind.title(), use_name(&own));
        let mut report = Report::new(kind, summary);
        report.call = operation.call.call();
        if let (Some(kernel), Some(at)) = (&operation.kernel, &own.at) {
            report.place = Some(Launched::of_kernel(kernel).place(&place_of(at)));
        }
        report.notes.push(operation_name(&operation));
        let line = match (&other_operation.kernel, &other.at) {
            (Some(kernel), Some(at)) => {
                format!(" at {} in kernel `{}`,", Launched::of_kernel(kernel).line(at.site), kernel.name)
            }
            _ => String::new(),
        };
        report.notes.push(format!(
            "with the {}{line} {}",
            use_name(&other),
            operation_name(&other_operation)
        ));
        report.notes.push("no stream, event or synchronisation orders the two".to_owned());
        let access = ThreadAccess { kind: AccessKind::Load, address, size: bytes };
        self.with_location(report, &access)
    }
}

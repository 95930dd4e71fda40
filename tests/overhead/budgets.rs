//! Limits of the cost of calls of the safe layer, beside the driver's own work: driver calls, allocations, instructions. No
//! limit depends on the speed of the machine.
//!
//! Instructions are counted by valgrind, of an optimised build: `cargo test --release -p overhead`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

#[path = "../../benches/overhead/count.rs"]
#[allow(dead_code)] // some items are for the benchmark alone, here and below
mod count;
#[path = "../../benches/overhead/heap.rs"]
mod heap;
#[path = "../../benches/overhead/measure.rs"]
#[allow(dead_code)]
mod measure;
#[path = "../../benches/overhead/nothing.rs"]
#[allow(dead_code)]
mod nothing;
#[path = "../../benches/overhead/operations.rs"]
#[allow(dead_code)]
mod operations;

use operations::*;
use std::io::Write;
use std::path::Path;
use std::process::Command;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

/// Environment variable that is set in the run that valgrind counts.
const COUNTED: &str = "OVERHEAD_COUNTED";

struct Budget {
    operation: &'static str,
    /// The driver calls that do the work. Queries beside them are in `checks`.
    work: &'static [&'static str],
    checks: &'static [&'static str],
    /// Limit of added instructions, over the same driver calls by function pointers. Includes the instructions of the checks.
    instructions: f64,
    /// Limit of atomic read-modify-write instructions.
    atomic: f64,
}

const CURRENT: &str = "cuCtxGetCurrent";
const ALIVE: &str = "cuCtxGetId";
const LOOK: &str = "cuPointerGetAttributes";

/// The limits of each operation. Operations without a budget are not tested.
const BUDGETS: &[Budget] = &[
    Budget {
        operation: LAUNCH_3,
        work: &["cuLaunchKernel"],
        checks: &[CURRENT],
        instructions: 60.0,
        atomic: 0.0,
    },
    Budget {
        operation: LAUNCH_16,
        work: &["cuLaunchKernel"],
        checks: &[CURRENT],
        instructions: 60.0,
        atomic: 0.0,
    },
    Budget {
        operation: DECLARED,
        work: &["cuLaunchKernel"],
        checks: &[CURRENT],
        instructions: 60.0,
        atomic: 0.0,
    },
    Budget {
        operation: BORROWED,
        work: &["cuLaunchKernel"],
        checks: &[CURRENT],
        // The home stream of each is compared with the stream of the launch.
        instructions: 150.0,
        atomic: 0.0,
    },
    Budget {
        operation: SAFE,
        work: &["cuLaunchKernel"],
        checks: &[CURRENT],
        instructions: 200.0,
        atomic: 0.0,
    },
    Budget {
        operation: ELSEWHERE,
        work: &["cuCtxPushCurrent_v2", "cuLaunchKernel", "cuCtxPopCurrent_v2"],
        checks: &[CURRENT, CURRENT],
        instructions: 175.0,
        atomic: 0.0,
    },
    Budget {
        operation: CHECKED,
        work: &["cuLaunchKernel"],
        // One check of each address.
        checks: &[CURRENT, LOOK, CURRENT, LOOK, CURRENT],
        instructions: 1220.0,
        atomic: 0.0,
    },
    Budget {
        operation: OWNERS,
        work: &["cuLaunchKernel"],
        // The owners know the location of their memory.
        checks: &[CURRENT],
        instructions: 305.0,
        atomic: 0.0,
    },
    Budget { operation: GRAPH, work: &["cuGraphLaunch"], checks: &[], instructions: 60.0, atomic: 0.0 },
    Budget {
        operation: ALLOC,
        work: &["cuMemAllocAsync", "cuMemFreeAsync"],
        // A free must not use a context that other code has reset.
        checks: &[ALIVE],
        instructions: 200.0,
        // The buffer clones the handle to its stream, and drops the clone.
        atomic: 2.0,
    },
    Budget {
        operation: PROMISED_LAUNCH,
        work: &["cuLaunchKernel"],
        checks: &[],
        instructions: 60.0,
        atomic: 0.0,
    },
    Budget {
        operation: PROMISED_ALLOC,
        work: &["cuMemAllocAsync", "cuMemFreeAsync"],
        checks: &[],
        instructions: 180.0,
        atomic: 2.0,
    },
    Budget {
        operation: TO_DEVICE,
        work: &["cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"],
        checks: &[CURRENT, LOOK],
        instructions: 400.0,
        // The lock of the table of lent memory, taken before the copy and after it.
        atomic: 4.0,
    },
    Budget {
        operation: FROM_DEVICE,
        work: &["cuMemcpyDtoHAsync_v2", "cuStreamSynchronize"],
        checks: &[CURRENT, LOOK],
        instructions: 400.0,
        // The lock of the table of lent memory, taken before the copy and after it.
        atomic: 4.0,
    },
    Budget {
        operation: ON_DEVICE,
        work: &["cuMemcpyDtoDAsync_v2"],
        checks: &[CURRENT],
        instructions: 100.0,
        atomic: 0.0,
    },
    Budget { operation: RECORD, work: &["cuEventRecord"], checks: &[], instructions: 60.0, atomic: 0.0 },
    Budget {
        operation: FENCE,
        work: &["cuEventCreate", "cuEventRecord", "cuStreamWaitEvent", "cuEventDestroy_v2"],
        // An event must not be destroyed in a context that other code has reset.
        checks: &[CURRENT, ALIVE],
        instructions: 320.0,
        atomic: 2.0,
    },
    Budget { operation: QUERY, work: &["cuStreamQuery"], checks: &[], instructions: 30.0, atomic: 0.0 },
];

// One test, since others beside it would be noted and counted too.
#[test]
fn operations_keep_to_their_budgets() {
    // SAFETY: the functions have the driver's signatures, and return the values that these operations need.
    unsafe { cuda_sys::install("functions that do nothing", nothing::resolve) }.unwrap();
    let setup = Setup::new().unwrap();
    let mut operations = setup.operations();
    operations.retain(|operation| BUDGETS.iter().any(|budget| budget.operation == operation.name));
    assert_eq!(operations.len(), BUDGETS.len(), "each budget has its operation");
    if std::env::var_os(COUNTED).is_some() {
        return count::run_in_parts(&mut operations);
    }

    let mut costs = count::costs(&mut operations, Some((&nothing::begin, &nothing::end)));
    let counted = if cfg!(debug_assertions) {
        Err("this is no optimised build")
    } else {
        let child = |command: &mut Command| {
            command.args(["operations_keep_to_their_budgets", "--exact"]).env(COUNTED, "");
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        count::count_in_child(child, folder, &mut costs).ok_or("valgrind is missing, or failed to count")
    };
    if let Err(reason) = counted {
        // The words that `cuda_suite::note_skip` prints.
        let _ = writeln!(std::io::stderr(), "SKIP 1: the instructions of operations: {reason}");
    }

    for (operation, costs) in operations.iter().zip(&costs) {
        let budget = BUDGETS.iter().find(|budget| budget.operation == operation.name).unwrap();
        let cost_of = |library| {
            let place = operation.ways.iter().position(|way| way.library == library).unwrap();
            &costs[place]
        };
        let (raw, cost) = (cost_of(RAW), cost_of(RT));
        let name = operation.name;
        assert_eq!(raw.calls.as_deref().unwrap(), budget.work, "{name}");
        // The checks and the work, each in its order.
        let mut rest = budget.work.iter().peekable();
        let is_check = |call: &&String| rest.next_if(|next| *next == *call).is_none();
        let checks: Vec<&String> = cost.calls.iter().flatten().filter(is_check).collect();
        assert_eq!(checks, budget.checks, "{name}: {:?}", cost.calls);
        assert_eq!(rest.next(), None, "{name}: {:?}", cost.calls);
        assert_eq!(cost.heap, 0.0, "{name}: allocations on the heap");
        if let (Some(own), Some(bare)) = (cost.instructions, raw.instructions) {
            let more = own - bare;
            println!("{name}: {more} more");
            assert!(more <= budget.instructions, "{name}: {more} more instructions");
        }
        if let Some(atomic) = cost.atomic {
            assert!(atomic <= budget.atomic, "{name}: {atomic} atomic instructions");
        }
    }
}

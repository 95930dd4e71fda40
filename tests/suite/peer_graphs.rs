//! Copies and fills of graphs and streams with memory of two devices, through the raw API (facts V1163, V1164 and V1171 to V1177).

#![allow(unsafe_code)]

use crate::alone_as;
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{Choice, call, code, device, driver, second_device, skip};
use cuda_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const LOST: CUresult = CUresult::CUDA_ERROR_LAUNCH_FAILED;
const FAULT: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;

const BYTES: usize = 4096;

/// A step of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Adds the node to the graph.
    Node,
    /// The same for a node that copies to the peer.
    NodeToPeer,
    /// The same for a node in the body of a conditional node.
    NodeInBody,
    On,
    Off,
    Instantiate,
    Update,
    /// Tries to change the node of the executable.
    Set,
    /// Launches, and goes on while the copy waits.
    Begin,
    /// Lets the copy run.
    End,
    Launch,
}

use Step::{Begin, End, Instantiate, Launch, Node, NodeInBody, NodeToPeer, Off, On, Set, Update};

/// Name, whether the memory is of a pool, the steps.
type Case = (&'static str, bool, &'static [Step]);

/// Two devices with memory; that of the peer holds 42.
struct Devices {
    own: CUcontext,
    peer: CUcontext,
    stream: CUstream,
    ours: CUdeviceptr,
    theirs: CUdeviceptr,
    pool: Option<CUmemoryPool>,
}

impl Devices {
    /// `None` where there are no two devices that reach each other.
    fn new(is_pooled: bool) -> Option<Devices> {
        driver();
        cuda_rt::init().unwrap();
        let second = second_device()?;
        if !device().can_access_peer(second).unwrap() {
            return None;
        }
        let peer = context(second.as_raw());
        let (mut pool, mut theirs) = (None, 0);
        if is_pooled {
            let mut made = null_mut();
            // SAFETY: all members may be zero.
            let mut props: CUmemPoolProps = unsafe { core::mem::zeroed() };
            props.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
            props.location = place(second.as_raw());
            call!(cuMemPoolCreate(&raw mut made, &raw const props));
            call!(cuMemAllocFromPoolAsync(&raw mut theirs, BYTES, made, null_mut()));
            pool = Some(made);
        } else {
            theirs = allocate(BYTES);
        }
        call!(cuMemsetD32_v2(theirs, 42, BYTES / 4));
        call!(cuCtxSynchronize());
        let own = context(device().as_raw());
        let ours = allocate(BYTES);
        call!(cuMemsetD32_v2(ours, 1, BYTES / 4));
        call!(cuCtxSynchronize());
        Some(Devices { own, peer, stream: stream(1), ours, theirs, pool })
    }

    fn set_access(&self, is_on: bool) {
        match (self.pool, is_on) {
            (None, true) => call!(cuCtxEnablePeerAccess(self.peer, 0)),
            (None, false) => call!(cuCtxDisablePeerAccess(self.peer)),
            (Some(pool), _) => {
                let flags = CUmemAccess_flags_enum(if is_on { 3 } else { 0 });
                let access = CUmemAccessDesc { location: place(device().as_raw()), flags };
                call!(cuMemPoolSetAccess(pool, &raw const access, 1));
            }
        }
    }

    /// Runs the steps. Returns what the last synchronization returns.
    fn run(&self, steps: &[Step]) -> CUresult {
        let (mut graph, mut node, mut executable) = (null_mut(), null_mut(), null_mut());
        let copy = copy_params(self.ours, self.theirs);
        let mut result = DONE;
        call!(cuGraphCreate(&raw mut graph, 0));
        for step in steps {
            match step {
                Node => add(&raw mut node, graph, &copy, self.own),
                NodeToPeer => add(&raw mut node, graph, &copy_params(self.theirs, self.ours), self.own),
                NodeInBody => add(&raw mut node, body(graph, self.own), &copy, self.own),
                On => self.set_access(true),
                Off => self.set_access(false),
                Instantiate => call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0)),
                Update => {
                    // SAFETY: all members may be zero.
                    let mut info: CUgraphExecUpdateResultInfo = unsafe { core::mem::zeroed() };
                    call!(cuGraphExecUpdate_v2(executable, graph, &raw mut info));
                }
                Set => {
                    let copy = CUDA_MEMCPY3D { WidthInBytes: BYTES / 2, ..copy };
                    let set =
                        code!(cuGraphExecMemcpyNodeSetParams(executable, node, &raw const copy, self.own));
                    assert_eq!(set, INVALID);
                }
                Begin => {
                    MAY_END.store(false, Ordering::Relaxed);
                    call!(cuLaunchHostFunc(self.stream, Some(wait), null_mut()));
                    call!(cuGraphLaunch(executable, self.stream));
                }
                End => {
                    MAY_END.store(true, Ordering::Release);
                    result = code!(cuStreamSynchronize(self.stream));
                }
                Launch => {
                    call!(cuGraphLaunch(executable, self.stream));
                    result = code!(cuStreamSynchronize(self.stream));
                }
            }
        }
        result
    }
}

/// True if the function that holds a stream may return. Only a test in a process of its own holds a stream. Otherwise, another
/// test could end a context meanwhile: the end waits for the stream, and calls of this test wait for the end.
static MAY_END: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn wait(_: *mut c_void) {
    while !MAY_END.load(Ordering::Acquire) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn place(device: CUdevice) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: device },
    }
}

fn copy_params(to: CUdeviceptr, from: CUdeviceptr) -> CUDA_MEMCPY3D {
    let kind = CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED;
    CUDA_MEMCPY3D {
        srcMemoryType: kind,
        srcDevice: from,
        srcPitch: BYTES,
        dstMemoryType: kind,
        dstDevice: to,
        dstPitch: BYTES,
        WidthInBytes: BYTES,
        Height: 1,
        Depth: 1,
        // SAFETY: all members may be zero.
        ..unsafe { core::mem::zeroed() }
    }
}

fn add(to: *mut CUgraphNode, graph: CUgraph, copy: &CUDA_MEMCPY3D, context: CUcontext) {
    call!(cuGraphAddMemcpyNode(to, graph, std::ptr::null(), 0, std::ptr::from_ref(copy), context));
}

/// The body of a new conditional node, whose condition holds.
fn body(graph: CUgraph, context: CUcontext) -> CUgraph {
    let (mut condition, mut node) = (0, null_mut());
    call!(cuGraphConditionalHandleCreate(&raw mut condition, graph, context, 1, 1));
    // SAFETY: all members may be zero.
    let mut params: CUgraphNodeParams = unsafe { core::mem::zeroed() };
    params.type_ = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
        handle: condition,
        type_: CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_IF,
        size: 1,
        phGraph_out: null_mut(),
        ctx: context,
    };
    call!(cuGraphAddNode_v2(&raw mut node, graph, std::ptr::null(), std::ptr::null(), 0, &raw mut params));
    // SAFETY: the type determines the member.
    let conditional = unsafe { params.__bindgen_anon_1.conditional };
    // SAFETY: the driver wrote a pointer to one graph.
    unsafe { *conditional.phGraph_out }
}

macro_rules! needs_devices {
    () => {
        if !crate::is_since(12, 0) || Devices::new(false).is_none() {
            skip!("there are no two devices that reach each other, or the driver is too old");
        }
    };
}

/// Runs a case that fails. The failure is that of all contexts. Hardware may answer the other one of two failures (fact V1186).
fn fails(test: &str, (name, is_pooled, steps): Case, expected: CUresult) {
    alone_as(&format!("peer_graphs::{test}"), name, || {
        let devices = Devices::new(is_pooled).unwrap();
        let result = devices.run(steps);
        let is_other = driver() == Choice::Real && [LOST, FAULT].contains(&result);
        assert!(result == expected || is_other, "{name}: {result}");
        call!(cuCtxSetCurrent(devices.peer));
        assert_eq!(code!(cuCtxSynchronize()), result, "{name}");
    });
}

/// Runs a case whose copy is made.
fn succeeds(test: &str, (name, is_pooled, steps): Case) {
    alone_as(&format!("peer_graphs::{test}"), name, || {
        let devices = Devices::new(is_pooled).unwrap();
        assert_eq!(devices.run(steps), DONE, "{name}");
        assert_eq!(cuda_suite::raw::read(devices.ours), 42, "{name}");
    });
}

#[test]
fn graph_copies_without_peer_access_need_none_later() {
    const CASES: [Case; 6] = [
        ("the instantiation counts, not the node", false, &[On, Node, Off, Instantiate, Launch]),
        ("enabled later", false, &[Node, Instantiate, On, Launch]),
        ("enabled and disabled later", false, &[Node, Instantiate, On, Off, Launch]),
        ("disabled while it waits", false, &[Node, Instantiate, On, Begin, Off, End]),
        ("enabled and disabled while it waits", false, &[Node, Instantiate, Begin, On, Off, End]),
        ("refused change", false, &[Node, Instantiate, On, Set, Off, Launch]),
    ];
    needs_devices!();
    for case in CASES {
        succeeds("graph_copies_without_peer_access_need_none_later", case);
    }
}

#[test]
fn graph_copies_with_peer_access_lose_it() {
    const CASES: [Case; 6] = [
        ("disabled before the launch", false, &[Node, On, Instantiate, Off, Launch]),
        ("while it waits", false, &[On, Node, Instantiate, Begin, Off, End]),
        ("enabled again", false, &[On, Node, Instantiate, Off, On, Launch]),
        ("after a launch", false, &[On, Node, Instantiate, Launch, Off, Launch]),
        ("to the peer", false, &[On, NodeToPeer, Instantiate, Off, Launch]),
        ("refused change", false, &[On, Node, Instantiate, Off, Set, Launch]),
    ];
    needs_devices!();
    for case in CASES {
        fails("graph_copies_with_peer_access_lose_it", case, LOST);
    }
}

#[test]
fn updated_graph_copies_without_their_access_fault() {
    const CASES: [Case; 1] = [("updated after", false, &[On, Node, Instantiate, Off, Update, Launch])];
    needs_devices!();
    for case in CASES {
        fails("updated_graph_copies_without_their_access_fault", case, FAULT);
    }
}

#[test]
fn executables_keep_the_ways_of_their_copies() {
    const TEST: &str = "executables_keep_the_ways_of_their_copies";
    const CASES: [Case; 3] = [
        ("updated before", false, &[On, Node, Instantiate, Update, Off, Launch]),
        ("in a body", false, &[On, NodeInBody, Instantiate, Off, Launch]),
        ("in a body, updated before", false, &[On, NodeInBody, Instantiate, Update, Off, Launch]),
    ];
    needs_devices!();
    for case in CASES {
        fails(TEST, case, LOST);
    }
    fails(
        TEST,
        ("in a body, updated after", false, &[On, NodeInBody, Instantiate, Off, Update, Launch]),
        FAULT,
    );
}

#[test]
fn access_that_is_enabled_again_may_be_enough() {
    const CASES: [Case; 3] = [
        ("while it waits", false, &[On, Node, Instantiate, Begin, Off, On, End]),
        ("updated afterwards", false, &[On, Node, Instantiate, Off, On, Update, Launch]),
        ("never needed", false, &[Node, Instantiate, On, Update, Off, Launch]),
    ];
    needs_devices!();
    for case in CASES {
        succeeds("access_that_is_enabled_again_may_be_enough", case);
    }
}

#[test]
fn graph_copies_of_pools_need_access_when_they_run() {
    const CASES: [Case; 4] = [
        ("taken before the launch", true, &[On, Node, Instantiate, Off, Launch]),
        ("while it waits", true, &[On, Node, Instantiate, Begin, Off, End]),
        ("before the instantiation", true, &[On, Node, Off, Instantiate, Launch]),
        ("updated after", true, &[On, Node, Instantiate, Off, Update, Launch]),
    ];
    needs_devices!();
    for case in CASES {
        fails("graph_copies_of_pools_need_access_when_they_run", case, LOST);
    }
}

#[test]
fn access_to_a_pool_may_be_given_again() {
    needs_devices!();
    let devices = Devices::new(true).unwrap();
    assert_eq!(devices.run(&[On, Node, Instantiate, Off, On, Launch]), DONE);
    assert_eq!(cuda_suite::raw::read(devices.ours), 42);
    // A node cannot be made without access.
    devices.set_access(false);
    let (mut graph, mut node) = (null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut graph, 0));
    let copy = copy_params(devices.ours, devices.theirs);
    let made =
        code!(cuGraphAddMemcpyNode(&raw mut node, graph, std::ptr::null(), 0, &raw const copy, devices.own));
    assert_eq!(made, INVALID);
}

/// Work in a context of the device with memory of the peer. All copies have half of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// A copy within the memory.
    Within,
    ToOwn,
    FromOwn,
    ToHost,
    FromHost,
    Fill,
}

impl Work {
    const ALL: [Work; 6] =
        [Work::Within, Work::ToOwn, Work::FromOwn, Work::ToHost, Work::FromHost, Work::Fill];

    /// The destination and the source of a copy.
    fn ends(self, devices: &Devices) -> (CUdeviceptr, CUdeviceptr) {
        let mut host = null_mut();
        if matches!(self, Work::ToHost | Work::FromHost) {
            call!(cuMemHostAlloc(&raw mut host, BYTES, 0));
        }
        let host = host.addr() as CUdeviceptr;
        match self {
            Work::Within | Work::Fill => (devices.theirs + HALF as u64, devices.theirs),
            Work::ToOwn => (devices.ours, devices.theirs),
            Work::FromOwn => (devices.theirs, devices.ours),
            Work::ToHost => (host, devices.theirs),
            Work::FromHost => (devices.theirs, host),
        }
    }

    fn queue(self, devices: &Devices) -> CUresult {
        let (to, from) = self.ends(devices);
        match self {
            Work::Fill => code!(cuMemsetD32Async(to, 7, HALF / 4, devices.stream)),
            _ => code!(cuMemcpyAsync(to, from, HALF, devices.stream)),
        }
    }

    fn add(self, devices: &Devices, graph: CUgraph) -> CUresult {
        let (to, from) = self.ends(devices);
        let (mut node, none) = (null_mut(), std::ptr::null());
        if self == Work::Fill {
            let fill = CUDA_MEMSET_NODE_PARAMS {
                dst: to,
                pitch: 0,
                value: 7,
                elementSize: 4,
                width: HALF / 4,
                height: 1,
            };
            return code!(cuGraphAddMemsetNode(&raw mut node, graph, none, 0, &raw const fill, devices.own));
        }
        let copy = CUDA_MEMCPY3D { WidthInBytes: HALF, ..copy_params(to, from) };
        code!(cuGraphAddMemcpyNode(&raw mut node, graph, none, 0, &raw const copy, devices.own))
    }

    /// Disables access while the work waits on a stream. Returns the result of the synchronization.
    fn run_on_a_stream(self, devices: &Devices) -> CUresult {
        devices.set_access(true);
        MAY_END.store(false, Ordering::Relaxed);
        call!(cuLaunchHostFunc(devices.stream, Some(wait), null_mut()));
        assert_eq!(self.queue(devices), DONE, "{self:?}");
        devices.set_access(false);
        MAY_END.store(true, Ordering::Release);
        code!(cuStreamSynchronize(devices.stream))
    }

    /// Disables access before the launch of a graph. Returns the result of the synchronization.
    fn run_in_a_graph(self, devices: &Devices) -> CUresult {
        let (mut graph, mut executable) = (null_mut(), null_mut());
        devices.set_access(true);
        call!(cuGraphCreate(&raw mut graph, 0));
        assert_eq!(self.add(devices, graph), DONE, "{self:?}");
        call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        devices.set_access(false);
        call!(cuGraphLaunch(executable, devices.stream));
        code!(cuStreamSynchronize(devices.stream))
    }
}

const HALF: usize = BYTES / 2;

#[test]
fn work_in_a_peers_pool_needs_access_when_it_runs() {
    needs_devices!();
    for (place, run) in
        [("stream", Work::run_on_a_stream as fn(Work, &Devices) -> CUresult), ("graph", Work::run_in_a_graph)]
    {
        for work in Work::ALL {
            alone_as(
                "peer_graphs::work_in_a_peers_pool_needs_access_when_it_runs",
                &format!("{work:?} {place}"),
                || assert_eq!(run(work, &Devices::new(true).unwrap()), LOST, "{work:?} {place}"),
            );
        }
    }
}

#[test]
fn work_in_a_peers_pool_is_refused_without_access() {
    needs_devices!();
    let devices = Devices::new(true).unwrap();
    for work in Work::ALL {
        let (mut graph, mut executable) = (null_mut(), null_mut());
        call!(cuGraphCreate(&raw mut graph, 0));
        assert_eq!(work.queue(&devices), INVALID, "{work:?}");
        assert_eq!(work.add(&devices, graph), INVALID, "{work:?}");
        devices.set_access(true);
        assert_eq!(work.add(&devices, graph), DONE, "{work:?}");
        devices.set_access(false);
        let expected = if work == Work::Fill { INVALID } else { DONE };
        let made = code!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        assert_eq!(made, expected, "{work:?}");
    }
}

#[test]
fn work_in_plain_memory_of_a_peer_needs_less() {
    const TEST: &str = "peer_graphs::work_in_plain_memory_of_a_peer_needs_less";
    needs_devices!();
    let devices = Devices::new(false).unwrap();
    for work in Work::ALL {
        let (mut graph, mut executable) = (null_mut(), null_mut());
        call!(cuGraphCreate(&raw mut graph, 0));
        assert_eq!(work.add(&devices, graph), DONE, "{work:?}");
        call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
        call!(cuGraphLaunch(executable, devices.stream));
        call!(cuStreamSynchronize(devices.stream));
        let expected = if work == Work::Fill { INVALID } else { DONE };
        assert_eq!(work.queue(&devices), expected, "{work:?}");
        call!(cuStreamSynchronize(devices.stream));
        if work == Work::Fill {
            assert_eq!(cuda_suite::raw::read(devices.theirs + HALF as u64), 7);
        }
    }
    for work in [Work::Within, Work::ToHost, Work::FromHost, Work::Fill] {
        assert_eq!(work.run_in_a_graph(&devices), DONE, "{work:?}");
    }
    for work in Work::ALL {
        let is_lost = matches!(work, Work::ToOwn | Work::FromOwn | Work::Fill);
        alone_as(TEST, &format!("{work:?}"), || {
            let result = work.run_on_a_stream(&Devices::new(false).unwrap());
            assert_eq!(result, if is_lost { LOST } else { DONE }, "{work:?}");
        });
    }
}

#[test]
fn copies_of_two_rows_lose_access() {
    needs_devices!();
    for is_pooled in [false, true] {
        alone_as("peer_graphs::copies_of_two_rows_lose_access", &format!("{is_pooled}"), || {
            let devices = Devices::new(is_pooled).unwrap();
            devices.set_access(true);
            let copy = CUDA_MEMCPY2D {
                srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
                srcDevice: devices.theirs,
                srcPitch: HALF,
                dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
                dstDevice: devices.ours,
                dstPitch: HALF,
                WidthInBytes: HALF / 2,
                Height: 2,
                // SAFETY: all members may be zero.
                ..unsafe { core::mem::zeroed() }
            };
            MAY_END.store(false, Ordering::Relaxed);
            call!(cuLaunchHostFunc(devices.stream, Some(wait), null_mut()));
            call!(cuMemcpy2DAsync_v2(&raw const copy, devices.stream));
            devices.set_access(false);
            MAY_END.store(true, Ordering::Release);
            assert_eq!(code!(cuStreamSynchronize(devices.stream)), LOST);
        });
    }
}

/// With access in both directions, the copy uses that of the context with the source.
#[test]
fn graph_copies_use_the_access_of_their_source() {
    needs_devices!();
    for (is_of_source, expected) in [(false, DONE), (true, LOST)] {
        alone_as(
            "peer_graphs::graph_copies_use_the_access_of_their_source",
            &format!("{is_of_source}"),
            || {
                let devices = Devices::new(false).unwrap();
                let peers_access = |is_on: bool| {
                    call!(cuCtxSetCurrent(devices.peer));
                    match is_on {
                        true => call!(cuCtxEnablePeerAccess(devices.own, 0)),
                        false => call!(cuCtxDisablePeerAccess(devices.own)),
                    }
                    call!(cuCtxSetCurrent(devices.own));
                };
                devices.set_access(true);
                peers_access(true);
                let (mut graph, mut executable) = (null_mut(), null_mut());
                call!(cuGraphCreate(&raw mut graph, 0));
                assert_eq!(Work::ToOwn.add(&devices, graph), DONE);
                call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 0));
                if is_of_source {
                    peers_access(false)
                } else {
                    devices.set_access(false)
                }
                call!(cuGraphLaunch(executable, devices.stream));
                assert_eq!(code!(cuStreamSynchronize(devices.stream)), expected);
            },
        );
    }
}

#[test]
fn updates_make_no_copy_between_devices() {
    needs_devices!();
    let devices = Devices::new(false).unwrap();
    devices.set_access(true);
    for (before, after) in [(Work::Within, Work::ToOwn), (Work::ToOwn, Work::Within)] {
        let [mut old, mut new] = [null_mut(); 2];
        let mut executable = null_mut();
        for (work, graph) in [(before, &mut old), (after, &mut new)] {
            call!(cuGraphCreate(graph, 0));
            assert_eq!(work.add(&devices, *graph), DONE);
        }
        call!(cuGraphInstantiateWithFlags(&raw mut executable, old, 0));
        // SAFETY: all members may be zero.
        let mut info: CUgraphExecUpdateResultInfo = unsafe { core::mem::zeroed() };
        let updated = code!(cuGraphExecUpdate_v2(executable, new, &raw mut info));
        assert_eq!(updated, CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "{before:?} {after:?}");
        assert_eq!(info.result, CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    }
    devices.set_access(false);
}

//! Helpers of the tests of the safe layer.

use crate::raw_setup::types;
use cuda_rt::graph::{Capture, CaptureOptions, Graph, GraphExec, InstantiateOptions};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, Module, Result, Stream};
use cuda_suite::{context, stream};

/// Returns whether the driver is of this release or a later one.
pub(crate) fn is_since(major: u16, minor: u16) -> bool {
    cuda_suite::driver();
    crate::raw_setup::is_since(major, minor)
}

/// Kernels of one thread: `put` stores a number, `add` adds one to a number, `spin` stores 1 when it sees a number change.
const PTX: &str = "
    .version 6.4
    .target sm_50
    .address_size 64
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret;
    }
    .visible .entry add(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r<2>;
        ld.param.u64 %a, [to]; ld.param.u32 %r0, [value]; ld.global.u32 %r1, [%a]; add.u32 %r1, %r1, %r0;
        st.global.u32 [%a], %r1; ret;
    }
    .visible .entry move(.param .u64 to, .param .u64 from) {
        .reg .b64 %a<2>; .reg .b32 %r;
        ld.param.u64 %a0, [to]; ld.param.u64 %a1, [from]; ld.global.u32 %r, [%a1]; st.global.u32 [%a0], %r; ret;
    }";

pub(crate) type Word = (DevicePtr<u32>, u32);

pub(crate) fn module(context: &Context) -> Module {
    Module::from_ptx(context, PTX).unwrap()
}

/// A kernel of [`PTX`] that takes an address and a number.
pub(crate) fn kernel(module: &Module, name: &str) -> Kernel<Word> {
    module.function(name).unwrap().typed().unwrap()
}

/// The context and a stream of the test.
pub(crate) fn place() -> (Context, Stream) {
    (context(), stream())
}

pub(crate) fn words(stream: &Stream, values: &[u32]) -> DeviceBuf<u32> {
    DeviceBuf::from_host(stream, values).unwrap()
}

pub(crate) fn capture(work: impl for<'c> FnOnce(&mut Capture<'c>) -> Result<()>) -> Graph {
    Graph::capture(&context(), CaptureOptions::new(), work).unwrap().0
}

pub(crate) fn instantiate(graph: &mut Graph) -> GraphExec {
    graph.instantiate(InstantiateOptions::new()).unwrap()
}

/// The types of the nodes of a graph, in rising order.
pub(crate) fn types_of(graph: &mut Graph) -> Vec<u32> {
    types(graph.as_raw().unwrap())
}

/// Runs an ignored test in a process of its own, with a value of `CUDA_SIM` if it is not empty.
pub(crate) fn run_in_child(test: &str, setting: &str) {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--ignored"]);
    if !setting.is_empty() {
        child.env("CUDA_SIM", setting);
    }
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{setting}: {text}");
}

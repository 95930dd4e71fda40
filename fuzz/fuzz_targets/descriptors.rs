//! Copies, arrays, textures, parameters of graph nodes and launches with descriptors whose fields are anything.

#![no_main]

use cuda_fuzz::caller::Caller;
use cuda_fuzz::interface::{Function, INTERFACE};
use cuda_fuzz::session::{self, Session};
use cuda_fuzz::source::Source;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// The functions that take a descriptor.
static FUNCTIONS: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
    let starts = [
        "cuMemcpy",
        "cuMemset",
        "cuArray",
        "cuMipmapped",
        "cuTex",
        "cuSurf",
        "cuTensorMap",
        "cuLaunch",
        "cuGraphAdd",
        "cuGraphExec",
        "cuGraphKernelNode",
        "cuGraphMem",
        "cuGraphNode",
        "cuGraphInstantiate",
        "cuGraphLaunch",
        "cuMemCreate",
        "cuMemMap",
        "cuMemPool",
        "cuMemSetAccess",
        "cuMemAlloc",
        "cuMemAddress",
        "cuOccupancy",
        "cuMulticast",
        "cuCtxCreate",
        "cuDev",
        "cuGreen",
        "cuMemBatch",
        "cuMemPrefetch",
        "cuMemDiscard",
        "cuStreamBatch",
        "cuStreamSetAttribute",
        "cuFuncSet",
        "cuCtxSynchronize",
        "cuStreamCreate",
    ];
    INTERFACE
        .functions
        .iter()
        .filter(|function| starts.iter().any(|start| function.name.starts_with(start)))
        .collect()
});

fuzz_target!(|data: &[u8]| {
    let mut source = Source::new(data);
    let session = Session::begin(session::config(source.word()));
    let mut caller = Caller::new(source);
    for _ in 0..24 {
        if caller.source().is_empty() {
            break;
        }
        let index = caller.source().below(FUNCTIONS.len());
        let _ = caller.call(FUNCTIONS[index]);
    }
    caller.free_host_memory();
    session.finish();
});

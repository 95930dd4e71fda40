//! Counts of lists that no program can have are refused, and no list is read.

#![allow(unsafe_code)]

use cuda_sim::Config;
use cuda_suite::raw::{context, machine};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// More bytes than a slice can have, more than a vector, and more than processes have addresses for.
const COUNTS: [usize; 5] = [usize::MAX, usize::MAX / 8 + 2, isize::MAX as usize, 1 << 60, 1 << 48];

fn graph_with_node() -> (CUgraph, CUgraphNode) {
    let (mut graph, mut node) = (null_mut(), null_mut());
    call!(cuGraphCreate(&raw mut graph, 0));
    call!(cuGraphAddEmptyNode(&raw mut node, graph, null(), 0));
    (graph, node)
}

#[test]
fn lists_of_nodes() {
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let (graph, node) = graph_with_node();
    let (mut to, mut parameters) = (null_mut(), CUgraphNodeParams::default());
    parameters.type_ = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY;
    let (nodes, data) = ([node; 2], [CUgraphEdgeData::default(); 2]);
    let access = CUmemAccessDesc::default();
    let mut allocation = CUDA_MEM_ALLOC_NODE_PARAMS { bytesize: 1, ..CUDA_MEM_ALLOC_NODE_PARAMS::default() };
    allocation.poolProps.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.accessDescs = &raw const access;
    let (nodes, data) = (nodes.as_ptr(), data.as_ptr());
    for count in COUNTS {
        assert_eq!(code!(cuGraphAddEmptyNode(&raw mut to, graph, nodes, count)), INVALID, "{count}");
        let added = code!(cuGraphAddNode_v2(&raw mut to, graph, nodes, data, count, &raw mut parameters));
        assert_eq!(added, INVALID, "{count}");
        let joined = code!(cuGraphAddDependencies_v2(graph, nodes, nodes, data, count));
        assert_eq!(joined, INVALID, "{count}");
        allocation.accessDescCount = count;
        let allocated = code!(cuGraphAddMemAllocNode(&raw mut to, graph, null(), 0, &raw mut allocation));
        assert_eq!(allocated, INVALID, "{count}");
    }
    call!(cuGraphDestroy(graph));
}

#[test]
fn lists_of_memory() {
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let mut reserved = 0;
    call!(cuMemAddressReserve(&raw mut reserved, 2 << 20, 0, 0, 0));
    let (access, mut place, mut size, mut start) = (CUmemAccessDesc::default(), reserved, 1, 0);
    let (mut attributes, mut location) = (CUmemcpyAttributes::default(), CUmemLocation::default());
    let mut operation = CUDA_MEMCPY3D_BATCH_OP::default();
    for count in COUNTS {
        let set = code!(cuMemSetAccess(reserved, 2 << 20, &raw const access, count));
        assert_eq!(set, INVALID, "{count}");
        let (place, size, start) = (&raw mut place, &raw mut size, &raw mut start);
        let (attributes, location) = (&raw mut attributes, &raw mut location);
        for (count, attribute_count) in [(count, 1), (1, count)] {
            let copied = code!(cuMemcpyBatchAsync_v2(
                place,
                place,
                size,
                count,
                attributes,
                start,
                attribute_count,
                CU_STREAM_PER_THREAD
            ));
            assert_eq!(copied, INVALID, "{count} {attribute_count}");
            let stream = CU_STREAM_PER_THREAD;
            let (count, locations) = (count, attribute_count);
            let fetched =
                code!(cuMemPrefetchBatchAsync(place, size, count, location, start, locations, 0, stream));
            assert_eq!(fetched, INVALID, "{count} {locations}");
        }
        let copied = code!(cuMemcpy3DBatchAsync_v2(count, &raw mut operation, 0, CU_STREAM_PER_THREAD));
        assert_eq!(copied, INVALID, "{count}");
        let dropped = code!(cuMemDiscardBatchAsync(place, size, count, 0, CU_STREAM_PER_THREAD));
        assert_eq!(dropped, INVALID, "{count}");
    }
}

#[test]
fn size_of_an_input_of_the_linker() {
    let (_machine, _entered) = machine(Config::default());
    context(0);
    let (mut linker, kind) = (null_mut(), CUjitInputType_enum::CU_JIT_INPUT_CUBIN);
    let mut image = *b"\x7fELF";
    call!(cuLinkCreate_v2(0, null_mut(), null_mut(), &raw mut linker));
    let image = image.as_mut_ptr().cast();
    let add = |size| code!(cuLinkAddData_v2(linker, kind, image, size, null(), 0, null_mut(), null_mut()));
    assert_eq!(add(usize::MAX), INVALID);
    call!(cuLinkDestroy(linker));
}

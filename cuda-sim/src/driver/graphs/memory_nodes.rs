//! Memory that graphs allocate. Its address is fixed when the node is added. Its bytes exist from the allocating node
//! of a launch to the node or call that frees it.

#![allow(unsafe_code)]

use crate::collections::IdMap;
use crate::config::Schedule;
use crate::driver::call_site::CallSite;
use crate::driver::graphs::executable::Step;
use crate::driver::graphs::node_entry_points::{Place, add, read};
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::memory::batch_arguments::list;
use crate::driver::memory::heap::{Allocation, Kind};
use crate::driver::operations::{OpId, StreamId};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::c_void;
use cuda_sys::{
    CUDA_MEM_ALLOC_NODE_PARAMS, CUdevice, CUdeviceptr, CUgraph, CUgraphMem_attribute,
    CUgraphMem_attribute_enum as Attribute, CUgraphNode, CUmemAccessDesc,
    CUmemAllocationHandleType_enum as HandleType, CUmemAllocationType,
    CUmemAllocationType_enum as AllocationType, CUmemLocation, CUmemLocation_st__bindgen_ty_1,
    CUmemLocationType_enum as LocationType, CUmemPoolProps, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Memory that a node allocates.
pub(crate) struct GraphMemory {
    /// Allocation, as it is while the memory is mapped.
    pub(crate) allocation: Allocation,
    /// Context of the node.
    pub(crate) context: Handle,
    /// True if the work that was queued so far leaves it allocated.
    pub(crate) is_live: bool,
    /// Kind of memory that the program requested.
    kind: CUmemAllocationType,
    /// Access that the program requested. The list keeps its address as long as the memory exists.
    access: Vec<CUmemAccessDesc>,
}

/// Memory that graphs of a device use and have reserved. All reserved memory counts as used (measured).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GraphMemoryUse {
    live: u64,
    most_used: u64,
    reserved: u64,
    most_reserved: u64,
}

impl State {
    /// Returns the memory of a graph node at an address.
    pub(crate) fn graph_memory_holding(&self, address: u64, len: u64) -> Option<&Allocation> {
        let (_, memory) = self.graph_memory.at_or_before(address)?;
        let offset = address - memory.allocation.base;
        let is_inside = offset < memory.allocation.size && len <= memory.allocation.size - offset;
        is_inside.then_some(&memory.allocation)
    }

    /// Assigns an address to memory of a graph.
    ///
    /// A node that depends on the free of memory of the same size gets the same address (measured).
    fn make_graph_memory(
        &mut self,
        (graph, after): (Handle, &[Handle]),
        device: CUdevice,
        context: Handle,
        size: u64,
        (kind, access): (CUmemAllocationType, Vec<CUmemAccessDesc>),
    ) -> Answer<u64> {
        if let Some(address) = self.freed_before(graph, after, (size, device)) {
            return Ok(address);
        }
        let base = self.heap.set_aside(device, size).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
        let allocation = Allocation {
            id: crate::driver::handles::new_id(),
            base,
            size,
            room: size,
            device,
            context: Handle::NULL,
            kind: Kind::Graph,
            is_freed: false,
            made_by: self.present.get(),
            freed_by: CallSite::default(),
            synchronous: None,
        };
        self.graph_memory.insert(base, GraphMemory { allocation, context, is_live: false, kind, access });
        Ok(base)
    }

    /// Returns the address of memory of a size on a device that is free after some nodes of a graph.
    fn freed_before(&self, graph: Handle, after: &[Handle], wanted: (u64, CUdevice)) -> Option<u64> {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        let is_right = |address: u64| {
            let memory = self.graph_memory.get(address).map(|memory| memory.allocation);
            memory.is_some_and(|memory| (memory.size, memory.device) == wanted)
        };
        // Nodes that free such memory, and the addresses that nodes allocate more often than others free them.
        let (mut frees, mut in_use) = (Vec::new(), IdMap::<u64, i64>::new());
        for node in nodes {
            let Some(operation) = self.nodes.get(*node).map(|node| &node.operation) else { continue };
            if let Some(address) = operation.allocates() {
                *in_use.get_or_default(address) += 1;
            }
            if let Some(address) = operation.frees().filter(|address| is_right(*address)) {
                *in_use.get_or_default(address) -= 1;
                frees.push((*node, address));
            }
        }
        frees.retain(|(_, address)| in_use.get(*address).is_none_or(|count| *count <= 0));
        if frees.is_empty() {
            return None;
        }
        let before = self.all_before(after);
        frees.into_iter().find(|(node, _)| before.contains(*node)).map(|(_, address)| address)
    }

    /// Maps bytes at the address of memory of a graph, unless they are mapped.
    pub(crate) fn map_graph_memory(&mut self, address: u64) -> Answer {
        let Some(memory) = self.graph_memory.get(address) else { return Ok(()) };
        let allocation = memory.allocation;
        if self.heap.map_at(&allocation).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?
            && let Some(held) = self.graph_memory_use.get_mut(allocation.device as usize)
        {
            held.live += allocation.size;
            held.reserved = held.reserved.max(held.live.next_multiple_of(RESERVED));
            held.most_used = held.most_used.max(held.reserved);
            held.most_reserved = held.most_reserved.max(held.reserved);
        }
        Ok(())
    }

    /// Unmaps the bytes of memory of a graph.
    pub(crate) fn unmap_graph_memory(&mut self, address: u64) {
        let found = self.graph_memory.get(address).map(|memory| memory.allocation);
        if let Some(allocation) = found
            && self.heap.starting_at(address).is_some()
        {
            self.heap.free(address);
            if let Some(held) = self.graph_memory_use.get_mut(allocation.device as usize) {
                held.live = held.live.saturating_sub(allocation.size);
            }
        }
    }

    /// Releases the addresses of all allocations and frees of operations, when the last launch has ended. Hardware sometimes
    /// reuses them for other graphs even before (conformance fact V973). So schedules that look for missing waits release them at
    /// once.
    pub(super) fn give_graph_memory_away<'a>(
        &mut self,
        operations: impl Iterator<Item = &'a Operation>,
        last_launch: Option<OpId>,
    ) {
        let (mut allocated, mut freed) = (Vec::new(), Vec::new());
        for operation in operations {
            allocated.extend(operation.allocates());
            freed.extend(operation.frees());
        }
        allocated.retain(|address| freed.contains(address));
        let give_away = move |state: &mut State| {
            for address in allocated {
                state.unmap_graph_memory(address);
                state.graph_memory.remove(address);
            }
        };
        let is_eager = self.config.schedule == Schedule::Eager;
        match last_launch.filter(|launch| is_eager && self.queue.has(*launch)) {
            None => give_away(self),
            Some(launch) => {
                let task = move |state: &mut State| {
                    give_away(state);
                    Ok(())
                };
                self.submit_apart_after(launch, Work::Task(Box::new(task)));
            }
        }
    }

    /// Records that the program frees memory, if it is memory of a graph.
    pub(crate) fn note_graph_memory_freed(&mut self, address: u64) {
        if let Some(memory) = self.graph_memory.get_mut(address) {
            memory.is_live = false;
        }
    }

    /// Checks that a launch of these steps finds its memory in the required state, and records the state afterwards.
    /// Returns the memory to free first.
    pub(super) fn launch_memory(&mut self, steps: &[Step], frees_first: bool) -> Answer<Vec<u64>> {
        let allocated: Vec<u64> = steps.iter().filter_map(|step| step.operation.allocates()).collect();
        let freed: Vec<u64> = steps.iter().filter_map(|step| step.operation.frees()).collect();
        let is_live = |address: &u64| self.graph_memory.get(*address).is_some_and(|memory| memory.is_live);
        let left: Vec<u64> = allocated.iter().copied().filter(is_live).collect();
        if !left.is_empty() && !frees_first {
            return Err(INVALID);
        }
        if freed.iter().any(|address| !allocated.contains(address) && !is_live(address)) {
            return Err(INVALID);
        }
        for address in &allocated {
            self.map_graph_memory(*address)?;
            if let Some(memory) = self.graph_memory.get_mut(*address) {
                memory.is_live = true;
            }
        }
        let count = |list: &[u64], address| list.iter().filter(|other| **other == address).count();
        for address in &freed {
            if count(&freed, *address) >= count(&allocated, *address) {
                self.note_graph_memory_freed(*address);
            }
        }
        Ok(left)
    }

    /// Returns whether a graph can exist only once. This holds if it, or a graph inside it, allocates memory, frees
    /// memory, or has conditions.
    pub(crate) fn is_sole(&self, graph: Handle) -> bool {
        let mut open = vec![graph];
        while let Some(graph) = open.pop() {
            let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
            for node in nodes.iter().filter_map(|node| self.nodes.get(*node)) {
                if node.operation.is_sole() {
                    return true;
                }
                open.extend(node.operation.inner_graphs());
            }
        }
        false
    }

    /// Adds a node that allocates memory to a captured stream.
    pub(crate) fn append_allocation(
        &mut self,
        (on_stream, context): (StreamId, Handle),
        size: u64,
    ) -> Answer<u64> {
        let device = self.live_context(context)?.device;
        let capture = self.captures.of_stream(on_stream);
        let graph = capture.map_or(Handle::NULL, |capture| capture.graph);
        let stream = capture.and_then(|capture| capture.streams.get(&on_stream));
        let after = stream.map(|stream| stream.dependencies.iter().map(|earlier| earlier.node).collect());
        let after: Vec<Handle> = after.unwrap_or_default();
        // A recaptured node keeps its memory.
        let again = self.captures.of_stream(on_stream).and_then(|capture| self.allocation_to_visit(capture));
        let address = match again {
            Some(allocation) if (allocation.size, allocation.device) == (size, device) => allocation.base,
            _ => self.make_graph_memory(
                (graph, &after),
                device,
                context,
                size,
                (AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED, Vec::new()),
            )?,
        };
        self.append(on_stream, Operation::Allocate(address));
        Ok(address)
    }

    /// Adds a node that frees memory to a captured stream. Such a node can free only memory that a graph allocates
    /// (measured).
    pub(crate) fn append_free(&mut self, on_stream: StreamId, address: u64) -> Answer {
        let capture = self.captures.of_stream(on_stream);
        let graph = capture.map_or(Handle::NULL, |capture| capture.graph);
        if capture.is_none_or(|capture| capture.recapture.is_none()) {
            self.check_free_node(graph, address)?;
        }
        self.append(on_stream, Operation::Free(address));
        Ok(())
    }

    /// Returns whether the nodes of a graph free memory as often as they allocate it.
    fn is_free_in(&self, graph: Handle, address: u64) -> bool {
        let nodes = self.graphs.get(graph).map(|graph| graph.nodes.as_slice()).unwrap_or_default();
        let operations = || nodes.iter().filter_map(|node| self.nodes.get(*node)).map(|node| &node.operation);
        let allocated = operations().filter(|operation| operation.allocates() == Some(address)).count();
        let freed = operations().filter(|operation| operation.frees() == Some(address)).count();
        freed >= allocated && freed > 0
    }

    /// Checks the memory that a node frees: a node allocates it, and no other node of the graph frees it.
    fn check_free_node(&self, graph: Handle, address: u64) -> Answer {
        if self.is_free_in(graph, address) || !self.graph_memory.contains(address) {
            Err(INVALID)
        } else {
            Ok(())
        }
    }
}

/// Unit of reserved memory.
const RESERVED: u64 = 32 << 20;

/// Returns the parameters of a node that allocates memory.
pub(super) fn shown(state: &State, address: u64) -> Answer<CUDA_MEM_ALLOC_NODE_PARAMS> {
    let GraphMemory { allocation, kind, access, .. } = state.graph_memory.get(address).ok_or(INVALID)?;
    // SAFETY: all members may be zero.
    let props: CUmemPoolProps = unsafe { core::mem::zeroed() };
    Ok(CUDA_MEM_ALLOC_NODE_PARAMS {
        poolProps: CUmemPoolProps {
            allocType: *kind,
            handleTypes: HandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: CUmemLocation {
                type_: LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: allocation.device },
            },
            ..props
        },
        accessDescs: access.as_ptr(),
        accessDescCount: access.len(),
        bytesize: allocation.size as usize,
        dptr: address,
    })
}

/// Checks the parameters of a node that allocates memory, and assigns its address.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn allocation(
    call: &mut Call<'_>,
    (graph, after): (Handle, &[Handle]),
    given: &CUDA_MEM_ALLOC_NODE_PARAMS,
) -> Answer<u64> {
    let props = &given.poolProps;
    let is_of_device = props.location.type_ == LocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    // Managed memory of a device behaves as other memory of the device (conformance fact V1046).
    let is_known = matches!(
        props.allocType,
        AllocationType::CU_MEM_ALLOCATION_TYPE_PINNED | AllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED
    );
    if !is_known || given.bytesize == 0 {
        return Err(INVALID);
    }
    if !is_of_device || props.handleTypes != HandleType::CU_MEM_HANDLE_TYPE_NONE {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // SAFETY: the program's promise.
    let access = unsafe { list(given.accessDescs, given.accessDescCount) }?;
    for access in &access {
        // SAFETY: all numbers are valid.
        let device = unsafe { access.location.__bindgen_anon_1.id };
        call.state.device(device)?;
    }
    // SAFETY: locations of devices hold a number.
    let device = unsafe { props.location.__bindgen_anon_1.id };
    call.state.device(device).map_err(|_| INVALID)?;
    call.state.check_pools(device)?;
    let context = call.state.current_context()?;
    call.state.make_graph_memory(
        (graph, after),
        device,
        context,
        given.bytesize as u64,
        (props.allocType, access),
    )
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_allocation(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    params: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
) -> Answer {
    // SAFETY: the program's promise.
    let mut given = unsafe { read(params.cast_const()) }?;
    let after = call.state.graph(graph).and_then(|_| {
        // SAFETY: the program's promise.
        unsafe { list(dependencies, count) }
    })?;
    let after: Vec<Handle> = after.into_iter().map(Handle::of).collect();
    let operation = |call: &mut Call<'_>| {
        // SAFETY: the program's promise.
        given.dptr = unsafe { allocation(call, (Handle::of(graph), &after), &given) }?;
        Ok(Operation::Allocate(given.dptr))
    };
    // SAFETY: the program's promise.
    unsafe { add(call, to, Place { graph, dependencies, count }, operation) }?;
    // SAFETY: the program's promise.
    unsafe { put(params, given) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_allocation(
    call: &mut Call<'_>,
    node: CUgraphNode,
    to: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
) -> Answer {
    let address = call.state.node(node)?.operation.allocates().ok_or(INVALID)?;
    let value = shown(call.state, address)?;
    // SAFETY: the program's promise.
    unsafe { put(to, value) }
}

/// Checks the memory that a node frees.
pub(super) fn free(call: &Call<'_>, graph: Handle, address: CUdeviceptr) -> Answer<Operation> {
    call.state.check_free_node(graph, address)?;
    Ok(Operation::Free(address))
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn add_free(
    call: &mut Call<'_>,
    to: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    address: CUdeviceptr,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe {
        add(call, to, Place { graph, dependencies, count }, |call| free(call, Handle::of(graph), address))
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_free(call: &mut Call<'_>, node: CUgraphNode, to: *mut CUdeviceptr) -> Answer {
    let address = call.state.node(node)?.operation.frees().ok_or(INVALID)?;
    // SAFETY: the program's promise.
    unsafe { put(to, address) }
}

/// Releases unused memory that graphs of a device have reserved.
pub(crate) fn trim(call: &mut Call<'_>, device: CUdevice) -> Answer {
    let held = usize::try_from(device).ok().and_then(|device| call.state.graph_memory_use.get_mut(device));
    let held = held.ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)?;
    held.reserved = held.live.next_multiple_of(RESERVED);
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_attribute(
    call: &mut Call<'_>,
    device: CUdevice,
    attribute: CUgraphMem_attribute,
    to: *mut c_void,
) -> Answer {
    check_out(to)?;
    let held = usize::try_from(device).ok().and_then(|device| call.state.graph_memory_use.get(device));
    let held = held.ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)?;
    let value = match attribute {
        Attribute::CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT => held.reserved,
        Attribute::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH => held.most_used,
        Attribute::CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT => held.reserved,
        Attribute::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH => held.most_reserved,
        _ => return Err(INVALID),
    };
    // SAFETY: the program's promise: all attributes are numbers of this size.
    unsafe { put(to.cast::<u64>(), value) }
}

/// Resets the high watermarks. The only valid value is 0.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_attribute(
    call: &mut Call<'_>,
    device: CUdevice,
    attribute: CUgraphMem_attribute,
    value: *mut c_void,
) -> Answer {
    // SAFETY: the program's promise: all attributes are numbers of this size.
    let value = unsafe { read(value.cast_const().cast::<u64>()) }?;
    let held = usize::try_from(device).ok().and_then(|device| call.state.graph_memory_use.get_mut(device));
    let held = held.ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)?;
    match attribute {
        Attribute::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH if value == 0 => held.most_used = held.reserved,
        Attribute::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH if value == 0 => held.most_reserved = held.reserved,
        _ => return Err(INVALID),
    }
    Ok(())
}

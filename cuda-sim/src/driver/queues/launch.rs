//! Launches of kernels.

#![allow(unsafe_code)]

use crate::config::Schedule;
use crate::console::say;
use crate::driver::checks::Launched;
use crate::driver::handles::Handle;
use crate::driver::memory::device_memory::FREED;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::malloc_heap::ContextHeap;
use crate::driver::operations::{SHORT, StreamId};
use crate::driver::queues::conditions::Conditions;
use crate::driver::queues::dependency::EdgeData;
use crate::driver::queues::descendants::Descendants;
use crate::driver::queues::kernel_arguments::{Arguments, param_space};
use crate::driver::queues::queue::Work;
use crate::driver::{Answer, Call, State};
use core::ffi::{c_uint, c_void};
use cuda_sim_engine::{
    ChildLaunches, Counter, Execution, FaultKind, FaultPlace, InjectedFault, Kernel, Launch, MallocHeap,
    Memory, Multiprocessors, Observer, Output, Program, Progress, Timing,
};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as Attribute, CUfunction, CUlaunchAttribute,
    CUlaunchAttributeID_enum as LaunchAttributeId, CUlaunchAttributeValue, CUlimit_enum, CUresult, CUstream,
};
use std::sync::Arc;

/// Shape of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: u32,
    pub(crate) stream: CUstream,
    /// True if all blocks must be resident at once.
    pub(crate) cooperative: bool,
    pub(crate) cluster: ClusterWish,
}

/// Clusters that a launch requests.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ClusterWish {
    /// Blocks along x, y and z, if the launch gives a size.
    pub(crate) size: Option<[u32; 3]>,
    /// True if clusters may be larger than the size that all devices with clusters support. `None` if the function
    /// decides.
    pub(crate) allows_large: Option<bool>,
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn launch_kernel(
    call: &mut Call<'_>,
    function: CUfunction,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared_bytes: c_uint,
    stream: CUstream,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Answer {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let shape =
        Shape { grid, block, shared_bytes, stream, cooperative: false, cluster: ClusterWish::default() };
    // SAFETY: the program's promise.
    unsafe { launch(call, function, shape, Arguments::Lists { params, extra }) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn launch_cooperative(
    call: &mut Call<'_>,
    function: CUfunction,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared_bytes: c_uint,
    stream: CUstream,
    params: *mut *mut c_void,
) -> Answer {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let shape =
        Shape { grid, block, shared_bytes, stream, cooperative: true, cluster: ClusterWish::default() };
    let extra = core::ptr::null_mut();
    // SAFETY: the program's promise.
    unsafe { launch(call, function, shape, Arguments::Lists { params, extra }) }
}

/// Checked launch of a kernel, which can be executed several times.
#[derive(Clone)]
pub(crate) struct KernelWork {
    pub(crate) function: Handle,
    pub(crate) context: Handle,
    pub(crate) module: Handle,
    program: Arc<Program>,
    index: usize,
    pub(crate) shape: KernelShape,
    /// Blocks in a cluster, and the size that the function requires.
    cluster: Option<[u32; 3]>,
    required_cluster: Option<[u32; 3]>,
    pub(crate) params: Vec<u8>,
    at_once: u64,
    /// Green context of the launch, and its multiprocessors, which stay after its destruction (measured).
    pub(crate) green: Option<Handle>,
    part: Option<Arc<[u32]>>,
    /// Size of the arguments, if they were passed in one buffer.
    pub(crate) packed_bytes: Option<usize>,
    /// Attributes that the program has set.
    attributes: Vec<(LaunchAttributeId, LaunchValue)>,
}

/// Value of an attribute of a launch.
#[derive(Clone, Copy)]
pub(crate) struct LaunchValue(pub(crate) CUlaunchAttributeValue);

// SAFETY: the program passes the pointers for use by the driver on any thread.
unsafe impl Send for LaunchValue {}

/// Shape of a launch, without the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KernelShape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: u32,
    pub(crate) cooperative: bool,
}

impl KernelWork {
    /// Returns the kernel.
    pub(crate) fn kernel(&self) -> Option<&Kernel> {
        self.program.kernels().get(self.index)
    }

    /// Returns whether the module and its context still exist.
    pub(crate) fn is_there(&self, state: &State) -> bool {
        let found = state.modules.get(self.module);
        found.is_some_and(|module| Arc::ptr_eq(&module.program, &self.program))
            && state.contexts.get(self.context).is_some()
    }

    /// Returns the value of an attribute; zero if it was not set.
    pub(crate) fn attribute(&self, id: LaunchAttributeId) -> LaunchValue {
        let known = self.attributes.iter().find(|(known, _)| *known == id);
        // SAFETY: the members are numbers and pointers, which may be zero.
        known.map_or_else(|| LaunchValue(unsafe { core::mem::zeroed() }), |(_, value)| *value)
    }

    /// Returns the number of blocks along each axis.
    pub(crate) fn blocks(&self) -> [u32; 3] {
        let kernel = self.program.kernels().get(self.index);
        kernel.map_or(self.shape.grid, |kernel| kernel.blocks_of(self.shape.grid))
    }

    /// Returns whether the function allows clusters of a size. Extents of zero mean a launch without clusters.
    pub(crate) fn can_have_cluster(&self, size: [u32; 3]) -> bool {
        size == [0; 3] || self.required_cluster.is_none_or(|required| required == size)
    }

    /// Sets an attribute that has been checked.
    pub(crate) fn set_attribute(&mut self, id: LaunchAttributeId, value: LaunchValue) {
        if id == LaunchAttributeId::CU_LAUNCH_ATTRIBUTE_COOPERATIVE {
            // SAFETY: the attribute determines the member of the value.
            self.shape.cooperative = unsafe { value.0.cooperative } != 0;
        }
        if id == LaunchAttributeId::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION {
            // SAFETY: as above.
            let size = unsafe { value.0.clusterDim };
            // Three zero extents are no size (measured).
            let given = Some([size.x, size.y, size.z]).filter(|size| *size != [0; 3]);
            self.cluster = given.or(self.required_cluster);
        }
        self.attributes.retain(|(known, _)| *known != id);
        self.attributes.push((id, value));
    }

    /// Copies the attributes of another launch.
    pub(crate) fn keep_attributes(&mut self, other: &KernelWork) {
        self.attributes.clone_from(&other.attributes);
        self.shape.cooperative = other.shape.cooperative;
        let is_cluster = |(id, _): &&(LaunchAttributeId, LaunchValue)| {
            *id == LaunchAttributeId::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        };
        if let Some((id, value)) = self.attributes.iter().find(is_cluster).copied() {
            self.set_attribute(id, value);
        }
    }

    /// Sets the green context of the launch.
    pub(crate) fn run_in_green_context(&mut self, green: Handle, part: Option<Arc<[u32]>>) {
        (self.green, self.part) = (Some(green), part);
    }

    /// Returns whether the kernel uses texture or surface references.
    pub(crate) fn uses_references(&self) -> bool {
        self.program.uses_references(self.index)
    }
}

/// # Safety
///
/// The arguments meet the requirements of `cuLaunchKernel`.
pub(crate) unsafe fn launch(
    call: &mut Call<'_>,
    function: CUfunction,
    shape: Shape,
    arguments: Arguments<'_>,
) -> Answer {
    // SAFETY: the program's promise.
    unsafe { launch_with(call, function, shape, arguments, &[]) }
}

/// Launches with attributes, which a node of a graph reports.
///
/// # Safety
///
/// Same as [`launch`].
pub(crate) unsafe fn launch_with(
    call: &mut Call<'_>,
    function: CUfunction,
    Shape { grid, block, shared_bytes, stream, cooperative, cluster }: Shape,
    arguments: Arguments<'_>,
    attributes: &[CUlaunchAttribute],
) -> Answer {
    let shape = KernelShape { grid, block, shared_bytes, cooperative };
    // SAFETY: the program's promise.
    let work = unsafe { plan_launch(call, function, Some(stream), (shape, cluster), arguments) };
    let ends_capture = [CUresult::CUDA_ERROR_INVALID_VALUE, CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE];
    if work.as_ref().is_err_and(|code| ends_capture.contains(code))
        && let Ok((on_stream, _)) = call.state.stream(stream)
    {
        // Such a launch invalidates a capture (measured).
        call.state.invalidate_capture_of(on_stream);
    }
    let mut work = work?;
    let on = call.state.stream(stream)?;
    if call.state.is_captured(on)? {
        if work.uses_references() {
            // References are resolved at each launch (measured).
            return call.state.check_uncaptured(on);
        }
        let priority = CUlaunchAttributeValue { priority: call.state.priority_of(stream) };
        work.set_attribute(LaunchAttributeId::CU_LAUNCH_ATTRIBUTE_PRIORITY, LaunchValue(priority));
        for attribute in attributes {
            work.set_attribute(attribute.id, LaunchValue(attribute.value));
            let serialization = LaunchAttributeId::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
            if attribute.id != serialization {
                continue;
            }
            // SAFETY: the attribute determines the member of the value.
            if unsafe { attribute.value.programmaticStreamSerializationAllowed } != 0 {
                call.state.set_capture_edges(on.0, EdgeData { from_port: 1, to_port: 0, kind: 1 });
            }
        }
        call.state.append(on.0, work);
        return Ok(());
    }
    let running = call.state.begin_kernel(work, on.0)?;
    call.state.submit_work(on, KERNEL, Work::Kernel(Box::new(running)));
    Ok(())
}

/// Checks a launch.
///
/// # Safety
///
/// Same as [`launch`].
pub(crate) unsafe fn plan_launch(
    call: &mut Call<'_>,
    named: CUfunction,
    stream: Option<CUstream>,
    (shape, cluster): (KernelShape, ClusterWish),
    arguments: Arguments<'_>,
) -> Answer<KernelWork> {
    let KernelShape { grid, block, shared_bytes, cooperative } = shape;
    let function = call.launchable(named)?;
    let (found, module, kernel) = call.function(function)?;
    // The function determines the context. A stream of another context is refused (measured).
    if let Some(stream) = stream
        && call.state.stream_context(stream)? != found.context
    {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let device = call.state.live_context(found.context)?.device;
    let grid = check_grid(call, device, kernel, grid)?;
    check_block(call, function, block)?;
    let threads = product(block);
    // This is refused too, except for launches that need all blocks at once (measured).
    if shared_bytes > found.max_dynamic_shared && !cooperative {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // This has another code (measured).
    if threads > call.threads_with_registers(found, kernel) {
        return Err(CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    }
    let green = match stream {
        Some(stream) => call.state.green_of(call.state.stream(stream)?.0),
        None => call.state.current_green(),
    };
    let part = call.state.part_of(green);
    let all = call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    let processors = part.as_ref().map_or(all, |part| part.len() as u64);
    if cooperative {
        let at_once = call.blocks_at_once(function, threads, shared_bytes.into())?;
        if product(grid) > at_once.saturating_mul(processors) {
            return Err(CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
        }
    }
    let required_cluster = found.required_cluster(kernel);
    let cluster = found.cluster_of(kernel, cluster.size, cluster.allows_large)?;
    if let Some(cluster) = cluster {
        let is_even = grid.into_iter().zip(cluster).all(|(blocks, size)| blocks.is_multiple_of(size));
        if !is_even {
            return Err(CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE);
        }
        let blocks = product(cluster);
        if blocks > 1 && call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 0 {
            say("launches with clusters are not simulated for devices without them");
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        if cooperative {
            let at_once = call.blocks_at_once(function, threads, shared_bytes.into())?;
            match call.clusters_at_once(device, at_once, processors, blocks) {
                Some(clusters) if product(grid) > clusters.saturating_mul(blocks) => {
                    return Err(CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
                }
                None if product(grid) > call.certain_blocks_in_clusters(at_once, processors) => {
                    say(
                        "the number of clusters of more than two blocks that these multiprocessors run at a time is not known",
                    );
                    return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
                }
                _ => {}
            }
        }
    }
    // SAFETY: the program's promise.
    let (params, packed_bytes) = unsafe { param_space(kernel, arguments) }?;
    if let Some(reason) = kernel.unsupported() {
        say(&format!("kernel `{}` cannot be run: {reason}", kernel.name));
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let at_once = call.blocks_running_at_once(function, processors, grid, threads, shared_bytes)?;
    let (program, index) = (Arc::clone(&module.program), found.kernel);
    let (context, module) = (found.context, found.module);
    let work = KernelWork {
        function: Handle::of(function),
        context,
        module,
        program,
        index,
        shape,
        cluster,
        required_cluster,
        params,
        at_once,
        green,
        part,
        packed_bytes,
        attributes: Vec::new(),
    };
    call.state.check_arguments(&work.program, index, packed_bytes);
    Ok(work)
}

/// Virtual time of launching a kernel, in nanoseconds.
pub(crate) const KERNEL: u64 = 2 * SHORT;

/// Kernel that was launched and is not done.
pub(crate) struct Running {
    /// Grid that runs: the one of the kernel, or the one of a kernel that it launched.
    grid: RunningGrid,
    device: CUdevice,
    stream: StreamId,
    /// Memory that its blocks share, for cooperative launches.
    workspace: u64,
    /// Output of the kernel: its text, and the values of conditions.
    output: Arc<Output>,
    /// Executable that launches it, and the values that it has set for conditions.
    conditions_of: Option<Conditions>,
    conditions: Vec<(u64, u32)>,
    /// Name of the kernel, if the order of work is recorded.
    pub(super) name: Option<String>,
    /// Kernels that it launches, if it can launch kernels.
    descendants: Option<Descendants>,
}

/// Grid that is not done.
struct RunningGrid {
    execution: Execution,
    /// Name of the kernel and its counter, if instructions are counted.
    counted: Option<(String, Arc<Counter>)>,
    /// Check of the kernel, if kernels are checked.
    check: Option<Launched>,
}

fn kernel_name(program: &Program, index: usize) -> String {
    program.kernels().get(index).map_or_else(String::new, |kernel| kernel.name.clone())
}

impl Running {
    /// Returns the kernel as a part of a launch of an executable.
    pub(crate) fn in_graph(self, conditions: Conditions) -> Running {
        Running { conditions_of: Some(conditions), ..self }
    }
}

impl State {
    /// Begins a kernel, which runs when its turn comes. Fails if an object that it needs was destroyed, or if the
    /// engine cannot run it.
    pub(crate) fn begin_kernel(&mut self, work: KernelWork, stream: StreamId) -> Answer<Running> {
        let KernelWork { context, module, program, index, shape, cluster, params, at_once, part, .. } = work;
        let KernelShape { grid, block, shared_bytes, cooperative } = shape;
        let grid = program.kernels().get(index).map_or(grid, |kernel| kernel.blocks_of(grid));
        let live = self.live_context(context)?;
        let (device, output) = (live.device, Arc::clone(&live.output));
        let found = self.modules.get(module).filter(|module| Arc::ptr_eq(&module.program, &program));
        let globals = found.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.globals.clone();
        let textures = Arc::new(self.textures(context, module, &program));
        let (uses_heap, launches) =
            program.kernels().get(index).map_or((false, false), |kernel| (kernel.uses_heap, kernel.launches));
        let malloc_heap = if uses_heap { Some(self.malloc_heap(device, context)?) } else { None };
        let workspace = if cooperative { self.new_workspace(device, context)? } else { 0 };
        let children = launches.then(|| Arc::new(ChildLaunches::new(Arc::clone(&program))));
        let launch = Launch {
            grid,
            block,
            dynamic_shared: shared_bytes,
            cluster,
            workspace,
            params,
            globals,
            textures,
            output: Arc::clone(&output),
            malloc_heap: None,
            children: children.clone(),
            limit: self.config.kernel_limit.unwrap_or(u64::MAX),
            at_once,
            multiprocessors: Multiprocessors {
                count: self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) as u32,
                part,
            },
            timing: Timing {
                start: 0,
                kilohertz: self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
            },
            workers: 1,
            vectors: self.config.vector_instructions,
            order: None,
            injected: None,
            counter: None,
            observer: None,
        };
        let recorded_name = self.work_order.is_some().then(|| kernel_name(&program, index));
        let descendants = children.map(|children| {
            Descendants::new(children, Arc::clone(&program), launch.clone(), malloc_heap.clone())
        });
        match self.begin_grid(device, &program, index, launch, malloc_heap) {
            Ok(mut running_grid) => {
                running_grid.execution.reuse(core::mem::take(&mut self.spare_blocks));
                Ok(Running {
                    grid: running_grid,
                    device,
                    stream,
                    workspace,
                    output,
                    conditions_of: None,
                    conditions: Vec::new(),
                    name: recorded_name,
                    descendants,
                })
            }
            Err(code) => {
                self.heap.free(workspace);
                Err(code)
            }
        }
    }

    /// Begins the grid of a kernel. `launch` lacks what depends on the state and the settings of the simulator. From here
    /// on, only the engine can refuse it.
    fn begin_grid(
        &mut self,
        device: CUdevice,
        program: &Arc<Program>,
        index: usize,
        launch: Launch,
        malloc_heap: Option<Arc<ContextHeap>>,
    ) -> Answer<RunningGrid> {
        let injected = self.fault_of_launch(program, index);
        let static_end = program.kernels().get(index).map_or(0, Kernel::shared_end);
        let shared_end = u64::from(static_end) + u64::from(launch.dynamic_shared);
        let block = launch.block;
        let check = self.new_check(block, shared_end, self.host_offset(device), malloc_heap.clone());
        let (workers, order) =
            self.engine_settings(injected.is_some() || check.is_some() || malloc_heap.is_some());
        let counter = self.counting.counter();
        let counted = counter.clone().map(|counter| (kernel_name(program, index), counter));
        let observer = check.clone().map(|check| -> Arc<dyn Observer> { check });
        let check = check.map(|check| Launched {
            check,
            program: Arc::clone(program),
            kernel: kernel_name(program, index),
            block,
            device,
        });
        let malloc_heap = malloc_heap.map(|heap| -> Arc<dyn MallocHeap> { heap });
        let launch = Launch { malloc_heap, workers, order, injected, counter, observer, ..launch };
        match Execution::new(Arc::clone(program), index, launch) {
            Ok(execution) => Ok(RunningGrid { execution, counted, check }),
            Err(fault) => {
                say(&fault.to_string());
                Err(code_of(fault.kind))
            }
        }
    }

    /// Begins the next kernel that a kernel, or one of its descendants, has launched. Returns false if there is none.
    fn begin_descendant(&mut self, running: &mut Running) -> Answer<bool> {
        let Some(descendants) = &mut running.descendants else { return Ok(false) };
        descendants.finish(running.grid.execution.nanoseconds());
        let Some((index, launch)) = descendants.next() else { return Ok(false) };
        let (program, heap) = (Arc::clone(&descendants.program), descendants.malloc_heap.clone());
        running.grid = self.begin_grid(running.device, &program, index, launch, heap)?;
        Ok(true)
    }

    /// Discards a kernel that was begun and not submitted.
    pub(crate) fn abandon_kernel(&mut self, running: Running) {
        self.heap.free(running.workspace);
    }

    /// Returns the heap of `malloc` in kernels. The first launch of a kernel that uses it creates it (conformance fact
    /// V1036).
    fn malloc_heap(&mut self, device: CUdevice, context: Handle) -> Answer<Arc<ContextHeap>> {
        let limits = &self.live_context(context)?.limits;
        let size = limits.get(&CUlimit_enum::CU_LIMIT_MALLOC_HEAP_SIZE.0).copied().unwrap_or(0);
        self.heap.make_malloc_heap(device, context, size).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }

    /// Allocates the memory that the blocks of a cooperative launch share. Libraries read its address from special
    /// registers, and a counter from its second word. The contents of the other words are as measured.
    fn new_workspace(&mut self, device: CUdevice, context: Handle) -> Answer<u64> {
        const CONTENT: [u32; 4] = [16, 0, 1, 0];
        let memory = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        let address = self.heap.allocate(device, context, Kind::Array, 16).ok_or(memory)?;
        let bytes = self.heap.array_bytes(address, 16).ok_or(memory)?;
        let content = CONTENT.map(u32::to_le_bytes);
        // SAFETY: 16 bytes that no other code uses yet.
        unsafe { bytes.copy_from_nonoverlapping(content.as_flattened().as_ptr(), 16) };
        Ok(address)
    }

    /// Returns the injected fault of a launch, if its kernel can have it.
    fn fault_of_launch(&mut self, program: &Program, kernel: usize) -> Option<InjectedFault> {
        let kernel = program.kernels().get(kernel)?;
        let injected = self.faults.meet_launch(&kernel.name)?;
        if let FaultPlace::Line(line) = injected.place
            && !program.has_steps_at(kernel, line)
        {
            say(&format!("no fault in kernel `{}`: it has no instruction in PTX line {line}", kernel.name));
            return None;
        }
        Some(injected)
    }

    /// Returns the settings of the engine for a kernel: the number of threads (one if `alone`), and the order.
    fn engine_settings(&mut self, alone: bool) -> (usize, Option<u64>) {
        match self.config.schedule {
            Schedule::Random(_) => (1, Some(self.chance())),
            Schedule::Replay(_) => (1, None),
            _ if alone => (1, None),
            _ => (self.threads, None),
        }
    }

    /// Runs a kernel for a while. If it ends, returns its virtual time in nanoseconds.
    pub(crate) fn continue_kernel(&mut self, running: &mut Running, quantum: u64) -> Answer<Option<u64>> {
        let segments = self.segments(running.device, running.stream);
        if let Some(launched) = &running.grid.check {
            self.renew_check(&launched.check, running.device, running.workspace, &segments);
            self.note_kernel(launched);
        }
        // SAFETY: all state is behind the lock that this call holds: nothing is freed, and no other copy or kernel
        // runs. Runs of pages and mappings do not overlap, and begin at multiples of 16 on both sides. Page-locked,
        // managed and other memory of the host has the same address on both, or addresses that differ by a large power
        // of two. Memory that is mapped twice has two addresses on the host, too. The program that launches the kernel
        // guarantees that its threads do not race.
        let memory = unsafe { Memory::new(segments) };
        // The start time of the operation in progress, which includes the launch.
        running.grid.execution.begin_at(self.now);
        let progress = running.grid.execution.run(&memory, quantum);
        // No other kernel has run in between.
        running.conditions.extend(running.output.take_conditions());
        if !matches!(progress, Ok(Progress::Suspended))
            && let Some(launched) = running.grid.check.take()
        {
            self.report_findings(&launched);
        }
        if memory.has_refused() {
            self.report_refused_write();
            return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        if !matches!(progress, Ok(Progress::Suspended))
            && let Some((kernel, counter)) = running.grid.counted.take()
        {
            self.counting.end(&kernel, running.device, &counter);
        }
        match progress {
            Ok(Progress::Finished) => {
                self.spare_blocks = running.grid.execution.take_spare_blocks();
                if self.begin_descendant(running)? {
                    return Ok(None);
                }
                self.set_conditions(running.conditions_of, &running.conditions)?;
                self.heap.free(running.workspace);
                let nanoseconds = match &running.descendants {
                    Some(descendants) => descendants.nanoseconds(),
                    None => running.grid.execution.nanoseconds(),
                };
                Ok(Some(KERNEL.saturating_add(nanoseconds)))
            }
            Ok(Progress::Suspended) => Ok(None),
            Err(mut fault) => {
                if fault.address.is_some_and(|address| self.heap.is_freed_of_pool(address, 1)) {
                    fault.detail = FREED.to_owned();
                }
                self.report_fault(&fault, running.device);
                Err(code_of(fault.kind))
            }
        }
    }
}

impl Call<'_> {
    /// Returns the number of blocks of a grid that the multiprocessors run at once, at least one. For a small grid,
    /// this is all blocks.
    fn blocks_running_at_once(
        &self,
        function: CUfunction,
        processors: u64,
        grid: [u32; 3],
        threads: u64,
        shared_bytes: u32,
    ) -> Answer<u64> {
        // The number of blocks of the largest grid does not fit in 64 bits.
        let blocks = product(grid);
        if blocks <= processors {
            return Ok(blocks.max(1));
        }
        let at_once = self.blocks_at_once(function, threads, shared_bytes.into())?;
        Ok(at_once.max(1).saturating_mul(processors))
    }
}

/// Multiplies the extents of a grid or a block.
fn product(extents: [u32; 3]) -> u64 {
    extents.into_iter().map(u64::from).fold(1, u64::saturating_mul)
}

/// Checks the device's limits, and returns the number of blocks along each axis. Each violation returns `INVALID_VALUE`
/// (measured).
pub(crate) fn check_grid(
    call: &Call<'_>,
    device: CUdevice,
    kernel: &Kernel,
    grid: [u32; 3],
) -> Answer<[u32; 3]> {
    let limits = [
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
    ];
    let blocks = kernel.blocks_of(grid);
    // The driver multiplies twice before it compares (fact V1187).
    check_extents(call, device, kernel.blocks_of(blocks), limits)?;
    Ok(blocks)
}

/// Checks the limits of the device and of the kernel's text. Each violation returns `INVALID_VALUE` (measured).
pub(crate) fn check_block(call: &Call<'_>, function: CUfunction, block: [u32; 3]) -> Answer {
    let (found, _, kernel) = call.function(function)?;
    let device = call.state.live_context(found.context)?.device;
    let limits = [
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
    ];
    check_extents(call, device, block, limits)?;
    let threads = product(block);
    let misses_required = kernel.required_threads.is_some_and(|required| required != block);
    if threads > call.declared_threads(found, kernel) || misses_required {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

fn check_extents(call: &Call<'_>, device: CUdevice, extents: [u32; 3], limits: [Attribute; 3]) -> Answer {
    for (extent, limit) in extents.into_iter().zip(limits) {
        if extent == 0 || u64::from(extent) > call.state.limit_of(device, limit) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    }
    Ok(())
}

fn code_of(fault: FaultKind) -> CUresult {
    match fault {
        FaultKind::IllegalAddress | FaultKind::StackOverflow => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        FaultKind::MisalignedAddress => CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
        FaultKind::OutOfWindow
        | FaultKind::NoCluster
        | FaultKind::BarrierObjectOutsideShared
        | FaultKind::TensorCopy => CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
        FaultKind::InvalidAddressSpace => CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE,
        FaultKind::InvalidProgramCounter => CUresult::CUDA_ERROR_INVALID_PC,
        FaultKind::Trap | FaultKind::DoubleFree | FaultKind::OutOfCluster => {
            CUresult::CUDA_ERROR_LAUNCH_FAILED
        }
        FaultKind::Assert => CUresult::CUDA_ERROR_ASSERT,
        // Hardware hangs here, until a watchdog ends the kernel.
        FaultKind::Deadlock | FaultKind::Timeout => CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
        FaultKind::Unsupported => CUresult::CUDA_ERROR_NOT_SUPPORTED,
        FaultKind::Injected(number) => CUresult(number),
    }
}

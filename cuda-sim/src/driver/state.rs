//! The state of the driver of one machine.

use crate::collections::{IdMap, IdSet, SmallMap};
use crate::config::{Config, FreedPoolMemory, HandleReuse};
use crate::counts::Counting;
use crate::driver::call_site::PresentCall;
use crate::driver::contexts::{context, coredump, dev_resource, device, green_context, notification};
use crate::driver::graphics;
use crate::driver::graphs::{capture, executable, graph, memory_nodes, user_objects};
use crate::driver::handles;
use crate::driver::images::image_tables;
use crate::driver::memory::pages::GRANULE;
use crate::driver::memory::{
    external_memory, heap, logical_endpoint, memory_pool, pool_reuse, team, virtual_memory,
};
use crate::driver::modules::{function, library, linker, module};
use crate::driver::operations::StreamId;
use crate::driver::processes::error_log;
use crate::driver::queues::{
    event, host_function, order, queue, random_schedule, semaphore, stream, stream_attributes,
};
use crate::driver::stream_order::{Known, StreamOrder};
use crate::faults::Faults;
use crate::reports::Reports;
use cuda_sim_engine::SpareBlocks;
use cuda_sys::{CUdevice, CUdeviceptr, CUprocessState, CUresult};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// State of the driver of a machine.
pub(crate) struct State {
    pub(crate) config: Config,
    /// Number of the machine, which changes with each reset.
    pub(crate) identity: u64,
    pub(crate) initialized: bool,
    /// Memory of the blocks of the last small launch, for reuse.
    pub(crate) spare_blocks: SpareBlocks,
    /// Sticky failure. Every later call reports it.
    pub(crate) sticky: Option<CUresult>,
    /// True if a call has returned it.
    pub(crate) is_failure_seen: bool,
    pub(crate) devices: Vec<device::Device>,
    pub(crate) contexts: handles::Handles<context::Context>,
    pub(crate) green_contexts: handles::Handles<green_context::GreenContext>,
    /// Kept until the end of the process.
    pub(crate) resource_descriptions: handles::Handles<dev_resource::Description>,
    /// Devices of destroyed contexts.
    pub(crate) ended_contexts: IdMap<handles::Handle, CUdevice>,
    pub(crate) streams: handles::Handles<stream::Stream>,
    /// Attributes of default streams that programs have set.
    pub(crate) default_stream_attributes: SmallMap<StreamId, stream_attributes::Attributes>,
    /// Streams of destroyed contexts.
    pub(crate) ended_streams: IdSet<handles::Handle>,
    pub(crate) events: handles::Handles<event::Event>,
    /// Events of destroyed contexts.
    pub(crate) ended_events: IdSet<handles::Handle>,
    pub(crate) captures: capture::Captures,
    pub(crate) graphs: handles::Handles<graph::Graph>,
    pub(crate) nodes: handles::Handles<graph::Node>,
    pub(crate) executables: handles::Handles<executable::Executable>,
    pub(crate) user_objects: handles::Handles<user_objects::UserObject>,
    /// Destructors of user objects that run before the call in progress returns.
    pub(crate) destructors: Vec<host_function::HostWork>,
    /// Memory that nodes allocate, by address, and its size for each device.
    pub(crate) graph_memory: IdMap<CUdeviceptr, memory_nodes::GraphMemory>,
    pub(crate) graph_memory_use: Vec<memory_nodes::GraphMemoryUse>,
    /// Values of conditions, by executable and handle.
    pub(crate) conditions: IdMap<u64, u32>,
    /// True if the call in progress may name memory of graphs that is not mapped yet.
    pub(crate) plans_nodes: bool,
    pub(crate) modules: handles::Handles<module::Module>,
    pub(crate) functions: handles::Handles<function::Function>,
    pub(crate) pools: handles::Handles<memory_pool::Pool>,
    pub(crate) located_pools: memory_pool::LocatedPools,
    pub(crate) memories: handles::Handles<virtual_memory::Memory>,
    pub(crate) multicasts: handles::Handles<team::Team>,
    pub(crate) endpoints: logical_endpoint::Endpoints,
    pub(crate) external_memories: handles::Handles<external_memory::ExternalMemory>,
    pub(crate) semaphores: semaphore::Semaphores,
    pub(crate) libraries: handles::Handles<library::Library>,
    pub(crate) kernels: handles::Handles<library::LibraryKernel>,
    pub(crate) notifications: handles::Handles<notification::Notification>,
    /// State of checkpoints. Unless it is the running state, calls wait.
    pub(crate) process_state: CUprocessState,
    /// True after a checkpoint that failed because of managed memory.
    pub(crate) is_beyond_checkpoints: bool,
    pub(crate) error_log: error_log::ErrorLog,
    pub(crate) log_functions: handles::Numbers,
    pub(crate) coredumps: coredump::Settings,
    pub(crate) coredump_functions: handles::Handles<coredump::Moment>,
    pub(crate) linkers: handles::Handles<linker::Linker>,
    pub(crate) images: image_tables::Images,
    pub(crate) graphics: graphics::Graphics,
    pub(crate) heap: heap::Heap,
    /// Memory whose free is queued.
    pub(crate) freed: IdMap<CUdeviceptr, pool_reuse::Freed>,
    pub(crate) queue: queue::Queue,
    #[cfg(feature = "nvrtc")]
    pub(crate) nvrtc: crate::nvrtc_state::Programs,
    /// Functions of the program that are ready to run.
    pub(crate) host_calls: host_function::PendingHostCalls,
    /// True if a background thread does queued work.
    pub(crate) has_worker: bool,
    /// Records of shared events that are not done yet, and whether a thread checks for waits of other processes.
    pub(crate) recordings: Vec<event::Recording>,
    pub(crate) has_listener: bool,
    /// Output of kernels, which is written at the end of the call in progress.
    pub(crate) printed: Vec<u8>,
    pub(crate) faults: Faults,
    pub(crate) counting: Counting,
    pub(crate) reports: Reports,
    /// Order of operations, if races between streams are checked.
    pub(crate) order: Option<StreamOrder>,
    pub(crate) present: PresentCall,
    /// Virtual time in nanoseconds: of the program, and of the current or last operation.
    pub(crate) clock: u64,
    pub(crate) now: u64,
    /// Random state of the schedule.
    pub(crate) chances: random_schedule::RandomOrder,
    /// Order of queued work, if it is recorded or given.
    pub(crate) work_order: Option<Box<order::Order>>,
    /// Number of calls.
    pub(crate) calls: u64,
    /// Number of threads that a kernel may use. Queried once, because the query takes longer than a small kernel.
    pub(crate) threads: usize,
    /// Number of records of events.
    pub(crate) records: u64,
}

impl State {
    pub(crate) fn new(config: Config, machine: u64) -> State {
        static IDENTITY: AtomicU64 = AtomicU64::new(1);
        let devices = config.visible_devices();
        let recycle = config.handles == HandleReuse::AtOnce;
        let guards_freed = match config.freed_pool_memory {
            FreedPoolMemory::ByHandles => !recycle,
            FreedPoolMemory::Faults => true,
            FreedPoolMemory::Mapped => false,
        };
        let present = PresentCall::new(config.backtraces);
        let numbers = || handles::Numbers::new(recycle, present.clone());
        let graph_memory_use = vec![memory_nodes::GraphMemoryUse::default(); devices.len()];
        let limit_of = |place: &u32| config.memory_bytes.min(config.profile(*place).total_memory);
        let limits: Vec<u64> = devices.iter().map(limit_of).collect();
        let mut state = State {
            heap: heap::Heap::new(&limits, config.memory_bytes, machine, (recycle, guards_freed)),
            devices: devices.into_iter().map(device::Device::new).collect(),
            identity: IDENTITY.fetch_add(1, Ordering::Relaxed),
            initialized: false,
            spare_blocks: SpareBlocks::default(),
            sticky: None,
            is_failure_seen: false,
            contexts: handles::Handles::new(numbers()),
            green_contexts: handles::Handles::new(numbers()),
            resource_descriptions: handles::Handles::new(numbers()),
            ended_contexts: IdMap::new(),
            streams: handles::Handles::new(numbers()),
            default_stream_attributes: SmallMap::default(),
            ended_streams: IdSet::new(),
            ended_events: IdSet::new(),
            events: handles::Handles::new(numbers()),
            captures: capture::Captures::default(),
            graphs: handles::Handles::new(numbers()),
            nodes: handles::Handles::new(numbers()),
            executables: handles::Handles::new(numbers()),
            user_objects: handles::Handles::new(numbers()),
            destructors: Vec::new(),
            graph_memory: IdMap::new(),
            graph_memory_use,
            conditions: IdMap::new(),
            plans_nodes: false,
            modules: handles::Handles::new(numbers()),
            functions: handles::Handles::new(numbers()),
            pools: handles::Handles::new(numbers()),
            located_pools: memory_pool::LocatedPools::default(),
            memories: handles::Handles::new(numbers()),
            multicasts: handles::Handles::new(numbers()),
            endpoints: logical_endpoint::Endpoints::default(),
            external_memories: handles::Handles::new(numbers()),
            semaphores: semaphore::Semaphores::new(numbers()),
            libraries: handles::Handles::new(numbers()),
            kernels: handles::Handles::new(numbers()),
            notifications: handles::Handles::new(numbers()),
            process_state: CUprocessState::CU_PROCESS_STATE_RUNNING,
            is_beyond_checkpoints: false,
            error_log: error_log::ErrorLog::default(),
            // Numbers are not reused, because functions are called in the order of their numbers.
            log_functions: handles::Numbers::new(false, present.clone()),
            coredumps: coredump::Settings::default(),
            coredump_functions: handles::Handles::new(numbers()),
            linkers: handles::Handles::new(numbers()),
            images: image_tables::Images::new(numbers),
            graphics: graphics::Graphics::new(numbers()),
            freed: IdMap::new(),
            queue: queue::Queue::default(),
            #[cfg(feature = "nvrtc")]
            nvrtc: crate::nvrtc_state::Programs::default(),
            host_calls: host_function::PendingHostCalls::default(),
            has_worker: false,
            recordings: Vec::new(),
            has_listener: false,
            printed: Vec::new(),
            faults: Faults::new(config.faults.clone(), config.kernel_faults.clone()),
            counting: Counting::default(),
            reports: Reports::default(),
            order: config.streamcheck.then(StreamOrder::default),
            present: present.clone(),
            clock: 0,
            now: 0,
            chances: random_schedule::RandomOrder::new(config.schedule),
            work_order: order::Order::of_machine(&config).map(Box::new),
            calls: 0,
            threads: config.kernel_threads(),
            records: 0,
            config,
        };
        state.heap.present = present;
        state.heap.order = state.order.clone();
        state.heap.gap = if state.config.memcheck { GRANULE } else { 0 };
        state.heap.written = state.config.initcheck.then(Arc::default);
        state.make_default_pools();
        state
    }

    /// Returns the failure of queued work that no call has returned yet.
    pub(crate) fn unseen_failure(&self) -> Option<CUresult> {
        self.sticky.filter(|_| !self.is_failure_seen)
    }

    /// Records the work that the program knows to be done, if the order of operations is recorded.
    pub(crate) fn learn(&self, known: &Known) {
        if let Some(order) = &self.order {
            order.learn(known);
        }
    }

    /// Advances the program's virtual time to `time`.
    pub(crate) fn pass(&mut self, time: u64) {
        self.clock = self.clock.max(time);
    }
}

//! The configuration of the simulated machine.

mod devices;
mod environment;
mod keys;
mod peers;
mod profile;
mod replay;
mod text;
mod visible;

pub(crate) use environment::ignored_text;
pub use peers::{DirectedLink, PeerLink, Peers};
pub use profile::Profile;
pub use replay::Replay;
pub(crate) use replay::{Hold, NthCall, QueuedOp};
pub use text::ConfigError;
pub(crate) use visible::uuid;

use crate::faults::{FaultRule, KernelFault};
use cuda_sys::DriverVersion;
use std::path::PathBuf;

/// Configuration of the machine that the software driver simulates.
///
/// ```
/// let config = cuda_sim::Config { devices: 4, ..cuda_sim::Config::default() };
/// assert_eq!(config.driver_version.to_string(), "13.0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Number of devices, up to [`MAX_DEVICES`](Config::MAX_DEVICES). With 0, `cuInit` returns `CUDA_ERROR_NO_DEVICE`,
    /// as real drivers do.
    pub devices: u32,
    /// Devices that the program sees, by their positions in the machine, in the order of their ordinals. `None` for
    /// all. If a position does not exist or occurs twice, `cuInit` returns `CUDA_ERROR_INVALID_DEVICE`.
    pub visible: Option<Vec<u32>>,
    /// Profiles of the first devices. Further devices have the last profile of the list. If the list is empty, every
    /// device is an H200.
    pub profiles: Vec<Profile>,
    /// Limit of the allocated memory of each device, in bytes. The memory comes from the host.
    ///
    /// If the [total](Profile::total_memory) of a device's profile is less, the total is the limit of this device. A
    /// device reports the total, and the limit as free at the start. Memory is allocated in units, as on hardware: 2 MiB
    /// for plain memory, larger ones for pools. The limit should be a multiple of these units. Managed memory has its own
    /// limit of the same size.
    pub memory_bytes: u64,
    /// CUDA release that the driver supports, from 11.0 on. Functions of later releases do not exist.
    pub driver_version: DriverVersion,
    /// Devices that can access each other's memory. Devices of different major compute capabilities never can. Devices
    /// without unified addressing never can either.
    pub peers: Peers,
    /// Properties of the links between devices for which [`peers`](Config::peers) names none.
    pub peer_link: PeerLink,
    /// Limit of the devices to which one device can have peer access at a time, if there is one. Further calls return
    /// `CUDA_ERROR_TOO_MANY_PEERS`.
    pub max_peers: Option<u32>,
    /// Time at which queued work is done.
    pub schedule: Schedule,
    /// Reuse of handles and addresses.
    pub handles: HandleReuse,
    /// Outcome of work that uses memory of a pool after it was freed.
    pub freed_pool_memory: FreedPoolMemory,
    /// Limit of the host threads that run the blocks of a kernel. 0 means the number of processors. No kernel runs on
    /// more than 256 threads.
    pub host_threads: usize,
    /// If true, the engine may use vector extensions of the host's processor. Results are the same.
    pub vector_instructions: bool,
    /// Number of instructions that the warps of a kernel may execute before one of its blocks ends. `None` for no
    /// limit. A kernel beyond the limit fails with `CUDA_ERROR_LAUNCH_TIMEOUT`. See [When kernels
    /// end](crate#when-kernels-end).
    pub kernel_limit: Option<u64>,
    /// Faults of calls, from the start, and again after a [reset](crate::Machine::reset).
    pub faults: Vec<FaultRule>,
    /// Faults of kernels, from the start, and again after a reset.
    pub kernel_faults: Vec<KernelFault>,
    /// File for a log of calls. An existing file is replaced. If this fails, the standard error says so.
    ///
    /// Each call that returns adds a line with parts separated by spaces. The parts are its number, the number of its
    /// thread, the function, the name of the returned code, and a device. Threads are numbered in the order of their
    /// first calls. The device is that of the context that was current when the call began, or `-`. Under schedules
    /// other than [`Eager`](Schedule::Eager), the line also lists the queued operations that were done before the call
    /// returned. They are in their order, separated by `+`, and named as in a [`Replay`]. No line is lost at the end of
    /// the process, even if it crashes. Each machine needs a file of its own. [`Replay::from_log`] reads the order of
    /// queued work.
    pub calls: Option<PathBuf>,
    /// File for [counts of instructions](crate::LaunchCounts). An existing file is replaced. If this fails, the
    /// standard error says so.
    ///
    /// Each launch that ends adds a line with parts separated by spaces: its number, the kernel's name, the device, and two
    /// counts of instructions. The counts are those of its warps and of its threads. Each machine needs a file of its own.
    pub counts: Option<PathBuf>,
    /// If true, the standard error lists the [objects that are still alive](crate::LiveHandles) when the process ends
    /// normally. This applies to the machine of the process only. Objects that the program releases in later
    /// destructors count as alive. If another thread uses the machine for more than a second, the list is omitted.
    ///
    /// If no call has returned a failure of queued work, the failure is [reported](crate::Report), too.
    pub report_leaks: bool,
    /// File for [reports](crate::Report), with one JSON object on each line. Lines are appended to an existing file, so
    /// several machines and processes can share it. If the file cannot be opened, the standard error says so.
    pub reports: Option<PathBuf>,
    /// If true, accesses of kernels outside of allocations are [reported](crate::Report) even if they do not fault.
    ///
    /// Device memory is mapped in pages of 2 MiB. As on hardware, kernels fault only outside of mapped pages. Inside a
    /// page, they access the neighbours of an allocation. With this check, at least 512 bytes after each allocation in
    /// shared pages are unused if there is enough memory. An access just past the end is then reported, and hits no
    /// neighbour. An access that skips more than these bytes may hit a neighbour, and is not reported then. Therefore,
    /// addresses differ from those without the check, and fewer allocations fit in a page. See
    /// [Reports](crate#reports).
    ///
    /// Memory that is freed twice is reported, too. A buffer of arguments that is shorter than the parameters of the
    /// kernel is also reported. Hardware uses zero for the missing bytes.
    ///
    /// The destruction of a memory pool is reported if memory of the pool is in use, or if a free is queued and not
    /// done. The documentation of CUDA permits both. A driver on an H200 then crashed in a later synchronization.
    ///
    /// NVIDIA's compiler may widen a load, so that the load reads bytes that the program does not use. It names the
    /// used bytes with `.pragma "used_bytes_mask …"`. This check, [`initcheck`](Self::initcheck),
    /// [`racecheck`](Self::racecheck) and [`streamcheck`](Self::streamcheck) ignore the others. A report has the address
    /// and the size of adjacent used bytes.
    pub memcheck: bool,
    /// If true, reads of device memory that was never written are [reported](crate::Report): reads of kernels, and copies to the host.
    ///
    /// Memory of `cuMemAlloc`, of pools and of graphs begins unwritten. Other memory counts as written. After a kernel
    /// has stored matrices or tensors, or another process has opened memory, all memory counts as written.
    pub initcheck: bool,
    /// If true, data races between the threads of a launch are [reported](crate::Report), in shared and in global memory.
    ///
    /// Two accesses race if one of them writes, at least one is neither atomic nor strong (`volatile`, `relaxed`,
    /// `acquire`, `release`), and nothing orders them. Barriers, `bar.warp.sync`, and fences with atomic or strong
    /// accesses order accesses. Stores of the same value do not count as a race.
    pub racecheck: bool,
    /// If true, data races between operations of several streams are [reported](crate::Report): between kernels, copies and fills.
    ///
    /// Two operations race if both use the same bytes, one of them writes, and nothing orders them. Streams, events,
    /// graphs, and synchronisation by the host order operations. The race is found under every [`Schedule`], even if
    /// the operations run one after the other. An allocation of stream-ordered memory and its free count as operations
    /// that write all of it.
    ///
    /// Accesses to textures, surfaces and arrays, and the host's own loads and stores, are not checked. After a wait
    /// for memory or for a semaphore, and after a host function, all earlier queued work counts as ordered. Calls of
    /// several threads count as ordered in the order in which they were made.
    pub streamcheck: bool,
    /// If true, barriers that not all threads of a block reach are [reported](crate::Report) if the kernel continues.
    ///
    /// As on hardware, a barrier does not wait for threads that have ended, and counts threads at different instructions together.
    /// CUDA C++ leaves both undefined. Threads that name a mask of lanes without themselves are reported too.
    pub synccheck: bool,
    /// If true, reports contain backtraces of the calls that allocated or freed the memory.
    ///
    /// Calls that create or release an object then take some ten microseconds longer. The backtrace of each uses memory
    /// until the machine ends.
    pub backtraces: bool,
}

impl Config {
    /// Largest number of simulated devices.
    pub const MAX_DEVICES: u32 = 64;

    /// Default of [`kernel_limit`](Config::kernel_limit): 2³² instructions. An optimised build executes as many in some tens
    /// of seconds.
    pub const KERNEL_LIMIT: u64 = 1 << 32;

    /// Returns the number of host threads that run the blocks of a kernel.
    pub(crate) fn kernel_threads(&self) -> usize {
        const MOST: usize = 256;
        let threads = match self.host_threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            some => some,
        };
        threads.min(MOST)
    }

    /// Returns the positions of the devices that the program sees.
    pub(crate) fn visible_devices(&self) -> Vec<u32> {
        let devices = self.devices.min(Config::MAX_DEVICES);
        let Some(visible) = &self.visible else { return (0..devices).collect() };
        let mut places = Vec::new();
        for place in visible {
            if *place < devices && !places.contains(place) {
                places.push(*place);
            }
        }
        places
    }

    /// Returns the profile of the device at a position in the machine.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Profile};
    ///
    /// let config = Config { profiles: vec![Profile::H200, Profile::A100], ..Config::default() };
    /// assert_eq!(config.profile(0).name, "NVIDIA H200");
    /// assert_eq!(config.profile(7).name, config.profile(1).name);
    /// ```
    #[must_use]
    pub fn profile(&self, place: u32) -> &Profile {
        self.profiles.get(place as usize).or(self.profiles.last()).unwrap_or(&Profile::H200)
    }
}

impl Default for Config {
    /// Returns two devices like the H200 with peer access, 4 GiB of memory for each, and the driver for CUDA 13.0.
    fn default() -> Self {
        Self {
            devices: 2,
            visible: None,
            profiles: vec![Profile::H200],
            memory_bytes: 4 << 30,
            driver_version: DriverVersion::new(13, 0),
            peers: Peers::All,
            peer_link: PeerLink::NVLINK,
            max_peers: None,
            schedule: Schedule::Eager,
            handles: HandleReuse::Never,
            freed_pool_memory: FreedPoolMemory::ByHandles,
            host_threads: 0,
            vector_instructions: true,
            kernel_limit: Some(Config::KERNEL_LIMIT),
            faults: Vec::new(),
            kernel_faults: Vec::new(),
            calls: None,
            counts: None,
            report_leaks: false,
            reports: None,
            memcheck: false,
            initcheck: false,
            racecheck: false,
            streamcheck: false,
            synccheck: false,
            backtraces: false,
        }
    }
}

/// Order and time of queued work.
///
/// A correct program has the same results under every schedule. A program that forgets a wait has other results, or
/// faults, under some schedules:
///
/// | forgotten wait | [`Eager`](Schedule::Eager) | [`Lazy`](Schedule::Lazy) | [`Random`](Schedule::Random) |
/// |---|---|---|---|
/// | a stream for earlier work of another stream | no | if the program waits for the later work alone, or first | many seeds |
/// | the host for a copy that reads or writes page-locked memory | no | yes, unless the program first queries the stream or an event | many seeds |
/// | a stream that frees [pool memory](FreedPoolMemory::Faults), for another stream that uses it | no | yes | many seeds |
/// | a stream that uses pool memory after another stream has freed it | yes | yes | every seed |
///
/// - `Eager` finds the first three kinds if the earlier work is queued behind a kernel that runs for more than some ten
///   milliseconds.
/// - A use of freed memory is found if the work before the free, on the stream of the free, is done. The free itself is
///   never held back: under every schedule, it is done as soon as that work is.
/// - [`Config::streamcheck`] reports forgotten waits between streams under every schedule. It also names both
///   operations.
/// - No schedule alone finds every mistake. [`explore`](crate::explore()) runs a scenario under `Lazy` and under many
///   seeds, and names the shortest order that fails. The README of this crate states how many of 100 seeds found each
///   kind.
/// - [`Replay`](Schedule::Replay) repeats an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// Normal order: each operation as soon as possible, usually before the call that queued it returns. Kernels that
    /// take longer continue in the background.
    #[default]
    Eager,
    /// No operation before a wait, and then only the operations that the wait needs.
    ///
    /// A query returns that the work is not done, and lets it progress a little. A program that polls memory without
    /// calls, until queued work writes it, never ends.
    Lazy,
    /// Random order determined by the seed, with kernels done piece by piece.
    ///
    /// The seed gives each stream a pace of 1, 64, 512 or 4096. Each call gives queued work up to three opportunities.
    /// A stream of pace 64 uses one in 64 of them. Calls that wait prefer streams of low pace. One in four of these
    /// calls does little more than the work it waits for. Paces change after each call that waits, and occasionally
    /// while work is queued, so every seed tries several paces.
    ///
    /// Programs that poll, or that watch memory, end under every seed. If a program makes no calls for 0.2 seconds, its
    /// work continues in the background. Apart from that, a program of one thread and without host functions gets the
    /// same order from the same seed.
    Random(u64),
    /// Normal order, except for the operations that the replay holds back.
    ///
    /// A program of one thread and without host functions gets the same order in every run. Kernels run on one thread
    /// of the host, and are not interrupted unless they run for more than some ten milliseconds. If a program makes no
    /// calls for 0.2 seconds, its work continues in the background. After 16 consecutive queries of held work, that
    /// work continues.
    ///
    /// If the schedule does not fit the program, the standard error says why:
    ///
    /// - If a call queues fewer operations than the schedule names, the call fails with `CUDA_ERROR_LAUNCH_FAILED`. So does every
    ///   later call that reports failures.
    /// - If the program never makes a call that the schedule names, the standard error says so at the end of the
    ///   process. For a private [machine](crate::Machine), it says so at the end of the machine unless the thread panics.
    Replay(Replay),
}

/// Reuse of handles and addresses for new objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HandleReuse {
    /// As late as possible, so that stale ones are detected. Handles are never reused, except the numbers of texture
    /// and surface objects, after 65535 others.
    #[default]
    Never,
    /// At once, as on hardware. A stale handle or address then names the new object.
    AtOnce,
}

/// Outcome of kernels, copies and fills that use memory of a pool after it was freed.
///
/// Memory is freed when the queued `cuMemFreeAsync` is done in the order of its stream, or when `cuMemFree` returns. It
/// stays freed until the pool allocates the same bytes again. CUDA leaves uses of freed memory undefined.
///
/// Calls that name freed memory always return `CUDA_ERROR_INVALID_VALUE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreedPoolMemory {
    /// [`Faults`](FreedPoolMemory::Faults) with [`HandleReuse::Never`], and [`Mapped`](FreedPoolMemory::Mapped) with
    /// [`HandleReuse::AtOnce`].
    #[default]
    ByHandles,
    /// Fault with `CUDA_ERROR_ILLEGAL_ADDRESS`, as in unmapped memory. Hardware may be less strict, because its pools
    /// keep freed memory mapped for later allocations.
    Faults,
    /// Old or newer values, as long as the pool keeps the pages mapped.
    Mapped,
}

/// Returns the newest PTX version that the driver of a release supports.
pub(crate) fn ptx_version(driver: DriverVersion) -> (u32, u32) {
    let number = |part: i32| u32::try_from(part).unwrap_or(0);
    let (major, minor) = (number(driver.major()), number(driver.minor()));
    match major {
        // From 11.0 on the numbers advance together, except for one release without a new PTX version.
        11 => (7, minor),
        12 => (8, if minor <= 5 { minor } else { minor - 1 }),
        _ => (major.saturating_sub(4), minor),
    }
}

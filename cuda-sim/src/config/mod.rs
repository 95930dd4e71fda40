//! What the simulated machine is like.

mod devices;
mod environment;
mod keys;
mod peers;
mod profile;
mod replay;
mod text;
mod visible;

pub use peers::{DirectedLink, PeerLink, Peers};
pub use profile::Profile;
pub use replay::Replay;
pub(crate) use replay::{Hold, NthCall, QueuedOp};
pub use text::ConfigError;
pub(crate) use visible::uuid;

use crate::faults::{FaultRule, KernelFault};
use cuda_sys::DriverVersion;
use std::path::PathBuf;

/// The machine that the software driver pretends to be on.
///
/// ```
/// let config = cuda_sim::Config { devices: 4, ..cuda_sim::Config::default() };
/// assert_eq!(config.driver_version.to_string(), "13.0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How many devices there are, up to [`MAX_DEVICES`](Config::MAX_DEVICES). With none, `cuInit` answers
    /// `CUDA_ERROR_NO_DEVICE`, as real drivers do.
    pub devices: u32,
    /// Which of them the program sees, by their places in the machine, in the order in which it counts them. `None`
    /// for all. If there is no such place, or it is named twice, `cuInit` answers `CUDA_ERROR_INVALID_DEVICE`.
    pub visible: Option<Vec<u32>>,
    /// What the first devices are; further ones are what the last of these is. An H200, if the list is empty.
    pub profiles: Vec<Profile>,
    /// The most memory that can be allocated on a device, in bytes, since it comes from the host. A
    /// device reports its profile's total, and this much of it as free at the start. Memory is given out in units, of 2 MiB
    /// for plain memory and larger ones for pools, as on hardware: a budget should be some of those. As much again may
    /// be managed memory.
    pub memory_bytes: u64,
    /// The CUDA release that the driver serves. Functions of later releases do not exist.
    pub driver_version: DriverVersion,
    /// Which devices reach each other's memory. Devices of different major compute capabilities never do, and neither do
    /// devices without unified addressing.
    pub peers: Peers,
    /// How they are connected, where [`peers`](Config::peers) does not say it.
    pub peer_link: PeerLink,
    /// How many other devices one can have enabled at a time, if that is limited: more are refused with
    /// `CUDA_ERROR_TOO_MANY_PEERS`.
    pub max_peers: Option<u32>,
    /// When queued work is done.
    pub schedule: Schedule,
    /// Whether handles and addresses are used again.
    pub handles: HandleReuse,
    /// The treatment of work that uses memory of a pool after it was freed.
    pub freed_pool_memory: FreedPoolMemory,
    /// How many threads of the host may run the blocks of a kernel. 0 means as many as there are processors. No kernel
    /// runs on more than 256 threads, whatever the number.
    pub host_threads: usize,
    /// Whether the vector instructions that the host's processor has beyond the common ones may be used. Results are the
    /// same.
    pub vector_instructions: bool,
    /// Number of instructions that the warps of a kernel may execute before one of its blocks has to end. `None` for no
    /// limit. A kernel beyond the limit fails with `CUDA_ERROR_LAUNCH_TIMEOUT`. See
    /// [When kernels end](crate#when-kernels-end).
    pub kernel_limit: Option<u64>,
    /// Which calls fail from the start, and again after a [reset](crate::Machine::reset).
    pub faults: Vec<FaultRule>,
    /// Which kernels fault from the start, and again after a reset.
    pub kernel_faults: Vec<KernelFault>,
    /// The file that calls are written to, which is made anew. If that cannot be done, the standard error says so.
    ///
    /// Every call has a line when it returns, with spaces between the parts: its number, the thread's number in the order
    /// in which threads came, the function, the name of what it answered, and the device of the context that was current
    /// when it began, or `-`. Under schedules other than [`Eager`](Schedule::Eager), the queued operations that were done until
    /// the call returned follow, in their order and with `+` between them, named as in a [`Replay`]. No line is lost when the
    /// process ends, however it does. Machines should not share a file. [`Replay::from_log`] reads the order of queued work.
    pub calls: Option<PathBuf>,
    /// The file that [counts of instructions](crate::LaunchCounts) are written to, which is made anew. If that cannot be
    /// done, the standard error says so.
    ///
    /// Every launch has a line when it ends, with spaces between the parts: its number, the kernel's name, the device, and how
    /// many instructions its warps and its threads have executed. Machines should not share a file.
    pub counts: Option<PathBuf>,
    /// Whether the standard error tells [what is still alive](crate::LiveHandles) when the process ends normally. Only
    /// the machine of the process does: what a program gives back in destructors that run later
    /// counts as alive, and nothing is told if another thread does not leave the machine alone for a second.
    ///
    /// A failure of queued work that no call has returned by then is [reported](crate::Report) too.
    pub report_leaks: bool,
    /// The file that [reports](crate::Report) are written to, which is made anew: one JSON object for each, on a line of its own.
    /// If that cannot be done, the standard error says so. Machines should not share a file.
    pub reports: Option<PathBuf>,
    /// If true, accesses of kernels outside of allocations are [reported](crate::Report) also where they do not fault.
    ///
    /// Device memory is mapped in pages of 2 MiB. As on hardware, kernels only fault outside of these, and read or write the
    /// neighbours of an allocation inside them. See [Reports](crate#reports).
    ///
    /// Memory that is freed twice is reported too, and so is a buffer of arguments that is shorter than the parameters of the kernel.
    /// Hardware takes zero for the bytes that are missing.
    pub memcheck: bool,
    /// If true, reads of device memory that was never written are [reported](crate::Report): reads of kernels, and copies to the host.
    ///
    /// Memory of `cuMemAlloc`, of pools and of graphs begins unwritten. Other memory counts as written, and so does everything
    /// once a kernel has stored matrices or tensors, or another process has opened memory.
    pub initcheck: bool,
    /// If true, data races between the threads of a launch are [reported](crate::Report), in shared and in global memory.
    ///
    /// Two accesses race if one of them writes, not both are atomic or strong (`volatile`, `relaxed`, `acquire`, `release`), and nothing
    /// orders them. Barriers, `bar.warp.sync`, and fences with atomic or strong accesses order. Stores of the same value count as
    /// no race.
    pub racecheck: bool,
    /// If true, data races between operations of several streams are [reported](crate::Report): between kernels, copies and fills.
    ///
    /// Two operations race if both use the same bytes, one of them writes, and nothing orders them: no stream, event, graph, or
    /// synchronisation by the host. The race is found under every [`Schedule`], also if the operations run one after the other.
    /// An allocation of stream-ordered memory and its free count as operations that write all of it.
    ///
    /// Not seen: textures, surfaces, arrays, and the host's own loads and stores. After a wait for memory or for a semaphore, and
    /// after a host function, all that was queued before counts as ordered. Calls of several threads count as ordered as they were made.
    pub streamcheck: bool,
    /// If true, barriers that not all threads of a block reach are [reported](crate::Report) if the kernel goes on.
    ///
    /// As on hardware, a barrier does not wait for threads that have ended, and counts threads at different instructions together.
    /// CUDA C++ leaves both undefined. Threads that name a mask of lanes without themselves are reported too.
    pub synccheck: bool,
    /// If true, reports tell which functions of the program called the driver, for the calls that made or freed the memory.
    ///
    /// Calls that make or free something take some ten microseconds longer, and each takes memory until the machine ends.
    pub backtraces: bool,
}

impl Config {
    /// More devices than this are not simulated.
    pub const MAX_DEVICES: u32 = 64;

    /// Default of [`kernel_limit`](Config::kernel_limit): 2³² instructions. An optimised build executes as many in some tens
    /// of seconds.
    pub const KERNEL_LIMIT: u64 = 1 << 32;

    /// The number of host threads that run the blocks of a kernel.
    pub(crate) fn kernel_threads(&self) -> usize {
        const MOST: usize = 256;
        let threads = match self.host_threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            some => some,
        };
        threads.min(MOST)
    }

    /// The places of the devices that the program sees.
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

    /// What the device at a place in the machine is.
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
    /// Two devices like the H200 that reach each other, 4 GiB of memory for each, and the driver for CUDA 13.0.
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

/// When queued work is done.
///
/// A correct program computes the same under every schedule. A program that forgets a wait computes something else, or
/// faults, under some of them:
///
/// | forgotten wait | [`Eager`](Schedule::Eager) | [`Lazy`](Schedule::Lazy) | [`Random`](Schedule::Random) |
/// |---|---|---|---|
/// | a stream for earlier work of another stream | no | if the program waits for the later work alone, or first | many seeds |
/// | the host for a copy that reads or writes page-locked memory | no | yes, unless the program asks about the stream meanwhile | many seeds |
/// | a stream that frees [pool memory](FreedPoolMemory::Faults), for another stream that uses it | no | yes | many seeds |
/// | a stream that uses pool memory after another stream has freed it | yes | yes | every seed |
///
/// - `Eager` finds the first three kinds if the earlier work is queued behind a kernel that runs for more than some ten
///   milliseconds.
/// - Freed memory is found if the work before the free, on the stream that frees, is done. The free itself is never late:
///   it is done as soon as that work is, under every schedule.
/// - [`Config::streamcheck`] reports the kinds that are between streams under every schedule. It also names both operations.
/// - No schedule alone finds everything. [`explore`](crate::explore()) runs a scenario under `Lazy` and under many seeds, and names
///   the shortest order that fails. The README of this crate has the number of seeds of 100 that found each kind.
/// - [`Replay`](Schedule::Replay) brings an order back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// As soon as it can be: normally before the call that queued it returns. Kernels that take longer go on in
    /// the background.
    #[default]
    Eager,
    /// Not before something waits for it, and then only what that needs. Asking whether something is done answers
    /// that it is not, and has it go on a little. A program that watches memory which queued work writes never ends if it
    /// makes no calls.
    Lazy,
    /// In an order that the seed decides, kernels piece by piece.
    ///
    /// The seed gives each stream a pace of 1, 64, 512 or 4096. Each call gives queued work up to three opportunities, and
    /// a stream of pace 64 uses one in 64 of them. Calls that wait prefer streams of low pace. One in four of these calls
    /// does nearly nothing but what it waits for. Paces change after each call that waits, and now and then while work is
    /// queued: every seed tries several.
    ///
    /// Programs that poll, or that watch memory, end under every seed. If a program makes no calls for 0.2 seconds, its
    /// work goes on in the background. Apart from that, a program of one thread and without host functions gets the same
    /// order from the same seed.
    Random(u64),
    /// As soon as it can be, except for the operations that are named.
    ///
    /// A program of one thread and without host functions gets the same order in every run. Kernels run on one thread of the
    /// host, and are not interrupted unless they run for more than some ten milliseconds. If a program makes no calls for 0.2
    /// seconds, its work goes on in the background. A program that asks 16 times in a row whether held work is done has it go
    /// on.
    ///
    /// If the schedule does not fit the program, the standard error says why:
    ///
    /// - If a call queues fewer operations than the schedule names, the call fails with `CUDA_ERROR_LAUNCH_FAILED`. So does every
    ///   later call that reports failures.
    /// - If the program never makes a call that the schedule names, the standard error says so in the end. The end is the end of the
    ///   process, or the end of the machine unless the thread panics.
    Replay(Replay),
}

/// Whether handles and addresses are used again for something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HandleReuse {
    /// As late as possible, so that stale ones are noticed. Handles never are, but for the numbers of texture and surface
    /// objects: after 65535 others.
    #[default]
    Never,
    /// At once, as hardware does: stale ones name whatever is there now.
    AtOnce,
}

/// The outcome of kernels, copies and fills that use memory of a pool after it was freed.
///
/// Memory is freed when the queued `cuMemFreeAsync` is done in the order of its stream, or when `cuMemFree` returns. It
/// stays freed until the pool gives the same bytes out again. CUDA leaves uses in between undefined.
///
/// Calls that name freed memory answer `CUDA_ERROR_INVALID_VALUE` in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreedPoolMemory {
    /// [`Faults`](FreedPoolMemory::Faults) with [`HandleReuse::Never`], and [`Mapped`](FreedPoolMemory::Mapped) with
    /// [`HandleReuse::AtOnce`].
    #[default]
    ByHandles,
    /// A fault with `CUDA_ERROR_ILLEGAL_ADDRESS`, as in memory that is not mapped. Stricter than hardware may be: its
    /// pools hold freed memory for later allocations.
    Faults,
    /// Old or newer values, as long as the pool holds the pages.
    Mapped,
}

/// The newest version of the PTX language that the driver of a release takes.
pub(crate) fn ptx_version(driver: DriverVersion) -> (u32, u32) {
    let number = |part: i32| u32::try_from(part).unwrap_or(0);
    let (major, minor) = (number(driver.major()), number(driver.minor()));
    match major {
        // From 11.0 on the numbers keep step, but for one release that brought nothing new.
        11 => (7, minor),
        12 => (8, if minor <= 5 { minor } else { minor - 1 }),
        _ => (major.saturating_sub(4), minor),
    }
}

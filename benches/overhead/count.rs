//! The cost of an operation that does not depend on the machine's speed: instructions, heap allocations, driver calls.

use super::heap;
use super::measure::Operation;
use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cost of a round of one way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cost {
    pub(crate) heap: f64,
    /// The names of the driver calls, where they can be noted.
    pub(crate) calls: Option<Vec<String>>,
    /// Instructions in user space, with those of the driver and of the loop.
    pub(crate) instructions: Option<f64>,
    /// Atomic instructions that read and write memory.
    pub(crate) atomic: Option<f64>,
}

/// Functions that begin to note driver calls, and that return the noted calls.
pub(crate) type Notes<'a> = (&'a dyn Fn(), &'a dyn Fn() -> Vec<&'static CStr>);

/// The rounds whose difference is taken, so that what is done once does not count.
const FEW: u32 = 100;
const MANY: u32 = 1100;

/// Returns heap allocations and driver calls. Rare ones are in the average.
pub(crate) fn costs(operations: &mut [Operation<'_>], notes: Option<Notes<'_>>) -> Vec<Vec<Cost>> {
    let ways = operations.iter_mut().map(|operation| operation.ways.iter_mut());
    ways.map(|ways| {
        ways.map(|way| {
            (way.run)(3);
            let before = heap::allocations();
            (way.run)(FEW);
            let heap = (heap::allocations() - before) as f64 / f64::from(FEW);
            let calls = notes.map(|(begin, end)| {
                let [one, two] = [1, 2].map(|rounds| {
                    begin();
                    (way.run)(rounds);
                    end()
                });
                // The cost of the second round. The work around all rounds is the same in both.
                let round = two.len() - one.len();
                let same = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
                let names = two.iter().take(same).skip(same - round);
                names.map(|name| name.to_string_lossy().into_owned()).collect()
            });
            Cost { heap, calls, ..Cost::default() }
        })
        .collect()
    })
    .collect()
}

/// Fills in the instructions, if the kernel lets the processor count them. Says by what they were counted.
pub(crate) fn count_here(operations: &mut [Operation<'_>], costs: &mut [Vec<Cost>]) -> Option<&'static str> {
    let counter = Counter::open()?;
    for (way, cost) in all(operations, costs) {
        let [few, many] = [FEW, MANY].map(|rounds| counter.count(|| way(rounds)));
        cost.instructions = Some((many? - few?) / f64::from(MANY - FEW));
    }
    Some("the processor (perf_event_open)")
}

type Run<'a> = dyn FnMut(u32) + 'a;

/// Every way with its cost.
fn all<'a, 'b: 'a>(
    operations: &'a mut [Operation<'b>],
    costs: &'a mut [Vec<Cost>],
) -> impl Iterator<Item = (&'a mut Run<'b>, &'a mut Cost)> {
    let pairs = operations.iter_mut().zip(costs);
    pairs.flat_map(|(operation, costs)| operation.ways.iter_mut().map(|way| &mut *way.run).zip(costs))
}

/// A counter of the processor for the instructions of this thread in user space.
struct Counter(libc::c_int);

impl Counter {
    #[cfg(target_os = "linux")]
    fn open() -> Option<Counter> {
        /// The first version of what `perf_event_open` takes.
        #[repr(C)]
        #[derive(Default)]
        struct Attributes {
            kind: u32,
            size: u32,
            config: u64,
            sample: [u64; 3],
            flags: u64,
            wakeup: u32,
            breakpoint: u32,
            address: u64,
        }
        const HARDWARE: u32 = 0;
        const INSTRUCTIONS: u64 = 1;
        const WITHOUT_KERNEL_AND_HYPERVISOR: u64 = 1 << 5 | 1 << 6;
        let attributes = Attributes {
            kind: HARDWARE,
            size: size_of::<Attributes>() as u32,
            config: INSTRUCTIONS,
            flags: WITHOUT_KERNEL_AND_HYPERVISOR,
            ..Attributes::default()
        };
        let (this_thread, any_cpu, no_group, no_flags) = (0, -1, -1, 0);
        let call = libc::SYS_perf_event_open;
        // SAFETY: the attributes are of the size that they say, and live until the call has ended.
        let file =
            unsafe { libc::syscall(call, &raw const attributes, this_thread, any_cpu, no_group, no_flags) };
        (file >= 0).then_some(Counter(file as libc::c_int))
    }

    #[cfg(not(target_os = "linux"))]
    fn open() -> Option<Counter> {
        None
    }

    fn read(&self) -> Option<u64> {
        let mut count = 0_u64;
        // SAFETY: the file is open, and `count` valid for a write of its size.
        let bytes = unsafe { libc::read(self.0, (&raw mut count).cast(), size_of_val(&count)) };
        (usize::try_from(bytes) == Ok(size_of_val(&count))).then_some(count)
    }

    fn count(&self, work: impl FnOnce()) -> Option<f64> {
        let before = self.read()?;
        work();
        Some((self.read()? - before) as f64)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // SAFETY: the file is this value's.
        unsafe { libc::close(self.0) };
    }
}

/// A function at which valgrind begins another part of its counts. Valgrind looks for this name.
#[unsafe(no_mangle)]
#[inline(never)]
fn overhead_part(part: u32) {
    std::hint::black_box(part);
}

/// Runs `way`. Valgrind counts within this function only, so that other threads, as the test harness has one, do not
/// count. Valgrind looks for this name.
#[unsafe(no_mangle)]
#[inline(never)]
fn overhead_counted(way: &mut Run<'_>, rounds: u32) {
    way(rounds);
    // Keeps the call above from being the last one, which would leave this function before `way` runs.
    std::hint::black_box(rounds);
}

/// Runs every way a few times and many times, each in a part of its own: to be done under valgrind.
pub(crate) fn run_in_parts(operations: &mut [Operation<'_>]) {
    for operation in operations {
        for way in &mut operation.ways {
            (way.run)(3);
            for rounds in [FEW, MANY] {
                overhead_part(rounds);
                overhead_counted(&mut *way.run, rounds);
            }
            overhead_part(0);
        }
    }
}

/// Fills in the instructions, and the atomic ones among them, if there is valgrind; `child` runs this program again so
/// that it calls [`run_in_parts`] with the same operations. Says by what they were counted.
pub(crate) fn count_in_child(
    child: impl FnOnce(&mut Command),
    folder: &Path,
    costs: &mut [Vec<Cost>],
) -> Option<&'static str> {
    let folder = folder.join("callgrind");
    // The results of an earlier run.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).ok()?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--dump-before=overhead_part", "--dump-instr=yes"]);
    command.arg("--toggle-collect=overhead_counted");
    command.args(["--compress-pos=no", "--compress-strings=no"]);
    command.arg(format!("--callgrind-out-file={}", folder.join("part").display()));
    child(command.arg(std::env::current_exe().ok()?));
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !done.is_ok_and(|done| done.success()) {
        return None;
    }
    let mut locked = Locked::default();
    // Each part ends with a call, the first with the first: parts 2, 3 and 4 are few, many and what follows.
    let mut part = 2;
    for cost in costs.iter_mut().flatten() {
        let [few, many] =
            [part, part + 1].map(|part| count_of(&folder.join(format!("part.{part}")), &mut locked));
        let (few, many, rounds) = (few?, many?, f64::from(MANY - FEW));
        cost.instructions = Some((many.instructions - few.instructions) / rounds);
        cost.atomic = many.atomic.zip(few.atomic).map(|(many, few)| (many - few) / rounds);
        part += 3;
    }
    Some("valgrind")
}

struct Counts {
    instructions: f64,
    atomic: Option<f64>,
}

/// Reads what valgrind wrote of one part: after `ob=` the addresses of instructions in that file, and how often they ran.
fn count_of(file: &Path, locked: &mut Locked) -> Option<Counts> {
    let text = std::fs::read_to_string(file).ok()?;
    let (mut instructions, mut atomic) = (0.0, Some(0.0));
    let (mut object, mut is_call) = (PathBuf::new(), false);
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("ob=") {
            object = PathBuf::from(path);
        }
        if line.starts_with("calls=") {
            is_call = true;
        } else if let Some(line) = line.strip_prefix("0x") {
            let mut words = line.split(' ');
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let count: f64 = words.nth(1)?.parse().ok()?;
            // After a call there is a line with what the called function did, which has its own lines.
            if !core::mem::take(&mut is_call) {
                instructions += count;
                match locked.of(&object) {
                    Some(locked) if locked.contains(&address) => atomic = atomic.map(|atomic| atomic + count),
                    Some(_) => {}
                    None => atomic = None,
                }
            }
        }
    }
    Some(Counts { instructions, atomic })
}

/// The addresses of atomic instructions that read and write, by file; `None` where a file cannot be disassembled.
#[derive(Default)]
struct Locked(HashMap<PathBuf, Option<HashSet<u64>>>);

impl Locked {
    fn of(&mut self, object: &Path) -> Option<&HashSet<u64>> {
        let disassembled = || {
            let mut command = Command::new("objdump");
            let output = command.args(["-d", "--no-show-raw-insn"]).arg(object).output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            let lines = text.lines().filter_map(|line| line.trim_start().split_once(":\t"));
            let mut lines = lines.peekable();
            lines.peek()?;
            let locked = lines.filter(|(_, instruction)| {
                // An exchange with memory is atomic without saying so.
                instruction.starts_with("lock ")
                    || instruction.starts_with("xchg") && instruction.contains('(')
            });
            Some(locked.filter_map(|(address, _)| u64::from_str_radix(address, 16).ok()).collect())
        };
        self.0.entry(object.to_owned()).or_insert_with(disassembled).as_ref()
    }
}

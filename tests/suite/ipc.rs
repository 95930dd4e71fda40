//! Memory and events that two processes share.
//!
//! Each test here starts a process, the owner, which starts another one, the user. Both play their parts, and report their progress
//! by lines on the standard streams. With the software driver they run once under each schedule.

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::event::EventFlags;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Error, Event, Kernel, LaunchConfig, Module, Stream};
use cuda_suite::raw::{allocate, characters, function, launch, page_locked, read};
use cuda_suite::{Choice, call, code, driver, invalid, second_device, skip};
use cuda_sys::*;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry hold(.param .u64 go) {
        .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a, [go];
        again: ld.volatile.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 0; @%p bra again; ret; }
    .visible .entry add(.param .u64 numbers, .param .u32 more) {
        .reg .b64 %a, %o; .reg .b32 %r, %m, %t;
        ld.param.u64 %a, [numbers]; ld.param.u32 %m, [more];
        mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %a, %a, %o;
        ld.global.u32 %r, [%a]; add.u32 %r, %r, %m; st.global.u32 [%a], %r; ret; }";

/// The number of shared elements.
const LEN: usize = 200;

/// The parts of the owner and of the user in a test.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) owner: fn(&mut Other),
    pub(super) user: fn(&mut Other),
}

const PARTS: &[Part] = &[
    Part { name: "there and back", owner: there, user: and_back },
    Part { name: "marks of both", owner: first_mark, user: second_mark },
    Part { name: "opened twice", owner: two_pieces, user: open_twice },
    Part { name: "misuse", owner: misused, user: misuse },
    Part { name: "two devices", owner: keep, user: open_elsewhere },
    Part { name: "gone", owner: go, user: look_after },
];

/// The process on the other side.
pub(super) struct Other {
    say: Box<dyn Write>,
    hear: Lines<Box<dyn BufRead>>,
}

/// Before each line that one process says to the other: there are others on the standard output.
const MARK: &str = "to the other: ";

impl Other {
    pub(super) fn say(&mut self, text: &str) {
        // On a line of its own, whatever the harness has written.
        write!(self.say, "\n{MARK}{text}\n").unwrap();
        self.say.flush().unwrap();
    }

    pub(super) fn hear(&mut self) -> String {
        loop {
            let line = self.hear.next().expect("the other process has ended").unwrap();
            if let Some(text) = line.strip_prefix(MARK) {
                return text.to_owned();
            }
        }
    }

    pub(super) fn expect(&mut self, text: &str) {
        assert_eq!(self.hear(), text);
    }

    pub(super) fn say_bytes(&mut self, bytes: &[u8; 64]) {
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.say(&text);
    }

    pub(super) fn hear_bytes(&mut self) -> [u8; 64] {
        let text = self.hear();
        let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
        std::array::from_fn(byte)
    }

    fn hear_memory(&mut self) -> IpcMemHandle {
        IpcMemHandle::from_bytes(self.hear_bytes())
    }

    fn hear_event(&mut self) -> IpcEventHandle {
        IpcEventHandle::from_bytes(self.hear_bytes())
    }
}

const PART: &str = "CUDA_SUITE_PART";

fn part() -> Option<&'static Part> {
    let name = std::env::var(PART).ok()?;
    let others = crate::pool_sharing::PARTS.iter().chain(crate::host_ranges::PARTS);
    PARTS.iter().chain(others).find(|part| part.name == name)
}

/// Work that never ends must not keep a process that has failed: it ends without releasing anything.
fn end_on_failure() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::exit(101);
    }));
}

fn start(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", role, "--ignored", "--nocapture"]);
    command
}

#[test]
#[ignore = "runs in a process of its own"]
#[allow(clippy::print_stdout)]
fn owner() {
    let Some(part) = part() else { return };
    end_on_failure();
    let mut user: Child = start("ipc::user").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (say, hear): (ChildStdin, ChildStdout) = (user.stdin.take().unwrap(), user.stdout.take().unwrap());
    let hear: Box<dyn BufRead> = Box::new(BufReader::new(hear));
    let mut other = Other { say: Box::new(say), hear: hear.lines() };
    driver();
    (part.owner)(&mut other);
    assert!(other.hear.all(|line| !line.unwrap().starts_with(MARK)), "the user has more to say");
    drop(other);
    assert!(user.wait().unwrap().success());
    println!("done");
}

#[test]
#[ignore = "runs in a process of its own"]
fn user() {
    let Some(part) = part() else { return };
    end_on_failure();
    let hear: Box<dyn BufRead> = Box::new(BufReader::new(std::io::stdin()));
    let mut other = Other { say: Box::new(std::io::stdout()), hear: hear.lines() };
    driver();
    (part.user)(&mut other);
}

/// Has a part played, under each schedule that there is.
pub(super) fn play(name: &str) {
    let own = std::env::var("CUDA_SIM").unwrap_or_default();
    let schedules = match driver() {
        Choice::Real => vec![own],
        Choice::Sim if own.contains("schedule=") => vec![own],
        Choice::Sim => {
            let with = |schedule: &&str| [own.as_str(), schedule].join(if own.is_empty() { "" } else { "," });
            ["schedule=eager", "schedule=lazy", "schedule=random:1", "schedule=random:2"]
                .iter()
                .map(with)
                .collect()
        }
    };
    for schedule in schedules {
        let mut owner = start("ipc::owner");
        if driver() == Choice::Sim {
            owner.env("CUDA_SIM", &schedule);
        }
        let played = owner.env(PART, name).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
        assert!(played.status.success() && out.contains("done"), "{name}, {schedule}:\n{out}\n{err}");
    }
}

fn context() -> Context {
    Context::primary(Device::get(0).unwrap()).unwrap()
}

fn shared_event(context: &Context) -> Event {
    Event::with_flags(context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING).unwrap()
}

fn open_event(context: &Context, handle: &IpcEventHandle) -> Event {
    // SAFETY: the other process keeps the event until this one has ended.
    unsafe { Event::from_ipc_handle(context, handle) }.unwrap()
}

fn open(stream: &Stream, handle: &IpcMemHandle, len: usize) -> Result<DeviceBuf<u32>, Error> {
    // SAFETY: the other process keeps the memory until this one has closed it, and each test says who uses it when.
    unsafe { DeviceBuf::from_ipc_handle(stream, handle, len) }
}

type Adding = Kernel<(DevicePtr<u32>, u32)>;

/// Call this before the stream is held: unloading the module would wait for the held work.
fn adding(context: &Context) -> Adding {
    crate::typed(&Module::from_ptx(context, PTX).unwrap().function("add").unwrap())
}

/// Adds to all numbers.
fn add(add: &Adding, numbers: &DeviceBuf<u32>, more: u32) {
    let stream = numbers.stream();
    let threads = u32::try_from(numbers.len()).unwrap();
    // SAFETY: as many threads as there are numbers, which live on the stream.
    unsafe { add.launch(LaunchConfig::new(1, threads), stream, (numbers.ptr(), more)) }.unwrap();
}

/// Holds a stream until the word is not 0 any more.
fn hold(stream: &Stream) -> &'static AtomicU32 {
    let _entered = stream.context().enter().unwrap();
    let (word, address) = page_locked(1);
    let ptx = std::ffi::CString::new(PTX).unwrap();
    launch(function(&ptx, c"hold"), stream.as_raw(), &[address]);
    &word[0]
}

fn numbers(from: u32) -> Vec<u32> {
    (from..).take(LEN).collect()
}

#[test]
fn memory_goes_there_and_back_in_the_order_of_events() {
    play("there and back");
}

/// The owner's work is held until the user has queued everything.
fn there(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let adder = adding(&context);
    let mut shared = DeviceBuf::<u32>::zeroed_in(&stream, LEN, MemorySource::Plain).unwrap();
    let (filled, back) = (shared_event(&context), shared_event(&context));
    // On another stream, so that the copy need not wait.
    let held = Stream::new(&context).unwrap();
    let go = hold(&held);
    let staged = DeviceBuf::from_host(&stream, &numbers(1000)).unwrap();
    let begun = Event::new(&context).unwrap();
    begun.record(&held).unwrap();
    stream.wait_event(&begun).unwrap();
    shared.as_slice_mut().copy_from_device(staged.as_slice()).unwrap();
    add(&adder, &shared, 1);
    filled.record(&stream).unwrap();
    other.say_bytes(shared.ipc_handle().unwrap().as_bytes());
    other.say_bytes(filled.ipc_handle().unwrap().as_bytes());
    other.say_bytes(back.ipc_handle().unwrap().as_bytes());
    other.expect("queued");
    assert!(!filled.is_done().unwrap());
    go.store(1, Ordering::Relaxed);
    // The work of the user comes before the work that follows here, although no thread waits for it on the host.
    stream.wait_event(&back).unwrap();
    add(&adder, &shared, 1);
    assert_eq!(shared.to_vec().unwrap(), numbers(1012));
    assert!(back.is_done().unwrap() && filled.is_done().unwrap());
    other.say("seen");
    other.expect("closed");
    // The user must not free it.
    assert_eq!(shared.to_vec().unwrap(), numbers(1012));
    shared.close().unwrap();
}

fn and_back(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let adder = adding(&context);
    let memory = other.hear_memory();
    let filled = open_event(&context, &other.hear_event());
    let back = open_event(&context, &other.hear_event());
    assert!(!filled.is_done().unwrap());
    assert!(back.is_done().unwrap(), "never recorded");
    let shared = open(&stream, &memory, LEN).unwrap();
    assert_eq!(shared.len(), LEN);
    stream.wait_event(&filled).unwrap();
    // The copy has the owner's numbers, not the earlier ones.
    let mut copy = DeviceBuf::<u32>::zeroed(&stream, LEN).unwrap();
    copy.as_slice_mut().copy_from_device(shared.as_slice()).unwrap();
    add(&adder, &shared, 10);
    back.record(&stream).unwrap();
    assert!(!stream.is_done().unwrap() && !back.is_done().unwrap());
    other.say("queued");
    filled.synchronize().unwrap();
    back.synchronize().unwrap();
    assert_eq!(copy.to_vec().unwrap(), numbers(1001));
    other.expect("seen");
    assert_eq!(shared.to_vec().unwrap(), numbers(1012));
    shared.close().unwrap();
    other.say("closed");
}

#[test]
fn last_record_of_either_process_counts() {
    play("marks of both");
}

fn first_mark(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let event = shared_event(&context);
    event.record(&stream).unwrap();
    other.say_bytes(event.ipc_handle().unwrap().as_bytes());
    other.expect("recorded");
    // The mark of the user is not reached, though the own one is.
    stream.synchronize().unwrap();
    assert!(!event.is_done().unwrap());
    stream.wait_event(&event).unwrap();
    assert!(!stream.is_done().unwrap());
    // The wait delays no other stream.
    DeviceBuf::<u32>::zeroed(&Stream::new(&context).unwrap(), 1).unwrap().to_vec().unwrap();
    other.say("go on");
    event.synchronize().unwrap();
    stream.synchronize().unwrap();
    assert!(event.is_done().unwrap());
    // Another mark of the owner's own.
    let go = hold(&stream);
    event.record(&stream).unwrap();
    other.say("recorded again");
    other.expect("not done");
    go.store(1, Ordering::Relaxed);
    other.expect("done");
    assert!(event.is_done().unwrap());
}

fn second_mark(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let event = open_event(&context, &other.hear_event());
    // Reached, since the owner's stream has nothing else to do.
    event.synchronize().unwrap();
    let go = hold(&stream);
    event.record(&stream).unwrap();
    assert!(!event.is_done().unwrap());
    // It takes no times.
    assert_eq!(event.milliseconds_since(&event).unwrap_err().code(), Some(Code::InvalidHandle));
    other.say("recorded");
    other.expect("go on");
    go.store(1, Ordering::Relaxed);
    other.expect("recorded again");
    assert!(!event.is_done().unwrap());
    other.say("not done");
    event.synchronize().unwrap();
    other.say("done");
}

#[test]
fn a_handle_can_be_opened_again() {
    play("opened twice");
}

/// Two pieces of memory, which may share a page.
fn two_pieces(other: &mut Other) {
    let stream = Stream::new(&context()).unwrap();
    let first = DeviceBuf::from_host_in(&stream, &numbers(0), MemorySource::Plain).unwrap();
    let second = DeviceBuf::from_host_in(&stream, &numbers(500), MemorySource::Plain).unwrap();
    assert_eq!(first.ipc_handle().unwrap(), first.ipc_handle().unwrap());
    assert_ne!(first.ipc_handle().unwrap(), second.ipc_handle().unwrap());
    other.say_bytes(first.ipc_handle().unwrap().as_bytes());
    other.say_bytes(second.ipc_handle().unwrap().as_bytes());
    let distance = second.ptr().as_raw().wrapping_sub(first.ptr().as_raw()).cast_signed();
    other.say(&distance.to_string());
    other.expect("closed");
    assert_eq!(second.to_vec().unwrap(), numbers(507));
}

fn open_twice(other: &mut Other) {
    let stream = Stream::new(&context()).unwrap();
    let (first, second) = (other.hear_memory(), other.hear_memory());
    let adder = adding(stream.context());
    let (one, same) = (open(&stream, &first, LEN).unwrap(), open(&stream, &first, 3).unwrap());
    let another = open(&stream, &second, LEN).unwrap();
    assert_eq!(one.ptr(), same.ptr());
    // As far apart as in the other process, if they share a page there.
    let distance = other.hear().parse::<i64>().unwrap();
    if distance.abs() < 1 << 21 {
        assert_eq!(another.ptr().as_raw().wrapping_sub(one.ptr().as_raw()).cast_signed(), distance);
    }
    add(&adder, &another, 7);
    assert_eq!(same.to_vec().unwrap(), [0, 1, 2]);
    one.close().unwrap();
    // It is open as long as one of the two is.
    assert_eq!(same.to_vec().unwrap(), [0, 1, 2]);
    drop(same);
    let again = open(&stream, &first, LEN).unwrap();
    // Only one context of a device can open it.
    let second_context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let error = open(&Stream::new(&second_context).unwrap(), &first, LEN).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle), "{error}");
    assert_eq!(again.to_vec().unwrap(), numbers(0));
    assert_eq!(another.to_vec().unwrap(), numbers(507));
    drop((again, another));
    other.say("closed");
}

#[test]
fn misuse_is_refused() {
    play("misuse");
}

fn misused(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let shared = DeviceBuf::from_host_in(&stream, &numbers(0), MemorySource::Plain).unwrap();
    let (event, handle) = (shared_event(&context), shared.ipc_handle().unwrap());
    // A process cannot open its own memory.
    let error = open(&stream, &handle, LEN).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidContext), "{error}");
    assert!(error.to_string().contains("the handle is of this process"), "{error}");
    // SAFETY: the event is kept.
    let error = unsafe { Event::from_ipc_handle(&context, &event.ipc_handle().unwrap()) }.unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidContext), "{error}");
    // Memory that cannot be shared.
    let refused = |buffer: DeviceBuf<u32>, why: &'static str| {
        let error = buffer.ipc_handle().unwrap_err();
        assert_eq!(error, invalid(format!("{why} cannot be shared with other processes;")));
    };
    let nothing = DeviceBuf::zeroed_in(&stream, 0, MemorySource::Plain).unwrap();
    refused(nothing, "a buffer of no bytes");
    let pooled = DeviceBuf::zeroed(&stream, 1).unwrap();
    if !pooled.is_plain() {
        refused(pooled, "memory of a pool");
    }
    let timed = Event::with_flags(&context, EventFlags::DISABLE_TIMING).unwrap();
    let error = timed.ipc_handle().unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidHandle), "{error}");
    assert!(error.to_string().contains("INTERPROCESS"), "{error}");
    let raw = |address: CUdeviceptr| {
        let mut handle = CUipcMemHandle::default();
        code!(cuIpcGetMemHandle(&raw mut handle, address))
    };
    let _entered = context.enter().unwrap();
    let refused = CUresult::CUDA_ERROR_INVALID_VALUE;
    // An address inside stands for the whole.
    let mut inside = CUipcMemHandle::default();
    call!(cuIpcGetMemHandle(&raw mut inside, shared.ptr().as_raw() + 8));
    assert_eq!(inside.reserved, characters(handle.as_bytes()));
    assert_eq!(raw(DeviceBuf::<u32>::zeroed(&stream, 1).unwrap().ptr().as_raw()), refused);
    assert_eq!(raw(page_locked(1).1), refused);
    assert_eq!(raw(0), refused);
    other.say_bytes(handle.as_bytes());
    other.expect("tried");
    assert_eq!(shared.to_vec().unwrap(), numbers(0));
}

fn misuse(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let handle = other.hear_memory();
    // More than there is.
    let error = open(&stream, &handle, usize::MAX / 8).unwrap_err();
    assert_eq!(error, invalid(format!("shared memory: range 0..{} exceeds the length ", usize::MAX / 8)));
    let error = open(&stream, &handle, usize::MAX).unwrap_err();
    assert_eq!(error, invalid("bytes exceed the address space"));
    let shared = open(&stream, &handle, LEN).unwrap();
    // Opened memory cannot be exported again.
    let error = shared.ipc_handle().unwrap_err();
    assert_eq!(error, invalid("memory of another process cannot be shared with other processes;"));
    let refused = CUresult::CUDA_ERROR_INVALID_VALUE;
    let address = shared.ptr().as_raw();
    {
        let _entered = context.enter().unwrap();
        let raw = CUipcMemHandle { reserved: characters(handle.as_bytes()) };
        let mut other_address = 0;
        // The only flag is required.
        for flags in [0, 2] {
            assert_eq!(code!(cuIpcOpenMemHandle_v2(&raw mut other_address, raw, flags)), refused, "{flags}");
        }
        assert_eq!(code!(cuIpcOpenMemHandle_v2(null_mut(), raw, 1)), refused);
        let zeros = CUipcMemHandle::default();
        assert_eq!(code!(cuIpcOpenMemHandle_v2(&raw mut other_address, zeros, 1)), refused);
        let (mut event, zeros) = (null_mut(), CUipcEventHandle::default());
        let failed = CUresult::CUDA_ERROR_MAP_FAILED;
        assert_eq!(code!(cuIpcOpenEventHandle(&raw mut event, zeros)), failed);
        // It ends where it ends in the other process.
        let (mut base, mut bytes) = (0, 0);
        call!(cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, address + 8));
        assert_eq!((base, bytes), (address, 4 * LEN));
        assert_eq!(code!(cuMemsetD8_v2(address, 0, 4 * LEN + 1)), refused);
        let attribute = |attribute| {
            let mut value = -1;
            call!(cuPointerGetAttribute((&raw mut value).cast(), attribute, address));
            value
        };
        use CUpointer_attribute_enum as A;
        assert_eq!(attribute(A::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE), 0);
        assert_eq!(attribute(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE), 2);
        assert_eq!(attribute(A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL), 0);
        // Memory of another process cannot be freed. The process's own memory, or an unknown address, cannot be closed.
        assert_eq!(code!(cuMemFree_v2(address)), refused);
        let own = allocate(4);
        for wrong in [own, address + 4, 0] {
            assert_eq!(code!(cuIpcCloseMemHandle(wrong)), refused, "{wrong:#x}");
        }
        call!(cuMemFree_v2(own));
        assert_eq!(read(address), 0);
    }
    shared.close().unwrap();
    let _entered = context.enter().unwrap();
    assert_eq!(code!(cuIpcCloseMemHandle(address)), refused);
    other.say("tried");
}

#[test]
fn memory_of_another_device_becomes_accessible() {
    let Some(second) = second_device() else { skip!("one device") };
    if !second.can_access_peer(cuda_suite::device()).unwrap() {
        skip!("the devices do not reach each other");
    }
    play("two devices");
}

fn keep(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let shared = DeviceBuf::from_host_in(&stream, &numbers(0), MemorySource::Plain).unwrap();
    let event = shared_event(&context);
    event.record(&stream).unwrap();
    other.say_bytes(shared.ipc_handle().unwrap().as_bytes());
    other.say_bytes(event.ipc_handle().unwrap().as_bytes());
    other.expect("added");
    assert_eq!(shared.to_vec().unwrap(), numbers(3));
}

fn open_elsewhere(other: &mut Other) {
    let context = Context::new(Device::get(1).unwrap(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let adder = adding(&context);
    let shared = open(&stream, &other.hear_memory(), LEN).unwrap();
    stream.wait_event(&open_event(&context, &other.hear_event())).unwrap();
    add(&adder, &shared, 3);
    assert_eq!(shared.to_vec().unwrap(), numbers(3));
    // The context's objects are released with it.
    drop((shared, stream, adder, context));
    other.say("added");
}

/// The effect of freeing memory that another process has open is not defined. With the software driver, the memory stays.
#[test]
fn software_driver_keeps_freed_blocks_that_are_open() {
    if driver() == Choice::Real {
        skip!("it is undefined what a driver does then");
    }
    play("gone");
}

fn go(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let shared = DeviceBuf::from_host_in(&stream, &numbers(9), MemorySource::Plain).unwrap();
    let (handle, event) = (shared.ipc_handle().unwrap(), shared_event(&context));
    let event_handle = event.ipc_handle().unwrap();
    other.say_bytes(handle.as_bytes());
    other.say_bytes(event_handle.as_bytes());
    other.expect("opened");
    drop((shared, event));
    other.say("freed");
    other.expect("read");
}

fn look_after(other: &mut Other) {
    let context = context();
    let stream = Stream::new(&context).unwrap();
    let (handle, event_handle) = (other.hear_memory(), other.hear_event());
    let (shared, event) = (open(&stream, &handle, LEN).unwrap(), open_event(&context, &event_handle));
    other.say("opened");
    other.expect("freed");
    assert_eq!(shared.to_vec().unwrap(), numbers(9));
    event.record(&stream).unwrap().synchronize().unwrap();
    // Memory that is open in a context can be opened again, even if its owner is gone; later it cannot.
    drop(open(&stream, &handle, LEN).unwrap());
    drop(shared);
    assert_eq!(open(&stream, &handle, LEN).unwrap_err().code(), Some(Code::InvalidValue));
    // SAFETY: it is not there.
    let error = unsafe { Event::from_ipc_handle(&context, &event_handle) }.unwrap_err();
    assert_eq!(error.code(), Some(Code::MapFailed));
    other.say("read");
}

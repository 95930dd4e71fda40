//! A process of its own, whose memory and event tests open.

use cuda_rt::event::EventFlags;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::memory::MemorySource;
use cuda_rt::{Context, Device, DeviceBuf, Event, Stream};
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

/// The content of the memory.
pub const NUMBERS: [u32; 4] = [1, 2, 3, 4];

type Output = Lines<BufReader<ChildStdout>>;

/// The mark before each handle on the standard output.
const MARK: &str = "handle: ";

/// Its handles. It lives as long as this process, and is started by the first who asks: as the ignored test `name` of the
/// same program, which calls [`serve`].
pub fn handles(name: &str) -> (IpcMemHandle, IpcEventHandle) {
    // With its standard output: the test harness of a process that lives for a minute says so there.
    static NEIGHBOUR: OnceLock<(Child, Output, IpcMemHandle, IpcEventHandle)> = OnceLock::new();
    let (_, _, memory, event) = NEIGHBOUR.get_or_init(|| {
        let mut process = Command::new(std::env::current_exe().expect("a program"))
            .args(["--exact", name, "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut next = || {
            let handle = output.find_map(|line| {
                let line = line.expect("text");
                let digits = line.strip_prefix(MARK)?;
                Some(std::array::from_fn(|at| {
                    u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("digits")
                }))
            });
            handle.expect("a handle")
        };
        let (memory, event) = (IpcMemHandle::from_bytes(next()), IpcEventHandle::from_bytes(next()));
        (process, output, memory, event)
    });
    (*memory, *event)
}

/// Serves: shares memory of the first device of the software driver, and a recorded event.
pub fn serve() -> ! {
    cuda_sim::install_once().expect("no other driver is in use");
    let context = Context::primary(Device::get(0).expect("a device")).expect("a context");
    let stream = Stream::new(&context).expect("a stream");
    let memory = DeviceBuf::from_host_in(&stream, &NUMBERS, MemorySource::Plain).expect("memory");
    let flags = EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING;
    let event = Event::with_flags(&context, flags).expect("an event");
    event.record(&stream).expect("it is recorded");
    let handles = (memory.ipc_handle().expect("a handle"), event.ipc_handle().expect("a handle"));
    for bytes in [handles.0.as_bytes(), handles.1.as_bytes()] {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // On a line of its own, whatever the harness has written.
        println!("\n{MARK}{digits}");
    }
    let _ = std::io::stdout().flush();
    // Until the process that asked has ended, or another reader of the standard output.
    let _ = std::io::stdin().read(&mut [0]);
    std::process::exit(0);
}

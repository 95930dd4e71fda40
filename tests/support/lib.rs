//! Helpers of all tests: the choice of a driver, and counted skips.
//!
//! `CUDA_DRIVER` chooses: `sim`, the software driver; `real`, the machine's own, whose absence is then a
//! failure; `auto`, the machine's own if it has a usable GPU, else the software driver. The
//! default is `sim`. `CUDA_SIM` describes the software driver's machine, as
//! [`Config::from_text`](cuda_sim::Config::from_text) says.

#![allow(unsafe_code)] // how a process ends
#![allow(clippy::panic, clippy::expect_used, clippy::missing_panics_doc, clippy::print_stdout)]

pub mod fatbin;
pub mod mistakes;
pub mod neighbour;
pub mod raw;

use cuda_rt::error::ErrorKind;
use cuda_rt::{Context, Device, Error, Stream};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The driver that a program runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The machine's.
    Real,
    /// The software driver.
    Sim,
}

/// Chooses a driver by `CUDA_DRIVER`, once in a process.
pub fn driver() -> Choice {
    static CHOICE: OnceLock<Choice> = OnceLock::new();
    *CHOICE.get_or_init(|| {
        let wanted = std::env::var("CUDA_DRIVER").unwrap_or_else(|_| "sim".to_owned());
        if wanted == "real" {
            return Choice::Real;
        }
        let config = std::env::var("CUDA_SIM").unwrap_or_default();
        let config = cuda_sim::Config::from_text(&config).unwrap_or_else(|error| panic!("CUDA_SIM: {error}"));
        match wanted.as_str() {
            "sim" => {
                cuda_sim::install(config).expect("nothing has used a driver before");
            }
            "auto" => match cuda_sim::install_unless_gpu(config) {
                Ok(None) => return Choice::Real,
                Ok(Some(reason)) => println!("no usable GPU ({reason}): falling back to the software driver"),
                Err(error) => panic!("{error}"),
            },
            other => panic!("CUDA_DRIVER={other}: it must be auto, real or sim"),
        }
        fail_on_internal_errors();
        Choice::Sim
    })
}

/// Lets the process fail in the end if the software driver has been in error itself by then, whatever its tests
/// made of it.
pub fn fail_on_internal_errors() {
    extern "C" fn look() {
        let count = cuda_sim::internal_errors();
        if count > 0 {
            let _ = writeln!(
                std::io::stderr(),
                "FAILED: {count} internal errors of the software driver, see above"
            );
            // SAFETY: nothing is left to do but to end.
            unsafe { libc::_exit(101) };
        }
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: a function without arguments that does not unwind.
        let code = unsafe { libc::atexit(look) };
        assert_eq!(code, 0, "the look at the end cannot be arranged");
    });
}

/// The first device.
pub fn device() -> Device {
    driver();
    Device::get(0).expect("there is a device")
}

/// The second device, if there is one.
pub fn second_device() -> Option<Device> {
    driver();
    Device::get(1).ok()
}

/// The first device's primary context, which stays for the whole process: making it takes long.
pub fn context() -> Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::primary(device()).expect("the device can be used")).clone()
}

/// A new stream in [`context`].
pub fn stream() -> Stream {
    Stream::new(&context()).expect("a stream can be made")
}

/// Runs a test in a process of its own, for example because nothing works after a fault.
pub fn apart(name: &str, test: impl FnOnce()) {
    const INSIDE: &str = "CUDA_TEST_APART";
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let program = std::env::current_exe().expect("this program can be run");
    let output = Command::new(program)
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, "")
        .output()
        .expect("this program can be run");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    for line in text[1].lines().filter(|line| line.starts_with("SKIP")) {
        say(line);
    }
    assert!(output.status.success(), "{}\n{}", text[0], text[1]);
}

/// Returns the errors that the drop hook receives while `work` runs, in any thread, as text. One call runs at a time.
pub fn reports(work: impl FnOnce()) -> Vec<String> {
    static ONE: Mutex<()> = Mutex::new(());
    static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let seen = || SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    seen().clear();
    let before = cuda_rt::handle::set_drop_hook(|error| {
        SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
    });
    work();
    before.restore();
    std::mem::take(&mut *seen())
}

/// Says something that a test found out, on a line of the standard error that the test harness does not swallow.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Says that a test is skipped, and counts. Use [`skip!`], which also returns.
pub fn note_skip(test: &str, reason: &str) {
    static SKIPPED: AtomicU32 = AtomicU32::new(0);
    let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    // Not `eprintln!`, which the test harness swallows.
    let _ = writeln!(std::io::stderr(), "SKIP {count}: {test}: {reason}");
}

/// Returns the name of the package in a folder of the repository. It is the name on a registry, and may differ from the folder's.
pub fn package_name(folder: &str) -> String {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let text = std::fs::read_to_string(manifest).expect("the folder has a manifest");
    let name = text.split_once("\nname = \"").and_then(|(_, rest)| rest.split_once('"'));
    name.expect("the manifest has a name").0.to_owned()
}

/// The size of a page of the host, in bytes.
pub fn host_page() -> usize {
    #[cfg(unix)]
    // SAFETY: any number may be asked for.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    #[cfg(not(unix))]
    let size = 4096;
    size
}

/// Compiles a shared library of this file name from C text, in the folder. `None` if there is no C compiler.
pub fn shared_library(folder: &Path, name: &str, text: &str) -> Option<PathBuf> {
    std::fs::create_dir_all(folder).ok()?;
    let (source, library) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).ok()?;
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    compiled.is_ok_and(|status| status.success()).then_some(library)
}

/// Ends the test with the words why it cannot run here, on a line that starts with `SKIP`.
#[macro_export]
macro_rules! skip {
    ($($reason:tt)+) => {{
        let thread = std::thread::current();
        $crate::note_skip(thread.name().unwrap_or("?"), &format!($($reason)+));
        return;
    }};
}

/// The programs in the documents, compiled.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../README.md")]
    #[allow(missing_debug_implementations)]
    pub struct Readme;
    #[doc = include_str!("../../cuda-rt/README.md")]
    #[allow(missing_debug_implementations)]
    pub struct Runtime;
    #[doc = include_str!("../../cuda-sim/README.md")]
    #[allow(missing_debug_implementations)]
    pub struct Simulator;
}

/// A refusal as a test expects it: its kind, and a part of its text. Errors and results can be compared with it.
#[derive(Debug, Clone)]
pub struct Refusal {
    kind: ErrorKind,
    part: String,
}

/// A refused argument, whose text has this part.
pub fn invalid(part: impl Into<String>) -> Refusal {
    Refusal { kind: ErrorKind::InvalidArgument, part: part.into() }
}

/// A refusal because a stream is being captured.
pub fn capturing() -> Refusal {
    Refusal { kind: ErrorKind::StreamCapturing, part: "is being captured".to_owned() }
}

/// A refusal because the host must not touch managed memory.
pub fn not_for_host() -> Refusal {
    let part = "has no concurrent managed access, so the host must not touch".to_owned();
    Refusal { kind: ErrorKind::AccessDenied, part }
}

/// A refusal of a call inside a host function.
pub fn inside_host_function(call: &str) -> Refusal {
    Refusal { kind: ErrorKind::InsideHostFunction, part: format!("{call}: ") }
}

/// A context that other code has ended.
pub fn context_lost() -> Refusal {
    Refusal { kind: ErrorKind::ContextLost, part: "context: other code has reset or destroyed it".to_owned() }
}

/// A refused range.
pub fn out_of_bounds(start: usize, end: usize, len: usize) -> Refusal {
    invalid(if end < start {
        format!("range {start}..{end} ends before it starts, in a length of {len}")
    } else if end > len {
        format!("range {start}..{end} exceeds the length {len}")
    } else {
        format!("range {start}..={end} exceeds the length {len}")
    })
}

impl PartialEq<Refusal> for Error {
    fn eq(&self, refusal: &Refusal) -> bool {
        let text = self.to_string();
        // Every refusal that a test expects is one of the shape that all refusals have.
        assert!(self.code().is_some() || is_refusal_text(&text), "not the shape of a refusal: {text}");
        self.kind() == refusal.kind && text.contains(&refusal.part)
    }
}

/// Returns whether a text reads `<call or object>: <value> <breaks> <limit>; <what to do>`, as far as a test can
/// tell. The text begins with a call, an object or a name, and has none of the words that hide the subject.
pub fn is_refusal_text(text: &str) -> bool {
    const NAMES: [&str; 3] = ["PTX", "NVRTC of CUDA ", "LTO-IR"];
    let Some((subject, detail)) = text.split_once(": ") else { return false };
    let has_name = NAMES.iter().any(|name| subject.starts_with(name));
    let is_object = subject.starts_with(|first: char| first.is_ascii_lowercase());
    let has_article = ["the ", "a ", "an "].iter().any(|article| subject.starts_with(article));
    (is_object || has_name)
        && !has_article
        && !detail.is_empty()
        && !text.ends_with('.')
        && !hides_subject(text)
}

/// Returns whether a text has a word that stands in the place of a noun.
pub fn hides_subject(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    words.any(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "what" | "somebody" | "nobody" | "whoever" | "anybody" | "someone"
        )
    })
}

impl<T> PartialEq<Refusal> for cuda_rt::Result<T> {
    fn eq(&self, refusal: &Refusal) -> bool {
        self.as_ref().is_err_and(|error| *error == *refusal)
    }
}

//! The calls of the catalogue in the child of a fork.

use crate::catalogue::{Call, Entry};
use crate::layer;
use std::io::{Read, Write, pipe};
use std::mem::{ManuallyDrop, take};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A child that takes longer is taken to wait for a thread that is not there.
const SECONDS: u32 = 5;
/// The exit code of a child in which a call panics.
const PANICKED: i32 = 8;

/// Makes the calls in the child of a fork, and drops their objects there. In this process they stay as they are. Returns the step that a child did not survive, and
/// what happened.
pub(crate) fn in_child(entries: &[Entry], calls: &mut Vec<Call>) -> Option<(usize, &'static str)> {
    let (mut steps, mut writer) = pipe().unwrap();
    // SAFETY: the child calls what a program may call there: C libraries' allocators survive forks.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        layer::become_child();
        // SAFETY: no handler is set, so the signal ends the child.
        unsafe { libc::alarm(SECONDS) };
        let made = catch_unwind(AssertUnwindSafe(|| {
            for (step, (entry, mut call)) in entries.iter().zip(take(calls)).enumerate() {
                // The stand-in for NVRTC locks the machine, which a thread of the software driver may have locked.
                if entry.names[0].starts_with("nvrtc::") {
                    let _ = ManuallyDrop::new(call);
                    continue;
                }
                writer.write_all(&step.to_ne_bytes()).unwrap();
                let _ = call.call();
            }
        }));
        // SAFETY: the child ends here, without the parent's exit handlers.
        unsafe { libc::_exit(if made.is_ok() { 0 } else { PANICKED }) };
    }
    drop(writer);
    let mut bytes = Vec::new();
    steps.read_to_end(&mut bytes).unwrap();
    let mut status = 0;
    // SAFETY: `status` is valid for a write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    let step = usize::from_ne_bytes(*bytes.last_chunk().unwrap());
    let ended = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    match ended {
        Some(0) => None,
        Some(PANICKED) => Some((step, "panics in the child of a fork")),
        Some(layer::CRASHED) => Some((step, "makes a call that crashes in the child of a fork")),
        _ if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM => {
            Some((step, "waits in the child of a fork"))
        }
        _ => Some((step, "ends the process in the child of a fork")),
    }
}

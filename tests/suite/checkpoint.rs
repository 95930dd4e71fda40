//! Checkpoints of processes.
#![allow(unsafe_code)]

use crate::is_since;
use cuda_rt::checkpoint::{CustomStorage, Process, ProcessState};
use cuda_rt::device::Uuid;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::{Device, DeviceBuf, Result, Stream};
use cuda_suite::{Choice, context, device, driver, skip};
use std::time::{Duration, Instant};

macro_rules! since_12_8 {
    () => {
        if !is_since(12, 8) {
            skip!("checkpoints came with 12.8");
        }
        device();
    };
}

fn checkpoint(process: Process) -> Result<()> {
    // SAFETY: no thread uses memory of the host that the driver has.
    unsafe { process.checkpoint() }
}

fn restore(process: Process, moved: &[(Uuid, Uuid)]) -> Result<()> {
    // SAFETY: as above.
    unsafe { process.restore(moved) }
}

#[test]
fn old_drivers_have_no_checkpoints() {
    if is_since(12, 8) {
        skip!("the driver has them");
    }
    device();
    let own = Process::current();
    let outcomes = [
        own.state().map(drop),
        own.restore_thread_id().map(drop),
        own.lock(None),
        checkpoint(own),
        restore(own, &[]),
        own.unlock(),
    ];
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
        assert!(error.to_string().contains("12.8"), "{error}");
    }
}

/// A process locks, saves, restores and unlocks itself.
#[test]
fn memory_survives_a_checkpoint() {
    since_12_8!();
    crate::alone("checkpoint::memory_survives_a_checkpoint", || {
        let own = Process::current();
        let stream = Stream::new(&context()).unwrap();
        let buffer = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
        assert_eq!(own.state().unwrap(), ProcessState::Running);
        own.lock(Some(Duration::from_secs(5))).unwrap();
        assert_eq!(own.state().unwrap(), ProcessState::Locked);
        // Pure queries do not wait.
        assert!(Device::count().unwrap() > 0);
        checkpoint(own).unwrap();
        assert_eq!(own.state().unwrap(), ProcessState::Checkpointed);
        let wrong = [(Uuid([5; 16]), Uuid([5; 16]))];
        assert_eq!(restore(own, &wrong).unwrap_err().code(), Some(Code::InvalidValue));
        restore(own, &[]).unwrap();
        assert_eq!(own.state().unwrap(), ProcessState::Locked);
        own.unlock().unwrap();
        assert_eq!(own.state().unwrap(), ProcessState::Running);
        assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
    });
}

#[test]
fn calls_wait_until_the_process_is_unlocked() {
    since_12_8!();
    crate::alone("checkpoint::calls_wait_until_the_process_is_unlocked", || {
        const LOCKED: Duration = Duration::from_millis(300);
        let stream = Stream::new(&context()).unwrap();
        let own = Process::current();
        own.lock(None).unwrap();
        let begun = Instant::now();
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| DeviceBuf::from_host(&stream, &[7_u32]).and_then(|one| one.to_vec()));
            std::thread::sleep(LOCKED);
            assert!(!thread.is_finished());
            own.unlock().unwrap();
            assert_eq!(thread.join().unwrap().unwrap(), [7]);
        });
        assert!(begun.elapsed() >= LOCKED);
    });
}

#[test]
fn steps_out_of_order_are_refused() {
    since_12_8!();
    crate::alone("checkpoint::steps_out_of_order_are_refused", || {
        context();
        let own = Process::current();
        let refuses = |outcome: cuda_rt::Result<()>| {
            let error = outcome.unwrap_err();
            assert_eq!(error.code(), Some(Code::IllegalState));
            assert!(error.to_string().ends_with(&format!("process {}", std::process::id())), "{error}");
        };
        refuses(checkpoint(own));
        refuses(restore(own, &[]));
        refuses(own.unlock());
        own.lock(None).unwrap();
        refuses(own.lock(None));
        refuses(restore(own, &[]));
        own.unlock().unwrap();
    });
}

#[test]
fn custom_storage_came_with_13_4() {
    since_12_8!();
    crate::alone("checkpoint::custom_storage_came_with_13_4", || {
        context();
        let own = Process::current();
        let complete = || {
            // SAFETY: null is allowed.
            let none = unsafe { CustomStorage::from_raw(core::ptr::null()) };
            // SAFETY: there is no operation.
            unsafe { none.complete() }
        };
        if !is_since(13, 4) {
            let outcomes = [
                own.checkpoint_to_custom_storage().map(drop),
                own.restore_from_custom_storage(&[]).map(drop),
                complete(),
            ];
            for outcome in outcomes {
                let missing = outcome.unwrap_err();
                assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
                assert!(missing.to_string().contains("13.4"), "{missing}");
            }
            return;
        }
        assert_eq!(complete().unwrap_err().kind(), ErrorKind::InvalidArgument);
        own.lock(None).unwrap();
        let mut outcomes = vec![own.checkpoint_to_custom_storage(), own.restore_from_custom_storage(&[])];
        // A driver might take 0 for the caller.
        outcomes.push(Process::from_id(0).checkpoint_to_custom_storage());
        #[cfg(target_os = "linux")]
        {
            // Another thread than the first one of the process.
            let thread = std::fs::read_link("/proc/thread-self").unwrap();
            let number = thread.file_name().unwrap().to_str().unwrap().parse().unwrap();
            assert_ne!(Process::from_id(number), own);
            outcomes.push(Process::from_id(number).checkpoint_to_custom_storage());
        }
        for outcome in outcomes {
            let refused = outcome.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
            assert!(refused.to_string().contains("name another process"), "{refused}");
        }
        own.unlock().unwrap();
    });
}

#[cfg(unix)]
#[test]
fn processes_without_cuda_have_no_state() {
    since_12_8!();
    let mut child = std::process::Command::new("sleep").arg("5").spawn().unwrap();
    let process = Process::from_id(child.id());
    let (state, lock) = (process.state().unwrap_err(), process.lock(None).unwrap_err());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!([state.code(), lock.code()], [Some(Code::NotInitialized); 2]);
    let gone = process.state().unwrap_err();
    assert_eq!(gone.code(), Some(Code::OperatingSystem));
    assert!(gone.to_string().ends_with(&format!("process {}", child.id())), "{gone}");
    let none = Process::from_id(u32::MAX).unlock().unwrap_err();
    assert_eq!(none.code(), Some(Code::OperatingSystem));
}

#[test]
fn limits_of_time_are_checked_before_the_call() {
    since_12_8!();
    for timeout in [Duration::ZERO, Duration::from_secs(1 << 32)] {
        let refused = Process::current().lock(Some(timeout)).unwrap_err();
        assert_eq!((refused.kind(), refused.code()), (ErrorKind::InvalidArgument, None));
    }
}

#[test]
fn the_thread_that_restores_is_of_the_process() {
    since_12_8!();
    context();
    let thread = Process::current().restore_thread_id();
    if driver() == Choice::Sim {
        return assert_eq!(thread.unwrap_err().code(), Some(Code::NotSupported));
    }
    assert!(std::path::Path::new(&format!("/proc/self/task/{}", thread.unwrap())).exists());
}

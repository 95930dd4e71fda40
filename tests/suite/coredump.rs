//! The settings of core dumps.
#![allow(unsafe_code)]

use crate::is_since;
use cuda_rt::context::ContextFlags;
use cuda_rt::coredump::{CoredumpFlags, global, on_complete, on_start};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::{Context, DevicePtr, LaunchConfig, Module, Stream};
use cuda_suite::{Choice, context, device, driver, skip};
use std::path::{Path, PathBuf};
use std::time::Duration;

macro_rules! since {
    ($major:literal, $minor:literal) => {
        if !is_since($major, $minor) {
            skip!("it came with {}.{}", $major, $minor);
        }
    };
}

fn own_context() -> Context {
    Context::new(device(), ContextFlags::default()).unwrap()
}

#[test]
fn old_drivers_have_no_settings() {
    if is_since(12, 1) {
        skip!("the driver has them");
    }
    let errors = [
        (global().is_enabled().map(drop), "cuCoredumpGetAttributeGlobal"),
        (global().set_enabled(false), "cuCoredumpSetAttributeGlobal"),
        (context().coredump_settings().file().map(drop), "cuCoredumpGetAttribute"),
        (context().coredump_settings().set_file("file"), "cuCoredumpSetAttribute"),
    ];
    for (outcome, call) in errors {
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.call()), (ErrorKind::FunctionMissing, Some(call)));
        assert!(error.to_string().contains("12.1"), "{error}");
    }
}

#[test]
fn settings_of_a_context_are_its_own() {
    since!(12, 1);
    crate::alone("coredump::settings_of_a_context_are_its_own", || {
        let (context, other) = (own_context(), own_context());
        let settings = context.coredump_settings();
        assert!(!settings.is_enabled().unwrap() && settings.aborts_process().unwrap());
        settings.set_enabled(true).unwrap();
        settings.set_lightweight(true).unwrap();
        settings.set_aborts_process(false).unwrap();
        settings.set_file("a file").unwrap();
        assert!(settings.is_enabled().unwrap() && settings.is_lightweight().unwrap());
        assert!(!settings.aborts_process().unwrap());
        assert_eq!(settings.file().unwrap(), Path::new("a file"));
        for other in [other.coredump_settings(), global()] {
            assert!(!other.is_enabled().unwrap() && !other.is_lightweight().unwrap());
            assert!(other.aborts_process().unwrap());
            assert_eq!(other.file().unwrap(), PathBuf::new());
        }
        settings.set_enabled(false).unwrap();
        assert!(!settings.is_enabled().unwrap());
    });
}

#[test]
fn flags_and_truths_are_the_same_setting() {
    since!(12, 1);
    let context = own_context();
    let settings = context.coredump_settings();
    if !is_since(12, 5) {
        let refused = settings.set_flags(CoredumpFlags::SKIP_ABORT).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        assert!(refused.to_string().ends_with("flags 0x10"), "{refused}");
        assert_eq!(settings.flags().unwrap_err().code(), Some(Code::InvalidValue));
        return;
    }
    settings.set_flags(CoredumpFlags::LIGHTWEIGHT | CoredumpFlags::SKIP_ABORT).unwrap();
    assert!(settings.is_lightweight().unwrap() && !settings.aborts_process().unwrap());
    settings.set_lightweight(false).unwrap();
    assert_eq!(settings.flags().unwrap(), CoredumpFlags::SKIP_TENSOR_MEMORY | CoredumpFlags::SKIP_ABORT);
    settings.set_aborts_process(true).unwrap();
    assert_eq!(settings.flags().unwrap(), CoredumpFlags::SKIP_TENSOR_MEMORY);
    settings.set_flags(CoredumpFlags::default()).unwrap();
    assert_eq!(settings.flags().unwrap(), CoredumpFlags::empty());
}

#[test]
fn new_contexts_take_over_the_settings_of_the_process() {
    since!(12, 1);
    crate::alone("coredump::new_contexts_take_over_the_settings_of_the_process", || {
        let before = own_context();
        global().set_lightweight(true).unwrap();
        global().set_file("of the process").unwrap();
        let context = own_context();
        assert!(context.coredump_settings().is_lightweight().unwrap());
        assert_eq!(context.coredump_settings().file().unwrap(), Path::new("of the process"));
        assert!(!before.coredump_settings().is_lightweight().unwrap());
        let enabled = Context::new(device(), ContextFlags::COREDUMP_ENABLE).unwrap();
        assert!(enabled.coredump_settings().is_enabled().unwrap() && !global().is_enabled().unwrap());
    });
}

#[test]
fn paths_have_at_most_1023_bytes() {
    since!(12, 1);
    let context = own_context();
    let settings = context.coredump_settings();
    let longest = "a".repeat(1023);
    settings.set_file(&longest).unwrap();
    assert_eq!(settings.file().unwrap(), Path::new(&longest));
    let refused = settings.set_file("a".repeat(1024)).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    assert!(refused.to_string().ends_with("path of 1024 bytes"), "{refused}");
    assert_eq!(settings.set_file("a\0b").unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn the_process_names_its_file_after_itself() {
    since!(12, 1);
    crate::alone("coredump::the_process_names_its_file_after_itself", || {
        let context = own_context();
        context.coredump_settings().set_file("core_%p").unwrap();
        assert_eq!(context.coredump_settings().file().unwrap(), Path::new("core_%p"));
        global().set_file("core_%p_").unwrap();
        assert_eq!(global().file().unwrap(), PathBuf::from(format!("core_{}_", std::process::id())));
    });
}

#[test]
fn only_the_process_has_a_pipe() {
    since!(12, 1);
    crate::alone("coredump::only_the_process_has_a_pipe", || {
        let context = own_context();
        let settings = context.coredump_settings();
        let refusals = [
            settings.pipe().map(drop),
            settings.set_pipe("pipe"),
            settings.has_user_trigger().map(drop),
            settings.set_user_trigger(true),
        ];
        for refused in refusals {
            assert_eq!(refused.unwrap_err().code(), Some(Code::InvalidValue));
        }
        let pipe = std::env::temp_dir().join(format!("coredump_{}", std::process::id()));
        global().set_pipe(&pipe).unwrap();
        assert_eq!(global().pipe().unwrap(), pipe);
        global().set_user_trigger(true).unwrap();
        assert!(global().has_user_trigger().unwrap());
        assert_eq!(global().set_pipe("another").unwrap_err().code(), Some(Code::NotSupported));
        global().set_user_trigger(false).unwrap();
        let _ = std::fs::remove_file(pipe);
    });
}

#[test]
fn functions_are_kept_by_their_guards() {
    device();
    let (start, complete) = (on_start(|_| ()), on_complete(|_| ()));
    if !is_since(13, 2) {
        let errors = [start.unwrap_err(), complete.unwrap_err()];
        let calls = ["cuCoredumpRegisterStartCallback", "cuCoredumpRegisterCompleteCallback"];
        for (error, call) in errors.iter().zip(calls) {
            assert_eq!((error.kind(), error.call()), (ErrorKind::FunctionMissing, Some(call)));
            assert!(error.to_string().contains("13.2"), "{error}");
        }
        return;
    }
    let (start, complete) = (start.unwrap(), complete.unwrap());
    assert_ne!(start.as_raw(), complete.as_raw());
    start.close().unwrap();
    drop(complete);
}

#[test]
fn a_fault_writes_a_core_dump() {
    since!(12, 5);
    if driver() == Choice::Sim {
        skip!("cuda-sim writes no core dumps");
    }
    crate::alone("coredump::a_fault_writes_a_core_dump", || {
        let file = std::env::temp_dir().join(format!("coredump_{}.nvcudmp", std::process::id()));
        let settings = global();
        settings.set_flags(CoredumpFlags::LIGHTWEIGHT | CoredumpFlags::SKIP_ABORT).unwrap();
        settings.set_file(&file).unwrap();
        settings.set_enabled(true).unwrap();
        let context = own_context();
        let stream = Stream::new(&context).unwrap();
        let ptx = ".version 6.4 .target sm_50 .address_size 64
            .visible .entry put(.param .u64 to) {
                .reg .b64 %a; ld.param.u64 %a, [to]; st.global.u64 [%a], %a; ret; }";
        let module = Module::from_ptx(&context, ptx).unwrap();
        let put = crate::typed::<(DevicePtr<u64>,)>(&module.function("put").unwrap());
        // SAFETY: no memory has this address: the device refuses the write.
        unsafe { put.launch(LaunchConfig::new(1, 1), &stream, (DevicePtr::from_raw(64),)) }.unwrap();
        // The driver reports the failure only after it has written the core dump.
        let mut failure = context.synchronize();
        for _ in 0..100 {
            if failure.is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
            failure = context.synchronize();
        }
        assert_eq!(failure.unwrap_err().code(), Some(Code::IllegalAddress));
        let dump = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(dump.starts_with(b"\x7fELF"), "{} bytes", dump.len());
    });
}

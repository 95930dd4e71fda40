//! Findings of the software driver's sweep, with programs that have one mistake each.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use cuda_sim::nvrtc::{NvrtcFault, Output, Source};
use cuda_sim::sweep::{Case, FaultKind, Report, Sweep};
use cuda_sim::{Config, Machine};
use cuda_suite::{call, code};
use cuda_sys::nvrtc::{self, nvrtcProgram, nvrtcResult};
use cuda_sys::{
    CUevent, CUresult, CUstreamCaptureMode_enum, Symbol, cuCtxCreate_v2, cuCtxDestroy_v2, cuCtxSynchronize,
    cuDeviceGetCount, cuEventCreate, cuEventDestroy_v2, cuInit, cuMemAlloc_v2, cuMemFree_v2,
    cuThreadExchangeStreamCaptureMode,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::process::Command;
use std::ptr::{null, null_mut};

type Done = Result<(), String>;
type Scenario = fn() -> Done;

fn check(call: &str, code: CUresult) -> Done {
    if code.is_success() { Ok(()) } else { Err(format!("{call}: {code}")) }
}

/// In the context that is current in a sweep.
fn memory() -> Done {
    check("cuInit", code!(cuInit(0)))?;
    let mut address = 0;
    check("cuMemAlloc_v2", code!(cuMemAlloc_v2(&raw mut address, 64)))?;
    let synchronized = check("cuCtxSynchronize", code!(cuCtxSynchronize()));
    synchronized.and(check("cuMemFree_v2", code!(cuMemFree_v2(address))))
}

/// An error names the call that failed.
fn names_its_call<T: std::fmt::Debug>(run: &cuda_sim::sweep::Run<'_, T, String>) -> Done {
    match (run.case(), run.result()) {
        (None, Ok(_)) => Ok(()),
        (Some(case), Err(error)) if error.starts_with(&format!("{}: ", case.function())) => Ok(()),
        (_, result) => Err(format!("it returned {result:?}")),
    }
}

/// The cases that went wrong, with what was found.
fn found(report: &Report) -> Vec<(String, String)> {
    let case = |case: Option<Case>| case.map_or_else(String::new, |case| case.to_string());
    report.failures.iter().map(|failure| (case(failure.case), failure.findings.join("; "))).collect()
}

#[test]
fn a_correct_program_passes() {
    let report = Sweep::new(memory).check(names_its_call).run();
    assert!(report.is_ok(), "{report}");
    assert_eq!((report.calls, report.nvrtc_calls), (4, 0));
    assert!(
        report.to_string().starts_with(&format!("{} runs of a scenario of 4 calls, 0 went", report.runs))
    );
}

/// Every call, every documented code, and more: as many runs as can be counted from outside.
/// Codes that end queued work are sticky if work is queued. The objects that are left then are no leaks.
#[test]
fn failure_with_queued_work_is_no_leak() {
    let scenario = || {
        let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
        let stream = cuda_rt::Stream::new(&context)?;
        let buffer = cuda_rt::DeviceBuf::<u32>::zeroed(&stream, 100)?;
        buffer.to_pinned()?.wait().map(|copied| copied.len()).map_err(cuda_rt::Error::from)
    };
    let config = Config { schedule: cuda_sim::Schedule::Lazy, ..Config::default() };
    let report = Sweep::new(scenario).config(config).run();
    assert!(report.is_ok(), "{report}");
}

#[test]
fn every_documented_code_of_every_call_is_run() {
    let cases = std::cell::RefCell::new(BTreeSet::new());
    let report = Sweep::new(memory)
        .check(|run| {
            cases.borrow_mut().extend(run.case().map(Case::to_string));
            Ok(())
        })
        .run();
    assert!(report.is_ok(), "{report}");
    let mut expected = BTreeSet::new();
    let calls = [
        (Symbol::cuInit, true),
        (Symbol::cuMemAlloc_v2, true),
        (Symbol::cuCtxSynchronize, false),
        (Symbol::cuMemFree_v2, false),
    ];
    for (number, (call, makes)) in calls.into_iter().enumerate() {
        for code in cuda_sim::documented_codes(call).unwrap() {
            expected.insert(format!("{number}:{call}:{}", code.name().unwrap()));
        }
        for code in ["9999", "CUDA_ERROR_ILLEGAL_ADDRESS"] {
            expected.insert(format!("{number}:{call}:{code}"));
            expected.extend((!makes).then(|| format!("{number}:{call}:{code}:after")));
        }
        expected.insert(format!("{number}:{call}:CUDA_ERROR_ILLEGAL_ADDRESS:sticky"));
    }
    assert_eq!(cases.into_inner(), expected);
    assert_eq!(report.runs, expected.len());
}

#[test]
fn leaked_object_is_found() {
    let report = Sweep::new(|| {
        memory()?;
        let mut context = null_mut();
        check("cuCtxCreate_v2", code!(cuCtxCreate_v2(&raw mut context, 0, 0)))?;
        // The context is not destroyed after a failure.
        check("cuCtxSynchronize", code!(cuCtxSynchronize()))?;
        check("cuCtxDestroy_v2", code!(cuCtxDestroy_v2(context)))
    })
    .check(names_its_call)
    .run();
    let found = found(&report);
    let own = |case: &str| case.starts_with("5:cuCtxSynchronize") || case.starts_with("6:cuCtxDestroy_v2");
    assert!(!found.is_empty() && found.iter().all(|(case, _)| own(case)), "{report}");
    let (_, leak) = found.iter().find(|(case, _)| case == "5:cuCtxSynchronize:9999").unwrap();
    assert_eq!(leak, "the thread has 2 contexts, or another one than before; still alive: 1 context");
    // The finding is the current context, not the context's destruction.
    let (_, stays) = found.iter().find(|(case, _)| case == "6:cuCtxDestroy_v2:9999").unwrap();
    assert_eq!(stays, "the thread has 2 contexts, or another one than before");
}

#[test]
fn object_of_a_failed_destruction_may_stay() {
    let left = Cell::new(0);
    let report = Sweep::new(|| {
        memory()?;
        let mut event: CUevent = null_mut();
        check("cuEventCreate", code!(cuEventCreate(&raw mut event, 0)))?;
        check("cuEventDestroy_v2", code!(cuEventDestroy_v2(event)))
    })
    .check(|run| {
        left.set(left.get() + usize::from(run.case().is_some() && run.allowed_live().events == 1));
        names_its_call(run)
    })
    .run();
    assert!(report.is_ok(), "{report}");
    assert!(left.get() > 5, "{}", left.get());
}

/// The line of a failure makes the same call fail in a plain run, each time.
#[test]
fn setting_of_a_failure_brings_it_back() {
    // The plain run uses no state of the sweep.
    fn program() -> Done {
        let (mut context, mut first, mut second) = (null_mut(), 0, 0);
        check("cuInit", code!(cuInit(0)))?;
        check("cuCtxCreate_v2", code!(cuCtxCreate_v2(&raw mut context, 0, 0)))?;
        check("cuMemAlloc_v2", code!(cuMemAlloc_v2(&raw mut first, 64)))?;
        check("cuMemAlloc_v2", code!(cuMemAlloc_v2(&raw mut second, 64)))?;
        check("cuMemFree_v2", code!(cuMemFree_v2(first)))?;
        check("cuMemFree_v2", code!(cuMemFree_v2(second)))?;
        check("cuCtxDestroy_v2", code!(cuCtxDestroy_v2(context)))
    }
    let report = Sweep::new(program)
        .cases(|case| case.driver_code() != Some(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS))
        .check(|run| run.result().clone())
        .run();
    let mut brought_back = 0;
    for failure in &report.failures {
        let (case, setting) = (failure.case.unwrap(), failure.setting.as_ref().unwrap());
        assert!(failure.to_string().ends_with(&format!("\n  CUDA_SIM={setting}")), "{failure}");
        for _ in 0..3 {
            let machine = Machine::new(Config::from_text(setting).unwrap());
            let _entered = machine.enter();
            machine.record_calls();
            let Err(error) = program() else { panic!("{setting} does not fail") };
            assert_eq!(failure.findings[0], error);
            let failed =
                machine.take_calls().into_iter().enumerate().find(|(_, call)| !call.code.is_success());
            let (number, call) = failed.unwrap();
            assert_eq!((number, call.function.name()), (case.call(), case.function()), "{setting}");
            assert_eq!(Some(call.code), case.driver_code(), "{setting}");
        }
        brought_back += 1;
    }
    assert_eq!(brought_back, report.runs, "each case is a failure");
    let settings: BTreeSet<&str> =
        report.failures.iter().filter_map(|failure| failure.setting.as_deref()).collect();
    for setting in [
        "fault=cuInit:9999:times-1",
        "fault=cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:times-1",
        "fault=cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:skip-1:times-1",
        "fault=cuMemFree_v2:9999:skip-1:times-1:after",
    ] {
        assert!(settings.contains(setting), "{setting}: {report}");
    }
}

#[test]
fn a_panic_is_found_with_its_message() {
    let report = Sweep::new(|| {
        assert!(code!(cuInit(0)).is_success(), "there is no driver");
        Ok::<(), String>(())
    })
    .run();
    let found = found(&report);
    assert_eq!(found.len(), report.runs);
    assert!(
        found.contains(&("0:cuInit:CUDA_ERROR_INVALID_VALUE".into(), "panicked: there is no driver".into()))
    );
}

#[test]
fn panic_with_a_panicking_payload_is_found() {
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            panic!("the payload is dropped");
        }
    }
    let report = Sweep::new(|| -> Done { std::panic::panic_any(Payload) }).run();
    assert_eq!(found(&report), [(String::new(), "panicked: without a message".to_owned())]);
}

#[test]
fn another_capture_mode_is_found() {
    let report = Sweep::new(|| {
        let mut mode = CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
        call!(cuThreadExchangeStreamCaptureMode(&raw mut mode));
        check("cuCtxSynchronize", code!(cuCtxSynchronize()))?;
        check("cuThreadExchangeStreamCaptureMode", code!(cuThreadExchangeStreamCaptureMode(&raw mut mode)))
    })
    .cases(|case| case.function() == "cuCtxSynchronize" && case.kind() == FaultKind::Before)
    .run();
    assert!(report.runs > 4 && report.failures.len() == report.runs, "{report}");
    assert!(found(&report)[0].1.starts_with("the thread is in another capture mode than before"));
}

#[test]
fn report_of_the_machine_is_found() {
    let frees = |healthy: usize, failed: usize| {
        move || {
            let mut address = 0;
            check("cuMemAlloc_v2", code!(cuMemAlloc_v2(&raw mut address, 64)))?;
            let synchronized = check("cuCtxSynchronize", code!(cuCtxSynchronize()));
            let more = if synchronized.is_ok() { healthy } else { failed };
            let freed = check("cuMemFree_v2", code!(cuMemFree_v2(address)));
            for _ in 0..more {
                let _ = code!(cuMemFree_v2(address));
            }
            synchronized.and(freed)
        }
    };
    let memcheck = || Config { memcheck: true, ..Config::default() };
    let begins = |finding: &str| finding.starts_with("reported: double free: address 0x");

    // In the run without a fault.
    let report = Sweep::new(frees(1, 0)).config(memcheck()).run();
    let findings = &report.failures[0].findings;
    assert_eq!((report.runs, report.failures[0].case, findings.len()), (0, None, 1), "{report}");
    assert!(begins(&findings[0]) && !findings[0].contains("more"), "{report}");
    let report = Sweep::new(frees(3, 0)).config(memcheck()).run();
    assert!(report.failures[0].findings[0].ends_with(" (and 2 more reports)"), "{report}");

    // In the runs with a fault.
    let report = Sweep::new(frees(0, 2)).config(memcheck()).run();
    let found = found(&report);
    let is_own = |(case, finding): &(String, String)| {
        case.starts_with("1:cuCtxSynchronize:")
            && begins(finding)
            && finding.ends_with(" (and 1 more report)")
    };
    assert!(!found.is_empty() && found.iter().all(is_own), "{report}");
    assert!(!found.iter().any(|(case, _)| case.ends_with(":sticky")), "nothing is freed then: {report}");

    // Neither without reports nor with reports that the scenario takes.
    assert!(Sweep::new(frees(1, 1)).run().is_ok());
    let takes = || {
        let done = frees(1, 1)();
        let _ = Machine::current().take_reports();
        done
    };
    let report = Sweep::new(takes).config(memcheck()).run();
    assert!(report.is_ok(), "{report}");
}

#[test]
fn the_check_of_the_test_is_asked() {
    let silent = || {
        let _ = code!(cuInit(0));
        Ok::<(), String>(())
    };
    assert!(Sweep::new(silent).run().is_ok(), "a failure may be no error to the program");
    let report = Sweep::new(silent).check(names_its_call).run();
    assert_eq!(report.failures.len(), report.runs);
    assert_eq!(found(&report)[0].1, "it returned Ok(())");
}

#[test]
fn failure_without_recovery_is_found() {
    let is_broken = Cell::new(false);
    let report = Sweep::new(|| {
        if is_broken.get() {
            return Err("broken".to_owned());
        }
        let code = code!(cuCtxSynchronize());
        is_broken.set(!code.is_success());
        check("cuCtxSynchronize", code)
    })
    .cases(|case| case.to_string() == "0:cuCtxSynchronize:9999")
    .run();
    assert_eq!(found(&report)[0].1, "then, without a fault: returned broken");
    assert_eq!(report.runs, 1);
}

#[test]
fn calls_that_differ_from_run_to_run_are_found() {
    let runs = Cell::new(0);
    let report = Sweep::new(|| {
        runs.set(runs.get() + 1);
        let mut count = 0;
        for _ in 0..runs.get() % 2 {
            check("cuDeviceGetCount", code!(cuDeviceGetCount(&raw mut count)))?;
        }
        check("cuInit", code!(cuInit(0)))
    })
    .run();
    let found = found(&report);
    assert!(found.iter().any(|(_, finding)| finding
        == "call 0 is cuDeviceGetCount and not cuInit: the calls differ from run to run"));
}

#[test]
fn faults_that_do_not_happen_are_found() {
    let report = Sweep::new(|| {
        Machine::current().clear_faults();
        let mut count = 0;
        check("cuDeviceGetCount", code!(cuDeviceGetCount(&raw mut count)))
    })
    .run();
    let found = found(&report);
    assert!(report.runs > 5 && found.len() == report.runs, "{report}");
    let finding = "call 0, cuDeviceGetCount, answers CUDA_SUCCESS (0: no error): the fault did not happen";
    assert!(found.iter().all(|(_, found)| found == finding), "{report}");
    // Nor does one happen to a call of NVRTC.
    let report = Sweep::new(|| {
        Machine::current().clear_faults();
        let (mut major, mut minor) = (0, 0);
        let code = code!(nvrtc::nvrtcVersion(&raw mut major, &raw mut minor));
        if code.is_success() { Ok(()) } else { Err(code.to_string()) }
    })
    .run();
    assert!(report.runs > 5 && report.failures.len() == report.runs, "{report}");
    // A call that fails by itself has its own code, also where it was to fail after its work.
    let wrong = || {
        let _ = code!(cuInit(1));
        Ok::<(), String>(())
    };
    let report = Sweep::new(wrong).run_case(&"0:cuInit:9999:after".parse().unwrap());
    let finding =
        "call 0, cuInit, answers CUDA_ERROR_INVALID_VALUE (1: invalid argument): the fault did not happen";
    assert_eq!(report.failures[0].findings, [finding]);
}

#[test]
fn a_scenario_that_fails_by_itself_is_not_swept() {
    let wrong: [(Scenario, &str); 3] = [
        (|| Err("no such file".to_owned()), "returned no such file"),
        (
            || check("cuInit", code!(cuInit(1))),
            "returned cuInit: CUDA_ERROR_INVALID_VALUE (1: invalid argument)",
        ),
        (
            || {
                let mut context = null_mut();
                check("cuCtxCreate_v2", code!(cuCtxCreate_v2(&raw mut context, 0, 0)))
            },
            "the thread has 2 contexts, or another one than before; still alive: 1 context",
        ),
    ];
    for (scenario, finding) in wrong {
        let report = Sweep::new(scenario).run();
        assert_eq!((report.runs, found(&report)), (0, vec![(String::new(), finding.to_owned())]));
        assert!(report.to_string().ends_with(&format!("\nwithout a fault: {finding}")));
    }
    let none = Sweep::new(|| Ok::<(), String>(())).config(Config { devices: 0, ..Config::default() }).run();
    let finding = "the machine cannot be prepared: cuInit: CUDA_ERROR_NO_DEVICE (100: no CUDA-capable device is detected)";
    assert_eq!(found(&none), [(String::new(), finding.to_owned())]);
}

#[test]
fn one_case_runs_alone() {
    let runs = Cell::new(0);
    let sweep = Sweep::new(|| {
        runs.set(runs.get() + 1);
        memory()
    });
    let report = sweep.run_case(&"1:cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY".parse().unwrap());
    assert!(report.is_ok(), "{report}");
    // Two without a fault before, the case, and one after it.
    assert_eq!((report.runs, runs.get()), (1, 4));
    let report = sweep.run_case(&"2:cuMemAlloc_v2:2".parse().unwrap());
    let finding = "call 2 is cuCtxSynchronize and not cuMemAlloc_v2: the calls differ from run to run";
    assert_eq!(found(&report), [("2:cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY".into(), finding.to_owned())]);
    let report = sweep.run_case(&"99:cuInit:2".parse().unwrap());
    assert_eq!(found(&report)[0].1, "call 99 is not made: the calls differ from run to run");
}

#[test]
fn cases_come_back_from_their_text() {
    for text in [
        "0:cuInit:CUDA_ERROR_NO_DEVICE",
        "12:cuMemAlloc_v2:9999:after",
        "3:cuCtxSynchronize:CUDA_ERROR_ILLEGAL_ADDRESS:sticky",
        "1:nvrtcGetPTX:NVRTC_ERROR_INTERNAL_ERROR",
        "1:nvrtcGetPTX:77:after",
    ] {
        assert_eq!(text.parse::<Case>().map(|case| case.to_string()), Ok(text.to_owned()));
    }
    for text in [
        "",
        "0",
        "0:cuInit",
        "x:cuInit:2",
        "0:cuNothing:2",
        "0:cuInit:CUDA_ERROR",
        "0:cuInit:2:before",
        "0:cuInit:2:after:sticky",
        "1:nvrtcGetPTX:7:sticky",
    ] {
        assert!(text.parse::<Case>().is_err(), "{text}");
    }
}

#[test]
fn creations_that_fail_after_all_are_run_on_request() {
    let event = || {
        let mut event: CUevent = null_mut();
        check("cuEventCreate", code!(cuEventCreate(&raw mut event, 0)))?;
        check("cuEventDestroy_v2", code!(cuEventDestroy_v2(event)))
    };
    assert!(Sweep::new(event).run().is_ok());
    let report = Sweep::new(event).cases(|_| true).run();
    let found = found(&report);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].0.starts_with("0:cuEventCreate:9999:after")
            && found[0].1.starts_with("still alive: 1 event")
    );
}

#[test]
fn a_sweep_leaves_its_thread_as_it_was() {
    cuda_sim::install_once().unwrap();
    let own = Machine::new(Config::default());
    let _entered = own.enter();
    call!(cuInit(0));
    assert!(Sweep::new(memory).run().is_ok());
    assert_eq!(Machine::current(), own);
    assert!(own.live().is_empty());
}

/// The result of a program of NVRTC that loads nothing: its PTX.
fn compile(is_careful: bool) -> Result<Vec<u8>, String> {
    let check = |call: &str, code: nvrtcResult| match code {
        nvrtcResult::NVRTC_SUCCESS => Ok(()),
        code => Err(format!("{call}: {code}")),
    };
    let mut program: nvrtcProgram = null_mut();
    let created = code!(nvrtc::nvrtcCreateProgram(
        &raw mut program,
        c"extern \"C\" __global__ void nothing() {}".as_ptr(),
        null(),
        0,
        null(),
        null()
    ));
    check("nvrtcCreateProgram", created)?;
    let compiled = (|| {
        check("nvrtcCompileProgram", code!(nvrtc::nvrtcCompileProgram(program, 0, null())))?;
        let mut size = 0;
        check("nvrtcGetPTXSize", code!(nvrtc::nvrtcGetPTXSize(program, &raw mut size)))?;
        let mut ptx = vec![0_u8; size];
        check("nvrtcGetPTX", code!(nvrtc::nvrtcGetPTX(program, ptx.as_mut_ptr().cast())))?;
        Ok(ptx)
    })();
    if compiled.is_err() && !is_careful {
        return compiled;
    }
    let destroyed = check("nvrtcDestroyProgram", code!(nvrtc::nvrtcDestroyProgram(&raw mut program)));
    compiled.and_then(|ptx| destroyed.map(|()| ptx))
}

#[test]
fn calls_of_nvrtc_fail_too() {
    nvrtc_in_place();
    let report = Sweep::new(|| compile(true)).check(names_its_call).run();
    assert!(report.is_ok(), "{report}");
    assert_eq!((report.calls, report.nvrtc_calls), (0, 5));
    assert_eq!(report.runs, 5 * 19 + 4, "all codes and an unknown one; after the work but for the creation");
    let report = Sweep::new(|| compile(false)).check(names_its_call).run();
    let found = found(&report);
    let leak = (
        "1:nvrtcCompileProgram:NVRTC_ERROR_COMPILATION".to_owned(),
        "still alive: 1 NVRTC program".to_owned(),
    );
    assert!(found.contains(&leak), "{report}");
    assert!(!found.iter().any(|(case, _)| case.contains("nvrtcDestroyProgram")), "{report}");
}

fn nvrtc_in_place() {
    cuda_sim::nvrtc::install_once().unwrap();
}

#[test]
fn the_stand_in_compiles_as_it_is_told() {
    nvrtc_in_place();
    let machine = Machine::new(Config::default());
    let _entered = machine.enter();
    let ptx = String::from_utf8(compile(true).unwrap()).unwrap();
    assert!(
        ptx.contains(".target sm_75") && ptx.contains(".visible .entry nothing()") && ptx.ends_with('\0')
    );
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::<Source>::new()));
    let kept = seen.clone();
    machine.compile_with(move |source| {
        kept.lock().unwrap().push(source.clone());
        // The driver and NVRTC may be called meanwhile.
        assert!(code!(cuInit(0)).is_success());
        assert!(cuda_rt::nvrtc::version().is_ok());
        Output::ptx("what was said")
    });
    assert_eq!(compile(true), Ok(b"what was said\0".to_vec()));
    let seen = seen.lock().unwrap().pop().unwrap();
    assert_eq!((&seen.name[..], seen.options.len()), ("", 0));
    assert!(seen.text.contains("nothing"));
    machine.compile_with(|_| Output::failure(nvrtcResult::NVRTC_ERROR_COMPILATION, "no"));
    assert!(compile(true).unwrap_err().starts_with("nvrtcCompileProgram: NVRTC_ERROR_COMPILATION"));
    machine.compile_with(|_| panic!("the compiler of this test is wrong"));
    assert!(compile(true).unwrap_err().starts_with("nvrtcCompileProgram: NVRTC_ERROR_INTERNAL_ERROR"));
    machine.reset();
    assert!(compile(true).is_ok());
    assert!(machine.live().is_empty());
}

#[test]
fn machines_do_not_share_programs_of_nvrtc() {
    nvrtc_in_place();
    let (one, other) = (Machine::new(Config::default()), Machine::new(Config::default()));
    let first = one.enter();
    let mut program: nvrtcProgram = null_mut();
    let create = || c"".as_ptr();
    let created = code!(nvrtc::nvrtcCreateProgram(&raw mut program, create(), null(), 0, null(), null()));
    assert!(created.is_success());
    let mut size = 0;
    let second = other.enter();
    other.inject_nvrtc(NvrtcFault::any(nvrtcResult::NVRTC_ERROR_BUSY).times(1));
    let ask = |size: &mut usize| code!(nvrtc::nvrtcGetPTXSize(program, size));
    assert_eq!(ask(&mut size), nvrtcResult::NVRTC_ERROR_BUSY);
    assert_eq!(ask(&mut size), nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM);
    drop(second);
    assert_eq!(ask(&mut size), nvrtcResult::NVRTC_SUCCESS);
    assert_eq!((one.live().nvrtc_programs, other.live().nvrtc_programs), (1, 0));
    assert_eq!(one.live().to_string(), "1 NVRTC program");
    assert!(code!(nvrtc::nvrtcDestroyProgram(&raw mut program)).is_success());
    drop(first);
}

/// On another driver a sweep reports that, and makes no call.
#[test]
fn a_sweep_on_another_driver_is_refused() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "elsewhere", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && out.contains("case done"), "{out}");
}

#[test]
#[ignore = "runs in a child process"]
fn elsewhere() {
    // SAFETY: no function is handed over.
    unsafe { cuda_sys::install("another driver", |_| None) }.unwrap();
    let report = Sweep::new(|| -> Done { panic!("it is not run") }).run();
    let finding = "a CUDA driver is in use already: another driver";
    assert_eq!(found(&report), [(String::new(), finding.to_owned())]);
    println!("case done");
}

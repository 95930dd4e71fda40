//! The driver of a process: installing one before and after the first use of a driver.
//!
//! A process has one driver, so each case runs in a child, which is this program again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_sim::{Config, FaultRule, InstallError, Machine};
use cuda_suite::{code, shared_library, skip};
use cuda_sys::{CUresult, Driver, Symbol, cuCtxGetCurrent, cuInit};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::{NonNull, null_mut};

const CASE: &str = "CUDA_SUITE_INSTALLING";
const VARIABLES: [&str; 5] =
    ["CUDA_SYS_LIBRARY", "CUDA_SYS_NVRTC_LIBRARY", "CUDA_SIM", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"];

/// Runs a case in a child with these variables alone, and returns its standard output and standard error.
fn run(case: &str, variables: &[(&str, &OsStr)]) -> (String, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child", "--ignored", "--nocapture"]).env(CASE, case);
    for name in VARIABLES {
        child.env_remove(name);
    }
    let child = child.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&child.stdout), text(&child.stderr));
    assert!(child.status.success() && out.contains("case done"), "{case} {variables:?}: {out}\n{err}");
    (out, err)
}

fn in_child(case: &str, variables: &[(&str, &str)]) -> String {
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, OsStr::new(value))).collect();
    run(case, &variables).1
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let case = std::env::var(CASE).unwrap();
    match &case[..] {
        "late install" => late(|| cuda_sim::install(with_devices(3)).map(drop), 3),
        "late install_once" => late(|| cuda_sim::install_once().map(drop), 2),
        "late install_unless_gpu" => late(late_unless_gpu, 3),
        "named install_unless_gpu" => named_unless_gpu(),
        "loaded" => loaded(),
        "loaded without a GPU" => loaded_without_gpu(),
        "no GPU" => no_gpu(),
        "again" => again(),
        "threads" => threads(),
        "configured" => configured(),
        "layer" => layer(),
        "late NVRTC" => late_nvrtc(),
        "environment" => environment(),
        "default machine" => _ = cuda_sim::install_once().unwrap(),
        "machine of 4 devices" => _ = cuda_sim::install(with_devices(4)).unwrap(),
        "machine of the environment" => _ = cuda_sim::install(Config::from_env().unwrap()).unwrap(),
        "machine of the environment with 3 devices" => {
            _ = cuda_sim::install(Config { devices: 3, ..Config::from_env().unwrap() }).unwrap();
        }
        "private machine" => drop(Machine::new(with_devices(4)).enter()),
        "hint" => hint(),
        "late hint" => late_hint(),
        "later hint" => later_hint(),
        "no hint" => no_hint(),
        "no hint before init" => no_hint_before_init(),
        other => panic!("{other}"),
    }
    println!("case done");
}

fn with_devices(devices: u32) -> Config {
    Config { devices, ..Config::default() }
}

/// Asks for the driver where there is none.
fn touch() {
    let error = cuda_sys::driver().unwrap_err();
    for failed in [cuda_rt::init(), Device::count().map(drop)] {
        assert_eq!(failed.unwrap_err().context(), Some(error));
    }
    assert_eq!(code!(cuInit(0)), CUresult::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    assert!(Driver::installed().is_none());
}

/// The software driver works, for the safe layer too.
fn works(devices: u32) {
    assert_eq!(cuda_sys::driver().unwrap().origin(), "cuda-sim, the software driver");
    assert_eq!(Device::count(), Ok(devices));
    let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
    assert_eq!(DeviceBuf::from_host(&stream, &[7_u32]).unwrap().to_vec(), Ok(vec![7]));
}

fn late(install: fn() -> Result<(), InstallError>, devices: u32) {
    let other = std::thread::spawn(touch);
    touch();
    other.join().unwrap();
    install().unwrap();
    works(devices);
    std::thread::spawn(move || works(devices)).join().unwrap();
}

fn late_unless_gpu() -> Result<(), InstallError> {
    let reason = cuda_sim::install_unless_gpu(with_devices(3))?.unwrap();
    assert!(reason.contains("no CUDA driver could be loaded: libcuda.so.1"), "{reason}");
    Ok(())
}

const NOWHERE: &str = "/nonexistent/libcuda.so.1";

#[test]
fn install_after_a_failed_load_comes_in_time() {
    for case in ["late install", "late install_once"] {
        in_child(case, &[("CUDA_SYS_LIBRARY", NOWHERE)]);
    }
    if Driver::load().is_ok() {
        skip!("this machine has a driver");
    }
    for case in ["late install", "late install_once", "late install_unless_gpu"] {
        in_child(case, &[]);
    }
}

/// `CUDA_SYS_LIBRARY` names a library that is not there.
fn named_unless_gpu() {
    let asked = || match cuda_sim::install_unless_gpu(Config::default()) {
        Err(InstallError::Library(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let text = asked();
    assert!(text.contains("CUDA_SYS_LIBRARY=/nonexistent/libcuda.so.1"), "{text}");
    assert!(text.ends_with("(no other library was tried)"), "{text}");
    touch();
    assert_eq!(asked(), text, "the same after the driver was asked for");
    touch();
}

#[test]
fn a_named_library_that_fails_is_not_replaced() {
    in_child("named install_unless_gpu", &[("CUDA_SYS_LIBRARY", NOWHERE)]);
}

/// A driver whose `cuInit` answers this code, as the system's: the folder to look for it in.
fn system_driver(init: u32) -> Option<PathBuf> {
    let text = format!(
        "int cuInit(unsigned f) {{ return {init}; }}\nint cuDriverGetVersion(int *v) {{ *v = 12040; return 0; }}"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("system-driver-{init}"));
    shared_library(&folder, "libcuda.so.1", &text).map(|_| folder)
}

fn is_in_use(installed: Result<impl Sized, InstallError>, origin: &str) {
    match installed {
        Err(InstallError::InUse(error)) => assert_eq!(error.origin, origin),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was installed"),
    }
}

/// The system's driver was loaded by a call, and finds a GPU.
fn loaded() {
    assert!(cuda_sys::driver().is_ok());
    is_in_use(cuda_sim::install(Config::default()), "libcuda.so.1");
    is_in_use(cuda_sim::install_once(), "libcuda.so.1");
    assert_eq!(cuda_sim::install_unless_gpu(Config::default()), Ok(None));
    assert_eq!(cuda_sim::install_unless_gpu(Config::default()), Ok(None));
    assert_eq!(cuda_sys::driver().unwrap().origin(), "libcuda.so.1");
}

fn loaded_without_gpu() {
    assert!(cuda_sys::driver().is_ok());
    is_in_use(cuda_sim::install_unless_gpu(Config::default()), "libcuda.so.1");
    is_in_use(cuda_sim::install_once(), "libcuda.so.1");
}

fn no_gpu() {
    let reason = cuda_sim::install_unless_gpu(Config::default()).unwrap();
    let expected = "libcuda.so.1: cuInit: CUDA_ERROR_NO_DEVICE (100: no CUDA-capable device is detected)";
    assert_eq!(reason.as_deref(), Some(expected));
    works(2);
}

#[test]
fn install_after_a_loaded_driver_is_refused() {
    let (Some(working), Some(without)) = (system_driver(0), system_driver(100)) else {
        skip!("there is no C compiler")
    };
    let path = |folder: &Path| folder.to_str().unwrap().to_owned();
    in_child("loaded", &[("LD_LIBRARY_PATH", &path(&working))]);
    in_child("loaded without a GPU", &[("LD_LIBRARY_PATH", &path(&without))]);
    in_child("no GPU", &[("LD_LIBRARY_PATH", &path(&without))]);
}

fn again() {
    let first = cuda_sim::install_unless_gpu(with_devices(3)).unwrap();
    assert!(first.is_some());
    assert_eq!(cuda_sim::install_unless_gpu(with_devices(3)), Ok(first));
    let origin = "cuda-sim, the software driver";
    is_in_use(cuda_sim::install_unless_gpu(with_devices(4)), origin);
    is_in_use(cuda_sim::install(with_devices(3)), origin);
    cuda_sim::install_once().unwrap();
    cuda_sim::install_once().unwrap();
    works(3);
}

fn threads() {
    let threads = [(); 8].map(|()| {
        std::thread::spawn(|| {
            let reason = cuda_sim::install_unless_gpu(Config::default()).unwrap();
            cuda_sim::install_once().unwrap();
            reason
        })
    });
    let reasons = threads.map(|thread| thread.join().unwrap());
    assert!(reasons[0].is_some() && reasons.iter().all(|reason| *reason == reasons[0]), "{reasons:?}");
}

#[test]
fn install_unless_gpu_again_gives_the_same_answer() {
    if Driver::load().is_ok() {
        skip!("this machine has a driver");
    }
    in_child("again", &[]);
    in_child("threads", &[]);
}

fn configured() {
    let machine = Machine::current();
    let error = cuda_sim::install(with_devices(3)).unwrap_err();
    let text = "the machine of this process is made already, with the configuration \"\"; \
                install the software driver before anything else of cuda-sim is used";
    assert_eq!(error.to_string(), text);
    assert!(Driver::installed().is_none());
    cuda_sim::install(Config::default()).unwrap();
    assert_eq!(Machine::current(), machine);
    works(2);
}

#[test]
fn install_with_another_configuration_is_refused() {
    in_child("configured", &[]);
}

/// A layer over the software driver is the software driver to `install_once`; any other driver is not.
fn layer() {
    extern "C" fn no_memory(_: *mut cuda_sys::CUdeviceptr, _: usize) -> CUresult {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY
    }
    let resolver = |name| match Symbol::from_name(std::ffi::CStr::to_str(name).ok()?)? {
        Symbol::cuMemAlloc_v2 => NonNull::new(no_memory as *mut core::ffi::c_void),
        _ => cuda_sim::resolve(name),
    };
    // SAFETY: the functions have the signatures of their names, and keep to the API.
    unsafe { cuda_sys::install("a layer", resolver) }.unwrap();
    assert_eq!(cuda_sim::install_once().unwrap().origin(), "a layer");
    is_in_use(cuda_sim::install(Config::default()), "a layer");
    is_in_use(cuda_sim::install_unless_gpu(Config::default()), "a layer");
}

#[test]
fn install_once_over_a_layer_finds_it() {
    in_child("layer", &[]);
}

fn late_nvrtc() {
    use cuda_sys::nvrtc::{self, Library, nvrtcResult};
    extern "C" fn version(major: *mut i32, minor: *mut i32) -> nvrtcResult {
        // SAFETY: callers hand over a place that is valid for a write.
        unsafe { major.write(12) };
        // SAFETY: as above.
        unsafe { minor.write(4) };
        nvrtcResult::NVRTC_SUCCESS
    }
    let error = nvrtc::library().unwrap_err();
    assert!(error.to_string().contains("CUDA_SYS_NVRTC_LIBRARY=/nonexistent"), "{error}");
    assert!(cuda_rt::nvrtc::version().is_err());
    assert!(Library::installed().is_none());
    let resolver = |name: &'static std::ffi::CStr| {
        (name == c"nvrtcVersion").then(|| NonNull::new(version as *mut core::ffi::c_void)).flatten()
    };
    // SAFETY: the function has the signature and the behaviour of its name.
    let install = || unsafe { nvrtc::install("a test", resolver) };
    install().unwrap();
    assert_eq!(cuda_rt::nvrtc::version().unwrap(), nvrtc::Version::new(12, 4));
    assert_eq!(install().unwrap_err().to_string(), "an NVRTC library is in use already: a test");
}

#[test]
fn nvrtc_after_a_failed_load_comes_in_time() {
    in_child("late NVRTC", &[("CUDA_SYS_NVRTC_LIBRARY", "/nonexistent")]);
}

/// The configuration goes to the parent in words.
fn environment() {
    let config = Config::from_env();
    println!("\nconfig: {}", config.map_or_else(|error| error.to_string(), |config| config.to_string()));
}

fn read(variables: &[(&str, &OsStr)]) -> String {
    let (out, _) = run("environment", variables);
    out.lines().find_map(|line| line.strip_prefix("config: ")).unwrap_or_else(|| panic!("{out}")).to_owned()
}

#[test]
fn from_env_reads_both_variables() {
    let read = |sim: Option<&str>, visible: Option<&str>| {
        let variables = [("CUDA_SIM", sim), ("CUDA_VISIBLE_DEVICES", visible)];
        let set = variables.iter().filter_map(|(name, value)| Some((*name, OsStr::new((*value)?))));
        read(&set.collect::<Vec<_>>())
    };
    assert_eq!(read(None, None), "");
    assert_eq!(read(Some("devices=4,version=12.4"), None), "devices=4,version=12.4");
    assert_eq!(read(None, Some("1")), "visible=1");
    assert_eq!(read(Some("devices=4,visible=0"), Some("3,2")), "devices=4,visible=3+2");
    assert_eq!(read(Some("device=4"), None).split(": ").next(), Some("CUDA_SIM"));
    let wrong = read(Some("devices=many"), None);
    assert_eq!(wrong, "CUDA_SIM: devices=many: a number from 0 to 64 is allowed");
    // A configuration of the program's own stays where nothing is said of it.
    let own = with_devices(5).with_env();
    assert_eq!(own.map(|config| config.devices), Ok(5));
}

#[cfg(unix)]
#[test]
fn from_env_with_other_bytes_is_refused() {
    let value = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"devices=\xff");
    assert_eq!(read(&[("CUDA_SIM", value)]), "CUDA_SIM: devices=\u{fffd}: it is not UTF-8");
}

#[test]
fn ignored_variable_is_told() {
    let says = |case: &str, text: &str| {
        let err = in_child(case, &[("CUDA_SIM", text)]);
        let lines = err.lines().filter(|line| line.starts_with("cuda-sim: CUDA_SIM=")).count();
        assert!(
            lines <= 1 && (lines == 0) != err.contains(&format!("CUDA_SIM={text} has no effect")),
            "{err}"
        );
        lines == 1
    };
    assert!(says("default machine", "memcheck=on"));
    assert!(says("default machine", "devices=many"));
    assert!(says("machine of 4 devices", "devices=2"));
    // The machine is as the variable says.
    assert!(!says("default machine", ""));
    assert!(!says("default machine", "devices=2"));
    assert!(!says("machine of 4 devices", "devices=4"));
    // The program has read the variable, or its process has no machine.
    assert!(!says("machine of the environment", "devices=4,memcheck=on"));
    assert!(!says("machine of the environment with 3 devices", "devices=4"));
    assert!(!says("private machine", "devices=2"));
}

fn current() -> CUresult {
    let mut context = null_mut();
    code!(cuCtxGetCurrent(&raw mut context))
}

fn hint() {
    cuda_sim::install_once().unwrap();
    let machine = Machine::new(Config::default());
    let _entered = machine.enter();
    assert_eq!(code!(cuInit(0)), CUresult::CUDA_SUCCESS);
    for _ in 0..2 {
        let thread = std::thread::Builder::new().name("worker".to_owned());
        let answers = thread.spawn(|| [current(), current()]).unwrap().join().unwrap();
        assert_eq!(answers, [CUresult::CUDA_ERROR_NOT_INITIALIZED; 2]);
    }
    assert_eq!(current(), CUresult::CUDA_SUCCESS);
}

/// A thread that makes one call is told at its end.
fn late_hint() {
    cuda_sim::install_once().unwrap();
    let _machine = Machine::new(Config::default());
    let thread = std::thread::Builder::new().name("worker".to_owned());
    assert_eq!(thread.spawn(current).unwrap().join().unwrap(), CUresult::CUDA_ERROR_NOT_INITIALIZED);
}

/// The machine may have ended by then.
fn later_hint() {
    cuda_sim::install_once().unwrap();
    let thread = std::thread::Builder::new().name("worker".to_owned());
    let forgetful = || {
        let machine = Machine::new(Config::default());
        drop(machine.enter());
        current()
    };
    assert_eq!(thread.spawn(forgetful).unwrap().join().unwrap(), CUresult::CUDA_ERROR_NOT_INITIALIZED);
}

/// A thread that initialises the driver after its first call is on the right machine.
fn no_hint_before_init() {
    cuda_sim::install_once().unwrap();
    let _machine = Machine::new(Config::default());
    let answers = std::thread::spawn(|| [current(), code!(cuInit(0)), current()]).join().unwrap();
    let done = CUresult::CUDA_SUCCESS;
    assert_eq!(answers, [CUresult::CUDA_ERROR_NOT_INITIALIZED, done, done]);
}

/// No thread is on the wrong machine, or it is no matter of machines.
fn no_hint() {
    cuda_sim::install_once().unwrap();
    let refused = CUresult::CUDA_ERROR_NOT_INITIALIZED;
    assert_eq!(current(), refused, "there is no other machine");
    drop(Machine::new(Config::default()));
    assert_eq!(current(), refused, "nor any more");
    let machine = Machine::new(Config::default());
    let entered = machine.enter();
    assert_eq!(current(), refused, "this is the machine that is not initialised");
    drop(entered);
    assert_eq!(code!(cuInit(0)), CUresult::CUDA_SUCCESS);
    Machine::current().inject(FaultRule::any(refused).times(1));
    assert_eq!(current(), refused, "it was ordered");
    assert_eq!(current(), CUresult::CUDA_SUCCESS);
    drop(machine);
}

#[test]
fn a_thread_on_no_machine_is_told_once() {
    for case in ["hint", "late hint", "later hint"] {
        assert_eq!(
            in_child(case, &[]),
            "cuda-sim: cuCtxGetCurrent: CUDA_ERROR_NOT_INITIALIZED: the thread worker has entered no machine, and the \
             machine of the process is not initialised; to use a private machine, call Machine::enter in this thread\n",
            "{case}"
        );
    }
    assert_eq!(in_child("no hint", &[]), "");
    assert_eq!(in_child("no hint before init", &[]), "");
}

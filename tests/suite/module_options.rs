//! Options and messages of the driver's compiler.

use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::{
    FunctionAttribute, JitCacheMode, JitFallback, JitLog, JitOption, JitOptions, JitProblem, JitTarget,
    Linker,
};
use cuda_rt::{Error, Module};
use cuda_suite::{context, driver, invalid, skip};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Returns a kernel that no cache has.
fn fresh(directives: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u32;
    let number = time ^ COUNT.fetch_add(1, Ordering::Relaxed);
    format!(
        ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 out) {directives} {{\n\
         .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [out]; mov.u32 %r, {number}; st.global.u32 [%a], %r; ret; }}\n"
    )
}

fn load(options: &JitOptions) -> Result<Module, Error> {
    driver();
    Module::from_ptx_with(&context(), fresh(""), options)
}

/// A driver accepts an option, or the error names the option.
#[test]
fn options_are_taken_or_named() {
    let new = JitOptions::new;
    for options in [
        new(),
        new().max_registers(32),
        new().threads_per_block(256),
        new().wall_time(true),
        new().optimization_level(2),
        new().target_from_context(),
        new().fallback(JitFallback::PREFER_BINARY),
        new().debug_info(true),
        new().log_verbose(true),
        new().line_info(true),
        new().cache_mode(JitCacheMode::CA),
        new().lto(true),
        new().ftz(true),
        new().prec_div(false),
        new().prec_sqrt(false),
        new().fma(false),
        new().referenced_kernel("k"),
        new().referenced_variable("v"),
        new().position_independent_code(true),
        new().min_cta_per_sm(2).max_threads_per_block(128),
        new().override_directive_values(true),
        new().split_compile(2),
        new().binary_loader_thread_count(2),
    ] {
        match load(&options) {
            Ok(module) => drop(module.function("k").unwrap()),
            Err(error) => {
                let call = (error.call(), error.code());
                assert_eq!(call, (Some("cuModuleLoadDataEx"), Some(Code::InvalidValue)));
                assert_eq!(error.context(), Some(&options));
            }
        }
    }
}

/// Conformance fact V101.
#[test]
fn an_option_that_is_refused_is_named() {
    let new = JitOptions::new;
    // SAFETY: the value is a number, not an address.
    let unknown = unsafe { new().raw(JitOption(999), std::ptr::without_provenance_mut(1)) };
    for (options, named) in [
        (new().target(JitTarget(999)), "TARGET = sm_999"),
        (new().cache_mode(JitCacheMode(3)), "CACHE_MODE = JitCacheMode(3)"),
        (unknown, "JitOption(999) = 0x1"),
    ] {
        let error = load(&options).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue), "{error}");
        let text = error.to_string();
        assert!(text.starts_with("cuModuleLoadDataEx: CUDA_ERROR_INVALID_VALUE (1: "), "{text}");
        assert!(text.ends_with(&format!(": with {named}")), "{text}");
    }
    let other = if context().device().compute_capability().unwrap() == ComputeCapability::new(7, 5) {
        80
    } else {
        75
    };
    let error = load(&new().target(JitTarget::new(other))).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidSource), "{error}");
    assert!(error.to_string().ends_with(&format!(": with TARGET = sm_{other}")), "{error}");
}

/// Conformance fact V101: drivers refuse these with a code alone.
#[test]
fn invalid_options_never_reach_the_driver() {
    let both = JitOptions::new().threads_per_block(64).target(JitTarget::new(90));
    let (first, second) = (JitOption::TARGET, JitOption::THREADS_PER_BLOCK);
    assert_eq!(
        load(&both).unwrap_err(),
        invalid(format!("option {first}: it cannot be combined with {second}"))
    );
    let error = Linker::new(&context(), &both).unwrap_err().to_string();
    assert!(error.starts_with("option TARGET: it cannot be combined with THREADS_PER_BLOCK: "), "{error}");
    // The driver divides by this option: conformance fact V343.
    let error = load(&JitOptions::new().max_threads_per_block(u32::MAX)).unwrap_err().to_string();
    assert!(error.starts_with("option MAX_THREADS_PER_BLOCK: 4294967295 is more than "), "{error}");
    let error = load(&JitOptions::new().max_registers(0)).unwrap_err();
    assert_eq!(error.to_string(), "option MAX_REGISTERS: 0 is less than 1");
}

/// The driver of hardware rounds the number up to whole warps, and divides by the result: conformance fact V125.
#[test]
fn uncountable_block_sizes_never_reach_the_driver() {
    let error = load(&JitOptions::new().max_threads_per_block(u32::MAX)).unwrap_err();
    let text = error.to_string();
    assert_eq!(text, "option MAX_THREADS_PER_BLOCK: 4294967295 is more than 2147483647");
    // Older drivers do not know the option.
    if crate::is_since(12, 4) {
        load(&JitOptions::new().max_threads_per_block(i32::MAX as u32)).unwrap();
    }
}

/// Conformance facts V126 and V1178.
#[test]
fn negative_option_numbers_are_refused_by_compiler() {
    if !crate::is_since(13, 0) {
        skip!("the compiler of this driver was not measured");
    }
    let options = || JitOptions::new();
    for options in [
        options().optimization_level(1 << 31),
        options().min_cta_per_sm(u32::MAX),
        options().split_compile(1 << 31),
    ] {
        assert_eq!(load(&options).unwrap_err().code(), Some(Code::InvalidPtx), "{options}");
    }
    load(&JitOptions::new().optimization_level(i32::MAX as u32)).unwrap();
}

/// Conformance fact V127.
#[test]
fn directives_with_a_zero_are_refused() {
    for (directive, values) in [
        ("maxntid", "0"),
        ("reqntid", "64, 0"),
        ("maxnreg", "0"),
        ("minnctapersm", "0"),
        ("maxntid", "128, 0, 1"),
    ] {
        let ptx = format!(
            ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() .{directive} {values} {{ ret; }}"
        );
        let error = Module::from_ptx(&context(), ptx).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidPtx), "{directive}");
        let words = format!("Positive non-zero value expected for {directive}\n");
        assert!(!crate::is_since(13, 0) || error.to_string().contains(&words), "{error}");
    }
}

/// The driver of hardware divides by the number of threads: conformance fact V102.
#[test]
fn blocks_of_no_threads_never_reach_the_driver() {
    let error = load(&JitOptions::new().threads_per_block(0)).unwrap_err();
    assert_eq!(error.to_string(), "option THREADS_PER_BLOCK: 0 is less than 1");
    // SAFETY: the option never reaches the driver.
    let options = unsafe { JitOptions::new().raw(JitOption::ERROR_LOG_BUFFER, std::ptr::null_mut()) };
    let option = JitOption::ERROR_LOG_BUFFER;
    assert_eq!(load(&options).unwrap_err(), invalid(format!("option {option}: it cannot be given raw")));
}

/// Conformance facts V103 and V104.
#[test]
fn log_has_time_and_threads() {
    let log = |options: &JitOptions| load(options).unwrap().jit_log().clone();
    let none = log(&JitOptions::new());
    assert_eq!((none.wall_time, none.threads_per_block), (None, None));
    let time = log(&JitOptions::new().wall_time(true)).wall_time.unwrap();
    assert!(time > Duration::ZERO && time < Duration::from_secs(60), "{time:?}");
    for (asked, told) in [(1, 32), (33, 64), (1024, 1024), (1025, 1024), (1 << 20, 1024)] {
        assert_eq!(log(&JitOptions::new().threads_per_block(asked)).threads_per_block, Some(told), "{asked}");
    }
    // The same for a failure.
    let text = fresh("").replace("ret;", "bogus;");
    let failed = Module::from_ptx_with(&context(), text, &JitOptions::new().wall_time(true)).unwrap_err();
    let log = failed.context::<JitLog>().unwrap();
    assert!(log.wall_time.unwrap() > Duration::ZERO);
    assert!(log.error.contains("'bogus'"), "{}", log.error);
}

#[test]
fn registers_and_threads_are_limited() {
    let attribute = |directives: &str, options: &JitOptions, attribute| {
        let module = Module::from_ptx_with(&context(), fresh(directives), options).unwrap();
        module.function("k").unwrap().attribute(attribute).unwrap()
    };
    let registers = FunctionAttribute::NUM_REGS;
    assert!(attribute("", &JitOptions::new().max_registers(24), registers) <= 24);
    assert!(attribute("", &JitOptions::new().threads_per_block(1024), registers) <= 64);
    let threads = FunctionAttribute::MAX_THREADS_PER_BLOCK;
    assert_eq!(attribute(".maxntid 128, 1, 1", &JitOptions::new(), threads), 128);
}

/// Returns a text that no cache has.
fn unique(version_and_target: &str, text: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{version_and_target}\n.address_size 64\n// {process} {time} {number}\n{text}")
}

const OLD: &str = ".version 6.4\n.target sm_50";

/// Replaces the numbers of registers, the times and the architecture in a verbose log by `*`. They differ between
/// drivers.
fn masked(log: &str) -> Vec<String> {
    let mask = |line: &str| {
        let mut line = line.to_owned();
        for (before, after) in [("sed ", " registers"), ("time = ", " ms"), ("'sm_", "'")] {
            let Some(end) = line.find(before).map(|start| start + before.len()) else { continue };
            let Some(length) = line[end..].find(after) else { continue };
            line.replace_range(end..end + length, "*");
        }
        line
    };
    log.lines().map(mask).collect()
}

/// Returns whether the words are those of the measured release and architecture.
fn has_measured_log() -> bool {
    let ComputeCapability { major, .. } = context().device().compute_capability().unwrap();
    crate::is_since(13, 0) && major == 9
}

fn verbose(text: &str) -> Vec<String> {
    driver();
    let options = JitOptions::new().log_verbose(true);
    let module = Module::from_ptx_with(&context(), unique(OLD, text), &options).unwrap();
    masked(&module.jit_log().info)
}

const FRAME: &str = " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";

/// Returns the expected lines about a kernel. `used` follows the registers.
fn expected_kernel(name: &str, stack: u32, used: &str) -> [String; 5] {
    [
        format!("ptxas info    : Compiling entry function '{name}' for 'sm_*'"),
        format!("ptxas info    : Function properties for {name}"),
        format!("ptxas         .     {stack}{FRAME}"),
        format!("ptxas info    : Used * registers, used {used}"),
        "ptxas info    : Compile time = * ms".to_owned(),
    ]
}

/// Conformance facts V105 and V1090.
#[test]
fn verbose_log_describes_kernels() {
    let module = load(&JitOptions::new().log_verbose(true)).unwrap();
    let info = &module.jit_log().info;
    assert!(info.contains("Compiling entry function 'k'"), "{info}");
    assert!(info.contains("registers"), "{info}");
    assert_eq!(&*load(&JitOptions::new()).unwrap().jit_log().info, "");
    if !has_measured_log() {
        skip!("the words of this release and architecture are not measured");
    }
    let kernel = expected_kernel("k", 0, "0 barriers");
    assert_eq!(masked(info), [&["ptxas info    : 0 bytes gmem".to_owned()], &kernel[..]].concat());
    assert!(info.contains("'sm_90a'"), "{info}");
}

/// Conformance facts V1090 and V1091.
#[test]
fn verbose_log_counts_memory_and_barriers() {
    if !has_measured_log() {
        skip!("the words of this release and architecture are not measured");
    }
    let log = verbose(
        ".global .u8 c1 = 1; .global .u64 g; .global .u8 c2; .visible .global .align 16 .b8 h[3];
         .const .u32 c = 5; .global .texref t;
         .visible .entry l(.param .u64 a) { .shared .u32 t[10]; .local .align 4 .b8 x[404]; .reg .u64 %a, %c;
           .reg .u32 %b; mov.u32 %b, %tid.x; st.shared.u32 [t], %b; bar.sync 5; and.b32 %b, %b, 63;
           mul.wide.u32 %c, %b, 4; mov.u64 %a, x; add.u64 %c, %c, %a; st.local.u32 [%c], %b; ld.local.u32 %b, [x+8];
           ld.param.u64 %a, [a]; st.global.u32 [%a], %b; ld.shared.u32 %b, [t+4]; st.global.u32 [%a+4], %b; ret; }
         .visible .entry s() { .reg .u32 %b; mov.u32 %b, %tid.x; bar.sync %b; ret; }",
    );
    let expected = [
        &["ptxas info    : 18 bytes gmem".to_owned()],
        &expected_kernel("s", 0, "16 barriers")[..],
        &expected_kernel("l", 408, "6 barriers, 408 bytes cumulative stack size, 40 bytes smem")[..],
    ];
    assert_eq!(log, expected.concat());
    assert_eq!(verbose(".global .u32 only;"), ["ptxas info    : 4 bytes gmem"]);
}

/// Conformance fact V1092.
#[test]
fn verbose_log_names_called_functions() {
    if !has_measured_log() {
        skip!("the words of this release and architecture are not measured");
    }
    let call = |name: &str| {
        format!(
            "{{ .param .u32 i; .param .u32 o; st.param.u32 [i], %b; call.uni (o), {name}, (i); ld.param.u32 %b, [o]; }} "
        )
    };
    let kernel = |name: &str, calls: &str| {
        format!(
            ".visible .entry {name}(.param .u64 a) {{ .reg .u64 %a; .reg .u32 %b; ld.param.u64 %a, [a]; \
             mov.u32 %b, %tid.x; {calls} st.global.u32 [%a], %b; ret; }}\n"
        )
    };
    let functions = ".func unused() { ret; }
        .visible .func (.param .u32 r) f(.param .u32 x) { .reg .u32 %b; ld.param.u32 %b, [x]; mul.lo.u32 %b, %b, %b;
          st.param.u32 [r], %b; ret; }
        .visible .func (.param .u32 r) g(.param .u32 x) { .local .b32 q[8]; .reg .u32 %b; .reg .u64 %q, %w;
          ld.param.u32 %b, [x]; and.b32 %b, %b, 7; mul.wide.u32 %w, %b, 4; mov.u64 %q, q; add.u64 %q, %q, %w;
          st.local.u32 [%q], %b; ld.local.u32 %b, [q+4]; st.param.u32 [r], %b; ret; }\n";
    let log = verbose(
        &[functions, &kernel("n", &[call("g"), call("f")].concat()), &kernel("m", &call("f"))].concat(),
    );
    let called = |name: &str| {
        [format!("ptxas info    : Function properties for {name}"), format!("ptxas         .     0{FRAME}")]
    };
    let expected = [
        &["ptxas info    : 0 bytes gmem".to_owned()],
        &expected_kernel("m", 0, "0 barriers")[..],
        &called("f")[..],
        &expected_kernel("n", 32, "0 barriers, 32 bytes cumulative stack size")[..],
        &called("f")[..],
        &called("g")[..],
    ];
    assert_eq!(log, expected.concat());
}

/// Conformance fact V1093.
#[test]
fn verbose_log_of_a_link_has_all_inputs() {
    if !has_measured_log() {
        skip!("the words of this release and architecture are not measured");
    }
    let mut linker = Linker::new(&context(), &JitOptions::new().log_verbose(true)).unwrap();
    let first = ".global .u32 g[25]; .const .u32 k[3] = {1, 2, 3};
        .visible .entry p(.param .u64 a, .param .u32 b) { .reg .u64 %a; .reg .u32 %b; ld.param.u64 %a, [a];
          ld.param.u32 %b, [b]; st.global.u32 [%a], %b; ret; }
        .visible .entry r() { ret; }";
    let second = ".visible .entry s(.param .u64 a) { .shared .u32 t[100]; .local .align 4 .b8 x[404]; .reg .u64 %a, %c;
        .reg .u32 %b; mov.u32 %b, %tid.x; st.shared.u32 [t], %b; bar.sync 0; ld.shared.u32 %b, [t+4]; bar.sync 1;
        and.b32 %b, %b, 63; mul.wide.u32 %c, %b, 4; mov.u64 %a, x; add.u64 %c, %c, %a; st.local.u32 [%c], %b;
        ld.local.u32 %b, [x+8]; ld.param.u64 %a, [a]; st.global.u32 [%a], %b; ret; }";
    linker.add_ptx("first.ptx", unique(OLD, first)).unwrap();
    linker.add_ptx("second.ptx", unique(OLD, second)).unwrap();
    let linked = linker.complete().unwrap();
    let of_link = |name: &str, used: &str| {
        [
            format!("info    : Function properties for '{name}':"),
            format!("info    : used * registers, used {used}, 0 bytes lmem"),
        ]
    };
    let expected = [
        &["ptxas info    : 100 bytes gmem".to_owned()],
        &expected_kernel("r", 0, "0 barriers")[..],
        &expected_kernel("p", 0, "0 barriers")[..],
        &["ptxas info    : 0 bytes gmem".to_owned()],
        &expected_kernel("s", 408, "2 barriers, 400 bytes smem")[..],
        &["info    : 100 bytes gmem, 12 bytes cmem[3]".to_owned()],
        &of_link("s", "2 barriers, 408 stack, 1424 bytes smem, 536 bytes cmem[0]")[..],
        &of_link("p", "0 barriers, 0 stack, 0 bytes smem, 540 bytes cmem[0]")[..],
        &of_link("r", "0 barriers, 0 stack, 0 bytes smem, 528 bytes cmem[0]")[..],
    ];
    assert_eq!(masked(&linked.jit_log().info), expected.concat());

    // The option is needed.
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("first.ptx", unique(OLD, first)).unwrap();
    assert_eq!(&*linker.complete().unwrap().jit_log().info, "");
}

#[test]
fn text_too_new_names_the_newest_version() {
    let error = Module::from_ptx(&context(), ".version 99.3\n.target sm_50\n.address_size 64\n").unwrap_err();
    let code = if crate::is_since(11, 1) { Code::UnsupportedPtxVersion } else { Code::InvalidPtx };
    assert_eq!(error.code(), Some(code));
    let Some(JitProblem::PtxVersion { version: (99, 3), newest: Some((major, minor)) }) = error.context()
    else {
        panic!("{error}");
    };
    let text = error.to_string();
    let expected = format!(
        "): the text is in PTX 99.3, and the driver knows PTX up to {major}.{minor}; use a newer driver or an older \
         compiler, or compile to a cubin\nptxas application ptx input, line 1; fatal   : Unsupported .version 99.3; "
    );
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn text_for_a_newer_device_names_both() {
    if !crate::is_since(12, 8) {
        cuda_suite::skip!("the text is in a version of the language that the driver does not know");
    }
    let ComputeCapability { major, minor } = context().device().compute_capability().unwrap();
    if major >= 10 {
        cuda_suite::skip!("the device is as new as sm_100, or newer");
    }
    let text = ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n";
    let error = Module::from_ptx(&context(), text).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidPtx));
    let expected = format!(
        "): the text is for sm_100 or newer, and the device is sm_{major}{minor}; compile for compute_{major}{minor} or \
         older\nptxas fatal   : SM "
    );
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn missing_name_suggests_names_that_contain_it() {
    let text = ".version 6.4\n.target sm_50\n.address_size 64\n.func scale() { ret; }\n\
         .visible .entry _Z5scalePff() { ret; }\n.visible .entry _Z5SCALEi() { ret; }\n.visible .entry other() { ret; }\n";
    let module = Module::from_ptx(&context(), text).unwrap();
    let error = module.function("scale").unwrap_err();
    if !crate::is_since(12, 4) {
        assert!(error.to_string().contains(": `scale` (a C++ name is mangled"), "{error}");
        assert_eq!(module.functions().unwrap_err().kind(), ErrorKind::FunctionMissing);
        return;
    }
    let text = error.to_string();
    assert!(
        text.contains(": `scale`, but there are `_Z5scalePff`, `_Z5SCALEi`: C++ mangles names; look"),
        "{text}"
    );
    // The name as the source has it.
    let error = module.function("filters::scale<float>").unwrap_err().to_string();
    assert!(error.contains("`, but there are `_Z5scalePff`, `_Z5SCALEi`: C++"), "{error}");
    let error = module.function("other_one").unwrap_err().to_string();
    assert!(
        error.ends_with(": `other_one`, where the kernels are `_Z5scalePff`, `_Z5SCALEi`, `other`"),
        "{error}"
    );
    let error = module.function("othe").unwrap_err().to_string();
    assert!(error.ends_with(": `othe`, but there is `other`"), "{error}");
    let functions = module.functions().unwrap();
    let names: Vec<_> = functions.iter().map(|function| function.name()).collect();
    assert_eq!(names, ["_Z5scalePff", "_Z5SCALEi", "other"]);
    for function in &functions {
        assert_eq!(module.function(function.name()).unwrap().as_raw(), function.as_raw());
    }
    let empty = Module::from_ptx(&context(), ".version 6.4\n.target sm_50\n.address_size 64\n").unwrap();
    assert!(empty.functions().unwrap().is_empty());
    let error = empty.function("k").unwrap_err().to_string();
    assert!(error.contains("`k`, and there are no kernels"), "{error}");
    let many: String = (0..11).map(|index| format!(".visible .entry k{index}() {{ ret; }}\n")).collect();
    let many = Module::from_ptx(&context(), format!(".version 6.4\n.target sm_50\n.address_size 64\n{many}"));
    let error = many.unwrap().function("other").unwrap_err();
    assert!(error.to_string().ends_with("`k6`, `k7` and 3 more"), "{error}");
}

#[test]
fn loading_mode_is_known_or_function_is_missing() {
    driver();
    match cuda_rt::module::loading_mode() {
        Ok(mode) => assert!(cuda_rt::module::ModuleLoadingMode::all().any(|known| known == mode), "{mode}"),
        Err(error) => {
            assert!(!crate::is_since(11, 7) && error.kind() == ErrorKind::FunctionMissing, "{error}")
        }
    }
}

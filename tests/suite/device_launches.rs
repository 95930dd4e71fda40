//! Kernels that launch kernels by the device runtime.

use crate::linker::device_runtime;
use cuda_rt::module::{JitOptions, Linker};
use cuda_rt::{DeviceBuf, DevicePtr, Function, LaunchConfig};
use cuda_suite::{context, stream};

/// Handles of the streams that always exist.
const DEFAULT: u64 = 0;
const TAIL: u64 = 3;
const DETACHED: u64 = 4;

/// Functions of the device runtime, a kernel that appends a number to a list, a kernel that also launches it, and a function
/// that launches either.
const HEAD: &str = "
.version 6.4
.target sm_70
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
    (.param .b64 k, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 b, .param .b64 s);
.extern .func (.param .b32 r) cudaGetLastError();
.extern .func (.param .b32 r) __cudaCDP2PeekAtLastError();
.extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 p, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2StreamDestroy(.param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2EventCreateWithFlags(.param .b64 p, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2EventRecord(.param .b64 e, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2StreamWaitEvent(.param .b64 s, .param .b64 e, .param .b32 f);
.extern .func (.param .b32 r) __cudaCDP2EventDestroy(.param .b64 e);
.extern .func (.param .b32 r) __cudaCDP2Malloc(.param .b64 p, .param .b64 n);
.extern .func (.param .b32 r) __cudaCDP2Free(.param .b64 a);

.func append_to(.param .b64 list, .param .b32 number)
{
    .reg .b64 %l, %a; .reg .b32 %n, %i;
    ld.param.b64 %l, [list]; ld.param.b32 %n, [number];
    atom.add.u32 %i, [%l], 1;
    mul.wide.u32 %a, %i, 4; add.u64 %a, %a, %l;
    st.b32 [%a+4], %n;
    ret;
}

.visible .entry append(.param .b64 list, .param .b32 number)
{
    .reg .b64 %l; .reg .b32 %n;
    ld.param.b64 %l, [list]; ld.param.b32 %n, [number];
    { .param .b64 l; .param .b32 n; st.param.b64 [l], %l; st.param.b32 [n], %n; call append_to, (l, n); }
    ret;
}

.visible .entry bounded(.param .b64 list, .param .b32 number) .maxntid 32
{
    ret;
}

.func (.param .b32 code) start
    (.param .b64 kernel, .param .b32 blocks, .param .b32 threads, .param .b32 shared, .param .b64 stream, .param .b64 list, .param .b32 number)
{
    .reg .b64 %k, %s, %l, %b; .reg .b32 %g, %t, %m, %n, %r;
    ld.param.b64 %k, [kernel]; ld.param.b32 %g, [blocks]; ld.param.b32 %t, [threads]; ld.param.b32 %m, [shared];
    ld.param.b64 %s, [stream]; ld.param.b64 %l, [list]; ld.param.b32 %n, [number];
    { .param .b64 k, r; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 m;
      st.param.b64 [k], %k; st.param.b32 [m], %m;
      st.param.b32 [g], %g; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
      st.param.b32 [b], %t; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
      call (r), __cudaCDP2GetParameterBufferV2, (k, g, b, m); ld.param.b64 %b, [r]; }
    st.b64 [%b], %l; st.b32 [%b+8], %n;
    { .param .b64 b, s; .param .b32 r; st.param.b64 [b], %b; st.param.b64 [s], %s;
      call (r), __cudaCDP2LaunchDeviceV2, (b, s); ld.param.b32 %r, [r]; }
    st.param.b32 [code], %r;
    ret;
}

.visible .entry nested(.param .b64 list, .param .b32 number)
{
    .reg .b64 %l, %k, %s; .reg .b32 %n, %m, %r; .reg .pred %tail;
    ld.param.b64 %l, [list]; ld.param.b32 %n, [number];
    mov.u64 %k, append; add.u32 %m, %n, 1;
    setp.eq.u32 %tail, %n, 20; selp.b64 %s, 3, 0, %tail;
    { .param .b64 k, s, l; .param .b32 g, t, m, n, r;
      st.param.b64 [k], %k; st.param.b32 [g], 1; st.param.b32 [t], 1; st.param.b32 [m], 0;
      st.param.b64 [s], %s; st.param.b64 [l], %l; st.param.b32 [n], %m;
      call (r), start, (k, g, t, m, s, l, n); ld.param.b32 %r, [r]; }
    { .param .b64 l; .param .b32 n; st.param.b64 [l], %l; st.param.b32 [n], %n; call append_to, (l, n); }
    ret;
}

.visible .entry repeat(.param .b64 counter, .param .b32 rest)
{
    .reg .b64 %c, %k; .reg .b32 %n, %r; .reg .pred %last;
    ld.param.b64 %c, [counter]; ld.param.b32 %n, [rest];
    red.add.u32 [%c], 1;
    setp.eq.u32 %last, %n, 0; @%last ret;
    sub.u32 %n, %n, 1; mov.u64 %k, repeat;
    { .param .b64 k, s, l; .param .b32 g, t, m, n, r;
      st.param.b64 [k], %k; st.param.b32 [g], 1; st.param.b32 [t], 1; st.param.b32 [m], 0;
      st.param.b64 [s], 3; st.param.b64 [l], %c; st.param.b32 [n], %n;
      call (r), start, (k, g, t, m, s, l, n); ld.param.b32 %r, [r]; }
    ret;
}

.visible .entry fails(.param .b64 list, .param .b32 number)
{
    trap;
}

.visible .entry run(.param .b64 list, .param .b64 codes)
{
    .reg .b64 %l, %c, %k, %h, %e; .reg .b32 %n, %r; .reg .b64 %p;
    ld.param.b64 %l, [list]; ld.param.b64 %c, [codes];
";

/// Returns the text that launches a kernel, and stores the code of the launch.
fn launch(kernel: &str, shape: [u32; 3], stream: &str, number: u32) -> String {
    let [blocks, threads, shared] = shape;
    format!(
        "mov.u64 %k, {kernel};
        {{ .param .b64 k, s, l; .param .b32 g, t, m, n, r;
          st.param.b64 [k], %k; st.param.b32 [g], {blocks}; st.param.b32 [t], {threads}; st.param.b32 [m], {shared};
          st.param.b64 [s], {stream}; st.param.b64 [l], %l; st.param.b32 [n], {number};
          call (r), start, (k, g, t, m, s, l, n); ld.param.b32 %r, [r]; }}
        {STORE}"
    )
}

/// Stores a code behind the others.
const STORE: &str = "st.b32 [%c], %r; add.u64 %c, %c, 4;\n";

/// Returns the text that calls a function with numbers, and stores its code.
fn call(function: &str, arguments: &[(&str, &str)]) -> String {
    let names = (0..).zip(arguments).map(|(index, _)| format!("a{index}"));
    let names: Vec<String> = names.collect();
    let declared = names
        .iter()
        .zip(arguments)
        .map(|(name, (kind, value))| format!(".param .{kind} {name}; st.param.{kind} [{name}], {value};\n"));
    let declared: String = declared.collect();
    let list = if names.is_empty() { String::new() } else { format!(", ({})", names.join(", ")) };
    format!("{{ .param .b32 r; {declared} call (r), {function}{list}; ld.param.b32 %r, [r]; }}\n{STORE}")
}

/// Returns the kernel that executes a text, unless the device runtime's library is missing.
fn parent(body: &str) -> Option<Function> {
    linked(&format!("{HEAD}{body}"))
}

/// Returns the last kernel of a text that lacks its end.
fn linked(text: &str) -> Option<Function> {
    let mut linker = Linker::new(&context(), &JitOptions::new()).unwrap();
    linker.add_ptx("kernels", format!("{text}\nret;\n}}\n")).unwrap();
    if !device_runtime(&mut linker) {
        return None;
    }
    Some(linker.complete().unwrap().load(&context()).unwrap().function("run").unwrap())
}

/// Runs a text, and returns the list and the codes that it writes.
fn run(body: &str) -> Option<[Vec<u32>; 2]> {
    Some(written(&parent(body)?))
}

/// Runs a kernel, and returns the list and the codes that it writes.
fn written(kernel: &Function) -> [Vec<u32>; 2] {
    let kernel = crate::typed::<(DevicePtr<u32>, DevicePtr<u32>)>(kernel);
    let stream = stream();
    let [list, codes] = [(); 2].map(|()| DeviceBuf::<u32>::zeroed(&stream, 64).unwrap());
    // SAFETY: the kernels write fewer words than the buffers have.
    unsafe { kernel.with(LaunchConfig::new(1, 1)).launch(&stream, (list.ptr(), codes.ptr())) }.unwrap();
    [list.to_vec().unwrap(), codes.to_vec().unwrap()]
}

/// Runs a text, or skips the test without the device runtime's library.
macro_rules! run {
    ($body:expr) => {
        match run($body) {
            Some(written) => written,
            None => cuda_suite::skip!("the device runtime's library is not here"),
        }
    };
}

const ONE: [u32; 3] = [1, 1, 0];

#[test]
fn kernels_run_in_the_order_of_their_launches() {
    let launches = [
        ("append", 1, DEFAULT),
        ("append", 2, TAIL),
        ("append", 3, DEFAULT),
        ("nested", 10, DEFAULT),
        ("nested", 20, DEFAULT),
        ("append", 4, DEFAULT),
        ("append", 5, TAIL),
    ];
    let body =
        launches.map(|(kernel, number, stream)| launch(kernel, ONE, &stream.to_string(), number)).concat();
    let [list, codes] = run!(&body);
    assert_eq!(list[..10], [9, 1, 3, 10, 11, 20, 21, 4, 2, 5]);
    assert_eq!(codes[..7], [0; 7]);
}

#[test]
fn functions_have_two_names() {
    let Some(kernel) =
        linked(&(HEAD.to_owned() + &launch("append", ONE, "0", 7)).replace("__cudaCDP2", "cuda"))
    else {
        cuda_suite::skip!("the device runtime's library is not here");
    };
    let [list, codes] = written(&kernel);
    assert_eq!((&list[..2], codes[0]), (&[1, 7][..], 0));
}

#[test]
fn a_detached_kernel_runs() {
    let [list, codes] = run!(&launch("append", ONE, &DETACHED.to_string(), 7));
    assert_eq!((&list[..2], codes[0]), (&[1, 7][..], 0));
}

#[test]
fn a_kernel_can_launch_itself_many_times() {
    let [counter, codes] = run!(&launch("repeat", ONE, "3", 500));
    assert_eq!((counter[0], codes[0]), (501, 0));
}

#[test]
fn every_thread_of_a_grid_can_launch() {
    let Some(kernel) = parent(&launch("append", ONE, "0", 7)) else {
        cuda_suite::skip!("the device runtime's library is not here");
    };
    let kernel = crate::typed::<(DevicePtr<u32>, DevicePtr<u32>)>(&kernel);
    let stream = stream();
    let list = DeviceBuf::<u32>::zeroed(&stream, 1 + 4 * 70).unwrap();
    let codes = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    // SAFETY: the kernels write 281 words of the list, and zeros to the code.
    unsafe { kernel.with(LaunchConfig::new(4, 70)).launch(&stream, (list.ptr(), codes.ptr())) }.unwrap();
    let list = list.to_vec().unwrap();
    assert_eq!(list[0], 280);
    assert!(list[1..].iter().all(|number| *number == 7));
}

#[test]
fn a_shape_outside_of_the_limits_is_refused() {
    let shapes = [
        ("append", [0, 1, 0], 9),
        ("append", [1, 0, 0], 9),
        ("append", [1, 1025, 0], 9),
        ("append", [1, 1, 49_152], 0),
        ("append", [1, 1, 49_153], 9),
        ("bounded", [1, 64, 0], 9),
        ("bounded", [1, 32, 0], 0),
    ];
    let body = shapes.map(|(kernel, shape, _)| launch(kernel, shape, "0", 7)).concat();
    let [list, codes] = run!(&body);
    assert_eq!(codes[..7], shapes.map(|(_, _, code)| code));
    assert_eq!(list[..2], [1, 7]);
}

#[test]
fn the_last_error_stays_until_it_is_read() {
    let bad = launch("append", [0, 1, 0], "0", 7);
    let good = launch("append", ONE, "0", 7);
    let (peek, get) = (call("__cudaCDP2PeekAtLastError", &[]), call("cudaGetLastError", &[]));
    let [_, codes] = run!(&[&get, &bad, &good, &peek, &get, &get].map(String::as_str).concat());
    assert_eq!(codes[..6], [0, 9, 0, 9, 9, 0]);
}

#[test]
fn created_streams_and_events_order_kernels() {
    let place = |at: u32| format!("add.u64 %p, %l, {at};\n");
    let create = |function: &str, flags: &str| call(function, &[("b64", "%p"), ("b32", flags)]);
    let body = [
        place(200),
        create("__cudaCDP2StreamCreateWithFlags", "1"),
        "ld.b64 %h, [%p];\n".to_owned(),
        create("__cudaCDP2StreamCreateWithFlags", "4"),
        place(208),
        create("__cudaCDP2EventCreateWithFlags", "2"),
        "ld.b64 %e, [%p];\n".to_owned(),
        create("__cudaCDP2EventCreateWithFlags", "0"),
        launch("append", ONE, "%h", 7),
        call("__cudaCDP2EventRecord", &[("b64", "%e"), ("b64", "%h")]),
        call("__cudaCDP2StreamWaitEvent", &[("b64", "0"), ("b64", "%e"), ("b32", "0")]),
        launch("append", ONE, "0", 8),
        call("__cudaCDP2EventDestroy", &[("b64", "%e")]),
        call("__cudaCDP2EventDestroy", &[("b64", "0")]),
        call("__cudaCDP2StreamDestroy", &[("b64", "%h")]),
        call("__cudaCDP2StreamDestroy", &[("b64", "0")]),
        launch("append", ONE, "5", 9),
        "mov.u64 %p, 0;\n".to_owned(),
        create("__cudaCDP2StreamCreateWithFlags", "1"),
    ];
    let [list, codes] = run!(&body.concat());
    assert_eq!(list[..3], [2, 7, 8]);
    assert_eq!(codes[..14], [0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1]);
}

#[test]
fn device_memory_comes_from_the_heap_of_kernels() {
    let malloc = |bytes: &str| call("__cudaCDP2Malloc", &[("b64", "%p"), ("b64", bytes)]);
    let body = [
        "add.u64 %p, %l, 200;\n".to_owned(),
        malloc("100"),
        "ld.b64 %h, [%p];\n st.b32 [%h], 5;\n".to_owned(),
        call("__cudaCDP2Free", &[("b64", "%h")]),
        malloc("1099511627776"),
        malloc("0"),
        call("__cudaCDP2Free", &[("b64", "0")]),
        call("cudaGetLastError", &[]),
    ];
    let [_, codes] = run!(&body.concat());
    assert_eq!(codes[..6], [0, 0, 2, 1, 0, 1]);
}

#[test]
fn a_fault_of_a_launched_kernel_fails_the_context() {
    cuda_suite::apart("device_launches::a_fault_of_a_launched_kernel_fails_the_context", || {
        let Some(kernel) = parent(&launch("fails", ONE, "0", 0)) else {
            cuda_suite::skip!("the device runtime's library is not here");
        };
        let kernel = crate::typed::<(DevicePtr<u32>, DevicePtr<u32>)>(&kernel);
        let stream = stream();
        let words = DeviceBuf::<u32>::zeroed(&stream, 64).unwrap();
        // SAFETY: the kernels write to `words`, and end with a trap.
        unsafe { kernel.with(LaunchConfig::new(1, 1)).launch(&stream, (words.ptr(), words.ptr())) }.unwrap();
        let error = stream.synchronize().unwrap_err();
        assert_eq!(error.code(), Some(cuda_rt::error::Code::LaunchFailed), "{error}");
    });
}

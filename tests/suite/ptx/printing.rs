//! Output of kernels, which appears on the standard output when the program waits.

#![allow(unsafe_code)]

use super::{Arg, Device};
use cuda_rt::error::Code;
use std::ffi::CStr;
use std::process::Command;

const CASE: &str = "CUDA_SUITE_PRINTING";
const PTX: &str = include_str!("../../kernels/printing.ptx");

/// Prints a line, then fails.
const FAILING: &str = ".version 9.0\n.target sm_90\n.address_size 64\n\
    .extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);\n\
    .global .align 1 .b8 line[9] = {98, 101, 102, 111, 114, 101, 10, 0, 0};\n\
    .visible .entry k() { .reg .b64 %d; mov.u64 %d, line; cvta.global.u64 %d, %d;\n\
    { .param .b64 f; st.param.b64 [f], %d; .param .b64 a; st.param.b64 [a], 0; .param .b32 r;\n\
    call.uni (r), vprintf, (f, a); } trap; ret; }\n";

/// Returns the standard output of a case, which runs in a process of its own.
fn printed_by(case: &str) -> Vec<String> {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ptx::printing::child", "--ignored", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap();
    let text = String::from_utf8(child.stdout).unwrap().replace("\r\n", "\n");
    assert!(child.status.success() && text.contains("1 passed"), "{text}");
    let between = text.split("<<\n").nth(1).and_then(|rest| rest.split(">>\n").next());
    between.unwrap_or_else(|| panic!("{text}")).lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "runs in a child process"]
fn child() {
    let case = std::env::var(CASE).unwrap();
    let mut device = Device::new(if case == "failure" { FAILING } else { PTX });
    // Through the C library's own buffer, which the driver's printing may share.
    let say = |text: &CStr| {
        // SAFETY: a C string.
        unsafe { libc::puts(text.as_ptr()) };
        // SAFETY: all streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    };
    say(c"<<");
    match case.as_str() {
        "breakpoint" => {
            let failed = Device::new(
                ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { brkpt; ret; }",
            )
            .try_run("k", [1, 1, 1], [1, 1, 1], 0, &[]);
            assert_eq!(failed.unwrap_err().code(), Some(Code::LaunchFailed));
        }
        "failure" => {
            let failed = device.try_run("k", [1, 1, 1], [1, 1, 1], 0, &[]);
            assert_eq!(failed.unwrap_err().code(), Some(Code::LaunchFailed));
        }
        "numbers" => {
            let args = [Arg::I32(3), Arg::U32(54321), Arg::U64(1 << 40 | 99), Arg::F32(2.5)];
            device.run("print_numbers", [1, 1, 1], [1, 1, 1], &args);
        }
        _ => {
            let results = device.alloc_u32(&[0; 80]);
            device.run("print_threads", [2, 1, 1], [40, 1, 1], &[Arg::Buffer(results)]);
            assert_eq!(device.u32s(results), [2; 80], "the number of arguments");
        }
    }
    say(c">>");
    if case == "failure" {
        // Its context is lost.
        let _kept = std::mem::ManuallyDrop::new(device);
    }
}

/// Conformance fact V1201. After the failure, no call works any more.
#[test]
fn breakpoints_without_a_debugger_fail() {
    assert!(printed_by("breakpoint").is_empty());
}

#[test]
fn failure_is_reported_after_output() {
    assert_eq!(printed_by("failure"), ["before"]);
}

/// Formats as the C library does.
macro_rules! in_c {
    ($format:literal $(, $argument:expr)*) => {{
        let mut text = [0_u8; 256];
        // SAFETY: the buffer is of this length, and the arguments are what the format says.
        unsafe { libc::snprintf(text.as_mut_ptr().cast(), text.len(), $format.as_ptr() $(, $argument)*) };
        CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned()
    }};
}

#[test]
fn numbers_are_formatted_as_in_c() {
    let (i, u, l, f) = (3_i32, 54321_u32, 1_u64 << 40 | 99, 2.5_f64);
    let expected = [
        in_c!(c"%d %i %u %x %X %o %c|%5d|%-5d|%05d|%+d", i, -i, u, u, u, u, 97 + i, i, i, i, i),
        in_c!(c"%lld %llu %llx %ld", -l.cast_signed(), l, l, l),
        in_c!(c"%f %.3f %e %g %10.2f|%s %%", f, f, f * 1e10, f64::from(2.5_f32 / 3.0), -f, c"text".as_ptr()),
    ];
    assert_eq!(printed_by("numbers"), expected);
}

#[test]
fn every_thread_prints() {
    let mut lines = printed_by("threads");
    let mut expected: Vec<String> =
        (0..80).map(|n| format!("thread {} of block {}", n % 40, n / 40)).collect();
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
}

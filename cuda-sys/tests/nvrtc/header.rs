//! The bindings, compared with `nvrtc.h` of their release, as a C compiler reads it.

use crate::folder;
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::mem::{offset_of, size_of};
use cuda_sys::nvrtc::{self, nvrtcBundledHeadersInfo, nvrtcProgram, nvrtcResult};
use std::fmt::Write;
use std::process::Command;

/// C name of a type.
trait InC {
    fn name() -> String;
}

macro_rules! names {
    ($($rust:ty = $c:literal;)*) => {$(
        impl InC for $rust {
            fn name() -> String {
                $c.to_owned()
            }
        }
    )*};
}
names! {
    c_char = "char";
    c_int = "int";
    c_uint = "unsigned int";
    c_void = "void";
    usize = "size_t";
    nvrtc::_nvrtcProgram = "struct _nvrtcProgram";
    nvrtcResult = "nvrtcResult";
    nvrtcBundledHeadersInfo = "nvrtcBundledHeadersInfo";
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int> = "flow_callback";
}

impl<T: InC> InC for *mut T {
    fn name() -> String {
        format!("{} *", T::name())
    }
}

impl<T: InC> InC for *const T {
    fn name() -> String {
        format!("{} const *", T::name())
    }
}

macro_rules! prototypes {
    ($([$($facts:tt)*] fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        [$({
            let arguments: Vec<String> = vec![$(<$type as InC>::name()),*];
            format!("{} {}({});", <$result as InC>::name(), stringify!($name), arguments.join(", "))
        }),*]
    };
}

/// Returns C text that compiles if the header agrees with the bindings.
fn source() -> String {
    let mut text = String::from(
        "#include <stddef.h>\n#include <nvrtc.h>\ntypedef int (*flow_callback)(void *, void *);\n",
    );
    for prototype in cuda_sys::for_each_nvrtc_function!(prototypes) {
        let _ = writeln!(text, "{prototype}");
    }
    // Every enumerator of the bindings, and no other: the compiler warns of a missing case.
    let _ = writeln!(text, "int covered(nvrtcResult code) {{ switch (code) {{");
    for code in nvrtcResult::all() {
        let _ = writeln!(text, "case {}: return 1;", code.name().unwrap());
    }
    let _ = writeln!(text, "}} return 0; }}");
    for code in nvrtcResult::all() {
        let _ = writeln!(text, "_Static_assert({} == {}, \"code\");", code.name().unwrap(), code.0);
    }
    let flags = [
        ("NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS", nvrtc::NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS),
        ("NVRTC_INSTALL_HEADERS_FORCE_OVERWRITE", nvrtc::NVRTC_INSTALL_HEADERS_FORCE_OVERWRITE),
        ("NVRTC_INSTALL_HEADERS_NO_WAIT", nvrtc::NVRTC_INSTALL_HEADERS_NO_WAIT),
    ];
    for (name, value) in flags {
        let _ = writeln!(text, "_Static_assert({name} == {value}, \"flag\");");
    }
    let offsets = [
        ("available", offset_of!(nvrtcBundledHeadersInfo, available)),
        ("compressedSize", offset_of!(nvrtcBundledHeadersInfo, compressedSize)),
        ("uncompressedSize", offset_of!(nvrtcBundledHeadersInfo, uncompressedSize)),
        ("cudaVersionMajor", offset_of!(nvrtcBundledHeadersInfo, cudaVersionMajor)),
        ("cudaVersionMinor", offset_of!(nvrtcBundledHeadersInfo, cudaVersionMinor)),
        ("numFiles", offset_of!(nvrtcBundledHeadersInfo, numFiles)),
    ];
    for (field, offset) in offsets {
        let _ = writeln!(
            text,
            "_Static_assert(offsetof(nvrtcBundledHeadersInfo, {field}) == {offset}, \"offset\");"
        );
    }
    let sizes = [
        ("nvrtcResult", size_of::<nvrtcResult>()),
        ("nvrtcProgram", size_of::<nvrtcProgram>()),
        ("nvrtcBundledHeadersInfo", size_of::<nvrtcBundledHeadersInfo>()),
    ];
    for (name, size) in sizes {
        let _ = writeln!(text, "_Static_assert(sizeof({name}) == {size}, \"size\");");
    }
    text
}

/// Returns the messages of the compiler about C text, if there are any.
fn complaint(name: &str, text: &str, headers: &str) -> Option<String> {
    let file = folder().join(name);
    std::fs::write(&file, text).unwrap();
    let output = Command::new("cc")
        .args(["-std=c11", "-fsyntax-only", "-Werror=switch", "-I", headers])
        .arg(&file)
        .output()
        .unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_c_compiler_agrees() {
    let Some(headers) = std::env::var("NVRTC_HEADER_DIR").ok().filter(|folder| !folder.is_empty()) else {
        crate::say_skip!("NVRTC_HEADER_DIR names no directory with nvrtc.h");
        return;
    };
    if Command::new("cc").arg("--version").output().is_err() {
        crate::say_skip!("there is no C compiler");
        return;
    }
    let source = source();
    assert_eq!(complaint("nvrtc_header.c", &source, &headers), None);
    // The check detects each of these mistakes.
    for (right, wrong) in [
        ("nvrtcResult nvrtcVersion(", "void nvrtcVersion("),
        ("PTXSize(struct _nvrtcProgram *, size_t *)", "PTXSize(struct _nvrtcProgram *, int *)"),
        ("NVRTC_ERROR_COMPILATION == 6", "NVRTC_ERROR_COMPILATION == 7"),
        ("case NVRTC_ERROR_BUSY: return 1;", ""),
    ] {
        assert!(source.contains(right), "{source}");
        let spoilt = source.replacen(right, wrong, 1);
        assert!(complaint("nvrtc_spoilt.c", &spoilt, &headers).is_some(), "{wrong}");
    }
}

//! The output of `vprintf`. On hardware the output goes to the standard output, which tests cannot read.

use super::{Arg, Device};

/// Returns the output of a call of `vprintf` in one thread. `list` gives the PTX types and values of the arguments.
fn printed(format: &str, list: &[(&str, &str)]) -> String {
    let bytes = |text: &str| -> String {
        text.bytes().chain([0]).map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut body = String::new();
    let mut offset = 0usize;
    for (kind, value) in list {
        let size = if kind.ends_with("64") { 8usize } else { 4 };
        offset = offset.next_multiple_of(size);
        let mov = if *kind == "f64" { "f64" } else { kind };
        body +=
            &format!("{{ .reg .{mov} %x; mov.{mov} %x, {value}; st.local.{mov} [list+{offset}], %x; }}\n");
        offset += size;
    }
    let mut device = Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n\
         .extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);\n\
         .global .align 1 .b8 text[] = {{ {} }};\n.global .align 1 .b8 word[] = {{ {} }};\n\
         .visible .entry k(.param .b64 out)\n{{\n.local .align 8 .b8 list[512]; .reg .b64 %d<4>; .reg .b32 %r<4>;\n{body}\
         mov.u64 %d0, text; cvta.local.u64 %d1, list;\n\
         {{ .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d0; st.param.b64 [l], %d1;\n\
         call.uni (c), vprintf, (t, l); ld.param.b32 %r0, [c]; }}\n\
         ld.param.b64 %d2, [out]; st.global.b32 [%d2], %r0; ret;\n}}\n",
        bytes(format),
        bytes("word"),
    ));
    let out = device.alloc_u32(&[0]);
    device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    let text = String::from_utf8(device.output.take()).unwrap();
    format!("{text}|{}", device.u64s(out)[0])
}

#[test]
fn integers() {
    assert_eq!(printed("%d %i %u", &[("b32", "-5"), ("b32", "7"), ("b32", "-1")]), "-5 7 4294967295|3");
    assert_eq!(
        printed("%5d[%-5d]%05d", &[("b32", "42"), ("b32", "42"), ("b32", "-42")]),
        "   42[42   ]-0042|3"
    );
    assert_eq!(
        printed("%+d% d%.3d%8.3d", &[("b32", "1"), ("b32", "1"), ("b32", "7"), ("b32", "-7")]),
        "+1 1007    -007|4"
    );
    assert_eq!(printed("%x %X %#x %o %#o", &[("b32", "255"); 5]), "ff FF 0xff 377 0377|5");
    assert_eq!(
        printed("%ld %lld %lx %zu", &[("b64", "-1"), ("b64", "1"), ("b64", "-1"), ("b64", "9")]),
        "-1 1 ffffffffffffffff 9|4"
    );
    assert_eq!(printed("%hd %hhu %hhd", &[("b32", "65537"), ("b32", "511"), ("b32", "128")]), "1 255 -128|3");
    assert_eq!(
        printed("%*d|%-*d|", &[("b32", "4"), ("b32", "1"), ("b32", "3"), ("b32", "2")]),
        "   1|2  ||4"
    );
    // The hardware's formatter does not support a precision that is an argument, and prints it unchanged.
    assert_eq!(printed("%.*d", &[("b32", "2"), ("b32", "3")]), "%.*d|0");
    assert_eq!(printed("%.0d%#x", &[("b32", "0"), ("b32", "0")]), "0|2");
}

#[test]
fn reals() {
    let value = |text| ("f64", text);
    assert_eq!(
        printed("%f %.2f %8.3f", &[value("1.5"), value("-2.345"), value("3.14159")]),
        "1.500000 -2.35    3.142|3"
    );
    assert_eq!(
        printed("%e %E %g %G", &[value("12345.678"), value("0.00012"), value("0.0001"), value("1e20")]),
        "1.234568e+04 1.200000E-04 0.0001 1E+20|4"
    );
    assert_eq!(printed("%a %.0f %#.0f", &[value("1.0"), value("2.5"), value("3.0")]), "0x1p+0 2 3.|3");
    assert_eq!(
        printed(
            "%f %F %+e",
            &[("f64", "0d7FF0000000000000"), ("f64", "0dFFF0000000000000"), ("f64", "0d7FF8000000000000")]
        ),
        "inf -INF +nan|3"
    );
    assert_eq!(printed("%010.2f|%-10.2f|", &[value("-1.5"), value("1.5")]), "-000001.50|1.50      ||2");
}

#[test]
fn texts_and_characters_are_printed() {
    assert_eq!(printed("%s|%6s|%-6s|%.2s", &[("b64", "word"); 4]), "word|  word|word  |wo|4");
    assert_eq!(
        printed("%c%c %p 100%%", &[("b32", "65"), ("b32", "66"), ("b64", "4096")]),
        "AB 0x1000 100%|3"
    );
    // An integer after a floating-point number is aligned to its own size, and the other way round.
    assert_eq!(
        printed("%d %f %d %s", &[("b32", "1"), ("f64", "2.0"), ("b32", "3"), ("b64", "word")]),
        "1 2.000000 3 word|4"
    );
    // Text that is no specification is printed unchanged.
    assert_eq!(printed("%y %", &[]), "%y %|0");
    assert_eq!(printed("no arguments\n", &[]), "no arguments\n|0");
}

#[test]
fn output_beyond_capacity_is_dropped() {
    let mut device = Device::new(
        ".version 9.0\n.target sm_90\n.address_size 64\n\
         .extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);\n\
         .global .align 1 .b8 text[] = { 37, 52, 100, 10, 0 };\n\
         .visible .entry k()\n{\n.local .align 8 .b8 list[8]; .reg .b64 %d<4>; .reg .b32 %r<4>; mov.u32 %r0, %tid.x;\n\
         st.local.b32 [list], %r0; mov.u64 %d0, text; cvta.local.u64 %d1, list;\n\
         { .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d0; st.param.b64 [l], %d1;\n\
         call.uni (c), vprintf, (t, l); }\nret;\n}\n",
    );
    // Each text has five bytes, and there is room for 64.
    device.run("k", [1, 1, 1], [32, 1, 1], &[]);
    let expected: String = (0..12).map(|thread| format!("{thread:4}\n")).collect();
    assert_eq!(String::from_utf8(device.output.take()).unwrap(), expected);
    device.run("k", [1, 1, 1], [1, 1, 1], &[]);
    assert_eq!(device.output.take(), b"   0\n");
}

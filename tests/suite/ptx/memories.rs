//! Loads, stores and state spaces.

#![allow(unsafe_code)]

use super::{Arg, Device};
use cuda_suite::call;

const PROLOGUE: &str = ".reg .b8 %c<8>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .pred %q<8>; .reg .f32 %f<8>;\n\
    ld.param.b64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 8; add.s64 %d1, %d0, %d1;\n";

/// Runs a body for `threads` threads, each with an address of eight bytes in `%d1` and its index in `%r0`.
fn run(declarations: &str, body: &str, threads: u32) -> Vec<u64> {
    let mut device = Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{declarations}\n.visible .entry k(.param .b64 out)\n{{\n{PROLOGUE}{body}\nret;\n}}\n"
    ));
    let out = device.alloc_u64(&vec![0; threads as usize]);
    device.run("k", [1, 1, 1], [threads, 1, 1], &[Arg::Buffer(out)]);
    device.u64s(out)
}

#[test]
fn widths_and_extensions() {
    let table = ".global .align 8 .b8 table[8] = {0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88};";
    let cases: [(&str, u64); 16] = [
        ("ld.global.u8 %h1, [table]; cvt.u64.u16 %d2, %h1;", 0x81),
        ("ld.global.s8 %h1, [table]; cvt.u64.u16 %d2, %h1;", 0xff81),
        ("ld.global.s8 %r1, [table+1]; cvt.u64.u32 %d2, %r1;", 0xffff_ff82),
        ("ld.global.s8 %d2, [table+2];", 0xffff_ffff_ffff_ff83),
        ("ld.global.u8 %d2, [table+3];", 0x84),
        ("ld.global.b8 %c1, [table+4]; cvt.u64.u8 %d2, %c1;", 0x85),
        ("ld.global.u16 %r1, [table+2]; cvt.u64.u32 %d2, %r1;", 0x8483),
        ("ld.global.s16 %r1, [table+2]; cvt.u64.u32 %d2, %r1;", 0xffff_8483),
        ("ld.global.s16 %d2, [table+6];", 0xffff_ffff_ffff_8887),
        ("ld.global.u32 %d2, [table+4];", 0x8887_8685),
        ("ld.global.s32 %d2, [table+4];", 0xffff_ffff_8887_8685),
        ("ld.global.b64 %d2, [table];", 0x8887_8685_8483_8281),
        ("ld.global.nc.u32 %d2, [table];", 0x8483_8281),
        ("ld.global.nc.v2.u16 {%r1, %r2}, [table]; mov.b64 %d2, {%r1, %r2};", 0x0000_8483_0000_8281),
        ("ld.global.v2.u16 {%r1, %r2}, [table+4]; mov.b64 %d2, {%r1, %r2};", 0x0000_8887_0000_8685),
        ("ld.global.v4.s8 {%r1, _, _, %r2}, [table]; mov.b64 %d2, {%r1, %r2};", 0xffff_ff84_ffff_ff81),
    ];
    for (body, expected) in cases {
        let values = run(table, &format!("{body} st.global.b64 [%d1], %d2;"), 33);
        assert!(values.iter().all(|&value| value == expected), "{body}: {:#x}", values[0]);
    }
}

/// `name<3>` declares `name0` to `name2`, in every state space.
#[test]
fn one_declaration_makes_several_variables() {
    let module = ".global .u64 g<3>;\n\
        .func (.param .b64 r) sum(.param .b64 a, .param .b64 b, .param .b64 c) { .reg .b64 %x<3>;\n\
        ld.param.b64 %x0, [a]; ld.param.b64 %x1, [b]; ld.param.b64 %x2, [c];\n\
        mul.lo.u64 %x1, %x1, 100; add.u64 %x0, %x0, %x1; mul.lo.u64 %x2, %x2, 10000; add.u64 %x0, %x0, %x2;\n\
        st.param.b64 [r], %x0; ret; }";
    let stores = "st.SPACE.u64 [NAME0], 1; st.SPACE.u64 [NAME1], 20; st.SPACE.u64 [NAME2], 3;\n\
        ld.SPACE.u64 %d2, [NAME0]; ld.SPACE.u64 %d3, [NAME1]; ld.SPACE.u64 %d4, [NAME2];\n\
        { .param .b64 p<3>, q; st.param.b64 [p0], %d2; st.param.b64 [p1], %d3; st.param.b64 [p2], %d4;\n\
        call.uni (q), sum, (p0, p1, p2); ld.param.b64 %d5, [q]; } st.global.b64 [%d1], %d5;";
    for (declaration, space, name) in [
        ("", "global", "g"),
        (".shared .u64 s<3>;", "shared", "s"),
        (".local .u64 l<3>;", "local", "l"),
        (".global .u64 h<3>;", "global", "h"),
    ] {
        let body = format!("{declaration} {stores}").replace("SPACE", space).replace("NAME", name);
        assert_eq!(run(module, &body, 33), [32_001; 33], "{declaration}");
    }
}

#[test]
fn stores_of_every_width() {
    let cases: [(&str, u64); 8] = [
        ("st.global.u8 [%d1], %d3;", 0xef),
        ("st.global.b8 [%d1+1], %r3;", 0xef00),
        ("st.global.u16 [%d1+2], %r3;", 0xcdef_0000),
        ("st.global.b32 [%d1+4], %d3;", 0x89ab_cdef_0000_0000),
        ("st.global.v2.b32 [%d1], {%r3, 5};", 0x0000_0005_89ab_cdef),
        ("st.global.v4.b16 [%d1], {%h3, %h3, 1, %h3};", 0xcdef_0001_cdef_cdef),
        ("st.global.f32 [%d1], 1.5;", 0x3fc0_0000),
        ("st.global.s64 [%d1], -2;", u64::MAX - 1),
    ];
    for (store, expected) in cases {
        let body =
            format!("mov.u64 %d3, 0x0123456789abcdef; cvt.u32.u64 %r3, %d3; cvt.u16.u64 %h3, %d3; {store}");
        // All lanes at once, and lanes that are not next to each other.
        let values = run("", &body, 40);
        assert!(values.iter().all(|&value| value == expected), "{store}: {:#x}", values[0]);
        let body = format!(
            "mov.u64 %d3, 0x0123456789abcdef; cvt.u32.u64 %r3, %d3; cvt.u16.u64 %h3, %d3;\n\
             and.b32 %r4, %r0, 5; setp.eq.u32 %q1, %r4, 1; @%q1 {store}"
        );
        for (lane, value) in run("", &body, 40).into_iter().enumerate() {
            assert_eq!(value, if lane & 5 == 1 { expected } else { 0 }, "{store} in lane {lane}");
        }
    }
}

#[test]
fn patterns_of_addresses() {
    // Forwards, backwards, strided, all the same, permuted, in groups of 8 equal ones. In shared
    // memory and in global memory.
    let maps = [
        ("mov.u32 %r2, %r0;", (|lane| lane) as fn(u64) -> u64),
        ("sub.u32 %r2, 63, %r0;", |lane| 63 - lane),
        ("mul.lo.u32 %r2, %r0, 5; and.b32 %r2, %r2, 63;", |lane| lane * 5 % 64),
        ("mov.u32 %r2, 17;", |_| 17),
        ("xor.b32 %r2, %r0, 21;", |lane| lane ^ 21),
        ("shr.u32 %r2, %r0, 3;", |lane| lane >> 3),
    ];
    for (map, function) in maps {
        for width in [4, 8] {
            let (bits, register) = if width == 4 { (32, "%r") } else { (64, "%d") };
            let extend = if width == 4 { "cvt.u64.u32 %d5, %r5;" } else { "" };
            let body = format!(
                "mul.lo.u32 %r5, %r0, 3; cvt.u64.u32 %d5, %r5; mul.lo.u32 %r3, %r0, {width};\n\
                 mov.u32 %r4, area; add.u32 %r4, %r4, %r3; st.shared.b{bits} [%r4], {register}5; bar.sync 0;\n\
                 {map} mul.lo.u32 %r3, %r2, {width}; mov.u32 %r4, area; add.u32 %r4, %r4, %r3;\n\
                 ld.shared.b{bits} {register}5, [%r4]; {extend} st.global.b64 [%d1], %d5;"
            );
            let values = run(".shared .align 8 .b8 area[512];", &body, 64);
            let expected: Vec<u64> = (0..64).map(|lane| function(lane) * 3).collect();
            assert_eq!(values, expected, "shared, {map}");
            let body = format!(
                "mul.lo.u32 %r5, %r0, 3; cvt.u64.u32 %d5, %r5; mul.wide.u32 %d3, %r0, {width};\n\
                 mov.u64 %d4, area; add.u64 %d4, %d4, %d3; st.global.b{bits} [%d4], {register}5; bar.sync 0;\n\
                 {map} mul.wide.u32 %d3, %r2, {width}; mov.u64 %d4, area; add.u64 %d4, %d4, %d3;\n\
                 ld.b{bits} {register}5, [%d4]; {extend} st.b64 [%d1], %d5;"
            );
            let values = run(".global .align 8 .b8 area[512];", &body, 64);
            assert_eq!(values, expected, "global, {map}");
        }
    }
}

/// Loads and stores of adjacent 8-bit and 16-bit elements, at offsets 0 to 8. Bytes beside them do
/// not change.
#[test]
fn small_elements_side_by_side() {
    for (space, declarations) in [
        ("shared", ".shared .align 16 .b8 area[160]; .shared .align 16 .b8 copy[160];"),
        ("global", ".global .align 16 .b8 area[160]; .global .align 16 .b8 copy[160];"),
    ] {
        for width in [1, 2_u64] {
            for offset in (0..9).filter(|offset| offset % width == 0) {
                let bits = 8 * width;
                // The areas are filled, all elements are read from one place and written to another, and what is there
                // then is read word by word.
                let body = format!(
                    "mov.u64 %d2, area; mov.u64 %d3, copy; mul.wide.u32 %d4, %r0, 2; cvt.u16.u32 %h1, %r0;\n\
                     mul.lo.u16 %h1, %h1, 259; add.u16 %h1, %h1, 7;\n\
                     add.u64 %d5, %d2, %d4; st.{space}.u16 [%d5], %h1; mov.u16 %h2, 0x5555;\n\
                     add.u64 %d5, %d3, %d4; st.{space}.u16 [%d5], %h2; bar.sync 0;\n\
                     mul.wide.u32 %d4, %r0, {width}; add.u64 %d5, %d2, %d4; ld.{space}.u{bits} %h3, [%d5+{offset}];\n\
                     add.u64 %d5, %d3, %d4; st.{space}.u{bits} [%d5+{offset}], %h3; bar.sync 0;\n\
                     mul.wide.u32 %d4, %r0, 2; add.u64 %d5, %d3, %d4; ld.{space}.u16 %r4, [%d5];\n\
                     cvt.u32.u16 %r3, %h3; mov.b64 %d6, {{%r3, %r4}}; st.global.b64 [%d1], %d6;"
                );
                let values = run(declarations, &body, 64);
                let area: Vec<u8> = (0..64_u16).flat_map(|lane| (lane * 259 + 7).to_le_bytes()).collect();
                let mut copy = [0x55_u8; 128];
                for lane in 0..64 {
                    let at = (lane * width + offset) as usize;
                    let element: Vec<u8> =
                        (at..at + width as usize).map(|at| area.get(at).copied().unwrap_or(0)).collect();
                    let mut expected = [0; 4];
                    expected[..element.len()].copy_from_slice(&element);
                    if at + element.len() <= 128 {
                        let found = values[lane as usize] as u32;
                        assert_eq!(
                            found,
                            u32::from_le_bytes(expected),
                            "{space}, {bits} bits at {offset}, lane {lane}"
                        );
                        copy[at..at + element.len()].copy_from_slice(&element);
                    }
                }
                let found: Vec<u8> =
                    values.iter().flat_map(|value| ((value >> 32) as u16).to_le_bytes()).collect();
                assert_eq!(found, copy, "{space}, {bits} bits at {offset}");
            }
        }
    }
}

/// A vector operand of one element, such as `{%r0}`, means the same as the element.
#[test]
fn lists_of_one() {
    let body = "st.global.u32 [cell], {%r0}; st.shared.u16 [s], {5}; ld.global.u32 {%r2}, [cell];\n\
        ld.volatile.shared.u16 {%r3}, [s]; add.u32 %r2, %r2, %r3; cvt.u64.u32 %d2, %r2; st.global.u64 [%d1], {%d2};";
    assert_eq!(run(".global .u32 cell; .shared .u16 s;", body, 1), [5]);
}

#[test]
fn local_memory_is_private() {
    for (name, declare, address) in [
        ("local", ".local .align 8 .b8 mine[64];", "mov.u64 %d2, mine; add.u64 %d2, %d2, %d3;"),
        (
            "generic",
            ".local .align 8 .b8 mine[64];",
            "mov.u64 %d2, mine; cvta.local.u64 %d2, %d2; add.u64 %d2, %d2, %d3;",
        ),
    ] {
        let space = if name == "local" { ".local" } else { "" };
        let body = format!(
            "{declare} mov.u64 %d3, 0; {address} st{space}.b32 [%d2], %r0; st{space}.b16 [%d2+6], 0x7777;\n\
             st{space}.b8 [%d2+8], 0x12; st{space}.v2.b32 [%d2+16], {{%r0, 9}};\n\
             and.b32 %r2, %r0, 7; mul.wide.u32 %d3, %r2, 8; {address} add.u32 %r3, %r0, 100; st{space}.b32 [%d2], %r3;\n\
             mov.u64 %d3, 0; {address} ld{space}.u32 %r4, [%d2]; ld{space}.u16 %r5, [%d2+6]; ld{space}.u8 %r6, [%d2+8];\n\
             ld{space}.b64 %d6, [%d2+16]; shr.u64 %d6, %d6, 32; cvt.u32.u64 %r7, %d6;\n\
             mad.lo.u32 %r4, %r5, 1000, %r4; mad.lo.u32 %r4, %r6, 1, %r4; mad.lo.u32 %r4, %r7, 100000, %r4;\n\
             cvt.u64.u32 %d5, %r4; st.global.b64 [%d1], %d5;"
        );
        for (lane, value) in run("", &body, 64).into_iter().enumerate() {
            let lane = lane as u64;
            // The part that each thread overwrote depends on its index.
            let first = if lane.is_multiple_of(8) { lane + 100 } else { lane };
            let byte = if lane % 8 == 1 { (lane + 100) & 0xff } else { 0x12 };
            let ninth = 9;
            let expected = (first + 0x7777 * 1000 + byte + ninth * 100_000) & 0xffff_ffff;
            assert_eq!(value, expected, "{name}, lane {lane}");
        }
    }
}

#[test]
fn spaces_of_generic_addresses() {
    let body = ".local .b32 l;\n\
        mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; mov.u64 %d3, l; cvta.local.u64 %d3, %d3; mov.u64 %d4, g; cvta.global.u64 %d4, %d4;\n\
        mov.u32 %r2, 0;\n\
        isspacep.shared %q1, %d2; @%q1 or.b32 %r2, %r2, 1; isspacep.shared %q1, %d3; @%q1 or.b32 %r2, %r2, 2;\n\
        isspacep.local %q1, %d3; @%q1 or.b32 %r2, %r2, 4; isspacep.global %q1, %d4; @%q1 or.b32 %r2, %r2, 8;\n\
        isspacep.global %q1, %d2; @%q1 or.b32 %r2, %r2, 16; isspacep.global %q1, %d3; @%q1 or.b32 %r2, %r2, 32;\n\
        cvta.to.shared.u64 %d5, %d2; mov.u64 %d6, s; setp.eq.u64 %q1, %d5, %d6; @%q1 or.b32 %r2, %r2, 64;\n\
        cvta.to.local.u64 %d5, %d3; mov.u64 %d6, l; setp.eq.u64 %q1, %d5, %d6; @%q1 or.b32 %r2, %r2, 128;\n\
        setp.eq.u64 %q1, %d2, 0; @%q1 or.b32 %r2, %r2, 256;\n\
        // One instruction, lanes in different spaces.\n\
        rem.u32 %r3, %r0, 3; setp.eq.u32 %q2, %r3, 1; selp.b64 %d7, %d3, %d4, %q2; setp.eq.u32 %q3, %r3, 2; selp.b64 %d7, %d2, %d7, %q3;\n\
        st.shared.b32 [s], 10; st.local.b32 [l], 20; st.global.b32 [g], 30; bar.sync 0;\n\
        ld.b32 %r4, [%d7]; mad.lo.u32 %r2, %r4, 1000, %r2; cvt.u64.u32 %d8, %r2; st.global.b64 [%d1], %d8;";
    for (lane, value) in run(".shared .b32 s; .global .b32 g;", body, 48).into_iter().enumerate() {
        let loaded = [30, 20, 10][lane % 3];
        assert_eq!(value, 1 + 4 + 8 + 64 + 128 + loaded * 1000, "lane {lane}");
    }
}

/// Conformance facts V1200 and V1201.
#[test]
fn constants_and_parameters_in_generic_addresses() {
    let body = ".reg .b64 %v<4>; mov.u64 %v1, first; cvta.const.u64 %v1, %v1; mov.u64 %v2, second; cvta.const.u64 %v2, %v2;\n\
        mov.u64 %d4, g; cvta.global.u64 %d4, %d4; mov.b64 %d5, out; cvta.param.u64 %d5, %d5; mov.u32 %r2, 0;\n\
        isspacep.const %q1, %v1; @%q1 or.b32 %r2, %r2, 1; isspacep.const %q1, %v2; @%q1 or.b32 %r2, %r2, 2;\n\
        add.u64 %v2, %v2, 15; isspacep.const %q1, %v2; @%q1 or.b32 %r2, %r2, 4;\n\
        isspacep.const %q1, %d4; @%q1 or.b32 %r2, %r2, 8; isspacep.const %q1, %d5; @%q1 or.b32 %r2, %r2, 16;\n\
        mov.u64 %d6, 0; isspacep.const %q1, %d6; @%q1 or.b32 %r2, %r2, 32; isspacep.global %q1, %v1; @%q1 or.b32 %r2, %r2, 64;\n\
        isspacep.global %q1, %d4; @%q1 or.b32 %r2, %r2, 128; isspacep.global %q1, %d5; @%q1 or.b32 %r2, %r2, 256;\n\
        isspacep.param %q1, %d5; @%q1 or.b32 %r2, %r2, 512; isspacep.param %q1, %d4; @%q1 or.b32 %r2, %r2, 1024;\n\
        membar.proxy.alias; cvt.u64.u32 %d8, %r2; st.global.b64 [%d1], %d8;";
    // `isspacep.const` is also true for a constant variable that is declared after the kernel.
    let mut device = Device::new(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .b64 out, .param .b64 at) {\n\
         .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p; ld.param.b64 %d0, [out]; ld.param.b64 %d1, [at];\n\
         isspacep.const %p, %d1; selp.u32 %r0, 1, 0, %p; isspacep.global %p, %d1; selp.u32 %r1, 2, 0, %p;\n\
         or.b32 %r0, %r0, %r1; st.global.b32 [%d0], %r0; ret; }\n.visible .const .align 4 .b8 behind[16];\n",
    );
    let (out, global) = (device.alloc_u32(&[9]), device.alloc_u32(&[9]));
    let (mut behind, mut bytes) = (0, 0);
    let module = device.module();
    call!(cuda_sys::cuModuleGetGlobal_v2(&raw mut behind, &raw mut bytes, module, c"behind".as_ptr()));
    for (at, expected) in [(Arg::U64(behind), 1), (Arg::U64(behind + 16), 2), (Arg::Buffer(global), 2)] {
        device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out), at]);
        assert_eq!(device.u32s(out)[0], expected);
    }
    let declarations = ".const .b32 first = 5; .const .align 8 .b8 second[16]; .global .b32 g;";
    for value in run(declarations, body, 3) {
        assert_eq!(value, 1 + 2 + 4 + 128 + 256 + 512);
    }
}

/// Without tools and device graphs, these registers are zero (conformance fact V1201).
#[test]
fn registers_of_tools_are_zero() {
    let body = "mov.u32 %r1, %pm0; mov.u32 %r2, %pm7; or.b32 %r1, %r1, %r2; mov.u64 %d2, %pm0_64; mov.u64 %d3, %pm7_64;\n\
        or.b64 %d2, %d2, %d3; mov.u64 %d3, %current_graph_exec; or.b64 %d2, %d2, %d3; cvt.u64.u32 %d3, %r1;\n\
        or.b64 %d2, %d2, %d3; add.u64 %d2, %d2, 7; st.global.b64 [%d1], %d2;";
    assert_eq!(run("", body, 2), [7, 7]);
}

#[test]
fn module_variables() {
    let declarations = ".global .align 4 .u32 numbers[4] = {1, 2, 3};\n\
        .const .align 8 .b64 constants[2] = {0x1122334455667788, 5};\n\
        .global .f32 real = 1.5; .global .align 8 .v2 .f32 pair = {2.5, 0f40400000};\n\
        .global .u64 pointer = numbers + 8; .global .u64 generic_pointer = generic(constants) + 8;\n\
        .global .align 1 .u8 split[8] = {0xff(numbers), 0xff00(numbers), 0xff0000(numbers), 0xff000000(numbers),\n\
          0xff00000000(numbers), 0xff0000000000(numbers), 0xff000000000000(numbers), 0xff00000000000000(numbers)};\n\
        .global .align 4 .s16 grid[2][3] = {{-1, 2}, {3, 4, 5}};";
    // The rows of `grid` follow each other without a gap: -1, 2, 3, 4, 5, 0.
    let cases: [(&str, u64); 9] = [
        ("ld.global.u32 %r1, [numbers+8]; cvt.u64.u32 %d2, %r1;", 3),
        ("ld.global.u32 %r1, [numbers+12]; cvt.u64.u32 %d2, %r1;", 0),
        ("ld.const.b64 %d2, [constants];", 0x1122_3344_5566_7788),
        ("ld.global.f32 %f1, [real]; cvt.f64.f32 %d2, %f1;", 0x3ff8_0000_0000_0000),
        (
            "ld.global.v2.f32 {%f1, %f2}, [pair]; add.f32 %f1, %f1, %f2; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;",
            0x40b0_0000,
        ),
        ("ld.global.u64 %d3, [pointer]; ld.global.u32 %d2, [%d3];", 3),
        ("ld.global.u64 %d3, [generic_pointer]; ld.b64 %d2, [%d3];", 5),
        (
            "ld.global.v4.u8 {%r1,%r2,%r3,%r4}, [split]; ld.global.v4.u8 {%r5,%r6,%r7,%r8}, [split+4];\n\
          mov.u64 %d2, numbers; shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 16; shl.b32 %r4, %r4, 24; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r4;\n\
          shl.b32 %r6, %r6, 8; shl.b32 %r7, %r7, 16; shl.b32 %r8, %r8, 24; or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r7; or.b32 %r5, %r5, %r8;\n\
          mov.b64 %d3, {%r1, %r5}; sub.u64 %d2, %d2, %d3;",
            0,
        ),
        (
            "ld.global.s16 %d2, [grid]; ld.global.s16 %d3, [grid+10]; ld.global.s16 %d4, [grid+4]; add.s64 %d2, %d2, %d3; add.s64 %d2, %d2, %d4;",
            2,
        ),
    ];
    for (body, expected) in cases {
        let body = body.replace("cvt.f64.f32 %d2, %f1", ".reg .f64 %w; cvt.f64.f32 %w, %f1; mov.b64 %d2, %w");
        let values = run(declarations, &format!("{body} st.global.b64 [%d1], %d2;"), 2);
        assert_eq!(values[0], expected, "{body}");
    }
}

#[test]
fn parameters_of_every_kind() {
    let ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .b64 out, .param .u8 small, .param .align 8 .b8 block[16], .param .f32 real)\n{\n\
        .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<3>;\n\
        ld.param.b64 %d0, [out]; ld.param.s8 %r1, [small]; st.global.b32 [%d0], %r1;\n\
        ld.param.v2.b32 {%r2, %r3}, [block+8]; st.global.v2.b32 [%d0+8], {%r2, %r3}; ld.param.f32 %f1, [real]; st.global.f32 [%d0+16], %f1;\n\
        // By address, in the parameter space and generically.\n\
        mov.b64 %d1, block; ld.param.u16 %r4, [%d1+2]; st.global.b32 [%d0+20], %r4;\n\
        cvta.param.u64 %d2, %d1; ld.u32 %r5, [%d2+4]; st.global.b32 [%d0+24], %r5; ret;\n}\n";
    let mut device = Device::new(ptx);
    assert_eq!(device.parameters("k"), [(0, 8), (8, 1), (16, 16), (32, 4)]);
    let out = device.alloc_u32(&[0; 8]);
    let mut params = vec![0u8; 36];
    params[..8].copy_from_slice(&device.address(out).to_le_bytes());
    params[8] = 0xfe;
    for index in 0..16 {
        params[16 + index] = index as u8 + 1;
    }
    params[32..36].copy_from_slice(&2.5f32.to_le_bytes());
    device.launch_with("k", [1, 1, 1], [1, 1, 1], 0, &params).unwrap();
    assert_eq!(
        device.u32s(out)[..7],
        [0xffff_fffe, 0, 0x0c0b_0a09, 0x100f_0e0d, 0x4020_0000, 0x0403, 0x0807_0605]
    );
}

#[test]
fn dynamic_shared_memory() {
    let declarations = ".extern .shared .align 16 .b8 dynamic[]; .shared .align 4 .b8 fixed[20];";
    let body = "mov.u32 %r1, dynamic; mov.u32 %r2, fixed; sub.u32 %r3, %r1, %r2; mov.u32 %r4, %dynamic_smem_size;\n\
        mad.lo.u32 %r5, %r0, 4, %r1; st.shared.b32 [%r5], %r0; bar.sync 0; mov.u32 %r6, 31; sub.u32 %r6, %r6, %r0;\n\
        mad.lo.u32 %r5, %r6, 4, %r1; ld.shared.u32 %r7, [%r5]; mad.lo.u32 %r7, %r3, 100, %r7; mad.lo.u32 %r7, %r4, 10000, %r7;\n\
        cvt.u64.u32 %d2, %r7; st.global.b64 [%d1], %d2;";
    let mut device = Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{declarations}\n.visible .entry k(.param .b64 out)\n{{\n{PROLOGUE}{body}\nret;\n}}\n"
    ));
    // The size with the gap before the dynamic part.
    assert_eq!(device.static_shared("k"), 32);
    let out = device.alloc_u64(&[0; 32]);
    device.try_run("k", [1, 1, 1], [32, 1, 1], 128, &[Arg::Buffer(out)]).unwrap();
    for (lane, value) in device.u64s(out).into_iter().enumerate() {
        assert_eq!(value, 31 - lane as u64 + 32 * 100 + 128 * 10_000);
    }
}

/// The value that a lane stores.
type OfLane = fn(u64) -> u64;

/// Conformance facts V1080 to V1083.
#[test]
fn addresses_of_elements() {
    let tables = ".global .align 8 .b8 bytes[64]; .global .u64 wide[64]; .global .u32 rows[4][16]; .global .v2 .u32 pairs[32];\n\
        .global .u32 filled[] = {1, 2, 3}; .const .u32 fixed[64];\n";
    let sum = |array: &str, index: &str| {
        format!("mov.u64 %d3, {array}[{index}]; mov.u64 %d4, {array}; sub.u64 %d2, %d3, %d4;")
    };
    let cases: [(String, OfLane); 24] = [
        (sum("bytes", "%r0"), |lane| lane),
        (sum("wide", "%r0"), |lane| 8 * lane),
        (sum("rows", "%r0"), |lane| 4 * lane),
        (sum("pairs", "%r0"), |lane| 4 * lane),
        (sum("filled", "%r0"), |lane| 4 * lane),
        (sum("fixed", "%r0"), |lane| 4 * lane),
        (sum("shared", "%r0"), |lane| 8 * lane),
        (sum("local", "%r0"), |lane| 2 * lane),
        (sum("wide", "1"), |_| 8),
        (sum("wide", "2+1"), |_| 24),
        (sum("wide", "-1"), |_| 0xffff_fff8),
        (sum("wide", "0x20000001"), |_| 8),
        (sum("wide", "%r0+2"), |lane| 8 * lane + 16),
        (sum("wide", "%r0+-1"), |lane| u64::from((8 * lane as u32).wrapping_sub(8))),
        (sum("wide", "%r0+0x20000000"), |lane| 8 * lane),
        (sum("wide", "%laneid"), |lane| 8 * (lane & 31)),
        (format!("or.b32 %r1, %r0, 0x20000000; {}", sum("wide", "%r1")), |lane| 8 * lane),
        (format!("sub.s32 %s, 0, %r0; {}", sum("bytes", "%s")), |lane| {
            u64::from((lane as u32).wrapping_neg())
        }),
        (format!("cvt.u64.u32 %d5, %r0; or.b64 %d5, %d5, 0x500000000; {}", sum("wide", "%d5+1")), |lane| {
            8 * lane + 8
        }),
        (
            "mov.u32 %r1, shared[%r0+1]; mov.u32 %r2, shared; sub.u32 %r1, %r1, %r2; cvt.u64.u32 %d2, %r1;"
                .into(),
            |lane| 8 * lane + 8,
        ),
        (
            "cvta.global.u64 %d3, wide[%r0]; cvta.global.u64 %d4, wide; sub.u64 %d2, %d3, %d4;".into(),
            |lane| 8 * lane,
        ),
        (
            "cvta.shared.u64 %d3, shared[%r0]; cvta.shared.u64 %d4, shared; sub.u64 %d2, %d3, %d4;".into(),
            |lane| 8 * lane,
        ),
        (
            "cvta.local.u64 %d3, local[%r0]; cvta.local.u64 %d4, local[0]; sub.u64 %d2, %d3, %d4;".into(),
            |lane| 2 * lane,
        ),
        (
            "mov.u64 %d3, wide[3]; @%q1 mov.u64 %d3, wide[%r0]; mov.u64 %d4, wide; sub.u64 %d2, %d3, %d4;"
                .into(),
            |_| 24,
        ),
    ];
    for (body, expected) in cases {
        let body = format!(
            ".reg .s32 %s; .shared .u64 shared[64]; .local .b16 local[64]; setp.ne.u32 %q1, %r0, %r0;\n\
             {body} st.global.b64 [%d1], %d2;"
        );
        for (lane, value) in run(tables, &body, 40).into_iter().enumerate() {
            assert_eq!(value, expected(lane as u64), "{body} in lane {lane}");
        }
    }
}

/// Conformance facts V1080 and V1081.
#[test]
fn elements_are_loaded_and_stored() {
    let tables = ".global .u64 table[4] = {11, 22, 33, 44}; .const .u32 fixed[8] = {5, 6, 7, 8};\n\
        .global .u32 rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}; .global .align 16 .u32 four[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n\
        .global .align 8 .u64 cells[4];\n";
    let cases: [(&str, OfLane); 13] = [
        ("ld.global.u64 %d2, table[%r0];", |lane| 11 * (lane + 1)),
        ("ld.global.u32 %d2, table[%r0];", |lane| 11 * (lane + 1)),
        ("ld.u64 %d2, table[%r0];", |lane| 11 * (lane + 1)),
        ("ld.global.u64 %d2, table[1+1];", |_| 33),
        ("ld.const.u32 %d2, fixed[%r0];", |lane| 5 + lane),
        ("ld.const.u32 %d2, fixed[3];", |_| 8),
        ("ld.global.u32 %d2, rows[%r0+4];", |lane| 5 + lane),
        ("ld.global.u32 %d2, rows[4];", |_| 5),
        ("shl.b32 %r1, %r0, 1; ld.global.v2.u32 {%r2, %r3}, four[%r1]; mov.b64 %d2, {%r2, %r3};", |lane| {
            2 * lane + 1 + ((2 * lane + 2) << 32)
        }),
        (
            "st.global.u64 cells[%r0], %d1; ld.volatile.global.u64 %d2, cells[%r0]; sub.u64 %d2, %d2, %d0;",
            |lane| 8 * lane,
        ),
        ("st.shared.u64 own[%r0], %d1; ld.shared.u64 %d2, own[%r0]; sub.u64 %d2, %d2, %d0;", |lane| 8 * lane),
        (
            "st.local.u64 local[%r0], %d1; st.local.u64 local[%r0+1], 5; ld.local.u64 %d2, local[%r0]; sub.u64 %d2, %d2, %d0;",
            |lane| 8 * lane,
        ),
        (
            "st.local.v2.u64 local[0], {1, 2}; st.local.v2.u64 local[2], {3, 4}; mov.u64 %d3, local; add.u64 %d3, %d3, 8;\n\
             ld.local.u64 %d4, [%d3]; ld.local.u64 %d2, local[%r0]; mad.lo.u64 %d2, %d4, 100, %d2;",
            |lane| 201 + lane,
        ),
    ];
    for (body, expected) in cases {
        let body =
            format!(".shared .u64 own[4]; .local .align 16 .u64 local[6];\n{body} st.global.b64 [%d1], %d2;");
        for (lane, value) in run(tables, &body, 4).into_iter().enumerate() {
            assert_eq!(value, expected(lane as u64), "{body} in lane {lane}");
        }
    }
}

/// Conformance facts V1080 and V1081.
#[test]
fn elements_of_parameters_are_loaded() {
    let mut device = Device::new(
        ".version 9.0\n.target sm_90\n.address_size 64\n\
         .func (.param .b32 sum) add(.param .align 4 .b8 bytes[8], .param .align 4 .u32 words[2])\n{\n\
         .reg .b32 %r<5>; ld.param.u32 %r1, bytes[4]; ld.param.u32 %r2, words[1]; add.u32 %r1, %r1, %r2;\n\
         st.param.b32 [sum], %r1; ret;\n}\n\
         .visible .entry k(.param .u64 out, .param .align 8 .b8 bytes[8], .param .align 8 .u32 words[2])\n{\n\
         .reg .b32 %r<9>; .reg .b64 %d<4>; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 16;\n\
         add.u64 %d1, %d0, %d1; ld.param.u32 %r1, bytes[4]; ld.param.u32 %r2, words[1]; ld.param.u32 %r3, words[%r0];\n\
         { .param .align 4 .b8 first[8]; .param .align 4 .u32 second[2]; .param .b32 result;\n\
         st.param.b32 first[4], %r1; st.param.b32 second[1], %r3; call (result), add, (first, second);\n\
         ld.param.b32 %r4, [result]; }\n\
         st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4}; ret;\n}\n",
    );
    let out = device.alloc_u32(&[0; 8]);
    let arguments = [Arg::Buffer(out), Arg::U64((2 << 32) + 1), Arg::U64((20 << 32) + 10)];
    device.run("k", [1, 1, 1], [2, 1, 1], &arguments);
    assert_eq!(device.u32s(out), [2, 20, 10, 12, 2, 20, 20, 22]);
}

/// Conformance fact V1083.
#[test]
fn index_of_unsized_array_counts_bytes() {
    let declarations = ".extern .global .u64 later[]; .extern .global .u64 known[]; .visible .global .u64 known[4];\n\
        .extern .shared .align 8 .u64 dynamic[];\n.visible .entry before(.param .b64 out)\n{\n\
        .reg .b32 %r<3>; .reg .b64 %d<9>; ld.param.b64 %d0, [out]; mov.u32 %r1, 3;\n\
        mov.u64 %d1, later[2]; mov.u64 %d2, later; sub.u64 %d1, %d1, %d2; st.global.u64 [%d0], %d1;\n\
        mov.u64 %d1, later[%r1]; sub.u64 %d1, %d1, %d2; st.global.u64 [%d0+8], %d1;\n\
        mov.u64 %d1, known[%r1]; mov.u64 %d2, known; sub.u64 %d1, %d1, %d2; st.global.u64 [%d0+16], %d1;\n\
        mov.u64 %d1, dynamic[%r1]; mov.u64 %d2, dynamic; sub.u64 %d1, %d1, %d2; st.global.u64 [%d0+24], %d1; ret;\n}\n\
        .visible .global .u64 later[4];";
    let mut device = Device::new(&format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n{declarations}\n.visible .entry after(.param .b64 out)\n{{\n\
         .reg .b64 %d<3>; ld.param.b64 %d0, [out]; mov.u64 %d1, later[2]; mov.u64 %d2, later; sub.u64 %d1, %d1, %d2;\n\
         st.global.u64 [%d0], %d1; ret;\n}}\n"
    ));
    let out = device.alloc_u64(&[0; 4]);
    device.run("before", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    assert_eq!(device.u64s(out), [2, 3, 24, 3]);
    device.run("after", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    assert_eq!(device.u64s(out), [16, 3, 24, 3]);
}

#[test]
fn strong_accesses() {
    let body = "ld.volatile.global.u32 %r1, [cell]; ld.relaxed.gpu.global.u32 %r2, [cell]; ld.acquire.sys.u32 %r3, [%d3];\n\
        add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.volatile.shared.u32 [s], %r1; membar.gl; fence.sc.sys; fence.acq_rel.gpu;\n\
        ld.volatile.shared.u32 %r4, [s]; st.release.gpu.global.u64 [%d1], %d4; cvt.u64.u32 %d4, %r4; st.relaxed.sys.global.u64 [%d1], %d4;";
    let body = format!("mov.u64 %d3, cell; mov.u64 %d4, 0; {body}");
    let values = run(".global .u32 cell = 7; .shared .u32 s;", &body, 33);
    assert!(values.iter().all(|&value| value == 21));
}

/// Conformance fact P14.
#[test]
fn sizes_of_shared_memory() {
    let body = ".reg .b32 %r<6>; .reg .b64 %o; .shared .align 4 .b8 own[100]; ld.param.b64 %o, [out]; st.shared.b32 [own], 1;\n\
        mov.u32 %r0, %total_smem_size; mov.u32 %r1, %aggr_smem_size; mov.b32 %r2, %reserved_smem_offset_begin;\n\
        mov.b32 %r3, %reserved_smem_offset_end; mov.b32 %r4, %reserved_smem_offset_cap; mov.u32 %r5, %dynamic_smem_size;\n\
        st.global.v2.b32 [%o], {%r0, %r1}; st.global.v2.b32 [%o+8], {%r2, %r3}; st.global.v2.b32 [%o+16], {%r4, %r5}; ret;";
    let mut device = Device::kernel(".param .b64 out", body);
    let out = device.alloc_u32(&[0; 6]);
    device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    assert_eq!(device.u32s(out), [128, 1024 + 100, 0, 0x120, 1024, 0]);
}

/// Every thread allocates 16 bytes more than the thread before it. It fills them, and adds the numbers after a call that does
/// the same with other numbers. A loop saves and restores the stack, so that it needs the memory of one turn.
#[test]
fn stack_memory_belongs_to_one_call() {
    let mut device = Device::new(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .func (.reg .b32 sum) fill(.reg .b32 count, .reg .b32 value, .reg .b32 depth)\n{\n\
         .reg .b32 %r<5>; .reg .b64 %d<5>; .reg .pred %p;\n\
         mul.wide.u32 %d0, count, 4; alloca.u64 %d1, %d0, 16; mov.u32 %r0, 0;\n\
         WRITE: mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d1, %d2; add.u32 %r1, value, %r0; st.local.u32 [%d2], %r1;\n\
         add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, count; @%p bra WRITE;\n\
         and.b64 %d3, %d1, 15; cvt.u32.u64 sum, %d3; setp.eq.u32 %p, depth, 0; @%p bra READ;\n\
         add.u32 %r2, value, 1000; sub.u32 %r3, depth, 1; call (%r4), fill, (count, %r2, %r3); add.u32 sum, sum, %r4;\n\
         READ: sub.u32 %r0, %r0, 1; mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d1, %d2; cvta.local.u64 %d2, %d2;\n\
         ld.u32 %r1, [%d2]; add.u32 sum, sum, %r1; setp.ne.u32 %p, %r0, 0; @%p bra READ; ret;\n}\n\
         .visible .entry k(.param .u64 out)\n{\n\
         .reg .b32 %r<9>; .reg .b64 %d<6>; .reg .pred %p; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n\
         mad.lo.u32 %r1, %r0, 4, 4; mov.u32 %r2, 0; mov.u32 %r3, 0;\n\
         AGAIN: stacksave.u64 %d1; alloca.u64 %d2, 256, 32; st.local.u32 [%d2+252], %r3; call (%r4), fill, (%r1, %r3, 2);\n\
         ld.local.u32 %r5, [%d2+252]; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; stackrestore.u64 %d1;\n\
         add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, 5000; @%p bra AGAIN;\n\
         mul.wide.u32 %d4, %r0, 4; add.u64 %d0, %d0, %d4; st.global.u32 [%d0], %r2; ret;\n}\n",
    );
    let out = device.alloc_u32(&[0; 4]);
    device.run("k", [1, 1, 1], [4, 1, 1], &[Arg::Buffer(out)]);
    let expected = [0, 1, 2, 3].map(|thread| {
        let count = 4 * thread + 4;
        let numbers = |first: u32| count * first + count * (count - 1) / 2;
        let turn = |turn: u32| turn + numbers(turn) + numbers(turn + 1000) + numbers(turn + 2000);
        (0..5000).map(turn).fold(0_u32, u32::wrapping_add)
    });
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn variables_of_a_call_are_aligned_after_alloca() {
    let mut device = Device::new(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .func (.reg .b32 sum) f(.reg .b32 value)\n{\n\
         .reg .b32 %r<4>; .reg .b64 %d<2>; .local .align 16 .b8 own[16]; mov.u64 %d0, own; and.b64 %d1, %d0, 15;\n\
         cvt.u32.u64 sum, %d1; st.local.v4.u32 [own], {value, value, value, value};\n\
         ld.local.v4.u32 {%r0, %r1, %r2, %r3}, [own]; add.u32 sum, sum, %r3; ret;\n}\n\
         .visible .entry k(.param .u64 out)\n{\n\
         .reg .b32 %r<3>; .reg .b64 %d<4>; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mad.lo.u32 %r1, %r0, 4, 4;\n\
         cvt.u64.u32 %d1, %r1; alloca.u64 %d2, %d1, 4; st.local.u32 [%d2], %r0; call (%r2), f, (%r1);\n\
         ld.local.u32 %r1, [%d2]; add.u32 %r2, %r2, %r1; mul.wide.u32 %d3, %r0, 4; add.u64 %d0, %d0, %d3;\n\
         st.global.u32 [%d0], %r2; ret;\n}\n",
    );
    let out = device.alloc_u32(&[0; 8]);
    device.run("k", [1, 1, 1], [8, 1, 1], &[Arg::Buffer(out)]);
    assert_eq!(device.u32s(out), [0, 1, 2, 3, 4, 5, 6, 7].map(|thread| 5 * thread + 4));
}

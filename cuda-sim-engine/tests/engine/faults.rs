//! Faults of kernels, and the texts about them.

use super::{Arg, Device, Program, TARGET, named};
use cuda_sim_engine::{Fault, FaultKind};

fn fault(
    params: &str,
    body: &str,
    grid: [u32; 3],
    block: [u32; 3],
    args: impl Fn(&mut Device) -> Vec<Arg>,
) -> Fault {
    let mut device = Device::kernel(
        params,
        &format!(
            ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>;\n.shared .align 4 .b8 sm[64]; mov.u32 %r0, %tid.x;\n{body}\nret;"
        ),
    );
    let args = args(&mut device);
    device.try_run("k", grid, block, 0, &args).unwrap_err()
}

/// Returns the fault of a kernel that receives the address of sixteen words.
fn with_buffer(body: &str) -> Fault {
    fault(".param .b64 out", &format!("ld.param.b64 %d0, [out]; {body}"), [1, 1, 1], [32, 1, 1], |device| {
        let out = device.alloc_u32(&[0; 16]);
        vec![Arg::Buffer(out)]
    })
}

#[test]
fn illegal_address_faults() {
    for address in [0u64, 0x10, 0x7f00_dead_0000, 1 << 48, (1 << 48) - 4, u64::MAX - 3, 0xffff_0000_0000_0000]
    {
        for access in [
            "ld.global.u32 %r1, [%d1];",
            "st.global.u32 [%d1], %r1;",
            "ld.u32 %r1, [%d1];",
            "red.global.add.u32 [%d1], 1;",
        ] {
            let body = format!("ld.param.b64 %d1, [a]; {access}");
            // The launch has no memory at all.
            let found = fault(".param .b64 a", &body, [1, 1, 1], [1, 1, 1], |_| vec![Arg::Address(address)]);
            let kind = if (address >> 47) == 1 { found.kind } else { FaultKind::IllegalAddress };
            assert_eq!(found.kind, kind, "{access} at {address:#x}");
            assert_eq!(found.address, Some(address));
        }
    }
}

#[test]
fn fault_names_first_thread() {
    // Lanes from 20 on overrun the buffer. The block and the line are known.
    let body = "ld.param.b64 %d0, [out]; mov.u32 %r1, %ctaid.y; setp.ne.u32 %p1, %r1, 1;\n\
        @%p1 ret;\n\
        mul.wide.u32 %d1, %r0, 8; add.s64 %d1, %d0, %d1;\n\
        st.global.u64 [%d1], %d1;";
    let found = fault(".param .b64 out", body, [1, 3, 1], [40, 1, 1], |device| {
        let out = device.alloc_u64(&[0; 20]);
        vec![Arg::Buffer(out)]
    });
    assert_eq!((found.kind, found.block, found.thread), (FaultKind::IllegalAddress, [0, 1, 0], [20, 0, 0]));
    assert_eq!(found.line, 11);
    assert_eq!(found.address, Some((1 << 48) + 160));
    assert_eq!(
        found.to_string(),
        "illegal address 0x10000000000a0, in kernel `k`, PTX line 11, block (0, 1, 0), thread (20, 0, 0)"
    );
}

#[test]
fn stores_before_fault_stay() {
    let mut device = Device::kernel(
        ".param .b64 out",
        ".reg .b32 %r0; .reg .b64 %d<3>; mov.u32 %r0, %tid.x; ld.param.b64 %d0, [out]; mul.wide.u32 %d1, %r0, 8; add.s64 %d1, %d0, %d1; st.global.u32 [%d1], 7; st.global.u32 [%d1+4], 8; ret;",
    );
    let out = device.alloc_u64(&[0; 5]);
    let found = device.try_run("k", [1, 1, 1], [32, 1, 1], 0, &[Arg::Buffer(out)]).unwrap_err();
    assert_eq!(found.thread, [5, 0, 0]);
    // The lanes before the fault have stored. The next instruction was not reached.
    assert_eq!(device.u64s(out), [7; 5]);
}

#[test]
fn element_outside_array_faults() {
    let kernel = |access: &str| {
        format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.global .u64 array[4];\n.visible .entry k() {{\n\
             .reg .b32 %r<3>; .reg .b64 %d<3>; .local .u32 own[4]; mov.u32 %r0, %tid.x;\n{access}\nret; }}"
        )
    };
    let fault = |access: &str| {
        let mut device = Device::new(&kernel(access));
        device.try_run("k", [1, 1, 1], [32, 1, 1], 0, &[]).unwrap_err()
    };
    let found = fault("ld.global.u64 %d1, array[%r0];");
    assert_eq!((found.kind, found.thread, found.line), (FaultKind::IllegalAddress, [4, 0, 0], 7));
    // The distance has 32 bits, and is added as it is.
    let start = found.address.unwrap() - 32;
    let found = fault("st.global.u64 array[%r0+-1], %d1;");
    assert_eq!((found.kind, found.thread), (FaultKind::IllegalAddress, [0, 0, 0]));
    assert_eq!(found.address, Some(start + 0xffff_fff8));
    assert_eq!(fault("ld.global.u32 %r1, array[-1];").address, found.address);
    let found = fault("mov.u32 %r1, 1; ld.global.v2.u64 {%d1, %d2}, array[%r1];");
    assert_eq!((found.kind, found.address), (FaultKind::MisalignedAddress, Some(start + 8)));
    let found = fault("ld.local.u32 %r1, own[%r0+0x4000000];");
    assert_eq!(found.kind, FaultKind::OutOfWindow);
}

#[test]
fn misaligned_address_faults() {
    for (access, offset) in [
        ("ld.global.u32 %r1", 1),
        ("ld.global.u32 %r1", 2),
        ("ld.global.u16 %r1", 1),
        ("ld.global.u64 %d2", 4),
        ("ld.global.v2.u32 {%r1, %r2}", 4),
        ("ld.global.v4.u32 {%r1, %r2, %r3, %r4}", 8),
        ("ld.u32 %r1", 3),
        ("atom.global.add.u32 %r1", 2),
    ] {
        let last = if access.starts_with("atom") { ", 1;" } else { ";" };
        let found = with_buffer(&format!("{access}, [%d0+{offset}]{last}"));
        assert_eq!(found.kind, FaultKind::MisalignedAddress, "{access}");
    }
    let found = with_buffer("mov.u32 %r1, sm; add.u32 %r1, %r1, 2; ld.shared.u32 %r2, [%r1];");
    assert_eq!(found.kind, FaultKind::MisalignedAddress);
}

#[test]
fn access_outside_window_faults() {
    // An access far outside faults. An access a little outside does not, as on hardware.
    let found = with_buffer("mov.u32 %r1, sm; add.u32 %r1, %r1, 0x1000000; ld.shared.u32 %r2, [%r1];");
    assert_eq!(found.kind, FaultKind::OutOfWindow);
    let mut device = Device::kernel(
        ".param .b64 out",
        ".reg .b32 %r<4>; .reg .b64 %d0; .shared .align 4 .b8 sm[64]; ld.param.b64 %d0, [out]; mov.u32 %r1, sm; ld.shared.u32 %r2, [%r1+64]; st.global.u32 [%d0], %r2; ret;",
    );
    let out = device.alloc_u32(&[9]);
    device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::Buffer(out)]);
    let found =
        with_buffer(".local .b32 l; mov.u32 %r1, l; add.u32 %r1, %r1, 0x1000000; st.local.u32 [%r1], %r2;");
    assert_eq!(found.kind, FaultKind::OutOfWindow);
    let found = with_buffer(".local .b32 l; cvta.local.u64 %d1, l; atom.add.u32 %r1, [%d1+0x1000000], 1;");
    assert_eq!(found.kind, FaultKind::OutOfWindow);
    let found = with_buffer(".local .b64 l; cvta.local.u64 %d1, l; atom.add.u32 %r1, [%d1+2], 1;");
    assert_eq!(found.kind, FaultKind::MisalignedAddress);
    let found = with_buffer("cvta.param.u64 %d1, out; atom.add.u32 %r1, [%d1], 1;");
    assert_eq!(found.kind, FaultKind::InvalidAddressSpace);
}

#[test]
fn trap_and_assertion_fault() {
    let found = with_buffer("setp.lt.u32 %p1, %r0, 7; @%p1 bra OVER; trap; OVER:");
    assert_eq!((found.kind, found.thread), (FaultKind::Trap, [7, 0, 0]));
    let ptx = ".version 6.4\n.target sm_50\n.address_size 64\n\
        .extern .func __assertfail(.param .b64 a,.param .b64 b,.param .b32 c,.param .b64 d,.param .b64 e);\n\
        .global .align 1 .b8 m[6] = {120, 32, 62, 32, 48, 0}; .global .align 1 .b8 f[5] = {97, 46, 99, 117, 0};\n\
        .visible .entry k(.param .b32 x) { .reg .b64 %d<3>; .reg .b32 %r; .reg .pred %p; ld.param.b32 %r, [x]; setp.gt.s32 %p, %r, 0; @%p bra FINE;\n\
        mov.u64 %d1, m; cvta.global.u64 %d1, %d1; mov.u64 %d2, f; cvta.global.u64 %d2, %d2;\n\
        { .param .b64 a; st.param.b64 [a], %d1; .param .b64 b; st.param.b64 [b], %d2; .param .b32 c; st.param.b32 [c], 42; .param .b64 d; st.param.b64 [d], %d2; .param .b64 e; st.param.b64 [e], 1; call.uni __assertfail,(a,b,c,d,e); } FINE: ret; }";
    let mut device = Device::new(ptx);
    device.run("k", [1, 1, 1], [1, 1, 1], &[Arg::I32(1)]);
    let found = device.try_run("k", [1, 1, 1], [4, 1, 1], 0, &[Arg::I32(0)]).unwrap_err();
    assert_eq!(found.kind, FaultKind::Assert);
    let lines: Vec<String> = found.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3], "a.cu:42: a.cu: block: [0,0,0], thread: [3,0,0] Assertion `x > 0` failed.");
}

#[test]
fn endless_recursion_exhausts_stack() {
    let ptx = ".version 6.4\n.target sm_50\n.address_size 64\n\
        .func (.param .b32 r) rec(.param .b32 n) { .reg .b32 %r<6>; .local .align 8 .b8 buf[1024]; ld.param.b32 %r1,[n]; st.local.u32 [buf],%r1; add.u32 %r2,%r1,1;\n\
        { .param .b32 a; st.param.b32 [a],%r2; .param .b32 q; call.uni (q),rec,(a); ld.param.b32 %r3,[q]; } ld.local.u32 %r4,[buf]; add.u32 %r5,%r3,%r4; st.param.b32 [r],%r5; ret; }\n\
        .func tail() { call tail; ret; }\n\
        .visible .entry deep(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %rd<2>; ld.param.u64 %rd1,[p]; mov.u32 %r1,0; { .param .b32 a; st.param.b32 [a],%r1; .param .b32 q; call.uni (q),rec,(a); ld.param.b32 %r2,[q]; } st.global.u32 [%rd1],%r2; ret; }\n\
        .visible .entry flat() { call tail; ret; }";
    let mut device = Device::new(ptx);
    let out = device.alloc_u32(&[0]);
    let found = device.try_run("deep", [1, 1, 1], [64, 1, 1], 0, &[Arg::Buffer(out)]).unwrap_err();
    assert_eq!(found.kind, FaultKind::StackOverflow);
    let found = device.try_run("flat", [1, 1, 1], [1, 1, 1], 0, &[]).unwrap_err();
    assert_eq!(found.kind, FaultKind::StackOverflow);
}

#[test]
fn endless_alloca_exhausts_stack() {
    let found = with_buffer("LOOP: alloca.u64 %d1, 4096; st.local.u32 [%d1], 1; bra LOOP;");
    assert_eq!(found.kind, FaultKind::StackOverflow);
    assert!(found.to_string().contains("alloca of 4096 bytes"), "{found}");
    let found = with_buffer("mov.u64 %d1, -1; alloca.u64 %d1, %d1;");
    assert_eq!(found.kind, FaultKind::StackOverflow);
    let found = with_buffer("mov.u64 %d1, 1048576; stackrestore.u64 %d1;");
    assert_eq!((found.kind, found.address), (FaultKind::IllegalAddress, Some(1 << 20)));
}

#[test]
fn deadlock_faults() {
    let found =
        with_buffer("setp.lt.u32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; bra DONE; A: bar.sync 1; DONE:");
    assert_eq!(found.kind, FaultKind::Deadlock);
    let found = with_buffer(
        "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra DONE; A: bar.sync 1; DONE:",
    );
    assert_eq!(found.kind, FaultKind::Deadlock);
    let found = with_buffer("bar.sync 1, 64;");
    assert_eq!(found.kind, FaultKind::Deadlock);
    assert!(found.to_string().contains("barrier 1"), "{found}");
    let found = with_buffer("mov.u32 %r1, 20; bar.sync %r1;");
    assert_eq!(found.kind, FaultKind::OutOfWindow);
    let found = with_buffer("T: .branchtargets A, B; brx.idx %r0, T; A: B:");
    assert_eq!((found.kind, found.thread), (FaultKind::InvalidProgramCounter, [2, 0, 0]));
}

#[test]
fn impossible_launch_is_refused() {
    let mut device = Device::kernel("", "ret;");
    for block in [[1025, 1, 1], [u32::MAX, u32::MAX, 1], [32, 32, 2]] {
        let found = device.try_run("k", [1, 1, 1], block, 0, &[]).unwrap_err();
        assert_eq!(found.kind, FaultKind::Unsupported);
    }
    assert!(device.try_run("k", [1, 1, 1], [1, 1, 1], u32::MAX, &[]).is_err());
    device.run("k", [0, 1, 1], [1, 1, 1], &[]);
    device.run("k", [1, 1, 1], [0, 1, 1], &[]);
}

#[test]
fn unsupported_kernel_is_refused_at_launch() {
    let ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.global .texref tex;\n\
        .visible .entry fine() { ret; }\n\
        .func helper() { .reg .b32 %r<1>;\n txq.channel_order.b32 %r0, [tex]; ret; }\n\
        .visible .entry k() { call helper; ret; }";
    let program = Program::compile(ptx.as_bytes(), &TARGET).unwrap();
    assert_eq!(named(&program, "fine").unsupported(), None);
    assert_eq!(
        named(&program, "k").unsupported(),
        Some(
            "ptxas application ptx input, line 7; error   : Instruction 'txq.channel_order.b32' is not supported \
             (in function 'helper')"
        )
    );
}

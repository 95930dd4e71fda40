//! Values that kernels give to conditions of graphs.

use super::{Arg, Device};

fn kernel(declaration: &str, body: &str) -> Device {
    Device::new(&format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n{declaration}\n\
         .visible .entry k(.param .b64 handle)\n{{\n.reg .b64 %h; .reg .b32 %v; .reg .pred %p;\n\
         ld.param.b64 %h, [handle]; mov.u32 %v, %tid.x;\n{body}\nret;\n}}\n"
    ))
}

#[test]
fn the_last_thread_decides_the_value() {
    let mut device = kernel(
        ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);",
        "{ .param .b64 h; .param .b32 v; st.param.b64 [h], %h; st.param.b32 [v], %v;\n\
         call.uni cudaGraphSetConditional, (h, v); }",
    );
    device.run("k", [1, 1, 1], [8, 1, 1], &[Arg::Address(0x1_0000_0002)]);
    assert_eq!(device.conditions.take(), [(0x1_0000_0002, 7)]);
    assert_eq!(device.conditions.take(), [], "taken once");
}

#[test]
fn parameters_in_registers_work_too() {
    let mut device = kernel(
        ".extern .func cudaGraphSetConditional(.reg .b64 handle, .reg .b32 value);",
        "setp.eq.u32 %p, %v, 3;\n@%p call.uni cudaGraphSetConditional, (%h, %v);",
    );
    device.run("k", [1, 1, 1], [8, 1, 1], &[Arg::Address(9)]);
    assert_eq!(device.conditions.take(), [(9, 3)]);
}

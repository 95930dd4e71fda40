//! Texts: configurations with faults of calls and of kernels, names of C++ kernels, declarations of kernels, and the formats of `printf`.

#![no_main]

use cuda_fuzz::session::{self, Session, run_image};
use cuda_sim::Config;
use libfuzzer_sys::fuzz_target;
use std::fmt::Write as _;

/// A kernel that prints with a format.
fn printing(format: &[u8]) -> String {
    let mut bytes = String::new();
    for byte in format.iter().take_while(|byte| **byte != 0) {
        let _ = write!(bytes, "{byte}, ");
    }
    format!(
        ".version 6.4 .target sm_50 .address_size 64
        .extern .func (.param .b32 count) vprintf(.param .b64 text, .param .b64 list);
        .global .align 1 .b8 text[] = {{ {bytes}0 }};
        .visible .entry hello() {{
            .local .align 8 .b8 depot[64]; .reg .b64 %d<5>; .reg .b32 %r<2>;
            mov.u64 %d2, depot; cvta.local.u64 %d1, %d2; mov.u64 %d0, text; mov.u32 %r0, %tid.x; cvt.u64.u32 %d3, %r0;
            st.local.u64 [depot], %d3; st.local.u64 [depot+8], 0x4045000000000000; st.local.u64 [depot+16], %d0;
            st.local.u64 [depot+24], 0x7ff8000000000001; st.local.u64 [depot+32], 0x8000000000000000;
            {{ .param .b64 t; .param .b64 l; .param .b32 c; st.param.b64 [t], %d0; st.param.b64 [l], %d1;
              call.uni (c), vprintf, (t, l); }} ret; }}\0"
    )
}

fn print_nothing(_: &[u8]) {}

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    match mode & 3 {
        0 => {
            let Ok(text) = std::str::from_utf8(rest) else { return };
            if let Ok(config) = Config::from_text(text) {
                // The text of a configuration is read as the same configuration.
                let written = config.to_string();
                let again = Config::from_text(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
                assert_eq!(again.to_string(), written);
            }
        }
        1 => {
            let Ok(text) = std::str::from_utf8(rest) else { return };
            if let Some(decoded) = cuda_ptx::mangle::decode(text) {
                let _ = format!("{decoded:?}");
            }
        }
        2 => {
            let Ok(text) = std::str::from_utf8(rest) else { return };
            if let Ok(declarations) = cuda_ptx::declarations(text) {
                let _ = format!("{declarations:?}");
            }
            for entry in cuda_ptx::entries(text) {
                let _ = format!("{entry:?}");
            }
        }
        _ => {
            cuda_sim::print_with(print_nothing);
            let session = Session::begin(session::config(session::hash(data)));
            // SAFETY: a text with its end.
            unsafe { run_image(printing(rest).as_bytes()) };
            session.finish();
        }
    }
});

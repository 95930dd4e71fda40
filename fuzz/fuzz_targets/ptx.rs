//! PTX: it is parsed, compiled, and its kernels run.

#![no_main]

use cuda_fuzz::mutate::mutate;
use cuda_fuzz::session::{self, Session};
use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = cuda_ptx::parse(text, (9, 0));
        let _ = cuda_ptx::declarations(text);
        assert!(cuda_ptx::entries(text).count() <= text.len() + 1);
    }
    let mut image: Vec<u8> = data.iter().copied().filter(|byte| *byte != 0).collect();
    image.push(0);
    if image.starts_with(b"\x7fELF") || image.starts_with(&0xba55_ed50_u32.to_le_bytes()) {
        return;
    }
    let session = Session::begin(session::config(session::hash(data)));
    // SAFETY: a text with its end.
    unsafe { session::run_image(&image) };
    session.finish();
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 16 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let text = data[..size].to_vec();
    mutate(&text, &text, &mut data[..max_size], seed)
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| { mutate(data1, data2, out, seed) });

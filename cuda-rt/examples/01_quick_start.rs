//! Adds two vectors of three elements: the program of the READMEs, on a GPU or in software.
//!
//! ```text
//! cargo run --release --example 01_quick_start
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::{Context, Device, DeviceBuf, Stream};

cuda_rt::kernels! {
    struct Kernels from ptx("
        .version 6.4
        .target sm_50
        .address_size 64
        .visible .entry add(.param .u64 a, .param .u64 b, .param .u64 sum, .param .u32 n) {
            .reg .b64 %at<4>;
            .reg .b32 %i, %n, %block, %threads;
            .reg .f32 %x<2>;
            .reg .pred %outside;
            ld.param.u32 %n, [n];
            mov.u32 %block, %ctaid.x;
            mov.u32 %threads, %ntid.x;
            mov.u32 %i, %tid.x;
            mad.lo.u32 %i, %block, %threads, %i;
            setp.ge.u32 %outside, %i, %n;
            @%outside ret;
            ld.param.u64 %at0, [a];
            ld.param.u64 %at1, [b];
            ld.param.u64 %at2, [sum];
            mul.wide.u32 %at3, %i, 4;
            add.u64 %at0, %at0, %at3;
            add.u64 %at1, %at1, %at3;
            add.u64 %at2, %at2, %at3;
            ld.global.f32 %x0, [%at0];
            ld.global.f32 %x1, [%at1];
            add.f32 %x0, %x0, %x1;
            st.global.f32 [%at2], %x0;
            ret;
        }");
    // SAFETY: if `i < n`, thread `i` reads element `i` of `a` and `b`, and writes element `i` of `sum`.
    unsafe extern {
        // The compiler compares this with the signature in the PTX. A reference borrows its buffer for the call.
        #[block(32)]
        safe fn add(a: &[f32], b: &[f32], sum: &mut [f32], n: u32)
        where
            n <= a.len(),
            n <= b.len(),
            n <= sum.len();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The software driver, if there is no usable GPU.
    cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)?;
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let kernels = Kernels::load(&context)?;

    let a = DeviceBuf::from_host(&stream, &[1.0, 2.0, 3.0])?;
    let b = DeviceBuf::from_host(&stream, &[10.0, 20.0, 30.0])?;
    let mut sum = DeviceBuf::zeroed(&stream, 3)?;
    kernels.add(&a, &b, &mut sum, 3).launch_for(3, &stream)?;
    println!("{:?}", sum.to_vec()?);
    Ok(())
}

//! Launching kernels, and the errors of refused launches.

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::launch::Axis;
use cuda_rt::launch::{KernelArg, LaunchProblem};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, Kernel, LaunchConfig, Module, Stream};
use cuda_suite::{context, device, invalid, stream};

const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry small() .maxntid 128, 1, 1 { ret; }
// out[block * threads + thread] = value + thread, through the launch's dynamic shared memory
.extern .shared .align 4 .b8 dynamic[];
.visible .entry fill(.param .u64 out, .param .u32 value) {
    .reg .b32 %value, %block, %threads, %thread, %at, %tile;
    .reg .b64 %out, %offset;
    ld.param.u64 %out, [out];
    ld.param.u32 %value, [value];
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %thread, %tid.x;
    add.u32 %value, %value, %thread;
    shl.b32 %at, %thread, 2;
    mov.u32 %tile, dynamic;
    add.u32 %tile, %tile, %at;
    st.shared.u32 [%tile], %value;
    bar.sync 0;
    ld.shared.u32 %value, [%tile];
    mad.lo.u32 %at, %block, %threads, %thread;
    mul.wide.u32 %offset, %at, 4;
    add.u64 %out, %out, %offset;
    st.global.u32 [%out], %value;
    ret;
}
// The sum of a structure passed by value: { char; short; int; double }
.visible .entry by_value(.param .u64 out, .param .align 8 .b8 s[16]) {
    .reg .b32 %a, %b, %c;
    .reg .b64 %out;
    .reg .f64 %sum, %x;
    ld.param.u64 %out, [out];
    ld.param.s8 %a, [s];
    ld.param.s16 %b, [s+2];
    ld.param.s32 %c, [s+4];
    ld.param.f64 %sum, [s+8];
    cvt.rn.f64.s32 %x, %a;
    add.f64 %sum, %sum, %x;
    cvt.rn.f64.s32 %x, %b;
    add.f64 %sum, %sum, %x;
    cvt.rn.f64.s32 %x, %c;
    add.f64 %sum, %sum, %x;
    st.global.f64 [%out], %sum;
    ret;
}
";

fn module() -> Module {
    Module::from_ptx(&context(), PTX).unwrap()
}

fn nothing() -> Kernel<()> {
    crate::typed(&module().function("nothing").unwrap())
}

type Fill = (DevicePtr<u32>, u32);

fn fill() -> Kernel<Fill> {
    crate::typed(&module().function("fill").unwrap())
}

/// Launches a kernel that does nothing.
fn try_launch(kernel: &Kernel<()>, config: LaunchConfig) -> Result<(), Error> {
    // SAFETY: the kernel touches nothing.
    unsafe { kernel.launch(config, &stream(), ()) }
}

#[test]
fn a_kernel_gets_its_arguments_and_its_shared_memory() {
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 12).unwrap();
    let config = LaunchConfig::new(3, 4).with_shared_bytes(16);
    // SAFETY: 12 threads write the 12 elements of `out`, which lives on this stream.
    unsafe { fill().launch(config, &stream, (out.ptr(), 100)) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [100, 101, 102, 103].repeat(3));
}

#[test]
fn a_structure_is_passed_by_value() {
    #[derive(Clone, Copy, KernelArg)]
    #[repr(C)]
    struct Mixed {
        a: i8,
        b: i16,
        c: i32,
        d: f64,
    }
    let kernel = crate::typed::<(DevicePtr<f64>, Mixed)>(&module().function("by_value").unwrap());
    let stream = stream();
    let out = DeviceBuf::<f64>::zeroed(&stream, 1).unwrap();
    let value = Mixed { a: -5, b: 1000, c: -70_000, d: 0.25 };
    // SAFETY: one thread writes the one element of `out`.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), value)) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [-69_004.75]);
}

#[test]
fn kernels_run_on_every_kind_of_stream() {
    let context = context();
    let home = stream();
    let kernel = fill();
    let out = DeviceBuf::<u32>::zeroed(&home, 4).unwrap();
    home.synchronize().unwrap();
    let config = LaunchConfig::new(1, 4).with_shared_bytes(16);
    let legacy = Stream::legacy(&context);
    // SAFETY: 4 threads write 4 elements; the home stream is idle, and is waited for below.
    unsafe { kernel.launch(config, &legacy, (out.ptr(), 10)) }.unwrap();
    legacy.synchronize().unwrap();
    assert_eq!(out.to_vec().unwrap(), [10, 11, 12, 13]);
    let own = PerThreadStream::new(&context);
    // SAFETY: as above.
    unsafe { kernel.launch(config, &own, (out.ptr(), 20)) }.unwrap();
    own.synchronize().unwrap();
    assert_eq!(out.to_vec().unwrap(), [20, 21, 22, 23]);
}

#[test]
fn a_refused_launch_says_which_limit_was_passed() {
    let kernel = nothing();
    let device = device();
    let limit = |limit: cuda_rt::Result<i32>| limit.unwrap();
    let (z, y) = (limit(device.max_block_dim_z()), limit(device.max_grid_dim_y()));
    let threads = limit(device.max_threads_per_block());
    let cases = [
        (LaunchConfig::new(0, 1), LaunchProblem::Empty { grid: true, axis: Axis::X }),
        (LaunchConfig::new(1, 0), LaunchProblem::Empty { grid: false, axis: Axis::X }),
        (LaunchConfig::for_elements(0, 256), LaunchProblem::Empty { grid: true, axis: Axis::X }),
        (
            LaunchConfig::new(1, 1).with_block(1, 1, z as u32 + 1),
            LaunchProblem::Block { axis: Axis::Z, threads: z as u32 + 1, limit: z },
        ),
        (
            LaunchConfig::new(1, 1).with_grid(1, y as u32 + 1, 1),
            LaunchProblem::Grid { axis: Axis::Y, blocks: y as u32 + 1, limit: y },
        ),
        (
            LaunchConfig::new(1, 1).with_block(threads as u32, 2, 1),
            LaunchProblem::Threads {
                device_limit: threads,
                threads: 2 * threads as u64,
                limit: threads,
                registers: kernel.function().attribute(cuda_rt::module::FunctionAttribute::NUM_REGS).unwrap(),
            },
        ),
    ];
    for (config, problem) in cases {
        let error = try_launch(&kernel, config).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue));
        assert_eq!(error.context(), Some(&problem));
        assert!(error.to_string().starts_with("launching `nothing`: cuLaunchKernel: "), "{error}");
    }
    let error = try_launch(&kernel, LaunchConfig::new(1, 1).with_shared_bytes(1 << 20)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("1048576 bytes of dynamic shared memory"), "{text}");
    // None of it is sticky.
    try_launch(&kernel, LaunchConfig::new(1, 1)).unwrap();
}

#[test]
fn a_kernels_own_limit_counts() {
    let kernel = crate::typed::<()>(&module().function("small").unwrap());
    try_launch(&kernel, LaunchConfig::new(1, 128)).unwrap();
    let error = try_launch(&kernel, LaunchConfig::new(1, 129)).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("launching `small`: cuLaunchKernel: "), "{text}");
    assert!(
        text.contains(": 129 threads in a block")
            && text.contains("this kernel can have 128 (its `.maxntid`"),
        "{text}"
    );
}

#[test]
fn a_kernel_stays_in_its_context() {
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let kernel = nothing();
    let [own, others] = [&context(), &other].map(|context| context.as_raw().addr());
    let expected = invalid(format!(
        "the kernel and the stream belong to different contexts; use objects of one context, not of {own:#x} on \
         {0} and {others:#x} on {0}",
        device()
    ));
    // SAFETY: the kernel touches nothing.
    let refused = unsafe { kernel.launch(LaunchConfig::new(1, 1), &Stream::new(&other).unwrap(), ()) };
    assert_eq!(refused.unwrap_err(), expected);
    // SAFETY: as above.
    let refused = unsafe { kernel.launch(LaunchConfig::new(1, 1), &Stream::legacy(&other), ()) };
    assert_eq!(refused.unwrap_err(), expected);
}

#[test]
fn kernel_keeps_its_module_and_moves_between_threads() {
    let kernel = nothing();
    let context = kernel.function().context().clone();
    std::thread::spawn(move || {
        let stream = Stream::new(&context).unwrap();
        drop(context);
        // SAFETY: the kernel touches nothing.
        unsafe { kernel.clone().launch(LaunchConfig::new(2, 32), &stream, ()) }.unwrap();
        drop(kernel);
        stream.synchronize().unwrap();
    })
    .join()
    .unwrap();
}

#[test]
fn launch_shapes_cover_all_elements() {
    let cases =
        [(0, 256, 0), (1, 256, 1), (256, 256, 1), (257, 256, 2), (5, 0, 0), (usize::MAX, 1, u32::MAX)];
    for (elements, threads, blocks) in cases {
        let config = LaunchConfig::for_elements(elements, threads);
        assert_eq!((config.grid, config.block), ([blocks, 1, 1], [threads, 1, 1]), "{elements}");
    }
}

#[test]
fn launch_shapes_of_planes_and_volumes_without_extent() {
    let plane = |elements, block| LaunchConfig::for_elements_2d(elements, block).grid;
    assert_eq!(plane([0, 5], [8, 4]), [0, 2, 1]);
    assert_eq!(plane([5, 5], [8, 0]), [1, 0, 1]);
    assert_eq!(plane([1, usize::MAX], [1, 1]), [1, u32::MAX, 1]);
    let volume = |elements, block| LaunchConfig::for_elements_3d(elements, block).grid;
    assert_eq!(volume([9, 8, 0], [4, 4, 4]), [3, 2, 0]);
    assert_eq!(volume([usize::MAX; 3], [0, u32::MAX, 2]), [0, u32::MAX, u32::MAX]);
}

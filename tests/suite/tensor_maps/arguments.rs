//! Tensor maps as arguments of kernels.

use super::{memory, need_tensor_maps, pattern, small_map};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph};
use cuda_rt::launch::{Arg, KernelArg, PackedArgs, SignatureMismatch};
use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
use cuda_rt::{DeviceBuf, DevicePtr, Function, Kernel, LaunchConfig, Module};
use cuda_suite::{context, stream};

/// One thread.
const ONE: LaunchConfig = LaunchConfig::new(1, 1);

type Args = (u8, TensorMap, u8, TensorMap, DevicePtr<u64>);

/// A kernel that copies its maps, which are aligned so, to memory, between small parameters that move them.
fn copying(align: usize) -> Function {
    let words: String = (0..16)
        .map(|word| {
            let at = 8 * word;
            format!(
                "ld.param.u64 %v, [first+{at}]; st.global.u64 [%out+{at}], %v;
                 ld.param.u64 %v, [second+{at}]; st.global.u64 [%out+{}], %v;\n",
                128 + at
            )
        })
        .collect();
    let ptx = format!(
        ".version 8.0 .target sm_90 .address_size 64
        .visible .entry copying(.param .u8 a, .param .align {align} .b8 first[128], .param .u8 b,
                .param .align {align} .b8 second[128], .param .u64 out) {{
            .reg .b64 %out, %v;
            ld.param.u64 %out, [out];
            {words}
            ret;
        }}"
    );
    Module::from_ptx(&context(), &ptx).unwrap().function("copying").unwrap()
}

#[test]
fn maps_arrive_in_every_form() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let (first, second) = (small_map(0x1000).unwrap(), small_map(0x2000).unwrap());
    let expected = [first.as_raw().opaque, second.as_raw().opaque].concat();
    // 64 is what headers before CUDA 13.0 say, 128 what later ones do.
    for function in [64, 128].map(copying) {
        let kernel: Kernel<Args> = function.typed().unwrap();
        let check = |form: &str, launch: &dyn Fn(&DeviceBuf<u64>) -> cuda_rt::Result<()>| {
            let out = DeviceBuf::<u64>::zeroed(&stream, 32).unwrap();
            launch(&out).unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{form}");
        };
        // SAFETY: one thread writes the 32 elements of `out`.
        check("typed", &|out| unsafe { kernel.launch(ONE, &stream, (1, first, 2, second, out.ptr())) });
        // SAFETY: as above.
        check("with owners", &|out| unsafe {
            kernel.with(ONE).launch(&stream, (1, first, 2, second, Arg(out.ptr(), out)))
        });

        let packed = |out: &DeviceBuf<u64>| {
            let mut packed = PackedArgs::new();
            packed.push(1_u8);
            packed.push(first);
            packed.push(2_u8);
            packed.push(second);
            packed.push(out.ptr());
            packed.check(&function).unwrap();
            packed
        };
        // SAFETY: as above.
        check("packed", &|out| unsafe { function.with(ONE).launch(&stream, &packed(out)) });
        let cooperative = function.with(ONE).cooperative();
        // SAFETY: as above.
        check("packed, cooperative", &|out| unsafe { cooperative.launch(&stream, &packed(out)) });

        check("raw", &|out| {
            let (mut a, mut b, mut first, mut second, mut to) = (1_u8, 2_u8, first, second, out.ptr());
            let mut list = [
                (&raw mut a).cast(),
                (&raw mut first).cast(),
                (&raw mut b).cast(),
                (&raw mut second).cast(),
                (&raw mut to).cast(),
            ];
            // SAFETY: as above; the list has the addresses of what the kernel takes.
            unsafe { function.launch_raw(ONE, &stream, list.as_mut_ptr()) }
        });

        check("node", &|out| {
            let mut graph = Graph::new(&context)?;
            // SAFETY: as above. The graph keeps `out`.
            unsafe { graph.kernel(&[], &kernel, ONE, (1, first, 2, second, Arg(out.ptr(), out))) }?;
            graph.instantiate(Default::default())?.launch(&stream)
        });
        check("captured", &|out| {
            let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
                // SAFETY: as above.
                unsafe { kernel.with(ONE).launch(capture, (1, first, 2, second, Arg(out.ptr(), out))) }
            })?;
            graph.instantiate(Default::default())?.launch(&stream)
        });
    }
}

#[test]
fn packed_arguments_with_maps_are_compared_first() {
    need_tensor_maps!();
    let (stream, function) = (stream(), copying(128));
    let mut packed = PackedArgs::new();
    packed.push(1_u8);
    packed.push(small_map(0x1000).unwrap());
    // SAFETY: nothing is launched.
    let error = unsafe { function.with(ONE).launch(&stream, &packed) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert_eq!(error.context(), Some(&SignatureMismatch::Count { kernel: 5, given: 2 }));
}

#[test]
fn structures_hold_maps() {
    need_tensor_maps!();
    #[derive(Clone, Copy, KernelArg)]
    #[repr(C)]
    struct Pair {
        first: TensorMap,
        second: TensorMap,
    }
    assert_eq!((size_of::<Pair>(), align_of::<Pair>()), (256, 128));
}

/// A kernel that loads 16 bytes by a map in global memory.
const BY_ADDRESS: &str = ".version 8.0 .target sm_90 .address_size 64
    .visible .entry load(.param .u64 map, .param .u64 out) {
        .shared .align 128 .b8 box[16]; .shared .align 8 .b64 barrier;
        .reg .b64 %map, %out, %state; .reg .b32 %a, %b, %c, %d; .reg .pred %p;
        ld.param.u64 %map, [map]; ld.param.u64 %out, [out];
        mbarrier.init.shared.b64 [barrier], 1; fence.proxy.async;
        mbarrier.arrive.expect_tx.shared.b64 %state, [barrier], 16;
        mov.u32 %a, 16;
        cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%map, {%a}], [barrier];
    wait:
        mbarrier.try_wait.shared.b64 %p, [barrier], %state; @!%p bra wait;
        ld.shared.v4.u32 {%a, %b, %c, %d}, [box]; st.global.v4.u32 [%out], {%a, %b, %c, %d}; ret; }";

#[test]
fn kernel_reads_a_map_in_global_memory() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let bytes = pattern(64);
    let tensor = memory(&stream, &bytes);
    let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[64], &[]);
    let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[16])).unwrap();
    let map = DeviceBuf::from_host(&stream, &[map]).unwrap();
    let out = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let module = Module::from_ptx(&context, BY_ADDRESS).unwrap();
    let load: Kernel<(DevicePtr<TensorMap>, DevicePtr<u8>)> = crate::typed(&module.function("load").unwrap());
    // SAFETY: one thread reads the map and the tensor, and writes the 16 bytes of `out`.
    unsafe { load.launch(ONE, &stream, (map.ptr(), out.ptr())) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), bytes[16..32]);
}

#[test]
fn graph_keeps_the_tensor_of_an_owned_map() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    let bytes = pattern(64);
    let out = DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap();
    let input = DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap();
    let kernel = super::kernel(&context, super::LOAD, 1);
    let mut graph = Graph::new(&context).unwrap();
    {
        let tensor = memory(&stream, &bytes);
        let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[64], &[]);
        let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[64])).unwrap();
        let args = (Arg(map, &tensor), Arg(input.ptr(), &input), Arg(out.ptr(), &out), 64, [0; 5], [0; 3]);
        // SAFETY: one thread reads the tensor and `input`, and writes `out`: the graph keeps them all.
        unsafe { graph.kernel(&[], &kernel, ONE, args) }.unwrap();
    }
    graph.instantiate(Default::default()).unwrap().launch(&stream).unwrap();
    assert_eq!(out.to_vec().unwrap()[..64], bytes);
}

#[test]
fn kernel_replaces_fields_of_a_map() {
    need_tensor_maps!();
    let (context, stream) = (context(), stream());
    if context.device().compute_capability().unwrap() != cuda_rt::device::ComputeCapability::new(9, 0) {
        cuda_suite::skip!("the code is for compute capability 9.0 alone");
    }
    if !crate::is_since(12, 3) {
        cuda_suite::skip!("this driver does not know the instruction");
    }
    let bytes = pattern(4096);
    let tensor = memory(&stream, &bytes);
    let address = tensor.ptr().add(256);
    let changed = Tensor::new(TensorDataType::UINT16, address, &[100, 9, 3], &[512, 0x12_3456_7890]);
    let taken = TiledBox { element_strides: &[1, 4, 2], ..TiledBox::new(&[8, 3, 2]) };
    let expected = TensorMap::tiled(&context, &changed, &taken).unwrap();
    let old = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[64, 8, 8], &[64, 512]);
    let old = TensorMap::tiled(&context, &old, &TiledBox::new(&[16, 1, 1])).unwrap();
    let field = |text: &str| format!("tensormap.replace.tile.{text};\n");
    let fields: String = [
        "global_address.global.b1024.b64 [%map], %new",
        "global_dim.global.b1024.b32 [%map], 0, 100",
        "global_dim.global.b1024.b32 [%map], 1, 9",
        "global_dim.global.b1024.b32 [%map], 2, 3",
        "global_stride.global.b1024.b64 [%map], 0, 512",
        "global_stride.global.b1024.b64 [%map], 1, 78187493520",
        "box_dim.global.b1024.b32 [%map], 0, 8",
        "box_dim.global.b1024.b32 [%map], 1, 3",
        "box_dim.global.b1024.b32 [%map], 2, 2",
        "element_stride.global.b1024.b32 [%map], 1, 4",
        "element_stride.global.b1024.b32 [%map], 2, 2",
        "elemtype.global.b1024.b32 [%map], 1",
        "rank.global.b1024.b32 [%map], 2",
        "interleave_layout.global.b1024.b32 [%map], 0",
        "swizzle_mode.global.b1024.b32 [%map], 0",
        "fill_mode.global.b1024.b32 [%map], 0",
    ]
    .map(field)
    .concat();
    let ptx = format!(
        ".version 8.3 .target sm_90a .address_size 64
        .visible .entry replace(.param .u64 map, .param .u64 new) {{
            .reg .b64 %map, %new; ld.param.u64 %map, [map]; ld.param.u64 %new, [new];
            cvta.to.global.u64 %map, %map;
            {fields} ret; }}"
    );
    let replace: Kernel<(DevicePtr<u64>, DevicePtr<u8>)> =
        crate::typed(&Module::from_ptx(&context, &ptx).unwrap().function("replace").unwrap());
    let map = DeviceBuf::from_host(&stream, &old.as_raw().opaque).unwrap();
    // SAFETY: one thread changes the map.
    unsafe { replace.launch(ONE, &stream, (map.ptr(), address)) }.unwrap();
    // The ninth of the words is a number of bytes that the driver writes and the instruction leaves.
    let (mut map, mut expected) = (map.to_vec().unwrap(), expected.as_raw().opaque);
    (map[8], expected[8]) = (0, 0);
    assert_eq!(map, expected);
}

/// A warp fills a map in shared memory, and copies it.
const COPIED: &str = ".version 8.3 .target sm_90 .address_size 64
    .visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out) {
        .reg .b64 %map, %out, %at; .reg .b32 %t, %word; .shared .align 128 .b8 tile[256];
        mov.b64 %map, map; cvta.param.u64 %map, %map; ld.param.u64 %out, [out]; cvta.to.global.u64 %out, %out;
        mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 4; add.s64 %map, %map, %at; ld.u32 %word, [%map];
        mov.b64 %map, tile; add.s64 %map, %map, %at; st.shared.u32 [%map+128], %word;
        bar.warp.sync -1;
        tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%out], [tile+128], 128;
        ret; }";

#[test]
fn warp_copies_a_map_from_shared_memory() {
    need_tensor_maps!();
    if !crate::is_since(12, 3) {
        cuda_suite::skip!("this driver does not know the instruction");
    }
    let (context, stream) = (context(), stream());
    let tensor = memory(&stream, &pattern(64));
    let described = Tensor::new(TensorDataType::UINT8, tensor.ptr(), &[64], &[]);
    let map = TensorMap::tiled(&context, &described, &TiledBox::new(&[16])).unwrap();
    let out = DeviceBuf::<u64>::zeroed(&stream, 32).unwrap();
    let module = Module::from_ptx(&context, COPIED).unwrap();
    let copy: Kernel<(TensorMap, DevicePtr<u64>)> = crate::typed(&module.function("copy").unwrap());
    // SAFETY: one warp writes the first 128 bytes of `out`.
    unsafe { copy.launch(LaunchConfig::new(1, 32), &stream, (map, out.ptr())) }.unwrap();
    let (found, expected) = (out.to_vec().unwrap(), map.as_raw().opaque);
    assert_eq!(found[..16], expected);
    assert!(found[16..].iter().all(|word| *word == 0));
}

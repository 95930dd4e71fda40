//! Tensor maps: copies, arguments of kernels, and refused descriptions.

mod arguments;
mod copies;
mod refusals;

use crate::is_since;
use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, Stream};
use cuda_suite::{context, device, stream};

/// Why tensor maps cannot be tested here, if they cannot.
fn missing() -> Option<&'static str> {
    if !is_since(12, 0) {
        return Some("this driver has no tensor maps");
    }
    let has_maps = device().tensor_map_access_supported().unwrap();
    (!has_maps).then_some("this device has no tensor maps")
}

/// Ends the test where tensor maps are missing.
macro_rules! need_tensor_maps {
    () => {
        if let Some(reason) = $crate::tensor_maps::missing() {
            cuda_suite::skip!("{reason}");
        }
    };
}
use need_tensor_maps;

/// Bytes that no byte can be taken for another of, 64 KiB apart.
fn pattern(bytes: usize) -> Vec<u8> {
    let mix = |at: usize| {
        let mixed = (at as u32 / 4).wrapping_mul(2_654_435_761);
        (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b)
    };
    (0..bytes).map(|at| (mix(at) >> (8 * (at % 4))) as u8).collect()
}

/// Each byte of shared memory before a copy.
const UNTOUCHED: u8 = 0xee;
/// Bytes of shared memory that kernels return.
const SHARED: usize = 4096;

/// Coordinates, one for each dimension at most.
type At = [i32; 5];

/// The map, what shared memory holds before and after, the bytes that the barrier waits for, coordinates, and offsets.
type CopyArgs = (TensorMap, DevicePtr<u8>, DevicePtr<u8>, u32, At, [u16; 3]);

/// A kernel that does one copy. `{map}` and `{at}` stand for the map and the coordinates in it, `{offsets}` for the offsets.
fn kernel(context: &Context, copy: &str, rank: usize) -> Kernel<CopyArgs> {
    let list = |name: &str, count: usize| {
        let names: Vec<String> = (0..count).map(|index| format!("%{name}{index}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let copy = copy
        .replace("{map}", &format!("[%map, {}]", list("c", rank)))
        .replace("{rank}", &format!("{rank}d"))
        .replace("{offsets}", &list("o", rank.saturating_sub(2)));
    let ptx = format!(
        ".version 8.0
        .target sm_90
        .address_size 64
        .visible .entry copy(.param .align 128 .b8 map[128], .param .u64 input, .param .u64 out, .param .u32 bytes,
                .param .align 4 .b8 at[20], .param .align 2 .b8 offsets[6]) {{
            .shared .align 1024 .b8 shared[{SHARED}];
            .shared .align 8 .b64 barrier;
            .reg .b64 %map, %in, %out, %a; .reg .b32 %b, %s, %i, %v, %n, %c<5>; .reg .b16 %o<3>; .reg .pred %p, %first;
            mov.b64 %map, map; cvta.param.u64 %map, %map;
            ld.param.u64 %in, [input]; ld.param.u64 %out, [out]; ld.param.u32 %n, [bytes];
            ld.param.u32 %c0, [at]; ld.param.u32 %c1, [at+4]; ld.param.u32 %c2, [at+8]; ld.param.u32 %c3, [at+12];
            ld.param.u32 %c4, [at+16];
            ld.param.u16 %o0, [offsets]; ld.param.u16 %o1, [offsets+2]; ld.param.u16 %o2, [offsets+4];
            mov.u32 %s, shared; mov.u32 %b, barrier; mov.u32 %i, 0;
        fill:
            cvt.u64.u32 %a, %i; add.u64 %a, %a, %in; ld.global.u32 %v, [%a];
            add.u32 %v, %v, 0; st.shared.u32 [%s], %v;
            add.u32 %s, %s, 4; add.u32 %i, %i, 4;
            setp.lt.u32 %p, %i, {SHARED}; @%p bra fill;
            mov.u32 %s, shared;
            mbarrier.init.shared.b64 [%b], 1;
            fence.proxy.async;
            mbarrier.arrive.expect_tx.shared.b64 %a, [%b], %n;
            {copy}
        wait:
            mbarrier.try_wait.shared.b64 %p, [%b], %a; @!%p bra wait;
            mov.u32 %i, 0;
        dump:
            ld.shared.u32 %v, [%s]; st.global.u32 [%out], %v;
            add.u64 %out, %out, 4; add.u32 %s, %s, 4; add.u32 %i, %i, 4;
            setp.lt.u32 %p, %i, {SHARED}; @%p bra dump;
            ret;
        }}"
    );
    crate::typed(&Module::from_ptx(context, &ptx).unwrap().function("copy").unwrap())
}

const LOAD: &str =
    "cp.async.bulk.tensor.{rank}.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], {map}, [%b];";
const LOAD_COLUMNS: &str = "cp.async.bulk.tensor.{rank}.shared::cluster.global.im2col.mbarrier::complete_tx::bytes \
                            [%s], {map}, [%b], {offsets};";

/// Runs a copy in one thread, whose shared memory holds `input` before. The barrier waits for `bytes`. Returns the shared memory
/// afterwards.
fn run(
    copy: &str,
    rank: usize,
    map: TensorMap,
    input: &[u8],
    bytes: u32,
    at: &[i32],
    offsets: &[u16],
) -> Vec<u8> {
    let (context, stream) = (context(), stream());
    let (mut all, mut moved) = ([0; 5], [0; 3]);
    all.iter_mut().zip(at).for_each(|(place, number)| *place = *number);
    moved.iter_mut().zip(offsets).for_each(|(place, number)| *place = *number);
    let mut shared = input.to_vec();
    shared.resize(SHARED, UNTOUCHED);
    let input = DeviceBuf::from_host(&stream, &shared).unwrap();
    let out = DeviceBuf::<u8>::zeroed(&stream, SHARED).unwrap();
    let kernel = kernel(&context, copy, rank);
    let args = (map, input.ptr(), out.ptr(), bytes, all, moved);
    // SAFETY: one thread reads `input` and writes `out`. The tensor of `map` lives longer than this, on the default pool.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, args) }.unwrap();
    out.to_vec().unwrap()
}

/// Loads a box.
fn load(map: TensorMap, rank: usize, bytes: usize, at: &[i32]) -> Vec<u8> {
    run(LOAD, rank, map, &[], bytes as u32, at, &[])
}

/// A tensor of bytes in device memory.
fn memory(stream: &Stream, bytes: &[u8]) -> DeviceBuf<u8> {
    DeviceBuf::from_host(stream, bytes).unwrap()
}

/// A map of a small tensor that nothing is read of.
fn small_map(address: u64) -> cuda_rt::Result<TensorMap> {
    let tensor = Tensor::new(TensorDataType::FLOAT32, DevicePtr::<f32>::from_raw(address), &[64, 32], &[256]);
    TensorMap::tiled(&context(), &tensor, &TiledBox::new(&[32, 8]))
}

//! Questions about tensor maps: encoded maps, refusals, and the limits of copies.

use super::{Answers, Question, capturing, fault, initialised, synchronize};
use core::ffi::{CStr, c_int, c_void};
use cuda_suite::raw::{allocate, context, function};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::fmt::Write;
use std::ptr::{null, null_mut, without_provenance_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "tensor-map-bytes", devices: 1, ask: bytes },
    Question { name: "tensor-map-types", devices: 1, ask: types },
    Question { name: "tensor-map-ranks", devices: 1, ask: ranks },
    Question { name: "tensor-map-modes", devices: 1, ask: modes },
    Question { name: "tensor-map-addresses", devices: 1, ask: addresses },
    Question { name: "tensor-map-dims", devices: 1, ask: dims },
    Question { name: "tensor-map-strides", devices: 1, ask: strides },
    Question { name: "tensor-map-boxes", devices: 1, ask: boxes },
    Question { name: "tensor-map-box-bytes", devices: 1, ask: box_bytes },
    Question { name: "tensor-map-steps", devices: 1, ask: steps },
    Question { name: "tensor-map-columns", devices: 1, ask: columns },
    Question { name: "tensor-map-columns-corners", devices: 1, ask: corners },
    Question { name: "tensor-map-columns-numbers", devices: 1, ask: column_numbers },
    Question { name: "tensor-map-wide-columns", devices: 1, ask: wide_columns },
    Question { name: "tensor-map-null", devices: 1, ask: nulls },
    Question { name: "tensor-map-null-corner", devices: 1, ask: null_corner },
    Question { name: "tensor-map-unaligned", devices: 1, ask: unaligned },
    Question { name: "tensor-map-replace", devices: 1, ask: replace },
    Question { name: "tensor-map-replace-null", devices: 1, ask: replace_null },
    Question { name: "tensor-map-contexts", devices: 1, ask: contexts },
    Question { name: "tensor-map-sticky", devices: 1, ask: sticky },
    Question { name: "tensor-map-captured", devices: 1, ask: captured },
    Question { name: "tensor-map-copy-unaligned", devices: 1, ask: copy_unaligned },
    Question { name: "tensor-map-copy-shared-unaligned", devices: 1, ask: copy_shared_unaligned },
    Question { name: "tensor-map-copy-rank", devices: 1, ask: copy_rank },
    Question { name: "tensor-map-copy-unmapped", devices: 1, ask: copy_unmapped },
    Question { name: "tensor-map-copy-outside-unmapped", devices: 1, ask: copy_outside_unmapped },
    Question { name: "tensor-map-copy-columns-outside", devices: 1, ask: copy_columns_outside },
    Question { name: "tensor-map-store-negative", devices: 1, ask: store_negative },
    Question { name: "tensor-map-store-columns-corner", devices: 1, ask: store_columns_corner },
];

/// A description of a map.
#[derive(Clone, Copy)]
struct Described {
    data_type: u32,
    rank: u32,
    address: u64,
    dims: [u64; 5],
    strides: [u64; 4],
    box_dims: [u32; 5],
    steps: [u32; 5],
    modes: [u32; 4],
    lower: [c_int; 3],
    upper: [c_int; 3],
    channels: u32,
    pixels: u32,
}

const FLOATS: Described = Described {
    data_type: 7,
    rank: 2,
    address: 0x7f00_0000_0000,
    dims: [64, 32, 4, 3, 2],
    strides: [256, 8192, 32768, 98304],
    box_dims: [32, 8, 1, 1, 1],
    steps: [1; 5],
    modes: [0; 4],
    lower: [0; 3],
    upper: [0; 3],
    channels: 32,
    pixels: 16,
};
/// In slices of 16 bytes.
const SLICES: Described = Described {
    data_type: 6,
    rank: 3,
    dims: [16, 32, 4, 3, 2],
    strides: [512, 16384, 65536, 196_608],
    box_dims: [16, 8, 1, 1, 1],
    modes: [1, 0, 0, 0],
    channels: 8,
    ..FLOATS
};
/// In slices of 32 bytes.
const WIDE_SLICES: Described = Described { modes: [2, 1, 0, 0], ..SLICES };

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Tiled,
    Columns,
    Wide(u32),
}

/// The map, at a multiple of 128 bytes and some more.
#[repr(C, align(128))]
struct Room([u8; 256]);

/// Encodes a map at a place, with null pointers for the arrays whose bits are set.
fn encode_at(described: &Described, kind: Kind, map: *mut CUtensorMap, nulls: u32) -> CUresult {
    let described = *described;
    let [interleave, swizzle, promotion, fill] = described.modes;
    let given = |bit: u32, array: *const c_void| if nulls >> bit & 1 == 0 { array } else { null() };
    let dims = given(1, (&raw const described.dims).cast()).cast();
    let strides = given(2, (&raw const described.strides).cast()).cast();
    let steps = given(3, (&raw const described.steps).cast()).cast();
    let map = if nulls & 1 == 0 { map } else { null_mut() };
    let address = without_provenance_mut(described.address as usize);
    let data_type = CUtensorMapDataType(described.data_type);
    let (interleave, swizzle) = (CUtensorMapInterleave(interleave), CUtensorMapSwizzle(swizzle));
    let (promotion, fill) = (CUtensorMapL2promotion(promotion), CUtensorMapFloatOOBfill(fill));
    let Described { rank, channels, pixels, .. } = described;
    match kind {
        Kind::Tiled => {
            let box_dims = given(4, (&raw const described.box_dims).cast()).cast();
            code!(cuTensorMapEncodeTiled(
                map, data_type, rank, address, dims, strides, box_dims, steps, interleave, swizzle,
                promotion, fill
            ))
        }
        Kind::Columns => {
            let lower = given(4, (&raw const described.lower).cast()).cast();
            let upper = given(5, (&raw const described.upper).cast()).cast();
            code!(cuTensorMapEncodeIm2col(
                map, data_type, rank, address, dims, strides, lower, upper, channels, pixels, steps,
                interleave, swizzle, promotion, fill
            ))
        }
        Kind::Wide(mode) => {
            let mode = CUtensorMapIm2ColWideMode(mode);
            code!(cuTensorMapEncodeIm2colWide(
                map,
                data_type,
                rank,
                address,
                dims,
                strides,
                described.lower[0],
                described.upper[0],
                channels,
                pixels,
                steps,
                interleave,
                mode,
                swizzle,
                promotion,
                fill
            ))
        }
    }
}

fn encode(described: &Described, kind: Kind) -> (CUresult, CUtensorMap) {
    let mut map = CUtensorMap { opaque: [0; 16] };
    let code = encode_at(described, kind, &raw mut map, 0);
    (code, map)
}

/// The answer, and for a map that was encoded the sum of its bytes (FNV-1a, 64 bits).
fn sum(answers: &mut Answers, described: &Described, kind: Kind) {
    let (code, map) = encode(described, kind);
    let bytes = map.opaque.iter().flat_map(|long| long.to_le_bytes());
    let sum = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    answers.given(code, format_args!("{sum:016x}"));
}

/// The answers alone.
fn tiled<const N: usize>(answers: &mut Answers, described: [Described; N]) {
    answers.codes(described.map(|described| encode(&described, Kind::Tiled).0));
}

fn begun() {
    initialised();
    context(0);
}

fn bytes(answers: &mut Answers) {
    begun();
    let all = Described {
        data_type: 9,
        rank: 5,
        address: 0x12_3456_789a_bcd0,
        strides: [0x12_3456_7890, 0xff_ffff_fff0, 16, 0x10_0000_0000],
        box_dims: [56, 9, 10, 3, 2],
        steps: [1, 2, 3, 4, 8],
        modes: [0, 3, 2, 1],
        lower: [-16, 3, -1],
        upper: [3, 0, -2],
        channels: 64,
        pixels: 300,
        ..FLOATS
    };
    for kind in [Kind::Tiled, Kind::Columns] {
        let (code, map) = encode(&all, kind);
        let mut text = String::new();
        map.opaque.iter().take(10).for_each(|long| write!(text, "{long:x}.").unwrap());
        answers.given(code, text + if map.opaque[10..] == [0; 6] { "0" } else { "more" });
    }
}

fn types(answers: &mut Answers) {
    begun();
    for data_type in 0..=16 {
        let fits = Described { data_type, box_dims: [16, 8, 1, 1, 1], ..FLOATS };
        sum(answers, &Described { box_dims: [128, 8, 1, 1, 1], ..fits }, Kind::Tiled);
        sum(answers, &Described { modes: [0, 0, 0, 1], ..fits }, Kind::Tiled);
    }
}

fn ranks(answers: &mut Answers) {
    begun();
    for rank in 0..=6 {
        sum(answers, &Described { rank, ..FLOATS }, Kind::Tiled);
        sum(answers, &Described { rank, ..SLICES }, Kind::Tiled);
    }
}

fn modes(answers: &mut Answers) {
    begun();
    for which in 0..4 {
        for mode in [1, 2, 3, 4, 5, 6, 7, u32::MAX] {
            let mut described = Described { rank: 3, box_dims: [8, 8, 1, 1, 1], ..FLOATS };
            described.modes[which] = mode;
            sum(answers, &described, Kind::Tiled);
        }
    }
    // The documentation wants another swizzle.
    sum(answers, &Described { modes: [2, 0, 0, 0], ..WIDE_SLICES }, Kind::Tiled);
}

fn addresses(answers: &mut Answers) {
    begun();
    let addresses = [0, 8, 16, 32, (1 << 57) - 16, 1 << 57, u64::MAX - 15];
    tiled(answers, addresses.map(|address| Described { address, ..FLOATS }));
    tiled(answers, [16, 32].map(|address| Described { address, ..WIDE_SLICES }));
}

fn dims(answers: &mut Answers) {
    begun();
    for index in [0, 1, 2] {
        let dims = [0, 1, 1 << 31, (1 << 31) + 1, 1 << 32, (1 << 32) + 1];
        tiled(
            answers,
            dims.map(|dim| {
                let mut described = FLOATS;
                described.dims[index] = dim;
                described
            }),
        );
    }
}

fn strides(answers: &mut Answers) {
    begun();
    for (of, index) in [(FLOATS, 0), (FLOATS, 1), (WIDE_SLICES, 1)] {
        let strides = [0, 8, 16, 48, (1 << 40) - 32, 1 << 40];
        tiled(
            answers,
            strides.map(|stride| {
                let mut described = of;
                described.strides[index] = stride;
                described
            }),
        );
    }
}

fn boxes(answers: &mut Answers) {
    begun();
    for (index, swizzle) in [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (0, 3)] {
        let dims = [0, 1, 3, 4, 8, 12, 16, 32, 36, 256, 257];
        tiled(
            answers,
            dims.map(|dim| {
                let mut described = Described { modes: [0, swizzle, 0, 0], ..FLOATS };
                described.box_dims[index] = dim;
                described
            }),
        );
    }
    tiled(
        answers,
        [1, 3, 8, 256].map(|dim| Described { box_dims: [dim, 1, 1, 1, 1], modes: [1, 1, 0, 0], ..SLICES }),
    );
}

fn box_bytes(answers: &mut Answers) {
    begun();
    let bytes = Described { data_type: 0, rank: 3, ..FLOATS };
    tiled(answers, [228, 229, 230].map(|dim| Described { box_dims: [128, 8, dim, 1, 1], ..bytes }));
    // Steps leave 64 of 256.
    let steps = [1, 4, 1, 1, 1];
    tiled(answers, [14, 15].map(|dim| Described { box_dims: [256, 256, dim, 1, 1], steps, ..bytes }));
}

fn steps(answers: &mut Answers) {
    begun();
    for index in [0, 1, 2] {
        tiled(
            answers,
            [0, 1, 8, 9].map(|step| {
                let mut described = FLOATS;
                described.steps[index] = step;
                described
            }),
        );
    }
}

fn columns(answers: &mut Answers) {
    begun();
    for rank in 2..=6 {
        sum(answers, &Described { rank, ..FLOATS }, Kind::Columns);
        sum(answers, &Described { rank, lower: [-1, 1, 0], upper: [2, -1, -1], ..FLOATS }, Kind::Columns);
        sum(answers, &Described { rank, ..SLICES }, Kind::Columns);
    }
}

fn corners(answers: &mut Answers) {
    begun();
    let of = |answers: &mut Answers, described: Described| answers.code(encode(&described, Kind::Columns).0);
    for (rank, limit) in [(3, 32768), (4, 128), (5, 16)] {
        let described = Described { rank, dims: [64, 40000, 40000, 40000, 2], ..FLOATS };
        for offset in [-limit - 1, -limit, limit - 1, limit] {
            of(answers, Described { lower: [offset, 0, 0], ..described });
            of(answers, Described { upper: [offset, 0, 0], ..described });
        }
    }
    let described = Described { rank: 3, ..FLOATS };
    for (dim, lower, upper) in [
        (32, 31, 0),
        (32, 32, 0),
        (32, 0, -32),
        ((1 << 31) - 1, -1, 0),
        ((1 << 31) - 1, 0, 1),
        (1 << 31, 0, -1),
        (1 << 31, 0, 0),
    ] {
        let dims = [64, dim, 4, 3, 2];
        of(answers, Described { dims, lower: [lower, 0, 0], upper: [upper, 0, 0], ..described });
    }
    // Interleaved, the first dimension is the width.
    of(answers, Described { lower: [15, 0, 0], ..SLICES });
    of(answers, Described { lower: [16, 0, 0], ..SLICES });
}

fn column_numbers(answers: &mut Answers) {
    begun();
    let described = Described { rank: 3, ..FLOATS };
    let of = |described: Described| encode(&described, Kind::Columns).0;
    answers.codes([0, 1, 3, 4, 256, 257].map(|channels| of(Described { channels, ..described })));
    answers.codes([0, 1, 1024, 1025].map(|pixels| of(Described { pixels, ..described })));
    let most = Described { channels: 256, ..described };
    answers.codes([228, 231].map(|pixels| of(Described { pixels, ..most })));
    answers.codes([1, 2, 3].map(|swizzle| of(Described { modes: [0, swizzle, 0, 0], ..described })));
}

fn wide_columns(answers: &mut Answers) {
    begun();
    let described = Described { rank: 4, lower: [-3, 9, 9], upper: [5, 9, 9], channels: 8, ..FLOATS };
    for mode in [0, 1, 2] {
        for swizzle in 0..=6 {
            sum(answers, &Described { modes: [0, swizzle, 0, 0], ..described }, Kind::Wide(mode));
        }
    }
    for rank in [2, 3, 5, 6] {
        sum(answers, &Described { rank, ..described }, Kind::Wide(0));
    }
    let far = Described { lower: [-129, 0, 0], ..described };
    answers.codes([far, Described { rank: 3, ..far }].map(|described| encode(&described, Kind::Wide(0)).0));
}

fn nulls(answers: &mut Answers) {
    begun();
    let mut map = CUtensorMap { opaque: [0; 16] };
    for rank in [1, 2] {
        for bit in 0..5 {
            let described = Described { rank, ..FLOATS };
            answers.code(encode_at(&described, Kind::Tiled, &raw mut map, 1 << bit));
        }
    }
    for kind in [Kind::Columns, Kind::Wide(0)] {
        for bit in 0..4 {
            answers.code(encode_at(&Described { rank: 3, ..FLOATS }, kind, &raw mut map, 1 << bit));
        }
    }
}

fn null_corner(answers: &mut Answers) {
    begun();
    let mut map = CUtensorMap { opaque: [0; 16] };
    answers.code(encode_at(&Described { rank: 3, ..FLOATS }, Kind::Columns, &raw mut map, 1 << 4));
}

fn unaligned(answers: &mut Answers) {
    begun();
    let mut room = Room([0; 256]);
    let (_, expected) = encode(&FLOATS, Kind::Tiled);
    for offset in [1, 8, 16, 32, 64] {
        let map = room.0[offset..].as_mut_ptr().cast();
        let code = encode_at(&FLOATS, Kind::Tiled, map, 0);
        let bytes: Vec<u8> = expected.opaque.iter().flat_map(|long| long.to_le_bytes()).collect();
        answers.given(code, if room.0[offset..][..128] == bytes { "same" } else { "other" });
        let address = without_provenance_mut(32);
        answers.code(code!(cuTensorMapReplaceAddress(map, address)));
    }
}

fn replace(answers: &mut Answers) {
    begun();
    for described in [FLOATS, WIDE_SLICES] {
        let (_, mut map) = encode(&described, Kind::Tiled);
        for address in [0, 8, 16, (1 << 57) - 16, 1 << 57] {
            let address = without_provenance_mut(address);
            let code = code!(cuTensorMapReplaceAddress(&raw mut map, address));
            answers.given(code, format_args!("{:x}", map.opaque[0]));
        }
    }
    let mut junk = CUtensorMap { opaque: [u64::MAX; 16] };
    let code = code!(cuTensorMapReplaceAddress(&raw mut junk, without_provenance_mut(32)));
    answers.given(code, format_args!("{:x}/{:x}", junk.opaque[0], junk.opaque[1]));
}

fn replace_null(answers: &mut Answers) {
    begun();
    answers.code(code!(cuTensorMapReplaceAddress(null_mut(), without_provenance_mut(32))));
}

fn contexts(answers: &mut Answers) {
    let all = |answers: &mut Answers| {
        let kinds = [Kind::Tiled, Kind::Columns, Kind::Wide(0)];
        answers.codes(kinds.map(|kind| encode(&Described { rank: 3, ..FLOATS }, kind).0));
        let mut map = CUtensorMap { opaque: [0; 16] };
        answers.code(code!(cuTensorMapReplaceAddress(&raw mut map, without_provenance_mut(32))));
    };
    all(answers);
    initialised();
    all(answers);
    // The driver checks the context first.
    answers.code(encode(&Described { rank: 9, ..FLOATS }, Kind::Tiled).0);
    let made = context(0);
    all(answers);
    call!(cuCtxDestroy_v2(made));
    context(0);
    all(answers);
}

fn sticky(answers: &mut Answers) {
    begun();
    fault();
    answers.code(encode(&FLOATS, Kind::Tiled).0);
    let mut map = CUtensorMap { opaque: [0; 16] };
    answers.code(code!(cuTensorMapReplaceAddress(&raw mut map, without_provenance_mut(32))));
}

fn captured(answers: &mut Answers) {
    begun();
    capturing(answers, |answers| {
        answers.code(encode(&FLOATS, Kind::Tiled).0);
        let mut map = CUtensorMap { opaque: [0; 16] };
        answers.code(code!(cuTensorMapReplaceAddress(&raw mut map, without_provenance_mut(32))));
    });
}

const PTX: &CStr = c".version 8.0 .target sm_90 .address_size 64
    .visible .entry load(.param .align 128 .b8 map[128], .param .u32 x, .param .u32 y, .param .u32 at) {
        .shared .align 128 .b8 box[1024]; .shared .align 8 .b64 barrier;
        .reg .b64 %m, %s; .reg .b32 %x, %y, %a, %b; .reg .pred %p;
        mov.b64 %m, map; cvta.param.u64 %m, %m;
        ld.param.u32 %x, [x]; ld.param.u32 %y, [y]; ld.param.u32 %a, [at]; mov.u32 %b, box; add.u32 %a, %a, %b;
        mbarrier.init.shared.b64 [barrier], 1; fence.proxy.async;
        mbarrier.arrive.expect_tx.shared.b64 %s, [barrier], 64;
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%a], [%m, {%x, %y}], [barrier];
        again: mbarrier.try_wait.shared.b64 %p, [barrier], %s; @!%p bra again; ret; }
    .visible .entry load3(.param .align 128 .b8 map[128]) {
        .shared .align 128 .b8 box[1024]; .shared .align 8 .b64 barrier;
        .reg .b64 %m, %s; .reg .b32 %x; .reg .pred %p; mov.u32 %x, 0;
        mov.b64 %m, map; cvta.param.u64 %m, %m;
        mbarrier.init.shared.b64 [barrier], 1; fence.proxy.async;
        mbarrier.arrive.expect_tx.shared.b64 %s, [barrier], 64;
        cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%m, {%x, %x, %x}], [barrier];
        again: mbarrier.try_wait.shared.b64 %p, [barrier], %s; @!%p bra again; ret; }
    .visible .entry columns(.param .align 128 .b8 map[128], .param .u32 x) {
        .shared .align 128 .b8 box[1024]; .shared .align 8 .b64 barrier;
        .reg .b64 %m, %s; .reg .b32 %x, %z; .reg .b16 %o; .reg .pred %p; mov.u32 %z, 0; mov.u16 %o, 0;
        mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u32 %x, [x];
        mbarrier.init.shared.b64 [barrier], 1; fence.proxy.async;
        mbarrier.arrive.expect_tx.shared.b64 %s, [barrier], 64;
        cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
            [box], [%m, {%z, %x, %z}], [barrier], {%o};
        again: mbarrier.try_wait.shared.b64 %p, [barrier], %s; @!%p bra again; ret; }
    .visible .entry store(.param .align 128 .b8 map[128], .param .u32 x, .param .u32 y) {
        .shared .align 128 .b8 box[1024];
        .reg .b64 %m; .reg .b32 %x, %y;
        mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u32 %x, [x]; ld.param.u32 %y, [y];
        cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%m, {%x, %y}], [box];
        cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }
    .visible .entry storecolumns(.param .align 128 .b8 map[128]) {
        .shared .align 128 .b8 box[1024];
        .reg .b64 %m; .reg .b32 %z; mov.u32 %z, 0;
        mov.b64 %m, map; cvta.param.u64 %m, %m;
        cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%m, {%z, %z, %z}], [box];
        cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }";

/// Launches a kernel with a map and numbers, and waits for it.
fn run(answers: &mut Answers, name: &CStr, described: &Described, kind: Kind, numbers: &[u32]) {
    let (code, mut map) = encode(described, kind);
    answers.must(code);
    let mut numbers = numbers.to_vec();
    let mut params: Vec<*mut c_void> = vec![(&raw mut map).cast()];
    params.extend(numbers.iter_mut().map(|number| std::ptr::from_mut(number).cast()));
    let kernel = function(PTX, name);
    let params = params.as_mut_ptr();
    let launched = code!(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, null_mut(), params, null_mut()));
    answers.codes([launched, synchronize()]);
}

/// A small box of a tensor in memory.
fn small() -> Described {
    Described { address: allocate(1 << 16), box_dims: [8, 2, 1, 1, 1], ..FLOATS }
}

fn copy_unaligned(answers: &mut Answers) {
    begun();
    let described = small();
    for (x, y) in [(0, 0), (4, 31), (-4, -1), (1000, 1000), (1, 0)] {
        run(answers, c"load", &described, Kind::Tiled, &[x as u32, y as u32, 0]);
    }
}

fn copy_shared_unaligned(answers: &mut Answers) {
    begun();
    let described = small();
    for at in [0, 128, 64] {
        run(answers, c"load", &described, Kind::Tiled, &[0, 0, at]);
    }
}

fn copy_rank(answers: &mut Answers) {
    begun();
    run(answers, c"load3", &small(), Kind::Tiled, &[]);
}

fn copy_unmapped(answers: &mut Answers) {
    begun();
    run(answers, c"load", &Described { address: 1 << 45, ..small() }, Kind::Tiled, &[0, 0, 0]);
}

fn copy_outside_unmapped(answers: &mut Answers) {
    begun();
    run(answers, c"load", &Described { address: 1 << 45, ..small() }, Kind::Tiled, &[64, 0, 0]);
}

fn copy_columns_outside(answers: &mut Answers) {
    begun();
    let described =
        Described { rank: 3, channels: 4, pixels: 4, lower: [-1, 0, 0], upper: [-1, 0, 0], ..small() };
    for x in [-1, 0, 30, 31] {
        run(answers, c"columns", &described, Kind::Columns, &[x as u32]);
    }
}

fn store_negative(answers: &mut Answers) {
    begun();
    let described = small();
    for (x, y) in [(0, 0), (64, 0), (0, 32), (0, -1)] {
        run(answers, c"store", &described, Kind::Tiled, &[x as u32, y as u32]);
    }
}

fn store_columns_corner(answers: &mut Answers) {
    begun();
    let described = Described { rank: 3, channels: 4, pixels: 4, ..small() };
    run(answers, c"storecolumns", &described, Kind::Columns, &[]);
    run(answers, c"storecolumns", &Described { upper: [-1, 0, 0], ..described }, Kind::Columns, &[]);
    run(answers, c"storecolumns", &Described { lower: [-1, 0, 0], ..described }, Kind::Columns, &[]);
}

//! Surfaces: loads, stores and reductions, inside and outside.

use super::*;
use std::mem::ManuallyDrop;

const STORED: u32 = CUDA_ARRAY3D_SURFACE_LDST;
const WORDS: CUarray_format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32;
const BYTES: CUarray_format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Each thread's coordinates: three words.
fn at(coordinates: &[[i32; 3]]) -> Vec<Input> {
    coordinates
        .iter()
        .map(|[x, y, z]| [x.cast_unsigned(), y.cast_unsigned(), z.cast_unsigned(), 0, 0, 0, 0, 0])
        .collect()
}

#[test]
fn stores_are_by_byte_and_by_row() {
    let (width, height) = (8_usize, 4_usize);
    let array = Array::with(descriptor([width, height, 0], WORDS, 1, STORED), &vec![0; width * height * 4]);
    let surface = Surface::new(&array);
    let mut threads = Threads::new(
        "shl.b32 %r3, %r0, 2; mad.lo.s32 %r4, %r1, 100, %r0; sust.b.2d.b32.trap [%d0, {%r3, %r1}], %r4;",
    );
    let all: Vec<[i32; 3]> = (0..32).map(|index| [index % 8, index / 8, 0]).collect();
    threads.run(surface.0, &at(&all));
    let expected: Vec<u32> = (0..32).map(|index| index / 8 * 100 + index % 8).collect();
    assert_eq!(words(&array.read()), expected);
}

#[test]
fn loads_of_every_width() {
    let bytes: Vec<u8> = (0..64).map(|index| index * 3 + 1).collect();
    let array = Array::with(descriptor([64, 0, 0], BYTES, 1, STORED), &bytes);
    let surface = Surface::new(&array);
    let cases = [
        ("suld.b.1d.b8.trap %h0, [%d0, {%r0}]; cvt.u32.u16 %x0, %h0;", 5, 1),
        ("suld.b.1d.b16.trap %h0, [%d0, {%r0}]; cvt.u32.u16 %x0, %h0;", 6, 2),
        ("suld.b.1d.b32.trap %x0, [%d0, %r0];", 8, 4),
        ("suld.b.1d.b64.trap %d4, [%d0, {%r0}]; mov.b64 {%x0, %x1}, %d4;", 16, 8),
        ("suld.b.1d.v2.b32.trap {%x0, %x1}, [%d0, {%r0}];", 24, 8),
        ("suld.b.1d.v4.b32.trap {%x0, %x1, %x2, %x3}, [%d0, {%r0}];", 32, 16),
        (
            "suld.b.1d.v2.b64.trap {%d4, %d5}, [%d0, {%r0}]; mov.b64 {%x0, %x1}, %d4; mov.b64 {%x2, %x3}, %d5;",
            48,
            16,
        ),
        (
            "suld.b.1d.v4.b8.trap {%h0, %h1, %h2, %h3}, [%d0, {%r0}]; cvt.u32.u16 %x0, %h3; shl.b32 %x0, %x0, 8;\n\
             cvt.u32.u16 %x1, %h2; or.b32 %x0, %x0, %x1; shl.b32 %x0, %x0, 8; cvt.u32.u16 %x1, %h1;\n\
             or.b32 %x0, %x0, %x1; shl.b32 %x0, %x0, 8; cvt.u32.u16 %x1, %h0; or.b32 %x0, %x0, %x1;",
            12,
            4,
        ),
    ];
    for (body, start, count) in cases {
        let mut threads = Threads::new(body);
        let found = word_bytes(&threads.run(surface.0, &at(&[[start, 0, 0]]))[0]);
        let start = start as usize;
        assert_eq!(found[..count], bytes[start..start + count], "{body}");
    }
}

#[test]
fn stores_of_every_width() {
    let cases = [
        ("cvt.u16.u32 %h0, %r1; sust.b.1d.b8.trap [%d0, {%r0}], %h0;", 5, 1),
        ("cvt.u16.u32 %h0, %r1; sust.b.1d.b16.trap [%d0, {%r0}], %h0;", 6, 2),
        ("sust.b.1d.b32.trap [%d0, %r0], %r1;", 8, 4),
        ("mov.b64 %d4, {%r1, %r2}; sust.b.1d.b64.trap [%d0, {%r0}], %d4;", 16, 8),
        ("sust.b.1d.v4.b32.trap [%d0, {%r0}], {%r1, %r2, %r3, %r4};", 32, 16),
    ];
    let given: Vec<u32> = vec![0x1122_3344, 0x5566_7788, 0x99aa_bbcc, 0xddee_ff01];
    for (body, start, count) in cases {
        let array = Array::with(descriptor([64, 0, 0], BYTES, 1, STORED), &[0xa5; 64]);
        let surface = Surface::new(&array);
        let mut threads = Threads::new(body);
        threads.run(surface.0, &[[start, given[0], given[1], given[2], given[3], 0, 0, 0]]);
        let mut expected = [0xa5; 64];
        let start = start as usize;
        expected[start..start + count].copy_from_slice(&word_bytes(&given)[..count]);
        assert_eq!(array.read(), expected, "{body}");
    }
}

#[test]
fn geometries() {
    let count = 4 * 3 * 2;
    let values: Vec<u32> = (0..count).map(|index| index * 7 + 1).collect();
    let bytes = word_bytes(&values);
    let cases = [
        (descriptor([4, 3, 2], WORDS, 1, STORED), "suld.b.3d.b32.zero %x0, [%d0, {%r0, %r1, %r2, %r2}];"),
        (
            descriptor([4, 3, 2], WORDS, 1, STORED | CUDA_ARRAY3D_LAYERED),
            "suld.b.a2d.b32.zero %x0, [%d0, {%r2, %r0, %r1, %r1}];",
        ),
        (
            descriptor([12, 0, 2], WORDS, 1, STORED | CUDA_ARRAY3D_LAYERED),
            "mad.lo.s32 %r0, %r1, 16, %r0; suld.b.a1d.b32.zero %x0, [%d0, {%r2, %r0}];",
        ),
    ];
    for (descriptor, body) in cases {
        let array = Array::with(descriptor, &bytes);
        let surface = Surface::new(&array);
        let mut threads = Threads::new(body);
        let all: Vec<[i32; 3]> =
            (0..count as i32).map(|index| [index % 4 * 4, index / 4 % 3, index / 12]).collect();
        let found: Vec<u32> = threads.run(surface.0, &at(&all)).iter().map(|row| row[0]).collect();
        assert_eq!(found, values, "{body}");
    }
}

/// Places around a surface of 4 by 3 words, and where each goes if it is clamped.
const AROUND: [([i32; 3], [usize; 2]); 8] = [
    ([-4, 0, 0], [0, 0]),
    ([16, 1, 0], [3, 1]),
    ([4000, 2, 0], [3, 2]),
    ([8, -1, 0], [2, 0]),
    ([8, 3, 0], [2, 2]),
    ([-400, -400, 0], [0, 0]),
    ([i32::MAX - 3, i32::MAX, 0], [3, 2]),
    ([i32::MIN, i32::MIN, 0], [0, 0]),
];

#[test]
fn loads_outside() {
    let values: Vec<u32> = (1..13).collect();
    let array = Array::with(descriptor([4, 3, 0], WORDS, 1, STORED), &word_bytes(&values));
    let surface = Surface::new(&array);
    let places = AROUND.map(|(place, _)| place);
    let mut zero = Threads::new("suld.b.2d.b32.zero %x0, [%d0, {%r0, %r1}];");
    assert!(zero.run(surface.0, &at(&places)).iter().all(|row| row[0] == 0));
    let mut clamp = Threads::new("suld.b.2d.b32.clamp %x0, [%d0, {%r0, %r1}];");
    for (found, (place, [x, y])) in clamp.run(surface.0, &at(&places)).iter().zip(AROUND) {
        assert_eq!(found[0], values[y * 4 + x], "{place:?}");
    }
}

#[test]
fn stores_outside() {
    let zeros = [0; 48];
    for (place, [x, y]) in AROUND {
        let array = Array::with(descriptor([4, 3, 0], WORDS, 1, STORED), &zeros);
        let surface = Surface::new(&array);
        let mut zero = Threads::new("sust.b.2d.b32.zero [%d0, {%r0, %r1}], 77;");
        zero.run(surface.0, &at(&[place]));
        assert_eq!(array.read(), zeros, "{place:?}");
        let mut clamp = Threads::new("sust.b.2d.b32.clamp [%d0, {%r0, %r1}], 77;");
        clamp.run(surface.0, &at(&[place]));
        let mut expected = [0_u32; 12];
        expected[y * 4 + x] = 77;
        assert_eq!(words(&array.read()), expected, "{place:?}");
    }
}

#[test]
fn reductions() {
    let start = [10_u32, 20, 0xffff_fff0, 40];
    type Change = fn(u32) -> u32;
    let cases: [(&str, u32, Change); 8] = [
        ("sured.b.add.1d.u32.trap [%d0, %r0], %r1;", 5, |old| old.wrapping_add(5)),
        ("sured.b.add.1d.s32.clamp [%d0, {%r0}], %r1;", u32::MAX, |old| old.wrapping_sub(1)),
        ("sured.b.min.1d.u32.trap [%d0, {%r0}], %r1;", 15, |old| old.min(15)),
        ("sured.b.max.1d.u32.zero [%d0, {%r0}], %r1;", 15, |old| old.max(15)),
        ("sured.b.min.1d.s32.trap [%d0, {%r0}], %r1;", 15, |old| old.cast_signed().min(15).cast_unsigned()),
        ("sured.b.max.1d.s32.trap [%d0, {%r0}], %r1;", 15, |old| old.cast_signed().max(15).cast_unsigned()),
        ("sured.b.and.1d.b32.trap [%d0, {%r0}], %r1;", 0x0f, |old| old & 0x0f),
        ("sured.b.or.1d.b32.trap [%d0, {%r0}], %r1;", 0x0f, |old| old | 0x0f),
    ];
    for (body, operand, change) in cases {
        let array = Array::with(descriptor([4, 0, 0], WORDS, 1, STORED), &word_bytes(&start));
        let surface = Surface::new(&array);
        let inputs: Vec<Input> = (0..4).map(|index| [4 * index, operand, 0, 0, 0, 0, 0, 0]).collect();
        Threads::new(body).run(surface.0, &inputs);
        assert_eq!(words(&array.read()), start.map(change), "{body}");
    }
    // All lanes on one place.
    let array = Array::with(descriptor([4, 0, 0], WORDS, 1, STORED), &[0; 16]);
    let surface = Surface::new(&array);
    let inputs: Vec<Input> = (0..256).map(|index| [8, index, 0, 0, 0, 0, 0, 0]).collect();
    Threads::new("sured.b.add.1d.u32.trap [%d0, %r0], %r1;").run(surface.0, &inputs);
    assert_eq!(words(&array.read()), [0, 0, 255 * 128, 0]);
}

#[test]
fn formatted_stores() {
    let format = CUarray_format::CU_AD_FORMAT_SIGNED_INT16;
    let array = Array::with(descriptor([4, 2, 0], format, 2, STORED), &[0; 32]);
    let surface = Surface::new(&array);
    // By texel, not by byte; a channel of 16 bits each.
    let mut threads = Threads::new("sust.p.2d.v2.b32.trap [%d0, {%r0, %r1}], {%r2, %r3};");
    threads.run(surface.0, &[[3, 1, 7, (-2_i32).cast_unsigned(), 0, 0, 0, 0]]);
    let mut expected = [0; 32];
    expected[28..].copy_from_slice(&[7, 0, 0xfe, 0xff]);
    assert_eq!(array.read(), expected);
    let half = Array::with(descriptor([4, 0, 0], CUarray_format::CU_AD_FORMAT_HALF, 1, STORED), &[0; 8]);
    let surface = Surface::new(&half);
    let mut threads = Threads::new("sust.p.1d.b32.trap [%d0, {%r0}], %r1;");
    threads.run(surface.0, &[[2, 1.5_f32.to_bits(), 0, 0, 0, 0, 0, 0]]);
    assert_eq!(half.read(), [0, 0, 0, 0, 0x00, 0x3e, 0, 0]);
}

/// Measured: integers go to the nearest that there is, channels that are not given are zero.
#[test]
fn formatted_stores_clamp_values_out_of_range() {
    let signed = CUarray_format::CU_AD_FORMAT_SIGNED_INT8;
    for (format, values, expected) in [
        (BYTES, [300, (-5_i32).cast_unsigned(), 7], [0xff, 0xff, 7]),
        (signed, [300, (-300_i32).cast_unsigned(), 7], [0x7f, 0x80, 7]),
    ] {
        let array = Array::with(descriptor([3, 0, 0], format, 1, STORED), &[0; 3]);
        let surface = Surface::new(&array);
        let inputs: Vec<Input> =
            (0..3).map(|index| [index, values[index as usize], 0, 0, 0, 0, 0, 0]).collect();
        Threads::new("sust.p.1d.b32.zero [%d0, {%r0}], %r1;").run(surface.0, &inputs);
        assert_eq!(array.read(), expected, "{format:?}");
    }
    let array = Array::with(descriptor([1, 0, 0], BYTES, 4, STORED), &[0xee; 4]);
    Threads::new("sust.p.1d.b32.zero [%d0, {0}], 5;").run(Surface::new(&array).0, &[[0; 8]]);
    assert_eq!(array.read(), [5, 0, 0, 0]);
}

/// Measured: nothing traps where nothing is bound.
#[test]
fn nothing_bound() {
    for mode in ["trap", "clamp", "zero"] {
        let mut threads = Threads::new(&format!("suld.b.1d.b32.{mode} %x0, [s, {{0}}];"));
        assert_eq!(threads.run(0, &[[0; 8]])[0][0], 0, "{mode}");
    }
}

/// Measured: what is partly outside is outside; layers are clamped as numbers without a sign.
#[test]
fn parts_and_layers() {
    let array = Array::with(descriptor([6, 0, 0], BYTES, 1, STORED), &[1, 2, 3, 4, 5, 6]);
    let surface = Surface::new(&array);
    for (mode, expected) in [("clamp", 0x0403_0201), ("zero", 0)] {
        let body = format!(
            "suld.b.1d.b32.{mode} %x0, [%d0, {{4}}]; suld.b.1d.v2.b32.{mode} {{%x1, %x2}}, [%d0, {{8}}];"
        );
        assert_eq!(Threads::new(&body).run(surface.0, &[[0; 8]])[0][..3], [expected, 0, 0]);
    }
    let flags = STORED | CUDA_ARRAY3D_LAYERED;
    let array = Array::with(descriptor([1, 1, 2], WORDS, 1, flags), &word_bytes(&[10, 20]));
    let surface = Surface::new(&array);
    let mut threads = Threads::new(
        "suld.b.a2d.b32.clamp %x0, [%d0, {%r0, 0, 0, 0}]; suld.b.a2d.b32.zero %x1, [%d0, {%r0, 0, 0, 0}];",
    );
    let found = threads.run(surface.0, &at(&[[3, 0, 0], [-1, 0, 0], [1, 0, 0]]));
    assert_eq!(found.iter().map(|row| [row[0], row[1]]).collect::<Vec<_>>(), [[20, 0], [20, 0], [20, 20]]);
}

#[test]
fn texture_reads_stores_of_a_surface() {
    let array = Array::with(descriptor([4, 2, 0], FLOAT, 1, STORED), &[0; 32]);
    let (surface, texture) =
        (Surface::new(&array), Texture::new(&array.resource(), &reading(CLAMP, POINT, 0)));
    Threads::new("sust.b.2d.b32.trap [%d0, {%r0, %r1}], %r2;")
        .run(surface.0, &[[12, 1, 2.5_f32.to_bits(), 0, 0, 0, 0, 0]]);
    let mut threads = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    assert_eq!(threads.numbers(texture.0, &[[3.5, 1.5, 0.0], [2.5, 1.5, 0.0]]), [2.5, 0.0]);
}

#[test]
fn references_to_surfaces() {
    let array = Array::with(descriptor([4, 3, 0], WORDS, 1, STORED), &[0; 48]);
    let mut threads = Threads::new(
        "sust.b.2d.b32.trap [s, {%r0, %r1}], %r2; suld.b.2d.b32.trap %x0, [s, {%r0, %r1}];\n\
         suq.width.b32 %x1, [s];",
    );
    let reference = threads.surface_reference();
    let mut bound = null_mut();
    let refused = driver!(cuSurfRefGetArray(&raw mut bound, reference));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
    must!(cuSurfRefSetArray(reference, array.handle, 0));
    must!(cuSurfRefGetArray(&raw mut bound, reference));
    assert_eq!(bound, array.handle);
    let found = threads.run(0, &[[8, 2, 99, 0, 0, 0, 0, 0]]);
    assert_eq!(found[0][..2], [99, 4]);
    assert_eq!(words(&array.read())[10], 99);
    let plain = Array::new(descriptor([4, 3, 0], WORDS, 1, 0));
    let refused = driver!(cuSurfRefSetArray(reference, plain.handle, 0));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
    // An object is made even so (measured); what it can be used for is not said.
    drop(Surface::new(&plain));
}

#[test]
fn objects_give_their_resource_back() {
    let array = Array::new(descriptor([4, 0, 0], WORDS, 1, STORED));
    let surface = Surface::new(&array);
    let mut resource = CUDA_RESOURCE_DESC::default();
    must!(cuSurfObjectGetResourceDesc(&raw mut resource, surface.0));
    assert_eq!(resource.resType, CUresourcetype::CU_RESOURCE_TYPE_ARRAY);
    // SAFETY: the type says which member it is.
    assert_eq!(unsafe { resource.res.array }.hArray, array.handle);
}

/// Accesses outside, each in a process of its own.
fn trap(store: &str) {
    // After the fault they cannot be released.
    let array = ManuallyDrop::new(Array::new(descriptor([4, 3, 0], WORDS, 1, STORED)));
    let surface = ManuallyDrop::new(Surface::new(&array));
    let body = format!(".reg .b64 %d; .reg .b32 %r; ld.param.b64 %d, [object]; mov.b32 %r, 1; {store} ret;");
    let mut device = Device::kernel(".param .b64 object", &body);
    let error = device.try_run("k", [1; 3], [1; 3], 0, &[Arg::U64(surface.0)]).unwrap_err();
    assert_eq!(error.code(), Some(cuda_rt::error::Code::IllegalAddress));
}

#[test]
fn a_store_outside_can_trap() {
    alone("ptx::images::surfaces::a_store_outside_can_trap", || {
        trap("sust.b.2d.b32.trap [%d, {4096, 0}], %r;")
    });
}

#[test]
fn a_load_outside_can_trap() {
    let load = || trap("suld.b.2d.b32.trap %r, [%d, {0, 3}]; sust.b.2d.b32.trap [%d, {0, 0}], %r;");
    alone("ptx::images::surfaces::a_load_outside_can_trap", load);
}

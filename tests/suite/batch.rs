//! Batches of copies, prefetches and discards.

use cuda_suite::raw::{allocate, stream};
use cuda_suite::{call, code, context, skip};
use cuda_sys::*;
use std::ptr::null_mut;

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

fn manner(order: u32, flags: u32) -> CUmemcpyAttributes {
    CUmemcpyAttributes {
        srcAccessOrder: CUmemcpySrcAccessOrder_enum(order),
        flags,
        ..CUmemcpyAttributes::default()
    }
}

/// In the order of the stream.
const STREAM: u32 = CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM.0;
const DURING_CALL: u32 = CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL.0;
const ANY: u32 = CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_ANY.0;

/// The arguments of a batch: the ends of each copy, and attributes with the number of the first copy that has them.
#[derive(Clone)]
struct Batch {
    copies: Vec<(CUdeviceptr, CUdeviceptr, usize)>,
    manners: Vec<(usize, CUmemcpyAttributes)>,
    on: CUstream,
}

/// The arguments of a batch as the lists that the driver reads.
struct Lists {
    to: Vec<CUdeviceptr>,
    from: Vec<CUdeviceptr>,
    sizes: Vec<usize>,
    manners: Vec<CUmemcpyAttributes>,
    starts: Vec<usize>,
}

impl Batch {
    fn lists(&self) -> Lists {
        Lists {
            to: self.copies.iter().map(|(to, ..)| *to).collect(),
            from: self.copies.iter().map(|(_, from, _)| *from).collect(),
            sizes: self.copies.iter().map(|(.., size)| *size).collect(),
            manners: self.manners.iter().map(|(_, manner)| *manner).collect(),
            starts: self.manners.iter().map(|(start, _)| *start).collect(),
        }
    }

    /// Returns the driver's answer and the index of the failed copy.
    fn run(&self) -> (CUresult, usize) {
        let Lists { mut to, mut from, mut sizes, mut manners, mut starts } = self.lists();
        let mut failed = 77;
        let answer = code!(cuMemcpyBatchAsync(
            to.as_mut_ptr(),
            from.as_mut_ptr(),
            sizes.as_mut_ptr(),
            to.len(),
            manners.as_mut_ptr(),
            starts.as_mut_ptr(),
            manners.len(),
            &raw mut failed,
            self.on
        ));
        (answer, failed)
    }

    fn run_newer(&self) -> CUresult {
        let Lists { mut to, mut from, mut sizes, mut manners, mut starts } = self.lists();
        code!(cuMemcpyBatchAsync_v2(
            to.as_mut_ptr(),
            from.as_mut_ptr(),
            sizes.as_mut_ptr(),
            to.len(),
            manners.as_mut_ptr(),
            starts.as_mut_ptr(),
            manners.len(),
            self.on
        ))
    }
}

fn words(at: CUdeviceptr) -> [u32; 4] {
    let mut words = [0; 4];
    call!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), at, 16));
    words
}

macro_rules! since {
    ($major:literal, $minor:literal) => {
        if !crate::is_since($major, $minor) {
            skip!("the function needs a driver of CUDA {}.{} or newer", $major, $minor);
        }
    };
}

#[test]
fn copies_of_a_batch_are_done() {
    since!(12, 8);
    let context = context();
    let _entered = context.enter().unwrap();
    let (on, at, other) = (stream(1), allocate(16), allocate(32));
    let host = [1_u32, 2, 3, 4];
    let mut back = [0_u32; 4];
    let source = host.as_ptr().expose_provenance() as u64;
    for order in [STREAM, DURING_CALL, ANY] {
        let batch = Batch {
            copies: vec![(at, source, 16), (other + 16, source + 8, 8)],
            manners: vec![(0, manner(order, 1)), (1, manner(order, 0))],
            on,
        };
        call!(cuMemsetD32_v2(at, 0, 4));
        call!(cuMemsetD32_v2(other, 0, 8));
        call!(cuStreamSynchronize(null_mut()));
        assert_eq!(batch.run(), (DONE, usize::MAX));
        // The second batch runs after all copies of the first batch.
        let to_host = back.as_mut_ptr().expose_provenance() as u64;
        let second = Batch { copies: vec![(other, at + 8, 8), (to_host, at, 16)], ..batch.clone() };
        assert_eq!(second.run().0, DONE);
        call!(cuStreamSynchronize(on));
        assert_eq!((words(at), back), (host, host));
        assert_eq!([words(other), words(other + 16)], [[3, 4, 0, 0], [3, 4, 0, 0]]);
    }
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
    call!(cuMemFree_v2(other));
}

#[test]
fn batches_that_are_refused() {
    since!(12, 8);
    let newer = crate::is_since(13, 0);
    let context = context();
    let _entered = context.enter().unwrap();
    let (on, at) = (stream(1), allocate(64));
    let good = Batch { copies: vec![(at, at + 32, 16); 2], manners: vec![(0, manner(STREAM, 0))], on };
    let twice = |first, second| vec![(first, manner(STREAM, 0)), (second, manner(STREAM, 0))];
    let mut on_99 = manner(STREAM, 0);
    on_99.srcLocHint.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    on_99.srcLocHint.__bindgen_anon_1.id = 99;
    let cases = [
        ("no copies", Batch { copies: vec![], ..good.clone() }),
        ("no attributes", Batch { manners: vec![], ..good.clone() }),
        ("more attributes than copies", Batch { copies: vec![(at, at + 32, 16)], manners: twice(0, 1), on }),
        ("not from the first", Batch { manners: vec![(1, manner(STREAM, 0))], ..good.clone() }),
        ("not rising", Batch { manners: twice(0, 0), ..good.clone() }),
        ("beyond the last", Batch { manners: twice(0, 2), ..good.clone() }),
        ("no order", Batch { manners: vec![(0, manner(0, 0))], ..good.clone() }),
        ("another order", Batch { manners: vec![(0, manner(4, 0))], ..good.clone() }),
        ("another flag", Batch { manners: vec![(0, manner(STREAM, 2))], ..good.clone() }),
        ("a hint of no device", Batch { manners: vec![(0, on_99)], ..good.clone() }),
        ("the null stream", Batch { on: null_mut(), ..good.clone() }),
        ("the legacy stream", Batch { on: CU_STREAM_LEGACY, ..good.clone() }),
        ("nothing", Batch { copies: vec![(at, at + 32, 16), (at, at + 32, 0)], ..good.clone() }),
        ("to null", Batch { copies: vec![(0, at, 16)], ..good.clone() }),
        ("beyond", Batch { copies: vec![(at, at + 32, 16), (at, at + 32, 33)], ..good.clone() }),
    ];
    for (what, batch) in cases {
        let (answer, failed) = batch.run();
        assert_eq!(answer, INVALID, "{what}");
        if what == "beyond" {
            assert_eq!(failed, 1);
        }
        if newer {
            assert_eq!(batch.run_newer(), INVALID, "{what}");
        }
    }
    let per_thread = Batch { on: CU_STREAM_PER_THREAD, ..good };
    assert_eq!(per_thread.run().0, DONE);
    if newer {
        assert_eq!(per_thread.run_newer(), DONE);
    }
    // With the per-thread default stream.
    let (mut to, mut from, mut size, mut start) = (at, at + 32, 16, 0);
    let mut how = manner(STREAM, 0);
    let mut failed = 0;
    call!(cuMemcpyBatchAsync_ptsz(
        &raw mut to,
        &raw mut from,
        &raw mut size,
        1,
        &raw mut how,
        &raw mut start,
        1,
        &raw mut failed,
        null_mut()
    ));
    call!(cuStreamSynchronize(on));
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
}

fn pointer(at: CUdeviceptr, row: usize, height: usize) -> CUmemcpy3DOperand {
    let mut operand = CUmemcpy3DOperand {
        type_: CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_POINTER,
        ..CUmemcpy3DOperand::default()
    };
    operand.op.ptr.ptr = at;
    // SAFETY: the member that was written to.
    let place = unsafe { &mut operand.op.ptr };
    (place.rowLength, place.layerHeight) = (row, height);
    operand
}

fn in_array(array: CUarray, offset: [usize; 3]) -> CUmemcpy3DOperand {
    let [x, y, z] = offset;
    let mut operand = CUmemcpy3DOperand {
        type_: CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_ARRAY,
        ..CUmemcpy3DOperand::default()
    };
    operand.op.array =
        CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_2 { array, offset: CUoffset3D { x, y, z } };
    operand
}

fn block(dst: CUmemcpy3DOperand, src: CUmemcpy3DOperand, extent: [usize; 3]) -> CUDA_MEMCPY3D_BATCH_OP {
    let [width, height, depth] = extent;
    CUDA_MEMCPY3D_BATCH_OP {
        src,
        dst,
        extent: CUextent3D { width, height, depth },
        srcAccessOrder: CUmemcpySrcAccessOrder_enum(STREAM),
        flags: 0,
    }
}

fn run_blocks(blocks: &[CUDA_MEMCPY3D_BATCH_OP], flags: u64, on: CUstream) -> CUresult {
    let mut blocks = blocks.to_vec();
    if crate::is_since(13, 0) {
        code!(cuMemcpy3DBatchAsync_v2(blocks.len(), blocks.as_mut_ptr(), flags, on))
    } else {
        let mut failed = 0;
        code!(cuMemcpy3DBatchAsync(blocks.len(), blocks.as_mut_ptr(), &raw mut failed, flags, on))
    }
}

#[test]
fn blocks_of_a_batch_are_done() {
    since!(12, 8);
    let context = context();
    let _entered = context.enter().unwrap();
    let on = stream(1);
    let (from, to) = (allocate(256), allocate(256));
    let bytes: Vec<u8> = (0..=255).collect();
    call!(cuMemcpyHtoD_v2(from, bytes.as_ptr().cast(), 256));
    call!(cuMemsetD8_v2(to, 0, 256));
    call!(cuStreamSynchronize(null_mut()));
    // `packed`: two slices of two rows of three bytes, from rows of 8 bytes and slices of 4 rows
    // to a destination without gaps. `wide`: one slice, from a source without gaps to rows
    // of 10 bytes.
    let packed = block(pointer(to, 0, 0), pointer(from + 9, 8, 4), [3, 2, 2]);
    let wide = block(pointer(to + 100, 10, 0), pointer(from, 0, 0), [3, 2, 1]);
    assert_eq!(run_blocks(&[packed, wide], 0, on), DONE);
    call!(cuStreamSynchronize(on));
    let mut seen = [0_u8; 256];
    call!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), to, 256));
    let mut expected = [0_u8; 256];
    expected[..12].copy_from_slice(&[9, 10, 11, 17, 18, 19, 41, 42, 43, 49, 50, 51]);
    expected[100..103].copy_from_slice(&[0, 1, 2]);
    expected[110..113].copy_from_slice(&[3, 4, 5]);
    assert_eq!(seen, expected);
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(from));
    call!(cuMemFree_v2(to));
}

#[test]
fn arrays_are_counted_in_their_elements() {
    since!(12, 8);
    let context = context();
    let _entered = context.enter().unwrap();
    let (on, at) = (stream(1), allocate(64));
    let mut arrays = [null_mut(); 2];
    let format = CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32;
    let given = CUDA_ARRAY_DESCRIPTOR { Width: 4, Height: 2, Format: format, NumChannels: 1 };
    for array in &mut arrays {
        call!(cuArrayCreate_v2(array, &raw const given));
    }
    let [array, other] = arrays;
    let words_in: Vec<u32> = (0..16).collect();
    call!(cuMemcpyHtoD_v2(at, words_in.as_ptr().cast(), 64));
    call!(cuStreamSynchronize(null_mut()));
    // Copies two words of each row of four to the second column.
    let filled = block(in_array(array, [1, 0, 0]), pointer(at, 4, 0), [2, 2, 1]);
    assert_eq!(run_blocks(&[filled], 0, on), DONE);
    assert_eq!(
        run_blocks(&[block(in_array(other, [0; 3]), in_array(array, [1, 0, 0]), [2, 2, 1])], 0, on),
        DONE
    );
    assert_eq!(run_blocks(&[block(pointer(at, 0, 0), in_array(other, [0; 3]), [2, 2, 1])], 0, on), DONE);
    call!(cuStreamSynchronize(on));
    assert_eq!(words(at), [0, 1, 4, 5]);
    // The elements of both arrays of a copy must have the same size.
    let format = CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT8;
    let given = CUDA_ARRAY_DESCRIPTOR { Width: 4, Height: 2, Format: format, NumChannels: 1 };
    let mut of_bytes = null_mut();
    call!(cuArrayCreate_v2(&raw mut of_bytes, &raw const given));
    let between = block(in_array(of_bytes, [0; 3]), in_array(array, [0; 3]), [2, 2, 1]);
    assert_eq!(run_blocks(&[between], 0, on), INVALID);
    for array in [array, other, of_bytes] {
        call!(cuArrayDestroy(array));
    }
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
}

#[test]
fn blocks_that_are_refused() {
    since!(12, 8);
    let context = context();
    let _entered = context.enter().unwrap();
    let (on, at) = (stream(1), allocate(64));
    let good = block(pointer(at, 0, 0), pointer(at + 32, 0, 0), [4, 2, 1]);
    let mut cases = vec![
        ("no width", block(good.dst, good.src, [0, 2, 1])),
        ("no depth", block(good.dst, good.src, [4, 2, 0])),
        ("rows too short", block(pointer(at, 3, 0), good.src, [4, 2, 1])),
        ("slices too low", block(good.dst, pointer(at, 0, 1), [4, 2, 1])),
        ("beyond", block(good.dst, pointer(at, 0, 0), [65, 1, 1])),
    ];
    cases.push((
        "no order",
        CUDA_MEMCPY3D_BATCH_OP { srcAccessOrder: CUmemcpySrcAccessOrder_enum(0), ..good },
    ));
    for (what, refused) in cases {
        assert_eq!(run_blocks(&[refused], 0, on), INVALID, "{what}");
    }
    assert_eq!(run_blocks(&[good], 1, on), INVALID, "a flag");
    assert_eq!(run_blocks(&[good], 0, null_mut()), INVALID, "the null stream");
    assert_eq!(run_blocks(&[good], 0, on), DONE);
    call!(cuStreamSynchronize(on));
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
}

/// Prefetches memory, discards it, or does both, as `name` says. Prefetching moves the first half
/// to the device and the second half to the host.
fn both(name: &str, at: CUdeviceptr, bytes: usize, flags: u64, on: CUstream) -> CUresult {
    let mut starts = [at, at + bytes as u64 / 2];
    let mut sizes = [bytes / 2; 2];
    let place = |kind| CUmemLocation { type_: kind, ..CUmemLocation::default() };
    let mut places = [
        place(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE),
        place(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST),
    ];
    let mut firsts = [0, 1];
    let (starts, sizes) = (starts.as_mut_ptr(), sizes.as_mut_ptr());
    let (places, firsts) = (places.as_mut_ptr(), firsts.as_mut_ptr());
    match name {
        "prefetch" => code!(cuMemPrefetchBatchAsync(starts, sizes, 2, places, firsts, 2, flags, on)),
        "discard" => code!(cuMemDiscardBatchAsync(starts, sizes, 2, flags, on)),
        _ => code!(cuMemDiscardAndPrefetchBatchAsync(starts, sizes, 2, places, firsts, 2, flags, on)),
    }
}

#[test]
fn batches_about_managed_memory() {
    since!(13, 0);
    const BYTES: usize = 4 << 20;
    let context = context();
    let _entered = context.enter().unwrap();
    let mut shares = 0;
    let attribute = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
    call!(cuDeviceGetAttribute(&raw mut shares, attribute, 0));
    if shares == 0 {
        skip!("the device and the host do not use managed memory at the same time");
    }
    let (on, plain) = (stream(1), allocate(BYTES));
    let mut at = 0;
    call!(cuMemAllocManaged(&raw mut at, BYTES, 1));
    call!(cuMemsetD8_v2(at, 7, BYTES));
    for name in ["prefetch", "discard and prefetch", "discard"] {
        assert_eq!(both(name, at, BYTES, 0, on), DONE, "{name}");
        assert_eq!(both(name, at, BYTES, 1, on), INVALID, "{name}: a flag");
        assert_eq!(both(name, at, BYTES, 0, null_mut()), INVALID, "{name}: the null stream");
        assert_eq!(both(name, plain, BYTES, 0, on), INVALID, "{name}: plain memory");
        assert_eq!(both(name, at, 0, 0, on), INVALID, "{name}: nothing");
        call!(cuStreamSynchronize(on));
        if name == "discard" {
            continue;
        }
        let last = |at: CUdeviceptr| {
            let mut place = 77;
            let attribute = CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION;
            call!(cuMemRangeGetAttribute((&raw mut place).cast(), 4, attribute, at, BYTES / 2));
            place
        };
        assert_eq!([last(at), last(at + BYTES as u64 / 2)], [0, CU_DEVICE_CPU], "{name}");
    }
    // Later writes are visible.
    call!(cuMemsetD32_v2(at, 5, BYTES / 4));
    assert_eq!(words(at + BYTES as u64 / 2), [5; 4]);
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
    call!(cuMemFree_v2(plain));
}

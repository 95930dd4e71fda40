//! Questions about copies and fills of two and three dimensions, and batches of copies.

use super::memory::{managed, of_default_pool};
use super::{Answers, DEVICE, HOST, Question, capturing_stream, initialised, location, synchronize};
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "copy-2d",
        devices: 1,
        ask: |answers| plane(answers, |copy, _| code!(cuMemcpy2D_v2(copy))),
    },
    Question {
        name: "copy-2d-unaligned",
        devices: 1,
        ask: |answers| plane(answers, |copy, _| code!(cuMemcpy2DUnaligned_v2(copy))),
    },
    Question {
        name: "copy-2d-async",
        devices: 1,
        ask: |answers| plane(answers, |copy, on| code!(cuMemcpy2DAsync_v2(copy, on))),
    },
    Question { name: "copy-3d-peer", devices: 2, ask: peers },
    Question { name: "copy-3d-peer-pool", devices: 2, ask: peers_pool },
    Question { name: "fill-2d", devices: 1, ask: fill },
    Question { name: "copy-batch", devices: 1, ask: batch },
    Question { name: "copy-batch-streams", devices: 1, ask: batch_streams },
    Question { name: "copy-batch-counts", devices: 1, ask: batch_counts },
    Question { name: "copy-batch-attributes", devices: 1, ask: batch_attributes },
    Question { name: "copy-batch-memory", devices: 1, ask: batch_memory },
    Question { name: "copy-batch-beyond", devices: 1, ask: batch_beyond },
    Question { name: "copy-batch-unknown", devices: 1, ask: batch_unknown },
    Question { name: "copy-batch-blocks", devices: 1, ask: batch_blocks },
    Question { name: "decompress", devices: 1, ask: decompress },
    Question { name: "decompress-refused", devices: 1, ask: decompress_refused },
    Question { name: "decompress-captured", devices: 1, ask: decompress_captured },
    Question { name: "copy-capture", devices: 1, ask: capture },
];

const MEMORY: CUmemorytype = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
const PIECE: usize = 1 << 16;

/// Four rows of 100 bytes, 256 apart, in memory of 256 rows.
fn plane(answers: &mut Answers, copy: fn(*const CUDA_MEMCPY2D, CUstream) -> CUresult) {
    initialised();
    context(0);
    let on = stream(1);
    let usual = CUDA_MEMCPY2D {
        srcMemoryType: MEMORY,
        srcDevice: allocate(PIECE),
        srcPitch: 256,
        dstMemoryType: MEMORY,
        dstDevice: allocate(PIECE),
        dstPitch: 256,
        WidthInBytes: 100,
        Height: 4,
        ..CUDA_MEMCPY2D::default()
    };
    let unified = CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED;
    let all = [
        usual,
        CUDA_MEMCPY2D { srcPitch: 99, ..usual },
        CUDA_MEMCPY2D { dstPitch: 99, ..usual },
        CUDA_MEMCPY2D { srcPitch: 120, srcXInBytes: 50, ..usual },
        CUDA_MEMCPY2D { srcPitch: 0, Height: 1, ..usual },
        CUDA_MEMCPY2D { srcPitch: 0, ..usual },
        CUDA_MEMCPY2D { WidthInBytes: 0, ..usual },
        CUDA_MEMCPY2D { Height: 0, ..usual },
        CUDA_MEMCPY2D { WidthInBytes: 0, srcDevice: 0x10, ..usual },
        CUDA_MEMCPY2D { srcY: 252, ..usual },
        CUDA_MEMCPY2D { srcY: 253, ..usual },
        CUDA_MEMCPY2D { srcPitch: 1 << 31, Height: 1, ..usual },
        CUDA_MEMCPY2D { srcPitch: 1 << 31, Height: 2, ..usual },
        CUDA_MEMCPY2D { srcMemoryType: CUmemorytype_enum(0), ..usual },
        CUDA_MEMCPY2D { srcMemoryType: CUmemorytype_enum(5), ..usual },
        CUDA_MEMCPY2D { srcMemoryType: unified, dstMemoryType: unified, ..usual },
        CUDA_MEMCPY2D {
            srcXInBytes: 1,
            srcPitch: 301,
            dstXInBytes: 3,
            dstPitch: 257,
            WidthInBytes: 99,
            ..usual
        },
    ];
    for one in &all {
        answers.code(copy(one, on));
    }
    answers.code(synchronize());
}

/// From memory of the second device, which holds 34s, to that of the first, whose context is current: three layers of
/// four rows of 100 bytes.
fn between() -> CUDA_MEMCPY3D_PEER {
    initialised();
    let peer = context(1);
    let theirs = allocate(PIECE);
    call!(cuMemsetD32_v2(theirs, 34, PIECE / 4));
    call!(cuCtxSynchronize());
    let own = context(0);
    let ours = allocate(PIECE);
    call!(cuMemsetD32_v2(ours, 0, PIECE / 4));
    call!(cuCtxSynchronize());
    CUDA_MEMCPY3D_PEER {
        srcMemoryType: MEMORY,
        srcDevice: theirs,
        srcContext: peer,
        srcPitch: 256,
        srcHeight: 4,
        dstMemoryType: MEMORY,
        dstDevice: ours,
        dstContext: own,
        dstPitch: 256,
        dstHeight: 4,
        WidthInBytes: 100,
        Height: 4,
        Depth: 3,
        ..CUDA_MEMCPY3D_PEER::default()
    }
}

fn peers(answers: &mut Answers) {
    let usual = between();
    let (own, peer, ours) = (usual.dstContext, usual.srcContext, usual.dstDevice);
    let copy = |one: CUDA_MEMCPY3D_PEER| code!(cuMemcpy3DPeer(&raw const one));
    answers.code(copy(usual));
    answers.word(ours);
    answers.codes([code!(cuMemcpy3DPeerAsync(&raw const usual, stream(1))), synchronize()]);
    let others = [
        CUDA_MEMCPY3D_PEER { srcContext: own, dstContext: peer, ..usual },
        CUDA_MEMCPY3D_PEER { srcContext: null_mut(), dstContext: null_mut(), ..usual },
        CUDA_MEMCPY3D_PEER { srcHeight: 3, ..usual },
        CUDA_MEMCPY3D_PEER { srcHeight: 0, ..usual },
        CUDA_MEMCPY3D_PEER { srcHeight: 0, Depth: 1, ..usual },
        CUDA_MEMCPY3D_PEER { srcLOD: 1, ..usual },
        CUDA_MEMCPY3D_PEER { srcPitch: 99, ..usual },
    ];
    answers.codes(others.map(copy));
    call!(cuMemsetD32_v2(ours, 0, 1));
    answers.codes([code!(cuCtxEnablePeerAccess(peer, 0)), copy(usual)]);
    answers.word(ours);
}

/// From a pool of the other device, to which this one has no access.
fn peers_pool(answers: &mut Answers) {
    let usual = between();
    call!(cuCtxSetCurrent(usual.srcContext));
    let theirs = of_default_pool(4096, stream(1));
    call!(cuCtxSynchronize());
    call!(cuCtxSetCurrent(usual.dstContext));
    let copy = CUDA_MEMCPY3D_PEER { srcDevice: theirs, Height: 1, Depth: 1, ..usual };
    answers.codes([code!(cuMemcpy3DPeer(&raw const copy)), synchronize()]);
}

fn fill(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = allocate(PIECE);
    answers.code(code!(cuMemsetD2D32_v2(memory, 256, 7, 10, 4)));
    answers.code(code!(cuMemsetD2D32_v2(memory, 16, 7, 10, 4)));
    answers.code(code!(cuMemsetD2D32_v2(memory, 258, 7, 10, 4)));
    answers.code(code!(cuMemsetD2D32_v2(memory, 258, 7, 10, 1)));
    answers.code(code!(cuMemsetD2D32_v2(memory, 256, 7, 0, 4)));
    answers.code(code!(cuMemsetD2D8_v2(memory, 256, 7, 256, 257)));
    answers.code(code!(cuMemsetD2D16_v2(memory + 1, 256, 7, 10, 4)));
    answers.code(code!(cuMemsetD2D8_v2(memory, 1 << 31, 7, 10, 1)));
    answers.code(synchronize());
}

/// A batch of copies, by default to two pieces of device memory, 16 bytes each, from pageable words 0, 1, 2, ...
struct Batch {
    to: [CUdeviceptr; 2],
    from: [CUdeviceptr; 2],
    bytes: [usize; 2],
    copies: usize,
    attributes: [CUmemcpyAttributes; 2],
    begin: [usize; 2],
    kinds: usize,
    stream: CUstream,
}

/// Words 0 to 15, pageable, which stay.
fn words() -> &'static [AtomicU32] {
    let words: Vec<AtomicU32> = (0..16).map(AtomicU32::new).collect();
    words.leak()
}

fn address(word: &AtomicU32) -> CUdeviceptr {
    word.as_ptr().expose_provenance() as CUdeviceptr
}

fn ordered(order: u32) -> CUmemcpyAttributes {
    CUmemcpyAttributes {
        srcAccessOrder: CUmemcpySrcAccessOrder_enum(order),
        srcLocHint: location(0, 0),
        dstLocHint: location(0, 0),
        flags: 0,
    }
}

impl Batch {
    fn new() -> Self {
        initialised();
        context(0);
        let words = words();
        Self {
            to: [allocate(4096), allocate(4096)],
            from: [address(&words[0]), address(&words[4])],
            bytes: [16; 2],
            copies: 2,
            attributes: [ordered(1); 2],
            begin: [0; 2],
            kinds: 1,
            stream: stream(1),
        }
    }

    fn one() -> Self {
        Self { copies: 1, ..Self::new() }
    }

    fn copy(&mut self) -> CUresult {
        let (to, from, bytes) = (self.to.as_mut_ptr(), self.from.as_mut_ptr(), self.bytes.as_mut_ptr());
        let (attributes, begin) = (self.attributes.as_mut_ptr(), self.begin.as_mut_ptr());
        let (copies, kinds, on) = (self.copies, self.kinds, self.stream);
        code!(cuMemcpyBatchAsync_v2(to, from, bytes, copies, attributes, begin, kinds, on))
    }

    /// By the first version, which says which copy failed.
    fn first(&mut self, answers: &mut Answers) {
        let (to, from, bytes) = (self.to.as_mut_ptr(), self.from.as_mut_ptr(), self.bytes.as_mut_ptr());
        let (attributes, begin) = (self.attributes.as_mut_ptr(), self.begin.as_mut_ptr());
        let (copies, kinds, on) = (self.copies, self.kinds, self.stream);
        let mut failed = 77;
        let at = &raw mut failed;
        answers.code(code!(cuMemcpyBatchAsync(to, from, bytes, copies, attributes, begin, kinds, at, on)));
        answers.value(if failed == usize::MAX { "none".to_owned() } else { failed.to_string() });
    }
}

fn batch(answers: &mut Answers) {
    let mut batch = Batch::new();
    answers.codes([batch.copy(), synchronize()]);
    answers.word(batch.to[0] + 4);
    answers.word(batch.to[1]);
    batch.from.reverse();
    batch.first(answers);
    answers.code(synchronize());
    answers.word(batch.to[0]);
}

fn batch_streams(answers: &mut Answers) {
    let mut batch = Batch::one();
    for handle in [0, 1, 2] {
        batch.stream = std::ptr::without_provenance_mut(handle);
        answers.code(batch.copy());
    }
    answers.code(synchronize());
}

fn batch_counts(answers: &mut Answers) {
    let usual = Batch::new();
    let all = [
        Batch { copies: 0, ..usual },
        Batch { copies: 1, kinds: 0, ..usual },
        Batch { copies: 1, kinds: 2, begin: [0, 1], ..usual },
        Batch { begin: [1, 0], ..usual },
        Batch { kinds: 2, begin: [0, 0], ..usual },
        Batch { kinds: 2, begin: [0, 2], ..usual },
        Batch { bytes: [16, 0], ..usual },
        Batch { copies: 1, to: [0, 0], ..usual },
    ];
    answers.codes(all.map(|mut batch| batch.copy()));
    answers.code(synchronize());
}

fn batch_attributes(answers: &mut Answers) {
    let mut batch = Batch::one();
    let hint = |device: i32| CUmemcpyAttributes {
        srcLocHint: location(DEVICE, device),
        dstLocHint: location(HOST, 0),
        ..ordered(1)
    };
    let flags = |flags: u32| CUmemcpyAttributes { flags, ..ordered(1) };
    let all = [ordered(0), ordered(2), ordered(3), ordered(4), flags(1), flags(2), hint(0), hint(99)];
    for attributes in all {
        batch.attributes[0] = attributes;
        answers.codes([batch.copy(), synchronize()]);
    }
}

fn batch_memory(answers: &mut Answers) {
    let mut batch = Batch::one();
    let (pageable, others) = (words(), words());
    batch.from[0] = address(&others[4]);
    answers.codes([batch.copy(), synchronize()]);
    batch.from[0] = batch.to[0];
    batch.to[0] = address(&pageable[0]);
    answers.codes([batch.copy(), synchronize()]);
    answers.value(pageable[0].load(Ordering::Acquire));
    batch.from[0] = address(&others[8]);
    answers.codes([batch.copy(), synchronize()]);
    answers.value(pageable[0].load(Ordering::Acquire));
    batch.to[0] = managed(64, 1);
    answers.codes([batch.copy(), synchronize()]);
    answers.word(batch.to[0]);
}

fn batch_beyond(answers: &mut Answers) {
    let mut batch = Batch::new();
    batch.bytes[1] = 5000;
    batch.first(answers);
}

fn batch_unknown(answers: &mut Answers) {
    let mut batch = Batch::new();
    batch.to[1] = 0x10;
    answers.code(batch.copy());
}

/// Each call in a capture of its own, on the stream that is captured.
fn capture(answers: &mut Answers) {
    let mut batch = Batch::one();
    let [memory, _] = batch.to;
    capturing_stream(answers, |answers, stream| {
        answers.code(code!(cuMemsetD2D8Async(memory, 64, 1, 8, 8, stream)));
    });
    capturing_stream(answers, |answers, stream| {
        batch.stream = stream;
        answers.code(batch.copy());
    });
}

/// A block of a batch, in the order of the stream.
fn operation(src: CUmemcpy3DOperand, dst: CUmemcpy3DOperand, extent: [usize; 2]) -> CUDA_MEMCPY3D_BATCH_OP {
    let [width, height] = extent;
    CUDA_MEMCPY3D_BATCH_OP {
        src,
        dst,
        extent: CUextent3D { width, height, depth: 1 },
        srcAccessOrder: CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
        flags: 0,
    }
}

/// Batches of copies of an array of 4 times 4 blocks of eight bytes.
fn batch_blocks(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, from, to) = (stream(1), allocate(512), allocate(512));
    let numbers: Vec<u64> = (0..64).collect();
    answers.must(code!(cuMemcpyHtoD_v2(from, numbers.as_ptr().cast(), 512)));
    answers.must(code!(cuMemsetD8_v2(to, 0xff, 512)));
    let array = |width, format, channels| {
        let given = CUDA_ARRAY_DESCRIPTOR { Width: width, Height: 16, Format: format, NumChannels: channels };
        let mut array = null_mut();
        let code = code!(cuArrayCreate_v2(&raw mut array, &raw const given));
        assert!(code.is_success(), "{code:?}");
        array
    };
    let compressed = array(16, CUarray_format_enum::CU_AD_FORMAT_BC1_UNORM, 4);
    let pairs = array(16, CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32, 2);
    let pointer = |at, row, rows| {
        let mut operand = CUmemcpy3DOperand {
            type_: CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_POINTER,
            ..CUmemcpy3DOperand::default()
        };
        let pointer = CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_1 {
            ptr: at,
            rowLength: row,
            layerHeight: rows,
            locHint: CUmemLocation::default(),
        };
        operand.op.ptr = pointer;
        operand
    };
    let place = |array, x, y| {
        let mut operand = CUmemcpy3DOperand {
            type_: CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_ARRAY,
            ..CUmemcpy3DOperand::default()
        };
        operand.op.array =
            CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_2 { array, offset: CUoffset3D { x, y, z: 0 } };
        operand
    };
    let mut copied = |operation: CUDA_MEMCPY3D_BATCH_OP| {
        let mut list = [operation];
        answers.code(code!(cuMemcpy3DBatchAsync_v2(1, list.as_mut_ptr(), 0, on)));
    };
    copied(operation(pointer(from, 0, 0), place(compressed, 0, 0), [4, 4]));
    copied(operation(pointer(from + 256, 8, 4), place(compressed, 1, 2), [2, 2]));
    copied(operation(pointer(from, 0, 0), place(compressed, 3, 3), [2, 2]));
    copied(operation(place(compressed, 1, 2), pointer(to, 0, 0), [2, 2]));
    copied(operation(place(compressed, 0, 0), place(pairs, 0, 0), [2, 2]));
    answers.code(synchronize());
    let mut seen = [0_u64; 6];
    answers.must(code!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), to, 48)));
    answers.value(seen.map(|number| (number as i64).to_string()).join("/"));
}

/// A piece of 100 compressed bytes, in plain memory.
fn piece(algorithm: u32) -> CUmemDecompressParams {
    let at = |bytes| std::ptr::without_provenance_mut::<core::ffi::c_void>(allocate(bytes) as usize);
    CUmemDecompressParams {
        srcNumBytes: 100,
        dstNumBytes: 1000,
        dstActBytes: at(64).cast(),
        src: at(1 << 16),
        dst: at(1 << 16),
        algo: CUmemDecompressAlgorithm(algorithm),
        ..CUmemDecompressParams::default()
    }
}

/// The answer, and the index of the failed copy.
fn decompressed(pieces: &mut [CUmemDecompressParams], flags: u32, on: CUstream) -> (CUresult, String) {
    let mut failed = 77;
    let (list, count) = (pieces.as_mut_ptr(), pieces.len());
    let code = code!(cuMemBatchDecompressAsync(list, count, flags, &raw mut failed, on));
    (code, if failed == 77 { "nothing".to_owned() } else { failed.to_string() })
}

fn decompress(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    for attribute in [136, 137] {
        let mut value = 0;
        let attribute = CUdevice_attribute(attribute);
        let code = code!(cuDeviceGetAttribute(&raw mut value, attribute, 0));
        answers.given(code, value);
    }
    let mut capable = 0_u32;
    let memory = allocate(64);
    let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
    let code = code!(cuPointerGetAttribute((&raw mut capable).cast(), attribute, memory));
    answers.given(code, capable);
    for algorithm in 0..5 {
        let (code, index) = decompressed(&mut [piece(algorithm)], 0, on);
        answers.code(code);
        answers.value(index);
    }
    answers.code(synchronize());
}

fn decompress_refused(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, piece) = (stream(1), piece(4));
    let nowhere = CUmemDecompressParams { src: std::ptr::null(), ..piece };
    answers.code(decompressed(&mut [piece, piece], 0, on).0);
    answers.code(decompressed(&mut [], 0, on).0);
    answers.code(code!(cuMemBatchDecompressAsync(null_mut(), 1, 0, null_mut(), on)));
    answers.code(decompressed(&mut [piece], 1, on).0);
    answers.code(decompressed(&mut [piece, nowhere], 0, on).0);
    for stream in [null_mut(), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD] {
        answers.code(decompressed(&mut [piece], 0, stream).0);
    }
    answers.must(code!(cuCtxSetCurrent(null_mut())));
    answers.codes([on, null_mut()].map(|stream| decompressed(&mut [piece], 0, stream).0));
}

fn decompress_captured(answers: &mut Answers) {
    initialised();
    context(0);
    let piece = piece(4);
    capturing_stream(answers, |answers, on| {
        answers.code(decompressed(&mut [piece], 0, on).0);
    });
}

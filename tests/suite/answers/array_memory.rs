//! Questions about memory that is mapped to arrays.

use super::virtual_memory::{UNIT, created, properties};
use super::{Answers, Question, capturing_stream, initialised, synchronize};
use cuda_suite::code;
use cuda_suite::raw::{context, stream};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "tile-pool", devices: 1, ask: tile_pool },
    Question { name: "array-map", devices: 1, ask: map_it },
    Question { name: "array-map-refused", devices: 1, ask: refused },
    Question { name: "array-map-streams", devices: 1, ask: streams },
    Question { name: "array-map-edges", devices: 1, ask: edges },
    Question { name: "array-map-levels", devices: 1, ask: levels },
    Question { name: "array-map-layers", devices: 1, ask: layers },
    Question { name: "array-map-deferred", devices: 1, ask: deferred },
    Question { name: "array-map-captured", devices: 1, ask: captured },
    Question { name: "array-map-no-memory", devices: 1, ask: no_memory },
    Question { name: "array-map-released", devices: 1, ask: released },
];

type Memory = CUmemGenericAllocationHandle;

/// The memory of a tile.
const TILE: u64 = 1 << 16;

fn usage(usage: u16, handles: u32) -> CUmemAllocationProp {
    let mut properties = properties(handles);
    properties.allocFlags.usage = usage;
    properties
}

fn pool() -> Memory {
    let (code, memory) = created(UNIT, &usage(1, 0));
    assert!(code.is_success(), "{code:?}");
    memory
}

fn described(size: [usize; 3], flags: u32) -> CUDA_ARRAY3D_DESCRIPTOR {
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: size[0],
        Height: size[1],
        Depth: size[2],
        Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32,
        NumChannels: 1,
        Flags: flags,
    }
}

/// An array of words, whose tiles have 128 times 128 of them.
fn array(answers: &mut Answers, size: [usize; 3], flags: u32) -> CUarray {
    let (mut array, given) = (null_mut(), described(size, flags));
    answers.must(code!(cuArray3DCreate_v2(&raw mut array, &raw const given)));
    array
}

fn mipmapped(answers: &mut Answers, size: [usize; 3], flags: u32, levels: u32) -> CUmipmappedArray {
    let (mut array, given) = (null_mut(), described(size, flags));
    answers.must(code!(cuMipmappedArrayCreate(&raw mut array, &raw const given, levels)));
    array
}

fn level(answers: &mut Answers, whole: CUmipmappedArray, level: u32) -> CUarray {
    let mut array = null_mut();
    answers.must(code!(cuMipmappedArrayGetLevel(&raw mut array, whole, level)));
    array
}

/// An operation on tiles: to be mapped, or to be unmapped if there is no memory.
fn tiles(array: CUarray, at: [u32; 3], size: [u32; 3], memory: Memory, offset: u64) -> CUarrayMapInfo {
    let mut operation = CUarrayMapInfo {
        resourceType: CUresourcetype_enum::CU_RESOURCE_TYPE_ARRAY,
        memOperationType: CUmemOperationType_enum(if memory == 0 { 2 } else { 1 }),
        offset,
        deviceBitMask: 1,
        ..CUarrayMapInfo::default()
    };
    operation.resource.array = array;
    operation.memHandle.memHandle = memory;
    operation.subresource.sparseLevel = CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_1 {
        level: 0,
        layer: 0,
        offsetX: at[0],
        offsetY: at[1],
        offsetZ: at[2],
        extentWidth: size[0],
        extentHeight: size[1],
        extentDepth: size[2],
    };
    operation
}

fn of_levels(whole: CUmipmappedArray, operation: CUarrayMapInfo, level: u32, layer: u32) -> CUarrayMapInfo {
    let mut operation = operation;
    operation.resourceType = CUresourcetype_enum::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    operation.resource.mipmap = whole;
    // SAFETY: the member that was written to.
    let tiles = unsafe { &mut operation.subresource.sparseLevel };
    (tiles.level, tiles.layer) = (level, layer);
    operation
}

/// An operation on the mip tail, in place of tiles.
fn tail(operation: CUarrayMapInfo, layer: u32, offset: u64, size: u64) -> CUarrayMapInfo {
    let mut operation = operation;
    operation.subresourceType = CUarraySparseSubresourceType_enum(1);
    operation.subresource.miptail = CUarrayMapInfo_st__bindgen_ty_2__bindgen_ty_2 { layer, offset, size };
    operation
}

fn mapped(operations: &[CUarrayMapInfo], on: CUstream) -> CUresult {
    let mut operations = operations.to_vec();
    code!(cuMemMapArrayAsync(operations.as_mut_ptr(), operations.len() as u32, on))
}

/// Copies one word to or from an array.
fn copied(array: CUarray, [x, y, z]: [usize; 3], word: &mut u32, writes: bool) -> CUresult {
    let host = CUmemorytype_enum::CU_MEMORYTYPE_HOST;
    let in_array = CUmemorytype_enum::CU_MEMORYTYPE_ARRAY;
    let block = CUDA_MEMCPY3D { WidthInBytes: 4, Height: 1, Depth: 1, ..CUDA_MEMCPY3D::default() };
    let word: *mut u32 = word;
    let copy = if writes {
        CUDA_MEMCPY3D {
            srcMemoryType: host,
            srcHost: word.cast(),
            dstMemoryType: in_array,
            dstArray: array,
            dstXInBytes: 4 * x,
            dstY: y,
            dstZ: z,
            ..block
        }
    } else {
        CUDA_MEMCPY3D {
            dstMemoryType: host,
            dstHost: word.cast(),
            srcMemoryType: in_array,
            srcArray: array,
            srcXInBytes: 4 * x,
            srcY: y,
            srcZ: z,
            ..block
        }
    };
    code!(cuMemcpy3D_v2(&raw const copy))
}

/// The words at some places, after others were written there if `first` is one: that, and then one more each.
fn words(answers: &mut Answers, places: &[(CUarray, [usize; 3])], first: Option<u32>) {
    answers.must(synchronize());
    for ((array, at), value) in places.iter().zip(first.unwrap_or(0)..) {
        if first.is_some() {
            answers.must(copied(*array, *at, &mut { value }, true));
        }
    }
    let seen = places.iter().map(|(array, at)| {
        let mut word = 77;
        answers.must(copied(*array, *at, &mut word, false));
        word.to_string()
    });
    let seen: Vec<String> = seen.collect();
    answers.value(seen.join("/"));
}

/// The first words of four times two tiles.
fn corners(array: CUarray) -> [(CUarray, [usize; 3]); 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|tile| (array, [tile % 4 * 128, tile / 4 * 128, 0]))
}

fn tile_pool(answers: &mut Answers) {
    initialised();
    context(0);
    answers.codes(
        [(UNIT, 1, 0), (UNIT / 2, 1, 0), (UNIT, 1, 1), (UNIT, 3, 0), (UNIT, 4, 0)]
            .map(|(bytes, purpose, handles)| created(bytes, &usage(purpose, handles)).0),
    );
    let (memory, mut address) = (pool(), 0);
    answers.must(code!(cuMemAddressReserve(&raw mut address, UNIT, 0, 0, 0)));
    answers.code(code!(cuMemMap(address, UNIT, 0, memory, 0)));
    let mut told = CUmemAllocationProp::default();
    let code = code!(cuMemGetAllocationPropertiesFromHandle(&raw mut told, memory));
    answers.given(code, told.allocFlags.usage);
}

fn map_it(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let array = array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE);
    let one =
        |x: u32, y: u32, memory, offset| tiles(array, [x * 128, y * 128, 0], [128, 128, 1], memory, offset);
    words(answers, &corners(array), Some(1));
    answers.code(mapped(&[tiles(array, [128, 0, 0], [256, 128, 1], memory, 0)], on));
    words(answers, &corners(array), Some(1));
    answers.code(mapped(&[one(1, 0, 0, 0)], on));
    words(answers, &corners(array), None);
    answers.code(mapped(&[one(1, 0, memory, 0)], on));
    words(answers, &corners(array), None);
    answers.code(mapped(&[one(0, 1, memory, 0), one(1, 1, memory, TILE)], on));
    words(answers, &corners(array), None);
    answers.code(code!(cuMemRelease(memory)));
    words(answers, &corners(array), None);
    answers.codes([code!(cuArrayDestroy(array)), synchronize()]);
}

fn refused(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let (code, plain) = created(UNIT, &usage(0, 0));
    answers.must(code);
    let (array, ordinary) =
        (array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE), array(answers, [512, 256, 0], 0));
    let whole = mipmapped(answers, [1024, 1024, 0], CUDA_ARRAY3D_SPARSE, 11);
    let of = |at, size, offset| tiles(array, at, size, memory, offset);
    let usual = of([0; 3], [128, 128, 1], 0);
    let at = |at| of(at, [128, 128, 1], 0);
    let size = |size| of([0; 3], size, 0);
    let offset = |offset| of([0; 3], [128, 128, 1], offset);
    let places = [usual, at([64, 0, 0]), at([512, 0, 0]), at([0, 0, 1]), size([64, 128, 1])];
    answers.codes(places.map(|operation| mapped(&[operation], on)));
    let sizes = [size([0, 128, 1]), size([640, 128, 1]), size([128, 128, 0]), size([128, 128, 2])];
    answers.codes(sizes.map(|operation| mapped(&[operation], on)));
    let last = UNIT as u64 - TILE;
    let offsets = [offset(4096), offset(last), offset(1 << 30), of([0; 3], [256, 128, 1], last)];
    answers.codes(offsets.map(|operation| mapped(&[operation], on)));
    let (mut level, mut layer) = (usual, usual);
    level.subresource.sparseLevel.level = 1;
    layer.subresource.sparseLevel.layer = 1;
    answers.codes([level, layer].map(|operation| mapped(&[operation], on)));
    let others = [
        CUarrayMapInfo { deviceBitMask: 0, ..usual },
        CUarrayMapInfo { deviceBitMask: 2, ..usual },
        CUarrayMapInfo { deviceBitMask: 3, ..usual },
        CUarrayMapInfo { flags: 1, ..usual },
        CUarrayMapInfo { reserved: [1, 0], ..usual },
        CUarrayMapInfo { memOperationType: CUmemOperationType_enum(0), ..usual },
        CUarrayMapInfo { memOperationType: CUmemOperationType_enum(3), ..usual },
        CUarrayMapInfo { memOperationType: CUmemOperationType_enum(2), ..usual },
        CUarrayMapInfo { memHandleType: CUmemHandleType_enum(1), ..usual },
        CUarrayMapInfo { subresourceType: CUarraySparseSubresourceType_enum(2), ..usual },
        CUarrayMapInfo { resourceType: CUresourcetype_enum::CU_RESOURCE_TYPE_LINEAR, ..usual },
        tail(usual, 0, 0, TILE),
        tiles(array, [0; 3], [128, 128, 1], plain, 0),
        tiles(ordinary, [0; 3], [128, 128, 1], memory, 0),
        tiles(null_mut(), [0; 3], [128, 128, 1], memory, 0),
        tiles(self::level(answers, whole, 0), [0; 3], [128, 128, 1], memory, 0),
        tiles(array, [256, 128, 0], [128, 128, 1], 0, 77),
    ];
    answers.codes(others.map(|operation| mapped(&[operation], on)));
    answers.codes([mapped(&[], on), code!(cuMemMapArrayAsync(null_mut(), 1, on))]);
    words(answers, &corners(array), Some(1));
    answers.code(mapped(&[at([256, 0, 0]), at([64, 0, 0])], on));
    words(answers, &corners(array), Some(1));
}

fn streams(answers: &mut Answers) {
    initialised();
    let first = context(0);
    context(0);
    let other = stream(1);
    answers.must(code!(cuCtxSetCurrent(first)));
    let (on, memory) = (stream(1), pool());
    let array = array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE);
    let operation = tiles(array, [0; 3], [128, 128, 1], memory, 0);
    for on in [null_mut(), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, other] {
        answers.code(mapped(&[operation], on));
    }
    // The stack has two contexts.
    answers.must(code!(cuCtxSetCurrent(null_mut())));
    answers.must(code!(cuCtxSetCurrent(null_mut())));
    answers.codes([on, null_mut()].map(|on| mapped(&[operation], on)));
}

fn edges(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let cut = array(answers, [200, 150, 0], CUDA_ARRAY3D_SPARSE);
    let at_edge = |size| tiles(cut, [128, 0, 0], size, memory, 0);
    let ends = [
        at_edge([128, 128, 1]),
        at_edge([72, 128, 1]),
        tiles(cut, [128, 128, 0], [72, 22, 1], memory, TILE),
        tiles(cut, [0; 3], [256, 256, 1], memory, 0),
        tiles(cut, [0; 3], [200, 150, 1], memory, 0),
    ];
    answers.codes(ends.map(|operation| mapped(&[operation], on)));
    words(answers, &[(cut, [0; 3]), (cut, [199, 0, 0]), (cut, [0, 149, 0]), (cut, [199, 149, 0])], Some(5));
    let small = array(answers, [64, 64, 0], CUDA_ARRAY3D_SPARSE);
    let all = |size| tiles(small, [0; 3], size, memory, 0);
    let ways = [all([128, 128, 1]), all([64, 64, 1]), tail(all([0; 3]), 0, 0, TILE)];
    answers.codes(ways.map(|operation| mapped(&[operation], on)));
    words(answers, &[(small, [63, 63, 0])], Some(5));
    // Tiles of 32 times 32 times 16.
    let volume = array(answers, [40, 40, 20], CUDA_ARRAY3D_SPARSE);
    let ways = [
        tiles(volume, [0; 3], [32, 32, 16], memory, 0),
        tiles(volume, [0; 3], [32, 32, 1], memory, 0),
        tiles(volume, [32, 32, 16], [8, 8, 4], memory, TILE),
        tiles(volume, [32, 32, 16], [32, 32, 16], memory, TILE),
    ];
    answers.codes(ways.map(|operation| mapped(&[operation], on)));
    words(answers, &[(volume, [0; 3]), (volume, [39, 39, 19]), (volume, [39, 0, 0])], Some(5));
}

fn levels(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let whole = mipmapped(answers, [1024, 1024, 0], CUDA_ARRAY3D_SPARSE, 11);
    let of =
        |level, size, offset| of_levels(whole, tiles(null_mut(), [0; 3], size, memory, offset), level, 0);
    let ways = [
        of(0, [256, 128, 1], 0),
        of(2, [256, 256, 1], 4 * TILE),
        of(4, [64, 64, 1], 0),
        of(11, [128, 128, 1], 0),
    ];
    answers.codes(ways.map(|operation| mapped(&[operation], on)));
    let of_tail = |layer, offset, size| tail(of(0, [0; 3], 16 * TILE), layer, offset, size);
    let ways = [
        of_tail(0, 0, TILE),
        of_tail(0, 0, 100),
        of_tail(0, TILE, TILE),
        of_tail(0, 0, 2 * TILE),
        of_tail(0, 0, 0),
        of_tail(1, 0, TILE),
    ];
    answers.codes(ways.map(|operation| mapped(&[operation], on)));
    let places: Vec<_> = (0..11).map(|index| (level(answers, whole, index), [0; 3])).collect();
    words(answers, &places, Some(50));
    let unmapped = CUarrayMapInfo {
        memOperationType: CUmemOperationType_enum(2),
        memHandle: CUarrayMapInfo_st__bindgen_ty_3::default(),
        ..of_tail(0, 0, TILE)
    };
    answers.code(mapped(&[unmapped], on));
    words(answers, &places, None);
}

fn layers(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let flags = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED;
    let array = array(answers, [256, 256, 3], flags);
    let of_layer = |layer| {
        let mut operation = tiles(array, [0; 3], [128, 128, 1], memory, 0);
        operation.subresource.sparseLevel.layer = layer;
        operation
    };
    let ways = [
        of_layer(1),
        of_layer(3),
        tiles(array, [0, 0, 1], [128, 128, 1], memory, 0),
        tiles(array, [0; 3], [128, 128, 3], memory, 0),
    ];
    answers.codes(ways.map(|operation| mapped(&[operation], on)));
    words(answers, &[(array, [0, 0, 0]), (array, [0, 0, 1]), (array, [0, 0, 2])], Some(7));
    let whole = mipmapped(answers, [256, 256, 2], flags, 9);
    let of = |layer, offset| {
        let operation = of_levels(whole, tiles(null_mut(), [0; 3], [128, 128, 1], memory, offset), 1, layer);
        (operation, tail(operation, layer, 0, TILE))
    };
    answers.codes([of(0, 0).1, of(1, TILE).1, of(2, 0).1, of(1, 20 * TILE).0].map(|way| mapped(&[way], on)));
}

fn deferred(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, memory) = (stream(1), pool());
    let (code, plain) = created(2 * UNIT, &usage(0, 0));
    answers.must(code);
    let array = array(answers, [256, 256, 0], CUDA_ARRAY3D_DEFERRED_MAPPING);
    let mut needed = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
    let code = code!(cuArrayGetMemoryRequirements(&raw mut needed, array, 0));
    answers.given(code, needed.size);
    let of = |offset| tiles(array, [0; 3], [0; 3], memory, offset);
    answers.codes([of(0), of(TILE), of(4096), of(UNIT as u64 - TILE)].map(|way| mapped(&[way], on)));
    words(answers, &[(array, [0; 3]), (array, [255, 255, 0])], Some(5));
    answers.codes([tail(of(0), 0, 0, 0), tail(of(0), 7, 7, 7)].map(|way| mapped(&[way], on)));
    answers.code(mapped(&[tiles(array, [0; 3], [0; 3], plain, 0)], on));
    let large = self::array(answers, [2048, 1024, 0], CUDA_ARRAY3D_DEFERRED_MAPPING);
    answers.code(mapped(&[tiles(large, [0; 3], [0; 3], memory, 0)], on));
    let whole = mipmapped(answers, [256, 256, 0], CUDA_ARRAY3D_DEFERRED_MAPPING, 3);
    answers.code(mapped(&[of_levels(whole, of(0), 0, 0)], on));
    answers.codes([mapped(&[tiles(array, [0; 3], [0; 3], 0, 0)], on), synchronize()]);
    answers.codes([copied(array, [0; 3], &mut 5, true), synchronize()]);
}

fn captured(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = pool();
    let array = array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE);
    let operation = tiles(array, [0; 3], [128, 128, 1], memory, 0);
    capturing_stream(answers, |answers, on| {
        answers.code(mapped(&[operation], on));
    });
}

fn no_memory(answers: &mut Answers) {
    initialised();
    context(0);
    let array = array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE);
    let operation = tiles(array, [0; 3], [128, 128, 1], 0, 0);
    let operation = CUarrayMapInfo { memOperationType: CUmemOperationType_enum(1), ..operation };
    answers.code(mapped(&[operation], stream(1)));
}

fn released(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = pool();
    let array = array(answers, [512, 256, 0], CUDA_ARRAY3D_SPARSE);
    answers.code(code!(cuMemRelease(memory)));
    answers.code(mapped(&[tiles(array, [0; 3], [128, 128, 1], memory, 0)], stream(1)));
}

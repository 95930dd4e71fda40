//! Questions about texture references: their settings, and their bindings.

use super::images::*;
use super::{Answers, Question, initialised};
use core::ffi::c_int;
use cuda_suite::raw::context;
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "texture-reference-fresh", devices: 1, ask: fresh },
    Question { name: "texture-reference-numbers", devices: 1, ask: odd_numbers },
    Question { name: "texture-reference-bound", devices: 1, ask: bound },
    Question { name: "texture-reference-null", devices: 1, ask: null_places },
    Question { name: "texture-reference-address", devices: 1, ask: address },
    Question { name: "texture-reference-address-any", devices: 1, ask: any_address },
    Question { name: "texture-reference-address-null", devices: 1, ask: address_null },
    Question { name: "texture-reference-address-freed", devices: 1, ask: address_freed },
    Question { name: "texture-reference-address-short", devices: 1, ask: address_short },
    Question { name: "texture-reference-address-long", devices: 1, ask: address_long },
    Question { name: "texture-reference-format-after", devices: 1, ask: format_after },
    Question { name: "texture-reference-rows", devices: 1, ask: rows },
    Question { name: "texture-reference-rows-texels", devices: 1, ask: rows_texels },
    Question { name: "texture-reference-rows-null", devices: 1, ask: rows_null },
    Question { name: "texture-reference-zeros", devices: 1, ask: zeros },
    Question { name: "texture-reference-no-context", devices: 1, ask: no_context },
    Question { name: "texture-reference-contexts", devices: 1, ask: contexts },
    Question { name: "texture-reference-parameter", devices: 1, ask: parameter },
    Question { name: "texture-reference-context-gone", devices: 1, ask: context_gone },
    Question { name: "texture-reference-module-gone", devices: 1, ask: module_gone },
    Question { name: "texture-reference-own-context-gone", devices: 1, ask: own_context_gone },
    Question { name: "texture-reference-own-destroyed", devices: 1, ask: own_destroyed },
    Question { name: "surface-reference", devices: 1, ask: surface_reference },
    Question { name: "surface-reference-context-gone", devices: 1, ask: surface_context_gone },
    Question { name: "surface-reference-module-gone", devices: 1, ask: surface_module_gone },
];

fn own() -> CUtexref {
    let mut reference = null_mut();
    call!(cuTexRefCreate(&raw mut reference));
    reference
}

/// All settings of a reference besides its binding.
fn remembered(answers: &mut Answers, reference: CUtexref) {
    let mut mode = CUaddress_mode(7);
    for dimension in 0..4 {
        let code = code!(cuTexRefGetAddressMode(&raw mut mode, reference, dimension));
        answers.given(code, mode.0);
    }
    let (mut filter, mut most, mut flags) = (CUfilter_mode(7), 7 as c_int, 7);
    let code = code!(cuTexRefGetFilterMode(&raw mut filter, reference));
    answers.given(code, filter.0);
    let code = code!(cuTexRefGetMipmapFilterMode(&raw mut filter, reference));
    answers.given(code, filter.0);
    let code = code!(cuTexRefGetMaxAnisotropy(&raw mut most, reference));
    answers.given(code, most);
    let code = code!(cuTexRefGetFlags(&raw mut flags, reference));
    answers.given(code, flags);
    let (mut bias, mut least, mut greatest, mut border) = (7.0_f32, 7.0_f32, 7.0_f32, [7.0_f32; 4]);
    let code = code!(cuTexRefGetMipmapLevelBias(&raw mut bias, reference));
    answers.given(code, bias);
    let code = code!(cuTexRefGetMipmapLevelClamp(&raw mut least, &raw mut greatest, reference));
    answers.given(code, format!("{least}/{greatest}"));
    let code = code!(cuTexRefGetBorderColor(border.as_mut_ptr(), reference));
    answers.given(code, border.map(|part| part.to_string()).join("/"));
}

/// Adds the bound resource: the address, an array, an array with levels, the texels.
fn shown(answers: &mut Answers, reference: CUtexref, of: CUdeviceptr) {
    let (mut address, mut array, mut mipmapped) = (7, null_mut(), null_mut());
    let code = code!(cuTexRefGetAddress_v2(&raw mut address, reference));
    answers.code(code);
    answers.value(if address == of && of != 0 { "memory".to_owned() } else { address.to_string() });
    answers.codes([
        code!(cuTexRefGetArray(&raw mut array, reference)),
        code!(cuTexRefGetMipmappedArray(&raw mut mipmapped, reference)),
    ]);
    let (mut format, mut channels) = (CUarray_format(7), 7);
    let code = code!(cuTexRefGetFormat(&raw mut format, &raw mut channels, reference));
    answers.given(code, format!("{}x{channels}", format.0));
}

fn fresh(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    remembered(answers, reference);
    shown(answers, reference, 0);
}

fn odd_numbers(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    answers.codes([2, 9].map(|mode| code!(cuTexRefSetFilterMode(reference, CUfilter_mode(mode)))));
    answers.codes([1, 2, 9].map(|mode| code!(cuTexRefSetMipmapFilterMode(reference, CUfilter_mode(mode)))));
    for mode in [2, 4, 3, 9] {
        answers.code(code!(cuTexRefSetAddressMode(reference, 0, CUaddress_mode(mode))));
        let mut found = CUaddress_mode(7);
        let code = code!(cuTexRefGetAddressMode(&raw mut found, reference, 0));
        answers.given(code, found.0);
    }
    answers.codes(
        [-1, 2, 3].map(|dimension| code!(cuTexRefSetAddressMode(reference, dimension, CUaddress_mode(0)))),
    );
    answers.codes([0, 17, 99].map(|most| code!(cuTexRefSetMaxAnisotropy(reference, most))));
    answers.code(code!(cuTexRefSetMipmapLevelBias(reference, f32::NAN)));
    answers.code(code!(cuTexRefSetMipmapLevelClamp(reference, 2.0, -1.0)));
    answers.code(code!(cuTexRefSetBorderColor(reference, [1.0, 2.0, 3.0, f32::NAN].as_mut_ptr())));
    for flags in [0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x8000] {
        answers.code(code!(cuTexRefSetFlags(reference, flags)));
    }
    remembered(answers, reference);
}

fn null_places(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    answers.codes([
        code!(cuTexRefGetAddress_v2(null_mut(), reference)),
        code!(cuTexRefGetArray(null_mut(), reference)),
        code!(cuTexRefGetFormat(null_mut(), null_mut(), reference)),
        code!(cuTexRefGetFlags(null_mut(), reference)),
        code!(cuTexRefGetMipmapLevelClamp(null_mut(), null_mut(), reference)),
        code!(cuTexRefGetBorderColor(null_mut(), reference)),
        code!(cuTexRefSetBorderColor(reference, null_mut())),
        code!(cuTexRefSetAddress2D_v3(reference, std::ptr::null(), 0, 0)),
        code!(cuTexRefSetFlags(null_mut(), 0)),
        code!(cuTexRefDestroy(null_mut())),
    ]);
}

fn bind_rows(
    reference: CUtexref,
    address: CUdeviceptr,
    [width, height, pitch]: [usize; 3],
    format: u32,
    channels: u32,
) -> CUresult {
    let descriptor = CUDA_ARRAY_DESCRIPTOR {
        Width: width,
        Height: height,
        Format: CUarray_format(format),
        NumChannels: channels,
    };
    code!(cuTexRefSetAddress2D_v3(reference, &raw const descriptor, address, pitch))
}

fn bind_line(reference: CUtexref, address: CUdeviceptr, bytes: usize) -> CUresult {
    code!(cuTexRefSetAddress_v2(null_mut(), reference, address, bytes))
}

fn bound(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    let memory = numbers(3.0);
    let bytes =
        array_of(&CUDA_ARRAY3D_DESCRIPTOR { Format: BYTES, NumChannels: 4, ..described([4, 4, 0], 0) });
    let (numbers, pyramid) = (array(1.0, 0), levels(1.0));
    let mut show = |code: CUresult| {
        answers.code(code);
        shown(answers, reference, memory);
    };
    show(bind(reference, bytes));
    call!(cuTexRefSetFormat(reference, CUarray_format::CU_AD_FORMAT_SIGNED_INT16, 2));
    show(code!(cuTexRefSetArray(reference, bytes, 0)));
    show(code!(cuTexRefSetMipmappedArray(reference, pyramid, 0)));
    show(bind_levels(reference, pyramid));
    show(bind_rows(reference, memory, [4, 4, 32], BYTES.0, 4));
    show(bind_line(reference, memory, 64));
    show(bind_line(reference, 0, 0));
    show(bind_rows(reference, memory, [4, 4, 512], 0x77, 3));
    show(code!(cuTexRefSetArray(reference, numbers, 2)));
    show(code!(cuTexRefSetMipmappedArray(reference, pyramid, 2)));
    show(bind(reference, null_mut()));
    show(bind_levels(reference, null_mut()));
    show(bind(reference, numbers));
    show(destroy_array(numbers));
    show(bind_levels(reference, pyramid));
    show(code!(cuMipmappedArrayDestroy(pyramid)));
}

fn address(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let memory = numbers(0.0);
    let texels: Vec<f32> = (0..1024).map(|index| index as f32).collect();
    call!(cuMemcpyHtoD_v2(memory, texels.as_ptr().cast(), 4096));
    for (beyond, last) in [(0, 15), (1, 15), (4, 16), (64, 31), (512, 15), (516, 16)] {
        let mut offset = 99;
        let place = memory + beyond;
        answers.code(code!(cuTexRefSetAddress_v2(&raw mut offset, kernels.texture, place, 64)));
        let mut address = 0;
        call!(cuTexRefGetAddress_v2(&raw mut address, kernels.texture));
        answers.value(format!("{offset}/{}", address - memory));
        for index in [0, last, last + 1] {
            kernels.find(answers, c"bound_line", &[index]);
        }
    }
    answers.codes([bind_line(kernels.texture, memory + 4, 64), bind_line(kernels.texture, memory + 512, 64)]);
}

fn any_address(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    let mut freed = 0;
    call!(cuMemAlloc_v2(&raw mut freed, 4096));
    call!(cuMemFree_v2(freed));
    let mut offset = 0;
    answers.codes(
        [0x1000_0000, 0x7fff_0000_0000, 1 << 60, freed]
            .map(|address| code!(cuTexRefSetAddress_v2(&raw mut offset, reference, address, 64))),
    );
}

fn address_null(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    answers.code(bind_line(kernels.texture, 0, 64));
    shown(answers, kernels.texture, 0);
    kernels.find(answers, c"bound_line", &[0]);
}

fn address_freed(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let mut memory = 0;
    call!(cuMemAlloc_v2(&raw mut memory, 1 << 24));
    answers.code(bind_line(kernels.texture, memory, 64));
    call!(cuMemFree_v2(memory));
    shown(answers, kernels.texture, memory);
    answers.code(bind_line(kernels.texture, memory, 64));
    kernels.find(answers, c"bound_line", &[0]);
}

fn address_short(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let memory = numbers(3.0);
    for bytes in [0, 3, 7] {
        answers.code(bind_line(kernels.texture, memory, bytes));
        kernels.find(answers, c"bound_line", &[0]);
        kernels.find(answers, c"bound_line", &[1]);
    }
}

fn address_long(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    let memory = numbers(3.0);
    let limits = [(FLOAT.0, 1, 4 << 30, 4), (FLOAT.0, 2, 4 << 30, 8), (FLOAT.0, 4, 4 << 30, 16)];
    for (format, channels, most, texel) in
        [limits.as_slice(), &[(BYTES.0, 1, 1 << 30, 1), (0x77, 1, 1 << 30, 1)]].concat()
    {
        call!(cuTexRefSetFormat(reference, CUarray_format(format), channels));
        answers.codes([bind_line(reference, memory, most), bind_line(reference, memory, most + texel)]);
    }
    let mut offset = 0;
    call!(cuTexRefSetFormat(reference, FLOAT, 4));
    answers.code(code!(cuTexRefSetAddress_v2(&raw mut offset, reference, memory + 16, 4 << 30)));
}

fn format_after(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    answers.code(bind_line(kernels.texture, numbers(1.0), 64));
    for index in [15, 16] {
        kernels.find(answers, c"bound_line", &[index]);
    }
    answers.code(code!(cuTexRefSetFormat(kernels.texture, FLOAT, 4)));
    for index in [3, 4] {
        kernels.find(answers, c"bound_line", &[index]);
    }
    answers.code(code!(cuTexRefSetFormat(kernels.texture, CUarray_format::CU_AD_FORMAT_HALF, 1)));
    for index in [0, 1, 31, 32] {
        kernels.find(answers, c"bound_line", &[index]);
    }
}

fn rows(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    let memory = numbers(3.0);
    let made = |offset, size| bind_rows(reference, memory + offset, size, 0x20, 1);
    answers.codes([0, 4, 32, 256, 512].map(|offset| made(offset, [16, 4, 64])));
    answers.codes([0, 32, 60, 64, 68, 80, 96].map(|pitch| made(0, [16, 4, pitch])));
    answers.codes(
        [[0, 4, 0], [0, 4, 4], [0, 4, 32], [16, 0, 32], [16, 0, 64], [16, 1, 32]].map(|size| made(0, size)),
    );
    answers.codes([[131_072, 1, 524_288], [131_073, 1, 524_320]].map(|size| made(0, size)));
    answers.codes([[16, 65_000, 64], [16, 65_001, 64]].map(|size| made(0, size)));
    answers.codes([[16, 2, 2_097_120], [16, 2, 2_097_152]].map(|size| made(0, size)));
    let null = |offset, size| bind_rows(reference, offset, size, 0x20, 1);
    answers.codes([null(0, [16, 4, 64]), null(0, [0, 0, 0]), null(0, [16, 4, 68]), null(4, [16, 4, 64])]);
    call!(cuMemFree_v2(memory));
    answers.code(made(0, [16, 4, 64]));
}

fn rows_texels(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    let memory = numbers(3.0);
    let made = |pitch, format, channels| bind_rows(reference, memory, [16, 4, pitch], format, channels);
    answers.codes([0, 32].map(|pitch| made(pitch, 0x77, 1)));
    answers.codes([64, 192].map(|pitch| made(pitch, 0x20, 3)));
    answers.codes([
        made(512, 1, 0),
        made(512, 1, 16),
        made(32, 1, 1),
        made(512, 0xc0, 1),
        made(512, 0x91, 4),
    ]);
    shown(answers, reference, memory);
}

fn rows_null(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    answers.code(bind_rows(kernels.texture, 0, [4, 4, 32], 0x20, 1));
    shown(answers, kernels.texture, 0);
    kernels.find(answers, c"bound_plane", &[]);
}

fn zeros(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let (memory, array) = (numbers(3.0), array(3.0, 0));
    for (format, channels) in [(0x77, 1), (0x20, 0)] {
        call!(cuTexRefSetFormat(kernels.texture, CUarray_format(format), channels));
        answers.code(code!(cuTexRefSetArray(kernels.texture, array, 0)));
        kernels.find(answers, c"bound_plane", &[]);
        answers.code(bind_line(kernels.texture, memory, 64));
        kernels.find(answers, c"bound_line", &[0]);
    }
    for (format, channels) in [(0x77, 1), (0x20, 3), (0x20, 0), (1, 16)] {
        answers.code(bind_rows(kernels.texture, memory, [4, 4, 512], format, channels));
        kernels.find(answers, c"bound_plane", &[]);
    }
}

fn no_context(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let (array, pyramid, memory, reference) = (array(1.0, STORES), levels(1.0), numbers(1.0), own());
    call!(cuCtxSetCurrent(null_mut()));
    answers.codes([
        bind(reference, array),
        bind_levels(reference, pyramid),
        bind_line(reference, memory, 64),
        bind_rows(reference, memory, [4, 4, 32], 0x20, 1),
        code!(cuTexRefSetFilterMode(reference, CUfilter_mode(0))),
        bind_surface(kernels.surface, array),
        code!(cuTexRefDestroy(reference)),
    ]);
    let mut made = null_mut();
    answers.codes([
        code!(cuModuleGetTexRef(&raw mut made, kernels.module, c"t".as_ptr())),
        code!(cuTexRefCreate(&raw mut made)),
    ]);
    let mut function = null_mut();
    call!(cuModuleGetFunction(&raw mut function, kernels.module, c"bound_plane".as_ptr()));
    answers.code(code!(cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, kernels.texture)));
}

fn contexts(answers: &mut Answers) {
    initialised();
    let first = context(0);
    let (module, ours) = (Kernels::new(), array(4.0, 0));
    let second = context(0);
    let (reference, theirs) = (own(), array(5.0, 0));
    answers.codes([bind(module.texture, theirs), bind(reference, ours), bind(reference, theirs)]);
    answers
        .codes([bind(module.texture, ours), code!(cuTexRefSetFilterMode(module.texture, CUfilter_mode(0)))]);
    call!(cuCtxSetCurrent(first));
    answers.codes([bind(reference, ours), bind(reference, theirs)]);
    module.find(answers, c"bound_plane", &[]);
    call!(cuCtxSetCurrent(second));
}

fn parameter(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let reference = own();
    call!(cuTexRefSetArray(reference, array(4.0, 0), CU_TRSA_OVERRIDE_FORMAT));
    let mut function = null_mut();
    call!(cuModuleGetFunction(&raw mut function, kernels.module, c"bound_plane".as_ptr()));
    answers.code(code!(cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, reference)));
    kernels.find(answers, c"bound_plane", &[]);
    answers.codes([0, 5, -2].map(|unit| code!(cuParamSetTexRef(function, unit, reference))));
    answers
        .codes([CU_PARAM_TR_DEFAULT, 0].map(|unit| code!(cuParamSetTexRef(function, unit, kernels.texture))));
    answers.code(code!(cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, null_mut())));
}

fn context_gone(answers: &mut Answers) {
    initialised();
    let gone = context(0);
    let reference = Kernels::new().texture;
    call!(cuCtxDestroy_v2(gone));
    context(0);
    answers.code(code!(cuTexRefSetFilterMode(reference, CUfilter_mode(0))));
}

fn module_gone(answers: &mut Answers) {
    initialised();
    context(0);
    let Kernels { module, texture, .. } = Kernels::new();
    call!(cuModuleUnload(module));
    answers.code(code!(cuTexRefSetFilterMode(texture, CUfilter_mode(0))));
}

fn own_context_gone(answers: &mut Answers) {
    initialised();
    let gone = context(0);
    let reference = own();
    call!(cuCtxDestroy_v2(gone));
    context(0);
    answers.codes([
        code!(cuTexRefSetFilterMode(reference, CUfilter_mode(0))),
        code!(cuTexRefDestroy(reference)),
    ]);
}

fn own_destroyed(answers: &mut Answers) {
    initialised();
    context(0);
    let reference = own();
    call!(cuTexRefDestroy(reference));
    answers.code(code!(cuTexRefSetFilterMode(reference, CUfilter_mode(0))));
}

fn surface_reference(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let (array, plain) = (array(3.0, STORES), array(1.0, 0));
    let mut found = null_mut();
    let reference = kernels.surface;
    answers.code(code!(cuSurfRefGetArray(&raw mut found, reference)));
    answers.codes([bind_surface(reference, plain), bind_surface(reference, null_mut())]);
    answers.codes([code!(cuSurfRefSetArray(reference, array, 1)), bind_surface(reference, array)]);
    answers.codes([bind_surface(reference, plain), code!(cuSurfRefGetArray(&raw mut found, reference))]);
    answers.value(if found == array { "array" } else { "another" });
    kernels.find(answers, c"bound_load", &[]);
    answers.codes([destroy_array(array), code!(cuSurfRefGetArray(&raw mut found, reference))]);
}

fn surface_context_gone(answers: &mut Answers) {
    initialised();
    let gone = context(0);
    let reference = Kernels::new().surface;
    call!(cuCtxDestroy_v2(gone));
    context(0);
    answers.code(bind_surface(reference, array(1.0, STORES)));
}

fn surface_module_gone(answers: &mut Answers) {
    initialised();
    context(0);
    let Kernels { module, surface, .. } = Kernels::new();
    call!(cuModuleUnload(module));
    answers.code(bind_surface(surface, array(1.0, STORES)));
}

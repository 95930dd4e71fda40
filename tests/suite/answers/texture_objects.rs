//! Questions about texture and surface objects: their numbers, and their resources.

use super::images::*;
use super::{Answers, Question, initialised};
use cuda_suite::raw::context;
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "image-object-numbers", devices: 1, ask: numbering },
    Question { name: "image-object-numbers-again", devices: 1, ask: numbering_again },
    Question { name: "image-object-limit", devices: 1, ask: limit },
    Question { name: "image-object-contexts", devices: 1, ask: contexts },
    Question { name: "image-object-devices", devices: 2, ask: devices },
    Question { name: "image-object-none", devices: 1, ask: none },
    Question { name: "image-object-none-used", devices: 1, ask: none_used },
    Question { name: "image-object-too-large", devices: 1, ask: |answers| used(answers, 0x10000) },
    Question { name: "image-object-high-bits", devices: 1, ask: |answers| used(answers, 1 + (1 << 20)) },
    Question { name: "image-object-destroyed-used", devices: 1, ask: destroyed_used },
    Question { name: "image-object-destroyed-array-too", devices: 1, ask: destroyed_array_too },
    Question { name: "image-object-other-kind", devices: 1, ask: other_kind },
    Question { name: "image-object-no-context", devices: 1, ask: no_context },
    Question { name: "texture-object-line", devices: 1, ask: line },
    Question { name: "texture-object-line-length", devices: 1, ask: line_length },
    Question { name: "texture-object-line-freed", devices: 1, ask: line_freed },
    Question { name: "texture-object-rows", devices: 1, ask: rows },
    Question { name: "texture-object-modes", devices: 1, ask: modes },
    Question { name: "texture-object-numbers", devices: 1, ask: odd_numbers },
    Question { name: "texture-object-view", devices: 1, ask: views },
    Question { name: "texture-object-view-layers", devices: 1, ask: views_of_layers },
    Question { name: "texture-object-view-plain", devices: 1, ask: views_of_memory },
    Question { name: "texture-object-refused", devices: 1, ask: refused },
    Question { name: "surface-object-resources", devices: 1, ask: surface_resources },
    Question { name: "surface-object-plain-array", devices: 1, ask: surface_of_plain },
    Question { name: "texture-line-width", devices: 1, ask: widths },
];

fn numbering(answers: &mut Answers) {
    initialised();
    context(0);
    let array = array(1.0, STORES);
    for _ in 0..2 {
        answers.value(texture_of(array));
        answers.value(surface_of(array));
    }
    for number in 0..4 {
        are_known(answers, number);
    }
    answers.codes([destroy_surface(1), destroy_texture(2)]);
    are_known(answers, 1);
    are_known(answers, 2);
}

fn numbering_again(answers: &mut Answers) {
    initialised();
    let first = context(0);
    answers.value(texture_of(array(1.0, 0)));
    call!(cuCtxDestroy_v2(first));
    context(0);
    answers.value(texture_of(array(1.0, 0)));
    let mut primary = null_mut();
    for _ in 0..2 {
        call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
        call!(cuCtxSetCurrent(primary));
        answers.value(texture_of(array(1.0, 0)));
        call!(cuDevicePrimaryCtxReset_v2(0));
    }
}

/// As many as there can be.
fn limit(answers: &mut Answers) {
    initialised();
    context(0);
    let resource = of_array(array(1.0, 0));
    let mut made = 0;
    let refused = loop {
        let (code, _) = texture(&resource);
        if !code.is_success() {
            break code;
        }
        made += 1;
    };
    answers.value(made);
    answers.code(refused);
    answers.code(destroy_texture(5));
    answers.code(texture(&resource).0);
}

fn contexts(answers: &mut Answers) {
    initialised();
    let other = context(0);
    let theirs = texture_of(array(3.0, 0));
    let own = context(0);
    let ours = texture_of(array(4.0, 0));
    let kernels = Kernels::new();
    answers.value(theirs);
    answers.value(ours);
    kernels.find(answers, c"plane", &[theirs]);
    answers.code(destroy_texture(theirs));
    are_known(answers, ours);
    call!(cuCtxSetCurrent(other));
    are_known(answers, theirs);
    Kernels::new().find(answers, c"plane", &[theirs]);
    call!(cuCtxSetCurrent(own));
    answers.code(destroy_texture(ours));
}

fn devices(answers: &mut Answers) {
    initialised();
    context(1);
    let theirs = texture_of(array(3.0, 0));
    context(0);
    Kernels::new().find(answers, c"plane", &[theirs]);
}

fn none(answers: &mut Answers) {
    initialised();
    context(0);
    let array = array(1.0, STORES);
    for number in [0, 99, 1 << 40] {
        answers.codes([destroy_texture(number), destroy_surface(number)]);
    }
    let texture = texture_of(array);
    answers.codes([destroy_texture(texture + (1 << 20)), destroy_texture(texture), destroy_texture(texture)]);
    are_known(answers, texture);
    let (mut reading, mut view) = (CUDA_TEXTURE_DESC::default(), CUDA_RESOURCE_VIEW_DESC::default());
    answers.codes([
        code!(cuTexObjectGetTextureDesc(&raw mut reading, texture)),
        code!(cuTexObjectGetResourceViewDesc(&raw mut view, texture)),
    ]);
    let surface = surface_of(array);
    answers.codes([destroy_surface(surface), destroy_surface(surface)]);
    are_known(answers, surface);
    answers.codes([
        code!(cuTexObjectGetTextureDesc(&raw mut reading, surface_of(array))),
        code!(cuTexObjectGetResourceViewDesc(&raw mut view, surface_of(array))),
        code!(cuTexObjectGetResourceViewDesc(&raw mut view, texture_of(array))),
        code!(cuTexObjectGetResourceDesc(null_mut(), texture_of(array))),
        code!(cuSurfObjectGetResourceDesc(null_mut(), surface_of(array))),
    ]);
}

fn none_used(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    for number in [0, 1, 99, 0xffff] {
        for kernel in [c"plane", c"width", c"load", c"store"] {
            kernels.find(answers, kernel, &[number]);
        }
    }
}

/// There is one object, number 1.
fn used(answers: &mut Answers, number: u64) {
    initialised();
    context(0);
    texture_of(array(3.0, 0));
    let kernels = Kernels::new();
    kernels.find(answers, c"plane", &[number]);
    kernels.find(answers, c"width", &[number]);
}

fn destroyed_used(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, STORES);
    let (texture, surface) = (texture_of(array), surface_of(array));
    answers.codes([destroy_texture(texture), destroy_surface(surface)]);
    kernels.find(answers, c"plane", &[texture]);
    kernels.find(answers, c"load", &[surface]);
    kernels.find(answers, c"store", &[surface]);
    first_texel(answers, array);
}

fn destroyed_array_too(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, 0);
    let texture = texture_of(array);
    kernels.find(answers, c"plane", &[texture]);
    answers.codes([destroy_texture(texture), destroy_array(array)]);
    kernels.find(answers, c"plane", &[texture]);
}

fn other_kind(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(3.0, STORES);
    let (texture, surface) = (texture_of(array), surface_of(array));
    kernels.find(answers, c"load", &[texture]);
    kernels.find(answers, c"plane", &[surface]);
}

fn no_context(answers: &mut Answers) {
    initialised();
    context(0);
    let array = array(1.0, STORES);
    let (texture_object, surface_object) = (texture_of(array), surface_of(array));
    call!(cuCtxSetCurrent(null_mut()));
    answers.codes([texture(&of_array(array)).0, surface(&of_array(array)).0]);
    answers.codes([destroy_texture(texture_object), destroy_surface(surface_object), destroy_texture(0)]);
    are_known(answers, texture_object);
}

fn line(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = numbers(3.0);
    let made = |address, format, channels| texture(&of_line(address, 64, format, channels)).0;
    answers.codes([0, 4, 32, 256, 512].map(|offset| made(memory + offset, FLOAT, 1)));
    answers.codes([0, 0x1000_0000, 1 << 60].map(|address| made(address, FLOAT, 1)));
    answers.codes([0, 1, 2, 3, 4, 8].map(|channels| made(memory, FLOAT, channels)));
    answers.codes([0, 4, 0x77, 0x91, 0xc0].map(|format| made(memory, CUarray_format(format), 1)));
    answers.codes([0xc2, 0x91].map(|format| made(memory, CUarray_format(format), 4)));
    call!(cuMemFree_v2(memory));
    answers.code(made(memory, FLOAT, 1));
}

fn line_length(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let memory = numbers(3.0);
    for bytes in [0, 3, 7, 8, 4 << 30] {
        let (code, object) = texture(&of_line(memory, bytes, FLOAT, 1));
        answers.code(code);
        kernels.find(answers, c"line", &[object, 0]);
        kernels.find(answers, c"line", &[object, 1]);
        kernels.find(answers, c"width", &[object]);
    }
    let made = |bytes, format, channels| texture(&of_line(memory, bytes, format, channels)).0;
    answers.codes([made((4 << 30) + 4, FLOAT, 1), made(4 << 30, FLOAT, 2), made((4 << 30) + 8, FLOAT, 2)]);
    answers.codes([made(4 << 30, FLOAT, 4), made((4 << 30) + 16, FLOAT, 4)]);
    answers.codes([made(1 << 30, BYTES, 1), made((1 << 30) + 1, BYTES, 1), made(usize::MAX, BYTES, 1)]);
}

fn line_freed(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let mut memory = 0;
    call!(cuMemAlloc_v2(&raw mut memory, 1 << 24));
    let (code, object) = texture(&of_line(memory, 64, FLOAT, 1));
    answers.code(code);
    call!(cuMemFree_v2(memory));
    kernels.find(answers, c"line", &[object, 0]);
}

fn rows(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = numbers(3.0);
    let made = |address, size| texture(&of_rows(address, size)).0;
    answers.codes([0, 4, 32, 256, 512].map(|offset| made(memory + offset, [16, 4, 64])));
    answers.codes([0, 4, 32, 60, 64, 68, 96].map(|pitch| made(memory, [16, 4, pitch])));
    answers.codes([[0, 4, 64], [16, 0, 64], [0, 0, 0]].map(|size| made(memory, size)));
    answers.codes([[131_072, 1, 524_288], [131_073, 1, 524_320]].map(|size| made(memory, size)));
    answers.codes([[16, 65_000, 64], [16, 65_001, 64]].map(|size| made(memory, size)));
    answers.codes([[16, 2, 2_097_120], [16, 2, 2_097_152]].map(|size| made(memory, size)));
    answers.codes([0, 0x1000_0000].map(|address| made(address, [16, 4, 64])));
    for (format, channels) in [(FLOAT, 3), (FLOAT, 0), (CUarray_format(0x77), 1), (CUarray_format(0xc0), 1)] {
        let mut resource = of_rows(memory, [16, 4, 256]);
        resource.res.pitch2D.format = format;
        resource.res.pitch2D.numChannels = channels;
        answers.code(texture(&resource).0);
    }
    call!(cuMemFree_v2(memory));
    answers.code(made(memory, [16, 4, 64]));
}

/// Everything that an object is made of here, with how many dimensions it has.
fn shapes() -> [CUDA_RESOURCE_DESC; 10] {
    let (layers, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    let array = |size, flags| of_array(array_of(&described(size, flags)));
    let memory = numbers(3.0);
    [
        array([8, 0, 0], 0),
        array([8, 8, 0], 0),
        array([8, 8, 8], 0),
        array([8, 0, 6], layers),
        array([8, 8, 6], layers),
        array([8, 8, 6], cube),
        array([8, 8, 6], cube | layers),
        of_levels(levels(1.0)),
        of_line(memory, 64, FLOAT, 1),
        of_rows(memory, [16, 4, 64]),
    ]
}

fn modes(answers: &mut Answers) {
    initialised();
    context(0);
    for resource in &shapes() {
        for dimension in 0..3 {
            let mut reading = CUDA_TEXTURE_DESC::default();
            reading.addressMode[dimension] = CUaddress_mode(9);
            answers.code(texture_as(resource, &reading, None).0);
        }
    }
}

fn odd_numbers(answers: &mut Answers) {
    initialised();
    context(0);
    let resource = of_array(array(1.0, 0));
    let usual = CUDA_TEXTURE_DESC::default();
    let mut with = |reading: CUDA_TEXTURE_DESC| {
        answers.code(texture_as(&resource, &reading, None).0);
    };
    for mode in [2, 7] {
        with(CUDA_TEXTURE_DESC { filterMode: CUfilter_mode(mode), ..usual });
        with(CUDA_TEXTURE_DESC { mipmapFilterMode: CUfilter_mode(mode), ..usual });
    }
    for flags in [0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x8000] {
        with(CUDA_TEXTURE_DESC { flags, ..usual });
    }
    for most in [1, 16, 17, 1 << 31] {
        with(CUDA_TEXTURE_DESC { maxAnisotropy: most, ..usual });
    }
    with(CUDA_TEXTURE_DESC { mipmapLevelBias: f32::NAN, ..usual });
    with(CUDA_TEXTURE_DESC { minMipmapLevelClamp: 2.0, maxMipmapLevelClamp: 1.0, ..usual });
    with(CUDA_TEXTURE_DESC { addressMode: [CUaddress_mode(3); 3], borderColor: [f32::NAN; 4], ..usual });
    let mut reserved = usual;
    reserved.reserved[11] = 1;
    with(reserved);
}

fn seen(
    answers: &mut Answers,
    resource: &CUDA_RESOURCE_DESC,
    size: [usize; 3],
    levels: [u32; 2],
    layers: [u32; 2],
) {
    let view = CUDA_RESOURCE_VIEW_DESC {
        format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_FLOAT_1X32,
        width: size[0],
        height: size[1],
        depth: size[2],
        firstMipmapLevel: levels[0],
        lastMipmapLevel: levels[1],
        firstLayer: layers[0],
        lastLayer: layers[1],
        ..CUDA_RESOURCE_VIEW_DESC::default()
    };
    answers.code(texture_as(resource, &CUDA_TEXTURE_DESC::default(), Some(&view)).0);
}

fn views(answers: &mut Answers) {
    initialised();
    context(0);
    let plane = of_array(array_of(&described([8, 8, 0], 0)));
    for size in [[8, 8, 0], [0, 0, 0], [8, 0, 0], [4, 4, 0], [16, 8, 0], [8, 8, 1]] {
        seen(answers, &plane, size, [0, 0], [0, 0]);
    }
    for (levels, layers) in [([0, 1], [0, 0]), ([1, 1], [0, 0]), ([0, 0], [0, 1]), ([0, 0], [1, 1])] {
        seen(answers, &plane, [8, 8, 0], levels, layers);
    }
    for format in [0, 3, 6, 11, 13, 16, 20, 22, 21, 23, 35, 99] {
        let format = CUresourceViewFormat(format);
        let view =
            CUDA_RESOURCE_VIEW_DESC { format, width: 8, height: 8, ..CUDA_RESOURCE_VIEW_DESC::default() };
        answers.code(texture_as(&plane, &CUDA_TEXTURE_DESC::default(), Some(&view)).0);
    }
    let mut reserved = CUDA_RESOURCE_VIEW_DESC { width: 8, height: 8, ..CUDA_RESOURCE_VIEW_DESC::default() };
    reserved.format = CUresourceViewFormat::CU_RES_VIEW_FORMAT_FLOAT_1X32;
    reserved.reserved[15] = 1;
    answers.code(texture_as(&plane, &CUDA_TEXTURE_DESC::default(), Some(&reserved)).0);
}

fn views_of_layers(answers: &mut Answers) {
    initialised();
    context(0);
    let (layered, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    let of = |size, flags| of_array(array_of(&described(size, flags)));
    let layers = of([8, 8, 5], layered);
    for which in [[0, 4], [1, 3], [3, 1], [0, 5], [5, 5], [0, u32::MAX]] {
        seen(answers, &layers, [8, 8, 5], [0, 0], which);
    }
    for (depth, which) in [(3, [1, 3]), (0, [0, 4]), (1, [0, 0])] {
        seen(answers, &layers, [8, 8, depth], [0, 0], which);
    }
    seen(answers, &layers, [8, 8, 5], [0, 1], [0, 4]);
    for (depth, which) in [(8, [0, 0]), (4, [0, 0]), (8, [0, 7])] {
        seen(answers, &of([8, 8, 8], 0), [8, 8, depth], [0, 0], which);
    }
    for (depth, which) in [(6, [0, 0]), (6, [0, 5]), (0, [0, 0])] {
        seen(answers, &of([8, 8, 6], cube), [8, 8, depth], [0, 0], which);
    }
    for which in [[0, 11], [6, 11], [0, 6], [1, 6], [12, 17]] {
        seen(answers, &of([8, 8, 12], cube | layered), [8, 8, 12], [0, 0], which);
    }
    let pyramid = of_levels(levels(1.0));
    for which in [[0, 2], [1, 2], [2, 1], [0, 3], [9, 9]] {
        seen(answers, &pyramid, [4, 4, 0], which, [0, 0]);
    }
    seen(answers, &pyramid, [2, 2, 0], [1, 2], [0, 0]);
    seen(answers, &pyramid, [4, 4, 0], [0, 2], [0, 1]);
}

fn views_of_memory(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let resource = of_line(numbers(3.0), 64, FLOAT, 1);
    let mut view = CUDA_RESOURCE_VIEW_DESC { width: 5, height: 6, ..CUDA_RESOURCE_VIEW_DESC::default() };
    view.format = CUresourceViewFormat(99);
    view.reserved[0] = 1;
    let (code, object) = texture_as(&resource, &CUDA_TEXTURE_DESC::default(), Some(&view));
    answers.code(code);
    kernels.find(answers, c"line", &[object, 15]);
    for object in [object, texture_of(array(1.0, 0))] {
        view = CUDA_RESOURCE_VIEW_DESC { width: 7, height: 8, ..view };
        answers.code(code!(cuTexObjectGetResourceViewDesc(&raw mut view, object)));
        answers.value(format!("{}/{}/{}", view.format.0, view.width, view.height));
    }
}

fn refused(answers: &mut Answers) {
    initialised();
    context(0);
    let usual = of_array(array(1.0, 0));
    let reading = CUDA_TEXTURE_DESC::default();
    let mut object = 77;
    answers.codes([
        code!(cuTexObjectCreate(null_mut(), &raw const usual, &raw const reading, null())),
        code!(cuTexObjectCreate(&raw mut object, null(), &raw const reading, null())),
        code!(cuTexObjectCreate(&raw mut object, &raw const usual, null(), null())),
    ]);
    answers.codes([4, 9, u32::MAX].map(|kind| {
        let mut resource = usual;
        resource.resType = CUresourcetype(kind);
        texture(&resource).0
    }));
    let mut resource = usual;
    resource.flags = 1;
    let (code, object) = texture(&resource);
    answers.code(code);
    answers.value(object);
    answers.codes([texture(&of_array(null_mut())).0, texture(&of_levels(null_mut())).0]);
}

fn surface_resources(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = numbers(3.0);
    let pyramid = levels(1.0);
    let plain = of_array(array(1.0, 0));
    let mut flagged = plain;
    flagged.flags = 1;
    let mut unknown = plain;
    unknown.resType = CUresourcetype(9);
    for resource in [
        plain,
        of_array(level(pyramid)),
        of_levels(pyramid),
        of_line(memory, 64, FLOAT, 1),
        of_rows(memory, [16, 4, 64]),
        flagged,
        unknown,
        of_array(null_mut()),
    ] {
        answers.code(surface(&resource).0);
    }
    let mut object = 0;
    answers.code(code!(cuSurfObjectCreate(&raw mut object, null())));
}

fn surface_of_plain(answers: &mut Answers) {
    initialised();
    context(0);
    let kernels = Kernels::new();
    let array = array(1.0, 0);
    let object = surface_of(array);
    kernels.find(answers, c"load", &[object]);
    kernels.find(answers, c"store", &[object]);
    first_texel(answers, array);
}

fn widths(answers: &mut Answers) {
    initialised();
    let mut ask = |format: u32, channels: u32| {
        let mut width = 7;
        let code =
            code!(cuDeviceGetTexture1DLinearMaxWidth(&raw mut width, CUarray_format(format), channels, 0));
        answers.given(code, width);
    };
    for format in [0x01, 0x02, 0x03, 0x08, 0x09, 0x0a, 0x10, 0x20] {
        for channels in [1, 2, 3, 4] {
            ask(format, channels);
        }
    }
    for (format, channels) in
        [(0x91, 4), (0x91, 1), (0x95, 4), (0x97, 1), (0x9b, 3), (0xb0, 3), (0xc0, 1), (0xc5, 4)]
    {
        ask(format, channels);
    }
    for (format, channels) in [(0x77, 1), (0, 1), (0x20, 0), (0x20, 8), (0x120, 1)] {
        ask(format, channels);
    }
    let mut width = 0;
    answers.codes([
        code!(cuDeviceGetTexture1DLinearMaxWidth(null_mut(), FLOAT, 1, 0)),
        code!(cuDeviceGetTexture1DLinearMaxWidth(&raw mut width, FLOAT, 1, 99)),
        code!(cuDeviceGetTexture1DLinearMaxWidth(&raw mut width, CUarray_format(0x77), 1, 99)),
    ]);
}

//! Levels of detail, cubes, and queries of images.

use super::*;

const NORMALIZED: u32 = CU_TRSF_NORMALIZED_COORDINATES;

/// A mipmapped array each of whose levels is full of 10 times its number.
fn pyramid(size: [usize; 3], levels: u32) -> Mipmapped {
    let pyramid = Mipmapped::new(descriptor(size, FLOAT, 1, 0), levels);
    for level in 0..levels {
        let array = pyramid.level(level);
        let count = array.extent().iter().product::<usize>() / 4;
        array.write(&float_bytes(&vec![10.0 * level as f32; count]));
    }
    pyramid
}

/// Reading with levels from 0 to `most`.
fn detailed(level_filter: CUfilter_mode, most: f32) -> CUDA_TEXTURE_DESC {
    CUDA_TEXTURE_DESC {
        mipmapFilterMode: level_filter,
        maxMipmapLevelClamp: most,
        ..reading(CLAMP, POINT, NORMALIZED)
    }
}

#[test]
fn levels_halve() {
    let pyramid = Mipmapped::new(descriptor([20, 6, 0], FLOAT, 1, 0), 99);
    // As many as there can be: 20, 10, 5, 2, 1.
    for (level, size) in [[20, 6], [10, 3], [5, 1], [2, 1], [1, 1]].into_iter().enumerate() {
        let found = pyramid.level(level as u32).descriptor;
        assert_eq!([found.Width, found.Height, found.Depth], [size[0], size[1], 0]);
    }
    let mut array = null_mut();
    let refused = driver!(cuMipmappedArrayGetLevel(&raw mut array, pyramid.0, 5));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
    let refused = driver!(cuMipmappedArrayGetLevel(&raw mut array, pyramid.0, 99));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
}

#[test]
fn levels_of_detail() {
    let pyramid = pyramid([16, 16, 0], 4);
    let mut threads = Threads::sampling("tex.level.2d.v4.f32.f32", "[%d0, {%f0, %f1}], %f2");
    let at = |detail: f32| [0.5, 0.5, detail];
    let details = [-3.0, 0.0, 0.25, 0.75, 1.0, 1.75, 2.25, 3.0, 9.0];
    let coordinates = details.map(at);
    let check = |threads: &mut Threads, reading: &CUDA_TEXTURE_DESC, expected: &[f64]| {
        let texture = Texture::new(&pyramid.resource(), reading);
        for (at, (found, expected)) in
            coordinates.iter().zip(threads.numbers(texture.0, &coordinates).iter().zip(expected))
        {
            close(*found, *expected, &(at, reading.mipmapFilterMode));
        }
    };
    check(&mut threads, &detailed(POINT, 9.0), &[0.0, 0.0, 0.0, 10.0, 10.0, 20.0, 20.0, 30.0, 30.0]);
    check(&mut threads, &detailed(LINEAR, 9.0), &[0.0, 0.0, 2.5, 7.5, 10.0, 17.5, 22.5, 30.0, 30.0]);
    check(&mut threads, &detailed(LINEAR, 1.5), &[0.0, 0.0, 2.5, 7.5, 10.0, 15.0, 15.0, 15.0, 15.0]);
    let mut narrow = detailed(LINEAR, 2.0);
    narrow.minMipmapLevelClamp = 0.5;
    check(&mut threads, &narrow, &[5.0, 5.0, 5.0, 7.5, 10.0, 17.5, 20.0, 20.0, 20.0]);
    let mut biased = detailed(LINEAR, 9.0);
    biased.mipmapLevelBias = 0.5;
    check(&mut threads, &biased, &[0.0, 5.0, 7.5, 12.5, 15.0, 22.5, 27.5, 30.0, 30.0]);
}

#[test]
fn detail_from_gradients() {
    let pyramid = pyramid([16, 16, 0], 4);
    let texture = Texture::new(&pyramid.resource(), &detailed(POINT, 9.0));
    let mut threads =
        Threads::sampling("tex.grad.2d.v4.f32.f32", "[%d0, {%f0, %f0}], {%f1, %f2}, {%f3, %f4}");
    // The longer of the two derivatives, in texels: 1, 2, 5 (by Pythagoras), 8, 100.
    let cases = [
        ([1.0, 0.0, 0.0, 1.0], 0.0),
        ([2.0, 0.0, 0.0, 1.0], 10.0),
        ([0.0, 1.0, 3.0, 4.0], 20.0),
        ([0.0, 8.0, 0.0, 0.0], 30.0),
        ([100.0, 0.0, 0.0, 0.0], 30.0),
    ];
    let inputs: Vec<Input> = cases
        .iter()
        .map(|(texels, _)| {
            let [a, b, c, d] = texels.map(|texels: f32| (texels / 16.0).to_bits());
            [0.5_f32.to_bits(), a, b, c, d, 0, 0, 0]
        })
        .collect();
    for ((texels, expected), found) in cases.iter().zip(threads.run(texture.0, &inputs)) {
        assert_eq!(f32::from_bits(found[0]), *expected, "{texels:?}");
    }
}

#[test]
fn views_of_levels_and_layers() {
    let pyramid = pyramid([16, 16, 0], 4);
    let view = CUDA_RESOURCE_VIEW_DESC {
        width: 16,
        height: 16,
        firstMipmapLevel: 1,
        lastMipmapLevel: 2,
        ..CUDA_RESOURCE_VIEW_DESC::default()
    };
    // With levels, a view has to say what its texels are (measured).
    let (mut object, resource, reading_levels) = (0, pyramid.resource(), detailed(LINEAR, 9.0));
    let refused = driver!(cuTexObjectCreate(
        &raw mut object,
        &raw const resource,
        &raw const reading_levels,
        &raw const view,
    ));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE);
    // Hardware has not been asked about the others yet.
    if !software() {
        return;
    }
    let view =
        CUDA_RESOURCE_VIEW_DESC { format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_FLOAT_1X32, ..view };
    let texture = Texture::viewed(&pyramid.resource(), &reading_levels, Some(&view));
    let mut threads = Threads::sampling("tex.level.2d.v4.f32.f32", "[%d0, {%f0, %f1}], %f2");
    let found = threads.numbers(texture.0, &[[0.5, 0.5, 0.0], [0.5, 0.5, 0.5], [0.5, 0.5, 7.0]]);
    assert_eq!(found, [10.0, 15.0, 20.0]);

    let values: Vec<f32> = (0..4 * 4 * 5).map(|index| (index / 16) as f32).collect();
    let layers = Array::with(descriptor([4, 4, 5], FLOAT, 1, CUDA_ARRAY3D_LAYERED), &float_bytes(&values));
    let view = CUDA_RESOURCE_VIEW_DESC {
        format: CUresourceViewFormat::CU_RES_VIEW_FORMAT_FLOAT_1X32,
        width: 4,
        height: 4,
        depth: 5,
        firstLayer: 2,
        lastLayer: 3,
        ..CUDA_RESOURCE_VIEW_DESC::default()
    };
    let texture = Texture::viewed(&layers.resource(), &reading(CLAMP, POINT, 0), Some(&view));
    let mut threads = Threads::sampling("tex.a2d.v4.f32.f32", "[%d0, {%r2, %f0, %f1, %f1}]");
    let at = 1.5_f32.to_bits();
    let found = threads.run(texture.0, &[[at, at, 0, 0, 0, 0, 0, 0], [at, at, 1, 0, 0, 0, 0, 0]]);
    assert_eq!(found.map_first(), [2.0, 3.0]);
}

/// The first results of all threads, as numbers.
trait First {
    fn map_first(&self) -> Vec<f32>;
}

impl First for Vec<[u32; 4]> {
    fn map_first(&self) -> Vec<f32> {
        self.iter().map(|[first, ..]| f32::from_bits(*first)).collect()
    }
}

/// Directions, the face that each points to and where on it: the table of the programming guide.
fn directions() -> Vec<([f32; 3], usize, [f32; 2])> {
    let mut directions = Vec::new();
    for (a, b) in [(0.125, 0.5), (-0.75, 0.25), (0.5, -0.5), (-0.25, -0.625)] {
        // Major axis, and what the two coordinates on the face are.
        directions.push(([1.0, b, a], 0, [-a, -b]));
        directions.push(([-1.0, b, a], 1, [a, -b]));
        directions.push(([a, 1.0, b], 2, [a, b]));
        directions.push(([a, -1.0, b], 3, [a, -b]));
        directions.push(([a, b, 1.0], 4, [a, -b]));
        directions.push(([a, b, -1.0], 5, [-a, -b]));
    }
    directions
}

#[test]
fn cubes() {
    let edge = 8;
    let values = patterned(edge * edge * 12);
    let cube = Array::with(
        descriptor([edge, edge, 6], FLOAT, 1, CUDA_ARRAY3D_CUBEMAP),
        &float_bytes(&values[..384]),
    );
    let flags = CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED;
    let cubes = Array::with(descriptor([edge, edge, 12], FLOAT, 1, flags), &float_bytes(&values));
    let reading = reading(CLAMP, POINT, NORMALIZED);
    let (one, two) = (Texture::new(&cube.resource(), &reading), Texture::new(&cubes.resource(), &reading));
    let mut single = Threads::sampling("tex.cube.v4.f32.f32", "[%d0, {%f0, %f1, %f2, %f2}]");
    let mut second = Threads::new("tex.acube.v4.f32.f32 {%x0, %x1, %x2, %x3}, [%d0, {1, %f0, %f1, %f2}];");
    // Directions have no length.
    let at: Vec<[f32; 3]> =
        directions().iter().map(|(direction, ..)| direction.map(|part| 3.0 * part)).collect();
    let found = single.numbers(one.0, &at).into_iter().zip(second.numbers(two.0, &at));
    for ((direction, face, [s, t]), (first, other)) in directions().into_iter().zip(found) {
        let texel = |part: f32| ((part + 1.0) / 2.0 * edge as f32).floor() as usize;
        let index = (face * edge + texel(t)) * edge + texel(s);
        assert_eq!([first, other], [values[index], values[384 + index]], "{direction:?}");
    }
}

/// Measured: of faces that are equally near, the last dimension's.
#[test]
fn edges_of_cubes() {
    let values: Vec<f32> = (0..6 * 16).map(|index| (index / 16 * 10) as f32).collect();
    let cube = Array::with(descriptor([4, 4, 6], FLOAT, 1, CUDA_ARRAY3D_CUBEMAP), &float_bytes(&values));
    let mut threads = Threads::sampling("tex.cube.v4.f32.f32", "[%d0, {%f0, %f1, %f2, %f2}]");
    let nan = f32::NAN;
    let at = [
        [1.0, 1.0, 0.0],
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.0, 1.0, -1.0],
        [1.0, 1.0, 1.0],
        [0.0; 3],
        [nan, 1.0, 0.0],
        [1.0, 0.0, 0.99],
        [1.0, 0.0, -0.99],
    ];
    for filter in [POINT, LINEAR] {
        let texture = Texture::new(&cube.resource(), &reading(CLAMP, filter, NORMALIZED));
        let found = threads.numbers(texture.0, &at);
        assert_eq!(found, [20.0, 30.0, 20.0, 40.0, 40.0, 50.0, 40.0, 40.0, 20.0, 0.0, 0.0]);
    }
}

/// Measured: limits count without a level of detail, the bias does not; what is no number is the least; weights are cut
/// off; levels by number are those.
#[test]
fn levels_that_are_not_asked_for() {
    let pyramid = pyramid([16, 16, 0], 4);
    let mut plain = Threads::sampling("tex.2d.v4.f32.f32", "[%d0, {%f0, %f1}]");
    for (least, bias, expected) in [(1.0, 0.0, 10.0), (0.0, 1.0, 0.0)] {
        let mut reading = detailed(POINT, 9.0);
        (reading.minMipmapLevelClamp, reading.mipmapLevelBias) = (least, bias);
        let texture = Texture::new(&pyramid.resource(), &reading);
        assert_eq!(plain.numbers(texture.0, &[[0.5, 0.5, 0.0]]), [expected]);
    }
    let mut by_number = Threads::sampling("tex.level.2d.v4.f32.f32", "[%d0, {%f0, %f1}], %f2");
    let texture = Texture::new(&pyramid.resource(), &detailed(POINT, 9.0));
    let found = by_number.numbers(texture.0, &[[0.5, 0.5, f32::NAN], [0.5, 0.5, 1.5], [0.5, 0.5, 0.49]]);
    assert_eq!(found, [0.0, 20.0, 0.0]);
    let texture = Texture::new(&pyramid.resource(), &detailed(LINEAR, 9.0));
    let found = by_number.numbers(texture.0, &[[0.5, 0.5, 0.5 + 1.0 / 512.0], [0.5, 0.5, 0.3]]);
    assert_eq!(found, [5.0, 2.968_75]);
    let texture = Texture::new(&pyramid.resource(), &detailed(POINT, 9.0));
    let mut whole = Threads::sampling("tex.level.2d.v4.f32.s32", "[%d0, {%r0, %r1}], %r2");
    let found = whole.run(texture.0, &[1, 3, 9].map(|level| [0, 0, level, 0, 0, 0, 0, 0]));
    assert_eq!(found.map_first(), [10.0, 30.0, 0.0]);
}

#[test]
fn queries() {
    let ask = |object: u64, property: &str| {
        let mut threads = Threads::new(&format!("{property}.b32 %x0, [%d0];"));
        threads.run(object, &[[0; 8]])[0][0]
    };
    let flags = CUDA_ARRAY3D_SURFACE_LDST;
    let space = Array::new(descriptor([24, 10, 6], FLOAT, 1, flags));
    let texture = Texture::new(&space.resource(), &reading(CLAMP, POINT, 0));
    let surface = Surface::new(&space);
    let answers = ["width", "height", "depth"].map(|word| ask(texture.0, &format!("txq.{word}")));
    assert_eq!(answers, [24, 10, 6]);
    let answers = ["width", "height", "depth"].map(|word| ask(surface.0, &format!("suq.{word}")));
    assert_eq!(answers, [24, 10, 6]);
    let pyramid = pyramid([16, 8, 0], 4);
    let texture = Texture::new(&pyramid.resource(), &detailed(POINT, 9.0));
    let mut threads =
        Threads::new("txq.level.width.b32 %x0, [%d0], %r0; txq.level.height.b32 %x1, [%d0], %r0;");
    let found = threads.run(texture.0, &[[0; 8], [2, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(found.iter().map(|row| [row[0], row[1]]).collect::<Vec<_>>(), [[16, 8], [4, 2], [2, 1]]);
}

/// Measured: the kind of an object decides, not the instruction (conformance fact V1071).
#[test]
fn queries_depend_on_the_kind_of_an_object() {
    const LAYERED: u32 = CUDA_ARRAY3D_LAYERED;
    let mut queries = ["txq", "suq"].map(|query| {
        let words = ["width", "height", "depth"].into_iter().zip(0..);
        let body: String =
            words.map(|(word, index)| format!("{query}.{word}.b32 %x{index}, [%d0];")).collect();
        Threads::new(&body)
    });
    let mut check = |object: u64, expected: [u32; 3], what: &dyn std::fmt::Debug| {
        for (threads, query) in queries.iter_mut().zip(["txq", "suq"]) {
            let [width, height, depth, _] = threads.run(object, &[[0; 8]])[0];
            assert_eq!([width, height, depth], expected, "{query}: {what:?}");
        }
    };
    // Answers of a surface, of a surface of level 1, and of a texture.
    for (size, flags, surface, half, texture) in [
        ([40, 0, 0], 0, [40, 0, 0], [20, 0, 0], [40, 1, 0]),
        ([40, 20, 0], 0, [40, 20, 0], [20, 10, 0], [40, 20, 0]),
        ([40, 20, 6], 0, [40, 20, 6], [20, 10, 3], [40, 20, 6]),
        ([40, 0, 5], LAYERED, [40, 5, 0], [20, 5, 0], [40, 5, 0]),
        ([40, 20, 5], LAYERED, [40, 20, 5], [20, 10, 5], [40, 20, 5]),
        ([40, 40, 6], CUDA_ARRAY3D_CUBEMAP, [40, 40, 6], [20, 20, 6], [40, 40, 0]),
    ] {
        let descriptor = descriptor(size, FLOAT, 1, flags | CUDA_ARRAY3D_SURFACE_LDST);
        let array = Array::new(descriptor);
        check(Surface::new(&array).0, surface, &("surface", size, flags));
        let levels = Mipmapped::new(descriptor, 3);
        check(Surface::new(&levels.level(1)).0, half, &("surface of level 1", size, flags));
        let object = Texture::new(&array.resource(), &reading(CLAMP, POINT, 0));
        check(object.0, texture, &("texture", size, flags));
    }
}

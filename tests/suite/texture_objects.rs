//! Texture objects through the safe layer: reads of arrays, levels, memory and views, of the same device and of another one, and the
//! lifetime of resources.

use crate::busy::Busy;
use crate::raw::{begin_capture, end_capture};
use crate::{alone, typed};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{AccessSize, CopyDestination, CopySource, MemAttach, Memcpy3D, PitchedBuf};
use cuda_rt::texture::{
    AddressMode, FilterMode, LinearMemory, ResourceView, TexHandle, TexObject, TextureDescriptor,
    TextureFlags, TextureResource, ViewFormat,
};
use cuda_rt::{Context, DeviceBuf, DevicePtr, LaunchConfig, ManagedBuf, Module, Stream};
use cuda_suite::{context, device, driver, invalid, out_of_bounds, reports, second_device, skip, stream};
use cuda_sys::{CUDA_RESOURCE_DESC, CUresourcetype_enum as Type};
use std::sync::Arc;
use std::thread;

/// Kernels that sample once, by the name of the instruction.
const SAMPLES: [(&str, &str); 6] = [
    ("line", "tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x}];"),
    ("fetch", "cvt.rzi.s32.f32 %i, %x; tex.1d.v4.f32.s32 {%v0, %v1, %v2, %v3}, [%t, {%i}];"),
    ("plane", "tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %y}];"),
    ("space", "tex.3d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %y, %z, %z}];"),
    ("level", "tex.level.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %y}], %z;"),
    ("layer", "cvt.rzi.s32.f32 %i, %z; tex.a2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%i, %x, %y, %y}];"),
];

type Sample = cuda_rt::Kernel<(TexHandle, DevicePtr<u32>, f32, f32, f32)>;

fn kernel(context: &Context, name: &str) -> Sample {
    let mut text = String::from(".version 6.4 .target sm_50 .address_size 64\n");
    for (name, sample) in SAMPLES {
        text += &format!(
            ".visible .entry {name}(.param .u64 texture, .param .u64 out, .param .f32 x, .param .f32 y, .param .f32 z) {{
                .reg .b64 %t, %a; .reg .f32 %x, %y, %z; .reg .b32 %v<4>, %i;
                ld.param.u64 %t, [texture]; ld.param.u64 %a, [out];
                ld.param.f32 %x, [x]; ld.param.f32 %y, [y]; ld.param.f32 %z, [z];
                {sample}
                st.global.v4.b32 [%a], {{%v0, %v1, %v2, %v3}}; ret; }}\n"
        );
    }
    typed(&Module::from_ptx(context, &text).unwrap().function(name).unwrap())
}

/// Puts a sample on a stream: four words.
fn launch(name: &str, object: &TexObject, stream: &Stream, out: &DeviceBuf<u32>, at: [f32; 3]) {
    let [x, y, z] = at;
    let sample = kernel(object.context(), name);
    // SAFETY: one thread writes the four words of `out`, which lives on the same stream. The object is of this context,
    // and what the tests have to say about its end is in an order that the driver is known to keep.
    unsafe { sample.launch(LaunchConfig::new(1, 1), stream, (object.handle(), out.ptr(), x, y, z)) }.unwrap();
}

/// Returns the texel that a kernel of the object's context reads: the bits of four channels.
fn bits(name: &str, object: &TexObject, at: [f32; 3]) -> cuda_rt::Result<[u32; 4]> {
    let stream = Stream::new(object.context())?;
    let out = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    launch(name, object, &stream, &out, at);
    let words = out.to_vec()?;
    Ok([words[0], words[1], words[2], words[3]])
}

fn read(name: &str, object: &TexObject, at: [f32; 3]) -> [f32; 4] {
    bits(name, object, at).unwrap().map(f32::from_bits)
}

fn first(name: &str, object: &TexObject, at: [f32; 3]) -> f32 {
    read(name, object, at)[0]
}

fn fill(array: &Array, texels: &[f32]) {
    let ArrayDescriptor { width, height, depth, channels, .. } = array.descriptor();
    let bytes = 4 * width * channels as usize;
    let to = CopyDestination::array(array);
    let from = CopySource::host(texels).pitch(bytes).height(height.max(1));
    Memcpy3D::new(to, from, bytes, height.max(1), depth.max(1)).copy().unwrap();
}

/// A plane of numbers.
fn plane(stream: &Stream, size: [usize; 2], texels: &[f32]) -> Array {
    let array = Array::new(stream, ArrayDescriptor::plane(size[0], size[1], ArrayFormat::FLOAT, 1)).unwrap();
    fill(&array, texels);
    array
}

fn plain() -> TextureDescriptor {
    TextureDescriptor::default()
}

fn own(device: cuda_rt::Device) -> Context {
    Context::new(device, ContextFlags::default()).unwrap()
}

/// A context of the first device that samples, and one of the second whose arrays it reaches.
fn pair() -> Option<(Context, Context)> {
    driver();
    let second = second_device()?;
    let can = device().peer_capabilities(second).unwrap();
    (can.access && can.array_access).then(|| (own(device()), own(second)))
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other's arrays"),
        }
    };
}

fn is_on(own: &Context, peer: &Context) -> bool {
    own.peer_access_state(peer).is_enabled().unwrap()
}

#[test]
fn kernels_take_objects_as_parameters() {
    let (context, stream) = (context(), stream());
    let image = plane(&stream, [2, 2], &[0.0, 1.0, 2.0, 3.0]);
    let object = TexObject::new(&context, &image, &plain()).unwrap();
    assert_eq!(first("plane", &object, [1.5, 0.5, 0.0]), 1.0);
    assert_eq!(first("plane", &object, [0.5, 1.5, 0.0]), 2.0);
    // Two at a time, of the same module.
    let other = plane(&stream, [2, 2], &[5.0; 4]);
    let other = TexObject::new(&context, other, &plain()).unwrap();
    assert_ne!(object.handle(), other.handle());
    assert_eq!(first("plane", &other, [1.5, 1.5, 0.0]), 5.0);
    assert_eq!(first("plane", &object, [1.5, 1.5, 0.0]), 3.0);
}

#[test]
fn every_address_mode_and_filter_mode() {
    use AddressMode::{Border, Clamp, Mirror, Wrap};
    let (context, stream) = (context(), stream());
    let line = Array::new(&stream, ArrayDescriptor::plane(4, 1, ArrayFormat::FLOAT, 1)).unwrap();
    fill(&line, &[1.0, 2.0, 3.0, 4.0]);
    let normalized = TextureFlags::NORMALIZED_COORDINATES;
    for (mode, flags, x, expected) in [
        (Wrap, normalized, 1.125, 1.0),
        (Clamp, normalized, 1.125, 4.0),
        (Mirror, normalized, 1.375, 3.0),
        (Border, normalized, 1.125, 9.0),
        (Clamp, TextureFlags::empty(), 5.5, 4.0),
        (Border, TextureFlags::empty(), 5.5, 9.0),
        // Coordinates in texels are clamped instead (measured).
        (Wrap, TextureFlags::empty(), 5.5, 4.0),
        (Mirror, TextureFlags::empty(), 5.5, 4.0),
    ] {
        let texture =
            TextureDescriptor { address_modes: [mode; 3], flags, border_color: [9.0; 4], ..plain() };
        let object = TexObject::new(&context, &line, &texture).unwrap();
        assert_eq!(first("plane", &object, [x, 0.5, 0.0]), expected, "{mode:?} {flags:?}");
    }
    for (filter_mode, expected) in [(FilterMode::Point, 2.0), (FilterMode::Linear, 1.5)] {
        let object = TexObject::new(&context, &line, &TextureDescriptor { filter_mode, ..plain() }).unwrap();
        assert_eq!(first("plane", &object, [1.0, 0.5, 0.0]), expected, "{filter_mode:?}");
    }
}

#[test]
fn arrays_and_memory_need_their_own_instructions() {
    let (context, stream) = (context(), stream());
    let numbers = [1.0_f32, 2.0, 3.0, 4.0];
    let line = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1)).unwrap();
    line.copy_from_host(0, &numbers).unwrap();
    let array = TexObject::new(&context, &line, &plain()).unwrap();
    let buffer = Arc::new(DeviceBuf::from_host(&stream, &numbers).unwrap());
    let memory = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
    stream.synchronize().unwrap();
    let memory = TexObject::new(&context, memory, &plain()).unwrap();
    assert_eq!(first("line", &array, [2.5, 0.0, 0.0]), 3.0);
    assert_eq!(first("fetch", &memory, [2.0, 0.0, 0.0]), 3.0);
    assert_eq!(first("fetch", &memory, [4.0, 0.0, 0.0]), 0.0, "outside");
    // The other way round nothing is read (measured).
    assert_eq!(first("fetch", &array, [2.0, 0.0, 0.0]), 0.0);
    assert_eq!(first("line", &memory, [2.5, 0.0, 0.0]), 0.0);
}

#[test]
fn memory_of_every_kind() {
    let (context, stream) = (context(), stream());
    let at = [1.5, 1.5, 0.0];
    let mut rows = PitchedBuf::<[u8; 4]>::uninit(&stream, 3, 2, AccessSize::Four).unwrap();
    let texels: Vec<[u8; 4]> = (0..6).map(|index| [index, 255, 0, 51]).collect();
    rows.copy_from_host(&texels).unwrap();
    let rows = TextureResource::pitched(Arc::new(rows), ArrayFormat::UNSIGNED_INT8, 4);
    let fractions = TexObject::new(&context, rows.clone(), &plain()).unwrap();
    assert_eq!(read("plane", &fractions, at), [4.0 / 255.0, 1.0, 0.0, 0.2]);
    let texture = TextureDescriptor { flags: TextureFlags::READ_AS_INTEGER, ..plain() };
    let integers = TexObject::new(&context, rows, &texture).unwrap();
    assert_eq!(bits("plane", &integers, at), Ok([4, 255, 0, 51]));

    // Rows in other memory.
    let pitch =
        usize::try_from(device().attribute(DeviceAttribute::TEXTURE_PITCH_ALIGNMENT).unwrap()).unwrap();
    let numbers: Vec<f32> = (0..pitch).map(|index| index as f32).collect();
    let buffer = Arc::new(DeviceBuf::from_host(&stream, &numbers).unwrap());
    stream.synchronize().unwrap();
    let rows = LinearMemory::from(buffer).rows(8, 4, pitch).unwrap();
    let rows = TextureResource::pitched(rows, ArrayFormat::FLOAT, 1);
    let object = TexObject::new(&context, rows, &plain()).unwrap();
    assert_eq!(first("plane", &object, at), numbers[pitch / 4 + 1]);
    assert_eq!(first("plane", &object, [7.5, 0.5, 0.0]), 1.0, "rows end after two texels");

    if device().managed_memory().unwrap_or(false) {
        let managed = ManagedBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0], MemAttach::Global);
        if let Ok(managed) = managed {
            stream.synchronize().unwrap();
            let memory = TextureResource::linear(Arc::new(managed), ArrayFormat::FLOAT, 1);
            let object = TexObject::new(&context, memory, &plain()).unwrap();
            assert_eq!(first("fetch", &object, [1.0, 0.0, 0.0]), 2.0);
        }
    }
}

#[test]
fn levels_and_layers_and_volumes() {
    let (context, stream) = (context(), stream());
    let image = MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1), 3).unwrap();
    for level in 0..3 {
        let array = image.level(level).unwrap();
        let count = array.descriptor().width * array.descriptor().height;
        fill(&array, &vec![10.0 * level as f32; count]);
    }
    let detailed = TextureDescriptor {
        flags: TextureFlags::NORMALIZED_COORDINATES,
        mipmap_filter_mode: FilterMode::Linear,
        mipmap_level_clamp: [0.0, 9.0],
        ..plain()
    };
    let object = TexObject::new(&context, &image, &detailed).unwrap();
    let levels = [0.0, 0.5, 2.0, 9.0].map(|level| first("level", &object, [0.5, 0.5, level]));
    assert_eq!(levels, [0.0, 5.0, 20.0, 20.0]);
    // One level, as an array: it keeps the whole.
    let level = image.level(1).unwrap();
    drop((object, image));
    let object = TexObject::new(&context, level, &plain()).unwrap();
    assert_eq!(first("plane", &object, [0.5, 0.5, 0.0]), 10.0);

    let numbers: Vec<f32> = (0..12).map(|index| index as f32).collect();
    let images = ArrayDescriptor::volume(2, 2, 3, ArrayFormat::FLOAT, 1);
    let layers = Array::new(&stream, ArrayDescriptor { flags: ArrayFlags::LAYERED, ..images }).unwrap();
    fill(&layers, &numbers);
    let object = TexObject::new(&context, layers, &plain()).unwrap();
    assert_eq!(first("layer", &object, [1.5, 0.5, 2.0]), 9.0);
    let volume = Array::new(&stream, images).unwrap();
    fill(&volume, &numbers);
    let object = TexObject::new(&context, volume, &plain()).unwrap();
    assert_eq!(first("space", &object, [0.5, 1.5, 1.5]), 6.0);
}

#[test]
fn views_of_levels_layers_and_formats() {
    let (context, stream) = (context(), stream());
    let image = MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1), 4).unwrap();
    for level in 0..4 {
        let array = image.level(level).unwrap();
        let count = array.descriptor().width * array.descriptor().height;
        fill(&array, &vec![10.0 * level as f32; count]);
    }
    let detailed = TextureDescriptor {
        flags: TextureFlags::NORMALIZED_COORDINATES,
        mipmap_level_clamp: [0.0, 9.0],
        ..plain()
    };
    let whole = ResourceView::of_mipmapped(&image, ViewFormat::FLOAT_1X32);
    assert_eq!((&whole.levels, &whole.layers), (&(0..=3), &(0..=0)));
    let view = whole.clone().with_levels(1..=2);
    let object = TexObject::with_view(&context, &image, &detailed, &view).unwrap();
    assert_eq!(object.resource_view(), Ok(Some(view)));
    let levels = [0.0, 1.0, 7.0].map(|level| first("level", &object, [0.5, 0.5, level]));
    assert_eq!(levels, [10.0, 20.0, 20.0]);

    let images = ArrayDescriptor::volume(2, 2, 5, ArrayFormat::FLOAT, 1);
    let layers = Array::new(&stream, ArrayDescriptor { flags: ArrayFlags::LAYERED, ..images }).unwrap();
    let numbers: Vec<f32> = (0..20).map(|index| (index / 4) as f32).collect();
    fill(&layers, &numbers);
    let view = ResourceView::of_array(&layers, ViewFormat::FLOAT_1X32).with_layers(2..=3);
    let object = TexObject::with_view(&context, &layers, &plain(), &view).unwrap();
    assert_eq!([0.0, 1.0].map(|layer| first("layer", &object, [0.5, 0.5, layer])), [2.0, 3.0]);
    assert_eq!(object.resource_view(), Ok(Some(view)));

    // Numbers as the bytes that they are, and as integers.
    let numbers = plane(&stream, [2, 1], &[1.0, -2.0]);
    let view = ResourceView::of_array(&numbers, ViewFormat::UINT_4X8);
    let object = TexObject::with_view(&context, &numbers, &plain(), &view).unwrap();
    assert_eq!(read("plane", &object, [0.5, 0.5, 0.0]), [0.0, 0.0, 128.0 / 255.0, 63.0 / 255.0]);
    let view = ResourceView::of_array(&numbers, ViewFormat::UINT_1X32);
    let object = TexObject::with_view(&context, &numbers, &plain(), &view).unwrap();
    assert_eq!(bits("plane", &object, [1.5, 0.5, 0.0]).unwrap()[0], (-2.0_f32).to_bits());
}

#[test]
fn views_of_compressed_blocks() {
    let (context, stream) = (context(), stream());
    // Two blocks: of one colour each, red and green.
    let descriptor = ArrayDescriptor::plane(2, 1, ArrayFormat::UNSIGNED_INT32, 2);
    let blocks = Array::new(&stream, descriptor).unwrap();
    let colours = [[0xf800_f800_u32, 0], [0x07e0_07e0, 0]];
    Memcpy3D::plane(CopyDestination::array(&blocks), CopySource::host(&colours), 16, 1).copy().unwrap();
    let view = ResourceView::of_array(&blocks, ViewFormat::UNSIGNED_BC1);
    assert_eq!((view.width, view.height), (8, 4));
    let object = TexObject::with_view(&context, &blocks, &plain(), &view).unwrap();
    assert_eq!(read("plane", &object, [3.5, 3.5, 0.0]), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(read("plane", &object, [4.5, 0.5, 0.0]), [0.0, 1.0, 0.0, 1.0]);
    // Blocks of 16 bytes need four channels.
    let view = ResourceView::of_array(&blocks, ViewFormat::UNSIGNED_BC7);
    let error = TexObject::with_view(&context, &blocks, &plain(), &view).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with(": a view of 8 x 4 x 0 texels, format UNSIGNED_BC7"), "{error}");
}

#[test]
fn descriptors_read_back_from_the_driver() {
    let (context, stream) = (context(), stream());
    let given = TextureDescriptor {
        address_modes: [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Border],
        filter_mode: FilterMode::Linear,
        flags: TextureFlags::NORMALIZED_COORDINATES | TextureFlags::DISABLE_TRILINEAR_OPTIMIZATION,
        max_anisotropy: 8,
        mipmap_filter_mode: FilterMode::Linear,
        mipmap_level_bias: 0.5,
        mipmap_level_clamp: [0.25, 3.0],
        border_color: [0.1, 0.2, 0.3, 0.4],
    };
    let described = |object: &TexObject| {
        let mut raw = CUDA_RESOURCE_DESC::default();
        let entered = object.context().enter().unwrap();
        // SAFETY: valid for a write; the object is live, and of the current context.
        let answer = unsafe { cuda_sys::cuTexObjectGetResourceDesc(&raw mut raw, object.as_raw()) };
        drop(entered);
        assert!(answer.is_success());
        raw
    };
    let image = plane(&stream, [2, 2], &[0.0; 4]);
    let object = TexObject::new(&context, &image, &given).unwrap();
    assert_eq!(
        object.texture_descriptor(),
        Ok(given),
        "the border colour, too, which the driver does not tell"
    );
    assert_eq!(object.resource_view(), Ok(None));
    let mut raw = cuda_sys::CUDA_TEXTURE_DESC { borderColor: [9.0; 4], ..Default::default() };
    let entered = context.enter().unwrap();
    // SAFETY: valid for a write; the object is live, and of the current context.
    let answer = unsafe { cuda_sys::cuTexObjectGetTextureDesc(&raw mut raw, object.as_raw()) };
    drop(entered);
    assert!(answer.is_success());
    assert_eq!((raw.borderColor, raw.maxAnisotropy), ([9.0; 4], 8), "not written (measured)");
    assert!(matches!(object.resource(), TextureResource::Array(array) if *array == image));
    let raw = described(&object);
    assert_eq!((raw.resType, raw.flags), (Type::CU_RESOURCE_TYPE_ARRAY, 0));
    // SAFETY: the type says which member it is.
    assert_eq!(unsafe { raw.res.array }.hArray, image.as_raw());

    let levels = MipmappedArray::new(&stream, image.descriptor(), 2).unwrap();
    let object = TexObject::new(&context, &levels, &given).unwrap();
    let raw = described(&object);
    assert_eq!(raw.resType, Type::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
    // SAFETY: as above.
    assert_eq!(unsafe { raw.res.mipmap }.hMipmappedArray, levels.as_raw());

    let buffer = Arc::new(DeviceBuf::<[f32; 2]>::zeroed(&stream, 100).unwrap());
    let address = buffer.ptr().as_raw();
    let memory = TextureResource::linear(buffer, ArrayFormat::FLOAT, 2);
    let raw = described(&TexObject::new(&context, memory, &plain()).unwrap());
    assert_eq!(raw.resType, Type::CU_RESOURCE_TYPE_LINEAR);
    // SAFETY: as above.
    let linear = unsafe { raw.res.linear };
    assert_eq!((linear.devPtr, linear.sizeInBytes), (address, 800));
    assert_eq!((linear.format.0, linear.numChannels), (ArrayFormat::FLOAT.0, 2));

    let rows = Arc::new(PitchedBuf::<u16>::uninit(&stream, 30, 7, AccessSize::Four).unwrap());
    let (address, pitch) = (rows.ptr().as_raw(), rows.pitch());
    let rows = TextureResource::pitched(rows, ArrayFormat::UNSIGNED_INT16, 1);
    let raw = described(&TexObject::new(&context, rows, &plain()).unwrap());
    assert_eq!(raw.resType, Type::CU_RESOURCE_TYPE_PITCH2D);
    // SAFETY: as above.
    let rows = unsafe { raw.res.pitch2D };
    assert_eq!((rows.devPtr, rows.width, rows.height, rows.pitchInBytes), (address, 30, 7, pitch));
    assert_eq!((rows.format.0, rows.numChannels), (ArrayFormat::UNSIGNED_INT16.0, 1));
}

#[test]
fn impossible_memory_is_refused_with_its_limits() {
    let (context, stream) = (context(), stream());
    let made = |resource| TexObject::new(&context, resource, &plain()).map(drop);
    let limit = |attribute| usize::try_from(device().attribute(attribute).unwrap()).unwrap();
    let alignment = limit(DeviceAttribute::TEXTURE_ALIGNMENT);
    let pitch_alignment = limit(DeviceAttribute::TEXTURE_PITCH_ALIGNMENT);
    let buffer = Arc::new(DeviceBuf::<u8>::zeroed(&stream, 4 * alignment).unwrap());
    let base = LinearMemory::from(buffer.clone());
    // SAFETY: the owner is the buffer.
    let at = |offset: usize| unsafe {
        LinearMemory::from_raw(buffer.ptr().add(offset), alignment, &context, buffer.clone())
    };
    let line = |memory| TextureResource::linear(memory, ArrayFormat::FLOAT, 1);
    assert_eq!(made(line(at(16))), invalid(format!("it begins 16 bytes after a multiple of {alignment},")));
    made(line(at(alignment))).unwrap();
    let rows = |memory: LinearMemory, row, pitch| {
        TextureResource::pitched(memory.rows(row, 2, pitch).unwrap(), ArrayFormat::FLOAT, 1)
    };
    assert_eq!(
        made(rows(at(16), 16, pitch_alignment)),
        invalid(format!("it begins 16 bytes after a multiple of {alignment},"))
    );
    let error = made(rows(base.clone(), 16, pitch_alignment + 4)).unwrap_err();
    let (value, unit) = (pitch_alignment + 4, pitch_alignment);
    assert_eq!(error.to_string(), format!("texture pitch: {value} is not a multiple of {unit}"));
    let error = made(rows(base.clone(), 18, pitch_alignment)).unwrap_err();
    assert_eq!(error.to_string(), "texture row: 18 is not a multiple of 4");
    // SAFETY: the owner is the buffer.
    let odd = unsafe { LinearMemory::from_raw(buffer.ptr(), 18, &context, buffer.clone()) };
    let error = made(line(odd)).unwrap_err();
    assert_eq!(error.to_string(), "texture size: 18 is not a multiple of 4");
    let error = made(TextureResource::linear(base.clone(), ArrayFormat(999), 1)).unwrap_err();
    assert_eq!(error.to_string(), "texture: memory has no texels of format ArrayFormat(999) with 1 channels");
    assert!(made(TextureResource::linear(base.clone(), ArrayFormat::FLOAT, 0)).is_err());
    let three = TextureResource::linear(base.clone(), ArrayFormat::UNSIGNED_INT8, 3);
    let format = ArrayFormat::UNSIGNED_INT8;
    assert_eq!(made(three), invalid(format!("memory has no texels of format {format} with 3 channels")));
    // An array can have this format. For memory, drivers take it with other numbers of channels (measured).
    let format = ArrayFormat::UNORM_INT_101010_2;
    let packed = TextureResource::linear(base.clone(), format, 4);
    assert_eq!(made(packed), invalid(format!("memory has no texels of format {format} with 4 channels")));
    // Nothing at all: the driver takes it, and the first texel can be read all the same (measured).
    let empty = invalid("texture memory: it has 0 bytes");
    let none = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 0).unwrap());
    assert_eq!(made(TextureResource::linear(none, ArrayFormat::FLOAT, 1)), empty);
    // SAFETY: the owner is the buffer.
    let none = unsafe { LinearMemory::from_raw(buffer.ptr(), 0, &context, buffer.clone()) };
    assert_eq!(made(line(none)), empty);
    assert_eq!(made(rows(base.clone(), 0, pitch_alignment)), empty);
    let no_rows = base.clone().rows(16, 0, pitch_alignment).unwrap();
    assert_eq!(made(TextureResource::pitched(no_rows, ArrayFormat::FLOAT, 1)), empty);
    // The driver refuses the next ones.
    // SAFETY: nothing samples it.
    let long = unsafe { LinearMemory::from_raw(buffer.ptr(), 1 << 40, &context, buffer.clone()) };
    let error = made(line(long)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    if let Ok(most) = device().texture_1d_linear_max_width(ArrayFormat::FLOAT, 1) {
        let expected = format!(": a line of {} texels, where the device takes {most}", 1_u64 << 38);
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    let most = limit(DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
    let tall = Arc::new(DeviceBuf::<u8>::zeroed(&stream, (most + 1) * pitch_alignment).unwrap());
    let tall = LinearMemory::from(tall).rows(4, most + 1, pitch_alignment).unwrap();
    let error = made(TextureResource::pitched(tall, ArrayFormat::FLOAT, 1)).unwrap_err();
    let expected = format!(": {}, where MAXIMUM_TEXTURE2D_LINEAR_HEIGHT is {most}", most + 1);
    assert!(error.to_string().ends_with(&expected), "{error}");
    // A view of cubes has whole cubes.
    let cubes = Array::new(&stream, ArrayDescriptor::layered_cubemap(4, 2, ArrayFormat::FLOAT, 1)).unwrap();
    let view = ResourceView::of_array(&cubes, ViewFormat::FLOAT_1X32);
    for layers in [6..=11, 0..=11] {
        TexObject::with_view(&context, &cubes, &plain(), &view.clone().with_layers(layers)).unwrap();
    }
    for (layers, value) in [(10..=11, 10), (0..=7, 8)] {
        let view = view.clone().with_layers(layers);
        let error = TexObject::with_view(&context, &cubes, &plain(), &view).unwrap_err();
        let text = format!("layer {value}, where a cube begins or ends, is not a multiple of 6");
        assert_eq!(error, invalid(text));
    }
    // A view is of arrays.
    let image = plane(&stream, [2, 2], &[0.0; 4]);
    let view = ResourceView::of_array(&image, ViewFormat::FLOAT_1X32);
    let error = TexObject::with_view(&context, line(base), &plain(), &view).unwrap_err();
    assert_eq!(error, invalid("a resource of memory has no views;"));
}

#[test]
fn impossible_textures_are_refused_with_their_values() {
    let (context, stream) = (context(), stream());
    let image = plane(&stream, [2, 2], &[0.0; 4]);
    let refused = |texture: &TextureDescriptor, detail: &str| {
        let error = TexObject::new(&context, &image, texture).unwrap_err();
        assert_eq!((error.call(), error.code()), (Some("cuTexObjectCreate"), Some(Code::InvalidValue)));
        assert!(error.to_string().ends_with(detail), "{error}");
    };
    let mode = TextureDescriptor { address_modes: [AddressMode::Other(7); 3], ..plain() };
    refused(&mode, ": address mode 7");
    let filter = TextureDescriptor { filter_mode: FilterMode::Other(8), ..plain() };
    refused(&filter, ": filter mode 8");
    let view = |view: ResourceView| TexObject::with_view(&context, &image, &plain(), &view).map(drop);
    let whole = ResourceView::of_array(&image, ViewFormat::FLOAT_1X32);
    view(whole.clone()).unwrap();
    for wrong in [
        ResourceView { format: ViewFormat::NONE, ..whole.clone() },
        ResourceView { format: ViewFormat::UINT_1X8, ..whole.clone() },
        ResourceView { format: ViewFormat(99), ..whole.clone() },
        ResourceView { width: 1, ..whole.clone() },
        ResourceView { depth: 2, ..whole.clone() },
    ] {
        let error = view(wrong.clone()).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue), "{wrong:?}");
        assert!(error.to_string().contains(": a view of "), "{error}");
    }
    #[allow(clippy::reversed_empty_ranges)] // what is refused
    for (levels, layers) in [(0..=1, 0..=0), (1..=0, 0..=0), (0..=0, 0..=1), (0..=u32::MAX, 0..=0)] {
        let error = view(whole.clone().with_levels(levels).with_layers(layers)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        let text = error.to_string();
        assert!(text.ends_with(" exceeds the length 1") || text.ends_with(", in a length of 1"), "{text}");
    }
    let levels = MipmappedArray::new(&stream, image.descriptor(), 2).unwrap();
    let beyond = ResourceView::of_mipmapped(&levels, ViewFormat::FLOAT_1X32).with_levels(1..=2);
    let error = TexObject::with_view(&context, &levels, &plain(), &beyond).unwrap_err();
    assert_eq!(error, out_of_bounds(1, 3, 2));
}

#[test]
fn arrays_without_memory_are_refused() {
    let (context, stream) = (context(), stream());
    let described = ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1);
    let described = described.with_flags(ArrayFlags::DEFERRED_MAPPING);
    let array = match Array::new(&stream, described) {
        Err(error) if matches!(error.code(), Some(Code::NotSupported | Code::InvalidValue)) => {
            skip!("arrays without memory cannot be made: {error}")
        }
        made => made.unwrap(),
    };
    let error = TexObject::new(&context, &array, &plain()).unwrap_err();
    assert_eq!(error, invalid("contain DEFERRED_MAPPING, and no memory is known to be mapped;"), "{error}");
    let levels = MipmappedArray::new(&stream, described, 2).unwrap();
    assert_eq!(TexObject::new(&context, &levels, &plain()).unwrap_err(), error);
    // They would fault (measured).
}

#[test]
fn sibling_context_array_refused_its_memory_not() {
    driver();
    let (first_context, second) = (own(device()), own(device()));
    let stream = Stream::new(&first_context).unwrap();
    let image = plane(&stream, [2, 2], &[7.0; 4]);
    let error = TexObject::new(&second, &image, &plain()).unwrap_err();
    let expected = invalid("array: it and the texture object belong to different contexts");
    assert_eq!(error, expected);
    let levels = MipmappedArray::new(&stream, image.descriptor(), 1).unwrap();
    assert_eq!(TexObject::new(&second, &levels, &plain()).unwrap_err(), error);
    TexObject::new(&first_context, &image, &plain()).unwrap();
    let buffer = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0]).unwrap());
    stream.synchronize().unwrap();
    let memory = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
    let object = TexObject::new(&second, memory, &plain()).unwrap();
    assert_eq!(first("fetch", &object, [1.0, 0.0, 0.0]), 2.0);
}

#[test]
fn objects_keep_their_resources() {
    driver();
    let told = reports(|| {
        let context = own(device());
        let stream = Stream::new(&context).unwrap();
        let image = plane(&stream, [2, 2], &[7.0; 4]);
        let buffer = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0]).unwrap());
        stream.synchronize().unwrap();
        let array = TexObject::new(&context, image, &plain()).unwrap();
        let memory = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
        let memory = TexObject::new(&context, memory, &plain()).unwrap();
        // No other handle keeps the objects or the context alive.
        drop((stream, context));
        assert_eq!(first("plane", &array, [0.5, 0.5, 0.0]), 7.0);
        assert_eq!(first("fetch", &memory, [1.0, 0.0, 0.0]), 2.0);
        array.close().unwrap();
        drop(memory);
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn objects_are_shared_and_dropped_anywhere() {
    driver();
    let told = reports(|| {
        let (context, other) = (own(device()), own(device()));
        let stream = Stream::new(&context).unwrap();
        let object = TexObject::new(&context, plane(&stream, [2, 2], &[7.0; 4]), &plain()).unwrap();
        // In another context, the same number is another object (measured). The drop must use the right context.
        let image = plane(&Stream::new(&other).unwrap(), [2, 2], &[8.0; 4]);
        let theirs = TexObject::new(&other, image, &plain()).unwrap();
        let object = Arc::new(object);
        thread::scope(|scope| {
            for _ in 0..3 {
                let object = object.clone();
                let other = &other;
                scope.spawn(move || {
                    let _entered = other.enter().unwrap();
                    assert_eq!(first("plane", &object, [0.5, 0.5, 0.0]), 7.0);
                    assert_eq!(object.texture_descriptor(), Ok(plain()));
                    assert_eq!(Context::current_raw().unwrap(), Some(other.as_raw()));
                });
            }
        });
        let _entered = other.enter().unwrap();
        drop(object);
        assert_eq!(first("plane", &theirs, [0.5, 0.5, 0.0]), 8.0);
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn object_is_destroyed_while_a_kernel_samples_it() {
    alone("texture_objects::object_is_destroyed_while_a_kernel_samples_it", || {
        let context = own(device());
        let stream = Stream::new(&context).unwrap();
        let image = plane(&stream, [2, 2], &[7.0; 4]);
        let object = TexObject::new(&context, &image, &plain()).unwrap();
        let out = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
        // Calls that may wait, such as loading modules, come first.
        bits("plane", &object, [0.5, 0.5, 0.0]).unwrap();
        let sample = kernel(&context, "plane");
        let busy = Busy::new(&stream);
        let args = (object.handle(), out.ptr(), 0.5, 0.5, 0.0);
        // SAFETY: one thread writes the four words of `out`. The driver keeps what was launched (measured), whatever
        // becomes of the object.
        unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, args) }.unwrap();
        // Destroying it does not wait (measured): otherwise this would wait for ever.
        object.close().unwrap();
        busy.go();
        assert_eq!(out.to_vec().unwrap()[0], 7.0_f32.to_bits());
        assert_eq!(image.descriptor().width, 2);
    });
}

#[test]
fn captures() {
    let (context, stream) = (context(), stream());
    let image = plane(&stream, [2, 2], &[7.0; 4]);
    let object = TexObject::new(&context, &image, &plain()).unwrap();
    let capturing = Stream::new(&context).unwrap();
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    assert_eq!(object.texture_descriptor(), Ok(plain()));
    drop(object);
    assert!(end_capture(&capturing), "destroying leaves it intact");
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    let made = TexObject::new(&context, &image, &plain());
    let is_intact = end_capture(&capturing);
    assert_eq!(made.map(drop).unwrap_err().code(), Some(Code::StreamCaptureUnsupported));
    assert!(!is_intact);
}

/// The original question: device 0 samples an array of device 1.
#[test]
fn a_peers_array() {
    let (consumer, owner) = pair!();
    let capabilities = consumer.device().peer_capabilities(owner.device()).unwrap();
    assert!(capabilities.access && capabilities.array_access, "two questions");
    let access = consumer.peer_access(&owner).unwrap();
    let stream = Stream::new(&owner).unwrap();
    let image = plane(&stream, [2, 2], &[0.0, 1.0, 2.0, 3.0]);
    assert_eq!(image.context(), &owner);
    let object = {
        // With any current context of the thread.
        let _entered = owner.enter().unwrap();
        TexObject::new(&consumer, &image, &plain()).unwrap()
    };
    assert_eq!(object.context(), &consumer);
    assert_eq!(first("plane", &object, [1.5, 1.5, 0.0]), 3.0);
    // The texture reads later copies as well.
    fill(&image, &[9.0; 4]);
    assert_eq!(first("plane", &object, [1.5, 1.5, 0.0]), 9.0);
    let levels = MipmappedArray::new(&stream, image.descriptor(), 2).unwrap();
    fill(&levels.level(1).unwrap(), &[5.0]);
    let detailed = TextureDescriptor {
        flags: TextureFlags::NORMALIZED_COORDINATES,
        mipmap_level_clamp: [0.0, 9.0],
        ..plain()
    };
    let levels = TexObject::new(&consumer, &levels, &detailed).unwrap();
    assert_eq!(first("level", &levels, [0.5, 0.5, 1.0]), 5.0);
    drop((object, levels));
    drop(access);
    assert!(!is_on(&consumer, &owner));
}

#[test]
fn a_peers_memory() {
    let (consumer, owner) = pair!();
    let access = consumer.peer_access(&owner).unwrap();
    let stream = Stream::new(&owner).unwrap();
    let buffer = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0]).unwrap());
    stream.synchronize().unwrap();
    let memory = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
    let object = TexObject::new(&consumer, memory, &plain()).unwrap();
    drop(access);
    assert_eq!(first("fetch", &object, [1.0, 0.0, 0.0]), 2.0);
    drop(object);
    assert!(!is_on(&consumer, &owner));
}

#[test]
fn a_peers_array_keeps_everything_it_needs() {
    drop(pair!());
    let told = reports(|| {
        let (consumer, owner) = pair().unwrap();
        let access = consumer.peer_access(&owner).unwrap();
        let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
        let object = TexObject::new(&consumer, image, &plain()).unwrap();
        drop((access, owner));
        assert_eq!(first("plane", &object, [0.5, 0.5, 0.0]), 7.0);
        drop(consumer);
        assert_eq!(first("plane", &object, [0.5, 0.5, 0.0]), 7.0);
        object.close().unwrap();
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn access_stays_on_as_long_as_objects_need_it() {
    let (consumer, owner) = pair!();
    let access = consumer.peer_access(&owner).unwrap();
    let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
    let objects = [0, 1].map(|_| TexObject::new(&consumer, &image, &plain()).unwrap());
    assert_eq!(
        consumer.disable_peer_access(&owner),
        invalid("2 texture or surface objects or references of this context still use memory of the peer;"),
        "while objects use the access"
    );
    assert!(consumer.disable_peer_access(&owner).is_err());
    drop(access);
    assert!(is_on(&consumer, &owner));
    let [first_object, second] = objects;
    drop(first_object);
    assert!(is_on(&consumer, &owner));
    assert_eq!(first("plane", &second, [0.5, 0.5, 0.0]), 7.0);
    drop(second);
    assert!(!is_on(&consumer, &owner));
    // Access that was enabled without a guard stays, and can be disabled then.
    consumer.enable_peer_access(&owner).unwrap();
    drop(TexObject::new(&consumer, &image, &plain()).unwrap());
    assert!(is_on(&consumer, &owner));
    consumer.disable_peer_access(&owner).unwrap();
}

#[test]
fn without_access_no_object_is_made() {
    let (consumer, owner) = pair!();
    let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
    let levels = MipmappedArray::new(image.stream(), image.descriptor(), 2).unwrap();
    let error = TexObject::new(&consumer, &image, &plain()).unwrap_err();
    assert_eq!(error.code(), Some(Code::PeerAccessNotEnabled));
    assert_eq!(
        error.to_string(),
        "cuTexObjectCreate: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED (705: peer access has not been enabled): from device 0 to the \
         memory of device 1"
    );
    // The driver does not check arrays with levels, and would crash (measured). It checks a single level.
    let error = TexObject::new(&consumer, &levels, &plain()).unwrap_err();
    assert_eq!(error, invalid("device 0 has no peer access to device 1;"));
    let error = TexObject::new(&consumer, levels.level(1).unwrap(), &plain()).unwrap_err();
    assert_eq!(error.code(), Some(Code::PeerAccessNotEnabled));
    // Access in the other direction does not help, and disabling access is not refused.
    owner.enable_peer_access(&consumer).unwrap();
    assert!(TexObject::new(&consumer, &image, &plain()).is_err());
    consumer.enable_peer_access(&owner).unwrap();
    consumer.disable_peer_access(&owner).unwrap();
    TexObject::new(&owner, &image, &plain()).unwrap();
}

#[test]
fn access_disabled_by_other_code_is_a_fault() {
    drop(pair!());
    alone("texture_objects::access_disabled_by_other_code_is_a_fault", || {
        let (consumer, owner) = pair().unwrap();
        consumer.enable_peer_access(&owner).unwrap();
        let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
        let object = TexObject::new(&consumer, &image, &plain()).unwrap();
        assert_eq!(first("plane", &object, [0.5, 0.5, 0.0]), 7.0);
        let entered = consumer.enter().unwrap();
        // SAFETY: both are live.
        let disabled = unsafe { cuda_sys::cuCtxDisablePeerAccess(owner.as_raw()) };
        drop(entered);
        assert!(disabled.is_success());
        let error = bits("plane", &object, [0.5, 0.5, 0.0]).unwrap_err();
        assert_eq!(error.code(), Some(Code::IllegalAddress));
        // Nothing panics or crashes from here on.
        assert!(object.texture_descriptor().unwrap_err().is_sticky());
        let told = reports(|| drop(object));
        assert!(!told.is_empty());
        assert!(TexObject::new(&consumer, &image, &plain()).unwrap_err().is_sticky());
    });
}

#[test]
fn dropping_object_of_peer_array_waits_for_kernels() {
    drop(pair!());
    alone("texture_objects::dropping_object_of_peer_array_waits_for_kernels", || {
        let (consumer, owner) = pair().unwrap();
        let access = consumer.peer_access(&owner).unwrap();
        let image = plane(&Stream::new(&owner).unwrap(), [64, 64], &[7.0; 64 * 64]);
        let object = TexObject::new(&consumer, image, &plain()).unwrap();
        let stream = Stream::new(&consumer).unwrap();
        let out = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
        let sample = kernel(&consumer, "plane");
        let busy = Busy::new(&stream);
        let args = (object.handle(), out.ptr(), 0.5, 0.5, 0.0);
        // SAFETY: one thread writes the four words of `out`. The driver keeps what was launched (measured).
        unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, args) }.unwrap();
        drop(access);
        thread::scope(|scope| {
            let dropping = scope.spawn(|| {
                // The only one that has the array.
                drop(object);
                stream.is_done()
            });
            thread::sleep(std::time::Duration::from_millis(20));
            // Not queried before, because that would wait for the thread. Access is still on.
            busy.go();
            assert_eq!(dropping.join().unwrap(), Ok(true), "it has waited");
        });
        assert_eq!(out.to_vec().unwrap()[0], 7.0_f32.to_bits());
        assert!(!is_on(&consumer, &owner));
    });
}

/// In a process of its own: waiting for a context would wait for other tests' captures.
#[test]
fn dropping_object_of_peer_array_keeps_captures() {
    drop(pair!());
    {
        let capturing = stream();
        let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
        end_capture(&capturing);
    }
    alone("texture_objects::dropping_object_of_peer_array_keeps_captures", || {
        let (consumer, owner) = pair().unwrap();
        let access = consumer.peer_access(&owner).unwrap();
        let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
        let object = TexObject::new(&consumer, image, &plain()).unwrap();
        let capturing = Stream::new(&consumer).unwrap();
        begin_capture(&capturing).unwrap();
        let told = reports(|| drop(object));
        assert!(told.is_empty(), "{told:?}");
        assert!(end_capture(&capturing));
        drop(access);
        assert!(!is_on(&consumer, &owner));
    });
}

/// The array may be remote, the object is of the context that launches.
#[test]
fn an_objects_number_is_its_contexts() {
    let (consumer, owner) = pair!();
    let _access = consumer.peer_access(&owner).unwrap();
    let image = plane(&Stream::new(&owner).unwrap(), [2, 2], &[7.0; 4]);
    let near = TexObject::new(&owner, &image, &plain()).unwrap();
    let far = TexObject::new(&consumer, &image, &plain()).unwrap();
    assert_eq!(first("plane", &near, [0.5, 0.5, 0.0]), 7.0);
    assert_eq!(first("plane", &far, [0.5, 0.5, 0.0]), 7.0);
    // Dropping one leaves the other, whatever their numbers are.
    drop(near);
    assert_eq!(first("plane", &far, [0.5, 0.5, 0.0]), 7.0);
    assert_eq!(far.texture_descriptor(), Ok(plain()));
}

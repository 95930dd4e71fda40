//! Texture references through the safe layer: bindings and their owners, samples by kernels, and refusals.
#![allow(unsafe_code)] // launches

use crate::busy::Busy;
use crate::{alone, typed};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::KernelArgs;
use cuda_rt::memory::{AccessSize, CopyDestination, CopySource, Memcpy3D, PitchedBuf};
use cuda_rt::texture::{
    AddressMode, FilterMode, LinearMemory, PitchedMemory, TexRef, TextureFlags, TextureOffset,
};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_suite::{device, driver, invalid, reports, second_device, skip, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PTX: &str = ".version 7.0
.target sm_50
.address_size 64
.global .texref t;
.global .texref other;
.global .surfref s;
.visible .entry plane(.param .u64 out, .param .f32 x, .param .f32 y) {
    .reg .b64 %to; .reg .f32 %x, %y, %v<4>;
    ld.param.u64 %to, [out]; ld.param.f32 %x, [x]; ld.param.f32 %y, [y];
    tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [t, {%x, %y}];
    st.global.f32 [%to], %v0; ret; }
.visible .entry line(.param .u64 out, .param .f32 x) {
    .reg .b64 %to; .reg .f32 %x, %v<4>;
    ld.param.u64 %to, [out]; ld.param.f32 %x, [x];
    tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [t, {%x}];
    st.global.f32 [%to], %v0; ret; }
.visible .entry fetch(.param .u64 out, .param .u32 i) {
    .reg .b64 %to; .reg .b32 %i; .reg .f32 %v<4>;
    ld.param.u64 %to, [out]; ld.param.u32 %i, [i];
    tex.1d.v4.f32.s32 {%v0, %v1, %v2, %v3}, [t, {%i}];
    st.global.f32 [%to], %v0; ret; }
.visible .entry level(.param .u64 out, .param .f32 x, .param .f32 lod) {
    .reg .b64 %to; .reg .f32 %x, %y, %v<4>;
    ld.param.u64 %to, [out]; ld.param.f32 %x, [x]; ld.param.f32 %y, [lod];
    tex.level.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [t, {%x, %x}], %y;
    st.global.f32 [%to], %v0; ret; }
.visible .entry whole(.param .u64 out, .param .f32 x) {
    .reg .b64 %to; .reg .f32 %x; .reg .b32 %v<4>;
    ld.param.u64 %to, [out]; ld.param.f32 %x, [x];
    tex.1d.v4.u32.f32 {%v0, %v1, %v2, %v3}, [t, {%x}];
    st.global.u32 [%to], %v0; ret; }
";

/// A module with its references, and a word for what its kernels find.
struct Sampler {
    stream: Stream,
    module: Module,
    out: DeviceBuf<u32>,
}

impl Sampler {
    fn new() -> Sampler {
        Sampler::on(stream())
    }

    fn on(stream: Stream) -> Sampler {
        let module = Module::from_ptx(stream.context(), PTX).unwrap();
        let out = DeviceBuf::zeroed(&stream, 1).unwrap();
        Sampler { stream, module, out }
    }

    fn reference(&self) -> TexRef {
        self.module.tex_ref("t").unwrap()
    }

    fn launch<A: KernelArgs>(&self, name: &str, args: A) {
        let kernel = typed::<A>(&self.module.function(name).unwrap());
        // SAFETY: one thread writes the word, and reads the memory that the test has bound, to which no code writes meanwhile.
        unsafe { kernel.launch(LaunchConfig::new(1, 1), &self.stream, args) }.unwrap();
    }

    fn word(&self) -> u32 {
        self.out.to_vec().unwrap()[0]
    }

    fn number(&self) -> f32 {
        f32::from_bits(self.word())
    }

    fn out(&self) -> DevicePtr<u32> {
        self.out.ptr()
    }

    fn plane(&self, x: f32, y: f32) -> f32 {
        self.launch("plane", (self.out(), x, y));
        self.number()
    }

    fn line(&self, x: f32) -> f32 {
        self.launch("line", (self.out(), x));
        self.number()
    }

    fn fetch(&self, index: i32) -> f32 {
        self.launch("fetch", (self.out(), index));
        self.number()
    }

    fn level(&self, x: f32, level: f32) -> f32 {
        self.launch("level", (self.out(), x, level));
        self.number()
    }

    fn whole(&self, x: f32) -> u32 {
        self.launch("whole", (self.out(), x));
        self.word()
    }
}

/// An array of `width` floats. The first is `first`, and each is 1 more than the one before.
fn counting(stream: &Stream, width: usize, first: f32) -> Array {
    let array = Array::new(stream, ArrayDescriptor::line(width, ArrayFormat::FLOAT, 1)).unwrap();
    let values: Vec<f32> = (0..width).map(|index| first + index as f32).collect();
    array.copy_from_host(0, &values).unwrap();
    array
}

/// Rows, filled by rows.
fn rows(stream: &Stream, width: usize, height: usize) -> Array {
    let array = Array::new(stream, ArrayDescriptor::plane(width, height, ArrayFormat::FLOAT, 1)).unwrap();
    let values: Vec<f32> = (0..width * height).map(|index| index as f32).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    Memcpy3D::plane(CopyDestination::array(&array), CopySource::host(&bytes), 4 * width, height)
        .copy()
        .unwrap();
    array
}

/// Floats in memory.
fn samples(stream: &Stream, len: usize) -> Arc<DeviceBuf<f32>> {
    let values: Vec<f32> = (0..len).map(|index| 1.0 + index as f32).collect();
    Arc::new(DeviceBuf::from_host(stream, &values).unwrap())
}

#[test]
fn an_array_is_sampled_and_kept() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let array = rows(&sampler.stream, 8, 4);
    // The array's texels count, whatever the reference's were.
    reference.set_format(ArrayFormat::UNSIGNED_INT8, 4).unwrap();
    reference.set_array(&array).unwrap();
    assert_eq!(reference.format().unwrap(), (ArrayFormat::FLOAT, 1));
    assert_eq!(reference.array().unwrap(), Some(array.clone()));
    assert_eq!((reference.mipmapped_array().unwrap(), reference.address().unwrap()), (None, None));
    drop(array);
    drop(reference);
    assert_eq!(sampler.plane(3.5, 2.5), 19.0);
    assert_eq!(sampler.reference().array().unwrap().unwrap().descriptor().width, 8);
}

#[test]
fn a_name_is_one_reference() {
    let sampler = Sampler::new();
    let (first, second) = (sampler.reference(), sampler.reference());
    assert_eq!((first == second, first.as_raw() == second.as_raw()), (true, true));
    assert_ne!(first, sampler.module.tex_ref("other").unwrap());
    let array = counting(&sampler.stream, 4, 1.0);
    first.set_array(&array).unwrap();
    drop(first);
    assert_eq!(second.array().unwrap(), Some(array.clone()));
    // Binding through one handle replaces the binding of the other.
    let next = counting(&sampler.stream, 4, 10.0);
    second.set_array(&next).unwrap();
    assert_eq!(sampler.line(1.5), 11.0);
    array.close().unwrap(); // nothing else has it
    assert_eq!(sampler.module.tex_ref("other").unwrap().array().unwrap(), None);
}

#[test]
fn names_that_there_are_not() {
    let module = Sampler::new().module;
    for name in ["u", "s", "plane", "T", ""] {
        let error = module.tex_ref(name).unwrap_err();
        assert_eq!((error.kind(), error.call()), (ErrorKind::NotFound, Some("cuModuleGetTexRef")));
        assert!(error.to_string().contains(&format!(": `{name}`")), "{error}");
    }
    let refused = module.tex_ref("t\0").unwrap_err();
    assert_eq!(refused, invalid("the byte at position 1 is NUL"));
}

#[test]
fn reference_keeps_its_module_and_its_binding() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    reference.set_array(&counting(&sampler.stream, 4, 1.0)).unwrap();
    let kernel = typed::<(DevicePtr<u32>, f32)>(&sampler.module.function("line").unwrap());
    let Sampler { stream, module, out } = sampler;
    assert_eq!(reference.module().unwrap().as_raw(), module.as_raw());
    drop(module);
    drop(reference);
    // SAFETY: one thread writes the word, and reads the array, to which no code writes.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), 2.5)) }.unwrap();
    assert_eq!(f32::from_bits(out.to_vec().unwrap()[0]), 3.0);
    assert!(reports(|| drop(kernel)).is_empty());
}

/// An array goes when it is not bound any more, not before.
#[test]
fn bindings_end_with_the_module() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let samples = samples(&sampler.stream, 4);
    let memory = LinearMemory::from(samples.clone());
    reference.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    assert_eq!(Arc::strong_count(&samples), 2);
    drop(reference);
    assert_eq!(Arc::strong_count(&samples), 2);
    sampler.module.close().unwrap();
    assert_eq!(Arc::strong_count(&samples), 1);
    // Another array takes its place likewise.
    let sampler = Sampler::new();
    let reference = sampler.reference();
    reference.set_linear(samples.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    reference.set_array(&counting(&sampler.stream, 4, 1.0)).unwrap();
    assert_eq!(Arc::strong_count(&samples), 1);
    // An address without an owner replaces it, too.
    reference.set_linear(samples.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    // SAFETY: the buffer lives on until the module is gone.
    unsafe { reference.set_address(samples.ptr(), 16, TextureOffset::Refused) }.unwrap();
    assert_eq!(Arc::strong_count(&samples), 1);
    assert_eq!(sampler.fetch(3), 4.0);
    // SAFETY: as above.
    unsafe { reference.set_address(samples.ptr(), 4, TextureOffset::Refused) }.unwrap();
    let beyond = reference.set_format(ArrayFormat::FLOAT, 2).unwrap_err();
    assert_eq!(beyond.kind(), ErrorKind::InvalidArgument, "{beyond}");
    drop((reference, sampler));
}

/// PyCUDA forgets the last of these.
#[test]
fn addresses_take_the_place_of_arrays() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let array = counting(&sampler.stream, 16, 1.0);
    let buffer = samples(&sampler.stream, 256);
    let line = ArrayDescriptor::plane(16, 1, ArrayFormat::FLOAT, 1);
    for round in 0..2 {
        reference.set_array(&array).unwrap();
        let bound = match round {
            // SAFETY: the buffer lives on until the module is gone.
            0 => unsafe { reference.set_address(buffer.ptr(), 64, TextureOffset::Refused) }.map(drop),
            // SAFETY: as above.
            _ => unsafe { reference.set_address_2d(buffer.ptr(), &line, 512) },
        };
        bound.unwrap();
        assert_eq!(reference.array().unwrap(), None);
        assert_eq!(reference.address().unwrap(), Some(buffer.ptr().cast()));
        assert_eq!(if round == 0 { sampler.fetch(2) } else { sampler.plane(2.5, 0.5) }, 3.0);
    }
    array.close().unwrap();
    drop((reference, sampler));
}

#[test]
fn linear_memory_is_fetched() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let samples = samples(&sampler.stream, 100);
    let memory = LinearMemory::from(samples.clone());
    let offset = reference.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    assert_eq!((offset, reference.address().unwrap()), (0, Some(samples.ptr().cast())));
    let found = [0, 99, 100, -1].map(|index| sampler.fetch(index));
    assert_eq!(found, [1.0, 100.0, 0.0, 0.0]);
    // An array is not fetched so (measured).
    reference.set_array(&counting(&sampler.stream, 4, 1.0)).unwrap();
    assert_eq!((sampler.fetch(1), sampler.line(1.5)), (0.0, 2.0));
}

#[test]
fn offsets_are_returned_or_refused() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let alignment = device().attribute(DeviceAttribute::TEXTURE_ALIGNMENT).unwrap() as usize;
    let buffer = samples(&sampler.stream, 3 * alignment);
    let from = |start: usize| {
        let (address, bytes) = (buffer.ptr().add(start), buffer.size_bytes() - 4 * start);
        // SAFETY: the rest of the buffer, which is the owner.
        unsafe { LinearMemory::from_raw(address, bytes, sampler.stream.context(), buffer.clone()) }
    };
    let first = counting(&sampler.stream, 4, 1.0);
    reference.set_array(&first).unwrap();
    let error = reference.set_linear(from(4), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap_err();
    assert_eq!(error, invalid(format!("it begins 16 bytes after a multiple of {alignment},")));
    // SAFETY: as above.
    let raw = unsafe { reference.set_address(buffer.ptr().add(4), 64, TextureOffset::Refused) };
    assert_eq!(raw.unwrap_err(), invalid(format!("it begins 16 bytes after a multiple of {alignment},")));
    // The binding has not changed.
    assert_eq!((reference.array().unwrap(), sampler.line(0.5)), (Some(first), 1.0));

    let offset = reference.set_linear(from(4), ArrayFormat::FLOAT, 1, TextureOffset::Allowed).unwrap();
    assert_eq!(offset, 16);
    assert_eq!(sampler.fetch(4), 5.0, "the first of the memory");
    assert_eq!(reference.address().unwrap(), Some(buffer.ptr().cast()));
    let whole = from(alignment / 4);
    let offset = reference.set_linear(whole, ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    assert_eq!((offset, sampler.fetch(0)), (0, 1.0 + (alignment / 4) as f32));
}

#[test]
fn rows_of_memory_are_sampled() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let mut image = PitchedBuf::<f32>::uninit(&sampler.stream, 10, 5, AccessSize::Four).unwrap();
    image.fill(0.0).unwrap();
    for row in 0..5 {
        image.row_mut(row).unwrap().fill(row as f32).unwrap();
    }
    let image = Arc::new(image);
    reference.set_pitched(image.clone(), ArrayFormat::FLOAT, 1).unwrap();
    assert_eq!(Arc::strong_count(&image), 2);
    assert_eq!(reference.format().unwrap(), (ArrayFormat::FLOAT, 1));
    assert_eq!(
        [sampler.plane(0.5, 0.5), sampler.plane(9.5, 3.5), sampler.plane(50.0, 50.0)],
        [0.0, 3.0, 4.0]
    );
    reference.set_filter_mode(FilterMode::Linear).unwrap();
    assert_eq!(sampler.plane(4.5, 2.0), 1.5);
    drop((reference, sampler));
    assert_eq!(Arc::strong_count(&image), 1);
}

#[test]
fn levels_are_sampled_and_kept() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let image =
        MipmappedArray::new(&sampler.stream, ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1), 2).unwrap();
    for (level, value) in [(0, 4.0_f32), (1, 8.0)] {
        let level = image.level(level).unwrap();
        let (width, height) = (level.descriptor().width, level.descriptor().height);
        let bytes: Vec<u8> = (0..width * height).flat_map(|_| value.to_ne_bytes()).collect();
        let from = CopySource::host(&bytes);
        Memcpy3D::plane(CopyDestination::array(&level), from, 4 * width, height).copy().unwrap();
    }
    reference.set_mipmapped_array(&image).unwrap();
    assert_eq!(
        (reference.array().unwrap(), reference.mipmapped_array().unwrap()),
        (None, Some(image.clone()))
    );
    let level = image.level(1).unwrap();
    drop(image);
    reference.set_flags(TextureFlags::NORMALIZED_COORDINATES).unwrap();
    reference.set_mipmap_filter_mode(FilterMode::Linear).unwrap();
    let refused = reference.set_mipmap_filter_mode(FilterMode::Other(99)).unwrap_err();
    assert!(refused.to_string().ends_with(": filter mode Other(99)"), "{refused}");
    reference.set_mipmap_level_clamp([0.0, 10.0]).unwrap();
    assert_eq!([0.0, 0.5, 1.0].map(|level| sampler.level(0.5, level)), [4.0, 6.0, 8.0]);
    // A level can be bound by itself.
    reference.set_array(&level).unwrap();
    drop(level);
    assert_eq!((sampler.plane(0.5, 0.5), reference.mipmapped_array().unwrap()), (8.0, None));
}

#[test]
fn modes_and_flags_are_obeyed() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let array =
        Array::new(&sampler.stream, ArrayDescriptor::line(16, ArrayFormat::UNSIGNED_INT8, 1)).unwrap();
    let bytes: Vec<u8> = (0..16).map(|index| index * 16).collect();
    array.copy_from_host(0, &bytes).unwrap();
    reference.set_array(&array).unwrap();
    let fraction = f32::from_bits(sampler.whole(3.5));
    assert!((fraction - 48.0 / 255.0).abs() < 1e-6, "{fraction}");
    reference.set_flags(TextureFlags::READ_AS_INTEGER | TextureFlags::NORMALIZED_COORDINATES).unwrap();
    let modes = [
        (AddressMode::Wrap, 32),
        (AddressMode::Clamp, 240),
        (AddressMode::Mirror, 208),
        (AddressMode::Border, 0),
    ];
    for (mode, expected) in modes {
        reference.set_address_mode(0, mode).unwrap();
        assert_eq!(sampler.whole(18.5 / 16.0), expected, "{mode:?}");
    }
}

#[test]
fn settings_of_a_reference_read_back() {
    let module = Sampler::new().module;
    let context = module.context().clone();
    for reference in [module.tex_ref("t").unwrap(), TexRef::new(&context).unwrap()] {
        // As fresh ones are (measured).
        assert_eq!(
            [0, 1, 2].map(|dimension| reference.address_mode(dimension).unwrap()),
            [AddressMode::Clamp; 3]
        );
        assert_eq!(reference.filter_mode().unwrap(), FilterMode::Point);
        assert_eq!(reference.mipmap_filter_mode().unwrap(), FilterMode::Point);
        assert_eq!(reference.flags().unwrap(), TextureFlags::empty());
        assert_eq!(reference.format().unwrap(), (ArrayFormat::FLOAT, 1));
        assert_eq!((reference.max_anisotropy().unwrap(), reference.mipmap_level_bias().unwrap()), (0, 0.0));
        assert_eq!(reference.mipmap_level_clamp().unwrap(), [0.0; 2]);
        assert_eq!(reference.border_color().unwrap(), [0.0; 4]);
        assert_eq!((reference.array().unwrap(), reference.address().unwrap()), (None, None));

        for (dimension, mode) in
            [AddressMode::Border, AddressMode::Mirror, AddressMode::Wrap].into_iter().enumerate()
        {
            reference.set_address_mode(dimension as u32, mode).unwrap();
            assert_eq!(reference.address_mode(dimension as u32).unwrap(), mode);
        }
        reference.set_filter_mode(FilterMode::Linear).unwrap();
        assert_eq!(reference.filter_mode().unwrap(), FilterMode::Linear);
        reference.set_mipmap_filter_mode(FilterMode::Linear).unwrap();
        assert_eq!(reference.mipmap_filter_mode().unwrap(), FilterMode::Linear);
        let flags = TextureFlags::SRGB | TextureFlags::DISABLE_TRILINEAR_OPTIMIZATION;
        reference.set_flags(flags).unwrap();
        assert_eq!(reference.flags().unwrap(), flags);
        reference.set_format(ArrayFormat::SIGNED_INT16, 2).unwrap();
        assert_eq!(reference.format().unwrap(), (ArrayFormat::SIGNED_INT16, 2));
        reference.set_mipmap_level_bias(0.25).unwrap();
        assert_eq!(reference.mipmap_level_bias().unwrap(), 0.25);
        reference.set_mipmap_level_clamp([1.0, 3.0]).unwrap();
        assert_eq!(reference.mipmap_level_clamp().unwrap(), [1.0, 3.0]);
        reference.set_max_anisotropy(4).unwrap();
        assert_eq!(reference.max_anisotropy().unwrap(), 4);
        reference.set_border_color([0.25, 0.5, 0.75, 1.0]).unwrap();
        assert_eq!(reference.border_color().unwrap(), [0.25, 0.5, 0.75, 1.0]);
    }
}

#[test]
fn refusals_name_the_value_and_the_limit() {
    let sampler = Sampler::new();
    let (reference, stream) = (sampler.reference(), &sampler.stream);
    for refused in [reference.set_address_mode(3, AddressMode::Wrap), reference.address_mode(3).map(drop)] {
        assert_eq!(refused.unwrap_err(), invalid("dimension 3 exceeds 2;"));
    }
    for (format, channels) in [(ArrayFormat::FLOAT, 3), (ArrayFormat::FLOAT, 0), (ArrayFormat(0x77), 1)] {
        let refusal = invalid(format!("memory has no texels of format {format} with {channels} channels"));
        assert_eq!(reference.set_format(format, channels).unwrap_err(), refusal);
        let memory = LinearMemory::from(samples(stream, 4));
        let line = reference.set_linear(memory.clone(), format, channels, TextureOffset::Refused);
        assert_eq!(line.unwrap_err(), refusal);
        let rows = reference.set_pitched(memory.rows(16, 1, 512).unwrap(), format, channels);
        assert_eq!(rows.unwrap_err(), refusal);
    }
    let memory = |len| LinearMemory::from(Arc::new(DeviceBuf::<u8>::zeroed(stream, len).unwrap()));
    let line = |len| reference.set_linear(memory(len), ArrayFormat::FLOAT, 1, TextureOffset::Refused);
    assert_eq!(line(0).unwrap_err(), invalid("texture memory: it has 0 bytes"));
    let refusal = invalid("size of the memory: 7 is not a multiple of 4");
    assert_eq!(line(7).unwrap_err(), refusal);
    let rows = |width, height| {
        let memory = memory(1024).rows(width, height, 512).unwrap();
        reference.set_pitched(memory, ArrayFormat::HALF, 2)
    };
    let refusal = invalid("length of a row: 30 is not a multiple of 4");
    assert_eq!(rows(30, 2).unwrap_err(), refusal);
    for refused in [rows(0, 2), rows(8, 0)] {
        assert_eq!(refused.unwrap_err(), invalid("texture memory: it has 0 bytes"));
    }
    let flags = TextureFlags::from_bits_retain(0x8000);
    let error = reference.set_flags(flags).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with("flags 0x8000"), "{error}");
    assert_eq!((reference.array().unwrap(), reference.address().unwrap()), (None, None));
}

#[test]
fn limits_of_the_device_are_named() {
    let sampler = Sampler::new();
    let (reference, stream) = (sampler.reference(), &sampler.stream);
    let number = |limit| u64::try_from(device().attribute(limit).unwrap()).unwrap();
    let refused = |outcome: cuda_rt::Result<()>, limit, value| {
        let error = outcome.unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue));
        let device = number(limit);
        let multiple = matches!(limit, DeviceAttribute::TEXTURE_PITCH_ALIGNMENT);
        let expected = match multiple {
            true => format!(": {value} is no multiple of {limit}, which is {device}"),
            false => format!(": {value}, where {limit} is {device}"),
        };
        assert!(error.to_string().ends_with(&expected), "{error}");
    };
    // The driver does not check the size of the memory, and nothing is launched.
    let rows = |start: usize, width: usize, height: usize, pitch: usize| {
        let buffer = samples(stream, 1024);
        let address = buffer.ptr().cast::<u8>().add(start);
        // SAFETY: no kernel reads it.
        let memory = unsafe { LinearMemory::from_raw(address, usize::MAX >> 8, stream.context(), buffer) };
        reference.set_pitched(memory.rows(width, height, pitch).unwrap(), ArrayFormat::UNSIGNED_INT8, 1)
    };
    rows(0, 16, 2, 512).unwrap();
    let (start, pitch) =
        (number(DeviceAttribute::TEXTURE_ALIGNMENT) / 2, number(DeviceAttribute::TEXTURE_PITCH_ALIGNMENT));
    let text = rows(start as usize, 16, 2, 512).unwrap_err().to_string();
    let expected = format!(" is no multiple of TEXTURE_ALIGNMENT, which is {}", 2 * start);
    let address = text.strip_suffix(&expected).and_then(|text| text.rsplit(' ').next()).unwrap();
    assert_eq!(address.parse::<u64>().unwrap() % (2 * start), start, "{text}");
    refused(
        rows(0, 16, 2, 512 + pitch as usize / 2),
        DeviceAttribute::TEXTURE_PITCH_ALIGNMENT,
        512 + pitch / 2,
    );
    let most = number(DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
    refused(rows(0, 16, most as usize + 1, 512), DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, most + 1);
    let most = number(DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
    let pitch = (most + 1).next_multiple_of(512) as usize;
    refused(rows(0, most as usize + 1, 1, pitch), DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_WIDTH, most + 1);
    let most = number(DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_PITCH);
    let pitch = (most + 1).next_multiple_of(512);
    refused(rows(0, 16, 1, pitch as usize), DeviceAttribute::MAXIMUM_TEXTURE2D_LINEAR_PITCH, pitch);

    let buffer = samples(stream, 4);
    // SAFETY: as above.
    let memory = unsafe { LinearMemory::from_raw(buffer.ptr(), 1 << 40, stream.context(), buffer) };
    let line = reference.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Refused).map(drop);
    match device().texture_1d_linear_max_width(ArrayFormat::FLOAT, 1) {
        Ok(most) => match line {
            Err(error) => {
                let expected = format!("texture width: {} is more than {most}", 1_u64 << 38);
                assert_eq!(error.to_string(), expected);
            }
            Ok(()) => panic!("a line of {} texels, where there can be {most}", 1_u64 << 38),
        },
        // With drivers that cannot be asked.
        Err(_) => refused(line, DeviceAttribute::MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 1 << 38),
    }
    // The binding is the one from before.
    assert_eq!(reference.format().unwrap(), (ArrayFormat::UNSIGNED_INT8, 1));
}

/// With larger texels the driver would reach beyond (measured).
#[test]
fn formats_beyond_the_bound_texels_are_refused() {
    let sampler = Sampler::new();
    let (reference, stream) = (sampler.reference(), &sampler.stream);
    let refused = |bound| {
        let refusal = reference.set_format(ArrayFormat::FLOAT, 4).unwrap_err();
        let bound = match bound {
            Some(bytes) => format!("differ from those bound, of {bytes} bytes;"),
            None => "differ from those bound, of unknown size;".to_owned(),
        };
        assert_eq!(refusal, invalid(format!("texels of 16 bytes {bound}")));
    };
    let memory = || LinearMemory::from(samples(stream, 256));
    reference.set_pitched(memory().rows(64, 2, 512).unwrap(), ArrayFormat::FLOAT, 1).unwrap();
    refused(Some(4));
    reference.set_format(ArrayFormat::UNSIGNED_INT32, 1).unwrap();
    reference.set_array(&counting(stream, 4, 1.0)).unwrap();
    refused(Some(4));
    let image = ArrayDescriptor::plane(4, 4, ArrayFormat::HALF, 4);
    reference.set_mipmapped_array(&MipmappedArray::new(stream, image, 1).unwrap()).unwrap();
    refused(Some(8));
    // A line has its length in bytes (measured).
    reference.set_linear(memory(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    reference.set_format(ArrayFormat::FLOAT, 4).unwrap();
    assert_eq!([1, 63, 64].map(|index| sampler.fetch(index)), [5.0, 253.0, 0.0]);
    // But the first texel can be read, even if the line is shorter (measured).
    let short = LinearMemory::from(samples(stream, 2));
    reference.set_linear(short, ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    let refusal = reference.set_format(ArrayFormat::FLOAT, 4).unwrap_err();
    assert_eq!(refusal, invalid("texels of 16 bytes exceed the bound line of 8 bytes;"));
    reference.set_format(ArrayFormat::FLOAT, 2).unwrap();
}

#[test]
fn calls_work_whatever_is_current() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let array = counting(&sampler.stream, 4, 1.0);
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let _entered = other.enter().unwrap();
    reference.set_array(&array).unwrap();
    reference.set_filter_mode(FilterMode::Point).unwrap();
    assert_eq!(reference.array().unwrap(), Some(array));
    assert_eq!(sampler.line(1.5), 2.0);
    assert!(other.is_current().unwrap());
}

/// A reference is of its module's context, and there is no way to give it to a kernel of another.
#[test]
fn arrays_of_a_sibling_context_are_refused() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let own = counting(&sampler.stream, 4, 1.0);
    reference.set_array(&own).unwrap();
    let other = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    let refusal = invalid("array: it and the texture reference belong to different contexts");
    assert_eq!(reference.set_array(&counting(&other, 4, 5.0)).unwrap_err(), refusal);
    let levels = MipmappedArray::new(&other, ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1), 1).unwrap();
    assert_eq!(reference.set_mipmapped_array(&levels).unwrap_err(), refusal);
    assert_eq!(reference.array().unwrap(), Some(own));
}

#[test]
fn reference_of_its_own_keeps_its_binding() {
    let stream = stream();
    let reference = TexRef::new(stream.context()).unwrap();
    assert_eq!((reference.module().is_none(), reference.name()), (true, None));
    let samples = samples(&stream, 4);
    reference.set_linear(samples.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    let clone = reference.clone();
    reference.close().unwrap();
    assert_eq!(Arc::strong_count(&samples), 2);
    clone.set_array(&counting(&stream, 4, 1.0)).unwrap();
    assert_eq!(Arc::strong_count(&samples), 1);
    assert!(reports(|| drop(clone)).is_empty());
}

/// An array that was bound through the raw API has no owner here, so `array` returns `None`.
#[test]
fn arrays_bound_by_other_code_are_not_returned() {
    let sampler = Sampler::new();
    let reference = sampler.reference();
    let (own, theirs) = (counting(&sampler.stream, 4, 1.0), counting(&sampler.stream, 4, 5.0));
    reference.set_array(&own).unwrap();
    let flags = cuda_sys::CU_TRSA_OVERRIDE_FORMAT;
    // SAFETY: both are live, and the array outlives the module.
    let bound = unsafe { cuda_sys::cuTexRefSetArray(reference.as_raw(), theirs.as_raw(), flags) };
    assert!(bound.is_success());
    assert_eq!((reference.array().unwrap(), sampler.line(0.5)), (None, 5.0));
    reference.set_array(&own).unwrap();
    assert_eq!(reference.array().unwrap(), Some(own));
}

/// Measured: binding does not wait for kernels, and they go on with what was bound when they were launched.
#[test]
fn launch_uses_the_binding_of_its_time() {
    alone("texture_references::launch_uses_the_binding_of_its_time", || {
        let sampler = Sampler::new();
        let reference = sampler.reference();
        let (first, second) = (counting(&sampler.stream, 4, 1.0), counting(&sampler.stream, 4, 5.0));
        reference.set_array(&first).unwrap();
        sampler.line(0.5);
        let busy = Busy::new(&sampler.stream);
        sampler.launch("line", (sampler.out(), 0.5_f32));
        reference.set_array(&second).unwrap();
        assert!(!sampler.stream.is_done().unwrap());
        busy.go();
        assert_eq!(sampler.number(), 1.0);
        assert_eq!(sampler.line(0.5), 5.0);
    });
}

/// An array that a kernel samples stays until the kernel has ended, no matter which code drops it.
#[test]
fn sampled_array_stays_until_the_kernel_ends() {
    alone("texture_references::sampled_array_stays_until_the_kernel_ends", || {
        let sampler = Sampler::new();
        let reference = sampler.reference();
        reference.set_array(&counting(&sampler.stream, 4, 1.0)).unwrap();
        let next = counting(&sampler.stream, 4, 5.0);
        sampler.line(0.5);
        let busy = Busy::new(&sampler.stream);
        sampler.launch("line", (sampler.out(), 2.5_f32));
        let is_bound = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Destroys the array before, for which it waits.
                reference.set_array(&next).unwrap();
                is_bound.store(true, Ordering::Release);
            });
            assert!(!is_bound.load(Ordering::Acquire));
            busy.go();
        });
        assert_eq!(sampler.number(), 3.0);
    });
}

/// No release of CUDA has the symbol. The codes 706 and 707 are not used.
#[test]
fn nothing_is_registered_with_peers() {
    assert_eq!(cuda_sys::Symbol::from_name("cuMemPeerRegister"), None);
    assert!(cuda_sys::Symbol::all().all(|symbol| !symbol.name().contains("PeerRegister")));
    assert!(cuda_sys::Symbol::all().all(|symbol| !symbol.name().contains("PeerUnregister")));
    for number in [706, 707] {
        assert!(matches!(Code::from_number(number), Some(Code::Unknown(_))), "{number}");
    }
}

#[test]
fn constants_are_those_of_the_driver() {
    assert_eq!((cuda_sys::CU_TRSA_OVERRIDE_FORMAT, cuda_sys::CU_PARAM_TR_DEFAULT), (1, -1));
    let flags = [TextureFlags::READ_AS_INTEGER, TextureFlags::NORMALIZED_COORDINATES, TextureFlags::SRGB];
    assert_eq!(flags.map(|flags| flags.bits()), [1, 2, 0x10]);
}

/// A sampler in a context of the first device, and a stream of one of the second, whose arrays it reaches.
fn pair() -> Option<(Sampler, Stream)> {
    driver();
    let reaches = |second: &Device| device().peer_capabilities(*second).unwrap().array_access;
    let second = second_device().filter(reaches)?;
    let own = |device| Stream::new(&Context::new(device, ContextFlags::default()).unwrap()).unwrap();
    Some((Sampler::on(own(device())), own(second)))
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other's arrays"),
        }
    };
}

/// Access in the consumer, a binding there, and a launch are enough. The array is like any other.
#[test]
fn an_array_of_a_peer() {
    let (sampler, theirs) = pair!();
    let (consumer, owner) = (sampler.stream.context().clone(), theirs.context().clone());
    consumer.enable_peer_access(&owner).unwrap();
    let array = counting(&theirs, 8, 1.0);
    assert_eq!(array.descriptor().flags, ArrayFlags::empty());
    let reference = sampler.reference();
    reference.set_array(&array).unwrap();
    assert_eq!(reference.array().unwrap(), Some(array.clone()));
    // All other handles of the owner are dropped, also that of its context.
    theirs.synchronize().unwrap();
    drop((array, theirs, owner));
    assert_eq!([0.5, 4.5, 7.5].map(|x| sampler.line(x)), [1.0, 5.0, 8.0]);
}

#[test]
fn levels_of_a_peer() {
    let (sampler, theirs) = pair!();
    let image = MipmappedArray::new(&theirs, ArrayDescriptor::plane(2, 2, ArrayFormat::FLOAT, 1), 2).unwrap();
    let level = image.level(0).unwrap();
    let bytes: Vec<u8> = (0..4).flat_map(|_| 6.0_f32.to_ne_bytes()).collect();
    Memcpy3D::plane(CopyDestination::array(&level), CopySource::host(&bytes), 8, 2).copy().unwrap();
    let (reference, own) = (sampler.reference(), sampler.stream.context());
    let refused = reference.set_mipmapped_array(&image).unwrap_err();
    assert_eq!(refused.code(), Some(Code::PeerAccessNotEnabled));
    let _access = own.peer_access(theirs.context()).unwrap();
    reference.set_mipmapped_array(&image).unwrap();
    assert_eq!(sampler.plane(0.5, 0.5), 6.0);
    reference.set_array(&level).unwrap();
    drop((image, level));
    assert_eq!(sampler.plane(0.5, 0.5), 6.0);
}

#[test]
fn memory_of_a_peer() {
    let (sampler, theirs) = pair!();
    let _access = sampler.stream.context().peer_access(theirs.context()).unwrap();
    let buffer = samples(&theirs, 256);
    theirs.synchronize().unwrap();
    let reference = sampler.reference();
    reference.set_linear(buffer.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap();
    assert_eq!(sampler.fetch(7), 8.0);
    let rows: PitchedMemory = LinearMemory::from(buffer.clone()).rows(64, 2, 512).unwrap();
    reference.set_pitched(rows, ArrayFormat::FLOAT, 1).unwrap();
    assert_eq!(sampler.plane(0.5, 1.5), 129.0);
    drop((reference, sampler));
    assert_eq!(Arc::strong_count(&buffer), 1);
}

#[test]
fn an_array_out_of_reach() {
    let (sampler, theirs) = pair!();
    let reference = sampler.reference();
    let (own, peer) = (sampler.stream.context().clone(), theirs.context().clone());
    let (before, array) = (counting(&sampler.stream, 4, 1.0), counting(&theirs, 4, 5.0));
    reference.set_array(&before).unwrap();
    let refused = |reference: &TexRef| {
        let error = reference.set_array(&array).unwrap_err();
        let told = (error.call(), error.code());
        assert_eq!(told, (Some("cuTexRefSetArray"), Some(Code::PeerAccessNotEnabled)));
        let (device, peer) = (own.device().as_raw(), peer.device().as_raw());
        let detail = format!(": from device {device} to the memory of device {peer}");
        assert!(error.to_string().ends_with(&detail), "{error}");
    };
    refused(&reference);
    // The other direction is of no use.
    peer.enable_peer_access(&own).unwrap();
    refused(&reference);
    // The binding from before stays.
    assert_eq!((reference.array().unwrap(), sampler.line(0.5)), (Some(before), 1.0));
    own.enable_peer_access(&peer).unwrap();
    reference.set_array(&array).unwrap();
    assert_eq!(sampler.line(0.5), 5.0);
}

/// A launch would fault (measured).
#[test]
fn access_is_not_taken_from_a_binding() {
    let (sampler, theirs) = pair!();
    let (own, peer) = (sampler.stream.context().clone(), theirs.context().clone());
    let reference = sampler.reference();
    let array = counting(&theirs, 4, 5.0);
    let access = own.peer_access(&peer).unwrap();
    reference.set_array(&array).unwrap();
    assert_eq!(
        own.disable_peer_access(&peer).unwrap_err(),
        invalid("1 texture or surface objects or references of this context still use memory of the peer;")
    );
    drop(access);
    assert!(own.peer_access_state(&peer).is_enabled().unwrap());
    assert_eq!(sampler.line(2.5), 7.0);
    // With the binding the access ends.
    reference.set_array(&counting(&sampler.stream, 4, 1.0)).unwrap();
    assert!(!own.peer_access_state(&peer).is_enabled().unwrap());
    assert_eq!(reference.set_array(&array).unwrap_err().code(), Some(Code::PeerAccessNotEnabled));
    // So it does with the module.
    let access = own.peer_access(&peer).unwrap();
    reference.set_array(&array).unwrap();
    drop((access, reference, sampler));
    assert!(!own.peer_access_state(&peer).is_enabled().unwrap());
}

/// Arrays of peers are destroyed without waiting (measured), so this crate waits.
#[test]
fn an_array_of_a_peer_that_a_kernel_samples_stays() {
    drop(pair!());
    alone("texture_references::an_array_of_a_peer_that_a_kernel_samples_stays", || {
        let (sampler, theirs) = pair().unwrap();
        let own = sampler.stream.context().clone();
        let reference = sampler.reference();
        let access = own.peer_access(theirs.context()).unwrap();
        reference.set_array(&counting(&theirs, 4, 1.0)).unwrap();
        drop(access);
        let next = counting(&sampler.stream, 4, 5.0);
        sampler.line(0.5);
        let busy = Busy::new(&sampler.stream);
        sampler.launch("line", (sampler.out(), 2.5_f32));
        let is_bound = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                reference.set_array(&next).unwrap();
                is_bound.store(true, Ordering::Release);
            });
            while reference.array().unwrap() != Some(next.clone()) {
                std::thread::yield_now();
            }
            assert!(!is_bound.load(Ordering::Acquire), "the array before is not gone yet");
            busy.go();
        });
        assert_eq!((sampler.number(), sampler.line(0.5)), (3.0, 5.0));
    });
}

/// Threads that bind, sample nothing, and drop: what is bound last stays, and nothing is reported.
#[test]
fn bindings_by_several_threads() {
    let sampler = Sampler::new();
    let reports = reports(|| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (module, stream) = (&sampler.module, &sampler.stream);
                scope.spawn(move || {
                    let reference = module.tex_ref("t").unwrap();
                    for round in 0..25 {
                        let array = counting(stream, 4, (100 * thread + round) as f32);
                        reference.set_array(&array).unwrap();
                        drop(array);
                        reference.array().unwrap().expect("one of them is bound");
                    }
                });
            }
        });
    });
    assert!(reports.is_empty(), "{reports:?}");
    let bound = sampler.reference().array().unwrap().unwrap();
    let mut first = [0.0_f32];
    bound.copy_to_host(0, &mut first).unwrap();
    assert_eq!(sampler.line(0.5), first[0]);
}

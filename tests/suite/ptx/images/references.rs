//! Texture references: bindings, settings, and refusals.

use super::*;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// A kernel that samples the reference at numbers.
fn plane() -> Threads {
    Threads::sampling("tex.2d.v4.f32.f32", "[t, {%f0, %f1}]")
}

fn line() -> Threads {
    Threads::sampling("tex.1d.v4.f32.s32", "[t, {%r0}]")
}

/// A reference of the program's own.
struct Own(CUtexref);

impl Own {
    fn new() -> Self {
        let mut reference = null_mut();
        must!(cuTexRefCreate(&raw mut reference));
        Self(reference)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        must!(cuTexRefDestroy(self.0));
    }
}

#[test]
fn an_array() {
    let values = patterned(32);
    let array = Array::with(descriptor([8, 4, 0], FLOAT, 1, 0), &float_bytes(&values));
    let mut threads = plane();
    let reference = threads.texture_reference();
    assert_eq!(reference, threads.texture_reference(), "one for each name");
    must!(cuTexRefSetArray(reference, array.handle, CU_TRSA_OVERRIDE_FORMAT));
    // The flag may be left out (measured).
    must!(cuTexRefSetArray(reference, array.handle, 0));
    must!(cuTexRefSetFilterMode(reference, POINT));
    let at = [[0.5, 0.5, 0.0], [3.25, 2.75, 0.0], [7.5, 3.5, 0.0]];
    assert_eq!(threads.numbers(0, &at), [values[0], values[2 * 8 + 3], values[31]]);
    let mut bound = null_mut();
    must!(cuTexRefGetArray(&raw mut bound, reference));
    assert_eq!(bound, array.handle);
    let (mut format, mut channels) = (CUarray_format::CU_AD_FORMAT_HALF, 0);
    must!(cuTexRefGetFormat(&raw mut format, &raw mut channels, reference));
    assert_eq!((format, channels), (FLOAT, 1));
}

#[test]
fn bindings_are_those_of_the_launch() {
    let arrays =
        [5.0, 6.0].map(|value| Array::with(descriptor([2, 2, 0], FLOAT, 1, 0), &float_bytes(&[value; 4])));
    let mut threads = plane();
    let reference = threads.texture_reference();
    for (array, expected) in arrays.iter().zip([5.0, 6.0]) {
        must!(cuTexRefSetArray(reference, array.handle, CU_TRSA_OVERRIDE_FORMAT));
        assert_eq!(threads.numbers(0, &[[1.0, 1.0, 0.0]]), [expected]);
    }
}

#[test]
fn handles_of_references() {
    let array = Array::with(descriptor([4, 0, 0], FLOAT, 1, 0), &float_bytes(&[1.0, 2.0, 3.0, 4.0]));
    let mut threads = Threads::new("mov.u64 %d4, t; tex.1d.v4.f32.f32 {%x0, %x1, %x2, %x3}, [%d4, {%f0}];");
    must!(cuTexRefSetArray(threads.texture_reference(), array.handle, CU_TRSA_OVERRIDE_FORMAT));
    assert_eq!(threads.numbers(0, &[[2.5, 0.0, 0.0]]), [3.0]);
}

#[test]
fn nothing_bound_reads_as_zeros() {
    let mut threads = plane();
    let found = threads.run(0, &[[1.0_f32.to_bits(), 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(found[0], [0; 4]);
    let mut bound = null_mut();
    assert_eq!(driver!(cuTexRefGetArray(&raw mut bound, threads.texture_reference())), INVALID);
    let mut address = 0;
    assert_eq!(driver!(cuTexRefGetAddress_v2(&raw mut address, threads.texture_reference())), INVALID);
}

#[test]
fn an_array_that_is_gone_is_not_bound() {
    alone("ptx::images::references::an_array_that_is_gone_is_not_bound", || {
        let threads = plane();
        let reference = threads.texture_reference();
        let array = Array::with(descriptor([2, 2, 0], FLOAT, 1, 0), &float_bytes(&[5.0; 4]));
        must!(cuTexRefSetArray(reference, array.handle, CU_TRSA_OVERRIDE_FORMAT));
        drop(array);
        let mut bound = null_mut();
        assert_eq!(driver!(cuTexRefGetArray(&raw mut bound, reference)), INVALID);
    });
}

/// Makes an array in another context.
fn array_in(context: &cuda_rt::Context) -> CUarray {
    let given = descriptor([2, 2, 0], FLOAT, 1, 0);
    let mut array = null_mut();
    let entered = context.enter().unwrap();
    // SAFETY: both pointers are to live values.
    let made = unsafe { cuArray3DCreate_v2(&raw mut array, &raw const given) };
    drop(entered);
    assert!(made.is_success(), "{made}");
    array
}

#[test]
fn an_array_of_another_device() {
    let Some(other) = cuda_suite::second_device() else { cuda_suite::skip!("there is one device") };
    let other = cuda_rt::Context::primary(other).unwrap();
    let array = array_in(&other);
    let threads = plane();
    let refused = driver!(cuTexRefSetArray(threads.texture_reference(), array, CU_TRSA_OVERRIDE_FORMAT));
    assert_eq!(refused, CUresult::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    must!(cuArrayDestroy(array));
}

#[test]
fn a_kernel_takes_references_of_its_context() {
    let threads = plane();
    let reference = threads.texture_reference();
    let context =
        cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default()).unwrap();
    let ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }";
    let module = cuda_rt::Module::from_ptx(&context, ptx).unwrap();
    let function = module.function("k").unwrap();
    let refused = driver!(cuParamSetTexRef(function.as_raw(), CU_PARAM_TR_DEFAULT, reference));
    assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_HANDLE);
}

#[test]
fn linear_memory() {
    let mut threads = line();
    let values = patterned(300);
    let bits: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    let buffer = threads.device.alloc_u32(&bits);
    let address = threads.device.address(buffer);
    let reference = threads.texture_reference();
    must!(cuTexRefSetFormat(reference, FLOAT, 1));
    let mut offset = 99;
    must!(cuTexRefSetAddress_v2(&raw mut offset, reference, address, 800));
    assert_eq!(offset, 0);
    let mut back = 0;
    must!(cuTexRefGetAddress_v2(&raw mut back, reference));
    assert_eq!(back, address);
    let at = [0_i32, 17, 199, 200, 299, -1];
    let inputs: Vec<Input> = at.iter().map(|at| [at.cast_unsigned(), 0, 0, 0, 0, 0, 0, 0]).collect();
    for (at, found) in at.iter().zip(threads.run(0, &inputs)) {
        let expected = if (0..200).contains(at) { values[*at as usize] } else { 0.0 };
        assert_eq!(f32::from_bits(found[0]), expected, "{at}");
    }
    // An address that is not aligned is moved back, and the call returns the offset.
    must!(cuTexRefSetAddress_v2(&raw mut offset, reference, address + 64, 256));
    assert_eq!(offset, 64);
    let found = threads.run(0, &[[16 + 5, 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(f32::from_bits(found[0][0]), values[16 + 5]);
    // If the caller does not ask for the offset, the address is refused.
    assert_eq!(driver!(cuTexRefSetAddress_v2(null_mut(), reference, address + 64, 256)), INVALID);
}

#[test]
fn rows_of_memory() {
    let mut threads = plane();
    let (width, height) = (10, 5);
    let (mut address, mut pitch) = (0, 0);
    must!(cuMemAllocPitch_v2(&raw mut address, &raw mut pitch, width * 4, height, 4));
    assert!(pitch >= width * 4 && pitch.is_multiple_of(32), "{pitch}");
    let values = patterned(width * height);
    let bytes = float_bytes(&values);
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: bytes.as_ptr().cast(),
        srcPitch: width * 4,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstDevice: address,
        dstPitch: pitch,
        WidthInBytes: width * 4,
        Height: height,
        ..CUDA_MEMCPY2D::default()
    };
    must!(cuMemcpy2D_v2(&raw const copy));
    let reference = threads.texture_reference();
    let shape = CUDA_ARRAY_DESCRIPTOR { Width: width, Height: height, Format: FLOAT, NumChannels: 1 };
    must!(cuTexRefSetAddress2D_v3(reference, &raw const shape, address, pitch));
    must!(cuTexRefSetAddressMode(reference, 0, CLAMP));
    must!(cuTexRefSetAddressMode(reference, 1, CLAMP));
    must!(cuTexRefSetFilterMode(reference, LINEAR));
    let at = [[3.5, 2.5, 0.0], [4.0, 2.5, 0.0], [50.0, 50.0, 0.0]];
    let between = (values[23] + values[24]) / 2.0;
    let found = threads.numbers(0, &at);
    for (found, expected) in found.into_iter().zip([values[23], between, values[49]]) {
        close(found, f64::from(expected), &"rows");
    }
    // Neither may be off alignment.
    for (start, pitch) in [(address + 4, pitch), (address, width * 4 + 4)] {
        let refused = driver!(cuTexRefSetAddress2D_v3(reference, &raw const shape, start, pitch));
        assert_eq!(refused, INVALID);
    }
    must!(cuMemFree_v2(address));
}

#[test]
fn modes_and_flags_are_obeyed() {
    let bytes: Vec<u8> = (0..16).map(|index| index * 16).collect();
    let format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
    let array = Array::with(descriptor([16, 0, 0], format, 1, 0), &bytes);
    let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[t, {%f0}]");
    let reference = threads.texture_reference();
    must!(cuTexRefSetArray(reference, array.handle, CU_TRSA_OVERRIDE_FORMAT));
    let at = |value: f32| -> Input { [value.to_bits(), 0, 0, 0, 0, 0, 0, 0] };
    must!(cuTexRefSetFlags(reference, CU_TRSF_READ_AS_INTEGER));
    assert_eq!(threads.run(0, &[at(3.5)])[0][0], 48);
    must!(cuTexRefSetFlags(reference, 0));
    close(f32::from_bits(threads.run(0, &[at(3.5)])[0][0]), 48.0 / 255.0, &"a fraction");
    must!(cuTexRefSetFlags(reference, CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES));
    for (mode, expected) in [(WRAP, 32), (CLAMP, 240), (MIRROR, 208), (BORDER, 0)] {
        must!(cuTexRefSetAddressMode(reference, 0, mode));
        // The third texel after the end.
        assert_eq!(threads.run(0, &[at(18.5 / 16.0)])[0][0], expected, "{mode:?}");
    }
}

#[test]
fn levels() {
    let pyramid = Mipmapped::new(descriptor([8, 8, 0], FLOAT, 1, 0), 2);
    pyramid.level(0).write(&float_bytes(&[4.0; 64]));
    pyramid.level(1).write(&float_bytes(&[8.0; 16]));
    let mut threads = Threads::sampling("tex.level.2d.v4.f32.f32", "[t, {%f0, %f1}], %f2");
    let reference = threads.texture_reference();
    must!(cuTexRefSetMipmappedArray(reference, pyramid.0, CU_TRSA_OVERRIDE_FORMAT));
    must!(cuTexRefSetFlags(reference, CU_TRSF_NORMALIZED_COORDINATES));
    must!(cuTexRefSetMipmapFilterMode(reference, LINEAR));
    must!(cuTexRefSetMipmapLevelClamp(reference, 0.0, 10.0));
    let found = threads.numbers(0, &[[0.5, 0.5, 0.0], [0.5, 0.5, 0.5], [0.5, 0.5, 1.0]]);
    assert_eq!(found, [4.0, 6.0, 8.0]);
    let mut bound = null_mut();
    must!(cuTexRefGetMipmappedArray(&raw mut bound, reference));
    assert_eq!(bound, pyramid.0);
}

#[test]
fn settings_of_a_reference_read_back() {
    let own = Own::new();
    let reference = own.0;
    for dimension in 0..3 {
        must!(cuTexRefSetAddressMode(reference, dimension, MIRROR));
        let mut mode = WRAP;
        must!(cuTexRefGetAddressMode(&raw mut mode, reference, dimension));
        assert_eq!(mode, MIRROR);
    }
    must!(cuTexRefSetFilterMode(reference, LINEAR));
    must!(cuTexRefSetMipmapFilterMode(reference, LINEAR));
    must!(cuTexRefSetMipmapLevelBias(reference, 0.25));
    must!(cuTexRefSetMipmapLevelClamp(reference, 1.0, 3.0));
    must!(cuTexRefSetMaxAnisotropy(reference, 4));
    must!(cuTexRefSetFlags(reference, CU_TRSF_NORMALIZED_COORDINATES));
    must!(cuTexRefSetFormat(reference, CUarray_format::CU_AD_FORMAT_SIGNED_INT16, 2));
    let mut colour = [0.25, 0.5, 0.75, 1.0];
    must!(cuTexRefSetBorderColor(reference, colour.as_mut_ptr()));
    let (mut filter, mut level_filter) = (POINT, POINT);
    must!(cuTexRefGetFilterMode(&raw mut filter, reference));
    must!(cuTexRefGetMipmapFilterMode(&raw mut level_filter, reference));
    assert_eq!([filter, level_filter], [LINEAR, LINEAR]);
    let (mut bias, mut least, mut greatest) = (0.0, 0.0, 0.0);
    must!(cuTexRefGetMipmapLevelBias(&raw mut bias, reference));
    must!(cuTexRefGetMipmapLevelClamp(&raw mut least, &raw mut greatest, reference));
    assert_eq!([bias, least, greatest], [0.25, 1.0, 3.0]);
    let (mut most, mut flags) = (0, 0);
    must!(cuTexRefGetMaxAnisotropy(&raw mut most, reference));
    must!(cuTexRefGetFlags(&raw mut flags, reference));
    assert_eq!((most, flags), (4, CU_TRSF_NORMALIZED_COORDINATES));
    let (mut format, mut channels) = (FLOAT, 0);
    must!(cuTexRefGetFormat(&raw mut format, &raw mut channels, reference));
    assert_eq!((format, channels), (CUarray_format::CU_AD_FORMAT_SIGNED_INT16, 2));
    let mut back = [0.0; 4];
    must!(cuTexRefGetBorderColor(back.as_mut_ptr(), reference));
    assert_eq!(back, colour);
}

/// Measured.
#[test]
fn as_they_are_made() {
    let own = Own::new();
    let (mut mode, mut flags, mut format, mut channels) = (WRAP, 99, CUarray_format::CU_AD_FORMAT_HALF, 0);
    must!(cuTexRefGetAddressMode(&raw mut mode, own.0, 0));
    must!(cuTexRefGetFlags(&raw mut flags, own.0));
    must!(cuTexRefGetFormat(&raw mut format, &raw mut channels, own.0));
    assert_eq!((mode, flags, format, channels), (CLAMP, 0, FLOAT, 1));
    // A module's own stay with it; nothing is said to the attempt.
    let threads = plane();
    must!(cuTexRefDestroy(threads.texture_reference()));
}

/// Measured: without the flag, texels are what the reference says.
#[test]
fn texels_of_its_own() {
    let array = Array::with(descriptor([2, 0, 0], FLOAT, 1, 0), &float_bytes(&[1.0, 1.0]));
    let mut threads = Threads::sampling("tex.1d.v4.u32.f32", "[t, {%f0}]");
    let reference = threads.texture_reference();
    let bytes = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8;
    must!(cuTexRefSetFormat(reference, bytes, 4));
    must!(cuTexRefSetArray(reference, array.handle, 0));
    let (mut format, mut channels) = (FLOAT, 0);
    must!(cuTexRefGetFormat(&raw mut format, &raw mut channels, reference));
    assert_eq!((format, channels), (bytes, 4));
    // The bytes of 1.0 from the lowest on, as fractions.
    let found = threads.run(0, &[[0.5_f32.to_bits(), 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(found[0], [0.0, 0.0, 128.0 / 255.0, 63.0 / 255.0].map(f32::to_bits));
}

#[test]
fn refusals() {
    let own = Own::new();
    let reference = own.0;
    assert_eq!(driver!(cuTexRefSetAddressMode(reference, 7, CLAMP)), INVALID);
    assert_eq!(driver!(cuTexRefSetFormat(reference, FLOAT, 3)), INVALID);
    // Formats and modes that there are not are taken (measured).
    must!(cuTexRefSetFormat(reference, CUarray_format(0x77), 1));
    must!(cuTexRefSetFilterMode(reference, CUfilter_mode(2)));
    let missing = driver!(cuTexRefSetArray(reference, null_mut(), CU_TRSA_OVERRIDE_FORMAT));
    assert_eq!(missing, CUresult::CUDA_ERROR_INVALID_HANDLE);
    let threads = plane();
    let mut found = null_mut();
    let unknown = driver!(cuModuleGetTexRef(&raw mut found, threads.device.module(), c"other".as_ptr()));
    assert_eq!(unknown, CUresult::CUDA_ERROR_NOT_FOUND);
    let other_kind = driver!(cuModuleGetTexRef(&raw mut found, threads.device.module(), c"s".as_ptr()));
    assert_eq!(other_kind, CUresult::CUDA_ERROR_NOT_FOUND);
}

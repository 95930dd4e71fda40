//! Making arrays and asking about them; making objects of them.

use super::*;

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// The answer to making an array, which is destroyed if it was made.
fn made(descriptor: CUDA_ARRAY3D_DESCRIPTOR) -> CUresult {
    let mut handle = null_mut();
    let answer = driver!(cuArray3DCreate_v2(&raw mut handle, &raw const descriptor));
    if answer.is_success() {
        must!(cuArrayDestroy(handle));
    }
    answer
}

#[test]
fn descriptors_come_back() {
    let half = CUarray_format::CU_AD_FORMAT_HALF;
    let given = CUDA_ARRAY_DESCRIPTOR { Width: 30, Height: 7, Format: half, NumChannels: 2 };
    let mut handle = null_mut();
    must!(cuArrayCreate_v2(&raw mut handle, &raw const given));
    let mut flat = CUDA_ARRAY_DESCRIPTOR::default();
    must!(cuArrayGetDescriptor_v2(&raw mut flat, handle));
    assert_eq!((flat.Width, flat.Height, flat.Format, flat.NumChannels), (30, 7, half, 2));
    let mut full = CUDA_ARRAY3D_DESCRIPTOR::default();
    must!(cuArray3DGetDescriptor_v2(&raw mut full, handle));
    assert_eq!((full.Width, full.Height, full.Depth, full.Flags), (30, 7, 0, 0));
    must!(cuArrayDestroy(handle));
    let flags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST;
    let array = Array::new(descriptor([8, 0, 5], FLOAT, 4, flags));
    must!(cuArray3DGetDescriptor_v2(&raw mut full, array.handle));
    assert_eq!((full.Width, full.Height, full.Depth, full.Flags), (8, 0, 5, flags));
    assert_eq!((full.Format, full.NumChannels), (FLOAT, 4));
}

#[test]
fn shapes() {
    let success = CUresult::CUDA_SUCCESS;
    let (layered, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    let cases = [
        ([4, 4, 0], FLOAT, 1, 0, success),
        ([0, 4, 0], FLOAT, 1, 0, INVALID),
        ([4, 4, 0], FLOAT, 3, 0, INVALID),
        ([4, 4, 0], FLOAT, 0, 0, INVALID),
        ([4, 4, 0], CUarray_format(0x77), 1, 0, INVALID),
        ([8, 8, 5], FLOAT, 1, cube, INVALID),
        ([8, 4, 6], FLOAT, 1, cube, INVALID),
        ([8, 8, 6], FLOAT, 1, cube, success),
        ([8, 8, 12], FLOAT, 1, cube, INVALID),
        ([8, 8, 12], FLOAT, 1, cube | layered, success),
        ([8, 8, 13], FLOAT, 1, cube | layered, INVALID),
        ([8, 8, 13], FLOAT, 1, layered, success),
        ([8, 0, 13], FLOAT, 1, layered, success),
        ([8, 0, 13], FLOAT, 1, 0, INVALID),
        ([1 << 20, 8, 0], FLOAT, 1, 0, INVALID),
        ([1 << 20, 0, 0], FLOAT, 1, 0, INVALID),
        ([8, 8, 1 << 20], FLOAT, 1, 0, INVALID),
        ([8, 8, 4096], FLOAT, 1, layered, INVALID),
    ];
    for (size, format, channels, flags, expected) in cases {
        let found = made(descriptor(size, format, channels, flags));
        assert_eq!(found, expected, "{size:?} {format:?} x{channels} {flags:#x}");
    }
}

#[test]
fn plain_arrays_are_neither_sparse_nor_of_planes() {
    let array = Array::new(descriptor([8, 8, 0], FLOAT, 1, 0));
    let mut properties = CUDA_ARRAY_SPARSE_PROPERTIES::default();
    assert_eq!(driver!(cuArrayGetSparseProperties(&raw mut properties, array.handle)), INVALID);
    let pyramid = Mipmapped::new(descriptor([8, 8, 0], FLOAT, 1, 0), 2);
    assert_eq!(driver!(cuMipmappedArrayGetSparseProperties(&raw mut properties, pyramid.0)), INVALID);
    let mut plane = null_mut();
    assert_eq!(driver!(cuArrayGetPlane(&raw mut plane, array.handle, 0)), INVALID);
}

#[test]
fn without_pointers() {
    let mut handle = null_mut();
    assert_eq!(driver!(cuArrayCreate_v2(&raw mut handle, std::ptr::null())), INVALID);
    let given = CUDA_ARRAY_DESCRIPTOR { Width: 4, Height: 0, Format: FLOAT, NumChannels: 1 };
    assert_eq!(driver!(cuArrayCreate_v2(null_mut(), &raw const given)), INVALID);
}

#[test]
fn arrays_that_are_gone() {
    alone("ptx::images::arrays::arrays_that_are_gone", || {
        let mut handle = null_mut();
        let given = descriptor([4, 4, 0], FLOAT, 1, 0);
        must!(cuArray3DCreate_v2(&raw mut handle, &raw const given));
        must!(cuArrayDestroy(handle));
        assert_eq!(code(driver!(cuArrayDestroy(null_mut()))), 400);
        // Real drivers find out sometimes, and crash at other times (both measured).
        if software() {
            assert_eq!(code(driver!(cuArrayDestroy(handle))), 709);
        }
    });
}

#[test]
fn arrays_go_with_their_context() {
    alone("ptx::images::arrays::arrays_go_with_their_context", || {
        let free = || {
            let (mut free, mut total) = (0, 0);
            must!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
            free
        };
        // Some of its 256 MiB may be what the driver had set aside before (measured: 11 MiB).
        let most = 192 << 20;
        let taken_and_given = || {
            let before = free();
            let context =
                cuda_rt::Context::new(cuda_suite::device(), cuda_rt::context::ContextFlags::default())
                    .unwrap();
            let given = descriptor([4096, 4096, 0], FLOAT, 4, 0);
            let mut array = null_mut();
            let entered = context.enter().unwrap();
            // SAFETY: both pointers are to live values.
            let made = unsafe { cuArray3DCreate_v2(&raw mut array, &raw const given) };
            drop(entered);
            assert!(made.is_success(), "{made}");
            let during = free();
            drop(context);
            [before, free()].map(|free| free.saturating_sub(during))
        };
        // Other processes use the device, too.
        let differences: Vec<_> = (0..10).map(|_| taken_and_given()).collect();
        assert!(differences.iter().any(|both| both.iter().all(|bytes| *bytes >= most)), "{differences:?}");
    });
}

#[test]
fn objects_remember_how_they_were_made() {
    let array = Array::new(descriptor([8, 8, 0], FLOAT, 1, 0));
    let given = reading(MIRROR, LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
    let texture = Texture::new(&array.resource(), &given);
    let mut resource = CUDA_RESOURCE_DESC::default();
    must!(cuTexObjectGetResourceDesc(&raw mut resource, texture.0));
    assert_eq!(resource.resType, CUresourcetype::CU_RESOURCE_TYPE_ARRAY);
    // SAFETY: the type says which member it is.
    assert_eq!(unsafe { resource.res.array }.hArray, array.handle);
    let mut back = CUDA_TEXTURE_DESC::default();
    must!(cuTexObjectGetTextureDesc(&raw mut back, texture.0));
    assert_eq!((back.addressMode, back.filterMode, back.flags), ([MIRROR; 3], LINEAR, given.flags));
}

#[test]
fn objects_that_are_refused() {
    let refused = |resource: &CUDA_RESOURCE_DESC, texture: &CUDA_TEXTURE_DESC| {
        let mut object = 0;
        driver!(cuTexObjectCreate(&raw mut object, resource, texture, std::ptr::null()))
    };
    let array = Array::new(descriptor([8, 8, 0], FLOAT, 1, 0));
    let usual = reading(CLAMP, POINT, 0);
    assert_eq!(refused(&array.resource(), &reading(CUaddress_mode(7), POINT, 0)), INVALID);
    assert_eq!(refused(&array.resource(), &reading(CLAMP, CUfilter_mode(7), 0)), INVALID);
    let mut resource = array.resource();
    resource.flags = 1;
    assert_eq!(refused(&resource, &usual), INVALID);
    resource = CUDA_RESOURCE_DESC { resType: CUresourcetype(9), ..empty() };
    assert_eq!(refused(&resource, &usual), INVALID);
    let mut device = Device::kernel("", "ret;");
    let buffer = device.alloc(&[0; 4096]);
    let address = device.address(buffer);
    for resource in [
        pitched(address + 4, [8, 4, 64], FLOAT, 1),
        pitched(address, [8, 4, 68], FLOAT, 1),
        linear(address + 16, 64, FLOAT, 1),
        linear(address, 64, FLOAT, 3),
    ] {
        assert_eq!(refused(&resource, &usual), INVALID);
    }
}

#[test]
fn objects_that_are_not_refused() {
    let usual = reading(CLAMP, POINT, 0);
    // Coordinates in texels of what has levels; rows longer than the pitch; a line longer than the memory (measured).
    let pyramid = Mipmapped::new(descriptor([8, 8, 0], FLOAT, 1, 0), 2);
    drop(Texture::new(&pyramid.resource(), &usual));
    let mut address = 0;
    must!(cuMemAlloc_v2(&raw mut address, 4096));
    drop(Texture::new(&pitched(address, [32, 4, 64], FLOAT, 1), &usual));
    drop(Texture::new(&linear(address, 8192, FLOAT, 1), &usual));
    must!(cuMemFree_v2(address));
    // There is no object 0, which may be destroyed; and what has no view says nothing else.
    must!(cuTexObjectDestroy(0));
    must!(cuSurfObjectDestroy(0));
    let array = Array::new(descriptor([8, 0, 0], FLOAT, 1, 0));
    let texture = Texture::new(&array.resource(), &usual);
    let mut view = CUDA_RESOURCE_VIEW_DESC::default();
    must!(cuTexObjectGetResourceViewDesc(&raw mut view, texture.0));
}

#[test]
fn a_level_is_not_destroyed_by_itself() {
    let pyramid = Mipmapped::new(descriptor([8, 8, 0], FLOAT, 1, 0), 2);
    // Nothing is said to it (measured), and the whole is destroyed as usual.
    must!(cuArrayDestroy(pyramid.level(0).handle));
}

//! Managed memory through the raw API: one address for the host and all devices, and advice.

use cuda_suite::raw::{allocate, function, launch};
use cuda_suite::{call, code, context, host_page, second_device, skip};
use cuda_sys::*;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
.visible .global .attribute(.managed) .align 4 .u32 counter = 7;
.visible .entry add(.param .u64 at, .param .u64 value) {
    .reg .u64 %at, %value;
    .reg .u32 %sum, %more;
    ld.param.u64 %at, [at];
    ld.param.u64 %value, [value];
    cvt.u32.u64 %more, %value;
    ld.global.u32 %sum, [%at];
    add.u32 %sum, %sum, %more;
    st.global.u32 [%at], %sum;
    ret;
}";

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const GLOBAL: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL.0;
const HOST: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_HOST.0;
const SINGLE: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_SINGLE.0;

/// Returns whether the first device has a feature.
fn has(feature: CUdevice_attribute) -> bool {
    let mut has = 0;
    call!(cuDeviceGetAttribute(&raw mut has, feature, 0));
    has != 0
}

fn try_managed(bytes: usize, flags: u32) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemAllocManaged(&raw mut address, bytes, flags)) {
        DONE => Ok(address),
        refusal => Err(refusal),
    }
}

/// Zeroed words, and their address, which is that on every device.
fn managed(words: usize) -> (&'static [AtomicU32], CUdeviceptr) {
    let address = try_managed(4 * words, GLOBAL).unwrap();
    call!(cuMemsetD32_v2(address, 0, words));
    call!(cuCtxSynchronize());
    let at = std::ptr::with_exposed_provenance::<AtomicU32>(address as usize);
    // SAFETY: as many words, aligned, which the host reaches; each test frees them when it has done with them.
    (unsafe { std::slice::from_raw_parts(at, words) }, address)
}

/// Memory that the host and all devices can use at all times. `None` on devices without.
fn shared(words: usize) -> Option<(&'static [AtomicU32], CUdeviceptr)> {
    has(CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS).then(|| managed(words))
}

macro_rules! shared {
    ($words:expr) => {
        match shared($words) {
            Some(memory) => memory,
            None => skip!("the device and the host do not use managed memory at the same time"),
        }
    };
}

/// Returns a location, as functions since 12.2 take it.
fn location(kind: CUmemLocationType, id: i32) -> CUmemLocation {
    let mut location = CUmemLocation { type_: kind, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = id;
    location
}

fn place_of_host() -> CUmemLocation {
    location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST, 0)
}

/// A number that is recorded of a range.
fn recorded(attribute: CUmem_range_attribute, at: CUdeviceptr, bytes: usize) -> i32 {
    let mut number = 77;
    call!(cuMemRangeGetAttribute((&raw mut number).cast(), 4, attribute, at, bytes));
    number
}

#[test]
fn host_and_device_share_managed_memory() {
    let context = context();
    let _entered = context.enter().unwrap();
    let (words, at) = managed(4);
    words[1].store(5, Ordering::Relaxed);
    launch(function(PTX, c"add"), null_mut(), &[at + 4, 37]);
    call!(cuCtxSynchronize());
    assert_eq!(words[1].load(Ordering::Relaxed), 42);
    call!(cuMemFree_v2(at));
}

#[test]
fn every_device_reaches_it_without_peer_access() {
    let Some(device) = second_device() else { skip!("one device") };
    let context = context();
    let _entered = context.enter().unwrap();
    let (words, at) = managed(1);
    let other = cuda_rt::Context::primary(device).unwrap();
    {
        let _entered = other.enter().unwrap();
        launch(function(PTX, c"add"), null_mut(), &[at, 3]);
        call!(cuCtxSynchronize());
    }
    launch(function(PTX, c"add"), null_mut(), &[at, 4]);
    call!(cuCtxSynchronize());
    assert_eq!(words[0].load(Ordering::Relaxed), 7);
    call!(cuMemFree_v2(at));
}

#[test]
fn variables_of_a_module_may_be_managed() {
    let context = context();
    let _entered = context.enter().unwrap();
    let mut module = null_mut();
    call!(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast()));
    let (mut at, mut size) = (0, 0);
    call!(cuModuleGetGlobal_v2(&raw mut at, &raw mut size, module, c"counter".as_ptr()));
    assert_eq!(size, 4);
    // SAFETY: a word, which the host reaches.
    let counter = unsafe { &*std::ptr::with_exposed_provenance::<AtomicU32>(at as usize) };
    assert_eq!(counter.load(Ordering::Relaxed), 7);
    counter.store(40, Ordering::Relaxed);
    let mut add = null_mut();
    call!(cuModuleGetFunction(&raw mut add, module, c"add".as_ptr()));
    launch(add, null_mut(), &[at, 2]);
    call!(cuCtxSynchronize());
    assert_eq!(counter.load(Ordering::Relaxed), 42);
    let mut is_managed = 0_u32;
    let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED;
    call!(cuPointerGetAttribute((&raw mut is_managed).cast(), attribute, at));
    assert_eq!(is_managed, 1);
    assert_eq!(code!(cuMemFree_v2(at)), INVALID, "it is the module's");
    call!(cuModuleUnload(module));
}

#[test]
fn copies_and_fills_take_managed_buffers() {
    let context = context();
    let _entered = context.enter().unwrap();
    let ((words, at), (others, other)) = (managed(4), managed(4));
    let device = allocate(16);
    let seen = |words: &[AtomicU32]| -> Vec<u32> {
        call!(cuCtxSynchronize());
        words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    };
    let source = [1_u32, 2, 3, 4];
    call!(cuMemcpyHtoD_v2(at, source.as_ptr().cast(), 16));
    assert_eq!(seen(words), [1, 2, 3, 4]);
    call!(cuMemcpyDtoD_v2(device, at, 16));
    call!(cuMemcpyDtoD_v2(other, device, 12));
    assert_eq!(seen(others), [1, 2, 3, 0]);
    call!(cuMemcpy(other + 8, at, 8));
    assert_eq!(seen(others), [1, 2, 1, 2]);
    call!(cuMemsetD16_v2(at, 0x101, 2));
    assert_eq!(seen(words), [0x0101_0101, 2, 3, 4]);
    // As memory of the host, on either side.
    call!(cuMemcpyDtoH_v2(std::ptr::with_exposed_provenance_mut(other as usize), device, 16));
    assert_eq!(seen(others), [1, 2, 3, 4]);
    call!(cuMemcpyHtoD_v2(device, words.as_ptr().cast(), 16));
    let mut back = [0_u32; 4];
    call!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), device, 16));
    assert_eq!(back, [0x0101_0101, 2, 3, 4]);
    call!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), other, 16));
    assert_eq!(back, [1, 2, 3, 4]);
    // Rows out of it.
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        srcDevice: other,
        srcPitch: 8,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED,
        dstDevice: at,
        dstPitch: 4,
        WidthInBytes: 4,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    call!(cuMemcpy2D_v2(&raw const copy));
    assert_eq!(seen(words), [1, 3, 3, 4]);
    for at in [at, other, device] {
        call!(cuMemFree_v2(at));
    }
}

#[test]
fn managed_bounds_are_exact() {
    let context = context();
    let _entered = context.enter().unwrap();
    let at = try_managed(100, GLOBAL).unwrap();
    let device = allocate(200);
    let mut bytes = [0_u8; 200];
    for (len, answer) in [(100, DONE), (101, INVALID)] {
        assert_eq!(code!(cuMemcpyHtoD_v2(at, bytes.as_ptr().cast(), len)), answer);
        assert_eq!(code!(cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), at, len)), answer);
        assert_eq!(code!(cuMemcpyDtoD_v2(device, at, len)), answer);
        assert_eq!(code!(cuMemsetD8_v2(at, 1, len)), answer);
    }
    let (mut base, mut size) = (0, 0);
    call!(cuMemGetAddressRange_v2(&raw mut base, &raw mut size, at + 99));
    assert_eq!((base, size), (at, 100));
    call!(cuMemFree_v2(device));
    call!(cuMemFree_v2(at));
}

#[test]
fn managed_allocation_is_freed_once() {
    crate::alone("managed::managed_allocation_is_freed_once", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let at = try_managed(100, HOST).unwrap();
        assert_eq!(code!(cuMemFree_v2(at + 8)), INVALID);
        assert_eq!(code!(cuMemFreeHost(std::ptr::with_exposed_provenance_mut(at as usize))), INVALID);
        assert_eq!(code!(cuMemFreeAsync(at, null_mut())), CUresult::CUDA_ERROR_NOT_SUPPORTED);
        call!(cuMemFree_v2(at));
        assert_eq!(code!(cuMemFree_v2(at)), INVALID);
        let mut byte = 0_u8;
        assert_eq!(code!(cuMemcpyDtoH_v2((&raw mut byte).cast(), at, 1)), INVALID, "it is gone");
        assert_eq!(code!(cuMemsetD8_v2(at, 0, 1)), INVALID);
    });
}

#[test]
fn impossible_managed_allocations_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    assert_eq!(try_managed(0, GLOBAL), Err(INVALID));
    for flags in [0, SINGLE, GLOBAL | HOST, 8] {
        assert_eq!(try_managed(16, flags), Err(INVALID), "{flags}");
    }
    assert_eq!(code!(cuMemAllocManaged(null_mut(), 16, GLOBAL)), INVALID);
}

#[test]
fn advice_is_recorded() {
    use CUmem_advise_enum as Advise;
    use CUmem_range_attribute_enum as Attribute;
    const BYTES: usize = 4 << 20;
    // Alone, since pages are shared with allocations of others, which take advice along when they go.
    crate::alone("managed::advice_is_recorded", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let (_, at) = shared!(BYTES / 4);
        let advise = |bytes, advice, device| call!(cuMemAdvise(at, bytes, advice, device));

        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, BYTES), 0);
        advise(BYTES / 2, Advise::CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, BYTES / 2), 1);
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, BYTES), 0, "not all of it");
        advise(BYTES, Advise::CU_MEM_ADVISE_UNSET_READ_MOSTLY, 99);
        call!(cuMemAdvise(at + 100, 100, Advise::CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, host_page()), 1, "by pages");
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, host_page() + 1), 0);
        advise(BYTES, Advise::CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0);
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, BYTES / 2), 0);

        let preferred = |bytes| recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, at, bytes);
        assert_eq!(preferred(BYTES), CU_DEVICE_INVALID);
        advise(BYTES, Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 0);
        assert_eq!(preferred(BYTES), 0);
        advise(BYTES / 2, Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU);
        assert_eq!((preferred(BYTES / 2), preferred(BYTES)), (CU_DEVICE_CPU, CU_DEVICE_INVALID));
        advise(BYTES, Advise::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 0);
        assert_eq!(preferred(BYTES / 2), CU_DEVICE_INVALID);

        let accessed_by = |bytes| {
            let mut devices = [77_i32; 3];
            let attribute = Attribute::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
            call!(cuMemRangeGetAttribute(devices.as_mut_ptr().cast(), 12, attribute, at, bytes));
            devices
        };
        assert_eq!(accessed_by(BYTES), [CU_DEVICE_INVALID; 3]);
        advise(BYTES, Advise::CU_MEM_ADVISE_SET_ACCESSED_BY, 0);
        assert_eq!(accessed_by(BYTES), [0, CU_DEVICE_INVALID, CU_DEVICE_INVALID]);
        advise(BYTES, Advise::CU_MEM_ADVISE_SET_ACCESSED_BY, CU_DEVICE_CPU);
        assert_eq!(accessed_by(BYTES), [0, CU_DEVICE_CPU, CU_DEVICE_INVALID]);
        advise(BYTES, Advise::CU_MEM_ADVISE_UNSET_ACCESSED_BY, CU_DEVICE_CPU);
        advise(BYTES / 2, Advise::CU_MEM_ADVISE_UNSET_ACCESSED_BY, 0);
        assert_eq!(accessed_by(BYTES), [CU_DEVICE_INVALID; 3]);
        call!(cuMemFree_v2(at));
    });
}

#[test]
fn advice_is_about_pages_and_not_about_allocations() {
    use CUmem_range_attribute_enum as Attribute;
    crate::alone("managed::advice_is_about_pages_and_not_about_allocations", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let Some((_, at)) = shared(25) else { return };
        let (_, other) = managed(25);
        call!(cuMemAdvise(at, 100, CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
        let read_mostly = recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, other, 100);
        assert_eq!(read_mostly == 1, at / 4096 == other / 4096);
        // It goes with the first of them.
        call!(cuMemFree_v2(at));
        assert_eq!(recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, other, 100), 0);
        call!(cuMemFree_v2(other));
    });
}

#[test]
fn prefetches_are_recorded() {
    use CUmem_range_attribute_enum as Attribute;
    const BYTES: usize = 4 << 20;
    let context = context();
    let _entered = context.enter().unwrap();
    let (words, at) = shared!(BYTES / 4);
    let last = |bytes| recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, at, bytes);
    assert_eq!(last(BYTES), CU_DEVICE_INVALID);
    words[9].store(9, Ordering::Relaxed);
    call!(cuMemPrefetchAsync(at, BYTES, 0, null_mut()));
    assert_eq!(last(BYTES), 0);
    call!(cuMemPrefetchAsync(at, BYTES / 2, CU_DEVICE_CPU, null_mut()));
    assert_eq!((last(BYTES / 2), last(BYTES)), (CU_DEVICE_CPU, CU_DEVICE_INVALID));
    call!(cuCtxSynchronize());
    assert_eq!(words[9].load(Ordering::Relaxed), 9);
    call!(cuMemFree_v2(at));
}

#[test]
fn places_have_types_and_numbers() {
    use CUmem_advise_enum as Advise;
    use CUmem_range_attribute_enum as Attribute;
    use CUmemLocationType_enum as Kind;
    const BYTES: usize = 4 << 20;
    if !crate::is_since(12, 2) {
        skip!("the functions came with 12.2");
    }
    let context = context();
    let _entered = context.enter().unwrap();
    let (_, at) = shared!(BYTES / 4);
    let preferred = || {
        (
            recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, at, BYTES) as u32,
            recorded(Attribute::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, at, BYTES),
        )
    };
    let prefer = Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    assert_eq!(preferred(), (Kind::CU_MEM_LOCATION_TYPE_INVALID.0, CU_DEVICE_INVALID));
    call!(cuMemAdvise_v2(at, BYTES, prefer, location(Kind::CU_MEM_LOCATION_TYPE_DEVICE, 0)));
    assert_eq!(preferred(), (Kind::CU_MEM_LOCATION_TYPE_DEVICE.0, 0));
    call!(cuMemAdvise_v2(at, BYTES, prefer, location(Kind::CU_MEM_LOCATION_TYPE_HOST, 5)));
    assert_eq!(preferred(), (Kind::CU_MEM_LOCATION_TYPE_HOST.0, CU_DEVICE_CPU));
    let read_mostly = Advise::CU_MEM_ADVISE_SET_READ_MOSTLY;
    let accessed_by = Advise::CU_MEM_ADVISE_SET_ACCESSED_BY;
    for (kind, id, answers) in [
        (Kind::CU_MEM_LOCATION_TYPE_DEVICE, 99, [DONE, INVALID, INVALID]),
        (Kind::CU_MEM_LOCATION_TYPE_HOST, 0, [DONE, DONE, DONE]),
        (Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA, 99, [DONE, INVALID, INVALID]),
        (Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0, [DONE, DONE, INVALID]),
        (Kind::CU_MEM_LOCATION_TYPE_INVALID, 0, [INVALID, INVALID, INVALID]),
        (CUmemLocationType_enum(9), 0, [INVALID, INVALID, INVALID]),
    ] {
        let place = location(kind, id);
        let given =
            [read_mostly, prefer, accessed_by].map(|advice| code!(cuMemAdvise_v2(at, BYTES, advice, place)));
        assert_eq!(given, answers, "{kind:?} {id}");
    }
    assert_eq!(code!(cuMemPrefetchAsync_v2(at, BYTES, place_of_host(), 1, null_mut())), INVALID);

    let on_device = location(Kind::CU_MEM_LOCATION_TYPE_DEVICE, 0);
    call!(cuMemPrefetchAsync_v2(at, BYTES, on_device, 0, null_mut()));
    let mut numbers = [77_i32; 3];
    let mut asked = [
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID,
        Attribute::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
    ];
    let mut places = numbers.each_mut().map(|number| std::ptr::from_mut(number).cast());
    let mut sizes = [4_usize; 3];
    call!(cuMemRangeGetAttributes(places.as_mut_ptr(), sizes.as_mut_ptr(), asked.as_mut_ptr(), 3, at, BYTES));
    assert_eq!(numbers, [Kind::CU_MEM_LOCATION_TYPE_DEVICE.0 as i32, 0, 0]);
    call!(cuCtxSynchronize());
    call!(cuMemFree_v2(at));
}

#[test]
fn advice_about_other_memory_is_refused() {
    use CUmem_advise_enum as Advise;
    use CUmem_range_attribute_enum as Attribute;
    let context = context();
    let _entered = context.enter().unwrap();
    let (_, at) = shared!(1024);
    let plain = allocate(4096);
    let read_mostly = Advise::CU_MEM_ADVISE_SET_READ_MOSTLY;
    assert_eq!(code!(cuMemAdvise(plain, 4096, read_mostly, 0)), INVALID);
    assert_eq!(code!(cuMemAdvise(at, 0, read_mostly, 0)), INVALID);
    assert_eq!(code!(cuMemAdvise(at, 4096, CUmem_advise_enum(0), 0)), INVALID);
    assert_eq!(code!(cuMemAdvise(at, 4096, CUmem_advise_enum(9), 0)), INVALID);
    let no_device = CUresult::CUDA_ERROR_INVALID_DEVICE;
    let prefer = Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    assert_eq!(code!(cuMemAdvise(at, 4096, prefer, 9999)), no_device);
    assert_eq!(code!(cuMemAdvise(at, 4097, read_mostly, 0)), INVALID);
    if !has(CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) {
        let on_stack = (&raw const plain).addr() as u64;
        assert_eq!(code!(cuMemAdvise(on_stack, 8, read_mostly, 0)), INVALID);
    }
    assert_eq!(code!(cuMemPrefetchAsync(at, 4096, 9999, null_mut())), no_device);
    assert_eq!(code!(cuMemPrefetchAsync(plain, 4096, 0, null_mut())), INVALID);
    let mut number = 0_i32;
    let to = (&raw mut number).cast();
    let attribute = Attribute::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
    assert_eq!(code!(cuMemRangeGetAttribute(to, 4, attribute, plain, 4096)), INVALID);
    assert_eq!(code!(cuMemRangeGetAttribute(to, 2, attribute, at, 4096)), INVALID);
    assert_eq!(code!(cuMemRangeGetAttribute(null_mut(), 4, attribute, at, 4096)), INVALID);
    assert_eq!(code!(cuMemRangeGetAttribute(to, 4, CUmem_range_attribute_enum(99), at, 4096)), INVALID);
    call!(cuMemFree_v2(plain));
    call!(cuMemFree_v2(at));
}

#[test]
fn whole_allocation_is_attached_or_nothing() {
    let context = context();
    let _entered = context.enter().unwrap();
    let (words, at) = managed(1024);
    let on = cuda_suite::raw::stream(0);
    for (len, flags) in [(0, HOST), (4096, SINGLE), (0, GLOBAL), (0, SINGLE)] {
        call!(cuStreamAttachMemAsync(on, at, len, flags));
        call!(cuStreamSynchronize(on));
        words[0].fetch_add(1, Ordering::Relaxed);
    }
    launch(function(PTX, c"add"), on, &[at, 10]);
    call!(cuStreamSynchronize(on));
    assert_eq!(words[0].load(Ordering::Relaxed), 14);
    for on in [null_mut(), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD] {
        let single = if on.is_null() { INVALID } else { DONE };
        assert_eq!(code!(cuStreamAttachMemAsync(on, at, 0, SINGLE)), single);
        call!(cuStreamAttachMemAsync(on, at, 0, GLOBAL));
    }
    // Parts of it, and several things at once.
    assert_eq!(code!(cuStreamAttachMemAsync(on, at, 2048, GLOBAL)), INVALID);
    assert_eq!(code!(cuStreamAttachMemAsync(on, at + 2048, 0, GLOBAL)), INVALID);
    for flags in [GLOBAL | HOST, GLOBAL | HOST | SINGLE, 8] {
        assert_eq!(code!(cuStreamAttachMemAsync(on, at, 0, flags)), INVALID);
    }
    let plain = allocate(4096);
    assert_eq!(code!(cuStreamAttachMemAsync(on, plain, 0, GLOBAL)), INVALID);
    call!(cuMemFree_v2(plain));
    call!(cuStreamDestroy_v2(on));
    call!(cuMemFree_v2(at));
}

//! Launches as in CUDA before 4, through the raw API: their parameters are set beforehand.

use core::ffi::{c_int, c_void};
use cuda_rt::context::ContextFlags;
use cuda_rt::{Context, DeviceBuf, Module, Stream};
use cuda_suite::{code, context, device, stream};
use cuda_sys::{
    CUfunction, CUresult, cuFuncSetBlockShape, cuFuncSetSharedSize, cuLaunch, cuLaunchGrid,
    cuLaunchGridAsync, cuParamSetSize, cuParamSetf, cuParamSeti, cuParamSetv,
};
use std::ptr::{from_ref, null_mut};

/// `out[block * threads + thread] = value + (int) more + 1000 * dynamic shared memory`
const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry unread(.param .u64 unused) { ret; }
.visible .entry small() .maxntid 128, 1, 1 { ret; }
.visible .entry exact() .reqntid 64, 2, 1 { ret; }
.visible .entry fill(.param .u64 out, .param .u32 value, .param .f32 more) {
    .reg .b32 %value, %block, %width, %row, %at, %x;
    .reg .b64 %out, %offset;
    .reg .f32 %more;
    ld.param.u64 %out, [out];
    ld.param.u32 %value, [value];
    ld.param.f32 %more, [more];
    mov.u32 %block, %ctaid.x;
    mov.u32 %width, %nctaid.x;
    mov.u32 %row, %ctaid.y;
    mad.lo.u32 %block, %row, %width, %block;
    mov.u32 %x, %ntid.x;
    mov.u32 %at, %tid.x;
    mad.lo.u32 %at, %block, %x, %at;
    cvt.rzi.u32.f32 %x, %more;
    add.u32 %value, %value, %x;
    mov.u32 %x, %dynamic_smem_size;
    mad.lo.u32 %value, %x, 1000, %value;
    mul.wide.u32 %offset, %at, 4;
    add.u64 %out, %out, %offset;
    st.global.u32 [%out], %value;
    ret;
}
";

const OK: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

struct Place {
    module: Module,
    stream: Stream,
    out: DeviceBuf<u32>,
}

impl Place {
    fn new() -> Place {
        let stream = stream();
        let out = DeviceBuf::zeroed(&stream, 8).unwrap();
        stream.synchronize().unwrap();
        Place { module: Module::from_ptx(&context(), PTX).unwrap(), stream, out }
    }

    fn function(&self, name: &str) -> CUfunction {
        self.module.function(name).unwrap().as_raw()
    }

    /// A kernel with a place to write to, and the value 40 + 2.
    fn fill(&self) -> CUfunction {
        let fill = self.function("fill");
        let address = self.out.ptr().as_raw();
        let answers = [
            code!(cuParamSetv(fill, 0, from_ref(&address).cast_mut().cast(), 8)),
            code!(cuParamSeti(fill, 8, 40)),
            code!(cuParamSetf(fill, 12, 2.5)),
            code!(cuParamSetSize(fill, 16)),
        ];
        assert_eq!(answers, [OK; 4]);
        fill
    }

    /// Returns the output, and sets it to zero again.
    fn written(&mut self) -> Vec<u32> {
        context().synchronize().unwrap();
        let written = self.out.to_vec().unwrap();
        self.out.copy_from_host(&[0; 8]).unwrap();
        self.stream.synchronize().unwrap();
        written
    }
}

#[test]
fn kernels_use_and_keep_set_parameters() {
    let context = context();
    let _entered = context.enter().unwrap();
    let mut place = Place::new();
    let fill = place.fill();
    // One thread by default.
    assert_eq!(code!(cuLaunch(fill)), OK);
    assert_eq!(place.written(), [42, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(code!(cuFuncSetBlockShape(fill, 2, 1, 1)), OK);
    assert_eq!(code!(cuLaunchGrid(fill, 2, 1)), OK);
    assert_eq!(place.written(), [42, 42, 42, 42, 0, 0, 0, 0]);
    assert_eq!(code!(cuParamSeti(fill, 8, 50)), OK);
    assert_eq!(code!(cuLaunchGrid(fill, 1, 3)), OK);
    assert_eq!(place.written(), [52, 52, 52, 52, 52, 52, 0, 0]);
    assert_eq!(code!(cuFuncSetSharedSize(fill, 3)), OK);
    assert_eq!(code!(cuLaunchGridAsync(fill, 1, 1, place.stream.as_raw())), OK);
    assert_eq!(place.written(), [3052, 3052, 0, 0, 0, 0, 0, 0]);
    // Handles of one kernel share it, on every thread.
    let again = place.function("fill") as usize;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _entered = context.enter().unwrap();
            assert_eq!(code!(cuLaunchGrid(again as CUfunction, 1, 1)), OK);
        });
    });
    assert_eq!(place.written(), [3052, 3052, 0, 0, 0, 0, 0, 0]);
    // Parameters beyond the size are zero.
    assert_eq!(code!(cuFuncSetSharedSize(fill, 0)), OK);
    assert_eq!(code!(cuParamSetSize(fill, 12)), OK);
    assert_eq!(code!(cuLaunchGrid(fill, 1, 1)), OK);
    assert_eq!(place.written(), [50, 50, 0, 0, 0, 0, 0, 0]);
    // All may be missing, other than in a list of `cuLaunchKernel`.
    let unread = place.function("unread");
    assert_eq!(code!(cuParamSetSize(unread, 0)), OK);
    assert_eq!(code!(cuLaunchGrid(unread, 1, 1)), OK);
    // And the kernel does not take more than it has.
    assert_eq!(code!(cuParamSetSize(fill, 17)), OK);
    assert_eq!(code!(cuLaunchGrid(fill, 1, 1)), CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

#[test]
fn impossible_settings_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    let place = Place::new();
    let [nothing, small, exact] = ["nothing", "small", "exact"].map(|name| place.function(name));
    let shape = |function, [x, y, z]: [c_int; 3]| code!(cuFuncSetBlockShape(function, x, y, z));
    for (block, answer) in [
        ([0, 1, 1], INVALID),
        ([-1, 1, 1], INVALID),
        ([1024, 1, 1], OK),
        ([1025, 1, 1], INVALID),
        ([1024, 2, 1], INVALID),
        ([1, 1, 64], OK),
        ([1, 1, 65], INVALID),
        ([33, 32, 1], INVALID),
    ] {
        assert_eq!(shape(nothing, block), answer, "{block:?}");
        assert_eq!(code!(cuLaunch(nothing)), OK);
    }
    assert_eq!([shape(small, [128, 1, 1]), shape(small, [129, 1, 1])], [OK, INVALID]);
    // The blocks that a kernel requires are there from the start.
    assert_eq!(code!(cuLaunch(exact)), OK);
    assert_eq!([shape(exact, [128, 1, 1]), shape(exact, [64, 2, 1])], [INVALID, OK]);
    let grid = |width, height| code!(cuLaunchGrid(nothing, width, height));
    assert_eq!([grid(0, 1), grid(1, 0), grid(-1, 1), grid(1, -1), grid(1, 65_536)], [INVALID; 5]);
    assert_eq!([grid(70_000, 1), grid(1, 65_535)], [OK; 2]);
    let shared = |bytes| code!(cuFuncSetSharedSize(nothing, bytes));
    assert_eq!([shared(49_152), shared(49_153), shared(u32::MAX)], [OK, INVALID, INVALID]);
    let integer = |offset| code!(cuParamSeti(nothing, offset, 1));
    assert_eq!([integer(0), integer(13), integer(32_760), integer(32_764)], [OK, OK, OK, INVALID]);
    let float = |offset| code!(cuParamSetf(nothing, offset, 1.0));
    assert_eq!([float(1), float(32_764)], [OK, INVALID]);
    let size = |bytes| code!(cuParamSetSize(nothing, bytes));
    assert_eq!([size(32_764), size(32_765), size(0)], [OK, INVALID, OK]);
    let bytes = vec![0_u8; 40_000];
    let vector = |offset, from: *const u8, size| {
        code!(cuParamSetv(nothing, offset, from.cast_mut().cast::<c_void>(), size))
    };
    let from = bytes.as_ptr();
    assert_eq!([vector(0, from, 32_764), vector(32_764, from, 0), vector(1, from, 8)], [OK; 3]);
    assert_eq!([vector(0, from, 32_765), vector(4, from, 32_764), vector(32_764, from, 1)], [INVALID; 3]);
    assert_eq!([vector(0, null_mut(), 0), vector(0, null_mut(), 8)], [INVALID; 2]);
    context.synchronize().unwrap();
}

#[test]
fn a_function_is_of_its_context() {
    let place = Place::new();
    let nothing = place.function("nothing");
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let _entered = other.enter().unwrap();
    let mut value = 0_u32;
    let answers = [
        code!(cuFuncSetBlockShape(nothing, 1, 1, 1)),
        code!(cuFuncSetSharedSize(nothing, 0)),
        code!(cuParamSetSize(nothing, 0)),
        code!(cuParamSeti(nothing, 0, 0)),
        code!(cuParamSetf(nothing, 0, 0.0)),
        code!(cuParamSetv(nothing, 0, (&raw mut value).cast(), 4)),
        code!(cuLaunch(nothing)),
        code!(cuLaunchGrid(nothing, 1, 1)),
        code!(cuLaunchGridAsync(nothing, 1, 1, null_mut())),
    ];
    assert_eq!(answers, [CUresult::CUDA_ERROR_INVALID_HANDLE; 9]);
    // A null function is refused, too.
    assert_eq!(code!(cuLaunch(null_mut())), CUresult::CUDA_ERROR_INVALID_HANDLE);
    let own = context();
    let _back = own.enter().unwrap();
    let stream = Stream::new(&other).unwrap();
    let launched = code!(cuLaunchGridAsync(nothing, 1, 1, stream.as_raw()));
    assert_eq!(launched, CUresult::CUDA_ERROR_INVALID_HANDLE);
}

//! Programs with tensor maps.

use crate::graphs::newest;
use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::PackedArgs;
use cuda_rt::tensor_map::{
    Im2col, Im2colWide, Tensor, TensorAllocationClass, TensorDataType, TensorMap, TensorSwizzle, TiledBox,
};
use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_sys::Symbol;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("tensor maps", maps),
    Scenario { config: newest, ..plain("allocation classes of tensor maps", classes) },
    Scenario { explains: &[Symbol::cuDeviceGetAttribute], ..plain("tensor maps that are refused", refused) },
    plain("tensor maps as packed arguments", packed),
];

const ADDRESS: DevicePtr<f32> = DevicePtr::from_raw(0x1000);

fn maps() -> Done {
    let context = own()?;
    let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32, 16], &[256, 8192]);
    let tensor = Tensor { swizzle: TensorSwizzle::SPAN_128, ..tensor };
    let mut map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32, 8, 1]))?;
    let before = map;
    if let Err(error) = map.set_address(&context, DevicePtr::<f32>::from_raw(0x2000)) {
        assert_eq!(map, before);
        return Err(error);
    }
    TensorMap::im2col(&context, &tensor, &Im2col::new(&[-1], &[-1], 32, 128))?;
    TensorMap::im2col_wide(&context, &tensor, &Im2colWide::new(-1, -1, 32, 128)).map(drop)
}

fn classes() -> Done {
    let context = own()?;
    let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64], &[]);
    let mut map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32]))?;
    let before = map;
    match map.set_allocation_class(&context, TensorAllocationClass::LARGE) {
        Ok(class) => assert_eq!(class, TensorAllocationClass::SMALL),
        Err(error) if error.kind() == ErrorKind::FunctionMissing => {}
        Err(error) => {
            assert_eq!(map, before);
            return Err(error);
        }
    }
    Ok(())
}

fn refused() -> Done {
    let context = own()?;
    let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32], &[264]);
    match TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32, 8])) {
        Err(error) if error.to_string().contains("stride 264 of dimension 1 is not a multiple of 16") => {
            Ok(())
        }
        Err(error) => Err(error),
        Ok(_) => panic!("the stride is not a multiple of 16"),
    }
}

fn packed() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let ptx = ".version 8.0 .target sm_90 .address_size 64
        .visible .entry first(.param .u64 out, .param .align 128 .b8 map[128]) {
            .reg .b64 %a, %v; ld.param.u64 %a, [out]; ld.param.u64 %v, [map]; st.global.u64 [%a], %v; ret; }";
    let module = Module::from_ptx(&context, ptx)?;
    let function = module.function("first")?;
    let out = DeviceBuf::<u64>::zeroed(&stream, 1)?;
    let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64], &[]);
    let map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32]))?;
    let mut arguments = PackedArgs::new();
    arguments.push(out.ptr());
    arguments.push(map);
    // SAFETY: one thread writes the element of `out`, which lives on the same stream.
    unsafe { function.with(LaunchConfig::new(1, 1)).launch(&stream, &arguments) }?;
    assert_eq!(out.to_vec()?, [0x1000]);
    Ok(())
}

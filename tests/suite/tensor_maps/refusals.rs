//! Descriptions that are refused, and changes of maps.

use super::{need_tensor_maps, small_map};
use crate::is_since;
use cuda_rt::error::{Code, Error, ErrorKind};
use cuda_rt::tensor_map::{
    Im2col, Im2colWide, Im2colWideMode, Tensor, TensorAllocationClass, TensorDataType, TensorFill,
    TensorInterleave, TensorL2Promotion, TensorMap, TensorSwizzle, TiledBox,
};
use cuda_rt::{DevicePtr, Result};
use cuda_suite::{context, device, invalid, skip};

const ADDRESS: DevicePtr<f32> = DevicePtr::from_raw(0x1000);
const FLOATS: Tensor<'static> = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32, 16], &[256, 8192]);
const BYTES: Tensor<'static> = Tensor { data_type: TensorDataType::UINT8, ..FLOATS };
const BOX: TiledBox<'static> = TiledBox::new(&[32, 8, 1]);

fn tiled(tensor: Tensor<'_>, taken: TiledBox<'_>) -> Result<TensorMap> {
    TensorMap::tiled(&context(), &tensor, &taken)
}

fn at(address: u64) -> DevicePtr<()> {
    DevicePtr::from_raw(address)
}

#[track_caller]
fn refused(refused: Result<TensorMap>, reason: &str) {
    let error: Error = refused.unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue), "{error}");
    assert!(error.to_string().contains(reason), "{error}\nlacks {reason}");
}

#[test]
fn numbers_that_do_not_fit_together_are_refused() {
    need_tensor_maps!();
    let (dims, strides) = ([1; 6], [16; 5]);
    let of = |dims: &[u64], strides: &[u64], box_dims: &[u32], steps: &[u32]| {
        let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, dims, strides);
        tiled(tensor, TiledBox { element_strides: steps, ..TiledBox::new(box_dims) }).unwrap_err()
    };
    assert_eq!(of(&dims, &strides, &[4; 6], &[]), invalid("6 dimensions are not within 1 to 5"));
    assert_eq!(of(&[], &[], &[], &[]), invalid("0 dimensions are not within 1 to 5"));
    assert_eq!(of(&[4, 4], &[], &[4, 1], &[]), invalid("0 strides do not fit 2 dimensions, which need 1"));
    assert_eq!(
        of(&[4, 4], &[16], &[4], &[]),
        invalid("1 box dimensions do not fit 2 dimensions, which need 2")
    );
    assert_eq!(of(&[4, 4], &[16], &[4, 1], &[1]), invalid("1 element strides do not fit 2 dimensions"));
    let columns = Im2col::new(&[0, 0], &[0], 4, 4);
    let error = TensorMap::im2col(&context(), &FLOATS, &columns).unwrap_err();
    assert_eq!(error, invalid("2 offsets of the lower corner do not fit 3 dimensions, which need 1"));
}

#[test]
fn broken_rules_of_tensors_are_named() {
    need_tensor_maps!();
    let with = |change: fn(&mut Tensor<'static>)| {
        let mut tensor = FLOATS;
        change(&mut tensor);
        tiled(tensor, BOX)
    };
    refused(with(|tensor| tensor.address = at(0x1008)), "address 0x1008 is not a multiple of 16");
    refused(with(|tensor| tensor.address = at(1 << 57)), "exceeds 2^57");
    refused(
        with(|tensor| tensor.dims = &[64, 0, 16]),
        "0 elements along dimension 1 are not within 1 to 2^32",
    );
    refused(with(|tensor| tensor.dims = &[64, 32, (1 << 32) + 1]), "4294967297 elements along dimension 2");
    refused(with(|tensor| tensor.strides = &[256, 24]), "stride 24 of dimension 2 is not a multiple of 16");
    refused(
        with(|tensor| tensor.strides = &[1 << 40, 16]),
        "stride 1099511627776 of dimension 1 is not less than 2^40",
    );
    refused(with(|tensor| tensor.data_type = TensorDataType(99)), "TensorDataType(99) is not one that CUDA");
    refused(with(|tensor| tensor.swizzle = TensorSwizzle(99)), "TensorSwizzle(99) is not one");
    refused(with(|tensor| tensor.interleave = TensorInterleave(99)), "TensorInterleave(99) is not one");
    refused(with(|tensor| tensor.l2_promotion = TensorL2Promotion(99)), "TensorL2Promotion(99) is not one");
    refused(with(|tensor| tensor.fill = TensorFill(99)), "TensorFill(99) is not one");
    let integers = Tensor { fill: TensorFill::NAN, data_type: TensorDataType::INT32, ..FLOATS };
    refused(tiled(integers, BOX), "fill NAN is for floating-point types, and not for INT32");
    let flat = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32], &[256]);
    let flat = Tensor { interleave: TensorInterleave::BYTES_16, ..flat };
    refused(
        tiled(flat, TiledBox::new(&[4, 1])),
        "2 dimensions are too few for interleave BYTES_16, which needs 3",
    );
    let wide = Tensor { interleave: TensorInterleave::BYTES_32, swizzle: TensorSwizzle::SPAN_32, ..FLOATS };
    refused(tiled(Tensor { address: at(0x1010), ..wide }, BOX), "address 0x1010 is not a multiple of 32");
    refused(
        tiled(Tensor { strides: &[256, 48], ..wide }, BOX),
        "stride 48 of dimension 2 is not a multiple of 32",
    );
}

#[test]
fn broken_rules_of_boxes_are_named() {
    need_tensor_maps!();
    let of = |dims: [u32; 3]| tiled(FLOATS, TiledBox::new(&dims));
    refused(of([0, 1, 1]), "0 elements of the box along dimension 0 are not within 1 to 256");
    refused(of([32, 257, 1]), "257 elements of the box along dimension 1 are not within 1 to 256");
    refused(of([3, 1, 1]), "3 elements of a row have 12 bytes, not a multiple of 16");
    refused(of([256, 256, 1]), "a copy takes 262144 bytes, more than ");
    let steps = TiledBox { element_strides: &[1, 9, 1], ..BOX };
    refused(tiled(FLOATS, steps), "element stride 9 of dimension 1 is not within 1 to 8");
    let swizzled = Tensor { swizzle: TensorSwizzle::SPAN_64, ..FLOATS };
    refused(tiled(swizzled, BOX), "32 elements of a row have 128 bytes, more than swizzle SPAN_64 allows");
    // Hardware may have only a part of that row, but all 256 rows of a quarter of it.
    tiled(BYTES, TiledBox { element_strides: &[1, 4, 1], ..TiledBox::new(&[256, 256, 8]) }).unwrap();
}

#[test]
fn broken_rules_of_columns_are_named() {
    need_tensor_maps!();
    let of = |lower: i32, upper: i32, channels, pixels| {
        TensorMap::im2col(&context(), &FLOATS, &Im2col::new(&[lower], &[upper], channels, pixels))
    };
    of(-1, -1, 32, 128).unwrap();
    refused(
        of(1 << 15, 0, 32, 128),
        "offset 32768 of a corner is not within -32768 to 32767, the limits of 3 dimensions",
    );
    refused(of(32, 0, 32, 128), "the bounding box has 0 pixels along dimension 1");
    refused(of(0, 0, 257, 128), "257 channels per pixel are not within 1 to 256");
    refused(of(0, 0, 32, 1025), "1025 pixels per column are not within 1 to 1024");
    refused(of(0, 0, 0, 128), "0 channels per pixel");
    refused(of(0, 0, 3, 128), "3 elements of a row have 12 bytes, not a multiple of 16");
    let flat = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32], &[256]);
    refused(
        TensorMap::im2col(&context(), &flat, &Im2col::new(&[], &[], 4, 4)),
        "2 dimensions are not within 3 to 5",
    );
    let deep =
        Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32, 16, 4, 2], &[256, 8192, 131_072, 524_288]);
    let columns = Im2col::new(&[0, -17, 0], &[0; 3], 4, 4);
    refused(TensorMap::im2col(&context(), &deep, &columns), "offset -17 of a corner is not within -16 to 15");
}

#[test]
fn kinds_of_later_devices_are_named() {
    need_tensor_maps!();
    if device().compute_capability().unwrap().major != 9 {
        skip!("this device has them, or no tensor maps");
    }
    let packed = Tensor { data_type: TensorDataType::PACKED_16U4_ALIGN8B, ..FLOATS };
    let since = "needs compute capability 10.0; the device has 9.0";
    refused(tiled(packed, BOX), &format!("PACKED_16U4_ALIGN8B {since}"));
    let swizzled = Tensor { swizzle: TensorSwizzle::SPAN_128_ATOM_32, ..FLOATS };
    refused(tiled(swizzled, BOX), &format!("swizzle SPAN_128_ATOM_32 {since}"));
}

#[test]
fn address_is_replaced_and_checked() {
    need_tensor_maps!();
    let mut map = small_map(0x1000).unwrap();
    map.set_address(&context(), at(0x2000)).unwrap();
    assert_eq!(map, small_map(0x2000).unwrap());
    assert_ne!(map, small_map(0x1000).unwrap());
    let error = map.set_address(&context(), at(0x2008)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("address 0x2008 is not a multiple of 16"), "{error}");
    let error = map.set_address(&context(), at(0)).unwrap_err();
    assert!(error.to_string().contains("address 0x0 is not one that a tensor can have"), "{error}");
    assert_eq!(map, small_map(0x2000).unwrap());
}

#[test]
fn wide_columns_are_encoded_since_12_8() {
    need_tensor_maps!();
    let tensor = Tensor { swizzle: TensorSwizzle::SPAN_128, ..FLOATS };
    let of = |columns: Im2colWide<'_>| TensorMap::im2col_wide(&context(), &tensor, &columns);
    let columns = Im2colWide::new(-1, 1, 32, 128);
    if !is_since(12, 8) {
        assert_eq!(of(columns).unwrap_err().kind(), ErrorKind::FunctionMissing);
        skip!("this driver has no columns along the width");
    }
    of(columns).unwrap();
    of(Im2colWide { mode: Im2colWideMode::W128, ..columns }).unwrap();
    refused(of(Im2colWide { mode: Im2colWideMode(9), ..columns }), "Im2colWideMode(9) is not one");
    refused(of(Im2colWide { lower_corner: -32769, ..columns }), "offset -32769 of a corner");
}

#[test]
fn allocation_class_is_set_since_13_5() {
    need_tensor_maps!();
    let (context, mut map) = (context(), small_map(0x1000).unwrap());
    let set = map.set_allocation_class(&context, TensorAllocationClass::AUTO);
    if !is_since(13, 5) {
        assert_eq!(set.unwrap_err().kind(), ErrorKind::FunctionMissing);
        skip!("this driver has no allocation classes");
    }
    let classes = [TensorAllocationClass::SMALL, TensorAllocationClass::LARGE];
    assert!(classes.contains(&set.unwrap()));
    let small = map.set_allocation_class(&context, TensorAllocationClass::SMALL).unwrap();
    assert_eq!(small, TensorAllocationClass::SMALL);
    let error = map.set_allocation_class(&context, TensorAllocationClass(9)).unwrap_err();
    assert!(error.to_string().contains("class TensorAllocationClass(9) is not one"), "{error}");
}

#[test]
fn raw_maps_go_out_and_come_back() {
    need_tensor_maps!();
    let map = small_map(0x1000).unwrap();
    // SAFETY: the driver has encoded it.
    let back = unsafe { TensorMap::from_raw(*map.as_raw()) };
    assert_eq!((back, format!("{back:?}")), (map, "TensorMap { .. }".to_owned()));
}

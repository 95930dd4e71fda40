//! Tensor maps, and descriptions of tensors.

use super::Catalogue;
use crate::world::World;
use cuda_rt::DevicePtr;
use cuda_rt::tensor_map::{
    Im2col, Im2colWide, Tensor, TensorAllocationClass, TensorDataType, TensorMap, TensorSwizzle, TiledBox,
};

const ADDRESS: DevicePtr<f32> = DevicePtr::from_raw(0x1000);
const TENSOR: Tensor<'static> = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64, 32, 16], &[256, 8192]);
const BOX: TiledBox<'static> = TiledBox::new(&[32, 8, 1]);

fn map(world: &World) -> TensorMap {
    TensorMap::tiled(&world.context, &TENSOR, &BOX).unwrap()
}

/// It is as it was.
fn map_works(map: &mut TensorMap, world: &World) {
    assert_eq!(*map, self::map(world));
}

pub(super) fn add(c: &mut Catalogue) {
    c.of(map, map_works)
        .refuses("TensorMap::set_address", |map, w| map.set_address(&w.context, ADDRESS))
        .refuses("TensorMap::set_allocation_class", |map, w| {
            map.set_allocation_class(&w.context, TensorAllocationClass::AUTO)
        })
        .answers("TensorMap::as_raw; TensorMap: {Debug, Hash, NoUninit, PartialEq}", |map, _| {
            let same = std::collections::HashSet::from([*map]).contains(map);
            (format!("{map:?} {}", map.as_raw().opaque[0]), same, cuda_rt::bytemuck::bytes_of(map).len())
        })
        // SAFETY: the driver has encoded it.
        .answers("TensorMap::from_raw", |map, _| unsafe { TensorMap::from_raw(*map.as_raw()) });
    c.free()
        .refuses("TensorMap::tiled", |_, w| TensorMap::tiled(&w.context, &TENSOR, &BOX))
        .refuses("TensorMap::im2col", |_, w| {
            TensorMap::im2col(&w.context, &TENSOR, &Im2col::new(&[0], &[0], 32, 128))
        })
        .refuses("TensorMap::im2col_wide", |_, w| {
            TensorMap::im2col_wide(&w.context, &TENSOR, &Im2colWide::new(0, 0, 32, 128))
        })
        .answers("Tensor::new; TiledBox::new; Im2col::new; Im2colWide::new", |_, _| {
            let tensor = Tensor::new(TensorDataType::FLOAT32, ADDRESS, &[64], &[]);
            (
                format!("{tensor:?} {:?}", TiledBox::new(&[4])),
                Im2col::new(&[0], &[0], 4, 4),
                Im2colWide::new(0, 0, 4, 4),
            )
        })
        .answers("TensorDataType::{element_bits, packed_strides}; TensorSwizzle::span_bytes", |_, _| {
            let strides = TensorDataType::FLOAT32.packed_strides(&[64, 32]);
            (TensorDataType::FLOAT32.element_bits(), strides, TensorSwizzle::SPAN_64.span_bytes())
        });
}

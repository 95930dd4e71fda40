//! Limits of the size of an array.

use crate::driver::State;
use cuda_sim_engine::Shape;
use cuda_sys::{
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_SURFACE_LDST, CUDA_ARRAY3D_TEXTURE_GATHER, CUdevice,
    CUdevice_attribute_enum as Limit,
};

/// Limits of width, height and depth, as far as they apply.
type Limits = &'static [Limit];

/// Returns the limits of an array for textures.
fn sampled(shape: Shape) -> Limits {
    match shape {
        Shape::Linear | Shape::Pitched | Shape::Array(1) => {
            &[Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH]
        }
        Shape::Array(2) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
        ],
        Shape::Array(_) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
        ],
        Shape::Layered(1) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS,
        ],
        Shape::Layered(_) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
        ],
        Shape::Cube => &[Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH],
        Shape::LayeredCube => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS,
        ],
    }
}

/// Returns the limits of an array with levels. If a shape has none of its own, they are those of an array without
/// levels.
fn levelled(shape: Shape) -> Limits {
    match shape {
        Shape::Array(1) => &[Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH],
        Shape::Array(2) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT,
        ],
        _ => &[],
    }
}

/// Alternate limits of three dimensions, which are deeper and narrower.
const ALTERNATE: Limits = &[
    Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE,
    Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
    Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE,
];

/// Returns the limits of an array for surface instructions.
fn accessed(shape: Shape) -> Limits {
    match shape {
        Shape::Linear | Shape::Pitched | Shape::Array(1) => {
            &[Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH]
        }
        Shape::Array(2) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
        ],
        Shape::Array(_) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
        ],
        Shape::Layered(1) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS,
        ],
        Shape::Layered(_) => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS,
        ],
        Shape::Cube => &[Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH],
        Shape::LayeredCube => &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS,
        ],
    }
}

impl State {
    /// Returns whether a device supports arrays of this shape and size.
    pub(crate) fn takes_array(
        &self,
        device: CUdevice,
        shape: Shape,
        descriptor: &CUDA_ARRAY3D_DESCRIPTOR,
        mipmapped: bool,
    ) -> bool {
        let (width, height, depth) = (descriptor.Width, descriptor.Height, descriptor.Depth);
        let extents = match shape {
            Shape::Layered(1) => [width, depth, 0],
            Shape::Cube | Shape::LayeredCube => [width, depth, 0],
            _ => [width, height, depth],
        };
        let within = |limits: Limits| {
            let pairs = extents.iter().zip(limits);
            pairs.into_iter().all(|(extent, limit)| *extent as u64 <= self.limit_of(device, *limit))
        };
        let three = shape == Shape::Array(3);
        let gather = descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER != 0;
        let gathered: Limits = &[
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH,
            Limit::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT,
        ];
        (within(sampled(shape)) || (three && within(ALTERNATE)))
            && (descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST == 0 || within(accessed(shape)))
            && (!gather || within(gathered))
            && (!mipmapped || within(levelled(shape)))
    }
}

//! A picture that kernels turn: one by a texture reference, one by a texture object.

use cuda_rt::array::Order;
use cuda_rt::texture::TexHandle;
use cuda_rt::texture::{AddressMode, FilterMode, TextureDescriptor, TextureFlags};
use cuda_rt::{Array, Context, DeviceBuf, DevicePtr, LaunchConfig, Module, Result, Stream, TexObject};

/// Width and height.
pub(crate) const SIZE: u32 = 256;

/// Red, green, blue, opacity.
pub(crate) type Pixel = [u8; 4];

/// Returns a test card: a chequered ground whose colours change, a disc, and a mark in the upper left corner, which shows the
/// direction.
pub(crate) fn card() -> Vec<Pixel> {
    let size = SIZE as i32;
    let pixel = |x: i32, y: i32| -> Pixel {
        let (from_middle_x, from_middle_y) = (2 * x + 1 - size, 2 * y + 1 - size);
        let distance = from_middle_x * from_middle_x + from_middle_y * from_middle_y;
        let shade = |along: i32| (64 + along * 191 / (size - 1)) as u8;
        if (24..72).contains(&x) && (24..40).contains(&y) || (24..40).contains(&x) && (24..72).contains(&y) {
            [255, 255, 255, 255]
        } else if distance < (size / 2) * (size / 2) {
            [240, shade(y), 32, 255]
        } else if (x / 32 + y / 32) % 2 == 0 {
            [shade(x), 48, shade(y), 255]
        } else {
            [32, shade(x), shade(size - 1 - y), 255]
        }
    };
    (0..size).flat_map(|y| (0..size).map(move |x| pixel(x, y))).collect()
}

/// Returns the picture, turned by `degrees`: by a texture reference, and by a texture object.
pub(crate) fn turned(context: &Context, degrees: f32) -> Result<[Vec<Pixel>; 2]> {
    let stream = Stream::new(context)?;
    let image = Array::from_matrix(&stream, &card(), SIZE as usize, SIZE as usize, Order::RowMajor)?;
    let module = Module::from_ptx(context, include_str!("rotate.ptx"))?;
    let out = DeviceBuf::<Pixel>::zeroed(&stream, (SIZE * SIZE) as usize)?;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let config = LaunchConfig { grid: [SIZE / 16, SIZE / 16, 1], block: [16, 16, 1], shared_bytes: 0 };

    // The reference is bound to the name `image` of the module. Its settings hold for every kernel of the module.
    let reference = module.tex_ref("image")?;
    reference.set_array(&image)?;
    for dimension in 0..2 {
        reference.set_address_mode(dimension, AddressMode::Border)?;
    }
    reference.set_filter_mode(FilterMode::Linear)?;
    reference.set_flags(TextureFlags::NORMALIZED_COORDINATES)?;
    let rotate = module.function("rotate_reference")?.typed::<(DevicePtr<Pixel>, u32, u32, f32, f32)>()?;
    // SAFETY: each thread inside of the picture writes one pixel of `out`, which lives on the stream; the reference is bound to
    // an array.
    unsafe { rotate.launch(config, &stream, (out.ptr(), SIZE, SIZE, cosine, sine)) }?;
    let by_reference = out.to_vec()?;

    // The object is an argument of the kernel.
    let object = TexObject::new(
        context,
        &image,
        &TextureDescriptor {
            address_modes: [AddressMode::Border; 3],
            filter_mode: FilterMode::Linear,
            flags: TextureFlags::NORMALIZED_COORDINATES,
            ..TextureDescriptor::default()
        },
    )?;
    let rotate =
        module.function("rotate_object")?.typed::<(TexHandle, DevicePtr<Pixel>, u32, u32, f32, f32)>()?;
    // SAFETY: as above; the object is of the same context, and lives until `synchronize` has waited for the kernel.
    unsafe { rotate.launch(config, &stream, (object.handle(), out.ptr(), SIZE, SIZE, cosine, sine)) }?;
    stream.synchronize()?;
    let by_object = out.to_vec()?;
    Ok([by_reference, by_object])
}

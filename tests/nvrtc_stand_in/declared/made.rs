//! A macro that declares kernels, and takes the name of the structure.

macro_rules! made {
    ($name:ident) => {
        cuda_rt::kernels! {
            struct $name from cuda("extern \"C\" __global__ void scale(float *x, unsigned n) {}");
            extern {
                fn scale(
                    x: &mut [f32],
                    n: u32,
                );
            }
        }
    };
}
pub(super) use made;

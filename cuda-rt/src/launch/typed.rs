//! Argument types for the kernels of a module.

#![allow(unsafe_code)]

use super::{Kernel, KernelArgs, compare};
use crate::error::Result;
use crate::module::Function;

impl Function {
    /// Adds argument types to the kernel. Wraps `cuFuncGetParamInfo`. On drivers for CUDA 13.2 or newer, also wraps
    /// `cuFuncGetParamCount`, which was not run on hardware.
    ///
    /// The method checks that the kernel has as many parameters as `A`, of the same sizes, and at the offsets that C would
    /// choose. The kernel's type may be aligned more strictly if the argument is numbers of one type: `[f32; 2]` fits a `float2`,
    /// which is aligned to 8 bytes. Drivers before CUDA 12.4 do not report the parameters. There they are read from the loaded
    /// code: see [`parameters`](Function::parameters).
    ///
    /// # The types
    ///
    /// `A` is a tuple of one type for each parameter, in order: `typed::<(DevicePtr<f32>, u32)>()`, with one parameter
    /// `typed::<(DevicePtr<f32>,)>()`, with none `typed::<()>()`.
    ///
    /// The compiler can infer all types (`typed()`) or some (`typed::<(_, u32)>()`): from a [launch](Kernel::launch) in the same
    /// function, or from the type of a field or of a return value. Otherwise it requires them (`E0283`).
    ///
    /// A literal without a type is then an `i32` or an `f64`, whatever the kernel takes. If the kernel's parameter has another
    /// size, the literal is refused here. If it has the same size, it is not refused, because only sizes can be compared. So
    /// write `7_u32` or `0.5_f32`, or write the types out here.
    ///
    /// # Errors
    ///
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch), with the first difference.
    /// - Same as [`parameters`](Function::parameters). If the parameters are unknown,
    ///   [`typed_unchecked`](Function::typed_unchecked) adds types without a check.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry scale(.param .u64 data, .param .u32 n) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::DevicePtr;
    ///
    /// let scale = module.function("scale")?; // (float *data, unsigned n)
    /// scale.typed::<(DevicePtr<f32>, u32)>()?;
    /// let error = scale.typed::<(DevicePtr<f32>, u64)>().unwrap_err();
    /// assert_eq!(error.to_string(), "kernel `scale`: parameter 1 (the second) takes 4 bytes, `u64` has 8");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// Inferred from a launch, and a literal that becomes an `f64`:
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry scale(.param .u64 data, .param .f32 by) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let data = cuda_rt::DeviceBuf::<f32>::zeroed(&stream, 4)?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let scale = module.function("scale")?.typed()?; // (float *data, float by)
    /// // SAFETY: 4 threads change the 4 elements of `data`, which lives on the same stream.
    /// unsafe { scale.launch(LaunchConfig::new(1, 4), &stream, (data.ptr(), 0.5_f32)) }?;
    ///
    /// # let run = || -> cuda_rt::Result<()> {
    /// let scale = module.function("scale")?.typed()?; // refused: parameter 1 (the second) takes 4 bytes, `f64` has 8
    /// // SAFETY: as above.
    /// unsafe { scale.launch(LaunchConfig::new(1, 4), &stream, (data.ptr(), 0.5)) }?;
    /// # Ok(()) };
    /// # let error = run().unwrap_err().to_string();
    /// # assert_eq!(error, "kernel `scale`: parameter 1 (the second) takes 4 bytes, `f64` has 8");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// Without a launch the compiler cannot infer the types:
    ///
    /// ```compile_fail,E0283
    /// # fn look(module: &cuda_rt::Module) -> cuda_rt::Result<()> {
    /// let scale = module.function("scale")?.typed()?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "cuFuncGetParamInfo")]
    pub fn typed<A: KernelArgs>(&self) -> Result<Kernel<A>> {
        match compare(&self.parameters()?, &A::parameters()) {
            None => Ok(Kernel::of(self.clone())),
            Some(mismatch) => Err(mismatch.into_error(self.name())),
        }
    }

    /// Adds argument types to the kernel without a check.
    ///
    /// # Safety
    ///
    /// The kernel takes as many parameters as `A` has, and of the same sizes.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// # let function = module.function("nothing")?;
    /// // SAFETY: `nothing` takes no parameters.
    /// let kernel = unsafe { function.typed_unchecked::<()>() };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn typed_unchecked<A: KernelArgs>(&self) -> Kernel<A> {
        Kernel::of(self.clone())
    }
}

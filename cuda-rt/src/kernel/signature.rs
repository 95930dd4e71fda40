//! Where argument types and kernel differ.

/// How a kernel's parameters differ from the argument types that were given for them.
///
/// Only number and sizes can be compared: a driver does not know the types.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// use cuda_rt::{Error, SignatureMismatch};
///
/// match module.function("nothing")?.typed::<(u32,)>() {
///     Err(Error::Signature { mismatch, .. }) => {
///         assert_eq!(mismatch, SignatureMismatch::Count { kernel: 0, given: 1 });
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureMismatch {
    /// It takes another number of parameters.
    #[error("it takes {kernel} parameters, the argument types give {given}")]
    Count {
        /// How many it takes.
        kernel: usize,
        /// How many the argument types give.
        given: usize,
    },
    /// A parameter is of another size.
    #[error("parameter {index} takes {kernel} bytes, `{given_type}` has {given}")]
    Size {
        /// Which parameter, from 0.
        index: usize,
        /// The size in the kernel, in bytes.
        kernel: usize,
        /// The size of the argument type, in bytes.
        given: usize,
        /// The argument type.
        given_type: &'static str,
    },
}

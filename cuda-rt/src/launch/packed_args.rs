//! Arguments in one piece of memory.

#![allow(unsafe_code)]

use super::args::sealed::Parameters;
use super::signature_mismatch::COMMON;
use super::{KernelArg, Parameter, compare};
use crate::access::{AccessProbe, origin_of_address};
use crate::error::{Error, Result};
use crate::list::CollectVec;
use crate::memory::DevicePtr;
use crate::module::Function;
use core::ffi::c_void;
use core::fmt;
use core::mem::MaybeUninit;

/// The largest power of two within the most bytes of parameters of a kernel, 32,764.
const MOST_ALIGN: usize = 1 << 14;

/// The name of the type in messages about [`PackedArgs::push_bytes`].
pub(super) const BYTES: &str = "[u8]";

/// Arguments one after the other, with the layout of the members of a C structure. Arguments of an [untyped
/// launch](Function::with).
///
/// Each begins at a multiple of its type's alignment. So the alignment of the type must be that of the parameter, too: types of
/// CUDA C such as `float4` are aligned to their size, which needs `#[repr(C, align(16))]`. [`check`](PackedArgs::check) compares.
///
/// Some arguments are aligned to more than 16 bytes, such as a [`TensorMap`](crate::tensor_map::TensorMap). Only the driver knows
/// where such a parameter lies. A launch then [checks](PackedArgs::check) all arguments, and passes each by its address.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry store(.param .u64 out, .param .u32 value) {
/// #     .reg .b64 %out; .reg .b32 %value; ld.param.u64 %out, [out]; ld.param.u32 %value, [value];
/// #     st.global.u32 [%out], %value; ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// use cuda_rt::{DeviceBuf, LaunchConfig};
/// use cuda_rt::launch::PackedArgs;
///
/// let store = module.function("store")?; // (unsigned *out, unsigned value)
/// let out = DeviceBuf::<u32>::zeroed(&stream, 1)?;
/// let mut arguments = PackedArgs::new();
/// arguments.push(out.ptr());
/// arguments.push(7_u32);
/// arguments.check(&store)?;
/// // SAFETY: the kernel takes a pointer and a number, and writes one number, on the stream where its place lives.
/// unsafe { store.with(LaunchConfig::new(1, 1)).launch(&stream, &arguments) }?;
/// assert_eq!(out.to_vec()?, [7]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct PackedArgs {
    /// Bytes between arguments are zero; bytes within an argument may be anything.
    bytes: Vec<MaybeUninit<u8>>,
    parameters: Vec<Parameter>,
    /// Device addresses in the arguments, each with the parameter's number.
    pointers: Vec<(usize, DevicePtr<()>)>,
}

impl PackedArgs {
    /// Makes an empty list of arguments.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::launch::PackedArgs::new().size_bytes(), 0);
    /// ```
    pub const fn new() -> PackedArgs {
        PackedArgs { bytes: Vec::new(), parameters: Vec::new(), pointers: Vec::new() }
    }

    /// Adds an argument after the others, at the next multiple of its alignment.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arguments = cuda_rt::launch::PackedArgs::new();
    /// arguments.push(1_u8);
    /// arguments.push(2_u32);
    /// assert_eq!(arguments.size_bytes(), 8); // 3 bytes of padding
    /// ```
    pub fn push<T: KernelArg>(&mut self, argument: T) {
        let (size, align) = (size_of::<T>(), align_of::<T>());
        self.align_to(align);
        // SAFETY: any bytes are bytes that may be uninitialised, and there are as many at the address.
        let bytes =
            unsafe { core::slice::from_raw_parts((&raw const argument).cast::<MaybeUninit<u8>>(), size) };
        self.bytes.extend_from_slice(bytes);
        let number = self.parameters.len();
        self.parameters.push(Parameter {
            size,
            align,
            allows_stricter_align: false,
            name: core::any::type_name::<T>(),
        });
        // Called last: it is code of the program, which may panic.
        argument.visit_pointers(&mut |pointer| self.pointers.push((number, pointer)));
    }

    /// Adds an argument whose size and alignment are known only at run time, after the others. It begins at the next multiple of
    /// the alignment, in bytes.
    ///
    /// [`check`](PackedArgs::check) compares the number of bytes with the kernel's parameter. An
    /// [`AccessCheck`](crate::access::AccessCheck) does not see device addresses in the bytes.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the alignment is not a power of two, or more than 16,384.
    /// (No kernel has enough bytes of parameters for a second one with a larger alignment.) The argument is not added then.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry shape(.param .u8 n, .param .align 8 .b8 dims[24]) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let shape = module.function("shape")?; // (char n, struct { long dims[3]; } dims)
    /// use cuda_rt::bytemuck;
    /// use cuda_rt::launch::PackedArgs;
    ///
    /// let dims = vec![2_u64, 3, 4]; // as many as the kernel was compiled for
    /// let mut arguments = PackedArgs::new();
    /// arguments.push(3_u8);
    /// arguments.push_bytes(bytemuck::cast_slice(&dims), 8)?;
    /// assert_eq!(arguments.size_bytes(), 8 + 24);
    /// arguments.check(&shape)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn push_bytes(&mut self, argument: &[u8], align: usize) -> Result<()> {
        if !align.is_power_of_two() || align > MOST_ALIGN {
            return Err(Error::invalid(
                "packed arguments",
                format_args!(
                    "an alignment of {align} bytes is not allowed; it must be a power of two, and at most {MOST_ALIGN}"
                ),
            ));
        }
        self.align_to(align);
        self.bytes.extend(argument.iter().copied().map(MaybeUninit::new));
        self.parameters.push(Parameter {
            size: argument.len(),
            align,
            allows_stricter_align: false,
            name: BYTES,
        });
        Ok(())
    }

    /// Pads to the next multiple.
    fn align_to(&mut self, align: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(align), MaybeUninit::new(0));
    }

    /// Removes all arguments, for the next launch. Keeps the memory.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arguments = cuda_rt::launch::PackedArgs::new();
    /// arguments.push(1_u8);
    /// arguments.clear();
    /// assert_eq!(arguments.parameters(), []);
    /// ```
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.parameters.clear();
        self.pointers.clear();
    }

    /// Returns the size of all arguments, in bytes.
    pub fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the size, alignment and type of each argument, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Compares the number, sizes and offsets of the arguments with the kernel's parameters. Wraps `cuFuncGetParamInfo`.
    ///
    /// # Errors
    ///
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch), with the first difference.
    /// - Same as [`Function::parameters`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// # let function = module.function("nothing")?;
    /// let mut arguments = cuda_rt::launch::PackedArgs::new();
    /// arguments.push(1_u8);
    /// let error = arguments.check(&function).unwrap_err();
    /// assert_eq!(error.to_string(), "kernel `nothing`: it takes 0 parameters, the argument types give 1");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetParamInfo")]
    pub fn check(&self, function: &Function) -> Result<()> {
        match compare(&function.parameters()?, &self.parameters) {
            None => Ok(()),
            Some(mismatch) => Err(mismatch.into_error(function.name())),
        }
    }

    /// Returns whether only the driver knows the offsets of the arguments.
    pub(super) fn needs_addresses(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.align > COMMON)
    }

    /// Returns the address of the arguments, and their number of bytes.
    pub(super) fn buffer(&self) -> (*const c_void, usize) {
        (self.bytes.as_ptr().cast(), self.bytes.len())
    }
}

impl Parameters for &PackedArgs {
    type Pointers = Vec<*mut c_void>;

    fn pointers(&self) -> Self::Pointers {
        let base = self.bytes.as_ptr().cast_mut();
        let mut end = 0_usize;
        let address = |parameter: &Parameter| {
            let offset = end.next_multiple_of(parameter.align);
            end = offset.saturating_add(parameter.size);
            base.wrapping_add(offset).cast()
        };
        self.parameters.iter().map(address).collect_vec()
    }

    fn packed(&self) -> Option<&PackedArgs> {
        Some(self)
    }

    fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>)) {
        for &(parameter, pointer) in &self.pointers {
            if !pointer.is_null() {
                let name = self.parameters.get(parameter).map_or("", |parameter| parameter.name);
                probe(AccessProbe { parameter, name, origin: &origin_of_address(pointer), is_owned: false });
            }
        }
    }
}

impl fmt::Debug for PackedArgs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PackedArgs")
            .field("size_bytes", &self.bytes.len())
            .field("parameters", &self.parameters)
            .finish()
    }
}

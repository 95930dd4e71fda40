//! Tensor maps: descriptors with which kernels copy boxes of tensors between global and shared memory (`cp.async.bulk.tensor`,
//! TMA).
//!
//! | type | stands for |
//! |---|---|
//! | [`TensorMap`] | a `CUtensorMap`: 128 bytes that kernels take as an argument |
//! | [`Tensor`] | a tensor in global memory, and the way in which copies read and write it |
//! | [`TiledBox`] | the box that a copy transfers |
//! | [`Im2col`], [`Im2colWide`] | the columns of images that a copy transfers, for convolutions |
//! | [`TensorDataType`], [`TensorInterleave`], [`TensorSwizzle`], [`TensorL2Promotion`], [`TensorFill`], [`Im2colWideMode`], [`TensorAllocationClass`] | numbers in these descriptions |
//!
//! Since CUDA 12.0, for devices of compute capability 9.0 or higher
//! ([`tensor_map_access_supported`](crate::Device::tensor_map_access_supported)).
//!
//! # Kernels
//!
//! A kernel takes the map by value, as `const __grid_constant__ CUtensorMap map` in CUDA C. In PTX the parameter is `.param
//! .align 128 .b8 map[128]`; code compiled with headers before CUDA 13.0 has `.align 64`. [`TensorMap`] is an argument for both.
//! A kernel can also read the map from global memory, at a multiple of 64 bytes.
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::launch::Arg;
//! use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
//! use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
//!
//! let values: Vec<u32> = (0..64 * 32).collect();
//! let tensor = DeviceBuf::from_host(&stream, &values)?; // 32 rows of 64 elements
//! let map = TensorMap::tiled(
//!     &context,
//!     &Tensor::new(TensorDataType::UINT32, tensor.ptr(), &[64, 32], &[256]),
//!     &TiledBox::new(&[4, 2]),
//! )?;
//!
//! let module = Module::from_ptx(&context, "
//!     .version 8.0
//!     .target sm_90
//!     .address_size 64
//!     .visible .entry load(.param .align 128 .b8 map[128], .param .u64 out) {
//!         .shared .align 128 .b8 box[32];
//!         .shared .align 8 .b64 barrier;
//!         .reg .b64 %map, %out, %state;
//!         .reg .b32 %i, %end, %value;
//!         .reg .pred %done, %more;
//!         mov.b64 %map, map;
//!         cvta.param.u64 %map, %map;
//!         ld.param.u64 %out, [out];
//!         mbarrier.init.shared.b64 [barrier], 1;
//!         fence.proxy.async;
//!         mbarrier.arrive.expect_tx.shared.b64 %state, [barrier], 32;
//!         cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
//!             [box], [%map, {8, 3}], [barrier]; // column 8, row 3
//!     wait:
//!         mbarrier.try_wait.shared.b64 %done, [barrier], %state;
//!         @!%done bra wait;
//!         mov.u32 %i, box;
//!         add.u32 %end, %i, 32;
//!     copy:
//!         ld.shared.u32 %value, [%i];
//!         st.global.u32 [%out], %value;
//!         add.u32 %i, %i, 4;
//!         add.u64 %out, %out, 4;
//!         setp.lt.u32 %more, %i, %end;
//!         @%more bra copy;
//!         ret;
//!     }
//! ")?;
//! let load = module.function("load")?.typed::<(TensorMap, DevicePtr<u32>)>()?;
//! let out = DeviceBuf::<u32>::zeroed(&stream, 8)?;
//! // SAFETY: the box lies within the tensor, which lives until the kernel has ended; one thread writes the 8 elements of `out`.
//! unsafe { load.with(LaunchConfig::new(1, 1)).launch(&stream, (Arg(map, &tensor), out.ptr())) }?;
//! assert_eq!(out.to_vec()?, [200, 201, 202, 203, 264, 265, 266, 267]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Lifetime
//!
//! A map contains the address of the tensor, and keeps nothing alive, like a [`DevicePtr`](crate::DevicePtr). Making, copying and
//! dropping a map is safe. Launching a kernel with it is `unsafe`, as every launch. The [contract](crate::Kernel::launch) covers
//! the tensor: it must stay allocated until the kernel has ended. With [`Arg`](crate::launch::Arg)`(map, &buffer)`, the argument
//! names the owner of the tensor: graphs keep the owner, and launches that check access check it.
//!
//! Copies access only the tensor that the map describes, with one exception. A store whose box ends within the last 16 bytes of a
//! row writes all 16 bytes. If the rows are not a multiple of 16 bytes, the memory up to the next multiple must belong to the
//! program, too. The program guarantees that the tensor lies within its buffer.

mod descriptor;
mod explain;
mod map;
mod numbers;

pub use descriptor::{Im2col, Im2colWide, Tensor, TiledBox};
pub use map::TensorMap;
pub use numbers::{
    Im2colWideMode, TensorAllocationClass, TensorDataType, TensorFill, TensorInterleave, TensorL2Promotion,
    TensorSwizzle,
};

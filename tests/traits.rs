//! Traits of the types, which the compiler checks.

use cuda_rt::Error;
use cuda_rt::array::MipmappedArray;
use cuda_rt::completion::Finished;
use cuda_rt::context::ContextGuard;
use cuda_rt::error::{Code, PyCudaClass};
use cuda_rt::graph::{AnyNode, Capture, CaptureEvent, Graph, GraphExec, HostCell, KernelNode, Node};
use cuda_rt::handle::Hook;
use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
use cuda_rt::launch::{
    ByValue, In, InOut, KernelArg, Launch, LaunchArgs, LaunchAttributes, Out, PackedArgs, PendingTime,
};
use cuda_rt::memory::{
    AccessFlags, AlignedBuf, CachingPool, CachingPoolUsage, HandoverError, MemPool, MemPoolAttribute,
    MemoryRelease, MemorySource, OwnedHostMemory, PageLocked, PendingCopy, PhysicalMemory, PinnedPool,
    PitchedSliceMut, RegisteredBuf, Scope, UseOn, VirtualMemory, WeakCachingPool,
};
use cuda_rt::module::JitLog;
use cuda_rt::module::{
    ClusterSchedulingPolicy, Global, JitInput, JitOptions, JitTarget, Library, LibraryKernel, LibraryManaged,
    LibraryOptions, Linked, Linker, OccupancyFlags, ParameterInfo, PotentialBlockSize,
};
use cuda_rt::peer::PeerAccessGuard;
use cuda_rt::stream::{AsStream, HostTaskSyncMode, PerThreadStream, StreamRef};
use cuda_rt::surface::{SurfHandle, SurfObject, SurfRef};
use cuda_rt::texture::TexHandle;
use cuda_rt::*;
use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any, const_assert};
use std::cell::Cell;
use std::hash::Hash;

// Driver objects can be sent to other threads and shared.
assert_impl_all!(Context: Send, Sync, Clone, Eq, Hash);
assert_impl_all!(Stream: Send, Sync, Clone, Eq, Hash, AsStream);
assert_impl_all!(StreamRef<'static>: Send, Sync, Copy, Eq, Hash, AsStream);
assert_eq_size!(StreamRef<'static>, [usize; 3]);
assert_impl_all!(&'static &'static PerThreadStream: AsStream);
// A `UseOn` guard must be dropped on the thread that made it.
assert_not_impl_any!(UseOn<'static, u8>: Send, Sync, Clone);
// A mutable view is `Send` and `Sync` as far as its elements allow it.
assert_impl_all!(PitchedSliceMut<'static, u8>: Send, Sync);
assert_not_impl_any!(PitchedSliceMut<'static, Cell<u8>>: Sync);
assert_not_impl_any!(PitchedSliceMut<'static, u8>: Clone);
assert_impl_all!(Hook<dyn Fn(&Error) + Send + Sync>: Send, Sync);
assert_impl_all!(Event: Send, Sync);
assert_impl_all!(HostTaskSyncMode: Send, Sync, Copy, Eq, Hash, Default);
assert_impl_all!(Module: Send, Sync, Clone);
// The driver does not lock graphs.
assert_impl_all!(Graph: Send);
assert_not_impl_any!(Graph: Sync, Clone);
assert_impl_all!(GraphExec: Send);
assert_not_impl_any!(GraphExec: Sync, Clone);
assert_not_impl_any!(Capture<'static>: Send, Sync, Clone);
assert_not_impl_any!(CaptureEvent<'static>: Send, Sync);
assert_impl_all!(HostCell<PinnedBuf<u32>>: Send, Sync, Clone);
assert_impl_all!(Node<KernelNode>: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(AnyNode: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(Finished: Send, Sync, Unpin, std::future::Future);
assert_impl_all!(Function: Send, Sync, Clone);
assert_impl_all!(ParameterInfo: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(PotentialBlockSize: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(OccupancyFlags: Send, Sync, Copy, Eq, Hash, Default);
assert_impl_all!(ClusterSchedulingPolicy: Send, Sync, Copy, Ord, Hash);
assert_impl_all!(Global<f32>: Send, Sync, Clone);
assert_not_impl_any!(Global<Cell<u8>>: Sync);
assert_impl_all!(JitOptions: Send, Sync, Clone, Eq, Default);
assert_impl_all!(JitLog: Send, Sync, Clone, Eq);
assert_impl_all!(JitTarget: Send, Sync, Copy, Ord, Hash);
assert_impl_all!(Library: Send, Sync, Clone);
assert_impl_all!(LibraryKernel: Send, Sync, Clone);
assert_impl_all!(LibraryManaged<Cell<u8>>: Send, Sync, Clone);
assert_impl_all!(LibraryOptions: Send, Sync, Clone, Eq, Default);
assert_impl_all!(profiler::ProfilerGuard: Send, Sync);
assert_not_impl_any!(profiler::ProfilerGuard: Clone);
assert_impl_all!(Linker: Send);
assert_not_impl_any!(Linker: Sync, Clone);
assert_impl_all!(Linked: Send, Sync);
assert_impl_all!(JitInput: Send, Sync, Copy, Ord, Hash);
assert_impl_all!(TexRef: Send, Sync, Clone, Eq);
assert_impl_all!(SurfRef: Send, Sync, Clone, Eq);
assert_impl_all!(texture::TextureOffset: Send, Sync, Copy, Eq, Hash);
assert_not_impl_any!(TexRef: KernelArg);
assert_not_impl_any!(SurfRef: KernelArg);
assert_impl_all!(Kernel<(DevicePtr<Cell<u8>>,)>: Send, Sync, Clone);
assert_impl_all!(Launch<'static, (DevicePtr<Cell<u8>>,)>: Send, Sync, Clone);
assert_impl_all!(Launch<'static, PackedArgs>: Send, Sync, Clone);
assert_impl_all!(LaunchAttributes<'static>: Send, Sync, Clone, Default);
assert_impl_all!(PackedArgs: Send, Sync, Clone, Default);
assert_impl_all!(PendingTime: Send, Sync);
assert_not_impl_any!(PendingTime: Clone);
// Lent host memory can go where its elements can.
assert_impl_all!(In<'static, u8>: Send, Sync, Copy);
assert_not_impl_any!(In<'static, Cell<u8>>: Send, Sync);
assert_not_impl_any!(Out<'static, u8>: Clone);
assert_not_impl_any!(InOut<'static, u8>: Clone);
// A number can be passed by value. Host memory cannot.
assert_impl_all!(ByValue<char>: KernelArg);
assert_not_impl_any!(ByValue<&'static u8>: KernelArg);
assert_not_impl_any!(In<'static, u8>: KernelArg);
assert_not_impl_any!(&'static [u8]: KernelArg);
assert_not_impl_any!((&'static [u8],): LaunchArgs<(DevicePtr<u8>,), Stream>);
assert_impl_all!((In<'static, u8>,): LaunchArgs<(DevicePtr<u8>,), Stream>);
assert_not_impl_any!((In<'static, u8>,): LaunchArgs<(DevicePtr<u8>,), PerThreadStream>);
assert_not_impl_any!(char: KernelArg);
assert_impl_all!(DevicePtr<u8>: bytemuck::Pod);
assert_impl_all!(PeerAccessGuard: Send, Sync);
assert_impl_all!(MemPool: Send, Sync, Clone, Eq);
assert_impl_all!(PhysicalMemory: Send, Sync, Clone, Eq);
assert_impl_all!(Array: Send, Sync, Clone, Eq);
assert_impl_all!(MipmappedArray: Send, Sync, Clone, Eq);
assert_impl_all!(array::ArrayFormat: Send, Sync, Copy, Ord, Hash);
assert_impl_all!(array::ArrayDescriptor: Send, Sync, Copy, Eq);
assert_impl_all!(array::ArrayFlags: Send, Sync, Copy, Eq, Hash, Default);
assert_impl_all!([f32; 4]: array::ArrayElement);
// Textures have no elements of three channels, and no numbers of 64 bits.
assert_not_impl_any!([f32; 3]: array::ArrayElement);
assert_not_impl_any!(f64: array::ArrayElement);
assert_impl_all!(VirtualMemory: Send, Sync);
assert_impl_all!(AccessFlags: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(MemPoolAttribute: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(TexObject: Send, Sync);
assert_impl_all!(SurfObject: Send, Sync);
assert_impl_all!(TexHandle: Send, Sync, Copy, Eq, Hash, KernelArg);
assert_impl_all!(SurfHandle: Send, Sync, Copy, Eq, Hash, KernelArg);
assert_impl_all!(texture::TextureResource: Send, Sync, Clone);
assert_impl_all!(texture::ResourceView: Send, Sync, Clone, Eq);
assert_impl_all!(texture::ViewFormat: Send, Sync, Copy, Eq, Ord, Hash);
assert_impl_all!(Device: Send, Sync, Copy, Eq, Ord, Hash);
assert_impl_all!(nvrtc::Program: Send, Sync, Clone, Eq, Hash);
assert_impl_all!(nvrtc::CompileOptions: Send, Sync, Clone, Eq, Hash, Default);
assert_impl_all!(nvrtc::Target: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(nvrtc::Cache: Send, Sync, Clone, Eq, Hash);
assert_impl_all!(nvrtc::Compiled: Send, Sync, Clone);
assert_impl_all!(nvrtc::SourceModule: Send, Sync, Clone);
assert_impl_all!(nvrtc::CallError: Send, Sync, Copy, Eq);
assert_impl_all!(nvrtc::CompileLog: Send, Sync, Clone, Eq);

// A value that releases its object or memory when it is dropped is not `Clone`.
assert_not_impl_any!(Event: Clone);
assert_not_impl_any!(PeerAccessGuard: Clone);
assert_not_impl_any!(DeviceBuf<u8>: Clone);
assert_not_impl_any!(VirtualMemory: Clone);
assert_not_impl_any!(TexObject: Clone);
assert_not_impl_any!(SurfObject: Clone);
assert_not_impl_any!(DeviceSliceMut<'static, u8>: Clone);
assert_impl_all!(DeviceSlice<'static, u8>: Copy);

// Buffers and views are `Send` and `Sync` as far as their elements allow it.
assert_impl_all!(DeviceBuf<f32>: Send, Sync);
assert_impl_all!(DeviceSlice<'static, f32>: Send, Sync);
assert_impl_all!(DeviceSliceMut<'static, f32>: Send, Sync);
assert_impl_all!(DeviceBuf<Cell<u8>>: Send);
assert_not_impl_any!(DeviceBuf<Cell<u8>>: Sync);
assert_not_impl_any!(DeviceSlice<'static, Cell<u8>>: Send, Sync);
assert_not_impl_any!(DeviceBuf<*const u8>: Send, Sync);
assert_impl_all!(PinnedBuf<f32>: Send, Sync, std::ops::DerefMut<Target = [f32]>);
assert_impl_all!(PinnedBuf<Cell<u8>>: Send);
assert_not_impl_any!(PinnedBuf<Cell<u8>>: Sync);
assert_not_impl_any!(PinnedBuf<*const u8>: Send, Sync);
assert_not_impl_any!(PinnedBuf<u8>: Clone);
assert_impl_all!(AlignedBuf<f32>: Send, Sync, std::ops::DerefMut<Target = [f32]>);
assert_not_impl_any!(AlignedBuf<Cell<u8>>: Sync);
assert_not_impl_any!(AlignedBuf<*const u8>: Send, Sync);
assert_impl_all!(RegisteredBuf<Vec<f32>>: Send, Sync, std::ops::DerefMut<Target = [f32]>);
assert_impl_all!(RegisteredBuf<Vec<Cell<u8>>>: Send);
assert_not_impl_any!(RegisteredBuf<Vec<Cell<u8>>>: Sync);
assert_not_impl_any!(RegisteredBuf<Vec<std::rc::Rc<u8>>>: Send, Sync);
assert_not_impl_any!(RegisteredBuf<&'static [Cell<u8>]>: Send, Sync);
assert_not_impl_any!(RegisteredBuf<&'static [u8]>: std::ops::DerefMut, Clone);
assert_impl_all!(ManagedBuf<f32>: Send, Sync);
assert_not_impl_any!(ManagedBuf<*const u8>: Send, Sync);
assert_not_impl_any!(ManagedBuf<u8>: Clone);
// A pending copy can go where its memory can.
assert_impl_all!(PendingCopy<PinnedBuf<f32>>: Send, Sync);
assert_not_impl_any!(PendingCopy<PinnedBuf<*const u8>>: Send, Sync);
assert_not_impl_any!(PendingCopy<PinnedBuf<u8>>: Clone);
// The thread that lends memory to a scope waits for it.
assert_not_impl_any!(Scope<'static>: Send, Sync, Clone);
// Only owned memory can be left to the device.
assert_impl_all!(PinnedBuf<u8>: PageLocked);
assert_impl_all!(RegisteredBuf<Box<[u8]>>: PageLocked);
assert_not_impl_any!(RegisteredBuf<&'static mut [u8]>: PageLocked);
assert_not_impl_any!(Vec<u8>: PageLocked);
assert_not_impl_any!(&'static mut [u8]: OwnedHostMemory);
assert_impl_all!(MemoryRelease: Send, Sync);
assert_impl_all!(MemorySource<'static>: Send, Sync, Copy);
assert_impl_all!(CachingPool: Send, Sync, Clone);
assert_impl_all!(PinnedPool: Send, Sync, Clone);
assert_impl_all!(WeakCachingPool: Send, Sync, Clone);
assert_impl_all!(CachingPoolUsage: Send, Sync, Copy, Eq);
assert_impl_all!(IpcMemHandle: Send, Sync, Copy, Eq, Hash, AsRef<[u8]>);
assert_impl_all!(IpcEventHandle: Send, Sync, Copy, Eq, Hash, AsRef<[u8]>);
// An address is a number.
assert_impl_all!(DevicePtr<*const u8>: Send, Sync, Copy, Eq, Hash);

// A texture of plain memory needs a format and channels, so there is no conversion from a buffer.
assert_not_impl_any!(texture::TextureResource: From<DevicePtr<f32>>, From<DeviceBuf<f32>>);
// Kernels take texture and surface objects as 64-bit handles.
assert_eq_size!(TexHandle, u64);
assert_eq_size!(SurfHandle, u64);

// The current context belongs to the thread.
assert_not_impl_any!(ContextGuard<'static>: Send, Sync, Clone);
assert_not_impl_any!(PerThreadStream: Send, Sync);

// Errors can be sent to other threads.
assert_impl_all!(Error: Send, Sync, Clone, Eq, std::error::Error);
assert_impl_all!(Code: Send, Sync, Copy, Eq, Hash);
assert_impl_all!(PyCudaClass: Send, Sync, Copy, Eq, Hash);
const_assert!(size_of::<Result<(), Error>>() == size_of::<usize>());
const_assert!(size_of::<Code>() <= 8);
assert_impl_all!(HandoverError<PinnedBuf<u8>>: Send, Sync, std::error::Error);
assert_impl_all!(Error: From<HandoverError<PinnedBuf<u8>>>);
assert_impl_all!(sys::LoadError: Send, Sync, Clone, Eq, std::error::Error);
assert_impl_all!(sys::Driver: Send, Sync);

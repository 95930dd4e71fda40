//! The objects that the calls of the catalogue use. They belong to two devices with access to each other.

use crate::layer;
use cuda_rt::access::default_access_check;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::context::{ContextFlags, MemoryInfo};
use cuda_rt::memory::{AccessFlags, CachingPool, MemPool, MemPoolOptions, PinnedFlags, PinnedPool};
use cuda_rt::module::Library;
use cuda_rt::{Array, Context, Device, DeviceBuf, Event, Function, Module, PinnedBuf, Stream};
use cuda_sim::LiveHandles;

/// The contents of buffers.
pub(crate) const NUMBERS: [u32; 4] = [1, 2, 3, 4];

pub(crate) const PTX: &str = ".version 7.0 .target sm_50 .address_size 64
    .visible .global .align 4 .u32 counter[4] = {1, 2, 3, 4};
    .visible .global .attribute(.managed) .align 4 .u32 shared[2] = {1, 2};
    .global .texref picture; .global .texref other_picture;
    .global .surfref surface;
    .visible .entry nothing() { ret; }
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

pub(crate) struct World {
    pub(crate) near: Device,
    pub(crate) far: Device,
    /// On the near device.
    pub(crate) context: Context,
    /// On the far device. Kernels of the near context have access to its memory.
    pub(crate) peer: Context,
    pub(crate) stream: Stream,
    pub(crate) far_stream: Stream,
    pub(crate) buffer: DeviceBuf<u32>,
    pub(crate) event: Event,
    pub(crate) module: Module,
    pub(crate) function: Function,
    pub(crate) library: Library,
    /// Bound to the texture reference `picture` and the surface reference `surface`.
    pub(crate) array: Array,
    /// In memory of the near device, open to the far one.
    pub(crate) pool: MemPool,
    /// With a block that is held, of the size of the numbers.
    pub(crate) caching: CachingPool,
    /// As above.
    pub(crate) pinned: PinnedPool,
    pub(crate) memory: MemoryInfo,
}

/// The visible state of the world.
#[derive(Debug, PartialEq)]
pub(crate) struct Look {
    live: LiveHandles,
    seen: String,
}

pub(crate) fn picture() -> ArrayDescriptor {
    ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1).surface()
}

impl World {
    pub(crate) fn new() -> World {
        layer::install();
        layer::set_role(Some(layer::Role::Test));
        let (near, far) = (Device::get(0).unwrap(), Device::get(1).unwrap());
        let context = Context::new(near, ContextFlags::default()).unwrap();
        let peer = Context::new(far, ContextFlags::default()).unwrap();
        context.enable_peer_access(&peer).unwrap();
        let (stream, far_stream) = (Stream::new(&context).unwrap(), Stream::new(&peer).unwrap());
        let buffer = DeviceBuf::from_host(&stream, &NUMBERS).unwrap();
        let event = Event::new(&context).unwrap();
        event.record(&stream).unwrap().synchronize().unwrap();
        let module = Module::from_ptx(&context, PTX).unwrap();
        let function = module.function("put").unwrap();
        let library = Library::from_ptx(PTX).unwrap();
        library.module(&context).unwrap().tex_ref("picture").unwrap();
        let array = Array::new(&stream, picture()).unwrap();
        module.tex_ref("picture").unwrap().set_array(&array).unwrap();
        module.surf_ref("surface").unwrap().set_array(&array).unwrap();
        let pool = MemPool::new(near, MemPoolOptions::new()).unwrap();
        pool.set_access(far, AccessFlags::READ_WRITE).unwrap();
        let (caching, pinned) = (CachingPool::new(&context), PinnedPool::new(&context, PinnedFlags::empty()));
        drop(DeviceBuf::from_host_in(&stream, &NUMBERS, &caching).unwrap());
        drop(PinnedBuf::from_slice_in(&pinned, &NUMBERS).unwrap());
        let memory = context.memory_info().unwrap();
        let world = World {
            near,
            far,
            context,
            peer,
            stream,
            far_stream,
            buffer,
            event,
            module,
            function,
            library,
            array,
            pool,
            caching,
            pinned,
            memory,
        };
        world.settle();
        world
    }

    /// Waits until the device has nothing to do.
    pub(crate) fn settle(&self) {
        self.context.synchronize().unwrap();
        self.peer.synchronize().unwrap();
    }

    /// Everything that a refused call must leave as it was.
    pub(crate) fn look(&self) -> Look {
        self.settle();
        let (picture, surface) = (self.module.tex_ref("picture").unwrap(), self.module.surf_ref("surface"));
        let (context, peer) = (&self.context, &self.peer);
        let access = [
            context.peer_access_state(peer).is_enabled().unwrap(),
            peer.peer_access_state(context).is_enabled().unwrap(),
        ];
        let recorded =
            [context.peer_access_state(peer).recorded(), peer.peer_access_state(context).recorded()];
        let pools = [
            self.pool.access(self.far).unwrap(),
            MemPool::default_of(self.far).unwrap().access(self.near).unwrap(),
            MemPool::default_of(self.near).unwrap().access(self.far).unwrap(),
        ];
        let current = [self.near, self.far].map(|device| MemPool::current_of(device).unwrap().as_raw());
        let bound = [picture.array().unwrap(), surface.unwrap().array().unwrap()];
        let bound = bound.map(|bound| bound.as_ref() == Some(&self.array));
        let usage = (self.caching.usage(), self.pinned.usage());
        let module = self.library.module(context).unwrap().as_raw();
        let states = [self.near, self.far].map(|device| device.primary_context_state().unwrap());
        let kernel = (
            self.function.max_dynamic_shared_size_bytes().unwrap(),
            self.function.preferred_shared_memory_carveout().unwrap(),
        );
        let stream = (self.stream.is_done().unwrap(), self.stream.is_capturing().unwrap());
        let check = default_access_check();
        let seen = format!(
            "access {access:?} {recorded:?} pools {pools:?} {current:?} bound {bound:?} usage {usage:?} \
             module {module:?} primary {states:?} kernel {kernel:?} stream {stream:?} check {check:?} \
             buffer {:?} event {} current {:?} limits {:?} cache {:?}",
            self.buffer.to_vec().unwrap(),
            self.event.is_done().unwrap(),
            Context::current().unwrap(),
            context.limit(cuda_rt::context::Limit::STACK_SIZE).unwrap(),
            context.cache_config().unwrap(),
        );
        Look { live: layer::machine().live(), seen }
    }
}

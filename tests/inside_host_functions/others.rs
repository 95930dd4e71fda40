//! The work of another thread while a host function runs: every call that holds a lock of the crate while it calls the
//! driver, and more.

use crate::world::{NUMBERS, PTX, World, picture};
use cuda_rt::array::ArrayFormat;
use cuda_rt::context::ContextFlags;
use cuda_rt::handle::set_drop_hook;
use cuda_rt::memory::{AccessFlags, MemPool, MemPoolOptions, MemorySource, RegisterFlags, RegisteredBuf};
use cuda_rt::module::Library;
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::{TextureDescriptor, TextureOffset, TextureResource};
use cuda_rt::{Array, Context, DeviceBuf, Event, Module, PinnedBuf, Stream, TexObject, access};
use std::sync::Arc;

/// A name, and what the thread does with a world of its own and with that of the host function. It leaves both as they were.
pub(crate) type Work = (&'static str, fn(&World, &World));

pub(crate) const WORKS: &[Work] = &[
    ("enabling and disabling peer access", |w, _| {
        w.peer.enable_peer_access(&w.context).unwrap();
        assert!(w.peer.peer_access_state(&w.context).is_enabled().unwrap());
        w.peer.disable_peer_access(&w.context).unwrap();
    }),
    ("peer access by guards", |w, _| {
        let first = w.peer.peer_access(&w.context).unwrap();
        let second = w.peer.peer_access(&w.context).unwrap();
        first.close().unwrap();
        drop(second);
    }),
    ("access to pools", |w, _| {
        w.pool.set_access(w.far, AccessFlags::NONE).unwrap();
        w.pool.set_access(w.far, AccessFlags::READ_WRITE).unwrap();
        assert!(w.pool.has_access(w.far).unwrap());
    }),
    ("pools", |w, _| {
        let pool = MemPool::new(w.near, MemPoolOptions::new()).unwrap();
        pool.set_access(w.far, AccessFlags::READ_WRITE).unwrap();
        drop(DeviceBuf::<u32>::zeroed_in(&w.stream, 4, &pool).unwrap());
        MemPool::current_of(w.near).unwrap();
        pool.close().unwrap();
    }),
    ("copies between devices", |w, _| {
        let mut far = DeviceBuf::<u32>::zeroed(&w.far_stream, 4).unwrap();
        far.copy_from_device(w.buffer.as_slice()).unwrap();
        w.context.disable_peer_access(&w.peer).unwrap();
        w.context.enable_peer_access(&w.peer).unwrap();
    }),
    ("binding textures", |_, shared| {
        let reference = shared.module.tex_ref("picture").unwrap();
        reference.set_array(&shared.array).unwrap();
        assert_eq!(reference.array().unwrap().as_ref(), Some(&shared.array));
        shared.module.surf_ref("surface").unwrap().set_array(&shared.array).unwrap();
    }),
    ("binding memory", |w, _| {
        let reference = w.module.tex_ref("other_picture").unwrap();
        let memory = Arc::new(DeviceBuf::<f32>::zeroed(&w.stream, 256).unwrap());
        reference.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Allowed).unwrap();
        reference.address().unwrap();
    }),
    ("binding textures of another device", |w, _| {
        let far = Array::new(&w.far_stream, picture()).unwrap();
        let reference = w.module.tex_ref("other_picture").unwrap();
        reference.set_array(&far).unwrap();
        reference.set_array(&w.array).unwrap();
    }),
    ("texture objects", |w, _| {
        let far = Array::new(&w.far_stream, picture()).unwrap();
        let how = TextureDescriptor::default();
        TexObject::new(&w.context, far, &how).unwrap().close().unwrap();
        let memory = Arc::new(DeviceBuf::<f32>::zeroed(&w.far_stream, 256).unwrap());
        let resource = TextureResource::linear(memory, ArrayFormat::FLOAT, 1);
        drop(TexObject::new(&w.context, resource, &how).unwrap());
        drop(SurfObject::new(&w.context, &w.array).unwrap());
    }),
    ("modules", |w, _| {
        let module = Module::from_ptx(&w.context, PTX).unwrap();
        module.tex_ref("picture").unwrap();
        module.function("put").unwrap().set_max_dynamic_shared_bytes(60 << 10).unwrap();
        module.close().unwrap();
    }),
    ("libraries", |w, shared| {
        shared.library.module(&shared.peer).unwrap();
        let library = Library::from_ptx(PTX).unwrap();
        let kernel = library.kernel("put").unwrap();
        kernel.set_max_dynamic_shared_bytes(w.near, 60 << 10).unwrap();
        kernel.function(&w.context).unwrap().module().tex_ref("picture").unwrap();
        drop(library);
    }),
    ("registered memory", |w, _| {
        let memory = RegisteredBuf::new(&w.context, NUMBERS.repeat(2000), RegisterFlags::empty()).unwrap();
        let mut buffer = DeviceBuf::<u32>::zeroed(&w.stream, 8000).unwrap();
        buffer.copy_from_host(&memory).unwrap();
        memory.unregister().unwrap();
    }),
    ("scopes of copies", |w, _| {
        let (zeros, mut buffer) = ([0; 4], DeviceBuf::<u32>::zeroed(&w.stream, 4).unwrap());
        w.stream.scope(|scope| scope.copy_from_host(buffer.as_slice_mut(), &zeros)).unwrap();
    }),
    ("freeing", |w, _| {
        drop(DeviceBuf::<u32>::zeroed_in(&w.stream, 4, MemorySource::Plain).unwrap());
        drop(DeviceBuf::<u32>::zeroed(&w.stream, 4).unwrap());
        drop(PinnedBuf::<u32>::zeroed(&w.context, 4).unwrap());
        Event::new(&w.context).unwrap().close().unwrap();
    }),
    ("caching pools", |_, w| {
        drop(DeviceBuf::from_host_in(&w.stream, &NUMBERS, &w.caching).unwrap());
        drop(PinnedBuf::from_slice_in(&w.pinned, &NUMBERS).unwrap());
        drop(DeviceBuf::<u8>::zeroed_in(&Stream::new(&w.context).unwrap(), 1 << 20, &w.caching).unwrap());
        w.caching.trim().unwrap();
        w.pinned.trim().unwrap();
        drop(DeviceBuf::from_host_in(&w.stream, &NUMBERS, &w.caching).unwrap());
        drop(PinnedBuf::from_slice_in(&w.pinned, &NUMBERS).unwrap());
    }),
    ("contexts", |w, _| {
        let context = Context::new(w.far, ContextFlags::default()).unwrap();
        w.context.enable_peer_access(&context).unwrap();
        Stream::new(&context).unwrap().launch_host_function(|| ()).unwrap();
        drop(Context::primary(w.far).unwrap());
        context.close().unwrap();
    }),
    ("host functions", |w, _| {
        let stream = Stream::new(&w.peer).unwrap();
        stream.launch_host_function(|| ()).unwrap();
        stream.add_callback(|_| ()).unwrap();
        stream.close().unwrap();
    }),
    ("questions of access", |w, _| {
        let far = DeviceBuf::<u32>::zeroed(&w.far_stream, 4).unwrap();
        access::access(&w.context, &far).unwrap();
        access::recorded_access(&w.context, &far).unwrap();
        access::access(&w.peer, &w.buffer).unwrap();
    }),
    ("memory of the legacy stream", |_, w| {
        drop(DeviceBuf::<u32>::zeroed(&Stream::legacy(&w.context), 4).unwrap());
    }),
];

/// Work that takes a lock again and again without a driver call under it.
pub(crate) const SHORT_LOCKS: &[(&str, fn(&World))] = &[
    ("modules of a library", |w| {
        let module = w.library.module(&w.context).unwrap();
        (0..10_000).for_each(|_| assert_eq!(w.library.module(&w.context).unwrap().as_raw(), module.as_raw()));
    }),
    ("blocks of a pool", |w| assert!(w.caching.usage().managed_bytes > 0)),
    ("blocks of page-locked memory", |w| assert!(w.pinned.usage().managed_bytes > 0)),
    ("access between contexts", |w| assert!(w.context.peer_access_state(&w.peer).recorded().is_some())),
    ("the hook of destructors", |_| set_drop_hook(|_| ()).restore()),
];

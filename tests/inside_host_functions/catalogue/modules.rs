//! Modules, libraries, linkers, globals, and options of the compiler.

use super::Catalogue;
use crate::world::{NUMBERS, PTX, World};
use cuda_rt::context::CacheConfig;
use cuda_rt::module::{
    FunctionAttribute, Global, GlobalMismatch, JitCacheMode, JitFallback, JitInput, JitLog, JitOption,
    JitOptions, JitTarget, Library, LibraryKernel, LibraryManaged, LibraryOptions, Linked, Linker, NameHint,
};
use cuda_rt::module::{JitProblem, loading_mode};
use cuda_rt::{DeviceBuf, Module};
use cuda_suite::fatbin::{Packing, Piece, fat_binary};

fn module(world: &World) -> Module {
    Module::from_ptx(&world.context, PTX).unwrap()
}

fn module_works(module: &mut Module, _: &World) {
    module.function("nothing").unwrap().typed::<()>().unwrap();
}

fn library(world: &World) -> Library {
    let library = Library::from_ptx(PTX).unwrap();
    library.module(&world.context).unwrap();
    library
}

/// With a handle to its module.
fn loaded(world: &World) -> (Library, Module) {
    let library = library(world);
    let module = library.module(&world.context).unwrap();
    (library, module)
}

fn library_works(library: &mut Library, world: &World) {
    library.kernel("nothing").unwrap().function(&world.context).unwrap();
}

fn kernel(world: &World) -> LibraryKernel {
    library(world).kernel("put").unwrap()
}

fn kernel_works(kernel: &mut LibraryKernel, world: &World) {
    let attribute = |attribute| kernel.attribute(world.near, attribute).unwrap();
    assert_eq!(attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES), 48 << 10);
    assert_eq!(attribute(FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT), -1);
    kernel.function(&world.context).unwrap();
}

fn managed(world: &World) -> LibraryManaged<u32> {
    library(world).managed("shared").unwrap()
}

fn linker(world: &World) -> Linker {
    let mut linker = Linker::new(&world.context, &JitOptions::new()).unwrap();
    linker.add_ptx("text", PTX).unwrap();
    linker
}

fn linker_works(linker: &mut Linker, world: &World) {
    let empty = Linker::new(&world.context, &JitOptions::new()).unwrap();
    // A symbol that a refused call has added would be defined twice.
    let mut linked = std::mem::replace(linker, empty).complete().unwrap();
    linked_works(&mut linked, world);
}

fn linked(world: &World) -> Linked {
    linker(world).complete().unwrap()
}

fn linked_works(linked: &mut Linked, world: &World) {
    linked.load(&world.context).unwrap().function("put").unwrap();
}

fn global(world: &World) -> Global<u32> {
    world.module.global("counter").unwrap()
}

fn global_holds(global: &mut Global<u32>, world: &World) {
    assert_eq!(global.to_vec(&world.stream).unwrap(), NUMBERS);
}

fn with_buffer(world: &World) -> (Global<u32>, DeviceBuf<u32>) {
    (global(world), DeviceBuf::from_host(&world.stream, &[5; 4]).unwrap())
}

fn both((global, buffer): &mut (Global<u32>, DeviceBuf<u32>), world: &World) {
    global_holds(global, world);
    assert_eq!(buffer.to_vec().unwrap(), [5; 4]);
}

fn fat() -> Vec<u8> {
    fat_binary(&[Piece { text: PTX, target: 50, packing: Packing::Plain }])
}

/// The header of an empty cubin.
fn cubin() -> Vec<u8> {
    let mut header = vec![0_u8; 64 + 64];
    header[..9].copy_from_slice(b"\x7fELF\x02\x01\x01\x41\x08");
    header[18..20].copy_from_slice(&190_u16.to_le_bytes());
    header[40] = 64; // one section, without bytes
    header[52] = 64;
    header[58] = 64;
    header[60] = 1;
    header
}

/// A file with PTX.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/func_call.ptx");

pub(super) fn add(c: &mut Catalogue) {
    modules(c);
    libraries(c);
    linkers(c);
    globals(c);
    options(c);
}

fn modules(c: &mut Catalogue) {
    c.free()
        .refuses("Module::from_ptx", |_, w| Module::from_ptx(&w.context, PTX))
        .refuses("Module::from_ptx_with", |_, w| Module::from_ptx_with(&w.context, PTX, &JitOptions::new()))
        // SAFETY: nothing is loaded.
        .refuses("Module::from_cubin", |_, w| unsafe { Module::from_cubin(&w.context, cubin()) })
        // SAFETY: as above.
        .refuses("Module::from_cubin_with", |_, w| unsafe {
            Module::from_cubin_with(&w.context, cubin(), &JitOptions::new())
        })
        // SAFETY: as above.
        .refuses("Module::from_fatbin", |_, w| unsafe { Module::from_fatbin(&w.context, fat()) })
        // SAFETY: as above.
        .refuses("Module::from_fatbin_with", |_, w| unsafe {
            Module::from_fatbin_with(&w.context, fat(), &JitOptions::new())
        })
        // SAFETY: as above.
        .refuses("Module::from_image", |_, w| unsafe { Module::from_image(&w.context, PTX) })
        // SAFETY: as above.
        .refuses("Module::from_image_with", |_, w| unsafe {
            Module::from_image_with(&w.context, PTX, &JitOptions::new())
        })
        .refuses("module::loading_mode", |_, _| loading_mode());
    c.free()
        // SAFETY: as above.
        .refuses("Module::from_file", |_, w| unsafe { Module::from_file(&w.context, FILE) })
        // SAFETY: as above.
        .refuses("Module::from_file_with", |_, w| unsafe {
            Module::from_file_with(&w.context, FILE, &JitOptions::new())
        })
        // SAFETY: as above.
        .refuses("Library::from_file", |_, _| unsafe { Library::from_file(FILE) })
        // SAFETY: as above.
        .refuses("Library::from_file_with", |_, _| unsafe {
            Library::from_file_with(FILE, &LibraryOptions::new())
        });
    c.of(module, module_works)
        .answers("Module::{jit_log, as_raw, context}", |m, w| {
            (m.jit_log().clone(), m.as_raw().is_null(), *m.context() == w.context)
        })
        .refuses("Module::function", |m, _| m.function("put"))
        .refuses("Module::functions", |m, _| m.functions())
        .refuses("Module::global", |m, _| m.global::<u32>("counter"))
        .refuses("Module::tex_ref", |m, _| m.tex_ref("picture"))
        .refuses("Module::surf_ref", |m, _| m.surf_ref("surface"))
        .answers("Module: {Clone, Debug}", |m, _| format!("{:?}", m.clone()))
        .consumes("Module::close", |m, _| m.close())
        .drops("Module: Drop");
}

fn libraries(c: &mut Catalogue) {
    c.free()
        .refuses("Library::from_ptx", |_, _| Library::from_ptx(PTX))
        .refuses("Library::module of the world's", |_, w| w.library.module(&w.context))
        .refuses("Library::from_ptx_with", |_, _| Library::from_ptx_with(PTX, &LibraryOptions::new()))
        // SAFETY: nothing is loaded.
        .refuses("Library::from_image", |_, _| unsafe { Library::from_image(PTX) })
        // SAFETY: as above.
        .refuses("Library::from_image_with", |_, _| unsafe {
            Library::from_image_with(PTX, &LibraryOptions::new())
        })
        .answers("LibraryOptions::{new, jit, keep_image}; LibraryOptions: {Clone, Debug, Default, PartialEq, Drop}", |_, _| {
            let options = LibraryOptions::new().jit(JitOptions::new()).keep_image(true);
            (options.clone() == LibraryOptions::default(), format!("{options:?}"))
        });
    c.of(library, library_works)
        .answers("Library::{jit_log, as_raw}", |l, _| (l.jit_log().clone(), l.as_raw().is_some()))
        .refuses("Library::kernel", |l, _| l.kernel("put"))
        .refuses("Library::kernels", |l, _| l.kernels())
        .refuses("Library::module", |l, w| l.module(&w.context))
        .refuses("Library::global", |l, w| l.global::<u32>(&w.context, "counter"))
        .refuses("Library::managed", |l, _| l.managed::<u32>("shared"))
        .refuses("Library::unified_function", |l, _| l.unified_function("nothing"))
        .answers("Library: {Clone, Debug}", |l, _| format!("{:?}", l.clone()))
        .consumes("Library::close", |l, _| l.close())
        .drops("Library: Drop");
    c.of(loaded, |(_, module), world| module_works(module, world))
        .succeeds("Library::module that is known", |(l, _), w| l.module(&w.context));
    c.of(kernel, kernel_works)
        .answers("LibraryKernel::{name, library, as_raw}", |k, _| {
            (k.name().to_owned(), k.library().clone(), k.as_raw().is_some())
        })
        .refuses("LibraryKernel::function", |k, w| k.function(&w.context))
        .refuses("LibraryKernel::parameters", |k, w| k.parameters(&w.context))
        .refuses("LibraryKernel::attribute", |k, w| k.attribute(w.near, FunctionAttribute::NUM_REGS))
        .refuses("LibraryKernel::set_max_dynamic_shared_bytes", |k, w| {
            k.set_max_dynamic_shared_bytes(w.near, 60 << 10)
        })
        .refuses("LibraryKernel::set_shared_memory_carveout", |k, w| {
            k.set_shared_memory_carveout(w.near, Some(50))
        })
        .refuses("LibraryKernel::set_cache_config", |k, w| k.set_cache_config(w.near, CacheConfig::PreferL1))
        // SAFETY: the kernel is not launched.
        .refuses("LibraryKernel::set_attribute", |k, w| unsafe {
            k.set_attribute(w.near, FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT, 50)
        })
        .answers("LibraryKernel: {Clone, Debug}", |k, _| format!("{:?}", k.clone()))
        .drops("LibraryKernel: Drop");
    c.of(managed, |m, _| assert_eq!(m.len(), 2))
        .answers("LibraryManaged::{ptr, host_ptr, len, is_empty, library}", |m, _| {
            (m.ptr(), m.host_ptr().is_null(), m.len(), m.is_empty(), m.library().clone())
        })
        .answers("LibraryManaged: {Clone, Debug}", |m, _| format!("{:?}", m.clone()))
        .drops("LibraryManaged: Drop");
}

fn linkers(c: &mut Catalogue) {
    c.free().refuses("Linker::new", |_, w| Linker::new(&w.context, &JitOptions::new()));
    c.of(linker, linker_works)
        .refuses("Linker::add_ptx", |l, _| l.add_ptx("again", PTX).map(drop))
        // SAFETY: nothing is added.
        .refuses("Linker::add_data", |l, _| unsafe {
            l.add_data(JitInput::PTX, "again", PTX.as_bytes()).map(drop)
        })
        // SAFETY: as above.
        .refuses("Linker::add_file", |l, _| unsafe { l.add_file(JitInput::PTX, FILE).map(drop) })
        // SAFETY: as above.
        .refuses("Linker::$name", |l, _| unsafe { l.add_cubin("again", &cubin()).map(drop) })
        .answers("Linker::{jit_log, context, as_raw}; Linker: Debug", |l, _| {
            (l.jit_log(), l.context().clone(), l.as_raw().is_null(), format!("{l:?}"))
        })
        .consumes("Linker::complete", |l, _| l.complete())
        .consumes("Linker::close", |l, _| l.close())
        .drops("Linker: Drop");
    c.of(linked, linked_works)
        .answers("Linked::{image, jit_log, context}; Linked: Debug", |l, _| {
            (l.image().len(), l.jit_log().clone(), l.context().clone(), format!("{l:?}"))
        })
        .refuses("Linked::load", |l, w| l.load(&w.context))
        .consumes("Linked::close", |l, _| l.close())
        .drops("Linked: Drop");
}

fn globals(c: &mut Catalogue) {
    c.of(global, global_holds)
        .answers("Global::{len, is_empty, size_bytes, name, context, ptr, slice}", |g, _| {
            let numbers = (g.len(), g.is_empty(), g.size_bytes(), g.ptr());
            (numbers, g.name().to_owned(), g.context().clone(), g.slice(..2).unwrap())
        })
        .answers("Global: {Clone, Debug}", |g, _| format!("{:?}", g.clone()))
        .refuses("Global::copy_from_host", |g, w| g.copy_from_host(&w.stream, &[0; 4]))
        .refuses("Global::copy_to_host", |g, w| g.copy_to_host(&w.stream, &mut [0; 4]))
        .refuses("Global::to_vec", |g, w| g.to_vec(&w.stream))
        .refuses("Global::copy_from_device", |g, w| g.copy_from_device(w.buffer.as_slice()))
        .refuses("Global::fill", |g, w| g.fill(&w.stream, 7))
        .refuses("Global::is_managed", |g, _| g.is_managed())
        .refuses("Global::host_ptr", |g, _| g.host_ptr().map(drop))
        .drops("Global: Drop");
    c.of(with_buffer, both).refuses("Global::copy_to_device", |(global, buffer), _| {
        global.copy_to_device(buffer.as_slice_mut())
    });
}

fn options(c: &mut Catalogue) {
    c.free()
        .answers("JitOptions::{new, wall_time, target_from_context, target, fallback, cache_mode}", |_, _| {
            let options = JitOptions::new().wall_time(true).target_from_context();
            let options = options.target(JitTarget::new(90)).fallback(JitFallback::PREFER_PTX);
            options.cache_mode(JitCacheMode::NONE)
        })
        .answers("JitOptions::{referenced_kernel, referenced_variable, $name}", |_, _| {
            JitOptions::new().referenced_kernel("k").referenced_variable("v").max_registers(32)
        })
        .answers("JitOptions::{optimize_unused_device_variables, global_symbol, raw}", |_, _| {
            let null = std::ptr::null_mut();
            // SAFETY: nothing is compiled.
            let options = unsafe { JitOptions::new().optimize_unused_device_variables(true) };
            // SAFETY: as above.
            let options = unsafe { options.global_symbol("g", null) };
            // SAFETY: as above.
            unsafe { options.raw(JitOption::LTO, null) }
        })
        .answers("JitOptions: {Clone, Debug, Default, Display, PartialEq, Drop}", |_, _| {
            let options = JitOptions::default().max_registers(32);
            (options.clone() == options, format!("{options} {options:?}"))
        })
        .answers("JitTarget::{new, accelerated, family, sm, all}; JitTarget: {Debug, Display}", |_, _| {
            let target = JitTarget::new(90).accelerated();
            (format!("{target} {target:?}"), JitTarget::all().count(), JitTarget::new(100).family().sm())
        })
        .answers("JitLog: {Clone, Debug, Default, PartialEq, Drop}", |_, _| {
            (JitLog::default().clone() == JitLog::default(), format!("{:?}", JitLog::default()))
        })
        .answers("JitProblem: {Clone, Debug, Display, PartialEq, Drop}", |_, _| {
            let problem = JitProblem::PtxVersion { version: (9, 9), newest: None };
            (problem.clone() == problem, format!("{problem} {problem:?}"))
        })
        .answers("NameHint: {Clone, Debug, Default, Display, PartialEq, Drop}", |_, _| {
            let hint = NameHint::default();
            (hint.clone() == hint, format!("{hint} {hint:?}"))
        })
        .answers("GlobalMismatch: Display", |_, _| {
            GlobalMismatch::Alignment { address: 1, element: "u32", alignment: 4 }.to_string()
        });
}

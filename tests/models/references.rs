//! Texture and surface references that are bound in any order, by any handle, while calls fail. A resource that is bound, or
//! may be, is never destroyed. Any other is never kept.

use crate::{cases, machine, told};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::surface::SurfRef;
use cuda_rt::texture::{LinearMemory, TextureOffset};
use cuda_rt::{Context, Device, DeviceBuf, Module, Stream, TexRef};
use cuda_sim::{Config, FaultRule, HandleReuse, Machine};
use cuda_sys::{CUresult, Symbol};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};

const PTX: &str = ".version 7.0 .target sm_50 .address_size 64
    .global .texref t0; .global .texref t1; .global .surfref s;";
const NAMES: [&str; 2] = ["t0", "t1"];
const FAILED: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

/// The fate of a call that binds.
#[derive(Debug, Clone, Copy)]
struct Fate {
    /// It fails, `true` after it has done its work.
    fails: Option<bool>,
    /// The driver cannot say what is bound.
    silent: bool,
}

#[derive(Debug, Clone)]
enum Step {
    Module,
    /// Another handle to a module, or a reference of it: a texture by name, or the surface.
    Handle(prop::sample::Index, Option<usize>),
    Surface(prop::sample::Index),
    /// On a device.
    Array(usize),
    Buffer,
    CloneArray(prop::sample::Index),
    BindArray(prop::sample::Index, prop::sample::Index, Fate),
    BindBuffer(prop::sample::Index, prop::sample::Index, Fate),
    BindSurface(prop::sample::Index, prop::sample::Index, Fate),
    Drop(Kind, prop::sample::Index),
    DropElsewhere(Kind, prop::sample::Index),
    Forget(Kind, prop::sample::Index),
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Module,
    Texture,
    Surface,
    Array,
    Buffer,
}

fn fate() -> impl Strategy<Value = Fate> {
    let fails = prop_oneof![4 => Just(None), 1 => any::<bool>().prop_map(Some)];
    (fails, any::<bool>()).prop_map(|(fails, silent)| Fate { fails, silent })
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    let kind = || {
        prop_oneof![
            1 => Just(Kind::Module),
            2 => Just(Kind::Texture),
            1 => Just(Kind::Surface),
            3 => Just(Kind::Array),
            2 => Just(Kind::Buffer)
        ]
    };
    prop_oneof![
        1 => Just(Step::Module),
        3 => (index(), prop::option::of(0..2_usize)).prop_map(|(of, name)| Step::Handle(of, name)),
        1 => index().prop_map(Step::Surface),
        3 => (0..2_usize).prop_map(Step::Array),
        2 => Just(Step::Buffer),
        1 => index().prop_map(Step::CloneArray),
        6 => (index(), index(), fate()).prop_map(|(to, what, fate)| Step::BindArray(to, what, fate)),
        3 => (index(), index(), fate()).prop_map(|(to, what, fate)| Step::BindBuffer(to, what, fate)),
        2 => (index(), index(), fate()).prop_map(|(to, what, fate)| Step::BindSurface(to, what, fate)),
        6 => (kind(), index()).prop_map(|(kind, which)| Step::Drop(kind, which)),
        2 => (kind(), index()).prop_map(|(kind, which)| Step::DropElsewhere(kind, which)),
        1 => (kind(), index()).prop_map(|(kind, which)| Step::Forget(kind, which)),
    ]
}

/// A resource that can be bound, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Array(usize),
    Buffer(usize),
}

/// The model's knowledge of a reference.
#[derive(Debug, Default, Clone)]
struct Slot {
    bound: Option<Thing>,
    /// Resources that may be bound, as far as the answers of the driver tell.
    kept: BTreeSet<Thing>,
}

impl Slot {
    fn bind(&mut self, new: Thing, fate: Fate) {
        match fate.fails {
            None => self.kept = BTreeSet::from([new]),
            Some(_) if fate.silent => drop(self.kept.insert(new)),
            // The earlier binding is not known then.
            Some(true) if !self.kept.contains(&new) => self.kept = BTreeSet::from([new]),
            Some(_) => {}
        }
        if fate.fails != Some(false) {
            self.bound = Some(new);
        }
    }
}

/// Handles, each with the number of what it is a handle to.
#[derive(Default)]
struct Handles {
    modules: Vec<(usize, Module)>,
    textures: Vec<(usize, usize, TexRef)>,
    surfaces: Vec<(usize, SurfRef)>,
    arrays: Vec<(usize, Array)>,
    buffers: Vec<(usize, Arc<DeviceBuf<f32>>)>,
    /// Modules that are never dropped.
    forgotten_modules: BTreeSet<usize>,
    forgotten: BTreeSet<Thing>,
}

#[derive(Default)]
struct Model {
    handles: Handles,
    /// Two textures and a surface for each module.
    slots: Vec<[Slot; 3]>,
    arrays: usize,
    buffers: Vec<Weak<DeviceBuf<f32>>>,
}

/// A handle that is about to be dropped.
#[allow(dead_code)] // for what their ends do
enum Loose {
    Module(Module),
    Texture(TexRef),
    Surface(SurfRef),
    Array(Array),
    Buffer(Arc<DeviceBuf<f32>>),
}

fn one<T>(of: &[T], which: prop::sample::Index) -> Option<&T> {
    (!of.is_empty()).then(|| &of[which.index(of.len())])
}

/// Takes one out.
fn out<T>(of: &mut Vec<T>, which: prop::sample::Index) -> Option<T> {
    (!of.is_empty()).then(|| of.swap_remove(which.index(of.len())))
}

impl Model {
    fn take(&mut self, kind: Kind, which: prop::sample::Index, forgets: bool) -> Option<Loose> {
        let handles = &mut self.handles;
        let (module, thing, loose) = match kind {
            Kind::Module => {
                let (module, handle) = out(&mut handles.modules, which)?;
                (Some(module), None, Loose::Module(handle))
            }
            Kind::Texture => {
                let (module, _, handle) = out(&mut handles.textures, which)?;
                (Some(module), None, Loose::Texture(handle))
            }
            Kind::Surface => {
                let (module, handle) = out(&mut handles.surfaces, which)?;
                (Some(module), None, Loose::Surface(handle))
            }
            Kind::Array => {
                let (array, handle) = out(&mut handles.arrays, which)?;
                (None, Some(Thing::Array(array)), Loose::Array(handle))
            }
            Kind::Buffer => {
                let (buffer, handle) = out(&mut handles.buffers, which)?;
                (None, Some(Thing::Buffer(buffer)), Loose::Buffer(handle))
            }
        };
        if forgets {
            handles.forgotten_modules.extend(module);
            handles.forgotten.extend(thing);
        }
        Some(loose)
    }

    fn live_modules(&self) -> BTreeSet<usize> {
        let handles = &self.handles;
        let modules = handles.modules.iter().map(|(module, _)| *module);
        let textures = handles.textures.iter().map(|(module, _, _)| *module);
        let surfaces = handles.surfaces.iter().map(|(module, _)| *module);
        modules.chain(textures).chain(surfaces).chain(handles.forgotten_modules.iter().copied()).collect()
    }

    fn live_things(&self) -> BTreeSet<Thing> {
        let modules = self.live_modules();
        let bound =
            modules.iter().flat_map(|module| &self.slots[*module]).flat_map(|slot| slot.kept.iter().copied());
        let arrays = self.handles.arrays.iter().map(|(array, _)| Thing::Array(*array));
        let buffers = self.handles.buffers.iter().map(|(buffer, _)| Thing::Buffer(*buffer));
        bound.chain(arrays).chain(buffers).chain(self.handles.forgotten.iter().copied()).collect()
    }

    fn check(&self, machine: &Machine, numbers: &[usize]) {
        let (modules, things, live) = (self.live_modules(), self.live_things(), machine.live());
        assert_eq!(live.modules, modules.len());
        let arrays = things.iter().filter(|thing| matches!(thing, Thing::Array(_))).count();
        assert_eq!(live.arrays, arrays);
        for (number, buffer) in self.buffers.iter().enumerate() {
            assert_eq!(buffer.strong_count() > 0, things.contains(&Thing::Buffer(number)), "buffer {number}");
        }
        // This crate keeps the resource that the driver says is bound.
        for (module, name, reference) in &self.handles.textures {
            let slot = &self.slots[*module][*name];
            let array = reference.array().unwrap().map(|array| Thing::Array(number(numbers, &array)));
            assert_eq!(array, slot.bound.filter(|bound| matches!(bound, Thing::Array(_))));
            let address = reference.address().unwrap().map(|address| address.as_raw());
            let expected = match slot.bound {
                Some(Thing::Buffer(buffer)) => Some(self.buffers[buffer].upgrade().unwrap().ptr().as_raw()),
                _ => None,
            };
            assert_eq!(address, expected);
        }
        for (module, reference) in &self.handles.surfaces {
            let array = reference.array().unwrap().map(|array| Thing::Array(number(numbers, &array)));
            assert_eq!(array, self.slots[*module][2].bound);
        }
    }
}

/// The number of an array, by its width.
fn number(widths: &[usize], array: &Array) -> usize {
    widths.iter().position(|width| *width == array.descriptor().width).unwrap()
}

/// Injects the failures of a call that binds, and of the query of the binding.
fn fated<R>(
    machine: &Machine,
    fate: Fate,
    bind: Symbol,
    ask: Symbol,
    work: impl FnOnce() -> cuda_rt::Result<R>,
) {
    if let Some(after) = fate.fails {
        let rule = FaultRule::new(bind, FAILED).times(1);
        machine.inject(if after { rule.after_work() } else { rule });
        if fate.silent {
            // Memory is allocated before, too.
            let skipped = u32::from(ask == Symbol::cuTexRefGetAddress_v2);
            machine.inject(FaultRule::new(ask, FAILED).skip(skipped).times(1));
        }
    }
    let outcome = work();
    machine.clear_faults();
    match outcome {
        Ok(_) => assert_eq!(fate.fails, None),
        Err(error) => assert_eq!(error.call().unwrap(), bind.name(), "{error}"),
    }
}

fn walk(steps: &[Step]) {
    // Handles of released objects are reused at once, so that a stale handle is found.
    let (machine, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    let contexts =
        [0, 1].map(|device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap());
    contexts[0].enable_peer_access(&contexts[1]).unwrap();
    let streams = [0, 1].map(|device| Stream::new(&contexts[device]).unwrap());
    let mut model = Model::default();
    let mut widths = Vec::new();
    for step in steps {
        match *step {
            Step::Module => {
                let module = Module::from_ptx(&contexts[0], PTX).unwrap();
                model.handles.modules.push((model.slots.len(), module));
                model.slots.push(Default::default());
            }
            Step::Handle(of, name) => {
                let Some((module, handle)) = one(&model.handles.modules, of).cloned() else { continue };
                match name {
                    None => model.handles.modules.push((module, handle)),
                    Some(name) => {
                        let reference = handle.tex_ref(NAMES[name]).unwrap();
                        model.handles.textures.push((module, name, reference));
                    }
                }
            }
            Step::Surface(of) => {
                let Some((module, handle)) = one(&model.handles.modules, of).cloned() else { continue };
                model.handles.surfaces.push((module, handle.surf_ref("s").unwrap()));
            }
            Step::Array(device) => {
                let line = ArrayDescriptor::line(8 + model.arrays, ArrayFormat::FLOAT, 1);
                let descriptor = ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..line };
                let array = Array::new(&streams[device], descriptor).unwrap();
                widths.push(descriptor.width);
                model.handles.arrays.push((model.arrays, array));
                model.arrays += 1;
            }
            Step::Buffer => {
                let buffer = Arc::new(DeviceBuf::<f32>::uninit(&streams[0], 16).unwrap());
                let number = model.buffers.len();
                model.buffers.push(Arc::downgrade(&buffer));
                model.handles.buffers.push((number, buffer));
            }
            Step::CloneArray(which) => {
                let clone = one(&model.handles.arrays, which).cloned();
                model.handles.arrays.extend(clone);
            }
            Step::BindArray(to, what, fate) => {
                let (Some((module, name, reference)), Some((array, handle))) =
                    (one(&model.handles.textures, to), one(&model.handles.arrays, what))
                else {
                    continue;
                };
                let (bind, ask) = (Symbol::cuTexRefSetArray, Symbol::cuTexRefGetArray);
                fated(&machine, fate, bind, ask, || reference.set_array(handle));
                model.slots[*module][*name].bind(Thing::Array(*array), fate);
            }
            Step::BindBuffer(to, what, fate) => {
                let (Some((module, name, reference)), Some((buffer, handle))) =
                    (one(&model.handles.textures, to), one(&model.handles.buffers, what))
                else {
                    continue;
                };
                let memory = LinearMemory::from(handle.clone());
                let (bind, ask) = (Symbol::cuTexRefSetAddress_v2, Symbol::cuTexRefGetAddress_v2);
                let set = || reference.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Refused);
                fated(&machine, fate, bind, ask, set);
                model.slots[*module][*name].bind(Thing::Buffer(*buffer), fate);
            }
            Step::BindSurface(to, what, fate) => {
                let (Some((module, reference)), Some((array, handle))) =
                    (one(&model.handles.surfaces, to), one(&model.handles.arrays, what))
                else {
                    continue;
                };
                let (bind, ask) = (Symbol::cuSurfRefSetArray, Symbol::cuSurfRefGetArray);
                fated(&machine, fate, bind, ask, || reference.set_array(handle));
                model.slots[*module][2].bind(Thing::Array(*array), fate);
            }
            Step::Drop(kind, which) => drop(model.take(kind, which, false)),
            Step::DropElsewhere(kind, which) => {
                let loose = model.take(kind, which, false);
                let work = || {
                    let _entered = machine.enter();
                    drop(loose);
                    assert_eq!((Context::current_raw().unwrap(), told()), (None, Vec::new()));
                };
                std::thread::scope(|scope| scope.spawn(work).join().unwrap());
            }
            #[allow(clippy::mem_forget)] // as any safe program may
            Step::Forget(kind, which) => std::mem::forget(model.take(kind, which, true)),
        }
        assert_eq!(told(), Vec::<cuda_rt::Error>::new());
        model.check(&machine, &widths);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn bound_resources_are_kept(steps in prop::collection::vec(step(), 1..80)) {
        walk(&steps);
    }
}

/// Rows would be read beyond their end.
#[test]
fn failed_rebinding_keeps_the_texel_format() {
    for silent in [false, true] {
        let (machine, _entered) = machine(Config::default());
        let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
        let module = Module::from_ptx(stream.context(), PTX).unwrap();
        let reference = module.tex_ref("t0").unwrap();
        let memory = LinearMemory::from(Arc::new(DeviceBuf::<f32>::uninit(&stream, 256).unwrap()));
        reference.set_pitched(memory.clone().rows(512, 2, 512).unwrap(), ArrayFormat::FLOAT, 1).unwrap();
        let (bind, ask) = (Symbol::cuTexRefSetAddress_v2, Symbol::cuTexRefGetAddress_v2);
        machine.inject(FaultRule::new(bind, FAILED).times(1));
        if silent {
            machine.inject(FaultRule::new(ask, FAILED).skip(1).times(1));
        }
        // At the same address.
        reference.set_linear(memory, ArrayFormat::FLOAT, 4, TextureOffset::Refused).unwrap_err();
        assert_eq!(reference.format().unwrap(), (ArrayFormat::FLOAT, 1));
    }
}

/// Threads that share handles: an array that is bound is never found to be gone, and in the end nothing is left.
#[test]
fn threads_share_bindings() {
    let (machine, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let make = || Array::new(&stream, ArrayDescriptor::line(8, ArrayFormat::FLOAT, 1)).unwrap();
    let module = Module::from_ptx(&context, PTX).unwrap();
    module.tex_ref("t0").unwrap().set_array(&make()).unwrap();
    let shared = Mutex::new(vec![make(), make()]);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let (machine, module, shared) = (machine.clone(), module.clone(), &shared);
            let make = &make;
            scope.spawn(move || {
                let _entered = machine.enter();
                let mut random = 2 * thread + 1;
                for _ in 0..300 {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let reference = module.tex_ref("t0").unwrap();
                    match random >> 61 {
                        0 | 1 => reference.set_array(&make()).unwrap(),
                        2 => {
                            let fresh = make();
                            shared.lock().unwrap().push(fresh);
                        }
                        3 => drop(shared.lock().unwrap().pop()),
                        4 => {
                            let array = shared.lock().unwrap().last().cloned();
                            array.into_iter().for_each(|array| reference.set_array(&array).unwrap());
                        }
                        5 => drop(reference.array().unwrap().unwrap().close()),
                        _ => assert!(reference.array().unwrap().is_some(), "something is bound at all times"),
                    }
                }
                assert_eq!(told(), Vec::<cuda_rt::Error>::new());
            });
        }
    });
    drop((module, shared, stream, context));
    assert!(machine.live().is_empty(), "{}", machine.live());
}

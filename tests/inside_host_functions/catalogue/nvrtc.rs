//! Code that is compiled when the program runs.

use super::Catalogue;
use crate::world::World;
use cuda_rt::device::ComputeCapability;
use cuda_rt::module::JitOptions;
use cuda_rt::nvrtc::{
    Cache, CacheOutcome, Code, CompileOptions, Compiled, CppStandard, Output, Program, SourceModule, Target,
    Uncached, supported_architectures, version,
};

const SOURCE: &str = "extern \"C\" __global__ void plain() {}";

fn program(_: &World) -> Program {
    Program::new(SOURCE).cache(Cache::off())
}

fn program_works(program: &mut Program, world: &World) {
    program.compile_and_load(&world.context).unwrap().function("plain").unwrap();
}

fn compiled(world: &World) -> Compiled {
    program(world).compile_for(&world.context).unwrap()
}

fn compiled_works(compiled: &mut Compiled, world: &World) {
    compiled.clone().load(&world.context).unwrap().function("plain").unwrap();
}

fn module(world: &World) -> SourceModule {
    compiled(world).load(&world.context).unwrap()
}

fn module_works(module: &mut SourceModule, _: &World) {
    module.function("plain").unwrap().typed::<()>().unwrap();
}

pub(super) fn add(c: &mut Catalogue) {
    c.of(program, program_works)
        .answers("nvrtc::{version, supported_architectures}", |_, _| {
            (version().unwrap(), supported_architectures().unwrap())
        })
        .answers(
            "nvrtc::Program::{new, name, header, name_expression, options, extern_c, cache, trust_includes}",
            |p, _| {
                let program = p.clone().name("n").header("h", "").name_expression("plain");
                program.options(CompileOptions::new()).extern_c(true).trust_includes(true).cache(Cache::off())
            },
        )
        .answers("nvrtc::Program: {Clone, Debug, Hash, PartialEq}", |p, _| {
            (p.clone() == *p, format!("{p:?}"), std::collections::HashSet::from([p.clone()]))
        })
        .answers("nvrtc::Program::compile", |p, _| {
            p.compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap()
        })
        .refuses("nvrtc::Program::compile_for", |p, w| p.compile_for(&w.context))
        .refuses("nvrtc::Program::compile_and_load", |p, w| p.compile_and_load(&w.context))
        .drops("nvrtc::Program: Drop");
    c.of(compiled, compiled_works)
        .answers("nvrtc::Compiled::{target, compiler, ptx, cubin, lto_ir, log, lowered_name, kernels, cache_outcome}", |p, _| {
            let code = (p.ptx().is_some(), p.cubin().is_some(), p.lto_ir().is_some());
            let told = (p.log().to_owned(), p.lowered_name("x").is_some(), p.kernels().len());
            (code, told, p.target(), p.compiler(), p.cache_outcome().clone())
        })
        .answers("nvrtc::Compiled: {Clone, Debug}", |p, _| format!("{:?}", p.clone()))
        .consumes("nvrtc::Compiled::load", |p, w| p.load(&w.context))
        .consumes("nvrtc::Compiled::load_with", |p, w| p.load_with(&w.context, &JitOptions::new()))
        .drops("nvrtc::Compiled: Drop");
    c.of(module, module_works)
        .refuses("nvrtc::SourceModule::function", |m, _| m.function("plain"))
        .refuses("nvrtc::SourceModule::global", |m, _| m.global::<u32>("number"))
        .answers("nvrtc::SourceModule::compiled; nvrtc::SourceModule: {Clone, Debug, Deref}", |m, _| {
            (format!("{:?}", m.clone()), m.context().clone(), m.compiled().clone())
        })
        .hands_over(
            "nvrtc::SourceModule::into_module",
            |m, _| m.into_module(),
            |module, _| {
                module.function("plain").unwrap();
            },
        )
        .drops("nvrtc::SourceModule: Drop");
    values(c);
}

fn values(c: &mut Catalogue) {
    c.free()
        .answers("nvrtc::Target::{ptx, cubin, lto_ir, arch_specific, family_specific, output, capability}", |_, _| {
            let target = Target::cubin(ComputeCapability::new(9, 0)).arch_specific();
            (Target::ptx(ComputeCapability::new(8, 0)).family_specific(), Target::lto_ir(ComputeCapability::new(8, 0)), target.output(), target.capability())
        })
        .answers("nvrtc::Target: Display", |_, _| Target::ptx(ComputeCapability::new(8, 0)).to_string())
        .refuses("nvrtc::Target::for_context", |_, w| Target::for_context(&w.context))
        .refuses("nvrtc::Target::for_context_with_output", |_, w| {
            Target::for_context_with_output(&w.context, Output::Ptx)
        })
        .answers("nvrtc::CompileOptions::{new, standard, define, undefine, include_dir, fused_multiply_add, flush_to_zero, precise_division, precise_square_root, fast_math, max_registers}", |_, _| {
            let options = CompileOptions::new().standard(CppStandard::Cpp17).define("A", "1").undefine("B");
            let options = options.include_dir("/tmp").fused_multiply_add(true).flush_to_zero(true);
            options.precise_division(true).precise_square_root(true).fast_math(true).max_registers(32)
        })
        .answers("nvrtc::CompileOptions::{debug, line_info, device_int128, default_device, relocatable, no_warnings, raw, arguments}", |_, _| {
            let options = CompileOptions::new().debug(true).line_info(true).device_int128(true);
            let options = options.default_device(true).relocatable(true).no_warnings(true);
            options.raw("--x").arguments()
        })
        .answers("nvrtc::CompileOptions: {Clone, Debug, Default, Hash, PartialEq, Drop}", |_, _| {
            let options = CompileOptions::default();
            (options.clone() == options, format!("{options:?}"), std::collections::HashSet::from([options]))
        })
        .answers("nvrtc::Cache::{user, in_folder, off, folder}; nvrtc::Cache: {Clone, Debug, Hash, PartialEq, Drop}", |_, _| {
            let cache = Cache::in_folder("/tmp");
            let set = std::collections::HashSet::from([cache.clone(), Cache::user()]);
            (set, cache == Cache::off(), format!("{cache:?}"), cache.folder())
        })
        .answers("nvrtc::CacheOutcome: {Clone, Debug, Display, PartialEq, Drop}; nvrtc::Uncached: {Clone, Debug, Display, PartialEq, Drop}", |_, _| {
            let outcome = CacheOutcome::Uncached(Uncached::Debug);
            (outcome.clone() == outcome, format!("{outcome} {outcome:?} {0} {0:?}", Uncached::Debug))
        })
        .answers("nvrtc::Code::{new, as_raw, number}; nvrtc::Code: Display; nvrtc::UnknownCode::number", |_, _| {
            let code = Code::OutOfMemory;
            (code.to_string(), Code::new(code.as_raw()), code.number())
        })
        .answers("nvrtc::CompileLog: {Clone, Debug, PartialEq, Drop}", |_, _| {
            let none: Option<cuda_rt::nvrtc::CompileLog> = None;
            (none.clone() == none, format!("{none:?}"))
        });
}

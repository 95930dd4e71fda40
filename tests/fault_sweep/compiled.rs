//! Programs in CUDA C++, compiled by a stand-in for NVRTC.

use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::nvrtc::{Cache, Program};

pub(crate) const SCENARIOS: &[Scenario] = &[plain("a program compiled and loaded", loaded)];

fn loaded() -> Done {
    let context = own()?;
    let source = "extern \"C\" __global__ void plain() {} template <typename T> __global__ void shaped() {}";
    let program = Program::new(source).name_expression("shaped<float>").cache(Cache::off());
    let module = program.compile_and_load(&context)?;
    let (plain, shaped) = (module.function("plain")?, module.function("shaped<float>")?);
    assert_eq!(shaped.name(), "shaped<float>");
    drop((module, shaped));
    plain.typed::<()>()?;
    Ok(())
}

//! Programs that load code.

use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::error::ErrorKind;
use cuda_rt::module::JitOptions;
use cuda_rt::{Context, DeviceBuf, Module, Result, Stream};
use cuda_sys::Symbol;

/// Calls that are only made to describe a missing or wrong symbol.
pub(crate) const EXPLAINS: &[Symbol] = &[
    Symbol::cuModuleGetFunctionCount,
    Symbol::cuModuleEnumerateFunctions,
    Symbol::cuFuncGetName,
    Symbol::cuDeviceGetAttribute,
];

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("code with options", options),
    plain("code of a file", file),
    plain("variables", variables),
    plain("managed variables", managed),
    plain("kernels by number", enumerated),
    Scenario { explains: EXPLAINS, ..plain("code that is refused", refused) },
    plain("the way of loading", loading),
];

const TEXT: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .global .align 4 .u32 counter = 7;
    .visible .const .align 4 .b8 table[16];
    .visible .entry _Z3addi(.param .u32 n) { ret; }";

fn module() -> Result<(Module, Stream)> {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    Ok((Module::from_ptx(stream.context(), TEXT)?, stream))
}

fn options() -> Done {
    let options = JitOptions::new().max_registers(32).wall_time(true).log_verbose(true).threads_per_block(64);
    let options = options.referenced_kernel("add").referenced_variable("counter");
    let module = Module::from_ptx_with(&own()?, TEXT, &options)?;
    assert_eq!(module.jit_log().threads_per_block, Some(64));
    module.close()
}

fn file() -> Done {
    let path = std::env::temp_dir().join(format!("cuda-rt-sweep-{}.ptx", std::process::id()));
    std::fs::write(&path, TEXT).unwrap();
    // SAFETY: it is PTX.
    let module = unsafe { Module::from_file(&own()?, path) }?;
    module.close()
}

fn variables() -> Done {
    let (module, stream) = module()?;
    let table = module.global::<u32>("table")?;
    drop(module);
    table.copy_from_host(&stream, &[1, 2, 3, 4])?;
    table.slice(1..3)?.fill(&stream, 9)?;
    let mut copy = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    table.copy_to_device(copy.as_slice_mut())?;
    table.copy_from_device(copy.as_slice())?;
    assert_eq!(table.to_vec(&stream)?, [1, 9, 9, 4]);
    Ok(())
}

fn managed() -> Done {
    let stream = Stream::new(&own()?)?;
    let text = ".version 6.4 .target sm_50 .address_size 64
        .visible .global .attribute(.managed) .align 4 .u32 progress = 3;";
    let progress = Module::from_ptx(stream.context(), text)?.global::<u32>("progress")?;
    progress.fill(&stream, 4)?;
    stream.synchronize()?;
    // SAFETY: the module is loaded, and the stream was waited for.
    assert_eq!(unsafe { progress.host_ptr()?.read() }, 4);
    Ok(())
}

fn enumerated() -> Done {
    let (module, _stream) = module()?;
    let functions = module.functions()?;
    assert_eq!(functions.len(), 1);
    drop(module);
    assert_eq!(functions.first().map(cuda_rt::Function::name), Some("_Z3addi"));
    Ok(())
}

fn refused() -> Done {
    let (module, stream) = module()?;
    match module.function("add") {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(other) => return Err(other),
        Ok(_) => unreachable!("it is mangled"),
    }
    match Module::from_ptx(stream.context(), ".version 8.6 .target sm_120 .address_size 64") {
        Err(error) if error.code() == Some(cuda_rt::error::Code::InvalidPtx) => {
            assert_eq!(error.kind(), ErrorKind::Compilation);
        }
        Err(other) => return Err(other),
        Ok(_) => unreachable!("it is for a newer device"),
    }
    Ok(())
}

fn loading() -> Done {
    cuda_rt::module::loading_mode().map(|_| ())
}

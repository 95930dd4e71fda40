//! Programs with libraries, and the switch of profilers.

use crate::on_another_thread;
use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::context::CacheConfig;
use cuda_rt::error::ErrorKind;
use cuda_rt::module::{FunctionAttribute, Library, LibraryOptions};
use cuda_rt::profiler::{self, ProfilerGuard};
use cuda_rt::{Context, DeviceBuf, DevicePtr, LaunchConfig, Result, Stream};
use cuda_sys::Symbol;

/// Calls that are only made to say which kernels there are.
const EXPLAINS: &[Symbol] =
    &[Symbol::cuLibraryGetKernelCount, Symbol::cuLibraryEnumerateKernels, Symbol::cuKernelGetName];

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("libraries", libraries),
    plain("kernels of libraries", kernels),
    plain("libraries in several contexts", several),
    plain("libraries with options", options),
    plain("managed variables of libraries", managed),
    Scenario { explains: EXPLAINS, ..plain("what libraries lack", wrong) },
    plain("profilers", profilers),
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .global .align 4 .u32 counter = 7;
    .visible .global .attribute(.managed) .align 4 .u32 shared[2] = {1, 2};
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

fn libraries() -> Done {
    let library = Library::from_ptx(PTX)?;
    let stream = Stream::new(&own()?)?;
    let function = library.kernel("put")?.function(stream.context())?;
    library.close()?;
    let out = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    let put = function.typed::<(DevicePtr<u32>, u32)>()?;
    // SAFETY: the kernel writes one word of `out`, which lives on the same stream.
    unsafe { put.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), 5)) }?;
    assert_eq!(out.to_vec()?, [5]);
    Ok(())
}

fn kernels() -> Done {
    let library = Library::from_ptx(PTX)?;
    for kernel in library.kernels()? {
        assert_eq!(kernel.name(), "put");
        assert_eq!(kernel.parameters(&own()?)?.len(), 2);
        kernel.attribute(device()?, FunctionAttribute::NUM_REGS)?;
        kernel.set_max_dynamic_shared_bytes(device()?, 60 << 10)?;
        kernel.set_shared_memory_carveout(device()?, Some(50))?;
        kernel.set_cache_config(device()?, CacheConfig::PreferShared)?;
    }
    Ok(())
}

fn several() -> Done {
    let library = Library::from_ptx(PTX)?;
    let kernel = library.kernel("put")?;
    for context in [own()?, own()?, Context::primary(device()?)?] {
        let module = library.module(&context)?;
        let function = on_another_thread(|| kernel.function(&context))?;
        assert_eq!(function.module().as_raw(), module.as_raw());
        module.close()?;
    }
    drop(kernel);
    library.close()
}

fn options() -> Done {
    let options = LibraryOptions::new().keep_image(true);
    let library = on_another_thread(|| Library::from_ptx_with(PTX, &options))?;
    let module = library.module(&own()?)?;
    drop(library);
    module.function("put").map(drop)
}

fn managed() -> Done {
    let shared = Library::from_ptx(PTX)?.managed::<u32>("shared")?;
    assert_eq!(shared.len(), 2);
    // SAFETY: the library is loaded, and no kernel was launched.
    assert_eq!(unsafe { shared.host_ptr().read() }, 1);
    Ok(())
}

fn wrong() -> Done {
    let library = Library::from_ptx(PTX)?;
    missing(library.kernel("get"))?;
    missing(library.managed::<u32>("counter"))?;
    missing(library.unified_function("put"))?;
    library.close()
}

/// Expects that a symbol is missing.
fn missing<T>(found: Result<T>) -> Done {
    match found {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        found => found.map(|_| unreachable!("there is none")),
    }
}

fn profilers() -> Result<()> {
    let context = own()?;
    profiler::start(&context)?;
    profiler::stop(&context)?;
    drop(ProfilerGuard::new(&context)?);
    ProfilerGuard::new(&context)?.close()
}

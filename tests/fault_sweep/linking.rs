//! Programs that link.

use crate::on_another_thread;
use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::error::Code;
use cuda_rt::module::{JitInput, JitOptions, Linker};
use cuda_rt::{Context, Error};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("linking", link),
    plain("linking with a duplicate or a missing function", refused),
    plain("linking on another thread", elsewhere),
    plain("linking files", files),
];

const HEAD: &str = ".version 6.4\n.target sm_50\n.address_size 64\n";

fn kernel() -> String {
    format!("{HEAD}.extern .func f();\n.visible .entry k() {{ call.uni f; ret; }}")
}

fn function() -> String {
    format!("{HEAD}.visible .func f() {{ ret; }}")
}

fn link() -> Done {
    let (context, other) = (Context::primary(device()?)?, own()?);
    let options = JitOptions::new().log_verbose(true).wall_time(true);
    let mut linker = Linker::new(&context, &options)?;
    linker.add_ptx("kernel", kernel())?.add_ptx("function", function())?;
    let linked = linker.complete()?;
    assert!(!linked.image().is_empty());
    linked.load(&context)?.function("k")?;
    linked.load(&other)?.close()?;
    linked.close()?;
    drop(Linker::new(&other, &options)?);
    Linker::new(&other, &options)?.close()
}

/// Accepts an error with the expected code. Returns every other error, as an injected failure.
fn is_refusal(error: Error, code: Code) -> Done {
    if error.code() == Some(code) { Ok(()) } else { Err(error) }
}

fn refused() -> Done {
    let context = own()?;
    let mut linker = Linker::new(&context, &JitOptions::new())?;
    linker.add_ptx("function", function())?;
    match linker.add_ptx("the same", function()) {
        Err(error) => is_refusal(error, Code::InvalidSource)?,
        Ok(_) => panic!("linked"),
    }
    drop(linker);
    let mut linker = Linker::new(&context, &JitOptions::new())?;
    linker.add_ptx("kernel", kernel())?;
    match linker.complete() {
        Err(error) => is_refusal(error, Code::InvalidSource),
        Ok(_) => panic!("linked"),
    }
}

fn elsewhere() -> Done {
    let mut linker = Linker::new(&own()?, &JitOptions::new())?;
    linker.add_ptx("function", function())?;
    let linked = on_another_thread(move || {
        linker.add_ptx("kernel", kernel())?;
        linker.complete()
    })?;
    let context = linked.context().clone();
    on_another_thread(move || {
        drop(linked);
        drop(context);
    });
    Ok(())
}

fn files() -> Done {
    let mut linker = Linker::new(&own()?, &JitOptions::new())?;
    // SAFETY: there is no such file.
    match unsafe { linker.add_file(JitInput::PTX, "/nowhere/at all.ptx") } {
        Err(error) => is_refusal(error, Code::FileNotFound),
        Ok(_) => panic!("linked"),
    }
}

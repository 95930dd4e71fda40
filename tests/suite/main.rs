//! Behaviour of the driver API through cuda-rt, on the driver that `CUDA_DRIVER` names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod address_ranges;
mod allocation;
// The answers were measured under Linux.
#[cfg(unix)]
mod answers;
mod arrays;
mod batch;
mod busy;
mod caching_pool;
mod checkpoint;
mod clocks;
mod context;
mod context_settings;
mod coredump;
mod declared_kernels;
mod device;
mod device_features;
mod device_launches;
mod dma_buf;
mod entry_point;
mod error_log;
mod errors;
mod event;
#[cfg(unix)]
mod external;
mod fills;
mod function;
mod function_explained;
mod function_legacy;
mod function_signature;
mod graphics;
mod green;
mod host_function;
mod host_memory;
mod host_ranges;
mod images_fatbin;
mod ipc;
mod joins;
mod kernel;
mod kernel_arguments;
mod kernel_attributes;
mod kernel_call;
mod library;
mod link;
mod linker;
mod managed;
mod managed_memory;
mod mem_pool;
mod memory;
mod module;
mod module_globals;
mod module_images;
mod module_options;
mod multicast;
mod number_crates;
mod nvrtc;
mod occupancy;
mod peer;
mod peer_access;
mod peer_graphs;
mod pending_copies;
mod pictures;
mod pinned;
mod pointer_attributes;
mod pool_sharing;
mod pools;
mod profiler;
mod ptx;
mod raw;
mod registered;
mod registers;
mod releasing;
mod scope;
mod stream;
mod structured;
mod surface_objects;
mod surface_references;
mod tensor_maps;
mod texture_objects;
mod texture_references;
mod unfinished_work;
mod version;
mod virtual_memory;
mod win32_handles;

/// A kernel with argument types that fit.
fn typed<A: cuda_rt::launch::KernelArgs>(function: &cuda_rt::Function) -> cuda_rt::Kernel<A> {
    function.typed().unwrap()
}

/// Returns whether the loaded driver is for this release or a newer one.
fn is_since(major: u16, minor: u16) -> bool {
    cuda_suite::driver();
    cuda_rt::driver_version().unwrap() >= cuda_rt::driver::DriverVersion::new(major, minor)
}

/// Runs a test in a process of its own. After a fault no call works any more, and handles of released objects may be reused for
/// objects of other tests.
#[allow(clippy::print_stdout)]
fn alone(name: &str, work: impl FnOnce()) {
    const CHILD: &str = "CUDA_SUITE_ALONE";
    if std::env::var_os(CHILD).is_some() {
        work();
        println!("done");
        // Nothing can be released after a fault.
        std::process::exit(0);
    }
    cuda_suite::driver();
    let program = std::env::current_exe().unwrap();
    let child = std::process::Command::new(program)
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success() && out.contains("done"), "{out}\n{err}");
}

/// The case of a test that a process runs.
const CASE: &str = "CUDA_SUITE_CASE";

/// Runs one case of a test in a process of its own, as [`alone`] does.
fn alone_as(name: &str, case: &str, work: impl FnOnce()) {
    match std::env::var(CASE) {
        Ok(known) if known == case => alone(name, work),
        Ok(_) => {}
        Err(_) => {
            let program = std::env::current_exe().unwrap();
            let child = std::process::Command::new(program)
                .args(["--exact", name, "--nocapture"])
                .env(CASE, case)
                .output()
                .unwrap();
            let err = String::from_utf8_lossy(&child.stderr);
            assert!(child.status.success(), "{case}: {}\n{err}", String::from_utf8_lossy(&child.stdout));
        }
    }
}

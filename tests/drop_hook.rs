//! The state of the thread in which the hook of failing destructors runs.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code)] // the thread's capture mode

use cuda_rt::context::ContextFlags;
use cuda_rt::memory::{CachingPool, MemorySource};
use cuda_rt::memory::{MemAttach, RegisterFlags, RegisteredBuf, register_scoped};
use cuda_rt::{Context, Device, DeviceBuf, Event, ManagedBuf, PinnedBuf, Stream};
use cuda_sim::{Config, FaultRule};
use cuda_suite::raw::machine;
use cuda_sys::{CUresult, CUstreamCaptureMode as Mode, Symbol};
use std::sync::{Arc, Mutex};

/// Makes this the thread's capture mode, and returns the one before.
fn exchange(mut mode: Mode) -> Mode {
    // SAFETY: `mode` is valid for a read and a write.
    assert!(unsafe { cuda_sys::cuThreadExchangeStreamCaptureMode(&raw mut mode) }.is_success());
    mode
}

const DEFAULT: Mode = Mode::CU_STREAM_CAPTURE_MODE_GLOBAL;

#[test]
fn the_hook_finds_the_thread_as_it_was() {
    let (machine, _entered) = machine(Config::default());
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    let (first, second) = (own(0), own(1));
    let (to, from) = (Stream::new(&first).unwrap(), Stream::new(&second).unwrap());
    let copied = DeviceBuf::<u32>::zeroed(&to, 100).unwrap();
    let source = DeviceBuf::<u32>::zeroed(&from, 100).unwrap();
    let managed = ManagedBuf::<u32>::zeroed(&to, 100, MemAttach::Global).unwrap();
    let (mut host, mut large) = (vec![0; 100], vec![0_u32; 5000]);
    let plain = |stream| DeviceBuf::<u32>::zeroed_in(stream, 100, MemorySource::Plain);
    let work: [(&str, &mut dyn FnMut()); 17] = [
        ("a download", &mut || drop(copied.to_vec())),
        ("a scope", &mut || drop(to.scope(|scope| scope.copy_to_host(copied.as_slice(), &mut host)))),
        ("a pending copy", &mut || drop(copied.to_pinned().map(|pending| pending.wait()))),
        ("a question about a copy", &mut || drop(copied.to_pinned().map(|pending| pending.is_done()))),
        ("the end of a copy", &mut || drop(copied.to_pinned())),
        ("managed memory", &mut || drop(managed.host())),
        ("a question about access", &mut || drop(first.peer_access_state(&second).is_enabled())),
        ("access", &mut || drop(first.peer_access(&second))),
        ("a guard", &mut || drop(source.use_on(&to))),
        ("a registration", &mut || {
            drop(RegisteredBuf::new(&first, vec![1_u32; 5000], RegisterFlags::empty()))
        }),
        ("a scoped registration", &mut || {
            drop(register_scoped(&second, &mut large, RegisterFlags::empty(), |_| ()));
        }),
        ("page-locked memory", &mut || drop(PinnedBuf::<u32>::zeroed(&first, 100))),
        ("an event", &mut || drop(Event::new(&first))),
        ("a context", &mut || drop(Context::new(first.device(), ContextFlags::default()))),
        ("a pool", &mut || drop(DeviceBuf::<u8>::zeroed_in(&to, 100, &CachingPool::new(&first)))),
        ("plain memory", &mut || drop((plain(&to), plain(&from)))),
        ("a copy between devices", &mut || {
            let copy = || DeviceBuf::<u32>::zeroed(&to, 100)?.copy_from_device(source.as_slice());
            drop(copy());
        }),
    ];
    let found = Arc::new(Mutex::new(Vec::new()));
    let finds = found.clone();
    let before = cuda_rt::handle::set_drop_hook(move |error| {
        let (mode, current) = (exchange(DEFAULT), Context::current_raw().unwrap());
        exchange(mode);
        finds.lock().unwrap().push((mode, current.is_some(), error.to_string()));
    });
    let mut told = 0;
    for (name, work) in work {
        for symbol in [Symbol::cuCtxPopCurrent_v2, Symbol::cuThreadExchangeStreamCaptureMode] {
            for skip in 0..8 {
                machine
                    .inject(FaultRule::new(symbol, CUresult::CUDA_ERROR_OUT_OF_MEMORY).skip(skip).times(2));
                work();
                machine.clear_faults();
                for (mode, is_bound, error) in found.lock().unwrap().drain(..) {
                    told += 1;
                    // The hook receives that the mode, or the context, could not be restored.
                    let is_told = |symbol: Symbol| error.starts_with(symbol.name());
                    assert!(
                        mode == DEFAULT || is_told(Symbol::cuThreadExchangeStreamCaptureMode),
                        "{name}: {error}"
                    );
                    assert!(!is_bound || is_told(Symbol::cuCtxPopCurrent_v2), "{name}: {error}");
                }
                exchange(DEFAULT);
                while Context::current_raw().unwrap().is_some() {
                    Context::pop().unwrap();
                }
            }
        }
    }
    before.restore();
    assert!(told > 50, "{told}");
}

//! The clocks that kernels read, compared with the time between events.

#![allow(unsafe_code)]

use crate::typed;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Stream};
use cuda_sim::{Config, Machine};
use cuda_suite::{Choice, device, driver};

/// Kernels that spin for `count` cycles or nanoseconds, or sleep for `count` nanoseconds. Each
/// stores `%globaltimer` at its start and its end, then `%clock64` at its start and its end.
const PTX: &str = ".version 6.3 .target sm_70 .address_size 64
    .visible .entry cycles(.param .u64 out, .param .u64 count) {
        .reg .b64 %a<9>; .reg .pred %p;
        ld.param.u64 %a0, [out]; ld.param.u64 %a1, [count];
        mov.u64 %a2, %globaltimer; mov.u64 %a3, %clock64;
        again: mov.u64 %a5, %clock64; sub.u64 %a6, %a5, %a3; setp.lt.u64 %p, %a6, %a1; @%p bra again;
        mov.u64 %a4, %globaltimer;
        st.global.v2.u64 [%a0], {%a2, %a4}; st.global.v2.u64 [%a0+16], {%a3, %a5}; ret; }
    .visible .entry nanoseconds(.param .u64 out, .param .u64 count) {
        .reg .b64 %a<9>; .reg .pred %p;
        ld.param.u64 %a0, [out]; ld.param.u64 %a1, [count];
        mov.u64 %a3, %clock64; mov.u64 %a2, %globaltimer;
        again: mov.u64 %a4, %globaltimer; sub.u64 %a6, %a4, %a2; setp.lt.u64 %p, %a6, %a1; @%p bra again;
        mov.u64 %a5, %clock64;
        st.global.v2.u64 [%a0], {%a2, %a4}; st.global.v2.u64 [%a0+16], {%a3, %a5}; ret; }
    .visible .entry sleep(.param .u64 out, .param .u64 count) {
        .reg .b64 %a<9>; .reg .b32 %r; .reg .pred %p;
        ld.param.u64 %a0, [out]; ld.param.u64 %a1, [count]; cvt.u32.u64 %r, %a1;
        mov.u64 %a2, %globaltimer; mov.u64 %a3, %clock64;
        nanosleep.u32 %r;
        mov.u64 %a4, %globaltimer; mov.u64 %a5, %clock64;
        st.global.v2.u64 [%a0], {%a2, %a4}; st.global.v2.u64 [%a0+16], {%a3, %a5}; ret; }";

/// Times in milliseconds.
#[derive(Debug)]
struct Measured {
    /// Between events around the kernel.
    events: f64,
    /// By `%globaltimer`.
    timer: f64,
    /// By `%clock64`: the cycles divided by the clock rate that the device reports.
    clock: f64,
    /// `%globaltimer` at the beginning and at the end, in nanoseconds.
    span: [u64; 2],
}

/// If the driver is the software driver, enters a private machine. On a shared machine, calls of
/// other tests would take virtual time between an event and the kernel after it.
fn enter_own_machine() -> Option<impl Drop> {
    (driver() == Choice::Sim).then(|| Machine::new(Config::from_env().unwrap()).enter())
}

struct Kernels {
    module: Module,
    out: DeviceBuf<u64>,
    stream: Stream,
}

impl Kernels {
    fn new() -> Kernels {
        let context = Context::primary(device()).unwrap();
        let (module, stream) = (Module::from_ptx(&context, PTX).unwrap(), Stream::new(&context).unwrap());
        Kernels { module, out: DeviceBuf::zeroed(&stream, 4).unwrap(), stream }
    }

    fn run(&self, name: &str, count: u64) -> Measured {
        let kernel: Kernel<(DevicePtr<u64>, u64)> = typed(&self.module.function(name).unwrap());
        let [start, end] = [(); 2].map(|()| Event::new(self.stream.context()).unwrap());
        start.record(&self.stream).unwrap();
        // SAFETY: one thread writes the four elements, on the buffer's own stream.
        unsafe { kernel.launch(LaunchConfig::new(1, 1), &self.stream, (self.out.ptr(), count)) }.unwrap();
        end.record(&self.stream).unwrap().synchronize().unwrap();
        let found = self.out.to_vec().unwrap();
        let rate = f64::from(device().clock_rate().unwrap());
        Measured {
            events: f64::from(end.milliseconds_since(&start).unwrap()),
            timer: (found[1] - found[0]) as f64 / 1e6,
            clock: (found[3] - found[2]) as f64 / rate,
            span: [found[0], found[1]],
        }
    }
}

/// The largest delay beyond the expected time, in milliseconds. On hardware there is no limit: a launch after a pause is
/// slow, and kernels of other contexts interrupt a kernel for as long as they run.
fn slack() -> f64 {
    if driver() == Choice::Sim { 0.01 } else { f64::INFINITY }
}

#[test]
fn cycles_waited_for_pass_by_all_clocks() {
    let _machine = enter_own_machine();
    let kernels = Kernels::new();
    let rate = f64::from(device().clock_rate().unwrap());
    for count in [200_000, 19_800_000] {
        let found = kernels.run("cycles", count);
        let least = count as f64 / rate;
        assert!(found.clock >= least && found.clock < least * 1.01 + slack(), "{found:?}");
        // The device's clock may run below the reported rate, but not above.
        assert!(found.timer > found.clock * 0.98 - 0.01, "{found:?}");
        assert!(found.events > found.timer * 0.98 - 0.01, "{found:?}");
        assert!(found.events < found.timer * 1.02 + slack(), "{found:?}");
        if driver() == Choice::Sim {
            assert!(found.timer < found.clock * 1.02 + 0.01, "{found:?}");
        }
    }
}

#[test]
fn nanoseconds_waited_for_pass_by_all_clocks() {
    let _machine = enter_own_machine();
    let kernels = Kernels::new();
    for count in [100_000, 5_000_000] {
        let found = kernels.run("nanoseconds", count);
        let least = count as f64 / 1e6;
        assert!(found.timer >= least && found.timer < least * 1.02 + slack(), "{found:?}");
        assert!(found.clock < found.timer * 1.02 + 0.01, "{found:?}");
        assert!(found.events > found.timer * 0.98 - 0.01, "{found:?}");
        assert!(found.events < found.timer * 1.02 + slack(), "{found:?}");
    }
}

#[test]
fn sleep_passes_by_all_clocks() {
    let _machine = enter_own_machine();
    let kernels = Kernels::new();
    for count in [20_000, 700_000] {
        let found = kernels.run("sleep", count);
        // The sleep takes from no time to twice the time, as the PTX manual says.
        let most = 2.0 * count as f64 / 1e6;
        assert!(found.timer < most + 0.01 && found.events > found.timer * 0.98 - 0.01, "{found:?}");
        if driver() == Choice::Sim {
            assert!(found.timer > most / 2.0 && found.clock > most / 2.0 * 0.99, "{found:?}");
        }
    }
}

#[test]
fn waiting_stream_begins_after_the_event() {
    let _entered = enter_own_machine();
    let context = Context::primary(device()).unwrap();
    let (first, second) = (Stream::new(&context).unwrap(), Stream::new(&context).unwrap());
    let mark = || Event::new(&context).unwrap();
    let (copied, waited) = (mark(), mark());
    // The copy may be done when the wait is queued. The wait must still end after it.
    let _copy = DeviceBuf::<u8>::zeroed(&first, 8 << 20).unwrap().try_clone().unwrap();
    copied.record(&first).unwrap();
    second.wait_event(&copied).unwrap();
    waited.record(&second).unwrap().synchronize().unwrap();
    assert!(waited.milliseconds_since(&copied).unwrap() >= 0.0);
}

#[test]
fn timer_goes_on_from_kernel_to_kernel() {
    let _machine = enter_own_machine();
    let streams = [Kernels::new(), Kernels::new(), Kernels::new()];
    let mut last = 0;
    for turn in 0..30 {
        // The results are read between the kernels, so each comes after the one before.
        let found =
            streams[turn % 3].run(["cycles", "nanoseconds", "sleep"][turn / 3 % 3], 1000 * turn as u64);
        assert!(found.span[0] >= last, "{turn}: {} after {last}", found.span[0]);
        last = found.span[1];
    }
}

#[test]
fn timer_goes_on_after_work_is_seen_to_be_done() {
    let _machine = enter_own_machine();
    let [first, second] = [Kernels::new(), Kernels::new()];
    let kernel: Kernel<(DevicePtr<u64>, u64)> = typed(&first.module.function("nanoseconds").unwrap());
    let event = Event::new(first.stream.context()).unwrap();
    // SAFETY: one thread writes the four elements, on the buffer's own stream.
    unsafe { kernel.launch(LaunchConfig::new(1, 1), &first.stream, (first.out.ptr(), 3_000_000)) }.unwrap();
    event.record(&first.stream).unwrap();
    while !event.is_done().unwrap() {}
    // The host knows that the first kernel has ended, and has not waited for it.
    let later = second.run("cycles", 10);
    let found = first.out.to_vec().unwrap();
    assert!(later.span[0] >= found[1], "{later:?} after {found:?}");
}

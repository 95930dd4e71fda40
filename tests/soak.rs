//! Sixteen threads that make, use, share and drop objects, on the driver that `CUDA_DRIVER` names. `SOAK_SECONDS` is the time;
//! without it, each thread does some hundred operations.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use cuda_rt::context::ContextFlags;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Stream};
use cuda_suite::{Choice, context, device, driver, reports, second_device};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const THREADS: u64 = 16;
const STEPS: u64 = 300;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry triple(.param .u64 at) {
        .reg .b64 %a; .reg .b32 %r; .reg .b32 %i; .reg .b64 %o;
        ld.param.u64 %a, [at]; mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
        ld.global.u32 %r, [%a]; mul.lo.u32 %r, %r, 3; st.global.u32 [%a], %r; ret; }";

/// A value that threads exchange.
enum Shared {
    Stream(Stream),
    Event(Event),
    Buffer(DeviceBuf<u32>, u32),
    Context(Context),
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn kernel(of: &Context) -> Kernel<(DevicePtr<u32>,)> {
    Module::from_ptx(of, PTX).unwrap().function("triple").unwrap().typed().unwrap()
}

/// A buffer is tripled and read.
fn use_buffer(buffer: &DeviceBuf<u32>, value: u32) -> u32 {
    let triple = kernel(buffer.stream().context());
    // SAFETY: 64 threads change 64 elements, on the buffer's own stream.
    unsafe { triple.launch(LaunchConfig::new(1, 64), buffer.stream(), (buffer.ptr(),)) }.unwrap();
    let tripled = value.wrapping_mul(3);
    assert_eq!(buffer.to_vec().unwrap(), [tripled; 64]);
    tripled
}

fn step(random: &mut Random, pool: &Mutex<Vec<Shared>>, devices: &[Device], rare: u64) {
    let device = devices[random.below(devices.len() as u64) as usize];
    let of = || Context::primary(device).unwrap();
    let take = |random: &mut Random| {
        let mut pool = pool.lock().unwrap();
        let place = random.below(pool.len().max(1) as u64) as usize;
        (!pool.is_empty()).then(|| pool.swap_remove(place))
    };
    let give = |thing: Shared| pool.lock().unwrap().push(thing);
    match random.below(12) {
        0 => give(Shared::Stream(Stream::new(&of()).unwrap())),
        1 | 2 => {
            let stream = Stream::new(&of()).unwrap();
            let value = random.below(1000) as u32;
            let buffer = DeviceBuf::from_host(&stream, &[value; 64]).unwrap();
            let value = use_buffer(&buffer, value);
            give(Shared::Buffer(buffer, value));
        }
        3 => {
            let stream = Stream::new(&of()).unwrap();
            let event = Event::new(stream.context()).unwrap();
            event.record(&stream).unwrap();
            give(Shared::Event(event));
        }
        4 | 5 => {
            // Copies between two buffers of any threads, on any devices.
            let (first, second) = (take(random), take(random));
            if let (Some(Shared::Buffer(to, _)), Some(Shared::Buffer(from, value))) = (first, second) {
                let mut to = to;
                to.copy_from_device(from.as_slice()).unwrap();
                drop(from);
                assert_eq!(to.to_vec().unwrap(), [value; 64]);
                give(Shared::Buffer(to, value));
            }
        }
        6 if random.below(rare) == 0 => {
            let own = Context::new(device, ContextFlags::default()).unwrap();
            let buffer = DeviceBuf::from_host(&Stream::new(&own).unwrap(), &[7; 64]).unwrap();
            use_buffer(&buffer, 7);
            give(Shared::Context(own));
        }
        7 if devices.len() > 1 => {
            let (own, peer) = (Context::primary(devices[0]).unwrap(), Context::primary(devices[1]).unwrap());
            let access = own.peer_access(&peer).unwrap();
            let other = peer.peer_access(&own).unwrap();
            assert!(own.peer_access_state(&peer).recorded().is_some());
            drop(access);
            drop(other);
        }
        _ => match take(random) {
            Some(Shared::Buffer(buffer, value)) => {
                use_buffer(&buffer, value);
            }
            Some(Shared::Event(event)) => {
                event.synchronize().unwrap();
            }
            Some(Shared::Stream(stream)) => stream.synchronize().unwrap(),
            Some(Shared::Context(context)) => {
                let _entered = context.enter().unwrap();
                context.synchronize().unwrap();
            }
            None => {}
        },
    }
    assert_eq!(Context::current_raw().unwrap(), None);
}

#[test]
fn sixteen_threads_make_use_share_and_drop() {
    let on = driver();
    let mut devices = vec![device()];
    devices.extend(second_device().filter(|second| device().can_access_peer(*second).unwrap()));
    // Kept, so that primary contexts are not made anew each time.
    let kept: Vec<Context> = devices.iter().map(|device| Context::primary(*device).unwrap()).collect();
    context();
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let rare = if on == Choice::Real { 20 } else { 1 };
    let (pool, steps) = (Mutex::new(Vec::new()), AtomicU64::new(0));
    let told = reports(|| {
        std::thread::scope(|scope| {
            for number in 0..THREADS {
                let (pool, steps, devices) = (&pool, &steps, &devices);
                scope.spawn(move || {
                    let mut random = Random(number * 2 + 1);
                    for count in 0.. {
                        let is_over = until.map_or(count >= STEPS, |until| Instant::now() >= until);
                        if is_over {
                            break;
                        }
                        step(&mut random, pool, devices, rare);
                        steps.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        pool.lock().unwrap().clear();
    });
    println!("soak: {} steps on {THREADS} threads", steps.load(Ordering::Relaxed));
    assert_eq!(told, Vec::<String>::new());
    if on == Choice::Sim {
        // The event of the last copy between devices stays until access is disabled, or another copy is queued.
        if let [first, second] = kept.as_slice() {
            drop(first.peer_access(second).unwrap());
        }
        let live = cuda_sim::Machine::current().live();
        let allowed = cuda_sim::LiveHandles::default();
        assert_eq!(
            (live.contexts, live.streams, live.events, live.modules, live.pool_allocations, live.peers),
            (allowed.contexts, allowed.streams, allowed.events, allowed.modules, 0, 0),
            "{live}"
        );
        assert_eq!((live.device_allocations, live.pool_grants), (0, 0), "{live}");
    }
}

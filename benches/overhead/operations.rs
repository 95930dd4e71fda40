//! The operations, as function pointers, by the functions of `cuda-sys`, and in `cuda-rt`.

#![allow(non_snake_case)] // function pointers under the names of the functions

use super::measure::{Operation, Rounds, Way, rounds};
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_rt::access::AccessCheck;
use cuda_rt::event::EventFlags;
use cuda_rt::graph::{AddNodes, Graph, GraphExec, InstantiateOptions};
use cuda_rt::launch::Arg;
use cuda_rt::memory::CachingPool;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Stream};
use cuda_sys::*;
use std::hint::black_box;
use std::sync::Mutex;

/// The libraries that are compared.
pub(crate) const RAW: &str = "function pointer";
pub(crate) const SYS: &str = "cuda-sys";
pub(crate) const RT: &str = "cuda-rt";

/// The operations that other libraries have, too.
pub(crate) const LAUNCH_3: &str = "launch, 3 arguments";
pub(crate) const LAUNCH_16: &str = "launch, 16 arguments";
pub(crate) const CHECKED: &str = "launch, 3 arguments, checked";
pub(crate) const OWNERS: &str = "launch, 3 arguments, checked by their owners";
pub(crate) const DECLARED: &str = "launch, 3 arguments, declared by the macro";
pub(crate) const BORROWED: &str = "launch, 3 arguments, 2 of them borrowed buffers";
pub(crate) const SAFE: &str = "safe launch of the same, with 2 relations";
pub(crate) const ELSEWHERE: &str = "launch, 3 arguments, no context current";
pub(crate) const PROMISED_LAUNCH: &str = "launch, 3 arguments, context promised";
pub(crate) const PROMISED_ALLOC: &str = "allocate and free, context promised";
pub(crate) const ALLOC: &str = "allocate and free";
pub(crate) const TO_DEVICE: &str = "copy to the device, wait";
pub(crate) const FROM_DEVICE: &str = "copy from the device, wait";
pub(crate) const ON_DEVICE: &str = "copy on the device";
pub(crate) const RECORD: &str = "record an event";
pub(crate) const FENCE: &str = "make, record, wait for and drop an event";
pub(crate) const GRAPH: &str = "launch a graph";
pub(crate) const QUERY: &str = "query a stream";

/// The size of all copies and allocations.
pub(crate) const BYTES: usize = 4096;

/// Kernels that do nothing.
pub(crate) const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .entry three(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }
.visible .entry sixteen(
    .param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d,
    .param .u32 e, .param .u32 f, .param .u32 g, .param .u32 h,
    .param .f32 i, .param .f32 j, .param .f32 k, .param .f32 l,
    .param .f64 m, .param .f64 n, .param .u64 o, .param .u64 p
) { ret; }
";

cuda_rt::kernels! {
    struct Declared from ptx("
        .version 6.4
        .target sm_50
        .address_size 64
        .visible .entry three(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }");
    extern {
        fn three(a: DevicePtr<f32>, b: DevicePtr<f32>, n: u32);
        #[name = "three"]
        fn borrowed(a: &[u8], b: &mut [u8], n: u32);
    }
}

cuda_rt::kernels! {
    struct Safe from ptx("
        .version 6.4
        .target sm_50
        .address_size 64
        .visible .entry three(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }");
    // SAFETY: the kernel does nothing.
    unsafe extern {
        #[block(32)]
        safe fn three(a: &[u8], b: &mut [u8], n: u32)
        where
            n <= a.len(),
            n <= b.len();
    }
}

type Ptr = DevicePtr<f32>;
type Three = (Ptr, Ptr, u32);
type Sixteen = (Ptr, Ptr, Ptr, Ptr, u32, u32, u32, u32, f32, f32, f32, f32, f64, f64, u64, u64);

/// The objects that the operations use.
pub(crate) struct Setup {
    driver: &'static Driver,
    context: Context,
    /// For raw calls, so that the other one is not exposed.
    raw_stream: Stream,
    stream: Stream,
    three: Kernel<Three>,
    sixteen: Kernel<Sixteen>,
    event: Event,
    pool: CachingPool,
    source: DeviceBuf<u8>,
    declared: Declared,
    safe: Safe,
    target: Mutex<DeviceBuf<u8>>,
}

/// Calls that are not expected to fail, in the ways without a check.
fn ok(result: CUresult) {
    let _ = black_box(result);
}

fn pointer(number: u64) -> Ptr {
    DevicePtr::from_raw(black_box(number))
}

fn sixteen() -> Sixteen {
    let (a, b, c, d) = (pointer(1), pointer(2), pointer(3), pointer(4));
    let (e, f, m, o) = (black_box(5), black_box(6.0), black_box(7.0), black_box(8));
    (a, b, c, d, e, e, e, e, f, f, f, f, m, m, o, o)
}

/// The addresses of the parts of a tuple.
macro_rules! addresses {
    ($tuple:ident: $($part:tt)*) => { [$((&raw mut $tuple.$part).cast::<c_void>()),*] };
}

/// Both ways without `cuda-rt`: by pointers that the compiler knows nothing of, and by name.
macro_rules! raw {
    ($driver:expr, $($function:ident)* => $body:block) => {
        [
            {
                $(let $function = black_box($driver.$function);)*
                Way { library: RAW, run: rounds(move || $body) }
            },
            Way { library: SYS, run: rounds(move || $body) },
        ]
    };
}

impl Setup {
    pub(crate) fn new() -> cuda_rt::Result<Setup> {
        cuda_rt::init()?;
        let context = Context::primary(Device::get(0)?)?;
        // As in a program that calls the raw API; so does the end of the process find it.
        context.set_current()?;
        let (raw_stream, stream) = (Stream::new(&context)?, Stream::new(&context)?);
        let module = Module::from_ptx(&context, PTX)?;
        let (three, sixteen) = (module.function("three")?, module.function("sixteen")?);
        // SAFETY: these are the parameters of the kernel above.
        let three = unsafe { three.typed_unchecked::<Three>() };
        // SAFETY: likewise.
        let sixteen = unsafe { sixteen.typed_unchecked::<Sixteen>() };
        let event = Event::new(&context)?;
        let pool = CachingPool::new(&context);
        let source = DeviceBuf::from_host(&stream, &[7; BYTES])?;
        let target = Mutex::new(DeviceBuf::zeroed(&stream, BYTES)?);
        let declared = Declared::load(&context)?;
        let safe = Safe::load(&context)?;
        Ok(Setup {
            driver: cuda_sys::driver()?,
            context,
            raw_stream,
            stream,
            three,
            sixteen,
            event,
            pool,
            source,
            declared,
            safe,
            target,
        })
    }

    /// Waits until the device has done everything.
    pub(crate) fn settle(&self) {
        self.stream.synchronize().unwrap();
        self.raw_stream.synchronize().unwrap();
    }

    /// Returns operations that are steps of others: one call each.
    pub(crate) fn calls(&self) -> Vec<Operation<'_>> {
        let (driver, context, stream) = (self.driver, self.context.as_raw(), self.raw_stream.as_raw());
        let get_current = raw!(driver, cuCtxGetCurrent => {
            let mut current = null_mut();
            // SAFETY: `current` is valid for a write.
            ok(unsafe { cuCtxGetCurrent(&raw mut current) });
            black_box(current);
        });
        let table = Way {
            library: "cuda-sys, held table",
            run: rounds(move || {
                let mut current = null_mut();
                // SAFETY: `current` is valid for a write.
                ok(unsafe { (driver.cuCtxGetCurrent)(&raw mut current) });
                black_box(current);
            }),
        };
        let get_id = raw!(driver, cuCtxGetId => {
            let mut id = 0;
            // SAFETY: the context is live, `id` valid for a write.
            ok(unsafe { cuCtxGetId(context, &raw mut id) });
        });
        let is_capturing = raw!(driver, cuStreamIsCapturing => {
            let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
            // SAFETY: the stream is live, `status` valid for a write.
            ok(unsafe { cuStreamIsCapturing(stream, &raw mut status) });
        });
        let exchange = raw!(driver, cuThreadExchangeStreamCaptureMode => {
            let mut mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
            // SAFETY: `mode` is valid for a read and a write.
            ok(unsafe { cuThreadExchangeStreamCaptureMode(&raw mut mode) });
        });
        let place = black_box(7_u64);
        let attribute = raw!(driver, cuPointerGetAttribute => {
            let mut kind = CUmemorytype(0);
            let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
            let address = (&raw const place).addr() as CUdeviceptr;
            // SAFETY: the attribute is of the type of `kind`, which is valid for a write.
            ok(unsafe { cuPointerGetAttribute((&raw mut kind).cast(), attribute, address) });
        });
        let attributes = raw!(driver, cuPointerGetAttributes => {
            let mut kind = CUmemorytype(0);
            let mut attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
            let mut to = (&raw mut kind).cast();
            let address = (&raw const place).addr() as CUdeviceptr;
            // SAFETY: the attribute is of the type of `kind`, which is valid for a write.
            ok(unsafe { cuPointerGetAttributes(1, &raw mut attribute, &raw mut to, address) });
        });
        [
            ("which context is current", get_current.into_iter().chain([table]).collect()),
            ("the number of a context", Vec::from(get_id)),
            ("whether a stream is captured", Vec::from(is_capturing)),
            ("the capture mode of the thread", Vec::from(exchange)),
            ("whether memory is page-locked", Vec::from(attribute)),
            ("the same, of a list of attributes", Vec::from(attributes)),
        ]
        .map(|(name, ways)| Operation { name, real_rounds: 100, ways })
        .into()
    }

    pub(crate) fn launches(&self) -> Vec<Operation<'_>> {
        let (driver, context, stream) = (self.driver, self.context.as_raw(), self.raw_stream.as_raw());
        let (three, sixteen) = (self.three.function().as_raw(), self.sixteen.function().as_raw());
        let null = null_mut();
        let config = LaunchConfig::new(1, 32);

        let mut launch_3 = Vec::from(raw!(driver, cuLaunchKernel => {
            let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
            let mut args: Three = (pointer(1), pointer(2), black_box(3));
            let mut args = addresses!(args: 0 1 2);
            let args = args.as_mut_ptr();
            // SAFETY: the kernel does nothing, with arguments of these sizes.
            ok(unsafe { cuLaunchKernel(three, x, y, z, a, b, c, shared_bytes, stream, args, null) });
        }));
        launch_3.push(Way {
            library: RT,
            run: rounds(move || {
                let args = (pointer(1), pointer(2), black_box(3));
                // SAFETY: the kernel does nothing.
                unsafe { self.three.launch(black_box(config), &self.stream, args) }.unwrap();
            }),
        });

        let [raw_declared, sys_declared] = raw!(driver, cuLaunchKernel => {
            let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
            let mut args: Three = (pointer(1), pointer(2), black_box(3));
            let mut args = addresses!(args: 0 1 2);
            let args = args.as_mut_ptr();
            // SAFETY: the kernel does nothing, with arguments of these sizes.
            ok(unsafe { cuLaunchKernel(three, x, y, z, a, b, c, shared_bytes, stream, args, null) });
        });
        let declared = Way {
            library: RT,
            run: rounds(move || {
                let call = self.declared.three(pointer(1), pointer(2), black_box(3));
                // SAFETY: the kernel does nothing.
                unsafe { call.launch(black_box(config), &self.stream) }.unwrap();
            }),
        };

        // The same launch, with an access check of the two addresses.
        let at = || black_box(self.source.ptr().cast::<f32>());
        let checked = self.three.clone().with_access_check(AccessCheck::Checked);
        let raw = || {
            Vec::from(raw!(driver, cuLaunchKernel => {
                let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
                let mut args: Three = (at(), at(), black_box(3));
                let mut args = addresses!(args: 0 1 2);
                let args = args.as_mut_ptr();
                // SAFETY: the kernel does nothing, with arguments of these sizes.
                ok(unsafe { cuLaunchKernel(three, x, y, z, a, b, c, shared_bytes, stream, args, null) });
            }))
        };
        let (mut by_address, mut by_owner, mut borrowed, mut safe) = (raw(), raw(), raw(), raw());
        safe.push(Way {
            library: RT,
            run: Box::new(move |rounds| {
                let target = &mut *self.target.lock().unwrap();
                for _ in 0..rounds {
                    let call =
                        self.safe.three(black_box(&self.source), black_box(&mut *target), black_box(3));
                    call.launch_blocks(black_box(1), &self.stream).unwrap();
                }
            }),
        });
        borrowed.push(Way {
            library: RT,
            run: Box::new(move |rounds| {
                let target = &mut *self.target.lock().unwrap();
                for _ in 0..rounds {
                    let call = self.declared.borrowed(
                        black_box(&self.source),
                        black_box(&mut *target),
                        black_box(3),
                    );
                    // SAFETY: the kernel does nothing.
                    unsafe { call.launch(black_box(config), &self.stream) }.unwrap();
                }
            }),
        });
        by_address.push(Way {
            library: RT,
            run: rounds(move || {
                // SAFETY: the kernel does nothing.
                unsafe { checked.launch(black_box(config), &self.stream, (at(), at(), black_box(3))) }
                    .unwrap();
            }),
        });
        let by_owner_launch = self.three.with(config).access_check(AccessCheck::Checked);
        by_owner.push(Way {
            library: RT,
            run: rounds(move || {
                let args = (Arg(at(), &self.source), Arg(at(), &self.source), black_box(3));
                // SAFETY: the kernel does nothing.
                unsafe { by_owner_launch.launch(&self.stream, args) }.unwrap();
            }),
        });

        let mut launch_16 = Vec::from(raw!(driver, cuLaunchKernel => {
            let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
            let mut args = self::sixteen();
            let mut args = addresses!(args: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            let args = args.as_mut_ptr();
            // SAFETY: the kernel does nothing, with arguments of these sizes.
            ok(unsafe { cuLaunchKernel(sixteen, x, y, z, a, b, c, shared_bytes, stream, args, null) });
        }));
        launch_16.push(Way {
            library: RT,
            run: rounds(move || {
                // SAFETY: the kernel does nothing.
                unsafe { self.sixteen.launch(black_box(config), &self.stream, self::sixteen()) }.unwrap();
            }),
        });

        let mut elsewhere =
            Vec::from(raw!(driver, cuCtxPushCurrent_v2 cuLaunchKernel cuCtxPopCurrent_v2 => {
                let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
                let mut args: Three = (pointer(1), pointer(2), black_box(3));
                let mut args = addresses!(args: 0 1 2);
                let args = args.as_mut_ptr();
                let mut popped = null_mut();
                // SAFETY: the context is live.
                ok(unsafe { cuCtxPushCurrent_v2(context) });
                // SAFETY: the kernel does nothing, with arguments of these sizes.
                ok(unsafe { cuLaunchKernel(three, x, y, z, a, b, c, shared_bytes, stream, args, null) });
                // SAFETY: `popped` is valid for a write.
                ok(unsafe { cuCtxPopCurrent_v2(&raw mut popped) });
            }));
        elsewhere.push(Way {
            library: RT,
            run: rounds(move || {
                let args = (pointer(1), pointer(2), black_box(3));
                // SAFETY: the kernel does nothing.
                unsafe { self.three.launch(black_box(config), &self.stream, args) }.unwrap();
            }),
        });
        let mut promised = Vec::from(raw!(driver, cuLaunchKernel => {
            let LaunchConfig { grid: [x, y, z], block: [a, b, c], shared_bytes } = black_box(config);
            let mut args: Three = (pointer(1), pointer(2), black_box(3));
            let mut args = addresses!(args: 0 1 2);
            let args = args.as_mut_ptr();
            // SAFETY: the kernel does nothing, with arguments of these sizes.
            ok(unsafe { cuLaunchKernel(three, x, y, z, a, b, c, shared_bytes, stream, args, null) });
        }));
        let run = move || {
            let args = (pointer(1), pointer(2), black_box(3));
            // SAFETY: the kernel does nothing.
            unsafe { self.three.launch(black_box(config), &self.stream, args) }.unwrap();
        };
        promised.push(Way { library: RT, run: self.promised(run) });
        // No context is current while these run.
        for way in &mut elsewhere {
            let run = core::mem::replace(&mut way.run, Box::new(|_| {}));
            way.run = self.outside(run);
        }
        [
            (LAUNCH_3, launch_3),
            (LAUNCH_16, launch_16),
            (DECLARED, vec![raw_declared, sys_declared, declared]),
            (BORROWED, borrowed),
            (SAFE, safe),
            (ELSEWHERE, elsewhere),
            (CHECKED, by_address),
            (OWNERS, by_owner),
            (PROMISED_LAUNCH, promised),
        ]
        .map(|(name, ways)| Operation { name, real_rounds: 20, ways })
        .into()
    }

    /// So many times, with the promise that the context is current.
    fn promised<'a>(&'a self, mut again: impl FnMut() + 'a) -> Rounds<'a> {
        Box::new(move |rounds| {
            // SAFETY: the context stays current until the guard is dropped, at the end of this function.
            let _promise = unsafe { self.context.promise_current() }.unwrap();
            (0..rounds).for_each(|_| again());
        })
    }

    /// The same while no context is current.
    fn outside<'a>(&'a self, mut run: Rounds<'a>) -> Rounds<'a> {
        Box::new(move |rounds| {
            // SAFETY: nothing is to be current.
            ok(unsafe { cuCtxSetCurrent(null_mut()) });
            run(rounds);
            self.context.set_current().unwrap();
        })
    }

    /// An executable graph of one kernel that does nothing, launched on this stream the last time.
    fn program(&self, stream: &Stream) -> GraphExec {
        let mut graph = Graph::new(&self.context).unwrap();
        let args = (pointer(1), pointer(2), 3);
        // SAFETY: the kernel does nothing.
        unsafe { graph.kernel(&[], &self.three, LaunchConfig::new(1, 32), args) }.unwrap();
        let mut program = graph.instantiate(InstantiateOptions::new()).unwrap();
        program.launch(stream).unwrap();
        program
    }

    pub(crate) fn graphs(&self) -> Vec<Operation<'_>> {
        let (driver, stream) = (self.driver, self.raw_stream.as_raw());
        let (mut raw, mut own) = (self.program(&self.raw_stream), self.program(&self.stream));
        let program = raw.as_raw();
        let mut launch = Vec::from(raw!(driver, cuGraphLaunch => {
            // SAFETY: both are live, and no other thread uses the executable graph.
            ok(unsafe { cuGraphLaunch(program, stream) });
        }));
        launch.push(Way {
            library: RT,
            run: rounds(move || {
                // The raw calls use it as long as there are operations.
                let _kept = &raw;
                own.launch(&self.stream).unwrap();
            }),
        });
        vec![Operation { name: GRAPH, real_rounds: 20, ways: launch }]
    }

    pub(crate) fn memory(&self) -> Vec<Operation<'_>> {
        let (driver, stream) = (self.driver, self.raw_stream.as_raw());
        let mut alloc = Vec::from(raw!(driver, cuMemAllocAsync cuMemFreeAsync => {
            let mut address = 0;
            // SAFETY: `address` is valid for a write, the stream is live.
            ok(unsafe { cuMemAllocAsync(&raw mut address, BYTES, stream) });
            // SAFETY: it was allocated just now.
            ok(unsafe { cuMemFreeAsync(black_box(address), stream) });
        }));
        alloc.push(Way {
            library: RT,
            run: rounds(move || drop(black_box(DeviceBuf::<u8>::uninit(&self.stream, BYTES).unwrap()))),
        });
        alloc.push(Way {
            library: "cuda-rt, CachingPool",
            run: rounds(move || {
                drop(black_box(DeviceBuf::<u8>::uninit_in(&self.stream, BYTES, &self.pool).unwrap()));
            }),
        });

        let mut promised = Vec::from(raw!(driver, cuMemAllocAsync cuMemFreeAsync => {
            let mut address = 0;
            // SAFETY: `address` is valid for a write, the stream is live.
            ok(unsafe { cuMemAllocAsync(&raw mut address, BYTES, stream) });
            // SAFETY: it was allocated just now.
            ok(unsafe { cuMemFreeAsync(black_box(address), stream) });
        }));
        let run = move || drop(black_box(DeviceBuf::<u8>::uninit(&self.stream, BYTES).unwrap()));
        promised.push(Way { library: RT, run: self.promised(run) });

        let mut device = DeviceBuf::<u8>::zeroed(&self.stream, BYTES).unwrap();
        let (source, at) = (self.source.ptr().as_raw(), device.ptr().as_raw());
        let to_device = {
            let host = vec![1_u8; BYTES];
            let from = host.as_ptr();
            let raw = raw!(driver, cuMemcpyHtoDAsync_v2 cuStreamSynchronize => {
                // SAFETY: both are of this size, and live until the copy has ended.
                ok(unsafe { cuMemcpyHtoDAsync_v2(at, from.cast(), BYTES, stream) });
                // SAFETY: the stream is live.
                ok(unsafe { cuStreamSynchronize(stream) });
            });
            let rt = Way { library: RT, run: rounds(move || device.copy_from_host(&host).unwrap()) };
            raw.into_iter().chain([rt]).collect()
        };
        let mut from_device = Vec::new();
        {
            // Theirs until the end of the process, since they only have its address.
            let to = vec![1_u8; BYTES].leak().as_mut_ptr();
            let mut host = vec![1_u8; BYTES];
            from_device.extend(raw!(driver, cuMemcpyDtoHAsync_v2 cuStreamSynchronize => {
                // SAFETY: both are of this size, and live until the copy has ended.
                ok(unsafe { cuMemcpyDtoHAsync_v2(to.cast(), source, BYTES, stream) });
                // SAFETY: the stream is live.
                ok(unsafe { cuStreamSynchronize(stream) });
            }));
            let rt = move || self.source.copy_to_host(&mut host).unwrap();
            from_device.push(Way { library: RT, run: rounds(rt) });
        }
        let mut on_device = Vec::new();
        {
            let mut device = DeviceBuf::<u8>::zeroed(&self.stream, BYTES).unwrap();
            let at = device.ptr().as_raw();
            on_device.extend(raw!(driver, cuMemcpyDtoDAsync_v2 => {
                // SAFETY: both are of this size, and live on the stream.
                ok(unsafe { cuMemcpyDtoDAsync_v2(at, source, BYTES, stream) });
            }));
            let rt = move || device.copy_from_device(self.source.as_slice()).unwrap();
            on_device.push(Way { library: RT, run: rounds(rt) });
        }
        [
            (ALLOC, 50, alloc),
            (PROMISED_ALLOC, 50, promised),
            (TO_DEVICE, 20, to_device),
            (FROM_DEVICE, 20, from_device),
            (ON_DEVICE, 20, on_device),
        ]
        .map(|(name, real_rounds, ways)| Operation { name, real_rounds, ways })
        .into()
    }

    pub(crate) fn streams(&self) -> Vec<Operation<'_>> {
        let (driver, stream, event) = (self.driver, self.raw_stream.as_raw(), self.event.as_raw());
        let mut record = Vec::from(raw!(driver, cuEventRecord => {
            // SAFETY: both are live.
            ok(unsafe { cuEventRecord(event, stream) });
        }));
        record.push(Way {
            library: RT,
            run: rounds(move || {
                self.event.record(&self.stream).unwrap();
            }),
        });
        let mut query = Vec::from(raw!(driver, cuStreamQuery => {
            // SAFETY: the stream is live.
            ok(unsafe { cuStreamQuery(stream) });
        }));
        query.push(Way {
            library: RT,
            run: rounds(move || {
                black_box(self.stream.is_done().unwrap());
            }),
        });
        let other = Stream::new(&self.context).unwrap();
        let mut fence =
            Vec::from(raw!(driver, cuEventCreate cuEventRecord cuStreamWaitEvent cuEventDestroy_v2 => {
                let mut event = null_mut();
                // SAFETY: `event` is valid for a write.
                ok(unsafe { cuEventCreate(&raw mut event, CUevent_flags_enum::CU_EVENT_DISABLE_TIMING.0) });
                // SAFETY: both are live.
                ok(unsafe { cuEventRecord(event, stream) });
                // SAFETY: both are live.
                ok(unsafe { cuStreamWaitEvent(stream, event, 0) });
                // SAFETY: it was made above.
                ok(unsafe { cuEventDestroy_v2(event) });
            }));
        fence.push(Way {
            library: RT,
            run: rounds(move || {
                let event = Event::with_flags(&self.context, EventFlags::DISABLE_TIMING).unwrap();
                other.wait_event(event.record(&self.stream).unwrap()).unwrap();
            }),
        });
        [(RECORD, record), (FENCE, fence), (QUERY, query)]
            .map(|(name, ways)| Operation { name, real_rounds: 50, ways })
            .into()
    }

    /// All operations.
    pub(crate) fn operations(&self) -> Vec<Operation<'_>> {
        [self.launches(), self.graphs(), self.memory(), self.streams(), self.calls()]
            .into_iter()
            .flatten()
            .collect()
    }
}

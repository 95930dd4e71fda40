//! Programs that launch kernels.

use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::event::EventFlags;
use cuda_rt::launch::{In, InOut, LaunchAttributes, Out, PackedArgs};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, Event, Kernel, LaunchConfig, Module, PinnedBuf, Stream};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("launches by address and in one piece", raw),
    plain("launches with attributes", attributes),
    plain("launches whose time is taken", timed),
    plain("calls with host memory", calls),
    Scenario { ends_process: true, ..plain("calls with page-locked memory", page_locked) },
    plain("declared kernels", declared),
    Scenario { retires: true, ..plain("kernels with borrowed memory", borrowed) },
];

/// Adds its last argument to the element that the second one points to, and writes that where the first one points to.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry add(.param .u64 to, .param .u64 from, .param .u32 more) {
    .reg .b64 %to, %from; .reg .b32 %value, %more;
    ld.param.u64 %to, [to]; ld.param.u64 %from, [from]; ld.param.u32 %more, [more];
    ld.global.u32 %value, [%from]; add.u32 %value, %value, %more; st.global.u32 [%to], %value; ret; }";

type Add = (DevicePtr<u32>, DevicePtr<u32>, u32);

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

fn add(context: &Context) -> Result<Kernel<Add>, Error> {
    let function = Module::from_ptx(context, PTX)?.function("add")?;
    // SAFETY: these are the kernel's parameters.
    Ok(unsafe { function.typed_unchecked() })
}

cuda_rt::kernels! {
    struct Declared from ptx(".version 6.4 .target sm_50 .address_size 64
        .const .align 4 .u32 more = 5;
        .visible .entry add(.param .u64 to, .param .u64 from) {
        .reg .b64 %to, %from; .reg .b32 %value, %more;
        ld.param.u64 %to, [to]; ld.param.u64 %from, [from]; ld.const.u32 %more, [more];
        ld.global.u32 %value, [%from]; add.u32 %value, %value, %more; st.global.u32 [%to], %value; ret; }");
    extern {
        fn add(to: &mut [u32], from: &[u32]);
        #[name = "add"]
        #[block(1)]
        fn add_in_blocks(to: &mut [u32], from: &[u32]);
        static more: u32;
    }
}

fn declared() -> Done {
    let stream = Stream::new(&own()?)?;
    let kernels = Declared::load(stream.context())?;
    let from = DeviceBuf::from_host(&stream, &[1_u32])?;
    let mut to = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    // SAFETY: one thread uses one element of each.
    unsafe { kernels.add(&mut to, &from).launch(ONE, &stream) }?;
    assert_eq!(to.to_vec()?, [6]);
    kernels.more.copy_from_host(&stream, &[7])?;
    // SAFETY: as above.
    unsafe { kernels.add_in_blocks(&mut to, &from).launch_for(1, &stream) }?;
    assert_eq!(to.to_vec()?, [8]);
    Ok(())
}

/// Memory of two other streams, one of another context.
fn borrowed() -> Done {
    let context = Context::primary(device()?)?;
    let (home, stream, other) = (Stream::new(&context)?, Stream::new(&context)?, Stream::new(&own()?)?);
    let kernels = Declared::load(&context)?;
    let from = DeviceBuf::from_host(&other, &[1_u32])?;
    let mut to = DeviceBuf::<u32>::zeroed(&home, 1)?;
    // SAFETY: one thread uses one element of each.
    unsafe { kernels.add(&mut to, &from).launch(ONE, &stream) }?;
    drop(from);
    assert_eq!(to.to_vec()?, [6]);
    Ok(())
}

fn raw() -> Done {
    let stream = Stream::new(&own()?)?;
    let add = add(stream.context())?;
    let numbers = DeviceBuf::from_host(&stream, &[1_u32, 10])?;
    let (mut to, mut from, mut more) = (numbers.ptr(), numbers.ptr().add(1), 5_u32);
    let mut list = [(&raw mut to).cast(), (&raw mut from).cast(), (&raw mut more).cast()];
    // SAFETY: the arguments are those of the kernel, which uses two elements on their own stream.
    unsafe { add.function().launch_raw(ONE, &stream, list.as_mut_ptr()) }?;
    let mut arguments = PackedArgs::new();
    arguments.push(numbers.ptr().add(1));
    arguments.push(numbers.ptr());
    arguments.push_bytes(&100_u32.to_ne_bytes(), 4)?;
    arguments.check(add.function())?;
    // SAFETY: as above.
    unsafe { add.function().with(ONE).launch(&stream, &arguments) }?;
    assert_eq!(numbers.to_vec()?, [15, 115]);
    // SAFETY: as above.
    unsafe { add.function().with(ONE).cooperative().launch(&stream, &arguments) }?;
    assert_eq!(numbers.to_vec()?, [15, 115]);
    Ok(())
}

fn attributes() -> Done {
    let stream = Stream::new(&own()?)?;
    let add = add(stream.context())?;
    let numbers = DeviceBuf::from_host(&stream, &[1_u32])?;
    let args = (numbers.ptr(), numbers.ptr(), 1);
    let begun = Event::with_flags(stream.context(), EventFlags::DISABLE_TIMING)?;
    let attributes = LaunchAttributes::new().priority(-1).launch_completion_event(&begun);
    // SAFETY: one thread changes one element, on its own stream.
    unsafe { add.with(ONE).attributes(&attributes).launch(&stream, args) }?;
    begun.synchronize()?;
    // SAFETY: as above.
    unsafe { add.with(ONE).attributes(&LaunchAttributes::new()).launch(&stream, args) }?;
    // SAFETY: as above.
    unsafe { add.with(ONE).cooperative().launch(&stream, args) }?;
    // SAFETY: as above.
    unsafe {
        add.with(ONE).attributes(&LaunchAttributes::new().priority(0)).cooperative().launch(&stream, args)
    }?;
    assert_eq!(numbers.to_vec()?, [5]);
    Ok(())
}

fn timed() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let add = add(stream.context())?.with(ONE);
    let numbers = DeviceBuf::from_host(&stream, &[1_u32])?;
    let args = (numbers.ptr(), numbers.ptr(), 1);
    // SAFETY: one thread changes one element, on its own stream.
    let first = unsafe { add.timed(&stream, args) }?;
    // SAFETY: as above.
    drop(unsafe { add.timed(&stream, args) }?);
    first.is_done()?;
    first.wait()?;
    // SAFETY: as above.
    unsafe { add.launch(&stream, args) }?;
    assert_eq!(numbers.to_vec()?, [4]);
    let mut to = [0_u32];
    // SAFETY: one element of each is used.
    unsafe { add.timed(&stream, (Out(&mut to), In(&[10]), 1_u32)) }?.wait()?;
    assert_eq!(to, [11]);
    Ok(())
}

fn calls() -> Done {
    let stream = Stream::new(&own()?)?;
    let add = add(stream.context())?;
    let (mut to, from) = ([0_u32], [10]);
    // SAFETY: one element of each is used.
    unsafe { add.with(ONE).launch(&stream, (Out(&mut to), In(&from), 1_u32)) }?;
    assert_eq!(to, [11]);
    let kept = DeviceBuf::from_host(&stream, &[100_u32])?;
    // SAFETY: as above.
    unsafe { add.with(ONE).launch(&stream, (kept.ptr(), InOut(&mut to), 1_u32)) }?;
    assert_eq!((to, kept.to_vec()?), ([11], vec![12]));
    Ok(())
}

fn page_locked() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let add = add(&context)?;
    let mut to = PinnedBuf::<u32>::zeroed(&context, 1)?;
    let from = PinnedBuf::from_slice(&context, &[10_u32])?;
    // SAFETY: one element of each is used.
    unsafe { add.with(ONE).launch(&stream, (Out(&mut to), In(&from), 1_u32)) }?;
    assert_eq!(to[..], [11]);
    Ok(())
}

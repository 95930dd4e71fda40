//! The same races through `cuda-rt`: kernels on another stream than the home stream of their buffers, and host memory in
//! unchecked copies.

use crate::{Variant, check_race};
use cuda_rt::{
    Context, Device, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, PinnedBuf, Result, Stream,
};

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b64 %o; .reg .b32 %i; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from];
        mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; add.u64 %b, %b, %o;
        ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }";

/// Elements of each buffer.
const LEN: usize = 64;

/// Two streams, a buffer of zeros on each, and a kernel that copies between them.
struct Setting {
    context: Context,
    first: Stream,
    second: Stream,
    memory: DeviceBuf<u32>,
    out: DeviceBuf<u32>,
    copy: Kernel<(DevicePtr<u32>, DevicePtr<u32>)>,
    variant: Variant,
}

impl Setting {
    fn new(variant: Variant) -> Result<Setting> {
        let context = Context::primary(Device::get(0)?)?;
        let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
        let memory = DeviceBuf::zeroed(&first, LEN)?;
        let out = DeviceBuf::zeroed(&second, LEN)?;
        let copy = Module::from_ptx(&context, PTX)?.function("copy")?.typed()?;
        context.synchronize()?;
        Ok(Setting { context, first, second, memory, out, copy, variant })
    }

    /// Makes calls that change nothing.
    fn call_others(&self) -> Result<()> {
        if self.variant.calls {
            let event = Event::new(&self.context)?;
            self.first.is_done()?;
            self.context.memory_info()?;
            event.is_done()?;
            self.first.priority()?;
            self.context.stream_priority_range()?;
        }
        Ok(())
    }

    /// Has the second stream wait for the first, or not.
    fn join(&self) -> Result<()> {
        self.call_others()?;
        if self.variant.waits {
            self.second.wait_event(Event::new(&self.context)?.record(&self.first)?)?;
        }
        Ok(())
    }

    /// Waits for the first stream, or not.
    fn wait(&self) -> Result<()> {
        self.call_others()?;
        if self.variant.waits {
            self.first.synchronize()?;
        }
        Ok(())
    }

    /// Copies the one buffer to the other on a stream.
    fn launch_on(&self, stream: &Stream) -> Result<()> {
        let args = (self.out.ptr(), self.memory.ptr());
        // SAFETY: as many threads as there are elements. That streams are not always waited for is what this is about: no
        // value of a `u32` is invalid.
        unsafe { self.copy.launch(LaunchConfig::new(1, LEN as u32), stream, args) }
    }
}

fn holds(elements: &[u32], value: u32) -> bool {
    elements.iter().all(|element| *element == value)
}

fn copy_and_kernel(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    let host = PinnedBuf::from_slice(&at.context, &[7; LEN])?;
    let pending = at.memory.copy_from_pinned(host).map_err(|error| error.into_parts().0)?;
    at.join()?;
    at.launch_on(&at.second)?;
    let result = at.out.to_vec()?;
    drop(pending);
    Ok(holds(&result, 7))
}

fn kernel_and_copy(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    at.memory.as_slice_mut().fill(7)?;
    at.first.synchronize()?;
    at.launch_on(&at.first)?;
    at.join()?;
    Ok(holds(&at.out.to_vec()?, 7))
}

fn host_reads(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    at.memory.as_slice_mut().fill(7)?;
    at.first.synchronize()?;
    let mut host = PinnedBuf::zeroed(&at.context, LEN)?;
    // SAFETY: it is freed when the context's work is done, and this thread does the driver's work in its own calls. That it
    // may be read too early is what this is about.
    unsafe { at.memory.as_slice().copy_to_host_unchecked(&mut host) }?;
    at.wait()?;
    // SAFETY: the buffer's own first element.
    Ok(unsafe { host.as_ptr().read_volatile() } == 7)
}

fn host_overwrites(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    let mut host = PinnedBuf::from_slice(&at.context, &[7; LEN])?;
    // SAFETY: as in `host_reads`; it may be written to too early.
    unsafe { at.memory.as_slice_mut().copy_from_host_unchecked(&host) }?;
    at.wait()?;
    // SAFETY: the buffer's own first element.
    unsafe { host.as_mut_ptr().write_volatile(8) };
    at.first.synchronize()?;
    Ok(holds(&at.memory.to_vec()?, 7))
}

fn fill_and_kernel(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    at.memory.as_slice_mut().fill(7)?;
    at.join()?;
    at.launch_on(&at.second)?;
    Ok(holds(&at.out.to_vec()?, 7))
}

fn kernel_and_fill(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    // The buffer is at home on the second stream, and the kernel runs on the first.
    at.memory.as_slice_mut().fill(7)?;
    at.memory.move_to(&at.second)?;
    at.context.synchronize()?;
    at.launch_on(&at.first)?;
    at.join()?;
    at.memory.as_slice_mut().fill(9)?;
    at.first.synchronize()?;
    Ok(holds(&at.out.to_vec()?, 7))
}

/// Launches on the second stream with memory of the first: borrowed, which orders both streams, or by its address.
fn launch_with_memory(at: &mut Setting) -> Result<()> {
    if at.variant.waits {
        let copy = at.copy.with(LaunchConfig::new(1, LEN as u32));
        // SAFETY: as many threads as there are elements.
        unsafe { copy.launch(&at.second, (&mut at.out, &at.memory)) }
    } else {
        at.launch_on(&at.second)
    }
}

fn fill_and_borrow(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    at.memory.as_slice_mut().fill(7)?;
    at.call_others()?;
    launch_with_memory(&mut at)?;
    Ok(holds(&at.out.to_vec()?, 7))
}

fn borrow_and_fill(variant: Variant) -> Result<bool> {
    let mut at = Setting::new(variant)?;
    at.memory.as_slice_mut().fill(7)?;
    at.context.synchronize()?;
    launch_with_memory(&mut at)?;
    at.call_others()?;
    at.memory.as_slice_mut().fill(9)?;
    at.first.synchronize()?;
    Ok(holds(&at.out.to_vec()?, 7))
}

/// The name of a program, and the program, which returns whether its result is right.
type Program = (&'static str, fn(Variant) -> Result<bool>);

/// The programs, for exploration.
pub(crate) const PROGRAMS: [Program; 8] = [
    ("copy then kernel", copy_and_kernel),
    ("kernel then copy", kernel_and_copy),
    ("host reads too early", host_reads),
    ("host overwrites too early", host_overwrites),
    ("fill seen too late", fill_and_kernel),
    ("fill too early", kernel_and_fill),
    ("fill, then borrowed or not", fill_and_borrow),
    ("borrowed or not, then fill", borrow_and_fill),
];

#[test]
fn borrowed_memory_is_used_after_its_home_stream() {
    check_race("fill, then borrowed or not", true, |variant| fill_and_borrow(variant).unwrap());
}

#[test]
fn home_stream_goes_on_after_borrowing_kernel() {
    check_race("borrowed or not, then fill", true, |variant| borrow_and_fill(variant).unwrap());
}

#[test]
fn copy_then_kernel_on_another_stream_is_found() {
    check_race("copy then kernel", true, |variant| copy_and_kernel(variant).unwrap());
}

#[test]
fn kernel_then_copy_on_another_stream_is_found() {
    check_race("kernel then copy", true, |variant| kernel_and_copy(variant).unwrap());
}

#[test]
fn host_memory_read_too_early_is_found() {
    check_race("host reads too early", true, |variant| host_reads(variant).unwrap());
}

#[test]
fn host_memory_overwritten_too_early_is_found() {
    check_race("host overwrites too early", true, |variant| host_overwrites(variant).unwrap());
}

#[test]
fn fill_seen_too_late_is_found() {
    check_race("fill seen too late", true, |variant| fill_and_kernel(variant).unwrap());
}

/// The program waits for the stream of the kernel first.
#[test]
fn fill_done_too_early_is_found() {
    check_race("fill too early", false, |variant| kernel_and_fill(variant).unwrap());
}

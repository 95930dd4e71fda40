//! Reports of memory of launches that could not be verified.

use super::*;
use crate::rows::unknown;
use cuda_rt::access::{AccessCheck, AccessError, set_unverified_hook};
use cuda_rt::launch::Arg;
use std::cell::{Cell, RefCell};
use std::sync::Once;

thread_local! {
    static HOOK: RefCell<Option<fn(&AccessError)>> = const { RefCell::new(None) };
    static TOLD: RefCell<Vec<AccessError>> = const { RefCell::new(Vec::new()) };
}

/// The hook of the process, which calls the hook of the thread. It runs on the thread that launches.
fn dispatch(warning: &AccessError) {
    if let Some(hook) = HOOK.with_borrow(|hook| *hook) {
        hook(warning);
    }
}

/// Lets the hook report the memory that launches of this thread cannot verify.
pub(super) fn with_reports<R>(hook: fn(&AccessError), work: impl FnOnce() -> R) -> R {
    static SET: Once = Once::new();
    SET.call_once(|| {
        set_unverified_hook(dispatch);
    });
    let before = HOOK.replace(Some(hook));
    let result = work();
    HOOK.set(before);
    result
}

fn note(warning: &AccessError) {
    TOLD.with_borrow_mut(|told| told.push(warning.clone()));
}

/// Returns the number of reports.
pub(super) fn told(work: impl FnOnce()) -> usize {
    with_reports(note, work);
    TOLD.take().len()
}

type Pointers = (DevicePtr<u32>, DevicePtr<u32>);

const ONE: LaunchConfig = LaunchConfig { grid: [1; 3], block: [1; 3], shared_bytes: 0 };
const NOWHERE: DevicePtr<u32> = DevicePtr::from_raw(0x10);

/// A kernel that marks its first argument. Each has a name of its own, because the hook runs once for each name.
struct Marker {
    stream: Stream,
    to: DeviceBuf<u32>,
    kernel: Kernel<Pointers>,
}

impl Marker {
    fn new(context: &Context, name: &str) -> Marker {
        let module = Module::from_ptx(context, PTX.replace(" mark(", &format!(" {name}("))).unwrap();
        let kernel = module.function(name).unwrap().typed().unwrap();
        let kernel = kernel.with_access_check(AccessCheck::Checked);
        Marker { stream: Stream::new(context).unwrap(), to: plain(context), kernel }
    }

    fn launch(&self, other: DevicePtr<u32>) -> cuda_rt::Result<()> {
        // SAFETY: the kernel writes a word of a live buffer.
        unsafe { self.kernel.launch(ONE, &self.stream, (self.to.ptr(), other)) }
    }

    fn launch_with(&self, first: &dyn Memory, other: &dyn Memory) -> cuda_rt::Result<()> {
        let args = (Arg(self.to.ptr(), first), Arg(DevicePtr::null(), other));
        // SAFETY: the kernel writes a word of a live buffer.
        unsafe { self.kernel.with(ONE).access_check(AccessCheck::Checked).launch(&self.stream, args) }
    }

    fn has_run(&self) -> bool {
        self.stream.synchronize().unwrap();
        self.to.to_vec().unwrap()[0] == 1
    }
}

#[test]
fn each_kernel_is_reported_once() {
    let two = Two::alike();
    let marker = Marker::new(&two.near, "told_once");
    with_reports(note, || marker.launch(NOWHERE).unwrap());
    assert!(marker.has_run(), "the launch goes on");
    let warnings = TOLD.take();
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert_eq!(
        warning.to_string(),
        "launching `told_once`: parameter 1 (the second, `DevicePtr<u32>`): memory that the driver does not know \
         cannot be verified to be within reach of kernels on device 0: hand over its owner \
         (`launch::Arg`) or copy it to device 0; `AccessCheck::Relaxed` does not check"
    );
    assert_eq!((warning.access, warning.check), (Access::Unverified, AccessCheck::Checked));
    assert_eq!((warning.location, warning.launch), (None, device(0)));

    let (near, far) = (&two.near, &two.far);
    let own = &marker.to;
    let elsewhere = Marker::new(far, "told_once");
    assert_eq!(told(|| marker.launch(NOWHERE).unwrap()), 0, "again");
    assert_eq!(told(|| marker.launch(DevicePtr::from_raw(0x18)).unwrap()), 0, "another address");
    let again = Marker::new(&super::own(0), "told_once");
    assert_eq!(
        told(|| again.launch(NOWHERE).unwrap()),
        0,
        "another context of the device, and another module"
    );
    assert_eq!(told(|| elsewhere.launch(NOWHERE).unwrap()), 1, "another device");
    assert_eq!(told(|| Marker::new(near, "told_twice").launch(NOWHERE).unwrap()), 1, "another kernel");
    assert_eq!(told(|| marker.launch_with(own, &unknown(far)).unwrap()), 1, "another owner");
    assert_eq!(told(|| marker.launch_with(own, &unknown(far)).unwrap()), 0);
    assert_eq!(told(|| marker.launch_with(&unknown(far), &unknown(far)).unwrap()), 1, "another parameter");
    for stream in [&marker, &again, &elsewhere] {
        assert!(stream.has_run());
    }
}

#[test]
fn other_modes_and_refused_launches_report_nothing() {
    let two = Two::alike();
    let (marker, far) = (Marker::new(&two.near, "not_told"), plain(&two.far));
    let with = |check, args: Pointers| {
        // SAFETY: the kernel writes a word of a live buffer.
        unsafe { marker.kernel.with(ONE).access_check(check).launch(&marker.stream, args) }
    };
    let args = (marker.to.ptr(), NOWHERE);
    assert_eq!(told(|| with(AccessCheck::Relaxed, args).unwrap()), 0);
    assert_eq!(told(|| assert!(with(AccessCheck::Strict, args).is_err())), 0);
    assert_eq!(told(|| assert!(with(AccessCheck::Checked, (NOWHERE, far.ptr())).is_err())), 0);
    assert_eq!(told(|| assert!(with(AccessCheck::Checked, (far.ptr(), NOWHERE)).is_err())), 0);
    // So everything is still to be reported.
    assert_eq!(told(|| with(AccessCheck::Checked, args).unwrap()), 1);
    two.near.synchronize().unwrap();
}

#[test]
fn one_launch_reports_several_parameters() {
    let two = Two::alike();
    let marker = Marker::new(&two.near, "several");
    let launch = || marker.launch_with(&(unknown(&two.far), unknown(&two.far)), &unknown(&two.far)).unwrap();
    assert_eq!(told(launch), 2, "of each parameter one");
    assert!(marker.has_run());
}

#[test]
fn a_hook_may_panic() {
    /// A value that also panics when it is dropped.
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a bomb was dropped");
        }
    }
    let two = Two::alike();
    let marker = Marker::new(&two.near, "panics");
    with_reports(|_| std::panic::resume_unwind(Box::new(Bomb)), || marker.launch(NOWHERE).unwrap());
    assert!(marker.has_run());
    assert_eq!(told(|| marker.launch(NOWHERE).unwrap()), 0, "it was told");
    assert_eq!(told(|| marker.launch_with(&unknown(&two.far), &marker.to).unwrap()), 1, "nothing is stuck");
}

/// No lock is held meanwhile.
#[test]
fn a_hook_may_do_anything() {
    thread_local!(static DEPTH: Cell<u32> = const { Cell::new(0) });
    fn hook(warning: &AccessError) {
        DEPTH.set(DEPTH.get() + 1);
        note(warning);
        let (near, far) = (own(0), own(1));
        // The hook has run for this kernel, and has not run for the other one.
        let marker = Marker::new(&near, "does_anything");
        marker.launch(NOWHERE).unwrap();
        assert!(marker.has_run());
        let other = Marker::new(&near, "does_anything_else");
        other.launch(NOWHERE).unwrap();
        assert!(other.has_run());
        // These calls lock the record of access.
        assert!(near.enable_peer_access(&far).unwrap().changed);
        assert_eq!(look(&near, &plain(&far)), Access::Accessible);
        assert!(near.disable_peer_access(&far).unwrap());
        // In a function of its own.
        set_unverified_hook(|_| {}).restore();
    }
    let two = Two::alike();
    let marker = Marker::new(&two.near, "does_anything");
    let _access = two.near.peer_access(&two.far).unwrap();
    with_reports(hook, || marker.launch(NOWHERE).unwrap());
    assert!(marker.has_run());
    let kernels: Vec<_> = TOLD.take().into_iter().map(|warning| warning.kernel).collect();
    assert_eq!(kernels, ["does_anything".into(), "does_anything_else".into()]);
    assert_eq!(DEPTH.get(), 2);
}

#[test]
fn threads_share_the_report_of_a_kernel() {
    let two = Two::alike();
    let count: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let _entered = two.machine.enter();
                    let marker = Marker::new(&two.near, "many_threads");
                    let count = told(|| (0..20).for_each(|_| marker.launch(NOWHERE).unwrap()));
                    assert!(marker.has_run());
                    count
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(count, 1);
}

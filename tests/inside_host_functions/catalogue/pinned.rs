//! Page-locked and registered host memory.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::completion::WakeBy;
use cuda_rt::memory::{
    AlignedBuf, PendingCopy, PinnedFlags, RegisterFlags, RegisteredBuf, register_scoped,
    register_shared_scoped,
};
use cuda_rt::{DeviceBuf, PinnedBuf};
use std::future::{Future, IntoFuture};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

fn pinned(world: &World) -> PinnedBuf<u32> {
    PinnedBuf::from_slice(&world.context, &NUMBERS).unwrap()
}

fn pooled(world: &World) -> PinnedBuf<u32> {
    PinnedBuf::from_slice_in(&world.pinned, &NUMBERS).unwrap()
}

fn holds(buffer: &mut PinnedBuf<u32>, world: &World) {
    assert_eq!((buffer.context(), &buffer[..]), (&world.context, &NUMBERS[..]));
    buffer.device_ptr().unwrap();
}

fn registered(world: &World) -> RegisteredBuf<Vec<u32>> {
    RegisteredBuf::new(&world.context, NUMBERS.repeat(2000), RegisterFlags::DEVICEMAP).unwrap()
}

fn is_registered(memory: &mut RegisteredBuf<Vec<u32>>, _: &World) {
    assert_eq!(memory[..4], NUMBERS);
    memory.device_ptr().unwrap();
}

/// Element with a destructor.
struct Element(u32);

impl Drop for Element {
    fn drop(&mut self) {
        self.0 = 0;
    }
}

fn registered_elements(world: &World) -> RegisteredBuf<Vec<Element>> {
    let elements = (0..2000).map(Element).collect();
    RegisteredBuf::new(&world.context, elements, RegisterFlags::empty()).unwrap()
}

fn vector(_: &World) -> Option<Vec<u32>> {
    Some(NUMBERS.repeat(2000))
}

fn is_back(vector: &mut Option<Vec<u32>>, _: &World) {
    assert_eq!(vector.as_ref().expect("the refused call returned the vector")[..4], NUMBERS);
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn pending(world: &World) -> PendingCopy<PinnedBuf<u32>> {
    world.buffer.copy_to_pinned(PinnedBuf::zeroed(&world.context, 4).unwrap()).unwrap()
}

fn works(pending: &mut PendingCopy<PinnedBuf<u32>>, world: &World) {
    world.settle();
    assert!(pending.is_done().unwrap());
}

/// Returns a pending copy of no bytes.
fn pending_nothing(world: &World) -> PendingCopy<PinnedBuf<u32>> {
    let none = DeviceBuf::<u32>::zeroed(&world.stream, 0).unwrap();
    none.copy_to_pinned(PinnedBuf::zeroed(&world.context, 0).unwrap()).unwrap()
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("PinnedBuf::zeroed", |_, w| PinnedBuf::<u32>::zeroed(&w.context, 4))
        .refuses("PinnedBuf::with_flags", |_, w| {
            PinnedBuf::<u32>::with_flags(&w.context, 4, PinnedFlags::PORTABLE)
        })
        .refuses("PinnedBuf::uninit", |_, w| PinnedBuf::<u32>::uninit(&w.context, 4))
        .refuses("PinnedBuf::uninit_in", |_, w| PinnedBuf::<u8>::uninit_in(&w.pinned, 1 << 16))
        .refuses("PinnedBuf::from_slice", |_, w| PinnedBuf::from_slice(&w.context, &NUMBERS))
        .refuses("PinnedBuf::from_fn", |_, w| PinnedBuf::from_fn(&w.context, 4, |index| index))
        .refuses("PinnedBuf::zeroed_in", |_, w| PinnedBuf::<u8>::zeroed_in(&w.pinned, 1 << 16))
        .refuses("PinnedBuf::from_slice_in", |_, w| PinnedBuf::from_slice_in(&w.pinned, &[0; 1 << 16]));
    for make in [pinned, pooled] {
        c.of(make, holds)
            .answers("PinnedBuf::{context, size_bytes}", |b, w| (b.size_bytes(), *b.context() == w.context))
            .refuses("PinnedBuf::device_ptr", |b, _| b.device_ptr())
            .refuses("PinnedBuf::device_ptr_in", |b, w| b.device_ptr_in(&w.peer))
            .refuses("PinnedBuf::flags", |b, _| b.flags())
            .answers("PinnedBuf: {Debug, Deref, DerefMut}", |b, _| {
                b[0] = b[3] - 3;
                format!("{b:?}")
            })
            .answers("PinnedBuf::{as_ptr, as_mut_ptr}", |b, _| b.as_ptr() == b.as_mut_ptr())
            .consumes("PinnedBuf::close", |b, _| b.close())
            .drops("PinnedBuf: Drop");
    }
    c.of(|w| PinnedBuf::<u32>::uninit(&w.context, 4).unwrap(), |_, _| ())
        .drops("PinnedBuf: Drop of uninitialised elements")
        .hands_over(
            "PinnedBuf::assume_init",
            |mut b, _| {
                b.iter_mut().zip(NUMBERS).for_each(|(place, number)| *place = MaybeUninit::new(number));
                // SAFETY: all elements are written.
                unsafe { b.assume_init() }
            },
            |mut buffer, w| holds(&mut buffer, w),
        );
    c.of(vector, is_back).refuses("RegisteredBuf::new", |vector, w| {
        RegisteredBuf::new(&w.context, vector.take().unwrap(), RegisterFlags::empty()).map_err(|failure| {
            let (error, memory) = failure.into_parts();
            *vector = memory;
            error
        })
    });
    c.of(registered, is_registered)
        .answers("RegisteredBuf::{context, size_bytes}", |r, w| (r.size_bytes(), *r.context() == w.context))
        .refuses("RegisteredBuf::device_ptr", |r, _| r.device_ptr())
        .refuses("RegisteredBuf::flags", |r, _| r.flags())
        .answers("RegisteredBuf: {Debug, Deref, DerefMut}", |r, _| {
            r[0] = r[3] - 3;
            format!("{r:?}")
        })
        // As documented, the memory is not returned.
        .consumes("RegisteredBuf::unregister", |r, _| {
            r.unregister().map_err(|failure| {
                let (error, memory) = failure.into_parts();
                assert!(memory.is_none());
                error
            })
        })
        .drops("RegisteredBuf: Drop");
    c.of(registered_elements, |_, _| ()).drops("RegisteredBuf: Drop of elements with destructors");
    c.free()
        // SAFETY: it is refused, or dropped at once.
        .refuses("RegisteredBuf::borrowed", |_, w| unsafe {
            RegisteredBuf::borrowed(&w.context, &NUMBERS[..], RegisterFlags::empty()).map(drop)
        })
        .refuses("memory::register_scoped", |_, w| {
            register_scoped(&w.context, &mut [0; 4], RegisterFlags::empty(), |_| ())
        })
        .refuses("memory::register_shared_scoped", |_, w| {
            register_shared_scoped(&w.context, &[0; 4], RegisterFlags::empty(), |_| ())
        })
        .answers("AlignedBuf::{zeroed, with_alignment, alignment, size_bytes}", |_, _| {
            let buffer = AlignedBuf::<u32>::with_alignment(4, 4096).unwrap();
            (buffer.alignment(), buffer.size_bytes(), AlignedBuf::<u32>::zeroed(4).unwrap())
        })
        .answers("AlignedBuf: {Debug, Deref, DerefMut, Drop}", |_, _| {
            let mut buffer = AlignedBuf::<u32>::zeroed(4).unwrap();
            buffer[0] = buffer[1];
            format!("{buffer:?}")
        });
    c.of(pending, works)
        .refuses("PendingCopy::is_done", |p, _| p.is_done())
        .answers("PendingCopy: Debug", |p, _| format!("{p:?}"))
        // As documented, the buffer is released when the copy is done.
        .consumes("PendingCopy::wait", |p, _| {
            p.wait().map_err(|failure| {
                let (error, buffer) = failure.into_parts();
                assert!(buffer.is_none());
                error
            })
        })
        .hands_over(
            "PendingCopy: IntoFuture; PendingFuture: {Future, Unpin}; PendingFuture::wake_by",
            |p, _| {
                let mut future = p.into_future().wake_by(WakeBy::Polling);
                // The driver is not asked here.
                assert!(poll(&mut future).is_pending());
                future
            },
            |mut future, w| {
                w.settle();
                while poll(&mut future).is_pending() {}
            },
        )
        .drops("PendingCopy: Drop");
    c.of(|w| pending(w).into_future(), |future, _| while poll(future).is_pending() {})
        .answers("PendingFuture: Debug", |future, _| format!("{future:?}"))
        // The buffer is released when the copy is done.
        .drops("PendingFuture: Drop");
    c.of(pending_nothing, works)
        .answers("PendingCopy::is_done of no bytes", |p, _| p.is_done().unwrap())
        .hands_over(
            "PendingCopy::wait for no bytes",
            |p, _| p.wait().unwrap(),
            |buffer, _| {
                assert!(buffer.is_empty());
            },
        );
}

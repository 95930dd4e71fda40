//! Owners of arrays, and the end of arrays.

use super::*;
use cuda_rt::Context;
use cuda_rt::context::ContextFlags;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

fn own() -> Stream {
    Stream::new(&Context::new(cuda_suite::device(), ContextFlags::default()).unwrap()).unwrap()
}

fn plane() -> ArrayDescriptor {
    ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1)
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for order in orders(count - 1) {
        for place in 0..count {
            let mut longer = order.clone();
            longer.insert(place, count - 1);
            all.push(longer);
        }
    }
    all
}

/// The way in which a handle ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Dropped,
    Closed,
    Forgotten,
}

#[test]
fn levels_and_whole_arrays_drop_in_any_order() {
    let told = cuda_suite::reports(|| {
        for order in orders(3) {
            for ends in (0..27).map(|number| [number % 3, number / 3 % 3, number / 9]) {
                let ends = ends.map(|end| [End::Dropped, End::Closed, End::Forgotten][end]);
                let stream = cuda_suite::stream();
                let whole = MipmappedArray::new(&stream, plane(), 3).unwrap();
                let last = whole.level(2).unwrap();
                let mut levels = [Some(whole.level(0).unwrap()), Some(whole.level(1).unwrap())];
                let mut whole = Some(whole);
                for index in &order {
                    let end = ends[*index];
                    if *index == 2 {
                        let whole = whole.take().unwrap();
                        match end {
                            End::Dropped => drop(whole),
                            End::Closed => whole.close().unwrap(),
                            End::Forgotten => _ = ManuallyDrop::new(whole),
                        }
                    } else {
                        let level = levels[*index].take().unwrap();
                        level.copy_all_from_host(&vec![1.5_f32; 64 >> (2 * index)]).unwrap();
                        match end {
                            End::Dropped => drop(level),
                            End::Closed => level.close().unwrap(),
                            End::Forgotten => _ = ManuallyDrop::new(level),
                        }
                    }
                    // The whole array lives as long as one of its levels.
                    last.copy_all_from_host(&[[2.0_f32; 1]; 4]).unwrap();
                    assert_eq!(last.to_vec::<f32>().unwrap(), [2.0; 4], "{order:?} {ends:?}");
                }
                last.close().unwrap();
            }
        }
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn arrays_outlive_their_streams_and_contexts() {
    let told = cuda_suite::reports(|| {
        let stream = own();
        let array = Array::from_host(&stream, plane(), &[3.5_f32; 64]).unwrap();
        let level = MipmappedArray::new(&stream, plane(), 4).unwrap().level(3).unwrap();
        let context = stream.context().clone();
        drop(stream);
        let other = array.clone();
        assert_eq!(other, array);
        array.close().unwrap();
        drop(context);
        thread::spawn(move || {
            assert_eq!(other.to_vec::<f32>().unwrap(), [3.5; 64]);
            level.copy_all_from_host(&[1.0_f32]).unwrap();
            drop((other, level));
        })
        .join()
        .unwrap();
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn arrays_are_equal_if_they_are_one() {
    let stream = cuda_suite::stream();
    let array = Array::new(&stream, plane()).unwrap();
    assert_eq!(array, array.clone());
    assert_ne!(array, Array::new(&stream, plane()).unwrap());
    let whole = MipmappedArray::new(&stream, plane(), 2).unwrap();
    assert_eq!(whole, whole.clone());
    assert_ne!(whole, MipmappedArray::new(&stream, plane(), 2).unwrap());
    assert_eq!(whole.level(1).unwrap(), whole.level(1).unwrap());
    assert_ne!(whole.level(1).unwrap(), whole.level(0).unwrap());
    let text = format!("{array:?} {whole:?} {:?}", whole.level(0).unwrap());
    assert!(text.contains("part: Whole") && text.contains("part: Level(MipmappedArray"), "{text}");
}

#[test]
fn threads_share_an_array() {
    let stream = cuda_suite::stream();
    let lines = ArrayDescriptor::layered_line(64, 8, ArrayFormat::UNSIGNED_INT32, 1);
    let array = Array::new(&stream, lines).unwrap();
    let images = MipmappedArray::new(&stream, plane(), 4).unwrap();
    thread::scope(|scope| {
        for thread in 0..4_u32 {
            let (array, images) = (&array, &images);
            scope.spawn(move || {
                for round in 0..20_u32 {
                    // Copies of the whole array come one after the other, so no thread sees a part of one.
                    array.copy_all_from_host(&[100 * round + thread; 512]).unwrap();
                    let found = array.to_vec::<u32>().unwrap();
                    assert!(found.iter().all(|number| *number == found[0]), "{found:?}");
                    let level = images.level(thread).unwrap();
                    level.copy_all_from_host(&vec![round as f32; 64 >> (2 * thread)]).unwrap();
                    assert_eq!(level.to_vec::<f32>().unwrap()[0], round as f32);
                    let passing = Array::from_line(array.stream(), &[thread; 5]).unwrap();
                    assert_eq!(passing.to_vec::<u32>().unwrap(), [thread; 5]);
                }
            });
        }
    });
}

#[test]
fn handles_are_given_away_and_adopted_again() {
    let told = cuda_suite::reports(|| {
        let stream = own();
        let array = Array::from_host(&stream, plane(), &[1.0_f32; 64]).unwrap();
        let shared = array.clone();
        let array = array.into_raw().unwrap_err();
        assert_eq!(array, shared);
        drop(shared);
        let raw = array.into_raw().unwrap();
        // SAFETY: what an array on this stream was.
        let array = unsafe { Array::from_raw(raw, &stream) }.unwrap();
        assert_eq!(array.descriptor(), plane());
        let borrowed =
            // SAFETY: live, on the same stream, and kept so by its owner.
            unsafe { Array::from_raw_with_owner(raw, &stream, Box::new(array.clone())) }.unwrap();
        assert_eq!(borrowed, array);
        drop(array);
        assert_eq!(borrowed.to_vec::<f32>().unwrap(), [1.0; 64]);
        let borrowed = borrowed.into_raw().unwrap_err();
        borrowed.close().unwrap();

        let whole = MipmappedArray::new(&stream, plane(), 3).unwrap();
        let level = whole.level(1).unwrap();
        let level = level.into_raw().unwrap_err();
        let whole = whole.into_raw().unwrap_err();
        level.copy_all_from_host(&[4.0_f32; 16]).unwrap();
        drop(level);
        let raw = whole.into_raw().unwrap();
        // SAFETY: what a mipmapped array on this stream was.
        let whole = unsafe { MipmappedArray::from_raw(raw, plane(), 3, &stream) };
        let owner = Box::new(whole.clone());
        // SAFETY: live, on the same stream, and kept so by its owner.
        let borrowed = unsafe { MipmappedArray::from_raw_with_owner(raw, plane(), 3, &stream, owner) };
        drop(whole);
        let level = borrowed.level(1).unwrap();
        let borrowed = borrowed.into_raw().unwrap_err();
        borrowed.close().unwrap();
        assert_eq!(level.to_vec::<f32>().unwrap(), [4.0; 16]);
        level.close().unwrap();
    });
    assert!(told.is_empty(), "{told:?}");
}

/// An owner that counts its end.
struct Owner(#[allow(dead_code)] Array, Arc<AtomicU32>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn owners_are_dropped_last() {
    let ended = Arc::new(AtomicU32::new(0));
    let count = || ended.load(Ordering::SeqCst);
    let stream = cuda_suite::stream();
    let array = Array::from_line(&stream, &[1_u8, 2, 3]).unwrap();
    let (raw, owner) = (array.as_raw(), Box::new(Owner(array, ended.clone())));
    // SAFETY: the owner keeps it alive, and no other code uses it.
    let first = unsafe { Array::from_raw_with_owner(raw, &stream, owner) }.unwrap();
    let second = first.clone();
    drop(first);
    assert_eq!((count(), second.to_vec::<u8>().unwrap()), (0, vec![1, 2, 3]));
    second.close().unwrap();
    assert_eq!(count(), 1);
}

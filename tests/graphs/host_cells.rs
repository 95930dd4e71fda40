//! Host memory of graphs: the host and launches never have it at the same time.

use crate::setup::{capture, instantiate, is_since, place, words};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, HostCell, InstantiateOptions, SetNodes};
use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{PinnedBuf, Stream};
use cuda_suite::{apart, context, skip};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn cell(values: &[u32]) -> HostCell<PinnedBuf<u32>> {
    HostCell::new(PinnedBuf::from_slice(&context(), values).unwrap())
}

#[test]
fn launches_see_what_the_host_wrote_last() {
    let (_, stream) = place();
    let (input, output, mut buffer) = (cell(&[0; 4]), cell(&[0; 4]), words(&stream, &[0; 4]));
    let mut graph = capture(|c| {
        c.upload(&mut buffer, &input)?;
        c.download(&output, &buffer)
    });
    let mut program = instantiate(&mut graph);
    for round in 0..50 {
        input.lock().unwrap().fill(round);
        program.launch(&stream).unwrap();
        assert_eq!(*output.lock().unwrap(), [round; 4]);
    }
}

#[test]
fn locked_cell_refuses_launches() {
    let (_, stream) = place();
    let cell = cell(&[1; 4]);
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.upload(&mut buffer, &cell));
    let mut program = instantiate(&mut graph);
    let guard = cell.lock().unwrap();
    let error = program.launch(&stream).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HostCellLocked);
    assert_eq!(cell.lock().unwrap_err().kind(), ErrorKind::HostCellLocked);
    assert_eq!(cell.try_lock().unwrap_err().kind(), ErrorKind::HostCellLocked);
    drop(guard);
    assert_eq!(buffer.to_vec().unwrap(), [0; 4]);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
    #[allow(clippy::mem_forget)] // the subject of the test
    std::mem::forget(cell.lock().unwrap());
    assert_eq!(program.launch(&stream).unwrap_err().kind(), ErrorKind::HostCellLocked);
}

#[test]
fn lock_waits_for_the_launch() {
    // Calls of other tests that wait for everything in the context would wait for this one, which waits for them.
    apart("host_cells::lock_waits_for_the_launch", || {
        let (_, stream) = place();
        let cell = cell(&[0]);
        let (go, gone) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let mut graph = capture(|c| {
            let (go, gone) = (Arc::clone(&go), Arc::clone(&gone));
            c.host_with(&cell, move |elements| {
                while !go.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                elements[0] = 7;
                gone.store(true, Ordering::SeqCst);
            })
        });
        let mut program = instantiate(&mut graph);
        program.launch(&stream).unwrap();
        assert!(cell.try_lock().unwrap().is_none());
        // The executable is dropped while the function runs; the cell still knows of the launch.
        drop((program, graph));
        assert!(cell.try_lock().unwrap().is_none());
        go.store(true, Ordering::SeqCst);
        let guard = cell.lock().unwrap();
        assert!(gone.load(Ordering::SeqCst));
        assert_eq!(*guard, [7]);
    });
}

#[test]
fn two_executables_take_turns_with_a_cell() {
    let (context, _) = place();
    let cell = cell(&[0]);
    let inside = Arc::new(AtomicU32::new(0));
    let count = || {
        let inside = Arc::clone(&inside);
        move |elements: &mut [u32]| {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two functions have the cell");
            elements[0] += 1;
            inside.fetch_sub(1, Ordering::SeqCst);
        }
    };
    let mut first = instantiate(&mut capture(|c| c.host_with(&cell, count())));
    let mut second = instantiate(&mut capture(|c| c.host_with(&cell, count())));
    let streams = [Stream::new(&context).unwrap(), Stream::new(&context).unwrap()];
    for _ in 0..50 {
        first.launch(&streams[0]).unwrap();
        second.launch(&streams[1]).unwrap();
    }
    assert_eq!(*cell.lock().unwrap(), [100]);
}

#[test]
fn uses_of_a_cell_must_be_ordered() {
    let (context, stream) = place();
    let (one, two) = (cell(&[0; 4]), cell(&[0; 4]));
    let (mut left, mut right) = (words(&stream, &[0; 4]), words(&stream, &[0; 4]));
    let unordered = Graph::capture(&context, CaptureOptions::new(), |c| {
        c.fork(|c| c.upload(&mut left, &one), |c| c.host_with(&one, |_| ()))?;
        Ok(())
    });
    if !is_since(11, 3) {
        let error = unordered.unwrap_err();
        assert!(error.to_string().contains("before CUDA 11.3"), "{error}");
        skip!("the driver does not tell the order of nodes");
    }
    let error = unordered.unwrap().0.instantiate(InstantiateOptions::new()).unwrap_err();
    assert!(error.to_string().contains("neither comes after the other"), "{error}");
    // Another cell, an order by a mark, or the join is enough.
    let mut graph = capture(|c| {
        let (mark, ()) = c.fork(
            |c| {
                c.upload(&mut left, &one)?;
                c.mark()
            },
            |c| c.upload(&mut right, &two),
        )?;
        c.fork(|_| Ok(()), |c| c.wait(&mark).and_then(|()| c.host_with(&one, |_| ())))?;
        c.download(&one, &left)
    });
    instantiate(&mut graph).launch(&stream).unwrap();
    // A child uses its cells as one node.
    let mut parent = capture(|c| {
        c.fork(|c| c.child(&mut graph).map(drop), |c| c.host_with(&two, |_| ()))?;
        Ok(())
    });
    assert!(parent.instantiate(InstantiateOptions::new()).is_err());
    stream.synchronize().unwrap();
}

#[test]
fn host_nodes_run_at_each_launch() {
    let (context, stream) = place();
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let mut graph = capture(|c| {
        c.host(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        })
    });
    let mut programs = [instantiate(&mut graph), instantiate(&mut graph)];
    let other = Stream::new(&context).unwrap();
    for _ in 0..500 {
        programs[0].launch(&stream).unwrap();
        programs[1].launch(&other).unwrap();
    }
    drop((programs, graph));
    stream.synchronize().unwrap();
    other.synchronize().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1000);
    crate::keep_alive::until_alone(&count);
}

#[test]
fn host_nodes_panic_and_call_without_harm() {
    let (_, stream) = place();
    let cell = cell(&[0]);
    let refused = Arc::new(Mutex::new(Vec::new()));
    let mut graph = capture(|c| {
        let (inner, refused) = (cell.clone(), Arc::clone(&refused));
        c.host_with(&cell, move |elements| {
            elements[0] += 1;
            refused.lock().unwrap().extend(inner.lock().err().map(|error| error.kind()));
            assert_ne!(elements[0], 2, "the second run");
        })
    });
    let (reports, reported) = std::sync::mpsc::channel();
    let reports = Mutex::new(reports);
    let before = cuda_rt::handle::set_drop_hook(move |error| {
        if error.to_string().contains("host function of a graph: panicked") {
            let _ = reports.lock().unwrap().send(());
        }
    });
    let mut program = instantiate(&mut graph);
    (0..3).for_each(|_| program.launch(&stream).unwrap());
    assert_eq!(*cell.lock().unwrap(), [3]);
    // A thread of the crate calls the hook.
    reported.recv_timeout(Duration::from_secs(20)).unwrap();
    before.restore();
    assert_eq!(*refused.lock().unwrap(), [ErrorKind::InsideHostFunction; 3]);
    // The function keeps the cell, the graph the function.
    drop(graph);
}

#[test]
fn registered_memory_makes_a_cell() {
    let (context, stream) = place();
    let Ok(memory) = RegisteredBuf::new(&context, vec![5_u32; 1024], RegisterFlags::default()) else {
        skip!("the driver registers no memory")
    };
    let cell = HostCell::new(memory);
    let mut buffer = words(&stream, &[0; 1024]);
    let mut graph = capture(|c| c.upload(&mut buffer, &cell));
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [5; 1024]);
    drop((program, graph));
    let mut cell = cell;
    let memory = loop {
        match cell.try_into_inner() {
            Ok(memory) => break memory,
            Err(back) => cell = back,
        }
    };
    assert_eq!(memory.unregister().unwrap(), [5; 1024]);
}

#[test]
fn refused_use_of_a_cell_records_nothing() {
    if is_since(11, 3) {
        skip!("the driver tells the order of nodes");
    }
    let (context, _) = place();
    let cell = cell(&[0; 4]);
    let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |c| {
        c.fork(
            |c| {
                assert!(c.host_with(&cell, |_| ()).is_err());
                Ok(())
            },
            |c| {
                assert!(c.host_with(&cell, |_| ()).is_err());
                Ok(())
            },
        )?;
        Ok(())
    })
    .unwrap();
    assert_eq!(graph.nodes().unwrap(), []);
}

#[test]
fn failed_try_lock_leaves_launches_alone() {
    // Calls of other tests that wait for everything in the context would wait for this one, which waits for them.
    apart("host_cells::failed_try_lock_leaves_launches_alone", || {
        let (_, stream) = place();
        let cell = cell(&[0]);
        let (go, ends) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let asked = AtomicU32::new(0);
        let mut graph = capture(|c| {
            let go = Arc::clone(&go);
            c.host_with(&cell, move |elements| {
                while !go.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                elements[0] += 1;
            })
        });
        let mut program = instantiate(&mut graph);
        program.launch(&stream).unwrap();
        std::thread::scope(|scope| {
            let asks = scope.spawn(|| {
                while !ends.load(Ordering::SeqCst) {
                    asked.fetch_add(1, Ordering::SeqCst);
                    if cell.try_lock().is_ok_and(|guard| guard.is_some()) {
                        return false;
                    }
                }
                true
            });
            let launched: cuda_rt::Result<()> = (0..100).try_for_each(|_| {
                let before = asked.load(Ordering::SeqCst);
                while asked.load(Ordering::SeqCst) == before && !asks.is_finished() {
                    std::thread::yield_now();
                }
                program.launch(&stream)
            });
            ends.store(true, Ordering::SeqCst);
            let were_refused = asks.join().unwrap();
            go.store(true, Ordering::SeqCst);
            launched.unwrap();
            assert!(were_refused, "a launch was under way");
        });
        assert_eq!(*cell.lock().unwrap(), [101]);
    });
}

#[test]
fn an_owner_that_a_launch_drops_may_lock() {
    struct Locks(HostCell<PinnedBuf<u32>>, Arc<AtomicBool>);
    impl Drop for Locks {
        fn drop(&mut self) {
            self.1.store(self.0.lock().is_ok(), Ordering::SeqCst);
        }
    }

    apart("host_cells::an_owner_that_a_launch_drops_may_lock", || {
        let (context, stream) = place();
        let cell = cell(&[0; 4]);
        let buffer = words(&stream, &[5; 4]);
        let mut graph = capture(|c| c.download(&cell, &buffer));
        let mut program = instantiate(&mut graph);
        let has_locked = Arc::new(AtomicBool::new(false));
        let inner = Stream::new(&context).unwrap();
        let owner = Box::new((Locks(cell.clone(), Arc::clone(&has_locked)), inner.clone()));
        // SAFETY: the owner keeps the stream.
        let foreign = unsafe { Stream::from_raw_with_owner(inner.as_raw(), &context, owner) };
        program.launch(&foreign).unwrap();
        drop(foreign);
        // The executable graph has the last handle to the stream.
        program.launch(&PerThreadStream::new(&context)).unwrap();
        assert!(has_locked.load(Ordering::SeqCst));
        assert_eq!(*cell.lock().unwrap(), [5; 4]);
    });
}

#[test]
fn replaced_cell_waits_for_no_later_launch() {
    let (_, stream) = place();
    let (first, second) = (cell(&[0]), cell(&[0]));
    let mut graph = Graph::new(&context()).unwrap();
    let node = graph.host_with(&[], &first, |_| ()).unwrap();
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    let may_end = Arc::new(AtomicBool::new(false));
    let is_over = Arc::new(AtomicBool::new(false));
    let (seen, over) = (Arc::clone(&may_end), Arc::clone(&is_over));
    program
        .set_host_with(node, &second, move |_| {
            let begun = std::time::Instant::now();
            while !seen.load(Ordering::Acquire) && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            over.store(true, Ordering::Release);
        })
        .unwrap();
    program.launch(&stream).unwrap();
    drop(first.lock().unwrap());
    assert!(!is_over.load(Ordering::Acquire), "the lock has waited for the second launch");
    may_end.store(true, Ordering::Release);
    drop(second.lock().unwrap());
    assert!(is_over.load(Ordering::Acquire));
}

//! A captured program that is launched many times while the last handles to its objects are dropped. Made for a run under
//! `compute-sanitizer`, which checks every access. `LAUNCHES` is the number of launches.

use crate::setup::{capture, instantiate, kernel, module, place, words};
use cuda_rt::graph::HostCell;
use cuda_rt::launch::Arg;
use cuda_rt::{DeviceBuf, LaunchConfig, PinnedBuf, Stream};

const LEN: usize = 256;

#[test]
fn launches_find_what_was_dropped_long_ago() {
    let launches = std::env::var("LAUNCHES").ok().and_then(|number| number.parse().ok()).unwrap_or(500_u32);
    let (context, stream) = place();
    let others: Vec<Stream> = (0..3).map(|_| Stream::new(&context).unwrap()).collect();
    let sum = HostCell::new(PinnedBuf::<u32>::zeroed(&context, LEN).unwrap());
    let mut counter = words(&stream, &[0; LEN]);
    let step = words(&others[0], &[1; LEN]);
    let mut middle = words(&others[1], &[0; LEN]);
    let code = module(&context);
    let mut graph = capture(|c| {
        c.copy(&mut middle, &step)?;
        let add = kernel(&code, "add");
        // SAFETY: one thread changes the first number, and the graph keeps the buffer.
        unsafe { add.with(LaunchConfig::new(1, 1)).launch(c, (Arg(counter.ptr(), &counter), 1_u32)) }?;
        c.download(&sum, &counter)?;
        c.host_with(&sum, |elements: &mut [u32]| elements[1] = elements[0])?;
        c.upload(&mut counter, &sum)
    });
    let mut program = instantiate(&mut graph);
    let mut held: Vec<Box<dyn std::any::Any>> =
        vec![Box::new(graph), Box::new(step), Box::new(middle), Box::new(code), Box::new(counter)];
    let mut fillers: Vec<DeviceBuf<u32>> = Vec::new();
    for launch in 0..launches {
        program.launch(&others[launch as usize % 3]).unwrap();
        if launch % 7 == 3 {
            held.pop();
            // They get the addresses of memory that was freed too early, and overwrite it.
            let mut filler = DeviceBuf::<u32>::zeroed(&others[launch as usize % 2], LEN).unwrap();
            filler.as_slice_mut().fill(0xdead).unwrap();
            fillers.push(filler);
            fillers.truncate(if launch % 70 == 3 { 0 } else { 16 });
        }
    }
    assert!(held.is_empty());
    assert_eq!(sum.lock().unwrap()[..2], [launches; 2]);
    drop(program);
    assert!(fillers.iter().all(|filler| filler.to_vec().unwrap() == [0xdead; LEN]));
    // A thread of the crate may be about to drop what the program has kept.
    let mut sum = sum;
    while let Err(held) = sum.try_into_inner() {
        context.synchronize().unwrap();
        std::thread::yield_now();
        sum = held;
    }
}

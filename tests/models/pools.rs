//! A caching pool beside a model of it. Its counts are those of the model, no block is handed out twice, and no earlier work
//! of another stream overwrites a block.

use crate::{cases, machine, told};
use cuda_rt::memory::CachingPool;
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_sim::{Config, Schedule};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    /// On a stream, so many bytes, filled with a pattern.
    Make(usize, usize, usize),
    /// Overwritten with another pattern.
    Write(prop::sample::Index, usize),
    Move(prop::sample::Index, usize),
    Drop(prop::sample::Index),
    /// As plain memory, out of the pool.
    TakeOut(prop::sample::Index),
    Look(prop::sample::Index),
    Wait(usize),
    FreeHeld,
    StopHolding,
}

const STREAMS: usize = 3;
const PATTERNS: usize = 4;
const MOST: usize = 5000;

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    let bytes = prop_oneof![1 => Just(0_usize), 4 => 1..40_usize, 4 => 1000..1100_usize, 1 => 1..MOST];
    prop_oneof![
        60 => (0..STREAMS, bytes, 0..PATTERNS).prop_map(|(on, bytes, with)| Step::Make(on, bytes, with)),
        20 => (index(), 0..PATTERNS).prop_map(|(which, with)| Step::Write(which, with)),
        10 => (index(), 0..STREAMS).prop_map(|(which, to)| Step::Move(which, to)),
        45 => index().prop_map(Step::Drop),
        3 => index().prop_map(Step::TakeOut),
        15 => index().prop_map(Step::Look),
        5 => (0..STREAMS).prop_map(Step::Wait),
        3 => Just(Step::FreeHeld),
        1 => Just(Step::StopHolding),
    ]
}

/// A buffer and what must be in it.
struct Live {
    buffer: DeviceBuf<u8>,
    pattern: usize,
    home: usize,
}

/// The expected state of the pool.
struct Model {
    /// The number of held blocks of each size.
    held: BTreeMap<usize, usize>,
    holds: bool,
}

impl Model {
    fn make(&mut self, bytes: usize) {
        if let Some(count) = self.held.get_mut(&CachingPool::block_bytes(bytes)) {
            *count = count.saturating_sub(1);
        }
    }

    fn drop(&mut self, bytes: usize) {
        if self.holds && bytes > 0 {
            *self.held.entry(CachingPool::block_bytes(bytes)).or_default() += 1;
        }
    }

    fn check(&self, pool: &CachingPool, live: &[Live], outside: &[DeviceBuf<u8>], blocks: usize) {
        let usage = pool.usage();
        let sizes: Vec<usize> = live.iter().map(|live| live.buffer.len()).filter(|len| *len > 0).collect();
        let held_bytes: usize = self.held.iter().map(|(bytes, count)| bytes * count).sum();
        let active_bytes: usize = sizes.iter().map(|size| CachingPool::block_bytes(*size)).sum();
        assert_eq!(usage.held_blocks, self.held.values().sum::<usize>());
        assert_eq!((usage.active_blocks, usage.active_bytes), (sizes.len(), sizes.iter().sum()));
        assert_eq!(usage.managed_bytes, held_bytes + active_bytes);
        // The driver has no other allocations.
        let outside = outside.iter().filter(|buffer| !buffer.is_empty()).count();
        assert_eq!(blocks, usage.held_blocks + usage.active_blocks + outside);
        let mut ranges: Vec<(u64, u64)> = live
            .iter()
            .filter(|live| !live.buffer.is_empty())
            .map(|live| {
                let start = live.buffer.ptr().as_raw();
                (start, start + CachingPool::block_bytes(live.buffer.len()) as u64)
            })
            .collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0), "handed out twice: {ranges:x?}");
    }
}

fn pattern(number: usize) -> u8 {
    [0x11, 0x5a, 0xa5, 0xee][number]
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn caching_pool_matches_the_model(
        schedule in prop_oneof![
            1 => Just(Schedule::Eager),
            2 => Just(Schedule::Lazy),
            2 => any::<u64>().prop_map(Schedule::Random),
        ],
        steps in prop::collection::vec(step(), 1..80),
    ) {
        let (machine, _entered) = machine(Config { schedule, ..Config::default() });
        let context = Context::primary(Device::get(0).unwrap()).unwrap();
        let streams: Vec<Stream> = (0..STREAMS).map(|_| Stream::new(&context).unwrap()).collect();
        // On each stream what it fills buffers with, so that no copy needs another stream, or waits.
        let sources: Vec<Vec<DeviceBuf<u8>>> = streams
            .iter()
            .map(|stream| {
                let source = |number| DeviceBuf::from_host(stream, &[pattern(number); MOST]).unwrap();
                (0..PATTERNS).map(source).collect()
            })
            .collect();
        let pool = CachingPool::new(&context);
        let mut model = Model { held: BTreeMap::new(), holds: true };
        let mut live: Vec<Live> = Vec::new();
        let mut outside = Vec::new();
        let write = |live: &mut Live, with: usize| {
            let len = live.buffer.len();
            live.buffer.copy_from_device(sources[live.home][with].slice(..len).unwrap()).unwrap();
            live.pattern = with;
        };
        for step in &steps {
            match step {
                Step::Make(on, bytes, with) => {
                    let buffer = DeviceBuf::uninit_in(&streams[*on], *bytes, &pool).unwrap();
                    if *bytes > 0 {
                        model.make(*bytes);
                    }
                    let mut made = Live { buffer, pattern: *with, home: *on };
                    write(&mut made, *with);
                    live.push(made);
                }
                Step::Write(which, with) if !live.is_empty() => {
                    let which = which.index(live.len());
                    write(&mut live[which], *with);
                }
                Step::Move(which, to) if !live.is_empty() => {
                    let which = which.index(live.len());
                    live[which].buffer.move_to(&streams[*to]).unwrap();
                    live[which].home = *to;
                }
                Step::Drop(which) if !live.is_empty() => {
                    let gone = live.swap_remove(which.index(live.len()));
                    model.drop(gone.buffer.len());
                    drop(gone);
                }
                Step::TakeOut(which) if !live.is_empty() => {
                    let gone = live.swap_remove(which.index(live.len()));
                    let stream = gone.buffer.stream().clone();
                    let (ptr, len, release) = gone.buffer.into_raw();
                    // SAFETY: what a buffer on this stream was.
                    outside.push(unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) });
                }
                Step::Look(which) if !live.is_empty() => {
                    let seen = &live[which.index(live.len())];
                    let bytes = seen.buffer.to_vec().unwrap();
                    prop_assert!(bytes.iter().all(|byte| *byte == pattern(seen.pattern)), "{:x?}", bytes);
                }
                Step::Wait(on) => streams[*on].synchronize().unwrap(),
                Step::FreeHeld => {
                    pool.trim().unwrap();
                    model.held.clear();
                }
                Step::StopHolding => {
                    pool.disable_caching().unwrap();
                    model.held.clear();
                    model.holds = false;
                }
                _ => {}
            }
            model.check(&pool, &live, &outside, machine.live().device_allocations);
        }
        // Whatever was queued on any stream is done.
        context.synchronize().unwrap();
        for seen in &live {
            let bytes = seen.buffer.to_vec().unwrap();
            prop_assert!(bytes.iter().all(|byte| *byte == pattern(seen.pattern)), "{:x?}", bytes);
        }
        drop((pool, sources));
        // Buffers in use outlive the pool.
        prop_assert!(live.iter().all(|live| live.buffer.to_vec().is_ok()));
        drop((live, outside, streams, context));
        prop_assert_eq!(told(), Vec::<cuda_rt::Error>::new());
        prop_assert!(machine.live().is_empty(), "{}", machine.live());
    }
}

/// Held blocks are freed for a new allocation, the largest first.
#[test]
fn the_largest_blocks_are_freed_first() {
    let (machine, _entered) = machine(Config { memory_bytes: 100 << 20, ..Config::default() });
    let context = Context::primary(Device::get(0).unwrap()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let pool = CachingPool::new(&context);
    let make = |megabytes: usize| DeviceBuf::<u8>::uninit_in(&stream, megabytes << 20, &pool).unwrap();
    let [small, middle, large] = [10, 20, 30].map(make);
    drop((small, middle, large));
    assert_eq!(pool.usage().held_blocks, 3);
    // 50 and 60 are too much for what is left, but not without the largest.
    let first = make(50);
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (2, 1));
    let again = make(20);
    assert_eq!(pool.usage().held_blocks, 1, "the middle one was not freed");
    drop((first, again));
    let all = make(90);
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (0, 1));
    drop(all);
    drop((pool, stream, context));
    assert_eq!(told(), Vec::<cuda_rt::Error>::new());
    assert!(machine.live().is_empty(), "{}", machine.live());
}

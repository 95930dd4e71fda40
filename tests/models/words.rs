//! Words that two streams write and wait for, alone and in batches. Every wait is for a value that is queued already.

use crate::{cases, machine, told};
use cuda_rt::memory::{MemOps, MemorySource, StreamWord, Until, WriteValueFlags};
use cuda_rt::{Context, Device, DeviceBuf, PinnedBuf, Result, Stream};
use cuda_sim::{Config, Schedule};
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of each size, for each stream.
const WORDS: usize = 3;
const FLAGS: WriteValueFlags = WriteValueFlags::DEFAULT;

/// Chooses the condition of a wait for a word.
#[derive(Debug, Clone, Copy)]
enum Condition {
    AtLeast(u8),
    Equal,
    AnyBit(u32),
    Nor(u32),
}

#[derive(Debug, Clone, Copy)]
enum Operation {
    Write(usize, u32),
    WriteLarge(usize, u64),
    Wait(usize, Condition),
    WaitLarge(usize, Condition),
    /// Adds to the count of the stream.
    Advance(u8),
    /// Waits for the count of the other stream, and notes it.
    Follow,
}

#[derive(Debug, Clone)]
enum Step {
    Single(usize, Operation),
    Batch(usize, Vec<Operation>),
    /// Queries the stream, and checks the counts.
    Ask(usize),
    /// Reads the words of the stream, which waits for it.
    Read(usize),
}

fn operation() -> impl Strategy<Value = Operation> {
    let (index, small, large) =
        (0..WORDS, prop_oneof![0..3_u32, any::<u32>()], prop_oneof![0..3_u64, any::<u64>()]);
    let small = prop_oneof![4 => small, 1 => Just(u32::MAX)];
    let condition = || {
        prop_oneof![
            any::<u8>().prop_map(Condition::AtLeast),
            Just(Condition::Equal),
            any::<u32>().prop_map(Condition::AnyBit),
            any::<u32>().prop_map(Condition::Nor),
        ]
    };
    prop_oneof![
        3 => (index.clone(), small).prop_map(|(index, value)| Operation::Write(index, value)),
        3 => (index.clone(), large).prop_map(|(index, value)| Operation::WriteLarge(index, value)),
        2 => (index.clone(), condition()).prop_map(|(index, condition)| Operation::Wait(index, condition)),
        2 => (index, condition()).prop_map(|(index, condition)| Operation::WaitLarge(index, condition)),
        3 => any::<u8>().prop_map(Operation::Advance),
        3 => Just(Operation::Follow),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let on = || 0..2_usize;
    prop_oneof![
        6 => (on(), operation()).prop_map(|(on, operation)| Step::Single(on, operation)),
        3 => (on(), prop::collection::vec(operation(), 1..6)).prop_map(|(on, all)| Step::Batch(on, all)),
        3 => on().prop_map(Step::Ask),
        1 => on().prop_map(Step::Read),
    ]
}

/// The words of a stream when all queued work is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Model {
    small: [u32; WORDS],
    large: [u64; WORDS],
    /// This count only grows.
    count: u64,
    /// The count of the other stream that was waited for last.
    followed: u64,
}

/// Returns a condition that a word of this value meets.
fn small_condition(value: u32, condition: Condition) -> Until<u32> {
    match condition {
        Condition::AtLeast(less) => Until::at_least(value.wrapping_sub(less.into())),
        Condition::AnyBit(bits) if value != 0 => Until::any_bit(value | bits),
        Condition::Nor(bits) if value != u32::MAX => Until::nor(value & bits),
        _ => Until::equal(value),
    }
}

/// Returns a condition that a word of this value meets.
fn large_condition(value: u64, condition: Condition) -> Until<u64> {
    match condition {
        Condition::AtLeast(less) => Until::at_least(value.wrapping_sub(less.into())),
        Condition::AnyBit(bits) if value != 0 => Until::any_bit(value | u64::from(bits)),
        Condition::Nor(bits) if value != u64::MAX => Until::nor(value & u64::from(bits)),
        _ => Until::equal(value),
    }
}

/// Adds an operation on a word that lives on the stream or is page-locked.
fn batched<T: StreamWord>(batch: MemOps<'_>, word: cuda_rt::DevicePtr<T>, what: Do<T>) -> MemOps<'_> {
    match what {
        // SAFETY: the word is aligned, and dropped when both streams are done.
        Do::Write(value) => unsafe { batch.write_at(word, value, FLAGS) },
        // SAFETY: as above.
        Do::Wait(until) => unsafe { batch.wait_at(word, until) },
    }
}

enum Do<T> {
    Write(T),
    Wait(Until<T>),
}

struct World {
    streams: [Stream; 2],
    small: [DeviceBuf<u32>; 2],
    large: [DeviceBuf<u64>; 2],
    /// The counts of both streams, and what each has followed.
    counts: PinnedBuf<u64>,
    models: [Model; 2],
}

impl World {
    fn new(context: &Context) -> Result<World> {
        let streams = [Stream::new(context)?, Stream::new(context)?];
        let [first, second] = &streams;
        let small = |stream| DeviceBuf::zeroed_in(stream, WORDS, MemorySource::Plain);
        let large = |stream| DeviceBuf::zeroed_in(stream, WORDS, MemorySource::Plain);
        Ok(World {
            small: [small(first)?, small(second)?],
            large: [large(first)?, large(second)?],
            counts: PinnedBuf::zeroed(context, 4)?,
            models: [Model::default(); 2],
            streams,
        })
    }

    fn single(&mut self, on: usize, operation: Operation) -> Result<()> {
        let World { streams, small, large, counts, models } = self;
        let (stream, other) = (&streams[on], models[1 - on]);
        let (small, large, model) = (&mut small[on], &mut large[on], &mut models[on]);
        let counts = counts.device_ptr()?;
        match operation {
            Operation::Write(index, value) => {
                stream.write_value(small.slice_mut(index..=index)?, value, FLAGS)?;
                model.small[index] = value;
            }
            Operation::WriteLarge(index, value) => {
                stream.write_value(large.slice_mut(index..=index)?, value, FLAGS)?;
                model.large[index] = value;
            }
            Operation::Wait(index, condition) => {
                let until = small_condition(model.small[index], condition);
                stream.wait_value(small.slice(index..=index)?, until)?;
            }
            Operation::WaitLarge(index, condition) => {
                let until = large_condition(model.large[index], condition);
                stream.wait_value(large.slice(index..=index)?, until)?;
            }
            Operation::Advance(more) => {
                model.count += u64::from(more);
                // SAFETY: the word is dropped when both streams are done, and read atomically until then.
                unsafe { stream.write_value_at(counts.add(on), model.count, FLAGS) }?;
            }
            Operation::Follow => {
                // SAFETY: as above.
                unsafe { stream.wait_value_at(counts.add(1 - on), Until::at_least(other.count)) }?;
                // SAFETY: as above.
                unsafe { stream.write_value_at(counts.add(2 + on), other.count, FLAGS) }?;
                model.followed = other.count;
            }
        }
        Ok(())
    }

    fn batch(&mut self, on: usize, operations: &[Operation]) -> Result<()> {
        let (other, model) = (self.models[1 - on], &mut self.models[on]);
        let (small, large) = (self.small[on].ptr(), self.large[on].ptr());
        let counts = self.counts.device_ptr()?;
        let mut batch = self.streams[on].mem_ops();
        for operation in operations {
            batch = match *operation {
                Operation::Write(index, value) => {
                    model.small[index] = value;
                    batched(batch, small.add(index), Do::Write(value))
                }
                Operation::WriteLarge(index, value) => {
                    model.large[index] = value;
                    batched(batch, large.add(index), Do::Write(value))
                }
                Operation::Wait(index, condition) => {
                    let until = small_condition(model.small[index], condition);
                    batched(batch, small.add(index), Do::Wait(until))
                }
                Operation::WaitLarge(index, condition) => {
                    let until = large_condition(model.large[index], condition);
                    batched(batch, large.add(index), Do::Wait(until))
                }
                Operation::Advance(more) => {
                    model.count += u64::from(more);
                    batched(batch, counts.add(on), Do::Write(model.count))
                }
                Operation::Follow => {
                    model.followed = other.count;
                    let until = Until::at_least(other.count);
                    let batch = batched(batch, counts.add(1 - on), Do::Wait(until));
                    batched(batch, counts.add(2 + on), Do::Write(other.count))
                }
            };
        }
        batch.submit()
    }

    /// Reads a word of the counts, which a stream may write meanwhile.
    fn count(&self, index: usize) -> u64 {
        let place = self.counts.as_ptr().cast_mut().wrapping_add(index);
        // SAFETY: aligned, allocated, and accessed atomically, or by the device.
        unsafe { AtomicU64::from_ptr(place) }.load(Ordering::Acquire)
    }

    /// Checks that no stream is further than what it waited for.
    fn look(&self) {
        for on in 0..2 {
            let followed = self.count(2 + on);
            let count = self.count(1 - on);
            assert!(followed <= count, "stream {on} has waited for {followed} of {count}");
            assert!(count <= self.models[1 - on].count, "stream {} is at {count}", 1 - on);
        }
    }

    fn read(&self, on: usize) -> Result<Model> {
        let mut model = Model::default();
        self.small[on].copy_to_host(&mut model.small)?;
        self.large[on].copy_to_host(&mut model.large)?;
        self.streams[on].synchronize()?;
        (model.count, model.followed) = (self.count(on), self.count(2 + on));
        Ok(model)
    }

    fn do_step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Single(on, operation) => self.single(*on, *operation)?,
            Step::Batch(on, operations) => self.batch(*on, operations)?,
            Step::Ask(on) => {
                self.streams[*on].is_done()?;
            }
            Step::Read(on) => assert_eq!(self.read(*on)?, self.models[*on]),
        }
        self.look();
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn words_hold_the_last_written_value(
        seed in prop::option::of(any::<u64>()),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let schedule = seed.map_or(Schedule::Lazy, Schedule::Random);
        let (machine, _entered) = machine(Config { schedule, host_threads: 1, ..Config::default() });
        let before = machine.live();
        let context = Context::primary(Device::get(0).unwrap()).unwrap();
        let mut world = World::new(&context).unwrap();
        for step in &steps {
            world.do_step(step).unwrap();
        }
        for on in 0..2 {
            prop_assert_eq!(world.read(on).unwrap(), world.models[on]);
        }
        drop((world, context));
        prop_assert_eq!(told(), Vec::<cuda_rt::Error>::new());
        prop_assert_eq!(machine.live(), before);
    }
}

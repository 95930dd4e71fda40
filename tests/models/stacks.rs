//! Current contexts of several threads: pushed, popped, set and entered in any order, against a model of stacks.

use crate::{cases, machine, told};
use cuda_rt::context::{ContextFlags, ContextGuard};
use cuda_rt::error::Code;
use cuda_rt::{Context, Device, Stream};
use cuda_sim::{Config, Machine};
use cuda_suite::{Refusal, invalid};
use proptest::prelude::*;

const CONTEXTS: usize = 4;

#[derive(Debug, Clone)]
enum Step {
    Push(usize),
    Pop,
    Set(usize),
    Enter(usize),
    /// Drops one of the guards.
    Leave(prop::sample::Index),
    /// A call that needs a context.
    Call(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0..CONTEXTS).prop_map(Step::Push),
        2 => Just(Step::Pop),
        1 => (0..CONTEXTS).prop_map(Step::Set),
        4 => (0..CONTEXTS).prop_map(Step::Enter),
        4 => any::<prop::sample::Index>().prop_map(Step::Leave),
        3 => (0..CONTEXTS).prop_map(Step::Call),
    ]
}

/// The expected state of a thread.
#[derive(Default)]
struct Model {
    stack: Vec<usize>,
    /// The contexts that guards have pushed, oldest first, and whether the guard is gone.
    levels: Vec<(usize, bool)>,
}

impl Model {
    /// Drops a guard. Returns the errors that the drop hook receives.
    fn leave(&mut self, level: usize) -> Vec<Refusal> {
        let mut told = Vec::new();
        self.levels[level].1 = true;
        let later = self.levels.len() - level - 1;
        if later > 0 {
            told.push(invalid(format!("dropped before {later} later guards of the same thread;")));
        }
        while let Some((context, _)) = self.levels.pop_if(|(_, gone)| *gone) {
            if self.stack.last() == Some(&context) {
                self.stack.pop();
            } else {
                told.push(invalid("another context is current than the one that it entered;"));
            }
        }
        told
    }
}

fn walk(contexts: &[Context], steps: &[Step]) {
    let mut model = Model::default();
    let mut guards: Vec<(usize, ContextGuard<'_>)> = Vec::new();
    for step in steps {
        match step {
            Step::Push(index) => {
                contexts[*index].push().unwrap();
                model.stack.push(*index);
            }
            Step::Pop => match (Context::pop(), model.stack.pop()) {
                (Ok(popped), Some(expected)) => assert_eq!(popped, contexts[expected].as_raw()),
                (Err(error), None) => assert_eq!(error.code(), Some(Code::InvalidContext)),
                (popped, expected) => panic!("{popped:?}, not {expected:?}"),
            },
            Step::Set(index) => {
                contexts[*index].set_current().unwrap();
                model.stack.pop();
                model.stack.push(*index);
            }
            Step::Enter(index) => {
                guards.push((model.levels.len(), contexts[*index].enter().unwrap()));
                model.stack.push(*index);
                model.levels.push((*index, false));
            }
            Step::Leave(which) if !guards.is_empty() => {
                let (level, guard) = guards.remove(which.index(guards.len()));
                drop(guard);
                assert_eq!(told(), model.leave(level));
            }
            Step::Leave(_) => {}
            Step::Call(index) => {
                let stream = Stream::new(&contexts[*index]).unwrap();
                stream.synchronize().unwrap();
            }
        }
        let current = Context::current_raw().unwrap();
        assert_eq!(current, model.stack.last().map(|top| contexts[*top].as_raw()), "{step:?}");
        assert_eq!(told(), Vec::<Refusal>::new(), "{step:?}");
    }
    for (level, guard) in guards.into_iter().rev() {
        drop(guard);
        assert_eq!(told(), model.leave(level));
    }
    while let Some(top) = model.stack.pop() {
        assert_eq!(Context::pop().unwrap(), contexts[top].as_raw());
    }
    assert!(Context::pop().is_err());
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn current_context_follows_the_stack(
        threads in prop::collection::vec(prop::collection::vec(step(), 1..60), 1..4)
    ) {
        let (_machine, _entered) = machine(Config::default());
        let contexts: Vec<Context> = (0..CONTEXTS)
            .map(|index| {
                let device = Device::get(index as u32 % 2).unwrap();
                Context::new(device, ContextFlags::default()).unwrap()
            })
            .collect();
        let machine = Machine::current();
        std::thread::scope(|scope| {
            for steps in &threads {
                scope.spawn(|| {
                    let _entered = machine.enter();
                    walk(&contexts, steps);
                });
            }
        });
        drop(contexts);
        prop_assert!(machine.live().is_empty(), "{}", machine.live());
    }
}

//! Random programs over streams, events, buffers, captures, graphs and executable graphs, with drops at any place.
//!
//! The law: safe calls act as if each had ended before the next one began. So a model that does everything at once in memory of its
//! own predicts every value that the program reads. A launch that is not ordered with the streams of its memory reads or leaves a
//! stale value. A graph that does not keep its memory writes to the next buffer at the address.

use crate::setup::{is_since, run_in_child};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{Capture, CaptureOptions, Graph, GraphExec, HostCell, InstantiateOptions};
use cuda_rt::launch::Arg;
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{
    Context, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, PinnedBuf, Result, Stream,
};
use cuda_suite::{Choice, context, driver, reports};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const LEN: usize = 64;
const STREAMS: usize = 3;

type SlowAdd = Kernel<(DevicePtr<u32>, u32, u32)>;
type Words = Rc<RefCell<[u32; LEN]>>;

fn words(value: u32) -> Words {
    Rc::new(RefCell::new([value; LEN]))
}

/// One call that a capture records. Numbers choose among what there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Fill {
        to: u8,
        value: u8,
    },
    Copy {
        to: u8,
        from: u8,
    },
    Add {
        to: u8,
        value: u8,
    },
    Upload {
        to: u8,
        cell: u8,
    },
    Download {
        cell: u8,
        from: u8,
    },
    Host,
    HostWith {
        cell: u8,
    },
    /// Two buffers, each filled in a branch of its own.
    Fork {
        left: u8,
        right: u8,
        value: u8,
    },
    /// A copy by way of memory of the graph.
    Temporary {
        to: u8,
        from: u8,
    },
}

/// One step of a program.
#[derive(Debug, Clone)]
enum Action {
    MakeBuffer {
        home: u8,
        value: u8,
    },
    DropBuffer {
        which: u8,
    },
    Fill {
        which: u8,
        value: u8,
    },
    Copy {
        to: u8,
        from: u8,
    },
    Check {
        which: u8,
    },
    MoveTo {
        which: u8,
        home: u8,
    },
    WaitFor {
        stream: u8,
        other: u8,
    },
    Capture {
        steps: Vec<Step>,
    },
    Instantiate {
        which: u8,
    },
    DropGraph {
        which: u8,
    },
    Launch {
        which: u8,
        stream: u8,
    },
    /// Captures the same calls with other operands, and updates an executable graph with them.
    Update {
        which: u8,
        shift: u8,
    },
    DropProgram {
        which: u8,
    },
    WriteCell {
        which: u8,
        value: u8,
    },
    CheckCell {
        which: u8,
    },
    LaunchLocked {
        which: u8,
        cell: u8,
    },
    DropStream {
        which: u8,
    },
    /// The cell is another one from then on. Graphs keep the old one.
    ReplaceCell {
        which: u8,
        value: u8,
    },
    /// The kernel is of another module from then on. Graphs keep the old one.
    LoadAgain,
}

impl Step {
    fn uses_cell(self) -> bool {
        matches!(self, Step::Upload { .. } | Step::Download { .. } | Step::HostWith { .. })
    }
}

fn step() -> impl Strategy<Value = Step> {
    let n = any::<u8>;
    prop_oneof![
        2 => (n(), n()).prop_map(|(to, value)| Step::Fill { to, value }),
        3 => (n(), n()).prop_map(|(to, from)| Step::Copy { to, from }),
        3 => (n(), n()).prop_map(|(to, value)| Step::Add { to, value }),
        1 => (n(), n()).prop_map(|(to, cell)| Step::Upload { to, cell }),
        1 => (n(), n()).prop_map(|(cell, from)| Step::Download { cell, from }),
        1 => Just(Step::Host),
        1 => n().prop_map(|cell| Step::HostWith { cell }),
        1 => (n(), n(), n()).prop_map(|(left, right, value)| Step::Fork { left, right, value }),
        1 => (n(), n()).prop_map(|(to, from)| Step::Temporary { to, from }),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let n = any::<u8>;
    prop_oneof![
        4 => (n(), n()).prop_map(|(home, value)| Action::MakeBuffer { home, value }),
        3 => n().prop_map(|which| Action::DropBuffer { which }),
        2 => (n(), n()).prop_map(|(which, value)| Action::Fill { which, value }),
        2 => (n(), n()).prop_map(|(to, from)| Action::Copy { to, from }),
        3 => n().prop_map(|which| Action::Check { which }),
        1 => (n(), n()).prop_map(|(which, home)| Action::MoveTo { which, home }),
        1 => (n(), n()).prop_map(|(stream, other)| Action::WaitFor { stream, other }),
        3 => prop::collection::vec(step(), 0..6).prop_map(|steps| Action::Capture { steps }),
        3 => n().prop_map(|which| Action::Instantiate { which }),
        2 => n().prop_map(|which| Action::DropGraph { which }),
        8 => (n(), n()).prop_map(|(which, stream)| Action::Launch { which, stream }),
        2 => (n(), n()).prop_map(|(which, shift)| Action::Update { which, shift }),
        2 => n().prop_map(|which| Action::DropProgram { which }),
        1 => (n(), n()).prop_map(|(which, value)| Action::WriteCell { which, value }),
        1 => n().prop_map(|which| Action::CheckCell { which }),
        1 => (n(), n()).prop_map(|(which, cell)| Action::LaunchLocked { which, cell }),
        1 => n().prop_map(|which| Action::DropStream { which }),
        1 => (n(), n()).prop_map(|(which, value)| Action::ReplaceCell { which, value }),
        1 => Just(Action::LoadAgain),
    ]
}

struct Buffer {
    device: DeviceBuf<u32>,
    model: Words,
}

struct HostMemory {
    cell: HostCell<PinnedBuf<u32>>,
    model: Words,
}

/// The effect of one recorded call on the model.
enum Effect {
    Fill(Words, u32),
    Copy(Words, Words),
    Add(Words, u32),
    Count,
}

/// The calls that a graph was made of.
#[derive(Clone)]
struct Recipe {
    steps: Rc<Vec<Step>>,
    effects: Rc<Vec<Effect>>,
    /// The cells that it uses.
    cells: Vec<Words>,
    has_memory: bool,
}

impl Recipe {
    fn uses(&self, cell: &Words) -> bool {
        self.cells.iter().any(|used| Rc::ptr_eq(used, cell))
    }
}

struct Program {
    exec: GraphExec,
    recipe: Recipe,
}

struct World {
    context: Context,
    streams: Vec<Stream>,
    per_thread: PerThreadStream,
    add: SlowAdd,
    rounds: u32,
    buffers: Vec<Buffer>,
    cells: Vec<HostMemory>,
    graphs: Vec<(Graph, Recipe)>,
    programs: Vec<Program>,
    host_calls: Arc<AtomicU32>,
    expected_calls: Cell<u32>,
}

/// Adds a number to the elements, after so many rounds of nothing.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry slow_add(.param .u64 at, .param .u32 value, .param .u32 rounds) {
        .reg .b64 %a; .reg .b64 %o; .reg .b32 %r<5>; .reg .pred %p;
        ld.param.u64 %a, [at]; ld.param.u32 %r0, [value]; ld.param.u32 %r1, [rounds];
        mov.u32 %r2, %tid.x; mul.wide.u32 %o, %r2, 4; add.u64 %a, %a, %o;
        ld.global.u32 %r3, [%a]; mov.u32 %r4, 0;
        again: add.u32 %r4, %r4, 1; setp.lt.u32 %p, %r4, %r1; @%p bra again;
        add.u32 %r3, %r3, %r0; sub.u32 %r4, %r4, %r1; add.u32 %r3, %r3, %r4; st.global.u32 [%a], %r3; ret; }";

fn choose(number: u8, len: usize) -> Option<usize> {
    usize::from(number).checked_rem(len)
}

fn slow_add(context: &Context) -> SlowAdd {
    Module::from_ptx(context, PTX).unwrap().function("slow_add").unwrap().typed().unwrap()
}

fn host_memory(context: &Context, value: u32) -> HostMemory {
    HostMemory {
        cell: HostCell::new(PinnedBuf::from_slice(context, &[value; LEN]).unwrap()),
        model: words(value),
    }
}

impl World {
    fn new() -> World {
        let context = context();
        World {
            streams: (0..STREAMS).map(|_| Stream::new(&context).unwrap()).collect(),
            per_thread: PerThreadStream::new(&context),
            add: slow_add(&context),
            rounds: if driver() == Choice::Real { 20_000 } else { 100 },
            buffers: Vec::new(),
            cells: vec![host_memory(&context, 1), host_memory(&context, 2)],
            graphs: Vec::new(),
            programs: Vec::new(),
            host_calls: Arc::default(),
            expected_calls: Cell::new(0),
            context,
        }
    }

    /// Records the steps. Steps without their operands record nothing.
    fn capture(&mut self, steps: &[Step]) -> Result<(Graph, Recipe)> {
        let mut effects = Vec::new();
        let mut cells = Vec::new();
        let mut recorded = Vec::new();
        let may_allocate = is_since(11, 4);
        // Older drivers do not tell the order of branches, which cells need.
        let has_fork = is_since(11, 3) || !steps.iter().any(|step| step.uses_cell());
        let World { context, buffers, cells: host, add, rounds, host_calls, .. } = self;
        let (graph, ()) = Graph::capture(context, CaptureOptions::new(), |capture| {
            for step in steps {
                if !has_fork && matches!(step, Step::Fork { .. }) {
                    continue;
                }
                if record(
                    capture,
                    *step,
                    buffers,
                    host,
                    (add, *rounds),
                    host_calls,
                    may_allocate,
                    &mut effects,
                    &mut cells,
                )? {
                    recorded.push(*step);
                }
            }
            Ok(())
        })?;
        let has_memory = recorded.iter().any(|step| matches!(step, Step::Temporary { .. }));
        Ok((graph, Recipe { steps: Rc::new(recorded), effects: Rc::new(effects), cells, has_memory }))
    }

    fn run_model(&self, recipe: &Recipe) {
        for effect in recipe.effects.iter() {
            match effect {
                Effect::Fill(to, value) => *to.borrow_mut() = [*value; LEN],
                Effect::Copy(to, from) => {
                    let value = *from.borrow();
                    *to.borrow_mut() = value;
                }
                Effect::Add(to, value) => {
                    to.borrow_mut().iter_mut().for_each(|word| *word = word.wrapping_add(*value));
                }
                Effect::Count => self.expected_calls.set(self.expected_calls.get() + 1),
            }
        }
    }

    fn check(&self, which: usize) -> std::result::Result<(), String> {
        let Buffer { device, model } = &self.buffers[which];
        let (read, expected) = (device.to_vec().unwrap(), *model.borrow());
        if read == expected {
            Ok(())
        } else {
            Err(format!("buffer {which}: {read:?} in place of {expected:?}"))
        }
    }

    fn check_cell(&self, which: usize) -> std::result::Result<(), String> {
        let HostMemory { cell, model } = &self.cells[which];
        let (read, expected) = (cell.lock().unwrap().to_vec(), *model.borrow());
        if read == expected {
            Ok(())
        } else {
            Err(format!("cell {which}: {read:?} in place of {expected:?}"))
        }
    }

    fn act(&mut self, action: &Action) -> std::result::Result<(), String> {
        let stream_of = |number: u8| usize::from(number) % STREAMS;
        match action {
            Action::MakeBuffer { home, value } => {
                let home = &self.streams[stream_of(*home)];
                let value = u32::from(*value);
                let device = DeviceBuf::from_host(home, &[value; LEN]).unwrap();
                self.buffers.push(Buffer { device, model: words(value) });
            }
            Action::DropBuffer { which } => {
                if let Some(which) = choose(*which, self.buffers.len()) {
                    drop(self.buffers.swap_remove(which));
                }
            }
            Action::Fill { which, value } => {
                if let Some(which) = choose(*which, self.buffers.len()) {
                    let Buffer { device, model } = &mut self.buffers[which];
                    device.as_slice_mut().fill(u32::from(*value)).unwrap();
                    *model.borrow_mut() = [u32::from(*value); LEN];
                }
            }
            Action::Copy { to, from } => {
                if let (Some(to), Some(from)) =
                    (choose(*to, self.buffers.len()), choose(*from, self.buffers.len()))
                    && to != from
                {
                    let value = *self.buffers[from].model.borrow();
                    let mut target = self.buffers.swap_remove(to);
                    let from = if from == self.buffers.len() { to } else { from };
                    target.device.copy_from_device(self.buffers[from].device.as_slice()).unwrap();
                    *target.model.borrow_mut() = value;
                    self.buffers.push(target);
                }
            }
            Action::Check { which } => {
                if let Some(which) = choose(*which, self.buffers.len()) {
                    self.check(which)?;
                }
            }
            Action::MoveTo { which, home } => {
                if let Some(which) = choose(*which, self.buffers.len()) {
                    let home = self.streams[stream_of(*home)].clone();
                    match self.buffers[which].device.move_to(&home) {
                        Err(error) if error.kind() != ErrorKind::HeldByGraph => return Err(error.to_string()),
                        _ => {}
                    }
                }
            }
            Action::WaitFor { stream, other } => {
                let event = Event::new(&self.context).unwrap();
                event.record(&self.streams[stream_of(*other)]).unwrap();
                self.streams[stream_of(*stream)].wait_event(&event).unwrap();
            }
            Action::Capture { steps } => {
                let captured = self.capture(steps).map_err(|error| error.to_string())?;
                self.graphs.push(captured);
            }
            Action::Instantiate { which } => {
                if let Some(which) = choose(*which, self.graphs.len()) {
                    let (graph, recipe) = &mut self.graphs[which];
                    let recipe = recipe.clone();
                    match graph.instantiate(InstantiateOptions::new()) {
                        Ok(exec) => self.programs.push(Program { exec, recipe }),
                        // Such graphs have one executable graph at a time.
                        Err(_) if recipe.has_memory => {}
                        Err(error) => return Err(error.to_string()),
                    }
                }
            }
            Action::DropGraph { which } => {
                if let Some(which) = choose(*which, self.graphs.len()) {
                    drop(self.graphs.swap_remove(which));
                }
            }
            Action::Launch { which, stream } => {
                if let Some(which) = choose(*which, self.programs.len()) {
                    let Program { exec, recipe } = &mut self.programs[which];
                    let stream = usize::from(*stream) % (STREAMS + 1);
                    let launched = match self.streams.get(stream) {
                        Some(stream) => exec.launch(stream),
                        None => exec.launch(&self.per_thread),
                    };
                    launched.map_err(|error| error.to_string())?;
                    let recipe = recipe.clone();
                    self.run_model(&recipe);
                }
            }
            Action::Update { which, shift } => {
                if let Some(which) = choose(*which, self.programs.len()) {
                    let steps: Vec<Step> =
                        self.programs[which].recipe.steps.iter().map(|step| shifted(*step, *shift)).collect();
                    let (mut graph, recipe) = self.capture(&steps).map_err(|error| error.to_string())?;
                    let program = &mut self.programs[which];
                    match program.exec.update(&mut graph) {
                        Ok(()) => program.recipe = recipe,
                        // The old parameters hold.
                        Err(_) if !program.exec.is_poisoned() => {}
                        Err(error) => return Err(error.to_string()),
                    }
                }
            }
            Action::DropProgram { which } => {
                if let Some(which) = choose(*which, self.programs.len()) {
                    drop(self.programs.swap_remove(which));
                }
            }
            Action::WriteCell { which, value } => {
                let which = usize::from(*which) % self.cells.len();
                let HostMemory { cell, model } = &self.cells[which];
                cell.lock().unwrap().fill(u32::from(*value));
                *model.borrow_mut() = [u32::from(*value); LEN];
            }
            Action::CheckCell { which } => self.check_cell(usize::from(*which) % self.cells.len())?,
            Action::LaunchLocked { which, cell } => {
                if let Some(which) = choose(*which, self.programs.len()) {
                    let cell = usize::from(*cell) % self.cells.len();
                    let Program { exec, recipe } = &mut self.programs[which];
                    let recipe = recipe.clone();
                    let guard = self.cells[cell].cell.lock().unwrap();
                    let launched = exec.launch(&self.streams[0]);
                    drop(guard);
                    match launched {
                        Ok(()) if recipe.uses(&self.cells[cell].model) => {
                            return Err("a locked cell was launched".into());
                        }
                        Ok(()) => self.run_model(&recipe),
                        Err(error)
                            if error.kind() == ErrorKind::HostCellLocked
                                && recipe.uses(&self.cells[cell].model) => {}
                        Err(error) => return Err(error.to_string()),
                    }
                }
            }
            Action::DropStream { which } => {
                // Buffers keep the old one.
                self.streams[stream_of(*which)] = Stream::new(&self.context).unwrap();
            }
            Action::ReplaceCell { which, value } => {
                let which = usize::from(*which) % self.cells.len();
                self.cells[which] = host_memory(&self.context, u32::from(*value));
            }
            Action::LoadAgain => self.add = slow_add(&self.context),
        }
        Ok(())
    }

    fn finish(mut self) -> std::result::Result<(), String> {
        (0..self.buffers.len()).try_for_each(|which| self.check(which))?;
        (0..self.cells.len()).try_for_each(|which| self.check_cell(which))?;
        self.programs.clear();
        self.context.synchronize().unwrap();
        let (calls, expected) = (self.host_calls.load(Ordering::SeqCst), self.expected_calls.get());
        if calls == expected {
            Ok(())
        } else {
            Err(format!("{calls} calls of host nodes in place of {expected}"))
        }
    }
}

/// The same call with other operands.
fn shifted(step: Step, by: u8) -> Step {
    let other = |number: u8| number.wrapping_add(by);
    match step {
        Step::Fill { to, value } => Step::Fill { to: other(to), value: other(value) },
        Step::Copy { to, from } => Step::Copy { to: other(to), from: other(from) },
        Step::Add { to, value } => Step::Add { to: other(to), value: other(value) },
        Step::Upload { to, cell } => Step::Upload { to: other(to), cell },
        Step::Download { cell, from } => Step::Download { cell, from: other(from) },
        Step::Host => Step::Host,
        Step::HostWith { cell } => Step::HostWith { cell },
        Step::Fork { left, right, value } => Step::Fork { left: other(left), right: other(right), value },
        Step::Temporary { to, from } => Step::Temporary { to: other(to), from: other(from) },
    }
}

/// Records a step. Returns whether there were operands for it.
#[allow(clippy::too_many_arguments)] // parts of the world, which the closure of a capture borrows
fn record(
    capture: &mut Capture<'_>,
    step: Step,
    buffers: &mut [Buffer],
    cells: &[HostMemory],
    (add, rounds): (&SlowAdd, u32),
    host_calls: &Arc<AtomicU32>,
    may_allocate: bool,
    effects: &mut Vec<Effect>,
    used_cells: &mut Vec<Words>,
) -> Result<bool> {
    let count = buffers.len();
    let model = |buffers: &[Buffer], which: usize| Rc::clone(&buffers[which].model);
    let pair = |first: u8, second: u8| {
        let (first, second) = (choose(first, count)?, choose(second, count)?);
        (first != second).then_some((first, second))
    };
    match step {
        Step::Fill { to, value } => {
            let Some(to) = choose(to, count) else { return Ok(false) };
            capture.fill(&mut buffers[to].device, u32::from(value))?;
            effects.push(Effect::Fill(model(buffers, to), u32::from(value)));
        }
        Step::Copy { to, from } => {
            let Some((to, from)) = pair(to, from) else { return Ok(false) };
            let (target, source) = two(buffers, to, from);
            capture.copy(&mut target.device, &source.device)?;
            effects.push(Effect::Copy(model(buffers, to), model(buffers, from)));
        }
        Step::Add { to, value } => {
            let Some(to) = choose(to, count) else { return Ok(false) };
            let device = &buffers[to].device;
            let args = (Arg(device.ptr(), device), u32::from(value), rounds);
            // SAFETY: as many threads as elements change one element each, and the graph keeps the buffer.
            unsafe { add.with(LaunchConfig::new(1, LEN as u32)).launch(capture, args) }?;
            effects.push(Effect::Add(model(buffers, to), u32::from(value)));
        }
        Step::Upload { to, cell } => {
            let Some(to) = choose(to, count) else { return Ok(false) };
            let cell = usize::from(cell) % cells.len();
            capture.upload(&mut buffers[to].device, &cells[cell].cell)?;
            effects.push(Effect::Copy(model(buffers, to), Rc::clone(&cells[cell].model)));
            used_cells.push(Rc::clone(&cells[cell].model));
        }
        Step::Download { cell, from } => {
            let Some(from) = choose(from, count) else { return Ok(false) };
            let cell = usize::from(cell) % cells.len();
            capture.download(&cells[cell].cell, &buffers[from].device)?;
            effects.push(Effect::Copy(Rc::clone(&cells[cell].model), model(buffers, from)));
            used_cells.push(Rc::clone(&cells[cell].model));
        }
        Step::Host => {
            let calls = Arc::clone(host_calls);
            capture.host(move || {
                calls.fetch_add(1, Ordering::SeqCst);
            })?;
            effects.push(Effect::Count);
        }
        Step::HostWith { cell } => {
            let cell = usize::from(cell) % cells.len();
            capture.host_with(&cells[cell].cell, |elements: &mut [u32]| {
                elements.iter_mut().for_each(|element| *element = element.wrapping_add(3));
            })?;
            effects.push(Effect::Add(Rc::clone(&cells[cell].model), 3));
            used_cells.push(Rc::clone(&cells[cell].model));
        }
        Step::Fork { left, right, value } => {
            let Some((left, right)) = pair(left, right) else { return Ok(false) };
            let value = u32::from(value);
            let (first, second) = two(buffers, left, right);
            capture.fork(|c| c.fill(&mut first.device, value), |c| c.fill(&mut second.device, value + 1))?;
            effects.push(Effect::Fill(model(buffers, left), value));
            effects.push(Effect::Fill(model(buffers, right), value + 1));
        }
        Step::Temporary { to, from } => {
            let Some((to, from)) = pair(to, from).filter(|_| may_allocate) else { return Ok(false) };
            let (target, source) = two(buffers, to, from);
            capture.temporary(LEN, |c, memory| {
                c.copy(memory, &source.device)?;
                c.copy(&mut target.device, memory)
            })?;
            effects.push(Effect::Copy(model(buffers, to), model(buffers, from)));
        }
    }
    Ok(true)
}

/// Two different elements.
fn two<T>(of: &mut [T], first: usize, second: usize) -> (&mut T, &mut T) {
    let [first, second] = of.get_disjoint_mut([first, second]).unwrap();
    (first, second)
}

fn run(actions: &[Action]) -> std::result::Result<(), String> {
    let mut world = World::new();
    for action in actions {
        world.act(action)?;
    }
    world.finish()
}

/// Runs random programs in this process, which runs nothing else: the drop hook is the process's.
#[test]
#[ignore = "run by the test below"]
fn run_random_programs() {
    driver();
    let programs = std::env::var("RANDOM_PROGRAMS").ok().and_then(|number| number.parse().ok());
    let config = Config { cases: programs.unwrap_or(60), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let mut outcome = Ok(());
    let told = reports(|| {
        let programs = prop::collection::vec(action(), 1..60);
        outcome = runner.run(&programs, |actions| run(&actions).map_err(TestCaseError::fail));
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    assert_eq!(told, Vec::<String>::new());
}

/// `RANDOM_PROGRAMS` says how many programs each process runs. On the software driver there is a process for each of several
/// schedules, with handles and addresses that are used again at once; `CUDA_SIM` names another one.
#[test]
fn programs_read_what_program_order_predicts() {
    let schedules: &[&str] = match driver() {
        Choice::Sim if std::env::var_os("CUDA_SIM").is_none() => {
            &["eager", "lazy", "random:1", "random:2", "random:3", "random:4", "replay:"]
        }
        _ => &[""],
    };
    for schedule in schedules {
        let setting =
            if schedule.is_empty() { String::new() } else { format!("schedule={schedule},handles=recycled") };
        run_in_child("random_programs::run_random_programs", &setting);
    }
}

//! Random programs over buffers, streams, captures, executable graphs and cells, with random drops, against a model.
//!
//! Work of one home stream comes in the order of the program, and launches are ordered with all homes. So the model runs each
//! step at once. A value that differs was read too early or too late, or from memory that was freed and used again.

use crate::setup::{capture, instantiate, is_since, place};
use cuda_rt::graph::{Capture, Graph, GraphExec, HostCell};
use cuda_rt::{DeviceBuf, PinnedBuf, Result, Stream};

const LEN: usize = 64;

/// Numbers that depend on a seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn number(&mut self) -> u32 {
        self.below(1 << 30) as u32
    }
}

/// A node, with the places of its memory and its cell.
#[derive(Debug, Clone)]
enum Step {
    Fill(usize, u32),
    Copy(usize, usize),
    Upload(usize, usize),
    Download(usize, usize),
    Child(Vec<Step>),
}

struct Memory {
    /// `None` once the program has dropped it. Graphs may go on with the memory.
    handle: Option<DeviceBuf<u32>>,
    value: u32,
}

struct Program {
    random: Random,
    streams: Vec<Stream>,
    memory: Vec<Memory>,
    cells: Vec<(HostCell<PinnedBuf<u32>>, u32)>,
    graphs: Vec<(Graph, Vec<Step>)>,
    executables: Vec<(GraphExec, Vec<Step>)>,
}

impl Program {
    fn new(seed: u64) -> Program {
        let (context, stream) = place();
        let streams = vec![stream, Stream::new(&context).unwrap(), Stream::new(&context).unwrap()];
        let cell = || (HostCell::new(PinnedBuf::<u32>::zeroed(&context, LEN).unwrap()), 0);
        let cells = vec![cell(), cell()];
        let (memory, graphs, executables) = (Vec::new(), Vec::new(), Vec::new());
        Program { random: Random(seed), streams, memory, cells, graphs, executables }
    }

    fn allocate(&mut self) {
        let (value, stream) = (self.random.number(), self.random.below(self.streams.len()));
        let buffer = DeviceBuf::from_host(&self.streams[stream], &[value; LEN]).unwrap();
        self.memory.push(Memory { handle: Some(buffer), value });
    }

    /// The place of some memory that the program has.
    fn some(&mut self) -> Option<usize> {
        let live: Vec<usize> =
            (0..self.memory.len()).filter(|at| self.memory[*at].handle.is_some()).collect();
        if live.is_empty() { None } else { Some(live[self.random.below(live.len())]) }
    }

    fn plan(&mut self) -> Option<Step> {
        let at = self.some()?;
        let cell = self.random.below(self.cells.len());
        Some(match self.random.below(5) {
            0 => Step::Fill(at, self.random.number()),
            1 => Step::Upload(at, cell),
            2 => Step::Download(cell, at),
            _ => match self.some()? {
                other if other == at => Step::Fill(at, self.random.number()),
                other => Step::Copy(at, other),
            },
        })
    }

    fn record(&mut self, c: &Capture<'_>, step: &Step) -> Result<()> {
        let handle = |at: usize| self.memory[at].handle.as_ref().unwrap();
        match *step {
            Step::Download(cell, from) => c.download(&self.cells[cell].0, handle(from)),
            Step::Fill(to, _) | Step::Copy(to, _) | Step::Upload(to, _) => {
                let mut own = self.memory[to].handle.take().unwrap();
                let recorded = match *step {
                    Step::Fill(_, value) => c.fill(&mut own, value),
                    Step::Copy(_, from) => c.copy(&mut own, self.memory[from].handle.as_ref().unwrap()),
                    _ => {
                        let Step::Upload(_, cell) = *step else { unreachable!() };
                        c.upload(&mut own, &self.cells[cell].0)
                    }
                };
                self.memory[to].handle = Some(own);
                recorded
            }
            Step::Child(_) => Ok(()),
        }
    }

    fn capture(&mut self) {
        let steps: Vec<Step> = (0..=self.random.below(4)).filter_map(|_| self.plan()).collect();
        let with_child = is_since(11, 3) && !self.graphs.is_empty() && self.random.below(3) == 0;
        let mut child = with_child.then(|| {
            let at = self.random.below(self.graphs.len());
            self.graphs.swap_remove(at)
        });
        let mut all = Vec::new();
        let graph = capture(|c| {
            if let Some((graph, steps)) = &mut child {
                c.child(graph)?;
                all.push(Step::Child(steps.clone()));
            }
            for step in &steps {
                self.record(c, step)?;
                all.push(step.clone());
            }
            Ok(())
        });
        // Half of the children are dropped here.
        self.graphs.extend(child.filter(|_| self.random.below(2) == 0));
        self.graphs.push((graph, all));
    }

    /// Runs steps in the model.
    fn run(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Fill(to, value) => self.memory[*to].value = *value,
                Step::Copy(to, from) => self.memory[*to].value = self.memory[*from].value,
                Step::Upload(to, cell) => self.memory[*to].value = self.cells[*cell].1,
                Step::Download(cell, from) => self.cells[*cell].1 = self.memory[*from].value,
                Step::Child(steps) => self.run(steps),
            }
        }
    }

    fn check_memory(&self, at: usize) {
        let Memory { handle, value } = &self.memory[at];
        if let Some(buffer) = handle {
            assert_eq!(buffer.to_vec().unwrap(), [*value; LEN]);
        }
    }

    fn step(&mut self) {
        match self.random.below(14) {
            0 | 1 => self.allocate(),
            2 | 3 => self.capture(),
            4 if !self.graphs.is_empty() => {
                let at = self.random.below(self.graphs.len());
                let (graph, steps) = &mut self.graphs[at];
                let made = (instantiate(graph), steps.clone());
                self.executables.push(made);
            }
            5..=7 if !self.executables.is_empty() => {
                let at = self.random.below(self.executables.len());
                let stream = self.random.below(self.streams.len());
                let (program, steps) = &mut self.executables[at];
                program.launch(&self.streams[stream]).unwrap();
                let steps = steps.clone();
                self.run(&steps);
            }
            8 => {
                if let Some(at) = self.some() {
                    self.memory[at].handle = None;
                }
            }
            9 if !self.graphs.is_empty() => {
                let at = self.random.below(self.graphs.len());
                drop(self.graphs.swap_remove(at));
            }
            10 if !self.executables.is_empty() => {
                let at = self.random.below(self.executables.len());
                drop(self.executables.swap_remove(at));
            }
            11 => {
                let (at, value) = (self.random.below(self.cells.len()), self.random.number());
                let (cell, known) = &mut self.cells[at];
                let mut elements = cell.lock().unwrap();
                assert_eq!(*elements, [*known; LEN]);
                elements.fill(value);
                *known = value;
            }
            12 => {
                if let Some(at) = self.some() {
                    let value = self.random.number();
                    let memory = &mut self.memory[at];
                    memory.handle.as_mut().unwrap().as_slice_mut().fill(value).unwrap();
                    memory.value = value;
                }
            }
            _ => {
                if let Some(at) = self.some() {
                    self.check_memory(at);
                }
            }
        }
    }
}

#[test]
fn random_programs_agree_with_the_model() {
    let programs = std::env::var("GRAPH_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    for seed in 0..programs {
        let mut program = Program::new(seed);
        (0..120).for_each(|_| program.step());
        (0..program.memory.len()).for_each(|at| program.check_memory(at));
        for (cell, known) in &program.cells {
            assert_eq!(*cell.lock().unwrap(), [*known; LEN], "program {seed}");
        }
    }
}

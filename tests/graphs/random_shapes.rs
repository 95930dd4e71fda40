//! Random changes of the nodes and edges of a graph, with executable graphs that are updated and changed.
//!
//! Nodes are host functions. A model says which functions a launch runs. No function runs after it was dropped.

use crate::setup::run_in_child;
use cuda_rt::error::Code;
use cuda_rt::graph::{AddNodes, EdgeData, Graph, GraphExec, HostNode, Node, SetNodes};
use cuda_rt::{Context, Stream};
use cuda_suite::{Choice, context, driver};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// A step of a program. Numbers choose among what there is.
#[derive(Debug, Clone, Copy)]
enum Action {
    AddNode { after: Option<u8> },
    RemoveNode { node: u8 },
    AddEdge { from: u8, to: u8 },
    RemoveEdge { edge: u8 },
    ReverseEdge { edge: u8 },
    SetInGraph { node: u8 },
    Instantiate,
    SetInExecutable { which: u8, node: u8 },
    Update { which: u8 },
    Launch { which: u8 },
    DropExecutable { which: u8 },
    ReplaceGraph,
}

fn action() -> impl Strategy<Value = Action> {
    let n = any::<u8>;
    prop_oneof![
        4 => prop::option::of(n()).prop_map(|after| Action::AddNode { after }),
        2 => n().prop_map(|node| Action::RemoveNode { node }),
        2 => (n(), n()).prop_map(|(from, to)| Action::AddEdge { from, to }),
        1 => n().prop_map(|edge| Action::RemoveEdge { edge }),
        2 => n().prop_map(|edge| Action::ReverseEdge { edge }),
        2 => n().prop_map(|node| Action::SetInGraph { node }),
        3 => Just(Action::Instantiate),
        4 => (n(), n()).prop_map(|(which, node)| Action::SetInExecutable { which, node }),
        4 => n().prop_map(|which| Action::Update { which }),
        4 => n().prop_map(|which| Action::Launch { which }),
        1 => n().prop_map(|which| Action::DropExecutable { which }),
        1 => Just(Action::ReplaceGraph),
    ]
}

/// The functions that ran, were dropped, and ran after that.
#[derive(Default)]
struct Log {
    ran: Vec<u32>,
    dropped: BTreeSet<u32>,
    late: Vec<u32>,
}

/// The state of a host function.
struct Function {
    number: u32,
    log: Arc<Mutex<Log>>,
}

impl Function {
    fn run(&self) {
        let mut log = self.log.lock().unwrap();
        log.ran.push(self.number);
        if log.dropped.contains(&self.number) {
            log.late.push(self.number);
        }
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        self.log.lock().unwrap().dropped.insert(self.number);
    }
}

/// A node by its number, with the number of its function.
type Functions = BTreeMap<u32, u32>;

struct Executable {
    program: GraphExec,
    graph: u32,
    /// The functions of the nodes; `None` after an update that paired nodes with others.
    named: Option<Functions>,
    /// The functions that a launch runs; `None` if a setter took a node that the executable graph does not know.
    runs: Option<Vec<u32>>,
    shape: u32,
}

struct World {
    context: Context,
    stream: Stream,
    log: Arc<Mutex<Log>>,
    graph: Graph,
    graph_number: u32,
    nodes: Vec<(u32, Node<HostNode>)>,
    functions: Functions,
    edges: Vec<(u32, u32)>,
    shape: u32,
    executables: Vec<Executable>,
    numbers: u32,
}

fn choose<T: Copy>(number: u8, of: &[T]) -> Option<T> {
    of.get(usize::from(number).checked_rem(of.len())?).copied()
}

impl World {
    fn new() -> World {
        let context = context();
        World {
            stream: Stream::new(&context).unwrap(),
            graph: Graph::new(&context).unwrap(),
            context,
            log: Arc::default(),
            graph_number: 0,
            nodes: Vec::new(),
            functions: Functions::new(),
            edges: Vec::new(),
            shape: 0,
            executables: Vec::new(),
            numbers: 0,
        }
    }

    fn function(&mut self) -> (u32, impl Fn() + Send + Sync + use<>) {
        self.numbers += 1;
        let function = Function { number: self.numbers, log: Arc::clone(&self.log) };
        (self.numbers, move || function.run())
    }

    fn node(&self, number: u32) -> Node<HostNode> {
        self.nodes.iter().find(|(of, _)| *of == number).unwrap().1
    }

    fn has_path(&self, from: u32, to: u32) -> bool {
        from == to || self.edges.iter().any(|(first, next)| *first == from && self.has_path(*next, to))
    }

    fn connect(&mut self, from: u32, to: u32) {
        if self.has_path(to, from) || self.edges.contains(&(from, to)) {
            return;
        }
        let (first, next) = (self.node(from).any(), self.node(to).any());
        self.graph.add_edge(first, next, EdgeData::default()).unwrap();
        self.edges.push((from, to));
        self.shape += 1;
    }

    fn disconnect(&mut self, (from, to): (u32, u32)) {
        let (first, next) = (self.node(from).any(), self.node(to).any());
        self.graph.remove_edge(first, next, EdgeData::default()).unwrap();
        self.edges.retain(|edge| *edge != (from, to));
        self.shape += 1;
    }

    fn executable(&mut self, which: u8) -> Option<&mut Executable> {
        let len = self.executables.len();
        self.executables.get_mut(usize::from(which).checked_rem(len)?)
    }

    fn act(&mut self, action: Action) -> std::result::Result<(), String> {
        let numbers: Vec<u32> = self.nodes.iter().map(|(number, _)| *number).collect();
        match action {
            Action::AddNode { after } => {
                let after = after.and_then(|after| choose(after, &numbers));
                let (number, function) = self.function();
                let names: Vec<_> = after.iter().map(|after| self.node(*after).any()).collect();
                let node = self.graph.host(&names, function).unwrap();
                self.nodes.push((number, node));
                self.functions.insert(number, number);
                self.edges.extend(after.map(|after| (after, number)));
                self.shape += 1;
            }
            Action::RemoveNode { node } => {
                let Some(number) = choose(node, &numbers) else { return Ok(()) };
                self.graph.remove_node(self.node(number).any()).unwrap();
                self.nodes.retain(|(of, _)| *of != number);
                self.functions.remove(&number);
                self.edges.retain(|(from, to)| *from != number && *to != number);
                self.shape += 1;
            }
            Action::AddEdge { from, to } => {
                if let (Some(from), Some(to)) = (choose(from, &numbers), choose(to, &numbers)) {
                    self.connect(from, to);
                }
            }
            Action::RemoveEdge { edge } => {
                if let Some(edge) = choose(edge, &self.edges) {
                    self.disconnect(edge);
                }
            }
            Action::ReverseEdge { edge } => {
                if let Some(edge) = choose(edge, &self.edges) {
                    self.disconnect(edge);
                    self.connect(edge.1, edge.0);
                }
            }
            Action::SetInGraph { node } => {
                let Some(node) = choose(node, &numbers) else { return Ok(()) };
                let (number, function) = self.function();
                self.graph.set_host(self.node(node), function).unwrap();
                self.functions.insert(node, number);
            }
            Action::Instantiate => {
                let program = self.graph.instantiate(Default::default()).unwrap();
                let (named, runs) = (self.functions.clone(), self.functions.values().copied().collect());
                let (graph, shape) = (self.graph_number, self.shape);
                self.executables.push(Executable {
                    program,
                    graph,
                    named: Some(named),
                    runs: Some(runs),
                    shape,
                });
            }
            Action::SetInExecutable { which, node } => self.set_in_executable(which, node)?,
            Action::Update { which } => self.update(which)?,
            Action::Launch { which } => self.launch(which)?,
            Action::DropExecutable { which } => {
                if let Some(which) = usize::from(which).checked_rem(self.executables.len()) {
                    drop(self.executables.swap_remove(which));
                }
            }
            Action::ReplaceGraph => {
                self.graph = Graph::new(&self.context).unwrap();
                self.graph_number += 1;
                self.nodes.clear();
                self.functions.clear();
                self.edges.clear();
            }
        }
        Ok(())
    }

    fn set_in_executable(&mut self, which: u8, node: u8) -> std::result::Result<(), String> {
        let Some((of, node)) = choose(node, &self.nodes) else { return Ok(()) };
        let (number, function) = self.function();
        let graph = self.graph_number;
        let Some(executable) = self.executable(which) else { return Ok(()) };
        let set = executable.program.set_host(node, function);
        let is_own = executable.graph == graph;
        match (&mut executable.named, set) {
            (Some(named), Ok(())) if is_own && named.contains_key(&of) => {
                named.insert(of, number);
                executable.runs = executable.runs.is_some().then(|| named.values().copied().collect());
            }
            (Some(_), Ok(())) if is_own => executable.runs = None,
            (Some(named), Err(error)) if is_own && named.contains_key(&of) => {
                return Err(format!("{of} is a node of the executable graph: {error}"));
            }
            (_, Ok(())) => return Err(format!("{of} is no node of the executable graph")),
            (_, Err(_)) => {}
        }
        Ok(())
    }

    fn update(&mut self, which: u8) -> std::result::Result<(), String> {
        let Some(which) = usize::from(which).checked_rem(self.executables.len()) else { return Ok(()) };
        let executable = &mut self.executables[which];
        let is_same = executable.graph == self.graph_number && executable.shape == self.shape;
        match executable.program.update(&mut self.graph) {
            Ok(()) => {
                executable.runs = Some(self.functions.values().copied().collect());
                executable.named = is_same.then(|| self.functions.clone());
                Ok(())
            }
            Err(error) if !is_same && error.code() == Some(Code::GraphExecUpdateFailure) => Ok(()),
            Err(error) => Err(format!("the graph has the same form: {error}")),
        }
    }

    fn launch(&mut self, which: u8) -> std::result::Result<(), String> {
        let (stream, log) = (self.stream.clone(), Arc::clone(&self.log));
        let Some(executable) = self.executable(which) else { return Ok(()) };
        executable.program.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        let mut log = log.lock().unwrap();
        let mut ran = std::mem::take(&mut log.ran);
        ran.sort_unstable();
        if !log.late.is_empty() {
            return Err(format!("functions {:?} ran after they were dropped", log.late));
        }
        if let Some(expected) = &executable.runs {
            let mut expected = expected.clone();
            expected.sort_unstable();
            if ran != expected {
                return Err(format!("functions {ran:?} ran in place of {expected:?}"));
            }
        }
        Ok(())
    }
}

fn run(actions: &[Action]) -> std::result::Result<(), String> {
    let mut world = World::new();
    actions.iter().try_for_each(|action| world.act(*action))
}

#[test]
#[ignore = "run by the test below"]
fn run_random_shapes() {
    driver();
    let programs = std::env::var("RANDOM_PROGRAMS").ok().and_then(|number| number.parse().ok());
    let config = Config { cases: programs.unwrap_or(200), failure_persistence: None, ..Config::default() };
    let programs = prop::collection::vec(action(), 1..50);
    let outcome =
        TestRunner::new(config).run(&programs, |actions| run(&actions).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// `RANDOM_PROGRAMS` says how many programs each process runs. A failure may crash the process.
#[test]
fn launches_run_the_functions_of_the_model() {
    let settings: &[&str] = match driver() {
        Choice::Sim if std::env::var_os("CUDA_SIM").is_none() => &["", "schedule=lazy,handles=recycled"],
        _ => &[""],
    };
    for setting in settings {
        run_in_child("random_shapes::run_random_shapes", setting);
    }
}

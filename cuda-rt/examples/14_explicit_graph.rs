//! Builds a graph node by node, and launches it three times with another fill value each time.
//!
//! With a path as its argument, the program writes the graph there as DOT text.
//!
//! ```text
//! cargo run --release --example 14_explicit_graph -- graph.dot
//! dot -Tsvg graph.dot >graph.svg
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::graph::{AddNodes, DotFlags, Graph, HostCell, InstantiateOptions, SetNodes};
use cuda_rt::launch::Arg;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, PinnedBuf, Stream};

const PTX: &str = include_str!("vector_add.ptx");
const LEN: usize = 50_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    let add = module.function("vector_add")?.typed::<Args>()?;

    // The program locks a cell to access its memory. No launch uses the memory of a locked cell.
    let input = HostCell::new(PinnedBuf::<f32>::zeroed(&context, LEN)?);
    let output = HostCell::new(PinnedBuf::<f32>::zeroed(&context, LEN)?);
    let mut a = DeviceBuf::<f32>::zeroed(&stream, LEN)?;
    let mut b = DeviceBuf::<f32>::zeroed(&stream, LEN)?;
    let sum = DeviceBuf::<f32>::zeroed(&stream, LEN)?;

    let mut graph = Graph::new(&context)?;
    let upload = graph.upload(&[], &mut a, &input)?;
    // Nothing orders the copy and the fill: they may run at the same time.
    let fill = graph.fill(&[], &mut b, 1.0)?;
    let owners = (Arg(a.ptr(), &a), Arg(b.ptr(), &b), Arg(sum.ptr(), &sum), u32::try_from(LEN)?);
    let config = LaunchConfig::for_elements(LEN, 256);
    // SAFETY: the buffers have LEN elements, and the graph keeps them. The kernel comes after what writes its input, and before
    // what reads its output.
    let kernel = unsafe { graph.kernel(&[upload.any(), fill.any()], &add, config, owners) }?;
    let download = graph.download(&[kernel.any()], &output, &sum)?;
    graph.host_with(&[download.any()], &output, |sums: &mut [f32]| sums[0] = -1.0)?;
    println!("{} nodes, {} edges", graph.node_count()?, graph.edges()?.len());

    match std::env::args().nth(1) {
        Some(path) => graph.write_dot(path, DotFlags::VERBOSE)?,
        None => println!("{} lines of DOT", graph.dot(DotFlags::empty())?.lines().count()),
    }

    let mut program = graph.instantiate(InstantiateOptions::new())?;
    drop((graph, a, sum)); // the executable graph keeps what it uses
    for round in 1..=3_u8 {
        let added = f32::from(round);
        program.set_fill(fill, &mut b, added)?;
        input.lock()?.iter_mut().zip(0_u16..).for_each(|(to, number)| *to = f32::from(number));
        program.launch(&stream)?;
        let sums = output.lock()?; // waits for the launch
        let wrong = (1_u16..).zip(&sums[1..]).find(|(number, sum)| **sum != f32::from(*number) + added);
        match wrong {
            None if sums[0] == -1.0 => println!("round {round}: all sums are right"),
            wrong => return Err(format!("round {round}: {wrong:?}").into()),
        }
    }
    Ok(())
}

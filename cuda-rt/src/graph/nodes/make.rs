//! Checks of new nodes, and their parameters.

#![allow(unsafe_code)]

use super::add::Owner;
use super::copy::CopyParams;
use super::fill::{FillParams, Rows};
use super::host::HostParams;
use super::kernel::KernelParams;
use super::params::Uses;
use crate::context::{Context, different_contexts};
use crate::error::{Error, Result};
use crate::graph::access_order::{Region, Touched};
use crate::graph::capture::{
    CaptureDestination, CaptureSource, Region as Range, memory_of_another_graph, refuse_overlap,
};
use crate::graph::host_cell::HostCell;
use crate::graph::host_node::HostNode;
use crate::graph::keep::{Kept, cannot_be_kept, of_slice};
use crate::handle::ensure_not_in_host_function;
use crate::launch::{Kernel, LaunchArgs, LaunchConfig, with_parameters};
use crate::list::CollectVec;
use crate::memory::{Memcpy3D, PageLocked, PitchedSliceMut};
use bytemuck::NoUninit;
use core::ffi::c_void;
use cuda_sys::{CUDA_MEMCPY3D, CUdeviceptr, CUmemorytype_enum as MemoryType, Symbol};

/// # Safety
///
/// Same as [`AddNodes::kernel`](super::AddNodes::kernel).
pub(super) unsafe fn kernel<A, R>(
    (context, call): (&Context, Symbol),
    kernel: &Kernel<A>,
    config: LaunchConfig,
    args: impl LaunchArgs<A, ()>,
    run: impl FnOnce(&mut KernelParams<'_>) -> Result<R>,
) -> Result<R> {
    let function = kernel.function();
    if function.context() != context {
        return Err(different_contexts(call, [("the kernel", function.context()), ("the graph", context)]));
    }
    let mut kept = Vec::new();
    let mut outcome = Ok(());
    args.probe(&mut |probe| {
        // The caller promises the memory behind bare addresses.
        if !probe.is_owned || outcome.is_err() {
            return;
        }
        match probe.origin.keep() {
            Some(keep) => kept.push(Kept::origin(keep)),
            None => outcome = Err(cannot_be_kept("the owner of an argument")),
        }
    });
    outcome?;
    with_parameters(args, |pointers| {
        // SAFETY: the pointers are of as many arguments as the kernel has parameters, of the same sizes, and are valid until this
        // call returns. The caller promises the rest.
        let mut params = unsafe { KernelParams::new(function, config, pointers, kept) }?;
        run(&mut params)
    })
}

/// A range of device memory, checked.
struct Checked {
    address: CUdeviceptr,
    len: usize,
    /// `None` for memory of the graph.
    kept: Option<Kept>,
    is_of_another_context: bool,
}

/// Checks that a graph can use a range.
fn checked(owner: Owner<'_>, range: &Range<'_>) -> Result<Checked> {
    let (address, len) = (range.address, range.len);
    match (range.owner, range.tag) {
        (Some((home, slot)), _) => Ok(Checked {
            address,
            len,
            kept: Some(of_slice(slot, home)?),
            is_of_another_context: home.context() != owner.context,
        }),
        (None, Some(tag)) if owner.tags.contains(&tag) => {
            Ok(Checked { address, len, kept: None, is_of_another_context: false })
        }
        (None, _) => Err(memory_of_another_graph()),
    }
}

fn refuse_empty(call: Symbol, bytes: usize) -> Result<()> {
    if bytes == 0 {
        return Err(Error::invalid_for(call, format_args!("0 bytes: a node of a graph needs at least one")));
    }
    Ok(())
}

/// Returns the access of a node to contiguous memory.
pub(in crate::graph) fn touched(start: u64, bytes: usize, is_written: bool) -> Option<Touched> {
    Region::bytes(start, bytes).map(|region| Touched { region, is_written })
}

/// A copy of one row. The sides come later.
fn row(bytes: usize) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D { WidthInBytes: bytes, Height: 1, Depth: 1, ..CUDA_MEMCPY3D::default() }
}

pub(in crate::graph) fn copy<T: Copy>(
    owner: Owner<'_>,
    destination: &impl CaptureDestination<T>,
    source: &impl CaptureSource<T>,
) -> Result<CopyParams> {
    let (to, from) = (checked(owner, &destination.region())?, checked(owner, &source.region())?);
    if to.len != from.len {
        return Err(Error::length_mismatch_for(owner.call, from.len, to.len));
    }
    let bytes = to.len.saturating_mul(size_of::<T>());
    refuse_empty(owner.call, bytes)?;
    refuse_overlap(owner.call, to.address, from.address, bytes)?;
    // All contexts share one address space, in which the driver finds the device.
    let kind = if to.is_of_another_context || from.is_of_another_context {
        MemoryType::CU_MEMORYTYPE_UNIFIED
    } else {
        MemoryType::CU_MEMORYTYPE_DEVICE
    };
    let raw = CUDA_MEMCPY3D {
        dstMemoryType: kind,
        dstDevice: to.address,
        srcMemoryType: kind,
        srcDevice: from.address,
        ..row(bytes)
    };
    let touched = [touched(to.address, bytes, true), touched(from.address, bytes, false)];
    let kept = [to.kept, from.kept];
    let uses = Uses {
        kept: kept.into_iter().flatten().collect_vec(),
        touched: touched.into_iter().flatten().collect_vec(),
        ..Uses::default()
    };
    Ok(CopyParams::of_raw(raw, owner.context, uses))
}

pub(in crate::graph) fn upload<T, B>(
    owner: Owner<'_>,
    destination: &impl CaptureDestination<T>,
    source: &HostCell<B>,
) -> Result<CopyParams>
where
    T: NoUninit,
    B: PageLocked<Element = T> + Send + 'static,
{
    let (start, len) = source.place();
    let host = start.as_ptr().cast::<c_void>();
    let (to, bytes) = device_side(owner, &destination.region(), len, size_of::<T>(), |from, to| (from, to))?;
    let raw = CUDA_MEMCPY3D {
        dstMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
        dstDevice: to.address,
        srcMemoryType: MemoryType::CU_MEMORYTYPE_HOST,
        srcHost: host,
        ..row(bytes)
    };
    let touched = [touched(to.address, bytes, true), touched(host.addr() as u64, bytes, false)];
    Ok(CopyParams::of_raw(raw, owner.context, with_cell(to, source, touched)))
}

pub(in crate::graph) fn download<T, B>(
    owner: Owner<'_>,
    destination: &HostCell<B>,
    source: &impl CaptureSource<T>,
) -> Result<CopyParams>
where
    B: PageLocked<Element = T> + Send + 'static,
{
    let (start, len) = destination.place();
    let host = start.as_ptr().cast::<c_void>();
    let (from, bytes) = device_side(owner, &source.region(), len, size_of::<T>(), |to, from| (from, to))?;
    let raw = CUDA_MEMCPY3D {
        dstMemoryType: MemoryType::CU_MEMORYTYPE_HOST,
        dstHost: host,
        srcMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
        srcDevice: from.address,
        ..row(bytes)
    };
    let touched = [touched(host.addr() as u64, bytes, true), touched(from.address, bytes, false)];
    Ok(CopyParams::of_raw(raw, owner.context, with_cell(from, destination, touched)))
}

/// Checks the device's side of a copy with a cell of `len` elements. `order` puts the two lengths in the order source, destination.
fn device_side(
    owner: Owner<'_>,
    range: &Range<'_>,
    len: usize,
    element_bytes: usize,
    order: impl FnOnce(usize, usize) -> (usize, usize),
) -> Result<(Checked, usize)> {
    let side = checked(owner, range)?;
    if side.is_of_another_context {
        return Err(Error::different_contexts(owner.call, "the memory", "the graph"));
    }
    if side.len != len {
        let (from, to) = order(len, side.len);
        return Err(Error::length_mismatch_for(owner.call, from, to));
    }
    let bytes = len.saturating_mul(element_bytes);
    refuse_empty(owner.call, bytes)?;
    Ok((side, bytes))
}

fn with_cell<B: PageLocked + Send + 'static>(
    device: Checked,
    cell: &HostCell<B>,
    touched: [Option<Touched>; 2],
) -> Uses {
    let mut kept = vec![Kept::cell(cell.share())];
    kept.extend(device.kept);
    Uses { kept, touched: touched.into_iter().flatten().collect_vec(), ..Uses::default() }
}

pub(in crate::graph) fn copy_block(owner: Owner<'_>, copy: &Memcpy3D<'_>) -> Result<CopyParams> {
    ensure_not_in_host_function(owner.call)?;
    let copy = copy.node_copy()?;
    if copy.context != owner.context {
        return Err(different_contexts(
            owner.call,
            [("the destination", copy.context), ("the graph", owner.context)],
        ));
    }
    CopyParams::of_block(&copy)
}

pub(in crate::graph) fn fill<T: NoUninit>(
    owner: Owner<'_>,
    destination: &impl CaptureDestination<T>,
    value: &T,
) -> Result<FillParams> {
    let to = checked(owner, &destination.region())?;
    if to.is_of_another_context {
        return Err(Error::different_contexts(owner.call, "the memory", "the graph"));
    }
    let rows = Rows { address: to.address, pitch: 0, width: to.len, height: 1 };
    FillParams::new(rows, bytemuck::bytes_of(value), owner.context, to.kept)
}

pub(in crate::graph) fn fill_rows<T: NoUninit>(
    owner: Owner<'_>,
    rows: &mut PitchedSliceMut<'_, T>,
    value: &T,
) -> Result<FillParams> {
    if rows.stream().context() != owner.context {
        return Err(Error::different_contexts(owner.call, "the memory", "the graph"));
    }
    let kept = of_slice(rows.keep_slot(), rows.stream())?;
    let [width, height, slices] = rows.size();
    if slices > 1 && height != rows.slice_rows() {
        return Err(Error::invalid_for(
            owner.call,
            format_args!(
                "{height} of {} rows of {slices} slices: a node of a graph fills rows at one distance; add a node for each slice",
                rows.slice_rows()
            ),
        ));
    }
    let height = height.saturating_mul(slices);
    let rows = Rows { address: rows.ptr().as_raw(), pitch: rows.pitch(), width, height };
    FillParams::new(rows, bytemuck::bytes_of(value), owner.context, Some(kept))
}

pub(in crate::graph) fn host(function: impl Fn() + Send + Sync + 'static) -> HostParams {
    HostParams::new(HostNode::new(function))
}

pub(in crate::graph) fn host_with<B>(
    cell: &HostCell<B>,
    function: impl Fn(&mut [B::Element]) + Send + Sync + 'static,
) -> HostParams
where
    B: PageLocked + Send + 'static,
    B::Element: Send,
{
    let (start, len) = cell.place();
    let touched = touched(start.as_ptr().addr() as u64, len.saturating_mul(size_of::<B::Element>()), true);
    // SAFETY: the graph keeps the cell alive and locks it for launches. Executable graphs are made only if all uses of the cell
    // are ordered, also if its elements have no bytes.
    let function = unsafe { HostNode::with_cell(cell, function) };
    HostParams::with_cell(function, cell.share(), touched)
}

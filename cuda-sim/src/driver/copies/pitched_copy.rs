//! Copies of blocks with pitches, between host memory, device memory and arrays.
//!
//! A copy is checked when it is requested, which makes a plan of plain numbers. The plan can be executed at any time.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::call_site::CallSite;
use crate::driver::handles::Handle;
use crate::driver::images::array::{Array, Backing};
use crate::driver::memory::device_memory::HOST_END;
use crate::driver::{Answer, State};
use core::ptr::{NonNull, with_exposed_provenance_mut};
use core::sync::atomic::Ordering;
use cuda_sim_engine::Shape;
use cuda_sys::{
    CUarray, CUdevice, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUmemorytype,
    CUmemorytype_enum as MemoryType, CUresult,
};

/// Location of one side of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Location {
    /// Memory of the program.
    Host,
    /// Memory that the driver knows.
    Device,
    Array,
    /// Array with mapped memory for some parts, and the position in it: bytes, rows and slices. Unmapped parts read as
    /// zeros, and writes to them have no effect (measured).
    Mapped(Handle, [u64; 3]),
    /// Array whose deferred memory was never mapped.
    Nowhere,
    /// Copy of memory of the program from the time of the request.
    Staged,
}

/// One side of a copy, ready for execution.
#[derive(Debug, Clone, Copy)]
struct Side {
    location: Location,
    /// Address of the first byte.
    start: u64,
    /// Bytes from row to row, and from slice to slice.
    row: u64,
    slice: u64,
}

impl Side {
    /// Returns the address and the size of each row of a block.
    fn rows(self, block: Block) -> impl Iterator<Item = (u64, u64)> + Clone {
        let rows = (0..block.depth).flat_map(move |slice| (0..block.height).map(move |row| (slice, row)));
        rows.map(move |(slice, row)| (self.start + slice * self.slice + row * self.row, block.width))
    }
}

/// Checked copy, which can be executed several times.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    to: Side,
    from: Side,
    block: Block,
    /// Devices from which the sides are accessed.
    devices: (CUdevice, CUdevice),
    /// Identity of the page-locked or managed memory of each side, if it is such memory.
    host_memory: [Option<u64>; 2],
    staged: Vec<u8>,
    /// True for each side that is memory of the host. Managed memory counts as device memory.
    kinds: [bool; 2],
    /// True if the copy is between memory of two devices, without arrays.
    is_between_devices: bool,
    /// Sticky error with which the copy fails when it runs, if it does.
    fault: Option<CUresult>,
    /// Call that requested it.
    made_by: CallSite,
}

impl Plan {
    /// Returns whether it ends in pageable memory of the program, and whether it begins in such memory.
    pub(crate) fn pageable_ends(&self) -> (bool, bool) {
        (self.to.location == Location::Host, self.from.location == Location::Host)
    }

    /// Returns whether both sides are memory of devices.
    pub(crate) fn is_on_devices(&self, state: &State) -> bool {
        let on_device = |side: &Side| match side.location {
            Location::Array | Location::Mapped(..) | Location::Nowhere => true,
            Location::Device => !state.is_host_memory(side.start),
            Location::Host | Location::Staged => false,
        };
        on_device(&self.to) && on_device(&self.from)
    }

    /// Returns whether it is between memory of two devices, without arrays.
    pub(crate) fn is_between_devices(&self) -> bool {
        self.is_between_devices
    }

    /// Returns the addresses at which its sides start in memory that the driver knows, and the devices that access them.
    pub(crate) fn starts_by_device(&self) -> impl Iterator<Item = (CUdevice, u64)> {
        let sides = [(&self.to, self.devices.0), (&self.from, self.devices.1)];
        let known = sides.into_iter().filter(|(side, _)| side.location == Location::Device);
        known.map(|(side, device)| (device, side.start))
    }

    /// Returns the addresses at which its sides start.
    pub(crate) fn addresses(&self) -> (u64, u64) {
        (self.to.start, self.from.start)
    }

    /// Returns whether it ends in memory that was never mapped. This is detected after the call has returned
    /// (measured).
    pub(crate) fn ends_nowhere(&self) -> bool {
        self.to.location == Location::Nowhere
    }

    /// Returns whether a synchronous copy in a context waits because the context or its memory has the flag for this.
    pub(crate) fn always_waits(&self, state: &State, context: Handle) -> bool {
        let waits =
            |side: &Side| side.location == Location::Device && state.always_waits(context, side.start);
        waits(&self.to) || waits(&self.from)
    }

    /// Returns whether the sides are the same kinds of memory as those of another copy.
    pub(crate) fn has_kinds_of(&self, other: &Plan) -> bool {
        let are_arrays = |plan: &Plan| [&plan.to, &plan.from].map(|side| side.location == Location::Array);
        self.kinds == other.kinds && are_arrays(self) == are_arrays(other)
    }

    /// Returns whether it is a copy of one row, and one side at most is an array (conformance fact V1105).
    pub(crate) fn is_row(&self) -> bool {
        let is_linear = |side: &Side| {
            !matches!(side.location, Location::Array | Location::Mapped(..) | Location::Nowhere)
        };
        let is_array = |side: &Side| side.location == Location::Array;
        let (to, from) = (&self.to, &self.from);
        let has_line =
            is_linear(to) && (is_linear(from) || is_array(from)) || is_array(to) && is_linear(from);
        self.block.height == 1 && self.block.depth == 1 && has_line
    }

    /// Returns its uses of device memory: the device, the address, the number of bytes, and whether it writes.
    fn uses(&self) -> Answer<Vec<(CUdevice, u64, u64, bool)>> {
        let sides = [(&self.to, self.devices.0, true), (&self.from, self.devices.1, false)];
        let known = sides.into_iter().filter(|(side, ..)| side.location == Location::Device);
        let used = known.map(|(side, device, writes)| {
            let len = extent(side, self.block).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
            Ok((device, side.start, len, writes))
        });
        used.collect()
    }

    /// Returns the number of copied bytes.
    pub(crate) fn bytes(&self) -> usize {
        let Block { width, height, depth } = self.block;
        width.saturating_mul(height).saturating_mul(depth) as usize
    }

    /// Reads the source now. The program may reuse its memory afterwards.
    ///
    /// # Safety
    ///
    /// Memory of the host that the plan begins in is valid, as the driver API demands of the program.
    pub(crate) unsafe fn stage(&mut self, state: &State) -> Answer {
        let Block { width, height, depth } = self.block;
        let start = state.reach(&self.from, self.block)?;
        let mut staged = Vec::with_capacity(self.bytes());
        for slice in 0..depth {
            for row in 0..height {
                let offset = slice * self.from.slice + row * self.from.row;
                // SAFETY: the caller's promise.
                let row = unsafe { start.add(offset as usize) };
                // SAFETY: as above.
                staged
                    .extend_from_slice(unsafe { core::slice::from_raw_parts(row.as_ptr(), width as usize) });
            }
        }
        self.staged = staged;
        self.from = Side { location: Location::Staged, start: 0, row: width, slice: width * height };
        Ok(())
    }
}

/// Size of a copied block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// In bytes.
    pub(crate) width: u64,
    pub(crate) height: u64,
    pub(crate) depth: u64,
}

/// One side of a copy, as the program describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopySide {
    pub(crate) kind: CUmemorytype,
    /// Address, for memory of the host.
    pub(crate) host: u64,
    pub(crate) device: CUdeviceptr,
    pub(crate) array: CUarray,
    /// Start of the block: bytes, rows, slices.
    pub(crate) at: [u64; 3],
    pub(crate) pitch: u64,
    /// Rows of a slice. Copies of two dimensions have none.
    pub(crate) height: u64,
}

/// Returns the number of bytes from the first to the last that a side accesses.
fn extent(side: &Side, block: Block) -> Option<u64> {
    let slices = side.slice.checked_mul(block.depth - 1)?;
    let rows = side.row.checked_mul(block.height - 1)?;
    slices.checked_add(rows)?.checked_add(block.width)
}

impl State {
    /// Checks a copy. Returns `None` if there is nothing to do. The devices are those from which it accesses its sides.
    pub(crate) fn plan_copy(
        &self,
        to: &CopySide,
        from: &CopySide,
        block: Block,
        (to_device, from_device): (CUdevice, CUdevice),
    ) -> Answer<Option<Plan>> {
        if block.width == 0 || block.height == 0 || block.depth == 0 {
            return Ok(None);
        }
        self.check_units(to, from)?;
        let deep = self.is_deep(to) || self.is_deep(from);
        let (to, from) = (self.side(to, block)?, self.side(from, block)?);
        let devices = (to_device, from_device);
        let host_memory = [&to, &from].map(|side| self.host_memory_of(side));
        let is_host = |side: &Side| match side.location {
            Location::Device => self.is_host_memory(side.start) && !self.is_managed(side.start),
            Location::Host | Location::Staged => true,
            Location::Array | Location::Mapped(..) | Location::Nowhere => false,
        };
        let kinds = [is_host(&to), is_host(&from)];
        let device = |side: &Side| {
            let found =
                (side.location == Location::Device).then(|| self.heap.holding(side.start, 1)).flatten();
            found.filter(|found| !found.kind.has_host_address()).map(|found| found.device)
        };
        let is_between_devices = device(&to).zip(device(&from)).is_some_and(|(to, from)| to != from);
        let (staged, fault) = (Vec::new(), None);
        let made_by = if self.heap.written.is_some() { self.present.get() } else { CallSite::default() };
        let mut plan =
            Plan { to, from, block, devices, host_memory, staged, kinds, is_between_devices, fault, made_by };
        if plan.to.location == Location::Nowhere || plan.from.location == Location::Nowhere {
            let arrays = |side: &Side| !matches!(side.location, Location::Device | Location::Host);
            let between = arrays(&plan.to) && arrays(&plan.from);
            // Copies with the host, and copies between arrays with slices, fail in this way. Others fail like any
            // access (measured).
            plan.fault = Some(if !plan.is_on_devices(self) || between && deep {
                CUresult::CUDA_ERROR_LAUNCH_FAILED
            } else {
                CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            });
        }
        for (side, writes) in [(&plan.from, false), (&plan.to, true)] {
            let len = extent(side, block).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
            match side.location {
                Location::Device if writes => self.check_writable(side.start, len)?,
                Location::Device => self.check_known(side.start, len)?,
                _ => {}
            }
        }
        for (device, start, len, writes) in plan.uses()? {
            self.check_copy_reach(device, start, len, writes)?;
        }
        Ok(Some(plan))
    }

    fn side(&self, described: &CopySide, block: Block) -> Answer<Side> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let [x, y, z] = described.at;
        if described.kind == MemoryType::CU_MEMORYTYPE_ARRAY {
            return self.array_side(described, block);
        }
        let (can_be_host, base) = match described.kind {
            MemoryType::CU_MEMORYTYPE_HOST => (true, described.host),
            MemoryType::CU_MEMORYTYPE_DEVICE => (false, described.device),
            MemoryType::CU_MEMORYTYPE_UNIFIED => (described.device < HOST_END, described.device),
            _ => return Err(invalid),
        };
        // Without pitches, rows and slices follow each other (measured).
        let or_packed = |given: u64, start: u64, len: u64| match given {
            0 => start.checked_add(len).ok_or(invalid),
            given => Ok(given),
        };
        let row = or_packed(described.pitch, x, block.width)?;
        let rows = or_packed(described.height, y, block.height)?;
        let too_narrow = x.checked_add(block.width).is_none_or(|end| end > row);
        // With a single row, the distance to the next row is ignored. With a single slice, the number of its rows is
        // ignored (measured).
        let single_row = block.height == 1 && block.depth == 1;
        let single = block.depth == 1 && z == 0;
        let most = self.limit_of(0, Attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH);
        if base == 0 || too_narrow || row > most && !single_row {
            return Err(invalid);
        }
        if !single && y.checked_add(block.height).is_none_or(|end| end > rows) {
            return Err(invalid);
        }
        let slice = if single { 0 } else { row.checked_mul(rows).ok_or(invalid)? };
        let offset = slice.checked_mul(z).and_then(|slices| slices.checked_add(row.checked_mul(y)?));
        let offset = offset.and_then(|offset| offset.checked_add(x)).ok_or(invalid)?;
        let start = base.checked_add(offset).ok_or(invalid)?;
        // Page-locked memory at the pointer holds all of it, also if the block begins beyond (conformance fact V1182).
        let is_host = described.kind == MemoryType::CU_MEMORYTYPE_HOST;
        let begins_in = is_host.then(|| self.heap.holding(base, 1)).flatten();
        let block_len =
            extent(&Side { location: Location::Host, start, row, slice }, block).ok_or(invalid)?;
        if begins_in.is_some()
            && offset.checked_add(block_len).is_none_or(|len| self.heap.holding(base, len).is_none())
        {
            return Err(invalid);
        }
        // The first byte determines the kind of the memory (measured).
        let known = !can_be_host || self.heap.holding(start, 1).is_some() || self.heap.ranges.contains(start);
        let location = if known { Location::Device } else { Location::Host };
        let side = Side { location, start, row, slice };
        // All of it is in one allocation, or in memory of the host.
        let len = extent(&side, block).ok_or(invalid)?;
        let is_of_graph =
            || known && self.plans_nodes && self.graph_memory_holding(side.start, len).is_some();
        if !is_of_graph() {
            self.reach(&side, block)?;
        }
        Ok(side)
    }

    /// Returns the array of one side, if it is one.
    fn array_of(&self, described: &CopySide) -> Option<&Array> {
        let is_array = described.kind == MemoryType::CU_MEMORYTYPE_ARRAY;
        is_array.then(|| self.images.array(described.array).ok()).flatten()
    }

    fn is_deep(&self, described: &CopySide) -> bool {
        self.array_of(described).is_some_and(|array| array.shape == Shape::Array(3))
    }

    /// Checks that blocks are copied from and to elements of the same size (measured).
    fn check_units(&self, to: &CopySide, from: &CopySide) -> Answer {
        let is_host = |side: &CopySide| side.kind == MemoryType::CU_MEMORYTYPE_HOST;
        let arrays = [self.array_of(to), self.array_of(from)];
        if !is_host(to) && !is_host(from) && arrays.iter().flatten().any(|array| array.is_mixed_up()) {
            say(
                "copies of arrays of video with others than the host are not simulated: hardware mixes them up",
            );
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        let [Some(to), Some(from)] = arrays else { return Ok(()) };
        let (to, from) = (to.content, from.content);
        let blocks = to.codec().is_some() || from.codec().is_some();
        if blocks && to.unit() != from.unit() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
    }

    fn array_side(&self, described: &CopySide, block: Block) -> Answer<Side> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let [x, y, z] = described.at;
        let array = self.images.array(described.array)?;
        // Images of several planes are copied plane by plane (measured).
        let unit = u64::from(array.content.unit().ok_or(invalid)?);
        let side = array.content.side();
        let [width, height, depth] = array.level.size;
        let [across, down] = [width, height].map(|size| u64::from(size.div_ceil(side)));
        let fits = |at: u64, count: u64, size: u64| at.checked_add(count).is_some_and(|end| end <= size);
        let inside = fits(x, block.width, across * unit)
            && fits(y, block.height, down)
            && fits(z, block.depth, u64::from(depth));
        // Blocks are copied as a whole, but texels byte by byte (measured).
        let whole = x.is_multiple_of(unit) && block.width.is_multiple_of(unit);
        if !inside || !whole && side > 1 {
            return Err(invalid);
        }
        let location = match array.backing {
            Backing::Own => Location::Array,
            Backing::Later if !array.has_memory.load(Ordering::Relaxed) => Location::Nowhere,
            Backing::Sparse | Backing::Later => Location::Mapped(Handle::of(described.array), [x, y, z]),
        };
        let level = &array.level;
        let start = level.address + z * level.slice + y * level.row + x;
        Ok(Side { location, start, row: level.row, slice: level.slice })
    }

    fn host_memory_of(&self, side: &Side) -> Option<u64> {
        if side.location == Location::Device { self.host_memory_at(side.start) } else { None }
    }

    /// Returns the host bytes of one side.
    fn reach(&self, side: &Side, block: Block) -> Answer<NonNull<u8>> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        let len = extent(side, block).ok_or(invalid)?;
        match side.location {
            Location::Host => {
                let pointer = with_exposed_provenance_mut(side.start as usize);
                NonNull::new(pointer).ok_or(invalid)
            }
            Location::Device => self.bytes_to_read(side.start, len),
            // The plan holds these bytes itself, or there are none.
            Location::Staged | Location::Mapped(..) | Location::Nowhere => Err(invalid),
            Location::Array => self.heap.array_bytes(side.start, len).and_then(NonNull::new).ok_or(invalid),
        }
    }

    /// Records that a copy uses its rows. Bytes between the rows are not used.
    fn note_rows(&self, side: &Side, block: Block, writes: bool) {
        if side.location != Location::Device || self.order.is_none() && self.heap.written.is_none() {
            return;
        }
        for (start, len) in side.rows(block) {
            self.note_use(start, len, writes);
            if writes {
                self.mark_written(start, len);
            }
        }
    }

    /// Executes a copy.
    ///
    /// # Safety
    ///
    /// Memory of the host that the plan names is valid, as the driver API demands of the program.
    pub(crate) unsafe fn run_copy(&mut self, plan: &mut Plan) -> Answer {
        if let Some(fault) = plan.fault {
            return Err(fault);
        }
        let uses = plan.uses()?;
        let Plan { to, from, block, host_memory, staged, kinds, made_by, .. } = plan;
        // All memory existed when the copy was requested.
        let gone = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        if [&*to, &*from].map(|side| self.host_memory_of(side)) != *host_memory {
            return Err(gone);
        }
        for (device, start, len, writes) in uses {
            self.check_copy_still_open(device, start, len, writes)?;
        }
        if from.location == Location::Device && kinds[0] {
            self.check_copied_to_host(from.rows(*block), *made_by);
        }
        for (side, writes) in [(&*to, true), (&*from, false)] {
            self.note_rows(side, *block, writes);
        }
        let rows = (0..block.depth).flat_map(|slice| (0..block.height).map(move |row| (slice, row)));
        let (mut from, mut gathered) = (*from, Vec::new());
        if let Location::Mapped(array, [x, y, z]) = from.location {
            let (width, slice_bytes) = (block.width, block.width * block.height);
            gathered.resize((slice_bytes * block.depth) as usize, 0);
            for ((slice, row), bytes) in rows.clone().zip(gathered.chunks_exact_mut(width as usize)) {
                self.read_mapped_row(array, [x, y + row, z + slice], bytes)?;
            }
            from = Side { location: Location::Staged, start: 0, row: width, slice: slice_bytes };
        }
        let staged = if gathered.is_empty() { staged } else { &mut gathered };
        let from_start = match from.location {
            Location::Staged => NonNull::new(staged.as_mut_ptr()).ok_or(gone)?,
            _ => self.reach(&from, *block).map_err(|_| gone)?,
        };
        if let Location::Mapped(array, [x, y, z]) = to.location {
            for (slice, row) in rows {
                let offset = slice * from.slice + row * from.row;
                // SAFETY: within what `reach` looked up, or else the program's promise.
                let start = unsafe { from_start.add(offset as usize) };
                // SAFETY: as above.
                let bytes = unsafe { core::slice::from_raw_parts(start.as_ptr(), block.width as usize) };
                self.write_mapped_row(array, [x, y + row, z + slice], bytes)?;
            }
            return Ok(());
        }
        let to_start = self.reach(to, *block).map_err(|_| gone)?;
        for slice in 0..block.depth {
            for row in 0..block.height {
                let to_offset = slice * to.slice + row * to.row;
                // SAFETY: within what `reach` looked up, or else the program's promise.
                let to = unsafe { to_start.add(to_offset as usize) };
                let from_offset = slice * from.slice + row * from.row;
                // SAFETY: as above.
                let from = unsafe { from_start.add(from_offset as usize) };
                // SAFETY: both are valid for a row; rows may overlap.
                unsafe { to.copy_from(from, block.width as usize) };
            }
        }
        Ok(())
    }
}

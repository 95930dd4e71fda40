//! The parts of the device runtime's library that its text cannot express: launches of kernels, and the last error of
//! each thread.

use super::memory_backend::{Device, MemoryBackend};
use super::registers::{Registers, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::child_launches::{ChildError, ChildLaunches, ChildShape, ParameterBuffer};
use crate::fault::FaultKind;
use crate::op::{DeviceCall, Slot};

/// Alignment of a parameter buffer, which is also the least size.
const LEAST_BUFFER: u64 = 64;

impl WarpMemory<'_> {
    /// Executes a call of the device runtime for the lanes of `mask`.
    pub(super) fn device_call(&mut self, call: &DeviceCall, mask: u32) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            match call {
                DeviceCall::ParameterBuffer { d, kernel, shape } => {
                    let address = self.parameter_buffer(lane, *kernel, shape)?;
                    self.registers.set_long(*d, lane, address);
                }
                DeviceCall::Launch { d, buffer, stream } => {
                    let [buffer, stream] = [*buffer, *stream].map(|slot| self.registers.long(slot, lane));
                    let code = self.launch_child(lane, buffer, stream)?.err().map_or(0, |error| error as u32);
                    self.registers.set_word(*d, lane, code);
                }
                DeviceCall::CreateHandle { d } => {
                    let handle = self.launch.children.as_deref().map_or(0, ChildLaunches::create_handle);
                    self.registers.set_long(*d, lane, handle);
                }
                DeviceCall::IsHandle { d, handle } => {
                    let handle = self.registers.long(*handle, lane);
                    let is_handle =
                        self.launch.children.as_deref().is_some_and(|children| children.is_handle(handle));
                    self.registers.set_word(*d, lane, is_handle.into());
                }
                DeviceCall::SetError { a } => {
                    let code = self.registers.word(*a, lane);
                    self.local.set_error(lane, code);
                }
                DeviceCall::Error { d } => {
                    let code = self.local.error(lane);
                    self.registers.set_word(*d, lane, code);
                }
            }
        }
        Ok(())
    }

    /// Allocates the buffer for the parameters of a kernel. Returns 0 if there is no memory for it.
    fn parameter_buffer(&self, lane: usize, kernel: Slot, shape: &[Slot; 7]) -> Result<u64, LaneFault> {
        let address = self.registers.long(kernel, lane);
        let children = self.launch.children.as_deref();
        let Some((kernel, found)) = children.and_then(|children| children.kernel_at(address)) else {
            return Err(LaneFault::at(FaultKind::IllegalAddress, lane, address));
        };
        if let Some(reason) = found.unsupported() {
            let text = format!("launch of kernel `{}`, which cannot be run: {reason}", found.name);
            return Err(LaneFault::new(FaultKind::Unsupported, lane, text));
        }
        if found.blocks_are_clusters || found.explicit_cluster && found.required_cluster.is_none() {
            let text =
                format!("launch of kernel `{}`, whose clusters are not known, by a kernel", found.name);
            return Err(LaneFault::new(FaultKind::Unsupported, lane, text));
        }
        let shape = shape_of(self.registers, lane, shape);
        let size = u64::from(found.param_bytes).next_multiple_of(LEAST_BUFFER).max(LEAST_BUFFER);
        let buffer = ParameterBuffer { kernel, param_bytes: found.param_bytes, shape };
        let address = self.launch.malloc_heap.as_deref().map_or(0, |heap| heap.allocate(size));
        if let Some(children) = children.filter(|_| address != 0) {
            children.prepare(address, buffer);
        }
        Ok(address)
    }

    /// Launches the kernel of a parameter buffer, which it frees.
    fn launch_child(
        &mut self,
        lane: usize,
        address: u64,
        stream: u64,
    ) -> Result<Result<(), ChildError>, LaneFault> {
        let launch = self.launch;
        let found =
            launch.children.as_deref().and_then(|children| Some((children, children.take_buffer(address)?)));
        let Some((children, buffer)) = found else {
            let mut fault = LaneFault::at(FaultKind::IllegalAddress, lane, address);
            "launch of a buffer that was launched, or that was not returned by `cudaGetParameterBufferV2`"
                .clone_into(&mut fault.detail);
            return Err(fault);
        };
        let mut memory = Device::new(self.memory, self.cache);
        let mut params = Vec::with_capacity(buffer.param_bytes as usize);
        for at in (address..).take(buffer.param_bytes as usize) {
            if !memory.holds(at, 1) {
                return Err(LaneFault::at(FaultKind::IllegalAddress, lane, at));
            }
            params.extend(memory.load::<1>(lane, at));
        }
        // The kernel may have freed the buffer itself.
        let _ = launch.malloc_heap.as_deref().map(|heap| heap.free(address));
        Ok(children.launch(&buffer, params, stream))
    }
}

fn shape_of(registers: &Registers, lane: usize, shape: &[Slot; 7]) -> ChildShape {
    let [gx, gy, gz, bx, by, bz, dynamic_shared] = shape.map(|slot| registers.word(slot, lane));
    ChildShape { grid: [gx, gy, gz], block: [bx, by, bz], dynamic_shared }
}

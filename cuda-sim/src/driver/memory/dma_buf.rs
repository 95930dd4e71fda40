//! DMA-BUF file descriptors: they share device memory with other hardware, such as network cards. The descriptors made
//! here have the size of the memory, but not its contents.

#![allow(unsafe_code)]

use crate::console::say;
use crate::driver::memory::heap::{Kind, PoolSource};
use crate::driver::memory::host_page::host_page;
use crate::driver::memory::shared_mapping::Store;
use crate::driver::{Answer, Call, State, check_out, put};
use core::ffi::{c_int, c_ulonglong, c_void};
use cuda_sys::{
    CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr, CUmemRangeFlags_enum as Flags,
    CUmemRangeHandleType, CUmemRangeHandleType_enum as HandleType, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

/// Value that is written in place of a descriptor, if no descriptor can be created (measured).
const NO_FILE: c_int = -1;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn handle_for_range(
    call: &mut Call<'_>,
    to: *mut c_void,
    address: CUdeviceptr,
    len: usize,
    kind: CUmemRangeHandleType,
    flags: c_ulonglong,
) -> Answer {
    check_out(to)?;
    let len = len as u64;
    let pcie = c_ulonglong::from(Flags::CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE.0);
    let page = host_page();
    let is_whole = len > 0 && len.is_multiple_of(page) && address > 0 && address.is_multiple_of(page);
    if kind != HandleType::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD || flags & !pcie != 0 || !is_whole {
        return Err(INVALID);
    }
    let made = call.state.live_context(call.context).and_then(|context| {
        let supported = DeviceAttribute::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED;
        let has_any = call.state.limit_of(context.device, supported) != 0;
        call.state.check_device_memory(address, len)?;
        // The measured machine does not support mappings through the PCI bus.
        if !has_any || flags & pcie != 0 {
            return Err(NOT_SUPPORTED);
        }
        Store::new(len, "dma-buf").and_then(|store| store.export()).ok_or(NOT_SUPPORTED)
    });
    // SAFETY: the program guarantees the type behind the pointer.
    unsafe { put(to.cast::<c_int>(), made.unwrap_or(NO_FILE)) }?;
    made.map(drop)
}

impl State {
    /// Refuses a range that is not entirely device memory. Whole pages count, including the bytes beyond the
    /// size that the program requested (measured).
    fn check_device_memory(&self, address: u64, len: u64) -> Answer {
        match self.heap.holding(address, 1).ok_or(INVALID)?.kind {
            Kind::Plain | Kind::Pool(PoolSource::Device) | Kind::Mapped { on_host: false } => {
                self.heap.bytes_in_use(address, len).map(drop).ok_or(INVALID)
            }
            Kind::Variable => {
                say("descriptors of variables are not simulated");
                Err(NOT_SUPPORTED)
            }
            _ => Err(INVALID),
        }
    }
}

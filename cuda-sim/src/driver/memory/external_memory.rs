//! Memory of other APIs, which a program has exported as a file descriptor, as Vulkan does.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::pages::Backing;
use crate::driver::memory::shared_mapping::{Store, close};
use crate::driver::memory::virtual_memory::store_name;
use crate::driver::{Answer, Call, State, check_out, put};
use cuda_sys::{
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_DEDICATED, CUDA_EXTERNAL_MEMORY_HANDLE_DESC,
    CUdevice, CUdeviceptr, CUexternalMemory, CUexternalMemoryHandleType_enum as Type, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Imported memory.
pub(crate) struct ExternalMemory {
    pub(crate) context: Handle,
    device: CUdevice,
    store: Store,
    /// Size that the program has named, which is not checked (measured).
    size: u64,
}

impl State {
    /// Returns live memory. Drivers crash on destroyed memory.
    pub(crate) fn external_memory(&self, memory: CUexternalMemory) -> Answer<&ExternalMemory> {
        if memory.is_null() {
            return Err(INVALID);
        }
        self.external_memories.get(Handle::of(memory)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Maps a part of imported memory at an address of its own. The offset in its page is that of the part in the
    /// memory (measured).
    pub(crate) fn map_external(
        &mut self,
        memory: CUexternalMemory,
        (offset, size): (u64, u64),
        kind: Kind,
    ) -> Answer<CUdeviceptr> {
        let found = self.external_memory(memory)?;
        let is_inside =
            offset.checked_add(size).is_some_and(|end| end <= found.size.min(found.store.len())) && size > 0;
        if !is_inside {
            return Err(INVALID);
        }
        let place = (found.device, found.context);
        let block = found.store.block().ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
        let start = self.heap.adopt(place, kind, Backing::of(block));
        let base = start.and_then(|start| self.heap.open_part(place, kind, start + offset, size));
        base.ok_or(CUresult::CUDA_ERROR_UNKNOWN)
    }

    /// Destroys the memory of a context. The heap owns the mappings.
    pub(crate) fn end_external_memories_of_context(&mut self, context: Handle) {
        self.external_memories.retain(|memory| memory.context != context);
    }
}

/// Checks a description before its file is examined.
fn check(given: &CUDA_EXTERNAL_MEMORY_HANDLE_DESC) -> Answer {
    let is_dedicated = given.flags & CUDA_EXTERNAL_MEMORY_DEDICATED != 0;
    if given.size == 0 || given.flags & !CUDA_EXTERNAL_MEMORY_DEDICATED != 0 {
        return Err(INVALID);
    }
    match given.type_ {
        Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD => Ok(()),
        Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD if is_dedicated => Err(INVALID),
        Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD => Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
        Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE
        | Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE
        | Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT
            if !is_dedicated =>
        {
            Err(INVALID)
        }
        Type(number) if (1..=9).contains(&number) => {
            let is_sci = given.type_ == Type::CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF;
            // SAFETY: descriptions of all these types begin with a pointer.
            let has_object = !unsafe { given.handle.nvSciBufObject }.is_null();
            // SAFETY: descriptions of the other types have a second pointer.
            let has_object = has_object || !is_sci && !unsafe { given.handle.win32 }.name.is_null();
            Err(if has_object { CUresult::CUDA_ERROR_NOT_SUPPORTED } else { INVALID })
        }
        _ => Err(INVALID),
    }
}

/// Imports memory. The driver closes the file after a success, and if the file is not memory (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn import(
    call: &mut Call<'_>,
    to: *mut CUexternalMemory,
    description: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC,
) -> Answer {
    check_out(to)?;
    if description.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { description.read() };
    check(&given)?;
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    // SAFETY: a description of this type has this member.
    let file = unsafe { given.handle.fd };
    let imported = Store::import(file);
    close(file);
    let name = store_name(&call.state.device_name(device));
    let (store, _) = imported.filter(|(_, found)| *found == name).ok_or(CUresult::CUDA_ERROR_UNKNOWN)?;
    let memory = ExternalMemory { context, device, store, size: given.size };
    let handle = call.state.external_memories.insert(memory);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Maps a buffer in the context of the memory, regardless of the current one (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn map_buffer(
    call: &mut Call<'_>,
    to: *mut CUdeviceptr,
    memory: CUexternalMemory,
    description: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC,
) -> Answer {
    check_out(to)?;
    call.state.external_memory(memory)?;
    if description.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { description.read() };
    if given.flags != 0 {
        return Err(INVALID);
    }
    let kind = Kind::External { is_array: false };
    let address = call.state.map_external(memory, (given.offset, given.size), kind)?;
    // SAFETY: the program's promise.
    unsafe { put(to, address) }
}

/// Destroys memory. Its mappings stay (measured).
pub(crate) fn destroy(call: &mut Call<'_>, memory: CUexternalMemory) -> Answer {
    call.state.external_memory(memory)?;
    call.state.external_memories.remove(Handle::of(memory));
    Ok(())
}

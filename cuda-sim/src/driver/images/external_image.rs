//! Images in memory of other APIs.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::images::array::Backing;
use crate::driver::memory::heap::Kind;
use crate::driver::{Answer, Call, check_out, put};
use cuda_sys::{
    CUDA_ARRAY3D_COLOR_ATTACHMENT, CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_LAYERED,
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUexternalMemory, CUmipmappedArray, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// Maps an image in the context of the memory. The layout of the texels is that of this driver's own arrays.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn map(
    call: &mut Call<'_>,
    to: *mut CUmipmappedArray,
    memory: CUexternalMemory,
    description: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC,
) -> Answer {
    check_out(to)?;
    call.context = call.state.external_memory(memory)?.context;
    if description.is_null() {
        return Err(INVALID);
    }
    // SAFETY: not null, so valid for a read.
    let given = unsafe { description.read() };
    // Hardware crashes without levels.
    let [width, height, depth] = [given.arrayDesc.Width, given.arrayDesc.Height, given.arrayDesc.Depth];
    let flags = given.arrayDesc.Flags;
    let deep = if flags & CUDA_ARRAY3D_LAYERED == 0 { depth } else { 0 };
    let longest = width.max(height).max(deep).max(1);
    if given.numLevels == 0 || given.numLevels > 1 + longest.ilog2() {
        return Err(INVALID);
    }
    let made = CUDA_ARRAY3D_DESCRIPTOR { Flags: flags & !CUDA_ARRAY3D_COLOR_ATTACHMENT, ..given.arrayDesc };
    let handle = call.make_mipmapped_in(&made, given.numLevels, |call, backing, bytes| {
        if backing != Backing::Own {
            return Err(INVALID);
        }
        call.state.map_external(memory, (given.offset, bytes), Kind::External { is_array: true })
    })?;
    show_flags(call, handle, flags);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Gives the levels the flags of the mapping.
fn show_flags(call: &mut Call<'_>, mipmapped: Handle, flags: u32) {
    let images = &mut call.state.images;
    let Some(found) = images.mipmapped.get(mipmapped) else { return };
    for level in &found.levels {
        if let Some(level) = images.arrays.get_mut(*level) {
            level.descriptor.Flags = flags;
        }
    }
}

//! Copies of blocks as operations of a batch, with sizes in elements.

use super::check::Checked;
use super::side::SideAddress;
use super::{Block, Plan};
use crate::memory::batch::{MemcpyAttributes, SOURCE_ORDER};
use cuda_sys::{
    CUDA_MEMCPY3D_BATCH_OP, CUextent3D, CUmemLocation, CUmemcpy3DOperand, CUmemcpy3DOperand_st__bindgen_ty_1,
    CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_1 as Pointer,
    CUmemcpy3DOperand_st__bindgen_ty_1__bindgen_ty_2 as InArray, CUmemcpy3DOperandType_enum as Type,
    CUoffset3D,
};

impl Plan<'_> {
    /// Returns the copy as an operation of a batch.
    ///
    /// Returns `None` if a batch cannot express the copy. Examples are copies with host memory, with arrays of an unknown
    /// format, or with pitches that are not a whole number of elements.
    pub(in crate::memory) fn batch_operation(
        &self,
        attributes: MemcpyAttributes,
    ) -> Option<CUDA_MEMCPY3D_BATCH_OP> {
        // Memory without arrays counts in bytes. Elements of two arrays have one size.
        let arrays =
            [self.to, self.from].into_iter().filter(|(place, _)| matches!(place, SideAddress::Array(_)));
        let mut unit = None;
        for (_, checked) in arrays {
            let bytes = checked.unit_bytes?;
            if *unit.get_or_insert(bytes) != bytes {
                return None;
            }
        }
        let unit = unit.unwrap_or(1);
        let Block { width, height, depth } = self.block;
        let width = width.is_multiple_of(unit).then(|| width / unit)?;
        let [source, destination] = attributes.hints();
        Some(CUDA_MEMCPY3D_BATCH_OP {
            src: self.operand(self.from, unit, source)?,
            dst: self.operand(self.to, unit, destination)?,
            extent: CUextent3D { width, height, depth },
            srcAccessOrder: SOURCE_ORDER,
            flags: attributes.flags(),
        })
    }

    /// Returns one side of the operation, with sizes in units of `unit` bytes.
    fn operand(
        &self,
        (place, checked): (SideAddress, Checked),
        unit: usize,
        hint: CUmemLocation,
    ) -> Option<CUmemcpy3DOperand> {
        let [x, y, z] = checked.at;
        let start = match place {
            SideAddress::Array(array) => {
                let offset = CUoffset3D { x: x / unit, y, z };
                let op = CUmemcpy3DOperand_st__bindgen_ty_1 { array: InArray { array, offset } };
                return Some(CUmemcpy3DOperand { type_: Type::CU_MEMCPY_OPERAND_TYPE_ARRAY, op });
            }
            SideAddress::Device(start) => start,
            // A unified address may be that of host memory.
            SideAddress::Host(_) | SideAddress::Unified(_) => return None,
        };
        // One row has no pitch.
        let is_row = self.block.height == 1 && self.block.depth == 1;
        let pitch = if is_row { 0 } else { checked.pitch };
        let row_length = pitch.is_multiple_of(unit).then(|| pitch / unit)?;
        // The block was checked to be inside the memory.
        let rows = z.wrapping_mul(checked.height).wrapping_add(y);
        let ptr = start.wrapping_add(rows.wrapping_mul(checked.pitch).wrapping_add(x) as u64);
        let pointer = Pointer { ptr, rowLength: row_length, layerHeight: checked.height, locHint: hint };
        let op = CUmemcpy3DOperand_st__bindgen_ty_1 { ptr: pointer };
        Some(CUmemcpy3DOperand { type_: Type::CU_MEMCPY_OPERAND_TYPE_POINTER, op })
    }
}

//! Errors, codes and other plain values.

use super::Catalogue;
use crate::world::World;
use cuda_rt::error::Code;
use cuda_rt::error::{FileError, check};
use cuda_rt::handle::set_drop_hook;
use cuda_rt::launch::{Axis, LaunchProblem};
use cuda_rt::memory::HandoverError;
use cuda_rt::{Error, PinnedBuf};
use cuda_sys::{CUresult, Symbol};

fn error(_: &World) -> Error {
    check(Symbol::cuCtxSynchronize, CUresult::CUDA_ERROR_NOT_READY).unwrap_err()
}

/// The error of a refused copy, with its buffer.
fn handover(world: &World) -> HandoverError<PinnedBuf<u32>> {
    let mut short = cuda_rt::DeviceBuf::<u32>::zeroed(&world.stream, 1).unwrap();
    short.copy_from_pinned(PinnedBuf::zeroed(&world.context, 2).unwrap()).unwrap_err()
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .answers("Code::{new, from_number, as_raw, number, name, description, extent, is_sticky}", |_, _| {
            let code = Code::new(CUresult::CUDA_ERROR_NOT_READY).unwrap();
            assert_eq!(Code::from_number(code.as_raw().0), Some(code));
            (code.number(), code.name(), code.description(), code.extent(), code.is_sticky())
        })
        .answers("Code::{is_out_of_memory, is_not_ready, is_invalid_context, pycuda_class}", |_, _| {
            let code = Code::NotReady;
            (code.is_out_of_memory(), code.is_not_ready(), code.is_invalid_context(), code.pycuda_class())
        })
        .answers("Code: Display; UnknownCode::number", |_, _| {
            match check(Symbol::cuInit, cuda_sys::cudaError_enum(9999)).unwrap_err().code() {
                Some(Code::Unknown(code)) => assert_eq!(code.number(), 9999),
                other => panic!("{other:?}"),
            }
            (Code::NotReady.to_string(), CUresult::from(Code::NotReady))
        })
        .answers("error::check", |_, _| check(Symbol::cuInit, CUresult::CUDA_SUCCESS))
        .answers("handle::set_drop_hook; Hook::{function, restore}; Hook: {Debug, Drop}", |_, _| {
            let before = set_drop_hook(|_| ());
            let shown = (format!("{before:?}"), size_of_val(before.function()));
            before.restore();
            shown
        })
        .answers("Axis: Display; LaunchProblem: Display", |_, _| {
            (Axis::X.to_string(), LaunchProblem::NotFound.to_string())
        });
    c.of(error, |error, _| assert_eq!(error.code(), Some(Code::NotReady)))
        .answers("Error::{kind, call, prevented_call, code, is_sticky}", |e, _| {
            (e.kind(), e.call(), e.prevented_call(), e.code(), e.is_sticky())
        })
        .answers("Error::context; FileError: {Clone, Debug, PartialEq, Drop}", |_, _| {
            // SAFETY: there is no such file.
            let error = unsafe { cuda_rt::module::Library::from_file("/there/is/none") }.unwrap_err();
            let file = error.context::<FileError>().unwrap();
            (file.clone() == *file, format!("{file:?}"))
        })
        .answers("Error: {From<&LoadError>, From<MissingSymbol>}", |_, _| {
            let missing = cuda_sys::MissingSymbol { symbol: Symbol::cuInit, driver: None };
            let load = cuda_sys::LoadError { attempts: Vec::new(), only_choice: false };
            (Error::from(missing), Error::from(&load))
        })
        .answers("Error::{is_out_of_memory, is_not_ready, is_invalid_context, pycuda_class}", |e, _| {
            (e.is_out_of_memory(), e.is_not_ready(), e.is_invalid_context(), e.pycuda_class())
        })
        .answers("Error: {Clone, Debug, PartialEq}", |e, _| (e.clone() == *e, format!("{e:?}")))
        .drops("Error: Drop");
    c.of(handover, |failure, _| assert!(failure.error().code().is_none()))
        .answers("HandoverError::error; HandoverError: {Debug, Display, Error}", |failure, _| {
            let source = core::error::Error::source(failure).is_some();
            (failure.error().clone(), format!("{failure} {failure:?}"), source)
        })
        .hands_over(
            "Error: From<HandoverError<B>>",
            |failure, _| Error::from(failure),
            |error, _| assert!(error.code().is_none()),
        )
        .hands_over(
            "HandoverError::into_buffer",
            |failure, _| failure.into_buffer(),
            |buffer, _| {
                assert_eq!(buffer.unwrap()[..], [0, 0]);
            },
        )
        .hands_over(
            "HandoverError::into_parts",
            |failure, _| failure.into_parts(),
            |(_, buffer), _| {
                assert_eq!(buffer.unwrap()[..], [0, 0]);
            },
        )
        .drops("HandoverError: Drop");
}

//! Diagnosis of code that the driver refused to load.

use super::image::{self, FatEntry};
use super::jit::JitTarget;
use super::ptx;
use crate::context::Context;
use crate::error::Code;
use crate::list::CollectVec;
use core::fmt;

/// Reason why the driver refused to load code. Attached to the error, beside the driver code.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Module;
/// use cuda_rt::module::JitProblem;
///
/// let ptx = ".version 99.9 .target sm_50 .address_size 64";
/// let error = Module::from_ptx(&context, ptx).unwrap_err();
/// let problem = JitProblem::PtxVersion { version: (99, 9), newest: Some((9, 0)) };
/// assert_eq!(error.context(), Some(&problem));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JitProblem {
    /// Text in a newer version of PTX than the driver knows.
    PtxVersion {
        /// Version of the text: major and minor.
        version: (u32, u32),
        /// Newest version that the driver knows, if it reported it.
        newest: Option<(u32, u32)>,
    },
    /// Text for a newer device.
    PtxTarget {
        /// Target of the text.
        target: JitTarget,
        /// Architecture of the device.
        device: JitTarget,
    },
    /// Image without a binary for the device, and without PTX that could be compiled for it.
    Binary {
        /// Targets of the binaries.
        binaries: Box<[JitTarget]>,
        /// Targets of the PTX.
        ptx: Box<[JitTarget]>,
        /// Architecture of the device.
        device: JitTarget,
    },
}

/// Writes the text that follows the driver's error in a message.
impl fmt::Display for JitProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JitProblem::PtxVersion { version: (major, minor), newest } => {
                write!(formatter, "the text is in PTX {major}.{minor}, and ")?;
                match newest {
                    Some((major, minor)) => write!(formatter, "the driver knows PTX up to {major}.{minor}")?,
                    None => formatter.write_str("the driver does not know that yet")?,
                }
                formatter.write_str("; use a newer driver or an older compiler, or compile to a cubin")
            }
            JitProblem::PtxTarget { target, device } => {
                let or_newer = if target.0 == target.sm() { " or newer" } else { "" };
                write!(
                    formatter,
                    "the text is for {target}{or_newer}, and the device is {device}; compile for compute_{} or older",
                    device.sm()
                )
            }
            JitProblem::Binary { binaries, ptx, device } => {
                formatter.write_str("the image has ")?;
                for (index, binary) in binaries.iter().enumerate() {
                    let before = if index == 0 { "code for " } else { ", " };
                    write!(formatter, "{before}{binary}")?;
                }
                for (index, target) in ptx.iter().enumerate() {
                    let before = match (index, binaries.is_empty()) {
                        (0, true) => "PTX for ",
                        (0, false) => " and PTX for ",
                        _ => ", ",
                    };
                    write!(formatter, "{before}{target}")?;
                }
                if binaries.is_empty() && ptx.is_empty() {
                    formatter.write_str("no code")?;
                }
                write!(
                    formatter,
                    ", and the device is {device}; compile for {device}, or add PTX for compute_{} or older",
                    device.sm()
                )
            }
        }
    }
}

/// Code that was to be loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'image> {
    /// PTX.
    Text(&'image [u8]),
    Cubin(&'image [u8]),
    Fatbin(&'image [u8]),
}

impl<'image> Source<'image> {
    /// Returns the bytes of the code.
    pub(super) fn bytes(self) -> &'image [u8] {
        let (Source::Text(bytes) | Source::Cubin(bytes) | Source::Fatbin(bytes)) = self;
        bytes
    }
}

impl JitProblem {
    /// Finds the reason why the driver refused code. Returns `None` if it is unknown.
    #[cold]
    pub(crate) fn find(
        code: Code,
        log: &str,
        source: Source<'_>,
        context: Option<&Context>,
    ) -> Option<JitProblem> {
        // A failure of this query is not reported: it has nothing to do with the refused image.
        let device = || {
            let capability = context?.device().compute_capability().ok()?;
            capability.major.checked_mul(10)?.checked_add(capability.minor)
        };
        // CUDA 11.0 has no driver code for this case.
        let is_too_new = code == Code::UnsupportedPtxVersion || log.contains("Unsupported .version ");
        match (code, source) {
            (Code::UnsupportedPtxVersion | Code::InvalidPtx, Source::Text(text)) if is_too_new => {
                let newest = log
                    .split_once("current version is '")
                    .and_then(|(_, rest)| ptx::version(rest.as_bytes()));
                Some(JitProblem::PtxVersion { version: ptx::head(text).version?, newest })
            }
            (Code::InvalidPtx, Source::Text(text)) => {
                let (target, device) = (ptx::head(text).target?, JitTarget::new(device()?));
                (target.sm() > device.sm()).then_some(JitProblem::PtxTarget { target, device })
            }
            (Code::NoBinaryForGpu, Source::Cubin(bytes)) => {
                let (target, device) = (image::cubin_target(bytes)?, JitTarget::new(device()?));
                // If the cubin fits the device, the driver refused it for another reason.
                let fits = target.sm() / 10 == device.sm() / 10 && target.sm() <= device.sm();
                let problem =
                    JitProblem::Binary { binaries: Box::new([target]), ptx: Box::default(), device };
                (!fits).then_some(problem)
            }
            (Code::NoBinaryForGpu, Source::Fatbin(bytes)) => {
                let entries = image::fat_entries(bytes).ok()?;
                let targets = |is_ptx| {
                    let of_kind = entries.iter().filter(move |entry: &&FatEntry| entry.is_ptx == is_ptx);
                    of_kind.map(|entry| entry.target).collect_vec().into_boxed_slice()
                };
                let device = JitTarget::new(device()?);
                // If machine code fits the device, the driver refused the image for another reason. PTX may be for one
                // architecture alone, which the entry does not say.
                let fits = |entry: &FatEntry| {
                    let (target, own) = (entry.target.sm(), device.sm());
                    !entry.is_ptx && target <= own && target / 10 == own / 10
                };
                if entries.iter().any(fits) {
                    return None;
                }
                Some(JitProblem::Binary { binaries: targets(false), ptx: targets(true), device })
            }
            _ => None,
        }
    }
}

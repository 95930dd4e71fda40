//! Targets of the compiler.

use super::calls;
use super::error::{compiler_too_new, device_too_old, no_machine_code};
use crate::context::Context;
use crate::device::ComputeCapability;
use crate::error::Result;
use core::fmt;
use cuda_sys::DriverVersion;
use cuda_sys::nvrtc::Version;

/// Output of the compiler.
///
/// ```
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::{Output, Target};
///
/// assert_eq!(Target::cubin(ComputeCapability::new(9, 0)).output(), Output::Cubin);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Output {
    /// PTX: text that the driver compiles when it loads the text, for the device and all newer ones. The version of PTX is that
    /// of the compiler's release: an older driver does not accept the text.
    Ptx,
    /// Machine code, for devices of a compute capability and of newer ones with the same major number (documented as
    /// binary compatibility). A driver also accepts machine code of newer compilers of the same major release
    /// (documented as minor version compatibility).
    Cubin,
    /// LTO-IR: intermediate code of the compiler, to be linked with other code. From NVRTC 12.0 on.
    LtoIr,
}

/// Target of the compiler: the output, and the compute capability.
///
/// ```
/// use cuda_rt::device::ComputeCapability;
/// use cuda_rt::nvrtc::Target;
///
/// assert_eq!(Target::ptx(ComputeCapability::new(8, 0)).to_string(), "compute_80");
/// assert_eq!(Target::cubin(ComputeCapability::new(9, 0)).arch_specific().to_string(), "sm_90a");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    output: Output,
    capability: ComputeCapability,
    variant: Variant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Variant {
    All,
    Family,
    Specific,
}

impl Target {
    /// Returns a target for PTX, for devices of a compute capability and all newer ones.
    pub const fn ptx(capability: ComputeCapability) -> Self {
        Self { output: Output::Ptx, capability, variant: Variant::All }
    }

    /// Returns a target for machine code, for devices of a compute capability.
    pub const fn cubin(capability: ComputeCapability) -> Self {
        Self { output: Output::Cubin, capability, variant: Variant::All }
    }

    /// Returns a target for LTO-IR, for devices of a compute capability and all newer ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::Target;
    ///
    /// assert_eq!(Target::lto_ir(ComputeCapability::new(8, 0)).to_string(), "lto_80");
    /// ```
    pub const fn lto_ir(capability: ComputeCapability) -> Self {
        Self { output: Output::LtoIr, capability, variant: Variant::All }
    }

    /// Adds the instructions that only devices of exactly this compute capability have: `sm_90a`. NVRTC of CUDA 11.8 and before
    /// does not support such targets.
    #[must_use]
    pub const fn arch_specific(self) -> Self {
        Self { variant: Variant::Specific, ..self }
    }

    /// Adds the instructions that only devices of this compute capability's family have: `sm_100f`. From NVRTC of CUDA 12.9 on
    /// (documented).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::Target;
    ///
    /// assert_eq!(Target::ptx(ComputeCapability::new(10, 0)).family_specific().to_string(), "compute_100f");
    /// ```
    #[must_use]
    pub const fn family_specific(self) -> Self {
        Self { variant: Variant::Family, ..self }
    }

    /// Returns the output.
    pub const fn output(self) -> Output {
        self.output
    }

    /// Returns the compute capability.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::Target;
    ///
    /// assert_eq!(Target::ptx(ComputeCapability::new(8, 6)).capability().major, 8);
    /// ```
    pub const fn capability(self) -> ComputeCapability {
        self.capability
    }

    /// Returns the target of the loaded NVRTC that the context's device and the loaded driver accept.
    ///
    /// - If the driver is of the compiler's release or newer: PTX for the device's compute capability. If the compiler
    ///   does not support that capability, PTX for the newest older one that it supports.
    /// - Otherwise, if both are at least of the same major release: machine code for exactly the device.
    /// - Otherwise the driver accepts no output, and the error says so.
    ///
    /// # Errors
    ///
    /// - [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable): there is no NVRTC.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the compiler is too new for the driver, the device is too
    ///   old for the compiler, or the compiler makes no machine code for the device.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::nvrtc::Target;
    ///
    /// let target = Target::for_context(&context)?;
    /// assert!(target.capability() <= context.device().compute_capability()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn for_context(context: &Context) -> Result<Target> {
        Self::choose(context, None)
    }

    /// Returns the target for a context and a given output. Otherwise the same as [`for_context`](Target::for_context).
    ///
    /// # Errors
    ///
    /// - Same as [`for_context`](Target::for_context).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the driver does not accept this output of the loaded
    ///   NVRTC.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::nvrtc::{Output, Target};
    ///
    /// let target = Target::for_context_with_output(&context, Output::Cubin)?;
    /// assert_eq!(target, Target::cubin(context.device().compute_capability()?));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn for_context_with_output(context: &Context, output: Output) -> Result<Target> {
        Self::choose(context, Some(output))
    }

    fn choose(context: &Context, output: Option<Output>) -> Result<Target> {
        let compiler = Compiler::loaded()?;
        let driver = crate::driver_version()?;
        compiler.target(driver, context.device().compute_capability()?, output)
    }

    /// Returns NVRTC's options for the target.
    pub(super) fn options(self) -> Vec<String> {
        let name = match self.output {
            Output::LtoIr => Self { output: Output::Ptx, ..self }.to_string(),
            Output::Ptx | Output::Cubin => self.to_string(),
        };
        let mut options = vec![format!("--gpu-architecture={name}")];
        if self.output == Output::LtoIr {
            options.push("-dlto".to_owned());
        }
        options
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.output {
            Output::Ptx => "compute",
            Output::Cubin => "sm",
            Output::LtoIr => "lto",
        };
        let suffix = match self.variant {
            Variant::All => "",
            Variant::Family => "f",
            Variant::Specific => "a",
        };
        let ComputeCapability { major, minor } = self.capability;
        write!(formatter, "{kind}_{major}{minor}{suffix}")
    }
}

/// Facts about the loaded NVRTC.
pub(super) struct Compiler {
    version: Version,
    /// Supported compute capabilities, sorted.
    supported: Vec<ComputeCapability>,
}

impl Compiler {
    pub(super) fn loaded() -> Result<Compiler> {
        let library = calls::library()?;
        let version = calls::version(library)?;
        Ok(Compiler { version, supported: supported(calls::supported_architectures(library)?, version) })
    }

    pub(super) fn into_supported(self) -> Vec<ComputeCapability> {
        self.supported
    }

    /// Returns the target for a device and a driver, as [`Target::for_context`] describes.
    fn target(
        &self,
        driver: DriverVersion,
        device: ComputeCapability,
        wanted: Option<Output>,
    ) -> Result<Target> {
        let compiler = self.version;
        let is_as_new = is_taken(compiler, driver);
        let is_same_major = driver.major() >= compiler.major;
        let output = match wanted {
            None if is_as_new => Output::Ptx,
            None | Some(Output::Cubin) if is_same_major => Output::Cubin,
            Some(output) if is_as_new => output,
            _ => return Err(compiler_too_new(compiler, driver, wanted)),
        };
        if let Some(oldest) = self.supported.first()
            && device < *oldest
        {
            return Err(device_too_old(device, *oldest, compiler));
        }
        if output == Output::Cubin {
            if !self.supported.contains(&device) {
                let driver = wanted.is_none().then_some(driver);
                return Err(no_machine_code(device, compiler, driver));
            }
            return Ok(Target::cubin(device));
        }
        let newest = self.supported.iter().copied().take_while(|known| *known <= device).last();
        Ok(Target { output, capability: newest.unwrap_or(device), variant: Variant::All })
    }
}

/// Returns whether the driver accepts the compiler's PTX: it does if it is not older.
pub(super) fn is_taken(compiler: Version, driver: DriverVersion) -> bool {
    (driver.major(), driver.minor()) >= (compiler.major, compiler.minor)
}

/// Returns the compute capabilities for the numbers that the compiler reports. If it has no function for the query, returns those
/// of CUDA 11.1.
fn supported(told: Option<Vec<i32>>, version: Version) -> Vec<ComputeCapability> {
    const BEFORE: [i32; 13] = [35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86];
    let numbers = told.unwrap_or_else(|| {
        let newest = if version < Version::new(11, 1) { 80 } else { 86 };
        BEFORE.into_iter().filter(|number| *number <= newest).collect()
    });
    let numbers = numbers.into_iter().filter_map(|number| u32::try_from(number).ok());
    let mut supported: Vec<_> =
        numbers.map(|number| ComputeCapability::new(number / 10, number % 10)).collect();
    supported.sort_unstable();
    supported
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn compiler(major: i32, minor: i32, numbers: &[i32]) -> Compiler {
        let version = Version::new(major, minor);
        Compiler { version, supported: supported(Some(numbers.to_vec()), version) }
    }

    #[test]
    fn the_driver_gets_what_it_takes() {
        let compiler = compiler(13, 5, &[75, 80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121]);
        let target = |driver: (u16, u16), device: (u32, u32), output| {
            compiler.target(DriverVersion::new(driver.0, driver.1), device.into(), output)
        };
        assert_eq!(target((13, 5), (9, 0), None), Ok(Target::ptx(ComputeCapability::new(9, 0))));
        assert_eq!(target((14, 0), (9, 0), None), Ok(Target::ptx(ComputeCapability::new(9, 0))));
        assert_eq!(target((13, 0), (9, 0), None), Ok(Target::cubin(ComputeCapability::new(9, 0))));
        assert_eq!(
            target((13, 5), (9, 0), Some(Output::Cubin)),
            Ok(Target::cubin(ComputeCapability::new(9, 0)))
        );
        assert_eq!(
            target((13, 5), (9, 0), Some(Output::LtoIr)),
            Ok(Target::lto_ir(ComputeCapability::new(9, 0)))
        );
        // A device that the compiler does not support yet.
        assert_eq!(target((14, 0), (13, 0), None), Ok(Target::ptx(ComputeCapability::new(12, 1))));
        assert_eq!(target((14, 0), (10, 1), None), Ok(Target::ptx(ComputeCapability::new(10, 0))));
        let refused = |driver, device, output| target(driver, device, output).unwrap_err().to_string();
        let text = refused((13, 0), (13, 0), None);
        assert!(text.starts_with(
            "NVRTC of CUDA 13.5: it makes no machine code for compute capability 13.0, which the driver"
        ));
        let text = refused((13, 5), (13, 0), Some(Output::Cubin));
        assert!(text.ends_with("capability 13.0, which was asked for; compile to PTX"), "{text}");
    }

    #[test]
    fn what_cannot_be_is_said() {
        let compiler = compiler(13, 5, &[75, 80, 90]);
        let target =
            |driver, device: (u32, u32), output| compiler.target(driver, device.into(), output).unwrap_err();
        let driver = DriverVersion::new(12, 4);
        for output in [None, Some(Output::Ptx), Some(Output::Cubin), Some(Output::LtoIr)] {
            let error = target(driver, (9, 0), output);
            let compiler = Version::new(13, 5);
            assert_eq!(error, compiler_too_new(compiler, driver, output));
            let text = error.to_string();
            assert!(
                text.contains("13.5") && text.contains("12.4") && text.contains("CUDA_SYS_NVRTC_LIBRARY"),
                "{text}"
            );
        }
        let driver = DriverVersion::new(13, 0);
        for output in [Output::Ptx, Output::LtoIr] {
            let error = target(driver, (9, 0), Some(output));
            assert_eq!(error, compiler_too_new(Version::new(13, 5), driver, Some(output)));
        }
        let error = target(DriverVersion::new(13, 5), (7, 0), None);
        assert_eq!(
            error.to_string(),
            "NVRTC of CUDA 13.5: compute capability 7.0 of the device is older than 7.5, the oldest that it compiles for; name \
             the library of an older NVRTC in CUDA_SYS_NVRTC_LIBRARY"
        );
    }

    #[test]
    fn old_libraries_do_not_tell_what_they_support() {
        assert_eq!(supported(None, Version::new(11, 0)).last(), Some(&ComputeCapability::new(8, 0)));
        assert_eq!(supported(None, Version::new(11, 1)).last(), Some(&ComputeCapability::new(8, 6)));
        assert_eq!(
            supported(Some(vec![120, 75, -1]), Version::new(13, 0)),
            [(7, 5), (12, 0)].map(ComputeCapability::from)
        );
        assert_eq!(
            Target::lto_ir(ComputeCapability::new(8, 0)).options(),
            ["--gpu-architecture=compute_80", "-dlto"]
        );
    }
}

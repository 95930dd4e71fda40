//! Numbers that the emulated release knows: values of enumerations, and flags. Later numbers are refused, as a driver
//! of that release refuses them.

use crate::console::say;
use crate::driver::rules::since;
use crate::driver::{Answer, State};
use cuda_sys::{CUresult, DriverVersion};

/// Returns the release that introduced a number, if the table has it. All other numbers are as old as the oldest
/// driver.
fn since(table: &[(u32, i32)], value: u32) -> Option<DriverVersion> {
    table.iter().find(|(number, _)| *number == value).map(|(_, release)| DriverVersion(*release))
}

/// Returns whether a release knows a number in one of the tables of [`since`]. Numbers that no release knows are not in
/// the tables, so this function does not detect them.
pub(crate) fn known(table: &[(u32, i32)], value: u32, release: DriverVersion) -> bool {
    since(table, value).is_none_or(|since| since <= release)
}

impl State {
    /// Refuses a number that is newer than the emulated release.
    pub(crate) fn require(&self, table: &[(u32, i32)], value: u32) -> Answer {
        if known(table, value, self.config.driver_version) {
            Ok(())
        } else {
            Err(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
    }

    /// Refuses flags if some of them are newer than the emulated release.
    pub(crate) fn require_flags(&self, table: &[(u32, i32)], flags: u32) -> Answer {
        (0..u32::BITS)
            .map(|bit| flags & (1 << bit))
            .filter(|flag| *flag != 0)
            .try_for_each(|flag| self.require(table, flag))
    }

    /// Returns the code for a number that the simulator does not support. Either no release knows it, or the emulated
    /// one does and the simulator lacks it.
    pub(crate) fn lacking(&self, table: &[(u32, i32)], value: u32, what: &str) -> CUresult {
        match since(table, value) {
            Some(since) if since <= self.config.driver_version => {
                say(&format!("{what} {value}, which came with CUDA {since}, is not simulated yet"));
                CUresult::CUDA_ERROR_NOT_SUPPORTED
            }
            _ => CUresult::CUDA_ERROR_INVALID_VALUE,
        }
    }

    /// Returns the code for PTX that is newer than the driver. The specific code was introduced in 11.1. Earlier
    /// drivers reported invalid PTX, as for all other errors of the compiler.
    pub(crate) fn newer_ptx(&self) -> CUresult {
        let code = CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
        if known(since::CODES, code.0, self.config.driver_version) {
            code
        } else {
            CUresult::CUDA_ERROR_INVALID_PTX
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuda_sys::{
        CUdevice_attribute_enum as Device, CUfunction_attribute_enum as Function, CUjit_option_enum as Jit,
        CUlaunchAttributeID_enum as Launch, CUlimit_enum as Limit,
    };

    const TABLES: &[&[(u32, i32)]] = &[
        since::DEVICE_ATTRIBUTES,
        since::PEER_ATTRIBUTES,
        since::FUNCTION_ATTRIBUTES,
        since::LIMITS,
        since::POINTER_ATTRIBUTES,
        since::RANGE_ATTRIBUTES,
        since::POOL_ATTRIBUTES,
        since::JIT_OPTIONS,
        since::LAUNCH_ATTRIBUTES,
        since::COREDUMP_ATTRIBUTES,
        since::CONTEXT_FLAGS,
        since::HOST_REGISTER_FLAGS,
        since::RESOURCE_TYPES,
        since::CODES,
    ];

    #[test]
    fn tables_are_in_order_and_name_releases() {
        for table in TABLES {
            assert!(table.is_sorted_by(|(first, _), (second, _)| first < second), "{table:?}");
            for (number, release) in *table {
                let release = DriverVersion(*release);
                assert!(release > DriverVersion::new(11, 0) && release.revision() == 0, "{number}");
                assert!(release <= DriverVersion(cuda_sys::CUDA_VERSION as i32), "{number}");
            }
        }
    }

    /// In the bindings, some enumerations have a count after the last number.
    #[test]
    fn tables_go_as_far_as_the_bindings() {
        let last = |table: &[(u32, i32)]| table.last().map(|(number, _)| number + 1);
        assert_eq!(last(since::DEVICE_ATTRIBUTES), Some(Device::CU_DEVICE_ATTRIBUTE_MAX.0));
        assert_eq!(last(since::FUNCTION_ATTRIBUTES), Some(Function::CU_FUNC_ATTRIBUTE_MAX.0));
        assert_eq!(last(since::LIMITS), Some(Limit::CU_LIMIT_MAX.0));
        assert_eq!(last(since::JIT_OPTIONS), Some(Jit::CU_JIT_NUM_OPTIONS.0));
        assert_eq!(
            last(since::LAUNCH_ATTRIBUTES),
            Some(Launch::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE.0 + 1)
        );
    }

    #[test]
    fn a_number_is_known_from_its_release_on() {
        let cluster_launch = Device::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH.0;
        assert!(!known(since::DEVICE_ATTRIBUTES, cluster_launch, DriverVersion::new(11, 7)));
        assert!(known(since::DEVICE_ATTRIBUTES, cluster_launch, DriverVersion::new(11, 8)));
        assert!(known(since::DEVICE_ATTRIBUTES, 1, DriverVersion::new(11, 0)));
    }
}

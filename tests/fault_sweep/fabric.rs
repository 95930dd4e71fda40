//! Programs with logical endpoints.
//!
//! The functions are there if the process's driver has them: `CUDA_SIM=version=13.5`. The software driver has neither copies over the
//! fabric nor the place of a device in it, so that no scenario uses them.

use crate::graphs::newest;
use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessFlags, LogicalEndpointHandle, LogicalEndpointIds, LogicalEndpointOptions, PhysicalMemory,
    PhysicalMemoryOptions, VirtualMemory,
};
use cuda_rt::{Device, Error, Stream};
use cuda_sim::Config;

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { config: with_endpoints, ..plain("logical endpoints", endpoints) },
    Scenario { config: with_endpoints, ..plain("logical endpoints of teams", teams) },
    Scenario { config: with_endpoints, ..plain("logical endpoints of other processes", shared) },
];

fn with_endpoints(config: Config) -> Config {
    let supports = [
        DeviceAttribute::LOGICAL_ENDPOINT_UNICAST_SUPPORTED,
        DeviceAttribute::LOGICAL_ENDPOINT_MULTICAST_SUPPORTED,
    ];
    let config = newest(config);
    let profiles = config.profiles.into_iter().map(|profile| {
        supports.iter().fold(profile, |profile, attribute| profile.with_attribute(attribute.0, 1))
    });
    Config { profiles: profiles.collect(), ..config }
}

/// Bytes of each endpoint.
const UNIT: usize = 1 << 21;

/// Numbers for endpoints. Nothing if the process's driver has no endpoints.
fn numbers(count: u32) -> Result<Option<LogicalEndpointIds>, Error> {
    match LogicalEndpointIds::reserve(count) {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => Ok(None),
        ids => ids.map(Some),
    }
}

fn physical(device: Device) -> Result<PhysicalMemory, Error> {
    PhysicalMemory::new(device, UNIT, PhysicalMemoryOptions::new())
}

fn endpoints() -> Done {
    let Some(ids) = numbers(2)? else { return Ok(()) };
    let device = device()?;
    let options = LogicalEndpointOptions::unicast(device, UNIT);
    assert!(options.limits()?.bytes >= UNIT as u64);
    let (first, second) = (ids.create(0, options)?, ids.create(1, options)?);
    assert!(ids.are_ready()? && first.is_ready()?);
    first.bind(device, 0, &physical(device)?, 0, UNIT)?;
    second.bind(device, 0, &physical(device)?, 0, UNIT)?;
    // SAFETY: nothing uses the endpoint.
    unsafe { first.unbind(device, 0) }?;
    second.close()?;
    // Its number is free again.
    ids.create(1, options)?.close()?;
    first.close()?;
    ids.close()
}

fn teams() -> Done {
    let Some(ids) = numbers(1)? else { return Ok(()) };
    let devices = Device::all()?;
    let endpoint = ids.create(0, LogicalEndpointOptions::multicast(2, UNIT))?;
    for device in &devices {
        endpoint.add_device(*device)?;
    }
    endpoint.bind(devices[1], 0, &physical(devices[1])?, 0, UNIT)?;
    let mut memory = VirtualMemory::reserve(&Stream::new(&own()?)?, UNIT)?;
    memory.map(0, &physical(devices[0])?)?;
    memory.set_access(.., &devices[..1], AccessFlags::READ_WRITE)?;
    // SAFETY: the memory outlives the endpoint.
    unsafe { endpoint.bind_address(devices[0], 0, memory.ptr(), UNIT) }?;
    drop(ids);
    endpoint.close()
}

/// The refusal of what the software driver does not simulate.
fn refused<T>(outcome: Result<T, Error>) -> Done {
    match outcome {
        Err(error) if error.code() == Some(Code::NotSupported) => Ok(()),
        outcome => outcome.map(drop),
    }
}

fn shared() -> Done {
    let Some(ids) = numbers(2)? else { return Ok(()) };
    let endpoint = ids.create(0, LogicalEndpointOptions::unicast(device()?, UNIT))?;
    refused(endpoint.export())?;
    // SAFETY: the software driver has no such handles.
    refused(unsafe { ids.import(1, &LogicalEndpointHandle([0; 64])) })?;
    endpoint.close()
}

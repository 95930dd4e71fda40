//! The position of a device in a fabric, which connects GPUs of several machines.

#![allow(unsafe_code)]

use super::{Device, Uuid};
use crate::error::{Result, filled};
use crate::list::CollectVec;
use cuda_sys::{CUcliqueInfo, CUcliqueType_enum as Type, CUuuid};

/// A group of devices that reach each other over the fabric in one way.
#[doc(alias = "CUcliqueInfo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FabricClique {
    /// The way in which the devices reach each other.
    pub kind: CliqueKind,
    /// The number of the group among those of its kind in the cluster.
    pub id: u32,
}

/// A way in which devices of a fabric reach each other.
#[doc(alias = "CUcliqueType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CliqueKind {
    /// Addresses of each other's memory.
    #[doc(alias = "CU_CLIQUE_TYPE_UNICAST_POINTER")]
    UnicastPointer,
    /// Addresses of multicast objects.
    #[doc(alias = "CU_CLIQUE_TYPE_MULTICAST_POINTER")]
    MulticastPointer,
    /// Logical endpoints of one device.
    #[doc(alias = "CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT")]
    UnicastLogicalEndpoint,
    /// Logical endpoints of several devices.
    #[doc(alias = "CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT")]
    MulticastLogicalEndpoint,
    /// Another kind, by its number.
    Other(u32),
}

impl CliqueKind {
    fn from_raw(raw: Type) -> CliqueKind {
        match raw {
            Type::CU_CLIQUE_TYPE_UNICAST_POINTER => CliqueKind::UnicastPointer,
            Type::CU_CLIQUE_TYPE_MULTICAST_POINTER => CliqueKind::MulticastPointer,
            Type::CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT => CliqueKind::UnicastLogicalEndpoint,
            Type::CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT => CliqueKind::MulticastLogicalEndpoint,
            other => CliqueKind::Other(other.0),
        }
    }
}

impl Device {
    /// Returns the identity of the fabric's cluster to which the device belongs. Wraps `cuDeviceGetFabricClusterUuid`.
    /// Since CUDA 13.4; not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the device has no fabric.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.4.
    #[doc(alias = "cuDeviceGetFabricClusterUuid")]
    pub fn fabric_cluster_uuid(self) -> Result<Uuid> {
        let mut uuid = CUuuid::default();
        // SAFETY: `uuid` is valid for a write.
        unsafe { check!(cuDeviceGetFabricClusterUuid(&raw mut uuid, self.0)) }?;
        Ok(Uuid::from_raw(uuid))
    }

    /// Returns the groups of the fabric to which the device belongs. Wraps `cuDeviceGetCliqueCount` and `cuDeviceGetCliqueInfo`. Since
    /// CUDA 13.4; not run on hardware.
    ///
    /// # Errors
    ///
    /// Same as [`Device::fabric_cluster_uuid`].
    #[doc(alias("cuDeviceGetCliqueCount", "cuDeviceGetCliqueInfo"))]
    pub fn fabric_cliques(self) -> Result<Vec<FabricClique>> {
        let mut count = 0;
        // SAFETY: `count` is valid for a write.
        unsafe { check!(cuDeviceGetCliqueCount(&raw mut count, self.0)) }?;
        let mut found = filled(CUcliqueInfo { type_: Type(0), id: 0 }, count)?;
        // SAFETY: `found` is valid for writes of `count` elements, `count` for a read and a write.
        unsafe { check!(cuDeviceGetCliqueInfo(found.as_mut_ptr(), &raw mut count, self.0)) }?;
        found.truncate(count);
        let clique =
            |info: CUcliqueInfo| FabricClique { kind: CliqueKind::from_raw(info.type_), id: info.id };
        Ok(found.into_iter().map(clique).collect_vec())
    }
}

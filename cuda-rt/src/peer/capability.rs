//! Capabilities of pairs of devices.

#![allow(unsafe_code)]

use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use crate::list::CollectVec;
use core::ffi::c_uint;
use cuda_sys::{
    CUatomicOperation_enum as Operation, CUatomicOperationCapability_enum as Capability,
    CUdevice_P2PAttribute_enum as C,
};

/// Attribute of a pair of devices: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses numbers that it does not know. `P2pAttribute(number)` makes numbers
/// that only newer drivers know.
///
/// ```
/// use cuda_rt::peer::P2pAttribute;
///
/// assert_eq!(P2pAttribute::ACCESS_SUPPORTED.to_string(), "ACCESS_SUPPORTED");
/// assert_eq!(P2pAttribute(99).to_string(), "P2pAttribute(99)");
/// // The older name, which was misleading.
/// assert_eq!(P2pAttribute::ACCESS_ACCESS_SUPPORTED, P2pAttribute::CUDA_ARRAY_ACCESS_SUPPORTED);
/// ```
#[doc(alias = "CUdevice_P2PAttribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct P2pAttribute(pub u32);

/// An atomic operation of kernels: any number that some driver knows.
///
/// ```
/// use cuda_rt::peer::AtomicOperation;
///
/// assert_eq!(AtomicOperation::CAS.to_string(), "CAS");
/// assert_eq!(AtomicOperation::all().len(), 13);
/// ```
#[doc(alias = "CUatomicOperation")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomicOperation(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/p2p_attribute.rs");
// Its rows are in generator/numbers.tsv.
include!("../generated/atomic_operation.rs");

flags! {
    /// Forms in which an atomic operation is native.
    ///
    /// ```
    /// use cuda_rt::peer::AtomicCapabilities;
    ///
    /// let both = AtomicCapabilities::SIGNED | AtomicCapabilities::SCALAR_32;
    /// assert!(!both.contains(AtomicCapabilities::SCALAR_64));
    /// ```
    #[doc(alias = "CUatomicOperationCapability")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct AtomicCapabilities {
        /// Signed numbers.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_SIGNED")]
        const SIGNED = Capability::CU_ATOMIC_CAPABILITY_SIGNED.0;
        /// Unsigned numbers.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_UNSIGNED")]
        const UNSIGNED = Capability::CU_ATOMIC_CAPABILITY_UNSIGNED.0;
        /// Reduction, which does not return the old value.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_REDUCTION")]
        const REDUCTION = Capability::CU_ATOMIC_CAPABILITY_REDUCTION.0;
        /// 32 bits.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_SCALAR_32")]
        const SCALAR_32 = Capability::CU_ATOMIC_CAPABILITY_SCALAR_32.0;
        /// 64 bits.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_SCALAR_64")]
        const SCALAR_64 = Capability::CU_ATOMIC_CAPABILITY_SCALAR_64.0;
        /// 128 bits.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_SCALAR_128")]
        const SCALAR_128 = Capability::CU_ATOMIC_CAPABILITY_SCALAR_128.0;
        /// Four times 32 bits.
        #[doc(alias = "CU_ATOMIC_CAPABILITY_VECTOR_32x4")]
        const VECTOR_32X4 = Capability::CU_ATOMIC_CAPABILITY_VECTOR_32x4.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// Capabilities of kernels on one device to access the memory of another. See [`Device::peer_capabilities`].
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::Device;
///
/// let capabilities = Device::get(0)?.peer_capabilities(Device::get(1)?)?;
/// // Plain memory and arrays are separate capabilities.
/// assert!(capabilities.access && capabilities.array_access);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PeerCapabilities {
    /// True if kernels can be given access to plain memory.
    pub access: bool,
    /// True if kernels can be given access to arrays.
    pub array_access: bool,
    /// True if atomic operations are atomic over the link.
    pub native_atomics: bool,
    /// True if only some atomic operations are atomic over the link.
    pub only_partial_native_atomics: bool,
    /// Rank of the link's performance: lower is better.
    pub performance_rank: i32,
}

impl Device {
    /// Returns whether kernels on this device can be given access to `peer`'s memory. A device is not its own peer. Wraps
    /// `cuDeviceCanAccessPeer`.
    ///
    /// [`Context::enable_peer_access`](crate::Context::enable_peer_access) enables access. By the documentation of
    /// `cuCtxEnablePeerAccess`, both devices need unified addressing and the same major compute capability. This method returns
    /// the driver's answer, and compares nothing itself.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// let device = Device::get(0)?;
    /// assert!(device.can_access_peer(Device::get(1)?)?);
    /// assert!(!device.can_access_peer(device)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceCanAccessPeer")]
    pub fn can_access_peer(self, peer: Device) -> Result<bool> {
        let mut can = 0;
        // SAFETY: `can` is valid for a write.
        unsafe { check!(cuDeviceCanAccessPeer(&raw mut can, self.as_raw(), peer.as_raw())) }?;
        Ok(can != 0)
    }

    /// Returns an attribute of the pair of devices, for access from this device to `peer`'s memory. Wraps
    /// `cuDeviceGetP2PAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    /// - [`Code::InvalidDevice`]: `peer` is the device itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::peer::P2pAttribute;
    ///
    /// let rank = Device::get(0)?.p2p_attribute(P2pAttribute::PERFORMANCE_RANK, Device::get(1)?)?;
    /// println!("performance rank {rank}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetP2PAttribute")]
    pub fn p2p_attribute(self, attribute: P2pAttribute, peer: Device) -> Result<i32> {
        let mut value = 0;
        // SAFETY: `value` is valid for a write; the attribute may be any number.
        unsafe {
            check!(cuDeviceGetP2PAttribute(&raw mut value, C(attribute.0), self.as_raw(), peer.as_raw()))
        }
        .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))
        .or_detail(&[Code::InvalidDevice], &|| self.describe_access(peer))?;
        Ok(value)
    }

    /// Returns the capabilities of kernels on this device to access `peer`'s memory. Wraps `cuDeviceGetP2PAttribute`.
    ///
    /// A capability that the driver is too old to know counts as absent.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidDevice`]: `peer` is the device itself.
    #[doc(alias = "cuDeviceGetP2PAttribute")]
    pub fn peer_capabilities(self, peer: Device) -> Result<PeerCapabilities> {
        let known = |attribute| match self.p2p_attribute(attribute, peer) {
            Err(error) if error.code() == Some(Code::InvalidValue) => Ok(0),
            answer => answer,
        };
        Ok(PeerCapabilities {
            access: known(P2pAttribute::ACCESS_SUPPORTED)? != 0,
            array_access: known(P2pAttribute::CUDA_ARRAY_ACCESS_SUPPORTED)? != 0,
            native_atomics: known(P2pAttribute::NATIVE_ATOMIC_SUPPORTED)? != 0,
            only_partial_native_atomics: known(P2pAttribute::ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)? != 0,
            performance_rank: known(P2pAttribute::PERFORMANCE_RANK)?,
        })
    }

    /// Returns the native forms of operations of kernels on this device in `peer`'s memory. Wraps
    /// `cuDeviceGetP2PAtomicCapabilities`.
    ///
    /// # Driver notes
    ///
    /// Two H200s, whose [`native_atomics`](PeerCapabilities::native_atomics) is true, report no native form of any operation. So
    /// an empty answer need not mean that there is no native form.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know an operation.
    /// - [`Code::InvalidDevice`]: `peer` is the device itself.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::peer::AtomicOperation;
    ///
    /// let operations: Vec<_> = AtomicOperation::all().collect();
    /// let native = Device::get(0)?.p2p_atomic_capabilities(&operations, Device::get(1)?)?;
    /// for (operation, forms) in operations.iter().zip(native) {
    ///     println!("{operation}: {forms:?}");
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetP2PAtomicCapabilities")]
    pub fn p2p_atomic_capabilities(
        self,
        operations: &[AtomicOperation],
        peer: Device,
    ) -> Result<Vec<AtomicCapabilities>> {
        capabilities(operations, |to, of, count| {
            // SAFETY: `to` is valid for writes, and `of` for reads, of `count` numbers.
            unsafe { check!(cuDeviceGetP2PAtomicCapabilities(to, of, count, self.as_raw(), peer.as_raw())) }
                .or_detail(&[Code::InvalidDevice], &|| self.describe_access(peer))
        })
    }

    /// Returns the native forms of operations of kernels on this device in the host's memory. Wraps
    /// `cuDeviceGetHostAtomicCapabilities`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know an operation.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::peer::{AtomicCapabilities, AtomicOperation};
    ///
    /// let native = Device::get(0)?.host_atomic_capabilities(&[AtomicOperation::INTEGER_ADD])?;
    /// assert_eq!(native, [AtomicCapabilities::empty()]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetHostAtomicCapabilities")]
    pub fn host_atomic_capabilities(self, operations: &[AtomicOperation]) -> Result<Vec<AtomicCapabilities>> {
        capabilities(operations, |to, of, count| {
            // SAFETY: `to` is valid for writes, and `of` for reads, of `count` numbers.
            unsafe { check!(cuDeviceGetHostAtomicCapabilities(to, of, count, self.as_raw())) }
        })
    }
}

/// Calls `ask`, which fills in the capabilities of each operation. Does not query an empty list, which the driver refuses.
fn capabilities(
    operations: &[AtomicOperation],
    ask: impl FnOnce(*mut c_uint, *const Operation, c_uint) -> Result<()>,
) -> Result<Vec<AtomicCapabilities>> {
    let operations: Vec<Operation> = operations.iter().map(|operation| Operation(operation.0)).collect_vec();
    let mut native = vec![0; operations.len()];
    // A list that does not fit would have billions of entries.
    let count = c_uint::try_from(operations.len()).unwrap_or(c_uint::MAX);
    if count > 0 {
        ask(native.as_mut_ptr(), operations.as_ptr(), count)?;
    }
    Ok(native.into_iter().map(AtomicCapabilities::from_bits_retain).collect_vec())
}

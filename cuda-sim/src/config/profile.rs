//! Profiles of devices.

use super::devices::*;
use cuda_sys::CUdevice_attribute_enum as Attribute;
use std::borrow::Cow;

/// Profile of a device: its name and its properties.
///
/// ```
/// use cuda_sim::{Config, Profile};
/// use cuda_sys::CUdevice_attribute_enum as Attribute;
///
/// let mut profile = Profile::H200;
/// profile.name = "half an H200".into();
/// profile.total_memory /= 2;
/// let profile = profile.with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.0, 66);
/// let config = Config { profiles: vec![profile], ..Config::default() };
/// assert_eq!(config.profile(0).total_memory, 75_054_940_160);
/// assert_eq!(config.profile(0).attribute(16), Some(66));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Name of the product.
    pub name: Cow<'static, str>,
    /// Memory in bytes. Programs can allocate less of it if [`Config::memory_bytes`](crate::Config::memory_bytes) is less.
    pub total_memory: u64,
    /// Attributes that differ from those of an H200, by number.
    pub attribute_overrides: Cow<'static, [(u32, i32)]>,
    /// Limits of a context, by number; `None` for limits that the device does not support.
    pub limits: Cow<'static, [(u32, Option<u64>)]>,
    /// Greatest and least priority of streams.
    pub stream_priorities: (i32, i32),
    /// Number of multiprocessors of each group. A cluster of more than two blocks runs on one group. Empty if the groups
    /// are not known.
    pub cluster_groups: Cow<'static, [u32]>,
}

impl Profile {
    /// An NVIDIA H200 with driver 580 (CUDA 13.0), as measured.
    pub const H200: Profile = Profile {
        name: Cow::Borrowed("NVIDIA H200"),
        total_memory: 150_109_880_320,
        attribute_overrides: Cow::Borrowed(&[]),
        limits: Cow::Borrowed(LIMITS),
        stream_priorities: (-5, 0),
        cluster_groups: Cow::Borrowed(&[18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2]),
    };

    /// An NVIDIA H100 with 80 GB on an SXM5 module with driver 580 (CUDA 13.0), as measured. It was the only device of
    /// its machine, and has no multicast.
    pub const H100: Profile = Profile {
        name: Cow::Borrowed("NVIDIA H100 80GB HBM3"),
        total_memory: 85_017_493_504,
        attribute_overrides: Cow::Borrowed(H100_CHANGES),
        limits: Cow::Borrowed(H100_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// An NVIDIA A100 with 40 GB on an SXM4 module, compute capability 8.0.
    ///
    /// Not measured, unlike [`H200`](Profile::H200) and [`H100`](Profile::H100). These properties are published: the
    /// name, the PCI identifier, the memory, the clock rates, the numbers of multiprocessors and copy engines, the bus,
    /// the L2 cache and ECC. The compute capability determines the shared memory, threads and blocks of a
    /// multiprocessor, and the features of later devices that this one lacks. The groups of multiprocessors are not
    /// known. All other properties are those of the H200. The sizes of parts of the L2 cache are scaled with the cache.
    pub const A100: Profile = Profile {
        name: Cow::Borrowed("NVIDIA A100-SXM4-40GB"),
        total_memory: 42_505_273_344,
        attribute_overrides: Cow::Borrowed(A100_CHANGES),
        limits: Cow::Borrowed(A100_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// An NVIDIA T4, compute capability 7.5.
    ///
    /// Not measured. The same properties are published as for [`A100`](Profile::A100).
    pub const T4: Profile = Profile {
        name: Cow::Borrowed("Tesla T4"),
        total_memory: 15_843_721_216,
        attribute_overrides: Cow::Borrowed(T4_CHANGES),
        limits: Cow::Borrowed(T4_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// An NVIDIA RTX 4090, compute capability 8.9.
    ///
    /// Not measured. The same properties are published as for [`A100`](Profile::A100). The device does not support
    /// GPUDirect RDMA. These devices cannot access each other's memory: use [`Peers::None`](crate::Peers::None).
    pub const RTX_4090: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GeForce RTX 4090"),
        total_memory: 25_756_696_576,
        attribute_overrides: Cow::Borrowed(RTX_4090_CHANGES),
        limits: Cow::Borrowed(RTX_4090_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// An NVIDIA GH200 with 96 GB of its own and 480 GB of the host's, compute capability 9.0. It uses the host's page
    /// tables, so it can access all of the host's memory. The host can access its memory.
    ///
    /// Not measured. These properties are published: the name, the PCI identifier, the memory, the clock rates, the
    /// bus, the L2 cache, and the number of the device's NUMA node. The features of a hardware-coherent system are
    /// published, too. The groups of multiprocessors are not known. All other properties are those of the H200, which
    /// has the same multiprocessors.
    pub const GH200: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GH200 480GB"),
        total_memory: 102_005_473_280,
        attribute_overrides: Cow::Borrowed(GH200_CHANGES),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// The device of an NVIDIA Jetson AGX Thor, compute capability 11.0. It has no memory of its own but shares the
    /// host's. Through the host's page tables, it can access all of that memory.
    ///
    /// Not measured. These properties are published: the name, the PCI identifier, the memory, the clock rates, the
    /// numbers of multiprocessors and copy engines, the bus and the L2 cache. It is also published that the device has
    /// no ECC and is integrated. The memory that it can access is published, too. The compute capability determines
    /// further properties. The device lacks GPUDirect RDMA and all features of a fabric between devices. All other
    /// properties are as for [`A100`](Profile::A100). A machine has one of these devices: set
    /// [`devices`](crate::Config::devices) to 1.
    pub const THOR: Profile = Profile {
        name: Cow::Borrowed("NVIDIA Thor"),
        total_memory: 131_587_801_088,
        attribute_overrides: Cow::Borrowed(THOR_CHANGES),
        limits: Cow::Borrowed(THOR_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// The device of an NVIDIA DGX Spark, compute capability 12.1. It has no memory of its own but shares the host's.
    /// Through the host's page tables, it can access all of that memory.
    ///
    /// Not measured. The same properties are published as for [`THOR`](Profile::THOR). The memory is published only in
    /// whole mebibytes. A machine has one of these devices.
    pub const GB10: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GB10"),
        total_memory: 122_570 << 20,
        attribute_overrides: Cow::Borrowed(GB10_CHANGES),
        limits: Cow::Borrowed(GB10_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// Returns the profiles that have a name in texts.
    fn with_names() -> impl Iterator<Item = (String, Profile)> {
        let plain = [
            ("h200", Profile::H200),
            ("h100", Profile::H100),
            ("a100", Profile::A100),
            ("t4", Profile::T4),
            ("rtx4090", Profile::RTX_4090),
            ("gh200", Profile::GH200),
            ("thor", Profile::THOR),
            ("gb10", Profile::GB10),
        ];
        let addressed = plain.into_iter().flat_map(|(name, profile)| {
            [
                (name.to_owned(), profile.clone()),
                (format!("{name}-nouva"), profile.clone().without_unified_addressing()),
                (format!("{name}-pageable"), profile.with_pageable_memory_access()),
            ]
        });
        addressed.flat_map(|(name, profile)| {
            let without_pools = (format!("{name}-nopools"), profile.clone().without_memory_pools());
            [(name, profile), without_pools]
        })
    }

    /// Returns the profile with this name.
    pub(crate) fn named(wanted: &str) -> Option<Profile> {
        Profile::with_names().find(|(name, _)| name == wanted).map(|(_, profile)| profile)
    }

    /// Returns the name of this profile, if it is a named one.
    pub(crate) fn own_name(&self) -> Option<String> {
        Profile::with_names().find(|(_, profile)| profile == self).map(|(name, _)| name)
    }

    /// Returns the value of an attribute, if the device has it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::Profile;
    /// use cuda_sys::CUdevice_attribute_enum as Attribute;
    ///
    /// let warp_size = Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE.0;
    /// assert_eq!(Profile::H200.attribute(warp_size), Some(32));
    /// assert_eq!(Profile::H200.attribute(9999), None);
    /// ```
    #[must_use]
    pub fn attribute(&self, number: u32) -> Option<i32> {
        let found =
            self.attribute_overrides.iter().chain(H200_ATTRIBUTES).find(|(known, _)| *known == number);
        found.map(|(_, value)| *value)
    }

    /// Returns the device with another value of an attribute.
    #[must_use]
    pub fn with_attribute(mut self, number: u32, value: i32) -> Profile {
        let changes = self.attribute_overrides.to_mut();
        match changes.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => *known = value,
            None => changes.push((number, value)),
        }
        self
    }

    /// Returns the device without unified addressing.
    ///
    /// - Page-locked memory has other addresses on the device than on the host.
    /// - There is no managed memory.
    /// - Copies must name the kinds of memory of both sides.
    /// - Processes share no events.
    /// - Devices cannot access each other's memory.
    ///
    /// # Examples
    ///
    /// ```
    /// let profile = cuda_sim::Profile::H200.without_unified_addressing();
    /// assert_eq!(profile.attribute(41), Some(0));
    /// ```
    #[must_use]
    pub fn without_unified_addressing(self) -> Profile {
        self.with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED.0, 0)
    }

    /// Returns the device without memory pools.
    ///
    /// - `cuMemAllocAsync`, functions that create or query pools, and allocations of graphs return `CUDA_ERROR_NOT_SUPPORTED`.
    /// - If it is the first device, the host has no pools either.
    /// - `cuda_rt::DeviceBuf` allocates with `cuMemAlloc`.
    ///
    /// # Examples
    ///
    /// ```
    /// let profile = cuda_sim::Profile::H200.without_memory_pools();
    /// assert_eq!(profile.attribute(115), Some(0));
    /// ```
    #[must_use]
    pub fn without_memory_pools(self) -> Profile {
        self.with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED.0, 0)
            .with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED.0, 0)
    }

    /// Returns the device with access to all memory of the host, including that of `malloc`. Kernels have this access
    /// if the operating system keeps the device's page tables up to date. Linux does so for devices with memory of
    /// their own (HMM).
    ///
    /// No other property changes. Such a device has page tables of its own: attribute 100 is 0, unlike that of
    /// [`GH200`](Profile::GH200), [`THOR`](Profile::THOR) and [`GB10`](Profile::GB10). It has no native atomic
    /// operations in the host's memory (attribute 86). The host and kernels may use managed memory at the same time
    /// (attribute 89). It migrates for that: attribute 101 is 0, and it is 1 for `GH200` only.
    ///
    /// # Examples
    ///
    /// ```
    /// let profile = cuda_sim::Profile::H200.with_pageable_memory_access();
    /// let attributes = [88, 100, 89, 101, 86].map(|number| profile.attribute(number));
    /// assert_eq!(attributes, [Some(1), Some(0), Some(1), Some(0), Some(0)]);
    /// ```
    #[must_use]
    pub fn with_pageable_memory_access(self) -> Profile {
        self.with_attribute(Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS.0, 1)
    }
}

//! What devices are like.

use super::devices::*;
use cuda_sys::CUdevice_attribute_enum as Attribute;
use std::borrow::Cow;

/// What a device is: its name, and what it answers when asked for its properties.
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
    /// The product's name.
    pub name: Cow<'static, str>,
    /// Its memory in bytes.
    pub total_memory: u64,
    /// The attributes in which it differs from an H200, by number.
    pub attribute_overrides: Cow<'static, [(u32, i32)]>,
    /// The limits of a context, by number; `None` for those that the device does not support.
    pub limits: Cow<'static, [(u32, Option<u64>)]>,
    /// The priorities of streams: greatest, least.
    pub stream_priorities: (i32, i32),
    /// The multiprocessors of each group that shares clusters of more than two blocks; empty if the groups are not known.
    pub cluster_groups: Cow<'static, [u32]>,
}

impl Profile {
    /// An NVIDIA H200 with driver 580 (CUDA 13.0), as one answered.
    pub const H200: Profile = Profile {
        name: Cow::Borrowed("NVIDIA H200"),
        total_memory: 150_109_880_320,
        attribute_overrides: Cow::Borrowed(&[]),
        limits: Cow::Borrowed(LIMITS),
        stream_priorities: (-5, 0),
        cluster_groups: Cow::Borrowed(&[18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2]),
    };

    /// An NVIDIA H100 with 80 GB on an SXM5 module with driver 580 (CUDA 13.0), as one answered. It was the only device of its
    /// machine, and has no multicast.
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
    /// Not measured, unlike [`H200`](Profile::H200) and [`H100`](Profile::H100). Published are the name, the memory, the clock rates, the numbers
    /// of multiprocessors and copy engines, the bus, the L2 cache, ECC, and what the compute capability implies:
    /// shared memory, threads and blocks of a multiprocessor, and the features of later ones that it lacks. All else
    /// is as the H200 answers, scaled where it is a share of something that is smaller here.
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
    /// Not measured; what is published, and what is not, is as for [`A100`](Profile::A100).
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
    /// Not measured; what is published, and what is not, is as for [`A100`](Profile::A100). These devices do not
    /// reach each other's memory: use [`Peers::None`](crate::Peers::None).
    pub const RTX_4090: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GeForce RTX 4090"),
        total_memory: 25_756_696_576,
        attribute_overrides: Cow::Borrowed(RTX_4090_CHANGES),
        limits: Cow::Borrowed(RTX_4090_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// An NVIDIA GH200 with 96 GB of its own and 480 GB of the host's, compute capability 9.0. It reads the host's page
    /// tables, so it reaches all of the host's memory, and the host reaches its memory.
    ///
    /// Not measured; published are the name, the memory, the clock rates, the bus, the L2 cache, the number of the
    /// device's NUMA node, and what a hardware-coherent system can do. All else is as the H200 answers, which has the
    /// same multiprocessors.
    pub const GH200: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GH200 480GB"),
        total_memory: 102_005_473_280,
        attribute_overrides: Cow::Borrowed(GH200_CHANGES),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// The device of an NVIDIA Jetson AGX Thor, compute capability 11.0. It has no memory of its own but shares the host's,
    /// of which it reaches all by the host's page tables.
    ///
    /// Not measured; published are the name, the memory, the clock rates, the numbers of multiprocessors and copy engines,
    /// the bus, the L2 cache, that there is no ECC, that it is integrated and what it reaches, and what the compute
    /// capability implies. What takes a fabric between devices it lacks. All else is as for [`A100`](Profile::A100). There
    /// is one of them in a machine: use [`devices`](crate::Config::devices).
    pub const THOR: Profile = Profile {
        name: Cow::Borrowed("NVIDIA Thor"),
        total_memory: 131_587_801_088,
        attribute_overrides: Cow::Borrowed(THOR_CHANGES),
        limits: Cow::Borrowed(THOR_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// The device of an NVIDIA DGX Spark, compute capability 12.1. It has no memory of its own but shares the host's, of
    /// which it reaches all by the host's page tables.
    ///
    /// Not measured; what is published, and what is not, is as for [`THOR`](Profile::THOR), but the memory in whole
    /// mebibytes. There is one of them in a machine.
    pub const GB10: Profile = Profile {
        name: Cow::Borrowed("NVIDIA GB10"),
        total_memory: 122_570 << 20,
        attribute_overrides: Cow::Borrowed(GB10_CHANGES),
        limits: Cow::Borrowed(GB10_LIMITS),
        cluster_groups: Cow::Borrowed(&[]),
        ..Profile::H200
    };

    /// The profiles that have a name in texts.
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
        plain.into_iter().flat_map(|(name, profile)| {
            [
                (name.to_owned(), profile.clone()),
                (format!("{name}-nouva"), profile.clone().without_unified_addressing()),
                (format!("{name}-pageable"), profile.with_pageable_memory_access()),
            ]
        })
    }

    /// The profile of this name.
    pub(crate) fn named(wanted: &str) -> Option<Profile> {
        Profile::with_names().find(|(name, _)| name == wanted).map(|(_, profile)| profile)
    }

    /// The name of this profile, if it is one of those that have one.
    pub(crate) fn own_name(&self) -> Option<String> {
        Profile::with_names().find(|(_, profile)| profile == self).map(|(name, _)| name)
    }

    /// The value of an attribute, if the device knows it.
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

    /// The same device with another value of an attribute.
    #[must_use]
    pub fn with_attribute(mut self, number: u32, value: i32) -> Profile {
        let changes = self.attribute_overrides.to_mut();
        match changes.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => *known = value,
            None => changes.push((number, value)),
        }
        self
    }

    /// The same device without unified addressing: page-locked memory has other addresses on the device than on the
    /// host, there is no managed memory, copies have to say where they go, processes share no events, and devices do not reach each
    /// other.
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

    /// The same device with access to all memory of the host, `malloc`'s too, as kernels have it where the operating
    /// system keeps the device's page tables up to date: Linux does so for devices with memory of their own (HMM).
    ///
    /// Nothing else changes: such a device has page tables of its own (attribute 100 is 0, unlike that of
    /// [`GH200`](Profile::GH200), [`THOR`](Profile::THOR) and [`GB10`](Profile::GB10)), and no native atomic operations in
    /// the host's memory (86); managed memory may be used by the host and by kernels at the same time (89), though it has to
    /// move for that (101 is 0, which is 1 for `GH200` alone).
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

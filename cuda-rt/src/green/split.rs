//! Splitting multiprocessors into groups.

#![allow(unsafe_code)]

use super::SmResource;
use super::resource::SplitPart;
use crate::error::{Code, Error, OrDetail, Result};
use crate::list::CollectVec;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::{
    CU_DEV_SM_RESOURCE_GROUP_PARAMS, CUdevResource, CUdevSmResourceGroup_flags as G,
    CUdevSmResourceSplitByCount_flags as C, Symbol,
};

flags! {
    /// The way in which multiprocessors are split into groups of one size.
    #[doc(alias = "CUdevSmResourceSplitByCount_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct SmSplitFlags {
        /// Groups that can run all clusters that the device can run.
        const DEFAULT = 0;
        /// Groups of any multiprocessors. Groups can be smaller, and may be unable to run large clusters.
        #[doc(alias = "CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING")]
        const IGNORE_SM_COSCHEDULING = C::CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING.0;
        /// Groups that can run the largest clusters, from compute capability 9.0 on.
        #[doc(alias = "CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE")]
        const MAX_POTENTIAL_CLUSTER_SIZE = C::CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

flags! {
    /// The way in which a group of multiprocessors is chosen.
    #[doc(alias = "CUdevSmResourceGroup_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct SmGroupFlags {
        /// Only multiprocessors that meet all constraints.
        #[doc(alias = "CU_DEV_SM_RESOURCE_GROUP_DEFAULT")]
        const DEFAULT = G::CU_DEV_SM_RESOURCE_GROUP_DEFAULT.0;
        /// Other multiprocessors too, if the constraints leave too few.
        #[doc(alias = "CU_DEV_SM_RESOURCE_GROUP_BACKFILL")]
        const BACKFILL = G::CU_DEV_SM_RESOURCE_GROUP_BACKFILL.0;
        /// Multiprocessors of the locality domain that the group names.
        #[doc(alias = "CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID")]
        const LOCALITY_DOMAIN_ID = G::CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID.0;
        /// More multiprocessors of the locality domain than the device's attribute reports.
        #[doc(alias = "CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS")]
        const LOCALITY_DOMAIN_SUPPLEMENTAL_SMS = G::CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}

/// The groups of a split, which are disjoint.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SmSplit {
    /// The groups.
    pub groups: Vec<SmResource>,
    /// The multiprocessors that are in no group. `None` if there are none.
    pub remainder: Option<SmResource>,
}

/// A group for [`SmResource::split`].
///
/// ```
/// use cuda_rt::green::{SmGroup, SmGroupFlags};
///
/// let group = SmGroup::new(12).coscheduled(4).flags(SmGroupFlags::BACKFILL);
/// assert_eq!(group.count(), 12);
/// ```
#[doc(alias = "CU_DEV_SM_RESOURCE_GROUP_PARAMS")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SmGroup {
    count: u32,
    coscheduled: u32,
    preferred_coscheduled: u32,
    flags: SmGroupFlags,
    locality_domain: u32,
}

impl SmGroup {
    /// Requests a group of this even number of multiprocessors. With 0, the driver chooses the number.
    #[doc(alias = "smCount")]
    pub const fn new(count: u32) -> SmGroup {
        SmGroup {
            count,
            coscheduled: 0,
            preferred_coscheduled: 0,
            flags: SmGroupFlags::DEFAULT,
            locality_domain: 0,
        }
    }

    /// Sets the size of the groups of multiprocessors that must be able to run a cluster together. 0 is the device's default.
    #[doc(alias = "coscheduledSmCount")]
    #[must_use]
    pub const fn coscheduled(self, count: u32) -> SmGroup {
        SmGroup { coscheduled: count, ..self }
    }

    /// Sets the size of the groups of multiprocessors that should be able to run a cluster together, where possible.
    #[doc(alias = "preferredCoscheduledSmCount")]
    #[must_use]
    pub const fn preferred_coscheduled(self, count: u32) -> SmGroup {
        SmGroup { preferred_coscheduled: count, ..self }
    }

    /// Sets the flags.
    #[must_use]
    pub const fn flags(self, flags: SmGroupFlags) -> SmGroup {
        SmGroup { flags, ..self }
    }

    /// Sets the locality domain of the multiprocessors, and the [flag](SmGroupFlags::LOCALITY_DOMAIN_ID) for it.
    #[doc(alias = "localityDomainId")]
    #[must_use]
    pub const fn locality_domain(self, domain: u32) -> SmGroup {
        let flags = self.flags.union(SmGroupFlags::LOCALITY_DOMAIN_ID);
        SmGroup { locality_domain: domain, flags, ..self }
    }

    /// Returns the number of multiprocessors; 0 if the driver chooses it.
    pub const fn count(&self) -> u32 {
        self.count
    }

    fn to_raw(self) -> CU_DEV_SM_RESOURCE_GROUP_PARAMS {
        CU_DEV_SM_RESOURCE_GROUP_PARAMS {
            smCount: self.count,
            coscheduledSmCount: self.coscheduled,
            preferredCoscheduledSmCount: self.preferred_coscheduled,
            flags: self.flags.bits(),
            localityDomainId: self.locality_domain,
            reserved: [0; 11],
        }
    }
}

impl SmResource {
    /// Returns the number of groups that [`split_by_count`](Self::split_by_count) would make. Wraps
    /// `cuDevSmResourceSplitByCount`.
    ///
    /// # Errors
    ///
    /// Same as [`split_by_count`](Self::split_by_count).
    #[doc(alias = "cuDevSmResourceSplitByCount")]
    pub fn group_count(&self, min_count: u32, flags: SmSplitFlags) -> Result<u32> {
        let mut groups = 0;
        let input = self.resource().raw();
        // SAFETY: `groups` is valid for a write, `input` for a read; no places for groups and the remainder asks for the number.
        unsafe {
            check!(cuDevSmResourceSplitByCount(
                null_mut(),
                &raw mut groups,
                input,
                null_mut(),
                flags.bits(),
                min_count
            ))
        }
        .or_detail(&REFUSALS, &|| self.describe_split(min_count, flags))?;
        Ok(groups)
    }

    /// Splits the multiprocessors into as many groups as possible. Wraps `cuDevSmResourceSplitByCount`, two calls.
    ///
    /// All groups have the same number of multiprocessors: `min_count`, or the next number that the device allows.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidResourceConfiguration`]: the resource is a part of a split, or has fewer multiprocessors than
    ///   `min_count`. To split a part, make a green context of it, and split [its resource](super::GreenContext::sm_resource).
    /// - [`Code::InvalidValue`]: the flags exclude each other.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::green::SmSplitFlags;
    ///
    /// let all = Device::get(0)?.sm_resource()?;
    /// let split = all.split_by_count(8, SmSplitFlags::DEFAULT)?;
    /// let in_groups: u32 = split.groups.iter().map(|group| group.count()).sum();
    /// assert_eq!(in_groups + split.remainder.map_or(0, |rest| rest.count()), all.count());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDevSmResourceSplitByCount")]
    pub fn split_by_count(&self, min_count: u32, flags: SmSplitFlags) -> Result<SmSplit> {
        self.split_off(u32::MAX, min_count, flags)
    }

    /// Splits off at most this number of groups. Wraps `cuDevSmResourceSplitByCount`, two calls.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `max_groups` is 0, or the driver can make no group.
    /// - Same as [`split_by_count`](Self::split_by_count).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::green::SmSplitFlags;
    ///
    /// let split = Device::get(0)?.sm_resource()?.split_off(1, 16, SmSplitFlags::DEFAULT)?;
    /// assert_eq!(split.groups.len(), 1);
    /// assert!(split.groups[0].count() >= 16 && split.remainder.is_some());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDevSmResourceSplitByCount")]
    pub fn split_off(&self, max_groups: u32, min_count: u32, flags: SmSplitFlags) -> Result<SmSplit> {
        let possible = self.group_count(min_count, flags)?;
        // A device has fewer multiprocessors than this: no answer of a driver makes the list too long.
        let mut count = possible.min(max_groups).min(self.count());
        if count == 0 {
            return Err(no_groups(max_groups, min_count, self.count()));
        }
        let mut groups = vec![CUdevResource::default(); count as usize];
        let mut remainder = CUdevResource::default();
        let input = self.resource().raw();
        // SAFETY: `groups` has `count` places, and each place is valid for a write; `input` is valid for a read.
        unsafe {
            check!(cuDevSmResourceSplitByCount(
                groups.as_mut_ptr(),
                &raw mut count,
                input,
                &raw mut remainder,
                flags.bits(),
                min_count
            ))
        }
        .or_detail(&REFUSALS, &|| self.describe_split(min_count, flags))?;
        groups.truncate(count as usize);
        Ok(self.made(groups, remainder))
    }

    /// Splits the multiprocessors into these groups, which may have different sizes. Wraps `cuDevSmResourceSplit`. Since CUDA
    /// 13.1; not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidResourceConfiguration`]: such groups are not possible.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no groups, or there are more groups
    ///   than multiprocessors.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::error::ErrorKind;
    /// use cuda_rt::green::{SmGroup, SmGroupFlags};
    ///
    /// let all = Device::get(0)?.sm_resource()?;
    /// let rest = SmGroup::new(0).coscheduled(2).flags(SmGroupFlags::BACKFILL);
    /// match all.split(&[SmGroup::new(8).coscheduled(4), rest]) {
    ///     Err(error) if error.kind() == ErrorKind::FunctionMissing => println!("{error}"), // an older driver
    ///     split => assert_eq!(split?.groups[0].count(), 8),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDevSmResourceSplit")]
    pub fn split(&self, groups: &[SmGroup]) -> Result<SmSplit> {
        let mut made = vec![CUdevResource::default(); groups.len()];
        let mut remainder = CUdevResource::default();
        self.split_groups(groups, made.as_mut_ptr(), &raw mut remainder)?;
        Ok(self.made(made, remainder))
    }

    /// Returns the groups with the number of multiprocessors that each would get. A group that would get none has 0.
    /// Wraps `cuDevSmResourceSplit`. Since CUDA 13.1; not run on hardware.
    ///
    /// # Errors
    ///
    /// Same as [`split`](Self::split).
    #[doc(alias = "cuDevSmResourceSplit")]
    pub fn discover_groups(&self, groups: &[SmGroup]) -> Result<Vec<SmGroup>> {
        let found = self.split_groups(groups, null_mut(), null_mut())?;
        Ok(groups
            .iter()
            .zip(found)
            .map(|(group, found)| SmGroup { count: found.smCount, ..*group })
            .collect_vec())
    }

    /// Makes the call. `to` is null, or has a place for each group; `remainder` is null or valid for a write.
    fn split_groups(
        &self,
        groups: &[SmGroup],
        to: *mut CUdevResource,
        remainder: *mut CUdevResource,
    ) -> Result<Vec<CU_DEV_SM_RESOURCE_GROUP_PARAMS>> {
        const CALL: Symbol = Symbol::cuDevSmResourceSplit;
        let count = match u32::try_from(groups.len()) {
            Ok(count) if count <= self.count() && count > 0 => count,
            _ => {
                return Err(Error::invalid_for(
                    CALL,
                    format_args!(
                        "{} groups of {} multiprocessors; ask for at least one, and for no more than there are",
                        groups.len(),
                        self.count()
                    ),
                ));
            }
        };
        let mut params = groups.iter().map(|group| group.to_raw()).collect_vec();
        let (input, list) = (self.resource().raw(), params.as_mut_ptr());
        // SAFETY: `list` has `count` entries, and so has `to` if it is not null; `remainder` is null or valid for a write, and `input`
        // valid for a read.
        unsafe { check!(cuDevSmResourceSplit(to, count, input, remainder, 0, list)) }
            .or_detail(&REFUSALS, &|| format!("{groups:?} of {self:?}"))?;
        Ok(params)
    }

    fn made(&self, groups: Vec<CUdevResource>, remainder: CUdevResource) -> SmSplit {
        static SPLITS: AtomicU64 = AtomicU64::new(0);
        let split = SPLITS.fetch_add(1, Ordering::Relaxed);
        let rest = groups.len();
        let of = |(place, raw)| {
            let part = SmResource::of(raw, self.resource().holder().clone())?;
            Some(part.with_part(SplitPart { split, place }))
        };
        SmSplit {
            groups: groups.into_iter().enumerate().filter_map(of).collect_vec(),
            remainder: of((rest, remainder)),
        }
    }

    /// For errors.
    fn describe_split(&self, min_count: u32, flags: SmSplitFlags) -> String {
        format!(
            "groups of {min_count} of {} multiprocessors, {flags:?}; a part that a split has made is split by way of a green context",
            self.count()
        )
    }
}

/// The error for a split into no groups.
#[cold]
fn no_groups(asked: u32, min_count: u32, of: u32) -> Error {
    let call = Symbol::cuDevSmResourceSplitByCount;
    if asked == 0 {
        return Error::invalid_for(
            call,
            format_args!("0 groups, and the driver needs at least 1; ask for one"),
        );
    }
    Error::invalid_for(
        call,
        format_args!("{of} multiprocessors make 0 groups of at least {min_count}; ask for smaller groups"),
    )
}

const REFUSALS: [Code; 3] =
    [Code::InvalidValue, Code::InvalidResourceType, Code::InvalidResourceConfiguration];

#[cfg(test)]
mod tests {
    use super::no_groups;

    #[test]
    fn split_into_no_groups_names_the_reason() {
        assert!(no_groups(0, 8, 132).to_string().contains("0 groups, and the driver needs at least 1"));
        assert!(no_groups(1, 8, 6).to_string().contains("6 multiprocessors make 0 groups of at least 8"));
    }
}

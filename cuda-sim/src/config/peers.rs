//! Peer access between devices, and the properties of their links.

use super::Config;
use crate::decimal::decimal;
use cuda_sys::CUdevice_attribute_enum as Attribute;

/// Devices that can access each other's memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Peers {
    /// All pairs, as over a switch.
    #[default]
    All,
    /// No pairs of devices.
    None,
    /// Devices within a group.
    Islands(Vec<Vec<u32>>),
    /// Listed pairs, each in one direction. If a pair occurs twice, the first entry counts.
    Links(Vec<DirectedLink>),
}

/// Link through which one device accesses the memory of another, in one direction.
///
/// NVIDIA's devices access each other in both directions, with the same properties. A link in one direction, or two
/// links that differ, shows whether a program confuses a device with its peer.
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, DirectedLink, PeerLink, Peers};
///
/// let peers = Peers::Links(vec![
///     DirectedLink { device: 0, peer: 1, link: Some(PeerLink::PCIE) },
///     DirectedLink { device: 1, peer: 2, link: None },
/// ]);
/// let config = Config { devices: 3, peers, ..Config::default() };
/// assert!(config.can_access(0, 1) && !config.can_access(1, 0));
/// assert_eq!(config.link_between(1, 2), Some(config.peer_link));
/// assert_eq!(Config::from_text("devices=3,peers=0>1:pcie+1>2")?, config);
/// # Ok::<(), cuda_sim::ConfigError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectedLink {
    /// Position of the device whose kernels access the memory.
    pub device: u32,
    /// Position of the device that owns the memory.
    pub peer: u32,
    /// Properties of the link; `None` for [`Config::peer_link`].
    pub link: Option<PeerLink>,
}

/// Properties of a link through which a device accesses the memory of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerLink {
    /// Performance of the link relative to others. Lower is better.
    pub performance_rank: i32,
    /// True if atomic operations on the peer's memory are native.
    pub native_atomics: bool,
    /// True if only some of the atomic operations are native
    /// (`CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED`).
    pub only_partial_native_atomics: bool,
    /// Forms in which each atomic operation is native: bits of `CUatomicOperationCapability`.
    pub atomic_capabilities: u32,
    /// True if kernels can access the peer's arrays.
    pub arrays: bool,
}

impl PeerLink {
    /// Link of two H200s, as measured. They report no form in which an operation is native, although all operations
    /// are.
    pub const NVLINK: PeerLink = PeerLink {
        performance_rank: 0,
        native_atomics: true,
        only_partial_native_atomics: false,
        atomic_capabilities: 0,
        arrays: true,
    };
    /// Slower link without native atomic operations.
    pub const PCIE: PeerLink = PeerLink { performance_rank: 1, native_atomics: false, ..PeerLink::NVLINK };

    fn named(name: &str) -> Option<PeerLink> {
        match name {
            "nvlink" => Some(PeerLink::NVLINK),
            "pcie" => Some(PeerLink::PCIE),
            _ => None,
        }
    }

    /// Returns the name of this link, if it is a named one.
    fn own_name(&self) -> Option<&'static str> {
        match *self {
            PeerLink::NVLINK => Some("nvlink"),
            PeerLink::PCIE => Some("pcie"),
            _ => None,
        }
    }
}

impl Config {
    /// Returns whether the device at one position can access the memory of the device at another.
    ///
    /// It can if [`peers`](Config::peers) connects the two in this direction, both have unified addressing, and both
    /// have the same major compute capability.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Peers, Profile};
    ///
    /// let peers = Peers::Islands(vec![vec![0, 1], vec![2, 3]]);
    /// let config = Config { devices: 4, peers, ..Config::default() };
    /// assert!(config.can_access(2, 3));
    /// assert!(!config.can_access(1, 2));
    ///
    /// let profiles = vec![Profile::H200, Profile::A100];
    /// assert!(!Config { profiles, ..Config::default() }.can_access(0, 1)); // 9.0 and 8.0
    /// ```
    #[must_use]
    pub fn can_access(&self, place: u32, peer: u32) -> bool {
        self.link_between(place, peer).is_some()
    }

    /// Returns the link through which the device at one position accesses the memory of the device at another, or
    /// `None` if there is none.
    #[must_use]
    pub fn link_between(&self, place: u32, peer: u32) -> Option<PeerLink> {
        let unified = Attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING.0;
        let major = Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0;
        let is_unified = |place| self.profile(place).attribute(unified).is_some_and(|value| value != 0);
        let is_same = self.profile(place).attribute(major) == self.profile(peer).attribute(major);
        if place == peer || !is_unified(place) || !is_unified(peer) || !is_same {
            return None;
        }
        match &self.peers {
            Peers::All => Some(self.peer_link),
            Peers::None => None,
            Peers::Islands(islands) => {
                let mut islands = islands.iter();
                let is_one = islands.any(|island| island.contains(&place) && island.contains(&peer));
                is_one.then_some(self.peer_link)
            }
            Peers::Links(links) => {
                let mut links = links.iter();
                let link = links.find(|link| (link.device, link.peer) == (place, peer))?;
                Some(link.link.unwrap_or(self.peer_link))
            }
        }
    }
}

pub(super) const PEERS_ALLOWED: &str = "all, none, groups such as 0-1+2-3, or links of one direction such as 0>1+1>0:pcie are \
                                        allowed";
pub(super) const LINK_ALLOWED: &str = "nvlink or pcie is allowed";

pub(super) fn read_peers(config: &mut Config, value: &str) -> Option<()> {
    config.peers = match value {
        "all" => Peers::All,
        "none" => Peers::None,
        links if links.contains('>') => {
            Peers::Links(links.split('+').map(read_directed).collect::<Option<_>>()?)
        }
        groups => {
            let group = |group: &str| group.split('-').map(decimal).collect();
            Peers::Islands(groups.split('+').map(group).collect::<Option<_>>()?)
        }
    };
    Some(())
}

fn read_directed(text: &str) -> Option<DirectedLink> {
    let (pair, link) = text.split_once(':').map_or((text, None), |(pair, link)| (pair, Some(link)));
    let (device, peer) = pair.split_once('>')?;
    let link = match link {
        Some(name) => Some(PeerLink::named(name)?),
        None => None,
    };
    Some(DirectedLink { device: decimal(device)?, peer: decimal(peer)?, link })
}

/// Returns `None` if a link has no name.
pub(super) fn write_peers(config: &Config) -> Option<String> {
    Some(match &config.peers {
        Peers::All => "all".to_owned(),
        Peers::None => "none".to_owned(),
        // Empty lists connect nothing.
        Peers::Islands(groups) if groups.iter().all(Vec::is_empty) => "none".to_owned(),
        Peers::Links(links) if links.is_empty() => "none".to_owned(),
        Peers::Islands(groups) => {
            let group = |group: &Vec<u32>| group.iter().map(u32::to_string).collect::<Vec<_>>().join("-");
            groups.iter().filter(|group| !group.is_empty()).map(group).collect::<Vec<_>>().join("+")
        }
        Peers::Links(links) => links.iter().map(write_directed).collect::<Option<Vec<_>>>()?.join("+"),
    })
}

fn write_directed(directed: &DirectedLink) -> Option<String> {
    let DirectedLink { device, peer, link } = directed;
    Some(match link {
        None => format!("{device}>{peer}"),
        Some(link) => format!("{device}>{peer}:{}", link.own_name()?),
    })
}

pub(super) fn read_link(config: &mut Config, value: &str) -> Option<()> {
    config.peer_link = PeerLink::named(value)?;
    Some(())
}

pub(super) fn write_link(config: &Config) -> Option<String> {
    config.peer_link.own_name().map(str::to_owned)
}

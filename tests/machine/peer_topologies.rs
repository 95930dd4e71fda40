//! Peer access where a link goes one way, or differs by direction, or joins devices that are no peers.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

use cuda_rt::error::Code;
use cuda_rt::memory::{
    AccessFlags, MemPool, MemPoolOptions, MemorySource, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory,
};
use cuda_rt::peer::{AtomicCapabilities, AtomicOperation, P2pAttribute};
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_sim::{Config, DirectedLink, PeerLink, Peers, Profile};
use cuda_suite::invalid;
use cuda_suite::raw::machine;

const FORTH: PeerLink = PeerLink {
    performance_rank: 3,
    native_atomics: true,
    only_partial_native_atomics: false,
    atomic_capabilities: AtomicCapabilities::SIGNED.bits(),
    arrays: false,
};
/// Each value differs from the one in [`FORTH`].
const BACK: PeerLink = PeerLink {
    performance_rank: 5,
    native_atomics: false,
    only_partial_native_atomics: true,
    atomic_capabilities: AtomicCapabilities::UNSIGNED.bits(),
    arrays: true,
};

fn links(links: &[(u32, u32, PeerLink)]) -> Config {
    let link = |&(device, peer, link)| DirectedLink { device, peer, link: Some(link) };
    Config { peers: Peers::Links(links.iter().map(link).collect()), ..Config::default() }
}

fn devices() -> (Device, Device) {
    (Device::get(0).unwrap(), Device::get(1).unwrap())
}

fn contexts() -> (Context, Context) {
    let (first, second) = devices();
    (Context::primary(first).unwrap(), Context::primary(second).unwrap())
}

fn pool(of: &Context) -> MemPool {
    MemPool::new(of.device(), MemPoolOptions::new()).unwrap()
}

#[test]
fn can_access_peer_goes_one_way() {
    for (device, peer) in [(0, 1), (1, 0)] {
        let (_machine, _entered) = machine(links(&[(device, peer, FORTH)]));
        let (first, second) = devices();
        let forth = device == 0;
        assert_eq!(first.can_access_peer(second), Ok(forth));
        assert_eq!(second.can_access_peer(first), Ok(!forth));
        let (near, far) = contexts();
        assert_eq!(near.peer_access_state(&far).is_supported(), Ok(forth));
        assert_eq!(far.peer_access_state(&near).is_supported(), Ok(!forth));
        // The device has access to memory of the pool.
        assert_eq!(pool(&far).can_have_access(first), Ok(forth));
        assert_eq!(pool(&near).can_have_access(second), Ok(!forth));
    }
}

#[test]
fn enabling_against_the_direction_is_refused() {
    let (machine, _entered) = machine(links(&[(0, 1, FORTH)]));
    let (near, far) = contexts();
    let unsupported = Some(Code::PeerAccessUnsupported);
    assert_eq!(far.enable_peer_access(&near).unwrap_err().code(), unsupported);
    let guard = near.peer_access(&far).unwrap();
    assert_eq!(far.peer_access(&near).unwrap_err().code(), unsupported);
    drop(guard);
    assert_eq!(machine.live().peers, 0);
    assert_eq!(near.peer_access_state(&far).is_enabled(), Ok(false));
    near.enable_peer_access(&far).unwrap();
    assert_eq!(machine.live().peers, 1);
    assert_eq!(
        pool(&near).set_access(far.device(), AccessFlags::READ_WRITE).unwrap_err().code(),
        Some(Code::InvalidDevice)
    );
    pool(&far).set_access(near.device(), AccessFlags::READ_WRITE).unwrap();
}

#[test]
fn p2p_attributes_are_of_their_direction() {
    let (_machine, _entered) = machine(links(&[(0, 1, FORTH), (1, 0, BACK)]));
    let (first, second) = devices();
    for (attribute, forth, back) in [
        (P2pAttribute::PERFORMANCE_RANK, 3, 5),
        (P2pAttribute::ACCESS_SUPPORTED, 1, 1),
        (P2pAttribute::NATIVE_ATOMIC_SUPPORTED, 1, 0),
        (P2pAttribute::CUDA_ARRAY_ACCESS_SUPPORTED, 0, 1),
        (P2pAttribute::ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED, 0, 1),
    ] {
        assert_eq!(first.p2p_attribute(attribute, second), Ok(forth), "{attribute}");
        assert_eq!(second.p2p_attribute(attribute, first), Ok(back), "{attribute}");
    }
}

/// Tests all combinations of the three flags, so that no field can be mistaken for another.
#[test]
fn peer_capabilities_are_of_their_direction() {
    let each = [true, false]
        .map(|other| [true, false].map(|partial| [true, false].map(|arrays| (other, partial, arrays))));
    for (native_atomics, only_partial_native_atomics, arrays) in each.into_iter().flatten().flatten() {
        let link = PeerLink { native_atomics, only_partial_native_atomics, arrays, ..FORTH };
        let (_machine, _entered) = machine(links(&[(0, 1, link)]));
        let (first, second) = devices();
        let forth = first.peer_capabilities(second).unwrap();
        assert!(forth.access);
        assert_eq!(forth.native_atomics, native_atomics);
        assert_eq!(forth.only_partial_native_atomics, only_partial_native_atomics);
        assert_eq!(forth.array_access, arrays);
        assert_eq!(forth.performance_rank, 3);
        let back = second.peer_capabilities(first).unwrap();
        assert!(
            !back.access && !back.native_atomics && !back.only_partial_native_atomics && !back.array_access
        );
        // Without a link, the rank is that of `Config::peer_link`.
        assert_eq!(back.performance_rank, PeerLink::NVLINK.performance_rank);
    }
}

#[test]
fn p2p_atomic_capabilities_are_of_their_direction() {
    let (_machine, _entered) = machine(links(&[(0, 1, FORTH), (1, 0, BACK)]));
    let (first, second) = devices();
    let operations = [AtomicOperation::CAS, AtomicOperation::FLOAT_ADD];
    assert_eq!(first.p2p_atomic_capabilities(&operations, second), Ok(vec![AtomicCapabilities::SIGNED; 2]));
    assert_eq!(second.p2p_atomic_capabilities(&operations, first), Ok(vec![AtomicCapabilities::UNSIGNED; 2]));
    let unknown = first.p2p_atomic_capabilities(&[AtomicOperation(99)], second).unwrap_err();
    assert_eq!(unknown.code(), Some(Code::InvalidValue));
}

#[test]
fn arrays_are_reached_by_the_links_direction() {
    use cuda_rt::TexObject;
    use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    use cuda_rt::texture::TextureDescriptor;

    // Kernels of device 0 cannot use arrays of device 1. The reverse direction is allowed.
    let (_machine, _entered) = machine(links(&[(0, 1, FORTH), (1, 0, BACK)]));
    let (near, far) = contexts();
    near.enable_peer_access(&far).unwrap();
    far.enable_peer_access(&near).unwrap();
    let bind = |own: &Context, peer: &Context| {
        let plane = ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1);
        let array = Array::new(&Stream::new(peer).unwrap(), plane).unwrap();
        TexObject::new(own, &array, &TextureDescriptor::default()).map(drop)
    };
    assert_eq!(bind(&near, &far), invalid("device 0 has no access to arrays of device 1;"));
    assert_eq!(bind(&far, &near), Ok(()));
}

/// Asks two devices of these kinds for everything that takes peer access. Returns whether they have it.
fn are_peers(first: Profile, second: Profile) -> bool {
    let (_machine, _entered) = machine(Config { profiles: vec![first, second], ..Config::default() });
    let (first, second) = devices();
    let (near, far) = contexts();
    let are = first.can_access_peer(second).unwrap();
    assert_eq!(second.can_access_peer(first), Ok(are));
    assert_eq!(near.peer_access_state(&far).is_supported(), Ok(are));
    let pool = pool(&far);
    assert_eq!(pool.can_have_access(first), Ok(are));
    let capabilities = first.peer_capabilities(second).unwrap();
    assert_eq!(
        (capabilities.access, capabilities.native_atomics, capabilities.array_access),
        (are, are, are)
    );

    let code = |result: cuda_rt::Result<()>| result.err().and_then(|error| error.code());
    let refused = |code| (!are).then_some(code);
    assert_eq!(code(near.enable_peer_access(&far).map(drop)), refused(Code::PeerAccessUnsupported));
    assert_eq!(code(pool.set_access(first, AccessFlags::READ_WRITE).map(drop)), refused(Code::InvalidDevice));
    let options = PhysicalMemoryOptions::new();
    let unit = PhysicalMemory::granularity(second, options).unwrap();
    let mut memory = VirtualMemory::reserve(&Stream::new(&far).unwrap(), unit).unwrap();
    memory.map(0, &PhysicalMemory::new(second, unit, options).unwrap()).unwrap();
    assert_eq!(code(memory.set_access(.., &[first], AccessFlags::READ_WRITE)), refused(Code::InvalidDevice));

    // Copies need no peer access: without it, they pass through the host.
    let source =
        DeviceBuf::from_host_in(&Stream::new(&far).unwrap(), &[1_u32, 2], MemorySource::Plain).unwrap();
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&near).unwrap(), 2).unwrap();
    copy.copy_from_device(source.as_slice()).unwrap();
    assert_eq!(copy.to_vec(), Ok(vec![1, 2]));
    are
}

#[test]
fn peers_are_of_one_major_compute_capability() {
    assert!(are_peers(Profile::H200, Profile::GH200), "9.0 both");
    assert!(are_peers(Profile::A100, Profile::RTX_4090), "8.0 and 8.9");
    assert!(!are_peers(Profile::H200, Profile::A100), "9.0 and 8.0");
    assert!(!are_peers(Profile::T4, Profile::A100), "7.5 and 8.0");
    assert!(!are_peers(Profile::H200, Profile::H200.without_unified_addressing()));
}

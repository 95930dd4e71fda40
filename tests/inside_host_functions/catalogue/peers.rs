//! Peer access.

use super::Catalogue;
use crate::world::World;
use cuda_rt::peer::PeerAccess;

fn guard(world: &World) -> PeerAccess {
    world.peer.peer_access(&world.context).unwrap()
}

/// Access that a guard alone has turned on.
fn is_on(_: &mut PeerAccess, world: &World) {
    assert!(world.peer.is_peer_access_enabled(&world.context).unwrap());
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Context::enable_peer_access", |_, w| w.peer.enable_peer_access(&w.context))
        .refuses("Context::disable_peer_access", |_, w| w.context.disable_peer_access(&w.peer))
        .refuses("Context::ensure_peer_access", |_, w| w.peer.ensure_peer_access(&w.context))
        .refuses("Context::ensure_no_peer_access", |_, w| w.context.ensure_no_peer_access(&w.peer))
        .refuses("Context::peer_access", |_, w| w.peer.peer_access(&w.context))
        .refuses("Context::ensure_peer_access_both_ways", |_, w| {
            w.context.ensure_peer_access_both_ways(&w.peer)
        })
        // As documented: inside a host function it is not known.
        .answers("Context::recorded_peer_access", |_, w| {
            assert_eq!(w.context.recorded_peer_access(&w.peer), None);
        })
        .refuses("Context::is_peer_access_enabled", |_, w| w.context.is_peer_access_enabled(&w.peer))
        .refuses("Context::is_peer_access_supported", |_, w| w.context.is_peer_access_supported(&w.peer))
        .refuses("Context::set_peer_access", |_, w| w.peer.set_peer_access(&w.context, true))
        .refuses("Context::set_peer_access off", |_, w| w.context.set_peer_access(&w.peer, false));
    c.of(guard, is_on)
        .answers("PeerAccess::{pool_access, context, peer}; PeerAccess: Debug", |g, _| {
            (g.pool_access(), g.context().clone(), g.peer().clone(), format!("{g:?}"))
        })
        .consumes("PeerAccess::close", |g, _| g.close())
        .drops("PeerAccess: Drop");
}

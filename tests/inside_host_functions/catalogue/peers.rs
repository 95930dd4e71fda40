//! Peer access.

use super::Catalogue;
use crate::world::World;
use cuda_rt::peer::PeerAccessGuard;

fn guard(world: &World) -> PeerAccessGuard {
    world.peer.peer_access(&world.context).unwrap()
}

/// Access that a guard alone has turned on.
fn is_on(_: &mut PeerAccessGuard, world: &World) {
    assert!(world.peer.peer_access_state(&world.context).is_enabled().unwrap());
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Context::enable_peer_access", |_, w| w.peer.enable_peer_access(&w.context))
        .refuses("Context::disable_peer_access", |_, w| w.context.disable_peer_access(&w.peer))
        .refuses("Context::peer_access", |_, w| w.peer.peer_access(&w.context))
        // As documented: inside a host function it is not known.
        .answers("Context::peer_access_state; PeerAccessState::recorded", |_, w| {
            assert_eq!(w.context.peer_access_state(&w.peer).recorded(), None);
        })
        .refuses("PeerAccessState::is_enabled", |_, w| w.context.peer_access_state(&w.peer).is_enabled())
        .refuses("PeerAccessState::is_supported", |_, w| w.context.peer_access_state(&w.peer).is_supported());
    c.of(guard, is_on)
        .answers("PeerAccessGuard::{pool, context, peer}; PeerAccessGuard: Debug", |g, _| {
            (g.pool(), g.context().clone(), g.peer().clone(), format!("{g:?}"))
        })
        .consumes("PeerAccessGuard::close", |g, _| g.close())
        .drops("PeerAccessGuard: Drop");
}

//! Laws of recorded and reported access, for all orders of operations.

use super::*;
use crate::rows::{managed, pool, unknown};
use cuda_rt::access::{ForeignMemory, Parts};
use cuda_rt::memory::MemPool;
use cuda_rt::peer::PeerAccessGuard;
use cuda_suite::call;
use cuda_sys::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Several pieces are as accessible as the worst of them, in whatever order and however they are put together.
    #[test]
    fn the_worst_piece_counts(order in prop::collection::vec(0_usize..9, 0..12), split in 0_usize..12) {
        let two = Two::alike();
        let list = vec![1_u32];
        let pieces: [&dyn Memory; 9] = [
            &plain(&two.near),
            &pooled(&two.near),
            &managed(&two.far),
            &plain(&two.far),
            &pooled(&two.far),
            &unknown(&two.far),
            &list,
            &ForeignMemory::page_locked(),
            &Vec::<u8>::new(),
        ];
        for place in [Viewpoint::Host, (&two.near).into(), (&two.far).into()] {
            let chosen: Vec<&dyn Memory> = order.iter().map(|piece| pieces[*piece]).collect();
            let worst = chosen.iter().map(|piece| look(place, piece)).max().unwrap_or(Access::Accessible);
            prop_assert_eq!(look(place, &Parts(&chosen)), worst);
            let backwards: Vec<_> = chosen.iter().rev().copied().collect();
            prop_assert_eq!(look(place, &Parts(&backwards)), worst);
            let (first, second) = chosen.split_at(split.min(chosen.len()));
            prop_assert_eq!(look(place, &(Parts(first), Some(Parts(second)))), worst);
        }
    }
}

/// An operation that may change access between two devices.
#[derive(Debug, Clone, Copy)]
enum Step {
    Set(bool, bool),
    Guard(bool),
    Unguard,
    DefaultPool(bool),
    OwnPool(bool),
    Ask,
    /// By another library.
    Raw(bool),
    RawPool(bool),
}

fn own_steps() -> impl Strategy<Value = Step> {
    let set = (any::<bool>(), any::<bool>()).prop_map(|(way, enabled)| Step::Set(way, enabled));
    prop_oneof![
        set,
        any::<bool>().prop_map(Step::Guard),
        Just(Step::Unguard),
        any::<bool>().prop_map(Step::DefaultPool),
        any::<bool>().prop_map(Step::OwnPool),
        Just(Step::Ask),
    ]
}

fn all_steps() -> impl Strategy<Value = Step> {
    prop_oneof![4 => own_steps(), 1 => any::<bool>().prop_map(Step::Raw), 1 => any::<bool>().prop_map(Step::RawPool)]
}

/// Two devices, memory of each, and steps between them.
struct World {
    guards: Vec<PeerAccessGuard>,
    memory: Vec<DeviceBuf<u32>>,
    pool: MemPool,
    two: Two,
}

impl World {
    fn new() -> World {
        let two = Two::alike();
        let pool = pool(1);
        let memory = vec![plain(&two.far), pooled(&two.far), buffer(&two.far, &pool), plain(&two.near)];
        World { guards: Vec::new(), memory, pool, two }
    }

    fn step(&mut self, step: Step) {
        let (near, far) = (&self.two.near, &self.two.far);
        let pair = |way| if way { (near, far) } else { (far, near) };
        match step {
            Step::Set(way, enabled) => {
                let (own, peer) = pair(way);
                let set = || match enabled {
                    true => own.enable_peer_access(peer).unwrap().changed,
                    false => own.disable_peer_access(peer).unwrap(),
                };
                set();
                assert_eq!(own.peer_access_state(peer).is_enabled().unwrap(), enabled);
                assert!(!set());
            }
            Step::Guard(way) => {
                let (own, peer) = pair(way);
                self.guards.push(own.peer_access(peer).unwrap());
            }
            Step::Unguard => drop(self.guards.pop()),
            Step::DefaultPool(open) => {
                MemPool::default_of(device(1)).unwrap().set_access(device(0), rights(open)).unwrap();
            }
            Step::OwnPool(open) => {
                self.pool.set_access(device(0), rights(open)).unwrap();
                assert_eq!(self.pool.has_access(device(0)).unwrap(), open);
            }
            Step::Ask => drop(self.answers()),
            Step::Raw(enable) => {
                let _entered = near.enter().unwrap();
                // Access may be on already.
                let _ = match enable {
                    true => cuda_suite::code!(cuCtxEnablePeerAccess(far.as_raw(), 0)),
                    false => cuda_suite::code!(cuCtxDisablePeerAccess(far.as_raw())),
                };
            }
            Step::RawPool(open) => {
                use CUmemAccess_flags_enum as Flags;
                let location = CUmemLocation {
                    type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
                    __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: 0 },
                };
                let flags = if open {
                    Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                } else {
                    Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE
                };
                let access = CUmemAccessDesc { location, flags };
                call!(cuMemPoolSetAccess(self.pool.as_raw(), &raw const access, 1));
            }
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&Context, &DeviceBuf<u32>)> {
        let contexts = [&self.two.near, &self.two.far];
        self.memory.iter().flat_map(move |memory| contexts.map(|context| (context, memory)))
    }

    fn recorded(&self) -> Vec<Access> {
        self.pairs().map(|(context, memory)| recorded_access(context, memory).unwrap()).collect()
    }

    fn answers(&self) -> Vec<Access> {
        self.pairs().map(|(context, memory)| access(context, memory).unwrap()).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// If only this crate changes access, the record says what the driver does.
    #[test]
    fn record_of_own_changes_matches_the_driver(steps in prop::collection::vec(own_steps(), 0..12)) {
        let mut world = World::new();
        for step in &steps {
            world.step(*step);
            // Before the query, whose answer is recorded.
            let recorded = world.recorded();
            prop_assert_eq!(recorded, world.answers(), "{:?}", step);
        }
    }

    /// Another library may change access, too: after a question to the driver, the record says the same as the driver.
    #[test]
    fn answers_of_the_driver_are_recorded(steps in prop::collection::vec(all_steps(), 0..12)) {
        let mut world = World::new();
        for step in &steps {
            world.step(*step);
            let answers = world.answers();
            prop_assert_eq!(world.recorded(), &answers[..], "{:?}", step);
            // Asking changes nothing.
            prop_assert_eq!(world.answers(), answers);
        }
        // A kernel reaches all memory that is said to be accessible.
        for ((context, memory), access) in world.pairs().zip(world.answers()) {
            if access == Access::Accessible {
                prop_assert_eq!(seen_by_kernel(context, memory.ptr()), Ok(7));
            }
        }
    }
}

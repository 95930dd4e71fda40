//! Peer access on machines with any connections, against a model of ordered pairs. This crate enables, ensures, guards and
//! disables it. Other code changes it, too. Contexts are released and made again.

use crate::{cases, machine, told};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::peer::{PeerAccessGuard, PoolGrant};
use cuda_rt::{Context, Device};
use cuda_sim::{Config, DirectedLink, HandleReuse, Peers};
use cuda_sys::CUresult;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const DEVICES: u32 = 4;
const CONTEXTS: usize = 6;

/// Indices of two contexts.
type Pair = (usize, usize);

#[derive(Debug, Clone)]
enum Step {
    Enable(Pair),
    Disable(Pair),
    BothWays(Pair),
    Guard(Pair),
    DropGuard(prop::sample::Index),
    /// By another library.
    RawEnable(Pair),
    RawDisable(Pair),
    Ask(Pair),
    /// A context is dropped and another one made in its place, where no guard keeps it.
    Renew(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let pair = || (0..CONTEXTS, 0..CONTEXTS);
    prop_oneof![
        3 => pair().prop_map(Step::Enable),
        3 => pair().prop_map(Step::Disable),
        2 => pair().prop_map(Step::BothWays),
        5 => pair().prop_map(Step::Guard),
        5 => any::<prop::sample::Index>().prop_map(Step::DropGuard),
        1 => pair().prop_map(Step::RawEnable),
        1 => pair().prop_map(Step::RawDisable),
        2 => pair().prop_map(Step::Ask),
        1 => (0..CONTEXTS).prop_map(Step::Renew),
    ]
}

/// The record that this crate should have of access that is on, as far as it knows.
#[derive(Default)]
struct Access {
    number: u64,
    guards: usize,
    by_guards: bool,
    pinned: bool,
}

struct Model {
    config: Config,
    /// Pairs that are on in the driver.
    on: BTreeSet<Pair>,
    known: BTreeMap<Pair, Access>,
    numbers: u64,
}

fn device(context: usize) -> u32 {
    context as u32 % DEVICES
}

impl Model {
    /// Returns the answer of the driver to enabling access.
    fn answer(&self, (own, peer): Pair) -> Option<Code> {
        if !self.config.can_access(device(own), device(peer)) {
            return Some(Code::PeerAccessUnsupported);
        }
        if self.on.contains(&(own, peer)) {
            return Some(Code::PeerAccessAlreadyEnabled);
        }
        let others: BTreeSet<u32> = self
            .on
            .iter()
            .filter(|(from, _)| device(*from) == device(own))
            .map(|(_, to)| device(*to))
            .filter(|to| *to != device(peer))
            .collect();
        let full = self.config.max_peers.is_some_and(|most| others.len() as u32 >= most);
        full.then_some(Code::TooManyPeers)
    }

    /// Enables access if it is off. Returns whether it was off.
    fn turn_on(&mut self, pair: Pair) -> Result<bool, Code> {
        let newly = match self.answer(pair) {
            None => true,
            Some(Code::PeerAccessAlreadyEnabled) => false,
            Some(code) => return Err(code),
        };
        self.on.insert(pair);
        self.note(pair, newly);
        Ok(newly)
    }

    fn note(&mut self, pair: Pair, newly: bool) {
        self.numbers += 1;
        let number = self.numbers;
        let access = self.known.entry(pair).or_insert_with(|| Access { number, ..Access::default() });
        if newly {
            (access.pinned, access.by_guards) = (false, false);
        }
    }

    fn by_guard(&mut self, pair: Pair, newly: bool) {
        self.known.get_mut(&pair).into_iter().for_each(|access| access.by_guards |= newly);
    }

    fn pin(&mut self, pair: Pair) {
        self.known.get_mut(&pair).into_iter().for_each(|access| access.pinned = true);
    }
}

fn code<T>(result: cuda_rt::Result<T>) -> Result<T, Option<Code>> {
    result.map_err(|error| error.code())
}

/// Enables both directions, or neither.
fn enable_both(first: &Context, second: &Context) -> cuda_rt::Result<()> {
    let _guards = [first.peer_access(second)?, second.peer_access(first)?];
    first.enable_peer_access(second)?;
    second.enable_peer_access(first)?;
    Ok(())
}

fn raw(own: &Context, call: impl FnOnce() -> CUresult) -> Option<Code> {
    let _entered = own.enter().unwrap();
    Code::new(call())
}

fn one_way(pairs: Vec<(u32, u32)>) -> Peers {
    Peers::Links(pairs.into_iter().map(|(device, peer)| DirectedLink { device, peer, link: None }).collect())
}

fn connections() -> impl Strategy<Value = Config> {
    let peers = prop_oneof![
        3 => Just(Peers::All),
        1 => Just(Peers::None),
        2 => Just(Peers::Islands(vec![vec![0, 1], vec![2, 3]])),
        2 => prop::collection::vec((0..DEVICES, 0..DEVICES), 0..12).prop_map(one_way),
    ];
    (peers, prop::option::of(0_u32..4), any::<bool>()).prop_map(|(peers, max_peers, recycle)| Config {
        devices: DEVICES,
        peers,
        max_peers,
        handles: if recycle { HandleReuse::AtOnce } else { HandleReuse::Never },
        ..Config::default()
    })
}

fn make(context: usize) -> Context {
    Context::new(Device::get(device(context)).unwrap(), ContextFlags::default()).unwrap()
}

fn walk(config: Config, steps: &[Step]) {
    let (machine, _entered) = machine(config.clone());
    let mut contexts: Vec<Context> = (0..CONTEXTS).map(make).collect();
    let mut model = Model { config, on: BTreeSet::new(), known: BTreeMap::new(), numbers: 0 };
    let mut guards: Vec<(Pair, u64, PeerAccessGuard)> = Vec::new();
    for step in steps {
        let mut expected_told = Vec::new();
        match *step {
            Step::Enable(pair) => {
                let (own, peer) = (&contexts[pair.0], &contexts[pair.1]);
                let expected = match model.turn_on(pair) {
                    _ if own == peer => Ok((false, PoolGrant::Granted)),
                    Ok(changed) => {
                        model.pin(pair);
                        Ok((changed, PoolGrant::Granted))
                    }
                    Err(code) => Err(Some(code)),
                };
                let enabled = own.enable_peer_access(peer).map(|change| (change.changed, change.pool));
                assert_eq!(code(enabled), expected);
            }
            Step::Disable(pair) => {
                let (own, peer) = (&contexts[pair.0], &contexts[pair.1]);
                let was_on = model.on.remove(&pair);
                model.known.remove(&pair);
                assert_eq!(own.disable_peer_access(peer), Ok(was_on));
            }
            Step::BothWays((first, second)) => {
                let result = code(enable_both(&contexts[first], &contexts[second]));
                let was_known = model.known.contains_key(&(first, second));
                let expected = model.turn_on((first, second)).and_then(|newly| {
                    model.by_guard((first, second), newly);
                    let back = model.turn_on((second, first));
                    match back {
                        Ok(newly) => {
                            model.by_guard((second, first), newly);
                            model.pin((first, second));
                            model.pin((second, first));
                        }
                        // As the end of a guard.
                        Err(_) => {
                            let access = &model.known[&(first, second)];
                            let wanted = access.guards > 0 || access.pinned;
                            if !wanted {
                                if access.by_guards {
                                    model.on.remove(&(first, second));
                                }
                                model.known.remove(&(first, second));
                            }
                            assert!(was_known || !wanted);
                        }
                    }
                    back.map(drop)
                });
                assert_eq!(result, expected.map_err(Some));
            }
            Step::Guard(pair) => {
                let made = contexts[pair.0].peer_access(&contexts[pair.1]);
                match (made, model.turn_on(pair)) {
                    (Ok(guard), Ok(newly)) => {
                        let access = model.known.get_mut(&pair).unwrap();
                        access.guards += 1;
                        access.by_guards |= newly;
                        guards.push((pair, access.number, guard));
                    }
                    (Err(error), Err(code)) => assert_eq!(error.code(), Some(code)),
                    (made, expected) => panic!("{made:?}, not {expected:?}"),
                }
            }
            Step::DropGuard(which) if !guards.is_empty() => {
                let (pair, number, guard) = guards.remove(which.index(guards.len()));
                drop(guard);
                if let Some(access) = model.known.get_mut(&pair).filter(|access| access.number == number) {
                    access.guards -= 1;
                    if access.guards == 0 && !access.pinned {
                        if access.by_guards && !model.on.remove(&pair) {
                            expected_told.push(Some(Code::PeerAccessNotEnabled));
                        }
                        model.known.remove(&pair);
                    }
                }
            }
            Step::DropGuard(_) => {}
            Step::RawEnable(pair) => {
                let (own, peer) = (&contexts[pair.0], &contexts[pair.1]);
                // SAFETY: both are live.
                let answer = raw(own, || unsafe { cuda_sys::cuCtxEnablePeerAccess(peer.as_raw(), 0) });
                assert_eq!(answer, model.answer(pair));
                if answer.is_none() {
                    model.on.insert(pair);
                }
            }
            Step::RawDisable(pair) => {
                let (own, peer) = (&contexts[pair.0], &contexts[pair.1]);
                // SAFETY: both are live.
                let answer = raw(own, || unsafe { cuda_sys::cuCtxDisablePeerAccess(peer.as_raw()) });
                let off = (!model.on.remove(&pair)).then_some(Code::PeerAccessNotEnabled);
                assert_eq!(answer, off);
            }
            Step::Ask(pair) => {
                let asked = contexts[pair.0].peer_access_state(&contexts[pair.1]).is_enabled();
                assert_eq!(asked, Ok(pair.0 == pair.1 || model.on.contains(&pair)));
                if model.answer(pair).is_none() {
                    // Access was enabled and disabled again: the record was wrong.
                    model.known.remove(&pair);
                }
            }
            Step::Renew(context) => {
                if guards.iter().any(|((own, peer), ..)| [*own, *peer].contains(&context)) {
                    continue;
                }
                // The old context ends first, so that its handle may be reused.
                let place = (0..CONTEXTS).find(|other| *other != context).unwrap();
                contexts[context] = contexts[place].clone();
                contexts[context] = make(context);
                model.on.retain(|(own, peer)| ![*own, *peer].contains(&context));
                model.known.retain(|(own, peer), _| ![*own, *peer].contains(&context));
            }
        }
        let told: Vec<Option<Code>> = told().iter().map(|error| error.code()).collect();
        assert_eq!(told, expected_told, "{step:?}");
        for own in 0..CONTEXTS {
            for peer in 0..CONTEXTS {
                let recorded = contexts[own].peer_access_state(&contexts[peer]).recorded().is_some();
                assert_eq!(recorded, model.known.contains_key(&(own, peer)), "{step:?}: {own}, {peer}");
            }
        }
        let live = machine.live();
        assert_eq!(live.peers, model.on.len(), "{step:?}");
        // A pool is open for each pair of devices with an entry in the record.
        let open: BTreeSet<_> = model.known.keys().map(|(own, peer)| (device(*own), device(*peer))).collect();
        assert_eq!(live.pool_grants, open.len(), "{step:?}");
    }
    drop(guards);
    drop(contexts);
    told();
    assert!(machine.live().is_empty(), "{}", machine.live());
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn access_follows_the_pairs(config in connections(), steps in prop::collection::vec(step(), 1..80)) {
        walk(config, &steps);
    }
}

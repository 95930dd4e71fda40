//! Maps and sets that are cheap to compile.
//!
//! `BTreeMap` costs about 10,000 lines of LLVM IR for each pair of key and value types. The driver has about 50 such pairs.
//! Here, all maps with numeric keys share one `BTreeMap<u64, u64>`, and small maps are sorted vectors.

use core::marker::PhantomData;
use core::ops::{Bound, Range, RangeBounds};
use std::collections::{BTreeMap, btree_map};

/// Key that is a number: a handle, an address, a device. Keys have the order of their numbers.
pub(crate) trait Id: Copy {
    fn number(self) -> u64;
    fn of_number(number: u64) -> Self;
}

impl Id for u64 {
    fn number(self) -> u64 {
        self
    }

    fn of_number(number: u64) -> u64 {
        number
    }
}

impl Id for u32 {
    fn number(self) -> u64 {
        self.into()
    }

    fn of_number(number: u64) -> u32 {
        number as u32
    }
}

impl Id for usize {
    fn number(self) -> u64 {
        self as u64
    }

    fn of_number(number: u64) -> usize {
        number as usize
    }
}

/// Devices, which are not negative.
impl Id for i32 {
    fn number(self) -> u64 {
        self.cast_unsigned().into()
    }

    fn of_number(number: u64) -> i32 {
        (number as u32).cast_signed()
    }
}

/// Positions of values in a vector, by the numbers of their keys. Not generic, so that it is compiled once.
#[derive(Debug, Clone, Default)]
struct Index {
    places: BTreeMap<u64, u64>,
    /// Positions of removed values, for reuse by later values.
    free: Vec<u64>,
}

impl Index {
    fn find(&self, number: u64) -> Option<usize> {
        self.places.get(&number).map(|place| *place as usize)
    }

    /// Returns the position of a key. A new key gets a free position, or position `len`.
    fn find_or_add(&mut self, number: u64, len: usize) -> usize {
        if let Some(place) = self.find(number) {
            return place;
        }
        let place = self.free.pop().unwrap_or(len as u64);
        self.places.insert(number, place);
        place as usize
    }

    fn remove(&mut self, number: u64) -> Option<usize> {
        let place = self.places.remove(&number)?;
        self.free.push(place);
        Some(place as usize)
    }

    /// Returns the last key up to `number`, and its position.
    fn at_or_before(&self, number: u64) -> Option<(u64, usize)> {
        // Separate from the general case, because constant bounds are faster.
        Places(self.places.range(..=number)).next_back()
    }

    fn range(&self, bounds: (Bound<u64>, Bound<u64>)) -> Places<btree_map::Range<'_, u64, u64>> {
        Places(self.places.range(bounds))
    }

    fn iter(&self) -> Places<btree_map::Iter<'_, u64, u64>> {
        Places(self.places.iter())
    }

    /// Keeps the keys for which `keep` returns true. Visits them in order.
    fn retain(&mut self, keep: &mut dyn FnMut(u64, usize) -> bool) {
        if self.places.is_empty() {
            return;
        }
        let free = &mut self.free;
        self.places.retain(|number, place| {
            let kept = keep(*number, *place as usize);
            if !kept {
                free.push(*place);
            }
            kept
        });
    }
}

/// Keys and positions from an iterator of the tree.
struct Places<I>(I);

impl<'map, I: Iterator<Item = (&'map u64, &'map u64)>> Iterator for Places<I> {
    type Item = (u64, usize);

    fn next(&mut self) -> Option<(u64, usize)> {
        self.0.next().map(|(number, place)| (*number, *place as usize))
    }
}

impl<'map, I: DoubleEndedIterator<Item = (&'map u64, &'map u64)>> DoubleEndedIterator for Places<I> {
    fn next_back(&mut self) -> Option<(u64, usize)> {
        self.0.next_back().map(|(number, place)| (*number, *place as usize))
    }
}

/// Sorted map with numeric keys, of any size.
#[derive(Debug, Clone)]
pub(crate) struct IdMap<K, V> {
    index: Index,
    values: Vec<Option<V>>,
    key: PhantomData<K>,
}

impl<K, V> Default for IdMap<K, V> {
    fn default() -> IdMap<K, V> {
        IdMap { index: Index::default(), values: Vec::new(), key: PhantomData }
    }
}

impl<K: Id, V> IdMap<K, V> {
    pub(crate) fn new() -> IdMap<K, V> {
        IdMap::default()
    }

    pub(crate) fn len(&self) -> usize {
        self.index.places.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.index.places.is_empty()
    }

    pub(crate) fn contains(&self, key: K) -> bool {
        self.index.find(key.number()).is_some()
    }

    pub(crate) fn get(&self, key: K) -> Option<&V> {
        self.values.get(self.index.find(key.number())?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.values.get_mut(self.index.find(key.number())?)?.as_mut()
    }

    /// Inserts a value. Returns the previous value of this key.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let place = self.index.find_or_add(key.number(), self.values.len());
        match self.values.get_mut(place) {
            Some(known) => known.replace(value),
            None => {
                self.values.push(Some(value));
                None
            }
        }
    }

    /// Returns the value of a key. Inserts the default if there is none.
    pub(crate) fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let place = self.index.find_or_add(key.number(), self.values.len());
        if place >= self.values.len() {
            self.values.resize_with(place + 1, || None);
        }
        self.values[place].get_or_insert_default()
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<V> {
        let place = self.index.remove(key.number())?;
        self.values.get_mut(place)?.take()
    }

    /// Visits the entries in the order of their keys.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.index.iter().filter_map(|(number, place)| self.entry(number, place))
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = K> {
        self.index.iter().map(|(number, _)| K::of_number(number))
    }

    /// Visits the values in the order of their keys.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Visits the values in no particular order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut().flatten()
    }

    /// Visits the entries of a range of keys in their order.
    pub(crate) fn range(&self, range: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (K, &V)> {
        let number = |bound: Bound<&K>| bound.map(|key| key.number());
        let bounds = (number(range.start_bound()), number(range.end_bound()));
        self.index.range(bounds).filter_map(|(number, place)| self.entry(number, place))
    }

    /// Returns the last entry whose key is `key` or less.
    pub(crate) fn at_or_before(&self, key: K) -> Option<(K, &V)> {
        let (number, place) = self.index.at_or_before(key.number())?;
        self.entry(number, place)
    }

    /// Like [`at_or_before`](Self::at_or_before), with a mutable value.
    pub(crate) fn at_or_before_mut(&mut self, key: K) -> Option<(K, &mut V)> {
        let (number, place) = self.index.at_or_before(key.number())?;
        Some((K::of_number(number), self.values.get_mut(place)?.as_mut()?))
    }

    /// Returns the last entry whose key is less than `key`.
    pub(crate) fn before(&self, key: K) -> Option<(K, &V)> {
        let (number, place) = self.index.at_or_before(key.number().checked_sub(1)?)?;
        self.entry(number, place)
    }

    /// Keeps the entries for which `keep` returns true. Visits them in the order of their keys.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut V) -> bool) {
        let values = &mut self.values;
        self.index.retain(&mut |number, place| {
            let Some(value) = values.get_mut(place) else { return false };
            let kept = value.as_mut().is_some_and(|known| keep(K::of_number(number), known));
            if !kept {
                *value = None;
            }
            kept
        });
    }

    /// Removes and returns all entries, in the order of their keys.
    pub(crate) fn drain(&mut self) -> Vec<(K, V)> {
        let IdMap { index, mut values, .. } = core::mem::take(self);
        let take = |(number, place): (u64, usize)| {
            Some((K::of_number(number), values.get_mut(place).and_then(Option::take)?))
        };
        index.iter().filter_map(take).collect()
    }

    fn entry(&self, number: u64, place: usize) -> Option<(K, &V)> {
        Some((K::of_number(number), self.values.get(place)?.as_ref()?))
    }
}

/// Sorted set of numeric keys, of any size.
#[derive(Debug, Clone)]
pub(crate) struct IdSet<K> {
    /// Unused values. With them, the set has a map type that is compiled already.
    numbers: BTreeMap<u64, u64>,
    key: PhantomData<K>,
}

impl<K> Default for IdSet<K> {
    fn default() -> IdSet<K> {
        IdSet { numbers: BTreeMap::new(), key: PhantomData }
    }
}

impl<K: Id> IdSet<K> {
    pub(crate) fn new() -> IdSet<K> {
        IdSet::default()
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub(crate) fn contains(&self, key: K) -> bool {
        self.numbers.contains_key(&key.number())
    }

    /// Inserts a key. Returns whether it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.numbers.insert(key.number(), 0).is_none()
    }

    /// Removes a key. Returns whether it was in the set.
    pub(crate) fn remove(&mut self, key: K) -> bool {
        self.numbers.remove(&key.number()).is_some()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = K> {
        self.numbers.keys().map(|number| K::of_number(*number))
    }

    pub(crate) fn extend(&mut self, keys: impl IntoIterator<Item = K>) {
        keys.into_iter().for_each(|key| {
            self.insert(key);
        });
    }
}

impl<K: Id> FromIterator<K> for IdSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> IdSet<K> {
        let mut set = IdSet::new();
        set.extend(keys);
        set
    }
}

/// Map of few entries, as a sorted vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SmallMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> SmallMap<K, V> {
        SmallMap(Vec::new())
    }
}

impl<K: Ord, V> SmallMap<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the position of a key, or the position at which to insert it.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: core::borrow::Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: core::borrow::Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        self.0.get(position).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let position = self.find(key).ok()?;
        self.0.get_mut(position).map(|(_, value)| value)
    }

    /// Inserts a value. Returns the previous value of this key.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(position) => Some(core::mem::replace(&mut self.0[position].1, value)),
            Err(position) => {
                self.0.insert(position, (key, value));
                None
            }
        }
    }

    /// Returns the value of a key. Inserts `value` if there is none.
    pub(crate) fn get_or_insert(&mut self, key: K, value: V) -> &mut V {
        let position = self.find(&key).unwrap_or_else(|position| {
            self.0.insert(position, (key, value));
            position
        });
        &mut self.0[position].1
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let position = self.find(key).ok()?;
        Some(self.0.remove(position).1)
    }

    /// Visits the entries in the order of their keys.
    pub(crate) fn iter(&self) -> core::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Returns the last entry whose key is `key` or less.
    pub(crate) fn at_or_before(&self, key: &K) -> Option<&(K, V)> {
        self.0.get(self.0.partition_point(|(known, _)| known <= key).checked_sub(1)?)
    }

    /// Returns the positions of a range of keys.
    fn positions(&self, range: &Range<K>) -> Range<usize> {
        let position = |key: &K| self.0.partition_point(|(known, _)| known < key);
        let start = position(&range.start);
        start..position(&range.end).max(start)
    }

    /// Returns the entries of a range of keys.
    pub(crate) fn range(&self, range: &Range<K>) -> &[(K, V)] {
        self.0.get(self.positions(range)).unwrap_or_default()
    }

    /// Like [`range`](Self::range), with mutable values. The caller must keep the order of the keys.
    pub(crate) fn range_mut(&mut self, range: &Range<K>) -> &mut [(K, V)] {
        let positions = self.positions(range);
        self.0.get_mut(positions).unwrap_or_default()
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SmallMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SmallMap<K, V> {
        let mut map = SmallMap::default();
        entries.into_iter().for_each(|(key, value)| {
            map.insert(key, value);
        });
        map
    }
}

/// Set of few keys, as a sorted vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SmallSet<K>(Vec<K>);

impl<K> Default for SmallSet<K> {
    fn default() -> SmallSet<K> {
        SmallSet(Vec::new())
    }
}

impl<K: Ord> SmallSet<K> {
    pub(crate) const fn new() -> SmallSet<K> {
        SmallSet(Vec::new())
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        self.0.binary_search(key).is_ok()
    }

    /// Inserts a key. Returns whether it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        match self.0.binary_search(&key) {
            Ok(_) => false,
            Err(position) => {
                self.0.insert(position, key);
                true
            }
        }
    }

    /// Removes a key. Returns whether it was in the set.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        match self.0.binary_search(key) {
            Ok(position) => {
                self.0.remove(position);
                true
            }
            Err(_) => false,
        }
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: core::borrow::Borrow<Q>,
    {
        let position = self.0.binary_search_by(|known| known.borrow().cmp(key)).ok()?;
        self.0.get(position)
    }

    /// Returns the keys in their order.
    pub(crate) fn as_slice(&self) -> &[K] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn maps_agree_with_the_standard_library(steps in proptest::collection::vec((0_u64..40, 0_u8..4), 0..200)) {
            let (mut map, mut small, mut expected) = (IdMap::new(), SmallMap::default(), BTreeMap::new());
            for (step, (key, action)) in steps.into_iter().enumerate() {
                match action {
                    0 | 1 => {
                        let before = expected.insert(key, step);
                        prop_assert_eq!(map.insert(key, step), before);
                        prop_assert_eq!(small.insert(key, step), before);
                    }
                    2 => {
                        let before = expected.remove(&key);
                        prop_assert_eq!(map.remove(key), before);
                        prop_assert_eq!(small.remove(&key), before);
                    }
                    _ => {
                        expected.retain(|known, _| known % 5 != key % 5);
                        map.retain(|known: u64, _| known % 5 != key % 5);
                        small.retain(|known, _| known % 5 != key % 5);
                    }
                }
                let known = |entry: (&u64, &usize)| (*entry.0, *entry.1);
                let all: Vec<(u64, usize)> = expected.iter().map(known).collect();
                prop_assert_eq!(map.iter().map(|(key, value)| (key, *value)).collect::<Vec<_>>(), all.clone());
                prop_assert_eq!(small.iter().copied().collect::<Vec<_>>(), all);
                prop_assert_eq!(map.len(), expected.len());
                prop_assert_eq!(map.get(key), expected.get(&key));
                let last = expected.range(..=key).next_back().map(known);
                prop_assert_eq!(map.at_or_before(key).map(|(key, value)| (key, *value)), last);
                let last = expected.range(..key).next_back().map(known);
                prop_assert_eq!(map.before(key).map(|(key, value)| (key, *value)), last);
                let (above, found) = (expected.range(key..).map(known), map.range(key..));
                prop_assert!(above.eq(found.map(|(key, value)| (key, *value))));
            }
            prop_assert_eq!(map.drain(), expected.into_iter().collect::<Vec<_>>());
            prop_assert!(map.is_empty());
        }
    }
}

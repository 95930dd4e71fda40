//! Maps and sets that are cheap to compile.
//!
//! `BTreeMap` costs about 10,000 lines of LLVM IR for each pair of key and value types, and `HashMap` 6,000. [`SortedMap`] and
//! [`SortedSet`] are sorted vectors, for few entries or for keys that count up: an entry at the end moves no other entry. Removing
//! the first one moves all others, which is cheap for the few thousand operations that a driver queues.
//! [`Numbers`] is a hash table for many keys in any order.

use core::borrow::Borrow;
use core::ops::{Bound, RangeBounds};

/// A map, in the order of its keys. The methods are those of `BTreeMap`.
#[derive(Debug)]
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> SortedMap<K, V> {
        SortedMap::new()
    }
}

impl<K, V> SortedMap<K, V> {
    pub(crate) const fn new() -> SortedMap<K, V> {
        SortedMap(Vec::new())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) fn last_key_value_mut(&mut self) -> Option<(&K, &mut V)> {
        self.0.last_mut().map(|(key, value)| (&*key, value))
    }

    /// Returns the index of an entry, or the index at which it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        match self.0.last() {
            Some((last, _)) if last.borrow() < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(known, _)| known.borrow().cmp(key)),
        }
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => Some(core::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Returns the value of a key. A missing key is inserted.
    pub(crate) fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        let place = match self.find(&key) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (key, value()));
                place
            }
        };
        &mut self.0[place].1
    }

    pub(crate) fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.0.remove(place).1)
    }

    /// Returns the indices of the entries within bounds.
    fn places(&self, bounds: &impl RangeBounds<K>) -> core::ops::Range<usize> {
        let start = match bounds.start_bound() {
            Bound::Included(key) => self.find(key).unwrap_or_else(|place| place),
            Bound::Excluded(key) => self.find(key).map_or_else(|place| place, |place| place + 1),
            Bound::Unbounded => 0,
        };
        let end = match bounds.end_bound() {
            Bound::Included(key) => self.find(key).map_or_else(|place| place, |place| place + 1),
            Bound::Excluded(key) => self.find(key).unwrap_or_else(|place| place),
            Bound::Unbounded => self.0.len(),
        };
        // An empty range for bounds in the wrong order.
        start.min(end)..end
    }

    pub(crate) fn range(&self, bounds: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        let places = self.places(&bounds);
        self.0[places].iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn range_mut(
        &mut self,
        bounds: impl RangeBounds<K>,
    ) -> impl DoubleEndedIterator<Item = (&K, &mut V)> {
        let places = self.places(&bounds);
        self.0[places].iter_mut().map(|(key, value)| (&*key, value))
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(key, value)| _ = self.insert(key, value));
    }
}

/// A set, in order. The methods are those of `BTreeSet`.
#[derive(Debug)]
pub(crate) struct SortedSet<K>(SortedMap<K, ()>);

impl<K> Default for SortedSet<K> {
    fn default() -> SortedSet<K> {
        SortedSet::new()
    }
}

impl<K> SortedSet<K> {
    pub(crate) const fn new() -> SortedSet<K> {
        SortedSet(SortedMap::new())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.keys()
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.0.retain(|key, ()| keep(key));
    }
}

impl<K: Ord> SortedSet<K> {
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// Returns whether the value is a new one.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Returns whether the value was there.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        self.0.remove(key).is_some()
    }
}

/// Numbers of keys, in the order in which the keys first appear: 0 for the first one. No key is ever removed.
#[derive(Debug, Clone)]
pub(crate) struct Numbers<K> {
    keys: Vec<K>,
    /// A hash table of the numbers plus 1, with 0 where nothing is. At least half of it is empty. Its length is a power of 2.
    slots: Vec<usize>,
}

/// A key of [`Numbers`].
pub(crate) trait Key: Copy + Eq {
    /// Returns a number in which most keys differ.
    fn address(self) -> usize;
}

impl Key for usize {
    fn address(self) -> usize {
        self
    }
}

impl Key for (&'static str, usize) {
    fn address(self) -> usize {
        self.1
    }
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers { keys: Vec::new(), slots: Vec::new() }
    }
}

impl<K: Key> Numbers<K> {
    /// Returns the keys, in the order of their numbers.
    pub(crate) fn keys(&self) -> &[K] {
        &self.keys
    }

    pub(crate) fn get(&self, key: K) -> Option<usize> {
        self.slots.get(self.slot_of(key)?)?.checked_sub(1)
    }

    /// Returns the number of a key. A new key is given the next number.
    pub(crate) fn number_of(&mut self, key: K) -> usize {
        if self.slots.len() <= 2 * self.keys.len() {
            self.grow();
        }
        let next = self.keys.len();
        let Some(slot) = self.slot_of(key).and_then(|slot| self.slots.get_mut(slot)) else { return next };
        if *slot == 0 {
            *slot = next + 1;
            self.keys.push(key);
        }
        *slot - 1
    }

    /// Returns the index of the slot of a key, or of the empty slot in which the key would be. `None` if there are no slots.
    fn slot_of(&self, key: K) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let product = (key.address() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits of the product depend on all bits of the address. There are at least 8 slots, a power of two.
        let mut index = (product >> (u64::BITS - self.slots.len().trailing_zeros())) as usize;
        while let Some(number) = self.slots[index].checked_sub(1)
            && self.keys[number] != key
        {
            index = (index + 1) & mask;
        }
        Some(index)
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; (2 * self.slots.len()).max(8)];
        for number in 0..self.keys.len() {
            if let Some(slot) = self.slot_of(self.keys[number]) {
                self.slots[slot] = number + 1;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Numbers, SortedMap};
    use crate::random::cases;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_count_keys_in_their_order() {
        cases(|random| {
            let (mut numbers, mut model) = (Numbers::default(), Vec::new());
            assert_eq!(numbers.get(0), None);
            for _ in 0..random.within(0..200) {
                let key = random.within(0..60) << random.within(0..9);
                assert_eq!(numbers.get(key), model.iter().position(|known| *known == key));
                let number = numbers.number_of(key);
                if number == model.len() {
                    model.push(key);
                }
                assert_eq!(model.get(number), Some(&key));
                assert_eq!(numbers.keys(), model);
            }
        });
    }

    #[test]
    fn sorted_map_behaves_as_btree_map() {
        cases(|random| {
            let (mut map, mut model) = (SortedMap::new(), BTreeMap::new());
            for step in 0..random.within(0..60) {
                let key = random.within(0..20);
                match random.within(0..6) {
                    0 | 1 => assert_eq!(map.insert(key, step), model.insert(key, step)),
                    2 => assert_eq!(map.remove(&key), model.remove(&key)),
                    3 => {
                        *map.get_or_default(key) =
                            *model.entry(key).and_modify(|value| *value += 1).or_default()
                    }
                    4 => {
                        map.retain(|known, _| known % 3 != key % 3);
                        model.retain(|known, _| known % 3 != key % 3);
                    }
                    _ => map.extend(model.iter().next().map(|(key, value)| (*key, *value))),
                }
                let end = key + random.within(0..9);
                assert!(map.range(key..end).eq(model.range(key..end)));
                assert!(map.range(key..=end).rev().eq(model.range(key..=end).rev()));
                assert!(map.range_mut(..end).eq(model.range_mut(..end)));
                assert!(map.range(key..).eq(model.range(key..)));
                assert!(map.iter().eq(&model) && map.keys().eq(model.keys()));
                assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
                let last = map.last_key_value_mut().map(|(key, value)| (*key, *value));
                assert_eq!(last, model.last_key_value().map(|(key, value)| (*key, *value)));
                let value = model.get(&key);
                assert_eq!((map.get(&key), map.contains_key(&key)), (value, value.is_some()));
                assert_eq!(map.get_mut(&key).copied(), value.copied());
            }
        });
    }
}

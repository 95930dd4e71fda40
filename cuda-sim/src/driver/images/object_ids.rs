//! The numbers of texture and surface objects.
//!
//! Objects have no handles as other things do: each context counts its own, textures and surfaces together, from 1 on. A
//! number means something else in every context, and the number of an object that is gone is used again (T130, T131).

use crate::collections::IdMap;
use crate::driver::images::texture_object::Object;
use cuda_sim_engine::Resource;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects as kernels see them, by number.
pub(crate) type VisibleObjects = Arc<BTreeMap<u64, Resource>>;

/// The objects of one context.
#[derive(Default)]
pub(crate) struct Objects {
    live: IdMap<u64, Object>,
    /// Destroyed objects whose numbers are not used again yet.
    destroyed: IdMap<u64, Object>,
    /// The number that was given last.
    last: u64,
    /// What kernels see. What is destroyed stays until its number is used again (T132).
    seen: VisibleObjects,
}

impl Objects {
    /// Numbers begin again after this one, but for those whose objects live (T131).
    const LAST: u64 = 0xffff;
    /// No number is greater: it has 20 bits (T130).
    const GREATEST: u64 = 0xfffff;
    /// More objects there cannot be at a time (T131).
    const MOST: usize = 1_040_383;

    /// The number of a new object. With `lowest` it is the least that there is.
    pub(crate) fn insert(&mut self, object: Object, lowest: bool) -> Option<u64> {
        if self.live.len() >= Self::MOST {
            return None;
        }
        // Hardware goes another way beyond, which is not known in full.
        let (start, end) = match self.live.len() as u64 {
            0..Self::LAST => (1, Self::LAST),
            _ => (Self::LAST + 2, Self::GREATEST),
        };
        let next = self.last + 1;
        let first = if !lowest && (start..=end).contains(&next) { next } else { start };
        let free = |number: &u64| !self.live.contains(*number);
        let number = (first..=end).find(free).or_else(|| (start..=end).find(free))?;
        self.last = number;
        let seen = Arc::make_mut(&mut self.seen);
        match object.resource() {
            Some(resource) => seen.insert(number, resource),
            None => seen.remove(&number),
        };
        self.destroyed.remove(number);
        self.live.insert(number, object);
        Some(number)
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Object> {
        self.live.get(number)
    }

    pub(crate) fn remove(&mut self, number: u64) {
        if let Some(object) = self.live.remove(number) {
            self.destroyed.insert(number, object);
        }
    }

    /// Updates what kernels see, after arrays got memory or lost it.
    pub(super) fn refresh(&mut self) {
        let objects = self.live.iter().chain(self.destroyed.iter());
        let resources = objects.filter_map(|(number, object)| Some((number, object.resource()?)));
        self.seen = Arc::new(resources.collect());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.live.values()
    }

    /// What a kernel that is launched now sees.
    pub(crate) fn seen(&self) -> VisibleObjects {
        Arc::clone(&self.seen)
    }
}

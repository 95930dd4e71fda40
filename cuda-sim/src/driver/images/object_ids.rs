//! Numbers of texture and surface objects.
//!
//! These objects have no handles like other objects. Each context numbers its textures and surfaces together, counted
//! from 1. The same number means another object in each context. The number of a destroyed object is reused
//! (conformance facts T130 and T131).

use crate::collections::IdMap;
use crate::driver::images::texture_object::Object;
use cuda_sim_engine::Resource;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects as kernels see them, by number.
pub(crate) type VisibleObjects = Arc<BTreeMap<u64, Resource>>;

/// Objects of one context.
#[derive(Default)]
pub(crate) struct Objects {
    live: IdMap<u64, Object>,
    /// Destroyed objects whose numbers are not reused yet.
    destroyed: IdMap<u64, Object>,
    /// Number that was allocated last.
    last: u64,
    /// Objects as kernels see them. Destroyed ones stay until their number is reused (conformance fact T132).
    seen: VisibleObjects,
}

impl Objects {
    /// Last number before numbers restart, except numbers of live objects (conformance fact T131).
    const LAST: u64 = 0xffff;
    /// Greatest number: numbers have 20 bits (conformance fact T130).
    const GREATEST: u64 = 0xfffff;
    /// Limit of the objects at a time (conformance fact T131).
    const MOST: usize = 1_040_383;

    /// Adds an object and returns its number. With `lowest`, this is the lowest free number.
    pub(crate) fn insert(&mut self, object: Object, lowest: bool) -> Option<u64> {
        if self.live.len() >= Self::MOST {
            return None;
        }
        // Beyond this, hardware uses another order, which is not fully known.
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

    /// Updates the objects as kernels see them, after arrays got memory or lost it.
    pub(super) fn refresh(&mut self) {
        let objects = self.live.iter().chain(self.destroyed.iter());
        let resources = objects.filter_map(|(number, object)| Some((number, object.resource()?)));
        self.seen = Arc::new(resources.collect());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.live.values()
    }

    /// Returns the objects as a kernel that is launched now sees them.
    pub(crate) fn seen(&self) -> VisibleObjects {
        Arc::clone(&self.seen)
    }
}

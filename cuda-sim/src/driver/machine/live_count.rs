//! Counts of live objects.

use crate::driver::State;
use crate::driver::graphs::graph::{Graph, Owner};
use crate::driver::handles::Handle;
use crate::driver::images::texture_object::Object;
use crate::driver::memory::heap::Kind;
use crate::live::LiveHandles;

impl State {
    /// Returns the lines for the standard error at the end of the process.
    pub(super) fn report_at_the_end(&mut self) -> Vec<String> {
        let leaks = if self.config.report_leaks { self.report_leaks() } else { None };
        let leaks = leaks.map(|leaks| format!("still alive at the end: {leaks}"));
        leaks.into_iter().chain(self.misfit_at_the_end()).collect()
    }

    /// Returns why the schedule does not fit, if calls that it names were not made.
    pub(super) fn misfit_at_the_end(&self) -> Option<String> {
        let misfit = self.work_order.as_ref()?.untold_misfit()?;
        Some(format!("the schedule does not fit the program: {misfit}"))
    }

    /// Reports a failure that no call has returned. Returns the live objects as text, or `None` if there are none.
    fn report_leaks(&mut self) -> Option<String> {
        /// Limit of the lines. More would not help.
        const MOST_LINES: usize = 50;
        self.report_unseen_failure();
        let live = self.live();
        if live.is_empty() {
            return None;
        }
        let objects = self.live_objects();
        let mut text = live.to_string();
        for object in objects.iter().take(MOST_LINES) {
            text += &format!("\n  {object}");
            let report = self.with_backtraces(object.leak());
            for frame in report.backtraces.iter().flat_map(|(_, frames)| frames) {
                text += &format!("\n    {frame}");
            }
        }
        if objects.len() > MOST_LINES {
            text += &format!("\n  and {} more", objects.len() - MOST_LINES);
        }
        for object in &objects {
            let report = self.with_backtraces(object.leak());
            self.reports.add_silently(report);
        }
        Some(text)
    }

    pub(crate) fn live(&self) -> LiveHandles {
        let mut live = LiveHandles::default();
        for (_, context) in self.contexts.iter() {
            if context.is_primary {
                live.primary_contexts += 1;
            } else {
                live.contexts += 1;
            }
            live.peers += context.peers.len();
        }
        live.primary_retains = self.devices.iter().map(|device| u64::from(device.retains)).sum();
        live.green_contexts = self.green_contexts.iter().count();
        live.streams = self.streams.iter().count();
        live.events = self.events.iter().count();
        // Objects of a library end with it.
        let of_libraries = |module| self.libraries.iter().any(|(_, library)| library.has(module));
        let is_apart = |graph: &Graph| !matches!(graph.owner, Owner::Node(_));
        live.graphs = self.graphs.iter().filter(|(_, graph)| is_apart(graph)).count();
        live.executables = self.executables.iter().count();
        live.user_objects = self.user_objects.iter().count();
        live.modules = self.modules.iter().filter(|(module, _)| !of_libraries(*module)).count();
        live.libraries = self.libraries.iter().count();
        live.linkers = self.linkers.iter().count();
        let images = &self.images;
        live.graphics_resources = self.graphics.resources.iter().count();
        live.mipmapped_arrays =
            images.mipmapped.iter().filter(|(array, _)| !self.is_of_graphics(*array)).count();
        live.arrays = images.arrays.iter().filter(|(_, array)| !array.part).count();
        live.texture_references =
            images.textures.iter().filter(|(_, reference)| reference.owner.is_none()).count();
        for object in images.all_objects() {
            match object {
                Object::Texture(_) => live.texture_objects += 1,
                Object::Surface(_) => live.surface_objects += 1,
            }
        }
        for allocation in self.heap.named() {
            let (count, bytes) = match allocation.kind {
                Kind::Plain => (&mut live.device_allocations, &mut live.device_bytes),
                Kind::Pool(_) => (&mut live.pool_allocations, &mut live.pool_bytes),
                Kind::Graph => (&mut live.graph_allocations, &mut live.graph_bytes),
                Kind::Host { .. } => (&mut live.host_allocations, &mut live.host_bytes),
                Kind::Managed { is_variable: false } => {
                    (&mut live.managed_allocations, &mut live.managed_bytes)
                }
                Kind::Opened => (&mut live.opened_allocations, &mut live.opened_bytes),
                Kind::Registered { .. } => (&mut live.registered_ranges, &mut live.registered_bytes),
                Kind::Mapped { .. } => (&mut live.mapped_ranges, &mut live.mapped_bytes),
                Kind::External { is_array: false } => (&mut live.external_mappings, &mut live.external_bytes),
                Kind::Variable
                | Kind::Managed { is_variable: true }
                | Kind::Array
                | Kind::MallocHeap
                | Kind::External { is_array: true } => continue,
            };
            *count += 1;
            *bytes += allocation.size;
        }
        let held = self.memories.iter().map(|(_, memory)| memory).filter(|memory| memory.references > 0);
        for memory in held {
            live.memory_handles += 1;
            live.memory_bytes += memory.store.len();
        }
        for len in self.heap.ranges.reservations() {
            live.reserved_ranges += 1;
            live.reserved_bytes += len;
        }
        (live.logical_endpoints, live.logical_endpoint_ids) = self.endpoints.counts();
        live.external_memories = self.external_memories.iter().count();
        live.external_semaphores = self.semaphores.imported.iter().count();
        let pools = || {
            let had = self.pools.iter().filter(|(_, pool)| pool.is_owned()).map(|(handle, _)| handle);
            had.filter(|pool| !self.may_stay(*pool))
        };
        live.memory_pools = pools().filter(|pool| !self.is_default_pool(*pool)).count();
        #[cfg(feature = "nvrtc")]
        {
            live.nvrtc_programs = self.nvrtc.count();
        }
        live.pool_grants =
            pools().filter_map(|pool| self.heap.pool(pool)).map(|memory| memory.grants.len()).sum();
        live
    }

    /// Returns whether a pool of the program was current, and is neither current nor has memory. Its destruction can crash
    /// (conformance fact V1179).
    pub(super) fn may_stay(&self, pool: Handle) -> bool {
        let was_current =
            self.heap.pool(pool).is_some_and(|memory| memory.was_current && memory.held.now == 0);
        let is_current = self.devices.iter().any(|device| device.current_pool == pool);
        was_current && !is_current && !self.is_default_pool(pool)
    }
}

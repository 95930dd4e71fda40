//! Tables of arrays, references and objects, and their meaning for a kernel at its launch.

use crate::collections::IdMap;
use crate::driver::State;
use crate::driver::handles::{Handle, Handles, Numbers};
use crate::driver::images::array::{Array, Mipmapped};
use crate::driver::images::mapped_memory::MappedMemory;
use crate::driver::images::object_ids::Objects;
use crate::driver::images::surface_reference::SurfaceReference;
use crate::driver::images::texture_object::Object;
use crate::driver::images::texture_reference::TextureReference;
use cuda_sim_engine::{Program, Textures};

/// Arrays, references and objects of a machine.
pub(crate) struct Images {
    pub(crate) arrays: Handles<Array>,
    pub(crate) mipmapped: Handles<Mipmapped>,
    pub(crate) mapped: MappedMemory,
    pub(crate) textures: Handles<TextureReference>,
    pub(crate) surfaces: Handles<SurfaceReference>,
    /// Objects of each context that has created one.
    objects: IdMap<Handle, Objects>,
}

/// Texture or surface reference in a module: the module, and the index in
/// [`Program::references`].
pub(crate) type Owner = (Handle, usize);

impl Images {
    pub(crate) fn new(numbers: impl Fn() -> Numbers) -> Self {
        Self {
            arrays: Handles::new(numbers()),
            mipmapped: Handles::new(numbers()),
            mapped: MappedMemory::default(),
            textures: Handles::new(numbers()),
            surfaces: Handles::new(numbers()),
            objects: IdMap::new(),
        }
    }

    /// Removes the objects of a context. The heap owns the memory of arrays, and frees it. The
    /// caller must then call [`State::end_mappings_of_arrays`] for memory mapped to the arrays.
    pub(crate) fn end_context(&mut self, context: Handle) {
        self.arrays.retain(|array| array.context != context);
        self.mipmapped.retain(|mipmapped| mipmapped.context != context);
        self.textures.retain(|reference| reference.context != context);
        self.surfaces.retain(|reference| reference.context != context);
        self.objects.remove(context);
    }

    /// Removes the references of a module.
    pub(crate) fn end_module(&mut self, module: Handle) {
        self.textures.retain(|reference| reference.owner.is_none_or(|(owner, _)| owner != module));
        self.surfaces.retain(|reference| reference.owner.0 != module);
    }

    /// Returns the objects of a context.
    pub(crate) fn objects(&self, context: Handle) -> Option<&Objects> {
        self.objects.get(context)
    }

    pub(crate) fn objects_mut(&mut self, context: Handle) -> &mut Objects {
        self.objects.get_or_default(context)
    }

    /// Updates the objects as kernels see them, after arrays got memory or lost it.
    pub(super) fn refresh_objects(&mut self) {
        self.objects.values_mut().for_each(Objects::refresh);
    }

    pub(crate) fn all_objects(&self) -> impl Iterator<Item = &Object> {
        self.objects.values().flat_map(Objects::iter)
    }
}

impl State {
    /// Returns the textures and surfaces for a launch of a kernel of this module, with the current bindings.
    pub(crate) fn textures(&mut self, context: Handle, module: Handle, program: &Program) -> Textures {
        let objects = self.images.objects_mut(context).seen();
        let mut references = vec![None; program.references().len()];
        let images = &self.images;
        for (_, reference) in images.textures.iter() {
            if let Some((owner, index)) = reference.owner
                && owner == module
                && let Some(place) = references.get_mut(index)
            {
                *place = reference.source.resource();
            }
        }
        for (_, reference) in images.surfaces.iter() {
            let (owner, index) = reference.owner;
            if owner == module
                && let Some((_, array)) = &reference.bound
                && let Some(place) = references.get_mut(index)
            {
                *place = Some(array.surface());
            }
        }
        Textures { references, objects }
    }
}

//! Arrays, references and objects: the tables of them, and what they mean to a kernel when it is launched.

use super::State;
use super::array::{Array, Mipmapped};
use super::handles::{Handle, Handles, Numbers};
use super::objects::{SurfaceObject, TextureObject};
use super::surface::SurfaceReference;
use super::texture::TextureReference;
use crate::exec::{Program, Resource, Textures};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What textures and surfaces are made of.
pub(super) struct Images {
    pub(super) arrays: Handles<Array>,
    pub(super) mipmapped: Handles<Mipmapped>,
    pub(super) textures: Handles<TextureReference>,
    pub(super) surfaces: Handles<SurfaceReference>,
    pub(super) texture_objects: Handles<TextureObject>,
    pub(super) surface_objects: Handles<SurfaceObject>,
    /// All objects as kernels see them, until one of them or an array is gone or new.
    snapshot: Option<Arc<BTreeMap<u64, Option<Resource>>>>,
}

/// The reference of a module that a driver object stands for.
pub(super) type Owner = (Handle, usize);

impl Images {
    pub(super) fn new(numbers: impl Fn(u64) -> Numbers) -> Self {
        Self {
            arrays: Handles::new(numbers(0x9)),
            mipmapped: Handles::new(numbers(0xa)),
            textures: Handles::new(numbers(0xb)),
            surfaces: Handles::new(numbers(0xc)),
            texture_objects: Handles::new(numbers(0xd)),
            surface_objects: Handles::new(numbers(0xe)),
            snapshot: None,
        }
    }

    /// What objects mean may have changed.
    pub(super) fn changed(&mut self) {
        self.snapshot = None;
    }

    /// The memory of arrays is the heap's, which frees it.
    pub(super) fn end_context(&mut self, context: Handle) {
        self.arrays.retain(|array| array.context != context);
        self.mipmapped.retain(|mipmapped| mipmapped.context != context);
        self.textures.retain(|reference| reference.context != context);
        self.surfaces.retain(|reference| reference.context != context);
        self.texture_objects.retain(|object| object.context != context);
        self.surface_objects.retain(|object| object.context != context);
        self.changed();
    }

    /// References of a module go with it.
    pub(super) fn end_module(&mut self, module: Handle) {
        self.textures.retain(|reference| reference.owner.is_none_or(|(owner, _)| owner != module));
        self.surfaces.retain(|reference| reference.owner.0 != module);
    }

    fn objects(&mut self) -> Arc<BTreeMap<u64, Option<Resource>>> {
        if let Some(snapshot) = &self.snapshot {
            return Arc::clone(snapshot);
        }
        let textures = self.texture_objects.iter();
        let textures = textures.map(|(handle, object)| (handle.0, self.texture_of(&object.source)));
        let surfaces = self.surface_objects.iter();
        let surfaces = surfaces.map(|(handle, object)| (handle.0, self.surface_of(object.array)));
        let snapshot = Arc::new(textures.chain(surfaces).collect());
        self.snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }
}

impl State {
    /// What a launch of a kernel of this module can sample, as it is bound now.
    pub(super) fn textures(&mut self, module: Handle, program: &Program) -> Textures {
        let objects = self.images.objects();
        let mut references = vec![None; program.references().len()];
        let images = &self.images;
        for (_, reference) in images.textures.iter() {
            if let Some((owner, index)) = reference.owner
                && owner == module
                && let Some(place) = references.get_mut(index)
            {
                *place = images.texture_of(&reference.source);
            }
        }
        for (_, reference) in images.surfaces.iter() {
            let (owner, index) = reference.owner;
            if owner == module
                && let Some(array) = reference.array
                && let Some(place) = references.get_mut(index)
            {
                *place = images.surface_of(array);
            }
        }
        Textures { references, objects }
    }
}

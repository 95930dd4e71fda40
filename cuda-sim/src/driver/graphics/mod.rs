//! Resources of graphics libraries: the stand-in for OpenGL, and registered resources.

pub(crate) mod gl;
pub(crate) mod gl_registration;
pub(crate) mod resource;

use crate::driver::handles::{Handles, Numbers};
use gl::Gl;
use resource::Resource;

/// Objects of the stand-in for OpenGL, and their registrations.
pub(crate) struct Graphics {
    pub(crate) gl: Gl,
    pub(crate) resources: Handles<Resource>,
}

impl Graphics {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self { gl: Gl::default(), resources: Handles::new(numbers) }
    }
}

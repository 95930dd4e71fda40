//! Surfaces: images that kernels read and write at texels, without filtering.

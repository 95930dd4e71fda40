//! Diagnosis of refused arrays: the driver answers all mistakes with one code.

use super::{ArrayDescriptor, ArrayFlags};
use crate::device::{Device, DeviceAttribute as Limit};
use crate::error::{Code, Error};

/// Limits of sizes, in the order of the sizes.
type Limits<'a> = &'a [(usize, Limit)];

impl ArrayDescriptor {
    /// Adds the mistake to an error, if it is known: a rule for all devices, or a limit of this device.
    #[cold]
    pub(super) fn explain(&self, error: Error, device: Device, has_levels: bool) -> Error {
        match error.unexplained_code() {
            Some(Code::InvalidValue) => {}
            Some(Code::OutOfMemory | Code::NotSupported) => {
                return error.with_detail(format_args!("{}", self.detail()));
            }
            _ => return error,
        }
        if let Some((rule, value)) = self.broken_rule() {
            return error.with_detail(format_args!("{rule}, not {value}"));
        }
        for (value, limit) in self.limits(has_levels) {
            // Queried only to explain an existing error.
            let most = device.attribute(limit).ok().and_then(|most| usize::try_from(most).ok());
            if let Some(most) = most.filter(|most| value > *most) {
                return error.with_detail(format_args!("{value}, where {limit} is {most}"));
            }
        }
        error.with_detail(format_args!("{}", self.detail()))
    }

    /// Returns a rule for all devices that the array breaks, with the value that breaks it.
    fn broken_rule(&self) -> Option<(&'static str, usize)> {
        let ArrayDescriptor { width, height, depth, channels, .. } = *self;
        let is = |flags| self.flags.contains(flags);
        let (cube, layered) = (is(ArrayFlags::CUBEMAP), is(ArrayFlags::LAYERED));
        let fits = match self.format.channels() {
            Some(own) => own == channels,
            None => self.format.channel_bytes().is_none() || matches!(channels, 1 | 2 | 4),
        };
        let dimensions = if height == 0 && depth == 0 { 1 } else { 3 };
        let flat = height > 0 && depth == 0;
        let rules = [
            (width > 0, "the width is at least 1", width),
            (fits, "elements have 1, 2 or 4 channels, or as many as their format says", channels as usize),
            (!cube || width == height, "the faces of a cube are as high as they are wide", height),
            (!cube || layered || depth == 6, "a cube has 6 faces", depth),
            (
                !(cube && layered) || depth > 0 && depth.is_multiple_of(6),
                "cubes have a multiple of 6 faces",
                depth,
            ),
            (!layered || depth > 0, "there is at least 1 layer", depth),
            (layered || depth == 0 || height > 0, "an array with a depth has a height of at least 1", height),
            (!is(ArrayFlags::TEXTURE_GATHER) || flat, "gathering is for 2 dimensions", dimensions),
        ];
        let broken = rules.into_iter().find(|(holds, ..)| !holds);
        broken.map(|(_, rule, value)| (rule, value))
    }

    fn limits(&self, has_levels: bool) -> Vec<(usize, Limit)> {
        let ArrayDescriptor { width, height, depth, flags, .. } = *self;
        let is = |wanted| flags.contains(wanted);
        let (sampled, accessed): (Limits<'_>, Limits<'_>) =
            match (is(ArrayFlags::CUBEMAP), is(ArrayFlags::LAYERED), height, depth) {
                (true, true, ..) => (
                    &[
                        (width, Limit::MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
                        (depth, Limit::MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS),
                    ],
                    &[
                        (width, Limit::MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
                        (depth, Limit::MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS),
                    ],
                ),
                (true, false, ..) => (
                    &[(width, Limit::MAXIMUM_TEXTURECUBEMAP_WIDTH)],
                    &[(width, Limit::MAXIMUM_SURFACECUBEMAP_WIDTH)],
                ),
                (false, true, 0, _) => (
                    &[
                        (width, Limit::MAXIMUM_TEXTURE1D_LAYERED_WIDTH),
                        (depth, Limit::MAXIMUM_TEXTURE1D_LAYERED_LAYERS),
                    ],
                    &[
                        (width, Limit::MAXIMUM_SURFACE1D_LAYERED_WIDTH),
                        (depth, Limit::MAXIMUM_SURFACE1D_LAYERED_LAYERS),
                    ],
                ),
                (false, true, ..) => (
                    &[
                        (width, Limit::MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
                        (height, Limit::MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
                        (depth, Limit::MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
                    ],
                    &[
                        (width, Limit::MAXIMUM_SURFACE2D_LAYERED_WIDTH),
                        (height, Limit::MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
                        (depth, Limit::MAXIMUM_SURFACE2D_LAYERED_LAYERS),
                    ],
                ),
                (false, false, 0, 0) => {
                    (&[(width, Limit::MAXIMUM_TEXTURE1D_WIDTH)], &[(width, Limit::MAXIMUM_SURFACE1D_WIDTH)])
                }
                (false, false, _, 0) => (
                    &[(width, Limit::MAXIMUM_TEXTURE2D_WIDTH), (height, Limit::MAXIMUM_TEXTURE2D_HEIGHT)],
                    &[(width, Limit::MAXIMUM_SURFACE2D_WIDTH), (height, Limit::MAXIMUM_SURFACE2D_HEIGHT)],
                ),
                // The limits of `ALTERNATE` are for the same three sizes in another proportion.
                (false, false, ..) => (
                    &[
                        (width, Limit::MAXIMUM_TEXTURE3D_WIDTH),
                        (height, Limit::MAXIMUM_TEXTURE3D_HEIGHT),
                        (depth, Limit::MAXIMUM_TEXTURE3D_DEPTH),
                    ],
                    &[
                        (width, Limit::MAXIMUM_SURFACE3D_WIDTH),
                        (height, Limit::MAXIMUM_SURFACE3D_HEIGHT),
                        (depth, Limit::MAXIMUM_SURFACE3D_DEPTH),
                    ],
                ),
            };
        let mut limits = sampled.to_vec();
        if is(ArrayFlags::SURFACE_LDST) {
            limits.extend_from_slice(accessed);
        }
        if is(ArrayFlags::TEXTURE_GATHER) {
            limits.push((width, Limit::MAXIMUM_TEXTURE2D_GATHER_WIDTH));
            limits.push((height, Limit::MAXIMUM_TEXTURE2D_GATHER_HEIGHT));
        }
        match (has_levels, height, depth) {
            (true, 0, 0) => limits.push((width, Limit::MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH)),
            (true, _, 0) => {
                limits.push((width, Limit::MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH));
                limits.push((height, Limit::MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT));
            }
            _ => {}
        }
        limits
    }
}

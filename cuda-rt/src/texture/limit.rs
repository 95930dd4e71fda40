//! Diagnosis of refused textures of linear and pitched memory.

use crate::array::ArrayFormat;
use crate::device::{Device, DeviceAttribute as Limit};
use crate::error::{Code, Error};

/// Condition of a limit on a number.
enum Demand {
    AtMost,
    MultipleOf,
}

/// Adds the first broken limit to an error with the code `InvalidValue` and without a detail.
fn explained(error: Error, device: Device, demands: &[(Limit, u64, Demand)]) -> Error {
    if error.unexplained_code() != Some(Code::InvalidValue) {
        return error;
    }
    for (limit, value, demand) in demands {
        // Queried only to explain an existing error.
        let Some(number) = device.attribute(*limit).ok().and_then(|number| u64::try_from(number).ok()) else {
            continue;
        };
        let fits = match demand {
            Demand::AtMost => *value <= number,
            Demand::MultipleOf => number == 0 || value.is_multiple_of(number),
        };
        if !fits {
            return match demand {
                Demand::AtMost => error.with_detail(format_args!("{value}, where {limit} is {number}")),
                Demand::MultipleOf => {
                    error.with_detail(format_args!("{value} is no multiple of {limit}, which is {number}"))
                }
            };
        }
    }
    error
}

/// Explains why a line of `texels` texels was refused. The limit depends on the format and the number of channels. If it cannot be
/// queried, as before CUDA 11.1, the limit of the device attribute is used.
#[cold]
pub(super) fn explain_line(
    error: Error,
    device: Device,
    (format, channels): (ArrayFormat, u32),
    texels: usize,
) -> Error {
    match device.texture_1d_linear_max_width(format, channels) {
        Ok(most) if error.unexplained_code() == Some(Code::InvalidValue) && texels > most => {
            error.with_detail(format_args!("a line of {texels} texels, where the device takes {most}"))
        }
        Ok(_) => error,
        Err(_) => explained(
            error,
            device,
            &[(Limit::MAXIMUM_TEXTURE1D_LINEAR_WIDTH, texels as u64, Demand::AtMost)],
        ),
    }
}

/// Explains why rows were refused.
#[cold]
pub(super) fn explain_rows(
    error: Error,
    device: Device,
    address: u64,
    [width, height, pitch]: [usize; 3],
) -> Error {
    let demands = [
        (Limit::TEXTURE_ALIGNMENT, address, Demand::MultipleOf),
        (Limit::TEXTURE_PITCH_ALIGNMENT, pitch as u64, Demand::MultipleOf),
        (Limit::MAXIMUM_TEXTURE2D_LINEAR_WIDTH, width as u64, Demand::AtMost),
        (Limit::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, height as u64, Demand::AtMost),
        (Limit::MAXIMUM_TEXTURE2D_LINEAR_PITCH, pitch as u64, Demand::AtMost),
    ];
    explained(error, device, &demands)
}

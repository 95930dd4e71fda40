//! Colours: the border in every format, and filtered bytes by the sRGB curve.

use super::super::super::operation::numbers;
use super::texels::{basic, fractions};
use super::*;

/// Each format converts the border's colour like a single texel.
#[test]
fn borders() {
    let mut sweep = Sweep::new("borders");
    let at = [[(-9.0_f32).to_bits(), 0, 0, 0, 0, 0, 0, 0]];
    let mut probe = Probe::new("tex.1d.v4.f32.f32 {%x0, %x1, %x2, %x3}, [%d0, {%f0}];", &at, &at);
    let colours: Vec<f32> = numbers(4 * 96, 89)
        .into_iter()
        .map(|word| {
            let fraction = (word >> 40) as f32 / 16_777_216.0 * 2.4 - 1.2;
            // Some of them between two steps, and some small.
            match word % 4 {
                0 => (fraction * 510.0).round() / 510.0,
                1 => (fraction * 131_070.0).round() / 131_070.0,
                2 => fraction * fraction * fraction,
                _ => fraction,
            }
        })
        .collect();
    for texels in basic().into_iter().chain(fractions()).filter(|texels| !texels.is_integer()) {
        sweep.row(&texels.name());
        let array = texels.array([2, 0, 0], 0, &texels.random(2, 97));
        let mut words = Vec::new();
        for colour in colours.as_chunks::<4>().0 {
            let mut reading = reading(BORDER, POINT, texels.flags);
            reading.borderColor = *colour;
            match probe.sample(&array.resource(), &reading) {
                Found::Words(found) => words.extend(found),
                Found::Refused(code) => words.push(code.0),
            }
        }
        sweep.found("96 colours".to_owned(), Found::Words(words));
    }
    sweep.finish();
}

/// The sum of every two bytes by the sRGB curve.
#[test]
fn lights() {
    let mut sweep = Sweep::new("lights");
    let texels = basic().into_iter().find(|texels| texels.name() == "u8x1 srgb").unwrap();
    let bytes: Vec<u8> =
        (0..256_u32).flat_map(|row| (0..256).flat_map(move |other| [row as u8, other as u8])).collect();
    let array = texels.array([512, 256, 0], 0, &bytes);
    let body = "tex.2d.v4.f32.f32 {%x0, %x1, %x2, %x3}, [%d0, {%f0, %f1}];";
    let none = [[0; 8]];
    let mut probe = Probe::new(body, &none, &none);
    sweep.row("u8x1 srgb");
    for weight in [0.5, 0.1875] {
        let mut words = Vec::new();
        for rows in 0..64 {
            let inputs: Vec<Input> = (0..1024_u16)
                .map(|index| {
                    let x = f32::from(2 * (index % 256)) + 0.5 + weight;
                    let y = f32::from(4 * rows + index / 256) + 0.5;
                    [x.to_bits(), y.to_bits(), 0, 0, 0, 0, 0, 0]
                })
                .collect();
            probe.give(&inputs);
            let texture = Texture::new(&array.resource(), &reading(CLAMP, LINEAR, texels.flags));
            words.extend(probe.run(texture.0, false, 1));
        }
        sweep.found(format!("{weight} of the second"), Found::Words(words));
    }
    sweep.finish();
}

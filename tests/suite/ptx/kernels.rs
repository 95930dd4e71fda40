//! The kernels of `tests/kernels`, each against the same computation on the host.

use super::{Arg, Device};

macro_rules! ptx {
    ($name:literal) => {
        include_str!(concat!("../../kernels/", $name, ".ptx"))
    };
}

/// Numbers that look random and are the same every time.
fn numbers(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed | 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mixed = state ^ state >> 29;
            mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
        })
        .collect()
}

/// Numbers between -1 and 1.
fn floats(count: usize, seed: u64) -> Vec<f32> {
    numbers(count, seed).into_iter().map(|bits| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn saxpy() {
    let mut device = Device::new(ptx!("saxpy"));
    let (n, a) = (10_000usize, 2.5f32);
    let (x, y) = (floats(n, 1), floats(n, 2));
    let (dx, dy) = (device.alloc_f32(&x), device.alloc_f32(&y));
    let args = [Arg::I32(n as i32), Arg::F32(a), Arg::Buffer(dx), Arg::Buffer(dy)];
    device.run("saxpy", [n.div_ceil(256) as u32, 1, 1], [256, 1, 1], &args);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| a * x + y).collect();
    assert_eq!(device.u32s(dy), bits(&expected));
}

#[test]
fn matmul_tiled() {
    let mut device = Device::new(ptx!("matmul_tiled"));
    let n = 48;
    let (a, b) = (floats(n * n, 3), floats(n * n, 4));
    let (da, db) = (device.alloc_f32(&a), device.alloc_f32(&b));
    let dc = device.alloc_f32(&vec![0.0; n * n]);
    let args = [Arg::Buffer(da), Arg::Buffer(db), Arg::Buffer(dc), Arg::I32(n as i32)];
    let blocks = (n / 16) as u32;
    for fused in [false, true] {
        let name = if fused { "matmul_fused" } else { "matmul_tiled" };
        device.run(name, [blocks, blocks, 1], [16, 16, 1], &args);
        let mut expected = vec![0.0f32; n * n];
        for row in 0..n {
            for column in 0..n {
                let mut sum = 0.0f32;
                for k in 0..n {
                    let (a, b) = (a[row * n + k], b[k * n + column]);
                    sum = if fused { a.mul_add(b, sum) } else { sum + a * b };
                }
                expected[row * n + column] = sum;
            }
        }
        assert_eq!(device.u32s(dc), bits(&expected), "{name}");
    }
}

#[test]
fn reduce() {
    let mut device = Device::new(ptx!("reduce"));
    let n = 5000;
    let data: Vec<u32> = numbers(n, 5).into_iter().map(|number| number as u32).collect();
    let (input, out) = (device.alloc_u32(&data), device.alloc_u32(&[0]));
    device.run(
        "reduce_int",
        [7, 1, 1],
        [256, 1, 1],
        &[Arg::Buffer(input), Arg::I32(n as i32), Arg::Buffer(out)],
    );
    assert_eq!(device.u32s(out)[0], data.iter().fold(0u32, |sum, value| sum.wrapping_add(*value)));

    let data = floats(n, 6);
    let (input, out) = (device.alloc_f32(&data), device.alloc_f32(&[0.0]));
    let args = [Arg::Buffer(input), Arg::I32(n as i32), Arg::Buffer(out)];
    device.try_run("reduce_float", [1, 1, 1], [256, 1, 1], 1024, &args).unwrap();
    let mut partial = [0.0f32; 256];
    for (index, value) in data.iter().enumerate() {
        partial[index % 256] += value;
    }
    let mut stride = 128;
    while stride > 0 {
        for index in 0..stride {
            partial[index] += partial[index + stride];
        }
        stride /= 2;
    }
    assert_eq!(device.f32s(out)[0].to_bits(), partial[0].to_bits());
}

#[test]
fn scan() {
    let mut device = Device::new(ptx!("scan"));
    let (n, block) = (1000usize, 256usize);
    let data: Vec<u32> = numbers(n, 7).into_iter().map(|number| number as u32).collect();
    let (input, out) = (device.alloc_u32(&data), device.alloc_u32(&vec![0; n]));
    device.run(
        "scan",
        [n.div_ceil(block) as u32, 1, 1],
        [block as u32, 1, 1],
        &[Arg::Buffer(input), Arg::Buffer(out), Arg::I32(n as i32)],
    );
    let expected: Vec<u32> = data
        .chunks(block)
        .flat_map(|part| {
            part.iter().scan(0u32, |sum, value| {
                *sum = sum.wrapping_add(*value);
                Some(*sum)
            })
        })
        .collect();
    assert_eq!(device.u32s(out)[..n], expected);
}

#[test]
fn histogram() {
    let mut device = Device::new(ptx!("histogram"));
    let data: Vec<u8> = numbers(20_000, 8).into_iter().map(|number| (number >> 3) as u8 & 0x7f).collect();
    let (input, out) = (device.alloc(&data), device.alloc_u32(&[0; 256]));
    device.run(
        "histogram",
        [5, 1, 1],
        [128, 1, 1],
        &[Arg::Buffer(input), Arg::I32(data.len() as i32), Arg::Buffer(out)],
    );
    let mut expected = vec![0u32; 256];
    for byte in data {
        expected[usize::from(byte)] += 1;
    }
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn transpose() {
    let mut device = Device::new(ptx!("transpose"));
    let (width, height) = (70usize, 45usize);
    let data = floats(width * height, 9);
    let (input, out) = (device.alloc_f32(&data), device.alloc_f32(&vec![0.0; width * height]));
    device.run(
        "transpose",
        [width.div_ceil(32) as u32, height.div_ceil(32) as u32, 1],
        [32, 8, 1],
        &[Arg::Buffer(input), Arg::Buffer(out), Arg::I32(width as i32), Arg::I32(height as i32)],
    );
    let mut expected = vec![0.0; width * height];
    for y in 0..height {
        for x in 0..width {
            expected[x * height + y] = data[y * width + x];
        }
    }
    assert_eq!(device.u32s(out)[..width * height], bits(&expected));
}

#[test]
fn mandelbrot() {
    let mut device = Device::new(ptx!("mandelbrot"));
    let (width, height, limit) = (75usize, 50usize, 300);
    let out = device.alloc_u32(&vec![0; width * height]);
    device.run(
        "mandelbrot",
        [width.div_ceil(16) as u32, height.div_ceil(8) as u32, 1],
        [16, 8, 1],
        &[Arg::Buffer(out), Arg::I32(width as i32), Arg::I32(height as i32), Arg::I32(limit)],
    );
    let mut expected = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let cr = -2.0f32 + 3.0 * x as f32 / width as f32;
            let ci = -1.5f32 + 3.0 * y as f32 / height as f32;
            let (mut zr, mut zi, mut steps) = (0.0f32, 0.0f32, 0);
            while steps < limit {
                let (r2, i2) = (zr * zr, zi * zi);
                if r2 + i2 > 4.0 {
                    break;
                }
                zi = 2.0 * zr * zi + ci;
                zr = r2 - i2 + cr;
                steps += 1;
            }
            expected.push(steps as u32);
        }
    }
    assert_eq!(device.u32s(out)[..width * height], expected);
}

#[test]
fn stencil() {
    let mut device = Device::new(ptx!("stencil"));
    let [nx, ny, nz] = [20usize, 13, 9];
    let data = floats(nx * ny * nz, 10);
    let (input, out) = (device.alloc_f32(&data), device.alloc_f32(&vec![0.0; data.len()]));
    let args =
        [Arg::Buffer(input), Arg::Buffer(out), Arg::I32(nx as i32), Arg::I32(ny as i32), Arg::I32(nz as i32)];
    device.run("stencil", [3, 4, 5], [8, 4, 2], &args);
    let mut expected = data.clone();
    for z in 1..nz - 1 {
        for y in 1..ny - 1 {
            for x in 1..nx - 1 {
                let i = (z * ny + y) * nx + x;
                let (up, far) = (nx, nx * ny);
                let around =
                    data[i - 1] + data[i + 1] + data[i - up] + data[i + up] + data[i - far] + data[i + far];
                expected[i] = data[i] + 0.1 * (around - 6.0 * data[i]);
            }
        }
    }
    assert_eq!(device.u32s(out)[..expected.len()], bits(&expected));
}

#[test]
fn integer_division() {
    let mut device = Device::new(ptx!("integer_division"));
    let mut a = numbers(300, 11);
    let mut b = numbers(300, 12);
    a.extend([1, u64::MAX, 1 << 63, 0, 7, 1 << 32, 0x8000_0000]);
    b.extend([u64::MAX, 3, 5, 9, u64::MAX - 1, 1 << 31, 0xffff_ffff]);
    for (index, b) in b.iter_mut().enumerate() {
        // Short divisors too, and none that is zero.
        *b = (*b >> (index % 60)).max(1);
    }
    let n = a.len();
    let (da, db) = (device.alloc_u64(&a), device.alloc_u64(&b));
    let out = device.alloc_u64(&vec![0; 16 * n]);
    let args = [Arg::Buffer(da), Arg::Buffer(db), Arg::Buffer(out), Arg::I32(n as i32)];
    device.run("integer_division", [n.div_ceil(64) as u32, 1, 1], [64, 1, 1], &args);
    let results = device.u64s(out);
    for index in 0..n {
        let (ua, ub) = (a[index], b[index]);
        let (a, b) = (ua as i64, ub as i64);
        let (x, y) = (a as i32, b as i32 | 1);
        let (s, t) = (x as i16, y as i16);
        let (ux, uy, us, ut) = (x as u32, y as u32, s as u16, t as u16);
        let expected: [i64; 16] = [
            a.wrapping_div(b),
            a.wrapping_rem(b),
            (ua / ub) as i64,
            (ua % ub) as i64,
            x.wrapping_div(y).into(),
            x.wrapping_rem(y).into(),
            (ux / uy).into(),
            (ux % uy).into(),
            s.wrapping_div(t).into(),
            s.wrapping_rem(t).into(),
            (us / ut).into(),
            (us % ut).into(),
            (x / 7).into(),
            (ux % 1000).into(),
            a / 10,
            i64::from(((i64::from(x) * i64::from(y)) >> 32) as i32),
        ];
        let found: Vec<i64> = results[16 * index..16 * index + 16].iter().map(|bits| *bits as i64).collect();
        assert_eq!(found, expected, "{a} and {b}");
    }
}

#[test]
fn double_precision() {
    let mut device = Device::new(ptx!("double_precision"));
    let mut x: Vec<f64> = numbers(200, 13).into_iter().map(|bits| bits as i64 as f64 / 1e18).collect();
    x.extend([0.5, -0.5, 1.0, 1e300, -1e300, 1e-310, 3.0]);
    let n = x.len();
    let bits: Vec<u64> = x.iter().map(|value| value.to_bits()).collect();
    let (input, out) = (device.alloc_u64(&bits), device.alloc_u64(&vec![0; 8 * n]));
    let args = [Arg::Buffer(input), Arg::Buffer(out), Arg::I32(n as i32)];
    device.run("double_precision", [n.div_ceil(128) as u32, 1, 1], [128, 1, 1], &args);
    let results = device.u64s(out);
    for (index, &v) in x.iter().enumerate() {
        let mut p = 1.0f64;
        for k in 1..=8 {
            p = p * v + f64::from(k);
        }
        let expected = [
            p,
            v.abs().sqrt(),
            1.0 / v,
            v.mul_add(v, -p),
            v.min(p) + v.max(2.0),
            f64::from(v as f32),
            v as i64 as f64,
            if v < p { v.floor() } else { v.ceil() },
        ];
        for (which, expected) in expected.iter().enumerate() {
            let found = f64::from_bits(results[8 * index + which]);
            assert_eq!(found.to_bits(), expected.to_bits(), "{v:e}, result {which}: {found:e} {expected:e}");
        }
    }
}

#[test]
fn func_call() {
    let mut device = Device::new(ptx!("func_call"));
    let n = 90usize;
    let (a, b) = (floats(4 * n, 14), floats(4 * n, 15));
    let tagged = |values: &[f32]| -> Vec<u32> {
        let word =
            |(index, value): (usize, &f32)| if index % 4 == 3 { index as u32 } else { value.to_bits() };
        values.iter().enumerate().map(word).collect()
    };
    let (da, db) = (device.alloc_u32(&tagged(&a)), device.alloc_u32(&tagged(&b)));
    let (dc, steps) = (device.alloc_u32(&vec![0; 4 * n]), device.alloc_u32(&vec![0; n]));
    let args = [Arg::Buffer(da), Arg::Buffer(db), Arg::Buffer(dc), Arg::Buffer(steps), Arg::I32(n as i32)];
    device.run("func_call", [3, 1, 1], [32, 1, 1], &args);
    let (found, found_steps) = (device.u32s(dc), device.u32s(steps));
    fn ackermann(m: u32, n: u32) -> u32 {
        match (m, n) {
            (0, n) => n + 1,
            (m, 0) => ackermann(m - 1, 1),
            (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
        }
    }
    for i in 0..n {
        let ([ax, ay, az], [bx, by, bz]) =
            ([a[4 * i], a[4 * i + 1], a[4 * i + 2]], [b[4 * i], b[4 * i + 1], b[4 * i + 2]]);
        let expected = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx].map(f32::to_bits);
        assert_eq!(found[4 * i..4 * i + 3], expected, "{i}");
        assert_eq!(found[4 * i + 3], 2 * (4 * i as u32 + 3));
        let mut number = i as u64 + 1;
        let mut count = 0;
        while number != 1 {
            number = if number % 2 == 1 { 3 * number + 1 } else { number / 2 };
            count += 1;
        }
        let expected = if i % 3 == 0 { ackermann(2, i as u32 % 5) } else { count };
        assert_eq!(found_steps[i], expected, "{i}");
    }
}

#[test]
fn local_array() {
    let mut device = Device::new(ptx!("local_array"));
    let n = 50usize;
    let data: Vec<u32> = numbers(16 * n, 16).into_iter().map(|number| number as u32 % 2000).collect();
    let (input, out) = (device.alloc_u32(&data), device.alloc_u32(&vec![0; 16 * n]));
    let args = [Arg::Buffer(input), Arg::Buffer(out), Arg::I32(n as i32)];
    device.run("local_array", [2, 1, 1], [32, 1, 1], &args);
    let mut expected = Vec::new();
    for part in data.chunks(16) {
        let mut sorted: Vec<(u32, u32)> = part.iter().copied().zip(0..).collect();
        sorted.sort();
        expected.extend(sorted.into_iter().map(|(value, place)| value * 16 + place));
    }
    assert_eq!(device.u32s(out), expected);
}

#[test]
fn spin_lock() {
    let mut device = Device::new(ptx!("spin_lock"));
    let (lock, counter) = (device.alloc_u32(&[0]), device.alloc_u32(&[0]));
    let args = [Arg::Buffer(lock), Arg::Buffer(counter), Arg::I32(3)];
    device.run("spin_lock", [2, 1, 1], [64, 1, 1], &args);
    assert_eq!(device.u32s(counter)[0], 2 * 64 * 3);
    assert_eq!(device.u32s(lock)[0], 0);
}

/// A half as a double, from its definition.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// The half nearest to a double, found by looking at all of them.
fn nearest_half(value: f64) -> u16 {
    if value.is_nan() {
        return 0x7fff;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let value = value.abs();
    if value >= 65520.0 {
        return sign | 0x7c00;
    }
    let above = (0..=0x7c00u16).collect::<Vec<_>>();
    let upper = above.partition_point(|&bits| half(bits) < value) as u16;
    if half(upper) == value {
        return sign | upper;
    }
    let lower = upper - 1;
    let upper_value = if upper == 0x7c00 { 65536.0 } else { half(upper) };
    let (down, up) = (value - half(lower), upper_value - value);
    let nearest = if down < up || down == up && lower.is_multiple_of(2) { lower } else { upper };
    sign | nearest
}

#[test]
fn half_math() {
    let mut device = Device::new(ptx!("half_math"));
    let mut a: Vec<u16> = numbers(400, 17).into_iter().map(|number| number as u16).collect();
    let mut b: Vec<u16> = numbers(400, 18).into_iter().map(|number| (number >> 7) as u16).collect();
    a.extend([0, 0x8000, 1, 0x7bff, 0x7c00, 0x7e00, 0x3c00, 0x0400]);
    b.extend([0x8000, 0x8000, 1, 0x7bff, 0xfc00, 0x3c00, 0xbc00, 0x8001]);
    let n = a.len();
    let bytes = |values: &[u16]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    let (da, db) = (device.alloc(&bytes(&a)), device.alloc(&bytes(&b)));
    let (out, wide) = (device.alloc(&vec![0; 6 * n]), device.alloc_f32(&vec![0.0; n]));
    let args = [Arg::Buffer(da), Arg::Buffer(db), Arg::Buffer(out), Arg::Buffer(wide), Arg::I32(n as i32)];
    device.run("half_math", [n.div_ceil(64) as u32, 1, 1], [64, 1, 1], &args);
    let (out, wide) = (device.bytes(out), device.f32s(wide));
    for i in 0..n {
        let (x, y) = (half(a[i]), half(b[i]));
        let found = |which: usize| u16::from_le_bytes([out[6 * i + 2 * which], out[6 * i + 2 * which + 1]]);
        if x.is_nan() {
            assert_eq!(wide[i].to_bits(), 0x7fff_ffff);
        } else {
            assert_eq!(f64::from(wide[i]), x);
        }
        assert_eq!(found(0), nearest_half(x + y), "{x:e} + {y:e}");
        // The product is exact in double precision, and so is the sum unless it is far longer than a half.
        let sum = x * y + x;
        if (sum - x) == x * y || !sum.is_finite() {
            assert_eq!(found(1), nearest_half(sum), "{x:e} * {y:e} + {x:e}");
        }
        assert_eq!(found(2), nearest_half(x * 1.5), "{x:e} * 1.5");
    }
}

#[test]
fn dispatch() {
    let mut device = Device::new(ptx!("dispatch"));
    let n = 200usize;
    let which: Vec<u32> = numbers(n, 50).into_iter().map(|number| (number % 3) as u32).collect();
    let [a, b] =
        [51, 52].map(|seed| numbers(n, seed).into_iter().map(|number| number as u32).collect::<Vec<_>>());
    let buffers = [&which, &a, &b, &vec![0; n]].map(|values| device.alloc_u32(values));
    let [w, x, y, out] = buffers.map(Arg::Buffer);
    device.run("pointers", [2, 1, 1], [128, 1, 1], &[w, x, y, out, Arg::I32(n as i32)]);
    let expected: Vec<u32> = (0..n)
        .map(|index| match which[index] {
            0 => a[index].wrapping_add(b[index]),
            1 => a[index].wrapping_sub(b[index]),
            _ => a[index].wrapping_mul(b[index]),
        })
        .collect();
    assert_eq!(device.u32s(buffers[3])[..n], expected);
    device.run("shapes", [2, 1, 1], [128, 1, 1], &[w, out, Arg::I32(n as i32)]);
    let expected: Vec<u32> = which
        .iter()
        .zip(0..)
        .map(|(size, index)| if index % 3 == 0 { size * index / 2 * 10 + 3 } else { size * size * 10 + 4 })
        .collect();
    assert_eq!(device.u32s(buffers[3])[..n], expected);
    let name = device.alloc(b"dispatch\0");
    let counts = device.alloc_u32(&[0; 4]);
    device.run("printing", [1, 1, 1], [4, 1, 1], &[Arg::Buffer(name), Arg::Buffer(counts)]);
    assert_eq!(device.u32s(counts), [5, 5, 0, u32::MAX]);
}

#[test]
fn shuffles() {
    let mut device = Device::new(ptx!("shuffles"));
    let n = 64usize;
    let data: Vec<u32> = numbers(n, 19).into_iter().map(|number| number as u32 % 1000).collect();
    let (input, out) = (device.alloc_u32(&data), device.alloc_u32(&vec![0; 8 * n]));
    device.run(
        "shuffles",
        [2, 1, 1],
        [32, 1, 1],
        &[Arg::Buffer(input), Arg::Buffer(out), Arg::I32(n as i32)],
    );
    let found = device.u32s(out);
    for thread in 0..n {
        let (warp, lane) = (&data[thread / 32 * 32..][..32], thread % 32);
        let votes = |holds: fn(u32) -> bool| {
            (0..32).filter(|lane| holds(warp[*lane])).fold(0_u32, |mask, lane| mask | 1 << lane)
        };
        let expected = [
            warp[if lane < 5 { lane } else { lane - 5 }],
            warp[if lane % 8 + 3 < 8 { lane + 3 } else { lane }],
            warp[lane ^ 9],
            warp[lane / 16 * 16 + lane * 7 % 32 % 16],
            votes(|value| value & 1 == 1),
            2 * u32::from(votes(|value| value % 50 == 0) != 0)
                + u32::from(votes(|value| value % 50 == 1) == 0),
            if lane % 2 == 1 {
                warp[31] + (votes(|value| value & 2 == 2) & 0xaaaa_aaaa).count_ones()
            } else {
                0
            },
            warp.iter().sum::<u32>() / 2,
        ];
        let own: Vec<u32> = (0..8).map(|row| found[row * n + thread]).collect();
        assert_eq!(own, expected, "thread {thread}");
    }
}

"""Pipelines in Halide on the device, compared with numpy."""

import halide as hl
import numpy as np

x, y, outer_x, outer_y, inner_x, inner_y = [hl.Var(name) for name in ("x", "y", "ox", "oy", "ix", "iy")]
target = hl.Target("host-cuda-cuda_capability_61")


def realize(function, kind, size):
    out = hl.Buffer(kind, [size, size])
    function.realize(out, target)
    out.copy_to_host()
    return np.array(out)


def tiled(function):
    return function.gpu_tile(x, y, outer_x, outer_y, inner_x, inner_y, 16, 16)


def test_blur():
    source = np.random.default_rng(1).integers(0, 255, (128, 128)).astype(np.float32)
    image, across, blur = hl.Buffer(source), hl.Func("across"), hl.Func("blur")
    at = lambda index: hl.clamp(index, 0, 127)
    across[x, y] = hl.f32(image[at(x - 1), y] + image[x, y] + image[at(x + 1), y]) / 3.0
    blur[x, y] = (across[x, at(y - 1)] + across[x, y] + across[x, at(y + 1)]) / 3.0
    tiled(across.compute_root())
    found = realize(tiled(blur), hl.Float(32), 128)
    before, after = np.clip(np.arange(128) - 1, 0, 127), np.clip(np.arange(128) + 1, 0, 127)
    wanted = (source[:, before] + source + source[:, after]) / 3
    wanted = (wanted[before] + wanted + wanted[after]) / 3
    assert np.allclose(found, wanted, atol=1e-3)


def test_matrix_product():
    a, b = np.random.default_rng(2).integers(-4, 5, (2, 64, 64)).astype(np.float32)
    left, right, product = hl.Buffer(a), hl.Buffer(b), hl.Func("product")
    depth = hl.RDom([(0, 64)])
    product[x, y] = 0.0
    product[x, y] += left[depth.x, y] * right[x, depth.x]
    tiled(product)
    tiled(product.update())
    assert (realize(product, hl.Float(32), 64) == a @ b).all()

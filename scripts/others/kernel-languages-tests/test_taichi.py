"""Kernels in Taichi, compared with the same kernels on the processor, and examples of its package."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import taichi as ti


def fractal(image: ti.template()):
    for i, j in image:
        z = ti.Vector([i / 80 - 1, j / 80 - 0.5]) * 2
        turns = 0
        while z.norm() < 20 and turns < 50:
            z = ti.Vector([z[0] ** 2 - z[1] ** 2, z[1] * z[0] * 2]) + ti.Vector([-0.8, 0.19])
            turns += 1
        image[i, j] = 1 - turns * 0.02


def images(arch):
    ti.init(arch=arch, offline_cache=False)
    image = ti.field(ti.f32, (160, 80))
    ti.kernel(fractal)(image)
    return image.to_numpy()


def test_fractal():
    assert np.allclose(images(ti.cuda), images(ti.cpu), atol=1e-3)


def test_reduction_and_atomics():
    ti.init(arch=ti.cuda, offline_cache=False)
    values = ti.field(ti.i32, 5000)
    counts = ti.field(ti.i32, 16)

    @ti.kernel
    def count() -> ti.i32:
        total = 0
        for i in values:
            values[i] = i * 7 % 101
            total += values[i]
            counts[values[i] % 16] += 1
        return total

    wanted = np.arange(5000) * 7 % 101
    assert count() == wanted.sum()
    assert (counts.to_numpy() == np.bincount(wanted % 16, minlength=16)).all()


def test_sparse_fields():
    ti.init(arch=ti.cuda, offline_cache=False)
    values = ti.field(ti.f32)
    blocks = ti.root.pointer(ti.i, 64)
    blocks.dense(ti.i, 16).place(values)

    @ti.kernel
    def activate():
        for i in range(10):
            values[i * 100] = i

    @ti.kernel
    def total() -> ti.f32:
        result = 0.0
        for i in values:
            result += values[i] + 1
        return result

    activate()
    # Ten blocks of 16 elements are active.
    assert total() == sum(range(10)) + 160


def test_gradients():
    ti.init(arch=ti.cuda, offline_cache=False)
    x = ti.field(ti.f32, 8, needs_grad=True)
    loss = ti.field(ti.f32, (), needs_grad=True)

    @ti.kernel
    def squares():
        for i in x:
            loss[None] += x[i] ** 2

    for i in range(8):
        x[i] = i
    with ti.ad.Tape(loss):
        squares()
    assert loss[None] == 140 and x.grad.to_numpy().tolist() == [2.0 * i for i in range(8)]


EXAMPLES = [
    "minimal",
    "features/sparse/tutorial",
    "features/sparse/taichi_dynamic",
    "features/sparse/explicit_activation",
    "features/io/export_ply",
    "autodiff/minimization",
    "algorithm/laplace",
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, tmp_path):
    source = Path(ti.__file__).parent / "examples" / f"{name}.py"
    # The variable chooses the architecture, whatever the program asks for.
    command, environment = [sys.executable, source], {**os.environ, "TI_ARCH": "cuda"}
    run = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    assert "Starting on arch=cuda" in run.stdout

"""Kernels in Triton, compared with numpy."""

import math

import numpy as np
import pytest
import triton
import triton.language as tl
from device_memory import DeviceArray, begin

begin()
random = np.random.default_rng(1)


def zeros(shape, dtype):
    return DeviceArray(np.zeros(shape, dtype))


@triton.jit
def add_kernel(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


def test_vector_add():
    x, y = random.standard_normal((2, 1000)).astype(np.float32)
    z = zeros(1000, np.float32)
    add_kernel[(8,)](DeviceArray(x), DeviceArray(y), z, 1000, BLOCK=128)
    assert (z.get() == x + y).all()


@triton.jit
def softmax_kernel(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * n + at, powers / tl.sum(powers, 0), mask=at < n)


def test_softmax():
    x = random.standard_normal((16, 777)).astype(np.float32)
    y = zeros(x.shape, np.float32)
    softmax_kernel[(16,)](DeviceArray(x), y, 777, BLOCK=1024)
    powers = np.exp(x - x.max(1, keepdims=True))
    assert np.allclose(y.get(), powers / powers.sum(1, keepdims=True), atol=1e-6)


@triton.jit
def order_kernel(x, sorted_x, sums, counts, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at)
    tl.store(sorted_x + at, tl.sort(values))
    tl.store(sums + at, tl.cumsum(values, 0))
    tl.store(counts + tl.arange(0, 64), tl.histogram(values & 63, 64))


def test_sort_scan_histogram():
    x = random.integers(0, 1000, 512).astype(np.int32)
    ordered, sums, counts = zeros(512, np.int32), zeros(512, np.int32), zeros(64, np.int32)
    order_kernel[(1,)](DeviceArray(x), ordered, sums, counts, BLOCK=512)
    assert (ordered.get() == np.sort(x)).all()
    assert (sums.get() == np.cumsum(x)).all()
    assert (counts.get() == np.bincount(x & 63, minlength=64)).all()


@triton.jit
def random_kernel(y, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.rand(seed, at))


def test_random_numbers():
    y = zeros(4096, np.float32)
    random_kernel[(16,)](y, 7, BLOCK=256)
    values = y.get()
    assert 0 <= values.min() and values.max() < 1 and abs(values.mean() - 0.5) < 0.05
    assert len(np.unique(values)) > 4000


@triton.jit
def atomic_kernel(x, results, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(results, tl.sum(values, 0))
    tl.atomic_max(results + 1, tl.max(values, 0))
    tl.atomic_add(results + 2 + at % 8, values, mask=at < n)


def test_atomics():
    x = random.integers(0, 100, 5000).astype(np.float32)
    results = zeros(10, np.float32)
    atomic_kernel[(10,)](DeviceArray(x), results, 5000, BLOCK=512)
    assert results.get().tolist() == [x.sum(), x.max()] + [x[part::8].sum() for part in range(8)]


@triton.jit
def gather_kernel(x, indices, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.gather(tl.load(x + at), tl.load(indices + at), 0))


def test_gather():
    x, indices = random.integers(0, 256, (2, 256)).astype(np.int32)
    y = zeros(256, np.int32)
    gather_kernel[(1,)](DeviceArray(x), DeviceArray(indices), y, BLOCK=256)
    assert (y.get() == x[indices]).all()


@triton.jit
def functions_kernel(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    sums = tl.sqrt(tl.abs(v)) + tl.sin(v) * tl.cos(v) + tl.erf(v) + tl.log(tl.abs(v) + 1.0)
    tl.store(y + at, sums + tl.floor(v) + tl.sigmoid(v) + tl.math.rsqrt(tl.abs(v) + 1.0))


def test_functions():
    x = (random.standard_normal(1024) * 3).astype(np.float32)
    y = zeros(1024, np.float32)
    functions_kernel[(1,)](DeviceArray(x), y, BLOCK=1024)
    wanted = np.sqrt(abs(x)) + np.sin(x) * np.cos(x) + np.vectorize(math.erf)(x) + np.log(abs(x) + 1)
    wanted += np.floor(x) + 1 / (1 + np.exp(-x)) + 1 / np.sqrt(abs(x) + 1)
    assert np.allclose(y.get(), wanted, rtol=1e-4, atol=1e-4)


@triton.jit
def product_kernel(
    a, b, c, k, a_row, b_row, c_row, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SUM: tl.constexpr
):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    depth = tl.arange(0, K)
    a += rows[:, None] * a_row + depth[None, :]
    b += depth[:, None] * b_row + columns[None, :]
    sums = tl.zeros((M, N), dtype=SUM)
    for _ in range(0, k, K):
        sums = tl.dot(tl.load(a), tl.load(b), sums, out_dtype=SUM)
        a += K
        b += K * b_row
    tl.store(c + rows[:, None] * c_row + columns[None, :], sums)


def bfloat16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def float8(values):
    """Encodes integers up to 8 as e4m3."""
    encoded = np.zeros(values.shape, np.uint8)
    for value in range(-8, 9):
        if value != 0:
            exponent = abs(value).bit_length() - 1
            fraction = abs(value) << 3 >> exponent & 7
            encoded[values == value] = (128 if value < 0 else 0) | exponent + 7 << 3 | fraction
    return encoded


KINDS = {
    "float16": (lambda values: values.astype(np.float16), 64),
    "bfloat16": (bfloat16, 64),
    "float8_e4m3fn": (float8, 128),
    "float32": (lambda values: values.astype(np.float32), 32),
    "int8": (lambda values: values.astype(np.int8), 64),
    "float64": (lambda values: values.astype(np.float64), 16),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("warps", [4, 8])
def test_matrix_products(kind, warps):
    encode, depth = KINDS[kind]
    size, tile = (256, 128) if kind != "float64" else (64, 32)
    a, b = random.integers(-4, 5, (2, size, size))
    sums = {"int8": np.int32, "float64": np.float64}.get(kind, np.float32)
    c = zeros((size, size), sums)
    sum_type = {"int8": tl.int32, "float64": tl.float64}.get(kind, tl.float32)
    grid = (size // tile, size // tile)
    factors = DeviceArray(encode(a), kind), DeviceArray(encode(b), kind)
    compiled = product_kernel[grid](
        *factors, c, size, size, size, size, M=tile, N=tile, K=depth, SUM=sum_type, num_warps=warps
    )
    assert (c.get() == a @ b).all()
    # Devices of compute capability 9.0 multiply in groups of four warps.
    if kind != "float64" and ".target sm_90a" in compiled.asm["ptx"]:
        assert "wgmma.mma_async" in compiled.asm["ptx"]


@triton.jit
def attention_kernel(q, k, v, o, scale, n, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    depth = tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + depth[None, :])
    largest = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    sums = tl.zeros((M, D), tl.float32)
    for start in range(0, n, N):
        keys = start + tl.arange(0, N)
        scores = tl.dot(queries, tl.load(k + keys[None, :] * D + depth[:, None])) * scale
        larger = tl.maximum(largest, tl.max(scores, 1))
        powers = tl.exp(scores - larger[:, None])
        correction = tl.exp(largest - larger)
        total = total * correction + tl.sum(powers, 1)
        values = tl.load(v + keys[:, None] * D + depth[None, :])
        sums = tl.dot(powers.to(tl.float16), values, sums * correction[:, None])
        largest = larger
    tl.store(o + rows[:, None] * D + depth[None, :], sums / total[:, None])


@pytest.mark.parametrize("warps", [4, 8])
def test_attention(warps):
    n, depth = 256, 64
    q, k, v = random.standard_normal((3, n, depth)).astype(np.float16)
    o = zeros((n, depth), np.float32)
    arrays = [DeviceArray(array) for array in (q, k, v)]
    attention_kernel[(n // 128,)](*arrays, o, 0.125, n, D=depth, M=128, N=64, num_warps=warps)
    scores = q.astype(np.float32) @ k.astype(np.float32).T * 0.125
    powers = np.exp(scores - scores.max(1, keepdims=True))
    assert np.allclose(o.get(), powers / powers.sum(1, keepdims=True) @ v.astype(np.float32), atol=4e-3)


@triton.jit
def tensor_map_kernel(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    a = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    sums = tl.zeros((M, N), tl.float32)
    for depth in range(0, k, K):
        sums = tl.dot(a.load([row, depth]), b.load([column, depth]).T, sums)
    c.store([row, column], sums.to(tl.float16))


def test_tensor_maps():
    triton.set_allocator(lambda size, _alignment, _stream: zeros(size, np.uint8))
    a, b = random.integers(-2, 3, (2, 256, 256)).astype(np.float16)
    c = zeros((256, 256), np.float16)
    tensor_map_kernel[(2, 2)](DeviceArray(a), DeviceArray(b), c, 256, 256, 256, M=128, N=128, K=64)
    assert (c.get() == a.astype(np.float32) @ b.T.astype(np.float32)).all()

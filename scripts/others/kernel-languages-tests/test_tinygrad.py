"""Tensors in tinygrad on the device, compared with numpy."""

import numpy as np
import pytest
from tinygrad import Context, Device, Tensor, TinyJit, dtypes, nn

random = np.random.default_rng(1)
A = random.standard_normal((37, 53)).astype(np.float32)
B = random.standard_normal((53, 29)).astype(np.float32)
H = random.standard_normal((64, 64)).astype(np.float16)


def softmax(values):
    powers = np.exp(values - values.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def convolution(image, kernels):
    size = image.shape[2] - 2
    windows = [image[:, :, i : i + size, j : j + size] for i in range(3) for j in range(3)]
    return np.einsum("knchw,ock->nohw", np.stack(windows), kernels.reshape(*kernels.shape[:2], 9))


IMAGE = random.standard_normal((2, 3, 12, 12)).astype(np.float32)
KERNELS = random.standard_normal((4, 3, 3, 3)).astype(np.float32)
COUNT = np.arange(100, dtype=np.int32)

CASES = {
    "matrix product": (lambda: Tensor(A) @ Tensor(B), A @ B, 1e-3),
    "product of halves": (
        lambda: Tensor(H).contiguous().matmul(Tensor(H).contiguous(), dtype=dtypes.float),
        H.astype(np.float32) @ H.astype(np.float32),
        2e-2,
    ),
    "softmax": (lambda: Tensor(A).softmax(), softmax(A), 1e-5),
    "convolution": (lambda: Tensor(IMAGE).conv2d(Tensor(KERNELS)), convolution(IMAGE, KERNELS), 1e-3),
    "sort": (lambda: Tensor(A[0]).sort()[0], np.sort(A[0]), 0),
    "running sums": (lambda: Tensor(A).cumsum(1), A.cumsum(1), 1e-3),
    "largest elements": (lambda: Tensor(A).argmax(1), A.argmax(1), 0),
    "functions": (
        lambda: Tensor(A).sin() + (Tensor(A).abs() + 1).log() + Tensor(A).exp(),
        np.sin(A) + np.log(abs(A) + 1) + np.exp(A),
        1e-3,
    ),
    "integers": (lambda: (Tensor(COUNT) * 7 % 13) // 3 << 2, (COUNT * 7 % 13) // 3 << 2, 0),
    "bfloat16": (lambda: Tensor(A).cast(dtypes.bfloat16).float(), A, 2e-2),
    "indices": (lambda: Tensor(A)[:, Tensor([3, 1, 7])], A[:, [3, 1, 7]], 0),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name):
    assert Device.DEFAULT == "CUDA"
    compute, wanted, tolerance = CASES[name]
    assert np.allclose(compute().numpy(), wanted, atol=tolerance, rtol=tolerance)


def test_gradient():
    x = Tensor(A[:8, :8])
    gradient = x.matmul(x).sum().gradient(x)[0].numpy()
    ones = np.ones((8, 8), np.float32)
    assert np.allclose(gradient, ones @ A[:8, :8].T + A[:8, :8].T @ ones, atol=1e-3)


def test_training_by_graphs():
    """The third and later steps are launches of one CUDA graph."""
    Tensor.manual_seed(3)
    first, second = nn.Linear(2, 32), nn.Linear(32, 1)
    optimizer = nn.optim.Adam([first.weight, first.bias, second.weight, second.bias], lr=0.02)
    points = Tensor(random.uniform(-1, 1, (256, 2)).astype(np.float32))
    wanted = (points[:, 0] * points[:, 1]).reshape(-1, 1)

    @TinyJit
    def step():
        optimizer.zero_grad()
        loss = ((second(first(points).tanh()) - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.realize()

    with Context(TRAINING=1):
        losses = [step().item() for _ in range(60)]
    assert losses[-1] < losses[0] / 5

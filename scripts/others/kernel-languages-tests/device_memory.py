"""Arrays in device memory, for languages that bring none."""

import ctypes

import numpy

cuda = ctypes.CDLL("libcuda.so.1")


def check(code):
    assert code == 0, f"CUDA error {code}"


def begin():
    """Makes the primary context of device 0 current."""
    check(cuda.cuInit(0))
    context = ctypes.c_void_p()
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    check(cuda.cuCtxSetCurrent(context))


class DeviceArray:
    """A copy of an array in device memory. Triton accepts it as a tensor."""

    def __init__(self, array, dtype=None):
        self.array = numpy.ascontiguousarray(array)
        self.dtype = dtype or str(self.array.dtype)
        self.address = ctypes.c_uint64()
        size = ctypes.c_size_t(max(self.array.nbytes, 4))
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.address), size))
        check(cuda.cuMemcpyHtoD_v2(self.address, self._place(), ctypes.c_size_t(self.array.nbytes)))

    def _place(self):
        return self.array.ctypes.data_as(ctypes.c_void_p)

    def data_ptr(self):
        return self.address.value

    def get(self):
        """Waits for the device, and returns the values."""
        check(cuda.cuCtxSynchronize())
        check(cuda.cuMemcpyDtoH_v2(self._place(), self.address, ctypes.c_size_t(self.array.nbytes)))
        return self.array

    def __del__(self):
        cuda.cuMemFree_v2(self.address)

"""What a program in Python does with the driver, through ctypes. It ends with 0 if all was as it should be."""

import ctypes

PTX = b""".version 6.4
.target sm_50
.address_size 64
.visible .entry twice(.param .u64 data, .param .u32 count) {
  .reg .pred %p; .reg .b32 %i, %n, %x; .reg .b64 %a, %o;
  ld.param.u64 %a, [data]; ld.param.u32 %n, [count]; mov.u32 %i, %tid.x;
  setp.ge.u32 %p, %i, %n; @%p ret;
  mul.wide.u32 %o, %i, 4; add.s64 %a, %a, %o;
  ld.global.u32 %x, [%a]; shl.b32 %x, %x, 1; st.global.u32 [%a], %x;
  ret;
}
"""

cuda = ctypes.CDLL("libcuda.so.1")


def check(code):
    if code != 0:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(code, ctypes.byref(name))
        raise SystemExit(f"{code}: {name.value}")


check(cuda.cuInit(0))
name = ctypes.create_string_buffer(100)
check(cuda.cuDeviceGetName(name, len(name), 0))
assert name.value, "the device has a name"

context = ctypes.c_void_p()
check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
module, function = ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuModuleLoadData(ctypes.byref(module), PTX))
check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"twice"))

count = 100
numbers = (ctypes.c_uint32 * count)(*range(count))
data = ctypes.c_uint64()
check(cuda.cuMemAlloc_v2(ctypes.byref(data), ctypes.c_size_t(ctypes.sizeof(numbers))))
check(cuda.cuMemcpyHtoD_v2(data, numbers, ctypes.c_size_t(ctypes.sizeof(numbers))))
size = ctypes.c_uint32(count)
arguments = (ctypes.c_void_p * 2)(ctypes.addressof(data), ctypes.addressof(size))
check(cuda.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, None, arguments, None))
check(cuda.cuMemcpyDtoH_v2(numbers, data, ctypes.c_size_t(ctypes.sizeof(numbers))))
assert list(numbers) == [2 * number for number in range(count)], list(numbers)

check(cuda.cuMemFree_v2(data))
check(cuda.cuCtxDestroy_v2(context))
print("all as it should be")

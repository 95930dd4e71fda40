#!/usr/bin/env python3
"""Compiles every kernel of this directory, NAME.cu to NAME.ptx, with NVRTC.

usage: compile.py [path of libnvrtc.so.13]

Without a path the library is looked for in the pip package nvidia-cuda-nvrtc, then where the loader looks. No GPU and
no driver are needed. NVRTC 13.0 is the one to use: its PTX says version 9.0, which drivers from 580 on accept.
"""
import ctypes
import importlib.util
import os
import pathlib
import sys

# The oldest target that NVRTC 13 knows: its PTX runs on every later device. Without contraction the results do not
# depend on what an assembler fuses, so that they can be compared bit for bit.
OPTIONS = [b"--gpu-architecture=compute_75", b"--fmad=false", b"--std=c++17"]


def find_library():
    if len(sys.argv) > 1:
        return sys.argv[1]
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations if spec else []:
        for path in sorted(pathlib.Path(root).glob("*/lib/libnvrtc.so.1*")):
            return str(path)
    return "libnvrtc.so.13"


def own_options(text):
    """Options in the first line of a source: `// NVRTC: --option`."""
    first = text.split(b"\n", 1)[0]
    return first.removeprefix(b"// NVRTC:").split() if first.startswith(b"// NVRTC:") else []


def compile_file(nvrtc, source):
    program = ctypes.c_void_p()
    text = source.read_bytes()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None))
    options = OPTIONS + own_options(text)
    options = (ctypes.c_char_p * len(options))(*options)
    result = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if result != 0:
        size = ctypes.c_size_t()
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(f"{source.name}: {log.value.decode()}")
    size = ctypes.c_size_t()
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    # Line information names the source with the directory that the compiler runs in.
    text = ptx.value.replace(f"{os.getcwd()}/".encode(), b"")
    source.with_suffix(".ptx").write_bytes(text)


def check(result):
    if result != 0:
        sys.exit(f"NVRTC error {result}")


def load():
    path = find_library()
    # NVRTC opens this one by its bare name, which only works for a library that is loaded already.
    for builtins in pathlib.Path(path).parent.glob("libnvrtc-builtins.so.*"):
        ctypes.CDLL(str(builtins))
    return ctypes.CDLL(path)


def main():
    nvrtc = load()
    sources = sorted(pathlib.Path(__file__).parent.glob("*.cu"))
    for source in sources:
        compile_file(nvrtc, source)
    print(f"{len(sources)} kernels compiled")


main()

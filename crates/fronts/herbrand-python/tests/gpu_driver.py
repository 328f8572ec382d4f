"""A CUDA driver on the CPU for tests of `herbrand.gpu`: the kernel and the driver of the tests of herbrand-gpu, as C."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from herbrand.gpu import GpuArray

from conftest import ROOT

CRATE = ROOT / "crates/pddl/herbrand-gpu"
POINTER = ctypes.pythonapi.PyCapsule_GetPointer
POINTER.restype, POINTER.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
NAME = ctypes.pythonapi.PyCapsule_GetName
NAME.restype, NAME.argtypes = ctypes.c_char_p, [ctypes.py_object]


class Driver:
    """The CUDA driver of the tests. Its GPU's memory is memory of the host."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.before = folder, 0
        text = folder / "driver.c"
        parts = (CRATE / "src/kernel.c", CRATE / "tests/it/driver.c")
        text.write_text("\n".join(part.read_text(encoding="utf-8") for part in parts), encoding="utf-8")
        for name in ("cuda", "nvrtc"):
            self.make(text, name)

    def make(self, text: Path, name: str) -> None:
        """Compiles the library with a name."""
        (self.folder / name).mkdir()
        options = ["-std=c11", "-O1", "-ffp-contract=off", "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so"]
        library = self.folder / name / f"lib{name}.so"
        subprocess.run(["cc", *options, "-o", str(library), str(text)], check=True)

    def load(self) -> None:
        """Loads both libraries, so that the engine finds them by name in this process."""
        self.cuda = ctypes.CDLL(str(self.folder / "cuda/libcuda.so"))
        self.nvrtc = ctypes.CDLL(str(self.folder / "nvrtc/libnvrtc.so"))
        self.cuda.herbrand_live_bytes.restype = ctypes.c_size_t
        self.cuda.herbrand_journal.restype = ctypes.c_char_p
        self.before = 0
        self.before = self.live_bytes()

    def live_bytes(self) -> int:
        """Returns the bytes of the GPU that were allocated since `load`."""
        gc.collect()
        return int(self.cuda.herbrand_live_bytes()) - self.before

    def journal(self, calls: Callable[[], Any]) -> list[str]:
        """Returns the launches and the calls that order streams, made by `calls`."""
        self.cuda.herbrand_clear_journal()
        calls()
        return str(self.cuda.herbrand_journal().decode()).splitlines()


class OnHost:
    """An array on the GPU of the tests as one on the host, which its memory is: for libraries that use no GPU."""

    def __init__(self, array: GpuArray) -> None:
        self.array = array

    def __dlpack__(self, **_: Any) -> Any:
        capsule = self.array.__dlpack__()
        device = ctypes.c_int32.from_address(POINTER(capsule, b"dltensor") + 8)
        assert device.value == 2
        device.value = 1
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def view(array: GpuArray) -> Any:
    """Returns the memory of an array as a NumPy array. The GPU of the tests has done all calls when they return."""
    return np.from_dlpack(OnHost(array))


def write(array: GpuArray, values: Any) -> None:
    """Writes to the memory of an array. NumPy's own view is read-only."""
    shown = view(array)
    ctypes.memmove(shown.ctypes.data, np.ascontiguousarray(values, dtype=shown.dtype).ctypes.data, shown.nbytes)


def outcome(libraries: list[Path], **environment: str) -> str:
    """Returns the cause and the message of the error of another process, which finds only these libraries."""
    # Packages such as PyTorch's bring NVRTC: this process has none.
    code = """
import sys
sys.modules["nvidia"] = None
import herbrand
from herbrand.gpu import GpuEnvs, GpuError
try:
    GpuEnvs("blocks", 40, problem="train/01")
    print("created")
except GpuError as error:
    assert isinstance(error, herbrand.HerbrandError) and isinstance(error, RuntimeError)
    print(error.cause, error, sep=": ")
"""
    path = os.pathsep.join(map(str, libraries))
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "LD_LIBRARY_PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def has_library(name: str) -> bool:
    """Returns whether this machine has a library of CUDA itself."""
    code = f"import ctypes; ctypes.CDLL({name!r})"
    return any(
        subprocess.run([sys.executable, "-c", code.replace(".so", end)], capture_output=True, check=False).returncode == 0
        for end in (".so", ".so.1", ".so.12")
    )

"""Whether a driver may make code as it runs: one that draws in software does, and ends the process else."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Final

_SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "swiftshader")
_READ, _WRITE, _EXECUTE = 1, 2, 4
FORBIDDEN: Final = (
    "no memory that was written to may be made code here (systemd's MemoryDenyWriteExecute, SELinux's "
    "execmem), and a driver that draws in software, {renderer}, makes code"
)


def draws_in_software(renderer: str) -> bool:
    """Whether a driver's own name of what draws is that of a program."""
    return any(name in renderer.lower() for name in _SOFTWARE)


def code_trouble(renderer: str) -> str:
    """One line where what draws makes code as it runs, and the system forbids that; empty else.

    Mesa doesn't ask whether it may: the first picture would end the process without a word.
    """
    return "" if not draws_in_software(renderer) or _may_make_code() else FORBIDDEN.format(renderer=renderer)


def _may_make_code() -> bool:
    """Whether memory that was written to may be run; True where that can't be tried as Linux has it."""
    if sys.platform != "linux":
        return True
    call = ctypes.CDLL(None).mprotect
    call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as page:
        page[0] = 0xC3
        place = ctypes.c_char.from_buffer(page)
        try:
            return bool(call(ctypes.addressof(place), mmap.PAGESIZE, _READ | _EXECUTE) == 0)
        finally:
            call(ctypes.addressof(place), mmap.PAGESIZE, _READ | _WRITE)
            del place

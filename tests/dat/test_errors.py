"""What one of many failed at, in a line."""

from __future__ import annotations

import errno
import os

import pytest

from engine.dat.errors import in_one_line


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.EMFILE, os.strerror(errno.EMFILE), "a.dat"), "a.dat: Too many open files"),
        (OSError(errno.EIO, os.strerror(errno.EIO)), "Input/output error"),
        (MemoryError(), "no memory is left for it"),
        (ZeroDivisionError("oops"), "internal error: ZeroDivisionError: oops"),
        (OSError("oops"), "internal error: OSError: oops"),
    ],
)
def test_what_the_system_refuses_is_told_as_such_and_is_no_internal_error(
    error: Exception, line: str
) -> None:
    assert in_one_line(error) == line

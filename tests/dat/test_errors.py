"""What one of many failed at, in a line."""

from __future__ import annotations

import errno
import os

import pytest

from engine.dat.errors import in_one_line, of_one_member


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


@pytest.mark.parametrize(
    "full", [OSError(errno.EMFILE, os.strerror(errno.EMFILE), "a.dat"), ImportError("failed to map segment")]
)
def test_what_would_fail_with_every_other_member_is_none_of_its_own(full: Exception) -> None:
    """No more files can be opened, or a library can't be loaded: it was told as damage of each that came."""
    for error in (full, wrapped(full), wrapped(wrapped(full))):
        with pytest.raises(type(error)) as raised:
            of_one_member(error)
        assert raised.value is error
    assert of_one_member(wrapped(ZeroDivisionError("oops"))).endswith(": why")


def wrapped(cause: Exception) -> Exception:
    try:
        try:
            raise cause
        except Exception:
            raise RuntimeError("why") from None
    except RuntimeError as error:
        return error

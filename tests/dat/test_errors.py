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


def test_where_no_more_files_can_be_opened_it_is_not_a_members_failing() -> None:
    """It was told as damage of every object that came after."""
    full = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "a.dat")
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

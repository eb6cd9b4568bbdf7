"""Descriptors as another program hands them on: what Python opens by itself it doesn't."""

from __future__ import annotations

import os


def hand_on(fd: int) -> int:
    """The descriptor, as if it had come from another program."""
    os.set_inheritable(fd, True)  # noqa: FBT003 -- its arguments have no names
    return fd

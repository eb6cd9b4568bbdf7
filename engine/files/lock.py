"""A lock between processes that ends with who holds it: a stale one blocks nobody."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike

RETRY_SECONDS = 0.05
SAY_SECONDS = 15.0
LOOK_SECONDS = 1.0  # more than it takes to look whether a file is in use


@contextmanager
def locked(
    path: str | PathLike[str], on_wait: Callable[[], object], longest: float = math.inf
) -> Iterator[int]:
    """Hold the lock of a file, which is made and stays; gives its descriptor.

    ``on_wait`` is called where another process holds it, and now and then while it does. After
    ``longest`` seconds of waiting one goes on without it: who holds it stands still. Processes that are
    given the descriptor (``pass_fds``) hold the lock as well, however this one ends. Where the system has
    no locks there is none.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        begun = told = time.monotonic()
        if not _try(fd):
            on_wait()
            while not _try(fd) and (now := time.monotonic()) - begun < longest:
                if now - told >= SAY_SECONDS:
                    on_wait()
                    told = now
                time.sleep(RETRY_SECONDS)
        yield fd
    finally:
        os.close(fd)


def _try(fd: int) -> bool:
    """Whether the lock is held now, or there are none here."""
    try:
        return lock_now(fd)
    except OSError:  # a file system without locks
        return True


def lock_now(fd: int) -> bool:
    """Whether an open file's lock is held from now on, until it is closed; OSError where none are."""
    if os.name == "nt":
        import msvcrt

        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def share(path: str | PathLike[str]) -> None:
    """Let a file, which is made and stays, be known as in use until this process ends.

    Or the program that takes its place. On Windows nothing is done: there no file goes that is open.
    """
    if os.name == "nt":
        return
    import fcntl

    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    fcntl.fcntl(fd, fcntl.F_SETFD, 0)  # it stays open in another program
    end = time.monotonic() + LOOK_SECONDS
    with suppress(OSError):  # a file system without locks
        while time.monotonic() < end:
            try:
                fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
                break
            except BlockingIOError:  # somebody looks just now whether it is in use, by a lock of their own
                time.sleep(LOOK_SECONDS / 1000)


def is_shared(path: str | PathLike[str]) -> bool:
    """Whether a file is in use by somebody."""
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try(fd)
    finally:
        os.close(fd)

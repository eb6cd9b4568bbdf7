"""Locks between processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.files import lock
from engine.files.lock import is_shared, lock_now
from tests.needed import posix
from tests.places import ROOT

if TYPE_CHECKING:
    import pytest


@posix("locks")
def test_a_file_is_known_as_in_use_also_where_somebody_looks_at_that_moment(tmp_path: Path) -> None:
    """To look takes the lock for an instant; who began in that instant was never known to use the file."""
    file = tmp_path / "used"
    fd = os.open(file, os.O_RDWR | os.O_CREAT)
    assert lock_now(fd)
    use = f"from engine.files.lock import share; print(); share({str(file)!r}); print(flush=True); input()"
    command = [sys.executable, "-u", "-c", use]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as user:
        assert user.stdout is not None
        user.stdout.readline()
        time.sleep(0.05)
        os.close(fd)
        user.stdout.readline()
        assert is_shared(file)
        user.communicate("\n")
    assert not is_shared(file)


@posix("locks")
def test_who_waits_for_a_lock_hears_of_it_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told once, and then nothing for as long as another took."""
    monkeypatch.setattr(lock, "SAY_SECONDS", 0.0)
    monkeypatch.setattr(lock, "RETRY_SECONDS", 0.001)
    file = tmp_path / "lock"
    fd = os.open(file, os.O_RDWR | os.O_CREAT)
    assert lock_now(fd)
    told: list[bool] = []

    def tell() -> None:
        told.append(True)
        if len(told) == 3:
            os.close(fd)

    with lock.locked(file, tell):
        assert len(told) == 3

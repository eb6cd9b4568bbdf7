"""A full disk under the driver's cache, and what the driver says of it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.needed import only_where
from viewer.renderer.driver_cache import FOLDER, INDEX, NO_CACHE, ROOM, hold_index, settle_cache

pytestmark = only_where(so=sys.platform == "linux", why="it is the software driver's")

SIZE = 1_310_728

SPEAKS = """
import os, sys
from viewer.terminal import harmless_output, hush_strangers, say
with harmless_output():
    hush_strangers()
    os.write(2, b"a stranger\\n")
    say("ours")
    hush_strangers()
    os.write(2, b"a stranger\\n")
    say("ours, too")
"""


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the index lies in a folder for a cache."""
    monkeypatch.setenv("MESA_SHADER_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv(NO_CACHE, "")
    monkeypatch.delenv(NO_CACHE)
    (tmp_path / FOLDER).mkdir()
    return tmp_path / FOLDER / INDEX


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_the_index_has_all_its_room_on_the_disk(index: Path) -> None:
    """Mesa maps it and writes into its holes: a full disk ended the program by SIGBUS."""
    with index.open("wb") as file:
        file.truncate(SIZE)
    assert index.stat().st_blocks * 512 < SIZE
    assert hold_index()
    assert index.stat().st_blocks * 512 >= SIZE
    assert index.read_bytes() == bytes(SIZE)
    settle_cache()
    assert NO_CACHE not in os.environ


def test_without_room_for_the_index_there_is_no_cache(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with index.open("wb") as file:
        file.truncate(SIZE)
    monkeypatch.setattr(os, "posix_fallocate", no_space)
    settle_cache()
    assert os.environ[NO_CACHE] == "true"


@pytest.mark.parametrize(("left", "is_used"), [(ROOM, False), (ROOM + 4096, True)])
@pytest.mark.parametrize("is_new", [True, False])
def test_there_is_a_cache_where_there_is_room(
    index: Path, monkeypatch: pytest.MonkeyPatch, left: int, *, is_used: bool, is_new: bool
) -> None:
    """On a full btrfs a whole index ended the program by SIGBUS: what is written there goes elsewhere."""
    if not is_new:
        index.write_bytes(bytes(SIZE))
    disk = SimpleNamespace(f_bavail=left // 4096, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    settle_cache()
    assert (NO_CACHE not in os.environ) == is_used
    assert index.exists() == (not is_new)


@pytest.mark.parametrize("words", [[], ["--verbose"], ["-X", "faulthandler"]])
def test_what_a_library_writes_by_itself_is_not_seen(words: list[str]) -> None:
    """Mesa told of its cache, ImGui of a window that an interrupt had left open."""
    before, after = (words, []) if words[:1] == ["-X"] else ([], words)
    done = subprocess.run(
        [sys.executable, *before, "-c", SPEAKS, *after], capture_output=True, text=True, check=True
    )
    ours = ["holtwalk: ours", "holtwalk: ours, too"]
    seen = done.stderr.splitlines()
    assert [line for line in seen if line != "a stranger"] == ours
    assert seen.count("a stranger") == (2 if words else 0)

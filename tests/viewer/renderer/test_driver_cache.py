"""A driver that maps its cache's files has none on a full disk: writing to them would end the process."""

import os
import shutil
from collections import namedtuple

import pytest

from viewer.renderer.driver_cache import OFF, ROOM, spare_full_disk

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """Sets how much is free where the driver's cache would be, a folder that is not there yet."""
    cache = tmp_path / "not" / "made"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.delenv("MESA_SHADER_CACHE_DIR", raising=False)
    monkeypatch.delenv(OFF, raising=False)

    def usage(path):
        if str(path).startswith(str(cache.parent)):
            raise FileNotFoundError(path)
        return Usage(ROOM * 2, 0, usage.free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    return usage


@pytest.mark.parametrize(("free", "off"), [(0, True), (ROOM - 1, True), (ROOM, False)])
def test_the_driver_keeps_no_cache_on_a_full_disk(disk, free, off):
    disk.free = free
    spare_full_disk()
    assert os.environ.pop(OFF, None) == ("true" if off else None)


def test_what_somebody_has_set_stays(disk, monkeypatch):
    disk.free = 0
    monkeypatch.setenv(OFF, "false")
    spare_full_disk()
    assert os.environ[OFF] == "false"


def test_a_folder_on_no_disk_is_no_reason(disk, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: (_ for _ in ()).throw(OSError()))
    spare_full_disk()
    assert OFF not in os.environ

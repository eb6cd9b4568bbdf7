"""A dat that is cut, rewritten or replaced while it is open: the one documented error, and no signal."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError
from engine.dat.object_types import DatKind
from tests.dat_writing import write_dat
from tests.needed import posix
from tests.places import DEMO, ROOT

RECORDS = {0x06000000 + number: bytes([number]) * 5000 for number in range(200)}
CHANGED = r"x\.dat: the file was changed or cut while it was open"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_dat(tmp_path / "x.dat", RECORDS, DatKind.PORTAL)
    return tmp_path / "x.dat"


@pytest.mark.parametrize("left", [0, 100, 0x400, 200_000])
def test_a_cut_file_is_noticed(path: Path, left: int) -> None:
    with DatFile.open(path) as dat:
        assert dat.read(0x06000000) == RECORDS[0x06000000]
        os.truncate(path, left)
        with pytest.raises(DatError, match=CHANGED):
            dat.read(0x06000000 + 199)
        with pytest.raises(DatError, match=CHANGED):
            dat.read(0x06000000)


def test_a_fault_as_a_file_is_closed_is_nobodys(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is only read: nothing is lost, and who drops it could tell nobody."""
    closed: list[int] = []

    def broken(fd: int) -> None:
        closed.append(fd)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    dat = DatFile.open(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "close", broken)
        dat.close()
    assert len(closed) == 1
    os.close(closed[0])


def test_a_file_that_is_written_over_is_noticed(path: Path) -> None:
    with DatFile.open(path) as dat:
        dat.read(0x06000000)
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.write(os.urandom(size))
        with pytest.raises(DatError, match=CHANGED):
            dat.read(0x06000000 + 7)


def test_a_file_that_grew_is_noticed(path: Path) -> None:
    with DatFile.open(path) as dat:
        with path.open("ab") as file:
            file.write(bytes(1024))
        with pytest.raises(DatError, match=CHANGED):
            dat.read(0x06000000)


def test_a_file_that_another_one_takes_the_place_of_stays_whole(path: Path) -> None:
    with DatFile.open(path) as dat:
        write_dat(path.with_name("y.dat"), {1: b"other"}, DatKind.PORTAL)
        os.replace(path.with_name("y.dat"), path)
        assert dat.read(0x06000000 + 9) == RECORDS[0x06000000 + 9]


def test_an_error_of_the_disk_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    with DatFile.open(path) as dat:
        monkeypatch.setattr(os, "pread", fail)
        with pytest.raises(DatError, match=r"x\.dat: can't be read: Input/output error"):
            dat.read(0x06000000)


@posix("signals")
def test_a_command_ends_with_a_code_of_its_own_when_its_dats_are_cut(tmp_path: Path) -> None:
    for name in ("client_portal.dat", "client_cell_1.dat"):
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    program = f"""
import os
from pathlib import Path
import engine.dat.check.everything as everything
from viewer.main import main
import sys
folder = Path({str(tmp_path)!r})
from engine.dat.container.dat_file import DatFile
read, count = DatFile.read_entry, [0]
def counted(self, entry):
    count[0] += 1
    if count[0] == 50:
        for path in folder.iterdir():
            os.truncate(path, 4096)
    return read(self, entry)
DatFile.read_entry = counted
sys.exit(main(["dat", "check", "--dats", str(folder)]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode in (1, 2)
    assert "the file was changed or cut while it was open" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_scattered_blocks_are_not_read_again_and_again(tmp_path: Path) -> None:
    """A chain whose blocks lie apart, backwards: little more is read than it holds."""
    write_dat(tmp_path / "x.dat", {0x06000000: bytes(range(250)) * 4000}, DatKind.PORTAL)
    data = bytearray((tmp_path / "x.dat").read_bytes())
    dat = DatFile(bytes(data), "")
    entry = dat.entry(0x06000000)
    assert entry is not None
    size = dat.header.block_size
    blocks = list(dat.blocks(entry.offset, entry.size))
    contents = [bytes(data[block + 4 : block + size]) for block in blocks]
    order = [blocks[0], *reversed(blocks[1:])]
    for number, block in enumerate(order):
        following = order[number + 1] if number + 1 < len(order) else 0
        data[block : block + size] = following.to_bytes(4, "little") + contents[number]
    (tmp_path / "x.dat").write_bytes(data)
    with DatFile.open(tmp_path / "x.dat") as scattered:
        got = [0]
        read = scattered._stored.read

        def counted(offset: int, count: int) -> bytes:
            got[0] += count
            return read(offset, count)

        scattered._stored.read = counted  # type: ignore[method-assign]
        assert scattered.read(0x06000000) == bytes(range(250)) * 4000
    assert got[0] < 4 * len(data) + (1 << 20)


@posix("files that are replaced while they are open")
def test_a_file_that_another_one_took_the_place_of_says_so(path: Path) -> None:
    with DatFile.open(path) as dat:
        assert not dat.is_replaced()
        (path.parent / "new.dat").write_bytes(path.read_bytes())
        (path.parent / "new.dat").replace(path)
        assert dat.is_replaced()
        assert dat.read(0x06000000) == RECORDS[0x06000000]
        path.unlink()
        assert dat.is_replaced()
    assert not DatFile(DEMO.joinpath("client_portal.dat").read_bytes(), "in memory").is_replaced()

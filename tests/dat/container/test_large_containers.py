"""Files past 2 GiB, a million entries, and what opening and finding cost (dat-format 1, promises 12)."""

import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from engine.dat.container.btree import NODES_KEPT, BTree
from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import HEADER_OFFSET, DatFile
from engine.dat.errors import DatError
from engine.dat.object_types import ITERATION_ID, DatKind
from tests.dat.container.large_dats import LEVELS, MILLION, id_of, write_million, write_moved
from tests.needed import needs
from tests.places import ROOT

GIB = 1 << 30
FILES = {7 * index + 1: struct.pack("<I", index) * (index % 700 + 1) for index in range(130)}
KINDS = [DatKind.PORTAL, DatKind.CELL]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["across 2 GiB", "past 2 GiB", "up to 4 GiB"])
def test_a_file_past_2_gib_is_read_with_unsigned_offsets(tmp_path, kind, place):
    data = build_dat(FILES, kind)
    room = -(-len(data) // 1024) * 1024
    shift = {"across 2 GiB": 2 * GIB - 10 * 1024, "past 2 GiB": 2 * GIB, "up to 4 GiB": 4 * GIB - room}[place]
    path = tmp_path / "x.dat"
    write_moved(path, data, shift)
    with DatFile.open(path) as dat:
        assert dat.kind is kind
        assert [entry.id for entry in dat.entries()] == [*FILES, ITERATION_ID]
        for object_id, content in FILES.items():
            assert dat.read(object_id) == content
        assert 2 not in dat


def test_past_2_gib_bit_31_marks_a_free_block_where_the_header_counts_any(tmp_path):
    path = tmp_path / "x.dat"
    write_moved(path, build_dat({1: b"small", 2: bytes(3000)}, DatKind.PORTAL), 2 * GIB)
    with path.open("r+b") as file:
        file.seek(HEADER_OFFSET + 0x1C)
        file.write(struct.pack("<I", 1))
    with DatFile.open(path) as dat, pytest.raises(DatError, match="the block is a free one"):
        dat.entry(1)


@pytest.fixture(scope="module", params=KINDS)
def million(request, tmp_path_factory):
    kind = request.param
    path = tmp_path_factory.mktemp("million") / f"{kind.name}.dat"
    write_million(path, build_dat({}, kind), kind.block_size, b"holt")
    return path


def test_a_million_entries_are_found_with_one_node_a_level(million, monkeypatch):
    read = []
    parse = BTree._parse
    monkeypatch.setattr(BTree, "_parse", lambda tree, offset: read.append(offset) or parse(tree, offset))
    dice = random.Random(1)
    for number in (0, MILLION // 2, MILLION - 1, *dice.sample(range(MILLION), 50)):
        with DatFile.open(million) as dat:
            read.clear()
            assert dat.read(id_of(number)) == b"holt"
            assert len(read) <= LEVELS
            assert dat.entry(id_of(number) + 1) is None
            assert len(set(read)) == len(read) <= 2 * LEVELS - 1  # the root is kept


def test_a_million_entries_are_listed_in_order(million):
    with DatFile.open(million) as dat:
        first, last = 500_000, 500_100
        some = dat.entries(id_of(first), id_of(last))
        assert [entry.id for entry in some] == [id_of(number) for number in range(first, last + 1)]
        assert len(dat.tree._kept) <= 12
        some = dat.entries(id_of(MILLION - 100_000))
        assert [entry.id for entry in some] == [id_of(MILLION - number) for number in range(100_000, 0, -1)]
        assert len(dat.tree._kept) == NODES_KEPT
        levels = dat.levels()
        assert [level.nodes for level in levels] == [1, 32, 1024, 32768]
        assert sum(level.entries for level in levels) == MILLION


# Opens a file and finds one object in a process of its own: bytes that were read, MB that were added.
COST = """
import sys
from engine.dat.container.dat_file import DatFile

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

def have_read():
    with open("/proc/self/io") as file:
        return int(file.readline().split()[1])

before, start = resident(), have_read()
with DatFile.open(sys.argv[1]) as dat:
    found = dat.read(int(sys.argv[2]))
    assert len(found) == int(sys.argv[3])
    print(have_read() - start, resident() - before)
"""


def cost(path, object_id, length):
    """Bytes that are read and megabytes of memory that come to it, from a file's name to an object."""
    words = [sys.executable, "-c", COST, str(path), str(object_id), str(length)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(map(float, done.stdout.split()))


measured = needs(Path("/proc/self/io").exists(), "no /proc to measure what is read with")


@measured
def test_opening_a_gigabyte_and_finding_one_object_reads_little_and_keeps_less(tmp_path):
    path = tmp_path / "x.dat"
    write_moved(path, build_dat(FILES, DatKind.PORTAL), GIB)
    object_id = list(FILES)[100]
    bytes_read, megabytes = cost(path, object_id, len(FILES[object_id]))
    assert bytes_read < 1e6
    assert megabytes < 8.0


@measured
def test_a_huge_block_size_does_not_read_a_huge_file(tmp_path):
    path = tmp_path / "x.dat"
    write_moved(path, build_dat({1: b"small"}, DatKind.PORTAL), GIB)
    with path.open("r+b") as file:
        file.seek(HEADER_OFFSET + 4)
        file.write(struct.pack("<I", 0xFFFFFFFC))
    bytes_read, megabytes = cost(path, 1, len(b"small"))
    assert bytes_read < 1e6
    assert megabytes < 8.0

"""Free blocks are never a record's, and ``dat check`` finds blocks with two owners (dat-format 1.4)."""

import struct

import pytest

from engine.dat.check.everything import check
from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import HEADER_OFFSET, DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.palette import Palette
from tests.dat_writing import write_dat

MARK = 0x80000000
PALETTES = {number: encode(Palette(number, (0xFF000000,) * 400)) for number in range(0x04000001, 0x04000004)}
FIRST_ENTRY = 4 * 62 + 4
FREE_FIELDS = HEADER_OFFSET + 0x14


def with_free_blocks(data, order, last=MARK):
    """A built dat with ``len(order)`` free blocks at its end, linked in that order, full of poison."""
    size = DatFile(data, "").header.block_size
    places = [len(data) + size * number for number in range(len(order))]
    chain = [places[number] for number in order]
    out = bytearray(data) + b"\xdd" * (size * len(order))
    for place, following in zip(chain, [*(MARK | place for place in chain[1:]), last], strict=True):
        struct.pack_into("<I", out, place, following)
    struct.pack_into("<III", out, FREE_FIELDS, chain[0], chain[-1], len(chain))
    struct.pack_into("<I", out, HEADER_OFFSET + 8, len(out))
    return out, chain


def entry_place(data, index):
    """Place in the file of the root's n-th entry, blocks of 1024 bytes."""
    return DatFile(bytes(data), "").header.root + 4 + FIRST_ENTRY + 24 * index


def findings(folder, portal):
    (folder / "client_portal.dat").write_bytes(portal)
    write_dat(folder / "client_cell_1.dat", {}, DatKind.CELL)
    with DatFiles.open(folder) as files:
        return {(finding.kind, finding.object_id, finding.detail) for finding in check(files).findings}


@pytest.mark.parametrize("order", [(0,), (0, 1, 2, 3), (3, 1, 0, 2)])
def test_free_blocks_are_listed_and_never_read(order, tmp_path):
    data, chain = with_free_blocks(build_dat(PALETTES, DatKind.PORTAL), order)
    dat = DatFile(bytes(data), "")
    assert list(dat.free_blocks()) == chain
    for object_id, content in PALETTES.items():
        assert dat.read(object_id) == content
    assert findings(tmp_path, data) == set()


def test_a_chain_into_a_free_block_is_corruption():
    data, chain = with_free_blocks(build_dat(PALETTES, DatKind.PORTAL), (0, 1))
    struct.pack_into("<I", data, 0x400, chain[0])
    # The record's second block is free, and it needs no third: what the last one points at doesn't matter.
    assert DatFile(bytes(data), "").read(0x04000001)[1020:] == b"\xdd" * 588
    struct.pack_into("<I", data, entry_place(data, 0) + 12, 3000)
    with pytest.raises(DatError, match="the block is a free one, 960 bytes missing"):
        DatFile(bytes(data), "").read(0x04000001)
    struct.pack_into("<I", data, 0x400, MARK | chain[0])
    with pytest.raises(DatError, match="the block is a free one, 1980 bytes missing"):
        DatFile(bytes(data), "").read(0x04000001)


def test_check_finds_a_record_that_lies_in_free_blocks(tmp_path):
    data, chain = with_free_blocks(build_dat(PALETTES, DatKind.PORTAL), (0, 1))
    struct.pack_into("<I", data, 0x400, chain[0])
    assert ("inconsistent", 0x04000001, "it lies in free blocks") in findings(tmp_path, data)


def test_check_finds_blocks_with_two_owners(tmp_path):
    data = bytearray(build_dat(PALETTES, DatKind.PORTAL))
    struct.pack_into("<I", data, 0x400, 0xC00 + 1024)
    assert (
        "inconsistent",
        0x04000002,
        "its block at 0x1000 belongs to another object too",
    ) in findings(tmp_path, data)


@pytest.mark.parametrize(
    ("last", "kind", "detail"),
    [
        (MARK | 0x400, "inconsistent", "2 free blocks announced, 4 listed"),
        (MARK | 0x7FFFFFF0, "damaged", "offset 0x7FFFFFF0: the list of free blocks leads out of the file"),
    ],
)
def test_check_finds_a_list_of_free_blocks_that_leads_elsewhere(tmp_path, last, kind, detail):
    data, _ = with_free_blocks(build_dat(PALETTES, DatKind.PORTAL), (0, 1), last)
    assert (kind, None, detail) in findings(tmp_path, data)


def test_check_finds_a_list_of_free_blocks_in_circles(tmp_path):
    data, chain = with_free_blocks(build_dat(PALETTES, DatKind.PORTAL), (0, 1))
    struct.pack_into("<I", data, chain[1], MARK | chain[0])
    reason = f"offset 0x{chain[0]:X}: the list of free blocks runs in circles"
    assert ("damaged", None, reason) in findings(tmp_path, data)


def test_check_finds_a_file_of_another_size_than_it_says(tmp_path):
    data = build_dat(PALETTES, DatKind.PORTAL) + bytes(1024)
    told = f"the header says {len(data) - 1024} bytes, the file has {len(data)}"
    assert findings(tmp_path, data) == {("inconsistent", None, told)}


LONG = b"\1\2\3\4" * 2000


def sharing(count):
    """A dat of so many records, whose directory says of all that they lie where the long first one does."""
    short = dict.fromkeys(range(2, count + 1), b"\0" * 4)
    data = bytearray(build_dat({1: LONG, **short}, DatKind.PORTAL))
    first = data[entry_place(data, 0) + 8 : entry_place(data, 0) + 16]
    for number in range(1, count):
        data[entry_place(data, number) + 8 : entry_place(data, number) + 16] = first
    return bytes(data)


def test_records_that_share_their_blocks_are_read_until_they_are_longer_than_the_file_together(monkeypatch):
    monkeypatch.setattr("engine.dat.container.block_budget.BESIDES", 0)
    with DatFile(sharing(30), "shared.dat") as dat:
        told = []
        for entry in dat.entries(1, 30):
            try:
                assert dat.read_entry(entry) == LONG
            except DatError as error:
                told.append((entry.id, error.reason))
        read = 30 - len(told)
        assert dat.size <= read * len(LONG) <= 4 * dat.size
        reason = "it isn't read: records share so many blocks that all together are longer than the file"
        assert told == [(number, reason) for number in range(read + 1, 31)]
        assert dat.read(read) == LONG  # what was read is read again


def test_records_with_blocks_of_their_own_are_read_over_and_over():
    with DatFile(build_dat(PALETTES, DatKind.PORTAL), "") as dat:
        for _ in range(40):
            assert [dat.read(number) for number in PALETTES] == list(PALETTES.values())

"""The container: header, block chains and B-tree, read and built (dat-format 1)."""

import gc
import os
import struct
import zlib

import pytest

from engine.dat.container import btree
from engine.dat.container.btree import ENTRY, NODE_SIZE
from engine.dat.container.building import DATA_START, DATE, build_dat
from engine.dat.container.dat_file import HEADER_OFFSET, DatFile
from engine.dat.container.stored_bytes import FileBytes
from engine.dat.errors import DatError
from engine.dat.object_types import ITERATION_ID, DatKind
from engine.dat.records.codecs import decode
from engine.dat.records.iteration import Iteration, Run
from tests.dat_writing import write_dat
from tests.needed import posix

COUNTS = [1, 2, 61, 62, 200, 3843, 3844, 5000]
BLOCK_SIZES = [1024, 256]
BRANCH_BYTES = 4 * 62


def numbered(count):
    """``count`` files with the iteration record among them; a file's bytes tell its id."""
    return {7 * index + 1: struct.pack("<I", index) for index in range(count - 1)}


def opened(data, name="test.dat"):
    return DatFile(bytes(data), name)


def put(data, offset, layout, *values):
    out = bytearray(data)
    struct.pack_into(layout, out, offset, *values)
    return out


def first_entry(dat):
    """Place in the file of the root's first entry; the root lies in adjacent blocks of 1024 or 256 bytes."""
    root, payload = dat.header.root, dat.header.block_size - 4
    return root + dat.header.block_size + 4 if payload == BRANCH_BYTES + 4 else root + 4 + BRANCH_BYTES + 4


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
@pytest.mark.parametrize("count", COUNTS)
def test_a_built_tree_holds_every_file_in_order(count, block_size):
    files = numbered(count)
    dat = opened(build_dat(files, DatKind.PORTAL, block_size))
    assert [entry.id for entry in dat.entries()] == [*sorted(files), ITERATION_ID]
    for object_id, data in files.items():
        assert dat.read(object_id) == data
    assert (2 in dat, 0 in dat, 0xFFFFFFFF in dat) == (False, False, False)
    levels = dat.levels()
    assert sum(level.entries for level in levels) == count
    assert len(levels) == (1 if count <= 61 else 2 if count <= 3843 else 3)


@pytest.mark.parametrize("count", COUNTS)
def test_every_node_but_the_root_has_30_to_61_entries(count):
    dat = opened(build_dat(numbered(count), DatKind.CELL))
    nodes = [dat.header.root]
    while nodes:
        node = dat.tree.node(nodes.pop())
        assert len(node.ids) <= 61
        assert not node.children or len(node.children) == len(node.ids) + 1
        for child in node.children:
            assert 30 <= len(dat.tree.node(child).ids) <= 61
        nodes.extend(node.children)


def test_the_smallest_dat_is_4096_bytes():
    data = build_dat({}, DatKind.PORTAL)
    assert len(data) == 4096
    dat = opened(data)
    assert decode("Iteration", dat.read(ITERATION_ID)) == Iteration(1, (Run(1, 1),))
    entry = dat.entry(ITERATION_ID)
    assert (entry.version, entry.offset, entry.size, entry.iteration) == (1, DATA_START, 12, 1)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (DatKind.PORTAL, (1024, 1, 0, 110)),
        (DatKind.HIGHRES, (1024, 1, 0x69466948, 110)),
        (DatKind.CELL, (256, 2, 1, 22)),
        (DatKind.LOCAL, (1024, 3, 1, 110)),
    ],
)
def test_the_header_of_a_built_file(kind, fields):
    data = build_dat(numbered(100), kind)
    header = opened(data).header
    assert (header.block_size, header.data_set, header.subset, header.engine_version) == fields
    assert header.file_size == len(data)
    assert (len(data) - DATA_START) % header.block_size == 0
    assert (header.first_free, header.last_free, header.free_count, header.minor_version) == (0, 0, 0, 6657)
    assert header.kind is kind
    assert data[0x140:0x144] == b"BT\0\0"
    assert data[0x100:0x140] == b"\0PL\0" + bytes(60)
    assert data[:0x100] == bytes(0x100)
    assert data[0x190:DATA_START] == bytes(DATA_START - 0x190)


def test_a_node_has_zero_in_every_unused_slot():
    data = build_dat(numbered(3), DatKind.CELL)
    dat = opened(data)
    node = dat._chain(dat.header.root, NODE_SIZE, None)
    assert node[:BRANCH_BYTES] == bytes(BRANCH_BYTES)
    assert node[BRANCH_BYTES + 4 + 3 * ENTRY.size :] == bytes(NODE_SIZE - BRANCH_BYTES - 4 - 3 * ENTRY.size)


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
def test_records_of_every_length_around_a_block(block_size):
    payload = block_size - 4
    lengths = [0, 1, payload - 1, payload, payload + 1, 2 * payload, 2 * payload + 1, 5 * payload + 3]
    files = {
        index + 1: bytes((index + step) % 251 for step in range(length))
        for index, length in enumerate(lengths)
    }
    dat = opened(build_dat(files, DatKind.PORTAL, block_size))
    for object_id, data in files.items():
        assert dat.read(object_id) == data


def test_building_is_deterministic_and_takes_the_files_in_any_order():
    files = numbered(200)
    backwards = dict(reversed(list(files.items())))
    assert build_dat(files, DatKind.CELL) == build_dat(backwards, DatKind.CELL)
    assert {entry.date for entry in opened(build_dat(files, DatKind.CELL)).entries()} == {DATE}


def test_write_read_write_is_byte_identical():
    data = build_dat(numbered(300), DatKind.CELL)
    dat = opened(data)
    assert build_dat({entry.id: dat.read_entry(entry) for entry in dat.entries()}, DatKind.CELL) == data


def test_an_id_range_walks_only_the_subtrees_that_can_meet_it():
    dat = opened(build_dat(numbered(5000), DatKind.CELL))
    wanted = [entry.id for entry in dat.entries() if 1000 <= entry.id <= 1500]
    fresh = opened(build_dat(numbered(5000), DatKind.CELL))
    assert [entry.id for entry in fresh.entries(1000, 1500)] == wanted
    assert len(fresh.tree._kept) <= 5
    assert list(fresh.entries(2, 7)) == []
    assert [entry.id for entry in fresh.entries(0xFFFFFFFF)] == []
    assert [entry.id for entry in fresh.entries(8, 8)] == [8]


def test_a_lookup_reads_one_node_a_level():
    dat = opened(build_dat(numbered(5000), DatKind.CELL))
    assert dat.tree._kept == {}
    assert dat.entry(1 + 7 * 1234) is not None
    assert 1 <= len(dat.tree._kept) <= 3


def test_opening_reads_the_header_only(tmp_path):
    path = tmp_path / "x.dat"
    write_dat(path, numbered(10), DatKind.PORTAL)
    data = bytearray(path.read_bytes())
    root = DatFile(bytes(data), "x").header.root
    data[root:] = b"\xff" * (len(data) - root)
    path.write_bytes(data)
    with DatFile.open(path) as dat:
        assert dat.kind is DatKind.PORTAL
        with pytest.raises(DatError, match="the block is a free one"):
            dat.entry(1)


@pytest.mark.parametrize("closes", [True, False])
def test_a_file_is_closed_once_when_it_is_told_or_nobody_holds_it(tmp_path, monkeypatch, closes):
    path = tmp_path / "x.dat"
    write_dat(path, {1: b"one"}, DatKind.PORTAL)
    gc.collect()  # closes what tests before this one have left
    closed = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda fd: (closed.append(fd), close(fd)))
    dat = DatFile.open(path)
    assert isinstance(dat._stored, FileBytes)
    fd = dat._stored._fd
    assert dat.read(1) == b"one"
    if closes:
        dat.close()
        dat.close()
        assert closed == [fd]
    del dat
    gc.collect()
    assert closed == [fd]
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)


def test_a_shorter_record_may_leave_a_longer_chain_behind():
    data = build_dat({1: bytes(3000)}, DatKind.PORTAL)
    dat = opened(data)
    shorter = put(data, first_entry(dat) + 12, "<I", 500)
    assert opened(shorter).read(1) == bytes(500)


def test_blocks_of_a_record_need_not_be_adjacent_nor_ascending():
    data = bytearray(build_dat({1: b"a" * 1020 + b"b" * 1020}, DatKind.PORTAL))
    first, second = data[0x400:0x800], data[0x800:0xC00]
    data[0x400:0x800], data[0x800:0xC00] = second, first
    data = put(data, 0x800, "<I", 0x400)
    data = put(data, first_entry(opened(data)) + 8, "<I", 0x800)
    assert opened(data).read(1) == b"a" * 1020 + b"b" * 1020


@pytest.mark.parametrize(
    ("pointer", "reason"),
    [
        (0, "no block of the file lies here"),
        (0x7FFFFFFC, "no block of the file lies here"),
        (0x10, "no block of the file lies here"),
        (0x80000000, "the block is a free one"),
        (0x80000400, "the block is a free one"),
        (0xFFFFFFFF, "the block is a free one"),
        (0x400, "runs in circles"),
    ],
)
def test_a_chain_that_leads_nowhere_is_corruption(pointer, reason):
    data = put(build_dat({1: bytes(3000)}, DatKind.PORTAL), 0x400, "<I", pointer)
    with pytest.raises(DatError, match=reason) as caught:
        opened(data).read(1)
    assert caught.value.object_id == 1


def test_what_the_last_block_points_at_is_not_looked_at():
    data = build_dat({1: bytes(3000)}, DatKind.PORTAL)
    for pointer in (0x400, 0x7FFFFFFC, 0x80000000, 0xFFFFFFFF):
        assert opened(put(data, 0xC00, "<I", pointer)).read(1) == bytes(3000)


def test_a_record_larger_than_its_file_is_refused():
    data = build_dat({1: bytes(3000)}, DatKind.PORTAL)
    data = put(data, first_entry(opened(data)) + 12, "<I", 0xFFFFFFFF)
    with pytest.raises(DatError, match="a record of 4294967295 bytes"):
        opened(data).read(1)


def compressed(content, announced=None, cut=0):
    stream = zlib.compress(content)
    stored = struct.pack("<I", len(content) if announced is None else announced) + stream[: len(stream) - cut]
    data = build_dat({1: stored}, DatKind.PORTAL)
    return opened(put(data, first_entry(opened(data)), "<H", 1))


def test_a_compressed_record_is_decompressed():
    assert compressed(b"holt" * 1000).read(1) == b"holt" * 1000


@pytest.mark.parametrize(("announced", "cut"), [(3999, 0), (4001, 0), (None, 3), (0xFFFFFFFF, 0), (0, 0)])
def test_a_compressed_record_that_does_not_give_what_it_says_is_refused(announced, cut):
    with pytest.raises(DatError):
        compressed(b"holt" * 1000, announced, cut).read(1)


OVER_EIGHT = (1 << 23) + 1


@pytest.mark.parametrize(
    ("object_id", "size", "is_read"),
    [
        (0x02000001, OVER_EIGHT, False), (0x06000001, OVER_EIGHT, True),
        (0x02000001, 65537, False), (0x06000001, 65537, True), (0x02000001, 65536, True),
    ],
)  # fmt: skip
def test_only_images_and_sounds_are_decompressed_to_many_times_their_size(object_id, size, is_read):
    """A thousandth of its size is enough to store a record of equal bytes."""
    content = bytes(size)
    stored = struct.pack("<I", len(content)) + zlib.compress(content)
    data = build_dat({object_id: stored}, DatKind.PORTAL)
    dat = opened(put(data, first_entry(opened(data)), "<H", 1))
    if is_read:
        assert dat.read(object_id) == content
        return
    with pytest.raises(DatError, match=rf"says it holds {size}$"):
        dat.read(object_id)


def test_compressed_images_count_by_what_they_hold(monkeypatch):
    """A thousand of 950 bytes were 12 minutes of pictures; each is read again as often as one likes."""
    monkeypatch.setattr("engine.dat.container.block_budget.BESIDES", 0)
    content = bytes(1 << 22)
    stored = struct.pack("<I", len(content)) + zlib.compress(content)
    data = build_dat({0x06000000 + number: stored for number in range(1, 5)}, DatKind.PORTAL)
    for number in range(4):
        data = put(data, first_entry(opened(data)) + 24 * number, "<H", 1)
    dat = opened(data)
    assert [dat.read(0x06000001) for _ in range(3)] == [content] * 3
    with pytest.raises(DatError, match="longer than the file"):
        for number in (2, 3, 4):
            dat.read(0x06000000 + number)


@pytest.mark.parametrize("slot", [0, 0xCDCDCDCD])
def test_a_leaf_has_an_unused_first_branch(slot):
    data = build_dat(numbered(5), DatKind.PORTAL)
    root = opened(data).header.root
    data = put(data, root + 4, "<62I", slot, *[0xCDCDCDCD] * 61)
    assert [entry.id for entry in opened(data).entries()] == [1, 8, 15, 22, ITERATION_ID]
    assert 9 not in opened(data)


def test_branches_past_the_count_are_stale():
    data = build_dat(numbered(62), DatKind.PORTAL)
    root = opened(data).header.root
    data = put(data, root + 4 + 4 * 2, "<60I", *[0x12345678] * 60)
    assert len(list(opened(data).entries())) == 62


def test_more_than_61_entries_are_corruption():
    data = build_dat(numbered(5), DatKind.PORTAL)
    data = put(data, opened(data).header.root + 4 + BRANCH_BYTES, "<I", 62)
    with pytest.raises(DatError, match="a B-tree node with 62 entries"):
        opened(data).entry(1)


def test_a_tree_in_circles_is_corruption():
    data = build_dat(numbered(62), DatKind.PORTAL)
    root = opened(data).header.root
    data = put(data, root + 4, "<I", root)
    with pytest.raises(DatError, match="the same node twice"):
        list(opened(data).entries())
    with pytest.raises(DatError, match="the same node twice"):
        opened(data).levels()
    with pytest.raises(DatError, match="deeper than"):
        opened(data).entry(0)


def test_ids_out_of_order_are_corruption():
    data = build_dat(numbered(5), DatKind.PORTAL)
    data = put(data, first_entry(opened(data)) + 4, "<I", 0x7FFFFFFF)
    with pytest.raises(DatError, match="0x00000008 comes after 0x7FFFFFFF"):
        list(opened(data).entries())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "too short"),
        (b"BT" * 100, "too short"),
        (bytes(0x400), "no dat file: magic 0x00000000"),
        (put(build_dat({}, DatKind.CELL), HEADER_OFFSET + 4, "<I", 0), "a block size of 0"),
        (put(build_dat({}, DatKind.CELL), HEADER_OFFSET + 4, "<I", 4), "a block size of 4"),
    ],
)
def test_what_is_no_dat_is_said_in_one_line(data, reason, tmp_path):
    with pytest.raises(DatError, match=reason):
        opened(data)
    path = tmp_path / "x.dat"
    path.write_bytes(data)
    with pytest.raises(DatError, match=r"x\.dat"):
        DatFile.open(path)


def test_an_unknown_data_set_has_no_kind():
    dat = opened(put(build_dat({}, DatKind.CELL), HEADER_OFFSET + 0xC, "<I", 9))
    assert dat.header.kind is None
    with pytest.raises(DatError, match="data set 9"):
        _ = dat.kind


def test_a_missing_file_is_said_in_one_line(tmp_path):
    with pytest.raises(DatError, match="can't be opened: No such file"):
        DatFile.open(tmp_path / "none.dat")


@posix("pipes")
def test_a_pipe_is_said_to_be_no_file_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.dat")
    with pytest.raises(DatError, match=r"pipe\.dat: can't be opened: it is no file"):
        DatFile.open(tmp_path / "pipe.dat")


def test_a_missing_object_is_said_with_its_id():
    with pytest.raises(DatError, match=r"test\.dat, object 0x00000002: there is no such object"):
        opened(build_dat({}, DatKind.CELL)).read(2)


@pytest.mark.parametrize("object_id", [-1, 1 << 32])
def test_ids_have_32_bits(object_id):
    with pytest.raises(DatError, match="is no id"):
        build_dat({object_id: b""}, DatKind.CELL)


def test_nodes_are_forgotten_when_there_are_many(monkeypatch):
    monkeypatch.setattr(btree, "NODES_KEPT", 2)
    dat = opened(build_dat(numbered(300), DatKind.CELL))
    assert len(list(dat.entries())) == 300
    assert len(dat.tree._kept) == 2
    assert dat.read(1) == struct.pack("<I", 0)

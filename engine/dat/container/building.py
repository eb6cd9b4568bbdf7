"""Writing whole dat files (dat-format 1.10): deterministic, without free blocks."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Mapping
from typing import BinaryIO

from engine.dat.container.btree import BRANCHES, ENTRY, MAX_ENTRIES, NODE_SIZE, DatEntry
from engine.dat.container.dat_file import HEADER, HEADER_OFFSET, MAGIC
from engine.dat.errors import DatError
from engine.dat.object_types import ITERATION_ID, DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.iteration import Iteration, Run

DATA_START = 0x400
TRANSACTION_OFFSET, NO_TRANSACTION = 0x100, bytes((0x00, 0x50, 0x4C, 0x00))
MINOR_VERSION = 6657
# All entries carry one date, so that the same objects always give the same bytes: 2012-01-01.
DATE = 1325376000
SIZE_LIMIT = 1 << 31
NEW_ITERATION = encode(Iteration(1, (Run(1, 1),)))


def build_dat(files: Mapping[int, bytes], kind: DatKind, block_size: int | None = None) -> bytes:
    """A dat file of that kind holding the given records; the iteration record is added where missing.

    ``block_size`` None is the kind's own. Raises DatError for ids that are none and for 2 GiB or more.
    """
    out = io.BytesIO()
    stream_dat(out, ((object_id, files[object_id]) for object_id in sorted(files)), kind, block_size)
    return out.getvalue()


def stream_dat(
    file: BinaryIO, records: Iterable[tuple[int, bytes]], kind: DatKind, block_size: int | None = None
) -> None:
    """Write ``build_dat``'s bytes into an empty file that can seek, from records in ascending order of ids.

    Of a record only its entry is kept, so that a world of any size can be made. Raises DatError as
    ``build_dat`` does, and for ids out of order.
    """
    writer = _Container(file, kind.block_size if block_size is None else block_size)
    entries: list[DatEntry] = []
    for object_id, data in _with_iteration(records):
        if not 0 <= object_id <= 0xFFFFFFFF:
            raise DatError("", None, None, f"{object_id} is no id")
        if entries and object_id <= entries[-1].id:
            raise DatError("", object_id, None, "its id does not come after the one before it")
        version = 1 if object_id == ITERATION_ID else 2
        entries.append(
            DatEntry(
                flags=0,
                version=version,
                id=object_id,
                offset=writer.put(data),
                size=len(data),
                date=DATE,
                iteration=1,
            )
        )
    height = 0
    while 62 ** (height + 1) - 1 < len(entries):
        height += 1
    root = writer.put_node(entries, height)
    file.seek(TRANSACTION_OFFSET)
    file.write(NO_TRANSACTION)
    file.seek(HEADER_OFFSET)
    file.write(HEADER.pack(
        MAGIC, writer.block_size, writer.size, kind.data_set, kind.subset,
        0, 0, 0, root, 0, 0, 0, 0, kind.engine_version, 0, bytes(16), MINOR_VERSION,
    ))  # fmt: skip


def _with_iteration(records: Iterable[tuple[int, bytes]]) -> Iterable[tuple[int, bytes]]:
    """The records with one of the iteration in its place, where they hold none."""
    due = True
    for object_id, data in records:
        if due and object_id >= ITERATION_ID:
            due = False
            if object_id != ITERATION_ID:
                yield ITERATION_ID, NEW_ITERATION
        yield object_id, data
    if due:
        yield ITERATION_ID, NEW_ITERATION


class _Container:
    """A dat being written: chains of blocks, one after the other."""

    def __init__(self, file: BinaryIO, block_size: int) -> None:
        self.file = file
        self.block_size = block_size
        self.size = DATA_START
        file.write(bytes(DATA_START))

    def put(self, data: bytes) -> int:
        """Append a chain of adjacent blocks; its offset."""
        start, payload = self.size, self.block_size - 4
        blocks = max(1, -(-len(data) // payload))
        self.size += blocks * self.block_size
        if self.size >= SIZE_LIMIT:
            raise DatError("", None, None, "a dat file must stay below 2 GiB")
        out = bytearray()
        for index in range(blocks):
            following = start + (index + 1) * self.block_size if index < blocks - 1 else 0
            out += struct.pack("<I", following)
            out += data[index * payload : (index + 1) * payload].ljust(payload, b"\0")
        self.file.write(out)
        return start

    def put_node(self, entries: list[DatEntry], height: int) -> int:
        """Append the subtree of that height (0 a leaf) over ascending entries, children first."""
        keys, children = entries, []
        if height:
            parts, keys = _share(entries, height)
            children = [self.put_node(part, height - 1) for part in parts]
        node = bytearray()
        node += struct.pack(f"<{BRANCHES}I", *children, *[0] * (BRANCHES - len(children)))
        node += struct.pack("<I", len(keys))
        for key in keys:
            node += ENTRY.pack(
                key.flags, key.version, key.id, key.offset, key.size, key.date, key.iteration
            )  # fmt: skip
        return self.put(bytes(node.ljust(NODE_SIZE, b"\0")))


def _share(entries: list[DatEntry], height: int) -> tuple[list[list[DatEntry]], list[DatEntry]]:
    """Entries of a node split evenly among its children, and the single ones kept between neighbours."""
    capacity = (MAX_ENTRIES + 1) ** height - 1
    count = max(2, -(-(len(entries) + 1) // (capacity + 1)))
    down = len(entries) - (count - 1)
    parts, keys = [], []
    position = 0
    for index in range(count):
        size = down // count + (index < down % count)
        parts.append(entries[position : position + size])
        position += size
        if index < count - 1:
            keys.append(entries[position])
            position += 1
    return parts, keys

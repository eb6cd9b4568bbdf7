"""Reading the container of a dat: header and block chains (dat-format 1); ``btree`` has its directory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from os import PathLike, fspath
from struct import Struct
from types import TracebackType
from typing import Self

from engine.dat.container.block_budget import BlockBudget
from engine.dat.container.btree import NODE_SIZE, BTree, DatEntry, Skipped, TreeLevel
from engine.dat.container.stored_bytes import FileBytes, MemoryBytes, StoredBytes
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.object_types import HIGHRES_SUBSET, DatKind
from engine.named_tuple import NamedTuple

HEADER_OFFSET, HEADER_END = 0x140, 0x190
# The use-LRU boolean is one byte; what pads it is garbage in shipped files.
HEADER = Struct("<11IB3x3I16sI")
MAGIC = 0x5442
COMPRESSED = 1
# Of a block's next pointer: this block is free, the other bits lead to the next free one.
FREE_BLOCK = 0x80000000
MAX_UNCOMPRESSED = 1 << 26  # bytes of an image or a sound
MAX_OF_OTHERS = 1 << 23  # of any other record: a few bytes can be made of a thousand times as many
LARGE_TYPES = (0x06, 0x0A)
MOST_TIMES = 50  # that another record is longer than its stream; one that says something, some ten times
USUAL_TIMES = 8  # that all others together are longer than their streams
TIMES_FROM = 1 << 16  # bytes: short ones may be alike throughout, as landblocks of water are
MOST_AHEAD = 1 << 20  # bytes that are read at once; more than a block, whatever its size says

_U32 = Struct("<I")


class DatHeader(NamedTuple):
    """The disk header, in stored order (dat-format 1.2); offsets count from the file's first byte."""

    block_size: int
    file_size: int
    data_set: int
    subset: int
    first_free: int
    last_free: int
    free_count: int
    root: int
    newest_lru: int
    oldest_lru: int
    use_lru: int
    master_map: int
    engine_version: int
    game_version: int
    major_version: bytes
    minor_version: int

    @property
    def kind(self) -> DatKind | None:
        """Which of the game's files this is, None when data set and subset name none."""
        if self.data_set == 1:
            return {0: DatKind.PORTAL, HIGHRES_SUBSET: DatKind.HIGHRES}.get(self.subset)
        # The subset of the other two is a region's or a language's number.
        return {2: DatKind.CELL, 3: DatKind.LOCAL}.get(self.data_set)


def is_dat(path: str | PathLike[str]) -> bool:
    """Whether a file begins as a dat does; not where it can't be read."""
    try:
        with open(path, "rb") as file:
            file.seek(HEADER_OFFSET)
            return file.read(4) == _U32.pack(MAGIC)
    except OSError:
        return False


class DatFile:
    """A dat file, read as it is asked for; opening reads nothing but the header.

    Offsets are unsigned, so that files of up to 4 GiB are read. Every method that reads raises DatError for
    what it finds damaged, or changed since it was opened. Safe to use from several threads. Use as a context
    manager, or call ``close``.
    """

    def __init__(self, data: bytes | StoredBytes, name: str) -> None:
        self.name = name
        self._stored: StoredBytes = MemoryBytes(data) if isinstance(data, bytes) else data
        self.header = self._read_header()
        self.tree = BTree(self.header.root, self._read_node, name)
        self._budget = BlockBudget(self.size)

    @classmethod
    def open(cls, path: str | PathLike[str]) -> DatFile:
        """Open a file for reading."""
        name = fspath(path)
        try:
            stored = FileBytes(name)
        except OSError as error:
            raise DatError(name, None, None, f"can't be opened: {error.strerror or error}") from error
        try:
            return cls(stored, name)
        except DatError:
            stored.close()
            raise

    def close(self) -> None:
        """Let go of the file; nothing can be read afterwards."""
        self.tree.forget()
        self._stored.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def is_replaced(self) -> bool:
        """Whether another file has its name by now, or none: this one is read all the same."""
        return self._stored.is_replaced()

    @property
    def kind(self) -> DatKind:
        """Which of the game's files this is. Raises DatError for an unknown data set."""
        kind = self.header.kind
        if kind is None:
            reason = f"data set {self.header.data_set}, subset 0x{self.header.subset:X}: not a game file"
            raise self._error(HEADER_OFFSET + 0xC, reason)
        return kind

    @property
    def size(self) -> int:
        """The file's size in bytes."""
        return self._stored.size

    def __contains__(self, object_id: int) -> bool:
        return self.entry(object_id) is not None

    def entry(self, object_id: int) -> DatEntry | None:
        """The directory entry of an id, None when the file has no such object."""
        return self.tree.entry(object_id)

    def entries(
        self, first: int = 0, last: int = 0xFFFFFFFF, skipped: Skipped | None = None
    ) -> Iterator[DatEntry]:
        """The entries with ids from ``first`` to ``last``, ascending.

        A damaged part of the B-tree is told to ``skipped`` and passed over; without it, DatError is raised.
        """
        return self.tree.entries(first, last, skipped)

    def levels(self) -> tuple[TreeLevel, ...]:
        """The shape of the B-tree from the root down; reads every node."""
        return self.tree.levels()

    def read(self, object_id: int) -> bytes:
        """The bytes of an object's record, decompressed. Raises DatError when there is none."""
        entry = self.entry(object_id)
        if entry is None:
            raise DatError(self.name, object_id, None, "there is no such object")
        return self.read_entry(entry)

    def read_entry(self, entry: DatEntry) -> bytes:
        """The bytes of the record an entry points at, decompressed."""
        data = self._chain(entry.offset, entry.size, entry.id)
        if not entry.flags & COMPRESSED:
            return data
        out = self._decompress(data, entry)
        times = MOST_TIMES if self._is_large(entry) else USUAL_TIMES
        self._budget.add(entry.id, entry.offset, len(out) // times)
        return out

    def _error(self, offset: int | None, reason: str) -> DatError:
        return DatError(self.name, None, offset, reason)

    def _read_header(self) -> DatHeader:
        if self.size < HEADER_END:
            raise self._error(self.size, "the file is too short for a dat's header")
        magic, *rest = HEADER.unpack(self._stored.read(HEADER_OFFSET, HEADER.size))
        if magic != MAGIC:
            raise self._error(HEADER_OFFSET, f"no dat file: magic {hex_id(magic)} instead of {hex_id(MAGIC)}")
        header = DatHeader(*rest)
        if header.block_size < 8 or header.block_size % 4:
            raise self._error(HEADER_OFFSET + 4, f"a block size of {header.block_size} bytes")
        return header

    def _read_node(self, offset: int) -> bytes:
        return self._chain(offset, NODE_SIZE, None)

    def blocks(self, offset: int, size: int, object_id: int | None = None) -> Iterator[int]:
        """The offsets of the blocks that hold ``size`` payload bytes from a first one on (dat-format 1.4).

        Raises DatError where the chain leaves the file, enters a free block or runs in circles, and where
        objects were read that share their blocks over and over. What the last block points at is not looked
        at: a shorter record may have taken a longer one's place.
        """
        for block, _ in self._walk(offset, size, object_id):
            yield block

    def _walk(self, offset: int, size: int, object_id: int | None) -> Iterator[tuple[int, bytes]]:
        """The blocks as ``blocks``, each with what it holds of the payload."""
        if size > self.size:
            raise DatError(self.name, object_id, offset, f"a record of {size} bytes in a file of {self.size}")
        seen: set[int] = set()
        if object_id is None:
            yield from self._chained(offset, size, None, seen)
            return
        if not self._budget.has_room(object_id, offset):
            reason = "it isn't read: records share so many blocks that all together are longer than the file"
            raise DatError(self.name, object_id, offset, reason)
        try:
            yield from self._chained(offset, size, object_id, seen)
        finally:
            self._budget.add(object_id, offset, len(seen) * self.header.block_size)

    def _chained(
        self, offset: int, size: int, object_id: int | None, seen: set[int]
    ) -> Iterator[tuple[int, bytes]]:
        """The blocks of a chain, which mostly lie one behind the other.

        As many are read at once as that seems to hold for.
        """
        end, step = self.size, self.header.block_size
        payload, missing = step - 4, size
        window, start, ahead, run = b"", 0, -(-size // payload), 0
        while True:
            held = min(payload, missing)
            if offset < HEADER_END or offset + 4 + held > end:
                reason = f"no block of the file lies here, {missing} bytes missing"
                raise DatError(self.name, object_id, offset, reason)
            if offset in seen:
                raise DatError(self.name, object_id, offset, "the chain of blocks runs in circles")
            seen.add(offset)
            at = offset - start
            if at < 0 or at + 4 + held > len(window):
                if window:
                    ahead = min(2 * run, -(-missing // payload))
                window = self._stored.read(offset, max(4 + held, min(ahead * step, MOST_AHEAD)))
                start, at, run = offset, 0, 0
            run += 1
            yield offset, window[at + 4 : at + 4 + held]
            missing -= payload
            if missing <= 0:
                return
            following: int = _U32.unpack_from(window, at)[0]
            if following & FREE_BLOCK and self._marks_free_blocks:
                reason = f"the block is a free one, {missing} bytes missing"
                raise DatError(self.name, object_id, offset, reason)
            offset = following

    def free_blocks(self) -> Iterator[int]:
        """The offsets in the list of free blocks. Raises DatError where it leaves the file or circles."""
        offset = self.header.first_free
        seen: set[int] = set()
        while offset:
            if offset < HEADER_END or offset + 4 > self.size:
                raise self._error(offset, "the list of free blocks leads out of the file")
            if offset in seen:
                raise self._error(offset, "the list of free blocks runs in circles")
            seen.add(offset)
            yield offset
            offset = _U32.unpack(self._stored.read(offset, 4))[0] & ~FREE_BLOCK

    def _chain(self, offset: int, size: int, object_id: int | None) -> bytes:
        try:
            data = b"".join([held for _, held in self._walk(offset, size, object_id)])
        except DatError:
            self._stored.verify()  # damage, or another file by now
            raise
        self._stored.verify()
        return data

    @property
    def _marks_free_blocks(self) -> bool:
        """Whether bit 31 of a next pointer is a mark; beyond 2 GiB, without a free list, it is part of it."""
        return self.size <= FREE_BLOCK or self.header.free_count > 0 or self.header.first_free > 0

    def _is_large(self, entry: DatEntry) -> bool:
        return self.header.kind is not DatKind.CELL and entry.id >> 24 in LARGE_TYPES

    def _decompress(self, data: bytes, entry: DatEntry) -> bytes:
        if len(data) < 4:
            raise DatError(self.name, entry.id, 0, "a compressed record without its size")
        size: int = _U32.unpack_from(data)[0]
        is_large = self._is_large(entry)
        times = size / len(data) if size > TIMES_FROM and not is_large else 1.0
        if size > (MAX_UNCOMPRESSED if is_large else MAX_OF_OTHERS) or times > MOST_TIMES:
            raise DatError(
                self.name, entry.id, 0, f"a compressed record of {len(data)} bytes says it holds {size}"
            )
        stream = zlib.decompressobj()
        try:
            out = stream.decompress(data[4:], size + 1)
        except zlib.error as error:
            raise DatError(self.name, entry.id, 4, f"can't be decompressed: {error}") from error
        if len(out) != size or not stream.eof:
            raise DatError(self.name, entry.id, 0, f"decompression does not give the {size} bytes announced")
        return out

"""Reading the container of a dat: header, block chains and B-tree (dat-format 1)."""

from __future__ import annotations

import mmap
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from struct import Struct
from threading import Lock
from types import TracebackType
from typing import Self

from engine.dat.errors import DatError
from engine.dat.ids import HIGHRES_SUBSET, DatKind

HEADER_OFFSET, HEADER_END = 0x140, 0x190
# The use-LRU boolean is one byte; what pads it is garbage in shipped files.
HEADER = Struct("<11IB3x3I16sI")
MAGIC = 0x5442
NODE_SIZE, MAX_ENTRIES, BRANCHES = 1716, 61, 62
ENTRY = Struct("<HHIIIII")
COMPRESSED = 1
# An unused slot of a debug build's memory; in branch 0 it marks a leaf just as 0 does.
UNUSED_SLOTS = (0, 0xCDCDCDCD)
FREE_BLOCK = 0x80000000
NODES_KEPT = 4096
# Five levels hold 62**5 entries, more than 2 GiB of blocks can; the rest is a damaged tree.
MAX_LEVELS = 12
MAX_UNCOMPRESSED = 1 << 28

_BRANCHES = Struct("<62I")
_U32 = Struct("<I")


@dataclass(frozen=True, slots=True)
class DatHeader:
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


@dataclass(frozen=True, slots=True)
class DatEntry:
    """A directory entry: where a record is stored, ``size`` as stored, ``date`` in seconds since 1970."""

    flags: int
    version: int
    id: int
    offset: int
    size: int
    date: int
    iteration: int


@dataclass(frozen=True, slots=True)
class TreeLevel:
    """How many nodes and entries one level of the B-tree has."""

    level: int
    nodes: int
    entries: int


@dataclass(frozen=True, slots=True)
class _Node:
    entries: tuple[DatEntry, ...]
    children: tuple[int, ...]


class DatFile:
    """A dat file, memory-mapped; opening reads nothing but the header.

    Entries are looked up through the B-tree on demand and its nodes cached. Every method that reads
    raises DatError for what it finds damaged. Safe to use from several threads. Use as a context manager,
    or call ``close``.
    """

    def __init__(self, data: bytes | mmap.mmap, name: str) -> None:
        self.name = name
        self._data = data
        self._nodes: OrderedDict[int, _Node] = OrderedDict()
        self._lock = Lock()
        self.header = self._read_header()

    @classmethod
    def open(cls, path: str | PathLike[str]) -> DatFile:
        """Open a file for reading."""
        name = fspath(path)
        try:
            with open(name, "rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise DatError(name, None, None, f"can't be opened: {reason}") from error
        try:
            return cls(data, name)
        except DatError:
            data.close()
            raise

    def close(self) -> None:
        """Let go of the file; nothing can be read afterwards."""
        self._nodes.clear()
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def kind(self) -> DatKind:
        """Which of the game's files this is. Raises DatError for an unknown data set."""
        kind = self.header.kind
        if kind is None:
            reason = f"data set {self.header.data_set}, subset 0x{self.header.subset:X}: not a game file"
            raise self._error(HEADER_OFFSET + 0xC, reason)
        return kind

    def __contains__(self, object_id: int) -> bool:
        return self.entry(object_id) is not None

    def entry(self, object_id: int) -> DatEntry | None:
        """The directory entry of an id, None when the file has no such object."""
        offset = self.header.root
        for _ in range(MAX_LEVELS):
            node = self._node(offset)
            index = _first_not_below(node.entries, object_id)
            if index < len(node.entries) and node.entries[index].id == object_id:
                return node.entries[index]
            if not node.children:
                return None
            offset = node.children[index]
        raise self._error(offset, f"the B-tree is deeper than {MAX_LEVELS} levels")

    def entries(self, first: int = 0, last: int = 0xFFFFFFFF) -> Iterator[DatEntry]:
        """The entries with ids from ``first`` to ``last`` in the tree's order.

        Walks only subtrees that can meet the range. Raises DatError where ids do not ascend or a node is
        met twice.
        """
        seen: set[int] = set()
        previous = -1
        stack: list[tuple[_Node, int]] = [(self._fresh_node(self.header.root, seen, 0), 0)]
        # Each item is a node and the step to take next: even steps enter a child, odd ones yield an entry.
        stack[0] = (stack[0][0], 2 * _first_not_below(stack[0][0].entries, first))
        while stack:
            node, step = stack.pop()
            index = step // 2
            if step % 2 == 0:
                stack.append((node, step + 1))
                if node.children:
                    child = self._fresh_node(node.children[index], seen, len(stack))
                    stack.append((child, 2 * _first_not_below(child.entries, first)))
            elif index < len(node.entries):
                entry = node.entries[index]
                if entry.id > last:
                    return
                if entry.id <= previous:
                    raise self._error(None, f"0x{entry.id:08X} comes after 0x{previous:08X} in the B-tree")
                previous = entry.id
                yield entry
                stack.append((node, step + 1))

    def read(self, object_id: int) -> bytes:
        """The bytes of an object's record, decompressed. Raises DatError when there is none."""
        entry = self.entry(object_id)
        if entry is None:
            raise DatError(self.name, object_id, None, "there is no such object")
        return self.read_entry(entry)

    def read_entry(self, entry: DatEntry) -> bytes:
        """The bytes of the record an entry points at, decompressed."""
        data = self._chain(entry.offset, entry.size, entry.id)
        return self._decompress(data, entry) if entry.flags & COMPRESSED else data

    def levels(self) -> tuple[TreeLevel, ...]:
        """The shape of the B-tree from the root down; reads every node."""
        out: list[TreeLevel] = []
        seen: set[int] = set()
        level = [self.header.root]
        while level:
            nodes = [self._fresh_node(offset, seen, len(out)) for offset in level]
            out.append(TreeLevel(len(out), len(nodes), sum(len(node.entries) for node in nodes)))
            level = [child for node in nodes for child in node.children]
        return tuple(out)

    def _error(self, offset: int | None, reason: str) -> DatError:
        return DatError(self.name, None, offset, reason)

    def _read_header(self) -> DatHeader:
        if len(self._data) < HEADER_END:
            raise self._error(len(self._data), "the file is too short for a dat's header")
        magic, *rest = HEADER.unpack_from(self._data, HEADER_OFFSET)
        if magic != MAGIC:
            raise self._error(HEADER_OFFSET, f"no dat file: magic 0x{magic:08X} instead of 0x{MAGIC:08X}")
        header = DatHeader(*rest)
        if header.block_size < 8 or header.block_size % 4:
            raise self._error(HEADER_OFFSET + 4, f"a block size of {header.block_size} bytes")
        return header

    def _chain(self, offset: int, size: int, object_id: int | None) -> bytes:
        """``size`` payload bytes of the chain of blocks at ``offset`` (dat-format 1.4)."""
        payload = self.header.block_size - 4
        data, end = self._data, len(self._data)
        if size > end:
            raise DatError(self.name, object_id, offset, f"a record of {size} bytes in a file of {end}")
        parts: list[bytes] = []
        missing = size
        # A chain has at most size / payload blocks, so one that runs in circles ends all the same.
        while True:
            take = min(payload, missing)
            if offset & FREE_BLOCK or offset < HEADER_END or offset + 4 + take > end:
                raise DatError(
                    self.name, object_id, offset, f"no block of the file lies here, {missing} bytes missing"
                )
            parts.append(data[offset + 4 : offset + 4 + take])
            missing -= take
            if not missing:
                return b"".join(parts)
            offset = _U32.unpack_from(data, offset)[0]

    def _decompress(self, data: bytes, entry: DatEntry) -> bytes:
        if len(data) < 4:
            raise DatError(self.name, entry.id, 0, "a compressed record without its size")
        size: int = _U32.unpack_from(data)[0]
        if size > MAX_UNCOMPRESSED:
            raise DatError(self.name, entry.id, 0, f"a compressed record says it holds {size} bytes")
        stream = zlib.decompressobj()
        try:
            out = stream.decompress(data[4:], size + 1)
        except zlib.error as error:
            raise DatError(self.name, entry.id, 4, f"can't be decompressed: {error}") from error
        if len(out) != size or not stream.eof:
            raise DatError(self.name, entry.id, 0, f"decompression does not give the {size} bytes announced")
        return out

    def _node(self, offset: int) -> _Node:
        with self._lock:
            node = self._nodes.get(offset)
            if node is None:
                node = self._nodes[offset] = self._read_node(offset)
                if len(self._nodes) > NODES_KEPT:
                    self._nodes.popitem(last=False)
            self._nodes.move_to_end(offset)
            return node

    def _fresh_node(self, offset: int, seen: set[int], depth: int) -> _Node:
        """A node that was not met before on the same walk."""
        if offset in seen:
            raise self._error(offset, "the B-tree leads to the same node twice")
        if depth >= MAX_LEVELS:
            raise self._error(offset, f"the B-tree is deeper than {MAX_LEVELS} levels")
        seen.add(offset)
        return self._node(offset)

    def _read_node(self, offset: int) -> _Node:
        data = self._chain(offset, NODE_SIZE, None)
        count: int = _U32.unpack_from(data, 4 * BRANCHES)[0]
        if count > MAX_ENTRIES:
            raise self._error(offset, f"a B-tree node with {count} entries")
        first = 4 * BRANCHES + 4
        entries = tuple(
            DatEntry(*ENTRY.unpack_from(data, first + ENTRY.size * index)) for index in range(count)
        )
        branches: tuple[int, ...] = _BRANCHES.unpack_from(data)
        children = () if branches[0] in UNUSED_SLOTS else branches[: count + 1]
        return _Node(entries, children)


def _first_not_below(entries: tuple[DatEntry, ...], object_id: int) -> int:
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        if entries[middle].id < object_id:
            low = middle + 1
        else:
            high = middle
    return low

"""The directory of a dat: a B-tree of entries, read node by node when needed (dat-format 1.5, 1.6)."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import pairwise
from struct import Struct
from threading import Lock

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple

NODE_SIZE, MAX_ENTRIES, BRANCHES = 1716, 61, 62
ENTRY = Struct("<HHIIIII")
# An unused slot of a debug build's memory; in branch 0 it marks a leaf just as 0 does.
UNUSED_SLOTS = (0, 0xCDCDCDCD)
# Five levels hold 62**5 entries, more than 4 GiB of blocks can; the rest is a damaged tree.
MAX_LEVELS = 12
NODES_KEPT = 1024

_BRANCHES = Struct(f"<{BRANCHES}I")
_COUNT = Struct("<I")
_FIRST_ENTRY = _BRANCHES.size + _COUNT.size


class DatEntry(NamedTuple):
    """A directory entry: where a record is stored, ``size`` as stored, ``date`` in seconds since 1970."""

    flags: int
    version: int
    id: int
    offset: int
    size: int
    date: int
    iteration: int


class TreeLevel(NamedTuple):
    """How many nodes and entries one level of the B-tree has."""

    level: int
    nodes: int
    entries: int


class Node(NamedTuple):
    """A node: its entries' ids, the entries as they are stored, and its children's offsets (none: a leaf)."""

    ids: tuple[int, ...]
    stored: bytes
    children: tuple[int, ...]

    def entry(self, index: int) -> DatEntry:
        """One of its entries."""
        return DatEntry._make(ENTRY.unpack_from(self.stored, ENTRY.size * index))


Skipped = Callable[[DatError], None]


class _Walk(NamedTuple):
    """A walk over the ids of a range: what to do with damaged subtrees, and the nodes met so far."""

    first: int
    last: int
    skipped: Skipped | None
    seen: set[int]


class BTree:
    """The B-tree below ``root``; ``read`` gives the NODE_SIZE bytes of the node at an offset.

    Nodes are read when they are needed and the last of them kept. Every method raises DatError, naming
    ``file``, for what it finds damaged. Safe to use from several threads.
    """

    def __init__(self, root: int, read: Callable[[int], bytes], file: str) -> None:
        self.root = root
        self._read = read
        self._file = file
        self._kept: OrderedDict[int, Node] = OrderedDict()
        self._lock = Lock()

    def entry(self, object_id: int) -> DatEntry | None:
        """The entry of an id, None when there is none; reads one node a level."""
        offset = self.root
        for _ in range(MAX_LEVELS):
            node = self.node(offset)
            index = bisect_left(node.ids, object_id)
            if index < len(node.ids) and node.ids[index] == object_id:
                return node.entry(index)
            if not node.children:
                return None
            offset = node.children[index]
        raise self._too_deep(offset)

    def entries(self, first: int, last: int, skipped: Skipped | None = None) -> Iterator[DatEntry]:
        """The entries with ids from ``first`` to ``last``, ascending.

        Walks only subtrees that can meet the range. A damaged subtree, one met before or with ids that do
        not ascend included, is told to ``skipped`` and passed over; without it, DatError is raised.
        """
        return self._walk(self.root, _Walk(first, last, skipped, set()), after=-1, before=1 << 32, depth=0)

    def levels(self) -> tuple[TreeLevel, ...]:
        """The shape of the tree from the root down; reads every node."""
        out: list[TreeLevel] = []
        seen: set[int] = set()
        level = [self.root]
        while level:
            entries = 0
            below: list[int] = []
            for offset in level:
                node = self._fresh_node(offset, seen, len(out))
                entries += len(node.ids)
                below += node.children
            out.append(TreeLevel(len(out), len(level), entries))
            level = below
        return tuple(out)

    def node(self, offset: int) -> Node:
        """The node at an offset of the file."""
        with self._lock:
            node = self._kept.get(offset)
            if node is None:
                node = self._kept[offset] = self._parse(offset)
                if len(self._kept) > NODES_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(offset)
            return node

    def forget(self) -> None:
        """Let go of the nodes that are kept."""
        with self._lock:
            self._kept.clear()

    def _walk(self, offset: int, walk: _Walk, *, after: int, before: int, depth: int) -> Iterator[DatEntry]:
        """The wanted entries of a subtree whose ids must lie between two others."""
        try:
            node = self._fresh_node(offset, walk.seen, depth)
            fences = (after, *node.ids, before)
            for low, high in pairwise(fences):
                if low >= high:
                    reason = f"{hex_id(high)} comes after {hex_id(low)} in the B-tree"
                    raise DatError(self._file, None, offset, reason)
        except DatError as error:
            if walk.skipped is None:
                raise
            walk.skipped(error)
            return
        for index in range(bisect_left(node.ids, walk.first), len(node.ids) + 1):
            if node.children:
                yield from self._walk(
                    node.children[index], walk, after=fences[index], before=fences[index + 1], depth=depth + 1
                )
            if index == len(node.ids) or node.ids[index] > walk.last:
                return
            yield node.entry(index)

    def _fresh_node(self, offset: int, seen: set[int], depth: int) -> Node:
        """A node that was not met before on the same walk."""
        if offset in seen:
            raise DatError(self._file, None, offset, "the B-tree leads to the same node twice")
        if depth >= MAX_LEVELS:
            raise self._too_deep(offset)
        seen.add(offset)
        return self.node(offset)

    def _too_deep(self, offset: int) -> DatError:
        return DatError(self._file, None, offset, f"the B-tree is deeper than {MAX_LEVELS} levels")

    def _parse(self, offset: int) -> Node:
        data = self._read(offset)
        count: int = _COUNT.unpack_from(data, _BRANCHES.size)[0]
        if count > MAX_ENTRIES:
            raise DatError(self._file, None, offset, f"a B-tree node with {count} entries")
        stored = data[_FIRST_ENTRY : _FIRST_ENTRY + ENTRY.size * count]
        ids = tuple([row[2] for row in ENTRY.iter_unpack(stored)])
        branches: tuple[int, ...] = _BRANCHES.unpack_from(data)
        children = () if branches[0] in UNUSED_SLOTS else branches[: count + 1]
        return Node(ids, stored, children)

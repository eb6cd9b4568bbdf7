"""BSP trees as records store them (dat-format 3.8): one node type, three kinds of tree."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from struct import Struct

from engine.dat.primitives import FOUR, Reader, Writer
from engine.dat.values import Plane, Sphere, whole
from engine.named_tuple import NamedTuple


class TreeKind(Enum):
    """Which of the three trees is stored: each keeps other fields in its nodes."""

    CELL = "cell"
    PHYSICS = "physics"
    DRAWING = "drawing"


# Shipped physics trees stay below 512, and collision recurses into them; the others are only chains.
MAX_DEPTH = {TreeKind.CELL: 4096, TreeKind.PHYSICS: 512, TreeKind.DRAWING: 4096}


KNOWN_TAGS = frozenset(
    ("LEAF", "PORT", "BPnn", "BPIn", "BpIN", "BpnN", "BPIN", "BPnN", "BPOL", "BPFL", "BpIn", "Bpnn")
)
_WITH_POS_CHILD = frozenset(("PORT", "BPnn", "BPIn", "BPIN", "BPnN"))
_WITH_NEG_CHILD = frozenset(("PORT", "BpIN", "BpnN", "BPIN", "BPnN"))
_STORED_TAGS = {tag[::-1].encode(): tag for tag in KNOWN_TAGS}  # the letters stand reversed

NODE_FIELDS = ("tag", "leaf_index", "solid", "plane", "pos_child", "neg_child", "sphere", "polys", "portals")
"""A node's fields as files store them."""

_PHYSICS_LEAF, _DRAWING_TAIL, _PORT_TAIL = Struct("<ii4fI"), Struct("<4fI"), Struct("<4fII")


class PortalRef(NamedTuple):
    """A PORT node's opening: a drawing polygon's key and an index into the building's portals."""

    polygon: int
    portal: int


class BspNode(NamedTuple):
    """A node of a cell, physics or drawing tree; fields that its kind does not store are None.

    ``tag`` is the four letters as one speaks them ("BPnN"). The plane of a BPOL is uninitialised in
    shipped files; that of a BPFL is real. ``polys`` are polygon keys, of the physics polygons in a
    physics tree, else of the drawing polygons.
    """

    tag: str
    plane: Plane | None = None
    pos_child: BspNode | None = None
    neg_child: BspNode | None = None
    sphere: Sphere | None = None
    polys: tuple[int, ...] | None = None
    portals: tuple[PortalRef, ...] | None = None
    leaf_index: int | None = None
    solid: int | None = None

    def walk(self) -> Iterator[BspNode]:
        """This node and all below it, parents first, positive side before negative."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            if node.neg_child is not None:
                todo.append(node.neg_child)
            if node.pos_child is not None:
                todo.append(node.pos_child)


def has_pos_child(tag: str) -> bool:
    """Whether a node of that tag stores a positive child."""
    return tag in _WITH_POS_CHILD


def has_neg_child(tag: str) -> bool:
    """Whether a node of that tag stores a negative child."""
    return tag in _WITH_NEG_CHILD


class _Open:
    """An inner node whose children are still being read."""

    __slots__ = ("neg", "plane", "pos", "tag", "wants_neg", "wants_pos")

    def __init__(self, tag: str, plane: Plane) -> None:
        self.tag = tag
        self.plane = plane
        self.pos: BspNode | None = None
        self.neg: BspNode | None = None
        self.wants_pos = tag in _WITH_POS_CHILD
        self.wants_neg = tag in _WITH_NEG_CHILD


def read_bsp(reader: Reader, kind: TreeKind) -> BspNode:
    """A whole tree.

    An unknown tag of four letters is read as the client does, as a childless plane node; anything else
    raises DatError, as do a PORT outside a drawing tree and a tree deeper than MAX_DEPTH.
    """
    stack: list[_Open] = []
    deepest = MAX_DEPTH[kind]
    while True:
        if len(stack) >= deepest:
            reader.fail(f"the {kind.value} tree is deeper than {deepest} nodes")
        tag = _read_tag(reader, kind)
        if tag == "LEAF":
            done = _read_leaf(reader, kind)
        else:
            x, y, z, d = reader.unpack(FOUR)
            node = _Open(tag, whole(Plane, ((x, y, z), d)))
            if node.wants_pos or node.wants_neg:
                stack.append(node)
                continue
            done = _close(reader, kind, node)
        while stack:
            parent = stack[-1]
            if parent.wants_pos and parent.pos is None:
                parent.pos = done
                if parent.wants_neg:
                    break
            else:
                parent.neg = done
            done = _close(reader, kind, stack.pop())
        else:
            return done


def write_bsp(writer: Writer, root: BspNode, kind: TreeKind) -> None:
    """A whole tree; every node must hold what its tag and the tree's kind store."""
    todo: list[tuple[BspNode, bool]] = [(root, False)]
    while todo:
        node, children_done = todo.pop()
        if children_done:
            _write_tail(writer, node, kind)
            continue
        tag = node.tag
        writer.raw(_tag_bytes(writer, tag))
        if tag == "LEAF":
            _write_leaf(writer, node, kind)
            continue
        writer.require(tag != "PORT" or kind is TreeKind.DRAWING, "a PORT outside a drawing tree")
        writer.plane(writer.need(node.plane, f"{tag} without a plane"))
        writer.require((node.pos_child is not None) == has_pos_child(tag), f"{tag}: positive child")
        writer.require((node.neg_child is not None) == has_neg_child(tag), f"{tag}: negative child")
        todo.append((node, True))
        todo.extend((child, False) for child in (node.neg_child, node.pos_child) if child is not None)


def _read_tag(reader: Reader, kind: TreeKind) -> str:
    offset = reader.pos
    tag = _STORED_TAGS.get(reader.data[offset : offset + 4])
    if tag is None:
        letters = reader.raw(4)
        if not letters.isalpha():
            reader.fail(f"{letters.hex(' ')} is no tree node's tag", offset)
        return letters[::-1].decode("ascii")
    reader.pos = offset + 4
    if tag == "PORT" and kind is not TreeKind.DRAWING:
        reader.fail(f"a PORT node in a {kind.value} tree", offset)
    return tag


def _tag_bytes(writer: Writer, tag: str) -> bytes:
    data = tag.encode("ascii", "replace")
    writer.require(len(data) == 4 and data.isalpha(), f"{tag!r} is no tree node's tag")
    return data[::-1]


def _read_leaf(reader: Reader, kind: TreeKind) -> BspNode:
    if kind is not TreeKind.PHYSICS:
        return whole(BspNode, ("LEAF", None, None, None, None, None, None, reader.i32(), None))
    index, solid, x, y, z, radius, count = reader.unpack(_PHYSICS_LEAF)
    polys = reader.array("H", count)
    sphere = whole(Sphere, ((x, y, z), radius))
    return whole(BspNode, ("LEAF", None, None, None, sphere, polys, None, index, solid))


def _write_leaf(writer: Writer, node: BspNode, kind: TreeKind) -> None:
    writer.i32(writer.need(node.leaf_index, "LEAF without an index"))
    if kind is TreeKind.PHYSICS:
        writer.i32(writer.need(node.solid, "LEAF of a physics tree without solid"))
        writer.sphere(writer.need(node.sphere, "LEAF of a physics tree without a sphere"))
        polys = writer.need(node.polys, "LEAF of a physics tree without a polygon list")
        writer.u32(len(polys))
        writer.array("H", polys)


def _close(reader: Reader, kind: TreeKind, node: _Open) -> BspNode:
    """What follows a node's children: sphere and lists, by the tree's kind."""
    sphere: Sphere | None = None
    polys: tuple[int, ...] | None = None
    portals: tuple[PortalRef, ...] | None = None
    if kind is TreeKind.DRAWING:
        if node.tag == "PORT":
            x, y, z, radius, count, portal_count = reader.unpack(_PORT_TAIL)
            polys = reader.array("H", count)
            flat = reader.array("H", 2 * portal_count)
            portals = tuple(PortalRef(*pair) for pair in zip(flat[::2], flat[1::2], strict=True))
        else:
            x, y, z, radius, count = reader.unpack(_DRAWING_TAIL)
            polys = reader.array("H", count)
        sphere = whole(Sphere, ((x, y, z), radius))
    elif kind is TreeKind.PHYSICS:
        x, y, z, radius = reader.unpack(FOUR)
        sphere = whole(Sphere, ((x, y, z), radius))
    row = (node.tag, node.plane, node.pos, node.neg, sphere, polys, portals, None, None)
    return whole(BspNode, row)


def _write_tail(writer: Writer, node: BspNode, kind: TreeKind) -> None:
    if kind is TreeKind.CELL:
        return
    writer.sphere(writer.need(node.sphere, f"{node.tag} without a sphere"))
    if kind is TreeKind.PHYSICS:
        return
    polys = writer.need(node.polys, f"{node.tag} of a drawing tree without a polygon list")
    writer.u32(len(polys))
    if node.tag != "PORT":
        writer.array("H", polys)
        return
    portals = writer.need(node.portals, "PORT without a portal list")
    writer.u32(len(portals))
    writer.array("H", polys)
    writer.array("H", [value for ref in portals for value in (ref.polygon, ref.portal)])

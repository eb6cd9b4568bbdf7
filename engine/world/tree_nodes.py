"""What each node of a tree holds, and which node a ray meets first (views 8.2 no. 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.dat.pieces import bsp_record
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.bsp import BspNode
from engine.world.cells import EnvCell
from engine.world.debug_shapes import DebugShapes, Rgba, cell_tree_faces
from engine.world.frame import Frame
from engine.world.ids import rebase

HIGHLIGHT: Final[Rgba] = (1.0, 1.0, 1.0, 1.0)
_FACE_ALPHA: Final = 0.25
_PARALLEL: Final = 1e-9

Face = tuple[Vec3, ...]


class TreeNode(NamedTuple):
    """One node: a name such as ``leaf 3`` and the faces it holds, in the block frame of its tree's cell."""

    name: str
    faces: tuple[Face, ...]


class NamedTree(NamedTuple):
    """The nodes of one tree; ``cell_id`` is the cell, or a cell of the block, that they are placed in."""

    cell_id: int
    nodes: tuple[TreeNode, ...]


class Pointed(NamedTuple):
    """A node that a ray meets: where, in the block frame of ``cell_id``, and how far along the ray."""

    cell_id: int
    node: TreeNode
    distance: float
    at: Vec3


def physics_nodes(root: BspNode, frame: Frame, scale: float = 1.0) -> tuple[TreeNode, ...]:
    """The leaves of a physics tree that hold polygons, by their number in the file."""
    out: list[TreeNode] = []
    todo = [root]
    while todo:
        node = todo.pop()
        if node.polygons:
            faces = tuple(_placed(p.vertices, frame, scale) for p in node.polygons)
            out.append(TreeNode(f"leaf {node.index}", faces))
        todo += [child for child in (node.neg, node.pos) if child is not None]
    return tuple(out)


def drawing_nodes(
    root: bsp_record.BspNode, polygons: Mapping[int, Sequence[Vec3]], frame: Frame
) -> tuple[TreeNode, ...]:
    """The nodes of a drawing tree that hold polygons or openings, numbered from the root down."""
    out: list[TreeNode] = []
    for index, node in enumerate(root.walk()):
        keys = [*(node.polys or ()), *(ref.polygon for ref in node.portals or ())]
        faces = tuple(_placed(polygons[key], frame) for key in keys if key in polygons)
        if faces:
            out.append(TreeNode(f"node {index}", faces))
    return tuple(out)


def containment_nodes(cell: EnvCell) -> tuple[TreeNode, ...]:
    """The planes of a cell's containment chain, each with the face that it bounds the cell by."""
    return tuple(
        TreeNode(f"plane {k}", (_placed(face, cell.frame),))
        for k, face in enumerate(cell_tree_faces(cell))
        if face
    )


def first_met(trees: Iterable[NamedTree], eye: Vec3, direction: Vec3, eye_cell: int) -> Pointed | None:
    """The node whose face a ray meets first, None where it meets none.

    ``eye`` is in the block frame of ``eye_cell``; distances are in lengths of ``direction``.
    """
    best: Pointed | None = None
    for cell_id, nodes in trees:
        start = rebase(eye, eye_cell, cell_id)
        for node in nodes:
            for face in node.faces:
                t = ray_to_face(start, direction, face)
                if t is not None and (best is None or t < best.distance):
                    at = (
                        start[0] + t * direction[0],
                        start[1] + t * direction[1],
                        start[2] + t * direction[2],
                    )
                    best = Pointed(cell_id, node, t, at)
    return best


def pointed_shapes(out: DebugShapes, pointed: Pointed) -> None:
    """A node picked out in white, with its name where the ray met it."""
    for face in pointed.node.faces:
        corners = out.rebased(face, pointed.cell_id)
        out.fan(corners, (*HIGHLIGHT[:3], _FACE_ALPHA))
        out.outline(corners, HIGHLIGHT)
    at = out.rebased([pointed.at], pointed.cell_id)[0]
    out.label(at, f"{pointed.cell_id & 0xFFFF:04X} {pointed.node.name}", HIGHLIGHT)


def ray_to_face(start: Vec3, direction: Vec3, face: Sequence[Vec3]) -> float | None:
    """Where a ray meets a convex polygon from either side, in lengths of ``direction``; None for a miss."""
    if len(face) < 3:
        return None
    x, y, z = start
    dx, dy, dz = direction
    side = 0
    # The ray passes within where it turns the same way about every edge (Plücker products).
    for k, (bx, by, bz) in enumerate(face):
        ax, ay, az = face[k - 1]
        ax, ay, az, cx, cy, cz = ax - x, ay - y, az - z, bx - x, by - y, bz - z
        turn = dx * (ay * cz - az * cy) + dy * (az * cx - ax * cz) + dz * (ax * cy - ay * cx)
        if abs(turn) > _PARALLEL:
            if side * turn < 0.0:
                return None
            side = 1 if turn > 0.0 else -1
    nx = ny = nz = 0.0
    ax, ay, az = face[0]
    for k in range(1, len(face) - 1):
        bx, by, bz = face[k][0] - ax, face[k][1] - ay, face[k][2] - az
        cx, cy, cz = face[k + 1][0] - ax, face[k + 1][1] - ay, face[k + 1][2] - az
        nx += by * cz - bz * cy
        ny += bz * cx - bx * cz
        nz += bx * cy - by * cx
    along = nx * dx + ny * dy + nz * dz
    if abs(along) < _PARALLEL:
        return None
    t = (nx * (ax - x) + ny * (ay - y) + nz * (az - z)) / along
    return t if t > 0.0 else None


def _placed(corners: Sequence[Vec3], frame: Frame, scale: float = 1.0) -> Face:
    return tuple(frame.to_global((x * scale, y * scale, z * scale)) for x, y, z in corners)

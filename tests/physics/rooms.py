"""Polygons, trees and cells made by hand, for rooms and ground in memory."""

from __future__ import annotations

from engine.dat.pieces import geometry
from engine.dat.pieces.build_trees import build_physics_tree
from engine.world.bsp import BspNode, CellTree, leaf_node
from engine.world.cells import CellStructure, EnvCell, Landblock, LandCell, Portal
from engine.world.frame import Frame
from engine.world.ids import EXIT_CELL
from engine.world.loading.trees import physics_tree
from engine.world.polygon import Polygon, bounding_sphere

ROOM = 0xA9B40100


def quad(polygon_id, *vertices):
    return Polygon(polygon_id, vertices)


def floor(x0, x1, z, *, polygon_id=0, y=20.0):
    return quad(polygon_id, (x0, -y, z), (x1, -y, z), (x1, y, z), (x0, y, z))


def box_polygons(low, high, first_id=0):
    """The six outward faces of a box."""
    (ax, ay, az), (bx, by, bz) = low, high
    faces = [
        [(ax, ay, az), (ax, ay, bz), (ax, by, bz), (ax, by, az)],
        [(bx, ay, az), (bx, by, az), (bx, by, bz), (bx, ay, bz)],
        [(ax, ay, az), (bx, ay, az), (bx, ay, bz), (ax, ay, bz)],
        [(ax, by, az), (ax, by, bz), (bx, by, bz), (bx, by, az)],
        [(ax, ay, az), (ax, by, az), (bx, by, az), (bx, ay, az)],
        [(ax, ay, bz), (bx, ay, bz), (bx, by, bz), (ax, by, bz)],
    ]
    return [Polygon(first_id + i, f) for i, f in enumerate(faces)]


def tree_of(polygons):
    points = [v for p in polygons for v in p.vertices]
    center, radius = bounding_sphere(points)
    return leaf_node(list(polygons), center=center, radius=radius)


def fork(normal, front, back):
    """A node whose plane goes through the origin, with the bounds of its front side."""
    return BspNode(
        normal,
        0.0,
        front,
        back,
        center=front.center,
        radius=front.radius,
        polygons=[],
        is_leaf=False,
        solid=False,
        index=0,
    )


def split_tree(polygons, *, solid=False):
    """The runtime form of the tree that the builder makes of some polygons."""
    positions, records = {}, []
    for polygon in polygons:
        keys = tuple(range(len(positions), len(positions) + len(polygon.vertices)))
        positions.update(zip(keys, polygon.vertices, strict=True))
        records.append(
            geometry.Polygon(
                key=polygon.id, stippling=4, sides_type=0, pos_surface=-1, neg_surface=-1, vertex_ids=keys
            )
        )
    table = {p.id: p for p in polygons}
    lines = []
    root = physics_tree(build_physics_tree(records, positions, solid=solid), table, records, lines.append)
    assert lines == []
    return root


def box_planes(low, high):
    return CellTree(
        [
            (1, 0, 0, -low[0]), (-1, 0, 0, high[0]),
            (0, 1, 0, -low[1]), (0, -1, 0, high[1]),
            (0, 0, 1, -low[2]), (0, 0, -1, high[2]),
        ]
    )  # fmt: skip


def room(
    cell_id=ROOM,
    polygons=None,
    low=(-50.0, -50.0, -50.0),
    high=(50.0, 50.0, 50.0),
    *,
    portals=(),
    frame=None,
    stab=(),
    seen_outside=False,
):
    polygons = [floor(-20, 20, 0.0)] if polygons is None else polygons
    structure = CellStructure(
        environment_id=0x0D000001,
        structure=0,
        polygons={},
        physics_polygons={p.id: p for p in polygons},
        physics_root=tree_of(polygons) if polygons else None,
        cell_tree=box_planes(low, high),
    )
    return EnvCell(
        cell_id,
        frame or Frame((0.0, 0.0, 0.0)),
        structure,
        list(portals),
        stab_list=tuple(stab),
        seen_outside=seen_outside,
    )


def portal(index, other, x, side, *, other_portal=0, low=(-5.0, -0.1), high=(5.0, 4.0)):
    """An opening in the plane x = const; its positive side is +x."""
    (ay, az), (by, bz) = low, high
    polygon = quad(100 + index, (x, ay, az), (x, by, az), (x, by, bz), (x, ay, bz))
    return Portal(index, 0 if side == 1 else 2, polygon, other_cell_id=other, other_portal_id=other_portal)


def exit_portal(index, x, side):
    return portal(index, EXIT_CELL, x, side, other_portal=-1)


def flat_block(block_id=0xA9B40000, z=0.0):
    """A landblock of flat terrain."""
    block = Landblock(block_id, heights=(z,) * 81, terrain=(0,) * 81)
    for cx in range(8):
        for cy in range(8):
            x, y = 24.0 * cx, 24.0 * cy
            sw, se = (x, y, z), (x + 24, y, z)
            ne, nw = (x + 24, y + 24, z), (x, y + 24, z)
            polygons = (Polygon(0, (sw, se, ne)), Polygon(1, (sw, ne, nw)))
            block.land_cells.append(LandCell(block_id | (1 + 8 * cx + cy), polygons, 0, block.terrain))
    return block

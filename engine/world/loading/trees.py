"""Records into runtime geometry: polygons, physics trees and the planes of cell trees (collision 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from engine.dat.number_rules import all_sound, place_fault, plane_fault, sphere_fault
from engine.dat.pieces import bsp_record, geometry
from engine.dat.values import NO_SPHERE, Vec3
from engine.world.bsp import BspNode, CellTree, leaf_node
from engine.world.polygon import Polygon, bounding_sphere

Report = Callable[[str], None]

OUT_OF_REACH: Final = 1e9
"""Plane distance of a polygon that was damaged: nothing is ever near it."""


def closed_polygon(key: int) -> Polygon:
    """A polygon without corners that nothing touches, in place of a damaged one."""
    polygon = Polygon(key, ())
    polygon.d = OUT_OF_REACH
    return polygon


class Corners:
    """The places of a record's vertices by key, and what is wrong with those at which nothing can stand."""

    __slots__ = ("faults", "places")

    def __init__(self, array: geometry.VertexArray) -> None:
        self.places: dict[int, Vec3] = {key: pos for key, pos, _, _ in array.vertices}
        self.faults: dict[int, str] = {}
        if not all_sound(self.places.values()):
            found = ((key, place_fault(place)) for key, place in self.places.items())
            self.faults = {key: fault for key, fault in found if fault is not None}


def polygon_table(
    records: Iterable[geometry.Polygon], corners: Corners, what: str, report: Report
) -> dict[int, Polygon]:
    """Runtime polygons by key. One with a missing or faulty vertex is reported and left out."""
    place_of, faults = corners.places.__getitem__, corners.faults
    table: dict[int, Polygon] = {}
    for record in records:
        try:
            places = tuple(map(place_of, record.vertex_ids))
        except KeyError as missing:
            report(f"{what} polygon {record.key} names vertex {missing.args[0]}, which is not there")
            continue
        vertex = next((v for v in record.vertex_ids if v in faults), None) if faults else None
        if vertex is not None:
            report(f"{what} polygon {record.key}: vertex {vertex} {faults[vertex]}")
            continue
        table[record.key] = Polygon(record.key, places, record.sides_type)
    return table


def physics_tree(
    root: bsp_record.BspNode,
    polygons: Mapping[int, Polygon],
    records: Iterable[geometry.Polygon],
    report: Report,
) -> BspNode:
    """The runtime form of a physics tree over its polygon table, built from ``records``.

    A key that no record has is reported and left out, one whose polygon was damaged is left out. A tree
    with a faulty plane or sphere is reported and replaced by one leaf with all polygons.
    """
    unknown: set[int] = set()
    done: dict[int, BspNode] = {}
    for node in reversed(list(root.walk())):
        fault = _node_fault(node)
        if fault is not None:
            report(f"its physics tree holds a {fault}; tested polygon by polygon")
            return _one_leaf(polygons)
        sphere = node.sphere or NO_SPHERE
        if node.tag == "LEAF":
            keys = node.polys or ()
            found = [polygons[key] for key in keys if key in polygons]
            if len(found) < len(keys):
                unknown.update(key for key in keys if key not in polygons)
            done[id(node)] = leaf_node(
                found,
                center=sphere.center,
                radius=sphere.radius,
                solid=bool(node.solid),
                index=node.leaf_index or 0,
            )
            continue
        plane = node.plane
        assert plane is not None
        done[id(node)] = BspNode(
            plane.normal,
            plane.d,
            None if node.pos_child is None else done[id(node.pos_child)],
            None if node.neg_child is None else done[id(node.neg_child)],
            center=sphere.center,
            radius=sphere.radius,
            polygons=[],
            is_leaf=False,
            solid=False,
            index=0,
        )
    if unknown:  # or damaged, of which it was told before
        unknown.difference_update(record.key for record in records)
    if unknown:
        keys_text = ", ".join(str(key) for key in sorted(unknown)[:5])
        report(f"its physics tree names polygons that are not there: {keys_text}")
    return done[id(root)]


def cell_tree(root: bsp_record.BspNode, report: Report) -> CellTree | None:
    """The inward planes of a cell tree's chain, the BPFL's included; a LEAF at its end adds none.

    None, reported, for a chain that bounds nothing or has a faulty plane (collision 4.5).
    """
    planes: list[tuple[float, float, float, float]] = []
    node: bsp_record.BspNode | None = root
    while node is not None and node.tag != "LEAF":
        plane = node.plane
        assert plane is not None
        fault = plane_fault(plane)
        if fault is not None:
            report(f"its cell tree has a plane that {fault}; it contains nothing")
            return None
        (nx, ny, nz), d = plane
        planes.append((nx, ny, nz, d))
        node = node.pos_child
    if not planes:
        report("its cell tree has no plane; it contains nothing")
        return None
    return CellTree(planes)


def _node_fault(node: bsp_record.BspNode) -> str | None:
    """What is wrong with the sphere or plane of a physics tree's node."""
    fault = None if node.sphere is None else sphere_fault(node.sphere)
    if fault is not None:
        return f"sphere that {fault}"
    fault = None if node.tag == "LEAF" or node.plane is None else plane_fault(node.plane)
    return None if fault is None else f"plane that {fault}"


def _one_leaf(polygons: Mapping[int, Polygon]) -> BspNode:
    center, radius = bounding_sphere([v for polygon in polygons.values() for v in polygon.vertices])
    return leaf_node(list(polygons.values()), center=center, radius=radius)

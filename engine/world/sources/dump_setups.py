"""Setups without a dat: described in a scene or dumped as ``0x02....setup.json`` (sources 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.dat.pieces.point_rows import bounds
from engine.dat.records.setup import HAS_SCALES, PLACEMENT_DEFAULT, Placement, Setup
from engine.dat.values import CylSphere, Sphere, StoredFrame
from engine.world.sources.json_node import Node
from engine.world.sources.scene_file import SceneSetup


def parse_setup(node: Node, setup_id: int) -> Setup:
    """A ``0x02....setup.json`` as a record. Raises JsonError.

    ``Parts`` are GfxObj ids; ``PlacementFrames`` is one frame a part, or such lists by placement key.
    """
    parts = tuple(part.unsigned() for part in node.items("Parts"))
    cylspheres = tuple(
        CylSphere(item.get("Origin").vec3(), item.get("Radius").number(), item.get("Height").number())
        for item in node.items("CylSpheres")
    )
    spheres = tuple(
        Sphere(item.get("Origin").vec3(), item.get("Radius").number()) for item in node.items("Spheres")
    )
    sizes = [
        node.get(key).number() if node.has(key) else 0.0
        for key in ("Height", "Radius", "StepUpHeight", "StepDownHeight")
    ]
    scales = tuple(item.vec3() for item in node.items("Scales")) or None
    if scales is not None and len(scales) != len(parts):
        node.get("Scales").fail(f"{len(parts)} parts but {len(scales)} scales")
    sorting = shape_bounds(cylspheres, spheres)
    return Setup(
        id=setup_id,
        flags=0 if scales is None else HAS_SCALES,
        parts=parts,
        scales=scales,
        motion_table=node.get("MotionTable").unsigned() if node.has("MotionTable") else 0,
        placements=_placements(node, len(parts)),
        cylspheres=cylspheres,
        spheres=spheres,
        height=sizes[0],
        radius=sizes[1],
        step_up=sizes[2],
        step_down=sizes[3],
        sorting=sorting,
        selection=sorting,
    )


def shape_bounds(cylspheres: Sequence[CylSphere], spheres: Sequence[Sphere]) -> Sphere:
    """A sphere around a setup's cylinders and spheres, radius 0 without any."""
    points = [cyl.low_point for cyl in cylspheres] + [sphere.center for sphere in spheres]
    points += [(cyl.low_point[0], cyl.low_point[1], cyl.low_point[2] + cyl.height) for cyl in cylspheres]
    center = bounds(points).center
    reach = [math.dist(center, sphere.center) + sphere.radius for sphere in spheres]
    for (x, y, z), radius, height in cylspheres:
        side = math.hypot(center[0] - x, center[1] - y) + radius
        reach.append(math.hypot(side, max(abs(center[2] - z), abs(center[2] - z - height))))
    return Sphere(center, max(reach, default=0.0))


def scene_setup_record(setup: SceneSetup) -> Setup:
    """The record of a setup that a scene describes."""
    sorting = shape_bounds(setup.cylspheres, setup.spheres)
    return Setup(
        id=setup.setup_id,
        flags=0,
        parts=setup.parts,
        placements=(Placement(PLACEMENT_DEFAULT, setup.frames),) if setup.frames else (),
        cylspheres=setup.cylspheres,
        spheres=setup.spheres,
        height=max(sorting.center[2] + sorting.radius, 0.0),
        radius=sorting.radius,
        sorting=sorting,
        selection=sorting,
    )


def _placements(node: Node, parts: int) -> tuple[Placement, ...]:
    if not node.has("PlacementFrames"):
        return ()
    frames = node.get("PlacementFrames")
    lists = [(PLACEMENT_DEFAULT, frames)]
    if isinstance(frames.value, dict):
        lists = list(frames.by_id().items())
    out: list[Placement] = []
    for key, items in lists:
        stored = tuple(
            StoredFrame(item.get("Origin").vec3(), item.get("Orientation").quat()) for item in items.members()
        )
        if len(stored) != parts:
            items.fail(f"{parts} parts but {len(stored)} frames")
        out.append(Placement(key, stored))
    return tuple(out)

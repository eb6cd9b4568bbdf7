"""Things that a scenario puts into a world to meet: no part of any source's data."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.values import NO_SPHERE, Sphere, Vec3
from engine.world.bsp import leaf_node
from engine.world.frame import Frame
from engine.world.models import Model, PartModel
from engine.world.polygon import Polygon, bounding_sphere

BOX_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def box_polygons(low: Vec3, high: Vec3) -> list[Polygon]:
    """The six faces of an axis-aligned box, facing outwards."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners: Sequence[Vec3] = (
        (x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0),
        (x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1),
    )  # fmt: skip
    return [Polygon(i, [corners[k] for k in face]) for i, face in enumerate(BOX_FACES)]


def slab_model(width: float = 4.0, depth: float = 0.2, height: float = 2.0) -> Model:
    """A wall of one BSP part: its near face is the plane y = 0, its foot z = 0, metres."""
    low, high = (-width / 2, 0.0, 0.0), (width / 2, depth, height)
    polygons = box_polygons(low, high)
    center, radius = bounding_sphere([low, high])
    part = PartModel(
        gfxobj_id=0,
        physics_root=leaf_node(polygons, center=center, radius=radius),
        physics_polygons={p.id: p for p in polygons},
        sphere=Sphere(center, radius),
        box=(low, high),
    )
    return Model(
        model_id=0,
        parts=(part,),
        part_frames=(Frame((0.0, 0.0, 0.0)),),
        part_scales=((1.0, 1.0, 1.0),),
        cylspheres=(),
        spheres=(),
        height=height,
        radius=width / 2,
        step_up=0.0,
        step_down=0.0,
        sorting_sphere=NO_SPHERE,
        motion_table=0,
        script=False,
    )

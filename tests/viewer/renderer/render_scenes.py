"""Scenes that many image cases begin with: the room with a door, the house (passes 11.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.dat.values import Vec3
from engine.world.frame import Frame
from tests.viewer.renderer.flat_shapes import EXIT, Corners, frame_wall, quad, room
from tests.viewer.renderer.memory_source import MIDDLE
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene.entities import DrawnObject, SceneObjects

EYE = (0.0, 0.0, 0.5)
INSIDE = ("wall", "floor", "ceiling")
DOOR = quad(2.0, -0.5, 0.5, z0=-0.5, z1=0.5)


def room_a(**more: object) -> SceneBuilder:
    """I1: room A with DOOR to the outside and terrain at −0.2 everywhere."""
    ground = more.pop("ground", -0.2)
    statics = more.pop("statics", ())
    scene = SceneBuilder(**more)  # type: ignore[arg-type]
    scene.ground(ground)  # type: ignore[arg-type]
    polygons = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    return scene.cell(0x100, polygons, [(DOOR, 0, EXIT, -1)], statics=statics)  # type: ignore[arg-type]


HOUSE_DOOR = quad(5.0, -1.0, 1.0, z0=-1.0, z1=1.0)


def house(scene: SceneBuilder, y: float = 5.0, low: int = 0x200, extra: Sequence[tuple[Corners, str]] = (),
          *, suffix: str = "") -> SceneBuilder:  # fmt: skip
    """I6: a front wall x∈[−3,3], z∈[−1,3] with a door x±1, z±1 and an interior box 4 m deep, floor −1.2."""
    door = quad(y, -1.0, 1.0, z0=-1.0, z1=1.0)
    front = frame_wall(quad(y, -3.0, 3.0, z0=-1.0, z1=3.0), door)
    model = scene.gfx_obj([*((p, "shell") for p in front), *extra], [(door, 0)])
    inside = room(-2.5, 2.5, y, y + 4.0, z0=-1.2, z1=2.0, back=door, suffix=suffix)
    scene.cell(low, inside, [(door, 1, EXIT, -1)])
    return scene.building(model, [(0, low, 0)])


def angle_range(step: float) -> list[float]:
    return [math.fmod(-180.0 + step * k, 360.0) for k in range(int(360 / step) + 1)]


def entity(model: int, *cells: int, alpha: float = 1.0, at: Vec3 = MIDDLE) -> SceneObjects:
    """One thing of a scene, drawn in these cells; ``at`` is in the block frame of the first."""
    frame = Frame(at)
    thing = DrawnObject(object_id=7, model_id=model, cell_id=cells[0], frame=frame, cells=cells, alpha=alpha)
    return SceneObjects([thing])

"""Scenery: trees, rocks and bushes that follow from terrain words, Region and Scenes (dat-format 4.8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from engine.dat.number_rules import frame_fault, length_fault, turn_fault
from engine.dat.records.region import Region
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.values import Quat, Vec3
from engine.named_tuple import NamedTuple
from engine.world.cells import Landblock
from engine.world.frame import Frame, quat_multiply, quat_of_heading, rotation_of
from engine.world.ids import BLOCK_SIDE, CELL_SIDE
from engine.world.loading.roads import NE, NW, SE, SW, has_road, on_road
from engine.world.loading.scenery_random import (
    DISPLACE_X_SALT,
    DISPLACE_Y_SALT,
    FREQUENCY_SALT,
    ROTATION_SALT,
    SCALE_SALT,
    fraction,
    quadrant_hash,
    scene_hash,
    vertex_hash,
)
from engine.world.models import Model
from engine.world.terrain import CELLS, VERTICES, find_terrain_poly, height_on, terrain_type

SceneOf = Callable[[int], Scene | None]
ModelOf = Callable[[int], Model | None]
Report = Callable[[int, str], None]

FLAT_HEADING = 270.0  # of a slope that has none: the arc tangent of two negative zeros


MOST_OBJECTS = 256  # of a Scene, the demo's have four: each is tried at every vertex of every landblock
MOST_GROWN = 4096  # in a landblock: far more than any forest of the game has


class Scenery(NamedTuple):
    """One piece of scenery: its model, landcell (full id), place in the block frame and scale.

    ``vertex`` (x * 9 + y) and ``number`` say which object of that vertex's scene it is.
    """

    model_id: int
    cell_id: int
    frame: Frame
    scale: float
    vertex: int
    number: int


def place_scenery(
    block: Landblock,
    region: Region,
    *,
    scene_of: SceneOf,
    model_of: ModelOf,
    built: Collection[int],
    report: Report,
) -> Iterator[Scenery]:
    """The scenery of a landblock that has its landcells, vertex by vertex.

    ``built`` are the ids of the landcells in which a building's origin lies. ``report`` takes an object
    id and what is wrong with it; such an object is left out.
    """
    for vertex in range(VERTICES * VERTICES):
        vx, vy = divmod(vertex, VERTICES)
        x, y = _vertex_coordinates(block.id, vx, vy)
        scene_id = pick_scene(region, block.terrain[vertex], x, y)
        scene = scene_of(scene_id) if scene_id else None
        objects = scene.objects if scene is not None else ()
        if len(objects) > MOST_OBJECTS:
            report(scene_id, f"{len(objects)} objects, of which the first {MOST_OBJECTS} grow")
        for index, obj in enumerate(objects[:MOST_OBJECTS]):
            if obj.weenie or not obj.id or not fraction(vertex_hash(x, y, FREQUENCY_SALT + index)) < obj.freq:
                continue
            if not is_sound(obj):
                report(scene_id, f"object {index} has a place or scale that makes no sense; left out")
                continue
            px, py = displaced(obj, x, y, index)
            at = (CELL_SIDE * vx + px, CELL_SIDE * vy + py)
            placed = _stand(block, obj, at, draw=(x, y, index), model_of=model_of, built=built)
            if placed is not None:
                cell_id, frame = placed
                yield Scenery(
                    model_id=obj.id,
                    cell_id=cell_id,
                    frame=frame,
                    scale=scaled(obj, x, y, index),
                    vertex=vertex,
                    number=index,
                )


def pick_scene(region: Region, word: int, x: int, y: int) -> int:
    """The id of the Scene that grows at a vertex with a terrain word; 0 for none."""
    scenes = scenes_of(region, word)
    pick = 0 if len(scenes) == 1 else int(len(scenes) * fraction(scene_hash(x, y)))
    return scenes[pick] if pick < len(scenes) else 0


def scenes_of(region: Region, word: int) -> tuple[int, ...]:
    """The ids of the Scenes that may grow where the ground has a terrain word."""
    types, kind = region.terrain.types, terrain_type(word)
    choices = types[kind].scenes if kind < len(types) else ()
    number = word >> 11
    if number >= len(choices) or region.scene is None or not 0 <= choices[number] < len(region.scene):
        return ()
    return region.scene[choices[number]].scenes


def displaced(obj: ObjectDesc, x: int, y: int, index: int) -> tuple[float, float]:
    """How far east and north of its vertex an object stands, metres."""
    bx, by, _ = obj.base.origin
    if obj.disp_x > 0.0:
        bx += fraction(vertex_hash(x, y, DISPLACE_X_SALT + index)) * obj.disp_x
    if obj.disp_y > 0.0:
        by += fraction(vertex_hash(x, y, DISPLACE_Y_SALT + index)) * obj.disp_y
    quadrant = fraction(quadrant_hash(x, y))
    if quadrant >= 0.75:
        return by, -bx
    if quadrant >= 0.5:
        return -bx, -by
    if quadrant >= 0.25:
        return -by, bx
    return bx, by


def scaled(obj: ObjectDesc, x: int, y: int, index: int) -> float:
    """The scale of an object between its two bounds, evenly by ratio."""
    if obj.min_scale == obj.max_scale:
        return obj.max_scale
    power = fraction(vertex_hash(x, y, SCALE_SALT + index))
    return float(obj.min_scale * (obj.max_scale / obj.min_scale) ** power)


def turned(obj: ObjectDesc, normal: Vec3, draw: tuple[int, int, int]) -> Quat:
    """The orientation of an object on ground with a normal; ``draw`` is its vertex and its number there."""
    if obj.align:
        return set_heading(obj.base.orientation, slope_heading(normal))
    if obj.max_rot > 0.0:
        x, y, index = draw
        turn = fraction(vertex_hash(x, y, ROTATION_SALT + index)) * obj.max_rot
        return set_heading(obj.base.orientation, turn)
    return obj.base.orientation


def set_heading(base: Quat, heading: float) -> Quat:
    """An orientation turned to a heading, degrees: of the base its pitch is kept and its roll is not."""
    forward_z = rotation_of(base)[7]
    pitch = math.asin(max(-1.0, min(1.0, forward_z)))
    tilt = (math.cos(pitch / 2.0), math.sin(pitch / 2.0), 0.0, 0.0)
    return quat_multiply(quat_of_heading(heading), tilt)


def slope_heading(normal: Vec3) -> float:
    """The heading, degrees, of the reversed normal of the ground."""
    if normal[0] == 0.0 and normal[1] == 0.0:
        return FLAT_HEADING
    return (450.0 - math.degrees(math.atan2(-normal[1], -normal[0]))) % 360.0


def fits(model: Model | None, frame: Frame) -> bool:
    """Whether an unscaled model standing in a block frame lies within the block, by its rough bounds."""
    if model is None or not (model.has_physics_bsp or model.cylspheres or model.spheres):
        return _inside(frame.origin, 0.0)
    if model.cylspheres and not model.has_physics_bsp:
        return all(_inside(frame.to_global(c.low_point), c.radius) for c in model.cylspheres)
    return _inside(frame.to_global(model.sorting_sphere.center), model.sorting_sphere.radius)


def road_corners(block: Landblock, cx: int, cy: int) -> int:
    """The corners of a landcell that have a road, as bits."""
    words, at = block.terrain, VERTICES * cx + cy
    corners = ((SW, at), (SE, at + VERTICES), (NE, at + VERTICES + 1), (NW, at + 1))
    return sum(bit for bit, vertex in corners if has_road(words[vertex]))


def _stand(
    block: Landblock,
    obj: ObjectDesc,
    at: tuple[float, float],
    *,
    draw: tuple[int, int, int],
    model_of: ModelOf,
    built: Collection[int],
) -> tuple[int, Frame] | None:
    """The landcell and frame of an object at a place of the block; None where it may not stand there."""
    x, y = at
    if x < 0.0 or y < 0.0 or x >= BLOCK_SIDE or y >= BLOCK_SIDE:
        return None
    cx, cy = int(x // CELL_SIDE), int(y // CELL_SIDE)
    cell = block.land_cells[CELLS * cx + cy]
    if cell.id in built:
        return None
    if on_road(road_corners(block, cx, cy), x - CELL_SIDE * cx, y - CELL_SIDE * cy):
        return None
    ground = find_terrain_poly(cell, (x, y, 0.0))
    if ground is None or not obj.min_slope <= ground.normal[2] <= obj.max_slope:
        return None
    frame = Frame((x, y, height_on(ground, x, y)), turned(obj, ground.normal, draw))
    return (cell.id, frame) if fits(model_of(obj.id), frame) else None


def _vertex_coordinates(block_id: int, vx: int, vy: int) -> tuple[int, int]:
    return 8 * (block_id >> 24 & 0xFF) + vx, 8 * (block_id >> 16 & 0xFF) + vy


def _inside(p: Vec3, radius: float) -> bool:
    return radius <= p[0] < BLOCK_SIDE - radius and radius <= p[1] < BLOCK_SIDE - radius


@lru_cache(maxsize=4 * MOST_OBJECTS)  # a few kinds of trees grow all over a country
def is_sound(obj: ObjectDesc) -> bool:
    """Whether an object's numbers break no rule, its orientation has length 1 and its scales lie above 0."""
    numbers = (obj.disp_x, obj.disp_y, obj.max_rot, obj.min_scale, obj.max_scale)
    fault = frame_fault(obj.base) or turn_fault(obj.base.orientation)
    return fault is None and not any(map(length_fault, numbers)) and min(numbers[-2:]) > 0.0

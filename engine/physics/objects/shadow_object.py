"""Objects that can be walked into, and their shadows in the cells they overlap (objects 8.1, 8.4)."""

from __future__ import annotations

import math
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.objects.family_box import FamilyBox, is_unit
from engine.physics.objects.shadow_shape import (
    ShadowShape,
    ShapeType,
    colliding_family,
    part_scale,
    posed_frames,
    shapes_from_setup,
)
from engine.world.cells import PlacedObject, ShadowObject
from engine.world.frame import Frame, Position
from engine.world.models import Model, PartModel
from engine.world.physics_state import HAS_PHYSICS_BSP, REPORT_COLLISIONS, STATIC
from engine.world.polygon import bounding_sphere

WEENIE: Final = 0x1
SLACK: Final = 0.001  # metres by which a bound is too wide, and its share of the radius, for rounding's sake
ROUNDING: Final = 1e-9


class ShadowEntry(NamedTuple):
    """One row of the registry: one shape of one entity in one cell (objects 8.4).

    ``pose`` is the shape's place in the block frame of the object's own cell; ``flags`` are the entity's
    weenie bits.
    """

    entity_id: int
    cell_id: int
    shape: ShadowShape
    pose: Position
    state: int
    flags: int


class PartBox(NamedTuple):
    """A part's bounds where it stands: origin, corners and sphere in the block frame of the object's cell."""

    origin: Vec3
    corners: tuple[Vec3, ...]
    center: Vec3
    radius: float


class PhysicsObject(ShadowObject):
    """An object with shapes, standing at a position: a static, scenery or a spawned entity.

    ``state`` is what a new shadow gets, ``first_state`` what it was at the start; what collides in a cell
    is the state of the shadow there. ``family`` are the shapes that collide (objects 8.5), ``poses`` where
    they stand, and ``bounds`` spheres around them, a little too wide, in the block frame. ``box`` holds all
    that can be touched of trees, where the object ``is_boxed``. ``weenie`` are the
    WEENIE and OI_IS_* bits of its game object, 0 for scenery. ``cell_ids`` is the union of the cells it
    overlaps, in the order found, loaded or not. The bound is a sphere around the colliding family in the
    block frame of the object's cell, whose id begins with ``block``. ``alike`` is one of the same model,
    scale and pose whose shapes are taken over: many stand in a world that differ in place alone.
    """

    __slots__ = (
        "block", "bound_center", "bound_radius", "bounds", "box", "cell_ids", "family", "first_state",
        "has_physics_bsp", "is_boxed", "model", "model_id", "name", "part_frames", "posed", "poses",
        "position", "scale", "shadows", "shapes", "weenie",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - hot state is made by one call, by keyword
        self,
        entity_id: int,
        model: Model,
        position: Position,
        *,
        state: int,
        scale: float = 1.0,
        part_frames: tuple[Frame, ...] | None = None,
        weenie: int = 0,
        name: str = "",
        alike: PhysicsObject | None = None,
    ) -> None:
        super().__init__(entity_id, state)
        self.first_state = state
        self.model = model
        self.model_id = model.model_id
        self.scale = scale
        self.weenie = weenie
        self.name = name
        self.posed = part_frames
        if alike is not None and alike.model is model and alike.scale == scale and alike.posed is part_frames:
            shapes, family, frames, box = alike.shapes, alike.family, alike.part_frames, alike.box
        else:
            shapes = shapes_from_setup(model, scale, part_frames)
            family = colliding_family(shapes)
            frames = tuple(f.scaled(scale) for f in posed_frames(model, part_frames))
            box = FamilyBox(family)
        self.shapes: tuple[ShadowShape, ...] = shapes
        self.family: tuple[ShadowShape, ...] = family
        self.part_frames: tuple[Frame, ...] = frames
        self.box: FamilyBox = box
        self.is_boxed = False
        self.has_physics_bsp = bool(self.family) and self.family[0].kind is ShapeType.BSP
        self.cell_ids: tuple[int, ...] = ()
        self.shadows: dict[int, CellShadow] = {}
        self.position = position
        self.block = position.cell_id >> 16
        self.poses: tuple[Position, ...] = ()
        self.bounds: list[MovingSphere] = []
        self.bound_center: Vec3 = position.frame.origin
        self.bound_radius = 0.0
        self.move_to(position)

    @property
    def is_static(self) -> bool:
        """Whether the object never moves and answers to no game object."""
        return (self.state & STATIC) != 0

    def move_to(self, position: Position) -> None:
        """Stand somewhere else; the shadows are the registry's to move."""
        self.position = position
        self.block = position.cell_id >> 16
        self.poses = tuple(
            [Position(position.cell_id, position.frame.combine(shape.frame)) for shape in self.family]
        )
        self.is_boxed = self.has_physics_bsp and is_unit(position.frame.quat)
        for pose in self.poses if self.is_boxed else ():
            self.is_boxed = self.is_boxed and is_unit(pose.frame.quat)
        spheres = _bounds(self.family, self.poses)
        self.bounds = [MovingSphere(x, y, z, r * (1.0 + ROUNDING) + SLACK) for (x, y, z), r in spheres]
        self.bound_center, self.bound_radius = _around(spheres)

    def part_boxes(self) -> list[PartBox]:
        """The bounds of every part that has geometry."""
        boxes: list[PartBox] = []
        for index, part in enumerate(self.model.parts):
            if part.sphere is None:
                continue
            size = part_scale(self.model, index, self.scale)
            frame = self.position.frame.combine(self.part_frames[index])
            x, y, z = part.sphere.center
            boxes.append(
                PartBox(
                    frame.origin,
                    tuple(frame.to_global(c) for c in box_corners(part, size)),
                    frame.to_global((x * size, y * size, z * size)),
                    part.sphere.radius * size,
                )
            )
        return boxes


class CellShadow(ShadowObject):
    """One object in one cell's shadow list, with the state that collides there."""

    __slots__ = ("cell_id", "object")

    def __init__(self, target: PhysicsObject, cell_id: int) -> None:
        super().__init__(target.entity_id, target.state)
        self.object = target
        self.cell_id = cell_id

    def rows(self) -> list[ShadowEntry]:
        """The registry rows of this cell: one for each shape, all shapes of the entity."""
        target = self.object
        position = target.position
        return [
            ShadowEntry(
                entity_id=self.entity_id,
                cell_id=self.cell_id,
                shape=shape,
                pose=Position(position.cell_id, position.frame.combine(shape.frame)),
                state=self.state,
                flags=target.weenie,
            )
            for shape in target.shapes
        ]


def _bounds(family: tuple[ShadowShape, ...], poses: tuple[Position, ...]) -> list[tuple[Vec3, float]]:
    """A sphere around each shape where it stands."""
    spheres: list[tuple[Vec3, float]] = []
    for shape, pose in zip(family, poses, strict=True):
        center, radius = pose.frame.origin, shape.radius
        if shape.part is not None and shape.part.physics_root is not None:
            x, y, z = shape.part.physics_root.center
            size = shape.scale
            center = pose.frame.to_global((x * size, y * size, z * size))
            radius = shape.part.physics_root.radius * size
        elif shape.kind is ShapeType.CYLINDER:
            half = shape.cyl_height / 2.0
            center = (center[0], center[1], center[2] + half)
            radius = math.hypot(radius, half)
        spheres.append((center, radius))
    return spheres


def _around(spheres: list[tuple[Vec3, float]]) -> tuple[Vec3, float]:
    """A sphere around spheres; radius 0 for none."""
    if len(spheres) == 1:
        return spheres[0]
    if not spheres:
        return (0.0, 0.0, 0.0), 0.0
    middle, _ = bounding_sphere([center for center, _ in spheres])
    return middle, max(math.dist(middle, center) + radius for center, radius in spheres)


def box_corners(part: PartModel, scale: float) -> list[Vec3]:
    """The eight corners of a part's box, part-local times the scale."""
    low, high = part.box
    return [
        (x * scale, y * scale, z * scale)
        for x in (low[0], high[0])
        for y in (low[1], high[1])
        for z in (low[2], high[2])
    ]


def computed_state(model: Model, *, is_entity: bool) -> int:
    """The state of an object that was given none (sources 4): its base bit and HasPhysicsBSP."""
    base = REPORT_COLLISIONS if is_entity else STATIC
    return base | (HAS_PHYSICS_BSP if model.has_physics_bsp else 0)


def placed_object(
    placed: PlacedObject,
    model: Model,
    part_frames: tuple[Frame, ...] | None = None,
    alike: PhysicsObject | None = None,
) -> PhysicsObject:
    """The physics object of something placed in the world; statics and entities alike."""
    state = placed.state if placed.state is not None else computed_state(model, is_entity=placed.is_entity)
    return PhysicsObject(
        placed.object_id,
        model,
        Position(placed.cell_id, placed.frame),
        state=state,
        scale=placed.scale,
        part_frames=part_frames,
        weenie=WEENIE if placed.is_entity else 0,
        name=placed.name,
        alike=alike,
    )

"""The collision shapes of an object and the one builder that makes them from its model (objects 8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from engine.dat.number_rules import LEAST_SCALE
from engine.world.bsp import BspNode
from engine.world.frame import Frame
from engine.world.models import Model, PartModel

FALLBACK_RADIUS: Final = 1.0
DEFAULT_HEIGHT_FACTOR: Final = 4.0


class ShapeType(IntEnum):
    """What kind of volume a shape is."""

    BSP = 0
    CYLINDER = 1
    SPHERE = 2


class ShadowShape:
    """One volume of an object, in the object's own space, metres, already scaled.

    ``frame`` is the local pose: a sphere's centre, a cylinder's bottom centre, a part's frame. ``scale``
    is what the part's tree is multiplied by; ``part``, its tree ``root`` and ``gfxobj_id`` are None and 0 but
    for BSP shapes.
    """

    __slots__ = ("cyl_height", "frame", "gfxobj_id", "kind", "part", "part_index", "radius", "root", "scale")

    def __init__(
        self,
        kind: ShapeType,
        frame: Frame,
        *,
        scale: float,
        radius: float,
        cyl_height: float = 0.0,
        part: PartModel | None = None,
        part_index: int = -1,
    ) -> None:
        self.kind = kind
        self.frame = frame
        self.scale = scale
        self.radius = radius
        self.cyl_height = cyl_height
        self.part = part
        self.part_index = part_index
        self.root: BspNode | None = None if part is None else part.physics_root
        self.gfxobj_id = 0 if part is None else part.gfxobj_id

    def __repr__(self) -> str:
        return f"ShadowShape({self.kind.name}, {self.frame.origin}, r={self.radius:.3f})"


def part_scale(model: Model, index: int, scale: float) -> float:
    """The uniform scale of a part's tree: the object's times the part's own z scale (collision 4.6)."""
    return scale * model.part_scales[index][2] if index < len(model.part_scales) else scale


def shapes_from_setup(
    model: Model, scale: float = 1.0, part_frames: Sequence[Frame] | None = None
) -> tuple[ShadowShape, ...]:
    """All shapes of a model: its cylinders, else its spheres; then every part that has a physics tree.

    ``part_frames`` replaces the placement frames (object space, unscaled) where given, one a part; parts
    beyond its end keep theirs. All shapes are made, whichever family collides (objects 8.4), but for parts
    that are scaled to nothing.
    """
    shapes: list[ShadowShape] = []
    for cyl in model.cylspheres:
        if cyl.radius > 0.0:
            height = cyl.height if cyl.height > 0.0 else DEFAULT_HEIGHT_FACTOR * cyl.radius
            frame = Frame(cyl.low_point).scaled(scale)
            shapes.append(
                ShadowShape(
                    ShapeType.CYLINDER,
                    frame,
                    scale=scale,
                    radius=cyl.radius * scale,
                    cyl_height=height * scale,
                )
            )
    if not model.cylspheres:
        for sphere in model.spheres:
            if sphere.radius > 0.0:
                frame = Frame(sphere.center).scaled(scale)
                shapes.append(ShadowShape(ShapeType.SPHERE, frame, scale=scale, radius=sphere.radius * scale))
    frames = posed_frames(model, part_frames)
    for index, part in enumerate(model.parts):
        if part.physics_root is None:
            continue
        size = part_scale(model, index, scale)
        if abs(size) < LEAST_SCALE:
            continue
        bound = part.physics_root.radius
        radius = bound * size if bound > 0.0 else FALLBACK_RADIUS * scale
        shapes.append(
            ShadowShape(
                ShapeType.BSP,
                frames[index].scaled(scale),
                scale=size,
                radius=radius,
                cyl_height=0.0,
                part=part,
                part_index=index,
            )
        )
    return tuple(shapes)


def posed_frames(model: Model, part_frames: Sequence[Frame] | None) -> tuple[Frame, ...]:
    """A frame for every part: the given ones, then the placement's, then identity."""
    if part_frames is None and len(model.part_frames) == len(model.parts):
        return model.part_frames  # as nearly all have it
    given = tuple(part_frames) if part_frames is not None else ()
    frames = given[: len(model.parts)] + model.part_frames[len(given) : len(model.parts)]
    return frames + (Frame((0.0, 0.0, 0.0)),) * (len(model.parts) - len(frames))


def colliding_family(shapes: Sequence[ShadowShape]) -> tuple[ShadowShape, ...]:
    """The one family that collides: BSPs before cylinders before spheres (objects 8.5)."""
    if not shapes:
        return ()
    kind = min([shape.kind for shape in shapes])
    return tuple([shape for shape in shapes if shape.kind is kind])

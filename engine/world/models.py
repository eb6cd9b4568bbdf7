"""Models as the engine sees them: the parts of a Setup or GfxObj with their physics trees and bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.dat.values import CylSphere, Sphere, Vec3
from engine.named_tuple import NamedTuple
from engine.world.bsp import BspNode
from engine.world.frame import Frame
from engine.world.polygon import Polygon


class PartModel(NamedTuple):
    """A GfxObj's collision side, part-local: physics tree (None without one), its table and bounds.

    ``sphere`` bounds the physics tree where there is one, else the drawing polygons; ``box`` is the
    axis-aligned box (min, max) of all vertices. ``None`` sphere: a part without any polygon.
    """

    gfxobj_id: int
    physics_root: BspNode | None
    physics_polygons: dict[int, Polygon]
    sphere: Sphere | None
    box: tuple[Vec3, Vec3]


class Model(NamedTuple):
    """A Setup (or a lone GfxObj as a one-part Setup): parts, their placement frames and its shapes.

    ``part_frames`` are relative to the object (placement Resting, else Default, else the first; identity
    where there is none). Heights and radii in metres at scale 1 (dat-format 4.9, objects 8.4). ``script`` is
    what it plays when it is made, ``script_table`` what it plays on occasion, ``animation`` how it moves by
    itself; 0 for none. ``changes_looks`` tells that the script changes how it looks, not only starts effects.
    """

    model_id: int
    parts: tuple[PartModel, ...]
    part_frames: tuple[Frame, ...]
    part_scales: tuple[Vec3, ...]
    cylspheres: tuple[CylSphere, ...]
    spheres: tuple[Sphere, ...]
    height: float
    radius: float
    step_up: float
    step_down: float
    sorting_sphere: Sphere
    motion_table: int
    script: int = 0
    script_table: int = 0
    animation: int = 0
    changes_looks: bool = False

    @property
    def has_physics_bsp(self) -> bool:
        """Whether any part has a physics tree: it selects the family that collides."""
        return any(part.physics_root is not None for part in self.parts)

    @property
    def is_animated(self) -> bool:
        """Whether a static of it plays something: it does not always look as placed (motion 5.4, 8.1)."""
        return bool(self.animation or self.motion_table or self.changes_looks)

    def collided(self) -> int:
        """How many polygons the leaves of its physics trees list, each as often as it stands there."""
        nodes = [part.physics_root for part in self.parts]
        listed = 0
        while nodes:
            node = nodes.pop()
            if node is not None:
                listed += len(node.polygons)
                nodes += (node.pos, node.neg)
        return listed

    def reach(self, poses: Sequence[Frame] = ()) -> float:
        """How far from its origin the model reaches at scale 1, metres: never less than it does.

        ``poses`` are the frames of its first parts, where they aren't at rest.
        """
        ends = [math.hypot(*c.low_point) + c.radius + abs(c.height) for c in self.cylspheres]
        ends += [math.hypot(*s.center) + s.radius for s in self.spheres]
        frames = (*poses[: len(self.parts)], *self.part_frames[len(poses) :])
        for part, frame, scale in zip(self.parts, frames, self.part_scales, strict=True):
            low, high = part.box
            farthest = math.hypot(*(max(abs(a), abs(b)) for a, b in zip(low, high, strict=True)))
            ends.append(math.hypot(*frame.origin) + farthest * max(map(abs, scale)))
        return max(ends, default=0.0)

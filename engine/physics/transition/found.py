"""What a probe finds and leaves for later: whose ground it was, what carries the foot, what was missed."""

from __future__ import annotations

from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.physics.enums import HitKind, Response
from engine.physics.transition.hit import Hit
from engine.world.frame import Position
from engine.world.polygon import Polygon

UnderTest = tuple[HitKind, int, int, int]


@mypyc_attr(acyclic=True)
class Tested:
    """A polygon or shape (``poly`` -1) that was under test, and in which cell; by now others may be."""

    __slots__ = ("cell_id", "poly", "under_test")

    def __init__(self, under_test: UnderTest, cell_id: int, poly: int) -> None:
        self.under_test: Final = under_test
        self.cell_id: Final = cell_id
        self.poly: Final = poly

    def hit(self, normal: Vec3, response: Response) -> Hit:
        """It as a hit; ``normal`` in block axes."""
        kind, owner, gfxobj, part = self.under_test
        return Hit(
            kind,
            owner,
            self.cell_id,
            gfxobj=gfxobj,
            poly=self.poly,
            normal=normal,
            response=response,
            part=part,
        )


@mypyc_attr(acyclic=True)
class Walkable:
    """A walkable polygon that a probe came to rest on.

    ``sphere`` and ``up`` are in the polygon's space, which stands at ``pos`` with a uniform ``scale``. The
    sphere is changed in place: whoever asks whether the polygon carries it halves it.
    """

    __slots__ = ("polygon", "pos", "scale", "sphere", "tested", "up")

    def __init__(
        self, *, polygon: Polygon, sphere: MovingSphere, up: Vec3, pos: Position, scale: float, tested: Tested
    ) -> None:
        self.polygon = polygon
        self.sphere = sphere
        self.up = up
        self.pos = pos
        self.scale = scale
        self.tested = tested


@mypyc_attr(acyclic=True)
class NearMiss:
    """A polygon that was touched without moving into it: stepped onto, or slid along by ``normal``."""

    __slots__ = ("hit", "normal", "step_up")

    def __init__(self, hit: Hit, normal: Vec3, *, step_up: bool) -> None:
        self.hit: Final = hit
        self.normal: Final = normal
        self.step_up: Final = step_up

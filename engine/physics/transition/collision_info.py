"""What one transition finds out on its way: contact, slides, collisions (sweep 2.7)."""

from __future__ import annotations

import math

from engine.dat.values import ZERO, Vec3
from engine.native import mypyc_attr
from engine.physics.body.outcome import Contact
from engine.physics.enums import OK, TransitionState
from engine.world.cells import ShadowObject
from engine.world.tolerance import EPS


@mypyc_attr(acyclic=True, free_list_len=1)
class CollisionInfo:
    """COLLISIONINFO: normals are unit vectors in block axes; what is not valid is None.

    ``last_known`` is the contact of the sub-step before; ``last_normal`` is that of the last one that was
    known at all: slides go by it even where it is no longer valid. ``collide_objects`` holds every target
    that was met, ``touched`` those of them that did not stop the mover (ethereal ones).
    """

    __slots__ = (
        "_met", "collide_objects", "collided_with_environment", "collision_normal", "contact",
        "frames_stationary_fall", "last_known", "last_normal", "sliding_normal", "touched",
    )  # fmt: skip

    def __init__(self) -> None:
        self.contact: Contact | None = None
        self.last_known: Contact | None = None
        self.last_normal: Vec3 = (0.0, 0.0, 0.0)
        self.sliding_normal: Vec3 | None = None
        self.collision_normal: Vec3 | None = None
        self.collide_objects: list[ShadowObject] = []
        self.touched: list[ShadowObject] = []
        self._met: set[int] = set()  # ids of what is in the first: a crowd may be met in every sub-step
        self.collided_with_environment = False
        self.frames_stationary_fall = 0

    def init(self) -> None:
        """Forget everything but the last normal."""
        self.contact = None
        self.last_known = None
        self.sliding_normal = None
        self.collision_normal = None
        self.collide_objects.clear()
        self.touched.clear()
        self._met.clear()
        self.collided_with_environment = False
        self.frames_stationary_fall = 0

    def remember(self, contact: Contact | None) -> None:
        """Make a contact the last known one."""
        self.last_known = contact
        if contact is not None:
            self.last_normal = contact.normal

    @property
    def slide_normal(self) -> Vec3:
        """The normal that a slide bends along: of the contact, else the last one that was known."""
        contact = self.contact
        return self.last_normal if contact is None else contact.normal

    def set_collision_normal(self, n: Vec3) -> None:
        """Note the direction of a blow, made unit; a negligible one becomes the zero vector."""
        self.collision_normal = unit_or_zero(n[0], n[1], n[2])

    def set_sliding_normal(self, n: Vec3) -> None:
        """Note the horizontal direction to slide along in the next sub-step."""
        self.sliding_normal = unit_or_zero(n[0], n[1], 0.0)

    def add_object(self, target: ShadowObject, state: TransitionState) -> None:
        """Note a target that was met, and with OK that it did not stop the mover."""
        if id(target) not in self._met:
            self._met.add(id(target))
            self.collide_objects.append(target)
            if state is OK:
                self.touched.append(target)


def unit_or_zero(x: float, y: float, z: float) -> Vec3:
    """The unit vector of a direction, the zero vector when it is shorter than EPS."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < EPS:
        return ZERO
    return (x / length, y / length, z / length)

"""What one transition finds out on its way: contact, slides, collisions (physics 2.7)."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.values import Plane, Vec3
from engine.physics.enums import EPS, OK
from engine.world.cells import ShadowObject

ZERO: Vec3 = (0.0, 0.0, 0.0)
NO_PLANE: Final = Plane(ZERO, 0.0)


class CollisionInfo:
    """COLLISIONINFO: planes are in the block frame of their ``..._cell_id``, normals in block axes.

    ``collide_objects`` holds every target that was met, ``touched`` those of them that did not stop
    the mover (ethereal ones).
    """

    __slots__ = (
        "collide_objects", "collided_with_environment", "collision_normal", "collision_normal_valid",
        "contact_plane", "contact_plane_cell_id", "contact_plane_is_water", "contact_plane_valid",
        "frames_stationary_fall", "last_known_contact_plane",
        "last_known_contact_plane_cell_id", "last_known_contact_plane_is_water",
        "last_known_contact_plane_valid", "sliding_normal", "sliding_normal_valid", "touched",
    )  # fmt: skip

    def __init__(self) -> None:
        self.contact_plane_valid = False
        self.contact_plane: Plane = NO_PLANE
        self.contact_plane_is_water = False
        self.contact_plane_cell_id = 0
        self.last_known_contact_plane_valid = False
        self.last_known_contact_plane: Plane = NO_PLANE
        self.last_known_contact_plane_is_water = False
        self.last_known_contact_plane_cell_id = 0
        self.sliding_normal_valid = False
        self.sliding_normal: Vec3 = (0.0, 0.0, 0.0)
        self.collision_normal_valid = False
        self.collision_normal: Vec3 = (0.0, 0.0, 0.0)
        self.collide_objects: list[ShadowObject] = []
        self.touched: list[ShadowObject] = []
        self.collided_with_environment = False
        self.frames_stationary_fall = 0

    def init(self) -> None:
        """Forget everything but the (stale) plane values."""
        self.contact_plane_valid = False
        self.contact_plane_is_water = False
        self.contact_plane_cell_id = 0
        self.last_known_contact_plane_valid = False
        self.sliding_normal_valid = False
        self.collision_normal_valid = False
        self.collide_objects.clear()
        self.touched.clear()
        self.collided_with_environment = False
        self.frames_stationary_fall = 0

    def set_contact_plane(self, plane: Plane, is_water: bool) -> None:
        """Note the plane stood on; the caller sets the cell id afterwards."""
        self.contact_plane_valid = True
        self.contact_plane = plane
        self.contact_plane_is_water = is_water

    def clear_contact(self) -> None:
        """Contact is no longer known."""
        self.contact_plane_valid = False
        self.contact_plane_is_water = False

    def contact_from_last_known(self) -> None:
        """Stand again on the last plane that was known."""
        self.contact_plane_valid = True
        self.contact_plane = self.last_known_contact_plane
        self.contact_plane_is_water = self.last_known_contact_plane_is_water
        self.contact_plane_cell_id = self.last_known_contact_plane_cell_id

    def set_collision_normal(self, n: Vec3) -> None:
        """Note the direction of a blow, made unit; a negligible one becomes the zero vector."""
        self.collision_normal_valid = True
        self.collision_normal = unit_or_zero(n[0], n[1], n[2])

    def set_sliding_normal(self, n: Vec3) -> None:
        """Note the horizontal direction to slide along in the next sub-step."""
        self.sliding_normal_valid = True
        self.sliding_normal = unit_or_zero(n[0], n[1], 0.0)

    def add_object(self, target: ShadowObject, state: int) -> None:
        """Note a target that was met, and with OK that it did not stop the mover."""
        if not any(known is target for known in self.collide_objects):
            self.collide_objects.append(target)
            if state == OK:
                self.touched.append(target)


def unit_or_zero(x: float, y: float, z: float) -> Vec3:
    """The unit vector of a direction, the zero vector when it is shorter than EPS."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < EPS:
        return ZERO
    return (x / length, y / length, z / length)

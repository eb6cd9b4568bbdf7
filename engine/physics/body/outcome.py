"""What a sweep or a placement came to, as its commit takes it (sweep 3.18)."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Plane, Vec3
from engine.native import mypyc_attr
from engine.world.cells import ObjCell, ShadowObject
from engine.world.frame import Position


@mypyc_attr(acyclic=True)
class Contact:
    """The plane that something stands on or touches, in the block frame of ``cell_id``; never changed.

    ``normal`` and ``d`` are those of the plane.
    """

    __slots__ = ("cell_id", "d", "is_water", "normal")

    def __init__(self, normal: Vec3, d: float, cell_id: int, *, is_water: bool = False) -> None:
        self.normal: Final = normal
        self.d: Final = d
        self.cell_id: Final = cell_id
        self.is_water: Final = is_water

    @staticmethod
    def on(plane: Plane, cell_id: int, *, is_water: bool = False) -> Contact:
        """The contact with a plane that is given as one value."""
        return Contact(plane.normal, plane.d, cell_id, is_water=is_water)

    @property
    def plane(self) -> Plane:
        """Normal and ``d`` as one value, for reports."""
        return Plane(self.normal, self.d)


@mypyc_attr(acyclic=True, free_list_len=1)
class Outcome:
    """Where a path ended and what was met on it; never changed.

    ``position`` is in the block frame of its cell id, ``cell`` is None where no loaded cell holds it. Normals
    are unit vectors in block axes, None where there is none. ``objects`` are the targets that were met,
    ``cell_ids`` the cell array at the end, ``frames_stationary_fall`` blocked sub-steps in a row.
    """

    __slots__ = (
        "cell", "cell_ids", "collided_with_environment", "collision_normal", "contact",
        "frames_stationary_fall", "objects", "position", "sliding_normal",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - what a commit takes, by keyword; hot state is made by one call
        self,
        *,
        position: Position,
        cell: ObjCell | None,
        contact: Contact | None = None,
        sliding_normal: Vec3 | None = None,
        collision_normal: Vec3 | None = None,
        collided_with_environment: bool = False,
        frames_stationary_fall: int = 0,
        objects: tuple[ShadowObject, ...] = (),
        cell_ids: tuple[int, ...] = (),
    ) -> None:
        self.position: Final = position
        self.cell: Final = cell
        self.contact: Final = contact
        self.sliding_normal: Final = sliding_normal
        self.collision_normal: Final = collision_normal
        self.collided_with_environment: Final = collided_with_environment
        self.frames_stationary_fall: Final = frames_stationary_fall
        self.objects: Final = objects
        self.cell_ids: Final = cell_ids

"""The path of the mover's spheres through one transition (sweep 2.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import check_walkable
from engine.dat.values import Sphere, Vec3
from engine.native import mypyc_attr
from engine.physics.enums import PLACEMENT, TRANSITION
from engine.physics.transition.found import NearMiss, Walkable
from engine.world.cells import ObjCell
from engine.world.frame import NOWHERE, Frame, Position
from engine.world.ids import block_offset
from engine.world.way import Knot

INTERP_LIMIT: Final = -0.1
"""How much of its probe height a step down may overshoot what it comes to stand on."""


@mypyc_attr(acyclic=True, free_list_len=1)
class SpherePath:
    """SPHEREPATH: where the mover was accepted last (``curr``) and where it is tried (``check``).

    ``global_sphere`` is in the block frame of ``check_pos``, ``curr_sphere`` in that of ``curr_pos``;
    ``localspace_*`` in the space of the tree under test. Positions are never changed in place: every
    operation here puts a new one, and ``moves`` counts those that moved the tried spheres. ``around``, centre
    and radius, is a sphere around them as they were after ``around_moves``. ``way`` holds the cell and the
    place of every accepted sub-step.
    """

    __slots__ = (
        "around", "around_moves", "backup_cell", "backup_check_pos", "begin_cell", "begin_pos",
        "bldg_check", "check_cell", "check_pos", "check_walkable", "collide", "curr_cell", "curr_pos",
        "curr_sphere", "end_pos", "global_sphere", "insert_type", "local_sphere", "localspace_moves",
        "localspace_pos", "localspace_scale", "localspace_sphere", "localspace_z", "moves", "near_miss",
        "num_sphere", "obstruction_ethereal", "placement_allows_sliding", "step_down", "step_down_amt",
        "step_up", "step_up_normal", "walk_interp", "walkable", "walkable_allowance", "way",
    )  # fmt: skip

    def __init__(self, spheres: Sequence[Sphere]) -> None:
        self.local_sphere: tuple[Sphere, ...] = tuple(spheres[:2])
        self.num_sphere = len(self.local_sphere)
        self.begin_cell: ObjCell | None = None
        self.begin_pos: Position | None = None
        self.end_pos: Position = NOWHERE
        self.curr_pos: Position = NOWHERE
        self.curr_cell: ObjCell | None = None
        self.check_pos: Position = NOWHERE
        self.check_cell: ObjCell | None = None
        self.curr_sphere: list[MovingSphere] = []
        self.global_sphere: list[MovingSphere] = []
        self.localspace_sphere: list[MovingSphere] = []
        for local in self.local_sphere:
            x, y, z = local.center
            self.curr_sphere.append(MovingSphere(x, y, z, local.radius))
            self.global_sphere.append(MovingSphere(x, y, z, local.radius))
            self.localspace_sphere.append(MovingSphere(x, y, z, local.radius))
        self.localspace_pos: Position = NOWHERE
        self.localspace_scale = 1.0
        self.localspace_moves = -1
        self.localspace_z: Vec3 = (0.0, 0.0, 1.0)
        self.insert_type = TRANSITION
        self.step_down = False
        self.step_down_amt = 0.0
        self.walk_interp = 1.0
        self.step_up = False
        self.step_up_normal: Vec3 = (0.0, 0.0, 0.0)
        self.collide = False
        self.backup_cell: ObjCell | None = None
        self.backup_check_pos: Position = NOWHERE
        self.walkable: Walkable | None = None
        self.walkable_allowance = 0.0
        self.check_walkable = False
        self.bldg_check = False
        self.obstruction_ethereal = False
        self.near_miss: NearMiss | None = None
        self.placement_allows_sliding = True
        self.way: list[Knot] = []
        self.moves = 0
        self.around: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
        self.around_moves = -1

    def init_path(self, cell: ObjCell | None, begin: Position | None, end: Position) -> None:
        """Begin a path: a placement at ``end`` when there is no ``begin`` (sweep 3.4)."""
        self.begin_cell = cell
        self.begin_pos = begin
        self.end_pos = end
        self.curr_cell = cell
        if begin is not None:
            self.curr_pos = begin
            self.insert_type = TRANSITION
        else:
            self.curr_pos = end
            self.insert_type = PLACEMENT
        self.cache_curr_sphere()

    def cache_curr_sphere(self) -> None:
        """Recompute the sphere centres at ``curr_pos``."""
        self._put_spheres(self.curr_sphere, self.curr_pos.frame)

    def cache_global_sphere(self) -> None:
        """Recompute the sphere centres at ``check_pos``."""
        self.moves += 1
        self._put_spheres(self.global_sphere, self.check_pos.frame)

    def _put_spheres(self, spheres: list[MovingSphere], frame: Frame) -> None:
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = frame.rot
        ox, oy, oz = frame.origin
        for i, local in enumerate(self.local_sphere):
            x, y, z = local.center
            s = spheres[i]
            s.x = m0 * x + m1 * y + m2 * z + ox
            s.y = m3 * x + m4 * y + m5 * z + oy
            s.z = m6 * x + m7 * y + m8 * z + oz

    def accept(self) -> None:
        """The tried position becomes the one that was accepted last."""
        self.curr_pos = self.check_pos
        self.curr_cell = self.check_cell
        self.cache_global_sphere()
        for i, tried in enumerate(self.global_sphere):
            accepted = self.curr_sphere[i]
            accepted.x = tried.x
            accepted.y = tried.y
            accepted.z = tried.z

    def set_check_pos(self, pos: Position, cell: ObjCell | None) -> None:
        """Try another position."""
        self.check_pos = pos
        self.check_cell = cell
        self.cache_global_sphere()

    def add_offset_to_check_pos(self, x: float, y: float, z: float) -> None:
        """Shift the tried position, metres in its block frame."""
        pos = self.check_pos
        ox, oy, oz = pos.frame.origin
        self.check_pos = Position(pos.cell_id, pos.frame.with_origin((ox + x, oy + y, oz + z)))
        self.moves += 1
        for s in self.global_sphere:
            s.x += x
            s.y += y
            s.z += z

    def adjust_check_pos(self, cell_id: int) -> None:
        """Give the tried position another cell id, and its origin in that cell's block frame."""
        pos = self.check_pos
        if pos.cell_id == cell_id:
            return
        frame = pos.frame
        if pos.cell_id >> 16 != cell_id >> 16:
            self.moves += 1
            x, y, z = block_offset(cell_id, pos.cell_id)
            for s in self.global_sphere:
                s.x += x
                s.y += y
                s.z += z
            ox, oy, oz = frame.origin
            frame = frame.with_origin((ox + x, oy + y, oz + z))
        self.check_pos = Position(cell_id, frame)

    def save_check_pos(self) -> None:
        """Remember the tried position (shared by all nested probes)."""
        self.backup_check_pos = self.check_pos
        self.backup_cell = self.check_cell

    def restore_check_pos(self) -> None:
        """Go back to the remembered position."""
        self.set_check_pos(self.backup_check_pos, self.backup_cell)

    def probe_height(self, height: float) -> tuple[float, bool]:
        """How far down one probe goes that is to reach so far, and whether it takes two (sweep 3.10 c).

        The second starts where the first ended: so 1.5 m are reached with a sphere of 0.96 m.
        """
        radius = self.global_sphere[0].r
        if self.num_sphere < 2 and 2.0 * radius < height:
            height = radius * 0.5
        if 2.0 * radius < height:
            return height * 0.5, True
        return height, False

    def set_collide(self, n: Vec3) -> None:
        """An airborne hit: try to land from here."""
        self.collide = True
        self.save_check_pos()
        self.step_up_normal = n
        self.walk_interp = 1.0

    def is_walkable_allowable(self, z: float) -> bool:
        """Whether an up-ness suffices for the present probe."""
        return z > self.walkable_allowance

    def check_walkables(self) -> bool:
        """Whether the last walkable polygon carries half the sphere; halves it in place."""
        walkable = self.walkable
        if walkable is None:
            return True
        walkable.sphere.r *= 0.5  # in place, so a second question asks for a quarter: the original's
        return check_walkable(walkable.polygon, walkable.sphere, walkable.up)

    def cache_localspace_sphere(self, pos: Position, scale: float) -> None:
        """Put the spheres into the space of a tree at ``pos`` with uniform ``scale`` (collision 4.1)."""
        frame, before = pos.frame, self.localspace_pos
        self.localspace_pos = pos
        if (
            frame is before.frame  # as that of a building's cells is
            and self.localspace_moves == self.moves
            and self.localspace_scale == scale
            and before.cell_id >> 16 == pos.cell_id >> 16
        ):
            return
        self.localspace_scale = scale
        self.localspace_moves = self.moves
        ax, ay, az = frame.origin
        if self.check_pos.cell_id >> 16 != pos.cell_id >> 16:
            ox, oy, _ = block_offset(pos.cell_id, self.check_pos.cell_id)
            ax -= ox
            ay -= oy
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = frame.rot
        inv = 1.0 / scale
        local = self.localspace_sphere
        for i, g in enumerate(self.global_sphere):
            s = local[i]
            x = g.x - ax
            y = g.y - ay
            z = g.z - az
            s.x = (m0 * x + m3 * y + m6 * z) * inv
            s.y = (m1 * x + m4 * y + m7 * z) * inv
            s.z = (m2 * x + m5 * y + m8 * z) * inv
            s.r = g.r * inv
        self.localspace_z = (m6, m7, m8)

    @property
    def localspace_curr_center(self) -> Vec3:
        """Where the foot sphere was accepted last, in the space of the tree under test."""
        pos = self.localspace_pos
        ax, ay, az = pos.frame.origin
        if self.curr_pos.cell_id >> 16 != pos.cell_id >> 16:
            ox, oy, _ = block_offset(pos.cell_id, self.curr_pos.cell_id)
            ax -= ox
            ay -= oy
        c = self.curr_sphere[0]
        x, y, z = c.x - ax, c.y - ay, c.z - az
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = pos.frame.rot
        inv = 1.0 / self.localspace_scale
        return (
            (m0 * x + m3 * y + m6 * z) * inv,
            (m1 * x + m4 * y + m7 * z) * inv,
            (m2 * x + m5 * y + m8 * z) * inv,
        )

    def displacement(self, index: int = 0) -> Vec3:
        """How far a sphere's tried centre is from its accepted one, in the block frame of ``check_pos``."""
        s = self.global_sphere[index]
        c = self.curr_sphere[index]
        check, curr = self.check_pos.cell_id, self.curr_pos.cell_id
        if check >> 16 != curr >> 16:
            ox, oy, oz = block_offset(curr, check)
            return (s.x + ox - c.x, s.y + oy - c.y, s.z + oz - c.z)
        return (s.x - c.x, s.y - c.y, s.z - c.z)

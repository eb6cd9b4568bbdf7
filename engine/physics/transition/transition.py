"""The transition: one mover, one path, one answer (physics 3).

This class holds the state of a sweep; the rules are functions in modules of their own: driver, insertion,
stepping, edges, sliding, placement, env_collisions, bsp_collisions. They call each other in circles (a
polygon that is hit starts a step up, which inserts, which hits polygons); what closes a circle goes through
the methods here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Sphere, Vec3
from engine.physics.enums import COLLIDED, TRANSITION
from engine.physics.membership.cell_array import CellArray
from engine.physics.transition.collision_info import CollisionInfo
from engine.physics.transition.driver import find_transitional_position
from engine.physics.transition.object_info import ObjectInfo
from engine.physics.transition.placement import find_placement_position
from engine.physics.transition.sliding import slide_sphere
from engine.physics.transition.sphere_path import SpherePath
from engine.physics.transition.stepping import check_walkable, step_down, step_up, step_up_slide
from engine.physics.transition.trace import Hit, SweepTrace
from engine.world.cell_graph import CellGraph
from engine.world.cells import ObjCell
from engine.world.frame import Position

if TYPE_CHECKING:
    from engine.physics.simulation.body import PhysicsBody

Tested = tuple[str, int, int, int]


class Transition:
    """One sweep of a mover through the cell graph.

    ``hits`` holds what changed the outcome, ``refused_by`` why the sweep was refused as a whole.
    ``under_test`` names what is being tested: kind (cell, terrain, building, entity), owner id, gfxobj id and
    index of the part (-1: none); whoever tests a shape sets it first. ``walkable_owner`` and
    ``walkable_cell`` are what was under test, and in which cell, when the path's walkable polygon was found;
    ``ground_owner``, ``ground_cell`` and ``ground_poly`` (-1: none) the same of the contact plane.
    ``array_spheres``, in the block frame of ``array_cell_id``, are those for which ``cell_array`` was filled
    with a pick (-1: for none), ``array_pick`` and ``array_interior`` its answer.
    """

    __slots__ = (
        "array_cell_id",
        "array_interior",
        "array_pick",
        "array_spheres",
        "cell_array",
        "collision_info",
        "ground_cell",
        "ground_owner",
        "ground_poly",
        "hits",
        "mover",
        "neg_hit",
        "object_info",
        "refused_by",
        "sphere_path",
        "trace",
        "under_test",
        "under_test_cell",
        "walkable_cell",
        "walkable_owner",
        "world",
    )  # fmt: skip

    def __init__(
        self,
        world: CellGraph,
        mover: PhysicsBody,
        spheres: Sequence[Sphere],
        trace: SweepTrace | None = None,
    ) -> None:
        self.world = world
        self.mover = mover
        self.sphere_path = SpherePath(spheres)
        self.collision_info = CollisionInfo()
        self.object_info = ObjectInfo()
        self.cell_array = CellArray()
        self.array_cell_id = -1
        self.array_spheres = [MovingSphere(0.0, 0.0, 0.0, 0.0) for _ in self.sphere_path.local_sphere]
        self.array_pick: ObjCell | None = None
        self.array_interior = False
        self.trace = trace
        self.hits: list[Hit] = []
        self.refused_by = ""
        self.neg_hit: Hit | None = None
        self.under_test: Tested = ("cell", 0, 0, -1)
        self.under_test_cell = 0
        self.walkable_owner: Tested = self.under_test
        self.walkable_cell = 0
        self.ground_owner: Tested = self.under_test
        self.ground_cell = 0
        self.ground_poly = -1

    # -- the whole sweep

    def init_path(self, cell: ObjCell | None, begin: Position | None, end: Position) -> None:
        """Set the ends of the path; without ``begin`` it is a placement at ``end``."""
        self.sphere_path.init_path(cell, begin, end)

    def find_valid_position(self) -> bool:
        """Run the sweep (or placement); False when it was refused as a whole (physics 3.4)."""
        if self.sphere_path.insert_type == TRANSITION:
            return find_transitional_position(self)
        return find_placement_position(self)

    # -- what shapes and cells call back

    def step_down(self, height: float, z: float) -> bool:
        """Probe for ground within a height (physics 3.13)."""
        return step_down(self, height, z)

    def check_walkable(self, z: float) -> bool:
        """Whether the foot has support (physics 3.13)."""
        return check_walkable(self, z)

    def step_up(self, normal: Vec3) -> bool:
        """Try to step up onto what was hit (physics 3.13); normal in block axes."""
        return step_up(self, normal)

    def step_up_slide(self) -> int:
        """What a failed step up does: slide along what was hit (physics 2.6)."""
        return step_up_slide(self)

    def slide_sphere(self, sphere: MovingSphere, normal: Vec3, curr_center: Vec3) -> int:
        """Keep only the motion along the crease of a wall and the ground (physics 3.15)."""
        return slide_sphere(self, sphere, normal, curr_center)

    def add_offset_to_check_pos(self, offset: Vec3) -> None:
        """Shift the tried position, block axes."""
        self.sphere_path.add_offset_to_check_pos(offset[0], offset[1], offset[2])

    def cache_localspace_sphere(self, pos: Position, scale: float) -> None:
        """Put the spheres into the space of a shape (physics 4.1)."""
        self.sphere_path.cache_localspace_sphere(pos, scale)

    def note_ground(self, poly: int) -> None:
        """Remember what is under test as what the contact plane is of."""
        self.ground_owner, self.ground_cell, self.ground_poly = self.under_test, self.under_test_cell, poly

    def note_hit(self, poly: int, normal: Vec3, response: str) -> Hit:
        """Remember what is under test as something that changed the outcome."""
        return self.add_hit(self.hit_under_test(poly, normal, response))

    def hit_under_test(self, poly: int, normal: Vec3, response: str) -> Hit:
        """What is under test, as a hit that nobody notes yet."""
        kind, owner, gfxobj, part = self.under_test
        return Hit(kind, owner, self.under_test_cell, gfxobj, poly, normal, response, part)

    def no_room(self) -> int:
        """What is under test stands where a placed mover was to be; an ethereal one is in nobody's way."""
        if self.trace is not None and not self.sphere_path.obstruction_ethereal:
            self.trace.test(self.hit_under_test(-1, (0.0, 0.0, 0.0), "no room"))
        return COLLIDED

    def add_hit(self, hit: Hit) -> Hit:
        """Note a hit; one polygon or shape is listed once, with what was done about it last."""
        if self.trace is not None:
            self.trace.hit(hit)
        for i in range(len(self.hits)):
            if self.hits[i].is_same(hit):
                self.hits[i] = hit
                return hit
        self.hits.append(hit)
        return hit

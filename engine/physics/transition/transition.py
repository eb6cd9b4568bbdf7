"""The transition: one mover, one path, one answer (sweep 3).

This is the state of a sweep and imports no rule. The rules are functions in modules of their own: driver,
insertion, stepping, edges, sliding, placement, env_collisions, bsp_collisions. They call each other in a
circle (a polygon that is hit starts a step up, which inserts, which hits polygons); the calls that lead from
one level to the next go through the rules that a transition is made with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from engine.dat.values import Sphere, Vec3
from engine.native import mypyc_attr
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Outcome
from engine.physics.enums import CELL_HIT, COLLIDED, Response, TransitionState
from engine.physics.membership.cell_array import CellArray
from engine.physics.transition.collision_info import CollisionInfo
from engine.physics.transition.found import Tested, UnderTest
from engine.physics.transition.hit import Hit
from engine.physics.transition.object_info import ObjectInfo
from engine.physics.transition.sphere_path import SpherePath
from engine.physics.transition.trace import SweepTrace
from engine.world.cell_graph import CellGraph
from engine.world.cells import ObjCell
from engine.world.frame import Position


@mypyc_attr(allow_interpreted_subclasses=True)
class SweepRules(ABC):
    """The questions of a sweep, each of a level of its own: from a try down to one cell, and steps between.

    Others than the original's can be handed to a transition, to watch it or to answer in their stead, and
    need not be compiled.
    """

    __slots__ = ()

    @abstractmethod
    def insert(self, t: Transition, attempts: int) -> TransitionState:
        """Try to be at the tried position, pushed about at most ``attempts`` times (sweep 3.10)."""

    @abstractmethod
    def collide(self, t: Transition, cell: ObjCell) -> TransitionState:
        """Collide with what one cell has and holds (sweep 3.11)."""

    @abstractmethod
    def step_up(self, t: Transition, normal: Vec3) -> bool:
        """Try to step up onto what was hit (sweep 3.13); normal in block axes."""

    @abstractmethod
    def step_down(self, t: Transition, height: float, z: float) -> bool:
        """Probe for ground of an up-ness of at least ``z`` within a height in metres (sweep 3.13)."""

    @abstractmethod
    def check_walkable(self, t: Transition, z: float) -> bool:
        """Whether the foot has support (sweep 3.13)."""


@mypyc_attr(acyclic=True, free_list_len=1)
class Transition:
    """One sweep of a mover through the cell graph.

    ``hits`` holds what changed the outcome, ``refused_by`` why the sweep was refused as a whole,
    ``in_the_way`` what left no room where a mover was to be put down last.
    ``under_test`` names what is being tested: kind, owner id, gfxobj id and index of the part (-1: none);
    whoever tests a shape sets it first. ``ground`` is what the last contact plane that was found is of.
    ``cell_array`` was filled with a pick, whose answer was ``array_pick``, in the block frame of
    ``array_cell_id`` (-1: for none) after so many moves of the spheres as ``array_moves`` says.
    """

    __slots__ = (
        "array_cell_id", "array_moves", "array_pick", "cell_array", "collision_info", "ground", "hits",
        "in_the_way", "mover", "object_info", "refused_by", "rules", "sphere_path", "trace", "under_test",
        "under_test_cell", "world",
    )  # fmt: skip

    def __init__(
        self,
        world: CellGraph,
        mover: PhysicsBody,
        spheres: Sequence[Sphere],
        rules: SweepRules,
        *,
        trace: SweepTrace | None = None,
    ) -> None:
        self.world = world
        self.mover = mover
        self.rules = rules
        self.sphere_path = SpherePath(spheres)
        self.collision_info = CollisionInfo()
        self.object_info = ObjectInfo()
        self.cell_array = CellArray(explains=trace is not None)
        self.array_cell_id = -1
        self.array_moves = -1
        self.array_pick: ObjCell | None = None
        self.trace = trace
        self.hits: list[Hit] = []
        self.refused_by = ""
        self.in_the_way: Hit | None = None
        self.under_test: UnderTest = (CELL_HIT, 0, 0, -1)
        self.under_test_cell = 0
        self.ground: Tested | None = None

    def init_path(self, cell: ObjCell | None, begin: Position | None, end: Position) -> None:
        """Set the ends of the path; without ``begin`` it is a placement at ``end``."""
        self.sphere_path.init_path(cell, begin, end)

    def outcome(self) -> Outcome:
        """What the path came to, for the commit."""
        path, info = self.sphere_path, self.collision_info
        return Outcome(
            position=path.curr_pos,
            cell=path.curr_cell,
            contact=info.contact,
            sliding_normal=info.sliding_normal,
            collision_normal=info.collision_normal,
            collided_with_environment=info.collided_with_environment,
            frames_stationary_fall=info.frames_stationary_fall,
            objects=tuple(info.collide_objects),
            cell_ids=tuple(self.cell_array.ids),
        )

    # -- what is under test, and what was hit

    def tested(self, poly: int) -> Tested:
        """What is under test, to be remembered; ``poly`` is the polygon's id, -1 for none."""
        return Tested(self.under_test, self.under_test_cell, poly)

    def note_hit(self, poly: int, normal: Vec3, response: Response) -> Hit:
        """Remember what is under test as something that changed the outcome."""
        return self.add_hit(self.hit_under_test(poly, normal, response))

    def hit_under_test(self, poly: int, normal: Vec3, response: Response) -> Hit:
        """What is under test, as a hit that nobody notes yet."""
        return self.tested(poly).hit(normal, response)

    def take_in_the_way(self) -> Hit | None:
        """What has left no room since this was asked last, None for nothing."""
        hit, self.in_the_way = self.in_the_way, None
        return hit

    def no_room(self) -> TransitionState:
        """What is under test stands where a placed mover was to be; an ethereal one is in nobody's way."""
        if not self.sphere_path.obstruction_ethereal:
            self.in_the_way = self.hit_under_test(-1, (0.0, 0.0, 0.0), Response.NO_ROOM)
            if self.trace is not None:
                self.trace.test(self.in_the_way)
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

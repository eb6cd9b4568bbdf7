"""A body in a world and simulation time: what becomes of a tick, whoever asks for it (sweep 3.2, 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Outcome
from engine.physics.enums import REFUSED_NOT_READY, TICK, TICKS_PER_SECOND
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.world_objects import WorldObjects
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.integration import update_physics
from engine.physics.simulation.movement import get_leave_ground_velocity, jump_velocity
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.residency import BlockKeeper, Residency
from engine.physics.simulation.sweep import SweepResult, cells_at, kept, make_transition, sweep
from engine.physics.simulation.tick_report import DoorReport, TickReport, door_report
from engine.physics.transition.obj_collisions import ethereal_check_for_collisions
from engine.physics.transition.trace import SweepTrace
from engine.world.cells import ObjCell
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.physics_state import SLEDDING
from engine.world.tolerance import EPS
from engine.world.way import DrawnPlace, Knot, Way

PLAYER_ID = 0x50000001
NOTHING: Vec3 = (0.0, 0.0, 0.0)
REACH = 24.0  # what stands within a landcell of a path must be there before the path is taken

RequestListener = Callable[[Position], None]
TickListener = Callable[[TickReport], None]


class SavedTick(NamedTuple):
    """What a simulation itself carries from tick to tick."""

    tick: int
    previous_position: Position
    way: Way
    state_velocity: Vec3
    requested: Vec3
    jump_vz: float
    last: SweepResult | None
    entered: bool


class Ticking:
    """A body, the objects around it and simulation time, in fixed steps of 1/30 s.

    The body is nowhere until it is put somewhere. ``trace`` makes every sweep keep its account. ``position``
    and ``previous_position`` are where the last tick ended and began, ``way`` leads from the one to the
    other, ``state_velocity`` is what the keys of a tick ask for. Listeners in ``on_request`` get a tick's
    target while the body is as its sweep finds it, those in ``on_tick`` the tick's report, those in
    ``on_arrival`` that of being put somewhere: what was met before counts no longer. While it ``waits``
    every sweep is refused, as while the world is on its way.
    """

    def __init__(
        self, world: World, mover: MoverSettings | None = None, residency: BlockKeeper | None = None
    ) -> None:
        self.world = world
        self.mover = mover if mover is not None else MoverSettings()
        self.residency: BlockKeeper = residency if residency is not None else Residency(world)
        self.objects = WorldObjects(world, self._somebody_stands_in, PLAYER_ID)
        self.residency.builders.append(self.objects.prepare)
        self.residency.gates.append(self.objects.stage)
        self.residency.discards.append(self.objects.forget)
        self.registry = self.objects.registry
        self.doors = self.objects.doors
        self.body = PhysicsBody(
            PLAYER_ID,
            self.mover.spheres,
            step_up_height=self.mover.step_up,
            step_down_height=self.mover.step_down,
            state=self.mover.state,
        )
        self.body.free_heading = self.mover.free_heading
        self.body.on_leave_ground.append(self._leave_ground)
        self.body.on_commit.append(self._committed)
        self._entered = False
        self.tick = -1
        self.trace = False
        self.previous_position = self.body.position
        self.way = Way.only(self.body.position.cell_id, self.body.position.frame.origin)
        self.state_velocity: Vec3 = NOTHING
        self._requested: Vec3 = NOTHING
        self._jump_vz = 0.0
        self._last: SweepResult | None = None
        self._door_reports: dict[int, DoorReport] = {}
        self.waits = False
        self.on_request: list[RequestListener] = []
        self.on_tick: list[TickListener] = []
        self.on_arrival: list[TickListener] = []

    # -- time and place

    @property
    def time(self) -> float:
        """Simulation time in seconds: the ticks that have passed."""
        return (self.tick + 1) / TICKS_PER_SECOND

    @property
    def position(self) -> Position:
        """Where the body is."""
        return self.body.position

    @property
    def feet_velocity(self) -> Vec3:
        """How fast the feet moved in the last tick, m/s in block axes; nothing where they stayed.

        Running is no velocity of the body's own: that one is what throws and falls it.
        """
        return self.way.moved(TICKS_PER_SECOND)

    def drawn(self, share: float = 1.0) -> DrawnPlace:
        """Where the feet are drawn when a share of a tick has passed since the last one began."""
        return self.way.drawn(share)

    # -- what a tick and an arrival come to

    def pure_tick(self, displacement: Vec3) -> TickReport:
        """A tick that is one pure sweep: no gravity and no velocity; a zero length moves nothing."""
        frame = self.body.position.frame
        self._requested = displacement
        if displacement == NOTHING:
            self._announce(self.body.position)
            return self._end_tick(self._kept())
        return self._end_tick(self._sweep(frame.with_origin(_add(frame.origin, displacement))))

    def full_tick(self, displacement: Vec3, frame: Frame) -> TickReport:
        """UpdateObjectInternal for 1/30 s; ``frame`` holds the new orientation (sweep 3.2, 3.3)."""
        body = self.body
        scale = body.scale if body.on_walkable else 0.0
        velocity, contact = body.velocity, body.contact
        moved, body.velocity = update_physics(
            body.velocity,
            body.acceleration,
            TICK,
            ground=contact.normal if contact is not None and body.on_walkable else None,
            friction=body.friction,
            sledding=(body.state & SLEDDING) != 0,
        )
        dx, dy, dz = displacement
        x, y, z = moved
        total = (dx * scale + x, dy * scale + y, dz * scale + z)
        self._requested = total
        if abs(total[0]) <= EPS and abs(total[1]) <= EPS and abs(total[2]) <= EPS:
            self._announce(Position(body.position.cell_id, frame))
            body.set_frame(frame)
            return self._end_tick(self._kept())
        before = body.position
        result = self._sweep(frame.with_origin(_add(before.frame.origin, total)))
        if not result.ok:
            body.set_frame(frame)
            if not self._is_ready(_add(before.frame.origin, total)):
                body.velocity = velocity  # time stands still for a body that waits for the world
        return self._end_tick(result)

    def arrive(self, result: SweepResult) -> TickReport:
        """The body was put somewhere: nothing of what it did before counts."""
        self._last = result.settled()
        self.state_velocity = NOTHING
        self._requested = NOTHING
        self.previous_position = self.body.position
        self.way = Way.only(self.body.position.cell_id, self.body.position.frame.origin)
        self._visit()
        report = self.report()
        for listener in self.on_arrival:
            listener(report)
        return report

    def jump_off(self, extent: float) -> bool:
        """Leave the ground by a jump of an extent (0..1); False off the ground (movement 10.4)."""
        vz = jump_velocity(self.mover.jump_skill, extent, self.mover.burden)
        if not self.body.on_ground or vz <= 0.0:
            return False
        self._jump_vz = vz
        self.body.set_on_walkable(value=False)
        return True

    def new_trace(self) -> SweepTrace | None:
        """What a sweep writes its account to, where one is kept."""
        return SweepTrace() if self.trace else None

    # -- saving

    def save_tick(self) -> SavedTick:
        """What is carried from tick to tick, but for body, doors and objects."""
        return SavedTick(
            tick=self.tick,
            previous_position=self.previous_position,
            way=self.way,
            state_velocity=self.state_velocity,
            requested=self._requested,
            jump_vz=self._jump_vz,
            last=self._last,
            entered=self._entered,
        )

    def restore_tick(self, saved: SavedTick) -> None:
        """Put that back."""
        self.tick, self.previous_position, self.way = saved.tick, saved.previous_position, saved.way
        self.state_velocity, self._requested = saved.state_velocity, saved.requested
        self._jump_vz, self._last, self._entered = saved.jump_vz, saved.last, saved.entered
        self._door_reports = {}

    # -- reports

    def report(self) -> TickReport:
        """What the last tick, or placement, came to."""
        result = self._last if self._last is not None else self._kept()
        now = self.time
        return TickReport(
            tick=self.tick,
            time=now,
            cell=result.cell_id,
            position=result.position.frame.origin,
            heading=result.position.frame.heading(),
            velocity=self.body.velocity,
            ok=result.ok,
            on_ground=result.on_ground,
            normal=result.normal,
            hits=result.hits,
            touched=result.touched,
            contact=result.contact,
            cells=result.cells,
            changed=result.changed,
            doors=self._report_doors(now),
            trace=result.trace,
            requested=self._requested,
            moved=self.way.moved(),
            sliding_normal=result.sliding_normal,
            refused_by=result.refused_by,
        )

    def _report_doors(self, now: float) -> tuple[DoorReport, ...]:
        known = self._door_reports
        self._door_reports = {n: door_report(door, now, known.get(n)) for n, door in self.doors.items()}
        return tuple(self._door_reports.values())

    @property
    def last_sweep(self) -> SweepResult | None:
        """The last sweep or placement, None before the first."""
        return self._last

    # -- inside a tick

    def _sweep(self, frame: Frame) -> SweepResult:
        """Sweep to a frame of the present block frame and commit; refused, it changes nothing.

        A path that comes near a landblock which is on its way is refused until that has come.
        """
        body = self.body
        if body.cell is None:
            raise SimulationError("the body is nowhere yet: spawn it first")
        start = body.position
        target = Position(start.cell_id, frame)
        self._announce(target)
        if not self._is_ready(frame.origin):
            return self._kept(refused_by=REFUSED_NOT_READY)
        body.clock = self.time
        result = sweep(self.world, body, target, self.new_trace())
        self.way = self._way_of(start, result.way)
        self.previous_position = start
        return result

    def _way_of(self, start: Position, taken: Sequence[Knot]) -> Way:
        """The way of a committed sweep: its accepted sub-steps, the last one as it was committed."""
        if not taken:
            return self.way.rested()
        now = self.body.position
        end = (now.cell_id, now.frame.origin)
        return Way([(start.cell_id, start.frame.origin), *taken[:-1], end])

    def _is_ready(self, target: Vec3) -> bool:
        """Whether the world is there on the way to a place of the present block frame."""
        position = self.body.position
        if self.waits:
            return False
        return self.residency.ready(position.cell_id, position.frame.origin, target, REACH)

    def _kept(self, refused_by: str = "") -> SweepResult:
        """The result of a tick without a sweep."""
        self.previous_position = self.body.position
        self.way = self.way.rested()
        return kept(self.world, self.body, refused_by)

    def _end_tick(self, result: SweepResult) -> TickReport:
        self._last = result
        self.tick += 1
        now = self.time
        for door in self.doors.values():
            door.advance(now)
        if self._entered:
            self._visit()
        self.residency.pump()
        report = self.report()
        for listener in self.on_tick:
            listener(report)
        return report

    def _committed(self, _body: PhysicsBody, left: ObjCell | None, outcome: Outcome) -> None:
        """A change of cell: what is loaded follows, but only when the tick is told as it was taken."""
        if left is None or left is not outcome.cell:
            self._entered = True

    def _visit(self) -> None:
        self._entered = False
        self.residency.visit(self.body.position.cell_id)

    def _announce(self, target: Position) -> None:
        for listener in self.on_request:
            listener(target)

    def _leave_ground(self, body: PhysicsBody) -> None:
        """LeaveGround: the velocity of a jump, of the motion, or what it was (movement 10.5)."""
        local = body.position.frame.to_local_vec(body.velocity)
        body.set_local_velocity(get_leave_ground_velocity(self.state_velocity, self._jump_vz, local))
        self._jump_vz = 0.0

    def _somebody_stands_in(self, target: PhysicsObject) -> int:
        """Who is in the way of an object becoming solid (objects 8.6): the body's id, 0 for nobody."""
        body = self.body
        if body.cell is None:
            return 0
        t = make_transition(self.world, body)
        t.init_path(body.cell, None, body.position)
        t.sphere_path.set_check_pos(body.position, body.cell)
        placements = [(frozenset(cells_at(self.world, body)), t)]
        return body.id if ethereal_check_for_collisions(target, placements) else 0


def _add(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])

"""What moves by itself in a simulation's world: idle entities, animated statics, the player's figure."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.pieces.hooks import CALL_SCRIPT, LOOK_HOOKS, PARTICLE_HOOKS, AnimationHook
from engine.motion.figure import Figure, Follower, Moved
from engine.motion.idle import HUMAN_SETUP, HUMAN_TABLE, Idle, Idles, Tables
from engine.motion.motion_state import MotionState
from engine.motion.pose import whole_pose
from engine.motion.ready_clip import Clips, Pose
from engine.named_tuple import NamedTuple
from engine.particles.appearance import Appearance, Changing
from engine.particles.hook_player import MOST_PLAYED, HookPlayer
from engine.particles.world_effects import SourceRecords, scaled
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.objects.doors import DoorController
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import PlacedObject
from engine.world.frame import Frame
from engine.world.models import Model

TICK: Final = 1.0 / TICKS_PER_SECOND
MOST_PLAYERS: Final = 10_000
"""Things whose hooks are remembered: on a long walk they come and go."""
MOST_PLAYED_OF_ALL: Final = 1 << 23
"""Hooks that all things of a picture together go through for their looks, some fifteen seconds': as many, at
the first look, as two thousand things have that change twice a second."""
_LOOKS: Final = LOOK_HOOKS | {CALL_SCRIPT}
_NOT_LOOKED_FOR: Final = object()
REMEMBERED: Final = 30.0
"""Seconds for which the hooks of the figure are kept: effects are worked out anew from so far back."""


class MovingParts(NamedTuple):
    """An idle as effects need it: its parts at a scale, and its hooks."""

    idle: Idle
    resting: Pose
    scale: float

    @property
    def weight(self) -> int:
        """The steps that finding a tick's hooks takes at most."""
        return self.idle.weight

    def parts(self, now: float) -> Pose:
        """The parts' frames relative to the object."""
        return scaled(whole_pose(self.idle.pose(now), self.resting), self.scale)

    def hooks(self, start: float, end: float) -> list[AnimationHook]:
        """The hooks that come due between two times."""
        return self.idle.hooks(start, end)


class LiveMotions:
    """The motions of one simulation's world. What stands about follows from the time, the figure from ticks.

    ``blended`` draws between two frames of an animation.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.blended = False
        self._simulation = simulation
        world = simulation.world
        self._clips = Clips(world.source, world.problems)
        self._tables = Tables(world.source, world.problems)
        self._idles = Idles(self._clips, self._tables)
        self._records = SourceRecords(world.source, world.problems)
        self._players: dict[tuple[int, int, int], HookPlayer | None] = {}
        self._looked_at, self._hooks_left = math.nan, MOST_PLAYED_OF_ALL
        self._statics: tuple[int, list[PlacedObject]] = (-1, [])
        self.player: PlayerFigure | None = None

    def follow_body(self) -> None:
        """Let the player's figure show what becomes of the body from now on."""
        self.player = self.player_figure()
        if self.player is not None:
            self.player.put()
            self._simulation.on_tick.append(self.player.tick)
            self._simulation.on_arrival.append(self.player.arrived)

    def close(self) -> None:
        """Follow nothing any longer."""
        if self.player is not None:
            self._simulation.on_tick.remove(self.player.tick)
            self._simulation.on_arrival.remove(self.player.arrived)
            self.player = None

    def player_figure(self) -> PlayerFigure | None:
        """The figure of a human; None where the world has none, and code draws one."""
        world = self._simulation.world
        setup = world.problems.fetch(world.source.setup, HUMAN_SETUP)
        model = world.model(HUMAN_SETUP) if setup is not None else None
        if model is None:
            return None
        lookup = self._tables.lookup(HUMAN_TABLE)
        motions = MotionState(lookup, self._clips) if lookup is not None else None
        return PlayerFigure(self._simulation, model, motions)

    def pose_of(self, placed: PlacedObject, now: float) -> Pose | None:
        """The parts of something placed at a time (seconds), relative to it; None where it rests."""
        model = self._simulation.world.model(placed.model_id)
        idle = self._idle(placed, model) if model is not None else None
        if model is None or idle is None:
            return None
        return whole_pose(idle.pose(now, blended=self.blended), model.part_frames)

    def appearance_of(
        self, placed: PlacedObject, scale: float, now: float, door: DoorController | None = None
    ) -> Appearance | None:
        """How hooks have made something placed look at a time (seconds); None where none has.

        Of a ``door`` those of its clips do, at the simulation's own time, if there are any; else those of its
        script and its animation.
        """
        if door is not None and door.motion.has_hooks:
            return _looked(door.hooks(now), len(door.motion.placement), scale, now)
        key = (placed.object_id, placed.model_id, placed.motion_table)
        player = self._players.get(key, _NOT_LOOKED_FOR)
        if player is _NOT_LOOKED_FOR:
            if len(self._players) >= MOST_PLAYERS:
                self._players.clear()
            player = self._players[key] = self._player(key, placed, scale)
        return self._look(player, now) if isinstance(player, HookPlayer) else None

    def _look(self, player: HookPlayer, now: float) -> Appearance | None:
        """Play what has come due, as far as there is time for all things together."""
        if now != self._looked_at:
            self._looked_at, self._hooks_left = now, MOST_PLAYED_OF_ALL
        appearance = player.at(now, min(MOST_PLAYED, self._hooks_left))
        self._hooks_left -= player.played
        if self._hooks_left <= 0:
            world = self._simulation.world
            world.problems.report(
                f"{world.source.name}: scripts and animations change how things look over "
                f"{MOST_PLAYED_OF_ALL} times; the rest is left out"
            )
        return appearance

    def pose_in(self, animation: int, frame: int, model: Model) -> Pose | None:
        """A model in a frame that an animation has; None without the animation."""
        clip = self._clips.get(animation)
        return None if clip is None else whole_pose(clip.poses[frame], model.part_frames)

    def statics(self) -> list[PlacedObject]:
        """The statics of the loaded world that move."""
        world = self._simulation.world
        version, found = self._statics
        if version != world.version:
            found = [
                placed
                for block in world.blocks.values()
                for placed in block.statics
                if (model := world.model(placed.model_id)) is not None and model.is_animated
            ]
            self._statics = (world.version, found)
        return found

    def effects_of_static(self, model: Model, scale: float) -> MovingParts | None:
        """A static's movement where effects go with it."""
        idle = self._idles.of(model, static=True)
        starts = idle is not None and (idle.has_effects or (model.script != 0 and idle.moves))
        return self._parts(model, idle, scale) if starts else None

    def effects_of_entity(self, placed: PlacedObject, model: Model, scale: float) -> MovingParts | None:
        """An entity's movement where effects go with it."""
        idle = self._idle(placed, model)
        starts = idle is not None and (idle.has_effects or (model.script != 0 and idle.moves))
        return self._parts(model, idle, scale) if starts else None

    def _player(self, key: tuple[int, int, int], placed: PlacedObject, scale: float) -> HookPlayer | None:
        """What plays the hooks of something that changes how it looks."""
        model = self._simulation.world.model(placed.model_id)
        if model is None:
            return None
        idle = self._idle(placed, model)
        animation = idle if idle is not None and idle.has_hooks(_LOOKS) else None
        if animation is None and not model.changes_looks:
            return None
        return HookPlayer(
            self._records,
            key,
            script=model.script,
            parts=len(model.parts),
            scale=scale,
            animation=animation,
        )

    def _idle(self, placed: PlacedObject, model: Model) -> Idle | None:
        return self._idles.of(model, placed.motion_table, static=not placed.is_entity)

    def _parts(self, model: Model, idle: Idle | None, scale: float) -> MovingParts | None:
        return None if idle is None else MovingParts(idle, model.part_frames, scale)


class PlayerFigure:
    """The human that stands for the body: ``model`` in the motions of its table, at rest without one."""

    def __init__(self, simulation: Simulation, model: Model, motions: MotionState | None) -> None:
        self.model = model
        self.hooks: list[tuple[float, AnimationHook]] = []
        """Those that start or end effects, and when they came due, of the last half minute."""
        self._simulation = simulation
        self._changing = Changing(len(model.parts))
        self._follower = Follower(Figure(motions)) if motions is not None else None

    def put(self) -> None:
        """The body was put somewhere."""
        self._changing = Changing(len(self.model.parts))
        if self._follower is not None:
            self._follower.put(self._simulation.position.frame.heading())

    def arrived(self, _report: TickReport) -> None:
        """The same, told by the simulation, whoever put it there."""
        self.put()

    def tick(self, report: TickReport) -> None:
        """Show what a tick did to the body."""
        if self._follower is None:
            return
        frame = self._simulation.position.frame
        moved = Moved(
            asked=_a_second(frame, report.requested),
            done=_a_second(frame, report.moved),
            heading=report.heading,
            on_ground=report.on_ground,
            rise=report.velocity[2],
        )
        events = self._follower.follow(moved, TICK)
        for hook in events:
            if hook is not None:
                self._changing.run(hook, report.time)
        fresh = [(report.time, h) for h in events if h is not None and h.type in PARTICLE_HOOKS]
        if fresh or self.hooks:
            self.hooks = [kept for kept in self.hooks if kept[0] > report.time - REMEMBERED] + fresh

    def pose(self, share: float = 1.0, *, blended: bool = False) -> Pose:
        """The parts' frames when a share of the tick under way has passed."""
        pose = None
        if self._follower is not None:
            pose = self._follower.figure.pose(share * TICK if blended else None)
        return whole_pose(pose, self.model.part_frames)

    def appearance(self, now: float) -> Appearance | None:
        """How the hooks of its animations have made it look at a time; None where none has."""
        return self._changing.at(now) if self._changing.is_changed else None

    @property
    def shown(self) -> tuple[int, int]:
        """The animation that is shown and its frame; 0 for none."""
        return (0, 0) if self._follower is None else self._follower.figure.shown

    @property
    def effects(self) -> FigureEffects | None:
        """What its animations start; None where they started nothing lately."""
        return FigureEffects(self) if self.hooks else None


class FigureEffects(NamedTuple):
    """The player's figure as effects need it."""

    figure: PlayerFigure

    @property
    def weight(self) -> int:
        """The steps that finding a tick's hooks takes."""
        return len(self.figure.hooks)

    def parts(self, now: float) -> Pose:  # noqa: ARG002 - the figure is where the last tick left it
        """The parts' frames relative to the body."""
        return self.figure.pose()

    def hooks(self, start: float, end: float) -> list[AnimationHook]:
        """The hooks that came due between two times."""
        return [hook for at, hook in self.figure.hooks if start < at <= end]


def _looked(
    hooks: list[tuple[float, AnimationHook]], parts: int, scale: float, now: float
) -> Appearance | None:
    changing = Changing(parts, scale)
    for at, hook in hooks:
        changing.run(hook, at)
    return changing.at(now) if changing.is_changed else None


def _a_second(frame: Frame, moved: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = frame.to_local_vec(moved)
    return (x * TICKS_PER_SECOND, y * TICKS_PER_SECOND, z * TICKS_PER_SECOND)

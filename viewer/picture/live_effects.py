"""Scripts and particles of a simulation's world: what of them a picture shows at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.dat.values import Vec3
from engine.particles.effects import Shown
from engine.particles.generations import TickAt
from engine.particles.world_effects import EntityPlace, WorldEffects
from engine.physics.simulation.simulation import Simulation
from engine.world.day_time import NOON, is_between
from engine.world.ids import is_outdoor
from viewer.picture.live_motions import LiveMotions
from viewer.picture.sky_effects import SkyEffects

AHEAD: Final = 0.002
"""Seconds a tick for effects that are loaded and not shown yet."""
NEAR: Final = 150.0
"""Metres within which what is outdoors is shown at once, else when its turn comes."""


class LiveEffects:
    """The effects of one simulation's world. They follow from the time alone, whatever was seen before.

    Only what the player's figure starts follows from the body's ticks. ``hour`` is that of the day, by which
    some entities are there or not.
    """

    def __init__(self, simulation: Simulation, motions: LiveMotions | None = None) -> None:
        self.motions = motions if motions is not None else LiveMotions(simulation)
        self.effects = WorldEffects(simulation.world, moving_of=self.motions.effects_of_static)
        self.hour = NOON
        self.sky = SkyEffects(simulation.world)
        self._simulation = simulation

    def close(self) -> None:
        """Stop following the world."""
        self.effects.close()

    def advance(self, now: float) -> None:
        """Let time pass up to the simulation's ``now``, seconds."""
        self._go_on(now, AHEAD)
        self.effects.say()

    def shown(self, now: float, eye: Vec3, in_picture: Callable[[int], bool]) -> Shown:
        """What is drawn at a time from an eye on the map.

        ``in_picture`` says of cells whether the picture shows them.
        """
        self._go_on(now, 0.0)

        def needed(cell_id: int, distance: float) -> bool:
            return in_picture(cell_id) and not (is_outdoor(cell_id) and distance > NEAR)

        shown = self.effects.shown(now, eye, needed)
        self.effects.say()
        return shown

    def _go_on(self, now: float, more: float) -> None:
        self.effects.follow(self._entities(now))
        tick, between = TickAt.of(now)
        self.effects.advance(tick, more, between=between)

    def _entities(self, now: float) -> list[EntityPlace]:
        simulation = self._simulation
        out: list[EntityPlace] = []
        for entity_id, placed in simulation.objects.placed.items():
            if not placed.is_entity:
                continue  # statics' effects come with their landblock
            target = simulation.registry.get(entity_id)
            model = simulation.world.model(placed.model_id)
            if target is None or model is None or not is_between(placed.hours, self.hour):
                continue
            door = simulation.doors.get(entity_id)
            moving = None
            if door is None:
                moving = self.motions.effects_of_entity(placed, model, target.scale)
            if not model.script and moving is None:
                continue
            parts = None if door is None else tuple(door.pose(now))
            cell_id, frame = target.position.cell_id, target.position.frame
            out.append(
                EntityPlace(
                    entity_id=entity_id,
                    model_id=placed.model_id,
                    cell_id=cell_id,
                    frame=frame,
                    scale=target.scale,
                    parts=parts,
                    moving=moving,
                )
            )
        player = self.motions.player
        moving_player = player.effects if player is not None else None
        if player is not None and moving_player is not None:
            body = simulation.position
            out.append(
                EntityPlace(
                    simulation.body.id, player.model.model_id, body.cell_id, body.frame, moving=moving_player
                )
            )
        return out

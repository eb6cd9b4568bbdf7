"""What a frame report says of the doors near the body."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.dat.values import Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.objects.doors import DoorController
from engine.physics.simulation.tick_report import door_report
from engine.world.frame import get_offset
from viewer.report.picture_report import CellId, DoorReport, ShapeReport

DOORS_WITHIN = 40.0


def door_reports(doors: Iterable[DoorController], body: PhysicsBody, now: float) -> tuple[DoorReport, ...]:
    """The doors near the body, nearest first."""
    found = [(get_offset(body.position, door.target.position), door) for door in doors]
    near = [(math.hypot(*way), door, way) for way, door in found if math.hypot(*way) <= DOORS_WITHIN]
    near.sort(key=lambda row: (row[0], row[1].entity_id))
    heading = body.position.frame.heading()
    return tuple(
        _door_report(door, distance, _bearing(way, heading), now=now) for distance, door, way in near
    )


def _bearing(way: Vec3, heading: float) -> float:
    return (math.degrees(math.atan2(way[0], way[1])) - heading + 180.0) % 360.0 - 180.0


def _door_report(door: DoorController, distance: float, bearing: float, *, now: float) -> DoorReport:
    target, report = door.target, door_report(door, now)
    status = report.status
    shapes = tuple(
        ShapeReport(
            kind=shape.kind.name.lower(),
            part=shape.part_index,
            gfxobj=CellId(shape.gfxobj_id),
            collides=shape in target.family and not status.is_passable,
            does=status.shape_words(is_family=shape in target.family),
        )
        for shape in target.shapes
    )
    return DoorReport(
        entity=CellId(target.entity_id),
        setup=CellId(target.model_id),
        cell=CellId(target.position.cell_id),
        position=target.position.frame.origin,
        distance=distance,
        state=report.state,
        flags=report.flags,
        phase=f"{report.phase}, locked" if door.locked else report.phase,
        countdown=report.countdown,
        shapes=shapes,
        cells=tuple(CellId(cell) for cell in target.cell_ids),
        does=status.words,
        held_by=CellId(status.held_by),
        is_locked=door.locked,
        disagrees=status.disagrees,
        since=now - door.phase_start,
        clip=door.motion.opening.length,
        bearing=bearing,
    )

"""What a frame report says of the doors near the body."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.body.body import PhysicsBody
from engine.physics.objects.door_status import DoorStatus
from engine.physics.objects.doors import DoorController
from engine.physics.objects.shadow_shape import ShadowShape
from engine.physics.simulation.tick_report import DoorReport as TickDoorReport
from engine.physics.simulation.tick_report import door_report
from engine.world.frame import get_offset
from viewer.report.picture_report import CellId, DoorReport, ShapeReport

DOORS_WITHIN = 40.0


class _Shapes(NamedTuple):
    """What was reported of a door's shapes and cells last, and what it was made of."""

    shapes: tuple[ShadowShape, ...]
    cell_ids: tuple[int, ...]
    is_passable: bool
    told: tuple[ShapeReport, ...]
    cells: tuple[CellId, ...]


class DoorReporter:
    """Reports the doors near a body; the shapes of one that stands as it did are kept for the next frame."""

    def __init__(self) -> None:
        self._known: dict[int, _Shapes] = {}

    def reports(
        self, doors: Iterable[DoorController], body: PhysicsBody, now: float
    ) -> tuple[DoorReport, ...]:
        """The doors near the body, nearest first."""
        found = [(get_offset(body.position, door.target.position), door) for door in doors]
        near = [(math.hypot(*way), door, way) for way, door in found if math.hypot(*way) <= DOORS_WITHIN]
        near.sort(key=lambda row: (row[0], row[1].entity_id))
        heading = body.position.frame.heading()
        known, self._known = self._known, {}
        out = []
        for distance, door, way in near:
            report = door_report(door, now)
            shapes = _shapes(door, report.status, known.get(door.entity_id))
            self._known[door.entity_id] = shapes
            out.append(_door_report(door, report, shapes, distance, bearing=_bearing(way, heading), now=now))
        return tuple(out)


def _bearing(way: Vec3, heading: float) -> float:
    return (math.degrees(math.atan2(way[0], way[1])) - heading + 180.0) % 360.0 - 180.0


def _shapes(door: DoorController, status: DoorStatus, known: _Shapes | None) -> _Shapes:
    """A door's shapes and cells; what is ``known`` of them where that still says it."""
    target = door.target
    if (
        known is not None
        and known.shapes is target.shapes
        and known.cell_ids is target.cell_ids
        and known.is_passable is status.is_passable
    ):
        return known
    family = frozenset(target.family)  # of a model of many shapes to look through it for each takes a square
    told = tuple(
        ShapeReport(
            kind=shape.kind.name.lower(),
            part=shape.part_index,
            gfxobj=CellId(shape.gfxobj_id),
            collides=shape in family and not status.is_passable,
            does=status.shape_words(is_family=shape in family),
        )
        for shape in target.shapes
    )
    return _Shapes(
        shapes=target.shapes,
        cell_ids=target.cell_ids,
        is_passable=status.is_passable,
        told=told,
        cells=tuple(CellId(cell) for cell in target.cell_ids),
    )


def _door_report(
    door: DoorController,
    report: TickDoorReport,
    shapes: _Shapes,
    distance: float,
    *,
    bearing: float,
    now: float,
) -> DoorReport:
    target, status = door.target, report.status
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
        shapes=shapes.told,
        cells=shapes.cells,
        does=status.words,
        held_by=CellId(status.held_by),
        is_locked=door.locked,
        disagrees=status.disagrees,
        since=now - door.phase_start,
        clip=door.motion.opening.length,
        bearing=bearing,
    )

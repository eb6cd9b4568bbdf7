"""A scenario: a closed door has no gap where one of its polygons stands, found by asking each polygon."""

from __future__ import annotations

import math
from typing import Final

from engine.collision.moving_sphere import MovingSphere
from engine.collision.polygon_tests import pos_hits_sphere
from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.objects.shadow_object import PhysicsObject
from engine.replay.probe.probe_answer import Passage, Pin, Probe
from engine.replay.probe.sweeps import probe
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.scenario import Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import Stage
from engine.world.bsp import BspNode
from engine.world.ids import rebase
from engine.world.polygon import Polygon

GRAZE: Final = 0.02  # metres less of the sphere: what it only just touches may let it pass
STEP: Final = 0.02  # metres between the places that are asked
ASKED_AT_MOST: Final = 3_000_000  # polygons, each at each place of a sweep: some ten seconds


def closed_across(stage: Stage) -> Outcome:
    """No small sphere crosses the doorway where a polygon of the closed door stands in its way.

    Real doors may leave gaps, so that what passes isn't wrong by itself: it is where the polygons, asked one
    by one without tree, bound or list of cells, say that it meets one (objects 8.2, 8.4, 8.5).
    """
    simulation = stage.simulation()
    _, door = stage.front_door(simulation)
    try:
        answer = probe(simulation, door)
    except ValueError as error:
        raise StagingError(str(error)) from error
    target = simulation.registry.get(door)
    assert target is not None
    pins = [pin for pin in answer.pins if pin.probe is Probe.SPHERE and pin.outcome is not Passage.NO_ROOM]
    passed = [pin for pin in pins if pin.outcome is Passage.PASSED]
    polygons = sum(len(_polygons(shape.root)) for shape in target.family)
    each = max(1, polygons * max(map(_steps, passed), default=0))
    if each > ASKED_AT_MOST:
        raise StagingError(f"a sweep through door {hex_id(door)} asks {each} polygons, too many")
    asked = evenly(passed, ASKED_AT_MOST // each, "sweeps that passed")
    wrong = [pin for pin in asked.things if _meets(target, answer.plane.cell_id, pin, answer.radius - GRAZE)]
    return Outcome(
        not wrong and len(passed) < len(pins),
        {"sweeps": len(pins), "passed": len(passed), "passed_through_a_polygon": len(wrong)},
        answer.verdict + asked.note,
    )


def _meets(target: PhysicsObject, cell_id: int, pin: Pin, radius: float) -> bool:
    """Whether a sphere meets a polygon of the target on a pin's way, which is in the cell's block frame."""
    count = _steps(pin)
    way: Vec3 = tuple(b - a for a, b in zip(pin.start, pin.end, strict=True))  # type: ignore[assignment]
    places = [tuple(a + w * k / count for a, w in zip(pin.start, way, strict=True)) for k in range(count + 1)]
    for shape, pose in zip(target.family, target.poses, strict=True):
        move, polygons = pose.frame.to_local_vec(way), _polygons(shape.root)
        for x, y, z in places:
            at = pose.frame.to_local(rebase((x, y, z), cell_id, pose.cell_id))
            k = 1.0 / shape.scale
            sphere = MovingSphere(at[0] * k, at[1] * k, at[2] * k, radius * k)
            if any(pos_hits_sphere(polygon, sphere, move)[0] for polygon in polygons):
                return True
    return False


def _steps(pin: Pin) -> int:
    return max(1, math.ceil(math.dist(pin.start, pin.end) / STEP))


def _polygons(root: BspNode | None) -> list[Polygon]:
    found: list[Polygon] = []
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        if node is not None:
            found += node.polygons
            open_nodes += (node.pos, node.neg)
    return found


GAP_SCENARIOS = (
    Scenario("door-closed-across", "a closed door blocks wherever it stands in its doorway", closed_across),
)

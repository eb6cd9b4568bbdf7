"""Writing captures: a listener of a simulation, one line a tick (promises 6)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from engine.dat.hex_id import hex_id
from engine.dat.values import Plane, Quat, Vec3
from engine.files.format_version import CAPTURE, FirstStamped
from engine.files.json_form import Json
from engine.files.write import LineFile
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import (
    OI_EDGE_SLIDE,
    OI_FREE_ROTATE,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PK_LITE,
    OI_IS_PLAYER,
    OI_PATH_CLIPPED,
)
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import is_separating
from engine.physics.simulation.tick_report import TickReport
from engine.replay.by_hand import ByHandWatch
from engine.world.frame import UP, Position
from engine.world.ids import rebase
from engine.world.physics_state import EDGE_SLIDE_STATE, MISSILE

NO_PLANE = Plane((0.0, 0.0, 0.0), 0.0)


class CaptureRecorder:
    """Writes every tick of a simulation into a file until it is closed; a placement is no tick.

    Each line stands for itself: it holds the body as the sweep found it, the state of every entity that is
    not in the one it was placed in, and those that were put down or taken away. An older file stays until
    the first line is there; without a tick the file says its form alone. ``on_end`` is told where the file
    ends early, and where without a tick the older one stays; without it the one is an OSError, in the midst
    of a tick.
    """

    def __init__(
        self, simulation: Simulation, path: Path, on_end: Callable[[str], object] | None = None
    ) -> None:
        self.path = path
        self._simulation = simulation
        self._file = LineFile(path, on_end=on_end)
        self._on_end = on_end
        self._stamped = FirstStamped(CAPTURE)
        self._is_empty = True
        self._asked: Json = {}
        self._before: Json = {}
        self._entities: Json = {}
        self._by_hand = ByHandWatch(simulation)
        self._changed: Json = {}
        simulation.on_request.append(self._request)
        simulation.on_tick.append(self._write)

    def __enter__(self) -> CaptureRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._file.abandon()
            self._stop()
        else:
            self.close()

    def close(self) -> None:
        """Stop listening and close the file; OSError where somebody has taken it away meanwhile."""
        if self._stop():
            if self._is_empty and self._on_end is not None:
                self._file.abandon()
                self._on_end(f"{self.path}: not written: there was no tick to record")
                return
            if self._is_empty:
                self._file.write(json.dumps(self._stamped({})))
            self._file.end()

    def _stop(self) -> bool:
        """Listen no more; whether it did so far."""
        if self._request in self._simulation.on_request:
            self._simulation.on_request.remove(self._request)
            self._simulation.on_tick.remove(self._write)
            return True
        return False

    def _request(self, target: Position) -> None:
        body = self._simulation.body
        self._asked = input_document(body, target)
        self._before = body_document(body)
        self._entities = {
            hex_id(entity_id): f"0x{found.state:X}"
            for entity_id, found in self._simulation.registry.objects.items()
            if found.state != found.first_state
        }
        self._changed = self._by_hand.now().to_json()

    def _write(self, report: TickReport) -> None:
        document: Json = {
            "tick": report.tick,
            "timestampMs": round(1000.0 * report.time),
            "input": self._asked,
            "bodyBefore": self._before,
            "result": result_document(report),
            "bodyAfter": body_document(self._simulation.body),
        }
        if self._entities:
            document["entityStates"] = self._entities
        document |= self._changed
        self._is_empty = False
        self._file.write(json.dumps(self._stamped(document), separators=(",", ":")))


def input_document(body: PhysicsBody, target: Position) -> Json:
    """What a sweep of the body to a target is asked, in the block frame of the body's cell."""
    spheres = body.movement_spheres
    radius = spheres[0].radius
    top = max(s.center[2] + s.radius for s in spheres)
    here = body.position
    grounded = body.on_ground and not is_separating(body)
    return {
        "currentPos": _point(here.frame.origin),
        "targetPos": _point(rebase(target.frame.origin, target.cell_id, here.cell_id)),
        "cellId": here.cell_id,
        "sphereRadius": radius,
        "sphereHeight": top,
        "stepUpHeight": body.step_up_height,
        "stepDownHeight": body.step_down_height,
        "isOnGround": grounded,
        "moverFlags": mover_flags(body),
        "movingEntityId": body.id,
        "spheres": [[*s.center, s.radius] for s in spheres],
        "targetOrientation": _turn(target.frame.quat),
    }


def mover_flags(body: PhysicsBody) -> int:
    """The OBJECTINFO bits that do not come from where the body stands (sweep 2.8)."""
    flags = OI_EDGE_SLIDE if body.state & EDGE_SLIDE_STATE else 0
    flags |= OI_PATH_CLIPPED if body.state & MISSILE else 0
    flags |= OI_FREE_ROTATE if body.free_heading else 0
    flags |= OI_IS_PLAYER if body.is_player else 0
    flags |= OI_IS_IMPENETRABLE if body.is_impenetrable else 0
    flags |= OI_IS_PK if body.is_pk else 0
    return flags | (OI_IS_PK_LITE if body.is_pk_lite else 0)


def body_document(body: PhysicsBody) -> Json:
    """A body as captures hold it."""
    contact = body.contact
    plane = NO_PLANE if contact is None else contact.plane
    return {
        "position": _point(body.position.frame.origin),
        "orientation": _turn(body.position.frame.quat),
        "velocity": _point(body.velocity),
        "acceleration": _point(body.acceleration),
        "omega": _point(body.omega),
        "groundNormal": _point(UP if contact is None else plane.normal),
        "slidingNormal": _point(body.sliding_normal),
        "contactPlaneValid": contact is not None,
        "contactPlane": {"normal": _point(plane.normal), "d": plane.d},
        "contactPlaneCellId": 0 if contact is None else contact.cell_id,
        "contactPlaneIsWater": contact is not None and contact.is_water,
        "walkablePolygonValid": False,
        "elasticity": body.elasticity,
        "friction": body.friction,
        "state": body.state,
        "transientState": body.transient_state,
        "lastUpdateTime": body.clock,
    }


def result_document(report: TickReport) -> Json:
    """What a tick came to; the position is in the block frame of ``cellId``."""
    return {
        "position": _point(report.position),
        "cellId": report.cell,
        "isOnGround": report.on_ground,
        "collisionNormalValid": report.collided,
        "collisionNormal": _point(report.normal or (0.0, 0.0, 0.0)),
        "ok": report.ok,
    }


def _point(p: Vec3) -> Json:
    return {"x": p[0], "y": p[1], "z": p[2]}


def _turn(q: Quat) -> Json:
    w, x, y, z = q
    return {"isIdentity": q == (1.0, 0.0, 0.0, 0.0), "x": x, "y": y, "z": z, "w": w}

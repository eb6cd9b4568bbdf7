"""Sound inputs of every kind, for a fuzzer to damage: scene, dumps, scripts, capture, spawns, layout."""

from __future__ import annotations

from engine.dat.pieces.bsp_record import BspNode, TreeKind, write_bsp
from engine.dat.primitives import Writer
from engine.dat.records.codecs import encode
from engine.dat.records.motion_table import MotionTable
from engine.dat.values import Sphere
from engine.files.format_version import SCENE, stamp
from viewer.window.sharing.bug_facts import LIBRARIES

PLACE = "0xA9B40170 [155.4 15.2 94.0] 1 0 0 0"


def scene() -> object:
    """A scene with everything that one can hold."""
    return {
        **stamp(SCENE),
        "home": PLACE,
        "terrain": {
            "heights": [94.0] * 81, "outside": 94.0,
            "blocks": {"0xA9B30000": {"heights": [94.0] * 81, "words": [4] * 81}},
        },
        "setups": [
            {
                "id": "0x02FF0001", "parts": ["0x01000A00"], "spheres": [[0, 0, 1, 0.5]],
                "frames": [{"origin": [0, 0, 0], "quat": [1, 0, 0, 0]}], "cylspheres": [[0, 0, 0, 0.5, 2]],
            }
        ],
        "objects": [
            {
                "setup": "0x02000A12", "at": PLACE, "entity": "0x7A9B4777", "state": "0x10008",
                "motion_table": "0x09000202", "scale": 1.5, "name": "door", "weenie_type": 19,
                "door": {"default_open": False, "locked": True, "reset_interval": 30.0},
            },
            {
                "gfxobj": "0x01000A00", "at": "0xA9B40022 [110 30 94] 1 0 0 0", "static": "0x4A9B5000",
                "exactly": {"origin": [110.0, 30.0, 94.0], "orientation": [1.0, 0.0, 0.0, 0.0]},
            },
        ],
        "buildings": [{"gfxobj": "0x01000A00", "at": "0xA9B40022 [110 30 94]",
                       "portals": [{"cell": "0xA9B40170", "portal": 0, "flags": 2, "sees": ["0xA9B40170"]},
                                   {"cell": "0xA9B40170", "portal": 0}]}],
        "cell_planes": {"0xA9B40170": [[0, 0, 1, -90]]},
    }  # fmt: skip


def box_dumps() -> dict[str, object]:
    """A room, a model and a setup as dumps, by file name."""
    low, high = (-3.0, -3.0, 0.0), (3.0, 3.0, 3.0)
    corners = [[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    polygons = [
        {
            "Id": number, "NumPoints": 4, "SidesType": 0,
            "Vertices": [dict(zip("XYZ", corners[i], strict=True)) for i in face],
        }
        for number, face in enumerate(faces)
    ]  # fmt: skip
    tree = BspNode("LEAF", sphere=Sphere((0.0, 0.0, 1.5), 5.0), polys=tuple(range(6)), leaf_index=0, solid=0)
    writer = Writer()
    write_bsp(writer, tree, TreeKind.PHYSICS)
    leaf, moves = writer.out.hex(), encode(MotionTable(0x09000202, 0)).hex()
    turned = {f"M{i}{j}": float(i == j) for i in range(1, 5) for j in range(1, 5)}
    return {
        "0xA9B40170.json": {
            "CellId": "0xA9B40170", "WorldTransform": {**turned, "M41": 155.0, "M42": 15.0, "M43": 94.0},
            "ResolvedPolygons": polygons, "PortalPolygons": polygons, "SeenOutside": True,
            "Orientation": [1.0, 0.0, 0.0, 0.0], "PhysicsTree": leaf,
            "Portals": [{"OtherCellId": 0xFFFF, "PolygonId": 2, "Flags": 0, "OtherPortalId": 0}],
            "VisibleCellIds": ["0xA9B40170"],
        },
        "0x01000010.gfxobj.json": {
            "GfxObjId": "0x01000010", "ResolvedPolygons": polygons, "DrawingPolygons": polygons,
            "PhysicsTree": leaf,
        },
        "0x09000202.record.json": {"Type": "MotionTable", "Stored": moves},
        "0x02000010.setup.json": {
            "Parts": ["0x01000010"], "PlacementFrames": [{"Origin": [0, 0, 0], "Orientation": [1, 0, 0, 0]}],
            "CylSpheres": [{"Origin": [0, 0, 0], "Radius": 0.5, "Height": 2}],
            "Spheres": [{"Origin": [0, 0, 1], "Radius": 0.5}], "Height": 2, "Radius": 1,
            "StepUpHeight": 0.6, "StepDownHeight": 1.5,
            "Scales": [[1, 1, 1]], "MotionTable": "0x09000202",
        },
        "scene.json": {"terrain": {"height": 94.0}, "objects": [{"setup": "0x02000010", "at": PLACE}]},
    }  # fmt: skip


def places() -> dict[str, object]:
    """Places with names."""
    return {"home": PLACE, "street": PLACE, "cottage cellar": PLACE}


AT = {"cell": "0xA9B40170", "origin": [155.4, 15.2, 94.005], "orientation": [1.0, 0.0, 0.0, 0.0]}


def script() -> object:
    """A script with every kind of step."""
    return {
        "start": PLACE,
        "mover": {
            "spheres": [[0, 0, 0.48, 0.48], [0, 0, 1.35, 0.48]], "step_up": 0.6, "step_down": 1.5,
            "run_skill": 200, "jump_skill": 300, "burden": 0.5,
        },
        "steps": [
            {"ticks": 3, "walk": [0, 0.1, 0]}, {"ticks": 2, "move": [0, 0.1, 0]}, {"moves": [[0, 0.1, 0]]},
            {"walks": [[0.1, 0, 0]]}, {"jump": 0.5}, {"wait": 0.1}, {"launch": [2, 0, 5]}, {"wait": 0.2},
            {"use": "0x7A9B4015"}, {"set_state": ["0x7A9B4015", "0x1000C"]}, {"teleport": PLACE},
            {"wait": 0.1},
        ],
    }  # fmt: skip


def walked_script() -> object:
    """A script that begins in the middle of a walk, with every kind of step that a walk is told."""
    placed = {
        "id": "0x7F000000", "model": "0x02000A12", **AT, "scale": 1.0, "state": "0x10008", "entity": True,
        "name": "door", "motion_table": "0x09000202", "weenie_type": 19, "hours": [17.5, 6.75],
        "door": {"default_open": False, "locked": False, "reset_interval": 30.0},
    }  # fmt: skip
    begin = {
        "tick": 7,
        "body": {
            "in_cell": "0xA9B40170", **AT, "cells": ["0xA9B40170"], "velocity": [0, 0, 0],
            "acceleration": [0, 0, 0], "omega": [0, 0, 0], "state": "0x400410", "transient_state": 3,
            "contact": {"plane": [0, 0, 1, -94], "cell": "0xA9B40170", "water": False},
            "sliding_normal": [0, 0, 0], "colliding_with_environment": False,
            "met": [["0x7A9B4015", 0.5, False]], "clock": 0.25, "friction": 0.95, "elasticity": 0.05,
        },
        "doors": {
            "0x7A9B4015": {
                "phase": "opening", "phase_start": 0.1, "reset_at": 30.1, "held_by": "0x00000000",
                "locked": False, "default_open": False, "reset_interval": 30.0,
            }
        },
        "states": {"0x7A9B4015": "0x1000C"}, "moved": {"0x7A9B4015": AT}, "spawned": [placed],
        "removed": ["0x7A9B4016"], "order": {"0xA9B40170": ["0x7A9B4015", "0x7F000000"]},
    }  # fmt: skip
    stage = {"entity": "0x7A9B4015", "state": "0x1000C", "phase": "open", "since": 1.5, "locked": True}
    keys = {"forward": 1, "side": -1, "turn": 0, "run": True, "jump": 0.5}
    return {
        "start": PLACE,
        "begin": begin,
        "steps": [
            {"face": 180.0}, {"keys": keys, "ticks": 3}, {"keys": {}}, {"put": {**AT, "exactly": True}},
            {"stage_door": stage}, {"spawn": placed}, {"despawn": "0x7F000000"}, {"keys": {"forward": 1}},
        ],
    }  # fmt: skip


def bug() -> dict[str, object]:
    """What a bug folder tells, all of it."""
    return {
        "asked": "tick 9: held by a door", "blocked": "held by a door",
        "location": PLACE, "look": [180.0, -5.0], "third_person": False,
        "size": [1280, 720], "modes": ["portals"], "hour": 12.0, "clouds": 3.5, "day_group": 0,
        "world": {"name": "demo", "words": ["--demo"]},
        "versions": {
            "holtwalk": "0.1.0", "python": "3.14.0", "platform": "Linux", "driver": "llvmpipe",
            **dict.fromkeys(LIBRARIES, "1.2.3"),
        },
        "first": 2, "last": 9, "tick": 9, "command": "holtwalk render --demo", "left_out": "",
        "told_again": "run again by the same input, every tick came out the same",
        "offset": [-2.5, 0.75],
        "distance": 2.61,
        "staged": 'done after tick 7, while time stood still: {"use": "0x7A9B4015"}',
        "dumps": {"cells": 12, "models": 4, "size": 300000, "told_again": "bug: 8 ticks (0 loose)"},
    }  # fmt: skip


def bare_bug() -> dict[str, object]:
    """The least that a bug folder tells."""
    kept = ("tick", "look", "third_person", "hour", "world")
    return {key: value for key, value in bug().items() if key in kept}


def case_script() -> object:
    """A script for the room of the dumps."""
    return {"start": PLACE, "steps": [{"ticks": 3, "walk": [0, 0.1, 0]}]}


def capture_lines() -> list[object]:
    """Two records of a capture, one of them as a client writes it."""
    point = {"x": 155.4, "y": 15.2, "z": 94.005}
    body = {
        "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, "velocity": point,
        "slidingNormal": {"x": 0, "y": -1, "z": 0},
        "contactPlaneValid": True, "contactPlane": {"normal": {"x": 0, "y": 0, "z": 1}, "d": -94},
        "contactPlaneCellId": 0xA9B40170, "contactPlaneIsWater": False, "state": 1040, "transientState": 135,
    }  # fmt: skip
    asked = {
        "currentPos": point, "targetPos": {**point, "y": 15.4}, "cellId": 0xA9B40170, "sphereRadius": 0.48,
        "sphereHeight": 1.2, "stepUpHeight": 0.6, "stepDownHeight": 1.5, "isOnGround": True,
        "moverFlags": 768, "movingEntityId": 1000000,
    }  # fmt: skip
    result = {
        "position": point, "cellId": 0xA9B40170, "isOnGround": True, "collisionNormalValid": True,
        "collisionNormal": {"x": 0, "y": 0, "z": 1}, "ok": True,
    }  # fmt: skip
    whole = {"tick": 1, "input": asked, "bodyBefore": body, "result": result, "bodyAfter": body}
    spheres = {**asked, "spheres": [[0, 0, 0.48, 0.48]], "targetOrientation": body["orientation"]}
    door = {
        "id": "0x7F000001", "model": "0x02000001", "cell": "0xA9B40170", "origin": [1, 2, 3],
        "orientation": [1, 0, 0, 0], "scale": 1, "state": None, "entity": True, "name": "door",
        "motion_table": "0x00000000", "weenie_type": 0,
    }  # fmt: skip
    lamp = {
        **door, "id": "0x7F000002", "state": "0x1000C", "hours": [17.5, 6.75],
        "door": {"default_open": False, "locked": False, "reset_interval": 30.0},
    }  # fmt: skip
    stood = {
        "entityStates": {"0x7A9B4015": "0x1000C"},
        "entitiesPlaced": [door, lamp], "entitiesGone": ["0x7A9B4016"],
    }  # fmt: skip
    return [whole, {**whole, "tick": 2, "input": spheres, **stood}]


SQL = """INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (412, 'door', 19); /* a door */
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (412, 1, 0x02000A12), (412, 2, 0x09000202);
INSERT INTO `weenie_properties_bool` (`object_Id`, `type`, `value`) VALUES (412, 2, False);
INSERT INTO `weenie_properties_float` (`object_Id`, `type`, `value`) VALUES (412, 11, 30.0), (412, 39, 1.5);
INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`,
 `angles_W`, `angles_X`, `angles_Y`, `angles_Z`) VALUES (0x7A9B4777, 412, 0xA9B40170, 155.4, 15.2, 94.0, 1, 0, 0, 0)
 , (0x7A9B4778, 412, 0xA9B40022, 110.0, 30.0, 94.0, 1, 0, 0, 0); -- two of them
"""  # noqa: E501


def recorded_line(tick: int) -> dict[str, object]:
    """A line of a recorded run."""
    return {
        "tick": tick, "cell": "0xA9B40170", "position": [1, 2, 3], "ok": True, "on_ground": True,
        "loose": False,
    }  # fmt: skip


LAYOUT = """[Window][Cells]
Pos=20,40
Size=300,200
Collapsed=0

[Window][Portals]
Pos=0,18
Size=300,400
DockId=0x00000003,1

[Table][0x12345678,3]
RefScale=13
Column 0  Width=60

[Docking][Data]
DockSpace   ID=0x484F4C54 Window=0x1BBC0F80 Pos=0,18 Size=300,782 Split=Y
  DockNode  ID=0x00000003 Parent=0x484F4C54 SizeRef=300,400 Selected=0x12345678
  DockNode  ID=0x00000004 Parent=0x484F4C54 SizeRef=300,380 CentralNode=1
"""

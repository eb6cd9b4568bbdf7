"""Writing a ``scene.json`` as it is read (sources 4)."""

from __future__ import annotations

import json

from engine.dat.hex_id import hex_id
from engine.dat.values import StoredFrame
from engine.files.format_version import KEY, SCENE, stamp
from engine.world.frame import Frame, Position
from engine.world.location import format_location
from engine.world.source import SceneObject
from engine.world.sources.json_node import Node, single
from engine.world.sources.scene_file import SETUP_TYPE, SceneBuilding, SceneFile, ScenePortal, SceneSetup


def format_scene(scene: SceneFile) -> str:
    """A scene as JSON text that ``parse_scene`` reads back, one line an object."""
    parts = [f'"{KEY}": {json.dumps(stamp(SCENE)[KEY])}']
    if scene.home:
        parts.append(f'"home": {json.dumps(scene.home)}')
    if scene.terrain is not None:
        terrain: dict[str, object] = {"heights": scene.terrain.heights, "outside": scene.terrain.outside}
        if set(scene.terrain.heights) == {scene.terrain.outside}:
            terrain = {"height": scene.terrain.outside}
        if scene.terrain.blocks:
            terrain["blocks"] = {
                hex_id(block): {"heights": ground.heights, "words": ground.words}
                for block, ground in scene.terrain.blocks
            }
        if scene.terrain.missing:
            terrain["missing"] = [hex_id(block) for block in scene.terrain.missing]
        parts.append(f'"terrain": {json.dumps(terrain)}')
    lists: list[tuple[str, list[dict[str, object]]]] = [
        ("setups", [_setup_json(item) for item in scene.setups]),
        ("objects", [_object_json(item) for item in scene.objects]),
        ("buildings", [_building_json(item) for item in scene.buildings]),
    ]
    for key, items in lists:
        if items:
            parts.append(f'"{key}": [\n  ' + ",\n  ".join(json.dumps(item) for item in items) + "\n]")
    if scene.cell_planes:
        rows = [
            f'"{hex_id(cell)}": {json.dumps([[*plane.normal, plane.d] for plane in planes])}'
            for cell, planes in scene.cell_planes
        ]
        parts.append('"cell_planes": {\n  ' + ",\n  ".join(rows) + "\n}")
    return "{" + ",\n".join(parts) + "}\n"


def _setup_json(setup: SceneSetup) -> dict[str, object]:
    out: dict[str, object] = {"id": hex_id(setup.setup_id)}
    if setup.parts:
        out["parts"] = [hex_id(part) for part in setup.parts]
    if setup.frames:
        out["frames"] = [{"origin": frame.origin, "quat": frame.orientation} for frame in setup.frames]
    if setup.cylspheres:
        out["cylspheres"] = [[*cyl.low_point, cyl.radius, cyl.height] for cyl in setup.cylspheres]
    if setup.spheres:
        out["spheres"] = [[*sphere.center, sphere.radius] for sphere in setup.spheres]
    return out


def _object_json(item: SceneObject) -> dict[str, object]:
    out: dict[str, object] = _placed_json(item.model_id, item.cell_id, item.frame)
    if item.entity_id is not None:
        out["entity"] = hex_id(item.entity_id)
    if item.state is not None:
        out["state"] = f"0x{item.state:X}"
    if item.motion_table:
        out["motion_table"] = hex_id(item.motion_table)
    if item.scale != 1.0:
        out["scale"] = item.scale
    if single(item.scale) != item.scale:
        out["exactly"] = _exactly(item.frame)
    if item.name:
        out["name"] = item.name
    if item.weenie_type:
        out["weenie_type"] = item.weenie_type
    if item.door is not None:
        out["door"] = item.door._asdict()
    if item.static_id is not None:
        out["static"] = hex_id(item.static_id)
    if item.hours is not None:
        out["hours"] = list(item.hours)
    return out


def _building_json(building: SceneBuilding) -> dict[str, object]:
    out = _placed_json(building.model_id, building.cell_id, building.frame)
    out["portals"] = [_portal_json(portal) for portal in building.portals]
    return out


def _portal_json(portal: ScenePortal) -> dict[str, object]:
    out: dict[str, object] = {"cell": hex_id(portal.cell), "portal": portal.portal}
    if portal.flags is not None:
        out |= {"flags": portal.flags, "sees": [hex_id(cell) for cell in portal.sees]}
    return out


def _placed_json(model_id: int, cell_id: int, frame: StoredFrame) -> dict[str, object]:
    kind = "setup" if model_id >> 24 == SETUP_TYPE else "gfxobj"
    place = format_location(Position(cell_id, Frame.stored(frame)), decimals=9)
    out: dict[str, object] = {kind: hex_id(model_id), "at": place}
    if Node(place, "").location()[1] != frame:
        out["exactly"] = _exactly(frame)
    return out


def _exactly(frame: StoredFrame) -> dict[str, object]:
    return {"origin": frame.origin, "orientation": frame.orientation}

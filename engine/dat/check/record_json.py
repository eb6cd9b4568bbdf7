"""Records as plain values for JSON: names, order and conventions of ``dat show --json`` (promises 9)."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from engine.dat.pieces.bsp_record import NODE_FIELDS, BspNode
from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.animation import ANIMATION_FIELDS, Animation
from engine.dat.records.env_cell import ENV_CELL_FIELDS, EnvCell
from engine.dat.records.environment import CELL_STRUCT_FIELDS, CellStruct
from engine.dat.records.land_block_info import LAND_BLOCK_INFO_FIELDS, LandBlockInfo
from engine.dat.records.motion_table import LINK_TARGET_FIELDS, MOTION_DATA_FIELDS, LinkTarget, MotionData
from engine.dat.records.physics_script import ScriptItem
from engine.dat.records.region_sky import SkyObjectReplace
from engine.dat.records.setup import SETUP_FIELDS, Setup
from engine.dat.records.surface import SURFACE_FIELDS, Surface
from engine.dat.values import CylSphere

_NOTHING = object()
_STORED: dict[type, tuple[str, ...]] = {
    Animation: ANIMATION_FIELDS,
    CellStruct: CELL_STRUCT_FIELDS,
    EnvCell: ENV_CELL_FIELDS,
    LandBlockInfo: LAND_BLOCK_INFO_FIELDS,
    LinkTarget: LINK_TARGET_FIELDS,
    MotionData: MOTION_DATA_FIELDS,
    Setup: SETUP_FIELDS,
    Surface: SURFACE_FIELDS,
}
"""Fields of records that keep another order than the file, or leave out a count that follows from others."""
_RENAMED = {
    (CylSphere, "low_point"): "low",
    (BspNode, "leaf_index"): "index",
    (SkyObjectReplace, "object_index"): "index",
}


def to_fields(record: Any) -> dict[str, Any]:
    """A record's fields in stored order: ids, flags and colours unsigned, vectors as lists.

    Quaternions w x y z, single-precision values exactly, tags as four letters, bytes as hex; a
    conditional field appears only when stored. Numbers that JSON has no word for become strings.
    """
    value = _plain(record)
    assert isinstance(value, dict)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, BspNode):
        return _tree(value)
    if isinstance(value, AnimationHook):
        return _hook(value)
    if isinstance(value, ScriptItem):
        # A hook's own field of the same name takes the place of the item's start, as in the format's samples.
        return {"start": _plain(value.start), **_hook(value.hook)}
    if isinstance(value, tuple):
        names = _STORED.get(type(value)) or getattr(value, "_fields", None)
        return [_plain(item) for item in value] if names is None else _members(value, names)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value


def _members(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    kind = type(value)
    out: dict[str, Any] = {}
    for name in names:
        item = getattr(value, name)
        if item is not None:
            out[_RENAMED.get((kind, name), name)] = _plain(item)
    return out


def _hook(hook: AnimationHook) -> dict[str, Any]:
    payload = {name: _plain(value) for name, value in hook.payload().items()}
    return {"type": hook.type, "direction": hook.direction, **payload}


def _tree(root: BspNode) -> dict[str, Any]:
    """A tree without recursion: children are converted before their parents."""
    done: dict[int, dict[str, Any]] = {}
    for node in reversed(list(root.walk())):
        out: dict[str, Any] = {}
        for name in NODE_FIELDS:
            item = getattr(node, name)
            if item is not None:
                shown = _RENAMED.get((BspNode, name), name)
                out[shown] = done[id(item)] if isinstance(item, BspNode) else _plain(item)
        done[id(node)] = out
    return done[id(root)]


def dumps(value: Any) -> str:
    """A document as JSON text, however deep its trees are; the same text as ``json.dumps``."""
    out: list[str] = []
    todo: list[tuple[str, Any]] = [("", value)]  # text to write first, then a value unless it is _NOTHING
    while todo:
        text, item = todo.pop()
        out.append(text)
        if isinstance(item, dict) and item:
            rows = [(f"{', ' if n else '{'}{json.dumps(key)}: ", item[key]) for n, key in enumerate(item)]
            todo.append(("}", _NOTHING))
            todo.extend(reversed(rows))
        elif isinstance(item, list) and any(isinstance(inner, dict | list) for inner in item):
            todo.append(("]", _NOTHING))
            todo.extend((", " if n else "[", item[n]) for n in reversed(range(len(item))))
        elif item is not _NOTHING:
            out.append(json.dumps(item))
    return "".join(out)

"""A record that an id leads to, with its fields as `dat show` prints them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from engine.dat.check.record_json import to_fields
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.world.source import WorldSource
from viewer.how_started import runs_here
from viewer.report.asked import FollowedReport
from viewer.report.field_text import field_lines

ID = re.compile(r"\b0x[0-9A-F]{8}\b")  # as lines have ids
MOST_LINES = 400  # of a record that are shown; the rest is `dat show`'s


def follow(source: WorldSource, object_id: int) -> FollowedReport:
    """The record of an id, as far as worlds read it."""
    read = _reader(source, object_id)
    try:
        record = None if read is None else read(object_id)
    except DatError as error:
        return FollowedReport(object_id, (str(error),))
    if record is None:
        return FollowedReport(object_id, (f"{source.name} has no {hex_id(object_id)}",))
    lines = list(islice(field_lines(to_fields(record)), MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES] = f"… and more: {runs_here(f'holtwalk dat show {hex_id(object_id)}')}"
    return FollowedReport(object_id, tuple(lines), _ids(source, lines))


def _ids(source: WorldSource, lines: list[str]) -> tuple[int, ...]:
    """The ids in lines that records of the portal dat are read by; colours and commands are none."""
    found = {int(word, 16) for line in lines for word in ID.findall(line)}
    return tuple(sorted(word for word in found if word >> 24 in _readers(source)))


def _reader(source: WorldSource, object_id: int) -> Callable[[int], Any] | None:
    if object_id & 0xFFFF == 0xFFFF:
        return source.land_block
    if object_id & 0xFFFF == 0xFFFE:
        return source.land_block_info
    found = _readers(source).get(object_id >> 24)
    if found is None and object_id & 0xFFFF >= 0x0100:
        return source.env_cell
    return found


def _readers(source: WorldSource) -> dict[int, Callable[[int], Any]]:
    """What reads the records of the portal dat, by the first byte of their ids."""
    return {
        0x01: source.gfx_obj, 0x02: source.setup, 0x03: source.animation, 0x04: source.palette,
        0x05: source.surface_texture, 0x06: source.render_surface, 0x08: source.surface,
        0x09: source.motion_table, 0x0D: source.environment, 0x11: source.degrade_info,
        0x12: source.scene_desc, 0x32: source.particle_emitter, 0x33: source.physics_script,
        0x34: source.physics_script_table,
    }  # fmt: skip

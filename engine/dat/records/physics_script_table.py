"""PhysicsScriptTable, 0x34: which script plays for which occasion (particles 1.3)."""

from __future__ import annotations

from bisect import bisect_left
from math import isnan
from typing import Final

from engine.dat.primitives import Reader, Writer
from engine.made_once import MadeOnce
from engine.named_tuple import NamedTuple


class ScriptChoice(NamedTuple):
    """A script that plays up to the intensity ``threshold``."""

    threshold: float
    script: int


class PlayType(NamedTuple):
    """The scripts of one occasion, such as 0x53 for stepping out of a portal."""

    type: int
    choices: tuple[ScriptChoice, ...]


class PhysicsScriptTable(NamedTuple):
    """Scripts by occasion and intensity, in stored order."""

    id: int
    plays: tuple[PlayType, ...]

    def choose(self, play_type: int, intensity: float) -> int | None:
        """The first script whose threshold the intensity does not pass; None where there is none.

        Of a type that is there twice the first stands.
        """
        thresholds, scripts = _choices(self).get(play_type, _NOTHING)
        at = len(thresholds) if isnan(intensity) else bisect_left(thresholds, intensity)
        return scripts[at] if at < len(thresholds) else None


_NOTHING: Final[tuple[list[float], list[int]]] = ([], [])


@MadeOnce
def _choices(table: PhysicsScriptTable) -> dict[int, tuple[list[float], list[int]]]:
    """By type the thresholds that are above all before them, and their scripts: no other is ever chosen.

    A thousand hooks of a tick may each ask a table of a hundred thousand rows.
    """
    out: dict[int, tuple[list[float], list[int]]] = {}
    for play in table.plays:
        if play.type in out:
            continue
        thresholds, scripts = out[play.type] = ([], [])
        for threshold, script in play.choices:
            if not isnan(threshold) and (not thresholds or threshold > thresholds[-1]):
                thresholds.append(threshold)
                scripts.append(script)
    return out


def read_physics_script_table(reader: Reader) -> PhysicsScriptTable:
    """A PhysicsScriptTable record."""
    table_id = reader.header_id()
    return PhysicsScriptTable(table_id, reader.many(reader.u32(), 8, _read_play))


def write_physics_script_table(writer: Writer, table: PhysicsScriptTable) -> None:
    """A PhysicsScriptTable record."""
    writer.u32(table.id)
    writer.u32(len(table.plays))
    for play in table.plays:
        writer.u32(play.type)
        writer.u32(len(play.choices))
        for choice in play.choices:
            writer.f32(choice.threshold)
            writer.u32(choice.script)


def _read_play(reader: Reader) -> PlayType:
    kind = reader.u32()
    return PlayType(kind, reader.many(reader.u32(), 8, lambda r: ScriptChoice(r.f32(), r.u32())))

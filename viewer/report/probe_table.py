"""A probe's pins as tables, one a side and probe, made once for many frames."""

from __future__ import annotations

from collections.abc import Mapping

from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple
from engine.replay.probe.probe_answer import Pin, Probe, ProbeAnswer, Side


class ProbeRow(NamedTuple):
    """The sweeps at one height (metres), as seen from their side: the mark of each, and the pin itself."""

    up: float
    pins: tuple[tuple[str, Pin | None], ...]


class ProbeTable(NamedTuple):
    """The sweeps of one probe from one side, the highest first."""

    title: str
    rows: tuple[ProbeRow, ...]


class ProbeShown(NamedTuple):
    """A probe's answer with what is shown of it."""

    answer: ProbeAnswer
    blocks: bool
    verdict: str
    tables: tuple[ProbeTable, ...]
    stoppers: tuple[str, ...]
    brief: Mapping[str, object]
    is_brief: bool = False

    def to_json(self) -> Mapping[str, object]:
        """The document of ``probe --json``; of one that ``is_brief`` without its pins, which were told."""
        return self.brief if self.is_brief else self.answer.to_json()


def shown_of(answer: ProbeAnswer) -> ProbeShown:
    """A probe's answer, made ready to be shown frame after frame."""
    return ProbeShown(
        answer=answer,
        blocks=answer.blocks,
        verdict=answer.verdict,
        tables=probe_tables(answer),
        stoppers=tuple(line.strip() for line in answer.stoppers),
        brief={**answer.to_json(), "pins": []},
    )


def probe_tables(answer: ProbeAnswer) -> tuple[ProbeTable, ...]:
    """The tables of a probe; where the grid has no sweep the mark is blank."""
    out = []
    for side in Side:
        cell = answer.plane.front if side is Side.FRONT else answer.plane.back
        for probe in Probe:
            pins = [pin for pin in answer.pins if pin.side is side and pin.probe is probe]
            if pins:
                title = f"{probe.value} from the {side.value} ({hex_id(cell)})"
                out.append(ProbeTable(title, _rows(pins, answer.entity)))
    return tuple(out)


def _rows(pins: list[Pin], entity: int) -> tuple[ProbeRow, ...]:
    """Seen from behind, right is left."""
    columns = sorted({pin.right for pin in pins}, reverse=pins[0].side is Side.BACK)
    by_place = {(pin.right, pin.up): pin for pin in pins}
    rows = []
    for up in sorted({pin.up for pin in pins}, reverse=True):
        found = [by_place.get((right, up)) for right in columns]
        rows.append(ProbeRow(up, tuple((" " if pin is None else pin.mark(entity), pin) for pin in found)))
    return tuple(rows)

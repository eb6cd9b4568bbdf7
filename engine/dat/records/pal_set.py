"""PalSet, 0x0F: a set of palettes to choose from (dat-format 3.11)."""

from __future__ import annotations

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple


class PalSet(NamedTuple):
    """Palette ids."""

    id: int
    palettes: tuple[int, ...]


def read_pal_set(reader: Reader) -> PalSet:
    """A PalSet record."""
    return PalSet(reader.header_id(), reader.array("I", reader.i32()))


def write_pal_set(writer: Writer, pal_set: PalSet) -> None:
    """A PalSet record."""
    writer.u32(pal_set.id)
    writer.i32(len(pal_set.palettes))
    writer.array("I", pal_set.palettes)

"""Palette, 0x04: colours that indexed images name (dat-format 3.11)."""

from __future__ import annotations

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple


class Palette(NamedTuple):
    """Colours 0xAARRGGBB, 2048 of them in every shipped palette."""

    id: int
    colors: tuple[int, ...]


def read_palette(reader: Reader) -> Palette:
    """A Palette record."""
    return Palette(reader.header_id(), reader.array("I", reader.i32()))


def write_palette(writer: Writer, palette: Palette) -> None:
    """A Palette record."""
    writer.u32(palette.id)
    writer.i32(len(palette.colors))
    writer.array("I", palette.colors)

"""What the map shows: where one is, the cells of a slice of heights, doors, what is selected."""

from __future__ import annotations

from dataclasses import dataclass

from engine.named_tuple import NamedTuple

Flat = tuple[float, float]


class MapCell(NamedTuple):
    """A cell from above, in metres of the world, and what it is just now."""

    cell: int
    outline: tuple[Flat, ...]
    is_current: bool
    is_visible: bool
    is_selected: bool


class MapMark(NamedTuple):
    """Something that stands on the map: a door, or what was picked."""

    at: Flat
    name: str
    color: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MapReport:
    """A map, east and north in metres from the world's south-west corner.

    ``middle`` is the place in the middle of it and ``scale`` the pixels of a metre; ``heights`` the slice.
    ``body`` and ``eye`` are where these are, ``heading`` where one looks (degrees clockwise from north).
    ``texture`` is the picture of the whole world (an OpenGL name, 0 while there is none) and ``share`` how
    much of it is made. ``follows`` tells that it moves with the body, ``has_cells`` that it is near enough to
    show cells and doors.
    """

    middle: Flat
    scale: float
    follows: bool
    heights: tuple[float, float]
    body: Flat
    eye: Flat
    heading: float
    cells: tuple[MapCell, ...] = ()
    buildings: tuple[tuple[Flat, ...], ...] = ()
    marks: tuple[MapMark, ...] = ()
    texture: int = 0
    share: float = 0.0
    has_cells: bool = True
    trouble: str = ""

    def to_json(self) -> dict[str, object]:
        """What a line of ``--report`` has of it."""
        return {
            "middle": list(self.middle),
            "scale": self.scale,
            "heights": list(self.heights),
            "cells": [f"0x{cell.cell:08X}" for cell in self.cells],
            "visible": [f"0x{cell.cell:08X}" for cell in self.cells if cell.is_visible],
            "texture": self.texture > 0,
            "share": self.share,
            "trouble": self.trouble,
        }

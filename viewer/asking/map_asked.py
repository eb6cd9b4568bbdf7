"""The map as somebody looks at it: its place and scale, what is clicked, and what it shows."""

from __future__ import annotations

import math
from typing import Final

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import PictureView
from engine.world.ids import BLOCK_SIDE, rebase
from engine.world.physics_state import ETHEREAL
from engine.world.terrain import terrain_height
from viewer.asking.plan import SLICE, Flat, Plan
from viewer.asking.world_map import WorldMap
from viewer.report.map_report import MapCell, MapMark, MapReport
from viewer.report.picked import PickAnswer

SCALES: Final = (0.002, 60.0)  # pixels of a metre
FIRST_SCALE: Final = 9.0
STEP: Final = 1.25  # of a notch of the wheel
WORLD: Final = 255 * BLOCK_SIDE  # metres on a side
CELLS_FROM: Final = 0.6  # pixels of a metre from which cells are drawn
SHUT, OPEN, PICKED = (255, 170, 60), (90, 220, 240), (255, 255, 255)


class MapAsked:
    """A map of one simulation; it costs something only while ``is_seen``."""

    def __init__(self, simulation: Simulation) -> None:
        self.world = WorldMap()
        self.is_seen = self._wanted = False
        self._simulation = simulation
        self._plan = Plan(simulation)
        self._middle: Flat | None = None
        self._scale = FIRST_SCALE
        self._raised = 0.0
        self._size = (200.0, 200.0)

    def want(self, size: tuple[float, float]) -> None:
        """It is looked at, in so many pixels."""
        self._wanted, self._size = True, size
        self.world.want()

    def begin_frame(self) -> None:
        """A frame begins: who looked in the last one is taken to look in this one."""
        self.is_seen, self._wanted = self._wanted, False

    def drag(self, right: float, down: float) -> None:
        """It was pulled by so many pixels."""
        x, y = self._center()
        self._middle = (x - right / self._scale, y + down / self._scale)

    def zoom(self, notches: float, at: Flat) -> None:
        """The wheel turned over a place, which stays where it is."""
        x, y = self._center()
        scale = max(SCALES[0], min(SCALES[1], self._scale * STEP**notches))
        k = self._scale / scale
        if self._middle is not None or scale < self._scale:
            self._middle = (at[0] + (x - at[0]) * k, at[1] + (y - at[1]) * k)
        self._scale = scale

    def follow(self) -> None:
        """Move with the body again, from near by."""
        self._middle, self._raised, self._scale = None, 0.0, FIRST_SCALE

    def show_world(self) -> None:
        """Look at the whole world."""
        self._middle = (WORLD / 2.0, WORLD / 2.0)
        self._scale = max(SCALES[0], min(self._size) / WORLD)

    def raise_slice(self, metres: float) -> None:
        """Look at a slice so much higher or lower."""
        self._raised += metres

    def cell_at(self, at: Flat) -> int:
        """The cell of the slice at a place; 0 for none."""
        return self._plan.at(*at, *self._heights())

    def place_at(self, at: Flat) -> str:
        """A place as the game prints it: in the cell there, else on the ground."""
        cell = self.cell_at(at)
        x, y = at
        east, north = int(x // BLOCK_SIDE), int(y // BLOCK_SIDE)
        if not (0 <= east <= 0xFE and 0 <= north <= 0xFE):
            return ""
        block_id = (east << 24) | (north << 16)
        local = x - east * BLOCK_SIDE, y - north * BLOCK_SIDE
        if cell:
            ground = self._simulation.world.locate(hex_id(cell)).frame.origin[2]
            return f"{hex_id(cell)} [{local[0]:.3f} {local[1]:.3f} {ground:.3f}]"
        block = self._simulation.world.blocks.get(block_id)
        height = None if block is None else terrain_height(block, *local)
        if height is None:
            return hex_id(block_id)
        return f"{hex_id(block_id)} [{local[0]:.3f} {local[1]:.3f} {height:.3f}]"

    def report(
        self, picture: PictureView | None, *, selected: int, lit: int, picked: PickAnswer | None
    ) -> MapReport | None:
        """What it shows; None where nobody looks."""
        if not self.is_seen:
            return None
        position = self._simulation.position
        x, y, _ = rebase(position.frame.origin, position.cell_id, 0)
        eye, heading = (x, y), position.frame.heading()
        visible: set[int] = set()
        if picture is not None:
            seen = picture.frozen if picture.frozen is not None else picture
            visible = {row.cell for row in seen.cells}
            ex, ey, _ = rebase(picture.view.eye, picture.root, 0)
            eye, heading = (ex, ey), picture.view.angles()[0]
        cells: tuple[MapCell, ...] = ()
        buildings: tuple[tuple[Flat, ...], ...] = ()
        marks: list[MapMark] = []
        has_cells = self._scale >= CELLS_FROM
        if has_cells:
            box = self._box()
            chosen = {selected, lit} - {0}
            cells = tuple(
                MapCell(
                    cell=p.cell,
                    outline=p.outline,
                    is_current=p.cell == position.cell_id,
                    is_visible=p.cell in visible,
                    is_selected=p.cell in chosen,
                )
                for p in self._plan.cells(*self._heights(), box)
            )
            buildings = tuple(self._plan.buildings(box))
            marks = self._doors(box)
        if picked is not None and picked.place is not None:
            px, py, _ = rebase(picked.place, picked.root, 0)
            marks.append(MapMark((px, py), picked.facet.title if picked.facet else "", PICKED))
        texture = self.world.texture
        return MapReport(
            middle=self._center(),
            scale=self._scale,
            follows=self._middle is None,
            heights=self._heights(),
            body=(x, y),
            eye=eye,
            heading=heading,
            cells=cells,
            buildings=buildings,
            marks=tuple(marks),
            texture=0 if texture is None else texture.glo,
            share=self.world.share,
            trouble=self.world.trouble,
            has_cells=has_cells,
        )

    def _doors(self, box: tuple[float, float, float, float]) -> list[MapMark]:
        out = []
        west, south, east, north = box
        low, high = self._heights()
        for door in self._simulation.doors.values():
            position = door.target.position
            x, y, z = rebase(position.frame.origin, position.cell_id, 0)
            if west <= x <= east and south <= y <= north and low - 1.0 <= z <= high:
                passes = door.target.state & ETHEREAL
                name = f"door {hex_id(door.entity_id)}: {'lets bodies pass' if passes else 'solid'}"
                out.append(MapMark((x, y), name, OPEN if passes else SHUT))
        return out

    def _center(self) -> Flat:
        if self._middle is not None:
            return self._middle
        position = self._simulation.position
        x, y, _ = rebase(position.frame.origin, position.cell_id, 0)
        return x, y

    def _heights(self) -> tuple[float, float]:
        z = self._simulation.position.frame.origin[2] + self._raised
        return z + SLICE[0], z + SLICE[1]

    def _box(self) -> tuple[float, float, float, float]:
        x, y = self._center()
        half = math.ceil(max(self._size) / self._scale / 2.0)
        return x - half, y - half, x + half, y + half

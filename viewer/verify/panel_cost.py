"""What the panels cost a frame: all of them open, with something asked in most."""

from __future__ import annotations

import math
import time
from typing import Final

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from viewer.overlay.dock.layout import PanelLayout
from viewer.overlay.dock.layout_file import SavedLayout
from viewer.overlay.host import OverlayHost
from viewer.overlay.menu import draw_menu
from viewer.overlay.panel_table import PANELS, draw_panels
from viewer.tables.keys import default_keys
from viewer.window.walking.walk import Walk

SIZE: Final = (1280, 720)
COLUMNS: Final = 5
SETTLING: Final = 10  # frames until windows and tables have found their places
STEPS: Final = 20  # ticks of a walk before, so that there is a last move to tell of


def side_by_side() -> PanelLayout:
    """A layout in which every panel is a window of its own, none behind another."""
    rows = math.ceil(len(PANELS) / COLUMNS)
    width, height = SIZE[0] / COLUMNS, (SIZE[1] - 25.0) / rows
    places = {
        panel.title: ((n % COLUMNS) * width, 25.0 + (n // COLUMNS) * height, width - 5.0, height - 5.0)
        for n, panel in enumerate(PANELS)
    }
    return PanelLayout(SavedLayout(places=places))


def panel_times(simulation: Simulation, frames: int, layout: PanelLayout) -> list[float]:
    """The thread's own milliseconds of frames' report, menu and panels, on the current GL context.

    Asked are why a cell is seen or not, and a door's probe where one is near. Raises MissingResourceError.
    """
    walk = Walk(simulation)
    try:
        for _ in range(STEPS):
            walk.advance(TICK, MovementInput(forward=1))
        walk.look_out((714, 560), 0.0)
        cell = simulation.body.cell
        stab = () if cell is None else cell.stab_list
        walk.questions.ask_why(stab[-1] if stab else simulation.position.cell_id)
        if walk.report().doors:
            walk.questions.probe(walk.report().doors[0].entity)
        walk.look_out((714, 560), 0.0)
        return _times(walk, frames, layout)
    finally:
        walk.close()


def _times(walk: Walk, frames: int, layout: PanelLayout) -> list[float]:
    overlay, keys = OverlayHost(), default_keys()
    took = []
    assert walk.seen is not None
    try:
        for _ in range(SETTLING + frames):
            start = time.thread_time()
            walk.questions.look(walk.seen)
            with overlay.frame(SIZE, 1.0 / 60.0):
                draw_menu(layout, PANELS, keys, run=_nothing, words=(walk.location(),))
                draw_panels(walk.report(), walk, SIZE, layout, tells_widgets=walk.tells_widgets)
            took.append(1000.0 * (time.thread_time() - start))
    finally:
        overlay.close()
    return took[SETTLING:]


def _nothing(_: str) -> None:
    """Menus that nobody opens."""

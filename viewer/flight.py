"""The fly camera: it leaves the body and its flood behind and looks at what the body sees (rendering 8.3)."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.visibility.carry import CarryResult
from engine.visibility.clip import full_view
from engine.visibility.frame_view import FrameView, ViewOptions, build_view
from engine.visibility.openings import OpeningIndex
from engine.visibility.pview import CellView, PView
from engine.visibility.view import View, basis
from engine.world.cells import EnvCell
from engine.world.ids import rebase
from engine.world.world import World

SPEED = 8.0


class Flight:
    """Where the detached eye is, in the block frame of ``cell_id``, metres."""

    def __init__(self, cell_id: int, eye: Vec3) -> None:
        self.cell_id = cell_id
        self.eye = eye

    def move(self, look: tuple[float, float], axes: tuple[int, int, int], seconds: float) -> None:
        """Fly ahead, to the right and up (each axis -1, 0 or 1) along a look (yaw, pitch in degrees)."""
        right, _, forward = basis(*look)
        ahead, side, up = axes
        step = SPEED * seconds
        x, y, z = self.eye
        self.eye = (
            x + step * (ahead * forward[0] + side * right[0]),
            y + step * (ahead * forward[1] + side * right[1]),
            z + step * (ahead * forward[2] + side * right[2] + up),
        )


def detached_view(
    world: World, index: OpeningIndex, seen: FrameView, flight: Flight, view: View
) -> FrameView:
    """What ``seen`` lists, drawn whole from another eye.

    The root stays where it was and no cell is added: indoors the frozen flood's cells with their
    regions opened to the whole screen, outdoors the landscape with the look-ins of the new eye.
    """
    eye = rebase(flight.eye, flight.cell_id, seen.root)
    walk = CarryResult(seen.root, eye, (), False, False, None)
    if seen.flood is None:
        return build_view(world, seen.root, eye, eye, eye, view, ViewOptions(strict_root=True), index)
    out = FrameView(seen.path, seen.body_cell, walk, view.at(eye))
    out.flood = _opened(world, seen.flood, out.view)
    out.outside = [full_view()] if seen.outside else []
    out.flood.outside = out.outside
    out.cells = seen.cells
    return out


def _opened(world: World, flood: PView, view: View) -> PView:
    """The same cells in the same order, each with the whole screen for its region."""
    out = PView(world.get_visible, view, True, flood.allowed, flood.rules)
    out.root = flood.root
    out.order = list(flood.order)
    out.edges = set(flood.edges)
    for cell_id in flood.order:
        cell = world.get_visible(cell_id)
        if isinstance(cell, EnvCell):
            opened = CellView(cell)
            out.init_cell(opened, -1)
            opened.dist = flood.cells[cell_id].dist
            opened.views = [full_view()]
    return out

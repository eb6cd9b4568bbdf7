"""The fly camera: it leaves the body and its flood behind and looks at what the body sees (views 8.3)."""

from __future__ import annotations

from engine.dat.values import Vec3
from engine.visibility.carry import carry
from engine.visibility.look_in import LookIn
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.visibility.view import View, basis
from engine.visibility.view_polygon import full_view
from engine.world.ids import rebase
from engine.world.loading.world import World

SPEED = 8.0


class Flight:
    """Where the detached eye is, in the block frame of ``cell_id``, metres.

    That is the cell the eye has come to through portals; walls hold it up no more than they do the eye.
    """

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

    def carry(self, world: World, openings: OpeningIndex, start: Vec3) -> None:
        """Let the cell follow the eye from ``start`` through portals, as a root follows a body's."""
        eye = self.eye
        reached = carry(world, openings, self.cell_id, start, pivot=start, eye=eye)
        if not reached.blocked and reached.root != self.cell_id:
            self.eye = rebase(eye, self.cell_id, reached.root)
            self.cell_id = reached.root


def detached_view(seen: PictureView, flight: Flight, view: View, *, whole: bool = False) -> PictureView:
    """What ``seen`` lists, drawn whole from another eye.

    The root stays where it was and no cell is added: the cells of the frozen floods with their regions
    opened to the whole screen, those behind a building's opening seen through it. Where the new eye is on
    the opening's other side they are drawn without it, and all are with ``whole``.
    """
    screen = (full_view(),)
    eye = rebase(flight.eye, flight.cell_id, seen.root)
    out = PictureView(
        path=seen.path,
        body_cell=seen.body_cell,
        root=seen.root,
        carried=(),
        blocked=False,
        blocked_by=None,
        drawn_cell=seen.drawn_cell,
        view=view.at(eye),
        outside=screen if seen.outside else (),
        cells=seen.cells,
        frozen=seen,
    )
    if whole:
        return out._replace(flood=seen.flood, loose=tuple(dict.fromkeys(row.cell for row in seen.cells)))
    if seen.flood is not None:
        out = out._replace(flood=seen.flood.opened(out.view, screen))
    loose: list[int] = []
    look_ins: list[LookIn] = []
    for x in seen.look_ins:
        here = rebase(eye, seen.root, x.block_id)
        d = x.aperture.opening.polygon.distance(x.building.pos.frame.to_local(here))
        if (d > 0.0) != (x.portal.portal_side == 0):
            loose += x.flood.draw_order()
            continue
        opened = x.flood.opened(out.view.at(here), screen)
        look_ins.append(x._replace(region=screen, through=screen, flood=opened, straddling=False))
    return out._replace(
        look_ins=tuple(look_ins), loose=tuple(dict.fromkeys(loose)) if seen.flood is None else ()
    )

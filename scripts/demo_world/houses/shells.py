"""Outsides of houses: blocks with gables, porches, chimneys, roofs with eaves, and frames about openings.

A shell is drawn from one list of faces and collides with another: eaves, plinths and frames are for the eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.values import Vec3
from scripts.demo_world.geometry import (
    Points,
    clip,
    cross,
    cut_hole,
    lies_in_plane,
    minus,
    plus,
    times,
    unit,
)  # fmt: skip
from scripts.demo_world.materials import metres_of
from scripts.demo_world.mesh import gfx_obj, level_axis, welded
from scripts.demo_world.solids import Face, Uv, box, moved, prism, quad

Storey = tuple[float, str]
PLINTH, EAVES, THICK = 0.45, 0.5, 0.16
MOST_SQUEEZED, MOST_STRETCHED = 0.75, 1.34  # of a texture along a wall
SOUTH, EAST, NORTH, WEST, _TOP, BOTTOM = range(6)  # the faces of a box


@dataclass
class Shell:
    """A building's outside under construction, in the building's space."""

    holes: Sequence[Points]
    walls: list[Face] = field(default_factory=list)
    extras: list[Face] = field(default_factory=list)
    solid: list[Points] = field(default_factory=list)

    def block(
        self,
        profile: Sequence[Uv],
        start: float,
        end: float,
        *,
        along: str,
        storeys: Sequence[Storey],
        leave_out: Sequence[int] = (),
    ) -> None:
        """A house body: a profile whose lowest side lies on the ground, drawn out along an axis.

        ``storeys`` name the walls' materials from the ground up and the height each begins at. ``leave_out``
        names sides (as ``prism`` numbers its faces) that lie within another block. The sides that look up
        are roof: they collide, but ``roof`` draws them.
        """
        n = len(profile)
        faces = prism(profile, start, end, along=along, materials=[""] * (n + 2))
        for i, face in enumerate(faces):
            if i in leave_out:
                continue
            pieces = self.cut(face.points)
            self.solid += pieces
            if i >= n or abs(_up(face.points)) < 0.01:
                self.walls += [part for piece in pieces for part in _storeyed(piece, face.points, storeys)]

    def cut(self, points: Points) -> list[Points]:
        """A wall without the openings that lie in its plane."""
        pieces = [points]
        for hole in self.holes:
            if lies_in_plane(hole, points):
                pieces = [part for piece in pieces for part in cut_hole(piece, hole)]
        return pieces

    def passage(self, points: Points) -> None:
        """Cut an opening that is no portal, such as the wall behind a porch's doorway, out of the walls."""
        self.holes = [*self.holes, points]

    def roof(self, eave_a: Vec3, eave_b: Vec3, ridge_b: Vec3, ridge_a: Vec3, *, material: str) -> None:
        """A slab of roof from its eave up to its ridge, with overhang at the eave and both gables."""
        along, rise = unit(minus(eave_b, eave_a)), unit(minus(ridge_a, eave_a))
        normal = cross(along, rise)
        ends = times(along, EAVES * 0.8)
        low = times(rise, -EAVES)
        a = plus(minus(eave_a, ends), low)
        b = plus(plus(eave_b, ends), low)
        c, d = plus(ridge_b, ends), minus(ridge_a, ends)
        up = times(normal, THICK)
        # At the ridge it ends upright: so does the slab on the other side, and there is no gap between them.
        high = (0.0, 0.0, THICK / normal[2])
        top = [plus(a, up), plus(b, up), plus(c, high), plus(d, high)]
        self.extras.append(_face(top, material))
        self.extras.append(_face([b, a, d, c], "trim"))
        bottom = [a, b, c, d]
        for i in range(4):
            j = (i + 1) % 4
            self.extras.append(_face([bottom[i], bottom[j], top[j], top[i]], "trim"))

    def gable_roof(self, low: Uv, high: Uv, *, eave: float, ridge: float, material: str) -> None:
        """Two slabs over a rectangle, from the south and the north up to a ridge midway between them."""
        (west, south), (east, north) = low, high
        ends = [(east, (south + north) / 2, ridge), (west, (south + north) / 2, ridge)]
        self.roof((west, south, eave), (east, south, eave), ends[0], ends[1], material=material)
        self.roof((east, north, eave), (west, north, eave), ends[1], ends[0], material=material)

    def plinth(self, low: Uv, high: Uv, door: tuple[float, float] | None = None) -> None:
        """A course of rubble about a rectangle on the ground, with a gap in its south side for a door."""
        (x0, y0), (x1, y1) = low, high
        t = 0.06
        spans = [(x0 - t, x1 + t)] if door is None else [(x0 - t, door[0]), (door[1], x1 + t)]
        for a, b in spans:
            self.extras += beam((a, y0 - t, -0.3), (b, y0, PLINTH), "rubble", NORTH, BOTTOM)
        self.extras += beam((x0 - t, y1, -0.3), (x1 + t, y1 + t, PLINTH), "rubble", SOUTH, BOTTOM)
        self.extras += beam((x0 - t, y0, -0.3), (x0, y1, PLINTH), "rubble", EAST, BOTTOM)
        self.extras += beam((x1, y0, -0.3), (x1 + t, y1, PLINTH), "rubble", WEST, BOTTOM)

    def band(self, low: Uv, high: Uv, z: float) -> None:
        """A beam about a rectangle where one storey ends and the next begins."""
        (x0, y0), (x1, y1) = low, high
        t, top = 0.1, z + 0.22
        self.extras += beam((x0 - t, y0 - t, z), (x1 + t, y0, top), "trim", NORTH)
        self.extras += beam((x0 - t, y1, z), (x1 + t, y1 + t, top), "trim", SOUTH)
        self.extras += beam((x0 - t, y0, z), (x0, y1, top), "trim", EAST)
        self.extras += beam((x1, y0, z), (x1 + t, y1, top), "trim", WEST)

    def frame(self, hole: Points, out: Vec3, *, sill: bool) -> None:
        """Beams about an upright opening, standing out from the wall along ``out``."""
        low = min(p[2] for p in hole)
        high = max(p[2] for p in hole)
        feet = [p for p in hole if p[2] == low]
        a, b = sorted(feet)
        side = unit(minus(b, a))
        wall = {(0.0, -1.0): NORTH, (0.0, 1.0): SOUTH, (1.0, 0.0): WEST, (-1.0, 0.0): EAST}[out[:2]]
        for start, end, z0, z1 in (
            (plus(a, times(side, -0.16)), a, low, high + 0.18),
            (b, plus(b, times(side, 0.16)), low, high + 0.18),
            (a, b, high, high + 0.18),
            *([(plus(a, times(side, -0.2)), plus(b, times(side, 0.2)), low - 0.12, low)] if sill else []),
        ):
            tip = plus(end, times(out, 0.09))
            corner0 = (min(start[0], tip[0]), min(start[1], tip[1]), z0)
            corner1 = (max(start[0], tip[0]), max(start[1], tip[1]), z1)
            self.extras += beam(corner0, corner1, "trim", wall)

    def chimney(self, low: Vec3, high: Vec3) -> None:
        """A stack of field stones with a course of ashlar above and a dark flue in it."""
        faces = box(low, high, "rubble")
        self.extras += faces
        self.solid += [face.points for face in faces]
        (x0, y0, _), (x1, y1, z1) = low, high
        self.extras += box((x0 - 0.08, y0 - 0.08, z1), (x1 + 0.08, y1 + 0.08, z1 + 0.15), "ashlar")
        self.extras += box((x0 + 0.12, y0 + 0.12, z1 + 0.15), (x1 - 0.12, y1 - 0.12, z1 + 0.2), "iron")[:5]

    def decoration(self, faces: Sequence[Face], offset: Vec3 = (0.0, 0.0, 0.0)) -> None:
        """Something to look at that doesn't collide."""
        self.extras += moved(faces, offset)

    def model(self, object_id: int, openings: Sequence[Points]) -> GfxObj:
        """The building's model with a PORT node for every opening."""
        return gfx_obj(object_id, [*welded(self.walls), *self.extras], self.solid, openings)


def beam(low: Vec3, high: Vec3, material: str, *hidden: int) -> list[Face]:
    """A box without those of its faces that lie against a wall or in the ground."""
    return [face for side, face in enumerate(box(low, high, material)) if side not in hidden]


def _storeyed(piece: Points, whole: Points, storeys: Sequence[Storey]) -> list[Face]:
    """A piece of wall by storeys, each with a whole number of repeats of its texture along the whole wall.

    Where that would stretch or squeeze it too far, on a narrow wall, the texture keeps its metres.
    """
    ux, uy = level_axis(whole)
    along = [ux * p[0] + uy * p[1] for p in whole]
    length = max(along) - min(along)
    out = []
    for k, (low, material) in enumerate(storeys):
        part = clip(piece, (0.0, 0.0, low), (0.0, 0.0, 1.0))
        if part and k + 1 < len(storeys):
            part = clip(part, (0.0, 0.0, storeys[k + 1][0]), (0.0, 0.0, -1.0))
        if part:
            bay = metres_of(material)[0]
            stretch = round(length / bay) * bay / length
            if not MOST_SQUEEZED <= 1.0 / max(stretch, 0.01) <= MOST_STRETCHED:
                stretch = 1.0
            out.append(Face(part, material, fit=(-min(along), stretch, low)))
    return out


def _up(points: Points) -> float:
    a, b, c = points[:3]
    return unit(cross(minus(b, a), minus(c, a)))[2]


def _face(points: Sequence[Vec3], material: str) -> Face:
    a, b, c, d = points
    return quad(a, b, c, d, material=material)

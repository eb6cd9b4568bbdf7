"""The cottage: vestibule, main room, side room, cellar, upper room, in a house with a porch and a wing.

Building space: the street door looks south; the place turns that to the north. Metres above the floor.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.records.gfx_obj import GfxObj
from scripts.demo_world import ids
from scripts.demo_world.building import EXIT, Building, Place
from scripts.demo_world.geometry import clip
from scripts.demo_world.houses.shells import Shell
from scripts.demo_world.solids import Face, inside_out, level, prism, upright_x, upright_y

PLACE = Place((156.0, 11.0, 94.0), 2)
VESTIBULE, MAIN, SIDE, DOORWAY, CELLAR, HATCH, STAIRWELL, LOFT, WINDOW, GABLE_WINDOW = range(0x170, 0x17A)
CELLS = range(VESTIBULE, GABLE_WINDOW + 1)

PORCH = -5.1  # the plane of the street door
DOOR_AT = (0.6, PORCH, 0.0)
CHIMNEY_MOUTH = (-2.75, -1.9, 8.8)
DOOR_X = (-0.35, 1.55)
CEILING, LOFT_FLOOR, KNEE, RIDGE = 2.8, 3.1, 5.0, 7.8
DOOR_TOP = 2.5
TIMBER = ((0.0, "timbered"),)
GABLE = (0.9, 2.1, 4.05, 5.35)  # the loft's window: from x to x, from z to z
PANELS_END = 6.5  # two heights of the panels' texture, whose third would begin under the ridge


def interior() -> Building:
    """The cottage's cells, openings and furniture."""
    b = Building(ids.COTTAGE_ENVIRONMENT, PLACE)
    x0, x1 = DOOR_X
    b.room(VESTIBULE, (x0, PORCH, 0.0), (x1, -4.0, DOOR_TOP), floor="flags", wall="wainscot", ceiling="trim")
    b.room(MAIN, (-2.0, -4.0, 0.0), (5.0, 4.5, CEILING), floor="planks", wall="panelled", ceiling="ceiling")
    b.room(SIDE, (-8.3, -0.5, 0.0), (-2.3, 4.5, 2.6), floor="planks", wall="panelled", ceiling="ceiling")
    b.room(DOORWAY, (-2.3, 0.1, 0.0), (-2.0, 2.0, DOOR_TOP), floor="planks", wall="wainscot", ceiling="trim")
    b.room(CELLAR, (-2.0, -1.5, -3.0), (5.0, 4.5, -0.35), floor="earth", wall="rubble", ceiling="ceiling")
    b.room(HATCH, (-0.5, 2.5, -0.35), (3.5, 4.5, 0.0), floor="trim", wall="trim", ceiling="trim")
    b.room(
        STAIRWELL, (3.7, -2.6, CEILING), (5.0, 1.04, LOFT_FLOOR), floor="trim", wall="trim", ceiling="trim"
    )
    profile = ((-2.0, LOFT_FLOOR), (5.0, LOFT_FLOOR), (5.0, KNEE), (1.5, RIDGE), (-2.0, KNEE))
    sides = ["planks", "panelled", "ceiling", "ceiling", "panelled", "panelled", "panelled"]
    b.cell(LOFT, inside_out(boarded(prism(profile, -4.0, 4.5, along="y", materials=sides))))
    b.room(WINDOW, (-5.75, -0.9, 1.0), (-4.85, -0.5, 2.1), floor="trim", wall="plaster", ceiling="trim")
    w0, w1, low, high = GABLE
    b.room(GABLE_WINDOW, (w0, -4.4, low), (w1, -4.0, high), floor="trim", wall="plaster", ceiling="trim")

    b.opening(VESTIBULE, EXIT, upright_y(x0, x1, PORCH, z0=0.0, z1=DOOR_TOP))
    b.opening(VESTIBULE, MAIN, upright_y(x0, x1, -4.0, z0=0.0, z1=DOOR_TOP))
    b.opening(DOORWAY, MAIN, upright_x(-2.0, 0.1, 2.0, z0=0.0, z1=DOOR_TOP))
    b.opening(SIDE, DOORWAY, upright_x(-2.3, 0.1, 2.0, z0=0.0, z1=DOOR_TOP))
    b.opening(HATCH, MAIN, level(-0.5, 3.5, 2.5, 4.5, z=0.0))
    b.opening(HATCH, CELLAR, level(-0.5, 3.5, 2.5, 4.5, z=-0.35))
    b.opening(MAIN, STAIRWELL, level(3.7, 5.0, -2.6, 1.04, z=CEILING))
    b.opening(STAIRWELL, LOFT, level(3.7, 5.0, -2.6, 1.04, z=LOFT_FLOOR))
    b.opening(WINDOW, EXIT, upright_y(-5.75, -4.85, -0.9, z0=1.0, z1=2.1))
    b.opening(WINDOW, SIDE, upright_y(-5.75, -4.85, -0.5, z0=1.0, z1=2.1))
    b.opening(GABLE_WINDOW, EXIT, upright_y(w0, w1, -4.4, z0=low, z1=high))
    b.opening(GABLE_WINDOW, LOFT, upright_y(w0, w1, -4.0, z0=low, z1=high))
    furnish(b)
    return b


def boarded(faces: Sequence[Face]) -> list[Face]:
    """The loft's faces, its gables boarded above the panels."""
    out: list[Face] = []
    for face in faces:
        if face.material != "panelled" or max(p[2] for p in face.points) <= PANELS_END:
            out.append(face)
            continue
        for side, material in ((-1.0, "panelled"), (1.0, "ceiling")):
            out.append(Face(clip(face.points, (0.0, 0.0, PANELS_END), (0.0, 0.0, side)), material))
    return out


def furnish(b: Building) -> None:
    """Put furniture into the rooms."""
    barrel, lamp = ids.setup_of(ids.BARREL), ids.setup_of(ids.LAMP)
    b.static(MAIN, ids.COTTAGE_STAIRS, (0.0, 0.0, 0.0))
    b.static(CELLAR, ids.COTTAGE_RAMP, (0.0, 0.0, 0.0))
    b.static(MAIN, ids.TABLE, (1.6, 0.1, 0.0))
    b.static(MAIN, barrel, (-1.5, -3.5, 0.0))
    b.static(MAIN, ids.setup_of(ids.HEARTH), (-1.2, -1.9, 0.0), 1)
    b.static(MAIN, ids.RAIL, (0.5, 2.44, 0.0))
    b.static(MAIN, ids.RAIL, (2.5, 2.44, 0.0))
    b.static(MAIN, ids.RAIL, (3.56, 3.5, 0.0), 1)
    b.static(MAIN, lamp, (1.6, 0.1, CEILING))
    b.static(MAIN, ids.setup_of(ids.TABLEWARE), (1.6, 0.1, 1.0))
    b.static(MAIN, ids.RUG, (0.9, -2.3, 0.0))
    b.static(SIDE, ids.BED, (-7.6, 3.3, 0.0))
    b.static(SIDE, ids.SHELF, (-4.0, 4.29, 0.0))
    b.static(SIDE, ids.CRATE, (-7.7, 0.1, 0.0))
    b.static(SIDE, lamp, (-5.3, 2.0, 2.6))
    b.static(CELLAR, barrel, (-1.5, -1.0, -3.0))
    b.static(CELLAR, barrel, (-0.7, -1.05, -3.0))
    b.static(CELLAR, barrel, (-1.55, -0.15, -3.0))
    b.static(CELLAR, ids.CRATE, (4.4, -0.9, -3.0))
    b.static(CELLAR, ids.CHEST, (2.9, -1.1, -3.0), 2)
    b.static(CELLAR, ids.RACK, (-1.78, 1.35, -3.0), 1)
    b.static(CELLAR, ids.SACKS, (1.0, -1.05, -3.0))
    b.static(CELLAR, ids.CASKS, (-1.45, 3.4, -3.0), 3)
    b.static(CELLAR, lamp, (1.5, 0.5, -0.35))
    b.static(LOFT, ids.BED, (-1.3, 3.3, LOFT_FLOOR))
    b.static(LOFT, ids.CRATE, (-1.4, -3.4, LOFT_FLOOR))
    b.static(LOFT, ids.RUG, (1.2, -1.9, LOFT_FLOOR))
    b.static(LOFT, ids.CURTAINS, (1.5, -4.0, GABLE[2]))
    b.static(LOFT, ids.CHEST, (-1.3, 1.75, LOFT_FLOOR), 1)
    b.static(LOFT, ids.LOFT_RAIL, (3.64, 0.025, LOFT_FLOOR), 1)
    b.static(LOFT, ids.LOFT_RAIL, (3.64, -1.725, LOFT_FLOOR), 1)
    b.static(LOFT, lamp, (1.0, 1.0, RIDGE - 0.4))
    b.static(WINDOW, ids.WINDOW, (-5.3, -0.7, 1.0))
    b.static(GABLE_WINDOW, ids.WIDE_WINDOW, (1.5, -4.2, GABLE[2]))


def shell(b: Building) -> GfxObj:
    """The outside: a gabled house, a wing to the west, a porch to the south and a chimney.

    The main block's underside at floor height spans the cellar's ramp.
    """
    openings = [ring for _, _, ring in b.exits()]
    s = Shell(openings)
    x0, x1 = DOOR_X
    s.passage(upright_y(x0, x1, -4.4, z0=0.0, z1=DOOR_TOP))
    s.block(
        ((-2.4, 0.0), (5.4, 0.0), (5.4, KNEE), (1.5, 8.12), (-2.4, KNEE)),
        -4.4,
        4.9,
        along="y",
        storeys=TIMBER,
    )
    s.block(
        ((-0.9, 0.0), (4.9, 0.0), (4.9, 2.9), (2.0, 4.93), (-0.9, 2.9)),
        -8.7,
        -2.4,
        along="x",
        storeys=TIMBER,
        leave_out=(5,),
    )
    s.block(
        ((-0.85, 0.0), (2.05, 0.0), (2.05, 2.8), (0.6, 3.7), (-0.85, 2.8)),
        PORCH,
        -4.4,
        along="y",
        storeys=TIMBER,
        leave_out=(6,),
    )
    s.roof((5.4, -4.4, KNEE), (5.4, 4.9, KNEE), (1.5, 4.9, 8.12), (1.5, -4.4, 8.12), material="shingles")
    s.roof((-2.4, 4.9, KNEE), (-2.4, -4.4, KNEE), (1.5, -4.4, 8.12), (1.5, 4.9, 8.12), material="shingles")
    s.roof((-8.7, -0.9, 2.9), (-2.4, -0.9, 2.9), (-2.4, 2.0, 4.93), (-8.7, 2.0, 4.93), material="shingles")
    s.roof((-2.4, 4.9, 2.9), (-8.7, 4.9, 2.9), (-8.7, 2.0, 4.93), (-2.4, 2.0, 4.93), material="shingles")
    s.roof((2.05, PORCH, 2.8), (2.05, -4.4, 2.8), (0.6, -4.4, 3.7), (0.6, PORCH, 3.7), material="shingles")
    s.roof((-0.85, -4.4, 2.8), (-0.85, PORCH, 2.8), (0.6, PORCH, 3.7), (0.6, -4.4, 3.7), material="shingles")
    s.plinth((-2.4, -4.4), (5.4, 4.9), (-0.85, 2.05))
    s.plinth((-8.7, -0.9), (-2.4, 4.9))
    s.chimney((-3.1, -2.5, 0.0), (-2.4, -1.3, 8.6))
    for ring, sill in zip(openings, (False, True, True), strict=True):
        s.frame(ring, (0.0, -1.0, 0.0), sill=sill)
    return s.model(ids.COTTAGE_SHELL, openings)

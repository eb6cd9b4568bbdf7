"""The croft: an L-shaped living room of two cells, a bedroom in its corner and a sunken pantry in a lean-to.

Building space: the street door looks south; the place turns that to the west. Metres above the floor.
"""

from __future__ import annotations

from engine.dat.records.gfx_obj import GfxObj
from scripts.demo_world import ids
from scripts.demo_world.building import EXIT, Building, Place
from scripts.demo_world.houses.shells import Shell
from scripts.demo_world.mesh import gfx_obj, outline
from scripts.demo_world.solids import Face, box, inside_out, prism, upright_x, upright_y

PLACE = Place((131.5, 37.5, 94.0), 3)
(
    VESTIBULE, ROOM, NOOK, BED_DOOR, BEDROOM, PANTRY_DOOR, PANTRY, FRONT_WINDOW, BACK_WINDOW, BED_WINDOW,
) = range(0x100, 0x10A)  # fmt: skip
CELLS = range(VESTIBULE, BED_WINDOW + 1)

PORCH = -5.4  # the plane of the street door
DOOR_AT = (0.0, PORCH, 0.0)
CHIMNEY_MOUTH = (4.75, -1.5, 7.8)
DOOR_X = (-0.95, 0.95)
DOOR_TOP = 2.5
CEILING, SUNKEN = 2.9, -0.96
EAVE, RIDGE = 3.6, 7.0
STONE = ((0.0, "whitewash"),)
BED_DOOR_X = (1.0, 2.9)
CASE = 0.08
"""Metres that the doorway to the bedroom reaches into the room, as rooms of real data do: both cells hold
what stands there. What one sees of it is a case about the door."""


def interior() -> Building:
    """The croft's cells, openings and furniture."""
    b = Building(ids.CROFT_ENVIRONMENT, PLACE)
    x0, x1 = DOOR_X
    b.room(VESTIBULE, (x0, PORCH, 0.0), (x1, -4.0, DOOR_TOP), floor="flags", wall="wainscot", ceiling="trim")
    b.room(ROOM, (-4.0, -4.0, 0.0), (4.0, 0.0, CEILING), floor="planks", wall="panelled", ceiling="ceiling")
    b.room(NOOK, (-4.0, 0.0, 0.0), (-0.5, 4.5, CEILING), floor="planks", wall="panelled", ceiling="ceiling")
    d0, d1 = BED_DOOR_X
    b.room(BED_DOOR, (d0, -CASE, 0.0), (d1, 0.3, DOOR_TOP), floor="planks", wall="wainscot", ceiling="trim")
    b.room(BEDROOM, (-0.2, 0.3, 0.0), (4.0, 4.5, 2.6), floor="planks", wall="plaster", ceiling="ceiling")
    b.room(
        PANTRY_DOOR,
        (-4.3, -3.2, 0.0),
        (-4.0, -1.3, DOOR_TOP),
        floor="planks",
        wall="wainscot",
        ceiling="trim",
    )
    profile = ((-7.3, SUNKEN), (-4.3, SUNKEN), (-4.3, 2.85), (-7.3, 2.1))
    sides = ["flags", "rubble", "ceiling", "rubble", "rubble", "rubble"]
    b.cell(PANTRY, inside_out(prism(profile, -4.0, 1.0, along="y", materials=sides)))
    b.room(FRONT_WINDOW, (2.0, -4.4, 1.0), (2.9, -4.0, 2.1), floor="trim", wall="plaster", ceiling="trim")
    b.room(BACK_WINDOW, (-2.7, 4.5, 1.0), (-1.8, 4.9, 2.1), floor="trim", wall="plaster", ceiling="trim")
    b.room(BED_WINDOW, (4.0, 2.0, 1.0), (4.4, 2.9, 2.1), floor="trim", wall="plaster", ceiling="trim")

    b.opening(VESTIBULE, EXIT, upright_y(x0, x1, PORCH, z0=0.0, z1=DOOR_TOP))
    b.opening(VESTIBULE, ROOM, upright_y(x0, x1, -4.0, z0=0.0, z1=DOOR_TOP))
    b.opening(ROOM, NOOK, upright_y(-4.0, -0.5, 0.0, z0=0.0, z1=CEILING))
    b.opening(
        ROOM,
        BED_DOOR,
        upright_y(d0, d1, 0.0, z0=0.0, z1=DOOR_TOP),
        upright_y(d0, d1, -CASE, z0=0.0, z1=DOOR_TOP),
    )
    b.opening(BED_DOOR, BEDROOM, upright_y(d0, d1, 0.3, z0=0.0, z1=DOOR_TOP))
    b.opening(PANTRY_DOOR, ROOM, upright_x(-4.0, -3.2, -1.3, z0=0.0, z1=DOOR_TOP))
    b.opening(PANTRY, PANTRY_DOOR, upright_x(-4.3, -3.2, -1.3, z0=0.0, z1=DOOR_TOP))
    b.opening(FRONT_WINDOW, EXIT, upright_y(2.0, 2.9, -4.4, z0=1.0, z1=2.1))
    b.opening(FRONT_WINDOW, ROOM, upright_y(2.0, 2.9, -4.0, z0=1.0, z1=2.1))
    b.opening(BACK_WINDOW, NOOK, upright_y(-2.7, -1.8, 4.5, z0=1.0, z1=2.1))
    b.opening(BACK_WINDOW, EXIT, upright_y(-2.7, -1.8, 4.9, z0=1.0, z1=2.1))
    b.opening(BED_WINDOW, BEDROOM, upright_x(4.0, 2.0, 2.9, z0=1.0, z1=2.1))
    b.opening(BED_WINDOW, EXIT, upright_x(4.4, 2.0, 2.9, z0=1.0, z1=2.1))
    furnish(b)
    return b


def door_case() -> list[Face]:
    """The boards about the bedroom's doorway, as thick as the doorway reaches into the room."""
    (d0, d1), wide = BED_DOOR_X, 0.14
    faces = box((d0 - wide, -CASE, 0.0), (d0, 0.0, DOOR_TOP + wide), "trim")
    faces += box((d1, -CASE, 0.0), (d1 + wide, 0.0, DOOR_TOP + wide), "trim")
    return [*faces, *box((d0, -CASE, DOOR_TOP), (d1, 0.0, DOOR_TOP + wide), "trim")]


def records() -> list[tuple[int, GfxObj]]:
    """Models that are made for this house, by id."""
    return [(ids.DOOR_CASE, gfx_obj(ids.DOOR_CASE, door_case()))]


def furnish(b: Building) -> None:
    """Put furniture into the rooms."""
    barrel, lamp, near = (ids.setup_of(i) for i in (ids.BARREL, ids.LAMP, ids.NEAR_LAMP))
    b.static(ROOM, ids.setup_of(ids.HIGH_HEARTH), (3.2, -1.5, 0.0), 3)
    b.static(ROOM, ids.BENCH, (-2.4, -3.65, 0.0))
    b.static(ROOM, near, (0.0, -1.6, CEILING))
    b.cells[ROOM].inner += outline(door_case())
    b.static(ROOM, ids.DOOR_CASE, (0.0, 0.0, 0.0))
    b.static(NOOK, ids.TABLE, (-2.2, 2.5, 0.0), 1)
    b.static(NOOK, ids.setup_of(ids.TABLEWARE), (-2.2, 2.5, 1.0), 1)
    b.static(NOOK, ids.BENCH, (-3.1, 2.5, 0.0), 1)
    b.static(NOOK, ids.SHELF, (-0.71, 3.6, 0.0), 3)
    b.static(NOOK, near, (-2.2, 2.5, CEILING))
    b.static(BEDROOM, ids.BED, (0.5, 3.3, 0.0))
    b.static(BEDROOM, ids.CRATE, (3.3, 3.9, 0.0))
    b.static(BEDROOM, near, (2.0, 2.4, 2.6))
    b.static(PANTRY, ids.CROFT_STEPS, (0.0, 0.0, 0.0))
    b.static(PANTRY, barrel, (-6.8, 0.5, SUNKEN))
    b.static(PANTRY, barrel, (-5.9, 0.55, SUNKEN))
    b.static(PANTRY, ids.CRATE, (-6.7, -3.4, SUNKEN))
    b.static(PANTRY, lamp, (-5.8, -1.0, 2.47))
    b.static(FRONT_WINDOW, ids.WINDOW, (2.45, -4.2, 1.0))
    b.static(BACK_WINDOW, ids.WINDOW, (-2.25, 4.7, 1.0))
    b.static(BED_WINDOW, ids.WINDOW, (4.2, 2.45, 1.0), 1)


def shell(b: Building) -> GfxObj:
    """The outside: a long low house of whitewashed stone under thatch, a lean-to, a porch and a chimney."""
    openings = [ring for _, _, ring in b.exits()]
    s = Shell(openings)
    west, east, south, north = -4.4, 4.4, -4.4, 4.9
    middle = (south + north) / 2
    x0, x1 = DOOR_X
    s.passage(upright_y(x0, x1, south, z0=0.0, z1=DOOR_TOP))
    gable = ((south, 0.0), (north, 0.0), (north, EAVE), (middle, RIDGE), (south, EAVE))
    s.block(gable, west, east, along="x", storeys=STONE)
    s.block(
        ((-7.7, 0.0), (west, 0.0), (west, 3.3), (-7.7, 2.4)),
        south,
        1.4,
        along="y",
        storeys=((0.0, "timbered"),),
        leave_out=(1,),
    )
    porch = ((-1.45, 0.0), (1.45, 0.0), (1.45, 2.75), (0.0, 3.45), (-1.45, 2.75))
    s.block(porch, PORCH, south, along="y", storeys=STONE, leave_out=(6,))
    s.gable_roof((west, south), (east, north), eave=EAVE, ridge=RIDGE, material="thatch")
    s.roof((-7.7, 1.4, 2.4), (-7.7, south, 2.4), (west, south, 3.3), (west, 1.4, 3.3), material="thatch")
    s.roof(
        (1.45, PORCH, 2.75), (1.45, south, 2.75), (0.0, south, 3.45), (0.0, PORCH, 3.45), material="shingles"
    )
    s.roof(
        (-1.45, south, 2.75),
        (-1.45, PORCH, 2.75),
        (0.0, PORCH, 3.45),
        (0.0, south, 3.45),
        material="shingles",
    )
    s.plinth((west, south), (east, north), (-1.45, 1.45))
    s.plinth((-7.7, south), (west, 1.4))
    s.chimney((east, -2.1, 0.0), (5.1, -0.9, 7.6))
    outward = ((0.0, -1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    for ring, out in zip(openings, outward, strict=True):
        s.frame(ring, out, sill=min(p[2] for p in ring) > 0.5)
    return s.model(ids.CROFT_SHELL, openings)

"""The inn: a tall hall with arcades on two floors, guest rooms behind them, a stair room and a kitchen.

Building space: the hall's south-west corner is the origin, the street door looks south. Metres.
"""

from __future__ import annotations

from dataclasses import replace

from engine.dat.records.gfx_obj import GfxObj
from scripts.demo_world import ids
from scripts.demo_world.building import EXIT, Building, Place
from scripts.demo_world.houses.shells import Shell
from scripts.demo_world.mesh import outline
from scripts.demo_world.solids import Face, box, fitted, upright_x, upright_y

PLACE = Place((146.0, 30.5, 94.0), 0)
HALL, VESTIBULE = 0x157, 0x164
CELLS = range(0x150, 0x170)
_OTHERS = iter(low for low in CELLS if low not in (HALL, VESTIBULE))

PORCH = -1.1  # the plane of the street door
DOOR_AT = (10.0, PORCH, 0.0)
CHIMNEY_MOUTH = (-0.75, 3.8, 12.4)
DOOR_X = (9.05, 10.95)
DOOR_TOP = 2.5
ARCHES = ((0.6, 2.8), (3.8, 6.0), (7.0, 9.2), (10.2, 12.4))
DOORS = ((1.2, 3.1), (5.6, 7.5), (9.9, 11.8))
ROOMS = ((0.0, 4.1), (4.4, 8.7), (9.0, 13.0))
LOW, UPPER, HIGH = 3.0, 3.4, 6.5
STOREYS = ((0.0, "rubble"), (3.2, "timbered"))

ARCH_CELLS = [next(_OTHERS) for _ in range(8)]
AISLE, GALLERY = next(_OTHERS), next(_OTHERS)
DOOR_CELLS = [next(_OTHERS) for _ in range(6)]
ROOM_CELLS = [next(_OTHERS) for _ in range(6)]
STAIR_DOOR, STAIR_ROOM, GALLERY_DOOR = next(_OTHERS), next(_OTHERS), next(_OTHERS)
KITCHEN_DOOR, KITCHEN = next(_OTHERS), next(_OTHERS)
WINDOWS = [next(_OTHERS) for _ in range(3)]


def interior() -> Building:
    """The inn's cells, openings and furniture."""
    b = Building(ids.INN_ENVIRONMENT, PLACE)
    x0, x1 = DOOR_X
    b.room(HALL, (0.0, 0.0, 0.0), (13.0, 7.5, HIGH), floor="planks", wall="panelled", ceiling="ceiling")
    b.room(VESTIBULE, (x0, PORCH, 0.0), (x1, 0.0, DOOR_TOP), floor="flags", wall="wainscot", ceiling="trim")
    b.opening(VESTIBULE, EXIT, upright_y(x0, x1, PORCH, z0=0.0, z1=DOOR_TOP))
    b.opening(VESTIBULE, HALL, upright_y(x0, x1, 0.0, z0=0.0, z1=DOOR_TOP))
    for floor, (z, top, arch_top, behind) in enumerate(
        ((0.0, LOW, 2.6, AISLE), (UPPER, HIGH, UPPER + 2.5, GALLERY))
    ):
        b.room(behind, (0.0, 7.9, z), (13.0, 9.9, top), floor="planks", wall="panelled", ceiling="ceiling")
        for i, (a, c) in enumerate(ARCHES):
            low = ARCH_CELLS[4 * floor + i]
            b.room(low, (a, 7.5, z), (c, 7.9, arch_top), floor="planks", wall="trim", ceiling="trim")
            b.opening(HALL, low, upright_y(a, c, 7.5, z0=z, z1=arch_top))
            b.opening(low, behind, upright_y(a, c, 7.9, z0=z, z1=arch_top))
        for i, ((a, c), (left, right)) in enumerate(zip(DOORS, ROOMS, strict=True)):
            low, room = DOOR_CELLS[3 * floor + i], ROOM_CELLS[3 * floor + i]
            b.room(low, (a, 9.9, z), (c, 10.2, z + DOOR_TOP), floor="planks", wall="wainscot", ceiling="trim")
            b.room(
                room, (left, 10.2, z), (right, 14.0, top), floor="planks", wall="plaster", ceiling="ceiling"
            )
            b.opening(behind, low, upright_y(a, c, 9.9, z0=z, z1=z + DOOR_TOP))
            b.opening(low, room, upright_y(a, c, 10.2, z0=z, z1=z + DOOR_TOP))
    east_side(b)
    for low, a in zip(WINDOWS[:2], (1.6, 5.2), strict=True):
        b.room(low, (a, -0.4, 1.0), (a + 1.2, 0.0, 2.3), floor="trim", wall="plaster", ceiling="trim")
        b.opening(low, EXIT, upright_y(a, a + 1.2, -0.4, z0=1.0, z1=2.3))
        b.opening(low, HALL, upright_y(a, a + 1.2, 0.0, z0=1.0, z1=2.3))
    furnish(b)
    return b


def east_side(b: Building) -> None:
    """The stair room with its doors on two floors, and the kitchen beyond."""
    b.room(
        STAIR_DOOR, (13.0, 0.4, 0.0), (13.3, 2.3, DOOR_TOP), floor="planks", wall="wainscot", ceiling="trim"
    )
    b.room(STAIR_ROOM, (13.3, 0.0, 0.0), (15.3, 9.9, HIGH), floor="planks", wall="plaster", ceiling="ceiling")
    b.room(
        GALLERY_DOOR,
        (13.0, 7.95, UPPER),
        (13.3, 9.85, UPPER + DOOR_TOP),
        floor="planks",
        wall="wainscot",
        ceiling="trim",
    )
    b.room(
        KITCHEN_DOOR, (15.3, 0.4, 0.0), (15.6, 2.3, DOOR_TOP), floor="planks", wall="wainscot", ceiling="trim"
    )
    b.room(KITCHEN, (15.6, 0.0, 0.0), (20.0, 9.9, LOW), floor="flags", wall="plaster", ceiling="ceiling")
    b.opening(HALL, STAIR_DOOR, upright_x(13.0, 0.4, 2.3, z0=0.0, z1=DOOR_TOP))
    b.opening(STAIR_DOOR, STAIR_ROOM, upright_x(13.3, 0.4, 2.3, z0=0.0, z1=DOOR_TOP))
    b.opening(GALLERY, GALLERY_DOOR, upright_x(13.0, 7.95, 9.85, z0=UPPER, z1=UPPER + DOOR_TOP))
    b.opening(GALLERY_DOOR, STAIR_ROOM, upright_x(13.3, 7.95, 9.85, z0=UPPER, z1=UPPER + DOOR_TOP))
    b.opening(STAIR_ROOM, KITCHEN_DOOR, upright_x(15.3, 0.4, 2.3, z0=0.0, z1=DOOR_TOP))
    b.opening(KITCHEN_DOOR, KITCHEN, upright_x(15.6, 0.4, 2.3, z0=0.0, z1=DOOR_TOP))
    low = WINDOWS[2]
    b.room(low, (20.0, 4.0, 1.0), (20.4, 5.2, 2.3), floor="trim", wall="plaster", ceiling="trim")
    b.opening(KITCHEN, low, upright_x(20.0, 4.0, 5.2, z0=1.0, z1=2.3))
    b.opening(low, EXIT, upright_x(20.4, 4.0, 5.2, z0=1.0, z1=2.3))


SCREEN = ((9.05, 0.2, 0.0), (9.45, 0.34, 2.2))


def screen() -> list[Face]:
    """The draught screen by the street door, boards in a frame, joined to the door's jamb.

    It stops somebody who is still in the vestibule.
    """
    (x0, y0, _), (x1, y1, high) = SCREEN
    faces = box((x0 + 0.05, y0 + 0.03, 0.0), (x1 - 0.05, y1 - 0.03, high), "wainscot")[:4]
    for x in (x0, x1 - 0.07):
        faces += box((x, y0, 0.0), (x + 0.07, y1, high), "trim")[:4]
    faces += box((x0 - 0.02, y0 - 0.02, high), (x1 + 0.02, y1 + 0.02, high + 0.06), "trim")
    faces += box((x0 + 0.07, y0 + 0.01, 0.0), (x1 - 0.07, y1 - 0.01, 0.12), "trim")
    faces += box((x0, 0.0, 0.0), (x0 + 0.04, y0, high), "wainscot")[:4]
    return [*faces, *box((x0 - 0.02, 0.0, high), (x0 + 0.08, y0 - 0.02, high + 0.06), "trim")]


def furnish(b: Building) -> None:
    """Put furniture into the rooms."""
    b.cells[HALL].inner += outline(box(*SCREEN, "trim"))
    b.static(HALL, ids.SCREEN, (0.0, 0.0, 0.0))
    barrel, lamp = ids.setup_of(ids.BARREL), ids.setup_of(ids.NEAR_LAMP)
    b.static(HALL, ids.setup_of(ids.HALL_HEARTH), (0.8, 3.8, 0.0), 1)
    for x, y in ((3.2, 4.2), (6.6, 5.0), (6.4, 2.2)):
        b.static(HALL, ids.TABLE, (x, y, 0.0))
        b.static(HALL, ids.setup_of(ids.TABLEWARE), (x, y, 1.0))
        b.static(HALL, ids.BENCH, (x, y - 0.85, 0.0))
        b.static(HALL, ids.BENCH, (x, y + 0.85, 0.0))
    b.static(HALL, ids.RUG, (10.0, 2.3, 0.0), 1)
    for x, y in ((3.2, 2.0), (9.8, 2.0), (3.2, 5.6), (9.8, 5.6)):
        b.static(HALL, ids.setup_of(ids.HALL_LAMP), (x, y, HIGH))
    b.static(HALL, barrel, (12.5, 6.9, 0.0))
    b.static(HALL, barrel, (11.7, 7.0, 0.0))
    for i, (a, c) in enumerate(ARCHES):
        b.static(ARCH_CELLS[4 + i], ids.GALLERY_RAIL, ((a + c) / 2, 7.6, UPPER))
    for behind, z in ((AISLE, LOW), (GALLERY, HIGH)):
        b.static(behind, lamp, (6.5, 8.9, z))
    for floor, z in enumerate((0.0, UPPER)):
        for i, (left, right) in enumerate(ROOMS):
            room = ROOM_CELLS[3 * floor + i]
            b.static(room, ids.BED, (right - 0.6, 12.9, z))
            b.static(room, ids.SHELF if i == 1 else ids.CRATE, (left + 0.8, 13.7 if i == 1 else 13.4, z))
            b.static(room, lamp, ((left + right) / 2, 12.1, z + (LOW if floor == 0 else HIGH - UPPER)))
    b.static(STAIR_ROOM, ids.INN_STAIRS, (0.0, 0.0, 0.0))
    b.static(STAIR_ROOM, ids.setup_of(ids.HALL_LAMP), (14.3, 1.5, HIGH))
    b.static(KITCHEN, ids.COUNTER, (17.9, 4.2, 0.0))
    b.static(KITCHEN, ids.setup_of(ids.HIGH_HEARTH), (17.8, 9.1, 0.0))
    b.static(KITCHEN, ids.TABLE, (19.0, 7.2, 0.0), 1)
    b.static(KITCHEN, barrel, (19.5, 0.6, 0.0))
    b.static(KITCHEN, barrel, (18.7, 0.55, 0.0))
    b.static(KITCHEN, ids.CRATE, (16.2, 9.3, 0.0))
    b.static(KITCHEN, lamp, (17.8, 5.5, LOW))
    for low, x in zip(WINDOWS[:2], (2.2, 5.8), strict=True):
        b.static(low, ids.WIDE_WINDOW, (x, -0.2, 1.0))
    b.static(WINDOWS[2], ids.WIDE_WINDOW, (20.2, 4.6, 1.0), 1)


def shell(b: Building) -> GfxObj:
    """The outside: one long house under a big roof, with a porch, a chimney and a sign."""
    openings = [ring for _, _, ring in b.exits()]
    s = Shell(openings)
    x0, x1 = DOOR_X
    s.passage(upright_y(x0, x1, -0.4, z0=0.0, z1=DOOR_TOP))
    west, east, south, north, eave, ridge = -0.4, 20.4, -0.4, 14.4, 6.7, 11.6
    middle = (south + north) / 2
    s.block(
        ((south, 0.0), (north, 0.0), (north, eave), (middle, ridge), (south, eave)),
        west,
        east,
        along="x",
        storeys=STOREYS,
    )
    s.block(
        ((8.6, 0.0), (11.4, 0.0), (11.4, 2.8), (10.0, 3.8), (8.6, 2.8)),
        PORCH,
        south,
        along="y",
        storeys=((0.0, "rubble"),),
        leave_out=(6,),
    )
    s.gable_roof((west, south), (east, north), eave=eave, ridge=ridge, material="thatch")
    s.roof(
        (11.4, PORCH, 2.8), (11.4, south, 2.8), (10.0, south, 3.8), (10.0, PORCH, 3.8), material="shingles"
    )
    s.roof((8.6, south, 2.8), (8.6, PORCH, 2.8), (10.0, PORCH, 3.8), (10.0, south, 3.8), material="shingles")
    s.band((west, south), (east, north), 3.1)
    s.chimney((-1.1, 3.2, 0.0), (-0.4, 4.4, 12.2))
    for ring in openings:
        level_sill = min(p[2] for p in ring) > 0.5
        s.frame(ring, (1.0, 0.0, 0.0) if ring[0][0] == ring[1][0] else (0.0, -1.0, 0.0), sill=level_sill)
    false_windows(s)
    s.decoration(box((12.0, -1.6, 3.3), (12.1, -0.4, 3.4), "iron"))
    s.decoration(sign())
    return s.model(ids.INN_SHELL, openings)


def sign() -> list[Face]:
    """The inn's sign: a picture to the east and to the west, and wood for its edges."""
    south, east, north, west, top, bottom = box((12.01, -1.5, 2.3), (12.09, -0.6, 3.2), "sign")
    edges = [replace(face, material="trim") for face in (south, north, top, bottom)]
    return [fitted(east), fitted(west), *edges]


def false_windows(s: Shell) -> None:
    """Shuttered windows on the upper floor, for the eye alone."""
    for a in (1.6, 5.2, 13.6, 17.0):
        s.decoration(box((a, -0.46, 4.3), (a + 1.2, -0.4, 5.6), "wainscot"))
        s.decoration(box((a - 0.1, -0.5, 4.15), (a + 1.3, -0.4, 4.3), "trim"))

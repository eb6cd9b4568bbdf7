"""Where things are: the doors of ``scene.json`` and the named places of ``places.json``."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.format_version import SCENE, stamp
from scripts.demo_world import ids, outdoors, terrain
from scripts.demo_world.building import QUARTERS, Place
from scripts.demo_world.houses import cottage, croft, dungeon, inn

CLOSED = "0x10008"
STREET = 0xA9B40031

# Quarter turns that make somebody look north, west, south and east.
NORTH, WEST, SOUTH, EAST = range(4)


def location(cell: int, at: Vec3, turns: int = 0) -> str:
    """A place as the game prints it."""
    numbers = " ".join(f"{round(value, 4):.9g}" for value in at)
    quaternion = " ".join(f"{value:.9g}" for value in QUARTERS[turns % 4])
    return f"{hex_id(cell)} [{numbers}] {quaternion}"


MERCHANT = (113.4, 46.75)  # behind the counter of the stall
LAMPS_BURN = (17.5, 6.75)  # from hour to hour
HOME = location(STREET, (152.6, 23.5, 94.0), SOUTH)
START = location(STREET, (155.4, 23.5, 94.0), SOUTH)  # straight on is the cottage's closed door, which holds


def scene() -> dict[str, object]:
    """Where a walk starts; the doors, closed, each in the plane of its house's street door; a merchant;
    what burns in the street's lamps from dusk till dawn.
    """
    doors = (
        (ids.COTTAGE_DOOR, cottage.PLACE, cottage.DOOR_AT, cottage.VESTIBULE),
        (ids.INN_DOOR, inn.PLACE, inn.DOOR_AT, inn.VESTIBULE),
        (ids.CROFT_DOOR, croft.PLACE, croft.DOOR_AT, croft.VESTIBULE),
    )
    return {
        **stamp(SCENE),
        "home": START,
        "objects": [
            {
                "setup": hex_id(ids.DOOR_SETUP),
                "entity": hex_id(entity),
                "state": CLOSED,
                "at": location(ids.VILLAGE | low, place.put(at), place.turns),
            }
            for entity, place, at, low in doors
        ]
        + [
            {
                "setup": hex_id(ids.HUMAN),
                "entity": hex_id(ids.MERCHANT),
                "motion_table": hex_id(ids.HUMAN_MOTIONS),
                "name": "Merchant",
                "at": _outdoors(*MERCHANT, SOUTH, 0.0),
            }
        ]
        + [
            {
                "setup": hex_id(ids.LAMP_LIGHT),
                "entity": hex_id(ids.FIRST_LAMP + number),
                "hours": list(LAMPS_BURN),
                "at": _outdoors(x, y, NORTH, 0.0),
            }
            for number, (x, y) in enumerate(outdoors.lamps())
        ],
    }


def places() -> dict[str, str]:
    """Named locations: feet of a body, and which way it looks."""
    out = {
        "home": HOME,
        "street": location(STREET, (150.0, 20.0, 94.0), NORTH),
        "street before the cottage": location(STREET, (155.4, 19.0, 94.0), SOUTH),
        "street before the inn": location(0xA9B40032, (156.0, 26.0, 94.0), NORTH),
        "street before the croft": location(0xA9B4002A, (123.2, 37.5, 94.0), EAST),
        "road west": location(0xA9B40021, (118.0, 22.0, 94.0), EAST),
    }
    for name, x, y, turns, depth in OUTDOORS:
        out[name] = _outdoors(x, y, turns, depth)
    for name, low, at, turns in COTTAGE:
        out[f"cottage {name}"] = _inside(cottage.PLACE, ids.VILLAGE, low, at=at, turns=turns)
    for name, low, at, turns in CROFT:
        out[f"croft {name}"] = _inside(croft.PLACE, ids.VILLAGE, low, at=at, turns=turns)
    for name, low, at, turns in INN:
        out[f"inn {name}"] = _inside(inn.PLACE, ids.VILLAGE, low, at=at, turns=turns)
    for name, x, y, at, turns in DUNGEON:
        tile = dungeon.TILES[dungeon.low_of(x, y) - 0x100]
        place = Place(dungeon.place_of(tile).origin, 0)
        out[f"dungeon {name}"] = location(ids.DUNGEON | dungeon.low_of(x, y), place.put(at), turns)
    return out


def _inside(place: Place, block: int, low: int, *, at: Vec3, turns: int) -> str:
    return location(block | low, place.put(at), place.turns + turns)


def _outdoors(x: float, y: float, turns: int, depth: float) -> str:
    """A place on the ground, in the frame of the village's block; the feet are ``depth`` under water."""
    z = terrain.height_at(x, y) - depth
    dx, dy = int(x // 192), int(y // 192)
    x, y = x - 192 * dx, y - 192 * dy
    cell = ids.VILLAGE + (dx << 24) + (dy << 16) + 1 + 8 * int(x // 24) + int(y // 24)
    return location(cell, (x, y, z), turns)


# Places on the ground, in the frame of the village's block also where they lie beyond it: east, north, turns,
# and how deep a body sinks: 0.9 where all is water, 0.1 on the shore.
OUTDOORS: tuple[tuple[str, float, float, int, float], ...] = (
    ("square", 108.0, 27.5, NORTH, 0.0),
    ("pond shore", 150.0, 104.0, NORTH, 0.1),
    ("pond", 156.0, 132.0, EAST, 0.9),
    ("lake shore", 366.0, 290.0, EAST, 0.1),
    ("hill", 36.0, 153.0, EAST, 0.0),
    ("hill side", 60.0, 152.0, WEST, 0.0),
    ("crag", -318.0, 444.0, EAST, 0.0),
    ("border fence", 191.0, outdoors.BORDER_FENCE_Y - 1.5, NORTH, 0.0),
    ("border tree", outdoors.BORDER_TREE[0] + 2.5, outdoors.BORDER_TREE[1], WEST, 0.0),
)

# Points in the building's space; turns are relative to it, so that 0 looks away from the street.
COTTAGE: tuple[tuple[str, int, Vec3, int], ...] = (
    ("vestibule", cottage.VESTIBULE, (0.6, -4.4, 0.0), 0),
    ("main room", cottage.MAIN, (0.6, -2.4, 0.0), 0),
    ("main room looking out", cottage.MAIN, (0.6, -1.6, 0.0), 2),
    ("side room", cottage.SIDE, (-4.4, 1.6, 0.0), 1),
    ("doorway", cottage.DOORWAY, (-2.15, 1.05, 0.0), 1),
    ("hatch lip", cottage.MAIN, (-1.2, 3.5, 0.0), 3),
    ("cellar", cottage.CELLAR, (4.2, 3.5, -3.0), 1),
    ("cellar bottom", cottage.CELLAR, (4.2, 1.0, -3.0), 1),
    ("stair foot", cottage.MAIN, (4.4, -3.3, 0.0), 0),
    ("stair top", cottage.LOFT, (4.3, 2.2, 3.1), 1),
    ("loft", cottage.LOFT, (1.5, 1.0, 3.1), 2),
)
CROFT: tuple[tuple[str, int, Vec3, int], ...] = (
    ("vestibule", croft.VESTIBULE, (0.0, -4.7, 0.0), 0),
    ("room", croft.ROOM, (0.0, -3.0, 0.0), 0),
    ("room looking out", croft.ROOM, (0.0, -2.4, 0.0), 2),
    ("corner", croft.ROOM, (-1.6, -1.2, 0.0), 0),
    ("nook", croft.NOOK, (-1.3, 1.2, 0.0), 0),
    ("bedroom", croft.BEDROOM, (1.95, 1.2, 0.0), 0),
    ("pantry door", croft.ROOM, (-3.2, -2.25, 0.0), 1),
    ("pantry", croft.PANTRY, (-6.4, -2.0, croft.SUNKEN), 0),
)
INN: tuple[tuple[str, int, Vec3, int], ...] = (
    ("vestibule", inn.VESTIBULE, (10.0, -0.4, 0.0), 0),
    ("hall", inn.HALL, (10.0, 2.4, 0.0), 0),
    ("large view", inn.HALL, (8.1, 0.6, 0.0), 0),
    ("looking out", inn.HALL, (10.0, 3.0, 0.0), 2),
    ("aisle", inn.AISLE, (8.1, 8.9, 0.0), 1),
    ("guest room", inn.ROOM_CELLS[0], (2.2, 11.5, 0.0), 2),
    ("stair foot", inn.STAIR_ROOM, (14.3, 1.6, 0.0), 0),
    ("stair top", inn.STAIR_ROOM, (14.3, 8.6, 3.42), 1),
    ("gallery", inn.GALLERY, (8.1, 8.9, 3.4), 2),
    ("kitchen", inn.KITCHEN, (16.8, 2.0, 0.0), 0),
)
DUNGEON: tuple[tuple[str, int, int, Vec3, int], ...] = (
    ("entrance", 0, 0, (-2.0, 0.0, 0.0), EAST),
    ("hall", 3, 0, (0.0, -1.5, 0.0), NORTH),
    ("long view", 1, 0, (-3.0, 0.0, 0.0), EAST),
    ("loop", 6, 2, (0.0, 0.0, 0.0), WEST),
    ("stair top", 3, 0, (0.0, -4.2, 0.0), SOUTH),
    ("stair foot", 3, -2, (0.0, 4.2, 0.0), NORTH),
    ("lower room", 5, -2, (2.0, 0.0, 0.0), WEST),
)

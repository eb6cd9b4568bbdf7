"""``scene.json``: what a world gets beside its records (sources 4, 3).

Objects and entities serve every source. Terrain, setups, buildings and cell planes stand in for records
that a folder of dumps lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.dat.values import CylSphere, Plane, Quat, Sphere, StoredFrame
from engine.files.format_version import KEY, SCENE
from engine.named_tuple import NamedTuple
from engine.world.ids import is_outdoor
from engine.world.source import DoorFacts, Scene, SceneObject
from engine.world.sources.json_node import Node, read_json

HEIGHTS = 81
MOST_HEIGHTS = 256 - HEIGHTS - 1  # what a region's table leaves beside those of the home block
SETUP_TYPE, GFXOBJ_TYPE = 0x02, 0x01
AS_FAR = 1e-5  # what a location written with nine decimals and read in single precision may be off, and more


class SceneGround(NamedTuple):
    """The ground of one landblock: 81 heights in metres (x * 9 + y), and its terrain words."""

    heights: tuple[float, ...]
    words: tuple[int, ...]


class SceneTerrain(NamedTuple):
    """Ground of a folder of dumps, metres: 81 heights (x * 9 + y) and the height of all other blocks.

    ``blocks`` are landblocks whose ground is given by itself, ``missing`` those where the world has none.
    """

    heights: tuple[float, ...]
    outside: float
    blocks: tuple[tuple[int, SceneGround], ...] = ()
    missing: tuple[int, ...] = ()


class SceneSetup(NamedTuple):
    """A Setup described in a scene: parts with their placement frames, cylinders and spheres."""

    setup_id: int
    parts: tuple[int, ...] = ()
    frames: tuple[StoredFrame, ...] = ()
    cylspheres: tuple[CylSphere, ...] = ()
    spheres: tuple[Sphere, ...] = ()


class ScenePortal(NamedTuple):
    """An opening of a building: a cell and the index of its exit portal.

    Where ``flags`` is None flags and the cells that are seen through it (full ids) follow from the cell's.
    """

    cell: int
    portal: int
    flags: int | None = None
    sees: tuple[int, ...] = ()


class SceneBuilding(NamedTuple):
    """A shell placed in a landcell, and its openings."""

    model_id: int
    cell_id: int
    frame: StoredFrame
    portals: tuple[ScenePortal, ...] = ()


class SceneFile(NamedTuple):
    """A whole ``scene.json``. ``cell_planes`` are inward planes in cell space by full cell id,
    ``home`` is a location where a walk starts, ``problems`` what made no sense in a spawn list, as far
    as that was kept.
    """

    path: str = ""
    terrain: SceneTerrain | None = None
    setups: tuple[SceneSetup, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    buildings: tuple[SceneBuilding, ...] = ()
    cell_planes: tuple[tuple[int, tuple[Plane, ...]], ...] = ()
    home: str = ""
    problems: tuple[str, ...] = ()
    unkept: int = 0

    def scene(self) -> Scene:
        """The part that serves every source."""
        return Scene(self.objects, self.path, self.problems, self.unkept)

    def overlaid(self, other: SceneFile) -> SceneFile:
        """This scene with another on top: its objects added, an entity that both name taken from it."""
        named = {item.entity_id for item in other.objects if item.entity_id is not None}
        kept = tuple(item for item in self.objects if item.entity_id not in named)
        setups = {setup.setup_id: setup for setup in (*self.setups, *other.setups)}
        return self._replace(
            path=other.path or self.path,
            terrain=other.terrain or self.terrain,
            setups=tuple(setups.values()),
            objects=kept + other.objects,
            buildings=self.buildings + other.buildings,
            cell_planes=tuple((dict(self.cell_planes) | dict(other.cell_planes)).items()),
            home=other.home or self.home,
            problems=self.problems + other.problems,
            unkept=self.unkept + other.unkept,
        )


def read_scene(path: Path, *, pipes: bool = True) -> SceneFile:
    """The scene in a file, or pipe where ``pipes``. Raises JsonError, one line, where it makes no sense."""
    return parse_scene(read_json(path, pipes=pipes), str(path))


def parse_scene(document: object, name: str) -> SceneFile:
    """A decoded ``scene.json``; ``name`` is what errors call it. Raises JsonError."""
    root = Node(document, name)
    root.of_form(SCENE)
    root.only("terrain", "setups", "objects", "buildings", "cell_planes", "home", KEY)
    setups = tuple(_setup(item) for item in root.items("setups"))
    known: set[int] = set()
    for number, setup in enumerate(setups):
        if setup.setup_id in known:
            root.fail(f"setups[{number}]: {hex_id(setup.setup_id)} is given twice")
        known.add(setup.setup_id)
    objects = tuple(_object(item) for item in root.items("objects"))
    given: set[int] = set()
    for number, item in enumerate(objects):
        own = item.static_id if item.entity_id is None else item.entity_id
        if own in given:
            what = "static" if item.entity_id is None else "entity"
            root.fail(f"objects[{number}]: {what} {hex_id(own)} is given twice")
        if own is not None:
            given.add(own)
    return SceneFile(
        path=name,
        terrain=_terrain(root.get("terrain")) if root.has("terrain") else None,
        setups=setups,
        objects=objects,
        buildings=tuple(_building(item) for item in root.items("buildings")),
        cell_planes=tuple(_cell_planes(root)),
        home=_home(root),
    )


def _home(root: Node) -> str:
    if not root.has("home"):
        return ""
    node = root.get("home")
    node.location()
    return node.text()


def _terrain(node: Node) -> SceneTerrain:
    node.only("height", "heights", "outside", "blocks", "missing")
    blocks = tuple(_grounds(node.get("blocks"))) if node.has("blocks") else ()
    missing = tuple([_landblock(item, item.unsigned()) for item in node.items("missing")])
    if node.has("heights"):
        heights = node.get("heights").numbers(HEIGHTS)
        outside = node.get("outside").number() if node.has("outside") else heights[0]
        return SceneTerrain(heights, outside, blocks, missing)
    height = node.get("height").number()
    return SceneTerrain((height,) * HEIGHTS, height, blocks, missing)


def _landblock(node: Node, block_id: int) -> int:
    if block_id & 0xFFFF:
        node.fail(f"{hex_id(block_id)} is no landblock: its last four digits are 0000")
    return block_id


def _grounds(node: Node) -> Iterator[tuple[int, SceneGround]]:
    different: set[float] = set()
    for block_id, ground in node.by_id().items():
        _landblock(ground, block_id)
        ground.only("heights", "words")
        words = [word.unsigned() for word in ground.get("words").members()]
        if len(words) != HEIGHTS or max(words) > 0xFFFF:
            ground.get("words").fail(f"expected {HEIGHTS} words of 16 bits")
        heights = ground.get("heights").numbers(HEIGHTS)
        different.update(heights)
        if len(different) > MOST_HEIGHTS:
            ground.get("heights").fail(f"these are more than {MOST_HEIGHTS} different heights")
        yield block_id, SceneGround(heights, tuple(words))


def _setup(node: Node) -> SceneSetup:
    node.only("id", "parts", "frames", "cylspheres", "spheres")
    parts = tuple(part.id_of(GFXOBJ_TYPE, "GfxObj") for part in node.items("parts"))
    frames = tuple(
        StoredFrame(frame.get("origin").vec3(), frame.get("quat").quat()) for frame in node.items("frames")
    )
    if frames and len(frames) != len(parts):
        node.fail(f"{len(parts)} parts but {len(frames)} frames")
    cylspheres = tuple(member.numbers(5) for member in node.items("cylspheres"))
    spheres = tuple(member.numbers(4) for member in node.items("spheres"))
    return SceneSetup(
        setup_id=node.get("id").id_of(SETUP_TYPE, "Setup"),
        parts=parts,
        frames=frames,
        cylspheres=tuple(CylSphere((x, y, z), radius, height) for x, y, z, radius, height in cylspheres),
        spheres=tuple(Sphere((x, y, z), radius) for x, y, z, radius in spheres),
    )


def _object(node: Node) -> SceneObject:
    node.only(
        "setup", "gfxobj", "at", "entity", "state", "motion_table", "scale", "name", "exactly", "static",
        "weenie_type", "door", "hours",
    )  # fmt: skip
    cell_id, frame = node.get("at").location()
    scale = node.get("scale").number() if node.has("scale") else 1.0
    if node.has("exactly"):
        frame = _exact_frame(node.get("exactly"), frame)
        scale = node.get("scale").exact() if node.has("scale") else 1.0
    if scale <= 0.0:
        node.fail(f"scale {scale} is not above 0")
    if node.has("hours") and not node.has("entity"):
        node.fail("'hours' are for entities: this object has no 'entity'")
    return SceneObject(
        model_id=_model(node),
        cell_id=cell_id,
        frame=frame,
        entity_id=node.get("entity").unsigned() if node.has("entity") else None,
        state=node.get("state").unsigned() if node.has("state") else None,
        motion_table=node.get("motion_table").unsigned() if node.has("motion_table") else 0,
        scale=scale,
        name=node.get("name").text() if node.has("name") else "",
        weenie_type=node.get("weenie_type").unsigned() if node.has("weenie_type") else 0,
        door=read_door_facts(node.get("door")) if node.has("door") else None,
        static_id=node.get("static").unsigned() if node.has("static") else None,
        hours=read_hours(node.get("hours")) if node.has("hours") else None,
        where=node.where,
    )  # fmt: skip


def _exact_frame(node: Node, at: StoredFrame) -> StoredFrame:
    """A place and a turn in double precision, for which a location, ``at``, has too few digits."""
    node.only("origin", "orientation")
    origin = node.get("origin")
    origin.vec3()
    x, y, z = (member.exact() for member in origin.members())
    turn = node.get("orientation").turn()
    if math.dist((x, y, z), at.origin) > AS_FAR * (1.0 + max(map(abs, (x, y, z)))):
        node.fail("another place than 'at' has: who moves it by hand leaves 'exactly' out")
    written, told = _unit(turn), _unit(at.orientation)
    if min(math.dist(written, told), math.dist(written, _unit(at.orientation, -1.0))) > AS_FAR:
        node.fail("another turn than 'at' has: who turns it by hand leaves 'exactly' out")
    return StoredFrame((x, y, z), turn)


def _unit(turn: Quat, sign: float = 1.0) -> tuple[float, ...]:
    length = math.hypot(*turn)
    return tuple(sign * part / length for part in turn)


def read_door_facts(node: Node) -> DoorFacts:
    """What is known about a door, as ``door`` has it."""
    return DoorFacts(
        default_open=node.get("default_open").flag(),
        locked=node.get("locked").flag(),
        reset_interval=node.get("reset_interval").above_zero(),
    )


def read_hours(node: Node) -> tuple[float, float]:
    """From and to which hour an entity is seen, 0 to 24, over midnight where the first is the later."""
    first, last = node.numbers(2)
    if not (0.0 <= first <= 24.0 and 0.0 <= last <= 24.0):
        node.fail(f"hours {first:g} to {last:g} are not between 0 and 24")
    return first, last


def _building(node: Node) -> SceneBuilding:
    node.only("setup", "gfxobj", "at", "portals", "exactly")
    at = node.get("at")
    cell_id, frame = at.location()
    if not is_outdoor(cell_id):
        at.fail(f"a building stands in a landcell, {hex_id(cell_id)} is indoors")
    if node.has("exactly"):
        frame = _exact_frame(node.get("exactly"), frame)
    portals: list[ScenePortal] = []
    for portal in node.items("portals"):
        portal.only("cell", "portal", "flags", "sees")
        inside = portal.get("cell").unsigned()
        if is_outdoor(inside) or inside >> 16 != cell_id >> 16:
            portal.fail(f"{hex_id(inside)} is no cell of the building's landblock")
        portals.append(
            ScenePortal(
                cell=inside,
                portal=portal.get("portal").unsigned(),
                flags=portal.get("flags").unsigned() & 0xFFFF if portal.has("flags") else None,
                sees=tuple([seen.unsigned() for seen in portal.items("sees")]),
            )
        )
    return SceneBuilding(_model(node), cell_id, frame, tuple(portals))


def _model(node: Node) -> int:
    if node.has("setup") == node.has("gfxobj"):
        node.fail("expected either 'setup' or 'gfxobj'")
    if node.has("setup"):
        return node.get("setup").id_of(SETUP_TYPE, "Setup")
    return node.get("gfxobj").id_of(GFXOBJ_TYPE, "GfxObj")


def _cell_planes(root: Node) -> list[tuple[int, tuple[Plane, ...]]]:
    if not root.has("cell_planes"):
        return []
    out: list[tuple[int, tuple[Plane, ...]]] = []
    for cell_id, node in root.get("cell_planes").by_id().items():
        planes = [row.numbers(4) for row in node.members()]
        out.append((cell_id, tuple(Plane((nx, ny, nz), d) for nx, ny, nz, d in planes)))
    return out

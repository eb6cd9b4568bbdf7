"""The runtime cell graph: EnvCells, LandCells, portals and buildings (membership 2.4).

Cells are built once from decoded records and then only their shadow lists change. All frames and
planes are in the block frame of the cell's own id unless a name says local.
"""

from __future__ import annotations

from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.bsp import BspNode, CellTree, InwardPlane
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL, is_outdoor
from engine.world.polygon import Polygon, bounding_sphere
from engine.world.source import DoorFacts

PlaneTuple = tuple[float, float, float, float]  # nx, ny, nz, d
NOT_WATER: Final = 0
PARTIALLY_WATER: Final = 1
ENTIRELY_WATER: Final = 2


class ShadowObject:
    """What a cell's shadow list holds; engine.physics derives the object that can collide.

    ``entity_id`` is shared by everything that belongs to one entity; ``state`` are PhysicsState bits.
    """

    __slots__ = ("entity_id", "state")

    def __init__(self, entity_id: int, state: int) -> None:
        self.entity_id = entity_id
        self.state = state


class Opening:
    """A polygon, in its owner's space, that one looks out of the owner through.

    ``portal_side`` 1 means that the owner lies on the negative side of the polygon. ``inward`` is the
    polygon's plane, turned so that the owner lies on its positive side: (nx, ny, nz, d).
    """

    __slots__ = ("inward", "polygon", "portal_side")

    def __init__(self, polygon: Polygon, portal_side: int) -> None:
        self.polygon = polygon
        self.portal_side = portal_side
        nx, ny, nz = polygon.normal
        d = polygon.d
        self.inward: tuple[float, float, float, float] = (
            (nx, ny, nz, d) if portal_side == 0 else (-nx, -ny, -nz, -d)
        )


class Portal(Opening):
    """An opening of an EnvCell (membership 2.4, dat-format 3.3-3.4).

    ``other_cell_id`` is the neighbour's full id, or EXIT_CELL when it leads outdoors; ``other_portal_id``
    is an index into the neighbour's portals, negative for none. ``center`` is the middle of its box.
    ``known`` is the cell behind it in the cell graph ``known_by`` when that had ``known_version``: for
    ``CellGraph.beyond`` alone.
    """

    __slots__ = (
        "center", "exact_match", "flags", "index", "is_exit", "known", "known_by", "known_version",
        "other_cell_id", "other_portal_id",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        flags: int,
        polygon: Polygon,
        *,
        other_cell_id: int,
        other_portal_id: int,
    ) -> None:
        super().__init__(polygon, 1 if (flags & 2) == 0 else 0)
        self.center: Vec3 = bounding_sphere(polygon.vertices)[0]
        self.index = index
        self.flags = flags
        self.other_cell_id = other_cell_id
        self.other_portal_id = other_portal_id
        self.is_exit = other_cell_id == EXIT_CELL
        self.exact_match = (flags & 1) != 0
        self.known: ObjCell | None = None
        self.known_by: object = None
        self.known_version = -1

    def forget(self) -> None:
        """Remember no cell behind it any more: cells that remember one another outlive their landblock."""
        self.known = self.known_by = None
        self.known_version = -1


class CellStructure(NamedTuple):
    """Geometry shared by all cells of one CellStruct, cell-local.

    ``polygons`` is the drawing table by key, the openings' among them, ``physics_polygons`` the physics
    table. ``physics_root`` is None without a physics tree, ``cell_tree`` without a cell tree.
    """

    environment_id: int
    structure: int
    polygons: dict[int, Polygon]
    physics_polygons: dict[int, Polygon]
    physics_root: BspNode | None
    cell_tree: CellTree | None


class ObjCell:
    """What EnvCells and LandCells share."""

    __slots__ = ("id", "is_outdoor", "pos", "seen_outside", "shadow_objects", "stab_list", "water_type")

    def __init__(self, cell_id: int, frame: Frame) -> None:
        self.id = cell_id
        self.pos = Position(cell_id, frame)
        self.is_outdoor = (cell_id & 0xFFFF) < 0x100
        self.water_type = NOT_WATER
        self.seen_outside = False
        self.stab_list: tuple[int, ...] = ()
        self.shadow_objects: list[ShadowObject] = []

    @property
    def frame(self) -> Frame:
        """The cell's frame in its own landblock."""
        return self.pos.frame


class EnvCell(ObjCell):
    """An interior cell; ``stab_list`` holds full ids.

    ``block_planes`` are the planes of its containment tree in the block frame, None without a tree;
    ``portal_planes`` those of its portals, in portal order.
    """

    __slots__ = ("block_planes", "portal_planes", "portals", "structure", "surfaces")

    def __init__(
        self,
        cell_id: int,
        frame: Frame,
        structure: CellStructure,
        portals: list[Portal],
        *,
        stab_list: tuple[int, ...],
        seen_outside: bool,
        surfaces: tuple[int, ...] = (),
    ) -> None:
        super().__init__(cell_id, frame)
        self.structure = structure
        self.portals = portals
        self.stab_list = stab_list
        self.seen_outside = seen_outside
        self.surfaces = surfaces
        tree = structure.cell_tree
        self.block_planes: tuple[InwardPlane, ...] | None = None
        if tree is not None:
            planes = [block_plane(frame, (p[0], p[1], p[2]), p[3]) for p in tree.planes]
            self.block_planes = tuple([InwardPlane(nx, ny, nz, d) for nx, ny, nz, d in planes])
        self.portal_planes: tuple[PlaneTuple, ...] = tuple(
            block_plane(frame, p.polygon.normal, p.polygon.d) for p in portals
        )


def block_plane(frame: Frame, normal: Vec3, d: float) -> PlaneTuple:
    """A plane given in a frame's own space, in the space the frame stands in."""
    nx, ny, nz = frame.to_global_vec(normal)
    ox, oy, oz = frame.origin
    return (nx, ny, nz, d - (nx * ox + ny * oy + nz * oz))


class LandCell(ObjCell):
    """An outdoor cell: two terrain triangles (block frame) and perhaps a building.

    ``terrain`` are the words of its landblock, none where nothing is known of them; ``in_open_water`` says
    that all the landblock is water. It knows no more of the landblock: what goes is freed at once.
    """

    __slots__ = ("building", "in_open_water", "polygons", "terrain")

    def __init__(
        self,
        cell_id: int,
        polygons: tuple[Polygon, Polygon],
        water_type: int,
        terrain: tuple[int, ...] = (),
        *,
        in_open_water: bool = False,
    ) -> None:
        super().__init__(cell_id, Frame((0.0, 0.0, 0.0)))
        self.polygons = polygons
        self.water_type = water_type
        self.terrain = terrain
        self.in_open_water = in_open_water
        self.building: Building | None = None
        self.seen_outside = True


class BldPortal:
    """An opening of a building, seen from outdoors (visibility 2.13).

    ``polygon`` is in the building's local space. ``other_cell_id`` is a full id, ``other_portal_id`` the
    index of that cell's exit portal, negative for none. The outdoors owns the portal:
    ``portal_side`` 0 means that one looks in from the polygon's positive side.
    """

    __slots__ = (
        "exact_match", "flags", "index", "other_cell_id", "other_portal_id", "polygon",
        "portal_side", "stab_list",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        flags: int,
        polygon: Polygon | None,
        *,
        other_cell_id: int,
        other_portal_id: int,
        stab_list: tuple[int, ...],
    ) -> None:
        self.index = index
        self.flags = flags
        self.polygon = polygon
        self.other_cell_id = other_cell_id
        self.other_portal_id = other_portal_id
        self.stab_list = stab_list
        self.exact_match = (flags & 1) != 0
        self.portal_side = 1 if (flags & 2) == 0 else 0


class Building:
    """A shell standing in one landcell, with its openings (membership 2.4, collision 6.5).

    ``index`` is its place in the landblock's list, ``pos`` its place in the block frame;
    ``shell_root`` is the physics tree of the model's part 0, in the space of ``shell_frame``
    (block frame), None where the model has none.
    """

    __slots__ = ("index", "model_id", "portals", "pos", "shell_frame", "shell_gfxobj", "shell_root")

    def __init__(
        self,
        index: int,
        model_id: int,
        pos: Position,
        *,
        shell_frame: Frame,
        shell_root: BspNode | None,
        portals: list[BldPortal],
    ) -> None:
        self.index = index
        self.model_id = model_id
        self.pos = pos
        self.shell_frame = shell_frame
        self.shell_root = shell_root
        self.portals = portals
        self.shell_gfxobj = 0


class PlacedObject(NamedTuple):
    """An object that stands somewhere when a world is loaded: a stab, scenery or a spawned entity.

    ``model_id`` is a Setup (0x02...) or GfxObj (0x01...), ``cell_id`` the cell it belongs to and
    ``frame`` its place in that cell's block frame. ``state`` None means: compute it (sources 4).
    ``weenie_type`` and ``door`` come from spawn lists (sources 5). ``hours`` are those from and to which an
    entity is seen, None for always.
    """

    object_id: int
    model_id: int
    cell_id: int
    frame: Frame
    scale: float = 1.0
    state: int | None = None
    is_entity: bool = False
    name: str = ""
    motion_table: int = 0
    weenie_type: int = 0
    door: DoorFacts | None = None
    hours: tuple[float, float] | None = None


class Landblock:
    """One loaded landblock: its terrain, cells, buildings and what stands in it.

    ``terrain`` and ``heights`` (metres) are indexed ``x * 9 + y``. ``land_cells`` is indexed
    ``cx * 8 + cy`` and empty for a source without terrain.
    """

    __slots__ = (
        "buildings", "entities", "env_cells", "heights", "id", "is_dungeon", "land_cells", "statics",
        "terrain", "water_type",
    )  # fmt: skip

    def __init__(
        self,
        id: int,
        terrain: tuple[int, ...] = (),
        heights: tuple[float, ...] = (),
        env_cells: dict[int, EnvCell] | None = None,
    ) -> None:
        self.id = id
        self.terrain = terrain
        self.heights = heights
        self.land_cells: list[LandCell] = []
        self.env_cells = env_cells if env_cells is not None else {}
        self.buildings: list[Building] = []
        self.statics: list[PlacedObject] = []
        self.entities: list[PlacedObject] = []
        self.water_type = NOT_WATER
        self.is_dungeon = False

    def stands_alone(self, cell_id: int) -> bool:
        """Whether nothing around it matters to who is in a cell of it: in a dungeon, but not on its land."""
        return self.is_dungeon and not is_outdoor(cell_id)

    def model_ids(self) -> tuple[int, ...]:
        """The ids of the models in it, each once."""
        things = dict.fromkeys([thing.model_id for thing in (*self.statics, *self.entities)])
        return tuple(dict.fromkeys([*things, *[building.model_id for building in self.buildings]]))

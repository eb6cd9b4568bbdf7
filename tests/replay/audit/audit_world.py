"""A sound little house in records, for tests that plant one fault in it.

Two box rooms side by side on flat ground at 94 m: A (0x0100) with an exit to the south, B (0x0101) to the
east of it, and a building around A whose one opening is A's exit.
"""

from engine.dat.pieces.build_trees import build_cell_tree, one_leaf_tree
from engine.dat.pieces.geometry import SWVertex, VertexArray
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.land_block_info import BldPortal, BuildingInfo
from engine.dat.values import Plane, StoredFrame
from engine.world.loading.world import World
from tests.world.world_records import (
    BLOCK,
    MemorySource,
    box_faces,
    box_model,
    cell,
    info,
    mesh,
    positions,
    room,
)

A, B = BLOCK | 0x100, BLOCK | 0x101
AT_A, AT_B = (60.0, 60.0, 94.0), (64.0, 60.0, 94.0)
SOUTH, NORTH, WEST, EAST = 2, 3, 4, 5
EXACT, POSITIVE, OUT = 1, 2, 4
SHELL = 0x01000F20
ROOM_A, ROOM_B = room(1, (EAST, SOUTH)), room(2, (WEST,))
UPRIGHT = (1.0, 0.0, 0.0, 0.0)

PORTALS_A = (
    CellPortal(EXACT | POSITIVE, EAST, 0x101, 0),
    CellPortal(EXACT | POSITIVE | OUT, SOUTH, 0xFFFF, -1),
)
PORTALS_B = (CellPortal(EXACT | POSITIVE, WEST, 0x100, 0),)
OPENING = BldPortal(EXACT | POSITIVE, 0x100, 1, (0x100, 0x101))


def house(
    portals_a=PORTALS_A,
    portals_b=PORTALS_B,
    stab_a=(0x101,),
    stab_b=(0x100,),
    *,
    at_b=AT_B,
    rooms=None,
    openings=(OPENING,),
    shell=None,
    building_at=AT_A,
    objects=None,
    **fields_b,
):
    """The world of the house; arguments put something else in a part's place."""
    cells = [
        cell(0x100, portals_a, stab_a, AT_A, environment=1),
        cell(0x101, portals_b, stab_b, at_b, environment=2, **fields_b),
    ]
    shell = shell or box_model(SHELL, (-2, -2, 0), (2, 2, 3), openings=((SOUTH, 0),))
    building = BuildingInfo(SHELL, StoredFrame(building_at, UPRIGHT), 0, tuple(openings))
    source = MemorySource(
        cells, rooms or [ROOM_A, ROOM_B], [shell], info=info([building]),
        scene=objects,
    )  # fmt: skip
    return World(source)


def changed_structure(environment, **changes):
    """A room whose structure has other parts."""
    return environment._replace(cells=(environment.cells[0]._replace(**changes),))


def without_wall(environment, face):
    """A room with one wall that is drawn and not solid."""
    structure = environment.cells[0]
    walls = tuple(p for p in structure.physics_polygons if p.key != face)
    tree = one_leaf_tree(walls, positions(structure.vertex_array))
    return changed_structure(environment, physics_polygons=walls, physics_bsp=tree)


def with_partition(environment):
    """A room with a further drawn polygon that stands across its middle."""
    structure = environment.cells[0]
    vertices = list(structure.vertex_array.vertices)
    ids = []
    for corner in ((0.0, -1.0, 0.5), (0.0, 1.0, 0.5), (0.0, 1.0, 2.0), (0.0, -1.0, 2.0)):
        ids.append(len(vertices))
        vertices.append(SWVertex(ids[-1], corner, (1.0, 0.0, 0.0)))
    polygons = (*structure.polygons, structure.polygons[0]._replace(key=50, vertex_ids=tuple(ids)))
    return changed_structure(environment, polygons=polygons, vertex_array=VertexArray(1, tuple(vertices)))


def with_smaller_tree(environment):
    """A room whose cell tree leaves out its upper half."""
    polygons, array = mesh(box_faces((-2, -2, 0), (2, 2, 1.5)))
    tree = build_cell_tree(polygons, positions(array)).root
    return changed_structure(environment, cell_bsp=tree)


def with_plane(environment, number):
    """A room whose cell tree begins with a plane of four times the same number."""
    root = environment.cells[0].cell_bsp
    return changed_structure(environment, cell_bsp=root._replace(plane=Plane((number,) * 3, number)))

"""Records of small invented worlds, and a source that holds them in memory."""

from engine.dat.pieces.build_trees import build_cell_tree, build_drawing_tree, one_leaf_tree
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.records.env_cell import SEEN_OUTSIDE, EnvCell
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo
from engine.dat.records.setup import Placement, Setup
from engine.dat.values import IDENTITY_FRAME, StoredFrame
from engine.world.ids import block_of
from engine.world.source import Scene
from engine.world.sources import plain_looks

BLOCK = 0xA9B40000
TABLE = tuple(2.0 * i for i in range(256))


def box_faces(low, high, *, inward=True):
    """Floor, ceiling, south, north, west, east of a box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    faces = [
        [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
        [(x0, y0, z1), (x0, y1, z1), (x1, y1, z1), (x1, y0, z1)],
        [(x0, y0, z0), (x0, y0, z1), (x1, y0, z1), (x1, y0, z0)],
        [(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)],
        [(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)],
        [(x1, y0, z0), (x1, y0, z1), (x1, y1, z1), (x1, y1, z0)],
    ]
    return faces if inward else [face[::-1] for face in faces]


def mesh(faces):
    """Polygon records and the vertex array of lists of corners."""
    vertices, polygons = [], []
    for key, corners in enumerate(faces):
        ids = []
        for corner in corners:
            ids.append(len(vertices))
            vertices.append(SWVertex(ids[-1], tuple(map(float, corner)), (0.0, 0.0, 1.0)))
        polygons.append(
            Polygon(key=key, stippling=4, sides_type=0, pos_surface=0, neg_surface=-1, vertex_ids=tuple(ids))
        )
    return tuple(polygons), VertexArray(1, tuple(vertices))


def positions(array):
    return {vertex.key: vertex.pos for vertex in array.vertices}


def room(environment=1, openings=(), low=(-2, -2, 0), high=(2, 2, 3)):
    """An Environment with one box room; ``openings`` are face numbers that are portals."""
    polygons, array = mesh(box_faces(low, high))
    at = positions(array)
    walls = tuple(p for p in polygons if p.key not in openings)
    structure = CellStruct(
        key=0,
        vertex_array=array,
        polygons=polygons,
        portals=tuple(openings),
        cell_bsp=build_cell_tree(polygons, at).root,
        physics_polygons=walls,
        physics_bsp=one_leaf_tree(walls, at),
        drawing_bsp=build_drawing_tree(walls, at),
    )
    return Environment(0x0D000000 | environment, (structure,))


def cell(low, portals=(), visible=(), origin=(0.0, 0.0, 0.0), *, environment=1, **fields):
    frame = fields.pop("frame", StoredFrame(origin, (1.0, 0.0, 0.0, 0.0)))
    flags = fields.pop("flags", SEEN_OUTSIDE)
    return EnvCell(
        id=BLOCK | low,
        flags=flags,
        surfaces=(1,),
        environment=environment,
        structure=0,
        frame=frame,
        portals=tuple(portals),
        visible=tuple(visible),
        **fields,
    )


def box_model(gfxobj_id, low=(-1, -1, 0), high=(1, 1, 2), openings=(), *, physics=True):
    """A box seen from outside; ``openings`` are (face, portal index) pairs for PORT nodes."""
    polygons, array = mesh(box_faces(low, high, inward=False))
    at = positions(array)
    return GfxObj(
        id=gfxobj_id,
        flags=3 if physics else 2,
        surfaces=(0x08000001,),
        vertex_array=array,
        physics_polygons=polygons if physics else None,
        physics_bsp=one_leaf_tree(polygons, at) if physics else None,
        polygons=polygons,
        drawing_bsp=build_drawing_tree(polygons, at, openings),
    )


def setup(setup_id, parts, frames=None, placement=0, **fields):
    frames = frames or (IDENTITY_FRAME,) * len(parts)
    return Setup(setup_id, 0, tuple(parts), placements=(Placement(placement, tuple(frames)),), **fields)


class MemorySource:
    """A world source over dicts of records; a value that is an exception is raised."""

    def __init__(self, cells=(), environments=(), models=(), setups=(), *, info=None, height=47, scene=None):
        self.cells = {c.id: c for c in cells}
        self.environments = {e.id: e for e in environments}
        self.models = {m.id: m for m in models}
        self.setups = {s.id: s for s in setups}
        self.info = info
        self.ground = None if height is None else LandBlock(BLOCK | 0xFFFF, 1, (4,) * 81, (height,) * 81)
        self.objects = scene or Scene()
        self.listed = tuple(self.cells)

    name = "memory"

    def region(self):
        return plain_looks.region(TABLE)

    def land_block(self, block_id):
        return _given(self.ground) if block_of(block_id) == BLOCK else None

    def land_block_info(self, block_id):
        return _given(self.info) if block_of(block_id) == BLOCK else None

    def cell_ids(self, block_id):
        return self.listed if block_of(block_id) == BLOCK else ()

    def env_cell(self, cell_id):
        return _given(self.cells.get(cell_id))

    def environment(self, environment_id):
        return _given(self.environments.get(environment_id))

    def gfx_obj(self, gfx_obj_id):
        return _given(self.models.get(gfx_obj_id))

    def setup(self, setup_id):
        return _given(self.setups.get(setup_id))

    def surface(self, surface_id):
        return None

    surface_texture = render_surface = palette = animation = motion_table = scene_desc = surface

    def scene(self):
        return self.objects

    def listen(self, report):
        pass

    def home(self):
        return "0xA9B40001 [12 12 94]"


def _given(value):
    if isinstance(value, Exception):
        raise value
    return value


def info(buildings=(), objects=(), cells=0):
    return LandBlockInfo(
        id=BLOCK | 0xFFFE, num_cells=cells, objects=tuple(objects), mask=0, buildings=tuple(buildings)
    )

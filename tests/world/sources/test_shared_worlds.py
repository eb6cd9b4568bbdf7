"""The recorded worlds and the real cottage load as their pages say."""

import json
import math

import pytest

from engine.dat.pieces.build_trees import build_cell_tree
from engine.dat.pieces.geometry import Polygon
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from engine.world.sources.scene_file import read_scene
from tests.places import DEMO, SHARED

pytestmark = pytest.mark.shared

COTTAGE = SHARED / "examples/cottage"
FOLDERS = sorted([*(SHARED / "cases").glob("*/dumps"), *(SHARED / "cases_view").glob("*/dumps"), COTTAGE])
BLOCK = 0xA9B40000


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_every_recorded_world_loads_without_a_problem(folder):
    source = open_source(dumps=folder)
    world = World(source)
    block = world.load_block(source.home_block)  # type: ignore[union-attr]
    world.load_around(source.home_block)  # type: ignore[union-attr]
    assert world.problems.lines == []
    assert len(block.env_cells) == len(list(folder.glob("0x????????.json")))
    assert all(cell.structure.cell_tree is not None for cell in block.env_cells.values())
    scene = folder / "scene.json"
    if scene.exists():
        placed = json.loads(scene.read_text())
        assert len(block.statics) + len(block.entities) == len(placed.get("objects", []))
        assert len(block.buildings) == len(placed.get("buildings", []))
        assert len(world.blocks) == 9
    assert world.locate(source.home()) is not None


@pytest.fixture(scope="module")
def cottage():
    world = World(open_source(dumps=COTTAGE))
    world.load_block(BLOCK)
    return world


def links(world, low):
    return [portal.other_cell_id & 0xFFFF for portal in world.env_cell(BLOCK | low).portals]


def test_d1_vestibule_and_room_of_the_real_cottage(cottage):
    assert links(cottage, 0x170) == [0xFFFF, 0x171]
    assert links(cottage, 0x171) == [0x170, 0x173, 0x175]
    vestibule = cottage.env_cell(BLOCK | 0x170)
    assert [p.flags for p in vestibule.portals] == [5, 3]
    assert [p.polygon.id for p in vestibule.portals] == [4, 5]
    assert all(cottage.env_cell(BLOCK | low).seen_outside for low in range(0x170, 0x176))


def test_cells_of_the_cottage_share_one_origin_and_list_all_the_others(cottage):
    for low in range(0x170, 0x176):
        cell = cottage.env_cell(BLOCK | low)
        assert cell.frame.origin == pytest.approx((161.929, 7.50315, 94.0), abs=1e-4)
        others = [n for n in range(0x16F, 0x176) if n != low]
        assert [other & 0xFFFF for other in cell.stab_list] == others
    assert cottage.get_visible(BLOCK | 0x16F) is None


def test_every_inner_portal_of_the_cottage_leads_back_except_to_the_missing_cell(cottage):
    for cell in cottage.blocks[BLOCK].env_cells.values():
        for portal in cell.portals:
            other = cottage.env_cell(portal.other_cell_id) if not portal.is_exit else None
            if other is None:
                assert portal.other_portal_id == -1
                continue
            back = other.portals[portal.other_portal_id]
            assert back.other_cell_id == cell.id
            assert back.other_portal_id == portal.index


def test_a_cells_inside_is_on_its_portals_side(cottage):
    for cell in cottage.blocks[BLOCK].env_cells.values():
        corners = [v for p in cell.structure.polygons.values() for v in p.vertices]
        middle = tuple(sum(v[i] for v in corners) / len(corners) for i in range(3))
        for portal in cell.portals:
            assert (portal.polygon.distance(middle) < 0.0) == (portal.portal_side == 1)


def test_the_ground_around_the_cottage_is_flat_at_its_sill(cottage):
    assert {round(h, 3) for h in cottage.blocks[BLOCK].heights} == {94.0}


def test_the_hull_of_the_drawing_table_gives_the_planes_that_were_recorded():
    compared = 0
    for folder in FOLDERS:
        if not (folder / "scene.json").exists():
            continue
        for cell_id, planes in read_scene(folder / "scene.json").cell_planes:
            compared += 1
            built = hull(folder / f"0x{cell_id:08X}.json").planes
            assert len(built) == len(planes), (folder, hex(cell_id))
            for plane in planes:
                assert any(close(plane, other) for other in built), (folder, hex(cell_id), plane)
    assert compared > 100


def hull(path):
    dump = json.loads(path.read_text())
    positions, polygons = {}, []
    for polygon in dump["PortalPolygons"]:
        ids = []
        for vertex in polygon["Vertices"]:
            ids.append(len(positions))
            positions[ids[-1]] = (vertex["X"], vertex["Y"], vertex["Z"])
        polygons.append(
            Polygon(
                key=polygon["Id"],
                stippling=4,
                sides_type=0,
                pos_surface=-1,
                neg_surface=-1,
                vertex_ids=tuple(ids),
            )
        )
    return build_cell_tree(polygons, positions)


def close(a, b):
    return math.dist(a.normal, b.normal) < 2e-3 and abs(a.d - b.d) < 2e-3


def test_no_real_cell_has_a_polygon_plane_with_a_vertex_behind_it():
    for path in sorted(COTTAGE.glob("0x????????.json")):
        built = hull(path)
        assert built.concave == ()
        assert len(built.planes) >= 6


def test_the_list_of_holtburgs_doors_stands_in_the_demo():
    world = World(open_source(demo=DEMO, scene=SHARED / "examples/holtburg-doors.json"))
    block = world.load_block(BLOCK)
    listed = json.loads((SHARED / "examples/holtburg-doors.json").read_text())["objects"]
    names = {int(entry["entity"], 16) for entry in listed}
    doors = {door.object_id: door for door in block.entities if door.object_id in names}
    missing = [line for line in world.problems.lines if "there is no cell" in line]
    assert len(doors) + len(missing) == len(listed) == 23
    assert len(doors) > 15
    assert doors[0x7A9B4015].cell_id == BLOCK | 0x29
    assert doors[0x7A9B4015].frame.origin == pytest.approx((132.56, 17.115, 94.0), abs=1e-4)
    for entry in listed:
        door = doors.get(int(entry["entity"], 16))
        if door is not None:
            assert (door.model_id, door.state) == (0x020019FF, 0x10008)
            x, y, _ = door.frame.origin
            low = door.cell_id & 0xFFFF
            assert low >= 0x100 or low == 1 + 8 * int(x // 24) + int(y // 24)

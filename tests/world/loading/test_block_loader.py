"""Records into a landblock: cells, portals, buildings, statics; damage is one line and loading goes on."""

import pytest

from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.land_block_info import BuildingInfo
from engine.dat.values import Plane
from engine.world.loading.world import World
from tests.world.loading.block_scenes import EAST, SOUTH, at, load, structure_with, two_rooms
from tests.world.world_records import (
    BLOCK,
    MemorySource,
    box_faces,
    box_model,
    info,
    mesh,
)


def test_a_cell_has_full_ids_sides_and_its_portals_polygon():
    world, block = load(two_rooms())
    assert world.problems.lines == []
    first = block.env_cells[BLOCK | 0x100]
    outer, inner = first.portals
    assert outer.is_exit
    assert outer.other_cell_id == 0xFFFF
    assert inner.other_cell_id == BLOCK | 0x101
    assert (inner.other_portal_id, inner.portal_side, inner.exact_match) == (0, 0, True)
    assert inner.polygon is first.structure.polygons[EAST]
    assert outer.polygon is first.structure.polygons[SOUTH]
    assert first.seen_outside
    back = block.env_cells[BLOCK | 0x101].portals[0]
    assert (back.portal_side, back.other_portal_id) == (1, 1)
    assert not block.env_cells[BLOCK | 0x101].seen_outside


@pytest.mark.parametrize(
    ("other", "shared"),
    [(0.0, True), (-0.0, False), (0.5, False)],
    ids=["alike", "sign of zero", "elsewhere"],
)
def test_cells_that_stand_in_one_frame_share_it(other, shared):
    """As those of a building do; a frame that differs in the sign of a zero alone is another."""
    source = two_rooms()
    for cell_id, z in ((BLOCK | 0x100, 0.0), (BLOCK | 0x101, other)):
        source.cells[cell_id] = source.cells[cell_id]._replace(frame=at(12.0, 12.0, z))
    world, block = load(source)
    a, b = (block.env_cells[BLOCK | low].frame for low in (0x100, 0x101))
    assert (a is b) is shared
    assert repr(b.origin[2]) == repr(other)
    world.unload_block(BLOCK)
    world.load_block(BLOCK)
    assert world.blocks[BLOCK].env_cells[BLOCK | 0x100].frame is not a


def test_stab_lists_keep_cells_that_are_not_there():
    _, block = load(two_rooms())
    assert block.env_cells[BLOCK | 0x100].stab_list == (BLOCK | 0x101, BLOCK | 0x16F)


def test_a_portal_has_a_bounding_sphere_in_cell_space():
    _, block = load(two_rooms())
    portal = block.env_cells[BLOCK | 0x100].portals[0]
    assert portal.center == (0.0, -2.0, 1.5)


def test_0xffff_decides_that_a_portal_leads_outside_whatever_the_flag_says():
    source = two_rooms()
    first = source.cells[BLOCK | 0x100]
    bare = first.portals[0]._replace(flags=3)
    lying = first.portals[1]._replace(flags=7)
    source.cells[first.id] = first._replace(portals=(bare, lying))
    _, block = load(source)
    assert [p.is_exit for p in block.env_cells[first.id].portals] == [True, False]


def test_a_missing_neighbour_stays_as_an_unloaded_one():
    source = two_rooms()
    source.listed = (BLOCK | 0x100,)
    world, block = load(source)
    assert block.env_cells[BLOCK | 0x100].portals[1].other_cell_id == BLOCK | 0x101
    assert world.get_visible(BLOCK | 0x101) is None
    assert world.problems.lines == []


def test_cells_share_a_structure():
    source = two_rooms()
    twin = source.cells[BLOCK | 0x100]._replace(id=BLOCK | 0x102)
    source.cells[twin.id] = twin
    source.listed = tuple(source.cells)
    _, block = load(source)
    assert block.env_cells[BLOCK | 0x102].structure is block.env_cells[BLOCK | 0x100].structure


def test_a_cell_tree_becomes_inward_planes():
    _, block = load(two_rooms())
    planes = block.env_cells[BLOCK | 0x100].structure.cell_tree.planes
    assert len(planes) == 6
    assert all(nx * 0.1 + ny * 0.2 + nz * 1.0 + d > 0 for nx, ny, nz, d in planes)


def test_physics_leaf_keeps_the_file_order():
    _, block = load(two_rooms())
    root = block.env_cells[BLOCK | 0x100].structure.physics_root
    assert root.is_leaf
    assert [polygon.id for polygon in root.polygons] == [0, 1, 3, 4]
    assert not root.solid


def test_heights_go_through_the_regions_table():
    _, block = load(two_rooms(height=47))
    assert set(block.heights) == {94.0}
    assert len(block.land_cells) == 64


def test_without_terrain_there_are_no_landcells():
    world, block = load(two_rooms(height=None))
    assert block.land_cells == []
    assert world.get_visible(BLOCK | 1) is None
    assert world.get_visible(BLOCK | 0x100) is block.env_cells[BLOCK | 0x100]


def test_a_block_of_which_nothing_is_known_is_none():
    world = World(two_rooms())
    assert world.load_block(0x12340001) is None
    assert world.problems.lines == []


@pytest.mark.parametrize(
    ("height", "with_cells", "with_building", "expected"),
    [(0, True, False, True), (1, True, False, False), (0, False, False, False), (0, True, True, False)],
)
def test_a_dungeon_is_flat_at_zero_with_cells_and_without_buildings(
    height, with_cells, with_building, expected
):
    source = two_rooms(height=height, models=[box_model(0x01000001)])
    if not with_cells:
        source.listed = ()
    if with_building:
        source.info = info([BuildingInfo(0x01000001, at(20, 20), 0, ())])
    assert load(source)[1].is_dungeon is expected


def test_load_around_loads_only_blocks_on_the_map():
    class Everywhere(MemorySource):
        asked = None

        def land_block(self, block_id):
            self.asked = [*(self.asked or []), block_id]
            return self.ground._replace(id=block_id | 0xFFFF)

    source = Everywhere()
    world = World(source)
    world.load_around(0x00FE0001)
    assert sorted(source.asked) == [0x00FD0000, 0x00FE0000, 0x01FD0000, 0x01FE0000]
    assert world.land_cell(0x01FD0040).id == 0x01FD0040


def test_loading_and_unloading_tells_listeners_and_changes_the_version():
    world = World(two_rooms())
    came, went = [], []
    world.on_load.append(came.append)
    world.on_unload.append(went.append)
    block = world.load_block(BLOCK | 0x100)
    assert world.load_block(BLOCK) is block
    world.unload_block(BLOCK)
    assert (came, went, world.version) == ([block], [block], 2)
    assert world.env_cell(BLOCK | 0x100) is None


def test_deep_trees_load_without_recursion():
    node = BspNode("BPFL", Plane((0.0, 0.0, 1.0), 0.0))
    for _ in range(3000):
        node = BspNode("BPnn", Plane((0.0, 0.0, 1.0), 0.0), node)
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(cell_bsp=node)
    _, block = load(source)
    assert len(block.env_cells[BLOCK | 0x101].structure.cell_tree.planes) == 3001


def test_mesh_helper_gives_each_face_its_own_corners():
    polygons, array = mesh(box_faces((0, 0, 0), (1, 1, 1)))
    assert len(array.vertices) == 4 * len(polygons)

"""Records into a landblock: cells, portals, buildings, statics; damage is one line and loading goes on."""

import math
from dataclasses import replace

import pytest

from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.pieces.geometry import VertexArray
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.land_block_info import BldPortal, BuildingInfo, Stab
from engine.dat.values import Plane, Sphere, StoredFrame
from engine.world.cells import PlacedObject
from engine.world.loading.world import World
from engine.world.source import Scene, SceneObject
from engine.world.sources import plain_looks
from tests.world.world_records import (
    BLOCK,
    MemorySource,
    box_faces,
    box_model,
    cell,
    info,
    mesh,
    room,
    setup,
)

SOUTH, NORTH, EAST = 2, 3, 5
TURNED = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # 90 degrees counter-clockwise


def at(x, y, z=94.0, quat=(1.0, 0.0, 0.0, 0.0)):
    return StoredFrame((float(x), float(y), float(z)), quat)


def load(source):
    world = World(source)
    return world, world.load_block(BLOCK)


def two_rooms(**fields):
    """Room 0100 with an exit to the south and a door east into 0101."""
    rooms = [room(1, (SOUTH, EAST)), room(2, (4,))]
    cells = [
        cell(
            0x100,
            [CellPortal(7, SOUTH, 0xFFFF, -1), CellPortal(3, EAST, 0x101, 0)],
            [0x101, 0x16F],
            (60.0, 60.0, 94.0),
            environment=1,
        ),
        cell(0x101, [CellPortal(1, 4, 0x100, 1)], [0x100], (64.0, 60.0, 94.0), environment=2, flags=0),
    ]
    return MemorySource(cells=cells, environments=rooms, **fields)


# -- cells and portals -------------------------------------------------------------------------------


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


def test_stab_lists_keep_cells_that_are_not_there():
    _, block = load(two_rooms())
    assert block.env_cells[BLOCK | 0x100].stab_list == (BLOCK | 0x101, BLOCK | 0x16F)


def test_a_portal_has_a_bounding_sphere_in_cell_space():
    _, block = load(two_rooms())
    portal = block.env_cells[BLOCK | 0x100].portals[0]
    assert portal.center == (0.0, -2.0, 1.5)
    assert portal.radius == pytest.approx(2.5)


def test_0xffff_decides_that_a_portal_leads_outside_whatever_the_flag_says():
    source = two_rooms()
    first = source.cells[BLOCK | 0x100]
    bare = replace(first.portals[0], flags=3)
    lying = replace(first.portals[1], flags=7)
    source.cells[first.id] = replace(first, portals=(bare, lying))
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
    twin = replace(source.cells[BLOCK | 0x100], id=BLOCK | 0x102)
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


# -- the landblock -----------------------------------------------------------------------------------


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
            return replace(self.ground, id=block_id | 0xFFFF)

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


# -- buildings ---------------------------------------------------------------------------------------


def test_a_building_stands_in_the_landcell_of_its_origin_with_part_0_as_shell():
    parts = [box_model(0x01000001), box_model(0x01000002)]
    frames = (at(0, 0, 1, TURNED), at(5, 0, 0))
    house = setup(0x02000001, [0x01000001, 0x01000002], frames)
    source = two_rooms(models=parts, setups=[house], info=info([BuildingInfo(0x02000001, at(60, 60), 0, ())]))
    world, block = load(source)
    assert world.problems.lines == []
    building = block.buildings[0]
    land_cell = next(c for c in block.land_cells if c.building is not None)
    assert land_cell.building is building
    assert land_cell.id == building.pos.cell_id == BLOCK | (1 + 2 * 8 + 2)
    assert building.shell_root is world.model(0x02000001).parts[0].physics_root
    assert building.shell_frame.origin == (60.0, 60.0, 95.0)
    assert building.shell_gfxobj == 0x01000001


def test_openings_come_from_the_port_nodes_of_part_0():
    shell = box_model(0x01000001, (-2, -2, 0), (2, 2, 3), openings=((NORTH, 1), (SOUTH, 0)))
    portals = (BldPortal(3, 0x100, 0, (0x100, 0x101)), BldPortal(3, 0x100, 0, ()))
    source = two_rooms(models=[shell], info=info([BuildingInfo(0x01000001, at(60, 60), 0, portals)]))
    world, block = load(source)
    assert world.problems.lines == []
    first, second = block.buildings[0].portals
    assert first.polygon.vertices == tuple(
        tuple(map(float, v)) for v in box_faces((-2, -2, 0), (2, 2, 3), inward=False)[SOUTH]
    )
    assert {v[1] for v in second.polygon.vertices} == {2.0}
    assert first.other_cell_id == BLOCK | 0x100
    assert first.stab_list == (BLOCK | 0x100, BLOCK | 0x101)
    assert first.portal_side == 0


def test_openings_of_a_placed_part_are_given_in_building_space():
    shell = box_model(0x01000001, (-2, -2, 0), (2, 2, 3), openings=((SOUTH, 0),))
    house = setup(0x02000001, [0x01000001], (at(0, 0, 5, TURNED),))
    portals = (BldPortal(3, 0x100, 0, ()),)
    source = two_rooms(
        models=[shell], setups=[house], info=info([BuildingInfo(0x02000001, at(60, 60), 0, portals)])
    )
    polygon = load(source)[1].buildings[0].portals[0].polygon
    assert {round(v[0], 6) for v in polygon.vertices} == {2.0}  # south turned by 90 degrees is east
    assert {round(v[2], 6) for v in polygon.vertices} == {5.0, 8.0}


def test_without_a_port_node_the_opening_is_the_cells_exit_polygon_with_the_inverse_side():
    portals = (BldPortal(3, 0x100, 0, ()),)
    placed = BuildingInfo(0x01000001, at(62, 60, 94, TURNED), 0, portals)
    source = two_rooms(models=[box_model(0x01000001)], info=info([placed]))
    world, block = load(source)
    assert world.problems.lines == []
    building = block.buildings[0]
    portal = building.portals[0]
    inside = block.env_cells[BLOCK | 0x100]
    there = [building.pos.frame.to_global(v) for v in portal.polygon.vertices]
    here = [inside.frame.to_global(v) for v in inside.portals[0].polygon.vertices]
    assert there == [pytest.approx(v) for v in here]
    assert inside.portals[0].portal_side == 0
    assert portal.portal_side == 1


@pytest.mark.parametrize(
    ("placed", "reason"),
    [
        (BuildingInfo(0x01000001, at(-5, 60), 0, ()), "its origin lies outside its landblock"),
        (BuildingInfo(0x01000001, at(math.nan, 60), 0, ()), "its frame is not finite"),
        (
            BuildingInfo(0x01000001, at(60, 60), 0, (BldPortal(3, 0x1FF, 0, ()),)),
            "portal 0: cell 0xA9B401FF is not there",
        ),
        (
            BuildingInfo(0x01000001, at(60, 60), 0, (BldPortal(3, 0x100, 7, ()),)),
            "portal 0: cell 0xA9B40100 has no portal 7",
        ),
        (
            BuildingInfo(0x01000001, at(60, 60), 0, (BldPortal(3, 0x100, 1, ()),)),
            "portal 1 of cell 0xA9B40100 is no exit",
        ),
    ],
)
def test_a_building_that_makes_no_sense_is_reported(placed, reason):
    source = two_rooms(models=[box_model(0x01000001)], info=info([placed]))
    world, block = load(source)
    assert any(reason in line and "0xA9B4FFFE: building 0" in line for line in world.problems.lines)
    assert len(block.env_cells) == 2


def test_a_building_without_its_model_keeps_the_openings_of_its_cells():
    placed = BuildingInfo(0x01000009, at(60, 60), 0, (BldPortal(3, 0x100, 0, (0x100, 0x101)),))
    world, block = load(two_rooms(info=info([placed])))
    assert world.problems.lines == ["memory, object 0x01000009: GfxObj is missing; a marker stands in"]
    building = block.buildings[0]
    assert building.shell_root is None
    assert building.portals[0].other_cell_id == BLOCK | 0x100
    assert len(building.portals[0].polygon.vertices) == 4


def test_a_second_building_in_a_landcell_is_reported():
    infos = [BuildingInfo(0x01000001, at(60, 60), 0, ()), BuildingInfo(0x01000001, at(62, 62), 0, ())]
    world, block = load(two_rooms(models=[box_model(0x01000001)], info=info(infos)))
    assert len(world.problems.lines) == 1
    assert "has a building already" in world.problems.lines[0]
    assert len(block.buildings) == 2


# -- what stands there -------------------------------------------------------------------------------


def test_statics_of_block_and_cells_have_ids_of_their_own_and_a_cell():
    source = two_rooms(
        models=[box_model(0x01000001)],
        info=info(objects=[Stab(0x01000001, at(150, 10)), Stab(0x01000001, at(60, 61))]),
    )
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = replace(inner, flags=2, statics=(Stab(0x01000001, at(64, 60)),))
    _, block = load(source)
    assert [(s.cell_id & 0xFFFF, s.frame.origin) for s in block.statics] == [
        (0x31, (150.0, 10.0, 94.0)),
        (0x13, (60.0, 61.0, 94.0)),
        (0x101, (64.0, 60.0, 94.0)),
    ]
    ids = [s.object_id for s in block.statics]
    assert ids == [ids[0], ids[0] + 1, ids[0] + 2]
    assert ids[0] >> 28 == 4
    assert all(s.state is None and not s.is_entity for s in block.statics)


def test_scene_objects_are_statics_or_entities():
    items = (
        SceneObject(0x01000001, BLOCK | 0x31, at(150, 10)),
        SceneObject(
            model_id=0x01000001,
            cell_id=BLOCK | 0x100,
            frame=at(60, 60),
            entity_id=0x7A9B4015,
            state=None,
            motion_table=0x09000202,
            scale=2.0,
            name="door",
        ),
        SceneObject(
            model_id=0x01000001, cell_id=BLOCK | 0x100, frame=at(60, 60), entity_id=None, state=0x10008
        ),
        SceneObject(0x01000001, 0x12340001, at(1, 1)),
    )
    world, block = load(two_rooms(models=[box_model(0x01000001)], scene=Scene(items)))
    assert world.problems.lines == []
    assert [s.object_id for s in block.statics] == [0x40000000]
    door, other = block.entities
    assert isinstance(door, PlacedObject)
    assert (door.object_id, door.state, door.motion_table, door.scale, door.name) == (
        0x7A9B4015,
        None,
        0x09000202,
        2.0,
        "door",
    )
    assert (other.object_id, other.state, other.is_entity) == (0x40000002, 0x10008, True)


def test_a_scene_object_without_a_cell_is_left_out_and_one_without_a_model_keeps_its_place():
    items = (
        SceneObject(0x01000001, BLOCK | 0x1AA, at(1, 1)),
        SceneObject(0x01000077, BLOCK | 0x31, at(150, 10)),
    )
    world, block = load(two_rooms(models=[box_model(0x01000001)], scene=Scene(items, "doors.json")))
    assert [s.model_id for s in block.statics] == [0x01000077]
    assert world.problems.lines == [
        "doors.json: objects[0]: there is no cell 0xA9B401AA; left out",
        "memory, object 0x01000077: GfxObj is missing; a marker stands in",
    ]


# -- damage ------------------------------------------------------------------------------------------


def one_line(source, *words):
    """The block still loads and exactly one line says what is wrong, naming source and object."""
    world, block = load(source)
    assert len(world.problems.lines) == 1, world.problems.lines
    line = world.problems.lines[0]
    for word in ("memory", *words):
        assert word in line
    assert "\n" not in line
    return block


def test_a_damaged_cell_record_is_one_line():
    source = two_rooms()
    source.cells[BLOCK | 0x101] = DatError("memory", BLOCK | 0x101, 0x1C, "the record ends here")
    block = one_line(source, "0xA9B40101", "offset 0x1C", "the record ends here")
    assert list(block.env_cells) == [BLOCK | 0x100]


def test_a_missing_cell_record_is_one_line():
    source = two_rooms()
    source.listed = (*source.listed, BLOCK | 0x102)
    one_line(source, "0xA9B40102", "EnvCell is missing")


def test_a_missing_environment_is_one_line_and_the_cell_is_left_out():
    source = two_rooms()
    del source.environments[0x0D000002]
    block = one_line(source, "0xA9B40101", "0x0D000002")
    assert list(block.env_cells) == [BLOCK | 0x100]


def test_a_cell_frame_that_is_not_finite_is_one_line():
    source = two_rooms()
    bad = replace(source.cells[BLOCK | 0x101], frame=at(math.inf, 0))
    source.cells[bad.id] = bad
    one_line(source, "0xA9B40101", "its frame is not finite")


def test_a_quaternion_off_unit_length_is_normalised_and_reported():
    source = two_rooms()
    bad = replace(source.cells[BLOCK | 0x101], frame=at(64, 60, 94, (2.0, 0.0, 0.0, 0.0)))
    source.cells[bad.id] = bad
    block = one_line(source, "0xA9B40101", "length 2.000; normalised")
    assert block.env_cells[bad.id].frame.quat == (1.0, 0.0, 0.0, 0.0)


def test_a_portal_whose_polygon_is_missing_stays_in_its_place_closed():
    source = two_rooms()
    first = source.cells[BLOCK | 0x100]
    source.cells[first.id] = replace(first, portals=(CellPortal(7, 99, 0xFFFF, -1), first.portals[1]))
    block = one_line(source, "0xA9B40100", "portal 0: its polygon 99 is not there")
    portal = block.env_cells[first.id].portals[0]
    assert portal.index == 0
    assert portal.polygon.vertices == ()
    assert abs(portal.polygon.distance((0.0, 0.0, 0.0))) > 1e6


def test_a_portal_index_beyond_the_neighbours_is_dropped_and_reported():
    source = two_rooms()
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = replace(inner, portals=(CellPortal(1, 4, 0x100, 5),))
    block = one_line(source, "0xA9B40101", "cell 0xA9B40100 has no portal 5")
    assert block.env_cells[inner.id].portals[0].other_portal_id == -1


def test_a_portal_that_leads_back_into_its_own_cell_loads():
    source = two_rooms()
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = replace(inner, portals=(CellPortal(1, 4, 0x101, 0),))
    _, block = load(source)
    assert block.env_cells[inner.id].portals[0].other_cell_id == inner.id


def structure_with(**fields):
    environment = room(2, (4,))
    return replace(environment, cells=(replace(environment.cells[0], **fields),))


def test_a_vertex_that_is_not_finite_takes_only_its_polygons_along():
    environment = room(2, (4,))
    struct = environment.cells[0]
    vertices = list(struct.vertex_array.vertices)
    vertices[0] = replace(vertices[0], pos=(math.nan, 0.0, 0.0))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(vertex_array=VertexArray(1, tuple(vertices)))
    world, block = load(source)
    assert world.problems.lines == [
        "memory, object 0x0D000002: structure 0: physics polygon 0: vertex 0 is not finite",
        "memory, object 0x0D000002: structure 0: drawing polygon 0: vertex 0 is not finite",
    ]
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [1, 2, 3, 5]


def test_a_polygon_with_a_missing_vertex_is_one_line():
    struct = room(2, (4,)).cells[0]
    polygons = (*struct.polygons[:5], replace(struct.polygons[5], vertex_ids=(0, 1, 999)))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(polygons=polygons)
    one_line(source, "0x0D000002", "drawing polygon 5 names vertex 999")


def test_a_physics_tree_with_unknown_polygons_is_one_line():
    leaf = BspNode("LEAF", index=0, solid=0, sphere=Sphere((0.0, 0.0, 1.0), 5.0), polys=(0, 77, 1))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(physics_bsp=leaf)
    block = one_line(source, "0x0D000002", "names polygons that are not there: 77")
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [0, 1]


def test_a_physics_tree_with_nan_falls_back_to_all_polygons():
    leaf = BspNode("LEAF", index=0, solid=0, sphere=Sphere((0.0, 0.0, 1.0), 5.0), polys=(0,))
    split = BspNode("BPnN", Plane((math.nan, 0.0, 1.0), 0.0), leaf, leaf, sphere=Sphere((0.0, 0.0, 1.0), 5.0))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(physics_bsp=split)
    block = one_line(source, "0x0D000002", "not finite")
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [0, 1, 2, 3, 5]


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (BspNode("LEAF", index=0), "has no plane; it contains nothing"),
        (BspNode("BPFL", Plane((0.0, math.inf, 1.0), 0.0)), "not finite; it contains nothing"),
    ],
)
def test_a_cell_tree_that_bounds_nothing_contains_nothing(tree, reason):
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(cell_bsp=tree)
    block = one_line(source, "0x0D000002", reason)
    assert block.env_cells[BLOCK | 0x101].structure.cell_tree is None


def test_a_damaged_terrain_record_is_one_line_and_the_cells_stay():
    source = two_rooms()
    source.ground = DatError("memory", BLOCK | 0xFFFF, 4, "cut short")
    block = one_line(source, "0xA9B4FFFF", "cut short")
    assert block.land_cells == []
    assert len(block.env_cells) == 2


def test_heights_that_are_not_finite_are_one_line_and_the_cells_stay():
    source = two_rooms()
    region = plain_looks.region((math.nan,) * 256)
    source.region = lambda: region
    block = one_line(source, "0xA9B4FFFF", "not finite; no terrain")
    assert block.land_cells == []
    assert len(block.env_cells) == 2


def test_a_missing_model_is_reported_once_however_often_it_stands_there():
    stabs = [Stab(0x01000009, at(10 + n, 10)) for n in range(5)]
    block = one_line(two_rooms(info=info(objects=stabs)), "0x01000009", "GfxObj is missing")
    assert [s.model_id for s in block.statics] == [0x01000009] * 5


def test_a_stab_that_is_not_finite_is_one_line():
    stabs = [Stab(0x01000001, at(math.nan, 10)), Stab(0x01000001, at(20, 10))]
    source = two_rooms(models=[box_model(0x01000001)], info=info(objects=stabs))
    block = one_line(source, "0xA9B4FFFE", "object 0")
    assert len(block.statics) == 1


def test_an_object_off_the_map_is_one_line():
    source = two_rooms(models=[box_model(0x01000001)], info=info(objects=[Stab(0x01000001, at(1e6, 10))]))
    one_line(source, "0xA9B4FFFE", "object 0 stands off the map")


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

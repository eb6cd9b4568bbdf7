"""A folder of dumps as a world (sources 2-4, dat-format 5.5)."""

import json

import pytest

from engine.world.sources.open_source import open_source
from tests.world.dump_folders import BLOCK, model, polygon, rigid, room, write
from tests.world.sources.dump_worlds import EAST, SOUTH, WEST, load, two_rooms


def test_cells_load_with_frames_portals_and_stab_lists(tmp_path):
    world, block = load(two_rooms(tmp_path))
    assert world.problems.lines == []
    first, second = block.env_cells.values()
    assert first.frame.origin == (60.0, 60.0, 94.0)
    assert second.frame.to_global((1.0, 0.0, 0.0)) == pytest.approx((64.0, 61.0, 94.0))
    assert [p.is_exit for p in first.portals] == [True, False]
    assert first.stab_list == (BLOCK | 0x101, BLOCK | 0x16F)


def test_the_neighbours_portal_is_the_one_with_the_same_corners(tmp_path):
    _, block = load(two_rooms(tmp_path))
    first, second = block.env_cells.values()
    assert first.portals[1].other_portal_id == 0
    assert second.portals[0].other_portal_id == 1


def test_two_cells_that_share_two_openings(tmp_path):
    def wall(x, y0, y1, *, outward):
        corners = [(x, y0, 0), (x, y1, 0), (x, y1, 2), (x, y0, 2)]
        return corners if outward else corners[::-1]

    west = room(0x100, rigid(60, 60, 94), [])
    east = room(0x101, rigid(64, 60, 94), [])
    west["PortalPolygons"] += [
        polygon(6, wall(2, -2, -1, outward=False)),
        polygon(7, wall(2, 1, 2, outward=False)),
    ]
    east["PortalPolygons"] += [
        polygon(6, wall(-2, 1, 2, outward=True)),
        polygon(7, wall(-2, -2, -1, outward=True)),
    ]
    west["Portals"] = [{"OtherCellId": 0x101, "PolygonId": n, "Flags": 3} for n in (6, 7)]
    east["Portals"] = [{"OtherCellId": 0x100, "PolygonId": n, "Flags": 3} for n in (6, 7)]
    _, block = load(write(tmp_path, west, east))
    ids = [[p.other_portal_id for p in cell.portals] for cell in block.env_cells.values()]
    assert ids == [[1, 0], [1, 0]]


def test_the_portal_that_a_dump_names_is_the_neighbours_whatever_the_corners_say(tmp_path):
    """As dats name it, 0 at an exit and a neighbour that is not in the folder among them; −1 is none."""
    west = room(0x100, rigid(60, 60, 94), [(EAST, 0x101, 3), (SOUTH, 0xFFFF, 7), (WEST, 0x102, 3)])
    east = room(0x101, rigid(64, 60, 94), [(WEST, 0x100, 3), (SOUTH, 0x100, 3)])
    for portal, named in zip((*west["Portals"], *east["Portals"]), (1, 0, 4, -1, 0), strict=True):
        portal["OtherPortalId"] = named
    _, block = load(write(tmp_path, west, east))
    ids = [[p.other_portal_id for p in cell.portals] for cell in block.env_cells.values()]
    assert ids == [[1, 0, 4], [-1, 0]]


def test_portals_whose_corners_differ_have_no_way_back(tmp_path):
    west = room(0x100, rigid(60, 60, 94), [(EAST, 0x101, 3)])
    east = room(0x101, rigid(64.5, 60, 94), [(WEST, 0x100, 3)])
    _, block = load(write(tmp_path, west, east))
    assert [c.portals[0].other_portal_id for c in block.env_cells.values()] == [-1, -1]


def test_seen_outside_is_said_or_follows_from_an_exit_in_sight(tmp_path):
    write(
        tmp_path,
        room(0x100, rigid(60, 60, 94), [(SOUTH, 0xFFFF, 7)]),
        room(0x101, rigid(64, 60, 94), [(WEST, 0x100, 3)], [0x100]),
        room(0x102, rigid(68, 60, 94), [(WEST, 0x101, 3)], [0x101]),
        room(0x103, rigid(72, 60, 94), [(WEST, 0x102, 3)], [], SeenOutside=True),
        room(0x104, rigid(76, 60, 94), [(SOUTH, 0xFFFF, 7)], [], SeenOutside=False),
    )
    _, block = load(tmp_path)
    assert [cell.seen_outside for cell in block.env_cells.values()] == [True, True, False, True, False]


def test_a_dumped_cells_physics_tree_is_one_leaf_in_file_order(tmp_path):
    dump = room(0x100, rigid(60, 60, 94), [])
    dump["ResolvedPolygons"].reverse()
    _, block = load(write(tmp_path, dump))
    root = block.env_cells[BLOCK | 0x100].structure.physics_root
    assert root.is_leaf
    assert not root.solid
    assert [p.id for p in root.polygons] == [5, 4, 3, 2, 1, 0]


def test_a_dumped_models_physics_tree_is_one_leaf_that_is_not_solid(tmp_path):
    world, _ = load(two_rooms(write(tmp_path, model(0x01000010))))
    root = world.model(0x01000010).parts[0].physics_root
    assert root.is_leaf
    assert not root.solid


def test_split_trees_are_behind_a_switch(tmp_path):
    world, block = load(two_rooms(write(tmp_path, model(0x01000010))), split_trees=True)
    assert not block.env_cells[BLOCK | 0x100].structure.physics_root.is_leaf
    assert not world.model(0x01000010).parts[0].physics_root.is_leaf


def test_the_cell_tree_is_the_hull_of_the_drawing_table_openings_included(tmp_path):
    _, block = load(two_rooms(tmp_path))
    for cell in block.env_cells.values():
        planes = cell.structure.cell_tree.planes
        assert len(planes) == 6
        assert all(nx * 0.3 + ny * 0.2 + nz * 1.0 + d > 0 for nx, ny, nz, d in planes)


def test_planes_given_by_the_scene_are_taken(tmp_path):
    scene = {"cell_planes": {"0xA9B40100": [[0, 0, 1, 0.5]]}}
    _, block = load(two_rooms(tmp_path, scene))
    assert block.env_cells[BLOCK | 0x100].structure.cell_tree.planes == [(0.0, 0.0, 1.0, 0.5)]
    assert len(block.env_cells[BLOCK | 0x101].structure.cell_tree.planes) == 6


def test_without_a_scene_the_ground_is_flat_at_the_lowest_exit_sill(tmp_path):
    write(
        tmp_path,
        room(0x100, rigid(60, 60, 94), [(SOUTH, 0xFFFF, 7)]),
        room(0x101, rigid(80, 60, 92.5), [(SOUTH, 0xFFFF, 7)]),
        room(0x102, rigid(100, 60, 80), [(EAST, 0x101, 3)]),
    )
    world, block = load(tmp_path)
    assert set(block.heights) == {92.5}
    assert set(world.load_block(0xAAB40000).heights) == {92.5}


def test_without_a_scene_and_without_an_exit_there_are_no_landcells(tmp_path):
    world, block = load(write(tmp_path, room(0x100, rigid(60, 60, 94), [])))
    assert block.land_cells == []
    assert world.load_block(0xAAB40000) is None


def test_heights_of_the_scene_are_for_the_cells_block_and_outside_for_the_others(tmp_path):
    heights = [float(n) for n in range(81)]
    world, block = load(two_rooms(tmp_path, {"terrain": {"heights": heights, "outside": 10}}))
    assert block.heights == tuple(heights)
    assert set(world.load_block(0xA8B40000).heights) == {10.0}
    assert world.load_block(0xFFFF0000) is None


def test_terrain_alone_is_a_world(tmp_path):
    world, block = load(write(tmp_path, scene={"terrain": {"height": 10}}))
    assert set(block.heights) == {10.0}
    assert len(block.land_cells) == 64
    assert world.problems.lines == []


def test_setups_come_from_the_scene_or_from_a_file(tmp_path):
    part = "0x01000010"
    scene = {
        "setups": [
            {
                "id": "0x02000001",
                "parts": [part],
                "frames": [{"origin": [1, 2, 3], "quat": [1, 0, 0, 0]}],
                "spheres": [[0, 0, 0.018, 0.1]],
            }
        ],
        "objects": [{"setup": "0x02000001", "at": "0xA9B40100 [60 60 94]", "entity": 1}],
    }
    dumped = {
        "Parts": [part, part],
        "PlacementFrames": [
            {"Origin": {"X": x, "Y": 0, "Z": 0}, "Orientation": {"W": 1, "X": 0, "Y": 0, "Z": 0}}
            for x in (1, 2)
        ],
        "CylSpheres": [{"Origin": {"X": 0, "Y": 0, "Z": 0}, "Radius": 0.5, "Height": 2}],
        "Spheres": [],
        "Radius": 0.75,
        "Height": 2,
        "StepUpHeight": 0.5,
        "StepDownHeight": 1.5,
    }
    write(tmp_path, model(0x01000010), **{"0x02000002.setup.json": json.dumps(dumped)})
    world, block = load(two_rooms(tmp_path, scene))
    door, other = world.model(0x02000001), world.model(0x02000002)
    assert world.problems.lines == []
    assert door.part_frames[0].origin == (1.0, 2.0, 3.0)
    assert door.sorting_sphere.radius == pytest.approx(0.1)
    assert block.entities[0].object_id == 1
    assert [f.origin[0] for f in other.part_frames] == [1.0, 2.0]
    assert (other.radius, other.height, other.step_up, other.step_down) == (0.75, 2.0, 0.5, 1.5)
    assert other.cylspheres[0].height == 2.0


def test_a_buildings_opening_is_the_cells_exit_with_the_inverse_side(tmp_path):
    scene = {
        "buildings": [
            {
                "gfxobj": "0x01000010",
                "at": "0xA9B40012 [60 61 94] 0.707107 0 0 0.707107",
                "portals": [{"cell": "0xA9B40100", "portal": 0}],
            }
        ]
    }
    world, block = load(two_rooms(write(tmp_path, model(0x01000010)), scene))
    assert world.problems.lines == []
    building = block.buildings[0]
    portal = building.portals[0]
    assert block.env_cells[BLOCK | 0x100].portals[0].portal_side == 0
    assert portal.portal_side == 1
    assert portal.exact_match
    assert portal.stab_list == (BLOCK | 0x100, BLOCK | 0x101, BLOCK | 0x16F)
    there = [building.pos.frame.to_global(v) for v in portal.polygon.vertices]
    assert {round(p[1], 4) for p in there} == {58.0}
    assert block.land_cells[0x12].building is building  # the landcell of the origin, whatever is named


def test_an_overlay_adds_doors_to_the_folders_own_scene(tmp_path):
    write(tmp_path, model(0x01000010))
    two_rooms(tmp_path, {"objects": [{"gfxobj": "0x01000010", "at": "0xA9B40100 [60 60 94]"}]})
    over = tmp_path / "doors.json"
    over.write_text(
        json.dumps(
            {"objects": [{"gfxobj": "0x01000010", "at": "0xA9B40101 [64 60 94]", "entity": "0x7A9B4015"}]}
        )
    )
    _, block = load(tmp_path, scene=over)
    assert [s.cell_id & 0xFFFF for s in block.statics] == [0x100]
    assert [e.object_id for e in block.entities] == [0x7A9B4015]


def test_everything_drawn_has_a_texture_and_openings_have_none(tmp_path):
    source = open_source(dumps=two_rooms(write(tmp_path, model(0x01000010))))
    cell = source.env_cell(BLOCK | 0x100)
    struct = source.environment(cell.environment_id).cell(0)
    for record in struct.polygons:
        surface = source.surface(cell.surface_ids[record.pos_surface])
        if record.key in struct.portals:
            assert surface.type & 6 == 0
            continue
        texture = source.surface_texture(surface.texture)
        image = source.render_surface(texture.textures[0])
        assert len(image.data) == 4 * image.width * image.height
        assert len(record.pos_uv_indices) == len(record.vertex_ids)
    gfxobj = source.gfx_obj(0x01000010)
    assert {p.pos_surface for p in gfxobj.polygons} == {3}
    assert source.surface(gfxobj.surfaces[3]).type & 6
    kind = source.region().terrain.texmerge.terrain[0]
    assert source.surface_texture(kind.texture) is not None
    assert source.palette(1) is source.animation(1) is source.motion_table(1) is None
    assert source.surface(0x08001234) is source.surface_texture(1) is source.render_surface(1) is None


def test_drawn_normals_face_the_front_of_their_polygon(tmp_path):
    source = open_source(dumps=two_rooms(tmp_path))
    struct = source.environment(source.env_cell(BLOCK | 0x100).environment_id).cell(0)
    normals = {v.key: v.normal for v in struct.vertex_array.vertices}
    floor = struct.polygons[0]
    assert {normals[key] for key in floor.vertex_ids} == {(0.0, 0.0, 1.0)}


def test_home_is_the_scenes_own_else_a_cell_with_an_exit_else_open_ground(tmp_path):
    assert open_source(dumps=two_rooms(tmp_path)).home().startswith("0xA9B40100 [60.0 60.0 94.0]")
    (tmp_path / "own").mkdir()
    own = two_rooms(tmp_path / "own", {"home": "0xA9B40101 [64 60 94]"})
    assert open_source(dumps=own).home() == "0xA9B40101 [64 60 94]"
    (tmp_path / "bare").mkdir()
    bare = write(tmp_path / "bare", scene={"terrain": {"height": 10}})
    assert open_source(dumps=bare).home() == "0xA9B40025 [108.0 108.0 10.0] 1 0 0 0"
    (tmp_path / "high").mkdir()
    high = write(tmp_path / "high", scene={"terrain": {"height": 1e8}})
    assert open_source(dumps=high).home() == "0xA9B40025 [108.0 108.0 0.0] 1 0 0 0"
    (tmp_path / "steep").mkdir()
    rows = [2.0 * (n // 9) for n in range(81)]  # 2 m up each landcell to the east
    steep = write(tmp_path / "steep", scene={"terrain": {"heights": rows}})
    assert open_source(dumps=steep).home() == "0xA9B40025 [108.0 108.0 9.0] 1 0 0 0"

"""What stands in a landblock: buildings with their openings, statics, and the objects of a scene."""

import math

import pytest

from engine.dat.records.land_block_info import BldPortal, BuildingInfo, Stab
from engine.world.cells import PlacedObject
from engine.world.loading import buildings, landblock, model_store
from engine.world.source import Scene, SceneObject
from tests.world.loading.block_scenes import NORTH, SOUTH, at, load, two_rooms
from tests.world.world_records import (
    BLOCK,
    box_faces,
    box_model,
    info,
    setup,
)

TURNED = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # 90 degrees counter-clockwise


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


def test_the_buildings_of_a_landblock_have_so_many_openings_and_no_more(monkeypatch):
    """Twenty-eight bytes of a record make one, and all that moves or is seen near by tries each of them."""
    monkeypatch.setattr(buildings, "MOST_OPENINGS", 3)
    pair = (BldPortal(3, 0x100, 0, ()), BldPortal(3, 0x100, 0, ()))
    places = [at(60, 60), at(90, 60), at(120, 60)]
    infos = [BuildingInfo(0x01000001, place, 0, pair) for place in places]
    world, block = load(two_rooms(models=[box_model(0x01000001)], info=info(infos)))
    assert [len(building.portals) for building in block.buildings] == [2, 1, 0]
    assert world.problems.lines == [
        "memory, object 0xA9B4FFFE: its buildings have 6 openings, over 3: the last 3 are left out"
    ]


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


def test_statics_of_block_and_cells_have_ids_of_their_own_and_a_cell():
    source = two_rooms(
        models=[box_model(0x01000001)],
        info=info(objects=[Stab(0x01000001, at(150, 10)), Stab(0x01000001, at(60, 61))]),
    )
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = inner._replace(flags=2, statics=(Stab(0x01000001, at(64, 60)),))
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


def test_entities_of_a_landblock_and_the_shapes_of_one_model_are_bounded_too(monkeypatch):
    monkeypatch.setattr(landblock, "MOST_OF_ENTITIES", 5)
    pair = setup(0x02000001, [0x01000001, 0x01000001], (at(0, 0, 0), at(0, 0, 1)))
    lamps = [SceneObject(0x02000001, BLOCK | 0x100, at(60, 60), entity_id=0x70000001 + n) for n in range(4)]
    world, block = load(two_rooms(models=[box_model(0x01000001)], setups=[pair], scene=Scene(tuple(lamps))))
    assert len(block.entities) == 2
    assert "are over 5: 2 objects are left out" in world.problems.lines[0]
    monkeypatch.setattr(model_store, "MOST_OF_MODEL", 1)
    world, _ = load(
        two_rooms(
            models=[box_model(0x01000001)], setups=[pair], info=info([], [Stab(0x02000001, at(60, 60))])
        )
    )
    assert world.model(0x02000001) is None
    assert "object 0x02000001: 2 parts and shapes, over 1: nothing is made of it" in world.problems.lines[0]


def test_what_stands_in_a_landblock_has_so_many_parts_and_shapes_and_no_more(monkeypatch):
    """Two thousand spheres of a Setup and as many stabs of it are 100 kB in a dat, and were gigabytes."""
    monkeypatch.setattr(landblock, "MOST_SHAPES", 5)
    pair = setup(0x02000001, [0x01000001, 0x01000001], (at(0, 0, 0), at(0, 0, 1)))
    stabs = [Stab(0x02000001, at(60, 60)) for _ in range(4)]
    world, block = load(two_rooms(models=[box_model(0x01000001)], setups=[pair], info=info([], stabs)))
    assert len(block.statics) == 2
    assert world.problems.lines == [
        "memory, object 0xA9B4FFFF: parts and shapes of what stands in it are over 5: 2 objects are left out"
    ]


def test_what_stands_in_a_landblock_has_so_many_polygons_to_collide_by_and_no_more(monkeypatch):
    """Ten thousand triangles in a leaf and three thousand stabs of it were hours for one tick."""
    box = box_model(0x01000001)
    assert box.physics_polygons is not None
    count = len(box.physics_polygons)
    monkeypatch.setattr(landblock, "MOST_POLYGONS", 4 * count - 1)
    pair = setup(0x02000001, [0x01000001, 0x01000001], (at(0, 0, 0), at(0, 0, 1)))
    stabs = [Stab(model, at(60, 60)) for model in (0x02000001, 0x01000001, 0x01000001)]
    world, block = load(two_rooms(models=[box], setups=[pair], info=info([], stabs)))
    assert [s.model_id for s in block.statics] == [0x02000001, 0x01000001]
    assert world.problems.lines == [
        f"memory, object 0xA9B4FFFF: physics polygons of what stands in it are over {4 * count - 1}: "
        "1 objects are left out"
    ]

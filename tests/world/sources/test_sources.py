"""Opening a source, and its errors (sources 1, promises 1)."""

import json
import shutil

import pytest

from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from engine.dat.records.land_block import LandBlock
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import SourceError, demo_source, open_source
from tests.dat_writing import write_dat
from tests.places import DEMO, SHARED
from tests.world.dump_folders import rigid, room, write


@pytest.fixture
def dats(tmp_path):
    folder = tmp_path / "dats"
    folder.mkdir()
    shutil.copy(SHARED / "examples/dats/portal.dat", folder / "client_portal.dat")
    shutil.copy(SHARED / "examples/dats/cell.dat", folder / "client_cell_1.dat")
    return folder


def failure(**options):
    with pytest.raises(SourceError) as error:
        open_source(**options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_exactly_one_source_is_named(tmp_path):
    assert "name one source" in failure()
    assert "name one source" in failure(dats=tmp_path, dumps=tmp_path)


@pytest.mark.parametrize("kind", ["demo", "dats", "dumps"])
def test_a_missing_folder_is_one_line(tmp_path, kind):
    assert failure(**{kind: tmp_path / "nowhere"}) == f"{tmp_path / 'nowhere'}: there is no such folder"
    (tmp_path / "file").write_text("")
    assert failure(**{kind: tmp_path / "file"}) == f"{tmp_path / 'file'}: is no folder"


def test_a_folder_without_dats_is_one_line(tmp_path):
    assert "no portal file in this folder" in failure(dats=tmp_path)


def test_a_file_that_is_no_dat_is_one_line(tmp_path):
    (tmp_path / "client_portal.dat").write_bytes(b"not a dat" * 100)
    (tmp_path / "client_cell_1.dat").write_bytes(b"")
    line = failure(dats=tmp_path)
    assert str(tmp_path) in line


def test_a_folder_without_dumps_is_one_line_with_a_hint(tmp_path):
    assert "holds no dumps" in failure(dumps=tmp_path)
    (tmp_path / "dumps").mkdir()
    assert str(tmp_path / "dumps") in failure(dumps=tmp_path)


def test_a_broken_scene_is_one_line(tmp_path):
    write(tmp_path, room(0x100, rigid(60, 60, 94), []))
    scene = tmp_path / "other.json"
    scene.write_text("{")
    assert "other.json: line 1" in failure(dumps=tmp_path, scene=scene)
    (tmp_path / "scene.json").write_text('{"objects": 5}')
    assert "scene.json: objects: expected a list" in failure(dumps=tmp_path)
    assert "nowhere.json: there is no such file" in failure(dumps=tmp_path, scene=tmp_path / "nowhere.json")


def test_a_scene_beside_the_dumps_that_is_a_link_to_nowhere_is_not_passed_over(tmp_path):
    write(tmp_path, room(0x100, rigid(60, 60, 94), []))
    (tmp_path / "scene.json").symlink_to(tmp_path / "gone.json")
    assert "scene.json: there is no such file" in failure(dumps=tmp_path)


@pytest.mark.shared
def test_a_folder_of_dats_opens_and_its_block_loads(dats):
    source = open_source(dats=dats)
    world = World(source)
    block = world.load_block(0xA9B40000)
    assert world.problems.lines == []
    assert list(block.env_cells) == [0xA9B40100 + n for n in range(4)]
    assert len(block.land_cells) == 64
    assert block.heights[:3] == (
        source.region().land.heights[source.land_block(0xA9B40000).height[0]],
        source.region().land.heights[source.land_block(0xA9B40000).height[1]],
        source.region().land.heights[source.land_block(0xA9B40000).height[2]],
    )
    source.close()  # type: ignore[union-attr]


@pytest.mark.shared
def test_dats_building_openings_come_from_its_two_port_nodes(dats):
    world = World(open_source(dats=dats))
    building = world.load_block(0xA9B40000).buildings[0]
    south, north = building.portals
    assert {round(v[1], 2) for v in south.polygon.vertices} == {-5.01}
    assert {round(v[1], 2) for v in north.polygon.vertices} == {5.01}
    assert (south.other_cell_id, south.portal_side) == (0xA9B40100, 0)
    assert (north.other_cell_id, north.other_portal_id) == (0xA9B40103, 1)
    assert south.stab_list == (0xA9B40100, 0xA9B40101, 0xA9B40102)
    assert building.shell_root is not None
    assert not building.shell_root.is_leaf


@pytest.mark.shared
def test_a_scene_adds_doors_and_setups_to_dats(dats, tmp_path):
    scene = tmp_path / "doors.json"
    scene.write_text(
        json.dumps(
            {
                "home": "0xA9B40100 [84 61 94.005]",
                "setups": [{"id": "0x0200FFF0", "cylspheres": [[0, 0, 0, 0.4, 2]]}],
                "objects": [
                    {"setup": "0x02000308", "at": "0xA9B40000 [20 20 94]", "entity": "0x7A9B4015"},
                    {"setup": "0x0200FFF0", "at": "0xA9B40100 [84 61 94.005]"},
                ],
            }
        )
    )
    source = open_source(dats=dats, scene=scene)
    world = World(source)
    block = world.load_block(0xA9B40000)
    assert world.problems.lines == []
    assert [entity.object_id for entity in block.entities] == [0x7A9B4015]
    assert world.model(0x0200FFF0).cylspheres[0].height == 2.0
    assert len(world.model(0x02000308).parts) == 2
    assert world.model(0x02000308).part_frames[0].origin == pytest.approx((0.6, 0.0, 0.0))
    assert source.home() == "0xA9B40100 [84 61 94.005]"


@pytest.mark.shared
def test_without_a_home_dats_start_in_holtburg_on_the_ground(dats):
    source = open_source(dats=dats)
    world = World(source)
    position = world.locate(source.home())
    assert position.cell_id == 0xA9B40019
    on_the_map = world.locate("42.1N 33.6E")
    assert on_the_map.frame.origin[2] == pytest.approx(131.0, abs=1e-6)


@pytest.mark.shared
def test_the_demo_reads_the_scene_beside_its_dats(dats):
    (dats / "scene.json").write_text(
        json.dumps({"objects": [{"setup": "0x02000308", "at": "0xA9B40000 [20 20 94]", "entity": 7}]})
    )
    source = demo_source(dats)
    assert source.name == "demo"
    assert [item.entity_id for item in source.scene().objects] == [7]
    assert open_source(dats=dats).scene().objects == ()


@pytest.mark.shared
def test_an_id_of_another_type_names_the_source(dats):
    world = World(open_source(dats=dats))
    assert world.model(0x02FFFFFF) is None
    assert len(world.problems.lines) == 1
    assert "0x02FFFFFF" in world.problems.lines[0]


@pytest.mark.shared
def test_dats_without_a_region_are_one_line(tmp_path):
    shutil.copy(SHARED / "examples/dats/cell.dat", tmp_path / "client_cell_1.dat")
    assert "no portal file" in failure(dats=tmp_path)


def test_without_holtburg_dats_start_in_the_first_landblock_on_the_map(tmp_path):
    records = {
        ground: encode(LandBlock(ground, 0, (0,) * 81, (0,) * 81))
        for ground in (0x03FFFFFF, 0x0708FFFF, 0x1213FFFF)
    }
    shutil.copy(DEMO / "client_portal.dat", tmp_path)
    write_dat(tmp_path / "client_cell_1.dat", records, DatKind.CELL)
    assert parse_location(open_source(dats=tmp_path).home()).cell_id >> 16 == 0x0708

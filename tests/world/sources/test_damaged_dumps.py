"""Dumps that make no sense: one line that names file, id and reason; never a traceback."""

import json
import math
import random
import shutil

import pytest

from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import SourceError, open_source
from tests.world.dump_folders import BLOCK, model, polygon, rigid, room, write
from tests.world.sources.dump_worlds import WEST, load, two_rooms


def broken(**changes):
    dump = room(0x101, rigid(64, 60, 94), [(WEST, 0x100, 3)])
    dump.update(changes)
    return dump


def scaled(factor):
    return rigid(64, 60, 94, ((factor, 0, 0), (0, factor, 0), (0, 0, factor)))


CORNER = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
NAN_POLYGON = polygon(0, [(0, 0, math.nan), (1, 0, 0), (0, 1, 0)])


@pytest.mark.parametrize(
    ("dump", "reason"),
    [
        (broken(WorldTransform=scaled(1.01)), "WorldTransform: it is not rigid"),
        (
            broken(WorldTransform=rigid(64, 60, 94, ((1, 0, 0), (0, 1, 0), (0, 0, -1)))),
            "WorldTransform: it is not rigid: determinant -1.000",
        ),
        (
            broken(WorldTransform=rigid(64, 60, 94, ((1, 0.1, 0), (0, 1, 0), (0, 0, 1)))),
            "WorldTransform: it is not rigid",
        ),
        (broken(WorldTransform=rigid(64, 60, 94) | {"M44": 2}), "its last column is not 0 0 0 1"),
        (broken(WorldTransform={}), "WorldTransform: 'M11' is missing"),
        (broken(PortalPolygons=[NAN_POLYGON]), "PortalPolygons[0]: Vertices[0]: Z: nan is not a finite"),
        (
            broken(PortalPolygons=[polygon(1, CORNER), polygon(1, CORNER)]),
            "PortalPolygons: an Id occurs twice: 1",
        ),
        (
            broken(ResolvedPolygons=[polygon(1, CORNER[:2])]),
            "Vertices: a polygon has three corners",
        ),
        (
            broken(ResolvedPolygons=[polygon(1, CORNER * 86)]),
            "Vertices: a polygon has 255 corners at the most, not 258",
        ),
        (
            broken(ResolvedPolygons=[polygon(1, CORNER) | {"NumPoints": 4}]),
            "ResolvedPolygons[0]: NumPoints: there are 3 Vertices",
        ),
        (broken(Portals=[{"OtherCellId": 0x100, "Flags": 3}]), "Portals[0]: 'PolygonId' is missing"),
        (broken(Portals="none"), "Portals: expected a list"),
        (
            broken(Portals=[{"OtherCellId": 0x100, "PolygonId": 1, "Flags": 3, "OtherPortalId": 65535}]),
            "Portals[0]: OtherPortalId: 65535 is no index of a portal: they go from 0 to 32767, -1 is none",
        ),
        (broken(SeenOutside=1), "SeenOutside: expected true or false"),
    ],
)
def test_a_damaged_dump_is_one_line_naming_file_id_and_reason(tmp_path, dump, reason):
    two_rooms(tmp_path)
    world, block = load(write(tmp_path, dump))
    assert len(world.problems.lines) == 1
    line = world.problems.lines[0]
    assert "0xA9B40101.json, object 0xA9B40101: " in line
    assert reason in line
    assert "\n" not in line
    assert list(block.env_cells) == [BLOCK | 0x100]


def test_a_transform_within_a_thousandth_of_rigid_is_taken(tmp_path):
    two_rooms(tmp_path)
    world, _ = load(write(tmp_path, broken(WorldTransform=scaled(1.0003))))
    assert world.problems.lines == []


def test_broken_json_and_a_wrong_id_are_one_line(tmp_path):
    two_rooms(tmp_path)
    (tmp_path / "0xA9B40101.json").write_text("{")
    world, _ = load(tmp_path)
    assert world.problems.lines[0].endswith(
        "object 0xA9B40101: line 1 column 2: not JSON (Expecting property name enclosed in double quotes)"
    )
    shutil.copy(tmp_path / "0xA9B40100.json", tmp_path / "0xA9B40101.json")
    world, _ = load(tmp_path)
    assert world.problems.lines[0].endswith("object 0xA9B40101: CellId is 0xA9B40100")


@pytest.mark.parametrize("of_model", [False, True], ids=["cell", "model"])
def test_two_dumps_of_one_id_are_one_line_and_neither_counts(tmp_path, of_model):
    scene = {"objects": [{"gfxobj": "0x01000010", "at": "0xA9B40100 [60 60 94]"}]}
    write(two_rooms(tmp_path, scene), model(0x01000010))
    name, other = (
        ("0x01000010.gfxobj.json", "0X01000010.GFXOBJ.JSON")
        if of_model
        else ("0xA9B40101.json", "0xa9b40101.json")
    )
    shutil.copy(tmp_path / name, tmp_path / other)
    world, block = load(tmp_path)
    assert len(world.problems.lines) == 1
    assert all(word in world.problems.lines[0] for word in (name, other, "given twice"))
    assert list(block.env_cells) == [BLOCK | 0x100, BLOCK | 0x101][: 2 if of_model else 1]


def test_a_damaged_model_is_one_line(tmp_path):
    two_rooms(tmp_path, {"objects": [{"gfxobj": "0x01000010", "at": "0xA9B40100 [60 60 94]"}]})
    (tmp_path / "0x01000010.gfxobj.json").write_text(json.dumps({"GfxObjId": 5, "ResolvedPolygons": []}))
    world, block = load(tmp_path)
    assert len(world.problems.lines) == 1
    assert "GfxObjId is 0x00000005" in world.problems.lines[0]
    assert [s.model_id for s in block.statics] == [0x01000010]


def test_a_portal_without_its_polygon_is_one_line(tmp_path):
    dump = room(0x100, rigid(60, 60, 94), [])
    dump["Portals"] = [{"OtherCellId": 65535, "PolygonId": 40, "Flags": 7}]
    world, block = load(write(tmp_path, dump))
    assert len(world.problems.lines) == 1
    assert "portal 0: its polygon 40 is not there" in world.problems.lines[0]
    assert block.land_cells == []


def test_a_building_that_names_a_missing_cell_is_reported(tmp_path):
    scene = {
        "buildings": [
            {
                "gfxobj": "0x01000010",
                "at": "0xA9B40012 [60 61 94]",
                "portals": [{"cell": "0xA9B40190", "portal": 0}],
            }
        ]
    }
    world, _ = load(two_rooms(write(tmp_path, model(0x01000010)), scene))
    assert len(world.problems.lines) == 1
    assert "portal 0: cell 0xA9B40190 is not there" in world.problems.lines[0]


def mangled(value, rng):
    """A copy of a document with some members lost and some values replaced by nonsense."""
    if isinstance(value, dict):
        return {key: mangled(item, rng) for key, item in value.items() if rng.random() > 0.001}
    if isinstance(value, list):
        return [mangled(item, rng) for item in value if rng.random() > 0.001]
    if rng.random() < 0.004:
        return rng.choice([None, "x", -1, 1e300, math.nan, [], {}, True, 0, 2**40])
    return value


@pytest.mark.parametrize("seed", range(40))
def test_a_mangled_folder_loads_or_says_why_in_lines(tmp_path, seed):
    rng = random.Random(seed)
    scene = {
        "terrain": {"height": 94},
        "objects": [{"gfxobj": "0x01000010", "at": "0xA9B40100 [60 60 94]"}],
        "buildings": [
            {
                "gfxobj": "0x01000010",
                "at": "0xA9B40013 [60 61 94]",
                "portals": [{"cell": "0xA9B40100", "portal": 0}],
            }
        ],
    }
    two_rooms(write(tmp_path, model(0x01000010)), scene)
    for path in tmp_path.iterdir():
        path.write_text(json.dumps(mangled(json.loads(path.read_text()), rng)))
    try:
        source = open_source(dumps=tmp_path)
    except SourceError as error:
        assert "\n" not in str(error)
        return
    world = World(source)
    world.load_around(BLOCK)
    assert parse_location(source.home()).cell_id
    assert not any("\n" in line for line in world.problems.lines)

"""``scene.json``: what is read, how it is laid over another, and what its errors say (sources 4)."""

import json

import pytest

from engine.dat.hex_id import hex_id
from engine.dat.values import CylSphere, Plane, Sphere
from engine.files.format_version import SCENE, stamp
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import open_source
from engine.world.sources.scene_file import SceneFile, ScenePortal, parse_scene, read_scene
from engine.world.sources.scene_text import format_scene
from tests.places import DEMO

FULL = {
    "home": "0xA9B40031 [150 20 94]",
    "terrain": {"heights": [float(n % 7) for n in range(81)], "outside": 10},
    "setups": [
        {
            "id": "0x020019FF",
            "parts": ["0x010044B5", "0x010044B6"],
            "frames": [
                {"origin": [-0.01, 0.12, 1.28], "quat": [1, 0, 0, 0]},
                {"origin": [0.75, 0.12, 0.95], "quat": [0, 0, 0, 1]},
            ],
            "spheres": [[0, 0, 0.018, 0.1]],
        },
        {"id": "0x02000010", "cylspheres": [[0, 0, 0, 0.4, 2.0]]},
    ],
    "objects": [
        {"gfxobj": "0x01000010", "at": "0xA9B40100 [60 60 20] 0.965926 0 0 0.258819"},
        {
            "setup": "0x020019FF",
            "at": "0xA9B40000 [73.0729 131.542 66] 0.707107 0 0 -0.707107",
            "entity": "0x7A9B4003",
            "state": "0x10008",
            "motion_table": "0x09000202",
            "scale": 1.5,
            "name": "street door",
        },
    ],
    "buildings": [
        {
            "gfxobj": "0x01000A20",
            "at": "0xA9B4001C [84 84 10] 1 0 0 0",
            "portals": [{"cell": "0xA9B40164", "portal": 0}],
        }
    ],
    "cell_planes": {"0xA9B40164": [[0, 0, 1, 0], [0, 0, -1, 2.5]]},
}


def test_every_part_of_a_scene_is_read():
    scene = parse_scene(FULL, "scene.json")
    assert scene.home == "0xA9B40031 [150 20 94]"
    assert scene.terrain.heights[8] == 1.0
    assert scene.terrain.outside == 10.0
    door, post = scene.setups
    assert door.parts == (0x010044B5, 0x010044B6)
    assert door.frames[1].orientation == (0.0, 0.0, 0.0, 1.0)
    assert door.spheres[0].radius == pytest.approx(0.1)
    assert post.cylspheres == (CylSphere((0.0, 0.0, 0.0), pytest.approx(0.4), 2.0),)
    pillar, entity = scene.objects
    assert (pillar.model_id, pillar.cell_id, pillar.entity_id, pillar.state) == (
        0x01000010,
        0xA9B40100,
        None,
        None,
    )
    assert (entity.entity_id, entity.state, entity.motion_table) == (0x7A9B4003, 0x10008, 0x09000202)
    assert (entity.cell_id, entity.scale, entity.name) == (0xA9B4001E, 1.5, "street door")
    assert scene.buildings[0].portals == (ScenePortal(0xA9B40164, 0),)
    assert dict(scene.cell_planes)[0xA9B40164] == (
        Plane((0.0, 0.0, 1.0), 0.0),
        Plane((0.0, 0.0, -1.0), 2.5),
    )


def test_one_height_makes_all_landblocks_flat():
    terrain = parse_scene({"terrain": {"height": 94}}, "s").terrain
    assert set(terrain.heights) == {94.0}
    assert terrain.outside == 94.0


def test_a_scene_is_written_and_read_back():
    scene = parse_scene(FULL, "scene.json")
    assert parse_scene(json.loads(format_scene(scene)), "scene.json") == scene
    flat = parse_scene({"terrain": {"height": 94.5}}, "s")
    assert parse_scene(json.loads(format_scene(flat)), "s") == flat
    assert json.loads(format_scene(SceneFile())) == stamp(SCENE)


def test_numbers_are_single_precision_as_records_hold_them():
    scene = parse_scene({"terrain": {"height": 0.1}}, "s")
    assert scene.terrain.outside == 0.10000000149011612


def test_an_overlay_adds_objects_and_takes_the_place_of_entities_it_names():
    own = parse_scene(FULL, "own.json")
    over = parse_scene(
        {
            "objects": [
                {"setup": "0x020019FF", "at": "0xA9B40100 [1 2 3]", "entity": "0x7A9B4003"},
                {"setup": "0x020019FF", "at": "0xA9B40100 [1 2 3]", "entity": "0x7A9B4004"},
            ],
            "setups": [{"id": "0x020019FF", "spheres": [[0, 0, 1, 1]]}],
        },
        "over.json",
    )
    both = own.overlaid(over)
    assert [item.entity_id for item in both.objects] == [None, 0x7A9B4003, 0x7A9B4004]
    assert both.objects[1].frame.origin == (1.0, 2.0, 3.0)
    assert both.terrain == own.terrain
    assert both.buildings == own.buildings
    assert both.home == own.home
    assert {s.setup_id: s for s in both.setups}[0x020019FF].spheres == (Sphere((0.0, 0.0, 1.0), 1.0),)


@pytest.mark.parametrize(
    ("scene", "reason"),
    [
        ([], "scene.json: expected an object"),
        ({"object": []}, "'object' means nothing here"),
        ({"objects": {}}, "objects: expected a list"),
        ({"objects": [{"at": "0xA9B40100 [1 2 3]"}]}, "objects[0]: expected either 'setup' or 'gfxobj'"),
        ({"objects": [{"gfxobj": "0x01000001"}]}, "objects[0]: 'at' is missing"),
        (
            {"objects": [{"gfxobj": "0x01000001", "at": "somewhere"}]},
            "objects[0]: at: bad location 'somewhere'",
        ),
        (
            {"objects": [{"gfxobj": "0x02000001", "at": "0xA9B40100 [1 2 3]"}]},
            "objects[0]: gfxobj: 0x02000001 is no GfxObj id",
        ),
        ({"objects": [{"gfxobj": "0x01000001", "at": "42.1N 33.6E"}]}, "map coordinates have no height"),
        (
            {"objects": [{"gfxobj": "0x01000001", "at": "0xA9B40100 [1 2 3]", "state": "closed"}]},
            "objects[0]: state: 'closed' is not a number",
        ),
        (
            {"objects": [{"gfxobj": "0x01000001", "at": "0xA9B40100 [1 2 3]", "scale": 0}]},
            "objects[0]: scale 0.0 is not above 0",
        ),
        ({"terrain": {"heights": [1, 2, 3]}}, "terrain: heights: expected 81 numbers, not 3"),
        ({"terrain": {"height": "high"}}, 'terrain: height: expected a number, not "high"'),
        ({"terrain": {"height": float("nan")}}, "is not a finite number"),
        ({"terrain": {}}, "terrain: 'height' is missing"),
        (
            {"setups": [{"id": "0x02000001", "parts": ["0x01000001"], "frames": []}]},
            None,
        ),
        (
            {
                "setups": [
                    {
                        "id": "0x02000001",
                        "parts": ["0x01000001", "0x01000001"],
                        "frames": [{"origin": [0, 0, 0], "quat": [1, 0, 0, 0]}],
                    }
                ]
            },
            "setups[0]: 2 parts but 1 frames",
        ),
        (
            {"setups": [{"id": "0x02000001", "cylspheres": [[0, 0, 0, 1]]}]},
            "cylspheres[0]: expected 5 numbers",
        ),
        (
            {"buildings": [{"gfxobj": "0x01000001", "at": "0xA9B40100 [1 2 3]"}]},
            "a building stands in a landcell",
        ),
        (
            {
                "buildings": [
                    {
                        "gfxobj": "0x01000001",
                        "at": "0xA9B40001 [1 2 3]",
                        "portals": [{"cell": "0xA9B50100", "portal": 0}],
                    }
                ]
            },
            "no cell of the building's landblock",
        ),
        ({"home": "nowhere"}, "home: bad location"),
        (
            {
                "objects": [
                    {
                        "setup": "0x020019FF",
                        "at": "0xA9B40022 [1 2 3]",
                        "entity": 5,
                        "door": {"default_open": False, "locked": False, "reset_interval": -1.0},
                    }
                ]
            },
            "door: reset_interval: -1.0 is not above 0",
        ),
        ({"cell_planes": {"0xA9B40100": [[0, 0, 1]]}}, "cell_planes: 0xA9B40100[0]: expected 4 numbers"),
    ],
)
def test_an_error_names_the_place_and_the_reason_in_one_line(scene, reason):
    if reason is None:
        parse_scene(scene, "scene.json")
        return
    with pytest.raises(JsonError) as error:
        parse_scene(scene, "scene.json")
    assert reason in str(error.value)
    assert str(error.value).startswith("scene.json: ")
    assert "\n" not in str(error.value)


LAMP = {"setup": "0x02000B04", "at": "0xA9B40022 [1 2 3]", "entity": "0x7A9B4020", "hours": [17.5, 6.75]}


def test_the_hours_of_an_entity_are_read_and_written_back():
    scene = parse_scene({"objects": [LAMP]}, "s")
    assert scene.objects[0].hours == (17.5, 6.75)
    assert parse_scene(json.loads(format_scene(scene)), "s").objects[0].hours == (17.5, 6.75)
    without = {key: value for key, value in LAMP.items() if key != "hours"}
    assert parse_scene({"objects": [without]}, "s").objects[0].hours is None


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"hours": [17.5, 25.0]}, "hours 17.5 to 25 are not between 0 and 24"),
        ({"hours": [-1, 6]}, "hours -1 to 6 are not between 0 and 24"),
        ({"entity": None}, "'hours' are for entities: this object has no 'entity'"),
    ],
)
def test_hours_that_make_no_sense_are_one_line(changed, reason):
    item = {key: value for key, value in {**LAMP, **changed}.items() if value is not None}
    with pytest.raises(JsonError, match=reason):
        parse_scene({"objects": [item]}, "s")


def test_broken_json_names_file_line_and_column(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text('{"objects": [\n  {"at": }\n]}')
    with pytest.raises(JsonError, match=r"scene\.json: line 2 column 10: not JSON"):
        read_scene(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"home": "x", "terrain": {"height": 1}, "home": "y"}', 'scene.json: "home" is given twice'),
        ('{"objects": [{}, {"at": "a", "at": "b"}]}', 'scene.json: objects[1]: "at" is given twice'),
        ('{"a": {"b": 1, "b": 2}, "a": 1}', 'scene.json: "a" is given twice'),
        ('{"a": [{"b": 1, "b": 2}], "c": 1}', 'scene.json: a[0]: "b" is given twice'),
        ('{"cell_planes": {"0xa9b40100": [], "0xA9B40100": []}}', "cell_planes: 0xA9B40100 is given twice"),
        ('{"setups": [{"id": "0x02000001"}, {"id": "0x02000001"}]}', "setups[1]: 0x02000001 is given twice"),
        (
            '{"objects": ['
            + ", ".join(
                f'{{"setup": "0x020019FF", "at": "0xA9B40031 [1 {y} 94]", "entity": "0x7A9B4001"}}'
                for y in (1, 9)
            )
            + "]}",
            "objects[1]: entity 0x7A9B4001 is given twice",
        ),
        (
            '{"objects": ['
            + ", ".join(
                f'{{"setup": "0x020019FF", "at": "0xA9B40031 [1 {y} 94]", "static": "0x4A9B5F00"}}'
                for y in (1, 9)
            )
            + "]}",
            "objects[1]: static 0x4A9B5F00 is given twice",
        ),
    ],
)
def test_what_is_given_twice_is_refused_by_its_name(tmp_path, text, reason):
    path = tmp_path / "scene.json"
    path.write_text(text)
    with pytest.raises(JsonError) as error:
        read_scene(path)
    assert str(error.value).replace(f"{tmp_path}/", "").endswith(reason)
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_binary_one_are_one_line(tmp_path):
    with pytest.raises(JsonError, match="there is no such file"):
        read_scene(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xc3(\x00\x81")
    with pytest.raises(JsonError, match="can't be read"):
        read_scene(tmp_path / "bytes.json")
    (tmp_path / "deep.json").write_text("[" * 200_000)
    with pytest.raises(JsonError, match="nested too deeply"):
        read_scene(tmp_path / "deep.json")


EXACT = {
    "setup": "0x02000B04",
    "at": "0xA9B40022 [1 2 3] 0 0 0 1",
    "exactly": {"origin": [1, 2, 3], "orientation": [0, 0, 0, -1]},
}


@pytest.mark.parametrize("kind", ["objects", "buildings"])
@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("0xA9B40022 [1 2 3] 0 0 0 1", None),
        ("0xA9B40022 [1.0000001 2 3] 0 0 0 0.9999999", None),
        ("0xA9B40022 [1.01 2 3] 0 0 0 1", "exactly: another place than 'at' has"),
        ("0xA9B40022 [1 2 3] 1 0 0 0", "exactly: another turn than 'at' has"),
        ("0xA9B40022 [1 2 3] 0 0 0.01 1", "exactly: another turn than 'at' has"),
    ],
)
def test_a_place_that_was_changed_by_hand_is_not_passed_over_for_its_digits(kind, at, reason):
    """Who edits one of the two that a saved scene has for a place is told of the other."""
    scene = {kind: [{**EXACT, "at": at, **({"portals": []} if kind == "buildings" else {})}]}
    if reason is None:
        parse_scene(scene, "s")
        return
    with pytest.raises(JsonError, match=reason):
        parse_scene(scene, "s")


@pytest.mark.parametrize("own", [0x4A9B5015, 0x40000001])
def test_a_static_with_the_id_of_one_that_the_world_has_is_left_out_and_told(tmp_path, own):
    """It was drawn beside that one, which nothing met any more. The second is counted so."""
    thing = {"setup": "0x020019FF", "at": "0xA9B40031 [152 21 94] 1 0 0 0"}
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"objects": [{**thing, "static": hex_id(own)}, thing]}))
    world = World(open_source(dats=DEMO, scene=path))
    block = world.load_block(0xA9B40000)
    assert [placed.object_id for placed in block.statics].count(own) == 1
    late = 0 if own == 0x4A9B5015 else 1
    assert world.problems.lines == [
        f"{path}: objects[{late}]: static {hex_id(own)} is there already; left out"
    ]


@pytest.mark.parametrize("first", [0xA9B40000, 0xA9B50000])
def test_of_two_statics_that_come_to_one_id_the_later_of_the_scene_is_left_out(tmp_path, first):
    """Whichever landblock is loaded first: the first object is counted as the second one says."""
    one = {"setup": "0x020019FF", "at": "0xA9B40038 [148 185 96.25] 1 0 0 0"}
    other = {"setup": "0x020019FF", "at": "0xA9B50031 [148 6 98] 1 0 0 0", "static": "0x40000000"}
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"objects": [one, other]}))
    world = World(open_source(dats=DEMO, scene=path))
    blocks = [world.load_block(block_id) for block_id in (first, 0xA9B40000, 0xA9B50000)]
    cells = [item.cell_id for block in blocks[1:] for item in block.statics if item.object_id == 0x40000000]
    assert cells == [0xA9B40038]
    assert world.problems.lines == [f"{path}: objects[1]: static 0x40000000 is there already; left out"]

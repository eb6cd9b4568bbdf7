"""Spawn lists in the form of ACE's world exports (sources 5), damaged ones too."""

import json
import os
from pathlib import Path

import pytest

from engine.world.loading.world import World
from engine.world.source import DoorFacts
from engine.world.sources.open_source import SourceError, open_source
from engine.world.sources.spawns import SpawnError, read_spawns
from tests.needed import posix
from tests.places import DEMO
from tests.world.spawn_rows import INSTANCE_COLUMNS, instance, weenie

COTTAGE_DOOR, INN_DOOR, CROFT_DOOR = 0x7A9B4015, 0x7A9B4016, 0x7A9B4017
MERCHANT = 0x7A9B4018
LAMPS = range(0x7A9B4020, 0x7A9B4027)

A9B4 = f"""DELETE FROM `landblock_instance` WHERE `landblock` = 0xA9B4;

INSERT INTO `landblock_instance` ({INSTANCE_COLUMNS})
VALUES (0x7A9B4000,   412, 0xA9B40170, 155.4, 16, 94, 0, 0, 0, 1, False, '2021-11-01 00:00:00'); /* Door */
/* @teleloc 0xA9B40170 [155.399994 16.000000 94.000000] 0.000000 0.000000 0.000000 1.000000 */

INSERT INTO `landblock_instance` ({INSTANCE_COLUMNS})
VALUES (0x7A9B4001,   412, 0xA9B40164, 156, 29.5, 94, 1, 0, 0, 0, False, '2021-11-01 00:00:00'); /* Door */
/* @teleloc 0xA9B40164 [156.000000 29.500000 94.000000] 1.000000 0.000000 0.000000 0.000000 */

INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`, `last_Modified`)
VALUES (0x7A9B4000, 0x7A9B4001, '2021-11-01 00:00:00') /* it's; a link */;
"""
DOOR = """DELETE FROM `weenie` WHERE `class_Id` = 412;

INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`, `last_Modified`)
VALUES (412, 'door', 19, '2021-11-01 00:00:00') /* Door */;

INSERT INTO `weenie_properties_int` (`object_Id`, `type`, `value`)
VALUES (412,   1,        128) /* ItemType - Misc */
     , (412,  93,      65544) /* PhysicsState - ReportCollisions, HasPhysicsBSP */
     , (412, 119,          1) /* Active */;

INSERT INTO `weenie_properties_bool` (`object_Id`, `type`, `value`)
VALUES (412,   1, True ) /* Stuck */
     , (412,   2, False) /* Open */
     , (412,  34, False) /* DefaultOpen */
     , (412,  35, True ) /* DefaultLocked */;

INSERT INTO `weenie_properties_float` (`object_Id`, `type`, `value`)
VALUES (412,  11,      12.5) /* ResetInterval */
     , (412,  39,       1.5) /* DefaultScale */
     , (412,  54,         2) /* UseRadius */;

INSERT INTO `weenie_properties_string` (`object_Id`, `type`, `value`)
VALUES (412,   1, 'Holtburg\\'s "Door"; (old)') /* Name */;

INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`)
VALUES (412,   1, 0x020019FF) /* Setup */
     , (412,   2, 0x09000202) /* MotionTable */
     , (412,   8, 0x06001317) /* Icon */;
"""


def spawns(tmp_path, *texts):
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.sql").write_text(text)
    return read_spawns(tmp_path)


def objects(tmp_path, *texts):
    found = spawns(tmp_path, *texts)
    out = found.scene_objects()
    assert found.problems == []
    return out


# -- what is read ------------------------------------------------------------------------------------


def test_a_landblock_and_its_door_class(tmp_path):
    cottage, inn = objects(tmp_path, A9B4, DOOR)
    assert (cottage.entity_id, cottage.model_id, cottage.motion_table) == (0x7A9B4000, 0x020019FF, 0x09000202)
    assert cottage.cell_id == 0xA9B40170
    assert cottage.frame.origin == pytest.approx((155.4, 16.0, 94.0))
    assert cottage.frame.orientation == (0.0, 0.0, 0.0, 1.0)
    assert (cottage.state, cottage.scale, cottage.name) == (0x10008, 1.5, "door")
    assert cottage.door == DoorFacts(default_open=False, locked=True, reset_interval=12.5)
    assert inn.entity_id == 0x7A9B4001
    assert inn.cell_id == 0xA9B40164


def test_the_house_door_needs_no_rows_of_its_class(tmp_path):
    (door,) = objects(tmp_path, instance())
    assert (door.model_id, door.motion_table, door.state, door.scale) == (0x020019FF, 0x09000202, None, 1.0)
    assert door.door == DoorFacts(default_open=False, locked=False, reset_interval=30.0)


def test_one_file_may_hold_everything_and_columns_may_stand_in_any_order(tmp_path):
    text = (
        "INSERT INTO landblock_instance (angles_Z, angles_Y, angles_X, angles_W, origin_Z, origin_Y,"
        " origin_X, obj_Cell_Id, weenie_Class_Id, guid)"
        " VALUES (0, 0, 0, 1, 94, 29.5, 156, 0xA9B40164, 700, 9),"
        " ('0', '0', '0', '1', '94.0', '29.5', '156', '0xA9B40164', '700', '0x10')"
    )
    path = tmp_path / "all of it.txt"
    path.write_text(text + ";" + weenie(700, 19, "gate", d_i_d={1: 0x02000777}))
    gates = read_spawns(path).scene_objects()
    assert [(g.entity_id, g.model_id, g.motion_table, g.name) for g in gates] == [
        (9, 0x02000777, 0, "gate"),
        (16, 0x02000777, 0, "gate"),
    ]


@pytest.mark.parametrize(
    ("properties", "state", "default_open"),
    [
        ({}, None, False),
        ({"bool": {34: 1}}, 0x1000C, True),
        ({"bool": {2: "True"}}, 0x1000C, True),
        ({"bool": {2: 1, 34: 0}}, 0x1000C, False),
        ({"bool": {13: 1}}, 0x1000C, False),
        ({"int": {93: 0x10008}}, 0x10008, False),
        ({"int": {93: 0x10008}, "bool": {34: 1}}, 0x1000C, True),
        ({"int": {93: 0x1000C}}, 0x1000C, False),
        ({"int": {93: 0x8}, "bool": {13: "b'1'"}}, 0xC, False),
    ],
)
def test_the_state_of_a_door(tmp_path, properties, state, default_open):
    (door,) = objects(tmp_path, instance(class_id=9), weenie(9, 19, d_i_d={1: 0x02000001}, **properties))
    assert door.state == state
    assert door.door.default_open == default_open


def test_what_is_no_door_is_placed_and_is_none(tmp_path):
    chest = weenie(10, 20, "chest", d_i_d={1: 0x02000010, 2: 0x09000004}, int={93: 0x418}, float={39: 0.5})
    ghost = weenie(11, 1, d_i_d={1: 0x01000010}, bool={13: 1})
    found = objects(tmp_path, instance(1, 10) + instance(2, 11), chest, ghost)
    assert [(o.model_id, o.state, o.scale, o.door, o.weenie_type) for o in found] == [
        (0x02000010, 0x418, 0.5, None, 20),
        (0x01000010, 0xC, 1.0, None, 1),
    ]


def test_low_word_0_is_outdoors_and_the_landcell_follows(tmp_path):
    (door,) = objects(tmp_path, instance(cell="0xA9B40000", at=(84.1, 131.5, 66)))
    assert door.cell_id == 0xA9B4001E
    (door,) = objects(tmp_path, instance(cell="0xA9B40000", at=(-1.0, 131.5, 66)))
    assert door.cell_id == 0xA8B4003E
    assert door.frame.origin[0] == pytest.approx(191.0)


def test_folders_are_read_with_what_lies_below_and_only_sql_files(tmp_path):
    (tmp_path / "weenies" / "Door").mkdir(parents=True)
    (tmp_path / "weenies" / "Door" / "00412 Door.SQL").write_text(DOOR)
    (tmp_path / "A9B4.sql").write_text("\ufeff" + A9B4, encoding="utf-8")
    (tmp_path / "notes.txt").write_text(instance(guid=5))
    (tmp_path / "empty.sql").write_text("")
    found = read_spawns(tmp_path)
    assert sorted(found.instances) == [0x7A9B4000, 0x7A9B4001]
    assert found.weenies[412].type == 19


@posix("links")
def test_linked_folders_are_read_too_and_a_link_to_no_file_is_said(tmp_path):
    (tmp_path / "top").mkdir()
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.sql").write_text(A9B4)
    (tmp_path / "top" / "sub").symlink_to("../real")
    assert read_spawns(tmp_path / "top").instances
    (tmp_path / "top" / "b.sql").symlink_to("nowhere")
    with pytest.raises(SpawnError, match=r"b\.sql: leads to no file"):
        read_spawns(tmp_path / "top")
    (tmp_path / "top" / "b.sql").unlink()
    os.mkfifo(tmp_path / "top" / "b.sql")
    with pytest.raises(SpawnError, match=r"b\.sql: is no file"):
        read_spawns(tmp_path / "top")


def test_of_two_things_said_of_a_class_the_last_counts_and_that_is_told(tmp_path):
    (tmp_path / "a.sql").write_text(A9B4 + DOOR)
    assert read_spawns(tmp_path).problems == []
    (tmp_path / "b.sql").write_text(DOOR)
    assert read_spawns(tmp_path).problems == []  # the same once more
    (tmp_path / "c.sql").write_text(DOOR.replace("19", "20"))
    found = read_spawns(tmp_path)
    assert found.weenies[412].type == 20
    assert found.problems == ["spawn list: two things are said of some classes; the last counts (class 412)"]


# -- what makes no sense -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (instance(cell="0xA9B40050"), "0x0050 names no cell"),
        (instance(cell="0xFFB40001"), "landblock 0xFFB4 lies off the map"),
        (instance(cell="0xFEFE0000", at=(500, 0, 0)), "the position lies off the map"),
        (instance(cell="'here'"), "obj_cell_id is 'here', not a number"),
        (instance(cell=0), "obj_cell_id 0 is no number from 1"),
        (instance(turn=(0, 0, 0, 0)), "the orientation's length is 0.000, not 1"),
        (instance(turn=(1, 1, 0, 0)), "the orientation's length is 1.414, not 1"),
        (instance(at=(155.4, "NULL", 94)), "origin_y is NULL, not a number"),
        (instance(at=(155.4, "1e400", 94)), "origin_y is inf, not a number"),
        (instance(at=(155.4, "@y", 94)), "origin_y is '@y', not a number"),
        (instance(guid=0), "guid 0 is no number from 1"),
        (instance(guid="0x17A9B4000"), "guid 6351962112 is no number"),
        (instance(guid="0x7A9B4000 + 1"), "guid is '0x7A9B4000 + 1', not a number"),
        (instance(class_id="4.5"), "weenie_class_id 4.5 is no number"),
        (instance().replace("`origin_Z`", "`height`"), "there is no column origin_z"),
        (instance(guid=0x7A9B4001, at=(1, 2, 3)), "guid 0x7A9B4001 stands in"),
    ],
)
def test_an_instance_that_makes_no_sense_is_one_line_and_the_others_stand(tmp_path, row, reason):
    found = spawns(tmp_path, instance(guid=0x7A9B4001) + "\n\n" + row + instance(guid=0x7A9B4002))
    assert len(found.problems) == 1
    assert reason in found.problems[0]
    assert found.problems[0].startswith(f"{tmp_path / '0.sql'}, line 4: landblock_instance: ")
    assert sorted(found.instances) == [0x7A9B4001, 0x7A9B4002]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (weenie(412, "'door'"), "weenie: type is 'door', not a number"),
        (weenie("'x'", 19), "weenie: class_id is 'x', not a number"),
        ("INSERT INTO weenie (class_Id, type) VALUES (412);", "weenie: 1 values for 2 columns"),
        (
            "INSERT INTO weenie_properties_d_i_d (object_Id, type, value) VALUES (412, 1, 0x06000001);",
            "weenie_properties_d_i_d: 0x06000001 is neither a Setup nor a GfxObj",
        ),
        (
            "INSERT INTO weenie_properties_float (object_Id, type, value) VALUES (412, 39, 0);",
            "weenie_properties_float: value 0 of property 39 is not above 0",
        ),
        (
            "INSERT INTO weenie_properties_float (object_Id, type, value) VALUES (412, 11, -1);",
            "value -1 of property 11 is not above 0",
        ),
        (
            "INSERT INTO weenie_properties_int (object_Id, type) VALUES (412, 93);",
            "there is no column value",
        ),
    ],
)
def test_a_class_row_that_makes_no_sense_is_one_line_and_the_door_stands(tmp_path, row, reason):
    found = spawns(tmp_path, instance(), row)
    (door,) = found.scene_objects()
    assert (door.model_id, door.scale, door.door.reset_interval) == (0x020019FF, 1.0, 30.0)
    assert len(found.problems) == 1
    assert reason in found.problems[0]
    assert "1.sql, line 1: " in found.problems[0]


def test_the_same_row_twice_is_no_damage(tmp_path):
    (tmp_path / "a.sql").write_text(instance() + instance())
    (tmp_path / "b.sql").write_text(instance())
    found = read_spawns(tmp_path)
    assert found.problems == []
    assert len(found.instances) == 1


def test_objects_without_a_known_model_are_one_line_a_reason(tmp_path):
    many = "".join(instance(guid=100 + n, class_id=20 + n % 7) for n in range(14))
    found = spawns(tmp_path, many + instance(1, 50), weenie(50, 1, "generator"))
    assert found.scene_objects() == ()
    assert found.problems == [
        "spawn list: 14 objects whose class has no weenie rows are left out (class 20 21 22 23 24 …)",
        "spawn list: 1 objects whose class has no Setup are left out (class 50)",
    ]


@pytest.mark.parametrize("make", ["nothing", "folder", "text", "binary", "page", "zeros", "cut"])
def test_what_is_no_spawn_list_is_one_line(tmp_path, make):
    path = tmp_path / "spawns.sql"
    if make == "folder":
        path.mkdir()
    elif make == "text":
        path.write_text("SELECT 1;")
    elif make == "page":
        path.write_text("# A page\n\nIt isn't a list.\n")
    elif make == "zeros":
        path.write_bytes(DOOR.encode("utf-16-le"))
    elif make == "cut":
        path.write_text(f"INSERT INTO landblock_instance ({', '.join('abcdefghij')}) VALUES (0x7A9B4000, 41")
    elif make == "binary":
        path.write_bytes(bytes(range(256)).replace(b"'", b"").replace(b'"', b"").replace(b"`", b""))
    with pytest.raises(SpawnError, match=str(path)) as caught:
        read_spawns(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(SourceError, match=str(path)):
        open_source(demo=DEMO, spawns=path)


# -- in a world --------------------------------------------------------------------------------------


def demo(tmp_path, *texts, scene=None):
    folder = tmp_path / "spawns"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.sql").write_text(text)
    return World(open_source(demo=DEMO, spawns=folder, scene=scene))


def test_doors_of_a_spawn_list_stand_beside_those_of_the_demos_own_scene(tmp_path):
    world = demo(tmp_path, A9B4, DOOR)
    block = world.load_block(0xA9B40000)
    doors = [COTTAGE_DOOR, INN_DOOR, CROFT_DOOR]
    assert [e.object_id for e in block.entities] == [*doors, MERCHANT, *LAMPS, 0x7A9B4000, 0x7A9B4001]
    assert world.problems.lines == []
    spawned = block.entities[-2]
    assert (spawned.scale, spawned.state, spawned.weenie_type) == (1.5, 0x10008, 19)
    assert spawned.door.locked


def test_a_spawned_entity_takes_the_place_of_the_scenes_and_a_named_scene_wins_over_both(tmp_path):
    scene = tmp_path / "scene.json"
    place = {"setup": "0x020019FF", "entity": "0x7A9B4016", "at": "0xA9B40164 [1 2 3]", "name": "mine"}
    scene.write_text(json.dumps({"objects": [place]}))
    rows = instance(COTTAGE_DOOR) + instance(INN_DOOR)
    world = demo(tmp_path, rows, weenie(412, 19, "theirs", d_i_d={1: 0x020019FF}), scene=scene)
    names = {e.object_id: e.name for e in world.load_block(0xA9B40000).entities}
    others = {CROFT_DOOR: "", MERCHANT: "Merchant", **dict.fromkeys(LAMPS, "")}
    assert names == {COTTAGE_DOOR: "theirs", INN_DOOR: "mine", **others}


def test_problems_of_a_spawn_list_are_the_worlds(tmp_path):
    lost = instance(guid=2, cell="0xA9B4FF00") + instance(guid=3, class_id=77)
    world = demo(tmp_path, instance(cell="0xA9B40050") + lost)
    world.load_block(0xA9B40000)
    lines = world.problems.lines
    assert len(lines) == 3
    assert "0x0050 names no cell" in lines[0]
    assert "class 77" in lines[1]
    assert "0.sql, line 2: there is no cell 0xA9B4FF00; left out" in lines[2]


def test_a_folder_within_that_may_not_be_read_is_named_and_not_passed_over(tmp_path, monkeypatch):
    (tmp_path / "a.sql").write_text(instance(), encoding="utf-8")
    (tmp_path / "closed").mkdir()
    scandir = os.scandir

    def protected(path):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", protected)
    with pytest.raises(SpawnError, match=r"closed: can't be read \(Permission denied\)"):
        read_spawns(tmp_path)


@pytest.mark.parametrize(("no", "yes"), [
    (r"'\0'", "'\1'"), (r"_binary '\0'", "_binary '\1'"), ("b'0'", "b'1'"), ("False", "True"),
    ("0", "1"), ("'0'", "'1'"),
])  # fmt: skip
def test_what_is_true_or_not_is_read_as_dumps_of_every_server_have_it(tmp_path, no, yes):
    text = instance() + weenie(412, 19, d_i_d={1: 0x020019FF}, bool={2: yes, 13: no, 35: yes})
    (door,) = objects(tmp_path, text)
    assert door.door is not None
    assert (door.door.default_open, door.door.locked) == (True, True)
    (door,) = objects(tmp_path, text.replace(f"2, {yes}", f"2, {no}"))
    assert door.door.default_open is False and door.state is None


def test_a_file_that_a_windows_shell_wrote_is_read_as_its_mark_says(tmp_path):
    (tmp_path / "utf-16.sql").write_bytes(A9B4.encode("utf-16"))
    found = read_spawns(tmp_path)
    assert found.problems == []
    assert sorted(found.instances) == [0x7A9B4000, 0x7A9B4001]


def test_utf_16_without_its_mark_beside_other_files_is_told(tmp_path):
    (tmp_path / "a.sql").write_text(A9B4)
    (tmp_path / "b.sql").write_bytes(DOOR.encode("utf-16-le"))
    found = read_spawns(tmp_path)
    assert found.problems == [
        f"{tmp_path / 'b.sql'}: every other byte is zero, as in UTF-16 without its mark; left out"
    ]
    assert len(found.instances) == 2


def test_a_list_with_many_zeros_behind_it_is_read_and_they_are_told(tmp_path):
    (tmp_path / "a.sql").write_text(A9B4 + "\0" * len(A9B4))
    found = read_spawns(tmp_path / "a.sql")
    assert len(found.instances) == 2
    assert found.problems[0].startswith(f"{tmp_path / 'a.sql'}, line 13: {len(A9B4)} bytes are zero here")

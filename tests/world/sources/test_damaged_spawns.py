"""What a wrong or lost letter of a spawn list hides is told (sources 5)."""

import pytest

from engine.world.sources.ace_tables import OTHERS, TABLES
from engine.world.sources.spawns import SpawnError, read_spawns
from engine.world.sources.sql_rows import insert_rows

LIST = """DELETE FROM `weenie` WHERE `class_Id` = 412;

INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`)
VALUES (412, 'door', 19) /* Door */;

INSERT INTO `weenie_properties_string` (`object_Id`, `type`, `value`)
VALUES (412,   1, 'It''s a door.') /* Name */;

INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`)
VALUES (412,   1, 0x020019FF) /* Setup */
     , (412,   2, 0x09000202) /* MotionTable */;

INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`,
 `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `last_Modified`)
VALUES (0x7A9B4005, 412, 0xA9B40170, 151.4, 16, 94, 0, 0, 0, 1, '2021-11-01 00:00:00')
     , (0x7A9B4006, 412, 0xA9B40171, 152.4, 16, 94, 0, 0, 0, 1, '2021-11-01 00:00:00');
/* @teleloc 0xA9B40170 [151.4 16 94] 0 0 0 1 */
"""
INSIDE = "0123456789abcdefxABCDEF.-"
"""Signs of a number."""


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    path = tmp_path_factory.mktemp("spawns") / "list.sql"

    def read(data):
        """What stands where, without files' names, and what is told."""
        path.write_bytes(data)
        try:
            spawns = read_spawns(path)
        except SpawnError as error:
            return (), [str(error)]
        return tuple(item._replace(where="") for item in spawns.scene_objects()), spawns.problems

    return read


def test_no_lost_letter_takes_objects_away_or_changes_them_in_silence(read):
    """Of a number or a name it makes another one, which nobody can tell."""
    whole, said = read(LIST.encode())
    assert (len(whole), said) == (2, [])
    for at, letter in enumerate(LIST):
        found, said = read((LIST[:at] + LIST[at + 1 :]).encode())
        where = LIST[max(0, at - 20) : at + 20]
        assert said or len(found) == 2, where
        if not (letter in INSIDE or "door" in LIST[at - 4 : at + 5]):
            assert said or found == whole, where


def test_no_wrong_quote_takes_objects_away_in_silence(read):
    for at in range(0, len(LIST), 2):
        found, said = read((LIST[:at] + "'" + LIST[at + 1 :]).encode())
        assert said or len(found) == 2, LIST[max(0, at - 20) : at + 20]


@pytest.mark.parametrize("size", [8, 64, 400])
def test_a_piece_that_is_zeros_is_told(read, size):
    """As a disk leaves it that lost its power: a quarter of the whole and more is told as well."""
    data = LIST.encode()
    for at in range(0, len(data) - size, 20):
        found, said = read(data[:at] + bytes(size) + data[at + size :])
        assert said
    found, said = read(data[:-4] + b"\0\0" + data[-2:])
    assert len(found) == 2
    assert said[0].endswith(
        "line 17: 2 bytes are zero here and behind, as where a piece of the file was lost"
    )


@pytest.mark.parametrize("name", [
    "landblock_instance_link", "weenie_properties_i_i_d", "weenie_properties_int64", "weenie_properties_book",
    "weenie_properties_book_page_data", "weenie_properties_string", "weenie_properties_emote_action",
    "weenie_properties_body_part", "biota_properties_int", "biota_properties_float", "recipe_mods_int",
    "biota_properties_i_i_d", "biota_properties_book", "config_properties_long", "config_properties_boolean",
    "recipe_requirements_bool", "treasure_death", "house_portal", "encounter", "quest", "event", "spell",
])  # fmt: skip
def test_tables_of_a_world_are_not_taken_for_misspelt_ones(name):
    said = []
    text = f"INSERT INTO `{name}` (`a`) VALUES (1);"
    assert not list(insert_rows(text, TABLES, lambda *line: said.append(line), others=OTHERS))
    assert said == []

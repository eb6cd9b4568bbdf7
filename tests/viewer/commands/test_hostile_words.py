"""Long, endless and obeyed values from the command line, from file names and from files: one short line."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from engine.world.sources.spawns import read_spawns
from tests.places import DEMO, ROOT
from viewer.main import main

PLACE = "0xA9B40170 [155.4 15.2 94.0]"
HUGE = "9" * 5000
HEX = "0x" + "f" * 5000
ESCAPES = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202e"
AT = ("cell", "--demo", "--at", PLACE)


def is_harmless(text: str) -> bool:
    return not any((ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or c == "\u202e" for c in text)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = main(list(words))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "internal error" not in err
    assert is_harmless(err)
    assert len(err) < 1800
    return err


VALUES = {
    "digits": HUGE, "hex": HEX, "escapes": ESCAPES, "long": "x" * 100_000, "pair": f"{HUGE},{HUGE}",
    "size": f"{HUGE}x{HUGE}",
}  # fmt: skip
BEFORE = (
    "cell --at", "pvs --at 0101 --look", "pvs --at 0101 --eye", "pvs --at 0101 --fov",
    "pvs --at 0101 --mode", "pvs --at 0101 --size", "pvs --at 0101 --root", "audit --landblock",
    "audit --jobs", "dat show", "dat ls --type", "verify --only", "replay x --max-off",
    "render --out x.png --at 0101 --mode", "render --out x.png --at 0101 --use", "render --at 0101 --out",
    "bench", "", "--dats", "dat ls --dats", "cell --at 0101 --scene", "cell --at 0101 --spawns",
    "cell --at 0101 --dumps", "sim", "sim --cases", "replay",
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("words", BEFORE)
def test_arguments(
    capsys: pytest.CaptureFixture[str], words: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)
    refused(capsys, *words.split(), VALUES[value])


def scene_with(**keys: object) -> str:
    return json.dumps({"objects": [{"setup": "0x02000001", "at": PLACE, **keys}]})


SCENES = {
    "scale": scene_with(scale=1).replace(": 1}", f": {HUGE}}}"),
    "hex": scene_with(setup=HEX),
    "digits": scene_with(setup=HUGE),
    "place": scene_with(at="x" * 9000),
    "position": scene_with(at=f"0xA9B40170 [{HUGE} 1 1]"),
    "key": scene_with(**{"k" * 9000: 1}),
    "cell": json.dumps({"cell_planes": {HEX: []}}),
    "zeros": json.dumps({"cell_planes": {f"0x{'0' * 9000}1": [1]}}),
    "escapes": json.dumps({"home": ESCAPES}),
    "twice": f'{{"{"k" * 9000}": 1, "{"k" * 9000}": 2}}',
    "nested": json.dumps({"terrain": {"height": 7}}).replace("7", "[" * 400 + "]" * 400),
}


@pytest.mark.parametrize("name", SCENES)
def test_scenes(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(SCENES[name], encoding="utf-8")
    assert refused(capsys, *AT, "--scene", str(scene)).startswith(f"holtwalk: {scene}: ")


def test_a_number_with_too_many_digits_has_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(f'{{"home":\n "{HUGE}",\n "terrain": {{"height":\n {HUGE}}}}}', encoding="utf-8")
    line = refused(capsys, *AT, "--scene", str(scene))
    assert line == f"holtwalk: {scene}: line 4: a number of more than 4300 digits\n"


NUMBERS = {
    "nan": "'nan'", "inf": "'inf'", "-inf": "'-inf'", "1e999": "1e999", "digits": HUGE, "hex": HEX,
    "digits in quotes": f"'{HUGE}'", "hex in quotes": f"'{HEX}'",
}  # fmt: skip


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("column", range(10))
def test_a_row_of_a_spawn_list_is_left_out_and_the_rest_holds(
    tmp_path: Path, value: str, column: int
) -> None:
    row = ["2057912341", "412", "0xA9B40031", "150", "20", "94", "1", "0", "0", "0"]
    bad = [*row[:column], NUMBERS[value], *row[column + 1 :]]
    names = "guid, weenie_class_id, obj_cell_id, origin_x, origin_y, origin_z, "
    names += "angles_w, angles_x, angles_y, angles_z"
    spawns = tmp_path / "s.sql"
    rows = f"({', '.join(bad)}),\n({', '.join(['2057912342', *row[1:]])})"
    spawns.write_text(f"INSERT INTO landblock_instance ({names}) VALUES\n{rows};\n", encoding="utf-8")
    read = read_spawns(spawns)
    assert list(read.instances) == [2057912342]
    assert len(read.problems) == 1
    assert read.problems[0].startswith(f"{spawns}, line 2: landblock_instance: ")
    assert len(read.problems[0]) < 300 + len(str(spawns))


def test_names_of_files_are_shown_without_what_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a\x1b[31m\nb"
    folder.mkdir()
    demo = DEMO
    (folder / "client_portal.dat").symlink_to(demo / "client_portal.dat")
    (folder / "cell\n\x1b]0;x\x07.dat").symlink_to(demo / "client_cell_1.dat")
    assert main(["dat", "ls", "--dats", str(folder), "--type", "LandBlock"]) == 0
    out = capsys.readouterr().out
    assert is_harmless(out)
    assert all(line.startswith("0x") for line in out.splitlines())
    refused(capsys, *AT, "--scene", str(folder / "none.json"))


def test_stderr_is_written_in_one_place_only() -> None:
    found = [
        f"{path.name}: {lines[node.lineno - 1].strip()}"
        for path in (ROOT / "viewer").rglob("*.py")
        if path.name != "terminal.py"
        for lines in [path.read_text(encoding="utf-8").splitlines()]
        for node in ast.walk(ast.parse("\n".join(lines)))
        if isinstance(node, ast.Attribute) and node.attr in ("stderr", "__stderr__", "__stdout__")
        and isinstance(node.value, ast.Name) and node.value.id == "sys"
    ]  # fmt: skip
    (one,) = found  # where nothing of the program can be read by the Python that runs it
    assert one.startswith('__main__.py: sys.stderr.write("holtwalk: Python 3.11 or later is needed')


@pytest.mark.parametrize(
    "words", ["cell --demo --at", "render --demo --out x.png --at 0101 --lock-root", "probe 0x7A9B4015 --at"]
)
def test_an_empty_place_is_none(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """It counted as none given: what an unset variable of a shell leaves."""
    assert "'' is empty, not LOC" in refused(capsys, *words.split(), "")


@pytest.mark.parametrize("words", ["ls", "show 0101", "grep 0101", "check", "extract 0101 --out x"])
@pytest.mark.parametrize("option", ["--scene", "--spawns"])
def test_a_file_that_is_not_there_is_told_by_commands_that_do_not_need_it(
    capsys: pytest.CaptureFixture[str], words: str, option: str
) -> None:
    said = refused(capsys, "dat", *words.split(), "--demo", option, "nosuch")
    assert said == "holtwalk: nosuch: there is no such file or folder\n"

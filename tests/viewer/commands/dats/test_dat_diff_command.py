"""``holtwalk dat diff`` and ``dat grep`` as they are typed (promises 9)."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.dat.container.dat_file import DatFile
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from tests.dat.small_world import CELL, CELLS, PORTAL, SETUP
from tests.dat_writing import write_dat
from tests.places import DEMO, ROOT
from viewer.main import main

DATS = ROOT.parent / "shared" / "examples" / "dats"
CLIENT = {DatKind.PORTAL: "client_portal.dat", DatKind.CELL: "client_cell_1.dat"}

Run = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)

    def go(*words: object) -> tuple[int, list[str], list[str]]:
        code = main(["dat", *map(str, words)])
        out, err = capsys.readouterr()
        assert all(line.startswith("holtwalk: ") for line in err.splitlines()), err
        assert "internal error" not in err + out, err + out
        return code, out.splitlines(), err.splitlines()

    return go


def world(folder: Path, portal: dict[int, object], cell: dict[int, object]) -> Path:
    folder.mkdir()
    for kind, records in ((DatKind.PORTAL, PORTAL | portal), (DatKind.CELL, CELL | cell)):
        data = {key: r if isinstance(r, bytes) else encode(r) for key, r in records.items() if r is not None}
        write_dat(folder / CLIENT[kind], data, kind)
    return folder


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two worlds: a step height, a portal's flags and a sound differ, a cell is only in b."""
    moved = CELLS[0]._replace(portals=(CELLS[0].portals[0]._replace(flags=4), *CELLS[0].portals[1:]))
    a = world(tmp_path / "a", {0x0A000001: b"RIFF"}, {0x12340101: None})
    setup = SETUP._replace(step_up=SETUP.step_up + 1)
    b = world(tmp_path / "b", {0x0A000001: b"RIFX", SETUP.id: setup}, {0x12340100: moved})
    return a, b


def test_diff_prints_each_object_that_differs_with_its_fields(run: Run, pair: tuple[Path, Path]) -> None:
    code, out, err = run("diff", *pair)
    assert (code, err) == (1, [])
    text = "\n".join(out)
    assert f"step_up: {SETUP.step_up:g} -> {SETUP.step_up + 1:g}" in text.replace(".0", "")
    assert "  portals[0].flags: 7 -> 4" in out
    assert "  the bytes differ from offset 0x3 on" in out
    assert next(line for line in out if line.startswith("0x12340101")).endswith("cell     only in b")
    assert out[-2:] == [
        "portal: 2 changed, 0 only in a, 0 only in b; 7 objects compared",
        "cell: 1 changed, 0 only in a, 1 only in b; 5 objects compared",
    ]


def test_diff_as_json_is_one_document_an_object_and_one_of_the_files(
    run: Run, pair: tuple[Path, Path]
) -> None:
    code, out, _ = run("diff", *pair, "--json")
    *objects, last = map(json.loads, out)
    assert code == 1
    assert all(list(d) == ["kind", "id", "type", "change", "fields", "entry", "byte"] for d in objects)
    cell = next(d for d in objects if d["id"] == "0x12340100")
    assert cell["fields"] == [{"at": "portals[0].flags", "a": 7, "b": 4}]
    assert last["ok"] is False
    assert [(f["kind"], f["changed"], f["only_in_b"]) for f in last["files"]] == [
        ("portal", 2, 0),
        ("cell", 1, 1),
    ]


def test_diff_of_a_world_with_its_copy_says_that_nothing_differs(run: Run, tmp_path: Path) -> None:
    copy = shutil.copytree(DEMO, tmp_path / "copy")
    code, out, err = run("diff", DEMO, copy, "--json")
    assert (code, err, len(out)) == (0, [], 1)
    assert json.loads(out[0])["ok"] is True
    assert sum(file["objects"] for file in json.loads(out[0])["files"]) > 500


def test_diff_compares_two_files_or_a_file_with_its_kind_of_a_folder(
    run: Run, pair: tuple[Path, Path]
) -> None:
    a, b = pair
    alone = run("diff", a / CLIENT[DatKind.CELL], b / CLIENT[DatKind.CELL])
    assert alone == run("diff", a / CLIENT[DatKind.CELL], b) == run("diff", a, b / CLIENT[DatKind.CELL])
    assert alone[1][-1].endswith("; 5 objects compared")
    code, out, err = run("diff", a / CLIENT[DatKind.CELL], b / CLIENT[DatKind.PORTAL])
    assert (code, out, len(err)) == (2, [], 1)
    assert "nothing to compare" in err[0]


def test_diff_says_which_file_only_one_side_has(run: Run, pair: tuple[Path, Path]) -> None:
    a, b = pair
    (b / CLIENT[DatKind.CELL]).unlink()
    code, out, _ = run("diff", a, b)
    assert code == 1
    assert out[-1] == "cell: only a has this file; it was not compared"


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_diff_of_what_is_no_installation_is_one_line(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    code, out, err = run("diff", DEMO, tmp_path / name)
    assert (code, out, len(err)) == (2, [], 1)
    assert name in err[0]


def test_diff_goes_on_behind_a_damaged_record_and_names_it(run: Run, pair: tuple[Path, Path]) -> None:
    a, b = pair
    path = b / CLIENT[DatKind.PORTAL]
    with DatFile.open(path) as file:
        entry = file.entry(0x02000001)
        assert entry is not None
    data = bytearray(path.read_bytes())
    at = data.index(struct.pack("<III", entry.id, entry.offset, entry.size)) - 4
    struct.pack_into("<I", data, at + 8, len(data) + 4096)
    path.write_bytes(data)
    code, out, err = run("diff", a, b)
    assert code == 2
    assert len(err) == 1
    assert "0x02000001" in err[0]
    assert any(line.startswith("0x0A000001") for line in out)
    assert (
        "portal: 1 changed, 0 only in a, 0 only in b, 1 unknown, for what is damaged; 7 objects compared"
        in out
    )


def test_diff_keeps_to_one_type(run: Run, pair: tuple[Path, Path]) -> None:
    _, out, _ = run("diff", *pair, "--type", "envcell", "--json")
    assert {json.loads(line)["type"] for line in out[:-1]} == {"EnvCell"}
    code, _, err = run("diff", *pair, "--type", "Nothing")
    assert (code, len(err)) == (2, 1)


def test_grep_lists_who_names_an_id_and_in_which_field(run: Run) -> None:
    code, out, err = run("grep", "0xA9B40170", "--json")
    assert (code, err) == (0, [])
    found = {d["id"]: d for d in map(json.loads, out)}
    assert found["0xA9B40171"]["at"] == ["portals[0].other_cell", "visible[0]"]
    assert found["0xA9B40171"]["names"] == "0xA9B40170"
    assert found["0xA9B4FFFE"]["type"] == "LandBlockInfo"
    assert run("grep", "0xA9B40170", "--type", "LandBlockInfo")[1][0].split()[0] == "0xA9B4FFFE"


def test_grep_takes_several_ids_and_finds_nothing_in_silence(run: Run) -> None:
    _, out, _ = run("grep", "0xA9B40170", "0xA9B40171", "--json")
    assert {json.loads(line)["names"] for line in out} == {"0xA9B40170", "0xA9B40171"}
    assert run("grep", "0x01FFFFFF") == (0, [], [])


def test_grep_finds_ids_in_the_bytes_of_what_is_not_decoded(run: Run, tmp_path: Path) -> None:
    folder = world(tmp_path / "w", {0x10000001: struct.pack("<III", 0x10000001, 7, 0x01000010)}, {})
    _, out, _ = run("grep", "0x01000010", "--dats", folder, "--type", "Clothing")
    assert len(out) == 1
    assert out[0].endswith("not decoded; its bytes hold 0x01000010 at 0x8")


def test_grep_lists_so_many_places_of_what_is_not_decoded(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sound may be nothing but an id: 64 MB of it, stored in 65 kB, were 8 GB of places."""
    monkeypatch.setattr("engine.dat.check.searching.MOST_PLACES", 20)
    folder = world(tmp_path / "w", {0x10000001: struct.pack("<I", 0x10000001) + b"\5" * 100}, {})
    words = ("grep", "0x05050505", "--dats", folder, "--type", "Clothing")
    assert run(*words)[1][0].endswith("at 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB and over 12 more")
    [found] = map(json.loads, run(*words, "--json")[1])
    assert (found["bytes"], found["more"]) == (list(range(4, 24)), True)


def test_grep_names_what_is_damaged_and_goes_on(run: Run, tmp_path: Path) -> None:
    folder = world(tmp_path / "w", {0x02000000: encode(SETUP)[:-3]}, {})
    code, out, err = run("grep", "0x01000010", "--dats", folder)
    assert code == 2
    assert len(err) == 1
    assert "0x02000000" in err[0]
    assert any(line.startswith("0x02000001") for line in out)


@pytest.mark.shared
def test_the_examples_are_searched_and_compared_without_damage(run: Run) -> None:
    code, out, err = run("diff", DATS, DEMO, "--json")
    assert (code, err) == (1, [])
    last = json.loads(out[-1])
    assert sum(file["only_in_a"] + file["changed"] for file in last["files"]) == 124
    code, out, err = run("grep", "0x02000001", "--dats", DATS, "--json")
    assert (code, err) == (0, [])

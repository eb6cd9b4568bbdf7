"""``holtwalk dat`` as it is typed: documents, pictures, models, damaged files (promises 9)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import OPTIONAL
from engine.dat.object_types import DatKind
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.codecs import encode
from engine.dat.records.render_surface import BLOCK_BYTES, RenderSurface
from engine.dat.records.surface import Surface
from tests.dat import sample_pieces, sample_places
from tests.dat.small_world import CELL, PORTAL
from tests.dat_writing import write_dat
from tests.places import SHARED
from tests.viewer.dat_folders import IMAGES, RunDat, write_folder
from viewer.report import progress

DATS = SHARED / "examples" / "dats"
DAMAGED = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small world, some images, and a type that has no codec."""
    return write_folder(tmp_path, {**IMAGES, 0x0A000001: b"RIFF"})


@pytest.mark.shared
def test_show_all_prints_every_record_of_the_examples_exactly(run_dat: RunDat) -> None:
    expected = json.loads((DATS / "EXPECTED.json").read_text(encoding="utf-8"))
    code, out, err = run_dat("show", "--all", "--json", "--dats", DATS)
    assert (code, err) == (0, "")
    shown = {(Path(d["file"]).stem, d["id"]): d for d in map(json.loads, out.splitlines())}
    wanted = {
        (file, f"0x{key}"): record
        for file, part in expected.items()
        for key, record in part["records"].items()
    }
    assert list(shown) == list(wanted)
    assert len(wanted) == 126
    for key, record in wanted.items():
        found = shown[key]
        assert list(found) == ["file", "id", "type", "entry", "fields"]
        assert found["type"] == record["type"]
        assert list(found["entry"].values()) == record["entry"], key
        # As text, so that the order of the fields counts too.
        assert json.dumps(found["fields"]) == json.dumps(record["fields"]), key


@pytest.mark.parametrize("damaged", [False, True])
def test_show_takes_an_object_of_two_files_from_the_one_that_is_drawn_and_names_the_other(
    run_dat: RunDat, folder: Path, *, damaged: bool
) -> None:
    plain = IMAGES[0x06000002]
    assert isinstance(plain, RenderSurface)
    finer = b"\1\2\3" if damaged else encode(plain._replace(data=bytes(8)))
    portal, highres = folder / "client_portal.dat", folder / "client_highres.dat"
    write_dat(highres, {0x06000002: finer, 0x06000009: b"\1"}, DatKind.HIGHRES)
    taken, other = (portal, highres) if damaged else (highres, portal)
    code, out, err = run_dat("show", "0x06000002", "--dats", folder)
    assert code == 0
    first = out.splitlines()[0]
    assert first == f"0x06000002  RenderSurface  in {taken}; also in {other}, which --all shows"
    assert (
        err.splitlines()
        == [f"holtwalk: {highres}, object 0x06000002, offset 0x0: 4 bytes needed, 3 left; {OPTIONAL}"]
        * damaged
    )
    assert json.loads(run_dat("show", "0x06000002", "--json", "--dats", folder)[1])["file"] == str(taken)
    assert run_dat("show", "0x06000009", "--dats", folder)[0] == 2  # no other file has it


@pytest.mark.shared
def test_extract_gives_the_pixels_of_the_examples(run_dat: RunDat, tmp_path: Path) -> None:
    expected = json.loads((DATS / "EXPECTED.json").read_text(encoding="utf-8"))
    compared = 0
    for key, record in expected["portal"]["records"].items():
        if record["type"] != "RenderSurface":
            continue
        out = tmp_path / f"{key}.png"
        assert run_dat("extract", key, "--out", out, "--dats", DATS) == (0, "", "")
        with Image.open(out) as picture:
            pixels = np.asarray(picture.convert("RGBA")).astype(int)
        if "rgba" in record:
            wanted = np.frombuffer(bytes.fromhex(record["rgba"]), np.uint8).reshape(pixels.shape)
            slack = 1 if record["fields"]["format"] in BLOCK_BYTES else 0
            assert np.abs(pixels - wanted).max() <= slack, key
            compared += 1
    assert compared == 5


@pytest.mark.shared
def test_extract_gives_the_bytes_of_the_examples(run_dat: RunDat, tmp_path: Path) -> None:
    out = tmp_path / "x.bin"
    with DatFile.open(DATS / "portal.dat") as dat:
        for entry in dat.entries():
            assert run_dat("extract", f"{entry.id:x}", "--out", out, "--dats", DATS) == (0, "", "")
            assert out.read_bytes() == dat.read_entry(entry)


def test_ls_lists_entries_by_type_however_it_is_written(run_dat: RunDat, folder: Path) -> None:
    code, out, err = run_dat("ls", "--dats", folder)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(PORTAL) + len(CELL) + len(IMAGES) + 3
    for name in ("EnvCell", "envcell"):
        code, out, _ = run_dat("ls", "--dats", folder, "--type", name, "--json")
        documents = [json.loads(line) for line in out.splitlines()]
        assert [document["id"] for document in documents] == ["0x12340100", "0x12340101"]
        assert list(documents[0]) == ["file", "id", "type", "size", "iteration"]
    code, out, _ = run_dat("ls", "--dats", folder, "--type", "Wave")
    assert out.split() == ["0x0A000001", "Wave", "4", "client_portal.dat"]
    assert "no type 'Banana'" in run_dat("ls", "--dats", folder, "--type", "Banana")[2]


def test_show_prints_fields_to_read(run_dat: RunDat, folder: Path) -> None:
    code, out, err = run_dat("show", "0x01000010", "--dats", folder)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("0x01000010  GfxObj  in ")
    assert "  surfaces: [0x08000001, 0x08000002]" in lines
    assert "      0: {key: 0, pos: [-2.0, -2.0, 0.0], normal: [0.0, 0.0, 1.0], uvs: [[0.0, 1.0]]}" in lines
    assert '    tag: "PORT"' in lines
    assert "    portals: [{polygon: 1, portal: 0}]" in lines
    assert max(map(len, lines)) <= 130


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show",), "name an object, or --all"),
        (("show", "0x01000010", "--all"), "name an object, or --all"),
        (("show", "0x01000099"), "object 0x01000099: no file has such an object"),
        (("show", "0x01000010", "--type", "Setup"), "no file has an object of that id and the type Setup"),
        (("show", "0x0A000001"), "objects of the type Wave are not decoded"),
        (("show", "--all", "--type", "Wave"), "objects of the type Wave are not decoded"),
        (("show", "xyz"), "'xyz'"),
        (("extract", "0x01000010"), "--out"),
        (
            ("extract", "0x01000010", "--out", "x.png"),
            "written as .bin, .dat, .glb, .gltf, not as .png",
        ),
        (("extract", "0x06000002", "--out", "x.glb"), "can be written as .bin, .dat, .png, not as .glb"),
        (("extract", "0x0A000001", "--out", "x.glb"), "can be written as .bin, .dat, not as .glb"),
        (("extract", "0x01000010", "--out", "x.obj"), "x.obj should end in one of .bin, .dat, .png"),
        (("extract", "0x01000010", "--out", "/no/such/folder/x.bin"), "/no/such/folder/x.bin"),
        (("extract", "0x06000002", "--out", "/no/such/folder/x.png"), "/no/such/folder/x.png"),
        (("extract", "0x06000003", "--out", "x.png"), "object 0x06000003: the JPEG image is damaged"),
        (("extract", "0x06000004", "--out", "x.png"), "there is no palette 0x04000009"),
        (("extract", "0x06000005", "--out", "x.png"), "an image of 0 by 0 pixels"),
        (("extract", "0x08000001", "--out", "x.png"), "a Surface without an image"),
    ],
)
def test_bad_input_is_one_line(run_dat: RunDat, folder: Path, words: tuple[str, ...], says: str) -> None:
    code, out, err = run_dat(*words, "--dats", folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.parametrize("object_id", ["06000002", "05000001", "08000003"])
def test_extract_writes_a_picture_of_an_image_texture_or_surface(
    run_dat: RunDat, folder: Path, tmp_path: Path, object_id: str
) -> None:
    out = tmp_path / "x.PNG"
    assert run_dat("extract", object_id, "--out", out, "--dats", folder) == (0, "", "")
    with Image.open(out) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGBA")
        assert np.asarray(picture).tolist() == [[[2, 1, 0, 3], [6, 5, 4, 7]]]


def test_trees_deeper_than_the_interpreter_recurses(run_dat: RunDat, tmp_path: Path) -> None:
    root = BspNode("BPFL", sample_pieces.UP)
    for _ in range(3000):
        root = BspNode("BPnn", sample_pieces.UP, root)
    cell = sample_places.ENVIRONMENT.cells[0]._replace(cell_bsp=root)
    folder = write_folder(tmp_path, {0x0D000001: sample_places.ENVIRONMENT._replace(cells=(cell,))})
    code, out, err = run_dat("show", "0D000001", "--json", "--dats", folder)
    assert (code, err) == (0, "")
    assert out.count('"pos_child"') > 3000
    code, out, err = run_dat("show", "0D000001", "--dats", folder)
    assert (code, err) == (0, "")
    assert out.count('tag: "BPnn"') == 3000
    assert max(map(len, out.splitlines())) < 130
    code, out, err = run_dat("check", "--dats", folder)
    assert (code, err) == (1, "")  # the cells name a structure that is gone


def test_check_says_how_far_it_is_on_standard_error_only(
    run_dat: RunDat, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "IN_LINES", 0.0)
    code, out, err = run_dat("check", "--json", "--progress", "--dats", folder)
    document = json.loads(out)
    assert (code, document["ok"]) == (1, False)
    assert err.splitlines()[0] == "holtwalk: dat check: 0.0%"
    assert "at client_portal.dat:0" in err
    results = {result["name"]: result for result in document["results"]}
    assert results["missing"]["figures"]["examples"] == [
        f"{folder / 'client_portal.dat'}, object 0x06000004: missing: Palette 0x04000009"
    ]


def test_check_counts_what_it_found(run_dat: RunDat, tmp_path: Path) -> None:
    code, out, err = run_dat("check", "--dats", write_folder(tmp_path, {}))
    assert (code, out.splitlines()[-1], err) == (0, "nothing is wrong", "")
    lost = Surface(2, 0x05000099, 0)
    many = {0x08000100 + number: lost for number in range(30)}
    code, out, err = run_dat("check", "--dats", write_folder(tmp_path, many))
    assert (code, err) == (1, "")
    assert out.splitlines()[-2:] == ["and 10 more", "found: 30 missing"]


def test_show_all_goes_on_after_a_damaged_record(run_dat: RunDat, folder: Path, tmp_path: Path) -> None:
    write_folder(tmp_path, {**IMAGES, 0x01000011: b"\1\0"})
    code, out, err = run_dat("show", "--all", "--json", "--dats", tmp_path)
    assert code == 2
    assert "object 0x01000011" in err
    assert len(out.splitlines()) == len(PORTAL) + len(CELL) + len(IMAGES) + 2


@pytest.mark.parametrize(
    "words", [("show", "--all", "--type", "GfxObj"), ("grep", "0x08000003", "--type", "GfxObj"), ("diff",)]
)
def test_of_many_damaged_records_the_first_of_a_file_are_named_and_the_rest_is_counted(
    run_dat: RunDat, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """It is all told where one asks for it, and the exit code is the same."""
    portal = write_folder(tmp_path, {0x01001000 + n: b"\1\0" for n in range(9)}) / "client_portal.dat"
    where: tuple[object, ...] = ("--dats", tmp_path)
    if words == ("diff",):
        (tmp_path / "b").mkdir()
        other = write_folder(tmp_path / "b", {0x01001000 + n: b"\1\1" for n in range(9)})
        where = (tmp_path, other)
    code, _, err = run_dat(*words, *where)
    lines = [line for line in err.splitlines() if f"{portal}" in line]
    assert code == 2
    assert [f"0x{0x01001000 + n:08X}" in line for n, line in enumerate(lines)] == [True] * 3 + [False]
    assert lines[-1] == f"holtwalk: {portal}: and 6 more that are damaged, which --verbose shows"
    code, _, err = run_dat(*words, *where, "--verbose")
    assert (code, err.count(f"{portal}, object"), "more that are" in err) == (2, 9, False)


def test_no_damage_makes_a_traceback(run_dat: RunDat, folder: Path, tmp_path: Path) -> None:
    """Every command on damaged copies ends with 0, 1 or 2 and lines that say what is wrong."""
    dice = random.Random(7)
    sound = {path.name: path.read_bytes() for path in folder.glob("client_*.dat")}
    codes = set()
    for _ in range(DAMAGED):
        for name, data in sound.items():
            damaged = bytearray(data)
            for _ in range(dice.randint(1, 30)):
                spot = dice.choice((dice.randrange(len(data)), dice.randrange(0x140, 0x164)))
                damaged[spot] = dice.choice((0, 1, 0x80, 0xFF, dice.randrange(256)))
            if dice.random() < 0.2:
                del damaged[dice.randrange(len(damaged)) :]
            (tmp_path / name).write_bytes(damaged)
        for words in (
            ("ls",), ("ls", "--type", "EnvCell", "--json"), ("show", "--all", "--json"), ("show", "--all"),
            ("show", "01000010"), ("check", "--json"), ("check",),
            ("extract", "02000001", "--out", tmp_path / "x.glb"),
            ("extract", "12340100", "--out", tmp_path / "x.gltf"),
            ("extract", "06000002", "--out", tmp_path / "x.png"),
        ):  # fmt: skip
            code, out, err = run_dat(*words, "--dats", tmp_path)
            assert code in (0, 1, 2)
            assert code != 2 or err
            if words == ("check", "--json") and code != 2:
                json.loads(out)
            codes.add((words[0], code))
    assert {("ls", 0), ("ls", 2), ("check", 1), ("check", 2), ("extract", 2), ("show", 2)} <= codes

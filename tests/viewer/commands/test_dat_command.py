"""``holtwalk dat`` as it is typed: documents, pictures, models, damaged files (promises 9)."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import OPTIONAL
from engine.dat.object_types import DatKind
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.codecs import encode
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.render_surface import BLOCK_BYTES, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from tests.dat import sample_pieces, sample_places
from tests.dat.small_world import CELL, GFX_OBJ, PORTAL
from tests.dat_writing import write_dat
from tests.places import SHARED
from tests.viewer.dat_folders import IMAGES, accessor, drawn, gltf_of, write_folder
from viewer.main import main
from viewer.renderer.images.images import drawn_image
from viewer.renderer.scene.meshes import drawn_polygons
from viewer.report import progress

DATS = SHARED / "examples" / "dats"
DAMAGED = 60


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``holtwalk dat ...``: its exit code, standard output and standard error."""
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)

    def go(*words: object) -> tuple[int, str, str]:
        code = main(["dat", *map(str, words)])
        out, err = capsys.readouterr()
        assert all(line.startswith("holtwalk: ") for line in err.splitlines()), err
        assert "Traceback" not in err
        assert "internal error" not in err + out, err + out
        return code, out, err

    return go


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small world, some images, and a type that has no codec."""
    return write_folder(tmp_path, {**IMAGES, 0x0A000001: b"RIFF"})


@pytest.mark.shared
def test_show_all_prints_every_record_of_the_examples_exactly(run: Run) -> None:
    expected = json.loads((DATS / "EXPECTED.json").read_text(encoding="utf-8"))
    code, out, err = run("show", "--all", "--json", "--dats", DATS)
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
    run: Run, folder: Path, *, damaged: bool
) -> None:
    plain = IMAGES[0x06000002]
    assert isinstance(plain, RenderSurface)
    finer = b"\1\2\3" if damaged else encode(plain._replace(data=bytes(8)))
    portal, highres = folder / "client_portal.dat", folder / "client_highres.dat"
    write_dat(highres, {0x06000002: finer, 0x06000009: b"\1"}, DatKind.HIGHRES)
    taken, other = (portal, highres) if damaged else (highres, portal)
    code, out, err = run("show", "0x06000002", "--dats", folder)
    assert code == 0
    first = out.splitlines()[0]
    assert first == f"0x06000002  RenderSurface  in {taken}; also in {other}, which --all shows"
    assert (
        err.splitlines()
        == [f"holtwalk: {highres}, object 0x06000002, offset 0x0: 4 bytes needed, 3 left; {OPTIONAL}"]
        * damaged
    )
    assert json.loads(run("show", "0x06000002", "--json", "--dats", folder)[1])["file"] == str(taken)
    assert run("show", "0x06000009", "--dats", folder)[0] == 2  # no other file has it


@pytest.mark.shared
def test_extract_gives_the_pixels_of_the_examples(run: Run, tmp_path: Path) -> None:
    expected = json.loads((DATS / "EXPECTED.json").read_text(encoding="utf-8"))
    compared = 0
    for key, record in expected["portal"]["records"].items():
        if record["type"] != "RenderSurface":
            continue
        out = tmp_path / f"{key}.png"
        assert run("extract", key, "--out", out, "--dats", DATS) == (0, "", "")
        with Image.open(out) as picture:
            pixels = np.asarray(picture.convert("RGBA")).astype(int)
        if "rgba" in record:
            wanted = np.frombuffer(bytes.fromhex(record["rgba"]), np.uint8).reshape(pixels.shape)
            slack = 1 if record["fields"]["format"] in BLOCK_BYTES else 0
            assert np.abs(pixels - wanted).max() <= slack, key
            compared += 1
    assert compared == 5


@pytest.mark.shared
def test_extract_gives_the_bytes_of_the_examples(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "x.bin"
    with DatFile.open(DATS / "portal.dat") as dat:
        for entry in dat.entries():
            assert run("extract", f"{entry.id:x}", "--out", out, "--dats", DATS) == (0, "", "")
            assert out.read_bytes() == dat.read_entry(entry)


def test_ls_lists_entries_by_type_however_it_is_written(run: Run, folder: Path) -> None:
    code, out, err = run("ls", "--dats", folder)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(PORTAL) + len(CELL) + len(IMAGES) + 3
    for name in ("EnvCell", "envcell"):
        code, out, _ = run("ls", "--dats", folder, "--type", name, "--json")
        documents = [json.loads(line) for line in out.splitlines()]
        assert [document["id"] for document in documents] == ["0x12340100", "0x12340101"]
        assert list(documents[0]) == ["file", "id", "type", "size", "iteration"]
    code, out, _ = run("ls", "--dats", folder, "--type", "Wave")
    assert out.split() == ["0x0A000001", "Wave", "4", "client_portal.dat"]
    assert "no type 'Banana'" in run("ls", "--dats", folder, "--type", "Banana")[2]


def test_show_prints_fields_to_read(run: Run, folder: Path) -> None:
    code, out, err = run("show", "0x01000010", "--dats", folder)
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
def test_bad_input_is_one_line(run: Run, folder: Path, words: tuple[str, ...], says: str) -> None:
    code, out, err = run(*words, "--dats", folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.parametrize("object_id", ["06000002", "05000001", "08000003"])
def test_extract_writes_a_picture_of_an_image_texture_or_surface(
    run: Run, folder: Path, tmp_path: Path, object_id: str
) -> None:
    out = tmp_path / "x.PNG"
    assert run("extract", object_id, "--out", out, "--dats", folder) == (0, "", "")
    with Image.open(out) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGBA")
        assert np.asarray(picture).tolist() == [[[2, 1, 0, 3], [6, 5, 4, 7]]]


def test_a_model_becomes_gltf_with_its_triangles_uvs_and_image(run: Run, tmp_path: Path) -> None:
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000002), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    assert run("extract", f"{model.id:X}", "--out", out, "--dats", folder) == (0, "", "")
    document, binary = gltf_of(out.read_bytes())
    assert document["asset"]["version"] == "2.0"
    by_material: dict[str, tuple[Any, ...]] = {}
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            names = primitive["attributes"]
            arrays = [
                accessor(document, binary, names[name]) for name in ("POSITION", "NORMAL", "TEXCOORD_0")
            ]
            corners = accessor(document, binary, primitive["indices"])[:, 0]
            material = document["materials"][primitive["material"]]
            by_material[material["name"]] = (*(array[corners] for array in arrays), material)
    # Polygon 0 is a quad and 2 a triangle with a second surface behind; 1 is a quad of the second surface.
    positions, normals, uvs, material = by_material["0x08000003"]
    assert len(positions) == 9
    assert positions[:3].tolist() == [[-2, -2, 0], [2, -2, 0], [2, 2, 0]]
    assert normals[:3].tolist() == [[0, 0, 1]] * 3
    assert uvs[:3].tolist() == [[0, 1], [1, 1], [1, 0]]  # v downwards in both
    assert "baseColorTexture" in material["pbrMetallicRoughness"]
    positions, _, _, material = by_material["0x08000002"]
    assert len(positions) == 9
    assert material["alphaMode"] == "BLEND"
    image = document["images"][0]
    view = document["bufferViews"][image["bufferView"]]
    stored = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    with Image.open(io.BytesIO(stored)) as picture:
        assert picture.size == (2, 1)
    # The model's z points along glTF's y.
    turns = [node["matrix"] for node in document["nodes"] if "matrix" in node]
    assert [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1] in turns


def test_a_surface_that_a_model_names_twice_has_the_polygons_of_both(run: Run, tmp_path: Path) -> None:
    """Meshes are named by their surfaces: each took the place of the one before."""
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000003), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    assert run("extract", f"{model.id:X}", "--out", out, "--dats", folder) == (0, "", "")
    document, _ = gltf_of(out.read_bytes())
    [mesh] = document["meshes"]
    [primitive] = mesh["primitives"]
    assert document["accessors"][primitive["indices"]]["count"] == 18  # 9 of each slot, as above


def test_a_setup_becomes_gltf_with_its_parts_where_they_stand(run: Run, tmp_path: Path) -> None:
    import trimesh

    model = GFX_OBJ._replace(drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {model.id: model})
    out = tmp_path / "x.glb"
    assert run("extract", "02000001", "--out", out, "--dats", folder) == (0, "", "")
    scene = trimesh.load(out)
    # Part 0 stands at the origin; part 1 turned, moved and scaled by (2, 2, 0.5): x' = y, y' = z, z' = x.
    corners = np.array([vertex.pos for vertex in sample_pieces.VERTICES.vertices])
    turned = np.array([sample_pieces.TURNED.origin]) + quaternion(corners * (2, 2, 0.5))
    both = np.concatenate([corners, turned])[:, [0, 2, 1]] * (1, 1, -1)
    assert np.allclose(scene.bounds, [both.min(axis=0), both.max(axis=0)], atol=1e-5)


def test_parts_that_are_the_same_are_worked_out_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its node and its named mesh all the same."""
    made: list[int] = []

    def counted(record: GfxObj) -> Any:
        made.append(record.id)
        return drawn_polygons(record)

    monkeypatch.setattr("viewer.picture.model_export.drawn_polygons", counted)
    model = GFX_OBJ._replace(drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {model.id: model})
    out = tmp_path / "x.glb"
    assert run("extract", "02000001", "--out", out, "--dats", folder) == (0, "", "")
    assert made == [model.id]
    document, _ = gltf_of(out.read_bytes())
    meshes = document["meshes"]
    names = [mesh["name"].partition(":")[0] for mesh in meshes]
    assert names == ["part 0", "part 0", "part 1", "part 1"]
    assert [mesh["primitives"] for mesh in meshes[:2]] == [mesh["primitives"] for mesh in meshes[2:]]
    assert [node["mesh"] for node in document["nodes"] if "mesh" in node] == [0, 1, 2, 3]


def test_an_image_that_many_surfaces_show_is_decoded_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def counted(source: Any, surface: Surface) -> Any:
        made.append(surface.type)
        return drawn_image(source, surface)

    monkeypatch.setattr("viewer.picture.model_export.drawn_image", counted)
    broken = SurfaceTexture(0x05000003, 0, 2, (0x06000003,))
    types = {1: 2, 2: 2, 3: 0x102, 4: 0x102, 5: 0x10002, 6: 6, 7: 4}
    surfaces = {0x08000010 + n: Surface(how, 0x05000001, 0) for n, how in types.items()}
    surfaces |= {0x08000020 + n: Surface(2, broken.id, 0) for n in range(3)}
    model = GFX_OBJ._replace(surfaces=tuple(surfaces), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, **surfaces, broken.id: broken, model.id: model})
    out = tmp_path / "x.glb"
    code, _, err = run("extract", f"{model.id:X}", "--out", out, "--dats", folder)
    assert code == 0
    assert err.count("surface 0x0800002") == err.count("0x06000003") == 3
    assert sorted(made) == [2, 2, 6, 0x102, 0x10002]  # one of the broken image


def test_images_by_far_too_large_are_said_and_marked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.picture.model_export.MOST_PACKED", 100)
    for seconds in ("QUIET", "IN_LINES"):
        monkeypatch.setattr(progress, seconds, 0.0)
    surfaces = {0x08000010 + n: Surface(2, 0x05000001, 0) for n in range(2)}
    model = GFX_OBJ._replace(surfaces=tuple(surfaces), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, **surfaces, model.id: model})
    code, _, err = run("extract", f"{model.id:X}", "--out", tmp_path / "x.glb", "--dats", folder)
    assert code == 0
    assert err.count("surface 0x08000011: its image is left out: those before take 0 MB\n") == 1
    assert err.count("is left out") == 1
    assert "holtwalk: dat extract: its surfaces: 50.0%" in err


def quaternion(points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Points turned by the sample frame's quaternion, computed as q p q⁻¹."""
    w, *rest = sample_pieces.TURNED.orientation
    axis = np.array(rest)
    inner = np.cross(axis, points) + w * points
    return points + 2 * np.cross(axis, inner)


def test_a_cell_becomes_gltf_without_its_openings(run: Run, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {**IMAGES, 0x08000001: IMAGES[0x08000003]})
    out = tmp_path / "x.gltf"
    assert run("extract", "12340100", "--out", out, "--dats", folder) == (0, "", "")
    document = json.loads(out.read_text())
    assert [len(mesh["primitives"]) for mesh in document["meshes"]] == [1]
    assert all(buffer["uri"].startswith("data:") for buffer in document["buffers"])
    count = document["accessors"][document["meshes"][0]["primitives"][0]["indices"]]["count"]
    assert count == 6  # the floor's two triangles; the other polygon is the portal


def test_what_a_model_lacks_is_said_and_marked(run: Run, folder: Path, tmp_path: Path) -> None:
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000099), drawing_bsp=drawn(0, 1))
    write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    code, _, err = run("extract", f"{model.id:X}", "--out", out, "--dats", tmp_path)
    assert code == 0
    assert err == "holtwalk: object 0x01000010: surface 0x08000099: it is not there\n"
    assert "0x08000099, missing" in {
        material["name"] for material in gltf_of(out.read_bytes())[0]["materials"]
    }


def test_trees_deeper_than_the_interpreter_recurses(run: Run, tmp_path: Path) -> None:
    root = BspNode("BPFL", sample_pieces.UP)
    for _ in range(3000):
        root = BspNode("BPnn", sample_pieces.UP, root)
    cell = sample_places.ENVIRONMENT.cells[0]._replace(cell_bsp=root)
    folder = write_folder(tmp_path, {0x0D000001: sample_places.ENVIRONMENT._replace(cells=(cell,))})
    code, out, err = run("show", "0D000001", "--json", "--dats", folder)
    assert (code, err) == (0, "")
    assert out.count('"pos_child"') > 3000
    code, out, err = run("show", "0D000001", "--dats", folder)
    assert (code, err) == (0, "")
    assert out.count('tag: "BPnn"') == 3000
    assert max(map(len, out.splitlines())) < 130
    code, out, err = run("check", "--dats", folder)
    assert (code, err) == (1, "")  # the cells name a structure that is gone


def test_check_says_how_far_it_is_on_standard_error_only(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "IN_LINES", 0.0)
    code, out, err = run("check", "--json", "--progress", "--dats", folder)
    document = json.loads(out)
    assert (code, document["ok"]) == (1, False)
    assert err.splitlines()[0] == "holtwalk: dat check: 0.0%"
    assert "at client_portal.dat:0" in err
    results = {result["name"]: result for result in document["results"]}
    assert results["missing"]["figures"]["examples"] == [
        f"{folder / 'client_portal.dat'}, object 0x06000004: missing: Palette 0x04000009"
    ]


def test_check_counts_what_it_found(run: Run, tmp_path: Path) -> None:
    code, out, err = run("check", "--dats", write_folder(tmp_path, {}))
    assert (code, out.splitlines()[-1], err) == (0, "nothing is wrong", "")
    lost = Surface(2, 0x05000099, 0)
    many = {0x08000100 + number: lost for number in range(30)}
    code, out, err = run("check", "--dats", write_folder(tmp_path, many))
    assert (code, err) == (1, "")
    assert out.splitlines()[-2:] == ["and 10 more", "found: 30 missing"]


def test_show_all_goes_on_after_a_damaged_record(run: Run, folder: Path, tmp_path: Path) -> None:
    write_folder(tmp_path, {**IMAGES, 0x01000011: b"\1\0"})
    code, out, err = run("show", "--all", "--json", "--dats", tmp_path)
    assert code == 2
    assert "object 0x01000011" in err
    assert len(out.splitlines()) == len(PORTAL) + len(CELL) + len(IMAGES) + 2


@pytest.mark.parametrize(
    "words", [("show", "--all", "--type", "GfxObj"), ("grep", "0x08000003", "--type", "GfxObj"), ("diff",)]
)
def test_of_many_damaged_records_the_first_of_a_file_are_named_and_the_rest_is_counted(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """It is all told where one asks for it, and the exit code is the same."""
    portal = write_folder(tmp_path, {0x01001000 + n: b"\1\0" for n in range(9)}) / "client_portal.dat"
    where: tuple[object, ...] = ("--dats", tmp_path)
    if words == ("diff",):
        (tmp_path / "b").mkdir()
        other = write_folder(tmp_path / "b", {0x01001000 + n: b"\1\1" for n in range(9)})
        where = (tmp_path, other)
    code, _, err = run(*words, *where)
    lines = [line for line in err.splitlines() if f"{portal}" in line]
    assert code == 2
    assert [f"0x{0x01001000 + n:08X}" in line for n, line in enumerate(lines)] == [True] * 3 + [False]
    assert lines[-1] == f"holtwalk: {portal}: and 6 more that are damaged, which --verbose shows"
    code, _, err = run(*words, *where, "--verbose")
    assert (code, err.count(f"{portal}, object"), "more that are" in err) == (2, 9, False)


def test_no_damage_makes_a_traceback(run: Run, folder: Path, tmp_path: Path) -> None:
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
            code, out, err = run(*words, "--dats", tmp_path)
            assert code in (0, 1, 2)
            assert code != 2 or err
            if words == ("check", "--json") and code != 2:
                json.loads(out)
            codes.add((words[0], code))
    assert {("ls", 0), ("ls", 2), ("check", 1), ("check", 2), ("extract", 2), ("show", 2)} <= codes

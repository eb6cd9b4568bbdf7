"""``holtwalk dat extract`` of models: glTF with every triangle, image and part (promises 9)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from tests.dat import sample_pieces
from tests.dat.small_world import GFX_OBJ
from tests.viewer.dat_folders import IMAGES, RunDat, accessor, drawn, gltf_of, write_folder
from viewer.renderer.images.images import drawn_image
from viewer.renderer.scene.meshes import drawn_polygons
from viewer.report import progress

if TYPE_CHECKING:
    import pytest


def test_a_model_becomes_gltf_with_its_triangles_uvs_and_image(run_dat: RunDat, tmp_path: Path) -> None:
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000002), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    assert run_dat("extract", f"{model.id:X}", "--out", out, "--dats", folder) == (0, "", "")
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


def test_a_surface_that_a_model_names_twice_has_the_polygons_of_both(run_dat: RunDat, tmp_path: Path) -> None:
    """Meshes are named by their surfaces: each took the place of the one before."""
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000003), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    assert run_dat("extract", f"{model.id:X}", "--out", out, "--dats", folder) == (0, "", "")
    document, _ = gltf_of(out.read_bytes())
    [mesh] = document["meshes"]
    [primitive] = mesh["primitives"]
    assert document["accessors"][primitive["indices"]]["count"] == 18  # 9 of each slot, as above


def test_a_setup_becomes_gltf_with_its_parts_where_they_stand(run_dat: RunDat, tmp_path: Path) -> None:
    import trimesh

    model = GFX_OBJ._replace(drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {model.id: model})
    out = tmp_path / "x.glb"
    assert run_dat("extract", "02000001", "--out", out, "--dats", folder) == (0, "", "")
    scene = trimesh.load(out)
    # Part 0 stands at the origin; part 1 turned, moved and scaled by (2, 2, 0.5): x' = y, y' = z, z' = x.
    corners = np.array([vertex.pos for vertex in sample_pieces.VERTICES.vertices])
    turned = np.array([sample_pieces.TURNED.origin]) + quaternion(corners * (2, 2, 0.5))
    both = np.concatenate([corners, turned])[:, [0, 2, 1]] * (1, 1, -1)
    assert np.allclose(scene.bounds, [both.min(axis=0), both.max(axis=0)], atol=1e-5)


def test_parts_that_are_the_same_are_worked_out_once(
    run_dat: RunDat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    assert run_dat("extract", "02000001", "--out", out, "--dats", folder) == (0, "", "")
    assert made == [model.id]
    document, _ = gltf_of(out.read_bytes())
    meshes = document["meshes"]
    names = [mesh["name"].partition(":")[0] for mesh in meshes]
    assert names == ["part 0", "part 0", "part 1", "part 1"]
    assert [mesh["primitives"] for mesh in meshes[:2]] == [mesh["primitives"] for mesh in meshes[2:]]
    assert [node["mesh"] for node in document["nodes"] if "mesh" in node] == [0, 1, 2, 3]


def test_an_image_that_many_surfaces_show_is_decoded_once(
    run_dat: RunDat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    code, _, err = run_dat("extract", f"{model.id:X}", "--out", out, "--dats", folder)
    assert code == 0
    assert err.count("surface 0x0800002") == err.count("0x06000003") == 3
    assert sorted(made) == [2, 2, 6, 0x102, 0x10002]  # one of the broken image


def test_images_by_far_too_large_are_said_and_marked(
    run_dat: RunDat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.picture.model_export.MOST_PACKED", 100)
    for seconds in ("QUIET", "IN_LINES"):
        monkeypatch.setattr(progress, seconds, 0.0)
    surfaces = {0x08000010 + n: Surface(2, 0x05000001, 0) for n in range(2)}
    model = GFX_OBJ._replace(surfaces=tuple(surfaces), drawing_bsp=drawn(0, 1, 2))
    folder = write_folder(tmp_path, {**IMAGES, **surfaces, model.id: model})
    code, _, err = run_dat("extract", f"{model.id:X}", "--out", tmp_path / "x.glb", "--dats", folder)
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


def test_a_cell_becomes_gltf_without_its_openings(run_dat: RunDat, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {**IMAGES, 0x08000001: IMAGES[0x08000003]})
    out = tmp_path / "x.gltf"
    assert run_dat("extract", "12340100", "--out", out, "--dats", folder) == (0, "", "")
    document = json.loads(out.read_text())
    assert [len(mesh["primitives"]) for mesh in document["meshes"]] == [1]
    assert all(buffer["uri"].startswith("data:") for buffer in document["buffers"])
    count = document["accessors"][document["meshes"][0]["primitives"][0]["indices"]]["count"]
    assert count == 6  # the floor's two triangles; the other polygon is the portal


def test_what_a_model_lacks_is_said_and_marked(run_dat: RunDat, tmp_path: Path) -> None:
    model = GFX_OBJ._replace(surfaces=(0x08000003, 0x08000099), drawing_bsp=drawn(0, 1))
    write_folder(tmp_path, {**IMAGES, model.id: model})
    out = tmp_path / "x.glb"
    code, _, err = run_dat("extract", f"{model.id:X}", "--out", out, "--dats", tmp_path)
    assert code == 0
    assert err == "holtwalk: object 0x01000010: surface 0x08000099: it is not there\n"
    assert "0x08000099, missing" in {
        material["name"] for material in gltf_of(out.read_bytes())[0]["materials"]
    }

"""Models with numbers that are none become glTF files without any, and one line says what was done."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.dat.pieces.geometry import SWVertex, VertexArray
from engine.dat.records.surface import Surface
from engine.dat.values import StoredFrame
from tests.dat import sample_pieces
from tests.dat.small_world import GFX_OBJ, SETUP
from tests.viewer.dat_folders import IMAGES, accessor, drawn, gltf_of, write_folder
from viewer.main import main
from viewer.renderer.images.materials import vertex_factors
from viewer.renderer.scene.meshes import sides_of

NAN, INF = math.nan, math.inf
WILD = (NAN, INF, -INF, 1e30)
UP = (0.0, 0.0, 1.0)
ID = GFX_OBJ.id


def changed(number: int, **fields: Any) -> VertexArray:
    """The sample's vertices with one of them changed."""
    vertices = list(sample_pieces.VERTICES.vertices)
    vertices[number] = vertices[number]._replace(**fields)
    return VertexArray(1, tuple(vertices))


def model(vertices: VertexArray) -> Any:
    return GFX_OBJ._replace(surfaces=(0x08000003, 0x08000003), drawing_bsp=drawn(0, 2), vertex_array=vertices)


def extract(
    capsys: pytest.CaptureFixture[str], folder: Path, object_id: int, records: dict[int, Any]
) -> tuple[list[str], dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
    """What extracting an object says, its corners' arrays by name, and the document."""
    write_folder(folder, {**IMAGES, **records})
    out = folder / "x.glb"
    words = ["dat", "extract", f"{object_id:08X}", "--out", str(out), "--dats", str(folder)]
    assert main(words) == 0
    document, binary = gltf_of(out.read_bytes())
    json.dumps(document, allow_nan=False)
    arrays: dict[str, list[np.ndarray[Any, Any]]] = {}
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            corners = accessor(document, binary, primitive["indices"])[:, 0]
            for name, index in primitive["attributes"].items():
                arrays.setdefault(name, []).append(accessor(document, binary, index)[corners])
    joined = {name: np.concatenate(parts) for name, parts in arrays.items()}
    assert all(np.isfinite(array).all() for array in joined.values())
    return capsys.readouterr().err.splitlines(), joined, document


@pytest.mark.parametrize("value", WILD)
def test_a_normal_that_is_none_is_said_and_the_faces_is_taken(capsys, tmp_path, value):
    damaged = model(changed(1, normal=(0.0, value, 1.0)))
    said, arrays, _ = extract(capsys, tmp_path, ID, {ID: damaged})
    name = f"holtwalk: object 0x{ID:08X}: 0x{ID:08X}: "
    assert said == [name + "1 vertex with a normal that is none: the face's is taken"]
    whole = extract(capsys, tmp_path, ID, {ID: model(sample_pieces.VERTICES)})
    assert whole[0] == []
    assert np.array_equal(arrays["NORMAL"], whole[1]["NORMAL"])
    assert np.allclose(np.linalg.norm(arrays["NORMAL"], axis=1), 1.0)


@pytest.mark.parametrize("value", WILD)
def test_a_vertex_at_no_place_is_said_and_its_polygons_are_left_out(capsys, tmp_path, value):
    damaged = model(changed(3, pos=(value, 0.0, 0.0)))  # of the quad, not of the triangle
    said, arrays, _ = extract(capsys, tmp_path, ID, {ID: damaged})
    assert len(said) == 1
    assert said[0].endswith("1 vertex at no place, left out with 1 polygon")
    assert {tuple(p) for p in arrays["POSITION"].tolist()} == {
        v.pos for v in sample_pieces.VERTICES.vertices[:3]
    }


@pytest.mark.parametrize("value", WILD)
def test_texture_coordinates_that_are_none_are_said(capsys, tmp_path, value):
    damaged = model(changed(2, uvs=((0.5, value),), normal=(NAN, NAN, NAN)))
    said, arrays, _ = extract(capsys, tmp_path, ID, {ID: damaged})
    assert len(said) == 1  # both in one line
    assert "1 vertex with a normal that is none: the face's is taken; 1 vertex with texture" in said[0]
    assert np.abs(arrays["TEXCOORD_0"]).max() <= 1.0


@pytest.mark.parametrize("value", WILD)
def test_a_part_that_stands_nowhere_is_said_and_left_out(capsys, tmp_path, value):
    setup, part = SETUP, model(sample_pieces.VERTICES)
    scales = ((1.0, 1.0, 1.0), (value, 1.0, 1.0))
    said, _, document = extract(
        capsys, tmp_path, 0x02000001, {ID: part, 0x02000001: setup._replace(scales=scales)}
    )
    assert [line for line in said if "part 1: its scale" in line and "taken as 1" in line] == said
    assert {m["name"].split(":")[0] for m in document["meshes"]} == {"part 0", "part 1"}
    assert all(math.isfinite(x) for node in document["nodes"] for x in node.get("matrix", ()))


def test_a_frame_that_is_none_leaves_its_part_out(capsys, tmp_path):
    setup, part = SETUP, model(sample_pieces.VERTICES)
    placements = tuple(
        p._replace(frames=(p.frames[0], StoredFrame((NAN, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), *p.frames[2:]))
        for p in setup.placements
    )
    damaged = setup._replace(placements=placements)
    said, _, document = extract(capsys, tmp_path, 0x02000001, {ID: part, 0x02000001: damaged})
    assert said == ["holtwalk: object 0x02000001: part 1: its placement frame is not finite; left out"]
    assert {m["name"].split(":")[0] for m in document["meshes"]} == {"part 0"}


@pytest.mark.parametrize("value", WILD)
def test_a_translucency_that_is_none_is_said_and_leaves_the_surface_opaque(capsys, tmp_path, value):
    surface = Surface(
        type=0x12, texture=0x05000001, palette=0, color=None, translucency=value, luminosity=0.0, diffuse=1.0
    )
    said, _, document = extract(
        capsys, tmp_path, ID, {ID: model(sample_pieces.VERTICES), 0x08000003: surface}
    )  # fmt: skip
    assert len(said) == 1
    assert "surface 0x08000003: its translucency" in said[0]
    material = document["materials"][0]["pbrMetallicRoughness"]
    assert material.get("baseColorFactor", [1.0] * 4)[3] == 1.0


@pytest.mark.parametrize("value", WILD)
def test_the_renderer_draws_with_the_faces_normal_as_well(value):
    vertices: Sequence[SWVertex] = changed(1, normal=(value, 0.0, 0.0), uvs=((value, 0.0),)).vertices
    sides = sides_of(VertexArray(1, tuple(vertices)), [sample_pieces.FLOOR], 1, lambda slot: True)
    assert [corner[1] for corner in sides[0].corners] == [UP] * 4
    assert sides[0].corners[1][2] == (0.0, 0.0)
    assert vertex_factors(0x72, value, value, value)[:3] == (0, 255, 255)

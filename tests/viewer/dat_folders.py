"""Dat folders with images, and what GLB files hold."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.dat.object_types import DatKind
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.codecs import encode
from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from tests.dat import sample_pieces
from tests.dat.small_world import CELL, PORTAL
from tests.dat_writing import write_dat

RunDat = Callable[..., tuple[int, str, str]]
"""What runs ``holtwalk dat``: exit code, standard output and standard error."""

IMAGES = {
    0x04000001: Palette(0x04000001, (0xFF102030, 0x80FF0000)),
    0x06000001: RenderSurface(
        id=0x06000001,
        category=0,
        width=2,
        height=1,
        format=PixelFormat.INDEX16,
        data=bytes((0, 0, 1, 0)),
        palette=0x04000001,
    ),
    0x06000002: RenderSurface(
        id=0x06000002, category=0, width=2, height=1, format=PixelFormat.A8R8G8B8, data=bytes(range(8))
    ),
    0x06000003: RenderSurface(
        id=0x06000003, category=0, width=0, height=0, format=PixelFormat.CUSTOM_RAW_JPEG, data=b"no jpeg"
    ),
    0x06000004: RenderSurface(
        id=0x06000004, category=0, width=2, height=1, format=PixelFormat.P8, data=bytes(2), palette=0x04000009
    ),
    0x06000005: RenderSurface(id=0x06000005, category=0, width=0, height=0, format=PixelFormat.A8, data=b""),
    0x05000001: SurfaceTexture(0x05000001, 0, 2, (0x06000077, 0x06000002)),
    0x08000003: Surface(2, 0x05000001, 0),
}


def write_folder(folder: Path, more: dict[int, Any]) -> Path:
    for name, kind, records in (
        ("client_portal.dat", DatKind.PORTAL, PORTAL | more),
        ("client_cell_1.dat", DatKind.CELL, CELL),
    ):
        data = {
            key: record if isinstance(record, bytes) else encode(record) for key, record in records.items()
        }
        write_dat(folder / name, data, kind)
    return folder


def gltf_of(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part of a GLB file."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


def accessor(document: dict[str, Any], binary: bytes, index: int) -> np.ndarray[Any, Any]:
    found = document["accessors"][index]
    view = document["bufferViews"][found["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[found["componentType"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[found["type"]]
    start = view.get("byteOffset", 0) + found.get("byteOffset", 0)
    return np.frombuffer(binary, kind, found["count"] * width, start).reshape(found["count"], width)


def drawn(*keys: int) -> BspNode:
    """A drawing tree of one node that lists some polygons."""
    return BspNode("BPOL", sample_pieces.UP, sphere=sample_pieces.BALL, polys=keys)

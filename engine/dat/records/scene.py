"""Scene, 0x12: what scenery may grow at a terrain vertex (dat-format 3.14, 4.8)."""

from __future__ import annotations

from struct import Struct

from engine.dat.primitives import Reader, Writer
from engine.dat.values import StoredFrame
from engine.named_tuple import NamedTuple

_REST = Struct("<8f3I")


class ObjectDesc(NamedTuple):
    """A plant or rock: its model, base place and how chance varies it.

    Displacements in metres, ``max_rot`` in degrees, slopes are bounds on the terrain normal's z.
    ``weenie`` ≠ 0 is a server-side spawn and no scenery.
    """

    id: int
    base: StoredFrame
    freq: float
    disp_x: float
    disp_y: float
    min_scale: float
    max_scale: float
    max_rot: float
    min_slope: float
    max_slope: float
    align: int
    orient: int
    weenie: int


class Scene(NamedTuple):
    """The objects of one scene."""

    id: int
    objects: tuple[ObjectDesc, ...]


def read_scene(reader: Reader) -> Scene:
    """A Scene record."""
    return Scene(reader.header_id(), reader.many(reader.u32(), 76, _read_object))


def write_scene(writer: Writer, scene: Scene) -> None:
    """A Scene record."""
    writer.u32(scene.id)
    writer.u32(len(scene.objects))
    writer.many(scene.objects, _write_object)


def _read_object(reader: Reader) -> ObjectDesc:
    return ObjectDesc(reader.u32(), reader.frame(), *reader.unpack(_REST))


def _write_object(writer: Writer, obj: ObjectDesc) -> None:
    writer.u32(obj.id)
    writer.frame(obj.base)
    writer.pack(
        _REST,
        obj.freq, obj.disp_x, obj.disp_y, obj.min_scale, obj.max_scale, obj.max_rot, obj.min_slope,
        obj.max_slope, obj.align, obj.orient, obj.weenie,
    )  # fmt: skip

"""Which type an id stands for (dat-format 1.11)."""

from itertools import pairwise

import pytest

from engine.dat.errors import DatError
from engine.dat.object_types import RANGES, DatKind, id_range, type_of
from engine.dat.records.codecs import CODECS, decode


@pytest.mark.parametrize(
    ("object_id", "name"),
    [
        (0x01000000, "GfxObj"),
        (0x0100FFFF, "GfxObj"),
        (0x020019FF, "Setup"),
        (0x05FFFFFF, "SurfaceTexture"),
        (0x07FFFFFF, "RenderSurface"),
        (0x0800FFFF, "Surface"),
        (0x0E00000E, "SpellTable"),
        (0x0E01ABCD, "QualityFilter"),
        (0x13000000, "Region"),
        (0x40000FFF, "Font"),
        (0x40001000, "FontLocal"),
        (0x7FFFFFFF, "DBProperties"),
        (0xFFFF0001, "Iteration"),
    ],
)
def test_portal_ids_go_by_range(object_id, name):
    assert type_of(object_id, DatKind.PORTAL) == name


@pytest.mark.parametrize("object_id", [0, 0x01010000, 0x0B000000, 0x0E000005, 0x80000000, 0xFFFF0002])
def test_an_id_outside_every_range_is_refused(object_id):
    with pytest.raises(DatError, match="no type of object has this id in a portal file") as caught:
        type_of(object_id, DatKind.PORTAL)
    assert caught.value.object_id == object_id


@pytest.mark.parametrize(
    ("object_id", "name"),
    [
        (0xA9B4FFFF, "LandBlock"),
        (0xA9B4FFFE, "LandBlockInfo"),
        (0xA9B40100, "EnvCell"),
        (0xA9B4FFFD, "EnvCell"),
        (0x0100FFFF, "LandBlock"),
        (0xFFFF0001, "Iteration"),
    ],
)
def test_cell_ids_go_by_low_word(object_id, name):
    assert type_of(object_id, DatKind.CELL) == name


@pytest.mark.parametrize("low", [0x0000, 0x0001, 0x0040, 0x00FF])
def test_outdoor_cells_are_never_stored(low):
    with pytest.raises(DatError):
        type_of(0xA9B40000 | low, DatKind.CELL)


def test_ranges_ascend_without_overlap():
    for (_, last, _), (first, following, _) in pairwise(RANGES):
        assert last < first <= following


def test_the_range_of_a_type():
    assert id_range("Setup") == (0x02000000, 0x0200FFFF)
    assert id_range("EnvCell") == (0, 0xFFFFFFFF)
    assert id_range("Iteration") == (0xFFFF0001, 0xFFFF0001)


def test_a_codec_by_id():
    assert CODECS[type_of(0x01000001, DatKind.PORTAL)].type == "GfxObj"
    assert CODECS[type_of(0x01000100, DatKind.CELL)].type == "EnvCell"
    with pytest.raises(DatError, match="objects of the type Wave are not decoded"):
        decode(type_of(0x0A000001, DatKind.PORTAL), b"")

"""Land coordinates and block offsets (membership 12.1)."""

import pytest

from engine.world.ids import (
    adjust_to_outside,
    block_offset,
    block_steps,
    blocks_around,
    gid_to_lcoord,
    lcoord_to_gid,
    rebase,
)


@pytest.mark.parametrize(
    ("cell_id", "expected"),
    [
        pytest.param(0xA9B40031, (1358, 1440), id="LD1"),
        pytest.param(0xA9B40001, (1352, 1440), id="LD2-first"),
        pytest.param(0xA9B40040, (1359, 1447), id="LD2-last"),
        pytest.param(0x00000001, (0, 0), id="LD3"),
        pytest.param(0xFEFE0040, (2039, 2039), id="LD4"),
        pytest.param(0xFFFF0001, None, id="LD5-off-map"),
        pytest.param(0xA9B40100, None, id="LD5-indoors"),
        pytest.param(0xA9B40041, None, id="LD5-no-cell"),
        pytest.param(0xA9B40000, None, id="LD5-block"),
    ],
)
def test_landcell_to_land_coordinates(cell_id, expected):
    assert gid_to_lcoord(cell_id) == expected


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        pytest.param(1358, 1439, 0xA9B30038, id="LD6"),
        pytest.param(1351, 1447, 0xA8B40040, id="LD7"),
        pytest.param(2040, 5, 0, id="LD8-east"),
        pytest.param(-1, 5, 0, id="LD8-west"),
    ],
)
def test_land_coordinates_to_landcell(x, y, expected):
    assert lcoord_to_gid(x, y) == expected


@pytest.mark.parametrize(
    ("cell_id", "p", "expected_id", "expected"),
    [
        pytest.param(0xA9B40031, (150, -1, 5), 0xA9B30038, (150, 191, 5), id="LD9"),
        pytest.param(0xA9B40031, (150, -109.65, 0), 0xA9B30034, (150, 82.35, 0), id="LD10"),
        pytest.param(0xA9B30038, (150, 193, 0), 0xA9B40031, (150, 1, 0), id="LD11"),
        pytest.param(0xA9B40031, (12, 12, 0), 0xA9B40001, (12, 12, 0), id="LD12"),
        pytest.param(0xA9B40031, (150, -0.0001, 0), 0xA9B40031, (150, 0, 0), id="LD13"),
        pytest.param(0xA9B40031, (150, -0.0003, 0), 0xA9B30038, (150, 191.9997, 0), id="LD14"),
        pytest.param(0xA9B40164, (-0.5, 191.9, 3), 0xA8B40040, (191.5, 191.9, 3), id="LD15"),
        pytest.param(0xA9B40001, (192, 0, 0), 0xAAB40001, (0, 0, 0), id="LD16"),
        pytest.param(0xA9B40001, (400, -200, 7), 0xABB20008, (16, 184, 7), id="LD17"),
    ],
)
def test_adjust_to_outside(cell_id, p, expected_id, expected):
    adjusted_id, adjusted = adjust_to_outside(cell_id, p)
    assert adjusted_id == expected_id
    assert adjusted == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("cell_id", "p"),
    [
        pytest.param(0x00010001, (-1, 10, 0), id="LD18-west"),
        pytest.param(0xFEFE0040, (192.5, 10, 0), id="LD18-east"),
        pytest.param(0xA9B40050, (12, 12, 0), id="LD18-no-cell"),
    ],
)
def test_adjust_to_outside_fails_with_id_zero(cell_id, p):
    assert adjust_to_outside(cell_id, p)[0] == 0


def test_ld19_block_offset_is_the_other_blocks_origin_seen_from_here():
    assert block_offset(0xA9B40001, 0xAAB30040) == (192.0, -192.0, 0.0)
    assert block_offset(0xAAB30040, 0xA9B40001) == (-192.0, 192.0, 0.0)


def test_ld20_no_offset_within_a_block():
    assert block_offset(0xA9B40001, 0xA9B40140) == (0.0, 0.0, 0.0)


def test_a_point_keeps_its_place_in_the_world_when_rebased():
    assert rebase((10.0, 20.0, 3.0), 0xAAB30040, 0xA9B40001) == (202.0, -172.0, 3.0)


def test_the_square_of_landblocks_about_one_ends_with_the_map():
    assert blocks_around(0xA9B40170) == [
        0xA8B30000, 0xA8B40000, 0xA8B50000,
        0xA9B30000, 0xA9B40000, 0xA9B50000,
        0xAAB30000, 0xAAB40000, 0xAAB50000,
    ]  # fmt: skip
    assert blocks_around(0x00FE0001) == [0x00FD0000, 0x00FE0000, 0x01FD0000, 0x01FE0000]
    assert len(blocks_around(0xA9B40000, 5)) == 121
    assert blocks_around(0xA9B40170, 0) == [0xA9B40000]


def test_steps_between_landblocks_go_slantwise_too():
    assert block_steps(0xA9B40170, 0xA9B40001) == 0
    assert block_steps(0xA9B40170, 0xABB30000) == 2

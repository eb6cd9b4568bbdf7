"""Locations as the game prints them, and map coordinates (promises 2)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.frame import Frame, Position
from engine.world.location import (
    format_location,
    format_map,
    format_place,
    ground_location,
    map_coordinates,
    parse_location,
)


@pytest.mark.parametrize(
    "text",
    [
        "0xA9B40170 [155.0 15.2 94.0] 1 0 0 0",
        "0xA9B40170 [155.0 15.2 94.0]",
        "  a9b40170 [155,15.2, 94]  ",
        "@teleloc 0xA9B40170 [155.000000 15.200000 94.000000] 1.000000 0.000000 0.000000 0.000000",
        "/loc 0xA9B40170 [155.0 15.2 94.0] 1 0 0 0",
        "/teleloc 0xa9b40170[155.0 15.2 94.0]",
        "Your location is: 0xA9B40170 [155.000000 15.200000 94.000000] 1.000000 0.000000 0.000000 0.000000",
        "teleloc 0xA9B40170 [155.0 15.2 94.0]",
    ],
)
def test_forms_of_one_location(text):
    place = parse_location(text)
    assert place.cell_id == 0xA9B40170
    assert place.frame.origin == (155.0, 15.2, 94.0)
    assert place.frame.quat == (1.0, 0.0, 0.0, 0.0)
    assert not place.on_ground


@pytest.mark.parametrize(
    ("text", "cell_id"),
    [
        ("0xA9B40170", 0xA9B40170), (" a9b40001 ", 0xA9B40001), ("@teleloc 0xA9B40170", 0xA9B40170),
        ("0xA9B4", 0xA9B40000), ("a9b4", 0xA9B40000), ("0xA9B40000", 0xA9B40000),
        ("0xA9B4FFFF", 0xA9B40000), ("0xA9B4FFFE", 0xA9B40000),
    ],
)  # fmt: skip
def test_a_bare_id_is_the_middle_of_a_cell_or_landblock(text, cell_id):
    place = parse_location(text)
    assert place.is_middle
    assert place.cell_id == cell_id


def test_a_rounded_quaternion_is_made_unit():
    place = parse_location("0xA9B40100 [84.1 131.5 66] -0.707107 0 0 -0.707107")
    assert math.hypot(*place.frame.quat) == pytest.approx(1.0, abs=1e-15)
    assert place.frame.heading() == pytest.approx(270.0)


def test_low_word_zero_means_the_landcell_under_the_position():
    assert parse_location("0xA9B40000 [73.0729 131.542 66]").cell_id == 0xA9B4001E
    beyond = parse_location("0xA9B40000 [150 -1 5]")
    assert beyond.cell_id == 0xA9B30038
    assert beyond.frame.origin == (150.0, 191.0, 5.0)


def test_map_coordinates_have_no_height_yet():
    place = parse_location("42.1N 33.6E")
    assert place.cell_id == 0xA9B40019
    assert place.on_ground
    assert place.frame.origin == pytest.approx((84.0, 12.0, 0.0), abs=1e-6)
    assert parse_location("(42.1n, 33.6e)").cell_id == place.cell_id


def test_south_and_west():
    north, east = map_coordinates(*_of(parse_location("10.5S 20.3W")))
    assert (north, east) == pytest.approx((-10.5, -20.3))


def _of(place):
    return place.cell_id, place.frame.origin


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(-1019, 1018), st.integers(-1019, 1018))
def test_map_coordinates_come_back(north, east):
    text = f"{abs(north) / 10}{'N' if north >= 0 else 'S'} {abs(east) / 10}{'E' if east >= 0 else 'W'}"
    assert map_coordinates(*_of(parse_location(text))) == pytest.approx((north / 10, east / 10))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(-1019, 1018), st.integers(-1019, 1018))
def test_map_coordinates_are_printed_as_they_are_read(north, east):
    text = f"{abs(north) / 10}{'N' if north >= 0 else 'S'} {abs(east) / 10}{'E' if east >= 0 else 'W'}"
    assert format_map(*_of(parse_location(text))) == text


@pytest.mark.parametrize(
    ("quat", "turn"),
    [
        ((1e-17, 0.0, 0.0, -1.0), "0 0 0 1"),
        ((0.0, 0.0, 0.0, 1.0), "0 0 0 1"),
        ((-0.6, 0.0, 0.0, 0.8), "0.6 0 0 -0.8"),
        ((0.6, 0.0, 0.0, -0.8), "0.6 0 0 -0.8"),
    ],
)
def test_one_turn_is_printed_in_one_form(quat, turn):
    assert format_place(Position(0xA9B40170, Frame((1.0, 2.0, 3.0), quat))).endswith(f"] {turn}")


number = st.integers(-2_000_000, 2_000_000).map(lambda n: n / 1000)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.sampled_from([0xA9B40001, 0xA9B40170, 0x00000040, 0xFEFEFFFD, 0x8A020100]),
    st.tuples(number, number, number),
    st.floats(0, 6.283),
)
def test_what_is_printed_is_read_back(cell_id, origin, turn):
    frame = Frame(origin, (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))
    again = parse_location(format_location(Position(cell_id, frame)))
    assert again.cell_id == cell_id
    assert again.frame.origin == origin
    assert again.frame.quat == pytest.approx(frame.quat, abs=1e-6)


def test_the_printed_form():
    position = Position(0xA9B40170, Frame((155.0, 15.2, 94.005)))
    assert format_location(position) == "0xA9B40170 [155.0 15.2 94.005] 1 0 0 0"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a cell and a place"),
        ("home", "expected a cell and a place"),
        ("0xA9B401", "expected a cell and a place"),
        ("0xA9B40050", "0x0050 names no cell"),
        ("0xFFB4", "lies off the map"),
        ("1" * 310 + "N 1E", "lie off the map"),
        ("1N " + "1" * 310 + "W", "lie off the map"),
        ("0xA9B40170 [1 2]", "three numbers, not 2"),
        ("0xA9B40170 [1 2 x]", "'x' in the position is not a number"),
        ("0xA9B40170 [1 2 nan]", "not finite"),
        ("0xA9B40170 [1 2 -1e300]", "off the map"),
        ("0xA9B40170 [1 2 3] 1 0 0", "four numbers w x y z, not 3"),
        ("0xA9B40170 [1 2 3] 0 0 0 0", "length is 0.000, not 1"),
        ("0xA9B40050 [1 2 3]", "0x0050 names no cell"),
        ("0xA9B4FFFF [1 2 3]", "0xFFFF names no cell"),
        ("0xFFB40001 [1 2 3]", "lies off the map"),
        ("0x00000000 [-5 2 3]", "lies off the map"),
        ("200.0N 10.0E", "lie off the map"),
    ],
)
def test_a_bad_location_is_one_clear_line(text, reason):
    with pytest.raises(ValueError, match="bad location") as error:
        parse_location(text)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("height", [math.nan, math.inf, -3e38, 1_000_001.0])
def test_a_place_on_ground_whose_height_is_damage_can_be_read_again(height):
    assert ground_location(0xA9B40000, 96.0, 96.0, height) == "0xA9B40025 [96.0 96.0 0.0] 1 0 0 0"
    assert ground_location(0xA9B40000, 96.0, 96.0, 7.5) == "0xA9B40025 [96.0 96.0 7.5] 1 0 0 0"


@pytest.mark.parametrize("between", [" " * 1_000_000, " ," * 500_000, "," + " " * 1_000_000])
def test_very_many_blanks_in_map_coordinates_take_no_square_of_their_time(between):
    with pytest.raises(ValueError, match="bad location"):
        parse_location(f"42.1N{between}x")

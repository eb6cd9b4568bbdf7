"""The way of a tick: where feet are drawn between two ticks, and which cells the piece has."""

from __future__ import annotations

import pytest

from engine.world.way import Way

A, B, C = 0xA9B40100, 0xA9B40101, 0xA9B40102
EAST = 0xAAB40001


def test_a_share_is_one_of_the_ways_length():
    way = Way([(A, (0.0, 0.0, 0.0)), (A, (0.3, 0.0, 0.0)), (B, (0.3, 0.1, 0.0))])
    assert way.drawn(0.0).feet == (0.0, 0.0, 0.0)
    half = way.drawn(0.5)
    assert half.feet == pytest.approx((0.2, 0.0, 0.0))
    assert (half.begin_cell, half.end_cell, half.home) == (A, A, B)
    late = way.drawn(0.875)
    assert late.feet == pytest.approx((0.3, 0.05, 0.0))
    assert (late.begin_cell, late.end_cell) == (A, B)
    assert late.along == pytest.approx(0.5)


def test_the_end_is_the_bodys_place_to_the_last_bit():
    end = (0.1 + 0.2, 1.0 / 3.0, 7.7)
    for share in (1.0, 1.5):
        assert Way([(A, (0.1, 0.1, 0.1)), (B, end)]).drawn(share).feet == end


def test_a_push_up_or_down_is_part_of_the_way():
    way = Way([(A, (0.0, 0.0, 0.0)), (A, (0.1, 0.0, 0.2)), (B, (0.2, 0.0, 0.0))])
    assert way.drawn(0.5).feet == pytest.approx((0.1, 0.0, 0.2))


def test_over_the_border_of_landblocks_all_is_in_the_last_cells_block():
    way = Way([(0xA9B40039, (191.9, 12.0, 0.0)), (EAST, (0.1, 12.0, 0.0))])
    quarter = way.drawn(0.25)
    assert quarter.home == EAST
    assert quarter.feet == pytest.approx((-0.05, 12.0, 0.0))
    assert quarter.begin == pytest.approx((-0.1, 12.0, 0.0))


def test_nothing_lies_between_where_a_body_was_put_and_where_it_was_before():
    way = Way.only(A, (1.0, 2.0, 3.0))
    assert [way.drawn(s).feet for s in (0.0, 0.5, 1.0)] == [(1.0, 2.0, 3.0)] * 3
    assert way.rested() is way


def test_at_rest_the_body_is_drawn_where_it_is_and_its_last_piece_is_remembered():
    moved = Way([(A, (0.0, 0.0, 0.0)), (B, (0.2, 0.0, 0.0)), (B, (0.4, 0.0, 0.0))])
    rest = moved.rested()
    for share in (0.0, 0.6, 1.0):
        drawn = rest.drawn(share)
        assert (drawn.feet, drawn.begin, drawn.along) == ((0.4, 0.0, 0.0), (0.2, 0.0, 0.0), 1.0)
        assert (drawn.begin_cell, drawn.end_cell) == (B, B)
    assert rest.rested() is rest
    changed = Way([(A, (0.0, 0.0, 0.0)), (B, (0.4, 0.0, 0.0))]).rested()
    assert changed.drawn(0.0).begin_cell == B

"""The ``pvs`` document and its table (promises 5)."""

from __future__ import annotations

import json

import pytest

from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions, build_view
from engine.visibility.report import given_up, pvs_document, pvs_table
from engine.visibility.view_modes import beyond_stab_list
from tests.visibility.view_scenes import (
    BLOCK,
    DOOR,
    EXIT,
    P,
    add_building,
    add_outdoors,
    c0,
    cid,
    graph,
    square,
)

ORIGIN = (0.0, 0.0, 0.0)
OPTIONS = ViewOptions(FloodRules(working_set=WorkingSet.ALL))


def inside():
    g = graph({
        100: [P(DOOR, 0, 101, 0), P(DOOR, 0, 999)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, EXIT)],
    })  # fmt: skip
    return build_view(g, cid(100), foot=ORIGIN, pivot=ORIGIN, eye=ORIGIN, view=c0(), options=OPTIONS)


def left_out():
    """A room whose stab list lacks the second of two rooms behind its door."""
    cells = {
        100: [P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, 102, 0)],
        102: [P(square(4, 0.5), 1, 101, 1)],
    }
    return graph(cells, stab={100: (101,)})


def test_what_the_stab_list_leaves_out_is_listed_beside():
    g = left_out()
    picture = build_view(g, cid(100), foot=ORIGIN, pivot=ORIGIN, eye=ORIGIN, view=c0())
    assert [c.cell for c in picture.cells] == [cid(100), cid(101)]
    beyond = beyond_stab_list(g, picture)
    assert [c.cell for c in beyond] == [cid(102)]
    assert beyond[0].area == pytest.approx(625 / 40000)
    document = json.loads(json.dumps(pvs_document(picture, beyond)))
    assert [c["cell"] for c in document["beyond_stab_list"]] == ["0x12340166"]
    assert "beyond_stab_list" not in pvs_document(picture)
    assert pvs_table(picture, beyond).splitlines()[-2:] == [
        "beyond the stab list",
        "    +  0x12340166    4.06     1.56        1  0x12340164/0 > 0x12340165/1",
    ]
    assert pvs_table(picture, []).splitlines()[-1] == "nothing beyond the stab list is seen"


def test_a_detached_root_is_compared_from_its_own_eye():
    g = left_out()
    g.blocks[BLOCK].env_cells[cid(101)].stab_list = ()
    door = (0.0, 3.0, 0.0)
    picture = build_view(g, cid(100), foot=ORIGIN, pivot=ORIGIN, eye=door, view=c0())
    assert (picture.root, [c.cell for c in picture.cells]) == (cid(101), [cid(101)])
    assert [c.cell for c in beyond_stab_list(g, picture)] == [cid(102)]


def outdoors():
    g = graph({200: [P(square(5, 1), 1, EXIT)]})
    add_outdoors(g)
    add_building(g, [P(square(5, 1), 0, 200, 0)])
    return build_view(g, BLOCK | 1, foot=ORIGIN, pivot=ORIGIN, eye=ORIGIN, view=c0(), options=OPTIONS)


def test_the_document_of_an_interior_frame():
    document = json.loads(json.dumps(pvs_document(inside())))
    assert document["root"] == document["body_cell"] == "0x12340164"
    assert document["carried"] == []
    assert document["eye"] == [0.0, 0.0, 0.0]
    assert document["outside_visible"] is True
    assert len(document["outside_regions"]) == 1
    root, other = document["cells"]
    assert (root["order"], root["cell"], root["distance"], root["via"]) == (0, "0x12340164", 0.0, [])
    assert root["area"] == pytest.approx(1.0)
    assert root["regions"] == [[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]]
    assert other["via"] == [["0x12340164", 0]]
    assert other["distance"] == pytest.approx(4.5**0.5)
    assert other["area"] == pytest.approx(2500 / 40000)
    assert "flood" not in other
    assert document["missing"] == [{"cell": "0x12340164", "portal": 1, "other": "0x123404E7"}]
    assert document["counters"]["portals passed"] == 2
    assert document["counters"]["portals missing"] == 1


def test_the_document_of_an_outdoor_frame_goes_on_over_the_look_ins():
    document = json.loads(json.dumps(pvs_document(outdoors())))
    assert document["root"] == "0x12340001"
    assert document["outside_visible"] is True
    assert document["outside_regions"] == [[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]]
    (cell,) = document["cells"]
    assert cell["cell"] == "0x123401C8"
    assert cell["flood"] == {"building": 0, "portal": 0}
    assert cell["area"] == pytest.approx(1600 / 40000)


def test_the_table_tells_the_same():
    text = pvs_table(inside())
    assert "root 0x12340164  body 0x12340164  interior frame" in text
    assert "0x12340165" in text
    assert "0x12340164/0" in text
    assert "missing 0x123404E7 behind 0x12340164/1" in text
    assert "building 0 opening 0" in pvs_table(outdoors())


def test_what_too_much_to_look_into_leaves_out_is_told():
    """Without the containment test a chain of rooms with two doors to the next fills the list of a flood."""
    chain = {
        200 + i: [P(square(1.0 + i, 1.0 + i), 0, 201 + i) for _ in range(2)] if i < 12 else []
        for i in range(13)
    }
    g = graph({**chain, 300: [P(square(20, 1), 1, EXIT)]})
    add_outdoors(g)
    for door, cell in ((square(20, 1), 300), (square(0.5, 0.5), 200)):
        add_building(g, [P(door, 0, cell)])
    options = ViewOptions(FloodRules(working_set=WorkingSet.ALL, containment=False))
    picture = build_view(g, BLOCK | 1, foot=ORIGIN, pivot=ORIGIN, eye=ORIGIN, view=c0(), options=options)
    assert [look_in.building.index for look_in in picture.look_ins] == [1]
    assert pvs_document(picture)["counters"]["caps"] == ["appends", "look-ins"]
    assert given_up(picture) == [
        "gave up early in the flood from 0x123401C8: limit of appends reached",
        "gave up looking into buildings: limit reached, farther openings left out: 1",
    ]
    assert pvs_table(picture).splitlines()[-2:] == given_up(picture)

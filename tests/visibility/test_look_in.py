"""Look-ins through building openings: V23, V24 and visibility 2.13; culling against a region: V25."""

from __future__ import annotations

import pytest

from engine.visibility.cull import RegionCuller
from engine.visibility.flood_rules import REASONS, FloodRules, WorkingSet
from engine.visibility.look_in import Refusal, SharedByLookIns, building_look_in
from engine.visibility.openings import BuildingOpenings, OpeningIndex, is_seam
from engine.visibility.view_polygon import full_view
from engine.world.cell_graph import CellGraph
from engine.world.cells import Landblock
from engine.world.frame import Frame, quat_of_heading
from engine.world.polygon import Polygon
from tests.visibility.view_scenes import (
    BLOCK,
    EXIT,
    LEFT,
    RIGHT,
    P,
    add_building,
    add_outdoors,
    areas,
    c0,
    cid,
    flood,
    graph,
    order,
    pixels,
    quad,
    square,
)

STREET_DOOR = square(5.0, 1.0)
ALL = FloodRules(working_set=WorkingSet.ALL)


def house(ps=0, door=STREET_DOOR, *, resident=True, frame=None, stab=()):
    cells = {
        200: [P(STREET_DOOR, 1, EXIT), P(square(9, 1), 0, 201, 0), P(quad(9, 2, 3, z0=-1, z1=1), 0, 202, 0)],
        201: [P(square(9, 1), 1, 200, 1), P(square(12, 1), 0, EXIT)],
        202: [P(quad(9, 2, 3, z0=-1, z1=1), 1, 200, 2)],
    }
    if not resident:
        del cells[200]
    g = graph(cells, stab={200: (201, 202)})
    add_outdoors(g)
    building = add_building(g, [P(door, ps, 200, 0)], frame, stab)
    return g, BuildingOpenings(BLOCK, building)


def look(g, openings, view=None, active=None, *, rules=ALL):
    return building_look_in(g, openings, view or c0(), active or (full_view(),), rules=rules)


@pytest.mark.parametrize("frame", [None, Frame((3.0, 4.0, -1.0), quat_of_heading(70.0))])
def test_V23_a_look_in_from_the_street(frame):
    seen, refused = look(*house(frame=frame))
    assert refused == []
    (entry,) = seen
    assert [pixels(v) for v in entry.region] == [pytest.approx(1600, rel=0.005)]
    assert order(entry.flood) == [200, 201]
    assert areas(entry.flood, 201) == [pytest.approx(493.8, rel=0.005)]
    assert entry.flood.outside == ()
    assert not entry.straddling


@pytest.mark.parametrize(
    ("kwargs", "reason"),
    [
        ({"resident": False}, Refusal.MISSING),
        ({"ps": 1}, Refusal.WRONG_SIDE),
        ({"door": square(-5.0, 1.0)[::-1]}, Refusal.CLIPPED),
    ],
    ids=["not resident", "other side", "behind the eye"],
)
def test_V24_no_look_in(kwargs, reason):
    seen, refused = look(*house(**kwargs))
    assert seen == []
    assert [r.reason for r in refused] == [reason]


def test_a_look_in_is_bounded_by_the_openings_stab_list():
    g, openings = house(stab=(202,))
    (entry,), _ = look(g, openings, rules=FloodRules())
    assert order(entry.flood) == [200]
    g, openings = house(stab=())  # empty: the cell's own list
    (entry,), _ = look(g, openings, rules=FloodRules())
    assert order(entry.flood) == [200, 201]


def test_a_look_in_without_a_bound_goes_beyond_every_stab_list():
    for stab in ((202,), ()):
        g, openings = house(stab=stab)
        g.blocks[BLOCK].env_cells[cid(200)].stab_list = ()
        (entry,), _ = look(g, openings, rules=ALL)
        assert order(entry.flood) == [200, 201]


@pytest.mark.parametrize("y", [4.9985, 4.9999, 5.0, 5.0015])
def test_a_straddled_opening_shows_the_inward_half(y):
    g, openings = house()
    (entry,), _ = look(g, openings, c0((0.0, y, 0.0)))
    assert entry.straddling
    assert [pixels(v) for v in entry.region] == [pytest.approx(40000)]


@pytest.mark.parametrize("y", [0.0, 4.9999, 5.0])
def test_what_one_looks_in_by_is_entered_and_no_way_out(y):
    """Also with the eye in the opening, where its plane alone would not tell (visibility 2.13)."""
    g, openings = house()
    (entry,), _ = look(g, openings, c0((0.0, y, 0.0)))
    found = entry.flood.cells[cid(200)]
    assert REASONS[found.reasons[0]] == "entered through it"
    assert not found.open[0]


def test_in_the_plane_beside_the_opening_there_is_no_look_in():
    g, openings = house()
    seen, refused = look(g, openings, c0((1.5, 5.0, 0.0)))
    assert seen == []
    assert refused[0].reason == Refusal.IN_PLANE


def test_where_there_is_room_for_few_the_nearest_openings_are_looked_into():
    distances = (8.0, 2.0, 6.0, 4.0)
    doors = [square(y, 1.0) for y in distances]
    g = graph({200 + i: [P(door, 1, EXIT)] for i, door in enumerate(doors)})
    add_outdoors(g)
    openings = BuildingOpenings(BLOCK, add_building(g, [P(d, 0, 200 + i, 0) for i, d in enumerate(doors)]))
    shared = SharedByLookIns()
    shared.room = 2
    seen, refused = building_look_in(g, openings, c0(), (full_view(),), rules=ALL, shared=shared)
    assert [distances[entry.portal.index] for entry in seen] == [4.0, 2.0]
    assert [(distances[r.portal.index], r.reason) for r in refused] == [
        (6.0, Refusal.TOO_MUCH),
        (8.0, Refusal.TOO_MUCH),
    ]


def test_openings_of_a_cell_share_its_working_set():
    """Of 65,535 cells it takes 4 MB, and a few bytes name the cell again as what lies behind an opening."""
    g, _ = house()
    openings = BuildingOpenings(BLOCK, add_building(g, [P(STREET_DOOR, 0, 200, 0)] * 2))
    first, second = look(g, openings, rules=FloodRules())[0]
    assert first.flood.allowed is second.flood.allowed
    assert first.flood.allowed == {cid(200), cid(201), cid(202)}


def test_active_views_cut_the_look_in():
    left_half = flood(graph({100: [P(quad(1, -1, 0, z0=-1, z1=1), 0, EXIT)]})).outside
    g, openings = house()
    (entry,), _ = look(g, openings, active=left_half)
    assert [pixels(v) for v in entry.region] == [pytest.approx(800, rel=0.005)]


def test_an_opening_seen_through_two_windows_has_a_region_for_each():
    """A third that does not show it has none."""
    panes = [quad(1, x, x + w, z0=-1, z1=1) for x, w in ((-1.0, 0.9), (0.8, 0.2), (0.1, 0.6))]
    windows = flood(graph({100: [P(pane, 0, EXIT) for pane in panes]})).outside
    g, openings = house()
    (entry,), _ = look(g, openings, active=windows)
    assert [pixels(v) for v in entry.region] == [pytest.approx(n, rel=0.005) for n in (400, 400)]
    assert entry.through == (windows[0], windows[2])
    assert areas(entry.flood, 200) == [pixels(v) for v in entry.region]


def test_openings_come_far_to_near():
    g = graph({200: [P(LEFT, 1, EXIT)], 201: [P(square(7, 1), 1, EXIT)]})
    add_outdoors(g)
    building = add_building(g, [P(LEFT, 0, 200, 0), P(square(7, 1), 0, 201, 0), P(RIGHT, 0, 999, 0)])
    seen, refused = look(g, BuildingOpenings(BLOCK, building))
    assert [entry.portal.index for entry in seen] == [1, 0]
    assert [r.portal.index for r in refused] == [2]


def test_a_seam_between_building_pieces_is_no_opening():
    seam = Polygon(0, [(12.0, -1.0, 0.0), (12.0, 1.0, 0.0), (12.0, 1.0, 2.0)])
    assert is_seam(seam)
    assert not is_seam(Polygon(0, [(11.5, -1.0, 0.0), (11.5, 1.0, 0.0), (11.5, 1.0, 2.0)]))
    g = graph({200: [P(square(12, 1), 1, EXIT)]})
    add_outdoors(g)
    building = add_building(g, [P(square(12, 1), 0, 200, 0)])
    seen, refused = look(g, BuildingOpenings(BLOCK, building))
    assert seen == []
    assert refused[0].reason == Refusal.SEAM


def test_the_index_reads_a_block_that_was_loaded_anew():
    g, _ = house()
    index = OpeningIndex()
    assert len(index.of_block(g.blocks[BLOCK])) == 1
    assert index.of_block(g.blocks[BLOCK]) is index.of_block(g.blocks[BLOCK])
    other = graph({})
    add_outdoors(other)
    assert index.of_block(other.blocks[BLOCK]) == []


def test_V25_a_sphere_is_visible_through_any_polygon_of_the_region():
    g = graph(
        {100: [P(LEFT, 0, 101, 0), P(RIGHT, 0, 101, 1)], 101: [P(LEFT, 1, 100, 0), P(RIGHT, 1, 100, 1)]}
    )
    f = flood(g)
    culler = RegionCuller(c0(), f.cells[cid(101)].views)
    assert culler.sphere_visible((-1.0, 2.5, 0.0), 0.1)
    assert culler.sphere_visible((1.0, 2.5, 0.0), 0.1)
    assert not culler.sphere_visible((0.0, 2.5, 0.0), 0.1)
    assert not culler.sphere_visible((0.0, -2.5, 0.0), 0.1)


def test_the_near_plane_culls_what_lies_before_it():
    culler = RegionCuller(c0(), [full_view()])
    assert not culler.sphere_visible((0.0, 0.05, 0.0), 0.04)
    assert culler.sphere_visible((0.0, 0.05, 0.0), 0.06)


def test_the_openings_of_landblocks_that_are_gone_are_forgotten():
    graph, index = CellGraph(), OpeningIndex()
    for number in range(200):
        block = Landblock(0x10100000 + (number << 16))
        graph.blocks = {block.id: block}
        index.of_block(block)
        index.near(graph, block.id | 1)
        assert len(index._blocks) <= 12

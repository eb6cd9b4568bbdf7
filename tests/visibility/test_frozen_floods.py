"""What a flood found stays: no later flood changes it, nor a camera that leaves the body."""

from engine.visibility.flood_rules import FACES_AWAY, UNTRIED, FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions, build_view
from engine.visibility.pview import PView
from engine.visibility.view_polygon import full_view

from .view_scenes import P, c0, cid, graph, square

ALL = FloodRules(working_set=WorkingSet.ALL)


def three_rooms():
    return graph({
        100: [P(square(2, 1), 0, 101, 0)],
        101: [P(square(2, 1), 1, 100, 0), P(square(5, 2), 0, 102, 0)],
        102: [P(square(5, 2), 1, 101, 1)],
    })  # fmt: skip


def told(flood):
    return (
        [(c, f.views, f.dist, f.via, f.open, f.reasons, f.visited) for c, f in flood.cells.items()],
        flood.order,
        flood.outside,
        flood.exits,
        flood.edges(),
    )


def test_a_second_flood_of_the_same_cells_leaves_the_first_as_it_was():
    g = three_rooms()
    first = PView(g, c0(), rules=ALL).construct(cid(100))
    before = told(first)
    PView(g, c0((0.0, 3.0, 0.0)), rules=ALL).construct(cid(101))
    assert told(first) == before


def test_from_another_eye_the_same_cells_stand_in_the_same_order_and_the_first_flood_stays():
    """Views 8.3: each through the whole screen, its portals as that eye looks at them."""
    g = three_rooms()
    flood = PView(g, c0(), rules=ALL).construct(cid(100))
    before = told(flood)
    screen = (full_view(),)
    opened = flood.opened(c0((0.0, 8.0, 0.0)), screen)
    assert told(flood) == before
    assert (opened.order, opened.draw_order()) == (flood.order, flood.draw_order())
    assert all(cell.views == screen for cell in opened.cells.values())
    assert [c.dist for c in opened.cells.values()] == [flood.cells[c].dist for c in opened.cells]
    assert opened.cells[cid(102)].reasons == (UNTRIED,)  # looked at from behind the last opening
    assert opened.cells[cid(100)].reasons == (FACES_AWAY,)
    assert opened.outside == ()


def test_a_frame_keeps_its_regions_when_the_next_is_built():
    g = three_rooms()
    options = ViewOptions(ALL, strict_root=True)
    eye = (0.0, 0.0, 0.0)
    picture = build_view(g, cid(100), foot=eye, pivot=eye, eye=eye, view=c0(), options=options)
    before = [(c.cell, c.regions, c.via, c.area) for c in picture.cells]
    near = (0.0, 1.5, 0.0)
    build_view(g, cid(100), foot=near, pivot=near, eye=near, view=c0(near), options=options)
    assert [(c.cell, c.regions, c.via, c.area) for c in picture.cells] == before

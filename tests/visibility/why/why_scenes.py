"""Places that are asked about, and what is seen there with an account."""

from __future__ import annotations

from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions, build_view
from tests.visibility.view_scenes import DOOR, P, c0, graph, square

ORIGIN = (0.0, 0.0, 0.0)


def logged(working_set=WorkingSet.ALL, **rules):
    return ViewOptions(FloodRules(working_set=working_set, **rules), strict_root=True, logged=True)


def seen(g, root, view=None, options=None):
    view = view or c0()
    return build_view(
        g, root, foot=view.eye, pivot=view.eye, eye=view.eye, view=view, options=options or logged()
    )


def three_rooms(**more):
    return graph({
        100: [P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, 102, 0)],
        102: [P(square(4, 0.5), 1, 101, 1)],
    }, **more)  # fmt: skip

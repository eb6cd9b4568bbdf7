"""A report whose every field is filled."""

from __future__ import annotations

from dataclasses import replace

from tests.viewer.panels import HALL, ROOM, report
from viewer.report.frame_report import CellId, FrameReport, VisibleRow

STAIR = CellId(0xA9B40174)


def full_report() -> FrameReport:
    """A report whose numbers are all unlike each other."""
    said = report()
    view, sweep = said.view, said.sweep
    assert view is not None and sweep is not None
    rows = (
        VisibleRow(0, ROOM, 0.0, 0.875, 1, ()),
        VisibleRow(1, HALL, 2.53, 0.25, 2, ((ROOM, 0),)),
        VisibleRow(2, STAIR, 7.19, 0.031, 2, ((ROOM, 0), (HALL, 3))),
    )
    return replace(
        said,
        view=replace(view, cells=rows, carried=((HALL, 5),)),
        sweep=replace(sweep, steps=("sub-step seven",), candidates=((STAIR, "portal 6", True, True),)),
        timings={"ticks": 1.31, "visible": 2.47},
        counts={"cells": 23, "regions": 41},
        distances={"radius": 5, "objects": 3},
    )

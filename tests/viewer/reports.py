"""A report whose every field is filled."""

from __future__ import annotations

from dataclasses import replace

from tests.viewer.overlay.panels import HALL, ROOM, report
from viewer.report.picture_report import CellId, PictureReport, VisibleRow

STAIR = CellId(0xA9B40174)


def full_report() -> PictureReport:
    """A report whose numbers are all unlike each other."""
    said = report()
    view, sweep = said.view, said.sweep
    assert view is not None and sweep is not None
    rows = (
        VisibleRow(order=0, cell=ROOM, distance=0.0, area=0.875, regions=1, via=()),
        VisibleRow(order=1, cell=HALL, distance=2.53, area=0.25, regions=2, via=((ROOM, 0),)),
        VisibleRow(order=2, cell=STAIR, distance=7.19, area=0.031, regions=2, via=((ROOM, 0), (HALL, 3))),
    )
    return replace(
        said,
        view=replace(view, cells=rows, carried=((HALL, 5),)),
        sweep=replace(sweep, steps=("sub-step seven",), candidates=((STAIR, "portal 6", True, True),)),
        timings={"ticks": 1.31, "visible": 2.47},
        counts={"cells": 23, "regions": 41},
        distances={"radius": 5, "objects": 3},
    )

"""A PictureView as the ``pvs --json`` document and as a table for people (promises 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.visibility.flood_rules import REASONS
from engine.visibility.look_in import Refusal
from engine.visibility.picture_view import PictureView, VisibleCell
from engine.visibility.view_polygon import ViewPolygon


def pvs_document(picture: PictureView, beyond: Iterable[VisibleCell] | None = None) -> Json:
    """The JSON document of ``pvs``: polygons in NDC (y up), areas as fractions of the screen.

    ``beyond`` are the cells that only an unbounded traversal reaches, None where nobody asked for them.
    """
    compared: Json = {} if beyond is None else {"beyond_stab_list": [_cell(c) for c in beyond]}
    return {
        "body_cell": hex_id(picture.body_cell),
        "drawn_cell": hex_id(picture.drawn_cell),
        "root": hex_id(picture.root),
        "carried": _pairs(picture.carried),
        "blocked": picture.blocked,
        "path": picture.path,
        "eye": list(picture.view.eye),
        "outside_visible": picture.outside_visible,
        "outside_regions": _polygons(picture.outside),
        "cells": [_cell(c) for c in picture.cells],
        "missing": [
            {"cell": hex_id(c), "portal": p, "other": hex_id(n)}
            for f in picture.floods
            for c, p, n in f.missing
        ],
        "counters": counters(picture),
        **compared,
    }


def sums(picture: PictureView) -> dict[str, int]:
    """The sums of all floods' counters, and the look-ins."""
    floods = picture.floods
    return {
        "cells": len(picture.cells),
        "regions": sum(len(c.regions) for c in picture.cells),
        "max_regions": max((f.counters.max_views for f in floods), default=0),
        "pops": sum(f.counters.pops for f in floods),
        "appends": sum(f.counters.appends for f in floods),
        "clips": sum(f.counters.clips for f in floods),
        "portals_tested": sum(f.counters.portals_tested for f in floods),
        "bad_reciprocals": sum(len(f.bad_reciprocals) for f in floods),
        "buildings_tested": picture.buildings_tested,
        "look_ins": len(picture.look_ins),
        "look_ins_refused": len(picture.refused_look_ins),
    }


def counters(picture: PictureView) -> dict[str, int | list[str]]:
    """The sums, the caps that were met, and the portals by what became of them."""
    reasons: Counter[str] = Counter()
    for flood in picture.floods:
        for cv in flood.cells.values():
            reasons.update(REASONS[r] for r in cv.reasons)
    out: dict[str, int | list[str]] = {**sums(picture)}
    caps = [cap for flood in picture.floods for cap in flood.counters.caps]
    out["caps"] = [*caps, "look-ins"] if _not_looked_into(picture) else caps
    for name in REASONS:
        out[f"portals {name}"] = reasons[name]
    return out


def pvs_table(picture: PictureView, beyond: Iterable[VisibleCell] | None = None) -> str:
    """The visible list as lines of text: what was decided, then a row a cell in draw order.

    ``beyond``, where given, are listed after it: the cells that only an unbounded traversal reaches.
    """
    lines = [f"root {hex_id(picture.root)}  body {hex_id(picture.body_cell)}  {picture.path} frame"]
    if picture.drawn_cell != picture.body_cell:
        lines.append(f"the foot is drawn in {hex_id(picture.drawn_cell)}")
    if picture.carried:
        lines.append(f"carried {_chain(picture.carried)}")
    if picture.blocked:
        where = f" at {_chain([picture.blocked_by])}" if picture.blocked_by is not None else ""
        lines.append(f"eye pulled in: the next cell is not loaded{where}")
    eye = " ".join(f"{x:.3f}" for x in picture.view.eye)
    lines.append(f"eye [{eye}]  outside {_outside(picture)}")
    if picture.cells:
        lines.append("order  cell        metres   area %  regions  via")
    lines += [f"{c.order:5d}  {_row(c)}" for c in picture.cells]
    if beyond is not None:
        more = [f"    +  {_row(c)}" for c in beyond]
        lines += ["beyond the stab list", *more] if more else ["nothing beyond the stab list is seen"]
    for flood in picture.floods:
        for cell, portal, other in flood.missing:
            lines.append(f"missing {hex_id(other)} behind {hex_id(cell)}/{portal}")
    return "\n".join(lines + given_up(picture))


def given_up(picture: PictureView) -> list[str]:
    """What a picture lacks because too much is seen in it, a line each."""
    lines = [
        f"gave up early in the flood from {hex_id(flood.root)}: limit of {cap} reached"
        for flood in picture.floods
        for cap in flood.counters.caps
    ]
    if left_out := _not_looked_into(picture):
        lines.append(f"gave up looking into buildings: limit reached, farther openings left out: {left_out}")
    return lines


def _not_looked_into(picture: PictureView) -> int:
    return sum(refusal.reason is Refusal.TOO_MUCH for refusal in picture.refused_look_ins)


def _row(c: VisibleCell) -> str:
    via = _chain(c.via) if c.via else "-"
    if c.flood is not None:
        via = f"building {c.flood[0]} opening {c.flood[1]}" + (f" > {via}" if c.via else "")
    figures = f"{c.distance:6.2f}  {c.area * 100:7.2f}  {len(c.regions):7d}"
    return f"{hex_id(c.cell)}  {figures}  {via}"


def pvs_transcript(picture: PictureView) -> str:
    """The table followed by every region's corners in NDC, to three decimals: the form of golden texts."""
    lines = [pvs_table(picture), "regions"]
    lines += [f"  outside     {_corners(view)}" for view in picture.outside]
    lines += [f"  {hex_id(c.cell)}  {_corners(view)}" for c in picture.cells for view in c.regions]
    return "\n".join(lines) + "\n"


def _corners(view: ViewPolygon) -> str:
    return " ".join(f"{x + 0.0:.3f},{y + 0.0:.3f}" for x, y in view.points)


def _outside(picture: PictureView) -> str:
    if not picture.outside:
        return "not seen"
    area = sum(v.area for v in picture.outside) / 4.0
    return f"seen in {len(picture.outside)} region(s), {area * 100:.2f} % of the screen"


def _cell(c: VisibleCell) -> Json:
    out: Json = {
        "order": c.order,
        "cell": hex_id(c.cell),
        "distance": c.distance,
        "via": _pairs(c.via),
        "regions": _polygons(c.regions),
        "area": c.area,
    }
    if c.flood is not None:
        out["flood"] = {"building": c.flood[0], "portal": c.flood[1]}
    return out


def _pairs(chain: Iterable[tuple[int, int]]) -> list[list[object]]:
    return [[hex_id(cell), portal] for cell, portal in chain]


def _chain(chain: Iterable[tuple[int, int]]) -> str:
    return " > ".join(f"{hex_id(cell)}/{portal}" for cell, portal in chain)


def _polygons(views: Iterable[ViewPolygon]) -> list[list[list[float]]]:
    return [[[x, y] for x, y in v.points] for v in views]

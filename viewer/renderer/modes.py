"""The one table of drawing modes: `render --mode`, the window's View panel, its keys and the docs use it.

Modes of one group that draw something else in place of the scene exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from viewer.renderer import options as o
from viewer.renderer.options import RenderOptions

CELLS, PICTURE, OVER, LEAVE_OUT = "cells", "picture", "over the scene", "leave out"
_EXCLUSIVE = (CELLS, PICTURE)


@dataclass(frozen=True, slots=True)
class DrawMode:
    """A mode: its name, what it shows, and the options that it changes.

    ``value`` is the placeholder of a mode that is written ``name=value``. ``key`` is the window's key,
    empty for none.
    """

    name: str
    group: str
    help: str
    changes: Mapping[str, object] = field(default_factory=dict)
    value: str = ""
    key: str = ""

    @property
    def usage(self) -> str:
        """How one writes it."""
        return f"{self.name}={self.value}" if self.value else self.name


def _over(name: str, text: str, key: str, **changes: object) -> DrawMode:
    return DrawMode(name, OVER, text, changes, key=key)


def _shape(name: str, text: str, key: str) -> DrawMode:
    return DrawMode(name, OVER, text, {"shapes": frozenset({name})}, key=key)


def _show(name: str, text: str, key: str = "") -> DrawMode:
    return DrawMode(name, PICTURE, text, {"show": name}, key=key)


MODES: tuple[DrawMode, ...] = (
    _over(
        "portals",
        "portals by verdict: green passed, yellow clipped away, orange missing or not in the stab list, red "
        "faces away, blue exit, cyan opening of a building",
        "F3",
        portals=True,
    ),
    _over("regions", "every clip region, filled and outlined in its cell's colour", "F4", regions=True),
    _over("cell-ids", "everything in the colour of the cell that it is drawn with", "F5", cell_ids=True),
    _over("wireframe", "the drawn triangles of the visible cells, through walls", "F6", wireframe=True),
    _shape("shadows", "shadow shapes: orange solid, cyan ethereal, grey what never collides", "F7"),
    _shape("body", "the body's spheres, contact plane (green walkable, red steep), last normal", "F8"),
    _shape("physics-bsp", "physics trees of cells and shells: polygons by leaf, splits", "NUMBER_1"),
    _shape("cell-bsp", "containment trees: the space that each cell holds", "NUMBER_2"),
    _shape("drawing-bsp", "drawing trees: polygons by node, portal nodes in cyan", "NUMBER_3"),
    _shape("pyramids", "the regions as pyramids from the eye that saw them", "NUMBER_4"),
    _over("wire", "the whole scene as edges", "NUMBER_5", wire_only=True),
    _over("unclipped", "cells without their regions: depth decides", "NUMBER_6", clip_mode=o.UNCLIPPED),
    _show(o.DEPTH, "distance as grey, white at the eye", "F9"),
    _show(o.STENCIL, "stencil values: cell ids by hue, look-ins dark, the landscape's region light", "F10"),
    _show(o.OVERDRAW, "how often each pixel was painted", "F11"),
    _show(o.OVERDRAW_ALL, "the same with the fragments that depth hides"),
    _show(o.HOLES, "pixels that nothing was drawn to, in red with a frame around them", "NUMBER_7"),
    _show(o.DIFFERENCE, "in red where drawing cells without their regions would differ", "NUMBER_8"),
    DrawMode("stab", CELLS, "the root and its stab list, whole, without traversal", {"cells": "stab"}),
    DrawMode("all", CELLS, "every resident cell, whole", {"cells": "all"}),
    DrawMode("root", CELLS, "the root alone, whole", {"cells": "root"}),
    DrawMode("solo", "one", "one visible cell alone", value="CELL"),
    DrawMode("first", "some", "the first cells of the order, so many", value="N"),
    DrawMode("no-textures", LEAVE_OUT, "textures: light on grey", {"textures": False}, key="NUMBER_9"),
    DrawMode("no-light", LEAVE_OUT, "light and fog: textures as they are", {"plain": True}),
    DrawMode("no-fog", LEAVE_OUT, "fog", {"fog": False}),
    DrawMode("no-sun", LEAVE_OUT, "the sun", {"sun": False}),
    DrawMode("no-terrain", LEAVE_OUT, "the ground", {"terrain": False}),
    DrawMode("no-shells", LEAVE_OUT, "buildings' outsides and the looks into them", {"shells": False}),
    DrawMode("no-objects", LEAVE_OUT, "outdoor objects and everything that moves", {"objects": False}),
)
BY_NAME = {mode.name: mode for mode in MODES}


def parse_modes(text: str) -> tuple[str, ...]:
    """Modes ``NAME[,NAME]`` as a user writes them; ValueError for what is none or doesn't go together."""
    names = tuple(part.strip() for part in text.split(","))
    with_modes(RenderOptions(), names)
    return names


def with_modes(options: RenderOptions, names: Iterable[str]) -> RenderOptions:
    """Options with modes switched on; ValueError for an unknown one and for two that exclude each other."""
    taken: dict[str, str] = {}
    for name in names:
        word, _, value = name.partition("=")
        mode = BY_NAME.get(word)
        if mode is None or bool(value) != bool(mode.value):
            raise ValueError(f"no mode '{name}'")
        if mode.group in _EXCLUSIVE and taken.setdefault(mode.group, word) != word:
            raise ValueError(f"'{taken[mode.group]}' and '{word}' don't go together")
        changes = dict(mode.changes)
        if word == "solo":
            changes["solo"] = _cell_number(value)
        elif word == "first":
            changes["first"] = int(value)
        if "shapes" in changes:
            changes["shapes"] = options.shapes | frozenset({word})
        options = replace(options, **changes)  # type: ignore[arg-type]
    return options


def toggled(names: Iterable[str], name: str) -> tuple[str, ...]:
    """Modes with one switched over; one that goes on takes the place of what it excludes."""
    on = list(names)
    if name in on:
        on.remove(name)
        return tuple(on)
    group = BY_NAME[name.partition("=")[0]].group
    if group in _EXCLUSIVE or BY_NAME[name.partition("=")[0]].value:
        on = [n for n in on if BY_NAME[n.partition("=")[0]].group != group]
    return (*on, name)


def mode_reference() -> str:
    """The modes in Markdown, for docs/modes.md."""
    lines = [
        "# Drawing modes\n",
        "Made from the table in `viewer/renderer/modes.py` by `scripts/write_docs.py`. `holtwalk render`",
        "draws with them by `--mode NAME[,NAME]`; in the window the View panel and these keys switch them.\n",
        "| mode | kind | key | shows |",
        "| --- | --- | --- | --- |",
    ]
    for mode in MODES:
        key = mode.key.removeprefix("NUMBER_") or "–"
        lines.append(f"| `{mode.usage}` | {mode.group} | {key} | {mode.help} |")
    lines += [
        "",
        "Two modes of the kind *cells*, or of the kind *picture*, exclude each other. `pvs` takes the modes",
        "that choose cells and prints the list that the picture is drawn from.",
    ]
    return "\n".join(lines) + "\n"


def _cell_number(text: str) -> int:
    value = int(text, 16)
    if not 0x100 <= value <= 0xFFFFFFFF:
        raise ValueError(f"'{text}' is no cell")
    return value

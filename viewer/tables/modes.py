"""The one table of drawing modes: `render --mode`, the window's View panel, its keys and the docs use it.

Modes of one group that draw something else in place of the scene exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.files.shown import shown
from engine.named_tuple import NamedTuple
from viewer.renderer import render_options as o
from viewer.renderer.render_options import RenderOptions
from viewer.tables.option_values import cell_number
from viewer.user_error import BadValueError

OVER, CLIP, PICTURE = "over the scene", "clipping", "picture"
CELLS, FEWER, LEAVE_OUT = "cells", "fewer cells", "leave out"
ALL_OFF = "BACKSPACE"  # the key
_VALUES = {"solo": "solo", "first": "first", "region": "regions_of"}  # the option that holds a mode's value
_UNCHANGED: Mapping[str, object] = MappingProxyType({})
_EXCLUSIVE = (CELLS, PICTURE, CLIP)
_SIGNS = {"EQUAL": "=", "MINUS": "-", "PERIOD": ".", "COMMA": ","}


class DrawMode(NamedTuple):
    """A mode: its name, what it shows, and the options that it changes.

    ``value`` is the placeholder of a mode that is written ``name=value``. ``key`` is the window's key; with
    a value it goes on to the next and ``back`` to the one before.
    """

    name: str
    group: str
    help: str
    key: str
    changes: Mapping[str, object] = _UNCHANGED
    value: str = ""
    back: str = ""

    @property
    def usage(self) -> str:
        """How one writes it."""
        return f"{self.name}={self.value}" if self.value else self.name

    @property
    def restricts(self) -> bool:
        """Whether not all is seen with it, or not as it is, and the picture looks as if it were."""
        return self.group not in (OVER, PICTURE) or self.name in _VALUES

    def value_in(self, options: RenderOptions) -> str:
        """Its value in options as one writes it, empty where it has none or is off."""
        value = getattr(options, _VALUES[self.name], None) if self.value else None
        if value is None:
            return ""
        return str(value) if self.name == "first" else f"{value:04X}"


def _over(name: str, text: str, key: str, **changes: object) -> DrawMode:
    return DrawMode(name=name, group=OVER, help=text, key=key, changes=changes)


def _shape(name: str, text: str, key: str) -> DrawMode:
    return DrawMode(name=name, group=OVER, help=text, key=key, changes={"shapes": frozenset({name})})


def _show(name: str, text: str, key: str) -> DrawMode:
    return DrawMode(name=name, group=PICTURE, help=text, key=key, changes={"show": name})


def _less(name: str, text: str, key: str, **changes: object) -> DrawMode:
    return DrawMode(name=name, group=LEAVE_OUT, help=text, key=key, changes=changes)


MODES: tuple[DrawMode, ...] = (
    _over(
        "portals",
        "the portals of cells and buildings by verdict, labelled index→cell (of building 3 "
        "b3/index→cell): green passed, yellow clipped away, orange missing or not in the stab "
        "list, red faces away, blue an exit, cyan a building's portal that is looked through",
        "F3",
        portals=True,
    ),
    _over(
        "all-portals",
        "as portals, and in grey those that no traversal came to",
        "CTRL+F3",
        portals=True,
        all_portals=True,
    ),
    _over(
        "regions",
        "every clip region, filled and outlined in its cell's colour, with the cell's number in draw order",
        "F4",
        regions=True,
    ),
    DrawMode(
        name="region",
        group=OVER,
        help="the clip regions of one cell",
        key="EQUAL",
        changes={"regions": True},
        value="CELL",
        back="MINUS",
    ),
    _over(
        "landscape-mask",
        "hatching where the landscape may be drawn (stencil bit 7)",
        "CTRL+F4",
        landscape_mask=True,
    ),
    _over(
        "cell-ids",
        "everything in the colour of the cell that it is drawn with, the landscape black, the "
        "body's cell "
        "outlined in white",
        "F5",
        cell_ids=True,
        shapes=frozenset({"body-cell"}),
    ),
    _shape(
        "beyond-stab",
        "red boxes around the cells that the stab list leaves out of the traversal",
        "CTRL+F9",
    ),
    _shape("bounds", "boxes around the visible cells, with their numbers", "CTRL+F5"),
    _over(
        "wireframe", "the drawn triangles of the visible cells, also those behind walls", "F6", wireframe=True
    ),
    _over("edges", "the edges of everything that is drawn, over it", "CTRL+F6", edges=True),
    _over("backs", "faces seen from behind, which are otherwise not drawn, tinted magenta", "B", backs=True),
    _shape(
        "shadows",
        "the shapes by which objects collide (shadow shapes): orange solid, cyan ethereal, "
        "grey those that never collide",
        "F7",
    ),
    _shape(
        "slopes",
        "where one can stand, in the visible cells and those that the body touches: green "
        "walkable, red too steep",
        "CTRL+F7",
    ),
    _shape(
        "body",
        "the body's spheres, contact plane (green walkable, red too steep) and last normal; "
        "the last tick's sweep step by step; from outside the camera's sweep, too",
        "F8",
    ),
    _over(
        "state",
        "in words over the picture: the body's cell, the root, how it was carried there, what is seen",
        "CTRL+F8",
        state=True,
    ),
    _over(
        "split",
        "beside the picture the same visible list, frozen, from behind and above",
        "NUMBER_0",
        split=True,
    ),
    _shape(
        "physics-bsp",
        "the physics trees of cells and buildings: polygons coloured by leaf, and what splits "
        "them; the leaf in the middle of the picture is white",
        "NUMBER_1",
    ),
    _shape(
        "cell-bsp",
        "the containment trees: the space that each cell holds; the plane in the middle of "
        "the picture is white",
        "NUMBER_2",
    ),
    _shape(
        "drawing-bsp",
        "the drawing trees: polygons coloured by node, portal nodes in cyan; the node in the "
        "middle of the picture is white",
        "NUMBER_3",
    ),
    _shape("pyramids", "the clip regions as pyramids from the eye that saw them", "NUMBER_4"),
    _over("wire", "the whole scene as edges alone", "NUMBER_5", wire_only=True),
    DrawMode(
        name="unclipped",
        group=CLIP,
        help="cells drawn without their clip regions: depth alone decides what is seen",
        key="NUMBER_6",
        changes={"clip_mode": o.UNCLIPPED},
    ),
    DrawMode(
        name="box",
        group=CLIP,
        help="cells drawn within the boxes around their clip regions: depth decides the rest",
        key="CTRL+NUMBER_6",
        changes={"clip_mode": o.BOX},
    ),
    _show(
        o.DEPTH,
        "distance as grey, white at the frame's nearest point, black at its farthest: stretched "
        "anew in every frame",
        "F9",
    ),
    _show(o.STENCIL, "stencil values: cell ids by hue, look-ins dark, the landscape's region light", "F10"),
    _show(o.OVERDRAW, "how often each pixel was painted", "O"),
    _show(o.OVERDRAW_ALL, "as overdraw, with the fragments that depth hides", "CTRL+O"),
    _show(o.HOLES, "pixels that nothing was drawn to, in red with a frame around them; counted", "NUMBER_7"),
    _show(
        o.DIFFERENCE,
        "in red where `unclipped` cells would look otherwise, with `box` where those would",
        "NUMBER_8",
    ),
    DrawMode(
        name="stab",
        group=CELLS,
        help="the root and the cells of its stab list, each whole, without a traversal",
        key="CTRL+NUMBER_1",
        changes={"cells": "stab"},
    ),
    DrawMode(
        name="all",
        group=CELLS,
        help="every loaded cell, each whole",
        key="CTRL+NUMBER_2",
        changes={"cells": "all"},
    ),
    DrawMode(
        name="root", group=CELLS, help="the root alone, whole", key="CTRL+NUMBER_3", changes={"cells": "root"}
    ),
    DrawMode(
        name="solo",
        group=FEWER,
        help="one visible cell alone",
        key="END",
        changes={},
        value="CELL",
        back="HOME",
    ),
    DrawMode(
        name="first",
        group=FEWER,
        help="the first N cells of the draw order",
        key="PERIOD",
        changes={},
        value="N",
        back="COMMA",
    ),
    _less(
        "collision",
        "leaves out all that can only be seen; what collides is filled, with edges: cells "
        "grey, the ground green, buildings brown, things orange; what is ethereal is edges in "
        "cyan",
        "G",
        visuals=False,
        shapes=frozenset({"collision"}),
    ),
    _less("no-textures", "leaves out textures: light on grey", "NUMBER_9", textures=False),
    _less("no-light", "leaves out light and fog: textures as they are", "CTRL+NUMBER_4", plain=True),
    _less("no-fog", "leaves out the fog", "CTRL+NUMBER_5", fog=False),
    _less("no-sun", "leaves out the sun's light", "CTRL+NUMBER_7", sun=False),
    _less("no-terrain", "leaves out the ground", "CTRL+NUMBER_8", terrain=False),
    _less(
        "no-shells",
        "leaves out buildings' outsides, and with them the looks into buildings",
        "CTRL+NUMBER_9",
        shells=False,
    ),
    _less(
        "no-exit-depth",
        "leaves out that the landscape begins anew at the exits: the house's own walls hide it there",
        "CTRL+F10",
        beyond_exits=False,
    ),
    _less("no-particles", "leaves out particles: smoke, sparks, what burns", "CTRL+G", particles=False),
    _less("no-weather", "leaves out rain; the rest of a rainy day stays", "CTRL+K", weather=False),
    _less(
        "no-objects", "leaves out outdoor objects and everything that moves", "CTRL+NUMBER_0", objects=False
    ),
)
BY_NAME = {mode.name: mode for mode in MODES}
CELL_MODES = tuple(mode for mode in MODES if mode.group in {CELLS, FEWER})


def parse_modes(text: str) -> tuple[str, ...]:
    """Modes ``NAME[,NAME]`` as a user writes them; BadValueError for what is none or doesn't go together."""
    names = tuple(part.strip() for part in text.split(","))
    with_modes(RenderOptions(), names)
    return names


def parse_cell_modes(text: str) -> tuple[str, ...]:
    """The same for a list of cells: BadValueError as well for a mode that chooses none."""
    names = parse_modes(text)
    for name in names:
        if BY_NAME[name.partition("=")[0]] not in CELL_MODES:
            known = ", ".join(mode.usage for mode in CELL_MODES)
            raise BadValueError(f"the mode '{name}' chooses no cells; those that do are {known}")
    return names


def with_modes(options: RenderOptions, names: Iterable[str]) -> RenderOptions:
    """Options with modes switched on; BadValueError for an unknown one and two that exclude each other."""
    taken: dict[str, str] = {}
    for name in names:
        word, _, value = name.partition("=")
        mode = BY_NAME.get(word)
        if mode is None:
            raise BadValueError(
                f"there is no mode '{name}', see docs/modes.md; there are {', '.join(BY_NAME)}"
            )
        if bool(value) != bool(mode.value):
            raise BadValueError(f"the mode '{name}' is written {mode.usage}")
        if mode.group in _EXCLUSIVE and taken.setdefault(mode.group, word) != word:
            raise BadValueError(f"the modes '{taken[mode.group]}' and '{word}' don't go together")
        changes: dict[str, Any] = dict(mode.changes)
        if word == "solo":
            changes["solo"] = _inner_cell(value)
        elif word == "first":
            if not value.isdecimal() or int(value) < 1:
                raise BadValueError(f"'{name}': '{value}' is no number of cells, 1 or more")
            changes["first"] = int(value)
        elif word == "region":
            changes["regions_of"] = _inner_cell(value)
        if isinstance(shapes := changes.get("shapes"), frozenset):
            changes["shapes"] = options.shapes | shapes
        options = options._replace(**changes)
    return options


def restrictions(options: RenderOptions) -> list[str]:
    """The modes by which options show less than there is, or not as it is, as one writes them."""
    out: list[str] = []
    for mode in MODES:
        if not mode.restricts:
            continue
        value = mode.value_in(options)
        if mode.value:
            out += [f"{mode.name}={value}"] if value else []
        elif all(
            wanted <= options.shapes if isinstance(wanted, frozenset) else getattr(options, name) == wanted
            for name, wanted in mode.changes.items()
        ):
            out.append(mode.name)
    return out


def toggled(names: Iterable[str], name: str) -> tuple[str, ...]:
    """Modes with one switched over; one that goes on takes the place of what it excludes."""
    on = list(names)
    if name in on:
        on.remove(name)
        return tuple(on)
    word = name.partition("=")[0]
    group = BY_NAME[word].group
    on = [n for n in on if n.partition("=")[0] != word]
    if group in _EXCLUSIVE:
        on = [n for n in on if BY_NAME[n.partition("=")[0]].group != group]
    return (*on, name)


def stepped(names: Iterable[str], word: str, values: Sequence[str], by: int) -> tuple[str, ...]:
    """Modes with one that has a value on to the next of the values, or back; past either end it is off."""
    on = list(names)
    now = next((n.partition("=")[2] for n in on if n.partition("=")[0] == word), "")
    rest = tuple(n for n in on if n.partition("=")[0] != word)
    circle = ["", *values]
    place = circle.index(now) if now in circle else 0
    value = circle[(place + by) % len(circle)]
    return (*rest, f"{word}={value}") if value else rest


def mode_reference() -> str:
    """The modes in Markdown, for docs/modes.md."""
    lines = [
        "# Drawing modes\n",
        "Made from the table in `viewer/tables/modes.py` by `scripts/write_docs.py`. `holtwalk render`",
        "draws with them by `--mode NAME[,NAME]`; in the window the View panel and these keys switch them.\n",
        "| mode | kind | key | shows |",
        "| --- | --- | --- | --- |",
    ]
    for mode in MODES:
        keys = " ".join(key_name(key) for key in (mode.back, mode.key) if key)
        lines.append(f"| `{mode.usage}` | {mode.group} | {keys} | {mode.help} |")
    lines += [
        "",
        "Two modes of the kind *cells*, *picture* or *clipping* exclude each other. In the window the keys",
        "of a mode with a value go back and forth through the visible cells or their count, off at either",
        "end. Modes that show less than there is, or not as it is, are named at the picture's upper edge;",
        f"{key_name(ALL_OFF)} switches all modes off, and lets go of what was asked and selected.",
        "",
        "`pvs` takes the modes that choose cells and prints the list that the picture is drawn from.",
    ]
    return "\n".join(lines) + "\n"


@cache
@cache
def key_name(key: str) -> str:
    """A key as people read it: ``Ctrl+6`` for ``CTRL+NUMBER_6``."""
    chord, _, name = key.rpartition("+")
    name = _SIGNS.get(name, name.removeprefix("NUMBER_").replace("_", " ").title())
    return f"{chord.title()}+{name}" if chord else name


def _inner_cell(text: str) -> int:
    from engine.world.ids import is_outdoor  # help goes without the world

    value = cell_number(text)
    if is_outdoor(value):
        raise BadValueError(f"'{shown(text)}' is a landcell: write the cell of a house, 0xA9B40171 or 0171")
    return value

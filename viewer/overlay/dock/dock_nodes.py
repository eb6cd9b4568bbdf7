"""The dock space that the panels stand in, with the picture in its middle: ImGui's nodes of it.

Every node keeps a size to divide its parent's by (ImGui's ``SizeRef``). ImGui lets the middle alone give way
when the window shrinks; here all of them are scaled with the window.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from imgui_bundle import imgui

from viewer.overlay.dock.layout_file import SPACE
from viewer.overlay.rect import Rect

DOCK_SPACE: Final = int(SPACE, 16)
LEFT, RIGHT = 0.22, 0.22  # shares of the window's width
BOTTOMS: Final = (0.2, 0.26, 0.32, 0.38)  # shares of its height, the first that has room is taken
LEAST_BOTTOM: Final = 112.0  # pixels at scale 1 that make room: tabs, and some lines under them
LEAST_COLUMN: Final = 130.0  # pixels at scale 1 that each of two columns needs, else there is one
ONLY: Final = 0.44  # of the width, for that one: the picture keeps 0.55
ROWS: Final = {
    "left top": 0.4, "left bottom": 0.6, "right top": 0.45, "right bottom": 0.55,
}  # fmt: skip
"""What share of its column a place takes, where all of the column's are taken."""

Sizes = dict[int, tuple[float, float]]
_FLAGS = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
_NODE = re.compile(r"ID=0x([0-9A-F]{8}) Parent=0x[0-9A-F]{8} SizeRef=([0-9]+),([0-9]+)")
_SPACE = re.compile(r"(DockSpace +ID=0x[0-9A-F]{8} .*?Pos=)(-?[0-9]+,-?[0-9]+) Size=([0-9]+),([0-9]+)")


@dataclass(frozen=True, slots=True)
class Shares:
    """How the dock space of a size was divided: by node, its reference size in pixels."""

    space: tuple[float, float]
    nodes: Sizes = field(default_factory=dict)

    def apply(self, space: tuple[float, float]) -> None:
        """Divide a dock space of another size likewise."""
        kx, ky = space[0] / max(1.0, self.space[0]), space[1] / max(1.0, self.space[1])
        for number, (width, height) in self.nodes.items():
            node = imgui.internal.dock_builder_get_node(number)
            if node is not None:
                node.size_ref = imgui.ImVec2(width * kx, height * ky)

    def differ(self, space: tuple[float, float], nodes: Sizes) -> bool:
        """Whether these nodes, of a dock space of that size, are others or divided otherwise."""
        kx, ky = space[0] / max(1.0, self.space[0]), space[1] / max(1.0, self.space[1])
        return nodes.keys() != self.nodes.keys() or any(
            abs(nodes[k][0] - w * kx) > 0.5 or abs(nodes[k][1] - h * ky) > 0.5
            for k, (w, h) in self.nodes.items()
        )


def shares_in(text: str) -> Shares | None:
    """The shares that a layout in ImGui's form tells, None where it has no dock space."""
    space = _SPACE.search(text)
    if space is None:
        return None
    nodes = {int(n, 16): (float(w), float(h)) for n, w, h in _NODE.findall(text)}
    return Shares((float(space[3]), float(space[4])), nodes)


def with_shares(text: str, shares: Shares) -> str:
    """A layout in ImGui's form with these shares in place of those of the window's present size."""

    def node(found: re.Match[str]) -> str:
        size = shares.nodes.get(int(found[1], 16))
        if size is None:
            return found[0]
        head = found[0].rpartition("SizeRef=")[0]
        return f"{head}SizeRef={max(1, round(size[0]))},{max(1, round(size[1]))}"

    width, height = (max(1, round(side)) for side in shares.space)
    text = _SPACE.sub(lambda found: f"{found[1]}0,0 Size={width},{height}", text)
    return _NODE.sub(node, text)


def is_narrow(width: float) -> bool:
    """Whether a dock space has room for one column only, by the scale of its text."""
    return bool(LEFT * width < LEAST_COLUMN * imgui.get_style().font_scale_main)


def bottom_share(height: float) -> float:
    """What share of a dock space's height its bottom takes, by the scale of its text."""
    least = LEAST_BOTTOM * imgui.get_style().font_scale_main
    return next((share for share in BOTTOMS if share * height >= least), BOTTOMS[-1])


def place_in(place: str, *, narrow: bool) -> str:
    """Where a panel of a place stands: where there is one column, all of both stand in it."""
    return place.replace("left", "right") if narrow else place


def build(
    space: tuple[float, float], panels: Iterable[tuple[str, str]], *, narrow: bool, bottom: float
) -> Shares:
    """Divide the dock space anew and dock the panels (title and place) in it; how it was divided.

    ``bottom`` is the share of its height that those at the bottom take.
    """
    by_place: dict[str, list[str]] = {}
    for title, place in panels:
        by_place.setdefault(place_in(place, narrow=narrow), []).append(title)
    share = ONLY if narrow else RIGHT
    builder = imgui.internal
    builder.dock_builder_remove_node(DOCK_SPACE)
    builder.dock_builder_add_node(DOCK_SPACE, builder.DockNodeFlagsPrivate_.dock_space)
    builder.dock_builder_set_node_size(DOCK_SPACE, imgui.ImVec2(*space))
    made: list[int] = []

    def split(node: int, side: imgui.Dir, share: float) -> tuple[int, int]:
        _, at_side, rest = builder.dock_builder_split_node_py(node, side, share)
        made.extend((at_side, rest))
        return at_side, rest

    middle = DOCK_SPACE
    columns = {}
    right = [place for place in ROWS if place.startswith("right") and place in by_place]
    left = [place for place in ROWS if place.startswith("left") and place in by_place]
    if right:
        columns["right"], middle = split(middle, imgui.Dir.right, share)
    if left:
        columns["left"], middle = split(middle, imgui.Dir.left, LEFT / (1.0 - (share if right else 0.0)))
    if "bottom" in by_place:
        node, middle = split(middle, imgui.Dir.down, bottom)
        _dock(node, by_place["bottom"])
    for side, places in (("left", left), ("right", right)):
        for number, place in enumerate(places):
            node = columns[side]
            if number + 1 < len(places):
                row = ROWS[place] / sum(ROWS[p] for p in places[number:])
                node, columns[side] = split(node, imgui.Dir.up, row)
            _dock(node, by_place[place])
    builder.dock_builder_finish(DOCK_SPACE)
    return Shares(space, _sizes(made))


def _dock(node: int, titles: Sequence[str]) -> None:
    for title in titles:
        imgui.internal.dock_builder_dock_window(title, node)


def submit(*, keep_only: bool = False) -> None:
    """Let ImGui lay the dock space out over the window's working area; or only keep it, unseen."""
    flags = int(_FLAGS)
    if keep_only:
        flags |= imgui.DockNodeFlags_.keep_alive_only  # beside the others: else it would hide the picture
    imgui.dock_space_over_viewport(DOCK_SPACE, imgui.get_main_viewport(), flags)


def central() -> Rect | None:
    """The middle of the dock space, None where ImGui has none or a panel lies in it."""
    root = imgui.internal.dock_builder_get_node(DOCK_SPACE)
    node = root.central_node if root is not None else None
    if node is None or node.windows.size() > 0:
        return None
    return Rect(round(node.pos.x), round(node.pos.y), round(node.size.x), round(node.size.y))


def sizes_of(dock_ids: Iterable[int]) -> Sizes:
    """The reference sizes of nodes, of the middle and of all that they are parts of."""
    nodes: Sizes = {}
    root = imgui.internal.dock_builder_get_node(DOCK_SPACE)
    starts = [imgui.internal.dock_builder_get_node(number) for number in dock_ids if number]
    for node in [*starts, root.central_node if root is not None else None]:
        while node is not None and node.parent_node is not None and node.id_ not in nodes:
            nodes[node.id_] = (node.size_ref.x, node.size_ref.y)
            node = node.parent_node
    return nodes


def is_in_dock_space(dock_id: int) -> bool:
    """Whether a node is part of the dock space, and not of a window that floats."""
    node = imgui.internal.dock_builder_get_node(dock_id)
    return node is not None and imgui.internal.dock_node_get_root_node(node).id_ == DOCK_SPACE


def _sizes(numbers: Iterable[int]) -> Sizes:
    nodes = ((number, imgui.internal.dock_builder_get_node(number)) for number in numbers)
    return {number: (node.size_ref.x, node.size_ref.y) for number, node in nodes if node is not None}

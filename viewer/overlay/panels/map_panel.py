"""Map: the plan of a slice of heights around the body, and zoomed out the whole world."""

from __future__ import annotations

import math
from typing import Any

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, Widgets, beside, button, rest, scaled, short, tip
from viewer.report.map_report import MapReport
from viewer.report.picture_report import PictureReport

WORLD = 255 * 192.0  # metres of the world on a side
BACK, LINE = imgui.IM_COL32(13, 16, 22, 255), imgui.IM_COL32(90, 96, 110, 255)
CURRENT, VISIBLE = imgui.IM_COL32(90, 200, 110, 90), imgui.IM_COL32(80, 140, 220, 90)
SELECTED, SHELL = imgui.IM_COL32(255, 217, 51, 255), imgui.IM_COL32(150, 110, 70, 160)
BODY, EYE = imgui.IM_COL32(255, 90, 80, 255), imgui.IM_COL32(255, 255, 255, 230)
GRID = imgui.IM_COL32(255, 255, 255, 28)
LEGEND = "red: you; orange: a solid door, blue: one that lets bodies pass; white: what Inspect shows"
GRID_FROM = 12.0  # pixels of a landblock from which its border is drawn
MARK = 4.0  # pixels of a mark's radius at scale 1
CELL_NAMES = 14.0  # pixels of a metre from which cells are named


def draw_map(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """Buttons, and the map: wheel and dragging move it, a click selects, a double click goes there.

    A right click asks why the cell there is seen or not; so does the button once a cell is selected.
    """
    shown = report.asked.map
    questions = actions.questions
    if button("up", "map up", widgets, action="map_up", small=True):
        questions.raise_map(3.0)
    tip("the cells 3 m higher")
    beside(scaled(40.0))
    if button("down", "map down", widgets, action="map_down", small=True):
        questions.raise_map(-3.0)
    tip("the cells 3 m lower")
    beside(scaled(40.0))
    if button("here", "map here", widgets, action="map_here", small=True):
        questions.center_map()
    tip("follow the body again")
    beside(scaled(40.0))
    if button("world", "map world", widgets, action="map_world", small=True):
        questions.show_world()
    tip("the whole world: 255 by 255 landblocks")
    selected = report.listing.selected
    if selected:
        beside(scaled(70.0))
        if button(f"why {short(selected)}", "map why", widgets, action="why", small=True):
            questions.ask_why(selected)
        tip(f"why {hex_id(selected)}, which is selected, is seen or not")
    if shown is not None:
        if shown.has_cells:
            heights = f"{shown.heights[0]:.0f} to {shown.heights[1]:.0f} m"
            beside(imgui.calc_text_size(heights).x)
            imgui.text(heights)
            tip("the slice of heights whose cells are drawn")
        if shown.trouble:
            imgui.text_colored(AMBER, shown.trouble)
        elif 0.0 < shown.share < 1.0:
            imgui.progress_bar(shown.share, imgui.ImVec2(-1.0, 0.0), "drawing the world")
    size = imgui.ImVec2(max(20.0, imgui.get_content_region_avail().x), rest(8.0).y)
    at = imgui.get_cursor_screen_pos()
    imgui.invisible_button("map", size)
    imgui.set_item_key_owner(imgui.Key.mouse_wheel_y)  # where the panel is scrolled, the map is zoomed
    widgets.mark("map")
    questions.look_at_map((size.x, size.y))
    if shown is None:
        return
    paper = _Paper(shown, at, size)
    paper.draw()
    _hands(paper, actions)


def _hands(paper: _Paper, actions: OverlayActions) -> None:
    """What the mouse does on the map."""
    questions, io = actions.questions, imgui.get_io()
    if imgui.is_item_hovered():
        place = paper.place(io.mouse_pos.x, io.mouse_pos.y)
        if io.mouse_wheel:
            questions.zoom_map(io.mouse_wheel, place)
        if imgui.is_mouse_double_clicked(0):
            questions.go_on_map(place)
        elif imgui.is_mouse_released(0) and imgui.get_mouse_drag_delta(0).x == 0.0:
            cell = questions.cell_on_map(place)
            if cell:
                actions.select(cell)
        elif imgui.is_mouse_clicked(1):
            cell = questions.cell_on_map(place)
            if cell:
                questions.ask_why(cell)
        elif not imgui.is_mouse_down(0):
            tip(paper.words(place, questions.cell_on_map(place)))
    if imgui.is_item_active() and imgui.is_mouse_dragging(0):
        questions.drag_map(io.mouse_delta.x, io.mouse_delta.y)


class _Paper:
    """A map on a piece of the screen."""

    def __init__(self, shown: MapReport, at: imgui.ImVec2, size: imgui.ImVec2) -> None:
        self._shown = shown
        self._at, self._size = at, size
        self._x = at.x + size.x / 2.0 - shown.middle[0] * shown.scale
        self._y = at.y + size.y / 2.0 + shown.middle[1] * shown.scale

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place of the world under a pixel."""
        k = self._shown.scale
        return (x - self._x) / k, (self._y - y) / k

    def words(self, place: tuple[float, float], cell: int) -> str:
        """What lies at a place, and what the mouse does there."""
        east, north = (math.floor(side / 192.0) for side in place)
        if not (0 <= east < 255 and 0 <= north < 255):
            return "beyond the world's border"
        lines = [f"landblock {hex_id(east << 24 | north << 16)}", "double click: go there"]
        found = next((c for c in self._shown.cells if c.cell == cell), None)
        if found is not None:
            is_so = "you are in it" if found.is_current else "visible" if found.is_visible else "not visible"
            lines = [f"cell {hex_id(cell)}: {is_so}", "click: select it", "right click: why", *lines[1:]]
        return "\n".join([*self._named(place), *lines, "wheel: nearer and farther, drag: move", LEGEND])

    def _named(self, place: tuple[float, float]) -> list[str]:
        """What the marks at a place stand for."""
        reach = scaled(MARK) / self._shown.scale
        return [mark.name for mark in self._shown.marks if mark.name and math.dist(mark.at, place) <= reach]

    def _on(self, p: tuple[float, float]) -> imgui.ImVec2:
        k = self._shown.scale
        return imgui.ImVec2(self._x + p[0] * k, self._y - p[1] * k)

    def draw(self) -> None:
        """Draw all of it."""
        shown, lines = self._shown, imgui.get_window_draw_list()
        low, high = self._at, imgui.ImVec2(self._at.x + self._size.x, self._at.y + self._size.y)
        lines.push_clip_rect(low, high, intersect_with_current_clip_rect=True)
        lines.add_rect_filled(low, high, BACK)
        if shown.texture:
            picture = imgui.ImTextureRef(shown.texture)
            lines.add_image(
                picture,
                self._on((0.0, WORLD)),
                self._on((WORLD, 0.0)),
                imgui.ImVec2(0, 1),
                imgui.ImVec2(1, 0),
            )
        self._grid(lines)
        for outline in shown.buildings:
            border: list[Any] = [self._on(p) for p in outline]
            lines.add_polyline(border, SHELL, 2.0, imgui.ImDrawFlags_.closed)
        for cell in shown.cells:
            points: list[Any] = [self._on(p) for p in cell.outline]
            if cell.is_current or cell.is_visible:
                lines.add_convex_poly_filled(points, CURRENT if cell.is_current else VISIBLE)
            width = 2.0 if cell.is_selected else 1.0
            color = SELECTED if cell.is_selected else LINE
            lines.add_polyline(points, color, width, imgui.ImDrawFlags_.closed)
            if shown.scale >= CELL_NAMES and points:
                x, y = sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points)
                name = short(cell.cell)
                half = imgui.calc_text_size(name)
                lines.add_text(imgui.ImVec2(x - half.x / 2.0, y - half.y / 2.0), EYE, name)
        for mark in shown.marks:
            lines.add_circle_filled(self._on(mark.at), scaled(MARK), imgui.IM_COL32(*mark.color, 255))
        self._body(lines)
        lines.pop_clip_rect()

    def _grid(self, lines: imgui.ImDrawList) -> None:
        """The world's border, and those of landblocks where they are large enough."""
        lines.add_rect(self._on((0.0, WORLD)), self._on((WORLD, 0.0)), LINE)
        side = 192.0 * self._shown.scale
        if side < GRID_FROM:
            return
        west, north = self.place(self._at.x, self._at.y)
        east, south = self.place(self._at.x + self._size.x, self._at.y + self._size.y)
        for k in range(max(0, math.floor(west / 192.0)), min(255, math.ceil(east / 192.0)) + 1):
            lines.add_line(self._on((k * 192.0, south)), self._on((k * 192.0, north)), GRID)
        for k in range(max(0, math.floor(south / 192.0)), min(255, math.ceil(north / 192.0)) + 1):
            lines.add_line(self._on((west, k * 192.0)), self._on((east, k * 192.0)), GRID)

    def _body(self, lines: imgui.ImDrawList) -> None:
        """The body, and from the eye the way one looks."""
        shown = self._shown
        lines.add_circle_filled(self._on(shown.body), max(scaled(3.0), 0.48 * shown.scale), BODY)
        eye, far = self._on(shown.eye), scaled(22.0)
        for turn in (-35.0, 35.0):
            a = math.radians(shown.heading + turn)
            lines.add_line(eye, imgui.ImVec2(eye.x + far * math.sin(a), eye.y - far * math.cos(a)), EYE)

"""The window: lets time pass for the walk, draws the frame and the overlay over it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine.visibility.picture_view import PictureView
from viewer.overlay.boxes import draw_cross_hair, draw_lines
from viewer.overlay.card import FirstCard
from viewer.overlay.dock.layout import PanelLayout
from viewer.overlay.dock.layout_file import LayoutFile
from viewer.overlay.host import OverlayHost
from viewer.overlay.menu import draw_menu
from viewer.overlay.panel_kit import Widgets
from viewer.overlay.panel_table import PANELS, draw_panels
from viewer.overlay.recovery import recovered
from viewer.overlay.rect import Rect
from viewer.overlay.still_panels import begin_panels
from viewer.picture.split_view import pane_size
from viewer.renderer.gl.canvas import Canvas
from viewer.tables.keys import first_steps, key_rows
from viewer.tables.option_values import PICTURE_SIDES
from viewer.tables.settings import UI_SCALES
from viewer.terminal import say
from viewer.window.controls import Controls
from viewer.window.deeds import Deeds
from viewer.window.display.lost_window import tell_of_loss
from viewer.window.display.open_window import pyglet_window, show_closed
from viewer.window.display.unheard import given_time
from viewer.window.frame_cap import FrameCap
from viewer.window.guard import Guard
from viewer.window.message import Message
from viewer.window.open_boxes import Boxes
from viewer.window.parts import Parts
from viewer.window.sharing.clipboard import open_clipboard
from viewer.window.sharing.movie import Movie
from viewer.window.sharing.pictures import Pictures
from viewer.window.sharing.x11_drops import take_drops
from viewer.window.user_files.key_file import key_file, load_keys, settings_folder
from viewer.window.user_files.window_place import PlaceFile, WindowPlace
from viewer.window.walking.walk import Walk
from viewer.window.walking.walk_words import WalkWords

LONGEST_FRAME = 0.25

Result = TypeVar("Result")
DrawScene = Callable[[PictureView, Any, tuple[int, int]], None]
"""Draws a frame of the walk onto a framebuffer of a size in pixels."""


class App:
    """One window on one walk; ``draw_scene`` draws the frames, ``told`` is said of the world on the card."""

    def __init__(
        self,
        window: Any,
        walk: Walk,
        draw_scene: DrawScene,
        place_file: PlaceFile | None = None,
        *,
        told: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.place_file = place_file or PlaceFile(None)
        self.window = window
        self.walk = walk
        self._draw_scene = draw_scene
        self.picture = Rect(0, 0, *window.size)
        self._canvas = Canvas(window.ctx, window.buffer_size, PICTURE_SIDES[1])  # a command draws it again
        self.keys, complaints = load_keys(key_file())
        walk.keys = self.keys
        for line in complaints:
            say(line)
        folder = settings_folder()
        self.layout_file = LayoutFile(None if folder is None else folder / "layout.ini")
        if self.layout_file.complaint:
            say(self.layout_file.complaint)
        walk.text_scale = self._ui_scale()
        self.overlay, self.layout = self._begin_panels()
        self.clipboard = open_clipboard(pyglet_window(window))
        self.overlay.use_clipboard(self.clipboard.get, self.clipboard.put)
        self.panels_shown = True
        self.message = Message(walk.questions.log.add, holding=walk.travel.holds)
        self.pictures = Pictures(self.message.say)
        self.movie = Movie(walk.travel, self.message.say, walk.keep_going, lambda: walk.goes)
        self.boxes = Boxes(self._leave)
        self.boxes.card = FirstCard(first_steps(self.keys), told)
        self._leaves = self._is_lost = False
        tell_of_loss(pyglet_window(window), self._lose)
        self._cap = FrameCap()
        self._guard = Guard(self.message.say, say)
        self.controls = Controls(
            window,
            walk,
            self.overlay,
            self.boxes,
            keys=self.keys,
            do=self._do,
            say=self.message.say,
            guard=self._guard,
        )
        self.words = WalkWords(walk, self.keys, lambda: self.controls.mouse_caught)
        parts = Parts(
            window=window,
            walk=walk,
            canvas=self._canvas,
            keys=self.keys,
            overlay=self.overlay,
            layout=self.layout,
            clipboard=self.clipboard,
            message=self.message,
            pictures=self.pictures,
            boxes=self.boxes,
            controls=self.controls,
            movie=self.movie,
        )
        self.deeds = Deeds(parts, self._toggle_panels)
        window.files_dropped_event_func = self._guard.around("what was dropped", self._drop)
        self._serve_drops = take_drops(pyglet_window(window), partial(self._drop, 0, 0))
        self.controls.catch_mouse(caught=True)

    def run(self) -> None:
        """Run until the window is closed."""
        last = time.perf_counter()
        is_broken_off = True
        try:
            while not self.window.is_closing and not self._leaves:
                now = time.perf_counter()
                self._frame(now - last)
                last = now
                self.window.swap_buffers()
                self._cap.wait(self.walk.settings.number("max_fps"))
            is_broken_off = False
        finally:
            with given_time():
                self._keep_layout()
                self._keep_settings()
            if self.movie.is_under_way:
                say("there is no film: the window was closed before it was done, and nothing of it is kept")
            if not self._is_lost:
                self._keep_place()  # of which the display is asked: it may never answer
            self._guard("the folder", self.deeds.dats.close)
            self.overlay.close()
            self.clipboard.close()
            if not self._is_lost:
                self.window.close()
                show_closed(pyglet_window(self.window))
            self.window.destroy()
            self.walk.close(by_error=is_broken_off)  # at last: a pipe's reader may let it wait

    def _begin_panels(self) -> tuple[OverlayHost, PanelLayout]:
        """The panels where they were left, or where they first stood if they can't stand there."""
        window, scale = self.window, self.walk.text_scale
        try:
            return begin_panels(self.layout_file.saved, scale, window.size, window.pixel_ratio)
        except RuntimeError:
            say(self.layout_file.refuse())
            return begin_panels(self.layout_file.saved, scale, window.size, window.pixel_ratio)

    def _drop(self, _x: int, _y: int, paths: Sequence[str]) -> None:
        if not paths:
            self.message.say("what was dropped is no file or folder of this machine")
        for path in paths[:1]:
            self.deeds.drop(Path(path))

    def _toggle_panels(self) -> None:
        self.panels_shown = not self.panels_shown

    def _leave(self) -> None:
        self._leaves = True  # once the frame is drawn: it needs the window

    def _lose(self) -> None:
        self._leaves = self._is_lost = True
        say("the window is gone: another program destroyed it")

    def _do(self, name: str) -> None:
        self.deeds.do(name)

    # -- what is kept

    def _keep_place(self) -> None:
        """Keep where the window is and how large; not where it fills the screen."""
        window = pyglet_window(self.window)
        if not window.fullscreen:
            place = WindowPlace(*window.get_location(), *window.get_size())
            if complaint := self.place_file.keep(place):
                say(complaint)

    def _keep_settings(self) -> str:
        """Keep what was changed, at the end also what a mouse button still held changes; what went wrong."""
        settings = self.walk.settings
        complaint = settings.keep() if settings.is_unsaved else ""
        if complaint:
            say(complaint)
        return complaint

    def _keep_layout(self) -> None:
        self.layout.changed = False
        complaint = self.layout_file.keep(self.layout.text(self.overlay.layout()) + self.layout.front_text())
        if complaint:
            say(complaint)

    def _ui_scale(self) -> float:
        """The scale that is set, else the monitor's, as far as the framebuffer does not scale already."""
        monitor = getattr(pyglet_window(self.window), "dpi", 96) / 96.0 / self.window.pixel_ratio
        return self.walk.settings.number("ui_scale", min(UI_SCALES[1], max(1.0, monitor)))

    def _use_settings(self) -> None:
        """Let what was changed in a panel count, and keep it."""
        settings = self.walk.settings
        if settings.is_unsaved and not self.overlay.mouse_is_down:
            self.walk.text_scale = self._ui_scale()
            self.overlay.rescale(self.walk.text_scale)
            pyglet_window(self.window).set_vsync(bool(settings["vsync"]))
            if complaint := self._keep_settings():
                self.message.say(complaint)

    # -- a frame

    def _frame(self, seconds: float) -> None:
        guard = self._guard
        guard("what was announced", self.deeds.announced.begin_frame)
        guard("the clipboard", self.clipboard.serve)
        guard("what was dropped", self._serve_drops)
        self.walk.questions.times.note(seconds, self.walk.timings)
        seconds = min(seconds, LONGEST_FRAME)
        guard("a setting", self._use_settings)
        guard("the controls", partial(self.controls.begin_frame, seconds))
        if guard("the tick", partial(self.walk.advance, seconds, self.controls.movement())):
            self.controls.ticked()
        if self.walk.notice:
            self.message.say(self.walk.notice)
            self.walk.notice = ""
        guard("the way", self.deeds.look_at_way)
        with self.overlay.frame(self.window.size, seconds, self.window.pixel_ratio):
            self._draw(seconds)
        self._show()
        self.walk.pointer = None if self.controls.mouse_caught else self.controls.pointer
        guard("the report", self.walk.end_frame)
        guard("the controls", self.controls.end_frame)
        if (self.overlay.layout_changed() or self.layout.changed) and not self.overlay.mouse_is_down:
            guard("keeping the layout", self._keep_layout)

    def _draw(self, seconds: float) -> None:
        """Draw the picture onto its canvas and build the panels around it."""
        self.picture = self._part("the menu", self._lay_out) or self.picture
        self.walk.picture = self.picture
        size = self._canvas.resize(self.picture.in_pixels(self.window.pixel_ratio).size)
        self._guard("the picture", partial(self._draw_picture, size, seconds))
        drawn = time.perf_counter()
        self._guard("saving the picture", partial(self.pictures.take_picture, self._canvas))
        self._guard("saving the film", partial(self.movie.take, self._canvas.image))
        self._draw_overlay()
        self.walk.timings["overlay"] = 1000.0 * (time.perf_counter() - drawn)

    def _part(self, what: str, draw: Callable[[], Result]) -> Result | None:
        """Draw a part of menu, panels and boxes; where it fails all others are drawn."""
        return self._guard(what, partial(recovered, draw))

    def _draw_picture(self, size: tuple[int, int], seconds: float) -> None:
        picture = self.walk.look_out(pane_size(size, split=self._is_split), seconds)
        start = time.perf_counter()
        self._draw_scene(picture, self._canvas.fbo, size)
        self.walk.timings["draw"] = 1000.0 * (time.perf_counter() - start)

    def _lay_out(self) -> Rect:
        """Begin menu and panels; where they leave room for the picture."""
        size = self.window.size
        for title in self.walk.questions.shown_panels():
            self.layout.show(title)
        self.panels_shown = self.panels_shown or self.layout.is_asked_for
        self.layout.is_asked_for = False
        if not self.panels_shown:
            self.layout.hide()
            self.walk.widgets = {}
            return Rect(0, 0, *size)
        self.walk.widgets = draw_menu(
            self.layout,
            PANELS,
            self.keys,
            run=self._do,
            words=self.words.state(),
            bookmarks=self.deeds.bookmark_entries,
        )
        return self.layout.begin(size, PANELS)

    def _show(self) -> None:
        """Copy picture and panels into the window, and into a picture of both where that is asked for."""
        self.window.use()
        self._compose(self.window.fbo, self.window.buffer_size[1])
        self._guard("saving the picture", partial(self.pictures.take_window, self._canvas_of_both))
        self.window.use()

    def _canvas_of_both(self) -> Canvas:
        both = Canvas(self.window.ctx, self.window.buffer_size)
        both.fbo.use()
        self._compose(both.fbo, both.size[1])
        return both

    def _compose(self, onto: Any, height: int) -> None:
        onto.clear()
        at = self.picture.in_pixels(self.window.pixel_ratio)
        self._canvas.blit_to(onto.glo, at.left, height - at.top - at.height)
        self.overlay.paint()

    def _draw_overlay(self) -> None:
        self.walk.light_up(0)  # a list says so again as long as the pointer is on it
        if self.panels_shown:
            self._part("the panels", self._draw_panels)
        if self.controls.mouse_caught:
            pane = pane_size(self.picture.size, split=self._is_split)
            self._part("the cross-hair", partial(draw_cross_hair, self.picture.left, self.picture.top, pane))
        self._part("a box", self._draw_boxes)
        for name in self.walk.taken_wishes():
            self._do(name)
        self._guard("the folder", self.deeds.dats.look)
        self._part("the caption", self._draw_lines)

    def _draw_panels(self) -> None:
        self.walk.widgets |= draw_panels(
            self.walk.report(),
            self.walk,
            self.window.size,
            self.layout,
            tells_widgets=self.walk.tells_widgets,
        )

    def _draw_boxes(self) -> None:
        widgets, rows = Widgets(), key_rows(self.keys)
        self.boxes.draw(
            self.window.size,
            rows,
            self.deeds.go_from_box,
            self.deeds.entries,
            picture=self.picture,
            widgets=widgets,
            part=self._part,
        )
        self.walk.widgets |= widgets.places

    def _draw_lines(self) -> None:
        hint = "" if self.boxes.card.is_open else self.words.hint()  # the card tells of keys
        draw_lines(self.picture, self.words.banner(), self.message.shown or hint)

    @property
    def _is_split(self) -> bool:
        return "split" in self.walk.modes

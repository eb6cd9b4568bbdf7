"""The window: routes keys, mouse and time to the walk, draws the frame and the overlay over it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from engine.dat.hex_id import hex_id
from engine.physics.simulation.movement import MovementInput
from engine.visibility.frame_view import FrameView
from engine.world.location import parse_location
from viewer.errors import UserError
from viewer.overlay.boxes import LeaveBox, TeleportBox, draw_cross_hair, draw_lines
from viewer.overlay.host import OverlayHost
from viewer.overlay.layout import PanelLayout
from viewer.overlay.layout_file import LayoutFile
from viewer.overlay.menu import draw_menu
from viewer.overlay.palette import Entry, KeyHelp, Palette
from viewer.overlay.panel_kit import Widgets
from viewer.overlay.panels import PANELS, draw_panels
from viewer.overlay.rect import Rect
from viewer.overlay.still_panels import FRAMES, rehearse
from viewer.picture.picture_file import write_picture
from viewer.picture.split_view import pane_size
from viewer.renderer.gl.canvas import Canvas
from viewer.tables.key_names import MODIFIERS, Key
from viewer.tables.keys import ACTIONS, key_rows
from viewer.tables.modes import MODES, key_name
from viewer.tables.settings import UI_SCALES
from viewer.terminal import say
from viewer.window.clipboard import open_clipboard
from viewer.window.copied_command import left_out, render_command
from viewer.window.input import Keyboard
from viewer.window.key_events import KeyReader, forget_keys
from viewer.window.key_file import key_file, load_keys
from viewer.window.trouble import window_trouble
from viewer.window.walk import Walk
from viewer.window.window_place import PlaceFile, WindowPlace

DEGREES_PER_PIXEL = 0.15
KEY_LOOK_SPEED = 60.0
LONGEST_FRAME = 0.25
JUMP_CHARGE_SECONDS = 1.0
MESSAGE_SECONDS = 5.0
PLACES_KEPT = 10  # that were left by a jump, for the palette
FRAMES_TO_SETTLE = 2  # after the pointer was set to the middle, until its motion is the user's again
HINT = (("help", "keys"), ("mouse", "mouse"), ("panels", "panels"), ("use", "use"), ("person", "person"))

DrawScene = Callable[[FrameView, Any, tuple[int, int]], None]
"""Draws a frame of the walk onto a framebuffer of a size in pixels."""


def open_window(size: tuple[int, int], vsync: bool = True, saved: WindowPlace | None = None) -> Any:
    """A moderngl-window window with an OpenGL 3.3 context that is current; where it was ``saved``, if it was.

    Raises UserError where there is no display or no OpenGL 3.3.
    """
    try:
        from moderngl_window import activate_context
        from moderngl_window.context.pyglet import Window

        window = Window(title="Holtwalk", size=size, gl_version=(3, 3), resizable=True, vsync=vsync)
    except Exception as error:
        raise UserError(f"no window can be opened here: {window_trouble(error)}") from error
    window.exit_key = None
    window.fullscreen_key = None
    activate_context(window=window)
    if saved is not None:
        screen = window._window.screen
        place = saved.on_screen(screen.width, screen.height)
        window._window.set_location(place.left, place.top)
    return window


def is_place(text: str) -> bool:
    """Whether a text is a location as the game prints it."""
    try:
        parse_location(text)
    except ValueError:
        return False
    return True


class App:
    """One window on one walk; ``draw_scene`` draws the frames."""

    def __init__(
        self, window: Any, walk: Walk, draw_scene: DrawScene, place_file: PlaceFile | None = None
    ) -> None:
        self.place_file = place_file or PlaceFile(None)
        self.window = window
        self.walk = walk
        self._draw_scene = draw_scene
        self.picture = Rect(0, 0, *window.size)
        self._canvas = Canvas(window.ctx, window.buffer_size)
        self._key_reader = KeyReader(window._window)
        self.keys, complaints = load_keys(key_file())
        for line in complaints:
            say(line)
        self.keyboard = Keyboard(self.keys)
        folder = key_file().parent
        self.layout_file = LayoutFile(folder / "layout.ini" if folder.is_dir() else None)
        if self.layout_file.complaint:
            say(self.layout_file.complaint)
        self.overlay = OverlayHost(self.layout_file.saved.rest, self._ui_scale())
        self.clipboard = open_clipboard(window._window)
        self.overlay.use_clipboard(self.clipboard.get, self.clipboard.put)
        self.layout = PanelLayout(self.layout_file.saved)
        self.teleport = TeleportBox()
        self.leave = LeaveBox()
        self.panels_shown = True
        self.key_help = KeyHelp()
        self.palette = Palette()
        self.places: list[str] = []
        self.mouse_caught = False
        self._clicked = False
        self._saves_picture = self._saves_window = False
        self._leaves = False
        self._settling = 0
        self._jump_since: float | None = None
        self._jump: float | None = None
        self._message = ("", 0.0)
        self._actions: dict[str, Callable[[], None]] = {
            "use": self._use_under_cross_hair,
            "person": walk.camera.toggle,
            "zoom_in": lambda: walk.camera.zoom(1),
            "zoom_out": lambda: walk.camera.zoom(-1),
            "fly": walk.toggle_flight,
            "pause": walk.toggle_pause,
            "step": self._step,
            "day": lambda: self._say(walk.clock.change_rate()),
            "modes_off": walk.modes_off,
            "mouse": lambda: self._catch_mouse(not self.mouse_caught),
            "teleport": self._open_teleport,
            "copy_place": self._copy_place,
            "copy_command": self._copy_command,
            "screenshot": self._ask_for_picture,
            "screenshot_panels": self._ask_for_window,
            "help": self._toggle_keys,
            "palette": self._open_palette,
            "full_screen": self._toggle_full_screen,
            "panels": self._toggle_panels,
            "reset_panels": self.layout.reset,
            "quit": self._free_or_ask,
            "jump": self._charge_jump,
            **{f"draw-{mode.name}": partial(walk.switch_mode, mode.name) for mode in MODES},
            **{f"draw-{mode.name}-back": partial(walk.switch_mode, mode.name, -1) for mode in MODES},
        }
        self._connect()
        self._catch_mouse(True)
        for _ in range(FRAMES):  # so that the first picture has its place
            self.overlay.begin(window.size, 0.0, window.pixel_ratio)
            rehearse(self.layout, window.size)
            self.overlay.finish()

    def run(self) -> None:
        """Run until the window is closed."""
        last = time.perf_counter()
        try:
            while not self.window.is_closing and not self._leaves:
                now = time.perf_counter()
                self._frame(min(now - last, LONGEST_FRAME))
                last = now
                self.window.swap_buffers()
        finally:
            self._keep_layout()
            self._keep_place()
            self.overlay.close()
            self.clipboard.close()
            self.walk.close()
            if not self.window.is_closing:
                self.window.close()
            self.window.destroy()

    def _keep_place(self) -> None:
        """Keep where the window is and how large; not where it fills the screen."""
        window = self.window._window
        if not window.fullscreen:
            place = WindowPlace(*window.get_location(), *window.get_size())
            if complaint := self.place_file.keep(place):
                say(complaint)

    def _ui_scale(self) -> float:
        """The scale that is set, else the monitor's, as far as the framebuffer does not scale already."""
        monitor = getattr(self.window._window, "dpi", 96) / 96.0 / self.window.pixel_ratio
        return self.walk.settings.number("ui_scale", min(UI_SCALES[1], max(1.0, monitor)))

    def _use_settings(self) -> None:
        """Let what was changed in a panel count, and keep it."""
        settings = self.walk.settings
        if settings.is_unsaved and not self.overlay.mouse_is_down:
            self.overlay.rescale(self._ui_scale())
            self.window._window.set_vsync(bool(settings["vsync"]))
            if complaint := settings.keep():
                say(complaint)

    def _frame(self, seconds: float) -> None:
        self.clipboard.serve()
        self._use_settings()
        if self._settling > 1:
            self._settling -= 1
        self._look_by_keys(seconds)
        if self.walk.advance(seconds, self._controls()):
            self._jump = None
        if self.walk.notice:
            self._say(self.walk.notice)
            self.walk.notice = ""
        self.overlay.begin(self.window.size, seconds, self.window.pixel_ratio)
        try:
            self._draw(seconds)
        finally:
            self.overlay.finish()
        self._show()
        if self._clicked and not self.overlay.wants_mouse and not self._asks:
            self._catch_mouse(True)
        self._clicked = False
        if (self.overlay.layout_changed() or self.layout.changed) and not self.overlay.mouse_is_down:
            self._keep_layout()

    def _draw(self, seconds: float) -> None:
        """Draw the picture onto its canvas and build the panels around it."""
        self.picture = self._lay_out()
        self.walk.picture = self.picture
        size = self.picture.in_pixels(self.window.pixel_ratio).size
        self._canvas.resize(size)
        frame = self.walk.look_out(pane_size(size, self._is_split), seconds)
        start = time.perf_counter()
        self._draw_scene(frame, self._canvas.fbo, size)
        drawn = time.perf_counter()
        if self._saves_picture:
            self._saves_picture = False
            self._save_picture(self._canvas)
        self._draw_overlay()
        self.walk.timings["draw"] = 1000.0 * (drawn - start)
        self.walk.timings["overlay"] = 1000.0 * (time.perf_counter() - drawn)

    def _lay_out(self) -> Rect:
        """Begin menu and panels; where they leave room for the picture."""
        size = self.window.size
        if not self.panels_shown:
            self.layout.hide()
            self.walk.widgets = {}
            return Rect(0, 0, *size)
        self.walk.widgets = draw_menu(self.layout, PANELS, self.keys, self._do, self._state_words())
        return self.layout.begin(size, PANELS)

    def _show(self) -> None:
        """Copy picture and panels into the window, and into a picture of both where that is asked for."""
        self.window.use()
        self._compose(self.window.fbo, self.window.buffer_size[1])
        if self._saves_window:
            self._saves_window = False
            both = Canvas(self.window.ctx, self.window.buffer_size)
            try:
                both.fbo.use()
                self._compose(both.fbo, both.size[1])
                self._save_picture(both)
            finally:
                both.release()
            self.window.use()

    def _compose(self, onto: Any, height: int) -> None:
        onto.clear()
        at = self.picture.in_pixels(self.window.pixel_ratio)
        self._canvas.blit_to(onto.glo, at.left, height - at.top - at.height)
        self.overlay.paint()

    def _state_words(self) -> str:
        seen = self.walk.seen
        cells = "" if seen is None else f"  ·  root {hex_id(seen.root)}  ·  {len(seen.cells)} cells"
        return f"{self.walk.location()}{cells}"

    def _controls(self) -> MovementInput:
        held = self.keyboard.held
        return MovementInput(
            forward=held("forward") - held("back"),
            side=held("right") - held("left"),
            turn=held("turn_right") - held("turn_left"),
            run=not held("walk"),
            jump=self._jump,
        )

    def _look_by_keys(self, seconds: float) -> None:
        held = self.keyboard.held
        tilt = held("look_up") - held("look_down")
        if tilt:
            self.walk.turn(0.0, KEY_LOOK_SPEED * tilt * seconds)
        self.walk.rise = held("fly_up") - held("fly_down")

    def _draw_overlay(self) -> None:
        size = self.window.size
        widgets = Widgets()
        self.walk.light_up(0)  # a list says so again as long as the pointer is on it
        if self.panels_shown:
            self.walk.widgets |= draw_panels(self.walk.report(), self.walk, size, self.layout)
        self.key_help.draw(size, key_rows(self.keys), widgets.mark)
        if self.mouse_caught:
            draw_cross_hair(self.picture.left, self.picture.top, pane_size(self.picture.size, self._is_split))
        self.teleport.draw(size, self._go)
        self.palette.draw(size, self._entries, widgets.mark)
        self.walk.widgets |= widgets.places
        self.leave.draw(size, self._leave)
        message, until = self._message
        hint = message if time.perf_counter() < until else self._hint()
        draw_lines(self.picture, self._banner(), hint)

    @property
    def _asks(self) -> bool:
        """Whether a box is open that takes the keyboard."""
        return self.teleport.is_open or self.leave.is_open or self.palette.is_open

    def _keep_layout(self) -> None:
        self.layout.changed = False
        complaint = self.layout_file.keep(self.layout.text(self.overlay.layout()))
        if complaint:
            say(complaint)

    @property
    def _is_split(self) -> bool:
        return "split" in self.walk.modes

    def _banner(self) -> str:
        words = []
        if self.walk.destination is not None:
            words.append(f"ON THE WAY TO {self.walk.destination[0]}")
        if self.walk.paused:
            words.append("PAUSED")
        return "   ".join(words)

    def _hint(self) -> str:
        return "    ".join(f"{key_name(self.keys[name])} {text}" for name, text in HINT if self.keys[name])

    def _say(self, text: str) -> None:
        self._message = (text, time.perf_counter() + MESSAGE_SECONDS)

    # -- what keys and clicks set off

    def _step(self) -> None:
        if self.walk.step(self._controls()):
            self._jump = None

    def _use_under_cross_hair(self) -> None:
        self._say(self.walk.use_seen())

    def _charge_jump(self) -> None:
        self._jump_since = time.perf_counter()

    def _release_jump(self) -> None:
        if self._jump_since is not None:
            held = time.perf_counter() - self._jump_since
            self._jump = min(1.0, max(0.05, held / JUMP_CHARGE_SECONDS))
            self._jump_since = None

    def _open_teleport(self) -> None:
        self._catch_mouse(False)
        self.keyboard.clear()
        self.teleport.open(self.walk.location())

    def _open_palette(self) -> None:
        self._catch_mouse(False)
        self.keyboard.clear()
        self.palette.open()

    def _entries(self, text: str) -> list[Entry]:
        """Everything that the palette can do: actions and modes, panels, places been at and one typed."""
        entries = [
            Entry(f"{a.group}: {a.help}", key_name(self.keys[a.name]), partial(self._do, a.name))
            for a in ACTIONS
            if not a.held and a.name != "palette"
        ]
        entries += [Entry(f"Panel: {p.title}", "", partial(self.layout.show, p.title)) for p in PANELS]
        places = [*self.places, *([text] if is_place(text) else [])]
        return entries + [Entry(f"Go: {place}", "", partial(self._go_and_say, place)) for place in places]

    def _go_and_say(self, place: str) -> None:
        if complaint := self._go(place):
            self._say(complaint)

    def _toggle_full_screen(self) -> None:
        window, caught = self.window._window, self.mouse_caught
        self._catch_mouse(False)
        window.set_fullscreen(not window.fullscreen)
        self.keyboard.clear()  # it is another window, which is not told what is let go
        forget_keys(window)
        self._catch_mouse(caught)

    def _go(self, text: str) -> str:
        left = self.walk.location()
        complaint = self.walk.teleport(text)
        if not complaint:
            self.places = [left, *(place for place in self.places if place != left)][:PLACES_KEPT]
            self._catch_mouse(True)
        return complaint

    def _copy_place(self) -> None:
        self._copy(self.walk.location(), self.walk.location())

    def _copy_command(self) -> None:
        command = render_command(self.walk, self._canvas.size)
        without = left_out(self.walk)
        self._copy(command, "the command that draws this picture" + (f", {without}" if without else ""))

    def _copy(self, text: str, called: str) -> None:
        """Put a line on the clipboard, and print it: not every desktop hands the clipboard on."""
        copied = self.clipboard.put(text)
        print(text, flush=True)
        how = "copied and printed" if copied else "the clipboard takes nothing; printed"
        self._say(f"{how}: {called}")

    def _ask_for_picture(self) -> None:
        self._saves_picture = True

    def _ask_for_window(self) -> None:
        self._saves_window = True

    def _save_picture(self, canvas: Canvas) -> None:
        """Save what a canvas of our own holds: of the window nobody knows what other windows hide."""
        image = canvas.image()
        folder = platformdirs.user_pictures_path()
        name = f"holtwalk-{datetime.now():%Y%m%d-%H%M%S-%f}.png"
        path = (folder if folder.is_dir() else Path.cwd()) / name
        try:
            write_picture(image, path)
        except OSError as error:
            self._say(f"{path}: {error.strerror}")
        else:
            self._say(f"saved {path}")

    def _toggle_keys(self) -> None:
        self.key_help.is_open = not self.key_help.is_open
        if self.key_help.is_open:
            self._catch_mouse(False)

    def _toggle_panels(self) -> None:
        self.panels_shown = not self.panels_shown

    def _leave(self) -> None:
        self._leaves = True  # once the frame is drawn: it needs the window

    def _free_or_ask(self) -> None:
        if self.mouse_caught:
            self._catch_mouse(False)
        else:
            self.keyboard.clear()
            self.leave.open()

    def _catch_mouse(self, caught: bool) -> None:
        self.mouse_caught = caught
        self.window.mouse_exclusivity = caught
        if caught:
            self.overlay.mouse_leave()
            self._settling = FRAMES_TO_SETTLE

    # -- events

    def _connect(self) -> None:
        window = self.window
        window.key_event_func = self._on_key
        window.unicode_char_entered_func = self._on_text
        window.mouse_position_event_func = self._on_mouse
        window.mouse_drag_event_func = self._on_mouse
        window.mouse_press_event_func = lambda x, y, button: self._on_button(button, True)
        window.mouse_release_event_func = lambda x, y, button: self._on_button(button, False)
        window.mouse_scroll_event_func = self._on_wheel
        window._window.push_handlers(
            on_deactivate=self._on_lost_focus, on_activate=self._on_focus, on_resize=self._on_resize
        )

    def _on_key(self, symbol: int | None, action: str, modifiers: Any) -> None:
        key = self._key_reader.key(symbol)
        down = action == self.window.keys.ACTION_PRESS
        self.overlay.modifiers(modifiers.shift, modifiers.ctrl, modifiers.alt)
        self.overlay.key(key, down)
        if not down:
            if "jump" in self.keyboard.release(key):
                self._release_jump()
            return
        if self.leave.is_open:
            self.leave.press(key, self._leave)
            return
        if self.overlay.wants_keyboard or self._asks:
            return
        self._press(key, bool(modifiers.ctrl))

    def _press(self, key: Key, ctrl: bool) -> None:
        for name in self.keyboard.press(key, ctrl):
            self._do(name)
        if not self.keyboard.is_bound(key, ctrl) and key.symbol not in MODIFIERS:
            self._say(f"nothing is bound to {key_name(key.shown)}: keys.toml can bind it as {key.shown}")

    def _do(self, name: str) -> None:
        """Do an action by its name; held ones are not done but looked at."""
        if name not in self._actions:
            return
        try:
            self._actions[name]()
        except Exception as error:  # the walk goes on, whatever one key finds
            self._say(f"{name} failed: {error or type(error).__name__}")
            say(f"{name} failed: {error or type(error).__name__}")

    def _on_text(self, characters: str) -> None:
        if not self.mouse_caught:
            self.overlay.text(characters)

    def _on_mouse(self, x: int, y: int, dx: int, dy: int) -> None:
        if self._settling and self.mouse_caught:
            if self._settling == 1:
                self._settling = 0
        elif self.mouse_caught:
            settings = self.walk.settings
            degrees = DEGREES_PER_PIXEL * settings.number("mouse_speed", 1.0)
            self.walk.turn(degrees * dx, degrees * (dy if settings["mouse_inverted"] else -dy))
        else:
            self.overlay.mouse_move(x, y)

    def _on_button(self, button: int, down: bool) -> None:
        if not self.mouse_caught:
            self.overlay.mouse_button(button, down)
            self._clicked = self._clicked or down
        elif down and button == 1:
            self._use_under_cross_hair()

    def _on_wheel(self, x: float, y: float) -> None:
        if self.mouse_caught:
            if y:
                self.walk.camera.zoom(1 if y > 0 else -1)
        else:
            self.overlay.wheel(x, y)

    def _on_lost_focus(self) -> None:
        self.keyboard.clear()
        forget_keys(self.window._window)
        self.overlay.focus(False)

    def _on_focus(self) -> None:
        self.overlay.focus(True)
        self._settling = FRAMES_TO_SETTLE

    def _on_resize(self, width: int, height: int) -> None:
        if self.mouse_caught:  # anew, in the new middle
            self.window.mouse_exclusivity = False
            self._catch_mouse(True)

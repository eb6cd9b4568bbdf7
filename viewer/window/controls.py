"""Keys and mouse: events of the window in, movement, looks and actions out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from engine.physics.simulation.movement import MovementInput
from viewer.interrupts import held_back
from viewer.overlay.host import OverlayHost
from viewer.tables.key_names import MODIFIERS, Key
from viewer.tables.modes import key_name
from viewer.window.display.open_window import pyglet_window
from viewer.window.display.refused_window import made_or_refused
from viewer.window.guard import Guard
from viewer.window.input import Keyboard
from viewer.window.key_events import KeyReader, forget_keys
from viewer.window.open_boxes import Boxes
from viewer.window.walking.walk import Walk

DEGREES_PER_PIXEL = 0.15
KEY_LOOK_SPEED = 60.0
JUMP_CHARGE_SECONDS = 1.0
ENTER: Final = frozenset(("ENTER", "NUMPAD_ENTER"))
FRAMES_TO_SETTLE = 2  # after the pointer was set to the middle, until its motion is the user's again


class Controls:
    """The window's keys and mouse, on a walk and the panels over it.

    ``do`` does an action by its name, ``say`` shows a line, ``guard`` takes what fails.
    """

    def __init__(
        self, window: Any, walk: Walk, overlay: OverlayHost, boxes: Boxes, *, keys: Mapping[str, str],
        do: Callable[[str], None], say: Callable[[str], None], guard: Guard,
    ) -> None:  # fmt: skip
        self.window = window
        self.walk = walk
        self.overlay = overlay
        self.boxes = boxes
        self.keyboard = Keyboard(keys)
        self.mouse_caught = False
        self.pointer = (0, 0)
        self._do = do
        self._say = say
        self._guard = guard
        self._key_reader = KeyReader(pyglet_window(window))
        self._clicked = False
        self._wants_full_screen = False
        self._settling = 0
        self._jump_since: float | None = None
        self._jump: float | None = None
        self._lent_to_box = False
        self._typed_early: list[Callable[[], None]] = []
        self._entered = False
        self._typed_late: list[tuple[Callable[[], None], str]] = []
        self._down_early: set[str] = set()
        self._down_late: set[str] = set()
        self._opening_types = False
        self._box_had_keys = False
        self._connect()

    # -- what a frame asks

    def movement(self) -> MovementInput:
        """What the keys that are held ask of the next tick."""
        held = self.keyboard.held
        return MovementInput(
            forward=held("forward") - held("back"),
            side=held("right") - held("left"),
            turn=held("turn_right") - held("turn_left"),
            run=not held("walk"),
            jump=self._jump,
        )

    def ticked(self) -> None:
        """A tick has taken the movement: a jump is done once."""
        self._jump = None

    def begin_frame(self, seconds: float) -> None:
        """A frame begins: look by the keys that are held."""
        if self._wants_full_screen:
            self._toggle_full_screen()
        if self._settling > 1:
            self._settling -= 1
        if not (self.mouse_caught or self.boxes.takes_click(*self.pointer)):
            self.overlay.mouse_leave()  # what takes no click looks so
        if not self.boxes.waits:
            early, self._typed_early = self._typed_early, []
            self._down_early.clear()
            for typed in early:
                typed()
        held = self.keyboard.held
        tilt = held("look_up") - held("look_down")
        if tilt:
            self.walk.turn(0.0, KEY_LOOK_SPEED * tilt * seconds)
        self.walk.rise = held("fly_up") - held("fly_down")

    def end_frame(self) -> None:
        """A frame was drawn: a click beside all panels catches the mouse."""
        if self._clicked and self._on_picture and not self.boxes.ask:
            self.catch_mouse(caught=True)
        self._clicked = False
        if not self.boxes.has_mouse:
            self.give_mouse_back()
        self._free_keyboard()
        self._take_late()

    def _free_keyboard(self) -> None:
        """A box that had the keyboard is closed: the next key is the walk's."""
        if self._box_had_keys and not self.boxes.ask:
            self.overlay.free_keyboard()
            if not self.mouse_caught:
                self.overlay.mouse_move(*self.pointer)
        self._box_had_keys = self.boxes.ask

    def _take_late(self) -> None:
        """What came after Enter is for the box, if that is still open, else for the walk."""
        if self._entered and not (self._typed_early or self.overlay.has_unread):
            self._entered = False
            late, self._typed_late = self._typed_late, []
            self._down_late.clear()
            for typed, identity in late:
                self._once_answered(typed, identity)

    def catch_mouse(self, *, caught: bool) -> None:
        """Let the mouse look around, or free it for the panels, which then hold no button down."""
        self.overlay.release_buttons()
        self.mouse_caught, self._lent_to_box = caught, False
        self.window.mouse_exclusivity = caught
        if caught:
            self.overlay.mouse_leave()
            self._settling = FRAMES_TO_SETTLE

    def toggle_mouse(self) -> None:
        """Catch the mouse or free it."""
        self.catch_mouse(caught=not self.mouse_caught)

    def free_for_typing(self) -> None:
        """Something takes the keyboard: no key is held any longer."""
        self.catch_mouse(caught=False)
        self.keyboard.clear()

    def free_for_box(self) -> None:
        """As ``free_for_typing``, until the boxes are closed: then the mouse is as it was."""
        lent = self._lent_to_box or self.mouse_caught
        self.free_for_typing()
        self._lent_to_box = lent

    def give_mouse_back(self) -> None:
        """A box is done: the mouse looks around again where it did before."""
        if self._lent_to_box:
            self.catch_mouse(caught=True)

    def ask_for_full_screen(self) -> None:
        """Fill the screen, or stop, when the next frame begins.

        In the middle of a key's event pyglet would take the key as held in the new window, which is never
        told that it was let go: the next press of it would be lost.
        """
        self._wants_full_screen = not self._wants_full_screen

    def _toggle_full_screen(self) -> None:
        self._wants_full_screen = False
        window, caught = pyglet_window(self.window), self.mouse_caught
        self.catch_mouse(caught=False)
        with held_back(), made_or_refused():  # one that is half made is waited for at the end, without end
            window.set_fullscreen(not window.fullscreen)
        self.keyboard.clear()  # it is another window, which is not told what is let go
        forget_keys(window)
        self.catch_mouse(caught=caught)

    def charge_jump(self) -> None:
        """The jump key went down; how long it is held says how high."""
        self._jump_since = time.perf_counter()

    def _release_jump(self) -> None:
        if self._jump_since is not None:
            held = time.perf_counter() - self._jump_since
            self._jump = min(1.0, max(0.05, held / JUMP_CHARGE_SECONDS))
            self._jump_since = None

    # -- events

    def _connect(self) -> None:
        window = self.window
        around = self._guard.around
        window.key_event_func = around("a key", self._on_key)
        window.unicode_char_entered_func = around("typing", self._on_text)
        window.mouse_position_event_func = around("the mouse", self._on_mouse)
        window.mouse_drag_event_func = around("the mouse", self._on_mouse)
        window.mouse_press_event_func = around("a click", self._on_press)
        window.mouse_release_event_func = around("a click", self._on_release)
        window.mouse_scroll_event_func = around("the wheel", self._on_wheel)
        library = pyglet_window(window)
        library.dispatch_events = around("an event", library.dispatch_events)
        library.push_handlers(
            on_deactivate=around("losing the focus", self._on_lost_focus),
            on_activate=around("getting the focus", self._on_focus),
            on_resize=around("another size", self._on_resize),
        )

    def _on_key(self, symbol: int | None, action: str, modifiers: Any) -> None:
        key = self._key_reader.key(symbol)
        down = action == self.window.keys.ACTION_PRESS
        shift, ctrl, alt = bool(modifiers.shift), bool(modifiers.ctrl), bool(modifiers.alt)
        take = partial(self._take_key, key, down=down, shift=shift, ctrl=ctrl, alt=alt)
        if down or key.identity in self._down_late:
            self._once_answered(take, key.identity)
        else:
            take()  # Enter is let go: held down it would be another

    def _once_answered(self, typed: Callable[[], None], identity: str = "") -> None:
        """Take what was typed; only when a box has done what Enter asked of it, and may be closed."""
        if self._entered:
            self._typed_late.append((typed, identity))
            self._down_late.add(identity)
        else:
            typed()

    def _take_key(self, key: Key, *, down: bool, shift: bool, ctrl: bool, alt: bool) -> None:
        self._opening_types = False
        self._to_overlay(partial(self.overlay.modifiers, shift=shift, ctrl=ctrl, alt=alt))
        if down and (self.boxes.waits or self._typed_early):
            self._down_early.add(key.identity)
        if down or key.identity in self._down_early:
            self._to_overlay(partial(self.overlay.key, key, down=down))
        else:
            self.overlay.key(key, down=False)
        if not down:
            if "jump" in self.keyboard.release(key):
                self._release_jump()
            return
        if "ESCAPE" in key.typed and self.overlay.close_menus():
            return
        if self.boxes.press(key, ctrl=ctrl):
            self._free_keyboard()
            return
        if self.overlay.wants_keyboard or self.boxes.ask:
            self._entered = self.boxes.ask and not ENTER.isdisjoint(key.typed)
            if self.boxes.key_help.is_open and _types_nothing(key):
                self._do_one("help", key, ctrl=ctrl)
            return
        self._press(key, ctrl=ctrl)
        self._opening_types = self.boxes.waits

    def _to_overlay(self, typed: Callable[[], None]) -> None:
        """Hand on what was typed; only when the box that was opened for it can take it."""
        if self.boxes.waits or self._typed_early:
            self._typed_early.append(typed)
        else:
            typed()

    def _do_one(self, name: str, key: Key, *, ctrl: bool) -> None:
        """Do one action where that is the key's."""
        if name in self.keyboard.names(key, ctrl=ctrl):
            self._do(name)

    def _press(self, key: Key, *, ctrl: bool) -> None:
        for name in self.keyboard.press(key, ctrl=ctrl):
            if name != "quit" or not (self.overlay.close_menus() or self.boxes.close_top()):
                self._do(name)
        if not self.keyboard.is_bound(key, ctrl=ctrl) and key.symbol not in MODIFIERS:
            name = f"CTRL+{key.shown}" if ctrl else key.shown
            self._say(f"nothing is bound to {key_name(name)}: keys.toml can bind it as {name}")

    def _on_text(self, characters: str) -> None:
        self._once_answered(partial(self._take_text, characters))

    def _take_text(self, characters: str) -> None:
        if not self.mouse_caught and not self._opening_types:
            self._to_overlay(partial(self.overlay.text, characters))
        self._opening_types = False

    def _on_mouse(self, x: int, y: int, dx: int, dy: int) -> None:
        if self._settling and self.mouse_caught:
            if self._settling == 1:
                self._settling = 0
        elif self.mouse_caught:
            settings = self.walk.settings
            degrees = DEGREES_PER_PIXEL * settings.number("mouse_speed", 1.0)
            self.walk.turn(degrees * dx, degrees * (dy if settings["mouse_inverted"] else -dy))
        else:
            width, height = self.window.size  # the library counts the lowest row as one below the window
            self.pointer = (max(0, min(x, width - 1)), max(0, min(y, height - 1)))
            self.overlay.mouse_move(*self.pointer)

    def _on_press(self, _x: int, _y: int, button: int) -> None:
        if not self.boxes.takes_click(*self.pointer):
            return
        if button == 1 and self.window.modifiers.alt and (self.mouse_caught or self._on_picture):
            if not self.boxes.ask:
                self._do("inspect")
        elif not self.mouse_caught:
            self.overlay.mouse_button(button, down=True)
            self._clicked = True
        elif button == 1:
            self._do("use")

    def _on_release(self, _x: int, _y: int, button: int) -> None:
        self.overlay.mouse_button(button, down=False)  # whatever became of its press

    @property
    def _on_picture(self) -> bool:
        """Whether the pointer is on the picture: on no panel, and on no border beside them."""
        left, top, width, height = self.walk.picture
        x, y = self.pointer
        is_there = left <= x < left + width and top <= y < top + height
        return is_there and not self.overlay.wants_mouse

    def _on_wheel(self, x: float, y: float) -> None:
        if self.mouse_caught:
            if y:
                self._do("zoom_in" if y > 0 else "zoom_out")
        elif self.boxes.takes_click(*self.pointer):
            self.overlay.wheel(x, y)

    def _on_lost_focus(self) -> None:
        self.keyboard.clear()
        self._down_late.clear()
        self._typed_late.clear()  # nobody tells when those keys are let go
        forget_keys(pyglet_window(self.window))
        self.overlay.focus(focused=False)

    def _on_focus(self) -> None:
        self.overlay.focus(focused=True)
        self._settling = FRAMES_TO_SETTLE

    def _on_resize(self, *_size: int) -> None:
        if self.mouse_caught:  # anew, in the new middle
            self.window.mouse_exclusivity = False
            self.catch_mouse(caught=True)


def _types_nothing(key: Key) -> bool:
    """Whether it is a function key, which no line of text takes."""
    return key.symbol[:1] == "F" and key.symbol[1:].isdigit()

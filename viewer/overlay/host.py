"""Dear ImGui with its compiled OpenGL backend, fed by plain events: no window library is needed.

All calls of imgui-bundle are in this package; its names change between minor releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from imgui_bundle import imgui, implot

from viewer.interrupts import held_back
from viewer.overlay.style import dress, load_font
from viewer.tables.key_names import Key

_KEYS = {
    "TAB": imgui.Key.tab,
    "LEFT": imgui.Key.left_arrow,
    "RIGHT": imgui.Key.right_arrow,
    "UP": imgui.Key.up_arrow,
    "DOWN": imgui.Key.down_arrow,
    "PAGE_UP": imgui.Key.page_up,
    "PAGE_DOWN": imgui.Key.page_down,
    "HOME": imgui.Key.home,
    "END": imgui.Key.end,
    "INSERT": imgui.Key.insert,
    "DELETE": imgui.Key.delete,
    "BACKSPACE": imgui.Key.backspace,
    "SPACE": imgui.Key.space,
    "ENTER": imgui.Key.enter,
    "NUMPAD_ENTER": imgui.Key.keypad_enter,
    "ESCAPE": imgui.Key.escape,
    "LEFT_SHIFT": imgui.Key.left_shift,
    "RIGHT_SHIFT": imgui.Key.right_shift,
    "A": imgui.Key.a,
    "C": imgui.Key.c,
    "V": imgui.Key.v,
    "X": imgui.Key.x,
    "Y": imgui.Key.y,
    "Z": imgui.Key.z,
}
_MOUSE_BUTTONS = {1: 0, 2: 1, 3: 2}


class OverlayHost:
    """One ImGui context on the current GL context.

    Coordinates are window pixels, y down. ``layout`` is what ImGui kept of its windows' places, in its form;
    ``scale`` that of text and all else. Raises MissingResourceError.
    """

    def __init__(self, layout: str = "", scale: float = 1.0) -> None:
        self._context = imgui.create_context()
        self._plots = implot.create_context()
        imgui.set_current_context(self._context)  # one that failed may be there still
        implot.set_current_context(self._plots)
        self._closes_menus = False
        io = imgui.get_io()
        io.set_ini_filename(None)
        imgui.load_ini_settings_from_memory(layout)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.config_debug_highlight_id_conflicts = False
        load_font()
        dress(scale)
        imgui.backends.opengl3_init("#version 330")

    def draw(
        self, size: tuple[int, int], seconds: float, content: Callable[[], object], pixel_ratio: float = 1.0
    ) -> None:
        """Build one frame of panels with ``content`` and draw it into the bound framebuffer."""
        with self.frame(size, seconds, pixel_ratio):
            content()
        self.paint()

    @contextmanager
    def frame(self, size: tuple[int, int], seconds: float, pixel_ratio: float = 1.0) -> Iterator[None]:
        """Within, build a frame of panels in a window of a size; interrupts wait for its end.

        They would leave windows and tables open, which ImGui doesn't bear.
        """
        with held_back():
            self.begin(size, seconds, pixel_ratio)
            try:
                yield
            finally:
                self.finish()

    def begin(self, size: tuple[int, int], seconds: float, pixel_ratio: float = 1.0) -> None:
        """Begin a frame of panels in a window of a size."""
        imgui.set_current_context(self._context)
        implot.set_current_context(self._plots)
        io = imgui.get_io()
        io.display_size = imgui.ImVec2(*size)
        io.display_framebuffer_scale = imgui.ImVec2(pixel_ratio, pixel_ratio)
        io.delta_time = max(seconds, 1e-4)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        if self._closes_menus:
            self._closes_menus = False
            if self.has_menu:
                imgui.internal.close_popup_to_level(0, restore_focus_to_window_under_popup=True)

    def finish(self) -> None:
        """End the frame; ``paint`` draws it."""
        imgui.set_current_context(self._context)
        imgui.render()

    def paint(self) -> None:
        """Draw the last frame into the bound framebuffer; as often as is wanted."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    def rescale(self, scale: float) -> None:
        """Show text and all else at another scale from the next frame on."""
        imgui.set_current_context(self._context)
        dress(scale)

    @property
    def wants_mouse(self) -> bool:
        """Whether the pointer is over a panel."""
        return bool(imgui.get_io().want_capture_mouse)

    @property
    def mouse_is_down(self) -> bool:
        """Whether something may be under way with the left button."""
        return imgui.is_mouse_down(0)

    @property
    def wants_keyboard(self) -> bool:
        """Whether a text box has the keyboard."""
        return bool(imgui.get_io().want_text_input) and imgui.internal.get_active_id() != 0

    @property
    def has_unread(self) -> bool:
        """Whether ImGui has yet to look at something that was typed: it takes a key a frame."""
        return len(imgui.get_current_context().input_events_queue) > 0

    def free_keyboard(self) -> None:
        """Nobody types any longer: a box was closed, which ImGui itself finds out two frames later."""
        imgui.internal.clear_active_id()

    @property
    def has_menu(self) -> bool:
        """Whether a menu or another list that drops down is open."""
        flags = imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level
        return imgui.internal.is_popup_open(0, flags)

    def close_menus(self) -> bool:
        """Close whatever menu is open, when the next frame begins; whether one was."""
        self._closes_menus = self.has_menu
        return self._closes_menus

    def mouse_move(self, x: float, y: float) -> None:
        """The pointer is at a place."""
        imgui.get_io().add_mouse_pos_event(x, y)

    def mouse_leave(self) -> None:
        """The pointer is nowhere: it is caught for looking around."""
        imgui.get_io().add_mouse_pos_event(-1e9, -1e9)

    def mouse_button(self, button: int, *, down: bool) -> None:
        """A mouse button (1 left, 2 right, 3 middle) went down or up."""
        if button in _MOUSE_BUTTONS:
            imgui.get_io().add_mouse_button_event(_MOUSE_BUTTONS[button], down)

    def release_buttons(self) -> None:
        """Every mouse button is up."""
        for button in _MOUSE_BUTTONS:
            self.mouse_button(button, down=False)

    def wheel(self, x: float, y: float) -> None:
        """The wheel turned."""
        imgui.get_io().add_mouse_wheel_event(x, y)

    def key(self, key: Key, *, down: bool) -> None:
        """A key went down or up.

        TAB counts in a text box only: elsewhere ImGui would begin to type into the next slider.
        """
        name = next((name for name in key.typed if name in _KEYS), None)
        if name is not None and (name != "TAB" or not down or self.wants_keyboard):
            imgui.get_io().add_key_event(_KEYS[name], down)

    def modifiers(self, *, shift: bool, ctrl: bool, alt: bool) -> None:
        """Which modifier keys are down."""
        io = imgui.get_io()
        io.add_key_event(imgui.Key.mod_shift, shift)
        io.add_key_event(imgui.Key.mod_ctrl, ctrl)
        io.add_key_event(imgui.Key.mod_alt, alt)

    def text(self, characters: str) -> None:
        """Characters were typed."""
        for character in characters:
            imgui.get_io().add_input_character(ord(character))

    def use_clipboard(self, get: Callable[[], str], put: Callable[[str], object]) -> None:
        """Let text boxes copy to and paste from the window's clipboard."""

        def put_text(_: object, text: str) -> None:
            put(text)

        imgui.set_current_context(self._context)
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: get() or ""
        platform.platform_set_clipboard_text_fn = put_text

    def layout_changed(self) -> bool:
        """Whether ImGui has new places to keep since the last call."""
        io = imgui.get_io()
        changed, io.want_save_ini_settings = bool(io.want_save_ini_settings), False
        return changed

    def layout(self) -> str:
        """What ImGui keeps of its windows' places, in its form."""
        imgui.set_current_context(self._context)
        return imgui.save_ini_settings_to_memory()

    def focus(self, *, focused: bool) -> None:
        """The window gained or lost the focus."""
        imgui.get_io().add_focus_event(focused)

    def close(self) -> None:
        """Give everything back."""
        imgui.set_current_context(self._context)
        imgui.backends.opengl3_shutdown()
        implot.destroy_context(self._plots)
        imgui.destroy_context(self._context)

"""The keyboard of a box: it waits for its line of text, and has the keys as long as one types into it."""

from __future__ import annotations

from imgui_bundle import imgui

FRAMES_TO_ROUTE = 3  # of an active line of text, until ImGui routes shortcuts to it


class BoxFocus:
    """Whether a box's line of text ``waits`` for the keyboard, and ``has`` it or waits for it.

    ImGui gives the keyboard one frame after it was asked, and takes Ctrl+V only some frames later: what is
    typed until then must not be lost.
    """

    def __init__(self) -> None:
        self.waits = False
        self._active_for = 0

    @property
    def has(self) -> bool:
        """Whether keys are for the box."""
        return self.waits or self._active_for > 0

    def want(self) -> None:
        """Let the line have the keyboard."""
        self.waits = True

    def ask(self) -> None:
        """Before the line is drawn: ask for the keyboard where it is wanted."""
        if self.waits and not self._active_for:
            imgui.set_keyboard_focus_here()

    def look(self) -> None:
        """After the line is drawn: see whether it has the keyboard."""
        self._active_for = self._active_for + 1 if imgui.is_item_active() else 0
        if self._active_for >= FRAMES_TO_ROUTE:
            self.waits = False

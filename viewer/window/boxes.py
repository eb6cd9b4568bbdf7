"""The boxes that lie over everything: teleport, palette, keys and the question whether to leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.overlay.boxes import DumpsBox, LeaveBox, TeleportBox
from viewer.overlay.palette import Entry, KeyHelp, Palette
from viewer.overlay.panel_kit import Widgets
from viewer.tables.key_names import Key


class Boxes:
    """The boxes, and whether one of them has the keyboard; ``leave`` leaves where that is the answer."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.teleport = TeleportBox()
        self.leave = LeaveBox()
        self.dumps = DumpsBox()
        self.key_help = KeyHelp()
        self.palette = Palette()
        self._leave = leave

    @property
    def ask(self) -> bool:
        """Whether a box is open that takes the keyboard."""
        return any(box.is_open for box in (self.teleport, self.leave, self.palette, self.dumps))

    def press(self, key: Key) -> bool:
        """Give a key that went down to a box that takes every key; whether there was one."""
        if self.leave.is_open:
            self.leave.press(key, self._leave)
        elif self.dumps.is_open:
            self.dumps.press(key)
        else:
            return False
        return True

    def draw(
        self,
        size: tuple[int, int],
        key_rows: Sequence[tuple[str, str, str]],
        go: Callable[[str], str],
        entries: Callable[[str], Sequence[Entry]],
        *,
        widgets: Widgets,
    ) -> None:
        """Draw those that are open."""
        self.key_help.draw(size, key_rows, widgets.mark)
        self.teleport.draw(size, go)
        self.palette.draw(size, entries, widgets.mark)
        self.dumps.draw(size, widgets.mark)
        self.leave.draw(size, self._leave)

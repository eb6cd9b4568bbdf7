"""The boxes that lie over everything: teleport, palette, keys and the question whether to leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.overlay.boxes import DumpsBox, LeaveBox, TeleportBox
from viewer.overlay.card import FirstCard
from viewer.overlay.command_palette import Entry, KeyHelp, Palette
from viewer.overlay.panel_kit import Widgets
from viewer.overlay.rect import Rect
from viewer.tables.key_names import Key


class Boxes:
    """The boxes, and whether one of them has the keyboard; ``leave`` leaves where that is the answer."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.teleport = TeleportBox()
        self.leave = LeaveBox()
        self.dumps = DumpsBox()
        self.card = FirstCard()
        self.key_help = KeyHelp()
        self.palette = Palette()
        self._leave = leave

    @property
    def ask(self) -> bool:
        """Whether a box is open that takes the keyboard."""
        return any(box.is_open for box in (self.teleport, self.leave, self.palette, self.dumps))

    def press(self, key: Key) -> bool:
        """Give a key that went down to the box that takes it first; whether one took it."""
        if self.leave.is_open:
            self.leave.press(key, self._leave)
        elif self.dumps.is_open:
            self.dumps.press(key)
        elif self.card.is_open and not self.ask:
            return self.card.press(key)
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
        picture: Rect,
        widgets: Widgets,
    ) -> None:
        """Draw those that are open; the card over the picture."""
        self.card.draw(picture, size, widgets.mark)
        self.key_help.draw(size, key_rows, widgets.mark)
        self.teleport.draw(size, go)
        self.palette.draw(size, entries, widgets.mark)
        self.dumps.draw(size, widgets.mark)
        self.leave.draw(size, self._leave)

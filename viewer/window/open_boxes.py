"""The boxes that lie over everything: teleport, palette, keys and the question whether to leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

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
        boxes = (self.teleport, self.leave, self.palette, self.dumps)
        return any(box.is_open for box in boxes) or self.key_help.has_keyboard

    @property
    def has_mouse(self) -> bool:
        """Whether a box is open that needs the mouse free."""
        return self.ask or self.key_help.is_open

    @property
    def waits(self) -> bool:
        """Whether a box is open whose line of text has yet to get the keyboard."""
        return any(box.is_open and box.focus.waits for box in (self.teleport, self.palette, self.key_help))

    def close_top(self) -> bool:
        """Close the topmost box but the card; whether there was one."""
        for box in (self.leave, self.dumps, self.palette, self.teleport, self.key_help):
            if box.is_open:
                box.is_open = False
                return True
        return False

    def takes_click(self, x: float, y: float) -> bool:
        """Whether a click at a place of the window comes to anything: beside an open question it does not."""
        return all(box.holds(x, y) for box in (self.leave, self.dumps) if box.is_open)

    def press(self, key: Key, *, ctrl: bool = False) -> bool:
        """Give a key that went down to the box that takes it first; whether one took it."""
        if self.leave.is_open:
            return self.leave.press(key, self._leave)
        if self.dumps.is_open:
            return self.dumps.press(key, ctrl=ctrl)
        if "ESCAPE" in key.typed and self.close_top():
            return True
        return self.card.is_open and not self.ask and self.card.press(key)

    def draw(
        self,
        size: tuple[int, int],
        key_rows: Sequence[tuple[str, str, str]],
        go: Callable[[str], str],
        entries: Callable[[str], Sequence[Entry]],
        *,
        picture: Rect,
        widgets: Widgets,
        part: Callable[[str, Callable[[], None]], object],
    ) -> None:
        """Draw those that are open, the card over the picture; ``part`` draws one, whatever it does."""
        mark = widgets.mark
        part("a box", partial(self.card.draw, picture, size, mark))
        part("a box", partial(self.key_help.draw, size, key_rows, mark))
        part("a box", partial(self.teleport.draw, size, go))
        part("a box", partial(self.palette.draw, size, entries, mark))
        part("a box", partial(self.dumps.draw, size, mark))
        part("a box", partial(self.leave.draw, size, self._leave))

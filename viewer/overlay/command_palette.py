"""The command palette: everything that can be done, found by typing some of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from imgui_bundle import imgui

from viewer.overlay.box_focus import BoxFocus
from viewer.overlay.panel_kit import scaled
from viewer.overlay.recovery import in_window
from viewer.report.wanted_words import wanted_words

MOST = 200  # rows that are shown at once
UNSAID = str.maketrans(dict.fromkeys("?!'\N{RIGHT SINGLE QUOTATION MARK}"))


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to do: what it is, the key that does it as well, and how to do it.

    ``title`` is what it is called, where the text goes on to describe it; ``also`` are words that are not
    shown and find it all the same. A ``mode`` of drawing comes after whatever is found as well.
    """

    text: str
    key: str
    run: Callable[[], object]
    title: str = ""
    also: str = ""
    mode: bool = False


def found(entries: Sequence[Entry], wanted: str) -> list[Entry]:
    """The entries in which all words of a text stand, by what they are called before how they are described.

    First come those that begin with it, then those in whose title its words begin words, then those where
    that is so of all that they say, and last those with its words anywhere, those not shown included.
    """
    typed = _plain(wanted)
    words = wanted_words(typed)
    begins = [re.compile(rf"(?<![a-z0-9]){re.escape(word)}") for word in words]
    ranked = [(rank, entry.mode, entry) for entry in entries if (rank := _rank(entry, typed, words, begins))]
    return [entry for _, _, entry in sorted(ranked, key=lambda one: one[:2])]


def _rank(entry: Entry, typed: str, words: Sequence[str], begins: Sequence[re.Pattern[str]]) -> int:
    """How well an entry is found, 1 the best; 0 where it is not."""
    says = _plain(f"{entry.text} {entry.key}")
    if says.startswith(typed):
        return 1
    if not all(word in says for word in words):
        everything = f"{says} {_plain(entry.also)}"
        if not all(word in everything for word in words):
            return 0
        return 4 if all(begin.search(everything) for begin in begins) else 5
    for rank, text in ((2, _plain(entry.title or entry.text)), (3, says)):
        if all(begin.search(text) for begin in begins):
            return rank
    return 5


def _plain(text: str) -> str:
    """A text as it is compared: in small letters, without what is left out as one types a question."""
    return text.lower().strip().translate(UNSAID)


def _go_to_end(line: imgui.InputTextCallbackData) -> int:
    """Put the cursor behind a text that one goes on with: ImGui selects it, and a letter would replace it."""
    line.clear_selection()
    line.cursor_pos = line.buf_text_len
    return 0


class Palette:
    """The box: it keeps the text that is typed and which row is chosen."""

    def __init__(self) -> None:
        self.text = ""
        self.chosen = 0
        self.is_open = False
        self.focus = BoxFocus()
        self._begun = ""
        self._is_new = False
        self._rows: list[Entry] | None = None  # for the text as it is: thousands of bookmarks take their time

    def open(self, text: str = "") -> None:
        """Show it, empty or with a text that one goes on with."""
        self.text, self.chosen, self.is_open = text, 0, True
        self._is_new = True
        self._begun = text
        self.focus.want()
        self._rows = None

    def draw(
        self,
        size: tuple[int, int],
        entries: Callable[[str], Sequence[Entry]],
        mark: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Draw it; ``entries`` gives all that can be done, once for each text that is typed."""
        if not self.is_open:
            return
        width = min(scaled(620.0), size[0] - 20.0)
        imgui.set_next_window_pos(
            imgui.ImVec2(size[0] / 2, size[1] * 0.12), imgui.Cond_.always, imgui.ImVec2(0.5, 0.0)
        )
        imgui.set_next_window_size(imgui.ImVec2(max(1.0, width), max(1.0, size[1] * 0.6)))
        flags = (
            imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_saved_settings
            | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_resize
        )  # fmt: skip
        run = in_window(self, "What to do", flags, partial(self._content, entries, mark))
        is_left = imgui.is_key_pressed(imgui.Key.escape) and not self._is_new  # before, in a slow frame
        self._is_new = False
        if run is not None or is_left:
            self.is_open = False
        if run is not None:
            run()

    def _content(
        self, entries: Callable[[str], Sequence[Entry]], mark: Callable[[str], None]
    ) -> Callable[[], object] | None:
        self.focus.ask()
        imgui.set_next_item_width(-1.0)
        begins = self._begun == self.text != ""
        typing = imgui.InputTextFlags_.enter_returns_true
        entered, text = imgui.input_text_with_hint(
            "##wanted", "what to do, a mode, a panel, or a place", self.text,
            typing | (imgui.InputTextFlags_.callback_always if begins else 0),
            callback=_go_to_end if begins else None,
        )  # fmt: skip
        self.focus.look()
        if text != self.text:
            self.text, self.chosen, self._rows = text, 0, None
        if self._rows is None:
            self._rows = found(entries(self.text), self.text)
        rows = self._rows
        step = int(imgui.is_key_pressed(imgui.Key.down_arrow)) - int(imgui.is_key_pressed(imgui.Key.up_arrow))
        self.chosen = max(0, min(self.chosen + step, len(rows) - 1))
        if entered and rows:
            return rows[self.chosen].run
        if entered:
            self.focus.want()
        if not rows:
            imgui.text_disabled("nothing that can be done is called so")
            return None
        clicked = None
        keys = max((imgui.calc_text_size(entry.key).x for entry in rows[:MOST]), default=0.0) + scaled(6.0)
        scrolls = not _have_room(rows[:MOST], keys)
        flags = imgui.TableFlags_.row_bg | (imgui.TableFlags_.scroll_y if scrolls else 0)
        if imgui.begin_table("rows" if scrolls else "few rows", 2, flags):  # two: a bar stays for a frame
            imgui.table_setup_column("what", imgui.TableColumnFlags_.width_stretch)
            imgui.table_setup_column("key", imgui.TableColumnFlags_.width_fixed, keys)
            for number, entry in enumerate(rows[:MOST]):
                if self._row(number, entry, mark, scrolls=bool(step)):
                    clicked = entry.run
            imgui.end_table()
        return clicked

    def _row(self, number: int, entry: Entry, mark: Callable[[str], None], *, scrolls: bool) -> bool:
        imgui.table_next_row()
        imgui.table_next_column()
        span = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
        is_chosen = number == self.chosen
        pressed, _ = imgui.selectable(f"##{number}", is_chosen, span)
        mark(f"do {entry.text}")
        if is_chosen and scrolls:
            imgui.set_scroll_here_y()
        imgui.same_line(0.0, 0.0)
        imgui.text_wrapped(entry.text)
        imgui.table_next_column()
        imgui.text_disabled(entry.key)
        return bool(pressed)


def _have_room(rows: Sequence[Entry], keys: float) -> bool:
    """Whether rows with a column of keys so wide stand in what the window has left, wrapped as they are."""
    room = imgui.get_content_region_avail()
    padding = imgui.get_style().cell_padding
    wide = max(1.0, room.x - keys - 4.0 * padding.x)
    height = 0.0
    for entry in rows:
        height += imgui.calc_text_size(entry.text, wrap_width=wide).y + 2.0 * padding.y
        if height > room.y:
            return False
    return True


class KeyHelp:
    """The keys and what they do, wrapped to the window and searched by words."""

    def __init__(self) -> None:
        self.text = ""
        self.is_open = False
        self.focus = BoxFocus()

    def toggle(self) -> None:
        """Open it with the keyboard in its search, or close it."""
        self.is_open = not self.is_open
        if self.is_open:
            self.focus.want()

    @property
    def has_keyboard(self) -> bool:
        """Whether keys are for its search."""
        return self.is_open and self.focus.has

    def draw(
        self,
        size: tuple[int, int],
        rows: Sequence[tuple[str, str, str]],
        mark: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Draw it; rows are group, key and what it does."""
        if not self.is_open:
            return
        imgui.set_next_window_pos(
            imgui.ImVec2(size[0] / 2, size[1] / 2), imgui.Cond_.always, imgui.ImVec2(0.5, 0.5)
        )
        imgui.set_next_window_size(
            imgui.ImVec2(max(1.0, min(scaled(680.0), size[0] * 0.9)), max(1.0, size[1] * 0.85))
        )
        flags = (
            imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_docking
            | imgui.WindowFlags_.no_collapse
        )  # fmt: skip
        in_window(self, "Keys", flags, partial(self._content, rows, mark))

    def _content(self, rows: Sequence[tuple[str, str, str]], mark: Callable[[str], None]) -> None:
        imgui.set_next_item_width(-1.0)
        self.focus.ask()
        _, self.text = imgui.input_text_with_hint("##search", "search: door, ctrl, portal", self.text)
        self.focus.look()
        mark("keys search")
        flags = imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg
        if not imgui.begin_table("keys", 2, flags):
            return
        imgui.table_setup_column("key", imgui.TableColumnFlags_.width_fixed)
        imgui.table_setup_column("does", imgui.TableColumnFlags_.width_stretch)
        group = ""
        for row_group, key, text in matching(rows, self.text):
            if row_group != group:
                group = row_group
                imgui.table_next_row()
                imgui.table_next_column()
                imgui.text_disabled(group)
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text(key)
            imgui.table_next_column()
            imgui.text_wrapped(text)
        imgui.end_table()


def matching(rows: Sequence[tuple[str, str, str]], wanted: str) -> list[tuple[str, str, str]]:
    """The rows in which all words of a text stand."""
    words = wanted_words(wanted)
    return [row for row in rows if all(word in " ".join(row).lower() for word in words)]

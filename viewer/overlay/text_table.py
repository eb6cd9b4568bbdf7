"""A table of texts, as wide as these are; in a narrow panel over several lines."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Final

from imgui_bundle import imgui

from engine.named_tuple import NamedTuple
from viewer.overlay.panel_kit import scaled, text_width

NARROW: Final = 60.0  # pixels at scale 1: a column as wide keeps its texts in one line
NEARLY: Final = 0.6  # of the longest text's letters: shorter ones are not wider than it
KEPT: Final = 64  # tables of which it is known how wide their columns are


def table(
    name: str, titles: Sequence[str], rows: Sequence[Sequence[str]], unsaid: Container[str] = ()
) -> None:
    """A table as wide as its texts; where the panel is narrower its longer texts take several lines.

    Where there is no room for that either each row is written out, titles and all but those ``unsaid``:
    nothing has to be pushed sideways.
    """
    if not rows:
        return
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_h | imgui.TableFlags_.sizing_fixed_fit
    padding = 2.0 * imgui.get_style().cell_padding.x
    columns = _columns(
        tuple(titles),
        tuple(map(tuple, rows)),
        room=imgui.get_content_region_avail().x,
        around=padding + 4.0,
        narrow=scaled(NARROW),
    )
    if columns is None:
        _written_out(titles, rows, unsaid)
        return
    # By its widths: ImGui keeps those that a table of a name had first.
    if imgui.begin_table(f"{name} {columns.name}", len(titles), flags):
        imgui.push_text_wrap_pos(0.0 if columns.is_wrapped else -1.0)
        for title, width in zip(titles, columns.widths, strict=True):
            imgui.table_setup_column(title, imgui.TableColumnFlags_.width_fixed, width - padding)
        imgui.table_headers_row()
        for row in rows:
            imgui.table_next_row()
            for text in row:
                imgui.table_next_column()
                imgui.text(text)
        imgui.pop_text_wrap_pos()
        imgui.end_table()


class _Columns(NamedTuple):
    """How wide a table's columns are, in pixels, and whether any of its texts takes several lines."""

    widths: tuple[float, ...]
    is_wrapped: bool
    name: str
    """Another one for other widths."""


@lru_cache(KEPT)
def _columns(
    titles: tuple[str, ...],
    rows: tuple[tuple[str, ...], ...],
    *,
    room: float,
    around: float,
    narrow: float,
) -> _Columns | None:
    """The columns of a table in so much room, kept from frame to frame; None where they don't fit.

    ``around`` is what a column takes beside its texts, ``narrow`` how wide one is that isn't made narrower:
    at another size of texts another width.
    """
    widths = [_widest(column) + around for column in zip(titles, *rows, strict=True)]
    wrapped: set[int] = set()
    if sum(widths) > room:
        wrapped = {k for k, width in enumerate(widths) if width > narrow}
        left = room - sum(width for k, width in enumerate(widths) if k not in wrapped)
        words = [_longest_word(k, titles, rows) + around for k in range(len(titles))]
        least = {k: max(narrow, words[k]) for k in wrapped}
        if left < sum(least.values()) or not wrapped:
            return None
        more = (left - sum(least.values())) / max(1.0, sum(widths[k] - least[k] for k in wrapped))
        for k in wrapped:
            widths[k] = least[k] + more * (widths[k] - least[k])
    return _Columns(tuple(widths), bool(wrapped), " ".join(f"{width:.0f}" for width in widths))


def _longest_word(column: int, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> float:
    """How wide the widest word is that stands in a column, in pixels."""
    texts = [titles[column], *(row[column] for row in rows)]
    return _widest([word for text in texts for word in text.split()])


def _widest(texts: Sequence[str]) -> float:
    """How wide the widest text is, in pixels: one of the longest, as letters are not all as wide."""
    longest = max(map(len, texts), default=0)
    return max((text_width(text) for text in texts if len(text) >= NEARLY * longest), default=0.0)


def _written_out(titles: Sequence[str], rows: Sequence[Sequence[str]], unsaid: Container[str]) -> None:
    """A table's rows as lines: what stands in the first column, and all else with its title."""
    for first, *others in rows:
        named = zip(titles[1:], others, strict=True)
        said = [text if title in unsaid else f"{title} {text}" for title, text in named if text]
        imgui.text_wrapped(f"{first}: {', '.join(said)}" if said else first)

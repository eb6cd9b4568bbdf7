"""Words as code in Markdown, as both the public host and the site show them."""

from __future__ import annotations


def cell_code(text: str) -> str:
    """Code for a field of a table, where a bar within backticks would end the field."""
    if "|" not in text:
        return f"`{text}`"
    from html import escape  # for the documents alone: every start of the program comes by here

    return f"<code>{escape(text).replace('|', '&#124;')}</code>"

"""Words as code in Markdown, as both the public host and the site show them."""

from __future__ import annotations

from html import escape


def cell_code(text: str) -> str:
    """Code for a field of a table, where a bar within backticks would end the field."""
    if "|" not in text:
        return f"`{text}`"
    return f"<code>{escape(text).replace('|', '&#124;')}</code>"

"""What somebody types to find lines by: words that must all stand in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LONGEST: Final = 400
"""Letters of what is looked for by its words; a whole page, pasted, would be looked for by thousands."""


def wanted_words(text: str) -> Sequence[str]:
    """The words of a text in small letters, each once; all of it as one where it is longer than that."""
    small = text.lower()
    return tuple(dict.fromkeys(small.split())) if len(small) <= LONGEST else (small,)

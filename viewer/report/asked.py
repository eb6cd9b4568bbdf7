"""What was asked of the world, with the answers: the part of the frame report that panels ask for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.visibility.why.answer import WhyAnswer


@dataclass(frozen=True, slots=True)
class AskedReport:
    """Every question that stands, None where nobody asks.

    ``why`` is the answer about a cell, of the frame that is shown; ``why_text`` what is typed into its box
    and ``why_complaint`` why that is no cell.
    """

    why: WhyAnswer | None = None
    why_text: str = ""
    why_complaint: str = ""


NOTHING_ASKED = AskedReport()

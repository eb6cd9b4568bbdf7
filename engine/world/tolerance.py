"""The one length below which the original takes two places for the same (sweep 2.1)."""

from __future__ import annotations

from typing import Final

EPS: Final = 0.0002
"""0.2 mm: as a distance it decides on which side of a plane a point is, as a square what has no length."""

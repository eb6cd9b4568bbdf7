"""What a door can be doing: words that the command line knows without loading the rest of the engine."""

from __future__ import annotations

from enum import Enum


class DoorPhase(Enum):
    """What a door is doing; HELD is shut to the eye but kept passable by who stands in it."""

    CLOSED = "closed"
    OPENING = "opening"
    OPEN = "open"
    CLOSING = "closing"
    HELD = "held"

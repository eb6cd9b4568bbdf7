"""What the window says of its walk in words: in the menu bar, over the picture and below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.dat.hex_id import hex_id
from engine.files.shown import counted
from engine.physics.enums import TICKS_PER_SECOND
from viewer.tables.modes import key_name
from viewer.window.walking.walk import Walk

HINT = (("help", "keys"), ("panels", "panels"), ("use", "use"), ("person", "person"))
HINT_IN_FLIGHT = (*HINT[:2], ("fly", "back to the body"))


class WalkWords:
    """The words for a walk as it is, with the names of the keys that are bound."""

    def __init__(self, walk: Walk, keys: Mapping[str, str], mouse_caught: Callable[[], bool]) -> None:
        self._walk = walk
        self._keys = keys
        self._mouse_caught = mouse_caught

    def state(self) -> tuple[str, ...]:
        """What the menu bar says at its right: all of it, and shorter where there is less room."""
        seen, place = self._walk.seen, self._walk.location()
        where = place[: place.find("]") + 1]
        if seen is None:
            return place, where
        cells = f"  ·  root {hex_id(seen.root)}  ·  {counted(len(seen.cells), 'cell')}"
        mouse = f"  ·  {self._mouse()}" if self._mouse_caught() else ""
        return (
            f"{place}{cells}{mouse}",
            f"{where}{cells}{mouse}",
            f"{place}{cells}",
            f"{where}{cells}",
            cells.strip(" ·"),
            hex_id(seen.root),
        )

    def banner(self) -> str:
        """What is otherwise than usual: where the time is, and what stands still or is held."""
        words = []
        if self._walk.destination is not None:
            words.append(f"ON THE WAY TO {self._walk.destination[0]}")
        if self._walk.player is not None:
            words.append(self._walk.player.words)
        behind = self._walk.history.last - self._walk.history.shown
        if self._walk.travel.playing:
            words.append(f"SHOWING WHAT WAS, {_in_seconds(behind)} to go")
        elif behind:
            key = key_name(self._keys["pause"])
            words.append(f"{_in_seconds(behind)} BACK   {key} goes on from here as a branch")
        elif self._walk.paused:
            words.append("PAUSED")
        if self._walk.locked is not None:
            words.append(f"VISIBLE LIST LOCKED AT {hex_id(self._walk.locked.seen.root)}")
        if self._walk.pace.speed != 1.0:
            words.append(f"TIME AT {self._walk.pace.speed:g}")
        return "   ".join(words)

    def hint(self) -> str:
        """The keys that somebody new needs first."""
        hint = HINT if self._walk.flight is None else HINT_IN_FLIGHT
        said = ((key_name(self._keys[name]), text) for name, text in hint if self._keys[name])
        keys = (f"{key}\N{NO-BREAK SPACE}{text}" for key, text in said)
        return "    ".join((self._mouse(), *keys))

    def _mouse(self) -> str:
        """What the mouse does, and the key that changes it."""
        key = key_name(self._keys["mouse"]) if self._keys["mouse"] else ""
        if self._mouse_caught():
            return "mouse looks around" + (f" ({key} frees it)" if key else "")
        return "mouse is free" + (f" ({key} looks around)" if key else "")


def _in_seconds(ticks: int) -> str:
    """A stretch of ticks as a banner has it."""
    return f"{ticks / TICKS_PER_SECOND:.2f} s ({counted(ticks, 'tick')})"

"""A motion table by style and command: cycles, modifiers and links (motion 1.1, 2.1)."""

from __future__ import annotations

from typing import Final

from engine.dat.records.motion_table import LinkTarget, MotionData, MotionTable

CLEARS, RESTRICTED = 1, 2
_LOW: Final = 0xFFFFFF

Motion = MotionData | LinkTarget


class MotionLookup:
    """The four maps of a table; None where it has nothing."""

    def __init__(self, table: MotionTable) -> None:
        self.table = table
        self.default_style = table.default_style
        self._defaults = {entry.style: entry.substate for entry in table.style_defaults}
        self._cycles = {motion.key: motion for motion in table.cycles}
        self._modifiers = {motion.key: motion for motion in table.modifiers}
        self._links: dict[int, dict[int, Motion]] = {
            link.key: {target.target: target for target in link.targets} for link in table.links
        }

    def style_default(self, style: int) -> int | None:
        """The substate that a style begins with."""
        return self._defaults.get(style)

    def cycle(self, style: int, substate: int) -> MotionData | None:
        """What repeats in a substate; that of the table's default style where the style has none."""
        own = self._cycles.get(key_of(style, substate))
        return own if own is not None else self._cycles.get(key_of(self.default_style, substate))

    def modifier(self, style: int, command: int) -> MotionData | None:
        """What a modifier adds, in its style or in any."""
        own = self._modifiers.get(key_of(style, command))
        return own if own is not None else self._modifiers.get(command & _LOW)

    def link(self, style: int, a: int, sa: float, b: int, *, sb: float) -> Motion | None:
        """What leads from a command at a speed to another: one stored link serves both ways (motion 2.1)."""
        if sa >= 0.0 and sb >= 0.0:
            return self._link(key_of(style, a), b) or self._link(key_of(style, 0), b)
        home = self.style_default(style)
        back = self._link(key_of(style, b), a)
        return back if back is not None or home is None else self._link(key_of(style, a), home)

    def _link(self, start: int, target: int) -> Motion | None:
        return self._links.get(start, {}).get(target)


def key_of(style: int, command: int) -> int:
    """The key of cycles, modifiers and links: the style's class bits drop out."""
    return (style << 16 & 0xFFFFFFFF) | (command & _LOW)

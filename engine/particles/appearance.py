"""How an object looks by what hooks have done to it: ramps, scrolling, turning, its scale (motion 8.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.dat.pieces.hooks import (
    DIFFUSE,
    DIFFUSE_PART,
    LOOK_HOOKS,
    LUMINOUS,
    LUMINOUS_PART,
    NO_DRAW,
    OMEGA,
    SCALE,
    TEXTURE_VELOCITY,
    TEXTURE_VELOCITY_PART,
    TRANSPARENT,
    TRANSPARENT_PART,
    AnimationHook,
)
from engine.dat.values import Quat, Vec3
from engine.named_tuple import NamedTuple
from engine.world.frame import Frame, quat_about, quat_multiply
from engine.world.tolerance import EPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNTURNED: Final[Quat] = (1.0, 0.0, 0.0, 0.0)
_STILL: Final[Vec3] = (0.0, 0.0, 0.0)


class PartLook(NamedTuple):
    """How one part looks: its translucency, 0 opaque to 1 invisible, and what its surfaces have instead.

    ``luminosity`` and ``diffuse`` are None for the surfaces' own; ``shift`` is added to texture coordinates.
    """

    translucency: float = 0.0
    luminosity: float | None = None
    diffuse: float | None = None
    shift: tuple[float, float] = (0.0, 0.0)


AS_IT_IS: Final = PartLook()
_ALL_ALIKE: Final[Mapping[int, PartLook]] = MappingProxyType({})


class Appearance(NamedTuple):
    """How an object looks at a time: ``whole`` in all parts but those of ``parts``, by their numbers.

    ``scale`` is the object's, None for the one it was made with; ``turn`` is added to how it stands.
    """

    whole: PartLook = AS_IT_IS
    parts: Mapping[int, PartLook] = _ALL_ALIKE
    scale: float | None = None
    hidden: bool = False
    turn: Quat = _UNTURNED

    def part(self, number: int) -> PartLook:
        """How a part looks."""
        return self.parts.get(number, self.whole)

    def standing(self, frame: Frame) -> Frame:
        """Where an object that stands in a frame is drawn: the same frame while it does not turn."""
        if self.turn == _UNTURNED:
            return frame
        return Frame(frame.origin, quat_multiply(frame.quat, self.turn))


class _Kind(IntEnum):
    TRANSLUCENCY = 0
    LUMINOSITY = 1
    DIFFUSE = 2


_WHOLE_RAMPS: Final = {
    TRANSPARENT: _Kind.TRANSLUCENCY, LUMINOUS: _Kind.LUMINOSITY, DIFFUSE: _Kind.DIFFUSE,
}  # fmt: skip
_PART_RAMPS: Final = {
    TRANSPARENT_PART: _Kind.TRANSLUCENCY, LUMINOUS_PART: _Kind.LUMINOSITY, DIFFUSE_PART: _Kind.DIFFUSE,
}  # fmt: skip


class Ramp(NamedTuple):
    """A value that goes from ``start`` to ``end`` in ``time`` seconds from ``since`` on, and stays there."""

    start: float
    end: float
    time: float
    since: float

    def at(self, now: float) -> float:
        """The value at a time; one that takes no time is at its end at once."""
        if self.time < EPS:
            return self.end
        return self.start + (self.end - self.start) * min(1.0, max(0.0, (now - self.since) / self.time))


class _Scroll(NamedTuple):
    """Texture coordinates that had been moved by ``shift`` when they took up a velocity, a second."""

    shift: tuple[float, float]
    velocity: tuple[float, float]
    since: float

    def at(self, now: float) -> tuple[float, float]:
        past = max(0.0, now - self.since)
        return (
            (self.shift[0] + self.velocity[0] * past) % 1.0,
            (self.shift[1] + self.velocity[1] * past) % 1.0,
        )


class _Given(NamedTuple):
    """A ramp, and the how manieth hook gave it."""

    ramp: Ramp
    number: int


_Ramps = tuple[_Given | None, _Given | None, _Given | None]
_NO_RAMPS: Final[_Ramps] = (None, None, None)


def _with_ramp(ramps: _Ramps, kind: _Kind, given: _Given) -> _Ramps:
    a, b, c = (given if k is kind else old for k, old in zip(_Kind, ramps, strict=True))
    return (a, b, c)


def _newer(own: _Given | None, whole: _Given | None) -> _Given | None:
    return whole if own is None or (whole is not None and whole.number > own.number) else own


def _look(ramps: _Ramps, shift: tuple[float, float], now: float) -> PartLook:
    translucency, luminosity, diffuse = (None if given is None else given.ramp.at(now) for given in ramps)
    return PartLook(
        translucency=min(1.0, max(0.0, translucency)) if translucency is not None else 0.0,
        luminosity=luminosity,
        diffuse=diffuse,
        shift=shift,
    )


class _PartScrolls:
    """The scrolling of parts that once got a velocity of their own, as columns.

    A velocity of the whole object goes on from where each of them is, so that nothing spares going through
    them; of ten thousand that takes a tenth of a millisecond.
    """

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        self._shifts, self._velocities = np.zeros((1, 2)), np.zeros((1, 2))
        self._since = np.zeros(1)

    def put(self, part: int, scroll: _Scroll) -> None:
        """Give a part its own."""
        row = self.rows.setdefault(part, len(self.rows))
        if row == len(self._since):
            self._shifts, self._velocities = (
                np.concatenate((column, column)) for column in (self._shifts, self._velocities)
            )
            self._since = np.concatenate((self._since, self._since))
        self._shifts[row], self._velocities[row], self._since[row] = scroll

    def get(self, part: int) -> _Scroll | None:
        """A part's own; None for one that goes with the whole object."""
        row = self.rows.get(part)
        if row is None:
            return None
        (u, v), (du, dv) = self._shifts[row].tolist(), self._velocities[row].tolist()
        return _Scroll((u, v), (du, dv), float(self._since[row]))

    def all_take(self, velocity: tuple[float, float], now: float) -> None:
        """Give all of them one velocity."""
        if self.rows:
            self._shifts = self.at(now)
            self._velocities[:] = velocity
            self._since[:] = now

    def at(self, now: float) -> NDArray[np.float64]:
        """How far they have come, to the bit as ``_Scroll.at`` says."""
        with np.errstate(all="ignore"):
            past = now - self._since
            far = self._shifts + self._velocities * np.where(past > 0.0, past, 0.0)[:, None]
            return np.asarray(far - np.floor(far))

    def by_part(self, now: float) -> dict[int, tuple[float, float]]:
        """The same by part."""
        # There is room for more than there are; rows stand in the order of the parts' first hooks.
        placed = zip(self.rows, self.at(now).tolist(), strict=False)
        return {part: (u, v) for part, (u, v) in placed}


class Changing:
    """Takes the hooks of one object as they come due; of two on one target the newer stands.

    ``parts`` is how many it has: hooks of others do nothing. ``scale`` is the one that it was made with.
    """

    def __init__(self, parts: int, scale: float = 1.0) -> None:
        self._count = parts
        self._first_scale = scale
        self._hooks = 0
        self._whole = _NO_RAMPS
        self._whole_scroll: _Scroll | None = None
        self._parts: dict[int, _Ramps] = {}  # of all that once got something of their own
        self._scrolls: _PartScrolls | None = None
        self._scale: Ramp | None = None
        self._hidden = False
        self._turn, self._omega, self._since = _UNTURNED, _STILL, 0.0
        self.is_changed = False
        """Whether a hook has come that changes how the object looks."""

    def run(self, hook: AnimationHook, now: float) -> None:
        """What a hook does at a time (seconds): nothing if of another kind, or if its numbers are none."""
        values: tuple[Any, ...] = hook.values
        if hook.type not in LOOK_HOOKS or not all(math.isfinite(number) for number in _numbers(values)):
            return
        self._hooks += 1
        if hook.type in _WHOLE_RAMPS:
            start, end, time = values
            given = _Given(Ramp(start, end, time, now), self._hooks)
            self._whole = _with_ramp(self._whole, _WHOLE_RAMPS[hook.type], given)
        elif hook.type in _PART_RAMPS:
            part, start, end, time = values
            if part < self._count:
                given = _Given(Ramp(start, end, time, now), self._hooks)
                own = self._parts.get(part, _NO_RAMPS)
                self._parts[part] = _with_ramp(own, _PART_RAMPS[hook.type], given)
        elif hook.type == SCALE:
            end, time = values
            self._scale = Ramp(self._scale_at(now), end, time, now)
        elif hook.type == NO_DRAW:
            self._hidden = bool(values[0])
        elif hook.type == OMEGA:
            self._turn, self._omega, self._since = self._turned_at(now), values[0], now
        elif hook.type == TEXTURE_VELOCITY:
            u, v = values
            self._whole_scroll = _scrolled(self._whole_scroll, (u, v), now)
            if self._scrolls is not None:
                self._scrolls.all_take((u, v), now)
        elif hook.type == TEXTURE_VELOCITY_PART:
            part, u, v = values
            if part < self._count:
                self._scroll_one(part, (u, v), now)
        self.is_changed = True

    def at(self, now: float) -> Appearance:
        """How the object looks at a time, not before the last hook's."""
        return Appearance(
            whole=_look(self._whole, _shift_at(self._whole_scroll, now), now),
            parts=self._parts_at(now) if self._parts else {},
            scale=self._scale_at(now) if self._scale is not None else None,
            hidden=self._hidden,
            turn=self._turned_at(now),
        )

    def _parts_at(self, now: float) -> dict[int, PartLook]:
        """Of two ramps of one kind the newer stands, be it the part's own or the whole object's."""
        shared = _shift_at(self._whole_scroll, now)
        shifts = self._scrolls.by_part(now) if self._scrolls is not None else {}
        out = {}
        for part, own in self._parts.items():
            a, b, c = (_newer(*two) for two in zip(own, self._whole, strict=True))
            out[part] = _look((a, b, c), shifts.get(part, shared), now)
        return out

    def _scroll_one(self, part: int, velocity: tuple[float, float], now: float) -> None:
        if self._scrolls is None:
            self._scrolls = _PartScrolls()
        before = self._scrolls.get(part) or self._whole_scroll
        self._scrolls.put(part, _scrolled(before, velocity, now))
        self._parts.setdefault(part, _NO_RAMPS)

    def _scale_at(self, now: float) -> float:
        return self._scale.at(now) if self._scale is not None else self._first_scale

    def _turned_at(self, now: float) -> Quat:
        """The turn so far: omega is a vector in the object's own axes, radians a second."""
        past = max(0.0, now - self._since)
        x, y, z = self._omega
        if self._omega == _STILL:
            return self._turn
        return quat_multiply(self._turn, quat_about((x * past, y * past, z * past)))


def _shift_at(scroll: _Scroll | None, now: float) -> tuple[float, float]:
    return scroll.at(now) if scroll is not None else (0.0, 0.0)


def _scrolled(scroll: _Scroll | None, velocity: tuple[float, float], now: float) -> _Scroll:
    return _Scroll(_shift_at(scroll, now), velocity, now)


def _numbers(values: tuple[Any, ...]) -> list[float]:
    """The numbers among a hook's values, those of vectors too."""
    out: list[float] = []
    for value in values:
        if isinstance(value, tuple):
            out += value
        elif isinstance(value, int | float):
            out.append(value)
    return out

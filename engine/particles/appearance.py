"""How an object looks by what hooks have done to it: ramps, scrolling, turning, its scale (motion 8.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final

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


class _State(NamedTuple):
    """What goes on in a part, or in all parts that have nothing of their own."""

    ramps: tuple[Ramp | None, Ramp | None, Ramp | None] = (None, None, None)
    scroll: _Scroll | None = None

    def with_ramp(self, kind: _Kind, ramp: Ramp) -> _State:
        a, b, c = (ramp if k is kind else old for k, old in zip(_Kind, self.ramps, strict=True))
        return self._replace(ramps=(a, b, c))

    def scrolled(self, velocity: tuple[float, float], now: float) -> _State:
        shift = self.scroll.at(now) if self.scroll is not None else (0.0, 0.0)
        return self._replace(scroll=_Scroll(shift, velocity, now))

    def at(self, now: float) -> PartLook:
        translucency, luminosity, diffuse = self.ramps
        return PartLook(
            translucency=min(1.0, max(0.0, translucency.at(now))) if translucency is not None else 0.0,
            luminosity=luminosity.at(now) if luminosity is not None else None,
            diffuse=diffuse.at(now) if diffuse is not None else None,
            shift=self.scroll.at(now) if self.scroll is not None else (0.0, 0.0),
        )


class Changing:
    """Takes the hooks of one object as they come due; of two on one target the newer stands.

    ``parts`` is how many it has: hooks of others do nothing. ``scale`` is the one that it was made with.
    """

    def __init__(self, parts: int, scale: float = 1.0) -> None:
        self._count = parts
        self._first_scale = scale
        self._whole = _State()
        self._parts: dict[int, _State] = {}
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
        if hook.type in _WHOLE_RAMPS:
            start, end, time = values
            kind, ramp = _WHOLE_RAMPS[hook.type], Ramp(start, end, time, now)
            self._each(lambda state: state.with_ramp(kind, ramp))
        elif hook.type in _PART_RAMPS:
            part, start, end, time = values
            self._one(part, _PART_RAMPS[hook.type], Ramp(start, end, time, now))
        elif hook.type == SCALE:
            end, time = values
            self._scale = Ramp(self._scale_at(now), end, time, now)
        elif hook.type == NO_DRAW:
            self._hidden = bool(values[0])
        elif hook.type == OMEGA:
            self._turn, self._omega, self._since = self._turned_at(now), values[0], now
        elif hook.type == TEXTURE_VELOCITY:
            self._each(lambda state: state.scrolled(values, now))
        elif hook.type == TEXTURE_VELOCITY_PART:
            part, u, v = values
            if part < self._count:
                self._parts[part] = self._parts.get(part, self._whole).scrolled((u, v), now)
        self.is_changed = True

    def at(self, now: float) -> Appearance:
        """How the object looks at a time, not before the last hook's."""
        return Appearance(
            whole=self._whole.at(now),
            parts={number: state.at(now) for number, state in self._parts.items()},
            scale=self._scale_at(now) if self._scale is not None else None,
            hidden=self._hidden,
            turn=self._turned_at(now),
        )

    def _each(self, changed: Callable[[_State], _State]) -> None:
        self._whole = changed(self._whole)
        self._parts = {number: changed(state) for number, state in self._parts.items()}

    def _one(self, part: int, kind: _Kind, ramp: Ramp) -> None:
        if part < self._count:
            self._parts[part] = self._parts.get(part, self._whole).with_ramp(kind, ramp)

    def _scale_at(self, now: float) -> float:
        return self._scale.at(now) if self._scale is not None else self._first_scale

    def _turned_at(self, now: float) -> Quat:
        """The turn so far: omega is a vector in the object's own axes, radians a second."""
        past = max(0.0, now - self._since)
        x, y, z = self._omega
        if self._omega == _STILL:
            return self._turn
        return quat_multiply(self._turn, quat_about((x * past, y * past, z * past)))


def _numbers(values: tuple[Any, ...]) -> list[float]:
    """The numbers among a hook's values, those of vectors too."""
    out: list[float] = []
    for value in values:
        if isinstance(value, tuple):
            out += value
        elif isinstance(value, int | float):
            out.append(value)
    return out

"""What hangs in the sky at a moment: sun, moon, stars, clouds and weather (light 6.4, particles 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.dat.records.region_sky import DayGroup, SkyObject, SkyObjectReplace
from engine.dat.values import Quat
from engine.named_tuple import NamedTuple
from viewer.renderer.scene.entities import SkyOwner
from viewer.renderer.scene.lighting import Interval

# Bits of SkyObject.properties (particles 8.2). Bit 2 says nothing here: it hides a thing while an environment
# override is active, and there are no overrides (light 7).
FOREGROUND, WEATHER, AT_THE_EYE = 1, 4, 8
WEATHER_HEIGHT = -120.0
"""Metres above the zero of all land at which a sheet of rain stands, wherever the eye is."""
_KEEP = -1.0


class SkyThing(NamedTuple):
    """A model of the sky and how it is drawn.

    ``heading`` and ``angle`` in degrees turn it: Rz(−heading) · Ry(−angle). ``scroll`` moves its texture,
    ``opacity`` is 0…1. ``luminosity`` and ``max_bright``, where given, replace and limit its light.
    ``foreground`` things are drawn after the landscape. Its origin is the eye, with a ``height`` that high.
    ``number`` is its place in the day group.
    """

    model_id: int
    heading: float
    angle: float
    scroll: tuple[float, float]
    opacity: float = 1.0
    luminosity: float | None = None
    max_bright: float | None = None
    foreground: bool = False
    height: float | None = None
    number: int = 0


def cell_of(thing: SkyOwner) -> int:
    """What stands for a cell where particles of a thing are told from others: no cell's id is negative."""
    return -1 - thing.number


def rotation_of(thing: SkyOwner) -> Quat:
    """How a thing is turned: Rz(−heading) · Ry(−angle)."""
    h, a = -math.radians(thing.heading) / 2.0, -math.radians(thing.angle) / 2.0
    return (
        math.cos(h) * math.cos(a),
        -math.sin(h) * math.sin(a),
        math.cos(h) * math.sin(a),
        math.sin(h) * math.cos(a),
    )


def sky_things(
    group: DayGroup, day_fraction: float, seconds: float, *, weather: bool = True
) -> list[SkyThing]:
    """The things of a day group that are up, in the order in which they are drawn.

    ``seconds`` count for textures that move; without ``weather`` there is no rain, the rest of a rainy day
    stays as it is (particles 8.8).
    """
    if not group.objects:
        return []
    between = Interval.at(group.times, day_fraction) if group.times else None
    begun = _by_object(group.times[between.first].replace) if between else {}
    next_up = _by_object(group.times[between.second].replace) if between else {}
    out: list[SkyThing] = []
    for index, item in enumerate(group.objects):
        share = _share(item, day_fraction % 1.0)
        first = begun.get(index)
        if share is None and first is not None and first.gfxobj:
            share = 0.0  # a model of the moment is shown whatever the window says (particles 8.7)
        if share is None or (item.properties & WEATHER and not weather):
            continue
        second = next_up.get(index)
        thing = _thing(item, share, seconds, first=first, second=second, u=between.u if between else 0.0)
        thing = thing._replace(number=index)
        if thing.model_id and thing.opacity > 0.0:
            out.append(thing)
    return out


def _share(item: SkyObject, f: float) -> float | None:
    """How much of its time in the sky has passed, None while it is not up; 0 for what is always there.

    Its limits are out of the window, and one that ends before it begins never opens (particles 8.7).
    """
    begin, end = item.begin, item.end
    if begin == end:
        return 0.0
    return (f - begin) / (end - begin) if begin < f < end else None


def _thing(
    item: SkyObject,
    share: float,
    seconds: float,
    *,
    first: SkyObjectReplace | None,
    second: SkyObjectReplace | None,
    u: float,
) -> SkyThing:
    transparent = _between(first, second, "transparent", u)
    return SkyThing(
        model_id=first.gfxobj if first is not None and first.gfxobj else item.gfxobj,
        heading=first.rotate if first is not None and first.rotate != _KEEP else 0.0,
        angle=item.begin_angle + (item.end_angle - item.begin_angle) * share,
        scroll=((item.vel_x * seconds) % 1.0, (item.vel_y * seconds) % 1.0),
        opacity=1.0 if transparent is None else min(1.0, max(0.0, 1.0 - transparent)),
        luminosity=_between(first, second, "luminosity", u),
        max_bright=_between(first, second, "max_bright", u),
        foreground=bool(item.properties & FOREGROUND),
        height=WEATHER_HEIGHT if item.properties & (WEATHER | AT_THE_EYE) == WEATHER else None,
    )


def _by_object(records: Sequence[SkyObjectReplace]) -> dict[int, SkyObjectReplace]:
    """Replacements by the place of what they replace; of several for one the first counts."""
    found: dict[int, SkyObjectReplace] = {}
    for record in records:
        found.setdefault(record.object_index, record)
    return found


def _between(
    first: SkyObjectReplace | None, second: SkyObjectReplace | None, name: str, u: float
) -> float | None:
    """A percentage of the first key frame, on its way to the second's, as a fraction; None keeps.

    Transparency keeps below 0; no light at all would make a black thing, so there 0 keeps too.
    """
    keeps = _KEEP if name == "transparent" else 0.0
    a = getattr(first, name) if first is not None else keeps
    if a <= keeps or a < 0.0:
        return None
    b = getattr(second, name) if second is not None else a
    return float(a if b <= keeps or b < 0.0 else a + (b - a) * u) / 100.0

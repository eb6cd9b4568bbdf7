"""What hangs in the sky at a moment: sun, moon, stars and clouds of a day group (light 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.dat.records.region_sky import DayGroup, SkyObject, SkyObjectReplace
from viewer.renderer.scene.lighting import Interval

# Bits of SkyObject.properties. Two more say nothing here: 2 hides a thing while an environment override is
# active, and there are no overrides (light 7); 8 frees it of a clamp in height, and nothing is clamped.
FOREGROUND, WEATHER = 1, 4
_KEEP = -1.0


@dataclass(frozen=True, slots=True)
class SkyThing:
    """A model of the sky and how it is drawn.

    ``heading`` and ``angle`` in degrees turn it: Rz(−heading) · Ry(−angle). ``scroll`` moves its texture,
    ``opacity`` is 0…1. ``luminosity`` and ``max_bright``, where given, replace and limit its light.
    ``foreground`` things are drawn after the landscape.
    """

    model_id: int
    heading: float
    angle: float
    scroll: tuple[float, float]
    opacity: float = 1.0
    luminosity: float | None = None
    max_bright: float | None = None
    foreground: bool = False


def sky_things(group: DayGroup, day_fraction: float, seconds: float) -> list[SkyThing]:
    """The things of a day group that are up, in the order in which they are drawn.

    ``seconds`` count for textures that move. Weather is left out (light 7).
    """
    if not group.objects:
        return []
    between = Interval.at(group.times, day_fraction) if group.times else None
    out: list[SkyThing] = []
    for index, item in enumerate(group.objects):
        share = _share(item, day_fraction % 1.0)
        if share is None or item.properties & WEATHER:
            continue
        first = between and _replacement(group.times[between.first].replace, index)
        second = between and _replacement(group.times[between.second].replace, index)
        thing = _thing(
            item, share, seconds, first=first or None, second=second or None, u=between.u if between else 0.0
        )
        if thing.model_id and thing.opacity > 0.0:
            out.append(thing)
    return out


def _share(item: SkyObject, f: float) -> float | None:
    """How much of its time in the sky has passed, None while it is not up; 0 for what is always there."""
    begin, end = item.begin, item.end
    if begin == end:
        return 0.0
    length = (end - begin) % 1.0 or 1.0
    since = (f - begin) % 1.0
    return since / length if since <= length else None


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
    )


def _replacement(records: Sequence[SkyObjectReplace], index: int) -> SkyObjectReplace | None:
    return next((r for r in records if r.index == index), None)


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

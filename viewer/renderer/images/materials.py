"""From a Surface record to how its polygons are drawn (surfaces 4.4-4.6)."""

from __future__ import annotations

from enum import IntEnum

from engine.dat.number_rules import number_fault
from engine.named_tuple import NamedTuple
from viewer.renderer.gl.gl_state import ONE, ONE_MINUS_SRC_ALPHA, SRC_ALPHA
from viewer.renderer.images.cut_outs import CUT

SOLID, IMAGE, CLIP_MAP = 0x1, 0x2, 0x4
TRANSLUCENT, DIFFUSE, LUMINOUS = 0x10, 0x20, 0x40
ALPHA, INVERSE_ALPHA, ADDITIVE = 0x100, 0x200, 0x10000


class RenderClass(IntEnum):
    """How a surface meets what lies behind it; up to CUTOUT it is drawn with the opaque things."""

    OPAQUE = 0
    CUTOUT = 1
    BLEND = 2
    INV = 3
    ADD = 4


BLEND_FACTORS: dict[RenderClass, tuple[int, int] | None] = {
    RenderClass.OPAQUE: None,
    RenderClass.CUTOUT: None,
    RenderClass.BLEND: (SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
    RenderClass.INV: (ONE_MINUS_SRC_ALPHA, SRC_ALPHA),
    RenderClass.ADD: (SRC_ALPHA, ONE),
}

# The smallest alpha that is drawn, of 255 (surfaces 4.5).
_ALPHA_CUT = {RenderClass.CUTOUT: CUT, RenderClass.BLEND: 1}


class Material(NamedTuple):
    """A surface ready to draw: texture page and layer, class, and the bytes of its vertices.

    ``factors`` are luminosity, diffuse, alpha and the smallest alpha drawn, each 0…255.
    """

    render_class: RenderClass
    page: int
    layer: int
    textured: bool
    factors: tuple[int, int, int, int]


# ``flags`` are those that the client has after loading: Surface.drawn_type (dat-format 3.11).


def is_textured(flags: int) -> bool:
    """Whether a surface has an image; polygons without one are openings in cells and shells."""
    return (flags & (IMAGE | CLIP_MAP)) != 0


def render_class(flags: int) -> RenderClass:
    """The class of a surface type, first match wins (surfaces 4.5)."""
    if flags & TRANSLUCENT and (flags & CLIP_MAP or not flags & (ALPHA | INVERSE_ALPHA | ADDITIVE)):
        return RenderClass.BLEND
    if flags & ADDITIVE:
        return RenderClass.ADD
    if flags & INVERSE_ALPHA:
        return RenderClass.INV
    if flags & (ALPHA | TRANSLUCENT):
        return RenderClass.BLEND
    if flags & CLIP_MAP:
        return RenderClass.CUTOUT
    return RenderClass.OPAQUE


def opacity(flags: int, translucency: float) -> float:
    """The factor on a texture's alpha: 1 − translucency where the translucent bit is set, else 1.

    1 as well where the translucency is no number.
    """
    if not flags & TRANSLUCENT or number_fault(translucency) is not None:
        return 1.0
    return max(0.0, min(1.0, 1.0 - translucency))


def light_factors(flags: int, luminosity: float, diffuse: float) -> tuple[float, float]:
    """Luminosity and diffuse factor, 0 and 1 where the surface lacks the bits (surfaces 4.6)."""
    return (
        luminosity if flags & LUMINOUS and number_fault(luminosity) is None else 0.0,
        diffuse if flags & DIFFUSE and number_fault(diffuse) is None else 1.0,
    )


def vertex_factors(
    flags: int, translucency: float, luminosity: float, diffuse: float
) -> tuple[int, int, int, int]:
    """What every vertex of a surface carries: luminosity, diffuse, alpha, smallest alpha drawn."""
    lum, diff = light_factors(flags, luminosity, diffuse)
    alpha = opacity(flags, translucency)
    return (_byte(lum), _byte(diff), _byte(alpha), _ALPHA_CUT.get(render_class(flags), 0))


def _byte(value: float) -> int:
    return max(0, min(255, round(value * 255.0)))

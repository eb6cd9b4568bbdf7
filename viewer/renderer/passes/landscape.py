"""The landscape of a frame: pass P2 with the look-ins in their place (passes 3.4, 3.5)."""

from __future__ import annotations

from viewer.renderer.passes import passes
from viewer.renderer.passes.look_in_pass import draw_look_ins
from viewer.renderer.passes.painter import LANDSCAPE
from viewer.renderer.passes.passes import OUT
from viewer.renderer.passes.picture_kit import PictureKit


def draw_landscape(kit: PictureKit) -> None:
    """Sky, terrain, shells, look-ins, rain, outdoor objects, then what is blended, where bit 7 is set.

    The rain of the foreground closes the ground and what stands built on it: who stands near by covers it.

    Look-ins come after all that can hide an opening, and before objects, so that a door's leaf or a
    tree is compared with the inside and not erased with the opening.
    """
    state, painter = kit.state, kit.painter
    painter.light(LANDSCAPE)
    state.enter(passes.P2_SKY, OUT)
    painter.sky()
    state.enter(passes.P2_LANDSCAPE, OUT)
    painter.terrain()
    painter.shells()
    draw_look_ins(kit)
    state.enter(passes.P2_SKY, OUT)
    painter.weather()
    state.enter(passes.P2_LANDSCAPE, OUT)
    painter.outdoor_things()
    state.enter(passes.P2_BLENDED, OUT)
    painter.outdoor_blended()

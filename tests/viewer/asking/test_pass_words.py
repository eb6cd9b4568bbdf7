"""What a pass and a stencil value are called in plain words."""

from __future__ import annotations

from viewer.renderer.gl.gl_state import PassState
from viewer.renderer.gl.pixel_watch import Painted
from viewer.renderer.passes import passes
from viewer.report.pass_words import PASSES, pass_words, stencil_words


def test_every_pass_that_draws_or_clears_is_explained() -> None:
    drawn = [state.name for state in vars(passes).values() if isinstance(state, PassState)]
    for name in {"P0", "P7", "P8", *drawn} - {"exits"}:  # depths of their own, that no pixel has
        assert name.split(" ")[0] in PASSES
        painted = Painted(
            number=1, pass_name=name, what="x", color=(0, 0, 0), depth=1.0, stencil=0xC6, colored=False
        )
        assert PASSES[name.split(" ")[0]] in pass_words(painted)


def test_a_stencil_value_is_told_bit_by_bit() -> None:
    assert stencil_words(0xC6) == (
        "the outdoors shows here, in the opening of a house that one looks into, "
        "room number 6 in the order of drawing"
    )
    assert stencil_words(0) == "nothing is marked"

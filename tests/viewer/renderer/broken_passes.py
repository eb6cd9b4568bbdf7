"""Faults put into the passes on purpose, to show that the tests see them (passes 11.4, I23 and I24)."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from viewer.renderer.passes import interior_frame, look_in_pass, outdoor_frame
from viewer.renderer.passes.landscape import draw_landscape
from viewer.renderer.passes.picture_kit import PictureKit

if TYPE_CHECKING:
    import pytest


def clears_color_after_landscape(patch: pytest.MonkeyPatch) -> None:
    def broken(kit: PictureKit) -> None:
        draw_landscape(kit)
        kit.state.clear_color((0.0, 0.0, 0.0))

    for module in (interior_frame, outdoor_frame):
        patch.setattr(module, "draw_landscape", broken)


def leaves_out_depth_reset(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, interior_frame, "_forget_depth")


def leaves_out_seal(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, interior_frame, "_seal")


def leaves_look_in_marked(patch: pytest.MonkeyPatch) -> None:
    _leave_out(patch, look_in_pass, "_unmark")


def punches_before_mark(patch: pytest.MonkeyPatch) -> None:
    mark, punch = look_in_pass._mark, look_in_pass._punch
    patch.setattr(look_in_pass, "_mark", punch)
    patch.setattr(look_in_pass, "_punch", mark)


def _leave_out(patch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
    assert callable(getattr(module, name))
    patch.setattr(module, name, lambda *_: None)

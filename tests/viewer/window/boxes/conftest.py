"""The program on no window, with no box open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.viewer.window.boxes.by_hand import BOXES, frames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from viewer.window.app import App


@pytest.fixture
def app(made: App) -> Iterator[App]:
    """The app with no box open and the mouse free."""
    frames(made)
    made.controls.catch_mouse(caught=False)
    yield made
    for name in BOXES:
        getattr(made.boxes, name).is_open = False
    frames(made)

"""What tests of the viewer are handed: a GL context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import moderngl


@pytest.fixture(scope="module")
def ctx() -> Iterator[moderngl.Context]:
    """A context of the module's own; it lets go of what nobody holds whenever a new stage is set up in it."""
    from tests.viewer.renderer.render_scenes import context

    made = context()
    yield made
    made.release()

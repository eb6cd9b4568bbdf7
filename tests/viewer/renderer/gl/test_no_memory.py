"""Where no memory is left Python hears of it: moderngl's compiled code went on with nothing, and crashed."""

from __future__ import annotations

import sys

import pytest

from tests.needed import only_where
from tests.viewer.programs import ended

SHORT = """
import resource, sys
from viewer.memory_limits import _taken
from viewer.renderer.gl.canvas import Canvas
from viewer.renderer.gl.context import RawGl, create_headless
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.resources import data_folder

ctx = create_headless()
programs = Programs(ctx, data_folder("shaders"))
canvas = Canvas(ctx, (2048, 2048))
target = SceneTarget(ctx, RawGl(ctx), 2048, 2048)
canvas.image(), target.read_rgba()  # what else they need is loaded
most = _taken("VmSize") + (4 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    {do}
except MemoryError:
    sys.exit(3)
"""


@only_where(so=sys.platform == "linux", why="limits of memory as Linux keeps them")
@pytest.mark.gl
@pytest.mark.parametrize("do", ["canvas.image()", "target.read_rgba()", "programs.hatch"])
def test_what_needs_memory_that_there_is_none_of_is_an_error_that_python_hears_of(do: str) -> None:
    assert ended(SHORT.format(do=do), 60) == (3, "")

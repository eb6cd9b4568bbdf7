"""What tests of the viewer are handed: a GL context, command lines, the overlay, a walk and the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from tests.viewer.overlay.panels import Panels
from tests.viewer.programs import Program
from tests.viewer.walks import BEFORE_THE_DOOR, SIZE
from tests.viewer.window.driven.windows import Window
from tests.viewer.window.driven.xvfb import xvfb
from viewer.places import put
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import moderngl


@pytest.fixture(scope="module")
def ctx() -> Iterator[moderngl.Context]:
    """A context of the module's own; it lets go of what nobody holds whenever a new stage is set up in it."""
    from tests.viewer.renderer.render_stage import context

    made = context()
    yield made
    made.release()


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def panels() -> Iterator[Panels]:
    made = Panels()
    yield made
    made.host.close()
    made.ctx.release()


@pytest.fixture
def walk() -> Walk:
    """Somebody who stands before the front door of the demo."""
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, BEFORE_THE_DOOR)
    walk = Walk(simulation)
    walk.look_out(SIZE, 0.0)
    return walk


@pytest.fixture
def window(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Window]:
    """The real window on a display of its own; the parameters are further options of the command."""
    with xvfb("640x480x24") as display, Window(display, tmp_path, *getattr(request, "param", ())) as opened:
        yield opened

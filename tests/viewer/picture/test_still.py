"""What a picture takes is made ready in one room, from a frozen request, before OpenGL is needed."""

from pathlib import Path
from types import SimpleNamespace

import moderngl
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments
from viewer.commands.groundwork.worlds import demo_folder
from viewer.picture import offscreen, picture_file
from viewer.picture.look import Look, look_far
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.split_view import pane_size
from viewer.picture.still import Still, StillRequest, make_ready
from viewer.places import put
from viewer.user_error import UserError

INN = "0xA9B40157 [154.1 31.1 94] 1 0 0 0"
SIZE = (160, 90)
LOOK = Look(yaw=0.0, pitch=-5.0, size=SIZE)


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    made = Simulation(World(SourceArguments(demo=demo_folder()).open()))
    put(made, INN)
    return made


def test_nothing_of_opengl_is_needed_until_it_is_drawn(simulation, monkeypatch):
    monkeypatch.setattr(moderngl, "create_context", None)
    still = make_ready(simulation, StillRequest(look=LOOK, radius=1, objects=1, modes=("portals",)))
    assert still.seen.options.portals and still.beside is None and still.report is None
    seen = look_far(simulation, OpeningIndex(), LOOK, 1).picture
    assert [row.cell for row in still.seen.picture.cells] == [row.cell for row in seen.cells]


def test_a_split_picture_has_its_other_half_from_behind(simulation):
    look = LOOK._replace(size=pane_size(SIZE, split=True))
    still = make_ready(simulation, StillRequest(look=look, radius=1, objects=1, modes=("split", "state")))
    assert still.beside is not None and still.beside.picture.frozen is not None
    assert {"pyramids", "bounds"} <= still.beside.options.shapes
    assert "body 0xA9B40157" in still.seen.options.caption
    assert still.beside.picture.view.width == still.seen.picture.view.width == look.size[0]


def test_panels_have_the_report_of_what_is_drawn(simulation):
    still = make_ready(simulation, StillRequest(look=LOOK, radius=1, objects=0, panels=True))
    assert still.report is not None and still.report.view is not None
    assert [row.cell for row in still.report.view.cells] == [row.cell for row in still.seen.picture.cells]
    assert still.report.distances == {"radius": 1, "objects": 0}


def test_what_another_root_has_seen_is_drawn_from_the_eye_of_the_look(simulation):
    locked = look_far(simulation, OpeningIndex(), LOOK, 1).picture
    above = LOOK._replace(eye=(154.1, 31.1, 99.0), pitch=-60.0)
    still = make_ready(simulation, StillRequest(look=above, radius=1, objects=1, locked=locked))
    assert still.seen.picture.frozen is locked and still.seen.picture.root == locked.root
    assert still.seen.picture.view.eye == pytest.approx((154.1, 31.1, 99.0))


def test_a_region_that_is_not_there_is_refused(simulation):
    with pytest.raises(UserError, match="0xA9B40105 is not among those that this picture shows"):
        make_ready(simulation, StillRequest(look=LOOK, radius=1, objects=1, modes=("region=0105",)))


def test_no_frame_of_an_animation_without_any_can_be_drawn(simulation, monkeypatch):
    monkeypatch.setattr(simulation.world.source, "animation", lambda _: SimpleNamespace(frames=()))
    with pytest.raises(UserError, match="--pose: there is no frame 0: animation 0x03000001 has no frames"):
        make_ready(simulation, StillRequest(look=LOOK, pose=(0x03000001, 0)))


def test_requests_are_frozen():
    request = StillRequest(look=LOOK)
    with pytest.raises(AttributeError):
        request.radius = 3  # type: ignore[misc]


def test_what_writes_the_picture_is_loaded_while_it_is_drawn(simulation, monkeypatch, tmp_path):
    done: list[str] = []
    for name in ("draw_picture", "load_writer", "image_of", "write_picture"):
        monkeypatch.setattr(offscreen, name, lambda *_, name=name: done.append(name))
    screen = OffscreenRenderer.__new__(OffscreenRenderer)
    screen.size, screen.renderer = SIZE, SimpleNamespace(target=SimpleNamespace(fbo=None))
    screen.picture(Still(make_ready(simulation, StillRequest(look=LOOK, radius=1)).seen), tmp_path / "a.png")
    assert done == ["draw_picture", "load_writer", "image_of", "write_picture"]


@pytest.mark.parametrize("ending", [".png", ".jpg", ".bmp"])
def test_the_writer_of_a_form_is_loaded_by_its_ending(monkeypatch, ending):
    written = []
    monkeypatch.setattr(picture_file, "picture_bytes", lambda image, form: written.append((image.size, form)))
    picture_file.load_writer(Path(f"a{ending.upper()}"))
    assert written == [((1, 1), ending)]

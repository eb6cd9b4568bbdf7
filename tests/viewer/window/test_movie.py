"""The last seconds as a film: every other kept tick, and the walk is where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PIL import Image

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from tests.viewer.goings import walking
from tests.viewer.walks import DOOR
from tests.viewer.window.bare_window import bare_app
from viewer.window.sharing.movie import EVERY, MOST_PIXELS, SECONDS, Movie, film_size
from viewer.window.walking.walk import Walk


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_film_shows_the_last_seconds_and_time_is_where_it_was_and_goes_on_if_it_did(
    tmp_path: Path, *, is_paused: bool
) -> None:
    walk = walking()
    for _ in range(40):
        walk.advance(TICK, MovementInput(forward=1))
    if is_paused:
        walk.toggle_pause()
    said: list[str] = []
    movie = Movie(walk.travel, said.append)
    last = walk.history.shown
    movie.begin(tmp_path)
    shown: list[int] = []
    while not said or not said[-1].startswith("saved"):
        shown.append(walk.history.shown)
        assert walk.advance(TICK, MovementInput(forward=1)) == 0
        movie.take(lambda: Image.new("RGBA", (64, 48), (walk.history.shown * 5, 0, 0, 255)))
    assert shown == list(range(walk.history.first, last + 1, EVERY))
    assert walk.history.shown == walk.history.last == last
    assert walk.paused == is_paused
    assert walk.advance(TICK, MovementInput(forward=1)) == (not is_paused)
    assert walk.history.branches == []
    (path,) = tmp_path.iterdir()
    assert said[-1] == f"saved {path}"


def test_what_was_done_at_a_tick_in_the_middle_is_there_after_a_film_and_what_is_lost_by_one_is_said(
    walk: Walk, tmp_path: Path
) -> None:
    said = list[str]()
    for _ in range(6):
        walk.advance(TICK, MovementInput())
    walk.travel.show(4)
    walk.questions.doors.lock(DOOR, locked=True)
    movie = Movie(walk.travel, said.append, walk.keep_going, lambda: walk.goes)

    def film(at_first: Callable[[], object]) -> None:
        movie.begin(tmp_path)
        assert not walk.simulation.doors[DOOR].locked
        at_first()
        said.clear()
        while not said or said[-1].endswith("to go"):
            movie.take(lambda: Image.new("RGB", (20, 20)))

    film(lambda: None)
    assert (walk.history.shown, len(walk.history.pending)) == (4, 1)
    assert walk.simulation.doors[DOOR].locked
    assert "undone" not in said[-1]
    for act in (lambda: walk.use(DOOR), walk.toggle_flight):
        film(act)
        assert said[-1].endswith("; what was done while it was taken is undone")
        assert walk.simulation.doors[DOOR].locked
    film(lambda: walk.travel.show(5))
    assert said[-1].endswith("done; what was done at tick 4 is dropped: time went on from there already")


class Kept:
    """Stands for a walk's kept ticks, and for going through them."""

    def __init__(self, last: int) -> None:
        self.history = SimpleNamespace(first=0, last=last, shown=last, pending=(), staged=lambda: last)
        self.pace = SimpleNamespace(paused=True)
        self.playing = False

    def show(self, tick: int) -> None:
        self.history.shown = tick

    put_back = show

    def dropped_by(self, _tick: int) -> str:
        return ""


def film_of(kept: Any, folder: Path, pictures: Iterable[Image.Image]) -> list[str]:
    """Film kept ticks, asking again and again; the lines that say what came of it."""
    said: list[str] = []
    movie = Movie(kept, said.append)
    movie.begin(folder)
    for picture in pictures:
        movie.take(lambda picture=picture: picture)  # type: ignore[misc]
        if said and not said[-1].endswith("to go"):
            break
        movie.begin(folder)
    return said


def test_a_film_asked_for_twice_is_one_and_pictures_of_any_size_are_whole_in_it(tmp_path: Path) -> None:
    kept, sizes = Kept(12), ((60, 40), (20, 40), (90, 90))
    film_of(kept, tmp_path, (Image.new("RGB", sizes[n % 3], (0, 0, 40 + 20 * n)) for n in range(20)))
    assert kept.history.shown == 12
    (path,) = tmp_path.iterdir()
    with Image.open(path) as film:
        assert film.n_frames == 7  # type: ignore[attr-defined]
        for number in range(7):
            film.seek(number)
            shown = film.convert("RGB")
            assert shown.size == sizes[0]
            assert shown.getpixel((30, 20)) == pytest.approx((0, 0, 40 + 20 * number), abs=8)
            assert (shown.getpixel((2, 2)) == (0, 0, 0)) == (number % 3 != 0)


def test_a_film_of_a_huge_window_is_made_smaller_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its pictures are held until the end: 76 of 6000x4000 took 5 GB."""
    monkeypatch.setattr("viewer.window.sharing.movie.MOST_PIXELS", 60 * 40)
    said = film_of(Kept(4), tmp_path, (Image.new("RGB", (600, 400), (n, 0, 0)) for n in range(3)))
    (path,) = tmp_path.iterdir()
    assert said[-1] == f"saved {path}; made smaller, 60x40"
    with Image.open(path) as film:
        assert film.size == (60, 40)
        assert getattr(film, "n_frames", 0) == 3


def test_a_film_keeps_its_shape_however_large() -> None:
    assert film_size(3840, 1) == (3840, 1)
    assert film_size(2560, 1600) == (2560, 1600)
    assert film_size(5120, 3200) == (2560, 1600)
    assert film_size(10**8, 1)[1] == 1
    width, height = film_size(8192, 8192)
    assert width == height
    assert 0.99 * MOST_PIXELS < width * height <= MOST_PIXELS


def test_there_is_no_film_where_another_tick_is_shown_in_the_middle_of_it(tmp_path: Path) -> None:
    kept = Kept(12)

    def pictures() -> Iterator[Image.Image]:
        yield Image.new("RGB", (20, 20))
        kept.history.shown = 3
        yield Image.new("RGB", (20, 20))

    said = film_of(kept, tmp_path, pictures())
    assert said[-1] == "there is no film: another tick was shown before it was done"
    assert kept.history.shown == 3
    assert list(tmp_path.iterdir()) == []


def test_who_flew_before_a_film_flies_there_after_it(tmp_path: Path) -> None:
    walk = walking()
    for _ in range(5):
        walk.advance(TICK, MovementInput(forward=1))
    walk.look_out((64, 48), 0.0)
    walk.toggle_flight()
    flight, said = walk.flight, list[str]()
    assert flight is not None
    walk.advance(TICK, MovementInput(forward=1))
    eye = flight.eye
    movie = Movie(walk.travel, said.append, walk.keep_going)
    movie.begin(tmp_path)
    while not said or said[-1].endswith("to go"):
        assert walk.flight is None  # it is drawn as it was walked
        movie.take(lambda: Image.new("RGB", (20, 20)))
    assert walk.flight is flight
    assert flight.eye == eye


def test_ticks_that_were_playing_play_on_after_a_film_of_them(tmp_path: Path) -> None:
    walk = walking()
    for _ in range(20):
        walk.advance(TICK, MovementInput(forward=1))
    walk.travel.toggle_play()
    walk.advance(9.5 * TICK, MovementInput())
    shown, said = walk.history.shown, list[str]()
    movie = Movie(walk.travel, said.append)
    movie.begin(tmp_path)
    while not said or said[-1].endswith("to go"):
        assert walk.advance(TICK, MovementInput()) == 0
        movie.take(lambda: Image.new("RGB", (20, 20)))
    assert (walk.history.shown, walk.paused, walk.travel.playing) == (shown, True, True)
    walk.advance(TICK, MovementInput())
    assert walk.history.shown == shown + 1


def test_only_the_last_seconds_are_shown(tmp_path: Path) -> None:
    walk = walking()
    for _ in range((SECONDS + 1) * 30):
        walk.simulation.walk_tick()
    movie = Movie(walk.travel, lambda _: None)
    movie.begin(tmp_path)
    assert walk.history.shown == walk.history.last - SECONDS * 30


def test_a_picture_that_fails_ends_the_film(tmp_path: Path) -> None:
    walk = walking()
    for _ in range(10):
        walk.advance(TICK, MovementInput(forward=1))
    movie = Movie(walk.travel, lambda _: None)
    movie.begin(tmp_path)

    def fail() -> Image.Image:
        raise RuntimeError("no picture")

    with pytest.raises(RuntimeError):
        movie.take(fail)
    assert not movie.is_under_way
    assert (walk.history.shown, walk.paused) == (walk.history.last, False)
    movie.take(fail)  # no picture is asked for any more


def test_a_film_is_under_way_until_it_is_told_what_came_of_it_also_where_an_interrupt_breaks_it_off(
    tmp_path: Path,
) -> None:
    def broken_off() -> Image.Image:
        raise KeyboardInterrupt

    said, kept = list[str](), cast("Any", Kept(3))
    movie = Movie(kept, said.append)
    assert not movie.is_under_way
    movie.begin(tmp_path)
    movie.take(lambda: Image.new("RGB", (20, 20)))
    assert movie.is_under_way
    movie.take(lambda: Image.new("RGB", (20, 20)))
    assert said[-1].startswith("saved")
    assert not movie.is_under_way
    movie.begin(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        movie.take(broken_off)
    assert movie.is_under_way


@pytest.mark.gl
@pytest.mark.parametrize("films", [True, False])
def test_a_film_that_the_end_of_the_window_leaves_unmade_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, films: bool
) -> None:
    with bare_app(tmp_path, monkeypatch) as app:
        window: Any = app.window
        frames: list[int] = []

        def swap() -> None:
            frames.append(len(frames))
            if len(frames) == 9:
                if films:
                    app.deeds.do("movie")
                raise KeyboardInterrupt

        window.swap_buffers = swap
        with monkeypatch.context() as patch:
            for part in (app.overlay, app.walk, app.clipboard):
                patch.setattr(part, "close", lambda **_: None)  # that is done once, below
            with pytest.raises(KeyboardInterrupt):
                app.run()
    told = "holtwalk: there is no film: the window was closed before it was done, and nothing of it is kept\n"
    assert capsys.readouterr().err == (told if films else "")
    assert list(tmp_path.glob("*.gif")) == []

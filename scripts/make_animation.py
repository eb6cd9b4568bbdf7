"""Draw the animated walk of the README, off screen, on the demo world: docs/pictures/walk.gif, below 3 MB.

    python scripts/make_animation.py [--frames DIR]

A folder for frames that has files of their names already is refused: they may be somebody's pictures.
Blocked by the closed door, through it when it is open, down into the cellar; then the view is locked and the
camera flies out. Every frame is what the window draws, and the body walks as its player makes it walk.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish, refuse_to_replace

begin(__name__, RUNTIME)

import math
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from engine.files.write import write_bytes, write_new
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import read_places
from scripts.environment import ROOT
from scripts.long_work.telling import telling
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.picture_file import picture_bytes
from viewer.places import put
from viewer.renderer.gl.canvas import Canvas
from viewer.window.walking.scene_drawer import SceneDrawer
from viewer.window.walking.walk import Walk

OUT = ROOT / "docs" / "pictures" / "walk.gif"
DEMO = ROOT / "assets" / "demo"
SIZE = (384, 216)
TICKS_A_FRAME = 4
LARGEST = 3_000_000  # bytes
MOST_FRAMES = 1000  # it has far fewer
ABOUT = 130
COLOURS = (256, 224, 192, 160, 128, 96)  # tried until the file is small enough
COTTAGE_DOOR = 0x7A9B4015
RAMP = 135.0  # degrees: from the cellar's end to the ramp and the hatch
MIDDLE = (154.5, 9.0, 93.0)  # of the cellar and what is seen of the room above it
HIGHEST = 99.0  # metres
NEAR = 0.25  # metres from a place at which one goes on to the next
STANDING, AHEAD = MovementInput(), MovementInput(forward=1)
BACK = MovementInput(forward=-1)


class Film:
    """A walk of which every few ticks are a frame, with a line below that says what is to be seen."""

    def __init__(self) -> None:
        self.simulation = Simulation(World(demo_source(DEMO)))
        self.places = read_places(DEMO)
        self.title = ""
        self._ticks = 0
        self._font = ImageFont.truetype(str(ROOT / "assets" / "fonts" / "Roboto-Regular.ttf"), 14)
        self._screen = OffscreenRenderer(self.simulation, SIZE)
        put(self.simulation, self.places["street before the cottage"])
        self.walk = Walk(self.simulation, third_person=True)
        self._drawer = SceneDrawer(self._screen.renderer, self.walk)
        self._canvas = Canvas(self._screen.ctx, SIZE)
        self.walk.look_out(SIZE, 0.0)

    def frames(self) -> Iterator[Image.Image]:
        """Every frame."""
        walk = self.walk
        self.title = "The door is closed: the sweep is stopped at its leaf."
        yield from self._go("cottage vestibule", seconds=1.6)
        yield from self._pass(0.4, BACK)
        self.title = "It is used: passable from now on, in every cell it is in."
        walk.use(COTTAGE_DOOR)
        yield from self._pass(1.2)
        self.title = "The cell changes at the portal, when a sub-step is accepted."
        walk.camera.toggle()
        yield from self._go("cottage vestibule")
        yield from self._go("cottage main room")
        self.title = "Down the ramp: no ground and no grass comes in."
        for place in ("cottage doorway", "cottage hatch lip"):
            yield from self._go(place)
        walk.camera.target_pitch = -18.0
        yield from self._go("cottage cellar")
        walk.camera.target_pitch = 0.0
        yield from self._go("cottage cellar bottom")
        yield from self._turn(RAMP - walk.camera.target_yaw, pitch=12.0, seconds=1.0)
        yield from self._pass(0.5)
        self.title = "Locked, and the camera flies out: nothing else is drawn."
        walk.toggle_flight()
        yield from self._fly(BACK, ticks=34)
        yield from self._fly(MovementInput(side=1), ticks=40)
        yield from self._pass(1.0)

    def _fly(self, controls: MovementInput, ticks: int) -> Iterator[Image.Image]:
        """Fly, half as fast as one can and up while going back, and turn towards the cellar bit by bit."""
        walk = self.walk
        for number in range(2 * ticks):
            flight = walk.flight
            assert flight is not None
            moves = number % 2 == 1
            walk.rise = 1 if moves and controls.forward and flight.eye[2] < HIGHEST else 0
            x, y, z = (a - b for a, b in zip(MIDDLE, flight.eye, strict=True))
            self._look_towards(math.degrees(math.atan2(x, y)), math.degrees(math.atan2(z, math.hypot(x, y))))
            yield from self._tick(controls if moves else STANDING)

    def _look_towards(self, yaw: float, pitch: float) -> None:
        camera = self.walk.camera
        by = (yaw - camera.target_yaw + 180.0) % 360.0 - 180.0
        camera.turn(max(-4.0, min(4.0, by)), max(-3.0, min(3.0, pitch - camera.target_pitch)))

    def _go(self, place: str, seconds: float = 6.0) -> Iterator[Image.Image]:
        """Walk towards a place, as far as one comes and as long as it may take."""
        target = parse_location(self.places[place]).position.frame.origin
        for _ in range(round(seconds / TICK)):
            x, y, _ = self.simulation.position.frame.origin
            if math.hypot(target[0] - x, target[1] - y) < NEAR:
                return
            wanted = math.degrees(math.atan2(target[0] - x, target[1] - y))
            by = (wanted - self.walk.camera.target_yaw + 180.0) % 360.0 - 180.0
            self.walk.camera.target_yaw += max(-7.0, min(7.0, by))
            yield from self._tick(AHEAD if abs(by) < 60.0 else STANDING)

    def _turn(self, degrees: float, pitch: float, seconds: float) -> Iterator[Image.Image]:
        """Turn and look up or down by degrees, the short way round."""
        degrees = (degrees + 180.0) % 360.0 - 180.0
        ticks = round(seconds / TICK)
        for _ in range(ticks):
            self.walk.camera.turn(degrees / ticks, pitch / ticks)
            yield from self._tick(STANDING)

    def _pass(self, seconds: float, controls: MovementInput = STANDING) -> Iterator[Image.Image]:
        for _ in range(round(seconds / TICK)):
            yield from self._tick(controls)

    def _tick(self, controls: MovementInput) -> Iterator[Image.Image]:
        self.walk.advance(TICK, controls)
        picture = self.walk.look_out(SIZE, TICK)
        self._ticks += 1
        if self._ticks % TICKS_A_FRAME == 0:
            self._drawer.draw(picture, self._canvas.fbo, SIZE)
            yield self._titled(self._canvas.image().convert("RGB"))

    def _titled(self, image: Image.Image) -> Image.Image:
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, SIZE[1] - 24, SIZE[0], SIZE[1]), fill=(16, 18, 22))
        draw.text((8, SIZE[1] - 21), self.title, font=self._font, fill=(235, 235, 235))
        return image


def encoded(scenes: list[list[Image.Image]]) -> bytes:
    """The scenes as a GIF that goes round for ever, each in colours of its own, as many as fit."""
    for colours in COLOURS:
        drawn = [frame for scene in scenes for frame in _in_colours(scene, colours)]
        out = BytesIO()
        drawn[0].save(
            out, "GIF", save_all=True, append_images=drawn[1:], optimize=False, loop=0,
            duration=round(1000 * TICKS_A_FRAME * TICK), disposal=1,
        )  # fmt: skip
        print(f"{len(drawn)} frames in {colours} colours: {len(out.getvalue()) / 1e6:.2f} MB")
        if len(out.getvalue()) < LARGEST:
            return out.getvalue()
    raise OSError(f"no GIF of less than {LARGEST} bytes comes of this")


def _in_colours(scene: list[Image.Image], colours: int) -> list[Image.Image]:
    """The frames of a scene in colours that they have in common: what stays costs nothing then."""
    some = scene[:: max(1, len(scene) // 8)]
    sheet = Image.new("RGB", (SIZE[0] // 2, SIZE[1] // 2 * len(some)))
    for number, frame in enumerate(some):
        sheet.paste(frame.resize((SIZE[0] // 2, SIZE[1] // 2)), (0, SIZE[1] // 2 * number))
    # What is small and bright, a lamp's fire, has colours of its own only where all are to be covered.
    palette = sheet.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=2)
    return [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in scene]


def frame_name(number: int) -> str:
    """The file of a frame."""
    return f"{number:03}.png"


def main(arguments: list[str]) -> int:
    """Draw and write it."""
    parser = arguments_of(__doc__)
    parser.add_argument("--frames", metavar="DIR", type=Path, help="write every frame as a PNG, too")
    given = parser.parse_args(arguments)
    if given.frames:
        refuse_to_replace(given.frames, map(frame_name, range(MOST_FRAMES)))
        given.frames.mkdir(parents=True, exist_ok=True)
    film = Film()
    scenes: dict[str, list[Image.Image]] = {}
    for frame in telling("frames", film.frames(), ABOUT):
        scenes.setdefault(film.title, []).append(frame)
    if given.frames:
        for number, frame in enumerate(frame for scene in scenes.values() for frame in scene):
            write_new(given.frames / frame_name(number), picture_bytes(frame, ".png"))
    write_bytes(OUT, encoded(list(scenes.values())))
    return 0


if __name__ == "__main__":
    finish(main)

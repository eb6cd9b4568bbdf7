"""Draw the pictures of docs/pictures.md, off screen, on the demo world, and write that page.

    python scripts/make_pictures.py [--window | NAME ...]

Every picture is a `holtwalk render` command, which the page shows. With --window those of docs/questions.md
are made instead: the tests that ask the questions in the real window keep them; that needs Xvfb.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import CHECKS, RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

import shlex
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from engine.files.write import write_text
from scripts.environment import ROOT, SetupError, child_environment, prepare
from scripts.interrupts import INTERRUPTED, hand_over
from viewer.main import main as holtwalk
from viewer.picture.picture_file import write_picture

FOLDER = ROOT / "docs" / "pictures"
WINDOW_FOLDER = FOLDER / "window"
WINDOW_TESTS = ROOT / "tests" / "viewer" / "window" / "driven"
KEPT_IN = "HOLTWALK_QUESTION_PICTURES"
"""The variable that tells those tests where to keep pictures."""
SIZE = "960x540"
COTTAGE_DOOR = "0x7A9B4015"
INN_FRONT = "0xA9B40032 [149 25 94]"
STREET = ("--at", "0xA9B40022 [118.5 24.2 94]", "--look", "68,4")
MAIN_ROOM = "0xA9B40171 [155.4 11.94 94] 1 0 0 0"
INN_HALL = "0xA9B40157 [154.1 31.1 94] 1 0 0 0"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: file name, title, what to see in it, and the words of its command."""

    name: str
    title: str
    text: str
    words: tuple[str, ...]
    size: str = SIZE

    @property
    def command(self) -> tuple[str, ...]:
        """The whole command but for the file."""
        return ("render", *self.words, "--size", self.size)


PICTURES = (
    Picture(
        "street-day",
        "The street at noon",
        "The croft, the lifestone, the inn and the corner of the cottage. The landscape fills the frame; the "
        "windows of the houses are looked into as far as they are seen.",
        (*STREET, "--time", "12"),
    ),
    Picture(
        "street-dusk",
        "The same at dusk",
        "Sun, ambient light, fog and clouds come from the key frames of the region's sky.",
        (*STREET, "--time", "17.7"),
    ),
    Picture(
        "street-night",
        "The village at midnight",
        "Lifestone, lamps, stars and a portal shine by themselves; lanterns light the rooms behind the "
        "panes, the moon and the night's ambient light the street.",
        ("--at", "0xA9B40029 [132 20 94]", "--look", "58,4", "--time", "0"),
    ),
    Picture(
        "door-in",
        "In through the open door",
        "Seen from the street: the opening is marked and its depth reset, then vestibule and main room are "
        "drawn, each within its own clip region.",
        ("--at", "0xA9B40031 [154.2 20 94]", "--look", "164,3", "--use", COTTAGE_DOOR),
    ),
    Picture(
        "door-out",
        "Out through the same door",
        "Seen from the main room: the landscape is drawn once, within the exit's region only. The "
        "inn across the street is looked into through its windows.",
        ("--at", MAIN_ROOM, "--look", "0,-2", "--use", COTTAGE_DOOR),
    ),
    Picture(
        "cellar",
        "The cottage's cellar",
        "Below the ground, beside the ramp to the hatch. No terrain comes in: from here no exit is in view.",
        ("--at", "0xA9B40174 [151.8 9.2 91]", "--look", "70,3"),
    ),
    Picture(
        "upstairs-window",
        "The window upstairs",
        "The loft's window is an exit portal over the street; the leads of its panes are an object of the "
        "cell.",
        ("--at", "0xA9B40177 [154.65 13.75 97.1]", "--look", "352,-7"),
    ),
    Picture(
        "inn",
        "The inn",
        "The hall with its hearth, aisle and gallery; arches, doorways and rooms behind them are cells of "
        "their own.",
        ("--at", "0xA9B40157 [157.6 32.3 94]", "--look", "290,1"),
    ),
    Picture(
        "dungeon",
        "The dungeon",
        "A sealed frame: no sky, no terrain, no sun, whatever lies above.",
        ("--at", "0x01070101 [46.6 56 -6]", "--look", "31,1"),
    ),
    Picture(
        "third-person",
        "Third person",
        "The camera is swept from the head to its place and stays out of walls.",
        ("--at", "0xA9B40031 [150.5 22.3 94] 0.934 0 0 0.358", "--view", "third", "--look", "318,-17"),
    ),
    Picture(
        "locked",
        "Visibility locked, seen from above",
        "The traversal still starts at the figure in the main room; the eye has flown off. Only the cells of "
        "that visible list are drawn, with their clip regions as pyramids; shells are left out.",
        ("--at", MAIN_ROOM, "--lock-root", MAIN_ROOM, "--eye", "163,2,102", "--look", "-36,-37",
         "--mode", "pyramids,no-shells", "--use", COTTAGE_DOOR),
    ),
    Picture(
        "portals",
        "Portals by verdict",
        "Cyan openings of the inn are looked through. Behind them green portals were passed, "
        "yellow ones clipped away, orange ones lead where the stab list does not, red ones face away.",
        ("--at", INN_FRONT, "--look", "20,3", "--mode", "portals"),
    ),
    Picture(
        name="split",
        title="Side by side",
        text="Left what the eye sees, right the same visible list from behind and above, live in the window "
        "too. Through the open door the cells are reached that the inn's door and windows show.",
        words=("--at", MAIN_ROOM, "--use", COTTAGE_DOOR, "--look", "0,-2", "--mode", "split,pyramids,state"),
        size="1120x420",
    ),
    Picture(
        "shadow-shapes",
        "Shadow shapes and the body",
        "What can be walked into: orange is solid, cyan ethereal (the open door), grey never collides. The "
        "body's two spheres stand on its contact plane.",
        ("--at", "0xA9B40171 [155.4 12.3 94] 1 0 0 0", "--view", "third", "--mode", "shadows,body", "--use",
         COTTAGE_DOOR),
    ),
    Picture(
        "cell-ids",
        "Cells by colour",
        "The inn's hall, everything in the colour of the cell that it is drawn with.",
        ("--at", INN_HALL, "--look", "0,8", "--mode", "cell-ids"),
    ),
    Picture(
        name="panels",
        title="The panels",
        text="Over every picture and in the window: current cell and visible list, doors, the last sweep, "
        "timing, drawing modes.",
        words=("--at", "0xA9B40171 [155.4 12.6 94] 1 0 0 0", "--use", COTTAGE_DOOR, "--overlay"),
        size="1280x720",
    ),
)  # fmt: skip


# What is kept of the real window, and the tests that keep it.
WINDOW_PICTURES = {
    "question-blocked": "test_window_questions.py",
    "question-cell": "test_window_questions.py",
    "question-why": "test_window_questions.py",
    "question-what": "test_window_questions.py",
    "question-probe": "test_window_questions.py",
    "question-audit": "test_window_questions.py",
    "question-when": "test_window_time.py",
    "question-hand-on": "test_window_bug.py",
    "question-differs": "test_window_capture.py",
}


def keep_window() -> int:
    """Run the tests that keep the window's pictures; their exit code."""
    tests = sorted({str(WINDOW_TESTS / name) for name in WINDOW_PICTURES.values()})
    python = prepare(CHECKS)
    environment = {**child_environment(), KEPT_IN: str(WINDOW_FOLDER)}
    command = [str(python), "-m", "pytest", "-q", "-n", "0", *tests]
    return hand_over(command, environment, is_ours=False)


def draw(picture: Picture) -> Path:
    """Draw one into its file, without the two lowest bits of its colours; SetupError where that fails."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{picture.name}.png"
    with TemporaryDirectory() as folder:
        whole = Path(folder, path.name)
        code = holtwalk([*picture.command, "--demo", "--out", str(whole)])
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        if code != 0:
            raise SetupError(f"{picture.name} could not be drawn")
        with Image.open(whole) as image:
            small = image.point(lambda v: v & 0xFC | v >> 6)
    write_picture(small, path, smallest=True)
    return path


def page() -> str:
    """docs/pictures.md."""
    lines = [
        "# Pictures\n",
        "The demo world, made by `scripts/make_pictures.py`: each picture with the command that draws it.",
    ]
    for p in PICTURES:
        lines += ["", f"## {p.title}", "", p.text, "", f"![{p.title}](pictures/{p.name}.png)", ""]
        lines += ["```", f"holtwalk {shlex.join(p.command)} --out {p.name}.png", "```"]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Draw all pictures, or those that are named, and write the page; with --window keep the window's."""
    parser = arguments_of(__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--window", action="store_true", help="those of docs/questions.md, by their tests")
    parsed = parser.parse_args(arguments)
    names: list[str] = parsed.names
    if parsed.window and names:
        parser.error("--window makes all of the window's pictures")
    if parsed.window:
        return keep_window()
    known = [picture.name for picture in PICTURES]
    for name in names:
        if name not in known:
            parser.error(f"no picture is named '{name}'; there are {', '.join(known)}")
    for picture in PICTURES:
        if not names or picture.name in names:
            print(draw(picture))
    write_text(ROOT / "docs" / "pictures.md", page())
    return 0


if __name__ == "__main__":
    finish(main)

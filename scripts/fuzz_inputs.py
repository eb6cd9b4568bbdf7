"""Damage every kind of file that a user gives, but the dats, and see that it is read or refused in one way.

    python scripts/fuzz_inputs.py [--inputs N] [--seed S] [--part K/N]

Scenes, dumps, scripts, recordings, captures, spawn lists, key files, settings, bookmarks, bug folders,
folders of cases, layouts of panels and command lines: each must either be used, as a command uses it, or be
refused by its documented error, in one line, within SECONDS and MEGABYTES as with damaged dats
(`fuzz_dats.py`). Anything else is printed with what makes it again, and the exit code is 1. The same
arguments always make the same inputs. Run it in the project's environment.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

import gc
import json
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from random import Random

from engine.dat.errors import DatError
from engine.files.write import write_bytes
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.replay.capture import BrokenRecord, CaptureLines
from engine.replay.cases import case_document, case_folders, document_totals, run_case
from engine.replay.replay import replay
from engine.replay.sim import read_recording, run_steps, start_script
from engine.replay.sim_script import read_script
from engine.world.loading.world import World
from engine.world.sources.dats import DatsSource
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SourceError, open_source
from scripts.environment import ROOT
from scripts.fuzzing.damage import (
    ODD_NUMBERS,
    SQL_HOSTILE,
    TOML_HOSTILE,
    as_json,
    damaged_json,
    damaged_layout,
    damaged_text,
)
from scripts.fuzzing.kept import BOOKMARKS, FACTS, refuse, use_bookmarks, use_facts
from scripts.fuzzing.numbers import read_count, read_part
from scripts.fuzzing.samples import (
    PLACE,
    SQL,
    box_dumps,
    capture_lines,
    case_script,
    recorded_line,
    scene,
    script,
)
from scripts.fuzzing.trying import LONGEST, Tally, limit_memory
from scripts.fuzzing.words import use_words
from scripts.long_work.telling import telling
from viewer.overlay.dock.layout_file import LayoutFile, layout_text, parse_layout
from viewer.tables.keys import ACTIONS
from viewer.tables.settings import SETTINGS, written
from viewer.window.user_files.key_file import load_keys
from viewer.window.user_files.user_settings import Settings
from viewer.window.user_files.window_place import PlaceFile

DEMO = ROOT / "assets" / "demo"
BLOCK = 0xA9B40000
MOST_TICKS = 30
USES_OF_A_WORLD = 10
WINDOW_PLACE = "left = 10\ntop = 20\nwidth = 640\nheight = 360\n"


class Bench:
    """Uses damaged files as commands do, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source = open_source(demo=DEMO)
        self.dumps = box_dumps()
        self._world = World(self.source)
        self._uses = 0

    def world(self) -> World:
        """The demo world, for a few uses the same: it takes longest to load, and keeps every simulation."""
        self._uses += 1
        if self._uses % USES_OF_A_WORLD == 0:
            self._world = World(self.source)
        return self._world

    def use_some(self, world: World, dice: Random) -> None:
        """Use every sixth world, which takes long, and of the others what was said of them."""
        try:
            if dice.randrange(6) == 0:
                self.use_world(world)
            check_lines(world.problems.lines)
        finally:
            if isinstance(world.source, DatsSource):
                world.source.close()

    def use_world(self, world: World) -> None:
        """Load a landblock, and put a body into it where that is possible."""
        world.load_block(BLOCK)
        try:
            simulation = Simulation(world)
            simulation.teleport(world.locate(PLACE))
            simulation.walk_tick((0.0, 0.1, 0.0))
        except SimulationError:
            pass
        check_lines(world.problems.lines)

    def use_scene(self, dice: Random) -> None:
        """A damaged scene over the demo world."""
        path = self._put("scene.json", damaged_json(scene(), dice))
        self.use_some(World(open_source(dats=DEMO, scene=path)), dice)

    def use_dumps(self, dice: Random) -> None:
        """A folder of dumps of which one is damaged."""
        folder = self.folder / "dumps"
        folder.mkdir(exist_ok=True)
        worst = dice.choice(sorted(self.dumps))
        for name, document in self.dumps.items():
            data = damaged_json(document, dice) if name == worst else as_json(document)
            self._put(f"dumps/{name}", data)
        self.use_world(World(open_source(dumps=folder)))

    def use_script(self, dice: Random) -> None:
        """A damaged script, run where it has not too many ticks."""
        parsed = read_script(self._put("sim.json", damaged_json(script(), dice)))
        if parsed.ticks <= MOST_TICKS:
            for _ in run_steps(start_script(self.world(), parsed), parsed):
                pass

    def use_recording(self, dice: Random) -> None:
        """A damaged recording of a run."""
        read_recording(self._put("expected.jsonl", self._recording(dice)))

    def use_cases(self, dice: Random) -> None:
        """A folder with a recorded case of which one file is damaged, or missing, or no file."""
        folder = self.folder / "cases" / "a"
        shutil.rmtree(folder, ignore_errors=True)
        files = {f"dumps/{name}": as_json(document) for name, document in self.dumps.items()}
        files["sim.json"] = as_json(case_script())
        files["expected.jsonl"] = b"\n".join(as_json(recorded_line(tick)) for tick in range(3))
        worst = dice.choice(sorted(files))
        what = dice.randrange(8)
        if what in {6, 7}:
            del files[worst]
            if what == 7:
                (folder / worst).mkdir(parents=True)
        elif worst == "expected.jsonl":
            files[worst] = self._recording(dice)
        elif worst == "sim.json":
            files[worst] = damaged_json(case_script(), dice)
        else:
            files[worst] = damaged_json(self.dumps[worst.removeprefix("dumps/")], dice)
        (folder / "dumps").mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            self._put(f"cases/a/{name}", data)
        if "sim.json" in files and _ticks(folder / "sim.json") > MOST_TICKS:
            return
        results = [run_case(case) for case in case_folders(folder.parent)]
        document_totals([case_document(result) for result in results])
        for result in results:
            if "internal error" in result.error:
                raise AssertionError(f"a case was not refused but failed: {result.error}")
            if result.error:
                raise JsonError(result.error)  # counts as refused

    def _recording(self, dice: Random) -> bytes:
        lines = [as_json(recorded_line(tick)) for tick in range(3)]
        worst = dice.randrange(3)
        lines[worst] = damaged_json(recorded_line(worst), dice)
        return b"\n".join(lines)

    def use_layout(self, dice: Random) -> None:
        """A damaged file of where the panels stand."""
        path = self._put("layout.ini", damaged_layout(dice))
        file = LayoutFile(path)
        saved = file.saved
        check_lines([file.complaint] if file.complaint else [])
        if file.complaint:
            raise JsonError(file.complaint)  # counts as refused
        again = parse_layout(
            layout_text(saved.rest, docked=saved.docked, places=saved.places, collapsed=saved.collapsed)
        )
        if again.places != saved.places:
            raise AssertionError("a layout that is not what was kept of it")

    def use_capture(self, dice: Random) -> None:
        """A damaged capture, replayed."""
        lines = [as_json(line) for line in capture_lines()]
        worst = dice.randrange(len(lines))
        lines[worst] = damaged_json(capture_lines()[worst], dice)
        records = list(CaptureLines(self._put("capture.jsonl", b"\n".join(lines))))
        check_lines(record.reason for record in records if isinstance(record, BrokenRecord))
        sound = [record for record in records if not isinstance(record, BrokenRecord)]
        for replayed in replay(self.world(), sound):
            if "internal error" in replayed.note or "Error:" in replayed.note:
                raise AssertionError(f"a record was not refused but failed: {replayed.note}")

    def use_spawns(self, dice: Random) -> None:
        """A damaged spawn list over the demo world."""
        path = self._put("spawns.sql", damaged_text(SQL, dice, SQL_HOSTILE))
        self.use_some(World(open_source(dats=DEMO, spawns=path)), dice)

    def use_settings(self, dice: Random) -> None:
        """A damaged file of settings, or of where the window was."""
        if dice.random() < 0.3:
            number = dice.choice(ODD_NUMBERS)
            text = WINDOW_PLACE.replace(dice.choice(("10", "640")), number)
            data = text.encode() if dice.random() < 0.5 else damaged_text(text, dice, TOML_HOSTILE)
            place = PlaceFile(self._put("window.toml", data))
            complaints = [place.complaint] if place.complaint else []
        else:
            odd = ("1", "1.5", "true", '"0xA9B40170"', "-7", "1e999", "nan", "0x" + "f" * 5000)
            lines = []
            for setting in dice.sample(SETTINGS, dice.randint(1, len(SETTINGS))):
                if dice.random() < 0.1:
                    lines.append(f"{setting.name} = {dice.choice(odd)}  # odd")
                elif setting.default is not None:
                    lines.append(f"{setting.name} = {written(setting.default)}  # usual")
            text = "\n".join(lines)
            data = text.encode() if dice.random() < 0.5 else damaged_text(text, dice, TOML_HOSTILE)
            self._put("settings.toml", data)
            settings = Settings(self.folder)
            complaints = settings.complaints
            settings.set("radius", 3)
            complaint = settings.keep()
            check_lines([complaint] if complaint else [])
            if not complaints and Settings(self.folder)["radius"] != 3:
                raise AssertionError("a setting that was kept is not read again")
        check_lines(complaints)
        if complaints:
            raise JsonError(complaints[0])  # counts as refused

    def use_keys(self, dice: Random) -> None:
        """A damaged key file."""
        text = "\n".join(f'{action.name} = "{action.key}" #' for action in ACTIONS)
        if dice.random() < 0.5:
            data = damaged_text(text, dice, TOML_HOSTILE)
        else:
            action = dice.choice(ACTIONS)
            key = dice.choice(("W", "CTRL+E", "KEY_77", "=", "", "NO_KEY", "x" * 20_000, "\x1b"))
            data = text.replace(f'{action.name} = "{action.key}"', f'{action.name} = "{key}"').encode()
        _, complaints = load_keys(self._put("keys.toml", data))
        check_lines(complaints)
        if complaints:
            raise JsonError(complaints[0])  # counts as refused

    def use_bookmarks(self, dice: Random) -> None:
        """A damaged file of bookmarks."""
        is_sound = dice.random() < 0.5  # what is put into it is hostile, too
        data = BOOKMARKS.encode() if is_sound else damaged_text(BOOKMARKS, dice, TOML_HOSTILE)
        complaints = use_bookmarks(self.folder, data, dice)
        check_lines(complaints)
        refuse(complaints)

    def use_facts(self, dice: Random) -> None:
        """A damaged bug folder, what it tells of."""
        use_facts(self.folder, damaged_json(FACTS, dice))

    def use_words(self, dice: Random) -> None:
        """A command line that somebody, or something, got wrong."""
        use_words(self.folder, dice)

    def _put(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        write_bytes(path, data)
        return path


def _ticks(path: Path) -> int:
    """How many ticks a script has; 0 for one that can't be read."""
    try:
        return read_script(path).ticks
    except JsonError:
        return 0


def check_lines(lines: Iterable[str]) -> None:
    """Whether complaints are short lines, one each."""
    for line in lines:
        if not line or len(line) > LONGEST or "\n" in line:
            raise AssertionError(f"a complaint that is no short line: {line[:100]!r}")


KINDS = (
    "scene",
    "dumps",
    "script",
    "recording",
    "capture",
    "spawns",
    "keys",
    "settings",
    "cases",
    "layout",
    "bookmarks",
    "facts",
    "words",
)
DOCUMENTED = (JsonError, SourceError, SimulationError, DatError)


def fuzz(count: int, part: tuple[int, int], seed: int) -> dict[str, Tally]:
    """So many damaged inputs of every kind, and what became of them."""
    tallies = {kind: Tally(documented=DOCUMENTED) for kind in KINDS}
    which, parts = part
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        limit_memory()
        for kind, tally in tallies.items():
            use = getattr(bench, f"use_{kind}")
            for number in telling(kind, range(which, count, parts), count // parts):
                dice = Random(f"{seed}/{kind}/{number}")
                if tally.inputs % 10 == 0:
                    gc.collect()  # worlds hold themselves in circles
                tally.try_one(f"{kind} {number} of seed {seed}", lambda use=use, dice=dice: use(dice))  # type: ignore[misc]
    return tallies


def main(arguments: list[str]) -> int:
    """Run it; prints one JSON line with the counts, and on stderr what went wrong."""
    parser = arguments_of(__doc__)
    parser.add_argument("--inputs", type=read_count, default=1_000, help="damaged inputs of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--part", type=read_part, default=(0, 1), help="K/N: every N-th input, from the K-th on"
    )
    args = parser.parse_args(arguments)
    warnings.simplefilter("error")  # numpy's, which would stand on stderr
    start = time.perf_counter()
    tallies = fuzz(args.inputs, args.part, args.seed)
    counts = {
        name: {"inputs": t.inputs, "read": t.read, "refused": t.refused, "slowest": round(t.slowest, 3)}
        for name, t in tallies.items()
    }
    print(json.dumps({**counts, "seconds": round(time.perf_counter() - start, 1)}))
    wrong = [line for tally in tallies.values() for line in tally.wrong]
    print("".join(f"{line}\n" for line in wrong[:40]), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    finish(main)

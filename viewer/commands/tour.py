"""``holtwalk tour``: the scripted walk, drawn off screen (promises 3)."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from engine.files.read import ReadError, read_text
from engine.files.write import write_new, write_text
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.source import WorldSource
from viewer.commands.groundwork.session import recording
from viewer.commands.groundwork.worlds import dats_folder, demo_folder, open_world, report_problems
from viewer.picture.day_clock import DayClock
from viewer.picture.look import Look
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.still import StillRequest
from viewer.picture.tour import Guide
from viewer.renderer.render_options import RenderOptions
from viewer.tables.tour_script import TRANSCRIPT, files_of
from viewer.user_error import UserError
from viewer.verify.verification import demo_places


def run(args: Namespace, source: WorldSource | None = None) -> int:
    """Draw the tour into ``--out``; 1 where a picture has pixels that nothing was drawn to.

    ``source`` is what the options name, where that is open already.
    """
    if args.dumps or dats_folder(args) != demo_folder():
        raise UserError("tour: the script walks through the demo world; add --demo to do so")
    places = demo_places(demo_folder())
    simulation = Simulation(open_world(args) if source is None else World(source))
    DayClock.of_world(simulation.world, args.time, args.day_group)  # is there such a kind of day?
    folder = Path(args.out)
    _refuse_to_replace(folder / TRANSCRIPT)
    folder.mkdir(parents=True, exist_ok=True)
    request = StillRequest(
        look=Look(yaw=0.0, size=args.size),
        radius=args.radius,
        objects=args.objects,
        hour=args.time,
        day_group=args.day_group,
        options=RenderOptions(sentinel=True),
    )
    drawn: dict[Path, tuple[int, ...]] = {}
    with OffscreenRenderer(simulation, args.size) as screen, recording(simulation, args):
        guide = Guide(simulation=simulation, places=places, screen=screen, folder=folder, request=request)
        try:
            for path in guide.run():
                print(path, flush=True)
                drawn[path] = _which(path)
        except SimulationError as error:  # a scene of the user's own may have moved a door
            raise UserError(f"tour: {error}: it does not fit this tour") from error
    for path, known in drawn.items():
        if _which(path) != known:
            raise UserError(f"{path}: another has taken its place; give each tour a folder of its own")
    transcript = folder / TRANSCRIPT
    _put(transcript, "\n".join(guide.lines) + "\n")
    report_problems(simulation.world, verbose=args.verbose)
    print(f"{guide.pictures} pictures and {transcript} are in {folder.resolve()}")
    return 1 if guide.unpainted else 0


def _which(path: Path) -> tuple[int, ...]:
    """What tells a file from another one that is put in its place; nothing where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _put(path: Path, text: str) -> None:
    """Write the transcript, over none but a tour's: another may have come meanwhile."""
    _refuse_to_replace(path)
    if path.exists():
        write_text(path, text)
        return
    try:
        write_new(path, text.encode("utf-8", errors="backslashreplace"))
    except FileExistsError:
        _refuse_to_replace(path)
        raise  # another tour's


def _refuse_to_replace(path: Path) -> None:
    """Raise UserError where a file is in the transcript's place that no tour wrote.

    The pictures' names are those of a tour alone, this one anybody may have thought of.
    """
    if not path.exists():
        return
    first = files_of(path.parent)[0].name
    try:
        is_ours = f"== {first}:" in read_text(path, lossy=True, pipes=False)
    except ReadError:
        is_ours = False
    if not is_ours:
        raise UserError(f"{path}: is there, no transcript of a tour, and stays; name another folder")

"""``holtwalk pick``: what a pixel of a picture shows (promises 3)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.visibility.openings import OpeningIndex
from viewer.asking.pick import Picker, names_in
from viewer.commands.groundwork.looking import look_of
from viewer.commands.groundwork.session import open_view
from viewer.commands.groundwork.worlds import report_problems
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.standing_states import StandingStates
from viewer.picture.still import StillRequest, make_ready
from viewer.user_error import UserError


def run(args: Namespace) -> int:
    """Tell what the pixel of ``--pixel`` shows, of the picture that ``render`` draws so."""
    width, height = args.size
    x, y = args.pixel if args.pixel is not None else (width // 2, height // 2)
    if not (0 <= x < width and 0 <= y < height):
        raise UserError(f"--pixel: {x},{y} lies outside the picture of {width}x{height} pixels")
    states = StandingStates(args.state or (), args.use or ())
    simulation, arrival = open_view(args, args.at, states)
    said = simulation.world.problems.mark()
    request = StillRequest(
        look=look_of(args, simulation, args.size, logged=True),
        radius=args.radius, objects=args.objects, hour=args.time,
    )  # fmt: skip
    seen = make_ready(simulation, request, states).seen
    names = names_in(simulation)
    picker = Picker(simulation.world, OpeningIndex())
    answer = picker.pick(
        seen.picture, seen.objects, names, (x, y), particles=seen.options.particles, options=seen.options
    )
    if not args.no_history:
        with OffscreenRenderer(simulation, args.size) as screen:
            history = screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, (x, y))
        answer = picker.told(seen.picture, seen.objects, names, answer.with_history(history))
    report_problems(simulation.world, verbose=args.verbose, after=said)
    if args.json:
        print(json.dumps({**answer.to_json(), **arrival.to_json()}))
    else:
        print("\n".join(answer.words))
    return 0

"""``holtwalk probe``: what of a doorway a door blocks, by a grid of sweeps from both sides."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.replay.probe.sweeps import probe
from viewer.commands.groundwork.worlds import open_world, report_problems
from viewer.picture.standing_states import StandingStates
from viewer.places import located
from viewer.user_error import UserError


def run(args: Namespace) -> int:
    """Probe the object of ``entity`` and print what stopped each sweep."""
    simulation = Simulation(open_world(args))
    simulation.residency.load(_where(args, simulation))
    StandingStates(args.state or (), args.use or ()).finish(simulation)
    report_problems(simulation.world, verbose=args.verbose)
    try:
        answer = probe(simulation, args.entity, args.spacing, args.sphere)
    except ValueError as error:
        raise UserError(str(error)) from error
    if args.json:
        print(json.dumps(answer.to_json()))
    else:
        print("\n".join(answer.words))
    return 0


def _where(args: Namespace, simulation: Simulation) -> int:
    """The cell around which the object is: that of ``at``, else where a scene or spawn list puts it."""
    if args.at:
        return located(simulation, args.at).cell_id
    for placed in simulation.world.source.scene().objects:
        if placed.entity_id == args.entity:
            return placed.cell_id
    report_problems(simulation.world, verbose=args.verbose)  # its row may have been passed over
    raise UserError(
        f"no scene or spawn list has entity {hex_id(args.entity)}: name a place near it with --at"
    )

"""How one looks, from the options that say so."""

from __future__ import annotations

from argparse import Namespace

from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import ViewOptions
from engine.world.ids import rebase
from engine.world.location import parse_location
from viewer.picture.look import Look


def look_of(args: Namespace, simulation: Simulation, size: tuple[int, int], *, logged: bool = False) -> Look:
    """The look of the options ``at, eye, look, view, fov, root, resident`` from where the body stands.

    It goes along the body's heading where nothing else is said. ``size`` is what it sees, in pixels;
    ``logged`` makes the floods keep accounts.
    """
    return _look(args, simulation, size, told=(args.at, args.eye, args.look), logged=logged)


def locked_look_of(args: Namespace, simulation: Simulation, size: tuple[int, int]) -> Look:
    """The same of ``lock-root, lock-eye, lock-look``."""
    return _look(args, simulation, size, told=(args.lock_root, args.lock_eye, args.lock_look))


def _look(
    args: Namespace,
    simulation: Simulation,
    size: tuple[int, int],
    *,
    told: tuple[str, Vec3 | None, tuple[float, float] | None],
    logged: bool = False,
) -> Look:
    place, eye, angles = told
    position = simulation.position
    working_set = WorkingSet.RESIDENT if args.resident else WorkingSet.STAB
    return Look(
        yaw=position.frame.heading() if angles is None else angles[0],
        pitch=None if angles is None else angles[1],
        third_person=args.view == "third",
        eye=None if eye is None else rebase(eye, parse_location(place).cell_id, position.cell_id),
        size=size,
        fov=args.fov,
        options=ViewOptions(
            FloodRules(working_set=working_set), strict_root=args.root == "strict", logged=logged
        ),
    )

"""How one looks, from the options that say so."""

from __future__ import annotations

from argparse import Namespace

from engine.dat.values import Vec3
from engine.physics.simulation.simulation import Simulation
from engine.visibility.frame_view import ViewOptions
from engine.visibility.pview import FloodRules
from engine.world.ids import rebase
from engine.world.location import parse_location
from viewer.picture.look import Look
from viewer.picture.split_view import pane_size
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes


def look_of(args: Namespace, simulation: Simulation, logged: bool = False) -> Look:
    """The look of the options ``at, eye, look, view, fov, size, root, resident`` from where the body stands.

    It goes along the body's heading where nothing else is said; of a split picture it is the left half.
    ``logged`` makes the floods keep accounts.
    """
    return _look(args, simulation, args.at, args.eye, args.look, logged)


def locked_look_of(args: Namespace, simulation: Simulation) -> Look:
    """The same of ``lock-root, lock-eye, lock-look``."""
    return _look(args, simulation, args.lock_root, args.lock_eye, args.lock_look)


def _look(
    args: Namespace,
    simulation: Simulation,
    place: str,
    eye: Vec3 | None,
    angles: tuple[float, float] | None,
    logged: bool = False,
) -> Look:
    position = simulation.position
    split = with_modes(RenderOptions(), args.mode or ()).split
    working_set = "resident" if args.resident else "stab"
    return Look(
        yaw=position.frame.heading() if angles is None else angles[0],
        pitch=None if angles is None else angles[1],
        third_person=args.view == "third",
        eye=None if eye is None else rebase(eye, parse_location(place).cell_id, position.cell_id),
        size=pane_size(args.size, split),
        fov=args.fov,
        options=ViewOptions(FloodRules(working_set), strict_root=args.root == "strict", logged=logged),
    )

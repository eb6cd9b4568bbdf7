"""Motions by short names, and a state that is taken on."""

from engine.motion.commands import RUN_FORWARD, SIDE_STEP_RIGHT, TURN_RIGHT, WALK_FORWARD

WALK, RUN, TURN, SIDE = WALK_FORWARD, RUN_FORWARD, TURN_RIGHT, SIDE_STEP_RIGHT


def pass_(state, *seconds):
    for dt in seconds:
        off, _ = state.update(dt)
    return off


def omega(state):
    return state.sequence.omega[2]

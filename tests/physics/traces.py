"""Moves whose sweep is traced."""

from engine.physics.transition.trace import SweepTrace
from tests.physics.stage import push


def traced(world, body, move):
    trace = SweepTrace()
    (result,) = push(world, body, move, trace=trace)
    return result, trace

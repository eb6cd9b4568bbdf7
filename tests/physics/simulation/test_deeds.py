"""Every kind of input is done by one deed, and told by one step of a script."""

from typing import get_args

from engine.physics.simulation import inputs
from engine.physics.simulation.input_deeds import DEEDS
from engine.replay.told import STEPS


def test_every_kind_of_input_has_its_deed_and_its_step():
    kinds = {*get_args(inputs.Input)}
    assert {kind.__name__ for kind in kinds} == {kind.__name__ for kind in inputs.Told.__subclasses__()}
    assert kinds == {*DEEDS}
    assert kinds == {*STEPS}


def test_inputs_are_equal_that_are_of_one_kind_and_say_the_same():
    north = (0.0, 1.0, 0.0)
    assert inputs.WalkTick(north) == inputs.WalkTick(north)
    assert hash(inputs.WalkTick(north)) == hash(inputs.WalkTick(north))
    assert inputs.WalkTick(north) != inputs.MoveTick(north)
    assert inputs.Use(7) != inputs.Use(7, ago=1.0)
    assert inputs.Use(7) != inputs.Despawn(7) != 7
    assert repr(inputs.Use(7)) == "Use(ago=0.0, entity=7)"

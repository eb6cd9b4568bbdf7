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

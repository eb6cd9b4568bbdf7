"""Rules of a sweep that a test answers itself, on both forms of the code (sweep 3.10-3.13)."""

from __future__ import annotations

from engine.physics.transition.transition import SweepRules


class OnlyRules(SweepRules):
    """The rules that are given by name, functions of what each is asked with; nothing else may be asked."""

    def __init__(self, **answers):
        self.answers = answers

    def _answer(self, name, *asked):
        assert name in self.answers, f"{name}: nobody asks for it here"
        return self.answers[name](*asked)

    def insert(self, t, attempts):
        return self._answer("insert", t, attempts)

    def collide(self, t, cell):
        return self._answer("collide", t, cell)

    def step_up(self, t, normal):
        return self._answer("step_up", t, normal)

    def step_down(self, t, height, z):
        return self._answer("step_down", t, height, z)

    def check_walkable(self, t, z):
        return self._answer("check_walkable", t, z)

"""Errors that say in one line what is wrong with what was given are known by names that there are."""

from __future__ import annotations

from importlib import import_module

from engine import told_in_a_line


def test_each_name_is_of_an_error_that_there_is() -> None:
    for name in told_in_a_line._NAMES:
        module, _, kind = name.rpartition(".")
        error = getattr(import_module(module), kind)
        assert issubclass(error, Exception)
        assert told_in_a_line.is_told_in_a_line(error.__new__(type("Narrower", (error,), {})))


def test_others_are_nothing_that_users_are_told() -> None:
    assert not told_in_a_line.is_told_in_a_line(ValueError("oops"))
    assert not told_in_a_line.is_told_in_a_line(KeyError("SimulationError"))

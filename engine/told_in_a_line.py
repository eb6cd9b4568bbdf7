"""Which errors say in one line, for a user, what is wrong with what was given.

They are known by name: nothing is imported here, and no module that raises them need be loaded.
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = frozenset((
    "engine.dat.errors.DatError", "engine.files.read.ReadError", "engine.world.sources.json_node.JsonError",
    "engine.world.sources.open_source.SourceError", "engine.world.sources.spawns.SpawnError",
    "engine.physics.simulation.arrival.SimulationError", "engine.replay.jobs.work_state.StateError",
    "viewer.settings_files.SettingsError", "viewer.user_error.UserError",
))  # fmt: skip


def is_told_in_a_line(error: BaseException) -> bool:
    """Whether an error's text is such a line."""
    return any(f"{kind.__module__}.{kind.__qualname__}" in _NAMES for kind in type(error).__mro__)

"""Chains of parts and scripts are followed with work by their length, not by its square (``dat check``)."""

from types import SimpleNamespace

from engine.dat.check.effect_checks import MOST_CALLED, _script
from engine.dat.check.model_checks import _setup
from engine.dat.pieces.hooks import CALL_SCRIPT
from engine.dat.records.setup import NO_PARENT
from tests.dat.small_world import SETUP


def test_forefathers_of_parts_are_followed_once():
    """Forty thousand, each the child of the one before, took a minute."""
    looks = []

    class Parents(tuple):
        def __getitem__(self, part):
            looks.append(part)
            return super().__getitem__(part)

    count = 300
    chain = Parents((NO_PARENT, *range(count - 1)))
    setup = SETUP._replace(parts=(0x01000001,) * count, parents=chain)
    assert list(_setup(setup)) == []
    assert len(looks) <= 2 * count
    back = SETUP._replace(parts=(0x01000001,) * 4, parents=(1, 2, 9, NO_PARENT))
    assert list(_setup(back)) == [("out of range", f"part {part}: parent 9") for part in range(3)]
    ring = SETUP._replace(parts=(0x01000001,) * 4, parents=(1, 2, 1, NO_PARENT))
    assert list(_setup(ring)) == [("cyclic", f"part {part} descends from itself") for part in range(3)]


def test_scripts_that_begin_at_once_are_followed_so_far():
    """Four thousand, each calling the next, took twenty seconds."""
    read = []

    def script(number):
        call = SimpleNamespace(type=CALL_SCRIPT, values=(number + 1, 0.0))
        return SimpleNamespace(id=number, length=0.0, items=[SimpleNamespace(start=0.0, hook=call)])

    def get(number, _):
        read.append(number)
        return script(number)

    ((kind, said),) = _script(SimpleNamespace(get=get), script(0))
    assert kind == "out of range"
    assert said.startswith(f"over {MOST_CALLED} scripts")
    assert len(read) == MOST_CALLED - 1

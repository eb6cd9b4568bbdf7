"""PhysicsScript, 0x33: hooks on a time line (dat-format 3.18, particles 1.2)."""

from __future__ import annotations

from engine.dat.pieces.hooks import AnimationHook, read_hook, write_hook
from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple


class ScriptItem(NamedTuple):
    """A hook that fires ``start`` seconds after the script's beginning."""

    start: float
    hook: AnimationHook


class PhysicsScript(NamedTuple):
    """The items of a script."""

    id: int
    items: tuple[ScriptItem, ...]

    def in_order(self) -> tuple[ScriptItem, ...]:
        """The items by their times; those of one time in stored order."""
        return tuple(sorted(self.items, key=lambda item: item.start))

    @property
    def length(self) -> float:
        """The time of the last item, seconds; 0 without any."""
        return max((item.start for item in self.items), default=0.0)


def read_physics_script(reader: Reader) -> PhysicsScript:
    """A PhysicsScript record."""
    script_id = reader.header_id()
    items = reader.many(reader.u32(), 16, lambda r: ScriptItem(r.f64(), read_hook(r)))
    return PhysicsScript(script_id, items)


def write_physics_script(writer: Writer, script: PhysicsScript) -> None:
    """A PhysicsScript record."""
    writer.u32(script.id)
    writer.u32(len(script.items))
    for item in script.items:
        writer.f64(item.start)
        write_hook(writer, item.hook)

"""Landblocks on their way between processes: what they share goes once, all in pieces that load quickly.

A landblock of a village is 0.6 MB, of which 0.3 MB are the structures of its cells and 0.15 MB models. Each
of these is a parcel of its own, so that who unpacks them can stop after any.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from engine.named_tuple import NamedTuple
from engine.world.bsp import BspNode, CellTree
from engine.world.cells import (
    BldPortal,
    Building,
    CellStructure,
    EnvCell,
    Landblock,
    LandCell,
    Portal,
)  # fmt: skip
from engine.world.frame import Frame, Position
from engine.world.loading.builders import Job
from engine.world.models import Model
from engine.world.polygon import Polygon

PROTOCOL = 5
Key = tuple[str, int, int]
Reduce = Callable[[Any], tuple[Any, ...]]


class Shared(NamedTuple):
    """A structure or model that landblocks to come refer to; None for a model that is missing."""

    key: Key
    value: CellStructure | Model | None


class Extra(NamedTuple):
    """What whoever opened the builder makes of landblocks besides."""

    content: Any


class Problem(NamedTuple):
    """A line about what is wrong."""

    line: str


class Dropped(NamedTuple):
    """From here on nothing refers to these."""

    keys: frozenset[Key]


class Done(NamedTuple):
    """A job that is done, the number of it, and the ids of its landblock's models."""

    number: int
    job: Job
    block: Landblock | None = None
    models: tuple[int, ...] = ()


Parcel = Shared | Extra | Problem | Dropped | Done


def structure_key(structure: CellStructure) -> Key:
    """What tells a structure from all others of its source."""
    return ("structure", structure.environment_id, structure.structure)


def model_key(model_id: int) -> Key:
    """What tells a model from all others of its source."""
    return ("model", model_id, 0)


@dataclass(slots=True)
class Packer:
    """Packs parcels, and knows which shared things have been sent."""

    sent: set[Key] = field(default_factory=set)

    def pack(self, parcel: Parcel) -> bytes:
        """A parcel as bytes. Structures that were sent are named in it, not held."""
        file = io.BytesIO()
        pickler = _Pickler(file, PROTOCOL)
        pickler.sent = self.sent
        pickler.dump(parcel)
        return file.getvalue()

    def new(
        self, structures: Iterable[CellStructure], models: Iterable[tuple[int, Model | None]]
    ) -> Iterator[bytes]:
        """Parcels with those that have not been sent."""
        for structure in structures:
            yield from self._once(structure_key(structure), structure)
        for model_id, model in models:
            yield from self._once(model_key(model_id), model)

    def _once(self, key: Key, value: CellStructure | Model | None) -> Iterator[bytes]:
        if key not in self.sent:
            yield self.pack(Shared(key, value))
            self.sent.add(key)


@dataclass(frozen=True, slots=True)
class Unpacker:
    """Unpacks parcels in the order of their packing; ``shared`` is what has come of shared things."""

    shared: dict[Key, CellStructure | Model | None] = field(default_factory=dict)

    def unpack(self, data: bytes) -> Parcel:
        """The parcel. Shared things are kept and those dropped forgotten."""
        unpickler = _Unpickler(io.BytesIO(data))
        unpickler.shared = self.shared
        parcel: Parcel = unpickler.load()
        if isinstance(parcel, Shared):
            self.shared[parcel.key] = parcel.value
        elif isinstance(parcel, Dropped):
            for key in parcel.keys:
                self.shared.pop(key, None)
        return parcel


class _Pickler(pickle.Pickler):
    sent: set[Key]

    def reducer_override(self, thing: Any) -> Any:
        kind = type(thing)
        # A class that was compiled has no instance that its constructor has not made.
        return NATIVE[kind](thing) if kind in NATIVE and _is_compiled(kind) else NotImplemented

    def persistent_id(self, thing: Any) -> Key | None:
        if isinstance(thing, CellStructure):
            key = structure_key(thing)
            return key if key in self.sent else None
        return None


class _Unpickler(pickle.Unpickler):
    shared: dict[Key, CellStructure | Model | None]

    def persistent_load(self, key: Key) -> CellStructure | Model | None:
        return self.shared[key]


def _is_compiled(kind: type) -> bool:
    """Not every class that was compiled says which attributes it has; none has a constructor to be read."""
    return hasattr(kind, "__mypyc_attrs__") or not isinstance(vars(kind).get("__init__"), FunctionType)


def _made(kind: type, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return kind(**dict(zip(names, values, strict=True)))


def _set(thing: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        setattr(thing, name, value)


def _fields(kind: type, *names: str, later: tuple[str, ...] = ()) -> Reduce:
    """How to make a thing anew: what its constructor takes, in order, and what is set ``later``.

    ``name=field`` where the constructor calls a field by another name.
    """
    parameters = tuple(name.partition("=")[0] for name in names)
    sources = tuple(name.rpartition("=")[2] for name in names)

    def reduce(thing: Any) -> tuple[Any, ...]:
        made = (_made, (kind, parameters, tuple(getattr(thing, name) for name in sources)))
        state = {name: getattr(thing, name) for name in later}
        return (*made, state, None, None, _set) if later else made

    return reduce


NATIVE: dict[type, Reduce] = {
    Frame: _fields(Frame, "origin", "quat", "rot"),
    Position: _fields(Position, "cell_id", "frame"),
    Polygon: _fields(Polygon, "polygon_id=id", "vertices", "sides_type"),
    BspNode: _fields(
        BspNode, "normal", "d", "pos", "neg", "center", "radius", "polygons", "is_leaf", "solid", "index"
    ),
    CellTree: _fields(CellTree, "planes"),
    Portal: _fields(Portal, "index", "flags", "polygon", "other_cell_id", "other_portal_id"),
    EnvCell: _fields(
        EnvCell, "cell_id=id", "frame", "structure", "portals", "stab_list", "seen_outside", "surfaces"
    ),
    LandCell: _fields(
        LandCell, "cell_id=id", "polygons", "water_type", "terrain", "in_open_water", later=("building",)
    ),
    BldPortal: _fields(
        BldPortal, "index", "flags", "polygon", "other_cell_id", "other_portal_id", "stab_list"
    ),
    Building: _fields(
        Building, "index", "model_id", "pos", "shell_frame", "shell_root", "portals", later=("shell_gfxobj",)
    ),
    Landblock: _fields(
        Landblock,
        "id",
        "terrain",
        "heights",
        "env_cells",
        later=("land_cells", "buildings", "statics", "entities", "water_type", "is_dungeon"),
    ),
}
"""The classes that are compiled, and what their constructors take; interpreted, they go as any other."""

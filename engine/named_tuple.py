"""``NamedTuple`` as ``typing`` has it, made without a look at what is written of each field's type.

Type checkers read that. ``typing`` compiles it, too, a thousand small texts at every start, which took a
sixteenth of the time to a first picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]  # else type checkers take it as none of this module's

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        """Makes of a class that names fields a tuple that has them."""

        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            types = space.pop("__annotations__", {})
            defaults = [space.pop(field) for field in types if field in space]
            made = namedtuple(name, types, defaults=defaults, module=space["__module__"])
            made.__annotations__ = types
            for what, value in space.items():
                setattr(made, what, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """What a class names as its base to become a tuple with its fields."""

"""What the hot packages tell the compiler, and how they come back from what it makes of them.

A class tells it something, which says nothing where it runs interpreted.
``@mypyc_attr(acyclic=True)`` is for small classes whose instances can't lie on a circle of references:
nothing that they hold leads back to them. The search for garbage leaves them out, which makes them cheaper to
make and to free. ``free_list_len=1`` keeps the last one that was freed for the next. With
``allow_interpreted_subclasses=True`` some of a class may run interpreted, and its methods are found slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["breathe", "mypyc_attr"]

if TYPE_CHECKING:  # mypyc takes the decorator from there; what runs needs no such package
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[Any], Any]:
        """Leave a class as it is."""
        return lambda cls: cls


def breathe() -> None:
    """Let an interrupt be heard and other threads have their turn.

    Compiled code does neither by itself, so that its long loops call this, which is never compiled.
    """

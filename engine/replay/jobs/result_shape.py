"""What kept results must look like to be taken for results: a file may come from anywhere."""

from __future__ import annotations

from types import UnionType
from typing import Final, TypeAlias

MOST: Final = 1 << 62
"""Of counts that are added up and divided: a number of thousands of digits can be neither."""

Shape: TypeAlias = "type | UnionType | list[Shape] | tuple[Shape, ...] | dict[str, Shape]"
"""A kind of value; a list of one shape; a list of just these; or an object with these keys and any others."""


def has_shape(value: object, shape: Shape) -> bool:
    """Whether a JSON value looks so. The key ``*`` stands for all that an object has."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        if "*" in shape:
            return all(has_shape(item, shape["*"]) for item in value.values())
        return all(key in value and has_shape(value[key], kind) for key, kind in shape.items())
    if isinstance(shape, list):
        return isinstance(value, list) and all(has_shape(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return (
            isinstance(value, list)
            and len(value) == len(shape)
            and all(has_shape(item, kind) for item, kind in zip(value, shape, strict=True))
        )
    return isinstance(value, shape) and not (isinstance(value, int) and abs(value) > MOST)

"""The schema of a form that is written from frozen records, from their types."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from viewer.report.picture_report import CellId, DoorReport

PLAIN: dict[object, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    NoneType: {"type": "null"},
    object: {},
    CellId: {"type": "string", "pattern": "^0x[0-9A-F]{8}$"},
}


def typed(kind: Any) -> dict[str, Any]:
    """The schema of the JSON that a type's values become; TypeError for a type that no report has."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return {"anyOf": [typed(part) for part in of]}
    if origin is tuple and of[-1] is Ellipsis:
        return {"type": "array", "items": typed(of[0])}
    if origin is tuple:
        return {
            "type": "array", "prefixItems": [typed(part) for part in of], "items": False, "minItems": len(of),
        }  # fmt: skip
    if origin is dict:
        return {"type": "object", "additionalProperties": typed(of[1])}
    if callable(getattr(kind, "to_json", None)):
        return {"type": "object"}
    if isinstance(kind, type) and is_dataclass(kind):
        return of_fields(kind)
    raise TypeError(f"no JSON form of {kind} is known")


def of_fields(kind: type) -> dict[str, Any]:
    """The schema of a record whose members are its fields, by their names."""
    hints = get_type_hints(kind)
    properties = {item.name: typed(hints[item.name]) for item in fields(kind)}
    if kind is DoorReport:  # its bits are written as one says them
        properties |= {"state": {"type": "string", "pattern": "^0x[0-9A-F]+$"}, "ethereal": PLAIN[bool]}
    return {"type": "object", "properties": properties, "required": list(properties)}

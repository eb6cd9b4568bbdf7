"""The forms that pages sketch, as ``{"cell", "regions": [[[x,y],…]]}``, and what of one a document lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from tests.viewer.docs.pages import DOCS, PAGES, spans

PROMISES = DOCS / "reference" / "promises.md"
SOURCES = DOCS / "reference" / "sources.md"
READ = [*PAGES, PROMISES, SOURCES]

_TOKEN = re.compile(r'"([^"]*)"|([{}\[\]:,])|([^\s{}\[\]:,"]+)')
_OPEN = {"{": "}", "[": "]"}


@dataclass
class Form:
    """What a page says of a value: its keys where it is an object, its elements where it is a list.

    A key may name two of which one is there, ``cell|entity``. A list of several elements sketches a tuple.
    """

    kind: str = "value"
    keys: dict[str, Form] = field(default_factory=dict)
    elements: list[Form] = field(default_factory=list)


def read_form(text: str) -> Form:
    """The form that a page's text sketches; keys without braces around them are an object's."""
    tokens = [
        match[1] if match[1] is not None else match[0] for match in _TOKEN.finditer(text.replace('"|"', "|"))
    ]
    if tokens[0] not in _OPEN:
        tokens = ["{", *tokens, "}"]
    return _value(tokens)


def _value(tokens: list[str]) -> Form:
    first = tokens.pop(0)
    if first not in _OPEN:
        return Form()
    made = Form("object" if first == "{" else "list")
    while (token := tokens.pop(0)) != _OPEN[first]:
        if token in (",", "…"):
            continue
        if made.kind == "list":
            tokens.insert(0, token)
            made.elements.append(_value(tokens))
            continue
        if tokens[0] == ":":
            tokens.pop(0)
            made.keys[token] = _value(tokens)
        else:
            made.keys[token] = _value(tokens) if tokens[0] in _OPEN else Form()
    return made


def paths(form: Form, at: str = "") -> set[str]:
    """Where a form has keys."""
    found = set()
    for name, inner in form.keys.items():
        found |= {f"{at}{name}", *paths(inner, f"{at}{name}.")}
    return found.union(*(paths(inner, f"{at}[].") for inner in form.elements))


def lacking(form: Form, value: Any, seen: set[str], at: str = "") -> Iterator[str]:
    """What a value lacks of a form, or has as another kind of thing; ``seen`` takes where it has a key."""
    if form.kind == "object":
        if not isinstance(value, dict):
            yield f"{at or 'all'} is no object"
            return
        for name, inner in form.keys.items():
            there = [key for key in name.split("|") if key in value]
            if not there:
                yield f"{at}{name}"
                continue
            seen.add(f"{at}{name}")
            if value[there[0]] is not None:
                yield from lacking(inner, value[there[0]], seen, f"{at}{name}.")
    elif form.kind == "list":
        if not isinstance(value, list):
            yield f"{at or 'all'} is no list"
        elif len(form.elements) == 1:
            for item in value:
                yield from lacking(form.elements[0], item, seen, f"{at}[].")
        elif form.elements and value:
            for inner, item in zip(form.elements, value, strict=True):
                yield from lacking(inner, item, seen, f"{at}[].")


def keys_of(value: Any) -> set[str]:
    """All keys of a document, at any depth."""
    if isinstance(value, dict):
        return set(value).union(*(keys_of(item) for item in value.values()))
    return set().union(*(keys_of(item) for item in value)) if isinstance(value, list) else set()


def sketch(path: Path, begins: str) -> str:
    """The one text in code on a page that begins so."""
    found = {span for span in spans(path) if span.startswith(begins)}
    assert len(found) == 1, f"{path.name}: {begins}: {len(found)} of them"
    return found.pop()


def schema(name: str) -> Any:
    return json.loads((DOCS / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def complaints(name: str, document: Any) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(schema(name)).iter_errors(document)]


def keys_of_schema(part: Any, at: str = "") -> set[str]:
    """Where documents of a schema may have keys, as `paths` tells them of a form."""
    found: set[str] = set()
    for name, inner in part.get("properties", {}).items():
        found |= {f"{at}{name}", *keys_of_schema(inner, f"{at}{name}.")}
    if "items" in part:
        found |= keys_of_schema(part["items"], f"{at}[].")
    return found.union(*(keys_of_schema(one, at) for one in part.get("anyOf", [])))

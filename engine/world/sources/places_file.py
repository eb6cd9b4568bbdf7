"""``places.json``: a world's places by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.files.format_version import PLACES
from engine.world.sources.json_node import Node, read_json

PLACES_FILE: Final = "places.json"


def read_places(folder: Path) -> dict[str, str]:
    """The locations by name that a world's folder tells. Raises JsonError, one line with file and place."""
    path = folder / PLACES_FILE
    return parse_places(read_json(path), str(path))


def parse_places(document: object, name: str) -> dict[str, str]:
    """A decoded ``places.json``; ``name`` is what errors call it. Raises JsonError."""
    root = Node(document, name)
    root.of_form(PLACES)
    return {key: _location(place) for key, place in root.by_name().items()}


def _location(node: Node) -> str:
    node.location()
    return str(node.value)

"""``holtwalk dat grep``: which objects name an id, and in which field (promises 9)."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from engine.dat.check.searching import Mention, search
from engine.dat.container.btree import Skipped
from engine.dat.container.installation import DatFiles
from engine.dat.hex_id import hex_id
from engine.files.shown import shown
from viewer.commands.dat.objects_told import Told

NAME = 255  # characters of a file's name
SHOWN = 8  # places of one object on its line


def grep(files: DatFiles, args: Namespace, skipped: Skipped, told: Told) -> None:
    """Print them as they are found."""
    for mention in search(files, frozenset(args.id), args.type, skipped, tell=told):
        told.make_way()
        print(json.dumps(_document(mention)) if args.json else _line(mention))


def _document(mention: Mention) -> dict[str, object]:
    listed = mention.listed
    document: dict[str, object] = {"file": listed.file.name, "id": hex_id(listed.entry.id)}
    document |= {"type": listed.type, "names": hex_id(mention.id)}
    document |= {"at": mention.at} if mention.at else {"bytes": mention.bytes}
    return document | ({"more": True} if mention.is_cut else {})


def _line(mention: Mention) -> str:
    listed = mention.listed
    places = list(mention.at) or [f"0x{offset:X}" for offset in mention.bytes]
    over = "over " if mention.is_cut else ""
    more = f" and {over}{len(places) - SHOWN} more" if len(places) > SHOWN else ""
    how = "names" if mention.at else "not decoded; its bytes hold"
    name = shown(Path(listed.file.name).name, NAME)
    at = ", ".join(places[:SHOWN]) + more
    return f"{hex_id(listed.entry.id)}  {listed.type:<18}  {name}  {how} {hex_id(mention.id)} at {at}"

"""The commands about what is in the dat files."""

from __future__ import annotations

from viewer.tables.option import DATS, Command, Option
from viewer.tables.option_values import (
    object_id,
    out_file,
)
from viewer.tables.shared_options import (
    JSON,
    JSON_LINES,
    LONG_WORK,
    PROGRESS,
    STREAM,
    TYPE,
)

DAT_COMMANDS = (
    Command(
        "dat ls",
        "lists what is in the dat files: id, type, size",
        "dat.dat",
        (TYPE, PROGRESS, JSON_LINES),
        group=DATS,
        example="holtwalk dat ls --type Setup",
    ),
    Command(
        "dat show",
        "prints one object with its decoded fields, or every one with --all",
        "dat.dat",
        (
            Option("id", "the object, in hexadecimal", "ID", object_id),
            Option("--all", "every object that can be decoded; with --json one line each"),
            TYPE,
            PROGRESS,
            JSON,
        ),
        group=DATS,
        example="holtwalk dat show 0xA9B40170",
    ),
    Command(
        "dat diff",
        "compares two installations, or two dat files, object by object and field by field; exits 1 where "
        "they differ",
        "dat.dat_diff",
        (
            Option("a", "a folder of dat files, or one of them", "A", required=True, reads=(".dat",)),
            Option("b", "what it is compared with", "B", required=True, reads=(".dat",)),
            TYPE,
            Option(
                "--entries",
                "tell as well where only the directory entry differs: flags, version, size, date, iteration",
            ),
            PROGRESS,
            JSON_LINES,
        ),
        takes_world=False,
        group=DATS,
        example="holtwalk dat diff old-client new-client --type EnvCell",
    ),
    Command(
        "dat grep",
        "lists which objects name an id, and in which field: who uses a model, texture, cell or animation",
        "dat.dat",
        (
            Option("id", "the ids, in hexadecimal", "ID", object_id, required=True, many=True),
            TYPE,
            PROGRESS,
            JSON_LINES,
        ),
        group=DATS,
        example="holtwalk dat grep 0x020019FF",
    ),
    Command(
        "dat extract",
        "writes one object as a file: its bytes, an image as PNG, a model or cell as glTF",
        "dat.dat",
        (
            Option("id", "the object, in hexadecimal", "ID", object_id, required=True),
            Option(
                "--out",
                "the file; .bin, .dat, .png, .glb or .gltf says in which form",
                "F",
                out_file,
                required=True,
                writes=True,
            ),
            TYPE,
        ),
        group=DATS,
        example="holtwalk dat extract 0x010044B5 --out leaf.glb",
    ),
    Command(
        "dat check",
        "decodes every object and follows every reference; exits 1 where something is wrong",
        "dat.dat",
        (*LONG_WORK, STREAM, JSON),
        group=DATS,
        example="holtwalk dat check --jobs 2",
    ),
)

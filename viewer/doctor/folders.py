"""The folders that are read and written, the program's own files, and the dats that are found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.dat.container.dat_file import DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.object_types import ITERATION_ID
from engine.dat.records.codecs import decode
from engine.dat.records.iteration import Iteration
from viewer.doctor.machine_finding import Finding
from viewer.user_folders import NO_HOME, config_folder, home_folder, named_pictures_folder

DATS_VARIABLE = "HOLTWALK_DATS"
FONTS = ("Roboto-Regular.ttf", "Inconsolata-Medium.ttf")
GAME = ("Turbine", "Asheron's Call")  # where the game's installer puts it
FIRST_BYTES = {b"\x00\x01\x00\x00", b"true", b"OTTO"}  # of a TrueType or OpenType file


def folders_found() -> Finding:
    """Where settings are kept and pictures go, and whether the files there can be used."""
    settings, pictures = config_folder(), named_pictures_folder()
    named = {"settings": settings, "pictures": pictures}
    figures = {name: folder and str(folder) for name, folder in named.items()} | {"program": str(_program())}
    wrong = [] if settings is None else [*_complaints(settings)]
    for name, folder in named.items():
        if folder is None:
            continue
        above = next(path for path in (folder, *folder.parents) if os.path.exists(path))
        if not os.path.isdir(above) or not os.access(above, os.W_OK | os.X_OK):
            wrong.append(f"{folder}: the folder for {name} can't be written")
    kept = f"pictures in {pictures}"
    if pictures is None or not os.path.isdir(pictures):
        kept = "pictures in the folder that it is started in"
        kept += "" if pictures is None else f", since there is no {pictures}"
    kept = f"settings in {settings}, {kept}" if settings is not None else f"no settings are kept, {kept}"
    homeless = settings is None or pictures is None
    lines = [NO_HOME] * homeless + wrong
    return Finding(
        name="folders",
        ok=None if lines else True,
        detail="; ".join([*lines, kept] if homeless else lines or [kept]),
        figures=figures,
        lacks="settings" if wrong else "home" if homeless else "",
    )


def files_found() -> Finding:
    """The program's own files: shaders, the demo world, fonts."""
    from viewer.renderer.gl.resources import MissingResourceError, data_folder

    wrong: list[str] = []
    try:
        shaders, assets = data_folder("shaders"), data_folder("assets")
    except MissingResourceError as error:
        return Finding(name="files", ok=False, detail=str(error), figures={}, lacks="files")
    if not any(shaders.rglob("*.glsl")) and not any(shaders.rglob("*.frag")):
        wrong.append(f"no shaders in {shaders}")
    for font in FONTS:
        path = assets / "fonts" / font
        if not path.is_file() or path.read_bytes()[:4] not in FIRST_BYTES:
            wrong.append(f"the font {path} is missing or no font")
    figures = {"shaders": str(shaders), "assets": str(assets), "fonts": list(FONTS)}
    detail = "; ".join(wrong) or f"shaders, demo world and {len(FONTS)} fonts in {assets.parent}"
    return Finding(name="files", ok=not wrong, detail=detail, figures=figures, lacks="files" if wrong else "")


def dats_found(named: str | None) -> Iterator[Finding]:
    """The demo's dats, those that an option or HOLTWALK_DATS names, and those in the game's usual folder."""
    from viewer.renderer.gl.resources import MissingResourceError, data_folder

    try:
        yield _dats("demo dats", data_folder("assets") / "demo", "files")
    except MissingResourceError as error:
        yield Finding(name="demo dats", ok=False, detail=str(error), figures={}, lacks="files")
    folder = named or os.environ.get(DATS_VARIABLE, "")
    if folder:
        yield _dats("your dats", Path(folder), "dats")
        return
    usual = next((path for path in usual_folders() if os.path.isdir(path)), None)
    if usual is None:
        detail = f"none named by --dats or {DATS_VARIABLE}, none in the game's usual folder"
        yield Finding(name="your dats", ok=None, detail=detail, figures={"folder": None}, lacks="dats")
        return
    found = _dats("your dats", usual, "dats")
    detail = f"{found.detail}; name them by --dats or {DATS_VARIABLE}"
    yield Finding(
        name=found.name,
        ok=None if found.ok else found.ok,
        detail=detail,
        figures=found.figures,
        lacks=found.lacks,
    )


def usual_folders() -> list[Path]:
    """Where the game's installer puts it, and where Wine does."""
    if sys.platform == "win32":
        drive = Path(os.environ.get("SYSTEMDRIVE", "C:") + "\\")
        return [drive.joinpath(*GAME), Path(os.environ.get("PROGRAMFILES(X86)", drive)).joinpath(*GAME)]
    home = home_folder()
    prefix = os.environ.get("WINEPREFIX") or (home and home / ".wine")
    if prefix is None:
        return []
    drive = Path(prefix) / "drive_c"
    return [drive.joinpath(*GAME), drive.joinpath("Program Files (x86)", *GAME)]


def _dats(name: str, folder: Path, lacks: str) -> Finding:
    """The files of one folder: kind, size, iteration, number of objects is not counted."""
    try:
        with DatFiles.open(folder) as files:
            damages: list[str] = []
            listed = [_dat(file, damages) for file in files.files()]
            passed_over = [str(error) for error in files.passed_over]
    except (DatError, OSError) as error:
        return Finding(name=name, ok=False, detail=str(error), figures={"folder": str(folder)}, lacks=lacks)
    figures: dict[str, object] = {"folder": str(folder), "files": listed, "passed_over": passed_over}
    words = [f"{dat['kind']} iteration {dat['iteration']}" for dat in listed]
    detail = f"{folder}: {', '.join(words + damages + passed_over)}"
    damaged = any(dat["iteration"] is None for dat in listed)
    return Finding(name, None if damaged else True, detail, figures)


def _dat(file: DatFile, damages: list[str]) -> dict[str, object]:
    """A file's name, kind, bytes and iteration; None where it has no readable record of it, which is told."""
    found: dict[str, object] = {"file": file.name, "kind": file.kind.name.lower(), "size": file.size}
    iteration = None
    try:
        entry = file.entry(ITERATION_ID)
        if entry is not None:
            record = decode("Iteration", file.read_entry(entry), file.name, entry.id)
            iteration = record.iterations if isinstance(record, Iteration) else None
    except DatError as error:
        damages.append(str(error))
    return found | {"iteration": iteration}


def _program() -> Path:
    return Path(__file__).resolve().parents[2]


def _complaints(folder: Path) -> Iterator[str]:
    """What is wrong in the settings and key files that are there; none is written here."""
    from viewer.window.user_files.key_file import load_keys
    from viewer.window.user_files.user_settings import Settings

    if os.path.exists(folder / "settings.toml"):
        yield from Settings(folder).complaints
    if os.path.exists(folder / "keys.toml"):
        yield from load_keys(folder / "keys.toml")[1]

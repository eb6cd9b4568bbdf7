"""Build sdist and wheel, install the wheel into an empty environment in another folder, and use it there.

    python scripts/check_package.py [--sdist] [--compiled]

The wheel is built from the sdist, so that whatever the sdist lacks is missing here. --sdist installs that
too, in an environment of its own; --compiled builds the wheel with the hot packages compiled, and sees
that they run.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import CHECKS, arguments_of, begin, complain, finish

begin(__name__, CHECKS)

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from engine.files.write import write_text
from scripts.environment import HARMLESS, ROOT, UNASKED, all_said, python_in

USES = (
    ("--version",),
    ("verify", "--only", "door-closed-centre"),
    ("tour", "--out", "tour", "--size", "96x54"),
    ("completion", "bash"),
)
"""What is run where the package was installed; each exits 0."""


class PackageError(Exception):
    """A step failed; the text says which, and its last words."""


def build(folder: Path, *, compiled: bool) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it."""
    variables = {"HOLTWALK_COMPILE": "1"} if compiled else {}
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    _call("build", [*words, str(ROOT)], ROOT, variables)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def use(package: Path, folder: Path, *, compiled: bool = False) -> None:
    """Install a package into an environment made in a folder, and use it from there."""
    environment = folder / "env"
    _call("venv", [sys.executable, "-m", "venv", "--without-pip", str(environment)], folder)
    python = python_in(environment)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    _call("pip install", [*pip, "install", "--quiet", "-c", str(_pins(folder)), str(package)], folder)
    program = python.with_name("holtwalk.exe" if os.name == "nt" else "holtwalk")
    for words in USES:
        _call(f"holtwalk {' '.join(words)}", [str(program), *words], folder)
    found = json.loads(_call("holtwalk doctor", [str(program), "doctor", "--json"], folder))
    form = next(result for result in found["results"] if result["name"] == "hot packages")
    wanted = "compiled" if compiled else "interpreted"
    if form["figures"]["form"] != wanted:
        raise PackageError(f"the hot packages run {form['figures']['form']}, not {wanted}")
    if len(list((folder / "tour").glob("*.png"))) < 5:
        raise PackageError("the tour drew fewer than five pictures")


def _pins(folder: Path) -> Path:
    """The versions of the lock file, without hashes: the package itself has none there."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = folder / "pins.txt"
    write_text(pins, "\n".join(line.rstrip(" \\") for line in lines if "==" in line))
    return pins


def _call(step: str, words: list[str], folder: Path, more: Mapping[str, str] = {}) -> str:
    """Run a step in a folder, away from the checkout; what it printed."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("HOLTWALK_", "PYTHONPATH"))}
    start = time.perf_counter()
    with subprocess.Popen(
        words, cwd=folder, env={**variables, **more, **UNASKED}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors=HARMLESS,
    ) as running:  # fmt: skip
        said, complaints = all_said(running, step)
    verdict = "ok" if running.returncode == 0 else "FAILED"
    print(f"  {step}: {verdict} ({time.perf_counter() - start:.1f} s)", flush=True)
    if running.returncode != 0:
        print(said[-4000:], complaints[-4000:])
        raise PackageError(f"{step} failed")
    return said


def main(arguments: list[str]) -> int:
    """Build, install, use; 1 where a step fails."""
    parser = arguments_of(__doc__)
    parser.add_argument("--sdist", action="store_true", help="install and use the sdist as well")
    parser.add_argument("--compiled", action="store_true", help="compile the hot packages into the wheel")
    given = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="holtwalk-package-") as name:
            folder = Path(name)
            built = folder / "built"
            built.mkdir()
            sdist, wheel = build(built, compiled=given.compiled)
            print(f"{sdist.name}, {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")
            for package in (wheel, sdist) if given.sdist else (wheel,):
                place = folder / package.suffix[1:]
                place.mkdir()
                use(package, place, compiled=given.compiled and package is wheel)
    except PackageError as error:
        complain(str(error))
        return 1
    print("the package works")
    return 0


if __name__ == "__main__":
    finish(main)

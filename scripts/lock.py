"""Pin what the program and its checks need, for every system and Python, with the hashes of all files.

    python scripts/lock.py [--upgrade]        (with uv on the path: pip install uv)

Reads pyproject.toml, asks the package index, writes requirements.lock and requirements-test.lock. From them
pip installs nothing whose hash is not there. What is pinned already stays unless --upgrade is given.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import CHECKS, RUNTIME, arguments_of, begin, complain, finish

begin(__name__)

import shutil
import subprocess

from scripts.environment import ROOT, all_said

OLDEST = "3.11"
LOCKS: dict[str, tuple[str, ...]] = {
    RUNTIME: (),
    CHECKS: ("test", "docs", "build"),
}


def command(lock: str, extras: tuple[str, ...]) -> list[str]:
    """The call that writes a lock file."""
    words = ["uv", "pip", "compile", "pyproject.toml", "--universal", "--generate-hashes"]
    words += ["--python-version", OLDEST, "--quiet", "--no-annotate", "--output-file", lock]
    words += ["--custom-compile-command", "scripts/lock.py"]
    return words + [word for extra in extras for word in ("--extra", extra)]


def main(arguments: list[str]) -> int:
    """Write them; 2 where there is no uv, else what it returns."""
    parser = arguments_of(__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    given = parser.parse_args(arguments)
    if shutil.which("uv") is None:
        return complain("uv is not here (pip install uv)")
    for lock, extras in LOCKS.items():
        upgrade = ["--upgrade"] if given.upgrade else []
        with subprocess.Popen([*command(lock, extras), *upgrade], cwd=ROOT, text=True) as step:
            all_said(step, f"uv, for {lock},")
        if step.returncode != 0:
            return step.returncode
    return 0


if __name__ == "__main__":
    finish(main)

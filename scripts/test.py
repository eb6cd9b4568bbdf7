"""Run every check of the project: style, types, layers, docs, tests.

    python scripts/test.py [--no-skips] [--compiled] [arguments of pytest]

Makes the environment first. Needs Python 3.11 or later and nothing else; tests that draw use EGL, and
tests that open a window use Xvfb, where there is one. With --no-skips (or HOLTWALK_NO_SKIPS=1) a test that
would be skipped for want of either, or of a program or a device, fails instead. With --compiled the hot
packages are compiled first and the tests run on that form, which is removed again where none was there; those
that replace or count functions are skipped.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - said here, since an old one can't even read what follows
    print(f"holtwalk: Python 3.11 or later is needed; this is {sys.version.split()[0]}", file=sys.stderr)
    sys.exit(2)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.start import CHECKS, begin, finish

begin(__name__)

import os
import subprocess
import time

from scripts.environment import ROOT, child_environment, prepare

STEPS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command as run; run()"],
    "docs": ["-m", "mkdocs", "build", "--strict", "--site-dir", str(ROOT / "build" / "site")],
}


def main(given: list[str]) -> int:
    """Run the checks, all of them even where one fails; 0 when all passed."""
    no_skips, compiled = "--no-skips" in given, "--compiled" in given
    given = [argument for argument in given if argument not in ("--no-skips", "--compiled")]
    python = str(prepare(CHECKS))
    variables = child_environment() | {"NO_MKDOCS_2_WARNING": "1"}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of starts would each compile the program anew
    if no_skips:
        variables["HOLTWALK_NO_SKIPS"] = "1"
    failed = []
    for name, arguments in STEPS.items():
        start = time.perf_counter()
        done = subprocess.run(
            [python, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
        )
        print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'} ({time.perf_counter() - start:.1f} s)")
        if done.returncode != 0:
            failed.append(name)
            print(done.stdout + done.stderr)
    if failed:
        print(f"failed before the tests: {', '.join(failed)}")
    sys.stdout.flush()
    form = [python, "scripts/compile_hot.py"]
    had_form = (ROOT / "engine" / "_compiled").exists()
    if compiled:
        variables.pop("HOLTWALK_INTERPRETED", None)
        if subprocess.run(form, cwd=ROOT, env=variables, check=False).returncode != 0:
            return 1
    try:
        tests = _run_tests(python, given, variables)
    finally:
        if compiled and not had_form:
            subprocess.run([*form, "--clean"], cwd=ROOT, env=variables, check=False)
    return 1 if failed or tests != 0 else 0


def _run_tests(python: str, given: list[str], variables: dict[str, str]) -> int:
    """pytest's exit status, on all cores where nothing else is said."""
    parallel = not any(argument.startswith(("-n", "--pdb")) for argument in given)
    workers = ["-n", "auto", "--dist", "worksteal"] if parallel else []
    command = [python, "-m", "pytest", *workers, *given]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUTF8", "1")
    finish(main)

"""What ``scripts/test.py`` does: style, types, layers, docs, tests, all of them even where one fails."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.stderr.write("holtwalk: this is a part of the other scripts; run.py, beside it, starts the program\n")
    sys.exit(2)

import os
import shutil
import subprocess
import tempfile
import time

from scripts.environment import HARMLESS, ROOT, all_said, child_environment, prepare
from scripts.start import CHECKS

SITE = "a folder of its own"  # of the docs step: what lies in a folder of the user's would be cleared away
STEPS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command as run; run()"],
    "docs": ["-m", "mkdocs", "build", "--strict", "--site-dir", SITE],
    "tests found": ["-m", "pytest", "-qq", "--collect-only", "-p", "no:cacheprovider"],
}
"""``tests found`` compiles the tests beside mypy, once: each of the workers would do it anew."""


def main(given: list[str]) -> int:
    """Run the checks, all of them even where one fails; 0 when all passed."""
    if {"-h", "--help"} & set(given):
        from scripts import test

        print((test.__doc__ or "").strip())
        return 0
    os.environ.setdefault("PYTHONUTF8", "1")
    no_skips, compiled = "--no-skips" in given, "--compiled" in given
    given = [argument for argument in given if argument not in ("--no-skips", "--compiled")]
    python = str(prepare(CHECKS))
    variables = child_environment() | {"NO_MKDOCS_2_WARNING": "1"}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of starts would each compile the program anew
    if no_skips:
        variables["HOLTWALK_NO_SKIPS"] = "1"
    failed = []
    site = tempfile.mkdtemp(prefix="holtwalk-site-")
    running = {
        name: _Step(python, [site if word == SITE else word for word in arguments], variables)
        for name, arguments in STEPS.items()
    }
    try:
        for name, step in running.items():
            seconds, said = step.ended(name)
            print(f"{name}: {'ok' if step.is_ok else 'FAILED'} ({seconds:.1f} s)", flush=True)
            if not step.is_ok:
                failed.append(name)
                print(said)
    finally:
        for step in running.values():  # whoever ends this ends them
            step.kill()
        shutil.rmtree(site, ignore_errors=True)
    if failed:
        print(f"failed before the tests: {', '.join(failed)}")
    sys.stdout.flush()
    form = [python, "scripts/compile_hot.py"]
    had_form = (ROOT / "engine" / "_compiled" / "made_from.json").exists()
    if compiled:
        variables.pop("HOLTWALK_INTERPRETED", None)
        if subprocess.run(form, cwd=ROOT, env=variables, check=False).returncode != 0:
            return 1
    cleaned = 0
    try:
        tests = _run_tests(python, given, variables)
    finally:
        if compiled and not had_form:
            cleaned = subprocess.run([*form, "--clean"], cwd=ROOT, env=variables, check=False).returncode
    return 1 if failed or tests != 0 or cleaned != 0 else 0


class _Step:
    """A check that runs beside the others."""

    def __init__(self, python: str, arguments: list[str], variables: dict[str, str]) -> None:
        self._start = time.perf_counter()
        self._process = subprocess.Popen(
            [python, *arguments],
            cwd=ROOT,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors=HARMLESS,
        )

    def ended(self, name: str) -> tuple[float, str]:
        """Wait for its end; the seconds since it began, and all that it said."""
        said = all_said(self._process, name)[0]
        return time.perf_counter() - self._start, said

    def kill(self) -> None:
        """End it where it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    @property
    def is_ok(self) -> bool:
        return self._process.returncode == 0


def _run_tests(python: str, given: list[str], variables: dict[str, str]) -> int:
    """pytest's exit status, on all cores where nothing else is said."""
    parallel = not any(argument.startswith(("-n", "--pdb")) for argument in given)
    workers = ["-n", "auto", "--dist", "worksteal"] if parallel else []
    command = [python, "-m", "pytest", *workers, *given]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode

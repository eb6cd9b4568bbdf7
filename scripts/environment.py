"""The project's own environment: `.venv` in the checkout, holding exactly what a lock file names.

Only the standard library is used: this runs before anything is installed.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.stderr.write("holtwalk: this is a part of the other scripts; run.py, beside it, starts the program\n")
    sys.exit(2)

import os
import time
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False  # as typing has it, which takes as long to load as all the rest
if TYPE_CHECKING:
    import subprocess

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
HARMLESS = "backslashreplace"  # for what others print, which may be no text
SAY_EVERY = 15.0  # seconds
ELSEWHERE = ("PIP_DRY_RUN", "PIP_PREFIX", "PIP_PYTHON", "PIP_ROOT", "PIP_TARGET", "PIP_USER", "PYTHONPATH")
"""Variables that would have pip install nothing, or not all, or into another place than the environment."""
UNASKED = {"PIP_NO_INPUT": "1"}
"""Has pip fail where it would ask, for the name and password of an index: nobody sees what it asks."""


class SetupError(Exception):
    """The environment could not be made; the text says why and what to do."""


def python_in(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    if os.name == "nt":
        return environment / "Scripts" / "python.exe"
    return environment / "bin" / "python"


def prepare(lock_name: str, environment: Path = ENVIRONMENT) -> Path:
    """Make sure the environment holds what a lock file at the project's root names; its interpreter.

    An environment that was filled from the same text with the same Python is used as it is, and so is one
    that was filled from another lock file with the same pins and more. Of several processes one fills it and
    the others wait. Where that was broken off it is made anew; what was not made here is not cleared for it.
    One that is reached through a link belongs to another checkout: it is used where it fits, and never filled
    or cleared.
    """
    if sys.version_info < OLDEST_PYTHON:
        raise SetupError(f"Python 3.11 or later is needed; this is {sys.version.split()[0]}")
    python = python_in(environment)
    if _is_filled(environment, lock_name):
        _use(environment)
        return python
    if environment.is_symlink():
        version = ".".join(str(part) for part in sys.version_info[:2])
        raise SetupError(
            f"{environment} is a link to {environment.resolve()}, which does not hold what {lock_name} names"
            f" for Python {version}: remove the link, or fill that environment where it is"
        )
    from engine.files.lock import locked  # not before the version of Python is known to do

    beside = environment.resolve()
    try:
        with locked(beside.with_name(f"{beside.name}.lock"), _say_waiting) as lock:
            if not _is_filled(environment, lock_name):
                _fill(environment, lock_name, lock)
    except OSError as error:
        raise SetupError(f"{error.filename or environment}: {error.strerror}") from error
    _use(environment)
    return python


def lacks(lock_name: str, *, as_pinned: bool = False) -> bool:
    """Whether this Python is too old, or has no release at all of something that a lock file names.

    Or, where it is to be ``as_pinned``, another one.
    """
    if sys.version_info < OLDEST_PYTHON:
        return True
    from importlib.metadata import PackageNotFoundError, distribution

    for name in _lock_files(lock_name):
        for line in _text_of(name).splitlines():
            package, pin, rest = line.partition("==")
            if package and pin and ";" not in rest:  # what only some systems need is left out
                try:
                    version = distribution(package).version
                except PackageNotFoundError:
                    return True
                if as_pinned and version != rest.rstrip(" \\"):
                    return True
    return False


def _lock_files(lock_name: str) -> list[str]:
    """A lock file and those that it includes."""
    names = [lock_name]
    for name in names:
        included = [line[3:].strip() for line in _text_of(name).splitlines() if line.startswith("-r ")]
        names += [other for other in dict.fromkeys(included) if other not in names]
    return names


def _text_of(lock_name: str) -> str:
    try:
        return (ROOT / lock_name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SetupError(f"{ROOT / lock_name}: is no UTF-8") from None


def _pins(lock_name: str) -> set[str]:
    """The packages of a lock file and of those that it includes, each with its version and condition."""
    texts = [_text_of(name) for name in _lock_files(lock_name)]
    return {line.rstrip(" \\") for text in texts for line in text.splitlines() if "==" in line}


def _is_filled(environment: Path, lock_name: str) -> bool:
    """Whether it was filled, to the end, from this lock file or from one that pins the same and more."""
    if not python_in(environment).exists() or _unfinished(environment).exists():
        return False
    wanted = _pins(lock_name)
    for name in (lock_name, *sorted(path.name for path in ROOT.glob("*.lock"))):
        mark = _mark(environment, name)
        if (
            mark.exists()
            and wanted <= _pins(name)
            and mark.read_text("utf-8", "replace") == _fingerprint(name)
        ):
            return True
    return False


def _mark(environment: Path, lock_name: str) -> Path:
    """A file in the environment that says from what text of a lock file it was filled."""
    return environment / f"installed-{lock_name}.sha256"


def _fill(environment: Path, lock_name: str, lock: int) -> None:
    from engine.files.lock import is_shared
    from engine.files.write import write_text

    python = python_in(environment)
    unfinished = _unfinished(environment)
    version = ".".join(str(part) for part in sys.version_info[:2])
    runs = python.exists() and _runs(python)
    is_sound = runs and not unfinished.exists()
    if not is_sound and not _is_ours(environment):
        raise SetupError(
            f"{environment} holds no Python {version} with pip that runs, and was not made here:"
            " move it away, or remove it"
        )
    again = []
    if not is_sound and environment.exists() and is_shared(_used(environment)):
        if not runs:
            raise SetupError(
                f"{environment} is in use by a Holtwalk that runs, and would be made anew for Python"
                f" {version}: end that first, or use its Python"
            )
        is_sound, again = True, ["--force-reinstall"]  # what was broken off may be there by name only
    write_text(unfinished, "")  # what is left where this is broken off is not to be trusted
    for old in environment.glob("installed-*.sha256"):
        old.unlink()  # other versions may now take the place of those that it speaks of
    if not is_sound:
        _say(f"making an environment in {environment}")
        _call(
            [sys.executable, "-m", "venv", "--clear", "--without-pip", str(environment)],
            "could not make a virtual environment (on Debian and Ubuntu: apt install python3-venv)",
            lock,
        )
        _call(  # by itself: venv says nothing of why it fails
            [str(python), "-Im", "ensurepip", "--upgrade", "--default-pip"],
            "could not put pip there (without ensurepip, on Debian and Ubuntu: apt install python3-venv)",
            lock,
        )
    _say(f"installing what {lock_name} names: this is done once, and takes a minute or two")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *again]
    _call(
        [*install, "-r", lock_name],
        "could not install the dependencies (is there a network, an index that asks for no login, and a wheel"
        " for this Python?)",
        lock,
    )
    if not _holds(python, lock_name):
        raise SetupError(
            f"pip has put what {lock_name} names into another place than {environment}, as its settings say"
            f" ({python} -m pip config list)"
        )
    write_text(_mark(environment, lock_name), _fingerprint(lock_name))
    unfinished.unlink()


def _use(environment: Path) -> None:
    """Have nobody clear the environment as long as this process runs, or the program that takes its place."""
    from engine.files.lock import share

    with suppress(OSError):  # somebody else's
        share(_used(environment))


def _used(environment: Path) -> Path:
    """A file beside the environment that is locked by those who use it."""
    beside = environment.resolve()
    return beside.with_name(f"{beside.name}.used")


def _is_ours(environment: Path) -> bool:
    """Whether it may be cleared: something here began or filled it, or there is nothing in it."""
    if _unfinished(environment).exists() or any(environment.glob("installed-*.sha256")):
        return True
    return not environment.exists() or (environment.is_dir() and not any(environment.iterdir()))


def _unfinished(environment: Path) -> Path:
    """A file beside the environment that is there while it is being made or filled."""
    beside = environment.resolve()
    return beside.with_name(f"{beside.name}.unfinished")


def _say_waiting() -> None:
    _say("another process is filling the environment; waiting for it")


def child_environment() -> dict[str, str]:
    """This process's variables with the checkout on the module path, for commands run in any folder.

    Raises SetupError where the checkout can't be named there.
    """
    if os.pathsep in str(ROOT):
        raise SetupError(f'{ROOT} has "{os.pathsep}" in its name, which divides paths for Python: rename it')
    variables = dict(os.environ)
    paths = [str(ROOT), *filter(None, [variables.get("PYTHONPATH")])]
    variables["PYTHONPATH"] = os.pathsep.join(paths)
    return variables


def _fingerprint(lock_name: str) -> str:
    """A hash over the lock file, the lock files it includes, and the Python that is used."""
    import hashlib

    digest = hashlib.sha256(repr((sys.version_info[:2], sys.platform)).encode())
    for name in _lock_files(lock_name):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _runs(python: Path) -> bool:
    """Whether an environment's interpreter still works and is the version that runs this script."""
    import subprocess  # takes long to load: not before it is known what an interrupt does

    probe = "import sys, pip; print(sys.version_info[:2])"
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", probe], stdin=subprocess.DEVNULL, capture_output=True, check=False,
            text=True, errors=HARMLESS,
        )  # fmt: skip
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == str(sys.version_info[:2])


def _holds(python: Path, lock_name: str) -> bool:
    """Whether an environment has all that a lock file names, as it is pinned, by its own interpreter."""
    import subprocess  # as above

    look = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from scripts.environment import lacks; "
    look += f"sys.exit(lacks({lock_name!r}, as_pinned=True))"
    return subprocess.run([str(python), "-I", "-c", look], capture_output=True, check=False).returncode == 0


def _call(command: list[str], problem: str, lock: int | None = None) -> None:
    """Run a step, which holds the lock as long as it lives."""
    import subprocess  # as above

    held = () if lock is None or os.name == "nt" else (lock,)
    variables = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    with subprocess.Popen(
        command, cwd=ROOT, env=variables | UNASKED, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, pass_fds=held, text=True, errors=HARMLESS,
    ) as step:  # fmt: skip
        said = all_said(step, "this")[0]
    if step.returncode != 0:
        output = [line for line in said.splitlines() if line.strip()]
        last = next((line for line in reversed(output) if "error" in line.lower()), "".join(output[-1:]))
        raise SetupError(f"{problem}: {last.strip()}")


def all_said(step: subprocess.Popen[str], name: str) -> tuple[str, str]:
    """What a process prints, and what it complains of, until it ends, which is waited for.

    That it is at work is told meanwhile. Whoever ends the wait ends the process.
    """
    import subprocess  # as above

    begun = time.monotonic()
    while True:
        try:
            return step.communicate(timeout=SAY_EVERY)
        except subprocess.TimeoutExpired:
            _say(f"{name} is still at work after {time.monotonic() - begun:.0f} s")
        except BaseException:
            step.kill()
            raise


def _say(text: str) -> None:
    print(f"holtwalk: {text}", file=sys.stderr, flush=True)

"""A checkout whose environment costs nothing, for the tests of how scripts begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import ROOT

STAND_INS = {
    '[str(python), "-Im", "ensurepip", "--upgrade", "--default-pip"]': '[str(python), "-c", ""]',
    '[str(python), "-m", "pip", "install"': '[str(python), str(ROOT / "pip.py")',
    "import sys, pip;": "import sys;",
}
"""What takes its time, or needs a network, in scripts/environment.py, and what is called in its place."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment is filled by a stand-in for pip that takes its time."""
    for name in ("engine", "viewer"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    modules = ("run", "test", "start", "launch", "checks", "environment", "interrupts")
    for name in ("holtwalk", *(f"{name}.py" for name in modules)):
        text = (ROOT / "scripts" / name).read_text(encoding="utf-8")
        for real, stand_in in STAND_INS.items() if name == "environment.py" else ():
            assert real in text
            text = text.replace(real, stand_in)
        (scripts / name).write_text(text, encoding="utf-8")
    (tmp_path / "requirements.lock").write_text("")
    (tmp_path / "requirements-test.lock").write_text("-r requirements.lock\n")
    (tmp_path / "pip.py").write_text(
        "import pathlib, time\n"
        "log = pathlib.Path(__file__).with_name('log')\n"
        "log.open('a').write('begun\\n'); time.sleep(1.5); log.open('a').write('ended\\n')\n"
    )
    return tmp_path

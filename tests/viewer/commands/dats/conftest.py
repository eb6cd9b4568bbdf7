"""What more than one of these modules runs."""

from __future__ import annotations

import pytest

from tests.viewer.dat_folders import RunDat
from viewer.main import main


@pytest.fixture
def run_dat(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunDat:
    """Runs ``holtwalk dat ...``: its exit code, standard output and standard error."""
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)

    def go(*words: object) -> tuple[int, str, str]:
        code = main(["dat", *map(str, words)])
        out, err = capsys.readouterr()
        assert all(line.startswith("holtwalk: ") for line in err.splitlines()), err
        assert "Traceback" not in err
        assert "internal error" not in err + out, err + out
        return code, out, err

    return go

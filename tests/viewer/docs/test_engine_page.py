"""The program on the page about the engine runs, and prints what the page says."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stdout

from tests.places import ROOT
from tests.viewer.docs.pages import DOCS, blocks


def test_the_program_on_the_page_prints_what_the_page_says() -> None:
    found = dict(blocks(DOCS / "engine.md"))
    out = io.StringIO()
    with chdir(ROOT), redirect_stdout(out):
        exec(compile(found["python"], "engine.md", "exec"), {})
    assert out.getvalue() == found["text"]

"""``holtwalk pvs --why``: the answer as words and JSON, with the list it is about."""

from __future__ import annotations

import pytest

from tests.viewer.programs import Program

STREET = ("pvs", "--demo", "--at", "0xA9B40031 [155.4 19.0 94.0] 0 0 0 1")
INN = ("pvs", "--demo", "--at", "0xA9B40164")


def test_every_listed_cell_has_a_chain_and_one_left_out_has_none_that_arrives(program: Program) -> None:
    document = program.json(*STREET, "--why", "0xA9B40170")
    answer = document["why"]
    assert answer["visible"] and "0xA9B40170" in [c["cell"] for c in document["cells"]]
    assert {chain["arrives"] for chain in answer["chains"]} == {True}
    assert answer["chains"][0]["gates"][0]["kind"] == "opening"
    missing = program.json(*INN, "--why", "170")
    assert missing["why"]["cell"] == "0xA9B40170"
    assert not missing["why"]["visible"] and not missing["why"]["chains"][0]["arrives"]
    assert "0xA9B40170" not in [c["cell"] for c in missing["cells"]]


def test_the_words_say_where_the_chain_stopped(program: Program) -> None:
    lines = program.run(*INN, "--why", "170").splitlines()
    assert lines[0].startswith("0xA9B40170 is not visible: at portal 1 of ")
    assert "0xA9B40164/0 to the outdoors: clipped away (the portal lies behind the eye)" in lines[0]
    assert lines[-1].endswith("not tried")


def test_a_mode_that_hides_a_cell_is_not_why_it_is_not_seen(program: Program) -> None:
    document = program.json(*INN, "--mode", "root", "--why", "157")
    assert [c["cell"] for c in document["cells"]] == ["0xA9B40164"]
    assert document["why"]["visible"]


@pytest.mark.parametrize("cell", ["0xA9B4FFF0", "FFF0"])
def test_a_cell_that_is_nowhere_is_refused(program: Program, cell: str) -> None:
    assert "--why: there is no cell 0xA9B4FFF0 in this world" in program.complaint(*INN, "--why", cell)


def test_a_word_that_is_no_id_is_refused(program: Program) -> None:
    assert "--why" in program.complaint(*INN, "--why", "inn")

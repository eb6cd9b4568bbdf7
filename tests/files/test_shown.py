"""Messages quote nothing long and nothing that a terminal obeys."""

import pytest

from engine.files.shown import harmless, one_line, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("abc", "abc"),
        ("a" * 41, "a" * 40 + "…"),
        ("\x1b[31m\n\t\r\x9b\u202e", "\\x1b[31m\\n\\t\\x0d\\x9b\\u202e"),
        (7, "7"),
        (10**5000, "a number of 16610 bits"),
        ([10**5000], "a list"),
        ([1, None, True], "[1, null, true]"),
        ({"a": "é\x1b"}, '{"a": "\\u00e9\\u001b"}'),
        (float("nan"), "nan"),
        (object(), "a object"),
    ],
    ids=range(10),
)
def test_values(value, text):
    assert shown(value) == text


def test_a_line_is_one_and_has_an_end():
    assert one_line("a\nb\t c\x1b]0;x\x07") == "a b c\\x1b]0;x\\x07"
    assert one_line("a " + "x" * 1024 + " b") == "a " + "x" * 300 + "… b"
    assert one_line("x" * 1023) == "x" * 1023
    line = one_line("x " * 10_000_000 + "end")
    assert len(line) < 2010
    assert line.endswith("end")
    assert " … " in line


def test_tables_keep_their_lines():
    assert harmless("a\tb\nc\x1b[2J") == "a\tb\nc\\x1b[2J"

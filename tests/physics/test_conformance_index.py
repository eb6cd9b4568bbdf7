"""Every case on the pages from sweep to movement has a test that bears its number.

A test bears a number in its name (``test_SC1_...``) or as the name of one of its parameter sets
(``("PO9", ...)``, where a letter or words behind the number tell further lines of a case apart).
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = ("collision", "physics", "world")

TABLE = """
LD1 LD2 LD3 LD4 LD5 LD6 LD7 LD8 LD9 LD10 LD11 LD12 LD13 LD14 LD15 LD16 LD17 LD18 LD19 LD20
OC1 OC2 OC3 OC4 OC5 OC6 OC7 OC8 OC9 OC10 OC11
TE1 TE2 TE3 TE4 TE5 TE6 TE7 TE8 TE9 TE10 TE11
PO1 PO2 PO3 PO4 PO5 PO6 PO7 PO8 PO9 PO10 PO11 PO12 PO13 PO14 PO15 PO16 PO17 PO18 PO19 PO20 PO21
CB1 CB2 CB3 CB4 CB5
AO1 AO2 AO3 AO4 AO5 AO6 AO7 AO8 AO9 NS1 NS2 NS3 NS4
SL1 SL2 SL3 SL4 SL5 SL6 SL7 SL8 SL9 CS1 CS2 CS3
VW1 VW2 VW3 VW4 VW5 VW6 VW7 VW8 VW9 VW10 VW11
IN1 IN2 IN3 IN4 IN5 IN6 IN7 BO1 BO2 QU1 QU2 QU3 QU4
MO1 MO2 MO3 MO4 MO5 MO6 MO7 MO8
SC1 SC2 SC3 SC4 SC5 SC6 SC7 SC8 SC9 SC10 SC11 SC12 SC13 SC14 SC15 SC16 SC17 SC18 SC19 SC20 SC21
OB1 OB2 OB3 OB4 OB5 OB6 OB7 OB8
OD1 OD2 OD3 OD4 OD5 OD6 OD7 OD8 OD9 OD10 OD11
ME1 ME2 ME3 ME4 ME5 ME6 ME7 ME8 ME9 ME10 ME11 ME12 ME13
FS1 FS2
SB1 SB2 SB3 SB4 SB5 SB6 SB7 OT1 OT2 OT3 OT4 OT5 DO1 DO2
"""
IDS = TABLE.split()

NUMBER = re.compile(r"([A-Z]{2}\d{1,2})(?:[a-z]|-[a-z-]+)?")


def numbers_of(test: ast.FunctionDef) -> set[str]:
    """The case numbers in a test's name and in the parameter sets of its decorators."""
    words = test.name.upper().split("_")
    for decorator in test.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.append(node.value)
    return {match[1] for word in words if (match := NUMBER.fullmatch(word))}


def index() -> dict[str, list[str]]:
    """Tests by case number."""
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted((TESTS / folder).rglob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    for number in numbers_of(node):
                        found.setdefault(number, []).append(f"{path.name}::{node.name}")
    return found


INDEX = index()


def test_the_list_is_the_whole_of_the_reference():
    assert len(IDS) == len(set(IDS)) == 194


@pytest.mark.parametrize("number", IDS)
def test_a_case_has_its_test(number):
    assert INDEX.get(number), f"no test bears the number {number}"


def test_a_number_is_seen_in_a_name_or_a_parameter_set_and_nowhere_else():
    source = (
        "@pytest.mark.parametrize('name', [('AB12', 1), ('CD3b', 2), ('see EF4', 3)])\n"
        "def test_GH5_of_a_thing(name):\n    'IJ6'\n    print('KL7')\n"
    )
    (test,) = ast.parse(source).body
    assert isinstance(test, ast.FunctionDef)
    assert numbers_of(test) == {"AB12", "CD3", "GH5"}

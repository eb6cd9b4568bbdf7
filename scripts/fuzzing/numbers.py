"""What numbers of the fuzzers' command lines must be."""

from __future__ import annotations

import argparse


def read_part(text: str) -> tuple[int, int]:
    """``K/N``: which of so many parts; argparse's error for what is none."""
    which, _, parts = text.partition("/")
    if not (which.isdecimal() and parts.isdecimal() and int(which) < int(parts)):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not K/N, K below N")
    return int(which), int(parts)


def read_count(text: str) -> int:
    """A number of inputs, 0 or more."""
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number from 0 on")
    return int(text)

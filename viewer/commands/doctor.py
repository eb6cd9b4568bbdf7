"""``holtwalk doctor``: what this machine offers, what is missing, and how to get it (promises 8)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.files.shown import one_line
from viewer.doctor.examination import examine
from viewer.doctor.machine_finding import Finding

MARKS = {True: "ok", None: "--", False: "NO"}


def run(args: Namespace) -> int:
    """Print every finding; 1 where something is missing that nothing works without."""
    results: list[dict[str, object]] = []
    ok = True
    for finding in examine(args.dats):
        ok = ok and finding.ok is not False
        results.append(_document(finding))
        if not args.json:
            print(f"{MARKS[finding.ok]}  {finding.name}: {one_line(finding.detail)}", flush=True)
            if finding.remedy:
                print(f"      to get it: {finding.remedy}", flush=True)
    if args.json:
        print(json.dumps({"ok": ok, "results": results}))
    return 0 if ok else 1


def _document(finding: Finding) -> dict[str, object]:
    document: dict[str, object] = {"name": finding.name, "ok": finding.ok, "figures": dict(finding.figures)}
    return document | {"detail": finding.detail, "remedy": finding.remedy or None}

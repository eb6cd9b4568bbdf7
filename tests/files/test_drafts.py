"""What is not whole yet goes with its writer: when it is asked to end at once, else with the next one."""

import os
import signal
import subprocess
import sys

import pytest

from engine.files import write
from engine.files.ended_in_order import ended_in_order
from tests.needed import posix
from tests.places import ROOT

pytestmark = posix("signals and locks of folders")
REQUESTS = [signal.SIGTERM, signal.SIGHUP]
FOLDER = """
import os, sys, time
from engine.files.write import whole_folder, write_text
with whole_folder(sys.argv[1]) as folder:
    write_text(folder / "a", "x")
    print("here", flush=True)
    time.sleep(60)
"""
FILE = """
import os, signal, sys
from engine.files import draft_file, write
sys.argv[2] == "unnamed" or setattr(draft_file, "_UNNAMED", 0)
replace = os.replace
def asked_to_end(*names):
    signal.raise_signal(int(sys.argv[3]))
    replace(*names)
os.replace = asked_to_end
write.write_text(sys.argv[1], "x")
"""


def writer(place):
    process = subprocess.Popen(
        [sys.executable, "-c", FOLDER, place], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    return process


def old(folder):
    """Make what lies in a folder two minutes older."""
    for path in folder.iterdir():
        os.utime(path, (path.stat().st_mtime - 120,) * 2)


@pytest.mark.parametrize("request_to_end", REQUESTS)
def test_a_request_to_end_leaves_nothing_of_a_folder_and_ends_as_it_would(tmp_path, request_to_end):
    process = writer(tmp_path / "new")
    process.send_signal(request_to_end)
    process.communicate(timeout=30)
    assert process.returncode == -request_to_end
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["unnamed", "named"])
def test_a_request_to_end_leaves_nothing_of_a_file(tmp_path, kind):
    (tmp_path / "f").write_text("older")
    done = subprocess.run(
        [sys.executable, "-c", FILE, tmp_path / "f", kind, str(int(signal.SIGTERM))], cwd=ROOT, check=False
    )
    assert done.returncode == -signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert (tmp_path / "f").read_text() == "older"


def test_the_next_folder_clears_what_a_killed_one_left(tmp_path):
    process = writer(tmp_path / "new")
    process.kill()
    process.communicate(timeout=30)
    assert len(list(tmp_path.iterdir())) == 1
    old(tmp_path)
    with write.whole_folder(tmp_path / "other"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_what_somebody_still_writes_and_what_is_not_ours_stays(tmp_path):
    theirs = [
        tmp_path / name for name in (".holtwalk-1.part", "x.part", ".holtwalk-0123456789abcdef.part.txt")
    ]
    for path in theirs:
        path.mkdir()
    elsewhere = tmp_path.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("x")
    link = tmp_path / ".holtwalk-0123456789abcdef.part"
    link.symlink_to(elsewhere)
    process = writer(tmp_path / "new")
    old(tmp_path)
    before = sorted(tmp_path.iterdir())
    with write.whole_folder(tmp_path / "other"):
        pass
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "other"])
    assert (elsewhere / "kept").exists()
    process.kill()
    process.communicate(timeout=30)


def test_what_another_has_just_begun_stays(tmp_path):
    begun = tmp_path / ".holtwalk-0123456789abcdef.part"
    begun.mkdir()
    with write.whole_folder(tmp_path / "other"):
        pass
    assert begun.exists()


def test_whoever_listens_to_a_request_to_end_hears_it_and_all_is_as_before():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with ended_in_order():
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM] * 2
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


WITHIN = """
import os, signal, sys
from engine.files import draft_file
from engine.files.together import whole_files
from engine.files.write import whole_folder, write_text
what, first, number = sys.argv[1:]
if what == "files":
    with whole_files() as both:
        with both.file(first) as portal:
            portal.write(b"x")
        with both.file(first + "-2") as cell:
            signal.raise_signal(int(number))
else:
    with whole_folder(first) as folder:
        write_text(folder / "a", "x")
        replace = os.replace
        os.replace = lambda *_: signal.raise_signal(int(number))
        draft_file._UNNAMED = 0
        write_text(folder / "b", "x")
        os.replace = replace
        write_text(folder / "c", "x")
"""


@pytest.mark.parametrize("number", REQUESTS)
@pytest.mark.parametrize("what", ["files", "folder"])
def test_a_request_to_end_leaves_what_is_around_as_well(tmp_path, what, number):
    """The inner one kept it to itself: the first of two dats came, and a folder without its last files."""
    words = [sys.executable, "-c", WITHIN, what, str(tmp_path / "it"), str(int(number))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-number, "")
    assert os.listdir(tmp_path) == []

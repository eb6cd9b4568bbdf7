"""Files that grow line by line: whole to the line, and told of where a line is lost."""

import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from engine.files import draft_file
from engine.files.drafts import is_held
from engine.files.write import LOSS, LineFile, write_text
from tests.files.full_disks import fill_disk_after
from tests.files.handed_on import hand_on
from tests.needed import only_where, posix
from tests.places import ROOT

on_posix = posix("permissions, links and devices")
unnamed = only_where(so=hasattr(os, "O_TMPFILE"), why="files without a name as Linux has them")


def alone(path):
    """Whether nothing but the file lies in its folder."""
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_lines_are_there_from_the_first_one_on(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text("older\n")
    lines = LineFile(path)
    assert path.read_text() == "older\n"
    lines.write("one")
    assert path.read_text() == "one\n"
    lines.write("two")
    assert path.read_text() == "one\ntwo\n"
    assert alone(path)
    lines.close()
    lines.close()
    assert path.read_text() == "one\ntwo\n"


def test_without_a_line_an_error_leaves_the_older_file_and_a_good_end_an_empty_one(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text("older\n")
    with pytest.raises(KeyboardInterrupt), LineFile(path):
        raise KeyboardInterrupt
    assert path.read_text() == "older\n"
    assert alone(path)
    with LineFile(path):
        pass
    assert path.read_text() == ""
    assert alone(path)


@pytest.mark.parametrize(("room", "left"), [(2, "older\n"), (4, "one\n"), (6, "one\n")])
def test_a_line_that_does_not_fit_is_taken_back(tmp_path, monkeypatch, room, left):
    path = tmp_path / "f.jsonl"
    path.write_text("older\n")
    fill_disk_after(monkeypatch, room)
    with pytest.raises(OSError, match="No space left") as raised, LineFile(path) as lines:
        lines.write("one")
        lines.write("two")
    assert raised.value.filename == str(path)
    assert path.read_text() == left
    assert alone(path)


@unnamed
def test_nothing_is_left_of_a_file_whose_process_is_killed_before_it_is_whole(tmp_path):
    program = "import os, sys; from engine.files.write import LineFile; LineFile(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; os.kill(os.getpid(), 9)", str(tmp_path / "f")],
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert not list(tmp_path.iterdir())


@unnamed
def test_a_folder_without_nameless_files_gets_one_with_a_name_until_it_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(draft_file, "OPEN_FILES", str(tmp_path / "no-proc"))
    lines = LineFile(tmp_path / "f")
    assert [entry.suffix for entry in tmp_path.iterdir()] == [".part"]
    lines.write("one")
    lines.write("two")
    lines.close()
    assert (tmp_path / "f").read_text() == "one\ntwo\n"
    assert alone(tmp_path / "f")


def test_of_two_who_write_one_file_line_by_line_the_last_to_begin_has_it_whole(tmp_path):
    path = tmp_path / "f"
    first, last = LineFile(path), LineFile(path)
    for line in range(3):
        first.write(f"first {line}")
        last.write(f"last {line}")
    first.close()
    last.close()
    assert path.read_text() == "last 0\nlast 1\nlast 2\n"
    assert alone(path)


def test_who_is_told_of_the_end_is_told_that_another_file_took_the_place_meanwhile(tmp_path):
    path, ends = tmp_path / "f", []
    lines = LineFile(path, on_end=ends.append)
    lines.write("one")
    write_text(path, "other\n")
    lines.write("two")
    lines.close()
    assert ends == [f"{path}: {LOSS}"]
    assert path.read_text() == "other\n"


@pytest.mark.parametrize("keep", [0, 4])
@pytest.mark.parametrize("how", ["removed", "replaced", "emptied"])
@on_posix
def test_a_file_that_is_not_in_its_place_at_its_end_is_an_error_for_who_asks(tmp_path, keep, how):
    path = tmp_path / "f"
    path.write_text("one\n")
    for is_lost in (False, True):
        lines = LineFile(path, keep, path.stat().st_size)
        lines.write("two")
        if is_lost:
            {
                "removed": path.unlink,
                "replaced": lambda: write_text(path, "other\n"),
                "emptied": lambda: os.truncate(path, 0),
            }[how]()
            with pytest.raises(OSError, match="was removed, replaced or changed by another") as caught:
                lines.end()
            assert caught.value.filename == str(path)
        else:
            lines.end()


@pytest.mark.parametrize("keep", [0, 4])
@pytest.mark.parametrize("how", ["emptied", "added to"])
@on_posix
def test_a_file_that_another_changes_between_two_lines_is_told_and_has_no_hole(tmp_path, keep, how):
    """The next line was written behind a hole of zeros, and the file had its length again."""
    path, ends = tmp_path / "f", []
    path.write_text("one\n")
    lines = LineFile(path, keep, path.stat().st_size, on_end=ends.append)
    lines.write("two")
    if how == "emptied":
        os.truncate(path, 0)
    else:
        path.write_text(path.read_text() + "theirs\n")
    there = path.read_text()
    lines.write("three")
    lines.write("four")
    lines.close()
    assert (ends, path.read_text()) == ([f"{path}: {LOSS}"], there)
    silent = LineFile(path, len(there) and 1, len(there))
    silent.write("two")
    os.truncate(path, 0)
    with pytest.raises(OSError, match="changed by another"):
        silent.write("three")
    assert not path.read_text()


@on_posix
def test_a_file_that_the_system_says_nothing_of_any_more_is_lost(tmp_path, monkeypatch):
    """ESTALE of a file that was removed on its server was told without its name."""
    ends = []
    lines = LineFile(tmp_path / "f", on_end=ends.append)
    lines.write("one")

    def stale(_):
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", stale)
        lines.write("two")
        lines.close()
    assert ends == [f"{tmp_path / 'f'}: {LOSS}"]


@on_posix
def test_a_descriptors_file_that_is_emptied_is_told_and_what_others_add_to_it_is_theirs(tmp_path):
    """Nobody looked at it, as it has no place of its own: it began with a hole of zeros."""
    path, ends = tmp_path / "f", []
    with path.open("w") as file:
        lines = LineFile(f"/dev/fd/{hand_on(file.fileno())}", on_end=ends.append)
        lines.write("one")
        with path.open("a") as other:
            other.write("theirs\n")
        os.lseek(file.fileno(), 0, os.SEEK_END)
        lines.write("two")
        assert (ends, path.read_text()) == ([], "one\ntheirs\ntwo\n")
        os.truncate(path, 0)
        lines.write("three")
        lines.close()
    assert (len(ends), path.read_text()) == (1, "")
    assert ends[0].endswith(LOSS)


@on_posix
def test_what_others_have_added_to_a_descriptors_file_stays_where_the_disk_is_full(tmp_path, monkeypatch):
    """It was cut to what this process alone had written."""
    path = tmp_path / "f"
    write = os.write

    def theirs_then_full(fd, data):
        write(fd, bytes(data[:2]))
        with path.open("ab") as other:
            other.write(b"theirs\n")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with path.open("ab") as file:
        lines = LineFile(f"/dev/fd/{hand_on(file.fileno())}")
        lines.write("one")
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", theirs_then_full)
            with pytest.raises(OSError, match="No space"):
                lines.write("two")
    assert path.read_text() == "one\ntwtheirs\n"


@on_posix
def test_a_file_that_is_emptied_just_before_a_line_has_that_line_at_its_begin(tmp_path, monkeypatch):
    path = tmp_path / "f"
    lines = LineFile(path)
    lines.write("one")
    write = os.write

    def emptied_at_once(fd, data):
        os.truncate(path, 0)
        return write(fd, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", emptied_at_once)
        lines.write("two")
    assert path.read_text() == "two\n"
    with pytest.raises(OSError, match="changed by another"):
        lines.end()


@pytest.mark.parametrize("keep", [0, 4])
@on_posix
def test_a_file_that_grows_is_held_until_its_end_and_others_can_read_it(tmp_path, keep):
    path = tmp_path / "f"
    path.write_text("one\n")
    lines = LineFile(path, keep, path.stat().st_size)
    lines.write("two")
    assert is_held(path)
    assert path.read_text().endswith("two\n")
    lines.close()
    assert not is_held(path)
    assert not is_held(tmp_path / "none")


def test_the_place_taken_by_another_at_the_very_moment_is_not_written_into(tmp_path, monkeypatch):
    path = tmp_path / "f"
    replace = os.replace

    def replaced_at_once(*names):
        replace(*names)
        (tmp_path / "other").write_text("other\n")
        replace(tmp_path / "other", path)

    monkeypatch.setattr(os, "replace", replaced_at_once)
    lines = LineFile(path)
    lines.write("one")
    lines.write("two")
    lines.close()
    assert path.read_text() == "other\n"


@unnamed
@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"])
@pytest.mark.parametrize("through_link", [False, True])
def test_a_file_that_another_opened_and_handed_on_keeps_what_it_holds(tmp_path, folder, through_link):
    log = tmp_path / "log"
    log.write_text("older\n")
    fd = hand_on(os.open(log, os.O_WRONLY | os.O_APPEND))
    path = f"{folder}/{fd}"
    if through_link:
        path = str(tmp_path / "link")
        os.symlink(f"{folder}/{fd}", path)
    write_text(path, "newer\n")
    with LineFile(path) as lines:
        lines.write("newest")
    os.write(fd, b"end\n")
    os.close(fd)
    assert log.read_text() == "older\nnewer\nnewest\nend\n"


def test_who_is_told_of_a_files_end_goes_on_and_its_whole_lines_stay(tmp_path, monkeypatch):
    path, ends = tmp_path / "f", []
    lines = LineFile(path, on_end=ends.append)
    lines.write("one")
    fill_disk_after(monkeypatch, 2)
    for _ in range(3):
        lines.write("other")
    lines.close()
    assert path.read_text() == "one\n"
    assert ends == [f"{path}: No space left on device; its lines end with number 1"]


def test_who_is_told_of_the_end_of_a_file_that_never_began_keeps_the_older_one(tmp_path, monkeypatch):
    path, ends = tmp_path / "f", []
    path.write_text("older\n")
    fill_disk_after(monkeypatch, 0)
    lines = LineFile(path, on_end=ends.append)
    lines.write("one")
    lines.write("two")
    lines.close()
    assert path.read_text() == "older\n"
    assert len(ends) == 1
    assert alone(path)


@pytest.mark.parametrize("hears", [False, True])
def test_lines_that_a_disk_took_and_has_no_room_for_are_told_of_at_the_end(tmp_path, monkeypatch, hears):
    """Thin volumes and files over a network take bytes, and say later that they are lost."""
    told = []
    synced = os.fsync

    def fails(fd):
        synced(fd)
        if stat.S_ISREG(os.fstat(fd).st_mode) and os.fstat(fd).st_size > 6:  # not the first line
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    lines = LineFile(tmp_path / "a.cap", on_end=told.append if hears else None)
    for line in ("first", "second"):
        lines.write(line)
    if hears:
        lines.close()
        assert told == [f"{tmp_path}/a.cap: No space left on device; its last lines may be missing"]
    else:
        with pytest.raises(OSError, match="No space left on device") as found:
            lines.close()
        assert found.value.filename == f"{tmp_path}/a.cap"
    assert (tmp_path / "a.cap").read_text() == "first\nsecond\n"


@posix("pipes")
def test_lines_into_a_pipe_end_as_they_should(tmp_path):
    """There is no disk that they could be missing from."""
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with LineFile(tmp_path / "pipe") as lines:
        lines.write("one")
    assert os.read(reader, 100) == b"one\n"
    os.close(reader)
    with LineFile("/dev/null") as lines:
        lines.write("one")


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_who_leaves_by_an_interrupt_is_told_too_that_the_file_is_gone(tmp_path, error):
    """Ctrl+C is the usual way out of a window that a terminal began."""
    told = []
    with pytest.raises(error), LineFile(tmp_path / "a.cap", on_end=told.append) as lines:
        lines.write("one")
        (tmp_path / "a.cap").unlink()
        raise error
    assert told == [f"{tmp_path}/a.cap: {LOSS}"]

"""Files are written whole or not at all: beside their place, then put there."""

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.files import draft_file
from engine.files.drafts import is_held
from engine.files.file_places import RIGHTS, take_after
from engine.files.write import LineFile, whole_file, whole_folder, write_bytes, write_text
from tests.needed import full_device, only_where, posix
from tests.places import ROOT

on_posix = posix("permissions, links and devices")


def fill_disk_after(monkeypatch, count):
    """Let the disk be full after so many bytes; a write that fits in part is cut there."""
    write, room = os.write, [count]

    def limited(fd, data):
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(fd, bytes(data)[: room[0]])
        room[0] -= done
        return done

    monkeypatch.setattr(os, "write", limited)


def test_zeros_follow_the_data(tmp_path):
    write_bytes(tmp_path / "f", b"ab", zeros=3)
    assert (tmp_path / "f").read_bytes() == b"ab\0\0\0"


def alone(path):
    """Whether nothing but the file lies in its folder."""
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_file_is_made_and_replaced(tmp_path):
    path = tmp_path / "f.txt"
    write_text(path, "one\n")
    write_bytes(path, b"two\n")
    assert path.read_bytes() == b"two\n"
    assert alone(path)


def test_a_full_disk_leaves_what_was_there_and_is_named(tmp_path, monkeypatch):
    path = tmp_path / "f.bin"
    path.write_bytes(b"older")
    fill_disk_after(monkeypatch, 3)
    with pytest.raises(OSError, match="No space left on device") as raised:
        write_bytes(path, b"newer")
    assert raised.value.filename == str(path)
    assert path.read_bytes() == b"older"
    assert alone(path)


def test_a_place_that_can_not_be_taken_leaves_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "f.bin"
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "in use")))
    with pytest.raises(PermissionError) as raised:
        write_bytes(path, b"newer")
    assert raised.value.filename == str(path)
    assert not list(tmp_path.iterdir())


@on_posix
def test_permissions_are_kept_and_new_files_have_the_usual_ones(tmp_path):
    path, plain, new = tmp_path / "f", tmp_path / "plain", tmp_path / "new"
    path.write_bytes(b"")
    path.chmod(0o640)
    plain.write_bytes(b"")
    write_bytes(path, b"x")
    write_bytes(new, b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@on_posix
@pytest.mark.parametrize(
    ("may", "asked", "mode"),
    [
        ("all", [(11, 22)], 0o4664),
        ("group", [(11, 22), (-1, 22)], 0o664),  # its owner and their group go on reading it
        ("nothing", [(11, 22), (-1, 22)], 0o644),  # whoever is in the group that it has is none of theirs
    ],
)
def test_a_file_of_somebody_elses_is_not_taken_from_their_group(tmp_path, monkeypatch, may, *, asked, mode):
    """A picture that a team shares became its last writer's, and their own group's, with all rights."""
    told, modes = [], []

    def chown(_file, uid, gid):
        told.append((uid, gid))
        if may == "nothing" or (may == "group" and uid != -1):
            raise PermissionError(errno.EPERM, "not permitted")

    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(os, "chmod", lambda _, mode: modes.append(mode))
    shared = tmp_path / "shared.png"
    shared.write_bytes(b"")
    found = list(shared.stat())
    found[0], found[4], found[5] = stat.S_IFREG | 0o4664, 11, 22
    take_after("new", str(shared), os.stat_result(found))
    assert (told, modes) == (asked, [mode])


@only_where(so=hasattr(os, "setxattr"), why="files have no attributes of that kind")
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_list_of_rights_is_kept_or_the_group_gets_none_of_them(tmp_path, monkeypatch, is_kept):
    """Of a file with a list the group's permissions tell what the whole list may: more than the group."""
    path = tmp_path / "a.cap"
    path.write_bytes(b"older")
    path.chmod(0o660)
    given = {}

    def setxattr(_file, name, value):
        if name == RIGHTS and not is_kept:
            raise OSError(errno.EOPNOTSUPP, "not supported")
        given[name] = value

    monkeypatch.setattr(os, "listxattr", lambda _: [RIGHTS, "user.note", "security.label"])
    monkeypatch.setattr(os, "getxattr", lambda _, name: name.encode())
    monkeypatch.setattr(os, "setxattr", setxattr)
    write_bytes(path, b"x")
    assert given == {"user.note": b"user.note"} | ({RIGHTS: RIGHTS.encode()} if is_kept else {})
    assert stat.S_IMODE(path.stat().st_mode) == (0o660 if is_kept else 0o600)


def test_a_write_protected_file_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_bytes(b"older")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(PermissionError):
        write_bytes(path, b"x")
    assert path.read_bytes() == b"older"


@on_posix
def test_a_link_stays_one_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "there" / "f", tmp_path / "link"
    target.parent.mkdir()
    target.write_bytes(b"older")
    link.symlink_to(target)
    write_bytes(link, b"newer")
    assert link.is_symlink()
    assert target.read_bytes() == b"newer"
    (tmp_path / "dangling").symlink_to(tmp_path / "there" / "new")
    write_bytes(tmp_path / "dangling", b"made")
    assert (tmp_path / "there" / "new").read_bytes() == b"made"


@full_device
def test_a_device_is_written_to_as_it_stands(tmp_path):
    write_bytes("/dev/null", b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    link = tmp_path / "f.jpg"
    link.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as raised:
        write_bytes(link, b"x")
    assert raised.value.filename == str(link)


@on_posix
def test_a_pipe_that_nobody_reads_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="No such device") as raised:
        write_bytes(tmp_path / "pipe", b"x")
    assert raised.value.filename == str(tmp_path / "pipe")


def test_folders_and_missing_folders_are_named(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "f"):
        with pytest.raises(OSError) as raised:
            write_bytes(path, b"x")
        assert raised.value.filename == str(path)


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


@only_where(so=sys.platform != "win32", why="no such names there")
def test_a_name_with_broken_letters_is_written(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    write_bytes(path, b"x")
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff\xfe"]


def test_a_file_written_in_pieces_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "f.bin"
    path.write_bytes(b"older")
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"older"
    with whole_file(path) as file:
        file.write(b"0123")
        file.seek(1)
        file.write(b"x")
    assert path.read_bytes() == b"0x23"
    assert alone(path)
    with pytest.raises(FileExistsError), whole_file(path, over=False) as file:
        file.write(b"new")
    assert path.read_bytes() == b"0x23"
    assert alone(path)


unnamed = only_where(so=hasattr(os, "O_TMPFILE"), why="files without a name as Linux has them")


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
    assert ends == [f"{path}: was removed or replaced while it was written: its lines are gone"]
    assert path.read_text() == "other\n"


@pytest.mark.parametrize("keep", [0, 4])
@pytest.mark.parametrize("removed", [True, False])
@on_posix
def test_a_file_that_is_not_in_its_place_at_its_end_is_an_error_for_who_asks(tmp_path, keep, removed):
    path = tmp_path / "f"
    path.write_text("one\n")
    for is_lost in (False, True):
        lines = LineFile(path, keep)
        lines.write("two")
        if is_lost:
            path.unlink() if removed else write_text(path, "other\n")
            with pytest.raises(OSError, match="was removed or replaced") as caught:
                lines.end()
            assert caught.value.filename == str(path)
        else:
            lines.end()


@pytest.mark.parametrize("keep", [0, 4])
@on_posix
def test_a_file_that_grows_is_held_until_its_end_and_others_can_read_it(tmp_path, keep):
    path = tmp_path / "f"
    path.write_text("one\n")
    lines = LineFile(path, keep)
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
    fd = os.open(log, os.O_WRONLY | os.O_APPEND)
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


@unnamed
def test_what_was_handed_on_keeps_what_it_holds_where_the_disk_is_full(tmp_path, monkeypatch):
    log = tmp_path / "log"
    log.write_text("older\n")
    fd = os.open(log, os.O_WRONLY | os.O_APPEND)
    fill_disk_after(monkeypatch, 3)
    with pytest.raises(OSError, match="No space left on device"):
        write_text(f"/dev/fd/{fd}", "newer\n")
    os.close(fd)
    assert log.read_text() == "older\n"


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


@pytest.mark.parametrize(("inside", "named"), [("", "new"), ("no/file", "new/no/file")])
def test_a_folder_that_is_not_made_is_named_as_the_caller_did(tmp_path, monkeypatch, inside, named):
    if not inside:

        def refused(self, **_):
            if not self.exists():
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.parent))

        monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(OSError) as caught, whole_folder(tmp_path / "new") as folder:
        write_bytes(folder / inside, b"x")
    assert caught.value.filename == str(tmp_path / named)
    assert list(tmp_path.iterdir()) == []


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
    assert told == [f"{tmp_path}/a.cap: was removed or replaced while it was written: its lines are gone"]

"""Files are written whole or not at all: beside their place, then put there."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from engine.files.file_places import RIGHTS, take_after
from engine.files.write import whole_folder, write_bytes, write_new, write_text
from tests.files.full_disks import fill_disk_after
from tests.files.handed_on import hand_on
from tests.needed import full_device, only_where, posix

on_posix = posix("permissions, links and devices")
unnamed = only_where(so=hasattr(os, "O_TMPFILE"), why="files without a name as Linux has them")


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


@only_where(so=sys.platform != "win32", why="no such names there")
def test_a_name_with_broken_letters_is_written(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    write_bytes(path, b"x")
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff\xfe"]


def test_a_name_is_taken_first_where_a_disk_has_no_links(tmp_path, monkeypatch):
    """Of two that are written at once one was lost: both had seen that there is none of that name."""

    def refused(*_, **__):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    def fail(file, place):
        taken.append(os.path.exists(place))
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    taken: list[bool] = []
    usual = os.replace
    monkeypatch.setattr(os, "link", refused)
    monkeypatch.setattr("engine.files.draft_file._open_unnamed", lambda _: -1)
    path = tmp_path / "f.bin"
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="error"):
        write_new(path, b"lost")
    assert (taken, os.listdir(tmp_path)) == ([True], [])
    monkeypatch.setattr(os, "replace", usual)
    write_new(path, b"new")
    with pytest.raises(FileExistsError):
        write_new(path, b"newer")
    assert path.read_bytes() == b"new"
    assert alone(path)


@unnamed
def test_what_was_handed_on_keeps_what_it_holds_where_the_disk_is_full(tmp_path, monkeypatch):
    log = tmp_path / "log"
    log.write_text("older\n")
    fd = hand_on(os.open(log, os.O_WRONLY | os.O_APPEND))
    fill_disk_after(monkeypatch, 3)
    with pytest.raises(OSError, match="No space left on device"):
        write_text(f"/dev/fd/{fd}", "newer\n")
    os.close(fd)
    assert log.read_text() == "older\n"


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

"""Where nothing can be drawn, one line says which OpenGL there is, which is needed and what can be done."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from threading import Thread

import pytest

from tests.files.closed_folders import close
from tests.needed import only_where, posix
from tests.places import ROOT
from tests.viewer.window.driven.xvfb import xvfb

OLD = ("2.1", "3.0", "3.1", "3.2")
PLACE = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"


def line_of(*words: str, **environment: str) -> str:
    """The one line of complaint of a command that can't draw; an empty variable is none."""
    changed = {**os.environ, **environment}
    done = subprocess.run(
        [sys.executable, "-m", "viewer", *words, "--demo"],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=120,
        env={name: value for name, value in changed.items() if value},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.startswith("holtwalk:")]
    assert len(lines) == 1
    assert "Traceback" not in done.stderr
    return lines[0]


@pytest.mark.gl
@pytest.mark.parametrize("version", OLD)
def test_render_says_which_version_it_found(tmp_path, version):
    out = str(tmp_path / "a.png")
    said = line_of("render", "--at", PLACE, "--out", out, MESA_GL_VERSION_OVERRIDE=version)
    assert f"version {version} " in said
    assert "3.3 is needed" in said
    assert f"unset MESA_GL_VERSION_OVERRIDE, which is {version}" in said
    assert "install EGL" not in said


def test_a_driver_that_is_too_old_can_be_replaced(monkeypatch):
    from viewer.renderer.gl_found import FoundGl

    monkeypatch.delenv("MESA_GL_VERSION_OVERRIDE", raising=False)
    for version, enough in (
        ("2.1 Mesa 7", False),
        ("3.2.0 NVIDIA 340", False),
        ("3.3", True),
        ("4.5 x", True),
    ):
        assert FoundGl(version, "card").enough is enough
    monkeypatch.setattr(sys, "platform", "linux")
    said = FoundGl("2.1 Mesa 7", "card").complaint
    assert "version 2.1 Mesa 7 (card)" in said
    assert "LIBGL_ALWAYS_SOFTWARE=1" in said
    monkeypatch.setattr(sys, "platform", "win32")
    assert FoundGl("2.1", "card").complaint.endswith("update the graphics driver")


@pytest.mark.gl
def test_without_a_driver_one_is_told_what_to_install(tmp_path):
    out = str(tmp_path / "a.png")
    said = line_of("render", "--at", PLACE, "--out", out, LIBGL_DRIVERS_PATH=str(tmp_path))
    assert "install EGL" in said


@pytest.mark.gl
def test_a_display_out_of_reach_is_named(tmp_path):
    said = line_of("walk", DISPLAY=":7731")
    assert "':7731'" in said
    assert "None" not in said
    assert "render` draws without one" in said
    said = line_of("walk", DISPLAY=":7731", MESA_GL_VERSION_OVERRIDE="3.2")
    assert "draws without one" not in said
    said = line_of("walk", DISPLAY="")
    assert "there is no display" in said


@pytest.mark.window
def test_a_window_that_lacks_opengl_says_which_version_there_is():
    with xvfb() as display:
        said = line_of("walk", DISPLAY=display.environment["DISPLAY"], MESA_GL_VERSION_OVERRIDE="2.1")
    assert "version 2.1 " in said
    assert "3.3 is needed" in said
    assert "draws without one" not in said


@posix("limits of memory")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_a_limit_that_leaves_no_memory_to_draw_with_is_said_before_the_driver_ends_everything(
    monkeypatch, kind
):
    import resource

    from viewer import memory_limits
    from viewer.renderer import memory_left
    from viewer.renderer.gl.context import NoGl, create_headless
    from viewer.user_error import UserError
    from viewer.window.display.open_window import open_window

    limits = {getattr(resource, kind): 400 << 20}
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limits.get(which, resource.RLIM_INFINITY),) * 2)
    monkeypatch.setattr(memory_limits, "_taken", lambda name: 300 << 20)
    for opened in (create_headless, lambda: open_window((64, 64))):
        with pytest.raises((NoGl, UserError), match=r"no memory to draw with: .* leaves 100 MB"):
            opened()
    limits = {getattr(resource, kind): 1500 << 20}
    assert memory_left.lacking() == ""
    assert "leaves 1200 MB" in memory_left.lacking(4096 * 4096)
    limits = {getattr(resource, kind): 1450 << 20}
    assert bool(memory_left.lacking(window=True)) == (kind == "RLIMIT_AS")
    assert memory_left.lacking() == ""


@pytest.mark.gl
@only_where(so=sys.platform == "linux", why="Mesa's settings")
@pytest.mark.parametrize("words", [["render", "--at", PLACE, "--out", "a.png"], ["walk"]])
def test_a_pipe_that_the_driver_would_wait_for_is_named(tmp_path, words):
    """It waited with Python's lock held: nothing was said, and no interrupt heard."""
    os.mkfifo(tmp_path / ".drirc")
    assert f"{tmp_path / '.drirc'}: is a pipe" in line_of(*words, HOME=str(tmp_path), DISPLAY=":7731")


def test_a_home_that_may_not_be_entered_has_no_settings_of_the_drivers(tmp_path, monkeypatch):
    """The program could draw nothing there; the driver passes them over."""
    from viewer.renderer import driver_settings

    monkeypatch.setenv("HOME", str(tmp_path))
    close(tmp_path, monkeypatch)
    assert driver_settings.settings_trouble() == ""


# prctl(PR_SET_MDWE): memory that was written to may not be run from now on, as under systemd's service units.
FORBIDDEN = "import ctypes, sys; sys.exit(99) if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) else None; "
linux_6_3 = only_where(
    so=sys.platform == "linux" and tuple(map(int, re.findall(r"\d+", platform.release())[:2])) >= (6, 3),
    why="only Linux forbids it so, from 6.3 on",
)


def of_forbidden(then: str, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", FORBIDDEN + then], capture_output=True, text=True, cwd=ROOT, check=False,
        timeout=120, env=os.environ | environment,
    )  # fmt: skip
    assert done.returncode != 99
    return done


@pytest.mark.gl
@linux_6_3
def test_where_the_driver_may_make_no_code_that_is_said_before_it_crashes(tmp_path):
    """Under systemd's MemoryDenyWriteExecute each picture ended by a segmentation fault, without a word."""
    words = ["render", "--demo", "--at", PLACE, "--out", str(tmp_path / "a.png")]
    run = f"from viewer.main import main; sys.exit(main({words}))"
    done = of_forbidden(run)
    assert done.returncode == 2
    assert "a driver that draws in software, llvmpipe" in done.stderr
    assert "makes code" in done.stderr
    probe = "from viewer.doctor.gl_probe import main; main('without-window')"
    found = json.loads(of_forbidden(probe).stdout)
    assert "makes code" in found["error"]
    assert found["lacks"] == "code"


@pytest.mark.window
@linux_6_3
def test_no_window_is_opened_where_the_driver_may_make_no_code():
    with xvfb("640x480x24") as display:
        run = "from viewer.main import main; sys.exit(main(['walk', '--demo']))"
        done = of_forbidden(run, **display.environment)
        assert done.returncode == 2
        assert "no window can be opened here: no memory that was written to may be made code" in done.stderr
        probe = "from viewer.doctor.gl_probe import main; main('with-display')"
        found = json.loads(of_forbidden(probe, **display.environment).stdout)
    assert found["lacks"] == "code"


def test_a_card_draws_where_no_code_may_be_made(monkeypatch):
    from viewer.renderer import driver_code

    monkeypatch.setattr(driver_code, "_may_make_code", lambda: False)
    assert driver_code.code_trouble("NVIDIA H200/PCIe/SSE2") == ""
    assert "llvmpipe (LLVM 19)" in driver_code.code_trouble("llvmpipe (LLVM 19)")


@posix("the software driver's threads")
@pytest.mark.parametrize(("left", "alone"), [(9, True), (10, False)])
def test_without_the_threads_that_it_would_wait_for_the_software_driver_draws_alone(monkeypatch, left, alone):
    from viewer.renderer import driver_threads

    started = []

    def start(work):
        if len(started) == left:
            raise RuntimeError("can't start new thread")
        started.append(Thread(target=work, daemon=True))
        started[-1].start()
        return started[-1]

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(driver_threads, "limits", lambda: iter(()))
    monkeypatch.setenv(driver_threads.COUNT, "4")
    monkeypatch.setenv(driver_threads.APART, "")
    monkeypatch.delenv(driver_threads.APART)
    monkeypatch.setenv("MESA_DEBUG", "silent")
    driver_threads.settle_driver_threads(start)
    assert os.environ[driver_threads.COUNT] == ("0" if alone else "4")
    assert os.environ.get(driver_threads.APART) == (None if alone else "true")
    assert len(started) == left
    assert not any(thread.is_alive() for thread in started)


@posix("the software driver's threads")
@pytest.mark.parametrize(
    ("cores", "given", "found"),
    [
        (2, {}, "true"),
        (1, {}, None),
        (2, {"mesa_glthread": "false"}, "false"),
        (1, {"mesa_glthread": "true"}, "true"),
        (2, {"MESA_DEBUG": ""}, "true"),
        (2, {"limits": ["ulimit -v"]}, None),
        (2, {"MESA_DEBUG": "context"}, None),  # Mesa would tell of it, in a line of its own
    ],
)
def test_calls_are_carried_out_apart_where_there_is_a_core_for_it_and_nobody_says_otherwise(
    monkeypatch, cores, given, found
):
    from viewer.renderer import driver_threads, driver_words

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    monkeypatch.setattr(driver_threads, "limits", lambda: iter(given.get("limits", ())))
    monkeypatch.setenv(driver_threads.COUNT, "0")
    for name in (driver_threads.APART, "MESA_DEBUG"):
        monkeypatch.setenv(name, given.get(name, ""))
        if name not in given:
            monkeypatch.delenv(name)
    driver_words.hush_driver()
    driver_threads.settle_driver_threads()
    assert os.environ.get(driver_threads.APART) == found
    assert os.environ["MESA_DEBUG"] == (given.get("MESA_DEBUG") or "silent")


@posix("the software driver's folder")
@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("there", None),
        ("there/new", None),
        ("there/new/deep", "true"),
        ("there/file", "true"),
        ("there/file/new", "true"),
        ("", "true"),
    ],
)
def test_where_no_folder_for_compiled_shaders_can_be_made_the_driver_does_not_try(
    monkeypatch, tmp_path, folder, said
):
    from viewer.renderer import driver_words

    there = tmp_path / "there"
    there.mkdir()
    (there / "file").touch()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("MESA_SHADER_CACHE_DISABLE", "")
    monkeypatch.delenv("MESA_SHADER_CACHE_DISABLE")
    monkeypatch.delenv("MESA_SHADER_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", folder and str(tmp_path / folder))
    driver_words.hush_driver()
    assert os.environ.get("MESA_SHADER_CACHE_DISABLE") == said
    assert [path.name for path in there.iterdir()] == ["file"]


def test_threads_are_tried_before_any_opengl_is_made(monkeypatch):
    import moderngl

    from viewer.renderer.gl import context
    from viewer.window.display import open_window

    class TriedError(Exception):
        pass

    def tried():
        raise TriedError

    monkeypatch.setattr(moderngl, "create_context", lambda **_: pytest.fail("OpenGL came first"))
    for room, opened in (
        (context, context.create_headless), (open_window, lambda: open_window.open_window((64, 64))),
    ):  # fmt: skip
        monkeypatch.setattr(room, "settle_driver_threads", tried)
        with pytest.raises(TriedError):
            opened()


def test_a_picture_that_the_driver_has_no_room_for_is_one_line():
    import moderngl

    from viewer.renderer.gl.context import NoGl
    from viewer.renderer.gl.framebuffer import SceneTarget

    class Full:
        def texture(self, size, components):
            return object()

        def framebuffer(self, color_attachments):
            raise moderngl.Error("the framebuffer is not complete (INCOMPLETE_ATTACHMENT)")

    with pytest.raises(NoGl, match="no memory for a picture of 64x32"):
        SceneTarget(Full(), None, 64, 32)

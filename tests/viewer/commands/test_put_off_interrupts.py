"""An interrupt that comes at a moment when what is raised would vanish comes once more, soon afterwards."""

from __future__ import annotations

import pytest

from tests.needed import posix
from tests.viewer.programs import ended

on_posix = posix("signals and descriptors")


DROPPED = """
import io, signal, sys, time, weakref
import viewer.terminal
from viewer import interrupts, main

class Thing: pass

class File(io.RawIOBase):
    def close(self):
        if not self.closed:
            super().close()
            signal.raise_signal(signal.SIGINT)

def drop(words):
    {hears}
    thing = {thing}()
    if not isinstance(thing, File):
        weakref.finalize(thing, signal.raise_signal, signal.SIGINT)
    del thing
    time.sleep(30)
    return 0

main._run = drop
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
@pytest.mark.parametrize(
    ("thing", "hears"),
    [
        ("Thing", "signal.signal(signal.SIGINT, signal.default_int_handler)"),
        ("Thing", "interrupts.raise_again()"),
        ("File", "interrupts.raise_again()"),  # of what that raises even Python's hook hears nothing
    ],
)
def test_an_interrupt_that_comes_while_an_object_is_dropped_is_not_lost(thing: str, hears: str) -> None:
    assert ended(DROPPED.format(thing=thing, hears=hears), 25) == (130, "")


SWALLOWED = """
import signal, sys, time
import viewer.terminal
from viewer import interrupts, main

class Interrupted:
    def find_spec(self, name, *_):
        if name == "swallows":
            try:
                signal.raise_signal(signal.SIGINT)
                time.sleep(0.1)
            except BaseException:
                print("swallowed", file=sys.stderr)

def load(words):
    interrupts.raise_again()
    sys.meta_path.insert(0, Interrupted())
    try:
        __import__("swallows")  # by name: the checks would take it for a library
    except ImportError:
        pass
    time.sleep(20)
    return 0

main._run = load
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
def test_an_interrupt_that_comes_while_a_module_is_loaded_waits_until_it_is() -> None:
    assert ended(SWALLOWED, 60) == (130, "")


LINKING = """
import _thread, signal, sys, time
import _moderngl
from viewer import interrupts, main
from viewer.renderer.gl.context import create_headless

def draw(words):
    import moderngl
    ctx = create_headless()
    interrupts.raise_again()
    {hears}
    made = _moderngl.make_uniform
    def interrupted(*given):
        signal.raise_signal(signal.SIGINT)
        return made(*given)
    _moderngl.make_uniform = interrupted
    ctx.program(
        vertex_shader="#version 330 core\\nuniform vec4 u; void main() {{ gl_Position = u; }}",
        fragment_shader="#version 330 core\\nout vec4 c; void main() {{ c = vec4(1.0); }}",
    )
    time.sleep(20)
    return 0

main._run = draw
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


NO_THREAD = """
    def refused(*_):
        raise RuntimeError("can't start new thread")
    _thread.start_new_thread = refused
"""


@on_posix
@pytest.mark.gl
@pytest.mark.parametrize("hears", ["", NO_THREAD])
def test_an_interrupt_amid_what_moderngl_calls_from_compiled_code_waits_until_it_is_over(hears: str) -> None:
    """It goes on with what a function that raised gave it, which is nothing, and the process is killed.

    Where no thread is to be had that would have it come again, it ends the process itself.
    """
    assert ended(LINKING.format(hears=hears), 60) == (130, "")

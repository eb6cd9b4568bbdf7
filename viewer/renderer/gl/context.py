"""A GL context without a window, and the entry points that moderngl does not offer (passes 3.1)."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import moderngl

from viewer.renderer.driver_cache import hold_index
from viewer.renderer.driver_code import code_trouble
from viewer.renderer.driver_settings import settings_trouble
from viewer.renderer.driver_threads import settle_driver_threads
from viewer.renderer.driver_words import hush_driver
from viewer.renderer.gl.waiting import wait_off_screen
from viewer.renderer.gl_found import found_without_window
from viewer.renderer.memory_left import lacking

INSTALL_HINT = (
    "no OpenGL without a window here: install EGL and a driver "
    "(Debian/Ubuntu: libegl1 libgl1 libgl1-mesa-dri; Fedora: mesa-libEGL mesa-dri-drivers)"
)

_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "glEnable": (ctypes.c_uint,),
    "glDisable": (ctypes.c_uint,),
    "glStencilFunc": (ctypes.c_uint, ctypes.c_int, ctypes.c_uint),
    "glStencilOp": (ctypes.c_uint, ctypes.c_uint, ctypes.c_uint),
    "glStencilMask": (ctypes.c_uint,),
    "glClear": (ctypes.c_uint,),
    "glClearStencil": (ctypes.c_int,),
    "glClearDepth": (ctypes.c_double,),
    "glClearColor": (ctypes.c_float,) * 4,
    "glDepthFunc": (ctypes.c_uint,),
    "glDepthMask": (ctypes.c_ubyte,),
    "glColorMask": (ctypes.c_ubyte,) * 4,
    "glCullFace": (ctypes.c_uint,),
    "glFrontFace": (ctypes.c_uint,),
    "glBlendFunc": (ctypes.c_uint, ctypes.c_uint),
    "glBlendEquation": (ctypes.c_uint,),
    "glPolygonOffset": (ctypes.c_float, ctypes.c_float),
    "glPolygonMode": (ctypes.c_uint, ctypes.c_uint),
    "glViewport": (ctypes.c_int,) * 4,
    "glScissor": (ctypes.c_int,) * 4,
    "glPixelStorei": (ctypes.c_uint, ctypes.c_int),
    "glReadPixels": (*(ctypes.c_int,) * 4, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p),
    "glGenRenderbuffers": (ctypes.c_int, ctypes.c_void_p),
    "glDeleteRenderbuffers": (ctypes.c_int, ctypes.c_void_p),
    "glBindRenderbuffer": (ctypes.c_uint, ctypes.c_uint),
    "glRenderbufferStorage": (ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_int),
    "glRenderbufferStorageMultisample": (
        ctypes.c_uint,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_int,
        ctypes.c_int,
    ),
    "glGetIntegerv": (ctypes.c_uint, ctypes.c_void_p),
    "glBindFramebuffer": (ctypes.c_uint, ctypes.c_uint),
    "glFramebufferRenderbuffer": (ctypes.c_uint,) * 4,
    "glGetFramebufferAttachmentParameteriv": (*(ctypes.c_uint,) * 3, ctypes.c_void_p),
    "glTexParameteri": (ctypes.c_uint, ctypes.c_uint, ctypes.c_int),
    "glTexImage3D": (*(ctypes.c_int,) * 7, *(ctypes.c_uint,) * 2, ctypes.c_void_p),
    "glTexSubImage3D": (*(ctypes.c_int,) * 8, *(ctypes.c_uint,) * 2, ctypes.c_void_p),
    "glUseProgram": (ctypes.c_uint,),
    "glBindVertexArray": (ctypes.c_uint,),
    "glMultiDrawElements": (ctypes.c_uint, ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int),
    "glBlitFramebuffer": (*(ctypes.c_int,) * 8, ctypes.c_uint, ctypes.c_uint),
    "glFinish": (),
}
_WITH_RESULT: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "glGetError": (ctypes.c_uint, ()),
    "glCheckFramebufferStatus": (ctypes.c_uint, (ctypes.c_uint,)),
}


class NoGl(Exception):  # noqa: N818 - what it says is enough
    """There is no usable OpenGL here; the message says in one line what is missing."""

    lacks = ""
    """What the doctor knows a remedy for, where that is no driver."""


class NoMadeCode(NoGl):
    """The driver would make code as it runs, which the system forbids."""

    lacks = "code"


@cache
def _prototype(result: Any, *arguments: Any) -> Any:
    """The kind of a function, made once for all contexts."""
    # Calls take microseconds: letting go of the interpreter for each would hand it to other threads, and
    # the frame would wait to have it back.
    make = ctypes.PYFUNCTYPE if sys.maxsize > 2**32 else getattr(ctypes, "WINFUNCTYPE", ctypes.PYFUNCTYPE)
    return make(result, *arguments)


class RawGl:
    """Raw GL calls of one context, by their GL names (``raw.glStencilFunc(...)``).

    moderngl has no stencil API; its context hands out addresses that ctypes can call.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        load = ctx.mglo._context.load_opengl_function  # noqa: SLF001 - moderngl has no other way to it
        self._calls: dict[str, Callable[..., int]] = {}
        wanted = {name: (None, args) for name, args in _FUNCTIONS.items()} | _WITH_RESULT
        for name, (result, arguments) in wanted.items():
            address = load(name)
            if not address:
                raise NoGl(f"this OpenGL driver lacks {name}; OpenGL 3.3 is needed")
            self._calls[name] = _prototype(result, *arguments)(address)
        self.__dict__.update(self._calls)

    def __getattr__(self, name: str) -> Callable[..., int]:
        raise AttributeError(f"the GL entry point {name} is not loaded")

    def errors(self) -> list[int]:
        """Empty the GL error queue and return what was in it."""
        found: list[int] = []
        while len(found) < 16:
            code = self.glGetError()
            if code == 0:
                break
            found.append(code)
        return found


def ready(call: Callable[..., int], *values: float) -> Callable[[], int]:
    """A raw call with its values, to be made often: they are converted here and not each time."""
    kinds = getattr(call, "argtypes", None)
    return partial(call, *(values if kinds is None else map(_converted, kinds, values)))


def _converted(kind: Any, value: float) -> Any:
    return kind(value)


def create_headless(size: tuple[int, int] = (0, 0)) -> moderngl.Context:
    """A standalone context, OpenGL 3.3 or later; on Linux through EGL, so without any display.

    Raises NoGl with a line that says which version there is, names what to install, or that a limit leaves
    too little memory for it and a picture of that ``size``.
    """
    if complaint := lacking(size[0] * size[1]) or settings_trouble():
        raise NoGl(complaint)
    hush_driver()
    settle_driver_threads()
    reason = ""
    if sys.platform != "linux":
        try:
            made = moderngl.create_context(standalone=True, require=330)
        except Exception as error:
            raise NoGl(_missing(f"no OpenGL 3.3 context: {error}")) from error
        wait_off_screen(made)
        return made
    for create in (_by_usual_names, _by_backend):
        try:
            made = create()
            wait_off_screen(made)
            hold_index()
            break
        except Exception as error:
            reason = str(error)
    else:
        raise NoGl(_missing(f"{INSTALL_HINT} ({reason})"))
    if complaint := code_trouble(made.info["GL_RENDERER"]):
        made.release()
        raise NoMadeCode(complaint)
    return made


def _by_usual_names() -> moderngl.Context:
    names: dict[str, Any] = {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"}
    if any(name.startswith("GLCONTEXT_") for name in os.environ):  # libraries or a device of one's choice
        return _by_backend(**names)
    from glcontext import egl  # asked for by a name, the backend comes with what looks libraries up

    made: Any = egl.create_context(mode="standalone", glversion=330, **names)
    return moderngl.create_context(standalone=True, require=330, context=made)


def _by_backend(**names: Any) -> moderngl.Context:
    """Through glcontext's choice of backends; to look up libraries without names it starts two programs."""
    return moderngl.create_context(standalone=True, require=330, **{"backend": "egl", **names})


def _missing(otherwise: str) -> str:
    """Why there is no OpenGL 3.3: that the driver's is older, or what one else would say."""
    found = found_without_window()
    return otherwise if found is None or found.enough else found.complaint

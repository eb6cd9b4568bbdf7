"""PyGLM without the types for checkers that its package loads with it: they take longer than all the rest."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING

_NAME = "pyglm.glm"


def _alone() -> ModuleType:
    """The module as it is found in the package, which isn't run; whoever imports it later gets the same."""
    package = find_spec("pyglm")
    found = PathFinder.find_spec(_NAME, package.submodule_search_locations) if package is not None else None
    if found is None or found.loader is None or _NAME in sys.modules:
        from pyglm import glm as whole

        return whole
    module = sys.modules[_NAME] = module_from_spec(found)
    found.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from pyglm import glm
else:
    glm = _alone()

__all__ = ["glm"]

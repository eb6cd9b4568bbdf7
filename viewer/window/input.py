"""The keyboard's state: keys in, actions out, by the table of keys."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.tables.key_names import Key
from viewer.tables.keys import ACTIONS, CTRL, Action


class Keyboard:
    """Which actions are on: keys in, action names out."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        self._alone: dict[str, list[Action]] = {}
        self._with_ctrl: dict[str, list[Action]] = {}
        for action in ACTIONS:
            key = keys[action.name]
            table = self._with_ctrl if key.startswith(CTRL) else self._alone
            if key:
                table.setdefault(key.removeprefix(CTRL), []).append(action)
        self._chosen = frozenset(keys[a.name].removeprefix(CTRL) for a in ACTIONS if keys[a.name] != a.key)
        self._down: dict[str, list[Action]] = {}

    def press(self, key: Key, *, ctrl: bool = False) -> list[str]:
        """Note a key that went down; the names of the actions it sets off once.

        With Ctrl a key does what it is bound to with Ctrl, if anything, else what it does alone.
        """
        if key.identity in self._down:
            return []
        actions = self._down[key.identity] = self._bound(key, ctrl=ctrl)
        return [action.name for action in actions]

    def release(self, key: Key) -> list[str]:
        """Note a key that came up; the names of the held actions that end with it."""
        return [action.name for action in self._down.pop(key.identity, ()) if action.held]

    def names(self, key: Key, *, ctrl: bool = False) -> list[str]:
        """The actions that a key is bound to."""
        return [action.name for action in self._bound(key, ctrl=ctrl)]

    def is_bound(self, key: Key, *, ctrl: bool = False) -> bool:
        """Whether a key does anything."""
        return bool(self._bound(key, ctrl=ctrl))

    def clear(self) -> None:
        """Let go of every key: the window lost the focus or the keyboard went to a text box."""
        self._down.clear()

    def held(self, name: str) -> bool:
        """Whether a held action's key is down."""
        return any(action.name == name for actions in self._down.values() for action in actions)

    def _bound(self, key: Key, *, ctrl: bool) -> list[Action]:
        for table in (self._with_ctrl, self._alone) if ctrl else (self._alone,):
            for name in key.names(self._chosen):
                if name in table:
                    return table[name]
        return []

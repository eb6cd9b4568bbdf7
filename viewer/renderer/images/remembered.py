"""What was made of images, kept up to so many bytes: many records may name one image."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, Protocol, TypeVar


class _HasBytes(Protocol):
    @property
    def nbytes(self) -> int: ...


K = TypeVar("K")
V = TypeVar("V", bound=_HasBytes)


class Remembered(Generic[K, V]):
    """Values by key, None for what can't be made; those asked for longest ago are let go. For any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V | None] = {}
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V | None]) -> V | None:
        """The value of a key, made where there is none."""
        with self._lock:
            if key in self._values:
                self._values[key] = found = self._values.pop(key)  # now the one asked for last
                return found
        made = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = made
                self._bytes += _bytes_of(made)
            while self._bytes > self._most:
                self._bytes -= _bytes_of(self._values.pop(next(iter(self._values))))
        return made


def _bytes_of(value: _HasBytes | None) -> int:
    return 0 if value is None else int(value.nbytes)

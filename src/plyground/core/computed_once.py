"""Attributes that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Computed = TypeVar("Computed")


class computed_once(Generic[Computed]):  # noqa: N801  (a decorator, such as `property`)
    """As `functools.cached_property`, without the lock that it takes in Python 3.11 and that slows
    searches in plain Python down. Two threads that ask at once may both compute the value, so it
    has to be the same every time."""

    def __init__(self, function: Callable[[Any], Computed]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> computed_once[Computed]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Computed: ...

    def __get__(self, instance: object, owner: type) -> Computed | computed_once[Computed]:
        """Called only while the instance has no attribute of this name."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value

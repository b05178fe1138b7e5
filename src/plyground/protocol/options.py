"""The options of an engine: how it declares them, and which values they take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyground.core.errors import FormatError
from plyground.protocol.scores import whole_number

SHOWN = 12
"""Choices of an option that a message lists."""


@dataclass(frozen=True)
class EngineOption:
    """One option, as the line `option name ... type ...` declares it."""

    name: str
    kind: str
    """spin (a whole number), check (true or false), combo, string or button."""
    default: str | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The line that declares it."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.default is not None:
            words.append(f"default {self.default}")
        if self.kind == "spin":
            words.append(f"min {self.least} max {self.most}")
        return " ".join([*words, *(f"var {choice}" for choice in self.choices)])

    def check(self, value: str) -> str:
        """The value as it is sent. Raises FormatError if the option does not take it."""
        wanted = ""
        if self.kind == "spin":
            number = whole_number(value)
            below = number is not None and self.least is not None and number < self.least
            above = number is not None and self.most is not None and number > self.most
            if number is None or below or above:
                wanted = f"a whole number{self._range}"
        elif self.kind == "check" and value not in ("true", "false"):
            wanted = "true or false"
        elif self.kind == "combo" and value not in self.choices:
            some = ", ".join(self.choices[:SHOWN])
            wanted = f"one of {some}{', ...' if len(self.choices) > SHOWN else ''}"
        elif self.kind == "button" and value:
            wanted = "without a value"
        if wanted:
            raise FormatError(f"option {self.name} must be {wanted}, not {value!r}")
        return value

    @property
    def _range(self) -> str:
        if self.least is None or self.most is None:
            return ""
        return f" from {self.least} to {self.most}"


def read_option(words: Sequence[str]) -> EngineOption | None:
    """The option that a line declares, as words; None for a line without name or type."""
    parts: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    current: list[str] | None = None
    for word in words[1:]:
        if word == "var" and "type" in parts:
            current = []
            choices.append(current)
        elif word in ("name", "type", "default", "min", "max") and word not in parts:
            current = parts[word] = []
        elif current is not None:
            current.append(word)
    name, kind = (" ".join(parts.get(part, ())) for part in ("name", "type"))
    if not (name and kind):
        return None
    return EngineOption(
        name,
        kind,
        default=" ".join(parts["default"]) if "default" in parts else None,
        least=whole_number("".join(parts.get("min", ()))),
        most=whole_number("".join(parts.get("max", ()))),
        choices=tuple(" ".join(choice) for choice in choices),
    )


def find_option(options: Iterable[EngineOption], name: str) -> EngineOption:
    """An option by its name, in which upper and lower case are the same. Raises FormatError with
    the names of all options if there is none."""
    known = {option.name.lower(): option for option in options}
    if name.lower() not in known:
        names = ", ".join(option.name for option in known.values())
        raise FormatError(f"there is no option {name!r}; options: {names or 'none'}")
    return known[name.lower()]

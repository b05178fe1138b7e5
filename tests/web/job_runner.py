"""Doing the jobs of a worker in a test, without any process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.web.workers.cancellation import Control, Paused
from plyground.web.workers.jobs.search import perform
from plyground.web.workers.search_cache import Desk

Message = dict[str, Any]


class Notes:
    """A teller that writes everything down, and may do something when it hears something."""

    def __init__(self, then: Callable[[Message], None] = lambda message: None) -> None:
        self.told: list[Message] = []
        self._then = then

    def progress(self, make: Callable[[], Message]) -> None:
        self.say(make())

    def say(self, message: Message) -> None:
        self.told.append(message)
        self._then(message)


def do(job: Message, *, desk: Desk | None = None, notes: Notes | None = None) -> Message:
    """Do a job to its end."""
    complete = {**job, "source": job["place"]["game"]}
    return perform(desk or Desk(), complete, notes or Notes(), Control())


def place(game: str, *moves: str, **options: Any) -> Message:
    return {"game": game, "options": options, "moves": list(moves)}


def do_by_turns(job: Message, desk: Desk, *, messages: int) -> tuple[Message, Notes, list[Paused]]:
    """Do a job that is interrupted again and again, each time after so many messages: its result,
    all that it told and how it was interrupted."""
    job = {**job, "source": job["place"]["game"]}
    notes = Notes()
    pauses: list[Paused] = []
    while True:
        control = Control()
        heard: list[Message] = []

        def listen(message: Message, control: Control = control, heard: Any = heard) -> None:
            heard.append(message)
            notes.say(message)
            if len(heard) == messages:
                control.stop()

        try:
            return perform(desk, job, Notes(listen), control), notes, pauses
        except Paused as paused:
            pauses.append(paused)
            job = paused.rest
        finally:
            control.finish()

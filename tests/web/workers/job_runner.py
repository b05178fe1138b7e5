"""Runs the jobs of a worker in a test, without any process."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from plyground.web.protocol.messages import Review, Search, TreeModel
from plyground.web.protocol.models import Received
from plyground.web.workers.job_run import (
    Cancellation,
    Interrupted,
    JobReporter,
    JobRun,
    MessageWriter,
)
from plyground.web.workers.main import perform
from plyground.web.workers.search_cache import SearchCache

Message = dict[str, Any]


class RecordingReporter(JobReporter):
    """Keeps all messages of a job, and may do something at each."""

    def __init__(self, then: Callable[[Message], None] = lambda message: None) -> None:
        super().__init__(MessageWriter(io.BytesIO()), 0)
        self.messages: list[Message] = []
        self._then = then

    def progress(self, make: Callable[[], Message]) -> None:
        self.send(make())

    def send(self, message: Message) -> None:
        self.messages.append(message)
        self._then(message)


MODELS: dict[str, type[Received]] = {"search": Search, "review": Review, "tree": TreeModel}


def complete(job: Message) -> Message:
    """A job with all the fields that its message has; those that a test gives are not validated."""
    model = MODELS.get(job["type"])
    fields = {} if model is None else model.model_fields
    defaults = {name: field.default for name, field in fields.items() if not field.is_required()}
    return {name: value for name, value in {**defaults, **job}.items() if value is not None}


def do(
    job: Message, *, cache: SearchCache | None = None, reporter: RecordingReporter | None = None
) -> Message:
    """Run a job to its end."""
    given = {**complete(job), "source": job["place"]["game"]}
    reporter = reporter or RecordingReporter()
    return perform(JobRun(given, cache or SearchCache(), reporter, Cancellation()))


def place(game: str, *moves: str, **options: Any) -> Message:
    return {"game": game, "options": options, "moves": list(moves)}


def do_in_parts(
    job: Message, cache: SearchCache, *, messages: int
) -> tuple[Message, RecordingReporter, list[Interrupted]]:
    """Run a job that is interrupted again and again, each time after so many messages: its result,
    all messages and the interruptions."""
    job = {**complete(job), "source": job["place"]["game"]}
    reporter = RecordingReporter()
    interruptions: list[Interrupted] = []
    while True:
        cancellation = Cancellation()
        seen: list[Message] = []

        def listen(
            message: Message, cancellation: Cancellation = cancellation, seen: Any = seen
        ) -> None:
            seen.append(message)
            reporter.send(message)
            if len(seen) == messages:
                cancellation.request()

        try:
            result = perform(JobRun(job, cache, RecordingReporter(listen), cancellation))
            return result, reporter, interruptions
        except Interrupted as interrupted:
            interruptions.append(interrupted)
            job = interrupted.rest
        finally:
            cancellation.finish()

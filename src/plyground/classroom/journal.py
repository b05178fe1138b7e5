"""The journal of a grading run: an append-only file with a line for each result.

A result is synced before the next one. If the run ends, the next run does not grade what is in the
journal again. A last line that is not complete is removed; so is a line that did not fit the disk,
and then the run ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from plyground import __version__
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, Task
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import FileError
from plyground.core.file_lock import lock_soon
from plyground.core.game_files import game_files

ResultKey = tuple[str, str, str]
"""The submission, the task, and the digest of everything that the result depends on."""


class Journal:
    """The results of one folder. Only one process writes it at a time.

    A trusted player can forge results, so that those of trusted runs count for trusted runs only.
    """

    def __init__(self, path: Path, suite: Suite, *, trusted: bool = False) -> None:
        self.trusted = trusted
        self._terms = f"{suite_digest(suite)}-{'trusted' if trusted else 'sandboxed'}"
        self.results: dict[ResultKey, TaskResult] = {}
        self._path = path
        self._length = 0
        """Bytes of whole lines."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Without a buffer: it would keep a line that could not be written, and write it later.
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115
            if not lock_soon(self._file):
                raise FileError(
                    f"{path}: another grading run is writing here; wait for it, or choose another"
                    " --out"
                )
            self._read()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None

    def _read(self) -> None:
        """Read every complete line, and truncate the file after the last one."""
        with self._path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._length += len(line)
                self._take(line)
        self._file.truncate(self._length)

    def _take(self, line: bytes) -> None:
        """Take over the result in a line. Of a judge error, the task is to be graded again."""
        from plyground.classroom.journal_line import read_line

        entry = read_line(line)
        # A task's name becomes a file name, so it must be the one in the key: the suite's.
        if (
            entry is not None
            and entry.key[1] == entry.result.task
            and entry.result.verdict is not Verdict.JUDGE_ERROR
        ):
            self.results[entry.key] = entry.result

    def key(self, submission: Submission, task: Task) -> ResultKey:
        return submission.name, task.name, f"{submission.digest}-{self._terms}"

    def add(self, key: ResultKey, result: TaskResult) -> None:
        """Write a result. If that fails, the journal stays as it was."""
        document = {"key": list(key), "result": result.as_json()}
        # Half a character (a surrogate) in a player's text becomes a question mark.
        line = (json.dumps(document, ensure_ascii=False) + "\n").encode(errors="replace")
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._length)
            raise FileError(
                f"{self._path}: {error.strerror}; what was graded before is kept, and the same"
                " command goes on from there"
            ) from None
        self._length += len(line)
        self.results[key] = result

    def of(self, submission: Submission, tasks: Iterable[Task]) -> list[TaskResult]:
        """The results of a submission as it is now, in the order of the tasks."""
        keys = (self.key(submission, task) for task in tasks)
        return [self.results[key] for key in keys if key in self.results]

    def forget(self, submissions: Iterable[Submission], tasks: Sequence[Task]) -> None:
        """Ignore the results so far, so that these submissions are graded again."""
        for submission in submissions:
            for task in tasks:
                self.results.pop(self.key(submission, task), None)

    def close(self) -> None:
        self._file.close()


def suite_digest(suite: Suite) -> str:
    """A digest of the tasks, the settings of the suite and the version of plyground."""
    game = suite.game
    limits = (suite.seconds, suite.grace, suite.overruns)
    settings = (__version__, game.name, *limits, suite.engine, suite.end_when_decided)
    whole = hashlib.sha256(repr(settings).encode())
    for path, content in sorted(game_files(game).items()):
        whole.update(repr((path.name, content)).encode())
    for task in suite.tasks:
        asked = (task.name, task.kind, task.start.text, task.side, task.opponent, task.best)
        whole.update(repr((asked, sorted(task.options.items()))).encode())
    return whole.hexdigest()[:16]

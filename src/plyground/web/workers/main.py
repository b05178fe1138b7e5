"""The worker process: `python -m plyground.web.workers.main`, started by `process.py`.

Messages are lines of JSON on its standard input and output.

    in   {"run": NUMBER, "job": {...}, "background": BOOL}   one job, the next after it has ended
         {"stop": NUMBER}                      stop that job; ignored if it has ended
    out  {"ready": true}                       once, when it has loaded what all searches need
         {"compiling": SENTENCE}               a game is compiled, for the first time only
         {"job": NUMBER, "progress": {...}}    how far the job is
         {"job": NUMBER, "result": {...}}      the job is done
         {"job": NUMBER, "failed": SENTENCE}   the job cannot be done
         {"job": NUMBER, "rest": {...}}        it was stopped; the job that continues

The main thread reads; each job has a thread of its own, with a low priority if it is a background
job. The process ends when its input ends, so that it never outlives the server.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import traceback
from typing import IO

from plyground.core.errors import PlygroundError
from plyground.web.workers.job_run import (
    Cancellation,
    Interrupted,
    Job,
    JobReporter,
    JobRun,
    Message,
    MessageWriter,
)
from plyground.web.workers.jobs.evaluations import evaluations
from plyground.web.workers.jobs.review import review
from plyground.web.workers.jobs.search import search
from plyground.web.workers.jobs.solve import solve
from plyground.web.workers.jobs.tree import tree
from plyground.web.workers.search_cache import SearchCache

BACKGROUND_NICENESS = 10
"""Of the threads of background jobs: moves on a clock and pages go first."""

JOBS = {
    "search": search,
    "solve": solve,
    "review": review,
    "tree": tree,
    "evaluations": evaluations,
}


def perform(run: JobRun) -> Message:
    """Run a job of any kind, in this thread."""
    return JOBS[run.job["type"]](run)


class JobRunner:
    """Runs the jobs that it reads, one at a time."""

    def __init__(self, output: IO[bytes]) -> None:
        self._writer = MessageWriter(output)
        self._cache = SearchCache()
        self._cancellations: dict[int, Cancellation] = {}
        self._running = threading.Lock()
        """Held from the start of a job until nothing of it runs any more. The next job may arrive
        as soon as the answer is out."""

    def serve(self, source: IO[bytes]) -> None:
        """Read messages until there are no more, and end the process then."""
        from plyground.search.binding.compile import announce

        announce(lambda text: self._writer.write({"compiling": text}))
        self._writer.write({"ready": True})
        for line in source:
            message = json.loads(line)
            if "run" in message:
                number = message["run"]
                self._cancellations[number] = Cancellation()
                given = number, message["job"], message["background"]
                threading.Thread(target=self._run, args=given, daemon=True).start()
            elif cancellation := self._cancellations.get(message["stop"]):
                cancellation.request()
        os._exit(0)

    def _run(self, number: int, job: Job, background: bool) -> None:
        if background:
            lower_priority()
        with self._running:
            cancellation, reporter = self._cancellations[number], JobReporter(self._writer, number)
            answer = self._answer(JobRun(job, self._cache, reporter, cancellation))
            cancellation.finish()
            del self._cancellations[number]
            reporter.send_newest()
            self._writer.write({"job": number, **answer})
            self._exit_if_stuck()

    def _answer(self, run: JobRun) -> Message:
        """The last message of a job."""
        try:
            return {"result": perform(run)}
        except Interrupted as interrupted:
            return {"rest": interrupted.rest}
        except PlygroundError as error:
            return {"failed": str(error)}
        except MemoryError:
            self._cache = SearchCache()
            return {"failed": "there is not enough memory for this"}
        except RecursionError:
            return {"failed": "the rules of this game call each other without end"}
        except Exception as error:
            traceback.print_exc()
            return {"failed": f"the search has a defect ({type(error).__name__}: {error})"}

    def _exit_if_stuck(self) -> None:
        """A search answers in time even if a rule of its game never returns. This process, which
        would compute for ever, ends then, and the pool replaces it."""
        try:
            self._cache.wait_until_idle()
        except PlygroundError as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)


def lower_priority() -> None:
    """Lower the priority of this thread; it cannot be raised again. Only Linux can do so."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICENESS)


def main() -> None:
    """Take over standard input and output: what a game prints or reads must not disturb them."""
    source, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    JobRunner(output).serve(source)


if __name__ == "__main__":
    main()

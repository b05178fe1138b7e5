"""The process that searches: `python -m plyground.web.workers.main`, started by `pool.py`.

It speaks JSON, a line for a message, on what were its standard input and output when it started.

    to it    {"do": NUMBER, "job": {...}, "aside": BOOL}   one job, the next after it has ended;
                                                aside: nobody's clock runs meanwhile
             {"stop": NUMBER}                   stop that job; of no meaning if it has ended
    from it  {"ready": true}                    once, when it has loaded what all searches need
             {"compiling": SENTENCE}            something takes its time, for the first time only
             {"job": NUMBER, "tell": {...}}     how the job comes along
             {"stopping": SECONDS}              it was told to stop, has computed for so long since
                                                then and has not stopped yet
             {"job": NUMBER, "result": {...}}   it is done
             {"job": NUMBER, "failed": TEXT}    it cannot be done, in one sentence
             {"job": NUMBER, "rest": {...}, "restarts": BOOL}   it was stopped; the job that goes on

Moves on a clock are done in the main thread, all else in one that gives way to whatever else wants
to run, pages and clocks above all; a third one reads, so that a search hears of a stop at once.
When its input ends the process ends, whatever it is doing: it never outlives the server.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import IO, Any

from plyground.core.errors import PlygroundError
from plyground.web.workers.cancellation import Control, Paused
from plyground.web.workers.jobs.search import perform
from plyground.web.workers.search_cache import Desk

INTERVAL = 0.05
"""Seconds between two progress messages of a job: twenty a second are as many as a page can use."""
ASIDE = 10
"""How much the thread for all that can wait steps back, on the system's scale from 0 to 19."""
STILL_HERE = 0.2
"""Seconds between two signs of life of a worker that was told to stop."""


Jobs = queue.SimpleQueue[tuple[int, dict[str, Any]]]


class Voice:
    """Writes messages; from several threads, one at a time."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._output.write(line)
                self._output.flush()
            except OSError:
                os._exit(0)  # nobody listens any more


class Report:
    """The `Teller` of one job: progress at once, then at most every INTERVAL, the newest only.

    A thread of its own writes the progress down while the search goes on.
    """

    def __init__(self, voice: Voice, number: int) -> None:
        self._voice = voice
        self._number = number
        self._newest: Callable[[], dict[str, Any]] | None = None
        self._changed = threading.Condition()
        self._ended = False
        self._thread: threading.Thread | None = None

    def say(self, message: dict[str, Any]) -> None:
        self._voice.send({"job": self._number, "tell": message})

    def progress(self, make: Callable[[], dict[str, Any]]) -> None:
        with self._changed:
            self._newest = make
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._tell, daemon=True)
            self._thread.start()

    def end(self, *, last: bool) -> None:
        """No more progress; what was not told yet is told now if wanted (`last`)."""
        with self._changed:
            self._ended = True
            if not last:
                self._newest = None
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _tell(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None or self._ended)
                make, self._newest = self._newest, None
                if make is None:
                    return
            try:
                self.say(make())
            except PlygroundError:
                return  # the same error will end the job, which says so
            with self._changed:
                self._changed.wait_for(lambda: self._ended, INTERVAL)


class Worker:
    """One worker: a desk, and the job that lies on it."""

    def __init__(self, output: IO[bytes]) -> None:
        self._voice = Voice(output)
        self._desk = Desk()
        self._waiting: Jobs = queue.SimpleQueue()
        self._aside: Jobs = queue.SimpleQueue()
        self._controls: dict[int, Control] = {}
        self._turn = threading.Lock()
        """Held from the beginning of a job until nothing of it runs any more. The next one, perhaps
        for the other thread, may come as soon as its answer is out."""

    def read(self, source: IO[bytes]) -> None:
        """Take messages until there are no more, and end the process then."""
        for line in source:
            message = json.loads(line)
            if "do" in message:
                self._controls[message["do"]] = Control()
                jobs = self._aside if message["aside"] else self._waiting
                jobs.put((message["do"], message["job"]))
            elif "stop" in message and (control := self._controls.get(message["stop"])):
                control.stop()
                threading.Thread(target=self._tell_stopping, args=(control,), daemon=True).start()
        os._exit(0)

    def _tell_stopping(self, control: Control) -> None:
        """Say now and then that we are still here, until the job has stopped. How long that takes
        is counted in time of our own: on a busy machine we may have had none."""
        told = time.process_time()
        while not control.wait_until_finished(STILL_HERE):
            self._voice.send({"stopping": time.process_time() - told})

    def work(self) -> None:
        """Do one job after another, for ever."""
        self._load()
        threading.Thread(target=self._work_aside, daemon=True).start()
        self._voice.send({"ready": True})
        self._work_through(self._waiting)

    def _work_aside(self) -> None:
        """The same for jobs that give way to others."""
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # then they do not give way, and that is all
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), ASIDE)
        self._work_through(self._aside)

    def _work_through(self, jobs: Jobs) -> None:
        while True:
            number, job = jobs.get()
            with self._turn:
                control = self._controls[number]
                answer = self._do(number, job, control)
                control.finish()
                del self._controls[number]
                self._voice.send({"job": number, **answer})
                self._end_if_stuck()

    def _end_if_stuck(self) -> None:
        """A search answers in time even if a rule of its game never comes back. The pool has a new
        worker in our place then, instead of one that computes for ever."""
        try:
            self._desk.wait_until_idle()
        except PlygroundError as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)

    def _load(self) -> None:
        """What every search needs, loaded before anybody waits for it."""
        from plyground.search.binding.compile import announce

        announce(lambda text: self._voice.send({"compiling": text}))

    def _do(self, number: int, job: dict[str, Any], control: Control) -> dict[str, Any]:
        report = Report(self._voice, number)
        try:
            result = perform(self._desk, job, report, control)
        except Paused as paused:
            report.end(last=True)
            return {"rest": paused.rest, "restarts": paused.restarts}
        except PlygroundError as error:
            report.end(last=False)
            return {"failed": str(error)}
        except MemoryError:
            report.end(last=False)
            self._desk = Desk()
            return {"failed": "there is not enough memory for this"}
        except RecursionError:
            report.end(last=False)
            return {"failed": "the rules of this game call each other without end"}
        except Exception as error:
            traceback.print_exc()
            report.end(last=False)
            return {"failed": f"the search has a defect ({type(error).__name__}: {error})"}
        report.end(last=False)
        return {"result": result}


def main() -> None:
    """Take over standard input and output, so that a game that prints or reads disturbs nobody."""
    source, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    worker = Worker(output)
    threading.Thread(target=worker.read, args=(source,), daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()

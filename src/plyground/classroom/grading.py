"""Grades a submission on one task: plays it, judges it, and finds the move that lost it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from statistics import median_low

from plyground.arena.referee import UNTIMED, PlayedGame, Terms, overrun, play_game
from plyground.classroom.interfaces import NoInterface
from plyground.classroom.interfaces.derby import WrongSide
from plyground.classroom.opponents import Perfect, make_opponent
from plyground.classroom.student_process import start_player
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Opponent, Suite, Task
from plyground.classroom.verdict import OF_ENDING, Decisive, TaskResult, Verdict
from plyground.core.errors import IllegalMove, PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending, Outcome
from plyground.players.player import Clock, Fault, Player
from plyground.players.program import START_SECONDS, Program
from plyground.players.usage import killed_for_memory
from plyground.search.solving.solution import Unsolved, worth_text

TRIES = 2
"""How often a task is tried if the grader itself fails."""
LAST_CHANCE = 3.0
"""Seconds for loading a file that was not ready in time once already, so that one student does not
delay a whole class."""
LONGEST_STDERR = 4000
"""Characters from the end of a player's standard error that are kept."""


class Grader:
    """Grades on one suite. A perfect opponent is made once, and keeps what it has solved."""

    def __init__(self, suite: Suite, *, trusted: bool = False) -> None:
        self.suite = suite
        self._trusted = trusted
        self._perfect: Player | None = None
        self._never_ready: set[str] = set()

    def grade(self, submission: Submission, task: Task) -> TaskResult:
        """The result of a submission on a task. Failures are verdicts: the student's, or a judge
        error for everything else."""
        for tried in range(1, TRIES + 1):
            killed = killed_for_memory()
            try:
                result = self._try(submission, task)
                # If memory is short the kernel ends players first, even if others have taken it.
                crashed = result.verdict is Verdict.RUNTIME_ERROR
                if not crashed or killed_for_memory() == killed or tried == TRIES:
                    return result
            except NoInterface as error:
                return TaskResult(task.name, Verdict.RUNTIME_ERROR, str(error), loaded=False)
            except WrongSide as error:  # the file cannot play this task
                return TaskResult(task.name, Verdict.RUNTIME_ERROR, str(error))
            except Exception as error:  # not the student's fault
                trouble = " ".join(f"{type(error).__name__}: {error}".split())
        return TaskResult(task.name, Verdict.JUDGE_ERROR, f"the judge failed: {trouble[:300]}")

    def _try(self, submission: Submission, task: Task) -> TaskResult:
        path, interface = submission.player(self.suite.game, task.options)
        seconds = LAST_CHANCE if submission.digest in self._never_ready else START_SECONDS
        player = start_player(
            submission,
            path,
            interface,
            trusted=self._trusted,
            engine=self.suite.engine,
            start_seconds=seconds,
        )
        try:
            judge = {"win": self._play, "best": self._ask}[task.kind]
            result = judge(task, player)
            if result.verdict is Verdict.TIME_LIMIT and not player.is_ready:
                self._never_ready.add(submission.digest)
            return result
        finally:
            player.close()

    # A game to win

    def _play(self, task: Task, player: Program) -> TaskResult:
        opponent = self._opponent(task.opponent)
        players: list[Player] = [player, opponent] if task.side == 0 else [opponent, player]
        timed = Terms(self.suite.seconds, self.suite.overruns, self.suite.grace)
        played = play_game(
            task.start,
            players,
            (timed, UNTIMED) if task.side == 0 else (UNTIMED, timed),
            options=task.options,
            event=f"{self.suite.title}: {task.name}",
            foresee=partial(foresee, task, opponent) if self.suite.end_when_decided else None,
        )
        outcome = played.outcome
        on_the_board = outcome.ending in (Ending.FINISHED, Ending.DECIDED, Ending.LENGTH)
        if not on_the_board and outcome.winner == task.side:
            raise PlygroundError(f"the opponent failed: {outcome.reason}")
        won = outcome.winner == task.side
        finished = outcome.ending is Ending.FINISHED
        counts_points = self.suite.game.rules.point > 0
        own = [move for move in played.moves if move.side == task.side]
        depths = played.depths(task.side)
        return TaskResult(
            task=task.name,
            verdict=Verdict.ACCEPTED if won else OF_ENDING[outcome.ending],
            reason=outcome.reason,
            margin=_for_side(outcome.utility, task.side) if finished and counts_points else None,
            decisive=None if won else self._decisive(task, played, opponent),
            record=played.record.text,
            complaints=player.stderr[-LONGEST_STDERR:],
            moves=len(own),
            slowest=played.slowest(task.side),
            depth=median_low(depths) if depths else None,
            loaded=player.is_ready,
        )

    def _opponent(self, opponent: Opponent) -> Player:
        if opponent.kind != "perfect":
            return make_opponent(self.suite.game, opponent)
        self._perfect = self._perfect or make_opponent(self.suite.game, opponent)
        return self._perfect

    def _decisive(self, task: Task, played: PlayedGame, opponent: Player) -> Decisive | None:
        """The student's first move after which the game was no longer won; None if that is not
        proven, or the game was not lost on the board."""
        if not isinstance(opponent, Perfect):
            return None
        try:
            return first_mistake(task, played, opponent)
        except Unsolved:
            return None

    # A move to find

    def _ask(self, task: Task, player: Program) -> TaskResult:
        clock = Clock(self.suite.seconds, self.suite.grace)
        try:
            player.begin(task.start, task.side, clock)
            choice = player.choose(task.start, clock)
            if clock.is_late(choice):
                raise overrun(player.name, choice, clock)
            move = task.start.move_text(task.start.parse_move(choice.move))
        except IllegalMove as error:
            return self._no_move(task, player, Ending.ILLEGAL, str(error))
        except Fault as fault:
            return self._no_move(task, player, fault.ending, str(fault))
        found = move in task.best
        better = "" if found else f", where {' or '.join(task.best)} is best"
        return TaskResult(
            task=task.name,
            verdict=Verdict.ACCEPTED if found else Verdict.WRONG_ANSWER,
            reason=f"{move}{better}",
            moves=1,
            slowest=choice.charged_seconds,
            depth=choice.depth,
            decisive=None if found else Decisive(0, task.start.text, move, task.best),
            complaints=player.stderr[-LONGEST_STDERR:],
        )

    def _no_move(self, task: Task, player: Program, ending: Ending, reason: str) -> TaskResult:
        return TaskResult(
            task=task.name,
            verdict=OF_ENDING[ending],
            reason=reason,
            complaints=player.stderr[-LONGEST_STDERR:],
            loaded=player.is_ready,
        )


def foresee(
    task: Task, opponent: Player, position: Position, moves: Sequence[object]
) -> Outcome | None:
    """The result of a game that is certain before its end, after these moves; None if it is not.

    The rules may bound what the game can still become. Against a perfect opponent that is to move,
    a game is also certain if the solver proves that it is not won any more.
    """
    bounds = position.game.rules.bounds(position.board, position.state)
    least, most = sorted(_for_side(end, task.side) for end in bounds)
    why = "nothing can change that any more"
    if least <= 0 < most and isinstance(opponent, Perfect) and position.turn != task.side:
        with contextlib.suppress(Unsolved):
            proven = _for_side(opponent.utility(position), task.side)
            if proven <= 0:
                most = proven
                other = position.game.players[1 - task.side]
                verb = "does not lose" if proven == 0 else "wins"
                why = f"from there {other} {verb} with correct play"
    if least <= 0 < most:
        return None
    result = least if least > 0 else most
    winner = None if result == 0 else task.side if result > 0 else 1 - task.side
    word = "won" if result > 0 else "lost" if result < 0 else "not won"
    reason = f"{word} after move {len(moves)}: {why}"
    return Outcome(winner, _for_side(result, task.side), Ending.DECIDED, reason)


def first_mistake(task: Task, played: PlayedGame, perfect: Perfect) -> Decisive | None:
    """The first move of the task's side that lost a won game, as the solver proves."""
    positions = played.record.positions(task.start.game)
    for ply, (before, after) in enumerate(pairwise(positions)):
        if before.turn == task.side and not _is_won(after, task.side, perfect):
            solution = perfect.solver.solve(before)
            if _for_side(solution.worth.utility, task.side) <= 0:
                return None  # it was never won
            better = [before.move_text(move) for move in solution.optimal]
            return Decisive(
                ply=ply,
                position=before.text,
                played=played.record.plies[ply].move,
                better=tuple(better),
                before=worth_text(before, solution.worth),
                after=_worth_text(after, perfect),
            )
    return None


def _is_won(position: Position, side: int, perfect: Perfect) -> bool:
    utility = position.utility if position.is_over else perfect.utility(position)
    return _for_side(utility, side) > 0


def _worth_text(position: Position, perfect: Perfect) -> str:
    if position.is_over:
        return position.outcome.reason
    return worth_text(position, perfect.solver.solve(position, every_move=False).worth)


def _for_side(utility: int, side: int) -> int:
    """A utility as this side counts it, or from that to the first player's."""
    return utility if side == 0 else -utility

"""The recursion of the engine: alpha-beta over any game, compiled.

Contract of `search`: given a state, a depth and a window alpha < beta, all from the point of view
of the player to move, it returns a value v such that (fail-soft)

    v <= alpha         the state is worth at most v
    alpha < v < beta   it is worth exactly v
    beta <= v          it is worth at least v

where "worth" means minimax to that depth, if the features in use are exact ones. A player may move
twice in a row: whether a child's value changes its sign depends on its turn, at every move.
counters[OPEN] is set if the value rests on an estimate anywhere; if not, it is proven.
When the search is stopped it returns at once. What it returns then is ignored, nothing is stored,
and the last finished iteration answers.
"""

from __future__ import annotations

from typing import Any

from plyground.core.values import DECIDED, INFINITY, WIN
from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, recursive, types
from plyground.search.binding.pointers import address_of, field, prefetch
from plyground.search.engine.nodes import (
    came_back,
    certain_value,
    count_node,
    estimate,
    extend_line,
    final_value,
    leaf_value,
    limits_of,
    standing,
)
from plyground.search.engine.ordering import (
    MOVE_MASK,
    QUIET_BOUND,
    busy_word,
    learn_refutation,
    pick_move,
    rank_moves,
)
from plyground.search.engine.quiescence import quiesce
from plyground.search.engine.search_memory import (
    FEATURES,
    MAX_DEPTH,
    OPEN,
    PLIES,
    QUIET_PLIES,
    SALT,
    SEARCHED,
)
from plyground.search.engine.transposition_table import (
    EXACT,
    LOWER,
    UNKNOWN,
    UPPER,
    bucket_of,
    is_estimate,
    probe,
    store,
    stored_bound,
    stored_depth,
    stored_move,
    stored_value,
    table_answer,
)
from plyground.search.features import Features
from plyground.search.kernel_memory import STOPPED, THREADS, mark, unmark

FEW_MOVES = 5
"""As many as a position of Fishing Derby has, at most."""

CHILDREN_DEPTH = 2
"""From this depth on, all children are looked up in the table before any is searched. Measured on
Breakthrough 6x6 to depth 12: a fifth fewer nodes. Where there are only a few moves it is done from
the next depth on: before that, to look costs more than it spares."""

REDUCE_DEPTH = 3
REDUCE_AFTER = 3
"""From this depth on, quiet moves after the first few are searched less deeply at first. Where
there are only a few in all, already the second is a late one: Fishing Derby gets two and a half
plies deeper in the same nodes."""
PRUNE_DEPTH = 2
PRUNE_AFTER = 6
"""Up to this depth, quiet moves are not searched at all once depth x this many moves were."""
UNRANKED_DEPTH = 4
"""From this depth on, a position without a table move is searched a ply less: the next iteration
will know its best move."""
SHARED_DEPTH = 6
"""From this depth on, a move that another thread is searching is searched after all others. Two
threads then visit 1.27 times the nodes of one to the same depth, instead of 1.35 times (depth 12,
80 positions of Breakthrough 8x8). From depth 4 on it saves no more, and threads wait for each
other's marks."""
FUTILITY_DEPTH = 6
FUTILITY_MARGIN = 50
"""Up to this depth, a position is not searched if its evaluation is above the window by this much
for each ply of depth: the other player will hardly get that back. Half a pawn in most evaluations;
in games of points it is half a point. Measured on Breakthrough 6x6 with 20,000 nodes a move: 40 and
60 gain as much, 100 less, and 9 plies no more than 6."""

USES_TABLE = int(Features.TABLE)
USES_SCOUT = int(Features.SCOUT)
USES_QUIESCENCE = int(Features.QUIESCENCE)
USES_REDUCTIONS = int(Features.REDUCTIONS)
USES_PRUNING = int(Features.PRUNING)
USES_REPETITION = int(Features.REPETITION)
USES_FUTILITY = int(Features.FUTILITY)
SELECTIVE_PLAY = USES_QUIESCENCE | USES_REDUCTIONS | USES_PRUNING | USES_FUTILITY


@native
def reduction_of(depth: Any, number: Any, count: Any, packed: Any) -> Any:
    """How much less deeply a late quiet move is searched at first, by its number in the order."""
    late = REDUCE_AFTER if count > FEW_MOVES else 1
    if depth < REDUCE_DEPTH or number < late or packed >= QUIET_BOUND:
        return types.int64(0)
    less = types.int64(1)
    if number >= 3 * REDUCE_AFTER:
        less += 1
    if depth >= 3 * REDUCE_DEPTH:
        less += 1
    return less


@native
def futility_margin(depth: Any) -> Any:
    """How far above the window an evaluation is futile to search, at this depth."""
    if rules.point() != 0:
        return depth * max(types.int64(rules.point()) // 2, 1)
    return depth * types.int64(FUTILITY_MARGIN)


@native
def line_from_table(board: Any, state: Any, data: Any, ply: Any, memory_at: Any) -> Any:
    """Copy the best line from here, which has this table entry, out of the table; whether all of it
    is there, and each position on it has the same exact value."""
    line = field(memory_at, "line")
    ranked = field(memory_at, "ranked")
    salt = types.uint64(field(memory_at, "settings")[SALT])
    own = ply * PLIES
    base = ply * rules.max_moves()
    side = rules.turn(board, state)
    value = stored_value(data, ply) + standing(board, state)
    length = types.int64(0)
    while ply + length < MAX_DEPTH:
        move = stored_move(data)
        count = rules.moves(board, state, ranked[base : base + rules.max_moves()])
        is_legal = False  # another position may have the same key
        for index in range(types.uintp(base), types.uintp(base + count)):
            is_legal = is_legal or ranked[index] == move
        if not is_legal:
            return False
        line[own + length] = move
        length += 1
        state = rules.play(board, state, move)
        is_end = rules.over(board, state) or certain_value(board, state, ply, memory_at) != 0
        below = stored_depth(data) - 1
        if is_end or below <= 0:
            is_whole = is_end or abs(value) < DECIDED  # a win beyond the horizon has a longer line
            if is_whole:
                field(memory_at, "line_length")[ply] = length
            return is_whole
        data = probe(memory_at, rules.key(board, state) ^ salt)
        below_value = stored_value(data, ply + length) + standing(board, state)
        same = rules.turn(board, state) == side
        if (
            stored_bound(data) != EXACT
            or stored_depth(data) != below
            or (below_value if same else -below_value) != value
        ):
            return False
    return False


@recursive("int64")
def search(
    board: Any,
    state: Any,
    depth: Any,
    alpha: Any,
    beta: Any,
    ply: Any,
    memory_at: Any,
) -> Any:
    counters = field(memory_at, "counters")
    settings = field(memory_at, "settings")
    line_length = field(memory_at, "line_length")
    ranked = field(memory_at, "ranked")
    keys = field(memory_at, "keys")
    table = field(memory_at, "table")
    features = settings[FEATURES]

    # 1. At the horizon, search noisy moves, if that is in use.
    quiescing = rules.has_noisy() and features & USES_QUIESCENCE != 0
    if depth <= 0 or ply >= PLIES - 1:
        if quiescing:
            return quiesce(board, state, alpha, beta, ply, ply + QUIET_PLIES, memory_at)
        return leaf_value(board, state, ply, memory_at)

    # 2. A finished game is not searched, nor one whose winner is certain.
    count_node(memory_at)
    in_line = beta - alpha > 1
    if in_line:
        line_length[types.uintp(ply)] = 0
    if rules.over(board, state):
        counters[OPEN] = 0
        return final_value(board, state, ply)
    certain = certain_value(board, state, ply, memory_at)
    if certain != 0:
        counters[OPEN] = 0
        return certain

    # 3. Prefetch the table's entry: it lies anywhere in memory, and is read soon.
    salt = types.uint64(settings[SALT])
    hashed = types.uint64(0)
    watching = rules.repeats() and features & USES_REPETITION != 0
    if features & USES_TABLE != 0 or watching:
        hashed = rules.key(board, state) ^ salt
        prefetch(table, bucket_of(memory_at, hashed))

    # 4. No line from here can beat a nearer win that is certain already.
    if WIN - ply - 1 <= alpha:
        counters[OPEN] = 0
        return alpha
    if rules.has_bounds():
        least, most = limits_of(board, state)
        if least >= beta or most <= alpha:
            counters[OPEN] = 0
            return least if least >= beta else most
        if not in_line:
            beta = min(beta, most)  # no move can be worth more

    # 5. Probe the table. On the principal line it only names a move, so that the line stays whole,
    # unless another thread may have searched all of that line. (Not where positions come back: one
    # on that line may have been there before.)
    together = settings[THREADS] > 1 and features & USES_TABLE != 0
    exactly = features & SELECTIVE_PLAY == 0
    table_move = types.int64(-1)
    so_far = standing(board, state)
    if watching and came_back(memory_at, ply, hashed):
        counters[OPEN] = 1
        return types.int64(0)
    if features & USES_TABLE != 0:
        data = probe(memory_at, hashed)
        if data != 0:
            table_move = stored_move(data)
            named = in_line and features & USES_SCOUT != 0
            if not named or (together and not watching and stored_bound(data) == EXACT):
                value = table_answer(data, depth, alpha - so_far, beta - so_far, ply, exactly)
                answers = value != UNKNOWN
                if answers and named:
                    answers = line_from_table(board, state, data, ply, memory_at)
                if answers:
                    counters[OPEN] = is_estimate(data, value)
                    return value + so_far
        elif features & USES_REDUCTIONS != 0 and depth >= UNRANKED_DEPTH:
            depth -= 1

    # 6. Do not search what is far too good already (reverse futility pruning).
    if (
        features & USES_FUTILITY != 0
        and depth <= FUTILITY_DEPTH
        and not in_line
        and abs(beta) < DECIDED
    ):
        value = estimate(board, state, memory_at)
        if value - futility_margin(depth) >= beta:
            counters[OPEN] = 1
            return value

    # 7. List the moves.
    side = rules.turn(board, state)
    base = ply * rules.max_moves()
    count = rules.moves(board, state, ranked[base : base + rules.max_moves()])

    # 8. Probe the children: one may be known to be good enough. (Not where positions come back: it
    # may be one that was there before.)
    worthwhile = depth >= CHILDREN_DEPTH + types.int64(count <= FEW_MOVES)
    if features & USES_TABLE != 0 and worthwhile and not in_line and not watching:
        for entry in range(types.uintp(base), types.uintp(base + count)):
            child = rules.play(board, state, ranked[entry])
            keys[entry] = rules.key(board, child) ^ salt
            prefetch(table, bucket_of(memory_at, keys[entry]))
        for entry in range(types.uintp(base), types.uintp(base + count)):
            data = probe(memory_at, keys[entry])
            if data != 0:
                child = rules.play(board, state, ranked[entry])
                same = rules.turn(board, child) == side
                gained = standing(board, child)
                low = (beta - 1 if same else -beta) - gained
                value = table_answer(data, depth - 1, low, low + 1, ply + 1, exactly)
                if value != UNKNOWN:
                    value = value + gained if same else -value - gained
                    if value >= beta:
                        counters[OPEN] = is_estimate(data, value)
                        return value
    rank_moves(board, state, side, memory_at, base, count, table_move, ply)

    # 9. Search each, the most promising first. What another thread is searching comes last: its
    # result may be in the table by then.
    sharing = together and depth >= SHARED_DEPTH
    lowest_alpha = alpha
    best = types.int64(-INFINITY)
    best_move = types.int64(0)
    tried = types.int64(0)
    is_open = types.int64(0)
    for index in range(base, base + count):
        packed, number = pick_move(memory_at, ply, base, index, base + count, sharing, hashed)
        move = packed & MOVE_MASK

        # 10. Near the horizon, late quiet moves are left out once there is a way not to lose.
        if (
            features & USES_PRUNING != 0
            and depth <= PRUNE_DEPTH
            and number >= depth * PRUNE_AFTER
            and packed < QUIET_BOUND
            and best > -DECIDED
            and not in_line
        ):
            is_open = types.int64(1)
            continue

        # 11. A null window first, and less deep where that is likely to do; then in full.
        child = rules.play(board, state, move)
        same = rules.turn(board, child) == side
        scouting = tried > 0 and features & USES_SCOUT != 0
        less = types.int64(0)
        if scouting and features & USES_REDUCTIONS != 0:
            less = reduction_of(depth, number, count, packed)
        ceiling = alpha + 1 if scouting else beta
        if in_line:
            line_length[types.uintp(ply + 1)] = 0
        if sharing:
            mark(memory_at, busy_word(hashed, move))
        while True:
            low = alpha if same else -ceiling
            high = ceiling if same else -alpha
            below = depth - 1 - less
            if below <= 0 and not quiescing:  # most nodes: spare them the call
                value = leaf_value(board, child, ply + 1, memory_at)
            else:
                value = search(board, child, below, low, high, ply + 1, memory_at)
            value = value if same else -value
            if counters[STOPPED] or value <= alpha:
                break
            if less > 0:
                less = types.int64(0)
            elif ceiling < beta and value < beta:
                ceiling = beta
            else:
                break
        if sharing:
            unmark(memory_at, busy_word(hashed, move))
        if counters[STOPPED]:
            return best
        tried += 1

        # 12. A new best move, or a refutation.
        child_open = counters[OPEN]
        is_open |= child_open
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                if in_line:
                    extend_line(memory_at, ply, move)
                if alpha >= beta:
                    is_open = child_open
                    learn_refutation(memory_at, side, base, index - base, depth, ply)
                    break

    # 13. Store it.
    if features & USES_TABLE != 0:
        bound = LOWER if best >= beta else EXACT if best > lowest_alpha else UPPER
        store(memory_at, hashed, best - so_far, best_move, depth, bound, is_open == 0, ply)
    counters[OPEN] = is_open
    return best


@native
def kept_value(root: Any, count: Any, keep: Any) -> Any:
    """The keep-th best value among the first `count` root moves, equal ones counted singly."""
    value = types.int64(INFINITY)
    while keep > 0:
        below = types.int64(-INFINITY)
        equals = types.int64(0)
        for index in range(count):
            if root.bounds[index] != UPPER and below <= root.values[index] < value:
                equals = equals + 1 if root.values[index] == below else types.int64(1)
                below = root.values[index]
        if equals == 0:
            return below
        value = below
        keep -= equals
    return value


def search_root(
    board: Any,
    state: Any,
    root: Any,
    depth: Any,
    alpha: Any,
    beta: Any,
    keep: Any,
    slack: Any,
    memory: Any,
) -> Any:
    """The kernel: one iteration at the root. Returns the best value; each root move gets a value, a
    bound and a line.

    The `keep` best moves get exact values. With a `slack` of 1, so do the moves that are as good as
    the last of those.
    """
    memory_at = address_of(memory)
    counters = memory.counters
    side = rules.turn(board, state)
    ply = types.int64(1)
    best = types.int64(-INFINITY)
    is_open = types.int64(0)
    for index in range(len(root.moves)):
        # The value to beat: that of the keep-th best move so far, or the window's lower end.
        floor = alpha
        if index >= keep:
            floor = max(floor, kept_value(root, index, keep) - slack)
        child = rules.play(board, state, root.moves[index])
        same = rules.turn(board, child) == side
        ceiling = beta if index < keep else floor + 1
        memory.line_length[ply] = 0
        value = types.int64(0)
        while True:
            low = floor if same else -ceiling
            high = ceiling if same else -floor
            value = search(board, child, depth - 1, low, high, ply, memory_at)
            value = value if same else -value
            if counters[STOPPED] or value <= floor or ceiling >= beta:
                break
            ceiling = beta
        if counters[STOPPED]:
            break
        root.values[index] = value
        root.bounds[index] = UPPER if value <= floor else LOWER if value >= beta else EXACT
        length = memory.line_length[ply] if value > floor else 0
        root.lengths[index] = length + 1
        root.lines[index * PLIES] = root.moves[index]
        for step in range(length):
            root.lines[index * PLIES + 1 + step] = memory.line[ply * PLIES + step]
        counters[SEARCHED] = index + 1
        is_open |= counters[OPEN]
        best = max(best, value)
        if best >= beta:
            is_open = counters[OPEN]
            break
    counters[OPEN] = is_open
    return best

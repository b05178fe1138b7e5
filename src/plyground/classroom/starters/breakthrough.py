"""An agent for Breakthrough. 'W' starts on rows 0 and 1 and moves to higher rows, 'B' comes down.

It already plays: alpha-beta, one ply deeper each time, until the time is nearly up. What makes it
better is yours to find: a heuristic that knows more than rows, better moves first, a table.
"""

from time import monotonic

WIN = 1_000_000


class TimeIsUp(Exception):
    """The search was cut short: what it has not finished counts for nothing."""


class Agent:
    def __init__(self, color, opponentColor, time=None):
        """`time` is how many seconds a move may take, None for as many as you like."""
        self.color = color
        self.opponentColor = opponentColor
        self.time = 1.0 if time is None else time
        self.search_depth = 0  # how deep the last search was: shown beside the move

    def move(self, board):
        """The best move: the cell to leave and the cell to go to, both (row, column)."""
        self.deadline = monotonic() + 0.7 * self.time
        moves = moves_of(board, self.color)
        best = moves[0]
        self.search_depth = 0
        try:
            for depth in range(1, 50):
                # What was best before is looked at first: then more of the others can be cut off.
                moves.sort(key=lambda move: move != best)
                alpha = -2 * WIN
                for move in moves:
                    value = -self.after(board, move, self.color, depth - 1, -2 * WIN, -alpha)
                    if value > alpha:
                        alpha, candidate = value, move
                best, self.search_depth = candidate, depth
                if abs(alpha) > WIN // 2:
                    break  # somebody wins by force
        except TimeIsUp:
            pass
        return best

    def after(self, board, move, color, depth, alpha, beta):
        """The value after a move, for the side to move then. The board is left as it was."""
        from_cell, to_cell = move
        taken = board.board[to_cell[0]][to_cell[1]]
        board.changePieceLocation(color, from_cell, to_cell)
        try:
            return self.search(board, other(color), depth, alpha, beta)
        finally:
            board.changePieceLocation(color, to_cell, from_cell)
            board.board[to_cell[0]][to_cell[1]] = taken

    def search(self, board, color, depth, alpha, beta):
        """The value for `color`, who is to move; exact if it lies between alpha and beta."""
        if monotonic() > self.deadline:
            raise TimeIsUp
        if board.win(other(color)):
            return -WIN - depth  # a loss further away is not as bad
        if depth == 0:
            return evaluate(board, color)
        for move in moves_of(board, color):
            value = -self.after(board, move, color, depth - 1, -beta, -alpha)
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
        return alpha


def moves_of(board, color):
    from_cells, to_cells = board.getPiecesPossibleLocations(color)
    return [(start, end) for start, ends in zip(from_cells, to_cells, strict=True) for end in ends]


def other(color):
    return "B" if color == "W" else "W"


def evaluate(board, color):
    """Pawns, and how far they have come, for `color`."""
    value = 0
    last = board.n_rows - 1
    for number, row in enumerate(board.board):
        value += row.count("W") * (10 + number * number)
        value -= row.count("B") * (10 + (last - number) ** 2)
    return value if color == "W" else -value

# Makes and takes back moves on the board it is given, with the old names.
INFINITY = 10 ** 6


def distances(board, color):
    goal = board.n_rows - 1 if color == 'W' else 0
    return sum(abs(goal - i) ** 2
               for i in range(board.n_rows) for j in range(board.n_cols)
               if board.board[i][j] == color)


def minimax(board, depth, maximizer, color, enemy):
    mover = color if maximizer else enemy
    if board.win(color):
        return INFINITY, None
    if board.win(enemy):
        return -INFINITY, None
    if depth == 0:
        return distances(board, enemy) - distances(board, color), None
    best, best_move = None, None
    for i in range(board.n_rows):
        for j in range(board.n_cols):
            if board.board[i][j] != mover:
                continue
            for destination in board.getPiecePossibeLocations(mover, i, j):
                before = board.board[destination[0]][destination[1]]
                board.changePieceLocation(mover, (i, j), destination)
                value, _ = minimax(board, depth - 1, not maximizer, color, enemy)
                board.changePieceLocation(mover, destination, (i, j))
                board.board[destination[0]][destination[1]] = before
                if best is None or (value > best if maximizer else value < best):
                    best, best_move = value, ((i, j), destination)
    return best, best_move


class Agent:
    def __init__(self, color, opponentColor, time=None):
        self.color, self.opponentColor = color, opponentColor
        self.search_depth = 2

    def move(self, board):
        _, move = minimax(board, self.search_depth, True, self.color, self.opponentColor)
        board.initilizeBoard()  # the board is ours to spoil
        return [list(cell) for cell in move]

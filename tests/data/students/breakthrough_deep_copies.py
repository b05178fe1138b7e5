import copy
from time import time as now


class Node:
    def __init__(self, board, from_cell=None, to_cell=None):
        self.board = board
        self.from_cell = from_cell
        self.to_cell = to_cell


class Agent:
    def __init__(self, color, opponentColor, time=None):
        self.color = color
        self.opponentColor = opponentColor
        self.time = time
        self.height = 1

    def move(self, board):
        start = now()
        best, best_value = None, -10 ** 9
        for child in self.children(Node(board), self.color):
            value = self.min_value(child)
            if value > best_value:
                best, best_value = child, value
        print("thought for", now() - start)
        return best.from_cell, best.to_cell

    def children(self, node, color):
        from_cells, to_cells = node.board.getPiecesPossibleLocations(color)
        for i in range(len(from_cells)):
            for j in range(len(to_cells[i])):
                new_board = copy.deepcopy(node.board)
                new_board.changePieceLocation(color, from_cells[i], to_cells[i][j])
                yield Node(new_board, from_cells[i], to_cells[i][j])

    def min_value(self, node):
        if node.board.finishedGame():
            return 1000 if node.board.win(self.color) else -1000
        return min(
            -1000 if child.board.win(self.opponentColor) else self.evaluate(child.board)
            for child in self.children(node, self.opponentColor)
        )

    def evaluate(self, board):
        return board.getNumberOfArmy(self.color) - board.getNumberOfArmy(self.opponentColor)

NAME = "two plies"


def choose(position, clock):
    """The move after which the worst answer is best, by the game's own evaluation."""
    assert clock.seconds > 0 and clock.left <= clock.seconds
    sign = 1 if position.turn == 0 else -1

    def value(child):
        if child.is_over:
            return sign * child.utility * 10 ** 6
        return sign * child.evaluation

    def worst(child):
        if child.is_over or child.turn == position.turn:
            return value(child)
        return min(value(grandchild) for _, grandchild in child.children())

    return max(position.legal_moves, key=lambda move: worst(position.after(move))), 2

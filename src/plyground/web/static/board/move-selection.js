/**
 * From cells that are touched one after the other to a move. Knows nothing of pages: it is told the
 * legal moves with the cells that each one touches, and answers what a touch does.
 */
export class MoveMaker {
  #moves = [];
  #chosen = [];

  /** @param {{text: string, touches: string[], key: string}[]} moves the legal ones */
  set moves(moves) {
    this.#moves = moves.filter((move) => move.touches.length > 0);
    this.cancel();
  }

  /** Those of them that can be made by touching cells. */
  get moves() {
    return this.#moves;
  }

  /** The cells touched so far, or that count as touched since nothing else is possible. */
  get chosen() {
    return this.#chosen;
  }

  /** Whether something was chosen that could as well not have been. */
  get canCancel() {
    return this.#chosen.length > this.#given().length;
  }

  /** Whether touching the last chosen cell once more makes a move. */
  get endsHere() {
    const at = this.#chosen.length;
    return at > 0 && this.open.some((move) => move.touches.length === at);
  }

  /** The moves that are still possible with what is chosen. */
  get open() {
    return this.#moves.filter((move) => startsWith(move.touches, this.#chosen));
  }

  /** The cells that lead on from what is chosen, its own last one for a move that ends there. */
  get targets() {
    const at = this.#chosen.length;
    return [...new Set(this.open.map((move) => move.touches[at] ?? move.touches[at - 1]))];
  }

  /** The cells from which a move can begin. */
  get sources() {
    return [...new Set(this.#moves.map((move) => move.touches[0]))];
  }

  /** Whether all moves are made by touching one cell. */
  get isPlacing() {
    return this.#moves.every((move) => move.touches.length === 1);
  }

  /** Whether touching a cell now would choose something or make a move. */
  isUseful(cell) {
    return this.targets.includes(cell) || this.sources.includes(cell);
  }

  /**
   * A cell is touched. Answers with the moves that this makes (several if they touch the same
   * cells: somebody has to choose), or none if the touch chose, or gave up, a cell.
   */
  touch(cell) {
    const at = this.#chosen.length;
    const leading = this.open.filter((move) => move.touches[at] === cell);
    if (leading.length > 0) {
      return this.#advance(leading, [...this.#chosen, cell]);
    }
    if (at > 0 && this.#chosen[at - 1] === cell) {
      const ending = this.open.filter((move) => move.touches.length === at);
      this.cancel();
      return ending;
    }
    this.#chosen = [];
    const starting = this.#moves.filter((move) => move.touches[0] === cell);
    if (starting.length > 0) {
      return this.#advance(starting, [cell]);
    }
    this.cancel();
    return [];
  }

  /** Forget what was chosen. */
  cancel() {
    this.#chosen = this.#given();
  }

  #advance(moves, chosen) {
    if (moves.every((move) => move.touches.length === chosen.length)) {
      this.cancel();
      return moves;
    }
    this.#chosen = chosen;
    return [];
  }

  /** Where all moves begin in one cell and some lead on from it, it need not be touched. */
  #given() {
    const sources = this.sources;
    return sources.length === 1 && !this.isPlacing ? sources : [];
  }
}

function startsWith(touches, chosen) {
  return chosen.every((cell, at) => touches[at] === cell);
}

/**
 * From cells that are touched one after the other to a move. Knows only the legal moves with the
 * cells that each one touches. No DOM.
 */

/** @import { Move } from "../shared/protocol.d.ts" */

export class MoveSelection {
  /** @type {Move[]} */
  #moves = [];
  /** @type {string[]} */
  #chosen = [];

  /** The legal moves that can be made by touching cells; setting it starts anew. */
  get moves() {
    return this.#moves;
  }

  set moves(moves) {
    this.#moves = moves.filter((move) => move.touches.length > 0);
    this.cancel();
  }

  /** The cells touched so far, or implied since no other is possible. */
  get chosen() {
    return this.#chosen;
  }

  /** Whether a cell is chosen that was not implied. */
  get canCancel() {
    return this.#chosen.length > this.#implied().length;
  }

  /** Whether touching the last chosen cell once more makes a move. */
  get endsHere() {
    const at = this.#chosen.length;
    return at > 0 && this.candidates.some((move) => move.touches.length === at);
  }

  /** The moves that begin with the chosen cells. */
  get candidates() {
    return this.#moves.filter((move) => startsWith(move.touches, this.#chosen));
  }

  /** The cells that continue what is chosen; the last chosen one for a move that ends there. */
  get targets() {
    const at = this.#chosen.length;
    return [...new Set(this.candidates.map(({ touches }) => touches[at] ?? touches[at - 1]))];
  }

  /** The cells from which a move can begin. */
  get sources() {
    return [...new Set(this.#moves.map((move) => move.touches[0]))];
  }

  /** Whether all moves are made by touching one cell. */
  get isPlacing() {
    return this.#moves.every((move) => move.touches.length === 1);
  }

  /**
   * Whether touching a cell now would choose something or make a move.
   *
   * @param {string} cell
   */
  isUseful(cell) {
    return this.targets.includes(cell) || this.sources.includes(cell);
  }

  /**
   * A cell is touched. Returns the moves that this makes (several if they touch the same cells),
   * or none if the touch chose a cell or cancelled the choice.
   *
   * @param {string} cell
   * @returns {Move[]}
   */
  touch(cell) {
    const at = this.#chosen.length;
    const continuing = this.candidates.filter((move) => move.touches[at] === cell);
    if (continuing.length > 0) {
      return this.#advance(continuing, [...this.#chosen, cell]);
    }
    if (at > 0 && this.#chosen[at - 1] === cell) {
      const ending = this.candidates.filter((move) => move.touches.length === at);
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

  /** Forget the cells that were chosen. */
  cancel() {
    this.#chosen = this.#implied();
  }

  /**
   * @param {Move[]} moves
   * @param {string[]} chosen
   * @returns {Move[]}
   */
  #advance(moves, chosen) {
    if (moves.every((move) => move.touches.length === chosen.length)) {
      this.cancel();
      return moves;
    }
    this.#chosen = chosen;
    return [];
  }

  /** The first cell, where all moves begin in it and some continue from it. */
  #implied() {
    const sources = this.sources;
    return sources.length === 1 && !this.isPlacing ? sources : [];
  }
}

/**
 * @param {string[]} touches
 * @param {string[]} chosen
 */
function startsWith(touches, chosen) {
  return chosen.every((cell, at) => touches[at] === cell);
}

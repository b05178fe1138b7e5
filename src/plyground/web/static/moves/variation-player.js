/** A line of moves played out at a table as a variation, one move after the other. */

/**
 * Plays `moves` from a node by "try". The table answers each with its new state; `see(table)` must
 * be called with every state, and sends the next move when the one before it is on show.
 */
export class Variation {
  #socket;
  #left = [];
  #from = null;

  constructor(socket) {
    this.#socket = socket;
  }

  /** Play these moves from this node, in place of any line under way. */
  play(node, moves) {
    this.#left = [...moves];
    this.#send(node);
  }

  /** The table has changed: go on, or give up if somebody went elsewhere. */
  see(table) {
    if (this.#from === null) {
      return;
    }
    const current = table.nodes.find((node) => node.id === table.current);
    if (current?.parent === this.#from) {
      this.#send(current.id);
    } else if (table.current !== this.#from) {
      this.stop();
    }
  }

  /** Whether moves are still to be played. */
  get isUnderWay() {
    return this.#from !== null;
  }

  stop() {
    this.#left = [];
    this.#from = null;
  }

  #send(node) {
    if (this.#left.length === 0) {
      this.#from = null;
      return;
    }
    this.#from = node;
    this.#socket.send({ type: "try", node, move: this.#left.shift() });
  }
}

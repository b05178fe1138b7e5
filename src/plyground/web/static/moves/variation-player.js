/** Plays a line of moves in a session as a variation, one move after the other. */

/** @import { Table, SessionRequest } from "../shared/protocol.d.ts" */

/**
 * Sends each move with "try" when the one before it is on show. `update` must be called with
 * every session that the server sends.
 */
export class VariationPlayer {
  #socket;
  /** @type {string[]} */
  #remaining = [];
  /** @type {number|null} the node from which a move was sent */
  #from = null;

  /** @param {{send: (message: SessionRequest) => void}} socket */
  constructor(socket) {
    this.#socket = socket;
  }

  /**
   * Play these moves from a node, in place of any line that is being played.
   *
   * @param {number} node
   * @param {string[]} moves
   */
  play(node, moves) {
    this.#remaining = [...moves];
    this.#sendNext(node);
  }

  /**
   * The session has changed: send the next move, or stop if another node is on show.
   *
   * @param {Table} session
   */
  update(session) {
    if (this.#from === null) {
      return;
    }
    const current = session.nodes.find((node) => node.id === session.current);
    if (current?.parent === this.#from) {
      this.#sendNext(current.id);
    } else if (session.current !== this.#from) {
      this.stop();
    }
  }

  /** Whether moves are still to be played. */
  get isPlaying() {
    return this.#from !== null;
  }

  stop() {
    this.#remaining = [];
    this.#from = null;
  }

  /** @param {number} node */
  #sendNext(node) {
    const move = this.#remaining.shift();
    if (move === undefined) {
      this.#from = null;
      return;
    }
    this.#from = node;
    this.#socket.send({ type: "try", node, move });
  }
}

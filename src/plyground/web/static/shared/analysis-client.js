/**
 * The server's thinking, asked for from a page: one socket, several kinds of question. A new
 * question of a kind takes the place of the one before it, whose late answers are dropped.
 */

import { Socket } from "./api.js";

export class Thinking {
  #socket;
  #asked = new Map();
  #lastId = 0;

  /** @param {{onOpen?: function(): void}} [listeners] `onOpen` after each (re)connection */
  constructor({ onOpen = () => {} } = {}) {
    this.#socket = new Socket("/api/think", {
      onMessage: (message) => this.#receive(message),
      onState: (state) => this.#changed(state, onOpen),
    });
  }

  /**
   * Ask. `onReply(message)` gets every reply, errors included (type "error"); after a lost
   * connection the question is asked again by itself.
   */
  ask(question, onReply) {
    this.#lastId += 1;
    const message = { ...question, id: this.#lastId };
    this.#asked.set(question.type, { message, onReply });
    if (this.#socket.isOpen) {
      this.#socket.send(message);
    }
  }

  /** Stop thinking about a kind of question, if there is one; its answers are dropped. */
  stop(type) {
    const asked = this.#asked.get(type);
    this.#asked.delete(type);
    if (asked && this.#socket.isOpen) {
      this.#socket.send({ type: "stop", id: asked.message.id });
    }
  }

  /** Whether a question of this kind is under way. */
  isAsking(type) {
    return this.#asked.has(type);
  }

  close() {
    this.#socket.close();
  }

  #changed(state, onOpen) {
    if (state === "open") {
      for (const { message } of this.#asked.values()) {
        this.#socket.send(message);
      }
      onOpen();
    }
  }

  #receive(message) {
    for (const [type, { message: question, onReply }] of this.#asked) {
      if (question.id === message.id) {
        if (ENDS[type].includes(message.type)) {
          this.#asked.delete(type);
        }
        onReply(message);
        return;
      }
    }
  }
}

/** The replies after which nothing more comes, by kind of question. */
const ENDS = {
  search: ["done", "error"],
  solve: ["solved", "error"],
  review: ["done", "error"],
  tree: ["tree", "error"],
};

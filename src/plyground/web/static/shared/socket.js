/** A WebSocket that reconnects by itself. */

import { withToken } from "./token.js";

const FIRST_DELAY = 200;
const LONGEST_DELAY = 3000;
/** Close codes that are final: the session does not exist, or this page was refused. */
const FINAL_CODES = new Set([1008, 4404]);

/**
 * Reconnects after 0.2 s at first, then more slowly, up to 3 s.
 *
 * While the connection is down only the last message is kept, and sent when it is back: what a
 * person did ten seconds ago is no longer meant.
 *
 * @template Request, Reply
 */
export class ReconnectingSocket {
  #path;
  #onMessage;
  #onState;
  /** @type {WebSocket|null} */
  #socket = null;
  #delay = FIRST_DELAY;
  /** @type {number|undefined} */
  #timer;
  /** @type {Request|null} */
  #pending = null;
  #isClosed = false;

  /**
   * @param {string} path
   * @param {Object} listeners
   * @param {(message: Reply) => void} listeners.onMessage called with every message
   * @param {(state: "open"|"closed") => void} [listeners.onState] called when the connection is
   *   made or lost
   */
  constructor(path, { onMessage, onState = () => {} }) {
    this.#path = path;
    this.#onMessage = onMessage;
    this.#onState = onState;
    this.#connect();
    addEventListener("online", this.#retryNow);
    addEventListener("pageshow", this.#retryNow);
  }

  /** Whether a message would be sent at once. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a message, now or, if it is the last one until then, when the connection is back.
   *
   * @param {Request} message
   */
  send(message) {
    if (this.#socket !== null && this.isOpen) {
      this.#socket.send(JSON.stringify(message));
    } else {
      this.#pending = message;
    }
  }

  /** Close it, and do not reconnect. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retryNow);
    removeEventListener("pageshow", this.#retryNow);
    this.#socket?.close();
  }

  #connect() {
    const address = withToken(this.#path);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.#lost(socket, event.code));
  }

  #opened() {
    this.#delay = FIRST_DELAY;
    this.#onState("open");
    if (this.#pending !== null) {
      const message = this.#pending;
      this.#pending = null;
      this.send(message);
    }
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   */
  #lost(socket, code) {
    if (this.#isClosed || socket !== this.#socket) {
      return;
    }
    this.#onState("closed");
    if (FINAL_CODES.has(code)) {
      return;
    }
    this.#timer = setTimeout(() => this.#connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  #retryNow = () => {
    const state = this.#socket?.readyState;
    if (!this.#isClosed && state !== WebSocket.OPEN && state !== WebSocket.CONNECTING) {
      clearTimeout(this.#timer);
      this.#delay = FIRST_DELAY;
      this.#connect();
    }
  };
}

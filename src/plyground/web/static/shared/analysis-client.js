/**
 * Requests for analysis: searches, solutions, reviews and recorded trees, over one socket. A new
 * request replaces the one before it of the same type, whose late replies are dropped.
 */

import { ReconnectingSocket } from "./socket.js";

/**
 * @import { AnalysisReply, AnalysisRequest, RepliesByRequest } from "./protocol.d.ts"
 * @typedef {keyof RepliesByRequest} RequestType
 * @typedef {Exclude<AnalysisRequest, {type: "stop"}>} Job
 * @typedef {{message: Job, onReply: (reply: any) => void}} Running
 */

/**
 * The replies after which nothing more comes, by type of request.
 *
 * @type {Record<RequestType, string[]>}
 */
const FINAL_REPLIES = {
  search: ["done", "error"],
  solve: ["solved", "error"],
  review: ["done", "error"],
  tree: ["tree", "error"],
};

export class AnalysisClient {
  /** @type {ReconnectingSocket<AnalysisRequest, AnalysisReply>} */
  #socket;
  /** @type {Map<RequestType, Running>} */
  #running = new Map();
  #lastId = 0;

  constructor() {
    this.#socket = new ReconnectingSocket("/api/think", {
      onMessage: (message) => this.#receive(message),
      onState: (state) => state === "open" && this.#resend(),
    });
  }

  /**
   * Send a request. `onReply` is called with every reply, errors included; after a lost
   * connection the request is sent again.
   *
   * @template {RequestType} Type
   * @param {Omit<Extract<Job, {type: Type}>, "id"> & {type: Type}} request
   * @param {(reply: RepliesByRequest[Type]) => void} onReply
   */
  request(request, onReply) {
    this.#lastId += 1;
    const message = /** @type {Job} */ (
      /** @type {unknown} */ ({ ...request, id: this.#lastId })
    );
    this.#running.set(request.type, { message, onReply });
    if (this.#socket.isOpen) {
      this.#socket.send(message);
    }
  }

  /**
   * Stop the request of a type, if one is running; its replies are dropped.
   *
   * @param {RequestType} type
   */
  stop(type) {
    const running = this.#running.get(type);
    this.#running.delete(type);
    if (running && this.#socket.isOpen) {
      this.#socket.send({ type: "stop", id: running.message.id });
    }
  }

  /**
   * Whether a request of this type is running.
   *
   * @param {RequestType} type
   */
  isRunning(type) {
    return this.#running.has(type);
  }

  #resend() {
    for (const { message } of this.#running.values()) {
      this.#socket.send(message);
    }
  }

  /** @param {AnalysisReply} reply */
  #receive(reply) {
    for (const [type, { message, onReply }] of this.#running) {
      if (message.id === reply.id) {
        if (FINAL_REPLIES[type].includes(reply.type)) {
          this.#running.delete(type);
        }
        onReply(reply);
        return;
      }
    }
  }
}

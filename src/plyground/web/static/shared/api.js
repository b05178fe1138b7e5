/**
 * The server, as the pages see it: requests that answer with JSON or throw what a person should
 * read, and a socket that comes back by itself.
 */

/** What the server refused, in a sentence; `status` and the rest of its answer go with it. */
export class RequestError extends Error {
  constructor(message, status, answer) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.answer = answer;
  }
}

/** GET: the answer's JSON. Throws a RequestError with the server's own words. */
export function get(path) {
  return request("GET", path);
}

/** POST with a JSON body: the answer's JSON. */
export function post(path, body) {
  return request("POST", path, body);
}

/** DELETE. */
export function remove(path) {
  return request("DELETE", path);
}

async function request(method, path, body) {
  const options = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new RequestError("plyground does not answer: is it still running?", 0, null);
  }
  const answer = await readJson(response);
  if (!response.ok) {
    const words = answer?.message ?? `the server answered with ${response.status}`;
    throw new RequestError(words, response.status, answer);
  }
  return answer;
}

async function readJson(response) {
  const text = await response.text();
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const FIRST_WAIT = 200;
const LONGEST_WAIT = 3000;
/** Closed for good: the table is gone, or this page was refused. Trying again would not help. */
const FINAL_CODES = new Set([1008, 4404]);

/**
 * A WebSocket that reconnects by itself, first after 0.2 s, then more slowly up to 3 s.
 *
 * `onMessage(message)` gets every message, as JSON. `onState("open" | "closed")` tells of the
 * connection. Messages sent while it is down are not queued, except the last one: what a person
 * did ten seconds ago is no longer meant.
 */
export class Socket {
  #path;
  #onMessage;
  #onState;
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = null;
  #intent = null;
  #ended = false;

  constructor(path, { onMessage, onState = () => {} }) {
    this.#path = path;
    this.#onMessage = onMessage;
    this.#onState = onState;
    this.#connect();
    addEventListener("online", this.#retryNow);
    addEventListener("pageshow", this.#retryNow);
  }

  /** Whether a message would leave at once. */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message, now or, if it is the last one until then, when the connection is back. */
  send(message) {
    if (this.isOpen) {
      this.#socket.send(JSON.stringify(message));
    } else {
      this.#intent = message;
    }
  }

  /** Close it for good. */
  close() {
    this.#ended = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retryNow);
    removeEventListener("pageshow", this.#retryNow);
    this.#socket?.close();
  }

  #connect() {
    const address = new URL(this.#path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.#closed(socket, event.code));
  }

  #opened() {
    this.#wait = FIRST_WAIT;
    this.#onState("open");
    if (this.#intent !== null) {
      const intent = this.#intent;
      this.#intent = null;
      this.send(intent);
    }
  }

  #closed(socket, code) {
    if (this.#ended || socket !== this.#socket) {
      return;
    }
    this.#onState("closed");
    if (FINAL_CODES.has(code)) {
      return;
    }
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #retryNow = () => {
    const state = this.#socket?.readyState;
    if (!this.#ended && state !== WebSocket.OPEN && state !== WebSocket.CONNECTING) {
      clearTimeout(this.#timer);
      this.#wait = FIRST_WAIT;
      this.#connect();
    }
  };
}

/** The HTTP API: a function for each request. All throw a RequestError if the server refuses. */

import { token, withToken } from "./token.js";

/**
 * @import { CheckedEvent, Evaluations, GameCard, GamesPage, NewEvent } from "./protocol.d.ts"
 * @import { NewTable, Place, Table, TableCard, View } from "./protocol.d.ts"
 */

export const NO_ANSWER = "plyground does not answer: is it still running?";

/** The server's own message; with the HTTP status (0: no response) and the response's JSON. */
export class RequestError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {any} response
   */
  constructor(message, status, response) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.response = response;
  }
}

/** @returns {Promise<GameCard[]>} */
export function fetchGames() {
  return request("GET", "/api/games");
}

/**
 * @param {Place} place
 * @returns {Promise<View>}
 */
export function fetchView(place) {
  return request("POST", "/api/positions", place);
}

/**
 * How the engine can value positions of a board.
 *
 * @param {Place} place
 * @returns {Promise<Evaluations>}
 */
export function fetchEvaluations(place) {
  return request("POST", "/api/evaluations", place);
}

/** @returns {Promise<TableCard[]>} */
export function fetchSessions() {
  return request("GET", "/api/tables");
}

/**
 * @param {string} id
 * @returns {Promise<Table>}
 */
export function fetchSession(id) {
  return request("GET", tableUrl(id));
}

/**
 * @param {NewTable} settings
 * @returns {Promise<string>} the id of the new session
 */
export async function createSession(settings) {
  return (await request("POST", "/api/tables", settings)).id;
}

/**
 * @param {string} id
 * @returns {Promise<void>}
 */
export function deleteSession(id) {
  return request("DELETE", tableUrl(id));
}

/**
 * Start a session from a file: a record, or a position of some game.
 *
 * @param {{name: string, text: string, game?: string}} file
 * @returns {Promise<string>} the id of the new session
 */
export async function importFile(file) {
  return (await request("POST", "/api/open", file)).id;
}

/**
 * What is wrong with an event of the arena, and its command line.
 *
 * @param {NewEvent} event
 * @returns {Promise<CheckedEvent>}
 */
export function checkEvent(event) {
  return request("POST", "/api/arena/check", event);
}

/**
 * @param {NewEvent} event
 * @returns {Promise<number>} the number of the run
 */
export async function startEvent(event) {
  return (await request("POST", "/api/arena/events", event)).run;
}

/**
 * @param {string} id
 * @returns {Promise<number>} the number of the run
 */
export async function resumeEvent(id) {
  return (await request("POST", `/api/arena/events/${id}/resume`)).run;
}

/**
 * @param {string} id
 * @returns {Promise<void>}
 */
export function stopEvent(id) {
  return request("POST", `/api/arena/events/${id}/stop`);
}

/**
 * Finished games of an event, the latest first.
 *
 * @param {string} id
 * @param {Record<string, string>} query
 * @returns {Promise<GamesPage>}
 */
export function fetchEventGames(id, query) {
  return request("GET", `/api/arena/events/${id}/games?${new URLSearchParams(query)}`);
}

/**
 * Start a session from a finished game of the arena.
 *
 * @param {number} game
 * @returns {Promise<string>} the id of the new session
 */
export async function openEventGame(game) {
  return (await request("POST", `/api/arena/games/${game}/open`)).id;
}

/** @returns {Promise<any>} the OpenAPI document */
export function fetchOpenApi() {
  return request("GET", "/api/openapi.json");
}

/** @param {string} id */
function tableUrl(id) {
  return `/api/tables/${id}`;
}

/** @param {string} id */
export function sessionSocketPath(id) {
  return `${tableUrl(id)}/socket`;
}

/**
 * Where a game is downloaded as a record.
 *
 * @param {string} id
 * @param {"text"|"json"} format
 */
export function recordUrl(id, format) {
  return withToken(`${tableUrl(id)}/record?format=${format}`).href;
}

/**
 * Where a game is downloaded as one page of HTML.
 *
 * @param {string} id
 */
export function replayUrl(id) {
  return withToken(`${tableUrl(id)}/replay`).href;
}

/**
 * What an error says.
 *
 * @param {unknown} error
 */
export function errorMessage(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param {"GET"|"POST"|"DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the JSON of the response
 */
async function request(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", Authorization: `Bearer ${token()}` };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, { method, headers, body: JSON.stringify(body) });
  } catch {
    throw new RequestError(NO_ANSWER, 0, null);
  }
  const document = await readJson(response);
  if (!response.ok) {
    const message = document?.message ?? `the server answered with ${response.status}`;
    throw new RequestError(message, response.status, document);
  }
  return document;
}

/** @param {Response} response */
async function readJson(response) {
  const text = await response.text();
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

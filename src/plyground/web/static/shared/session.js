/** Questions about a session: its nodes and lines, its places, its sides. Pure functions. */

/** @import { Place, PlayerSpec, Side, Table, NodeModel } from "./protocol.d.ts" */

/**
 * The node with an id.
 *
 * @param {Pick<Table, "nodes">} session
 * @param {number} id
 * @returns {NodeModel}
 */
export function nodeOf(session, id) {
  const found = session.nodes.find((node) => node.id === id);
  if (found === undefined) {
    throw new Error(`the session has no node ${id}`);
  }
  return found;
}

/**
 * The ids of the nodes from the start to a node.
 *
 * @param {Table} session
 * @param {number} id
 * @returns {number[]}
 */
function pathTo(session, id) {
  const parents = new Map(session.nodes.map((node) => [node.id, node.parent]));
  const path = [];
  /** @type {number|null} */
  let node = id;
  while (node !== null) {
    path.unshift(node);
    node = parents.get(node) ?? null;
  }
  return path;
}

/**
 * The line through a node: the main line if the node is on it, else the path to the node and on
 * by first children.
 *
 * @param {Table} session
 * @param {number} id
 * @returns {number[]}
 */
export function lineThrough(session, id) {
  if (session.main.includes(id)) {
    const beyond = session.main.length > 1 ? [] : lineAfter(session, session.head);
    return [...session.main, ...beyond];
  }
  return [...pathTo(session, id), ...lineAfter(session, id)];
}

/**
 * @param {Table} session
 * @param {number} id
 */
function lineAfter(session, id) {
  const line = [];
  for (let next = nextNode(session, id); next !== null; next = nextNode(session, next)) {
    line.push(next);
  }
  return line;
}

/**
 * The node that follows: the main line's, else the first variation's; null at an end.
 *
 * @param {Table} session
 * @param {number} id
 * @returns {number|null}
 */
export function nextNode(session, id) {
  const children = session.nodes.filter((node) => node.parent === id);
  const main = children.find((node) => session.main.includes(node.id));
  return (main ?? children[0])?.id ?? null;
}

/**
 * The Place of a node: the session's start and the moves to it.
 *
 * @param {Table} session
 * @param {number} id
 * @returns {Place & {moves: string[]}}
 */
export function placeOf(session, id) {
  const nodes = new Map(session.nodes.map((node) => [node.id, node]));
  const moves = pathTo(session, id).slice(1).map((at) => nodes.get(at)?.move ?? "");
  return { game: session.game.name, text: session.start, options: positionOptions(session), moves };
}

/**
 * The options of a session that go with a position's text.
 *
 * @param {Table} session
 */
export function positionOptions({ game, options }) {
  const kept = game.options.filter(({ name, with_text }) => with_text && name in options);
  return Object.fromEntries(kept.map(({ name }) => [name, options[name]]));
}

/**
 * A node in words: "the start" or "ply 5, after a2-a3".
 *
 * @param {Table} session
 * @param {number} id
 */
export function nodeText(session, id) {
  const path = pathTo(session, id);
  return path.length === 1
    ? "the start"
    : `ply ${path.length - 1}, after ${nodeOf(session, id).move}`;
}

/** @param {PlayerSpec} spec */
export function isHuman(spec) {
  return spec.kind === "human";
}

/**
 * The side to move in the game, or null when it is over.
 *
 * @param {Table} session
 * @returns {Side|null}
 */
export function sideToMove(session) {
  return session.result === null ? nodeOf(session, session.head).turn : null;
}

/**
 * The side of the only human, or null where none or both are human.
 *
 * @param {Table} session
 * @returns {Side|null}
 */
export function humanSide({ players }) {
  const [first, second] = players.map(isHuman);
  return first === second ? null : first ? 0 : 1;
}

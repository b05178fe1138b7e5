/** Questions about a table: its nodes and lines, its places, its sides. Pure functions. */

/** @import { Place, PlayerSpec, Side, Table, TableNode } from "./protocol.d.ts" */

/**
 * The node with an id.
 *
 * @param {Pick<Table, "nodes">} table
 * @param {number} id
 * @returns {TableNode}
 */
export function nodeOf(table, id) {
  const found = table.nodes.find((node) => node.id === id);
  if (found === undefined) {
    throw new Error(`the table has no node ${id}`);
  }
  return found;
}

/**
 * The ids of the nodes from the start to a node.
 *
 * @param {Table} table
 * @param {number} id
 * @returns {number[]}
 */
function pathTo(table, id) {
  const parents = new Map(table.nodes.map((node) => [node.id, node.parent]));
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
 * @param {Table} table
 * @param {number} id
 * @returns {number[]}
 */
export function lineThrough(table, id) {
  if (table.main.includes(id)) {
    const beyond = table.main.length > 1 ? [] : lineAfter(table, table.head);
    return [...table.main, ...beyond];
  }
  return [...pathTo(table, id), ...lineAfter(table, id)];
}

/**
 * @param {Table} table
 * @param {number} id
 */
function lineAfter(table, id) {
  const line = [];
  for (let next = nextNode(table, id); next !== null; next = nextNode(table, next)) {
    line.push(next);
  }
  return line;
}

/**
 * The node that follows: the main line's, else the first variation's; null at an end.
 *
 * @param {Table} table
 * @param {number} id
 * @returns {number|null}
 */
export function nextNode(table, id) {
  const children = table.nodes.filter((node) => node.parent === id);
  const main = children.find((node) => table.main.includes(node.id));
  return (main ?? children[0])?.id ?? null;
}

/**
 * The Place of a node: the table's start and the moves to it.
 *
 * @param {Table} table
 * @param {number} id
 * @returns {Place & {moves: string[]}}
 */
export function placeOf(table, id) {
  const nodes = new Map(table.nodes.map((node) => [node.id, node]));
  const moves = pathTo(table, id).slice(1).map((at) => nodes.get(at)?.move ?? "");
  return { game: table.game.name, text: table.start, options: positionOptions(table), moves };
}

/**
 * The options of a table that go with a position's text.
 *
 * @param {Table} table
 */
export function positionOptions({ game, options }) {
  const kept = game.options.filter(({ name, with_text }) => with_text && name in options);
  return Object.fromEntries(kept.map(({ name }) => [name, options[name]]));
}

/**
 * A node in words: "the start" or "ply 5, after a2-a3".
 *
 * @param {Table} table
 * @param {number} id
 */
export function nodeText(table, id) {
  const path = pathTo(table, id);
  return path.length === 1
    ? "the start"
    : `ply ${path.length - 1}, after ${nodeOf(table, id).move}`;
}

/** @param {PlayerSpec} spec */
export function isHuman(spec) {
  return spec.kind === "human";
}

/**
 * The side to move in the game, or null when it is over.
 *
 * @param {Table} table
 * @returns {Side|null}
 */
export function sideToMove(table) {
  return table.result === null ? nodeOf(table, table.head).turn : null;
}

/**
 * The side of the only human, or null where none or both are human.
 *
 * @param {Table} table
 * @returns {Side|null}
 */
export function humanSide({ players }) {
  const [first, second] = players.map(isHuman);
  return first === second ? null : first ? 0 : 1;
}

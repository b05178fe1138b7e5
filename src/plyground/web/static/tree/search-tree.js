/**
 * A recorded search as data, and what it knew after each of its steps. Pure functions.
 *
 * Nodes are numbered in the order in which the search entered them, so a node's number is also
 * its index in `nodes`.
 */

/**
 * @import { Cut, Place, Step, TreeReply, TreeSettings } from "../shared/protocol.d.ts"
 *
 * @typedef {Object} Links What `readTree` adds to the server's message.
 * @property {number[][]} children by node
 * @property {Map<number, Cut>} cuts by node
 * @property {number} last the number of steps
 * @property {number[]} below how many nodes lie below each node
 *
 * @typedef {Omit<TreeReply, "cuts"> & TreeSettings & Links} SearchTree
 *
 * @typedef {Object} SearchState What the search knew after some steps; arrays are by node.
 * @property {number} count of steps
 * @property {number|null} current the node of the last step
 * @property {Step|null} step the last one
 * @property {Uint8Array} phase UNSEEN, OPEN or DONE
 * @property {(number|null)[]} alpha
 * @property {(number|null)[]} beta
 * @property {(number|null)[]} best the best value so far
 * @property {(number|null)[]} bestChild
 * @property {(number|null)[]} value
 * @property {Uint8Array} isCut
 * @property {number} visited nodes
 * @property {number} notLookedAt moves that were cut
 */

/**
 * The tree of the server's reply, with the links between its nodes.
 *
 * @template {TreeReply & TreeSettings} Reply
 * @param {Reply} reply
 * @returns {Omit<Reply, "cuts"> & Links}
 */
export function readTree(reply) {
  /** @type {number[][]} */
  const children = reply.nodes.map(() => []);
  const below = reply.nodes.map(() => 0);
  for (const { id, parent } of reply.nodes.toReversed()) {
    if (parent !== null) {
      children[parent].unshift(id);
      below[parent] += below[id] + 1;
    }
  }
  const cuts = new Map(reply.cuts.map((cut) => [cut.node, cut]));
  return { ...reply, children, cuts, last: reply.steps.length, below };
}

/**
 * The nodes from the root to this one, both included.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function pathTo(tree, id) {
  /** @type {number[]} */
  const path = [];
  for (let at = /** @type {number|null} */ (id); at !== null; at = tree.nodes[at].parent) {
    path.unshift(at);
  }
  return path;
}

/**
 * The moves from the root to a node.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function movesTo(tree, id) {
  return pathTo(tree, id).slice(1).map((at) => tree.nodes[at].move ?? "");
}

/**
 * The cut of a node that was cut.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function cutOf(tree, id) {
  const cut = tree.cuts.get(id);
  if (cut === undefined) {
    throw new Error(`node ${id} was not cut`);
  }
  return cut;
}

/**
 * The value of a finished node.
 *
 * @param {SearchState} state
 * @param {number} id
 */
export function valueOf(state, id) {
  return state.value[id] ?? 0;
}

/**
 * Whether the first player, who maximizes, moves at a node.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function isMax(tree, id) {
  return tree.nodes[id].turn === 0;
}

/**
 * How many legal moves a node has, as far as the search came to know of them.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function moveCount(tree, id) {
  return tree.children[id].length + (tree.cuts.get(id)?.moves.length ?? 0);
}

export const UNSEEN = 0;
export const OPEN = 1;
export const DONE = 2;

/**
 * What the search knew after its first `count` steps.
 *
 * @param {SearchTree} tree
 * @param {number} count
 */
export function stateAfter(tree, count) {
  const size = tree.nodes.length;
  /** @type {SearchState} */
  const state = {
    count,
    current: null,
    step: count > 0 ? tree.steps[count - 1] : null,
    phase: new Uint8Array(size),
    alpha: tree.nodes.map((node) => node.alpha),
    beta: tree.nodes.map((node) => node.beta),
    best: new Array(size).fill(null),
    bestChild: new Array(size).fill(null),
    value: new Array(size).fill(null),
    isCut: new Uint8Array(size),
    visited: 0,
    notLookedAt: 0,
  };
  for (let index = 0; index < count; index += 1) {
    apply(tree, state, tree.steps[index]);
  }
  return state;
}

/**
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {Step} step
 */
function apply(tree, state, step) {
  const id = step[1];
  state.current = id;
  if (step[0] === "enter") {
    state.phase[id] = OPEN;
    state.visited += 1;
  } else if (step[0] === "better") {
    [, , state.bestChild[id], state.best[id], state.alpha[id], state.beta[id]] = step;
  } else if (step[0] === "cut") {
    state.isCut[id] = 1;
    state.notLookedAt += cutOf(tree, id).moves.length;
  } else {
    state.phase[id] = DONE;
    state.value[id] = step[2];
  }
}

/**
 * What a returned value says of the true one, by the window that the node was given: "=" exact,
 * "≤" (it failed low: the truth is this or less) or "≥" (it failed high). Minimax is exact,
 * and so is every leaf that was valued, whatever the window.
 *
 * @param {SearchTree} tree
 * @param {number} id
 * @param {number} value
 * @returns {"="|"≤"|"≥"}
 */
export function exactness(tree, id, value) {
  const { alpha, beta, leaf } = tree.nodes[id];
  if (leaf !== null && leaf !== FROM_TABLE) {
    return "=";
  }
  if (alpha !== null && value <= alpha) {
    return "≤";
  }
  return beta !== null && value >= beta ? "≥" : "=";
}

/** The search's reason for a leaf whose value was in the transposition table. */
export const FROM_TABLE = "from the table";

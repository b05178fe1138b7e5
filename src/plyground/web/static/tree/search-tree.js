/**
 * A recorded search as data, and what was known of it after each of its steps. No page here.
 *
 * `readTree` takes the server's "tree" message. Nodes are numbered in the order in which the
 * search entered them, so a node's number is also its place in `nodes`.
 */

/** The tree with the links that the message leaves to be worked out. */
export function readTree(message) {
  const children = message.nodes.map(() => []);
  for (const node of message.nodes) {
    if (node.parent !== null) {
      children[node.parent].push(node.id);
    }
  }
  const cuts = new Map(message.cuts.map((cut) => [cut.node, cut]));
  const last = message.steps.length;
  return { ...message, children, cuts, last, below: countBelow(message.nodes) };
}

/** How many nodes lie below each node. */
function countBelow(nodes) {
  const below = nodes.map(() => 0);
  for (let id = nodes.length - 1; id > 0; id -= 1) {
    below[nodes[id].parent] += below[id] + 1;
  }
  return below;
}

/** The nodes from the root to this one, both included. */
export function pathTo(tree, id) {
  const path = [];
  for (let at = id; at !== null; at = tree.nodes[at].parent) {
    path.unshift(at);
  }
  return path;
}

/** The moves from the root to a node. */
export function movesTo(tree, id) {
  return pathTo(tree, id).slice(1).map((at) => tree.nodes[at].move);
}

/** Whether the first player, who maximizes, moves at a node. */
export function isMax(tree, id) {
  return tree.nodes[id].turn === 0;
}

/** How many legal moves a node has, as far as the search came to know of them. */
export function moveCount(tree, id) {
  return tree.children[id].length + (tree.cuts.get(id)?.moves.length ?? 0);
}

export const UNSEEN = 0;
export const OPEN = 1;
export const DONE = 2;

/**
 * What the search knew after its first `count` steps: for each node whether it is unseen, open or
 * done, its window now, its best value so far and from which child, its value, whether it was cut.
 * `current` is the node of the last step, `step` that step; before the first both are null.
 */
export function stateAfter(tree, count) {
  const size = tree.nodes.length;
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

function apply(tree, state, step) {
  const [kind, id] = step;
  state.current = id;
  if (kind === "enter") {
    state.phase[id] = OPEN;
    state.visited += 1;
  } else if (kind === "better") {
    [, , state.bestChild[id], state.best[id], state.alpha[id], state.beta[id]] = step;
  } else if (kind === "cut") {
    state.isCut[id] = 1;
    state.notLookedAt += tree.cuts.get(id).moves.length;
  } else {
    state.phase[id] = DONE;
    state.value[id] = step[2];
  }
}

/**
 * What a returned value says of the true one, by the window that the node was given: "=" exact,
 * "≤" (it failed low: the truth is this or less) or "≥" (it failed high). Minimax is exact,
 * and so is every leaf that was valued, whatever the window.
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

/** The search's own words for a leaf that the table knew. */
export const FROM_TABLE = "from the table";

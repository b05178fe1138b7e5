/** A search in words: what a step did, and what became of a node. Pure functions. */

import { counted } from "../shared/text.js";
import { shortBound, shortReason, shortValue, valueText } from "../shared/value-text.js";
import {
  cutOf,
  DONE,
  exactness,
  FROM_TABLE,
  isMax,
  moveCount,
  UNSEEN,
  valueOf,
} from "./search-tree.js";

/**
 * @import { TreeNode } from "../shared/protocol.d.ts"
 * @import { Scale } from "../shared/value-text.js"
 * @import { SearchState, SearchTree } from "./search-tree.js"
 */

/** The search's reason for a leaf where the game has ended. */
const GAME_OVER = "the game is over";

/**
 * A node's name: its move, or "the root".
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function nodeName(tree, id) {
  return tree.nodes[id].move ?? "the root";
}

/**
 * A node's name at the start of a sentence.
 *
 * @param {SearchTree} tree
 * @param {number} id
 */
export function nodeTitle(tree, id) {
  return tree.nodes[id].move ?? "The root";
}

/**
 * The player who chooses at a node: "MAX (White to move)".
 *
 * @param {SearchTree} tree
 * @param {number} id
 * @param {Scale} game
 */
export function moverText(tree, id, game) {
  if (tree.nodes[id].leaf === GAME_OVER) {
    return "the game is over";
  }
  return `${isMax(tree, id) ? "MAX" : "MIN"} (${game.players[tree.nodes[id].turn]} to move)`;
}

/**
 * The window in words, such as "alpha 3, beta +∞"; "" for minimax, which has none.
 *
 * @param {SearchTree} tree
 * @param {number|null} alpha
 * @param {number|null} beta
 * @param {Scale} game
 */
export function windowText(tree, alpha, beta, { point }) {
  if (!hasWindow(tree)) {
    return "";
  }
  return `alpha ${shortBound(alpha, "alpha", point)}, beta ${shortBound(beta, "beta", point)}`;
}

/**
 * Whether the search had alpha and beta.
 *
 * @param {SearchTree} tree
 */
export function hasWindow(tree) {
  return tree.algorithm !== "minimax";
}

/**
 * What the last step of a state has done, in a sentence.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {Scale} game
 */
export function stepText(tree, state, game) {
  const { step } = state;
  if (step === null) {
    return "The search is about to begin at the root.";
  }
  const id = step[1];
  const node = tree.nodes[id];
  const name = nodeName(tree, id);
  /** @param {number} number */
  const value = (number) => shortValue(number, game.point);
  switch (step[0]) {
    case "enter": {
      const window = windowText(tree, node.alpha, node.beta, game);
      const withWindow = window ? `, with ${window}` : "";
      return id === 0 ? `Begin at the root${withWindow}.` : `Look at ${name}${withWindow}.`;
    }
    case "leaf":
      return `${nodeTitle(tree, id)} is a leaf (${node.leaf}): its value is ${value(step[2])}.`;
    case "better": {
      const window = windowText(tree, state.alpha[id], state.beta[id], game);
      const best = `${nodeName(tree, step[2])} is the best move so far at ${name}, ` +
        `worth ${value(step[3])}`;
      return window ? `${best}: now ${window}.` : `${best}.`;
    }
    case "cut": {
      const cut = cutOf(tree, id);
      return `Cut at ${name}: ${shortReason(cut.reason, game.point)}, so ` +
        `${counted(cut.moves.length, "move is", "moves are")} not looked at.`;
    }
    case "value":
      return node.parent === null
        ? `The search is finished: the root is worth ${value(step[2])}.`
        : `${nodeTitle(tree, id)} returns ${value(step[2])} to ${nodeName(tree, node.parent)}.`;
  }
}

/**
 * What became of a node until now, as a list of sentences.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {Scale} game
 */
export function nodeNarration(tree, state, id, game) {
  if (state.phase[id] === UNSEEN) {
    return ["The search has not come here yet."];
  }
  const node = tree.nodes[id];
  const sentences = hasWindow(tree) ? [windowSentence(node, game)] : [];
  if (node.leaf !== null) {
    if (state.phase[id] === DONE) {
      sentences.push(leafSentence(tree, state, id, game));
    }
    return sentences;
  }
  const searched = tree.children[id].filter((child) => state.phase[child] === DONE);
  if (searched.length > 0) {
    sentences.push(childrenSentence(tree, state, id, searched, game));
  }
  if (state.isCut[id]) {
    sentences.push(...cutSentences(tree, state, id, game));
  }
  if (state.phase[id] === DONE) {
    sentences.push(valueSentence(tree, id, valueOf(state, id), game));
  } else {
    sentences.push("It is still being looked at.");
  }
  return sentences;
}

/**
 * @param {TreeNode} node
 * @param {Scale} game
 */
function windowSentence(node, game) {
  const alpha = shortBound(node.alpha, "alpha", game.point);
  const beta = shortBound(node.beta, "beta", game.point);
  const bounds = [];
  if (node.alpha !== null) {
    bounds.push(`${game.players[0]} (MAX) is sure of ${alpha} elsewhere`);
  }
  if (node.beta !== null) {
    bounds.push(`${game.players[1]} (MIN) is sure of ${beta} elsewhere`);
  }
  const meaning = bounds.length > 0 ? bounds.join(", and ") : "nothing is known elsewhere yet";
  return `Searched with alpha ${alpha} and beta ${beta}: ${meaning}.`;
}

/**
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {Scale} game
 */
function leafSentence(tree, state, id, game) {
  const { leaf } = tree.nodes[id];
  const value = valueText(valueOf(state, id), game);
  if (leaf === FROM_TABLE) {
    const sign = exactness(tree, id, valueOf(state, id));
    const bound = { "=": "", "≤": " at most", "≥": " at least" }[sign];
    return `The table knows this position from before: it is worth${bound} ${value}. ` +
      "It is not searched again.";
  }
  return leaf === GAME_OVER
    ? `The game is over here, so the value is known: ${value}.`
    : `Here the search stops (${leaf}), and the game's evaluation stands in: ${value}.`;
}

/**
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {number[]} searched the children that are done
 * @param {Scale} game
 */
function childrenSentence(tree, state, id, searched, game) {
  const values = searched.slice(0, 12).map((child) => {
    const value = valueOf(state, child);
    const sign = exactness(tree, child, value);
    const text = shortValue(value, game.point);
    return `${nodeName(tree, child)} ${sign === "=" ? "" : `${sign} `}${text}`;
  });
  const more = searched.length > 12 ? ` and ${searched.length - 12} more` : "";
  // The number of moves is only known of a node that the search has left.
  const isLeft = state.phase[id] === DONE || state.isCut[id];
  const moves = isLeft ? counted(moveCount(tree, id), "move") : "its moves";
  const rule = isMax(tree, id) ? "MAX keeps the greatest" : "MIN keeps the least";
  const best = shortValue(state.best[id] ?? 0, game.point);
  const bestMove = nodeName(tree, state.bestChild[id] ?? 0);
  return `Looked at ${searched.length} of ${moves}: ${values.join(", ")}${more}. ${rule}: ` +
    `${best}, by ${bestMove}.`;
}

/**
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {Scale} game
 */
function cutSentences(tree, state, id, game) {
  const cut = cutOf(tree, id);
  const names = cut.moves.slice(0, 8).join(", ") + (cut.moves.length > 8 ? ", ..." : "");
  const saved = cut.below ? ` That saves ${counted(cut.below, "node")}.` : "";
  return [
    `Cut: ${shortReason(cut.reason, game.point)}. ` +
    `${counted(cut.moves.length, "move was", "moves were")} not looked at (${names}).${saved}`,
    cutExplanation(tree, state, id, game),
  ];
}

/**
 * Why nothing is lost by a cut.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {Scale} game
 */
export function cutExplanation(tree, state, id, game) {
  const value = shortValue(state.best[id] ?? 0, game.point);
  const [here, other] = isMax(tree, id) ? [0, 1] : [1, 0];
  const bound = other === 0
    ? shortBound(state.alpha[id], "alpha", game.point)
    : shortBound(state.beta[id], "beta", game.point);
  const reach = here === 0 ? `at least ${value}` : `at most ${value}`;
  return `Why: ${game.players[here]} can make this node worth ${reach}, but ` +
    `${game.players[other]} already has ${bound} elsewhere and will not let the game come here ` +
    "for anything that is no better.";
}

/**
 * @param {SearchTree} tree
 * @param {number} id
 * @param {number} value
 * @param {Scale} game
 */
function valueSentence(tree, id, value, game) {
  const { parent } = tree.nodes[id];
  const to = parent === null ? "as the value of the search" : `to ${nodeName(tree, parent)}`;
  const meaning = {
    "=": "",
    "≤": " That is alpha or less, so it is only an upper bound: the true value may be lower.",
    "≥": " That is beta or more, so it is only a lower bound: the true value may be higher.",
  }[exactness(tree, id, value)];
  return `Returned ${valueText(value, game)}, ${to}.${meaning}`;
}

/**
 * A node in one line, for lists and screen readers.
 *
 * @param {SearchTree} tree
 * @param {SearchState} state
 * @param {number} id
 * @param {Scale} game
 */
export function nodeSummary(tree, state, id, game) {
  const { leaf } = tree.nodes[id];
  const parts = [nodeName(tree, id)];
  if (leaf !== GAME_OVER) {
    parts.push(isMax(tree, id) ? "MAX" : "MIN");
  }
  const best = state.best[id];
  if (state.phase[id] === DONE) {
    const value = valueOf(state, id);
    const sign = { "=": "", "≤": "at most ", "≥": "at least " }[exactness(tree, id, value)];
    parts.push(`value ${sign}${shortValue(value, game.point)}`);
  } else if (best !== null) {
    parts.push(`best so far ${shortValue(best, game.point)}`);
  } else {
    parts.push("open");
  }
  const window = windowText(tree, state.alpha[id], state.beta[id], game);
  if (leaf !== null) {
    parts.push(leaf);
  } else if (window) {
    parts.push(window);
  }
  if (state.isCut[id]) {
    const cut = cutOf(tree, id);
    parts.push(
      `cut: ${shortReason(cut.reason, game.point)}, ` +
        `${counted(cut.moves.length, "move")} not looked at`,
    );
  }
  return parts.join(", ");
}

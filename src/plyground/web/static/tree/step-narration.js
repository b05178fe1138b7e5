/** A search told in words: what a step does, and what became of a node. No page here. */

import { DONE, FROM_TABLE, UNSEEN, exactness, isMax, moveCount } from "./search-tree.js";
import { counted, shortBound, shortReason, shortValue, valueWords } from "../shared/value-text.js";

/** The search's own words for a leaf where the game has ended. */
const GAME_OVER = "the game is over";

/** A node's name: its move, or "the root". */
export function nodeName(tree, id) {
  return tree.nodes[id].move ?? "the root";
}

/** "MAX (White to move)": who chooses at a node, if anybody. */
export function chooser(tree, id, game) {
  if (tree.nodes[id].leaf === GAME_OVER) {
    return "the game is over";
  }
  return `${isMax(tree, id) ? "MAX" : "MIN"} (${game.players[tree.nodes[id].turn]} to move)`;
}

/** The window in words, such as "alpha 3, beta +∞"; "" for minimax, which has none. */
export function windowText(tree, alpha, beta, { point }) {
  if (!hasWindow(tree)) {
    return "";
  }
  return `alpha ${shortBound(alpha, "alpha", point)}, beta ${shortBound(beta, "beta", point)}`;
}

/** Whether the search that drew this tree had alpha and beta. */
export function hasWindow(tree) {
  return tree.algorithm !== "minimax";
}

/** What the last step of a state has done, in a sentence. */
export function stepWords(tree, state, game) {
  if (state.step === null) {
    return "The search is about to begin at the root.";
  }
  const [kind, id] = state.step;
  const name = nodeName(tree, id);
  const value = (number) => shortValue(number, game.point);
  if (kind === "enter") {
    const window = windowText(tree, tree.nodes[id].alpha, tree.nodes[id].beta, game);
    const given = window ? `, with ${window}` : "";
    return id === 0 ? `Begin at the root${given}.` : `Look at ${name}${given}.`;
  }
  if (kind === "leaf") {
    const why = tree.nodes[id].leaf;
    return `${capital(name)} is a leaf (${why}): its value is ${value(state.step[2])}.`;
  }
  if (kind === "better") {
    const window = windowText(tree, state.alpha[id], state.beta[id], game);
    const best = `${nodeName(tree, state.step[2])} is the best move so far at ${name}, ` +
      `worth ${value(state.step[3])}`;
    return window ? `${best}: now ${window}.` : `${best}.`;
  }
  if (kind === "cut") {
    const cut = tree.cuts.get(id);
    return `Cut at ${name}: ${shortReason(cut.reason, game.point)}, so ` +
      `${counted(cut.moves.length, "move is", "moves are")} not looked at.`;
  }
  if (id === 0) {
    return `The search is finished: the root is worth ${value(state.step[2])}.`;
  }
  const parent = nodeName(tree, tree.nodes[id].parent);
  return `${capital(name)} hands ${value(state.step[2])} up to ${parent}.`;
}

/** The story of a node as far as a state has come: a list of sentences. */
export function nodeStory(tree, state, id, game) {
  if (state.phase[id] === UNSEEN) {
    return ["The search has not come here yet."];
  }
  const node = tree.nodes[id];
  const story = [];
  if (hasWindow(tree)) {
    story.push(asked(node, game));
  }
  if (node.leaf !== null) {
    if (state.phase[id] === DONE) {
      story.push(leafWords(tree, state, id, game));
    }
    return story;
  }
  const looked = tree.children[id].filter((child) => state.phase[child] === DONE);
  if (looked.length > 0) {
    story.push(lookedAt(tree, state, id, looked, game));
  }
  if (state.isCut[id]) {
    story.push(...cutWords(tree, state, id, game));
  }
  if (state.phase[id] === DONE) {
    story.push(returned(tree, id, state.value[id], game));
  } else {
    story.push("It is still being looked at.");
  }
  return story;
}

function asked(node, game) {
  const alpha = shortBound(node.alpha, "alpha", game.point);
  const beta = shortBound(node.beta, "beta", game.point);
  const sure = [];
  if (node.alpha !== null) {
    sure.push(`${game.players[0]} (MAX) is sure of ${alpha} elsewhere`);
  }
  if (node.beta !== null) {
    sure.push(`${game.players[1]} (MIN) is sure of ${beta} elsewhere`);
  }
  const meaning = sure.length > 0 ? `: ${sure.join(", and ")}` : ": nothing is known elsewhere yet";
  return `Asked with alpha ${alpha} and beta ${beta}${meaning}.`;
}

function leafWords(tree, state, id, game) {
  const { leaf } = tree.nodes[id];
  const value = valueWords(state.value[id], game);
  if (leaf === FROM_TABLE) {
    const sign = exactness(tree, id, state.value[id]);
    const bound = { "=": "", "≤": " at most", "≥": " at least" }[sign];
    return `The table knows this position from before: it is worth${bound} ${value}. ` +
      "It is not searched again.";
  }
  return leaf === GAME_OVER
    ? `The game is over here, so the value is known: ${value}.`
    : `Here the search stops (${leaf}), and the game's evaluation stands in: ${value}.`;
}

function lookedAt(tree, state, id, looked, game) {
  const values = looked.slice(0, 12).map((child) => {
    const value = state.value[child];
    const sign = exactness(tree, child, value);
    const shown = shortValue(value, game.point);
    return `${tree.nodes[child].move} ${sign === "=" ? "" : `${sign} `}${shown}`;
  });
  const more = looked.length > 12 ? ` and ${looked.length - 12} more` : "";
  const chosen = state.bestChild[id];
  const takes = isMax(tree, id) ? "MAX keeps the greatest" : "MIN keeps the least";
  return `Looked at ${looked.length} of ${moveCountWords(tree, state, id)}: ` +
    `${values.join(", ")}${more}. ${takes}: ` +
    `${shortValue(state.best[id], game.point)}, by ${nodeName(tree, chosen)}.`;
}

/** The number of moves is only known of a node that the search has left. */
function moveCountWords(tree, state, id) {
  return state.phase[id] === DONE || state.isCut[id]
    ? counted(moveCount(tree, id), "move")
    : "its moves";
}

function cutWords(tree, state, id, game) {
  const cut = tree.cuts.get(id);
  const names = cut.moves.slice(0, 8).join(", ") + (cut.moves.length > 8 ? ", ..." : "");
  const saved = cut.below ? ` That saves ${counted(cut.below, "node")}.` : "";
  return [
    `Cut: ${shortReason(cut.reason, game.point)}. ` +
      `${counted(cut.moves.length, "move was", "moves were")} not looked at (${names}).${saved}`,
    whyCut(tree, state, id, game),
  ];
}

/** Why nothing is lost by a cut. */
export function whyCut(tree, state, id, game) {
  const value = shortValue(state.best[id], game.point);
  const [here, other] = isMax(tree, id) ? [0, 1] : [1, 0];
  const bound = other === 0
    ? shortBound(state.alpha[id], "alpha", game.point)
    : shortBound(state.beta[id], "beta", game.point);
  const reach = here === 0 ? `at least ${value}` : `at most ${value}`;
  return `Why: ${game.players[here]} can make this node worth ${reach}, but ` +
    `${game.players[other]} already has ${bound} elsewhere and will not let the game come here ` +
    "for anything that is no better.";
}

function returned(tree, id, value, game) {
  const { parent } = tree.nodes[id];
  const to = parent === null ? "as the value of the search" : `to ${nodeName(tree, parent)}`;
  const sign = exactness(tree, id, value);
  const meaning = {
    "=": "",
    "≤": " That is alpha or less, so it is only an upper bound: the true value may be lower.",
    "≥": " That is beta or more, so it is only a lower bound: the true value may be higher.",
  }[sign];
  return `Returned ${valueWords(value, game)}, ${to}.${meaning}`;
}

/** A node in one line, for lists and screen readers. */
export function nodeLine(tree, state, id, game) {
  const parts = [nodeName(tree, id)];
  if (tree.nodes[id].leaf !== GAME_OVER) {
    parts.push(isMax(tree, id) ? "MAX" : "MIN");
  }
  if (state.phase[id] === DONE) {
    const value = state.value[id];
    const sign = { "=": "", "≤": "at most ", "≥": "at least " }[exactness(tree, id, value)];
    parts.push(`value ${sign}${shortValue(value, game.point)}`);
  } else if (state.best[id] !== null) {
    parts.push(`best so far ${shortValue(state.best[id], game.point)}`);
  } else {
    parts.push("open");
  }
  const window = windowText(tree, state.alpha[id], state.beta[id], game);
  if (window && tree.nodes[id].leaf === null) {
    parts.push(window);
  }
  if (tree.nodes[id].leaf !== null) {
    parts.push(tree.nodes[id].leaf);
  }
  if (state.isCut[id]) {
    const cut = tree.cuts.get(id);
    parts.push(`cut: ${shortReason(cut.reason, game.point)}, ` +
      `${counted(cut.moves.length, "move")} not looked at`);
  }
  return parts.join(", ");
}

function capital(text) {
  return text === "the root" ? "The root" : text;
}

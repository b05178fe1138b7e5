/** Questions about a recorded search, their right answers and explanations. Pure functions. */

import { capitalized, counted } from "../shared/text.js";
import { shortBound, shortReason, shortValue } from "../shared/value-text.js";
import { cutOf, isMax, stateAfter, valueOf } from "./search-tree.js";
import { cutExplanation, hasWindow, nodeName, windowText } from "./step-narration.js";

/**
 * @import { Step } from "../shared/protocol.d.ts"
 * @import { Scale } from "../shared/value-text.js"
 * @import { SearchTree } from "./search-tree.js"
 *
 * @typedef {{text: string, right: boolean}} Choice
 *
 * @typedef {Object} Question Asked with the tree as it was after `count` steps; what it asks for
 *   must not be shown.
 * @property {"value"|"cut"|"where"} kind
 * @property {number} node
 * @property {number} count
 * @property {string} text
 * @property {Choice[]} choices
 * @property {string} explanation
 *
 * @typedef {() => number} Random
 * @typedef {"value"|"cut"|"noCut"|"where"} Topic
 * @typedef {{move: string, value: number}} ValuedMove
 */

/**
 * A generator of numbers in [0, 1), the same ones for the same seed.
 *
 * @param {number} seed
 * @returns {Random}
 */
function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/**
 * Up to `limit` questions about a tree, in the order of its steps, of as many kinds as it has.
 *
 * @param {SearchTree} tree
 * @param {Scale} game
 * @param {{limit?: number, seed?: number}} [options]
 */
export function makeQuiz(tree, game, { limit = 8, seed = 1 } = {}) {
  const random = makeRandom(seed);
  /** @type {Record<Topic, number[]>} */
  const found = { value: [], cut: [], noCut: [], where: [] };
  tree.steps.forEach((step, index) => {
    const topic = topicBefore(tree, step, index);
    if (topic !== null) {
      found[topic].push(index);
    }
    if (isBoundedEntry(tree, step)) {
      found.where.push(index);
    }
  });
  const chosen = draw(found, limit, random).sort((one, other) => one.index - other.index);
  return chosen.map(({ topic, index }) => makeQuestion(tree, game, topic, index, random));
}

/**
 * What can be asked just before this step.
 *
 * @param {SearchTree} tree
 * @param {Step} step
 * @param {number} index
 * @returns {Topic|null}
 */
function topicBefore(tree, step, index) {
  const [kind, id] = step;
  if (kind === "value" && tree.children[id].length > 1) {
    return "value";
  }
  if (kind === "cut") {
    return "cut";
  }
  // A cut is only in question where both bounds are numbers.
  const before = tree.steps[index - 1];
  const isBounded = before?.[0] === "better" && before[4] !== null && before[5] !== null;
  return kind === "enter" && isBounded && hasWindow(tree) ? "noCut" : null;
}

/**
 * Whether a step enters a node where a cut is worth asking about: one that was finished, with a
 * bound that its values could reach.
 *
 * @param {SearchTree} tree
 * @param {Step} step
 */
function isBoundedEntry(tree, [kind, id]) {
  const node = tree.nodes[id];
  const bound = isMax(tree, id) ? node.beta : node.alpha;
  const isEntry = hasWindow(tree) && kind === "enter" && tree.children[id].length > 1;
  return isEntry && node.value !== null && bound !== null;
}

/**
 * Take from the topics in turn, at random within each, until there are enough.
 *
 * @param {Record<Topic, number[]>} found
 * @param {number} limit
 * @param {Random} random
 */
function draw(found, limit, random) {
  const topics = /** @type {[Topic, number[]][]} */ (Object.entries(found));
  const remaining = topics.map(([topic, indices]) => ({ topic, left: [...indices] }));
  /** @type {{topic: Topic, index: number}[]} */
  const chosen = [];
  while (chosen.length < limit && remaining.some(({ left }) => left.length > 0)) {
    for (const { topic, left } of remaining) {
      if (left.length > 0 && chosen.length < limit) {
        const [index] = left.splice(Math.floor(random() * left.length), 1);
        chosen.push({ topic, index });
      }
    }
  }
  return chosen;
}

/**
 * @param {SearchTree} tree
 * @param {Scale} game
 * @param {Topic} topic
 * @param {number} index
 * @param {Random} random
 * @returns {Question}
 */
function makeQuestion(tree, game, topic, index, random) {
  if (topic === "value") {
    return valueQuestion(tree, game, index, random);
  }
  return topic === "where"
    ? whereQuestion(tree, game, index, random)
    : cutQuestion(tree, game, index, topic === "cut");
}

// What value does this node return?

/**
 * @param {SearchTree} tree
 * @param {Scale} game
 * @param {number} index
 * @param {Random} random
 * @returns {Question}
 */
function valueQuestion(tree, game, index, random) {
  const id = tree.steps[index][1];
  const state = stateAfter(tree, index);
  const value = tree.nodes[id].value ?? 0;
  const max = isMax(tree, id);
  const values = tree.children[id].map((child) => valueOf(state, child));
  const player = max ? `MAX (${game.players[0]})` : `MIN (${game.players[1]})`;
  const listed = tree.children[id]
    .map((child, at) => `${nodeName(tree, child)} ${shortValue(values[at], game.point)}`)
    .join(", ");
  const rest = state.isCut[id] ? " The other moves were cut." : "";
  const best = nodeName(tree, state.bestChild[id] ?? 0);
  return {
    kind: "value",
    node: id,
    count: index,
    text: `What value does ${nodeName(tree, id)} return? ${player} chooses here.${rest}`,
    choices: valueChoices(values, value, game.point, random),
    explanation: `${max ? "MAX takes the greatest" : "MIN takes the least"} of ${listed}: ` +
      `${shortValue(value, game.point)}, by ${best}.`,
  };
}

/**
 * The right value among others that its children suggest, or that are near.
 *
 * @param {number[]} values of the children
 * @param {number} value
 * @param {number} point
 * @param {Random} random
 */
function valueChoices(values, value, point, random) {
  const unit = point || 1;
  const suggested = [Math.max(...values), Math.min(...values), -value, ...values];
  const near = [value + unit, value - unit, value + 2 * unit];
  const right = shortValue(value, point);
  const texts = new Set([right]);
  for (const other of [...suggested, ...near]) {
    if (texts.size < 4) {
      texts.add(shortValue(other, point));
    }
  }
  return shuffled([...texts].map((text) => ({ text, right: text === right })), random);
}

/**
 * @template Item
 * @param {Item[]} list
 * @param {Random} random
 */
function shuffled(list, random) {
  const mixed = [...list];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other], mixed[index]];
  }
  return mixed;
}

// Does the search cut here?

/**
 * @param {SearchTree} tree
 * @param {Scale} game
 * @param {number} index
 * @param {boolean} isCut
 * @returns {Question}
 */
function cutQuestion(tree, game, index, isCut) {
  const id = isCut ? tree.steps[index][1] : tree.steps[index - 1][1];
  const state = stateAfter(tree, index);
  const window = windowText(tree, state.alpha[id], state.beta[id], game);
  const alpha = shortBound(state.alpha[id], "alpha", game.point);
  const beta = shortBound(state.beta[id], "beta", game.point);
  return {
    kind: "cut",
    node: id,
    count: index,
    text: `At ${nodeName(tree, id)} there is now ${window}, and there are moves left. ` +
      "Does the search look at them?",
    choices: [
      { text: "Yes, it goes on", right: !isCut },
      { text: "No, it cuts here", right: isCut },
    ],
    explanation: isCut
      ? `${shortReason(cutOf(tree, id).reason, game.point)}: cut. ` +
        cutExplanation(tree, state, id, game)
      : `alpha ${alpha} is still below beta ${beta}: a value between them would matter to both, ` +
        "so the search goes on.",
  };
}

// After which move does the search cut?

/**
 * @param {SearchTree} tree
 * @param {Scale} game
 * @param {number} index
 * @param {Random} random
 * @returns {Question}
 */
function whereQuestion(tree, game, index, random) {
  const id = tree.steps[index][1];
  const { alpha, beta } = tree.nodes[id];
  const max = isMax(tree, id);
  const moves = supposedMoves(tree, id, random);
  const cutAt = moves.findIndex(({ value }) =>
    max ? beta !== null && value >= beta : alpha !== null && value <= alpha
  );
  const rightIndex = cutAt < moves.length - 1 ? cutAt : -1;
  const listed = moves.map(({ move, value }) => `${move} ${shortValue(value, game.point)}`);
  const bound = max
    ? `beta is ${shortBound(beta, "beta", game.point)}`
    : `alpha is ${shortBound(alpha, "alpha", game.point)}`;
  return {
    kind: "where",
    node: id,
    count: index + 1,
    text: `${nodeName(tree, id)} is a ${max ? "MAX" : "MIN"} node, and ${bound}. Suppose its ` +
      `moves, in this order, return: ${listed.join(", ")}. After which does the search cut?`,
    choices: [
      ...moves.slice(0, -1).map(({ move }, at) => ({
        text: `After ${move}`,
        right: at === rightIndex,
      })),
      { text: "It looks at all of them", right: rightIndex === -1 },
    ],
    explanation: whereExplanation(moves, rightIndex, max, bound, game),
  };
}

/**
 * At most five moves with the values found; moves that were cut get one of these values.
 *
 * @param {SearchTree} tree
 * @param {number} id
 * @param {Random} random
 * @returns {ValuedMove[]}
 */
function supposedMoves(tree, id, random) {
  const searched = tree.children[id].flatMap((child) => {
    const { move, value } = tree.nodes[child];
    return move === null || value === null ? [] : [{ move, value }];
  });
  const cut = (tree.cuts.get(id)?.moves ?? []).map((move) => ({
    move,
    value: searched[Math.floor(random() * searched.length)].value,
  }));
  // The cut itself must stay among those shown.
  const first = Math.max(0, searched.length - 4);
  return [...searched, ...cut].slice(first, first + 5);
}

/**
 * @param {ValuedMove[]} moves
 * @param {number} rightIndex
 * @param {boolean} max
 * @param {string} bound
 * @param {Scale} game
 */
function whereExplanation(moves, rightIndex, max, bound, game) {
  if (rightIndex === -1) {
    return `${capitalized(bound)}, and no move but perhaps the last reaches ` +
      "it: nothing is left out.";
  }
  const { move, value } = moves[rightIndex];
  const left = counted(moves.length - 1 - rightIndex, "move is", "moves are");
  return `${move} returns ${shortValue(value, game.point)}, and ${bound}: that is ` +
    `${max ? "at least beta" : "at most alpha"}, so ${left} not looked at.`;
}

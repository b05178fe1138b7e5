/**
 * Questions about a recorded search, their right answers and why they are right. No page here.
 *
 * A question is {kind, node, count, words, choices: [{text, right}], explanation}: it is asked
 * with the tree as it was after `count` steps, and what it asks for must not be shown.
 */

import { isMax, stateAfter } from "./search-tree.js";
import { hasWindow, nodeName, whyCut, windowText } from "./step-narration.js";
import { counted, shortBound, shortReason, shortValue } from "../shared/value-text.js";

/** A small generator of numbers in [0, 1), the same ones for the same seed. */
export function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Up to `limit` questions about a tree, in the order of its steps, of as many kinds as it has. */
export function makeQuiz(tree, game, { limit = 8, seed = 1 } = {}) {
  const random = makeRandom(seed);
  const found = { value: [], cut: [], goOn: [], where: [] };
  tree.steps.forEach((step, index) => {
    const kind = kindOf(tree, step, index);
    if (kind !== null) {
      found[kind].push(index);
    }
    if (hasWindow(tree) && step[0] === "enter" && tree.children[step[1]].length > 1) {
      found.where.push(index);
    }
  });
  keepBounded(tree, found);
  const chosen = deal(found, limit, random).sort((one, other) => one.index - other.index);
  return chosen.map(({ kind, index }) => makeQuestion(tree, game, kind, index, random));
}

/** What could be asked just before this step. */
function kindOf(tree, step, index) {
  const [kind, id] = step;
  if (kind === "value" && tree.children[id].length > 1) {
    return "value";
  }
  if (kind === "cut") {
    return "cut";
  }
  const before = tree.steps[index - 1];
  const goesOn = kind === "enter" && before?.[0] === "better" && isBounded(before);
  return goesOn && hasWindow(tree) ? "goOn" : null;
}

/** A cut is only in question where both bounds are numbers. */
function isBounded([, , , , alpha, beta]) {
  return alpha !== null && beta !== null;
}

/** Where a cut is worth asking about: finished nodes with a bound that their values could reach. */
function keepBounded(tree, found) {
  found.where = found.where.filter((index) => {
    const node = tree.nodes[tree.steps[index][1]];
    return node.value !== null && (isMax(tree, node.id) ? node.beta : node.alpha) !== null;
  });
}

/** Take from the kinds in turn, at random within each, until there are enough. */
function deal(found, limit, random) {
  const kinds = Object.entries(found).map(([kind, indices]) => ({ kind, left: [...indices] }));
  const chosen = [];
  while (chosen.length < limit && kinds.some(({ left }) => left.length > 0)) {
    for (const { kind, left } of kinds) {
      if (left.length > 0 && chosen.length < limit) {
        const [index] = left.splice(Math.floor(random() * left.length), 1);
        chosen.push({ kind, index });
      }
    }
  }
  return chosen;
}

function makeQuestion(tree, game, kind, index, random) {
  if (kind === "value") {
    return valueQuestion(tree, game, index, random);
  }
  return kind === "where"
    ? whereQuestion(tree, game, index, random)
    : cutQuestion(tree, game, index, kind === "cut");
}

// What does this node hand up?

function valueQuestion(tree, game, index, random) {
  const [, id, value] = tree.steps[index];
  const state = stateAfter(tree, index);
  const max = isMax(tree, id);
  const values = tree.children[id].map((child) => state.value[child]);
  const right = shortValue(value, game.point);
  const who = max ? `MAX (${game.players[0]})` : `MIN (${game.players[1]})`;
  const listed = tree.children[id]
    .map((child) => `${tree.nodes[child].move} ${shortValue(state.value[child], game.point)}`)
    .join(", ");
  const rest = state.isCut[id] ? " The other moves were cut." : "";
  const best = nodeName(tree, state.bestChild[id]);
  return {
    kind: "value",
    node: id,
    count: index,
    words: `What value does ${nodeName(tree, id)} hand up? ${who} chooses here.${rest}`,
    choices: valueChoices(values, value, game.point, random),
    explanation: `${max ? "MAX takes the greatest" : "MIN takes the least"} of ${listed}: ` +
      `${right}, by ${best}.`,
  };
}

/** The right value among others that its children or their neighbourhood suggest. */
function valueChoices(values, value, point, random) {
  const unit = point || 1;
  const tempting = [Math.max(...values), Math.min(...values), -value, ...values];
  const invented = [value + unit, value - unit, value + 2 * unit];
  const texts = new Set([shortValue(value, point)]);
  for (const other of [...tempting, ...invented]) {
    if (texts.size < 4) {
      texts.add(shortValue(other, point));
    }
  }
  const right = shortValue(value, point);
  return shuffled([...texts].map((text) => ({ text, right: text === right })), random);
}

function shuffled(list, random) {
  const mixed = [...list];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other], mixed[index]];
  }
  return mixed;
}

// Does the search go on here?

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
    words: `At ${nodeName(tree, id)} there is now ${window}, and there are moves left. ` +
      "Does the search look at them?",
    choices: [
      { text: "Yes, it goes on", right: !isCut },
      { text: "No, it cuts here", right: isCut },
    ],
    explanation: isCut
      ? `${shortReason(tree.cuts.get(id).reason, game.point)}: cut. ` +
        whyCut(tree, state, id, game)
      : `alpha ${alpha} is still below beta ${beta}: a value between them would matter to both, ` +
        "so the search goes on.",
  };
}

// After which move does the search stop here?

function whereQuestion(tree, game, index, random) {
  const id = tree.steps[index][1];
  const node = tree.nodes[id];
  const max = isMax(tree, id);
  const moves = supposedMoves(tree, id, random);
  const stops = moves.findIndex(({ value }) =>
    max ? value >= node.beta : value <= node.alpha,
  );
  const rightIndex = stops >= 0 && stops < moves.length - 1 ? stops : -1;
  const listed = moves.map(({ move, value }) => `${move} ${shortValue(value, game.point)}`);
  const bound = max
    ? `beta is ${shortBound(node.beta, "beta", game.point)}`
    : `alpha is ${shortBound(node.alpha, "alpha", game.point)}`;
  return {
    kind: "where",
    node: id,
    count: index + 1,
    words: `${nodeName(tree, id)} is a ${max ? "MAX" : "MIN"} node, and ${bound}. Suppose its ` +
      `moves, in this order, return: ${listed.join(", ")}. After which does the search cut?`,
    choices: [
      ...moves.slice(0, -1).map(({ move }, at) => ({
        text: `After ${move}`,
        right: at === rightIndex,
      })),
      { text: "It looks at all of them", right: rightIndex === -1 },
    ],
    explanation: whereWords(moves, rightIndex, max, bound, game),
  };
}

/** At most five moves with the values found; moves never looked at get one of these again. */
function supposedMoves(tree, id, random) {
  const known = tree.children[id].map((child) => ({
    move: tree.nodes[child].move,
    value: tree.nodes[child].value,
  })).filter(({ value }) => value !== null);
  const unknown = (tree.cuts.get(id)?.moves ?? []).map((move) => ({
    move,
    value: known[Math.floor(random() * known.length)].value,
  }));
  // The cut itself must stay among those shown.
  const first = Math.max(0, known.length - 4);
  return [...known, ...unknown].slice(first, first + 5);
}

function whereWords(moves, rightIndex, max, bound, game) {
  if (rightIndex === -1) {
    return `${bound[0].toUpperCase()}${bound.slice(1)}, and no move but perhaps the last reaches ` +
      "it: nothing is left out.";
  }
  const { move, value } = moves[rightIndex];
  const left = counted(moves.length - 1 - rightIndex, "move is", "moves are");
  return `${move} returns ${shortValue(value, game.point)}, and ${bound}: that is ` +
    `${max ? "at least beta" : "at most alpha"}, so ${left} not looked at.`;
}

/** Draws one node of a tree: its shape, its value, its window, what was cut, its fold button. */

import { svgElement, svgText } from "../shared/svg.js";
import { counted } from "../shared/text.js";
import { shortBound, shortReason, shortValue } from "../shared/value-text.js";
import { cutOf, DONE, exactness, isMax, UNSEEN, valueOf } from "./search-tree.js";
import { hasWindow } from "./step-narration.js";

/**
 * @import { SearchTree } from "./search-tree.js"
 * @import { Direction, ShownTree } from "./tree-drawing.js"
 * @import { LayoutItem } from "./tree-layout.js"
 */

/** Outlines around the origin: MAX points up, MIN down, a leaf is a box. */
const OUTLINES = {
  max: "M-32 -5L0 -19L32 -5V14Q32 17 29 17H-29Q-32 17 -32 14Z",
  min: "M-32 5L0 19L32 5V-14Q32 -17 29 -17H-29Q-32 -17 -32 -14Z",
  leaf: "M-26 -15H26Q30 -15 30 -11V11Q30 15 26 15H-26Q-30 15 -30 11V-11Q-30 -15 -26 -15Z",
};

/**
 * The drawing of an item of the layout.
 *
 * @param {ShownTree} shown
 * @param {LayoutItem} item
 * @param {{x: number, y: number}} point
 * @param {Direction} direction
 */
export function drawItem(shown, item, { x, y }, direction) {
  const content = item.isCut ? cutContent(shown, item.id) : nodeContent(shown, item.id, direction);
  return svgElement(
    "g",
    {
      class: classesOf(shown, item),
      transform: `translate(${x} ${y})`,
      "data-node": item.id,
    },
    ...content,
  );
}

/**
 * @param {ShownTree} shown
 * @param {LayoutItem} item
 */
function classesOf({ tree, state, selected, asked, bestLine }, { id, isCut }) {
  if (isCut) {
    return "cut-mark";
  }
  return [
    "tree-node",
    kindOf(tree, id),
    state.phase[id] === DONE ? "done" : "open",
    state.current === id ? "current" : "",
    selected === id ? "selected" : "",
    asked === id ? "asked" : "",
    bestLine.has(id) ? "best" : "",
  ].filter((name) => name !== "").join(" ");
}

/**
 * @param {SearchTree} tree
 * @param {number} id
 */
function kindOf(tree, id) {
  if (tree.nodes[id].leaf !== null) {
    return "leaf";
  }
  return isMax(tree, id) ? "max" : "min";
}

/**
 * @param {ShownTree} shown
 * @param {number} id
 * @param {Direction} direction
 */
function nodeContent(shown, id, direction) {
  const { tree } = shown;
  const kind = kindOf(tree, id);
  const isDown = direction === "down";
  const move = tree.nodes[id].move ?? "";
  return [
    svgElement("path", { d: OUTLINES[kind], class: "halo" }),
    svgElement("path", { d: OUTLINES[kind], class: "outline" }),
    svgText(0, kind === "max" ? 3 : kind === "min" ? -2 : 1, nodeValue(shown, id), "value"),
    isDown ? svgText(0, -29, move, "move") : svgText(-38, -12, move, "move", "end"),
    windowLabel(shown, id),
    foldButton(shown, id, isDown),
  ];
}

/**
 * The value as far as it is known: "?" where the quiz asks for it, "…" while it may still change.
 *
 * @param {ShownTree} shown
 * @param {number} id
 */
function nodeValue({ tree, state, asked, game }, id) {
  if (asked === id) {
    return "?";
  }
  if (state.phase[id] === DONE) {
    const sign = exactness(tree, id, valueOf(state, id));
    return `${sign === "=" ? "" : sign}${shortValue(valueOf(state, id), game.point)}`;
  }
  const best = state.best[id];
  return best === null ? "…" : `${shortValue(best, game.point)}…`;
}

/**
 * @param {ShownTree} shown
 * @param {number} id
 */
function windowLabel({ tree, state, asked, askedKind, game }, id) {
  const isHidden = asked === id && askedKind === "value";
  const isLeaf = tree.nodes[id].leaf !== null;
  if (!hasWindow(tree) || isLeaf || isHidden || state.phase[id] === UNSEEN) {
    return null;
  }
  const alpha = shortBound(state.alpha[id], "alpha", game.point);
  const beta = shortBound(state.beta[id], "beta", game.point);
  return svgText(0, 27, `α ${alpha}  β ${beta}`, "window");
}

/**
 * Folded: how many nodes are hidden; unfolded: a minus. Nothing where nothing is below.
 *
 * @param {ShownTree} shown
 * @param {number} id
 * @param {boolean} isDown
 */
function foldButton({ tree, state, open }, id, isDown) {
  const hasSeenChildren = tree.children[id].some((child) => state.phase[child] !== UNSEEN);
  if (!hasSeenChildren) {
    return null;
  }
  const isOpen = open.has(id);
  const text = isOpen ? "−" : `${tree.below[id]} hidden`;
  const half = isOpen ? 8 : 7 + 2.8 * text.length;
  const [x, y] = isDown ? [0, 44] : [35 + half, 0];
  return svgElement(
    "g",
    { class: isOpen ? "fold" : "fold folded", "data-fold": id, transform: `translate(${x} ${y})` },
    svgElement("rect", { x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }),
    svgText(0, 0.5, text, "fold-text"),
  );
}

/**
 * @param {ShownTree} shown
 * @param {number} id
 */
function cutContent({ tree, game }, id) {
  const cut = cutOf(tree, id);
  const reason = shortReason(cut.reason, game.point).replace("alpha", "α").replace("beta", "β");
  return [
    svgElement("rect", { x: -40, y: -14, width: 80, height: 28, rx: 6 }),
    svgText(0, 0.5, `✂ ${counted(cut.moves.length, "move")}`, "count"),
    svgText(0, 25, reason, "reason"),
    svgElement("title", {}, `Cut (${reason}): ${cut.moves.join(", ")}`),
  ];
}

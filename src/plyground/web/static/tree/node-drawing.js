/** One node of the drawn tree: its shape, its value, its window, what was cut, its fold. */

import { DONE, UNSEEN, exactness, isMax } from "./search-tree.js";
import { label, shape } from "../shared/svg.js";
import { hasWindow } from "./step-narration.js";
import { counted, shortBound, shortReason, shortValue } from "../shared/value-text.js";

/** Outlines around the origin: MAX points up, MIN down, a leaf is a box. */
const OUTLINES = {
  max: "M-32 -5L0 -19L32 -5V14Q32 17 29 17H-29Q-32 17 -32 14Z",
  min: "M-32 5L0 19L32 5V-14Q32 -17 29 -17H-29Q-32 -17 -32 -14Z",
  leaf: "M-26 -15H26Q30 -15 30 -11V11Q30 15 26 15H-26Q-30 15 -30 11V-11Q-30 -15 -26 -15Z",
};

/** The mark of an item of the layout, at its place. */
export function nodeMark(shown, item, place, direction) {
  const content = item.isCut ? cutMark(shown, item.id) : treeNode(shown, item.id, direction);
  return shape(
    "g",
    {
      class: classes(shown, item),
      transform: `translate(${place.x} ${place.y})`,
      "data-node": item.id,
    },
    ...content,
  );
}

function classes({ tree, state, selected, asked, followed }, { id, isCut }) {
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
    followed.has(id) ? "best" : "",
  ].filter((name) => name !== "").join(" ");
}

function kindOf(tree, id) {
  if (tree.nodes[id].leaf !== null) {
    return "leaf";
  }
  return isMax(tree, id) ? "max" : "min";
}

function treeNode(shown, id, direction) {
  const { tree } = shown;
  const kind = kindOf(tree, id);
  const down = direction === "down";
  const move = tree.nodes[id].move ?? "";
  return [
    shape("path", { d: OUTLINES[kind], class: "halo" }),
    shape("path", { d: OUTLINES[kind], class: "outline" }),
    label(0, kind === "max" ? 3 : kind === "min" ? -2 : 1, nodeText(shown, id), "value"),
    down ? label(0, -29, move, "move") : label(-38, -12, move, "move", "end"),
    windowLabel(shown, id),
    foldMark(shown, id, down),
  ];
}

/** The value as far as it is known: "?" where it is asked for, "..." while it may still change. */
export function nodeText({ tree, state, asked, game }, id) {
  if (asked === id) {
    return "?";
  }
  if (state.phase[id] === DONE) {
    const sign = exactness(tree, id, state.value[id]);
    return `${sign === "=" ? "" : sign}${shortValue(state.value[id], game.point)}`;
  }
  return state.best[id] === null ? "…" : `${shortValue(state.best[id], game.point)}…`;
}

function windowLabel({ tree, state, asked, askedKind, game }, id) {
  const hides = asked === id && askedKind === "value";
  if (!hasWindow(tree) || tree.nodes[id].leaf !== null || hides || state.phase[id] === UNSEEN) {
    return null;
  }
  const alpha = shortBound(state.alpha[id], "alpha", game.point);
  const beta = shortBound(state.beta[id], "beta", game.point);
  return label(0, 27, `α ${alpha}  β ${beta}`, "window");
}

/** Folded: how many nodes are below; unfolded: a small minus. Nothing where nothing is below. */
function foldMark({ tree, state, open }, id, down) {
  const seen = tree.children[id].some((child) => state.phase[child] !== UNSEEN);
  if (!seen) {
    return null;
  }
  const isOpen = open.has(id);
  const text = isOpen ? "−" : `+${tree.below[id]}`;
  const [x, y] = down ? [0, 44] : [33 + (isOpen ? 10 : 22), 0];
  const half = isOpen ? 8 : 10 + 4 * String(tree.below[id]).length;
  return shape(
    "g",
    { class: isOpen ? "fold" : "fold folded", "data-fold": id, transform: `translate(${x} ${y})` },
    shape("rect", { x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }),
    label(0, 0.5, text, "fold-text"),
  );
}

function cutMark({ tree, game }, id) {
  const cut = tree.cuts.get(id);
  const reason = shortReason(cut.reason, game.point).replace("alpha", "α").replace("beta", "β");
  return [
    shape("rect", { x: -40, y: -14, width: 80, height: 28, rx: 6 }),
    label(0, 0.5, `✂ ${counted(cut.moves.length, "move")}`, "count"),
    label(0, 25, reason, "reason"),
    shape("title", {}, `Cut (${reason}): ${cut.moves.join(", ")}`),
  ];
}

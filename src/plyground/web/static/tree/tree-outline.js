/**
 * The tree as text: a `role="tree"` for the keyboard and for screen readers, with the same nodes
 * and the same folding as the drawing. One tab stop; of a long tree only the rows around the
 * selected one are in the document, with their true position and number.
 */

import { element, eventElement, scrollIntoHost } from "../shared/dom.js";
import { UNSEEN } from "./search-tree.js";
import { nodeName, nodeSummary } from "./step-narration.js";

/**
 * @import { ShownTree } from "./tree-drawing.js"
 *
 * @typedef {Object} Row
 * @property {number} id
 * @property {number} level
 * @property {number} position among its siblings, from 1
 * @property {number} size how many siblings there are
 * @property {boolean} isBranch
 */

/** Rows in the document before and after the selected one. */
const AROUND = 60;
/** Levels that have an indentation of their own. */
const LEVELS = 12;

export class TreeOutline {
  #host;
  #onSelect;
  #onToggle;
  /** @type {Row[]} */
  #rows = [];
  /** @type {ShownTree|null} */
  #shown = null;

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: (node: number) => void, onToggle: (node: number) => void}} listeners
   */
  constructor(host, { onSelect, onToggle }) {
    this.#host = host;
    this.#onSelect = onSelect;
    this.#onToggle = onToggle;
    host.setAttribute("role", "tree");
    host.addEventListener("keydown", (event) => this.#keyPressed(event));
    host.addEventListener("click", (event) => {
      const row = eventElement(event, "[data-node]");
      if (row) {
        this.#onSelect(Number(row.dataset.node));
      }
    });
  }

  /** @param {ShownTree} shown */
  show(shown) {
    this.#shown = shown;
    this.#rows = visibleRows(shown);
    const at = this.#indexOf(shown.selected);
    const hadFocus = this.#host.contains(document.activeElement);
    const from = Math.max(0, at - AROUND);
    const to = Math.min(this.#rows.length, at + AROUND + 1);
    const made = this.#rows.slice(from, to).map((row, index) =>
      makeRow(row, shown, from + index === at)
    );
    this.#host.replaceChildren(...made);
    this.#host.dataset.before = from > 0 ? `${from} rows above` : "";
    const rest = this.#rows.length - to;
    this.#host.dataset.after = rest > 0 ? `${rest} rows below` : "";
    const current = made[at - from];
    if (current) {
      scrollIntoHost(this.#host, current);
      if (hadFocus) {
        current.focus({ preventScroll: true });
      }
    }
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (this.#shown === null || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { tree, open, selected } = this.#shown;
    const at = this.#indexOf(selected);
    const { id, isBranch } = this.#rows[at];
    const isOpen = isBranch && open.has(id);
    const { parent } = tree.nodes[id];
    const toggle = () => isBranch && this.#onToggle(id);
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.#select(at + 1),
      ArrowUp: () => this.#select(at - 1),
      Home: () => this.#select(0),
      End: () => this.#select(this.#rows.length - 1),
      ArrowRight: () => (isOpen || !isBranch ? this.#select(at + 1) : toggle()),
      ArrowLeft: () => (isOpen ? toggle() : parent !== null && this.#onSelect(parent)),
      Enter: toggle,
      " ": toggle,
    };
    if (event.key in actions) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /** @param {number} id */
  #indexOf(id) {
    return Math.max(0, this.#rows.findIndex((row) => row.id === id));
  }

  /** @param {number} at */
  #select(at) {
    this.#onSelect(this.#rows[Math.max(0, Math.min(this.#rows.length - 1, at))].id);
  }
}

/**
 * @param {Row} row
 * @param {ShownTree} shown
 * @param {boolean} isTabStop
 */
function makeRow({ id, level, position, size, isBranch }, shown, isTabStop) {
  const { tree, state, open, selected, asked, game } = shown;
  const text = asked === id
    ? `${nodeName(tree, id)}: the quiz asks about this node`
    : nodeSummary(tree, state, id, game);
  const sign = isBranch ? (open.has(id) ? "▾" : "▸") : "·";
  return element(
    "div",
    {
      role: "treeitem",
      class: state.current === id ? "outline-row current" : "outline-row",
      tabindex: isTabStop ? 0 : -1,
      "aria-level": level,
      "aria-posinset": position,
      "aria-setsize": size,
      "aria-expanded": isBranch ? String(open.has(id)) : null,
      "aria-selected": String(selected === id),
      dataset: { node: id, level: Math.min(level, LEVELS) },
    },
    element("span", { class: "sign", "aria-hidden": "true", text: sign }),
    element("span", { text }),
  );
}

/**
 * The rows that are unfolded and seen, in order, with their position among their siblings.
 *
 * @param {ShownTree} shown
 */
function visibleRows({ tree, state, open }) {
  /** @type {Row[]} */
  const rows = [];
  const stack = [{ id: 0, position: 1, size: 1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { id, position, size } = next;
    const below = tree.children[id].filter((child) => state.phase[child] !== UNSEEN);
    rows.push({ id, position, size, level: tree.nodes[id].ply + 1, isBranch: below.length > 0 });
    if (open.has(id)) {
      for (let index = below.length - 1; index >= 0; index -= 1) {
        stack.push({ id: below[index], position: index + 1, size: below.length });
      }
    }
  }
  return rows;
}

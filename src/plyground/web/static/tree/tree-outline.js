/**
 * The tree as text: a `role="tree"` for the keyboard and for screen readers, over the same nodes
 * and the same folding as the drawing. One tab stop; of a long tree only the rows around the
 * selected one are in the document, with their true place and number told.
 */

import { element } from "../shared/dom.js";
import { UNSEEN } from "./search-tree.js";
import { nodeLine } from "./step-narration.js";

/** Rows in the document before and after the selected one. */
const AROUND = 60;

export class TreeOutline {
  #host;
  #onSelect;
  #onToggle;
  #rows = [];
  #shown = null;

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: function(number): void, onToggle: function(number): void}} listeners
   */
  constructor(host, { onSelect, onToggle }) {
    this.#host = host;
    this.#onSelect = onSelect;
    this.#onToggle = onToggle;
    host.setAttribute("role", "tree");
    host.addEventListener("keydown", (event) => this.#key(event));
    host.addEventListener("click", (event) => {
      const row = event.target.closest("[data-node]");
      if (row) {
        this.#onSelect(Number(row.dataset.node));
      }
    });
  }

  /** Show {tree, state, open, selected, asked, game}. */
  show(shown) {
    this.#shown = shown;
    this.#rows = visibleRows(shown);
    const at = Math.max(0, this.#rows.findIndex(({ id }) => id === shown.selected));
    const focused = this.#host.contains(document.activeElement);
    const from = Math.max(0, at - AROUND);
    const to = Math.min(this.#rows.length, at + AROUND + 1);
    const made = this.#rows.slice(from, to).map((row, index) =>
      this.#row(row, from + index === at),
    );
    this.#host.replaceChildren(...made);
    this.#host.dataset.before = from > 0 ? `${from} rows above` : "";
    const rest = this.#rows.length - to;
    this.#host.dataset.after = rest > 0 ? `${rest} rows below` : "";
    const current = made[at - from];
    if (current) {
      keepInView(this.#host, current);
      if (focused) {
        current.focus({ preventScroll: true });
      }
    }
  }

  #row({ id, level, position, size, isBranch }, isActive) {
    const { tree, state, open, selected, asked, game } = this.#shown;
    const line = asked === id
      ? `${tree.nodes[id].move ?? "the root"}: the quiz asks about this node`
      : nodeLine(tree, state, id, game);
    const sign = isBranch ? (open.has(id) ? "▾" : "▸") : "·";
    return element(
      "div",
      {
        role: "treeitem",
        class: state.current === id ? "outline-row current" : "outline-row",
        tabindex: isActive ? 0 : -1,
        "aria-level": level,
        "aria-posinset": position,
        "aria-setsize": size,
        "aria-expanded": isBranch ? String(open.has(id)) : null,
        "aria-selected": String(selected === id),
        dataset: { node: id, level: Math.min(level, 12) },
      },
      element("span", { class: "sign", "aria-hidden": "true", text: sign }),
      element("span", { text: line }),
    );
  }

  #key(event) {
    const { tree, open, selected } = this.#shown;
    const at = Math.max(0, this.#rows.findIndex(({ id }) => id === selected));
    const row = this.#rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const isOpen = row.isBranch && open.has(row.id);
    const actions = {
      ArrowDown: () => this.#select(at + 1),
      ArrowUp: () => this.#select(at - 1),
      Home: () => this.#select(0),
      End: () => this.#select(this.#rows.length - 1),
      ArrowRight: () => (isOpen || !row.isBranch ? this.#select(at + 1) : this.#onToggle(row.id)),
      ArrowLeft: () => (isOpen ? this.#onToggle(row.id) : this.#parent(tree, row.id)),
      Enter: () => row.isBranch && this.#onToggle(row.id),
      " ": () => row.isBranch && this.#onToggle(row.id),
    };
    if (event.key in actions) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  #select(at) {
    this.#onSelect(this.#rows[Math.max(0, Math.min(this.#rows.length - 1, at))].id);
  }

  #parent(tree, id) {
    if (tree.nodes[id].parent !== null) {
      this.#onSelect(tree.nodes[id].parent);
    }
  }
}

/** The rows that are unfolded and seen, in order, with their place among their siblings. */
function visibleRows({ tree, state, open }) {
  const rows = [];
  const seen = (id) => tree.children[id].filter((child) => state.phase[child] !== UNSEEN);
  const stack = [{ id: 0, position: 1, size: 1 }];
  while (stack.length > 0) {
    const { id, position, size } = stack.pop();
    const below = seen(id);
    rows.push({ id, position, size, level: tree.nodes[id].ply + 1, isBranch: below.length > 0 });
    if (open.has(id)) {
      for (let index = below.length - 1; index >= 0; index -= 1) {
        stack.push({ id: below[index], position: index + 1, size: below.length });
      }
    }
  }
  return rows;
}

function keepInView(host, row) {
  const outer = host.getBoundingClientRect();
  const inner = row.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    host.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

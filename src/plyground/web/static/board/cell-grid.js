/**
 * The cells of a board as a transparent grid over its drawing: for the keyboard, screen readers
 * and pointers. One cell is in the tab order; arrow keys move the focus to others.
 */

import { element } from "../shared/dom.js";

/** @import { Cell, Size } from "./position-svg.js" */

/** @type {Record<string, [right: number, down: number]>} */
const DIRECTIONS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export class CellGrid {
  #host;
  /** @type {Cell[]} */
  #cells = [];
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();
  #current = "";

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
    host.className = "board-grid";
    host.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.cell !== undefined) {
        this.#setCurrent(target.dataset.cell);
      }
    });
  }

  /** The name of the cell that has the focus, or would get it. */
  get current() {
    return this.#current;
  }

  get #hasFocus() {
    return this.#host.contains(document.activeElement);
  }

  /**
   * Show the cells of a drawing; `preferred` is the first one to be in the tab order.
   *
   * @param {Cell[]} cells
   * @param {Size} size of the drawing
   * @param {string} title
   * @param {string} [preferred]
   */
  show(cells, size, title, preferred) {
    const hadFocus = this.#hasFocus;
    const before = this.#cells.find((cell) => cell.name === this.#current);
    this.#cells = cells;
    this.#host.hidden = cells.length === 0;
    if (cells.length === 0) {
      this.#rebuild([]);
      return;
    }
    this.#host.setAttribute("role", "grid");
    this.#host.setAttribute("aria-label", title);
    const rows = inRows(cells);
    const names = rows.flat().map((cell) => cell.name);
    if (names.join("\n") !== [...this.#elements.keys()].join("\n")) {
      this.#rebuild(rows);
    }
    for (const cell of cells) {
      this.#place(cell, size);
    }
    if (before === undefined && preferred !== undefined && this.#elements.has(preferred)) {
      this.#setCurrent(preferred);
    } else if (this.#elements.has(this.#current)) {
      this.#setCurrent(this.#current);
    } else {
      this.#setCurrent((before === undefined ? rows[0][0] : nearest(cells, before)).name);
    }
    if (hadFocus && !this.#hasFocus) {
      this.focus();
    }
  }

  /**
   * Set the labels and classes of all cells.
   *
   * @param {(name: string) => {notes: string[], chosen: boolean, draggable: boolean}} describe
   */
  describe(describe) {
    for (const cell of this.#cells) {
      const { notes, chosen, draggable } = describe(cell.name);
      const made = this.#elements.get(cell.name);
      made?.setAttribute("aria-label", [cell.label, ...notes].join(", "));
      made?.setAttribute("aria-selected", String(chosen));
      made?.classList.toggle("draggable", draggable);
    }
  }

  /**
   * Focus a cell, or the current one.
   *
   * @param {string} [name]
   */
  focus(name = this.#current) {
    this.#elements.get(name)?.focus({ preventScroll: true });
  }

  /**
   * Move the focus by an arrow key, Home or End. Returns whether the key is one of these.
   *
   * @param {KeyboardEvent} event
   */
  moveFocus(event) {
    const from = this.#cells.find((cell) => cell.name === this.#current);
    if (event.altKey || event.metaKey || from === undefined) {
      return false;
    }
    const names = [...this.#elements.keys()];
    const row = inRows(this.#cells).find((cells) => cells.includes(from)) ?? [from];
    if (event.key in DIRECTIONS) {
      this.focus((neighbour(this.#cells, from, DIRECTIONS[event.key]) ?? from).name);
    } else if (event.key === "Home") {
      this.focus(event.ctrlKey ? names[0] : row[0].name);
    } else if (event.key === "End") {
      this.focus(event.ctrlKey ? names.at(-1) : row.at(-1)?.name);
    } else {
      return false;
    }
    return true;
  }

  /** @param {string} name */
  #setCurrent(name) {
    this.#elements.get(this.#current)?.setAttribute("tabindex", "-1");
    this.#current = name;
    this.#elements.get(name)?.setAttribute("tabindex", "0");
  }

  /** @param {Cell[][]} rows */
  #rebuild(rows) {
    this.#elements.clear();
    this.#host.replaceChildren(
      ...rows.map((cells) => {
        const made = cells.map(({ name }) => {
          const cell = element("div", {
            class: "board-cell",
            role: "gridcell",
            tabindex: -1,
            dataset: { cell: name },
          });
          this.#elements.set(name, cell);
          return cell;
        });
        return element("div", { role: "row" }, ...made);
      }),
    );
  }

  /**
   * @param {Cell} cell
   * @param {Size} size
   */
  #place(cell, { width, height }) {
    const made = this.#elements.get(cell.name);
    if (made !== undefined) {
      made.style.left = `${(100 * cell.x) / width}%`;
      made.style.top = `${(100 * cell.y) / height}%`;
      made.style.width = `${(100 * cell.width) / width}%`;
      made.style.height = `${(100 * cell.height) / height}%`;
    }
  }
}

/** @param {Cell} cell */
function middle(cell) {
  return { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 };
}

/**
 * Cells as they are read: rows from the top, each from the left.
 *
 * @param {Cell[]} cells
 */
function inRows(cells) {
  /** @type {Cell[][]} */
  const rows = [];
  for (const cell of [...cells].sort((one, other) => middle(one).y - middle(other).y)) {
    const row = rows.at(-1);
    if (row !== undefined && middle(cell).y - middle(row[0]).y < cell.height / 2) {
      row.push(cell);
    } else {
      rows.push([cell]);
    }
  }
  return rows.map((row) => row.sort((one, other) => one.x - other.x));
}

/**
 * The next cell in a direction: the nearest, with cells straight ahead preferred.
 *
 * @param {Cell[]} cells
 * @param {Cell} from
 * @param {[right: number, down: number]} direction
 */
function neighbour(cells, from, [right, down]) {
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const { x, y } = middle(cell);
    const ahead = (x - start.x) * right + (y - start.y) * down;
    const aside = Math.abs((x - start.x) * down) + Math.abs((y - start.y) * right);
    if (ahead > 1 && aside <= ahead && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = cell;
    }
  }
  return best;
}

/**
 * @param {Cell[]} cells
 * @param {Cell} from
 */
function nearest(cells, from) {
  /** @param {Cell} cell */
  const distance = (cell) => Math.hypot(cell.x - from.x, cell.y - from.y);
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

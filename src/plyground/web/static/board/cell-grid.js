/**
 * The cells of a board as a grid that lies transparently over its picture: for the keyboard, for
 * screen readers, and for whatever points. One cell is in the tab order; arrow keys go to others.
 */

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Grid {
  #host;
  #cells = [];
  #elements = new Map();
  #current = null;

  constructor(host) {
    this.#host = host;
    host.className = "board-grid";
    host.addEventListener("focusin", (event) => this.#setCurrent(event.target.dataset.cell));
  }

  /** The cell that has the focus, or would get it. */
  get current() {
    return this.#current;
  }

  get hasFocus() {
    return this.#host.contains(document.activeElement);
  }

  /**
   * @param {import("./position-svg.js").Cell[]} cells
   * @param {{width: number, height: number}} size of the picture
   * @param {string} title
   * @param {string} [preferred] the cell to begin with
   */
  show(cells, size, title, preferred) {
    const hadFocus = this.hasFocus;
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
      lay(this.#elements.get(cell.name), cell, size);
    }
    const first = before === undefined && this.#elements.has(preferred) ? preferred : null;
    const kept = this.#elements.has(this.#current) ? this.#current : null;
    this.#setCurrent(first ?? kept ?? nearest(cells, before).name);
    if (hadFocus && !this.hasFocus) {
      this.focus();
    }
  }

  /**
   * Say and show what each cell can do.
   *
   * @param {function(string): {notes: string[], chosen: boolean, draggable: boolean}} describe
   */
  describe(describe) {
    for (const cell of this.#cells) {
      const element = this.#elements.get(cell.name);
      const { notes, chosen, draggable } = describe(cell.name);
      element.setAttribute("aria-label", [cell.label, ...notes].join(", "));
      element.setAttribute("aria-selected", String(chosen));
      element.classList.toggle("draggable", draggable);
    }
  }

  /** Focus a cell, or the current one. */
  focus(name = this.#current) {
    this.#elements.get(name)?.focus({ preventScroll: true });
  }

  /** Walk as a key says; whether it is one that walks. */
  walk(event) {
    if (event.altKey || event.metaKey) {
      return false;
    }
    const from = this.#cells.find((cell) => cell.name === this.#current);
    const names = [...this.#elements.keys()];
    const row = inRows(this.#cells).find((cells) => cells.includes(from));
    if (event.key in WAYS) {
      this.focus(next(this.#cells, from, WAYS[event.key])?.name ?? from.name);
    } else if (event.key === "Home") {
      this.focus(event.ctrlKey ? names[0] : row[0].name);
    } else if (event.key === "End") {
      this.focus(event.ctrlKey ? names.at(-1) : row.at(-1).name);
    } else {
      return false;
    }
    return true;
  }

  #setCurrent(name) {
    if (name !== undefined) {
      this.#elements.get(this.#current)?.setAttribute("tabindex", "-1");
      this.#current = name;
      this.#elements.get(name).setAttribute("tabindex", "0");
    }
  }

  #rebuild(rows) {
    this.#elements.clear();
    this.#host.replaceChildren(
      ...rows.map((cells) => {
        const row = document.createElement("div");
        row.setAttribute("role", "row");
        row.append(...cells.map((cell) => this.#make(cell)));
        return row;
      }),
    );
  }

  #make({ name }) {
    const element = document.createElement("div");
    element.className = "board-cell";
    element.dataset.cell = name;
    element.setAttribute("role", "gridcell");
    element.setAttribute("tabindex", "-1");
    this.#elements.set(name, element);
    return element;
  }
}

function lay(element, cell, { width, height }) {
  element.style.left = `${(100 * cell.x) / width}%`;
  element.style.top = `${(100 * cell.y) / height}%`;
  element.style.width = `${(100 * cell.width) / width}%`;
  element.style.height = `${(100 * cell.height) / height}%`;
}

const middle = (cell) => ({ x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 });

/** Cells as they are read: rows from the top, each from the left. */
function inRows(cells) {
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

/** The next cell in a direction: the nearest, and rather straight ahead than aside. */
function next(cells, from, [right, down]) {
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

function nearest(cells, from) {
  const distance = (cell) => Math.hypot(cell.x - from.x, cell.y - from.y);
  return from === undefined
    ? inRows(cells)[0][0]
    : cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

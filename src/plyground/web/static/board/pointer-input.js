/** What points at the board: which cell is meant, what lies under it, and what it carries. */

import { Drag } from "./drag-gesture.js";

const PATIENCE = 1500;
/** Milliseconds until a thing that was dropped goes back, if no new position comes. */
const FINGER = 44;
/** Pixels that a cell should have to be hit safely; around smaller ones a miss counts. */

export class Hand {
  #grid;
  #picture;
  #maker;
  #listeners;
  #drag;
  #cells = new Map();
  #held = null;
  #under = null;
  #waiting = 0;

  /** Whether a person may move now. */
  interactive = true;

  /**
   * @param {HTMLElement} grid the element that lies over the picture
   * @param {import("./position-svg.js").Picture} picture
   * @param {import("./move-selection.js").MoveMaker} maker
   * @param {Object} listeners
   * @param {function(string): void} listeners.onTouch a cell was clicked
   * @param {function(Object[], string): void} listeners.onDrop a drag made these moves, to a cell
   * @param {function(): void} listeners.onChange something else is chosen, or pointed at
   */
  constructor(grid, picture, maker, listeners) {
    this.#grid = grid;
    this.#picture = picture;
    this.#maker = maker;
    this.#listeners = listeners;
    this.#drag = new Drag(grid, {
      onStart: (event) => this.#lift(event),
      onMove: (event) => this.#carry(event),
      onEnd: (event) => this.#drop(event),
    });
    grid.addEventListener("click", (event) => this.#click(event));
    grid.addEventListener("pointermove", (event) => this.#hover(event));
    grid.addEventListener("pointerleave", () => this.#pointAt(null));
  }

  /** @param {Map<string, import("./position-svg.js").Cell>} cells where they are now */
  set cells(cells) {
    this.#cells = cells;
  }

  /** The useful cell that is pointed at, or null. */
  get under() {
    return this.#under;
  }

  get isDragging() {
    return this.#drag.isOn;
  }

  /** Another position is shown: let go of everything. */
  letGo() {
    clearTimeout(this.#waiting);
    this.#drag.cancel();
    this.#under = null;
  }

  /** The cell that is meant by one that is touched. */
  meant(name) {
    const { standsFor } = this.#cells.get(name);
    const useful = this.#maker.isUseful(name) || !this.#maker.isUseful(standsFor);
    return useful ? name : standsFor;
  }

  /** Whether what lies in a cell can be carried elsewhere. */
  canDrag(name) {
    const { chosen, open, moves } = this.#maker;
    if (chosen.at(-1) === name) {
      return open.some((move) => move.touches.length > chosen.length);
    }
    return moves.some((move) => move.touches[0] === name && move.touches.length > 1);
  }

  #click(event) {
    // A click without a pointer is a screen reader's, and says itself where.
    const name = event.detail === 0 ? event.target.dataset.cell : this.#cellAt(event);
    if (name) {
      this.#listeners.onTouch(name);
    }
  }

  /** A point on the screen in the picture's own units, and how many of them a pixel is. */
  #place(event) {
    const frame = this.#grid.getBoundingClientRect();
    const scale = this.#picture.size.width / frame.width;
    const [x, y] = [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
    return { x, y, scale };
  }

  /** The cell at a point, or near it if it is a useful one and small on this screen. */
  #cellAt(event) {
    const { x, y, scale } = this.#place(event);
    let [useful, least, hit] = [null, Infinity, null];
    for (const cell of this.#cells.values()) {
      const right = Math.max(cell.x - x, x - cell.x - cell.width, 0);
      const down = Math.max(cell.y - y, y - cell.y - cell.height, 0);
      const distance = Math.max(right, down);
      const slack = Math.max(0, (FINGER * scale - Math.min(cell.width, cell.height)) / 2);
      if (distance === 0) {
        hit = cell.name;
      }
      if (distance <= slack && distance < least && this.#maker.isUseful(this.meant(cell.name))) {
        [useful, least] = [cell.name, distance];
      }
    }
    return useful ?? hit;
  }

  #hover(event) {
    if (event.pointerType === "mouse" && !this.#drag.isOn) {
      this.#pointAt(this.interactive ? this.#cellAt(event) : null);
    }
  }

  #pointAt(touched) {
    const name = touched === null ? null : this.meant(touched);
    const under = name !== null && this.#maker.isUseful(name) ? name : null;
    this.#grid.classList.toggle("useful", under !== null);
    if (under !== this.#under) {
      this.#under = under;
      this.#listeners.onChange();
    }
  }

  #lift(event) {
    const name = this.interactive ? this.#cellAt(event) : null;
    const thing = name === null ? null : this.#picture.thingIn(this.#cells.get(name));
    if (thing === null || !this.canDrag(name)) {
      return false;
    }
    if (this.#maker.chosen.at(-1) !== name) {
      this.#maker.cancel();
      this.#maker.touch(name);
    }
    this.#held = thing;
    this.#grid.classList.add("dragging");
    this.#listeners.onChange();
    return true;
  }

  #carry(event) {
    const { x, y } = this.#place(event);
    this.#picture.place(this.#held, x, y);
    const name = this.#cellAt(event);
    const leads = this.#maker.targets.includes(name) && name !== this.#maker.chosen.at(-1);
    this.#pointAt(leads ? name : null);
  }

  #drop(event) {
    const name = event === null ? null : this.#cellAt(event);
    const own = this.#maker.chosen.at(-1);
    const held = this.#held;
    this.#held = null;
    this.#under = null;
    this.#grid.classList.remove("dragging");
    if (name !== null && name !== own && this.#maker.targets.includes(name)) {
      const { x, y, width, height } = this.#cells.get(name);
      this.#picture.place(held, x + width / 2, y + height / 2);
      this.#waiting = setTimeout(() => this.#picture.restore(), PATIENCE);
      this.#listeners.onDrop(this.#maker.touch(name), name);
      return;
    }
    this.#picture.restore();
    if (name !== own) {
      this.#maker.cancel();
    }
    this.#listeners.onChange();
  }
}

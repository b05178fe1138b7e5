/** Pointer input on a board: clicks, hovering and drags, as cells and moves. */

import { DragGesture } from "./drag-gesture.js";

/**
 * @import { Move } from "../shared/protocol.d.ts"
 * @import { MoveSelection } from "./move-selection.js"
 * @import { Cell, Piece, PositionSvg } from "./position-svg.js"
 */

/** Milliseconds until a dropped piece goes back, if no new position comes. */
const RESTORE_AFTER = 1500;
/** Pixels that a cell should have to be hit safely; around smaller ones a near miss counts. */
const TOUCH_SIZE = 44;

export class PointerInput {
  #grid;
  #drawing;
  #selection;
  #listeners;
  #drag;
  /** @type {Map<string, Cell>} */
  #cells = new Map();
  /** @type {Piece|null} */
  #dragged = null;
  /** @type {string|null} */
  #hovered = null;
  /** @type {number|undefined} */
  #restoring;

  /** Whether a person may move now. */
  interactive = true;

  /**
   * @param {HTMLElement} grid the element that lies over the drawing
   * @param {PositionSvg} drawing
   * @param {MoveSelection} selection
   * @param {Object} listeners
   * @param {(cell: string) => void} listeners.onTouch a cell was clicked
   * @param {(moves: Move[], cell: string) => void} listeners.onDrop a drag made these moves
   * @param {() => void} listeners.onChange another cell is chosen or hovered
   */
  constructor(grid, drawing, selection, listeners) {
    this.#grid = grid;
    this.#drawing = drawing;
    this.#selection = selection;
    this.#listeners = listeners;
    this.#drag = new DragGesture(grid, {
      onStart: (event) => this.#startDrag(event),
      onMove: (event) => this.#moveDrag(event),
      onEnd: (event) => this.#endDrag(event),
    });
    grid.addEventListener("click", (event) => this.#clicked(event));
    grid.addEventListener("pointermove", (event) => this.#pointerMoved(event));
    grid.addEventListener("pointerleave", () => this.#setHovered(null));
  }

  /** @param {Map<string, Cell>} cells where they are now */
  set cells(cells) {
    this.#cells = cells;
  }

  /** The useful cell that is pointed at, or null. */
  get hovered() {
    return this.#hovered;
  }

  get isDragging() {
    return this.#drag.isDragging;
  }

  /** Cancel a drag and forget what is hovered: another position is shown. */
  reset() {
    clearTimeout(this.#restoring);
    this.#drag.cancel();
    this.#hovered = null;
  }

  /**
   * The cell that a touched one counts as: another one may stand for it.
   *
   * @param {string} name
   */
  resolve(name) {
    const standsFor = this.#cells.get(name)?.standsFor ?? "";
    const isUseful = this.#selection.isUseful(name) || !this.#selection.isUseful(standsFor);
    return isUseful ? name : standsFor;
  }

  /**
   * Whether the piece in a cell can be dragged elsewhere.
   *
   * @param {string} name
   */
  canDrag(name) {
    const { chosen, candidates, moves } = this.#selection;
    if (chosen.at(-1) === name) {
      return candidates.some((move) => move.touches.length > chosen.length);
    }
    return moves.some((move) => move.touches[0] === name && move.touches.length > 1);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    // A screen reader's click has no coordinates: its target is the cell.
    const target = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
    const name = event.detail === 0 ? target : this.#cellAt(event);
    if (name) {
      this.#listeners.onTouch(name);
    }
  }

  /**
   * A point on the screen in the drawing's units, and how many of them a pixel is.
   *
   * @param {MouseEvent} event
   */
  #point(event) {
    const frame = this.#grid.getBoundingClientRect();
    const scale = this.#drawing.size.width / frame.width;
    const [x, y] = [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
    return { x, y, scale };
  }

  /**
   * The cell at a point, or near it if it is a useful one and small on this screen.
   *
   * @param {MouseEvent} event
   * @returns {string|null}
   */
  #cellAt(event) {
    const { x, y, scale } = this.#point(event);
    let useful = null;
    let hit = null;
    let least = Infinity;
    for (const cell of this.#cells.values()) {
      const right = Math.max(cell.x - x, x - cell.x - cell.width, 0);
      const down = Math.max(cell.y - y, y - cell.y - cell.height, 0);
      const distance = Math.max(right, down);
      const slack = Math.max(0, (TOUCH_SIZE * scale - Math.min(cell.width, cell.height)) / 2);
      if (distance === 0) {
        hit = cell.name;
      }
      const isNear = distance <= slack && distance < least;
      if (isNear && this.#selection.isUseful(this.resolve(cell.name))) {
        [useful, least] = [cell.name, distance];
      }
    }
    return useful ?? hit;
  }

  /** @param {PointerEvent} event */
  #pointerMoved(event) {
    if (event.pointerType === "mouse" && !this.#drag.isDragging) {
      this.#setHovered(this.interactive ? this.#cellAt(event) : null);
    }
  }

  /** @param {string|null} touched */
  #setHovered(touched) {
    const name = touched === null ? null : this.resolve(touched);
    const hovered = name !== null && this.#selection.isUseful(name) ? name : null;
    this.#grid.classList.toggle("useful", hovered !== null);
    if (hovered !== this.#hovered) {
      this.#hovered = hovered;
      this.#listeners.onChange();
    }
  }

  /** @param {PointerEvent} event */
  #startDrag(event) {
    const name = this.interactive ? this.#cellAt(event) : null;
    const cell = name === null ? undefined : this.#cells.get(name);
    const piece = cell === undefined ? null : this.#drawing.pieceIn(cell);
    if (name === null || piece === null || !this.canDrag(name)) {
      return false;
    }
    if (this.#selection.chosen.at(-1) !== name) {
      this.#selection.cancel();
      this.#selection.touch(name);
    }
    this.#dragged = piece;
    this.#grid.classList.add("dragging");
    this.#listeners.onChange();
    return true;
  }

  /** @param {PointerEvent} event */
  #moveDrag(event) {
    if (this.#dragged !== null) {
      const { x, y } = this.#point(event);
      this.#drawing.movePiece(this.#dragged, x, y);
      const name = this.#cellAt(event);
      this.#setHovered(this.#isTarget(name) ? name : null);
    }
  }

  /** @param {PointerEvent|null} event */
  #endDrag(event) {
    const name = event === null ? null : this.#cellAt(event);
    const target = this.#isTarget(name) ? this.#cells.get(name) : undefined;
    const piece = this.#dragged;
    this.#dragged = null;
    this.#hovered = null;
    this.#grid.classList.remove("dragging");
    if (target !== undefined && piece !== null) {
      const { x, y, width, height } = target;
      this.#drawing.movePiece(piece, x + width / 2, y + height / 2);
      this.#restoring = setTimeout(() => this.#drawing.restore(), RESTORE_AFTER);
      this.#listeners.onDrop(this.#selection.touch(target.name), target.name);
      return;
    }
    this.#drawing.restore();
    if (name !== this.#selection.chosen.at(-1)) {
      this.#selection.cancel();
    }
    this.#listeners.onChange();
  }

  /**
   * Whether a drag may end in this cell.
   *
   * @param {string|null} name
   * @returns {name is string}
   */
  #isTarget(name) {
    const { targets, chosen } = this.#selection;
    return name !== null && targets.includes(name) && name !== chosen.at(-1);
  }
}

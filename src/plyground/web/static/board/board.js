/**
 * The board: the drawing of a position, on which moves are made by click, drag and keyboard.
 *
 * It knows no game. A View has the legal moves with the cells that each touches and the key that
 * plays it; its drawing says where cells and pieces are (`core/svg.py`). A game without cells is
 * only shown, and played by typed moves.
 */

import { element, prefersReducedMotion } from "../shared/dom.js";
import { svgElement } from "../shared/svg.js";
import { Annotations, badgesOfSources } from "./annotations.js";
import { CellGrid } from "./cell-grid.js";
import { MoveMenu } from "./move-menu.js";
import { MoveSelection } from "./move-selection.js";
import { PointerInput } from "./pointer-input.js";
import { PositionSvg } from "./position-svg.js";

/**
 * @import { Move, View } from "../shared/protocol.d.ts"
 * @import { Arrow, Badge } from "./annotations.js"
 * @import { Cell } from "./position-svg.js"
 */

/** Milliseconds. */
const MOVE_TIME = 150;
/** A drawing without cells, such as text, is at most so much larger than its own size. */
const LARGEST_SCALE = 1.25;
const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

export class Board {
  #onMove;
  #announce;
  #drawing;
  #annotations;
  #grid;
  #menu;
  #pointer;
  #parts;
  #selection = new MoveSelection();
  /** @type {View|null} */
  #view = null;
  /** @type {Map<string, Cell>} */
  #cells = new Map();
  /** @type {string[]} */
  #hint = [];
  /** @type {Arrow[]} */
  #arrows = [];
  /** @type {Badge[]} */
  #badges = [];

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {(move: string) => void} listeners.onMove a person made this move
   * @param {(text: string) => void} [listeners.announce] for screen readers
   */
  constructor(host, { onMove, announce = () => {} }) {
    this.#onMove = onMove;
    this.#announce = announce;
    this.#parts = build(host);
    const { drawing, annotations, grid, menu } = this.#parts;
    this.#drawing = new PositionSvg(drawing);
    this.#annotations = new Annotations(annotations);
    this.#grid = new CellGrid(grid);
    this.#menu = new MoveMenu(menu, {
      onChoose: (text) => this.#onMove(text),
      onClose: (hadFocus) => {
        this.#cancel();
        if (hadFocus) {
          this.#grid.focus();
        }
      },
    });
    this.#pointer = new PointerInput(grid, this.#drawing, this.#selection, {
      onTouch: (name) => {
        this.#grid.focus(name);
        this.#touch(name);
      },
      onDrop: (moves, name) => this.#play(moves, name),
      onChange: () => this.#refresh(),
    });
    grid.addEventListener("keydown", (event) => {
      if (this.#handleKey(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /** Whether a person may move now. */
  get interactive() {
    return this.#pointer.interactive;
  }

  set interactive(value) {
    if (value !== this.#pointer.interactive) {
      this.#pointer.reset();
      this.#pointer.interactive = value;
      this.#menu.close();
      this.#selection.cancel();
      this.#refresh();
    }
  }

  /** Whether the board is seen from the second player's side. */
  get flipped() {
    return this.#drawing.flipped;
  }

  set flipped(value) {
    if (value !== this.#drawing.flipped) {
      this.#drawing.flipped = value;
      this.#layOut();
    }
  }

  /** Whether the board has two sides; known once a position is shown. */
  get canFlip() {
    return this.#drawing.canFlip;
  }

  /**
   * Show a position. Pieces move there from where they were, in 150 ms or as many as `animate`
   * says; not at all with `false`, nor for people who prefer reduced motion. A position that is on
   * show already stays as it is, except for dragged pieces, which go back.
   *
   * @param {View} view
   * @param {{animate?: boolean|number}} [options]
   */
  show(view, { animate = true } = {}) {
    const before = this.#view;
    const isNew = before === null || before.text !== view.text || before.svg !== view.svg;
    this.#view = view;
    this.#pointer.reset();
    if (isNew) {
      this.#menu.close();
      this.#hint = [];
      this.#arrows = [];
      this.#badges = [];
      this.#showDrawing(view, durationOf(animate));
    } else {
      this.#drawing.restore();
    }
    if (isNew || !areSame(before.moves, view.moves)) {
      this.#selection.moves = view.moves;
    }
    this.#layOut();
  }

  /**
   * Annotate moves until the next position: with arrows, the best first, or a frame for a move of
   * one cell, and with short texts on the cells that moves lead to.
   *
   * @param {{arrows?: Arrow[], badges?: Badge[]}} annotations
   */
  annotateMoves({ arrows = [], badges = [] }) {
    if (arrows.length + badges.length + this.#arrows.length + this.#badges.length > 0) {
      this.#arrows = arrows;
      this.#badges = badges;
      this.#annotate();
    }
  }

  /**
   * Mark a move as a hint, until the next position.
   *
   * @param {string[]} touches
   */
  showHint(touches) {
    this.#hint = touches;
    this.#annotate();
  }

  /** Move the focus to the board. */
  focus() {
    this.#grid.focus();
  }

  // Showing

  /**
   * @param {View} view
   * @param {number} milliseconds
   */
  #showDrawing(view, milliseconds) {
    const { frame, drawing, text } = this.#parts;
    try {
      this.#drawing.show(view.svg, milliseconds);
      text.textContent = view.picture ?? "";
      drawing.hidden = false;
    } catch {
      this.#drawing.clear();
      text.textContent = view.picture;
      drawing.hidden = true;
    }
    const svg = this.#drawing.svg;
    const hasCells = svg !== null && svg.querySelector("[data-cell]") !== null;
    text.hidden = hasCells;
    text.classList.toggle("visually-hidden", svg !== null);
    if (svg !== null) {
      const { width, height } = this.#drawing.size;
      svg.setAttribute("aria-hidden", "true");
      frame.style.setProperty("--board-ratio", String(width / height));
      svg.style.maxWidth = hasCells ? "" : `${LARGEST_SCALE * width}px`;
    }
  }

  /** Place cells and annotations where the drawing has them now. */
  #layOut() {
    if (this.#view === null) {
      return;
    }
    const cells = this.#drawing.cells();
    const { size, title } = this.#drawing;
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]));
    this.#pointer.cells = this.#cells;
    this.#annotations.place(cells, size);
    this.#grid.show(cells, size, title, this.#selection.sources[0]);
    this.#refresh();
  }

  #refresh() {
    const { sources, targets, chosen } = this.#selection;
    const mayMove = this.#pointer.interactive;
    this.#parts.grid.classList.toggle("interactive", mayMove && sources.length > 0);
    this.#grid.describe((name) => {
      const isChosen = mayMove && chosen.includes(name);
      const isTarget = mayMove && chosen.length > 0 && targets.includes(name);
      return {
        notes: [...(isChosen ? ["chosen"] : []), ...(isTarget ? ["possible"] : [])],
        chosen: isChosen,
        draggable: mayMove && this.#pointer.canDrag(name),
      };
    });
    this.#annotate();
  }

  #annotate() {
    if (this.#view === null || this.#drawing.svg === null) {
      return;
    }
    const mayMove = this.#pointer.interactive;
    const { hovered } = this.#pointer;
    const { chosen, canCancel, endsHere } = this.#selection;
    this.#drawing.tint(this.#view.last);
    this.#annotations.draw({
      last: this.#view.last,
      chosen: mayMove ? chosen : [],
      implied: !canCancel,
      targets: mayMove ? this.#shownTargets() : [],
      ends: mayMove && endsHere,
      hovered: hovered !== null && chosen.includes(hovered) ? null : hovered,
      hint: this.#hint,
      arrows: this.#arrows,
      badges: this.#shownBadges(),
    });
  }

  /** The targets of what is chosen; in a game of placing, every cell where a move is possible. */
  #shownTargets() {
    const { chosen, isPlacing, targets } = this.#selection;
    if (chosen.length === 0 && !isPlacing) {
      return [];
    }
    const withBadge = new Set(this.#badges.map((badge) => badge.touches.at(-1)));
    return targets
      .filter((name) => name !== chosen.at(-1) && name !== this.#pointer.hovered)
      .filter((name) => !withBadge.has(name))
      .flatMap((name) => this.#cells.get(name) ?? [])
      .map((cell) => ({
        name: cell.name,
        occupied: this.#drawing.isOccupied(cell),
        small: isPlacing,
      }));
  }

  #shownBadges() {
    const { chosen, sources, isPlacing } = this.#selection;
    if (chosen.length > 0) {
      return this.#badges.filter(({ touches }) => chosen.every((name, at) => touches[at] === name));
    }
    return isPlacing || sources.length === 1 ? this.#badges : badgesOfSources(this.#badges);
  }

  // Touching

  /** @param {string} touched */
  #touch(touched) {
    if (!this.#pointer.interactive || this.#view === null || this.#view.moves.length === 0) {
      return;
    }
    const name = this.#pointer.resolve(touched);
    const hadChoice = this.#selection.canCancel;
    const moves = this.#selection.touch(name);
    this.#play(moves, name);
    if (moves.length === 0) {
      this.#announceChoice(hadChoice);
    }
  }

  /**
   * Play the only move; of several that touch the same cells, let the person choose.
   *
   * @param {Move[]} moves
   * @param {string} name
   */
  #play(moves, name) {
    const cell = this.#cells.get(name);
    if (moves.length === 1) {
      this.#onMove(moves[0].text);
    }
    this.#refresh();
    if (moves.length > 1 && cell !== undefined) {
      const size = this.#drawing.size;
      this.#menu.open(moves, {
        x: (100 * (cell.x + cell.width / 2)) / size.width,
        y: (100 * (cell.y + cell.height / 2)) / size.height,
      });
    }
  }

  /** @param {boolean} hadChoice */
  #announceChoice(hadChoice) {
    const { chosen, targets, canCancel } = this.#selection;
    const last = chosen.at(-1);
    if (canCancel && last !== undefined) {
      /** @param {string} name */
      const short = (name) => this.#cells.get(name)?.label.split(",")[0] ?? name;
      const possible = targets.filter((name) => name !== last).map(short);
      this.#announce(`${short(last)} chosen. Possible: ${possible.join(", ")}.`);
    } else {
      this.#announce(hadChoice ? "Nothing is chosen any more." : "No move there.");
    }
  }

  #cancel() {
    this.#selection.cancel();
    this.#refresh();
  }

  // Keys

  /**
   * Returns whether the board has used a key.
   *
   * @param {KeyboardEvent} event
   */
  #handleKey(event) {
    const hasKeys = this.#view?.moves.some((move) => move.key !== "") ?? false;
    if (event.key === "Escape") {
      const hadEffect = this.#pointer.isDragging || this.#selection.canCancel;
      this.#pointer.reset();
      this.#cancel();
      return hadEffect;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return event.ctrlKey && this.#grid.moveFocus(event);
    }
    if (hasKeys && !event.shiftKey && (ARROWS.includes(event.key) || event.key === " ")) {
      return this.#pointer.interactive && this.#playKey(event);
    }
    if (event.key === "Enter" || event.key === " ") {
      this.#touch(this.#grid.current);
      return true;
    }
    return this.#grid.moveFocus(event);
  }

  /** @param {KeyboardEvent} event */
  #playKey(event) {
    const move = this.#view?.moves.find(({ key }) => key === event.key);
    if (move === undefined) {
      this.#announce("That is not possible here.");
    } else if (!event.repeat) {
      this.#onMove(move.text);
    }
    return true;
  }
}

/**
 * The parts of a board within its host.
 *
 * @param {HTMLElement} host
 */
function build(host) {
  const drawing = element("div", { class: "board-drawing" });
  const annotations = svgElement("svg");
  const grid = element("div");
  const menu = element("div");
  const frame = element("div", { class: "board-frame" }, drawing, annotations, grid, menu);
  const text = element("pre", { class: "board-text" });
  host.classList.add("board");
  host.replaceChildren(frame, text);
  return { frame, drawing, annotations, grid, menu, text };
}

/** @param {boolean|number} animate */
function durationOf(animate) {
  if (animate === false || prefersReducedMotion()) {
    return 0;
  }
  return animate === true ? MOVE_TIME : animate;
}

/**
 * @param {Move[]} before
 * @param {Move[]} after
 */
function areSame(before, after) {
  return JSON.stringify(before) === JSON.stringify(after);
}

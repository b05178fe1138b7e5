/**
 * The board: a position's picture that can be played on by click, drag and keyboard.
 *
 * Games need not be known here. A View tells the legal moves with the cells that each touches and
 * the key that plays it; its picture tells where cells and things are (`core/svg.py`). A game
 * without cells is a picture only, and played by typed moves.
 */

import { Chooser } from "./move-menu.js";
import { Grid } from "./cell-grid.js";
import { Hand } from "./pointer-input.js";
import { badgesOfSources, Marks } from "./annotations.js";
import { MoveMaker } from "./move-selection.js";
import { Picture } from "./position-svg.js";

const MOVE_TIME = 150;
const TEXT_SCALE = 1.25;
const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

export class Board {
  #onMove;
  #announce;
  #picture;
  #marks;
  #grid;
  #chooser;
  #hand;
  #parts;
  #maker = new MoveMaker();
  #view = null;
  #cells = new Map();
  #hint = [];
  #arrows = [];
  #badges = [];

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {function(string): void} listeners.onMove a person made this move
   * @param {function(string): void} [listeners.announce] says something to screen readers
   */
  constructor(host, { onMove, announce = () => {} }) {
    this.#onMove = onMove;
    this.#announce = announce;
    this.#parts = build(host);
    const { picture, marks, grid, chooser } = this.#parts;
    this.#picture = new Picture(picture);
    this.#marks = new Marks(marks);
    this.#grid = new Grid(grid);
    this.#chooser = new Chooser(chooser, {
      onChoose: (text) => this.#play(text),
      onClose: (hadFocus) => {
        this.#cancel();
        if (hadFocus) {
          this.#grid.focus();
        }
      },
    });
    this.#hand = new Hand(grid, this.#picture, this.#maker, {
      onTouch: (name) => {
        this.#grid.focus(name);
        this.#touch(name);
      },
      onDrop: (moves, name) => this.#make(moves, name),
      onChange: () => this.#refresh(),
    });
    grid.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Whether a person may move now. */
  get interactive() {
    return this.#hand.interactive;
  }

  set interactive(value) {
    if (value !== this.#hand.interactive) {
      this.#hand.letGo();
      this.#hand.interactive = value;
      this.#chooser.close();
      this.#maker.cancel();
      this.#refresh();
    }
  }

  /** Whether the board is seen from the second player's side. */
  get flipped() {
    return this.#picture.flipped;
  }

  set flipped(value) {
    if (value !== this.#picture.flipped) {
      this.#picture.flipped = value;
      this.#layOut();
    }
  }

  /** Whether there is a side to turn to; known once a position is shown. */
  get canFlip() {
    return this.#picture.canFlip;
  }

  /**
   * Show a position. Things move there from where they were, in 150 ms or as many as `animate`
   * says; not at all with `false`, nor for people who prefer reduced motion. A position that is on
   * show already is left as it is, but for things that were dropped somewhere.
   *
   * @param {Object} view
   * @param {{animate?: boolean|number}} [options]
   */
  show(view, { animate = true } = {}) {
    const before = this.#view;
    const isNew = before === null || before.text !== view.text || before.svg !== view.svg;
    this.#view = view;
    this.#hand.letGo();
    if (isNew) {
      this.#chooser.close();
      this.#forget();
      this.#showPicture(view, timeOf(animate));
    } else {
      this.#picture.restore();
    }
    if (isNew || !sameMoves(before.moves, view.moves)) {
      this.#maker.moves = view.moves;
    }
    this.#layOut();
  }

  /**
   * Arrows for moves, the best first; a move of one cell gets a ring. They are gone with the next
   * position.
   *
   * @param {{touches: string[], rank?: number, label?: string}[]} arrows
   */
  setArrows(arrows) {
    this.#arrows = arrows;
    this.#drawMarks();
  }

  /**
   * Short texts on the cells that moves lead to; `tone` is "win", "draw" or "loss". They are gone
   * with the next position.
   *
   * @param {{touches: string[], text: string, tone?: string}[]} badges
   */
  setBadges(badges) {
    this.#badges = badges;
    this.#drawMarks();
  }

  /** Mark a move as a hint, until the next position. */
  showHint(touches) {
    this.#hint = touches;
    this.#drawMarks();
  }

  /** Give the focus to the board. */
  focus() {
    this.#grid.focus();
  }

  // Showing

  #showPicture(view, milliseconds) {
    const { frame, picture, words } = this.#parts;
    try {
      this.#picture.show(view.svg, milliseconds);
      words.textContent = view.picture ?? "";
      picture.hidden = false;
    } catch {
      this.#picture.clear();
      words.textContent = view.picture;
      picture.hidden = true;
    }
    const svg = this.#picture.svg;
    const hasCells = svg !== null && svg.querySelector("[data-cell]") !== null;
    words.hidden = hasCells;
    words.classList.toggle("board-unseen", svg !== null);
    if (svg !== null) {
      const { width, height } = this.#picture.size;
      svg.setAttribute("aria-hidden", "true");
      frame.style.setProperty("--board-ratio", width / height);
      // Text need not fill the page.
      svg.style.maxWidth = hasCells ? "" : `${TEXT_SCALE * width}px`;
    }
  }

  /** Cells, marks and names as the picture has them now. */
  #layOut() {
    if (this.#view === null) {
      return;
    }
    const cells = this.#picture.cells();
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]));
    this.#hand.cells = this.#cells;
    if (this.#picture.svg !== null) {
      this.#marks.place(cells, this.#picture.size);
      this.#grid.show(cells, this.#picture.size, this.#picture.title, this.#maker.sources[0]);
    } else {
      this.#grid.show([], null, "");
    }
    this.#refresh();
  }

  #forget() {
    this.#hint = [];
    this.#arrows = [];
    this.#badges = [];
  }

  #refresh() {
    const { sources, targets, chosen } = this.#maker;
    const mayMove = this.#hand.interactive;
    this.#parts.grid.classList.toggle("interactive", mayMove && sources.length > 0);
    this.#grid.describe((name) => {
      const isChosen = mayMove && chosen.includes(name);
      const leads = mayMove && chosen.length > 0 && targets.includes(name);
      const notes = [isChosen ? "chosen" : null, leads ? "possible" : null];
      return {
        notes: notes.filter((note) => note !== null),
        chosen: isChosen,
        draggable: mayMove && this.#hand.canDrag(name),
      };
    });
    this.#drawMarks();
  }

  #drawMarks() {
    if (this.#view === null || this.#picture.svg === null) {
      return;
    }
    const mayMove = this.#hand.interactive;
    const { chosen, canCancel, endsHere } = this.#maker;
    this.#picture.tint(this.#view.last);
    this.#marks.draw({
      last: this.#view.last,
      chosen: mayMove ? chosen : [],
      given: !canCancel,
      targets: mayMove ? this.#shownTargets() : [],
      ends: mayMove && endsHere,
      under: chosen.includes(this.#hand.under) ? null : this.#hand.under,
      hint: this.#hint,
      arrows: this.#arrows,
      badges: this.#shownBadges(),
    });
  }

  /** Where what is chosen can go; every cell where a mark can be put; nothing else. */
  #shownTargets() {
    const maker = this.#maker;
    if (maker.chosen.length === 0 && !maker.isPlacing) {
      return [];
    }
    const own = maker.chosen.at(-1);
    const marked = new Set(this.#badges.map((badge) => badge.touches.at(-1)));
    return maker.targets
      .filter((name) => name !== own && name !== this.#hand.under && !marked.has(name))
      .filter((name) => this.#cells.has(name))
      .map((name) => ({
        name,
        taken: this.#picture.isTaken(this.#cells.get(name)),
        small: maker.isPlacing,
      }));
  }

  #shownBadges() {
    const { chosen, sources, isPlacing } = this.#maker;
    if (chosen.length > 0) {
      return this.#badges.filter(({ touches }) => chosen.every((name, at) => touches[at] === name));
    }
    return isPlacing || sources.length === 1 ? this.#badges : badgesOfSources(this.#badges);
  }

  // Touching

  #touch(touched) {
    if (!this.#hand.interactive || this.#view.moves.length === 0) {
      return;
    }
    const name = this.#hand.meant(touched);
    const had = this.#maker.canCancel;
    const moves = this.#maker.touch(name);
    this.#make(moves, name);
    if (moves.length === 0) {
      this.#tellChoice(had);
    }
  }

  #make(moves, name) {
    if (moves.length === 1) {
      this.#play(moves[0].text);
    } else if (moves.length > 1) {
      const { x, y, width, height } = this.#cells.get(name);
      const size = this.#picture.size;
      this.#refresh();
      this.#chooser.open(moves, {
        x: (100 * (x + width / 2)) / size.width,
        y: (100 * (y + height / 2)) / size.height,
      });
      return;
    }
    this.#refresh();
  }

  #play(text) {
    this.#onMove(text);
  }

  #tellChoice(had) {
    const { chosen, targets, canCancel } = this.#maker;
    if (canCancel) {
      const short = (name) => this.#cells.get(name)?.label.split(",")[0] ?? name;
      const where = targets.filter((name) => name !== chosen.at(-1)).map(short);
      this.#announce(`${short(chosen.at(-1))} chosen. Possible: ${where.join(", ")}.`);
    } else {
      this.#announce(had ? "Nothing is chosen any more." : "No move there.");
    }
  }

  /** Whatever was begun is given up. */
  #cancel() {
    this.#maker.cancel();
    this.#refresh();
  }

  // Keys

  #press(event) {
    if (this.#answer(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Whether a key was for the board. */
  #answer(event) {
    const hasKeys = this.#view.moves.some((move) => move.key !== "");
    if (event.key === "Escape") {
      const had = this.#hand.isDragging || this.#maker.canCancel;
      this.#hand.letGo();
      this.#cancel();
      return had;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return event.ctrlKey && this.#grid.walk(event);
    }
    if (hasKeys && !event.shiftKey && (ARROWS.includes(event.key) || event.key === " ")) {
      return this.#hand.interactive && this.#pressMoveKey(event);
    }
    if (event.key === "Enter" || event.key === " ") {
      this.#touch(this.#grid.current);
      return true;
    }
    return this.#grid.walk(event);
  }

  #pressMoveKey(event) {
    const move = this.#view.moves.find(({ key }) => key === event.key);
    if (move === undefined) {
      this.#announce("That is not possible here.");
    } else if (!event.repeat) {
      this.#play(move.text);
    }
    return true;
  }
}

/** The parts of a board within its host. */
function build(host) {
  const frame = document.createElement("div");
  const [picture, grid, chooser] = [1, 2, 3].map(() => document.createElement("div"));
  const marks = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const words = document.createElement("pre");
  frame.className = "board-frame";
  picture.className = "board-picture";
  words.className = "board-words";
  frame.append(picture, marks, grid, chooser);
  host.classList.add("board");
  host.replaceChildren(frame, words);
  return { frame, picture, marks, grid, chooser, words };
}

function timeOf(animate) {
  if (animate === false || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return 0;
  }
  return animate === true ? MOVE_TIME : animate;
}

function sameMoves(before, after) {
  return JSON.stringify(before) === JSON.stringify(after);
}

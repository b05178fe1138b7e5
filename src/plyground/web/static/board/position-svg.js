/**
 * The SVG drawing of a position: shown, flipped, and animated from one position to the next.
 * `core/svg.py` explains the data attributes that drawings have.
 */

/**
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number}} Point
 *
 * @typedef {Object} Cell An area that can be touched, in the drawing's units.
 * @property {string} name
 * @property {string} label what a screen reader says of it
 * @property {string} standsFor the cell that it counts as where it has no use itself, or ""
 * @property {number} x its left edge
 * @property {number} y its upper edge
 * @property {number} width
 * @property {number} height
 *
 * @typedef {Object} Piece An element that moves, such as a pawn or a boat.
 * @property {SVGGraphicsElement} element
 * @property {string|undefined} kind
 * @property {DOMMatrix} outer from its parent's coordinates to the drawing's
 * @property {number} x its middle in the drawing
 * @property {number} y
 *
 * @typedef {Map<Element, DOMMatrix>} MatrixCache
 */

/**
 * Transforms that show the second player's side, by the value of `data-turns`. Each is its own
 * inverse, so the same keeps upright what is inside.
 *
 * @type {Record<string, string>}
 */
const FLIPS = { "": "rotate(180)", across: "scale(-1 1)", down: "scale(1 -1)" };

/** Units within which a piece counts as not having moved. */
const SAME_PLACE = 0.5;

export class PositionSvg {
  #host;
  /** @type {SVGSVGElement|null} */
  #svg = null;
  /** @type {string|null} */
  #source = null;
  #flipped = false;
  /** @type {Piece[]|null} valid until a piece is moved */
  #piecesCache = null;

  /** @param {HTMLElement} host the element that shows the drawing */
  constructor(host) {
    this.#host = host;
  }

  /** The `<svg>` on show, or null. */
  get svg() {
    return this.#svg;
  }

  /** Whether the drawing has a part that can be flipped. */
  get canFlip() {
    return this.#svg !== null && this.#svg.querySelector("[data-turns]") !== null;
  }

  get flipped() {
    return this.#flipped;
  }

  set flipped(value) {
    if (value !== this.#flipped) {
      this.#flipped = value;
      this.#piecesCache = null;
      if (this.#svg !== null) {
        flip(this.#svg);
      }
    }
  }

  /**
   * The size of the drawing in its own units.
   *
   * @returns {Size}
   */
  get size() {
    const { width, height } = this.#svg?.viewBox.baseVal ?? { width: 1, height: 1 };
    return { width, height };
  }

  /** What the drawing shows, in words. */
  get title() {
    return this.#svg?.querySelector("title")?.textContent ?? "";
  }

  /**
   * Show a drawing. Pieces move from where they are within so many milliseconds; 0 shows it at
   * once. Throws an Error for a text that is no SVG.
   *
   * @param {string} source
   * @param {number} milliseconds
   */
  show(source, milliseconds) {
    if (source === this.#source) {
      this.restore();
      return;
    }
    const before = this.#pieces();
    const svg = parse(source);
    if (this.#flipped) {
      flip(svg);
    }
    this.#host.replaceChildren(svg);
    this.#svg = svg;
    this.#source = source;
    this.#piecesCache = null;
    if (milliseconds > 0 && before.length > 0) {
      animate(before, this.#pieces(), milliseconds);
    }
  }

  /** Remove the drawing. */
  clear() {
    this.#host.replaceChildren();
    this.#svg = null;
    this.#source = null;
    this.#piecesCache = null;
  }

  /** @returns {Cell[]} the areas that can be touched, where they are now */
  cells() {
    /** @type {MatrixCache} */
    const matrices = new Map();
    return this.#areas().map((area) => ({
      name: area.dataset.cell ?? "",
      label: area.dataset.label ?? area.dataset.cell ?? "",
      standsFor: area.dataset.standsFor ?? "",
      ...boxOf(area, matrices),
    }));
  }

  /**
   * Whether a piece has its middle in a cell; one that is being dragged does not count.
   *
   * @param {Cell} cell
   */
  isOccupied(cell) {
    const pieces = this.#pieces().filter(({ element }) => element.dataset.home === undefined);
    return pieces.some((piece) => isWithin(piece, cell));
  }

  /**
   * Tint the ground of these cells, and of no others.
   *
   * @param {string[]} names
   */
  tint(names) {
    for (const old of this.#svg?.querySelectorAll(".board-tint") ?? []) {
      old.remove();
    }
    for (const area of this.#areas()) {
      if (names.includes(area.dataset.cell ?? "")) {
        const ground = /** @type {Element} */ (area.cloneNode(false));
        for (const attribute of ["data-cell", "data-label", "data-stands-for"]) {
          ground.removeAttribute(attribute);
        }
        ground.setAttribute("class", "board-tint");
        area.after(ground);
      }
    }
  }

  /**
   * The uppermost piece whose middle is in a cell, or null.
   *
   * @param {Cell} cell
   */
  pieceIn(cell) {
    return this.#pieces().findLast((piece) => isWithin(piece, cell)) ?? null;
  }

  /**
   * Move a piece for the time being; `restore` or the next drawing ends it.
   *
   * @param {Piece} piece
   * @param {number} x
   * @param {number} y
   */
  movePiece(piece, x, y) {
    const inside = piece.outer.inverse().transformPoint({ x, y });
    piece.element.dataset.home ??= piece.element.getAttribute("transform") ?? "";
    piece.element.setAttribute("transform", `translate(${inside.x} ${inside.y})`);
    piece.element.parentNode?.append(piece.element);
    this.#piecesCache = null;
  }

  /** Put all moved pieces back. */
  restore() {
    /** @type {NodeListOf<SVGElement>|undefined} */
    const moved = this.#svg?.querySelectorAll("[data-home]");
    for (const element of moved ?? []) {
      element.setAttribute("transform", element.dataset.home ?? "");
      delete element.dataset.home;
    }
    this.#piecesCache = null;
  }

  /** @returns {SVGGraphicsElement[]} */
  #areas() {
    return this.#svg === null ? [] : [...this.#svg.querySelectorAll("[data-cell]")].map(graphics);
  }

  /** @returns {Piece[]} */
  #pieces() {
    if (this.#svg === null) {
      return [];
    }
    if (this.#piecesCache === null) {
      /** @type {MatrixCache} */
      const matrices = new Map();
      const found = [...this.#svg.querySelectorAll("[data-kind]")].map(graphics);
      this.#piecesCache = found.map((element) => readPiece(element, matrices));
    }
    return this.#piecesCache;
  }
}

/**
 * @param {Element} element
 * @returns {SVGGraphicsElement}
 */
function graphics(element) {
  return /** @type {SVGGraphicsElement} */ (element);
}

/**
 * @param {string} source
 * @returns {SVGSVGElement}
 */
function parse(source) {
  const svg = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (svg.localName !== "svg" || svg.querySelector("parsererror") !== null) {
    throw new Error("The drawing of this position is no SVG.");
  }
  if (!svg.hasAttribute("viewBox")) {
    const [width, height] = ["width", "height"].map((side) => {
      return parseFloat(svg.getAttribute(side) ?? "");
    });
    svg.setAttribute("viewBox", `0 0 ${width || 300} ${height || 150}`);
  }
  return /** @type {any} */ (document.importNode(svg, true));
}

/**
 * Flip a drawing, or flip it back.
 *
 * @param {SVGSVGElement} svg
 */
function flip(svg) {
  for (const group of svg.querySelectorAll("[data-turns]")) {
    const transform = FLIPS[graphics(group).dataset.turns ?? ""] ?? FLIPS[""];
    toggleTransform(group, transform);
    for (const inside of group.querySelectorAll("[data-upright]")) {
      toggleTransform(inside, transform);
    }
  }
}

/**
 * @param {Element} element
 * @param {string} transform
 */
function toggleTransform(element, transform) {
  const now = element.getAttribute("transform") ?? "";
  const isFlipped = now.endsWith(transform);
  const next = isFlipped ? now.slice(0, -transform.length) : `${now} ${transform}`;
  element.setAttribute("transform", next.trim());
}

// Coordinates are read from attributes, so they are known before the drawing is laid out

/**
 * From an element's own coordinates to those of the drawing.
 *
 * @param {Element} element
 * @param {MatrixCache} cache
 * @returns {DOMMatrix}
 */
function matrixOf(element, cache) {
  if (element.localName === "svg" || element.parentElement === null) {
    return new DOMMatrix();
  }
  const known = cache.get(element);
  if (known !== undefined) {
    return known;
  }
  const outer = matrixOf(element.parentElement, cache);
  const own = graphics(element).transform?.baseVal.consolidate()?.matrix;
  const matrix = own ? outer.multiply(own) : outer;
  cache.set(element, matrix);
  return matrix;
}

/**
 * @param {SVGGraphicsElement} area
 * @param {MatrixCache} cache
 */
function boxOf(area, cache) {
  const box = area instanceof SVGRectElement ? rectangle(area) : area.getBBox();
  const matrix = matrixOf(area, cache);
  const corners = [
    [box.x, box.y],
    [box.x + box.width, box.y],
    [box.x, box.y + box.height],
    [box.x + box.width, box.y + box.height],
  ].map(([x, y]) => matrix.transformPoint({ x, y }));
  const across = corners.map((corner) => corner.x);
  const down = corners.map((corner) => corner.y);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

/** @param {SVGRectElement} area */
function rectangle({ x, y, width, height }) {
  return {
    x: x.baseVal.value,
    y: y.baseVal.value,
    width: width.baseVal.value,
    height: height.baseVal.value,
  };
}

/**
 * @param {SVGGraphicsElement} element
 * @param {MatrixCache} cache
 * @returns {Piece}
 */
function readPiece(element, cache) {
  const outer = element.parentElement === null
    ? new DOMMatrix()
    : matrixOf(element.parentElement, cache);
  const { e, f } = element.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  const { x, y } = outer.transformPoint({ x: e, y: f });
  return { element, kind: element.dataset.kind, outer, x, y };
}

/**
 * @param {Point} point
 * @param {Cell} cell
 */
function isWithin({ x, y }, cell) {
  return x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height;
}

// Animation

/**
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @param {number} milliseconds
 */
function animate(before, after, milliseconds) {
  const { moved, removed, added } = match(before, after);
  for (const [old, piece] of moved) {
    slide(piece, old, { duration: milliseconds, easing: "ease-out" });
  }
  for (const piece of added) {
    enter(piece, milliseconds);
  }
  for (const piece of removed) {
    fadeOut(piece, after, milliseconds);
  }
}

/**
 * Pair pieces of a kind: those that stay first, then always the two that are nearest.
 *
 * @param {Piece[]} before
 * @param {Piece[]} after
 */
function match(before, after) {
  const removed = new Set(before);
  const added = new Set(after);
  /** @type {{distance: number, old: Piece, piece: Piece}[]} */
  const pairs = [];
  for (const old of before) {
    for (const piece of after) {
      if (old.kind === piece.kind) {
        const distance = Math.hypot(old.x - piece.x, old.y - piece.y);
        if (distance <= Number(piece.element.dataset.reach ?? Infinity)) {
          pairs.push({ distance, old, piece });
        }
      }
    }
  }
  pairs.sort((one, other) => one.distance - other.distance);
  /** @type {[Piece, Piece][]} */
  const moved = [];
  for (const { distance, old, piece } of pairs) {
    if (removed.has(old) && added.has(piece)) {
      removed.delete(old);
      added.delete(piece);
      if (distance > SAME_PLACE) {
        moved.push([old, piece]);
      }
    }
  }
  return { moved, removed, added };
}

/**
 * Let a piece slide to its place from a point of the drawing.
 *
 * @param {Piece} piece
 * @param {Point} from
 * @param {KeyframeAnimationOptions} timing
 */
function slide(piece, from, timing) {
  const inside = piece.outer.inverse();
  const frames = [from, piece].map(({ x, y }) => {
    const point = inside.transformPoint({ x, y });
    return { transform: `translate(${point.x}px, ${point.y}px)` };
  });
  piece.element.animate(frames, timing);
}

/**
 * @param {Piece} piece
 * @param {number} milliseconds
 */
function enter(piece, milliseconds) {
  const { enters } = piece.element.dataset;
  if (enters === undefined) {
    piece.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: milliseconds });
    return;
  }
  const [x, y] = enters.split(" ").map(Number);
  // A piece that falls in from outside is slower than one that moves on the board.
  const timing = { duration: 1.6 * milliseconds, easing: "ease-in" };
  slide(piece, piece.outer.transformPoint({ x, y }), timing);
}

/**
 * A removed piece fades out below all pieces that are there now.
 *
 * @param {Piece} piece
 * @param {Piece[]} after
 * @param {number} milliseconds
 */
function fadeOut(piece, after, milliseconds) {
  const first = after[0];
  if (first === undefined) {
    return;
  }
  const ghost = /** @type {SVGElement} */ (piece.element.cloneNode(true));
  const { a, b, c, d, e, f } = first.outer.inverse().multiply(piece.outer);
  const { x, y } = piece.outer.inverse().transformPoint({ x: piece.x, y: piece.y });
  ghost.removeAttribute("data-kind");
  ghost.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")}) translate(${x} ${y})`);
  first.element.before(ghost);
  const fading = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: milliseconds });
  fading.onfinish = () => ghost.remove();
  fading.oncancel = fading.onfinish;
}

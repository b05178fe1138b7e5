/**
 * The picture of a position: put into the page, turned round, and moved from one to the next.
 * What its attributes mean is told in `core/svg.py`. This module imports nothing.
 */

const TURNS = { "": "rotate(180)", across: "scale(-1 1)", down: "scale(1 -1)" };
/** Each undoes itself, so the same keeps upright what is inside. */

const SAME_PLACE = 0.5;

/**
 * @typedef {Object} Cell
 * @property {string} name
 * @property {string} label what a screen reader says of it
 * @property {string} standsFor the cell that is meant where this one has no use, or ""
 * @property {number} x its left edge, in the picture's own units; so are y, width and height
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

export class Picture {
  #host;
  #svg = null;
  #source = null;
  #flipped = false;
  #known = null;
  /** Where things are, as long as none has been moved. */

  /** @param {HTMLElement} host what the picture is put into */
  constructor(host) {
    this.#host = host;
  }

  /** The `<svg>` on show, or null. */
  get svg() {
    return this.#svg;
  }

  /** Whether there is a part that can be turned round. */
  get canFlip() {
    return this.#svg !== null && this.#svg.querySelector("[data-turns]") !== null;
  }

  get flipped() {
    return this.#flipped;
  }

  set flipped(value) {
    if (value !== this.#flipped) {
      this.#flipped = value;
      this.#turn();
    }
  }

  /** The size of the picture in its own units. */
  get size() {
    const { width, height } = this.#svg.viewBox.baseVal;
    return { width, height };
  }

  /** What the picture shows, in words. */
  get title() {
    return this.#svg?.querySelector("title")?.textContent ?? "";
  }

  /**
   * Show a picture. Things move there from where they are within so many milliseconds; 0 shows it
   * at once. Throws an Error for a text that is no SVG.
   *
   * @param {string} source
   * @param {number} milliseconds
   */
  show(source, milliseconds) {
    if (source === this.#source) {
      this.restore();
      return;
    }
    const before = this.#svg === null ? [] : this.#things();
    const svg = parse(source);
    if (this.#flipped) {
      turn(svg);
    }
    this.#host.replaceChildren(svg);
    this.#svg = svg;
    this.#source = source;
    this.#known = null;
    if (milliseconds > 0 && before.length > 0) {
      move(before, this.#things(), milliseconds);
    }
  }

  /** Take the picture away. */
  clear() {
    this.#host.replaceChildren();
    this.#svg = null;
    this.#source = null;
  }

  /** @returns {Cell[]} the areas that can be touched, where they are now */
  cells() {
    const found = this.#svg === null ? [] : this.#svg.querySelectorAll("[data-cell]");
    const outer = new Map();
    return [...found].map((area) => ({
      name: area.dataset.cell,
      label: area.dataset.label ?? area.dataset.cell,
      standsFor: area.dataset.standsFor ?? "",
      ...boxOf(area, outer),
    }));
  }

  /** Whether some thing has its middle in a cell, but for one that is just carried over it. */
  isTaken(cell) {
    const things = this.#things().filter(({ element }) => element.dataset.home === undefined);
    return things.some((thing) => isWithin(thing, cell));
  }

  /** Colour the ground of these cells, and of no others. */
  tint(names) {
    for (const old of this.#svg?.querySelectorAll(".board-tint") ?? []) {
      old.remove();
    }
    for (const area of this.#svg?.querySelectorAll("[data-cell]") ?? []) {
      if (names.includes(area.dataset.cell)) {
        const ground = area.cloneNode(false);
        for (const attribute of ["data-cell", "data-label", "data-stands-for"]) {
          ground.removeAttribute(attribute);
        }
        ground.setAttribute("class", "board-tint");
        area.after(ground);
      }
    }
  }

  /** The uppermost thing whose middle is in a cell: `{element, x, y}`, or null. */
  thingIn(cell) {
    return this.#things().findLast((thing) => isWithin(thing, cell)) ?? null;
  }

  /** Put a thing somewhere else for the time being; `restore` or the next picture ends it. */
  place(thing, x, y) {
    const inside = thing.outer.inverse().transformPoint({ x, y });
    thing.element.dataset.home ??= thing.element.getAttribute("transform");
    thing.element.setAttribute("transform", `translate(${inside.x} ${inside.y})`);
    thing.element.parentNode.append(thing.element);
    this.#known = null;
  }

  /** Everything is where it belongs again. */
  restore() {
    for (const element of this.#svg?.querySelectorAll("[data-home]") ?? []) {
      element.setAttribute("transform", element.dataset.home);
      delete element.dataset.home;
    }
    this.#known = null;
  }

  #things() {
    if (this.#known === null) {
      const outer = new Map();
      const found = [...this.#svg.querySelectorAll("[data-kind]")];
      this.#known = found.map((element) => placeOf(element, outer));
    }
    return this.#known;
  }

  #turn() {
    this.#known = null;
    if (this.#svg !== null) {
      turn(this.#svg);
    }
  }
}

function parse(source) {
  const svg = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (svg.localName !== "svg" || svg.querySelector("parsererror") !== null) {
    throw new Error("The picture of this position is no SVG.");
  }
  if (!svg.hasAttribute("viewBox")) {
    const [width, height] = ["width", "height"].map((side) => parseFloat(svg.getAttribute(side)));
    svg.setAttribute("viewBox", `0 0 ${width || 300} ${height || 150}`);
  }
  return document.importNode(svg, true);
}

/** Turn a picture round, or back. */
function turn(svg) {
  for (const group of svg.querySelectorAll("[data-turns]")) {
    const how = TURNS[group.dataset.turns] ?? TURNS[""];
    toggleTransform(group, how);
    for (const inside of group.querySelectorAll("[data-upright]")) {
      toggleTransform(inside, how);
    }
  }
}

function toggleTransform(element, how) {
  const now = element.getAttribute("transform") ?? "";
  const turned = now.endsWith(how) ? now.slice(0, -how.length) : `${now} ${how}`;
  element.setAttribute("transform", turned.trim());
}

// Where things are: read from attributes alone, so that it is known before anything is laid out

/** From an element's own coordinates to those of the whole picture; `known` ones are kept. */
function matrixOf(element, known) {
  if (element.localName === "svg") {
    return new DOMMatrix();
  }
  if (!known.has(element)) {
    const outer = matrixOf(element.parentNode, known);
    const own = element.transform?.baseVal.consolidate()?.matrix;
    known.set(element, own ? outer.multiply(own) : outer);
  }
  return known.get(element);
}

function boxOf(area, known) {
  const box = area.localName === "rect" ? rectangle(area) : area.getBBox();
  const matrix = matrixOf(area, known);
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

function rectangle(area) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((n) => area[n].baseVal.value);
  return { x, y, width, height };
}

function placeOf(element, known) {
  const outer = matrixOf(element.parentNode, known);
  const { e, f } = element.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  const { x, y } = outer.transformPoint({ x: e, y: f });
  return { element, kind: element.dataset.kind, outer, x, y };
}

function isWithin({ x, y }, cell) {
  return x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height;
}

// Movement

function move(before, after, milliseconds) {
  const { pairs, gone, fresh } = match(before, after);
  for (const [old, now] of pairs) {
    slide(now, old, { duration: milliseconds, easing: "ease-out" });
  }
  for (const thing of fresh) {
    enter(thing, milliseconds);
  }
  for (const thing of gone) {
    fade(thing, after, milliseconds);
  }
}

/** Pair things of a kind: those that stay first, then always the two that are nearest. */
function match(before, after) {
  const old = new Set(before);
  const fresh = new Set(after);
  const near = [];
  for (const one of before) {
    for (const other of after) {
      if (one.kind === other.kind) {
        const distance = Math.hypot(one.x - other.x, one.y - other.y);
        if (distance <= Number(other.element.dataset.reach ?? Infinity)) {
          near.push([distance, one, other]);
        }
      }
    }
  }
  near.sort(([one], [other]) => one - other);
  const pairs = [];
  for (const [distance, one, other] of near) {
    if (old.has(one) && fresh.has(other)) {
      old.delete(one);
      fresh.delete(other);
      if (distance > SAME_PLACE) {
        pairs.push([one, other]);
      }
    }
  }
  return { pairs, gone: old, fresh };
}

/** Let a thing come from a place of the whole picture. */
function slide(thing, from, timing) {
  const inside = thing.outer.inverse();
  const [start, end] = [from, thing].map(({ x, y }) => inside.transformPoint({ x, y }));
  const frames = [start, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  thing.element.animate(frames, timing);
}

function enter(thing, milliseconds) {
  const { enters } = thing.element.dataset;
  if (enters === undefined) {
    thing.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: milliseconds });
    return;
  }
  const [x, y] = enters.split(" ").map(Number);
  // What comes from afar falls, and takes its time.
  const timing = { duration: 1.6 * milliseconds, easing: "ease-in" };
  slide(thing, thing.outer.transformPoint({ x, y }), timing);
}

/** A thing that is gone fades away below all that are there now. */
function fade(thing, after, milliseconds) {
  const first = after[0];
  if (first === undefined) {
    return;
  }
  const ghost = thing.element.cloneNode(true);
  const { a, b, c, d, e, f } = first.outer.inverse().multiply(thing.outer);
  const { x, y } = thing.outer.inverse().transformPoint({ x: thing.x, y: thing.y });
  ghost.removeAttribute("data-kind");
  ghost.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")}) translate(${x} ${y})`);
  first.element.before(ghost);
  const fading = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: milliseconds });
  fading.onfinish = () => ghost.remove();
  fading.oncancel = fading.onfinish;
}

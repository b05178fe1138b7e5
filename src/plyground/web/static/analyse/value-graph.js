/** The value of a game over its moves, as a curve; mistakes have their own shape and letter. */

import { element } from "../shared/dom.js";
import { label, shape } from "../shared/svg.js";
import { balance } from "../shared/value-text.js";

/** The drawing, in pixels; it is as wide as its frame. */
const SIZE = { width: 640, height: 150, left: 14, right: 14, top: 14 };

/**
 * Where the plies of a game are on the graph: [{ply, x, y}], without those that have no value yet.
 * The first player is at the top. No page here.
 */
export function graphPoints(values, plies, point, size = SIZE) {
  const middle = size.height / 2;
  const reach = middle - size.top;
  const room = size.width - size.left - size.right;
  const points = [];
  for (let ply = 0; ply <= plies; ply += 1) {
    if (values[ply] !== undefined) {
      points.push({
        ply,
        x: size.left + (plies === 0 ? room / 2 : (ply * room) / plies),
        y: middle - reach * balance(values[ply].value, point),
      });
    }
  }
  return points;
}

/** The ply nearest to a place across the graph. No page here. */
export function plyAt(x, plies, size = SIZE) {
  const room = size.width - size.left - size.right;
  return Math.max(0, Math.min(plies, Math.round(((x - size.left) / room) * plies)));
}

export class ValueGraph {
  #host;
  #svg;
  #onSelect;
  #shown = null;
  #size = SIZE;

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: function(number): void}} listeners called with a ply
   */
  constructor(host, { onSelect }) {
    this.#onSelect = onSelect;
    this.#svg = shape("svg", { "aria-hidden": "true" });
    this.#host = element("div", {
      class: "graph", role: "slider", tabindex: 0, "aria-label": "Value over the game",
    }, this.#svg);
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    this.#host.addEventListener("pointerdown", (event) => this.#point(event));
    host.append(this.#host);
    new ResizeObserver(() => this.#draw()).observe(this.#host);
  }

  /** Show {values (by ply), plies, marks (by ply), current (ply or null), game, words}. */
  show(shown) {
    this.#shown = shown;
    this.#draw();
    const { plies, current, words } = shown;
    this.#host.setAttribute("aria-valuemin", "0");
    this.#host.setAttribute("aria-valuemax", String(plies));
    this.#host.setAttribute("aria-valuenow", String(current ?? 0));
    this.#host.setAttribute("aria-valuetext", words);
  }

  #draw() {
    if (this.#shown === null || this.#host.clientWidth === 0) {
      return;
    }
    const { values, plies, marks, current, game } = this.#shown;
    const size = { ...SIZE, width: this.#host.clientWidth };
    this.#size = size;
    this.#svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    const points = graphPoints(values, plies, game.point, size);
    this.#svg.replaceChildren(
      ...frame(game, size),
      ...area(points, size),
      ...cursor(current, plies, size),
      ...points.map((at) => shape("circle", { cx: at.x, cy: at.y, r: 2.5, class: "dot" })),
      ...points
        .filter(({ ply }) => marks.has(ply))
        .map((at) => markShape(at, marks.get(at.ply), size)),
    );
  }

  #key(event) {
    const { plies, current } = this.#shown;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    const ends = { Home: 0, End: plies };
    const to = event.key in steps ? (current ?? 0) + steps[event.key] : ends[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#onSelect(Math.max(0, Math.min(plies, to)));
    }
  }

  #point(event) {
    const { left } = this.#svg.getBoundingClientRect();
    this.#onSelect(plyAt(event.clientX - left, this.#shown.plies, this.#size));
  }
}

function frame(game, { width, height }) {
  const middle = height / 2;
  return [
    shape("line", { x1: 0, x2: width, y1: middle, y2: middle, class: "middle" }),
    label(width - 4, 10, game.players[0], "side", "end"),
    label(width - 4, height - 9, game.players[1], "side", "end"),
  ];
}

function area(points, { height }) {
  if (points.length === 0) {
    return [];
  }
  const middle = height / 2;
  const line = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const [first, last] = [points[0], points.at(-1)];
  return [
    shape("path", { d: `M${first.x} ${middle}L${line}L${last.x} ${middle}Z`, class: "area" }),
    shape("path", { d: `M${line}`, class: "curve" }),
  ];
}

function cursor(current, plies, { width, height, left, right }) {
  if (current === null) {
    return [];
  }
  const room = width - left - right;
  const x = left + (plies === 0 ? room / 2 : (current * room) / plies);
  return [shape("line", { x1: x, x2: x, y1: 0, y2: height, class: "cursor" })];
}

/** A mistake is a triangle with an M, a blunder a square with a B. */
function markShape({ x, y }, { kind }, { height }) {
  const aside = y > height / 2 ? -16 : 16;
  const at = Math.max(12, Math.min(height - 12, y + aside));
  const outline = kind === "blunder" ? "M-9 -9H9V9H-9Z" : "M0 -11L11 8H-11Z";
  return shape(
    "g",
    { class: `graph-mark ${kind}`, transform: `translate(${x.toFixed(1)} ${at.toFixed(1)})` },
    shape("path", { d: outline }),
    label(0, kind === "blunder" ? 0.5 : 2, kind === "blunder" ? "B" : "M", "letter"),
  );
}

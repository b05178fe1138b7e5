/** The value of a game over its moves, as a curve; mistakes have their own shape and letter. */

import { element } from "../shared/dom.js";
import { svgElement, svgText } from "../shared/svg.js";
import { balance } from "../shared/value-text.js";

/**
 * @import { GameCard, Mark } from "../shared/protocol.d.ts"
 *
 * @typedef {{width: number, height: number, left: number, right: number, top: number}} Size
 * @typedef {{ply: number, x: number, y: number}} GraphPoint
 *
 * @typedef {Object} GraphData
 * @property {({value: number}|undefined)[]} values by ply
 * @property {number} plies
 * @property {Map<number, Mark>} mistakes by ply
 * @property {number|null} current the ply on show
 * @property {GameCard} game
 * @property {string} text the current ply in words
 */

/** The graph, in pixels; it is as wide as its frame. */
const SIZE = { width: 640, height: 150, left: 14, right: 14, top: 14 };

/**
 * The points of a graph, without plies that have no value yet. The first player is at the top.
 *
 * @param {({value: number}|undefined)[]} values
 * @param {number} plies
 * @param {number} point
 * @param {Size} [size]
 */
export function graphPoints(values, plies, point, size = SIZE) {
  const middle = size.height / 2;
  const reach = middle - size.top;
  /** @type {GraphPoint[]} */
  const points = [];
  for (let ply = 0; ply <= plies; ply += 1) {
    const found = values[ply];
    if (found !== undefined) {
      const y = middle - reach * balance(found.value, point);
      points.push({ ply, x: plyX(ply, plies, size), y });
    }
  }
  return points;
}

/**
 * The ply nearest to an x of the graph.
 *
 * @param {number} x
 * @param {number} plies
 * @param {Size} [size]
 */
export function plyAt(x, plies, size = SIZE) {
  const width = size.width - size.left - size.right;
  return Math.max(0, Math.min(plies, Math.round(((x - size.left) / width) * plies)));
}

/**
 * @param {number} ply
 * @param {number} plies
 * @param {Size} size
 */
function plyX(ply, plies, { width, left, right }) {
  const inner = width - left - right;
  return left + (plies === 0 ? inner / 2 : (ply * inner) / plies);
}

export class ValueGraph {
  #host;
  #svg;
  #onSelect;
  /** @type {GraphData|null} */
  #shown = null;
  /** @type {Size} */
  #size = SIZE;

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: (ply: number) => void}} listeners
   */
  constructor(host, { onSelect }) {
    this.#onSelect = onSelect;
    this.#svg = svgElement("svg", { "aria-hidden": "true" });
    this.#host = element(
      "div",
      { class: "graph", role: "slider", tabindex: 0, "aria-label": "Value over the game" },
      this.#svg,
    );
    this.#host.addEventListener("keydown", (event) => this.#keyPressed(event));
    this.#host.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    host.append(this.#host);
    new ResizeObserver(() => this.#draw()).observe(this.#host);
  }

  /** @param {GraphData} shown */
  show(shown) {
    this.#shown = shown;
    this.#draw();
    const { plies, current, text } = shown;
    this.#host.setAttribute("aria-valuemin", "0");
    this.#host.setAttribute("aria-valuemax", String(plies));
    this.#host.setAttribute("aria-valuenow", String(current ?? 0));
    this.#host.setAttribute("aria-valuetext", text);
  }

  #draw() {
    if (this.#shown === null || this.#host.clientWidth === 0) {
      return;
    }
    const { values, plies, mistakes, current, game } = this.#shown;
    const size = { ...SIZE, width: this.#host.clientWidth };
    this.#size = size;
    this.#svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    const points = graphPoints(values, plies, game.point, size);
    this.#svg.replaceChildren(
      ...axis(game, size),
      ...curve(points, size, game),
      ...(current === null ? [] : [cursor(plyX(current, plies, size), size)]),
      ...points.map(({ x, y }) => svgElement("circle", { cx: x, cy: y, r: 2.5, class: "dot" })),
      ...points.flatMap((point) => {
        const mistake = mistakes.get(point.ply);
        return mistake === undefined ? [] : [mistakeMark(point, mistake, size)];
      }),
    );
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (this.#shown === null) {
      return;
    }
    const { plies, current } = this.#shown;
    const ply = current ?? 0;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: ply - 1,
      ArrowDown: ply - 1,
      ArrowRight: ply + 1,
      ArrowUp: ply + 1,
      Home: 0,
      End: plies,
    };
    if (event.key in targets) {
      event.preventDefault();
      this.#onSelect(Math.max(0, Math.min(plies, targets[event.key])));
    }
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (this.#shown !== null) {
      const { left } = this.#svg.getBoundingClientRect();
      this.#onSelect(plyAt(event.clientX - left, this.#shown.plies, this.#size));
    }
  }
}

/**
 * @param {GameCard} game
 * @param {Size} size
 */
function axis({ players }, { width, height }) {
  const middle = height / 2;
  return [
    svgElement("line", { x1: 0, x2: width, y1: middle, y2: middle, class: "middle" }),
    // At the beginning, where a game is even as a rule and nothing covers them.
    svgText(6, 10, players[0], "side", "start"),
    svgText(6, height - 9, players[1], "side", "start"),
  ];
}

/**
 * The curve, and the areas between it and the middle in the colours of the players ahead.
 *
 * @param {GraphPoint[]} points
 * @param {Size} size
 * @param {GameCard} game
 */
function curve(points, { height, width }, { colours }) {
  const [first, last] = [points[0], points.at(-1)];
  if (last === undefined) {
    return [];
  }
  const middle = height / 2;
  const line = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const area = `M${first.x} ${middle}L${line}L${last.x} ${middle}Z`;
  const halves = colours.map((colour, side) => {
    // A nested svg shows only what is within its own height: one half of the graph.
    const top = side === 0 ? 0 : middle;
    const filled = svgElement("path", { d: area, class: "area" });
    filled.style.fill = colour;
    const box = { x: 0, y: top, width, height: middle };
    return svgElement("svg", { ...box, viewBox: `0 ${top} ${width} ${middle}` }, filled);
  });
  return [...halves, svgElement("path", { d: `M${line}`, class: "curve" })];
}

/**
 * @param {number} x
 * @param {Size} size
 */
function cursor(x, { height }) {
  return svgElement("line", { x1: x, x2: x, y1: 0, y2: height, class: "cursor" });
}

/**
 * A mistake is a triangle with an M, a blunder a square with a B.
 *
 * @param {GraphPoint} point
 * @param {Mark} mistake
 * @param {Size} size
 */
function mistakeMark({ x, y }, { kind }, { height }) {
  const isBlunder = kind === "blunder";
  const aside = y > height / 2 ? -16 : 16;
  const middle = Math.max(12, Math.min(height - 12, y + aside));
  return svgElement(
    "g",
    { class: `graph-mark ${kind}`, transform: `translate(${x.toFixed(1)} ${middle.toFixed(1)})` },
    svgElement("path", { d: isBlunder ? "M-9 -9H9V9H-9Z" : "M0 -11L11 8H-11Z" }),
    svgText(0, isBlunder ? 0.5 : 2, isBlunder ? "B" : "M", "letter"),
  );
}

/** A small chart of a value over the games of a match, with the band of its error. */

import { element } from "../shared/dom.js";
import { svgElement, svgText } from "../shared/svg.js";
import { signed } from "../shared/value-text.js";

/**
 * @typedef {{x: number, y: number, low?: number|null, high?: number|null}} ChartPoint
 *
 * @typedef {Object} ChartData
 * @property {ChartPoint[]} points in the order of x
 * @property {{y: number, text: string}[]} lines horizontal lines that are always in view
 * @property {number} most the largest distance from 0 that is drawn; beyond it the curve is cut off
 * @property {string} text the chart in words
 */

const HEIGHT = 170;
const MARGIN = { left: 44, right: 10, top: 10, bottom: 22 };
const STEPS = [1, 2, 5, 10];

export class LineChart {
  #svg = svgElement("svg", { role: "img", class: "line-chart" });
  /** @type {ChartData|null} */
  #data = null;

  /** @param {string} caption */
  constructor(caption) {
    this.element = element(
      "figure",
      { class: "chart" },
      element("figcaption", { text: caption }),
      this.#svg,
    );
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /** @param {ChartData} data */
  show(data) {
    this.#data = data;
    this.#draw();
  }

  #draw() {
    const width = this.element.clientWidth;
    if (this.#data === null || width === 0) {
      return;
    }
    const { points, lines, most, text } = this.#data;
    this.#svg.setAttribute("aria-label", text);
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    if (points.length === 0) {
      this.#svg.replaceChildren(svgText(width / 2, HEIGHT / 2, "no games yet", "tick"));
      return;
    }
    const { low, high } = rangeOf(points, lines.map(({ y }) => y), most);
    const last = points[points.length - 1].x;
    const first = Math.min(points[0].x, last - 1);
    /** @param {number} x */
    const across = (x) =>
      MARGIN.left + ((x - first) / (last - first)) * (width - MARGIN.left - MARGIN.right);
    /** @param {number} y */
    const down = (y) =>
      MARGIN.top +
      ((high - clamp(y, low, high)) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    this.#svg.replaceChildren(
      ...ticks(low, high).flatMap((y) => [
        svgElement("line", {
          x1: MARGIN.left,
          x2: width - MARGIN.right,
          y1: down(y),
          y2: down(y),
          class: y === 0 ? "zero" : "rule",
        }),
        svgText(MARGIN.left - 6, down(y), signed(y), "tick", "end"),
      ]),
      svgText(MARGIN.left, HEIGHT - 8, `game ${first.toLocaleString("en")}`, "tick", "start"),
      svgText(width - MARGIN.right, HEIGHT - 8, last.toLocaleString("en"), "tick", "end"),
      band(points, across, down, low, high),
      svgElement("path", {
        d: `M${points.map(({ x, y }) => pair(across(x), down(y))).join("L")}`,
        class: "curve",
      }),
      ...lines.flatMap(({ y, text: label }) => [
        svgElement("line", {
          x1: MARGIN.left,
          x2: width - MARGIN.right,
          y1: down(y),
          y2: down(y),
          class: "bound",
        }),
        svgText(width - MARGIN.right - 4, down(y) + (y > 0 ? 9 : -8), label, "tick", "end"),
      ]),
      svgElement("circle", {
        cx: across(last),
        cy: down(points[points.length - 1].y),
        r: 3.5,
        class: "now",
      }),
    );
  }
}

/**
 * What the chart shows: every value and line, and the latest error, if that is not far too large.
 *
 * @param {ChartPoint[]} points
 * @param {number[]} lines
 * @param {number} most
 */
export function rangeOf(points, lines, most) {
  const later = points.slice(-Math.ceil(points.length / 2));
  const values = [
    0,
    ...lines,
    ...later.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
  ].map((value) => clamp(value, -most, most));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0.08 * (high - low), 0.5);
  return { low: low - spare, high: high + spare };
}

/**
 * Round numbers between two values.
 *
 * @param {number} low
 * @param {number} high
 */
export function ticks(low, high) {
  const size = 10 ** Math.floor(Math.log10((high - low) / 4));
  const step = size * (STEPS.find((each) => (high - low) / (each * size) <= 5) ?? 10);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    found.push(Math.round(value / step) * step);
  }
  return found;
}

/**
 * @param {ChartPoint[]} points
 * @param {(x: number) => number} across
 * @param {(y: number) => number} down
 * @param {number} low
 * @param {number} high
 */
function band(points, across, down, low, high) {
  if (points.every((point) => point.low === undefined)) {
    return svgElement("path", { class: "band" });
  }
  const upper = points.map((point) => pair(across(point.x), down(point.high ?? high)));
  const lower = points.map((point) => pair(across(point.x), down(point.low ?? low))).reverse();
  return svgElement("path", { d: `M${[...upper, ...lower].join("L")}Z`, class: "band" });
}

/**
 * @param {number} x
 * @param {number} y
 */
function pair(x, y) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

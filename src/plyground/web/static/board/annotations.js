/**
 * Annotations over the drawing of a position: the last move, the chosen cell and where it can go,
 * arrows, badges. Each kind has a shape of its own, and a light rim that shows on dark ground.
 */

import { inkOn } from "../shared/side-colours.js";
import { svgElement } from "../shared/svg.js";

/**
 * @import { Cell, Point, Size } from "./position-svg.js"
 *
 * @typedef {{touches: string[], rank?: number, label?: string, colour?: string|null}} Arrow
 * @typedef {"win"|"draw"|"loss"} Tone
 * @typedef {{touches: string[], text: string, tone?: Tone, colour?: string|null}} Badge
 * @typedef {{name: string, occupied: boolean, small: boolean}} Target
 *
 * @typedef {Object} Annotated What is drawn. Cells that are not on the board are left out.
 * @property {string[]} last cells of the last move
 * @property {string[]} chosen
 * @property {boolean} implied whether the chosen cell was chosen by itself, as the only one
 * @property {Target[]} targets
 * @property {boolean} ends whether a move ends in the cell that was chosen last
 * @property {string|null} hovered the target that the pointer or a dragged piece is over
 * @property {string[]} hint
 * @property {Arrow[]} arrows
 * @property {Badge[]} badges
 *
 * @typedef {Object} Box A cell by its middle (x, y) and its lesser side.
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {number} x
 * @property {number} y
 * @property {number} unit
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Label by its middle
 */

/** The width of a letter as a part of its size, generously. */
const LETTER_WIDTH = 0.62;
/** Pixels: no text is smaller, however small the cells are. */
const SMALLEST_TEXT = 11;
/** Of arrows, by their rank, in units. */
const ARROW_WIDTHS = [0.17, 0.13, 0.1, 0.08, 0.065];
/** @type {(Tone|undefined)[]} best first */
const TONES = ["win", "draw", "loss"];

export class Annotations {
  #svg;
  /** @type {Map<string, Box>} */
  #boxes = new Map();
  #width = 1;
  #height = 1;
  /** How wide the drawing is on the screen; 0 while that is not known. */
  #pixels = 0;
  /** @type {Label[]} of the arrows, best first */
  #labels = [];

  /** @param {SVGSVGElement} svg the element to draw in */
  constructor(svg) {
    this.#svg = svg;
    svg.setAttribute("class", "board-annotations");
    svg.setAttribute("aria-hidden", "true");
    // To measure it at every drawing would have the browser lay out the page at once each time.
    new ResizeObserver(([{ contentRect }]) => this.#pixels = contentRect.width).observe(svg);
  }

  /**
   * Where the cells are, and how large the drawing is.
   *
   * @param {Cell[]} cells
   * @param {Size} size
   */
  place(cells, { width, height }) {
    this.#boxes = new Map(cells.map((cell) => [cell.name, boxOf(cell)]));
    this.#width = width;
    this.#height = height;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /**
   * Draw all annotations anew.
   *
   * @param {Annotated} annotated
   */
  draw({ last, chosen, implied, targets, ends, hovered, hint, arrows, badges }) {
    this.#labels = [];
    const drawn = [
      ...this.#known(last).map((box, at) => brackets(box, at === last.length - 1)),
      ...this.#known(chosen).map((box) => frame(box, implied)),
      ...this.#known(ends ? chosen.slice(-1) : []).map(corner),
      ...targets.map((target) => this.#target(target)),
      ...this.#known(hovered === null ? [] : [hovered]).map(halo),
      // The best line is drawn last, above the others.
      ...arrows.map((arrow, at) => this.#arrow(arrow, arrow.rank ?? at + 1, isTaken(arrows, at)))
        .reverse(),
      this.#hint(hint),
      this.#badges(badges),
    ];
    this.#svg.replaceChildren(...drawn.flat());
  }

  /**
   * @param {string[]} names
   * @returns {Box[]}
   */
  #known(names) {
    return names.flatMap((name) => this.#boxes.get(name) ?? []);
  }

  /**
   * The size of text that is a part of a cell, but never too small to read.
   *
   * @param {number} unit
   * @param {number} part
   */
  #textSize(unit, part) {
    const pixels = this.#pixels || this.#width;
    return Math.max(part * unit, (SMALLEST_TEXT * this.#width) / pixels);
  }

  /** @param {Target} target */
  #target({ name, occupied, small }) {
    return this.#known([name]).flatMap(({ x, y, unit }) =>
      occupied
        ? rimmed("circle", { cx: x, cy: y, r: 0.43 * unit }, "mark-capture", 0.06 * unit)
        : [spot(x, y, (small ? 0.07 : 0.14) * unit, small ? "mark-spot small" : "mark-spot")]
    );
  }

  /**
   * An arrow through all cells that a move touches; a move of one cell has a frame instead, which
   * looks like no piece.
   *
   * @param {Arrow} arrow
   * @param {number} rank
   * @param {boolean} isBeside whether its label stands in its middle, since its end has one
   * @returns {SVGElement[]}
   */
  #arrow({ touches, label, colour }, rank, isBeside) {
    const boxes = this.#known(touches);
    const to = boxes.at(-1);
    if (to === undefined) {
      return [];
    }
    const kind = rank === 1 ? " best" : "";
    const text = label ?? String(rank);
    const { unit } = to;
    const size = this.#textSize(unit, 0.2);
    const thickness = ARROW_WIDTHS[Math.min(rank, ARROW_WIDTHS.length) - 1] * unit;
    if (boxes.length === 1) {
      const square = rimmed("rect", inset(to, 0.12), `mark-candidate${kind}`, 0.45 * thickness);
      const place = this.#placeLabel(to, text, size);
      return [...square, pill(place.x, place.y, text, size, { kind: "mark-label", colour })];
    }
    const { right, down, length } = direction(boxes[boxes.length - 2], to);
    const beyond = isBeside
      ? -length / 2
      : 0.12 * unit + (Math.abs(right) * pillWidth(text, size)) / 2 + 0.5 * size;
    const tip = { x: to.x + right * beyond, y: to.y + down * beyond };
    const { x, y } = this.#placeLabel(tip, text, size);
    return [
      arrowThrough(boxes, thickness, `mark-arrow${kind}`),
      pill(x, y, text, size, { kind: "mark-label", colour }),
    ];
  }

  /**
   * A place for the label of an arrow, inside the drawing, where it covers no better one: the wanted
   * one, or the nearest above or below it.
   *
   * @param {Point} wanted
   * @param {string} text
   * @param {number} size
   */
  #placeLabel({ x, y }, text, size) {
    const [width, height] = [pillWidth(text, size), pillHeight(size)];
    const [highest, lowest] = [height / 2, this.#height - height / 2];
    const label = { x, y: Math.min(Math.max(y, highest), lowest), width, height };
    const places = [0, -1, 1, -2, 2].map((rows) => ({ ...label, y: label.y + rows * height }));
    const free = places.find((place) =>
      place.y >= highest && place.y <= lowest &&
      !this.#labels.some((other) => overlap(place, other))
    );
    this.#labels.push(free ?? label);
    return free ?? label;
  }

  /** @param {string[]} touches */
  #hint(touches) {
    const boxes = this.#known(touches);
    return boxes.flatMap((box, at) => {
      const square = rimmed("rect", inset(box, 0.09), "mark-hint", 0.07 * box.unit);
      const size = this.#textSize(box.unit, 0.2);
      const label = pill(box.x, box.y - 0.41 * box.unit, "hint", size, { kind: "mark-label" });
      return at === boxes.length - 1 ? [...square, label] : square;
    });
  }

  /**
   * Badges on the cells that moves lead to; several on one cell stand one below the other.
   *
   * @param {Badge[]} badges
   */
  #badges(badges) {
    /** @type {Map<Box, (Badge & {from: Box})[]>} */
    const stacks = new Map();
    for (const badge of badges) {
      const boxes = this.#known(badge.touches);
      const to = boxes.at(-1);
      if (to !== undefined) {
        stacks.set(to, [...(stacks.get(to) ?? []), { ...badge, from: boxes[0] }]);
      }
    }
    return [...stacks].flatMap(([to, stack]) => {
      const size = this.#textSize(to.unit, stack.length > 1 ? 0.2 : 0.25);
      return stack.map(({ text, tone, colour, from }, at) => {
        const { right } = direction(from, to);
        // A badge that is wider than its cell keeps clear of the cell that the move comes from.
        const aside = right * Math.max(0, (pillWidth(text, size) - 0.8 * to.width) / 2);
        const down = stack.length > 1 ? (at - (stack.length - 1) / 2) * 1.5 * size : 0.27 * to.unit;
        const kind = `mark-badge ${tone ?? ""}`;
        return pill(to.x + aside, to.y + down, text, size, { kind, colour });
      });
    });
  }
}

/**
 * Whether an arrow ends where a better one does.
 *
 * @param {Arrow[]} arrows best first
 * @param {number} at
 */
function isTaken(arrows, at) {
  const end = arrows[at].touches.at(-1);
  return arrows.slice(0, at).some(({ touches }) => touches.at(-1) === end);
}

/**
 * The badges to show while nothing is chosen: for each cell that moves begin in, the badge of the
 * best of them.
 *
 * @param {Badge[]} badges
 */
export function badgesOfSources(badges) {
  /** @type {Map<string, Badge>} */
  const best = new Map();
  for (const badge of badges) {
    const [source] = badge.touches;
    const other = best.get(source);
    if (other === undefined || TONES.indexOf(badge.tone) < TONES.indexOf(other.tone)) {
      best.set(source, { ...badge, touches: [source] });
    }
  }
  return [...best.values()];
}

/**
 * @param {Cell} cell
 * @returns {Box}
 */
function boxOf({ x, y, width, height }) {
  const middle = { x: x + width / 2, y: y + height / 2 };
  return { left: x, top: y, width, height, ...middle, unit: Math.min(width, height) };
}

/**
 * Corners of a cell: long ones where the last move ended, short ones where it came from.
 *
 * @param {Box} box
 * @param {boolean} isEnd
 */
function brackets({ left, top, width, height, unit }, isEnd) {
  const gap = 0.04 * unit;
  const long = (isEnd ? 0.2 : 0.12) * unit;
  const [near, far] = [left + gap, left + width - gap];
  const [high, low] = [top + gap, top + height - gap];
  const d = `M${near} ${high + long}V${high}h${long}M${far - long} ${high}H${far}v${long}` +
    `M${far} ${low - long}V${low}h${-long}M${near + long} ${low}H${near}v${-long}`;
  return rimmed("path", { d }, "mark-last", 0.045 * unit);
}

/**
 * @param {Box} box
 * @param {number} gap in units
 */
function inset({ left, top, width, height, unit }, gap) {
  const space = gap * unit;
  return {
    x: left + space,
    y: top + space,
    width: width - 2 * space,
    height: height - 2 * space,
    rx: 0.08 * unit,
  };
}

/**
 * @param {Box} box
 * @param {boolean} implied
 */
function frame(box, implied) {
  return rimmed("rect", inset(box, 0.04), "mark-chosen", (implied ? 0.04 : 0.07) * box.unit);
}

/**
 * In the corner of a cell, where no piece hides it: touching this cell again makes a move.
 *
 * @param {Box} box
 */
function corner({ left, top, width, height, unit }) {
  return spot(left + width - 0.14 * unit, top + height - 0.14 * unit, 0.1 * unit, "mark-spot");
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} kind
 */
function spot(x, y, r, kind) {
  return svgElement("circle", { cx: x, cy: y, r, class: kind, "stroke-width": 0.25 * r });
}

/** @param {Box} box */
function halo(box) {
  const look = { class: "mark-hovered", "stroke-width": 0.04 * box.unit };
  return svgElement("rect", { ...inset(box, 0.03), ...look });
}

/**
 * @param {Point} from
 * @param {Point} to
 */
function direction(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const scale = length === 0 ? 0 : 1 / length;
  return { length, right: (to.x - from.x) * scale, down: (to.y - from.y) * scale };
}

/**
 * An arrow through the middles of cells; it leaves the first one free.
 *
 * @param {Box[]} boxes two at least
 * @param {number} thickness
 * @param {string} kind
 */
function arrowThrough(boxes, thickness, kind) {
  const first = boxes[0];
  const before = boxes[boxes.length - 2];
  const last = boxes[boxes.length - 1];
  const start = alongFrom(first, boxes[1], 0.3 * first.unit);
  const { length } = direction(before, last);
  const end = length + 0.06 * last.unit;
  const neck = end - Math.min(1.9 * thickness, 0.6 * (end - 0.3 * before.unit));
  const shaft = [start, ...boxes.slice(1, -1), alongFrom(before, last, neck)];
  const wide = 1.3 * thickness;
  const head = [
    alongFrom(before, last, neck, wide),
    alongFrom(before, last, end),
    alongFrom(before, last, neck, -wide),
  ];
  const rim = 0.03 * first.unit;
  const line = `M${pathOf(shaft)}`;
  const triangle = `M${pathOf(head)}Z`;
  return svgElement(
    "g",
    { class: kind },
    svgElement("path", { class: "rim", d: line, "stroke-width": thickness + 2 * rim }),
    svgElement("path", { class: "rim", d: triangle, "stroke-width": 2 * rim }),
    svgElement("path", { class: "shaft", d: line, "stroke-width": thickness }),
    svgElement("path", { class: "head", d: triangle }),
  );
}

/**
 * The point so far along the way from one point to another, and so far aside of it.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} along
 * @param {number} [aside]
 * @returns {Point}
 */
function alongFrom(from, to, along, aside = 0) {
  const { right, down } = direction(from, to);
  return {
    x: from.x + along * right - aside * down,
    y: from.y + along * down + aside * right,
  };
}

/** @param {Point[]} points */
function pathOf(points) {
  return points.map(({ x, y }) => `${x} ${y}`).join("L");
}

/**
 * A line with a light rim.
 *
 * @param {"circle"|"path"|"rect"} tag
 * @param {Record<string, string|number>} attributes
 * @param {string} kind
 * @param {number} thickness
 * @returns {SVGElement[]}
 */
function rimmed(tag, attributes, kind, thickness) {
  const rim = { class: "mark-rim", "stroke-width": 2 * thickness };
  const line = { class: kind, "stroke-width": thickness };
  return [rim, line].map((look) => svgElement(tag, { ...attributes, ...look }));
}

/**
 * @param {string} text
 * @param {number} size
 */
function pillWidth(text, size) {
  return Math.max(1.5, LETTER_WIDTH * text.length + 0.9) * size;
}

/** @param {number} size of the text */
function pillHeight(size) {
  return 1.4 * size;
}

/**
 * @param {Label} one
 * @param {Label} other
 */
function overlap(one, other) {
  return Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    Math.abs(one.y - other.y) < 0.99 * (one.height + other.height) / 2;
}

/**
 * A short text on a rounded ground.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {number} size
 * @param {{kind: string, colour?: string|null}} look its class, and its ground if not the class's
 */
function pill(x, y, text, size, { kind, colour = null }) {
  const width = pillWidth(text, size);
  const height = pillHeight(size);
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 };
  const ground = svgElement("rect", { ...box, "stroke-width": 0.09 * size });
  const letters = svgElement("text", { x, y, "font-size": size }, text);
  if (colour !== null) {
    const ink = inkOn(colour);
    ground.style.fill = colour;
    ground.style.stroke = ink;
    letters.style.fill = ink;
  }
  return svgElement("g", { class: kind }, ground, letters);
}

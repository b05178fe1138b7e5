/**
 * Marks over the picture of a board: what was played last, what is chosen and where it can go,
 * arrows, badges. Each kind has a shape of its own, and a light rim that shows on dark ground.
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const LETTER = 0.6;
/** The width of a letter as a part of its size, generously. */
const READABLE = 11;
/** Pixels: no text is smaller, however small the cells are. */
const THICKNESS = [0.17, 0.13, 0.1, 0.08, 0.065];
/** Of arrows, by their rank. */
const TONES = ["win", "draw", "loss"];

export class Marks {
  #svg;
  #cells = new Map();
  #width = 1;

  /** @param {SVGSVGElement} svg what the marks are drawn in */
  constructor(svg) {
    this.#svg = svg;
    svg.setAttribute("class", "board-marks");
    svg.setAttribute("aria-hidden", "true");
  }

  /** Where the cells are that marks are about, and how large the picture is. */
  place(cells, { width, height }) {
    this.#cells = new Map(cells.map((cell) => [cell.name, measured(cell)]));
    this.#width = width;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /**
   * Draw all marks anew. Names of cells that are not on the board are passed over.
   *
   * @param {Object} marks
   * @param {string[]} marks.last
   * @param {string[]} marks.chosen
   * @param {boolean} marks.given whether what is chosen was chosen by nobody
   * @param {{name: string, taken: boolean, small: boolean}[]} marks.targets
   * @param {boolean} marks.ends whether a move ends in the cell that was chosen last
   * @param {string|null} marks.under the target that a drag or the pointer is over
   * @param {string[]} marks.hint
   * @param {{touches: string[], rank?: number, label?: string}[]} marks.arrows
   * @param {{touches: string[], text: string, tone?: string}[]} marks.badges
   */
  draw({ last, chosen, given, targets, ends, under, hint, arrows, badges }) {
    const drawn = [
      ...this.#known(last).map((cell, at) => brackets(cell, at === last.length - 1)),
      ...this.#known(chosen).map((cell) => frame(cell, given)),
      ...this.#known(ends ? chosen.slice(-1) : []).map(corner),
      ...targets.map((target) => this.#target(target)),
      ...this.#known(under === null ? [] : [under]).map(halo),
      // The best line is drawn last, above the others.
      ...arrows.map((arrow, at) => this.#arrow(arrow, arrow.rank ?? at + 1)).reverse(),
      this.#hint(hint),
      this.#badges(badges),
    ];
    this.#svg.replaceChildren(...drawn.flat());
  }

  #known(names) {
    return names.filter((name) => this.#cells.has(name)).map((name) => this.#cells.get(name));
  }

  /** The size of letters that would be so large a part of a cell. */
  #letters(unit, part) {
    const pixels = this.#svg.getBoundingClientRect().width || this.#width;
    return Math.max(part * unit, (READABLE * this.#width) / pixels);
  }

  #target({ name, taken, small }) {
    const { x, y, unit } = this.#cells.get(name);
    if (taken) {
      return double("circle", { cx: x, cy: y, r: 0.43 * unit }, "mark-capture", 0.06 * unit);
    }
    return [spot(x, y, (small ? 0.07 : 0.14) * unit, small ? "mark-spot small" : "mark-spot")];
  }

  #arrow({ touches, label }, rank) {
    const cells = this.#known(touches);
    if (cells.length === 0) {
      return [];
    }
    const kind = rank === 1 ? " best" : "";
    const text = label ?? String(rank);
    const { unit } = cells[0];
    const size = this.#letters(unit, 0.2);
    const thickness = THICKNESS[Math.min(rank, THICKNESS.length) - 1] * unit;
    const [from, to] = [cells[0], cells.at(-1)];
    if (cells.length === 1) {
      const circle = { cx: to.x, cy: to.y, r: 0.36 * unit };
      const ring = double("circle", circle, `mark-ring${kind}`, 0.7 * thickness);
      return [...ring, pill(to.x, to.y - 0.36 * unit, text, size, "mark-label")];
    }
    const { right, down } = direction(from, to);
    const beyond = 0.12 * unit + (Math.abs(right) * pillWidth(text, size)) / 2 + 0.5 * size;
    const look = { class: `mark-arrow${kind}`, "stroke-width": 0.03 * unit };
    return [
      make("path", { ...look, d: shaft(from, to, thickness) }),
      pill(to.x + right * beyond, to.y + down * beyond, text, size, "mark-label"),
    ];
  }

  #hint(touches) {
    const cells = this.#known(touches);
    return cells.flatMap(({ x, y, unit }, at) => {
      const ring = double("circle", { cx: x, cy: y, r: 0.42 * unit }, "mark-hint", 0.07 * unit);
      const size = this.#letters(unit, 0.2);
      const sign = pill(x, y - 0.42 * unit, "hint", size, "mark-label");
      return at === cells.length - 1 ? [...ring, sign] : ring;
    });
  }

  /** Badges on the cells that moves lead to; several on one cell stand one below the other. */
  #badges(badges) {
    const stacks = new Map();
    for (const badge of badges) {
      const cells = this.#known(badge.touches);
      if (cells.length > 0) {
        const to = cells.at(-1);
        stacks.set(to, [...(stacks.get(to) ?? []), { ...badge, from: cells[0] }]);
      }
    }
    return [...stacks].flatMap(([to, stack]) => {
      const size = this.#letters(to.unit, stack.length > 1 ? 0.2 : 0.25);
      return stack.map(({ text, tone, from }, at) => {
        const { right } = direction(from, to);
        // A badge that is wider than its cell keeps clear of the cell that the move comes from.
        const aside = right * Math.max(0, (pillWidth(text, size) - 0.8 * to.width) / 2);
        const down = stack.length > 1 ? (at - (stack.length - 1) / 2) * 1.5 * size : 0.27 * to.unit;
        return pill(to.x + aside, to.y + down, text, size, `mark-badge ${tone ?? ""}`);
      });
    });
  }
}

/**
 * The badges to show while nothing is chosen: one for each cell that a move begins in, the best of
 * its moves, since many may lead to one cell.
 */
export function badgesOfSources(badges) {
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

/** A cell by its middle and its lesser side. */
function measured(cell) {
  const { x, y, width, height } = cell;
  const middle = { x: x + width / 2, y: y + height / 2 };
  return { left: x, top: y, width, height, ...middle, unit: Math.min(width, height) };
}

/** Corners of a cell: long ones where the last move ended, short ones where it came from. */
function brackets({ left, top, width, height, unit }, isEnd) {
  const gap = 0.04 * unit;
  const long = (isEnd ? 0.2 : 0.12) * unit;
  const [near, far] = [left + gap, left + width - gap];
  const [high, low] = [top + gap, top + height - gap];
  const d =
    `M${near} ${high + long}V${high}h${long}M${far - long} ${high}H${far}v${long}` +
    `M${far} ${low - long}V${low}h${-long}M${near + long} ${low}H${near}v${-long}`;
  return double("path", { d }, "mark-last", 0.045 * unit);
}

function frame({ left, top, width, height, unit }, given) {
  const gap = 0.04 * unit;
  const box = { x: left + gap, y: top + gap, width: width - 2 * gap, height: height - 2 * gap };
  const thickness = (given ? 0.04 : 0.07) * unit;
  return double("rect", { ...box, rx: 0.08 * unit }, "mark-chosen", thickness);
}

/** In the corner of a cell where nothing hides it: touching this cell again makes a move. */
function corner({ left, top, width, height, unit }) {
  return spot(left + width - 0.14 * unit, top + height - 0.14 * unit, 0.1 * unit, "mark-spot");
}

function spot(x, y, r, kind) {
  return make("circle", { cx: x, cy: y, r, class: kind, "stroke-width": 0.25 * r });
}

function halo({ left, top, width, height, unit }) {
  const gap = 0.03 * unit;
  const box = { x: left + gap, y: top + gap, width: width - 2 * gap, height: height - 2 * gap };
  const look = { class: "mark-under", "stroke-width": 0.04 * unit };
  return [make("rect", { ...box, rx: 0.08 * unit, ...look })];
}

function direction(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const scale = length === 0 ? 0 : 1 / length;
  return { length, right: (to.x - from.x) * scale, down: (to.y - from.y) * scale };
}

/** The outline of an arrow from one middle to another, which leaves the first one free. */
function shaft(from, to, thickness) {
  const { length, right, down } = direction(from, to);
  const at = (along, aside) =>
    `${from.x + along * right - aside * down} ${from.y + along * down + aside * right}`;
  const [start, end] = [0.3 * from.unit, length + 0.06 * to.unit];
  const neck = end - Math.min(1.9 * thickness, 0.6 * (end - start));
  const [half, wide] = [thickness / 2, 1.3 * thickness];
  const corners = [
    at(start, half),
    at(neck, half),
    at(neck, wide),
    at(end, 0),
    at(neck, -wide),
    at(neck, -half),
    at(start, -half),
  ];
  return `M${corners.join("L")}Z`;
}

/** A line with a light rim. */
function double(tag, attributes, kind, thickness) {
  const rim = { class: "mark-rim", "stroke-width": 2 * thickness };
  const line = { class: kind, "stroke-width": thickness };
  return [rim, line].map((look) => make(tag, { ...attributes, ...look }));
}

function pillWidth(text, size) {
  return Math.max(1.5, LETTER * text.length + 0.7) * size;
}

function pill(x, y, text, size, kind) {
  const width = pillWidth(text, size);
  const height = 1.4 * size;
  const group = make("g", { class: kind });
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 };
  const words = make("text", { x, y, "font-size": size });
  words.textContent = text;
  group.append(make("rect", { ...box, "stroke-width": 0.09 * size }), words);
  return group;
}

function make(tag, attributes) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

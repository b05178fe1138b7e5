/**
 * Marks over the picture of a board: what was played last, what is chosen and where it can go,
 * arrows, badges. Each kind has a shape of its own, and a light rim that shows on dark ground.
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const LETTER = 0.62;
/** The width of a letter as a part of its size, generously. */
const WIDEST_RANK = 5;

export class Marks {
  #svg;
  #cells = new Map();

  /** @param {SVGSVGElement} svg what the marks are drawn in */
  constructor(svg) {
    this.#svg = svg;
    svg.setAttribute("class", "board-marks");
    svg.setAttribute("aria-hidden", "true");
  }

  /** Where the cells are that marks are about, and how large the picture is. */
  place(cells, { width, height }) {
    this.#cells = new Map(cells.map((cell) => [cell.name, measured(cell)]));
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /**
   * Draw all marks anew. Names of cells that are not on the board are passed over.
   *
   * @param {Object} marks
   * @param {string[]} marks.last
   * @param {string[]} marks.chosen
   * @param {{name: string, taken: boolean, small: boolean}[]} marks.targets
   * @param {string|null} marks.under the target that a drag or the pointer is over
   * @param {string[]} marks.hint
   * @param {{touches: string[], rank?: number, label?: string}[]} marks.arrows
   * @param {{touches: string[], text: string, tone?: string}[]} marks.badges
   */
  draw({ last, chosen, targets, under, hint, arrows, badges }) {
    const drawn = [
      ...this.#known(last).map((cell, at) => brackets(cell, at === last.length - 1)),
      ...this.#known(chosen).map(frame),
      ...targets.flatMap((target) => this.#target(target)),
      ...this.#known(under === null ? [] : [under]).map(halo),
      // The best line is drawn last, above the others.
      ...arrows.map((arrow, at) => this.#arrow(arrow, arrow.rank ?? at + 1)).reverse(),
      ...(hint.length > 0 ? [this.#hint(hint)] : []),
      ...this.#badges(badges),
    ];
    this.#svg.replaceChildren(...drawn.flat());
  }

  #known(names) {
    return names.filter((name) => this.#cells.has(name)).map((name) => this.#cells.get(name));
  }

  #target({ name, taken, small }) {
    return this.#known([name]).map((cell) => {
      const { x, y, unit } = cell;
      if (taken) {
        return double("circle", { cx: x, cy: y, r: 0.43 * unit }, "mark-capture", 0.07 * unit);
      }
      const r = (small ? 0.07 : 0.14) * unit;
      const look = { class: small ? "mark-spot small" : "mark-spot", "stroke-width": 0.035 * unit };
      return [make("circle", { cx: x, cy: y, r, ...look })];
    });
  }

  #arrow({ touches, label }, rank) {
    const cells = this.#known(touches);
    if (cells.length === 0) {
      return [];
    }
    const kind = `mark-arrow rank-${Math.min(rank, WIDEST_RANK)}`;
    const text = label ?? String(rank);
    const { unit } = cells[0];
    const thickness = Math.max(0.05, 0.14 - 0.025 * (rank - 1)) * unit;
    if (cells.length === 1) {
      const [{ x, y }] = cells;
      const ring = double("circle", { cx: x, cy: y, r: 0.36 * unit }, kind, thickness);
      return [...ring, ...pill(x, y - 0.36 * unit, text, 0.2 * unit, "mark-label")];
    }
    const [from, to] = [cells[0], cells.at(-1)];
    const middle = { x: from.x + 0.45 * (to.x - from.x), y: from.y + 0.45 * (to.y - from.y) };
    return [
      ...double("path", { d: shaft(from, to, thickness) }, kind, thickness),
      ...pill(middle.x, middle.y, text, 0.2 * unit, "mark-label"),
    ];
  }

  #hint(touches) {
    const cells = this.#known(touches);
    return cells.flatMap((cell, at) => {
      const { x, y, unit } = cell;
      const ring = double("circle", { cx: x, cy: y, r: 0.42 * unit }, "mark-hint", 0.08 * unit);
      const sign = at === cells.length - 1 ? pill(x, y - 0.42 * unit, "hint", 0.2 * unit, "mark-label") : [];
      return [...ring, ...sign];
    });
  }

  /** Badges of several moves to one cell stand apart, each towards where its move comes from. */
  #badges(badges) {
    const crowds = new Map();
    for (const badge of badges) {
      const cells = this.#known(badge.touches);
      if (cells.length > 0) {
        const target = cells.at(-1);
        crowds.set(target, [...(crowds.get(target) ?? []), { ...badge, from: cells[0] }]);
      }
    }
    return [...crowds].flatMap(([target, crowd]) =>
      crowd.flatMap((badge, at) => {
        const { x, y } = target;
        const { unit } = target;
        const alone = crowd.length === 1;
        const size = (alone ? 0.26 : 0.2) * unit;
        const across = alone ? 0 : Math.sign(badge.from.x - x) * 0.3 * unit;
        const apart = crowd.some((other) => other !== badge && other.from.x === badge.from.x);
        const down = apart ? (at - (crowd.length - 1) / 2) * 0.3 * unit : 0.28 * unit;
        return pill(x + across, y + down, badge.text, size, `mark-badge ${badge.tone ?? ""}`);
      }),
    );
  }
}

/** A cell by its middle and its lesser side. */
function measured(cell) {
  return {
    ...cell,
    left: cell.x,
    top: cell.y,
    x: cell.x + cell.width / 2,
    y: cell.y + cell.height / 2,
    unit: Math.min(cell.width, cell.height),
  };
}

/** Corners of a cell: thick ones where the last move ended, thin ones where it came from. */
function brackets({ left, top, width, height, unit }, isEnd) {
  const gap = 0.06 * unit;
  const long = (isEnd ? 0.26 : 0.18) * unit;
  const [right, bottom] = [left + width - gap, top + height - gap];
  const d =
    `M${left + gap} ${top + gap + long}v${-long}h${long}M${right - long} ${top + gap}h${long}v${long}` +
    `M${right} ${bottom - long}v${long}h${-long}M${left + gap + long} ${bottom}h${-long}v${-long}`;
  return double("path", { d }, "mark-last", (isEnd ? 0.07 : 0.05) * unit);
}

function frame({ left, top, width, height, unit }) {
  const gap = 0.04 * unit;
  const box = { x: left + gap, y: top + gap, width: width - 2 * gap, height: height - 2 * gap };
  return double("rect", { ...box, rx: 0.08 * unit }, "mark-chosen", 0.08 * unit);
}

function halo({ left, top, width, height, unit }) {
  const look = { class: "mark-under", "stroke-width": 0.06 * unit };
  return [make("rect", { x: left, y: top, width, height, rx: 0.08 * unit, ...look })];
}

/** An arrow from one middle to another that leaves both somewhat free. */
function shaft(from, to, thickness) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (along, aside) =>
    `${from.x + along * right - aside * down} ${from.y + along * down + aside * right}`;
  const [start, end] = [0.24 * from.unit, length - 0.12 * to.unit];
  const head = Math.min(2.2 * thickness + 0.08 * to.unit, 0.6 * (end - start));
  return `M${at(start, 0)}L${at(end, 0)}M${at(end - head, head)}L${at(end, 0)}L${at(end - head, -head)}`;
}

/** A line with a light rim. */
function double(tag, attributes, kind, thickness) {
  const rim = { class: "mark-rim", "stroke-width": 1.8 * thickness };
  const line = { class: kind, "stroke-width": thickness };
  return [rim, line].map((look) => make(tag, { ...attributes, ...look }));
}

function pill(x, y, text, size, kind) {
  const width = Math.max(1.5, LETTER * text.length + 0.7) * size;
  const height = 1.45 * size;
  const group = make("g", { class: kind });
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 };
  const words = make("text", { x, y, "font-size": size });
  words.textContent = text;
  group.append(make("rect", { ...box, "stroke-width": 0.08 * size }), words);
  return [group];
}

function make(tag, attributes) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

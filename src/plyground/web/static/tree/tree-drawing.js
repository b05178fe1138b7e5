/**
 * The tree as a drawing that scrolls. Only what is in view is in the document, so a tree of
 * thousands of nodes costs no more than one of a hundred.
 *
 * MAX nodes point up, MIN nodes down, leaves are boxes; a dashed box stands for the moves of a
 * cut. Screen readers skip the drawing: `tree-outline.js` has the same tree as text.
 */

import { eventElement, prefersReducedMotion } from "../shared/dom.js";
import { svgElement } from "../shared/svg.js";
import { drawItem } from "./node-drawing.js";

/**
 * @import { Scale } from "../shared/value-text.js"
 * @import { Question } from "./quiz.js"
 * @import { SearchState, SearchTree } from "./search-tree.js"
 * @import { LayoutItem, TreeLayout } from "./tree-layout.js"
 *
 * @typedef {"down"|"right"} Direction "down": the root is at the top, "right": at the left
 * @typedef {{x: number, y: number}} Point
 * @typedef {{left: number, top: number, right: number, bottom: number}} Viewport
 *
 * @typedef {Object} ShownTree A tree as the page shows it.
 * @property {SearchTree} tree
 * @property {SearchState} state
 * @property {Set<number>} open the nodes that are unfolded
 * @property {TreeLayout} layout
 * @property {Scale} game
 * @property {number} selected
 * @property {number|null} asked the node that the quiz asks about
 * @property {Question["kind"]|null} askedKind
 * @property {Set<number>} bestLine once the search is finished
 */

/** The size of a slot and of a ply in pixels; the margin holds labels at the edges. */
const SPACING = {
  down: { slot: 92, ply: 132 },
  right: { slot: 58, ply: 176 },
};
const MARGIN = { x: 64, y: 44 };
const ZOOMS = [0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.5];
/** Pixels around the viewport that are drawn too. */
const OVERSCAN = 140;
const NARROW = 560;
/** Pixels of the button that unfolds a node, "1,234 hidden". */
const FOLD_WIDTH = 90;

export class TreeDrawing {
  #host;
  #svg;
  #content;
  #onSelect;
  #onToggle;
  /** @type {ShownTree|null} */
  #shown = null;
  /** @type {Direction} */
  #direction = "down";
  #zoom = 1;
  #isDrawScheduled = false;

  /**
   * @param {HTMLElement} host an element that scrolls
   * @param {{onSelect: (node: number) => void, onToggle: (node: number) => void}} listeners
   */
  constructor(host, { onSelect, onToggle }) {
    this.#host = host;
    this.#onSelect = onSelect;
    this.#onToggle = onToggle;
    this.#content = svgElement("g");
    this.#svg = svgElement("svg", { class: "tree-drawing", "aria-hidden": "true" }, this.#content);
    host.replaceChildren(this.#svg);
    this.#zoom = this.isNarrow ? 0.7 : 1;
    host.addEventListener("scroll", () => this.#scheduleDraw(), { passive: true });
    new ResizeObserver(() => this.#scheduleDraw()).observe(host);
    this.#svg.addEventListener("click", (event) => this.#clicked(event));
    this.#svg.addEventListener("dblclick", (event) => this.#doubleClicked(event));
    host.addEventListener("pointerdown", (event) => this.#startPanning(event));
  }

  /** @param {ShownTree} shown */
  show(shown) {
    this.#shown = shown;
    this.#resize(shown);
    this.#draw(shown);
  }

  /** Whether the frame is too narrow for a tree that is wide at its leaves. */
  get isNarrow() {
    return this.#host.clientWidth < NARROW;
  }

  get direction() {
    return this.#direction;
  }

  set direction(direction) {
    this.#direction = direction;
    if (this.#shown) {
      this.show(this.#shown);
    }
  }

  /**
   * Zoom in (1) or out (-1), around the middle of what is in view.
   *
   * @param {number} steps
   */
  zoomBy(steps) {
    const at = ZOOMS.findIndex((zoom) => zoom >= this.#zoom - 0.01);
    this.#zoomTo(ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, at + steps))]);
  }

  /** Zoom so that the whole tree is in view, within reason. */
  fit() {
    if (this.#shown !== null) {
      const { width, height } = this.#size(this.#shown);
      const { clientWidth, clientHeight } = this.#host;
      const zoom = Math.min(clientWidth / width, clientHeight / height);
      this.#zoomTo(Math.max(ZOOMS[0], Math.min(1, zoom)));
    }
  }

  /**
   * Scroll so that a node is in view, with some space around it.
   *
   * @param {number} id
   * @param {boolean} smooth
   */
  reveal(id, smooth) {
    const item = this.#shown?.layout.placed.get(id);
    if (!item) {
      return;
    }
    const { x, y } = this.#point(item);
    const host = this.#host;
    const left = scrollTarget(x * this.#zoom, host.scrollLeft, host.clientWidth);
    const top = scrollTarget(y * this.#zoom, host.scrollTop, host.clientHeight);
    if (left !== null || top !== null) {
      host.scrollTo({
        left: left ?? host.scrollLeft,
        top: top ?? host.scrollTop,
        behavior: smooth && !prefersReducedMotion() ? "smooth" : "instant",
      });
    }
  }

  /** @param {number} zoom */
  #zoomTo(zoom) {
    if (this.#shown === null) {
      return;
    }
    const host = this.#host;
    const x = (host.scrollLeft + host.clientWidth / 2) / this.#zoom;
    const y = (host.scrollTop + host.clientHeight / 2) / this.#zoom;
    this.#zoom = zoom;
    this.#resize(this.#shown);
    host.scrollTo(x * zoom - host.clientWidth / 2, y * zoom - host.clientHeight / 2);
    this.#draw(this.#shown);
  }

  /** @param {ShownTree} shown */
  #size({ layout }) {
    const { slot, ply } = SPACING[this.#direction];
    const across = (layout.width - 1) * slot;
    const deep = (layout.depth - 1) * ply;
    const [x, y] = this.#direction === "down" ? [across, deep] : [deep, across];
    // To the right of a folded node is the button that unfolds it.
    const fold = this.#direction === "right" ? FOLD_WIDTH : 0;
    return { width: x + 2 * MARGIN.x + fold, height: y + 2 * MARGIN.y + 24 };
  }

  /** @param {ShownTree} shown */
  #resize(shown) {
    const { width, height } = this.#size(shown);
    // A small tree is in the middle of its frame.
    const spare = Math.max(0, this.#host.clientWidth - width * this.#zoom) / 2;
    this.#svg.setAttribute("width", String(width * this.#zoom));
    this.#svg.setAttribute("height", String(height * this.#zoom));
    this.#svg.style.marginLeft = `${spare}px`;
    this.#content.setAttribute("transform", `scale(${this.#zoom})`);
  }

  /**
   * @param {LayoutItem} item
   * @returns {Point}
   */
  #point({ across, deep }) {
    const { slot, ply } = SPACING[this.#direction];
    return this.#direction === "down"
      ? { x: MARGIN.x + across * slot, y: MARGIN.y + deep * ply }
      : { x: MARGIN.x + deep * ply, y: MARGIN.y + across * slot };
  }

  #scheduleDraw() {
    if (!this.#isDrawScheduled && this.#shown) {
      this.#isDrawScheduled = true;
      requestAnimationFrame(() => {
        this.#isDrawScheduled = false;
        if (this.#shown) {
          this.#draw(this.#shown);
        }
      });
    }
  }

  /** @param {ShownTree} shown */
  #draw(shown) {
    const viewport = this.#viewport();
    const { tree, layout, bestLine } = shown;
    const edges = [];
    const items = [];
    for (const item of layout.items) {
      const point = this.#point(item);
      const parent = item.isCut ? item.id : tree.nodes[item.id].parent;
      const above = parent === null ? undefined : layout.placed.get(parent);
      const from = above === undefined ? null : this.#point(above);
      if (item.hidden || !isInView(viewport, point, from)) {
        continue;
      }
      if (from !== null) {
        const kind = item.isCut ? "cut" : bestLine.has(item.id) ? "best" : "";
        edges.push(this.#edge(from, point, kind));
      }
      if (isInView(viewport, point, null)) {
        items.push(drawItem(shown, item, point, this.#direction));
      }
    }
    this.#content.replaceChildren(...edges, ...items);
  }

  /** @returns {Viewport} */
  #viewport() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#host;
    return {
      left: scrollLeft / this.#zoom - OVERSCAN,
      top: scrollTop / this.#zoom - OVERSCAN,
      right: (scrollLeft + clientWidth) / this.#zoom + OVERSCAN,
      bottom: (scrollTop + clientHeight) / this.#zoom + OVERSCAN,
    };
  }

  /**
   * @param {Point} from
   * @param {Point} to
   * @param {""|"best"|"cut"} kind
   */
  #edge(from, to, kind) {
    const line = this.#direction === "down"
      ? curve(from.x, from.y + 53, to.x, to.y - (kind === "cut" ? 14 : 37), "down")
      : curve(from.x + 51, from.y, to.x - (kind === "cut" ? 40 : 33), to.y, "right");
    return svgElement("path", { d: line, class: `edge ${kind}`.trim() });
  }

  /** @param {Event} event */
  #clicked(event) {
    const fold = eventElement(event, "[data-fold]");
    const node = eventElement(event, "[data-node]");
    if (fold) {
      this.#onToggle(Number(fold.dataset.fold));
    } else if (node) {
      this.#onSelect(Number(node.dataset.node));
    }
  }

  /** @param {Event} event */
  #doubleClicked(event) {
    const node = eventElement(event, "[data-node]");
    if (node && !eventElement(event, "[data-fold]")) {
      this.#onToggle(Number(node.dataset.node));
    }
  }

  /**
   * Scroll by dragging the background with a mouse; fingers scroll it anyway.
   *
   * @param {PointerEvent} down
   */
  #startPanning(down) {
    const host = this.#host;
    if (down.pointerType !== "mouse" || down.button !== 0 || eventElement(down, "[data-node]")) {
      return;
    }
    const start = { x: host.scrollLeft + down.clientX, y: host.scrollTop + down.clientY };
    /** @param {PointerEvent} event */
    const move = (event) => host.scrollTo(start.x - event.clientX, start.y - event.clientY);
    const end = () => {
      host.classList.remove("panning");
      removeEventListener("pointermove", move);
    };
    host.classList.add("panning");
    addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
    addEventListener("pointercancel", end, { once: true });
  }
}

/**
 * Where to scroll so that `at` is in the middle of the frame; null if it is well in view already.
 *
 * @param {number} at
 * @param {number} scroll
 * @param {number} size
 */
function scrollTarget(at, scroll, size) {
  const inset = Math.min(120, size / 4);
  return at > scroll + inset && at < scroll + size - inset ? null : Math.max(0, at - size / 2);
}

/**
 * @param {Viewport} viewport
 * @param {Point} point
 * @param {Point|null} from the other end of an edge
 */
function isInView(viewport, point, from) {
  const other = from ?? point;
  return (
    Math.max(point.x, other.x) >= viewport.left &&
    Math.min(point.x, other.x) <= viewport.right &&
    Math.max(point.y, other.y) >= viewport.top &&
    Math.min(point.y, other.y) <= viewport.bottom
  );
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {Direction} direction
 */
function curve(x1, y1, x2, y2, direction) {
  return direction === "down"
    ? `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`
    : `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
}

/**
 * The tree as a drawing that scrolls: only what is within view is in the document, so a tree of
 * thousands of nodes costs no more than one of a hundred.
 *
 * MAX nodes point up, MIN nodes down, leaves are boxes; a dashed box stands for the moves that a
 * cut left out. The drawing is for the eyes: the same tree as text is in `treeoutline.js`.
 */

import { shape } from "../shared/svg.js";
import { nodeMark } from "./node-drawing.js";

/** Room for a slot and a ply in pixels, by direction; the margin holds labels at the edges. */
const ROOM = {
  down: { slot: 92, ply: 132 },
  right: { slot: 58, ply: 176 },
};
const MARGIN = { x: 64, y: 44 };
const ZOOMS = [0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.5];

export class TreeDrawing {
  #host;
  #svg;
  #content;
  #onSelect;
  #onToggle;
  #shown = null;
  #direction = "down";
  #zoom = 1;
  #waiting = false;

  /**
   * @param {HTMLElement} host an element that scrolls
   * @param {{onSelect: function(number): void, onToggle: function(number): void}} listeners
   */
  constructor(host, { onSelect, onToggle }) {
    this.#host = host;
    this.#onSelect = onSelect;
    this.#onToggle = onToggle;
    this.#content = shape("g");
    this.#svg = shape("svg", { class: "tree-drawing", "aria-hidden": "true" }, this.#content);
    host.replaceChildren(this.#svg);
    this.#zoom = this.isNarrow ? 0.7 : 1;
    host.addEventListener("scroll", () => this.#drawSoon(), { passive: true });
    new ResizeObserver(() => this.#drawSoon()).observe(host);
    this.#svg.addEventListener("click", (event) => this.#click(event));
    this.#svg.addEventListener("dblclick", (event) => this.#doubleClick(event));
    this.#pan();
  }

  /** Draw `shown`: {tree, state, layout, open, selected, asked, game}. */
  show(shown) {
    this.#shown = shown;
    this.#resize();
    this.#draw();
  }

  /** Whether the frame is too narrow for a tree that grows sideways with its moves. */
  get isNarrow() {
    return this.#host.clientWidth < 560;
  }

  get direction() {
    return this.#direction;
  }

  /** "down": the root at the top; "right": the root at the left. */
  set direction(direction) {
    this.#direction = direction;
    if (this.#shown) {
      this.show(this.#shown);
    }
  }

  /** One step nearer (1) or farther (-1), around the middle of what is in view. */
  zoomBy(steps) {
    const at = ZOOMS.findIndex((zoom) => zoom >= this.#zoom - 0.01);
    this.#zoomTo(ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, at + steps))]);
  }

  /** As near as the whole tree allows, within reason. */
  fit() {
    const { width, height } = this.#size();
    const room = Math.min(this.#host.clientWidth / width, this.#host.clientHeight / height);
    this.#zoomTo(Math.max(ZOOMS[0], Math.min(1, room)));
  }

  /** Scroll so that a node is in view, with some room around it. */
  reveal(id, smooth) {
    const item = this.#shown?.layout.placed.get(id);
    if (!item) {
      return;
    }
    const { x, y } = this.#place(item);
    const host = this.#host;
    const left = target(x * this.#zoom, host.scrollLeft, host.clientWidth);
    const top = target(y * this.#zoom, host.scrollTop, host.clientHeight);
    if (left !== null || top !== null) {
      const still = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
      host.scrollTo({
        left: left ?? host.scrollLeft,
        top: top ?? host.scrollTop,
        behavior: still ? "instant" : "smooth",
      });
    }
  }

  #zoomTo(zoom) {
    const host = this.#host;
    const x = (host.scrollLeft + host.clientWidth / 2) / this.#zoom;
    const y = (host.scrollTop + host.clientHeight / 2) / this.#zoom;
    this.#zoom = zoom;
    this.#resize();
    host.scrollTo(x * zoom - host.clientWidth / 2, y * zoom - host.clientHeight / 2);
    this.#draw();
  }

  #size() {
    const { layout } = this.#shown;
    const room = ROOM[this.#direction];
    const across = (layout.width - 1) * room.slot;
    const deep = (layout.depth - 1) * room.ply;
    const [x, y] = this.#direction === "down" ? [across, deep] : [deep, across];
    // To the right of a folded node stands what it hides.
    const fold = this.#direction === "right" ? 24 : 0;
    return { width: x + 2 * MARGIN.x + fold, height: y + 2 * MARGIN.y + 24 };
  }

  #resize() {
    const { width, height } = this.#size();
    // A small tree stands in the middle of its frame.
    const spare = Math.max(0, this.#host.clientWidth - width * this.#zoom) / 2;
    this.#svg.setAttribute("width", width * this.#zoom);
    this.#svg.setAttribute("height", height * this.#zoom);
    this.#svg.style.marginLeft = `${spare}px`;
    this.#content.setAttribute("transform", `scale(${this.#zoom})`);
  }

  #place({ across, deep }) {
    const room = ROOM[this.#direction];
    return this.#direction === "down"
      ? { x: MARGIN.x + across * room.slot, y: MARGIN.y + deep * room.ply }
      : { x: MARGIN.x + deep * room.ply, y: MARGIN.y + across * room.slot };
  }

  #drawSoon() {
    if (!this.#waiting && this.#shown) {
      this.#waiting = true;
      requestAnimationFrame(() => {
        this.#waiting = false;
        this.#draw();
      });
    }
  }

  #draw() {
    const view = this.#view();
    const { tree, layout } = this.#shown;
    const best = new Set(tree.line);
    const edges = [];
    const marks = [];
    for (const item of layout.items) {
      const place = this.#place(item);
      const above = item.isCut ? item.id : tree.nodes[item.id].parent;
      const from = above === null ? null : this.#place(layout.placed.get(above));
      if (item.hidden || !isInView(view, place, from)) {
        continue;
      }
      if (from !== null) {
        const isBest = !item.isCut && best.has(item.id) && this.#isOver();
        edges.push(this.#edge(from, place, item.isCut ? "cut" : isBest ? "best" : ""));
      }
      if (isInView(view, place, null)) {
        marks.push(nodeMark(this.#shown, item, place, this.#direction));
      }
    }
    this.#content.replaceChildren(...edges, ...marks);
  }

  #isOver() {
    return this.#shown.state.count === this.#shown.tree.last;
  }

  #view() {
    const host = this.#host;
    const slack = 140;
    return {
      left: host.scrollLeft / this.#zoom - slack,
      top: host.scrollTop / this.#zoom - slack,
      right: (host.scrollLeft + host.clientWidth) / this.#zoom + slack,
      bottom: (host.scrollTop + host.clientHeight) / this.#zoom + slack,
    };
  }

  #edge(from, to, kind) {
    const line = this.#direction === "down"
      ? curve(from.x, from.y + 53, to.x, to.y - (kind === "cut" ? 14 : 37), "down")
      : curve(from.x + 51, from.y, to.x - (kind === "cut" ? 40 : 33), to.y, "right");
    return shape("path", { d: line, class: `edge ${kind}`.trim() });
  }

  #click(event) {
    const fold = event.target.closest("[data-fold]");
    const node = event.target.closest("[data-node]");
    if (fold) {
      this.#onToggle(Number(fold.dataset.fold));
    } else if (node) {
      this.#onSelect(Number(node.dataset.node));
    }
  }

  #doubleClick(event) {
    const node = event.target.closest("[data-node]");
    if (node && !event.target.closest("[data-fold]")) {
      this.#onToggle(Number(node.dataset.node));
    }
  }

  /** Drag the paper, with a mouse; fingers scroll it anyway. */
  #pan() {
    const host = this.#host;
    host.addEventListener("pointerdown", (down) => {
      if (down.pointerType !== "mouse" || down.button !== 0 || down.target.closest("[data-node]")) {
        return;
      }
      const start = { x: host.scrollLeft + down.clientX, y: host.scrollTop + down.clientY };
      const move = (event) => host.scrollTo(start.x - event.clientX, start.y - event.clientY);
      const end = () => {
        host.classList.remove("panning");
        removeEventListener("pointermove", move);
      };
      host.classList.add("panning");
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
  }
}

/** Where to scroll so that `at` is within the middle of the frame; null if it is already. */
function target(at, scroll, size) {
  const inset = Math.min(120, size / 4);
  return at > scroll + inset && at < scroll + size - inset ? null : Math.max(0, at - size / 2);
}

function isInView(view, place, from) {
  const other = from ?? place;
  return (
    Math.max(place.x, other.x) >= view.left &&
    Math.min(place.x, other.x) <= view.right &&
    Math.max(place.y, other.y) >= view.top &&
    Math.min(place.y, other.y) <= view.bottom
  );
}

function curve(x1, y1, x2, y2, direction) {
  return direction === "down"
    ? `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`
    : `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
}

/** The searches made from one position, beside each other: what each of them had to look at. */

import { element } from "../shared/dom.js";
import { counted, shortValue } from "../shared/value-text.js";

/** Searches that are kept; each can be shown again. */
const KEPT = 12;

export class Runs {
  #host;
  #onShow;
  #runs = [];

  /**
   * @param {HTMLElement} host
   * @param {{onShow: function(object): void}} listeners called with a tree to show again
   */
  constructor(host, { onShow }) {
    this.#host = host;
    this.#onShow = onShow;
    this.#draw(null);
  }

  /** Begin anew: another position. */
  clear() {
    this.#runs = [];
    this.#draw(null);
  }

  /** Keep a tree, in place of one with the same settings, and mark it as the one on show. */
  add(tree, game) {
    const key = runKey(tree);
    this.#runs = this.#runs.filter((run) => run.key !== key);
    this.#runs = [...this.#runs, { key, tree, game }].slice(-KEPT);
    this.#runs.sort((one, other) =>
      one.tree.depth - other.tree.depth || other.tree.visited - one.tree.visited,
    );
    this.#draw(key);
  }

  #draw(shown) {
    if (this.#runs.length === 0) {
      this.#host.replaceChildren(element("p", {
        class: "soft", text: "Every search from this position is listed here.",
      }));
      return;
    }
    const head = ["Search", "Depth", "Visited", "Cut", "Of minimax", "Value", ""];
    const table = element(
      "table",
      { class: "runs numbers" },
      element("caption", { class: "unseen", text: "Searches from this position" }),
      element("thead", {}, element("tr", {}, ...head.map((text) =>
        text === "" ? element("td") : element("th", { scope: "col", text }),
      ))),
      element("tbody", {}, ...this.#runs.map((run) => this.#row(run, run.key === shown))),
    );
    const scroller = element(
      "div",
      { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table of searches" },
      table,
    );
    const lesson = element("p", { class: "soft", text: this.#lesson(shown) });
    this.#host.replaceChildren(scroller, lesson);
  }

  #row({ key, tree, game }, isShown) {
    const name = runName(tree);
    const show = element("button", {
      type: "button", class: "button small", text: isShown ? "On show" : "Show",
      "aria-label": isShown ? `${name}, depth ${tree.depth}: on show`
        : `Show ${name}, depth ${tree.depth}`,
      "aria-pressed": String(isShown),
    });
    show.addEventListener("click", () => {
      this.#onShow(tree);
      this.#draw(key);
    });
    const cells = [
      tree.depth, tree.visited.toLocaleString("en"), tree.cut.toLocaleString("en"), part(tree),
      tree.value === null ? "not finished" : shortValue(tree.value, game.point),
    ];
    return element(
      "tr",
      { class: isShown ? "shown" : null },
      element("th", { scope: "row", text: name }),
      ...cells.map((text) => element("td", { text: String(text) })),
      element("td", {}, show),
    );
  }

  /** What the runs of the depth on show teach, in a sentence. */
  #lesson(shown) {
    const depth = this.#runs.find(({ key }) => key === shown)?.tree.depth;
    const runs = this.#runs.filter(({ tree }) => tree.depth === depth && tree.value !== null);
    if (runs.length < 2) {
      return "Search with other settings, or press Compare all, to see what they save.";
    }
    const [most, least] = [runs[0].tree, runs.at(-1).tree];
    const same = runs.every(({ tree }) => tree.value === most.value);
    const saved = most.visited === least.visited ? "" :
      ` ${runName(least)} needed ${counted(least.visited, "node")}, ` +
      `${runName(most).toLowerCase()} ${most.visited.toLocaleString("en")}.`;
    return `${same ? "All find the same value." : "Their values differ."}${saved}`;
  }
}

/** The settings of a tree, as one text. */
function runKey({ algorithm, depth, ordering, table, budget }) {
  return [algorithm, depth, ordering, table, budget].join(" ");
}

/** A search's name: its algorithm, and what helps it. */
export function runName({ algorithm, ordering, table }) {
  const helps = [ordering ? "ordering" : null, table ? "table" : null].filter(Boolean);
  const name = algorithm === "minimax" ? "Minimax" : "Alpha-beta";
  return helps.length > 0 ? `${name} with ${helps.join(" and ")}` : name;
}

/** Visited nodes as a part of minimax's; of an unfinished search that would mean nothing. */
function part({ visited, minimax_visited: minimax, truncated }) {
  if (truncated !== null) {
    return "stopped";
  }
  if (minimax === null) {
    return "unknown";
  }
  const percent = (100 * visited) / minimax;
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/** The settings that "compare all" tries, in order. */
export function allSettings(depth, budget) {
  const kinds = [
    ["minimax", false, false],
    ["alpha-beta", false, false],
    ["alpha-beta", false, true],
    ["alpha-beta", true, false],
    ["alpha-beta", true, true],
  ];
  return kinds.map(([algorithm, ordering, table]) => ({
    algorithm, ordering, table, depth, budget,
  }));
}

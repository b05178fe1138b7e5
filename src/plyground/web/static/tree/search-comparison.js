/** A table of the searches from one position: what each of them had to visit. */

import { button } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { counted } from "../shared/text.js";
import { shortValue } from "../shared/value-text.js";

/**
 * @import { TreeReply, TreeSettings } from "../shared/protocol.d.ts"
 * @import { Scale } from "../shared/value-text.js"
 *
 * @typedef {TreeSettings & Pick<
 *   TreeReply, "visited"|"cut"|"minimax_visited"|"truncated"|"value"
 * >} Search
 */

/** Searches that are kept; each can be shown again. */
const KEPT = 12;
const HEADS = ["Search", "Depth", "Visited", "Cut", "Of minimax", "Value"];

/** @template {Search} Tree */
export class SearchComparison {
  #host;
  #onShow;
  /** @type {{key: string, tree: Tree, game: Scale}[]} */
  #runs = [];

  /**
   * @param {HTMLElement} host
   * @param {{onShow: (tree: Tree) => void}} listeners called with a tree to show again
   */
  constructor(host, { onShow }) {
    this.#host = host;
    this.#onShow = onShow;
    this.#draw("");
  }

  /** Remove all searches: another position is on show. */
  clear() {
    this.#runs = [];
    this.#draw("");
  }

  /**
   * Add a tree, in place of one with the same settings, and mark it as the one on show.
   *
   * @param {Tree} tree
   * @param {Scale} game
   */
  add(tree, game) {
    const key = settingsKey(tree);
    const others = this.#runs.filter((run) => run.key !== key);
    this.#runs = [...others, { key, tree, game }].slice(-KEPT);
    this.#runs.sort((one, other) =>
      one.tree.depth - other.tree.depth || other.tree.visited - one.tree.visited
    );
    this.#draw(key);
  }

  /** @param {string} shown the key of the search on show */
  #draw(shown) {
    if (this.#runs.length === 0) {
      const text = "Every search from this position is listed here.";
      this.#host.replaceChildren(element("p", { class: "soft", text }));
      return;
    }
    const table = element(
      "table",
      { class: "runs numbers" },
      element("caption", { class: "visually-hidden", text: "Searches from this position" }),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...HEADS.map((text) => element("th", { scope: "col", text })),
          element("td"),
        ),
      ),
      element("tbody", {}, ...this.#runs.map((run) => this.#row(run, run.key === shown))),
    );
    this.#host.replaceChildren(
      element(
        "div",
        { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table of searches" },
        table,
      ),
      element("p", { class: "soft", text: this.#summary(shown) }),
    );
  }

  /**
   * @param {{key: string, tree: Tree, game: Scale}} run
   * @param {boolean} isShown
   */
  #row({ key, tree, game }, isShown) {
    const name = searchName(tree);
    const show = () => {
      this.#onShow(tree);
      this.#draw(key);
    };
    const cells = [
      String(tree.depth),
      tree.visited.toLocaleString("en"),
      tree.cut.toLocaleString("en"),
      minimaxShare(tree),
      tree.value === null ? "not finished" : shortValue(tree.value, game.point),
    ];
    return element(
      "tr",
      { class: isShown ? "shown" : null },
      element("th", { scope: "row", text: name }),
      ...cells.map((text) => element("td", { text })),
      element(
        "td",
        {},
        button(isShown ? "On show" : "Show", show, {
          class: "button small",
          "aria-label": isShown
            ? `${name}, depth ${tree.depth}: on show`
            : `Show ${name}, depth ${tree.depth}`,
          "aria-pressed": String(isShown),
        }),
      ),
    );
  }

  /**
   * What the searches of the depth on show differ in, in a sentence.
   *
   * @param {string} shown
   */
  #summary(shown) {
    const depth = this.#runs.find(({ key }) => key === shown)?.tree.depth;
    const trees = this.#runs
      .map(({ tree }) => tree)
      .filter((tree) => tree.depth === depth && tree.value !== null);
    const [most, least] = [trees[0], trees.at(-1)];
    if (trees.length < 2 || least === undefined) {
      return "Search with other settings, or press Compare all, to see what they save.";
    }
    const areSame = trees.every((tree) => tree.value === most.value);
    const saved = most.visited === least.visited
      ? ""
      : ` ${searchName(least)} needed ${counted(least.visited, "node")}, ` +
        `${searchName(most).toLowerCase()} ${most.visited.toLocaleString("en")}.`;
    return `${areSame ? "All find the same value." : "Their values differ."}${saved}`;
  }
}

/** @param {TreeSettings} settings */
function settingsKey({ algorithm, depth, ordering, table, budget }) {
  return [algorithm, depth, ordering, table, budget].join(" ");
}

/**
 * A search's name: its algorithm and its options.
 *
 * @param {TreeSettings} settings
 */
export function searchName({ algorithm, ordering, table }) {
  const options = [...(ordering ? ["ordering"] : []), ...(table ? ["table"] : [])];
  const name = algorithm === "minimax" ? "Minimax" : "Alpha-beta";
  return options.length > 0 ? `${name} with ${options.join(" and ")}` : name;
}

/**
 * Visited nodes in per cent of minimax's; not for a search that was stopped.
 *
 * @param {Search} search
 */
function minimaxShare({ visited, minimax_visited: minimax, truncated }) {
  if (truncated !== null) {
    return "stopped";
  }
  if (minimax === null) {
    return "unknown";
  }
  const percent = (100 * visited) / minimax;
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/**
 * The settings that "Compare all" searches with, in order.
 *
 * @param {number} depth
 * @param {number} budget
 * @returns {TreeSettings[]}
 */
export function comparedSettings(depth, budget) {
  const common = { depth, budget };
  return [
    { ...common, algorithm: "minimax", ordering: false, table: false },
    { ...common, algorithm: "alpha-beta", ordering: false, table: false },
    { ...common, algorithm: "alpha-beta", ordering: false, table: true },
    { ...common, algorithm: "alpha-beta", ordering: true, table: false },
    { ...common, algorithm: "alpha-beta", ordering: true, table: true },
  ];
}

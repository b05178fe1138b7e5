/** The selected node of a tree: a small board, the player who chooses, and what became of it. */

import { fetchView } from "../shared/api.js";
import { button } from "../shared/controls.js";
import { element, parseSvg } from "../shared/dom.js";
import { movesTo } from "./search-tree.js";
import { moverText, nodeNarration, nodeTitle } from "./step-narration.js";

/**
 * @import { Place, View } from "../shared/protocol.d.ts"
 * @import { Scale } from "../shared/value-text.js"
 * @import { SearchState, SearchTree } from "./search-tree.js"
 */

/** Milliseconds until a position is requested, so that stepping quickly requests few. */
const REQUEST_DELAY = 120;

export class NodePanel {
  #board;
  #title;
  #path;
  #narration;
  #follow;
  #up;
  #search;
  /** @type {Map<number, View>} by node of this tree */
  #views = new Map();
  /** @type {number|null} */
  #shown = null;
  /** @type {number|undefined} */
  #timer;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {() => void} listeners.onFollow go to the best child
   * @param {() => void} listeners.onUp go to the parent
   * @param {(node: number) => void} listeners.onSearch search from this node
   */
  constructor(host, { onFollow, onUp, onSearch }) {
    this.#board = element("div", { class: "node-board" });
    this.#title = element("h3", { text: "None yet" });
    this.#path = element("p", { class: "soft node-path" });
    this.#narration = element("ol", { class: "narration" });
    this.#follow = smallButton("Follow the best line", "Go down to the best reply (B)", onFollow);
    this.#up = smallButton("To its parent", "Go up to the parent (U)", onUp);
    this.#search = smallButton(
      "Search from here",
      "Try these moves in the game, and search there",
      () => this.#shown !== null && onSearch(this.#shown),
    );
    host.replaceChildren(
      element(
        "div",
        { class: "node-head" },
        this.#board,
        element("div", { class: "stack tight" }, this.#title, this.#path),
      ),
      this.#narration,
      element("div", { class: "bar" }, this.#follow, this.#up, this.#search),
    );
  }

  /** Another tree is on show: forget the views of its positions. */
  reset() {
    this.#views = new Map();
    this.#shown = null;
  }

  /**
   * Show a node as far as the state has come; a node that a quiz asks about is not described.
   *
   * @param {number} id
   * @param {Object} shown
   * @param {SearchTree & {place: Place}} shown.tree
   * @param {SearchState} shown.state
   * @param {Scale} shown.game
   * @param {number|null} shown.asked
   */
  show(id, { tree, state, game, asked }) {
    this.#title.textContent = `${nodeTitle(tree, id)}: ${moverText(tree, id, game)}`;
    const moves = movesTo(tree, id);
    this.#path.textContent = moves.length > 0
      ? `root → ${moves.join(" → ")}`
      : "where the search begins";
    const sentences = asked === id
      ? ["The quiz asks about this node: answer first."]
      : nodeNarration(tree, state, id, game);
    this.#narration.replaceChildren(...sentences.map((text) => element("li", { text })));
    this.#up.disabled = id === 0;
    this.#follow.disabled = tree.children[id].length === 0;
    this.#search.disabled = id === 0;
    if (this.#shown !== id) {
      this.#shown = id;
      this.#showPosition(id, { ...tree.place, moves: [...(tree.place.moves ?? []), ...moves] });
    }
  }

  /**
   * @param {number} id
   * @param {Place} place
   */
  #showPosition(id, place) {
    clearTimeout(this.#timer);
    const views = this.#views;
    const known = views.get(id);
    if (known !== undefined) {
      this.#draw(known);
      return;
    }
    this.#timer = setTimeout(async () => {
      try {
        const view = await fetchView(place);
        views.set(id, view);
        if (this.#shown === id && this.#views === views) {
          this.#draw(view);
        }
      } catch {
        // The node is described in words; its position is left out.
        this.#board.replaceChildren();
      }
    }, REQUEST_DELAY);
  }

  /** @param {View} view */
  #draw(view) {
    const drawn = parseSvg(view.svg);
    drawn.setAttribute("aria-label", view.picture);
    for (const cell of view.last) {
      drawn.querySelector(`[data-cell="${CSS.escape(cell)}"]`)?.classList.add("last");
    }
    this.#board.replaceChildren(drawn);
  }
}

/**
 * @param {string} text
 * @param {string} title
 * @param {() => void} action
 */
function smallButton(text, title, action) {
  return button(text, action, { class: "button small", title, disabled: true });
}

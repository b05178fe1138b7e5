/** The selected node of a tree: a small board, who chooses, and the node's story in words. */

import { post } from "../shared/api.js";
import { element, picture } from "../shared/dom.js";
import { movesTo } from "./search-tree.js";
import { chooser, nodeName, nodeStory } from "./step-narration.js";

/** Positions are asked for after a moment's rest, so that stepping quickly asks for few. */
const REST = 120;

export class NodePanel {
  #board;
  #title;
  #path;
  #story;
  #actions;
  #known = new Map();
  #wanted = null;
  #timer = null;
  #tree = null;
  #place = null;

  /**
   * @param {HTMLElement} host
   * @param {{onFollow: function(): void, onUp: function(): void,
   *   onSearch: function(number): void}} listeners
   */
  constructor(host, { onFollow, onUp, onSearch }) {
    this.#board = element("div", { class: "node-board" });
    this.#title = element("h3", { text: "None yet" });
    this.#path = element("p", { class: "soft node-path" });
    this.#story = element("ol", { class: "story" });
    const button = (text, title, action) =>
      element("button", {
        type: "button", class: "button small", text, title, on: { click: action },
      });
    this.#actions = {
      follow: button("Follow the best line", "Go down to the best reply (B)", onFollow),
      up: button("To its parent", "Go up to the parent (U)", onUp),
      search: button("Search from here", "Try these moves at the table, and search there", () =>
        onSearch(this.#wanted),
      ),
    };
    host.replaceChildren(
      element(
        "div",
        { class: "node-head" },
        this.#board,
        element("div", { class: "stack tight" }, this.#title, this.#path),
      ),
      this.#story,
      element("div", { class: "bar" }, ...Object.values(this.#actions)),
    );
    for (const action of Object.values(this.#actions)) {
      action.disabled = true;
    }
  }

  /** Another tree: what was known of positions is forgotten. */
  load(tree, place) {
    this.#tree = tree;
    this.#place = place;
    this.#known.clear();
    this.#wanted = null;
  }

  /** Show a node as far as the state has come; a node that a quiz asks about keeps its secret. */
  show(id, state, game, asked) {
    const tree = this.#tree;
    const name = nodeName(tree, id);
    const title = name === "the root" ? "The root" : name;
    this.#title.textContent = `${title}: ${chooser(tree, id, game)}`;
    const moves = movesTo(tree, id);
    this.#path.textContent =
      moves.length > 0 ? `root → ${moves.join(" → ")}` : "where the search begins";
    const story = asked === id
      ? ["The quiz asks about this node: answer first."]
      : nodeStory(tree, state, id, game);
    this.#story.replaceChildren(...story.map((text) => element("li", { text })));
    this.#actions.up.disabled = id === 0;
    this.#actions.follow.disabled = !tree.children[id].length;
    this.#actions.search.disabled = id === 0;
    if (this.#wanted !== id) {
      this.#wanted = id;
      this.#want(id, moves);
    }
  }

  #want(id, moves) {
    clearTimeout(this.#timer);
    if (this.#known.has(id)) {
      this.#draw(this.#known.get(id));
      return;
    }
    const known = this.#known;
    const place = { ...this.#place, moves: [...this.#place.moves, ...moves] };
    this.#timer = setTimeout(async () => {
      try {
        const view = await post("/api/positions", place);
        known.set(id, view);
        if (this.#wanted === id && this.#known === known) {
          this.#draw(view);
        }
      } catch {
        // The story does without its picture; the server's own complaint would be about the tree.
        this.#board.replaceChildren();
      }
    }, REST);
  }

  #draw(view) {
    const drawn = picture(view.svg);
    drawn.setAttribute("aria-label", view.picture);
    this.#board.replaceChildren(drawn);
    markLast(drawn, view.last);
  }
}

/** Cells of the last move get a mark of their own class. */
function markLast(drawn, cells) {
  for (const cell of cells) {
    drawn.querySelector(`[data-cell="${CSS.escape(cell)}"]`)?.classList.add("last");
  }
}

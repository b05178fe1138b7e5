/**
 * The moves of a session: the main line in numbered rows, variations in indented blocks below the
 * move that they are an alternative to. Every move is a button; the whole list is one tab stop.
 */

import { element, eventElement, scrollIntoHost } from "../shared/dom.js";

/**
 * @import { Mark, Result, Table, NodeModel } from "../shared/protocol.d.ts"
 *
 * @typedef {Pick<Table, "nodes"|"main"|"current"|"result">} Moves
 * @typedef {Mark & {node: number}} NodeMistake
 */

const MISTAKE_SYMBOLS = { mistake: "?", blunder: "??" };

export class MoveList {
  #host;
  #onSelect;
  /** @type {Map<number, Mark>} by node */
  #mistakes = new Map();
  /** @type {Moves|null} */
  #moves = null;
  #drawn = "";

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: (node: number) => void}} listeners
   */
  constructor(host, { onSelect }) {
    this.#host = host;
    this.#onSelect = onSelect;
    host.classList.add("move-list");
    host.addEventListener("click", (event) => {
      const move = eventElement(event, "[data-node]");
      if (move) {
        this.#onSelect(Number(move.dataset.node));
      }
    });
    host.addEventListener("keydown", (event) => this.#keyPressed(event));
  }

  /**
   * Show a session's moves; the current node is marked and scrolled to.
   *
   * @param {Moves} moves
   */
  show(moves) {
    this.#moves = moves;
    const hadFocus = this.#host.contains(document.activeElement);
    const drawn = JSON.stringify([moves.nodes, moves.main, moves.result]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#host.replaceChildren(...new MoveBlocks(moves, this.#mistakes).build());
    }
    for (const move of this.#host.querySelectorAll('[tabindex="0"], [aria-current]')) {
      move.setAttribute("tabindex", "-1");
      move.removeAttribute("aria-current");
    }
    const buttons = this.#buttons();
    const current = buttons.find(({ dataset }) => Number(dataset.node) === moves.current);
    const tabStop = current ?? buttons[0];
    tabStop?.setAttribute("tabindex", "0");
    current?.setAttribute("aria-current", "true");
    if (current) {
      scrollIntoHost(this.#host, current);
    }
    if (hadFocus) {
      tabStop?.focus({ preventScroll: true });
    }
  }

  /**
   * Mark mistakes, instead of those before.
   *
   * @param {NodeMistake[]} mistakes
   */
  setMistakes(mistakes) {
    this.#mistakes = new Map(mistakes.map((mistake) => [mistake.node, mistake]));
    if (this.#moves !== null) {
      this.#drawn = "";
      this.show(this.#moves);
    }
  }

  /** @returns {HTMLElement[]} */
  #buttons() {
    return [...this.#host.querySelectorAll("button[data-node]")].map((found) => {
      return /** @type {HTMLElement} */ (found);
    });
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    const moves = this.#buttons();
    const at = moves.findIndex((move) => move === document.activeElement);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: moves.length - 1,
    };
    if (at < 0 || !(event.key in targets)) {
      return;
    }
    event.preventDefault();
    const target = moves[Math.max(0, Math.min(moves.length - 1, targets[event.key]))];
    target.focus();
    this.#onSelect(Number(target.dataset.node));
  }
}

/** Builds the elements of a list of moves. */
class MoveBlocks {
  #nodes;
  /** @type {Map<number, NodeModel[]>} by parent */
  #children = new Map();
  #main;
  #mistakes;
  #result;

  /**
   * @param {Moves} moves
   * @param {Map<number, Mark>} mistakes
   */
  constructor({ nodes, main, result }, mistakes) {
    this.#mistakes = mistakes;
    this.#main = main;
    this.#result = result;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) {
      if (node.parent !== null) {
        this.#children.set(node.parent, [...this.#childrenOf(node.parent), node]);
      }
    }
  }

  build() {
    const [start, ...main] = this.#main.map((id) => this.#node(id));
    /** @type {HTMLElement[]} */
    const blocks = [this.#button(start, "Start", "move start")];
    let number = 0;
    let isFull = true;
    let row = null;
    for (const node of main) {
      const isSecond = this.#mover(node) === 1;
      if (isFull || !isSecond) {
        number += 1;
        row = null;
      }
      if (row === null) {
        row = makeRow(number, isSecond);
        blocks.push(row);
      }
      row.append(this.#cell(node));
      isFull = isSecond;
      const others = this.#childrenOf(node.parent).filter((other) => other !== node);
      if (others.length > 0) {
        const first = number;
        blocks.push(...others.map((other) => this.#variation(other, first)));
        row = null;
      }
    }
    for (const node of this.#childrenOf(this.#main.at(-1) ?? null)) {
      const isNext = isFull || this.#mover(node) === 0;
      blocks.push(this.#variation(node, isNext ? number + 1 : number));
    }
    if (this.#result !== null) {
      blocks.push(element("p", { class: "move-result", text: resultText(this.#result) }));
    }
    return blocks;
  }

  /**
   * @param {NodeModel} first
   * @param {number} number of its move
   * @returns {HTMLElement}
   */
  #variation(first, number) {
    const block = element("div", { class: "variation" });
    /** @type {NodeModel|undefined} */
    let node = first;
    let count = number;
    let isNumbered = false;
    while (node !== undefined) {
      const isSecond = this.#mover(node) === 1;
      if (!isSecond || !isNumbered) {
        const dots = isSecond ? "…" : ".";
        block.append(element("span", { class: "number", text: `${count}${dots}` }));
      }
      isNumbered = true;
      block.append(this.#cell(node));
      const siblings = node === first ? [] : this.#childrenOf(node.parent).slice(1);
      for (const sibling of siblings) {
        block.append(this.#variation(sibling, count));
        isNumbered = false;
      }
      count += isSecond ? 1 : 0;
      node = this.#childrenOf(node.id)[0];
    }
    return block;
  }

  /** @param {NodeModel} node */
  #cell(node) {
    const mistake = this.#mistakes.get(node.id);
    const button = this.#button(node, node.move ?? "", "move");
    if (mistake) {
      const { kind, words } = mistake;
      button.append(
        element("span", { class: `mark ${kind}`, title: words, text: MISTAKE_SYMBOLS[kind] }),
        element("span", { class: "visually-hidden", text: ` ${kind}: ${words}` }),
      );
    }
    if (node.value_text) {
      button.append(" ", element("span", { class: "value", text: node.value_text }));
    }
    if (!node.comment) {
      return button;
    }
    const comment = element("span", { class: "comment", text: node.comment });
    return element("span", { class: "commented" }, button, comment);
  }

  /**
   * @param {NodeModel} node
   * @param {string} text
   * @param {string} kind
   */
  #button(node, text, kind) {
    const details = [
      ...(node.depth ? [`depth ${node.depth}`] : []),
      ...(node.seconds ? [`${node.seconds.toFixed(1)} s`] : []),
    ];
    return element(
      "button",
      {
        type: "button",
        class: kind,
        tabindex: -1,
        title: details.length > 0 ? details.join(", ") : null,
        dataset: { node: node.id },
      },
      element("span", { text }),
    );
  }

  /** @param {number} id */
  #node(id) {
    const node = this.#nodes.get(id);
    if (node === undefined) {
      throw new Error(`the session has no node ${id}`);
    }
    return node;
  }

  /** @param {number|null} id */
  #childrenOf(id) {
    return (id === null ? null : this.#children.get(id)) ?? [];
  }

  /**
   * The side that made the move to a node.
   *
   * @param {NodeModel} node
   */
  #mover(node) {
    return node.parent === null ? null : this.#node(node.parent).turn;
  }
}

/**
 * A numbered row for a move of each player.
 *
 * @param {number} number
 * @param {boolean} isSecond whether it begins with the second player's move
 */
function makeRow(number, isSecond) {
  return element(
    "div",
    { class: "move-row" },
    element("span", { class: "number", text: `${number}.` }),
    isSecond && element("span", { class: "gap", text: "…" }),
  );
}

/**
 * A result in a line: the score and why.
 *
 * @param {Result} result
 */
export function resultText(result) {
  return result.reason ? `${result.score}  ${result.reason}` : result.score;
}

/**
 * The moves of a table: the game's line in numbered rows, variations in indented blocks below the
 * move that they are an alternative to. Every move is a button; the whole list is one tab stop.
 */

import { element } from "../shared/dom.js";

const SIGNS = { mistake: "?", blunder: "??" };

export class MoveList {
  #host;
  #onSelect;
  #marks = new Map();
  #table = null;
  #drawn = "";

  /**
   * @param {HTMLElement} host
   * @param {{onSelect: function(number): void}} options called with the id of a node
   */
  constructor(host, { onSelect }) {
    this.#host = host;
    this.#onSelect = onSelect;
    host.classList.add("move-list");
    host.addEventListener("click", (event) => {
      const move = event.target.closest("[data-node]");
      if (move) {
        this.#onSelect(Number(move.dataset.node));
      }
    });
    host.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Show a table's moves; the node on show is marked and scrolled to. */
  show(table) {
    this.#table = table;
    const focused = this.#host.contains(document.activeElement);
    const drawn = JSON.stringify([table.nodes, table.main, table.result]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#host.replaceChildren(...new Drawing(table, this.#marks).blocks());
    }
    for (const move of this.#host.querySelectorAll('[tabindex="0"], [aria-current]')) {
      move.setAttribute("tabindex", "-1");
      move.removeAttribute("aria-current");
    }
    const current = this.#host.querySelector(`[data-node="${table.current}"]`);
    const stop = current ?? this.#host.querySelector("[data-node]");
    stop?.setAttribute("tabindex", "0");
    current?.setAttribute("aria-current", "true");
    if (current) {
      scrollWithin(this.#host, current);
    }
    if (focused) {
      stop?.focus({ preventScroll: true });
    }
  }

  /** Mark mistakes, instead of those before: [{node, kind: "mistake"|"blunder", words}]. */
  setMarks(marks) {
    this.#marks = new Map(marks.map((mark) => [mark.node, mark]));
    if (this.#table !== null) {
      this.#drawn = "";
      this.show(this.#table);
    }
  }

  focus() {
    this.#host.querySelector('[tabindex="0"]')?.focus();
  }

  #walk(event) {
    const moves = [...this.#host.querySelectorAll("[data-node]")];
    const at = moves.indexOf(document.activeElement);
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
    const to = moves[Math.max(0, Math.min(moves.length - 1, targets[event.key]))];
    to.focus();
    this.#onSelect(Number(to.dataset.node));
  }
}

/** One drawing of one table. */
class Drawing {
  #nodes;
  #children = new Map();
  #main;
  #marks;
  #result;

  constructor(table, marks) {
    this.#marks = marks;
    this.#main = table.main;
    this.#result = table.result;
    this.#nodes = new Map(table.nodes.map((node) => [node.id, node]));
    for (const node of table.nodes) {
      if (node.parent !== null) {
        this.#children.set(node.parent, [...(this.#children.get(node.parent) ?? []), node]);
      }
    }
  }

  blocks() {
    const blocks = [this.#button(this.#nodes.get(this.#main[0]), "Start", "move start")];
    let number = 0;
    let isFull = true;
    let row = null;
    for (const id of this.#main.slice(1)) {
      const node = this.#nodes.get(id);
      const second = this.#mover(node) === 1;
      if (isFull || !second) {
        number += 1;
        row = null;
      }
      if (row === null) {
        row = makeRow(number, second);
        blocks.push(row);
      }
      row.append(this.#cell(node));
      isFull = second;
      const others = this.#children.get(node.parent).filter((other) => other !== node);
      if (others.length > 0) {
        blocks.push(...others.map((other) => this.#variation(other, number)));
        row = null;
      }
    }
    for (const node of this.#children.get(this.#main.at(-1)) ?? []) {
      const follows = isFull || this.#mover(node) === 0;
      blocks.push(this.#variation(node, follows ? number + 1 : number));
    }
    if (this.#result !== null) {
      blocks.push(element("p", { class: "move-result", text: resultText(this.#result) }));
    }
    return blocks;
  }

  #variation(node, number) {
    const block = element("div", { class: "variation" });
    let at = node;
    let count = number;
    let spoken = false;
    while (at !== undefined) {
      const second = this.#mover(at) === 1;
      if (!second || !spoken) {
        const dots = second ? "…" : ".";
        block.append(element("span", { class: "number", text: `${count}${dots}` }));
      }
      spoken = true;
      block.append(this.#cell(at));
      const siblings = at === node ? [] : this.#children.get(at.parent).slice(1);
      for (const sibling of siblings) {
        block.append(this.#variation(sibling, count));
        spoken = false;
      }
      count += second ? 1 : 0;
      at = this.#children.get(at.id)?.[0];
    }
    return block;
  }

  #cell(node) {
    const mark = this.#marks.get(node.id);
    const button = this.#button(node, node.move, "move");
    if (mark) {
      button.append(
        element("span", { class: `mark ${mark.kind}`, title: mark.words, text: SIGNS[mark.kind] }),
        element("span", { class: "unseen", text: ` ${mark.kind}: ${mark.words}` }),
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

  #button(node, text, kind) {
    const details = [
      node.depth ? `depth ${node.depth}` : null,
      node.seconds ? `${node.seconds.toFixed(1)} s` : null,
    ].filter((detail) => detail !== null);
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

  #mover(node) {
    return this.#nodes.get(node.parent).turn;
  }
}

/** A numbered row for a move of each player; `second`: the first player's place stays empty. */
function makeRow(number, second) {
  return element(
    "div",
    { class: "move-row" },
    element("span", { class: "number", text: `${number}.` }),
    second && element("span", { class: "gap", text: "…" }),
  );
}

/** A result in a line: the score and why. */
export function resultText(result) {
  return result.reason ? `${result.score}  ${result.reason}` : result.score;
}

function scrollWithin(host, target) {
  const outer = host.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    host.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

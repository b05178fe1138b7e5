/** The two players, above and below the board: who they are, whose turn it is, what they think. */

import { Clocks, timeText } from "./clocks.js";
import { element } from "../shared/dom.js";
import { isHuman, playerText } from "../dialogs/player-form.js";

export class Seats {
  #hosts;
  #seats = [];
  #clocks = new Clocks();
  #order = null;

  /** @param {HTMLElement} far @param {HTMLElement} near */
  constructor(far, near) {
    this.#hosts = [far, near];
  }

  /** Show a table; `flipped` puts the first player at the far side. */
  show(table, flipped) {
    this.#arrange(flipped ? [0, 1] : [1, 0]);
    for (const side of [0, 1]) {
      this.#showSide(table, side);
    }
    this.#clocks.show(table.clock);
  }

  /** The clocks in words, for people who listen. */
  timesText(table) {
    const texts = table.game.players.map((name, side) => {
      return `${name} ${timeText(this.#clocks.left(side))}`;
    });
    return `${texts.join(", ")}.`;
  }

  #arrange(order) {
    if (this.#order?.[0] === order[0]) {
      return;
    }
    this.#order = order;
    for (const [index, side] of order.entries()) {
      const seat = {
        host: this.#hosts[index],
        name: element("strong"),
        who: element("span", { class: "soft" }),
        state: element("span", { class: "seat-state" }),
        clock: element("span", { class: "clock", role: "timer" }),
      };
      seat.host.replaceChildren(
        element("div", { class: "seat-name" }, seat.name, seat.who),
        seat.state,
        seat.clock,
      );
      this.#seats[side] = seat;
    }
    this.#clocks.place(this.#seats.map((seat) => seat.clock));
  }

  #showSide(table, side) {
    const seat = this.#seats[side];
    const name = table.game.players[side];
    const turn = turnOf(table) === side;
    const thinking = table.thinking === side;
    seat.name.textContent = name;
    seat.who.textContent = whoText(table, side);
    seat.clock.setAttribute("aria-label", `Time of ${name}`);
    seat.host.classList.toggle("to-move", turn);
    seat.host.classList.toggle("thinking", thinking);
    seat.state.textContent = stateText(table, side, turn, thinking);
  }
}

/** Whose turn it is in the game, or null when it is over. */
export function turnOf(table) {
  if (table.result !== null) {
    return null;
  }
  return table.nodes.find((node) => node.id === table.head).turn;
}

/** The side that this person plays, if only one is a human's. */
export function ownSide(table) {
  const humans = [0, 1].filter((side) => isHuman(table.players[side]));
  return humans.length === 1 ? humans[0] : null;
}

function whoText(table, side) {
  const name = table.names[side];
  if (name !== table.players[side].kind) {
    return name;
  }
  if (ownSide(table) === side) {
    return "You";
  }
  // The beat of a live game is the only limit that its players have.
  const { kind } = table.players[side];
  return playerText(table.live === null ? table.players[side] : { kind });
}

function stateText(table, side, turn, thinking) {
  if (thinking) {
    return thought(table);
  }
  return turn ? turnText(table) : ended(table, side);
}

function turnText(table) {
  return table.paused ? "to move, paused" : "to move";
}

function thought(table) {
  if (table.progress === null) {
    return "thinking";
  }
  const { depth, value_text: value } = table.progress;
  return `thinking, depth ${depth}: ${value}`;
}

function ended(table, side) {
  if (table.result === null) {
    return lastThought(table, side);
  }
  const { winner } = table.result;
  return winner === null ? "draw" : winner === side ? "won" : "lost";
}

/** What a search thought of the move that it made last. */
function lastThought(table, side) {
  const nodes = new Map(table.nodes.map((node) => [node.id, node]));
  const last = nodes.get(table.head);
  const parent = nodes.get(last.parent);
  if (parent?.turn !== side || !last.value_text) {
    return "";
  }
  return last.depth ? `depth ${last.depth}: ${last.value_text}` : last.value_text;
}

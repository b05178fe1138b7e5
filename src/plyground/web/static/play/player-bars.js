/** The bars above and below the board: the players, the side to move, searches, clocks. */

import { playerText } from "../dialogs/player-form.js";
import { element } from "../shared/dom.js";
import { evaluationText } from "../shared/evaluation-select.js";
import { setSwatch, swatch } from "../shared/side-colours.js";
import { humanSide, isHuman, nodeOf, sideToMove } from "../shared/table.js";
import { Clocks } from "./clocks.js";

/**
 * @import { Clock, Pair, Side, Table, TableNode } from "../shared/protocol.d.ts"
 * @typedef {Record<"host"|"swatch"|"name"|"player"|"state"|"clock", HTMLElement>} Bar
 */

/** @type {Pair<Side>} */
const SIDES = [0, 1];

export class PlayerBars {
  #far;
  #near;
  /** @type {Bar[]} by side */
  #bars = [];
  #clocks = new Clocks();
  /** @type {boolean|null} */
  #flipped = null;

  /**
   * @param {HTMLElement} far
   * @param {HTMLElement} near
   */
  constructor(far, near) {
    this.#far = far;
    this.#near = near;
  }

  /**
   * Show a table; `flipped` puts the first player at the far side.
   *
   * @param {Table} table
   * @param {boolean} flipped
   */
  show(table, flipped) {
    if (flipped !== this.#flipped) {
      this.#flipped = flipped;
      const [first, second] = flipped ? [this.#far, this.#near] : [this.#near, this.#far];
      const bars = [makeBar(first), makeBar(second)];
      this.#bars = bars;
      this.#clocks.setFaces([bars[0].clock, bars[1].clock]);
    }
    for (const side of SIDES) {
      showSide(this.#bars[side], table, side);
    }
    this.#clocks.show(table.clock);
  }

  /**
   * The clocks in words, for screen readers.
   *
   * @param {Table} table
   */
  clocksText({ game }) {
    const texts = SIDES.map((side) => `${game.players[side]} ${this.#clocks.leftText(side)}`);
    return `${texts.join(", ")}.`;
  }
}

/**
 * @param {HTMLElement} host
 * @returns {Bar}
 */
function makeBar(host) {
  const bar = {
    host,
    swatch: swatch(""),
    name: element("strong"),
    player: element("span", { class: "soft" }),
    state: element("span", { class: "player-state" }),
    clock: element("span", { class: "clock", role: "timer" }),
  };
  host.replaceChildren(
    bar.swatch,
    element("div", { class: "player-name" }, bar.name, bar.player),
    bar.state,
    bar.clock,
  );
  return bar;
}

/**
 * @param {Bar} bar
 * @param {Table} table
 * @param {Side} side
 */
function showSide(bar, table, side) {
  const name = table.game.players[side];
  bar.name.textContent = name;
  setSwatch(bar.swatch, table.game.colours[side]);
  bar.player.textContent = sidePlayerText(table, side);
  bar.clock.setAttribute("aria-label", `Time of ${name}`);
  bar.host.classList.toggle("to-move", sideToMove(table) === side);
  bar.host.classList.toggle("thinking", table.thinking === side);
  bar.state.textContent = stateText(table, side);
}

/**
 * @param {Table} table
 * @param {Side} side
 */
function sidePlayerText(table, side) {
  const name = table.names[side];
  const player = table.players[side];
  if (name !== player.kind) {
    return name;
  }
  if (humanSide(table) === side) {
    return "You";
  }
  // In a live game the time is that of a ply.
  const spec = table.live === null ? player : { ...player, seconds: null };
  return playerText(spec, table.game.levels);
}

/**
 * @param {Table} table
 * @param {Side} side
 */
function stateText(table, side) {
  if (table.live?.preparing && !isHuman(table.players[side])) {
    return "preparing";
  }
  if (table.thinking === side) {
    return progressText(table);
  }
  if (sideToMove(table) === side) {
    return table.paused ? "to move, paused" : "to move";
  }
  if (table.result === null) {
    return lastSearchText(table, side);
  }
  const { winner } = table.result;
  return winner === null ? "draw" : winner === side ? "won" : "lost";
}

/** @param {Table} table */
function progressText({ progress }) {
  return progress === null
    ? "thinking"
    : `thinking, depth ${progress.depth}: ${progress.value_text}${byText(progress)}`;
}

/**
 * What a search found when it made the last move.
 *
 * @param {Table} table
 * @param {Side} side
 */
function lastSearchText(table, side) {
  const last = nodeOf(table, table.head);
  const mover = last.parent === null ? null : nodeOf(table, last.parent).turn;
  if (mover !== side || !last.value_text) {
    return "";
  }
  return last.depth ? `depth ${last.depth}: ${last.value_text}${byText(last)}` : last.value_text;
}

/**
 * What a value rests on, if it is not the game's own evaluation.
 *
 * @param {Pick<TableNode, "evaluation">} found
 */
function byText({ evaluation }) {
  return evaluation === null || evaluation === "own" ? "" : `, ${evaluationText(evaluation)}`;
}

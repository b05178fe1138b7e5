/** The bars above and below the board: the players, the side to move, searches, clocks. */

import { playerText } from "../dialogs/player-form.js";
import { element } from "../shared/dom.js";
import { evaluationText } from "../shared/evaluation-select.js";
import { setSwatch, swatch } from "../shared/side-colours.js";
import { humanSide, isHuman, nodeOf, sideToMove } from "../shared/session.js";
import { Clocks } from "./clocks.js";

/**
 * @import { Clock, Pair, Side, Table, NodeModel } from "../shared/protocol.d.ts"
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
   * Show a session; `flipped` puts the first player at the far side.
   *
   * @param {Table} session
   * @param {boolean} flipped
   */
  show(session, flipped) {
    if (flipped !== this.#flipped) {
      this.#flipped = flipped;
      const [first, second] = flipped ? [this.#far, this.#near] : [this.#near, this.#far];
      const bars = [makeBar(first), makeBar(second)];
      this.#bars = bars;
      this.#clocks.setFaces([bars[0].clock, bars[1].clock]);
    }
    for (const side of SIDES) {
      showSide(this.#bars[side], session, side);
    }
    this.#clocks.show(session.clock);
  }

  /**
   * The clocks in words, for screen readers.
   *
   * @param {Table} session
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
 * @param {Table} session
 * @param {Side} side
 */
function showSide(bar, session, side) {
  const name = session.game.players[side];
  bar.name.textContent = name;
  setSwatch(bar.swatch, session.game.colours[side]);
  bar.player.textContent = sidePlayerText(session, side);
  bar.clock.setAttribute("aria-label", `Time of ${name}`);
  bar.host.classList.toggle("to-move", sideToMove(session) === side);
  bar.host.classList.toggle("thinking", session.thinking === side);
  bar.state.textContent = stateText(session, side);
}

/**
 * @param {Table} session
 * @param {Side} side
 */
function sidePlayerText(session, side) {
  const name = session.names[side];
  const player = session.players[side];
  if (name !== player.kind) {
    return name;
  }
  if (humanSide(session) === side) {
    return "You";
  }
  // In a live game the time is that of a ply.
  const spec = session.live === null ? player : { ...player, seconds: null };
  return playerText(spec, session.game.levels);
}

/**
 * @param {Table} session
 * @param {Side} side
 */
function stateText(session, side) {
  if (session.live?.preparing && !isHuman(session.players[side])) {
    return "preparing";
  }
  if (session.thinking === side) {
    return progressText(session);
  }
  if (sideToMove(session) === side) {
    return session.paused ? "to move, paused" : "to move";
  }
  if (session.result === null) {
    return lastSearchText(session, side);
  }
  const { winner } = session.result;
  return winner === null ? "draw" : winner === side ? "won" : "lost";
}

/** @param {Table} session */
function progressText({ progress }) {
  return progress === null
    ? "thinking"
    : `thinking, depth ${progress.depth}: ${progress.value_text}${byText(progress)}`;
}

/**
 * What a search found when it made the last move.
 *
 * @param {Table} session
 * @param {Side} side
 */
function lastSearchText(session, side) {
  const last = nodeOf(session, session.head);
  const mover = last.parent === null ? null : nodeOf(session, last.parent).turn;
  if (mover !== side || !last.value_text) {
    return "";
  }
  return last.depth ? `depth ${last.depth}: ${last.value_text}${byText(last)}` : last.value_text;
}

/**
 * What a value rests on, if it is not the game's own evaluation.
 *
 * @param {Pick<NodeModel, "evaluation">} found
 */
function byText({ evaluation }) {
  return evaluation === null || evaluation === "own" ? "" : `, ${evaluationText(evaluation)}`;
}

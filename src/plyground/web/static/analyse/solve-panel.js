/** Solves a position: what perfect play leads to, and what every legal move is worth. */

import { button } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { announce } from "../shared/notifications.js";
import { capitalized, counted, sentence } from "../shared/text.js";
import { colourOf, swatch } from "../shared/side-colours.js";
import { leaderOf } from "../shared/value-text.js";

/**
 * @import { Badge, Tone } from "../board/annotations.js"
 * @import { AnalysisClient } from "../shared/analysis-client.js"
 * @import {
 *   GameCard, Place, RepliesByRequest, Side, Solved, SolvedMove, View,
 * } from "../shared/protocol.d.ts"
 *
 * @typedef {{place: Place, view: View, game: GameCard}} Position
 */

/**
 * A move's worth, short enough for its cell and with the initial of the player whom it favours:
 * "Y in 3", "draw"; where points count, their margin: "G +2". The tone is that of the mover.
 *
 * @param {{utility: number, plies: number|null}} worth
 * @param {Side} turn
 * @param {GameCard} game
 * @returns {{text: string, tone: Tone, colour: string|null}}
 */
export function badgeOf({ utility, plies }, turn, game) {
  const winner = leaderOf(utility);
  if (winner === null) {
    return { text: "draw", tone: "draw", colour: null };
  }
  const lead = game.point ? `+${Math.abs(utility)}` : plies === null ? "wins" : `in ${plies}`;
  return {
    text: `${game.players[winner].charAt(0)} ${lead}`,
    tone: winner === turn ? "win" : "loss",
    colour: game.colours[winner],
  };
}

export class SolvePanel {
  #client;
  #onBadges;
  #onPlay;
  #button;
  #progress;
  #status;
  #result;
  /** @type {Position|null} */
  #position = null;

  /**
   * @param {Object} parts
   * @param {AnalysisClient} parts.client
   * @param {HTMLElement} parts.host
   * @param {(badges: Badge[]) => void} parts.onBadges
   * @param {(moves: string[]) => void} parts.onPlay
   */
  constructor({ client, host, onBadges, onPlay }) {
    this.#client = client;
    this.#onBadges = onBadges;
    this.#onPlay = onPlay;
    this.#button = button("Solve this position", () => this.toggle(), {
      title: "Solve this position, or give up (S)",
    });
    this.#progress = element("progress", { "aria-label": "Solving", max: 1, hidden: true });
    this.#status = element("p", { class: "soft", "aria-live": "off" });
    this.#result = element("div");
    host.replaceChildren(this.#button, this.#progress, this.#status, this.#result);
  }

  /**
   * Another position is on show: the solution of the one before is removed.
   *
   * @param {Place} place
   * @param {View} view
   * @param {GameCard} game
   */
  setPosition(place, view, game) {
    this.#position = { place, view, game };
    this.#client.stop("solve");
    this.#onBadges([]);
    this.#result.replaceChildren();
    this.#showIdle(
      view.over
        ? "The game is over here."
        : "Finds out who wins with perfect play, where the game is small enough.",
    );
    this.#button.disabled = view.over;
  }

  /** Solve, or stop solving. */
  toggle() {
    if (this.#client.isRunning("solve")) {
      this.#client.stop("solve");
      this.#showIdle("Stopped.");
      return;
    }
    const position = this.#position;
    if (this.#button.disabled || position === null) {
      return;
    }
    this.#result.replaceChildren();
    this.#onBadges([]);
    this.#button.textContent = "Give up";
    this.#progress.hidden = false;
    this.#progress.removeAttribute("value");
    this.#status.textContent = "Solving…";
    this.#client.request({ type: "solve", place: position.place }, (reply) => {
      this.#receive(reply, position);
    });
  }

  /** @param {string} status */
  #showIdle(status) {
    this.#button.textContent = "Solve this position";
    this.#progress.hidden = true;
    this.#status.textContent = status;
  }

  /**
   * @param {RepliesByRequest["solve"]} reply
   * @param {Position} position
   */
  #receive(reply, position) {
    if (reply.type === "advance") {
      this.#status.textContent = reply.text;
      if (reply.part === null) {
        this.#progress.removeAttribute("value");
      } else {
        this.#progress.value = reply.part;
      }
    } else if (reply.type === "notice") {
      this.#status.textContent = sentence(reply.text);
    } else if (reply.type === "solved") {
      this.#showSolution(reply, position);
    } else {
      this.#showIdle(reply.message);
      announce(reply.message);
    }
  }

  /**
   * @param {Solved} solution
   * @param {Position} position
   */
  #showSolution(solution, position) {
    const { game, view: { turn } } = position;
    this.#showIdle(effortText(solution));
    this.#onBadges(
      solution.moves.flatMap(({ utility, plies, touches }) =>
        utility === null ? [] : [{ touches, ...badgeOf({ utility, plies }, turn, game) }]
      ),
    );
    const text = `With perfect play: ${solution.value_text}.`;
    announce(text);
    this.#result.replaceChildren(
      element("p", { class: "verdict-line", text }),
      ...this.#lineButton(solution.line),
      this.#table(solution.moves, game),
    );
  }

  /** @param {string[]} line */
  #lineButton(line) {
    const text = `Play out the line (${counted(line.length, "ply", "plies")})`;
    const play = () => this.#onPlay(line);
    return line.length === 0 ? [] : [button(text, play, { class: "button small" })];
  }

  /**
   * @param {SolvedMove[]} moves
   * @param {GameCard} game
   */
  #table(moves, game) {
    return element(
      "table",
      { class: "worths" },
      element("caption", { class: "visually-hidden", text: "What every legal move is worth" }),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col", text: "Move" }),
          element("th", { scope: "col", text: "Leads to" }),
        ),
      ),
      element("tbody", {}, ...moves.map((move) => this.#row(move, game))),
    );
  }

  /**
   * @param {SolvedMove} move
   * @param {GameCard} game
   */
  #row({ text, utility, words, best }, game) {
    const colour = utility === null ? null : colourOf(leaderOf(utility), game);
    const tryMove = () => this.#onPlay([text]);
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        button(text, tryMove, { class: "move", title: "Try this move" }),
      ),
      element(
        "td",
        {},
        colour !== null && swatch(colour),
        ` ${capitalized(words)} `,
        best && element("span", { class: "tag", text: "best" }),
      ),
    );
  }
}

/** @param {Solved} solution */
function effortText({ method, nodes, counted: noun, seconds }) {
  const time = seconds < 0.1 ? "less than 0.1" : seconds.toFixed(seconds < 10 ? 1 : 0);
  const effort = nodes === 0
    ? "known already"
    : `${nodes.toLocaleString("en")} ${noun} in ${time} s`;
  return `${capitalized(method)}: ${effort}.`;
}

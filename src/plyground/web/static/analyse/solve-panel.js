/** Solving a position: what perfect play leads to, and what every legal move is worth. */

import { element, sentence } from "../shared/dom.js";
import { announce } from "../shared/page.js";
import { counted } from "../shared/value-text.js";

/**
 * A move's worth for the player to move, short enough for its cell: "W3" wins in 3 plies, "L2"
 * loses in 2, "D" draws; where points count, their margin. {text, tone}. No page here.
 */
export function badgeOf({ utility, plies }, turn, point) {
  if (utility === null) {
    return { text: "?", tone: "unknown" };
  }
  const own = turn === 0 ? utility : -utility;
  const tone = own > 0 ? "win" : own < 0 ? "loss" : "draw";
  if (point) {
    return { text: own > 0 ? `+${own}` : own < 0 ? `−${-own}` : "0", tone };
  }
  if (own === 0) {
    return { text: "D", tone };
  }
  return { text: `${own > 0 ? "W" : "L"}${plies ?? ""}`, tone };
}

export class SolvePanel {
  #thinking;
  #onBadges;
  #onPlay;
  #button;
  #progress;
  #words;
  #result;
  #place = null;
  #view = null;
  #game = null;

  /**
   * @param {{thinking: Thinking, host: HTMLElement, onBadges: function(object[]): void,
   *   onPlay: function(string[]): void}} parts
   */
  constructor({ thinking, host, onBadges, onPlay }) {
    this.#thinking = thinking;
    this.#onBadges = onBadges;
    this.#onPlay = onPlay;
    this.#button = element("button", {
      type: "button", class: "button", text: "Solve this position",
      title: "Solve this position, or give up (S)", on: { click: () => this.toggle() },
    });
    this.#progress = element("progress", { "aria-label": "Solving", max: 1, hidden: true });
    this.#words = element("p", { class: "soft", "aria-live": "off" });
    this.#result = element("div");
    host.replaceChildren(this.#button, this.#progress, this.#words, this.#result);
  }

  /** Another position: what was solved no longer holds. */
  look(place, view, game) {
    [this.#place, this.#view, this.#game] = [place, view, game];
    this.#thinking.stop("solve");
    this.#onBadges([]);
    this.#result.replaceChildren();
    this.#rest(view.over ? "The game is over here." :
      "Finds out who wins with perfect play, where the game is small enough.");
    this.#button.disabled = view.over;
  }

  /** Solve, or give up. */
  toggle() {
    if (this.#thinking.isAsking("solve")) {
      this.#thinking.stop("solve");
      this.#rest("Stopped.");
      return;
    }
    if (this.#button.disabled) {
      return;
    }
    this.#result.replaceChildren();
    this.#onBadges([]);
    this.#button.textContent = "Give up";
    this.#progress.hidden = false;
    this.#progress.removeAttribute("value");
    this.#words.textContent = "Solving…";
    const question = { type: "solve", place: this.#place };
    this.#thinking.ask(question, (message) => this.#received(message));
  }

  #rest(words) {
    this.#button.textContent = "Solve this position";
    this.#progress.hidden = true;
    this.#words.textContent = words;
  }

  #received(message) {
    if (message.type === "advance") {
      this.#words.textContent = message.text;
      if (message.part === null) {
        this.#progress.removeAttribute("value");
      } else {
        this.#progress.value = message.part;
      }
    } else if (message.type === "notice") {
      this.#words.textContent = sentence(message.text);
    } else if (message.type === "solved") {
      this.#solved(message);
    } else if (message.type === "error") {
      this.#rest(message.message);
      announce(message.message);
    }
  }

  #solved(message) {
    const { seconds } = message;
    const time = seconds < 0.1 ? "less than 0.1" : seconds.toFixed(seconds < 10 ? 1 : 0);
    const nodes = message.nodes.toLocaleString("en");
    const work = message.nodes === 0 ? "known already" : `${nodes} ${message.counted} in ${time} s`;
    this.#rest(`${capital(message.method)}: ${work}.`);
    const { turn } = this.#view;
    const { point } = this.#game;
    const decided = message.moves.filter((move) => move.utility !== null);
    this.#onBadges(decided.map((move) => ({
      touches: move.touches, ...badgeOf(move, turn, point),
    })));
    const verdict = `With perfect play: ${message.value_text}.`;
    announce(verdict);
    this.#result.replaceChildren(
      element("p", { class: "verdict-line", text: verdict }),
      this.#line(message.line),
      this.#table(message.moves),
    );
  }

  #line(line) {
    if (line.length === 0) {
      return "";
    }
    return element("button", {
      type: "button", class: "button small",
      text: `Play out the line (${counted(line.length, "ply", "plies")})`,
      on: { click: () => this.#onPlay(line) },
    });
  }

  #table(moves) {
    return element(
      "table",
      { class: "worths" },
      element("caption", { class: "unseen", text: "What every legal move is worth" }),
      element("thead", {}, element("tr", {},
        element("th", { scope: "col", text: "Move" }),
        element("th", { scope: "col", text: "Leads to" }))),
      element("tbody", {}, ...moves.map((move) => this.#row(move))),
    );
  }

  #row(move) {
    const { tone } = badgeOf(move, this.#view.turn, this.#game.point);
    const button = element("button", {
      type: "button", class: "move", text: move.text, title: "Try this move",
      on: { click: () => this.#onPlay([move.text]) },
    });
    const star = move.best ? element("span", { class: "tag", text: "best" }) : null;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, button),
      element("td", { class: tone }, `${capital(move.words)} `, star),
    );
  }
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

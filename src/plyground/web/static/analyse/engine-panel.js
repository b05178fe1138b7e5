/** The engine on the Analyse page: whether it runs, its settings, and its progress. */

import { field, select } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { EvaluationSelect, evaluationText } from "../shared/evaluation-select.js";
import { readPreference, writePreference } from "../shared/preferences.js";
import { sentence } from "../shared/text.js";
import { scaleText } from "../shared/value-text.js";

/**
 * @import { AnalysisClient } from "../shared/analysis-client.js"
 * @import {
 *   EvaluationWord, GameCard, Place, RepliesByRequest, SearchReply, View,
 * } from "../shared/protocol.d.ts"
 */

const RUNNING = "plyground-engine";
const LINES = "plyground-lines";
const THREADS = "plyground-threads";
const EVALUATION = "plyground-evaluation";
const MOST_LINES = 5;
const MOST_THREADS = 16;

export class EnginePanel {
  #client;
  #onLines;
  #button;
  #lines;
  #threads;
  #evaluation;
  #status;
  #scale;
  /** @type {Place|null} */
  #place = null;
  #isOver = false;
  /**
   * Whether the position is not on show yet. Its replies wait, of which the last is kept.
   */
  #isExpected = false;
  /** @type {(() => void)|null} */
  #waiting = null;
  #isOn = readPreference(RUNNING) !== "off";

  /**
   * @param {Object} parts
   * @param {AnalysisClient} parts.client
   * @param {HTMLButtonElement} parts.button starts and stops the engine
   * @param {HTMLElement} parts.host
   * @param {(reply: SearchReply|null, note: string) => void} parts.onLines called with each
   *   reply, or with null and why there is none
   */
  constructor({ client, button, host, onLines }) {
    this.#client = client;
    this.#onLines = onLines;
    this.#button = button;
    const cores = Math.max(1, Math.min(MOST_THREADS, navigator.hardwareConcurrency || 1));
    this.#lines = numberSelect(MOST_LINES, readPreference(LINES) ?? "3");
    this.#threads = numberSelect(cores, readPreference(THREADS) ?? "1");
    this.#evaluation = new EvaluationSelect(readEvaluation(), () => this.#restart());
    this.#status = element("p", { class: "soft numbers engine-status" });
    this.#scale = element("p");
    host.replaceChildren(
      this.#status,
      element(
        "div",
        { class: "fields" },
        field("Lines", this.#lines),
        field("Threads", this.#threads),
        this.#evaluation.field,
      ),
      this.#evaluation.help,
      element("details", {}, element("summary", { text: "What the bar shows" }), this.#scale),
    );
    this.#listen();
    this.#showButton();
  }

  /**
   * Search the position that a move leads to, while the server plays the move. The replies wait for
   * `setPosition`.
   *
   * @param {Place} place
   */
  expectPosition(place) {
    if (this.#isOn && this.#evaluation.isSettled) {
      this.#place = place;
      this.#isOver = false;
      this.#isExpected = true;
      this.#restart();
    }
  }

  /** Whether it searches a position that is not on show yet. */
  get isAhead() {
    return this.#isExpected;
  }

  /**
   * Search this position from now on; a finished game has nothing to search.
   *
   * @param {Place} place
   * @param {View} view
   * @param {GameCard} game
   */
  setPosition(place, view, game) {
    const isSearched = this.#isExpected && isSamePlace(place, this.#place) && !view.over;
    this.#isExpected = false;
    this.#place = place;
    this.#isOver = view.over;
    this.#scale.textContent = scaleText(game);
    this.#evaluation.setBoard(place, game);
    if (isSearched && this.#evaluation.isSettled) {
      this.#waiting?.();
    } else {
      this.#restart();
    }
  }

  /** Start, or stop. */
  toggle() {
    this.#isOn = !this.#isOn;
    writePreference(RUNNING, this.#isOn ? null : "off");
    this.#showButton();
    this.#restart();
  }

  #restart() {
    this.#client.stop("search");
    this.#waiting = null;
    this.#status.textContent = "";
    if (this.#place === null) {
      return;
    }
    if (this.#isOver) {
      this.#onLines(null, "The game is over here.");
    } else if (!this.#isOn) {
      this.#onLines(null, "The engine is stopped.");
    } else if (!document.hidden && this.#evaluation.isSettled) {
      this.#search(this.#place);
    }
  }

  /** @param {Place} place */
  #search(place) {
    const lines = Number(this.#lines.value);
    const threads = Number(this.#threads.value);
    this.#status.textContent = "Thinking…";
    const evaluation = this.#evaluation.value;
    this.#client.request({ type: "search", place, lines, threads, evaluation }, (reply) => {
      if (this.#isExpected) {
        this.#waiting = () => this.#show(reply);
      } else {
        this.#show(reply);
      }
    });
  }

  /** @param {RepliesByRequest["search"]} reply */
  #show(reply) {
    if (reply.type === "error") {
      this.#onLines(null, reply.message);
      this.#status.textContent = "";
    } else if (reply.type === "notice") {
      this.#status.textContent = sentence(reply.text);
    } else {
      this.#status.textContent = progressText(reply);
      this.#onLines(reply, "");
    }
  }

  #showButton() {
    this.#button.textContent = this.#isOn ? "Stop" : "Start";
    this.#button.classList.toggle("primary", !this.#isOn);
  }

  #listen() {
    this.#button.addEventListener("click", () => this.toggle());
    this.#lines.addEventListener("change", () => {
      writePreference(LINES, this.#lines.value);
      this.#restart();
    });
    this.#threads.addEventListener("change", () => {
      writePreference(THREADS, this.#threads.value);
      this.#restart();
    });
    this.#evaluation.field.addEventListener("change", () => {
      writePreference(EVALUATION, this.#evaluation.value);
    });
    // A page in the background does not search.
    document.addEventListener("visibilitychange", () => this.#restart());
  }
}

/**
 * Whether two places are the same, as they are written: then so are the positions.
 *
 * @param {Place} place
 * @param {Place|null} other
 */
function isSamePlace(place, other) {
  return JSON.stringify(place) === JSON.stringify(other);
}

/**
 * Depth, nodes, speed and evaluation of a search.
 *
 * @param {SearchReply} reply
 */
function progressText(reply) {
  const { type, depth, selective_depth: selective, nodes, seconds, proven, evaluation } = reply;
  const depthText = selective > depth ? `Depth ${depth}, at most ${selective}` : `Depth ${depth}`;
  const speed = seconds > 0 ? ` · ${roundedText(nodes / seconds)} a second` : "";
  const end = proven ? " · proven" : type === "done" ? " · finished" : "";
  const by = evaluation === null ? "" : ` · ${evaluationText(evaluation)}`;
  return `${depthText} · ${roundedText(nodes)} nodes${speed}${by}${end}`;
}

/**
 * The evaluation that was chosen last, if one was.
 *
 * @returns {EvaluationWord|null}
 */
function readEvaluation() {
  const word = readPreference(EVALUATION);
  return word === "own" || word === "none" || word === "learned" ? word : null;
}

/**
 * A number of nodes, rounded: "9,120", "1.35 M".
 *
 * @param {number} number
 */
function roundedText(number) {
  if (number < 10_000) {
    return Math.round(number).toLocaleString("en");
  }
  /** @type {[number, string]} */
  const [unit, name] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / unit).toPrecision(3)} ${name}`;
}

/**
 * A <select> of the numbers from 1.
 *
 * @param {number} most
 * @param {string} chosen
 */
function numberSelect(most, chosen) {
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  const made = select(numbers.map((number) => [number, number]));
  made.value = numbers.includes(Number(chosen)) ? chosen : "1";
  return made;
}

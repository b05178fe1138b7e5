/** The choice of the engine’s evaluation: which ones a board has, and the words for them. */

import { errorMessage, fetchEvaluations } from "./api.js";
import { field, option, select } from "./controls.js";
import { element, uniqueId } from "./dom.js";
import { sentence } from "./text.js";

/** @import { Evaluations, EvaluationWord, GameCard, Place } from "./protocol.d.ts" */

/** @type {Record<EvaluationWord, {name: string, text: string, help: string}>} */
const WORDS = {
  own: {
    name: "The game’s own",
    text: "own evaluation",
    help: "What the game’s file says about a position.",
  },
  learned: {
    name: "Learned",
    text: "learned evaluation",
    help: "A net that has learned from games on this board.",
  },
  none: {
    name: "None",
    text: "no evaluation",
    help: "Nothing but finished games within the search, and the points so far.",
  },
};
/** The value of the choice that leaves it to the engine. */
const AUTOMATIC = "";

/**
 * The evaluation of a search in words, such as "learned evaluation"; "" for a search without any.
 *
 * @param {EvaluationWord|null} word
 */
export function evaluationText(word) {
  return word === null ? "" : WORDS[word].text;
}

/** A field with the evaluations that a board has, and a line of help. */
export class EvaluationSelect {
  #select;
  #help;
  #learn = "";
  /** @type {Evaluations|null} those of the board, when they are known */
  #known = null;
  #error = "";
  #asked = "";

  /**
   * @param {EvaluationWord|null} chosen to begin with; null leaves it to the engine
   * @param {() => void} [onChange] called when another one is chosen, or when the one that was
   *   chosen is found to be missing on a board
   */
  constructor(chosen, onChange = () => {}) {
    this.#select = select([]);
    this.#help = element("p", { class: "help soft evaluation-help", id: uniqueId("help") });
    this.#select.setAttribute("aria-describedby", this.#help.id);
    this.#select.addEventListener("change", () => {
      this.#showHelp();
      onChange();
    });
    this.field = field("Evaluation", this.#select);
    this.field.classList.add("whole-row");
    this.help = this.#help;
    this.onChange = onChange;
    this.#showChoices(chosen);
  }

  /**
   * The evaluation that is chosen; null leaves it to the engine.
   *
   * @returns {EvaluationWord|null}
   */
  get value() {
    const { value } = this.#select;
    return value === AUTOMATIC ? null : /** @type {EvaluationWord} */ (value);
  }

  /** Whether a search can begin: what is chosen is there, or will never be known to be. */
  get isSettled() {
    return this.value === null || this.#known !== null || this.#error !== "";
  }

  /** @param {boolean} isShown */
  set isShown(isShown) {
    this.field.hidden = this.#help.hidden = !isShown;
    this.#select.disabled = !isShown;
  }

  /**
   * Offer what the board of a place has.
   *
   * @param {Place} place
   * @param {GameCard} game
   */
  async setBoard({ game, text, options }, { name, file }) {
    const board = { game, options, ...(text && { text }) };
    const asked = JSON.stringify(board);
    if (asked === this.#asked) {
      return;
    }
    this.#asked = asked;
    this.#learn = `plyground learn ${name}${file ? ".py" : ""}`;
    /** @type {Evaluations|null} */
    let found = null;
    let error = "";
    try {
      found = await fetchEvaluations(board);
    } catch (problem) {
      error = sentence(errorMessage(problem));
    }
    if (asked === this.#asked) {
      this.#show(found, error);
    }
  }

  /**
   * @param {Evaluations|null} found
   * @param {string} error
   */
  #show(found, error) {
    const wasSettled = this.isSettled;
    const before = this.value;
    this.#known = found;
    this.#error = error;
    this.#showChoices(before);
    if (this.value !== before || !wasSettled) {
      this.onChange();
    }
  }

  /** @param {EvaluationWord|null} chosen */
  #showChoices(chosen) {
    const choices = this.#known?.choices ?? ["own", "learned", "none"];
    const automatic = this.#known === null
      ? "Automatic"
      : `Automatic: ${WORDS[this.#known.automatic].name.toLowerCase()}`;
    const offered = /** @type {EvaluationWord[]} */ (Object.keys(WORDS)).filter((word) =>
      word === "learned" || choices.includes(word)
    );
    this.#select.replaceChildren(
      option(AUTOMATIC, automatic),
      ...offered.map((word) => option(word, WORDS[word].name)),
    );
    for (const each of this.#select.options) {
      each.disabled = each.value === "learned" && !choices.includes("learned");
    }
    this.#select.value = chosen !== null && choices.includes(chosen) ? chosen : AUTOMATIC;
    this.#showHelp();
  }

  #showHelp() {
    const learned = this.#known === null || this.#known.choices.includes("learned");
    const missing = `Nothing was learned for this board yet; ${this.#learn} does so.`;
    const about = this.value === null ? "" : WORDS[this.value].help;
    this.#help.textContent = this.#error || [about, learned ? "" : missing].join(" ").trim();
  }
}

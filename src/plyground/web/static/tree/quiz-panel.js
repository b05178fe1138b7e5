/** The quiz beside the tree: a question, its answers, what was right and why, and the score. */

import { button } from "../shared/controls.js";
import { element, find, uniqueId } from "../shared/dom.js";
import { announce } from "../shared/notifications.js";
import { makeQuiz } from "./quiz.js";

/**
 * @import { Scale } from "../shared/value-text.js"
 * @import { Choice, Question } from "./quiz.js"
 * @import { SearchTree } from "./search-tree.js"
 */

export class QuizPanel {
  #host;
  #listeners;
  /** @type {Question[]} */
  #questions = [];
  #at = 0;
  #score = 0;
  /** @type {{tree: SearchTree, game: Scale}|null} */
  #source = null;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {(question: Question) => void} listeners.onAsk a question is asked
   * @param {(question: Question) => void} listeners.onAnswer it is answered: show the answer
   * @param {() => void} listeners.onEnd the quiz is over
   */
  constructor(host, listeners) {
    this.#host = host;
    this.#listeners = listeners;
  }

  /**
   * Offer a quiz about a tree, in place of any that is going on.
   *
   * @param {SearchTree} tree
   * @param {Scale} game
   */
  offer(tree, game) {
    this.#source = { tree, game };
    this.#showStart("Start the quiz");
  }

  /** Begin, with new questions. */
  start() {
    if (this.#source === null) {
      return;
    }
    const { tree, game } = this.#source;
    this.#questions = makeQuiz(tree, game, { seed: Date.now() });
    this.#at = 0;
    this.#score = 0;
    if (this.#questions.length === 0) {
      const text = "This tree is too small to ask about: search to a greater depth.";
      this.#host.replaceChildren(element("p", { text }));
      return;
    }
    this.#ask();
  }

  /** @param {string} text of the button */
  #showStart(text) {
    const about = "Say what a node is worth, and where the search cuts, before it is shown.";
    this.#host.replaceChildren(
      element("p", { class: "soft", text: about }),
      button(text, () => this.start(), { class: "button primary" }),
    );
  }

  #ask() {
    const question = this.#questions[this.#at];
    this.#listeners.onAsk(question);
    const heading = element("h3", {
      tabindex: -1,
      text: `Question ${this.#at + 1} of ${this.#questions.length}`,
    });
    const id = uniqueId("question");
    const choices = question.choices.map((choice) => {
      const made = button(choice.text, () => this.#answer(choice, made));
      return made;
    });
    this.#host.replaceChildren(
      element("div", { class: "row apart" }, heading, this.#scoreTag()),
      element("p", { id, text: question.text }),
      element("div", { class: "choices", role: "group", "aria-labelledby": id }, ...choices),
      button("Leave the quiz", () => this.#leave(), { class: "button quiet small leave" }),
    );
    heading.focus({ preventScroll: true });
    announce(question.text);
  }

  /**
   * @param {Choice} choice
   * @param {HTMLButtonElement} chosen
   */
  #answer(choice, chosen) {
    const question = this.#questions[this.#at];
    this.#score += choice.right ? 1 : 0;
    const verdict = choice.right ? "Right." : "Not so.";
    for (const [index, made] of this.#host.querySelectorAll(".choices button").entries()) {
      const { text, right } = question.choices[index];
      made.toggleAttribute("disabled", true);
      made.classList.toggle("right", right);
      made.textContent = right ? `✓ ${text}` : made === chosen ? `✗ ${text}` : text;
    }
    chosen.classList.toggle("wrong", !choice.right);
    const isLast = this.#at + 1 === this.#questions.length;
    const next = button(isLast ? "Show the score" : "Next question", () => this.#next(), {
      class: "button primary",
    });
    const kind = choice.right ? "right" : "wrong";
    find(this.#host, ".score").replaceWith(this.#scoreTag());
    find(this.#host, ".leave").before(
      element(
        "div",
        { class: `verdict ${kind}` },
        element("p", {}, element("strong", { text: verdict }), ` ${question.explanation}`),
        next,
      ),
    );
    this.#listeners.onAnswer(question);
    announce(`${verdict} ${question.explanation}`);
    next.focus({ preventScroll: true });
  }

  #next() {
    this.#at += 1;
    if (this.#at < this.#questions.length) {
      this.#ask();
    } else {
      this.#finish();
    }
  }

  #finish() {
    const { length } = this.#questions;
    const text = `${this.#score} of ${length} right. ${praise(this.#score / length)}`;
    this.#listeners.onEnd();
    this.#showStart("Another quiz");
    const line = element("p", { class: "final", tabindex: -1, text });
    this.#host.prepend(line);
    line.focus({ preventScroll: true });
  }

  #leave() {
    this.#listeners.onEnd();
    this.#showStart("Start the quiz");
  }

  #scoreTag() {
    return element("p", { class: "score tag", text: `Score ${this.#score}` });
  }
}

/** @param {number} part of the answers that were right */
function praise(part) {
  if (part === 1) {
    return "Nothing was cut from that.";
  }
  return part >= 0.6 ? "Well searched." : "Step through the tree once more, and try again.";
}

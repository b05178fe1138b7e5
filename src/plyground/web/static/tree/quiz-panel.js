/** The quiz beside the tree: a question, its answers, what was right and why, and the score. */

import { element, freshId } from "../shared/dom.js";
import { announce } from "../shared/page.js";
import { makeQuiz } from "./quiz.js";

export class QuizPanel {
  #host;
  #onAsk;
  #onShow;
  #onEnd;
  #questions = [];
  #at = 0;
  #right = 0;
  #source = null;

  /**
   * @param {HTMLElement} host
   * @param {{onAsk: function(object): void, onShow: function(object): void,
   *   onEnd: function(): void}} listeners a question is asked, its answer may be shown, it is over
   */
  constructor(host, { onAsk, onShow, onEnd }) {
    this.#host = host;
    this.#onAsk = onAsk;
    this.#onShow = onShow;
    this.#onEnd = onEnd;
  }

  /** Offer a quiz about a tree; one under way is given up. */
  offer(tree, game) {
    this.#source = { tree, game };
    const start = element("button", {
      type: "button", class: "button primary", text: "Start the quiz",
      on: { click: () => this.start() },
    });
    this.#host.replaceChildren(
      element("p", {
        class: "soft",
        text: "Say what a node is worth, and where the search cuts, before it is shown.",
      }),
      start,
    );
  }

  /** Begin, with questions chosen anew. */
  start() {
    const { tree, game } = this.#source;
    this.#questions = makeQuiz(tree, game, { seed: Date.now() });
    this.#at = 0;
    this.#right = 0;
    if (this.#questions.length === 0) {
      this.#host.replaceChildren(element("p", {
        text: "This tree is too small to ask about: search to a greater depth.",
      }));
      return;
    }
    this.#ask();
  }

  #ask() {
    const question = this.#questions[this.#at];
    this.#onAsk(question);
    const heading = element("h3", {
      tabindex: -1, text: `Question ${this.#at + 1} of ${this.#questions.length}`,
    });
    const id = freshId("question");
    this.#host.replaceChildren(
      element("div", { class: "row apart" }, heading, this.#score()),
      element("p", { id, text: question.words }),
      element(
        "div",
        { class: "choices", role: "group", "aria-labelledby": id },
        ...question.choices.map((choice) => element("button", {
          type: "button", class: "button", text: choice.text,
          on: { click: (event) => this.#answer(choice, event.currentTarget) },
        })),
      ),
      this.#leave(),
    );
    heading.focus({ preventScroll: true });
    announce(question.words);
  }

  #answer(choice, button) {
    const question = this.#questions[this.#at];
    this.#right += choice.right ? 1 : 0;
    const verdict = choice.right ? "Right." : "Not so.";
    question.choices.forEach(({ text, right }, index) => {
      const made = this.#host.querySelectorAll(".choices .button")[index];
      made.disabled = true;
      made.classList.toggle("right", right);
      made.textContent = right ? `✓ ${text}` : made === button ? `✗ ${text}` : text;
    });
    button.classList.toggle("wrong", !choice.right);
    const next = element("button", {
      type: "button", class: "button primary",
      text: this.#at + 1 < this.#questions.length ? "Next question" : "Show the score",
      on: { click: () => this.#next() },
    });
    const kind = choice.right ? "right" : "wrong";
    this.#host.querySelector(".score").replaceWith(this.#score());
    this.#host.querySelector(".leave").before(
      element(
        "div",
        { class: `verdict ${kind}` },
        element("p", {}, element("strong", { text: verdict }), ` ${question.explanation}`),
        next,
      ),
    );
    this.#onShow(question);
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
    const words = `${this.#right} of ${length} right. ${praise(this.#right / length)}`;
    this.#onEnd();
    this.offer(this.#source.tree, this.#source.game);
    const line = element("p", { class: "final", tabindex: -1, text: words });
    this.#host.prepend(line);
    this.#host.querySelector(".button").textContent = "Another quiz";
    line.focus({ preventScroll: true });
  }

  #score() {
    return element("p", { class: "score tag", text: `Score ${this.#right}` });
  }

  #leave() {
    return element("button", {
      type: "button", class: "button quiet small leave", text: "Leave the quiz",
      on: {
        click: () => {
          this.#onEnd();
          this.offer(this.#source.tree, this.#source.game);
        },
      },
    });
  }
}

function praise(part) {
  if (part === 1) {
    return "Nothing was cut from that.";
  }
  return part >= 0.6 ? "Well searched." : "Step through the tree once more, and try again.";
}

/** The controls that walk through a search: buttons, a slider, keys, and a clock that plays. */

import { element, freshId } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { registerKeys } from "../shared/page.js";

/** Steps a second that can be chosen. */
const SPEEDS = [1, 2, 5, 15, 50];

export class StepControls {
  #onStep;
  #slider;
  #words;
  #counts;
  #play;
  #speed;
  #buttons;
  #last = 0;
  #count = 0;
  #timer = null;

  /**
   * @param {HTMLElement} host
   * @param {{onStep: function(number): void}} listeners called with the number of steps done
   */
  constructor(host, { onStep }) {
    this.#onStep = onStep;
    const id = freshId("step");
    this.#slider = element("input", { id, type: "range", min: 0, max: 0, value: 0, step: 1 });
    this.#words = element("p", { class: "step-words", "aria-live": "polite" });
    this.#counts = element("p", { class: "soft numbers" });
    this.#play = element("button", { type: "button", class: "button primary", text: "Play" });
    this.#speed = element(
      "select",
      {},
      ...SPEEDS.map((speed) => element("option", { value: speed, text: `${speed} a second` })),
    );
    this.#speed.value = 2;
    this.#buttons = [
      this.#button("first", "First step (Home)", () => this.#go(0)),
      this.#button("previous", "Step back (←)", () => this.#go(this.#count - 1)),
      this.#play,
      this.#button("next", "Step forward (→)", () => this.#go(this.#count + 1)),
      this.#button("last", "Last step (End)", () => this.#go(this.#last)),
    ];
    host.replaceChildren(
      this.#words,
      element("label", { class: "unseen", for: id, text: "Step of the search" }),
      this.#slider,
      element(
        "div",
        { class: "row apart" },
        element("div", { class: "bar" }, ...this.#buttons),
        this.#counts,
        element("label", { class: "check" }, "Speed ", this.#speed),
      ),
    );
    this.#listen();
  }

  /** A search with this many steps is on show; at its end, unless told otherwise. */
  load(last) {
    this.stop();
    this.#last = last;
    this.#slider.max = last;
  }

  /** Show where the walk is: after `count` steps, told in words, with what was counted so far. */
  show(count, words, counts) {
    this.#count = count;
    this.#slider.value = count;
    this.#slider.setAttribute("aria-valuetext", `${count} of ${this.#last}: ${words}`);
    this.#words.textContent = words;
    this.#counts.textContent = `Step ${count} of ${this.#last}. ${counts}`;
  }

  /** Whether the controls may be used: not while a quiz hides what comes. */
  set enabled(may) {
    this.stop();
    for (const control of [...this.#buttons, this.#slider]) {
      control.disabled = !may;
    }
  }

  /** Play no further. */
  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#play.textContent = "Play";
    this.#words.setAttribute("aria-live", "polite");
  }

  /** Play on from here, or stop. From the end it begins anew. */
  toggle() {
    if (this.#timer !== null) {
      this.stop();
      return;
    }
    if (this.#count >= this.#last) {
      this.#onStep(0);
    }
    this.#play.textContent = "Pause";
    // Nobody can listen to every step of a search that runs.
    this.#words.setAttribute("aria-live", "off");
    this.#timer = setInterval(() => this.#tick(), 1000 / Number(this.#speed.value));
  }

  #tick() {
    this.#onStep(Math.min(this.#last, this.#count + 1));
    if (this.#count >= this.#last) {
      this.stop();
    }
  }

  #go(count) {
    this.stop();
    this.#onStep(Math.max(0, Math.min(this.#last, count)));
  }

  #button(sign, title, action) {
    const name = title.replace(/ \(.*/, "");
    return element(
      "button",
      { type: "button", class: "button", "aria-label": name, title, on: { click: action } },
      icon(sign),
    );
  }

  #listen() {
    this.#play.addEventListener("click", () => this.toggle());
    this.#play.title = "Play the steps, or pause (Space)";
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value)));
    this.#slider.addEventListener("keydown", (event) => {
      if (event.key === " ") {
        event.preventDefault();
        this.toggle();
      }
    });
    this.#speed.addEventListener("change", () => {
      if (this.#timer !== null) {
        this.stop();
        this.toggle();
      }
    });
    const when = () => !this.#slider.disabled;
    registerKeys([
      {
        keys: ["ArrowLeft"], description: "Step back", when,
        action: () => this.#go(this.#count - 1),
      },
      {
        keys: ["ArrowRight"], description: "Step forward", when,
        action: () => this.#go(this.#count + 1),
      },
      { keys: ["Home"], description: "To the first step", when, action: () => this.#go(0) },
      { keys: ["End"], description: "To the last step", when, action: () => this.#go(this.#last) },
      { keys: [" "], description: "Play the steps, or pause", when, action: () => this.toggle() },
    ]);
  }
}

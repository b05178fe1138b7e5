/** The controls that step through a search: buttons, a slider, keys, and a timer that plays. */

import { iconOnlyButton, option } from "../shared/controls.js";
import { element, uniqueId } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";

/** @import { IconName } from "../shared/icons.js" */

/** Steps a second. */
const SPEEDS = [1, 2, 5, 15, 50];
const FIRST_SPEED = 2;

export class StepControls {
  #onStep;
  #slider;
  #stepText;
  #counts;
  #playButton;
  #speed;
  #buttons;
  #last = 0;
  #count = 0;
  /** @type {number|null} */
  #timer = null;

  /**
   * @param {HTMLElement} host
   * @param {{onStep: (count: number) => void}} listeners called with the number of steps done
   */
  constructor(host, { onStep }) {
    this.#onStep = onStep;
    const id = uniqueId("step");
    this.#slider = element("input", { id, type: "range", min: 0, max: 0, value: 0, step: 1 });
    this.#stepText = element("p", { class: "step-text", "aria-live": "polite" });
    this.#counts = element("p", { class: "soft numbers" });
    this.#playButton = element("button", {
      type: "button",
      class: "button primary",
      text: "Play",
      title: "Play the steps, or pause (Space)",
    });
    this.#speed = element(
      "select",
      {},
      ...SPEEDS.map((speed) => option(speed, `${speed} a second`)),
    );
    this.#speed.value = String(FIRST_SPEED);
    this.#buttons = [
      this.#stepButton("first", "First step", "Home", () => 0),
      this.#stepButton("previous", "Step back", "←", () => this.#count - 1),
      this.#playButton,
      this.#stepButton("next", "Step forward", "→", () => this.#count + 1),
      this.#stepButton("last", "Last step", "End", () => this.#last),
    ];
    host.replaceChildren(
      element(
        "div",
        { class: "step-controls" },
        element("div", { class: "bar" }, ...this.#buttons),
        element("label", { class: "visually-hidden", for: id, text: "Step of the search" }),
        this.#slider,
        element("label", { class: "check" }, "Speed ", this.#speed),
      ),
      this.#stepText,
      this.#counts,
    );
    this.#listen();
    this.#registerKeys();
  }

  /**
   * A search with this many steps is on show.
   *
   * @param {number} last
   */
  load(last) {
    this.stop();
    this.#last = last;
    this.#slider.max = String(last);
  }

  /**
   * Show that `count` steps are done, what the last of them did, and what was counted so far.
   *
   * @param {number} count
   * @param {string} stepText
   * @param {string} counts
   */
  show(count, stepText, counts) {
    this.#count = count;
    this.#slider.value = String(count);
    this.#slider.setAttribute("aria-valuetext", `${count} of ${this.#last}: ${stepText}`);
    this.#stepText.textContent = stepText;
    this.#counts.textContent = `Step ${count} of ${this.#last}. ${counts}`;
  }

  /** Whether the controls may be used: not while a quiz hides the next steps. */
  set enabled(/** @type {boolean} */ may) {
    this.stop();
    for (const control of [...this.#buttons, this.#slider]) {
      control.disabled = !may;
    }
  }

  /** Stop playing. */
  stop() {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
    this.#playButton.textContent = "Play";
    this.#stepText.setAttribute("aria-live", "polite");
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
    this.#playButton.textContent = "Pause";
    // Speech cannot follow a search that plays.
    this.#stepText.setAttribute("aria-live", "off");
    this.#timer = setInterval(() => this.#tick(), 1000 / Number(this.#speed.value));
  }

  #tick() {
    this.#onStep(Math.min(this.#last, this.#count + 1));
    if (this.#count >= this.#last) {
      this.stop();
    }
  }

  /** @param {number} count */
  #go(count) {
    this.stop();
    this.#onStep(Math.max(0, Math.min(this.#last, count)));
  }

  /**
   * @param {IconName} icon
   * @param {string} name
   * @param {string} key
   * @param {() => number} target
   */
  #stepButton(icon, name, key, target) {
    return iconOnlyButton(icon, name, () => this.#go(target()), { title: `${name} (${key})` });
  }

  #listen() {
    this.#playButton.addEventListener("click", () => this.toggle());
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
  }

  #registerKeys() {
    /**
     * @param {string} key
     * @param {string} description
     * @param {() => void} action
     */
    const shortcut = (key, description, action) => ({
      keys: [key],
      description,
      action,
      when: () => !this.#slider.disabled,
    });
    registerKeys([
      shortcut("ArrowLeft", "Step back", () => this.#go(this.#count - 1)),
      shortcut("ArrowRight", "Step forward", () => this.#go(this.#count + 1)),
      shortcut("Home", "To the first step", () => this.#go(0)),
      shortcut("End", "To the last step", () => this.#go(this.#last)),
      shortcut(" ", "Play the steps, or pause", () => this.toggle()),
    ]);
  }
}

/** The controls of a live game: run and pause, speed, restart, and keys that steer. */

import { directionPad, PAD_KEYS } from "../moves/direction-pad.js";
import { field, option, select } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";

/** @import { Table, SessionRequest } from "../shared/protocol.d.ts" */

/** @type {[number, string][]} */
const SPEEDS = [
  [1, "Slow: 1 s a ply"],
  [0.5, "As it is: 0.5 s"],
  [0.25, "Fast: 0.25 s"],
  [0.1, "Very fast: 0.1 s"],
];

export class LiveControls {
  #host;
  #send;
  /** @type {Table|null} */
  #session = null;
  /** @type {string|null} the key or button that is held down */
  #heldKey = null;
  #runButton;
  #restartButton;
  #speed;

  /**
   * @param {HTMLElement} host
   * @param {(message: SessionRequest) => void} send
   */
  constructor(host, send) {
    this.#host = host;
    this.#send = send;
    this.#runButton = element("button", { type: "button", class: "button primary" });
    this.#restartButton = element("button", { type: "button", class: "button", text: "Restart" });
    this.#speed = select(SPEEDS);
    this.#runButton.addEventListener("click", () => this.#toggle());
    this.#restartButton.addEventListener("click", () => send({ type: "live", restart: true }));
    this.#speed.addEventListener("change", () => {
      send({ type: "live", seconds: Number(this.#speed.value) });
    });
    host.append(
      element(
        "div",
        { class: "live-run" },
        element("div", { class: "row" }, this.#runButton, this.#restartButton),
        field("Speed", this.#speed),
      ),
      this.#pad(),
    );
    this.#registerKeys();
  }

  /**
   * Show a session; a key that is still held down goes on steering.
   *
   * @param {Table} session
   */
  show(session) {
    const plies = session.main.length;
    const hasAdvanced = this.#session !== null && plies !== this.#session.main.length;
    this.#session = session;
    this.#host.hidden = session.live === null;
    if (session.live === null) {
      return;
    }
    this.#runButton.textContent = session.live.running ? "Pause" : plies > 1 ? "Go on" : "Start";
    this.#runButton.hidden = session.result !== null;
    this.#showSpeed(session.live.seconds);
    if (hasAdvanced && this.#heldKey !== null) {
      this.#send({ type: "steer", key: this.#heldKey });
    }
  }

  /** @param {number} seconds */
  #showSpeed(seconds) {
    if (!SPEEDS.some(([value]) => value === seconds) && this.#speed.length === SPEEDS.length) {
      this.#speed.append(option(seconds, `${seconds} s a ply`));
    }
    if (document.activeElement !== this.#speed) {
      this.#speed.value = String(seconds);
    }
  }

  #toggle() {
    this.#send({ type: "live", running: !this.#session?.live?.running });
  }

  /** @param {string} key */
  #steer(key) {
    this.#heldKey = key;
    this.#send({ type: "steer", key });
    if (!this.#session?.live?.running && this.#session?.result === null) {
      this.#toggle();
    }
  }

  #pad() {
    const pad = directionPad("Steer");
    for (const [key, button] of pad.buttons) {
      button.addEventListener("pointerdown", () => this.#steer(key));
      for (const event of ["pointerup", "pointerleave", "pointercancel"]) {
        button.addEventListener(event, () => this.#release(key));
      }
      button.addEventListener("click", (event) => {
        // A pointer has steered already; this is Enter, or a screen reader.
        if (event.detail === 0) {
          this.#steer(key);
          this.#release(key);
        }
      });
    }
    return pad.element;
  }

  /** @param {string} key */
  #release(key) {
    if (this.#heldKey === key) {
      this.#heldKey = null;
    }
  }

  #registerKeys() {
    const isLive = () => this.#session !== null && this.#session.live !== null;
    const common = { when: isLive, listed: isLive };
    registerKeys([
      {
        ...common,
        keys: PAD_KEYS,
        description: "Steer",
        action: (event) => event.repeat || this.#steer(event.key),
      },
      {
        ...common,
        keys: ["p"],
        description: "Pause or go on",
        action: () => this.#toggle(),
      },
      {
        ...common,
        keys: ["r"],
        description: "Restart",
        action: () => this.#restartButton.click(),
      },
    ]);
    document.addEventListener("keyup", (event) => this.#release(event.key));
    addEventListener("blur", () => {
      this.#heldKey = null;
    });
  }
}

/** The controls of a live game: run and pause, speed, restart, and keys that steer. */

import { element } from "../shared/dom.js";
import { registerKeys } from "../shared/page.js";
import { field, select } from "../dialogs/player-form.js";

const SPEEDS = [
  [1, "Slow: 1 s a ply"],
  [0.5, "As it is: 0.5 s"],
  [0.25, "Fast: 0.25 s"],
  [0.1, "Very fast: 0.1 s"],
];
const PAD = [
  ["ArrowUp", "↑", "Up"],
  ["ArrowLeft", "←", "Left"],
  [" ", "●", "Stay"],
  ["ArrowRight", "→", "Right"],
  ["ArrowDown", "↓", "Down"],
];

export class LiveControls {
  #host;
  #send;
  #table = null;
  #held = null;
  #run;
  #restart;
  #speed;

  /**
   * @param {HTMLElement} host
   * @param {function(Object): void} send sends a message to the table
   */
  constructor(host, send) {
    this.#host = host;
    this.#send = send;
    this.#run = element("button", { type: "button", class: "button primary" });
    this.#restart = element("button", { type: "button", class: "button", text: "Restart" });
    this.#speed = select(SPEEDS);
    this.#run.addEventListener("click", () => this.#toggle());
    this.#restart.addEventListener("click", () => send({ type: "live", restart: true }));
    this.#speed.addEventListener("change", () =>
      send({ type: "live", seconds: Number(this.#speed.value) }),
    );
    host.append(
      element(
        "div",
        { class: "live-run" },
        element("div", { class: "row" }, this.#run, this.#restart),
        field("Speed", this.#speed),
      ),
      this.#pad(),
    );
    this.#listen();
  }

  /** Show a table; a key that is still held down goes on steering. */
  show(table) {
    const plies = table.main.length;
    const advanced = this.#table !== null && plies !== this.#table.main.length;
    this.#table = table;
    this.#host.hidden = table.live === null;
    if (table.live === null) {
      return;
    }
    this.#run.textContent = table.live.running ? "Pause" : plies > 1 ? "Go on" : "Start";
    this.#run.hidden = table.result !== null;
    this.#showSpeed(table.live.seconds);
    if (advanced && this.#held !== null) {
      this.#send({ type: "steer", key: this.#held });
    }
  }

  #showSpeed(seconds) {
    if (!SPEEDS.some(([value]) => value === seconds) && this.#speed.length === SPEEDS.length) {
      this.#speed.append(element("option", { value: seconds, text: `${seconds} s a ply` }));
    }
    if (document.activeElement !== this.#speed) {
      this.#speed.value = seconds;
    }
  }

  #toggle() {
    this.#send({ type: "live", running: !this.#table.live.running });
  }

  #steer(key) {
    this.#held = key;
    this.#send({ type: "steer", key });
    if (!this.#table.live.running && this.#table.result === null) {
      this.#toggle();
    }
  }

  #pad() {
    const pad = element("div", { class: "pad", role: "group", "aria-label": "Steer" });
    for (const [key, sign, name] of PAD) {
      const button = element("button", {
        type: "button",
        class: "button",
        "aria-label": name,
        text: sign,
      });
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
      pad.append(button);
    }
    return pad;
  }

  #release(key) {
    if (this.#held === key) {
      this.#held = null;
    }
  }

  #listen() {
    const isLive = () => this.#table !== null && this.#table.live !== null;
    registerKeys([
      {
        keys: PAD.map(([key]) => key),
        description: "Steer",
        when: isLive,
        listed: isLive,
        action: (event) => event.repeat || this.#steer(event.key),
      },
      {
        keys: ["p"],
        description: "Pause or go on",
        when: isLive,
        listed: isLive,
        action: () => this.#toggle(),
      },
      {
        keys: ["r"],
        description: "Restart",
        when: isLive,
        listed: isLive,
        action: () => this.#restart.click(),
      },
    ]);
    document.addEventListener("keyup", (event) => this.#release(event.key));
    addEventListener("blur", () => {
      this.#held = null;
    });
  }
}

/** The engine on the Analyse page: whether it runs, how, and what it says while it thinks. */

import { element, freshId, sentence } from "../shared/dom.js";
import { store, stored } from "../shared/page.js";
import { scaleWords } from "../shared/value-text.js";

const RUNNING = "plyground-engine";
const LINES = "plyground-lines";
const THREADS = "plyground-threads";

export class Engine {
  #thinking;
  #onLines;
  #button;
  #lines;
  #threads;
  #status;
  #scale;
  #place = null;
  #isOver = false;
  #isOn = stored(RUNNING) !== "off";

  /**
   * @param {{thinking: Thinking, button: HTMLButtonElement, host: HTMLElement,
   *   onLines: function(object|null, string): void}} parts `onLines` gets each answer, or null
   *   and why there is none
   */
  constructor({ thinking, button, host, onLines }) {
    this.#thinking = thinking;
    this.#onLines = onLines;
    this.#button = button;
    const cores = Math.max(1, Math.min(16, navigator.hardwareConcurrency || 1));
    this.#lines = choice([1, 2, 3, 4, 5], stored(LINES) ?? "3");
    this.#threads = choice(upTo(cores), stored(THREADS) ?? "1");
    this.#status = element("p", { class: "soft numbers engine-status" });
    this.#scale = element("p");
    host.replaceChildren(
      this.#status,
      element(
        "div",
        { class: "fields" },
        field("Lines", this.#lines),
        field("Threads", this.#threads),
      ),
      element("details", {}, element("summary", { text: "What the bar shows" }), this.#scale),
    );
    this.#listen();
    this.#showButton();
  }

  /** Think about this place from now on; of a finished game there is nothing to think. */
  look(place, view, game) {
    this.#place = place;
    this.#isOver = view.over;
    this.#scale.textContent = scaleWords(game.point, game.players);
    this.#restart();
  }

  /** Start, or stop. */
  toggle() {
    this.#isOn = !this.#isOn;
    store(RUNNING, this.#isOn ? null : "off");
    this.#showButton();
    this.#restart();
  }

  #restart() {
    this.#thinking.stop("search");
    this.#status.textContent = "";
    if (this.#place === null) {
      return;
    }
    if (this.#isOver) {
      this.#onLines(null, "The game is over here.");
    } else if (!this.#isOn) {
      this.#onLines(null, "The engine is stopped.");
    } else if (!document.hidden) {
      this.#ask();
    }
  }

  #ask() {
    const question = {
      type: "search",
      place: this.#place,
      lines: Number(this.#lines.value),
      threads: Number(this.#threads.value),
    };
    this.#status.textContent = "Thinking…";
    this.#thinking.ask(question, (message) => {
      if (message.type === "error") {
        this.#onLines(null, message.message);
        this.#status.textContent = "";
      } else if (message.type === "notice") {
        this.#status.textContent = sentence(message.text);
      } else {
        this.#status.textContent = statusText(message);
        this.#onLines(message, "");
      }
    });
  }

  #showButton() {
    this.#button.textContent = this.#isOn ? "Stop" : "Start";
    this.#button.classList.toggle("primary", !this.#isOn);
  }

  #listen() {
    this.#button.addEventListener("click", () => this.toggle());
    this.#lines.addEventListener("change", () => {
      store(LINES, this.#lines.value);
      this.#restart();
    });
    this.#threads.addEventListener("change", () => {
      store(THREADS, this.#threads.value);
      this.#restart();
    });
    // A page that nobody sees leaves the processor to others.
    document.addEventListener("visibilitychange", () => this.#restart());
  }
}

/** How deep, how many, how fast. */
export function statusText({ type, depth, selective_depth: selective, nodes, seconds, proven }) {
  const deep = selective > depth ? `Depth ${depth}, at most ${selective}` : `Depth ${depth}`;
  const speed = seconds > 0 ? ` · ${rounded(nodes / seconds)} a second` : "";
  const end = proven ? " · proven" : type === "done" ? " · finished" : "";
  return `${deep} · ${rounded(nodes)} nodes${speed}${end}`;
}

/** A number of nodes that can be read at a glance. */
export function rounded(number) {
  if (number < 10_000) {
    return Math.round(number).toLocaleString("en");
  }
  const [unit, name] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / unit).toPrecision(3)} ${name}`;
}

function upTo(number) {
  return Array.from({ length: number }, (_, index) => index + 1);
}

function choice(numbers, chosen) {
  const options = numbers.map((number) => element("option", { value: number, text: number }));
  const select = element("select", { id: freshId("engine") }, ...options);
  select.value = numbers.includes(Number(chosen)) ? chosen : numbers[0];
  return select;
}

function field(name, control) {
  const label = element("label", { for: control.id, text: name });
  return element("div", { class: "field" }, label, control);
}

/** Who can play a side: the kinds of players, their limits, and their names in words. */

import { element, freshId } from "../shared/dom.js";

/** Each kind: its name, what it is, and the limits that mean something to it, first the default. */
export const KINDS = {
  human: { name: "Human", help: "A person at this board.", limits: [] },
  engine: {
    name: "Engine",
    help: "The strongest: a compiled alpha-beta search.",
    limits: ["seconds", "depth", "nodes"],
    threads: true,
  },
  "alpha-beta": {
    name: "Alpha-beta",
    help: "The textbook’s search, step by step deeper.",
    limits: ["seconds", "depth", "nodes"],
  },
  minimax: { name: "Minimax", help: "Looks at everything, to a depth.", limits: ["depth"] },
  "monte-carlo": {
    name: "Monte Carlo",
    help: "Plays many games at random and keeps to what went well.",
    limits: ["seconds", "nodes"],
  },
  perfect: {
    name: "Perfect",
    help: "Solves the game first; on a large board that takes long.",
    limits: [],
    threads: true,
  },
  random: { name: "Random", help: "Any legal move.", limits: [] },
};

const LIMITS = {
  seconds: { way: "Time", name: "Seconds", start: 1, min: 0.05, max: 86400, step: "any" },
  depth: { way: "Depth", name: "Plies", start: 4, min: 1, max: 1000, step: 1 },
  nodes: { way: "Nodes", name: "Positions", start: 100000, min: 1, max: 1e15, step: 1 },
};
const MINIMAX_DEPTH = 3;

/** A player in words: "engine, 1 s a move". */
export function playerText(spec) {
  const parts = [KINDS[spec.kind]?.name ?? spec.kind];
  if (spec.seconds) {
    parts.push(`${spec.seconds} s`);
  }
  if (spec.depth) {
    parts.push(`depth ${spec.depth}`);
  }
  if (spec.nodes) {
    parts.push(`${spec.nodes.toLocaleString("en")} positions`);
  }
  if (spec.threads > 1) {
    parts.push(`${spec.threads} threads`);
  }
  return parts.join(", ");
}

export function isHuman(spec) {
  return spec.kind === "human";
}

/** The controls for one side. */
export class PlayerForm {
  #kind;
  #limit;
  #amount;
  #threads;
  #parts;
  #help;

  /**
   * @param {string} name of the side
   * @param {Object} spec a PlayerSpec to begin with
   */
  constructor(name, spec) {
    this.#kind = select(Object.entries(KINDS).map(([value, kind]) => [value, kind.name]));
    this.#limit = select([]);
    this.#amount = element("input", { type: "number", required: true, inputmode: "decimal" });
    this.#threads = element("input", { type: "number", min: 1, max: 64, step: 1, value: 1 });
    this.#help = element("p", { class: "help soft" });
    this.#parts = {
      limit: field("Limited by", this.#limit),
      amount: field("Amount", this.#amount),
      threads: field("Threads", this.#threads),
    };
    this.element = element(
      "fieldset",
      { class: "player-form" },
      element("legend", { text: name }),
      element("div", { class: "fields" }, field("Who", this.#kind), ...Object.values(this.#parts)),
      this.#help,
    );
    this.#kind.addEventListener("change", () => this.#showKind());
    this.#limit.addEventListener("change", () => this.#showLimit());
    this.#begin(spec);
  }

  /** The PlayerSpec that the controls describe. */
  get spec() {
    const kind = KINDS[this.#kind.value];
    const spec = { kind: this.#kind.value };
    if (kind.limits.length > 0) {
      spec[this.#limit.value] = Number(this.#amount.value);
    }
    if (kind.threads && Number(this.#threads.value) > 1) {
      spec.threads = Number(this.#threads.value);
    }
    return spec;
  }

  #begin(spec) {
    this.#kind.value = spec.kind;
    this.#showKind();
    const limit = KINDS[spec.kind].limits.find((name) => spec[name] != null);
    if (limit) {
      this.#limit.value = limit;
      this.#showLimit();
      this.#amount.value = spec[limit];
    }
    this.#threads.value = spec.threads ?? 1;
  }

  #showKind() {
    const kind = KINDS[this.#kind.value];
    this.#help.textContent = kind.help;
    this.#limit.replaceChildren(...kind.limits.map((name) => option(name, LIMITS[name].way)));
    const limited = kind.limits.length > 0;
    this.#parts.limit.hidden = kind.limits.length < 2;
    this.#parts.amount.hidden = !limited;
    this.#parts.threads.hidden = !kind.threads;
    this.#amount.disabled = !limited;
    this.#threads.disabled = !kind.threads;
    if (limited) {
      this.#showLimit();
    }
  }

  #showLimit() {
    const { name, start, min, max, step } = LIMITS[this.#limit.value];
    Object.assign(this.#amount, { min, max, step });
    this.#amount.value = this.#kind.value === "minimax" ? MINIMAX_DEPTH : start;
    this.#parts.amount.querySelector("label").textContent = name;
  }
}

/** A control with its label above it. */
export function field(label, control, help = null) {
  control.id ||= freshId("field");
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id, text: label }),
    control,
    help && element("span", { class: "help", text: help }),
  );
}

/** A <select> of [value, text] pairs. */
export function select(choices) {
  return element("select", {}, ...choices.map(([value, text]) => option(value, text)));
}

function option(value, text) {
  return element("option", { value, text });
}

/** The kinds of players, their limits and names, and the controls that choose them. */

import { field, option, select } from "../shared/controls.js";
import { openDialog } from "../shared/dialog.js";
import { element, find } from "../shared/dom.js";
import { EvaluationSelect, evaluationText } from "../shared/evaluation-select.js";
import { placeOf } from "../shared/session.js";

/**
 * @import { GameCard, Level, Pair, Place, PlayerKind, PlayerSpec } from "../shared/protocol.d.ts"
 * @import { Table } from "../shared/protocol.d.ts"
 *
 * @typedef {"seconds"|"depth"|"nodes"} Limit
 *
 * @typedef {Object} Kind
 * @property {string} name
 * @property {string} help
 * @property {Limit[]} limits that this kind accepts, the default first
 * @property {boolean} [threads] whether it accepts a number of threads
 * @property {boolean} [evaluation] whether it accepts an evaluation
 */

/** @type {Record<PlayerKind, Kind>} */
const KINDS = {
  human: { name: "Human", help: "A person at this board.", limits: [] },
  engine: {
    name: "Engine",
    help: "The strongest: a compiled alpha-beta search.",
    limits: ["seconds", "depth", "nodes"],
    threads: true,
    evaluation: true,
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
  seconds: { by: "Time", name: "Seconds", start: 1, min: 0.05, max: 86400, step: "any" },
  depth: { by: "Depth", name: "Plies", start: 4, min: 1, max: 1000, step: 1 },
  nodes: { by: "Nodes", name: "Positions", start: 100000, min: 1, max: 1e15, step: 1 },
};
const MINIMAX_DEPTH = 3;
/** Before the name of a level, in the values of the choice. */
const LEVEL = "level:";
const AMOUNTS = /** @type {const} */ (["seconds", "depth", "nodes", "threads"]);

/**
 * A player in words: the name of its level, or "Engine, 3 s".
 *
 * @param {PlayerSpec} spec
 * @param {Level[]} levels of the game
 */
export function playerText(spec, levels) {
  const level = levelOf(spec, levels);
  if (level !== undefined) {
    return level.name;
  }
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
  if (spec.threads && spec.threads > 1) {
    parts.push(`${spec.threads} threads`);
  }
  if (spec.evaluation) {
    parts.push(evaluationText(spec.evaluation));
  }
  return parts.join(", ");
}

/**
 * The level that a player is, if it is one.
 *
 * @param {PlayerSpec} spec
 * @param {Level[]} levels
 */
function levelOf(spec, levels) {
  return levels.find(({ player }) =>
    player.kind === spec.kind &&
    (player.evaluation ?? null) === (spec.evaluation ?? null) &&
    AMOUNTS.every((name) => (player[name] ?? 0) === (spec[name] ?? 0))
  );
}

/** The controls for one side: a person, a computer by its level, or a search with its limits. */
export class PlayerForm {
  #levels;
  #who;
  #limit;
  #amount;
  #threads;
  #evaluation;
  #fields;
  #help;

  /**
   * @param {string} name of the side
   * @param {PlayerSpec} spec to begin with
   * @param {Level[]} levels of the game
   */
  constructor(name, spec, levels) {
    this.#levels = levels;
    this.#who = whoSelect(levels);
    this.#limit = select([]);
    this.#amount = element("input", { type: "number", required: true, inputmode: "decimal" });
    this.#threads = element("input", { type: "number", min: 1, max: 64, step: 1, value: 1 });
    this.#evaluation = new EvaluationSelect(spec.evaluation ?? null);
    this.#help = element("p", { class: "help soft" });
    this.#fields = {
      limit: field("Limited by", this.#limit),
      amount: field("Amount", this.#amount),
      threads: field("Threads", this.#threads),
    };
    this.element = element(
      "fieldset",
      { class: "player-form" },
      element("legend", { text: name }),
      element(
        "div",
        { class: "fields" },
        field("Who", this.#who),
        ...Object.values(this.#fields),
        this.#evaluation.field,
      ),
      this.#help,
      this.#evaluation.help,
    );
    this.#who.addEventListener("change", () => this.#showWho());
    this.#limit.addEventListener("change", () => this.#showLimit());
    this.#show(spec);
  }

  /**
   * Offer what the board of a place has.
   *
   * @param {Place} place
   * @param {GameCard} game
   */
  setBoard(place, game) {
    this.#evaluation.setBoard(place, game);
  }

  /**
   * The player that the controls describe.
   *
   * @returns {PlayerSpec}
   */
  get spec() {
    if (this.#level !== undefined) {
      return this.#level.player;
    }
    const kind = this.#kindName;
    const { limits, threads, evaluation } = KINDS[kind];
    return {
      kind,
      ...(limits.length > 0 && { [this.#limitName]: Number(this.#amount.value) }),
      ...(threads && Number(this.#threads.value) > 1 && { threads: Number(this.#threads.value) }),
      ...(evaluation && this.#evaluation.value && { evaluation: this.#evaluation.value }),
    };
  }

  /** The level that is chosen, if one is. */
  get #level() {
    return this.#levels.find(({ name }) => this.#who.value === LEVEL + name);
  }

  get #kindName() {
    return /** @type {PlayerKind} */ (this.#who.value);
  }

  get #limitName() {
    return /** @type {Limit} */ (this.#limit.value);
  }

  /** @param {PlayerSpec} spec */
  #show(spec) {
    const level = levelOf(spec, this.#levels);
    this.#who.value = level === undefined ? spec.kind : LEVEL + level.name;
    this.#showWho();
    const limit = level === undefined && KINDS[spec.kind].limits.find((name) => spec[name]);
    if (limit) {
      this.#limit.value = limit;
      this.#showLimit();
      this.#amount.value = String(spec[limit]);
    }
    this.#threads.value = String(spec.threads ?? 1);
  }

  #showWho() {
    /** @type {Omit<Kind, "name">} */
    const { limits, threads, evaluation, help } = this.#level === undefined
      ? KINDS[this.#kindName]
      : { limits: [], help: this.#level.text };
    const isLimited = limits.length > 0;
    this.#help.textContent = help;
    this.#limit.replaceChildren(...limits.map((name) => option(name, LIMITS[name].by)));
    this.#fields.limit.hidden = limits.length < 2;
    this.#fields.amount.hidden = !isLimited;
    this.#fields.threads.hidden = threads !== true;
    this.#amount.disabled = !isLimited;
    this.#threads.disabled = threads !== true;
    this.#evaluation.isShown = evaluation === true;
    if (isLimited) {
      this.#showLimit();
    }
  }

  #showLimit() {
    const { name, start, min, max, step } = LIMITS[this.#limitName];
    this.#amount.min = String(min);
    this.#amount.max = String(max);
    this.#amount.step = String(step);
    this.#amount.value = String(this.#kindName === "minimax" ? MINIMAX_DEPTH : start);
    find(this.#fields.amount, "label").textContent = name;
  }
}

/**
 * The choice of a player. A search that is a level without any limits is listed as that level
 * only.
 *
 * @param {Level[]} levels
 */
function whoSelect(levels) {
  const searches = /** @type {PlayerKind[]} */ (Object.keys(KINDS)).filter((kind) =>
    kind !== "human" && levelOf({ kind }, levels) === undefined
  );
  return element(
    "select",
    {},
    option("human", KINDS.human.name),
    element(
      "optgroup",
      { label: "Computer, by level" },
      ...levels.map(({ name, rating }) =>
        option(LEVEL + name, rating === null ? name : `${name}, rated ${rating}`)
      ),
    ),
    element(
      "optgroup",
      { label: "Computer, by search" },
      ...searches.map((kind) => option(kind, KINDS[kind].name)),
    ),
  );
}

/**
 * Open the dialog that changes the players in the middle of a game.
 *
 * @param {Table} session
 * @param {(players: Pair<PlayerSpec>) => void} onChosen
 */
export function openPlayersDialog(session, onChosen) {
  const { game, players } = session;
  const first = new PlayerForm(game.players[0], players[0], game.levels);
  const second = new PlayerForm(game.players[1], players[1], game.levels);
  for (const side of [first, second]) {
    side.setBoard(placeOf(session, session.main[0]), game);
  }
  const form = element(
    "form",
    { class: "stack" },
    first.element,
    second.element,
    element(
      "div",
      { class: "row end" },
      element("button", { type: "submit", class: "button primary", text: "Play on like this" }),
    ),
  );
  const dialog = openDialog("Who plays?", [form]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    onChosen([first.spec, second.spec]);
  });
}

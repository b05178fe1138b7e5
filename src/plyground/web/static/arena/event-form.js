/** The dialog that sets up a match, a tournament or a sequential test. */

import { OptionsForm } from "../dialogs/options-form.js";
import { checkEvent, errorMessage } from "../shared/api.js";
import { button, field, select } from "../shared/controls.js";
import { openDialog } from "../shared/dialog.js";
import { element, setText, uniqueId } from "../shared/dom.js";
import { readPreference, writePreference } from "../shared/preferences.js";
import { sentence } from "../shared/text.js";

/** @import { CheckedEvent, EventKind, GameCard, Level, NewEvent } from "../shared/protocol.d.ts" */

/** Milliseconds after the last change until the event is checked. */
const CHECK_DELAY = 250;
const MOST_PLAYERS = 20;
const STORED = "plyground-arena";
/** As on the command line: a test of fewer games would seldom decide anything. */
const GAMES = { match: 100, tournament: 100, sprt: 40_000 };
const SUGGESTIONS = [
  "engine",
  "engine:time=0.1",
  "engine:depth=6,features=exact",
  "engine:time=0.1,threads=2",
  "monte-carlo:nodes=20000",
  "alpha-beta:depth=4",
  "greedy",
  "random",
  "perfect",
  "player.py",
];
const HELP = {
  match: "Two players, in pairs of games from the same opening with sides swapped.",
  tournament: "Everyone against everyone, or the first against all others.",
  sprt: "Plays until it is decided whether the first player is better than the second.",
};

/**
 * Open the dialog.
 *
 * @param {Object} settings
 * @param {GameCard[]} settings.cards
 * @param {boolean} settings.engines whether players may be commands
 * @param {NewEvent|null} settings.start what was chosen last
 * @param {(event: NewEvent) => Promise<void>} settings.onStart
 */
export function openEventForm({ cards, engines, start, onStart }) {
  new EventForm(cards, engines, start ?? readStored(cards), onStart);
}

class EventForm {
  #cards;
  #onStart;
  #kind = select([
    ["match", "Match of two"],
    ["tournament", "Tournament"],
    ["sprt", "Sequential test (SPRT)"],
  ]);
  #kindHelp = element("p", { class: "soft small" });
  #game;
  #optionsHost = element("div");
  /** @type {OptionsForm|null} */
  #options = null;
  #suggestions = element("datalist", { id: uniqueId("players") });
  #playersHost = element("div", { class: "stack event-players" });
  /** @type {{input: HTMLInputElement, error: HTMLElement, element: HTMLElement}[]} */
  #players = [];
  #more = button("Another player", () => this.#addPlayer(""), { class: "button small" });
  #gauntlet = element("input", { type: "checkbox" });
  #morePlayers = element("div", { class: "row" });
  #games = number({ min: 2, max: 100_000, step: 2 });
  #control = select([["move", "Time for a move"], ["game", "Clock for a game"]]);
  #seconds = number({ min: 0.001, max: 86_400, step: "any" });
  #increment = number({ min: 0, max: 3600, step: "any" });
  #openings = select([
    ["random", "Random moves"],
    ["boards", "The game’s boards"],
    ["generator", "Random boards"],
  ]);
  #plies = number({ min: 0, max: 200, step: 1 });
  #balanced = element("input", { type: "checkbox" });
  #seed = number({ min: 0, max: 2_147_483_647, step: 1 });
  #proven = number({ min: 0, max: 1_000_000_000, step: 1 });
  #agreed = number({ min: 0, max: 1000, step: 1 });
  #longest = number({ min: 0, max: 1_000_000, step: 1 });
  #elo0 = number({ min: -1000, max: 1000, step: "any" });
  #elo1 = number({ min: -1000, max: 1000, step: "any" });
  #alpha = number({ min: 0.0001, max: 0.4999, step: "any" });
  #beta = number({ min: 0.0001, max: 0.4999, step: "any" });
  #model = select([["normalized", "Normalized Elo"], ["logistic", "Usual Elo"]]);
  #fields;
  #problems = {
    game: problem(),
    options: problem(),
    players: problem(),
    time: problem(),
    openings: problem(),
    test: problem(),
    "": problem(),
  };
  #command = element("p", { class: "mono command soft", role: "status" });
  #start = element("button", { type: "submit", class: "button primary", text: "Start" });
  #form;
  #dialog;
  /** @type {number|undefined} */
  #timer;
  #checks = 0;

  /**
   * @param {GameCard[]} cards
   * @param {boolean} engines
   * @param {NewEvent} start
   * @param {(event: NewEvent) => Promise<void>} onStart
   */
  constructor(cards, engines, start, onStart) {
    this.#cards = cards;
    this.#onStart = onStart;
    this.#game = select(cards.map(({ name, title }) => [name, title]));
    this.#fields = {
      games: field("Games", this.#games),
      increment: field("Seconds added by a move", this.#increment),
      seconds: field("Seconds", this.#seconds),
      plies: field("Random moves", this.#plies),
      balanced: check("Balanced", this.#balanced),
      gauntlet: check("Only the first against all others (gauntlet)", this.#gauntlet),
      test: this.#testFields(),
    };
    this.#morePlayers.append(this.#more, this.#fields.gauntlet);
    this.#form = this.#build(engines);
    this.#fill(start);
    this.#dialog = openDialog("New event", [this.#form], { kind: "wide" });
    this.#form.addEventListener("input", () => this.#changed());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#check();
  }

  /** @param {boolean} engines */
  #build(engines) {
    const notation = engines
      ? "A player is a search with options, a file player.py in its sandbox, or a program: ugi:COMMAND, uci:COMMAND."
      : "A player is a search with options, or a file player.py in its sandbox. Programs (ugi:, uci:) are not started from a page unless the app was started with plyground serve --allow-engines.";
    return element(
      "form",
      { class: "stack event-form", novalidate: true },
      this.#suggestions,
      element(
        "div",
        { class: "fields" },
        field("Kind", this.#kind),
        field("Game", this.#game),
        this.#fields.games,
      ),
      this.#kindHelp,
      this.#problems.game,
      this.#optionsHost,
      this.#problems.options,
      element(
        "fieldset",
        { class: "stack" },
        element("legend", { text: "Players" }),
        this.#playersHost,
        this.#problems.players,
        this.#morePlayers,
        element("p", { class: "soft small", text: notation }),
      ),
      this.#fields.test,
      element(
        "fieldset",
        { class: "stack" },
        element("legend", { text: "Time, for players without a limit of their own" }),
        element(
          "div",
          { class: "fields" },
          field("Control", this.#control),
          this.#fields.seconds,
          this.#fields.increment,
        ),
        this.#problems.time,
      ),
      element(
        "fieldset",
        { class: "stack" },
        element("legend", { text: "Openings" }),
        element(
          "div",
          { class: "fields" },
          field("Kind of openings", this.#openings),
          this.#fields.plies,
          field("Seed", this.#seed),
          this.#fields.balanced,
        ),
        this.#problems.openings,
      ),
      element(
        "details",
        {},
        element("summary", { text: "End games early" }),
        element(
          "div",
          { class: "fields" },
          field("Proven by so many nodes (0: never)", this.#proven),
          field("Agreed for so many moves (0: never)", this.#agreed),
          field("A draw after so many moves (0: never)", this.#longest),
        ),
      ),
      element(
        "div",
        { class: "event-form-end" },
        this.#problems[""],
        element("div", { class: "row apart" }, this.#command, this.#start),
      ),
    );
  }

  #testFields() {
    return element(
      "fieldset",
      { class: "stack" },
      element("legend", { text: "Test" }),
      element(
        "div",
        { class: "fields" },
        field("H0: better by", this.#elo0),
        field("H1: better by", this.#elo1),
        field("Kind of Elo", this.#model),
        field("Wrong H1 (alpha)", this.#alpha),
        field("Wrong H0 (beta)", this.#beta),
      ),
      this.#problems.test,
    );
  }

  /** @param {NewEvent} event */
  #fill(event) {
    const { test, clock } = event;
    this.#kind.value = event.kind;
    this.#game.value = event.game;
    this.#showOptions(event);
    event.players.forEach((text) => this.#addPlayer(text));
    this.#gauntlet.checked = event.gauntlet ?? false;
    this.#games.value = String(event.games ?? GAMES[event.kind]);
    this.#control.value = clock ? "game" : "move";
    this.#seconds.value = String(clock?.seconds ?? event.seconds ?? 0.1);
    this.#increment.value = String(clock?.increment ?? 0.1);
    this.#openings.value = event.openings ?? "random";
    this.#plies.value = String(event.plies ?? 4);
    this.#balanced.checked = event.balanced ?? false;
    this.#seed.value = String(event.seed ?? 0);
    this.#proven.value = String(event.proven ?? 0);
    this.#agreed.value = String(event.agreed ?? 0);
    this.#longest.value = String(event.longest ?? 0);
    this.#elo0.value = String(test?.elo0 ?? 0);
    this.#elo1.value = String(test?.elo1 ?? 10);
    this.#alpha.value = String(test?.alpha ?? 0.05);
    this.#beta.value = String(test?.beta ?? 0.05);
    this.#model.value = test?.model ?? "normalized";
    this.#game.addEventListener("change", () => this.#showOptions(null));
    this.#kind.addEventListener("change", () => {
      // A number that was typed stays.
      if (Object.values(GAMES).includes(Number(this.#games.value))) {
        this.#games.value = String(GAMES[/** @type {EventKind} */ (this.#kind.value)]);
      }
    });
    this.#showUseful();
  }

  get #card() {
    return this.#cards.find(({ name }) => name === this.#game.value) ?? this.#cards[0];
  }

  /** @param {NewEvent|null} event */
  #showOptions(event) {
    const card = this.#card;
    this.#options = new OptionsForm(card, event?.options ?? {}, () => this.#changed());
    this.#optionsHost.replaceChildren(
      ...(card.options.length === 0 ? [] : [
        element(
          "details",
          { open: Object.keys(event?.options ?? {}).length > 0 },
          element("summary", { text: "Board" }),
          this.#options.element,
        ),
      ]),
    );
    const levels = card.levels.map((level) => [notationOf(level), level.name]);
    const named = new Set(levels.map(([text]) => text));
    this.#suggestions.replaceChildren(
      ...levels.map(([value, name]) => element("option", { value, label: name })),
      ...SUGGESTIONS.filter((value) => !named.has(value)).map((value) =>
        element("option", { value })
      ),
    );
  }

  /** @param {string} text */
  #addPlayer(text) {
    const input = element("input", {
      type: "text",
      list: this.#suggestions.id,
      maxlength: 1000,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      value: text,
    });
    const error = problem();
    error.id = uniqueId("problem");
    input.setAttribute("aria-describedby", error.id);
    const remove = button("×", () => {
      this.#players = this.#players.filter((each) => each !== player);
      player.element.remove();
      this.#changed();
      this.#players.at(-1)?.input.focus();
    }, { class: "cross" });
    const line = field("", input);
    line.append(error);
    const player = {
      input,
      error,
      element: element("div", { class: "event-player" }, line, remove),
    };
    this.#players.push(player);
    this.#playersHost.append(player.element);
    this.#showUseful();
    if (this.#dialog !== undefined) {
      input.focus();
    }
  }

  #showUseful() {
    const kind = /** @type {EventKind} */ (this.#kind.value);
    const isTournament = kind === "tournament";
    this.#kindHelp.textContent = HELP[kind];
    setLabel(
      this.#fields.games,
      isTournament ? "Games of each two" : kind === "sprt" ? "Games at most" : "Games",
    );
    this.#fields.test.hidden = kind !== "sprt";
    this.#morePlayers.hidden = !isTournament;
    this.#more.hidden = this.#players.length >= MOST_PLAYERS;
    this.#fields.increment.hidden = this.#control.value !== "game";
    setLabel(
      this.#fields.seconds,
      this.#control.value === "game" ? "Seconds for a game" : "Seconds",
    );
    this.#fields.plies.hidden = this.#openings.value !== "random";
    this.#fields.balanced.hidden = this.#openings.value !== "random";
    this.#players.forEach(({ element: line }, at) => {
      const name = kind === "sprt" && at < 2
        ? ["New player", "Old player"][at]
        : `Player ${at + 1}`;
      setLabel(line, name);
      const remove = /** @type {HTMLButtonElement|null} */ (line.querySelector(".cross"));
      if (remove !== null) {
        remove.hidden = this.#players.length <= 2;
        remove.setAttribute("aria-label", `Remove ${name}`);
      }
      line.hidden = !isTournament && at >= 2;
    });
  }

  /** The first number that is missing or out of range. */
  get #wrongNumber() {
    /** @type {NodeListOf<HTMLInputElement>} */
    const numbers = this.#form.querySelectorAll("input[type=number]");
    return [...numbers].find((input) => {
      // What lies between two steps is rounded.
      const { badInput, valueMissing, rangeUnderflow, rangeOverflow } = input.validity;
      const isWrong = badInput || valueMissing || rangeUnderflow || rangeOverflow;
      return isWrong && input.closest("[hidden]") === null;
    });
  }

  /** The event that the form describes, if no number is wrong. */
  get #event() {
    const kind = /** @type {EventKind} */ (this.#kind.value);
    const texts = this.#players.map(({ input }) => input.value);
    const isClock = this.#control.value === "game";
    const seconds = Number(this.#seconds.value);
    const openings = /** @type {"random"|"boards"|"generator"} */ (this.#openings.value);
    const options = this.#options?.values ?? {};
    /** @type {NewEvent} */
    const event = {
      kind,
      game: this.#game.value,
      players: kind === "tournament" ? texts : texts.slice(0, 2),
      games: Math.round(Number(this.#games.value)),
      openings,
      plies: Math.round(Number(this.#plies.value)),
      balanced: openings === "random" && this.#balanced.checked,
      seed: Math.round(Number(this.#seed.value)),
      proven: Math.round(Number(this.#proven.value)),
      agreed: Math.round(Number(this.#agreed.value)),
      longest: Math.round(Number(this.#longest.value)),
      gauntlet: kind === "tournament" && this.#gauntlet.checked,
    };
    if (Object.keys(options).length > 0) {
      event.options = options;
    }
    if (isClock) {
      event.clock = { seconds, increment: Number(this.#increment.value) };
    } else {
      event.seconds = seconds;
    }
    if (kind === "sprt") {
      event.test = {
        elo0: Number(this.#elo0.value),
        elo1: Number(this.#elo1.value),
        alpha: Number(this.#alpha.value),
        beta: Number(this.#beta.value),
        model: /** @type {"normalized"|"logistic"} */ (this.#model.value),
      };
    }
    return event;
  }

  #changed() {
    this.#showUseful();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_DELAY);
  }

  /** Ask the server what is wrong; returns whether nothing is. */
  async #check() {
    clearTimeout(this.#timer);
    this.#checks += 1;
    const number = this.#checks;
    const wrong = this.#wrongNumber;
    if (wrong !== undefined) {
      this.#show({ problems: [{ field: "", message: rangeText(wrong) }], command: "" });
      return null;
    }
    const event = this.#event;
    let checked;
    try {
      checked = await checkEvent(event);
    } catch (error) {
      checked = { problems: [{ field: "", message: errorMessage(error) }], command: "" };
    }
    if (number === this.#checks) {
      this.#show(checked);
    }
    return checked.problems.length === 0 ? event : null;
  }

  /** @param {CheckedEvent} checked */
  #show({ problems, command }) {
    /** @param {string} name */
    const text = (name) => {
      const found = problems.find((each) => each.field === name);
      return found === undefined ? "" : sentence(found.message);
    };
    for (const [name, host] of Object.entries(this.#problems)) {
      setText(host, text(name));
    }
    this.#players.forEach(({ input, error }, at) => {
      const wrong = input.value.trim() === "" ? "" : text(`players.${at}`);
      setText(error, wrong);
      input.setAttribute("aria-invalid", String(wrong !== ""));
    });
    this.#command.textContent = command;
  }

  async #submit() {
    const event = await this.#check();
    if (event === null) {
      const invalid = this.#players.find(({ input }) =>
        input.value.trim() === "" || input.getAttribute("aria-invalid") === "true"
      );
      const wrong = this.#wrongNumber ?? invalid?.input ?? this.#start;
      const folded = wrong.closest("details");
      if (folded !== null) {
        folded.open = true;
      }
      wrong.focus();
      // The end of the form lies above what is scrolled to the edge.
      wrong.scrollIntoView({ block: "center" });
      return;
    }
    this.#start.disabled = true;
    try {
      await this.#onStart(event);
      writePreference(STORED, JSON.stringify(event));
      this.#dialog.close();
    } catch (error) {
      setText(this.#problems[""], sentence(errorMessage(error)));
    }
    this.#start.disabled = false;
  }
}

/** @param {Record<string, number|string>} limits */
function number(limits) {
  return element("input", { type: "number", required: true, ...limits });
}

/**
 * What a number should be.
 *
 * @param {HTMLInputElement} input
 */
function rangeText({ labels, min, max }) {
  const name = labels?.[0]?.textContent ?? "";
  const range = max === "" ? `of at least ${min}` : `from ${min} to ${max}`;
  return min === "" ? `${name}: a number is missing` : `${name}: it must be a number ${range}`;
}

/**
 * @param {string} label
 * @param {HTMLInputElement} box
 */
function check(label, box) {
  return element("label", { class: "check" }, box, label);
}

function problem() {
  return element("p", { class: "error", role: "alert" });
}

/**
 * @param {HTMLElement} host
 * @param {string} text
 */
function setLabel(host, text) {
  const label = host.querySelector("label");
  if (label !== null && label.textContent !== text) {
    label.textContent = text;
  }
}

/**
 * The notation of a level's player.
 *
 * @param {Level} level
 */
function notationOf({ player }) {
  const { kind, seconds, depth, nodes, threads, evaluation } = player;
  const options = Object.entries({ time: seconds, depth, nodes, threads, evaluation })
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${value}`);
  return options.length === 0 ? kind : `${kind}:${options.join(",")}`;
}

/**
 * What was started last in this browser.
 *
 * @param {GameCard[]} cards
 * @returns {NewEvent}
 */
function readStored(cards) {
  try {
    const stored = JSON.parse(readPreference(STORED) ?? "null");
    if (stored !== null && cards.some(({ name }) => name === stored.game)) {
      return stored;
    }
  } catch {
    // Of another version.
  }
  return { kind: "match", game: cards[0].name, players: ["engine:time=0.1", "random"] };
}

/**
 * The Arena page: the events of a store, of which one is watched. Events are started, stopped and
 * gone on with here; those that a terminal plays are shown as well.
 */

import { errorMessage, fetchGames, resumeEvent, startEvent, stopEvent } from "../shared/api.js";
import { button } from "../shared/controls.js";
import { byId, element } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { announce, showError } from "../shared/notifications.js";
import { startPage } from "../shared/page.js";
import { ReconnectingSocket } from "../shared/socket.js";
import { counted, sentence } from "../shared/text.js";
import { openEventForm } from "./event-form.js";
import { GamesPanel } from "./games-panel.js";
import { LiveBoards } from "./live-boards.js";
import { ResultsPanel, scoreText } from "./results-panel.js";

/**
 * @import { Arena, EventModel, ArenaReply, ArenaRequest } from "../shared/protocol.d.ts"
 * @import { EventCard, GameCard, NewEvent, Run } from "../shared/protocol.d.ts"
 */

/** Milliseconds between two announcements of a score. */
const ANNOUNCED_EVERY = 30_000;

const KINDS = { match: "Match", tournament: "Tournament", sprt: "Sequential test" };

class ArenaPage {
  /** @type {ReconnectingSocket<ArenaRequest, ArenaReply>} */
  #socket;
  #cards;
  #boards;
  #results;
  #games;
  /** @type {Arena|null} */
  #arena = null;
  /** @type {EventModel|null} */
  #event = null;
  /** The id of the event on show. */
  #chosen = new URL(location.href).searchParams.get("event");
  /** The run whose event is shown as soon as it is known. @type {number|null} */
  #awaited = null;
  /** The event that was started here last. @type {string|null} */
  #started = null;
  /** @type {Set<number>} */
  #dismissed = new Set();
  #announced = 0;
  #written = "";
  /** @type {Map<string, EventLink>} */
  #links = new Map();
  #stopButton = button("Stop", () => this.#stop(), { title: "Stop (S)" });
  #resumeButton = button("Go on", () => this.#resume(), { title: "Go on (S)" });
  #statusTag = element("span", { class: "tag" });
  /** @type {NewEvent|null} */
  #last = null;

  /** @param {GameCard[]} cards */
  constructor(cards) {
    this.#cards = cards;
    this.#boards = new LiveBoards(byId("boards"), announce);
    this.#results = new ResultsPanel(byId("results"));
    this.#games = new GamesPanel(byId("games"));
    byId("event-buttons").append(this.#statusTag, this.#stopButton, this.#resumeButton);
    const newEvent = byId("new", HTMLButtonElement);
    newEvent.disabled = false;
    newEvent.addEventListener("click", () => this.#openForm());
    addEventListener("popstate", () => {
      const event = new URL(location.href).searchParams.get("event");
      this.#choose(event ?? this.#arena?.events[0]?.id ?? null, { pushes: false });
    });
    registerKeys([
      { keys: ["n"], description: "New event", action: () => this.#openForm() },
      { keys: ["s"], description: "Stop, or go on", action: () => this.#toggle() },
      {
        keys: ["ArrowLeft"],
        description: "Previous board",
        action: () => this.#boards.step(-1),
      },
      { keys: ["ArrowRight"], description: "Next board", action: () => this.#boards.step(1) },
      { keys: ["f"], description: "Flip the board", action: () => this.#boards.flip() },
    ]);
    this.#socket = new ReconnectingSocket("/api/arena/socket", {
      onMessage: (message) => this.#receive(message),
      onState: (state) => state === "open" ? this.#watch() : this.#showLost(),
    });
  }

  // Messages

  /** @param {ArenaReply} message */
  #receive(message) {
    if (message.type === "arena") {
      this.#showArena(message);
    } else if (message.type === "event" && message.card.id === this.#chosen) {
      this.#showEvent(message);
    } else if (message.type === "boards" && message.event === this.#chosen) {
      this.#boards.count(message);
    } else if (message.type === "board" && message.event === this.#chosen) {
      this.#boards.show(message);
    } else if (message.type === "error") {
      showError(message.message);
    }
  }

  #watch() {
    const event = this.#chosen;
    this.#socket.send(event === null ? { type: "unwatch" } : { type: "watch", event });
  }

  #showLost() {
    byId("store").textContent = "The connection is lost. Trying again…";
  }

  /** @param {Arena} arena */
  #showArena(arena) {
    this.#arena = arena;
    const file = arena.store.split(/[\\/]/).at(-1);
    byId("store").title = arena.store;
    byId("store").textContent = arena.problem === null
      ? `Every game is kept in ${file}.`
      : sentence(arena.problem);
    const started = arena.runs.find((run) => run.number === this.#awaited);
    if (started !== undefined && started.event !== null) {
      this.#awaited = null;
      this.#started = started.event;
      this.#choose(started.event);
    } else if (started?.state === "failed") {
      this.#awaited = null;
    }
    if (this.#chosen === null && arena.events.length > 0 && this.#awaited === null) {
      this.#choose(arena.events[0].id, { pushes: false });
    }
    this.#showRuns(arena.runs);
    this.#showList(arena.events);
  }

  /**
   * Commands that are starting, and those that failed.
   *
   * @param {Run[]} runs
   */
  #showRuns(runs) {
    const shown = runs.filter(({ number, state }) =>
      (state === "starting" || state === "failed") && !this.#dismissed.has(number)
    );
    // Screen readers would say again what is written again.
    const written = JSON.stringify(shown);
    if (written !== this.#written) {
      this.#written = written;
      byId("runs").replaceChildren(...shown.map((run) => this.#runMessage(run)));
    }
  }

  /** @param {Run} run */
  #runMessage(run) {
    if (run.state === "starting") {
      return element(
        "p",
        { class: "panel run", role: "status" },
        "Starting… The first time, a game is compiled for this machine, which takes a while.",
      );
    }
    const close = button("×", () => {
      this.#dismissed.add(run.number);
      this.#showRuns(this.#arena?.runs ?? []);
    }, { class: "cross", "aria-label": "Close the message" });
    return element(
      "div",
      { class: "panel run failed", role: "alert" },
      element("p", {}, sentence(run.message)),
      close,
    );
  }

  /** @param {EventCard[]} events */
  #showList(events) {
    const list = byId("events");
    const links = events.map((card) => {
      const link = this.#links.get(card.id) ?? new EventLink(card.id, (id) => this.#choose(id));
      this.#links.set(card.id, link);
      link.show(card, card.id === this.#chosen);
      return link.element;
    });
    // Elements that stay where they are keep focus and scrolling.
    if (
      links.some((link, at) => list.children[at] !== link) || list.children.length !== links.length
    ) {
      list.replaceChildren(...links);
    }
    byId("no-events").hidden = events.length > 0;
    byId("no-event").hidden = this.#chosen === null || this.#event !== null ||
      events.some(({ id }) => id === this.#chosen);
  }

  // The event on show

  /**
   * @param {string|null} id
   * @param {{pushes?: boolean}} [options] whether the browser's history gets an entry
   */
  #choose(id, { pushes = true } = {}) {
    if (id === this.#chosen && this.#event?.card.id === id) {
      return;
    }
    this.#chosen = id;
    this.#event = null;
    byId("event").hidden = true;
    this.#boards.clear();
    if (pushes && id !== null) {
      history.pushState(null, "", `/arena?event=${id}`);
    }
    this.#watch();
    this.#showList(this.#arena?.events ?? []);
  }

  /** @param {EventModel} event */
  #showEvent(event) {
    const before = this.#event;
    this.#event = event;
    const { card } = event;
    const game = this.#cards.find(({ name }) => name === card.game) ?? null;
    byId("event").hidden = false;
    byId("event-title").textContent = titleOf(card);
    document.title = `${titleOf(card)} · Arena · plyground`;
    this.#showProgress(card);
    byId("facts").textContent = [KINDS[card.kind], card.title, ...event.facts].join(" · ");
    byId("command").textContent = event.command;
    this.#boards.setGame(game);
    this.#results.show(event);
    this.#games.show(event);
    this.#announce(before, event);
  }

  /** @param {EventCard} card */
  #showProgress({ games, total, status, own }) {
    const progress = byId("progress", HTMLProgressElement);
    progress.max = total ?? Math.max(1, games);
    progress.value = games;
    byId("progress-text").textContent = total === null
      ? counted(games, "game")
      : `${games.toLocaleString("en")} of ${counted(total, "game")}`;
    this.#statusTag.textContent = status;
    this.#statusTag.className = `tag status ${status}`;
    const isPlaying = status === "running" || status === "starting";
    this.#stopButton.hidden = !isPlaying;
    this.#stopButton.disabled = !own;
    this.#stopButton.title = own ? "Stop (S)" : "Another program plays it: press Ctrl-C there.";
    this.#resumeButton.hidden = isPlaying || status === "finished";
  }

  /**
   * Announce the end of an event, and its score from time to time.
   *
   * @param {EventModel|null} before
   * @param {EventModel} event
   */
  #announce(before, event) {
    const { card } = event;
    // One that was started here may be over before its first results arrive.
    const known = before?.card.status ?? (card.id === this.#started ? "starting" : card.status);
    const hasChanged = known !== card.status;
    const isDue = Date.now() - this.#announced >= ANNOUNCED_EVERY;
    if (hasChanged || (isDue && before !== null && before.card.games !== card.games)) {
      this.#announced = Date.now();
      const state = hasChanged ? `${sentence(card.status)} ` : "";
      announce(`${state}${sentence(`${counted(card.games, "game")}: ${scoreText(event)}`)}`);
    }
  }

  // Starting and stopping

  #openForm() {
    openEventForm({
      cards: this.#cards,
      engines: this.#arena?.engines ?? false,
      start: this.#last,
      onStart: async (event) => {
        this.#last = event;
        this.#awaited = await startEvent(event);
        announce("Starting.");
      },
    });
  }

  #toggle() {
    if (!this.#stopButton.hidden && !this.#stopButton.disabled) {
      this.#stop();
    } else if (!this.#resumeButton.hidden) {
      this.#resume();
    }
  }

  async #stop() {
    await this.#request(this.#stopButton, stopEvent);
  }

  async #resume() {
    await this.#request(this.#resumeButton, resumeEvent);
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {(id: string) => Promise<unknown>} send
   */
  async #request(pressed, send) {
    if (this.#chosen === null) {
      return;
    }
    pressed.disabled = true;
    try {
      await send(this.#chosen);
    } catch (error) {
      showError(errorMessage(error));
    }
    pressed.disabled = false;
  }
}

/** An entry of the list of events. */
class EventLink {
  #name = element("span", { class: "event-name" });
  #state = element("span", { class: "soft" });
  #link;

  /**
   * @param {string} id
   * @param {(id: string) => void} onChosen
   */
  constructor(id, onChosen) {
    this.#link = element("a", { href: `/arena?event=${id}` }, this.#name, this.#state);
    this.#link.addEventListener("click", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        onChosen(id);
      }
    });
    this.element = element("li", {}, this.#link);
  }

  /**
   * @param {EventCard} card
   * @param {boolean} isChosen
   */
  show(card, isChosen) {
    const games = card.total === null || card.status === "finished"
      ? counted(card.games, "game")
      : `${card.games.toLocaleString("en")} of ${counted(card.total, "game")}`;
    this.#name.textContent = titleOf(card);
    this.#state.textContent = `${KINDS[card.kind]} of ${card.title}, ${games}, ${card.status}`;
    this.#link.className = `event-link ${card.status}`;
    if (isChosen) {
      this.#link.setAttribute("aria-current", "true");
    } else {
      this.#link.removeAttribute("aria-current");
    }
  }
}

/** @param {EventCard} card */
function titleOf({ players }) {
  return players.length === 2
    ? players.join(" – ")
    : `${players.length} players: ${players.join(", ")}`;
}

startPage({ section: "arena" });
try {
  new ArenaPage(await fetchGames());
} catch (error) {
  showError(errorMessage(error));
}

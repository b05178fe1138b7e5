/**
 * The Replay page: a saved game from its first move to its last, at any speed. It does not change
 * the session: views are requested one by one and kept.
 */

import { Board } from "../board/board.js";
import { playerText } from "../dialogs/player-form.js";
import { addRulesToHeader } from "../dialogs/rules.js";
import { MoveList, resultText } from "../moves/move-list.js";
import {
  errorMessage,
  fetchSession,
  fetchView,
  recordUrl,
  replayUrl,
  RequestError,
} from "../shared/api.js";
import { option } from "../shared/controls.js";
import { byId, find } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { registerKeys } from "../shared/keyboard.js";
import { showNotFound } from "../shared/not-found.js";
import { announce, showError } from "../shared/notifications.js";
import { sessionId, startPage } from "../shared/page.js";
import { nodeOf, placeOf } from "../shared/session.js";
import { counted } from "../shared/text.js";
import { Playback, SPEEDS } from "./playback.js";

/** @import { Table, View } from "../shared/protocol.d.ts" */

/** Views that are requested in advance. */
const PREFETCHED = 2;
/** Above this speed moves are not announced: speech could not follow. */
const FASTEST_ANNOUNCED = 2;

/** The views of a session's main line, each requested once. */
class ViewCache {
  #session;
  /** @type {Map<number, Promise<View>>} */
  #views = new Map();

  /** @param {Table} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * The view after so many moves. Those that follow are requested too.
   *
   * @param {number} ply
   */
  get(ply) {
    const last = this.#session.main.length - 1;
    for (let next = ply + 1; next <= Math.min(last, ply + PREFETCHED); next += 1) {
      this.#request(next).catch(() => {}); // shown when that ply is
    }
    return this.#request(ply);
  }

  /** @param {number} ply */
  #request(ply) {
    let view = this.#views.get(ply);
    if (view === undefined) {
      view = fetchView(placeOf(this.#session, this.#session.main[ply]));
      view.catch(() => this.#views.delete(ply));
      this.#views.set(ply, view);
    }
    return view;
  }
}

class ReplayPage {
  #session;
  #line;
  #views;
  #board;
  #moves;
  #playback;
  #shown = -1;
  #first = byId("first");
  #previous = byId("previous");
  #run = byId("run");
  #next = byId("next");
  #last = byId("last");
  #speed = byId("speed", HTMLSelectElement);
  #flipButton = byId("flip");
  #slider = byId("ply", HTMLInputElement);
  #now = byId("now");

  /** @param {Table} session */
  constructor(session) {
    this.#session = session;
    this.#line = session.main.map((id) => nodeOf(session, id));
    this.#views = new ViewCache(session);
    this.#board = new Board(byId("board"), { onMove() {}, announce });
    this.#board.interactive = false;
    this.#moves = new MoveList(byId("moves"), {
      onSelect: (node) => this.#playback.go(session.main.indexOf(node)),
    });
    this.#playback = new Playback(this.#line.length - 1, () => this.#show());
    addRulesToHeader(session.game);
    this.#describe();
    this.#listen();
    this.#playback.go(0);
  }

  #describe() {
    const { id, game, names, players, result } = this.#session;
    document.title = `${game.title} · Replay · plyground`;
    byId("title").textContent = game.title;
    const sides = game.players.map((side, at) => {
      // A record that was opened has names of its own.
      const { kind } = players[at];
      const name = names[at] === kind ? playerText(players[at], game.levels) : names[at];
      return `${side}: ${name}`;
    });
    byId("sides").textContent = sides.join(" · ");
    byId("result").textContent = result === null ? "The game is not over." : resultText(result);
    byId("page-file", HTMLAnchorElement).href = replayUrl(id);
    byId("text-file", HTMLAnchorElement).href = recordUrl(id, "text");
    byId("json-file", HTMLAnchorElement).href = recordUrl(id, "json");
  }

  #listen() {
    const playback = this.#playback;
    find(document, "main").inert = false;
    this.#first.append(icon("first"));
    this.#previous.append(icon("previous"));
    this.#next.append(icon("next"));
    this.#last.append(icon("last"));
    this.#first.addEventListener("click", () => playback.go(0));
    this.#previous.addEventListener("click", () => playback.step(-1));
    this.#run.addEventListener("click", () => playback.toggle());
    this.#next.addEventListener("click", () => playback.step(1));
    this.#last.addEventListener("click", () => playback.go(playback.last));
    this.#slider.max = String(playback.last);
    this.#slider.addEventListener("input", () => playback.go(Number(this.#slider.value)));
    this.#speed.append(...SPEEDS.map((speed) => option(speed, speedText(speed))));
    this.#speed.addEventListener("change", () => playback.setSpeed(Number(this.#speed.value)));
    this.#flipButton.addEventListener("click", () => this.#flip());
    registerKeys([
      { keys: ["ArrowLeft"], description: "Previous move", action: () => playback.step(-1) },
      { keys: ["ArrowRight"], description: "Next move", action: () => playback.step(1) },
      { keys: ["Home"], description: "First position", action: () => playback.go(0) },
      { keys: ["End"], description: "Last position", action: () => playback.go(playback.last) },
      { keys: [" ", "p"], description: "Play on, or pause", action: () => playback.toggle() },
      { keys: ["+", "="], description: "Faster", action: () => playback.changeSpeed(1) },
      { keys: ["-"], description: "Slower", action: () => playback.changeSpeed(-1) },
      { keys: ["f"], description: "Flip the board", action: () => this.#flip() },
    ]);
  }

  #flip() {
    if (this.#board.canFlip) {
      this.#board.flipped = !this.#board.flipped;
      this.#flipButton.setAttribute("aria-pressed", String(this.#board.flipped));
    }
  }

  /** Show the ply of the playback. A view that comes too late for its ply is not shown. */
  async #show() {
    const { ply } = this.#playback;
    this.#showControls();
    if (ply === this.#shown) {
      return;
    }
    let view;
    try {
      view = await this.#views.get(ply);
    } catch (error) {
      showError(errorMessage(error));
      return;
    }
    if (ply !== this.#playback.ply || ply === this.#shown) {
      return;
    }
    this.#board.show(view, { animate: Math.abs(ply - this.#shown) === 1 });
    this.#flipButton.hidden = !this.#board.canFlip;
    const isFast = this.#playback.isRunning && this.#playback.speed > FASTEST_ANNOUNCED;
    const isFirst = this.#shown < 0 && ply === 0;
    if (!isFast && !isFirst) {
      announce(this.#plyText(ply));
    }
    this.#shown = ply;
  }

  #showControls() {
    const { ply, last, isRunning, speed } = this.#playback;
    const text = this.#plyText(ply);
    // Not `disabled`: a button that is pressed until the end would lose the focus.
    setDisabled(this.#first, ply === 0);
    setDisabled(this.#previous, ply === 0);
    setDisabled(this.#next, ply === last);
    setDisabled(this.#last, ply === last);
    setDisabled(this.#run, last === 0);
    this.#run.textContent = isRunning ? "Pause" : "Play";
    this.#speed.value = String(speed);
    this.#slider.value = String(ply);
    this.#slider.setAttribute("aria-valuetext", text);
    this.#now.textContent = text;
    const { main, result } = this.#session;
    this.#moves.show({ nodes: this.#line, main, result, current: main[ply] });
  }

  /**
   * "Move 3 of 20: White a2-a3; White is ahead by 2 points; depth 7", and how it ended.
   *
   * @param {number} ply
   */
  #plyText(ply) {
    const { last } = this.#playback;
    const { game, result } = this.#session;
    if (ply === 0) {
      return last === 0 ? "No move was played." : `Start of ${counted(last, "move")}`;
    }
    const node = this.#line[ply];
    const player = game.players[this.#line[ply - 1].turn];
    const parts = [
      `Move ${ply} of ${last}: ${player} ${node.move}`,
      node.value_text,
      node.depth ? `depth ${node.depth}` : null,
      node.comment || null,
      ply === last && result !== null ? resultText(result) : null,
    ];
    return parts.filter((part) => part !== null).join("; ");
  }
}

/**
 * @param {HTMLElement} button
 * @param {boolean} isDisabled
 */
function setDisabled(button, isDisabled) {
  button.setAttribute("aria-disabled", String(isDisabled));
}

/** @param {number} speed */
function speedText(speed) {
  return speed === 1 ? "1 move a second" : `${speed} moves a second`;
}

/** @param {unknown} error */
function showLoadError(error) {
  if (error instanceof RequestError && error.status === 404) {
    showNotFound();
  } else {
    showError(errorMessage(error));
  }
}

const id = sessionId();
startPage({ section: "replay", id });
fetchSession(id).then((session) => new ReplayPage(session), showLoadError);

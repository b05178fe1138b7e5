/**
 * The replay page: a saved game from its first move to its last, at any speed. Nothing here
 * changes the table: positions are asked for one by one and kept.
 */

import { get, post } from "../shared/api.js";
import { Board } from "../board/board.js";
import { element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { showAbsence } from "../shared/not-found.js";
import { MoveList, resultText } from "../moves/move-list.js";
import { announce, complain, registerKeys, startPage, tableId } from "../shared/page.js";
import { Playback, SPEEDS } from "./playback.js";
import { playerText } from "../dialogs/player-form.js";

const AHEAD = 2;
/** The speed from which moves are no longer said: a voice could not follow. */
const SILENT_SPEED = 2;

/** The views of a game's positions, each asked for once. */
class Views {
  #table;
  #line;
  #asked = new Map();

  constructor(table, line) {
    this.#table = table;
    this.#line = line;
  }

  /** The view after so many moves; those after it are asked for too, so that they are near. */
  at(place) {
    for (let ahead = 1; ahead <= AHEAD && place + ahead < this.#line.length; ahead += 1) {
      this.#ask(place + ahead).catch(() => {}); // whoever comes there is told
    }
    return this.#ask(place);
  }

  #ask(place) {
    let view = this.#asked.get(place);
    if (view === undefined) {
      view = post("/api/positions", this.#place(place));
      view.catch(() => this.#asked.delete(place));
      this.#asked.set(place, view);
    }
    return view;
  }

  #place(place) {
    const { game, options, start } = this.#table;
    const allowed = game.options.filter(({ name, with_text }) => with_text && name in options);
    return {
      game: game.name,
      text: start,
      options: Object.fromEntries(allowed.map(({ name }) => [name, options[name]])),
      moves: this.#line.slice(1, place + 1).map(({ move }) => move),
    };
  }
}

/** The page, once the table is known. */
class Replay {
  #table;
  #line;
  #views;
  #board;
  #moves;
  #playback;
  #shown = -1;
  #parts = Object.fromEntries(
    ["first", "previous", "run", "next", "last", "speed", "flip", "place", "now"].map((id) => [
      id,
      document.getElementById(id),
    ]),
  );

  constructor(table) {
    const nodes = new Map(table.nodes.map((node) => [node.id, node]));
    this.#line = table.main.map((id) => nodes.get(id));
    this.#table = { ...table, nodes: this.#line };
    this.#views = new Views(table, this.#line);
    this.#board = new Board(document.getElementById("board"), { onMove() {}, announce });
    this.#board.interactive = false;
    this.#moves = new MoveList(document.getElementById("moves"), {
      onSelect: (node) => this.#playback.go(table.main.indexOf(node)),
    });
    this.#playback = new Playback(this.#line.length - 1, () => this.#show());
    this.#describe();
    this.#listen();
    this.#playback.go(0);
  }

  #describe() {
    const { id, game, players, result } = this.#table;
    document.title = `${game.title} · Replay · plyground`;
    document.getElementById("title").textContent = game.title;
    const sides = game.players.map((name, side) => `${name}: ${playerText(players[side])}`);
    document.getElementById("sides").textContent = sides.join(" · ");
    document.getElementById("result").textContent =
      result === null ? "The game is not over." : resultText(result);
    const record = `/api/tables/${id}/record?format=`;
    document.getElementById("page-file").href = `/api/tables/${id}/replay`;
    document.getElementById("text-file").href = `${record}text`;
    document.getElementById("json-file").href = `${record}json`;
  }

  #listen() {
    document.querySelector("main").inert = false;
    for (const name of ["first", "previous", "next", "last"]) {
      this.#parts[name].append(icon(name));
    }
    const { first, previous, run, next, last, speed, flip, place } = this.#parts;
    const playback = this.#playback;
    first.addEventListener("click", () => playback.go(0));
    previous.addEventListener("click", () => playback.step(-1));
    run.addEventListener("click", () => playback.toggle());
    next.addEventListener("click", () => playback.step(1));
    last.addEventListener("click", () => playback.go(playback.last));
    place.max = playback.last;
    place.addEventListener("input", () => playback.go(Number(place.value)));
    speed.append(
      ...SPEEDS.map((each) => element("option", { value: each, text: speedWords(each) })),
    );
    speed.addEventListener("change", () => playback.setSpeed(Number(speed.value)));
    flip.addEventListener("click", () => this.#flip());
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
      this.#parts.flip.setAttribute("aria-pressed", String(this.#board.flipped));
    }
  }

  /** Show where the playback stands. A view that comes too late for its place is not shown. */
  async #show() {
    const { place } = this.#playback;
    this.#showControls();
    if (place === this.#shown) {
      return;
    }
    let view;
    try {
      view = await this.#views.at(place);
    } catch (error) {
      complain(error.message);
      return;
    }
    if (place !== this.#playback.place || place === this.#shown) {
      return;
    }
    this.#board.show(view, { animate: Math.abs(place - this.#shown) === 1 });
    this.#parts.flip.hidden = !this.#board.canFlip;
    const isFast = this.#playback.isRunning && this.#playback.speed > SILENT_SPEED;
    const isOpening = place === 0 && this.#shown < 0;
    if (!isFast && !isOpening) {
      announce(this.#words(place));
    }
    this.#shown = place;
  }

  #showControls() {
    const { place, last, isRunning, speed } = this.#playback;
    const parts = this.#parts;
    const words = this.#words(place);
    // Disabled ones would lose the focus of whoever pressed them until the end.
    for (const [button, useless] of [
      [parts.first, place === 0],
      [parts.previous, place === 0],
      [parts.next, place === last],
      [parts.last, place === last],
      [parts.run, last === 0],
    ]) {
      button.setAttribute("aria-disabled", String(useless));
    }
    parts.run.textContent = isRunning ? "Pause" : "Play";
    parts.speed.value = String(speed);
    parts.place.value = String(place);
    parts.place.setAttribute("aria-valuetext", words);
    parts.now.textContent = words;
    this.#moves.show({ ...this.#table, current: this.#line[place].id });
  }

  /** "Move 3 of 20: White a2-a3; White is ahead by 2 points, depth 7", and how it ended. */
  #words(place) {
    const last = this.#playback.last;
    if (place === 0) {
      return last === 0 ? "No move was played." : `Start of ${moveCount(last)}`;
    }
    const node = this.#line[place];
    const player = this.#table.game.players[this.#line[place - 1].turn];
    const said = [
      `Move ${place} of ${last}: ${player} ${node.move}`,
      node.value_text,
      node.depth ? `depth ${node.depth}` : null,
      node.comment || null,
      place === last && this.#table.result !== null ? resultText(this.#table.result) : null,
    ];
    return said.filter((part) => part !== null).join("; ");
  }
}

function moveCount(count) {
  return count === 1 ? "1 move" : `${count} moves`;
}

function speedWords(speed) {
  return speed === 1 ? "1 move a second" : `${speed} moves a second`;
}

startPage({ section: "replay", id: tableId() });
get(`/api/tables/${tableId()}`).then(
  (table) => new Replay(table),
  (error) => (error.status === 404 ? showAbsence() : complain(error.message)),
);

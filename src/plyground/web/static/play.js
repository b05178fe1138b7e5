/** The page where a game is played: wires the table's socket to board, seats, moves, controls. */

import { get, post, Socket } from "./api.js";
import { Board } from "./board.js";
import { changeTexts } from "./changes.js";
import { ask } from "./dialog.js";
import { element } from "./dom.js";
import { LiveControls } from "./live.js";
import { MoveInput } from "./moveinput.js";
import { MoveList } from "./movelist.js";
import { goPlay, openNewGame } from "./newgame.js";
import { announce, complain, registerKeys, startPage, tableId } from "./page.js";
import { openPlayers } from "./playersdialog.js";
import { isHuman } from "./players.js";
import { ownSide, Seats, turnOf } from "./seats.js";
import { words } from "./options.js";

const TYPED = "typed";
const id = tableId();
const place = (name) => document.getElementById(name);

let table = null;
let turned = false;

startPage({ section: "play", id });

const socket = new Socket(`/api/tables/${id}/socket`, { onMessage: receive, onState: connected });
const send = (message) => socket.send(message);
const board = new Board(place("board"), { onMove: (move) => playMove(move), announce });
const seats = new Seats(place("seat-far"), place("seat-near"));
const moves = new MoveList(place("moves"), { onSelect: (node) => send({ type: "goto", node }) });
const typed = new MoveInput(place("typed"), { onMove: (move) => playMove(move, TYPED) });
const live = new LiveControls(place("live"), send);

// Messages

function receive(message) {
  if (message.type === "table") {
    showTable(message);
  } else if (message.type === "hint") {
    showHint(message);
  } else if (message.type === "error") {
    if (message.ref === TYPED) {
      typed.complain(sentence(message.message));
      typed.focus();
    } else {
      complain(sentence(message.message));
    }
    board.show(table.view, { animate: false });
  }
}

async function connected(state) {
  document.body.classList.toggle("offline", state === "closed");
  if (state === "closed") {
    place("details").textContent = "The connection is lost. Trying again…";
    if (table === null) {
      await explainAbsence();
    }
  } else if (table !== null) {
    showStatus();
  }
}

/** Before the first message: the table may not exist at all. */
async function explainAbsence() {
  try {
    await get(`/api/tables/${id}`);
  } catch (error) {
    if (error.status === 404) {
      socket.close();
      place("status").textContent = "There is no such game";
      place("details").textContent = "It may have been deleted.";
      place("controls").replaceChildren(
        element("a", { class: "button", href: "/", text: "To the games" }),
      );
    }
  }
}

function showTable(next) {
  const before = table;
  table = next;
  if (before === null) {
    turned = ownSide(table) === 1;
    place("stage").removeAttribute("aria-busy");
  }
  board.flipped = turned;
  board.interactive = mayMove();
  if (before === null || before.current !== table.current || before.view.svg !== table.view.svg) {
    board.show(table.view, { animate: before !== null });
    typed.show(table.view);
  }
  typed.enabled = mayMove();
  seats.show(table, turned && board.canFlip);
  moves.show(table);
  live.show(table);
  showStatus();
  showControls();
  changeTexts(before, table).forEach(announce);
}

// Moving

/** Whether a person may move now, in the position on show. */
function mayMove() {
  const turn = turnOf(table);
  const atHead = table.current === table.head;
  return turn !== null && atHead && table.live === null && isHuman(table.players[turn]);
}

function playMove(move, ref = "board") {
  send({ type: "play", node: table.head, move, ref });
}

function playKey(key) {
  const move = table.view.moves.find((one) => one.key === key);
  playMove(move.text);
}

function isMoveKey(key) {
  return table !== null && mayMove() && table.view.moves.some((move) => move.key === key);
}

// Status

function showStatus() {
  const { game } = table;
  place("title").textContent = game.title;
  document.title = `${game.title} · plyground`;
  const [headline, details] = statusTexts();
  place("status").textContent = headline;
  place("details").textContent = details;
  place("details").hidden = details === "";
  place("outcome").hidden = table.result === null;
  place("back").hidden = table.current === table.head;
  place("stage").classList.toggle("over", table.result !== null);
}

function statusTexts() {
  const { game, result, players } = table;
  if (result !== null) {
    const { winner } = result;
    const headline = winner === null ? "A draw" : `${game.players[winner]} wins`;
    return [headline, sentence(result.reason)];
  }
  const turn = turnOf(table);
  const name = game.players[turn];
  const detail = [optionsText(), scoreText()].filter((text) => text !== "").join(" · ");
  if (table.live !== null) {
    return [table.live.running ? "The game runs" : "The game waits for you", detail];
  }
  if (isHuman(players[turn])) {
    return [ownSide(table) === turn ? `Your move, ${name}` : `${name} to move`, detail];
  }
  return [table.paused ? "Paused" : `${name} is thinking…`, detail];
}

function optionsText() {
  return Object.entries(table.options)
    .map(([name, value]) => `${words(name).toLowerCase()} ${words(String(value)).toLowerCase()}`)
    .join(", ");
}

function scoreText() {
  const { score } = table.view;
  if (score === null) {
    return "";
  }
  const leader = table.game.players[score > 0 ? 0 : 1];
  return score === 0 ? "even" : `${leader} leads by ${Math.abs(score)}`;
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

// Controls

const controls = {
  takeback: control("Take back", () => send({ type: "takeback" })),
  hint: control("Hint", () => send({ type: "hint" })),
  pause: control("Pause", () => send({ type: table.paused ? "resume" : "pause" })),
  flip: control("Flip", flip),
  swap: control("Swap sides", swapSides),
  players: control("Players…", () => openPlayers(table, setPlayers)),
  resign: control("Resign…", resign),
  fresh: control("New game…", () => openNewGame(table.game, { options: table.options })),
};
place("controls").append(...Object.values(controls));
place("outcome").append(
  control("Rematch", () => rematch(false), "primary"),
  control("Rematch, sides swapped", () => rematch(true)),
  element("a", { class: "button", href: `/analyse/${id}`, text: "Analyse" }),
  element("a", { class: "button", href: `/replay/${id}`, text: "Replay" }),
);
place("back").append(
  element("p", { text: "You are looking at another position." }),
  control("Back to the game", goHead, "primary"),
);
place("walk").append(
  walkButton("⏮", "First position", () => goTo(table.main[0])),
  walkButton("◀", "Previous move", goBack),
  walkButton("▶", "Next move", goOn),
  walkButton("⏭", "Last position", goHead),
);
place("files").append(
  fileLink("Save the record", "record?format=text"),
  fileLink("Record as JSON", "record?format=json"),
  fileLink("Replay as a page", "replay"),
);

function control(text, action, kind = "") {
  const attributes = { type: "button", class: `button ${kind}`.trim(), text };
  return element("button", { ...attributes, on: { click: action } });
}

function walkButton(text, label, action) {
  const attributes = { type: "button", class: "button small quiet", "aria-label": label, text };
  return element("button", { ...attributes, on: { click: action } });
}

function fileLink(text, path) {
  const href = `/api/tables/${id}/${path}`;
  return element("a", { class: "button small", href, download: "", text });
}

function showControls() {
  const humans = table.players.filter(isHuman).length;
  const over = table.result !== null;
  const isLive = table.live !== null;
  controls.takeback.disabled = humans === 0 || table.main.length < 2;
  controls.takeback.hidden = isLive;
  controls.hint.disabled = !mayMove();
  controls.hint.hidden = isLive || humans === 0;
  controls.pause.hidden = humans > 0 || isLive || over;
  controls.pause.textContent = table.paused ? "Go on" : "Pause";
  controls.flip.hidden = !board.canFlip;
  controls.swap.hidden = isLive || humans === 2;
  controls.players.hidden = isLive;
  controls.resign.hidden = humans === 0 || isLive;
  controls.resign.disabled = over;
}

function flip() {
  turned = !turned;
  board.flipped = turned;
  seats.show(table, turned);
  announce("The board is turned round.");
}

function swapSides() {
  turned = !turned;
  setPlayers([table.players[1], table.players[0]]);
}

function setPlayers(players) {
  send({ type: "players", players: players.map(given) });
}

/** A PlayerSpec without what was not asked for. */
function given(spec) {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

async function resign() {
  const player = ownSide(table) ?? turnOf(table);
  const question = `${table.game.players[player]} gives up, and the other side wins.`;
  if (await ask(question, { title: "Resign?", yes: "Resign" })) {
    send({ type: "resign", player });
  }
}

async function rematch(swap) {
  try {
    goPlay((await post("/api/tables", { like: id, swap })).id);
  } catch (error) {
    complain(sentence(error.message));
  }
}

function showHint({ move, touches, value_text: value }) {
  board.showHint(touches);
  const text = `Hint: ${move} (${value})`;
  place("details").hidden = false;
  place("details").textContent = text;
  announce(text);
}

// Walking through the moves

function goTo(node) {
  if (node !== undefined && node !== table.current) {
    send({ type: "goto", node });
  }
}

function goHead() {
  goTo(table.head);
}

function goBack() {
  goTo(table.nodes.find((node) => node.id === table.current).parent ?? undefined);
}

function goOn() {
  const children = table.nodes.filter((node) => node.parent === table.current);
  const next = children.find((node) => table.main.includes(node.id)) ?? children[0];
  goTo(next?.id);
}

// Keys

const ready = () => table !== null;
const usable = (name) => ready() && !controls[name].hidden && !controls[name].disabled;
const keyFor = (name, keys, description) => ({
  keys,
  description,
  when: () => usable(name),
  listed: () => ready() && !controls[name].hidden,
  action: () => controls[name].click(),
});
registerKeys([
  {
    keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "],
    description: "Move in this direction, or stay",
    when: isMoveKey,
    listed: () => table?.view.moves.some(({ key }) => key !== "") && table.live === null,
    action: (event) => playKey(event.key),
  },
  { keys: ["ArrowLeft"], description: "Previous move", when: ready, action: goBack },
  { keys: ["ArrowRight"], description: "Next move", when: ready, action: goOn },
  { keys: ["Home"], description: "First position", when: ready, action: () => goTo(table.main[0]) },
  { keys: ["End"], description: "Last position", when: ready, action: goHead },
  { keys: ["b"], description: "To the board", action: () => board.focus() },
  { keys: ["m"], description: "Type a move", action: () => typed.focus() },
  keyFor("takeback", ["u"], "Take back"),
  keyFor("hint", ["h"], "Hint"),
  keyFor("pause", ["p"], "Pause or go on"),
  keyFor("flip", ["f"], "Flip the board"),
  keyFor("swap", ["s"], "Swap sides"),
  keyFor("fresh", ["n"], "New game"),
]);

/** The page where a game is played: wires the table's socket to board, seats, moves, controls. */

import { get, post, Socket } from "../shared/api.js";
import { Board } from "../board/board.js";
import { changeTexts } from "./change-text.js";
import { ask } from "../dialogs/dialog.js";
import { element, sentence } from "../shared/dom.js";
import { LiveControls } from "./live-controls.js";
import { MoveInput } from "../moves/move-input.js";
import { MoveList } from "../moves/move-list.js";
import { goPlay, openNewGame } from "../dialogs/new-game.js";
import { announce, complain, registerKeys, startPage, tableId } from "../shared/page.js";
import { button, fileLinks, outcomeButtons, PlayControls, walkButtons } from "./play-controls.js";
import { isHuman } from "../dialogs/player-form.js";
import { openPlayers } from "../dialogs/players-dialog.js";
import { optionsText, statusTexts } from "./status-text.js";
import { ownSide, Seats, turnOf } from "./player-bars.js";

const TYPED = "typed";
const LONGEST_GLIDE = 500;
const id = tableId();
const place = (name) => document.getElementById(name);

let table = null;
let turned = false;
let hint = "";

startPage({ section: "play", id });

const board = new Board(place("board"), { onMove: (move) => playMove(move), announce });
const seats = new Seats(place("seat-far"), place("seat-near"));
const moves = new MoveList(place("moves"), { onSelect: (node) => goTo(node) });
const typed = new MoveInput(place("typed"), { onMove: (move) => playMove(move, TYPED) });
const live = new LiveControls(place("live"), (message) => send(message));
const controls = new PlayControls(place("controls"), {
  takeback: () => send({ type: "takeback" }),
  hint: () => send({ type: "hint" }),
  pause: () => send({ type: table.paused ? "resume" : "pause" }),
  flip,
  swap: swapSides,
  players: () => openPlayers(table, setPlayers),
  resign,
  fresh: () => openNewGame(table.game, { options: table.options }),
});
place("outcome").append(...outcomeButtons(id, rematch));
place("back").append(
  element("p", { text: "This is another position than the game’s." }),
  button("last", "Back to the game", goHead, "primary"),
);
place("walk").append(
  ...walkButtons({ first: goStart, previous: goBack, next: goOn, last: goHead }),
);
place("files").append(...fileLinks(id));

const socket = new Socket(`/api/tables/${id}/socket`, { onMessage: receive, onState: connected });

function send(message) {
  socket.send(message);
}

// Messages

function receive(message) {
  if (message.type === "table") {
    showTable(message);
  } else if (message.type === "hint") {
    showHint(message);
  } else if (message.type === "error") {
    showError(message);
  } else if (message.type === "notice" && table !== null) {
    showNotice(message);
  }
}

/** Something takes longer, for the first time only; it stands there until the table changes. */
function showNotice({ text }) {
  place("details").textContent = sentence(text);
  announce(sentence(text));
}

function showError({ ref, message }) {
  if (ref === TYPED) {
    typed.complain(sentence(message));
    typed.focus();
  } else if (table !== null) {
    complain(sentence(message));
  }
  if (table !== null) {
    board.show(table.view, { animate: false });
  }
}

async function connected(state) {
  place("connection").hidden = state === "open";
  if (state === "closed" && table === null) {
    await explainAbsence();
  }
}

/** Before the first message: the table may not exist at all. */
async function explainAbsence() {
  try {
    await get(`/api/tables/${id}`);
  } catch (error) {
    if (error.status !== 0) {
      socket.close();
      place("connection").hidden = true;
      place("stage").replaceChildren(
        element("h1", { text: "There is no such game" }),
        element("p", { text: sentence(error.message) }),
        element("p", {}, element("a", { class: "button", href: "/", text: "To the games" })),
      );
      place("stage").className = "stack";
      place("stage").inert = false;
    }
  }
}

function showTable(next) {
  const before = table;
  const focused = document.activeElement;
  table = next;
  if (before === null) {
    turned = ownSide(table) === 1;
    place("stage").removeAttribute("aria-busy");
    place("stage").inert = false;
  }
  showBoard(before);
  seats.show(table, turned && board.canFlip);
  moves.show(table);
  live.show(table);
  controls.show(table, { mayMove: mayMove(), canFlip: board.canFlip });
  showStatus();
  changeTexts(before, table).forEach(announce);
  if (focused !== document.body && focused.closest("[hidden]") !== null) {
    place("status").focus();
  }
}

function showBoard(before) {
  const may = mayMove();
  board.flipped = turned;
  board.interactive = may;
  typed.enabled = may;
  place("typed").hidden =
    table.live !== null || table.result !== null || !table.players.some(isHuman);
  if (before === null || before.current !== table.current || before.view.svg !== table.view.svg) {
    hint = "";
    board.show(table.view, { animate: before === null ? false : moveTime() });
    typed.show(table.view);
    fitBoard();
  }
}

/** A live game glides from ply to ply; other moves are quick. */
function moveTime() {
  return table.live?.running ? Math.min(1000 * table.live.seconds, LONGEST_GLIDE) : true;
}

/** The board is as large as the window allows; its shape decides how wide that is. */
function fitBoard() {
  const box = place("board").querySelector("svg")?.viewBox.baseVal;
  if (box?.height > 0) {
    place("stage").style.setProperty("--board-ratio", box.width / box.height);
  }
}

function showStatus() {
  const [headline, details] = statusTexts(table);
  place("title").textContent = table.game.title;
  place("options").textContent = optionsText(table);
  document.title = `${table.game.title} · plyground`;
  place("status").textContent = headline;
  place("details").textContent = hint || details;
  place("outcome").hidden = table.result === null;
  place("back").hidden = table.current === table.head;
  place("stage").classList.toggle("over", table.result !== null);
}

function showHint({ move, touches, value_text: value }) {
  hint = `Hint: ${move} (${value})`;
  board.showHint(touches);
  showStatus();
  announce(hint);
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

function moveWithKey(key) {
  return table.view.moves.find((move) => move.key === key);
}

// What the buttons do

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
  send({ type: "players", players });
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

// Walking through the moves

function goTo(node) {
  if (node !== undefined && node !== table.current) {
    send({ type: "goto", node });
  }
}

function goStart() {
  goTo(table.main[0]);
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
const hasMoveKeys = () => ready() && table.view.moves.some(({ key }) => key !== "");
registerKeys([
  {
    keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "],
    description: "Move in this direction, or stay",
    when: (key) => ready() && mayMove() && moveWithKey(key) !== undefined,
    listed: () => hasMoveKeys() && table.live === null,
    action: (event) => playMove(moveWithKey(event.key).text),
  },
  // In a game of directions an arrow that is no move here means nothing, rather than a walk away.
  { keys: ["ArrowLeft"], description: "Previous move", when: walks, listed: walks, action: goBack },
  { keys: ["ArrowRight"], description: "Next move", when: walks, listed: walks, action: goOn },
  { keys: ["Home"], description: "First position", when: ready, action: goStart },
  { keys: ["End"], description: "Last position", when: ready, action: goHead },
  { keys: ["t"], description: "Say the clocks", when: timed, listed: timed, action: sayClocks },
  { keys: ["b"], description: "To the board", when: ready, action: () => board.focus() },
  { keys: ["m"], description: "Type a move", when: ready, action: () => typed.focus() },
]);

function timed() {
  return ready() && table.clock !== null;
}

function sayClocks() {
  announce(seats.timesText(table));
}

function walks() {
  return ready() && !(hasMoveKeys() && mayMove());
}

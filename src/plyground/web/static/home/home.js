/** The home page: a card for each game, recent games, files to open. */

import {
  createSession,
  deleteSession,
  errorMessage,
  fetchGames,
  fetchSessions,
  NO_ANSWER,
} from "../shared/api.js";
import { button } from "../shared/controls.js";
import { confirmDialog } from "../shared/dialog.js";
import { byId, element } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { announce, showError } from "../shared/notifications.js";
import { acceptFiles } from "../shared/open-file.js";
import { goToPlay, startPage } from "../shared/page.js";
import { counted } from "../shared/text.js";
import { GamePreview } from "./game-preview.js";

/** @import { GameCard, TableCard } from "../shared/protocol.d.ts" */

/** Milliseconds after the games are there until the dialogs are loaded, unless one is needed sooner:
 * the page is shown sooner without them. */
const DIALOG_DELAY = 300;
/** Milliseconds between two requests while games are being compiled. */
const PREPARATION_INTERVAL = 2000;

const games = byId("games");
const sessions = byId("sessions");

async function showGames() {
  const cards = await fetchGames();
  games.replaceChildren(...cards.map(gameCard));
  games.removeAttribute("aria-busy");
  void watchPreparation().catch(() => {}); // a server that has ended prepares nothing
  registerKeys([
    {
      keys: cards.slice(0, 9).map((_, index) => String(index + 1)),
      description: "New game of the first, second, … game",
      action: (event) => newGame(cards[Number(event.key) - 1]),
    },
  ]);
  acceptFiles({
    button: byId("open"),
    input: byId("file", HTMLInputElement),
    cards,
    onOpened: goToPlay,
  });
  setTimeout(loadDialogs, DIALOG_DELAY);
}

function loadDialogs() {
  void Promise.all([newGameDialog(), rulesDialog()]).catch(() => {}); // tried again when needed
}

const newGameDialog = () => loaded(import("../dialogs/new-game.js"));
const rulesDialog = () => loaded(import("../dialogs/rules.js"));

/**
 * @template Module
 * @param {Promise<Module>} module
 * @returns {Promise<Module>}
 */
async function loaded(module) {
  try {
    return await module;
  } catch {
    throw new Error(NO_ANSWER);
  }
}

/** @param {GameCard} card */
function newGame(card) {
  return tryTo(async () => (await newGameDialog()).openNewGame(card));
}

/** @param {GameCard} card */
function showRules(card) {
  return tryTo(async () => (await rulesDialog()).openRules(card));
}

/** @param {() => Promise<unknown>} action */
async function tryTo(action) {
  try {
    await action();
  } catch (error) {
    showError(errorMessage(error));
  }
}

/** @param {GameCard} card */
function gameCard(card) {
  const preview = new GamePreview(card);
  const play = () => newGame(card);
  preview.element.addEventListener("click", play);
  const made = element(
    "li",
    { class: "panel card" },
    preview.element,
    element("h3", { text: card.title }),
    element("p", { class: "soft", text: card.summary }),
    element(
      "div",
      { class: "row card-foot" },
      button("Play", play, { class: "button primary", "aria-label": `Play ${card.title}` }),
      button("Analyse", () => analyse(card), { "aria-label": `Analyse ${card.title}` }),
      button("Rules", () => showRules(card), {
        class: "button quiet",
        "aria-label": `Rules of ${card.title}`,
      }),
      card.file && element("span", { class: "tag", text: "your file" }),
      !card.ready && preparingTag(card),
    ),
  );
  preview.animateWithin(made);
  return made;
}

/** Shown until the engine of a game is compiled. It can be played at once all the same.
 *
 * @param {GameCard} card
 */
function preparingTag(card) {
  const title = "The engine is being compiled for this machine. Until then it sees less far.";
  return element("span", { class: "tag", title, "data-preparing": card.name, text: "preparing" });
}

/** Remove the tags of games that are ready, until all are. */
async function watchPreparation() {
  while (games.querySelector("[data-preparing]")) {
    await new Promise((done) => setTimeout(done, PREPARATION_INTERVAL));
    for (const card of await fetchGames()) {
      if (card.ready) {
        games.querySelector(`[data-preparing="${CSS.escape(card.name)}"]`)?.remove();
      }
    }
  }
}

/** @param {GameCard} card */
function analyse(card) {
  return tryTo(async () => {
    const id = await createSession({
      game: card.name,
      players: [{ kind: "human" }, { kind: "human" }],
    });
    location.assign(`/analyse/${id}`);
  });
}

async function showTables() {
  const cards = await fetchSessions();
  sessions.replaceChildren(...cards.map(sessionRow));
  byId("recent").hidden = cards.length === 0;
}

/** @param {TableCard} session */
function sessionRow(session) {
  const age = ageText(session.changed);
  const plies = counted(session.plies, "ply", "plies");
  const state = session.result === null ? plies : `${plies}, ${session.result.score}`;
  return element(
    "li",
    {},
    element(
      "div",
      { class: "recent-game" },
      element("a", { href: `/play/${session.id}`, text: session.title }),
      element("span", { class: "soft", text: session.players.join(" – ") }),
    ),
    element("span", { class: "numbers", text: state }),
    element("span", { class: "soft", text: age }),
    element(
      "div",
      { class: "row" },
      link(session, "analyse", "Analyse"),
      link(session, "replay", "Replay"),
      button("×", () => confirmDelete(session, age), {
        class: "cross",
        "aria-label": `Delete ${session.title}, ${age}`,
      }),
    ),
  );
}

/**
 * @param {TableCard} session
 * @param {string} page
 * @param {string} text
 */
function link(session, page, text) {
  return element(
    "a",
    { class: "button small quiet", href: `/${page}/${session.id}`, text },
    element("span", { class: "visually-hidden", text: ` ${session.title}` }),
  );
}

/**
 * @param {TableCard} session
 * @param {string} age
 */
async function confirmDelete(session, age) {
  const question = `The game of ${session.title}, ${age}, will be gone for good.`;
  if (!(await confirmDialog(question, { title: "Delete this game?", yes: "Delete" }))) {
    return;
  }
  await tryTo(async () => {
    await deleteSession(session.id);
    announce("Deleted.");
    await showTables();
    (sessions.querySelector("a") ?? byId("open")).focus();
  });
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * How long ago a time is: "3 minutes ago".
 *
 * @param {string} iso
 */
function ageText(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const found = UNITS.find(([, length]) => seconds >= length);
  if (found === undefined) {
    return "just now";
  }
  const [unit, length] = found;
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return format.format(-Math.floor(seconds / length), unit);
}

// The requests first: the header is made while the server answers.
const shown = tryTo(() => Promise.all([showGames(), showTables()]));
startPage({ section: "home" });
await shown;
addEventListener("pageshow", (event) => event.persisted && showTables());

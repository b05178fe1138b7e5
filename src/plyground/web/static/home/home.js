/** The home page: a card for each game, recent games, files to open. */

import { get, post, remove } from "../shared/api.js";
import { GamePicture } from "./game-preview.js";
import { ask } from "../dialogs/dialog.js";
import { element } from "../shared/dom.js";
import { acceptFiles } from "../shared/open-file.js";
import { goPlay, openNewGame } from "../dialogs/new-game.js";
import { announce, complain, registerKeys, startPage } from "../shared/page.js";

const games = document.getElementById("games");
const tables = document.getElementById("tables");

startPage({ section: "home" });

async function showGames() {
  const cards = await get("/api/games");
  games.replaceChildren(...cards.map(gameCard));
  games.removeAttribute("aria-busy");
  registerKeys([
    {
      keys: cards.slice(0, 9).map((card, index) => String(index + 1)),
      description: "New game of the first, second, … game",
      action: (event) => openNewGame(cards[Number(event.key) - 1]),
    },
  ]);
  acceptFiles({
    button: document.getElementById("open"),
    input: document.getElementById("file"),
    cards,
    onOpened: goPlay,
  });
}

function gameCard(card) {
  const drawing = new GamePicture(card);
  const play = element("button", {
    type: "button",
    class: "button primary",
    "aria-label": `Play ${card.title}`,
    text: "Play",
    on: { click: () => openNewGame(card) },
  });
  const analyse = element("button", {
    type: "button",
    class: "button",
    "aria-label": `Analyse ${card.title}`,
    text: "Analyse",
    on: { click: () => openAnalysis(card) },
  });
  drawing.element.addEventListener("click", () => openNewGame(card));
  const made = element(
    "li",
    { class: "panel card" },
    drawing.element,
    element("h3", { text: card.title }),
    element("p", { class: "soft", text: card.summary }),
    element(
      "div",
      { class: "row card-foot" },
      play,
      analyse,
      card.file && element("span", { class: "tag", text: "your file" }),
    ),
  );
  drawing.liveWithin(made);
  return made;
}

async function openAnalysis(card) {
  try {
    const players = [{ kind: "human" }, { kind: "human" }];
    const { id } = await post("/api/tables", { game: card.name, players });
    location.assign(`/analyse/${id}`);
  } catch (error) {
    complain(error.message);
  }
}

async function showTables() {
  const list = await get("/api/tables");
  tables.replaceChildren(...list.map(tableRow));
  document.getElementById("recent").hidden = list.length === 0;
}

function tableRow(table) {
  const when = timeText(table.changed);
  const plies = table.plies === 1 ? "1 ply" : `${table.plies} plies`;
  const state = table.result === null ? plies : `${plies}, ${table.result.score}`;
  return element(
    "li",
    {},
    element(
      "div",
      { class: "recent-game" },
      element("a", { href: `/play/${table.id}`, text: table.title }),
      element("span", { class: "soft", text: table.players.join(" – ") }),
    ),
    element("span", { class: "numbers", text: state }),
    element("span", { class: "soft", text: when }),
    element(
      "div",
      { class: "row" },
      link(table, "analyse", "Analyse"),
      link(table, "replay", "Replay"),
      element("button", {
        type: "button",
        class: "cross",
        "aria-label": `Delete ${table.title}, ${when}`,
        text: "×",
        on: { click: () => forget(table, when) },
      }),
    ),
  );
}

function link(table, page, text) {
  const href = `/${page}/${table.id}`;
  return element("a", { class: "button small quiet", href, text }, unseen(` ${table.title}`));
}

function unseen(text) {
  return element("span", { class: "unseen", text });
}

async function forget(table, when) {
  const question = `The game of ${table.title}, ${when}, will be gone for good.`;
  if (!(await ask(question, { title: "Delete this game?", yes: "Delete" }))) {
    return;
  }
  try {
    await remove(`/api/tables/${table.id}`);
    announce("Deleted.");
    await showTables();
    (tables.querySelector("a") ?? document.getElementById("open")).focus();
  } catch (error) {
    complain(error.message);
  }
}

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** A time that has passed, in words: "3 minutes ago". */
function timeText(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? [null, 1];
  if (unit === null) {
    return "just now";
  }
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return format.format(-Math.floor(seconds / length), unit);
}

try {
  await Promise.all([showGames(), showTables()]);
} catch (error) {
  complain(error.message);
}
addEventListener("pageshow", (event) => event.persisted && showTables());

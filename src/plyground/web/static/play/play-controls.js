/** The buttons of the page where a game is played. What they do is the page's business. */

import { element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { registerKeys } from "../shared/page.js";
import { isHuman } from "../dialogs/player-form.js";

/** Each button: its sign, its text, and the key that presses it. */
const BUTTONS = {
  takeback: ["takeback", "Take back", "u"],
  hint: ["hint", "Hint", "h"],
  pause: ["pause", "Pause", "p"],
  flip: ["flip", "Flip", "f"],
  swap: ["swap", "Swap sides", "s"],
  players: ["players", "Players…", null],
  resign: ["resign", "Resign…", null],
  fresh: ["new", "New game…", "n"],
};

export class PlayControls {
  #buttons = {};
  #table = null;

  /**
   * @param {HTMLElement} host
   * @param {Object<string, function(): void>} actions one for each name in BUTTONS
   */
  constructor(host, actions) {
    for (const [name, [sign, text]] of Object.entries(BUTTONS)) {
      this.#buttons[name] = button(sign, text, actions[name], "tile");
    }
    host.append(...Object.values(this.#buttons));
    registerKeys(Object.keys(BUTTONS).flatMap((name) => this.#keyFor(name)));
  }

  /**
   * @param {Object} table
   * @param {{mayMove: boolean, canFlip: boolean}} state of the page
   */
  show(table, { mayMove, canFlip }) {
    this.#table = table;
    const humans = table.players.filter(isHuman).length;
    const isOver = table.result !== null;
    const isLive = table.live !== null;
    const { takeback, hint, pause, flip, swap, players, resign } = this.#buttons;
    takeback.hidden = isLive || humans === 0;
    takeback.disabled = table.main.length < 2;
    hint.hidden = isLive || isOver || humans === 0;
    hint.disabled = !mayMove;
    pause.hidden = isLive || isOver || (humans > 0 && !table.paused);
    pause.lastChild.textContent = table.paused ? "Go on" : "Pause";
    pause.firstChild.replaceWith(icon(table.paused ? "next" : "pause"));
    flip.hidden = !canFlip;
    swap.hidden = isLive || isOver || humans === 2;
    players.hidden = isLive || isOver;
    resign.hidden = isLive || isOver || humans === 0;
  }

  #keyFor(name) {
    const [, text, key] = BUTTONS[name];
    if (key === null) {
      return [];
    }
    const made = this.#buttons[name];
    return [
      {
        keys: [key],
        description: text.replace("…", ""),
        when: () => this.#table !== null && !made.hidden && !made.disabled,
        listed: () => this.#table !== null && !made.hidden,
        action: () => made.click(),
      },
    ];
  }
}

/** The buttons that lead on when a game is over. */
export function outcomeButtons(id, rematch) {
  return [
    button("replay", "Rematch", () => rematch(false), "primary"),
    button("swap", "Rematch, sides swapped", () => rematch(true)),
    link("analyse", "Analyse", `/analyse/${id}`),
    link("next", "Replay", `/replay/${id}`),
  ];
}

/** The buttons that walk through the moves. */
export function walkButtons({ first, previous, next, last }) {
  return [
    walkButton("first", "First position", first),
    walkButton("previous", "Previous move", previous),
    walkButton("next", "Next move", next),
    walkButton("last", "Last position", last),
  ];
}

/** The links that save a game as a file. */
export function fileLinks(id) {
  const address = `/api/tables/${id}`;
  return [
    ["Save the record", `${address}/record?format=text`],
    ["Record as JSON", `${address}/record?format=json`],
    ["Replay as a page", `${address}/replay`],
  ].map(([text, href]) => {
    const made = link("save", text, href);
    made.classList.add("small");
    made.setAttribute("download", "");
    return made;
  });
}

/** A button with a sign and a text. */
export function button(sign, text, action, kind = "") {
  return element(
    "button",
    { type: "button", class: `button ${kind}`.trim(), on: { click: action } },
    icon(sign),
    element("span", { text }),
  );
}

function link(sign, text, href) {
  return element("a", { class: "button", href }, icon(sign), element("span", { text }));
}

function walkButton(sign, label, action) {
  const attributes = { type: "button", class: "button small quiet", "aria-label": label };
  return element("button", { ...attributes, title: label, on: { click: action } }, icon(sign));
}

/** The buttons of the Play page. The page supplies what they do. */

import { recordUrl, replayUrl } from "../shared/api.js";
import { iconButton, iconOnlyButton } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { registerKeys } from "../shared/keyboard.js";
import { isHuman } from "../shared/session.js";

/**
 * @import { IconName } from "../shared/icons.js"
 * @import { Shortcut } from "../shared/keyboard.js"
 * @import { Table } from "../shared/protocol.d.ts"
 *
 * @typedef {"takeback"|"hint"|"pause"|"flip"|"swap"|"players"|"resign"|"newGame"} ButtonName
 */

/**
 * Each button: its icon, its text, and its key.
 *
 * @type {Record<ButtonName, [IconName, string, string|null]>}
 */
const BUTTONS = {
  takeback: ["takeback", "Take back", "u"],
  hint: ["hint", "Hint", "h"],
  pause: ["pause", "Pause", "p"],
  flip: ["flip", "Flip", "f"],
  swap: ["swap", "Swap sides", "s"],
  players: ["players", "Players…", null],
  resign: ["resign", "Resign…", null],
  newGame: ["new", "New game…", "n"],
};
const NAMES = /** @type {ButtonName[]} */ (Object.keys(BUTTONS));

export class PlayControls {
  #buttons;
  /** @type {Table|null} */
  #session = null;

  /**
   * @param {HTMLElement} host
   * @param {Record<ButtonName, () => void>} actions
   */
  constructor(host, actions) {
    this.#buttons = /** @type {Record<ButtonName, HTMLButtonElement>} */ (Object.fromEntries(
      NAMES.map((name) => {
        const [iconName, text] = BUTTONS[name];
        return [name, iconButton(iconName, text, actions[name], "tile")];
      }),
    ));
    host.append(...Object.values(this.#buttons));
    registerKeys(NAMES.flatMap((name) => this.#shortcut(name)));
  }

  /**
   * @param {Table} session
   * @param {{mayMove: boolean, canFlip: boolean}} state of the page
   */
  show(session, { mayMove, canFlip }) {
    this.#session = session;
    const humans = session.players.filter(isHuman).length;
    const isOver = session.result !== null;
    const isLive = session.live !== null;
    const { takeback, hint, pause, flip, swap, players, resign } = this.#buttons;
    takeback.hidden = isLive || humans === 0;
    takeback.disabled = session.main.length < 2;
    hint.hidden = isLive || isOver || humans === 0;
    hint.disabled = !mayMove;
    pause.hidden = isLive || isOver || (humans > 0 && !session.paused);
    pause.replaceChildren(
      icon(session.paused ? "next" : "pause"),
      element("span", { text: session.paused ? "Go on" : "Pause" }),
    );
    flip.hidden = !canFlip;
    swap.hidden = isLive || isOver || humans === 2;
    players.hidden = isLive || isOver;
    resign.hidden = isLive || isOver || humans === 0;
  }

  /**
   * @param {ButtonName} name
   * @returns {Shortcut[]}
   */
  #shortcut(name) {
    const [, text, key] = BUTTONS[name];
    if (key === null) {
      return [];
    }
    const button = this.#buttons[name];
    return [
      {
        keys: [key],
        description: text.replace("…", ""),
        when: () => this.#session !== null && !button.hidden && !button.disabled,
        listed: () => this.#session !== null && !button.hidden,
        action: () => button.click(),
      },
    ];
  }
}

/**
 * The buttons that are shown when a game is over.
 *
 * @param {string} id
 * @param {(swap: boolean) => void} rematch
 */
export function outcomeButtons(id, rematch) {
  return [
    iconButton("replay", "Rematch", () => rematch(false), "primary"),
    iconButton("swap", "Rematch, sides swapped", () => rematch(true)),
    link("analyse", "Analyse", `/analyse/${id}`),
    link("next", "Replay", `/replay/${id}`),
  ];
}

/**
 * The buttons that go through the moves.
 *
 * @param {Record<"first"|"previous"|"next"|"last", () => void>} actions
 */
export function navigationButtons({ first, previous, next, last }) {
  const kind = "small quiet";
  return [
    iconOnlyButton("first", "First position", first, { kind }),
    iconOnlyButton("previous", "Previous move", previous, { kind }),
    iconOnlyButton("next", "Next move", next, { kind }),
    iconOnlyButton("last", "Last position", last, { kind }),
  ];
}

/**
 * The links that save a game as a file.
 *
 * @param {string} id
 */
export function fileLinks(id) {
  const links = [
    link("save", "Save the record", recordUrl(id, "text")),
    link("save", "Record as JSON", recordUrl(id, "json")),
    link("save", "Replay as a page", replayUrl(id)),
  ];
  for (const made of links) {
    made.classList.add("small");
    made.setAttribute("download", "");
  }
  return links;
}

/**
 * @param {IconName} name
 * @param {string} text
 * @param {string} href
 */
function link(name, text, href) {
  return element("a", { class: "button", href }, icon(name), element("span", { text }));
}

/** The boards of an event: one large, the others small beside it. */

import { Board } from "../board/board.js";
import { PositionSvg } from "../board/position-svg.js";
import { button } from "../shared/controls.js";
import { element } from "../shared/dom.js";
import { setSwatch } from "../shared/side-colours.js";
import { counted } from "../shared/text.js";

/** @import { BoardModel, Boards, GameCard, Side } from "../shared/protocol.d.ts" */

/**
 * @typedef {{shown: BoardModel, thumbnail: HTMLButtonElement, drawing: PositionSvg,
 *   caption: HTMLElement}} Slot
 */

export class LiveBoards {
  #host;
  #board;
  #frame;
  #bars = [playerBar(), playerBar()];
  #caption = element("p", { class: "soft numbers" });
  #status = element("p", { class: "soft" });
  #row = element("div", { class: "thumbnails", role: "group", "aria-label": "Choose a board" });
  #flip = button("Flip", () => this.flip(), { class: "button small", title: "Flip (F)" });
  /** @type {(Slot|undefined)[]} */
  #slots = [];
  #chosen = 0;
  #underWay = 0;
  /** Why the boards cannot be shown. @type {string|null} */
  #problem = null;
  /** @type {GameCard|null} */
  #game = null;

  /**
   * @param {HTMLElement} host
   * @param {(text: string) => void} announce
   */
  constructor(host, announce) {
    this.#host = host;
    const place = element("div");
    this.#board = new Board(place, { onMove() {}, announce });
    this.#board.interactive = false;
    this.#frame = element(
      "div",
      { class: "large-board" },
      this.#bars[1].element,
      place,
      this.#bars[0].element,
      element("div", { class: "row apart" }, this.#caption, this.#flip),
    );
    this.#host.append(this.#status, this.#frame, this.#row);
    this.clear();
  }

  /** Forget all boards: another event is shown. */
  clear() {
    this.#slots = [];
    this.#chosen = 0;
    this.#row.replaceChildren();
    this.#row.hidden = true;
    this.#frame.hidden = true;
    this.#underWay = 0;
    this.#problem = null;
    this.#showStatus();
  }

  /** @param {GameCard|null} game */
  setGame(game) {
    this.#game = game;
  }

  /** @param {Boards} boards */
  count({ under_way, problem }) {
    this.#underWay = under_way;
    this.#problem = problem;
    this.#showStatus();
  }

  /** @param {BoardModel} shown */
  show(shown) {
    const slot = this.#slots[shown.slot] ?? this.#addSlot(shown);
    const goesOn = isSameGame(slot.shown, shown) && shown.ply > slot.shown.ply;
    slot.shown = shown;
    const text = `Board ${shown.slot + 1}: ${shown.players.join(" – ")}, ${stateText(shown)}`;
    slot.thumbnail.setAttribute("aria-label", text);
    slot.thumbnail.title = text;
    slot.caption.textContent = shown.result?.score ?? `move ${shown.ply}`;
    slot.drawing.show(shown.view.svg, 0);
    slot.drawing.svg?.setAttribute("aria-hidden", "true");
    slot.drawing.tint(shown.view.last);
    if (shown.slot === this.#chosen) {
      this.#showLarge(shown, goesOn);
    }
  }

  /**
   * Show the next board, or the one before, in large.
   *
   * @param {number} by
   */
  step(by) {
    const count = this.#slots.length;
    if (count > 0) {
      this.#choose((this.#chosen + by + count) % count);
    }
  }

  flip() {
    if (this.#board.canFlip) {
      this.#board.flipped = !this.#board.flipped;
      this.#placeBars();
    }
  }

  #showStatus() {
    const idle = this.#slots.length === 0
      ? "No game has been played yet."
      : "No game is under way; this is how the last one ended.";
    const playing = this.#underWay === 0 ? idle : `${counted(this.#underWay, "game")} under way.`;
    this.#status.textContent = this.#problem ?? playing;
  }

  /** @param {BoardModel} shown */
  #addSlot(shown) {
    const host = element("span", { class: "thumbnail-drawing" });
    const caption = element("span", { class: "numbers", "aria-hidden": "true" });
    const thumbnail = button("", () => this.#choose(shown.slot), { class: "thumbnail" });
    thumbnail.append(host, caption);
    const slot = { shown, thumbnail, drawing: new PositionSvg(host), caption };
    this.#slots[shown.slot] = slot;
    this.#row.replaceChildren(...this.#slots.flatMap((each) => each?.thumbnail ?? []));
    this.#row.hidden = this.#slots.length < 2;
    this.#frame.hidden = false;
    this.#showStatus();
    this.#markChosen();
    return slot;
  }

  /** @param {number} slot */
  #choose(slot) {
    const found = this.#slots[slot];
    if (found !== undefined) {
      this.#chosen = slot;
      this.#markChosen();
      this.#showLarge(found.shown, false);
    }
  }

  #markChosen() {
    this.#slots.forEach((slot, number) => {
      slot?.thumbnail.setAttribute("aria-pressed", String(number === this.#chosen));
    });
  }

  /**
   * @param {BoardModel} shown
   * @param {boolean} animate
   */
  #showLarge(shown, animate) {
    this.#board.show(shown.view, { animate });
    this.#flip.hidden = !this.#board.canFlip;
    this.#placeBars();
    for (const side of /** @type {Side[]} */ ([0, 1])) {
      const isToMove = shown.result === null && !shown.view.over && shown.view.turn === side;
      this.#bars[side].show({
        name: shown.players[side],
        side: this.#game?.players[side] ?? "",
        colour: this.#game?.colours[side] ?? null,
        value: shown.values[side],
        seconds: shown.seconds[side],
        isToMove,
      });
    }
    const clock = shown.clock === "" ? "" : `, ${shown.clock}`;
    this.#caption.textContent = `Opening ${shown.opening}, ${stateText(shown)}${clock}`;
  }

  /** The player at the bottom is the one whose side of the board is there. */
  #placeBars() {
    const [lower, upper] = this.#board.flipped ? [1, 0] : [0, 1];
    this.#bars[upper].element.style.order = "0";
    this.#bars[lower].element.style.order = "2";
  }
}

/**
 * @param {BoardModel} one
 * @param {BoardModel} other
 */
function isSameGame(one, other) {
  return one.opening === other.opening && one.players.join() === other.players.join();
}

/** A player's name, clock and evaluation. */
function playerBar() {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  const name = element("b");
  const side = element("span", { class: "soft" });
  const value = element("span", { class: "soft numbers" });
  const time = element("span", { class: "numbers bar-time" });
  const made = element("div", { class: "board-player" }, swatch, name, side, value, time);
  return {
    element: made,
    /**
     * @param {{name: string, side: string, colour: string|null, value: string|null,
     *   seconds: number, isToMove: boolean}} shown
     */
    show(shown) {
      setSwatch(swatch, shown.colour);
      name.textContent = shown.name;
      side.textContent = shown.side;
      value.textContent = shown.value ?? "";
      time.textContent = `${shown.seconds.toFixed(shown.seconds < 10 ? 2 : 1)} s`;
      made.classList.toggle("to-move", shown.isToMove);
    },
  };
}

/** @param {BoardModel} board */
function stateText({ ply, move, result }) {
  if (result !== null) {
    return `${result.score}: ${result.reason}`;
  }
  return move === null ? "the start" : `move ${ply}: ${move}`;
}

/** The clocks of a session. Between two messages of the server they run on by themselves. */

/** @import { Clock, Pair, Side } from "../shared/protocol.d.ts" */

/** Milliseconds. */
const TICK = 100;
/** Seconds. */
const TENTHS_BELOW = 20;

export class Clocks {
  /** @type {HTMLElement[]} where the clock of each side is shown */
  #faces = [];
  /** @type {Clock|null} */
  #clock = null;
  #received = 0;
  /** @type {number|undefined} */
  #timer;

  /** @param {Pair<HTMLElement>} faces by side */
  setFaces(faces) {
    this.#faces = faces;
    this.#draw();
  }

  /** @param {Clock|null} clock as the server sent it; null for a game without clocks */
  show(clock) {
    this.#clock = clock;
    this.#received = performance.now();
    clearInterval(this.#timer);
    if (clock !== null && clock.running !== null) {
      this.#timer = setInterval(() => this.#draw(), TICK);
    }
    this.#draw();
  }

  /**
   * The time that a side has left now, as a text.
   *
   * @param {Side} side
   */
  leftText(side) {
    return timeText(this.#left(side));
  }

  /** @param {Side} side */
  #left(side) {
    if (this.#clock === null) {
      return 0;
    }
    const elapsed = (performance.now() - this.#received) / 1000;
    return Math.max(0, this.#clock.left[side] - (this.#clock.running === side ? elapsed : 0));
  }

  #draw() {
    for (const [index, face] of this.#faces.entries()) {
      const side = index === 0 ? 0 : 1;
      face.hidden = this.#clock === null;
      if (this.#clock !== null) {
        const left = this.#left(side);
        const text = timeText(left);
        if (face.textContent !== text) {
          face.textContent = text;
        }
        face.classList.toggle("running", this.#clock.running === side);
        face.classList.toggle("short", left < TENTHS_BELOW);
      }
    }
  }
}

/**
 * Seconds as clocks show them: 1:02:03, 4:05, and 0:09.3 when little is left.
 *
 * @param {number} seconds
 */
function timeText(seconds) {
  if (seconds < TENTHS_BELOW) {
    return `0:${(Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0")}`;
  }
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  const texts = parts.map((part) => String(part).padStart(2, "0"));
  return hours > 0 ? `${hours}:${texts.join(":")}` : `${parts[0]}:${texts[1]}`;
}

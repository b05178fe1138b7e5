/** The clocks of a table. Between two messages of the server they run on by themselves. */

const TICK = 100;
const TENTHS_BELOW = 20;

export class Clocks {
  #faces = [null, null];
  #clock = null;
  #received = 0;
  #timer = null;

  /** Where the clock of a side is written; null for nowhere. */
  place(faces) {
    this.#faces = faces;
    this.#write();
  }

  /** What the server says; null for a game without clocks. */
  show(clock) {
    this.#clock = clock;
    this.#received = performance.now();
    clearInterval(this.#timer);
    if (clock !== null && clock.running !== null) {
      this.#timer = setInterval(() => this.#write(), TICK);
    }
    this.#write();
  }

  /** Seconds that a side has left, now. */
  left(side) {
    const passed = (performance.now() - this.#received) / 1000;
    return Math.max(0, this.#clock.left[side] - (this.#clock.running === side ? passed : 0));
  }

  #write() {
    for (const [side, face] of this.#faces.entries()) {
      if (face === null) {
        continue;
      }
      face.hidden = this.#clock === null;
      if (this.#clock !== null) {
        const left = this.left(side);
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

/** Seconds as people read them on a clock: 1:02:03, 4:05, and 9.3 when it is short. */
export function timeText(seconds) {
  if (seconds < TENTHS_BELOW) {
    return `0:${(Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0")}`;
  }
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  const texts = parts.map((part) => String(part).padStart(2, "0"));
  return hours > 0 ? `${hours}:${texts.join(":")}` : `${parts[0]}:${texts[1]}`;
}

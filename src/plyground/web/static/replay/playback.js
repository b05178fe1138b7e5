/** The state of a replay: the ply on show, and a timer that goes on to the next. No DOM. */

/** Moves a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

export class Playback {
  #last;
  #onChange;
  #ply = 0;
  #speed = 1;
  /** @type {number|null} */
  #timer = null;

  /**
   * @param {number} last the last ply
   * @param {() => void|Promise<void>} onChange called after every change; a replay that runs
   *   waits for its promise, so that no ply is skipped
   */
  constructor(last, onChange) {
    this.#last = last;
    this.#onChange = onChange;
  }

  get ply() {
    return this.#ply;
  }

  get last() {
    return this.#last;
  }

  get isRunning() {
    return this.#timer !== null;
  }

  /** Moves a second. */
  get speed() {
    return this.#speed;
  }

  /**
   * Go to a ply; a replay that runs stops there.
   *
   * @param {number} ply
   */
  go(ply) {
    this.#stopTimer();
    this.#ply = Math.max(0, Math.min(this.#last, ply));
    return this.#onChange();
  }

  /** @param {number} by */
  step(by) {
    return this.go(this.#ply + by);
  }

  /** Run, or stop running; from the end it begins again. */
  toggle() {
    if (this.isRunning) {
      this.#stopTimer();
    } else if (this.#last > 0) {
      this.#ply = this.#ply === this.#last ? 0 : this.#ply;
      this.#startTimer();
    }
    return this.#onChange();
  }

  /**
   * Change the speed, also while it runs.
   *
   * @param {number} speed
   */
  setSpeed(speed) {
    this.#speed = speed;
    if (this.isRunning) {
      this.#stopTimer();
      this.#startTimer();
    }
    return this.#onChange();
  }

  /**
   * The next faster (1) or slower (-1) speed.
   *
   * @param {number} by
   */
  changeSpeed(by) {
    const index = SPEEDS.indexOf(this.#speed) + by;
    return this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))]);
  }

  #stopTimer() {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #startTimer() {
    const timer = setTimeout(() => this.#advance(timer), 1000 / this.#speed);
    this.#timer = timer;
  }

  /** @param {number} timer */
  async #advance(timer) {
    this.#ply += 1;
    const hasEnded = this.#ply >= this.#last;
    if (hasEnded) {
      this.#stopTimer();
    }
    await this.#onChange();
    if (!hasEnded && this.#timer === timer) {
      this.#startTimer();
    }
  }
}

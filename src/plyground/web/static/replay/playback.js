/**
 * Where a replay stands and how it runs: a place between 0 and `last`, and a timer. It knows
 * nothing of boards; whoever shows it is told by `onChange`.
 */

export const SPEEDS = [0.5, 1, 2, 4, 8];

export class Playback {
  #last;
  #onChange;
  #place = 0;
  #speed = 1;
  #timer = null;

  /**
   * @param {number} last the last place
   * @param {function(Playback): (void|Promise<void>)} onChange called after every change; a replay
   *   that runs waits until what it returns is done, so that no place is passed unseen
   */
  constructor(last, onChange) {
    this.#last = last;
    this.#onChange = onChange;
  }

  get place() {
    return this.#place;
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

  /** Go somewhere by hand: a replay that runs stops there. */
  go(place) {
    this.#halt();
    this.#place = Math.max(0, Math.min(this.#last, place));
    return this.#onChange(this);
  }

  step(by) {
    return this.go(this.#place + by);
  }

  /** Run, or stop running; from the end it begins again. */
  toggle() {
    if (this.isRunning) {
      this.#halt();
    } else if (this.#last > 0) {
      this.#place = this.#place === this.#last ? 0 : this.#place;
      this.#wait();
    }
    return this.#onChange(this);
  }

  /** Another speed, also while it runs. */
  setSpeed(speed) {
    this.#speed = speed;
    if (this.isRunning) {
      this.#halt();
      this.#wait();
    }
    return this.#onChange(this);
  }

  /** The next faster (1) or slower (-1) speed. */
  changeSpeed(by) {
    const index = SPEEDS.indexOf(this.#speed) + by;
    return this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))]);
  }

  #halt() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait() {
    const timer = setTimeout(() => this.#advance(timer), 1000 / this.#speed);
    this.#timer = timer;
  }

  async #advance(timer) {
    this.#place += 1;
    const ended = this.#place >= this.#last;
    if (ended) {
      this.#halt();
    }
    await this.#onChange(this);
    if (!ended && this.#timer === timer) {
      this.#wait();
    }
  }
}

/**
 * Dragging a thing of the picture from cell to cell with whatever points. A press that does not go
 * far is a click, and none of this module's business.
 */

const FAR = 6;
/** Pixels: a hand is never quite still. */

export class Drag {
  #host;
  #listeners;
  #press = null;
  #swallow = false;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {function(Event): boolean} listeners.onStart whether a drag may start here
   * @param {function(Event): void} listeners.onMove
   * @param {function(Event|null): void} listeners.onEnd the drop, or null if it was given up
   */
  constructor(host, listeners) {
    this.#host = host;
    this.#listeners = listeners;
    host.addEventListener("pointerdown", (event) => this.#down(event));
    host.addEventListener("pointermove", (event) => this.#move(event));
    host.addEventListener("pointerup", (event) => this.#up(event));
    host.addEventListener("pointercancel", () => this.cancel());
    host.addEventListener("click", (event) => this.#click(event), { capture: true });
  }

  get isOn() {
    return this.#press !== null && this.#press.going;
  }

  /** Give up the drag that is going on, if any. */
  cancel() {
    const was = this.isOn;
    this.#press = null;
    if (was) {
      this.#swallow = true;
      this.#listeners.onEnd(null);
    }
  }

  #down(event) {
    this.#swallow = false;
    if (event.isPrimary && event.button === 0) {
      this.#press = { id: event.pointerId, start: event, going: false };
    }
  }

  #move(event) {
    const press = this.#press;
    if (press === null || event.pointerId !== press.id) {
      return;
    }
    if (press.going) {
      this.#listeners.onMove(event);
      return;
    }
    const { clientX, clientY } = press.start;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > FAR) {
      if (this.#listeners.onStart(press.start)) {
        press.going = true;
        this.#host.setPointerCapture(press.id);
        this.#listeners.onMove(event);
      } else {
        this.#press = null;
      }
    }
  }

  #up(event) {
    const was = this.isOn;
    this.#press = null;
    if (was) {
      this.#swallow = true;
      this.#listeners.onEnd(event);
    }
  }

  /** The click that follows a drag means nothing. */
  #click(event) {
    if (this.#swallow && event.detail > 0) {
      this.#swallow = false;
      event.stopPropagation();
      event.preventDefault();
    }
  }
}

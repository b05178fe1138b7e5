/** Recognizes drags on an element, by mouse, pen or finger. A press that stays near is a click. */

/** Pixels that the pointer must move before a press becomes a drag. */
const THRESHOLD = 6;

export class DragGesture {
  #host;
  #listeners;
  /** @type {{id: number, start: PointerEvent, isDrag: boolean}|null} */
  #press = null;
  #ignoresClick = false;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {(event: PointerEvent) => boolean} listeners.onStart whether a drag may start here
   * @param {(event: PointerEvent) => void} listeners.onMove
   * @param {(event: PointerEvent|null) => void} listeners.onEnd the drop; null if cancelled
   */
  constructor(host, listeners) {
    this.#host = host;
    this.#listeners = listeners;
    host.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    host.addEventListener("pointermove", (event) => this.#pointerMoved(event));
    host.addEventListener("pointerup", (event) => this.#pointerUp(event));
    host.addEventListener("pointercancel", () => this.cancel());
    host.addEventListener("click", (event) => this.#clicked(event), { capture: true });
  }

  get isDragging() {
    return this.#press !== null && this.#press.isDrag;
  }

  /** Cancel the drag, if one is going on. */
  cancel() {
    this.#end(null);
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    this.#ignoresClick = false;
    if (event.isPrimary && event.button === 0) {
      this.#press = { id: event.pointerId, start: event, isDrag: false };
    }
  }

  /** @param {PointerEvent} event */
  #pointerMoved(event) {
    const press = this.#press;
    if (press === null || event.pointerId !== press.id) {
      return;
    }
    if (press.isDrag) {
      this.#listeners.onMove(event);
      return;
    }
    const { clientX, clientY } = press.start;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > THRESHOLD) {
      if (this.#listeners.onStart(press.start)) {
        press.isDrag = true;
        this.#host.setPointerCapture(press.id);
        this.#listeners.onMove(event);
      } else {
        this.#press = null;
      }
    }
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    this.#end(event);
  }

  /** @param {PointerEvent|null} event */
  #end(event) {
    const wasDragging = this.isDragging;
    this.#press = null;
    if (wasDragging) {
      this.#ignoresClick = true;
      this.#listeners.onEnd(event);
    }
  }

  /**
   * Ignore the click that the browser sends after a drag.
   *
   * @param {MouseEvent} event
   */
  #clicked(event) {
    if (this.#ignoresClick && event.detail > 0) {
      this.#ignoresClick = false;
      event.stopPropagation();
      event.preventDefault();
    }
  }
}

/** A small choice between moves that touch the same cells; it opens beside the last of them. */
export class Chooser {
  #host;
  #onChoose;
  #onClose;

  /**
   * @param {HTMLElement} host
   * @param {Object} listeners
   * @param {function(string): void} listeners.onChoose
   * @param {function(boolean): void} listeners.onClose told whether the focus was within
   */
  constructor(host, { onChoose, onClose }) {
    this.#host = host;
    this.#onChoose = onChoose;
    this.#onClose = onClose;
    host.className = "board-chooser";
    host.hidden = true;
    host.setAttribute("role", "group");
    host.setAttribute("aria-label", "Which move?");
    host.addEventListener("keydown", (event) => this.#press(event));
    host.addEventListener("focusout", (event) => {
      if (!host.contains(event.relatedTarget)) {
        this.close();
      }
    });
  }

  get isOpen() {
    return !this.#host.hidden;
  }

  /** Open at a place given in per cent of the board. */
  open(moves, { x, y }) {
    this.#host.replaceChildren(
      ...moves.map((move) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = move.text;
        button.addEventListener("click", () => {
          this.close();
          this.#onChoose(move.text);
        });
        return button;
      }),
    );
    this.#host.style.left = `${Math.min(85, Math.max(15, x))}%`;
    this.#host.style.top = `${y}%`;
    this.#host.classList.toggle("above", y > 70);
    this.#host.hidden = false;
    this.#host.firstChild.focus();
  }

  close() {
    if (this.isOpen) {
      const hadFocus = this.#host.contains(document.activeElement);
      this.#host.hidden = true;
      this.#onClose(hadFocus);
    }
  }

  #press(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") {
      this.close();
    } else if (step !== undefined) {
      const buttons = [...this.#host.children];
      const at = buttons.indexOf(document.activeElement) + step;
      buttons[(at + buttons.length) % buttons.length].focus();
    } else if (event.key !== "Enter" && event.key !== " ") {
      return;
    } else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

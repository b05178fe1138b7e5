/** Dialogs: the browser's own <dialog>, with a title, a body and buttons. */

import { element, uniqueId } from "./dom.js";

/**
 * Open a dialog. It closes with Escape, with its cross, or by a click beside it, and is removed
 * from the page then; `onClose` is called once.
 *
 * @param {string} title
 * @param {(Node|string)[]} content
 * @param {{onClose?: () => void, kind?: string}} [options]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { onClose = () => {}, kind = "" } = {}) {
  const heading = element("h2", { id: uniqueId("dialog"), text: title });
  const cross = element("button", {
    type: "button",
    class: "cross",
    "aria-label": "Close",
    text: "×",
  });
  const body = element("div", { class: "dialog-body" }, ...content);
  const dialog = element(
    "dialog",
    { class: `dialog ${kind}`.trim(), "aria-labelledby": heading.id },
    element("div", { class: "dialog-head" }, heading, cross),
    body,
  );
  cross.addEventListener("click", () => dialog.close());
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target === dialog && !isInside(dialog, event)) {
      dialog.close();
    }
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A question with two answers; resolves to whether it was confirmed. Escape means no.
 *
 * @param {string} question
 * @param {{title: string, yes: string, no?: string}} texts
 * @returns {Promise<boolean>}
 */
export function confirmDialog(question, { title, yes, no = "Cancel" }) {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const confirm = element("button", { type: "button", class: "button primary", text: yes });
    const cancel = element("button", { type: "button", class: "button", text: no });
    const dialog = openDialog(
      title,
      [element("p", { text: question }), element("div", { class: "row end" }, cancel, confirm)],
      { onClose: () => resolve(isConfirmed), kind: "small" },
    );
    cancel.addEventListener("click", () => dialog.close());
    confirm.addEventListener("click", () => {
      isConfirmed = true;
      dialog.close();
    });
    confirm.focus();
  });
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {PointerEvent} event
 */
function isInside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return (
    event.clientX >= box.left &&
    event.clientX <= box.right &&
    event.clientY >= box.top &&
    event.clientY <= box.bottom
  );
}

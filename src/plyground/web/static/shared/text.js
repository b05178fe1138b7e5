/** Texts of the pages: sentences, counts, names. Pure functions. */

/**
 * A text that begins with a capital.
 *
 * @param {string} text
 */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A message as a sentence: it begins with a capital, or with the name of a file as it is, and ends
 * with a full stop.
 *
 * @param {string} text
 */
export function sentence(text) {
  const begun = /^\S+\.\w/.test(text) ? text : capitalized(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * A number with its noun: "1 ply", "3 plies", "1 move".
 *
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/**
 * An identifier as a label: "first_stay" is "First stay".
 *
 * @param {string} name
 */
export function labelOf(name) {
  return capitalized(name.replaceAll("_", " "));
}

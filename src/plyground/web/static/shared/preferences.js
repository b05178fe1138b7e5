/** What this browser remembers for a person: texts by name, in the local storage. */

/**
 * The text stored under a name, or null; also where the browser stores nothing.
 *
 * @param {string} name
 */
export function readPreference(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Store a text under a name, or remove it (null).
 *
 * @param {string} name
 * @param {string|null} value
 */
export function writePreference(name, value) {
  try {
    if (value === null) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, value);
    }
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

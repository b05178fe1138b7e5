/**
 * The token that the server asks for. The address that it prints has one; it moves from there to
 * the local storage, so that the address stays out of the history and other tabs have it too. Not
 * to a cookie: browsers send those to every port of the machine.
 */

import { readPreference, writePreference } from "./preferences.js";

const NAME = "plyground-token";

const address = new URL(location.href);
const given = address.searchParams.get("token");
if (given !== null) {
  writePreference(NAME, given);
  address.searchParams.delete("token");
  history.replaceState(history.state, "", address);
}

/** The token, or "" if this browser has none. */
export function token() {
  return readPreference(NAME) ?? given ?? "";
}

/**
 * An address of the server with the token, for what cannot send a header.
 *
 * @param {string} path
 */
export function withToken(path) {
  const address = new URL(path, location.href);
  address.searchParams.set("token", token());
  return address;
}

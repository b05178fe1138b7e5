/**
 * The page /interface: the OpenAPI document for people. Every request and every WebSocket
 * is an entry that opens; every model has a table of its fields.
 */

import { errorMessage, fetchOpenApi } from "../shared/api.js";
import { byId, element } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { showError } from "../shared/notifications.js";
import { startPage } from "../shared/page.js";

/**
 * @typedef {string|Node} Content
 * @typedef {any} Schema a JSON schema of the OpenAPI document; so are operations and parameters
 */

const REFERENCE = "#/components/schemas/";
/** @type {Record<string, string>} */
const METHODS = { get: "GET", post: "POST", delete: "DELETE" };
/** @type {Record<string, string>} */
const TYPE_NAMES = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  null: "null",
};
const host = byId("document");
const searchInput = byId("filter", HTMLInputElement);

/**
 * Show the whole document.
 *
 * @param {Schema} api
 */
function show(api) {
  host.replaceChildren(
    element("section", { class: "panel" }, ...paragraphs(api.info.description)),
    ...requestSections(api.paths),
    section("WebSockets", Object.entries(api["x-websockets"]).map(socketEntry)),
    section("Models", Object.entries(api.components.schemas).map(modelEntry)),
  );
  host.removeAttribute("aria-busy");
  openLinked();
}

/**
 * Paragraphs of plain text, with `code` between backquotes.
 *
 * @param {string} text
 */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => element("p", {}, ...withCode(paragraph.replaceAll("\n", " "))));
}

/** @param {string} text */
function withCode(text) {
  return text
    .split("`")
    .map((part, index) => (index % 2 ? element("code", { text: part }) : part))
    .filter((part) => part !== "");
}

/**
 * @param {string} title
 * @param {Node[]} entries
 */
function section(title, entries) {
  return element("section", { class: "stack" }, element("h2", { text: title }), ...entries);
}

// Requests

/** @param {Record<string, Record<string, Schema>>} paths */
function requestSections(paths) {
  /** @type {Map<string, Node[]>} */
  const byTag = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), requestEntry(path, method, operation)]);
    }
  }
  return [...byTag].map(([tag, entries]) => section(tag, entries));
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Schema} operation
 */
function requestEntry(path, method, operation) {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  /** @type {[string, Schema][]} */
  const responses = Object.entries(operation.responses);
  const rows = responses.map(([status, response]) => {
    const media = Object.keys(response.content ?? {})[0] ?? "";
    const isJson = media === "application/json";
    const type = isJson ? typeOf(response.content[media].schema) : [media];
    return row(status, type, response.description);
  });
  return entry(
    `${method}-${path}`,
    [
      element("span", { class: "method", text: METHODS[method] ?? method.toUpperCase() }),
      element("code", { text: path }),
      element("span", { class: "soft", text: operation.summary }),
    ],
    [
      ...(operation.description ? paragraphs(operation.description) : []),
      ...(operation.parameters ? [element("h3", { text: "Parameters" })] : []),
      ...(operation.parameters ? [parameterTable(operation.parameters)] : []),
      ...(body ? [element("h3", { text: "Body" }), element("p", {}, ...typeOf(body))] : []),
      element("h3", { text: "Answers" }),
      table(["Status", "Type", "Meaning"], rows),
    ],
  );
}

/** @param {Schema[]} parameters */
function parameterTable(parameters) {
  const rows = parameters.map(({ name, schema, description, in: location }) =>
    row(name, typeOf(schema), description ?? `in the ${location}`)
  );
  return table(["Name", "Type", "Meaning"], rows);
}

// WebSockets and models

/** @param {[string, Schema]} entry */
function socketEntry([path, socket]) {
  return entry(
    `socket-${path}`,
    [
      element("span", { class: "method", text: "WS" }),
      element("code", { text: path }),
      element("span", { class: "soft", text: socket.summary }),
    ],
    [
      ...paragraphs(socket.description),
      element("h3", { text: "You send" }),
      element("p", {}, ...typeOf(socket.receives)),
      element("h3", { text: "You receive" }),
      element("p", {}, ...typeOf(socket.sends)),
    ],
  );
}

/** @param {[string, Schema]} entry */
function modelEntry([name, schema]) {
  const required = new Set(schema.required ?? []);
  /** @type {[string, Schema][]} */
  const properties = Object.entries(schema.properties ?? {});
  const rows = properties.map(([field, inner]) => {
    const isRequired = "const" in inner || required.has(field);
    const meaning = [isRequired ? "" : defaultText(inner), inner.description ?? ""];
    return row(field, typeOf(inner), meaning.filter((part) => part !== "").join("; "));
  });
  return entry(
    `model-${name}`,
    [element("span", { class: "method", text: name })],
    [
      ...(schema.description ? paragraphs(schema.description) : []),
      rows.length > 0
        ? table(["Field", "Type", "Meaning"], rows)
        : element("p", {}, ...typeOf(schema)),
    ],
  );
}

/** @param {Schema} schema of a field that may be left out */
function defaultText(schema) {
  const { default: value } = schema;
  return value === undefined || value === null ? "optional" : `default ${JSON.stringify(value)}`;
}

/**
 * A schema in words; names of models are links to them.
 *
 * @param {Schema} [schema]
 * @returns {Content[]}
 */
function typeOf(schema = {}) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(REFERENCE, "");
    return [element("a", { href: `#model-${name}`, text: name })];
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    return joined(choices.map(typeOf), " or ");
  }
  if ("const" in schema) {
    return [element("code", { text: JSON.stringify(schema.const) })];
  }
  if (schema.enum !== undefined) {
    /** @type {unknown[]} */
    const values = schema.enum;
    return joined(values.map((value) => typeOf({ const: value })), " or ");
  }
  return namedType(schema);
}

/**
 * @param {Schema} schema
 * @returns {Content[]}
 */
function namedType(schema) {
  if (schema.prefixItems !== undefined) {
    return ["[", ...joined(schema.prefixItems.map(typeOf), ", "), "]"];
  }
  if (schema.type === "array") {
    return ["list of ", ...typeOf(schema.items), limits(schema)];
  }
  if (schema.type === "object" && schema.additionalProperties?.constructor === Object) {
    return ["names with ", ...typeOf(schema.additionalProperties)];
  }
  return [(TYPE_NAMES[schema.type] ?? schema.type ?? "anything") + limits(schema)];
}

/**
 * The bounds of a schema, such as " (at most 100 characters)".
 *
 * @param {Schema} schema
 */
function limits(schema) {
  const parts = [
    schema.minimum !== undefined && `from ${schema.minimum}`,
    schema.exclusiveMinimum !== undefined && `above ${schema.exclusiveMinimum}`,
    schema.maximum !== undefined && `to ${schema.maximum}`,
    schema.exclusiveMaximum !== undefined && `below ${schema.exclusiveMaximum}`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `at most ${schema.maxItems}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(" ")})` : "";
}

/**
 * @param {Content[][]} lists
 * @param {string} separator
 */
function joined(lists, separator) {
  return lists.flatMap((list, index) => (index > 0 ? [separator, ...list] : list));
}

// Entries and tables

/**
 * @param {string} id
 * @param {Node[]} title
 * @param {Node[]} content
 */
function entry(id, title, content) {
  return element(
    "details",
    { class: "panel entry", id },
    element("summary", {}, ...title),
    element("div", { class: "body" }, ...content),
  );
}

/**
 * @param {string} name
 * @param {Content[]} type
 * @param {string} meaning
 */
function row(name, type, meaning) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", { text: name })),
    element("td", {}, ...type),
    element("td", {}, ...withCode(meaning)),
  );
}

/**
 * @param {string[]} heads
 * @param {Node[]} rows
 */
function table(heads, rows) {
  const head = heads.map((text) => element("th", { scope: "col", text }));
  return element(
    "div",
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": heads.join(", ") },
    element(
      "table",
      { class: "schema" },
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    ),
  );
}

// Search

/** Show the entries that contain what was typed, and the headings that have some. */
function filterEntries() {
  const text = searchInput.value.trim().toLowerCase();
  for (const found of host.querySelectorAll(".entry")) {
    found.toggleAttribute("hidden", !found.textContent?.toLowerCase().includes(text));
  }
  for (const part of host.querySelectorAll("section.stack")) {
    part.toggleAttribute("hidden", part.querySelector(".entry:not([hidden])") === null);
  }
  byId("none").textContent = host.querySelector(".entry:not([hidden])") === null
    ? "No request, message or model has this text."
    : "";
}

/** Open the entry that the address names, so that a link to a model shows it. */
function openLinked() {
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked instanceof HTMLDetailsElement) {
    linked.hidden = false;
    linked.closest("section")?.removeAttribute("hidden");
    linked.open = true;
    linked.scrollIntoView({ block: "start" });
    linked.querySelector("summary")?.focus({ preventScroll: true });
  }
}

startPage({ section: "interface" });
registerKeys([
  { keys: ["/"], description: "Find in the interface", action: () => searchInput.focus() },
]);
searchInput.addEventListener("input", filterEntries);
addEventListener("hashchange", openLinked);
fetchOpenApi().then(show, (error) => showError(errorMessage(error)));

/**
 * The page /interface: the OpenAPI document for people. Every request and both WebSockets are
 * entries that open; every model has a table of its fields.
 */

import { get } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { complain, registerKeys, startPage } from "../shared/page.js";

const REFERENCE = "#/components/schemas/";
const METHODS = { get: "GET", post: "POST", delete: "DELETE" };
const host = document.getElementById("document");
const wanted = document.getElementById("wanted");

/** Show the whole document. */
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

/** Paragraphs of plain text, with `code` between backquotes. */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => element("p", {}, ...withCode(paragraph.replaceAll("\n", " "))));
}

function withCode(text) {
  return text
    .split("`")
    .map((part, index) => (index % 2 ? element("code", { text: part }) : part))
    .filter((part) => part !== "");
}

function section(title, entries) {
  return element("section", { class: "stack" }, element("h2", { text: title }), ...entries);
}

// Requests

function requestSections(paths) {
  const byTag = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), requestEntry(path, method, operation)]);
    }
  }
  return [...byTag].map(([tag, entries]) => section(tag, entries));
}

function requestEntry(path, method, operation) {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const [media, content] = Object.entries(response.content ?? {})[0] ?? ["", {}];
    const shape = media === "application/json" ? typeOf(content.schema) : [media];
    return row(status, shape, response.description);
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
      table(["Status", "Type", "Meaning"], answers),
    ],
  );
}

function parameterTable(parameters) {
  const rows = parameters.map(({ name, schema, description, in: place }) =>
    row(name, typeOf(schema), description ?? `in the ${place}`),
  );
  return table(["Name", "Type", "Meaning"], rows);
}

// WebSockets and models

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
      element("h3", { text: "You hear" }),
      element("p", {}, ...typeOf(socket.sends)),
    ],
  );
}

function modelEntry([name, schema]) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
    const given = "const" in inner || required.has(field);
    const missing = inner.default === undefined || inner.default === null ? "optional" : "";
    const fallback = given || missing ? missing : `default ${JSON.stringify(inner.default)}`;
    const meaning = [given ? "" : fallback, inner.description ?? ""].filter((part) => part !== "");
    return row(field, typeOf(inner), meaning.join("; "));
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

/** A schema in words, as nodes: names of models are links to them. */
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
    return joined(schema.enum.map((value) => typeOf({ const: value })), " or ");
  }
  return namedType(schema);
}

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
  const names = { string: "text", integer: "whole number", boolean: "true or false", null: "null" };
  return [(names[schema.type] ?? schema.type ?? "anything") + limits(schema)];
}

/** The bounds of a schema, such as " (at most 100 characters)". */
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

function joined(lists, separator) {
  return lists.flatMap((list, index) => (index > 0 ? [separator, ...list] : list));
}

// Entries and tables

function entry(id, title, content) {
  return element(
    "details",
    { class: "panel entry", id },
    element("summary", {}, ...title),
    element("div", { class: "body" }, ...content),
  );
}

function row(name, shape, meaning) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", { text: name })),
    element("td", {}, ...shape),
    element("td", {}, ...withCode(meaning)),
  );
}

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

// Finding

/** Show the entries that hold what was typed, and the headings that have some. */
function find() {
  const text = wanted.value.trim().toLowerCase();
  for (const found of host.querySelectorAll(".entry")) {
    found.hidden = !found.textContent.toLowerCase().includes(text);
  }
  for (const part of host.querySelectorAll("section.stack")) {
    part.hidden = part.querySelector(".entry:not([hidden])") === null;
  }
}

/** Open the entry that the address names, so that a link to a model shows it. */
function openLinked() {
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked instanceof HTMLDetailsElement) {
    linked.hidden = false;
    linked.open = true;
    linked.scrollIntoView({ block: "start" });
    linked.querySelector("summary").focus({ preventScroll: true });
  }
}

startPage({ section: "interface" });
registerKeys([
  { keys: ["/"], description: "Find in the interface", action: () => wanted.focus() },
]);
wanted.addEventListener("input", find);
addEventListener("hashchange", openLinked);
get("/api/openapi.json").then(show, (error) => complain(error.message));

/** What the games of an event say: scores, Elo, a test's decision, ratings, the cross table. */

import { element } from "../shared/dom.js";
import { svgElement } from "../shared/svg.js";
import { counted, sentence } from "../shared/text.js";
import { LineChart } from "./line-chart.js";

/**
 * @import { EventModel, CrossCell, EventPlayer } from "../shared/protocol.d.ts"
 * @import { MatchResult, TestResult } from "../shared/protocol.d.ts"
 */

/** Elo beyond which a curve is cut off. */
const MOST_ELO = 800;
const MOST_LLR = 1000;
/** Shades of the cross table, from no points to all. */
const SHADES = 8;
const PAIR_POINTS = ["0", "½", "1", "1½", "2"];

export class ResultsPanel {
  #decision = element("p", { class: "decision" });
  #facts = element("dl", { class: "facts" });
  #players = scroller("Players");
  #llr = new LineChart("Log-likelihood ratio, between the bounds of the test");
  #elo = new LineChart("Elo difference after each game, with its error (95 %)");
  #cross = scroller("Cross table");
  #notes = element("p", { class: "soft small" });
  #endings = element("p", { class: "soft small" });

  /** @param {HTMLElement} host */
  constructor(host) {
    // The parts stay where they are, so that neither focus nor scrolling is lost by an update.
    host.append(
      this.#decision,
      this.#facts,
      this.#players,
      this.#llr.element,
      this.#elo.element,
      this.#cross,
      this.#notes,
      this.#endings,
    );
  }

  /** @param {EventModel} event */
  show(event) {
    const { match, test, notes } = event;
    // Scores and ratings of no games would be mere defaults.
    const isEmpty = event.card.games === 0;
    this.#decision.hidden = isEmpty || test === null;
    this.#llr.element.hidden = isEmpty || test === null;
    this.#facts.hidden = isEmpty || match === null;
    this.#players.hidden = isEmpty;
    this.#elo.element.hidden = isEmpty || match === null;
    this.#cross.hidden = isEmpty || match !== null;
    this.#notes.hidden = isEmpty || notes.length === 0;
    this.#notes.textContent = notes.map((note) => sentence(note)).join(" ");
    this.#endings.textContent = endingsText(event);
    this.#players.replaceChildren(playersTable(event));
    if (match === null) {
      this.#cross.replaceChildren(crossTable(event));
    } else {
      this.#showMatch(event, match);
    }
    if (match !== null && test !== null) {
      this.#showTest(match, test);
    }
  }

  /**
   * @param {EventModel} event
   * @param {MatchResult} match
   */
  #showMatch(event, match) {
    this.#facts.replaceChildren(
      ...matchRows(event, match).map(([name, text]) =>
        element(
          "div",
          {},
          element("dt", { text: name }),
          element("dd", { class: "numbers", text }),
        )
      ),
    );
    this.#elo.show({
      points: match.curve.map(({ games, elo, low, high }) => ({ x: games, y: elo, low, high })),
      lines: [],
      most: MOST_ELO,
      text: `Elo difference after ${counted(event.card.games, "game")}: ${match.elo_text}`,
    });
  }

  /**
   * @param {MatchResult} match
   * @param {TestResult} test
   */
  #showTest(match, test) {
    const isOpen = test.decision === "continue";
    const left = isOpen && test.remaining > 0
      ? `; about ${counted(test.remaining, "more game")}`
      : "";
    this.#decision.className = `decision ${isOpen ? "open" : "made"}`;
    this.#decision.textContent = sentence(`${test.why}${left}`);
    this.#llr.show({
      points: match.curve.flatMap(({ games, llr }) => llr === null ? [] : [{ x: games, y: llr }]),
      lines: [
        { y: test.upper, text: `H1 at ${test.upper.toFixed(2)}` },
        { y: test.lower, text: `H0 at ${test.lower.toFixed(2).replace("-", "−")}` },
      ],
      most: MOST_LLR,
      text: test.why,
    });
  }
}

/**
 * The state of an event in a few words, for screen readers.
 *
 * @param {EventModel} event
 */
export function scoreText({ match, test, players }) {
  const [first, second] = players;
  if (match !== null) {
    const score = `${first.name} ${points(first)}, ${second.name} ${points(second)}`;
    return test === null || test.decision === "continue"
      ? `${score}, Elo ${match.elo_text}`
      : `${score}, ${test.decision} is accepted`;
  }
  const best = ranked(players)[0];
  return `${best.name} leads with ${ratingText(best)}`;
}

/** @param {EventPlayer} player */
function points({ wins, draws }) {
  return (wins + draws / 2).toLocaleString("en");
}

/**
 * The lines of a match: names and texts.
 *
 * @param {EventModel} event
 * @param {MatchResult} match
 * @returns {[string, string][]}
 */
function matchRows({ players, first_mover_score }, match) {
  const [first, second] = players;
  const pairs = match.pairs.map((count, at) => [count, PAIR_POINTS[at]]).filter(([count]) => count);
  return [
    ["Score", `${points(first)} : ${points(second)} (${percent(match.score)})`],
    ["Elo", match.elo_text],
    ["Better", `${first.name} with ${percent(match.superiority)}`],
    [
      "Pairs",
      pairs.length === 0
        ? "none is complete"
        : pairs.map(([count, name]) => `${count} with ${name}`).join(", "),
    ],
    ["Moving first", `scored ${percent(first_mover_score)}`],
  ];
}

/** @param {EventModel} event */
function playersTable({ players }) {
  const isRated = players.some(({ rating }) => rating !== null);
  const hasFaults = players.some(({ faults }) => faults > 0);
  const hasDepth = players.some(({ depth }) => depth !== null);
  const rows = isRated ? ranked(players) : players;
  const scale = ratingScale(players);
  const heads = [
    ...(isRated ? ["Rating", "95 %"] : []),
    "Points",
    "Won",
    "Drawn",
    "Lost",
    ...(hasFaults ? ["Faults"] : []),
    "A move",
    ...(hasDepth ? ["Depth"] : []),
  ];
  return table(
    isRated ? "Players, the best first" : "Players",
    ["Player", ...heads],
    rows.map((player) => [
      element("th", { scope: "row", class: "player", title: player.text, text: player.name }),
      ...(isRated ? [cell(ratingText(player)), element("td", {}, ratingBar(player, scale))] : []),
      cell(`${points(player)} / ${player.games.toLocaleString("en")}`),
      cell(player.wins),
      cell(player.draws),
      cell(player.losses),
      ...(hasFaults ? [cell(player.faults)] : []),
      cell(timeText(player.seconds_a_move)),
      ...(hasDepth ? [cell(player.depth === null ? "–" : player.depth.toFixed(1))] : []),
    ]),
  );
}

/** @param {EventModel} event */
function crossTable({ players, cross }) {
  const order = ranked(players);
  /** @param {EventPlayer} player */
  const number = (player) => players.indexOf(player);
  return table(
    "Points against each other; rows are players, columns their opponents in the same order",
    ["Player", ...order.map((_, at) => String(at + 1))],
    order.map((player, at) => [
      element("th", {
        scope: "row",
        class: "player",
        title: player.text,
        text: `${at + 1} ${player.name}`,
      }),
      ...order.map((opponent) => {
        if (opponent === player) {
          return element("td", { class: "self" }, element("span", { text: "–" }));
        }
        const met = cross.find((each) =>
          each.player === number(player) && each.opponent === number(opponent)
        );
        return met === undefined ? cell("") : crossCell(met, `against ${opponent.name}`);
      }),
    ]),
    "cross-table",
  );
}

/**
 * @param {CrossCell} met
 * @param {string} title
 */
function crossCell({ wins, draws, losses }, title) {
  const games = wins + draws + losses;
  const won = wins + draws / 2;
  const shade = Math.round((SHADES * won) / games);
  return element("td", {
    class: `numbers shade-${shade}`,
    title: `${won} of ${games} ${title}: won ${wins}, drawn ${draws}, lost ${losses}`,
    text: won.toLocaleString("en"),
  });
}

/** @param {EventModel} event */
function endingsText({ endings, failed, failures }) {
  const ended = Object.entries(endings).map(([name, count]) => `${name} ${count}`).join(", ");
  const text = ended === "" ? "No game is over yet." : `How games ended: ${ended}.`;
  return failed === 0
    ? text
    : `${text} ${counted(failed, "game")} could not be played: ${
      [...new Set(failures)].join("; ")
    }.`;
}

/**
 * The place of a table, which scrolls by itself on a narrow screen.
 *
 * @param {string} label
 */
function scroller(label) {
  return element("div", { class: "scroller", role: "region", tabindex: 0, "aria-label": label });
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {HTMLElement[][]} rows
 * @param {string} [kind]
 */
function table(caption, heads, rows, kind = "") {
  return element(
    "table",
    { class: `numbers-table ${kind}`.trim() },
    element("caption", { class: "visually-hidden", text: caption }),
    element(
      "thead",
      {},
      element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text }))),
    ),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells))),
  );
}

/** @param {string|number} text */
function cell(text) {
  const shown = typeof text === "number" ? text.toLocaleString("en") : text;
  return element("td", { class: "numbers", text: shown });
}

// Ratings

/** @param {EventPlayer[]} players */
function ranked(players) {
  return [...players].sort((one, other) => (other.rating ?? 0) - (one.rating ?? 0));
}

/** @param {EventPlayer} player */
function ratingText({ rating, rating_error }) {
  if (rating === null || rating_error === null) {
    return "";
  }
  const sign = rating < 0 ? "−" : "+";
  return `${sign}${Math.abs(rating).toFixed(0)} ± ${rating_error.toFixed(0)}`;
}

/** @param {EventPlayer[]} players */
function ratingScale(players) {
  const ends = players.flatMap(({ rating, rating_error }) => [
    (rating ?? 0) - (rating_error ?? 0),
    (rating ?? 0) + (rating_error ?? 0),
  ]);
  const low = Math.min(-1, ...ends);
  return { low, width: Math.max(1, ...ends) - low };
}

/**
 * A rating with its error on a scale that all rows share.
 *
 * @param {EventPlayer} player
 * @param {{low: number, width: number}} scale
 */
function ratingBar({ rating, rating_error }, { low, width }) {
  /** @param {number} value */
  const at = (value) => 4 + (92 * (value - low)) / width;
  const value = rating ?? 0;
  const error = rating_error ?? 0;
  return svgElement(
    "svg",
    { viewBox: "0 0 100 16", class: "rating-bar", "aria-hidden": "true" },
    svgElement("line", { x1: at(0), x2: at(0), y1: 0, y2: 16, class: "zero" }),
    svgElement("line", {
      x1: at(value - error),
      x2: at(value + error),
      y1: 8,
      y2: 8,
      class: "error-line",
    }),
    svgElement("circle", { cx: at(value), cy: 8, r: 4, class: "now" }),
  );
}

// Texts

/** @param {number} part */
function percent(part) {
  return `${(100 * part).toFixed(1)} %`;
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds >= 1) {
    return `${seconds.toFixed(1)} s`;
  }
  const milliseconds = 1000 * seconds;
  return `${milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toPrecision(2)} ms`;
}

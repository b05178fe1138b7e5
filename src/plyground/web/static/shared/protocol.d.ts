/**
 * The server's JSON: responses of the HTTP API and messages of the WebSockets. Field by field
 * the same as in `/api/openapi.json`; a test compares them. Types only: browsers never load this.
 */

/** 0: the first player, 1: the second. */
export type Side = 0 | 1;
export type OptionValue = boolean | number | string;
export type Options = Record<string, OptionValue>;
export type Pair<T> = [T, T];

/** A position: the start of a game or a position's text, then moves. */
export interface Place {
  game: string;
  text?: string | null;
  options?: Options | null;
  moves?: string[] | null;
}

export type SearchKind =
  | "engine"
  | "alpha-beta"
  | "minimax"
  | "monte-carlo"
  | "perfect"
  | "random";
export type PlayerKind = "human" | SearchKind;

/** How the engine values positions that it does not search further. */
export type EvaluationWord = "own" | "none" | "learned";

/** Those that a board has, and which one is used if none is named. */
export interface Evaluations {
  choices: EvaluationWord[];
  automatic: EvaluationWord;
}

/** What plays a side, with its limits. */
export interface PlayerSpec {
  kind: PlayerKind;
  seconds?: number | null;
  depth?: number | null;
  nodes?: number | null;
  threads?: number | null;
  evaluation?: EvaluationWord | null;
}

export interface Result {
  winner: Side | null;
  score: string;
  reason: string;
  ending: string;
}

export interface Move {
  text: string;
  touches: string[];
  key: string;
}

/** A position as the pages show it. */
export interface View {
  text: string;
  turn: Side;
  player: string;
  over: boolean;
  result: Result | null;
  score: number | null;
  svg: string;
  picture: string;
  moves: Move[];
  last: string[];
}

export interface GameOption {
  name: string;
  kind: "number" | "word" | "flag";
  default: OptionValue;
  choices: string[] | null;
  with_text: boolean;
  text: string;
}

/** A computer player by its strength. */
export interface Level {
  name: string;
  text: string;
  player: PlayerSpec;
  default: boolean;
  rating: number | null;
}

export interface GameCard {
  name: string;
  title: string;
  summary: string;
  rules: string;
  players: Pair<string>;
  colours: Pair<string>;
  file: boolean;
  point: number;
  live: boolean;
  options: GameOption[];
  levels: Level[];
  ready: boolean;
}

export interface TableCard {
  id: string;
  game: string;
  title: string;
  players: string[];
  plies: number;
  result: Result | null;
  changed: string;
}

// Sessions: games that are played or studied. The interface calls a session a table

export interface ClockSpec {
  seconds: number;
  increment?: number;
}

export interface LiveSpec {
  seconds?: number;
}

export interface NewTable {
  game?: string | null;
  options?: Options | null;
  text?: string | null;
  moves?: string[] | null;
  players?: Pair<PlayerSpec> | null;
  clock?: ClockSpec | null;
  live?: LiveSpec | null;
  like?: string | null;
  swap?: boolean;
}

/** A position in the tree of a session. */
export interface NodeModel {
  id: number;
  parent: number | null;
  move: string | null;
  turn: Side;
  seconds: number | null;
  value: number | null;
  value_text: string | null;
  depth: number | null;
  evaluation: EvaluationWord | null;
  comment: string;
}

export interface Clock {
  seconds: number;
  increment: number;
  left: Pair<number>;
  running: Side | null;
}

export interface Live {
  seconds: number;
  running: boolean;
  preparing: boolean;
}

/** How far the search for a move has come. */
export interface Thought {
  depth: number;
  nodes: number;
  value_text: string;
  evaluation: EvaluationWord | null;
}

export interface Table {
  type: "table";
  id: string;
  version: number;
  game: GameCard;
  options: Options;
  start: string;
  nodes: NodeModel[];
  main: number[];
  head: number;
  current: number;
  view: View;
  players: Pair<PlayerSpec>;
  names: Pair<string>;
  clock: Clock | null;
  thinking: Side | null;
  paused: boolean;
  result: Result | null;
  live: Live | null;
  progress: Thought | null;
}

// The socket of a session: /api/tables/ID/socket

type WithRef<Request> = Request & { ref?: number | string | null };

export type SessionRequest = WithRef<
  | { type: "play"; node: number; move: string }
  | { type: "try"; node: number; move: string }
  | { type: "goto"; node: number }
  | { type: "takeback" }
  | { type: "hint" }
  | { type: "resign"; player?: Side | null }
  | { type: "players"; players: Pair<PlayerSpec> }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "live"; running?: boolean | null; seconds?: number | null; restart?: boolean }
  | { type: "steer"; key: string }
  | { type: "comment"; node: number; text: string }
  | { type: "remove"; node: number }
  | { type: "promote"; node: number }
>;

export interface ErrorReply {
  type: "error";
  ref?: number | string | null;
  id?: number | null;
  message: string;
}

export interface HintReply {
  type: "hint";
  node: number;
  move: string;
  touches: string[];
  value_text: string;
}

export interface TableNotice {
  type: "notice";
  text: string;
}

/** New `progress` and `clock` of the session with this `version`. */
export interface TableProgress {
  type: "progress";
  version: number;
  progress: Thought;
  clock: Clock | null;
}

export type SessionReply = Table | TableProgress | HintReply | TableNotice | ErrorReply;

// The socket for analysis: /api/think

export interface Search {
  type: "search";
  id: number;
  place: Place;
  lines?: number;
  algorithm?: SearchKind;
  threads?: number;
  depth?: number | null;
  seconds?: number | null;
  nodes?: number | null;
  evaluation?: EvaluationWord | null;
}

export interface Solve {
  type: "solve";
  id: number;
  place: Place;
  memory?: number | null;
}

export interface Review {
  type: "review";
  id: number;
  place: Place;
  seconds?: number;
}

/** What a recorded search is to do; `table` is the transposition table. */
export interface TreeSettings {
  algorithm: "minimax" | "alpha-beta";
  depth: number;
  ordering: boolean;
  table: boolean;
  budget: number;
}

export interface Tree extends TreeSettings {
  type: "tree";
  id: number;
  place: Place;
}

export interface Stop {
  type: "stop";
  id: number;
}

export type AnalysisRequest =
  | Search
  | Solve
  | Review
  | Tree
  | Stop;

export interface Line {
  value: number;
  value_text: string;
  moves: string[];
  touches: string[];
}

export interface SearchReply {
  type: "progress" | "done";
  id: number;
  depth: number;
  selective_depth: number;
  nodes: number;
  seconds: number;
  proven: boolean;
  evaluation: EvaluationWord | null;
  lines: Line[];
}

export interface Advance {
  type: "advance";
  id: number;
  text: string;
  part: number | null;
}

export interface SolvedMove {
  text: string;
  touches: string[];
  utility: number | null;
  plies: number | null;
  words: string;
  best: boolean;
}

export interface Solved {
  type: "solved";
  id: number;
  method: string;
  value_text: string;
  utility: number;
  plies: number | null;
  moves: SolvedMove[];
  line: string[];
  nodes: number;
  counted: string;
  seconds: number;
}

export interface Reviewed {
  type: "reviewed";
  id: number;
  ply: number;
  value: number;
  value_text: string;
  proven: boolean;
  best: string | null;
}

/** A mistake that a review found. */
export interface Mark {
  ply: number;
  kind: "mistake" | "blunder";
  better: string;
  words: string;
}

export interface ReviewDone {
  type: "done";
  id: number;
  marks: Mark[];
}

export interface TreeNode {
  id: number;
  parent: number | null;
  ply: number;
  move: string | null;
  turn: Side;
  alpha: number | null;
  beta: number | null;
  window: boolean;
  value: number | null;
  value_text: string | null;
  leaf: string | null;
}

export interface Cut {
  node: number;
  reason: string;
  moves: string[];
  below: number | null;
}

/** A step of a recorded search: its kind, its node, and what it found. */
export type Step =
  | ["enter", number]
  | ["leaf", number, number]
  | ["better", number, number, number, number | null, number | null]
  | ["cut", number]
  | ["value", number, number];

export interface TreeReply {
  type: "tree";
  id: number;
  nodes: TreeNode[];
  cuts: Cut[];
  steps: Step[];
  line: number[];
  visited: number;
  cut: number;
  minimax_visited: number | null;
  value: number | null;
  value_text: string | null;
  truncated: string | null;
}

export interface Notice {
  type: "notice";
  id: number;
  text: string;
}

export interface Stopped {
  type: "stopped";
  id: number;
}

/** The replies to each type of request. */
export interface RepliesByRequest {
  search: SearchReply | Notice | ErrorReply;
  solve: Advance | Solved | Notice | ErrorReply;
  review: Reviewed | ReviewDone | Notice | ErrorReply;
  tree: TreeReply | Notice | ErrorReply;
}

export type AnalysisReply = RepliesByRequest[keyof RepliesByRequest] | Stopped;

// The arena

export type EventKind = "match" | "tournament" | "sprt";
export type EventStatus = "starting" | "running" | "stopped" | "finished";

/** The hypotheses of a sequential test. */
export interface TestSpec {
  elo0?: number;
  elo1?: number;
  alpha?: number;
  beta?: number;
  model?: "normalized" | "logistic";
}

/** A match, tournament or sequential test to start. */
export interface NewEvent {
  kind: EventKind;
  game: string;
  options?: Options | null;
  players: string[];
  games?: number;
  gauntlet?: boolean;
  seconds?: number | null;
  clock?: ClockSpec | null;
  openings?: "random" | "boards" | "generator";
  plies?: number;
  balanced?: boolean;
  seed?: number;
  proven?: number;
  agreed?: number;
  longest?: number;
  test?: TestSpec | null;
}

export interface CheckedEvent {
  problems: { field: string; message: string }[];
  command: string;
}

export interface FinishedGame {
  id: number;
  first: string;
  second: string;
  opening: number;
  winner: Side | null;
  score: string;
  ending: string;
  reason: string;
  plies: number;
  finished: number;
}

export interface GamesPage {
  total: number;
  games: FinishedGame[];
}

export interface EventCard {
  id: string;
  kind: EventKind;
  game: string;
  title: string;
  players: string[];
  games: number;
  total: number | null;
  status: EventStatus;
  own: boolean;
  updated: number;
}

/** A command that the server has started. */
export interface Run {
  number: number;
  command: string;
  event: string | null;
  state: "starting" | "running" | "ended" | "failed";
  message: string;
}

export interface Arena {
  type: "arena";
  store: string;
  problem: string | null;
  engines: boolean;
  events: EventCard[];
  runs: Run[];
}

export interface EventPlayer {
  text: string;
  name: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  faults: number;
  seconds_a_move: number;
  depth: number | null;
  rating: number | null;
  rating_error: number | null;
}

export interface CrossCell {
  player: number;
  opponent: number;
  wins: number;
  draws: number;
  losses: number;
}

export interface CurvePoint {
  games: number;
  elo: number;
  low: number | null;
  high: number | null;
  llr: number | null;
}

export interface MatchResult {
  score: number;
  pairs: [number, number, number, number, number];
  elo: number;
  elo_low: number | null;
  elo_high: number | null;
  elo_text: string;
  superiority: number;
  curve: CurvePoint[];
}

export interface TestResult {
  llr: number;
  lower: number;
  upper: number;
  decision: "H0" | "H1" | "continue";
  why: string;
  remaining: number;
}

/** The results of an event. */
export interface EventModel {
  type: "event";
  card: EventCard;
  command: string;
  facts: string[];
  players: EventPlayer[];
  cross: CrossCell[];
  match: MatchResult | null;
  test: TestResult | null;
  first_mover_score: number;
  endings: Record<string, number>;
  notes: string[];
  failures: string[];
  failed: number;
}

/** A game that is under way or just over. */
export interface BoardModel {
  type: "board";
  event: string;
  slot: number;
  players: Pair<string>;
  opening: number;
  ply: number;
  move: string | null;
  clock: string;
  seconds: Pair<number>;
  values: Pair<string | null>;
  view: View;
  result: Result | null;
}

export interface Boards {
  type: "boards";
  event: string;
  slots: number;
  under_way: number;
  problem: string | null;
}

// The socket of the arena: /api/arena/socket

export type ArenaRequest = { type: "watch"; event: string } | { type: "unwatch" };

export type ArenaReply = Arena | EventModel | BoardModel | Boards | ErrorReply;

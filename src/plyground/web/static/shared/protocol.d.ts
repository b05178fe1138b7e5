/**
 * The server's JSON: responses of the HTTP API and messages of the two WebSockets. Field by field
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

/** What plays a side, with its limits. */
export interface PlayerSpec {
  kind: PlayerKind;
  seconds?: number | null;
  depth?: number | null;
  nodes?: number | null;
  threads?: number | null;
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
}

export interface GameCard {
  name: string;
  title: string;
  summary: string;
  players: Pair<string>;
  file: boolean;
  point: number;
  live: boolean;
  options: GameOption[];
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

// Tables: games that are played or studied

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

/** A position in the tree of a table. */
export interface TableNode {
  id: number;
  parent: number | null;
  move: string | null;
  turn: Side;
  seconds: number | null;
  value: number | null;
  value_text: string | null;
  depth: number | null;
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
}

/** How far the search for a move has come. */
export interface MoveProgress {
  depth: number;
  nodes: number;
  value_text: string;
}

export interface Table {
  type: "table";
  id: string;
  version: number;
  game: GameCard;
  options: Options;
  start: string;
  nodes: TableNode[];
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
  progress: MoveProgress | null;
}

// The socket of a table: /api/tables/ID/socket

type WithRef<Request> = Request & { ref?: number | string | null };

export type TableRequest = WithRef<
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

/** New `progress` and `clock` of the table with this `version`. */
export interface TableProgress {
  type: "progress";
  version: number;
  progress: MoveProgress;
  clock: Clock | null;
}

export type TableReply = Table | TableProgress | HintReply | TableNotice | ErrorReply;

// The socket for analysis: /api/think

export interface SearchRequest {
  type: "search";
  id: number;
  place: Place;
  lines?: number;
  algorithm?: SearchKind;
  threads?: number;
  depth?: number | null;
  seconds?: number | null;
  nodes?: number | null;
}

export interface SolveRequest {
  type: "solve";
  id: number;
  place: Place;
  memory?: number | null;
}

export interface ReviewRequest {
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

export interface TreeRequest extends TreeSettings {
  type: "tree";
  id: number;
  place: Place;
}

export interface StopRequest {
  type: "stop";
  id: number;
}

export type AnalysisRequest =
  | SearchRequest
  | SolveRequest
  | ReviewRequest
  | TreeRequest
  | StopRequest;

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
  lines: Line[];
}

export interface SolveProgress {
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
export interface Mistake {
  ply: number;
  kind: "mistake" | "blunder";
  better: string;
  words: string;
}

export interface ReviewDone {
  type: "done";
  id: number;
  marks: Mistake[];
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

export interface AnalysisNotice {
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
  search: SearchReply | AnalysisNotice | ErrorReply;
  solve: SolveProgress | Solved | AnalysisNotice | ErrorReply;
  review: Reviewed | ReviewDone | AnalysisNotice | ErrorReply;
  tree: TreeReply | AnalysisNotice | ErrorReply;
}

export type AnalysisReply = RepliesByRequest[keyof RepliesByRequest] | Stopped;

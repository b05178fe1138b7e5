/** The Analyse page: connects a session and the analysis client to the board and its panels. */

import { Board } from "../board/board.js";
import { addRulesToHeader } from "../dialogs/rules.js";
import { MoveButtons } from "../moves/move-buttons.js";
import { MoveInput } from "../moves/move-input.js";
import { MoveList } from "../moves/move-list.js";
import { VariationPlayer } from "../moves/variation-player.js";
import { AnalysisClient } from "../shared/analysis-client.js";
import { sessionSocketPath } from "../shared/api.js";
import { iconOnlyButton } from "../shared/controls.js";
import { byId } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { checkSessionExists } from "../shared/not-found.js";
import { announce, showError, showNotice } from "../shared/notifications.js";
import { sessionId, startPage } from "../shared/page.js";
import { colourOf } from "../shared/side-colours.js";
import { ReconnectingSocket } from "../shared/socket.js";
import { lineThrough, nextNode, nodeOf, placeOf } from "../shared/session.js";
import { sentence } from "../shared/text.js";
import { leaderOf, markText } from "../shared/value-text.js";
import { BestLines } from "./best-lines.js";
import { EnginePanel } from "./engine-panel.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { PositionPanel } from "./position-panel.js";
import { ReviewPanel } from "./review-panel.js";
import { SolvePanel } from "./solve-panel.js";

/**
 * @import { Arrow, Badge } from "../board/annotations.js"
 * @import { IconName } from "../shared/icons.js"
 * @import {
 *   ErrorReply, Line, SearchReply, Table, SessionReply, SessionRequest,
 * } from "../shared/protocol.d.ts"
 */

/** Reference of typed moves: an error with it is shown beside the field. */
const TYPED = "typed";

class AnalysePage {
  #id;
  /** @type {Table|null} */
  #shown = null;
  /** @type {Line|null} */
  #bestLine = null;
  /** @type {Arrow[]} */
  #arrows = [];
  /** @type {Badge[]} */
  #badges = [];
  #flipped = false;
  #socket;
  #variation;
  #board;
  #bar;
  #lines;
  #engine;
  #moves;
  #moveInput;
  #moveButtons;
  #review;
  #solve;
  #position;

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    const client = new AnalysisClient();
    /** @param {string[]} moves */
    const onPlay = (moves) => this.#variation.play(this.#session.current, moves);
    /** @param {number} node */
    const onSelect = (node) => this.#goTo(node);
    this.#board = new Board(byId("board"), {
      onMove: (move) => this.#try(move, "board"),
      announce,
    });
    this.#bar = new EvaluationBar(byId("bar"));
    this.#lines = new BestLines(byId("lines"), { onPlay });
    this.#engine = new EnginePanel({
      client,
      button: byId("run", HTMLButtonElement),
      host: byId("engine"),
      onLines: (reply, note) => this.#showLines(reply, note),
    });
    this.#moves = new MoveList(byId("moves"), { onSelect });
    this.#moveInput = new MoveInput(byId("typed"), { onMove: (move) => this.#try(move, TYPED) });
    this.#moveButtons = new MoveButtons(byId("move-buttons"), {
      onMove: (move) => this.#try(move, "board"),
    });
    this.#review = new ReviewPanel({
      client,
      controls: byId("review-controls"),
      host: byId("graph"),
      onSelect,
      onMistakes: (mistakes) => this.#moves.setMistakes(mistakes),
    });
    this.#solve = new SolvePanel({
      client,
      host: byId("solve"),
      onPlay,
      onBadges: (badges) => {
        this.#badges = badges;
        this.#annotate();
      },
    });
    this.#position = new PositionPanel(byId("position"), id);
    this.#addControls();
    /** @type {ReconnectingSocket<SessionRequest, SessionReply>} */
    this.#socket = new ReconnectingSocket(sessionSocketPath(id), {
      onMessage: (message) => this.#receive(message),
      onState: (state) => this.#connectionChanged(state),
    });
    this.#variation = new VariationPlayer(this.#socket);
  }

  /** The session on show; controls that use it work only after the first message. */
  get #session() {
    if (this.#shown === null) {
      throw new Error("no session has been received");
    }
    return this.#shown;
  }

  // Messages

  /** @param {SessionReply} message */
  #receive(message) {
    if (message.type === "table") {
      this.#show(message);
    } else if (message.type === "error") {
      this.#showError(message);
    } else if (message.type === "notice") {
      showNotice(sentence(message.text));
    }
  }

  /** @param {ErrorReply} error */
  #showError({ message, ref }) {
    this.#variation.stop();
    if (ref !== undefined) {
      // The engine may be searching a move that was refused.
      this.#analyse(this.#session);
    }
    if (ref === TYPED) {
      this.#moveInput.showError(sentence(message));
      this.#moveInput.focus();
    } else {
      showError(message);
    }
  }

  /** @param {"open"|"closed"} state */
  #connectionChanged(state) {
    if (state === "closed") {
      byId("state").textContent = "The connection is lost. Trying again…";
      if (this.#shown === null) {
        checkSessionExists(this.#id, this.#socket);
      } else if (this.#engine.isAhead) {
        // The move that it searches may be lost.
        this.#analyse(this.#session);
      }
    } else if (this.#shown !== null) {
      this.#showState();
    }
  }

  /** @param {Table} session */
  #show(session) {
    const before = this.#shown;
    this.#shown = session;
    byId("stage").inert = false;
    if (before === null) {
      addRulesToHeader(session.game);
    }
    const hasMoved = before === null || before.current !== session.current ||
      before.view.text !== session.view.text;
    this.#variation.update(session);
    if (hasMoved) {
      this.#analyse(session);
      this.#showPosition(session, before !== null);
    }
    this.#review.show(session);
    this.#position.show(session);
    const isVariation = !session.main.includes(session.current);
    byId("remove").hidden = !isVariation;
    byId("promote").hidden = !isVariation;
    this.#showState();
    // Last: to scroll to the move, the browser has to lay out what has changed.
    this.#moves.show(session);
  }

  /**
   * Begin to analyse a new position. It is drawn after that, while the engine searches.
   *
   * @param {Table} session
   */
  #analyse(session) {
    this.#bestLine = null;
    this.#bar.game = session.game;
    this.#lines.markStale();
    this.#arrows = [];
    this.#badges = [];
    // While a line is being played out, only its last position is searched.
    if (!this.#variation.isPlaying) {
      const place = placeOf(session, session.current);
      this.#engine.setPosition(place, session.view, session.game);
      this.#solve.setPosition(place, session.view, session.game);
    }
  }

  /**
   * @param {Table} session
   * @param {boolean} animate
   */
  #showPosition(session, animate) {
    this.#annotate();
    this.#board.interactive = !session.view.over;
    this.#board.show(session.view, { animate });
    this.#moveInput.show(session.view);
    this.#moveInput.enabled = !session.view.over;
    this.#moveButtons.show(session.view);
    this.#moveButtons.enabled = !session.view.over;
    byId("flip").hidden = !this.#board.canFlip;
    if (animate) {
      const { move } = nodeOf(session, session.current);
      announce(move === null ? "The start." : `After ${move}.`);
    }
  }

  #showState() {
    const { game, view } = this.#session;
    document.title = `Analyse · ${game.title} · plyground`;
    byId("title").textContent = game.title;
    byId("state").textContent = view.over
      ? view.result?.reason ?? "The game is over"
      : `${view.player} to move`;
  }

  // Analysis

  /**
   * @param {SearchReply|null} reply
   * @param {string} note
   */
  #showLines(reply, note) {
    const best = reply?.lines[0];
    if (!reply || !best) {
      this.#bestLine = null;
      this.#lines.clear(note);
      this.#arrows = [];
      this.#annotate();
      this.#showResult();
      return;
    }
    const { game } = this.#session;
    this.#bestLine = best;
    this.#bar.show(best.value, best.value_text, game);
    this.#lines.show(reply.lines, game);
    this.#arrows = reply.lines.map((line, index) => ({
      touches: line.touches,
      rank: index + 1,
      label: markText(line.value, game),
      colour: colourOf(leaderOf(line.value), game),
    }));
    this.#annotate();
  }

  /** Badges of solved moves replace the engine's arrows. */
  #annotate() {
    const badges = this.#badges;
    this.#board.annotateMoves(badges.length > 0 ? { badges } : { arrows: this.#arrows });
  }

  /** Show the result of a finished game on the bar. */
  #showResult() {
    const { view, game } = this.#session;
    if (!view.over || view.result === null) {
      this.#bar.clear();
      return;
    }
    const { winner, reason } = view.result;
    if (game.point && view.score !== null) {
      this.#bar.show(view.score * game.point, reason, game);
    } else {
      this.#bar.show(winner === null ? 0 : winner === 0 ? 1e9 : -1e9, reason, game);
    }
  }

  #announceEvaluation() {
    if (this.#bestLine === null) {
      announce("There is no evaluation.");
      return;
    }
    const { value_text: text, moves } = this.#bestLine;
    announce(`${text}. Best: ${moves.slice(0, 4).join(", ")}.`);
  }

  // Moves

  /**
   * @param {string} move
   * @param {string} ref
   */
  #try(move, ref) {
    const { current } = this.#session;
    this.#variation.stop();
    this.#socket.send({ type: "try", node: current, move, ref });
    const place = placeOf(this.#session, current);
    this.#lines.markStale();
    this.#engine.expectPosition({ ...place, moves: [...place.moves, move] });
  }

  /** @param {number|null} node */
  #goTo(node) {
    if (node !== null && node !== this.#session.current) {
      this.#variation.stop();
      this.#socket.send({ type: "goto", node });
    }
  }

  /** Remove the variation that is on show, from where it leaves the main line. */
  #removeVariation() {
    const { main, current } = this.#session;
    let first = nodeOf(this.#session, current);
    while (first.parent !== null && !main.includes(first.parent)) {
      first = nodeOf(this.#session, first.parent);
    }
    this.#socket.send({ type: "remove", node: first.id });
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#board.flipped = this.#flipped;
    this.#bar.flipped = this.#flipped;
    byId("flip").setAttribute("aria-pressed", String(this.#flipped));
  }

  // Controls

  #addControls() {
    const isReady = () => this.#shown !== null;
    /**
     * @param {string} key
     * @param {string} description
     * @param {() => void} action
     */
    const shortcut = (key, description, action) => ({
      keys: [key],
      description,
      action,
      when: isReady,
    });
    /** @type {[IconName, string, string, () => number|null|undefined][]} */
    const navigation = [
      ["first", "First position", "Home", () => this.#session.main[0]],
      [
        "previous",
        "Previous move",
        "ArrowLeft",
        () => nodeOf(this.#session, this.#session.current).parent,
      ],
      ["next", "Next move", "ArrowRight", () => nextNode(this.#session, this.#session.current)],
      [
        "last",
        "End of the line",
        "End",
        () => lineThrough(this.#session, this.#session.current).at(-1),
      ],
    ];
    for (const [icon, name, key, target] of navigation) {
      const action = () => this.#goTo(target() ?? null);
      byId("navigation").append(iconOnlyButton(icon, name, action, { kind: "small" }));
      registerKeys([shortcut(key, name, action)]);
    }
    byId("flip").addEventListener("click", () => this.#flip());
    byId("remove").addEventListener("click", () => this.#removeVariation());
    byId("promote").addEventListener("click", () => {
      this.#socket.send({ type: "promote", node: this.#session.current });
    });
    registerKeys([
      shortcut(" ", "Start or stop the engine", () => this.#engine.toggle()),
      shortcut("e", "Say the evaluation", () => this.#announceEvaluation()),
      shortcut("s", "Solve, or give up", () => this.#solve.toggle()),
      shortcut("r", "Review the game", () => this.#review.toggle()),
      shortcut("b", "To the board", () => this.#board.focus()),
      shortcut("m", "Type a move", () => this.#moveInput.focus()),
      {
        ...shortcut("f", "Flip the board", () => this.#flip()),
        when: () => this.#board.canFlip,
      },
    ]);
  }
}

const id = sessionId();
startPage({ section: "analyse", id });
new AnalysePage(id);

/** The Play page: connects a session's socket to the board, the players, the moves, the controls. */

import { Board } from "../board/board.js";
import { openNewGame } from "../dialogs/new-game.js";
import { openPlayersDialog } from "../dialogs/player-form.js";
import { addRulesToHeader } from "../dialogs/rules.js";
import { MoveButtons } from "../moves/move-buttons.js";
import { MoveInput } from "../moves/move-input.js";
import { MoveList } from "../moves/move-list.js";
import { createSession, errorMessage, sessionSocketPath } from "../shared/api.js";
import { iconButton } from "../shared/controls.js";
import { confirmDialog } from "../shared/dialog.js";
import { byId, element } from "../shared/dom.js";
import { registerKeys } from "../shared/keyboard.js";
import { checkSessionExists } from "../shared/not-found.js";
import { announce, showError } from "../shared/notifications.js";
import { goToPlay, sessionId, startPage } from "../shared/page.js";
import { ReconnectingSocket } from "../shared/socket.js";
import { humanSide, isHuman, nextNode, nodeOf, sideToMove } from "../shared/session.js";
import { sentence } from "../shared/text.js";
import { LiveControls } from "./live-controls.js";
import { fileLinks, navigationButtons, outcomeButtons, PlayControls } from "./play-controls.js";
import { PlayerBars } from "./player-bars.js";
import { changeTexts, isLost, optionsText, statusTexts } from "./status-text.js";

/**
 * @import {
 *   ErrorReply, HintReply, Pair, PlayerSpec, Table, TableNotice, TableProgress, SessionReply,
 *   SessionRequest,
 * } from "../shared/protocol.d.ts"
 */

/** Reference of typed moves: an error with it is shown beside the field. */
const TYPED = "typed";
/** Milliseconds that a piece moves in a live game, at most. */
const LONGEST_LIVE_MOVE = 500;

class PlayPage {
  #id;
  #socket;
  /** @type {Table|null} */
  #shown = null;
  #flipped = false;
  #hint = "";
  #board;
  #playerBars;
  #moves;
  #moveInput;
  #moveButtons;
  #live;
  #controls;

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    this.#board = new Board(byId("board"), { onMove: (move) => this.#play(move), announce });
    this.#playerBars = new PlayerBars(byId("player-far"), byId("player-near"));
    this.#moves = new MoveList(byId("moves"), { onSelect: (node) => this.#goTo(node) });
    this.#moveInput = new MoveInput(byId("typed"), { onMove: (move) => this.#play(move, TYPED) });
    this.#moveButtons = new MoveButtons(byId("move-buttons"), {
      onMove: (move) => this.#play(move),
    });
    this.#live = new LiveControls(byId("live"), (message) => this.#send(message));
    this.#controls = new PlayControls(byId("controls"), {
      takeback: () => this.#send({ type: "takeback" }),
      hint: () => this.#send({ type: "hint" }),
      pause: () => this.#send({ type: this.#session.paused ? "resume" : "pause" }),
      flip: () => this.#flip(),
      swap: () => this.#swapSides(),
      players: () => openPlayersDialog(this.#session, (players) => this.#setPlayers(players)),
      resign: () => this.#resign(),
      newGame: () => openNewGame(this.#session.game, { options: this.#session.options }),
    });
    const navigation = {
      first: () => this.#goTo(this.#session.main[0]),
      previous: () => this.#goTo(nodeOf(this.#session, this.#session.current).parent),
      next: () => this.#goTo(nextNode(this.#session, this.#session.current)),
      last: () => this.#goTo(this.#session.head),
    };
    byId("outcome").append(...outcomeButtons(id, (swap) => this.#rematch(swap)));
    byId("back").append(
      element("p", { text: "This is another position than the game’s." }),
      iconButton("last", "Back to the game", navigation.last, "primary"),
    );
    byId("navigation").append(...navigationButtons(navigation));
    byId("files").append(...fileLinks(id));
    this.#registerKeys(navigation);
    /** @type {ReconnectingSocket<SessionRequest, SessionReply>} */
    this.#socket = new ReconnectingSocket(sessionSocketPath(id), {
      onMessage: (message) => this.#receive(message),
      onState: (state) => this.#connectionChanged(state),
    });
  }

  /** The session on show; controls that use it work only after the first message. */
  get #session() {
    if (this.#shown === null) {
      throw new Error("no session has been received");
    }
    return this.#shown;
  }

  /** @param {SessionRequest} message */
  #send(message) {
    this.#socket.send(message);
  }

  // Messages

  /** @param {SessionReply} message */
  #receive(message) {
    if (message.type === "table") {
      this.#showSession(message);
    } else if (message.type === "error") {
      this.#showError(message);
    } else if (this.#shown === null) {
      return;
    } else if (message.type === "progress") {
      this.#showProgress(message);
    } else if (message.type === "hint") {
      this.#showHint(message);
    } else if (message.type === "notice") {
      this.#showNotice(message);
    }
  }

  /**
   * A search takes longer, for the first time only. The text stays until the session changes.
   *
   * @param {TableNotice} notice
   */
  #showNotice({ text }) {
    byId("details").textContent = sentence(text);
    announce(sentence(text));
  }

  /** @param {ErrorReply} error */
  #showError({ ref, message }) {
    if (ref === TYPED) {
      this.#moveInput.showError(sentence(message));
      this.#moveInput.focus();
    } else if (this.#shown !== null) {
      showError(message);
    }
    if (this.#shown !== null) {
      this.#board.show(this.#shown.view, { animate: false });
    }
  }

  /** @param {"open"|"closed"} state */
  async #connectionChanged(state) {
    byId("connection").hidden = state === "open";
    if (state === "closed" && this.#shown === null) {
      await checkSessionExists(this.#id, this.#socket);
    }
  }

  /** @param {TableProgress} message about the session on show, unless it came late */
  #showProgress({ version, progress, clock }) {
    if (version === this.#session.version) {
      this.#shown = { ...this.#session, progress, clock };
      this.#playerBars.show(this.#shown, this.#isFlipped);
      this.#showStatus();
    }
  }

  /** @param {HintReply} hint */
  #showHint({ move, touches, value_text: value }) {
    this.#hint = `Hint: ${move} (${value})`;
    this.#board.showHint(touches);
    this.#showStatus();
    announce(this.#hint);
  }

  // Showing

  /** @param {Table} session */
  #showSession(session) {
    const before = this.#shown;
    const focused = document.activeElement;
    this.#shown = session;
    if (before === null) {
      this.#flipped = humanSide(session) === 1;
      byId("stage").removeAttribute("aria-busy");
      byId("stage").inert = false;
      addRulesToHeader(session.game);
    }
    this.#showBoard(before);
    this.#playerBars.show(session, this.#isFlipped);
    this.#moves.show(session);
    this.#live.show(session);
    this.#controls.show(session, { mayMove: this.#mayMove(), canFlip: this.#board.canFlip });
    this.#showStatus();
    changeTexts(before, session).forEach(announce);
    if (focused !== document.body && focused?.closest("[hidden]")) {
      byId("status").focus();
    }
  }

  get #isFlipped() {
    return this.#flipped && this.#board.canFlip;
  }

  /** @param {Table|null} before */
  #showBoard(before) {
    const session = this.#session;
    const mayMove = this.#mayMove();
    this.#board.flipped = this.#flipped;
    this.#board.interactive = mayMove;
    this.#moveInput.enabled = mayMove;
    this.#moveButtons.enabled = mayMove;
    byId("typed").hidden = session.live !== null || session.result !== null ||
      !session.players.some(isHuman);
    const isSame = before?.current === session.current && before.view.svg === session.view.svg;
    if (!isSame) {
      this.#hint = "";
      this.#board.show(session.view, { animate: before !== null && this.#moveTime() });
      this.#moveInput.show(session.view);
      if (session.live === null && session.players.some(isHuman)) {
        this.#moveButtons.show(session.view);
      }
      this.#fitBoard();
    }
  }

  /** How long pieces move: as long as a ply in a live game, the board's own time in others. */
  #moveTime() {
    const { live } = this.#session;
    return live?.running ? Math.min(1000 * live.seconds, LONGEST_LIVE_MOVE) : true;
  }

  /** Make the board as large as the window allows; its shape decides how wide that is. */
  #fitBoard() {
    const box = byId("board").querySelector("svg")?.viewBox.baseVal;
    if (box !== undefined && box.height > 0) {
      byId("stage").style.setProperty("--board-ratio", String(box.width / box.height));
    }
  }

  #showStatus() {
    const session = this.#session;
    const [headline, details] = statusTexts(session);
    byId("title").textContent = session.game.title;
    byId("options").textContent = optionsText(session);
    document.title = `${session.game.title} · plyground`;
    byId("status").textContent = headline;
    byId("details").textContent = this.#hint || details;
    byId("outcome").hidden = session.result === null;
    byId("back").hidden = session.current === session.head;
    byId("stage").classList.toggle("over", session.result !== null);
    byId("stage").classList.toggle("lost", isLost(session));
  }

  // Moves

  /** Whether a person may move now, in the position on show. */
  #mayMove() {
    const session = this.#session;
    const side = sideToMove(session);
    const isAtHead = session.current === session.head;
    return side !== null && isAtHead && session.live === null && isHuman(session.players[side]);
  }

  /**
   * @param {string} move
   * @param {string} [ref]
   */
  #play(move, ref = "board") {
    this.#send({ type: "play", node: this.#session.head, move, ref });
  }

  /** @param {number|null} node */
  #goTo(node) {
    if (node !== null && node !== this.#session.current) {
      this.#send({ type: "goto", node });
    }
  }

  // Controls

  #flip() {
    this.#flipped = !this.#flipped;
    this.#board.flipped = this.#flipped;
    this.#playerBars.show(this.#session, this.#flipped);
    announce("The board is turned round.");
  }

  #swapSides() {
    this.#flipped = !this.#flipped;
    const [first, second] = this.#session.players;
    this.#setPlayers([second, first]);
  }

  /** @param {Pair<PlayerSpec>} players */
  #setPlayers(players) {
    this.#send({ type: "players", players });
  }

  async #resign() {
    const player = humanSide(this.#session) ?? sideToMove(this.#session) ?? 0;
    const question = `${this.#session.game.players[player]} gives up, and the other side wins.`;
    if (await confirmDialog(question, { title: "Resign?", yes: "Resign" })) {
      this.#send({ type: "resign", player });
    }
  }

  /** @param {boolean} swap */
  async #rematch(swap) {
    try {
      goToPlay(await createSession({ like: this.#id, swap }));
    } catch (error) {
      showError(errorMessage(error));
    }
  }

  // Keys

  /** @param {Record<"first"|"previous"|"next"|"last", () => void>} navigation */
  #registerKeys({ first, previous, next, last }) {
    const isReady = () => this.#shown !== null;
    const hasClock = () => this.#shown !== null && this.#shown.clock !== null;
    const hasMoveKeys = () => this.#shown?.view.moves.some(({ key }) => key !== "") ?? false;
    /** @param {string} key */
    const moveWithKey = (key) => this.#session.view.moves.find((move) => move.key === key);
    // Where arrow keys are moves, one that is not legal here does nothing: it must not navigate.
    const arrowsNavigate = () => isReady() && !(hasMoveKeys() && this.#mayMove());
    registerKeys([
      {
        keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "],
        description: "Move in this direction, or stay",
        when: (key) => isReady() && this.#mayMove() && moveWithKey(key) !== undefined,
        listed: () => hasMoveKeys() && this.#session.live === null,
        action: (event) => this.#play(moveWithKey(event.key)?.text ?? ""),
      },
      {
        keys: ["ArrowLeft"],
        description: "Previous move",
        when: arrowsNavigate,
        listed: arrowsNavigate,
        action: previous,
      },
      {
        keys: ["ArrowRight"],
        description: "Next move",
        when: arrowsNavigate,
        listed: arrowsNavigate,
        action: next,
      },
      { keys: ["Home"], description: "First position", when: isReady, action: first },
      { keys: ["End"], description: "Last position", when: isReady, action: last },
      {
        keys: ["t"],
        description: "Say the clocks",
        when: hasClock,
        listed: hasClock,
        action: () => announce(this.#playerBars.clocksText(this.#session)),
      },
      {
        keys: ["b"],
        description: "To the board",
        when: isReady,
        action: () => this.#board.focus(),
      },
      {
        keys: ["m"],
        description: "Type a move",
        when: isReady,
        action: () => this.#moveInput.focus(),
      },
    ]);
  }
}

const id = sessionId();
startPage({ section: "play", id });
new PlayPage(id);

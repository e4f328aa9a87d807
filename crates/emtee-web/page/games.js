// Games: play, analyse, set up and save any game of the registry.

import { request, requestLines } from "./api.js";
import { numberOf, writeAddress } from "./address.js";
import { analysisElements } from "./analysis.js";
import { gameClock } from "./clock.js";
import { errorLine, gameField, gameOf, panel, row } from "./controls.js";
import { button, choice, copyText, el, field, icon, isTyping, put, saveFile } from "./dom.js";
import { childOf, lineText, mainLine, moveList, movesTo, nameMoves, newNode, nodeAt } from "./line.js";
import { readLine, removeNode, setNotation, valueGraph, wayTo } from "./line.js";
import { annotate } from "./pgn.js";
import { playableBoard } from "./playable.js";
import { captionOf, endingText, evaluationBar, scoreText } from "./scores.js";
import { putOnCell, setupPanel } from "./setup.js";

export const GAME_KEYS = [
  ["← →", "one move back or forward; on the board, from square to square"],
  ["Home End", "to the beginning or the end"],
  ["Enter Space", "on the board: choose a piece, then its target"],
  ["Esc", "on the board: choose nothing"],
  ["t", "take back your last move"],
  ["f", "flip the board"],
  ["a", "analyse, or stop it"],
  ["?", "show these keys"],
];

export async function showGames(container, words, about) {
  const state = {
    game: gameOf(about, words, about.games[0].name),
    position: words.get("position") ?? "",
    flip: words.has("flip"),
    engine: words.get("engine") ?? "",
    level: words.get("level") ?? "4",
    lines: numberOf(words, "lines") ?? 3,
    minutes: numberOf(words, "minutes"),
    increment: numberOf(words, "increment"),
    board: null,
    analysing: words.has("analyse"),
    row: null,
    setup: null,
    names: ["", ""],
    /** After a step back the engine waits for a move or for its button. */
    waiting: false,
  };
  const gameInfo = about.games.find((game) => game.name === state.game);
  let root = newNode();
  /** The node whose position is shown, and the one that was asked for last. */
  let current = root;
  let wanted = root;
  let loading = null;
  let thinking = null;
  let analysis = null;
  const { sides } = gameInfo;

  const board = playableBoard({ onMove: play, onPut: putPiece });
  const status = el("p", { class: "status", id: "status", role: "status" });
  const [problem, showError] = errorLine();
  const movesElement = el("div", { class: "moves", id: "moves", tabindex: 0, role: "group", "aria-label": "moves" });
  const namesElement = el("p", { class: "names", id: "names", hidden: true });
  const graphElement = el("div", {});
  const bar = el("div", { class: "bar" });
  const shownAnalysis = analysisElements(playLine);
  const textBox = el("textarea", {
    rows: 3,
    id: "paste",
    spellcheck: "false",
    "aria-label": "a position, moves or a game",
    placeholder: "A position, moves, or a whole game",
  });
  const analyseButton = button("Analyse", "analyse (a)", toggleAnalysis, { id: "analyse", class: "primary" });
  const takeBackButton = button("Take back", "take back your last move (t)", takeBack, { id: "take-back" });
  const engineButton = button("Engine, move", "let the engine move", () => ((state.waiting = false), engineMove()), {
    id: "engine-move",
  });
  const clocks = el("div", { class: "facts", id: "clocks" });
  const clock = gameClock(clocks, sides, (side) => (status.textContent = `${sides[side]} is out of time.`));
  clock.minutes = state.minutes ?? clock.minutes;
  clock.seconds = state.increment ?? clock.seconds;
  const setupElement = el("div", {});
  const gauge = evaluationBar(gameInfo);
  const copyLink = (event) => copyText(location.href, event.currentTarget);

  const lineCount = choice([1, 2, 3, 5, 8], state.lines, (lines) => ((state.lines = Number(lines)), updateAddress(), restart()), {
    id: "line-count",
  });
  const panels = [
    panel("Analysis", row(analyseButton, field("lines", lineCount)), shownAnalysis.element),
    panel(
      "Moves",
      namesElement,
      movesElement,
      graphElement,
      row(button("Evaluate the game", "a graph of the values of the game", graphGame, { id: "graph" })),
    ),
    panel(
      "Paste, set up, save",
      textBox,
      row(
        button("Use this text", "use this text", paste, { id: "use-text" }),
        button(`Save ${gameInfo.record.toUpperCase()}`, "save the game", save, { id: "save" }),
        button("Copy position", "copy the position", (event) => copyText(state.board.text, event.currentTarget)),
        button("Copy link", "copy a link to this state", copyLink),
        gameInfo.set_up && button("Set up", "set up a position by hand", beginSetup, { id: "setup" }),
      ),
      setupElement,
    ),
  ];
  const navigation = el(
    "div",
    { class: "controls navigation", role: "toolbar", "aria-label": "through the game" },
    button(icon("first"), "to the beginning (Home)", () => jump(root)),
    button(icon("back"), "one move back (←)", back, { id: "undo" }),
    button(icon("forward"), "one move forward (→)", forward, { id: "redo" }),
    button(icon("last"), "to the end (End)", () => jump(mainLine(wanted).at(-1))),
    takeBackButton,
    engineButton,
    button("Flip", "flip the board (f)", flip, { id: "flip" }),
  );
  put(
    container,
    el("h1", { class: "offscreen" }, "Games"),
    bar,
    problem,
    el(
      "div",
      { class: "table-top" },
      el("div", { class: "table" }, clocks, el("div", { class: "with-gauge" }, gauge.element, board.element), status, board.choices, navigation),
      el("div", { class: "columns" }, panels),
    ),
  );

  const positionRequest = (node = current) => ({
    game: state.game,
    ...(state.position ? { position: state.position } : {}),
    moves: movesTo(node),
  });

  const writtenTo = async (node) => (await request("position", positionRequest(node))).written;

  function renderBar() {
    const timeField = (name, max, min) =>
      el("input", {
        type: "number",
        min,
        max,
        value: clock[name],
        "aria-label": name,
        onchange: (event) => ((clock[name] = Number(event.target.value)), startClock(), updateAddress()),
      });
    const opponents = [["", "neither side"], ["1", sides[1]], ["0", sides[0]], ["both", "both sides"]];
    const strengths = [
      ...about.levels.map((level) => [String(level), `level ${level}`]),
      ["100ms", "0.1 s per move"],
      ["1000ms", "1 s per move"],
      ["5000ms", "5 s per move"],
      ["clock", "a game clock"],
    ];
    put(
      bar,
      gameField(about, state.game, "games"),
      field("engine plays", choice(opponents, state.engine, setEngine, { id: "engine" })),
      field("strength", choice(strengths, state.level, setLevel, { id: "level" })),
      state.level === "clock"
        ? field("minutes + seconds", el("span", { class: "slider" }, timeField("minutes", 60, 1), timeField("seconds", 60, 0)))
        : null,
      button("New game", "new game", newGame, { id: "new" }),
    );
  }
  function newGame() {
    root = newNode();
    Object.assign(state, { position: "", names: ["", ""] });
    startClock();
    show(root, true);
  }
  function setEngine(engine) {
    state.engine = engine;
    state.waiting = false;
    updateAddress();
    render();
    engineMove();
  }
  function setLevel(level) {
    state.level = level;
    startClock();
    renderBar();
    updateAddress();
    engineMove();
  }
  function startClock() {
    clock.start(state.level === "clock");
  }

  function updateAddress() {
    const isEnd = current === mainLine(root).at(-1);
    const timed = state.level === "clock";
    writeAddress("games", {
      game: state.game,
      position: state.position,
      moves: lineText(root),
      at: isEnd ? null : wayTo(current),
      flip: state.flip ? 1 : null,
      engine: state.engine,
      level: state.level === "4" ? null : state.level,
      minutes: timed && clock.minutes !== 5 ? clock.minutes : null,
      increment: timed && clock.seconds !== 3 ? clock.seconds : null,
      analyse: state.analysing ? 1 : null,
      lines: state.lines === 3 ? null : state.lines,
    });
  }

  /** Loads and shows the position of a node. A response that comes after the next request is dropped. */
  async function show(node, engineMoves) {
    wanted = node;
    stopThinking();
    loading?.abort();
    const mine = (loading = new AbortController());
    let position = null;
    try {
      position = await request("position", positionRequest(node), mine.signal);
    } catch (error) {
      if (mine !== loading) return;
      wanted = current;
      if (node.move !== null && node !== current && !node.written) removeNode(node);
      showError(error);
      return;
    }
    if (mine !== loading) return;
    showError(null);
    current = node;
    Object.assign(state, { board: position, row: null, waiting: !engineMoves });
    clock.turn(node.parent && !position.ending ? position.turn : null);
    node.turn = position.turn;
    setNotation(node, position.written);
    textBox.value = position.text;
    shownAnalysis.clear();
    updateAddress();
    render();
    restart();
    await engineMove();
  }
  /** Shows another position of the game; the engine does not move there by itself. */
  function jump(node) {
    return show(node, false);
  }
  function play(move) {
    clock.punch();
    return show(childOf(current, move), true);
  }
  function playLine(moves) {
    let node = current;
    for (const move of moves) node = childOf(node, move);
    jump(node);
  }
  function back() {
    if (wanted.parent) jump(wanted.parent);
  }
  function forward() {
    if (wanted.children.length) jump(wanted.children[0]);
  }
  /** Removes the last moves, back to the last turn of the user. */
  async function takeBack() {
    let node = current;
    if (!node.parent) return;
    const own = (side) => state.engine === "" || state.engine === "both" || state.engine !== String(side);
    do {
      node = node.parent;
      if (node.turn === null) node.turn = (await request("position", positionRequest(node))).turn;
    } while (node.parent && !own(node.turn));
    let last = current;
    while (last.parent !== node) last = last.parent;
    removeNode(last);
    // At the start of a game in which the engine begins it has to move again.
    show(node, !own(node.turn));
  }
  function flip() {
    state.flip = !state.flip;
    updateAddress();
    render();
  }

  const isEngineSide = () => state.engine === "both" || state.engine === String(state.board?.turn);
  const isEngineTurn = () => isEngineSide() && !state.waiting;

  function render() {
    board.show(state.board, { flipped: state.flip, locked: isEngineTurn() && !state.setup, setup: state.setup?.drawing });
    status.textContent = state.setup ? "Choose a piece and click squares, or drag pieces." : statusText();
    Object.assign(board.element.dataset, {
      turn: state.board.turn,
      over: state.board.ending?.result ?? "",
      plies: movesTo(current).length,
    });
    takeBackButton.disabled = !current.parent;
    engineButton.hidden = !isEngineSide() || !state.waiting || Boolean(state.board.ending) || Boolean(state.setup);
    renderValue();
    renderMoves();
  }
  function statusText() {
    const { ending, turn } = state.board;
    const caption = ["connect4", "tictactoe"].includes(state.game) ? "" : captionOf(state.board);
    if (!ending) return (caption || `${sides[turn]} to move`) + (isEngineSide() && state.waiting ? " (the engine waits)" : "");
    const points = ending.points ? ` by ${Math.abs(ending.points)}` : "";
    const how = endingText(state.game, ending);
    return ending.winner === null ? `A draw, ${how}.` : `${sides[ending.winner]} wins${points}, ${how}.`;
  }
  /** The first ply of the move list: positions may have a move number, or the second side to move. */
  function firstPly() {
    const fen = state.game === "chess" ? state.position.split(" ") : [];
    const played = movesTo(current).length;
    const parity = (((state.board.turn - played) % 2) + 2) % 2;
    return Number(fen[5]) > 0 ? 2 * (Number(fen[5]) - 1) + (fen[1] === "b" ? 1 : 0) : parity;
  }
  function renderMoves() {
    put(movesElement, moveList(root, firstPly(), current, jump));
    const [one, other] = state.names;
    namesElement.hidden = !one && !other;
    namesElement.textContent = `${one || "?"} – ${other || "?"}`;
    put(graphElement, valueGraph(root, current, gameInfo.lead, (value) => scoreText(gameInfo, value), jump));
    // Scrolls the list, not the page.
    const now = movesElement.querySelector(".now");
    if (now) movesElement.scrollTop = now.offsetTop - movesElement.offsetTop - movesElement.clientHeight / 2;
  }
  /** The evaluation bar and the arrows of the best moves. */
  function renderValue() {
    const top = state.row?.top?.length ? state.row.top.map((one) => one.move) : [state.row?.best_move];
    board.arrows(state.analysing ? top.slice(0, 3) : []);
    gauge.show(current.value, (gameInfo.bottom === 1) !== state.flip);
  }

  /** Lets the engine move if it is its turn. */
  async function engineMove() {
    if (!state.board || state.board.ending || !isEngineTurn() || state.setup) return;
    stopThinking();
    const controller = (thinking = new AbortController());
    render();
    status.textContent = "The engine is searching…";
    const strength =
      state.level === "clock"
        ? clock.forEngine(state.board.turn)
        : state.level.endsWith("ms")
          ? { ms: Number(state.level.slice(0, -2)) }
          : { level: Number(state.level), ms: 10000 };
    const playRequest = { ...positionRequest(), ...strength, seed: movesTo(current).length + 1 };
    try {
      let chosen = null;
      await requestLines("play", playRequest, controller.signal, (row) => row.done && (chosen = row));
      if (controller !== thinking || !chosen?.best_move) return;
      thinking = null;
      storeValue(chosen.row);
      await play(chosen.best_move);
    } catch (error) {
      showError(error);
    }
  }
  function stopThinking() {
    thinking?.abort();
    thinking = null;
    analysis?.abort();
    analysis = null;
  }

  function toggleAnalysis() {
    state.analysing = !state.analysing;
    updateAddress();
    if (!state.analysing) {
      analysis?.abort();
      analysis = null;
      renderValue();
    }
    restart();
  }
  /** Starts the analysis of the current position again. */
  async function restart() {
    analysis?.abort();
    analyseButton.textContent = state.analysing ? "Stop" : "Analyse";
    if (!state.analysing || !state.board || state.board.ending || state.setup) return;
    const controller = (analysis = new AbortController());
    const lines = Math.min(state.lines, state.board.moves.length);
    try {
      await requestLines("analyse", { ...positionRequest(), lines, ms: 60000 }, controller.signal, (row) => {
        if (controller === analysis) showRow(row.done ? row.row : row);
      });
    } catch (error) {
      showError(error);
    }
  }
  function storeValue(row) {
    if (row.value !== null) current.value = state.board.turn === 0 ? row.value : -row.value;
  }
  function showRow(row) {
    if (row.value !== null || !state.row) {
      state.row = row;
      storeValue(row);
    }
    shownAnalysis.show(row, { game: gameInfo, turn: state.board.turn, ply: firstPly() + movesTo(current).length });
    renderValue();
  }

  async function graphGame() {
    stopThinking();
    const controller = (analysis = new AbortController());
    try {
      for (const one of mainLine(root)) {
        const position = await request("position", positionRequest(one), controller.signal);
        if (position.ending) continue;
        await requestLines("analyse", { ...positionRequest(one), ms: 120 }, controller.signal, (row) => {
          if (row.done && row.row.value !== null) one.value = position.turn === 0 ? row.row.value : -row.row.value;
        });
        if (controller !== analysis) return;
        renderMoves();
      }
      renderValue();
    } catch (error) {
      showError(error);
    }
  }

  async function paste() {
    const text = textBox.value;
    try {
      const read = await request("read", { game: state.game, text });
      root = newNode();
      state.position = read.position ?? "";
      state.names = read.names;
      let end = root;
      for (const move of read.moves) end = newNode(move, end);
      await jump(end);
      if (!["pgn", "pdn"].includes(gameInfo.record) || !read.moves.length) return;
      const own = root;
      const resolve = async (moves) => (await request("position", { ...positionRequest(root), moves })).line;
      const unread = await annotate(root, text, resolve);
      if (own !== root) return;
      await nameMoves(root, writtenTo);
      updateAddress();
      renderMoves();
      if (unread) showError({ message: `${unread} ${unread === 1 ? "variation has" : "variations have"} moves that are not legal` });
    } catch (error) {
      showError(error);
    }
  }
  async function save() {
    try {
      const names = ["you", "you"].map((name, side) =>
        state.engine === String(side) || state.engine === "both" ? `emtee ${state.level}` : state.names[side] || name,
      );
      const { text, extension } = await request("write", { ...positionRequest(mainLine(current).at(-1)), names });
      saveFile(`game.${extension}`, text);
    } catch (error) {
      showError(error);
    }
  }

  function beginSetup() {
    if (state.setup) return endSetup();
    stopThinking();
    state.setup = { drawing: structuredClone(board.drawing), piece: gameInfo.set_up.pieces[0], turn: state.board.turn };
    put(setupElement, setupPanel(gameInfo, state.setup, render, useSetup));
    return render();
  }
  function endSetup() {
    state.setup = null;
    put(setupElement);
    render();
  }
  function useSetup(text) {
    textBox.value = text;
    endSetup();
    paste();
  }
  function putPiece(cell, from) {
    putOnCell(gameInfo.set_up, state.setup, cell, from);
    render();
  }

  function keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      ArrowLeft: back,
      ArrowRight: forward,
      Home: () => jump(root),
      End: () => jump(mainLine(wanted).at(-1)),
      f: flip,
      a: toggleAnalysis,
      t: takeBack,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  document.addEventListener("keydown", keys);

  renderBar();
  startClock();
  const end = readLine(words.get("moves") ?? "", root);
  const missing = () => !state.board && problem.textContent;
  await show(words.has("at") ? nodeAt(root, words.get("at")) : end, !words.has("at"));
  if (missing()) {
    // An address with moves that are not legal: the start position, and the reason.
    const message = missing();
    root = newNode();
    state.position = "";
    await show(root, false);
    showError({ message });
  }
  await nameMoves(root, writtenTo).then(renderMoves, showError);
  return () => {
    document.removeEventListener("keydown", keys);
    clock.close();
    loading?.abort();
    loading = null;
    stopThinking();
  };
}

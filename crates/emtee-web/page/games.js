// Games: play, analyse, set up and save any game of the registry.

import { request, requestLines } from "./api.js";
import { writeAddress } from "./address.js";
import { analysisElements } from "./analysis.js";
import { boardFromText, clicked, drawBoard, targetsOf } from "./board.js";
import { gameClock } from "./clock.js";
import { errorLine, gameField, gameOf, panel, row } from "./controls.js";
import { button, choice, copyText, el, field, icon, isTyping, put, saveFile } from "./dom.js";
import { mainLine, moveList, movesTo, newNode, valueGraph } from "./line.js";
import { SETUPS, setupPanel } from "./setup.js";

export const GAME_KEYS = [
  ["← →", "one move back or forward"],
  ["Home End", "to the beginning or the end"],
  ["f", "flip the board"],
  ["a", "analyse, or stop it"],
  ["?", "show these keys"],
];

/** The caption of the drawing, with colours instead of X and O in Othello. */
function captionOf({ game, drawing }) {
  const text = drawing?.caption ?? "";
  return game === "othello" ? text.replace(/ \([XO]\)/, "").replace("X ", "Black ").replace("O ", "White ") : text;
}

export async function showGames(container, words, about) {
  const state = {
    game: gameOf(about, words, about.games[0].name),
    position: words.get("position") ?? "",
    flip: words.has("flip"),
    engine: words.get("engine") ?? "",
    level: words.get("level") ?? "4",
    lines: Number(words.get("lines")) || 3,
    from: null,
    board: null,
    analysing: words.has("analyse"),
    row: null,
    setup: null,
  };
  const gameInfo = about.games.find((game) => game.name === state.game);
  let root = newNode();
  let current = root;
  let thinking = null;
  let analysis = null;
  const { sides } = gameInfo;

  const boardElement = el("div", { class: "board", id: "board" });
  const status = el("p", { class: "status", id: "status", role: "status" });
  const choices = el("div", { class: "choices", id: "choices" });
  const [problem, showError] = errorLine();
  const movesElement = el("div", { class: "moves", id: "moves" });
  const graphElement = el("div", {});
  const bar = el("div", { class: "bar" });
  const shownAnalysis = analysisElements();
  const textBox = el("textarea", {
    rows: 3,
    id: "paste",
    spellcheck: "false",
    "aria-label": "a position, moves or a game",
    placeholder: "A position, moves, or a whole game",
  });
  const analyseButton = button("Analyse", "analyse (a)", toggleAnalysis, { id: "analyse", class: "primary" });
  const clocks = el("div", { class: "facts", id: "clocks" });
  const clock = gameClock(clocks, sides, (side) => (status.textContent = `${sides[side]} is out of time.`));
  const setupElement = el("div", {});

  const lineCount = choice([1, 2, 3, 5, 8], state.lines, (lines) => ((state.lines = Number(lines)), restart()), {
    id: "line-count",
  });
  const panels = [
    panel(
      "Analysis",
      row(analyseButton, field("lines", lineCount)),
      shownAnalysis.facts,
      el("div", { class: "wide" }, shownAnalysis.lines),
      shownAnalysis.passes,
    ),
    panel(
      "Moves",
      movesElement,
      graphElement,
      row(
        button(icon("first"), "to the beginning (Home)", () => jump(root)),
        button(icon("back"), "one move back (←)", back, { id: "undo" }),
        button(icon("forward"), "one move forward (→)", forward),
        button(icon("last"), "to the end (End)", () => jump(mainLine(current).at(-1))),
        button("Evaluate the game", "a graph of the values of the game", graphGame, { id: "graph" }),
      ),
    ),
    panel(
      "Paste, set up, save",
      textBox,
      row(
        button("Use this text", "use this text", paste, { id: "use-text" }),
        button(`Save ${gameInfo.record.toUpperCase()}`, "save the game", save, { id: "save" }),
        button("Copy position", "copy the position", (event) => copyText(state.board.text, event.target)),
        gameInfo.set_up && SETUPS[state.game] && button("Set up by clicking", "set up by clicking", beginSetup, { id: "setup" }),
      ),
      setupElement,
    ),
  ];
  put(
    container,
    el("h1", { class: "offscreen" }, "Games"),
    bar,
    problem,
    el(
      "div",
      { class: "table-top" },
      el("div", {}, clocks, boardElement, status, choices),
      el("div", { class: "columns" }, panels),
    ),
  );

  const line = (node = current) => movesTo(node);
  const positionRequest = (node = current) => ({
    game: state.game,
    ...(state.position ? { position: state.position } : {}),
    moves: line(node),
  });

  function renderBar() {
    const timeField = (name, max, min) =>
      el("input", {
        type: "number",
        min,
        max,
        value: clock[name],
        "aria-label": name,
        onchange: (event) => ((clock[name] = Number(event.target.value)), startClock()),
      });
    put(
      bar,
      gameField(about, state.game, "games"),
      field(
        "engine plays",
        choice(
          [
            ["", "neither side"],
            ["1", sides[1]],
            ["0", sides[0]],
            ["both", "both sides"],
          ],
          state.engine,
          (engine) => ((state.engine = engine), updateAddress(), engineMove()),
          { id: "engine" },
        ),
      ),
      field(
        "strength",
        choice(
          [
            ...about.levels.map((level) => [String(level), `level ${level}`]),
            ["100ms", "0.1 s per move"],
            ["1000ms", "1 s per move"],
            ["5000ms", "5 s per move"],
            ["clock", "a game clock"],
          ],
          state.level,
          setLevel,
          { id: "level" },
        ),
      ),
      state.level === "clock"
        ? field(
            "minutes + seconds",
            el("span", { class: "slider" }, timeField("minutes", 60, 1), timeField("seconds", 60, 0)),
          )
        : null,
      button("New game", "new game", () => ((root = newNode()), (state.position = ""), startClock(), jump(root)), {
        id: "new",
      }),
      button("Flip the board", "flip the board (f)", flip, { id: "flip" }),
    );
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
    writeAddress("games", {
      game: state.game,
      position: state.position,
      moves: line().join(","),
      flip: state.flip ? 1 : null,
      engine: state.engine,
      level: state.level === "4" ? null : state.level,
      analyse: state.analysing ? 1 : null,
      lines: state.lines === 3 ? null : state.lines,
    });
  }

  /** Loads and shows the position of a node. */
  async function jump(node) {
    const before = current;
    current = node;
    state.from = null;
    state.row = null;
    stopThinking();
    try {
      state.board = await request("position", positionRequest());
    } catch (error) {
      current = before;
      return showError(error);
    }
    showError(null);
    clock.turn(current.parent && !state.board.ending ? state.board.turn : null);
    current.written = state.board.written.at(-1) ?? "";
    state.drawing = state.board.drawing ?? boardFromText(state.board.plain);
    state.targets = state.drawing ? targetsOf(state.board, state.drawing) : [];
    textBox.value = state.board.text;
    updateAddress();
    render();
    restart();
    return engineMove();
  }

  function play(move) {
    clock.punch();
    const known = current.children.find((child) => child.move === move);
    return jump(known ?? newNode(move, current));
  }
  function back() {
    if (current.parent) jump(current.parent);
  }
  function forward() {
    if (current.children.length) jump(current.children[0]);
  }
  function flip() {
    state.flip = !state.flip;
    updateAddress();
    render();
  }

  function onCell(where) {
    if (state.setup) return putPiece(where);
    if (isEngineTurn() || !state.board.moves.length) return undefined;
    const { moves, from } = clicked(state.targets, state.drawing, state.from, where);
    if (moves?.length === 1) return play(moves[0].move);
    state.from = from ?? state.from;
    if (!moves && !from) state.from = null;
    render(moves);
    return undefined;
  }
  function isEngineTurn() {
    return state.engine === "both" || state.engine === String(state.board?.turn);
  }

  function render(candidates) {
    const { board } = state;
    const bottom = gameInfo.bottom;
    const flipped = (bottom === 1 && state.game !== "checkers") !== state.flip;
    const arrows = (state.row?.top?.length ? state.row.top.map((top) => top.move) : [state.row?.best_move])
      .map((move) => state.targets.find((target) => target.move === move))
      .filter(Boolean);
    if (state.setup)
      put(boardElement, drawBoard({ ...board, game: state.game }, state.setup.drawing, { flipped, onCell }));
    else if (state.drawing)
      put(
        boardElement,
        drawBoard(board, state.drawing, {
          flipped,
          from: state.from,
          targets: isEngineTurn() ? [] : state.targets,
          arrows: state.analysing ? arrows.slice(0, 3) : [],
          onCell,
        }),
      );
    else put(boardElement, el("pre", {}, board.plain));
    status.textContent = state.setup ? "Choose a piece and click squares." : statusText();
    const listed = candidates ?? state.targets.filter((target) => !target.to);
    const shown = candidates ?? (state.drawing ? listed : board.moves);
    put(
      choices,
      isEngineTurn() ? null : shown.map((legal) => button(legal.written, `play ${legal.written}`, () => play(legal.move))),
    );
    boardElement.dataset.turn = board.turn;
    boardElement.dataset.over = board.ending ? board.ending.result : "";
    boardElement.dataset.plies = line().length;
    renderMoves();
    renderGraph();
  }
  function statusText() {
    const { ending, turn } = state.board;
    const caption = ["connect4", "tictactoe"].includes(state.game) ? "" : captionOf(state);
    if (!ending) return caption || `${sides[turn]} to move`;
    const points = ending.points ? ` by ${Math.abs(ending.points)}` : "";
    return ending.winner === null ? `A draw, ${ending.why}.` : `${sides[ending.winner]} wins${points}, ${ending.why}.`;
  }

  function renderMoves() {
    put(movesElement, moveList(root, current, jump));
    // Scrolls the list, not the page.
    const now = movesElement.querySelector(".now");
    if (now) movesElement.scrollTop = now.offsetTop - movesElement.offsetTop - movesElement.clientHeight / 2;
  }

  /** Lets the engine move if it is its turn. */
  async function engineMove() {
    if (!state.board || state.board.ending || !isEngineTurn() || state.setup) return;
    stopThinking();
    const controller = (thinking = new AbortController());
    status.textContent = "The engine is searching…";
    const strength =
      state.level === "clock"
        ? clock.forEngine(state.board.turn)
        : state.level.endsWith("ms")
          ? { ms: Number(state.level.slice(0, -2)) }
          : { level: Number(state.level), ms: 10000 };
    try {
      let chosen = null;
      await requestLines("play", { ...positionRequest(), ...strength, seed: line().length + 1 }, controller.signal, (row) => {
        if (row.done) chosen = row;
      });
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
    analyseButton.textContent = state.analysing ? "Stop" : "Analyse";
    updateAddress();
    if (state.analysing) restart();
    else {
      analysis?.abort();
      render();
    }
  }
  /** Starts the analysis of the current position again. */
  async function restart() {
    analysis?.abort();
    analyseButton.textContent = state.analysing ? "Stop" : "Analyse";
    if (!state.analysing || !state.board || state.board.ending || state.setup) return;
    const controller = (analysis = new AbortController());
    try {
      await requestLines(
        "analyse",
        { ...positionRequest(), lines: Math.min(state.lines, state.board.moves.length), ms: 60000 },
        controller.signal,
        (row) => {
          if (controller !== analysis) return;
          showRow(row.done ? row.row : row);
        },
      );
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
    shownAnalysis.show(row);
    render();
  }

  function renderGraph() {
    put(graphElement, valueGraph(root, current, gameInfo.lead, jump));
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
        renderGraph();
      }
    } catch (error) {
      showError(error);
    }
  }

  async function paste() {
    try {
      const read = await request("read", { game: state.game, text: textBox.value });
      root = newNode();
      state.position = read.position ?? "";
      let end = root;
      for (const move of read.moves) end = newNode(move, end);
      current = end;
      await jump(end);
      await setNotation();
    } catch (error) {
      showError(error);
    }
  }
  /** Sets the notation of the moves of the line, which the position has. */
  async function setNotation() {
    const written = state.board.written;
    let node = current;
    for (let index = written.length - 1; node.parent; index -= 1, node = node.parent)
      node.written = written[index] ?? node.move;
    renderMoves();
  }
  async function save() {
    try {
      const names = ["you", "you"].map((name, side) =>
        state.engine === String(side) || state.engine === "both" ? `emtee ${state.level}` : name,
      );
      const { text, extension } = await request("write", { ...positionRequest(), names });
      saveFile(`game.${extension}`, text);
    } catch (error) {
      showError(error);
    }
  }

  function beginSetup() {
    if (state.setup) return endSetup();
    stopThinking();
    state.setup = {
      drawing: structuredClone(state.drawing),
      piece: SETUPS[state.game].pieces[0],
      turn: state.board.turn,
    };
    put(setupElement, setupPanel(state.game, state.setup, render, useSetup));
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
  function putPiece([row, column]) {
    state.setup.piece.put(state.setup.drawing.rows[row][column]);
    render();
  }

  function keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      ArrowLeft: back,
      ArrowRight: forward,
      Home: () => jump(root),
      End: () => jump(mainLine(current).at(-1)),
      f: flip,
      a: toggleAnalysis,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  document.addEventListener("keydown", keys);

  renderBar();
  startClock();
  const moves = words.get("moves")?.split(",").filter(Boolean) ?? [];
  for (const move of moves) current = newNode(move, current);
  await jump(current);
  if (state.board && moves.length) await setNotation();
  return () => {
    document.removeEventListener("keydown", keys);
    clock.close();
    stopThinking();
  };
}

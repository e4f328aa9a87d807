// Games: any game of the registry on a board, to be played, analysed, set up and saved.

import { ask, askLines } from "./ask.js";
import { writeAddress } from "./address.js";
import { analysisPlaces } from "./analysis.js";
import { boardFromText, clicked, drawBoard, targetsOf } from "./board.js";
import { gameClock } from "./clock.js";
import { gameField, gameOf, panel, problemLine, row } from "./controls.js";
import { button, choice, copyText, el, field, isTyping, put, saveFile, sign } from "./dom.js";
import { mainLine, moveList, movesTo, newNode, valueGraph } from "./line.js";
import { SETUPS, setupPanel } from "./setup.js";

export const GAME_KEYS = [
  ["← →", "one move back or forward"],
  ["Home End", "to the beginning or the end"],
  ["f", "turn the board"],
  ["a", "analyse, or stop it"],
  ["?", "show these keys"],
];

const COLOURS = {
  chess: ["White", "Black"],
  othello: ["Black", "White"],
  checkers: ["Black", "White"],
  connect4: ["Yellow", "Red"],
  kalah: ["South", "North"],
  tictactoe: ["X", "O"],
};

/** What the drawing says. Discs have colours here, and no letters. */
function captionOf({ game, drawing }) {
  const text = drawing?.caption ?? "";
  return game === "othello" ? text.replace(/ \([XO]\)/, "").replace("X ", "Black ").replace("O ", "White ") : text;
}

export async function showGames(place, words, about) {
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
  const ours = about.games.find((game) => game.name === state.game);
  let root = newNode();
  let at = root;
  let thinking = null;
  let analysis = null;
  const sides = COLOURS[state.game] ?? ["The first side", "The second side"];

  const boardPlace = el("div", { class: "board", id: "board" });
  const status = el("p", { class: "status", id: "status", role: "status" });
  const choices = el("div", { class: "choices", id: "choices" });
  const [problem, told] = problemLine();
  const movesPlace = el("div", { class: "moves", id: "moves" });
  const graphPlace = el("div", {});
  const bar = el("div", { class: "bar" });
  const shownAnalysis = analysisPlaces();
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
  const setupPlace = el("div", {});

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
      movesPlace,
      graphPlace,
      row(
        button(sign("first"), "to the beginning (Home)", () => jump(root)),
        button(sign("back"), "one move back (←)", back, { id: "undo" }),
        button(sign("forward"), "one move forward (→)", forward),
        button(sign("last"), "to the end (End)", () => jump(mainLine(at).at(-1))),
        button("Evaluate the game", "a graph of the game's values", graphGame, { id: "graph" }),
      ),
    ),
    panel(
      "Paste, set up, save",
      textBox,
      row(
        button("Use this text", "use this text", paste, { id: "use-text" }),
        button(`Save ${ours.record.toUpperCase()}`, "save the game", save, { id: "save" }),
        button("Copy position", "copy the position", (event) => copyText(state.board.text, event.target)),
        SETUPS[state.game] && button("Set up by clicking", "set up by clicking", beginSetup, { id: "setup" }),
      ),
      setupPlace,
    ),
  ];
  put(
    place,
    el("h1", { class: "offscreen" }, "Games"),
    bar,
    problem,
    el(
      "div",
      { class: "table-top" },
      el("div", {}, clocks, boardPlace, status, choices),
      el("div", { class: "columns" }, panels),
    ),
  );

  const line = (node = at) => movesTo(node);
  const here = (node = at) => ({
    game: state.game,
    ...(state.position ? { position: state.position } : {}),
    moves: line(node),
  });

  function renderBar() {
    const timed = (name, most, least) =>
      el("input", {
        type: "number",
        min: least,
        max: most,
        value: clock[name],
        "aria-label": name,
        onchange: (event) => ((clock[name] = Number(event.target.value)), startClock()),
      });
    put(
      bar,
      gameField(about, state.game, "games"),
      field(
        "the engine plays",
        choice(
          [
            ["", "nobody"],
            ["1", sides[1]],
            ["0", sides[0]],
            ["both", "both sides"],
          ],
          state.engine,
          (engine) => ((state.engine = engine), address(), act()),
          { id: "engine" },
        ),
      ),
      field(
        "how strong",
        choice(
          [
            ...about.levels.map((level) => [String(level), `level ${level}`]),
            ["100ms", "0.1 s a move"],
            ["1000ms", "1 s a move"],
            ["5000ms", "5 s a move"],
            ["clock", "a clock for both"],
          ],
          state.level,
          setLevel,
          { id: "level" },
        ),
      ),
      state.level === "clock"
        ? field(
            "minutes + seconds",
            el("span", { class: "slider" }, timed("minutes", 60, 1), timed("seconds", 60, 0)),
          )
        : null,
      button("New game", "new game", () => ((root = newNode()), (state.position = ""), startClock(), jump(root)), {
        id: "new",
      }),
      button("Turn the board", "turn the board (f)", flip, { id: "flip" }),
    );
  }
  function setLevel(level) {
    state.level = level;
    startClock();
    renderBar();
    address();
    act();
  }
  function startClock() {
    clock.start(state.level === "clock");
  }

  function address() {
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

  /** Loads the position of a node and shows it. */
  async function jump(node) {
    const before = at;
    at = node;
    state.from = null;
    state.row = null;
    stopThinking();
    try {
      state.board = await ask("position", here());
    } catch (error) {
      at = before;
      return told(error);
    }
    told(null);
    clock.turn(at.parent && !state.board.ending ? state.board.turn : null);
    at.written = state.board.written.at(-1) ?? "";
    state.drawing = state.board.drawing ?? boardFromText(state.board.plain);
    state.targets = state.drawing ? targetsOf(state.board, state.drawing) : [];
    textBox.value = state.board.text;
    address();
    render();
    restart();
    return act();
  }

  function play(move) {
    clock.punch();
    const known = at.children.find((child) => child.move === move);
    return jump(known ?? newNode(move, at));
  }
  function back() {
    if (at.parent) jump(at.parent);
  }
  function forward() {
    if (at.children.length) jump(at.children[0]);
  }
  function flip() {
    state.flip = !state.flip;
    address();
    render();
  }

  function cell(where) {
    if (state.setup) return paint(where);
    if (isEngines() || !state.board.moves.length) return undefined;
    const { moves, from } = clicked(state.targets, state.drawing, state.from, where);
    if (moves?.length === 1) return play(moves[0].move);
    state.from = from ?? state.from;
    if (!moves && !from) state.from = null;
    render(moves);
    return undefined;
  }
  function isEngines() {
    return state.engine === "both" || state.engine === String(state.board?.turn);
  }

  function render(several) {
    const { board } = state;
    const bottom = ours.bottom;
    const flipped = (bottom === 1 && state.game !== "checkers") !== state.flip;
    const arrows = (state.row?.top?.length ? state.row.top.map((top) => top.move) : [state.row?.best_move])
      .map((move) => state.targets.find((target) => target.move === move))
      .filter(Boolean);
    if (state.setup)
      put(boardPlace, drawBoard({ ...board, game: state.game }, state.setup.drawing, { flipped, onCell: cell }));
    else if (state.drawing)
      put(
        boardPlace,
        drawBoard(board, state.drawing, {
          flipped,
          from: state.from,
          targets: isEngines() ? [] : state.targets,
          arrows: state.analysing ? arrows.slice(0, 3) : [],
          onCell: cell,
        }),
      );
    else put(boardPlace, el("pre", {}, board.plain));
    status.textContent = state.setup ? "Choose a piece and click squares." : statusText();
    const listed = several ?? state.targets.filter((target) => !target.to);
    const shown = several ?? (state.drawing ? listed : board.moves);
    put(
      choices,
      isEngines() ? null : shown.map((legal) => button(legal.written, `play ${legal.written}`, () => play(legal.move))),
    );
    boardPlace.dataset.turn = board.turn;
    boardPlace.dataset.over = board.ending ? board.ending.result : "";
    boardPlace.dataset.plies = line().length;
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
    put(movesPlace, moveList(root, at, jump));
    // The list is scrolled, and never the page.
    const now = movesPlace.querySelector(".now");
    if (now) movesPlace.scrollTop = now.offsetTop - movesPlace.offsetTop - movesPlace.clientHeight / 2;
  }

  /** The engine moves, where it is its turn. */
  async function act() {
    if (!state.board || state.board.ending || !isEngines() || state.setup) return;
    stopThinking();
    const own = (thinking = new AbortController());
    status.textContent = "The engine is thinking…";
    const strength =
      state.level === "clock"
        ? clock.told(state.board.turn)
        : state.level.endsWith("ms")
          ? { ms: Number(state.level.slice(0, -2)) }
          : { level: Number(state.level), ms: 10000 };
    try {
      let chosen = null;
      await askLines("play", { ...here(), ...strength, seed: line().length + 1 }, own.signal, (row) => {
        if (row.done) chosen = row;
      });
      if (own !== thinking || !chosen?.best_move) return;
      thinking = null;
      remember(chosen.row);
      await play(chosen.best_move);
    } catch (error) {
      told(error);
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
    address();
    if (state.analysing) restart();
    else {
      analysis?.abort();
      render();
    }
  }
  /** Analyses the position that is shown, from the beginning. */
  async function restart() {
    analysis?.abort();
    analyseButton.textContent = state.analysing ? "Stop" : "Analyse";
    if (!state.analysing || !state.board || state.board.ending || state.setup) return;
    const own = (analysis = new AbortController());
    try {
      await askLines(
        "analyse",
        { ...here(), lines: Math.min(state.lines, state.board.moves.length), ms: 60000 },
        own.signal,
        (row) => {
          if (own !== analysis) return;
          showRow(row.done ? row.row : row);
        },
      );
    } catch (error) {
      told(error);
    }
  }
  function remember(row) {
    if (row.value !== null) at.value = state.board.turn === 0 ? row.value : -row.value;
  }
  function showRow(row) {
    if (row.value !== null || !state.row) {
      state.row = row;
      remember(row);
    }
    shownAnalysis.show(row);
    render();
  }

  function renderGraph() {
    put(graphPlace, valueGraph(root, at, ours.lead, jump));
  }
  async function graphGame() {
    stopThinking();
    const own = (analysis = new AbortController());
    try {
      for (const one of mainLine(root)) {
        const position = await ask("position", here(one), own.signal);
        if (position.ending) continue;
        await askLines("analyse", { ...here(one), ms: 120 }, own.signal, (row) => {
          if (row.done && row.row.value !== null) one.value = position.turn === 0 ? row.row.value : -row.row.value;
        });
        if (own !== analysis) return;
        renderGraph();
      }
    } catch (error) {
      told(error);
    }
  }

  async function paste() {
    try {
      const read = await ask("read", { game: state.game, text: textBox.value });
      root = newNode();
      state.position = read.position ?? "";
      let end = root;
      for (const move of read.moves) end = newNode(move, end);
      at = end;
      await jump(end);
      await nameMoves();
    } catch (error) {
      told(error);
    }
  }
  /** The moves of the line as players write them: the position knows. */
  async function nameMoves() {
    const written = state.board.written;
    let node = at;
    for (let index = written.length - 1; node.parent; index -= 1, node = node.parent)
      node.written = written[index] ?? node.move;
    renderMoves();
  }
  async function save() {
    try {
      const person = ["you", "you"].map((name, side) =>
        state.engine === String(side) || state.engine === "both" ? `emtee ${state.level}` : name,
      );
      const { text, extension } = await ask("write", { ...here(), names: person });
      saveFile(`game.${extension}`, text);
    } catch (error) {
      told(error);
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
    put(setupPlace, setupPanel(state.game, state.setup, render, useSetup));
    return render();
  }
  function endSetup() {
    state.setup = null;
    put(setupPlace);
    render();
  }
  function useSetup(text) {
    textBox.value = text;
    endSetup();
    paste();
  }
  function paint([row, column]) {
    state.setup.piece.put(state.setup.drawing.rows[row][column]);
    render();
  }

  function keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = {
      ArrowLeft: back,
      ArrowRight: forward,
      Home: () => jump(root),
      End: () => jump(mainLine(at).at(-1)),
      f: flip,
      a: toggleAnalysis,
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
  document.addEventListener("keydown", keys);

  renderBar();
  startClock();
  const moves = words.get("moves")?.split(",").filter(Boolean) ?? [];
  for (const move of moves) at = newNode(move, at);
  await jump(at);
  if (state.board && moves.length) await nameMoves();
  return () => {
    document.removeEventListener("keydown", keys);
    clock.close();
    stopThinking();
  };
}

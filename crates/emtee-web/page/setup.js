// Setting up positions by clicking: the pieces of each game. The server writes the text of the position.

import { request } from "./api.js";
import { errorLine } from "./controls.js";
import { button, choice, el, field } from "./dom.js";

const clearCell = { label: "empty", put: (cell) => Object.assign(cell, { text: "", ink: "faint" }) };
const piece = (label, text, ink) => ({ label, put: (cell) => Object.assign(cell, { text, ink }) });
const onDark = ({ label, put }) => ({ label, put: (cell) => cell.ground === "dark" && put(cell) });

const seeds = (label, more) => ({
  label,
  put: (cell) => cell.ground !== "bare" && Object.assign(cell, { text: String(Math.max(0, Number(cell.text) + more)) }),
});

const figures = (ink, name) => [..."♚♛♜♝♞♟"].map((text) => piece(`${name} ${text}`, text, ink));

/** The games that can be set up, their pieces, and their sides if the pieces do not determine the side to move. */
export const SETUPS = {
  chess: { pieces: [...figures("white", "white"), ...figures("black", "black"), clearCell], sides: ["White", "Black"] },
  othello: {
    pieces: [piece("black", "●", "black"), piece("white", "●", "white"), clearCell],
    sides: ["Black", "White"],
  },
  checkers: {
    pieces: [
      piece("black man", "●", "black"),
      piece("black king", "♚", "black"),
      piece("white man", "●", "white"),
      piece("white king", "♚", "white"),
      clearCell,
    ].map(onDark),
    sides: ["Black", "White"],
  },
  connect4: {
    pieces: [
      piece("yellow", "X", "yellow"),
      piece("red", "O", "white"),
      { label: "empty", put: (cell) => Object.assign(cell, { text: "·", ink: "faint" }) },
    ],
    sides: [],
  },
  kalah: {
    pieces: [
      seeds("one more seed", 1),
      seeds("one seed less", -1),
      { label: "empty", put: (cell) => cell.ground !== "bare" && Object.assign(cell, { text: "0" }) },
    ],
    sides: ["South", "North"],
  },
  tictactoe: { pieces: [piece("X", "X", "yellow"), piece("O", "O", "white"), clearCell], sides: [] },
};

/** The controls of the setup: pieces and the side to move. `use` is called with the text of the position. */
export function setupPanel(game, setup, changed, use) {
  const { pieces, sides } = SETUPS[game];
  const choose = (piece) => (event) => {
    setup.piece = piece;
    palette.querySelectorAll("button").forEach((one) => one.classList.toggle("on", one === event.target));
  };
  const sample = (piece, index) => button(piece.label, piece.label, choose(piece), { class: index === 0 ? "on" : "" });
  const palette = el("div", { class: "row" }, pieces.map(sample));
  const names = sides.map((name, side) => [side, name]);
  const turn = choice(names, setup.turn, (side) => (setup.turn = Number(side)));
  const clear = () => {
    setup.drawing.rows.flat().forEach((cell) => pieces.at(-1).put(cell));
    changed();
  };
  const [problem, showError] = errorLine();
  const done = async () => {
    const rows = setup.drawing.rows.map((cells) => cells.map(({ text, ink }) => ({ text, ink })));
    try {
      use((await request("set_up", { game, turn: setup.turn, rows })).text);
    } catch (error) {
      showError(error);
    }
  };
  return [
    palette,
    el(
      "div",
      { class: "row" },
      sides.length ? field("to move", turn) : null,
      button("Clear", "an empty board", clear),
      button("Use this position", "use this position", done, { class: "primary", id: "use-setup" }),
    ),
    problem,
  ];
}

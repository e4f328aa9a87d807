// Setting up positions by clicking. The server names the pieces of a game, and writes the text of the position.

import { request } from "./api.js";
import { errorLine } from "./controls.js";
import { button, choice, el, field } from "./dom.js";

/** Puts a piece on a cell, if it may stand there. */
function putPiece({ text, ink, ground, add }, cell) {
  if (cell.ground === "bare" || (ground && ground !== cell.ground)) return;
  if (add) cell.text = String(Math.max(0, Number(cell.text) + add));
  else Object.assign(cell, { text, ink });
}

/** Puts the chosen piece on a cell, or moves there what is on another. */
export function putOnCell({ pieces }, setup, [row, column], from) {
  const { rows } = setup.drawing;
  const cell = rows[row][column];
  if (from === null) return putPiece(setup.piece, cell);
  const source = rows[from[0]][from[1]];
  if (source === cell) return undefined;
  Object.assign(cell, { text: source.text, ink: source.ink });
  return putPiece(pieces.at(-1), source);
}

/** The controls of the setup: pieces and the side to move. `use` is called with the text of the position. */
export function setupPanel({ name: game, sides, set_up: { pieces, turn: choosesTurn } }, setup, changed, use) {
  const choose = (piece) => (event) => {
    setup.piece = piece;
    palette.querySelectorAll("button").forEach((one) => {
      one.classList.toggle("on", one === event.currentTarget);
      one.setAttribute("aria-pressed", String(one === event.currentTarget));
    });
  };
  const sample = (piece, index) =>
    button(piece.label, piece.label, choose(piece), {
      class: index === 0 ? "on" : "",
      "aria-pressed": String(index === 0),
      "data-piece": index,
    });
  const palette = el("div", { class: "row" }, pieces.map(sample));
  const names = sides.map((name, side) => [side, name]);
  const turn = choice(names, setup.turn, (side) => (setup.turn = Number(side)));
  const clear = () => {
    setup.drawing.rows.flat().forEach((cell) => putPiece(pieces.at(-1), cell));
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
      choosesTurn ? field("to move", turn) : null,
      button("Clear", "an empty board", clear),
      button("Use this position", "use this position", done, { class: "primary", id: "use-setup" }),
    ),
    problem,
  ];
}

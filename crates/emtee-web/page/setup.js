// Setting up positions by clicking: the pieces of each game, and the text of the position.

import { button, choice, el, field } from "./dom.js";

const clearCell = { label: "empty", put: (cell) => Object.assign(cell, { text: "", ink: "faint" }) };
const piece = (label, text, ink) => ({ label, put: (cell) => Object.assign(cell, { text, ink }) });
const onDark = ({ label, put }) => ({ label, put: (cell) => cell.ground === "dark" && put(cell) });

const seeds = (label, more) => ({
  label,
  put: (cell) => cell.ground !== "bare" && Object.assign(cell, { text: String(Math.max(0, Number(cell.text) + more)) }),
});

const FIGURE_LETTERS = { "♚": "k", "♛": "q", "♜": "r", "♝": "b", "♞": "n", "♟": "p" };
const figures = (ink, name) => Object.keys(FIGURE_LETTERS).map((text) => piece(`${name} ${text}`, text, ink));

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

/** The position in the game's notation. The server checks whether it is legal. */
function setupText(game, drawing, turn) {
  const rows = drawing.rows;
  if (game === "chess") return `${rows.map(fenRow).join("/")} ${turn === 0 ? "w" : "b"} ${castling(rows)} - 0 1`;
  if (game === "othello")
    return `${rows
      .flat()
      .map((cell) => (cell.ink === "black" ? "X" : cell.ink === "white" ? "O" : "-"))
      .join("")} ${turn === 0 ? "X" : "O"}`;
  if (game === "tictactoe")
    return rows
      .flat()
      .map((cell) => (cell.ink === "faint" ? "-" : cell.text))
      .join("");
  if (game === "connect4")
    return rows.map((cells) => cells.map((cell) => (cell.ink === "faint" ? "-" : cell.text)).join("")).join("/");
  if (game === "kalah") {
    const columns = [1, 2, 3, 4, 5, 6];
    const south = [...columns.map((column) => rows[2][column].text), rows[1][7].text];
    const north = [...columns.map((column) => rows[0][7 - column].text), rows[1][0].text];
    return `${south.join(",")}/${north.join(",")} ${turn === 0 ? "S" : "N"}`;
  }
  const squares = (ink) =>
    rows.flatMap((cells, row) =>
      cells.flatMap((cell, column) =>
        cell.ink === ink && cell.text ? [`${cell.text === "♚" ? "K" : ""}${4 * row + Math.floor(column / 2) + 1}`] : [],
      ),
    );
  return `${turn === 0 ? "B" : "W"}:W${squares("white").join(",")}:B${squares("black").join(",")}`;
}

/** Castling rights for kings and rooks on their initial squares. */
function castling(rows) {
  const isPiece = (row, column, text, ink) => rows[row][column].text === text && rows[row][column].ink === ink;
  const side = (row, ink, letters) =>
    isPiece(row, 4, "♚", ink) ? [isPiece(row, 7, "♜", ink) && letters[0], isPiece(row, 0, "♜", ink) && letters[1]] : [];
  return [...side(7, "white", "KQ"), ...side(0, "black", "kq")].filter(Boolean).join("") || "-";
}

function fenRow(cells) {
  let text = "";
  let empty = 0;
  for (const cell of cells) {
    const letter = FIGURE_LETTERS[cell.text];
    if (!letter) {
      empty += 1;
      continue;
    }
    text += (empty || "") + (cell.ink === "white" ? letter.toUpperCase() : letter);
    empty = 0;
  }
  return text + (empty || "");
}

/** Puts the chosen piece on a cell, or moves there what is on another. */
export function putOnCell(game, setup, [row, column], from) {
  const { rows } = setup.drawing;
  const cell = rows[row][column];
  if (from === null) return setup.piece.put(cell);
  const source = rows[from[0]][from[1]];
  if (source === cell) return undefined;
  Object.assign(cell, { text: source.text, ink: source.ink });
  return SETUPS[game].pieces.at(-1).put(source);
}

/** The controls of the setup: pieces and the side to move. `use` is called with the text of the position. */
export function setupPanel(game, setup, changed, use) {
  const { pieces, sides } = SETUPS[game];
  const choose = (piece) => (event) => {
    setup.piece = piece;
    palette.querySelectorAll("button").forEach((one) => {
      one.classList.toggle("on", one === event.currentTarget);
      one.setAttribute("aria-pressed", String(one === event.currentTarget));
    });
  };
  const sample = (piece, index) => button(piece.label, piece.label, choose(piece), {
      class: index === 0 ? "on" : "",
      "aria-pressed": String(index === 0),
    });
  const palette = el("div", { class: "row" }, pieces.map(sample));
  const names = sides.map((name, side) => [side, name]);
  const turn = choice(names, setup.turn, (side) => (setup.turn = Number(side)));
  const clear = () => {
    setup.drawing.rows.flat().forEach((cell) => pieces.at(-1).put(cell));
    changed();
  };
  const done = () => use(setupText(game, setup.drawing, setup.turn));
  return [
    palette,
    el(
      "div",
      { class: "row" },
      sides.length ? field("to move", turn) : null,
      button("Clear", "an empty board", clear),
      button("Use this position", "use this position", done, { class: "primary", id: "use-setup" }),
    ),
  ];
}

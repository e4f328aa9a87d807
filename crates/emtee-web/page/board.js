// The drawing of a board, from cells or from a text, and of arrows on it.

import { svgEl } from "./dom.js";
import { pieceOf } from "./pieces.js";

const SIZE = 60;
const RIM = 22;

/** A board from the text of a game without a drawing: rows of single characters, with or without coordinates. */
export function boardFromText(plain) {
  const lines = plain
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[0] !== "");
  const rest = [];
  const spread = lines.map((words) => (words.length === 1 && words[0].length > 2 ? [...words[0]] : words));
  const single = (word) => [...word].length === 1;
  const isNames = (words) =>
    words.length > 2 && words.every((word, index) => single(word) && word.codePointAt(0) === words[0].codePointAt(0) + index);
  const rows = [];
  let columns = [];
  for (const words of spread) {
    if (isNames(words) && /[a-zA-Z1]/.test(words[0])) {
      columns = words;
      continue;
    }
    const named = words.length > 3 && /^\d+$/.test(words[0]);
    let cells = named ? words.slice(1) : words;
    if (cells.length === 1 && cells[0].length > 2) cells = [...cells[0]];
    if (named && cells.at(-1) === words[0]) cells = cells.slice(0, -1);
    if (cells.length > 2 && cells.every(single)) rows.push({ name: named ? words[0] : "", cells });
    else rest.push(words.join(" "));
  }
  const width = rows[0]?.cells.length ?? 0;
  if (rows.length < 3 || rows.some((row) => row.cells.length !== width) || (columns.length && columns.length !== width))
    return null;
  const cell = (text, row, column) => {
    const empty = /[-.·_+ ]/.test(text);
    const ink = empty ? "faint" : /[wWoO○]/.test(text) ? "white" : "black";
    return {
      text: empty ? "" : /[wWbB]/.test(text) ? "●" : text,
      ink,
      ground: (row + column) % 2 === 0 ? "light" : "dark",
      changed: false,
    };
  };
  return {
    rows: rows.map((row, index) => row.cells.map((text, column) => cell(text, index, column))),
    row_names: rows.map((row) => [row.name, row.name]),
    columns: [columns, columns],
    caption: rest.join(", "),
  };
}

/** The first and the last cell of each move, as far as they are known. */
export function targetsOf(board, drawing) {
  const rows = drawing.row_names.map((names) => names[0]);
  const columns = drawing.columns[1].length ? drawing.columns[1] : drawing.columns[0];
  const named = (column, row) => {
    const cell = [rows.indexOf(row), columns.indexOf(column)];
    return cell[0] >= 0 && cell[1] >= 0 ? cell : null;
  };
  return board.moves.map((legal) => {
    const target = { move: legal.move, written: legal.written, from: null, to: null };
    const two = /^([a-z])(\d+)[-x]?([a-z])(\d+)/.exec(legal.move);
    const one = /^([a-z])(\d+)$/.exec(legal.move);
    if (board.game === "kalah") {
      const pit = Number(legal.move);
      target.to = board.turn === 0 ? [2, pit] : [0, 7 - pit];
    } else if (two && named(two[1], two[2]) && named(two[3], two[4])) {
      target.from = named(two[1], two[2]);
      target.to = named(two[3], two[4]);
    } else if (one && named(one[1], one[2])) {
      target.to = named(one[1], one[2]);
    } else {
      byChanges(target, legal.changes, drawing);
    }
    return target;
  });
}

/** A move begins at the cell that becomes empty and ends at the cell where a piece appears. */
function byChanges(target, changes, drawing) {
  const before = ([row, column]) => drawing.rows[row][column];
  const appeared = changes.find((change) => change[3] !== "faint" && before(change).ink === "faint");
  if (!appeared) return;
  const ink = appeared[3];
  const vanished = changes.find((change) => change[3] === "faint" && before(change).ink === ink);
  target.to = [appeared[0], appeared[1]];
  target.from = vanished ? [vanished[0], vanished[1]] : null;
}

const same = (a, b) => Boolean(a && b && a[0] === b[0] && a[1] === b[1]);

/** The moves that match a click on a cell, after an earlier click on `from`. */
export function clicked(targets, drawing, from, cell) {
  const gravity = drawing.rows[0][0].ground === "blue";
  const moves = targets.filter((target) =>
    target.from
      ? same(target.from, from) && same(target.to, cell)
      : gravity
        ? target.to?.[1] === cell[1]
        : same(target.to, cell),
  );
  if (moves.length) return { moves };
  return { from: targets.some((target) => same(target.from, cell)) ? cell : null };
}

const FIGURE_NAMES = { "♚": "king", "♛": "queen", "♜": "rook", "♝": "bishop", "♞": "knight", "♟": "pawn" };

/** The content of a cell in words. */
function contentOf(game, { text, ink }) {
  if (ink === "faint" || text === "") return /[a-z0-9]/i.test(text) ? `${text} empty` : "empty";
  const colour = game === "connect4" && ink === "white" ? "red" : ink;
  return FIGURE_NAMES[text] ? `${colour} ${FIGURE_NAMES[text]}` : /[a-z0-9]/i.test(text) && game !== "connect4" ? text : `${colour} piece`;
}

/** A cell, for the mouse, the keyboard and screen readers. */
function cellOf([row, column], name, clickable, movable) {
  return svgEl("g", {
    class: `cell${clickable ? " can" : ""}${movable ? " movable" : ""}`,
    role: "gridcell",
    tabindex: -1,
    "data-row": row,
    "data-column": column,
    "aria-label": name,
  });
}

/** Draws a board. Optional fields of `show`: flipped, from, targets, movable (whether the pieces of every cell can be moved). */
export function drawBoard(board, drawing, show = {}) {
  if (board.game === "kalah") return drawKalah(board, drawing, show);
  const [height, width] = [drawing.rows.length, drawing.rows[0].length];
  const ground = drawing.rows[0][0].ground;
  const picture = svgEl("svg", {
    viewBox: `0 0 ${width * SIZE + 2 * RIM} ${height * SIZE + 2 * RIM}`,
    role: "grid",
    "aria-label": "the board",
  });
  const rim =
    ground === "green" ? "green-rim" : ground === "blue" ? "blue-rim" : board.game === "tictactoe" ? "plain-rim" : "";
  picture.append(
    svgEl("rect", {
      class: `rim ${rim}`,
      x: 0,
      y: 0,
      width: width * SIZE + 2 * RIM,
      height: height * SIZE + 2 * RIM,
      rx: 8,
    }),
  );
  const place = (row, column) => [
    RIM + (show.flipped ? width - 1 - column : column) * SIZE,
    RIM + (show.flipped ? height - 1 - row : row) * SIZE,
  ];
  const targets = show.targets ?? [];
  const gravity = ground === "blue";
  const ends = targets.filter((target) => (show.from ? same(target.from, show.from) : !target.from));
  drawing.rows.forEach((cells, row) => {
    const cellsOfRow = svgEl("g", { role: "row" });
    cells.forEach((cell, column) => {
      const [x, y] = place(row, column);
      const position = [row, column];
      const isEnd = ends.some((target) => same(target.to, position));
      const clickable =
        isEnd ||
        targets.some((target) => same(target.from, position)) ||
        (gravity && ends.some((target) => target.to?.[1] === column));
      const name = `${drawing.columns[1][column] ?? ""}${drawing.row_names[row][0]}`;
      const movable = show.movable ? cell.ink !== "faint" : targets.some((target) => same(target.from, position));
      const state = same(show.from, position) ? ", selected" : isEnd && show.from ? ", can be reached" : "";
      const numbered = cell.ink === "faint" && /\d/.test(cell.text);
      const label = `${numbered ? "" : name} ${contentOf(board.game, cell)}${state}`.trim();
      const group = cellOf(position, label, clickable, movable);
      const box = { x, y, width: SIZE, height: SIZE };
      group.append(svgEl("rect", { class: board.game === "tictactoe" ? "square-plain" : cell.ground, ...box }));
      if (ground === "green") group.append(svgEl("rect", { class: "gridline", ...box, fill: "none" }));
      if (gravity) group.append(svgEl("circle", { class: "hole", cx: x + SIZE / 2, cy: y + SIZE / 2, r: SIZE * 0.41 }));
      if (cell.changed && !gravity) group.append(svgEl("rect", { class: "changed-mark", ...box }));
      if (same(show.from, position)) group.append(svgEl("rect", { class: "from-mark", ...box }));
      const piece = pieceOf(cell, board.game, x, y, SIZE);
      if (piece) group.append(svgEl("g", { class: "piece" }, piece));
      if (cell.changed && gravity && cell.ink !== "faint")
        group.append(svgEl("circle", { class: "ring-in", cx: x + SIZE / 2, cy: y + SIZE / 2, r: SIZE * 0.2 }));
      if (isEnd && (show.from || ground === "green"))
        group.append(
          svgEl("circle", {
            class: ground === "green" ? "green-hint" : "hint",
            cx: x + SIZE / 2,
            cy: y + SIZE / 2,
            r: 8,
          }),
        );
      group.append(svgEl("rect", { class: "focus-mark", x: x + 2, y: y + 2, width: SIZE - 4, height: SIZE - 4 }));
      cellsOfRow.append(group);
    });
    picture.append(cellsOfRow);
  });
  coordinates(picture, drawing, place, width, height);
  picture.centreOf = ([row, column]) => place(row, column).map((n) => n + SIZE / 2);
  return picture;
}

/** Draws arrows for moves on a board, instead of those before; the first is the best move. They do not take clicks. */
export function drawArrows(picture, targets) {
  picture.querySelector(".arrows")?.remove();
  const arrows = targets.flatMap((target, index) => arrowOf(target, picture.centreOf, index === 0)).reverse();
  if (arrows.length) picture.append(svgEl("g", { class: "arrows", "aria-hidden": "true" }, arrows));
}

function coordinates(picture, drawing, place, width, height) {
  drawing.row_names.forEach((names, row) => {
    const y = place(row, 0)[1] + SIZE / 2 + 4;
    if (names[0]) picture.append(svgEl("text", { class: "coordinate", x: RIM / 2, y }, names[0]));
    if (names[1]) picture.append(svgEl("text", { class: "coordinate", x: RIM * 1.5 + width * SIZE, y }, names[1]));
  });
  const names = drawing.columns[1].length ? drawing.columns[1] : drawing.columns[0];
  names.forEach((name, column) => {
    const x = place(0, column)[0] + SIZE / 2;
    picture.append(svgEl("text", { class: "coordinate", x, y: RIM * 1.5 + height * SIZE + 4 }, name));
    picture.append(svgEl("text", { class: "coordinate", x, y: RIM / 2 + 4 }, name));
  });
}

function arrowOf(target, centre, best) {
  if (!target.to) return [];
  const [x2, y2] = centre(target.to);
  const second = best ? "" : " second";
  if (!target.from) return [svgEl("circle", { class: `arrow${second}`, cx: x2, cy: y2, r: SIZE * 0.36 })];
  const [x1, y1] = centre(target.from);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const [hx, hy] = [x2 - 16 * Math.cos(angle), y2 - 16 * Math.sin(angle)];
  const wing = (turn) => `${hx + 11 * Math.cos(angle + turn)},${hy + 11 * Math.sin(angle + turn)}`;
  return [
    svgEl("polygon", { class: `arrow-head${second}`, points: `${x2},${y2} ${wing(1.7)} ${wing(-1.7)}` }),
    svgEl("line", { class: `arrow${second}`, x1, y1, x2: hx, y2: hy }),
  ];
}

/** Draws kalah: two rows of pits between two stores. */
function drawKalah(board, drawing, show) {
  const flipped = show.flipped;
  const picture = svgEl("svg", { viewBox: "0 0 640 250", role: "grid", "aria-label": "the board" });
  picture.append(svgEl("rect", { class: "rim", x: 0, y: 0, width: 640, height: 250, rx: 30 }));
  const targets = show.targets ?? [];
  const centres = new Map();
  const rows = [0, 1, 2].map(() => svgEl("g", { role: "row" }));
  const nameOf = (row, column) =>
    row === 1 ? `store of ${column === 7 ? "South" : "North"}` : `${row === 2 ? `South ${column}` : `North ${7 - column}`}`;
  const hole = (row, column, x, y, rx, ry) => {
    const cell = drawing.rows[row][column];
    const seeds = Number(cell.text) || 0;
    const clickable = targets.some((target) => same(target.to, [row, column]));
    const group = cellOf([row, column], `${nameOf(row, column)}: ${seeds} ${seeds === 1 ? "seed" : "seeds"}`, clickable, false);
    centres.set(`${row} ${column}`, [x, y]);
    group.append(svgEl("ellipse", { class: clickable ? "pit can" : "pit", cx: x, cy: y, rx, ry }));
    if (cell.changed) group.append(svgEl("ellipse", { class: "changed-mark", cx: x, cy: y, rx, ry }));
    for (let seed = 0; seed < Math.min(seeds, 30); seed += 1) {
      const angle = seed * 2.39996;
      const distance = Math.sqrt(seed / Math.max(8, seeds)) * 0.72;
      group.append(
        svgEl("circle", {
          class: "seed",
          cx: x + Math.cos(angle) * distance * rx,
          cy: y + Math.sin(angle) * distance * ry,
          r: 5.5,
        }),
      );
    }
    group.append(
      svgEl("text", { class: "seeds", x, y: y + (ry > 60 ? ry + 22 : row === 0 ? -ry - 8 : ry + 20) }, String(seeds)),
    );
    group.append(svgEl("ellipse", { class: "focus-mark", cx: x, cy: y, rx: rx + 2, ry: ry + 2 }));
    rows[row].append(group);
  };
  const [left, right] = flipped ? [7, 0] : [0, 7];
  hole(1, left, 48, 118, 32, 82);
  hole(1, right, 592, 118, 32, 82);
  for (let column = 1; column <= 6; column += 1) {
    const x = 48 + (flipped ? 7 - column : column) * 77.7;
    hole(flipped ? 2 : 0, column, x, 72, 34, 34);
    hole(flipped ? 0 : 2, column, x, 178, 34, 34);
  }
  picture.append(...rows);
  picture.centreOf = ([row, column]) => centres.get(`${row} ${column}`);
  return picture;
}

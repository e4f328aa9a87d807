// The pieces, drawn in a box of 45 by 45.

import { svgEl } from "./dom.js";

const BASE = "M11 38 v-3.2 c0-1 .8-1.800 1.800-1.800 h19.400 c1 0 1.800 .8 1.800 1.800 v3.200 Z";

/** The outline of each chess piece, and the lines on it. */
const FIGURES = {
  "♟": [
    "M22.500 9.500 a5.200 5.200 0 0 1 3.700 8.900 c2.600 1.500 4 4.400 3.800 7.600 c1.800 1.700 3 4 3.300 7 h-21.600 c.3-3 1.500-5.300 3.300-7 c-.2-3.200 1.200-6.100 3.800-7.600 A5.200 5.200 0 0 1 22.500 9.500 Z",
    "",
  ],
  "♜": [
    "M12 8.500 h5 v3.300 h3.200 v-3.300 h4.600 v3.300 h3.200 v-3.300 h5 v7.200 l-3.300 3 v11 l3.300 3.300 h-21 l3.300-3.300 v-11 l-3.300-3 Z",
    "M15.300 18.700 h14.400 M15.300 29.700 h14.400",
  ],
  "♞": [
    "M14.500 33 c.3-6.500 6-8.500 6.600-13.200 c-1.300 1.600-3.600 2.400-5.600 2.200 c-1 1.900-2.700 3.300-4.500 2.700 c-2-.6-2.600-2.900-1.700-4.900 c2.200-4.700 4.700-9 8.900-10.700 l.6-4 l3.600 3.300 c7.800 .6 11.300 7.100 11.300 14.600 c0 3.400-.3 6.700-.7 10 Z",
    "M24 11 c4 1.500 6 5 6.200 9.500 M16.700 14.600 h.2",
  ],
  "♝": [
    "M22.500 5.500 a2.500 2.500 0 0 1 1.700 4.300 c4.400 3.100 6.900 7.300 6.900 11.300 c0 2.900-1.400 5.200-3.500 6.700 l1.300 5.200 h-12.800 l1.300-5.200 c-2.100-1.500-3.500-3.800-3.500-6.700 c0-4 2.500-8.200 6.900-11.300 a2.500 2.500 0 0 1 1.700-4.300 Z",
    "M22.500 14.500 v7.500 M19 17.700 h7 M17.500 28 h10",
  ],
  "♛": [
    "M9.500 13.500 l6.300 8.300 l1-12.300 l5.700 10.500 l5.700-10.500 l1 12.300 l6.300-8.300 l-3.300 15.500 c-.3 1.600-.8 2.700-1.500 4 h-16.400 c-.7-1.300-1.200-2.400-1.500-4 Z M9.500 11 a1.900 1.900 0 1 0 .01 0 Z M16.800 6.800 a1.900 1.900 0 1 0 .01 0 Z M28.200 6.800 a1.900 1.900 0 1 0 .01 0 Z M35.500 11 a1.900 1.900 0 1 0 .01 0 Z",
    "M14 29 c5.500-1.500 11.500-1.500 17 0",
  ],
  "♚": [
    "M21.300 4 h2.400 v2.600 h2.600 v2.400 h-2.600 v3.300 c3.500-2.600 10.800-1.800 10.800 4.700 c0 5-4.300 7.700-5.300 11.500 v4.500 h-13.400 v-4.500 c-1-3.800-5.300-6.500-5.300-11.500 c0-6.500 7.300-7.300 10.800-4.700 v-3.300 h-2.600 v-2.400 h2.600 Z",
    "M16 28.500 c4.300-1.300 8.700-1.300 13 0 M22.500 13.500 v9",
  ],
};

/** The crown of a king in checkers. */
const CROWN = "M14 28 l-2-10 l5.500 4 l5-7 l5 7 l5.500-4 l-2 10 Z";

/** A chess piece in a box whose corner is at x, y. */
function figure(text, white, x, y, size) {
  const [outline, lines] = FIGURES[text];
  const scale = size / 45;
  const colour = white ? "piece-white" : "piece-black";
  return svgEl(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    svgEl("path", { class: colour, d: outline }),
    svgEl("path", { class: colour, d: BASE }),
    lines && svgEl("path", { class: white ? "piece-line" : "piece-line on-black", d: lines }),
  );
}

/** A disc, with a crown if it is a king. */
function disc(colour, x, y, size, king, rings) {
  const [cx, cy] = [x + size / 2, y + size / 2];
  const parts = [svgEl("circle", { class: `disc-${colour}`, cx, cy, r: size * 0.41 })];
  if (rings) parts.push(svgEl("circle", { class: "ring-in", cx, cy, r: size * 0.31 }));
  if (king) {
    const scale = size / 45;
    parts.push(
      svgEl("path", {
        class: colour === "black" ? "piece-line on-black" : "piece-line",
        transform: `translate(${x} ${y}) scale(${scale})`,
        d: CROWN,
      }),
    );
  }
  return svgEl("g", {}, parts);
}

/** The content of a cell: a chess piece, a disc, a mark, or its text. */
export function pieceOf(cell, game, x, y, size) {
  const { text, ink, ground } = cell;
  if (!text || (ink === "faint" && (ground === "blue" || ground === "green"))) return null;
  const middle = { x: x + size / 2, y: y + size / 2 + 6 };
  if (ink === "faint") return svgEl("text", { class: "cell-text faint", ...middle }, text);
  const white = ink === "white";
  if (text === "♚" && game === "checkers") return disc(white ? "white" : "black", x, y, size, true, true);
  if (FIGURES[text]) return figure(text, white, x, y, size);
  if (ground === "blue") return disc(ink === "yellow" ? "yellow" : "red", x, y, size);
  if (text === "●") return disc(white ? "white" : "black", x, y, size, false, ground !== "green");
  if (game === "tictactoe" || text === "X" || text === "O") return mark(text, x, y, size);
  return svgEl("text", { class: "cell-text", ...middle }, text);
}

function mark(text, x, y, size) {
  const [a, b] = [size * 0.26, size * 0.74];
  if (text === "O") return svgEl("circle", { class: "mark-o", cx: x + size / 2, cy: y + size / 2, r: size * 0.26 });
  return svgEl("path", {
    class: "mark-x",
    d: `M${x + a} ${y + a} L${x + b} ${y + b} M${x + b} ${y + a} L${x + a} ${y + b}`,
  });
}

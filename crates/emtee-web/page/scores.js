// Scores and lines as players write them: with sign and unit, from the first side, with move numbers; the evaluation bar.

import { el } from "./dom.js";

const WON = 32000;
const LAST_WIN = WON - 999;

/** The unit of the values of a game: how many make one, the decimals, its name. */
const UNITS = {
  chess: [100, 2, "pawns"],
  checkers: [100, 2, "men"],
  othello: [1, 0, "discs"],
  kalah: [1, 0, "seeds"],
};

/** A value from the first side as text, for a game of the list of games: `+0.88`, `White mates in 2`. */
export function scoreText({ name, sides }, value) {
  const [scale, decimals] = UNITS[name] ?? [1, 0];
  if (Math.abs(value) < LAST_WIN) {
    const number = (Math.abs(value) / scale).toFixed(decimals);
    return Number(number) === 0 ? number : `${value > 0 ? "+" : "−"}${number}`;
  }
  const plies = WON - Math.abs(value);
  const winner = sides[value > 0 ? 0 : 1];
  return name === "chess" ? `${winner} mates in ${Math.ceil(plies / 2)}` : `${winner} wins in ${plies} plies`;
}

/** The score of a row of an analysis, from the first side; a bound if the value is not known yet. */
export function rowScore(game, turn, { value, lower, upper }) {
  if (value !== null) return scoreText(game, turn === 0 ? value : -value);
  const [low, high] = turn === 0 ? [lower, upper] : [-upper, -lower];
  const [least, most] = [low > -32767, high < 32767];
  if (least && most) return `${scoreText(game, low)} to ${scoreText(game, high)}`;
  return least ? `≥ ${scoreText(game, low)}` : most ? `≤ ${scoreText(game, high)}` : "…";
}

/** What the scores of a game mean. */
export function scoreLegend({ name, sides }) {
  const unit = UNITS[name]?.[2];
  return `Scores from the side of ${sides[0]}${unit ? `, in ${unit}` : ""}.`;
}

/** How the result of a game came about: `by checkmate`. */
export function endingText(game, { winner, why }) {
  if (game !== "chess" || why !== "by the rules") return why;
  return winner === null ? "by stalemate" : "by checkmate";
}

/** The number before a move: `3.` or `3…`, or nothing before the second of a pair. */
export function moveNumber(ply, isFirst) {
  const number = Math.floor(ply / 2) + 1;
  if (ply % 2 === 0) return `${number}.`;
  return isFirst ? `${number}…` : "";
}

/** The share of the first side in the evaluation bar. */
function advantage(value, lead) {
  if (Math.abs(value) >= LAST_WIN) return value > 0 ? 1 : 0;
  return 0.5 + 0.5 * Math.tanh(value / (2.5 * lead));
}

/** The caption of the drawing, with colours instead of X and O in Othello. */
export function captionOf({ game, drawing }) {
  const text = drawing?.caption ?? "";
  return game === "othello" ? text.replace(/ \([XO]\)/, "").replace("X ", "Black ").replace("O ", "White ") : text;
}

/** The evaluation bar, and a function that shows a value from the first side in it, or null. */
export function evaluationBar(game) {
  const [fill, label] = [el("div", { class: "gauge-fill" }), el("span", {})];
  const element = el("div", { class: "gauge", role: "img", id: "gauge", "data-game": game.name }, fill, label);
  const show = (value, flipped) => {
    element.classList.toggle("flipped", flipped);
    element.classList.toggle("unknown", value === null);
    fill.style.height = `${100 * (value === null ? 0.5 : advantage(value, game.lead))}%`;
    const text = value === null ? "" : scoreText(game, value);
    label.textContent = text.length < 7 ? text : "";
    element.setAttribute("aria-label", text ? `evaluation ${text}` : "no evaluation");
  };
  return { element, show };
}

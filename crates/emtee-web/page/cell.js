// A board in a cell of a notebook. The kernel answers its requests for positions and moves, for games in any language.

import { button, el, put } from "./dom.js";
import { playableBoard } from "./playable.js";

/** Shows the board in the page. */
export function showCell() {
  const place = document.getElementById("cell");
  const status = el("p", { class: "status", id: "status", role: "status" });
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  /** The moves so far, and a number for the last request: a response to an earlier one is dropped. */
  let moves = [];
  let asked = 0;
  let flipped = false;
  let position = null;

  const board = playableBoard({ onMove: (move) => show([...moves, move], true), onPut: () => undefined });

  async function fetchPosition(list, think) {
    const body = JSON.stringify({ moves: list, think });
    const response = await fetch(location.href, { method: "POST", headers: { "content-type": "application/json" }, body });
    const found = await response.json();
    if (found.error) throw new Error(found.error);
    return found;
  }

  /** Shows the position after these moves, and lets the engine answer. */
  async function show(list, think) {
    const mine = ++asked;
    try {
      let found = await fetchPosition(list, false);
      if (mine !== asked) return;
      render(found);
      while (think && found.engine && !found.ending) {
        status.textContent = "The engine is searching…";
        found = await fetchPosition(found.line, true);
        if (mine !== asked) return;
        render(found);
      }
      problem.hidden = true;
    } catch (error) {
      if (mine !== asked) return;
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }
  function render(found) {
    position = found;
    moves = found.line;
    board.show(found, { flipped, locked: found.engine && !found.ending });
    Object.assign(board.element.dataset, { plies: moves.length, over: found.ending ? found.ending.text : "" });
    status.textContent = found.ending ? found.ending.text : found.status;
    back.disabled = moves.length === 0;
    put(line, found.written.join(" "));
  }
  /** Back to the last turn of the user. */
  async function takeBack() {
    let list = moves.slice(0, -1);
    while (list.length && (await fetchPosition(list, false)).engine) list = list.slice(0, -1);
    show(list, false);
  }

  const back = button("Take back", "take back your last move", takeBack, { id: "take-back" });
  const line = el("p", { class: "note", id: "moves" });
  const controls = el(
    "div",
    { class: "row" },
    button("New game", "new game", () => show([], true), { id: "new" }),
    back,
    button("Flip", "flip the board", () => ((flipped = !flipped), render(position)), { id: "flip" }),
  );
  put(place, problem, board.element, status, board.choices, controls, line);
  show([], true);
}

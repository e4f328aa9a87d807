// Mouse, touch and keyboard on a board: clicks, drag and drop, arrow keys.

import { put } from "./dom.js";

/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 5;

const ARROW_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listens to a board in an element. `onCell(cell)`: a cell is clicked, or selected with Enter. `onGrab(cell)`: a drag begins.
 * `onDrop(from, to)`: it ends; `to` may be null. `onEscape()`. Cells are pairs of row and column. Returns a function that
 * shows a drawing and keeps the focus.
 */
export function boardInput(element, { onCell, onGrab, onDrop, onEscape }) {
  /** The cell that the tab key reaches. */
  let last = null;
  let drag = null;
  /** Whether the next click is the end of a drag. */
  let dropped = false;

  const whereOf = (cell) => [Number(cell.dataset.row), Number(cell.dataset.column)];
  const cellAt = ([row, column]) => element.querySelector(`.cell[data-row="${row}"][data-column="${column}"]`);
  const cellUnder = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");

  element.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell") ?? cellUnder(event);
    if (cell && element.contains(cell) && !dropped) onCell(whereOf(cell));
    dropped = false;
  });
  // A click does not take the focus: after it, the arrow keys still move through the game.
  element.addEventListener("mousedown", (event) => event.target.closest(".cell") && event.preventDefault());
  element.addEventListener("focusin", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    element.querySelectorAll(".cell[tabindex='0']").forEach((one) => one.setAttribute("tabindex", -1));
    cell.setAttribute("tabindex", 0);
    last = whereOf(cell);
  });
  element.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROW_KEYS[event.key]) neighbour(cell, ARROW_KEYS[event.key])?.focus();
    else if (event.key === "Enter" || event.key === " ") onCell(whereOf(cell));
    else if (event.key === "Escape") onEscape();
    else return;
    event.preventDefault();
    // The same keys move through the game when the focus is elsewhere.
    event.stopPropagation();
  });

  /** The nearest cell in a direction on the screen. */
  function neighbour(cell, [dx, dy]) {
    const centre = (one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = centre(cell);
    let [best, least] = [null, Infinity];
    for (const other of element.querySelectorAll(".cell")) {
      const [ox, oy] = centre(other);
      const [along, across] = [(ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx)];
      const distance = along + 3 * across;
      if (along > 4 && across <= along && distance < least) [best, least] = [other, distance];
    }
    return best;
  }

  element.addEventListener("pointerdown", (event) => {
    dropped = false;
    const cell = event.target.closest(".cell.movable");
    if (!cell || event.button !== 0) return;
    drag = { from: whereOf(cell), x: event.clientX, y: event.clientY, ghost: null };
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost) {
      if (Math.hypot(dx, dy) < CLICK_PIXELS) return;
      element.setPointerCapture(event.pointerId);
      onGrab(drag.from);
      lift();
    }
    const picture = element.firstChild;
    const scale = picture.viewBox.baseVal.width / picture.getBoundingClientRect().width;
    drag.ghost?.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  });
  element.addEventListener("pointerup", (event) => {
    if (!drag?.ghost) return stop();
    const { from } = drag;
    const cell = cellUnder(event);
    stop();
    dropped = true;
    // A drop outside of the board makes no click.
    setTimeout(() => (dropped = false), 50);
    return onDrop(from, cell && element.contains(cell) ? whereOf(cell) : null);
  });
  element.addEventListener("pointercancel", stop);

  /** Shows the dragged piece above the board, and its place empty. */
  function lift() {
    const piece = cellAt(drag.from)?.querySelector(".piece");
    if (!piece) return;
    drag.ghost = piece.cloneNode(true);
    drag.ghost.classList.add("ghost");
    piece.classList.add("lifted");
    element.firstChild.append(drag.ghost);
  }
  function stop() {
    drag?.ghost?.remove();
    element.querySelector(".lifted")?.classList.remove("lifted");
    drag = null;
  }

  return (picture) => {
    const focused = element.contains(document.activeElement);
    put(element, picture);
    const cell = (last && cellAt(last)) ?? element.querySelector(".cell.can") ?? element.querySelector(".cell");
    cell?.setAttribute("tabindex", 0);
    if (focused) cell?.focus({ preventScroll: true });
    if (drag?.ghost) lift();
  };
}

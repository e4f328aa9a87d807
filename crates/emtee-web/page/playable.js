// A board to play on: moves by click, drag or keyboard, and a choice where two moves look the same.

import { boardFromText, clicked, drawArrows, drawBoard, targetsOf } from "./board.js";
import { button, el, put } from "./dom.js";
import { boardInput } from "./input.js";

/**
 * A board and the moves that cannot be made on it, as two elements. `onMove(move)` is called for a legal move, `onPut(to, from)`
 * while a position is set up: `from` is null for a click.
 */
export function playableBoard({ onMove, onPut }) {
  const element = el("div", { class: "board", id: "board" });
  const choices = el("div", { class: "choices", id: "choices" });
  const now = { board: null, drawing: null, targets: [], arrows: [], from: null, flipped: false, locked: false, setup: null };

  const draw = boardInput(element, {
    onCell(cell) {
      if (now.setup) return onPut(cell, null);
      if (now.locked || !now.board.moves.length) return undefined;
      const { moves, from } = clicked(now.targets, now.drawing, now.from, cell);
      return select(moves, from);
    },
    onGrab(cell) {
      if (!now.setup) select(null, cell);
    },
    onDrop(from, to) {
      if (now.setup) return to && onPut(to, from);
      const { moves } = to ? clicked(now.targets, now.drawing, from, to) : {};
      // A piece that is put back stays selected.
      const back = to && to[0] === from[0] && to[1] === from[1];
      return select(moves, back ? from : null);
    },
    onEscape: () => select(null, null),
  });

  /** Plays the only move, or shows the moves to choose from, or selects a cell. */
  function select(moves, from) {
    if (moves?.length === 1) return onMove(moves[0].move);
    now.from = moves?.length ? now.from : from;
    return render(moves);
  }

  function render(candidates) {
    const { board, drawing, setup } = now;
    if (!drawing) put(element, el("pre", { tabindex: 0 }, board.plain));
    else {
      const targets = now.locked || setup ? [] : now.targets;
      draw(drawBoard(board, setup ?? drawing, { flipped: now.flipped, from: now.from, targets, movable: Boolean(setup) }));
      drawArrows(element.firstChild, now.arrows);
    }
    const hidden = drawing ? now.targets.filter((target) => !target.to) : board.moves;
    const shown = now.locked || setup ? [] : (candidates ?? hidden);
    put(choices, shown.map((legal) => button(legal.written, `play ${legal.written}`, () => onMove(legal.move))));
    if (candidates?.length) choices.firstChild.focus();
  }

  return {
    element,
    choices,
    /** Shows a position. `locked`: no moves are accepted; `setup`: a drawing that is being set up. */
    show(board, { flipped = false, locked = false, setup = null } = {}) {
      if (board !== now.board) {
        Object.assign(now, { board, drawing: board.drawing ?? boardFromText(board.plain), from: null, arrows: [] });
        now.targets = now.drawing ? targetsOf(board, now.drawing) : [];
      }
      Object.assign(now, { flipped, locked, setup });
      render();
    },
    /** Shows arrows for these moves, the best one first. */
    arrows(moves) {
      now.arrows = moves.map((move) => now.targets.find((target) => target.move === move)).filter(Boolean);
      if (now.drawing && !now.setup) drawArrows(element.firstChild, now.arrows);
    },
    get drawing() {
      return now.drawing;
    },
  };
}

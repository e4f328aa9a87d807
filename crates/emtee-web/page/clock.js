// A clock for both sides of a game.

import { el, put } from "./dom.js";

/** A clock in a place of the page, for two sides by name. `late(side)` is called while somebody's time is up. */
export function gameClock(place, sides, late) {
  const clock = { minutes: 5, seconds: 3, on: false };
  let left = [0, 0];
  let since = 0;
  let timer = null;
  /** Whose time passes; nobody's before the first move and after the last. */
  let running = null;

  const of = (side) => Math.max(0, left[side] - (running === side ? performance.now() - since : 0));
  const text = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor((ms % 60000) / 1000)).padStart(2, "0")}`;

  function render() {
    if (!clock.on) return put(place);
    if (running !== null && of(running) === 0) late(running);
    return put(
      place,
      [0, 1].map((side) => el("span", {}, `${sides[side]} `, el("b", {}, text(of(side))))),
    );
  }

  /** Begins anew, or is taken away. */
  clock.start = (on) => {
    clock.on = on;
    left = [clock.minutes * 60000, clock.minutes * 60000];
    running = null;
    clearInterval(timer);
    timer = on ? setInterval(render, 200) : null;
    render();
  };
  /** The time of this side passes from now on, or nobody's. */
  clock.turn = (side) => {
    running = side;
    since = performance.now();
    render();
  };
  /** The side whose time passed has moved. */
  clock.punch = () => {
    if (running === null) return;
    left[running] = of(running) + clock.seconds * 1000;
    running = null;
  };
  /** What an engine is told of its time. */
  clock.told = (side) => ({
    left_ms: Math.max(1, Math.min(120000, Math.round(of(side)))),
    increment_ms: clock.seconds * 1000 || 1,
  });
  clock.close = () => clearInterval(timer);
  return clock;
}

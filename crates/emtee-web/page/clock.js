// A clock for both sides of a game.

import { el, put } from "./dom.js";

/** A clock in a container, for two sides by name. `onTimeout(side)` is called while a side is out of time. */
export function gameClock(container, sides, onTimeout) {
  const clock = { minutes: 5, seconds: 3, on: false };
  let left = [0, 0];
  let since = 0;
  let timer = null;
  /** The side whose time is running; null before the first move and after the last. */
  let running = null;

  const timeOf = (side) => Math.max(0, left[side] - (running === side ? performance.now() - since : 0));
  const text = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor((ms % 60000) / 1000)).padStart(2, "0")}`;

  function render() {
    if (!clock.on) return put(container);
    if (running !== null && timeOf(running) === 0) onTimeout(running);
    return put(
      container,
      [0, 1].map((side) => el("span", {}, `${sides[side]} `, el("b", {}, text(timeOf(side))))),
    );
  }

  /** Resets the clock, and shows or hides it. */
  clock.start = (on) => {
    clock.on = on;
    left = [clock.minutes * 60000, clock.minutes * 60000];
    running = null;
    clearInterval(timer);
    timer = on ? setInterval(render, 200) : null;
    render();
  };
  /** Runs the time of a side from now on, or of none if null. */
  clock.turn = (side) => {
    running = side;
    since = performance.now();
    render();
  };
  /** Stops the running side after its move and adds the increment. */
  clock.punch = () => {
    if (running === null) return;
    left[running] = timeOf(running) + clock.seconds * 1000;
    running = null;
  };
  /** The time parameters of an engine request. */
  clock.forEngine = (side) => ({
    left_ms: Math.max(1, Math.min(120000, Math.round(timeOf(side)))),
    increment_ms: clock.seconds * 1000 || 1,
  });
  clock.close = () => clearInterval(timer);
  return clock;
}

// The guided tour: steps on the paper's tree, each with a sentence and the part of the view to look at; then an exercise.

import { button, el, thousands } from "./dom.js";

/** The random tree of the exercise: width, depth, ordering, seed. MTD-f from 0 needs five passes on it. */
const EXERCISE_TREE = [3, 3, 60, 13];

/** The state of the view at each step, its part to look at, and the nodes to point at. */
export const TOUR = [
  {
    title: "MAX and MIN nodes",
    text: "Squares are MAX nodes, whose value is that of their best child; circles are MIN nodes, which take the worst. The search has to find f, the value of the root a.",
    show: { step: 0 },
    part: "legend",
    marked: ["a"],
  },
  {
    title: "What γ asks",
    text: "A pass calls MT with one γ and asks whether f is greater: if not, its result g is an upper bound f⁺, else a lower bound f⁻. SSS* begins with γ = +∞, so its first bound is f⁺.",
    show: { step: 1 },
    part: "narration",
    marked: ["a"],
  },
  {
    title: "Why this leaf was cut off",
    text: "The MIN node d already has a child, e = 41, below γ, so no other child can change the result: n is cut off. Select any node to read its reason.",
    show: { step: 28, node: "n" },
    part: "why",
    marked: ["n"],
  },
  {
    title: "What the table saves in pass 2",
    text: "Pass 2 evaluates a single new leaf, n. At e, f and h the bounds that pass 1 has stored answer γ = 40.5, and nothing below f and h is visited again.",
    show: { step: 46 },
    part: "table",
    marked: ["e", "f", "h"],
  },
  {
    title: "When it ends",
    text: "Passes fail low until f⁺ = 35; the last one fails high. Now f⁻ = f⁺ = 35, so 35 is the value. The thickest line is the critical path, the best play of both sides.",
    show: { step: 90 },
    part: "totals",
    marked: ["o"],
  },
  {
    title: "What a driver is",
    text: "Every pass was the same procedure, MT. The driver only selects the next γ: SSS* takes it just below the last g, DUAL* just above, and MTD-f begins at a guess of f instead of an infinity.",
    show: { step: 90 },
    part: "figures",
    marked: [],
  },
  {
    title: "Exercise: be the driver",
    text: "Find f of this tree: enter a bound and call MT, which answers whether f is at least that number.",
    show: { random: EXERCISE_TREE, drive: [] },
    part: "driver",
    marked: [],
  },
];

/** The parts of the view to look at. The style sheet frames them. */
export const TOUR_PARTS = {
  legend: ".legend",
  narration: "#narration",
  why: "#panel-why",
  table: "#panel-table",
  totals: ".totals",
  figures: ".code",
  driver: ".driver",
};

/** The number of the step that a visitor has reached, `done`, or null before the first visit. */
export function tourProgress() {
  return localStorage.getItem("tour");
}

/** The card of a step. `passes` are those that MTD-f needs in the exercise; `go(step)` shows another step or ends the tour. */
export function tourCard(number, { passes, go, guess }) {
  const { title, text } = TOUR[number - 1];
  const last = number === TOUR.length;
  localStorage.setItem("tour", number);
  const leave = (to) => {
    if (to === null) localStorage.setItem("tour", "done");
    go(to);
  };
  const yours = passes?.yours ?? 0;
  const found = passes?.found
    ? ` You needed ${thousands(yours)}${yours <= passes.driver ? ": as good or better" : ""}. Now give MTD-f a better guess than 0.`
    : "";
  const aim = last && passes ? ` MTD-f, which begins with the guess 0, needs ${passes.driver} passes.${found}` : "";
  return el(
    "section",
    { class: "tour", id: "tour", "aria-label": "guided tour" },
    el(
      "div",
      { class: "tour-text" },
      el("h2", {}, el("span", { class: "count" }, `${number} of ${TOUR.length}`), ` ${title}`),
      el("p", { "aria-live": "polite" }, text + aim),
    ),
    el(
      "div",
      { class: "tour-buttons" },
      button(last ? "End" : "Skip", last ? "end the tour" : "skip the tour", () => leave(null), { id: "tour-end", class: "quiet" }),
      button("Back", "the step before", () => leave(number - 1), { id: "tour-back", disabled: number === 1 }),
      last
        ? button("Guess for MTD-f", "MTD-f on this tree, with a first guess of yours", guess, {
            id: "tour-guess",
            class: passes?.found ? "primary" : "",
          })
        : button("Next", "the next step", () => leave(number + 1), { id: "tour-next", class: "primary" }),
    ),
  );
}

// Trees: the paper's, the user's own, or random ones; algorithms on them, step by step.

import { request } from "./api.js";
import { numberOf, writeAddress } from "./address.js";
import { errorLine } from "./controls.js";
import { button, choice, el, field, put } from "./dom.js";
import { mountStepper } from "./stepper.js";
import { prepareRecording, valueText } from "./replay.js";
import { TOUR, TOUR_PARTS, tourCard, tourProgress } from "./tour.js";

/** The state of the view, from the address. */
function readState(words) {
  const random = words.get("random")?.split(",").map(Number);
  // A first visit begins with the tour.
  const tour = numberOf(words, "tour") ?? (location.hash === "" && tourProgress() === null ? 1 : null);
  const state = { ...START, ...(TOUR[tour - 1]?.show ?? {}), tour: TOUR[tour - 1] ? tour : null };
  const zoom = words.get("zoom");
  return {
    ...state,
    tree: words.get("tree") ?? state.tree,
    random: random?.length === 4 && random.every(Number.isFinite) ? random : state.random,
    a: words.get("a") ?? state.a,
    b: words.get("b") ?? state.b,
    first: numberOf(words, "first"),
    entries: numberOf(words, "entries"),
    drive: words.has("drive") ? words.get("drive").split(",").filter(Boolean).map(Number) : words.has("a") ? null : state.drive,
    step: numberOf(words, "step") ?? state.step,
    node: words.get("node") ?? state.node,
    zoom: zoom === "fit" ? zoom : numberOf(words, "zoom"),
  };
}

/** The paper's tree before the first step of SSS*. */
const START = {
  tree: "paper", random: null, a: "sss", b: "", first: null, entries: null, drive: null, step: 0, node: null, zoom: null,
};

export async function showTrees(container, words, about) {
  const state = readState(words);
  let recording = null;
  let stepper = null;
  let pending = null;
  const [problem, showError] = errorLine();
  const stage = el("div", { id: "stepper" });
  const bar = el("div", { class: "bar" });
  const card = el("div", { class: "tour-place" });
  const chapter = el("p", {}, el("a", { href: "mt.md", target: "_blank" }, "The book's chapter: MT explained"));
  const editor = el("details", { class: "editor" });
  put(container, el("h1", { class: "offscreen" }, "Trees"), card, bar, editor, problem, stage);

  const algorithm = (name) => about.algorithms.find((one) => one.name === name);
  const requestedRuns = () =>
    [state.a, state.b].filter(Boolean).map((name, index) => ({
      algorithm: name,
      ...(state.first !== null && algorithm(name)?.guesses && !(index === 0 && state.drive) ? { first: state.first } : {}),
      ...(state.entries !== null && algorithm(name)?.table ? { entries: state.entries } : {}),
      ...(index === 0 && state.drive ? { bounds: state.drive } : {}),
    }));

  function addressWords() {
    return {
      tree: state.random || state.tree === "paper" ? null : state.tree,
      random: state.random?.join(","),
      a: state.a === "sss" ? null : state.a,
      b: state.b,
      first: state.first,
      entries: state.entries,
      drive: state.drive === null ? null : state.drive.join(",") || ",",
      step: state.step || (state.tour ? 0 : null),
      node: state.node,
      zoom: state.zoom,
      tour: state.tour,
    };
  }

  /** Searches again and stays at the same step. */
  async function rerun(push = false) {
    pending?.abort();
    pending = new AbortController();
    const tree = state.random
      ? { random: { width: state.random[0], depth: state.random[1], order: state.random[2], seed: state.random[3] } }
      : { tree: state.tree };
    try {
      const response = await request("tree", { ...tree, runs: requestedRuns() }, pending.signal);
      recording = prepareRecording(response);
      showError(null);
    } catch (error) {
      showError(error);
      if (!recording) renderBar();
      return;
    }
    renderBar();
    renderEditor();
    await renderTour();
    stepper?.close();
    const node = recording.nodes.findIndex((one) => one.name === state.node);
    stepper = mountStepper(stage, recording, {
      step: state.step,
      selected: node >= 0 ? node : null,
      zoom: state.zoom,
      marked: TOUR[state.tour - 1]?.marked,
      chapter,
      tools: state.drive ? driverControls() : null,
      edit: editControls,
      onLeaf: setLeaf,
      link: () => location.href,
      onMove: (step, selected, zoom) => {
        state.step = step;
        state.zoom = zoom;
        state.node = selected === null ? null : recording.nodes[selected].name;
        writeAddress("trees", addressWords());
      },
    });
    if (push) writeAddress("trees", addressWords(), true);
  }

  /** Shows the card of the tour, and the part of the view that it describes. */
  async function renderTour() {
    const step = TOUR[state.tour - 1];
    stage.dataset.part = step?.part ?? "";
    if (!step) return put(card);
    let passes = null;
    if (step.show.drive && state.random) {
      const [width, depth, order, seed] = state.random;
      const runs = [{ algorithm: "mtd-f" }];
      const other = await request("tree", { random: { width, depth, order, seed }, runs });
      const count = (run) => run.steps.filter(([kind]) => kind === "passed").length;
      const last = recording.runs[0].steps.findLast(([kind]) => kind === "passed");
      passes = { driver: count(other.runs[0]), yours: count(recording.runs[0]), found: Boolean(last) && last[2] === last[3] };
    }
    return put(card, tourCard(state.tour, { passes, go: goTour, guess: () => guessForDriver() }));
  }
  function goTour(number) {
    if (number === null) Object.assign(state, { tour: null, drive: null, random: null });
    else Object.assign(state, START, TOUR[number - 1].show, { tour: number });
    rerun(true).then(() => container.querySelector(TOUR_PARTS[stage.dataset.part])?.scrollIntoView({ block: "nearest" }));
  }
  /** The end of the exercise: the same tree with MTD-f, whose first guess can be moved. */
  function guessForDriver() {
    Object.assign(state, { a: "mtd-f", first: 0, drive: null, step: 0, node: null });
    rerun(true).then(() => stepper.go(Infinity));
  }

  /** Changes settings and starts at the first step. */
  function change(changes) {
    Object.assign(state, changes, { step: 0 });
    rerun(true);
  }

  function renderBar() {
    const names = about.algorithms.map((one) => one.name);
    const guesses = [state.a, state.b].some((name) => name && algorithm(name)?.guesses) && !state.drive;
    const tables = [state.a, state.b].some((name) => name && algorithm(name)?.table);
    const leaves = recording?.nodes
      .filter((node) => !node.children?.length && node.value !== null)
      .map((node) => node.value) ?? [0, 100];
    const [least, most] = [Math.max(-31000, Math.min(...leaves)), Math.min(31000, Math.max(...leaves))];
    const drives = about.algorithms.find((one) => one.name === state.a)?.driver;
    put(
      bar,
      field(
        "algorithm",
        choice(names, state.a, (a) => change({ a, drive: null, first: null }), { id: "a" }),
      ),
      field(
        "compare with",
        choice([["", "none"], ...names.filter((name) => name !== state.a)], state.b, (b) => change({ b }), {
          id: "b",
        }),
      ),
      guesses
        ? slider(
            "first guess",
            "first",
            state.first,
            least,
            most,
            1,
            (first) => change({ first }),
            state.first === null ? "0" : valueText(state.first),
          )
        : null,
      tables
        ? slider(
            "table",
            "entries",
            state.entries === null ? 8 : Math.log2(state.entries),
            2,
            8,
            1,
            (power) => change({ entries: power >= 8 ? null : 2 ** power }),
            state.entries === null ? "unlimited" : `${state.entries} entries`,
          )
        : null,
      button("Tour", "the guided tour", () => goTour(Number(tourProgress()) || 1), { id: "start-tour", disabled: Boolean(state.tour) }),
      drives
        ? el(
            "label",
            { class: "field check" },
            el("input", {
              type: "checkbox",
              id: "drive",
              checked: state.drive !== null,
              onchange: (event) => change({ drive: event.target.checked ? [] : null, b: "" }),
            }),
            el("span", {}, "be the driver"),
          )
        : null,
    );
  }

  function slider(label, id, value, min, max, step, onchange, text) {
    const shown = el("output", {}, text);
    const input = el("input", {
      type: "range",
      id,
      min,
      max,
      step,
      value: value ?? 0,
      onchange: () => onchange(Number(input.value)),
      oninput: () => id === "first" && (shown.textContent = input.value),
    });
    input.value = value ?? 0;
    return field(label, el("span", { class: "slider" }, input, shown));
  }

  /** The controls of a user who chooses γ. */
  function driverControls() {
    const run = recording.runs[0];
    const last = run.steps.findLast((step) => step[0] === "passed");
    const [lower, upper] = last ? [last[2], last[3]] : [-32767, 32767];
    if (lower >= upper)
      return el(
        "div",
        { class: "driver" },
        el(
          "p",
          {},
          `f⁻ = f⁺ = ${valueText(lower)}: you have found the value in ${run.bounds.length} ${run.bounds.length === 1 ? "pass" : "passes"}.`,
        ),
        button("Again", "drive again", () => change({ drive: [] })),
      );
    const known = `f⁻ = ${valueText(lower)}, f⁺ = ${valueText(upper)}`;
    const input = el("input", {
      type: "number",
      id: "gamma",
      step: 1,
      value: last ? Math.min(upper, Math.max(lower + 1, last[1])) : 40,
      "aria-label": "bound",
    });
    const go = () => {
      const bound = Number(input.value);
      const limit = recording.infinity ?? 32000;
      const [least, most] = [Math.max(lower + 1, -limit), Math.min(upper, limit)];
      if (!Number.isInteger(bound) || bound < least || bound > most || input.value === "") {
        const others = "others are not integers, or their result is known";
        showError({ message: `choose a bound from ${valueText(least)} to ${valueText(most)}: ${others}` });
        return;
      }
      state.step = run.steps.length;
      state.drive = [...state.drive, bound];
      rerun(true).then(() => stepper.go(recording.runs[0].steps.length));
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && go());
    return el(
      "div",
      { class: "driver" },
      el("p", {}, `You are the driver. ${known}. Call MT: is f at least`),
      input,
      button("Call MT", "call MT", go, { class: "primary", id: "call-mt" }),
    );
  }

  function renderEditor() {
    const text = el("textarea", {
      id: "tree-text",
      rows: 3,
      spellcheck: "false",
      "aria-label": "the tree as a nested list",
    });
    text.value = recording.text;
    const numbers = state.random ?? [3, 3, 70, 1];
    const input = (label, index, min, max) =>
      field(
        label,
        el("input", {
          type: "number",
          id: `random-${label}`,
          min,
          max,
          value: numbers[index],
          onchange: (event) => (numbers[index] = Number(event.target.value)),
        }),
      );
    put(
      editor,
      el("summary", {}, "The tree: edit it, paste one or generate one"),
      el(
        "div",
        { class: "editing" },
        el(
          "div",
          {},
          el(
            "p",
            { class: "note" },
            "A nested list or JSON: ((41 5) (12 90)), [[41,5],[12,90]]. In the drawing, drag a leaf sideways to change its value; choose a node to change the shape.",
          ),
          text,
          el(
            "div",
            { class: "row" },
            button(
              "Use this tree",
              "use this tree",
              () => change({ tree: text.value.trim(), random: null, node: null }),
              { class: "primary", id: "use-tree" },
            ),
            button("The paper's tree", "the paper's tree", () => change({ tree: "paper", random: null, node: null }), {
              id: "use-paper",
            }),
          ),
        ),
        el(
          "fieldset",
          {},
          el("legend", {}, "Random tree"),
          el(
            "div",
            { class: "row" },
            input("width", 0, 1, 8),
            input("depth", 1, 1, 8),
            input("order", 2, 0, 100),
            input("seed", 3, 0, 999999),
          ),
          button("Generate", "generate a random tree", () => change({ random: [...numbers], node: null }), {
            id: "use-random",
          }),
        ),
      ),
    );
  }

  /** Sets the value of a leaf. */
  function setLeaf(id, value) {
    recording.nodes[id].value = value;
    state.tree = subtreeText(0);
    state.random = null;
    rerun();
  }

  function subtreeText(id, changed = {}) {
    if (id in changed) return changed[id];
    const node = recording.nodes[id];
    if (!node.children.length) return node.word ?? String(node.value);
    const parent = id === 0 ? { max: false } : recording.nodes[node.parent];
    const side = node.max === parent.max ? (node.max ? "max " : "min ") : "";
    return `(${side}${node.children
      .map((child) => subtreeText(child, changed))
      .filter(Boolean)
      .join(" ")})`;
  }

  /** The controls that change the shape at a node. */
  function editControls(id) {
    const node = recording.nodes[id];
    const useTree = (text) => {
      state.tree = text;
      state.random = null;
      state.node = null;
      state.step = 0;
      rerun(true);
    };
    const parent = recording.nodes[node.parent];
    const own = subtreeText(id);
    const buttons = [];
    if (node.children.length)
      buttons.push(button("+ leaf", "add a leaf below", () => useTree(subtreeText(0, { [id]: own.replace(/\)$/, " 0)") }))));
    else {
      const input = el("input", {
        type: "number",
        id: "leaf-value",
        value: node.value,
        "aria-label": "value of the leaf",
        min: -999,
        max: 999,
        onchange: () => {
          const value = Number(input.value);
          if (input.value !== "" && Number.isInteger(value) && Math.abs(value) <= 999) setLeaf(id, value);
          else showError({ message: "the value of a leaf is an integer from −999 to 999" });
        },
      });
      buttons.push(
        input,
        button("split", "make two leaves of it", () => useTree(subtreeText(0, { [id]: `(${own} ${own})` }))),
      );
    }
    if (id > 0 && parent.children.length > 1)
      buttons.push(button("remove", "remove it with its subtree", () => useTree(subtreeText(0, { [id]: "" }))));
    return el("div", { class: "row edits" }, buttons);
  }

  await rerun();
  return () => {
    pending?.abort();
    stepper?.close();
  };
}

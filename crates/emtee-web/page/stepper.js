// The stepper: one or two runs on the same tree, forward and back, node by node and pass by pass.

import { button, copyText, counted, el, icon, isTyping, put, saveFile, svgEl } from "./dom.js";
import { boundsText, gammaText, openList, passEnds, prepareRecording } from "./replay.js";
import { solutionTree, stateAt, valueText } from "./replay.js";
import { drawTree, latexFile, legend, placeNodes, svgFile } from "./drawing.js";
import { narrate, whyNode } from "./why.js";
import { procedures } from "./figures.js";

/** The keys of the stepper, for the help dialog. */
export const STEPPER_KEYS = [
  ["← →", "one step back or forward"],
  ["↑ ↓", "one pass back or forward"],
  ["Home End", "to the beginning or the end"],
  ["Space", "play or pause"],
  ["n b", "choose the next or the previous node, to see its explanation"],
  ["?", "show these keys"],
];

/**
 * A stepper in a container. Optional fields of `options`: step, selected (the first state), onMove(step, selected),
 * onLeaf(id, value) and edit(id) for a tree that can be edited, link() for the address of this state, tools (more controls).
 */
export function mountStepper(container, recording, options = {}) {
  prepareRecording(recording);
  const runs = recording.runs;
  const longest = Math.max(0, ...runs.map((run) => run.steps.length));
  const stepper = { step: 0, selected: options.selected ?? null, playing: null, speed: 3 };
  const scrub = el("input", {
    type: "range",
    min: 0,
    max: longest,
    step: 1,
    value: 0,
    class: "scrub",
    "aria-label": "step",
    oninput: () => go(Number(scrub.value)),
  });
  const play = button(icon("play"), "play or pause (space)", toggle, { class: "primary", id: "play" });
  const count = el("output", { class: "count", id: "step" });
  const narration = el("p", { class: "narration", id: "narration", "aria-live": "polite" });
  const pictures = el("div", { class: runs.length > 1 ? "pictures two" : "pictures" });
  const frames = runs.map(() => el("div", { class: "scroll" }));
  put(
    pictures,
    runs.map((run, index) =>
      el(
        "div",
        { class: "picture", "data-run": index },
        runs.length > 1 ? el("h3", {}, titleOf(run)) : null,
        frames[index],
      ),
    ),
  );
  const strips = el("div", { class: "strips" });
  const sidebar = el("aside", { class: "side", "aria-label": "explanations" });
  const speed = el("input", {
    type: "range",
    min: 1,
    max: 8,
    step: 1,
    value: stepper.speed,
    "aria-label": "speed",
    title: "speed",
    class: "speed",
    oninput: () => setSpeed(Number(speed.value)),
  });
  const controls = el(
    "div",
    { class: "controls", role: "toolbar", "aria-label": "steps" },
    button(icon("first"), "to the beginning (Home)", () => go(0), { id: "first" }),
    button(icon("pass-back"), "one pass back (↑)", () => go(passBefore()), { id: "pass-back" }),
    button(icon("back"), "one step back (←)", () => go(stepper.step - 1), { id: "back" }),
    play,
    button(icon("forward"), "one step forward (→)", () => go(stepper.step + 1), { id: "forward" }),
    button(icon("pass-forward"), "one pass forward (↓)", () => go(passAfter()), { id: "pass-forward" }),
    button(icon("last"), "to the end (End)", () => go(longest), { id: "last" }),
    scrub,
    count,
    el("label", { class: "speed-label" }, "speed", speed),
  );
  const copies = el(
    "div",
    { class: "copies" },
    options.link && button("Link", "copy a link to this state", (event) => copyText(options.link(), event.target)),
    button(
      "SVG",
      "copy the drawing as SVG",
      (event) => copyText(svgFile(recording, stateAt(recording, runs[0], stepper.step), drawOptions(0)), event.target),
      { id: "copy-svg" },
    ),
    button(
      "LaTeX",
      "copy the drawing for LaTeX",
      (event) => copyText(latexFile(recording, stateAt(recording, runs[0], stepper.step)), event.target),
      { id: "copy-latex" },
    ),
    button("Save", "save the drawing as a file", () =>
      saveFile("tree.svg", svgFile(recording, stateAt(recording, runs[0], stepper.step), drawOptions(0)), "image/svg+xml"),
    ),
  );
  put(
    container,
    el(
      "div",
      { class: runs.length > 1 ? "stepper pair" : "stepper" },
      el(
        "div",
        { class: "stage" },
        options.tools,
        narration,
        pictures,
        controls,
        strips,
        el("div", { class: "under" }, legend(), copies),
      ),
      sidebar,
    ),
  );

  function ends() {
    return [...new Set(runs.flatMap(passEnds))].sort((a, b) => a - b);
  }
  function passBefore() {
    return ends().findLast((end) => end < stepper.step) ?? 0;
  }
  function passAfter() {
    return ends().find((end) => end > stepper.step) ?? longest;
  }
  function setSpeed(value) {
    stepper.speed = value;
    if (stepper.playing) {
      toggle();
      toggle();
    }
  }
  function toggle() {
    if (stepper.playing) {
      clearInterval(stepper.playing);
      stepper.playing = null;
    } else {
      if (stepper.step >= longest) go(0);
      stepper.playing = setInterval(
        () => (stepper.step < longest ? go(stepper.step + 1) : toggle()),
        1600 / 2 ** (stepper.speed - 1),
      );
    }
    put(play, icon(stepper.playing ? "pause" : "play"));
    play.setAttribute("aria-pressed", String(Boolean(stepper.playing)));
  }
  function drawOptions(which) {
    const run = runs[which];
    const done = stepper.step >= run.steps.length && run.steps.length > 0;
    const state = stateAt(recording, run, stepper.step);
    const solved = state.event?.[0] === "passed" ? solutionTree(recording, state) : null;
    return {
      selected: stepper.selected,
      solution: solved,
      path: done ? run.pv : [],
      onChoose: choose,
      onLeaf: options.onLeaf && dragLeaf,
    };
  }
  function choose(id) {
    stepper.selected = stepper.selected === id ? null : id;
    render();
    options.onMove?.(stepper.step, stepper.selected);
  }
  function go(step) {
    stepper.step = Math.max(0, Math.min(step, longest));
    render();
    options.onMove?.(stepper.step, stepper.selected);
  }

  // Dragging a leaf sideways changes its value and searches the tree again.
  function dragLeaf(event, id) {
    const start = event.clientX;
    const value = recording.nodes[id].value;
    let last = value;
    const move = (moved) => {
      const now = Math.max(-999, Math.min(999, value + Math.round((moved.clientX - start) / 3)));
      if (now === last) return;
      last = now;
      options.onLeaf(id, now);
    };
    const stop = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", stop);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", stop);
  }

  function render() {
    const states = runs.map((run) => stateAt(recording, run, stepper.step));
    scrub.value = stepper.step;
    count.textContent = `step ${stepper.step} of ${longest}`;
    narration.textContent =
      runs.length === 1
        ? narrate(recording, runs[0], states[0])
        : runs.map((run, index) => `${run.algorithm}: ${narrate(recording, run, states[index])}`).join(" — ");
    runs.forEach((run, index) => {
      put(frames[index], drawTree(recording, states[index], drawOptions(index)));
      keepInView(frames[index], states[index]);
    });
    put(
      strips,
      runs.map((run, index) => strip(recording, run, states[index], runs.length > 1, go)),
    );
    put(sidebar, panels(states));
  }

  /** Scrolls a tree that is wider than its frame to the current node. */
  function keepInView(frame, state) {
    const hidden = frame.scrollWidth - frame.clientWidth;
    if (hidden <= 0 || state.current === null) return;
    const { points, width } = placeNodes(recording);
    const x = (points[state.current][0] / width) * frame.scrollWidth;
    if (x < frame.scrollLeft + 40 || x > frame.scrollLeft + frame.clientWidth - 40)
      frame.scrollLeft = x - frame.clientWidth / 2;
  }

  function panels(states) {
    const all = [];
    if (stepper.selected !== null && stepper.selected < recording.nodes.length) {
      const answers = runs.map((run, index) =>
        el(
          "p",
          {},
          runs.length > 1 ? el("b", {}, `${run.algorithm}: `) : null,
          whyNode(recording, run, states[index], stepper.selected),
        ),
      );
      const node = recording.nodes[stepper.selected];
      all.push(
        panel("why", `Why is ${node.name} in this state?`, el("div", { id: "why-text" }, answers), options.edit?.(stepper.selected)),
      );
    } else {
      all.push(
        panel(
          "why",
          "Why?",
          el("p", { class: "note" }, "Choose a node to see why it was cut, answered or evaluated."),
        ),
      );
    }
    if (runs.length > 1) all.push(panel("difference", "Difference", difference(recording, runs, states)));
    runs.forEach((run, index) => {
      const which = runs.length > 1 ? `, ${run.algorithm}` : "";
      if (index === 0 || run.mt !== runs[0].mt)
        all.push(panel("figures", `Procedure${which}`, procedures(run, states[index])));
      if (run.algorithm === "sss")
        all.push(panel("open", `OPEN list of SSS*${which}`, openPanel(recording, states[index])));
      if (run.table) all.push(panel("table", `Table${which}`, tablePanel(recording, run, states[index])));
    });
    return all;
  }

  function keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const nodes = recording.nodes.length;
    const moves = {
      ArrowRight: () => go(stepper.step + 1),
      ArrowLeft: () => go(stepper.step - 1),
      ArrowDown: () => go(passAfter()),
      ArrowUp: () => go(passBefore()),
      Home: () => go(0),
      End: () => go(longest),
      " ": toggle,
      n: () => choose(stepper.selected === null ? 0 : (stepper.selected + 1) % nodes),
      b: () => choose(stepper.selected === null ? nodes - 1 : (stepper.selected + nodes - 1) % nodes),
    };
    const move = moves[event.key];
    if (!move) return;
    // The space bar would also press a button that has the focus.
    event.preventDefault();
    move();
  }
  document.addEventListener("keydown", keys);

  go(options.step ?? 0);
  return {
    go,
    get step() {
      return stepper.step;
    },
    close() {
      document.removeEventListener("keydown", keys);
      if (stepper.playing) clearInterval(stepper.playing);
    },
  };
}

function panel(name, title, ...content) {
  return el("section", { class: `panel ${name}`, id: `panel-${name}` }, el("h3", {}, title), content);
}

/** An algorithm with its settings. */
function titleOf(run) {
  const settings = [
    run.driven && "you drive",
    run.first !== null && `first guess ${valueText(run.first)}`,
    run.entries !== null && `${run.entries} entries`,
  ].filter(Boolean);
  return [run.algorithm, ...settings].join(", ");
}

/** The passes as in figure 9: γ, g and their new leaves. */
function strip(recording, run, state, titled, go) {
  const ends = passEnds(run);
  const cell = (pass, index) => {
    const low = pass.null && pass.g !== null && pass.g < pass.low;
    const window = pass.null
      ? `γ = ${gammaText(pass.low)}`
      : `(${gammaText(pass.low - 0.5)}, ${gammaText(pass.high + 0.5)})`;
    const leaves = pass.leaves
      .map((id) => `${recording.nodes[id].name}=${valueText(recording.nodes[id].value)}`)
      .join(" ");
    const now = index === state.passes.length - 1;
    const result = pass.g === null ? "…" : `g = ${valueText(pass.g)}`;
    return el(
      "button",
      {
        type: "button",
        class: `pass ${now ? "now" : ""} ${pass.g === null ? "" : low ? "low" : "high"}`,
        "data-pass": index + 1,
        "data-gamma": pass.low,
        "data-g": pass.g,
        "data-leaves": leaves,
        onclick: () => go(ends[index] ?? run.steps.length),
      },
      el("span", { class: "number" }, `pass ${index + 1}`),
      el("span", {}, window),
      el("b", {}, result),
      el(
        "span",
        { class: "note" },
        pass.g === null ? "" : pass.null ? (low ? "fails low ▼" : "fails high ▲") : "window",
      ),
      el("span", { class: "new" }, leaves || "no new leaf"),
    );
  };
  const { leaves, interior, answered, again } = state.counts;
  const f = state.passes.findLast((pass) => pass.g !== null);
  const infinite = recording.infinity ?? 32767;
  const known = f ? boundsText([f.lower <= -infinite ? -32767 : f.lower, f.upper >= infinite ? 32767 : f.upper]) : "";
  const totals = [
    counted(leaves, "leaf", "leaves"),
    counted(interior, "interior", "interior"),
    counted(answered, "table answer", "table answers"),
    again ? `${again} evaluated again` : null,
    known && `f ${known}`,
  ];
  return el(
    "div",
    { class: "strip" },
    titled ? el("h4", {}, titleOf(run)) : null,
    el("div", { class: "curve" }, chartOf(state)),
    el("div", { class: "passes" }, state.passes.map(cell)),
    el("p", { class: "totals", id: titled ? undefined : "totals" }, totals.filter(Boolean).join(" · ")),
  );
}

/** The g of the passes so far as a line that falls or rises to the value. */
function chartOf(state) {
  const done = state.passes.filter((pass) => pass.g !== null && pass.null && Math.abs(pass.g) < 31000);
  if (done.length < 2) return null;
  const values = done.map((pass) => pass.g);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [w, h] = [Math.min(420, 40 + done.length * 60), 46];
  const x = (index) => 20 + (index * (w - 40)) / Math.max(1, done.length - 1);
  const y = (v) => (most === least ? h / 2 : 10 + ((most - v) / (most - least)) * (h - 20));
  const dots = done.map((pass, index) =>
    svgEl(
      "circle",
      { cx: x(index), cy: y(pass.g), r: 4, class: pass.g < pass.low ? "low" : "high" },
      svgEl("title", {}, `pass ${index + 1}: g = ${pass.g}`),
    ),
  );
  const line = svgEl("polyline", { points: done.map((pass, index) => `${x(index)},${y(pass.g)}`).join(" ") });
  return svgEl(
    "svg",
    {
      viewBox: `0 0 ${w} ${h}`,
      width: w,
      height: h,
      class: "convergence",
      role: "img",
      "aria-label": `g pass by pass: ${values.join(", ")}`,
    },
    line,
    ...dots,
  );
}

/** The nodes that only one of two runs has visited, and those that both have. */
function difference(recording, runs, states) {
  const seen = (which) =>
    recording.nodes.filter((node) => states[which].nodes[node.id].visits > 0).map((node) => node.id);
  const [one, other] = [seen(0), seen(1)];
  const only = (own, others) => own.filter((id) => !others.includes(id)).map((id) => recording.nodes[id].name);
  const row = (name, names) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, String(names.length)),
      el("td", {}, names.slice(0, 60).join(" ") || "none"),
    );
  return el(
    "table",
    { class: "small" },
    row(`only ${runs[0].algorithm}`, only(one, other)),
    row(`only ${runs[1].algorithm}`, only(other, one)),
    row(
      "both",
      one.filter((id) => other.includes(id)).map((id) => recording.nodes[id].name),
    ),
  );
}

function openPanel(recording, state) {
  const rows = openList(recording, state).map(({ id, status, merit }) =>
    el(
      "tr",
      { class: status },
      el("td", {}, recording.nodes[id].name),
      el("td", {}, status),
      el("td", { class: "n" }, valueText(merit)),
    ),
  );
  return el(
    "table",
    { class: "small" },
    el("tr", {}, el("th", {}, "node"), el("th", {}, "status"), el("th", { class: "n" }, "merit")),
    rows,
  );
}

function tablePanel(recording, run, state) {
  const entries = [...state.table.entries()].reverse();
  if (!entries.length) return el("p", { class: "note" }, "The table is empty.");
  const bound = (value) => (Math.abs(value) >= 32767 ? "" : valueText(value));
  const rows = entries
    .slice(0, 40)
    .map(([id, entry]) =>
      el(
        "tr",
        { class: entry.step === state.step ? "fresh" : "" },
        el("td", {}, recording.nodes[id].name),
        el("td", { class: "n" }, bound(entry.lower)),
        el("td", { class: "n" }, bound(entry.upper)),
        el("td", { class: "note" }, entry.displaced ? `replaced ${entry.displaced}×` : ""),
      ),
    );
  const size = run.entries === null ? "no entry is replaced" : counted(run.entries, "entry", "entries");
  return [
    el(
      "table",
      { class: "small" },
      el("tr", {}, el("th", {}, "node"), el("th", { class: "n" }, "f⁻"), el("th", { class: "n" }, "f⁺"), el("th", {})),
      rows,
    ),
    el("p", { class: "note" }, `${counted(entries.length, "node", "nodes")} stored so far, the newest first; ${size}.`),
  ];
}

/** A dialog with the keys. */
export function showKeys(keys) {
  const dialog = el(
    "dialog",
    { class: "keys", "aria-label": "keys" },
    el("h2", {}, "Keys"),
    el(
      "dl",
      {},
      keys.map(([key, meaning]) => [el("dt", {}, key), el("dd", {}, meaning)]),
    ),
    button("Close", "close", () => dialog.close()),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Shows the recording in the file itself. */
export function showFile() {
  const recording = JSON.parse(document.getElementById("recording").textContent);
  const words = new URLSearchParams(location.hash.slice(1));
  const options = { step: Number(words.get("step")) || 0, onMove: (step) => location.replace(`#step=${step}`) };
  mountStepper(document.getElementById("stepper"), recording, options);
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) showKeys(STEPPER_KEYS);
  });
}

// The stepper: one or two runs on the same tree, forward and back, node by node and pass by pass.

import { button, copyText, el, icon, isTyping, put, saveFile } from "./dom.js";
import { passEnds, prepareRecording, solutionTree, stateAt } from "./replay.js";
import { drawOverview, drawTree, latexFile, legend, placeNodes, svgFile } from "./drawing.js";
import { narrate, whyNode } from "./why.js";
import { procedures } from "./figures.js";
import { difference, openPanel, sidePanel, strip, symbolsPanel, tablePanel, titleOf } from "./panels.js";

/** The keys of the stepper, for the help dialog. */
export const STEPPER_KEYS = [
  ["← →", "one step back or forward"],
  ["↑ ↓", "one pass back or forward"],
  ["Home End", "to the beginning or the end"],
  ["Space", "play or pause"],
  ["n b", "choose the next or the previous node, to see its explanation"],
  ["+ - 0", "larger, smaller, the whole tree"],
  ["?", "show these keys"],
];

/**
 * A stepper in a container. Optional fields of `options`: step, selected, zoom (the first state), onMove(step, selected,
 * zoom), onLeaf(id, value) and edit(id) for a tree that can be edited, link() for the address of this state, tools (more
 * controls), marked (names of nodes to point at), chapter (a link below the symbols).
 */
export function mountStepper(container, recording, options = {}) {
  prepareRecording(recording);
  const runs = recording.runs;
  const longest = Math.max(0, ...runs.map((run) => run.steps.length));
  const stepper = { step: 0, selected: options.selected ?? null, playing: null, speed: 3, zoom: options.zoom ?? null };
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
  const frames = runs.map(() => el("div", { class: "scroll", onscroll: renderViewports }));
  const overviews = runs.map((_, index) => overview(index));
  const zoomLevel = el("output", {}, "");
  const zoomControls = el(
    "div",
    { class: "zoom", role: "group", "aria-label": "size of the drawing" },
    button("−", "smaller (-)", () => zoomBy(1 / 1.4), { id: "zoom-out" }),
    button("Fit", "show the whole tree (0)", () => zoomTo("fit"), { id: "zoom-fit" }),
    button("+", "larger (+)", () => zoomBy(1.4), { id: "zoom-in" }),
    zoomLevel,
  );
  put(
    pictures,
    runs.map((run, index) =>
      el(
        "div",
        { class: "picture", "data-run": index },
        runs.length > 1 ? el("h2", { class: "title" }, titleOf(run)) : null,
        frames[index],
        overviews[index],
      ),
    ),
  );
  const strips = el("div", { class: "strips" });
  const shownPanels = el("div", { class: "shown" });
  const sidebar = el("aside", { class: "side", "aria-label": "explanations" }, shownPanels, symbolsPanel(options.chapter));
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
        el("div", { class: "under" }, legend(), zoomControls, copies),
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
      marked: options.marked,
      zoom: scaleOf(which),
      onChoose: choose,
      onLeaf: options.onLeaf && dragLeaf,
    };
  }
  function moved() {
    render();
    options.onMove?.(stepper.step, stepper.selected, stepper.zoom);
  }
  function choose(id) {
    stepper.selected = stepper.selected === id ? null : id;
    moved();
  }
  function go(step) {
    stepper.step = Math.max(0, Math.min(step, longest));
    moved();
  }

  /** The size of a drawing, or null for the usual one. */
  function scaleOf(which) {
    if (stepper.zoom !== "fit") return stepper.zoom;
    return Math.max(40, frames[which].clientWidth - 2) / placeNodes(recording).width;
  }
  function zoomTo(zoom) {
    stepper.zoom = zoom;
    moved();
  }
  function zoomBy(factor) {
    const now = frames[0].firstChild.getBoundingClientRect().width / placeNodes(recording).width;
    zoomTo(Math.min(3, Math.max(0.02, Number((now * factor).toFixed(3)))));
  }

  /** A small picture of the whole tree, for trees that are wider than their frame; a click or a drag scrolls. */
  function overview(which) {
    const scrollTo = (event) => {
      const box = overviews[which].getBoundingClientRect();
      const frame = frames[which];
      frame.scrollLeft = ((event.clientX - box.left) / box.width) * frame.scrollWidth - frame.clientWidth / 2;
    };
    return el("div", {
      class: "overview",
      hidden: true,
      onpointerdown: (event) => (event.currentTarget.setPointerCapture(event.pointerId), scrollTo(event)),
      onpointermove: (event) => event.buttons && scrollTo(event),
    });
  }
  /** The visible part in each overview. */
  function renderViewports() {
    frames.forEach((frame, index) => {
      const part = overviews[index].querySelector(".viewport");
      if (!part) return;
      part.style.left = `${(100 * frame.scrollLeft) / frame.scrollWidth}%`;
      part.style.width = `${(100 * frame.clientWidth) / frame.scrollWidth}%`;
    });
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
    const focused = document.activeElement?.closest?.("[data-run] .node");
    const [focusedRun, focusedId] = focused ? [focused.closest("[data-run]").dataset.run, focused.dataset.id] : [];
    runs.forEach((run, index) => {
      put(frames[index], drawTree(recording, states[index], drawOptions(index)));
      keepInView(frames[index], states[index]);
      const wide = frames[index].scrollWidth > frames[index].clientWidth + 1;
      overviews[index].hidden = !wide || recording.nodes.length < 60;
      if (!overviews[index].hidden) put(overviews[index], drawOverview(recording, states[index]), el("span", { class: "viewport" }));
    });
    if (focused && pictures.contains(document.activeElement) === false)
      frames[focusedRun]?.querySelector(`[data-id="${focusedId}"]`)?.focus({ preventScroll: true });
    renderViewports();
    const shown = frames[0].firstChild.getBoundingClientRect().width / placeNodes(recording).width;
    zoomLevel.textContent = `${Math.round(100 * shown)} %`;
    put(
      strips,
      runs.map((run, index) => strip(recording, run, states[index], runs.length > 1, go)),
    );
    put(shownPanels, panels(states));
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
        sidePanel("why", `Why is ${node.name} in this state?`, el("div", { id: "why-text" }, answers), options.edit?.(stepper.selected)),
      );
    } else {
      all.push(
        sidePanel(
          "why",
          "Why?",
          el("p", { class: "note" }, "Choose a node to see why it was cut, answered or evaluated."),
        ),
      );
    }
    if (runs.length > 1) all.push(sidePanel("difference", "Difference", difference(recording, runs, states)));
    runs.forEach((run, index) => {
      const which = runs.length > 1 ? `, ${run.algorithm}` : "";
      if (index === 0 || run.mt !== runs[0].mt)
        all.push(sidePanel("figures", `Procedure${which}`, procedures(run, states[index])));
      if (run.algorithm === "sss" && !run.driven)
        all.push(sidePanel("open", `OPEN list of SSS*${which}`, openPanel(recording, states[index])));
      if (run.table) all.push(sidePanel("table", `Table${which}`, tablePanel(recording, run, states[index])));
    });
    return all;
  }

  function keys(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    // Other sliders, buttons and links keep their own keys; those of the stepper do not need them.
    const own = event.target.closest?.("#stepper .controls");
    if (!own && event.target.matches?.("input")) return;
    if (!own && event.key === " " && event.target.matches?.("button, a, summary")) return;
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
      "+": () => zoomBy(1.4),
      "-": () => zoomBy(1 / 1.4),
      0: () => zoomTo("fit"),
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
    /** Points at these nodes, by name. */
    mark(names) {
      options.marked = names;
      render();
    },
    get step() {
      return stepper.step;
    },
    close() {
      document.removeEventListener("keydown", keys);
      if (stepper.playing) clearInterval(stepper.playing);
    },
  };
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
  // A frame without an address of its own, in a notebook, would load the page around it.
  const follow = location.protocol === "about:" ? undefined : (step) => location.replace(`#step=${step}`);
  const options = { step: Number(words.get("step")) || 0, onMove: follow };
  mountStepper(document.getElementById("stepper"), recording, options);
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) showKeys(STEPPER_KEYS);
  });
}

// Replays a recording. There is no search in JavaScript: all states follow from the recorded events.

const INFINITE = 32767;
const WON = 32000;
const LAST_WIN = WON - 999;

/** A value as text. */
export function valueText(v) {
  if (v >= INFINITE) return "+∞";
  if (v <= -INFINITE) return "−∞";
  if (v >= LAST_WIN) return `win in ${WON - v}`;
  if (v <= -LAST_WIN) return `loss in ${WON + v}`;
  return String(v).replace("-", "−");
}

/** γ as text: a number such as 40.5, or an infinity. */
export function gammaText(gamma) {
  if (gamma > INFINITE - 2) return "+∞";
  if (gamma < 2 - INFINITE) return "−∞";
  return String(gamma).replace("-", "−");
}

/** The bounds of a node as text: `≤ 41`, `= 35`, `≥ 36`, or both bounds. */
export function boundsText([lower, upper]) {
  const [low, high] = [lower > -INFINITE, upper < INFINITE];
  if (low && high) return lower === upper ? `= ${valueText(lower)}` : `${valueText(lower)}…${valueText(upper)}`;
  if (low) return `≥ ${valueText(lower)}`;
  return high ? `≤ ${valueText(upper)}` : "";
}

/** Adds to each node its number, its children and its depth. One value stands for infinity, whatever the tree's own is. */
export function prepareRecording(recording) {
  if (recording.prepared) return recording;
  recording.prepared = true;
  const infinity = recording.infinity ?? INFINITE;
  const limited = (value, from, to) => (value >= from ? to : value <= -from ? -to : value);
  const gammaOf = (gamma) => limited(gamma, infinity - 1, INFINITE - 0.5);
  for (const run of recording.runs)
    run.steps = run.steps.map((step) => {
      if (step[0] === "pass") return ["pass", ...step.slice(1).map(gammaOf)];
      if (step[0] === "enter") return ["enter", step[1], ...step.slice(2).map(gammaOf)];
      if (step[0] === "passed") return [...step.slice(0, 2), ...step.slice(2, 4).map((f) => limited(f, infinity, INFINITE)), step[4]];
      return step;
    });
  recording.nodes.forEach((node, id) => Object.assign(node, { id, children: [], depth: 0 }));
  for (const node of recording.nodes.slice(1)) {
    const parent = recording.nodes[node.parent];
    parent.children.push(node.id);
    node.depth = parent.depth + 1;
  }
  return recording;
}

/** The state before the first step. */
function initialState(recording) {
  return {
    step: 0,
    event: null,
    current: null,
    stack: [],
    passes: [],
    nodes: recording.nodes.map(() => ({
      f: [-INFINITE, INFINITE],
      visits: 0,
      evaluations: 0,
      pass: -1,
      visit: null,
      expanded: null,
    })),
    table: new Map(),
    counts: { interior: 0, leaves: 0, answered: 0, again: 0 },
  };
}

/** The state after `step` steps of a run. Forward from the last state is cheap; backward starts from the beginning. */
export function stateAt(recording, run, step) {
  const target = Math.max(0, Math.min(step, run.steps.length));
  let state = run.state && run.state.step <= target ? run.state : initialState(recording);
  while (state.step < target) state = advance(recording, state, run.steps[state.step]);
  run.state = state;
  return state;
}

function advance(recording, state, step) {
  state.step += 1;
  state.event = step;
  if (step[0] === "pass") {
    const [, low, high] = step;
    state.stack = [];
    state.current = null;
    state.passes.push({
      low,
      high,
      null: low === high,
      g: null,
      about: null,
      leaves: [],
      visits: 0,
      lower: null,
      upper: null,
    });
  } else if (step[0] === "enter") {
    enterNode(state, step);
  } else if (step[0] === "leave") {
    leaveNode(recording, state, step);
  } else {
    const [, g, lower, upper, about] = step;
    Object.assign(state.passes.at(-1), { g, lower, upper, about });
    state.current = 0;
  }
  return state;
}

function enterNode(state, [, id, low, high]) {
  const visit = {
    id,
    low,
    high,
    entered: [],
    pass: state.passes.length - 1,
    g: null,
    end: null,
    known: [...state.nodes[id].f],
  };
  state.stack.at(-1)?.entered.push(id);
  state.stack.push(visit);
  const node = state.nodes[id];
  node.visit = visit;
  node.pass = visit.pass;
  node.visits += 1;
  state.passes.at(-1).visits += 1;
  state.current = id;
}

function leaveNode(recording, state, [, id, g, lower, upper, end]) {
  const visit = state.stack.pop();
  const node = state.nodes[id];
  Object.assign(visit, { g, end });
  // The root is expanded as if no bounds were known, so those of earlier passes are merged here.
  const both = [Math.max(node.f[0], lower), Math.min(node.f[1], upper)];
  node.f = both[0] <= both[1] ? both : [lower, upper];
  state.current = id;
  if (end === "expanded") {
    state.counts.interior += 1;
    node.expanded = visit;
  } else if (end === "answered") {
    state.counts.answered += 1;
  } else {
    state.counts.leaves += 1;
    node.evaluations += 1;
    if (node.evaluations > 1) state.counts.again += 1;
    else node.bound = visit.high + 0.5;
    state.passes.at(-1).leaves.push(id);
  }
  const before = state.table.get(id);
  // Evaluated again although it was stored: another entry had replaced it.
  const displaced = end === "evaluated" && node.evaluations > 1;
  state.table.delete(id);
  state.table.set(id, {
    lower: node.f[0],
    upper: node.f[1],
    step: state.step,
    displaced: (before?.displaced ?? 0) + (displaced ? 1 : 0),
    name: recording.nodes[id].name,
  });
}

/** The status of a node: its end in this pass, or its state from earlier passes. */
export function statusOf(recording, state, id) {
  const pass = state.passes.length - 1;
  const node = state.nodes[id];
  if (state.stack.some((visit) => visit.id === id)) return "visiting";
  if (node.pass === pass && pass >= 0 && node.visit.end) return node.visit.end;
  if (isCut(recording, state, id)) return "cut";
  return node.visits > 0 ? "known" : "unseen";
}

/** Whether the parent of a node was finished in this pass without a visit of the node. */
export function isCut(recording, state, id) {
  if (id === 0) return false;
  const parent = state.nodes[recording.nodes[id].parent];
  const visit = parent.visit;
  return Boolean(
    visit && visit.pass === state.passes.length - 1 && visit.end === "expanded" && !visit.entered.includes(id),
  );
}

/** The solution tree of the last finished pass: if it proves f ≤ g, one child of each MIN node, all of each MAX node. */
export function solutionTree(recording, state) {
  const pass = state.passes.findLast((one) => one.g !== null);
  if (!pass || !pass.null) return null;
  const low = pass.g < pass.low;
  const kept = [];
  const walk = (id) => {
    kept.push(id);
    const node = recording.nodes[id];
    if (!node.children.length) return;
    const known = node.children.filter((child) => state.nodes[child].visits > 0);
    if (node.max === low) return known.forEach(walk);
    // One child suffices: the one with the smallest f⁺ below a MIN node, with the greatest f⁻ below a MAX node.
    const side = low ? 1 : 0;
    const better = (a, b) =>
      low ? state.nodes[a].f[side] <= state.nodes[b].f[side] : state.nodes[a].f[side] >= state.nodes[b].f[side];
    const best = known.reduce((a, b) => (a === null || !better(a, b) ? b : a), null);
    if (best !== null) walk(best);
  };
  walk(pass.about ?? 0);
  return { low, nodes: new Set(kept) };
}

/**
 * The OPEN list of SSS* at the same point of MTD(+∞): a state for each node where the solution tree under construction
 * ends. Its merit is the minimum of the values and bounds on the path to it.
 */
export function openList(recording, state) {
  const pass = state.passes.at(-1);
  if (!pass) return [{ id: 0, status: "live", merit: INFINITE }];
  const bound = pass.high + 0.5;
  const states = [];
  const walk = (id, merit) => {
    const [node, seen] = [recording.nodes[id], state.nodes[id]];
    const least = Math.min(merit, seen.f[1]);
    if (!node.children.length) {
      if (seen.evaluations > 0) states.push({ id, status: "solved", merit: Math.min(least, seen.bound) });
      else states.push({ id, status: "live", merit });
    } else if (seen.f[0] >= bound) {
      states.push({ id, status: "solved", merit: Math.min(least, bound) });
    } else {
      const visit = state.stack.find((one) => one.id === id && one.entered.length) ?? seen.expanded;
      if (!visit) states.push({ id, status: "live", merit: least });
      else if (node.max) node.children.forEach((child) => walk(child, least));
      else walk(visit.entered.at(-1), least);
    }
  };
  walk(0, bound > INFINITE - 2 ? INFINITE : bound);
  return states.sort((a, b) => b.merit - a.merit);
}

/** The numbers of the steps after which passes end. */
export function passEnds(run) {
  return run.steps.flatMap((step, index) => (step[0] === "passed" ? [index + 1] : []));
}

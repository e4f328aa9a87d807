// Explanations of steps and nodes, as sentences with their numbers.

import { boundsText, gammaText, isCut, valueText } from "./replay.js";

function windowText(visit) {
  return visit.low === visit.high
    ? `γ = ${gammaText(visit.low)}`
    : `(${gammaText(visit.low - 0.5)}, ${gammaText(visit.high + 0.5)})`;
}

/** The name of a node in a sentence. */
export function nameOf(recording, id) {
  const node = recording.nodes[id];
  if (!node.children.length) return `leaf ${node.name}`;
  return `${node.max ? "MAX" : "MIN"} node ${node.name}`;
}

/** Describes the last step. */
export function narrate(recording, run, state) {
  const event = state.event;
  const number = state.passes.length;
  if (!event)
    return run.steps.length
      ? "The search has not begun. Step forward to begin the first pass."
      : "There is no pass yet. Choose a γ.";
  if (event[0] === "pass") {
    const pass = state.passes.at(-1);
    if (pass.null) return `Pass ${number} calls MT with γ = ${gammaText(pass.low)}: is the value greater than γ?`;
    return `Pass ${number} searches the window from ${gammaText(pass.low - 0.5)} to ${gammaText(pass.high + 0.5)}.`;
  }
  if (event[0] === "passed") {
    const pass = state.passes.at(-1);
    const f = pass.about === null ? "f" : `f(${recording.nodes[pass.about].name})`;
    if (!pass.null) return `Pass ${number} is finished: g = ${valueText(pass.g)}.`;
    const low = pass.g < pass.low;
    const proved = `It fails ${low ? "low" : "high"}: ${f} ${low ? "≤" : "≥"} ${valueText(pass.g)}.`;
    const found = pass.lower === pass.upper ? ` f⁻ = f⁺ = ${valueText(pass.lower)}: the value is found.` : "";
    return `Pass ${number} returns g = ${valueText(pass.g)} ${low ? "<" : ">"} γ = ${gammaText(pass.low)}. ${proved}${found}`;
  }
  const id = event[1];
  const visit = state.nodes[id].visit;
  if (event[0] === "enter") {
    const known = boundsText(visit.known);
    return `Visit the ${nameOf(recording, id)} with ${windowText(visit)}. ${known ? `Known so far: ${known}.` : "No bound is known."}`;
  }
  return finished(recording, state, id, visit);
}

/** Describes the end of a visit. */
function finished(recording, state, id, visit) {
  const node = recording.nodes[id];
  const g = valueText(visit.g);
  if (visit.end === "evaluated") {
    const again = state.nodes[id].evaluations > 1 ? " again, because its table entry had been replaced" : "";
    return `The leaf ${node.name} is evaluated${again}: ${g}.`;
  }
  if (visit.end === "answered")
    return `The table answers for the ${nameOf(recording, id)}: ${answered(visit)}. Nothing below is visited.`;
  const skipped = node.children.filter((child) => !visit.entered.includes(child));
  if (skipped.length && visit.entered.length)
    return `The ${nameOf(recording, id)} is cut off: ${cutReason(recording, state, visit)}. ${listed(recording, skipped)} ${skipped.length === 1 ? "is" : "are"} not visited.`;
  return `All children of the ${nameOf(recording, id)} are searched: g = ${g}, ${boundsText(state.nodes[id].f) ? `so f(${node.name}) ${boundsText(state.nodes[id].f)}` : "which proves nothing"}.`;
}

function listed(recording, ids) {
  const names = ids.map((id) => recording.nodes[id].name);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The bound in the table that answered. */
function answered(visit) {
  const [lower, upper] = visit.known;
  const high = visit.g > visit.high;
  const known = high ? `f⁻ = ${valueText(lower)}` : `f⁺ = ${valueText(upper)}`;
  if (visit.low !== visit.high) return `${known} decides the window ${windowText(visit)}`;
  return high ? `${known} > γ = ${gammaText(visit.low)}` : `${known} < γ = ${gammaText(visit.low)}`;
}

/** Why a node was finished before all its children were visited. */
function cutReason(recording, state, visit) {
  const node = recording.nodes[visit.id];
  const last = visit.entered.at(-1);
  const value = valueText(state.nodes[last].visit?.g ?? visit.g);
  const child = recording.nodes[last].name;
  if (visit.low === visit.high) {
    const gamma = gammaText(visit.low);
    return node.max
      ? `its child ${child} is worth ${value} > γ = ${gamma}, so MAX already has more than γ here`
      : `its child ${child} is worth ${value} < γ = ${gamma}, so MIN already holds the value below γ`;
  }
  return node.max
    ? `its child ${child} is worth ${value}, at least β = ${gammaText(visit.high + 0.5)}, so MIN avoids this node`
    : `its child ${child} is worth ${value}, at most α = ${gammaText(visit.low - 0.5)}, so MAX has a better choice elsewhere`;
}

/** Explains the status of a node: cut, answered, evaluated, expanded, or not reached. */
export function whyNode(recording, run, state, id) {
  const node = recording.nodes[id];
  const seen = state.nodes[id];
  const pass = state.passes.length - 1;
  const name = nameOf(recording, id);
  if (pass < 0) return `The ${name} has not been visited: no pass has begun.`;
  if (state.stack.some((visit) => visit.id === id)) {
    const visit = state.stack.find((one) => one.id === id);
    return `The ${name} is being visited with ${windowText(visit)}.`;
  }
  if (seen.pass === pass) return finished(recording, state, id, seen.visit);
  // The first node on the path from the root that this pass did not enter.
  const path = [];
  for (let ancestor = id; ; ancestor = recording.nodes[ancestor].parent) {
    path.unshift(ancestor);
    if (ancestor === 0) break;
  }
  const skipped = path.find((ancestor) => state.nodes[ancestor].pass !== pass || state.nodes[ancestor].visit === null);
  const before = seen.visits
    ? ` The bounds of earlier passes still hold: f(${node.name}) ${boundsText(seen.f) || "is unknown"}.`
    : "";
  if (skipped === 0 || skipped === undefined) return `The ${name} has not been visited in this pass.${before}`;
  const above = recording.nodes[skipped].parent;
  const visit = state.nodes[above].visit;
  const subject = skipped === id ? `The ${name}` : `The ${name} lies below ${recording.nodes[skipped].name}, which`;
  if (isCut(recording, state, skipped))
    return `${subject} was cut off: the ${nameOf(recording, above)} was finished because ${cutReason(recording, state, visit)}.${before}`;
  if (visit.end === "answered")
    return `${subject} was not visited, because the table answered for the ${nameOf(recording, above)}: ${answered(visit)}.${before}`;
  return `${subject} has not been reached yet in pass ${pass + 1}.${before}`;
}

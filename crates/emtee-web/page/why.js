// What happens, and why, in sentences with their numbers.

import { boundsText, gammaText, isCut, valueText } from "./replay.js";

function questionText(visit) {
  return visit.low === visit.high
    ? `γ = ${gammaText(visit.low)}`
    : `(${gammaText(visit.low - 0.5)}, ${gammaText(visit.high + 0.5)})`;
}

/** A node as a sentence names it. */
export function nameOf(recording, id) {
  const node = recording.nodes[id];
  if (!node.children.length) return `leaf ${node.name}`;
  return `${node.max ? "MAX" : "MIN"} node ${node.name}`;
}

/** What the step that was just taken did. */
export function narrate(recording, run, state) {
  const event = state.event;
  const number = state.passes.length;
  if (!event)
    return run.steps.length
      ? "Nothing has happened yet. Step forward: the first pass begins."
      : "No pass has been asked for. Choose a γ.";
  if (event[0] === "pass") {
    const pass = state.passes.at(-1);
    if (pass.null) return `Pass ${number} asks MT one question: is the value greater than γ = ${gammaText(pass.low)}?`;
    return `Pass ${number} searches the window from ${gammaText(pass.low - 0.5)} to ${gammaText(pass.high + 0.5)}.`;
  }
  if (event[0] === "passed") {
    const pass = state.passes.at(-1);
    const f = pass.about === null ? "f" : `f(${recording.nodes[pass.about].name})`;
    if (!pass.null) return `Pass ${number} is finished: g = ${valueText(pass.g)}.`;
    const low = pass.g < pass.low;
    return `Pass ${number} returns g = ${valueText(pass.g)} ${low ? "<" : ">"} γ = ${gammaText(pass.low)}. It fails ${low ? "low" : "high"}: ${f} ${low ? "≤" : "≥"} ${valueText(pass.g)}.`;
  }
  const id = event[1];
  const visit = state.nodes[id].visit;
  if (event[0] === "enter") {
    const known = boundsText(visit.known);
    return `Visit the ${nameOf(recording, id)} with ${questionText(visit)}. ${known ? `Known so far: ${known}.` : "Nothing is known of it."}`;
  }
  return finished(recording, state, id, visit);
}

/** How a visit ended. */
function finished(recording, state, id, visit) {
  const node = recording.nodes[id];
  const g = valueText(visit.g);
  if (visit.end === "evaluated") {
    const again = state.nodes[id].evaluations > 1 ? " again, since its entry had been displaced from the table" : "";
    return `The leaf ${node.name} is evaluated${again}: ${g}.`;
  }
  if (visit.end === "answered")
    return `The table answers for the ${nameOf(recording, id)}: ${answered(visit)}. Nothing below is visited.`;
  const skipped = node.children.filter((child) => !visit.entered.includes(child));
  if (skipped.length && visit.entered.length)
    return `The ${nameOf(recording, id)} is cut off: ${cutReason(recording, state, visit)}. ${listed(recording, skipped)} need${skipped.length === 1 ? "s" : ""} no visit.`;
  return `All children of the ${nameOf(recording, id)} are done: g = ${g}, ${boundsText(state.nodes[id].f) ? `so f(${node.name}) ${boundsText(state.nodes[id].f)}` : "and nothing is proved"}.`;
}

function listed(recording, ids) {
  const names = ids.map((id) => recording.nodes[id].name);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** What in the table was enough. */
function answered(visit) {
  const [lower, upper] = visit.known;
  const high = visit.g > visit.high;
  const known = high ? `f⁻ = ${valueText(lower)}` : `f⁺ = ${valueText(upper)}`;
  if (visit.low !== visit.high) return `${known} is enough for the window ${questionText(visit)}`;
  return high ? `${known} > γ = ${gammaText(visit.low)}` : `${known} < γ = ${gammaText(visit.low)}`;
}

/** Why a node was finished with before all its children were visited. */
function cutReason(recording, state, visit) {
  const node = recording.nodes[visit.id];
  const last = visit.entered.at(-1);
  const value = valueText(state.nodes[last].visit?.g ?? visit.g);
  const child = recording.nodes[last].name;
  if (visit.low === visit.high) {
    const gamma = gammaText(visit.low);
    return node.max
      ? `its child ${child} is worth ${value} > γ = ${gamma}, so MAX has more than γ here already`
      : `its child ${child} is worth ${value} < γ = ${gamma}, so MIN holds it below γ already`;
  }
  return node.max
    ? `its child ${child} is worth ${value}, at least β = ${gammaText(visit.high + 0.5)}, so MIN will not let it come to this`
    : `its child ${child} is worth ${value}, at most α = ${gammaText(visit.low - 0.5)}, so MAX has better elsewhere`;
}

/** Why a node is as it is now: cut, answered, evaluated, expanded, or not reached. */
export function whyNode(recording, run, state, id) {
  const node = recording.nodes[id];
  const seen = state.nodes[id];
  const pass = state.passes.length - 1;
  const name = nameOf(recording, id);
  if (pass < 0) return `The ${name} has not been visited: no pass has begun.`;
  if (state.open.some((visit) => visit.id === id)) {
    const visit = state.open.find((one) => one.id === id);
    return `The ${name} is being visited with ${questionText(visit)}.`;
  }
  if (seen.pass === pass) return finished(recording, state, id, seen.visit);
  // The first node on the way down that this pass did not enter.
  const way = [];
  for (let at = id; ; at = recording.nodes[at].parent) {
    way.unshift(at);
    if (at === 0) break;
  }
  const missed = way.find((at) => state.nodes[at].pass !== pass || state.nodes[at].visit === null);
  const before = seen.visits
    ? ` What an earlier pass proved still holds: f(${node.name}) ${boundsText(seen.f) || "is open"}.`
    : "";
  if (missed === 0 || missed === undefined) return `The ${name} has not been visited in this pass.${before}`;
  const above = recording.nodes[missed].parent;
  const visit = state.nodes[above].visit;
  const which = missed === id ? `The ${name}` : `The ${name} lies below ${recording.nodes[missed].name}, which`;
  if (isCut(recording, state, missed))
    return `${which} was cut off: the ${nameOf(recording, above)} was finished because ${cutReason(recording, state, visit)}.${before}`;
  if (visit.end === "answered")
    return `${which} was not visited, because the table answered for the ${nameOf(recording, above)}: ${answered(visit)}.${before}`;
  return `${which} has not been reached yet in pass ${pass + 1}.${before}`;
}

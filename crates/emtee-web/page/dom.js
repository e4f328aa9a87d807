// Helpers for elements, and browser functions used by every view.

/** el("p", { class: "note" }, "text", child): an element with attributes, properties (onclick …) and children. */
export function el(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

/** The same for SVG elements. */
export function svgEl(tag, options = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), options, children);
}

function fill(node, options, children) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Replaces the children of a node. */
export function put(node, ...children) {
  node.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/** A button. The label explains it; for an icon or a sign it is also the name. */
export function button(text, label, onclick, options = {}) {
  const name = typeof text === "string" && text.length > 1 ? undefined : label;
  return el("button", { type: "button", "aria-label": name, title: label === text ? undefined : label, onclick, ...options }, text);
}

/** The icons of the controls, as SVG paths in a box of 16 by 16. */
const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  last: "M11 3h2v10h-2zM3 3l7 5-7 5z",
  "pass-back": "M8 3v10L2 8zM14 3v10L8 8z",
  "pass-forward": "M2 3l6 5-6 5zM8 3l6 5-6 5z",
  back: "M11 3v10L4 8z",
  forward: "M5 3l7 5-7 5z",
  play: "M4 2.500l10 5.500-10 5.500z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
};

/** An icon for a button. */
export function icon(name) {
  return svgEl(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svgEl("path", { d: ICONS[name] }),
  );
}

/** A labelled control. */
export function field(label, control, options = {}) {
  return el("label", { class: "field", ...options }, el("span", {}, label), control);
}

/** A select element for texts, or for pairs of value and text. */
export function choice(items, chosen, onchange, options = {}) {
  const list = items.map((option) => (Array.isArray(option) ? option : [option, option]));
  const select = el("select", { ...options, onchange: () => onchange(select.value) });
  for (const [value, text] of list)
    select.append(el("option", { value, selected: String(value) === String(chosen) }, text));
  return select;
}

/** 1234567 as `1,234,567`. */
export function thousands(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 leaf`, `2 leaves`. */
export function counted(n, one, many) {
  return `${thousands(n)} ${n === 1 ? one : many}`;
}

/** A time with a readable unit. */
export function secondsText(s) {
  if (s < 0.001) return `${Math.round(s * 1e6)} µs`;
  if (s < 1) return `${(s * 1e3).toFixed(1)} ms`;
  return `${s.toFixed(2)} s`;
}

/** Downloads a text as a file. */
export function saveFile(name, text, kind = "text/plain") {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Copies a text to the clipboard; the button shows "copied" for a moment. */
export async function copyText(text, clicked) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk have no `navigator.clipboard`.
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = clicked.textContent;
  clicked.textContent = "copied";
  setTimeout(() => (clicked.textContent = before), 1200);
}

/** Whether a key event goes to a text field. */
export function isTyping(event) {
  const target = event.target;
  return (
    target instanceof HTMLElement &&
    (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select") || target.isContentEditable)
  );
}

// The report of an experiment: its text, tables and figures in the style of the explorer, with a filter for claims.

import { button, choice, el, field, put, saveFile } from "./dom.js";

/** The elements that are kept; scripts, styles, forms and everything else are not. */
const KEPT = new Set(
  "a b br code dd details div dl dt em figcaption figure h1 h2 h3 h4 i li ol p pre section small span strong sub summary sup table tbody td th thead tr ul".split(" "),
);
const KEPT_ATTRIBUTES = ["class", "colspan", "rowspan", "data-h", "id"];

const VERDICTS = [
  ["", "all"],
  ["yes", "holds"],
  ["no", "does not hold"],
  ["part", "differs or undecided"],
];

/** Parses a text without its styles, which the content security policy would refuse; `image` puts those of figures back. */
function parse(text, kind) {
  const hidden = text.replaceAll(/<style[^>]*>/g, '<metadata class="css">').replaceAll("</style>", "</metadata>");
  return new DOMParser().parseFromString(hidden, kind);
}

/** Shows a report. `state` has the filter (`verdict`, `claim`), `changed()` is called when it changes; `links` collects the
 * object URLs of the figures. */
export function showPage(container, report, state, changed, links) {
  const main = parse(report.page, "text/html").querySelector("main");
  const parts = [...(main?.childNodes ?? [])].map((node) => copy(node, links)).filter(Boolean);
  const headings = parts.filter((part) => part.localName === "h2");
  const jump = (heading) => button(heading.textContent, `to ${heading.textContent}`, () => heading.scrollIntoView());
  const page = el("article", { class: "report-page", id: "report-page" }, el("div", { class: "row jumps" }, headings.map(jump)), parts);
  put(container, page);
  addFilter(page, state, changed);
}

/** A copy of a node with only the elements and attributes that are kept; figures become images. */
function copy(node, links) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent);
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  if (node.localName === "svg") return image(node, links);
  if (!KEPT.has(node.localName)) return null;
  const made = document.createElement(node.localName);
  for (const name of KEPT_ATTRIBUTES) if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
  made.append(...[...node.childNodes].map((child) => copy(child, links)).filter(Boolean));
  if (node.localName === "table") {
    made.classList.add("grid", "text");
    return el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "table" }, made);
  }
  if (node.localName === "a") {
    const target = node.getAttribute("href") ?? "";
    if (!target.startsWith("#")) return made;
    // The address belongs to the explorer.
    made.href = location.hash;
    made.addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById(target.slice(1))?.scrollIntoView();
    });
  }
  return made;
}

function image(svg, links) {
  const plain = new XMLSerializer().serializeToString(svg);
  const text = plain.replaceAll('<metadata class="css">', "<style>").replaceAll("</metadata>", "</style>");
  const link = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  links.push(link);
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 600 400").split(/\s+/).map(Number);
  return el("img", { src: link, alt: svg.getAttribute("aria-label") ?? "figure", loading: "lazy", width, height });
}

/** A filter above the first table of claims, for all tables with verdicts. */
function addFilter(page, state, changed) {
  const rows = [...page.querySelectorAll("tbody tr")].filter((row) => row.querySelector("td.yes, td.no, td.part"));
  if (rows.length < 4) return;
  const count = el("output", { class: "note" });
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      const kind = state.verdict === "" || row.querySelector(`td.${state.verdict}`);
      row.hidden = !kind || !row.textContent.toLowerCase().includes(state.claim.toLowerCase());
      if (!row.hidden) shown += 1;
    }
    count.textContent = `${shown} of ${rows.length} claims and goals`;
  };
  const change = (changes) => {
    Object.assign(state, changes);
    apply();
    changed();
  };
  const words = el("input", {
    type: "search",
    id: "claim-words",
    value: state.claim,
    placeholder: "a word or a section",
    oninput: (event) => change({ claim: event.target.value.trim() }),
  });
  const verdicts = choice(VERDICTS, state.verdict, (verdict) => change({ verdict }), { id: "claim-verdict" });
  rows[0].closest(".wide").before(el("div", { class: "bar", id: "claims-filter" }, field("verdict", verdicts), field("contains", words), count));
  apply();
}

/** The figures of a report without a page, under the names of the paper. */
export function figureList(report, links) {
  const titled = ({ name }) => name.replace(/^figure-0*(\d+)$/, "Figure $1").replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  // Those of the paper first.
  const isOther = ({ name }) => !name.startsWith("figure-");
  return report.figures.toSorted((a, b) => isOther(a) - isOther(b)).map((figure) => {
    const svg = parse(figure.svg, "image/svg+xml").documentElement;
    const title = svg.querySelector("title")?.textContent;
    const picture = image(svg, links);
    const save = button("Save", `save ${titled(figure)} as SVG`, () => saveFile(`${figure.name}.svg`, figure.svg, "image/svg+xml"));
    return el("figure", {}, picture, el("figcaption", {}, el("span", {}, el("b", {}, `${titled(figure)}. `), title ?? ""), save));
  });
}

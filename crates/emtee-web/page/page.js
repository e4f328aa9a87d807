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

/** Shows a report. `state` has the filter (`verdict`, `claim`), `changed()` is called when it changes; `links` collects the
 * object URLs of the figures. */
export function showPage(container, report, state, changed, links) {
  // Figures are most of the text: they become images without being parsed here.
  const figures = [];
  const text = report.page
    .replace(/<style[\s\S]*?<\/style>\s*<\/head>/, "</head>")
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, (svg) => `<img alt="${figures.push(svg) - 1}">`);
  const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  const copied = (node) => copy(node, figures, links);
  const parts = [...(main?.childNodes ?? [])].map(copied).filter(Boolean);
  const headings = parts.filter((part) => part.localName === "h2");
  const jump = (heading) => button(heading.textContent, `to ${heading.textContent}`, () => heading.scrollIntoView());
  const page = el("article", { class: "report-page", id: "report-page" }, el("div", { class: "row jumps" }, headings.map(jump)), parts);
  put(container, page);
  addFilter(page, state, changed);
}

/** A copy of a node with only the elements and attributes that are kept; figures become images. */
function copy(node, figures, links) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent);
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  if (node.localName === "img") return image(figures[Number(node.alt)], links);
  // The filter of the file is made of controls that are not kept.
  if (!KEPT.has(node.localName) || node.classList.contains("filter")) return null;
  const made = document.createElement(node.localName);
  for (const name of KEPT_ATTRIBUTES) if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
  made.append(...[...node.childNodes].map((child) => copy(child, figures, links)).filter(Boolean));
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

/** A figure, the text of an SVG file, as an image. */
function image(svg, links) {
  const link = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  links.push(link);
  const head = svg.slice(0, svg.indexOf(">"));
  const [, , width, height] = (/viewBox="([^"]*)"/.exec(head)?.[1] ?? "0 0 600 400").split(/\s+/).map(Number);
  return el("img", { src: link, alt: titleOfFigure(svg), loading: "lazy", decoding: "async", width, height });
}

/** The title of a figure. */
function titleOfFigure(svg) {
  const title = /<title>([^<]*)</.exec(svg)?.[1] ?? /aria-label="([^"]*)"/.exec(svg)?.[1] ?? "figure";
  return new DOMParser().parseFromString(title, "text/html").body.textContent;
}

/** A filter above the first table of claims, for all tables with verdicts. */
function addFilter(page, state, changed) {
  const rows = [...page.querySelectorAll("tbody tr")].filter((row) => row.querySelector("td.yes, td.no, td.part"));
  if (rows.length < 4) return;
  const tables = new Set(rows.map((row) => row.closest(".wide")));
  const count = el("output", { class: "note" });
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      const kind = state.verdict === "" || row.querySelector(`td.${state.verdict}`);
      row.hidden = !kind || !row.textContent.toLowerCase().includes(state.claim.toLowerCase());
      if (!row.hidden) shown += 1;
    }
    for (const table of tables) {
      const empty = [...table.querySelectorAll("tbody tr")].every((row) => row.hidden);
      table.hidden = empty;
      if (table.previousElementSibling?.localName === "h3") table.previousElementSibling.hidden = empty;
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
  // Above the heading of the first section, if there are sections.
  const first = rows[0].closest(".wide");
  const place = first.previousElementSibling?.localName === "h3" ? first.previousElementSibling : first;
  place.before(el("div", { class: "bar", id: "claims-filter" }, field("verdict", verdicts), field("contains", words), count));
  apply();
}

/** The figures of a report without a page, under the names of the paper. */
export function figureList(report, links) {
  const titled = ({ name }) => name.replace(/^figure-0*(\d+)$/, "Figure $1").replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  // Those of the paper first.
  const isOther = ({ name }) => !name.startsWith("figure-");
  return report.figures.toSorted((a, b) => isOther(a) - isOther(b)).map((figure) => {
    const title = titleOfFigure(figure.svg);
    const picture = image(figure.svg, links);
    const save = button("Save", `save ${titled(figure)} as SVG`, () => saveFile(`${figure.name}.svg`, figure.svg, "image/svg+xml"));
    return el("figure", {}, picture, el("figcaption", {}, el("span", {}, el("b", {}, `${titled(figure)}. `), title), save));
  });
}

// A line chart with interactive points.

import { svgEl } from "./dom.js";

const [H, LEFT, BOTTOM, TOP, RIGHT] = [360, 56, 40, 16, 16];

/** Series differ in colour, then also in dashes and in the shape of their points: by their numbers, 6 × 3 styles. */
const COLOURS = 6;
const styleOf = (number) => `c${number % COLOURS} d${Math.floor(number / COLOURS) % 3}`;

/** A point of a series: a disc, a square or a triangle. */
function marker(number, x, y, r, options) {
  const shape = Math.floor(number / COLOURS) % 3;
  const classes = { class: `c${number % COLOURS}`, ...options };
  if (shape === 0) return (...children) => svgEl("circle", { ...classes, cx: x, cy: y, r }, children);
  if (shape === 1) return (...children) => svgEl("rect", { ...classes, x: x - r, y: y - r, width: 2 * r, height: 2 * r }, children);
  const points = `${x},${y - 1.2 * r} ${x + 1.2 * r},${y + r} ${x - 1.2 * r},${y + r}`;
  return (...children) => svgEl("polygon", { ...classes, points }, children);
}

/**
 * Draws series `{ name, style, points: [{ x, y, about }] }`. `onPoint(about)` is called when a point is hovered, focused or
 * clicked. `hundred` draws a line at 100, the baseline.
 */
export function drawChart(series, { x: xName, y: yName, hundred, onPoint }) {
  const points = series.flatMap((one) => one.points);
  // Narrower on small screens, so that the text stays readable on a phone.
  const W = window.innerWidth > 1000 ? 1160 : 760;
  const picture = svgEl("svg", {
    class: "chart",
    viewBox: `0 0 ${W} ${H}`,
    role: "group",
    "aria-label": `${yName} by ${xName}`,
  });
  if (!points.length) return picture;
  const xs = points.map((point) => point.x);
  const ys = [...points.map((point) => point.y), ...(hundred ? [100] : [])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = (y1 - y0 || 1) * 0.08;
  const toX = (x) => LEFT + ((x - x0) / (x1 - x0 || 1)) * (W - LEFT - RIGHT);
  const toY = (y) => TOP + ((y1 + margin - y) / (y1 - y0 + 2 * margin)) * (H - TOP - BOTTOM);
  for (const y of ticks(y0 - margin, y1 + margin))
    picture.append(
      svgEl("line", { class: "axis", x1: LEFT, x2: W - RIGHT, y1: toY(y), y2: toY(y) }),
      svgEl("text", { x: LEFT - 8, y: toY(y) + 4, "text-anchor": "end" }, String(y)),
    );
  for (const x of [...new Set(xs)].sort((a, b) => a - b))
    picture.append(svgEl("text", { x: toX(x), y: H - BOTTOM + 18, "text-anchor": "middle" }, String(x)));
  if (hundred) picture.append(svgEl("line", { class: "hundred", x1: LEFT, x2: W - RIGHT, y1: toY(100), y2: toY(100) }));
  picture.append(
    svgEl("text", { x: W / 2, y: H - 4, "text-anchor": "middle" }, xName),
    svgEl("text", { x: LEFT, y: 11 }, yName),
  );
  for (const one of series) {
    const sorted = [...one.points].sort((a, b) => a.x - b.x);
    const line = svgEl("polyline", {
      class: `series ${styleOf(one.style)}`,
      points: sorted.map((point) => `${toX(point.x)},${toY(point.y)}`).join(" "),
    });
    line.style.fill = "none";
    picture.append(line);
    for (const point of sorted) {
      const showPoint = () => onPoint?.(point.about);
      const listeners = { onpointerenter: showPoint, onfocus: showPoint, onclick: showPoint };
      const options = { tabindex: 0, role: "img", "aria-label": point.about.text, "data-point": one.name, ...listeners };
      picture.append(marker(one.style, toX(point.x), toY(point.y), 4.5, options)(svgEl("title", {}, point.about.text)));
    }
  }
  return picture;
}

/** Round numbers between two limits. */
function ticks(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? power;
  const all = [];
  for (let y = Math.ceil(low / step) * step; y <= high; y += step) all.push(Number(y.toPrecision(6)));
  return all;
}

/** A sample of the style of a series for a legend. */
export function swatch(number) {
  return svgEl(
    "svg",
    { viewBox: "0 0 36 14", class: "swatch", "aria-hidden": "true" },
    svgEl("line", { class: `series ${styleOf(number)}`, x1: 0, x2: 36, y1: 7, y2: 7 }),
    marker(number, 18, 7, 4.5, {})(),
  );
}

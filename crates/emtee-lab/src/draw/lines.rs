//! Line charts as small multiples. Each line is labelled at its end; there is no legend.

use crate::draw::axis::Axis;
use crate::draw::canvas::{Anchor, Canvas, lettered};
use crate::draw::colour::Colour;

/// A point of a line, with an optional interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

/// A line.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) colour: Colour,
    pub(crate) marks: Vec<Mark>,
    pub(crate) dashed: bool,
    /// Whether the line is drawn with a thicker stroke.
    pub(crate) strong: bool,
}

impl Series {
    pub(crate) fn new(
        label: impl Into<String>,
        colour: Colour,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        let marks = points.into_iter().map(|(x, y)| Mark { x, y, interval: None }).collect();
        Series { label: label.into(), colour, marks, dashed: false, strong: false }
    }

    pub(crate) fn dashed(mut self, dashed: bool) -> Series {
        self.dashed = dashed;
        self
    }

    pub(crate) fn strong(mut self, strong: bool) -> Series {
        self.strong = strong;
        self
    }
}

/// A panel of a line chart.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// A reference level and its label.
    pub(crate) rule: Option<(f64, String)>,
    pub(crate) series: Vec<Series>,
    /// Whether all lines end at the rule, so that the labels are placed above it.
    pub(crate) meet: bool,
}

/// Margins around a plot: tick labels on the left, line labels on the right, the title above, tick and axis labels below.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 100.0;
const TOP: f64 = 42.0;
const BOTTOM: f64 = 40.0;
const PLOT: (f64, f64) = (196.0, 176.0);
/// The minimum distance between two labels.
const LABEL_SPACING: f64 = 12.5;

/// Draws panels with `columns` panels per row.
pub(crate) fn lines(title: &str, panels: &[Panel], columns: usize) -> String {
    let columns = columns.clamp(1, panels.len().max(1));
    let (width, height) = (LEFT + PLOT.0 + RIGHT, TOP + PLOT.1 + BOTTOM);
    let rows = panels.len().div_ceil(columns);
    let mut canvas = Canvas::new(width * columns as f64, height * rows as f64);
    for (index, panel) in panels.iter().enumerate() {
        let corner = ((index % columns) as f64 * width + LEFT, (index / columns) as f64 * height + TOP);
        canvas.begin_panel([corner.0 - LEFT, corner.1 - TOP, width, height]);
        draw(&mut canvas, panel, &lettered(index, panels.len(), &panel.title), corner);
        canvas.end_panel();
    }
    canvas.finish(title)
}

fn draw(canvas: &mut Canvas, panel: &Panel, title: &str, (left, top): (f64, f64)) {
    let (right, bottom) = (left + PLOT.0, top + PLOT.1);
    let x = |value: f64| left + PLOT.0 * panel.x.position(value);
    let y = |value: f64| bottom - PLOT.1 * panel.y.position(value);
    canvas.text("h", Anchor::Start, (left - LEFT + 8.0, top - 26.0), title);
    canvas.text("q", Anchor::Start, (left - LEFT + 8.0, top - 10.0), &panel.y.label);
    for (tick, text) in panel.y.fitting_ticks(PLOT.1, 15.0) {
        canvas.line("r", (left, y(tick)), (right, y(tick)));
        canvas.text("", Anchor::End, (left - 6.0, y(tick) + 3.8), &text);
    }
    for (tick, text) in panel.x.fitting_ticks(PLOT.0, 25.0) {
        canvas.line("a", (x(tick), bottom), (x(tick), bottom + 3.5));
        canvas.text("", Anchor::Middle, (x(tick), bottom + 15.0), &text);
    }
    canvas.line("a", (left, bottom), (right, bottom));
    canvas.text("q", Anchor::Middle, ((left + right) / 2.0, bottom + 30.0), &panel.x.label);
    let mut labels: Vec<Label> = Vec::new();
    if let Some((level, text)) = &panel.rule {
        canvas.line("z", (left, y(*level)), (right, y(*level)));
        if !text.is_empty() {
            labels.push(Label { text, colour: Colour::Text, end: (right, y(*level)), y: y(*level) });
        }
    }
    for series in &panel.series {
        let colour = series.colour.class();
        let banded: Vec<(&Mark, (f64, f64))> =
            series.marks.iter().filter_map(|mark| Some((mark, mark.interval?))).collect();
        if banded.len() > 1 {
            let upper = banded.iter().map(|(mark, interval)| (x(mark.x), y(interval.1)));
            let lower = banded.iter().rev().map(|(mark, interval)| (x(mark.x), y(interval.0)));
            canvas.area(&format!("u f-{colour}"), &upper.chain(lower).collect::<Vec<_>>());
        } else if let [(mark, interval)] = banded[..] {
            canvas.line(&format!("e s-{colour}"), (x(mark.x), y(interval.0)), (x(mark.x), y(interval.1)));
        }
    }
    for series in &panel.series {
        let colour = series.colour.class();
        let finite = series.marks.iter().filter(|mark| mark.x.is_finite() && mark.y.is_finite());
        let points: Vec<(f64, f64)> = finite.map(|mark| (x(mark.x), y(mark.y))).collect();
        let (strong, dashed) = (if series.strong { " w" } else { "" }, if series.dashed { " d" } else { "" });
        canvas.path(&format!("l{strong}{dashed} s-{colour}"), &points);
        // Points are drawn only if there are few.
        if points.len() <= 16 && !series.dashed {
            for &point in &points {
                canvas.dot(&format!("m f-{colour}"), point, if series.strong { 2.6 } else { 2.0 });
            }
        }
        if let (Some(&end), false) = (points.last(), series.label.is_empty()) {
            labels.push(Label { text: &series.label, colour: series.colour, end, y: end.1 });
        }
    }
    let lowest = match (&panel.rule, panel.meet) {
        (Some((level, _)), true) => y(*level) + 2.0,
        _ => bottom + 6.0,
    };
    spread(&mut labels, top - 4.0, lowest);
    for label in &labels {
        let colour = label.colour.class();
        let from = (label.end.0 + 4.0, label.end.1);
        if (label.y - label.end.1).abs() > 2.5 || right - label.end.0 > 3.0 {
            let elbow = right + 5.0;
            canvas.path(&format!("c s-{colour}"), &[from, (elbow.max(from.0), label.y), (right + 9.0, label.y)]);
        }
        canvas.text(&format!("f-{colour}"), Anchor::Start, (right + 11.0, label.y + 3.8), label.text);
    }
}

/// A label: the end of its line, and its own height.
struct Label<'t> {
    text: &'t str,
    colour: Colour,
    end: (f64, f64),
    y: f64,
}

/// Moves overlapping labels apart, within the given limits.
fn spread(labels: &mut [Label], top: f64, bottom: f64) {
    labels.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.end.0.total_cmp(&b.end.0)));
    for _ in 0..200 {
        let mut moved = false;
        for index in 1..labels.len() {
            let overlap = LABEL_SPACING - (labels[index].y - labels[index - 1].y);
            if overlap > 0.01 {
                labels[index - 1].y -= overlap / 2.0;
                labels[index].y += overlap / 2.0;
                moved = true;
            }
        }
        if let Some(first) = labels.first_mut() {
            first.y = first.y.max(top);
        }
        if let Some(last) = labels.last_mut() {
            last.y = last.y.min(bottom);
        }
        if !moved {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::panels;

    #[test]
    fn labels_keep_their_order_and_minimum_distance() {
        for ends in
            [&[50.0, 50.0, 50.0, 50.0][..], &[0.0, 1.0, 99.0, 100.0], &[10.0, 40.0, 90.0], &[98.0, 99.0, 100.0, 100.0]]
        {
            let label = |&y: &f64| Label { text: "", colour: Colour::Text, end: (0.0, y), y };
            let mut labels: Vec<Label> = ends.iter().map(label).collect();
            spread(&mut labels, -4.0, 106.0);
            assert!(labels.windows(2).all(|pair| pair[1].y - pair[0].y > LABEL_SPACING - 0.5));
            assert!(labels.iter().all(|label| (-5.0..=107.0).contains(&label.y)));
        }
    }

    #[test]
    fn drawings_are_well_formed_for_any_content() {
        let series = Series::new("a < b & \"c\"", Colour::Blue, [(1.0, 99.0), (2.0, f64::NAN), (3.0, 1e9)]);
        let empty = Series::new("nothing", Colour::Green, []);
        let (x, y) = (Axis::whole("x", [1.0, 2.0, 3.0]), Axis::percent("y", [99.0, 1e9]));
        let panel = Panel { title: "t".into(), x, y, rule: None, series: vec![series, empty], meet: false };
        let svg = lines("title", &[panel], 3);
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.ends_with("</svg>\n"));
        assert_eq!(panels(&svg).len(), 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

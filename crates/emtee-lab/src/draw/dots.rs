//! Dot charts as small multiples: one row per case, with its interval as a thin line and its number.

use crate::draw::axis::Axis;
use crate::draw::canvas::{Anchor, Canvas, lettered};
use crate::draw::colour::Colour;

/// A row of a dot chart.
#[derive(Clone, Debug)]
pub(crate) struct DotRow {
    pub(crate) label: String,
    pub(crate) colour: Colour,
    /// The value and the ends of its interval; `None` if it was not measured.
    pub(crate) value: Option<(f64, f64, f64)>,
    /// The number as text.
    pub(crate) text: String,
    /// Whether there is a gap above the row.
    pub(crate) gap_above: bool,
    pub(crate) hollow: bool,
}

/// A panel of a dot chart.
#[derive(Clone, Debug)]
pub(crate) struct DotPanel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) rule: Option<f64>,
    pub(crate) rows: Vec<DotRow>,
}

const ROW: f64 = 19.0;
const GAP: f64 = 9.0;
const TOP: f64 = 38.0;
const BOTTOM: f64 = 42.0;
const RIGHT: f64 = 44.0;
const WIDTH: f64 = 984.0;

/// The most panels side by side: with more, axis labels would overlap.
const COLUMNS: usize = 3;

/// Draws panels side by side, three at most. The row labels are on the left of the first panel of each line.
pub(crate) fn dots(title: &str, panels: &[DotPanel]) -> String {
    let rows = panels.first().map_or(&[][..], |panel| &panel.rows[..]);
    let longest = rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let names = 16.0 + 6.0 * longest as f64;
    let columns = panels.len().clamp(1, COLUMNS);
    let plot = ((WIDTH - names) / columns as f64 - RIGHT).max(60.0);
    let gaps = rows.iter().filter(|row| row.gap_above).count() as f64;
    let height = TOP + ROW * rows.len() as f64 + GAP * gaps + BOTTOM;
    let mut canvas = Canvas::new(WIDTH, height * panels.len().div_ceil(columns).max(1) as f64);
    for (index, panel) in panels.iter().enumerate() {
        let left = names + (index % columns) as f64 * (plot + RIGHT);
        let above = (index / columns) as f64 * height;
        let (top, bottom) = (above + TOP, above + height - BOTTOM);
        canvas.begin_panel([left - names, above, names + plot + RIGHT, height]);
        let x = |value: f64| left + plot * panel.x.position(value);
        canvas.text("h", Anchor::Start, (left, above + 16.0), &lettered(index, panels.len(), &panel.title));
        for (tick, text) in panel.x.fitting_ticks(plot, 30.0) {
            canvas.line("r", (x(tick), top - 8.0), (x(tick), bottom));
            canvas.text("", Anchor::Middle, (x(tick), bottom + 15.0), &text);
        }
        canvas.line("a", (left, bottom), (left + plot, bottom));
        canvas.text("q", Anchor::Middle, (left + plot / 2.0, bottom + 31.0), &panel.x.label);
        if let Some(level) = panel.rule {
            canvas.line("z", (x(level), top - 8.0), (x(level), bottom));
        }
        let mut y = top - ROW / 2.0 + 2.0;
        for row in &panel.rows {
            y += ROW + if row.gap_above { GAP } else { 0.0 };
            let colour = row.colour.class();
            let same_colours =
                panels.iter().all(|other| other.rows.iter().zip(&panel.rows).all(|(a, b)| a.colour == b.colour));
            let label_colour = if same_colours { colour } else { "t" };
            // The labels of the first panel apply to all panels of its line.
            if index % columns > 0 {
                canvas.begin_separate_only();
            }
            canvas.text(&format!("f-{label_colour}"), Anchor::End, (left - 12.0, y - 5.2), &row.label);
            if index % columns > 0 {
                canvas.end_separate_only();
            }
            let y = y - 9.0;
            if let Some((value, low, high)) = row.value {
                canvas.line(&format!("e s-{colour}"), (x(low), y), (x(high), y));
                let class = if row.hollow { format!("e s-{colour}") } else { format!("m f-{colour}") };
                canvas.dot(&class, (x(value), y), 3.4);
                canvas.text("q", Anchor::Start, (x(high.max(value)) + 7.0, y + 3.8), &row.text);
            }
        }
        canvas.end_panel();
    }
    canvas.finish(title)
}

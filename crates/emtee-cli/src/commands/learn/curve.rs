//! The learning curve as a drawing.

use std::fmt::Write;

use emtee_engine::Generation;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The margins on the left, the right, at the top and at the bottom.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;

/// The Elo gains added up, by the share of the work that is done. The interval is that of the last match; refused versions are
/// hollow.
pub(super) fn svg(rows: &[Generation]) -> String {
    let ends = rows.iter().flat_map(|row| {
        let [low, elo, high] = row.elo.unwrap_or_default();
        let before = row.total_elo - if row.accepted { elo } else { 0.0 };
        [before + low, before + high, row.total_elo]
    });
    let (least, most) = ends.fold((0.0_f64, 100.0_f64), |(least, most), end| (least.min(end), most.max(end)));
    let x = |done: f64| LEFT + done * (WIDTH - LEFT - RIGHT);
    let y = |elo: f64| TOP + (most - elo) / (most - least) * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">Elo gained over the first version, by work done</text>\n"
    );
    let step = grid_step(most - least);
    let mut elo = (least / step).ceil() * step;
    while elo <= most {
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {at:.1}H{right:.1}\" stroke=\"#ddd\"/><text x=\"{text:.1}\" y=\"{below:.1}\" text-anchor=\"end\">{elo:.0}</text>",
            at = y(elo),
            right = WIDTH - RIGHT,
            text = LEFT - 8.0,
            below = y(elo) + 4.0
        );
        elo += step;
    }
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let at = x(percent / 100.0);
        let _ =
            writeln!(out, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{percent} %</text>", HEIGHT - 20.0);
    }
    let mut line = String::new();
    for row in rows {
        let at = x(row.done);
        if let Some([low, elo, high]) = row.elo {
            let before = row.total_elo - if row.accepted { elo } else { 0.0 };
            let (top, bottom, middle) = (y(before + high), y(before + low), y(before + elo));
            let fill = if row.accepted { "#1f6fb4" } else { "#fff" };
            let _ =
                writeln!(out, "<path d=\"M{at:.1} {top:.1}V{bottom:.1}\" stroke=\"#1f6fb4\" stroke-opacity=\".45\"/>");
            let _ =
                writeln!(out, "<circle cx=\"{at:.1}\" cy=\"{middle:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#1f6fb4\"/>");
        }
        let _ = write!(line, "{}{at:.1} {:.1}", if line.is_empty() { 'M' } else { 'L' }, y(row.total_elo));
    }
    let _ = writeln!(out, "<path d=\"{line}\" fill=\"none\" stroke=\"#1f6fb4\" stroke-width=\"2\"/>");
    out + "</g>\n</svg>\n"
}

/// A round distance between lines of the grid.
fn grid_step(range: f64) -> f64 {
    let rough = range / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= rough).unwrap_or(rough)
}

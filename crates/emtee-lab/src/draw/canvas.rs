//! Writes SVG elements.

use std::fmt::Write;

use crate::draw::colour::STYLE;

/// An SVG drawing under construction.
pub(crate) struct Canvas {
    body: String,
    width: f64,
    height: f64,
}

/// The alignment of a text relative to its point.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    pub(crate) fn new(width: f64, height: f64) -> Canvas {
        Canvas { body: String::new(), width, height }
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    /// Begins a panel with this left, top, width and height.
    pub(crate) fn begin_panel(&mut self, [x, y, width, height]: [f64; 4]) {
        self.add(format_args!(r#"{PANEL}{x:.1} {y:.1} {width:.1} {height:.1}">"#));
    }

    pub(crate) fn end_panel(&mut self) {
        self.add(format_args!("{PANEL_END}"));
    }

    /// Begins a group that is visible only if the panel is shown as a separate drawing.
    pub(crate) fn begin_separate_only(&mut self) {
        self.add(format_args!(r#"<g class="alone" display="none">"#));
    }

    pub(crate) fn end_separate_only(&mut self) {
        self.add(format_args!("</g>"));
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    pub(crate) fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" ")));
    }

    pub(crate) fn area(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(r#"<polygon class="{class}" points="{}"/>"#, points.join(" ")));
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): (f64, f64), r: f64) {
        self.add(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{r}"/>"#));
    }

    pub(crate) fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = with_superscript(&escaped(text));
        self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#));
    }

    /// The SVG text. The title is also the label for screen readers.
    pub(crate) fn finish(self, title: &str) -> String {
        let Canvas { body, width, height } = self;
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"emtee\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n{body}</svg>\n"
        )
    }
}

const PANEL: &str = "<g data-panel=\"";
const PANEL_END: &str = "</g><!-- panel -->";

/// Splits a drawing into one drawing per panel, for pages that arrange panels by width. A drawing without panels is returned
/// whole.
pub(crate) fn panels(svg: &str) -> Vec<String> {
    let parts: Vec<&str> = svg.split(PANEL).collect();
    let [head, panels @ ..] = &parts[..] else { return Vec::new() };
    let label =
        head.split_once("aria-label=\"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(label, _)| label);
    let drawings = panels.iter().filter_map(|panel| {
        let (view_box, rest) = panel.split_once("\">")?;
        let (body, _) = rest.split_once(PANEL_END)?;
        let size: Vec<&str> = view_box.split(' ').collect();
        let [_, _, width, height] = size[..] else { return None };
        Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"emtee\" viewBox=\"{view_box}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{label}\">\n<style>{STYLE}</style>{body}</svg>\n"
        ))
    });
    let drawings: Vec<String> = drawings.collect();
    if drawings.is_empty() { vec![svg.to_owned()] } else { drawings }
}

/// Formats an exponent such as that of `2^20` as a superscript.
fn with_superscript(text: &str) -> String {
    match text.split_once('^') {
        Some((base, power)) => {
            let end = power.find(|c: char| !c.is_ascii_digit()).unwrap_or(power.len());
            let (power, rest) = power.split_at(end);
            format!("{base}<tspan dy=\"-4\" font-size=\"8.5\">{power}</tspan><tspan dy=\"4\">{rest}</tspan>")
        }
        None => text.to_owned(),
    }
}

/// Escapes text for SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The title of a panel, preceded by a letter if there are several panels.
pub(crate) fn lettered(index: usize, panels: usize, title: &str) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if panels > 1 { format!("{letter}  {title}") } else { title.to_owned() }
}

//! The report as a self-contained HTML page.

use std::fmt::Write;

use crate::claims::{Claim, Verdict};
use crate::draw::{escaped, panels};
use crate::figure_kind::FigureKind;
use crate::figures::Figure;
use crate::report::{RECOMMENDATION, Report, tally};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d1d1f;--soft:#6b6b70;--page:#fff;--line:#d9d9de;--yes:#00704f;--no:#b3261e;--part:#8a5a00}\
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e9;--soft:#a5a5ab;--page:#161618;--line:#3a3a3f;--yes:#4fd0a5;--no:#ff8a80;--part:#f0b23d}}\
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 Georgia,'Times New Roman',serif}\
main{max-width:1064px;margin:0 auto;padding:3rem 1.5rem 5rem}h1{font-size:2rem;line-height:1.2;margin:0 0 1rem;max-width:46rem}\
h2{font-size:1.3rem;margin:3rem 0 .6rem}h3{font-size:1.05rem;margin:1.8rem 0 .4rem}p,ul{max-width:46rem}.lead{font-size:1.1rem}\
table{border-collapse:collapse;width:100%;font:13.5px/1.4 'Helvetica Neue',Helvetica,Arial,sans-serif}\
th{text-align:left;font-weight:600;border-bottom:1.5px solid var(--ink);padding:.35rem .7rem .35rem 0;vertical-align:bottom}\
td{border-bottom:1px solid var(--line);padding:.4rem .7rem .4rem 0;vertical-align:top}td.n{white-space:nowrap;color:var(--soft)}\
.yes,.no,.part{font-weight:600}.yes{color:var(--yes)}.no{color:var(--no)}.part{color:var(--part)}\
figure{margin:2.2rem 0;break-inside:avoid}figure svg{width:100%;height:auto;display:block}\
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:.5rem 1rem}.panels .alone{display:inline}\
figcaption{font-size:.95rem;color:var(--soft);max-width:46rem;margin-top:.5rem}figcaption b{color:var(--ink)}\
pre{background:color-mix(in srgb,var(--ink) 6%,transparent);padding:1rem;overflow-x:auto;font-size:12.5px;line-height:1.45;border-radius:4px}\
nav{font:14px 'Helvetica Neue',Helvetica,Arial,sans-serif;color:var(--soft);margin-bottom:2rem}nav a{color:inherit;margin-right:1rem}\
@media(max-width:44rem){main{padding:1.5rem 1rem 3rem}h1{font-size:1.5rem}thead{display:none}\
tr{display:block;border-bottom:1px solid var(--line);padding:.6rem 0}td,td.n{display:block;border:0;padding:.1rem 0;white-space:normal}\
td[data-h]::before{content:attr(data-h) ': ';color:var(--soft);font-weight:400}nav a{display:inline-block;padding:.2rem 0}}\
.filter{font:14px 'Helvetica Neue',Helvetica,Arial,sans-serif}.filter label{margin-right:1rem}\
main:has(#only-yes:checked) .claims tr.no,main:has(#only-yes:checked) .claims tr.part,\
main:has(#only-no:checked) .claims tr.yes,main:has(#only-no:checked) .claims tr.part,\
main:has(#only-part:checked) .claims tr.yes,main:has(#only-part:checked) .claims tr.no{display:none}\
.claims tr.yes,.claims tr.no,.claims tr.part{font-weight:inherit;color:inherit}\
@media print{body{font-size:11pt}main{padding:0}nav{display:none}}";

/// The report as HTML.
pub(crate) fn html(report: &Report) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_to(&mut page, report);
    page
}

fn write_to(to: &mut String, report: &Report) -> std::fmt::Result {
    let title = escaped(&report.title);
    writeln!(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(to, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
    writeln!(to, "<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>")?;
    let link =
        |shown: bool, id: &str, text: &str| if shown { format!("<a href=\"#{id}\">{text}</a>") } else { String::new() };
    let judged = !report.claims.is_empty();
    writeln!(
        to,
        "<nav>{}{}{}{}{}<a href=\"#method\">Method</a><a href=\"#settings\">Settings</a></nav>",
        link(!report.baselines.is_empty(), "comparison", "Main comparison"),
        link(!report.figures.is_empty(), "figures", "Figures"),
        link(judged, "claims", "Claims"),
        link(judged, "sections", "The paper by section"),
        link(!report.work.is_empty(), "work", "Distribution of the work")
    )?;
    writeln!(to, "<h1>{title}</h1>")?;
    for figure in report.figures.iter().filter(|figure| figure.kind == FigureKind::Baselines) {
        write_figure(to, figure)?;
    }
    writeln!(to, "<p class=\"lead\">{}</p>", escaped(&report.summary))?;
    if let Some((headings, rows)) = report.baseline_table().split_first() {
        writeln!(to, "<h2>Recommendation</h2>\n<p>{}</p>", escaped(RECOMMENDATION))?;
        writeln!(to, "<h2 id=\"comparison\">MTD-f against the three baselines</h2>")?;
        table(to, headings, rows)?;
    }
    if report.figures(true).next().is_some() {
        writeln!(to, "<h2 id=\"figures\">Figures of the paper</h2>")?;
    }
    for figure in report.figures(true) {
        write_figure(to, figure)?;
    }
    if judged {
        writeln!(
            to,
            "<h2 id=\"claims\">Claims of the paper</h2>\n<p>{} claims: {}.</p>\n<p class=\"filter\">Show: \
             <label><input type=\"radio\" name=\"only\" id=\"only-all\" checked> all</label>\
             <label><input type=\"radio\" name=\"only\" id=\"only-yes\"> those that hold</label>\
             <label><input type=\"radio\" name=\"only\" id=\"only-no\"> those that fail</label>\
             <label><input type=\"radio\" name=\"only\" id=\"only-part\"> undecided, or different between games</label></p>",
            report.claims.len() - report.goals().len(),
            tally(report.sections().into_iter().flat_map(|(_, claims)| claims))
        )?;
    }
    for (heading, claims) in report.sections() {
        writeln!(to, "<h3>{}</h3>", escaped(heading))?;
        claim_table(to, &claims)?;
    }
    let goals = report.goals();
    if !goals.is_empty() {
        writeln!(
            to,
            "<h2 id=\"goals\">Goals and later work</h2>\n<p>{} goals and claims: {}.</p>",
            goals.len(),
            tally(goals.iter().copied())
        )?;
        claim_table(to, &goals)?;
    }
    if let Some((headings, rows)) = report.section_table().split_first() {
        writeln!(to, "<h2 id=\"sections\">The paper section by section</h2>")?;
        table(to, headings, rows)?;
    }
    if report.figures(false).next().is_some() {
        writeln!(to, "<h2>More figures</h2>")?;
    }
    for figure in report.figures(false) {
        write_figure(to, figure)?;
    }
    if let Some((headings, rows)) = report.ratio_table().split_first() {
        writeln!(to, "<h2 id=\"ratios\">Ratios and sweeps</h2>")?;
        table(to, headings, rows)?;
    }
    if let Some((headings, rows)) = report.work.split_first() {
        writeln!(
            to,
            "<h2 id=\"work\">Distribution of the work</h2>\n<p>Sums over all iterations. Percentages are relative to Aspiration NegaScout.</p>"
        )?;
        table(to, headings, rows)?;
        for reason in &report.reasons {
            writeln!(to, "<p>{}</p>", escaped(reason))?;
        }
    }
    writeln!(to, "<h2 id=\"method\">Method</h2>\n<ul>")?;
    for (name, text) in report.method() {
        writeln!(to, "<li><b>{name}.</b> {}</li>", escaped(text))?;
    }
    writeln!(to, "</ul>\n<h2 id=\"settings\">Settings and machine</h2>\n<ul>")?;
    for (name, value) in &report.about {
        writeln!(to, "<li>{name}: {}</li>", escaped(value))?;
    }
    writeln!(to, "</ul>\n<pre>{}</pre>", escaped(&report.experiment))?;
    writeln!(to, "<h2>Reproduction</h2>\n<pre>cargo run --release -- experiment experiment.toml --out repeated</pre>")?;
    writeln!(
        to,
        "<p>The file <code>experiment.toml</code> has the text above. The counts repeat exactly; the times depend on the machine.</p>\n</main>\n</body>\n</html>"
    )
}

fn write_figure(to: &mut String, figure: &Figure) -> std::fmt::Result {
    let number = figure.kind.name();
    let name = if number.parse::<u8>().is_ok() { format!("Figure {number}. ") } else { String::new() };
    let (title, caption) = (escaped(&figure.title), escaped(&figure.caption));
    let file = figure.kind.file();
    let drawing = match figure.kind {
        // Its row labels are needed once only.
        FigureKind::Baselines => figure.svg.clone(),
        _ => format!("<div class=\"panels\">\n{}</div>", panels(&figure.svg).concat()),
    };
    writeln!(
        to,
        "<figure id=\"{file}\">\n{drawing}\n<figcaption><b>{name}{title}.</b> {caption}</figcaption>\n</figure>"
    )
}

fn claim_table(to: &mut String, claims: &[&Claim]) -> std::fmt::Result {
    writeln!(
        to,
        "<table class=\"claims\">\n<thead><tr><th>Section<th>Claim<th>Paper<th>Result<th>Verdict<th>Rule</tr></thead>\n<tbody>"
    )?;
    for claim in claims {
        let class = match claim.verdict {
            Verdict::Holds => "yes",
            Verdict::Fails => "no",
            Verdict::Mixed { .. } | Verdict::Undecided => "part",
        };
        let [section, text, paper, here, rule] =
            [claim.section, claim.claim, claim.paper, &claim.here, &claim.rule].map(escaped);
        let here = here.replace("; ", "<br>");
        writeln!(
            to,
            "<tr class=\"{class}\"><td class=\"n\">{section}<td>{text}<td data-h=\"Paper\">{paper}<td data-h=\"Result\">{here}\
             <td class=\"{class}\" data-h=\"Verdict\">{}<td data-h=\"Rule\">{rule}</tr>",
            claim.verdict
        )?;
    }
    writeln!(to, "</tbody>\n</table>")
}

fn table(to: &mut String, headings: &[String], rows: &[Vec<String>]) -> std::fmt::Result {
    writeln!(to, "<table>\n<thead><tr>{}</tr></thead>\n<tbody>", cells("th", headings))?;
    for row in rows {
        writeln!(to, "<tr>{}</tr>", labelled_cells(headings, row))?;
    }
    writeln!(to, "</tbody>\n</table>")
}

/// Cells with the heading of their column as an attribute. Narrow pages show it instead of columns.
fn labelled_cells(headings: &[String], texts: &[String]) -> String {
    let cells = headings.iter().zip(texts);
    cells.map(|(heading, text)| format!("<td data-h=\"{}\">{}", escaped(heading), escaped(text))).collect()
}

fn cells(tag: &str, texts: &[String]) -> String {
    texts.iter().map(|text| format!("<{tag}>{}", escaped(text))).collect()
}

//! The report as a self-contained HTML page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::claims::{Claim, Verdict};
use crate::draw::panels;
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
    page(report).into_string()
}

fn page(report: &Report) -> Markup {
    let judged = !report.claims.is_empty();
    let goals = report.goals();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (report.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    nav {
                        @if !report.baselines.is_empty() { a href="#comparison" { "Main comparison" } }
                        @if !report.figures.is_empty() { a href="#figures" { "Figures" } }
                        @if judged {
                            a href="#claims" { "Claims" }
                            a href="#sections" { "The paper by section" }
                        }
                        @if !report.work.is_empty() { a href="#work" { "Distribution of the work" } }
                        a href="#method" { "Method" }
                        a href="#settings" { "Settings" }
                    }
                    h1 { (report.title) }
                    @for figure in report.figures.iter().filter(|figure| figure.kind == FigureKind::Baselines) {
                        (drawn(figure))
                    }
                    p.lead { (report.summary) }
                    @if let Some((headings, rows)) = report.baseline_table().split_first() {
                        h2 { "Recommendation" }
                        p { (RECOMMENDATION) }
                        h2 #comparison { "MTD-f against the three baselines" }
                        (table(headings, rows))
                    }
                    @if report.figures(true).next().is_some() { h2 #figures { "Figures of the paper" } }
                    @for figure in report.figures(true) { (drawn(figure)) }
                    @if judged {
                        h2 #claims { "Claims of the paper" }
                        p {
                            (report.claims.len() - goals.len()) " claims: "
                            (tally(report.sections().into_iter().flat_map(|(_, claims)| claims))) "."
                        }
                        p.filter {
                            "Show: "
                            label { input type="radio" name="only" id="only-all" checked; " all" }
                            label { input type="radio" name="only" id="only-yes"; " those that hold" }
                            label { input type="radio" name="only" id="only-no"; " those that fail" }
                            label { input type="radio" name="only" id="only-part"; " undecided, or different between games" }
                        }
                    }
                    @for (heading, claims) in report.sections() {
                        h3 { (heading) }
                        (claim_table(&claims))
                    }
                    @if !goals.is_empty() {
                        h2 #goals { "Goals and later work" }
                        p { (goals.len()) " goals and claims: " (tally(goals.iter().copied())) "." }
                        (claim_table(&goals))
                    }
                    @if let Some((headings, rows)) = report.section_table().split_first() {
                        h2 #sections { "The paper section by section" }
                        (table(headings, rows))
                    }
                    @if report.figures(false).next().is_some() { h2 { "More figures" } }
                    @for figure in report.figures(false) { (drawn(figure)) }
                    @if let Some((headings, rows)) = report.ratio_table().split_first() {
                        h2 #ratios { "Ratios and sweeps" }
                        (table(headings, rows))
                    }
                    @if let Some((headings, rows)) = report.work.split_first() {
                        h2 #work { "Distribution of the work" }
                        p { "Sums over all iterations. Percentages are relative to Aspiration NegaScout." }
                        (table(headings, rows))
                        @for reason in &report.reasons { p { (reason) } }
                    }
                    h2 #method { "Method" }
                    ul { @for (name, text) in report.method() { li { b { (name) "." } " " (text) } } }
                    h2 #settings { "Settings and machine" }
                    ul { @for (name, value) in &report.about { li { (name) ": " (value) } } }
                    pre { (report.experiment) }
                    h2 { "Reproduction" }
                    pre { "cargo run --release -- experiment experiment.toml --out repeated" }
                    p {
                        "The file " code { "experiment.toml" }
                        " has the text above. The counts repeat exactly; the times depend on the machine."
                    }
                }
            }
        }
    }
}

fn drawn(figure: &Figure) -> Markup {
    let number = figure.kind.name();
    html! {
        figure id=(figure.kind.file()) {
            // The row labels of the baselines are needed once only.
            @if figure.kind == FigureKind::Baselines { (PreEscaped(&figure.svg)) }
            @else { div.panels { @for panel in panels(&figure.svg) { (PreEscaped(panel)) } } }
            figcaption {
                b { @if number.parse::<u8>().is_ok() { "Figure " (number) ". " } (figure.title) "." }
                " " (figure.caption)
            }
        }
    }
}

fn claim_table(claims: &[&Claim]) -> Markup {
    let class = |claim: &Claim| match claim.verdict {
        Verdict::Holds => "yes",
        Verdict::Fails => "no",
        Verdict::Mixed { .. } | Verdict::Undecided => "part",
    };
    html! {
        table.claims {
            thead { tr { th { "Section" } th { "Claim" } th { "Paper" } th { "Result" } th { "Verdict" } th { "Rule" } } }
            tbody {
                @for claim in claims {
                    tr class=(class(claim)) {
                        td.n { (claim.section) }
                        td { (claim.claim) }
                        td data-h="Paper" { (claim.paper) }
                        td data-h="Result" {
                            @for (index, part) in claim.here.split("; ").enumerate() { @if index > 0 { br; } (part) }
                        }
                        td class=(class(claim)) data-h="Verdict" { (claim.verdict.to_string()) }
                        td data-h="Rule" { (claim.rule) }
                    }
                }
            }
        }
    }
}

/// A table. Each cell has the heading of its column as an attribute: narrow pages show it instead of columns.
fn table(headings: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        table {
            thead { tr { @for heading in headings { th { (heading) } } } }
            tbody {
                @for row in rows {
                    tr { @for (heading, text) in headings.iter().zip(row) { td data-h=(heading) { (text) } } }
                }
            }
        }
    }
}

//! The report as Markdown.

use std::fmt::Write;

use crate::claims::Claim;
use crate::figure_kind::FigureKind;
use crate::figures::Figure;
use crate::report::{RECOMMENDATION, Report, tally};

/// The report as Markdown. Figures are links to SVG files.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_to(&mut text, report);
    text
}

fn write_to(to: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(to, "# {}\n", report.title)?;
    for figure in report.figures.iter().filter(|figure| figure.kind == FigureKind::Baselines) {
        writeln!(to, "![{}](figures/{}.svg)\n\n{}\n", figure.title, figure.kind.file(), figure.caption)?;
    }
    writeln!(to, "{}\n", report.summary)?;
    if let Some((headings, rows)) = report.baseline_table().split_first() {
        writeln!(to, "**Recommendation.** {RECOMMENDATION}\n\n## MTD-f against the three baselines\n")?;
        table(to, headings, rows)?;
    }
    if report.figures(true).next().is_some() {
        writeln!(to, "\n## Figures of the paper")?;
    }
    for figure in report.figures(true) {
        write_figure(to, figure)?;
    }
    if !report.claims.is_empty() {
        let all = tally(report.sections().into_iter().flat_map(|(_, claims)| claims));
        writeln!(to, "\n## Claims of the paper\n\n{} claims: {all}.", report.claims.len() - report.goals().len())?;
    }
    for (heading, claims) in report.sections() {
        writeln!(to, "\n### {heading}\n")?;
        claim_table(to, &claims)?;
    }
    let goals = report.goals();
    if !goals.is_empty() {
        let all = tally(goals.iter().copied());
        writeln!(to, "\n## Goals and later work\n\n{} goals and claims: {all}.\n", goals.len())?;
        claim_table(to, &goals)?;
    }
    if let Some((headings, rows)) = report.section_table().split_first() {
        writeln!(to, "\n## The paper section by section\n")?;
        table(to, headings, rows)?;
    }
    if report.figures(false).next().is_some() {
        writeln!(to, "\n## More figures")?;
    }
    for figure in report.figures(false) {
        write_figure(to, figure)?;
    }
    if let Some((headings, rows)) = report.ratio_table().split_first() {
        writeln!(to, "\n## Ratios and sweeps\n")?;
        table(to, headings, rows)?;
    }
    if let Some((headings, rows)) = report.work.split_first() {
        writeln!(
            to,
            "\n## Distribution of the work\n\nSums over all iterations. Percentages are relative to Aspiration NegaScout.\n"
        )?;
        table(to, headings, rows)?;
        for reason in &report.reasons {
            writeln!(to, "\n{reason}")?;
        }
    }
    writeln!(to, "\n## Method\n")?;
    for (name, text) in report.method() {
        writeln!(to, "* **{name}.** {text}")?;
    }
    writeln!(to, "\n## Settings and machine\n")?;
    for (name, value) in &report.about {
        writeln!(to, "* {name}: {value}")?;
    }
    writeln!(to, "\n```toml\n{}```\n", report.experiment)?;
    writeln!(to, "## Reproduction\n\n```sh\ncargo run --release -- experiment experiment.toml --out repeated\n```\n")?;
    writeln!(
        to,
        "`experiment.toml` is in the folder of this report. The counts repeat exactly; the times depend on the machine."
    )
}

fn write_figure(to: &mut String, figure: &Figure) -> std::fmt::Result {
    let number = figure.kind.name();
    let name = if number.parse::<u8>().is_ok() { format!("Figure {number}: ") } else { String::new() };
    let (title, file) = (&figure.title, figure.kind.file());
    writeln!(to, "\n### {name}{title}\n\n![{title}](figures/{file}.svg)\n\n{}", figure.caption)
}

fn claim_table(to: &mut String, claims: &[&Claim]) -> std::fmt::Result {
    writeln!(to, "| section | claim | paper | result | verdict | rule |\n|---|---|---|---|---|---|")?;
    for claim in claims {
        let verdict = format!("**{}**", claim.verdict);
        row(to, &[claim.section, claim.claim, claim.paper, &claim.here, &verdict, &claim.rule])?;
    }
    Ok(())
}

fn table(to: &mut String, headings: &[String], rows: &[Vec<String>]) -> std::fmt::Result {
    row(to, headings)?;
    writeln!(to, "|{}", "---|".repeat(headings.len()))?;
    rows.iter().try_for_each(|cells| row(to, cells))
}

fn row(to: &mut String, cells: &[impl AsRef<str>]) -> std::fmt::Result {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| cell.as_ref().replace('|', "\\|").replace('*', "\\*").replace("\\*\\*", "**"))
        .collect();
    writeln!(to, "| {} |", cells.join(" | "))
}

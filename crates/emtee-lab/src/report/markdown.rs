//! The report as Markdown.

use std::fmt::Write;

use crate::report::{Report, tally};

/// The report as Markdown. Figures are links to SVG files.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_to(&mut text, report);
    text
}

fn write_to(to: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(to, "# {}\n\n{}\n", report.title, report.summary)?;
    if let Some((headings, rows)) = report.comparisons.split_first() {
        writeln!(to, "## MTD-f and Aspiration NegaScout\n")?;
        table(to, headings, rows)?;
    }
    for (heading, claims) in report.tables() {
        writeln!(to, "\n## {heading}\n\n{} claims: {}.\n", claims.len(), tally(claims.iter().copied()))?;
        writeln!(to, "| section | claim | paper | result | holds? | rule |\n|---|---|---|---|---|---|")?;
        for claim in claims {
            let verdict = format!("**{}**", claim.verdict);
            row(to, &[claim.section, claim.claim, claim.paper, &claim.here, &verdict, &claim.rule])?;
        }
    }
    if let Some((headings, rows)) = report.ratio_table().split_first() {
        writeln!(to, "\n## Ratios and sweeps\n")?;
        table(to, headings, rows)?;
    }
    if !report.figures.is_empty() {
        writeln!(to, "\n## Figures")?;
    }
    for figure in &report.figures {
        let number = figure.kind.name();
        let name = if number.parse::<u8>().is_ok() { format!("Figure {number}: ") } else { String::new() };
        let (title, file) = (&figure.title, figure.kind.file());
        writeln!(to, "\n### {name}{title}\n\n![{title}](figures/{file}.svg)\n\n{}", figure.caption)?;
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

//! What a match has come to, for people and for machines.

use emtee_engine::arena::{Contest, Estimate, GameRow, Score, Verdict};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, Output, POOR, seconds};
use crate::text_table::{Cell, TextTable};

pub(super) struct Summary<'m> {
    contest: &'m Contest,
    games: &'m [GameRow],
    score: Score,
}

impl<'m> Summary<'m> {
    pub(super) fn new(contest: &'m Contest, games: &'m [GameRow]) -> Summary<'m> {
        Summary { contest, games, score: Contest::score(games) }
    }

    /// The names of the players.
    fn names(&self) -> [&str; 2] {
        [0, 1].map(|at| self.contest.players[at].name.as_str())
    }

    /// How many games each player forfeited.
    fn forfeits(&self) -> [usize; 2] {
        self.names().map(|name| self.games.iter().filter(|row| row.forfeit.as_deref() == Some(name)).count())
    }

    /// The worst that each player overran its time by, in milliseconds, and the seconds it thought in all.
    fn times(&self) -> [(f64, f64); 2] {
        self.names().map(|name| {
            let mine = self.games.iter().map(|row| (usize::from(row.first != name), row));
            mine.fold((0.0, 0.0), |(worst, sum): (f64, f64), (at, row)| {
                (worst.max(row.overrun_ms[at]), sum + row.seconds[at])
            })
        })
    }

    /// One line, for a match that is going on.
    pub(super) fn live(&self) -> String {
        let Score { wins, draws, losses, .. } = self.score;
        let [a, b] = self.names();
        let share = self.score.share().map_or_else(String::new, |share| format!(", {:.1} %", share * 100.0));
        let elo = self.score.estimate().map_or_else(String::new, |estimate| {
            format!(", Elo {}, LOS {:.0} %", elo_text(&estimate), estimate.superiority * 100.0)
        });
        let forfeits: usize = self.forfeits().iter().sum();
        let forfeits = if forfeits > 0 { format!(", {forfeits} forfeited") } else { String::new() };
        let test = self.contest.sprt.map_or_else(String::new, |sprt| {
            let (low, high) = sprt.range();
            format!(", LLR {:.2} of {low:.2} to {high:.2}", sprt.log_ratio(&self.score))
        });
        format!("{a} – {b}: +{wins} ={draws} −{losses}{share}{elo}{test}{forfeits}")
    }

    pub(super) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        if output.json() {
            return output.object(&self.object());
        }
        let Score { wins, draws, losses, pairs, .. } = self.score;
        output.prose(&format!("{}, {}", self.contest.game, self.control()), HEADING)?;
        let mut table =
            TextTable::new(["<player", "won", "drawn", "lost", "score", "?forfeits", "?thought", "?late by"]);
        let share = self.score.share();
        let (forfeits, times) = (self.forfeits(), self.times());
        for at in 0..2 {
            let (won, lost) = if at == 0 { (wins, losses) } else { (losses, wins) };
            let share = share.map(|share| if at == 0 { share } else { 1.0 - share });
            let style = match share {
                Some(share) if share > 0.5 => GOOD,
                Some(share) if share < 0.5 => POOR,
                _ => anstyle::Style::new(),
            };
            table.row(vec![
                self.names()[at].into(),
                won.to_string().into(),
                draws.to_string().into(),
                lost.to_string().into(),
                Cell::styled(share.map_or_else(|| "–".into(), |share| format!("{:.1} %", share * 100.0)), style),
                forfeits[at].to_string().into(),
                seconds(times[at].1).into(),
                format!("{:.0} ms", times[at].0).into(),
            ]);
        }
        table.print(output)?;
        if let Some(estimate) = self.score.estimate() {
            let pairs = pairs.map(|n| n.to_string()).join(" ");
            output.line("")?;
            output.prose(&in_words(&estimate, self.names()), anstyle::Style::new())?;
            if (wins + draws + losses) % 2 == 1 {
                output.prose("The last game has no return game, and is not in this.", FAINT)?;
            }
            output.line(format!("{FAINT}pairs of 0, ½, 1, 1½ and 2 points: {pairs}{FAINT:#}"))?;
        }
        if let Some(sprt) = self.contest.sprt {
            let verdict = match sprt.verdict(&self.score) {
                Verdict::Open => "open".to_owned(),
                Verdict::Accepted => format!("decided for {} Elo", sprt.elo1),
                Verdict::Rejected => format!("decided for {} Elo", sprt.elo0),
            };
            let (low, high) = sprt.range();
            let ratio = sprt.log_ratio(&self.score);
            output.line(format!("SPRT {sprt}: LLR {ratio:.2} of {low:.2} to {high:.2}, {verdict}"))?;
        }
        for (row, fault) in self.games.iter().filter_map(|row| row.forfeit.as_ref().map(|who| (row, who))).take(5) {
            let why = row.detail.as_deref().unwrap_or(&row.ending);
            output.line(format!("{POOR}game {} was forfeited by {fault}{POOR:#}: {why}", row.number))?;
        }
        Ok(())
    }

    /// How long the players may think, in words.
    fn control(&self) -> String {
        if self.contest.players.iter().all(|player| player.has_own_limits()) {
            return String::from("each player by its own limits");
        }
        let control = &self.contest.referee.control;
        let mut parts = Vec::new();
        parts.extend(control.move_time.map(|time| format!("{} a move", seconds(time.as_secs_f64()))));
        parts.extend(control.clock.map(|(base, more)| {
            format!("{} a game and {} a move", seconds(base.as_secs_f64()), seconds(more.as_secs_f64()))
        }));
        parts.extend(control.depth.map(|depth| format!("depth {depth}")));
        parts.extend(control.nodes.map(|nodes| format!("{} nodes a move", crate::output::thousands(nodes))));
        parts.join(", ")
    }

    fn object(&self) -> Value {
        let Score { wins, draws, losses, pairs, .. } = self.score;
        let ([a, b], estimate, times) = (self.names(), self.score.estimate(), self.times());
        let elo = |part: fn(&Estimate) -> Option<f64>| estimate.as_ref().and_then(part);
        let sprt = self.contest.sprt.map(|sprt| {
            let verdict = match sprt.verdict(&self.score) {
                Verdict::Open => "open",
                Verdict::Accepted => "elo1",
                Verdict::Rejected => "elo0",
            };
            let (low, high) = sprt.range();
            json!({ "test": sprt.to_string(), "llr": sprt.log_ratio(&self.score), "low": low, "high": high, "verdict": verdict })
        });
        json!({
            "summary": true,
            "game": self.contest.game,
            "a": a,
            "b": b,
            "games": self.score.games(),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": self.score.share(),
            "pairs": pairs,
            "elo": elo(|e| e.elo),
            "elo_low": elo(|e| e.lower),
            "elo_high": elo(|e| e.upper),
            "los": estimate.map(|estimate| estimate.superiority),
            "sprt": sprt,
            "forfeits": self.forfeits(),
            "margin_ms": self.contest.referee.margin.as_secs_f64() * 1e3,
            "overrun_ms": times.map(|(worst, _)| worst),
            "seconds": times.map(|(_, sum)| sum),
        })
    }
}

/// +12 [−30, +55], or as much of it as is known.
fn elo_text(estimate: &Estimate) -> String {
    let signed = |elo: Option<f64>, infinite: &str| {
        elo.map_or_else(|| infinite.to_owned(), |elo| format!("{:+.0}", elo).replace('-', "−"))
    };
    let all = if estimate.superiority > 0.5 { "+∞" } else { "−∞" };
    let elo = signed(estimate.elo, all);
    match (estimate.lower, estimate.upper) {
        (None, None) => elo,
        (lower, upper) => format!("{elo} [{}, {}]", signed(lower, "−∞"), signed(upper, "+∞")),
    }
}

/// The same, in a sentence.
fn in_words(estimate: &Estimate, [a, b]: [&str; 2]) -> String {
    let (elo, superiority) = (elo_text(estimate), estimate.superiority * 100.0);
    if estimate.elo.is_none() {
        let winner = if estimate.superiority > 0.5 { a } else { b };
        format!("{winner} took every point, which is more than Elo can tell")
    } else if (estimate.lower, estimate.upper) == (None, None) {
        format!("Elo {elo}; all pairs ended alike, so there is no interval")
    } else {
        format!("Elo {elo}, with the 95 % interval; LOS {superiority:.1} %, the likelihood that {a} is the stronger")
    }
}

//! The result of a match, as text and as JSON.

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

    fn names(&self) -> [&str; 2] {
        [0, 1].map(|player| self.contest.players[player].name.as_str())
    }

    /// The number of games forfeited by each player.
    fn forfeits(&self) -> [usize; 2] {
        self.names().map(|name| self.games.iter().filter(|row| row.forfeit.as_deref() == Some(name)).count())
    }

    /// For each player the maximum overrun of its time in milliseconds, and its total thinking time in seconds.
    fn times(&self) -> [(f64, f64); 2] {
        self.names().map(|name| {
            let games = self.games.iter().map(|row| (usize::from(row.first != name), row));
            games.fold((0.0, 0.0), |(worst, sum): (f64, f64), (side, row)| {
                (worst.max(row.overrun_ms[side]), sum + row.seconds[side])
            })
        })
    }

    /// One line for a match in progress.
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
        let mut table = TextTable::new(["<player", "won", "drawn", "lost", "score", "?forfeits", "?time", "?overrun"]);
        let share = self.score.share();
        let (forfeits, times) = (self.forfeits(), self.times());
        for player in 0..2 {
            let (won, lost) = if player == 0 { (wins, losses) } else { (losses, wins) };
            let share = share.map(|share| if player == 0 { share } else { 1.0 - share });
            let style = match share {
                Some(share) if share > 0.5 => GOOD,
                Some(share) if share < 0.5 => POOR,
                _ => anstyle::Style::new(),
            };
            table.row(vec![
                self.names()[player].into(),
                won.to_string().into(),
                draws.to_string().into(),
                lost.to_string().into(),
                Cell::styled(share.map_or_else(|| "–".into(), |share| format!("{:.1} %", share * 100.0)), style),
                forfeits[player].to_string().into(),
                seconds(times[player].1).into(),
                format!("{:.0} ms", times[player].0).into(),
            ]);
        }
        table.print(output)?;
        if let Some(estimate) = self.score.estimate() {
            let pairs = pairs.map(|n| n.to_string()).join(" ");
            output.line("")?;
            output.prose(&in_words(&estimate, self.names()), anstyle::Style::new())?;
            if (wins + draws + losses) % 2 == 1 {
                output.prose("The last game has no return game and is not included.", FAINT)?;
            }
            output.line(format!("{FAINT}pairs of 0, ½, 1, 1½ and 2 points: {pairs}{FAINT:#}"))?;
        }
        if let Some(sprt) = self.contest.sprt {
            let verdict = match sprt.verdict(&self.score) {
                Verdict::Undecided => "undecided".to_owned(),
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

    /// The limits of the players, in words.
    fn control(&self) -> String {
        if self.contest.players.iter().all(|player| player.has_own_limits()) {
            return String::from("each player with its own limits");
        }
        let control = &self.contest.referee.control;
        let mut parts = Vec::new();
        parts.extend(control.move_time.map(|time| format!("{} per move", seconds(time.as_secs_f64()))));
        parts.extend(control.clock.map(|(base, more)| {
            format!("{} per game and {} per move", seconds(base.as_secs_f64()), seconds(more.as_secs_f64()))
        }));
        parts.extend(control.depth.map(|depth| format!("depth {depth}")));
        parts.extend(control.nodes.map(|nodes| format!("{} nodes per move", crate::output::thousands(nodes))));
        parts.join(", ")
    }

    fn object(&self) -> Value {
        let Score { wins, draws, losses, pairs, .. } = self.score;
        let ([a, b], estimate, times) = (self.names(), self.score.estimate(), self.times());
        let elo = |part: fn(&Estimate) -> Option<f64>| estimate.as_ref().and_then(part);
        let sprt = self.contest.sprt.map(|sprt| {
            let verdict = match sprt.verdict(&self.score) {
                Verdict::Undecided => "undecided",
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

/// An Elo difference with its interval, like +12 [−30, +55]; unknown parts are left out or infinite.
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

/// The estimate in a sentence.
fn in_words(estimate: &Estimate, [a, b]: [&str; 2]) -> String {
    let (elo, superiority) = (elo_text(estimate), estimate.superiority * 100.0);
    if estimate.elo.is_none() {
        let winner = if estimate.superiority > 0.5 { a } else { b };
        format!("{winner} won every point, so the Elo difference is unbounded")
    } else if (estimate.lower, estimate.upper) == (None, None) {
        format!("Elo {elo}; all pairs have the same score, so there is no interval")
    } else {
        format!("Elo {elo}, with the 95 % interval; LOS {superiority:.1} %, the likelihood that {a} is stronger")
    }
}

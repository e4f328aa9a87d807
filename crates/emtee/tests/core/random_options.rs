//! Searches with random options of random positions of every game. Every combination either is refused with a message when
//! the search is built, or it works. Exact searches find the value of minimax, and a move and a principal variation with that
//! value. In selective searches, every proven win and loss is true.
//!
//! `cargo xtask fuzz options --searches N` runs any number of searches.

use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::Duration;

use emtee::research::{Deepening, Gamma, Guess, Keep, Mode, Options, Reuse, Strategy, Widen};
use emtee::{
    Algorithm, Bounds, Budget, Error, Found, Game, Level, MoveOrdering, OwnEvaluation, Poll, Search, Selective, Size,
    Value, legal_moves, mix, player,
};
use emtee_games::{checkers, chess, connect4, kalah, othello, synthetic, tictactoe};

use crate::common::{Hashed, PANIC, Rules, after, minimax, worth};

/// A random number generator. The same seed gives the same numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % n
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize].clone()
    }
    /// Mostly a small number, sometimes an extreme one.
    fn number(&mut self) -> i32 {
        if self.one_in(20) { self.of(&[i32::MIN, i32::MAX, -1, 0, 31_000, 40_000]) } else { 1 + self.below(60) as i32 }
    }
    fn value(&mut self) -> Value {
        let extreme = [Value::INFINITY, Value::NEG_INFINITY, Value::win_in(3), Value::loss_in(2)];
        if self.one_in(10) { self.of(&extreme) } else { Value::default() + (self.below(200) as i32 - 100) }
    }

    fn algorithm(&mut self) -> Algorithm {
        match self.below(24) {
            0 => Algorithm::MtdGallop { step: self.number() },
            1 => Algorithm::MtdStep { step: self.number() },
            2 => Algorithm::AspirationNegaScout {
                width: self.number(),
                widen: self.of(&[Widen::Open, Widen::Double, Widen::Grow]),
            },
            3 => Algorithm::MtdBest(self.of(&[Strategy::ProveBest, Strategy::DisproveRest, Strategy::Separate])),
            4..12 => self.of(&Algorithm::ALL),
            _ => self.of(&[
                Algorithm::MtdF,
                Algorithm::NegaScout,
                Algorithm::BASELINE,
                Algorithm::MtdBi,
                Algorithm::Dual,
            ]),
        }
    }

    fn ordering(&mut self) -> MoveOrdering {
        let [table_move, hints, killers, history] = [0; 4].map(|_| self.one_in(2));
        MoveOrdering { table_move, hints, killers, history }
    }

    fn selective(&mut self) -> Selective {
        let mut by = if self.one_in(2) { Selective::NONE } else { Selective::ALL };
        let switches: [fn(&mut Selective) -> &mut bool; 11] = [
            |s| &mut s.null_move,
            |s| &mut s.reverse_futility,
            |s| &mut s.futility,
            |s| &mut s.late_move_reductions,
            |s| &mut s.late_move_pruning,
            |s| &mut s.see_pruning,
            |s| &mut s.forced_extensions,
            |s| &mut s.singular_extensions,
            |s| &mut s.internal_iterative_reduction,
            |s| &mut s.delta_pruning,
            |s| &mut s.probcut,
        ];
        for switch in switches {
            if self.one_in(3) {
                *switch(&mut by) = self.one_in(2);
            }
        }
        if self.one_in(3) {
            (by.margin_unit, by.probcut_threshold) = (self.number(), self.number());
        }
        by
    }

    fn options(&mut self) -> Options {
        let mut options = Options::default();
        options.algorithm = self.algorithm();
        options.mode = match self.below(5) {
            0 | 1 => Mode::Selective(self.selective()),
            2 => Mode::Exact { etc: Some(self.below(5) as u8) },
            _ => Mode::EXACT,
        };
        if !options.algorithm.is_oracle() || self.one_in(8) {
            let entries = [1, 2, 3, 4, 5, 16, 64, 1 << 10, 1 << 14];
            options.size = self.one_in(2).then(|| Size::of_entries(self.of(&entries)));
            options.keep = self.one_in(4).then(|| self.of(&[Keep::OneBound, Keep::TwoBounds]));
            options.reuse = self.one_in(6).then(|| self.of(&[Reuse::EqualDepth, Reuse::AtLeastDepth]));
            options.store_leaves = self.one_in(3).then(|| self.one_in(2));
        }
        options.ordering = self.one_in(2).then(|| self.ordering());
        options.deepening = match self.below(4) {
            0 => Deepening::By(self.below(4) as u8),
            1 => Deepening::Fixed,
            _ => Deepening::Auto,
        };
        options.guess = self.of(&[Guess::Previous, Guess::TwoBack, Guess::Better, Guess::Average]);
        options.first_guess = self.one_in(4).then(|| self.value());
        if self.one_in(12) {
            options.range = Bounds { lower: self.value(), upper: self.value() };
        }
        options.principal_variation = !self.one_in(3);
        if options.algorithm.shares_work() && self.one_in(5) || self.one_in(50) {
            options.threads = self.of(&[2, 3, 4]);
            options.share_from = self.of(&[0, 5, 1_000]);
        }
        options
    }
}

/// A search that was built, and how to check its results.
struct Case<'c, G: Game> {
    text: &'c dyn Fn() -> String,
    start: &'c G,
    options: Options,
    depth: u8,
    exact: Exact<'c, G>,
}

/// The exact value of a position, and of a root move, by an independent search.
struct Exact<'c, G: Game> {
    value: &'c dyn Fn(&G, u8) -> Value,
    worth: &'c dyn Fn(&G, G::Move, u8) -> Value,
}

impl<G: Game> Clone for Exact<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Exact<'_, G> {}

impl<G: Game<Move: Debug>> Case<'_, G> {
    /// The value of a root move.
    fn worth(&self, m: G::Move, depth: u8) -> Value {
        (self.exact.worth)(self.start, m, depth)
    }

    fn is_exact(&self) -> bool {
        self.options.mode.selective().is_none() && self.options.reuse != Some(Reuse::AtLeastDepth)
    }

    /// Checks a proven win or loss against an exact search to its distance.
    fn check_proven_value(&self, value: Value) {
        let plies = value.wins_in().or(value.loses_in()).filter(|&plies| plies <= u32::from(self.depth) + 1);
        if let Some(plies) = plies.filter(|&plies| plies > 0) {
            let exact = (self.exact.value)(self.start, plies as u8);
            let same = if value.wins_in().is_some() { exact >= value } else { exact <= value };
            assert!(same, "{value} was reported, and the value at depth {plies} is {exact}: {}", (self.text)());
        }
    }

    /// Checks a result. If it is `in_play`, values may depend on the path, so only the legality of moves is checked.
    fn check(&self, found: &Found<G::Move>, among: &[G::Move], in_play: bool) {
        let legal = legal_moves(self.start);
        let among = if among.is_empty() { &legal[..] } else { among };
        let text = self.text;
        if let Some(best) = found.best_move {
            assert!(legal.contains(&best) && among.contains(&best), "{best:?} is not legal: {}", text());
        } else {
            assert!(!found.complete || legal.is_empty(), "complete without a move: {}", text());
        }
        let mut n = self.start.clone();
        for &m in &found.pv {
            assert!(legal_moves(&n).contains(&m), "{m:?} in the line is not legal: {}", text());
            n = n.play(m);
        }
        let all = among.len() == legal.len();
        if !in_play && all {
            found.value.into_iter().for_each(|value| self.check_proven_value(value));
        }
        if !self.is_exact() || in_play || legal.is_empty() || found.depth == 0 {
            return;
        }
        let mut values: Vec<Value> = among.iter().map(|&m| self.worth(m, found.depth)).collect();
        values.sort_by(|a, b| b.cmp(a));
        let best = values[0];
        let unfinished = found.unfinished.as_ref().filter(|last| found.ranked.len() == 1 && last.best_move.is_some());
        match found.value {
            Some(value) => assert_eq!(value, best, "{}", text()),
            None => assert!(found.f.contains(best), "{} does not hold {best}: {}", found.f, text()),
        }
        if unfinished.is_none() {
            let m = found.best_move.unwrap_or_else(|| panic!("no move: {}", text()));
            assert_eq!(self.worth(m, found.depth), best, "{m:?}: {}", text());
        }
        for (ranked, value) in found.ranked.iter().zip(values) {
            assert!(ranked.f.contains(value), "{:?} is worth {}, not {value}: {}", ranked.m, ranked.f, text());
            assert_eq!(self.worth(ranked.m, found.depth), value, "{:?}: {}", ranked.m, text());
        }
        if let Some(last) = found.iterations.last().filter(|last| last.exact && last.depth < self.depth + 2) {
            let deeper = (self.exact.value)(self.start, last.depth + 1);
            if all {
                assert_eq!(Some(deeper), last.value.or(Some(deeper)), "reported as exact: {}", text());
            }
        }
    }
}

/// A description of the search, for error messages.
fn described(name: &str, seed: u64, options: &Options, how: &str) -> String {
    format!("{name}, seed {seed}, {how}, {options:?}")
}

/// Whether the error is a valid refusal of options.
fn is_refusal(error: &Error) -> bool {
    assert!(!error.to_string().is_empty());
    matches!(
        error,
        Error::Unsupported { .. }
            | Error::BadNumber { .. }
            | Error::BadRange { .. }
            | Error::NoDepth
            | Error::TooManyThreads { .. }
    )
}

/// One random search. Returns whether the options were accepted.
fn search<G: Game<Move: Debug>>(
    name: &str,
    dice: &mut Dice,
    seed: u64,
    start: &G,
    depth: u8,
    exact: Exact<'_, G>,
) -> bool {
    let options = dice.options();
    let how = dice.below(10);
    let mut built: Search<G, OwnEvaluation> = match player(OwnEvaluation).options(options).build() {
        Ok(search) => search,
        Err(error) => {
            assert!(is_refusal(&error), "{error}: {}", described(name, seed, &options, "build"));
            return false;
        }
    };
    let text = move || described(name, seed, &options, &format!("way {how}"));
    let case = Case { text: &text, start, options, depth, exact };
    let legal = legal_moves(start);
    let budget = match dice.below(6) {
        0 => Budget::depth(depth).and_nodes(dice.below(400)),
        1 => Budget::depth(depth).and_time(dice.of(&[Duration::ZERO, Duration::MAX])),
        _ => Budget::depth(depth),
    };
    // Errors of the search itself: they depend on the value or on the budget.
    let refused = |error: Error| match error {
        Error::BadRange { range, value: Some(found) } => {
            let inside = range.lower < found && found < range.upper;
            assert!(!inside, "{found} lies within {range}: {}", text());
        }
        Error::NoDepth | Error::Unsupported { .. } => {}
        error => panic!("{error}: {}", text()),
    };
    match how {
        0 => {
            let among: Vec<G::Move> = legal.iter().copied().filter(|_| dice.one_in(2)).collect();
            let lines = 1 + dice.below(4) as usize;
            match built.think_of(start, &among, lines, budget, &mut ()) {
                Ok(found) => case.check(&found, &among, false),
                Err(error) => refused(error),
            }
        }
        1 => {
            // In slices.
            if let Err(error) = built.start(start, budget) {
                refused(error);
                return true;
            }
            let slice = Budget::nodes(1 + dice.below(60));
            for _ in 0..100_000 {
                match built.poll(slice) {
                    Ok(Poll::Done(found)) => {
                        case.check(&found, &[], false);
                        return true;
                    }
                    Ok(Poll::Thinking { best_move, .. }) => {
                        assert!(best_move.is_none_or(|m| legal.contains(&m)), "{}", text());
                    }
                    Ok(Poll::Idle) => panic!("idle: {}", text()),
                    Err(error) => {
                        refused(error);
                        return true;
                    }
                }
            }
            panic!("no end: {}", text());
        }
        2 => {
            let level = Level::new(1 + dice.below(10) as u8).unwrap();
            let limit = Budget::depth(depth);
            match built.choose_observed(start, level, seed, limit, &mut ()) {
                Ok(chosen) => {
                    assert!(chosen.m.is_none_or(|m| legal.contains(&m)), "{}", text());
                    assert!(chosen.m.is_some() || legal.is_empty(), "{}", text());
                }
                Err(error) => refused(error),
            }
        }
        3 => {
            // Other options for the same search, after a shallow search.
            let _ = built.think(start, Budget::depth(depth.min(2)));
            let options = dice.options();
            let text = || described(name, seed, &options, "reconfigured");
            match built.reconfigure(options) {
                Ok(()) => match built.think(start, Budget::depth(depth)) {
                    Ok(found) => Case { text: &text, options, ..case }.check(&found, &[], false),
                    Err(error) => refused(error),
                },
                Err(error) => assert!(is_refusal(&error), "{error}: {}", text()),
            }
        }
        4 => {
            // In play: the root's child, with the root as game history.
            let path: Vec<G> = legal.first().map(|_| start.clone()).into_iter().collect();
            let n = legal.first().map_or_else(|| start.clone(), |&m| start.play(m));
            if built.set_game(&path).is_err() {
                return true;
            }
            match built.think(&n, budget) {
                Ok(found) => Case { start: &n, ..case }.check(&found, &[], true),
                Err(error) => refused(error),
            }
        }
        5 => {
            // A single pass.
            let gamma = Gamma::below(dice.value().max(Value::NEG_INFINITY + 1));
            if options.algorithm.is_oracle() || legal.is_empty() {
                return true;
            }
            let g = built.research().mt(start, depth, gamma).unwrap_or_else(|error| panic!("{error}: {}", text()));
            if case.is_exact() {
                let f = (exact.value)(start, depth);
                assert!(if g < gamma { f <= g } else { f >= g }, "γ {gamma}, g {g}, f {f}: {}", text());
            }
        }
        _ => {
            // Twice: the second search uses the table of the first.
            for budget in [budget, Budget::depth(depth)] {
                match built.think(start, budget) {
                    Ok(found) => case.check(&found, &[], false),
                    Err(error) => refused(error),
                }
            }
        }
    }
    true
}

/// By minimax.
fn by_minimax<'c, G: Game>() -> Exact<'c, G> {
    Exact { value: &minimax, worth: &worth }
}

/// By plain Alpha-Beta, which other tests compare with minimax.
fn by_alpha_beta<'c, G: Game>() -> Exact<'c, G> {
    fn search<G: Game>() -> Search<G, OwnEvaluation> {
        let builder = player(OwnEvaluation).algorithm(Algorithm::AlphaBeta).principal_variation(false).fixed_depth();
        builder.build().unwrap()
    }
    Exact {
        value: &|n: &G, depth| search().think(n, Budget::depth(depth)).unwrap().value.unwrap(),
        worth: &|n: &G, m, depth| search().worth(n, m, Budget::depth(depth)).unwrap().unwrap(),
    }
}

/// A search after panics in the user's code.
fn panicking(dice: &mut Dice, seed: u64, rules: Rules, depth: u8) {
    let options = dice.options();
    let Ok(mut search) = player(OwnEvaluation).options(options).build::<Hashed>() else { return };
    let panicking = Rules { panics: 1 + dice.below(30), ..rules }.root();
    let in_play = dice.one_in(3) && search.set_game(&[]).is_ok();
    for _ in 0..2 {
        let _ = panic::catch_unwind(AssertUnwindSafe(|| search.think(&panicking, Budget::depth(depth))));
    }
    let text = || described("hashed", seed, &options, &format!("after a panic, in play: {in_play}"));
    let sound = rules.root();
    match search.think(&sound, Budget::depth(depth)) {
        Ok(found) => {
            Case { text: &text, start: &sound, options, depth, exact: by_minimax() }.check(&found, &[], false);
            let visits = found.counts.interior + found.counts.nbp + found.counts.table_answers;
            assert_eq!(found.counts.nodes(), visits, "{}", text());
            let each: u64 = found.iterations.iter().map(|iteration| iteration.counts.nodes()).sum();
            assert_eq!(found.counts.nodes(), each, "visits of the search that panicked were counted: {}", text());
        }
        Err(Error::BadRange { .. } | Error::NoDepth) => {}
        Err(error) => panic!("{error}: {}", text()),
    }
}

/// Installs a panic hook that does not print the panics of the tests.
pub(crate) fn expect_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let message = info.payload_as_str().unwrap_or_default();
            if message != PANIC && message != "a scoped thread panicked" {
                usual(info);
            }
        }));
    });
}

/// Makes the random search of a seed. Returns whether its options were accepted.
fn random_search(seed: u64) -> bool {
    let mut dice = Dice(mix(seed));
    let dice = &mut dice;
    match dice.below(40) {
        0 | 1 => {
            let n: tictactoe::Board = after(dice.below(7), seed);
            search("tictactoe", dice, seed, &n, 1 + (seed % 6) as u8, by_minimax())
        }
        2..5 => {
            let n: connect4::Board = after(dice.below(30), seed);
            search("connect4", dice, seed, &n, 1 + (seed % 6) as u8, by_alpha_beta())
        }
        5..8 => {
            let n: kalah::Board = after(dice.below(30), seed);
            search("kalah", dice, seed, &n, 1 + (seed % 5) as u8, by_alpha_beta())
        }
        8 | 9 => {
            let n: othello::Board = after(dice.below(60), seed);
            search("othello", dice, seed, &n, 1 + (seed % 4) as u8, by_alpha_beta())
        }
        10 | 11 => {
            let n: checkers::Board = after(dice.below(60), seed);
            search("checkers", dice, seed, &n, 1 + (seed % 6) as u8, by_alpha_beta())
        }
        12 => {
            let n: chess::Board = after(dice.below(80), seed);
            search("chess", dice, seed, &n, 1 + (seed % 3) as u8, by_alpha_beta())
        }
        13 => {
            let depth = 1 + (seed % 5) as u8;
            let text = format!("seed={} width=3 depth={depth} transpositions={}", 1 + seed % 10_000, 40 * (seed % 3));
            let n: synthetic::Position = text.parse().unwrap();
            search("synthetic", dice, seed, &n, depth, by_alpha_beta())
        }
        case => {
            let rules = Rules {
                seed,
                width: 1 + dice.below(5) as u8,
                positions_per_ply: dice.of(&[u64::MAX, 40, 7]),
                spread: dice.of(&[1, 5, 300]),
                ends: dice.of(&[0, 3, 12]),
                same_side: dice.of(&[0, 2, 5]),
                noisy: dice.of(&[0, 3]),
                panics: 0,
            };
            let depth = 1 + (seed % 5) as u8;
            if case < 18 {
                panicking(dice, seed, rules, depth);
                return true;
            }
            search("hashed", dice, seed, &rules.root(), depth, by_minimax())
        }
    }
}

fn fuzz(first: u64, searches: u64) -> u64 {
    expect_panics();
    let show = std::env::var_os("EMTEE_SHOW").is_some();
    let print = |seed: &u64| {
        if show {
            eprintln!("seed {seed}")
        }
    };
    (first..first + searches).inspect(print).filter(|&seed| random_search(seed)).count() as u64
}

#[test]
fn random_options_are_refused_or_work() {
    let accepted = fuzz(0, 3_000);
    assert!(accepted > 1_500, "only {accepted} of 3000 were accepted");
}

/// `cargo xtask fuzz options` runs this on all cores.
#[test]
#[ignore = "takes long; run by cargo xtask fuzz options"]
fn many_random_options() {
    let variable =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (searches, seed) = (variable("EMTEE_SEARCHES", 10_000), variable("EMTEE_SEED", 1 << 32));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let next = std::sync::atomic::AtomicU64::new(0);
    let accepted: u64 = std::thread::scope(|scope| {
        let run = || {
            let mut accepted = 0;
            loop {
                let first = next.fetch_add(1_000, std::sync::atomic::Ordering::Relaxed);
                if first >= searches {
                    return accepted;
                }
                accepted += fuzz(seed + first, 1_000.min(searches - first));
            }
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{searches} searches with random options, {accepted} of them accepted, no failure");
}

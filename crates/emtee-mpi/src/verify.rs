//! Searches of random small trees by all ranks, compared with plain minimax.

use std::sync::Arc;

use emtee::research::Peers;
use emtee::{Algorithm, Budget, OwnEvaluation, Size, Value, mix, player};
use emtee_games::synthetic;

/// The algorithms that ranks can run together.
const SHARED: [Algorithm; 7] = [
    Algorithm::MtdF,
    Algorithm::Sss,
    Algorithm::Dual,
    Algorithm::MtdBi,
    Algorithm::MtdGallop { step: 4 },
    Algorithm::NegaScout,
    Algorithm::AspirationNegaScout { width: 8, widen: emtee::research::Widen::Double },
];

/// A tree and the settings of its search, all derived from one number.
pub struct Case {
    /// The tree and the settings as text.
    pub text: String,
    tree: synthetic::Position,
    depth: u8,
    algorithm: Algorithm,
    entries: usize,
    threads: usize,
}

/// The value and the move that a search found.
pub type Answer = (Option<Value>, Option<synthetic::Branch>);

impl Case {
    /// Case number `n`, of at most `max_depth` plies.
    pub fn new(n: u64, max_depth: u8) -> Case {
        let pick = |what: u64, of: u64| mix(n << 8 | what) % of;
        let depth = 4 + (pick(0, u64::from(max_depth - 3))) as u8;
        let algorithm = SHARED[pick(6, 7) as usize];
        let text = format!(
            "seed={} width={} spread={} depth={depth} transpositions={} range={} ordering={}",
            n + 1,
            2 + pick(1, 3),
            pick(2, 2),
            [0, 30, 80][pick(3, 3) as usize],
            [3, 50, 1000][pick(4, 3) as usize],
            [20, 75, 100][pick(5, 3) as usize],
        );
        let tree = text.parse().unwrap_or_else(|error| unreachable!("{text}: {error}"));
        let (entries, threads) = ([1 << 4, 1 << 8, 1 << 14][pick(8, 3) as usize], 1 + pick(9, 2) as usize);
        Case {
            text: format!("{text}, {algorithm}, {entries} entries, {threads} threads"),
            tree,
            depth,
            algorithm,
            entries,
            threads,
        }
    }

    /// A tree large enough to gain from several ranks.
    pub fn large() -> Case {
        let text = String::from("width=8 depth=9 transpositions=20");
        let tree = text.parse().unwrap_or_else(|error| unreachable!("{text}: {error}"));
        Case { text, tree, depth: 8, algorithm: Algorithm::MtdF, entries: 1 << 18, threads: 1 }
    }

    /// The number of threads of each rank.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Searches as one of several ranks.
    pub fn search(&self, peers: Arc<dyn Peers>) -> Result<Answer, emtee::Error> {
        let mut ai = player(OwnEvaluation)
            .algorithm(self.algorithm)
            .table(Size::of_entries(self.entries))
            .threads(self.threads)
            .with(|options| (options.principal_variation, options.share_from) = (false, 0))
            .build()?;
        ai.research().set_peers(Some(peers))?;
        let found = ai.think(&self.tree, Budget::depth(self.depth))?;
        Ok((found.value, found.best_move))
    }

    /// Compares an answer with minimax.
    pub fn check(&self, (value, best): Answer) -> Result<(), String> {
        let oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).fixed_depth().build();
        let mut oracle = oracle.map_err(|error| error.to_string())?;
        let budget = Budget::depth(self.depth);
        let exact = oracle.think(&self.tree, budget).map_err(|error| error.to_string())?.value;
        let worth = best.map(|best| oracle.worth(&self.tree, best, budget)).transpose();
        let worth = worth.map_err(|error| error.to_string())?.flatten();
        if value != exact {
            return Err(format!("found {value:?}, minimax has {exact:?}: {}", self.text));
        }
        if worth != exact {
            return Err(format!("the move found is worth {worth:?}, not {exact:?}: {}", self.text));
        }
        Ok(())
    }
}
